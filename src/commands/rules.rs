//! `crdlint rules`: the table of all rules, for people and for programs.

use std::io::{self, Write};

use serde::Serialize;
use unicode_width::UnicodeWidthStr;

use super::text::{Paint, Style};
use crate::finding::Severity;
use crate::report::fill;
use crate::rules::{Meta, registry};

/// The table. `width` is that of the terminal; without one, each rule is one line.
pub fn table(width: Option<usize>, color: bool, out: &mut dyn Write) -> io::Result<()> {
    let paint = Paint { color };
    let ids = registry::all().iter().map(|rule| rule.id().0.width()).max().unwrap_or(0);
    let before = ids + "  warning  default  ".len();
    let (id, severity, default) = ("rule", "severity", "default");
    let head = format!("{id:ids$}  {severity:<8} {default:<8} summary");
    writeln!(out, "{}", paint.style(Style::Bold, head))?;
    for rule in registry::all() {
        let page = rule.meta;
        let severity = paint.style(style(page.severity), format_args!("{:<8}", page.severity));
        let default = if page.default { "on" } else { "off" };
        write!(out, "{:ids$}  {severity} {default:<8} ", page.id.0)?;
        let room = width.map_or(usize::MAX, |width| width.saturating_sub(before).max(30));
        let summary = fill(page.summary, room);
        for (at, line) in paint.code_lines(&summary).enumerate() {
            let indent = if at == 0 { 0 } else { before };
            writeln!(out, "{:indent$}{line}", "")?;
        }
    }
    Ok(())
}

/// The colour of a severity.
pub(super) const fn style(severity: Severity) -> Style {
    match severity {
        Severity::Error => Style::Red,
        Severity::Warning => Style::Yellow,
        Severity::Note => Style::Cyan,
    }
}

/// The same as JSON, version 1.
pub fn json(out: &mut dyn Write) -> io::Result<()> {
    let rules = registry::all().iter().map(|rule| Row::of(rule.meta)).collect();
    serde_json::to_writer_pretty(&mut *out, &Document { version: 1, rules })?;
    writeln!(out)
}

#[derive(Serialize)]
struct Document {
    version: u32,
    rules: Vec<Row>,
}

/// One rule. Fields are added, never changed.
#[derive(Serialize)]
struct Row {
    id: &'static str,
    name: &'static str,
    severity: &'static str,
    default: bool,
    category: &'static str,
    subject: &'static str,
    summary: &'static str,
    fix: &'static str,
    since: &'static str,
}

impl Row {
    fn of(page: &'static Meta) -> Self {
        Self {
            id: page.id.0,
            name: page.name,
            severity: page.severity.as_str(),
            default: page.default,
            category: page.category.as_str(),
            subject: page.subject.as_str(),
            summary: page.summary,
            fix: page.fixable.as_str(),
            since: page.since,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn printed(width: Option<usize>) -> String {
        let mut out = Vec::new();
        table(width, false, &mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn the_table_has_a_line_for_each_rule_and_its_columns_are_aligned() {
        let table = printed(None);
        assert_eq!(table.lines().count(), registry::all().len() + 1);
        let column = table.lines().next().unwrap().find("summary").unwrap();
        for (line, rule) in table.lines().skip(1).zip(registry::all()) {
            assert_eq!(&line[column..], rule.meta.summary);
        }
    }

    #[test]
    fn on_a_terminal_no_line_is_wider_than_it() {
        assert!(printed(Some(100)).lines().all(|line| line.width() <= 100));
    }

    #[test]
    fn json_has_version_1_and_all_rules() {
        let mut out = Vec::new();
        json(&mut out).unwrap();
        let value: serde_json::Value = serde_json::from_slice(&out).unwrap();
        assert_eq!(value["version"], 1);
        let rules = value["rules"].as_array().unwrap();
        assert_eq!(rules.len(), registry::all().len());
        let yaml = rules.iter().find(|rule| rule["id"] == "yaml-syntax").unwrap();
        assert_eq!(yaml["severity"], "error");
        assert_eq!(yaml["default"], true);
        assert_eq!(yaml["fix"], "none");
    }
}
