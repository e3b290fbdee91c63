//! Whether a chart's CRDs can be switched off, and whether they are.
//!
//! The two rules complement each other: `chart-crd-toggle-missing` where nothing can keep a CRD out of the release,
//! `chart-crds-managed-by-helm` where something could and by default does not. Both are silent where the source
//! alone does not tell: a condition in a helper, a CRD made by a loop.

use std::collections::BTreeMap;

use super::super::{Check, Cx, Rule};
use crate::finding::Severity;
use crate::model::{Chart, TemplateCrd};
use crate::source::Place;

pub(super) const MISSING: Rule = Rule::new("chart-crd-toggle-missing", Check::Chart(missing));
pub(super) const MANAGED: Rule = Rule::new("chart-crds-managed-by-helm", Check::Chart(managed));

/// What keeps a CRD out of the release.
enum Switch {
    /// Nothing.
    Missing,
    /// Values, all of which are on by default; these are their paths and where they are set.
    On(Vec<(String, Option<Place>)>),
    /// It is off by default.
    Off,
    /// The source does not tell.
    Unknown,
}

fn missing(chart: &Chart, cx: &mut Cx<'_>) {
    if ships_nothing_but_crds(chart) {
        return;
    }
    let crds = chart.template_crds();
    let without: Vec<_> =
        crds.iter().filter(|crd| matches!(switch(chart, crd), Switch::Missing)).collect();
    // One finding per template, at its first CRD.
    let mut by_template: BTreeMap<String, Vec<&TemplateCrd<'_>>> = BTreeMap::new();
    for found in without {
        by_template.entry(found.crd.object.place().source.display_path()).or_default().push(found);
    }
    for found in by_template.values() {
        let Some(first) = found.first() else { continue };
        cx.set_object(Some(first.crd.object.reference()));
        cx.report(
            first.crd.object.place(),
            format!(
                "No value switches {} off: a second release fails on the ownership of what is there already, and so \
                 does everybody who applies CRDs from git",
                names(found)
            ),
        )
        .help("Wrap the CRDs in `{{- if .Values.crds.install }}` and add `crds: {install: false}` to `values.yaml`");
    }
}

fn managed(chart: &Chart, cx: &mut Cx<'_>) {
    if ships_nothing_but_crds(chart) {
        return;
    }
    let crds = chart.template_crds();
    let mut on = Vec::new();
    let mut toggles: BTreeMap<String, Toggle> = BTreeMap::new();
    for found in &crds {
        match switch(chart, found) {
            Switch::Missing => return,
            Switch::On(paths) => {
                on.push(found);
                for (path, place) in paths {
                    toggles.entry(path).or_insert(Toggle { place, crds: 0 }).crds += 1;
                }
            }
            Switch::Off | Switch::Unknown => {}
        }
    }
    let Some(first) = on.first() else { return };
    let kept = on.iter().all(|found| found.template.may_keep(&found.crd, chart, found.part));
    let severity = if kept { Severity::Note } else { Severity::Warning };
    let mut toggles: Vec<(String, Toggle)> = toggles.into_iter().collect();
    // The one that switches most of them off is the one to edit.
    toggles.sort_by(|a, b| b.1.crds.cmp(&a.1.crds).then_with(|| a.0.cmp(&b.0)));
    let place = toggles
        .iter()
        .find_map(|(_, toggle)| toggle.place.clone())
        .unwrap_or_else(|| first.crd.object.place());
    let protection = if kept {
        "upgrade and rollback change a cluster-wide API; `helm.sh/resource-policy: keep` protects it from deletion"
    } else {
        "upgrade and rollback change a cluster-wide API, and uninstall deletes it with every object of its kind"
    };
    let finding = cx.report_at(
        severity,
        place,
        format!(
            "By default {} belong{} to the Helm release, as {} has it: {protection}",
            names(&on),
            if on.len() == 1 { "s" } else { "" },
            paths(&toggles),
        ),
    );
    finding.help(
        "Switch it off by default, keep the CRDs in git and apply them on their own, before the chart",
    );
    for found in on.iter().take(3) {
        finding.relate(found.crd.object.place(), format!("`{}` comes from here", found.crd.name()));
    }
}

/// What switches CRDs off when it is turned round.
struct Toggle {
    /// Where it is set.
    place: Option<Place>,
    /// How many it switches.
    crds: usize,
}

fn paths(toggles: &[(String, Toggle)]) -> String {
    const SHOWN: usize = 3;
    let shown: Vec<String> =
        toggles.iter().take(SHOWN).map(|(path, _)| format!("`{path}`")).collect();
    match toggles.len().saturating_sub(SHOWN) {
        0 => shown.join(" or "),
        more => format!("{} or one of {more} more", shown.join(", ")),
    }
}

fn names(found: &[&TemplateCrd<'_>]) -> String {
    match found {
        [one] => format!("the CRD `{}`", one.crd.name()),
        [one, rest @ ..] => format!("{} CRDs (`{}` …)", rest.len() + 1, one.crd.name()),
        [] => String::new(),
    }
}

fn switch(chart: &Chart, found: &TemplateCrd<'_>) -> Switch {
    let mut paths = Vec::new();
    let mut unknown = false;
    for guard in &found.guards {
        match guard.decide(chart, found.part) {
            Some(false) => return Switch::Off,
            Some(true) => {
                let closing = guard.closed_by(chart, found.part);
                // A condition over values that no single one of them closes is beyond what the source tells.
                unknown |= closing.is_empty() && !guard.values_paths().is_empty();
                paths.extend(closing.into_iter().map(|path| (found.part, path)));
            }
            None => unknown = true,
        }
    }
    for (part, path) in chart.switches(found.part) {
        paths.push((part, path));
    }
    if !chart.is_enabled(found.part) {
        return Switch::Off;
    }
    if unknown {
        return Switch::Unknown;
    }
    if paths.is_empty() {
        return Switch::Missing;
    }
    Switch::On(
        paths
            .into_iter()
            .map(|(part, path)| {
                let place = chart.value(part, &path).map(|value| value.place());
                (chart.absolute(part, &path).join("."), place)
            })
            .collect(),
    )
}

/// Whether the chart is its own toggle: no template of it starts an object of another kind.
fn ships_nothing_but_crds(chart: &Chart) -> bool {
    !chart.templates().any(|(_, template)| template.starts_other_object())
}
