//! The GitHub Action without GitHub: its steps are run by `bash` in the environment that a runner sets.
//!
//! The step that builds is left out; the binary of this build is put where it would put it. The pre-commit hook is run
//! as pre-commit would, save for its installation.

#![cfg(unix)]

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Command;

use serde_yaml::Value;
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

fn action() -> Value {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("action.yml");
    serde_yaml::from_str(&fs::read_to_string(path).expect("action.yml")).expect("YAML")
}

fn steps(action: &Value) -> &[Value] {
    action["runs"]["steps"].as_sequence().expect("steps")
}

fn text(value: &Value) -> &str {
    value.as_str().expect("a string")
}

/// The input that `${{ inputs.x }}` names.
fn input(expression: &str) -> &str {
    let inner = expression.strip_prefix("${{ inputs.").and_then(|rest| rest.strip_suffix(" }}"));
    inner.unwrap_or_else(|| panic!("`{expression}` is more than one input"))
}

struct Job {
    workspace: TempDir,
    temp: TempDir,
}

struct Ran {
    code: i32,
    out: String,
    err: String,
    summary: String,
}

impl Job {
    fn new(files: &[(&str, &str)]) -> Self {
        let workspace = TempDir::new().expect("a temporary folder");
        fs::create_dir(workspace.path().join(".git")).expect("a folder");
        for (path, text) in files {
            let path = workspace.path().join(path);
            fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
            fs::write(path, text).expect("a file");
        }
        let temp = TempDir::new().expect("a temporary folder");
        let bin = temp.path().join("crdlint/bin");
        fs::create_dir_all(&bin).expect("a folder");
        symlink(env!("CARGO_BIN_EXE_crdlint"), bin.join("crdlint")).expect("a link");
        Self { workspace, temp }
    }

    /// Run every step but the one that builds, with these inputs and the defaults of the others.
    fn run(&self, inputs: &[(&str, &str)]) -> Ran {
        let action = action();
        let summary = self.temp.path().join("summary.md");
        fs::write(&summary, "").expect("a file");
        let given: BTreeMap<_, _> = inputs.iter().copied().collect();
        let mut last =
            Ran { code: 0, out: String::new(), err: String::new(), summary: String::new() };
        for step in &steps(&action)[1..] {
            let script = self.temp.path().join("step.sh");
            fs::write(&script, text(&step["run"])).expect("a file");
            // As the runner starts `shell: bash`.
            let mut command = Command::new("bash");
            command.args(["--noprofile", "--norc", "-eo", "pipefail"]).arg(&script);
            command.current_dir(self.workspace.path());
            command.env("GITHUB_ACTIONS", "true").env("CI", "true");
            command.env("GITHUB_WORKSPACE", self.workspace.path());
            command.env("GITHUB_ACTION_PATH", env!("CARGO_MANIFEST_DIR"));
            command.env("GITHUB_STEP_SUMMARY", &summary);
            command.env("RUNNER_TEMP", self.temp.path());
            for (name, value) in step["env"].as_mapping().expect("env") {
                let input = input(text(value));
                let default = text(&action["inputs"][input]["default"]);
                command.env(text(name), given.get(input).copied().unwrap_or(default));
            }
            let output = command.output().expect("bash runs");
            last.code = output.status.code().expect("an exit code");
            last.out = String::from_utf8(output.stdout).expect("text");
            last.err = String::from_utf8(output.stderr).expect("text");
        }
        last.summary = fs::read_to_string(&summary).expect("the summary");
        last
    }
}

fn with_a_warning() -> String {
    format!("{CRD}  preserveUnknownFields: false\n")
}

#[test]
fn inputs_reach_scripts_through_the_environment_alone() {
    let action = action();
    assert_eq!(text(&action["runs"]["using"]), "composite");
    assert!(text(&steps(&action)[0]["run"]).contains("cargo install"), "the first step builds");
    let mut used = Vec::new();
    for step in steps(&action) {
        assert_eq!(text(&step["shell"]), "bash");
        assert!(!text(&step["run"]).contains("${{"), "{}", text(&step["run"]));
        for value in step["env"].as_mapping().into_iter().flat_map(|env| env.values()) {
            used.push(input(text(value)).to_owned());
        }
    }
    let declared = action["inputs"].as_mapping().expect("inputs");
    let mut declared: Vec<_> = declared.keys().map(|name| text(name).to_owned()).collect();
    used.sort();
    declared.sort();
    assert_eq!(used, declared);
}

