//! Scalar text: escapes, folding, chomping. Called only when somebody asks for a value.
//!
//! The scanner has checked the syntax, so nothing here fails; the rules are those of go-yaml v2's
//! `yaml_parser_scan_*_scalar`. Where the text is its own value, it is borrowed.

use std::borrow::Cow;

use super::arena::Shape;
use super::chars::break_len;
use super::node::Node;

/// The value of a scalar as a string, whatever its type. Empty for collections.
pub(super) fn text(node: Node<'_>) -> Cow<'_, str> {
    let raw = node.text();
    match node.shape() {
        Shape::Plain => plain(raw),
        Shape::SingleQuoted => single_quoted(inside_quotes(raw)),
        Shape::DoubleQuoted => double_quoted(inside_quotes(raw)),
        Shape::Literal | Shape::Folded => {
            Cow::Owned(block(raw, node.raw().aux as usize, node.shape() == Shape::Folded))
        }
        _ => Cow::Borrowed(""),
    }
}

fn inside_quotes(raw: &str) -> &str {
    raw.get(1..raw.len().saturating_sub(1)).unwrap_or("")
}

fn has_break(text: &str) -> bool {
    text.bytes().any(|b| matches!(b, b'\n' | b'\r' | 0xC2 | 0xE2))
}

fn plain(raw: &str) -> Cow<'_, str> {
    if !has_break(raw) {
        return Cow::Borrowed(raw);
    }
    let mut out = String::with_capacity(raw.len());
    fold(raw, &mut out, |text, out| out.push_str(text));
    Cow::Owned(out)
}

fn single_quoted(raw: &str) -> Cow<'_, str> {
    if !has_break(raw) && !raw.contains('\'') {
        return Cow::Borrowed(raw);
    }
    let mut out = String::with_capacity(raw.len());
    fold(raw, &mut out, |text, out| out.push_str(&text.replace("''", "'")));
    Cow::Owned(out)
}

/// Fold line breaks: blanks around them vanish, one becomes a space, n become n - 1 line feeds.
fn fold(raw: &str, out: &mut String, mut put: impl FnMut(&str, &mut String)) {
    let mut rest = raw;
    loop {
        let (line, behind) = split_line(rest);
        let Some(behind) = behind else {
            put(line, out);
            return;
        };
        put(line.trim_end_matches([' ', '\t']), out);
        rest = fold_breaks(&rest[line.len()..], behind, out);
    }
}

/// Write what the breaks at the start of `breaks` stand for; returns the text behind them. `behind` is the text
/// behind the first one.
fn fold_breaks<'a>(breaks: &str, behind: &'a str, out: &mut String) -> &'a str {
    let first = normal_break(breaks);
    let mut trailing = String::new();
    let mut rest = behind.trim_start_matches([' ', '\t']);
    while break_len(rest.as_bytes()) > 0 {
        trailing.push_str(normal_break(rest));
        rest = rest[break_len(rest.as_bytes())..].trim_start_matches([' ', '\t']);
    }
    if first == "\n" {
        out.push_str(if trailing.is_empty() { " " } else { &trailing });
    } else {
        out.push_str(first);
        out.push_str(&trailing);
    }
    rest
}

/// The first line without its break, and what follows the break.
fn split_line(text: &str) -> (&str, Option<&str>) {
    let bytes = text.as_bytes();
    for (at, byte) in bytes.iter().enumerate() {
        if matches!(byte, b'\n' | b'\r' | 0xC2 | 0xE2) {
            let width = break_len(&bytes[at..]);
            if width > 0 {
                return (&text[..at], Some(&text[at + width..]));
            }
        }
    }
    (text, None)
}

/// The break at the start of `text` as it appears in values: U+2028 and U+2029 stay, all others are LF.
fn normal_break(text: &str) -> &str {
    match break_len(text.as_bytes()) {
        0 => "",
        3 => &text[..3],
        _ => "\n",
    }
}

fn double_quoted(raw: &str) -> Cow<'_, str> {
    if !has_break(raw) && !raw.contains('\\') {
        return Cow::Borrowed(raw);
    }
    let mut out = String::with_capacity(raw.len());
    let mut rest = raw;
    while !rest.is_empty() {
        let bytes = rest.as_bytes();
        match bytes[0] {
            b'\\' => {
                let width = break_len(&bytes[1..]);
                if width > 0 {
                    rest = continue_line(&rest[1 + width..], &mut out);
                } else {
                    rest = escape(rest, &mut out);
                }
            }
            b' ' | b'\t' => {
                let blanks = bytes.iter().take_while(|b| matches!(b, b' ' | b'\t')).count();
                let behind = &rest[blanks..];
                if break_len(behind.as_bytes()) == 0 {
                    out.push_str(&rest[..blanks]);
                }
                rest = behind;
            }
            _ => {
                let width = break_len(bytes);
                if width > 0 {
                    rest = fold_breaks(rest, &rest[width..], &mut out);
                } else {
                    let run = bytes
                        .iter()
                        .skip(1)
                        .take_while(|b| {
                            !matches!(b, b'\\' | b' ' | b'\t' | b'\n' | b'\r' | 0xC2 | 0xE2)
                        })
                        .count()
                        + 1;
                    let run = (run..=rest.len())
                        .find(|at| rest.is_char_boundary(*at))
                        .unwrap_or(rest.len());
                    out.push_str(&rest[..run]);
                    rest = &rest[run..];
                }
            }
        }
    }
    Cow::Owned(out)
}

