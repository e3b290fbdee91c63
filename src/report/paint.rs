//! Whether and how to colour.

use anstyle::{AnsiColor, Style};

use crate::finding::Severity;

/// What the sink can show.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Look {
    /// ANSI colours.
    pub color: bool,
    /// Box-drawing characters; else ASCII.
    pub unicode: bool,
    /// Columns to wrap at.
    pub width: Option<u16>,
}

impl Look {
    /// `text` in `style`, if there are colours.
    pub(super) fn paint(self, style: Style, text: &str) -> String {
        if self.color { format!("{style}{text}{style:#}") } else { text.to_owned() }
    }
}

/// The colour of a severity.
pub(super) fn severity_style(severity: Severity) -> Style {
    let color = match severity {
        Severity::Error => AnsiColor::Red,
        Severity::Warning => AnsiColor::Yellow,
        Severity::Note => AnsiColor::Cyan,
    };
    Style::new().fg_color(Some(color.into())).bold()
}
