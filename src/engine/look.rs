//! Looking at one subject with every rule that is on.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::Ordering;

use super::{Counts, Options};
use crate::finding::{Finding, ObjectRef, capitalised};
use crate::model::{Chart, Crd, Home, Object, Template, objects};
use crate::rules::registry::{Check, Rule};
use crate::rules::{Cx, engine};
use crate::source::{Place, Source, Span};
use crate::suppress::Comments;
use crate::yaml::{self, Document, Stream};

/// What is looked at on its own: a file of manifests, or a chart.
#[derive(Debug)]
pub(super) enum Subject {
    Manifest(Stream),
    Chart(Box<crate::helm::Chart>),
}

/// What came of it.
#[derive(Debug, Default)]
pub(super) struct Looked {
    pub(super) findings: Vec<Finding>,
    pub(super) counts: Counts,
    /// The suppressions in what was looked at.
    pub(super) comments: Vec<Comments>,
}

pub(super) fn look(subject: Subject, options: &Options<'_>) -> Looked {
    let mut looking = Looking { options, looked: Looked::default() };
    match subject {
        Subject::Manifest(stream) => looking.manifest(&stream),
        Subject::Chart(chart) => looking.chart(&Chart::new(*chart)),
    }
    if let Some(progress) = options.progress {
        progress.fetch_add(looking.looked.counts.files, Ordering::Relaxed);
    }
    looking.looked
}

struct Looking<'a> {
    options: &'a Options<'a>,
    looked: Looked,
}

impl Looking<'_> {
    fn manifest(&mut self, stream: &Stream) {
        self.looked.counts.files += 1;
        self.syntax(stream, None);
        for root in stream.roots() {
            for object in objects(root, Home::Manifest) {
                self.object(object, None);
            }
        }
    }

    fn chart(&mut self, chart: &Chart) {
        for part in &chart.parts {
            self.looked.counts.charts += 1;
            self.looked.counts.files += part.loaded.file_count();
            let path = Some(part.loaded.path.as_str());
            self.syntax(part.metadata(), path);
            if let Some(values) = part.values() {
                self.syntax(values, path);
            }
            for file in &part.crd_files {
                self.crd_file(file, path);
            }
            for template in &part.templates {
                self.template(template, path);
            }
        }
        for finding in chart.dependencies_missing().into_iter().map(|(place, name, repository)| {
            engine::chart_dependency_missing(place, &name, &repository)
        }) {
            self.add(finding, Some(chart.path()));
        }
        let place = chart.root().place();
        for rule in self.options.policy.anywhere().rules() {
            if let Check::Chart(check) = rule.check {
                self.guarded(rule, &place, None, Some(chart.path()), |cx| check(chart, cx));
            }
        }
    }

    fn crd_file(&mut self, file: &crate::model::CrdFile, chart: Option<&str>) {
        let source = file.stream.source();
        self.comments(source, Some(file.stream.comments()), chart.is_some());
        for document in file.stream.documents() {
            // Braces of a template have a rule of their own, which says more.
            if document.span().slice(source.text()).contains("{{") {
                continue;
            }
            let conversion = document.root().and_then(yaml::conversion_error);
            if let Some(error) = document.error().or(conversion.as_deref()) {
                self.add(engine::yaml_syntax(source, error), chart);
            }
        }
        for object in file.objects() {
            self.object(object, chart);
        }
    }

    fn template(&mut self, template: &Template, chart: Option<&str>) {
        self.comments(template.source(), None, chart.is_some());
        for (span, reason, help) in template.syntax_errors() {
            let mut finding = engine::template_syntax(Place::new(template.source(), span), &reason);
            finding.help = help.as_deref().map(capitalised);
            self.add(finding, chart);
        }
        for object in template.objects() {
            self.object(object, chart);
        }
    }

    fn comments(&mut self, source: &Arc<Source>, comments: Option<&[Span]>, in_chart: bool) {
        self.looked.comments.extend(Comments::read(source, comments, in_chart));
    }

    /// Documents that do not parse, or that parse and have no JSON form, which is what every reader makes of them.
    fn syntax(&mut self, stream: &Stream, chart: Option<&str>) {
        self.comments(stream.source(), Some(stream.comments()), chart.is_some());
        for root in stream.roots() {
            if let Some(error) = yaml::conversion_error(root) {
                self.add(engine::yaml_syntax(stream.source(), &error), chart);
            }
        }
        for error in stream.documents().filter_map(Document::error) {
            self.add(engine::yaml_syntax(stream.source(), error), chart);
        }
    }

    fn object(&mut self, object: Object<'_>, chart: Option<&str>) {
        let place = object.place();
        let reference = Some(object.reference());
        let crd = Crd::new(object);
        self.looked.counts.crds += usize::from(crd.is_some());
        if let Some(comments) = self.looked.comments.last_mut() {
            comments.saw(&place.source, crd.is_some());
        }
        for rule in self.options.policy.anywhere().rules() {
            match (rule.check, &crd) {
                (Check::Object(check), _) => {
                    self.guarded(rule, &place, reference.clone(), chart, |cx| check(&object, cx));
                }
                (Check::Crd(check), Some(crd)) => {
                    self.guarded(rule, &place, reference.clone(), chart, |cx| check(crd, cx));
                }
                _ => {}
            }
        }
    }

    /// Run a check; where it panics, that is the finding.
    fn guarded(
        &mut self,
        rule: &Rule,
        place: &Place,
        object: Option<ObjectRef>,
        chart: Option<&str>,
        check: impl FnOnce(&mut Cx<'_>),
    ) {
        let mut findings = Vec::new();
        let outcome = catch_unwind(AssertUnwindSafe(|| {
            let mut cx = Cx::new(rule.meta, None, &mut findings);
            cx.set_object(object);
            cx.set_chart(chart.map(str::to_owned));
            check(&mut cx);
        }));
        match outcome {
            Ok(()) => self.looked.findings.append(&mut findings),
            Err(panic) => {
                let text = panic
                    .downcast_ref::<String>()
                    .map(String::as_str)
                    .or_else(|| panic.downcast_ref::<&str>().copied())
                    .unwrap_or("no message");
                self.looked.findings.push(engine::internal_error(place.clone(), rule.id(), text));
            }
        }
    }

    fn add(&mut self, mut finding: Finding, chart: Option<&str>) {
        finding.chart = chart.map(str::to_owned);
        self.looked.findings.push(finding);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::registry;
    use crate::source::Source;

    #[test]
    fn a_rule_that_panics_is_a_finding_and_the_run_goes_on() {
        let options = Options::default();
        let mut looking = Looking { options: &options, looked: Looked::default() };
        let rule = registry::find("crd-status-in-manifest").expect("a rule");
        let place = Place::start_of(&Source::new("a.yaml", "a: 1\n"));
        looking.guarded(rule, &place, None, None, |cx| {
            cx.report(place.clone(), "half a result");
            panic!("nobody expected {}", "this");
        });
        looking.guarded(rule, &place, None, Some("charts/x"), |cx| {
            cx.report(place.clone(), "the next subject");
        });
        let [panicked, next] = looking.looked.findings.as_slice() else {
            panic!("{:?}", looking.looked.findings)
        };
        assert_eq!(panicked.rule.0, "internal-error");
        assert!(
            panicked.message.contains("crd-status-in-manifest")
                && panicked.message.contains("nobody expected this")
        );
        assert_eq!(
            (next.message.as_str(), next.chart.as_deref()),
            ("the next subject", Some("charts/x"))
        );
    }
}
