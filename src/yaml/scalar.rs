//! Types of scalars, as go-yaml v2's `resolve` decides them (YAML 1.1 with Go's number syntax).
//!
//! The first character says whether a plain scalar can be anything but a string; then an exact table, then
//! numbers. Timestamps stay strings. Upstream: `go.yaml.in/yaml/v2` v2.4.3, `resolve.go`.

use std::borrow::Cow;

use super::arena::{Shape, Tag};
use super::decode;
use super::error::{ErrorKind, WrongTag};
use super::node::Node;

/// A typed scalar.
#[derive(Clone, Debug, PartialEq)]
pub enum Scalar<'a> {
    /// `null`, `~`, or nothing.
    Null,
    /// `true`, `yes`, `on`, `y` and their opposites.
    Bool(bool),
    /// An integer that fits `i64`.
    Int(i64),
    /// A larger integer that fits `u64`.
    Uint(u64),
    /// Any other number; also `.inf` and `.nan`, which have no JSON form.
    Float(f64),
    /// Everything else.
    Str(Cow<'a, str>),
}

impl Scalar<'_> {
    /// The integer value; a float without a fraction counts.
    pub fn as_i64(&self) -> Option<i64> {
        match self {
            Self::Int(value) => Some(*value),
            Self::Float(value) => {
                let integral = value.fract() == 0.0 && value.abs() < 9_007_199_254_740_992.0;
                #[expect(clippy::cast_possible_truncation, reason = "integral and below 2^53")]
                integral.then_some(*value as i64)
            }
            _ => None,
        }
    }

    /// The numeric value.
    pub fn as_f64(&self) -> Option<f64> {
        #[expect(clippy::cast_precision_loss, reason = "JSON numbers are float64 in Helm")]
        match self {
            Self::Int(value) => Some(*value as f64),
            Self::Uint(value) => Some(*value as f64),
            Self::Float(value) => Some(*value),
            _ => None,
        }
    }

    /// What the scalar is, for messages: `a string`, `an integer` …
    pub fn describe(&self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Bool(_) => "a boolean",
            Self::Int(_) | Self::Uint(_) => "an integer",
            Self::Float(_) => "a number",
            Self::Str(_) => "a string",
        }
    }
}

/// Whether a plain scalar with this text could resolve to anything but a string. Cheap and never wrong when it
/// says no.
pub(super) fn may_be_typed(text: &str) -> bool {
    match text.as_bytes() {
        [] => true,
        [first, rest @ ..] => match first {
            b'+' | b'-' | b'.' | b'0'..=b'9' => true,
            b'y' | b'Y' | b'n' | b'N' | b't' | b'T' | b'f' | b'F' | b'o' | b'O' => rest.len() < 5,
            b'~' => rest.is_empty(),
            _ => false,
        },
    }
}

/// Whether a node is surely a string, without looking at more than its first character. Never wrong when it says yes.
pub(super) fn is_string(node: Node<'_>) -> bool {
    if node.tag_kind() != Tag::None {
        return false;
    }
    match node.shape() {
        Shape::Plain => !may_be_typed(node.text()),
        Shape::SingleQuoted | Shape::DoubleQuoted | Shape::Literal | Shape::Folded => true,
        _ => false,
    }
}

