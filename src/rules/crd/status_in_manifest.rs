//! `status:` and `creationTimestamp: null` in a manifest.

use super::super::{Check, Cx, Rule};
use crate::model::Crd;

pub(super) const RULE: Rule = Rule::new("crd-status-in-manifest", Check::Crd(check));

fn check(crd: &Crd<'_>, cx: &mut Cx<'_>) {
    let node = crd.object.node();
    let metadata = node.get("metadata");
    let live =
        metadata.is_some_and(|m| m.get("uid").is_some() || m.get("resourceVersion").is_some());
    if live {
        return;
    }
    let status = node.entry("status").filter(|status| !status.value.is_null());
    let timestamp = metadata
        .and_then(|metadata| metadata.entry("creationTimestamp"))
        .filter(|timestamp| timestamp.value.is_null());
    match (status, timestamp) {
        (Some(status), timestamp) => {
            let finding = cx.report(
                status.place(),
                "The manifest carries `status`, which the API server writes itself and ignores here; `kubectl diff` and \
                 `kubectl apply` see a change every time",
            );
            finding.help("Delete `status:` and what is below it");
            if let Some(timestamp) = timestamp {
                finding.relate(timestamp.place(), "delete this line too: the API server sets it");
            }
        }
        (None, Some(timestamp)) => {
            cx.report(
                timestamp.place(),
                "`metadata.creationTimestamp` is null; the API server sets it, so the line only causes differences",
            )
            .help("Delete the line");
        }
        (None, None) => {}
    }
}
