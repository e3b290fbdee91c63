//! A chart as rules see it: itself and all its subcharts, their CRDs, templates and values.
//!
//! Nothing is rendered. A value is what `values.yaml` of the outermost chart that sets it says; a dependency is on as
//! its `condition` and `tags` decide with those values (Helm's `ProcessDependencies`); a template's CRDs are those
//! that stand in it literally.

use rayon::prelude::*;

use super::Crd;
use super::guard::Guard;
use super::object::{Home, Object, objects};
use super::template::Template;
use crate::helm;
use crate::source::Place;
use crate::yaml::{self, Node, Stream};

/// A chart with everything in it.
#[derive(Debug)]
pub struct Chart {
    /// The chart itself first, then its subcharts, each behind its parent.
    pub parts: Vec<Part>,
}

/// The chart itself, or one of its subcharts.
#[derive(Debug)]
pub struct Part {
    /// Index of the parent in [`Chart::parts`].
    pub parent: Option<usize>,
    /// Key of its values in those of the parent: alias or name.
    pub key: String,
    /// What was loaded.
    pub loaded: helm::Chart,
    /// Files in `crds/` with a manifest's extension.
    pub crd_files: Vec<CrdFile>,
    /// Templates that may print manifests, helpers included.
    pub templates: Vec<Template>,
    metadata: Stream,
    values: Option<Stream>,
}

/// A file in `crds/`.
#[derive(Debug)]
pub struct CrdFile {
    /// Path in its chart.
    pub name: String,
    /// Its documents.
    pub stream: Stream,
}

/// A CRD that stands literally in a template.
#[derive(Debug)]
pub struct TemplateCrd<'a> {
    /// The CRD.
    pub crd: Crd<'a>,
    /// The template.
    pub template: &'a Template,
    /// Index of its chart in [`Chart::parts`].
    pub part: usize,
    /// The conditions around it, outermost first.
    pub guards: Vec<Guard<'a>>,
}

/// A value that a `values.yaml` sets.
#[derive(Clone, Copy, Debug)]
pub struct Value<'a> {
    /// Its entry.
    pub entry: yaml::Entry<'a>,
}

impl Value<'_> {
    /// The line that sets it.
    pub fn place(&self) -> Place {
        self.entry.place()
    }
}

impl Chart {
    /// Everything in a loaded chart, parsed.
    pub fn new(root: helm::Chart) -> Self {
        let mut flat = Vec::new();
        flatten(root, None, String::new(), &mut flat);
        let parts =
            flat.into_par_iter().map(|(loaded, parent, key)| Part::new(loaded, parent, key));
        Self { parts: parts.collect() }
    }

    /// The chart itself.
    pub fn root(&self) -> &Part {
        &self.parts[0]
    }

    /// Display path of its directory or archive.
    pub fn path(&self) -> &str {
        &self.root().loaded.path
    }

