//! Numeric constants: Go keeps a literal under every type that can hold it.
//!
//! `{{ 1 }}` is an int, an unsigned int and a float at once, `{{ 1.0 }}` as well, `{{ 'a' }}` too; which one counts is decided
//! by the parameter that it is passed to. This is `newNumber` of Go's node.go with the parts of strconv and fmt that it
//! stands on, and their error texts.

#![expect(
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    reason = "Go converts constants between its numeric types just so; what is not exact is checked"
)]

use super::quote::{quote, unquote_char};

/// A numeric constant under all types that represent it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Number {
    /// The value as a signed integer.
    pub int: Option<i64>,
    /// The value as an unsigned integer.
    pub uint: Option<u64>,
    /// The value as a float.
    pub float: Option<f64>,
    /// Real and imaginary part, for constants with an `i`.
    pub complex: Option<(f64, f64)>,
}

/// Why a literal stands for no number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Failure {
    Syntax,
    Range,
}

impl Failure {
    fn text(self) -> &'static str {
        match self {
            Self::Syntax => "invalid syntax",
            Self::Range => "value out of range",
        }
    }
}

impl Number {
    /// `'a'`, `'\n'`, `'\x41'`.
    pub(super) fn from_char(text: &str) -> Result<Self, String> {
        let (unit, tail) = unquote_char(&text[1..], '\'').ok_or("invalid syntax")?;
        if tail != "'" {
            return Err(format!("malformed character constant: {text}"));
        }
        let code = unit.code();
        Ok(Self {
            int: Some(i64::from(code)),
            uint: Some(u64::from(code)),
            float: Some(f64::from(code)),
            complex: None,
        })
    }

    /// `1+2i`, read as `fmt.Sscan` reads it.
    pub(super) fn from_complex(text: &str) -> Result<Self, String> {
        let broken = || "syntax error scanning complex number".to_owned();
        let real = float_token(text);
        let rest = &text[real..];
        if !rest.starts_with(['+', '-']) {
            return Err(broken());
        }
        let imaginary = 1 + float_token(&rest[1..]);
        if !rest[imaginary..].starts_with('i') {
            return Err(broken());
        }
        let part = |text: &str| {
            parse_float(text).map_err(|failure| {
                format!("strconv.ParseFloat: parsing {}: {}", quote(text), failure.text())
            })
        };
        Ok(Self::simplified(part(&text[..real])?, part(&rest[..imaginary])?))
    }

    fn simplified(real: f64, imaginary: f64) -> Self {
        let mut number = Self { complex: Some((real, imaginary)), ..Self::default() };
        if imaginary == 0.0 {
            number.float = Some(real);
            number.int = exact_int(real);
            number.uint = exact_uint(real);
        }
        number
    }

    /// Any other number.
    pub(super) fn parse(text: &str) -> Result<Self, String> {
        if let Some(imaginary) = text.strip_suffix('i')
            && let Ok(value) = parse_float(imaginary)
        {
            return Ok(Self::simplified(0.0, value));
        }
        let mut number =
            Self { uint: parse_uint(text).ok(), int: parse_int(text).ok(), ..Self::default() };
        if number.int == Some(0) {
            number.uint = Some(0); // -0
        }
        if let Some(int) = number.int {
            number.float = Some(int as f64);
        } else if let Some(uint) = number.uint {
            number.float = Some(uint as f64);
        } else if let Ok(value) = parse_float(text) {
            // Something that looks like an integer and is none is too large for one.
            if !text.contains(['.', 'e', 'E', 'p', 'P']) {
                return Err(format!("integer overflow: {}", quote(text)));
            }
            number.float = Some(value);
            number.int = exact_int(value);
            number.uint = exact_uint(value);
        } else {
            return Err(format!("illegal number syntax: {}", quote(text)));
        }
        Ok(number)
    }
}

const TWO_63: f64 = 9_223_372_036_854_775_808.0;

/// The float as an integer where it is one. Rust's cast saturates; Go's on amd64 does not, and 2^63 is no int64 there.
#[expect(clippy::float_cmp, reason = "exactness is the question")]
fn exact_int(value: f64) -> Option<i64> {
    (value < TWO_63 && (value as i64) as f64 == value).then_some(value as i64)
}

#[expect(clippy::float_cmp, reason = "exactness is the question")]
fn exact_uint(value: f64) -> Option<u64> {
    ((0.0..2.0 * TWO_63).contains(&value) && (value as u64) as f64 == value).then_some(value as u64)
}

/// `strconv.ParseUint(text, 0, 64)`.
fn parse_uint(text: &str) -> Result<u64, Failure> {
    let lower = |at: usize| text.as_bytes().get(at).map_or(0, u8::to_ascii_lowercase);
    let (radix, digits) = match (lower(0), lower(1)) {
        (b'0', b'b') if text.len() >= 3 => (2, &text[2..]),
        (b'0', b'o') if text.len() >= 3 => (8, &text[2..]),
        (b'0', b'x') if text.len() >= 3 => (16, &text[2..]),
        (b'0', _) => (8, &text[1..]),
        (0, _) => return Err(Failure::Syntax),
        _ => (10, text),
    };
    let mut value: u64 = 0;
    for c in digits.chars().filter(|c| *c != '_') {
        let digit = c.to_digit(radix).ok_or(Failure::Syntax)?;
        value = value
            .checked_mul(u64::from(radix))
            .and_then(|value| value.checked_add(u64::from(digit)))
            .ok_or(Failure::Range)?;
    }
    if text.contains('_') && !underscores_ok(text) {
        return Err(Failure::Syntax);
    }
    Ok(value)
}

