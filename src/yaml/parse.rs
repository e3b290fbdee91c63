//! From tokens to the arena: libyaml's parser, state by state, writing nodes instead of events.
//!
//! States and errors are those of go-yaml v2's `parserc.go`; anchors are resolved here as its `decode.go` does. An
//! error ends its document; the scanner starts afresh at the next line that begins one.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::error::{ErrorKind, YamlError};
use super::node::{Props, Raw, RawDocument, Shape, Stream, Tag};
use super::scan::fast::{Fast, FastValue, Scalar};
use super::scan::{Scanner, Token, TokenKind};
use crate::source::{Source, Span};

/// Parse all documents of a source. Never fails: what is wrong is in the documents.
pub fn parse(source: &Arc<Source>) -> Stream {
    build(source, None)
}

/// Parse `masked` in place of the text of `source`: a template with its actions blanked out, say. Both have the
/// same length, so places point into the source as it is.
pub fn parse_masked(source: &Arc<Source>, masked: String) -> Stream {
    debug_assert_eq!(source.text().len(), masked.len(), "a mask keeps every offset");
    build(source, Some(masked))
}

fn build(source: &Arc<Source>, masked: Option<String>) -> Stream {
    let text = masked.as_deref().unwrap_or(source.text());
    let mut parser = Parser {
        scanner: Scanner::new(text),
        nodes: Vec::with_capacity(text.len() / 10),
        props: Vec::new(),
        states: Vec::new(),
        open: Vec::new(),
        anchors: FxHashMap::default(),
        handles: Vec::new(),
        last_end: 0,
        pending: None,
    };
    let documents = parser.documents();
    Stream {
        source: Arc::clone(source),
        masked,
        nodes: parser.nodes,
        props: parser.props,
        comments: parser.scanner.comments,
        documents,
    }
}

type Parse<T> = Result<T, Box<YamlError>>;

#[derive(Clone, Copy, Debug)]
enum State {
    DocumentEnd,
    BlockSequenceEntry,
    IndentlessEntry,
    BlockMappingKey,
    BlockMappingValue,
    FlowSequenceFirst,
    FlowSequenceEntry,
    FlowPairKey,
    FlowPairValue,
    FlowPairEnd,
    FlowMappingFirst,
    FlowMappingKey,
    FlowMappingValue,
    FlowMappingEmptyValue,
}

/// Anchor and tag that stand before a node.
#[derive(Clone, Copy, Default)]
struct Pending {
    anchor: Span,
    tag: Span,
    kind: Tag,
    any: bool,
}

struct Parser {
    scanner: Scanner,
    nodes: Vec<Raw>,
    props: Vec<Props>,
    states: Vec<State>,
    /// Collections that are not closed yet.
    open: Vec<u32>,
    anchors: FxHashMap<Vec<u8>, u32>,
    /// `%TAG` directives of this document.
    handles: Vec<(Span, Span)>,
    /// Where the last written node ends.
    last_end: u32,
    /// An error behind the root node of the document before.
    pending: Option<Box<YamlError>>,
}

impl Parser {
    fn documents(&mut self) -> Vec<RawDocument> {
        let mut documents = Vec::new();
        let mut implicit = true;
        loop {
            let first_node = self.nodes.len();
            let first_props = self.props.len();
            let floor = documents.last().map_or(0, |last: &RawDocument| last.span.end as usize);
            let mut start = floor;
            let outcome = self.document(implicit, &mut start);
            let reached = match &outcome {
                Ok(None) => self.scanner.len(),
                Ok(Some(end)) => *end as usize,
                Err(error) => error.span.end as usize,
            };
            let illegal = self.scanner.illegal_between(floor, reached).map(|(at, c)| {
                let end = at + c.len_utf8();
                YamlError::new(ErrorKind::ControlCharacter(c), Span::new(at as u32, end as u32))
            });
            let error = match (illegal, outcome) {
                (None, Ok(None)) => break,
                (None, Ok(Some(end))) => {
                    let root = Some(first_node as u32).filter(|_| self.nodes.len() > first_node);
                    let span = Span::new(start as u32, end);
                    documents.push(RawDocument { span, root, error: None });
                    implicit = false;
                    continue;
                }
                (Some(illegal), Err(error)) if error.span.start < illegal.span.start => error,
                (Some(error), _) | (None, Err(error)) => error,
            };
            self.nodes.truncate(first_node);
            self.props.truncate(first_props);
            self.states.clear();
            self.open.clear();
            let from = match error.kind {
                // The quote is open up to the end of the text: the next document is behind its start.
                ErrorKind::QuoteEnd => error.context.unwrap_or(error.span).start,
                _ => error.span.start,
            };
            let more = self.scanner.recover((from as usize).max(start + 1));
            let end = self.scanner.position() as u32;
            let span = Span::new(start as u32, end);
            documents.push(RawDocument { span, root: None, error: Some(*error) });
            implicit = true;
            if !more {
                break;
            }
        }
        documents
    }

