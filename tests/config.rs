//! `crdlint.yaml` and suppressions from outside: who has the last word, and what mistakes look like.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::sync::Arc;

use assert_cmd::Command;
use crdlint::config::{Config, FailOn, KEYS, OVERRIDE_KEYS};
use crdlint::rules::meta::{self, Category, Installer};
use crdlint::source::Source;
use serde_json::Value;
use tempfile::TempDir;

const CRD: &str = "apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: widgets.example.com
spec:
  group: example.com
  names: {kind: Widget, plural: widgets}
  scope: Namespaced
  versions:
    - {name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}
";

/// A CRD with the finding `crd-preserve-unknown-fields-false` on line 11.
fn with_status() -> String {
    format!("{CRD}  preserveUnknownFields: false\n")
}

struct Ran {
    code: i32,
    out: String,
    err: String,
}

impl Ran {
    /// The findings as `path:line severity rule`.
    fn findings(&self) -> Vec<String> {
        let json: Value = serde_json::from_str(&self.out).expect(&self.err);
        let list = json["findings"].as_array().expect("findings").clone();
        let text = |value: &Value| value.as_str().expect("a string").to_owned();
        list.iter()
            .map(|one| {
                let (path, rule) = (text(&one["path"]), text(&one["rule"]));
                format!("{path}:{} {} {rule}", one["line"], text(&one["severity"]))
            })
            .collect()
    }

    fn suppressed(&self) -> u64 {
        let json: Value = serde_json::from_str(&self.out).expect(&self.err);
        json["summary"]["suppressed"].as_u64().expect("a number")
    }
}

fn folder(files: &[(&str, &str)]) -> TempDir {
    let dir = TempDir::new().expect("a temporary folder");
    // The root of a repository, so that no configuration above the temporary folder is found.
    fs::create_dir(dir.path().join(".git")).expect("a folder");
    for (path, text) in files {
        let path = dir.path().join(path);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(path, text).expect("a file");
    }
    dir
}

fn check(dir: &Path, args: &[&str]) -> Ran {
    let mut command = Command::cargo_bin("crdlint").expect("the binary");
    command.current_dir(dir).args(["check", "--format", "json"]).args(args);
    ran(&mut command)
}

fn ran(command: &mut Command) -> Ran {
    let output = command.output().expect("crdlint runs");
    Ran {
        code: output.status.code().expect("an exit code"),
        out: String::from_utf8(output.stdout).expect("text"),
        err: String::from_utf8(output.stderr).expect("text"),
    }
}

// ---- the file and the command line ------------------------------------------------------------------------------

#[test]
fn the_command_line_wins_over_an_override_and_an_override_over_the_file() {
    let text = with_status();
    let dir = folder(&[
        (
            "crdlint.yaml",
            "severity: {crd-preserve-unknown-fields-false: error}\n\
             overrides:\n\
             - {paths: [old/**], severity: {crd-preserve-unknown-fields-false: note}}\n\
             - {paths: [gone/**], ignore: [crd-preserve-unknown-fields-false]}\n",
        ),
        ("new/w.yaml", &text),
        ("old/w.yaml", &text),
        ("gone/w.yaml", &text),
    ]);
    let by_file = check(dir.path(), &[]);
    assert_eq!(
        by_file.findings(),
        [
            "new/w.yaml:11 error crd-preserve-unknown-fields-false",
            "old/w.yaml:11 note crd-preserve-unknown-fields-false"
        ]
    );
    assert_eq!(by_file.code, 1);
    let by_hand = check(dir.path(), &["--severity", "crd-preserve-unknown-fields-false=warning"]);
    assert_eq!(
        by_hand.findings(),
        [
            "new/w.yaml:11 warning crd-preserve-unknown-fields-false",
            "old/w.yaml:11 warning crd-preserve-unknown-fields-false"
        ]
    );
    assert_eq!(by_hand.code, 0);
    let selected = check(dir.path(), &["--select", "crd-preserve-unknown-fields-false", "gone"]);
    assert_eq!(selected.findings(), ["gone/w.yaml:11 error crd-preserve-unknown-fields-false"]);
    assert!(
        check(dir.path(), &["--ignore", "crd-preserve-unknown-fields-false"]).findings().is_empty()
    );
    let without = check(dir.path(), &["--no-config"]);
    assert_eq!(without.findings().len(), 3);
    assert_eq!(without.code, 0, "a warning, as the rule has it");
}

