//! From comments to directives: which rules are to be silent, and where.

use std::cell::OnceCell;

use crate::source::{Source, Span};

use super::{WORD, text};

/// A suppression as written, or what was meant as one.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Directive {
    /// The directive's word, for findings about it as a whole.
    pub(super) span: Span,
    /// What it asks for.
    pub(super) kind: Kind,
    /// The rules that it names, each with its place.
    pub(super) rules: Vec<(String, Span)>,
}

/// What a directive asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Silence on this line; `None` where no content follows.
    Line(Option<u32>),
    /// Silence in the whole file.
    File,
    /// Silence in the whole file, asked for where it does not count.
    FileTooLate,
    /// Something that is no directive.
    Unknown,
}

/// The directives of `source` in order.
pub(super) fn read(source: &Source, known: Option<&[Span]>) -> Vec<Directive> {
    let comments = text::comments(source, known);
    let content = text::first_content(source.text(), &comments);
    let mut directives = Vec::new();
    let lines = OnceCell::new();
    for comment in &comments {
        for (at, line) in words_of(*comment, source.text()) {
            if let Some(mut directive) = parse(line, at) {
                match &mut directive.kind {
                    Kind::Line(line) => {
                        // Behind the whole comment, which may have more lines than the directive.
                        let last = source.lines().line(comment.end.saturating_sub(1));
                        let lines = lines.get_or_init(|| text::content_lines(source, &comments));
                        *line = lines.get(last as usize).copied().flatten();
                    }
                    kind @ Kind::File if at >= content => *kind = Kind::FileTooLate,
                    _ => {}
                }
                directives.push(directive);
            }
        }
    }
    directives
}

/// The lines of a comment without what makes it one, each with its offset.
fn words_of(comment: Span, text: &str) -> impl Iterator<Item = (u32, &str)> {
    let whole = comment.slice(text);
    let whole = whole
        .strip_suffix("}}")
        .map_or(whole, |rest| rest.trim_end_matches('-').trim_end().trim_end_matches("*/"));
    let base = comment.start as usize;
    let mut start = 0;
    whole.split_inclusive('\n').map(move |line| {
        let from = start;
        start += line.len();
        let words = line.trim_start_matches(['{', '-', '/', '*', '#', ' ', '\t']);
        ((base + from + line.len() - words.len()) as u32, words.trim_end())
    })
}

/// A directive from `words`, which start at `at`.
fn parse(words: &str, at: u32) -> Option<Directive> {
    if !words.starts_with(WORD) {
        return None;
    }
    let end = words.find(char::is_whitespace).unwrap_or(words.len());
    let kind = match &words[WORD.len()..end] {
        "-next-line" => Kind::Line(None),
        "-file" => Kind::File,
        _ => Kind::Unknown,
    };
    let mut rules = Vec::new();
    let mut from = end;
    // `a,b reason`, `a, b reason` and `a ,b reason` alike: a comma before or behind a word goes on.
    while let Some(skip) = words[from..].find(|c: char| !c.is_whitespace()) {
        let start = from + skip;
        let rest = &words[start..];
        let length = rest.find(char::is_whitespace).unwrap_or(rest.len());
        let token = &rest[..length];
        let mut offset = start;
        for name in token.split(',') {
            if !name.is_empty() {
                let place = at + offset as u32;
                rules.push((name.to_owned(), Span::new(place, place + name.len() as u32)));
            }
            offset += name.len() + 1;
        }
        from = start + length;
        let more = token.ends_with(',') || words[from..].trim_start().starts_with(',');
        if !more {
            break;
        }
    }
    Some(Directive { span: Span::new(at, at + end as u32), kind, rules })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(text: &str) -> Directive {
        let mut all = read(&Source::new("a.yaml", text), None);
        assert_eq!(all.len(), 1, "{text:?}: {all:?}");
        all.remove(0)
    }

    fn names(directive: &Directive) -> Vec<&str> {
        directive.rules.iter().map(|(name, _)| name.as_str()).collect()
    }

    #[test]
    fn rules_are_separated_by_commas_and_the_rest_is_the_reason() {
        for (text, expected) in [
            ("# crdlint-disable-next-line a-b why not\nx: 1\n", vec!["a-b"]),
            ("#crdlint-disable-next-line a,b\nx: 1\n", vec!["a", "b"]),
            ("## crdlint-disable-next-line a, b , c why, not\nx: 1\n", vec!["a", "b", "c"]),
            ("{{- /* crdlint-disable-next-line a,b why */ -}}\nx: 1\n", vec!["a", "b"]),
            ("{{/*crdlint-disable-next-line a*/}}\nx: 1\n", vec!["a"]),
            ("{{/*\n  crdlint-disable-next-line a\n*/}}\n\nx: 1\n", vec!["a"]),
            ("# crdlint-disable-next-line\nx: 1\n", vec![]),
        ] {
            let directive = one(text);
            assert_eq!(names(&directive), expected, "{text:?}");
            for (name, span) in &directive.rules {
                assert_eq!(span.slice(text), name);
            }
            assert_eq!(directive.span.slice(text), "crdlint-disable-next-line");
            let line = text.lines().position(|line| line == "x: 1").unwrap() as u32 + 1;
            assert_eq!(directive.kind, Kind::Line(Some(line)), "{text:?}");
        }
    }

    #[test]
    fn the_whole_file_only_before_its_content() {
        assert_eq!(one("# (c) me\n---\n\n# crdlint-disable-file a\nx: 1\n").kind, Kind::File);
        assert_eq!(one("x: 1\n# crdlint-disable-file a\n").kind, Kind::FileTooLate);
        assert_eq!(one("{{/* crdlint-disable-file a */}}\nx: 1\n").kind, Kind::File);
        assert_eq!(one("{{ if x }}\n# crdlint-disable-file a\n").kind, Kind::FileTooLate);
    }

    #[test]
    fn prose_about_it_is_no_directive() {
        let text = "# use crdlint-disable-next-line for that\nx: crdlint-disable-file\n";
        assert_eq!(read(&Source::new("a.yaml", text), None), []);
        assert_eq!(one("# crdlint-disable a\n").kind, Kind::Unknown);
        assert_eq!(one("# crdlint-disable-line a\n").kind, Kind::Unknown);
        assert_eq!(one("x: 1\n# crdlint-disable-next-line a\n").kind, Kind::Line(None));
    }

    #[test]
    fn hostile_comments_end() {
        let text = "\u{FEFF}# é crdlint-disable-file ,é,, a\r\n{{-/*\n ü*/ -}}{{- /* crdlint-disable-é\n/**/}}\n\
                    #crdlint-disable-next-line,a\n{{/*crdlint-disable-next-line*/}}\n{{/**/}}#\n}}{{/*/}}{{/*";
        for (at, _) in text.char_indices() {
            for part in [&text[at..], &text[..at]] {
                let source = Source::new("a.yaml", part);
                for directive in read(&source, None).into_iter().chain(read(&source, Some(&[]))) {
                    assert!(directive.span.slice(part).starts_with(WORD));
                    assert!(directive.rules.iter().all(|(name, span)| span.slice(part) == name));
                }
            }
        }
        let text = "# crdlint-disable-next-line a\n".repeat(100_000);
        assert_eq!(read(&Source::new("a.yaml", format!("{text}x: 1\n")), None).len(), 100_000);
    }
}
