//! The few lines of a source that one finding is about, as miette reads them.
//!
//! miette's own sources walk from the first byte for every label, print lines whole, and panic past column 65,535. An
//! excerpt is built from the line index of [`Source`], so its cost does not depend on the size of the file. Its lines
//! are cleaned, and cropped around what is marked; labels that cannot be drawn in it are handed back to be listed.

use std::collections::BTreeMap;
use std::sync::Arc;

use miette::{MietteError, MietteSpanContents, SourceCode, SourceSpan, SpanContents};
use unicode_width::UnicodeWidthChar;

use super::sanitize::{one_line, visible};
use crate::finding::{Finding, Label};
use crate::source::{Position, Source, Span};

/// Labels further from the primary one than this are listed instead of drawn.
const NEAR_LINES: u32 = 12;
/// So many labels can still be told apart in one drawing.
const MAX_DRAWN: usize = 6;
/// What a tab becomes at most.
const TAB: usize = 4;
/// Of `...`, the wider one.
const ELLIPSIS_WIDTH: usize = 3;

/// Lines around the labels of a finding.
pub(super) struct Excerpt<'a> {
    name: String,
    text: String,
    rows: Vec<Row>,
    /// What is drawn; the primary label first.
    pub(super) marks: Vec<Mark<'a>>,
    /// Related labels that are not drawn.
    pub(super) listed: Vec<&'a Label>,
}

/// A line of the excerpt.
struct Row {
    number: u32,
    start: usize,
}

/// A label of the finding.
pub(super) struct Mark<'a> {
    pub(super) label: &'a Label,
    /// Offsets in the text of the excerpt.
    pub(super) start: usize,
    pub(super) end: usize,
    /// The part of the place that is drawn, in the source: its first line, without blanks at its end.
    shown: Span,
    line: u32,
    position: Position,
}

impl<'a> Mark<'a> {
    fn new(label: &'a Label) -> Self {
        let source = &label.place.source;
        let text = source.text();
        let start = text.floor_char_boundary(label.place.span.start as usize) as u32;
        let line = source.lines().line(start);
        let whole = source.line_span(line).unwrap_or(Span::at(start));
        // Between CR and LF, or behind the text: the end of the line.
        let from = start.min(whole.end);
        let to = text.ceil_char_boundary(label.place.span.end as usize) as u32;
        let to = to.clamp(from, whole.end.max(from));
        let marked = Span::new(from, to).slice(text).trim_end();
        let shown = Span::new(from, from + marked.len() as u32);
        Self { label, start: 0, end: 0, shown, line, position: source.position(start) }
    }

    fn touches(&self, other: &Self) -> bool {
        let (a, b) = (self.shown, other.shown);
        self.line == other.line
            && a.start < b.end.max(b.start + 1)
            && b.start < a.end.max(a.start + 1)
    }
}

impl<'a> Excerpt<'a> {
    /// The excerpt for `finding`, no line of it wider than `columns`.
    pub(super) fn new(finding: &'a Finding, columns: usize, ellipsis: &'static str) -> Self {
        let source = &finding.primary.place.source;
        let primary = Mark::new(&finding.primary);
        let mut windows = BTreeMap::new();
        windows.insert(primary.line, window(source, primary.line, primary.shown, columns));
        let mut excerpt = Self {
            name: one_line(&source.display_path()).into_owned(),
            text: String::new(),
            rows: Vec::new(),
            marks: vec![primary],
            listed: Vec::new(),
        };
        for label in &finding.related {
            if !excerpt.draw(label, &mut windows, columns) {
                excerpt.listed.push(label);
            }
        }
        for line in excerpt.marks.iter().map(|mark| mark.line).collect::<Vec<_>>() {
            for around in [line.wrapping_sub(1), line + 1] {
                if let Some(span) = source.line_span(around)
                    // The empty line behind the last line break is no line to a reader.
                    && !(around == source.lines().count() && span.is_empty())
                {
                    let head = Span::at(span.start);
                    windows.entry(around).or_insert_with(|| window(source, around, head, columns));
                }
            }
        }
        for (line, shown) in windows {
            excerpt.push_row(source, line, shown, ellipsis);
        }
        excerpt
    }

    fn draw(
        &mut self,
        label: &'a Label,
        windows: &mut BTreeMap<u32, Span>,
        columns: usize,
    ) -> bool {
        let primary = &self.marks[0];
        let source = &primary.label.place.source;
        if !Arc::ptr_eq(source, &label.place.source) || self.marks.len() == MAX_DRAWN {
            return false;
        }
        let start = label.place.span.start.min(source.text().len() as u32);
        if source.lines().line(start).abs_diff(primary.line) > NEAR_LINES {
            return false;
        }
        let mark = Mark::new(label);
        if self.marks.iter().any(|drawn| drawn.touches(&mark)) {
            return false;
        }
        let shown = windows
            .entry(mark.line)
            .or_insert_with(|| window(source, mark.line, mark.shown, columns));
        let at = mark.shown.start;
        let is_at_end = source.line_span(mark.line).is_some_and(|line| line.end == at);
        let is_shown = shown.contains(at) || (is_at_end && shown.end == at);
        if !is_shown {
            return false;
        }
        self.marks.push(mark);
        true
    }

