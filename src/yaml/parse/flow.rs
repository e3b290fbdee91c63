//! Flow collections: `[a, b]`, `{a: 1}`, and the pair in `[a: 1]`.

use super::super::arena::Shape;
use super::super::error::ErrorKind;
use super::super::scan::TokenKind;
use super::{Parse, Parser, Pending, State};

impl Parser {
    pub(super) fn flow_sequence_entry(&mut self, first: bool) -> Parse<()> {
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

    pub(super) fn flow_pair_key(&mut self) -> Parse<()> {
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

    pub(super) fn flow_pair_value(&mut self) -> Parse<()> {
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

    pub(super) fn flow_mapping_key(&mut self, first: bool) -> Parse<()> {
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

    pub(super) fn flow_mapping_value(&mut self) -> Parse<()> {
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
}
