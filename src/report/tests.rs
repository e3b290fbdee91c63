//! What is printed, byte for byte.

use std::sync::Arc;

use unicode_width::UnicodeWidthStr;

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
    a.yaml                manifest  2 CRDs
    charts/x/values.yaml  values
    b␛.txt                skipped   neither YAML nor JSON
    ");
}

/// Without the summary, on a terminal of 80 columns.
fn drawn(finding: Finding) -> String {
    let run = Run { findings: vec![finding], ..Run::default() };
    let look = Look { color: false, unicode: true, width: Some(80) };
    let mut out = Vec::new();
    report(&run, Format::Pretty, look, true, &mut out).expect("a vector");
    String::from_utf8(out).expect("text")
}

fn warning(place: Place, message: &str) -> Finding {
    Finding::new(ID, Severity::Warning, place, message)
}

fn one_line_json() -> Arc<Source> {
    let (x, y) = ("x".repeat(70_000), "y".repeat(170_000));
    Source::new("one-line.json", format!("{{\"a\": \"{x}\", \"kind\": \"Foo\", \"b\": \"{y}\"}}\n"))
}

#[test]
fn a_long_line_is_cropped_around_the_place() {
    let source = one_line_json();
    let mut finding = warning(place(&source, "\"Foo\""), "Here");
    finding.label("this kind");
    insta::assert_snapshot!(drawn(finding), @r#"
    warning[chart-keep-misspelt]
      ⚠ Here
       ╭─[one-line.json:1:70019]
     1 │ …xxxxxxxxxxxxxxxxxxx", "kind": "Foo", "b": "yyyyyyyyyyyyyyyyyyyyyy…
       ·                                ──┬──
       ·                                  ╰── this kind
       ╰────
    "#);
}

#[test]
fn two_places_on_a_long_line_are_a_drawing_and_a_list() {
    // miette would draw both and panic past column 65,535.
    let source = one_line_json();
    let mut finding = warning(place(&source, "\"a\""), "Twice");
    finding.relate(place(&source, "\"kind\""), "and here");
    insta::assert_snapshot!(drawn(finding), @r#"
    warning[chart-keep-misspelt]
      ⚠ Twice
       ╭─[one-line.json:1:2]
     1 │ {"a": "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…
       ·  ───
       ╰────
      one-line.json:1:70011: and here
    "#);
}

#[test]
fn a_place_wider_than_the_terminal_is_cut_at_its_edge() {
    let source = Source::new("a.yaml", format!("description: {}\n", "words ".repeat(40)));
    let mut finding = warning(Place::new(&source, Span::new(13, 250)), "Too many words");
    finding.label("all of it");
    insta::assert_snapshot!(drawn(finding), @r"
    warning[chart-keep-misspelt]
      ⚠ Too many words
       ╭─[a.yaml:1:14]
     1 │ description: words words words words words words words words word…
       ·              ──────────────────────────┬─────────────────────────
       ·                                        ╰── all of it
       ╰────
    ");
}

#[test]
fn a_place_of_many_lines_shows_its_first() {
    let source = Source::new("a.yaml", "spec:  \n  a: 1\n  b: 2\nlast: 1\n");
    insta::assert_snapshot!(drawn(warning(Place::new(&source, Span::new(0, 20)), "All of it")), @r"
    warning[chart-keep-misspelt]
      ⚠ All of it
       ╭─[a.yaml:1:1]
     1 │ spec:
       · ─────
     2 │   a: 1
       ╰────
    ");
}

#[test]
fn an_empty_place_at_the_end_of_a_file_has_a_caret() {
    let source = Source::new("a.yaml", "a: 1\r\nb: 2\r\n");
    insta::assert_snapshot!(drawn(warning(Place::new(&source, Span::at(12)), "The end")), @r"
    warning[chart-keep-misspelt]
      ⚠ The end
       ╭─[a.yaml:3:1]
     2 │ b: 2
     3 │
       · ▲
       ╰────
    ");
}

#[test]
fn a_place_past_the_end_is_the_end_and_an_empty_file_has_one() {
    let source = Source::new("a.yaml", "last: 1");
    insta::assert_snapshot!(drawn(warning(Place::new(&source, Span::new(5_000, 6_000)), "End")), @r"
    warning[chart-keep-misspelt]
      ⚠ End
       ╭─[a.yaml:1:8]
     1 │ last: 1
       ·        ▲
       ╰────
    ");
    let empty = Source::new("empty.yaml", "");
    insta::assert_snapshot!(drawn(warning(Place::start_of(&empty), "Nothing")), @r"
    warning[chart-keep-misspelt]
      ⚠ Nothing
       ╭─[empty.yaml:1:1]
     1 │
       · ▲
       ╰────
    ");
}

#[test]
fn tabs_and_wide_characters_keep_the_underline_in_place() {
    let source = Source::new("a.yaml", "\u{FEFF}a:\r\n\té: 漢字 x: \"y\"\r\n");
    insta::assert_snapshot!(drawn(warning(place(&source, "\"y\""), "Tabs")), @r#"
    warning[chart-keep-misspelt]
      ⚠ Tabs
       ╭─[a.yaml:2:11]
     1 │ a:
     2 │     é: 漢字 x: "y"
       ·                ───
       ╰────
    "#);
}

#[test]
fn places_on_the_same_text_or_far_away_are_listed() {
    let source = Source::new("a.yaml", "kind: A\n".repeat(30));
    let mut finding = warning(Place::new(&source, Span::new(8, 12)), "Three more");
    finding.label("first").relate(Place::new(&source, Span::new(32, 36)), "near");
    finding.relate(Place::new(&source, Span::new(8, 15)), "the same");
    finding.relate(Place::new(&source, Span::new(200, 204)), "far");
    insta::assert_snapshot!(drawn(finding), @r"
    warning[chart-keep-misspelt]
      ⚠ Three more
       ╭─[a.yaml:2:1]
     1 │ kind: A
     2 │ kind: A
       · ──┬─
       ·   ╰── first
     3 │ kind: A
     4 │ kind: A
     5 │ kind: A
       · ──┬─
       ·   ╰── near
     6 │ kind: A
       ╰────
      a.yaml:2:1: the same
      a.yaml:26:1: far
    ");
}

#[test]
fn a_thousand_related_places_are_a_short_list() {
    let source = Source::new("a.yaml", "kind: A\n".repeat(1_100));
    let mut finding = warning(Place::new(&source, Span::new(0, 4)), "Everywhere");
    for line in 50..1_050 {
        finding.relate(Place::new(&source, Span::new(line * 8, line * 8 + 4)), "here");
    }
    let text = drawn(finding);
    assert!(text.contains("and 990 more places"), "{text}");
    assert!(text.lines().count() < 20, "{text}");
}

#[test]
fn text_that_would_fool_a_terminal_is_made_visible() {
    let source = Source::new("a\u{1b}.yaml", "name: \u{202E}evil\u{2066} \u{1b}[31m\u{9b}\n");
    let mut finding = warning(place(&source, "evil"), "Red \u{1b}[31m");
    finding.label("\u{1b}[2J").help("Write\u{202E}").relate(place(&source, "name"), "\u{7}");
    finding.relate(Place::start_of(&Source::new("\u{1b}]0;x\u{7}", "")), "\u{202E}");
    finding.when = vec!["a=\u{1b}".to_owned()];
    insta::assert_snapshot!(drawn(finding.clone()), @r"
    warning[chart-keep-misspelt]
      ⚠ Red ␛[31m
       ╭─[a␛.yaml:1:8]
     1 │ name: �evil� ␛[31m�
       · ──┬─   ──┬─
       ·   │      ╰── ␛[2J
       ·   ╰── ␇
       ╰────
      ␛]0;x␇:1:1: �
      when: a=␛
      help: Write�
    ");
    let text = printed(vec![finding], Format::Concise, true);
    assert!(!text.contains(['\u{1b}', '\u{202E}', '\u{2066}', '\u{9b}', '\u{7}']), "{text:?}");
}

#[test]
fn colours_are_those_of_the_severity() {
    let source = Source::new("a.yaml", "kind: A\nname: b\n");
    let mut finding = warning(place(&source, "name"), "Yellow");
    finding.relate(place(&source, "kind"), "dimmed").help("Cyan");
    let run = Run { findings: vec![finding], ..Run::default() };
    let look = Look { color: true, unicode: true, width: Some(80) };
    let mut out = Vec::new();
    report(&run, Format::Pretty, look, false, &mut out).expect("a vector");
    let text = String::from_utf8(out).expect("text").replace('\u{1b}', "^");
    insta::assert_snapshot!(text, @r"
    ^[33;1mwarning[chart-keep-misspelt]^[0m
      ^[33;1m⚠^[0m Yellow
       ╭─[a.yaml:2:1]
     ^[2m1^[0m │ kind: A
       · ^[2m──┬─^[0m
       ·   ^[2m╰── ^[2mdimmed^[0m^[0m
     ^[2m2^[0m │ name: b
       · ^[33;1m────^[0m
       ╰────
      ^[1m^[36mhelp:^[0m Cyan

    ^[1m^[33m1 warning^[0m in 0 files
    ");
}

/// Any span of any text, even one that no parser would give, is drawn: within the width, with the line and column of
/// the other formats, and harmless.
#[test]
fn no_place_makes_the_drawing_fail() {
    let pieces = [
        "a: b",
        "\n",
        "\r\n",
        "\r",
        "\t",
        "é",
        "漢字",
        "\u{1b}[1m",
        "\u{202E}",
        "\u{FEFF}",
        "\u{300}",
        "👩\u{200D}🚀",
        "",
        " ",
    ];
    let mut state = 1_u64;
    let mut random = |below: usize| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % below
    };
    for _ in 0..2_000 {
        let long = random(8) == 0;
        let count = if long { 400 } else { 12 };
        let text: String =
            (0..random(count)).map(|_| pieces[random(pieces.len() - usize::from(long))]).collect();
        let length = text.len();
        let source = Source::new("a.yaml", text);
        let mut any =
            || Place::new(&source, Span::new(random(length + 3) as u32, random(length + 3) as u32));
        let mut finding = warning(any(), "M");
        finding.label("p").relate(any(), "r").relate(any(), "").relate(any(), "s");
        let start = finding.primary.place.start();
        let text = drawn(finding);
        assert!(
            text.contains(&format!("[a.yaml:{start}]")),
            "{start} in {:?}\n{text}",
            source.text()
        );
        for line in text.lines() {
            assert!(line.width() <= 80 || line.contains("── "), "{line:?}");
            assert!(!line.chars().any(char::is_control), "{line:?}");
        }
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
