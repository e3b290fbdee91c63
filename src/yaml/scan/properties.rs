//! Anchors, aliases, tags and directives.

use super::super::error::{ErrorKind, YamlError};
use super::{BLANK, CLASS, Scan, Scanner, TokenKind, URI, WORD};
use crate::source::Span;

impl Scanner {
    pub(super) fn fetch_anchor(&mut self, kind: TokenKind) -> Scan<()> {
        self.save_key()?;
        self.key_allowed = false;
        let start = self.pos;
        self.pos = self.skip_class(start + 1, WORD);
        let ends = self.is_blankz(self.pos)
            || matches!(
                self.bytes[self.pos],
                b'?' | b':' | b',' | b']' | b'}' | b'%' | b'@' | b'`'
            );
        if self.pos == start + 1 || !ends {
            return Err(self.error_from(ErrorKind::AnchorName, start));
        }
        self.push(kind, start, self.pos);
        if kind == TokenKind::Alias { self.settle_key() } else { Ok(()) }
    }

    pub(super) fn fetch_tag(&mut self) -> Scan<()> {
        self.save_key()?;
        self.key_allowed = false;
        let start = self.pos;
        if self.bytes[start + 1] == b'<' {
            self.pos = self.tag_uri(start + 2, false)?;
            if self.bytes[self.pos] != b'>' {
                return Err(self.error_from(ErrorKind::TagClose, start));
            }
            self.pos += 1;
        } else {
            let handle = self.tag_handle(start);
            let is_handle = handle - start > 1 && self.bytes[handle - 1] == b'!';
            // Where it was no handle after all, its text is the start of the tag, which may be just `!`.
            self.pos = self.tag_uri(handle, !is_handle)?;
        }
        if !self.is_blankz(self.pos) {
            return Err(self.error_from(ErrorKind::TagEnd, start));
        }
        self.push(TokenKind::Tag, start, self.pos);
        Ok(())
    }

    pub(super) fn fetch_directive(&mut self) -> Scan<()> {
        self.unroll_indent(-1);
        self.remove_key()?;
        self.key_allowed = false;
        let start = self.pos;
        let name_end = self.skip_class(start + 1, WORD);
        self.pos = name_end;
        if name_end == start + 1 {
            return Err(self.error_from(ErrorKind::DirectiveName, start));
        }
        if !self.is_blankz(name_end) {
            return Err(self.error_from(ErrorKind::DirectiveCharacter, start));
        }
        let end = match &self.bytes[start + 1..name_end] {
            b"YAML" => self.version_directive(start)?,
            b"TAG" => self.tag_directive(start)?,
            _ => return Err(self.error_from(ErrorKind::UnknownDirective, start)),
        };
        self.pos = self.skip_class(end, BLANK);
        if self.bytes[self.pos] == b'#' {
            self.take_comment();
        }
        if !self.is_breakz(self.pos) {
            return Err(self.error_from(ErrorKind::CommentOrBreak, start));
        }
        if self.break_len(self.pos) > 0 {
            self.take_break();
        }
        Ok(())
    }

    fn version_directive(&mut self, start: usize) -> Scan<usize> {
        let major = self.skip_class(self.pos, BLANK);
        let point = self.version_number(major, start)?;
        if self.bytes[point] != b'.' {
            return Err(self.error_from(ErrorKind::DirectivePoint, start));
        }
        let end = self.version_number(point + 1, start)?;
        let ours = &self.bytes[major..end] == b"1.1"
            || (self.number(major, point) == 1 && self.number(point + 1, end) == 1);
        self.push(TokenKind::VersionDirective, start, end);
        if let Some(token) = self.tokens.last_mut() {
            token.aux = u32::from(ours);
        }
        Ok(end)
    }

    fn version_number(&self, from: usize, start: usize) -> Scan<usize> {
        let mut end = from;
        while self.bytes[end].is_ascii_digit() {
            end += 1;
        }
        if end == from || end - from > 2 {
            return Err(self.error_from(ErrorKind::DirectiveVersion, start));
        }
        Ok(end)
    }

    fn number(&self, from: usize, to: usize) -> u32 {
        self.bytes[from..to].iter().fold(0, |n, digit| n * 10 + u32::from(digit - b'0'))
    }

    fn tag_directive(&mut self, start: usize) -> Scan<usize> {
        let handle = self.skip_class(self.pos, BLANK);
        if self.bytes[handle] != b'!' {
            return Err(self.error_from(ErrorKind::TagHandle, start));
        }
        let handle_end = self.tag_handle(handle);
        if handle_end - handle > 1 && self.bytes[handle_end - 1] != b'!' {
            return Err(self.error_from(ErrorKind::TagHandle, start));
        }
        if CLASS[self.bytes[handle_end] as usize] & BLANK == 0 {
            return Err(self.error_from(ErrorKind::TagEnd, start));
        }
        let prefix = self.skip_class(handle_end, BLANK);
        let end = self.tag_uri(prefix, false)?;
        if !self.is_blankz(end) {
            return Err(self.error_from(ErrorKind::TagEnd, start));
        }
        self.push(TokenKind::TagDirective, start, end);
        if let Some(token) = self.tokens.last_mut() {
            token.aux = self.tag_directives.len() as u32;
        }
        let span = |from: usize, to: usize| Span::new(from as u32, to as u32);
        self.tag_directives.push((span(handle, handle_end), span(prefix, end)));
        Ok(end)
    }

    /// End of `!`, `!word` or `!word!`.
    fn tag_handle(&self, start: usize) -> usize {
        let end = self.skip_class(start + 1, WORD);
        if self.bytes[end] == b'!' { end + 1 } else { end }
    }

    fn tag_uri(&self, from: usize, may_be_empty: bool) -> Scan<usize> {
        let mut end = from;
        while CLASS[self.bytes[end] as usize] & URI != 0 {
            if self.bytes[end] == b'%' {
                let hex = self.bytes[end + 1].is_ascii_hexdigit()
                    && self.bytes[end + 2].is_ascii_hexdigit();
                if !hex {
                    return Err(self.error_from(ErrorKind::TagEscape, end));
                }
                end += 2;
            }
            end += 1;
        }
        if end == from && !may_be_empty {
            return Err(self.error_from(ErrorKind::TagUri, from));
        }
        Ok(end)
    }

    fn skip_class(&self, mut at: usize, class: u8) -> usize {
        while CLASS[self.bytes[at] as usize] & class != 0 {
            at += 1;
        }
        at
    }

    /// An error about the text from `start` up to where the scanner stands.
    fn error_from(&self, kind: ErrorKind, start: usize) -> Box<YamlError> {
        let end = self.char_span(self.pos.max(start)).end.min(self.len as u32);
        YamlError::new(kind, Span::new(start as u32, end.max(start as u32)))
    }
}
