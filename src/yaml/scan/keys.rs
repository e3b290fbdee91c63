//! Simple keys: what may turn out to be a key when a `:` follows on its line.

use super::super::error::{ErrorKind, YamlError};
use super::{BLANK, BREAK, CLASS, END, MAX_KEY, Scan, Scanner, SimpleKey};
use crate::source::Span;

impl Scanner {
    /// Whether the first token of the queue may still have to be preceded by a KEY token.
    pub(super) fn head_may_be_key(&mut self) -> Scan<bool> {
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

    pub(super) fn key_is_valid(&mut self, index: usize) -> Scan<bool> {
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

    pub(super) fn missing_colon(&self, key: SimpleKey) -> Box<YamlError> {
        let mut end = key.start;
        while CLASS[self.bytes[end] as usize] & (BREAK | END) == 0 {
            end += 1;
        }
        while end > key.start && CLASS[self.bytes[end - 1] as usize] & BLANK != 0 {
            end -= 1;
        }
        YamlError::new(ErrorKind::MissingColon, Span::new(key.start as u32, end as u32))
    }

    pub(super) fn save_key(&mut self) -> Scan<()> {
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

    pub(super) fn remove_key(&mut self) -> Scan<()> {
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
    pub(super) fn settle_key(&mut self) -> Scan<()> {
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
}
