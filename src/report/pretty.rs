//! Findings with the lines that they are about, for people.
//!
//! miette draws; [`super::excerpt`] feeds it. What cannot be drawn there, such as places in other files, is listed
//! beneath as `path:line:column: message`, which terminals make clickable. Each finding costs the same, however large
//! its file is and however many there are.

use std::fmt::{self, Write as _};
use std::io::{self, Write};

use anstyle::{AnsiColor, Style};
use miette::{Diagnostic, GraphicalReportHandler, GraphicalTheme, LabeledSpan, SourceCode};

use super::excerpt::Excerpt;
use super::paint::Look;
use super::prose::fill;
use super::sanitize::{clean_lines, one_line};
use super::summary::thousands;
use crate::engine::Run;
use crate::finding::{Finding, Severity};

/// Lines around a place.
const CONTEXT: usize = 1;
/// Width of prose where the terminal does not say.
const DEFAULT_WIDTH: u16 = 100;
/// Width of a line of source where the terminal does not say: a log can be scrolled.
const DEFAULT_COLUMNS: usize = 200;
/// Line number and frame to the left of a line of source.
const GUTTER: usize = 9;
/// So many places are listed beneath a finding; a machine format has all.
const MAX_LISTED: usize = 10;

/// Print all findings.
///
/// # Errors
/// Those of `out`.
pub fn pretty(run: &Run, look: Look, out: &mut dyn Write) -> io::Result<()> {
    let painter = Painter::new(look);
    let mut text = String::new();
    for finding in &run.findings {
        text.clear();
        painter.finding(finding, &mut text).map_err(io::Error::other)?;
        for line in text.lines().map(str::trim_end).filter(|line| !line.is_empty()) {
            writeln!(out, "{line}")?;
        }
        writeln!(out)?;
    }
    Ok(())
}

struct Painter {
    look: Look,
    width: usize,
    columns: usize,
    /// For findings with a single label: note, warning, error.
    handlers: [GraphicalReportHandler; 3],
}

impl Painter {
    fn new(look: Look) -> Self {
        let width = usize::from(look.width.unwrap_or(DEFAULT_WIDTH)).clamp(40, 140);
        let columns =
            look.width.map_or(DEFAULT_COLUMNS, |width| usize::from(width).max(40) - GUTTER);
        let handler = |severity| handler(theme(look, severity, &[true]));
        let handlers = [Severity::Note, Severity::Warning, Severity::Error].map(handler);
        Self { look, width, columns, handlers }
    }

    fn finding(&self, finding: &Finding, text: &mut String) -> fmt::Result {
        let ellipsis = if self.look.unicode { "…" } else { "..." };
        let excerpt = Excerpt::new(finding, self.columns, ellipsis);
        let message = fill(&one_line(&finding.message), self.width - 6).join("\n");
        let view = View { finding, excerpt: &excerpt, message };
        if let [_] = excerpt.marks.as_slice() {
            self.handlers[finding.severity as usize].render_report(text, &view)?;
        } else {
            let theme = theme(self.look, finding.severity, &excerpt.primary_by_offset());
            handler(theme).render_report(text, &view)?;
        }
        self.listed(&excerpt, text)?;
        if !finding.when.is_empty() {
            self.remark("when:", Style::new().dimmed(), &finding.when.join(", "), text)?;
        }
        if let Some(help) = &finding.help {
            let style = Style::new().bold().fg_color(Some(AnsiColor::Cyan.into()));
            self.remark("help:", style, help, text)?;
        }
        Ok(())
    }

    /// The related places that are not drawn.
    fn listed(&self, excerpt: &Excerpt<'_>, text: &mut String) -> fmt::Result {
        let dimmed = Style::new().dimmed();
        let mut line = |words: &str| {
            for (at, part) in fill(words, self.width - 6).iter().enumerate() {
                let indent = if at == 0 { 2 } else { 6 };
                writeln!(text, "{:indent$}{}", "", self.look.paint(dimmed, part))?;
            }
            Ok(())
        };
        for label in excerpt.listed.iter().take(MAX_LISTED) {
            let path = label.place.source.display_path();
            let (path, message) = (one_line(&path), one_line(&label.message));
            let colon = if message.is_empty() { "" } else { ": " };
            line(&format!("{path}:{}{colon}{message}", label.place.start()))?;
        }
        match excerpt.listed.len().saturating_sub(MAX_LISTED) {
            0 => Ok(()),
            1 => line("and 1 more place"),
            more => line(&format!("and {} more places", thousands(more))),
        }
    }

    fn remark(&self, label: &str, style: Style, words: &str, text: &mut String) -> fmt::Result {
        let label = self.look.paint(style, label);
        for (at, line) in fill(&clean_lines(words), self.width - 8).iter().enumerate() {
            if at == 0 {
                writeln!(text, "  {label} {line}")?;
            } else {
                writeln!(text, "        {line}")?;
            }
        }
        Ok(())
    }
}

fn handler(theme: GraphicalTheme) -> GraphicalReportHandler {
    GraphicalReportHandler::new_themed(theme)
        // The message is filled here, where code in backticks stays together.
        .with_wrap_lines(false)
        .with_context_lines(CONTEXT)
        .without_cause_chain()
        .without_syntax_highlighting()
        .with_links(false)
}

/// miette gives styles to labels in the order of their places: the primary one has the colour of the severity.
fn theme(look: Look, severity: Severity, primary: &[bool]) -> GraphicalTheme {
    let mut theme = match (look.unicode, look.color) {
        (true, true) => GraphicalTheme::unicode(),
        (true, false) => GraphicalTheme::unicode_nocolor(),
        (false, true) => GraphicalTheme::ascii(),
        (false, false) => GraphicalTheme::none(),
    };
    if look.color {
        let styles = &mut theme.styles;
        (styles.error, styles.warning, styles.advice) =
            (styles.error.bold(), styles.warning.bold(), styles.advice.bold());
        let own = match severity {
            Severity::Error => styles.error,
            Severity::Warning => styles.warning,
            Severity::Note => styles.advice,
        };
        styles.highlights =
            primary.iter().map(|primary| if *primary { own } else { styles.linum }).collect();
        // The path stands out enough by its place in the frame.
        styles.link = GraphicalTheme::none().styles.link;
    }
    theme
}

/// A finding as miette wants it.
struct View<'a> {
    finding: &'a Finding,
    excerpt: &'a Excerpt<'a>,
    message: String,
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
        Some(self.excerpt)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        Some(Box::new(self.excerpt.marks.iter().enumerate().map(|(at, mark)| {
            let message = &mark.label.message;
            let text = (!message.is_empty()).then(|| one_line(message).into_owned());
            let span = (mark.start, mark.end - mark.start);
            if at == 0 {
                LabeledSpan::new_primary_with_span(text, span)
            } else {
                LabeledSpan::new_with_span(text, span)
            }
        })))
    }
}