/// Behind an escaped line break: blanks vanish, further breaks stay.
fn continue_line<'a>(behind: &'a str, out: &mut String) -> &'a str {
    let mut rest = behind.trim_start_matches([' ', '\t']);
    while break_len(rest.as_bytes()) > 0 {
        out.push_str(normal_break(rest));
        rest = rest[break_len(rest.as_bytes())..].trim_start_matches([' ', '\t']);
    }
    rest
}

/// Decode the escape at the start of `rest`; returns the text behind it.
fn escape<'a>(rest: &'a str, out: &mut String) -> &'a str {
    let Some(c) = rest[1..].chars().next() else { return "" };
    let digits = match c {
        'x' => 2,
        'u' => 4,
        'U' => 8,
        _ => 0,
    };
    if digits > 0 {
        let code = |text: &str| u32::from_str_radix(text.get(2..2 + digits)?, 16).ok();
        let behind = rest.get(2 + digits..).unwrap_or("");
        // In JSON a character beyond U+FFFF is a pair of escapes; half a pair stands for nothing.
        if let (Some(high @ 0xD800..0xDC00), true) = (code(rest), behind.starts_with("\\u"))
            && let Some(low @ 0xDC00..0xE000) = code(behind)
        {
            out.extend(char::from_u32(0x1_0000 + ((high - 0xD800) << 10) + (low - 0xDC00)));
            return behind.get(2 + digits..).unwrap_or("");
        }
        out.push(code(rest).and_then(char::from_u32).unwrap_or(char::REPLACEMENT_CHARACTER));
        return behind;
    }
    out.push(match c {
        '0' => '\0',
        'a' => '\x07',
        'b' => '\x08',
        't' => '\t',
        'n' => '\n',
        'v' => '\x0B',
        'f' => '\x0C',
        'r' => '\r',
        'e' => '\x1B',
        'N' => '\u{85}',
        '_' => '\u{A0}',
        'L' => '\u{2028}',
        'P' => '\u{2029}',
        other => other,
    });
    &rest[1 + c.len_utf8()..]
}

/// A `|` or `>` text. `indent` is that of its content.
fn block(raw: &str, indent: usize, folded: bool) -> String {
    let (header, Some(mut rest)) = split_line(raw) else { return String::new() };
    let indicators = header.split('#').next().unwrap_or("");
    let mut out = String::with_capacity(rest.len());
    let mut leading_break = "";
    let mut leading_blank = false;
    let mut breaks = String::new();
    loop {
        // Empty lines, and lines of less than `indent` spaces.
        loop {
            let spaces = rest.bytes().take(indent).take_while(|b| *b == b' ').count();
            let behind = &rest[spaces..];
            let width = break_len(behind.as_bytes());
            if width == 0 {
                if spaces == indent {
                    rest = behind;
                } else {
                    rest = "";
                }
                break;
            }
            breaks.push_str(normal_break(behind));
            rest = &behind[width..];
        }
        if rest.is_empty() {
            break;
        }
        let blank = rest.starts_with([' ', '\t']);
        if folded && !leading_blank && !blank && leading_break == "\n" {
            if breaks.is_empty() {
                out.push(' ');
            }
        } else {
            out.push_str(leading_break);
        }
        out.push_str(&breaks);
        breaks.clear();
        leading_blank = blank;
        let (line, behind) = split_line(rest);
        out.push_str(line);
        leading_break = normal_break(&rest[line.len()..]);
        rest = behind.unwrap_or("");
    }
    if !indicators.contains('-') {
        out.push_str(leading_break);
    }
    if indicators.contains('+') {
        out.push_str(&breaks);
    }
    out
}

/// Standard base64 with padding, line breaks allowed, as Go decodes `!!binary`. Bytes that are no UTF-8 become
/// replacement characters, as they do on the way to JSON.
pub(super) fn base64(text: &str) -> Option<String> {
    let clean: Vec<u8> = text.bytes().filter(|b| !matches!(b, b'\r' | b'\n')).collect();
    let (body, padding) = match clean.as_slice() {
        [body @ .., b'=', b'='] => (body, 2),
        [body @ .., b'='] => (body, 1),
        body => (body, 0),
    };
    if !clean.len().is_multiple_of(4) || (body.len() + padding) % 4 != 0 {
        return None;
    }
    let mut out = Vec::with_capacity(clean.len() / 4 * 3);
    let (mut bits, mut count) = (0u32, 0u32);
    for byte in body {
        let value = match byte {
            b'A'..=b'Z' => byte - b'A',
            b'a'..=b'z' => byte - b'a' + 26,
            b'0'..=b'9' => byte - b'0' + 52,
            b'+' => 62,
            b'/' => 63,
            _ => return None,
        };
        bits = (bits << 6) | u32::from(value);
        count += 6;
        if count >= 8 {
            count -= 8;
            out.push((bits >> count) as u8);
            bits &= (1 << count) - 1;
        }
    }
    Some(String::from_utf8_lossy(&out).into_owned())
}
