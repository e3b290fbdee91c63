//! Rules about CRDs: fields of the `CustomResourceDefinition` itself, wherever it comes from.

use super::Rule;

pub(super) const RULES: &[Rule] = &[];
