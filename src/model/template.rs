//! A chart's template as rules see it before it is rendered.
//!
//! Its actions are masked by filler of the same length, so what is written literally parses as YAML and every offset
//! holds. What an action writes is unknown: ask [`Template::is_templated`] before believing a value, and read the
//! conditions around an object from its [`Guard`]s.

use std::sync::Arc;

use super::Crd;
use super::chart::Chart;
use super::object::{Home, Object, objects};
use crate::source::{Source, Span};
use crate::yaml::{self, Stream};

/// A template.
#[derive(Debug)]
pub struct Template {
    name: String,
    source: Arc<Source>,
    stream: Stream,
}

/// A condition around a place in a template.
#[derive(Debug)]
pub struct Guard<'a> {
    _template: &'a Template,
}

impl Guard<'_> {
    /// Whether it lets its place through with the values that are set by default; `None` where that cannot be told.
    pub fn decide(&self, _chart: &Chart, _part: usize) -> Option<bool> {
        None
    }

    /// Whether it asks for `.Capabilities`.
    pub fn reads_capabilities(&self) -> bool {
        false
    }

    /// The paths below `.Values` that it reads.
    pub fn values_paths(&self) -> Vec<Vec<String>> {
        Vec::new()
    }
}

impl Template {
    /// Read a template.
    pub fn new(name: &str, source: Arc<Source>) -> Self {
        let stream = yaml::parse(&source);
        Self { name: name.to_owned(), source, stream }
    }

    /// Path in its chart.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its text.
    pub fn source(&self) -> &Arc<Source> {
        &self.source
    }

    /// The objects that stand in it literally, in `define`s too.
    pub fn objects(&self) -> impl Iterator<Item = Object<'_>> {
        self.stream.roots().flat_map(|root| objects(root, Home::Template(self)))
    }

    /// Whether an action writes any part of `span`.
    pub fn is_templated(&self, _span: Span) -> bool {
        false
    }

    /// Whether an action writes any part of the CRD's name.
    pub fn is_templated_name(&self, crd: &Crd<'_>) -> bool {
        crd.object
            .node()
            .at(&["metadata", "name"])
            .is_some_and(|name| self.is_templated(name.span()))
    }

    /// Whether `offset` lies in a `define`, which prints nothing where it stands.
    pub fn in_define(&self, _offset: u32) -> bool {
        false
    }

    /// The conditions around `offset`, outermost first.
    pub fn guards(&self, _offset: u32) -> Vec<Guard<'_>> {
        Vec::new()
    }

    /// Errors of the template's syntax: place, reason, help.
    pub fn syntax_errors(&self) -> Vec<(Span, String, Option<String>)> {
        Vec::new()
    }

    /// Whether a CRD may carry `helm.sh/resource-policy: keep`: it does, or something is written into its annotations.
    pub fn may_keep(&self, _crd: &Crd<'_>) -> bool {
        false
    }

    /// Whether a line of it starts an object that is no CRD.
    pub fn starts_other_object(&self) -> bool {
        self.source.text().lines().any(|line| {
            line.strip_prefix("kind:").is_some_and(|kind| {
                let kind = kind.split('#').next().unwrap_or(kind).trim().trim_matches(['"', '\'']);
                kind != "CustomResourceDefinition"
            })
        })
    }

    /// Actions in a CRD's descriptions that were not meant for Helm, with the reason.
    pub fn foreign_actions_in_crd_prose(&self) -> Vec<(Span, String)> {
        Vec::new()
    }
}