    /// One document; `None` at the end of the stream, else its end.
    fn document(&mut self, implicit: bool, start: &mut usize) -> Parse<Option<u32>> {
        if let Some(error) = self.pending.take() {
            return Err(error);
        }
        let mut token = self.scanner.peek()?;
        while !implicit && token.kind == TokenKind::DocumentEnd {
            self.scanner.skip();
            token = self.scanner.peek()?;
        }
        if token.kind == TokenKind::StreamEnd {
            return Ok(None);
        }
        *start = token.start as usize;
        self.anchors.clear();
        self.handles.clear();
        let explicit = !implicit
            || matches!(
                token.kind,
                TokenKind::VersionDirective | TokenKind::TagDirective | TokenKind::DocumentStart
            );
        if explicit {
            self.directives()?;
            let token = self.scanner.peek()?;
            if token.kind != TokenKind::DocumentStart {
                return Err(YamlError::new(ErrorKind::DocumentStart, self.visible(token)));
            }
            self.scanner.skip();
            self.last_end = token.end;
            let token = self.scanner.peek()?;
            if matches!(
                token.kind,
                TokenKind::VersionDirective
                    | TokenKind::TagDirective
                    | TokenKind::DocumentStart
                    | TokenKind::DocumentEnd
                    | TokenKind::StreamEnd
            ) {
                return self.document_end().map(Some);
            }
        }
        self.states.push(State::DocumentEnd);
        self.node(true, false)?;
        while let Some(state) = self.states.pop() {
            if matches!(state, State::DocumentEnd) {
                break;
            }
            self.step(state)?;
        }
        self.document_end().map(Some)
    }

    fn document_end(&mut self) -> Parse<u32> {
        // What is wrong behind the root node is not this document's fault.
        let token = match self.scanner.peek() {
            Ok(token) => token,
            Err(error) => {
                self.pending = Some(error);
                return Ok(self.last_end);
            }
        };
        if token.kind == TokenKind::DocumentEnd {
            self.scanner.skip();
            return Ok(token.end);
        }
        Ok(token.start)
    }

    fn directives(&mut self) -> Parse<()> {
        let mut version = false;
        loop {
            let token = self.scanner.peek()?;
            match token.kind {
                TokenKind::VersionDirective => {
                    if version {
                        return Err(YamlError::new(ErrorKind::DuplicateVersion, token.span()));
                    }
                    if token.aux == 0 {
                        return Err(YamlError::new(ErrorKind::IncompatibleVersion, token.span()));
                    }
                    version = true;
                }
                TokenKind::TagDirective => {
                    let directive = self.scanner.tag_directives[token.aux as usize];
                    let handle = self.scanner.slice(directive.0);
                    if self.handles.iter().any(|(known, _)| self.scanner.slice(*known) == handle) {
                        return Err(YamlError::new(ErrorKind::DuplicateTag, token.span()));
                    }
                    self.handles.push(directive);
                }
                _ => return Ok(()),
            }
            self.scanner.skip();
        }
    }

