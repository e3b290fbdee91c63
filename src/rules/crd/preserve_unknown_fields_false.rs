//! `spec.preserveUnknownFields: false` in a `v1` CRD.

use super::super::{Check, Cx, Rule};
use crate::model::{Crd, CrdApi};

pub(super) const RULE: Rule = Rule::new("crd-preserve-unknown-fields-false", Check::Crd(check));

fn check(crd: &Crd<'_>, cx: &mut Cx<'_>) {
    let Some(entry) = crd.preserve_unknown_fields() else { return };
    if crd.api == CrdApi::V1 && entry.value.as_bool() == Some(false) {
        cx.report(
            entry.place(),
            "`spec.preserveUnknownFields: false` is the default and is not stored; Argo CD 3.0 and later report the \
             CRD as OutOfSync for ever",
        )
        .help("Delete the line, unless the CRD still has to be migrated from `v1beta1`");
    }
}
