//! Source text and places in it.
//!
//! Everything that crdlint says points into a [`Source`]. Parsers hand out byte offsets ([`Span`]) and nothing
//! else; this module is the only place where an offset becomes a line and a column. It knows nothing of YAML,
//! templates or charts.

use std::fmt;
use std::sync::{Arc, OnceLock};

/// The largest text that crdlint reads, in bytes. Kubernetes refuses requests above 3 MiB and Helm refuses chart
/// files above 5 MiB, so a larger "manifest" is data that was named by mistake.
pub const MAX_SOURCE_BYTES: u64 = 32 * 1024 * 1024;

/// A half-open range of byte offsets into one source.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    /// Offset of the first byte.
    pub start: u32,
    /// Offset behind the last byte.
    pub end: u32,
}

impl Span {
    /// A span from `start` up to, not including, `end`.
    pub const fn new(start: u32, end: u32) -> Self {
        Self { start, end }
    }

    /// The empty span at `offset`.
    pub const fn at(offset: u32) -> Self {
        Self { start: offset, end: offset }
    }

    /// Length in bytes.
    pub const fn len(self) -> u32 {
        self.end - self.start
    }

    /// Whether the span holds no byte.
    pub const fn is_empty(self) -> bool {
        self.start == self.end
    }

    /// Whether `offset` lies inside.
    pub const fn contains(self, offset: u32) -> bool {
        self.start <= offset && offset < self.end
    }

    /// The smallest span that covers both.
    #[must_use]
    pub fn to(self, other: Self) -> Self {
        Self::new(self.start.min(other.start), self.end.max(other.end))
    }

    /// The text of the span in `text`, empty where the span does not fit.
    pub fn slice(self, text: &str) -> &str {
        text.get(self.start as usize..self.end as usize).unwrap_or("")
    }
}

/// A line and a column, both counted from 1; the column counts characters, as editors and CI annotations do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Position {
    /// Line, from 1.
    pub line: u32,
    /// Column in characters, from 1.
    pub column: u32,
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.line, self.column)
    }
}

/// Offsets of line starts. Lines end at LF; a CR before it belongs to the line end.
#[derive(Debug)]
pub struct LineIndex {
    starts: Vec<u32>,
}

impl LineIndex {
    /// Index `text`.
    pub fn new(text: &str) -> Self {
        let mut starts = vec![0];
        starts.extend(memchr::memchr_iter(b'\n', text.as_bytes()).map(|at| at as u32 + 1));
        Self { starts }
    }

    /// Line (from 1) that holds `offset`.
    pub fn line(&self, offset: u32) -> u32 {
        self.starts.partition_point(|start| *start <= offset) as u32
    }

    /// Offset at which `line` (from 1) starts, if there is such a line.
    pub fn start(&self, line: u32) -> Option<u32> {
        self.starts.get((line as usize).checked_sub(1)?).copied()
    }

    /// Number of lines; a final line break opens a last, empty line.
    pub fn count(&self) -> u32 {
        self.starts.len() as u32
    }
}

/// One text with its name: a file, a member of a chart archive, or standard input.
#[derive(Debug)]
pub struct Source {
    path: String,
    member: Option<String>,
    text: String,
    lines: OnceLock<LineIndex>,
}

impl Source {
    /// A source from text. `path` is what users are shown: relative to the current directory, with `/`.
    pub fn new(path: impl Into<String>, text: impl Into<String>) -> Arc<Self> {
        Arc::new(Self {
            path: path.into(),
            member: None,
            text: text.into(),
            lines: OnceLock::new(),
        })
    }

    /// A member of the archive at `path`.
    pub fn member(
        path: impl Into<String>,
        member: impl Into<String>,
        text: impl Into<String>,
    ) -> Arc<Self> {
        Arc::new(Self {
            path: path.into(),
            member: Some(member.into()),
            text: text.into(),
            lines: OnceLock::new(),
        })
    }

    /// Path that users are shown; for a member, the path of its archive.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// Path inside the archive, if the source is a member of one.
    pub fn archive_member(&self) -> Option<&str> {
        self.member.as_deref()
    }

    /// `path`, or `path!member` for a member of an archive.
    pub fn display_path(&self) -> String {
        match &self.member {
            Some(member) => format!("{}!{member}", self.path),
            None => self.path.clone(),
        }
    }

    /// The whole text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The line index, built on first use.
    pub fn lines(&self) -> &LineIndex {
        self.lines.get_or_init(|| LineIndex::new(&self.text))
    }

    /// Line and column of `offset`; an offset past the end means the end.
    pub fn position(&self, offset: u32) -> Position {
        let offset = self.floor_char_boundary(offset);
        let line = self.lines().line(offset);
        let start = self.lines().start(line).unwrap_or(0);
        let column = Span::new(start, offset).slice(&self.text).chars().count() as u32 + 1;
        Position { line, column }
    }

