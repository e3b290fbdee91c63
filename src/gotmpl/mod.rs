//! Go's text/template as Helm uses it: source to syntax tree, and what can be known without evaluating.
//!
//! [`parse`] accepts and refuses what Go does, with Go's words, and keeps a span for every node and delimiter. [`mask`] makes a
//! template readable as YAML, [`guards`] tells under which conditions a byte is emitted. Evaluation is built on the same tree.
//! The judge is Go: `tests/gotmpl.rs` compares verdicts, error texts and trees with it.

mod ast;
mod decide;
mod display;
mod error;
mod frames;
mod functions;
pub mod guards;
mod lex;
mod mask;
mod number;
mod parse;
mod pipeline;
mod quote;
mod recover;
mod tokens;
mod unicode;

pub use ast::{
    Branch, BranchId, Define, DefineId, Kind, Node, NodeId, Nodes, NumberId, Otherwise, StringId,
    Tag, TagId, TagKind, Template,
};
pub use decide::{Known, Lookup, decide, emitted};
pub use error::ParseError;
pub use functions::{NAMES as FUNCTIONS, is_defined as is_function};
pub use mask::{Mask, mask};
pub use number::Number;
pub use parse::{MAX_DEPTH, parse};
