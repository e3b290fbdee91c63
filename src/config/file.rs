//! `crdlint.yaml`: which keys there are and what they hold.
//!
//! `docs/crdlint.schema.json` says the same for editors; `tests/config.rs` holds the two together.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use super::read::{Reader, words};
use super::{FailOn, Layer, Mistakes};
use crate::discover::Patterns;
use crate::finding::{RuleId, Severity};
use crate::rules::meta::Installer;
use crate::rules::registry::{self, Selection};
use crate::source::{Source, Span};
use crate::yaml::{self, Node};

/// The keys of the file.
pub const KEYS: [&str; 7] =
    ["installers", "select", "ignore", "severity", "exclude", "overrides", "fail-on"];
/// The keys of an entry of `overrides`.
pub const OVERRIDE_KEYS: [&str; 4] = ["paths", "select", "ignore", "severity"];

const SEVERITIES: [(&str, Severity); 3] =
    [("error", Severity::Error), ("warning", Severity::Warning), ("note", Severity::Note)];

/// A configuration file that holds no mistake.
#[derive(Clone, Debug, Default)]
pub struct Config {
    /// Display path of the file.
    pub path: String,
    /// The installers in use; empty: all.
    pub installers: Vec<Installer>,
    /// What the file says for every path.
    pub layer: Layer,
    /// Paths to leave out.
    pub exclude: Patterns,
    /// What it says for some paths, the later winning.
    pub overrides: Vec<Override>,
    /// From which severity on a run fails.
    pub fail_on: Option<FailOn>,
}

/// An entry of `overrides`.
#[derive(Clone, Debug, Default)]
pub struct Override {
    /// Where it holds.
    pub paths: Patterns,
    /// What it says there.
    pub layer: Layer,
}

impl Config {
    /// Read `source`. Patterns in it are relative to `base`.
    ///
    /// # Errors
    /// Everything that is wrong with it.
    pub fn parse(source: &Arc<Source>, base: &Path) -> Result<Self, Mistakes> {
        let stream = yaml::parse(source);
        let mut reader = Reader::new(source);
        let mut config = Self { path: source.display_path(), ..Self::default() };
        for (index, document) in stream.documents().enumerate() {
            if let Some(error) = document.error() {
                reader.mistake(
                    error.span,
                    format!("{}: {}", error.kind.message(), error.kind.help()),
                );
            } else if let Some(root) = document.root() {
                if index > 0 {
                    reader.mistake(
                        root.span(),
                        "a second document; the configuration is one document",
                    );
                    continue;
                }
                config.read(root, base, &mut reader);
            }
        }
        reader.finish(config)
    }

    fn read(&mut self, root: Node<'_>, base: &Path, reader: &mut Reader) {
        let mut selection = Lists::default();
        for (key, value) in reader.fields(root, "the configuration", &KEYS) {
            match key {
                "installers" => self.installers = installers(value, reader),
                "exclude" => self.exclude = patterns(value, base, reader),
                "overrides" => {
                    for item in reader.items(value, "a list of overrides") {
                        self.overrides.push(an_override(item, base, reader));
                    }
                }
                "fail-on" => {
                    self.fail_on = reader.word(value, "threshold", &FailOn::WORDS, "");
                }
                _ => selection.read(key, value, reader),
            }
        }
        self.layer = selection.layer();
    }
}

fn an_override(node: Node<'_>, base: &Path, reader: &mut Reader) -> Override {
    let mut this = Override::default();
    let mut selection = Lists::default();
    let mut has_paths = false;
    for (key, value) in reader.fields(node, "an override", &OVERRIDE_KEYS) {
        if key == "paths" {
            has_paths = !value.is_null();
            this.paths = patterns(value, base, reader);
        } else {
            selection.read(key, value, reader);
        }
    }
    if node.is_null() || (node.is_mapping() && !has_paths) {
        let start = node.span().start;
        let message = "an override needs `paths`, a list of patterns; what holds everywhere stands outside `overrides`";
        reader.mistake(Span::at(start), message);
    }
    this.layer = selection.layer();
    this
}

