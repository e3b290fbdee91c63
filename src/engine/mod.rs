//! A run: discover what is there, look at each part with every rule that is on, sort what was found.
//!
//! Manifests and charts are independent of each other until the findings are sorted, so they run in parallel, and the
//! result does not depend on the number of threads. The engine never prints; reporters turn a [`Run`] into bytes.
//! Everything that is wrong with the input is a finding; only what was asked for wrongly is an error.

mod look;
mod subjects;

use std::sync::atomic::AtomicUsize;

use rayon::prelude::*;

use crate::config::Policy;
use crate::discover::{self, DiscoverError};
use crate::finding::{self, Finding};
use crate::suppress;

/// What to check, and how.
#[derive(Debug, Default)]
pub struct Options<'a> {
    /// Files and directories as the user named them.
    pub paths: Vec<String>,
    /// How to look for files.
    pub discover: discover::Options,
    /// Which rules are on where, and with which severity.
    pub policy: Policy,
    /// Number of threads; as many as the machine has if not set.
    pub threads: Option<usize>,
    /// Counts files as they are done, for a progress line.
    pub progress: Option<&'a AtomicUsize>,
}

/// Why nothing could be checked: exit code 2.
#[derive(Debug, thiserror::Error)]
pub enum CheckError {
    /// The paths are wrong: the user's fault.
    #[error(transparent)]
    Discover(#[from] DiscoverError),
    /// The machine gives no threads.
    #[error("cannot start {threads} threads")]
    Threads {
        /// How many were asked for.
        threads: usize,
        /// Why not.
        source: rayon::ThreadPoolBuildError,
    },
}

/// Deep recursion over untrusted documents is bounded by depth, not by luck.
const STACK_BYTES: usize = 16 * 1024 * 1024;

/// Check the paths of `options`.
///
/// # Errors
/// A path that is missing or unreadable, a directory in which nothing was recognised, an invalid pattern.
pub fn check(options: &Options<'_>) -> Result<Run, CheckError> {
    let threads = options.threads.unwrap_or(0);
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .stack_size(STACK_BYTES)
        .build()
        .map_err(|source| CheckError::Threads { threads, source })?;
    pool.install(|| run(options))
}

fn run(options: &Options<'_>) -> Result<Run, CheckError> {
    let discovery = discover::discover(&options.paths, &options.discover)?;
    let subjects = subjects::subjects(discovery);
    let looked: Vec<look::Looked> =
        subjects.items.into_par_iter().map(|subject| look::look(subject, options)).collect();
    let mut run = Run { inputs: subjects.inputs, findings: subjects.findings, ..Run::default() };
    let mut comments = Vec::new();
    for looked in looked {
        comments.extend(looked.comments);
        run.counts.files += looked.counts.files;
        run.counts.charts += looked.counts.charts;
        run.counts.crds += looked.counts.crds;
        run.findings.extend(looked.findings);
    }
    apply(&options.policy, &mut run.findings);
    let outcome = suppress::apply(std::mem::take(&mut run.findings), comments, &options.policy);
    run.counts.suppressed = outcome.suppressed;
    run.findings = outcome.findings;
    run.findings.sort_by(finding::order);
    Ok(run)
}

/// What is off where it was found goes; what is left gets the severity that it has there.
fn apply(policy: &Policy, findings: &mut Vec<Finding>) {
    findings.retain(|finding| policy.is_on(finding.rule, &finding.primary.place.source));
    for finding in findings {
        if let Some(severity) = policy.severity(finding.rule, &finding.primary.place.source) {
            finding.severity = severity;
        }
    }
}

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