    fn step(&mut self, state: State) -> Parse<()> {
        match state {
            State::DocumentEnd => Ok(()),
            State::BlockMappingKey => self.block_mapping_key(),
            State::BlockMappingValue => self.block_mapping_value(),
            State::BlockSequenceEntry => self.block_sequence_entry(),
            State::IndentlessEntry => self.indentless_entry(),
            State::FlowSequenceFirst => self.flow_sequence_entry(true),
            State::FlowSequenceEntry => self.flow_sequence_entry(false),
            State::FlowPairKey => self.flow_pair_key(),
            State::FlowPairValue => self.flow_pair_value(),
            State::FlowPairEnd => {
                self.close(self.last_end);
                self.states.push(State::FlowSequenceEntry);
                Ok(())
            }
            State::FlowMappingFirst => self.flow_mapping_key(true),
            State::FlowMappingKey => self.flow_mapping_key(false),
            State::FlowMappingValue => self.flow_mapping_value(),
            State::FlowMappingEmptyValue => {
                self.states.push(State::FlowMappingKey);
                self.empty_scalar(self.last_end);
                Ok(())
            }
        }
    }

    fn node(&mut self, block: bool, indentless: bool) -> Parse<()> {
        let mut token = self.scanner.peek()?;
        let mut pending = Pending::default();
        match token.kind {
            TokenKind::Scalar => {
                self.scanner.skip();
                self.leaf(token.shape, token.start, token.end, token.aux);
                return Ok(());
            }
            TokenKind::Alias => return self.alias(token),
            TokenKind::Anchor => {
                pending.set_anchor(token);
                self.scanner.skip();
                token = self.scanner.peek()?;
                if token.kind == TokenKind::Tag {
                    self.set_tag(&mut pending, token)?;
                    self.scanner.skip();
                    token = self.scanner.peek()?;
                }
            }
            TokenKind::Tag => {
                let tag = token;
                self.scanner.skip();
                token = self.scanner.peek()?;
                if token.kind == TokenKind::Anchor {
                    pending.set_anchor(token);
                    self.scanner.skip();
                    token = self.scanner.peek()?;
                }
                self.set_tag(&mut pending, tag)?;
            }
            _ => {}
        }
        match token.kind {
            TokenKind::BlockEntry if indentless => {
                self.open(Shape::BlockSequence, token.start, pending);
                self.states.push(State::IndentlessEntry);
            }
            TokenKind::Scalar => {
                self.scanner.skip();
                self.attach(pending);
                let flags = pending.flags();
                self.leaf(token.shape, token.start, token.end, token.aux);
                if let Some(node) = self.nodes.last_mut() {
                    node.flags |= flags;
                }
            }
            TokenKind::FlowSequenceStart => {
                self.open(Shape::FlowSequence, token.start, pending);
                self.scanner.skip();
                self.states.push(State::FlowSequenceFirst);
            }
            TokenKind::FlowMappingStart => {
                self.open(Shape::FlowMapping, token.start, pending);
                self.scanner.skip();
                self.states.push(State::FlowMappingFirst);
            }
            TokenKind::BlockSequenceStart if block => {
                self.open(Shape::BlockSequence, token.start, pending);
                self.scanner.skip();
                self.states.push(State::BlockSequenceEntry);
            }
            TokenKind::BlockMappingStart if block => {
                self.open(Shape::BlockMapping, token.start, pending);
                self.scanner.skip();
                self.states.push(State::BlockMappingKey);
            }
            _ if pending.any => {
                let end = pending.anchor.end.max(pending.tag.end);
                self.attach(pending);
                self.leaf(Shape::Plain, end, end, 0);
                if let Some(node) = self.nodes.last_mut() {
                    node.flags |= pending.flags();
                }
            }
            _ => return Err(YamlError::new(ErrorKind::NodeContent, self.visible(token))),
        }
        Ok(())
    }

    fn alias(&mut self, token: Token) -> Parse<()> {
        self.scanner.skip();
        let name = self.scanner.slice(Span::new(token.start + 1, token.end));
        let target = self.anchors.get(name).copied();
        let named = || String::from_utf8_lossy(name).into_owned();
        let Some(target) = target else {
            return Err(YamlError::new(ErrorKind::UnknownAnchor(named()), token.span()));
        };
        let node = &self.nodes[target as usize];
        if node.is_collection() && node.aux == 0 {
            return Err(YamlError::new(ErrorKind::SelfAnchor(named()), token.span()));
        }
        self.leaf(Shape::Alias, token.start, token.end, target);
        Ok(())
    }

