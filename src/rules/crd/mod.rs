//! Rules about CRDs: fields of the `CustomResourceDefinition` itself, wherever it comes from.

use super::Rule;

mod document_separator_missing;
mod preserve_unknown_fields_false;
mod removed_api_version;
mod status_in_manifest;
mod too_large_for_apply;

pub(super) const RULES: &[Rule] = &[
    document_separator_missing::RULE,
    preserve_unknown_fields_false::RULE,
    removed_api_version::RULE,
    status_in_manifest::RULE,
    too_large_for_apply::RULE,
];
