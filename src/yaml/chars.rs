//! Characters: line breaks of YAML 1.1, and what may not occur at all.

/// Width of the line break at the start of `bytes`, 0 if there is none: LF, CR, CRLF, U+0085, U+2028, U+2029.
pub(super) fn break_len(bytes: &[u8]) -> usize {
    match bytes {
        [b'\r', b'\n', ..] | [0xC2, 0x85, ..] => 2,
        [b'\n' | b'\r', ..] => 1,
        [0xE2, 0x80, 0xA8 | 0xA9, ..] => 3,
        _ => 0,
    }
}

/// Whether the text has breaks other than LF and CRLF, and where it has characters that YAML refuses.
pub(super) fn survey(text: &str) -> (bool, Vec<(usize, char)>) {
    const CHUNK: usize = 64;
    let bytes = text.as_bytes();
    let mut odd = false;
    let mut illegal = Vec::new();
    for (index, chunk) in bytes.chunks(CHUNK).enumerate() {
        // One pass without branches finds the chunks that deserve a look.
        let suspicious = chunk.iter().fold(false, |found, byte| {
            found | (*byte >= 0x7F) | ((*byte < 0x20) & (*byte != b'\n'))
        });
        if !suspicious {
            continue;
        }
        for (offset, byte) in chunk.iter().enumerate() {
            let at = index * CHUNK + offset;
            match byte {
                b'\r' => odd |= bytes.get(at + 1) != Some(&b'\n'),
                b'\t' | b'\n' | 0x20..=0x7E | 0x80..=0xC1 => {}
                0..=0x1F | 0x7F => illegal.push((at, char::from(*byte))),
                0xC2 | 0xE2 if break_len(&bytes[at..]) > 0 => odd = true,
                0xC2 | 0xEF => {
                    if let Some(c) = text[at..].chars().next()
                        && matches!(c, '\u{80}'..='\u{9F}' | '\u{FFFE}' | '\u{FFFF}')
                    {
                        illegal.push((at, c));
                    }
                }
                _ => {}
            }
        }
    }
    (odd, illegal)
}
