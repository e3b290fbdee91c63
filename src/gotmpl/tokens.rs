//! The parser's view of tokens and errors: Go's lookahead, and what is said about a token that does not fit.
//!
//! Go keeps three tokens, of which the first is always the last one that was lexed; an error names the line of that one, not
//! of the token it complains about. So the same three are kept here.

use super::error::ParseError;
use super::lex::{Tok, Token};
use super::parse::{Parsed, Parser, Stop};
use super::quote;
use super::unicode::is_word;
use crate::source::Span;

impl Parser<'_> {
    pub(super) fn next(&mut self) -> Token {
        if self.peeked > 0 {
            self.peeked -= 1;
        } else {
            self.token[0] = self.lex.next();
        }
        self.token[self.peeked]
    }

    pub(super) fn backup(&mut self) {
        self.peeked += 1;
    }

    pub(super) fn backup2(&mut self, earlier: Token) {
        self.token[1] = earlier;
        self.peeked = 2;
    }

    pub(super) fn backup3(&mut self, earliest: Token, earlier: Token) {
        self.token[1] = earlier;
        self.token[2] = earliest;
        self.peeked = 3;
    }

    pub(super) fn peek(&mut self) -> Token {
        if self.peeked == 0 {
            self.peeked = 1;
            self.token[0] = self.lex.next();
        }
        self.token[self.peeked - 1]
    }

    pub(super) fn next_non_space(&mut self) -> Token {
        loop {
            let token = self.next();
            if token.kind != Tok::Space {
                return token;
            }
        }
    }

    pub(super) fn peek_non_space(&mut self) -> Token {
        let token = self.next_non_space();
        self.backup();
        token
    }

    pub(super) fn expect(&mut self, kind: Tok, context: &str) -> Parsed<Token> {
        let token = self.next_non_space();
        if token.kind == kind { Ok(token) } else { self.unexpected(token, context) }
    }

    // Errors.

    pub(super) fn unexpected<T>(&mut self, token: Token, context: &str) -> Parsed<T> {
        let Some(fault) = self.lex.fault.clone().filter(|_| token.kind == Tok::Error) else {
            let message = format!("unexpected {} in {context}", self.show(token));
            if token.kind == Tok::Define {
                // What it stands in has most likely lost its end.
                let open = self.top().head_span;
                return self.structural(token.span, message, Some(open));
            }
            return self.fail(token.span, message, None);
        };
        let help = self.help(&fault.message, fault.span);
        let mut message = fault.message;
        let line = |offset| self.tree.source.lines().line(offset);
        let mut started = None;
        if let Some(open) = self.action
            && line(open) != line(token.span.start)
        {
            let place = format!("started at {}:{}", self.tree.name, line(open));
            // Not "unclosed action in action".
            let join = if message.ends_with(" action") { "" } else { "in action " };
            message = format!("{message} {join}{place}");
            started = Some(Span::new(open, open + 2));
        }
        self.hopeless |= fault.hopeless;
        self.fail_with(fault.span, message, started, help)
    }

    /// What to write instead of a word that goes on with a character that words don't have.
    fn help(&self, message: &str, at: Span) -> Option<String> {
        let (before, after) = (&self.text[..at.start as usize], &self.text[at.start as usize..]);
        if message == "bad character U+003D '='" {
            return Some("put a space before `=`".to_owned());
        }
        if message != "bad character U+002D '-'" {
            return None;
        }
        let word = |c: char| is_word(c) || matches!(c, '.' | '$');
        let start = before.rfind(|c| !word(c)).map_or(0, |found| found + 1);
        let end = after.find(|c| !is_word(c) && c != '-').unwrap_or(after.len());
        let (base, head) = before.get(start..)?.rsplit_once('.')?;
        let base = if base.is_empty() { "." } else { base };
        Some(format!("write `index {base} \"{head}{}\"`", after[..end].trim_end_matches('-')))
    }

    /// Go's `item.String()`.
    pub(super) fn show(&self, token: Token) -> String {
        let text = token.span.slice(self.text);
        if token.kind >= Tok::Block {
            return format!("<{text}>");
        }
        if text.len() <= 10 {
            return quote::quote(text);
        }
        let cut = text.char_indices().nth(10).map_or(text.len(), |(at, _)| at);
        format!("{}...", quote::quote(&text[..cut]))
    }

    pub(super) fn fail<T>(
        &mut self,
        span: Span,
        message: String,
        context: Option<Span>,
    ) -> Parsed<T> {
        self.fail_with(span, message, context, None)
    }

    pub(super) fn fail_with<T>(
        &mut self,
        span: Span,
        message: String,
        context: Option<Span>,
        help: Option<String>,
    ) -> Parsed<T> {
        let line = self.tree.source.lines().line(self.token[0].span.start);
        self.tree.errors.push(ParseError { message, span, context, line, help });
        Err(Stop)
    }

    /// An error about the nesting: believed only while nothing has put the nesting in doubt.
    pub(super) fn structural<T>(
        &mut self,
        span: Span,
        message: String,
        context: Option<Span>,
    ) -> Parsed<T> {
        if !std::mem::replace(&mut self.trusted, false) {
            return Err(Stop);
        }
        self.fail(span, message, context)
    }

    /// An error about what is in scope, which follows from the nesting.
    pub(super) fn out_of_scope<T>(&mut self, span: Span, message: String) -> Parsed<T> {
        if self.trusted { self.fail(span, message, None) } else { Err(Stop) }
    }
}
