//! Version 1 of the machine format of `check`. Changes to it only add.
//!
//! Paths use `/`; lines and columns count from 1, columns in characters, and an end stands behind the last character.
//! What is not there is `null`, a list without items `[]`. For what lies in an archive `path` is the archive and
//! `member` the path within; line and column are the member's.

use std::io::{self, Write};

use serde::Serialize;

use crate::engine::Run;
use crate::finding::{Finding, Safety, Severity};
use crate::source::{Place, Position};

#[derive(Serialize)]
struct Document<'a> {
    version: u32,
    findings: Vec<Entry<'a>>,
    summary: Summary,
}

#[derive(Serialize)]
struct Entry<'a> {
    rule: &'a str,
    severity: &'a str,
    message: &'a str,
    path: &'a str,
    member: Option<&'a str>,
    line: u32,
    column: u32,
    end_line: u32,
    end_column: u32,
    object: Option<Object<'a>>,
    chart: Option<&'a str>,
    when: &'a [String],
    help: Option<&'a str>,
    fix: Option<Fix<'a>>,
    related: Vec<Related<'a>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Object<'a> {
    api_version: &'a str,
    kind: &'a str,
    name: &'a str,
    namespace: Option<&'a str>,
}

#[derive(Serialize)]
struct Fix<'a> {
    safety: &'static str,
    title: &'a str,
    edits: Vec<Edit<'a>>,
}

#[derive(Serialize)]
struct Edit<'a> {
    path: &'a str,
    member: Option<&'a str>,
    start: At,
    end: At,
    text: &'a str,
}

#[derive(Serialize)]
struct At {
    line: u32,
    column: u32,
}

#[derive(Serialize)]
struct Related<'a> {
    path: &'a str,
    member: Option<&'a str>,
    line: u32,
    column: u32,
    message: &'a str,
}

#[derive(Serialize)]
struct Summary {
    errors: usize,
    warnings: usize,
    notes: usize,
    suppressed: usize,
    files: usize,
    charts: usize,
    crds: usize,
}

/// Print the run as one JSON document.
///
/// # Errors
/// Those of `out`.
pub fn json(run: &Run, out: &mut dyn Write) -> io::Result<()> {
    let count =
        |severity| run.findings.iter().filter(|finding| finding.severity == severity).count();
    let document = Document {
        version: 1,
        findings: run.findings.iter().map(entry).collect(),
        summary: Summary {
            errors: count(Severity::Error),
            warnings: count(Severity::Warning),
            notes: count(Severity::Note),
            suppressed: run.counts.suppressed,
            files: run.counts.files,
            charts: run.counts.charts,
            crds: run.counts.crds,
        },
    };
    serde_json::to_writer_pretty(&mut *out, &document)?;
    writeln!(out)
}

fn entry(finding: &Finding) -> Entry<'_> {
    let place = &finding.primary.place;
    let (start, end) = (place.start(), place.end());
    Entry {
        rule: finding.rule.0,
        severity: finding.severity.as_str(),
        message: &finding.message,
        path: place.source.path(),
        member: place.source.archive_member(),
        line: start.line,
        column: start.column,
        end_line: end.line,
        end_column: end.column,
        object: finding.object.as_ref().map(|object| Object {
            api_version: &object.api_version,
            kind: &object.kind,
            name: &object.name,
            namespace: object.namespace.as_deref(),
        }),
        chart: finding.chart.as_deref(),
        when: &finding.when,
        help: finding.help.as_deref(),
        fix: finding.fix.as_ref().map(|fix| Fix {
            safety: match fix.safety {
                Safety::Safe => "safe",
                Safety::Unsafe => "unsafe",
            },
            title: &fix.title,
            edits: fix.edits.iter().map(|edit| self::edit(&edit.place, &edit.text)).collect(),
        }),
        related: finding
            .related
            .iter()
            .map(|label| {
                let Position { line, column } = label.place.start();
                Related {
                    path: label.place.source.path(),
                    member: label.place.source.archive_member(),
                    line,
                    column,
                    message: &label.message,
                }
            })
            .collect(),
    }
}

fn edit<'a>(place: &'a Place, text: &'a str) -> Edit<'a> {
    let at = |position: Position| At { line: position.line, column: position.column };
    Edit {
        path: place.source.path(),
        member: place.source.archive_member(),
        start: at(place.start()),
        end: at(place.end()),
        text,
    }
}
