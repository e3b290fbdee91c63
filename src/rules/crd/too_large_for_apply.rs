//! The size of a CRD as client-side apply stores it.
//!
//! kubectl writes the object as compact JSON, HTML characters escaped as Go does and a line feed behind, into the
//! annotation `last-applied-configuration` (`k8s.io/kubectl/pkg/util/apply.go`); the API server allows 256 KiB for all
//! annotations of an object (`k8s.io/apimachinery/pkg/api/validation/objectmeta.go`, `TotalAnnotationSizeLimitB`).

use super::super::{Check, Cx, Rule};
use crate::finding::Severity;
use crate::model::Crd;
use crate::yaml;

pub(super) const RULE: Rule = Rule::new("crd-too-large-for-apply", Check::Crd(check));

const LIMIT: usize = 262_144;
const NEAR: usize = LIMIT / 10 * 9;

fn check(crd: &Crd<'_>, cx: &mut Cx<'_>) {
    // JSON is shorter than any YAML with indentation, and never four times longer than one in flow style.
    if (crd.object.node().span().len() as usize) < NEAR / 4 || crd.object.is_templated() {
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

/// Length of a value as Go's `encoding/json` writes it: compact, with `<`, `>`, `&`, U+2028 and U+2029 escaped.
fn go_json_len(value: &serde_json::Value) -> usize {
    let text = value.to_string();
    let escapes: usize = text
        .chars()
        .map(|c| match c {
            '<' | '>' | '&' => 5,
            '\u{2028}' | '\u{2029}' => 3,
            _ => 0,
        })
        .sum();
    text.len() + escapes
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
    fn numbers_are_grouped() {
        assert_eq!(grouped(262_144), "262,144");
        assert_eq!(grouped(999), "999");
    }
}
