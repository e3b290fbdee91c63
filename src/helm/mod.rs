//! Helm charts: what `helm` would load from a directory or an archive. Rendering comes later.
//!
//! The rules are those of Helm 4.1 (`pkg/chart/v2/loader`, `pkg/chart/loader/archive`, `pkg/ignore`): which files
//! count, how `.helmignore` excludes them, where subcharts come from, what an archive may hold. Charts are untrusted:
//! sizes, counts and nesting are limited, and no path leaves the chart. What is wrong with a chart does not stop the
//! loading of the rest; it is in [`Chart::problems`].

mod archive;
mod chart;
mod directory;
mod glob;
mod ignore;
mod metadata;

pub use archive::load_archive;
pub use chart::{Chart, ChartFile, FileKind, LoadProblem, ProblemKind};
pub use directory::load_directory;
pub use metadata::Dependency;
