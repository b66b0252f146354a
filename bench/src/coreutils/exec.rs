//! `coreutils exec`: command lines under Byway and natively.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, SystemTime};

use super::commands::{self, Fixture, ToolCommand};
use super::{Tools, ToolsOption, folder, read, report};
use crate::checks::{self, CheckCase, CheckVerdict};
use crate::compare::{self, UNFAITHFUL};
use crate::process::{self, ProcessResult, ProcessStatus};
use crate::record;
use crate::setup::{BenchSetup, create_dir};

/// No command line of ours takes long.
const NATIVE_LIMIT: Duration = Duration::from_secs(10);
const BYWAY_LIMIT: Duration = Duration::from_secs(60);

/// When all fixtures were changed last, in seconds since 1970: listings show it.
const CHANGED: Duration = Duration::from_secs(1_600_000_000);

/// Options of `coreutils exec`.
#[derive(clap::Args, Debug)]
pub struct CoreutilsExecOptions {
    #[command(flatten)]
    tools: ToolsOption,

    /// The checks of byway, such as `all`
    #[arg(long, value_name = "CHECKS")]
    checks: Option<String>,

    /// Command lines at once
    #[arg(long, value_name = "N", default_value_t = 2)]
    jobs: usize,

    /// Write the result to bench/results/DATE-coreutils-exec.md
    #[arg(long)]
    record: bool,
}

/// Compares all command lines of the chosen tools; returns whether all agree.
pub fn run(
    setup: &BenchSetup,
    tools: &Tools,
    options: &CoreutilsExecOptions,
) -> Result<bool, String> {
    let file = folder(setup).join("commands.txt");
    let mut commands =
        commands::parse(&read(&file)?).map_err(|e| format!("{}: {e}", file.display()))?;
    if let Some(only) = &options.tools.tools {
        commands.lines.retain(|line| only.contains(&line.tool));
    }
    if commands.lines.is_empty() {
        return Err("there is no such command line; try --help".to_owned());
    }
    let checks = options.checks.as_deref();
    let bench = ExecBench { setup, tools, fixtures: &commands.fixtures, checks };
    let cases: Vec<CheckCase> = commands.lines.iter().map(|line| case(&bench, line)).collect();
    let tally = checks::run_checks("coreutils", &cases, options.jobs);
    let report = report::report(&commands.lines, &tally);
    println!("{report}");
    if options.record {
        record::write("coreutils-exec", "Coreutils under Byway and natively", &report)?;
    }
    Ok(tally.mismatches.is_empty())
}

/// Shared by the checks of all command lines.
struct ExecBench<'a> {
    setup: &'a BenchSetup,
    tools: &'a Tools,
    fixtures: &'a [Fixture],
    checks: Option<&'a str>,
}

fn case<'a>(bench: &'a ExecBench, line: &'a ToolCommand) -> CheckCase<'a> {
    let check = move || match compare(bench, line) {
        Ok(verdict) => verdict,
        Err(difference) => mismatch(line, difference),
    };
    CheckCase { name: line.text.clone(), check: Box::new(check) }
}

fn mismatch(line: &ToolCommand, difference: String) -> CheckVerdict {
    let reproduce = format!("./dev bench coreutils exec --tools {}", line.tool);
    CheckVerdict::Mismatch { difference, reproduce }
}

fn compare(bench: &ExecBench, line: &ToolCommand) -> Result<CheckVerdict, String> {
    // Each run gets files of its own, at the same place: names are printed.
    let folder = bench.setup.folder(&line.tool)?;
    let place = folder.file("files");
    let native = natively(bench, line, &place)?;
    let byway = under_byway(bench, line, &place)?;
    Ok(verdict(line, &native, &byway))
}

/// Runs the executable with an empty environment, as Byway does.
fn natively(bench: &ExecBench, line: &ToolCommand, place: &Path) -> Result<ProcessResult, String> {
    let files = FixtureFiles::lay(bench.fixtures, place)?;
    let mut command = Command::new(bench.tools.native(&line.tool));
    command.current_dir(files.0).env_clear().args(arguments(line));
    process::run(&mut command, &line.stdin, NATIVE_LIMIT)
}

/// Runs the bitcode under the executable's name: messages begin with it.
fn under_byway(
    bench: &ExecBench,
    line: &ToolCommand,
    place: &Path,
) -> Result<ProcessResult, String> {
    let files = FixtureFiles::lay(bench.fixtures, place)?;
    let mut command = bench.setup.byway();
    command.current_dir(files.0).arg("exec").arg("--host-files").arg(files.0);
    command.args(bench.checks.map(|checks| format!("--checks={checks}")));
    command.arg("--argv0").arg(bench.tools.native(&line.tool));
    command.arg(bench.tools.bitcode(&line.tool)).arg("--").args(arguments(line));
    process::run(&mut command, &line.stdin, BYWAY_LIMIT)
}

fn arguments(line: &ToolCommand) -> impl Iterator<Item = &OsStr> {
    line.args.iter().map(|arg| OsStr::from_bytes(arg))
}

