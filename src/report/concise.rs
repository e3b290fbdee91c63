//! One line per finding: `path:line:column: severity[rule] message`.

use std::io::{self, Write};

use anstyle::Style;

use super::paint::{Look, severity_style};
use super::sanitize::one_line;
use crate::engine::Run;

/// Print all findings.
///
/// # Errors
/// Those of `out`.
pub fn concise(run: &Run, look: Look, out: &mut dyn Write) -> io::Result<()> {
    for finding in &run.findings {
        let place = &finding.primary.place;
        let path = look.paint(Style::new().bold(), &one_line(&place.source.display_path()));
        let severity = look.paint(severity_style(finding.severity), finding.severity.as_str());
        let message = one_line(&finding.message);
        writeln!(out, "{path}:{}: {severity}[{}] {message}", place.start(), finding.rule)?;
    }
    Ok(())
}
