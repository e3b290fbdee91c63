//! Where the scanner stands: lines, columns, blanks, comments.

use super::super::error::{ErrorKind, YamlError};
use super::{BLANK, BREAK, CLASS, END, Scanner, WIDE};
use crate::source::Span;

impl Scanner {
    pub(super) fn char_span(&self, at: usize) -> Span {
        let mut end = (at + 1).min(self.len.max(at));
        while end < self.len && self.bytes[end] & 0xC0 == 0x80 {
            end += 1;
        }
        Span::new(at as u32, end as u32)
    }

    pub(super) fn char_at(&self, at: usize) -> char {
        let span = self.char_span(at);
        String::from_utf8_lossy(self.slice(span)).chars().next().unwrap_or('\0')
    }

    pub(super) fn column(&self) -> usize {
        self.pos - self.line_start
    }

    /// Width of the line break at `at`, 0 if there is none.
    pub(super) fn break_len(&self, at: usize) -> usize {
        super::super::chars::break_len(&self.bytes[at..])
    }

    pub(super) fn is_blankz(&self, at: usize) -> bool {
        match CLASS[self.bytes[at] as usize] {
            class if class & (BLANK | BREAK | END) != 0 => true,
            class if class & WIDE != 0 => self.break_len(at) > 0,
            _ => false,
        }
    }

    pub(super) fn is_breakz(&self, at: usize) -> bool {
        self.bytes[at] == 0 || self.break_len(at) > 0
    }

    pub(super) fn find_line_end(&self, at: usize) -> usize {
        if self.odd_breaks {
            let mut end = at;
            while !self.is_breakz(end) {
                end += 1;
            }
            return end;
        }
        let end =
            memchr::memchr(b'\n', &self.bytes[at..self.len]).map_or(self.len, |next| at + next);
        if end > at && self.bytes[end - 1] == b'\r' { end - 1 } else { end }
    }

    /// Step over the line break at `pos`.
    pub(super) fn take_break(&mut self) {
        self.pos += self.break_len(self.pos);
        self.line += 1;
        self.line_start = self.pos;
        self.line_end = self.find_line_end(self.pos);
    }

    /// Step over spaces, eight at a time where there are.
    pub(super) fn skip_spaces(&mut self) {
        const EIGHT: [u8; 8] = [b' '; 8];
        let bytes = &self.bytes[..];
        let mut at = self.pos;
        // The text ends in eight NULs, so the last chunk is never all spaces.
        while let Some(chunk) = bytes.get(at..at + 8)
            && chunk == EIGHT
        {
            at += 8;
        }
        while bytes[at] == b' ' {
            at += 1;
        }
        self.pos = at;
    }

    /// The same, but not past `most`.
    pub(super) fn skip_spaces_to(&mut self, most: usize) {
        let from = self.pos;
        self.skip_spaces();
        self.pos = self.pos.min(most.max(from));
    }

    pub(super) fn at_document_indicator(&self) -> bool {
        self.pos == self.line_start
            && matches!(&self.bytes[self.pos..self.pos + 3], b"---" | b"...")
            && self.is_blankz(self.pos + 3)
    }

    pub(super) fn take_comment(&mut self) {
        let end =
            if self.line_end >= self.pos { self.line_end } else { self.find_line_end(self.pos) };
        self.comments.push(Span::new(self.pos as u32, end as u32));
        self.pos = end;
    }

    pub(super) fn seek_token(&mut self) {
        loop {
            self.skip_spaces();
            while self.bytes[self.pos] == b'\t' && (self.flow_level > 0 || !self.key_allowed) {
                self.pos += 1;
                self.skip_spaces();
            }
            if self.bytes[self.pos] == b'#' {
                self.take_comment();
            }
            if CLASS[self.bytes[self.pos] as usize] & (BREAK | WIDE) == 0
                || self.break_len(self.pos) == 0
            {
                return;
            }
            self.take_break();
            if self.flow_level == 0 {
                self.key_allowed = true;
            }
        }
    }

    pub(super) fn next_line(&self, at: usize) -> usize {
        memchr::memchr(b'\n', &self.bytes[at..self.len]).map_or(self.len, |next| at + next + 1)
    }

    pub(super) fn error_at(&self, kind: ErrorKind, at: usize) -> Box<YamlError> {
        YamlError::new(kind, self.char_span(at))
    }

    /// The first character in `from..to` that YAML refuses.
    pub(in super::super) fn illegal_between(
        &self,
        from: usize,
        to: usize,
    ) -> Option<(usize, char)> {
        let at = self.illegal.partition_point(|(offset, _)| *offset < from);
        self.illegal.get(at).copied().filter(|(offset, _)| *offset < to)
    }
}