/// `select`, `ignore` and `severity`, which the file and each override have.
#[derive(Default)]
struct Lists {
    selection: Selection,
    severity: BTreeMap<RuleId, Severity>,
}

impl Lists {
    fn read(&mut self, key: &str, value: Node<'_>, reader: &mut Reader) {
        match key {
            "select" => self.selection.select = rules(value, reader),
            "ignore" => self.selection.ignore = rules(value, reader),
            "severity" => self.severity = severities(value, reader),
            other => unreachable!("the key `{other}` is listed and not read"),
        }
    }

    fn layer(self) -> Layer {
        // Unknown ids were left out of the lists when they were reported.
        let selector = self.selection.selector().unwrap_or_default();
        Layer { selector, severity: self.severity }
    }
}

fn rules(list: Node<'_>, reader: &mut Reader) -> Vec<String> {
    let mut ids = Vec::new();
    for item in reader.items(list, "a list of rule ids, or [ALL]") {
        let Some(id) = reader.text(item, "the id of a rule, or `ALL`") else { continue };
        match registry::resolve(&id) {
            Err(error) if id != "ALL" => reader.mistake(item.span(), error.to_string()),
            _ => ids.push(id),
        }
    }
    ids
}

fn severities(map: Node<'_>, reader: &mut Reader) -> BTreeMap<RuleId, Severity> {
    let mut severities = BTreeMap::new();
    for entry in reader.entries(map, "a map from rule ids to severities") {
        let id = entry.key.decoded();
        let rule = match registry::resolve(&id) {
            Ok(rule) => rule.id(),
            Err(error) => {
                reader.mistake(entry.key.span(), error.to_string());
                continue;
            }
        };
        let instead = " (a rule is switched off under `ignore`)";
        let Some(severity) = reader.word(entry.value, "severity", &SEVERITIES, instead) else {
            continue;
        };
        if severities.insert(rule, severity).is_some() {
            reader.mistake(entry.key.span(), format!("`{rule}` is set twice"));
        }
    }
    severities
}

fn patterns(list: Node<'_>, base: &Path, reader: &mut Reader) -> Patterns {
    let mut patterns = Vec::new();
    for item in reader.items(list, "a list of path patterns") {
        let Some(pattern) = reader.text(item, "a path pattern, such as `charts/*/crds/**`") else {
            continue;
        };
        let outside = pattern.starts_with('/') || pattern.split('/').any(|part| part == "..");
        if pattern.is_empty() || outside {
            let message = format!(
                "`{pattern}` matches nothing: patterns are relative to the folder of this file, and stay below it"
            );
            reader.mistake(item.span(), message);
        } else if let Err(error) = Patterns::new(base, std::slice::from_ref(&pattern)) {
            let why = std::error::Error::source(&error).map_or_else(String::new, |source| {
                let text = source.to_string();
                format!(": {}", text.rsplit(": ").next().unwrap_or(&text))
            });
            reader.mistake(item.span(), format!("{error}{why}"));
        } else {
            patterns.push(pattern);
        }
    }
    Patterns::new(base, &patterns).unwrap_or_default()
}

