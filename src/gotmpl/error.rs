//! What is wrong with a template, in Go's words and at the byte it is about.

use crate::source::Span;

/// A place where the template cannot be parsed: always the fault of the template.
///
/// The first error of a template is the one that Go reports and Helm prints. Later ones are found by going on behind the broken
/// action, and are reported only where that action leaves no doubt about the nesting.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct ParseError {
    /// Go's message without `template: NAME:LINE: `.
    pub message: String,
    /// The token at fault.
    pub span: Span,
    /// Where the thing started that was not finished: the `{{ if }}` without `{{ end }}`, the action without `}}`.
    pub context: Option<Span>,
    /// The line that Go names: the one of the last token that its parser had read.
    pub line: u32,
    /// What to do about it, where the cause is known.
    pub help: Option<String>,
}

impl ParseError {
    /// The text of text/template: `template: NAME:LINE: MSG`.
    pub fn go_text(&self, name: &str) -> String {
        format!("template: {name}:{}: {}", self.line, self.message)
    }

    /// The text that Helm prints, `parse error at (NAME:LINE): MSG`, where of Go's message only the part behind
    /// the last `": "` is left (`cleanupParseError` in Helm's engine).
    pub fn helm_text(&self, name: &str) -> String {
        let text = self.go_text(name);
        let location = text.split(": ").nth(1).unwrap_or_default();
        format!("parse error at ({location}): {}", self.short())
    }

    /// Go's message as far as Helm keeps it: behind the last `": "`.
    pub fn short(&self) -> &str {
        self.message.rsplit(": ").next().unwrap_or_default()
    }
}
