//! The syntax tree: Go's node kinds in an arena, each with its bytes.
//!
//! Nodes are small and refer to each other by [`NodeId`]; names, numbers and literals are cut from the source when asked
//! for. Two things differ from Go's tree: definitions stay where they were written (they print nothing there), and so do comments.
//! `pos` of a node is Go's `Position()`, from which error columns are computed; its span is for people.

use std::sync::Arc;

use super::error::ParseError;
use super::number::Number;
use crate::source::{Source, Span};

/// A node of a [`Template`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(pub(super) u32);

/// A tag of a [`Template`]: one `{{…}}`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TagId(pub(super) u32);

/// A run of child nodes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Nodes {
    pub(super) start: u32,
    pub(super) len: u32,
}

/// A node: what it is and where.
#[derive(Clone, Copy, Debug)]
pub struct Node {
    /// The bytes: of an action the whole `{{…}}`, of a control structure everything to its `{{end}}`, of a text what trim
    /// markers leave, of a pipeline in parentheses these too.
    pub span: Span,
    /// Go's `Position()`.
    pub pos: u32,
    /// What it is.
    pub kind: Kind,
}

/// Node kinds.
#[derive(Clone, Copy, Debug)]
pub enum Kind {
    /// A sequence of texts, actions and control structures.
    List(Nodes),
    /// Literal text.
    Text,
    /// `/* … */`, without the delimiters.
    Comment(TagId),
    /// `{{ pipeline }}`.
    Action {
        /// The delimiters.
        tag: TagId,
        /// The pipeline.
        pipe: NodeId,
    },
    /// `{{ if }}`.
    If(BranchId),
    /// `{{ with }}`.
    With(BranchId),
    /// `{{ range }}`.
    Range(BranchId),
    /// `{{ break }}`.
    Break(TagId),
    /// `{{ continue }}`.
    Continue(TagId),
    /// `{{ define "name" }}…{{ end }}`: emits nothing in place.
    Define(DefineId),
    /// `{{ block "name" pipe }}…{{ end }}`: a definition that is executed where it stands.
    Block(DefineId),
    /// `{{ template "name" pipe }}`.
    Template {
        /// The delimiters.
        tag: TagId,
        /// The name, a [`Kind::String`].
        name: NodeId,
        /// The data; without it the template gets nil.
        pipe: Option<NodeId>,
    },
    /// A pipeline: declarations, then commands.
    Pipe {
        /// Variables, then commands.
        items: Nodes,
        /// How many of `items` are variables.
        decls: u8,
        /// `=` instead of `:=`.
        is_assign: bool,
        /// Written in parentheses; the span includes them.
        parens: bool,
    },
    /// An operand and its arguments.
    Command(Nodes),
    /// `.a.b`; the parts are [`Template::idents`].
    Field,
    /// `$x` or `$x.a.b`; the parts are [`Template::idents`], the first with its `$`.
    Variable,
    /// `(…).a.b` or `f.a`: fields of a term; the parts are [`Template::idents`].
    Chain(NodeId),
    /// A function name.
    Identifier,
    /// `.`.
    Dot,
    /// `nil`.
    Nil,
    /// `true` or `false`.
    Bool(bool),
    /// A number; see [`Template::number`].
    Number(NumberId),
    /// A quoted or raw string; see [`Template::string`].
    String(StringId),
}

/// A control structure in [`Template::branch`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct BranchId(pub(super) u32);

/// A definition in [`Template::define`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DefineId(pub(super) u32);

/// A constant in [`Template::number`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct NumberId(pub(super) u32);

/// A literal; `NO_ESCAPES` if it means just what stands between its quotes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct StringId(pub(super) u32);

pub(super) const NO_ESCAPES: StringId = StringId(u32::MAX);

/// What a tag does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TagKind {
    /// Prints a pipeline, or declares or assigns with one.
    Action,
    /// `{{/* … */}}`.
    Comment,
    /// `if`, `with`, `range`, or `else` with one of them.
    Control,
    /// `else` alone.
    Else,
    /// `end`.
    End,
    /// `break` or `continue`.
    Jump,
    /// `define`.
    Define,
    /// `block`.
    Block,
    /// `template`.
    Template,
    /// Could not be parsed.
    Broken,
}

