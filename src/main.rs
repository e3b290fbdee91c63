//! The `crdlint` binary: parse, run, open the sinks, exit.

use std::io::{self, BufWriter, IsTerminal, Write};
use std::process::ExitCode;

use clap::Parser;
use crdlint::cli::{Cli, Color};
use crdlint::commands::{self, Outcome, Terminal};
use crdlint::report::Look;

fn main() -> ExitCode {
    let cli = Cli::parse();
    let terminal = terminal(cli.color);
    let mut out = BufWriter::new(io::stdout().lock());
    let mut err = io::stderr();
    let outcome = commands::run(&cli.command, terminal, &mut out, &mut err)
        .and_then(|outcome| out.flush().map(|()| outcome).map_err(Into::into));
    match outcome {
        Ok(outcome) => ExitCode::from(outcome.code()),
        // Whoever closed the pipe has seen enough.
        Err(error) if error.is_broken_pipe() => ExitCode::SUCCESS,
        Err(error) => {
            // Nothing is left to be told if the error stream is gone too.
            let _ = error.print(terminal, &mut err);
            ExitCode::from(Outcome::CODE_NOT_CHECKED)
        }
    }
}

fn terminal(color: Color) -> Terminal {
    let variable = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty());
    let dumb = variable("TERM").is_some_and(|term| term == "dumb");
    let forced = variable("CLICOLOR_FORCE").is_some_and(|value| value != "0");
    let wanted = |is_terminal: bool| match color {
        Color::Always => true,
        Color::Never => false,
        Color::Auto => variable("NO_COLOR").is_none() && (forced || (is_terminal && !dumb)),
    };
    let (out, err) = (io::stdout().is_terminal(), io::stderr().is_terminal());
    let width = terminal_size::terminal_size().map(|(width, _)| width.0);
    let look = |is_terminal: bool| Look {
        color: wanted(is_terminal),
        unicode: !dumb,
        width: width.filter(|_| is_terminal),
    };
    Terminal { out: look(out), err: look(err), err_is_terminal: err }
}
