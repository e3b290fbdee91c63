//! Hiding what is suppressed, and saying which suppressions hid nothing.

use std::collections::{BTreeMap, BTreeSet};

use super::directive::Kind;
use super::{Comments, Directive};
use crate::config::Policy;
use crate::finding::{Finding, RuleId};
use crate::rules::registry::{self, Check, Rule};
use crate::rules::{engine, meta::Category};
use crate::source::{Place, Source};

/// What is left, and how much is not.
#[derive(Debug)]
pub struct Outcome {
    /// Findings that nothing hides, and those about suppressions.
    pub findings: Vec<Finding>,
    /// Number of hidden findings.
    pub suppressed: usize,
}

/// Path and archive member: a file may have been read more than once.
type Key = (String, Option<String>);

fn key(source: &Source) -> Key {
    (source.path().to_owned(), source.archive_member().map(str::to_owned))
}

struct State {
    comments: Comments,
    /// By line (0 for the whole file) and rule: whether a suppression hid anything.
    used: BTreeMap<(u32, String), bool>,
    /// Something in the file kept rules from looking at all of it.
    unread: bool,
}

impl State {
    fn new(comments: Comments, unread: bool) -> Self {
        let mut used = BTreeMap::new();
        for directive in &comments.directives {
            for (name, _) in directive.scope().into_iter().flat_map(|_| &directive.rules) {
                used.insert((directive.scope().unwrap_or_default(), name.clone()), false);
            }
        }
        Self { comments, used, unread }
    }
}

impl Directive {
    /// The line that it silences, 0 for the whole file.
    fn scope(&self) -> Option<u32> {
        match self.kind {
            Kind::File => Some(0),
            Kind::Line(line) => line,
            Kind::FileTooLate | Kind::Unknown => None,
        }
    }
}

/// Hide the findings that `comments` suppress, and add those about suppressions that are unknown or unused.
pub fn apply(findings: Vec<Finding>, comments: Vec<Comments>, policy: &Policy) -> Outcome {
    let mut states: BTreeMap<Key, State> = BTreeMap::new();
    for comments in comments {
        let key = key(&comments.source);
        states.entry(key).or_insert_with(|| State::new(comments, false));
    }
    // Texts that could not be parsed reach nobody who reads comments.
    for finding in &findings {
        let source = &finding.primary.place.source;
        let is_new = !states.contains_key(&key(source));
        if let Some(comments) = is_new.then(|| Comments::read(source, None, false)).flatten() {
            states.insert(key(source), State::new(comments, true));
        }
    }
    mark_unread(&findings, &mut states);
    let before = findings.len();
    let mut left: Vec<_> =
        findings.into_iter().filter(|finding| !hides(&mut states, finding)).collect();
    let mut about: Vec<_> = states.values().flat_map(|state| complaints(state, policy)).collect();
    let all = before + about.len();
    // They can be suppressed themselves, by a comment that is then not asked what it is good for.
    about.retain(|finding| !hides(&mut states, finding));
    left.extend(about);
    Outcome { suppressed: all - left.len(), findings: left }
}

/// Whether a suppression hides `finding`; every one that does counts as used.
fn hides(states: &mut BTreeMap<Key, State>, finding: &Finding) -> bool {
    let place = &finding.primary.place;
    let Some(state) = states.get_mut(&key(&place.source)) else { return false };
    let mut hidden = false;
    for line in [0, place.start().line] {
        if let Some(used) = state.used.get_mut(&(line, finding.rule.0.to_owned())) {
            *used = true;
            hidden = true;
        }
    }
    hidden
}

