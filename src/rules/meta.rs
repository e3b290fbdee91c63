//! What is written about a rule: its file `rules/<id>.yaml`, as the program sees it.
//!
//! `build.rs` turns the files into [`pages`], so all texts are literals and nothing is parsed at start. The words of
//! the enums live in `super::vocabulary`; what the examples mean, in [`super::examples`].

use crate::finding::{RuleId, Severity};

pub use super::vocabulary::{Category, Fixable, Installer, Level, Subject};

/// One rule file. The documentation of the fields is also in `rules/schema.json`, for editors.
#[derive(Debug)]
pub struct Meta {
    /// The id, which is the file's name.
    pub id: RuleId,
    /// What is wrong, as a title.
    pub name: &'static str,
    /// The version that brought the rule.
    pub since: &'static str,
    /// What the rule looks at.
    pub subject: Subject,
    /// What is at stake.
    pub category: Category,
    /// The highest severity; a check may lower it, a user may replace it.
    pub severity: Severity,
    /// Whether it is on unless something is configured.
    pub default: bool,
    /// Whether `--fix` can mend it.
    pub fixable: Fixable,
    /// Whose behaviour makes it fail; empty: the API server's, so everybody's.
    pub installers: &'static [Installer],
    /// What goes wrong, in one sentence.
    pub summary: &'static str,
    /// The concrete failure, in two or three sentences.
    pub why: &'static str,
    /// What to do about it.
    pub fix: &'static str,
    /// URLs, and issues as `owner/repo#123`.
    pub references: &'static [&'static str],
    /// What can be configured: name, and what it means with its default.
    pub options: &'static [(&'static str, &'static str)],
    /// Why there are no examples, where there cannot be any.
    pub no_examples: Option<&'static str>,
    /// Examples, each of which is a test.
    pub examples: &'static [Example],
}

/// An example on a rule's page.
#[derive(Debug)]
pub struct Example {
    /// What is special about it.
    pub name: &'static str,
    /// Whether the rule keeps silent about it.
    pub good: bool,
    /// The files.
    pub body: Body,
}

/// The text of an example.
#[derive(Debug)]
pub enum Body {
    /// Paths and texts, in the order of the rule file.
    Files(&'static [(&'static str, &'static str)]),
    /// Some fields of a CRD's `spec`; [`Example::files`] completes it.
    Crd(&'static str),
    /// The schema of `spec` in a CRD's only version; [`Example::files`] completes it.
    Schema(&'static str),
}

mod generated {
    use super::{Body, Category, Example, Fixable, Installer, Meta, RuleId, Severity, Subject};

    include!(concat!(env!("OUT_DIR"), "/rules.rs"));
}

/// All rule files, sorted by id.
pub const fn pages() -> &'static [Meta] {
    generated::PAGES
}

/// The page of `id`, at compile time; a rule without its file does not compile.
pub(super) const fn page(id: &str) -> &'static Meta {
    let mut at = 0;
    while at < generated::PAGES.len() {
        if same(generated::PAGES[at].id.0.as_bytes(), id.as_bytes()) {
            return &generated::PAGES[at];
        }
        at += 1;
    }
    panic!("a rule has no file of its id in rules/")
}

const fn same(a: &[u8], b: &[u8]) -> bool {
    if a.len() != b.len() {
        return false;
    }
    let mut at = 0;
    while at < a.len() {
        if a[at] != b[at] {
            return false;
        }
        at += 1;
    }
    true
}
