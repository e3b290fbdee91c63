//! Every rule file and every example in it is a test.
//!
//! - `schema::<file>`: the file fits `rules/schema.json`
//! - `page::<id>`: what no schema can say about a page
//! - `<id>::<example>`: the findings of the rule in the example are on the marked lines, and nowhere else
//!
//! `cargo test --test rules chart-keep` runs those of one rule.

#![expect(clippy::unwrap_used, reason = "where a test cannot read its files, it has failed")]

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use crdlint::config::Policy;
use crdlint::engine::Options;
use crdlint::finding::{Finding, RuleId, Severity};
use crdlint::rules::meta::{self, Category, Example, Fixable, Installer, Level, Meta, Subject};
use crdlint::rules::{Check, registry};
use libtest_mimic::{Arguments, Failed, Trial};
use serde_json::Value;

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let mut trials = vec![Trial::test("schema::words", words_of_the_schema_are_those_of_the_code)];
    for path in rule_files() {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        trials.push(Trial::test(format!("schema::{name}"), move || fits_the_schema(&path)));
    }
    for page in meta::pages() {
        trials.push(Trial::test(format!("page::{}", page.id), || page_is_sound(page)));
        for example in page.examples {
            let name = format!("{}::{}", page.id, example.name);
            trials.push(Trial::test(name, || example_holds(page, example)));
        }
    }
    libtest_mimic::run(&arguments, trials).exit_code()
}

// ---- the schema -----------------------------------------------------------------------------------------------

fn rules_folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("rules")
}

fn rule_files() -> Vec<PathBuf> {
    let listing = fs::read_dir(rules_folder()).unwrap();
    let mut files: Vec<_> = listing.map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "yaml"));
    files.sort();
    files
}

fn schema() -> Value {
    let text = fs::read_to_string(rules_folder().join("schema.json")).unwrap();
    serde_json::from_str(&text).unwrap()
}

fn fits_the_schema(path: &Path) -> Result<(), Failed> {
    let text = fs::read_to_string(path)?;
    if !text.starts_with("# yaml-language-server: $schema=schema.json\n") {
        return Err("the first line does not name the schema for editors".into());
    }
    let page: Value = serde_yaml::from_str(&text)?;
    let validator = jsonschema::validator_for(&schema())?;
    let mut problems = String::new();
    for error in validator.iter_errors(&page) {
        let _ = writeln!(problems, "{}: at {}: {error}", path.display(), error.instance_path());
    }
    if problems.is_empty() { Ok(()) } else { Err(problems.into()) }
}

fn words_of_the_schema_are_those_of_the_code() -> Result<(), Failed> {
    let schema = schema();
    let fields = &schema["properties"];
    let pairs: [(&Value, Vec<&str>); 5] = [
        (&fields["subject"]["enum"], Subject::ALL.iter().map(|w| w.as_str()).collect()),
        (&fields["category"]["enum"], Category::ALL.iter().map(|w| w.as_str()).collect()),
        (&fields["severity"]["enum"], Level::ALL.iter().map(|w| w.as_str()).collect()),
        (&fields["fixable"]["enum"], Fixable::ALL.iter().map(|w| w.as_str()).collect()),
        (
            &fields["installers"]["items"]["enum"],
            Installer::ALL.iter().map(|w| w.as_str()).collect(),
        ),
    ];
    for (schema, code) in pairs {
        if *schema != Value::from(code.clone()) {
            return Err(format!("rules/schema.json: {schema}\nvocabulary.rs: {code:?}").into());
        }
    }
    Ok(())
}

// ---- pages ----------------------------------------------------------------------------------------------------

