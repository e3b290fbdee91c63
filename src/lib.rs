//! crdlint reads a repository as Helm, the GitOps tools and the API server will, and says what will go wrong, on
//! the line where it can be mended: with no cluster, no helm binary and no network.
//!
//! The modules are layers; each uses only those above it in this list. `ARCHITECTURE.md` tells what is where.

pub mod source;

pub mod finding;

pub mod yaml;

pub mod gotmpl;

pub mod helm;

pub mod discover;
pub mod model;

pub mod rules;

pub mod config;

pub mod suppress;

pub mod engine;

pub mod report;

pub mod cli;

pub mod commands;
