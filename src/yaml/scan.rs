//! Tokens: a port of libyaml's scanner that steps by line instead of by character.
//!
//! The rules (simple keys, the indentation stack, where a `-`, `?` or `:` counts) are those of go-yaml v2's
//! `scannerc.go`, function by function, so that what it refuses is refused here. What differs is the work: tokens
//! hold offsets, nothing is decoded, and a scalar that may be a key is settled at once by looking at the rest of
//! its line, so that the token queue is used for anchors and flow collections only.

use super::arena::Shape;
use super::error::{ErrorKind, YamlError};
use crate::source::Span;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TokenKind {
    StreamEnd,
    VersionDirective,
    TagDirective,
    DocumentStart,
    DocumentEnd,
    BlockSequenceStart,
    BlockMappingStart,
    BlockEnd,
    FlowSequenceStart,
    FlowSequenceEnd,
    FlowMappingStart,
    FlowMappingEnd,
    BlockEntry,
    FlowEntry,
    Key,
    Value,
    Alias,
    Anchor,
    Tag,
    Scalar,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Token {
    pub(super) kind: TokenKind,
    /// Of scalars.
    pub(super) shape: Shape,
    pub(super) start: u32,
    pub(super) end: u32,
    /// Block scalars: indentation of the content. Tag directives: index into `Scanner::tag_directives`. Version
    /// directives: whether it is 1.1.
    pub(super) aux: u32,
}

impl Token {
    pub(super) fn span(&self) -> Span {
        Span::new(self.start, self.end)
    }
}

/// What may turn out to be a key when a `:` follows.
#[derive(Clone, Copy, Debug, Default)]
struct SimpleKey {
    possible: bool,
    required: bool,
    /// Number of the key's first token, counted from the start of the stream.
    token: usize,
    start: usize,
    line: u32,
    column: usize,
}

/// Longest simple key, in characters.
const MAX_KEY: usize = 1024;
/// Deepest nesting of flow collections, and of indentation.
const MAX_DEPTH: usize = 10_000;

pub(super) const BLANK: u8 = 1;
const BREAK: u8 = 2;
const END: u8 = 4;
/// May start a break that is longer than a byte: U+0085, U+2028, U+2029.
const WIDE: u8 = 8;
const FLOW: u8 = 16;
const WORD: u8 = 32;
const URI: u8 = 64;

pub(super) const CLASS: [u8; 256] = {
    let mut class = [0u8; 256];
    class[b' ' as usize] = BLANK;
    class[b'\t' as usize] = BLANK;
    class[b'\n' as usize] = BREAK;
    class[b'\r' as usize] = BREAK;
    class[0] = END;
    class[0xC2] = WIDE;
    class[0xE2] = WIDE;
    let mut at = 0;
    let flow = b",?[]{}";
    while at < flow.len() {
        class[flow[at] as usize] |= FLOW;
        at += 1;
    }
    at = 0;
    while at < 128 {
        let byte = at as u8;
        if byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-' {
            class[at] |= WORD | URI;
        }
        at += 1;
    }
    let uri = b";/?:@&=+$,.!~*'()[]%";
    at = 0;
    while at < uri.len() {
        class[uri[at] as usize] |= URI;
        at += 1;
    }
    class
};

/// Errors are rare and large; boxed, they cost the good path nothing.
type Scan<T> = Result<T, Box<YamlError>>;

#[expect(
    clippy::struct_excessive_bools,
    reason = "libyaml's own flags, and what was learnt of the text"
)]
pub(super) struct Scanner {
    /// The text and a few NULs, so that looking ahead needs no check for the end.
    bytes: Vec<u8>,
    len: usize,
    pos: usize,
    line: u32,
    line_start: usize,
    /// Where the current line ends; valid while `pos` is in it.
    line_end: usize,
    /// Escapes of JSON that YAML 1.1 does not have are allowed: `\/` and surrogate pairs.
    json: bool,
    /// The text has line breaks other than LF and CRLF.
    odd_breaks: bool,
    /// Offsets that hold a character YAML refuses, ascending.
    illegal: Vec<(usize, char)>,

