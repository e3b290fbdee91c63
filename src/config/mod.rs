//! Configuration: `crdlint.yaml`, what is on where, and who has the last word.
//!
//! [`find`] looks for the file, [`Config::parse`] reads it with places, so that every mistake in it names its line;
//! [`Policy`] lays the file, its overrides by path and the command line over the default set of rules. Configuration
//! never fails half: a file with a mistake in it is not used at all.

mod fail_on;
mod file;
mod find;
mod policy;
mod read;

pub use fail_on::FailOn;
pub use file::{Config, KEYS, OVERRIDE_KEYS, Override};
pub use find::{ConfigError, FILE_NAME, find, load};
pub use policy::{Layer, Policy};
pub use read::{Mistake, Mistakes};
