//! Scalars: where they end. Their text is decoded later, if ever.

use super::super::arena::Shape;
use super::super::error::{ErrorKind, YamlError};
use super::fast::Scalar;
use super::{BLANK, BREAK, CLASS, END, FLOW, Scan, Scanner, WIDE};
use crate::source::Span;

impl Scanner {
    pub(super) fn fetch_plain(&mut self) -> Scan<()> {
        self.save_key()?;
        self.key_allowed = false;
        let scalar = self.scan_plain()?;
        self.push_scalar(scalar);
        self.settle_key()
    }

    pub(super) fn scan_plain(&mut self) -> Scan<Scalar> {
        let start = self.pos;
        let indent = self.indent + 1;
        let mut end = start;
        let mut crossed = false;
        while !(self.bytes[self.pos] == b'#' || self.at_document_indicator()) {
            let (content_end, stopped) = if self.flow_level > 0 {
                self.plain_in_flow(self.pos)
            } else {
                self.plain_in_block(self.pos)
            };
            if content_end > self.pos {
                end = content_end;
                crossed = false;
            }
            self.pos = content_end;
            if stopped || !(self.skip_blanks_and_breaks(start, indent, &mut crossed)?) {
                break;
            }
            if self.flow_level == 0 && (self.column() as isize) < indent {
                break;
            }
        }
        if crossed {
            self.key_allowed = true;
        }
        Ok((Shape::Plain, start, end, 0))
    }

    /// End of the plain text at `from` on this line in block context, and whether an indicator ended it.
    fn plain_in_block(&self, from: usize) -> (usize, bool) {
        let line = &self.bytes[from..self.line_end];
        for at in memchr::memchr2_iter(b':', b'#', line) {
            let at = from + at;
            if self.bytes[at] == b':' {
                if self.is_blankz(at + 1) {
                    return (self.trim_blanks(from, at), true);
                }
            } else if CLASS[self.bytes[at - 1] as usize] & BLANK != 0 {
                return (self.trim_blanks(from, at), true);
            }
        }
        (self.trim_blanks(from, self.line_end), false)
    }

    /// The same in flow context, where commas and brackets end it too.
    fn plain_in_flow(&self, from: usize) -> (usize, bool) {
        let mut at = from;
        loop {
            let byte = self.bytes[at];
            let class = CLASS[byte as usize];
            let ends = class & FLOW != 0
                || (byte == b':' && self.is_blankz(at + 1))
                || (byte == b'#' && at > from && CLASS[self.bytes[at - 1] as usize] & BLANK != 0);
            if ends {
                return (self.trim_blanks(from, at), true);
            }
            if class & (BREAK | END) != 0 || (class & WIDE != 0 && self.break_len(at) > 0) {
                return (self.trim_blanks(from, at), false);
            }
            at += 1;
        }
    }

    fn trim_blanks(&self, from: usize, mut to: usize) -> usize {
        while to > from && CLASS[self.bytes[to - 1] as usize] & BLANK != 0 {
            to -= 1;
        }
        to
    }

    /// Step over blanks and line breaks behind a part of a plain scalar. False where something else follows.
    fn skip_blanks_and_breaks(
        &mut self,
        start: usize,
        indent: isize,
        crossed: &mut bool,
    ) -> Scan<bool> {
        let from = self.pos;
        loop {
            let byte = self.bytes[self.pos];
            if byte == b' ' {
                self.skip_spaces();
            } else if byte == b'\t' {
                if *crossed && (self.column() as isize) < indent {
                    return Err(YamlError::within(
                        ErrorKind::PlainTab,
                        self.char_span(self.pos),
                        start as u32,
                    ));
                }
                self.pos += 1;
            } else if self.break_len(self.pos) > 0 {
                self.take_break();
                *crossed = true;
            } else {
                return Ok(self.pos > from);
            }
        }
    }

    pub(super) fn fetch_quoted(&mut self, shape: Shape) -> Scan<()> {
        self.save_key()?;
        self.key_allowed = false;
        let scalar = self.scan_quoted(shape)?;
        self.push_scalar(scalar);
        self.settle_key()
    }

    pub(super) fn scan_quoted(&mut self, shape: Shape) -> Scan<Scalar> {
        let start = self.pos;
        let double = shape == Shape::DoubleQuoted;
        let quote = if double { b'"' } else { b'\'' };
        self.pos += 1;
        loop {
            if self.at_document_indicator() {
                return Err(self.in_quotes(ErrorKind::QuoteDocument, self.pos, start));
            }
            let line = &self.bytes[self.pos..self.line_end];
            let hit = if double {
                memchr::memchr2(b'"', b'\\', line)
            } else {
                memchr::memchr(b'\'', line)
            };
            if let Some(at) = hit {
                self.pos += at;
                if self.bytes[self.pos] == b'\\' {
                    self.skip_escape(start)?;
                } else if !double && self.bytes[self.pos + 1] == quote {
                    self.pos += 2;
                } else {
                    break;
                }
            } else {
                self.pos = self.line_end;
                if self.break_len(self.pos) == 0 {
                    return Err(self.in_quotes(ErrorKind::QuoteEnd, start, start));
                }
                self.take_break();
            }
        }
        self.pos += 1;
        Ok((shape, start, self.pos, 0))
    }

