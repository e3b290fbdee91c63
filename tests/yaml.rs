//! The YAML layer against recorded behaviour of go-yaml and against two other parsers.
//!
//! Own cases run everywhere; with `CRDLINT_SHARED` set, the recorded vectors and the corpus run too.

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