/// `strconv.ParseInt(text, 0, 64)`.
fn parse_int(text: &str) -> Result<i64, Failure> {
    let (negative, digits) = match text.as_bytes().first() {
        Some(b'-') => (true, &text[1..]),
        Some(b'+') => (false, &text[1..]),
        _ => (false, text),
    };
    let value = parse_uint(digits)?;
    if negative {
        0_i64.checked_sub_unsigned(value).ok_or(Failure::Range)
    } else {
        i64::try_from(value).map_err(|_| Failure::Range)
    }
}

/// `strconv.ParseFloat(text, 64)`, save for `Inf` and `NaN`, which the lexer never passes.
fn parse_float(text: &str) -> Result<f64, Failure> {
    let plain;
    let mut digits = text;
    if text.contains('_') {
        if !underscores_ok(text) {
            return Err(Failure::Syntax);
        }
        plain = text.replace('_', "");
        digits = &plain;
    }
    let unsigned = digits.strip_prefix(['+', '-']).unwrap_or(digits);
    // Go wants a digit right behind the exponent's sign; `_` there would vanish above.
    let exponent = text.find(if unsigned.starts_with("0x") || unsigned.starts_with("0X") {
        ['p', 'P']
    } else {
        ['e', 'E']
    });
    if let Some(at) = exponent
        && text[at + 1..].trim_start_matches(['+', '-']).starts_with('_')
    {
        return Err(Failure::Syntax);
    }
    if unsigned.len() > 2 && (unsigned.starts_with("0x") || unsigned.starts_with("0X")) {
        return parse_hex_float(&unsigned[2..])
            .map(|value| if digits.starts_with('-') { -value } else { value });
    }
    if !unsigned.starts_with(|c: char| c.is_ascii_digit() || c == '.') {
        return Err(Failure::Syntax);
    }
    let value: f64 = digits.parse().map_err(|_| Failure::Syntax)?;
    if value.is_infinite() { Err(Failure::Range) } else { Ok(value) }
}

/// `hh.hhp±dd`, the part behind `0x`; the exponent is mandatory.
fn parse_hex_float(text: &str) -> Result<f64, Failure> {
    let (mantissa, exponent) = text.split_once(['p', 'P']).ok_or(Failure::Syntax)?;
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let signless = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
    if whole.len() + fraction.len() == 0
        || !(whole.bytes().chain(fraction.bytes())).all(|byte| byte.is_ascii_hexdigit())
        || signless.is_empty()
        || !signless.bytes().all(|byte| byte.is_ascii_digit())
    {
        return Err(Failure::Syntax);
    }
    // Sixteen digits fill 64 bits; what is beyond only says on which side of a tie the value is.
    let (mut bits, mut scale, mut sticky) = (0_u64, 0_i64, false);
    for (at, c) in whole.chars().chain(fraction.chars()).enumerate() {
        let fractional = at >= whole.len();
        let digit = u64::from(c.to_digit(16).unwrap_or(0));
        if bits >> 60 == 0 {
            bits = bits << 4 | digit;
            scale -= if fractional { 4 } else { 0 };
        } else {
            sticky |= digit != 0;
            scale += if fractional { 0 } else { 4 };
        }
    }
    if bits == 0 {
        return Ok(0.0);
    }
    let magnitude = signless
        .bytes()
        .fold(0_i64, |value, digit| (value * 10 + i64::from(digit - b'0')).min(1 << 40));
    scale += if exponent.starts_with('-') { -magnitude } else { magnitude };
    round_binary(bits, scale, sticky).ok_or(Failure::Range)
}

/// `bits`·2^`scale`, rounded to nearest even; `None` when that is infinite.
fn round_binary(bits: u64, scale: i64, sticky: bool) -> Option<f64> {
    let shift = i64::from(bits.leading_zeros());
    // Leading one at bit 63; value = wide * 2^(scale - shift).
    let (wide, scale) = (bits << shift, scale - shift);
    // Of the 64 bits keep 53, or fewer where the result is denormal: its last bit weighs 2^-1074.
    let drop = 11.max(-1074 - scale);
    if drop > 65 {
        return Some(0.0);
    }
    let (wide, drop) = (u128::from(wide), drop as u32);
    let (mut kept, lost) = (wide >> drop, wide & ((1_u128 << drop) - 1));
    let half = 1_u128 << (drop - 1);
    if lost > half || lost == half && (sticky || kept & 1 == 1) {
        kept += 1;
    }
    // `kept` has at most 54 bits and, if 54, is a power of two: exact. The scaling is by exact powers of two.
    let exponent = scale + i64::from(drop);
    if exponent > 1023 {
        return None;
    }
    let value = (kept as f64) * two_to(exponent);
    value.is_finite().then_some(value)
}

