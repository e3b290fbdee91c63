//! Which rules there are, and which of them are on.
//!
//! Each family lists its rules; this module joins the lists, finds a rule by its id and turns what a user wrote under
//! `select` and `ignore` into a set. Reading configuration and arguments is left to others.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use super::meta::{self, Meta};
use super::{Cx, chart, crd, engine};
use crate::finding::RuleId;
use crate::model::{Chart, Crd, Object};

/// A rule: its page and its check.
#[derive(Clone, Copy, Debug)]
pub struct Rule {
    /// What is written about it.
    pub meta: &'static Meta,
    /// What it does.
    pub check: Check,
}

/// What a rule looks at. A new kind of subject is a new variant; the compiler then lists the places that must know it.
#[derive(Clone, Copy, Debug)]
pub enum Check {
    /// Nothing: the engine reports it when something cannot be read.
    Engine,
    /// Every Kubernetes object, CRDs included.
    Object(fn(&Object<'_>, &mut Cx<'_>)),
    /// Every `CustomResourceDefinition`.
    Crd(fn(&Crd<'_>, &mut Cx<'_>)),
    /// Every chart with its subcharts.
    Chart(fn(&Chart, &mut Cx<'_>)),
}

impl Rule {
    /// The rule of the file `rules/<id>.yaml`. Used in constants, so that an id without a file does not compile.
    pub(super) const fn new(id: &str, check: Check) -> Self {
        Self { meta: meta::page(id), check }
    }

    /// The id.
    pub fn id(&self) -> RuleId {
        self.meta.id
    }
}

const FAMILIES: &[&[Rule]] = &[engine::RULES, crd::RULES, chart::RULES];

static SORTED: LazyLock<Vec<&'static Rule>> = LazyLock::new(|| {
    let mut rules: Vec<&Rule> = FAMILIES.iter().copied().flatten().collect();
    rules.sort_by_key(|rule| rule.id());
    rules
});

/// All rules, sorted by id.
pub fn all() -> &'static [&'static Rule] {
    &SORTED
}

/// The rule `id`.
pub fn find(id: &str) -> Option<&'static Rule> {
    let at = all().binary_search_by(|rule| rule.id().0.cmp(id)).ok()?;
    Some(all()[at])
}

/// The rule `id`, or who may have been meant.
pub fn resolve(id: &str) -> Result<&'static Rule, UnknownRule> {
    find(id).ok_or_else(|| UnknownRule { id: id.to_owned(), suggestion: suggest(id) })
}

/// The rules that are on unless something is configured.
pub fn default_set() -> RuleSet {
    all().iter().filter(|rule| rule.meta.default).map(|rule| rule.id()).collect()
}

/// The rule whose id is most like `id`, if any is.
pub fn suggest(id: &str) -> Option<&'static str> {
    // What is longer than any id is no slip of the pen.
    if id.len() > 100 {
        return None;
    }
    let wanted = id.trim().to_lowercase().replace(['_', ' '], "-");
    let ids = || all().iter().map(|rule| rule.id().0);
    let (distance, nearest) =
        ids().map(|known| (strsim::damerau_levenshtein(&wanted, known), known)).min()?;
    if distance <= 2.max(wanted.len() / 4) {
        return Some(nearest);
    }
    // Half an id, such as `keep-misspelt` for `chart-keep-misspelt`.
    ids().find(|known| wanted.len() >= 4 && known.contains(&wanted))
}

/// An id that names no rule: the user's fault.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no rule `{id}`{} (`crdlint rules` lists all)", hint(*.suggestion))]
pub struct UnknownRule {
    /// What was written.
    pub id: String,
    /// What was probably meant.
    pub suggestion: Option<&'static str>,
}

fn hint(suggestion: Option<&'static str>) -> String {
    suggestion.map_or_else(String::new, |id| format!(", did you mean `{id}`?"))
}

/// What a user wrote under `select` and `ignore`: ids, or `ALL`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Selection {
    /// To add to the default set.
    pub select: Vec<String>,
    /// To take away.
    pub ignore: Vec<String>,
}

impl Selection {
    /// The rules that are on.
    ///
    /// An id beats `ALL`, and `ignore` beats `select`; so `--ignore ALL --select X` means X alone.
    pub fn resolve(&self) -> Result<RuleSet, UnknownRule> {
        Ok(self.selector()?.over(&default_set()))
    }

