//! What a run is: what was looked at, what was found. The engine never prints; reporters turn a [`Run`] into bytes.

use crate::finding::Finding;

/// The result of checking a set of paths.
#[derive(Debug, Default)]
pub struct Run {
    /// Findings in the order of [`crate::finding::order`].
    pub findings: Vec<Finding>,
    /// What was looked at.
    pub counts: Counts,
    /// Every file and chart under the named paths with what it was taken for, in path order: `--verbose`.
    pub inputs: Vec<Input>,
}

/// Totals for the summary line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Files read, members of archives included.
    pub files: usize,
    /// Charts, subcharts included.
    pub charts: usize,
    /// `CustomResourceDefinitions` seen.
    pub crds: usize,
    /// Findings hidden by suppressions.
    pub suppressed: usize,
}

/// One line of `--verbose`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Input {
    /// Display path.
    pub path: String,
    /// What it was taken for: `chart`, `CRD`, `manifest`, `template`, `values`, `skipped` …
    pub taken_for: &'static str,
    /// Why, or what is in it: `2 CRDs`, `no Kubernetes object in it`, `excluded by .gitignore`.
    pub detail: String,
}