/// 2^`exponent` for -1074..=1023.
fn two_to(exponent: i64) -> f64 {
    if exponent >= -1022 {
        f64::from_bits(((exponent + 1023) as u64) << 52)
    } else {
        f64::from_bits(1 << (exponent + 1074))
    }
}

/// `underscoreOK`: an underscore stands between digits, or between a base prefix and a digit.
fn underscores_ok(text: &str) -> bool {
    let text = text.strip_prefix(['+', '-']).unwrap_or(text).as_bytes();
    let prefix = matches!(text, [b'0', base, ..] if b"bBoOxX".contains(base));
    let hex = prefix && matches!(text[1], b'x' | b'X');
    let mut saw = if prefix { b'0' } else { b'^' };
    for byte in &text[if prefix { 2 } else { 0 }..] {
        match byte {
            byte if byte.is_ascii_digit() || hex && byte.is_ascii_hexdigit() => saw = b'0',
            b'_' if saw == b'0' => saw = b'_',
            b'_' => return false,
            _ if saw == b'_' => return false,
            _ => saw = b'!',
        }
    }
    saw != b'_'
}

/// Length of what `floatToken` of Go's fmt/scan.go takes from the front.
fn float_token(text: &str) -> usize {
    let bytes = text.as_bytes();
    let mut at = 0;
    let accept = |at: &mut usize, set: &[u8]| {
        let found = bytes.get(*at).is_some_and(|byte| set.contains(byte));
        *at += usize::from(found);
        found
    };
    accept(&mut at, b"+-");
    // The start of `Inf` is consumed even if it is none, as in `1+i`.
    accept(&mut at, b"iI");
    let (mut digits, mut exponent): (&[u8], &[u8]) = (b"0123456789_", b"eEpP");
    if accept(&mut at, b"0") && accept(&mut at, b"xX") {
        (digits, exponent) = (b"0123456789aAbBcCdDeEfF_", b"pP");
    }
    while accept(&mut at, digits) {}
    if accept(&mut at, b".") {
        while accept(&mut at, digits) {}
    }
    if accept(&mut at, exponent) {
        accept(&mut at, b"+-");
        while accept(&mut at, b"0123456789_") {}
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;

    fn int(text: &str) -> Option<i64> {
        Number::parse(text).unwrap().int
    }

    #[test]
    fn integers_in_every_base() {
        assert_eq!(int("017"), Some(15));
        assert_eq!(int("0x_ff"), Some(255));
        assert_eq!(int("-0b101"), Some(-5));
        assert_eq!(int("0o17"), Some(15));
        assert_eq!(int("1_000"), Some(1000));
        assert_eq!(int("1e3"), Some(1000));
        assert_eq!(int("-9223372036854775808"), Some(i64::MIN));
        assert_eq!(int("9223372036854775808"), None);
        assert_eq!(int("9223372036854775808.0"), None);
        assert_eq!(Number::parse("+5").unwrap().uint, None);
        assert_eq!(Number::parse("-0").unwrap().uint, Some(0));
    }

    #[test]
    fn floats_hex_floats_and_imaginaries() {
        let float = |text: &str| Number::parse(text).unwrap().float.unwrap();
        assert!((float("0x1.8p1") - 3.0).abs() < f64::EPSILON);
        assert_eq!(float("0x1p-1074").to_bits(), 1);
        assert_eq!(float("0x1.8p-1075").to_bits(), 1);
        assert_eq!(float("0x1p-1076").to_bits(), 0);
        assert_eq!(float("0x1.00000000000008p0").to_bits(), 1.0_f64.to_bits());
        assert_eq!(float("0x1.000000000000080000001p0").to_bits(), 1.0_f64.to_bits() + 1);
        assert_eq!(
            Number::parse("2i").unwrap(),
            Number { complex: Some((0.0, 2.0)), ..Number::default() }
        );
        assert_eq!(Number::parse("0i").unwrap().int, Some(0));
        assert_eq!(Number::from_complex("1+2i").unwrap().complex, Some((1.0, 2.0)));
    }

    #[test]
    fn bad_numbers_have_gos_texts() {
        for text in ["1__0", "0x", "1_", "0x1.8", "1e400", "1e", ".", "0x1p99999", "1e_5"] {
            assert_eq!(
                Number::parse(text).unwrap_err(),
                format!("illegal number syntax: {text:?}")
            );
        }
        assert_eq!(
            Number::parse("100000000000000000000").unwrap_err(),
            "integer overflow: \"100000000000000000000\""
        );
        assert_eq!(Number::parse("08").unwrap_err(), "integer overflow: \"08\"");
        assert_eq!(Number::from_char("'ab'").unwrap_err(), "malformed character constant: 'ab'");
        assert_eq!(
            Number::from_complex("1+i").unwrap_err(),
            "syntax error scanning complex number"
        );
        assert_eq!(
            Number::from_complex("1e400+1i").unwrap_err(),
            "strconv.ParseFloat: parsing \"1e400\": value out of range"
        );
    }
}