    fn set_tag(&self, pending: &mut Pending, token: Token) -> Parse<()> {
        let text = self.scanner.slice(token.span());
        pending.tag = token.span();
        pending.any = true;
        pending.kind = match text {
            b"!" => Tag::NonSpecific,
            [b'!', b'<', uri @ .., b'>'] => Tag::from_uri(uri),
            [b'!', rest @ ..] => match handle_end(rest) {
                None => self.expand(b"!", rest).unwrap_or(Tag::Other),
                Some(at) => {
                    let (handle, suffix) = (&text[..at + 2], &rest[at + 1..]);
                    match self.expand(handle, suffix) {
                        Some(tag) => tag,
                        None if handle == b"!!" => Tag::from_suffix(suffix),
                        None => {
                            return Err(YamlError::new(
                                ErrorKind::UndefinedTagHandle,
                                token.span(),
                            ));
                        }
                    }
                }
            },
            _ => Tag::Other,
        };
        Ok(())
    }

    fn expand(&self, handle: &[u8], suffix: &[u8]) -> Option<Tag> {
        let (_, prefix) = self.handles.iter().find(|(h, _)| self.scanner.slice(*h) == handle)?;
        Some(Tag::from_uri(&[self.scanner.slice(*prefix), suffix].concat()))
    }

    fn block_mapping_key(&mut self) -> Parse<()> {
        loop {
            let (start, end) = match self.scanner.fast_key() {
                Fast::Key(start, end) => (start, end),
                Fast::End => {
                    self.close(self.last_end);
                    return Ok(());
                }
                _ => break,
            };
            self.leaf(Shape::Plain, start as u32, end as u32, 0);
            match self.scanner.fast_value()? {
                FastValue::Scalar(scalar) => self.scalar(scalar),
                FastValue::Mapping(at) => {
                    self.states.push(State::BlockMappingKey);
                    self.open(Shape::BlockMapping, at as u32, Pending::default());
                }
                FastValue::Unknown => return self.block_value(end as u32 + 1),
            }
        }
        let token = self.scanner.peek()?;
        match token.kind {
            TokenKind::Key => {
                self.scanner.skip();
                let next = self.scanner.peek()?;
                self.states.push(State::BlockMappingValue);
                if matches!(next.kind, TokenKind::Key | TokenKind::Value | TokenKind::BlockEnd) {
                    self.empty_scalar(token.end);
                    return Ok(());
                }
                let key = self.nodes.len();
                self.node(true, true)?;
                self.note_merge(key, next);
                Ok(())
            }
            TokenKind::BlockEnd => {
                self.scanner.skip();
                self.close(self.last_end);
                Ok(())
            }
            _ => Err(self.unexpected(ErrorKind::ExpectedKey, token)),
        }
    }

    /// Flag the mapping when its new key is a plain `<<`.
    fn note_merge(&mut self, key: usize, token: Token) {
        let merge = token.kind == TokenKind::Scalar
            && token.shape == Shape::Plain
            && token.end - token.start == 2
            && self.scanner.slice(token.span()) == b"<<";
        if merge
            && self.nodes.len() == key + 1
            && let Some(mapping) = self.open.last()
        {
            self.nodes[*mapping as usize].flags |= Raw::HAS_MERGE;
        }
    }

    fn block_mapping_value(&mut self) -> Parse<()> {
        let token = self.scanner.peek()?;
        if token.kind != TokenKind::Value {
            self.states.push(State::BlockMappingKey);
            self.empty_scalar(self.last_end);
            return Ok(());
        }
        self.scanner.skip();
        self.block_value(token.end)
    }

    /// The value behind the `:` that ends at `colon`.
    fn block_value(&mut self, colon: u32) -> Parse<()> {
        self.states.push(State::BlockMappingKey);
        let next = self.scanner.peek()?;
        if matches!(next.kind, TokenKind::Key | TokenKind::Value | TokenKind::BlockEnd) {
            self.empty_scalar(colon);
            return Ok(());
        }
        self.node(true, true)
    }