/// One `{{…}}` with its delimiters.
#[derive(Clone, Copy, Debug)]
pub struct Tag {
    /// All of it.
    pub span: Span,
    /// What it does.
    pub kind: TagKind,
    /// Opens with `{{-`.
    pub trim_left: bool,
    /// Closes with `-}}`.
    pub trim_right: bool,
}

impl Tag {
    /// `{{` or `{{-`.
    pub fn open(&self) -> Span {
        Span::new(self.span.start, self.span.start + 2 + u32::from(self.trim_left))
    }

    /// `}}` or `-}}`.
    pub fn close(&self) -> Span {
        Span::new(self.span.end - 2 - u32::from(self.trim_right), self.span.end)
    }
}

/// The parts of an `if`, `with` or `range`.
#[derive(Clone, Copy, Debug)]
pub struct Branch {
    /// The opening tag; of a chained one the `{{ else if … }}`.
    pub head: TagId,
    /// The condition or what is ranged over; a pipe without commands if it was broken.
    pub pipe: NodeId,
    /// The list that is executed if the condition holds, or for each element.
    pub list: NodeId,
    /// The other one.
    pub otherwise: Option<Otherwise>,
    /// The `{{ end }}`, shared by all of an else-if chain; absent if the text ends first.
    pub end: Option<TagId>,
    /// Whether it is the `if` of an `else if` or the `with` of an `else with`.
    pub chained: bool,
}

/// The `else` of a [`Branch`].
#[derive(Clone, Copy, Debug)]
pub struct Otherwise {
    /// `{{ else }}` or `{{ else if … }}`.
    pub tag: TagId,
    /// The list; for `else if` it holds just the chained node.
    pub list: NodeId,
}

/// A named template: `define`, or the body of a `block`.
#[derive(Clone, Debug)]
pub struct Define {
    /// The name, decoded. Bytes that are no UTF-8 read as U+FFFD.
    pub name: String,
    /// The name as written, with its quotes; empty if it was broken.
    pub name_span: Span,
    /// The `Define` or `Block` node.
    pub node: NodeId,
    /// The opening tag.
    pub head: TagId,
    /// The data of a `block`.
    pub pipe: Option<NodeId>,
    /// The list.
    pub body: NodeId,
    /// The `{{ end }}`; absent if the text ends first.
    pub end: Option<TagId>,
    /// Holds nothing but white space and comments: such a definition never replaces another one.
    pub blank: bool,
}

/// A parsed template file.
#[derive(Debug)]
pub struct Template {
    pub(super) name: String,
    pub(super) source: Arc<Source>,
    pub(super) nodes: Vec<Node>,
    pub(super) children: Vec<NodeId>,
    pub(super) tags: Vec<Tag>,
    pub(super) branches: Vec<Branch>,
    pub(super) defines: Vec<Define>,
    pub(super) numbers: Vec<Number>,
    pub(super) decoded: Vec<Box<[u8]>>,
    pub(super) root: NodeId,
    pub(super) errors: Vec<ParseError>,
}

impl Template {
    /// The name that the template was parsed under: the path within the chart, behind the chart's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The text.
    pub fn source(&self) -> &Arc<Source> {
        &self.source
    }

    /// What is wrong, in order; the first is Go's. With errors the tree is what could be made out.
    pub fn errors(&self) -> &[ParseError] {
        &self.errors
    }

    /// The list of everything at the top level.
    pub fn root(&self) -> NodeId {
        self.root
    }

