//! Block collections: `key: value` lines and `- item` lines.

use super::super::arena::Shape;
use super::super::error::ErrorKind;
use super::super::scan::TokenKind;
use super::super::scan::fast::{Fast, FastValue};
use super::{Parse, Parser, Pending, State};

impl Parser {
    pub(super) fn block_mapping_key(&mut self) -> Parse<()> {
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

    pub(super) fn block_mapping_value(&mut self) -> Parse<()> {
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

    pub(super) fn block_sequence_entry(&mut self) -> Parse<()> {
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

    pub(super) fn indentless_entry(&mut self) -> Parse<()> {
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
}
