//! Runs a project's program: concretely beside the native program, and symbolically.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use byway_rundir::{FaultRecord, RunReader};

use super::table::{ProjectCommand, SourceProject};
use crate::process::{self, ProcessResult, ProcessStatus};
use crate::setup::BenchSetup;

const NATIVE_LIMIT: Duration = Duration::from_secs(20);
const EXEC_LIMIT: Duration = Duration::from_secs(180);
/// Time for loading and for writing results, beyond the exploration.
const GRACE: Duration = Duration::from_secs(300);

/// A concrete run that differs from the native one.
pub struct Difference {
    pub command: String,
    pub how: String,
}

/// What an exploration found.
pub struct ProjectExploration {
    pub paths: u64,
    pub tests: u64,
    /// Kind, line and message of each fault.
    pub faults: Vec<String>,
    /// Lines of the project that tests execute, and all with code.
    pub lines: (usize, usize),
    /// What ended paths, or was answered with "not implemented", by name.
    pub unsupported: BTreeMap<String, u64>,
    pub internal_errors: u64,
}

/// The command lines on which Byway and the native program differ.
pub fn differences(
    setup: &BenchSetup,
    project: &SourceProject,
    folder: &Path,
) -> Result<Vec<Difference>, String> {
    let mut differences = Vec::new();
    for command in project.commands {
        let native = native(project, folder, command)?;
        let mut byway = setup.byway();
        byway.args(["exec", "--host-files", ".", project.program, "--"]).args(command.args);
        byway.current_dir(folder);
        let ran = process::run(&mut byway, command.stdin.as_bytes(), EXEC_LIMIT)?;
        if let Some(how) = difference(&native, &ran) {
            let command = format!("{} {}", project.program, command.args.join(" "));
            differences.push(Difference { command, how });
        }
    }
    Ok(differences)
}

fn native(
    project: &SourceProject,
    folder: &Path,
    command: &ProjectCommand,
) -> Result<ProcessResult, String> {
    let mut native = Command::new(folder.join(project.program));
    // The program's name is the same, and the environment empty, as in Byway.
    native.env_clear().current_dir(folder).args(command.args);
    std::os::unix::process::CommandExt::arg0(&mut native, project.program);
    process::run(&mut native, command.stdin.as_bytes(), NATIVE_LIMIT)
}

fn difference(native: &ProcessResult, byway: &ProcessResult) -> Option<String> {
    if native.status != byway.status {
        let message = byway.stderr_text();
        let own = |line: &&str| {
            ["byway", "error", "unsupported"].iter().any(|word| line.starts_with(word))
        };
        let said = message.lines().find(own).or(message.lines().next()).unwrap_or_default();
        return Some(format!("{} natively, {} in Byway: {said}", native.status, byway.status));
    }
    let first = |output: &[u8], other: &[u8]| {
        let at = output.iter().zip(other).take_while(|(a, b)| a == b).count();
        String::from_utf8_lossy(&output[at..output.len().min(at + 30)]).into_owned()
    };
    (native.stdout != byway.stdout).then(|| {
        let (a, b) = (first(&native.stdout, &byway.stdout), first(&byway.stdout, &native.stdout));
        format!("output {a:?} natively, {b:?} in Byway")
    })
}

/// Explores the program.
pub fn explore(
    setup: &BenchSetup,
    project: &SourceProject,
    folder: &Path,
    max_time: Duration,
) -> Result<ProjectExploration, String> {
    let out = folder.join("byway-bench-run");
    let mut halves = project.symbolic.split(|word| *word == "--");
    let (options, args) = (halves.next().unwrap_or_default(), halves.next().unwrap_or_default());
    let mut command = setup.byway();
    command.args(["run", "--only-covering-new", "--max-memory", "4GiB", "--max-time"]);
    command.arg(format!("{}s", max_time.as_secs())).arg("--output-dir").arg(&out);
    command.args(options).arg(project.program).arg("--").args(args).current_dir(folder);
    let ended = process::run(&mut command, b"", max_time + GRACE)?;
    if !matches!(ended.status, ProcessStatus::Code(0 | 1 | 3)) {
        let message = ended.stderr_text();
        return Err(format!("{}: {}", ended.status, message.lines().next().unwrap_or_default()));
    }
    let read = |error: byway_rundir::RunDirError| error.to_string();
    let run = RunReader::open(&out).map_err(read)?;
    let summary = run.summary().map_err(read)?;
    let coverage = run.coverage().map_err(read)?;
    let lines = coverage.iter().flat_map(|it| it.files.values().flatten());
    let (all, covered) = lines.fold((0, 0), |(all, covered), line| {
        (all + 1, covered + usize::from(line.first_path.is_some()))
    });
    let lost = &summary.totals.lost;
    Ok(ProjectExploration {
        paths: summary.totals.path_count(),
        tests: summary.tests,
        faults: run.faults().map_err(read)?.iter().map(|it| described(it, folder)).collect(),
        lines: (covered, all),
        unsupported: lost
            .unsupported
            .iter()
            .chain(&lost.warnings)
            .map(|(n, c)| (n.clone(), *c))
            .collect(),
        internal_errors: lost.internal_errors.values().sum(),
    })
}

fn described(fault: &FaultRecord, folder: &Path) -> String {
    let at = fault.at.as_ref().map_or("an unknown line".to_string(), ToString::to_string);
    let at = at.replace(&format!("{}/", folder.display()), "");
    format!("{} at {at}: {}", fault.kind, fault.message)
}
