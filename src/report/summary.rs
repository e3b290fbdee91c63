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
    format!("{} {word}{}", thousands(count), if count == 1 { "" } else { "s" })
}

/// `1,234`.
pub(super) fn thousands(number: usize) -> String {
    let digits = number.to_string();
    let mut grouped = String::with_capacity(digits.len() + digits.len() / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::Counts;

    fn line(files: usize, charts: usize, crds: usize, suppressed: usize) -> String {
        let counts = Counts { files, charts, crds, suppressed };
        summary(&Run { counts, ..Run::default() }, Look::default())
    }

    #[test]
    fn only_what_is_there_is_counted() {
        assert_eq!(line(0, 0, 0, 0), "no problems in 0 files");
        assert_eq!(line(1, 0, 1, 0), "no problems in 1 file (1 CRD)");
        assert_eq!(
            line(12_345, 2, 1_000, 3),
            "no problems in 12,345 files (2 charts, 1,000 CRDs), 3 suppressed"
        );
    }

    #[test]
    fn thousands_are_grouped() {
        let grouped = [0, 999, 1_000, 12_345, 1_234_567].map(thousands);
        assert_eq!(grouped, ["0", "999", "1,000", "12,345", "1,234,567"]);
    }
}