    fn push_row(&mut self, source: &Source, number: u32, shown: Span, ellipsis: &str) {
        let whole = source.line_span(number).unwrap_or(shown);
        self.rows.push(Row { number, start: self.text.len() });
        let mut column = 0;
        if shown.start > whole.start {
            self.text.push_str(ellipsis);
            column += ellipsis.chars().count();
        }
        for (at, c) in shown.slice(source.text()).char_indices() {
            self.meet(number, shown.start + at as u32);
            match c {
                '\t' => {
                    let blanks = TAB - column % TAB;
                    self.text.extend(std::iter::repeat_n(' ', blanks));
                    column += blanks;
                }
                '\u{FEFF}' if at == 0 && shown.start == 0 => {}
                c => {
                    let c = visible(c);
                    self.text.push(c);
                    column += c.width().unwrap_or(0);
                }
            }
        }
        let end = self.text.len();
        for mark in self.marks.iter_mut().filter(|mark| mark.line == number) {
            if mark.shown.start >= shown.end {
                mark.start = end;
            }
            if mark.shown.end >= shown.end {
                mark.end = end;
            }
        }
        if shown.end < whole.end {
            self.text.push_str(ellipsis);
        }
        // Every line ends, so that miette sees the empty one at the end of a file, too.
        self.text.push('\n');
    }

    /// Marks that start or end at `offset` of the source do so here.
    fn meet(&mut self, number: u32, offset: u32) {
        let here = self.text.len();
        for mark in self.marks.iter_mut().filter(|mark| mark.line == number) {
            if mark.shown.start == offset {
                mark.start = here;
            }
            if mark.shown.end == offset {
                mark.end = here;
            }
        }
    }

    /// For each mark in the order of their offsets, whether it is the primary one.
    pub(super) fn primary_by_offset(&self) -> Vec<bool> {
        let mut starts: Vec<_> =
            self.marks.iter().enumerate().map(|(at, mark)| (mark.start, at == 0)).collect();
        starts.sort_unstable();
        starts.into_iter().map(|(_, primary)| primary).collect()
    }

    fn row_of(&self, offset: usize) -> usize {
        self.rows.partition_point(|row| row.start <= offset).saturating_sub(1)
    }

    fn contents<'b>(
        &'b self,
        from: usize,
        to: usize,
        line: u32,
        column: u32,
        lines: usize,
    ) -> Box<dyn SpanContents<'b> + 'b> {
        Box::new(MietteSpanContents::new_named(
            self.name.clone(),
            &self.text.as_bytes()[from..to],
            SourceSpan::from((from, to - from)),
            line as usize - 1,
            column as usize - 1,
            lines,
        ))
    }
}

impl SourceCode for Excerpt<'_> {
    fn read_span<'b>(
        &'b self,
        span: &SourceSpan,
        before: usize,
        after: usize,
    ) -> Result<Box<dyn SpanContents<'b> + 'b>, MietteError> {
        let (start, end) = (span.offset(), span.offset() + span.len());
        if end > self.text.len() {
            return Err(MietteError::OutOfBounds);
        }
        if before == 0 && after == 0 {
            // miette asks for no context to learn line and column of a label: those of the file.
            let mark = self.marks.iter().find(|mark| mark.start == start);
            let Position { line, column } =
                mark.map_or(Position { line: 1, column: 1 }, |mark| mark.position);
            return Ok(self.contents(start, end, line, column, 1));
        }
        let (mut first, mut last) = (self.row_of(start), self.row_of(end));
        let follows = |row: usize| self.rows[row - 1].number + 1 == self.rows[row].number;
        for _ in 0..before {
            if first > 0 && follows(first) {
                first -= 1;
            }
        }
        for _ in 0..after {
            if last + 1 < self.rows.len() && follows(last + 1) {
                last += 1;
            }
        }
        let to = self.rows.get(last + 1).map_or(self.text.len(), |row| row.start);
        let row = &self.rows[first];
        Ok(self.contents(row.start, to, row.number, 1, last + 1 - first))
    }
}

/// The part of a line to show: all of it if it fits, else what is around `focus`.
fn window(source: &Source, line: u32, focus: Span, columns: usize) -> Span {
    let whole = source.line_span(line).unwrap_or(focus);
    let text = source.text();
    if forward(whole.slice(text), columns).1 == whole.len() as usize {
        return whole;
    }
    let room = columns.saturating_sub(2 * ELLIPSIS_WIDTH).max(8);
    let (marked, _) = forward(focus.slice(text), room);
    let behind = Span::new(focus.start, whole.end).slice(text);
    let ahead = Span::new(whole.start, focus.start).slice(text);
    let (until_end, _) = forward(behind, room);
    // The place in the middle, unless the line ends near it; a few columns before it in any case; and if the line
    // begins near it, from there on.
    let lead = ((room - marked) / 2).max(room - until_end).max(8.min(room / 2));
    let lead = if backward(ahead, room / 4).1 == ahead.len() { room / 4 } else { lead };
    let (lead, back) = backward(ahead, lead);
    let (_, on) = forward(behind, room.saturating_sub(lead));
    Span::new(focus.start - back as u32, focus.start + on as u32)
}

/// Columns and bytes of the longest beginning of `text` that fits into `columns`.
fn forward(text: &str, columns: usize) -> (usize, usize) {
    fit(text.chars(), columns)
}

/// Columns and bytes of the longest end of `text` that fits into `columns`.
fn backward(text: &str, columns: usize) -> (usize, usize) {
    fit(text.chars().rev(), columns)
}

fn fit(chars: impl Iterator<Item = char>, columns: usize) -> (usize, usize) {
    let (mut used, mut bytes) = (0, 0);
    for c in chars {
        // A character without width counts, too, lest a line of them be endless.
        let width = if c == '\t' { TAB } else { visible(c).width().unwrap_or(0).max(1) };
        if used + width > columns {
            break;
        }
        used += width;
        bytes += c.len_utf8();
    }
    (used, bytes)
}
