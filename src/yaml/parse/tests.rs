//! The arena: spans, recovery, hostile texts.

use std::fmt::Write as _;

use super::*;
use crate::yaml::{Kind, Scalar, to_json};

fn stream(text: &str) -> Stream {
    parse(&Source::new("t.yaml", text))
}

fn first_error(text: &str) -> YamlError {
    stream(text).documents().find_map(|d| d.error().cloned()).expect("an error")
}

#[test]
fn spans_name_keys_and_values() {
    let stream = stream("a: 1\nspec:\n  name: 'x y'  # why\n  list:\n  - one\n  - two: 2\n");
    let root = stream.first_root().unwrap();
    let name = root.get("spec").unwrap().entry("name").unwrap();
    assert_eq!((name.key.text(), name.value.text()), ("name", "'x y'"));
    let list = root.at(&["spec", "list"]).unwrap();
    assert_eq!(list.text(), "- one\n  - two: 2");
    assert_eq!(list.items().nth(1).unwrap().get("two").unwrap().as_i64(), Some(2));
    assert_eq!(
        root.get("spec").unwrap().text(),
        "name: 'x y'  # why\n  list:\n  - one\n  - two: 2"
    );
    assert_eq!(
        stream.comments().iter().map(|c| c.slice(stream.text())).collect::<Vec<_>>(),
        ["# why"]
    );
}

#[test]
fn duplicates_and_merges_are_kept_and_resolved_as_go_does() {
    let stream = stream("base: &b {x: 1, z: 1}\nuse:\n  x: 0\n  <<: *b\n  z: 2\n  z: 3\n");
    let used = stream.first_root().unwrap().get("use").unwrap();
    assert_eq!(used.entries().count(), 4);
    assert_eq!(used.get("x").unwrap().as_i64(), Some(1));
    assert_eq!(used.get("z").unwrap().as_i64(), Some(3));
    assert_eq!(to_json(used).unwrap(), serde_json::json!({"x": 1, "z": 3}));
}

#[test]
fn an_error_costs_its_own_document() {
    let stream = stream("a: 1\n---\nb: [1\n---\nc: 3\n---\nd: \"open\n---\ne: 5\n");
    let roots: Vec<_> = stream.roots().map(|r| r.text().to_owned()).collect();
    assert_eq!(roots, ["a: 1", "c: 3", "e: 5"]);
    let errors: Vec<_> =
        stream.documents().filter_map(|d| d.error().map(|e| e.kind.clone())).collect();
    assert_eq!(errors, [ErrorKind::FlowSequence, ErrorKind::QuoteDocument]);
}

#[test]
fn errors_point_at_what_is_wrong() {
    for (text, kind, at) in [
        ("a:\n\tb: 1\n", ErrorKind::CannotStartToken('\t'), "\t"),
        ("a: b: c\n", ErrorKind::ValueNotAllowed, ":"),
        ("a: 1\nb\nc: 2\n", ErrorKind::MissingColon, "b"),
        ("k: \"\\q\"\n", ErrorKind::UnknownEscape('q'), "\\q"),
        ("k: *a\n", ErrorKind::UnknownAnchor("a".to_owned()), "*a"),
        ("k: @x\n", ErrorKind::CannotStartToken('@'), "@"),
        ("k: \u{7}\n", ErrorKind::ControlCharacter('\u{7}'), "\u{7}"),
        ("a: &a [*a]\n", ErrorKind::SelfAnchor("a".to_owned()), "*a"),
    ] {
        let error = first_error(text);
        assert_eq!(error.kind, kind, "{text:?}");
        assert_eq!(error.span.slice(text), at, "{text:?}");
    }
}

