//! What is on where, and how bad it is there: the file, its overrides and the command line laid over the default set.
//!
//! The command line wins over an override, a later override over an earlier one, and an override over the file. Rules
//! run where anything may switch them on; what they find is then kept or not by the path of its primary place.

use std::collections::BTreeMap;

use super::{Config, Override};
use crate::finding::{RuleId, Severity};
use crate::rules::meta::{Category, Installer};
use crate::rules::registry::{self, Rule, RuleSet, Selector};
use crate::source::Source;

/// What one place says about rules: the file, an override, or the command line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Layer {
    /// What is selected and ignored.
    pub selector: Selector,
    /// Severities that replace those of the rules.
    pub severity: BTreeMap<RuleId, Severity>,
}

/// What is on where.
#[derive(Clone, Debug, Default)]
pub struct Policy {
    /// By default and by the file.
    base: RuleSet,
    severity: BTreeMap<RuleId, Severity>,
    overrides: Vec<Override>,
    command_line: Layer,
    anywhere: RuleSet,
}

impl Policy {
    /// `config` with the command line laid over it.
    pub fn new(config: &Config, command_line: Layer) -> Self {
        let base = config.layer.selector.over(&default_set(&config.installers));
        // Laying over is monotone, so this holds whatever is on under any combination of overrides.
        let mut anywhere = base.clone();
        for entry in &config.overrides {
            let more = entry.layer.selector.over(&anywhere);
            anywhere = anywhere.rules().chain(more.rules()).map(Rule::id).collect();
        }
        let anywhere = command_line.selector.over(&anywhere);
        Self {
            base,
            severity: config.layer.severity.clone(),
            overrides: config.overrides.clone(),
            command_line,
            anywhere,
        }
    }

    /// Exactly these rules, everywhere.
    pub fn of(rules: RuleSet) -> Self {
        Self { base: rules.clone(), anywhere: rules, ..Self::default() }
    }

    /// The rules that are on somewhere: those to run.
    pub fn anywhere(&self) -> &RuleSet {
        &self.anywhere
    }

    /// Whether `rule` is on for findings in `source`.
    pub fn is_on(&self, rule: RuleId, source: &Source) -> bool {
        let mut on = self.base.contains(rule);
        for layer in self.layers(source) {
            on = layer.selector.decides(rule, on);
        }
        self.command_line.selector.decides(rule, on)
    }

    /// The severity that replaces that of `rule` for findings in `source`.
    pub fn severity(&self, rule: RuleId, source: &Source) -> Option<Severity> {
        let of = |layer: &Layer| layer.severity.get(&rule).copied();
        of(&self.command_line)
            .or_else(|| self.layers(source).filter_map(of).last())
            .or_else(|| self.severity.get(&rule).copied())
    }

    /// The overrides that hold for `source`: by its path, and for a member of an archive also by its path in there.
    fn layers<'a>(&'a self, source: &'a Source) -> impl Iterator<Item = &'a Layer> {
        let holds = |entry: &Override| {
            entry.paths.matches(source.path())
                || source.archive_member().is_some_and(|member| {
                    entry.paths.matches(&format!("{}/{member}", source.path()))
                })
        };
        self.overrides.iter().filter(move |entry| holds(entry)).map(|entry| &entry.layer)
    }
}

/// The default set without the rules that concern none of the installers in use. A rule without installers concerns
/// the API server, and the engine's own findings concern everybody.
fn default_set(installers: &[Installer]) -> RuleSet {
    let concerns = |rule: &&Rule| {
        let of_rule = rule.meta.installers;
        installers.is_empty()
            || of_rule.is_empty()
            || rule.meta.category == Category::Engine
            || of_rule.iter().any(|one| installers.contains(one))
    };
    registry::default_set().rules().filter(concerns).map(Rule::id).collect()
}

#[cfg(test)]
mod tests {
    use std::path::Path;
    use std::sync::Arc;

