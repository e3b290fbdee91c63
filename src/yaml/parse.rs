//! From tokens to the arena: libyaml's parser, state by state, writing nodes instead of events.
//!
//! States and errors are those of go-yaml v2's `parserc.go`; anchors are resolved here as its `decode.go` does. An
//! error ends its document; the scanner starts afresh at the next line that begins one.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::arena::{Props, Raw, RawDocument, Shape, Stream, Tag};
use super::error::{ErrorKind, YamlError};
use super::scan::fast::Scalar;
use super::scan::{Scanner, Token, TokenKind};
use crate::source::{Source, Span};

/// Parse all documents of a source. Never fails: what is wrong is in the documents.
pub fn parse(source: &Arc<Source>) -> Stream {
    build(source, None, false)
}

/// Parse as kubectl does: a text that starts with `{` is JSON to it, which has escapes that YAML 1.1 has not.
pub fn parse_manifest(source: &Arc<Source>) -> Stream {
    build(source, None, source.text().trim_start().starts_with('{'))
}

/// Parse `masked` in place of the text of `source`: a template with its actions blanked out, say. Both have the
/// same length, so places point into the source as it is.
pub fn parse_masked(source: &Arc<Source>, masked: String) -> Stream {
    debug_assert_eq!(source.text().len(), masked.len(), "a mask keeps every offset");
    build(source, Some(masked), false)
}

fn build(source: &Arc<Source>, masked: Option<String>, json: bool) -> Stream {
    let text = masked.as_deref().unwrap_or(source.text());
    let mut parser = Parser {
        scanner: Scanner::new(text, json),
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

mod block;
mod flow;
mod node;
#[cfg(test)]
mod tests;

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
                return Ok(Some(self.document_end()));
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
        Ok(Some(self.document_end()))
    }

    fn document_end(&mut self) -> u32 {
        // What is wrong behind the root node is not this document's fault.
        let token = match self.scanner.peek() {
            Ok(token) => token,
            Err(error) => {
                self.pending = Some(error);
                return self.last_end;
            }
        };
        if token.kind == TokenKind::DocumentEnd {
            self.scanner.skip();
            return token.end;
        }
        token.start
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