fn verdict(line: &ToolCommand, native: &ProcessResult, byway: &ProcessResult) -> CheckVerdict {
    let stderr = without_warnings(&byway.stderr);
    if byway.status == native.status && byway.stdout == native.stdout && stderr == native.stderr {
        return CheckVerdict::Agree;
    }
    if let Some(fault) = fault(byway) {
        return mismatch(line, fault);
    }
    if byway.status == ProcessStatus::Code(compare::UNSUPPORTED) && compare::is_unsupported(byway) {
        let line = compare::first_line(byway);
        return CheckVerdict::Skipped(line.trim_start_matches("byway: unsupported: ").to_owned());
    }
    if let Some(missing) = compare::missing(byway) {
        return CheckVerdict::Skipped(missing);
    }
    if byway.status == ProcessStatus::TimedOut {
        return CheckVerdict::Skipped(format!("takes more than {} s", BYWAY_LIMIT.as_secs()));
    }
    let mut parts = Vec::new();
    if native.status != byway.status || native.stdout != byway.stdout {
        parts.push(compare::difference(native, byway));
    }
    if stderr != native.stderr {
        parts.push(format!(
            "standard error: {}",
            compare::output_difference(&native.stderr, &stderr)
        ));
    }
    mismatch(line, parts.join("; "))
}

/// The kind and location of the fault that byway ended the tool with.
fn fault(byway: &ProcessResult) -> Option<String> {
    let text = byway.stderr_text();
    let mut lines = text.lines().skip_while(|line| !line.starts_with("error["));
    let what = lines.next()?;
    let place = lines.take_while(|line| line.contains("--> ") || line.starts_with("note: "));
    Some(place.fold(what.to_owned(), |all, line| format!("{all} {}", line.trim())))
}

/// Standard error without the lines that byway adds at the end.
fn without_warnings(stderr: &[u8]) -> Vec<u8> {
    let own = |line: &&[u8]| !line.starts_with(UNFAITHFUL.as_bytes());
    stderr.split_inclusive(|&byte| byte == b'\n').filter(own).flatten().copied().collect()
}

/// The folder a command runs in, removed afterwards.
struct FixtureFiles<'a>(&'a Path);

impl<'a> FixtureFiles<'a> {
    fn lay(fixtures: &[Fixture], place: &'a Path) -> Result<Self, String> {
        create_dir(place)?;
        let files = FixtureFiles(place);
        for fixture in fixtures {
            files.add(fixture).map_err(|e| format!("cannot make {fixture:?}: {e}"))?;
        }
        // Last, because a new file changes its folder.
        for fixture in fixtures {
            files.date(fixture).map_err(|e| format!("cannot date {fixture:?}: {e}"))?;
        }
        Ok(files)
    }

    fn add(&self, fixture: &Fixture) -> std::io::Result<()> {
        match fixture {
            Fixture::Dir(name) => std::fs::create_dir(self.0.join(name)),
            Fixture::File(name, contents) => std::fs::write(self.0.join(name), contents),
            Fixture::Link(name, target) => std::os::unix::fs::symlink(target, self.0.join(name)),
        }
    }

    fn date(&self, fixture: &Fixture) -> std::io::Result<()> {
        match fixture {
            Fixture::Dir(name) | Fixture::File(name, _) => std::fs::File::open(self.0.join(name))?
                .set_modified(SystemTime::UNIX_EPOCH + CHANGED),
            Fixture::Link(..) => Ok(()),
        }
    }
}

impl Drop for FixtureFiles<'_> {
    fn drop(&mut self) {
        // The setup removes the parent folder anyway.
        drop(std::fs::remove_dir_all(self.0));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ended(code: i32, stdout: &str, stderr: &str) -> ProcessResult {
        ProcessResult {
            status: ProcessStatus::Code(code),
            stdout: stdout.into(),
            stderr: stderr.into(),
            time: Duration::ZERO,
        }
    }

    fn judged(native: &ProcessResult, byway: &ProcessResult) -> CheckVerdict {
        let commands = commands::parse("cat x").expect("a command");
        verdict(&commands.lines[0], native, byway)
    }

    #[test]
    fn a_warning_that_changed_nothing_is_overlooked() {
        let warning = format!("cat: x\n{UNFAITHFUL}system call y (2 times)\n");
        assert!(matches!(
            judged(&ended(1, "o", "cat: x\n"), &ended(1, "o", &warning)),
            CheckVerdict::Agree
        ));
        assert!(matches!(
            judged(&ended(0, "o", "cat: x\n"), &ended(1, "o", &warning)),
            CheckVerdict::Skipped(reason) if reason.contains("system call y")
        ));
    }

    #[test]
    fn a_fault_is_a_mismatch_whatever_else_byway_lacks() {
        let stderr =
            format!("error[abort]: x\n  --> a.c:1:2\n   |\n{UNFAITHFUL}system call y (once)\n");
        let verdict = judged(&ended(1, "", ""), &ended(1, "", &stderr));
        let CheckVerdict::Mismatch { difference, .. } = verdict else { panic!("{verdict:?}") };
        assert_eq!(difference, "error[abort]: x --> a.c:1:2");
    }

    #[test]
    fn what_ended_the_tool_counts_before_what_it_did_without() {
        let stderr = format!(
            "byway: unsupported: inline assembly \"x\"\n{UNFAITHFUL}system call y (once)\n"
        );
        let verdict = judged(&ended(0, "1\n", ""), &ended(3, "", &stderr));
        let CheckVerdict::Skipped(reason) = verdict else { panic!("{verdict:?}") };
        assert_eq!(reason, "inline assembly \"x\"");
    }

    #[test]
    fn every_difference_is_named() {
        let verdict = judged(&ended(0, "a\n", "e\n"), &ended(1, "b\n", "f\n"));
        let CheckVerdict::Mismatch { difference, .. } = verdict else { panic!("{verdict:?}") };
        for part in ["exit code 1", "`a` natively", "standard error: line 1 is `e`"] {
            assert!(difference.contains(part), "{difference}");
        }
    }
}
