//! What a user types, and where the output goes: help, usage errors, closed pipes, full disks, terminals that can do
//! little.

use std::fmt::Write as _;
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;

fn crdlint(dir: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_crdlint"));
    command.current_dir(dir).args(args).stdin(Stdio::null());
    for variable in ["NO_COLOR", "CLICOLOR_FORCE", "TERM", "COLUMNS"] {
        command.env_remove(variable);
    }
    command
}

fn ran(dir: &Path, args: &[&str]) -> Output {
    crdlint(dir, args).output().expect("crdlint runs")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("text")
}

fn crd(name: &str) -> String {
    format!(
        r#"{{"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition", "metadata": {{"name": "{name}", "annotations": {{"x": "{}"}}, "creationTimestamp": null}}, "spec": {{"group": "example.com", "names": {{"kind": "Widget", "plural": "widgets"}}, "scope": "Namespaced", "versions": [{{"name": "v1", "served": true, "storage": true, "schema": {{"openAPIV3Schema": {{"type": "object"}}}}}}]}}, "status": {{"storedVersions": []}}}}"#,
        "y".repeat(80_000)
    )
}

/// A folder with one manifest that has a finding.
fn folder() -> TempDir {
    let dir = TempDir::new().expect("a temporary folder");
    fs::write(dir.path().join("one-line.json"), crd("widgets.example.com")).expect("a file");
    dir
}

/// A folder whose findings do not fit into a pipe.
fn large_folder() -> TempDir {
    let dir = TempDir::new().expect("a temporary folder");
    for n in 0..40 {
        let mut text = String::new();
        for m in 0..40 {
            let short = crd(&format!("w{n}-{m}.example.com")).replace(&"y".repeat(80_000), "y");
            writeln!(text, "---\n{short}").expect("a string");
        }
        fs::write(dir.path().join(format!("{n}.yaml")), text).expect("a file");
    }
    dir
}

#[test]
fn help_is_exit_0_and_names_every_option_under_a_heading() {
    let dir = folder();
    let short = ran(dir.path(), &["check", "-h"]);
    assert_eq!(short.status.code(), Some(0));
    let short = text(&short.stdout);
    for part in ["Rules:", "Files:", "Output:", "--fail-on", "--select", "Examples:"] {
        assert!(short.contains(part), "no {part} in\n{short}");
    }
    let long = text(&ran(dir.path(), &["check", "--help"]).stdout);
    for part in ["Exit codes:", "`--ignore ALL --select RULE` runs that rule alone", "Examples:"] {
        assert!(long.contains(part), "no {part} in\n{long}");
    }
    let all = text(&ran(dir.path(), &["--help"]).stdout);
    for part in ["check", "rules", "explain", "new-rule", "Exit codes:"] {
        assert!(all.contains(part), "no {part} in\n{all}");
    }
}

#[test]
fn the_help_is_true_about_one_rule_alone() {
    let dir = folder();
    let alone = ["check", "--ignore", "ALL", "--format", "concise", "-q"];
    assert_eq!(text(&ran(dir.path(), &alone).stdout), "");
    let one = [&alone[..], &["--select", "crd-status-in-manifest"]].concat();
    let printed = text(&ran(dir.path(), &one).stdout);
    assert_eq!(printed.matches("[crd-status-in-manifest]").count(), 1, "{printed}");
    assert_eq!(printed.lines().count(), 1, "{printed}");
}

#[test]
fn the_version_is_that_of_the_package() {
    let printed = ran(&std::env::temp_dir(), &["--version"]);
    assert_eq!(text(&printed.stdout), format!("crdlint {}\n", env!("CARGO_PKG_VERSION")));
}

#[test]
fn nothing_asked_for_is_wrong_usage() {
    let dir = folder();
    let wrong: [&[&str]; 6] = [
        &[],
        &["chek"],
        &["check", "--format", "xml"],
        &["check", "--fail-on", "never ever"],
        &["check", "-q", "-v"],
        &["check", "-j", "100000"],
    ];
    for args in wrong {
        let output = ran(dir.path(), args);
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        assert!(output.stdout.is_empty() && !output.stderr.is_empty(), "{args:?}");
    }
}