    /// Items that need no tokens. False: the sequence goes on in some other way.
    fn fast_entries(&mut self, state: State) -> Parse<bool> {
        loop {
            let dash = match self.scanner.fast_entry(matches!(state, State::IndentlessEntry)) {
                Fast::Entry(dash) => dash,
                Fast::End => {
                    self.close(self.last_end);
                    return Ok(true);
                }
                _ => return Ok(false),
            };
            match self.scanner.fast_item()? {
                FastValue::Scalar(scalar) => self.scalar(scalar),
                FastValue::Mapping(at) => {
                    self.states.push(state);
                    self.open(Shape::BlockMapping, at as u32, Pending::default());
                    self.states.push(State::BlockMappingKey);
                    return Ok(true);
                }
                FastValue::Unknown => {
                    self.entry_value(state, dash as u32 + 1)?;
                    return Ok(true);
                }
            }
        }
    }

    /// The value behind the `-` that ends at `dash`.
    fn entry_value(&mut self, state: State, dash: u32) -> Parse<()> {
        let next = self.scanner.peek()?;
        self.states.push(state);
        let empty = match next.kind {
            TokenKind::BlockEntry | TokenKind::BlockEnd => true,
            TokenKind::Key | TokenKind::Value => matches!(state, State::IndentlessEntry),
            _ => false,
        };
        if empty {
            self.empty_scalar(dash);
            return Ok(());
        }
        self.node(true, false)
    }

    fn block_sequence_entry(&mut self) -> Parse<()> {
        if self.fast_entries(State::BlockSequenceEntry)? {
            return Ok(());
        }
        let token = self.scanner.peek()?;
        match token.kind {
            TokenKind::BlockEntry => {
                self.scanner.skip();
                self.entry_value(State::BlockSequenceEntry, token.end)
            }
            TokenKind::BlockEnd => {
                self.scanner.skip();
                self.close(self.last_end);
                Ok(())
            }
            _ => Err(self.unexpected(ErrorKind::ExpectedDash, token)),
        }
    }

    fn indentless_entry(&mut self) -> Parse<()> {
        if self.fast_entries(State::IndentlessEntry)? {
            return Ok(());
        }
        let token = self.scanner.peek()?;
        if token.kind != TokenKind::BlockEntry {
            self.close(self.last_end);
            return Ok(());
        }
        self.scanner.skip();
        self.entry_value(State::IndentlessEntry, token.end)
    }

    fn flow_sequence_entry(&mut self, first: bool) -> Parse<()> {
        let mut token = self.scanner.peek()?;
        if token.kind != TokenKind::FlowSequenceEnd {
            if !first {
                if token.kind != TokenKind::FlowEntry {
                    return Err(self.unexpected(ErrorKind::FlowSequence, token));
                }
                self.scanner.skip();
                token = self.scanner.peek()?;
            }
            if token.kind == TokenKind::Key {
                self.open(Shape::FlowMapping, token.start, Pending::default());
                self.scanner.skip();
                self.states.push(State::FlowPairKey);
                return Ok(());
            }
            if token.kind != TokenKind::FlowSequenceEnd {
                self.states.push(State::FlowSequenceEntry);
                return self.node(false, false);
            }
        }
        self.scanner.skip();
        self.close(token.end);
        Ok(())
    }

    fn flow_pair_key(&mut self) -> Parse<()> {
        let token = self.scanner.peek()?;
        self.states.push(State::FlowPairValue);
        if matches!(
            token.kind,
            TokenKind::Value | TokenKind::FlowEntry | TokenKind::FlowSequenceEnd
        ) {
            // go-yaml skips the token here, so `[? , a]` and `[?: a]` are its own kind of wrong.
            self.scanner.skip();
            self.empty_scalar(token.end);
            return Ok(());
        }
        let key = self.nodes.len();
        self.node(false, false)?;
        self.note_merge(key, token);
        Ok(())
    }

    fn flow_pair_value(&mut self) -> Parse<()> {
        let token = self.scanner.peek()?;
        self.states.push(State::FlowPairEnd);
        if token.kind == TokenKind::Value {
            self.scanner.skip();
            let next = self.scanner.peek()?;
            if !matches!(next.kind, TokenKind::FlowEntry | TokenKind::FlowSequenceEnd) {
                return self.node(false, false);
            }
            self.empty_scalar(token.end);
            return Ok(());
        }
        self.empty_scalar(self.last_end);
        Ok(())
    }

