//! `--verbose`: every file and chart, and what it was taken for.

use std::borrow::Cow;
use std::io::{self, BufWriter, Write};

use anstyle::Style;
use unicode_width::UnicodeWidthStr;

use super::paint::Look;
use super::sanitize::one_line;
use crate::engine::Run;

/// Longest path for which the columns stay aligned.
const MAX_COLUMN: usize = 80;

/// Print all inputs, aligned. The sink need not be buffered.
///
/// # Errors
/// Those of `out`.
pub fn inputs(run: &Run, look: Look, out: &mut dyn Write) -> io::Result<()> {
    let mut out = BufWriter::new(out);
    let paths: Vec<Cow<'_, str>> = run.inputs.iter().map(|input| one_line(&input.path)).collect();
    let widths = paths.iter().map(|path| path.width());
    let width = widths.filter(|width| *width <= MAX_COLUMN).max().unwrap_or(0);
    let kind = run.inputs.iter().map(|input| input.taken_for.width()).max().unwrap_or(0);
    for (input, path) in run.inputs.iter().zip(&paths) {
        let gap = width.saturating_sub(path.width());
        let detail = one_line(&input.detail);
        let taken_for = if detail.is_empty() {
            Cow::Borrowed(input.taken_for)
        } else {
            Cow::Owned(format!("{:<kind$}  ", input.taken_for))
        };
        let taken_for = look.paint(Style::new().dimmed(), &taken_for);
        writeln!(out, "{path}{:gap$}  {taken_for}{detail}", "")?;
    }
    out.flush()
}
