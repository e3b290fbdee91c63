//! `crdlint explain RULE`: the page of a rule on a terminal.
//!
//! All of it comes from the rule file; the examples are shown as they are tested, with the lines marked on which the
//! finding starts.

use std::io::{self, Write};

use super::rules::style;
use super::text::{Paint, Style};
use crate::report::fill;
use crate::rules::examples::Line;
use crate::rules::meta::{Body, Example, Fixable};
use crate::rules::{Meta, Rule};

/// The widest that prose is set, however wide the terminal is.
const MEASURE: usize = 100;
const INDENT: usize = 2;

/// What `crdlint explain` says when no rule is named; a usage error.
pub const USAGE: &str =
    "name a rule: `crdlint explain chart-load-failed`; `crdlint rules` lists all";

/// Write the page of `rule`. `width` is that of the terminal, if there is one.
pub fn run(rule: &Rule, width: Option<usize>, color: bool, out: &mut dyn Write) -> io::Result<()> {
    let width = width.unwrap_or(MEASURE).clamp(40, MEASURE);
    let mut page = Page { out, paint: Paint { color }, width };
    page.head(rule.meta)?;
    page.section("Why", rule.meta.why)?;
    page.section("How to fix", rule.meta.fix)?;
    page.options(rule.meta)?;
    for example in rule.meta.examples {
        page.example(example)?;
    }
    if let Some(reason) = rule.meta.no_examples {
        page.section("No examples", reason)?;
    }
    page.references(rule.meta)
}

struct Page<'a> {
    out: &'a mut dyn Write,
    paint: Paint,
    width: usize,
}

impl Page<'_> {
    fn head(&mut self, meta: &Meta) -> io::Result<()> {
        let id = self.paint.style(Style::Bold, meta.id);
        let severity = self.paint.style(style(meta.severity), meta.severity);
        writeln!(self.out, "{id} · {severity} · {}", meta.category)?;
        writeln!(self.out, "{}\n", self.paint.style(Style::Bold, meta.name))?;
        self.prose(meta.summary)?;
        writeln!(self.out)?;
        let installers: Vec<_> = meta.installers.iter().map(|one| one.name()).collect();
        let installers = match installers.as_slice() {
            [] => "whoever installs".to_owned(),
            names => names.join(", "),
        };
        let default = if meta.default { "on" } else { "off; `--select` turns it on" };
        let fix = match meta.fixable {
            Fixable::None => "by hand",
            Fixable::Safe => "`crdlint check --fix`",
            Fixable::Unsafe => "`crdlint check --fix --unsafe-fixes`",
        };
        for (name, value) in [
            ("fails with", installers.as_str()),
            ("looks at", meta.subject.as_str()),
            ("by default", default),
            ("fixed", fix),
            ("since", meta.since),
        ] {
            let name = self.paint.style(Style::Dim, format_args!("{name:<12}"));
            writeln!(self.out, "{:INDENT$}{name}{}", "", self.paint.code(value))?;
        }
        Ok(())
    }

    fn section(&mut self, title: &str, text: &str) -> io::Result<()> {
        writeln!(self.out, "\n{}", self.paint.style(Style::Bold, title))?;
        self.prose(text)
    }

    fn prose(&mut self, text: &str) -> io::Result<()> {
        let lines = fill(text, self.width - INDENT);
        for line in self.paint.code_lines(&lines) {
            let indent = if line.is_empty() { 0 } else { INDENT };
            writeln!(self.out, "{:indent$}{line}", "")?;
        }
        Ok(())
    }

    fn options(&mut self, meta: &Meta) -> io::Result<()> {
        if meta.options.is_empty() {
            return Ok(());
        }
        let list: Vec<_> =
            meta.options.iter().map(|(name, text)| format!("- `{name}`: {text}")).collect();
        self.section("Options", &list.join("\n"))
    }

    fn example(&mut self, example: &Example) -> io::Result<()> {
        let verdict = if example.good {
            self.paint.style(Style::Green, "Right")
        } else {
            self.paint.style(Style::Red, "Wrong")
        };
        writeln!(self.out, "\n{verdict}: {}", example.name)?;
        let part = match example.body {
            Body::Files(_) => None,
            Body::Crd(_) => Some("in the `spec` of a CRD"),
            Body::Schema(_) => Some("the schema of `spec` in a version of a CRD"),
        };
        for (path, lines) in example.shown() {
            if let Some(title) = path.or(part) {
                writeln!(self.out, "{:INDENT$}{}", "", self.paint.style(Style::Dim, title))?;
            }
            for line in lines {
                self.line(&line)?;
            }
        }
        Ok(())
    }

    fn line(&mut self, line: &Line) -> io::Result<()> {
        let Line { text, marked, times } = line;
        let times = if *times == 1 {
            String::new()
        } else {
            self.paint.style(Style::Dim, format_args!("   … {times} lines like this"))
        };
        if *marked {
            let (mark, text) =
                (self.paint.style(Style::Red, ">"), self.paint.style(Style::Red, text));
            return writeln!(self.out, "{:INDENT$}{mark} {text}{times}", "");
        }
        let bar = self.paint.style(Style::Dim, "│");
        let gap = if text.is_empty() { "" } else { " " };
        writeln!(self.out, "{:INDENT$}{bar}{gap}{text}{times}", "")
    }

    fn references(&mut self, meta: &Meta) -> io::Result<()> {
        if meta.references.is_empty() {
            return Ok(());
        }
        writeln!(self.out, "\n{}", self.paint.style(Style::Bold, "References"))?;
        for reference in meta.references {
            writeln!(self.out, "{:INDENT$}{}", "", url(reference))?;
        }
        Ok(())
    }
}

