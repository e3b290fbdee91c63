//! Conditions around a place in a template, and what can be known of them without rendering.
//!
//! A guard is evaluated over the values that are set by default, with three outcomes: it lets its place through, it
//! does not, or that cannot be told. Only what is certain counts: literals, paths below `.Values`, and the functions
//! `and or not eq ne default empty toString`. Everything else, helpers above all, is unknown.

use super::chart::Chart;
use super::template::Template;
use crate::gotmpl::{self, Kind, NodeId};
use crate::source::Span;
use crate::yaml::{self, Node, Scalar};

/// A condition around a place.
#[derive(Clone, Debug)]
pub struct Guard<'a> {
    tree: &'a gotmpl::Template,
    pipe: NodeId,
    /// The place is in the branch that is taken when the condition holds.
    then: bool,
    dot: Dot,
}

/// What `.` stands for.
#[derive(Clone, Debug)]
enum Dot {
    /// What the template was called with: the root, outside definitions.
    Root,
    /// A path below `.Values`.
    Values(Vec<String>),
    Unknown,
}

/// A value that is certain.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Known {
    /// nil
    Null,
    /// `true`, `false`
    Bool(bool),
    /// Any number: YAML makes no difference, and templates compare with literals.
    Number(f64),
    /// A string.
    Text(String),
    /// A list or map: whether it has anything in it.
    Collection(bool),
}

impl Known {
    fn of(node: Node<'_>) -> Self {
        match node.kind() {
            yaml::Kind::Mapping => Self::Collection(node.entries().next().is_some()),
            yaml::Kind::Sequence => Self::Collection(node.items().next().is_some()),
            yaml::Kind::Scalar => match node.scalar() {
                None | Some(Scalar::Null) => Self::Null,
                Some(Scalar::Bool(value)) => Self::Bool(value),
                Some(Scalar::Str(text)) => Self::Text(text.into_owned()),
                Some(number) => Self::Number(number.as_f64().unwrap_or_default()),
            },
        }
    }

    /// Go's truth.
    fn truth(&self) -> bool {
        match self {
            Self::Null => false,
            Self::Bool(value) => *value,
            Self::Number(value) => *value != 0.0,
            Self::Text(text) => !text.is_empty(),
            Self::Collection(filled) => *filled,
        }
    }

    /// The value that a user would set to get the opposite.
    fn flipped(&self) -> Self {
        match self {
            Self::Null => Self::Bool(true),
            Self::Bool(value) => Self::Bool(!value),
            Self::Number(_) => Self::Number(0.0),
            Self::Text(_) => Self::Text(String::new()),
            Self::Collection(filled) => Self::Collection(!filled),
        }
    }
}

/// The guards around `offset`, outermost first.
pub(super) fn around(template: &Template, offset: u32) -> Vec<Guard<'_>> {
    let tree = template.tree();
    let mut guards = Vec::new();
    let mut dot = Dot::Root;
    let mut list = tree.root();
    while let Some(child) = child_at(tree, list, offset) {
        match tree.kind(child) {
            Kind::If(id) | Kind::With(id) | Kind::Range(id) => {
                let branch = tree.branch(id);
                let otherwise =
                    branch.otherwise.filter(|other| holds(tree.span(other.list), offset));
                guards.push(Guard {
                    tree,
                    pipe: branch.pipe,
                    then: otherwise.is_none(),
                    dot: dot.clone(),
                });
                list = otherwise.map_or(branch.list, |other| other.list);
                if otherwise.is_none() {
                    dot = match tree.kind(child) {
                        Kind::With(_) => {
                            path(tree, branch.pipe, &dot).map_or(Dot::Unknown, Dot::Values)
                        }
                        Kind::Range(_) => Dot::Unknown,
                        _ => dot,
                    };
                }
            }
            Kind::Define(id) | Kind::Block(id) => {
                dot = Dot::Unknown;
                list = tree.define(id).body;
            }
            _ => break,
        }
    }
    guards
}

fn child_at(tree: &gotmpl::Template, list: NodeId, offset: u32) -> Option<NodeId> {
    let Kind::List(run) = tree.kind(list) else { return None };
    let nodes = tree.nodes(run);
    let at = nodes.partition_point(|node| tree.span(*node).end <= offset);
    nodes.get(at).copied().filter(|node| holds(tree.span(*node), offset))
}

