//! Handles through which a parsed stream is read.

use std::borrow::Cow;
use std::fmt;

use super::arena::{Kind, NodeId, Raw, Shape, Stream, Tag};
use super::scalar::{self, Scalar};
use super::{decode, json};
use crate::source::{Place, Span};

/// A key and its value.
#[derive(Clone, Copy, Debug)]
pub struct Entry<'a> {
    /// The key as written.
    pub key: Node<'a>,
    /// The value as written; may be an alias.
    pub value: Node<'a>,
}

impl Entry<'_> {
    /// Its line: from the key to the end of a scalar value, else the key alone.
    pub fn place(&self) -> Place {
        let key = self.key.place();
        if self.value.kind() == Kind::Scalar && !self.value.text().contains('\n') {
            return Place { span: key.span.to(self.value.span()), ..key };
        }
        key
    }
}

/// A node of a stream. Copy it freely.
///
/// Reading methods follow aliases; [`Node::span`] and [`Node::shape`] speak of what is written at this place.
#[derive(Clone, Copy)]
pub struct Node<'a> {
    stream: &'a Stream,
    id: u32,
}

impl fmt::Debug for Node<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} {:?}", self.shape(), self.text())
    }
}

/// The same node of the same stream.
impl PartialEq for Node<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.id == other.id && std::ptr::eq(self.stream, other.stream)
    }
}

impl<'a> Node<'a> {
    pub(super) fn of(stream: &'a Stream, id: u32) -> Self {
        Self { stream, id }
    }

