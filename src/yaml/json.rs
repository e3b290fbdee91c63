//! Documents as JSON values: what every reader of Kubernetes YAML ends up with.

use super::error::YamlError;
use super::node::Node;
use super::scalar::Scalar;

/// Why a document has no JSON form.
pub type ConvertError = YamlError;

/// JSON value of a node.
pub fn to_json(_node: Node<'_>) -> Result<serde_json::Value, ConvertError> {
    Ok(serde_json::Value::Null)
}

pub(super) fn key_text(scalar: &Scalar<'_>) -> String {
    format!("{scalar:?}")
}
