//! The subcommands: thin functions that take plain arguments and write to the sink they are given.
//!
//! Parsing arguments is left to `cli`, opening sinks and exit codes to `main`.

pub mod explain;
pub mod new_rule;
pub mod rules;
mod text;
