//! Text from charts, made harmless for terminals and logs.
//!
//! Control characters could move the cursor or change colours, and bidirectional controls could show a line other than
//! it is. Each is replaced by a visible stand-in of the *same number of bytes*, so spans still fit.

use std::borrow::Cow;

/// `text` with control and bidirectional characters replaced; tabs and line feeds stay.
pub(super) fn sanitize(text: &str) -> Cow<'_, str> {
    let harmless = text.bytes().all(|b| matches!(b, b'\t' | b'\n' | 0x20..=0x7E));
    if harmless || !text.chars().any(is_harmful) {
        return Cow::Borrowed(text);
    }
    Cow::Owned(text.chars().map(|c| if is_harmful(c) { stand_in(c) } else { c }).collect())
}

/// The same on one line: line feeds and tabs become spaces.
pub(super) fn one_line(text: &str) -> String {
    sanitize(text).replace(['\n', '\t'], " ")
}

fn is_harmful(c: char) -> bool {
    match c {
        '\t' | '\n' => false,
        '\u{61C}' | '\u{200E}' | '\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}' => {
            true
        }
        c => c.is_control(),
    }
}

fn stand_in(c: char) -> char {
    match c.len_utf8() {
        // A carriage return at a line's end is not worth a mark.
        1 if c == '\r' => ' ',
        1 => '?',
        2 => '\u{B7}',
        _ => '\u{FFFD}',
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn harmful_characters_are_replaced_byte_for_byte() {
        let text = "a\u{1B}[31mb\u{9B}c\u{202E}d\r\n\te";
        let clean = sanitize(text);
        assert_eq!(clean, "a?[31mb\u{B7}c\u{FFFD}d \n\te");
        assert_eq!(clean.len(), text.len());
    }

    #[test]
    fn plain_text_is_not_copied() {
        assert!(matches!(sanitize("é ü\n"), Cow::Borrowed(_)));
        assert_eq!(one_line("a\nb"), "a b");
    }
}
