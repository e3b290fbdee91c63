//! Syntax errors: go-yaml's verdict in better words.

use crate::source::Span;

/// Why a document cannot be read, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct YamlError {
    /// What is wrong.
    pub kind: ErrorKind,
    /// Where it was noticed.
    pub span: Span,
    /// Where the thing started that could not be finished: the quote, the bracket, the key.
    pub context: Option<Span>,
}

/// What can be wrong with a text. Each variant's first line is go-yaml's own message.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "`go_text` is the documentation: the upstream message of each")]
pub enum ErrorKind {
    WrongTag { found: &'static str, text: String, wanted: String },
    Placeholder,
}
