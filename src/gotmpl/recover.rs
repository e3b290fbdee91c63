//! Going on behind an error, so that three broken actions are three findings.
//!
//! Go stops at the first error. Here the rest of the broken action is skipped, its effect on the nesting is made (a broken
//! `if` still needs its `end`), and its variables count as declared. Where it is unclear what the action was meant to be, or
//! where it ends, later errors about the nesting are not believed: silence is better than a follow-up.

use super::ast::{Kind, NodeId, Nodes, Tag, TagId, TagKind};
use super::frames::Construct;
use super::functions;
use super::lex::{self, Tok, Token};
use super::parse::{Current, MAX_ERRORS, Parser};
use super::unicode::is_word;
use crate::source::Span;

impl<'s> Parser<'s> {
    /// Clean up after the error that was just noted; false if nothing more can be said.
    pub(super) fn recover(&mut self) -> bool {
        if self.hopeless || self.tree.errors.len() >= MAX_ERRORS {
            return false;
        }
        let last = self.token[0];
        self.operands.clear();
        self.peeked = 0;
        let Some(current) = self.current.take() else {
            // Outside of actions only comments can be wrong.
            let Some(fault) = self.lex.fault.take() else { return false };
            let open = Span::at(self.lex.opened);
            let opened = Token { kind: Tok::LeftDelim, span: open, trim: false };
            return self.resume_on_line(opened, fault.span.start).is_some();
        };
        let open = current.open.span;
        // Behind its right delimiter the lexer is where it has to be.
        let closed = last.kind == Tok::RightDelim && last.span.start >= open.end;
        let tag = if closed {
            let trim = (current.open.trim, last.trim);
            if current.applied { None } else { Some(self.broken(open.to(last.span), trim)) }
        } else {
            match self.skip_action(current.open, last.span.start) {
                Some(tag) => Some(tag),
                None => return false,
            }
        };
        self.declare_all(tag.map_or(open.to(last.span), |tag| self.tree.tag(tag).span));
        if let Some(tag) = tag
            && !current.applied
        {
            self.apply(current, tag);
        }
        self.current = None;
        !self.hopeless
    }

    /// Make the effect on the nesting that a broken action was to have.
    fn apply(&mut self, current: Current, tag: TagId) {
        self.current = Some(current);
        let construct = match current.keyword {
            Some(Tok::If) => Construct::If,
            Some(Tok::With) => Construct::With,
            Some(Tok::Range) => Construct::Range,
            Some(Tok::Define) => Construct::Define,
            Some(Tok::Block) => Construct::Block,
            Some(Tok::Else) => {
                let top = self.top();
                let control =
                    matches!(top.construct, Construct::If | Construct::With | Construct::Range);
                if control && top.otherwise.is_none() {
                    let construct = top.construct;
                    self.switch(tag);
                    // `else f .x` may have been an `else if`.
                    self.trusted &= current.chained;
                    if current.chained {
                        let pipe = self.empty_pipe(tag);
                        self.hopeless |= self.open(construct, tag, Some(pipe)).is_err();
                    }
                }
                return;
            }
            Some(Tok::End) => {
                // A second definition of the name is an error of its own, and is noted by `close`.
                let _ = self.close(Some(tag));
                return;
            }
            Some(Tok::Identifier | Tok::Error) | None => {
                let start = self.tree.tag(tag).open().end as usize;
                let word = self.text[start..].trim_start();
                let word = &word[..word.find(|c| !is_word(c)).unwrap_or(word.len())];
                let cut = current.keyword != Some(Tok::Identifier) && !word.is_empty();
                if !functions::is_defined(word) && (cut || functions::may_be_keyword(word)) {
                    self.trusted = false;
                }
                return;
            }
            // A character that starts nothing, or a lone sign, may stand before anything.
            Some(Tok::Char | Tok::Number) => {
                self.trusted = false;
                return;
            }
            Some(_) => return,
        };
        let pipe = self.empty_pipe(tag);
        self.hopeless |= self.open(construct, tag, Some(pipe)).is_err();
    }

