//! Named paths → what is there: charts, manifests, and everything else with the reason why it was left out.
//!
//! A walk finds candidates (`walk`); each is then read and recognised (`recognise`), in parallel, once. A path
//! inside a chart means the whole chart, because rules need it. Nothing is skipped in silence: [`Discovery::inputs`]
//! names every file and chart.

mod ignored;
mod recognise;
mod walk;

use std::path::{Path, PathBuf};

pub use ignored::Patterns;
use rayon::prelude::*;

use crate::helm;
use crate::source::{DecodeError, Place};
use crate::yaml::Stream;

/// How to look.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Patterns of paths to leave out, relative to the current directory; one without `/` matches any base name.
    pub exclude: Vec<String>,
    /// The same from the configuration, relative to its file.
    pub configured_exclude: Patterns,
    /// Whether files that `.gitignore` names are left out.
    pub gitignore: bool,
    /// Whether both also apply to files that are named; pre-commit names every file.
    pub force_exclude: bool,
    /// What `-` stands for: a name to show, and the text.
    pub stdin: Option<(String, Vec<u8>)>,
}

/// What is there.
#[derive(Debug, Default)]
pub struct Discovery {
    /// Charts, each the outermost one; subcharts are in them.
    pub charts: Vec<helm::Chart>,
    /// Files with Kubernetes objects, or meant as such, outside charts.
    pub manifests: Vec<Stream>,
    /// Files that could not be read as text, or are too large.
    pub problems: Vec<FileProblem>,
    /// Everything that was seen, in path order.
    pub inputs: Vec<Input>,
}

/// What a path was taken for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Input {
    /// Display path.
    pub path: String,
    /// `chart`, `manifest`, `skipped` …
    pub taken_for: &'static str,
    /// What is in it, or why it was skipped.
    pub detail: String,
}

/// A file that cannot be looked at.
#[derive(Clone, Debug)]
pub struct FileProblem {
    /// Where.
    pub place: Place,
    /// Why.
    pub kind: FileProblemKind,
}

/// Why a file cannot be looked at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FileProblemKind {
    /// It is no text. The file's fault.
    NoText(DecodeError),
    /// It is larger than any manifest. Named by mistake, or made to do harm.
    TooLarge {
        /// Its size in bytes.
        bytes: u64,
    },
}

/// Why nothing can be checked. All are the user's fault.
#[derive(Debug, thiserror::Error)]
pub enum DiscoverError {
    /// A named path does not exist.
    #[error("`{path}` does not exist")]
    Missing {
        /// As named.
        path: String,
    },
    /// A named path cannot be read.
    #[error("`{path}` cannot be read")]
    Unreadable {
        /// As named.
        path: String,
        /// Why.
        source: std::io::Error,
    },
    /// A named directory in which nothing was recognised.
    #[error("`{path}` holds no chart and no Kubernetes manifest")]
    NothingRecognised {
        /// As named.
        path: String,
    },
    /// A pattern of `exclude` is none.
    #[error("`{pattern}` is no pattern")]
    Pattern {
        /// As given.
        pattern: String,
        /// Why.
        source: globset::Error,
    },
}

/// A path as users are shown it: relative to the current directory if it lies below, with `/`.
pub fn display(path: &Path) -> String {
    walk::display(path)
}

/// A path from the root, `.` and `..` resolved as text, links not followed.
///
/// # Errors
/// There is no current directory.
pub fn absolute(path: &Path) -> std::io::Result<PathBuf> {
    std::path::absolute(path).map(|path| walk::normal(&path))
}

/// A file or chart that a walk came upon.
#[derive(Debug)]
pub(crate) struct Candidate {
    display: String,
    path: PathBuf,
    kind: CandidateKind,
    /// The user named it, or something in it.
    named: bool,
    /// Index of the named path that led to it.
    argument: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum CandidateKind {
    Chart,
    Archive,
    File,
}

/// Look at `paths`.
///
/// # Errors
/// A path that is missing or unreadable, a directory in which nothing was recognised, a bad pattern.
pub fn discover(paths: &[String], options: &Options) -> Result<Discovery, DiscoverError> {
    let found = walk::walk(paths, options)?;
    let mut discovery = Discovery { inputs: found.skipped, ..Discovery::default() };
    let mut recognised_in = vec![false; paths.len()];
    let results: Vec<_> = found
        .candidates
        .into_par_iter()
        .map(|candidate| (candidate.argument, recognise::recognise(candidate)))
        .collect();
    for (argument, result) in results {
        let recognised = result?;
        recognised_in[argument] |= recognised.counts;
        discovery.inputs.extend(recognised.inputs);
        discovery.charts.extend(recognised.chart);
        discovery.manifests.extend(recognised.manifest);
        discovery.problems.extend(recognised.problem);
    }
    if let Some((name, bytes)) = &options.stdin {
        let recognised = recognise::text(name, bytes.clone(), true);
        discovery.inputs.extend(recognised.inputs);
        discovery.manifests.extend(recognised.manifest);
        discovery.problems.extend(recognised.problem);
    }
    for (index, path) in paths.iter().enumerate() {
        // What another argument led to as well counts for both.
        if found.directories.contains(&index)
            && !recognised_in[index]
            && !found.shared.contains(&index)
        {
            return Err(DiscoverError::NothingRecognised { path: path.clone() });
        }
    }
    discovery.inputs.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(discovery)
}
