//! The last line: how much was wrong, and in how much.

use anstyle::{AnsiColor, Style};

use super::paint::{Look, severity_style};
use crate::engine::Run;
use crate::finding::Severity;

/// `3 errors, 1 warning in 12 files (2 charts, 4 CRDs)`, or `no problems in 12 files …`.
pub fn summary(run: &Run, look: Look) -> String {
    let mut parts = Vec::new();
    for severity in [Severity::Error, Severity::Warning, Severity::Note] {
        let count = run.findings.iter().filter(|finding| finding.severity == severity).count();
        if count > 0 {
            parts.push(look.paint(severity_style(severity), &plural(count, severity.as_str())));
        }
    }
    let found = if parts.is_empty() {
        look.paint(Style::new().bold().fg_color(Some(AnsiColor::Green.into())), "no problems")
    } else {
        parts.join(", ")
    };
    let counts = run.counts;
    let mut held = Vec::new();
    if counts.charts > 0 {
        held.push(plural(counts.charts, "chart"));
    }
    if counts.crds > 0 {
        held.push(plural(counts.crds, "CRD"));
    }
    let held = if held.is_empty() { String::new() } else { format!(" ({})", held.join(", ")) };
    let hidden = match counts.suppressed {
        0 => String::new(),
        n => format!(", {n} suppressed"),
    };
    format!("{found} in {}{held}{hidden}", plural(counts.files, "file"))
}

fn plural(count: usize, word: &str) -> String {
    format!("{count} {word}{}", if count == 1 { "" } else { "s" })
}
