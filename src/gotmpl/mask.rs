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
    let mut page = Page { bytes: source.to_vec(), undecided: Vec::new(), blank: Vec::new() };
    let mut actions: Vec<Span> = Vec::with_capacity(template.tags().len());
    let mut tags = template.tags().iter().zip(silent_tags(template)).peekable();
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
        page.fill_line(Span::new(start as u32, end as u32), &line_tags);
        start = (end + 1).min(source.len());
    }
    page.leave_values_to_next_lines();
    page.keep_block_scalars();
    let mut defines: Vec<Span> = (template.defines().iter())
        .filter(|define| matches!(template.kind(define.node), Kind::Define(_)))
        .map(|define| template.span(define.node))
        .collect();
    defines.sort_unstable();
    // Only whole characters were replaced, by ASCII: this is UTF-8.
    let text = String::from_utf8(page.bytes).unwrap_or_default();
    Mask { text, actions, defines }
}

/// Note the part of an action that is on the line up to `end`; what is left goes to the next line.
fn cut(line: &mut Vec<(Span, bool)>, span: Span, silent: bool, end: usize) -> Option<(Span, bool)> {
    let end = end as u32;
    line.push((Span::new(span.start, span.end.min(end)), silent));
    (span.end > end).then(|| (Span::new(end + 1, span.end), silent))
}

struct Page {
    bytes: Vec<u8>,
    /// Lines whose value is an action at their end: what follows decides whether it is one.
    undecided: Vec<(Span, Span)>,
    /// Lines that became blank.
    blank: Vec<Span>,
}

impl Page {
    fn get(&self, span: Span) -> &[u8] {
        &self.bytes[span.start as usize..span.end as usize]
    }

    fn fill(&mut self, span: Span, filler: u8) {
        self.bytes[span.start as usize..span.end as usize].fill(filler);
    }

    fn is_blank(&self, span: Span) -> bool {
        self.get(span).iter().all(u8::is_ascii_whitespace)
    }

    /// Overwrite the actions of one line.
    fn fill_line(&mut self, line: Span, tags: &[(Span, bool)]) {
        let mut rest = Vec::new();
        let mut at = line.start;
        for (span, _) in tags {
            rest.push(Span::new(at, span.start.max(at)));
            at = span.end.max(at);
        }
        let tail = Span::new(at, line.end);
        // A YAML comment behind the last action changes nothing.
        let tail_blank = self.is_blank(tail) || {
            self.get(tail)[0].is_ascii_whitespace()
                && self.get(tail).trim_ascii_start().starts_with(b"#")
        };
        if tail_blank && rest.iter().all(|span| self.is_blank(*span)) {
            for byte in &mut self.bytes[line.start as usize..tail.start as usize] {
                *byte = b' ';
            }
            if self.is_blank(tail) {
                let breaks = usize::from(self.get(tail).ends_with(b"\r"));
                self.fill(Span::new(tail.start, tail.end - breaks as u32), b' ');
                self.blank.push(line);
            }
            return;
        }
        // The actions from here on stand at the end of the line.
        let solid = rest.iter().rposition(|span| !self.is_blank(*span));
        let ending = if tail_blank { solid.unwrap_or(0) } else { tags.len() };
        let mut opener = None;
        for (index, (span, silent)) in tags.iter().enumerate() {
            opener = self.get(rest[index]).trim_ascii_end().last().copied().or(opener);
            self.fill(*span, FILLER);
            if index >= ending {
                let before = self.get(Span::new(line.start, span.start));
                // `key:{{ … }}` would not be a key any more, but in `key: a:{{ … }}` the colon is part of the value.
                if before.ends_with(b":") && !before_has_value(before) && !span.is_empty() {
                    self.fill(Span::new(span.start, span.start + 1), b' ');
                }
                match opener {
                    // What prints nothing in place leaves the value to the next lines.
                    Some(b':' | b'-' | b'|' | b'>' | b'+') if *silent => {
                        self.fill(*span, b' ');
                        continue;
                    }
                    Some(b':' | b'-') => self.undecided.push((line, *span)),
                    _ => {}
                }
            }
            opener = Some(FILLER);
        }
    }

