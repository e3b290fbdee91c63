//! What is printed, byte for byte.

use std::sync::Arc;

use super::{Format, Look, report};
use crate::engine::{Counts, Input, Run};
use crate::finding::{Edit, Finding, Fix, ObjectRef, RuleId, Safety, Severity};
use crate::source::{Place, Source, Span};

const ID: RuleId = RuleId("chart-keep-misspelt");

fn place(source: &Arc<Source>, text: &str) -> Place {
    let start = source.text().find(text).expect("the text") as u32;
    Place::new(source, Span::new(start, start + text.len() as u32))
}

fn printed(findings: Vec<Finding>, format: Format, unicode: bool) -> String {
    let counts = Counts { files: 3, charts: 1, crds: 2, suppressed: 0 };
    let run = Run { findings, counts, inputs: Vec::new() };
    let look = Look { color: false, unicode, width: Some(90) };
    let mut out = Vec::new();
    report(&run, format, look, false, &mut out).expect("a vector");
    String::from_utf8(out).expect("text")
}

fn several() -> Vec<Finding> {
    let crd = Source::new(
        "charts/x/templates/crd.yaml",
        "kind: CustomResourceDefinition\r\nmetadata:\r\n\tname: é.example.com\r\n",
    );
    let values = Source::new("charts/x/values.yaml", "crds:\n  install: true\n");
    let member = Source::member("vendor/y.tgz", "crds/y.yaml", "kind: X\n");
    let mut first =
        Finding::new(ID, Severity::Error, place(&crd, "é.example"), "`keep` is spelt `Keep`");
    first.label("this one").help("Write `helm.sh/resource-policy: keep`, in lower case, and nothing else behind it on the line");
    first.relate(place(&crd, "kind: Custom"), "of this object");
    first.relate(place(&values, "install: true"), "the toggle is here");
    first.object = Some(ObjectRef {
        api_version: "apiextensions.k8s.io/v1".to_owned(),
        kind: "CustomResourceDefinition".to_owned(),
        name: "é.example.com".to_owned(),
        namespace: None,
    });
    first.chart = Some("charts/x".to_owned());
    first.when = vec!["crds.install=true".to_owned()];
    first.fix = Some(Fix {
        safety: Safety::Safe,
        title: "Write `keep`".to_owned(),
        edits: vec![Edit { place: place(&crd, "example"), text: "keep".to_owned() }],
    });
    let second =
        Finding::new(ID, Severity::Note, Place::new(&member, Span::at(8)), "The file ends here");
    vec![first, second]
}

#[test]
fn pretty_on_a_terminal_of_90_columns() {
    insta::assert_snapshot!(printed(several(), Format::Pretty, true));
}

#[test]
fn pretty_in_ascii() {
    insta::assert_snapshot!(printed(several(), Format::Pretty, false));
}

#[test]
fn concise_is_one_line_each() {
    insta::assert_snapshot!(printed(several(), Format::Concise, true));
}

#[test]
fn json_has_every_field() {
    insta::assert_snapshot!(printed(several(), Format::Json, true));
}

#[test]
fn verbose_lists_inputs() {
    let input = |path: &str, taken_for, detail: &str| Input {
        path: path.to_owned(),
        taken_for,
        detail: detail.to_owned(),
    };
    let run = Run {
        inputs: vec![
            input("a.yaml", "manifest", "2 CRDs"),
            input("charts/x/values.yaml", "values", ""),
            input("b\u{1b}.txt", "skipped", "neither YAML nor JSON"),
        ],
        ..Run::default()
    };
    let mut out = Vec::new();
    super::inputs(&run, Look::default(), &mut out).expect("a vector");
    insta::assert_snapshot!(String::from_utf8(out).expect("text"), @r"
    a.yaml                manifest       2 CRDs
    charts/x/values.yaml  values
    b?.txt                skipped        neither YAML nor JSON
    ");
}

#[test]
fn long_lines_are_cropped_around_the_place() {
    let json = format!(
        "{{\"a\": \"{}\", \"kind\": \"Foo\", \"b\": \"{}\"}}",
        "x".repeat(120_000),
        "y".repeat(120_000)
    );
    let source = Source::new("one-line.json", json);
    let text = printed(
        vec![Finding::new(ID, Severity::Warning, place(&source, "\"Foo\""), "Here")],
        Format::Pretty,
        true,
    );
    assert!(text.contains("one-line.json:1:120019"), "{text}");
    assert!(text.contains("\"kind\": \"Foo\", \"b\""), "{text}");
    assert!(text.len() < 1_000, "{} bytes", text.len());
}

#[test]
fn a_place_of_many_lines_shows_its_first_and_one_past_the_end_shows_the_end() {
    let source = Source::new("a.yaml", "spec:\n  a: 1\n  b: 2\nlast: 1");
    let whole = Place::new(&source, Span::new(0, 20));
    let past = Place::new(&source, Span::new(5_000, 6_000));
    let text = printed(
        vec![
            Finding::new(ID, Severity::Note, whole, "All"),
            Finding::new(ID, Severity::Note, past, "End"),
        ],
        Format::Pretty,
        true,
    );
    assert!(text.contains("a.yaml:1:1") && text.contains("a.yaml:4:8"), "{text}");
    assert_eq!(text.matches("spec:").count(), 1, "{text}");
}

#[test]
fn text_that_would_fool_a_terminal_is_shown_as_it_is() {
    let source = Source::new("a\u{1b}.yaml", "name: \u{202E}evil\u{2066} \u{1b}[31m\n");
    let finding = Finding::new(ID, Severity::Error, place(&source, "name"), "Red \u{1b}[31m");
    for format in [Format::Pretty, Format::Concise] {
        let text = printed(vec![finding.clone()], format, true);
        assert!(!text.contains(['\u{1b}', '\u{202E}', '\u{2066}']), "{text:?}");
    }
}

#[test]
fn ten_thousand_findings_in_a_large_file_are_all_printed() {
    // A renderer that walks the file for every finding would need minutes here.
    let source = Source::new(
        "big.yaml",
        "description: some words about a field of the schema\n".repeat(16_000),
    );
    let finding = |n: u32| {
        Finding::new(
            ID,
            Severity::Note,
            Place::new(&source, Span::new(n * 52, n * 52 + 11)),
            "Here",
        )
    };
    let text = printed((0..10_000).map(finding).collect(), Format::Pretty, true);
    assert_eq!(text.matches("Here").count(), 10_000);
}