/// Type of a scalar node (not an alias), its tag considered.
pub(super) fn resolve(node: Node<'_>) -> Result<Scalar<'_>, ErrorKind> {
    let plain = node.shape() == Shape::Plain;
    let tag = node.tag_kind();
    if tag == Tag::None {
        if !plain || !may_be_typed(node.text()) {
            return Ok(Scalar::Str(decode::text(node)));
        }
        return Ok(resolve_decoded(decode::text(node)));
    }
    let text = decode::text(node);
    match tag {
        // `! x` and unknown tags: the text, untyped.
        Tag::None | Tag::NonSpecific | Tag::Other | Tag::Str | Tag::Merge => Ok(Scalar::Str(text)),
        Tag::Binary => decode::base64(&text)
            .map(|text| Scalar::Str(Cow::Owned(text)))
            .ok_or(ErrorKind::InvalidBase64),
        Tag::Null | Tag::Bool | Tag::Int | Tag::Float | Tag::Timestamp => tagged(tag, text),
    }
}

fn tagged(tag: Tag, text: Cow<'_, str>) -> Result<Scalar<'_>, ErrorKind> {
    let timestamp = is_timestamp(&text);
    match (tag, resolve_decoded(text.clone())) {
        (Tag::Null, Scalar::Null) => Ok(Scalar::Null),
        (Tag::Bool, Scalar::Bool(value)) => Ok(Scalar::Bool(value)),
        (Tag::Int, value @ (Scalar::Int(_) | Scalar::Uint(_)))
        | (Tag::Float, value @ Scalar::Float(_)) => Ok(value),
        #[expect(clippy::cast_precision_loss, reason = "what go-yaml does")]
        (Tag::Float, Scalar::Int(value)) => Ok(Scalar::Float(value as f64)),
        (Tag::Timestamp, Scalar::Str(text)) if timestamp => Ok(Scalar::Str(text)),
        (wanted, value) => Err(ErrorKind::WrongTag(WrongTag {
            found: match value {
                Scalar::Null => "!!null",
                Scalar::Bool(_) => "!!bool",
                Scalar::Int(_) | Scalar::Uint(_) => "!!int",
                Scalar::Float(_) => "!!float",
                Scalar::Str(_) if timestamp => "!!timestamp",
                Scalar::Str(_) => "!!str",
            },
            text: text.into_owned(),
            wanted: wanted.short(),
        })),
    }
}

/// Type of a plain scalar with this text.
pub fn resolve_plain(text: &str) -> Scalar<'_> {
    resolve_decoded(Cow::Borrowed(text))
}

fn resolve_decoded(text: Cow<'_, str>) -> Scalar<'_> {
    let typed = match text.as_bytes().first() {
        None => Some(Scalar::Null),
        Some(b'+' | b'-' | b'0'..=b'9') => number(&text),
        Some(b'.') => special_float(&text).or_else(|| dot_float(&text)),
        Some(_) => word(&text),
    };
    typed.unwrap_or(Scalar::Str(text))
}

fn word(text: &str) -> Option<Scalar<'static>> {
    match text {
        "y" | "Y" | "yes" | "Yes" | "YES" | "true" | "True" | "TRUE" | "on" | "On" | "ON" => {
            Some(Scalar::Bool(true))
        }
        "n" | "N" | "no" | "No" | "NO" | "false" | "False" | "FALSE" | "off" | "Off" | "OFF" => {
            Some(Scalar::Bool(false))
        }
        "~" | "null" | "Null" | "NULL" => Some(Scalar::Null),
        _ => None,
    }
}

fn special_float(text: &str) -> Option<Scalar<'static>> {
    match text {
        ".nan" | ".NaN" | ".NAN" => Some(Scalar::Float(f64::NAN)),
        ".inf" | ".Inf" | ".INF" | "+.inf" | "+.Inf" | "+.INF" => {
            Some(Scalar::Float(f64::INFINITY))
        }
        "-.inf" | "-.Inf" | "-.INF" => Some(Scalar::Float(f64::NEG_INFINITY)),
        _ => None,
    }
}

/// A scalar that starts with a point goes straight to Go's decimal `ParseFloat`: no underscores.
fn dot_float(text: &str) -> Option<Scalar<'static>> {
    is_yaml_float(text).then(|| finite(text)).flatten()
}

fn number(text: &str) -> Option<Scalar<'static>> {
    if let Some(special) = special_float(text) {
        return Some(special);
    }
    if is_timestamp(text) {
        return None;
    }
    let plain: Cow<'_, str> = match memchr::memchr(b'_', text.as_bytes()) {
        Some(_) => Cow::Owned(text.replace('_', "")),
        None => Cow::Borrowed(text),
    };
    if let Some(value) = integer(&plain) {
        return Some(value);
    }
    if is_yaml_float(&plain) {
        return finite(&plain);
    }
    None
}

/// Go's `ParseInt(text, 0, 64)`, then `ParseUint` for larger ones.
fn integer(text: &str) -> Option<Scalar<'static>> {
    let (negative, signed, digits) = match text.as_bytes().first()? {
        b'-' => (true, true, &text[1..]),
        b'+' => (false, true, &text[1..]),
        _ => (false, false, text),
    };
    let (radix, digits) = match digits.as_bytes() {
        [b'0', b'x' | b'X', ..] => (16, &digits[2..]),
        [b'0', b'b' | b'B', ..] => (2, &digits[2..]),
        [b'0', b'o' | b'O', ..] => (8, &digits[2..]),
        [b'0', _, ..] => (8, &digits[1..]),
        _ => (10, digits),
    };
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_alphanumeric()) {
        return None;
    }
    let magnitude = u64::from_str_radix(digits, radix).ok()?;
    if negative {
        let value = 0i64.checked_sub_unsigned(magnitude)?;
        return Some(Scalar::Int(value));
    }
    match i64::try_from(magnitude) {
        Ok(value) => Some(Scalar::Int(value)),
        // ParseUint takes no sign.
        Err(_) if signed => None,
        Err(_) => Some(Scalar::Uint(magnitude)),
    }
}