#[test]
fn an_override_may_bring_back_what_the_file_ignores() {
    let text = with_status();
    let dir = folder(&[
        (
            "crdlint.yaml",
            "ignore: [ALL]\noverrides: [{paths: [strict], select: [crd-preserve-unknown-fields-false]}]\n",
        ),
        ("strict/w.yaml", &text),
        ("w.yaml", &text),
    ]);
    let ran = check(dir.path(), &[]);
    assert_eq!(ran.findings(), ["strict/w.yaml:11 warning crd-preserve-unknown-fields-false"]);
}

#[test]
fn the_threshold_is_the_files_unless_the_command_line_has_one() {
    let dir = folder(&[("crdlint.yaml", "fail-on: warning\n"), ("w.yaml", &with_status())]);
    assert_eq!(check(dir.path(), &[]).code, 1);
    assert_eq!(check(dir.path(), &["--fail-on", "error"]).code, 0);
    assert_eq!(check(dir.path(), &["--no-config"]).code, 0);
}

#[test]
fn the_file_is_found_upwards_from_the_first_path_and_its_paths_are_relative_to_it() {
    let text = with_status();
    let dir = folder(&[
        ("crdlint.yaml", "fail-on: warning\nexclude: [deploy/generated/**, testdata]\n"),
        ("deploy/w.yaml", &text),
        ("deploy/generated/w.yaml", &text),
        ("deploy/testdata/w.yaml", &text),
    ]);
    let from_top = check(dir.path(), &["deploy"]);
    assert_eq!(from_top.findings(), ["deploy/w.yaml:11 warning crd-preserve-unknown-fields-false"]);
    assert_eq!(from_top.code, 1);
    let from_inside = check(&dir.path().join("deploy"), &[]);
    assert_eq!(from_inside.findings(), ["w.yaml:11 warning crd-preserve-unknown-fields-false"]);
    let elsewhere = TempDir::new().expect("a temporary folder");
    let absolute = dir.path().join("deploy");
    let from_outside = check(elsewhere.path(), &[absolute.to_str().expect("text")]);
    assert_eq!(from_outside.findings().len(), 1, "{:?}", from_outside.findings());
    let named = check(dir.path(), &["deploy/testdata/w.yaml"]);
    assert_eq!(named.findings().len(), 1, "a named file is looked at");
    let forced = check(dir.path(), &["deploy/testdata/w.yaml", "--force-exclude"]);
    assert!(forced.findings().is_empty());
}

#[test]
fn a_configuration_may_be_named() {
    let dir = folder(&[
        ("crdlint.yaml", "fail-on: note\n"),
        ("ci/strict.yaml", "severity: {crd-preserve-unknown-fields-false: error}\n"),
        ("w.yaml", &with_status()),
    ]);
    let ran = check(dir.path(), &["--config", "ci/strict.yaml"]);
    assert_eq!(ran.findings(), ["w.yaml:11 error crd-preserve-unknown-fields-false"]);
    let missing = check(dir.path(), &["--config", "ci/none.yaml"]);
    assert_eq!(missing.code, 2);
    assert!(
        missing.err.contains("the configuration `ci/none.yaml` cannot be read"),
        "{}",
        missing.err
    );
    assert_eq!(check(dir.path(), &["--config", "ci/strict.yaml", "--no-config"]).code, 2);
}

