//! `klee`: each program of `tests/klee` says in its first comment which commands to run, and what
//! they print.
//!
//! ```text
//! run: klee --max-depth=2 %.bc     a shell command; % is the program's name without extension
//! expect: TEXT                     the output of the command before, both streams, contains TEXT
//! reject: TEXT                     ... does not contain TEXT
//! code: N                          its exit code (0 if not given)
//! ```

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::setup::TestDir;

/// A command of a test, and what it must do.
#[derive(Debug, Default)]
struct KleeStep {
    command: String,
    expected: Vec<String>,
    rejected: Vec<String>,
    code: i32,
}

/// The steps in the first comment of a program.
fn steps(source: &str) -> Vec<KleeStep> {
    let comment = source.split("*/").next().unwrap_or_default();
    let mut steps: Vec<KleeStep> = Vec::new();
    for line in comment.lines() {
        let line = line.trim_start_matches([' ', '/', '*']);
        let Some((key, value)) = line.split_once(": ") else { continue };
        if key == "run" {
            steps.push(KleeStep { command: value.trim_end().into(), ..KleeStep::default() });
            continue;
        }
        let Some(step) = steps.last_mut() else { continue };
        match key {
            "expect" => step.expected.push(value.trim_end().into()),
            "reject" => step.rejected.push(value.trim_end().into()),
            "code" => step.code = value.trim().parse().expect("a number"),
            _ => {}
        }
    }
    steps
}

/// Runs a program's steps; the error says what is wrong.
fn check(path: &Path) -> Result<(), String> {
    let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
    let source = fs::read_to_string(path).expect("a program");
    let dir = TestDir::new();
    dir.file(&format!("{name}.c"), &source);
    let headers = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../runtime/include");
    let include = format!("-I{}", headers.display());
    let output = format!("{name}.bc");
    let flags = ["-emit-llvm", "-c", "-g", "-O0", "-Xclang", "-disable-O0-optnone", "-w"];
    dir.clang(&[&flags[..], &[&include, "-o", &output, &format!("{name}.c")]].concat());
    let tools = dir.path("bin");
    fs::create_dir(&tools).expect("a directory");
    for tool in
        ["byway", "klee", "ktest-tool", "klee-stats", "klee-replay", "ktest-gen", "ktest-randgen"]
    {
        std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_byway"), tools.join(tool)).expect("a link");
    }
    let steps = steps(&source);
    if steps.is_empty() {
        return Err(format!("{name}: no command to run"));
    }
    for step in steps {
        let mut shell = Command::new("sh");
        let environment = dir.command(&[]);
        let set = environment.get_envs().filter_map(|(name, value)| Some((name, value?)));
        shell.envs(set).current_dir(dir.path("")).env("TZ", "UTC");
        let search = std::env::var("PATH").unwrap_or_default();
        shell.env("PATH", format!("{}:{search}", tools.display())).env("INCLUDE", &include);
        let command = step.command.replace('%', &name);
        let ended = shell.args(["-c", &format!("{{ {command}\n}} 2>&1")]).output();
        let ended = ended.expect("a shell");
        let shown = String::from_utf8_lossy(&ended.stdout);
        let wrong = |what: &str| Err(format!("{name}: {what}\n$ {command}\n{shown}"));
        if ended.status.code() != Some(step.code) {
            return wrong(&format!("exit code {:?}, not {}", ended.status.code(), step.code));
        }
        if let Some(text) = step.expected.iter().find(|text| !shown.contains(text.as_str())) {
            return wrong(&format!("no {text:?}"));
        }
        if let Some(text) = step.rejected.iter().find(|text| shown.contains(text.as_str())) {
            return wrong(&format!("{text:?} is there"));
        }
    }
    Ok(())
}

/// The programs, in a stable order.
fn programs() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/klee");
    let entries = fs::read_dir(folder).expect("the programs").flatten();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "c"));
    paths.sort();
    paths
}

/// Runs every second program, from the first or the second: so two tests share the work.
fn check_half(first: usize) {
    let failed: Vec<String> =
        programs().iter().skip(first).step_by(2).filter_map(|path| check(path).err()).collect();
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}

#[test]
fn programs_behave_as_klee_documents_1() {
    check_half(0);
}

#[test]
fn programs_behave_as_klee_documents_2() {
    check_half(1);
}