/// `owner/repo#123` as the address that a terminal can open; GitHub forwards issues to pull requests.
fn url(reference: &str) -> String {
    match reference.split_once('#') {
        Some((repo, number)) if !reference.contains("://") => {
            format!("https://github.com/{repo}/issues/{number}")
        }
        _ => reference.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use unicode_width::UnicodeWidthStr;

    use super::*;
    use crate::rules::registry;

    fn page(id: &str, width: usize, color: bool) -> String {
        let mut out = Vec::new();
        run(registry::find(id).unwrap(), Some(width), color, &mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn the_page_of_yaml_syntax() {
        insta::assert_snapshot!(page("yaml-syntax", 80, false));
    }

    #[test]
    fn the_usage_names_a_rule_that_exists() {
        let id = USAGE.split_whitespace().find(|word| word.contains("-failed")).unwrap();
        assert!(registry::find(id.trim_matches(['`', ';'])).is_some(), "{id}");
    }

    #[test]
    fn every_page_shows_its_parts_and_no_mark() {
        for rule in registry::all() {
            let meta = rule.meta;
            let page = page(meta.id.0, 100, false);
            assert!(page.contains(meta.name), "{page}");
            assert!(!page.contains("<- "), "{page}");
            let bad = meta.examples.iter().filter(|example| !example.good).count();
            assert_eq!(page.matches("\nWrong: ").count(), bad, "{page}");
            assert!(page.matches("\n  > ").count() >= bad, "{page}");
        }
    }

    #[test]
    fn prose_keeps_to_the_width() {
        for rule in registry::all() {
            let page = page(rule.id().0, 60, false);
            let prose = page.split("\nWrong: ").next().unwrap();
            for line in prose.lines().filter(|line| line.starts_with("  ")) {
                let words = line.split_whitespace().count();
                assert!(line.width() <= 60 || words < 3, "{}: {line}", rule.id());
            }
        }
    }

    #[test]
    fn issues_become_addresses() {
        assert_eq!(url("helm/helm#7505"), "https://github.com/helm/helm/issues/7505");
        assert_eq!(url("https://helm.sh/docs/#top"), "https://helm.sh/docs/#top");
    }
}
