//! Suppressions: comments that hide a finding where it is, with the reason beside it.
//!
//! `crdlint-disable-next-line RULE reason` hides findings whose primary place starts on the next line that is neither
//! blank nor comment; `crdlint-disable-file RULE reason`, before the first line of content, those of the whole file.
//! Both work in YAML comments and in template comments. A suppression that hides nothing although its rule has looked
//! at the file is itself a finding. Which rules are on where is left to `config`.

mod apply;
mod directive;
mod text;

use std::sync::Arc;

pub use apply::{Outcome, apply};
use directive::Directive;

use crate::source::{Source, Span};

/// What a comment must begin with to be looked at.
const WORD: &str = "crdlint-disable";

/// The suppressions in one text, and which rules have looked at it.
#[derive(Debug)]
pub struct Comments {
    source: Arc<Source>,
    directives: Vec<Directive>,
    in_chart: bool,
    saw_objects: bool,
    saw_crds: bool,
}

impl Comments {
    /// The suppressions in `source`, if there are any. `comments` are its comments where a parser knows them; without,
    /// as in templates, whole lines that start with `#` are taken for comments beside `{{/* … */}}`.
    pub fn read(source: &Arc<Source>, comments: Option<&[Span]>, in_chart: bool) -> Option<Self> {
        memchr::memmem::find(source.text().as_bytes(), WORD.as_bytes())?;
        let directives = directive::read(source, comments);
        let source = Arc::clone(source);
        Some(Self { source, directives, in_chart, saw_objects: false, saw_crds: false })
    }

    /// An object in `source` was shown to the rules. Of no consequence if these are the comments of another source.
    pub fn saw(&mut self, source: &Arc<Source>, is_crd: bool) {
        if Arc::ptr_eq(source, &self.source) {
            self.saw_objects = true;
            self.saw_crds |= is_crd;
        }
    }
}
