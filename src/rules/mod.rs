//! Rules: what is written about them, which there are, and what they are given to look at.
//!
//! A rule is a file `rules/<id>.yaml` with all that a person reads about it, and a function that looks at one subject
//! and reports to its [`Cx`]. Rules cannot fail and do no IO. Who calls them, in which order and on which subjects, is
//! the engine's business. `CONTRIBUTING.md` tells how to add one.
//!
//! - [`meta`]: the rule files; `vocabulary`: their words; [`examples`]: their examples as files with marked lines
//! - [`registry`]: all rules, look-up with "did you mean", selection
//! - [`cx`]: what a rule reports to
//! - [`engine`]: the findings that no check makes: files that cannot be read
//! - one folder per family of checks: [`mod@crd`], [`chart`]

pub mod chart;
pub mod crd;
pub mod cx;
pub mod engine;
pub mod examples;
pub mod meta;
pub mod registry;
mod vocabulary;

pub use cx::Cx;
pub use meta::Meta;
pub use registry::{Check, Rule};
