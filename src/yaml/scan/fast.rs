//! The common line, `key: value`, without tokens.
//!
//! Most of any manifest is block mappings whose keys are plain words. Where the queue is empty and such a line
//! follows, the parser takes key and value from here; everything else goes through the tokens. Nothing is decided
//! here that the token path would decide otherwise: the conditions are exactly those under which it would produce
//! KEY, SCALAR, VALUE and then SCALAR or BLOCK-MAPPING-START.

use std::cmp::Ordering;

use super::super::arena::Shape;
use super::super::error::ErrorKind;
use super::{BLANK, CLASS, MAX_DEPTH, MAX_KEY, Scan, Scanner, WORD};

/// A scalar: shape, start, end, and the indentation of a block scalar's content.
pub(in super::super) type Scalar = (Shape, usize, usize, u32);

/// What a block collection goes on with.
pub(in super::super) enum Fast {
    /// A key, from its first to behind its last byte.
    Key(usize, usize),
    /// A `-`; its offset.
    Entry(usize),
    /// The collection has ended.
    End,
    /// Anything else: ask for tokens.
    Unknown,
}

/// What follows a key or a `-`.
pub(in super::super) enum FastValue {
    Scalar(Scalar),
    /// A block mapping whose first key starts here.
    Mapping(usize),
    /// Anything else: ask for tokens.
    Unknown,
}

impl Scanner {
    /// Step to the next token in block context. False where only the queue knows what it is.
    fn fast_ahead(&mut self) -> bool {
        if self.head != self.tokens.len()
            || self.flow_level > 0
            || self.ended
            || self.failure.is_some()
        {
            return false;
        }
        self.seek_token();
        self.key_allowed && self.bytes[self.pos] != 0 && !self.keys[0].possible
    }

    /// How the current block mapping goes on.
    pub(in super::super) fn fast_key(&mut self) -> Fast {
        if !self.fast_ahead() {
            return Fast::Unknown;
        }
        match (self.column() as isize).cmp(&self.indent) {
            Ordering::Less => self.fast_end(),
            Ordering::Greater => Fast::Unknown,
            Ordering::Equal => match self.word_key(self.pos) {
                None => Fast::Unknown,
                Some(end) => {
                    let start = self.pos;
                    self.pos = end + 1;
                    self.key_allowed = false;
                    Fast::Key(start, end)
                }
            },
        }
    }

    /// How the current block sequence goes on. `indentless`: it stands at the indentation of its key.
    pub(in super::super) fn fast_entry(&mut self, indentless: bool) -> Fast {
        if !self.fast_ahead() {
            return Fast::Unknown;
        }
        let dash = self.bytes[self.pos] == b'-' && self.bytes[self.pos + 1] == b' ';
        match (self.column() as isize).cmp(&self.indent) {
            Ordering::Less if indentless => Fast::End,
            Ordering::Less => self.fast_end(),
            Ordering::Equal if dash => {
                self.pos += 1;
                Fast::Entry(self.pos - 1)
            }
            // A key at the indentation of an indentless sequence ends it; the mapping reads it.
            Ordering::Equal if indentless && self.word_key(self.pos).is_some() => Fast::End,
            _ => Fast::Unknown,
        }
    }

    fn fast_end(&mut self) -> Fast {
        self.indent = self.indents.pop().unwrap_or(-1);
        Fast::End
    }

    /// What stands behind a key that [`Scanner::fast_key`] gave.
    pub(in super::super) fn fast_value(&mut self) -> Scan<FastValue> {
        self.skip_blanks();
        if matches!(self.bytes[self.pos], b'\n' | b'\r') {
            self.seek_token();
            if self.column() as isize <= self.indent || self.word_key(self.pos).is_none() {
                return Ok(FastValue::Unknown);
            }
            return self.fast_mapping();
        }
        self.fast_scalar()
    }

    /// What stands behind a `-` that [`Scanner::fast_entry`] gave.
    pub(in super::super) fn fast_item(&mut self) -> Scan<FastValue> {
        self.skip_spaces();
        if self.word_key(self.pos).is_some() {
            return self.fast_mapping();
        }
        let back = (self.pos, self.line, self.line_start, self.line_end);
        self.key_allowed = false;
        let value = self.fast_scalar()?;
        let mut at = self.pos;
        while CLASS[self.bytes[at] as usize] & BLANK != 0 {
            at += 1;
        }
        let settled = match value {
            FastValue::Scalar((Shape::Literal | Shape::Folded, ..)) => true,
            FastValue::Scalar(_) => self.bytes[at] != b':',
            _ => false,
        };
        if settled {
            return Ok(value);
        }
        // A key after all, or nothing that is known here: let the tokens tell.
        (self.pos, self.line, self.line_start, self.line_end) = back;
        self.key_allowed = true;
        Ok(FastValue::Unknown)
    }

    fn fast_scalar(&mut self) -> Scan<FastValue> {
        Ok(match self.bytes[self.pos] {
            b'A'..=b'Z'
            | b'a'..=b'z'
            | b'0'..=b'9'
            | b'_'
            | b'^'
            | b'.'
            | b'/'
            | b'$'
            | b'('
            | b'<' => FastValue::Scalar(self.scan_plain()?),
            b'"' => FastValue::Scalar(self.scan_quoted(Shape::DoubleQuoted)?),
            b'\'' => FastValue::Scalar(self.scan_quoted(Shape::SingleQuoted)?),
            b'|' => FastValue::Scalar(self.scan_block_scalar(Shape::Literal)?),
            b'>' => FastValue::Scalar(self.scan_block_scalar(Shape::Folded)?),
            _ => FastValue::Unknown,
        })
    }

    fn fast_mapping(&mut self) -> Scan<FastValue> {
        self.indents.push(self.indent);
        self.indent = self.column() as isize;
        if self.indents.len() > MAX_DEPTH {
            return Err(self.error_at(ErrorKind::TooDeep, self.pos));
        }
        Ok(FastValue::Mapping(self.pos))
    }

    fn skip_blanks(&mut self) {
        while CLASS[self.bytes[self.pos] as usize] & BLANK != 0 {
            self.pos += 1;
        }
    }

    /// End of the word at `start` when `:` and a blank follow.
    fn word_key(&self, start: usize) -> Option<usize> {
        let first = self.bytes[start];
        if !(first.is_ascii_alphanumeric() || first == b'_') {
            return None;
        }
        let mut end = start + 1;
        while CLASS[self.bytes[end] as usize] & WORD != 0
            || matches!(self.bytes[end], b'.' | b'/' | b'$')
        {
            end += 1;
        }
        let is_key = self.bytes[end] == b':' && end - start <= MAX_KEY && self.is_blankz(end + 1);
        is_key.then_some(end)
    }
}
