//! What the README shows is what crdlint prints. `UPDATE=1 cargo test --test readme` writes it anew.

use std::path::Path;
use std::process::Command;

const COMMAND: &str = "<!-- command: main -->\n```sh\n";
const OUTPUT: &str = "<!-- output: main -->\n```text\n";

#[test]
fn the_screenful_in_the_readme_is_real() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let readme = std::fs::read_to_string(root.join("README.md")).expect("README.md");
    let (_, rest) = readme.split_once(COMMAND).expect("the command");
    let (command, _) = rest.split_once("\n```").expect("its end");
    let arguments = command.split_once(" -- ").expect("arguments of crdlint").1;
    let output = Command::new(env!("CARGO_BIN_EXE_crdlint"))
        .args(arguments.split_whitespace())
        .current_dir(root)
        .env_remove("NO_COLOR")
        .env_remove("CLICOLOR_FORCE")
        .env_remove("TERM")
        .output()
        .expect("crdlint runs");
    let printed = String::from_utf8(output.stdout).expect("text");
    let (before, rest) = readme.split_once(OUTPUT).expect("the output");
    let (shown, after) = rest.split_once("```").expect("its end");
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(root.join("README.md"), format!("{before}{OUTPUT}{printed}```{after}"))
            .expect("README.md");
    } else {
        assert_eq!(shown, printed, "run `UPDATE=1 cargo test --test readme`");
    }
}
