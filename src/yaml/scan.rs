//! Tokens: a port of libyaml's scanner that steps by line instead of by character.
//!
//! The rules (simple keys, the indentation stack, where a `-`, `?` or `:` counts) are those of go-yaml v2's
//! `scannerc.go`, function by function, so that what it refuses is refused here. What differs is the work: tokens
//! hold offsets, nothing is decoded, and a scalar that may be a key is settled at once by looking at the rest of
//! its line, so that the token queue is used for anchors and flow collections only.

use super::error::{ErrorKind, YamlError};
use super::node::Shape;
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

pub(super) struct Scanner {
    /// The text and a few NULs, so that looking ahead needs no check for the end.
    bytes: Vec<u8>,
    len: usize,
    pos: usize,
    line: u32,
    line_start: usize,
    /// Where the current line ends; valid while `pos` is in it.
    line_end: usize,
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
    /// An error to report once the queue is empty.
    failure: Option<Box<YamlError>>,

    pub(super) comments: Vec<Span>,
    pub(super) tag_directives: Vec<(Span, Span)>,
}

impl Scanner {
    pub(super) fn new(text: &str) -> Self {
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

    /// The first character in `from..to` that YAML refuses.
    pub(super) fn illegal_between(&self, from: usize, to: usize) -> Option<(usize, char)> {
        let at = self.illegal.partition_point(|(offset, _)| *offset < from);
        self.illegal.get(at).copied().filter(|(offset, _)| *offset < to)
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

    fn next_line(&self, at: usize) -> usize {
        memchr::memchr(b'\n', &self.bytes[at..self.len]).map_or(self.len, |next| at + next + 1)
    }

    /// The next token, not taken.
    pub(super) fn peek(&mut self) -> Scan<Token> {
        while self.head == self.tokens.len() || self.head_may_be_key()? {
            if let Some(error) = self.failure.take() {
                return Err(error);
            }
            if let Err(error) = self.fetch() {
                if self.head == self.tokens.len() {
                    return Err(error);
                }
                // What is in the queue stands before the error.
                self.failure = Some(error);
                break;
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

    /// Whether the first token of the queue may still have to be preceded by a KEY token.
    fn head_may_be_key(&mut self) -> Scan<bool> {
        while self.key_floor < self.keys.len() {
            if self.keys[self.key_floor].possible {
                if self.keys[self.key_floor].token != self.taken {
                    return Ok(false);
                }
                if self.key_is_valid(self.key_floor)? {
                    return Ok(true);
                }
            }
            self.key_floor += 1;
        }
        Ok(false)
    }

    fn key_is_valid(&mut self, index: usize) -> Scan<bool> {
        let key = self.keys[index];
        if !key.possible {
            return Ok(false);
        }
        let stale = key.line < self.line || {
            self.pos - key.start > MAX_KEY
                && String::from_utf8_lossy(&self.bytes[key.start..self.pos]).chars().count()
                    > MAX_KEY
        };
        if stale {
            if key.required {
                return Err(self.missing_colon(key));
            }
            self.keys[index].possible = false;
            return Ok(false);
        }
        Ok(true)
    }

    fn missing_colon(&self, key: SimpleKey) -> Box<YamlError> {
        let mut end = key.start;
        while CLASS[self.bytes[end] as usize] & (BREAK | END) == 0 {
            end += 1;
        }
        while end > key.start && CLASS[self.bytes[end - 1] as usize] & BLANK != 0 {
            end -= 1;
        }
        YamlError::new(ErrorKind::MissingColon, Span::new(key.start as u32, end as u32))
    }

    fn save_key(&mut self) -> Scan<()> {
        if self.key_allowed {
            let column = self.column();
            let required = self.flow_level == 0 && self.indent == column as isize;
            self.remove_key()?;
            let key = SimpleKey {
                possible: true,
                required,
                token: self.taken + (self.tokens.len() - self.head),
                start: self.pos,
                line: self.line,
                column,
            };
            let level = self.keys.len() - 1;
            self.keys[level] = key;
            self.key_floor = self.key_floor.min(level);
        }
        Ok(())
    }

    fn remove_key(&mut self) -> Scan<()> {
        let level = self.keys.len() - 1;
        let key = self.keys[level];
        if key.possible {
            if key.required {
                return Err(self.missing_colon(key));
            }
            self.keys[level].possible = false;
        }
        Ok(())
    }

    /// Settle at once whether what was just scanned is a key: `:` follows on the same line, or it is none.
    fn settle_key(&mut self) -> Scan<()> {
        let level = self.keys.len() - 1;
        if !self.keys[level].possible {
            return Ok(());
        }
        if self.keys[level].line != self.line {
            return self.remove_key();
        }
        let mut at = self.pos;
        while CLASS[self.bytes[at] as usize] & BLANK != 0 {
            at += 1;
        }
        if self.bytes[at] == b':' && (self.flow_level > 0 || self.is_blankz(at + 1)) {
            self.pos = at;
            return self.fetch_value();
        }
        // `"a" b: c` makes "a" a key for libyaml too, and fails for the `b`; so nothing is lost here.
        self.remove_key()
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

    fn error_at(&self, kind: ErrorKind, at: usize) -> Box<YamlError> {
        YamlError::new(kind, self.char_span(at))
    }

    fn char_span(&self, at: usize) -> Span {
        let mut end = (at + 1).min(self.len.max(at));
        while end < self.len && self.bytes[end] & 0xC0 == 0x80 {
            end += 1;
        }
        Span::new(at as u32, end as u32)
    }

    fn char_at(&self, at: usize) -> char {
        let span = self.char_span(at);
        String::from_utf8_lossy(self.slice(span)).chars().next().unwrap_or('\0')
    }

    fn column(&self) -> usize {
        self.pos - self.line_start
    }

    /// Width of the line break at `at`, 0 if there is none.
    fn break_len(&self, at: usize) -> usize {
        super::chars::break_len(&self.bytes[at..])
    }

    fn is_blankz(&self, at: usize) -> bool {
        match CLASS[self.bytes[at] as usize] {
            class if class & (BLANK | BREAK | END) != 0 => true,
            class if class & WIDE != 0 => self.break_len(at) > 0,
            _ => false,
        }
    }

    fn is_breakz(&self, at: usize) -> bool {
        self.bytes[at] == 0 || self.break_len(at) > 0
    }

    fn find_line_end(&self, at: usize) -> usize {
        if self.odd_breaks {
            let mut end = at;
            while !self.is_breakz(end) {
                end += 1;
            }
            return end;
        }
        let end =
            memchr::memchr(b'\n', &self.bytes[at..self.len]).map_or(self.len, |next| at + next);
        if end > at && self.bytes[end - 1] == b'\r' { end - 1 } else { end }
    }

    /// Step over the line break at `pos`.
    fn take_break(&mut self) {
        self.pos += self.break_len(self.pos);
        self.line += 1;
        self.line_start = self.pos;
        self.line_end = self.find_line_end(self.pos);
    }

    /// Step over spaces, eight at a time where there are.
    fn skip_spaces(&mut self) {
        const EIGHT: [u8; 8] = [b' '; 8];
        let bytes = &self.bytes[..];
        let mut at = self.pos;
        // The text ends in eight NULs, so the last chunk is never all spaces.
        while let Some(chunk) = bytes.get(at..at + 8)
            && chunk == EIGHT
        {
            at += 8;
        }
        while bytes[at] == b' ' {
            at += 1;
        }
        self.pos = at;
    }

    /// The same, but not past `most`.
    fn skip_spaces_to(&mut self, most: usize) {
        let from = self.pos;
        self.skip_spaces();
        self.pos = self.pos.min(most.max(from));
    }

    fn at_document_indicator(&self) -> bool {
        self.pos == self.line_start
            && matches!(&self.bytes[self.pos..self.pos + 3], b"---" | b"...")
            && self.is_blankz(self.pos + 3)
    }

    fn take_comment(&mut self) {
        let end =
            if self.line_end >= self.pos { self.line_end } else { self.find_line_end(self.pos) };
        self.comments.push(Span::new(self.pos as u32, end as u32));
        self.pos = end;
    }

    fn to_next_token(&mut self) {
        loop {
            self.skip_spaces();
            while self.bytes[self.pos] == b'\t' && (self.flow_level > 0 || !self.key_allowed) {
                self.pos += 1;
                self.skip_spaces();
            }
            if self.bytes[self.pos] == b'#' {
                self.take_comment();
            }
            if CLASS[self.bytes[self.pos] as usize] & (BREAK | WIDE) == 0
                || self.break_len(self.pos) == 0
            {
                return;
            }
            self.take_break();
            if self.flow_level == 0 {
                self.key_allowed = true;
            }
        }
    }

    fn fetch(&mut self) -> Scan<()> {
        if self.ended {
            self.push(TokenKind::StreamEnd, self.len, self.len);
            return Ok(());
        }
        self.to_next_token();
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

    fn fetch_end(&mut self) -> Scan<()> {
        if self.column() != 0 {
            self.line += 1;
        }
        self.unroll_indent(-1);
        self.remove_key()?;
        self.key_allowed = false;
        self.ended = true;
        self.push(TokenKind::StreamEnd, self.pos, self.pos);
        Ok(())
    }

    fn fetch_flow_start(&mut self, kind: TokenKind) -> Scan<()> {
        self.save_key()?;
        self.keys.push(SimpleKey::default());
        self.flow_level += 1;
        if self.flow_level > MAX_DEPTH {
            return Err(self.error_at(ErrorKind::TooDeep, self.pos));
        }
        self.key_allowed = true;
        self.push(kind, self.pos, self.pos + 1);
        self.pos += 1;
        Ok(())
    }

    fn fetch_flow_end(&mut self, kind: TokenKind) -> Scan<()> {
        self.remove_key()?;
        if self.flow_level > 0 {
            self.flow_level -= 1;
            self.keys.pop();
            self.key_floor = self.key_floor.min(self.keys.len());
        }
        self.key_allowed = false;
        self.push(kind, self.pos, self.pos + 1);
        self.pos += 1;
        Ok(())
    }

    fn fetch_entry(&mut self) -> Scan<()> {
        if self.flow_level == 0 {
            if !self.key_allowed {
                return Err(self.error_at(ErrorKind::EntryNotAllowed, self.pos));
            }
            self.roll_indent(self.column(), None, TokenKind::BlockSequenceStart, self.pos)?;
        }
        self.remove_key()?;
        self.key_allowed = true;
        self.push(TokenKind::BlockEntry, self.pos, self.pos + 1);
        self.pos += 1;
        Ok(())
    }

    fn fetch_key(&mut self) -> Scan<()> {
        if self.flow_level == 0 {
            if !self.key_allowed {
                return Err(self.error_at(ErrorKind::KeyNotAllowed, self.pos));
            }
            self.roll_indent(self.column(), None, TokenKind::BlockMappingStart, self.pos)?;
        }
        self.remove_key()?;
        self.key_allowed = self.flow_level == 0;
        self.push(TokenKind::Key, self.pos, self.pos + 1);
        self.pos += 1;
        Ok(())
    }

    fn fetch_value(&mut self) -> Scan<()> {
        let level = self.keys.len() - 1;
        if self.key_is_valid(level)? {
            let key = self.keys[level];
            self.insert(key.token, TokenKind::Key, key.start);
            self.roll_indent(key.column, Some(key.token), TokenKind::BlockMappingStart, key.start)?;
            self.keys[level].possible = false;
            self.key_allowed = false;
        } else {
            if self.flow_level == 0 {
                if !self.key_allowed {
                    return Err(self.error_at(ErrorKind::ValueNotAllowed, self.pos));
                }
                self.roll_indent(self.column(), None, TokenKind::BlockMappingStart, self.pos)?;
            }
            self.key_allowed = self.flow_level == 0;
        }
        self.push(TokenKind::Value, self.pos, self.pos + 1);
        self.pos += 1;
        Ok(())
    }
}

pub(super) mod fast;
mod properties;
mod scalars;
