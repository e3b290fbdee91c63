//! What is left out on request: `--exclude` patterns and `.gitignore`.

use std::path::{Path, PathBuf};

use globset::{GlobBuilder, GlobSet, GlobSetBuilder};
use ignore::gitignore::Gitignore;

use super::DiscoverError;

/// Patterns of paths, as `--exclude` and `crdlint.yaml` have them: one with a `/` is a path relative to a folder, one
/// without matches any base name, and either also means everything below what it matches.
#[derive(Clone, Debug, Default)]
pub struct Patterns {
    /// Display paths are taken relative to this folder; empty for the current one.
    base: PathBuf,
    paths: GlobSet,
    names: GlobSet,
}

impl Patterns {
    /// Patterns relative to `base`; an empty `base` is the current directory.
    ///
    /// # Errors
    /// The first pattern that is none.
    pub fn new(base: &Path, patterns: &[String]) -> Result<Self, DiscoverError> {
        let (mut paths, mut names) = (GlobSetBuilder::new(), GlobSetBuilder::new());
        for pattern in patterns {
            let fail = |source| DiscoverError::Pattern { pattern: pattern.clone(), source };
            let trimmed = pattern.trim_start_matches("./").trim_end_matches('/');
            let glob = |text: &str| GlobBuilder::new(text).literal_separator(true).build();
            if trimmed.contains('/') {
                paths.add(glob(trimmed).map_err(fail)?);
            } else {
                names.add(glob(trimmed).map_err(fail)?);
            }
        }
        let build = |set: GlobSetBuilder| {
            set.build()
                .map_err(|source| DiscoverError::Pattern { pattern: patterns.join(", "), source })
        };
        Ok(Self { base: base.to_owned(), paths: build(paths)?, names: build(names)? })
    }

    /// Whether the path that is shown as `display`, or a folder that it lies in, matches.
    pub fn matches(&self, display: &str) -> bool {
        if self.paths.is_empty() && self.names.is_empty() {
            return false;
        }
        if self.base.as_os_str().is_empty() {
            return self.matches_relative(display);
        }
        below(&self.base, display).is_some_and(|relative| self.matches_relative(&relative))
    }

    fn matches_relative(&self, path: &str) -> bool {
        let ends = path.match_indices('/').map(|(at, _)| at).chain([path.len()]);
        ends.into_iter().any(|end| {
            let path = &path[..end];
            let name = path.rsplit('/').next().unwrap_or(path);
            self.paths.is_match(path) || self.names.is_match(name)
        })
    }
}

/// The path relative to `base`, with `/`; `None` where it does not lie below.
fn below(base: &Path, display: &str) -> Option<String> {
    let absolute = super::absolute(Path::new(display)).ok()?;
    let relative = if let Ok(relative) = absolute.strip_prefix(base) {
        relative.to_owned()
    } else {
        // One of the two came through a link.
        let base = std::fs::canonicalize(base).ok()?;
        std::fs::canonicalize(&absolute).ok()?.strip_prefix(base).ok()?.to_owned()
    };
    Some(relative.to_string_lossy().replace(std::path::MAIN_SEPARATOR, "/"))
}

/// The `.gitignore` files that are in force, outermost first.
#[derive(Default)]
pub(super) struct GitIgnores {
    stack: Vec<(PathBuf, Gitignore)>,
}

impl GitIgnores {
    /// Those above `directory`, up to the root of its git repository.
    pub(super) fn above(directory: &Path) -> Self {
        let Ok(directory) = std::fs::canonicalize(directory) else { return Self::default() };
        let Some(root) = directory.ancestors().find(|folder| folder.join(".git").exists()) else {
            return Self::default();
        };
        let mut ignores = Self::default();
        let between: Vec<_> =
            directory.ancestors().skip(1).take_while(|folder| folder.starts_with(root)).collect();
        for folder in between.into_iter().rev() {
            ignores.push(folder);
        }
        ignores
    }

    /// Enter a folder. Folders that were left are forgotten.
    pub(super) fn enter(&mut self, folder: &Path) {
        let Ok(folder) = std::fs::canonicalize(folder) else { return };
        self.stack.retain(|(known, _)| folder.starts_with(known));
        self.push(&folder);
    }

    fn push(&mut self, folder: &Path) {
        let file = folder.join(".gitignore");
        if file.is_file() {
            // Lines that are no pattern are skipped, as git does.
            self.stack.push((folder.to_owned(), Gitignore::new(file).0));
        }
    }

    /// Whether git would leave out what is at `path`, the innermost file having the last word.
    pub(super) fn ignores(&self, path: &Path, is_directory: bool) -> bool {
        let Some(path) = path
            .parent()
            .and_then(|p| std::fs::canonicalize(p).ok())
            .zip(path.file_name())
            .map(|(p, n)| p.join(n))
        else {
            return false;
        };
        for (folder, ignore) in self.stack.iter().rev() {
            let Ok(relative) = path.strip_prefix(folder) else { continue };
            let matched = ignore.matched(relative, is_directory);
            if !matched.is_none() {
                return matched.is_ignore();
            }
        }
        false
    }
}