/// Where a document, template or chart could not be read, no rule has looked, and nothing is said of unused comments.
fn mark_unread(findings: &[Finding], states: &mut BTreeMap<Key, State>) {
    if states.is_empty() {
        return;
    }
    let (mut files, mut charts) = (BTreeSet::new(), BTreeSet::new());
    for finding in findings {
        let rule = registry::find(finding.rule.0);
        if rule.is_some_and(|rule| rule.meta.category == Category::Engine && kept_rules_out(rule)) {
            files.insert(key(&finding.primary.place.source));
            charts.extend(finding.chart.as_deref());
        }
    }
    for (key, state) in states {
        let path = key.0.as_str();
        let mut folders = path.match_indices('/').map(|(at, _)| &path[..at]).chain([path]);
        let in_unread_chart = state.comments.in_chart && folders.any(|one| charts.contains(one));
        state.unread |= files.contains(key) || in_unread_chart;
    }
}

fn kept_rules_out(rule: &Rule) -> bool {
    rule.id() != RuleId("chart-dependency-missing") && rule.id() != engine::SUPPRESSION_UNUSED
}

fn complaints(state: &State, policy: &Policy) -> Vec<Finding> {
    let comments = &state.comments;
    let source = &comments.source;
    if !policy.is_on(engine::SUPPRESSION_UNUSED, source) {
        return Vec::new();
    }
    let mut findings = Vec::new();
    for directive in &comments.directives {
        about(directive, state, policy, &mut findings);
    }
    let severity = policy.severity(engine::SUPPRESSION_UNUSED, source);
    for finding in &mut findings {
        finding.severity = severity.unwrap_or(finding.severity);
    }
    findings
}

fn about(directive: &Directive, state: &State, policy: &Policy, findings: &mut Vec<Finding>) {
    let source = &state.comments.source;
    let word: String = directive.span.slice(source.text()).chars().take(60).collect();
    let word = word.replace('`', "'");
    // A file with thousands of wrong names was not written by hand, and guessing takes its time.
    let helpful = findings.len() < 100;
    let mut say = |span, message: String, help: &str| {
        let place = Place::new(source, span);
        findings.push(engine::suppression_unused(place, message, help));
    };
    match directive.kind {
        Kind::Unknown => {
            return say(
                directive.span,
                format!("`{word}` is no suppression and hides nothing"),
                "Write `crdlint-disable-next-line RULE reason`, or `crdlint-disable-file RULE reason` at the top of the file",
            );
        }
        Kind::FileTooLate => {
            return say(
                directive.span,
                format!("`{word}` stands behind the first line of content and hides nothing"),
                "Move it to the top of the file, or write `crdlint-disable-next-line RULE reason` here",
            );
        }
        Kind::File | Kind::Line(_) if directive.rules.is_empty() => {
            return say(
                directive.span,
                format!("`{word}` names no rule and hides nothing"),
                "Name the rules that are to be silent, separated by commas, and then the reason",
            );
        }
        Kind::File | Kind::Line(_) => {}
    }
    for (name, span) in &directive.rules {
        let Some(rule) = registry::find(name) else {
            let help = match registry::suggest(name).filter(|_| helpful) {
                Some(meant) => format!("Did you mean `{meant}`?"),
                None => {
                    "`crdlint rules` lists all; separate rules by commas, and the reason by a blank"
                        .to_owned()
                }
            };
            let name: String = name.chars().take(60).filter(|c| *c != '`').collect();
            let message = format!("`{word}` names `{name}`, and there is no such rule");
            say(*span, message, &help);
            continue;
        };
        let scope = (directive.scope().unwrap_or_default(), name.clone());
        let used = state.used.get(&scope).copied().unwrap_or(false);
        if !used && !state.unread && policy.is_on(rule.id(), source) && state.comments.ran(rule) {
            let scope = match directive.kind {
                Kind::Line(Some(line)) => format!("on line {line}"),
                Kind::Line(None) => "behind the last line".to_owned(),
                _ => "in this file".to_owned(),
            };
            let message = format!("`{word}` hides nothing: `{name}` finds nothing {scope}");
            say(*span, message, &format!("Remove `{name}` from the comment"));
        }
    }
}

