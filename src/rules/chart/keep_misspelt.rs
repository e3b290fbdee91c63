//! `helm.sh/resource-policy` with a value that is not exactly `keep`.

use super::super::{Check, Cx, Rule};
use crate::model::Chart;

pub(super) const RULE: Rule = Rule::new("chart-keep-misspelt", Check::Chart(check));

fn check(chart: &Chart, cx: &mut Cx<'_>) {
    for (_, template) in chart.templates() {
        for object in template.objects() {
            let Some(entry) = object.annotation("helm.sh/resource-policy") else { continue };
            if template.is_templated(entry.value.span()) || template.is_templated(entry.key.span())
            {
                continue;
            }
            let value = entry.value.to_text().unwrap_or_default();
            if entry.value.as_str().as_deref() == Some("keep") {
                continue;
            }
            let kept_on_uninstall = value.trim().eq_ignore_ascii_case("keep");
            let consequence = if kept_on_uninstall {
                "uninstall keeps the object, but an upgrade or rollback that drops it deletes it"
            } else {
                "Helm neither keeps nor deletes the object on uninstall: it is orphaned without a word"
            };
            cx.set_object(Some(object.reference()));
            cx.report(
                entry.value.place(),
                format!("`helm.sh/resource-policy` is `{value}`, not `keep`; {consequence}"),
            )
            .help("Write `helm.sh/resource-policy: keep`");
        }
    }
}
