//! Prose for a terminal: filled to a width, in colour or not.
//!
//! The texts are those of rule files: paragraphs, `- ` lists and indented code, in the little of Markdown that also
//! reads well as it stands.

use std::fmt;

use unicode_width::UnicodeWidthStr;

/// ANSI styles, used where colour is on.
#[derive(Clone, Copy, Debug)]
pub(super) enum Style {
    Bold,
    Dim,
    Red,
    Yellow,
    Green,
    Cyan,
}

impl Style {
    const fn code(self) -> &'static str {
        match self {
            Self::Bold => "1",
            Self::Dim => "2",
            Self::Red => "1;31",
            Self::Yellow => "1;33",
            Self::Green => "1;32",
            Self::Cyan => "36",
        }
    }
}

/// Colours, or not.
#[derive(Clone, Copy, Debug)]
pub(super) struct Paint {
    pub(super) color: bool,
}

impl Paint {
    /// `text` in `style`.
    pub(super) fn style<T: fmt::Display>(self, style: Style, text: T) -> String {
        if self.color { format!("\x1b[{}m{text}\x1b[0m", style.code()) } else { text.to_string() }
    }

    /// A text of one line with what stands between backticks in colour; the backticks stay, so that copies keep them.
    pub(super) fn code(self, text: &str) -> String {
        self.code_of(text, &mut false)
    }

    /// The same for the lines of a text, where code may go on in the next line.
    pub(super) fn code_lines(self, lines: &[String]) -> impl Iterator<Item = String> {
        let mut in_code = false;
        lines.iter().map(move |line| self.code_of(line, &mut in_code))
    }

    fn code_of(self, text: &str, in_code: &mut bool) -> String {
        if !self.color {
            return text.to_owned();
        }
        let mut painted = String::with_capacity(text.len());
        for (at, part) in text.split('`').enumerate() {
            if at > 0 {
                painted.push('`');
                *in_code = !*in_code;
            }
            if *in_code && !part.is_empty() {
                painted.push_str(&self.style(Style::Cyan, part));
            } else {
                painted.push_str(part);
            }
        }
        painted
    }
}

/// `text` as lines of at most `width` columns where its words allow. Blank lines separate paragraphs, `- ` starts a
/// list item, and a line indented by four is taken as it is.
pub(super) fn fill(text: &str, width: usize) -> Vec<String> {
    let mut lines = Vec::new();
    let mut paragraph = String::new();
    for line in text.lines() {
        let verbatim = line.starts_with("    ");
        if line.trim().is_empty() || line.starts_with("- ") || verbatim {
            flush(&mut paragraph, width, &mut lines);
        }
        if line.trim().is_empty() {
            lines.push(String::new());
        } else if verbatim {
            lines.push(line.to_owned());
        } else {
            paragraph.push_str(line.trim());
            paragraph.push(' ');
        }
    }
    flush(&mut paragraph, width, &mut lines);
    lines
}

fn flush(paragraph: &mut String, width: usize, lines: &mut Vec<String>) {
    let hang = if paragraph.starts_with("- ") { 2 } else { 0 };
    let mut line = String::new();
    let mut columns = 0;
    for word in words(paragraph) {
        if columns > 0 && columns + 1 + word.width() > width {
            lines.push(std::mem::replace(&mut line, " ".repeat(hang)));
            columns = 0;
        }
        if columns > 0 {
            line.push(' ');
            columns += 1;
        } else {
            columns = line.len();
        }
        line.push_str(word);
        columns += word.width();
    }
    if columns > 0 {
        lines.push(line);
    }
    paragraph.clear();
}

/// The widest piece of code that is kept on one line.
const UNBROKEN: usize = 40;

/// Words; what stands between backticks is one word, so that a command is not broken unless it is long.
fn words(text: &str) -> impl Iterator<Item = &str> {
    let mut in_code = false;
    let words = text.split(move |c: char| {
        in_code ^= c == '`';
        c == ' ' && !in_code
    });
    let parts = words.flat_map(|word| {
        let breaks = word.width() > UNBROKEN;
        word.split(move |c: char| breaks && c == ' ')
    });
    parts.filter(|word| !word.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paragraphs_are_filled_and_lists_hang() {
        let text = "one two\nthree\n\n- four five six\n- seven\n    code  as is\neight";
        assert_eq!(
            fill(text, 11),
            ["one two", "three", "", "- four five", "  six", "- seven", "    code  as is", "eight"]
        );
    }

    #[test]
    fn a_command_in_backticks_is_not_broken() {
        assert_eq!(fill("run `helm upgrade x` now", 12), ["run", "`helm upgrade x`", "now"]);
        assert_eq!(fill("", 12), [""; 0]);
        let long = format!("`{}`", "word ".repeat(20).trim());
        assert!(fill(&long, 12).iter().all(|line| line.width() <= 12));
    }

    #[test]
    fn colour_goes_between_the_backticks() {
        let paint = Paint { color: true };
        assert_eq!(paint.code("set `keep` once"), "set `\x1b[36mkeep\x1b[0m` once");
        let lines = ["a `b".to_owned(), "c` d".to_owned()];
        let painted: Vec<_> = paint.code_lines(&lines).collect();
        assert_eq!(painted, ["a `\x1b[36mb\x1b[0m", "\x1b[36mc\x1b[0m` d"]);
        assert_eq!(Paint { color: false }.code("set `keep` once"), "set `keep` once");
    }
}
