//! Rules about charts: how a chart ships its CRDs.

use super::Rule;

pub(super) const RULES: &[Rule] = &[];
