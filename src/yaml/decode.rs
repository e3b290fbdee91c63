//! Scalar text: escapes, folding, chomping. Called only when somebody asks for a value.

use std::borrow::Cow;

use super::error::ErrorKind;
use super::node::Node;

pub(super) fn text(node: Node<'_>) -> Cow<'_, str> {
    Cow::Borrowed(node.text())
}

pub(super) fn base64(_text: &str) -> Result<String, ErrorKind> {
    Err(ErrorKind::Placeholder)
}
