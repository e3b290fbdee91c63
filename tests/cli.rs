//! The binary from outside: exit codes, messages, and what hostile input does to it.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use assert_cmd::Command;
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

struct Ran {
    code: i32,
    out: String,
    err: String,
}

fn folder(files: &[(&str, &[u8])]) -> TempDir {
    let dir = TempDir::new().expect("a temporary folder");
    for (path, bytes) in files {
        let path = dir.path().join(path);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(path, bytes).expect("a file");
    }
    dir
}

fn command(dir: &Path) -> Command {
    let mut command = Command::cargo_bin("crdlint").expect("the binary");
    command.current_dir(dir);
    for variable in ["NO_COLOR", "CLICOLOR_FORCE", "TERM", "COLUMNS", "CRDLINT_SHARED"] {
        command.env_remove(variable);
    }
    command
}

fn crdlint(dir: &Path, args: &[&str]) -> Ran {
    ran(command(dir).args(args))
}

fn ran(command: &mut Command) -> Ran {
    let output = command.output().expect("crdlint runs");
    Ran {
        code: output.status.code().expect("an exit code"),
        out: String::from_utf8(output.stdout).expect("text"),
        err: String::from_utf8(output.stderr).expect("text"),
    }
}

#[test]
fn nothing_wrong_is_one_line_and_exit_0() {
    let dir = folder(&[("widgets.yaml", CRD.as_bytes())]);
    let ran = crdlint(dir.path(), &["check"]);
    assert_eq!((ran.code, ran.out.as_str()), (0, "no problems in 1 file (1 CRD)\n"), "{}", ran.err);
}

#[test]
fn findings_are_exit_1_from_the_threshold_on() {
    let text = format!("{CRD}status: {{storedVersions: []}}\n");
    let dir = folder(&[("widgets.yaml", text.as_bytes())]);
    assert_eq!(crdlint(dir.path(), &["check", ".", "--fail-on", "warning"]).code, 0);
    assert_eq!(crdlint(dir.path(), &["check", ".", "--fail-on", "note"]).code, 1);
    assert_eq!(crdlint(dir.path(), &["check", ".", "--fail-on", "never"]).code, 0);
    let ran = crdlint(dir.path(), &["check", ".", "--format", "concise"]);
    assert!(ran.out.starts_with("widgets.yaml:11:1: note[crd-status-in-manifest] "), "{}", ran.out);
}

#[test]
fn wrong_usage_is_exit_2_and_says_what_was_meant() {
    let dir = folder(&[("widgets.yaml", CRD.as_bytes())]);
    let ran = crdlint(dir.path(), &["check", "--formt", "json"]);
    assert_eq!(ran.code, 2);
    assert!(ran.err.contains("--format"), "{}", ran.err);
    let ran = crdlint(dir.path(), &["check", "--ignore", "crd-status-in-manifst"]);
    assert_eq!(ran.code, 2);
    assert!(ran.err.contains("did you mean `crd-status-in-manifest`?"), "{}", ran.err);
    assert_eq!(crdlint(dir.path(), &["check", "-j", "99999999"]).code, 2);
    assert_eq!(crdlint(dir.path(), &["check", "-j", "0"]).code, 2);
    assert_eq!(crdlint(dir.path(), &["explain", "nonsense"]).code, 2);
    assert_eq!(crdlint(dir.path(), &["check", "--exclude", "a{b"]).code, 2);
}

#[test]
fn what_is_missing_is_exit_2() {
    let dir = folder(&[("empty/readme.txt", b"hello")]);
    let ran = crdlint(dir.path(), &["check", "nowhere.yaml"]);
    assert_eq!((ran.code, ran.err.as_str()), (2, "error: `nowhere.yaml` does not exist\n"));
    let ran = crdlint(dir.path(), &["check", "empty"]);
    assert_eq!(ran.code, 2);
    assert!(ran.err.contains("`empty` holds no chart and no Kubernetes manifest"), "{}", ran.err);
}

