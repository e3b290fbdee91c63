//! Examples of rule files as complete files, with the lines on which a finding is expected.
//!
//! How to write one, in a rule file:
//!
//! - `files:` maps paths to texts. `# <- finding` at the end of a line says that a finding's primary label starts on
//!   this line; in a template `{{- /* <- finding */}}` says the same. The marks stay in the files.
//! - `crd:` holds some fields of a CRD's `spec`; those of `group`, `names`, `scope` and `versions` that are missing are
//!   added below, and the whole becomes `crd.yaml`.
//! - `schema:` holds the schema of the field `spec` in the only version of such a CRD.
//! - `# <- repeat 3000` at the end of a line writes it 3000 times, `{n}` counting from 1: for what is wrong only when
//!   it is large.
//!
//! Running the examples is left to `tests/rules.rs`, printing them to `crdlint explain`.

use super::meta::{Body, Example};

/// The mark in YAML comments.
const FINDING: &str = "# <- finding";
/// The mark in template comments.
const TEMPLATE_FINDING: [&str; 3] =
    ["{{- /* <- finding */ -}}", "{{- /* <- finding */}}", "{{/* <- finding */}}"];
const REPEAT: &str = "# <- repeat ";

/// A file of an example.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct File {
    /// Path, with `/`, relative to the folder that is checked.
    pub path: String,
    /// Text, marks included.
    pub text: String,
}

/// A line of an example as it is shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// The line without its mark.
    pub text: String,
    /// Whether a finding starts here.
    pub marked: bool,
    /// How often the line is written.
    pub times: u32,
}

impl Example {
    /// The files to check.
    pub fn files(&self) -> Vec<File> {
        match self.body {
            Body::Files(files) => files
                .iter()
                .map(|(path, text)| File { path: (*path).to_owned(), text: repeat(text) })
                .collect(),
            Body::Crd(fields) => vec![crd_of_fields(fields)],
            Body::Schema(schema) => vec![crd_of_schema(schema)],
        }
    }

    /// What to show: paths (none for a fragment) and lines.
    pub fn shown(&self) -> Vec<(Option<&'static str>, Vec<Line>)> {
        let lines = |text: &str| text.lines().map(Line::parse).collect();
        match self.body {
            Body::Files(files) => {
                files.iter().map(|(path, text)| (Some(*path), lines(text))).collect()
            }
            Body::Crd(text) | Body::Schema(text) => vec![(None, lines(text))],
        }
    }
}

impl File {
    /// The numbers of the lines (from 1) on which a finding is expected.
    pub fn marked_lines(&self) -> Vec<u32> {
        let marked = self.text.lines().map(|line| Line::parse(line).marked);
        (1..).zip(marked).filter_map(|(number, marked)| marked.then_some(number)).collect()
    }
}

impl Line {
    fn parse(line: &str) -> Self {
        if let Some((text, times)) = split_repeat(line) {
            return Self { text: text.to_owned(), marked: false, times };
        }
        for mark in [FINDING].iter().chain(&TEMPLATE_FINDING) {
            if let Some((before, after)) = line.split_once(mark) {
                let text = format!("{}{after}", before.trim_end());
                return Self { text: text.trim_end().to_owned(), marked: true, times: 1 };
            }
        }
        Self { text: line.to_owned(), marked: false, times: 1 }
    }
}

/// A line that is to be repeated: its text, and how often.
fn split_repeat(line: &str) -> Option<(&str, u32)> {
    let (text, times) = line.split_once(REPEAT)?;
    Some((text.trim_end(), times.trim().parse().ok()?))
}

fn repeat(text: &str) -> String {
    let mut whole = String::with_capacity(text.len());
    for line in text.lines() {
        if let Some((text, times)) = split_repeat(line) {
            for n in 1..=times {
                whole.push_str(&text.replace("{n}", &n.to_string()));
                whole.push('\n');
            }
        } else {
            whole.push_str(line);
            whole.push('\n');
        }
    }
    whole
}

const HEAD: &str = "\
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: widgets.example.com
spec:
";

