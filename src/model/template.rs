//! A chart's template as rules see it before it is rendered.
//!
//! Its actions are masked by filler of the same length, so what is written literally parses as YAML and every offset
//! holds. What an action writes is unknown: ask [`Template::is_templated`] before believing a value, and read the
//! conditions around an object from its [`Guard`]s.

use std::sync::Arc;

use super::Crd;
use super::chart::Chart;
use super::guard::{self, Guard};
use super::object::{Home, Object, objects};
use crate::gotmpl::{self, Kind, Mask, NodeId};
use crate::source::{Source, Span};
use crate::yaml::{self, Node, Stream};

/// What Helm calls a template with.
const ROOT_FIELDS: [&str; 7] =
    ["Values", "Release", "Chart", "Files", "Capabilities", "Template", "Subcharts"];

/// A template.
#[derive(Debug)]
pub struct Template {
    name: String,
    tree: gotmpl::Template,
    mask: Mask,
    stream: Stream,
}

impl Template {
    /// Read a template. `name` is its path in its chart.
    pub fn new(name: &str, source: &Arc<Source>) -> Self {
        let tree = gotmpl::parse(name, source);
        let mut mask = gotmpl::mask(&tree);
        let stream = yaml::parse_masked(source, std::mem::take(&mut mask.text));
        Self { name: name.to_owned(), tree, mask, stream }
    }

    /// Path in its chart.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its text.
    pub fn source(&self) -> &Arc<Source> {
        self.tree.source()
    }

    /// Its syntax tree.
    pub fn tree(&self) -> &gotmpl::Template {
        &self.tree
    }