#[test]
fn a_named_file_that_is_no_manifest_is_skipped_and_said_so() {
    let dir = folder(&[("notes.yaml", b"a: 1\n"), ("readme.md", b"hello\n")]);
    let ran = crdlint(dir.path(), &["check", "-v", "notes.yaml", "readme.md"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(ran.err.contains("notes.yaml  skipped  no Kubernetes object in it"), "{}", ran.err);
    assert!(ran.err.contains("readme.md   skipped  neither YAML nor JSON"), "{}", ran.err);
}

#[test]
fn unparsable_yaml_is_a_finding() {
    let dir = folder(&[("w.yaml", b"apiVersion: v1\nkind: ConfigMap\ndata: {a: [1}\n")]);
    for args in
        [&["check", "w.yaml", "--format", "concise"], &["check", ".", "--format", "concise"]]
    {
        let ran = crdlint(dir.path(), args);
        assert_eq!(ran.code, 1, "{}", ran.err);
        assert!(ran.out.starts_with("w.yaml:3:13: error[yaml-syntax] "), "{}", ran.out);
    }
}

#[test]
fn invalid_utf_8_is_a_finding_at_its_byte() {
    let dir = folder(&[("w.yaml", b"apiVersion: v1\nkind: \xFF\n")]);
    let ran = crdlint(dir.path(), &["check", "w.yaml", "--format", "concise"]);
    assert_eq!(ran.code, 1, "{}", ran.err);
    assert!(ran.out.starts_with("w.yaml:2:7: error[yaml-syntax] "), "{}", ran.out);
    assert!(ran.out.contains("0xFF"), "{}", ran.out);
}

#[test]
fn a_file_of_50_megabytes_is_not_read() {
    let dir = folder(&[("w.yaml", CRD.as_bytes())]);
    let file = fs::File::create(dir.path().join("big.yaml")).expect("a file");
    file.set_len(50_000_000).expect("a large file");
    let ran = crdlint(dir.path(), &["check", "."]);
    assert_eq!(ran.code, 1, "{}", ran.err);
    assert!(ran.out.contains("limit-exceeded") && ran.out.contains("big.yaml"), "{}", ran.out);
}

#[test]
fn a_nest_of_100_000_levels_is_a_finding() {
    let text = format!("apiVersion: v1\nkind: ConfigMap\ndata: {}\n", "[".repeat(100_000));
    let dir = folder(&[("w.yaml", text.as_bytes())]);
    let ran = crdlint(dir.path(), &["check", "w.yaml"]);
    assert_eq!(ran.code, 1, "{}", ran.err);
    assert!(ran.out.contains("nested deeper than 10,000 levels"), "{}", ran.out);
    assert!(ran.out.len() < 4_000, "a long line is cropped: {} bytes", ran.out.len());
}

#[test]
fn an_alias_bomb_is_harmless() {
    let mut text =
        String::from("apiVersion: v1\nkind: ConfigMap\na0: &a0 [x, x, x, x, x, x, x, x, x]\n");
    for level in 1..14 {
        let alias = format!("*a{}, ", level - 1).repeat(9);
        writeln!(text, "a{level}: &a{level} [{alias}]").expect("a string");
    }
    let crd = CRD.replace("{type: object}", "{type: object, default: *a13}");
    let text = format!("{text}{}", &crd[crd.find("metadata").expect("metadata")..]);
    let text = text.replacen("kind: ConfigMap", "kind: CustomResourceDefinition", 1);
    let text = text.replacen("apiVersion: v1", "apiVersion: apiextensions.k8s.io/v1", 1);
    let chart = b"apiVersion: v2\nname: c\nversion: 1.0.0\n";
    let braces = format!("{text}x: '{{{{ a }}}}'\n");
    let dir = folder(&[
        ("w.yaml", text.as_bytes()),
        ("c/Chart.yaml", chart),
        ("c/crds/w.yaml", text.as_bytes()),
        ("c/crds/braces.yaml", braces.as_bytes()),
        ("c/templates/w.yaml", braces.as_bytes()),
        ("c/values.yaml", text.as_bytes()),
    ]);
    let ran = crdlint(dir.path(), &["check", ".", "--select", "ALL"]);
    assert!(ran.code <= 1, "{}", ran.err);
    assert_eq!(ran.out.matches("aliases multiply the document").count(), 3, "{}", ran.out);
}

#[test]
fn a_file_in_a_chart_means_the_chart() {
    let dir = folder(&[
        ("c/Chart.yaml", b"apiVersion: v2\nname: c\nversion: 1.0.0\n"),
        ("c/crds/a.yaml", CRD.as_bytes()),
        ("c/crds/b.yaml", CRD.as_bytes()),
        ("c/charts/d/Chart.yaml", b"apiVersion: v2\nname: d\nversion: 1.0.0\n"),
        ("c/charts/d/values.yaml", b"x: 1\n"),
    ]);
    let whole = crdlint(dir.path(), &["check", "--format", "concise"]);
    assert!(whole.out.contains("chart-duplicate-crd-in-crds-dir"), "{}", whole.out);
    for named in ["c/crds/a.yaml", "c/charts/d/values.yaml", "c/charts/d", "c/Chart.yaml"] {
        let ran = crdlint(dir.path(), &["check", "--format", "concise", named]);
        assert_eq!(ran.out, whole.out, "{named}");
    }
    let twice = crdlint(
        dir.path(),
        &["check", "--format", "concise", "c/crds/a.yaml", "c/crds/b.yaml", "."],
    );
    assert_eq!(twice.out, whole.out);
}

#[test]
fn ignored_and_excluded_files_are_left_out_and_named_ones_are_not() {
    let bad = format!("{CRD}status: {{storedVersions: []}}\n");
    let dir = folder(&[
        (".gitignore", b"generated/\n"),
        ("generated/w.yaml", bad.as_bytes()),
        ("testdata/w.yaml", bad.as_bytes()),
        ("w.yaml", CRD.as_bytes()),
    ]);
    let count = |args: &[&str]| {
        let ran = crdlint(dir.path(), &[&["check", "--format", "concise", "-q"], args].concat());
        ran.out.lines().count()
    };
    assert_eq!(count(&["."]), 1);
    assert_eq!(count(&[".", "--no-gitignore"]), 2);
    assert_eq!(count(&[".", "--exclude", "testdata"]), 0);
    assert_eq!(count(&[".", "--exclude", "test*/**"]), 0);
    assert_eq!(count(&["generated/w.yaml"]), 1);
    assert_eq!(count(&["testdata/w.yaml", "--exclude", "testdata"]), 1);
    assert_eq!(count(&["testdata/w.yaml", "--exclude", "testdata", "--force-exclude"]), 0);
}

#[test]
fn standard_input_is_checked_under_a_name() {
    let dir = folder(&[]);
    let bad = format!("{CRD}status: {{storedVersions: []}}\n");
    let ran = ran(command(dir.path())
        .args(["check", "-", "--format", "concise", "--stdin-filename", "rendered.yaml"])
        .write_stdin(bad));
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(ran.out.starts_with("rendered.yaml:11:1: note"), "{}", ran.out);
}

#[test]
fn colours_only_on_request() {
    let text = format!("{CRD}status: {{storedVersions: []}}\n");
    let dir = folder(&[("widgets.yaml", text.as_bytes())]);
    assert!(!crdlint(dir.path(), &["check"]).out.contains('\x1b'));
    assert!(crdlint(dir.path(), &["check", "--color", "always"]).out.contains('\x1b'));
    let forced = ran(command(dir.path()).args(["check"]).env("CLICOLOR_FORCE", "1"));
    assert!(forced.out.contains('\x1b'));
    let refused =
        ran(command(dir.path()).args(["check"]).env("CLICOLOR_FORCE", "1").env("NO_COLOR", "1"));
    assert!(!refused.out.contains('\x1b'));
}

#[test]
fn escape_sequences_of_a_chart_never_reach_the_terminal() {
    let text = CRD.replace("widgets.example.com", "\"w\\e[31m\\u202E.example.com\"");
    let text = format!("{text}status: {{storedVersions: []}}  # \u{1b}]0;title\u{7}\n");
    let dir = folder(&[("w.yaml", text.as_bytes())]);
    for format in ["pretty", "concise"] {
        let ran = crdlint(dir.path(), &["check", "w.yaml", "--format", format]);
        assert!(ran.out.chars().all(|c| c == '\n' || !c.is_control()), "{:?}", ran.out);
    }
}

#[test]
fn json_is_version_1() {
    let text = format!("{CRD}status: {{storedVersions: []}}\n");
    let dir = folder(&[("widgets.yaml", text.as_bytes())]);
    let ran = crdlint(dir.path(), &["check", "--format", "json"]);
    let json: serde_json::Value = serde_json::from_str(&ran.out).expect("JSON");
    assert_eq!(json["version"], 1);
    assert_eq!(json["summary"]["notes"], 1);
    let finding = &json["findings"][0];
    assert_eq!(finding["path"], "widgets.yaml");
    assert_eq!((finding["line"].as_u64(), finding["end_column"].as_u64()), (Some(11), Some(7)));
    assert_eq!(finding["object"]["name"], "widgets.example.com");
    assert!(finding["fix"].is_null() && finding["related"].is_array());
}

#[test]
fn the_same_bytes_for_any_number_of_threads() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let outputs: Vec<String> = ["1", "2", "7"]
        .iter()
        .map(|threads| crdlint(root, &["check", "fixtures", "--no-gitignore", "-j", threads]).out)
        .collect();
    assert!(outputs[0].len() > 100);
    assert!(outputs.windows(2).all(|pair| pair[0] == pair[1]));
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut child = std::process::Command::new(assert_cmd::cargo::cargo_bin("crdlint"))
        .args(["rules", "--format", "json"])
        .current_dir(root)
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .expect("crdlint runs");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
}
