//! A template made readable as YAML, byte for byte in place.
//!
//! Actions are overwritten: with spaces where a line holds nothing else, with a filler where they stand in for a value. Line
//! breaks stay. What the YAML parser then says about a span holds for the same span of the template, and [`Mask::is_templated`] tells
//! whether the text there is the author's or a filler. Branches are not chosen: both sides of an `else` remain.

use super::ast::{Kind, TagKind, Template};
use crate::source::Span;

/// A template with its actions overwritten.
#[derive(Debug)]
pub struct Mask {
    /// The text, exactly as long as the template's.
    pub text: String,
    /// Every action, in order: the whole `{{…}}`.
    pub actions: Vec<Span>,
    /// Every `{{ define }}…{{ end }}`, in order: what is in there is not emitted in place.
    pub defines: Vec<Span>,
}

impl Mask {
    /// Whether an action takes part in `span`: what the template says there is not a literal.
    pub fn is_templated(&self, span: Span) -> bool {
        meets(&self.actions, span)
    }

    /// Whether `span` touches a definition.
    pub fn in_define(&self, span: Span) -> bool {
        meets(&self.defines, span)
    }
}

/// Whether one of the sorted, disjoint `spans` shares a byte with `span`, or holds it if it is empty.
fn meets(spans: &[Span], span: Span) -> bool {
    let next = spans.partition_point(|other| other.end <= span.start);
    spans.get(next).is_some_and(|other| other.start < span.end.max(span.start + 1))
}

/// What an action is replaced by where text stands beside it.
const FILLER: u8 = b'x';

/// Overwrite the actions of `template`.
pub fn mask(template: &Template) -> Mask {
    let source = template.source().text().as_bytes();
    let mut bytes = source.to_vec();
    let mut actions: Vec<Span> = Vec::with_capacity(template.tags().len());
    let silent: Vec<bool> = silent_tags(template);
    let mut tags = template.tags().iter().zip(silent).peekable();
    // The lines that actions are on, one at a time, with the actions of each.
    let mut line_tags: Vec<(Span, bool)> = Vec::new();
    let mut carried: Option<(Span, bool)> = None;
    let mut start = 0;
    while carried.is_some() || tags.peek().is_some() {
        if carried.is_none()
            && let Some((tag, _)) = tags.peek()
        {
            // On to the next line with an action.
            let at = tag.span.start as usize;
            start =
                memchr::memrchr(b'\n', &source[start..at]).map_or(start, |found| start + found + 1);
        }
        let end =
            memchr::memchr(b'\n', &source[start..]).map_or(source.len(), |found| start + found);
        line_tags.clear();
        if let Some((span, silent)) = carried.take() {
            carried = cut(&mut line_tags, span, silent, end);
        }
        while carried.is_none()
            && let Some((tag, silent)) = tags.next_if(|(tag, _)| tag.span.start < end as u32)
        {
            actions.push(tag.span);
            carried = cut(&mut line_tags, tag.span, silent, end);
        }
        fill_line(&mut bytes, Span::new(start as u32, end as u32), &line_tags);
        start = (end + 1).min(source.len());
    }
    let mut defines: Vec<Span> = (template.defines().iter())
        .filter(|define| matches!(template.kind(define.node), Kind::Define(_)))
        .map(|define| template.span(define.node))
        .collect();
    defines.sort_unstable();
    // Only whole characters were replaced, by ASCII: this is UTF-8.
    let text = String::from_utf8(bytes).unwrap_or_default();
    Mask { text, actions, defines }
}

/// Note the part of an action that is on the line up to `end`; what is left goes to the next line.
fn cut(line: &mut Vec<(Span, bool)>, span: Span, silent: bool, end: usize) -> Option<(Span, bool)> {
    let end = end as u32;
    line.push((Span::new(span.start, span.end.min(end)), silent));
    (span.end > end).then(|| (Span::new(end + 1, span.end), silent))
}