    /// The same with its ids looked up, to be laid over more than one set.
    pub fn selector(&self) -> Result<Selector, UnknownRule> {
        Ok(Selector { select: Named::parse(&self.select)?, ignore: Named::parse(&self.ignore)? })
    }
}

/// A [`Selection`] whose ids are known to be rules.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Selector {
    select: Named,
    ignore: Named,
}

impl Selector {
    /// `base` with what is selected added and what is ignored taken away.
    pub fn over(&self, base: &RuleSet) -> RuleSet {
        let ids = all().iter().map(|rule| rule.id());
        ids.filter(|id| self.decides(*id, base.contains(*id))).collect()
    }

    /// Whether `id` is on where it was `on` before.
    pub fn decides(&self, id: RuleId, on: bool) -> bool {
        if self.ignore.ids.contains(&id) {
            false
        } else if self.select.ids.contains(&id) {
            true
        } else if self.ignore.all {
            false
        } else {
            self.select.all || on
        }
    }
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Named {
    all: bool,
    ids: BTreeSet<RuleId>,
}

impl Named {
    fn parse(words: &[String]) -> Result<Self, UnknownRule> {
        let mut named = Self { all: false, ids: BTreeSet::new() };
        for word in words {
            if word == "ALL" {
                named.all = true;
            } else {
                named.ids.insert(resolve(word)?.id());
            }
        }
        Ok(named)
    }
}

/// A set of rules that are on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RuleSet {
    ids: BTreeSet<RuleId>,
}

impl RuleSet {
    /// Whether `id` is on.
    pub fn contains(&self, id: RuleId) -> bool {
        self.ids.contains(&id)
    }

    /// The rules that are on, sorted by id.
    pub fn rules(&self) -> impl Iterator<Item = &'static Rule> {
        all().iter().copied().filter(|rule| self.contains(rule.id()))
    }
}

impl FromIterator<RuleId> for RuleSet {
    fn from_iter<I: IntoIterator<Item = RuleId>>(ids: I) -> Self {
        Self { ids: ids.into_iter().collect() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn selection(select: &[&str], ignore: &[&str]) -> Result<RuleSet, UnknownRule> {
        let owned = |ids: &[&str]| ids.iter().map(|id| (*id).to_owned()).collect();
        Selection { select: owned(select), ignore: owned(ignore) }.resolve()
    }

    #[test]
    fn pages_and_rules_are_sorted_and_one_to_one() {
        let rules: Vec<_> = all().iter().map(|rule| rule.id()).collect();
        let pages: Vec<_> = meta::pages().iter().map(|page| page.id).collect();
        assert_eq!(rules, pages, "left: what families list; right: rules/*.yaml");
        assert!(rules.is_sorted_by(|a, b| a < b), "a rule is listed twice");
    }

    #[test]
    fn every_rule_is_found_by_its_id() {
        for rule in all() {
            assert_eq!(find(rule.id().0).map(Rule::id), Some(rule.id()));
        }
        assert!(find("").is_none());
    }

    #[test]
    fn nothing_selected_is_the_default_set() {
        assert_eq!(selection(&[], &[]).unwrap(), default_set());
        assert_eq!(selection(&["ALL"], &[]).unwrap().rules().count(), all().len());
    }

    #[test]
    fn an_id_beats_all_and_ignore_beats_select() {
        let only = selection(&["yaml-syntax"], &["ALL"]).unwrap();
        assert_eq!(only.rules().map(|rule| rule.id().0).collect::<Vec<_>>(), ["yaml-syntax"]);
        let both = selection(&["yaml-syntax"], &["yaml-syntax"]).unwrap();
        assert!(!both.contains(RuleId("yaml-syntax")));
    }

    #[test]
    fn an_unknown_id_is_named_with_the_nearest() {
        let error = selection(&["yaml_sintax"], &[]).unwrap_err();
        assert_eq!(error.suggestion, Some("yaml-syntax"));
        assert_eq!(
            error.to_string(),
            "there is no rule `yaml_sintax`, did you mean `yaml-syntax`? (`crdlint rules` lists all)"
        );
        assert_eq!(suggest("load-failed"), Some("chart-load-failed"));
        assert_eq!(suggest("something-else-entirely"), None);
    }
}
