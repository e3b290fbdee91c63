//! Conditions around a place in a template, decided over the values that a chart sets by default.
//!
//! What a condition means is `gotmpl`'s business; this module knows what `.Values.x` is in a chart and its subcharts,
//! and which value would turn a condition round.

use super::chart::Chart;
use super::template::Template;
use crate::gotmpl::guards::{self, Guard as Control};
use crate::gotmpl::{Known, Lookup, emitted};
use crate::yaml::{self, Node, Scalar};

/// A condition around a place.
#[derive(Clone, Debug)]
pub struct Guard<'a> {
    template: &'a Template,
    control: Control,
}

/// The guards around `offset`, outermost first.
pub(super) fn around(template: &Template, offset: u32) -> Vec<Guard<'_>> {
    let controls = guards::guards(template.tree(), offset).into_iter();
    controls.map(|control| Guard { template, control }).collect()
}

impl Guard<'_> {
    /// Whether it lets its place through with the values that are set by default; `None` where that cannot be told.
    pub fn decide(&self, chart: &Chart, part: usize) -> Option<bool> {
        self.decide_with(&|path| lookup(chart, part, path))
    }

    /// The paths below `.Values` that close this guard when they alone are turned round.
    pub fn closed_by(&self, chart: &Chart, part: usize) -> Vec<Vec<String>> {
        let mut paths = self.values_paths();
        paths.retain(|candidate| {
            let turned = |path: &[String]| {
                let value = lookup(chart, part, path)?;
                Some(if path == candidate.as_slice() { opposite(&value) } else { value })
            };
            self.decide_with(&turned) == Some(false)
        });
        paths
    }

    /// The paths below the chart's `.Values` that it reads, each once.
    pub fn values_paths(&self) -> Vec<Vec<String>> {
        let pipes = self.control.earlier.iter().copied().chain([self.control.pipe]);
        let mut paths: Vec<Vec<String>> = Vec::new();
        for read in pipes.flat_map(|pipe| guards::reads(self.template.tree(), pipe)) {
            if read.rooted && !read.path.is_empty() && !paths.contains(&read.path) {
                paths.push(read.path);
            }
        }
        paths
    }

    /// Whether it asks for `.Capabilities`.
    pub fn reads_capabilities(&self) -> bool {
        let tree = self.template.tree();
        let pipes = self.control.earlier.iter().copied().chain([self.control.pipe]);
        pipes
            .flat_map(|pipe| tree.walk(pipe))
            .any(|node| tree.idents(node).any(|(name, _)| name == "Capabilities"))
    }

    fn decide_with(&self, lookup: &Lookup<'_>) -> Option<bool> {
        emitted(self.template.tree(), std::slice::from_ref(&self.control), lookup)
    }
}

/// What a chart sets a path to by default. Not known where Helm would fail: below something that is no map.
fn lookup(chart: &Chart, part: usize, path: &[String]) -> Option<Known> {
    if let Some(value) = chart.value(part, path) {
        return Some(known(value.entry.value));
    }
    let blocked = (1..path.len()).any(|end| {
        chart
            .value(part, &path[..end])
            .is_some_and(|value| !value.entry.value.is_mapping() && !value.entry.value.is_null())
    });
    (!blocked).then_some(Known::Null)
}

fn known(node: Node<'_>) -> Known {
    let collection =
        |filled: bool| if filled { Known::NonEmptyCollection } else { Known::EmptyCollection };
    match node.kind() {
        yaml::Kind::Mapping => collection(node.entries().next().is_some()),
        yaml::Kind::Sequence => collection(node.items().next().is_some()),
        yaml::Kind::Scalar => match node.scalar() {
            None | Some(Scalar::Null) => Known::Null,
            Some(Scalar::Bool(value)) => Known::Bool(value),
            Some(Scalar::Str(text)) => Known::String(text.into_owned()),
            Some(number) => Known::Number(number.as_f64().unwrap_or_default()),
        },
    }
}

/// The value that a user would set to get the opposite.
fn opposite(value: &Known) -> Known {
    match value {
        Known::Null => Known::Bool(true),
        Known::Bool(value) => Known::Bool(!*value),
        Known::Number(_) => Known::Number(0.0),
        Known::String(_) => Known::String(String::new()),
        Known::NonEmptyCollection => Known::EmptyCollection,
        Known::EmptyCollection => Known::NonEmptyCollection,
    }
}
