//! Findings: what crdlint says.
//!
//! A finding is plain data with one primary place. It knows nothing of how it will be printed, and nothing is
//! printed that is not in it. [`order`] is the one total order in which findings reach any output.

use std::cmp::Ordering;
use std::fmt;

use crate::source::{Place, Span};

/// The id of a rule: its file name under `rules/`, in kebab case.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RuleId(pub &'static str);

impl fmt::Display for RuleId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

/// How bad a finding is. Ordered: `Note < Warning < Error`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Worth knowing; breaks nothing by itself.
    Note,
    /// Goes wrong for some users, or later.
    Warning,
    /// Goes wrong.
    Error,
}

impl Severity {
    /// `note`, `warning` or `error`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Note => "note",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// A place with a few words about it.
#[derive(Clone, Debug)]
pub struct Label {
    /// Where.
    pub place: Place,
    /// What is there; may be empty for the primary label.
    pub message: String,
}

/// The Kubernetes object that a finding is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ObjectRef {
    /// `apiVersion`, such as `apiextensions.k8s.io/v1`.
    pub api_version: String,
    /// `kind`.
    pub kind: String,
    /// `metadata.name`.
    pub name: String,
    /// `metadata.namespace`, if set.
    pub namespace: Option<String>,
}

/// Whether applying a fix may change what the file means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Safety {
    /// Keeps the meaning, save for what the finding is about.
    Safe,
    /// May change more; only on request.
    Unsafe,
}

/// Replace the bytes of a place with a text.
#[derive(Clone, Debug)]
pub struct Edit {
    /// What to replace; empty for an insertion.
    pub place: Place,
    /// The new text.
    pub text: String,
}

/// Edits that remove the cause of a finding.
#[derive(Clone, Debug)]
pub struct Fix {
    /// Whether it needs consent.
    pub safety: Safety,
    /// What the edits do, in the imperative.
    pub title: String,
    /// Edits; they don't overlap.
    pub edits: Vec<Edit>,
}

/// Something that is wrong.
#[derive(Clone, Debug)]
pub struct Finding {
    /// Which rule says so.
    pub rule: RuleId,
    /// How bad it is here, after overrides.
    pub severity: Severity,
    /// What is wrong here: names the field, states both sides.
    pub message: String,
    /// The line that a person would edit.
    pub primary: Label,
    /// Other places that explain it.
    pub related: Vec<Label>,
    /// What to do in this instance.
    pub help: Option<String>,
    /// Edits that mend it.
    pub fix: Option<Fix>,
    /// The object meant, if it is one.
    pub object: Option<ObjectRef>,
    /// Display path of the chart meant, if it is one.
    pub chart: Option<String>,
    /// The values under which the finding holds; empty: the defaults.
    pub when: Vec<String>,
}

impl Finding {
    /// A finding with its required parts; the others start empty.
    pub fn new(rule: RuleId, severity: Severity, place: Place, message: impl Into<String>) -> Self {
        Self {
            rule,
            severity,
            message: message.into(),
            primary: Label { place, message: String::new() },
            related: Vec::new(),
            help: None,
            fix: None,
            object: None,
            chart: None,
            when: Vec::new(),
        }
    }

    /// Words under the primary place.
    pub fn label(&mut self, message: impl Into<String>) -> &mut Self {
        self.primary.message = message.into();
        self
    }

    /// Another place that explains the finding.
    pub fn relate(&mut self, place: Place, message: impl Into<String>) -> &mut Self {
        self.related.push(Label { place, message: message.into() });
        self
    }

    /// What to do about it here.
    pub fn help(&mut self, help: impl Into<String>) -> &mut Self {
        self.help = Some(help.into());
        self
    }
}

/// `text` with its first letter in upper case, as messages and helps start.
pub fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().into_iter().flat_map(char::to_uppercase);
    first.chain(letters).collect()
}

/// The total order of findings: path, archive member, place, severity (worst first), rule, message.
pub fn order(a: &Finding, b: &Finding) -> Ordering {
    let key = |finding: &Finding| -> Span { finding.primary.place.span };
    let source = |finding: &Finding| std::sync::Arc::clone(&finding.primary.place.source);
    let (left, right) = (source(a), source(b));
    left.path()
        .cmp(right.path())
        .then_with(|| left.archive_member().cmp(&right.archive_member()))
        .then_with(|| key(a).cmp(&key(b)))
        .then_with(|| b.severity.cmp(&a.severity))
        .then_with(|| a.rule.cmp(&b.rule))
        .then_with(|| a.message.cmp(&b.message))
}
