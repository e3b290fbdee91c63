//! A chart in an archive: `.tgz`.
//!
//! The checks on paths and sizes are Helm's (`LoadArchiveFiles`); on top of them come a limit on the number of members
//! and a refusal of links, which Helm ignores.

use std::io::{self, Read};

use flate2::read::MultiGzDecoder;

use super::chart::{Chart, LoadProblem, Origin, ProblemKind, RawFile};
use crate::source::Place;

/// Helm's `MaxDecompressedFileSize`.
pub(super) const MAX_FILE_BYTES: u64 = 5 * 1024 * 1024;
/// Helm's `MaxDecompressedChartSize`.
pub(super) const MAX_CHART_BYTES: u64 = 100 * 1024 * 1024;
/// Members of an archive, or files of a directory. Helm has no limit; the largest public charts have a few hundred.
pub(super) const MAX_FILES: usize = 20_000;

/// Load the chart in the archive with these bytes, which is shown to users as `display`.
pub fn load_archive(bytes: &[u8], display: &str) -> Chart {
    chart_of(bytes, &Origin { path: display.to_owned(), member: Some(String::new()) }, 0)
}

pub(super) fn chart_of(bytes: &[u8], origin: &Origin, depth: usize) -> Chart {
    let mut files = Vec::new();
    let outcome = unpack(bytes, &mut files);
    let has_metadata = files.iter().any(|file: &RawFile| file.name == "Chart.yaml");
    let problem = match outcome {
        Ok(()) if has_metadata => None,
        Ok(()) => Some(ProblemKind::Refused(
            "the archive has no `Chart.yaml` in its first folder".to_owned(),
        )),
        Err(Refusal::Problem(kind)) => Some(kind),
        Err(Refusal::Io(error)) => {
            Some(ProblemKind::Refused(format!("the archive cannot be unpacked: {error}")))
        }
    };
    let problems = problem
        .map(|kind| LoadProblem {
            place: Place::start_of(&origin.source("Chart.yaml", String::new())),
            kind,
        })
        .into_iter()
        .collect();
    if !has_metadata {
        // Without it nothing is known about the rest, and more would be said about its absence.
        return Chart::unloaded(origin, problems);
    }
    Chart::assemble(files, origin, problems, depth)
}

enum Refusal {
    Io(io::Error),
    Problem(ProblemKind),
}

impl From<io::Error> for Refusal {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

fn refuse<T>(why: String) -> Result<T, Refusal> {
    Err(Refusal::Problem(ProblemKind::Refused(why)))
}

fn limit<T>(what: &str, found: &str, limit: String) -> Result<T, Refusal> {
    let (what, found) = (what.to_owned(), found.to_owned());
    Err(Refusal::Problem(ProblemKind::Limit { what, found, limit }))
}

fn unpack(bytes: &[u8], files: &mut Vec<RawFile>) -> Result<(), Refusal> {
    let most = MAX_CHART_BYTES + MAX_FILES as u64 * 1024;
    let mut archive = tar::Archive::new(MultiGzDecoder::new(bytes).take(most));
    let mut remaining = MAX_CHART_BYTES;
    for (count, entry) in archive.entries()?.enumerate() {
        let entry = entry?;
        if count >= MAX_FILES {
            return limit("the archive", "more members", MAX_FILES.to_string());
        }
        let kind = entry.header().entry_type();
        if kind.is_dir() || kind.is_pax_global_extensions() || kind.is_pax_local_extensions() {
            continue;
        }
        let whole = String::from_utf8_lossy(&entry.path_bytes()).into_owned();
        let name = member_name(&whole)?;
        if kind.is_symlink() || kind.is_hard_link() {
            return refuse(format!("the archive holds a link: `{whole}`"));
        }
        if !kind.is_file() {
            return refuse(format!("the archive holds a device or pipe: `{whole}`"));
        }
        let size = entry.size();
        if size > MAX_FILE_BYTES {
            return limit(
                &format!("`{whole}`"),
                &format!("{size} bytes"),
                MAX_FILE_BYTES.to_string(),
            );
        }
        if size > remaining {
            return limit("the unpacked chart", "more bytes", MAX_CHART_BYTES.to_string());
        }
        let mut bytes = Vec::new();
        entry.take(size).read_to_end(&mut bytes)?;
        if (bytes.len() as u64) < size {
            return refuse(format!("the archive ends within `{whole}`"));
        }
        remaining -= size;
        files.push(RawFile { name, bytes });
    }
    if files.is_empty() {
        return refuse("the archive holds no files".to_owned());
    }
    Ok(())
}

/// Path in the chart of a member: its first folder dropped, its dots resolved, and nothing that leaves the chart.
fn member_name(whole: &str) -> Result<String, Refusal> {
    let delimiter = if whole.contains('\\') { '\\' } else { '/' };
    let Some((first, rest)) = whole.split_once(delimiter) else {
        if whole == "Chart.yaml" {
            return refuse("`Chart.yaml` is not in a folder of the archive".to_owned());
        }
        return refuse(format!("`{whole}` lies outside the archive's folder"));
    };
    let rest = rest.replace(delimiter, "/");
    if first.is_empty() || rest.starts_with('/') {
        return refuse(format!("the archive holds an absolute path: `{whole}`"));
    }
    let mut parts: Vec<&str> = Vec::new();
    for part in rest.split('/') {
        match part {
            ".." if parts.pop().is_none() => {
                return refuse(format!(
                    "the archive holds a path that leaves the chart: `{whole}`"
                ));
            }
            "" | "." | ".." => {}
            part => parts.push(part),
        }
    }
    let drive = parts
        .first()
        .is_some_and(|part| matches!(part.as_bytes(), [c, b':'] if c.is_ascii_alphabetic()));
    if first == ".." || parts.is_empty() || drive {
        return refuse(format!("the archive holds a path that leaves the chart: `{whole}`"));
    }
    Ok(parts.join("/"))
}
