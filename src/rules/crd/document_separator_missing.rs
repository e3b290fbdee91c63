//! Two objects in one document.

use super::super::{Check, Cx, Rule};
use crate::model::Object;
use crate::yaml::Entry;

pub(super) const RULE: Rule = Rule::new("crd-document-separator-missing", Check::Object(check));

fn check(object: &Object<'_>, cx: &mut Cx<'_>) {
    if object.is_templated() {
        // The branches of an `if` stand side by side in a template that was not rendered.
        return;
    }
    let all = |key: &str| -> Vec<Entry<'_>> {
        object.node().entries().filter(|entry| entry.key.is_key(key)).collect()
    };
    let (versions, kinds) = (all("apiVersion"), all("kind"));
    let is_crd = |entry: &Entry<'_>| {
        entry.value.as_str().is_some_and(|kind| kind == "CustomResourceDefinition")
    };
    let ([first, second, ..], true) = (versions.as_slice(), kinds.len() > 1) else { return };
    if !kinds.iter().any(is_crd) {
        return;
    }
    cx.report(
        second.place(),
        "A second object starts here without `---` before it; its keys overwrite those of the first, which is lost",
    )
    .help("Write a line `---` above this one")
    .relate(first.place(), "the first object starts here");
}
