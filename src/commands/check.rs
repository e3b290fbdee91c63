//! `crdlint check`: arguments → options → a run → a report.

use std::io::{self, Read, Write};

use super::{Outcome, Terminal};
use crate::cli::CheckArgs;
use crate::config::{self, Config, ConfigError, Layer, Policy};
use crate::engine::{self, CheckError, Input, Options, Run};
use crate::report::{self, Format, Progress};
use crate::rules::registry::{self, Selection, UnknownRule};
use crate::{discover, source};

/// Why `check` could not check. All lead to exit code 2.
#[derive(Debug, thiserror::Error)]
pub enum CheckCommandError {
    /// An id that names no rule: the user's fault.
    #[error(transparent)]
    Rule(#[from] UnknownRule),
    /// The configuration.
    #[error(transparent)]
    Config(#[from] ConfigError),
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
    let config = config(args)?;
    let fail_on = args.fail_on.or(config.fail_on).unwrap_or_default();
    let mut run = checked(args, &config, terminal)?;
    if args.verbose {
        show_config(&config, &mut run.inputs);
        report::inputs(&run, terminal.err, err)?;
    }
    report::report(&run, args.format, terminal.out, args.quiet, out)?;
    let fails = run.findings.iter().any(|finding| fail_on.fails(finding.severity));
    Ok(if fails { Outcome::Findings } else { Outcome::Clean })
}

/// The configuration that the arguments lead to; an empty one where there is none.
fn config(args: &CheckArgs) -> Result<Config, ConfigError> {
    if args.no_config {
        return Ok(Config::default());
    }
    let first = args.paths.first().map_or(".", String::as_str);
    let file = args.config.clone().or_else(|| config::find(first));
    file.map_or_else(|| Ok(Config::default()), |file| config::load(&file))
}

/// Name the configuration among the inputs, where a walk may have taken it for any other file.
fn show_config(config: &Config, inputs: &mut Vec<Input>) {
    if config.path.is_empty() {
        return;
    }
    inputs.retain(|input| input.path != config.path);
    let detail = "what is on where".to_owned();
    inputs.insert(0, Input { path: config.path.clone(), taken_for: "configuration", detail });
}

/// What the command line says about rules.
fn layer(args: &CheckArgs) -> Result<Layer, UnknownRule> {
    let selection = Selection { select: args.select.clone(), ignore: args.ignore.clone() };
    let mut layer = Layer { selector: selection.selector()?, ..Layer::default() };
    for (rule, severity) in &args.severity {
        layer.severity.insert(registry::resolve(rule)?.id(), *severity);
    }
    Ok(layer)
}

fn checked(
    args: &CheckArgs,
    config: &Config,
    terminal: Terminal,
) -> Result<Run, CheckCommandError> {
    let policy = Policy::new(config, layer(args)?);
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
            configured_exclude: config.exclude.clone(),
            gitignore: !args.no_gitignore,
            force_exclude: args.force_exclude,
            stdin,
        },
        policy,
        threads: args.threads.map(usize::from),
        progress: Some(progress.files()),
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
