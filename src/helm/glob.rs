//! Go's `filepath.Match`, which `.helmignore` is written in.
//!
//! `*` and `?` do not match `/`; `[a-z]`, `[^a-z]` and `\` as in Go 1.25.

/// Why a pattern is none.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct BadPattern;

/// Whether the whole of `name` matches `pattern`.
pub(super) fn matches(pattern: &str, name: &str) -> Result<bool, BadPattern> {
    let pattern: Vec<char> = pattern.chars().collect();
    let name: Vec<char> = name.chars().collect();
    check(&pattern)?;
    Ok(run(&pattern, &name))
}

/// Every class is closed and holds something, and no `\` ends the pattern.
fn check(pattern: &[char]) -> Result<(), BadPattern> {
    let mut at = 0;
    while at < pattern.len() {
        match pattern[at] {
            '\\' if at + 1 == pattern.len() => return Err(BadPattern),
            '\\' => at += 2,
            '[' => at = class(pattern, at, None).ok_or(BadPattern)?.0,
            _ => at += 1,
        }
    }
    Ok(())
}

/// Backtracks to the last `*` only, so time is bounded by the product of both lengths.
fn run(pattern: &[char], name: &[char]) -> bool {
    let (mut p, mut n) = (0, 0);
    let mut star: Option<(usize, usize)> = None;
    loop {
        if p < pattern.len() && pattern[p] == '*' {
            star = Some((p + 1, n));
            p += 1;
            continue;
        }
        if n == name.len() && p == pattern.len() {
            return true;
        }
        if n < name.len()
            && let Some(next) = step(pattern, p, name[n])
        {
            p = next;
            n += 1;
            continue;
        }
        match star {
            Some((behind, from)) if from < name.len() && name[from] != '/' => {
                star = Some((behind, from + 1));
                p = behind;
                n = from + 1;
            }
            _ => return false,
        }
    }
}

/// Where the pattern goes on when its element at `p` matches `c`.
fn step(pattern: &[char], p: usize, c: char) -> Option<usize> {
    match *pattern.get(p)? {
        '?' => (c != '/').then_some(p + 1),
        '[' => class(pattern, p, Some(c))
            .and_then(|(end, matched)| (matched && c != '/').then_some(end)),
        '\\' => (pattern.get(p + 1) == Some(&c)).then_some(p + 2),
        literal => (literal == c).then_some(p + 1),
    }
}

/// End of the class at `at`, and whether it holds `c`.
fn class(pattern: &[char], at: usize, c: Option<char>) -> Option<(usize, bool)> {
    let mut p = at + 1;
    let negated = pattern.get(p) == Some(&'^');
    p += usize::from(negated);
    let mut matched = false;
    let mut ranges = 0;
    loop {
        if pattern.get(p)? == &']' && ranges > 0 {
            return Some((p + 1, matched != negated));
        }
        let (low, next) = class_char(pattern, p)?;
        p = next;
        let mut high = low;
        if pattern.get(p)? == &'-' {
            (high, p) = class_char(pattern, p + 1)?;
        }
        matched |= c.is_some_and(|c| low <= c && c <= high);
        ranges += 1;
    }
}

fn class_char(pattern: &[char], p: usize) -> Option<(char, usize)> {
    match *pattern.get(p)? {
        '-' | ']' => None,
        '\\' => Some((*pattern.get(p + 1)?, p + 2)),
        c => Some((c, p + 1)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_match_as_in_go() {
        for (pattern, name, wanted) in [
            ("*.tgz", "a.tgz", true),
            ("*.tgz", "a/b.tgz", false),
            ("ci/*", "ci/x.yaml", true),
            ("?at", "cat", true),
            ("[a-c]at", "bat", true),
            ("[^a-c]at", "bat", false),
            ("a*b*c", "axxbyyc", true),
            ("a*b*c", "axxbyy", false),
            (r"\*", "*", true),
            ("*", "", true),
            ("é*", "éa", true),
        ] {
            assert_eq!(matches(pattern, name), Ok(wanted), "{pattern} {name}");
        }
        for pattern in ["[", "[]a]", "[a", "[a-]", r"a\"] {
            assert_eq!(matches(pattern, "a"), Err(BadPattern), "{pattern}");
        }
    }
}
