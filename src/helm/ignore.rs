//! `.helmignore`, as `helm.sh/helm/v4/pkg/ignore` reads it: not `.gitignore`'s rules, though it looks alike.
//!
//! The first rule that decides wins; a negated rule excludes everything that it does *not* match; `**` is refused.

use super::glob;

/// The rules of a file, with Helm's defaults.
#[derive(Debug)]
pub(super) struct Rules {
    rules: Vec<Rule>,
}

#[derive(Debug)]
struct Rule {
    pattern: String,
    negate: bool,
    directories_only: bool,
    /// Compared with the base name instead of the whole path.
    base_only: bool,
}

impl Rules {
    /// Parse a `.helmignore`. What Helm refuses is the error: its fault, with the line.
    pub(super) fn parse(text: &str) -> Result<Self, (u32, String)> {
        let mut rules = Self { rules: Vec::new() };
        for (number, line) in (1..).zip(text.trim_start_matches('\u{FEFF}').lines()) {
            rules.add(line).map_err(|why| (number, why))?;
        }
        Ok(rules.with_defaults())
    }

    /// What holds without a file.
    pub(super) fn none() -> Self {
        Self { rules: Vec::new() }.with_defaults()
    }

    fn with_defaults(mut self) -> Self {
        self.rules.push(Rule {
            pattern: "templates/.?*".to_owned(),
            negate: false,
            directories_only: false,
            base_only: false,
        });
        self
    }

    fn add(&mut self, line: &str) -> Result<(), String> {
        let rule = line.trim();
        if rule.is_empty() || rule.starts_with('#') {
            return Ok(());
        }
        if rule.contains("**") {
            return Err(format!("`{rule}`: Helm does not know `**`"));
        }
        if glob::matches(rule, "abc").is_err() {
            return Err(format!("`{rule}` is no pattern"));
        }
        let (negate, rule) = rule.strip_prefix('!').map_or((false, rule), |rest| (true, rest));
        let (directories_only, rule) =
            rule.strip_suffix('/').map_or((false, rule), |rest| (true, rest));
        let (rooted, pattern) = rule.strip_prefix('/').map_or((false, rule), |rest| (true, rest));
        let base_only = !rooted && !pattern.contains('/');
        self.rules.push(Rule { pattern: pattern.to_owned(), negate, directories_only, base_only });
        Ok(())
    }

    /// Whether Helm leaves out what is at `path` in the chart.
    pub(super) fn ignores(&self, path: &str, is_directory: bool) -> bool {
        for rule in &self.rules {
            if rule.negate {
                if (rule.directories_only && !is_directory) || !rule.matches(path) {
                    return true;
                }
                continue;
            }
            if rule.directories_only && !is_directory {
                continue;
            }
            if rule.matches(path) {
                return true;
            }
        }
        false
    }
}

impl Rule {
    fn matches(&self, path: &str) -> bool {
        let name = if self.base_only { path.rsplit('/').next().unwrap_or(path) } else { path };
        glob::matches(&self.pattern, name).unwrap_or(false)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_follow_helm() {
        let rules = Rules::parse("# comment\n*.md\n/ci\ndocs/\nfiles/*.sh\n").unwrap();
        assert!(rules.ignores("README.md", false));
        assert!(rules.ignores("files/a.md", false));
        assert!(rules.ignores("ci", true));
        assert!(!rules.ignores("x/ci", true));
        assert!(rules.ignores("docs", true));
        assert!(!rules.ignores("docs", false));
        assert!(rules.ignores("files/a.sh", false));
        assert!(rules.ignores("templates/.hidden", false));
        assert!(!rules.ignores("templates/x.yaml", false));
    }

    #[test]
    fn a_negated_rule_excludes_what_it_does_not_match() {
        let rules = Rules::parse("!Chart.yaml\n").unwrap();
        assert!(!rules.ignores("Chart.yaml", false));
        assert!(rules.ignores("values.yaml", false));
    }

    #[test]
    fn what_helm_refuses_is_placed() {
        assert_eq!(Rules::parse("a\n**/x\n").unwrap_err().0, 2);
        assert_eq!(Rules::parse("[\n").unwrap_err().0, 1);
    }
}
