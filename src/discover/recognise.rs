//! What a candidate is, by its content.

use std::fs;
use std::sync::Arc;

use super::{Candidate, CandidateKind, DiscoverError, FileProblem, FileProblemKind, Input};
use crate::helm;
use crate::source::{self, MAX_SOURCE_BYTES, Place, Source};
use crate::yaml::{self, Node, Stream};

/// What a candidate turned out to be.
#[derive(Default)]
pub(super) struct Recognised {
    /// It is something that is checked.
    pub(super) counts: bool,
    pub(super) chart: Option<helm::Chart>,
    pub(super) manifest: Option<Stream>,
    pub(super) problem: Option<FileProblem>,
    pub(super) inputs: Vec<Input>,
}

impl Recognised {
    fn input(mut self, path: &str, taken_for: &'static str, detail: impl Into<String>) -> Self {
        self.inputs.push(Input { path: path.to_owned(), taken_for, detail: detail.into() });
        self
    }
}

pub(super) fn recognise(candidate: Candidate) -> Result<Recognised, DiscoverError> {
    let Candidate { display, path, kind, named, .. } = candidate;
    match kind {
        CandidateKind::Chart => Ok(chart(helm::load_directory(&path, &display))),
        CandidateKind::Archive => {
            let bytes = match fs::read(&path) {
                Ok(bytes) => bytes,
                Err(source) if named => {
                    return Err(DiscoverError::Unreadable { path: display, source });
                }
                Err(_) => {
                    return Ok(Recognised::default().input(&display, "skipped", "cannot be read"));
                }
            };
            let loaded = helm::load_archive(&bytes, &display);
            if loaded.metadata.source.text().is_empty() && !named {
                return Ok(Recognised::default().input(
                    &display,
                    "skipped",
                    "an archive without a chart",
                ));
            }
            Ok(chart(loaded))
        }
        CandidateKind::File => {
            let extension = path.extension().unwrap_or_default().to_string_lossy().into_owned();
            if !matches!(extension.as_str(), "yaml" | "yml" | "json") {
                return Ok(Recognised::default().input(
                    &display,
                    "skipped",
                    "neither YAML nor JSON",
                ));
            }
            let size = fs::metadata(&path).map_or(0, |metadata| metadata.len());
            if size > MAX_SOURCE_BYTES {
                return Ok(too_large(&display, size));
            }
            match fs::read(&path) {
                Ok(bytes) => Ok(text(&display, bytes, named)),
                Err(source) if named => Err(DiscoverError::Unreadable { path: display, source }),
                Err(_) => Ok(Recognised::default().input(&display, "skipped", "cannot be read")),
            }
        }
    }
}

fn too_large(display: &str, bytes: u64) -> Recognised {
    let place = Place::start_of(&Source::new(display, ""));
    let problem = FileProblem { place, kind: FileProblemKind::TooLarge { bytes } };
    Recognised { counts: true, problem: Some(problem), ..Recognised::default() }.input(
        display,
        "skipped",
        format!("{bytes} bytes"),
    )
}

fn chart(loaded: helm::Chart) -> Recognised {
    let mut inputs = Vec::new();
    list(&loaded, &mut inputs);
    Recognised { counts: true, chart: Some(loaded), inputs, ..Recognised::default() }
}

fn list(chart: &helm::Chart, inputs: &mut Vec<Input>) {
    let version = chart.version.as_deref().unwrap_or("without version");
    inputs.push(Input {
        path: chart.path.clone(),
        taken_for: "chart",
        detail: format!("{} {version}", chart.name),
    });
    let files =
        [Some(&chart.metadata), chart.values.as_ref()].into_iter().flatten().chain(&chart.files);
    for file in files {
        inputs.push(Input {
            path: file.source.display_path(),
            taken_for: match file.kind {
                helm::FileKind::Metadata => "Chart.yaml",
                helm::FileKind::Values => "values",
                helm::FileKind::Schema => "values schema",
                helm::FileKind::Requirements => "requirements",
                helm::FileKind::Template => "template",
                helm::FileKind::Helper => "helper",
                helm::FileKind::Notes => "notes",
                helm::FileKind::Crd => "CRD file",
                helm::FileKind::Other => "chart file",
            },
            detail: String::new(),
        });
    }
    for name in &chart.binaries {
        let path = format!("{}/{name}", chart.path);
        inputs.push(Input { path, taken_for: "chart file", detail: "no text".to_owned() });
    }
    for subchart in &chart.subcharts {
        list(subchart, inputs);
    }
}

/// What a text is.
pub(super) fn text(display: &str, bytes: Vec<u8>, named: bool) -> Recognised {
    let size = bytes.len() as u64;
    if size > MAX_SOURCE_BYTES {
        return too_large(display, size);
    }
    let looks_like_manifest = memchr::memmem::find(&bytes, b"apiVersion").is_some();
    let lossy =
        std::str::from_utf8(&bytes).is_err().then(|| String::from_utf8_lossy(&bytes).into_owned());
    let text = match source::decode(bytes) {
        Ok(text) => text,
        Err(error) if named || looks_like_manifest => {
            let place = Place::start_of(&Source::new(display, lossy.unwrap_or_default()));
            let problem = FileProblem { place, kind: FileProblemKind::NoText(error) };
            return Recognised { counts: true, problem: Some(problem), ..Recognised::default() }
                .input(display, "skipped", error.to_string());
        }
        Err(error) => return Recognised::default().input(display, "skipped", error.to_string()),
    };
    if !looks_like_manifest && !named {
        return Recognised::default().input(display, "skipped", "no Kubernetes object in it");
    }
    let source = Source::new(display, text);
    let stream = yaml::parse_manifest(&source);
    let broken = stream.documents().any(|document| document.error().is_some());
    let objects = stream.roots().filter(|root| is_object(*root)).count();
    if broken && is_template(&source) {
        return Recognised::default().input(display, "skipped", "a template, not YAML");
    }
    if objects == 0 && !(broken && (named || has_object_lines(&source))) {
        return Recognised::default().input(display, "skipped", "no Kubernetes object in it");
    }
    let crds = stream.roots().filter(|root| is_crd(*root)).count();
    let detail = match (objects, crds) {
        _ if broken => "not all of it can be read".to_owned(),
        (1, 1) => "1 CRD".to_owned(),
        (1, 0) => "1 object".to_owned(),
        (_, 0) => format!("{objects} objects"),
        (_, crds) if crds == objects => format!("{crds} CRDs"),
        (_, crds) => format!("{objects} objects, {crds} of them CRDs"),
    };
    Recognised { counts: true, manifest: Some(stream), ..Recognised::default() }
        .input(display, "manifest", detail)
}

fn is_object(root: Node<'_>) -> bool {
    let is_text = |key: &str| root.get(key).is_some_and(|value| value.as_str().is_some());
    is_text("apiVersion") && is_text("kind")
}

fn is_crd(root: Node<'_>) -> bool {
    root.get("kind").and_then(Node::as_str).is_some_and(|kind| kind == "CustomResourceDefinition")
}

/// Marks of template languages, which make a file no YAML before it is rendered.
fn is_template(source: &Arc<Source>) -> bool {
    ["{{", "{%", "<%", "${"].iter().any(|mark| source.text().contains(mark))
}

/// A line that starts like an object's.
fn has_object_lines(source: &Arc<Source>) -> bool {
    source.text().lines().any(|line| line.starts_with("apiVersion:") || line.starts_with("kind:"))
}
