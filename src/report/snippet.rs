//! Source text as miette reads it, in constant time and never too wide.
//!
//! miette's own sources walk from the first byte for every label, and it panics past column 65,535. This one finds
//! lines by the line index of [`Source`] and hands out a window of a line that is too long.

use std::borrow::Cow;
use std::sync::Arc;

use miette::{MietteError, MietteSpanContents, SourceCode, SourceSpan, SpanContents};

use super::sanitize::sanitize;
use crate::source::{Source, Span};

/// Longest line that is shown whole, in bytes.
const MAX_LINE: u32 = 300;
/// How much of a longer line is shown before and behind the place.
const WINDOW: u32 = 60;

/// A source, cleaned for the terminal.
pub(super) struct Shown {
    source: Arc<Source>,
    /// The cleaned text, where it differs.
    clean: Option<String>,
    name: String,
}

impl Shown {
    pub(super) fn new(source: &Arc<Source>) -> Self {
        let clean = match sanitize(source.text()) {
            Cow::Borrowed(_) => None,
            Cow::Owned(clean) => Some(clean),
        };
        Self {
            source: Arc::clone(source),
            clean,
            name: sanitize(&source.display_path()).into_owned(),
        }
    }

    pub(super) fn is_of(&self, source: &Arc<Source>) -> bool {
        Arc::ptr_eq(&self.source, source)
    }

    pub(super) fn name(&self) -> &str {
        &self.name
    }

    fn text(&self) -> &str {
        self.clean.as_deref().unwrap_or(self.source.text())
    }

    /// The part of a place that is underlined: its first line, within the text, without trailing blanks.
    pub(super) fn underlined(&self, span: Span) -> Span {
        let end_of_text = self.text().len() as u32;
        let start = span.start.min(end_of_text);
        let line =
            self.source.line_span(self.source.lines().line(start)).unwrap_or(Span::at(start));
        let end = span.end.min(line.end).max(start);
        let text = Span::new(start, end).slice(self.text()).trim_end();
        let longest = text.char_indices().nth(WINDOW as usize * 2).map_or(text.len(), |(at, _)| at);
        Span::new(start, start + longest as u32)
    }
}

impl SourceCode for Shown {
    fn read_span<'a>(
        &'a self,
        span: &SourceSpan,
        before: usize,
        after: usize,
    ) -> Result<Box<dyn SpanContents<'a> + 'a>, MietteError> {
        let lines = self.source.lines();
        let start = (span.offset() as u32).min(self.text().len() as u32);
        let end = (start + span.len() as u32).min(self.text().len() as u32);
        let (first, last) = (lines.line(start), lines.line(end.max(start)));
        if before == 0 && after == 0 {
            // miette asks for no context to learn line and column of the primary label.
            let position = self.source.position(start);
            let column = position.column as usize - 1;
            return Ok(self.contents(Span::new(start, end), position.line - 1, column, 1));
        }
        let line_of = |line: u32| self.source.line_span(line).unwrap_or(Span::at(start));
        let is_short = |line: u32| line_of(line).len() <= MAX_LINE;
        if !(first..=last).all(is_short) {
            return Ok(self.window(start, end, first));
        }
        let mut from = first;
        while from > 1 && first - from < before as u32 && is_short(from - 1) {
            from -= 1;
        }
        let mut to = last;
        while to < lines.count() && to - last < after as u32 && is_short(to + 1) {
            to += 1;
        }
        let whole = Span::new(line_of(from).start, line_of(to).end);
        Ok(self.contents(whole, from - 1, 0, (to - from + 1) as usize))
    }
}

impl Shown {
    /// A part of one line that is too long to show.
    fn window<'a>(&'a self, start: u32, end: u32, line: u32) -> Box<dyn SpanContents<'a> + 'a> {
        let whole = self.source.line_span(line).unwrap_or(Span::at(start));
        let boundary = |mut at: u32| {
            while !self.text().is_char_boundary(at as usize) {
                at -= 1;
            }
            at
        };
        let from = boundary(start.saturating_sub(WINDOW).max(whole.start));
        let to =
            boundary((end.min(start + 2 * WINDOW) + WINDOW).min(whole.end).max(end.min(whole.end)));
        self.contents(Span::new(from, to), line - 1, (from - whole.start) as usize, 1)
    }

    fn contents<'a>(
        &'a self,
        span: Span,
        line: u32,
        column: usize,
        count: usize,
    ) -> Box<dyn SpanContents<'a> + 'a> {
        Box::new(MietteSpanContents::new_named(
            self.name.clone(),
            span.slice(self.text()).as_bytes(),
            SourceSpan::from((span.start as usize, span.len() as usize)),
            line as usize,
            column,
            count,
        ))
    }
}
