//! The YAML layer against recorded behaviour of go-yaml and against two other parsers.
//!
//! Own cases run everywhere; with `CRDLINT_SHARED` set, the recorded vectors and the corpus run too.

#![expect(clippy::print_stdout, reason = "figures, and what is skipped, are said aloud")]

use std::path::{Path, PathBuf};

use crdlint::source::{Source, decode};
use crdlint::yaml;

fn shared() -> Option<PathBuf> {
    let Some(path) = std::env::var_os("CRDLINT_SHARED") else {
        println!("skipped: CRDLINT_SHARED is not set");
        return None;
    };
    Some(PathBuf::from(path))
}

/// JSON as Helm's `toJson` prints it: numbers through float64, HTML characters escaped.
fn helm_json(value: &serde_json::Value) -> String {
    fn floats(value: &serde_json::Value) -> serde_json::Value {
        match value {
            serde_json::Value::Number(n) => {
                let float = n.as_f64().expect("a number");
                if float.fract() == 0.0
                    && float.abs() < 1e15
                    && !(float == 0.0 && float.is_sign_negative())
                {
                    serde_json::Value::from(float as i64)
                } else {
                    serde_json::Value::from(float)
                }
            }
            serde_json::Value::Array(items) => items.iter().map(floats).collect(),
            serde_json::Value::Object(map) => {
                map.iter().map(|(k, v)| (k.clone(), floats(v))).collect()
            }
            other => other.clone(),
        }
    }
    floats(value).to_string()
}

#[test]
fn recorded_vectors_pass() {
    let Some(shared) = shared() else { return };
    let text = std::fs::read_to_string(shared.join("spec/vectors/yaml.json")).expect("vectors");
    let cases: Vec<serde_json::Value> = serde_json::from_str(&text).expect("JSON");
    let mut failures = Vec::new();
    for case in &cases {
        let name = case["name"].as_str().expect("name");
        let bytes = match case.get("yaml") {
            Some(yaml) => yaml.as_str().expect("text").as_bytes().to_vec(),
            None => base64(case["yaml_base64"].as_str().expect("base64")),
        };
        let outcome = decode(bytes).map_err(|e| e.to_string()).and_then(|text| {
            let stream = yaml::parse(&Source::new("v.yaml", text));
            let Some(document) = stream.documents().next() else {
                return Ok(serde_json::Value::Null);
            };
            if let Some(error) = document.error() {
                return Err(error.kind.go_text());
            }
            document.root().map_or(Ok(serde_json::Value::Null), |root| {
                yaml::to_json(root).map_err(|e| e.kind.go_text())
            })
        });
        let list = case["fn"] == "fromYamlArray";
        let outcome = outcome.and_then(|value| match value {
            serde_json::Value::Null if list => Ok(serde_json::json!([])),
            serde_json::Value::Null => Ok(serde_json::json!({})),
            value if value.is_array() == list && (value.is_object() || list) => Ok(value),
            _ => Err("json: cannot unmarshal".to_owned()),
        });
        match (&outcome, case.get("json"), case.get("error")) {
            (Ok(value), Some(wanted), _) => {
                let wanted: serde_json::Value =
                    serde_json::from_str(wanted.as_str().expect("json")).expect("json");
                if helm_json(value) != helm_json(&wanted) {
                    failures.push(format!(
                        "{name}: {} instead of {}",
                        helm_json(value),
                        helm_json(&wanted)
                    ));
                }
            }
            (Err(error), _, Some(wanted)) => {
                let wanted = wanted.as_str().expect("error");
                if !wanted.contains(error.as_str()) && std::env::var_os("STRICT").is_some() {
                    failures.push(format!(
                        "{name}: error {error:?} instead of {wanted:?} {}",
                        case["yaml"]
                    ));
                }
            }
            (got, ..) => failures.push(format!("{name}: {got:?} for {case}")),
        }
    }
    println!("yaml vectors {}/{}", cases.len() - failures.len(), cases.len());
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

fn base64(text: &str) -> Vec<u8> {
    let mut bits = 0u32;
    let mut count = 0;
    let mut out = Vec::new();
    for byte in text.bytes().filter(|b| *b != b'=') {
        let value = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
            .iter()
            .position(|b| *b == byte)
            .expect("base64");
        bits = (bits << 6) | value as u32;
        count += 6;
        if count >= 8 {
            count -= 8;
            out.push((bits >> count) as u8);
        }
    }
    out
}

/// Every YAML file below `dir`.
fn yaml_files(dir: &Path) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = walkdir::WalkDir::new(dir)
        .into_iter()
        .filter_map(Result::ok)
        .filter(|e| e.file_type().is_file())
        .map(walkdir::DirEntry::into_path)
        .filter(|p| p.extension().is_some_and(|e| e == "yaml" || e == "yml"))
        .collect();
    files.sort();
    files
}

/// A node as any parser would report it: shape, decoded text, line and column of its start (from 1; 0 where the
/// parsers place it differently: nodes with an anchor or a tag, and empty scalars).
type Item = (char, String, u32, u32);

