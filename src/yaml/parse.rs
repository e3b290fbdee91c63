//! Placeholder.

use std::sync::Arc;

use super::node::Stream;
use crate::source::Source;

/// Parse all documents of a source.
pub fn parse(source: &Arc<Source>) -> Stream {
    Stream {
        source: Arc::clone(source),
        nodes: Vec::new(),
        props: Vec::new(),
        comments: Vec::new(),
        documents: Vec::new(),
    }
}
