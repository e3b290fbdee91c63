//! Engine findings: what is said about input that cannot be read as it was meant.
//!
//! They are rules like any other, with pages and severities, but no check makes them: the engine calls the
//! constructors here when a parser or a loader returns an error. Overrides of their severity are applied where all
//! findings meet.

use std::sync::Arc;

use super::meta;
use super::{Check, Meta, Rule};
use crate::finding::{Finding, RuleId};
use crate::source::{DecodeError, Place, Source, Span};
use crate::yaml::YamlError;

pub(super) const RULES: &[Rule] = &[
    Rule::new("chart-dependency-missing", Check::Engine),
    Rule::new("chart-load-failed", Check::Engine),
    Rule::new("internal-error", Check::Engine),
    Rule::new("limit-exceeded", Check::Engine),
    Rule::new("suppression-unused", Check::Engine),
    Rule::new("template-syntax", Check::Engine),
    Rule::new("yaml-syntax", Check::Engine),
];

/// A dependency of a chart that is neither in `charts/` nor in the repository. `place` is its entry in `Chart.yaml`.
pub fn chart_dependency_missing(place: Place, name: &str, repository: &str) -> Finding {
    const PAGE: &Meta = meta::page("chart-dependency-missing");
    let origin = match repository {
        "" => "it names no `repository`".to_owned(),
        repository => format!("it comes from `{repository}`"),
    };
    let message = format!("The dependency `{name}` is not in `charts/`; {origin}");
    let mut finding = new(PAGE, place, message);
    finding.help(format!(
        "Run `helm dependency build` first if the CRDs of `{name}` are to be checked too"
    ));
    finding
}

/// A folder or archive that is meant as a chart and is none. `reason` continues "The chart cannot be loaded: ".
pub fn chart_load_failed(place: Place, reason: &str) -> Finding {
    const PAGE: &Meta = meta::page("chart-load-failed");
    new(PAGE, place, format!("The chart cannot be loaded: {reason}"))
}

/// A rule that panicked. `place` is the start of the file that it was looking at.
pub fn internal_error(place: Place, rule: RuleId, panic: &str) -> Finding {
    const PAGE: &Meta = meta::page("internal-error");
    let mut finding = new(
        PAGE,
        place,
        format!("The rule `{rule}` failed on this file and reported nothing: {panic}"),
    );
    finding.help(format!(
        "This is a defect of crdlint: please report it with the file; `--ignore {rule}` works around it"
    ));
    finding
}

/// Input beyond what crdlint reads. `what` is the thing measured, as in "The file": "The file has 50 MB, …".
pub fn limit_exceeded(place: Place, what: &str, found: &str, limit: &str) -> Finding {
    const PAGE: &Meta = meta::page("limit-exceeded");
    new(PAGE, place, format!("{what} has {found}, crdlint reads up to {limit}"))
}

/// The rule of [`suppression_unused`].
pub const SUPPRESSION_UNUSED: RuleId = RuleId("suppression-unused");

/// A comment that is meant to hide a finding and hides none.
pub fn suppression_unused(place: Place, message: String, help: &str) -> Finding {
    const PAGE: &Meta = meta::page("suppression-unused");
    let mut finding = new(PAGE, place, message);
    finding.help(help);
    finding
}

/// A template that Helm cannot parse. `reason` continues "The template cannot be parsed: ".
pub fn template_syntax(place: Place, reason: &str) -> Finding {
    const PAGE: &Meta = meta::page("template-syntax");
    new(PAGE, place, format!("The template cannot be parsed: {reason}"))
}

/// A document that Kubernetes cannot read.
pub fn yaml_syntax(source: &Arc<Source>, error: &YamlError) -> Finding {
    let mut finding = no_yaml(Place::new(source, error.span), &error.kind.message());
    finding.help(error.kind.help());
    finding.label(format!("kubectl and helm say `{}`", error.kind.go_text()));
    if let Some(context) = error.context
        && source.position(context.start).line != source.position(error.span.start).line
    {
        finding.relate(Place::new(source, context), "what cannot be finished starts here");
    }
    finding
}

/// A file that is no text. `source` holds what could be read of it.
pub fn no_text(source: &Arc<Source>, error: DecodeError) -> Finding {
    let line = source.line_span(error.position.line).unwrap_or_default();
    let before = line.slice(source.text()).char_indices().nth(error.position.column as usize - 1);
    let start = before.map_or(line.end, |(at, _)| line.start + at as u32);
    let reason = format!("the byte 0x{:02X} is not UTF-8", error.byte);
    let mut finding = no_yaml(Place::new(source, Span::at(start)), &reason);
    finding.help("Save the file as UTF-8");
    finding
}

fn no_yaml(place: Place, reason: &str) -> Finding {
    const PAGE: &Meta = meta::page("yaml-syntax");
    new(PAGE, place, format!("The document cannot be read as YAML: {reason}"))
}

fn new(page: &Meta, place: Place, message: String) -> Finding {
    Finding::new(page.id, page.severity, place, message)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_yaml_error_says_what_kubectl_would_and_where_it_began() {
        let source = Source::new("a.yaml", "a: 1\nb: [1,\nc: 2\n");
        let stream = crate::yaml::parse(&source);
        let error = stream.documents().find_map(crate::yaml::Document::error).unwrap();
        let finding = yaml_syntax(&source, error);
        assert_eq!(finding.rule, RuleId("yaml-syntax"));
        assert!(finding.message.starts_with("The document cannot be read as YAML: "));
        assert!(finding.primary.message.contains("did not find expected"), "{finding:?}");
        assert_eq!(finding.related[0].place.start().line, 2);
        assert!(finding.help.is_some());
    }

    #[test]
    fn the_first_byte_that_is_no_text_is_placed() {
        let bytes = b"a: 1\nb: \xC3\xA9 \xFF\n".to_vec();
        let source = Source::new("a.yaml", String::from_utf8_lossy(&bytes));
        let error = crate::source::decode(bytes).unwrap_err();
        let finding = no_text(&source, error);
        assert_eq!(finding.primary.place.start(), error.position);
        assert!(finding.message.ends_with("the byte 0xFF is not UTF-8"));
    }

    #[test]
    fn messages_name_both_sides() {
        let place = Place::start_of(&Source::new("big.yaml", ""));
        assert_eq!(
            limit_exceeded(place.clone(), "The file", "50 MB", "32 MiB").message,
            "The file has 50 MB, crdlint reads up to 32 MiB"
        );
        let missing = chart_dependency_missing(place, "redis", "https://charts.example.com");
        assert_eq!(
            missing.message,
            "The dependency `redis` is not in `charts/`; it comes from `https://charts.example.com`"
        );
    }
}