fn page_is_sound(page: &Meta) -> Result<(), Failed> {
    if format!("{page:?}").contains("FIXME") {
        return Err("a text still says FIXME".into());
    }
    let mut names = BTreeSet::new();
    for example in page.examples {
        let name = example.name;
        if !names.insert(name) {
            return Err(format!("two examples are named `{name}`").into());
        }
        let files = example.files();
        let marks: usize = files.iter().map(|file| file.marked_lines().len()).sum();
        let arrows: usize = files.iter().map(|file| file.text.matches("<-").count()).sum();
        if arrows != marks {
            return Err(format!("`{name}`: a `<-` is no mark; write `# <- finding`").into());
        }
        if example.good != (marks == 0) {
            return Err(format!(
                "`{name}`: good is {}, and {marks} lines are marked",
                example.good
            )
            .into());
        }
    }
    let is_engine_finding = page.category == Category::Engine;
    if page.references.is_empty() && !is_engine_finding {
        return Err("`references` is empty: what is the evidence?".into());
    }
    if page.no_examples.is_some() && !is_engine_finding {
        return Err("only engine findings do without examples".into());
    }
    Ok(())
}

// ---- examples -------------------------------------------------------------------------------------------------

type Lines = BTreeSet<(String, u32)>;

fn example_holds(page: &Meta, example: &Example) -> Result<(), Failed> {
    let folder = tempfile::tempdir()?;
    let mut expected = Lines::new();
    for file in example.files() {
        let path = folder.path().join(&file.path);
        fs::create_dir_all(path.parent().unwrap())?;
        fs::write(path, &file.text)?;
        expected.extend(file.marked_lines().into_iter().map(|line| (file.path.clone(), line)));
    }
    let findings = check_dir(folder.path(), page.id)?;
    let place = |finding: &Finding| place(finding, folder.path());
    let shown = |finding: &Finding| {
        let (path, line) = place(finding);
        format!("{path}:{line}: {} {}: {}", finding.severity, finding.rule, finding.message)
    };
    let (own, engine): (Vec<_>, Vec<_>) =
        findings.iter().partition(|finding| finding.rule == page.id);
    if let Some(finding) = engine.iter().find(|finding| finding.severity == Severity::Error) {
        return Err(format!("the example itself is broken: {}", shown(finding)).into());
    }
    let found: Lines = own.iter().map(|finding| place(finding)).collect();
    let mut problems = String::new();
    for finding in &own {
        for problem in wording(finding) {
            let _ = writeln!(problems, "{problem}");
        }
        if finding.severity > page.severity {
            let _ =
                writeln!(problems, "the page says at most {}: {}", page.severity, shown(finding));
        }
    }
    for (path, line) in expected.difference(&found) {
        let _ = writeln!(problems, "{path}:{line}: marked, and nothing was found here");
    }
    for finding in own.iter().filter(|finding| !expected.contains(&place(finding))) {
        let _ = writeln!(problems, "not marked: {}", shown(finding));
    }
    if problems.is_empty() { Ok(()) } else { Err(problems.into()) }
}

/// What CONTRIBUTING.md says of messages, as far as a machine can tell.
fn wording(finding: &Finding) -> Vec<String> {
    let mut problems = Vec::new();
    let mut texts = vec![&finding.message];
    texts.extend(&finding.help);
    for text in texts {
        let starts_low = text.starts_with(char::is_lowercase);
        let unbalanced = text.matches('`').count() % 2 == 1;
        for (wrong, problem) in [
            (text.ends_with('.'), "ends with a full stop"),
            (starts_low, "starts in lower case"),
            (text.split_whitespace().any(|word| word == "should"), "says `should`"),
            (unbalanced, "has a backtick too many or too few"),
        ] {
            if wrong {
                problems.push(format!("{problem}: {text}"));
            }
        }
    }
    problems
}

/// Path relative to the example's folder, and line.
fn place(finding: &Finding, folder: &Path) -> (String, u32) {
    let place = &finding.primary.place;
    let path = Path::new(place.source.path());
    let path = path.strip_prefix(folder).unwrap_or(path);
    (path.to_string_lossy().replace('\\', "/"), place.start().line)
}

/// Findings in `dir` with `rule` and the engine's own rules on.
fn check_dir(dir: &Path, rule: RuleId) -> Result<Vec<Finding>, Failed> {
    let engine = registry::all().iter().filter(|rule| matches!(rule.check, Check::Engine));
    let rules = engine.map(|rule| rule.id()).chain([rule]).collect();
    let options = Options {
        paths: vec![dir.to_string_lossy().into_owned()],
        policy: Policy::of(rules),
        threads: Some(1),
        ..Options::default()
    };
    Ok(crdlint::engine::check(&options)?.findings)
}