#[test]
fn every_span_lies_in_the_text_and_children_in_their_parents() {
    let text = "%YAML 1.1\n---\n? [a, b]\n: {c: d, e}\nf: |+2\n    x\n   y\n\ng: >-\n  é\n  ü\n...\n--- !!map\n- - &x 1\n- *x\n";
    let stream = stream(text);
    assert_eq!(stream.roots().count(), 2);
    stream.roots().for_each(|root| check(root, text));
    assert_eq!(stream.first_root().unwrap().get("f").unwrap().as_str().unwrap(), "  x\n y\n\n");
    assert_eq!(stream.first_root().unwrap().get("g").unwrap().as_str().unwrap(), "é ü");
}

#[test]
fn hostile_texts_end_quickly() {
    assert_eq!(first_error(&"[".repeat(100_000)).kind, ErrorKind::TooDeep);
    assert_eq!(first_error(&"- ".repeat(100_000)).kind, ErrorKind::TooDeep);
    let one_line = format!("[{}]", "{\"k\": [1, \"v\", null]}, ".repeat(50_000));
    assert_eq!(stream(&one_line).first_root().unwrap().items().count(), 50_000);
    let mut bomb = String::from("a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n");
    for level in 1..12 {
        let alias = format!("*a{}, ", level - 1).repeat(9);
        writeln!(bomb, "a{level}: &a{level} [{alias}]").unwrap();
    }
    let stream = stream(&bomb);
    let root = stream.first_root().unwrap();
    assert_eq!(to_json(root).unwrap_err().kind, ErrorKind::ExcessiveAliasing);
    // Reading through aliases costs nothing.
    assert_eq!(root.get("a11").unwrap().items().count(), 9);
}

#[test]
fn deep_but_legal_nesting_is_read() {
    let text = format!("{}x{}", "[".repeat(9_000), "]".repeat(9_000));
    let stream = stream(&text);
    assert_eq!(stream.node_count(), 9_001);
    assert_eq!(to_json(stream.first_root().unwrap()).unwrap_err().kind, ErrorKind::TooDeep);
}

#[test]
fn an_unquoted_scalar_is_typed_and_a_quoted_one_is_not() {
    let stream = stream("a: yes\nb: 'yes'\nc: !!str yes\nd:\n");
    let root = stream.first_root().unwrap();
    assert_eq!(root.get("a").unwrap().scalar(), Some(Scalar::Bool(true)));
    assert_eq!(root.get("b").unwrap().as_str().unwrap(), "yes");
    assert_eq!(root.get("c").unwrap().as_str().unwrap(), "yes");
    assert!(root.get("d").unwrap().is_null());
}

/// Spans lie in the text, on character boundaries, and within their parents.
fn check(node: crate::yaml::Node<'_>, text: &str) {
    let span = node.span();
    assert!(text.is_char_boundary(span.start as usize) && text.is_char_boundary(span.end as usize));
    let children: Vec<_> = match node.kind() {
        Kind::Mapping => node.entries().flat_map(|e| [e.key, e.value]).collect(),
        Kind::Sequence => node.items().collect(),
        Kind::Scalar => Vec::new(),
    };
    for child in children {
        assert!(span.start <= child.span().start && child.span().end <= span.end, "{child:?}");
        check(child, text);
    }
}

#[test]
fn json_has_escapes_that_yaml_has_not_where_kubectl_reads_it() {
    let source =
        Source::new("t.json", "{\"a\": \"x\\/y\", \"b\": \"\\ud83d\\ude00\", \"c\": \"\\ud83d!\"}");
    let read = parse_manifest(&source);
    let root = read.first_root().unwrap();
    let text = |key: &str| root.get(key).unwrap().as_str().unwrap().into_owned();
    assert_eq!(
        (text("a").as_str(), text("b").as_str(), text("c").as_str()),
        ("x/y", "😀", "\u{FFFD}!")
    );
    // Helm reads even JSON as YAML.
    let error = parse(&source).documents().next().unwrap().error().cloned().unwrap();
    assert_eq!(error.kind, ErrorKind::UnknownEscape('/'));
}
