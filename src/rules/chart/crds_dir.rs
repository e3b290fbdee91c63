//! What lies in `crds/`: only CRDs, once each, and no templates.

use std::collections::BTreeMap;

use super::super::{Check, Cx, Rule};
use crate::finding::Severity;
use crate::model::{Chart, Crd, CrdFile, is_builtin_group};
use crate::source::{Place, Span};
use crate::yaml::{Kind, Node, Shape};

pub(super) const CR_IN_CRDS_DIR: Rule =
    Rule::new("chart-cr-in-crds-dir", Check::Chart(custom_resources));
pub(super) const NON_CRD_IN_CRDS_DIR: Rule =
    Rule::new("chart-non-crd-in-crds-dir", Check::Chart(other_objects));
pub(super) const DUPLICATE: Rule =
    Rule::new("chart-duplicate-crd-in-crds-dir", Check::Chart(duplicates));
pub(super) const TEMPLATE: Rule = Rule::new("chart-template-in-crds-dir", Check::Chart(templates));

fn custom_resources(chart: &Chart, cx: &mut Cx<'_>) {
    for (_, file) in chart.crd_files() {
        for object in file.objects().filter(|object| !is_builtin_group(&object.group())) {
            cx.set_object(Some(object.reference()));
            cx.report(
                object.place(),
                format!(
                    "`{}` is a custom resource in `crds/`: Helm installs it once, perhaps before its CRD, and never \
                     upgrades or removes it",
                    object.kind()
                ),
            )
            .help("Move it to `templates/`, as a `post-install` hook if the chart brings its CRD");
        }
    }
}

fn other_objects(chart: &Chart, cx: &mut Cx<'_>) {
    for (_, file) in chart.crd_files() {
        for object in
            file.objects().filter(|object| !object.is_crd() && is_builtin_group(&object.group()))
        {
            cx.set_object(Some(object.reference()));
            cx.report(
                object.place(),
                format!(
                    "`{}` is no CRD but lies in `crds/`: Helm installs it once and never upgrades or removes it, \
                     `helm lint` of Helm 4 refuses it, Flux ignores it",
                    object.kind()
                ),
            )
            .help("Move it to `templates/`");
        }
    }
}

fn duplicates(chart: &Chart, cx: &mut Cx<'_>) {
    for part in &chart.parts {
        let mut seen: BTreeMap<String, Place> = BTreeMap::new();
        for crd in part.crd_files.iter().flat_map(CrdFile::objects).filter_map(Crd::new) {
            let name = crd.name().into_owned();
            if name.is_empty() {
                continue;
            }
            let place = crd.object.place();
            let Some(first) = seen.get(&name) else {
                seen.insert(name, place);
                continue;
            };
            cx.set_object(Some(crd.object.reference()));
            cx.report(
                place,
                format!(
                    "`{name}` is defined twice in `crds/`: Helm 3 keeps the first, Helm 4 ends with the last, Argo CD \
                     reports a repeated resource"
                ),
            )
            .help("Delete the definition that is not meant")
            .relate(first.clone(), "the other definition");
        }
    }
}

fn templates(chart: &Chart, cx: &mut Cx<'_>) {
    for (_, file) in chart.crd_files() {
        let source = file.stream.source();
        if memchr::memmem::find(source.text().as_bytes(), b"{{").is_none() {
            continue;
        }
        for document in file.stream.documents() {
            let at = match (document.root(), document.error()) {
                (Some(root), _) => structural_braces(root, false, 0),
                (None, Some(_)) => first_action(&file.stream, document.span()),
                (None, None) => None,
            };
            if let Some(span) = at {
                cx.report(
                    Place::new(source, span),
                    "Helm does not render `crds/`: these braces reach the cluster, or the YAML parser, as they are",
                )
                .help("Write the value out, or move the file to `templates/` with a toggle and `helm.sh/resource-policy: keep`");
            }
        }
    }
}

/// Span of the first `{{` in a document that does not parse, comments left out.
fn first_action(stream: &crate::yaml::Stream, document: Span) -> Option<Span> {
    let text = document.slice(stream.source().text());
    let mut start = document.start;
    for line in text.split_inclusive('\n') {
        let before_comment = match line.find('#') {
            Some(at) if line[..at].trim().is_empty() => "",
            _ => line,
        };
        if let Some(at) = before_comment.find("{{") {
            let end = before_comment[at..]
                .find("}}")
                .map_or(before_comment.trim_end().len(), |end| at + end + 2);
            return Some(Span::new(start + at as u32, start + end as u32));
        }
        start += line.len() as u32;
    }
    None
}

/// Span of the first key or value with `{{` in it that the API server interprets.
fn structural_braces(node: Node<'_>, text: bool, depth: usize) -> Option<Span> {
    const MAX_DEPTH: usize = 200;
    // What an alias stands for is looked at where it is written.
    if depth > MAX_DEPTH || node.shape() == Shape::Alias {
        return None;
    }
    match node.kind() {
        Kind::Scalar => (!text && node.text().contains("{{")).then(|| node.span()),
        Kind::Sequence => node.items().find_map(|item| structural_braces(item, text, depth + 1)),
        Kind::Mapping => node.entries().find_map(|entry| {
            if entry.key.text().contains("{{") {
                return Some(entry.key.span());
            }
            let text = text || is_prose(entry.key);
            structural_braces(entry.value, text, depth + 1)
        }),
    }
}

/// Keywords whose values are read by people, or are the user's data.
fn is_prose(key: Node<'_>) -> bool {
    ["description", "title", "example", "default", "message", "externalDocs"]
        .iter()
        .any(|k| key.is_key(k))
}

pub(super) const INSTALL_HOOK: Rule =
    Rule::new("chart-crd-install-hook", Check::Chart(install_hooks));

fn install_hooks(chart: &Chart, cx: &mut Cx<'_>) {
    let hook = |crd: &Crd<'_>| {
        let entry = crd.object.annotation("helm.sh/hook")?;
        let hooks = entry.value.as_str()?;
        hooks.split(',').any(|hook| hook.trim() == "crd-install").then(|| entry.place())
    };
    for (_, file) in chart.crd_files() {
        for crd in file.objects().filter_map(Crd::new) {
            if let Some(place) = hook(&crd) {
                cx.set_object(Some(crd.object.reference()));
                cx.report_at(
                    Severity::Note,
                    place,
                    "`helm.sh/hook: crd-install` is a hook of Helm 2; in `crds/` it does nothing",
                )
                .help("Delete the annotation");
            }
        }
    }
    for found in chart.template_crds() {
        if let Some(place) = hook(&found.crd) {
            cx.set_object(Some(found.crd.object.reference()));
            cx.report(
                place,
                "`helm.sh/hook: crd-install` is a hook of Helm 2; Helm 3 and 4 leave the CRD out of the release",
            )
            .help("Delete the annotation, and give the CRD a toggle and `helm.sh/resource-policy: keep`");
        }
    }
}
