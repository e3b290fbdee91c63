//! From what was discovered to what is looked at, and the findings that discovery itself gives rise to.

use super::Input;
use super::look::Subject;
use crate::discover::{Discovery, FileProblemKind};
use crate::finding::{Finding, capitalised};
use crate::helm::{self, ProblemKind};
use crate::rules::engine;
use crate::source::MAX_SOURCE_BYTES;

/// Everything to look at.
pub(super) struct Subjects {
    pub(super) items: Vec<Subject>,
    pub(super) inputs: Vec<Input>,
    pub(super) findings: Vec<Finding>,
}

pub(super) fn subjects(discovery: Discovery) -> Subjects {
    let mut findings: Vec<Finding> = discovery
        .problems
        .into_iter()
        .map(|problem| match problem.kind {
            FileProblemKind::NoText(error) => engine::no_text(&problem.place.source, error),
            FileProblemKind::TooLarge { bytes } => {
                let (found, limit) =
                    (format!("{bytes} bytes"), format!("{MAX_SOURCE_BYTES} bytes"));
                engine::limit_exceeded(problem.place, "The file", &found, &limit)
            }
        })
        .collect();
    for chart in &discovery.charts {
        problems(chart, &mut findings);
    }
    let inputs = discovery
        .inputs
        .into_iter()
        .map(|input| Input { path: input.path, taken_for: input.taken_for, detail: input.detail })
        .collect();
    let charts = discovery.charts.into_iter().map(|chart| Subject::Chart(Box::new(chart)));
    let items = charts.chain(discovery.manifests.into_iter().map(Subject::Manifest)).collect();
    Subjects { items, inputs, findings }
}

fn problems(chart: &helm::Chart, findings: &mut Vec<Finding>) {
    for problem in &chart.problems {
        let place = problem.place.clone();
        let mut finding = match &problem.kind {
            ProblemKind::Refused(why) => engine::chart_load_failed(place, why),
            ProblemKind::Limit { what, found, limit } => {
                engine::limit_exceeded(place, &capitalised(what), found, limit)
            }
        };
        finding.chart = Some(chart.path.clone());
        findings.push(finding);
    }
    for subchart in &chart.subcharts {
        problems(subchart, findings);
    }
}
