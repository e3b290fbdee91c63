//! A [`Run`] as bytes: one file per format.
//!
//! Reporters read a run and write; they decide nothing. Text that comes from charts is cleaned before it reaches a
//! terminal (`sanitize`).

mod concise;
mod excerpt;
mod inputs;
mod json;
mod paint;
mod pretty;
mod progress;
mod prose;
mod sanitize;
mod summary;
#[cfg(test)]
mod tests;

use std::io::{self, Write};

pub use concise::concise;
pub use inputs::inputs;
pub use json::json;
pub use paint::Look;
pub use pretty::pretty;
pub use progress::Progress;
pub(crate) use prose::fill;
pub(crate) use sanitize::{clean_lines, one_line};
pub use summary::summary;

use crate::engine::Run;

/// How findings are printed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum Format {
    /// With the lines of the file, for people.
    #[default]
    Pretty,
    /// One line each, for editors and grep.
    Concise,
    /// Version 1 of the machine format.
    Json,
}

/// Print a run. `quiet` leaves out the summary line.
///
/// # Errors
/// Those of `out`.
pub fn report(
    run: &Run,
    format: Format,
    look: Look,
    quiet: bool,
    out: &mut dyn Write,
) -> io::Result<()> {
    match format {
        Format::Pretty => pretty(run, look, out)?,
        Format::Concise => concise(run, look, out)?,
        Format::Json => return json(run, out),
    }
    if quiet {
        return Ok(());
    }
    writeln!(out, "{}", summary(run, look))
}