    /// `key: {{ … }}` with lines below that belong to the key: these are its value, and the action only adds to it.
    fn leave_values_to_next_lines(&mut self) {
        for (line, span) in std::mem::take(&mut self.undecided) {
            let Some(next) = self.next_line(line.end) else { continue };
            let (text, own) = (self.get(line), self.indent(line));
            let dashes = text.iter().take_while(|byte| matches!(byte, b' ' | b'-')).count();
            // In `- {{ … }}` it is the item that goes on below, in `- key: {{ … }}` the key.
            let is_item =
                text[own..].starts_with(b"- ") && line.start + dashes as u32 == span.start;
            if self.indent(next) > if is_item { own } else { dashes } {
                self.fill(span, b' ');
            }
        }
    }

    /// In a block scalar, blank lines before the first other one may not be longer than its indentation. Those
    /// that actions have left become text of the scalar.
    fn keep_block_scalars(&mut self) {
        // The line below a run of blank ones, and the header above it.
        let mut run: Option<(Span, Option<Span>)> = None;
        for line in std::mem::take(&mut self.blank) {
            if run.is_none_or(|(next, _)| line.end > next.start) {
                let Some(next) = self.next_line(line.end) else { break };
                run = Some((next, self.block_scalar_above(line)));
            }
            let Some((next, Some(header))) = run else { continue };
            let indent = self.indent(next) as u32;
            // Otherwise the scalar holds nothing but what the actions print.
            let inside = indent > self.indent(header) as u32;
            if inside && indent < line.len() {
                let text = Span::new(line.start + indent, line.end);
                let breaks = u32::from(self.get(text).ends_with(b"\r"));
                self.fill(Span::new(text.start, text.end - breaks), FILLER);
            }
        }
    }

    /// The line before `line` if it ends with the header of a block scalar: `key: |`, `- >-`.
    fn block_scalar_above(&self, line: Span) -> Option<Span> {
        let before = self.bytes[..line.start as usize].trim_ascii_end();
        let start = memchr::memrchr(b'\n', before).map_or(0, |at| at + 1);
        let words = &before[start..];
        let at = memchr::memrchr(b' ', words).map_or(0, |at| at + 1);
        let (indicator, head) = (&words[at..], words[..at].trim_ascii_end());
        let opens = matches!(indicator, [b'|' | b'>', rest @ ..] if rest.iter().all(|byte| b"-+123456789".contains(byte)))
            && (head.ends_with(b":") || head.ends_with(b"-"));
        opens.then(|| Span::new(start as u32, before.len() as u32))
    }

    /// The first line behind `end` with something on it.
    fn next_line(&self, end: u32) -> Option<Span> {
        let rest = &self.bytes[end as usize..];
        let first = end as usize + rest.iter().position(|byte| !byte.is_ascii_whitespace())?;
        let start = memchr::memrchr(b'\n', &self.bytes[..first]).map_or(0, |at| at + 1);
        let stop =
            memchr::memchr(b'\n', &self.bytes[first..]).map_or(self.bytes.len(), |at| first + at);
        Some(Span::new(start as u32, stop as u32))
    }

    fn indent(&self, line: Span) -> usize {
        self.get(line).iter().take_while(|byte| **byte == b' ').count()
    }
}

/// Whether a line up to a colon already holds `key: `, or a quote.
fn before_has_value(before: &[u8]) -> bool {
    memchr::memmem::find(before, b": ").is_some() || memchr::memchr2(b'"', b'\'', before).is_some()
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
        assert_eq!(masked("a: {{ .x }}:{{ .y }}\n").text, "a: xxxxxxxx:xxxxxxxx\n");
        assert_eq!(masked("a: |{{ .x | nindent 2 }}\n").text, format!("a: |{}\n", " ".repeat(20)));
        assert_eq!(masked("- {{ .x }}\n  a: b\n").text, "-         \n  a: b\n");
        assert_eq!(masked("- {{ .x }}\n- a: b\n").text, "- xxxxxxxx\n- a: b\n");
        assert_eq!(masked("- k: {{ .x }}\n  a: b\n").text, "- k: xxxxxxxx\n  a: b\n");
    }

    #[test]
    fn blank_lines_do_not_indent_a_block_scalar() {
        assert_eq!(
            masked("a: |\n{{- if .x }}\n  b\n{{- end }}\n").text,
            "a: |\n  xxxxxxxxxx\n  b\n          \n"
        );
        assert_eq!(masked("  a: |\n{{ .x }}\n  b: c\n").text, "  a: |\n        \n  b: c\n");
    }

    #[test]
    fn a_comment_behind_an_action_stays_one() {
        assert_eq!(masked("  {{ if .x }} # c\n").text, "              # c\n");
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
