//! The lexer: a port of `lex.go` of Go's text/template/parse, one token at a time.
//!
//! Tokens are kinds with byte spans; no text is copied. As in Go the lexer knows whether it is inside an action,
//! drops white space at trim markers, and turns a malformed token into an error token whose text is Go's. What Go
//! does after an error token (nothing) is replaced by [`Lexer::resume_inside`] and [`Lexer::resume_text`], with which the parser
//! looks for the end of a broken action. Lines are not counted here: a token's line is that of its first byte.

use super::quote;
use super::unicode::is_word;
use crate::source::Span;

/// Kinds of tokens. Those from [`Tok::Block`] on print as `<text>` in messages, as Go's keywords do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Tok {
    /// Malformed; the message is in [`Lexer::fault`].
    Error,
    Bool,
    /// A printable ASCII character with no role, such as a comma.
    Char,
    CharConstant,
    Comment,
    Complex,
    Assign,
    Declare,
    Eof,
    Field,
    Identifier,
    LeftDelim,
    LeftParen,
    Number,
    Pipe,
    RawString,
    RightDelim,
    RightParen,
    Space,
    String,
    Text,
    Variable,
    Block,
    Break,
    Continue,
    Dot,
    Define,
    Else,
    End,
    If,
    Nil,
    Range,
    Template,
    With,
}

/// One token.
#[derive(Clone, Copy, Debug)]
pub(super) struct Token {
    pub(super) kind: Tok,
    /// The bytes; for a delimiter without its trim marker.
    pub(super) span: Span,
    /// For delimiters: with a trim marker.
    pub(super) trim: bool,
}

/// What is wrong with an error token.
#[derive(Clone, Debug)]
pub(super) struct Fault {
    /// Go's text.
    pub(super) message: String,
    /// The bytes to point at.
    pub(super) span: Span,
    /// Whether the rest of the text was swallowed, so that nothing can be said about what follows.
    pub(super) hopeless: bool,
}

#[derive(Debug)]
pub(super) struct Lexer<'s> {
    text: &'s str,
    pos: usize,
    start: usize,
    inside: bool,
    depth: u32,
    /// While a broken action is skipped, parentheses don't count.
    lenient: bool,
    pub(super) fault: Option<Fault>,
    /// The `{{…}}` around the comment that was lexed last, its trim markers.
    pub(super) comment: (Span, bool, bool),
    /// Offset of the last `{{` that was lexed.
    pub(super) opened: u32,
}

const fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r' | b'\n')
}

fn left_trim(rest: &[u8]) -> bool {
    matches!(rest, [b'-', space, ..] if is_space(*space))
}

fn right_trim(rest: &[u8]) -> bool {
    matches!(rest, [space, b'-', ..] if is_space(*space))
}

impl<'s> Lexer<'s> {
    pub(super) fn new(text: &'s str) -> Self {
        Self {
            text,
            pos: 0,
            start: 0,
            inside: false,
            depth: 0,
            lenient: false,
            fault: None,
            comment: (Span::default(), false, false),
            opened: 0,
        }
    }

    /// Go on in the text at `offset`, outside any action.
    pub(super) fn resume_text(&mut self, offset: u32) {
        self.pos = offset as usize;
        self.start = self.pos;
        self.inside = false;
        self.lenient = false;
        self.fault = None;
    }

    /// Go on inside a broken action at `offset`; parentheses no longer count.
    pub(super) fn resume_inside(&mut self, offset: u32) {
        self.pos = offset as usize;
        self.start = self.pos;
        self.inside = true;
        self.lenient = true;
        self.fault = None;
    }

    pub(super) fn next(&mut self) -> Token {
        if self.fault.is_some() {
            // The parser stops at an error token; whatever asks again gets it again.
            return self.token(Tok::Error, false);
        }
        if self.inside { self.action() } else { self.outside() }
    }