    /// Span of `line` (from 1) without its line end.
    pub fn line_span(&self, line: u32) -> Option<Span> {
        let start = self.lines().start(line)?;
        let end = self.lines().start(line + 1).map_or(self.text.len() as u32, |next| next - 1);
        let text = Span::new(start, end).slice(&self.text);
        Some(Span::new(start, start + text.strip_suffix('\r').unwrap_or(text).len() as u32))
    }

    fn floor_char_boundary(&self, offset: u32) -> u32 {
        let mut offset = (offset as usize).min(self.text.len());
        while !self.text.is_char_boundary(offset) {
            offset -= 1;
        }
        offset as u32
    }
}

/// A span in a source.
#[derive(Clone, Debug)]
pub struct Place {
    /// The text.
    pub source: Arc<Source>,
    /// The bytes meant.
    pub span: Span,
}

impl Place {
    /// A place.
    pub fn new(source: &Arc<Source>, span: Span) -> Self {
        Self { source: Arc::clone(source), span }
    }

    /// The very start of a source: for findings about a file as a whole.
    pub fn start_of(source: &Arc<Source>) -> Self {
        Self::new(source, Span::at(0))
    }

    /// Line and column of the first byte.
    pub fn start(&self) -> Position {
        self.source.position(self.span.start)
    }

    /// Line and column behind the last byte.
    pub fn end(&self) -> Position {
        self.source.position(self.span.end)
    }
}

/// Decode file content as text: UTF-8, or UTF-16 with a byte order mark, as go-yaml reads it.
///
/// The byte order mark stays in the text (as U+FEFF), so offsets are those of the UTF-8 file.
///
/// # Errors
/// [`DecodeError`] with the place of the first byte that is no text: the file's fault.
pub fn decode(bytes: Vec<u8>) -> Result<String, DecodeError> {
    match bytes.as_slice() {
        [0xFF, 0xFE, rest @ ..] => decode_utf16(rest, u16::from_le_bytes),
        [0xFE, 0xFF, rest @ ..] => decode_utf16(rest, u16::from_be_bytes),
        _ => String::from_utf8(bytes).map_err(|error| {
            let at = error.utf8_error().valid_up_to();
            let bytes = error.as_bytes();
            let line = memchr::memchr_iter(b'\n', &bytes[..at]).count() as u32 + 1;
            let start = memchr::memrchr(b'\n', &bytes[..at]).map_or(0, |nl| nl + 1);
            let column = String::from_utf8_lossy(&bytes[start..at]).chars().count() as u32 + 1;
            DecodeError { position: Position { line, column }, byte: bytes[at] }
        }),
    }
}

fn decode_utf16(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> Result<String, DecodeError> {
    let (pairs, rest) = bytes.as_chunks::<2>();
    let mut text = String::with_capacity(bytes.len());
    text.push('\u{FEFF}');
    let mut position = Position { line: 1, column: 1 };
    for decoded in char::decode_utf16(pairs.iter().map(|pair| unit(*pair))) {
        let Ok(c) = decoded else { return Err(DecodeError { position, byte: 0 }) };
        text.push(c);
        if c == '\n' {
            position = Position { line: position.line + 1, column: 1 };
        } else {
            position.column += 1;
        }
    }
    match rest {
        [] => Ok(text),
        [byte, ..] => Err(DecodeError { position, byte: *byte }),
    }
}

/// The file is not text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("line {}, column {}: byte 0x{byte:02X} is not valid UTF-8", position.line, position.column)]
pub struct DecodeError {
    /// Where the first bad byte is.
    pub position: Position,
    /// The byte.
    pub byte: u8,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_count_characters() {
        let source = Source::new("a.yaml", "é: 1\nb: ü\n");
        assert_eq!(source.position(2), Position { line: 1, column: 2 });
        assert_eq!(source.position(9), Position { line: 2, column: 4 });
        assert_eq!(source.position(9_999), Position { line: 3, column: 1 });
    }

    #[test]
    fn a_carriage_return_belongs_to_the_line_end() {
        let source = Source::new("a.yaml", "a: 1\r\nb: 2\r\n");
        assert_eq!(source.line_span(1), Some(Span::new(0, 4)));
        assert_eq!(source.line_span(2), Some(Span::new(6, 10)));
    }

    #[test]
    fn bytes_that_are_no_text_are_placed() {
        let error = decode(b"a: 1\nb: \xC3\x28".to_vec()).unwrap_err();
        assert_eq!(error.position, Position { line: 2, column: 4 });
        assert_eq!(error.byte, 0xC3);
        assert_eq!(decode(b"\xFF\xFEa\0\n\0".to_vec()).unwrap(), "\u{FEFF}a\n");
    }
}
