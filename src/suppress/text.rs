//! Where the comments of a text are, and which of its lines hold nothing else.

use crate::source::{Source, Span};

/// Comments of `source` in order: those that a YAML parser found, or whole lines that start with `#`; and template
/// comments. A parser finds none behind a syntax error, so those before the first content are looked for in any case.
pub(super) fn comments(source: &Source, known: Option<&[Span]>) -> Vec<Span> {
    let text = source.text();
    let mut spans = match known {
        Some(known) => known.to_vec(),
        None => hash_lines(text).collect(),
    };
    if known.is_some() {
        let content = first_content(text, &hash_lines(text).collect::<Vec<_>>());
        spans.extend(hash_lines(text).filter(|span| span.end <= content));
    }
    // Only templates have them, and there YAML is not parsed before they are gone.
    if known.is_none() {
        spans.extend(template_comments(text));
    }
    spans.sort_unstable();
    spans.dedup();
    spans
}

/// Lines that start with `#`, from there to their end.
fn hash_lines(text: &str) -> impl Iterator<Item = Span> {
    lines(text).filter_map(|line| {
        let inside = line.slice(text);
        let trimmed = inside.trim_start_matches(['\u{FEFF}', ' ', '\t']);
        let start = line.start + (inside.len() - trimmed.len()) as u32;
        trimmed.starts_with('#').then_some(Span::new(start, line.end))
    })
}

/// `{{/* … */}}` with or without `-`. What is never closed is no comment: Helm refuses it.
fn template_comments(text: &str) -> Vec<Span> {
    let mut spans = Vec::new();
    let mut at = 0;
    while let Some(open) = memchr::memmem::find(&text.as_bytes()[at..], b"{{") {
        let start = at + open;
        at = start + 2;
        let rest = &text[at..];
        // Go: `{{- ` with a space, then `/*`; without the dash nothing may stand between.
        let body = rest.strip_prefix('-').map_or(rest, str::trim_start);
        if !body.starts_with("/*") {
            continue;
        }
        let inside = text.len() - body.len() + 2;
        let Some(close) = text[inside..].find("*/") else { break };
        let after = &text[inside + close + 2..];
        let Some(end) = after.find("}}") else { break };
        at = inside + close + 2 + end + 2;
        spans.push(Span::new(start as u32, at as u32));
    }
    spans
}

/// Offset of the first line that is neither blank, nor comment, nor `---`.
pub(super) fn first_content(text: &str, comments: &[Span]) -> u32 {
    let silent = |line: &Span| {
        let inside = line.slice(text).trim_matches(['\u{FEFF}', ' ', '\t', '\r']);
        inside == "---" || is_silent(text, *line, comments)
    };
    lines(text).find(|line| !silent(line)).map_or(text.len() as u32, |line| line.start)
}

/// For every line (from 0) the line (from 1) of the first content in it or behind it: neither blank nor comment.
pub(super) fn content_lines(source: &Source, comments: &[Span]) -> Vec<Option<u32>> {
    let text = source.text();
    let mut found: Vec<Option<u32>> = (1..)
        .zip(lines(text))
        .map(|(number, line)| (!is_silent(text, line, comments)).then_some(number))
        .collect();
    let mut next = None;
    for line in found.iter_mut().rev() {
        next = line.or(next);
        *line = next;
    }
    found
}

/// Whether a line holds nothing but blanks and comments.
fn is_silent(text: &str, line: Span, comments: &[Span]) -> bool {
    let mut at = line.start;
    let first = comments.partition_point(|comment| comment.end <= line.start);
    for comment in &comments[first..] {
        if comment.start >= line.end {
            break;
        }
        if at < comment.start && !is_blank(Span::new(at, comment.start).slice(text)) {
            return false;
        }
        at = at.max(comment.end);
    }
    at >= line.end || is_blank(Span::new(at, line.end).slice(text))
}

fn is_blank(text: &str) -> bool {
    text.trim_matches('\u{FEFF}').trim().is_empty()
}

/// Spans of the lines, without their line ends.
fn lines(text: &str) -> impl Iterator<Item = Span> {
    text.split_inclusive('\n').scan(0, |start, line| {
        let from = *start;
        *start += line.len() as u32;
        let line = line.strip_suffix('\n').unwrap_or(line);
        let line = line.strip_suffix('\r').unwrap_or(line);
        Some(Span::new(from, from + line.len() as u32))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str, known: Option<&[Span]>) -> Vec<String> {
        let source = Source::new("a.yaml", text);
        comments(&source, known).iter().map(|span| span.slice(text).to_owned()).collect()
    }

    #[test]
    fn templates_have_both_kinds_of_comment() {
        let text = "{{- /* a\n b */ -}}\n# c\nkey: 1 # no\n{{/* d */}}{{ x }}{{/* open\n";
        assert_eq!(found(text, None), ["{{- /* a\n b */ -}}", "# c", "{{/* d */}}"]);
    }

    #[test]
    fn a_parser_knows_better_save_at_the_top() {
        let text = "\u{FEFF}# a\r\n---\n\n# b\ntext: |\n  # c\n";
        assert_eq!(found(text, Some(&[])), ["# a", "# b"]);
    }

    #[test]
    fn blank_lines_and_comments_are_stepped_over() {
        let text = "# a\n\n  # b\n{{/* c\n d */}}\nkey: 1\n";
        let source = Source::new("a.yaml", text);
        let comments = comments(&source, None);
        assert_eq!(content_lines(&source, &comments), [Some(6); 6]);
        assert_eq!(source.position(first_content(text, &comments)).line, 6);
        assert_eq!(content_lines(&Source::new("a.yaml", "a: 1\n\n"), &[]), [Some(1), None]);
    }
}
