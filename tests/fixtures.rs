//! Every rule on every fixture: one compact line per finding, so that a change of any rule shows where it bites.

use crdlint::config::Policy;
use crdlint::engine::{Options, check};
use crdlint::rules::registry::Selection;

#[test]
fn every_rule_on_every_fixture() {
    // Display paths are relative to the package, where cargo runs tests.
    let rules = Selection { select: vec!["ALL".to_owned()], ignore: Vec::new() }
        .resolve()
        .expect("all rules");
    let options = Options {
        paths: vec!["fixtures".to_owned()],
        policy: Policy::of(rules),
        ..Options::default()
    };
    let run = check(&options).expect("fixtures");
    let lines: Vec<String> = run
        .findings
        .iter()
        .map(|finding| {
            let place = &finding.primary.place;
            format!(
                "{} {}:{} {}",
                finding.rule,
                place.source.display_path(),
                place.start().line,
                finding.severity
            )
        })
        .collect();
    insta::assert_snapshot!(lines.join("\n"));
}
