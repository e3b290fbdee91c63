//! Go's quoted strings, both ways: `strconv.Unquote` for literals and `%q` for error texts.
//!
//! A Go string is bytes: `"\xff"` is one byte and no character, so what a literal means is `Vec<u8>`.

use std::fmt::Write as _;

use super::unicode::is_print;

/// `strconv.Quote`, which is `%q`.
pub(super) fn quote(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for c in text.chars() {
        escape(&mut out, c);
    }
    out.push('"');
    out
}

/// `%q` of bytes; those that are no UTF-8 become `\xNN`.
pub(super) fn quote_bytes(bytes: &[u8]) -> String {
    let mut out = String::with_capacity(bytes.len() + 2);
    out.push('"');
    for chunk in bytes.utf8_chunks() {
        for c in chunk.valid().chars() {
            escape(&mut out, c);
        }
        for byte in chunk.invalid() {
            let _ = write!(out, "\\x{byte:02x}");
        }
    }
    out.push('"');
    out
}

fn escape(out: &mut String, c: char) {
    match c {
        '"' | '\\' => out.extend(['\\', c]),
        c if is_print(c) => out.push(c),
        '\x07' => out.push_str("\\a"),
        '\x08' => out.push_str("\\b"),
        '\x0c' => out.push_str("\\f"),
        '\n' => out.push_str("\\n"),
        '\r' => out.push_str("\\r"),
        '\t' => out.push_str("\\t"),
        '\x0b' => out.push_str("\\v"),
        c => {
            let code = c as u32;
            let _ = match code {
                0..0x20 | 0x7f => write!(out, "\\x{code:02x}"),
                0x80..0x1_0000 => write!(out, "\\u{code:04x}"),
                _ => write!(out, "\\U{code:08x}"),
            };
        }
    }
}

/// `%#U`: `U+002D '-'`, the character only if it is printable.
pub(super) fn code_point(c: char) -> String {
    let code = c as u32;
    if is_print(c) { format!("U+{code:04X} '{c}'") } else { format!("U+{code:04X}") }
}

/// `strconv.Unquote` of a `"…"` or `` `…` `` literal; `None` is Go's `invalid syntax`.
pub(super) fn unquote(literal: &str) -> Option<Vec<u8>> {
    let quote = literal.chars().next()?;
    let inner = literal.get(1..literal.len().checked_sub(1)?)?;
    if !literal.ends_with(quote) {
        return None;
    }
    match quote {
        '`' => Some(inner.bytes().filter(|byte| *byte != b'\r').collect()),
        '"' => {
            let mut out = Vec::with_capacity(inner.len());
            let mut rest = inner;
            while !rest.is_empty() {
                let (unit, tail) = unquote_char(rest, '"')?;
                match unit {
                    Unit::Byte(byte) => out.push(byte),
                    Unit::Char('\n') if rest.starts_with('\n') => return None,
                    Unit::Char(c) => out.extend(c.encode_utf8(&mut [0; 4]).bytes()),
                }
                rest = tail;
            }
            Some(out)
        }
        _ => None,
    }
}

/// What one escape or character stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unit {
    /// `\xNN` and `\NNN`: a byte, whatever it means.
    Byte(u8),
    Char(char),
}

impl Unit {
    /// The number that a character constant has.
    pub(super) fn code(self) -> u32 {
        match self {
            Self::Byte(byte) => u32::from(byte),
            Self::Char(c) => c as u32,
        }
    }
}

/// `strconv.UnquoteChar`: the first character of `text` and what follows it.
pub(super) fn unquote_char(text: &str, quote: char) -> Option<(Unit, &str)> {
    let mut chars = text.chars();
    let first = chars.next()?;
    if first == quote {
        return None;
    }
    if first != '\\' {
        return Some((Unit::Char(first), chars.as_str()));
    }
    let escape = chars.next()?;
    let rest = chars.as_str();
    let simple = |c: char| Some((Unit::Char(c), rest));
    let digits = |count: usize, radix: u32, from: &'_ str| -> Option<u32> {
        let digits = from.get(..count)?;
        let plain = digits.chars().all(|c| c.is_digit(radix));
        plain.then(|| u32::from_str_radix(digits, radix).ok()).flatten()
    };
    match escape {
        'a' => simple('\x07'),
        'b' => simple('\x08'),
        'f' => simple('\x0c'),
        'n' => simple('\n'),
        'r' => simple('\r'),
        't' => simple('\t'),
        'v' => simple('\x0b'),
        '\\' => simple('\\'),
        '\'' | '"' if escape == quote => simple(escape),
        'x' => Some((Unit::Byte(digits(2, 16, rest)? as u8), &rest[2..])),
        'u' => Some((Unit::Char(char::from_u32(digits(4, 16, rest)?)?), &rest[4..])),
        'U' => Some((Unit::Char(char::from_u32(digits(8, 16, rest)?)?), &rest[8..])),
        '0'..='7' => {
            let value = digits(3, 8, &text[1..])?;
            Some((Unit::Byte(u8::try_from(value).ok()?), &rest[2..]))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quoting_is_percent_q() {
        assert_eq!(
            quote("a\"\\\n\u{1}é\u{200b}\u{e0001}\u{7f}"),
            "\"a\\\"\\\\\\n\\x01é\\u200b\\U000e0001\\x7f\""
        );
        assert_eq!(quote_bytes(b"a\xffb"), "\"a\\xffb\"");
        assert_eq!(code_point('-'), "U+002D '-'");
        assert_eq!(code_point('\u{200b}'), "U+200B");
    }

    #[test]
    fn unquoting_follows_strconv() {
        let text = |literal: &str| {
            unquote(literal).map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
        };
        assert_eq!(text(r#""a\tb\x41\101\u00e9\U0001F600\"""#).unwrap(), "a\tbAAé😀\"");
        assert_eq!(unquote(r#""\xff""#).unwrap(), b"\xff");
        assert_eq!(text("`a\r\n\\n`").unwrap(), "a\n\\n");
        for bad in [
            r#""\'""#,
            r#""\ud800""#,
            r#""\400""#,
            r#""\x4""#,
            r#""\q""#,
            r#""\u12""#,
            r#""\+12""#,
            "\"",
            "",
        ] {
            assert_eq!(text(bad), None, "{bad}");
        }
    }
}