    fn in_quotes(&self, kind: ErrorKind, at: usize, start: usize) -> Box<YamlError> {
        YamlError::within(kind, self.char_span(at), start as u32)
    }

    fn skip_escape(&mut self, start: usize) -> Scan<()> {
        let at = self.pos;
        if self.break_len(at + 1) > 0 {
            self.pos += 1;
            self.take_break();
            return Ok(());
        }
        let digits = match self.bytes[at + 1] {
            b'0' | b'a' | b'b' | b't' | b'\t' | b'n' | b'v' | b'f' | b'r' | b'e' | b' ' | b'"'
            | b'\'' | b'\\' | b'N' | b'_' | b'L' | b'P' => 0,
            b'/' if self.json => 0,
            b'x' => 2,
            b'u' => 4,
            b'U' => 8,
            0 => return Err(self.in_quotes(ErrorKind::QuoteEnd, start, start)),
            _ => {
                let c = self.char_at(at + 1);
                return Err(self.escape_error(ErrorKind::UnknownEscape(c), 2, start));
            }
        };
        let mut value: u32 = 0;
        for digit in &self.bytes[at + 2..(at + 2 + digits).min(self.bytes.len())] {
            let Some(digit) = (*digit as char).to_digit(16) else {
                return Err(self.escape_error(ErrorKind::HexEscape, 2, start));
            };
            value = value.wrapping_shl(4) | digit;
        }
        let half = self.json && (0xD800..0xE000).contains(&value);
        if digits > 0 && char::from_u32(value).is_none() && !half {
            return Err(self.escape_error(ErrorKind::EscapeRange, 2 + digits, start));
        }
        self.pos += 2 + digits;
        Ok(())
    }

    fn escape_error(&self, kind: ErrorKind, width: usize, start: usize) -> Box<YamlError> {
        let end = self.char_span(self.pos + width - 1).end.min(self.len as u32);
        YamlError::within(kind, Span::new(self.pos as u32, end), start as u32)
    }

    pub(super) fn fetch_block_scalar(&mut self, shape: Shape) -> Scan<()> {
        self.remove_key()?;
        let scalar = self.scan_block_scalar(shape)?;
        self.push_scalar(scalar);
        Ok(())
    }

    pub(super) fn scan_block_scalar(&mut self, shape: Shape) -> Scan<Scalar> {
        self.key_allowed = true;
        let start = self.pos;
        self.pos += 1;
        let increment = self.block_header(start)?;
        while CLASS[self.bytes[self.pos] as usize] & BLANK != 0 {
            self.pos += 1;
        }
        if self.bytes[self.pos] == b'#' {
            self.take_comment();
        }
        if !self.is_breakz(self.pos) {
            let end = self.line_end as u32;
            return Err(YamlError::new(ErrorKind::CommentOrBreak, Span::new(self.pos as u32, end)));
        }
        if self.break_len(self.pos) > 0 {
            self.take_break();
        }
        let mut end = self.pos;
        let mut indent = match increment {
            0 => 0,
            n if self.indent >= 0 => self.indent.unsigned_abs() + n,
            n => n,
        };
        self.block_breaks(&mut indent, &mut end, start)?;
        while self.column() == indent && self.bytes[self.pos] != 0 {
            self.pos = self.line_end;
            end = self.pos;
            if self.break_len(self.pos) > 0 {
                self.take_break();
            }
            self.block_breaks(&mut indent, &mut end, start)?;
        }
        Ok((shape, start, end, indent as u32))
    }

    /// Chomping and indentation indicators, in any order; the indentation if it is given.
    fn block_header(&mut self, start: usize) -> Scan<usize> {
        let mut increment = 0;
        let mut chomped = false;
        for _ in 0..2 {
            match self.bytes[self.pos] {
                b'+' | b'-' if !chomped => chomped = true,
                b'0' if increment == 0 => {
                    return Err(self.in_quotes(ErrorKind::IndentZero, self.pos, start));
                }
                digit @ b'1'..=b'9' if increment == 0 => increment = usize::from(digit - b'0'),
                _ => break,
            }
            self.pos += 1;
        }
        Ok(increment)
    }

    /// Eat indentation and empty lines; find the indentation if it isn't known yet.
    fn block_breaks(&mut self, indent: &mut usize, end: &mut usize, start: usize) -> Scan<()> {
        *end = self.pos;
        let mut deepest = 0;
        loop {
            let most = if *indent == 0 { usize::MAX } else { self.line_start + *indent };
            self.skip_spaces_to(most);
            deepest = deepest.max(self.column());
            if (*indent == 0 || self.column() < *indent) && self.bytes[self.pos] == b'\t' {
                return Err(self.in_quotes(ErrorKind::BlockTab, self.pos, start));
            }
            if self.break_len(self.pos) == 0 {
                break;
            }
            self.take_break();
            *end = self.pos;
        }
        if *indent == 0 {
            *indent = deepest.max((self.indent + 1).unsigned_abs()).max(1);
        }
        Ok(())
    }
}
