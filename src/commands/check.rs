//! `crdlint check`: arguments → options → a run → a report.

use std::io::{self, Read, Write};

use super::{Outcome, Terminal};
use crate::cli::CheckArgs;
use crate::engine::{self, CheckError, Options, Run};
use crate::report::{self, Format, Progress};
use crate::rules::registry::{Selection, UnknownRule};
use crate::{discover, source};

/// Why `check` could not check. All lead to exit code 2.
#[derive(Debug, thiserror::Error)]
pub enum CheckCommandError {
    /// An id that names no rule: the user's fault.
    #[error(transparent)]
    Rule(#[from] UnknownRule),
    /// Paths or threads.
    #[error(transparent)]
    Check(#[from] CheckError),
    /// Standard input cannot be read.
    #[error("standard input cannot be read")]
    Stdin(#[source] io::Error),
    /// The output cannot be written.
    #[error(transparent)]
    Output(#[from] io::Error),
}

/// Check, print, and say whether the run fails.
///
/// # Errors
/// See [`CheckCommandError`].
pub fn run(
    args: &CheckArgs,
    terminal: Terminal,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> Result<Outcome, CheckCommandError> {
    let run = checked(args, terminal)?;
    if args.verbose {
        report::inputs(&run, terminal.err, err)?;
    }
    report::report(&run, args.format, terminal.out, args.quiet, out)?;
    let fails = run.findings.iter().any(|finding| args.fail_on.fails(finding.severity));
    Ok(if fails { Outcome::Findings } else { Outcome::Clean })
}

fn checked(args: &CheckArgs, terminal: Terminal) -> Result<Run, CheckCommandError> {
    let selection = Selection { select: args.select.clone(), ignore: args.ignore.clone() };
    let rules = selection.resolve()?;
    let (dashes, paths): (Vec<_>, Vec<_>) =
        args.paths.iter().cloned().partition(|path| path == "-");
    let stdin = match dashes.first() {
        None => None,
        Some(_) => Some((args.stdin_filename.clone(), read_stdin()?)),
    };
    let watched = terminal.err_is_terminal && terminal.err.unicode && !args.quiet;
    let progress = Progress::start(watched && args.format != Format::Json);
    let options = Options {
        paths,
        discover: discover::Options {
            exclude: args.exclude.clone(),
            gitignore: !args.no_gitignore,
            force_exclude: args.force_exclude,
            stdin,
        },
        rules,
        threads: args.threads,
        progress: Some(progress.files()),
        ..Options::default()
    };
    Ok(engine::check(&options)?)
}

/// One byte more than the limit, so that what is too large is noticed and not read to its end.
fn read_stdin() -> Result<Vec<u8>, CheckCommandError> {
    let mut bytes = Vec::new();
    let limited = io::stdin().lock().take(source::MAX_SOURCE_BYTES + 1).read_to_end(&mut bytes);
    limited.map_err(CheckCommandError::Stdin)?;
    Ok(bytes)
}