fn ours(text: &str) -> Result<Vec<Item>, String> {
    fn walk(node: yaml::Node<'_>, items: &mut Vec<Item>) {
        let at = node.place().start();
        let placed = !node.span().is_empty() && node.anchor().is_none() && node.tag().is_none();
        let (line, column) = if placed { (at.line, at.column) } else { (0, 0) };
        match node.shape() {
            yaml::Shape::Alias => items.push(('*', node.text()[1..].to_owned(), line, column)),
            yaml::Shape::BlockMapping | yaml::Shape::FlowMapping => {
                items.push(('{', String::new(), line, column));
                for entry in node.entries() {
                    walk(entry.key, items);
                    walk(entry.value, items);
                }
                items.push(('}', String::new(), 0, 0));
            }
            yaml::Shape::BlockSequence | yaml::Shape::FlowSequence => {
                items.push(('[', String::new(), line, column));
                node.items().for_each(|item| walk(item, items));
                items.push((']', String::new(), 0, 0));
            }
            shape => {
                let style = match shape {
                    yaml::Shape::SingleQuoted => '\'',
                    yaml::Shape::DoubleQuoted => '"',
                    yaml::Shape::Literal => '|',
                    yaml::Shape::Folded => '>',
                    _ => ':',
                };
                items.push((style, node.decoded().into_owned(), line, column));
            }
        }
    }
    let stream = yaml::parse(&Source::new("t.yaml", text));
    let mut items = Vec::new();
    for document in stream.documents() {
        if let Some(error) = document.error() {
            return Err(format!("{} at {}", error.kind.go_text(), error.span.start));
        }
        match document.root() {
            Some(root) => walk(root, &mut items),
            None => items.push((':', String::new(), 0, 0)),
        }
    }
    Ok(items)
}

fn libyaml(text: &str) -> Result<Vec<Item>, String> {
    use libyaml_safer::{EventData, Parser, ScalarStyle};
    let mut bytes = text.as_bytes();
    let mut parser = Parser::new();
    parser.set_input_string(&mut bytes);
    let mut items = Vec::new();
    loop {
        let event = parser.parse().map_err(|e| e.to_string())?;
        let at = |props: bool| {
            if props || event.start_mark == event.end_mark {
                (0, 0)
            } else {
                (event.start_mark.line as u32 + 1, event.start_mark.column as u32 + 1)
            }
        };
        match &event.data {
            EventData::StreamEnd => return Ok(items),
            EventData::Alias { anchor } => {
                let (line, column) = at(false);
                items.push(('*', anchor.clone(), line, column));
            }
            EventData::Scalar { anchor, tag, value, style, .. } => {
                let style = match style {
                    ScalarStyle::SingleQuoted => '\'',
                    ScalarStyle::DoubleQuoted => '"',
                    ScalarStyle::Literal => '|',
                    ScalarStyle::Folded => '>',
                    _ => ':',
                };
                let (line, column) = at(anchor.is_some() || tag.is_some());
                items.push((style, value.clone(), line, column));
            }
            EventData::SequenceStart { anchor, tag, .. } => {
                let props = anchor.is_some() || tag.is_some();
                let (line, column) = if props {
                    (0, 0)
                } else {
                    (event.start_mark.line as u32 + 1, event.start_mark.column as u32 + 1)
                };
                items.push(('[', String::new(), line, column));
            }
            EventData::MappingStart { anchor, tag, .. } => {
                let props = anchor.is_some() || tag.is_some();
                let (line, column) = if props {
                    (0, 0)
                } else {
                    (event.start_mark.line as u32 + 1, event.start_mark.column as u32 + 1)
                };
                items.push(('{', String::new(), line, column));
            }
            EventData::SequenceEnd => items.push((']', String::new(), 0, 0)),
            EventData::MappingEnd => items.push(('}', String::new(), 0, 0)),
            _ => {}
        }
    }
}

/// Nodes (kind and text, without style and place) and comments as granit-parser sees them.
fn granit(text: &str) -> Result<(Vec<(char, String)>, usize), String> {
    use granit_parser::{Event, Options, Parser};
    let mut options = Options::default();
    options.max_buffered_comment_events = usize::MAX;
    options.flow_nesting_limit = 10_000;
    options.block_nesting_limit = 10_000;
    let (mut items, mut comments) = (Vec::new(), 0);
    for event in Parser::new_from_str_with_options(text, options) {
        let (event, span) = event.map_err(|e| e.to_string())?;
        match event {
            // granit reports what is left out as `~`.
            Event::Scalar(..) if span.start.index() == span.end.index() => {
                items.push((':', String::new()));
            }
            Event::Comment(..) => comments += 1,
            Event::Alias(..) => items.push(('*', String::new())),
            Event::Scalar(value, ..) => items.push((':', value.into_owned())),
            Event::SequenceStart(..) => items.push(('[', String::new())),
            Event::SequenceEnd => items.push((']', String::new())),
            Event::MappingStart(..) => items.push(('{', String::new())),
            Event::MappingEnd => items.push(('}', String::new())),
            _ => {}
        }
    }
    Ok((items, comments))
}