fn installers(list: Node<'_>, reader: &mut Reader) -> Vec<Installer> {
    let known: Vec<_> = Installer::ALL.iter().map(|one| (one.as_str(), *one)).collect();
    let names: Vec<_> = known.iter().map(|(name, _)| *name).collect();
    let items = reader.items(list, &format!("a list of {}", words(&names)));
    items.into_iter().filter_map(|item| reader.word(item, "installer", &known, "")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<Config, Vec<String>> {
        let source = Source::new("crdlint.yaml", text);
        Config::parse(&source, Path::new("/repo"))
            .map_err(|mistakes| mistakes.0.iter().map(ToString::to_string).collect())
    }

    fn mistakes(text: &str) -> Vec<String> {
        parse(text).expect_err("a mistake")
    }

    #[test]
    fn every_key_is_read() {
        let config = parse(
            "installers: [helm4, argocd]\nselect: [ALL]\nignore: [crd-status-in-manifest]\n\
             severity: {yaml-syntax: warning}\nexclude: [testdata]\nfail-on: never\n\
             overrides:\n- paths: [charts/legacy/**]\n  select: []\n  ignore: [yaml-syntax]\n  severity: {}\n",
        )
        .unwrap();
        assert_eq!(config.installers, [Installer::Helm4, Installer::Argocd]);
        assert_eq!(config.fail_on, Some(FailOn::Never));
        assert_eq!(config.layer.severity[&RuleId("yaml-syntax")], Severity::Warning);
        assert!(config.exclude.matches("/repo/a/testdata/b.yaml"));
        assert!(config.overrides[0].paths.matches("/repo/charts/legacy/values.yaml"));
        assert!(!config.overrides[0].paths.matches("/elsewhere/charts/legacy/values.yaml"));
    }

    #[test]
    fn nothing_in_it_is_no_mistake() {
        for text in ["", "# later\n", "---\n", "select:\nignore:\nseverity:\noverrides:\n"] {
            assert!(parse(text).is_ok(), "{text:?}");
        }
    }

    #[test]
    fn every_mistake_is_named_with_its_place() {
        assert_eq!(
            mistakes("ignor: []\nseverity:\n  yaml-sintax: error\nfail-on: [error]\n"),
            [
                "crdlint.yaml:1:1: unknown key `ignor`, did you mean `ignore`?",
                "crdlint.yaml:3:3: there is no rule `yaml-sintax`, did you mean `yaml-syntax`? (`crdlint rules` lists all)",
                "crdlint.yaml:4:10: expected threshold: `error`, `warning`, `note` or `never`, found a list",
            ]
        );
    }

    #[test]
    fn wrong_types_say_what_is_expected() {
        for (text, expected) in [
            ("- a\n", "1:1: expected the configuration, a map of settings, found a list"),
            (
                "select: yaml-syntax\n",
                "1:9: expected a list of rule ids, or [ALL], found a string `yaml-syntax`",
            ),
            ("ignore: [1]\n", "1:10: expected the id of a rule, or `ALL`, found an integer `1`"),
            (
                "severity: {yaml-syntax: off}\n",
                "1:25: expected severity: `error`, `warning` or `note` (a rule is switched off under `ignore`), found a boolean `off`",
            ),
            (
                "severity: {yaml-syntax: warn}\n",
                "1:25: `warn` is no severity, did you mean `warning`?",
            ),
            ("installers: [helm]\n", "1:14: `helm` is no installer, did you mean `helm3`?"),
            ("fail-on: error\nfail-on: note\n", "2:1: `fail-on` is set twice"),
            (
                "overrides: [{ignore: []}]\n",
                "1:13: an override needs `paths`, a list of patterns; what holds everywhere stands outside `overrides`",
            ),
            (
                "exclude: ['a{b']\n",
                "1:11: `a{b` is no pattern: unclosed alternate group; missing '}' (maybe escape '{' with '[{]'?)",
            ),
            (
                "exclude: [../x]\n",
                "1:11: `../x` matches nothing: patterns are relative to the folder of this file, and stay below it",
            ),
            (
                "---\na: 1\n---\n",
                "2:1: unknown key `a`; expected one of `installers`, `select`, `ignore`, `severity`, `exclude`, `overrides` or `fail-on`",
            ),
            (
                "select: []\n---\nignore: []\n",
                "3:1: a second document; the configuration is one document",
            ),
        ] {
            assert_eq!(mistakes(text), [format!("crdlint.yaml:{expected}")], "{text}");
        }
        assert!(
            mistakes("a: [1\n")[0].starts_with("crdlint.yaml:2:1: "),
            "{:?}",
            mistakes("a: [1\n")
        );
    }
}