    fn flow_mapping_key(&mut self, first: bool) -> Parse<()> {
        let mut token = self.scanner.peek()?;
        if token.kind != TokenKind::FlowMappingEnd {
            if !first {
                if token.kind != TokenKind::FlowEntry {
                    return Err(self.unexpected(ErrorKind::FlowMapping, token));
                }
                self.scanner.skip();
                token = self.scanner.peek()?;
            }
            if token.kind == TokenKind::Key {
                self.scanner.skip();
                let next = self.scanner.peek()?;
                self.states.push(State::FlowMappingValue);
                if matches!(
                    next.kind,
                    TokenKind::Value | TokenKind::FlowEntry | TokenKind::FlowMappingEnd
                ) {
                    self.empty_scalar(token.end);
                    return Ok(());
                }
                let key = self.nodes.len();
                self.node(false, false)?;
                self.note_merge(key, next);
                return Ok(());
            }
            if token.kind != TokenKind::FlowMappingEnd {
                self.states.push(State::FlowMappingEmptyValue);
                return self.node(false, false);
            }
        }
        self.scanner.skip();
        self.close(token.end);
        Ok(())
    }

    fn flow_mapping_value(&mut self) -> Parse<()> {
        let token = self.scanner.peek()?;
        self.states.push(State::FlowMappingKey);
        if token.kind == TokenKind::Value {
            self.scanner.skip();
            let next = self.scanner.peek()?;
            if !matches!(next.kind, TokenKind::FlowEntry | TokenKind::FlowMappingEnd) {
                return self.node(false, false);
            }
            self.empty_scalar(token.end);
            return Ok(());
        }
        self.empty_scalar(self.last_end);
        Ok(())
    }

    fn leaf(&mut self, shape: Shape, start: u32, end: u32, aux: u32) {
        self.nodes.push(Raw { start, end, aux, shape, flags: 0 });
        self.last_end = end;
    }

    fn scalar(&mut self, (shape, start, end, aux): Scalar) {
        self.leaf(shape, start as u32, end as u32, aux);
    }

    fn empty_scalar(&mut self, at: u32) {
        self.leaf(Shape::Plain, at, at, 0);
    }

    fn open(&mut self, shape: Shape, start: u32, pending: Pending) {
        self.attach(pending);
        self.open.push(self.nodes.len() as u32);
        self.nodes.push(Raw { start, end: start, aux: 0, shape, flags: pending.flags() });
    }

    fn close(&mut self, end: u32) {
        if let Some(index) = self.open.pop() {
            let next = self.nodes.len() as u32;
            let node = &mut self.nodes[index as usize];
            node.aux = next;
            node.end = end.max(node.start);
            self.last_end = node.end;
        }
    }

    /// Give anchor and tag to the node that is pushed next.
    fn attach(&mut self, pending: Pending) {
        if !pending.any {
            return;
        }
        let node = self.nodes.len() as u32;
        let Pending { anchor, tag, kind, .. } = pending;
        self.props.push(Props { node, anchor, tag, kind });
        if !anchor.is_empty() {
            self.anchors.insert(self.scanner.slice(anchor).to_vec(), node);
        }
    }

    fn unexpected(&self, kind: ErrorKind, token: Token) -> Box<YamlError> {
        let context = self.open.last().map_or(token.start, |open| self.nodes[*open as usize].start);
        YamlError::within(kind, self.visible(token), context)
    }

    /// A span that can be shown: tokens without text point at what follows them.
    fn visible(&self, token: Token) -> Span {
        if token.end > token.start {
            return token.span();
        }
        let end = (token.start as usize + 1).min(self.scanner.len()) as u32;
        Span::new(token.start, end.max(token.start))
    }
}

/// Where the `!` that closes a handle such as `!e!` is, in the text behind the first `!`.
fn handle_end(rest: &[u8]) -> Option<usize> {
    let at = memchr::memchr(b'!', rest)?;
    let word = |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_');
    rest[..at].iter().all(word).then_some(at)
}

impl Pending {
    fn set_anchor(&mut self, token: Token) {
        self.anchor = Span::new(token.start + 1, token.end);
        self.any = true;
    }

    fn flags(self) -> u8 {
        if self.any { Raw::HAS_PROPS } else { 0 }
    }
}