    pub(super) fn raw(self) -> &'a Raw {
        &self.stream.nodes[self.id as usize]
    }

    /// Index in its stream.
    pub fn id(self) -> NodeId {
        NodeId(self.id)
    }

    /// The stream it belongs to.
    pub fn stream(self) -> &'a Stream {
        self.stream
    }

    /// How it is written.
    pub fn shape(self) -> Shape {
        self.raw().shape
    }

    /// The bytes that write it. Block scalars end behind their last line break.
    pub fn span(self) -> Span {
        Span::new(self.raw().start, self.raw().end)
    }

    /// Its place, for labels.
    pub fn place(self) -> Place {
        Place::new(&self.stream.source, self.span())
    }

    /// The text as written.
    pub fn text(self) -> &'a str {
        self.span().slice(self.stream.text())
    }

    /// The node that an alias stands for; any other node itself.
    #[must_use]
    pub fn target(self) -> Self {
        match self.shape() {
            Shape::Alias => Self { id: self.raw().aux, ..self },
            _ => self,
        }
    }

    /// What it is, aliases followed.
    pub fn kind(self) -> Kind {
        match self.target().shape() {
            Shape::BlockMapping | Shape::FlowMapping => Kind::Mapping,
            Shape::BlockSequence | Shape::FlowSequence => Kind::Sequence,
            _ => Kind::Scalar,
        }
    }

    /// Whether it is a map.
    pub fn is_mapping(self) -> bool {
        self.kind() == Kind::Mapping
    }

    /// Whether it is a list.
    pub fn is_sequence(self) -> bool {
        self.kind() == Kind::Sequence
    }

    /// Whether it is null: `null`, `~`, or left out.
    pub fn is_null(self) -> bool {
        matches!(self.scalar(), Some(Scalar::Null))
    }

    /// Anchor name, without `&`.
    pub fn anchor(self) -> Option<&'a str> {
        let name = self.stream.props_of(self.id)?.anchor;
        (!name.is_empty()).then(|| name.slice(self.stream.text()))
    }

    pub(super) fn tag_kind(self) -> Tag {
        self.stream.props_of(self.id).map_or(Tag::None, |props| props.kind)
    }

    /// Tag as written, with its `!`.
    pub fn tag(self) -> Option<&'a str> {
        let tag = self.stream.props_of(self.id)?.tag;
        (!tag.is_empty()).then(|| tag.slice(self.stream.text()))
    }

    /// The typed value of a scalar; `None` for collections, and for a scalar that its explicit tag does not allow
    /// (`!!int x`).
    pub fn scalar(self) -> Option<Scalar<'a>> {
        let node = self.target();
        if node.raw().is_collection() {
            return None;
        }
        scalar::resolve(node).ok()
    }

    /// The string value, if it is typed as a string.
    pub fn as_str(self) -> Option<Cow<'a, str>> {
        match self.scalar()? {
            Scalar::Str(text) => Some(text),
            _ => None,
        }
    }

    /// The boolean value, if it is one.
    pub fn as_bool(self) -> Option<bool> {
        match self.scalar()? {
            Scalar::Bool(value) => Some(value),
            _ => None,
        }
    }

    /// The integer value, if it is one that fits; a float without a fraction counts, as in JSON.
    pub fn as_i64(self) -> Option<i64> {
        self.scalar()?.as_i64()
    }

    /// The numeric value, if it is a number.
    pub fn as_f64(self) -> Option<f64> {
        self.scalar()?.as_f64()
    }

    /// The scalar as a string, whatever its type: `true`, `8080`, `1.5`; `None` for null and collections. This is
    /// how go-yaml turns mapping keys, and Helm's head check turns annotations, into strings.
    pub fn to_text(self) -> Option<Cow<'a, str>> {
        match self.scalar()? {
            Scalar::Null => None,
            Scalar::Str(text) => Some(text),
            other => Some(Cow::Owned(json::key_text(&other))),
        }
    }

    /// The undecoded scalar as a string (escapes and folding applied), whatever its type.
    pub fn decoded(self) -> Cow<'a, str> {
        decode::text(self.target())
    }

    /// The entries of a map as written: duplicates and `<<` kept, aliases not followed. Empty for other nodes.
    pub fn entries(self) -> impl Iterator<Item = Entry<'a>> {
        let mut children = self.target().children(Kind::Mapping);
        std::iter::from_fn(move || Some(Entry { key: children.next()?, value: children.next()? }))
    }

    /// The items of a list. Empty for other nodes.
    pub fn items(self) -> Items<'a> {
        self.target().children(Kind::Sequence)
    }

    /// The value of `key` in a map: the last one if it is duplicate, merge keys followed as go-yaml does.
    pub fn get(self, key: &str) -> Option<Self> {
        self.entry(key).map(|entry| entry.value)
    }

    /// The entry of `key`: as [`Node::get`], with the key.
    pub fn entry(self, key: &str) -> Option<Entry<'a>> {
        self.entry_within(key, 0)
    }

    fn entry_within(self, key: &str, depth: u8) -> Option<Entry<'a>> {
        // Anchors cannot contain themselves, so merges end; the bound keeps hostile chains cheap.
        const MAX_MERGES: u8 = 64;
        let node = self.target();
        let merges = node.raw().flags & Raw::HAS_MERGE != 0;
        let mut found = None;
        for entry in node.entries() {
            if entry.key.is_key(key) {
                found = Some(entry);
            } else if merges && depth < MAX_MERGES && entry.key.is_merge_key() {
                let from_source = match entry.value.kind() {
                    Kind::Sequence => {
                        entry.value.items().find_map(|item| item.entry_within(key, depth + 1))
                    }
                    _ => entry.value.entry_within(key, depth + 1),
                };
                found = from_source.or(found);
            }
        }
        found
    }

    /// The value at a path of keys: `node.at(&["metadata", "name"])`.
    pub fn at(self, path: &[&str]) -> Option<Self> {
        path.iter().try_fold(self, |node, key| node.get(key))
    }

    /// Whether this node, as a mapping key, is `key`.
    pub fn is_key(self, key: &str) -> bool {
        let raw = self.raw();
        if raw.flags & Raw::HAS_PROPS == 0 {
            match raw.shape {
                Shape::Plain if !scalar::may_be_typed(self.text()) => {
                    let text = self.text();
                    // A plain key stays on one line, so its text is its value.
                    return text == key;
                }
                Shape::DoubleQuoted | Shape::SingleQuoted if raw.end - raw.start >= 2 => {
                    let inner = Span::new(raw.start + 1, raw.end - 1).slice(self.stream.text());
                    if memchr::memchr3(b'\\', b'\'', b'\n', inner.as_bytes()).is_none() {
                        return inner == key;
                    }
                }
                _ => {}
            }
        }
        self.to_text().is_some_and(|text| text == key)
    }

    /// Whether this key is an unquoted `<<`.
    pub fn is_merge_key(self) -> bool {
        let raw = self.raw();
        raw.shape == Shape::Plain
            && raw.end - raw.start == 2
            && self.text() == "<<"
            && matches!(self.tag_kind(), Tag::None | Tag::NonSpecific | Tag::Merge)
    }

    fn children(self, kind: Kind) -> Items<'a> {
        let end = if self.kind() == kind { self.raw().aux } else { self.id + 1 };
        Items { stream: self.stream, next: self.id + 1, end }
    }
}

/// Iterator over the children of a collection.
#[derive(Clone, Debug)]
pub struct Items<'a> {
    stream: &'a Stream,
    next: u32,
    end: u32,
}

impl<'a> Iterator for Items<'a> {
    type Item = Node<'a>;

    fn next(&mut self) -> Option<Node<'a>> {
        if self.next >= self.end {
            return None;
        }
        let node = Node { stream: self.stream, id: self.next };
        let raw = node.raw();
        self.next = if raw.is_collection() { raw.aux } else { self.next + 1 };
        Some(node)
    }
}