    indent: isize,
    indents: Vec<isize>,
    flow_level: usize,
    key_allowed: bool,
    keys: Vec<SimpleKey>,
    /// No key below this index of `keys` is possible.
    key_floor: usize,

    tokens: Vec<Token>,
    head: usize,
    /// Tokens taken from the queue so far.
    taken: usize,
    ended: bool,
    /// An error to report once the tokens before the one with this number are taken.
    failure: Option<(usize, Box<YamlError>)>,

    pub(super) comments: Vec<Span>,
    pub(super) tag_directives: Vec<(Span, Span)>,
}

impl Scanner {
    pub(super) fn new(text: &str, json: bool) -> Self {
        let mut bytes = Vec::with_capacity(text.len() + 8);
        bytes.extend_from_slice(text.as_bytes());
        bytes.extend_from_slice(&[0; 8]);
        let (odd_breaks, illegal) = super::chars::survey(text);
        let mut scanner = Self {
            bytes,
            len: text.len(),
            pos: 0,
            line: 0,
            line_start: 0,
            line_end: 0,
            json,
            odd_breaks,
            illegal,
            indent: -1,
            indents: Vec::new(),
            flow_level: 0,
            key_allowed: true,
            keys: vec![SimpleKey::default()],
            key_floor: 1,
            tokens: Vec::with_capacity(16),
            head: 0,
            taken: 0,
            ended: false,
            failure: None,
            comments: Vec::new(),
            tag_directives: Vec::new(),
        };
        if text.starts_with('\u{FEFF}') {
            scanner.pos = 3;
            scanner.line_start = 3;
        }
        scanner.line_end = scanner.find_line_end(scanner.pos);
        scanner
    }

    pub(super) fn len(&self) -> usize {
        self.len
    }

    pub(super) fn position(&self) -> usize {
        self.pos
    }

    pub(super) fn slice(&self, span: Span) -> &[u8] {
        &self.bytes[span.start as usize..span.end as usize]
    }

    /// Start afresh at the next line that begins a document, at `from` or behind. False at the end of the text.
    pub(super) fn recover(&mut self, from: usize) -> bool {
        let mut at = from.min(self.len);
        if at > 0 && self.bytes[at - 1] != b'\n' {
            at = self.next_line(at);
        }
        while at < self.len {
            if self.bytes[at..].starts_with(b"---") && self.is_blankz(at + 3) {
                break;
            }
            at = self.next_line(at);
        }
        self.pos = at.min(self.len);
        self.line += 1;
        self.line_start = self.pos;
        self.line_end = self.find_line_end(self.pos);
        self.indent = -1;
        self.indents.clear();
        self.flow_level = 0;
        self.key_allowed = true;
        self.keys.clear();
        self.keys.push(SimpleKey::default());
        self.key_floor = 1;
        self.tokens.clear();
        self.head = 0;
        self.ended = false;
        self.failure = None;
        self.pos < self.len
    }

    /// The next token, not taken.
    pub(super) fn peek(&mut self) -> Scan<Token> {
        loop {
            if let Some((token, _)) = self.failure
                && token <= self.taken
                && let Some((_, error)) = self.failure.take()
            {
                return Err(error);
            }
            let queued = self.head != self.tokens.len();
            if queued && (self.failure.is_some() || !self.head_may_be_key()?) {
                break;
            }
            if let Err(error) = self.fetch() {
                // What is in the queue stands before the error, save a key whose `:` is missing.
                let token = match error.kind {
                    ErrorKind::MissingColon => self.keys[0].token,
                    _ => self.taken + (self.tokens.len() - self.head),
                };
                self.failure = Some((token, error));
            }
        }
        Ok(self.tokens[self.head])
    }

    pub(super) fn skip(&mut self) {
        self.head += 1;
        self.taken += 1;
        if self.head == self.tokens.len() {
            self.tokens.clear();
            self.head = 0;
        }
    }

    fn push(&mut self, kind: TokenKind, start: usize, end: usize) {
        let (start, end) = (start as u32, end as u32);
        self.tokens.push(Token { kind, shape: Shape::Plain, start, end, aux: 0 });
    }