    fn bytes(&self) -> &'s [u8] {
        self.text.as_bytes()
    }

    fn rest(&self) -> &'s [u8] {
        &self.bytes()[self.pos..]
    }

    fn byte(&self) -> Option<u8> {
        self.bytes().get(self.pos).copied()
    }

    fn char(&self) -> Option<char> {
        match self.byte()? {
            byte if byte.is_ascii() => Some(byte as char),
            _ => self.text[self.pos..].chars().next(),
        }
    }

    fn token(&mut self, kind: Tok, trim: bool) -> Token {
        let span = Span::new(self.start as u32, self.pos as u32);
        self.start = self.pos;
        Token { kind, span, trim }
    }

    fn emit(&mut self, kind: Tok) -> Token {
        self.token(kind, false)
    }

    fn error(&mut self, message: String, span: Span) -> Token {
        self.fail(message, span, false)
    }

    fn fail(&mut self, message: String, span: Span, hopeless: bool) -> Token {
        self.fault = Some(Fault { message, span, hopeless });
        // The span of an error token is the item's start: Go's line comes from there.
        self.pos = self.pos.max(self.start);
        self.emit(Tok::Error)
    }

    fn here(&self) -> Span {
        let end = self.pos + self.char().map_or(0, char::len_utf8);
        Span::new(self.pos as u32, end as u32)
    }

    /// `lexText`, `lexLeftDelim` and `lexComment`.
    fn outside(&mut self) -> Token {
        let bytes = self.bytes();
        let Some(open) = find_open(bytes, self.pos) else {
            self.pos = bytes.len();
            return self.emit(if self.start < self.pos { Tok::Text } else { Tok::Eof });
        };
        let trim = left_trim(&bytes[open + 2..]);
        if open > self.pos {
            let mut end = open;
            while trim && end > self.start && is_space(bytes[end - 1]) {
                end -= 1;
            }
            self.pos = end;
            let text = self.emit(Tok::Text);
            self.pos = open;
            self.start = open;
            if !text.span.is_empty() {
                return text;
            }
        }
        self.opened = open as u32;
        self.pos = open + 2;
        let after = if trim { 2 } else { 0 };
        if bytes[self.pos + after..].starts_with(b"/*") {
            return self.comment(open, self.pos + after, trim);
        }
        let token = self.token(Tok::LeftDelim, trim);
        self.pos += after;
        self.start = self.pos;
        self.inside = true;
        self.depth = 0;
        token
    }

    fn comment(&mut self, open: usize, start: usize, trim: bool) -> Token {
        let bytes = self.bytes();
        self.start = start;
        self.pos = start + 2;
        let Some(length) = memchr::memmem::find(self.rest(), b"*/") else {
            self.pos = start;
            let span = Span::new(open as u32, start as u32 + 2);
            return self.fail("unclosed comment".to_owned(), span, true);
        };
        self.pos += length + 2;
        let Some(trim_right) = self.right_delim() else {
            let span = self.here();
            self.pos = start;
            return self.error("comment ends before closing delimiter".to_owned(), span);
        };
        let token = self.emit(Tok::Comment);
        self.pos += if trim_right { 4 } else { 2 };
        self.comment = (Span::new(open as u32, self.pos as u32), trim, trim_right);
        while trim_right && self.pos < bytes.len() && is_space(bytes[self.pos]) {
            self.pos += 1;
        }
        self.start = self.pos;
        token
    }

    /// Whether a right delimiter starts here, and whether a trim marker does.
    fn right_delim(&self) -> Option<bool> {
        let rest = self.rest();
        if right_trim(rest) && rest[2..].starts_with(b"}}") {
            Some(true)
        } else {
            rest.starts_with(b"}}").then_some(false)
        }
    }

    fn close(&mut self, trim: bool) -> Token {
        let bytes = self.bytes();
        if trim {
            self.pos += 2;
            self.start = self.pos;
        }
        self.pos += 2;
        let token = self.token(Tok::RightDelim, trim);
        while trim && self.pos < bytes.len() && is_space(bytes[self.pos]) {
            self.pos += 1;
        }
        self.start = self.pos;
        self.inside = false;
        self.lenient = false;
        token
    }

    /// `lexInsideAction`.
    fn action(&mut self) -> Token {
        if let Some(trim) = self.right_delim() {
            if self.depth == 0 || self.lenient {
                return self.close(trim);
            }
            let span = Span::new(self.pos as u32, self.pos as u32 + if trim { 4 } else { 2 });
            return self.error("unclosed left paren".to_owned(), span);
        }
        let Some(c) = self.char() else {
            let span = Span::new(self.opened, self.opened + 2);
            return self.fail("unclosed action".to_owned(), span, true);
        };
        self.pos += c.len_utf8();
        match c {
            ' ' | '\t' | '\r' | '\n' => self.space(),
            '=' => self.emit(Tok::Assign),
            ':' if self.byte() == Some(b'=') => {
                self.pos += 1;
                self.emit(Tok::Declare)
            }
            ':' => {
                let span = Span::new(self.start as u32, self.pos as u32);
                self.error("expected :=".to_owned(), span)
            }
            '|' => self.emit(Tok::Pipe),
            '"' => self.quoted(b'"', Tok::String, "unterminated quoted string"),
            '\'' => self.quoted(b'\'', Tok::CharConstant, "unterminated character constant"),
            '`' => self.raw(),
            '$' => self.field_or_variable(Tok::Variable, Tok::Variable),
            '.' if self.byte().is_some_and(|byte| !byte.is_ascii_digit()) => {
                self.field_or_variable(Tok::Field, Tok::Dot)
            }
            '.' | '+' | '-' | '0'..='9' => {
                self.pos = self.start;
                self.number()
            }
            '(' => {
                self.depth += 1;
                self.emit(Tok::LeftParen)
            }
            ')' => {
                if self.depth == 0 && !self.lenient {
                    let span = Span::new(self.start as u32, self.pos as u32);
                    return self.error("unexpected right paren".to_owned(), span);
                }
                self.depth = self.depth.saturating_sub(1);
                self.emit(Tok::RightParen)
            }
            c if is_word(c) => self.identifier(),
            ' '..='~' => self.emit(Tok::Char),
            c => {
                let span = Span::new(self.start as u32, self.pos as u32);
                let message = format!("unrecognized character in action: {}", quote::code_point(c));
                self.error(message, span)
            }
        }
    }

    /// `lexSpace`: the last space may belong to a trim marker.
    fn space(&mut self) -> Token {
        let bytes = self.bytes();
        while self.byte().is_some_and(is_space) {
            self.pos += 1;
        }
        let last = &bytes[self.pos - 1..];
        if right_trim(last) && last[2..].starts_with(b"}}") {
            self.pos -= 1;
            if self.pos == self.start {
                // Go goes right to the delimiter, without the check for open parentheses.
                return self.close(true);
            }
        }
        self.emit(Tok::Space)
    }

    fn identifier(&mut self) -> Token {
        self.words();
        if !self.at_terminator() {
            return self.bad_character();
        }
        let kind = match &self.text[self.start..self.pos] {
            "block" => Tok::Block,
            "break" => Tok::Break,
            "continue" => Tok::Continue,
            "define" => Tok::Define,
            "else" => Tok::Else,
            "end" => Tok::End,
            "if" => Tok::If,
            "range" => Tok::Range,
            "nil" => Tok::Nil,
            "template" => Tok::Template,
            "with" => Tok::With,
            "true" | "false" => Tok::Bool,
            _ => Tok::Identifier,
        };
        self.emit(kind)
    }

    fn words(&mut self) {
        while let Some(c) = self.char().filter(|c| is_word(*c)) {
            self.pos += c.len_utf8();
        }
    }

    fn field_or_variable(&mut self, kind: Tok, alone: Tok) -> Token {
        if self.at_terminator() {
            return self.emit(alone);
        }
        self.words();
        if self.at_terminator() { self.emit(kind) } else { self.bad_character() }
    }

    fn bad_character(&mut self) -> Token {
        let span = self.here();
        let shown = self.char().map_or_else(String::new, quote::code_point);
        self.error(format!("bad character {shown}"), span)
    }

    fn at_terminator(&self) -> bool {
        match self.byte() {
            None | Some(b'.' | b',' | b'|' | b':' | b')' | b'(') => true,
            Some(byte) if is_space(byte) => true,
            Some(_) => self.rest().starts_with(b"}}"),
        }
    }

    /// `lexQuote` and `lexChar`: an escaped character never ends it, a line break always does.
    fn quoted(&mut self, end: u8, kind: Tok, unterminated: &str) -> Token {
        while let Some(byte) = self.byte() {
            if byte == b'\n' {
                break;
            }
            self.pos += 1;
            if byte == b'\\' {
                match self.byte() {
                    None | Some(b'\n') => break,
                    Some(_) => self.pos += 1,
                }
            } else if byte == end {
                return self.emit(kind);
            }
        }
        let span = Span::new(self.start as u32, self.pos as u32);
        self.error(unterminated.to_owned(), span)
    }

    fn raw(&mut self) -> Token {
        let Some(length) = memchr::memchr(b'`', self.rest()) else {
            let span = Span::new(self.start as u32, self.start as u32 + 1);
            return self.fail("unterminated raw quoted string".to_owned(), span, true);
        };
        self.pos += length + 1;
        self.emit(Tok::RawString)
    }

    fn number(&mut self) -> Token {
        let mut ok = self.scan_number();
        let mut kind = Tok::Number;
        if ok && matches!(self.byte(), Some(b'+' | b'-')) {
            // Complex: 1+2i. No spaces, must end in `i`.
            kind = Tok::Complex;
            ok = self.scan_number() && self.bytes()[self.pos - 1] == b'i';
        }
        if ok {
            return self.emit(kind);
        }
        let span = Span::new(self.start as u32, self.pos as u32);
        let shown = quote::quote(span.slice(self.text));
        self.error(format!("bad number syntax: {shown}"), span)
    }

    fn accept(&mut self, set: &[u8]) -> bool {
        let found = self.byte().is_some_and(|byte| set.contains(&byte));
        self.pos += usize::from(found);
        found
    }

    fn accept_run(&mut self, set: &[u8]) {
        while self.accept(set) {}
    }

    fn scan_number(&mut self) -> bool {
        const DECIMAL: &[u8] = b"0123456789_";
        let (mut digits, mut exponent): (&[u8], &[u8]) = (DECIMAL, b"eE");
        self.accept(b"+-");
        if self.accept(b"0") {
            // A leading 0 does not mean octal in floats.
            if self.accept(b"xX") {
                (digits, exponent) = (b"0123456789abcdefABCDEF_", b"pP");
            } else if self.accept(b"oO") {
                (digits, exponent) = (b"01234567_", b"");
            } else if self.accept(b"bB") {
                (digits, exponent) = (b"01_", b"");
            }
        }
        self.accept_run(digits);
        if self.accept(b".") {
            self.accept_run(digits);
        }
        if self.accept(exponent) {
            self.accept(b"+-");
            self.accept_run(DECIMAL);
        }
        self.accept(b"i");
        match self.char().filter(|c| is_word(*c)) {
            Some(c) => {
                self.pos += c.len_utf8();
                false
            }
            None => true,
        }
    }
}

/// Offset of the next `{{` at or behind `from`.
pub(super) fn find_open(bytes: &[u8], from: usize) -> Option<usize> {
    memchr::memchr_iter(b'{', &bytes[from..])
        .map(|at| from + at)
        .find(|at| bytes.get(at + 1) == Some(&b'{'))
}