    /// The CRDs that stand literally in templates, those of `define`s left out.
    pub fn template_crds(&self) -> Vec<TemplateCrd<'_>> {
        let mut crds = Vec::new();
        for (part, template) in self.templates() {
            for object in template.objects() {
                let offset = object.kind_entry().key.span().start;
                if template.in_define(offset) {
                    continue;
                }
                if let Some(crd) = Crd::new(object) {
                    crds.push(TemplateCrd { crd, template, part, guards: template.guards(offset) });
                }
            }
        }
        crds
    }

    /// All templates, each with the index of its chart.
    pub fn templates(&self) -> impl Iterator<Item = (usize, &Template)> {
        self.parts
            .iter()
            .enumerate()
            .flat_map(|(index, part)| part.templates.iter().map(move |t| (index, t)))
    }

    /// All files in `crds/` folders, each with the index of its chart.
    pub fn crd_files(&self) -> impl Iterator<Item = (usize, &CrdFile)> {
        self.parts
            .iter()
            .enumerate()
            .flat_map(|(index, part)| part.crd_files.iter().map(move |f| (index, f)))
    }

    /// What sets `path` among the values of `part` by default: a parent's `values.yaml` if it does, else its own.
    pub fn value(&self, part: usize, path: &[String]) -> Option<Value<'_>> {
        let this = &self.parts[part];
        let from_parent = this.parent.and_then(|parent| {
            let mut longer = path.to_vec();
            if path.first().is_none_or(|first| first != "global") {
                longer.insert(0, this.key.clone());
            }
            self.value(parent, &longer)
        });
        from_parent.or_else(|| {
            let (last, parents) = path.split_last()?;
            let keys: Vec<&str> = parents.iter().map(String::as_str).collect();
            let entry = this.values_root()?.at(&keys)?.entry(last)?;
            Some(Value { entry })
        })
    }

    /// Whether the subchart is on by default. The chart itself always is.
    pub fn is_enabled(&self, part: usize) -> bool {
        let mut index = part;
        while let Some(parent) = self.parts[index].parent {
            if !self.dependency_enabled(index, parent) {
                return false;
            }
            index = parent;
        }
        true
    }

    /// The `condition` and `tags` that switch a subchart, from the subchart up to the outermost chart; each with the
    /// chart whose values it reads.
    pub fn switches(&self, part: usize) -> Vec<(usize, Vec<String>)> {
        let mut switches = Vec::new();
        let mut index = part;
        while let Some(parent) = self.parts[index].parent {
            if let Some(dependency) = self.dependency(index) {
                switches
                    .extend(dependency.condition_paths().into_iter().map(|path| (parent, path)));
                let tags = dependency.tags.iter().map(|tag| vec!["tags".to_owned(), tag.clone()]);
                switches.extend(tags.map(|path| (0, path)));
            }
            index = parent;
        }
        switches
    }

    /// A path among the values of `part` as it stands in those of the outermost chart.
    pub fn absolute(&self, part: usize, path: &[String]) -> Vec<String> {
        let mut path = path.to_vec();
        let mut index = part;
        while let Some(parent) = self.parts[index].parent {
            if path.first().is_none_or(|first| first != "global") {
                path.insert(0, self.parts[index].key.clone());
            }
            index = parent;
        }
        path
    }

    /// Declared dependencies that are not in `charts/`: place, name and repository.
    pub fn dependencies_missing(&self) -> Vec<(Place, String, String)> {
        let mut missing = Vec::new();
        for (index, part) in self.parts.iter().enumerate() {
            for dependency in &part.loaded.dependencies {
                let there = self.parts.iter().any(|other| {
                    other.parent == Some(index) && other.loaded.name == dependency.name
                });
                if !there {
                    let (name, repository) =
                        (dependency.name.clone(), dependency.repository.clone());
                    missing.push((dependency.place.clone(), name, repository));
                }
            }
        }
        missing
    }

    /// The entry of `Chart.yaml` that names a subchart.
    pub fn dependency(&self, part: usize) -> Option<&helm::Dependency> {
        let this = &self.parts[part];
        let parent = &self.parts[this.parent?].loaded;
        parent.dependencies.iter().find(|dependency| dependency.key() == this.key)
    }

    /// As Helm's `processDependencyConditions` and `processDependencyTags`: the first condition path that holds a
    /// boolean decides, else the tags, of which one that is true wins.
    fn dependency_enabled(&self, part: usize, parent: usize) -> bool {
        let Some(dependency) = self.dependency(part) else { return true };
        for path in dependency.condition_paths() {
            if let Some(value) = self.value(parent, &path)
                && let Some(enabled) = value.entry.value.as_bool()
            {
                return enabled;
            }
        }
        let tag =
            |tag: &String| self.value(0, &["tags".to_owned(), tag.clone()])?.entry.value.as_bool();
        let tags: Vec<bool> = dependency.tags.iter().filter_map(tag).collect();
        tags.is_empty() || tags.contains(&true)
    }
}

impl Part {
    fn new(loaded: helm::Chart, parent: Option<usize>, key: String) -> Self {
        let crd_files = loaded
            .crd_files()
            .map(|file| CrdFile { name: file.name.clone(), stream: yaml::parse(&file.source) })
            .collect();
        let templates = loaded
            .templates()
            .collect::<Vec<_>>()
            .into_par_iter()
            .map(|file| Template::new(&file.name, &file.source))
            .collect();
        let values = loaded.values.as_ref().map(|file| yaml::parse(&file.source));
        let metadata = yaml::parse(&loaded.metadata.source);
        Self { parent, key, loaded, crd_files, templates, metadata, values }
    }

    /// The map in `values.yaml`.
    pub fn values_root(&self) -> Option<Node<'_>> {
        self.values.as_ref()?.first_root().filter(|root| root.is_mapping())
    }

    /// `Chart.yaml`, parsed.
    pub fn metadata(&self) -> &Stream {
        &self.metadata
    }

    /// `values.yaml`, parsed.
    pub fn values(&self) -> Option<&Stream> {
        self.values.as_ref()
    }

    /// Place for what concerns the chart as a whole: the `name` in `Chart.yaml`.
    pub fn place(&self) -> Place {
        let name = self.metadata.first_root().and_then(|root| root.entry("name"));
        name.map_or_else(|| Place::start_of(self.metadata.source()), |name| name.place())
    }
}

impl CrdFile {
    /// The objects in it.
    pub fn objects(&self) -> impl Iterator<Item = Object<'_>> {
        self.stream.roots().flat_map(|root| objects(root, Home::CrdsDir))
    }
}

fn flatten(
    mut chart: helm::Chart,
    parent: Option<usize>,
    key: String,
    out: &mut Vec<(helm::Chart, Option<usize>, String)>,
) {
    let subcharts = std::mem::take(&mut chart.subcharts);
    let keys: Vec<Vec<String>> = subcharts.iter().map(|subchart| chart.keys_of(subchart)).collect();
    let index = out.len();
    out.push((chart, parent, key));
    for (subchart, keys) in subcharts.into_iter().zip(keys) {
        let first = keys.into_iter().next().unwrap_or_else(|| subchart.name.clone());
        flatten(subchart, Some(index), first, out);
    }
}
