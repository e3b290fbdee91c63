//! `crdlint new-rule ID --family FAMILY`: the files of a new rule, ready to be filled in.
//!
//! For work on crdlint itself: it finds the checkout upwards from the current folder. What it writes compiles, and its
//! examples pass; the texts say FIXME, which a test refuses. Nothing is written unless everything can be.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Write the files of the rule `id` into the checkout around `here`, and say on `out` what to do next.
pub fn run(id: &str, family: &str, here: &Path, out: &mut dyn Write) -> Result<(), NewRuleError> {
    check_id(id)?;
    let root = checkout(here)?;
    let families = families(&root)?;
    if !families.iter().any(|known| known == family) {
        let known = families.join("`, `");
        return Err(NewRuleError::UnknownFamily { family: family.to_owned(), known });
    }
    let short = id.strip_prefix(family).and_then(|rest| rest.strip_prefix('-')).unwrap_or(id);
    let module = short.replace('-', "_");
    let page = format!("rules/{id}.yaml");
    let check = format!("src/rules/{family}/{module}.rs");
    let list = format!("src/rules/{family}/mod.rs");
    for path in [&page, &check] {
        if root.join(path).exists() {
            return Err(NewRuleError::Exists(path.clone()));
        }
    }
    let before = read(&root.join(&list))?;
    let after = listed(&before, &module).ok_or(NewRuleError::Unlisted(list.clone()))?;

    let subject = Subject::of(id);
    write(&root.join(&page), &page_text(id, subject))?;
    write(&root.join(&check), &check_text(id, subject))?;
    write(&root.join(&list), &after)?;
    writeln!(
        out,
        "created {page}\ncreated {check}\nchanged {list}\n\n\
         Next, in this order:\n\
         1. {page}: write the texts, and examples with `# <- finding` on the lines to be found\n\
         2. cargo test --test rules {id}: see the examples fail\n\
         3. {check}: write the check, until they pass\n\
         4. cargo run -- explain {id}: read the page as a stranger would\n\
         5. CHANGELOG.md: a line under \"Unreleased\" that names the rule"
    )
    .map_err(NewRuleError::Output)
}

/// Why there is no new rule.
#[derive(Debug, thiserror::Error)]
pub enum NewRuleError {
    /// The user's fault: the id is no kebab case, or has no subject.
    #[error(
        "`{0}` is no rule id: write `<subject>-<pattern>` in kebab case, such as `crd-status-in-manifest`"
    )]
    NoId(String),
    /// The user's fault: run somewhere else.
    #[error(
        "no checkout of crdlint around `{}`: `new-rule` is for work on crdlint itself", .0.display()
    )]
    NoCheckout(PathBuf),
    /// The user's fault: a family that has no folder.
    #[error("there is no family `{family}` in src/rules; there are `{known}`")]
    UnknownFamily {
        /// What was asked for.
        family: String,
        /// What there is.
        known: String,
    },
    /// The user's fault: the rule is there already.
    #[error("`{0}` exists already")]
    Exists(String),
    /// The checkout's fault: somebody changed the form of the list.
    #[error("`{0}` has no `RULES: &[Rule] = &[…];` to add the rule to; add it by hand")]
    Unlisted(String),
    /// A file that cannot be read or written.
    #[error("`{}`: {error}", path.display())]
    File {
        /// Which.
        path: PathBuf,
        /// Why.
        #[source]
        error: io::Error,
    },
    /// The output cannot be written.
    #[error(transparent)]
    Output(io::Error),
}

fn check_id(id: &str) -> Result<(), NewRuleError> {
    let is_word = |word: &str| {
        !word.is_empty() && word.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit())
    };
    let starts_well = id.starts_with(|first: char| first.is_ascii_lowercase());
    if starts_well && id.contains('-') && id.split('-').all(is_word) {
        Ok(())
    } else {
        Err(NewRuleError::NoId(id.to_owned()))
    }
}