    fn push_scalar(&mut self, (shape, start, end, aux): fast::Scalar) {
        let (start, end) = (start as u32, end as u32);
        self.tokens.push(Token { kind: TokenKind::Scalar, shape, start, end, aux });
    }

    fn roll_indent(
        &mut self,
        column: usize,
        token: Option<usize>,
        kind: TokenKind,
        at: usize,
    ) -> Scan<()> {
        if self.flow_level > 0 || self.indent >= column as isize {
            return Ok(());
        }
        self.indents.push(self.indent);
        self.indent = column as isize;
        if self.indents.len() > MAX_DEPTH {
            return Err(self.error_at(ErrorKind::TooDeep, at));
        }
        match token {
            None => self.push(kind, at, at),
            Some(number) => self.insert(number, kind, at),
        }
        Ok(())
    }

    fn insert(&mut self, number: usize, kind: TokenKind, at: usize) {
        let index = self.head + (number - self.taken);
        let at = at as u32;
        self.tokens.insert(index, Token { kind, shape: Shape::Plain, start: at, end: at, aux: 0 });
    }

    fn unroll_indent(&mut self, column: isize) {
        if self.flow_level > 0 {
            return;
        }
        while self.indent > column {
            self.push(TokenKind::BlockEnd, self.pos, self.pos);
            self.indent = self.indents.pop().unwrap_or(-1);
        }
    }

    fn fetch(&mut self) -> Scan<()> {
        if self.ended {
            self.push(TokenKind::StreamEnd, self.len, self.len);
            return Ok(());
        }
        self.seek_token();
        let column = self.column();
        self.unroll_indent(column as isize);
        let byte = self.bytes[self.pos];
        if column == 0 {
            match byte {
                b'%' => return self.fetch_directive(),
                b'-' | b'.' if self.at_document_indicator() => {
                    self.unroll_indent(-1);
                    self.remove_key()?;
                    self.key_allowed = false;
                    let kind = if byte == b'-' {
                        TokenKind::DocumentStart
                    } else {
                        TokenKind::DocumentEnd
                    };
                    self.push(kind, self.pos, self.pos + 3);
                    self.pos += 3;
                    return Ok(());
                }
                _ => {}
            }
        }
        let flow = self.flow_level > 0;
        match byte {
            0 => self.fetch_end(),
            b'[' => self.fetch_flow_start(TokenKind::FlowSequenceStart),
            b'{' => self.fetch_flow_start(TokenKind::FlowMappingStart),
            b']' => self.fetch_flow_end(TokenKind::FlowSequenceEnd),
            b'}' => self.fetch_flow_end(TokenKind::FlowMappingEnd),
            b',' => {
                self.remove_key()?;
                self.key_allowed = true;
                self.push(TokenKind::FlowEntry, self.pos, self.pos + 1);
                self.pos += 1;
                Ok(())
            }
            b'-' if self.is_blankz(self.pos + 1) => self.fetch_entry(),
            b'?' if flow || self.is_blankz(self.pos + 1) => self.fetch_key(),
            b':' if flow || self.is_blankz(self.pos + 1) => self.fetch_value(),
            b'*' => self.fetch_anchor(TokenKind::Alias),
            b'&' => self.fetch_anchor(TokenKind::Anchor),
            b'!' => self.fetch_tag(),
            b'|' if !flow => self.fetch_block_scalar(Shape::Literal),
            b'>' if !flow => self.fetch_block_scalar(Shape::Folded),
            b'\'' => self.fetch_quoted(Shape::SingleQuoted),
            b'"' => self.fetch_quoted(Shape::DoubleQuoted),
            b'\t' | b'#' | b'|' | b'>' | b'%' | b'@' | b'`' => Err(self.cannot_start()),
            _ => self.fetch_plain(),
        }
    }

    fn cannot_start(&self) -> Box<YamlError> {
        self.error_at(ErrorKind::CannotStartToken(self.char_at(self.pos)), self.pos)
    }
}

mod cursor;
pub(super) mod fast;
mod indicators;
mod keys;
mod properties;
mod scalars;
