//! A chart in a directory.

use std::fs;
use std::path::{Path, PathBuf};

use super::archive::{MAX_CHART_BYTES, MAX_FILE_BYTES, MAX_FILES};
use super::chart::{Chart, LoadProblem, Origin, ProblemKind, RawFile};
use super::ignore::Rules;
use crate::source::{Place, Source};

/// Load the chart in `directory`, which is shown to users as `display`. Helm follows every link; here they are followed
/// as long as they stay in the chart, or in the git repository that it lies in, where `crds` is often a link to the
/// generated manifests. Devices and pipes are never opened.
pub fn load_directory(directory: &Path, display: &str) -> Chart {
    let real = fs::canonicalize(directory).unwrap_or_else(|_| directory.to_owned());
    let repository =
        real.ancestors().find(|folder| folder.join(".git").exists()).map(Path::to_owned);
    let mut walk = Walk {
        boundary: repository.unwrap_or(real),
        display: display.to_owned(),
        rules: Rules::none(),
        files: Vec::new(),
        problems: Vec::new(),
        bytes: 0,
        open: Vec::new(),
    };
    if let Ok(text) = fs::read_to_string(directory.join(".helmignore")) {
        match Rules::parse(&text) {
            Ok(rules) => walk.rules = rules,
            Err((line, why)) => {
                let source = Source::new(walk.shown(".helmignore"), text);
                let span = source.line_span(line).unwrap_or_default();
                walk.problems.push(LoadProblem {
                    place: Place::new(&source, span),
                    kind: ProblemKind::Refused(why),
                });
            }
        }
    }
    walk.folder(directory, "");
    let origin = Origin { path: display.to_owned(), member: None };
    Chart::assemble(walk.files, &origin, walk.problems, 0)
}

struct Walk {
    /// No link leads out of this folder.
    boundary: PathBuf,
    display: String,
    rules: Rules,
    files: Vec<RawFile>,
    problems: Vec<LoadProblem>,
    bytes: u64,
    /// Real paths of the folders that are being walked: a link to one of them is a loop.
    open: Vec<PathBuf>,
}

impl Walk {
    fn folder(&mut self, folder: &Path, name: &str) {
        let real = fs::canonicalize(folder).unwrap_or_else(|_| folder.to_owned());
        if self.open.contains(&real) {
            self.refuse(name, format!("`{name}` is a link to a folder that it lies in"));
            return;
        }
        let Ok(entries) = fs::read_dir(folder) else {
            self.refuse(name, format!("`{name}` cannot be read"));
            return;
        };
        self.open.push(real);
        let mut entries: Vec<_> =
            entries.filter_map(Result::ok).map(|entry| entry.path()).collect();
        entries.sort();
        for path in entries {
            let Some(base) = path.file_name().map(|base| base.to_string_lossy().into_owned())
            else {
                continue;
            };
            let name = if name.is_empty() { base } else { format!("{name}/{base}") };
            self.entry(&path, name);
        }
        self.open.pop();
    }

    fn entry(&mut self, path: &Path, name: String) {
        let Ok(metadata) = fs::metadata(path) else {
            if !self.rules.ignores(&name, false) {
                self.refuse(&name, format!("`{name}` is a link to nothing"));
            }
            return;
        };
        if self.rules.ignores(&name, metadata.is_dir()) {
            return;
        }
        if path.is_symlink()
            && !fs::canonicalize(path).is_ok_and(|real| real.starts_with(&self.boundary))
        {
            self.refuse(
                &name,
                format!(
                    "`{name}` is a link out of the chart and its repository, which is not followed"
                ),
            );
            return;
        }
        if metadata.is_dir() {
            self.folder(path, &name);
            return;
        }
        if !metadata.is_file() {
            self.refuse(&name, format!("`{name}` is a device, pipe or socket"));
            return;
        }
        if metadata.len() > MAX_FILE_BYTES {
            self.limit(
                &name,
                format!("{} bytes", metadata.len()),
                format!("{MAX_FILE_BYTES} bytes"),
            );
            return;
        }
        self.bytes += metadata.len();
        if self.bytes > MAX_CHART_BYTES || self.files.len() >= MAX_FILES {
            let found = format!("{} files of {} bytes", self.files.len() + 1, self.bytes);
            if self.problems.iter().all(|p| !matches!(p.kind, ProblemKind::Limit { .. })) {
                self.limit("", found, format!("{MAX_FILES} files of {MAX_CHART_BYTES} bytes"));
            }
            return;
        }
        match fs::read(path) {
            Ok(bytes) => self.files.push(RawFile { name, bytes }),
            Err(error) => self.refuse(&name, format!("`{name}` cannot be read: {error}")),
        }
    }

    fn limit(&mut self, name: &str, found: String, limit: String) {
        let what = if name.is_empty() { "the chart".to_owned() } else { format!("`{name}`") };
        let place = self.place(name);
        self.problems.push(LoadProblem { place, kind: ProblemKind::Limit { what, found, limit } });
    }

    fn refuse(&mut self, name: &str, why: String) {
        let place = self.place(name);
        self.problems.push(LoadProblem { place, kind: ProblemKind::Refused(why) });
    }

    fn place(&self, name: &str) -> Place {
        Place::start_of(&Source::new(self.shown(name), ""))
    }

    fn shown(&self, name: &str) -> String {
        match (self.display.as_str(), name) {
            (display, "") => display.to_owned(),
            ("" | ".", name) => name.to_owned(),
            (display, name) => format!("{}/{name}", display.trim_end_matches('/')),
        }
    }
}
