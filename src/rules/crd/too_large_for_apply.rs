//! The size of a CRD as client-side apply stores it.
//!
//! kubectl writes the object as compact JSON, HTML characters escaped as Go does and a line feed behind, into the
//! annotation `last-applied-configuration` (`k8s.io/kubectl/pkg/util/apply.go`); the API server allows 256 KiB for all
//! annotations of an object (`k8s.io/apimachinery/pkg/api/validation/objectmeta.go`, `TotalAnnotationSizeLimitB`).

use super::super::{Check, Cx, Rule};
use crate::finding::Severity;
use crate::model::Crd;
use crate::yaml::{self, Entry, Kind, Node, Shape};

pub(super) const RULE: Rule = Rule::new("crd-too-large-for-apply", Check::Crd(check));

const LIMIT: usize = 262_144;
const NEAR: usize = LIMIT / 10 * 9;

fn check(crd: &Crd<'_>, cx: &mut Cx<'_>) {
    if crd.object.is_templated() || at_most(crd.object.node(), 0) < NEAR {
        return;
    }
    let server_side = crd
        .object
        .annotation("argocd.argoproj.io/sync-options")
        .and_then(|entry| entry.value.as_str())
        .is_some_and(|options| {
            options.split(',').any(|option| option.trim() == "ServerSideApply=true")
        });
    if server_side {
        return;
    }
    let Ok(mut json) = yaml::to_json(crd.object.node()) else { return };
    // Apply removes nothing else, and writes an empty map where there are no annotations.
    if let Some(metadata) = json.get_mut("metadata").and_then(serde_json::Value::as_object_mut) {
        metadata.entry("annotations").or_insert_with(|| serde_json::json!({}));
    }
    let size = go_json_len(&json) + 1;
    if size >= LIMIT {
        cx.report(
            crd.object.place(),
            format!(
                "The CRD has {} bytes as JSON; client-side `kubectl apply`, and Argo CD by default, store it in an \
                 annotation that may have {}",
                grouped(size),
                grouped(LIMIT)
            ),
        )
        .help(
            "Apply it server-side: `kubectl apply --server-side`, or for Argo CD the annotation \
             `argocd.argoproj.io/sync-options: ServerSideApply=true` on the CRD (Helm and Flux are not affected)",
        );
    } else if size >= NEAR {
        cx.report_at(
            Severity::Note,
            crd.object.place(),
            format!(
                "The CRD has {} bytes as JSON, {} % of what client-side `kubectl apply`, and Argo CD by default, can \
                 store ({})",
                grouped(size),
                size * 100 / LIMIT,
                grouped(LIMIT)
            ),
        )
        .help("Plan for server-side apply before it grows");
    }
}

/// More than a node can have as JSON, without decoding anything; most CRDs are far from the limit, and this is cheap.
fn at_most(node: Node<'_>, depth: usize) -> usize {
    const MAX_DEPTH: usize = 500;
    // Aliases may multiply without end; the exact way knows go-yaml's limits.
    if depth > MAX_DEPTH || node.shape() == Shape::Alias {
        return NEAR;
    }
    match node.kind() {
        // Quotes and a comma; what Go escapes becomes six characters at most.
        Kind::Scalar => {
            let text = node.text().as_bytes();
            let escaped = memchr::memchr3_iter(b'<', b'>', b'&', text).count()
                + memchr::memchr3_iter(b'"', b'\\', b'\n', text).count();
            text.len() + 3 + 5 * escaped
        }
        Kind::Sequence => node.items().map(|item| at_most(item, depth + 1)).sum::<usize>() + 3,
        Kind::Mapping => {
            let entries = node.entries();
            let size =
                |entry: Entry<'_>| at_most(entry.key, depth + 1) + at_most(entry.value, depth + 1);
            entries.map(size).sum::<usize>() + 3
        }
    }
}

/// Length of a value as Go's `encoding/json` writes it: compact, with `<`, `>`, `&`, U+2028 and U+2029 escaped.
fn go_json_len(value: &serde_json::Value) -> usize {
    let text = value.to_string();
    let html = memchr::memchr3_iter(b'<', b'>', b'&', text.as_bytes()).count();
    let breaks = text.matches(['\u{2028}', '\u{2029}']).count();
    text.len() + 5 * html + 3 * breaks
}

fn grouped(number: usize) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn go_escapes_html() {
        assert_eq!(go_json_len(&serde_json::json!("a<b")), r#""a\u003cb""#.len());
    }

    #[test]
    fn the_bound_is_above_the_size() {
        for text in [
            "{}",
            "a: [1, 'x\"y', true]\nb: |\n  a < b\n\n  c\n",
            "a: yes\n? b\n: ~\nc: !!binary aGk=\n",
            "0x10: 1_0\n",
        ] {
            let stream = yaml::parse(&crate::source::Source::new("a.yaml", text));
            let root = stream.first_root().unwrap();
            assert!(at_most(root, 0) >= go_json_len(&yaml::to_json(root).unwrap()), "{text}");
        }
    }

    #[test]
    fn numbers_are_grouped() {
        assert_eq!(grouped(262_144), "262,144");
        assert_eq!(grouped(999), "999");
    }
}
