//! `CustomResourceDefinitions`, `v1` and `v1beta1` alike.
//!
//! A `v1beta1` CRD may state schema, subresources and printer columns once for all versions, and a single version as
//! `spec.version`; the view gives each version its own, as the API server converts them.

use std::borrow::Cow;

use super::object::Object;
use super::schema::Schema;
use crate::yaml::{Entry, Node};

/// API version that a CRD is written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CrdApi {
    /// `apiextensions.k8s.io/v1`
    V1,
    /// `apiextensions.k8s.io/v1beta1`, removed in Kubernetes 1.22.
    V1Beta1,
    /// Anything else.
    Unknown,
}

/// A `CustomResourceDefinition`.
#[derive(Clone, Debug)]
pub struct Crd<'a> {
    /// The object it is.
    pub object: Object<'a>,
    /// API version that it is written in.
    pub api: CrdApi,
    /// `spec`.
    pub spec: Option<Node<'a>>,
    /// `spec.versions`, or the one of `spec.version`.
    pub versions: Vec<CrdVersion<'a>>,
}

/// One version of a CRD.
#[derive(Clone, Debug)]
pub struct CrdVersion<'a> {
    /// The item of `spec.versions`; for `spec.version`, `spec` itself.
    pub node: Node<'a>,
    /// `name`.
    pub name: Option<Node<'a>>,
    /// `served`.
    pub served: Option<Entry<'a>>,
    /// `storage`.
    pub storage: Option<Entry<'a>>,
    /// `deprecated`.
    pub deprecated: Option<Entry<'a>>,
    /// `schema.openAPIV3Schema`.
    pub schema: Option<Schema<'a>>,
    /// `subresources`.
    pub subresources: Option<Node<'a>>,
    /// `additionalPrinterColumns`.
    pub printer_columns: Option<Node<'a>>,
}

impl<'a> Crd<'a> {
    /// The CRD that an object is.
    pub fn new(object: Object<'a>) -> Option<Self> {
        if !object.is_crd() {
            return None;
        }
        let api = match &*object.api_version() {
            "apiextensions.k8s.io/v1" => CrdApi::V1,
            "apiextensions.k8s.io/v1beta1" => CrdApi::V1Beta1,
            _ => CrdApi::Unknown,
        };
        let spec = object.node().get("spec").filter(|spec| spec.is_mapping());
        let versions = spec.map(|spec| versions(spec, api)).unwrap_or_default();
        Some(Self { object, api, spec, versions })
    }

    /// `metadata.name`, which has to be `<plural>.<group>`.
    pub fn name(&self) -> Cow<'a, str> {
        self.object.name().unwrap_or_default()
    }

    /// `spec.group`.
    pub fn group(&self) -> Option<Cow<'a, str>> {
        self.spec?.get("group")?.as_str()
    }

    /// `spec.names.kind`: the kind that it defines.
    pub fn defines(&self) -> Option<Cow<'a, str>> {
        self.spec?.at(&["names", "kind"])?.as_str()
    }

    /// `spec.scope`.
    pub fn scope(&self) -> Option<Entry<'a>> {
        self.spec?.entry("scope")
    }

    /// `spec.conversion`.
    pub fn conversion(&self) -> Option<Node<'a>> {
        self.spec?.get("conversion")
    }

    /// `spec.preserveUnknownFields`.
    pub fn preserve_unknown_fields(&self) -> Option<Entry<'a>> {
        self.spec?.entry("preserveUnknownFields")
    }
}

impl CrdVersion<'_> {
    /// Whether `served` is true.
    pub fn is_served(&self) -> bool {
        self.served.is_some_and(|entry| entry.value.as_bool() == Some(true))
    }

    /// Whether `storage` is true.
    pub fn is_storage(&self) -> bool {
        self.storage.is_some_and(|entry| entry.value.as_bool() == Some(true))
    }
}

fn versions<'a>(spec: Node<'a>, api: CrdApi) -> Vec<CrdVersion<'a>> {
    let beta = api == CrdApi::V1Beta1;
    let shared = |key: &str| spec.get(key).filter(|_| beta);
    let shared_schema = shared("validation").and_then(|node| node.get("openAPIV3Schema"));
    let version = |node: Node<'a>| CrdVersion {
        node,
        name: node.get("name"),
        served: node.entry("served"),
        storage: node.entry("storage"),
        deprecated: node.entry("deprecated"),
        schema: node.at(&["schema", "openAPIV3Schema"]).or(shared_schema).map(Schema::new),
        subresources: node.get("subresources").or_else(|| shared("subresources")),
        printer_columns: node
            .get("additionalPrinterColumns")
            .or_else(|| shared("additionalPrinterColumns")),
    };
    let listed: Vec<_> = spec
        .get("versions")
        .into_iter()
        .flat_map(Node::items)
        .filter(|item| item.is_mapping())
        .map(version)
        .collect();
    match spec.get("version") {
        Some(name) if listed.is_empty() && beta => {
            vec![CrdVersion { name: Some(name), ..version(spec) }]
        }
        _ => listed,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Home, objects};
    use crate::source::Source;
    use crate::yaml;

    #[test]
    fn a_beta_crd_shares_its_schema_among_versions() {
        let text = "apiVersion: apiextensions.k8s.io/v1beta1\nkind: CustomResourceDefinition\nmetadata: {name: a.b.c}\n\
            spec:\n  group: b.c\n  version: v1\n  names: {kind: A, plural: a}\n  validation:\n    openAPIV3Schema:\n      type: object\n";
        let stream = yaml::parse(&Source::new("c.yaml", text));
        let root = stream.first_root().unwrap();
        let crd = Crd::new(objects(root, Home::Manifest)[0]).unwrap();
        assert_eq!(crd.api, CrdApi::V1Beta1);
        assert_eq!(crd.defines().unwrap(), "A");
        assert_eq!(crd.versions.len(), 1);
        assert_eq!(crd.versions[0].name.unwrap().text(), "v1");
        assert!(crd.versions[0].schema.is_some());
    }
}
