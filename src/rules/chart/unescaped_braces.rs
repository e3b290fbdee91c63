//! Braces in a description that Helm takes for a template.

use super::super::{Check, Cx, Rule};
use crate::model::Chart;
use crate::source::Place;

pub(super) const RULE: Rule = Rule::new("chart-unescaped-braces-in-crd", Check::Chart(check));

fn check(chart: &Chart, cx: &mut Cx<'_>) {
    for (_, template) in chart.templates() {
        for (span, why) in template.foreign_actions_in_crd_prose() {
            cx.report(
                Place::new(template.source(), span),
                format!("Helm evaluates these braces in a description of the CRD: {why}"),
            )
            .help("Escape them: `{{ \"{{\" }}` and `{{ \"}}\" }}`, or a raw string between backquotes");
        }
    }
}
