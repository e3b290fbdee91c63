//! What a rule reports to.
//!
//! A [`Cx`] is made for one rule and one run over its subjects. It knows what the rule must not have to care about:
//! its severity after overrides, and which object and chart are being looked at.

use super::Meta;
use crate::finding::{Finding, ObjectRef, Severity};
use crate::source::Place;

/// Where one rule's findings go.
#[derive(Debug)]
pub struct Cx<'a> {
    meta: &'static Meta,
    severity: Option<Severity>,
    object: Option<ObjectRef>,
    chart: Option<String>,
    findings: &'a mut Vec<Finding>,
}

impl<'a> Cx<'a> {
    /// For the rule of `meta`. `severity` is what a user set for it, if anything.
    pub fn new(
        meta: &'static Meta,
        severity: Option<Severity>,
        findings: &'a mut Vec<Finding>,
    ) -> Self {
        Self { meta, severity, object: None, chart: None, findings }
    }

    /// The object that is being looked at; findings from now on name it.
    pub fn set_object(&mut self, object: Option<ObjectRef>) {
        self.object = object;
    }

    /// The display path of the chart that is being looked at; findings from now on name it.
    pub fn set_chart(&mut self, chart: Option<String>) {
        self.chart = chart;
    }

    /// Report at the rule's severity. The result takes `.help(…)`, `.relate(…)` and `.label(…)`.
    pub fn report(&mut self, place: Place, message: impl Into<String>) -> &mut Finding {
        self.report_at(Severity::Error, place, message)
    }

    /// Report at `highest` or the rule's severity, whichever is lower. What a user set replaces both.
    pub fn report_at(
        &mut self,
        highest: Severity,
        place: Place,
        message: impl Into<String>,
    ) -> &mut Finding {
        let severity = self.severity.unwrap_or(self.meta.severity.min(highest));
        let mut finding = Finding::new(self.meta.id, severity, place, message);
        finding.object.clone_from(&self.object);
        finding.chart.clone_from(&self.chart);
        self.findings.push(finding);
        let last = self.findings.len() - 1;
        &mut self.findings[last]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::registry;
    use crate::source::Source;

    fn severities(user: Option<Severity>) -> Vec<Severity> {
        let meta = registry::find("yaml-syntax").unwrap().meta;
        let place = Place::start_of(&Source::new("a.yaml", "a: 1\n"));
        let mut findings = Vec::new();
        let mut cx = Cx::new(meta, user, &mut findings);
        cx.report(place.clone(), "one").help("do it");
        cx.report_at(Severity::Note, place, "two");
        findings.iter().map(|finding| finding.severity).collect()
    }

    #[test]
    fn a_check_may_lower_the_severity_and_a_user_replaces_it() {
        assert_eq!(severities(None), [Severity::Error, Severity::Note]);
        assert_eq!(severities(Some(Severity::Warning)), [Severity::Warning, Severity::Warning]);
    }

    #[test]
    fn findings_name_the_object_and_chart_that_are_being_looked_at() {
        let meta = registry::find("yaml-syntax").unwrap().meta;
        let place = Place::start_of(&Source::new("a.yaml", "a: 1\n"));
        let mut findings = Vec::new();
        let mut cx = Cx::new(meta, None, &mut findings);
        cx.set_chart(Some("charts/x".to_owned()));
        cx.report(place.clone(), "one");
        cx.set_chart(None);
        cx.report(place, "two");
        let charts: Vec<_> = findings.iter().map(|finding| finding.chart.as_deref()).collect();
        assert_eq!(charts, [Some("charts/x"), None]);
    }
}