#[test]
fn every_mistake_names_its_line_and_what_was_meant() {
    let dir = folder(&[
        (
            "crdlint.yaml",
            "ignor: []\nseverity:\n  crd-status-in-manifst: error\noverrides:\n  - paths: a\nfail-on: [error]\n",
        ),
        ("sub/w.yaml", CRD),
    ]);
    let ran = check(dir.path(), &["sub"]);
    assert_eq!((ran.code, ran.out.as_str()), (2, ""));
    assert_eq!(
        ran.err,
        "error: crdlint.yaml:1:1: unknown key `ignor`, did you mean `ignore`?
       crdlint.yaml:3:3: there is no rule `crd-status-in-manifst`, did you mean `crd-status-in-manifest`? (`crdlint rules` lists all)
       crdlint.yaml:5:12: expected a list of path patterns, found a string `a`
       crdlint.yaml:6:10: expected threshold: `error`, `warning`, `note` or `never`, found a list\n"
    );
    for (text, place) in [("a: [1\n", "2:1"), ("- x\n", "1:1"), ("select: [1]\n", "1:10")] {
        fs::write(dir.path().join("crdlint.yaml"), text).expect("a file");
        let ran = check(dir.path(), &["sub"]);
        assert_eq!(ran.code, 2, "{text}");
        assert!(ran.err.starts_with(&format!("error: crdlint.yaml:{place}: ")), "{}", ran.err);
    }
}

#[test]
fn mistakes_on_the_command_line_are_exit_2() {
    let dir = folder(&[("w.yaml", CRD)]);
    for (argument, said) in [
        ("crd-preserve-unknown-fields-false=warn", "`warn` is no severity"),
        ("crd-preserve-unknown-fields-false", "expected RULE=SEVERITY"),
        ("crd-status-in-manifst=note", "did you mean `crd-status-in-manifest`?"),
    ] {
        let ran = check(dir.path(), &["--severity", argument]);
        assert_eq!(ran.code, 2);
        assert!(ran.err.contains(said), "{}", ran.err);
    }
}

// ---- the schema of the file -------------------------------------------------------------------------------------

fn schema() -> Value {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/crdlint.schema.json");
    serde_json::from_str(&fs::read_to_string(path).expect("the schema")).expect("JSON")
}

fn keys(object: &Value) -> BTreeSet<&str> {
    object.as_object().expect("an object").keys().map(String::as_str).collect()
}

#[test]
fn the_schema_knows_the_keys_and_words_of_the_reader() {
    let schema = schema();
    let properties = &schema["properties"];
    assert_eq!(keys(properties), KEYS.into_iter().collect());
    let entry = &properties["overrides"]["items"]["properties"];
    assert_eq!(keys(entry), OVERRIDE_KEYS.into_iter().collect());
    assert_eq!(properties["fail-on"]["enum"], Value::from(FailOn::WORDS.map(|w| w.0).to_vec()));
    let installers: Vec<_> = Installer::ALL.iter().map(|one| one.as_str()).collect();
    assert_eq!(properties["installers"]["items"]["enum"], Value::from(installers));
}

#[test]
fn the_schema_and_the_reader_agree_on_examples() {
    let validator = jsonschema::validator_for(&schema()).expect("a schema");
    let examples = [
        ("", true),
        ("select:\nignore:\nseverity:\nexclude:\noverrides:\ninstallers:\n", true),
        ("installers: [helm3, helm4, argocd, flux]\n", true),
        ("installers: [helm]\n", false),
        ("select: [ALL]\nignore: [yaml-syntax]\n", true),
        ("select: yaml-syntax\n", false),
        ("ignore: [1]\n", false),
        ("severity: {yaml-syntax: note}\n", true),
        ("severity: {yaml-syntax: warn}\n", false),
        ("severity: [yaml-syntax]\n", false),
        ("exclude: ['**/testdata/**', generated, a..b/c]\n", true),
        ("exclude: [../x]\n", false),
        ("exclude: [x/..]\n", false),
        ("exclude: [/x]\n", false),
        ("exclude: ['']\n", false),
        (
            "overrides: [{paths: [a/**], select: [ALL], ignore: [yaml-syntax], severity: {}}]\n",
            true,
        ),
        ("overrides: [{ignore: [yaml-syntax]}]\n", false),
        ("overrides: [{paths: [a], fail-on: error}]\n", false),
        ("overrides: [a]\n", false),
        ("overrides: [null]\n", false),
        ("overrides: [{paths: null}]\n", false),
        ("fail-on: never\n", true),
        ("fail-on: always\n", false),
        ("kube: 1\n", false),
        ("- a\n", false),
    ];
    for (text, good) in examples {
        let source: Arc<Source> = Source::new("crdlint.yaml", text);
        let read = Config::parse(&source, Path::new("/"));
        assert_eq!(read.is_ok(), good, "the reader on {text:?}: {:?}", read.err());
        let value: Value = serde_yaml::from_str(text).expect("YAML");
        let errors: Vec<_> = validator.iter_errors(&value).map(|e| e.to_string()).collect();
        assert_eq!(errors.is_empty(), good, "the schema on {text:?}: {errors:?}");
    }
}

