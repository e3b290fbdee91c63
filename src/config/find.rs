//! Where the configuration is: upwards from what is checked, or where the user says.

use std::path::{Path, PathBuf};
use std::{fs, io};

use super::{Config, Mistakes};
use crate::discover::{absolute, display};
use crate::source::{self, Source};

/// Name of the configuration file.
pub const FILE_NAME: &str = "crdlint.yaml";

/// More than anybody writes by hand.
const MAX_BYTES: u64 = 1024 * 1024;

/// Why there is no configuration to go by. All lead to exit code 2.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// The file that was named, or found, cannot be read.
    #[error("the configuration `{path}` cannot be read")]
    Unreadable {
        /// Display path.
        path: String,
        /// Why.
        source: io::Error,
    },
    /// It is no text. The file's fault.
    #[error("the configuration `{path}` is no text")]
    NoText {
        /// Display path.
        path: String,
        /// Where not.
        source: source::DecodeError,
    },
    /// It is far too large for what it is meant to be.
    #[error("the configuration `{path}` has {bytes} bytes, crdlint reads up to {MAX_BYTES}")]
    TooLarge {
        /// Display path.
        path: String,
        /// Its size.
        bytes: u64,
    },
    /// Something in it is wrong. The user's fault.
    #[error(transparent)]
    Mistakes(#[from] Mistakes),
}

/// The nearest `crdlint.yaml` from the folder of `path` upwards, up to the root of its git repository, or of the file
/// system where there is none. `-` and what does not exist count as lying in their folder.
pub fn find(path: &str) -> Option<PathBuf> {
    let start = if path == "-" { "." } else { path };
    let start = absolute(Path::new(start)).ok()?;
    for folder in start.ancestors() {
        let file = folder.join(FILE_NAME);
        if file.is_file() {
            return Some(file);
        }
        if folder.join(".git").exists() {
            return None;
        }
    }
    None
}

/// Read the configuration at `file`.
///
/// # Errors
/// It cannot be read, or something in it is wrong.
pub fn load(file: &Path) -> Result<Config, ConfigError> {
    let path = display(file);
    let unreadable = |source| ConfigError::Unreadable { path: path.clone(), source };
    let metadata = fs::metadata(file).map_err(unreadable)?;
    if metadata.len() > MAX_BYTES {
        return Err(ConfigError::TooLarge { path, bytes: metadata.len() });
    }
    let bytes = fs::read(file).map_err(unreadable)?;
    let text = source::decode(bytes)
        .map_err(|source| ConfigError::NoText { path: path.clone(), source })?;
    let file = absolute(file).map_err(unreadable)?;
    let base = file.parent().unwrap_or(Path::new("/"));
    Ok(Config::parse(&Source::new(path, text), base)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_file_up_to_the_root_of_the_repository() {
        let folder = tempfile::tempdir().unwrap();
        let at = |path: &str| folder.path().join(path);
        fs::create_dir_all(at("repo/.git")).unwrap();
        fs::create_dir_all(at("repo/charts/x/templates")).unwrap();
        fs::write(at("crdlint.yaml"), "").unwrap();
        let found = |path: &str| find(&at(path).to_string_lossy());
        assert_eq!(found("repo/charts/x"), None, "above the repository is somebody else's");
        fs::write(at("repo/crdlint.yaml"), "").unwrap();
        assert_eq!(found("repo/charts/x/templates/crd.yaml"), Some(at("repo/crdlint.yaml")));
        fs::write(at("repo/charts/crdlint.yaml"), "").unwrap();
        assert_eq!(found("repo/charts/x/missing.yaml"), Some(at("repo/charts/crdlint.yaml")));
        assert_eq!(found("repo/charts/x/../../w.yaml"), Some(at("repo/crdlint.yaml")));
        assert_eq!(found("other"), Some(at("crdlint.yaml")));
    }
}
