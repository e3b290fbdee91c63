//! Spanned YAML as Kubernetes reads it.
//!
//! Kubernetes, kubectl and Helm read YAML through `sigs.k8s.io/yaml`, which wraps go-yaml v2, a port of libyaml
//! (YAML 1.1). This module accepts and refuses what that library does, types scalars as it does, and keeps what it
//! throws away: byte spans of keys and values, comments, duplicate keys, anchors and merge keys unresolved.
//!
//! [`parse`] builds one flat arena for a whole stream of documents; no scalar is decoded before somebody asks. A
//! syntax error costs its own document only. [`Node`] is how everything above reads the tree.

mod arena;
mod chars;
mod decode;
mod error;
mod json;
mod node;
mod parse;
mod scalar;
mod scan;

pub use arena::{Document, Kind, NodeId, Shape, Stream};
pub use error::{ErrorKind, WrongTag, YamlError};
pub use json::{conversion_error, to_json};
pub use node::{Entry, Items, Node};
pub use parse::{parse, parse_manifest, parse_masked};
pub use scalar::{Scalar, resolve_plain};