#[test]
fn the_example_in_the_readme_is_one() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md");
    let readme = fs::read_to_string(path).expect("the README");
    let start = readme.find("# crdlint.yaml\n").expect("an example");
    let text = &readme[start..start + readme[start..].find("```").expect("its end")];
    let source = Source::new("README.md", text);
    let read = Config::parse(&source, Path::new("/"));
    assert_eq!(read.err(), None);
    let value: Value = serde_yaml::from_str(text).expect("YAML");
    assert_eq!(keys(&value), KEYS.into_iter().collect(), "every key is shown");
    assert!(jsonschema::is_valid(&schema(), &value));
}

// ---- suppressions -----------------------------------------------------------------------------------------------

#[test]
fn the_next_line_of_a_manifest() {
    let text = format!(
        "{CRD}# crdlint-disable-next-line crd-preserve-unknown-fields-false a live export\n\n# why\n  preserveUnknownFields: false\n"
    );
    let dir = folder(&[("w.yaml", &text)]);
    let ran = check(dir.path(), &["--fail-on", "note"]);
    assert_eq!((ran.findings(), ran.suppressed(), ran.code), (vec![], 1, 0));
}

#[test]
fn a_whole_file_from_its_first_comments() {
    let text = format!(
        "# Copyright\n---\n\n# crdlint-disable-file crd-preserve-unknown-fields-false, crd-removed-api-version x\n{}",
        with_status()
    );
    let dir = folder(&[("w.yaml", &text)]);
    let ran = check(dir.path(), &["--select", "ALL"]);
    assert_eq!(ran.suppressed(), 1);
    assert_eq!(ran.findings(), ["w.yaml:4 warning suppression-unused"]);
    let ran = check(dir.path(), &["--ignore", "crd-removed-api-version"]);
    assert!(ran.findings().is_empty(), "a rule that is off has nothing to say: {}", ran.out);
}

#[test]
fn a_file_that_is_no_yaml() {
    let text = "# crdlint-disable-file yaml-syntax, crd-preserve-unknown-fields-false generated\napiVersion: v1\nkind: [x\n";
    let dir = folder(&[("w.yaml", text)]);
    let ran = check(dir.path(), &["w.yaml"]);
    assert_eq!((ran.findings(), ran.suppressed(), ran.code), (vec![], 1, 0));
}