/// Overwrite the actions of one line.
fn fill_line(bytes: &mut [u8], line: Span, tags: &[(Span, bool)]) {
    let mut rest = Vec::new();
    let mut at = line.start;
    for (span, _) in tags {
        rest.push(Span::new(at, span.start.max(at)));
        at = span.end.max(at);
    }
    rest.push(Span::new(at, line.end));
    let blank = |bytes: &[u8], span: &Span| {
        bytes[span.start as usize..span.end as usize].iter().all(u8::is_ascii_whitespace)
    };
    if rest.iter().all(|span| blank(bytes, span)) {
        for byte in &mut bytes[line.start as usize..line.end as usize] {
            *byte = if *byte == b'\r' { b'\r' } else { b' ' };
        }
        return;
    }
    for (index, (span, silent)) in tags.iter().enumerate() {
        let before =
            bytes[line.start as usize..span.start as usize].trim_ascii_end().last().copied();
        let last = rest[index + 1..].iter().all(|span| blank(bytes, span));
        // Behind `key:` or `-` at the end of a line an action that prints nothing there leaves the value to the next lines.
        let opens = last && matches!(before, Some(b':' | b'-'));
        let filler = if opens && *silent { b' ' } else { FILLER };
        bytes[span.start as usize..span.end as usize].fill(filler);
        // `key:{{ … }}` would not be a key any more.
        if opens && span.start > 0 && bytes[span.start as usize - 1] == b':' && !span.is_empty() {
            bytes[span.start as usize] = b' ';
        }
    }
}

/// For each tag whether it prints nothing, or nothing before a line break.
fn silent_tags(template: &Template) -> Vec<bool> {
    let mut silent: Vec<bool> = (template.tags().iter())
        .map(|tag| {
            !matches!(
                tag.kind,
                TagKind::Action | TagKind::Template | TagKind::Block | TagKind::Broken
            )
        })
        .collect();
    for node in &template.nodes {
        let Kind::Action { tag, pipe } = node.kind else { continue };
        let Kind::Pipe { items, decls, .. } = template.kind(pipe) else { continue };
        let last = template.nodes(items).last().map(|last| template.kind(*last));
        let nindent = matches!(last, Some(Kind::Command(arguments))
            if template.nodes(arguments).first().is_some_and(|function| template.text(*function) == "nindent"));
        silent[tag.0 as usize] = decls > 0 || nindent;
    }
    silent
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Source;

    fn masked(text: &str) -> Mask {
        let mask = mask(&super::super::parse("t.yaml", &Source::new("t.yaml", text)));
        assert_eq!(mask.text.len(), text.len());
        mask
    }

    #[test]
    fn lines_of_actions_become_blank() {
        assert_eq!(
            masked("a: 1\n  {{- if .x }}\nb: 2\n{{ end }}\r\n").text,
            "a: 1\n              \nb: 2\n         \r\n"
        );
        assert_eq!(
            masked("{{/* a\n   b */}}\n{{ toYaml .x\n | nindent 4 }}\n").text,
            "      \n         \n            \n               \n"
        );
        assert_eq!(masked("{{ if .x }}\t{{ end }}").text, " ".repeat(21));
    }

    #[test]
    fn actions_beside_text_become_fillers() {
        assert_eq!(masked("name: {{ .a }}-b\n").text, "name: xxxxxxxx-b\n");
        assert_eq!(masked("name: \"{{ .ä }}\"\n").text, "name: \"xxxxxxxxx\"\n");
        assert_eq!(masked("{{ .k }}: v\n").text, "xxxxxxxx: v\n");
        assert_eq!(masked("a: {{ .x\n }}b\n").text, "a: xxxxx\nxxxb\n");
    }

    #[test]
    fn what_prints_nothing_behind_a_key_leaves_the_value_to_the_next_lines() {
        assert_eq!(
            masked("labels: {{- include \"l\" . | nindent 2 }}\n  a: b").text,
            format!("labels: {}\n  a: b", " ".repeat(32))
        );
        assert_eq!(masked("a:{{ .x }}\n").text, "a: xxxxxxx\n");
        assert_eq!(masked("a: {{ if .x }}b{{ end }}\n").text, "a: xxxxxxxxxxxbxxxxxxxxx\n");
    }

    #[test]
    fn spans_tell_literals_from_fillers() {
        let mask = masked("a: {{ .x }}\nb: c\n{{ define \"d\" }}e: f{{ end }}\n");
        assert!(mask.is_templated(Span::new(3, 11)) && mask.is_templated(Span::new(0, 4)));
        assert!(!mask.is_templated(Span::new(0, 3)) && !mask.is_templated(Span::new(12, 16)));
        assert!(mask.is_templated(Span::at(5)) && !mask.is_templated(Span::at(11)));
        assert!(mask.in_define(Span::new(33, 37)) && !mask.in_define(Span::new(12, 16)));
        assert_eq!(mask.actions.len(), 3);
    }
}
