//! Turns `rules/*.yaml` into Rust literals, so that the binary starts without parsing anything.
//!
//! What a rule file may hold is the struct [`Page`] (for the compiler), `rules/schema.json` (for editors) and
//! `src/rules/meta.rs` (for the program). A file that does not fit ends the build with its name and the reason.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs};

use serde::Deserialize;

#[expect(dead_code, unreachable_pub, reason = "written for the crate, which uses all of it")]
#[path = "src/rules/vocabulary.rs"]
mod vocabulary;
use vocabulary::{Category, Fixable, Installer, Level, Subject};

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Page {
    id: String,
    name: String,
    since: String,
    subject: Subject,
    category: Category,
    severity: Level,
    #[serde(default = "yes")]
    default: bool,
    #[serde(default = "nothing_to_fix")]
    fixable: Fixable,
    installers: Vec<Installer>,
    summary: String,
    why: String,
    fix: String,
    references: Vec<String>,
    #[serde(default)]
    options: BTreeMap<String, String>,
    examples: Vec<Example>,
    no_examples: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Example {
    name: String,
    #[serde(default)]
    good: bool,
    files: Option<serde_yaml::Mapping>,
    crd: Option<String>,
    schema: Option<String>,
}

fn main() {
    if let Err(message) = generate() {
        println!("cargo::error={}", message.replace('\n', " "));
    }
}

fn generate() -> Result<(), String> {
    let root = PathBuf::from(env::var("CARGO_MANIFEST_DIR").map_err(|e| e.to_string())?);
    let out = PathBuf::from(env::var("OUT_DIR").map_err(|e| e.to_string())?);
    println!("cargo::rerun-if-changed=rules");
    println!("cargo::rerun-if-changed=src/rules/vocabulary.rs");
    let mut code = String::from("pub(super) const PAGES: &[Meta] = &[\n");
    for path in rule_files(&root.join("rules"))? {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let literal = page(&path).map_err(|reason| format!("rules/{name}: {reason}"))?;
        code.push_str(&literal);
    }
    code.push_str("];\n");
    let target = out.join("rules.rs");
    fs::write(&target, code).map_err(|e| format!("{}: {e}", target.display()))
}

/// The rule files, sorted by name: the order in which the program keeps them.
fn rule_files(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let listing = fs::read_dir(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let mut files = Vec::new();
    for entry in listing {
        let path = entry.map_err(|e| format!("{}: {e}", folder.display()))?.path();
        if path.extension().is_some_and(|extension| extension == "yaml") {
            files.push(path);
        }
    }
    files.sort_by_key(|path| path.file_stem().map(ToOwned::to_owned));
    Ok(files)
}

/// One rule file as the literal of a `Meta`.
fn page(path: &Path) -> Result<String, String> {
    let text = fs::read_to_string(path).map_err(|e| e.to_string())?;
    let page: Page = serde_yaml::from_str(&text).map_err(|e| e.to_string())?;
    if path.file_stem().and_then(|stem| stem.to_str()) != Some(page.id.as_str()) {
        return Err(format!("the id `{}` differs from the file's name", page.id));
    }
    let mut code = String::new();
    let installers: Vec<String> =
        page.installers.iter().map(|one| format!("Installer::{one:?}")).collect();
    let options: Vec<_> = page.options.iter().collect();
    let _ = write!(
        code,
        "Meta {{ id: RuleId({:?}), name: {:?}, since: {:?}, subject: Subject::{:?}, category: Category::{:?}, \
         severity: Severity::{:?}, default: {:?}, fixable: Fixable::{:?}, installers: &[{}], summary: {:?}, \
         why: {:?}, fix: {:?}, references: &{:?}, options: &{:?}, no_examples: {:?}, examples: &[",
        page.id,
        page.name,
        page.since,
        page.subject,
        page.category,
        page.severity,
        page.default,
        page.fixable,
        installers.join(", "),
        page.summary.trim_end(),
        page.why.trim_end(),
        page.fix.trim_end(),
        page.references,
        options,
        page.no_examples.as_deref().map(str::trim_end),
    );
    for example in &page.examples {
        let body = body(example).map_err(|why| format!("example `{}`: {why}", example.name))?;
        let _ = write!(
            code,
            "Example {{ name: {:?}, good: {:?}, body: {body} }}, ",
            example.name, example.good
        );
    }
    code.push_str("] },\n");
    Ok(code)
}

/// The one body that an example has.
fn body(example: &Example) -> Result<String, String> {
    match (&example.files, &example.crd, &example.schema) {
        (Some(files), None, None) => {
            let mut pairs = Vec::new();
            for (path, text) in files {
                let (Some(path), Some(text)) = (path.as_str(), text.as_str()) else {
                    return Err(format!("`files` maps paths to texts; {path:?} does not"));
                };
                pairs.push((path, text));
            }
            Ok(format!("Body::Files(&{pairs:?})"))
        }
        (None, Some(crd), None) => Ok(format!("Body::Crd({crd:?})")),
        (None, None, Some(schema)) => Ok(format!("Body::Schema({schema:?})")),
        _ => Err("needs exactly one of `files`, `crd` and `schema`".to_owned()),
    }
}

fn yes() -> bool {
    true
}

fn nothing_to_fix() -> Fixable {
    Fixable::None
}
