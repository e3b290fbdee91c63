//! Prose for a terminal, filled to a width: helps and messages of findings, pages of rules.
//!
//! The texts are paragraphs, `- ` lists and indented code, in the little of Markdown that also reads well as it stands.

use unicode_width::UnicodeWidthStr;

/// `text` as lines of at most `width` columns where its words allow. Blank lines separate paragraphs, `- ` starts a
/// list item, and a line indented by four is taken as it is.
pub(crate) fn fill(text: &str, width: usize) -> Vec<String> {
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
}
