//! `-`, `?`, `:`, brackets, and the end of the text.

use super::super::error::ErrorKind;
use super::{MAX_DEPTH, Scan, Scanner, SimpleKey, TokenKind};

impl Scanner {
    pub(super) fn fetch_end(&mut self) -> Scan<()> {
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

    pub(super) fn fetch_flow_start(&mut self, kind: TokenKind) -> Scan<()> {
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

    pub(super) fn fetch_flow_end(&mut self, kind: TokenKind) -> Scan<()> {
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

    pub(super) fn fetch_entry(&mut self) -> Scan<()> {
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

    pub(super) fn fetch_key(&mut self) -> Scan<()> {
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

    pub(super) fn fetch_value(&mut self) -> Scan<()> {
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
