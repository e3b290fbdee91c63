//! The common line, `key: value`, without tokens.
//!
//! Most of any manifest is block mappings whose keys are plain words. Where the queue is empty and such a line
//! follows, the parser takes key and value from here; everything else goes through the tokens. Nothing is decided
//! here that the token path would decide otherwise: the conditions are exactly those under which it would produce
//! KEY, SCALAR, VALUE and then SCALAR or BLOCK-MAPPING-START.

use super::super::error::ErrorKind;
use super::super::node::Shape;
use super::{BLANK, CLASS, MAX_DEPTH, MAX_KEY, Scan, Scanner, WORD};

/// A scalar: shape, start, end, and the indentation of a block scalar's content.
pub(in super::super) type Scalar = (Shape, usize, usize, u32);

/// What follows a key.
pub(in super::super) enum FastValue {
    Scalar(Scalar),
    /// A block mapping whose first key starts here.
    Mapping(usize),
    /// Anything else: ask for tokens. The offset is the end of the `:`.
    Other(usize),
}

impl Scanner {
    /// The next key of the current block mapping, if it is a plain word with a `:` behind; start and end.
    pub(in super::super) fn fast_key(&mut self) -> Option<(usize, usize)> {
        if self.head != self.tokens.len()
            || self.flow_level > 0
            || self.ended
            || self.failure.is_some()
        {
            return None;
        }
        self.to_next_token();
        if !self.key_allowed || self.column() as isize != self.indent || self.keys[0].possible {
            return None;
        }
        let start = self.pos;
        let end = self.word_key(start)?;
        self.pos = end + 1;
        self.key_allowed = false;
        Some((start, end))
    }

    /// What stands behind a key that [`Scanner::fast_key`] gave.
    pub(in super::super) fn fast_value(&mut self) -> Scan<FastValue> {
        let colon = self.pos;
        while CLASS[self.bytes[self.pos] as usize] & BLANK != 0 {
            self.pos += 1;
        }
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
            b'\n' | b'\r' => {
                self.to_next_token();
                let column = self.column();
                if column as isize <= self.indent || self.word_key(self.pos).is_none() {
                    return Ok(FastValue::Other(colon));
                }
                self.indents.push(self.indent);
                self.indent = column as isize;
                if self.indents.len() > MAX_DEPTH {
                    return Err(self.error_at(ErrorKind::TooDeep, self.pos));
                }
                FastValue::Mapping(self.pos)
            }
            _ => FastValue::Other(colon),
        })
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