#[test]
fn comments_in_every_file_of_a_chart() {
    let crd = |name: &str| CRD.replace("widgets.example.com", name);
    let keep = "metadata:\n  annotations:\n    \"helm.sh/resource-policy\": Keep\n";
    let template = crd("a.example.com").replace("metadata:\n", keep);
    let next =
        "    {{- /* crdlint-disable-next-line chart-keep-misspelt old helm */ -}}\n    \"helm.sh";
    let dir = folder(&[
        ("c/Chart.yaml", "apiVersion: v2\nname: c\nversion: 1.0.0\n"),
        ("c/templates/a.yaml", &template),
        ("c/crds/b.yaml", &with_status()),
    ]);
    let args = ["--ignore", "ALL", "--select"];
    let args = [
        args.as_slice(),
        &["chart-keep-misspelt,crd-preserve-unknown-fields-false,suppression-unused"],
    ]
    .concat();
    let before = check(dir.path(), &args);
    assert_eq!(
        before.findings(),
        [
            "c/crds/b.yaml:11 warning crd-preserve-unknown-fields-false",
            "c/templates/a.yaml:5 error chart-keep-misspelt"
        ]
    );
    let commented = template.replace("    \"helm.sh", next);
    fs::write(dir.path().join("c/templates/a.yaml"), commented).expect("a file");
    let text =
        format!("# crdlint-disable-file crd-preserve-unknown-fields-false\n{}", with_status());
    fs::write(dir.path().join("c/crds/b.yaml"), text).expect("a file");
    let values = "# crdlint-disable-next-line chart-keep-misspelt, crd-preserve-unknown-fields-false x\na: 1\n";
    fs::write(dir.path().join("c/values.yaml"), values).expect("a file");
    let after = check(dir.path(), &args);
    assert_eq!(after.findings(), ["c/values.yaml:1 warning suppression-unused"]);
    assert_eq!(after.suppressed(), 2);
}

#[test]
fn what_helm_printed_may_carry_comments_of_chart_rules() {
    let text = format!("# crdlint-disable-file chart-keep-misspelt known\n{CRD}");
    let dir = folder(&[]);
    let mut command = Command::cargo_bin("crdlint").expect("the binary");
    command.current_dir(dir.path()).args(["check", "--format", "json", "-"]).write_stdin(text);
    assert_eq!(ran(&mut command).findings(), [""; 0]);
}

#[test]
fn text_that_only_looks_like_a_comment_suppresses_nothing() {
    let text = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata:\n  x: |\n    # crdlint-disable-next-line nonsense\n    y\n";
    let dir = folder(&[("w.yaml", text)]);
    assert_eq!(check(dir.path(), &[]).findings(), [""; 0]);
}

#[test]
fn every_finding_of_the_examples_can_be_suppressed_where_it_is() {
    let mut problems = Vec::new();
    for page in meta::pages().iter().filter(|page| page.id.0 != "suppression-unused") {
        for example in page.examples.iter().filter(|example| !example.good) {
            let files = example.files();
            let files: Vec<_> =
                files.iter().map(|file| (file.path.as_str(), file.text.as_str())).collect();
            let dir = folder(&files);
            let all = check(dir.path(), &["--select", page.id.0]).findings();
            for finding in all.iter().filter(|one| one.ends_with(&format!(" {}", page.id))) {
                let (place, _) = finding.split_once(' ').expect("a place");
                let (path, line) = place.split_once(':').expect("a line");
                let line = line.parse::<usize>().expect("a number") - 1;
                let whole = format!("# crdlint-disable-file {} a test", page.id);
                let mut comments = vec![(0, whole)];
                // What cannot be parsed has no comments.
                if page.category != Category::Engine {
                    let words = format!("crdlint-disable-next-line {} a test", page.id);
                    // A description is text, in which only the template's kind of comment is one.
                    let in_template = path.contains("templates/");
                    let next = if in_template {
                        format!("{{{{- /* {words} */}}}}")
                    } else {
                        format!("# {words}")
                    };
                    comments.push((line, next));
                }
                for (at, comment) in comments {
                    let file = dir.path().join(path);
                    let before = fs::read_to_string(&file).expect("a file");
                    let mut lines: Vec<&str> = before.lines().collect();
                    lines.insert(at, &comment);
                    fs::write(&file, lines.join("\n") + "\n").expect("a file");
                    let ran = check(dir.path(), &["--select", page.id.0]);
                    let left = ran.findings();
                    let unused = left.iter().any(|one| one.ends_with("suppression-unused"));
                    if ran.suppressed() == 0 || unused {
                        problems.push(format!("{}: {finding}: {comment}: {left:?}", example.name));
                    }
                    fs::write(&file, before).expect("a file");
                }
            }
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}