fn holds(span: Span, offset: u32) -> bool {
    span.contains(offset)
}

impl Guard<'_> {
    /// Whether it lets its place through with the values that are set by default; `None` where that cannot be told.
    pub fn decide(&self, chart: &Chart, part: usize) -> Option<bool> {
        self.decide_with(&|path| lookup(chart, part, path))
    }

    /// The paths below `.Values` that close this guard when they alone are turned round.
    pub fn closed_by(&self, chart: &Chart, part: usize) -> Vec<Vec<String>> {
        let mut paths = self.values_paths();
        paths.retain(|candidate| {
            let flipped = |path: &[String]| {
                let value = lookup(chart, part, path)?;
                Some(if path == candidate.as_slice() { value.flipped() } else { value })
            };
            self.decide_with(&flipped) == Some(false)
        });
        paths
    }

    /// The paths below `.Values` that it reads, each once.
    pub fn values_paths(&self) -> Vec<Vec<String>> {
        let mut paths: Vec<Vec<String>> = Vec::new();
        for node in self.tree.walk(self.pipe) {
            if let Some(path) = path(self.tree, node, &self.dot)
                && !path.is_empty()
                && !paths.contains(&path)
            {
                paths.push(path);
            }
        }
        // The receiver of `index .Values.a "b"` is read too, but it is not what decides.
        let longest = |path: &Vec<String>| {
            paths.iter().any(|other| other.len() > path.len() && other.starts_with(path))
        };
        let keep: Vec<_> = paths.iter().filter(|path| !longest(path)).cloned().collect();
        keep
    }

    /// Whether it asks for `.Capabilities`.
    pub fn reads_capabilities(&self) -> bool {
        self.tree
            .walk(self.pipe)
            .any(|node| self.tree.idents(node).any(|(name, _)| name == "Capabilities"))
    }

    fn decide_with(&self, lookup: &dyn Fn(&[String]) -> Option<Known>) -> Option<bool> {
        let eval = Eval { tree: self.tree, dot: &self.dot, lookup };
        Some(eval.pipe(self.pipe)?.truth() == self.then)
    }
}

fn lookup(chart: &Chart, part: usize, path: &[String]) -> Option<Known> {
    if let Some(value) = chart.value(part, path) {
        return Some(Known::of(value.entry.value));
    }
    // Below something that is no map, Helm fails; what is not set at all is nil.
    for end in 1..path.len() {
        if let Some(value) = chart.value(part, &path[..end])
            && !value.entry.value.is_mapping()
            && !value.entry.value.is_null()
        {
            return None;
        }
    }
    Some(Known::Null)
}

/// The path below `.Values` that a node names, if it names one.
fn path(tree: &gotmpl::Template, node: NodeId, dot: &Dot) -> Option<Vec<String>> {
    let idents = || tree.idents(node).map(|(name, _)| name.to_owned()).collect::<Vec<_>>();
    let below_values = |mut names: Vec<String>| {
        (names.first().is_some_and(|name| name == "Values")).then(|| names.split_off(1))
    };
    match tree.kind(node) {
        Kind::Field => match dot {
            Dot::Root => below_values(idents()),
            Dot::Values(base) => Some([base.clone(), idents()].concat()),
            Dot::Unknown => None,
        },
        Kind::Dot => match dot {
            Dot::Values(base) => Some(base.clone()),
            _ => None,
        },
        Kind::Variable => {
            let mut names = idents();
            // `$` is the root unless the template was called with something else, as a definition is.
            (names.first()? == "$" && !matches!(dot, Dot::Unknown))
                .then(|| below_values(names.split_off(1)))?
        }
        Kind::Chain(term) => Some([path(tree, term, dot)?, idents()].concat()),
        Kind::Pipe { items, decls: 0, .. } => match tree.nodes(items) {
            [only] => path(tree, *only, dot),
            _ => None,
        },
        Kind::Command(run) => match tree.nodes(run) {
            [only] => path(tree, *only, dot),
            [function, receiver, keys @ ..] if matches!(tree.text(*function), "index" | "get") => {
                let mut base = path(tree, *receiver, dot)?;
                for key in keys {
                    let Kind::String(_) = tree.kind(*key) else { return None };
                    base.push(String::from_utf8_lossy(tree.string(*key)).into_owned());
                }
                Some(base)
            }
            _ => None,
        },
        _ => None,
    }
}

