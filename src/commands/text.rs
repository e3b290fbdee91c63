//! The colours of prose on a terminal. How lines are filled is known to [`crate::report::fill`].

use std::fmt;

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

#[cfg(test)]
mod tests {
    use super::*;

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