/// The required fields of a CRD's `spec`, and what a fragment gets for those that it leaves out.
const FIELDS: [(&str, &str); 4] = [
    ("group", "  group: example.com\n"),
    ("names", "  names: {kind: Widget, listKind: WidgetList, plural: widgets, singular: widget}\n"),
    ("scope", "  scope: Namespaced\n"),
    ("versions", VERSIONS),
];

const VERSIONS: &str = "  versions:
    - name: v1
      served: true
      storage: true
      schema:
        openAPIV3Schema:
          type: object
          properties:
            spec:
";

fn crd_of_fields(fields: &str) -> File {
    let mut text = HEAD.to_owned();
    indent(&mut text, 2, &repeat(fields));
    for (name, default) in FIELDS {
        if !fields.lines().any(|line| line.split(':').next() == Some(name)) {
            text.push_str(default);
            if name == "versions" {
                indent(&mut text, 14, "type: object\n");
            }
        }
    }
    File { path: "crd.yaml".to_owned(), text }
}

fn crd_of_schema(schema: &str) -> File {
    let mut text = HEAD.to_owned();
    for (_, default) in FIELDS {
        text.push_str(default);
    }
    indent(&mut text, 14, &repeat(schema));
    File { path: "crd.yaml".to_owned(), text }
}

fn indent(out: &mut String, by: usize, text: &str) {
    for line in text.lines() {
        if !line.is_empty() {
            out.extend(std::iter::repeat_n(' ', by));
            out.push_str(line);
        }
        out.push('\n');
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Crd, Home, Keyword, objects};
    use crate::source::Source;

    fn file(body: Body) -> File {
        Example { name: "", good: false, body }.files().remove(0)
    }

    #[test]
    fn both_marks_are_seen_and_not_shown() {
        let text = "a: 1\nb: 2   # <- finding\n{{ if x }}{{- /* <- finding */}}\n# <- findings\n";
        let file = file(Body::Files(&[("a.yaml", "a: 1\nb: 2   # <- finding\n")]));
        assert_eq!(file.marked_lines(), [2]);
        let shown: Vec<_> =
            text.lines().map(Line::parse).map(|line| (line.text, line.marked)).collect();
        let expected = [("a: 1", false), ("b: 2", true), ("{{ if x }}", true), ("s", true)];
        assert_eq!(shown, expected.map(|(text, marked)| (text.to_owned(), marked)));
    }

    #[test]
    fn a_line_is_repeated_with_its_number() {
        let file =
            file(Body::Files(&[("a.yaml", "x:\n  f{n}: 1  # <- repeat 3\ny: 1 # <- finding\n")]));
        assert_eq!(file.text, "x:\n  f1: 1\n  f2: 1\n  f3: 1\ny: 1 # <- finding\n");
        assert_eq!(file.marked_lines(), [5]);
    }

    #[test]
    fn fragments_become_whole_crds_that_keep_their_marks() {
        for (body, line) in [
            (Body::Crd("scope: Cluster   # <- finding\n"), "  scope: Cluster   # <- finding"),
            (
                Body::Schema("type: object\nproperties:\n  size: {type: integer} # <- finding\n"),
                "                size: {type: integer} # <- finding",
            ),
        ] {
            let file = file(body);
            let marked = file.marked_lines();
            assert_eq!(marked.len(), 1);
            assert_eq!(file.text.lines().nth(marked[0] as usize - 1), Some(line));

            let stream = crate::yaml::parse(&Source::new("crd.yaml", file.text));
            let root = stream.first_root().unwrap();
            let crd = Crd::new(objects(root, Home::Manifest).remove(0)).unwrap();
            for path in [["spec", "group"], ["spec", "names"], ["spec", "scope"]] {
                assert!(root.at(&path).is_some(), "{path:?}");
            }
            let schema = crd.versions[0].schema.unwrap();
            let spec = schema.property("spec").unwrap();
            assert_eq!(spec.get(Keyword::Type).unwrap().value.decoded(), "object");
        }
    }
}
