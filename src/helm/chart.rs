//! A loaded chart: its files sorted by what Helm does with them.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::archive;
use super::metadata::{self, Dependency};
use crate::source::{self, DecodeError, Place, Source};

/// Subcharts in subcharts deeper than this are refused; Helm has no limit, and nobody comes near.
const MAX_NESTING: usize = 16;

/// A chart and its subcharts.
#[derive(Debug)]
pub struct Chart {
    /// `name` of `Chart.yaml`, else the name of the folder.
    pub name: String,
    /// `version` of `Chart.yaml`.
    pub version: Option<String>,
    /// Display path of the directory or archive; for what lies in an archive, `archive!folder`.
    pub path: String,
    /// `Chart.yaml`.
    pub metadata: ChartFile,
    /// `values.yaml`.
    pub values: Option<ChartFile>,
    /// All other files that could be read as text, sorted by name.
    pub files: Vec<ChartFile>,
    /// Names of the files that are no text.
    pub binaries: Vec<String>,
    /// Dependencies that `Chart.yaml` (or `requirements.yaml`) declares.
    pub dependencies: Vec<Dependency>,
    /// What lies in `charts/`.
    pub subcharts: Vec<Chart>,
    /// What is wrong.
    pub problems: Vec<LoadProblem>,
}

/// A text file of a chart.
#[derive(Clone, Debug)]
pub struct ChartFile {
    /// Path in the chart, with `/`.
    pub name: String,
    /// What Helm does with it.
    pub kind: FileKind,
    /// Its text.
    pub source: Arc<Source>,
}

/// What Helm does with a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileKind {
    /// `Chart.yaml`
    Metadata,
    /// `values.yaml`
    Values,
    /// `values.schema.json`
    Schema,
    /// `requirements.yaml` of a v1 chart.
    Requirements,
    /// A template that prints manifests.
    Template,
    /// A template that is only included: its base name starts with `_`.
    Helper,
    /// `templates/NOTES.txt`
    Notes,
    /// A manifest in `crds/`.
    Crd,
    /// Anything else: `.Files`.
    Other,
}

/// Something that is wrong with a chart as a whole.
#[derive(Clone, Debug)]
pub struct LoadProblem {
    /// Where.
    pub place: Place,
    /// What.
    pub kind: ProblemKind,
}

/// What can be wrong with a chart.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ProblemKind {
    /// The chart's fault: Helm refuses it too.
    #[error("{0}")]
    Refused(String),
    /// More than Helm, or crdlint, reads.
    #[error("{what} has {found}, at most {limit} are read")]
    Limit {
        /// What was measured.
        what: String,
        /// How much it is.
        found: String,
        /// How much is allowed.
        limit: String,
    },
}

/// A file before it is known what it is.
#[derive(Debug)]
pub(super) struct RawFile {
    pub(super) name: String,
    pub(super) bytes: Vec<u8>,
}

/// Where the files of a chart come from, for display paths.
#[derive(Clone, Debug)]
pub(super) struct Origin {
    /// Display path of the directory or of the archive.
    pub(super) path: String,
    /// The chart lies in an archive, at this path within it; empty at its top.
    pub(super) member: Option<String>,
}

impl Origin {
    fn display(&self) -> String {
        match self.member.as_deref() {
            None | Some("") => self.path.clone(),
            Some(member) => format!("{}!{member}", self.path),
        }
    }

    pub(super) fn source(&self, name: &str, text: String) -> Arc<Source> {
        match &self.member {
            None => Source::new(join(&self.path, name), text),
            Some(member) => Source::member(self.path.as_str(), join(member, name), text),
        }
    }

    fn below(&self, name: &str) -> Self {
        match &self.member {
            None => Self { path: join(&self.path, name), member: None },
            Some(member) => Self { path: self.path.clone(), member: Some(join(member, name)) },
        }
    }
}

fn join(folder: &str, name: &str) -> String {
    match folder {
        "" | "." => name.to_owned(),
        folder => format!("{}/{name}", folder.trim_end_matches('/')),
    }
}

impl Chart {
    /// Files that may print manifests, helpers included.
    pub fn templates(&self) -> impl Iterator<Item = &ChartFile> {
        self.files.iter().filter(|file| matches!(file.kind, FileKind::Template | FileKind::Helper))
    }

    /// Manifests in `crds/`.
    pub fn crd_files(&self) -> impl Iterator<Item = &ChartFile> {
        self.files.iter().filter(|file| file.kind == FileKind::Crd)
    }

    /// Number of files, those of subcharts not counted.
    pub fn file_count(&self) -> usize {
        1 + usize::from(self.values.is_some()) + self.files.len() + self.binaries.len()
    }

    /// The keys under which the values of a subchart stand in those of this chart: the aliases of the dependencies
    /// that it satisfies, or its name.
    pub fn keys_of(&self, subchart: &Self) -> Vec<String> {
        let declared =
            self.dependencies.iter().filter(|dependency| dependency.name == subchart.name);
        let mut keys: Vec<String> =
            declared.map(|dependency| dependency.key().to_owned()).collect();
        if keys.is_empty() {
            keys.push(subchart.name.clone());
        }
        keys
    }

    /// A chart of which nothing could be read.
    pub(super) fn unloaded(origin: &Origin, problems: Vec<LoadProblem>) -> Self {
        let path = origin.display();
        let source = origin.source("Chart.yaml", String::new());
        Self {
            name: path.rsplit(['/', '!']).next().unwrap_or(&path).to_owned(),
            version: None,
            path,
            metadata: ChartFile { name: "Chart.yaml".to_owned(), kind: FileKind::Metadata, source },
            values: None,
            files: Vec::new(),
            binaries: Vec::new(),
            dependencies: Vec::new(),
            subcharts: Vec::new(),
            problems,
        }
    }