    /// The objects that stand in it literally, in `define`s too.
    pub fn objects(&self) -> impl Iterator<Item = Object<'_>> {
        self.stream.roots().flat_map(|root| objects(root, Home::Template(self)))
    }

    /// Whether an action writes any part of `span`.
    pub fn is_templated(&self, span: Span) -> bool {
        self.mask.is_templated(span)
    }

    /// Whether an action writes any part of the CRD's name.
    pub fn is_templated_name(&self, crd: &Crd<'_>) -> bool {
        crd.object
            .node()
            .at(&["metadata", "name"])
            .is_some_and(|name| self.is_templated(name.span()))
    }

    /// Whether `offset` lies in a `define`, which prints nothing where it stands.
    pub fn in_define(&self, offset: u32) -> bool {
        self.mask.in_define(Span::at(offset))
    }

    /// The conditions around `offset`, outermost first.
    pub fn guards(&self, offset: u32) -> Vec<Guard<'_>> {
        guard::around(self, offset)
    }

    /// Errors of the template's syntax: place, Go's reason, help. Those that [`Self::foreign_actions_in_crd_prose`]
    /// explains better are left to it.
    pub fn syntax_errors(&self) -> Vec<(Span, String, Option<String>)> {
        let prose = self.crd_prose();
        let errors = self.tree.errors().iter();
        errors
            .filter(|error| !prose.iter().any(|span| span.contains(error.span.start)))
            .map(|error| (error.span, error.message.clone(), error.help.clone()))
            .collect()
    }

    /// Whether a CRD carries `helm.sh/resource-policy: keep` by default, as far as can be told: a literal annotation
    /// that is not switched off, or annotations that something writes.
    pub fn may_keep(&self, crd: &Crd<'_>, chart: &Chart, part: usize) -> bool {
        if let Some(entry) = crd.object.annotation("helm.sh/resource-policy") {
            let templated = self.is_templated(entry.value.span());
            let keeps = templated || entry.value.as_str().as_deref() == Some("keep");
            let guards = self.guards(entry.key.span().start);
            return keeps && guards.iter().all(|guard| guard.decide(chart, part) != Some(false));
        }
        let Some(metadata) = crd.object.node().get("metadata") else { return true };
        let annotations = metadata.get("annotations");
        match annotations {
            Some(annotations) => {
                annotations.is_null() || self.is_templated(self.lines_of(annotations))
            }
            // Without the key, something that writes whole lines into `metadata` may bring it.
            None => self.writes_lines_in(self.lines_of(metadata)),
        }
    }

    /// A node's span, widened to whole lines.
    fn lines_of(&self, node: Node<'_>) -> Span {
        let text = self.source().text();
        let span = node.span();
        let start = text[..span.start as usize].rfind('\n').map_or(0, |at| at + 1);
        let end =
            text[span.end as usize..].find('\n').map_or(text.len(), |at| span.end as usize + at);
        Span::new(start as u32, end as u32)
    }

    /// Whether a line within `span` holds nothing but an action that prints.
    fn writes_lines_in(&self, span: Span) -> bool {
        let mut start = span.start;
        span.slice(self.source().text()).split_inclusive('\n').any(|line| {
            let own = Span::new(start, start + line.trim_end().len() as u32);
            start += line.len() as u32;
            let text = line.trim();
            text.starts_with("{{") && text.ends_with("}}") && {
                let inner = text.trim_start_matches("{{").trim_start_matches('-').trim_start();
                self.is_templated(own)
                    && (inner.starts_with("include")
                        || inner.starts_with("toYaml")
                        || inner.starts_with("template"))
            }
        })
    }

    /// Whether a line of it starts an object that is no CRD.
    pub fn starts_other_object(&self) -> bool {
        self.source().text().lines().any(|line| {
            line.strip_prefix("kind:").is_some_and(|kind| {
                let kind = kind.split('#').next().unwrap_or(kind).trim().trim_matches(['"', '\'']);
                kind != "CustomResourceDefinition"
            })
        })
    }

    /// Actions in a CRD's descriptions that were not meant for Helm, with the reason.
    pub fn foreign_actions_in_crd_prose(&self) -> Vec<(Span, String)> {
        let mut found = Vec::new();
        for span in self.crd_prose() {
            for error in self.tree.errors().iter().filter(|error| span.contains(error.span.start)) {
                found.push((error.span, format!("the chart does not render, {}", error.message)));
            }
            let mut dots = vec![(self.tree.root(), true)];
            while let Some((node, at_root)) = dots.pop() {
                let whole = self.tree.span(node);
                if whole.end <= span.start || span.end <= whole.start {
                    continue;
                }
                if let Kind::Action { pipe, .. } = self.tree.kind(node)
                    && at_root
                    && let Some(name) = self.foreign_field(pipe)
                {
                    found.push((
                        whole,
                        format!("`.{name}` is nothing that Helm knows, so the text is lost"),
                    ));
                }
                let rebinds = matches!(
                    self.tree.kind(node),
                    Kind::With(_) | Kind::Range(_) | Kind::Define(_) | Kind::Block(_)
                );
                dots.extend(
                    self.tree.children(node).into_iter().map(|child| (child, at_root && !rebinds)),
                );
            }
        }
        found.sort_by_key(|(span, _)| *span);
        found.dedup_by_key(|(span, _)| *span);
        found
    }

    /// The first name of a field that a pipeline prints, if it is none of those that Helm provides.
    fn foreign_field(&self, pipe: NodeId) -> Option<&str> {
        let field =
            self.tree.walk(pipe).find(|node| matches!(self.tree.kind(*node), Kind::Field))?;
        let (first, _) = self.tree.idents(field).next()?;
        (!ROOT_FIELDS.contains(&first)).then_some(first)
    }

    /// The texts for people in the schemas of literal CRDs, as far as actions write in them.
    fn crd_prose(&self) -> Vec<Span> {
        let mut spans = Vec::new();
        for crd in self.objects().filter_map(Crd::new) {
            let Some(spec) = crd.spec.filter(|spec| self.is_templated(spec.span())) else {
                continue;
            };
            let mut stack = vec![spec];
            while let Some(node) = stack.pop() {
                // What an alias stands for is looked at where it is written.
                if node.shape() == yaml::Shape::Alias || !self.is_templated(node.span()) {
                    continue;
                }
                for entry in node.entries() {
                    let is_text = entry.value.kind() == yaml::Kind::Scalar;
                    if is_text
                        && entry.key.is_key("description")
                        && self.is_templated(entry.value.span())
                    {
                        spans.push(entry.value.span());
                    }
                    stack.push(entry.value);
                }
                stack.extend(node.items());
            }
        }
        spans
    }
}
