//! The subcommands: thin functions that take plain arguments and write to the sink they are given.
//!
//! Parsing arguments is left to `cli`, opening sinks and exit codes to `main`.

pub mod check;
pub mod explain;
pub mod new_rule;
pub mod rules;
mod text;

use std::io::{self, Write};

use anstyle::{AnsiColor, Style};

use crate::cli::{Command, RulesFormat};
use crate::discover::DiscoverError;
use crate::engine::CheckError;
use crate::report::{Look, clean_lines, one_line};
use crate::rules::registry::{self, UnknownRule};

/// What the two sinks can show.
#[derive(Clone, Copy, Debug)]
pub struct Terminal {
    /// Standard output.
    pub out: Look,
    /// Standard error.
    pub err: Look,
    /// Somebody watches standard error.
    pub err_is_terminal: bool,
}

/// How a command ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Nothing to complain about.
    Clean,
    /// Findings at or above the threshold.
    Findings,
}

impl Outcome {
    /// Exit code where nothing could be checked.
    pub const CODE_NOT_CHECKED: u8 = 2;

    /// Exit code.
    pub const fn code(self) -> u8 {
        match self {
            Self::Clean => 0,
            Self::Findings => 1,
        }
    }
}

/// Why a command could not do its work.
#[derive(Debug, thiserror::Error)]
pub enum CommandError {
    /// `check`.
    #[error(transparent)]
    Check(#[from] check::CheckCommandError),
    /// An id that names no rule: the user's fault.
    #[error(transparent)]
    Rule(#[from] UnknownRule),
    /// `new-rule`.
    #[error(transparent)]
    NewRule(#[from] new_rule::NewRuleError),
    /// The output cannot be written.
    #[error("the output cannot be written")]
    Output(#[from] io::Error),
}

impl CommandError {
    /// Whether whoever reads the output has gone away.
    pub fn is_broken_pipe(&self) -> bool {
        let mut source: Option<&(dyn std::error::Error + 'static)> = Some(self);
        while let Some(error) = source {
            if error
                .downcast_ref::<io::Error>()
                .is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
            {
                return true;
            }
            if let Some(Self::Check(check::CheckCommandError::Output(error)) | Self::Output(error)) =
                error.downcast_ref::<Self>()
                && error.kind() == io::ErrorKind::BrokenPipe
            {
                return true;
            }
            source = error.source();
        }
        false
    }

    /// What to do about it, where the message does not say so.
    fn help(&self) -> Option<&'static str> {
        match self {
            Self::Check(check::CheckCommandError::Check(CheckError::Discover(error))) => {
                match error {
                    DiscoverError::NothingRecognised { .. } => Some(
                        "Name a folder with charts or manifests in it; --no-gitignore looks also \
                         at what .gitignore leaves out",
                    ),
                    DiscoverError::Pattern { .. } => {
                        Some("Write a path pattern such as `**/testdata/**`, or a name")
                    }
                    DiscoverError::Missing { .. } | DiscoverError::Unreadable { .. } => None,
                }
            }
            _ => None,
        }
    }

    /// Print the error, what caused it, and what to do. File names may hold anything, so the text is
    /// cleaned; a configuration with several mistakes has a line for each.
    ///
    /// # Errors
    /// Those of `err`.
    pub fn print(&self, terminal: Terminal, err: &mut dyn Write) -> io::Result<()> {
        let label = |color: AnsiColor, text: &str| {
            let style = Style::new().bold().fg_color(Some(color.into()));
            if terminal.err.color { format!("{style}{text}{style:#}") } else { text.to_owned() }
        };
        writeln!(err, "{} {}", label(AnsiColor::Red, "error:"), clean_lines(&self.to_string()))?;
        let mut source = std::error::Error::source(self);
        while let Some(cause) = source {
            writeln!(err, "  because: {}", one_line(&cause.to_string()))?;
            source = cause.source();
        }
        if let Some(help) = self.help() {
            writeln!(err, "  {} {help}", label(AnsiColor::Cyan, "help:"))?;
        }
        Ok(())
    }
}

/// Run a command.
///
/// # Errors
/// See [`CommandError`].
pub fn run(
    command: &Command,
    terminal: Terminal,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> Result<Outcome, CommandError> {
    let width = terminal.out.width.map(usize::from);
    match command {
        Command::Check(args) => return Ok(check::run(args, terminal, out, err)?),
        Command::Rules(args) => match args.format {
            RulesFormat::Table => rules::table(width, terminal.out.color, out)?,
            RulesFormat::Json => rules::json(out)?,
        },
        Command::Explain(args) => {
            explain::run(registry::resolve(&args.rule)?, width, terminal.out.color, out)?;
        }
        Command::NewRule(args) => {
            let family = args.family.as_deref().or_else(|| args.id.split('-').next()).unwrap_or("");
            new_rule::run(&args.id, family, &args.directory, out)?;
        }
    }
    Ok(Outcome::Clean)
}
