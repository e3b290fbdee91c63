//! Any Kubernetes object: what kind it is, what it is called, and its annotations.

use std::borrow::Cow;

use super::template::Template;
use crate::finding::ObjectRef;
use crate::source::{Place, Span};
use crate::yaml::{Entry, Node};

/// A map with `apiVersion` and `kind`.
#[derive(Clone, Copy, Debug)]
pub struct Object<'a> {
    node: Node<'a>,
    api_version: Entry<'a>,
    kind: Entry<'a>,
    in_list: bool,
    home: Home<'a>,
}

/// Where an object stands, which decides what its text means.
#[derive(Clone, Copy, Debug)]
pub enum Home<'a> {
    /// A file of plain YAML outside a chart.
    Manifest,
    /// A file in a chart's `crds/`: plain YAML that Helm does not render.
    CrdsDir,
    /// A template, masked: what is written literally is true, what an action writes is filler.
    Template(&'a Template),
}

impl<'a> Object<'a> {
    /// The object that a node is, if it has an `apiVersion` and a `kind` that are strings.
    pub fn new(node: Node<'a>, home: Home<'a>) -> Option<Self> {
        let api_version =
            node.entry("apiVersion").filter(|entry| entry.value.as_str().is_some())?;
        let kind = node.entry("kind").filter(|entry| entry.value.as_str().is_some())?;
        Some(Self { node, api_version, kind, in_list: false, home })
    }

    /// Where it stands.
    pub fn home(&self) -> Home<'a> {
        self.home
    }

    /// Whether an action of a template writes any part of it.
    pub fn is_templated(&self) -> bool {
        self.templates(self.node.span())
    }

    /// Whether an action of a template writes any part of `span`.
    pub fn templates(&self, span: Span) -> bool {
        match self.home {
            Home::Template(template) => template.is_templated(span),
            Home::Manifest | Home::CrdsDir => false,
        }
    }

    /// Whether a template prints it only where the cluster serves some API.
    pub fn depends_on_capabilities(&self) -> bool {
        match self.home {
            Home::Template(template) => {
                let offset = self.kind.key.span().start;
                template.guards(offset).iter().any(super::Guard::reads_capabilities)
            }
            Home::Manifest | Home::CrdsDir => false,
        }
    }

    /// The whole object.
    pub fn node(&self) -> Node<'a> {
        self.node
    }

    /// `apiVersion`.
    pub fn api_version(&self) -> Cow<'a, str> {
        self.api_version.value.as_str().unwrap_or_default()
    }

    /// The entry of `apiVersion`.
    pub fn api_version_entry(&self) -> Entry<'a> {
        self.api_version
    }

    /// Group of `apiVersion`, empty for the core group.
    pub fn group(&self) -> String {
        let api_version = self.api_version();
        api_version.split_once('/').map_or_else(String::new, |(group, _)| group.to_owned())
    }

    /// `kind`.
    pub fn kind(&self) -> Cow<'a, str> {
        self.kind.value.as_str().unwrap_or_default()
    }

    /// The entry of `kind`: the line to point at when nothing narrower is meant.
    pub fn kind_entry(&self) -> Entry<'a> {
        self.kind
    }

    /// Place of the `kind: …` line.
    pub fn place(&self) -> Place {
        self.kind.place()
    }

    /// `metadata.name` as text.
    pub fn name(&self) -> Option<Cow<'a, str>> {
        self.node.at(&["metadata", "name"])?.to_text()
    }

    /// `metadata.namespace` as text.
    pub fn namespace(&self) -> Option<Cow<'a, str>> {
        self.node.at(&["metadata", "namespace"])?.to_text()
    }

    /// Entry of an annotation.
    pub fn annotation(&self, key: &str) -> Option<Entry<'a>> {
        self.node.at(&["metadata", "annotations"])?.entry(key)
    }

    /// Whether the object is an item of a `List`.
    pub fn in_list(&self) -> bool {
        self.in_list
    }

    /// Whether it is a `CustomResourceDefinition` of any version.
    pub fn is_crd(&self) -> bool {
        self.kind() == "CustomResourceDefinition" && self.group() == "apiextensions.k8s.io"
    }

    /// The object as findings name it.
    pub fn reference(&self) -> ObjectRef {
        ObjectRef {
            api_version: self.api_version().into_owned(),
            kind: self.kind().into_owned(),
            name: self.name().unwrap_or_default().into_owned(),
            namespace: self.namespace().map(Cow::into_owned),
        }
    }
}

/// The objects of a document: the root itself, or the items of a `List`.
pub fn objects<'a>(root: Node<'a>, home: Home<'a>) -> Vec<Object<'a>> {
    let Some(object) = Object::new(root, home) else { return Vec::new() };
    let is_list =
        object.kind().ends_with("List") && root.get("items").is_some_and(Node::is_sequence);
    if !is_list {
        return vec![object];
    }
    let items = root.get("items").into_iter().flat_map(Node::items);
    items
        .filter_map(|item| Object::new(item, home))
        .map(|object| Object { in_list: true, ..object })
        .collect()
}

/// Whether an API group is served by Kubernetes itself, so that its kinds need no CRD.
///
/// Groups without a dot are Kubernetes' own, as are these of `k8s.io`; others below `k8s.io` (`gateway.networking`,
/// `snapshot.storage` …) come with CRDs.
pub fn is_builtin_group(group: &str) -> bool {
    const BUILTIN: &[&str] = &[
        "admissionregistration.k8s.io",
        "apiextensions.k8s.io",
        "apiregistration.k8s.io",
        "authentication.k8s.io",
        "authorization.k8s.io",
        "certificates.k8s.io",
        "coordination.k8s.io",
        "discovery.k8s.io",
        "events.k8s.io",
        "flowcontrol.apiserver.k8s.io",
        "internal.apiserver.k8s.io",
        "networking.k8s.io",
        "node.k8s.io",
        "rbac.authorization.k8s.io",
        "resource.k8s.io",
        "scheduling.k8s.io",
        "storage.k8s.io",
        "storagemigration.k8s.io",
    ];
    !group.contains('.') || BUILTIN.contains(&group)
}
