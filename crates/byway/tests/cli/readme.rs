//! The README shows what really happens: its examples are run and compared.

use std::env;
use std::fs;
use std::path::Path;
use std::process::Command;

use crate::setup::Lab;

/// The commands of the README with the output it promises for each.
fn examples(readme: &str) -> Vec<(&str, String)> {
    let mut examples: Vec<(&str, String)> = Vec::new();
    for block in readme.split("```\n").skip(1).step_by(2) {
        let mut command = None;
        for line in block.lines() {
            if let Some(typed) = line.strip_prefix("$ ") {
                command = Some(typed);
                examples.push((typed, String::new()));
            } else if let (Some(_), Some((_, output))) = (command, examples.last_mut()) {
                output.push_str(line);
                output.push('\n');
            }
        }
    }
    examples
}

#[test]
fn its_examples_are_true() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let readme = fs::read_to_string(root.join("README.md")).expect("the README");
    let examples = examples(&readme);
    assert!(examples.len() >= 4, "the examples were not found: {examples:?}");
    let lab = Lab::new();
    let byway = lab.command(&[]);
    let dir = Path::new(byway.get_program()).parent().expect("a directory").to_path_buf();
    let path = format!("{}:{}", dir.display(), env::var("PATH").unwrap_or_default());
    for (typed, promised) in examples {
        let mut shell = Command::new("sh");
        shell.args(["-c", &format!("{typed} 2>&1")]).current_dir(&root).env("PATH", &path);
        shell.envs(byway.get_envs().filter_map(|(name, value)| Some((name, value?))));
        let output = shell.output().expect("sh starts");
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        assert_eq!(text.trim_end(), promised.trim_end(), "the README's '{typed}' is out of date");
    }
}