#[test]
fn quiet_prints_findings_and_nothing_else() {
    let dir = folder();
    let found = text(&ran(dir.path(), &["check", "-q", "--format", "concise"]).stdout);
    assert!(!found.is_empty() && !found.contains(" in 1 file"), "{found}");
    let clean = ran(dir.path(), &["check", "-q", "--ignore", "ALL"]);
    assert!(clean.stdout.is_empty() && clean.stderr.is_empty());
}

#[test]
fn a_manifest_of_one_long_line_is_drawn() {
    // miette alone panics past column 65,535, and draws lines whole.
    let dir = folder();
    let output = ran(dir.path(), &["check", "--select", "ALL"]);
    let printed = text(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert!(printed.contains("[one-line.json:1:80"), "{printed}");
    assert!(printed.lines().all(|line| line.chars().count() < 250), "{printed}");
}

#[test]
fn a_poor_terminal_gets_ascii() {
    let dir = folder();
    let plain = crdlint(dir.path(), &["check", "-q"]).env("TERM", "dumb").output();
    let plain = plain.expect("crdlint runs");
    assert!(!plain.stdout.is_empty() && plain.stdout.is_ascii(), "{}", text(&plain.stdout));
}

#[test]
fn no_colour_unless_somebody_watches_or_asks() {
    let dir = folder();
    let colours = |args: &[&str], variables: &[(&str, &str)]| {
        let mut command = crdlint(dir.path(), args);
        let output = command.envs(variables.iter().copied()).output().expect("crdlint runs");
        output.stdout.contains(&0x1b)
    };
    assert!(!colours(&["check"], &[]));
    assert!(colours(&["check", "--color", "always"], &[]));
    assert!(colours(&["check"], &[("CLICOLOR_FORCE", "1")]));
    assert!(!colours(&["check"], &[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")]));
    // The command line is the more explicit word.
    assert!(colours(&["check", "--color", "always"], &[("NO_COLOR", "1")]));
    assert!(!colours(&["check", "--color", "never"], &[("CLICOLOR_FORCE", "1")]));
    assert!(!colours(&["check", "--color", "always", "--format", "json"], &[]));
}

#[test]
fn a_reader_that_has_seen_enough_is_no_error() {
    let dir = large_folder();
    for format in ["pretty", "concise", "json"] {
        let mut child = crdlint(dir.path(), &["check", "--format", format, "--fail-on", "note"])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("crdlint runs");
        let mut first = String::new();
        let mut reader = BufReader::new(child.stdout.take().expect("a pipe"));
        reader.read_line(&mut first).expect("a line");
        drop(reader);
        let output = child.wait_with_output().expect("it ends");
        assert_eq!(
            (output.status.code(), text(&output.stderr).as_str()),
            (Some(0), ""),
            "{format}"
        );
        assert!(!first.is_empty());
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_is_exit_2_and_said() {
    let dir = folder();
    let full = fs::OpenOptions::new().write(true).open("/dev/full").expect("the device");
    let output = crdlint(dir.path(), &["check"]).stdout(full).output().expect("crdlint runs");
    assert_eq!(output.status.code(), Some(2));
    let printed = text(&output.stderr);
    assert!(printed.starts_with("error: the output cannot be written\n  because: "), "{printed}");
}

#[test]
fn an_error_says_what_to_do_and_cannot_steer_the_terminal() {
    let dir = TempDir::new().expect("a temporary folder");
    fs::create_dir(dir.path().join("empty")).expect("a folder");
    let printed = text(&ran(dir.path(), &["check", "empty"]).stderr);
    let (error, help) = printed.split_once('\n').expect("two lines");
    assert_eq!(error, "error: `empty` holds no chart and no Kubernetes manifest");
    assert!(help.starts_with("  help: Name a folder with charts or manifests in it"), "{printed}");
    let printed = text(&ran(dir.path(), &["check", "no\u{1b}[31m\u{202e}.yaml"]).stderr);
    assert_eq!(printed, "error: `no␛[31m�.yaml` does not exist\n");
}