struct Eval<'a> {
    tree: &'a gotmpl::Template,
    dot: &'a Dot,
    lookup: &'a dyn Fn(&[String]) -> Option<Known>,
}

impl Eval<'_> {
    fn pipe(&self, pipe: NodeId) -> Option<Known> {
        let Kind::Pipe { items, decls: 0, .. } = self.tree.kind(pipe) else { return None };
        let mut piped = None;
        for (index, command) in self.tree.nodes(items).iter().enumerate() {
            let value = self.command(*command, piped.take().filter(|_| index > 0))?;
            piped = Some(value);
        }
        piped
    }

    fn command(&self, command: NodeId, piped: Option<Known>) -> Option<Known> {
        if piped.is_none()
            && let Some(path) = path(self.tree, command, self.dot)
        {
            return (self.lookup)(&path);
        }
        let Kind::Command(run) = self.tree.kind(command) else { return None };
        let (first, arguments) = self.tree.nodes(run).split_first()?;
        if !matches!(self.tree.kind(*first), Kind::Identifier) {
            return if arguments.is_empty() && piped.is_none() {
                self.operand(*first)
            } else {
                None
            };
        }
        let function = self.tree.text(*first);
        if matches!(function, "and" | "or") {
            return self.and_or(function == "and", arguments, piped);
        }
        let mut values = Vec::with_capacity(arguments.len() + 1);
        for argument in arguments {
            values.push(self.operand(*argument)?);
        }
        values.extend(piped);
        match (function, values.as_slice()) {
            ("not", [value]) => Some(Known::Bool(!value.truth())),
            ("empty", [value]) => Some(Known::Bool(!value.truth())),
            ("eq", [first, others @ ..]) if !others.is_empty() => equal(first, others),
            ("ne", [a, b]) => match equal(a, std::slice::from_ref(b))? {
                Known::Bool(value) => Some(Known::Bool(!value)),
                _ => None,
            },
            ("default", [fallback, value]) => {
                Some(if value.truth() { value.clone() } else { fallback.clone() })
            }
            ("toString", [Known::Bool(value)]) => Some(Known::Text(value.to_string())),
            ("toString", [Known::Text(text)]) => Some(Known::Text(text.clone())),
            _ => None,
        }
    }

    /// One operand that decides is enough, whatever the others are.
    fn and_or(&self, and: bool, arguments: &[NodeId], piped: Option<Known>) -> Option<Known> {
        let mut unknown = false;
        let mut last = None;
        let values =
            arguments.iter().map(|argument| self.operand(*argument)).chain(piped.map(Some));
        for value in values {
            match value {
                Some(value) if value.truth() != and => return Some(Known::Bool(!and)),
                Some(value) => last = Some(value),
                None => unknown = true,
            }
        }
        if unknown { None } else { last }
    }

    fn operand(&self, node: NodeId) -> Option<Known> {
        if let Some(path) = path(self.tree, node, self.dot) {
            return (self.lookup)(&path);
        }
        match self.tree.kind(node) {
            Kind::Bool(value) => Some(Known::Bool(value)),
            Kind::Nil => Some(Known::Null),
            Kind::String(_) => {
                Some(Known::Text(String::from_utf8_lossy(self.tree.string(node)).into_owned()))
            }
            Kind::Number(_) => self.tree.text(node).parse().ok().map(Known::Number),
            Kind::Pipe { .. } => self.pipe(node),
            Kind::Command(_) => self.command(node, None),
            _ => None,
        }
    }
}

/// Go's `eq`: equal to any of the others. Values of different types are an error there, thus unknown.
fn equal(first: &Known, others: &[Known]) -> Option<Known> {
    let mut found = false;
    for other in others {
        let same_type = std::mem::discriminant(first) == std::mem::discriminant(other);
        if !same_type && *first != Known::Null && *other != Known::Null {
            return None;
        }
        if matches!(first, Known::Collection(_)) {
            return None;
        }
        found |= first == other;
    }
    Some(Known::Bool(found))
}