/// `[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?`
fn is_yaml_float(text: &str) -> bool {
    fn digits(bytes: &[u8]) -> usize {
        bytes.iter().take_while(|b| b.is_ascii_digit()).count()
    }
    let mut rest = text.as_bytes();
    if let [b'+' | b'-', tail @ ..] = rest {
        rest = tail;
    }
    let whole = digits(rest);
    rest = &rest[whole..];
    if let [b'.', tail @ ..] = rest {
        let fraction = digits(tail);
        if whole == 0 && fraction == 0 {
            return false;
        }
        rest = &tail[fraction..];
    } else if whole == 0 {
        return false;
    }
    if let [b'e' | b'E', tail @ ..] = rest {
        let tail = match tail {
            [b'+' | b'-', tail @ ..] => tail,
            _ => tail,
        };
        let exponent = digits(tail);
        return exponent > 0 && exponent == tail.len();
    }
    rest.is_empty()
}

/// Go refuses a number that overflows; Rust makes it infinite.
fn finite(text: &str) -> Option<Scalar<'static>> {
    let value: f64 = text.parse().ok()?;
    value.is_finite().then_some(Scalar::Float(value))
}

/// Whether go-yaml takes the text for a timestamp: four layouts of Go's `time.Parse`.
pub(super) fn is_timestamp(text: &str) -> bool {
    let bytes = text.as_bytes();
    if bytes.len() < 8 || bytes[4] != b'-' || !bytes[..4].iter().all(u8::is_ascii_digit) {
        return false;
    }
    let year: u32 = text[..4].parse().unwrap_or(0);
    let mut rest = &text[5..];
    let Some(month) = take_number(&mut rest, 1..=12) else { return false };
    if !take(&mut rest, b'-') {
        return false;
    }
    let leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    let days = match month {
        2 => 28 + u32::from(leap),
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    };
    if take_number(&mut rest, 1..=days).is_none() {
        return false;
    }
    if rest.is_empty() {
        return true;
    }
    let zoned = take(&mut rest, b'T') || take(&mut rest, b't');
    if !zoned {
        if !take(&mut rest, b' ') {
            return false;
        }
        // A space in the layout matches any number of spaces in the value.
        rest = rest.trim_start_matches(' ');
    }
    let clock = take_number(&mut rest, 0..=23).is_some()
        && take(&mut rest, b':')
        && take_number(&mut rest, 0..=59).is_some()
        && take(&mut rest, b':')
        && take_number(&mut rest, 0..=59).is_some();
    if !clock {
        return false;
    }
    if rest.starts_with(['.', ',']) {
        let digits = rest[1..].bytes().take_while(u8::is_ascii_digit).count();
        if digits == 0 {
            return false;
        }
        rest = &rest[1 + digits..];
    }
    if !zoned {
        return rest.is_empty();
    }
    match rest.as_bytes() {
        [b'Z'] => true,
        [b'+' | b'-', h1, h2, b':', m1, m2] => {
            let digits = [h1, h2, m1, m2].into_iter().all(u8::is_ascii_digit);
            digits && (h1 - b'0') * 10 + (h2 - b'0') <= 24 && (m1 - b'0') * 10 + (m2 - b'0') <= 60
        }
        _ => false,
    }
}

fn take(rest: &mut &str, byte: u8) -> bool {
    if rest.as_bytes().first() == Some(&byte) {
        *rest = &rest[1..];
        return true;
    }
    false
}

/// One or two digits, as Go's short layouts take them.
fn take_number(rest: &mut &str, range: std::ops::RangeInclusive<u32>) -> Option<u32> {
    let digits = rest.bytes().take(2).take_while(u8::is_ascii_digit).count();
    let value: u32 = rest[..digits].parse().ok()?;
    *rest = &rest[digits..];
    range.contains(&value).then_some(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_follow_go() {
        for (text, wanted) in [
            ("0777", Scalar::Int(511)),
            ("08", Scalar::Float(8.0)),
            ("-0b11", Scalar::Int(-3)),
            ("0x_1", Scalar::Int(1)),
            ("1__0", Scalar::Int(10)),
            ("18446744073709551615", Scalar::Uint(u64::MAX)),
            ("1e3", Scalar::Float(1000.0)),
            (".5", Scalar::Float(0.5)),
        ] {
            assert_eq!(resolve_plain(text), wanted, "{text}");
        }
        for text in ["0o8", "0x", "1e400", "1:30", "_1", "+-1", "._5"] {
            assert_eq!(resolve_plain(text), Scalar::Str(text.into()), "{text}");
        }
    }

    #[test]
    fn dates_are_known_but_stay_text() {
        assert!(is_timestamp("2024-02-29"));
        assert!(is_timestamp("2024-1-2T3:4:5.123Z"));
        assert!(is_timestamp("2024-01-02 03:04:05"));
        assert!(!is_timestamp("2023-02-29"));
        assert!(!is_timestamp("2024-01-02T03:04:05"));
        assert!(!is_timestamp("2024-13-01"));
    }
}