    use super::*;
    use crate::rules::registry::Selection;

    const KEEP: RuleId = RuleId("chart-keep-misspelt");
    const YAML: RuleId = RuleId("yaml-syntax");

    fn policy(config: &str, ignore: &[&str]) -> Policy {
        let config = Config::parse(&Source::new("crdlint.yaml", config), Path::new("/r")).unwrap();
        let ignore = ignore.iter().map(|id| (*id).to_owned()).collect();
        let selector = Selection { ignore, ..Selection::default() }.selector().unwrap();
        Policy::new(&config, Layer { selector, severity: BTreeMap::new() })
    }

    fn at(path: &str) -> Arc<Source> {
        Source::new(path, "")
    }

    #[test]
    fn the_command_line_wins_over_an_override_and_that_over_the_file() {
        let text = "ignore: [chart-keep-misspelt]\noverrides: [{paths: [old/**], select: [chart-keep-misspelt]}]\n";
        let by_file = policy(text, &[]);
        assert!(!by_file.is_on(KEEP, &at("/r/new/a.yaml")));
        assert!(by_file.is_on(KEEP, &at("/r/old/a.yaml")));
        assert!(by_file.anywhere().contains(KEEP));
        let by_hand = policy(text, &["chart-keep-misspelt"]);
        assert!(!by_hand.is_on(KEEP, &at("/r/old/a.yaml")));
        assert!(!by_hand.anywhere().contains(KEEP));
    }

    #[test]
    fn the_last_override_that_matches_decides_the_severity() {
        let text = "severity: {yaml-syntax: note}\noverrides:\n- {paths: [a/**], severity: {yaml-syntax: warning}}\n\
                    - {paths: [a/b/**], severity: {yaml-syntax: error}}\n- {paths: [a/c/**], severity: {}}\n";
        let mut policy = policy(text, &[]);
        let of = |policy: &Policy, path: &str| policy.severity(YAML, &at(path));
        assert_eq!(of(&policy, "/r/x"), Some(Severity::Note));
        assert_eq!(of(&policy, "/r/a/x"), Some(Severity::Warning));
        assert_eq!(of(&policy, "/r/a/b/x"), Some(Severity::Error));
        assert_eq!(of(&policy, "/r/a/c/x"), Some(Severity::Warning));
        policy.command_line.severity.insert(YAML, Severity::Note);
        assert_eq!(of(&policy, "/r/a/b/x"), Some(Severity::Note));
    }

    #[test]
    fn members_of_archives_are_reached_by_both_paths() {
        for pattern in ["x.tgz", "charts/**", "charts/x.tgz/c/templates/**", "values.yaml"] {
            let text = format!("overrides: [{{paths: ['{pattern}'], ignore: [yaml-syntax]}}]\n");
            let source = |member: &str| Source::member("/r/charts/x.tgz", member, "");
            let hit = !policy(&text, &[]).is_on(YAML, &source("c/templates/a.yaml"));
            assert_eq!(hit, pattern != "values.yaml", "{pattern}");
            let values = !policy(&text, &[]).is_on(YAML, &source("c/values.yaml"));
            assert_eq!(values, !pattern.contains("templates"), "{pattern}");
        }
    }

    #[test]
    fn rules_of_installers_that_are_not_in_use_are_off() {
        let all = policy("", &[]);
        let argo = policy("installers: [argocd]\n", &[]);
        for rule in registry::all().iter().filter(|rule| rule.meta.default) {
            let expected = rule.meta.installers.is_empty()
                || rule.meta.category == Category::Engine
                || rule.meta.installers.contains(&Installer::Argocd);
            assert!(all.anywhere().contains(rule.id()));
            assert_eq!(argo.anywhere().contains(rule.id()), expected, "{}", rule.id());
        }
        assert!(argo.anywhere().rules().count() < all.anywhere().rules().count());
    }
}
