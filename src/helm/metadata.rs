//! `Chart.yaml` and `requirements.yaml`: what a chart is called, and which charts it depends on.

use std::sync::Arc;

use super::chart::{LoadProblem, ProblemKind};
use crate::source::{Place, Source, Span};
use crate::yaml::{self, Node};

/// An entry of `dependencies`.
#[derive(Clone, Debug)]
pub struct Dependency {
    /// `name`.
    pub name: String,
    /// `alias`.
    pub alias: Option<String>,
    /// `repository`.
    pub repository: String,
    /// `condition`, as written: paths separated by commas.
    pub condition: Option<String>,
    /// `tags`.
    pub tags: Vec<String>,
    /// The line with its name.
    pub place: Place,
}

impl Dependency {
    /// The key of its values: alias, else name.
    pub fn key(&self) -> &str {
        self.alias.as_deref().unwrap_or(&self.name)
    }

    /// The paths of `condition`, each split at its dots.
    pub fn condition_paths(&self) -> Vec<Vec<String>> {
        let condition = self.condition.as_deref().unwrap_or("");
        let paths = condition.split(',').map(str::trim).filter(|path| !path.is_empty());
        paths.map(|path| path.split('.').map(str::to_owned).collect()).collect()
    }
}

/// What a chart says of itself.
#[derive(Debug, Default)]
pub(super) struct Metadata {
    pub(super) name: Option<String>,
    pub(super) version: Option<String>,
    pub(super) dependencies: Vec<Dependency>,
}

/// Read both files. What Helm's `Validate` refuses becomes a problem.
pub(super) fn read(
    source: &Arc<Source>,
    requirements: Option<&Arc<Source>>,
    problems: &mut Vec<LoadProblem>,
) -> Metadata {
    let mut refuse = |span: Span, why: &str| {
        problems.push(LoadProblem {
            place: Place::new(source, span),
            kind: ProblemKind::Refused(why.to_owned()),
        });
    };
    let stream = yaml::parse(source);
    let Some(root) = stream.first_root().filter(|root| root.is_mapping()) else {
        // A file that is no YAML has a finding of its own.
        if stream.documents().all(|document| document.error().is_none()) {
            refuse(Span::at(0), "`Chart.yaml` is empty or no map");
        }
        return Metadata::default();
    };
    let text = |key: &str| root.get(key).and_then(Node::to_text).filter(|text| !text.is_empty());
    let start = root.span().start;
    let line = Span::new(start, start + 1);
    if text("name").is_none() {
        refuse(line, "`Chart.yaml` has no `name`");
    }
    if text("version").is_none() {
        refuse(line, "`Chart.yaml` has no `version`");
    }
    let mut metadata = Metadata {
        name: text("name").map(Into::into),
        version: text("version").map(Into::into),
        dependencies: dependencies(root),
    };
    if let Some(requirements) = requirements {
        let stream = yaml::parse(requirements);
        if let Some(root) = stream.first_root() {
            metadata.dependencies.extend(dependencies(root));
        }
    }
    metadata
}

fn dependencies(root: Node<'_>) -> Vec<Dependency> {
    let items = root.get("dependencies").into_iter().flat_map(Node::items);
    items
        .filter_map(|item| {
            let text = |key: &str| item.get(key).and_then(Node::to_text).map(String::from);
            let name = item.entry("name")?;
            Some(Dependency {
                name: name.value.to_text()?.into_owned(),
                alias: text("alias").filter(|alias| !alias.is_empty()),
                repository: text("repository").unwrap_or_default(),
                condition: text("condition").filter(|condition| !condition.is_empty()),
                tags: item
                    .get("tags")
                    .into_iter()
                    .flat_map(Node::items)
                    .filter_map(|tag| tag.to_text().map(String::from))
                    .collect(),
                place: Place { span: name.key.span().to(name.value.span()), ..name.key.place() },
            })
        })
        .collect()
}
