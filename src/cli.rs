//! What the user may type. Types only; what they mean is decided in [`crate::commands`].

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

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
    after_help = "Exit codes: 0 nothing at or above --fail-on, 1 findings, 2 could not check.",
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
    #[command(after_help = CHECK_EXAMPLES)]
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

/// Arguments of `check`.
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of its own")]
#[derive(Debug, Args)]
pub struct CheckArgs {
    /// Files, charts (folders or .tgz) and folders; `-` is standard input
    #[arg(default_value = ".", value_name = "PATH")]
    pub paths: Vec<String>,

    /// Run these rules beside the default set (ids separated by commas, or ALL)
    #[arg(long, value_delimiter = ',', value_name = "RULE", help_heading = "Rules")]
    pub select: Vec<String>,
    /// Leave these rules out (ids separated by commas, or ALL)
    #[arg(long, value_delimiter = ',', value_name = "RULE", help_heading = "Rules")]
    pub ignore: Vec<String>,
    /// Exit with 1 from this severity on
    #[arg(long, value_enum, default_value_t = FailOn::Error, value_name = "SEVERITY", help_heading = "Rules")]
    pub fail_on: FailOn,

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
    #[arg(short, long, help_heading = "Output")]
    pub verbose: bool,
    /// Number of threads; the machine's if not given
    #[arg(short = 'j', long, value_name = "N", help_heading = "Output")]
    pub threads: Option<usize>,
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

/// From which severity on a run fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum FailOn {
    /// Errors.
    Error,
    /// Warnings and errors.
    Warning,
    /// Anything.
    Note,
    /// Findings never make it fail.
    Never,
}

impl FailOn {
    /// Whether a finding of this severity makes the run fail.
    pub fn fails(self, severity: Severity) -> bool {
        match self {
            Self::Error => severity >= Severity::Error,
            Self::Warning => severity >= Severity::Warning,
            Self::Note => true,
            Self::Never => false,
        }
    }
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
