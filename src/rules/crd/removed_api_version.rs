//! CRDs in `apiextensions.k8s.io/v1beta1`.

use super::super::{Check, Cx, Rule};
use crate::model::{Crd, CrdApi};

pub(super) const RULE: Rule = Rule::new("crd-removed-api-version", Check::Crd(check));

fn check(crd: &Crd<'_>, cx: &mut Cx<'_>) {
    if crd.api != CrdApi::V1Beta1 || crd.object.depends_on_capabilities() {
        return;
    }
    cx.report(
        crd.object.api_version_entry().value.place(),
        "`apiextensions.k8s.io/v1beta1` was removed in Kubernetes 1.22; no supported cluster accepts this CRD",
    )
    .help("Write it as `apiextensions.k8s.io/v1`, with a structural schema under each of `spec.versions`");
}
