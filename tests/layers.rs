//! Layers point down, files stay small, and nobody but `main` prints.

use std::path::{Path, PathBuf};

/// Bottom up: a module may use itself and what stands before it.
const LAYERS: &[&str] = &[
    "source", "finding", "yaml", "gotmpl", "helm", "discover", "model", "rules", "config",
    "suppress", "engine", "report", "cli", "commands",
];

/// Most lines before the tests of a file, by module.
fn ceiling(module: &str) -> usize {
    if module == "gotmpl" { 600 } else { 400 }
}

fn rust_files(dir: &Path) -> Vec<PathBuf> {
    let mut files: Vec<_> = walkdir::WalkDir::new(dir)
        .into_iter()
        .filter_map(Result::ok)
        .map(walkdir::DirEntry::into_path)
        .filter(|path| path.extension().is_some_and(|e| e == "rs"))
        .collect();
    files.sort();
    files
}

fn each_file(mut check: impl FnMut(&str, &str, &str)) {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    for path in rust_files(&src) {
        let relative =
            path.strip_prefix(&src).expect("a source file").to_string_lossy().replace('\\', "/");
        let module = relative.split(['/', '.']).next().expect("a source file");
        let text = std::fs::read_to_string(&path).expect("a source file");
        let code = text.split("#[cfg(test)]\nmod tests").next().expect("a source file");
        check(&relative, module, code);
    }
}

#[test]
fn layers_point_down() {
    let mut wrong = Vec::new();
    each_file(|file, module, code| {
        let Some(own) = LAYERS.iter().position(|layer| *layer == module) else { return };
        for (number, line) in (1..).zip(code.lines()) {
            if line.trim_start().starts_with("//") {
                continue;
            }
            for (at, _) in line.match_indices("crate::") {
                let used = line[at + 7..]
                    .split(|c: char| !c.is_alphanumeric() && c != '_')
                    .next()
                    .unwrap();
                if let Some(layer) = LAYERS.iter().position(|layer| *layer == used)
                    && layer > own
                {
                    wrong.push(format!(
                        "src/{file}:{number}: `{module}` uses `{used}`, which is above it"
                    ));
                }
            }
        }
    });
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn files_stay_small() {
    let mut long = Vec::new();
    each_file(|file, module, code| {
        let lines = code.lines().count();
        if lines > ceiling(module) {
            long.push(format!(
                "src/{file}: {lines} lines before its tests, at most {}",
                ceiling(module)
            ));
        }
    });
    assert!(long.is_empty(), "{}", long.join("\n"));
}

#[test]
fn every_module_says_what_it_is_for() {
    let mut silent = Vec::new();
    each_file(|file, _, code| {
        if !code.starts_with("//!") {
            silent.push(format!("src/{file}"));
        }
    });
    assert!(silent.is_empty(), "no `//!` at the top of {}", silent.join(", "));
}