/// The nearest folder upwards that holds crdlint's own manifest.
fn checkout(here: &Path) -> Result<PathBuf, NewRuleError> {
    here.ancestors()
        .find(|folder| {
            fs::read_to_string(folder.join("Cargo.toml"))
                .is_ok_and(|text| text.lines().any(|line| line.trim() == r#"name = "crdlint""#))
        })
        .map(Path::to_path_buf)
        .ok_or_else(|| NewRuleError::NoCheckout(here.to_path_buf()))
}

/// The folders with rules, by name.
fn families(root: &Path) -> Result<Vec<String>, NewRuleError> {
    let folder = root.join("src/rules");
    let failed = |error| NewRuleError::File { path: folder.clone(), error };
    let mut names = Vec::new();
    for entry in fs::read_dir(&folder).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        if entry.path().join("mod.rs").is_file() {
            names.push(entry.file_name().to_string_lossy().into_owned());
        }
    }
    names.sort();
    Ok(names)
}

fn read(path: &Path) -> Result<String, NewRuleError> {
    fs::read_to_string(path).map_err(|error| NewRuleError::File { path: path.to_path_buf(), error })
}

fn write(path: &Path, text: &str) -> Result<(), NewRuleError> {
    fs::write(path, text).map_err(|error| NewRuleError::File { path: path.to_path_buf(), error })
}

/// The text of a family's `mod.rs` with one module more, as rustfmt would set it.
fn listed(text: &str, module: &str) -> Option<String> {
    const OPEN: &str = "RULES: &[Rule] = &[";
    let start = text.find(OPEN)? + OPEN.len();
    let end = start + text[start..].find("];")?;
    let mut rules: Vec<String> = text[start..end]
        .split(',')
        .map(|rule| rule.trim().to_owned())
        .filter(|rule| !rule.is_empty())
        .collect();
    rules.push(format!("{module}::RULE"));
    rules.sort();

    let mut head = text[..start].to_owned();
    let declaration = format!("mod {module};\n");
    let modules = || text[..start].lines().filter(|line| line.starts_with("mod "));
    if let Some(next) = modules().find(|line| *line > declaration.trim_end()) {
        head.insert_str(head.find(&format!("\n{next}\n"))? + 1, &declaration);
    } else if let Some(last) = modules().next_back() {
        head.insert_str(head.find(&format!("\n{last}\n"))? + last.len() + 2, &declaration);
    } else {
        head.insert_str(head.rfind('\n')? + 1, &format!("{declaration}\n"));
    }

    let line = head.lines().next_back().unwrap_or_default();
    let joined = rules.join(", ");
    let list = if line.len() + joined.len() + "];".len() <= 100 {
        joined
    } else {
        format!("\n    {},\n", rules.join(",\n    "))
    };
    Some(format!("{head}{list}{}", &text[end..]))
}

/// What the scaffold of a check looks at; `rules::registry::Check` has all that there is.
#[derive(Clone, Copy)]
enum Subject {
    Object,
    Crd,
    Chart,
}

impl Subject {
    fn of(id: &str) -> Self {
        match id.split('-').next() {
            Some("crd") => Self::Crd,
            Some("chart") => Self::Chart,
            _ => Self::Object,
        }
    }

    const fn word(self) -> &'static str {
        match self {
            Self::Object => "object",
            Self::Crd => "crd",
            Self::Chart => "chart",
        }
    }

    /// Files around the object of the example.
    const fn files(self) -> &'static str {
        match self {
            Self::Object | Self::Crd => "      crd.yaml: |",
            Self::Chart => {
                "      Chart.yaml: |
        apiVersion: v2
        name: widget-operator
        version: 1.0.0
      crds/widgets.yaml: |"
            }
        }
    }

    const fn check(self) -> &'static str {
        match self {
            Self::Object => {
                "use super::super::{Check, Cx, Rule};
use crate::model::Object;

pub(super) const RULE: Rule = Rule::new(\"ID\", Check::Object(check));

fn check(object: &Object<'_>, cx: &mut Cx<'_>) {
    let Some(entry) = object.annotation(\"example.com/fixme\") else { return };
    cx.report(entry.key.place(), \"FIXME `field` is …, and Argo CD …\").help(\"FIXME What to do here\");
}
"
            }
            Self::Crd => {
                "use super::super::{Check, Cx, Rule};
use crate::model::Crd;

pub(super) const RULE: Rule = Rule::new(\"ID\", Check::Crd(check));

fn check(crd: &Crd<'_>, cx: &mut Cx<'_>) {
    let Some(entry) = crd.object.annotation(\"example.com/fixme\") else { return };
    cx.report(entry.key.place(), \"FIXME `field` is …, and Argo CD …\").help(\"FIXME What to do here\");
}
"
            }
            Self::Chart => {
                "use super::super::{Check, Cx, Rule};
use crate::model::Chart;

pub(super) const RULE: Rule = Rule::new(\"ID\", Check::Chart(check));

fn check(chart: &Chart, cx: &mut Cx<'_>) {
    for object in chart.crd_files().flat_map(|(_, file)| file.objects()) {
        let Some(entry) = object.annotation(\"example.com/fixme\") else { continue };
        cx.set_object(Some(object.reference()));
        cx.report(entry.key.place(), \"FIXME `field` is …, and Helm 4 …\")
            .help(\"FIXME What to do here\");
    }
}
"
            }
        }
    }
}

fn page_text(id: &str, subject: Subject) -> String {
    let (word, files) = (subject.word(), subject.files());
    let since = env!("CARGO_PKG_VERSION");
    format!(
        "# yaml-language-server: $schema=schema.json
id: {id}
name: FIXME What is wrong, as a title
since: {since}
subject: {word}
category: hygiene
severity: warning
installers: [helm3, helm4, argocd, flux]
summary: FIXME What goes wrong, in one sentence.
why: |
  FIXME The concrete failure in two or three sentences: who does what, which tool behaves how, what is lost. Name the
  installer whose behaviour bites.
fix: |
  FIXME What to do about it.
references:
  - https://example.com/FIXME
examples:
  - name: FIXME what is special about it
    files:
{files}
        apiVersion: apiextensions.k8s.io/v1
        kind: CustomResourceDefinition
        metadata:
          name: widgets.example.com
          annotations:
            example.com/fixme: \"true\"   # <- finding
  - name: FIXME the nearest thing that is right
    good: true
    files:
{files}
        apiVersion: apiextensions.k8s.io/v1
        kind: CustomResourceDefinition
        metadata:
          name: widgets.example.com
"
    )
}

fn check_text(id: &str, subject: Subject) -> String {
    let check = subject.check().replace("ID", id);
    format!("//! FIXME what is wrong, and how the check sees it.\n\n{check}")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A checkout with the families `chart` and `crd` in it.
    fn checkout_copy() -> tempfile::TempDir {
        let real = Path::new(env!("CARGO_MANIFEST_DIR"));
        let copy = tempfile::tempdir().unwrap();
        for folder in ["src/rules/chart", "src/rules/crd", "rules"] {
            fs::create_dir_all(copy.path().join(folder)).unwrap();
        }
        for path in ["Cargo.toml", "rules/schema.json"] {
            fs::copy(real.join(path), copy.path().join(path)).unwrap();
        }
        for path in ["src/rules/chart/mod.rs", "src/rules/crd/mod.rs"] {
            fs::copy(real.join(path), copy.path().join(path)).unwrap();
        }
        copy
    }

    fn scaffold(copy: &tempfile::TempDir, id: &str, family: &str) -> Result<String, String> {
        let mut out = Vec::new();
        run(id, family, &copy.path().join("src"), &mut out).map_err(|error| error.to_string())?;
        Ok(String::from_utf8(out).unwrap())
    }

    #[test]
    fn a_new_rule_is_well_formed_and_listed() {
        let copy = checkout_copy();
        let text = |path: &str| fs::read_to_string(copy.path().join(path)).unwrap();
        let schema = serde_json::from_str(&text("rules/schema.json")).unwrap();
        let validator = jsonschema::validator_for(&schema).unwrap();
        for (id, family, module, view) in [
            ("crd-zz-last", "crd", "zz_last", "Crd"),
            ("chart-zz-last", "chart", "zz_last", "Chart"),
            ("rbac-wildcard", "chart", "rbac_wildcard", "Object"),
        ] {
            let said = scaffold(&copy, id, family).unwrap();
            assert!(said.starts_with(&format!("created rules/{id}.yaml\n")), "{said}");

            let page = serde_yaml::from_str(&text(&format!("rules/{id}.yaml"))).unwrap();
            let problems: Vec<_> = validator.iter_errors(&page).map(|e| e.to_string()).collect();
            assert_eq!(problems, [""; 0]);

            let list = text(&format!("src/rules/{family}/mod.rs"));
            assert!(list.contains(&format!("\nmod {module};\n")), "{list}");
            assert!(list.contains(&format!("{module}::RULE")), "{list}");
            let check = text(&format!("src/rules/{family}/{module}.rs"));
            let rule = format!(r#"Rule::new("{id}", Check::{view}(check))"#);
            assert!(check.contains(&rule), "{check}");
        }
    }

    #[test]
    fn nothing_is_overwritten() {
        let copy = checkout_copy();
        scaffold(&copy, "crd-zz-last", "crd").unwrap();
        let list = fs::read_to_string(copy.path().join("src/rules/crd/mod.rs")).unwrap();
        let again = scaffold(&copy, "crd-zz-last", "crd").unwrap_err();
        assert_eq!(again, "`rules/crd-zz-last.yaml` exists already");
        assert_eq!(fs::read_to_string(copy.path().join("src/rules/crd/mod.rs")).unwrap(), list);
    }

    #[test]
    fn what_cannot_be_is_said() {
        let copy = checkout_copy();
        for id in ["", "crd", "crd-", "-crd", "Crd-x", "crd_x-y", "crd--x", "1-x", "../x-y"] {
            assert!(scaffold(&copy, id, "crd").unwrap_err().contains("is no rule id"), "{id}");
        }
        let error = scaffold(&copy, "crd-x", "crds").unwrap_err();
        assert_eq!(error, "there is no family `crds` in src/rules; there are `chart`, `crd`");
        let elsewhere = tempfile::tempdir().unwrap();
        let error = run("crd-x", "crd", elsewhere.path(), &mut Vec::new()).unwrap_err();
        assert!(error.to_string().starts_with("no checkout of crdlint around"), "{error}");
    }

    #[test]
    fn lists_stay_sorted_and_formatted() {
        let empty = "//! A.\n\nuse super::Rule;\n\npub(super) const RULES: &[Rule] = &[];\n";
        let mut text = empty.to_owned();
        for module in ["crd_b_second", "crd_d_fourth", "crd_c_third", "crd_a_first"] {
            text = listed(&text, module).unwrap();
        }
        assert_eq!(
            text,
            "//! A.\n\nuse super::Rule;\n\nmod crd_a_first;\nmod crd_b_second;\nmod crd_c_third;\n\
             mod crd_d_fourth;\n\npub(super) const RULES: &[Rule] = &[\n    crd_a_first::RULE,\n    \
             crd_b_second::RULE,\n    crd_c_third::RULE,\n    crd_d_fourth::RULE,\n];\n"
        );
        let one = listed(empty, "crd_b_second").unwrap();
        assert!(one.ends_with("RULES: &[Rule] = &[crd_b_second::RULE];\n"), "{one}");
        assert_eq!(listed("nothing here", "x"), None);
    }
}
