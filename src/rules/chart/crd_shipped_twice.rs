//! One CRD from two places of a chart.

use std::collections::BTreeMap;

use super::super::{Check, Cx, Rule};
use crate::finding::Severity;
use crate::model::{Chart, Crd};
use crate::source::Place;

pub(super) const RULE: Rule = Rule::new("chart-crd-shipped-twice", Check::Chart(check));

/// Where a copy stands: which chart, and whether in its `crds/`.
#[derive(Clone)]
struct Copy {
    part: usize,
    in_crds_dir: bool,
    place: Place,
    text: String,
}

fn check(chart: &Chart, cx: &mut Cx<'_>) {
    let mut copies: BTreeMap<String, Vec<Copy>> = BTreeMap::new();
    for (part, file) in chart.crd_files() {
        if !chart.is_enabled(part) {
            continue;
        }
        for crd in file.objects().filter_map(Crd::new) {
            add(&mut copies, &crd, part, true);
        }
    }
    for found in chart.template_crds() {
        let on = found.guards.iter().all(|guard| guard.decide(chart, found.part) == Some(true));
        if on && chart.is_enabled(found.part) && !found.template.is_templated_name(&found.crd) {
            add(&mut copies, &found.crd, found.part, false);
        }
    }
    for (name, copies) in &copies {
        let Some((first, others)) = copies.split_first() else { continue };
        for copy in others {
            if copy.in_crds_dir && first.in_crds_dir && copy.part == first.part {
                // `chart-duplicate-crd-in-crds-dir` says so.
                continue;
            }
            let both_in_crds_dir = copy.in_crds_dir && first.in_crds_dir;
            let same = both_in_crds_dir && copy.text == first.text;
            let severity = if same { Severity::Warning } else { Severity::Error };
            let consequence = match (first.in_crds_dir, copy.in_crds_dir) {
                (true, true) if same => {
                    "the copies are equal now, and drift apart with the next update of one"
                }
                (true, true) => "Helm 3 keeps the one that it sends first, Helm 4 the last",
                (false, false) => "the later one of the rendered manifests wins",
                _ => "the first installation fails on the ownership of the one in `crds/`",
            };
            cx.report_at(
                severity,
                copy.place.clone(),
                format!("`{name}` is shipped twice by this chart: {consequence}"),
            )
            .help("Ship it once, and switch the other off with a `condition` or remove it")
            .relate(first.place.clone(), "the other copy");
        }
    }
}

fn add(copies: &mut BTreeMap<String, Vec<Copy>>, crd: &Crd<'_>, part: usize, in_crds_dir: bool) {
    let name = crd.name().into_owned();
    if name.is_empty() {
        return;
    }
    copies.entry(name).or_default().push(Copy {
        part,
        in_crds_dir,
        place: crd.object.place(),
        text: crd.object.node().text().to_owned(),
    });
}
