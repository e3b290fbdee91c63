//! Rules about charts: how a chart ships its CRDs.

use super::Rule;

mod crd_shipped_twice;
mod crds_dir;
mod keep_misspelt;
mod toggles;
mod unescaped_braces;

pub(super) const RULES: &[Rule] = &[
    crd_shipped_twice::RULE,
    crds_dir::CR_IN_CRDS_DIR,
    crds_dir::DUPLICATE,
    crds_dir::INSTALL_HOOK,
    crds_dir::NON_CRD_IN_CRDS_DIR,
    crds_dir::TEMPLATE,
    keep_misspelt::RULE,
    toggles::MANAGED,
    toggles::MISSING,
    unescaped_braces::RULE,
];