#[test]
fn a_warning_fails_unless_the_threshold_is_higher() {
    let job = Job::new(&[("w.yaml", &with_a_warning())]);
    let ran = job.run(&[]);
    assert_eq!(ran.code, 1, "{}{}", ran.out, ran.err);
    assert!(ran.out.contains("warning[crd-preserve-unknown-fields-false]"), "{}", ran.out);
    assert!(ran.summary.contains("crd-preserve-unknown-fields-false"), "{}", ran.summary);
    assert!(ran.summary.starts_with("### crdlint\n"), "{}", ran.summary);
    assert_eq!(job.run(&[("fail-on", "error")]).code, 0);
    assert_eq!(job.run(&[("fail-on", "")]).code, 0, "the default of crdlint");
    fs::write(job.workspace.path().join("crdlint.yaml"), "fail-on: warning\n").expect("a file");
    assert_eq!(job.run(&[("fail-on", "")]).code, 1, "that of crdlint.yaml");
}

#[test]
fn nothing_wrong_is_success() {
    let ran = Job::new(&[("w.yaml", CRD)]).run(&[]);
    assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
    assert!(ran.summary.contains("no problems in 1 file (1 CRD)"), "{}", ran.summary);
}

#[test]
fn paths_are_lines_and_arguments_are_words() {
    let text = with_a_warning();
    let job = Job::new(&[("a b/w.yaml", &text), ("c/w.yaml", &text), ("d/w.yaml", &text)]);
    let paths = ("paths", "a b\n\nc/w.yaml\n");
    let ran = job.run(&[paths, ("format", "concise"), ("args", "--quiet")]);
    let places: Vec<_> = ran.out.lines().filter_map(|line| line.split(": ").next()).collect();
    assert_eq!(places[1..places.len() - 1], ["a b/w.yaml:11:3", "c/w.yaml:11:3"], "{}", ran.err);
    let ran = job.run(&[paths, ("args", " --ignore  crd-preserve-unknown-fields-false\n--quiet")]);
    assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
}

#[test]
fn what_could_not_be_checked_is_2_and_said_so() {
    let job = Job::new(&[("w.yaml", CRD)]);
    for inputs in [("paths", "nowhere"), ("format", "nice"), ("args", "--nonsense")] {
        let ran = job.run(&[inputs]);
        assert_eq!(ran.code, 2, "{inputs:?}");
        assert!(ran.err.contains(inputs.1), "{}", ran.err);
        assert!(ran.summary.contains("Nothing could be checked"), "{}", ran.summary);
    }
}

#[test]
fn inputs_are_never_run() {
    let job = Job::new(&[("w.yaml", CRD)]);
    for name in ["paths", "args", "fail-on", "format"] {
        for text in ["$(touch pwned)", "`touch pwned`", "; touch pwned", "\"; touch pwned; \"", "*"]
        {
            let ran = job.run(&[(name, text)]);
            assert_eq!(ran.code, 2, "{name}: {text}");
            assert!(!job.workspace.path().join("pwned").exists(), "{name}: {text}");
        }
    }
}

#[test]
fn names_of_files_are_no_workflow_commands() {
    let job = Job::new(&[("::error::w.yaml", &with_a_warning())]);
    let ran = job.run(&[("format", "concise")]);
    let lines: Vec<_> = ran.out.lines().collect();
    let token = lines[0].strip_prefix("::stop-commands::").expect("commands are stopped first");
    assert!(token.len() == 32 && !token.contains(' '), "{token}");
    assert_eq!(*lines.last().expect("a line"), format!("::{token}::"));
    assert!(lines[1].starts_with("::error::w.yaml:11:3: "), "{}", ran.out);
}

#[test]
fn the_hook_names_every_file_and_excluded_ones_stay_out() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(".pre-commit-hooks.yaml");
    let hooks: Value =
        serde_yaml::from_str(&fs::read_to_string(path).expect("hooks")).expect("YAML");
    let hook = &hooks[0];
    let mut words: Vec<_> = text(&hook["entry"]).split(' ').collect();
    words.extend(hook["args"].as_sequence().expect("args").iter().map(text));
    let warning = with_a_warning();
    let job = Job::new(&[
        ("crdlint.yaml", "exclude: [old]\n"),
        ("old/w.yaml", &warning),
        ("new/w.yaml", &warning),
        ("package.json", "{}\n"),
    ]);
    assert_eq!(words[0], "crdlint");
    let run = |files: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_crdlint"));
        command.args(&words[1..]).args(files).current_dir(job.workspace.path());
        command.output().expect("crdlint runs").status.code()
    };
    assert_eq!(run(&["crdlint.yaml", "old/w.yaml", "new/w.yaml", "package.json"]), Some(1));
    assert_eq!(run(&["crdlint.yaml", "old/w.yaml", "package.json"]), Some(0));
}