impl Comments {
    /// Whether `rule` has looked at this text: else nothing can be said of its suppression. What `helm template`
    /// prints, for one, carries the comments of templates without being a chart.
    fn ran(&self, rule: &Rule) -> bool {
        match rule.check {
            Check::Object(_) => self.saw_objects,
            Check::Crd(_) => self.saw_crds,
            Check::Chart(_) => self.in_chart,
            Check::Engine => rule.id() == RuleId("yaml-syntax"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const YAML: RuleId = RuleId("yaml-syntax");

    fn policy() -> Policy {
        Policy::of(registry::default_set())
    }

    fn outcome(
        text: &str,
        rule_on_line: &[(RuleId, u32)],
        policy: &Policy,
    ) -> (usize, Vec<String>) {
        let source = Source::new("a.yaml", text);
        let comments = Comments::read(&source, None, false);
        let finding = |(rule, line): &(RuleId, u32)| {
            let place = Place::new(&source, source.line_span(*line).unwrap());
            Finding::new(*rule, crate::finding::Severity::Error, place, "x")
        };
        let findings = rule_on_line.iter().map(finding).collect();
        let outcome = apply(findings, comments.into_iter().collect(), policy);
        let shown = |finding: &Finding| {
            let line = finding.primary.place.start().line;
            format!("{line}: {} {}", finding.rule, finding.message)
        };
        (outcome.suppressed, outcome.findings.iter().map(shown).collect())
    }

    #[test]
    fn what_is_suppressed_is_counted_and_not_shown() {
        let text = "# crdlint-disable-next-line crd-status-in-manifest known\nstatus: {}\n";
        let status = RuleId("crd-status-in-manifest");
        assert_eq!(outcome(text, &[(status, 2)], &policy()), (1, vec![]));
        let other = outcome(text, &[(status, 1)], &policy());
        assert_eq!(other, (0, vec!["1: crd-status-in-manifest x".to_owned()]));
    }

    #[test]
    fn a_suppression_that_hides_nothing_is_a_finding() {
        let text = "# crdlint-disable-file yaml-syntax,yaml-sintax why\na: 1\n";
        let (suppressed, found) = outcome(text, &[], &policy());
        assert_eq!(suppressed, 0);
        assert_eq!(
            found,
            [
                "1: suppression-unused `crdlint-disable-file` hides nothing: `yaml-syntax` finds nothing in this file",
                "1: suppression-unused `crdlint-disable-file` names `yaml-sintax`, and there is no such rule",
            ]
        );
    }

    #[test]
    fn nothing_is_said_of_rules_that_did_not_look() {
        // No object was seen, the source is no chart's, and the third is off.
        let text = "# crdlint-disable-file crd-status-in-manifest, chart-keep-misspelt why\na: 1\n";
        assert_eq!(outcome(text, &[], &policy()), (0, vec![]));
        let text = "# crdlint-disable-file yaml-syntax\na: 1\n";
        let on = [engine::SUPPRESSION_UNUSED].into_iter().collect();
        assert_eq!(outcome(text, &[], &Policy::of(on)), (0, vec![]));
        let off = [YAML].into_iter().collect();
        assert_eq!(outcome(text, &[], &Policy::of(off)), (0, vec![]));
    }

    #[test]
    fn findings_about_suppressions_can_be_suppressed() {
        let text = "# crdlint-disable-file suppression-unused shared header\n\
                    # crdlint-disable-next-line yaml-sintax\na: 1\n";
        assert_eq!(outcome(text, &[], &policy()), (1, vec![]));
    }

    #[test]
    fn a_file_that_cannot_be_read_may_be_suppressed_as_a_whole() {
        let text = "# crdlint-disable-file yaml-syntax, crd-status-in-manifest why\na: [1\n";
        assert_eq!(outcome(text, &[(YAML, 2)], &policy()), (1, vec![]));
    }
}