fn without_style(items: &[Item]) -> Vec<(char, String)> {
    items
        .iter()
        .map(|(kind, text, ..)| match kind {
            '*' => ('*', String::new()),
            '{' | '}' | '[' | ']' => (*kind, String::new()),
            _ => (':', text.clone()),
        })
        .collect()
}

/// Files on which the oracles may differ from go-yaml, each with the reason that was checked with go-yaml itself.
const EXPLAINED: &[(&str, &str)] = &[];

#[test]
fn structure_agrees_with_two_other_parsers_over_the_corpus() {
    let Some(shared) = shared() else { return };
    let (mut both, mut refused, mut failures) = (0, 0, Vec::new());
    let (mut granit_equal, mut granit_refused) = (0, 0);
    for path in yaml_files(&shared.join("corpus")) {
        let Ok(mut text) = decode(std::fs::read(&path).expect("readable")) else { continue };
        if !text.ends_with('\n') {
            // libyaml-safer 0.3.0 panics on a block scalar that the end of the text ends.
            text.push('\n');
        }
        let shown = path.display().to_string();
        if EXPLAINED.iter().any(|(file, _)| shown.ends_with(file)) {
            continue;
        }
        let mine = ours(&text);
        match (&mine, libyaml(&text)) {
            (Ok(mine), Ok(theirs)) => {
                both += 1;
                if mine.len() != theirs.len() {
                    failures.push(format!(
                        "{shown}: {} nodes, libyaml {}",
                        mine.len(),
                        theirs.len()
                    ));
                }
                // libyaml gives block scalars and empty ones the same marks as we do only where they have text.
                let differs = mine.iter().zip(&theirs).find(|(a, b)| {
                    a.0 != b.0 || a.1 != b.1 || (a.2 != 0 && b.2 != 0 && (a.2, a.3) != (b.2, b.3))
                });
                if let Some((a, b)) = differs {
                    failures.push(format!("{shown}: {a:?}, libyaml {b:?}"));
                }
            }
            (Err(_), Err(_)) => refused += 1,
            (mine, theirs) => failures.push(format!(
                "{shown}: ours {:?}, libyaml {:?}",
                mine.as_ref().map(Vec::len),
                theirs.map(|items| items.len())
            )),
        }
        if let Ok(mine) = &mine {
            match granit(&text) {
                Ok((theirs, comments)) => {
                    let stream = yaml::parse(&Source::new("t.yaml", text.as_str()));
                    if without_style(mine) != theirs {
                        failures.push(format!("{shown}: nodes differ from granit's"));
                    } else if comments != stream.comments().len() {
                        failures.push(format!(
                            "{shown}: {} comments, granit {comments}",
                            stream.comments().len()
                        ));
                    } else {
                        granit_equal += 1;
                    }
                }
                Err(_) => granit_refused += 1,
            }
        }
    }
    println!("corpus: {both} files equal to libyaml, {refused} refused by both");
    println!(
        "corpus: {granit_equal} files equal to granit, {granit_refused} refused by granit only"
    );
    assert!(failures.is_empty(), "{} differ:\n{}", failures.len(), failures.join("\n"));
}

/// Any recorded verdicts of go-yaml: `CRDLINT_GO_YAML` names a file of lines `{"yaml": …, "json": … | "error": …}`.
#[test]
fn recorded_go_verdicts_agree() {
    let Some(path) = std::env::var_os("CRDLINT_GO_YAML") else {
        println!("skipped: CRDLINT_GO_YAML is not set");
        return;
    };
    let text = std::fs::read_to_string(path).expect("cases");
    let (mut cases, mut failures, mut worded) = (0, Vec::new(), 0);
    for line in text.lines() {
        let case: serde_json::Value = serde_json::from_str(line).expect("JSON");
        let input = case["yaml"].as_str().expect("text");
        let stream = yaml::parse(&Source::new("v.yaml", input));
        let outcome = match stream.documents().next() {
            None => Ok(serde_json::Value::Null),
            Some(document) => match (document.error(), document.root()) {
                (Some(error), _) => Err(error.kind.go_text()),
                (None, None) => Ok(serde_json::Value::Null),
                (None, Some(root)) => yaml::to_json(root).map_err(|e| e.kind.go_text()),
            },
        };
        if stream.documents().skip(1).any(|document| document.error().is_some()) {
            // go-yaml stops reading somewhere behind the first document, as its buffers have it; we never do.
            continue;
        }
        cases += 1;
        match (&outcome, &case["error"]) {
            (Ok(value), serde_json::Value::Null) => {
                if helm_json(value) != helm_json(&case["json"]) {
                    failures.push(format!("{input:?}\n   ours {value}\n   go   {}", case["json"]));
                }
            }
            (Err(error), serde_json::Value::String(wanted)) => {
                worded += usize::from(wanted.contains(error.as_str()));
            }
            (outcome, _) => {
                failures.push(format!("{input:?}\n   ours {outcome:?}\n   go   {case}"));
            }
        }
    }
    println!(
        "go-yaml verdicts {}/{cases}, {worded} errors in the same words",
        cases - failures.len()
    );
    assert!(
        failures.is_empty(),
        "{} differ:\n{}",
        failures.len(),
        failures[..failures.len().min(15)].join("\n")
    );
}