    fn empty_pipe(&mut self, tag: TagId) -> NodeId {
        let span = self.tree.tag(tag).span;
        let items = Nodes::default();
        self.node(span, span.start, Kind::Pipe { items, decls: 0, is_assign: false, parens: false })
    }

    /// Find the end of the broken action that starts at `opened`, reading from `from` on.
    fn skip_action(&mut self, opened: Token, from: u32) -> Option<TagId> {
        let open = opened.span;
        let mut at = match self.lex.fault.take() {
            Some(fault) => fault.span.start.max(from),
            None => from,
        };
        self.lex.resume_inside(at);
        loop {
            let token = self.lex.next();
            match token.kind {
                Tok::RightDelim => {
                    return Some(self.broken(open.to(token.span), (opened.trim, token.trim)));
                }
                Tok::Eof => return None,
                Tok::Char if self.text[token.span.start as usize..].starts_with("{{") => {
                    // It was never closed: here the next one starts.
                    return Some(self.unclosed(opened, token.span.start));
                }
                Tok::Error => {
                    let fault = self.lex.fault.take()?;
                    if fault.hopeless || fault.message.starts_with("unterminated") {
                        return self.resume_on_line(opened, at.max(fault.span.start));
                    }
                    // `name-{{ … }}`: the bad character may be the start of the next action.
                    let next = self.text[fault.span.start as usize..].starts_with("{{");
                    at = if next { fault.span.start } else { fault.span.end.max(token.span.end) };
                    self.lex.resume_inside(at);
                }
                _ => at = token.span.end,
            }
        }
    }

    /// With a quote that is never closed the lexer is no help: the first `}}` on the line is taken for the end.
    fn resume_on_line(&mut self, opened: Token, from: u32) -> Option<TagId> {
        let bytes = self.text.as_bytes();
        let rest = &bytes[from as usize..];
        let line = memchr::memchr(b'\n', rest).unwrap_or(rest.len());
        if let Some(close) = memchr::memmem::find(&rest[..line], b"}}") {
            let end = from + close as u32 + 2;
            let tag = self.broken(opened.span.to(Span::at(end)), (opened.trim, false));
            self.lex.resume_text(end);
            return Some(tag);
        }
        self.trusted = false;
        let next = lex::find_open(bytes, from as usize)? as u32;
        Some(self.unclosed(opened, next))
    }

    /// The broken action at `opened` has no end before `next`, where another one starts.
    fn unclosed(&mut self, opened: Token, next: u32) -> TagId {
        let open = opened.span;
        let line = self.tree.source.lines().line(open.start);
        if let Some(error) = self.tree.errors.last_mut() {
            error.context.get_or_insert(open);
            error
                .help
                .get_or_insert(format!("the action that starts on line {line} has no `}}}}`"));
        }
        let text = Span::new(open.start, next).slice(self.text);
        let end = text.find('\n').map_or(next, |at| open.start + at as u32);
        self.lex.resume_text(next);
        self.add_tag(Tag {
            span: Span::new(open.start, end.max(open.start + 2)),
            kind: TagKind::Broken,
            trim_left: opened.trim,
            trim_right: false,
        })
    }

    fn broken(&mut self, span: Span, (trim_left, trim_right): (bool, bool)) -> TagId {
        self.add_tag(Tag { span, kind: TagKind::Broken, trim_left, trim_right })
    }

    /// Declare every variable that is named in the broken action: its error is known, and is not repeated where
    /// they are used.
    fn declare_all(&mut self, span: Span) {
        let text: &'s str = self.text;
        let action = span.slice(text);
        for (at, _) in action.match_indices('$') {
            let rest = &action[at + 1..];
            let length = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
            let name = &action[at..=at + length];
            if !self.scope.defines(name) {
                self.scope.push(name);
            }
        }
    }
}
