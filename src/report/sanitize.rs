//! Text from charts, made harmless for terminals and logs.
//!
//! Control characters could move the cursor or change colours, bidirectional controls could show a line other than it
//! is, and invisible characters could hide a difference. Each is replaced by one visible character, as rustc does:
//! `␛` and its like for what has a picture, `�` for the rest. Everything printed for people passes through here; the
//! machine formats escape by their own rules.

use std::borrow::Cow;

/// `text` on one line: line breaks and tabs become a space, harmful characters something visible.
pub(crate) fn one_line(text: &str) -> Cow<'_, str> {
    if text.bytes().all(|b| matches!(b, 0x20..=0x7E)) {
        return Cow::Borrowed(text);
    }
    let text = text.replace("\r\n", " ");
    Cow::Owned(
        text.chars().map(|c| if matches!(c, '\n' | '\t') { ' ' } else { visible(c) }).collect(),
    )
}

/// `text` with its line breaks kept.
pub(crate) fn clean_lines(text: &str) -> String {
    let text = text.replace("\r\n", "\n");
    text.chars().map(|c| if c == '\n' { c } else { visible(c) }).collect()
}

/// `c`, or what to show in its place.
pub(super) fn visible(c: char) -> char {
    match c {
        ' '..='~' => c,
        '\0'..='\u{1F}' => char::from_u32(0x2400 + c as u32).unwrap_or('\u{FFFD}'),
        '\u{7F}' => '\u{2421}',
        c if is_harmful(c) => '\u{FFFD}',
        c => c,
    }
}

/// Zero-width joiners stay: scripts and emoji need them.
fn is_harmful(c: char) -> bool {
    c.is_control()
        || matches!(c,
            // Bidirectional marks, embeddings, overrides and isolates.
            '\u{61C}' | '\u{200E}' | '\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}'
            // Line and paragraph separators, at which some viewers break a line.
            | '\u{2028}' | '\u{2029}'
            // Invisible: soft hyphen, zero-width space, word joiner, byte order mark, tags.
            | '\u{AD}' | '\u{200B}' | '\u{2060}'..='\u{2064}' | '\u{FEFF}' | '\u{E0000}'..='\u{E007F}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_could_steer_a_terminal_becomes_visible() {
        assert_eq!(one_line("a\u{1B}[31mb\u{9B}c\u{7F}\0"), "a␛[31mb�c␡␀");
        assert_eq!(one_line("\u{202E}evil\u{2066}\u{2069}\u{200F}\u{61C}"), "�evil����");
        assert_eq!(one_line("a\u{2028}b\u{200B}c\u{FEFF}d\u{E0041}"), "a�b�c�d�");
    }

    #[test]
    fn every_character_of_any_text_is_printable_afterwards() {
        for c in '\0'..='\u{10FFFF}' {
            assert!(!is_harmful(visible(c)), "{c:?}");
        }
    }

    #[test]
    fn line_breaks_become_blanks_or_stay() {
        assert_eq!(one_line("a\nb\tc\r\nd\re"), "a b c d␍e");
        assert_eq!(clean_lines("a\r\nb\u{1B}\n"), "a\nb␛\n");
    }

    #[test]
    fn plain_text_is_not_copied_and_other_scripts_stay() {
        assert!(matches!(one_line("plain `text`"), Cow::Borrowed(_)));
        assert_eq!(one_line("é 漢字 👩\u{200D}🚀"), "é 漢字 👩\u{200D}🚀");
    }
}
