//! What the user may type. Types only; what they mean is decided in [`crate::commands`].

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

use crate::config::FailOn;
use crate::finding::Severity;
use crate::report::Format;

/// The command line.
#[derive(Debug, Parser)]
#[command(
    name = "crdlint",
    version,
    about = "Linter for Kubernetes CRDs in Helm charts and GitOps repositories",
    long_about = "crdlint reads a repository as Helm, the GitOps tools and the API server will, and says what will go \
                  wrong, on the line where it can be mended. It needs no cluster, no helm binary and no network.",
    after_help = "`crdlint check --help` tells more, with examples.",
    after_long_help = EXIT_CODES,
    disable_help_subcommand = true
)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
    /// When to use colours.
    #[arg(long, value_enum, global = true, default_value_t, value_name = "WHEN")]
    pub color: Color,
}

/// A subcommand.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Say what is wrong in charts, CRDs and manifests
    ///
    /// Looks at charts, at CRDs and at other manifests in YAML or JSON, and skips what .gitignore leaves out. A file of
    /// a chart that is named means the whole chart. A file that cannot be parsed is a finding like any other.
    #[command(after_help = CHECK_EXAMPLES, after_long_help = check_after_long_help())]
    Check(CheckArgs),
    /// List all rules
    Rules(RulesArgs),
    /// Print the page of a rule
    Explain(ExplainArgs),
    /// Start a new rule in a checkout of crdlint
    NewRule(NewRuleArgs),
}

const CHECK_EXAMPLES: &str = "Examples:
  crdlint check                              everything below the current directory
  crdlint check charts/ crds/widgets.yaml    a folder of charts and a file
  helm template ./chart | crdlint check -    what helm printed
  crdlint check --ignore crd-status-in-manifest --fail-on warning charts/";

const EXIT_CODES: &str = "Exit codes:
  0    nothing was found at or above --fail-on
  1    something was
  2    could not check: wrong usage or configuration, a path that is missing or cannot be read,
       a folder with nothing to check in it";

fn check_after_long_help() -> String {
    format!("{CHECK_EXAMPLES}\n\n{EXIT_CODES}")
}

/// Arguments of `check`.
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of its own")]
#[derive(Debug, Args)]
pub struct CheckArgs {
    /// Files, charts (folders or .tgz) and folders; `-` is standard input
    #[arg(default_value = ".", value_name = "PATH")]
    pub paths: Vec<String>,

    /// Run these rules beside the default set (ids separated by commas, or ALL)
    ///
    /// An id counts for more than ALL: `--ignore ALL --select RULE` runs that rule alone. `crdlint rules` lists all.
    #[arg(long, value_delimiter = ',', value_name = "RULE", help_heading = "Rules")]
    pub select: Vec<String>,
    /// Leave these rules out (ids separated by commas, or ALL)
    #[arg(long, value_delimiter = ',', value_name = "RULE", help_heading = "Rules")]
    pub ignore: Vec<String>,
    /// Report a rule with another severity: error, warning or note
    #[arg(long, value_delimiter = ',', value_parser = rule_severity, value_name = "RULE=SEVERITY", help_heading = "Rules")]
    pub severity: Vec<(String, Severity)>,
    /// Exit with 1 from this severity on [default: error]
    #[arg(long, value_enum, value_name = "SEVERITY", help_heading = "Rules")]
    pub fail_on: Option<FailOn>,
    /// Configuration to go by; else the nearest crdlint.yaml from the first path upwards
    #[arg(long, value_name = "FILE", conflicts_with = "no_config", help_heading = "Rules")]
    pub config: Option<PathBuf>,
    /// Go by the command line alone
    #[arg(long, help_heading = "Rules")]
    pub no_config: bool,

    /// Leave out what matches (a path pattern, or without `/` a name)
    #[arg(long, value_name = "GLOB", help_heading = "Files")]
    pub exclude: Vec<String>,
    /// Apply --exclude to files that are named, too
    #[arg(long, help_heading = "Files")]
    pub force_exclude: bool,
    /// Look also at what .gitignore leaves out
    #[arg(long, help_heading = "Files")]
    pub no_gitignore: bool,
    /// Name to show for standard input
    #[arg(long, value_name = "NAME", default_value = "<stdin>", help_heading = "Files")]
    pub stdin_filename: String,

    /// How to print findings
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT", help_heading = "Output")]
    pub format: Format,
    /// Print findings only, no summary
    #[arg(short, long, conflicts_with = "verbose", help_heading = "Output")]
    pub quiet: bool,
    /// List what every file was taken for, on standard error
    ///
    /// Skipped files are listed, too, with the reason.
    #[arg(short, long, help_heading = "Output")]
    pub verbose: bool,
    /// Number of threads; the machine's if not given
    #[arg(short = 'j', long, value_name = "N", help_heading = "Output", value_parser = clap::value_parser!(u16).range(1..=256))]
    pub threads: Option<u16>,
}

/// Arguments of `rules`.
#[derive(Debug, Args)]
pub struct RulesArgs {
    /// How to print them
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    pub format: RulesFormat,
}

/// Arguments of `explain`.
#[derive(Debug, Args)]
pub struct ExplainArgs {
    /// Id of the rule, such as `chart-keep-misspelt`
    pub rule: String,
}

/// Arguments of `new-rule`.
#[derive(Debug, Args)]
pub struct NewRuleArgs {
    /// Id of the rule: `<subject>-<pattern>`, in kebab case
    pub id: String,
    /// Folder of `src/rules` to put it in; from the id if not given
    #[arg(long, value_name = "FAMILY")]
    pub family: Option<String>,
    /// Where the checkout is
    #[arg(long, value_name = "DIRECTORY", default_value = ".")]
    pub directory: PathBuf,
}

/// When to use colours.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Color {
    /// On a terminal, unless `NO_COLOR` is set.
    #[default]
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

/// How to print the list of rules.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum RulesFormat {
    /// A table.
    #[default]
    Table,
    /// Version 1 of the machine format.
    Json,
}

/// `RULE=SEVERITY`. Whether there is such a rule is not a matter of syntax.
fn rule_severity(text: &str) -> Result<(String, Severity), String> {
    let (rule, word) =
        text.split_once('=').ok_or("expected RULE=SEVERITY, such as yaml-syntax=warning")?;
    let severities = [Severity::Error, Severity::Warning, Severity::Note];
    let severity = severities.into_iter().find(|severity| severity.as_str() == word);
    let severity = severity.ok_or_else(|| {
        format!(
            "`{word}` is no severity; expected `error`, `warning` or `note`, or use --ignore {rule}"
        )
    })?;
    Ok((rule.to_owned(), severity))
}
