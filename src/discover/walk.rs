//! The walk: from named paths to candidates, nothing read yet.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use walkdir::WalkDir;

use super::ignored::{GitIgnores, Patterns};
use super::{Candidate, CandidateKind, DiscoverError, Input, Options};

/// What a walk came upon.
#[derive(Default)]
pub(super) struct Found {
    pub(super) candidates: Vec<Candidate>,
    pub(super) skipped: Vec<Input>,
    /// Which of the named paths are directories.
    pub(super) directories: BTreeSet<usize>,
    /// Named paths that led to what an earlier one had led to.
    pub(super) shared: BTreeSet<usize>,
}

pub(super) fn walk(paths: &[String], options: &Options) -> Result<Found, DiscoverError> {
    let mut walk = Walk {
        excludes: Patterns::new(Path::new(""), &options.exclude)?,
        options,
        found: Found::default(),
        seen: BTreeMap::new(),
    };
    for (argument, path) in paths.iter().enumerate() {
        walk.argument(argument, path)?;
    }
    walk.found.candidates = walk.seen.into_values().collect();
    walk.found.candidates.sort_by(|a, b| a.display.cmp(&b.display));
    Ok(walk.found)
}

struct Walk<'a> {
    excludes: Patterns,
    options: &'a Options,
    found: Found,
    /// By real path, so that what two arguments lead to is looked at once.
    seen: BTreeMap<PathBuf, Candidate>,
}

impl Walk<'_> {
    fn argument(&mut self, argument: usize, named: &str) -> Result<(), DiscoverError> {
        let path = Path::new(named);
        let metadata = fs::metadata(path).map_err(|source| match source.kind() {
            std::io::ErrorKind::NotFound => DiscoverError::Missing { path: named.to_owned() },
            _ => DiscoverError::Unreadable { path: named.to_owned(), source },
        })?;
        let excluded = self.excluded(path);
        if excluded && (metadata.is_dir() || self.options.force_exclude) {
            self.skip(path, "excluded");
            self.found.shared.insert(argument);
            return Ok(());
        }
        if metadata.is_dir() {
            self.found.directories.insert(argument);
        }
        if let Some(chart) = enclosing_chart(path) {
            self.add(&chart, CandidateKind::Chart, true, argument);
        } else if metadata.is_dir() {
            self.directory(path, argument)?;
        } else if metadata.is_file() {
            self.add(path, kind_of(path), true, argument);
        } else {
            self.skip(path, "a device, pipe or socket");
        }
        Ok(())
    }

    fn directory(&mut self, root: &Path, argument: usize) -> Result<(), DiscoverError> {
        let mut ignores =
            if self.options.gitignore { GitIgnores::above(root) } else { GitIgnores::default() };
        let mut entries = WalkDir::new(root).sort_by_file_name().into_iter();
        while let Some(entry) = entries.next() {
            let entry = match entry {
                Ok(entry) => entry,
                Err(error) => {
                    let path = error.path().unwrap_or(root).to_owned();
                    let why = error.to_string();
                    if error.depth() == 0 {
                        let source =
                            error.into_io_error().unwrap_or_else(|| std::io::Error::other(why));
                        return Err(DiscoverError::Unreadable { path: display(&path), source });
                    }
                    self.skip(&path, "cannot be read");
                    continue;
                }
            };
            let path = entry.path();
            let is_directory = entry.file_type().is_dir();
            if entry.depth() > 0
                && let Some(reason) = self.reason_to_skip(path, is_directory, &ignores)
            {
                if !reason.is_empty() {
                    self.skip(path, reason);
                }
                if is_directory {
                    entries.skip_current_dir();
                }
                continue;
            }
            if is_directory {
                if self.options.gitignore {
                    ignores.enter(path);
                }
                if path.join("Chart.yaml").is_file() {
                    self.add(path, CandidateKind::Chart, false, argument);
                    entries.skip_current_dir();
                }
                continue;
            }
            match fs::metadata(path) {
                Ok(metadata) if metadata.is_file() => {
                    self.add(path, kind_of(path), false, argument);
                }
                Ok(metadata) if metadata.is_dir() => self.skip(path, "a link to a folder"),
                Ok(_) => self.skip(path, "a device, pipe or socket"),
                Err(_) => self.skip(path, "a link to nothing"),
            }
        }
        Ok(())
    }

    /// Why an entry of a walk is left out; empty where that goes without saying.
    fn reason_to_skip(
        &self,
        path: &Path,
        is_directory: bool,
        ignores: &GitIgnores,
    ) -> Option<&'static str> {
        let name = path.file_name().unwrap_or_default();
        if is_directory && (name == ".git" || name == "node_modules") {
            return Some("");
        }
        if self.excluded(path) {
            return Some("excluded");
        }
        ignores.ignores(path, is_directory).then_some("ignored by .gitignore")
    }

    fn excluded(&self, path: &Path) -> bool {
        let shown = display(path);
        self.excludes.matches(&shown) || self.options.configured_exclude.matches(&shown)
    }

    fn add(&mut self, path: &Path, kind: CandidateKind, named: bool, argument: usize) {
        let real = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        if let Some(known) = self.seen.get_mut(&real) {
            known.named |= named;
            if known.argument != argument {
                self.found.shared.insert(argument);
            }
            return;
        }
        let candidate =
            Candidate { display: display(path), path: path.to_owned(), kind, named, argument };
        self.seen.insert(real, candidate);
    }

    fn skip(&mut self, path: &Path, reason: &str) {
        self.found.skipped.push(Input {
            path: display(path),
            taken_for: "skipped",
            detail: reason.to_owned(),
        });
    }
}

fn kind_of(path: &Path) -> CandidateKind {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    if name.ends_with(".tgz") || name.ends_with(".tar.gz") {
        CandidateKind::Archive
    } else {
        CandidateKind::File
    }
}

/// The outermost chart that `path` lies in: the nearest folder with a `Chart.yaml`, and from there upwards as long as it
/// lies in the `charts/` of another.
fn enclosing_chart(path: &Path) -> Option<PathBuf> {
    let absolute = std::path::absolute(path).ok()?;
    let is_chart = |folder: &Path| folder.join("Chart.yaml").is_file();
    let mut chart = absolute.ancestors().find(|folder| is_chart(folder))?.to_owned();
    while let Some(parent) = chart
        .parent()
        .filter(|parent| parent.file_name().is_some_and(|name| name == "charts"))
        .and_then(Path::parent)
        .filter(|parent| is_chart(parent))
    {
        chart = parent.to_owned();
    }
    Some(chart)
}

/// A path as users are shown it: relative to the current directory if it lies below, with `/`.
pub(super) fn display(path: &Path) -> String {
    let shown = match std::env::current_dir().ok().zip(std::path::absolute(path).ok()) {
        Some((current, absolute)) => match absolute.strip_prefix(&current) {
            Ok(relative) => normal(relative),
            Err(_) => path.to_owned(),
        },
        None => path.to_owned(),
    };
    let text = shown.to_string_lossy().replace(std::path::MAIN_SEPARATOR, "/");
    if text.is_empty() { ".".to_owned() } else { text }
}

/// Without `.` and with `x/..` resolved.
pub(super) fn normal(path: &Path) -> PathBuf {
    use std::path::Component;
    let mut out = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir if out.pop() => {}
            other => out.push(other),
        }
    }
    out
}
