//! `--verbose`: every file and chart, and what it was taken for.

use std::io::{self, Write};

use anstyle::Style;

use super::paint::Look;
use super::sanitize::one_line;
use crate::engine::Run;

/// Longest path for which the columns stay aligned.
const MAX_COLUMN: usize = 80;

/// Print all inputs, aligned.
///
/// # Errors
/// Those of `out`.
pub fn inputs(run: &Run, look: Look, out: &mut dyn Write) -> io::Result<()> {
    let paths: Vec<String> = run.inputs.iter().map(|input| one_line(&input.path)).collect();
    let widths = paths.iter().map(|path| path.chars().count());
    let width = widths.filter(|width| *width <= MAX_COLUMN).max().unwrap_or(0);
    for (input, path) in run.inputs.iter().zip(&paths) {
        let taken = look.paint(Style::new().dimmed(), &format!("{:<13}", input.taken_for));
        let line = format!("{path:<width$}  {taken}  {}", one_line(&input.detail));
        writeln!(out, "{}", line.trim_end())?;
    }
    Ok(())
}
