//! The `crdlint` binary.
fn main() {}
