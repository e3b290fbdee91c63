//! Findings with the lines that they are about, for people.
//!
//! miette draws; [`super::snippet`] feeds it. Places in other files than the first are listed beneath as
//! `path:line:column`, which terminals make clickable.

use std::fmt;
use std::io::{self, Write};

use anstyle::Style;
use miette::{Diagnostic, GraphicalReportHandler, GraphicalTheme, LabeledSpan, SourceCode};

use super::paint::Look;
use super::sanitize::{one_line, sanitize};
use super::snippet::Shown;
use crate::engine::Run;
use crate::finding::{Finding, Severity};
use crate::source::Place;

/// Lines around a place.
const CONTEXT: usize = 1;
/// Labels of one file that are further apart than this are listed instead of drawn.
const NEAR: u32 = 12;
const DEFAULT_WIDTH: u16 = 100;

/// Print all findings.
///
/// # Errors
/// Those of `out`.
pub fn pretty(run: &Run, look: Look, out: &mut dyn Write) -> io::Result<()> {
    let theme = match (look.unicode, look.color) {
        (true, true) => GraphicalTheme::unicode(),
        (true, false) => GraphicalTheme::unicode_nocolor(),
        (false, true) => GraphicalTheme::ascii(),
        (false, false) => GraphicalTheme::none(),
    };
    let width = usize::from(look.width.unwrap_or(DEFAULT_WIDTH)).clamp(40, 140);
    let handler = GraphicalReportHandler::new_themed(theme)
        .with_width(width)
        .with_context_lines(CONTEXT)
        .with_break_words(false)
        .without_cause_chain()
        .with_links(false);
    let mut shown: Option<Shown> = None;
    let mut text = String::new();
    for finding in &run.findings {
        let source = &finding.primary.place.source;
        let current = match shown.take() {
            Some(shown) if shown.is_of(source) => shown,
            _ => Shown::new(source),
        };
        text.clear();
        let view = View::new(finding, &current);
        if handler.render_report(&mut text, &view).is_err() {
            // miette writes into a string, which does not fail; the finding is not lost even so.
            text.push_str(&view.to_string());
        }
        write_trimmed(&text, out)?;
        for place in far(finding, &current) {
            writeln!(out, "  {}", look.paint(Style::new().dimmed(), &place))?;
        }
        if let Some(help) = &finding.help {
            write_help(help, look, width, out)?;
        }
        writeln!(out)?;
        shown = Some(current);
    }
    Ok(())
}

/// A finding as miette wants it.
struct View<'a> {
    finding: &'a Finding,
    shown: &'a Shown,
    message: String,
}

impl<'a> View<'a> {
    fn new(finding: &'a Finding, shown: &'a Shown) -> Self {
        Self { finding, shown, message: one_line(&finding.message) }
    }
}

impl fmt::Debug for View<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl fmt::Display for View<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for View<'_> {}

impl Diagnostic for View<'_> {
    fn code<'b>(&'b self) -> Option<Box<dyn fmt::Display + 'b>> {
        let Finding { severity, rule, .. } = self.finding;
        Some(Box::new(format!("{severity}[{rule}]")))
    }

    fn severity(&self) -> Option<miette::Severity> {
        Some(match self.finding.severity {
            Severity::Error => miette::Severity::Error,
            Severity::Warning => miette::Severity::Warning,
            Severity::Note => miette::Severity::Advice,
        })
    }

    fn source_code(&self) -> Option<&dyn SourceCode> {
        Some(self.shown)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        let primary = &self.finding.primary;
        let span = self.shown.underlined(primary.place.span);
        let text = (!primary.message.is_empty()).then(|| one_line(&primary.message));
        let first =
            LabeledSpan::new_primary_with_span(text, (span.start as usize, span.len() as usize));
        let others =
            self.finding.related.iter().filter(|label| is_near(self.finding, &label.place)).map(
                |label| {
                    let span = self.shown.underlined(label.place.span);
                    LabeledSpan::new_with_span(
                        Some(one_line(&label.message)),
                        (span.start as usize, span.len() as usize),
                    )
                },
            );
        Some(Box::new(std::iter::once(first).chain(others)))
    }
}

/// Whether a related place can be drawn in the same snippet.
fn is_near(finding: &Finding, place: &Place) -> bool {
    let primary = &finding.primary.place;
    std::sync::Arc::ptr_eq(&primary.source, &place.source)
        && primary.start().line.abs_diff(place.start().line) <= NEAR
}

/// The related places that are listed.
fn far(finding: &Finding, shown: &Shown) -> Vec<String> {
    let far = finding.related.iter().filter(|label| !is_near(finding, &label.place));
    far.map(|label| {
        let source = &label.place.source;
        let path = if shown.is_of(source) {
            shown.name().to_owned()
        } else {
            one_line(&source.display_path())
        };
        format!("{path}:{} {}", label.place.start(), one_line(&label.message))
    })
    .collect()
}

fn write_help(help: &str, look: Look, width: usize, out: &mut dyn Write) -> io::Result<()> {
    let label =
        look.paint(Style::new().bold().fg_color(Some(anstyle::AnsiColor::Cyan.into())), "help:");
    let mut column = 8;
    write!(out, "  {label}")?;
    for word in sanitize(help).split_whitespace() {
        let length = unicode_width::UnicodeWidthStr::width(word);
        if column + 1 + length > width && column > 8 {
            write!(out, "\n       ")?;
            column = 7;
        }
        write!(out, " {word}")?;
        column += 1 + length;
    }
    writeln!(out)
}

/// Without blank lines at the end, and without trailing blanks.
fn write_trimmed(text: &str, out: &mut dyn Write) -> io::Result<()> {
    let lines: Vec<&str> = text.trim_end().lines().collect();
    for line in lines {
        let line = line.trim_end();
        if !line.is_empty() {
            writeln!(out, "{line}")?;
        }
    }
    Ok(())
}
