//! The arena of a parsed stream.
//!
//! Nodes lie in document order, each collection directly before its children, sixteen bytes apiece. A mapping's
//! children alternate key and value. Nothing here owns text: spans point into the [`Source`].

use std::fmt;
use std::sync::Arc;

use super::error::YamlError;
use super::node::Node;
use crate::source::{Source, Span};

/// Index of a node in its stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(pub(super) u32);

/// How a node is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Shape {
    /// A scalar without quotes; also the empty scalar where a value is left out.
    Plain,
    /// `'…'`
    SingleQuoted,
    /// `"…"`
    DoubleQuoted,
    /// `|`
    Literal,
    /// `>`
    Folded,
    /// `*name`
    Alias,
    /// `- item` lines
    BlockSequence,
    /// `[a, b]`
    FlowSequence,
    /// `key: value` lines
    BlockMapping,
    /// `{a: 1}`
    FlowMapping,
}

/// What a node is, aliases followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A string, number, boolean or null.
    Scalar,
    /// A list.
    Sequence,
    /// A map.
    Mapping,
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Scalar => "a scalar",
            Self::Sequence => "a list",
            Self::Mapping => "a map",
        })
    }
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Raw {
    pub(super) start: u32,
    pub(super) end: u32,
    /// Collections: the index behind the last descendant. Aliases: the index of the target. Block scalars: the
    /// indentation of their content. Else unused.
    pub(super) aux: u32,
    pub(super) shape: Shape,
    pub(super) flags: u8,
}

impl Raw {
    /// The node has an anchor or a tag: see [`Stream::props`].
    pub(super) const HAS_PROPS: u8 = 1;
    /// The mapping has a `<<` key.
    pub(super) const HAS_MERGE: u8 = 2;

    pub(super) const fn is_collection(&self) -> bool {
        self.shape as u8 >= Shape::BlockSequence as u8
    }
}

/// Anchor and tag of a node; empty spans where there is none.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Props {
    pub(super) node: u32,
    /// The name, without `&`.
    pub(super) anchor: Span,
    /// The tag as written, with its `!`.
    pub(super) tag: Span,
    pub(super) kind: Tag,
}

/// What a tag means for the type of a scalar.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Tag {
    #[default]
    None,
    /// `!`
    NonSpecific,
    Str,
    Binary,
    Null,
    Bool,
    Int,
    Float,
    Timestamp,
    Merge,
    /// Unknown tags, and those of collections.
    Other,
}

impl Tag {
    pub(super) fn from_uri(uri: &[u8]) -> Self {
        uri.strip_prefix(b"tag:yaml.org,2002:").map_or(Self::Other, Self::from_suffix)
    }

    pub(super) fn from_suffix(suffix: &[u8]) -> Self {
        match suffix {
            b"str" => Self::Str,
            b"binary" => Self::Binary,
            b"null" => Self::Null,
            b"bool" => Self::Bool,
            b"int" => Self::Int,
            b"float" => Self::Float,
            b"timestamp" => Self::Timestamp,
            b"merge" => Self::Merge,
            _ => Self::Other,
        }
    }

    /// The short form, as go-yaml names it in errors.
    pub(super) fn short(self) -> &'static str {
        match self {
            Self::None | Self::NonSpecific | Self::Other => "!",
            Self::Str => "!!str",
            Self::Binary => "!!binary",
            Self::Null => "!!null",
            Self::Bool => "!!bool",
            Self::Int => "!!int",
            Self::Float => "!!float",
            Self::Timestamp => "!!timestamp",
            Self::Merge => "!!merge",
        }
    }
}

#[derive(Debug)]
pub(super) struct RawDocument {
    pub(super) span: Span,
    pub(super) root: Option<u32>,
    pub(super) error: Option<YamlError>,
}

/// A parsed text: documents, nodes and comments.
#[derive(Debug)]
pub struct Stream {
    pub(super) source: Arc<Source>,
    /// What was parsed, where it is not the source's own text: see [`super::parse_masked`].
    pub(super) masked: Option<String>,
    pub(super) nodes: Vec<Raw>,
    pub(super) props: Vec<Props>,
    pub(super) comments: Vec<Span>,
    pub(super) documents: Vec<RawDocument>,
}

impl Stream {
    /// The text.
    pub fn source(&self) -> &Arc<Source> {
        &self.source
    }

    /// All documents in order, those with a syntax error included.
    pub fn documents(&self) -> impl Iterator<Item = Document<'_>> {
        (0..self.documents.len()).map(|index| Document { stream: self, index })
    }

    /// Roots of the documents that parsed and are not empty.
    pub fn roots(&self) -> impl Iterator<Item = Node<'_>> {
        self.documents().filter_map(Document::root)
    }

    /// Root of the first document: all that Helm reads of a values file or `Chart.yaml`.
    pub fn first_root(&self) -> Option<Node<'_>> {
        self.documents().next()?.root()
    }

    /// Comments in order, each from `#` to the end of its line.
    pub fn comments(&self) -> &[Span] {
        &self.comments
    }

    /// Number of nodes in all documents.
    pub fn node_count(&self) -> usize {
        self.nodes.len()
    }

    /// The node with this id.
    pub fn node(&self, id: NodeId) -> Node<'_> {
        Node::of(self, id.0)
    }

    pub(super) fn text(&self) -> &str {
        self.masked.as_deref().unwrap_or(self.source.text())
    }

    pub(super) fn props_of(&self, node: u32) -> Option<&Props> {
        if self.nodes[node as usize].flags & Raw::HAS_PROPS == 0 {
            return None;
        }
        let at = self.props.binary_search_by_key(&node, |props| props.node).ok()?;
        self.props.get(at)
    }
}

/// One document of a stream.
#[derive(Clone, Copy, Debug)]
pub struct Document<'a> {
    stream: &'a Stream,
    index: usize,
}

impl<'a> Document<'a> {
    /// Position among the documents of its stream, from 0.
    pub fn index(self) -> usize {
        self.index
    }

    /// The stream it belongs to.
    pub fn stream(self) -> &'a Stream {
        self.stream
    }

    /// The root node; `None` when the document has a syntax error, or holds nothing but comments.
    pub fn root(self) -> Option<Node<'a>> {
        self.raw().root.map(|id| Node::of(self.stream, id))
    }

    /// The syntax error that ended the document.
    pub fn error(self) -> Option<&'a YamlError> {
        self.raw().error.as_ref()
    }

    /// From its `---` (or its first content) up to the next document.
    pub fn span(self) -> Span {
        self.raw().span
    }

    fn raw(self) -> &'a RawDocument {
        &self.stream.documents[self.index]
    }
}