    /// A node.
    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.0 as usize]
    }

    /// What a node is.
    pub fn kind(&self, id: NodeId) -> Kind {
        self.node(id).kind
    }

    /// The bytes of a node.
    pub fn span(&self, id: NodeId) -> Span {
        self.node(id).span
    }

    /// The source text of a node.
    pub fn text(&self, id: NodeId) -> &str {
        self.span(id).slice(self.source.text())
    }

    /// The nodes of a run.
    pub fn nodes(&self, run: Nodes) -> &[NodeId] {
        &self.children[run.start as usize..(run.start + run.len) as usize]
    }

    /// A tag.
    pub fn tag(&self, id: TagId) -> &Tag {
        &self.tags[id.0 as usize]
    }

    /// Every `{{…}}` of the file in order, comments and broken ones included.
    pub fn tags(&self) -> &[Tag] {
        &self.tags
    }

    /// The parts of a control structure.
    pub fn branch(&self, id: BranchId) -> &Branch {
        &self.branches[id.0 as usize]
    }

    /// A definition.
    pub fn define(&self, id: DefineId) -> &Define {
        &self.defines[id.0 as usize]
    }

    /// Every `define` and `block`, in the order in which they end, as Go adds them to its set.
    pub fn defines(&self) -> &[Define] {
        &self.defines
    }

    /// The definition of `name` that is in force behind this file: the one that is not blank, or else the last. The file
    /// itself is a template too, under [`Self::name`], unless it is blank and defines that name.
    pub fn definition(&self, name: &str) -> Option<&Define> {
        let named = || self.defines.iter().rev().filter(|define| define.name == name);
        named().find(|define| !define.blank).or_else(|| named().next())
    }

    /// Whether the file has nothing but white space, comments and definitions: Go's `IsEmptyTree`.
    pub fn is_blank(&self) -> bool {
        self.is_blank_list(self.root)
    }

    /// A numeric constant.
    pub fn number(&self, id: NumberId) -> Number {
        self.numbers[id.0 as usize]
    }

    /// What the string literal at `node` means. Go strings are bytes: `"\xff"` is no UTF-8.
    pub fn string(&self, node: NodeId) -> &[u8] {
        match self.kind(node) {
            Kind::String(id) if id != NO_ESCAPES => &self.decoded[id.0 as usize],
            Kind::String(_) => {
                let text = self.text(node).as_bytes();
                &text[1..text.len() - 1]
            }
            _ => &[],
        }
    }

    /// The names of a field, variable or chain with their bytes: `a`, `b` of `.a.b`; `$x`, `a` of `$x.a`; those
    /// behind the term of a chain.
    pub fn idents(&self, id: NodeId) -> impl Iterator<Item = (&str, Span)> {
        let node = self.node(id);
        let start = match node.kind {
            Kind::Field => node.span.start + 1,
            Kind::Chain(term) => self.span(term).end + 1,
            Kind::Variable => node.span.start,
            _ => node.span.end,
        };
        let text = Span::new(start, node.span.end).slice(self.source.text());
        let mut at = start;
        text.split('.').filter(|name| !name.is_empty()).map(move |name| {
            let span = Span::new(at, at + name.len() as u32);
            at = span.end + 1;
            (name, span)
        })
    }

    /// The direct children of a node, in order; those of a control structure are its pipe and its lists.
    pub fn children(&self, id: NodeId) -> Vec<NodeId> {
        match self.kind(id) {
            Kind::List(run) | Kind::Command(run) | Kind::Pipe { items: run, .. } => {
                self.nodes(run).to_vec()
            }
            Kind::Action { pipe, .. } => vec![pipe],
            Kind::Chain(term) => vec![term],
            Kind::If(id) | Kind::With(id) | Kind::Range(id) => {
                let branch = self.branch(id);
                let mut children = vec![branch.pipe, branch.list];
                children.extend(branch.otherwise.map(|otherwise| otherwise.list));
                children
            }
            Kind::Define(id) | Kind::Block(id) => {
                let define = self.define(id);
                define.pipe.into_iter().chain([define.body]).collect()
            }
            Kind::Template { name, pipe, .. } => [name].into_iter().chain(pipe).collect(),
            _ => Vec::new(),
        }
    }

    /// Every node under `id` and itself, parents first. Not recursive: templates nest as deep as [`super::MAX_DEPTH`].
    pub fn walk(&self, id: NodeId) -> impl Iterator<Item = NodeId> {
        let mut stack = vec![id];
        std::iter::from_fn(move || {
            let id = stack.pop()?;
            stack.extend(self.children(id).into_iter().rev());
            Some(id)
        })
    }

    /// Go's `IsEmptyTree` of a list.
    pub(super) fn is_blank_list(&self, list: NodeId) -> bool {
        let Kind::List(run) = self.kind(list) else { return false };
        self.nodes(run).iter().all(|node| match self.kind(*node) {
            Kind::Comment(_) | Kind::Define(_) => true,
            Kind::Text => self.text(*node).trim().is_empty(),
            _ => false,
        })
    }
}