    /// Sort files into a chart, as Helm's `LoadFiles`.
    pub(super) fn assemble(
        files: Vec<RawFile>,
        origin: &Origin,
        mut problems: Vec<LoadProblem>,
        depth: usize,
    ) -> Self {
        let mut texts = Vec::new();
        let mut binaries = Vec::new();
        let mut in_charts: BTreeMap<String, Vec<RawFile>> = BTreeMap::new();
        for file in files {
            if let Some(rest) = file.name.strip_prefix("charts/") {
                let (folder, _) = rest.split_once('/').unwrap_or((rest, ""));
                if folder.starts_with(['_', '.']) || has_extension(rest, "prov") {
                    continue;
                }
                let folder = folder.to_owned();
                let name = rest.to_owned();
                in_charts.entry(folder).or_default().push(RawFile { name, ..file });
                continue;
            }
            let kind = FileKind::of(&file.name);
            match source::decode(file.bytes) {
                Ok(text) => {
                    let source = origin.source(&file.name, text);
                    texts.push(ChartFile { name: file.name, kind, source });
                }
                Err(error) => {
                    if kind != FileKind::Other {
                        problems.push(undecodable(origin, &file.name, error));
                    }
                    binaries.push(file.name);
                }
            }
        }
        texts.sort_by(|a, b| a.name.cmp(&b.name));
        binaries.sort();
        let folder = origin.display();
        let metadata = take(&mut texts, FileKind::Metadata).unwrap_or_else(|| {
            let source = origin.source("Chart.yaml", String::new());
            ChartFile { name: "Chart.yaml".to_owned(), kind: FileKind::Metadata, source }
        });
        let values = take(&mut texts, FileKind::Values);
        let requirements = texts.iter().find(|file| file.kind == FileKind::Requirements);
        let read =
            metadata::read(&metadata.source, requirements.map(|file| &file.source), &mut problems);
        let name = read.name.unwrap_or_else(|| {
            let last = folder.rsplit(['/', '!']).next().unwrap_or(&folder);
            last.to_owned()
        });
        let mut chart = Self {
            name,
            version: read.version,
            path: folder,
            metadata,
            values,
            files: texts,
            binaries,
            dependencies: read.dependencies,
            subcharts: Vec::new(),
            problems,
        };
        for (folder, files) in in_charts {
            chart.add_subchart(&folder, files, origin, depth);
        }
        chart
    }

    fn add_subchart(&mut self, folder: &str, files: Vec<RawFile>, origin: &Origin, depth: usize) {
        if depth >= MAX_NESTING {
            self.problems.push(LoadProblem {
                place: Place::start_of(&self.metadata.source),
                kind: ProblemKind::Limit {
                    what: format!("the nesting of subcharts at `charts/{folder}`"),
                    found: format!("{} levels", depth + 1),
                    limit: MAX_NESTING.to_string(),
                },
            });
            return;
        }
        let below = origin.below(&format!("charts/{folder}"));
        if has_extension(folder, "tgz") {
            for file in files {
                let origin = match &below.member {
                    None => Origin { path: below.path.clone(), member: Some(String::new()) },
                    Some(_) => below.clone(),
                };
                self.subcharts.push(archive::chart_of(&file.bytes, &origin, depth + 1));
            }
            return;
        }
        let files: Vec<RawFile> = files
            .into_iter()
            .filter_map(|file| {
                let (_, name) = file.name.split_once('/')?;
                Some(RawFile { name: name.to_owned(), ..file })
            })
            .collect();
        // Files beside the subcharts are none.
        if files.is_empty() {
            return;
        }
        if !files.iter().any(|file| file.name == "Chart.yaml") {
            self.problems.push(LoadProblem {
                place: Place::start_of(&self.metadata.source),
                kind: ProblemKind::Refused(format!("`charts/{folder}` has no `Chart.yaml`")),
            });
            return;
        }
        self.subcharts.push(Self::assemble(files, &below, Vec::new(), depth + 1));
    }
}

fn undecodable(origin: &Origin, name: &str, error: DecodeError) -> LoadProblem {
    LoadProblem {
        place: Place::start_of(&origin.source(name, String::new())),
        kind: ProblemKind::Refused(format!("`{name}` is no text: {error}")),
    }
}

fn take(files: &mut Vec<ChartFile>, kind: FileKind) -> Option<ChartFile> {
    let at = files.iter().position(|file| file.kind == kind)?;
    Some(files.remove(at))
}

pub(super) fn has_extension(name: &str, extension: &str) -> bool {
    name.rsplit_once('.').is_some_and(|(_, e)| e == extension)
}

impl FileKind {
    fn of(name: &str) -> Self {
        let base = name.rsplit('/').next().unwrap_or(name);
        let manifest = ["yaml", "yml", "json"].iter().any(|e| has_extension(name, e));
        match name {
            "Chart.yaml" => Self::Metadata,
            "values.yaml" => Self::Values,
            "values.schema.json" => Self::Schema,
            "requirements.yaml" => Self::Requirements,
            _ if name.starts_with("templates/") => match base {
                "NOTES.txt" => Self::Notes,
                base if base.starts_with('_') => Self::Helper,
                _ => Self::Template,
            },
            _ if name.starts_with("crds/") && manifest => Self::Crd,
            _ => Self::Other,
        }
    }
}
