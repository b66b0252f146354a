//! `byway show`: prints a test.

mod config;
mod flags;

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

use byway_base::{Limit, SrcLoc, TestCase};
use byway_rundir::{OutcomeRecord, PathRecord, RunReader, TestDifference, test_name};
use byway_testcase::ktest;
use byway_testcase::symbolic::ProgramInput;

pub use config::ShowConfig;
pub use flags::{EXAMPLES, ShowFlags};

use crate::console::{self, Style, print};
use crate::entry::harness;
use crate::exit;
use crate::failure::{Failure, Result};
use crate::report::{self, Sources, TestCommand};

/// `byway show`: prints a test.
pub fn show(config: &ShowConfig) -> Result<u8> {
    let style = Style::new(config.color);
    let file = find_test(&config.test, config.number)?;
    let run = run_of(&file)?;
    let test = read(&file, run.as_ref())?;
    let command = command(&test, &file, run.as_ref());
    if config.command {
        print(&command.map_err(|why| contradiction(&file, &why))?.1)?;
        return Ok(exit::SUCCESS);
    }
    print(&format!("{} {}\n", style.note("test"), file.display()))?;
    match command {
        Ok((false, _)) => {}
        // Not indented: there may be line ends in what is quoted.
        Ok((true, command)) => print(&format!("{}\n{command}\n", style.note("command")))?,
        Err(why) => {
            let warning = style.warning("byway: warning");
            console::say(&format!("{warning}: {}", contradiction(&file, &why)));
        }
    }
    let tree = fs::read_to_string(file.with_file_name(harness_name(&file))).unwrap_or_default();
    let tree: Vec<String> = harness::input_of(&tree).into_iter().map(String::from).collect();
    if !tree.is_empty() {
        print(&report::render_tree(&tree, style))?;
    }
    print(&report::render_test(&test, style))?;
    if let Some(run) = run {
        print(&ending(&run, &file, style)?)?;
    }
    print(&difference(&file, style)?)?;
    Ok(exit::SUCCESS)
}

/// The command that runs a test, and whether the test holds more than the program asks
/// for itself; the error says how it contradicts itself.
fn command(
    test: &TestCase,
    file: &Path,
    run: Option<&RunReader>,
) -> std::result::Result<(bool, String), String> {
    let input = ProgramInput::from_test(test)?;
    let env = run.map_or(&[][..], |run| &run.manifest().program.env);
    let env: Vec<Vec<u8>> = env.iter().map(|entry| entry.bytes().to_vec()).collect();
    let absolute = std::path::absolute(file).unwrap_or_else(|_| file.to_path_buf());
    let absolute = fs::canonicalize(file).unwrap_or(absolute);
    let recipe = TestCommand { test, input: &input, file: &absolute, env: &env };
    let mut command = report::render_command(&recipe);
    if let Some(run) = run.filter(|_| !file.exists()) {
        let shown = run.dir().display();
        command = format!("# 'byway export {shown}' makes files of all tests\n{command}");
    }
    Ok((input.has_options, command))
}

fn harness_name(file: &Path) -> String {
    harness::file_name(&file.file_name().unwrap_or_default().to_string_lossy())
}

fn contradiction(file: &Path, why: &str) -> Failure {
    Failure::new(format!("'{}' is inconsistent with its options: {why}", file.display()))
}

/// The file of a test: itself, or by the run it belongs to and its number.
fn find_test(test: &Path, number: Option<u64>) -> Result<PathBuf> {
    if let Some(number) = number {
        let run = RunReader::open(test)?;
        return existing(run.test_path(&test_name(number)), number, &run);
    }
    if test.is_dir() {
        let shown = test.display();
        return Err(Failure::new(format!("'{shown}' is a directory"))
            .hint(format!("name a test of it, as in 'byway show {shown} 1'")));
    }
    // RUN/000007 or RUN/7.
    let number = test.file_name().and_then(OsStr::to_str).and_then(|name| name.parse().ok());
    match (number, test.parent()) {
        (Some(number), Some(run)) if !test.exists() => {
            let run = RunReader::open(run)?;
            existing(run.test_path(&test_name(number)), number, &run)
        }
        _ => Ok(test.to_path_buf()),
    }
}

fn existing(file: PathBuf, number: u64, run: &RunReader) -> Result<PathBuf> {
    if run.read_test(&test_name(number)).is_ok() {
        return Ok(file);
    }
    let shown = run.dir().display();
    let mut last = 0;
    for record in run.paths()? {
        let record = record?;
        if record.path == number {
            let how = record.outcome.name();
            return Err(Failure::new(format!(
                "path {number} of '{shown}' has no test: it ended as '{how}'"
            )));
        }
        last = record.path;
    }
    Err(Failure::new(format!("'{shown}' has no path {number}: the last is {last}")))
}

/// The run a test lies in, if it lies in one.
fn run_of(file: &Path) -> Result<Option<RunReader>> {
    let tests = file.parent().filter(|dir| !dir.as_os_str().is_empty());
    Ok(tests.map(RunReader::of_tests).transpose()?.flatten())
}

/// Reads a test, which may be in the pack of its run.
fn read(file: &Path, run: Option<&RunReader>) -> Result<TestCase> {
    let name = file.file_name().and_then(OsStr::to_str);
    let bytes = match run.zip(name) {
        Some((run, name)) => run.read_test(name),
        None => ktest::read_bytes(file),
    };
    let test = bytes.and_then(|bytes| Ok(ktest::decode(&bytes)?));
    test.map_err(|error| Failure::io("read", file, &error))
}

/// How the path of a test ended.
fn ending(run: &RunReader, file: &Path, style: Style) -> Result<String> {
    let name = file.file_name().and_then(OsStr::to_str).unwrap_or_default();
    let mut found: Option<PathRecord> = None;
    for record in run.paths()? {
        let record = record?;
        if record.test.as_deref() == Some(name) {
            found = Some(record);
            break;
        }
    }
    let Some(record) = found else {
        return Ok("how the path ended is unknown: the run was cut short\n".into());
    };
    let head = style.note("ends");
    let text = match &record.outcome {
        // Only the low byte is passed on, as by any process.
        OutcomeRecord::Exit { code } if !(0..=255).contains(code) => {
            format!("{head} with exit code {} (the program returned {code})\n", *code as u8)
        }
        OutcomeRecord::Exit { code } => format!("{head} with exit code {code}\n"),
        OutcomeRecord::Fault { fault, id, message, at } => {
            let text = format!("{head} with fault {id} of the run\n");
            let first = run.faults()?.into_iter().find(|record| record.id == *id);
            let first = first.and_then(|record| record.fault());
            match first {
                // The stack is that of the first time; what was particular to this
                // path is its message.
                Some(mut known) => {
                    known.message.clone_from(message);
                    text + &report::render_fault(&known, style)
                }
                None => {
                    format!("{text}{fault}{}: {}\n", location(at), report::visible(message))
                }
            }
        }
        OutcomeRecord::Unsupported { what, at } => {
            format!("{head} at an unsupported feature: {}{}\n", report::visible(what), location(at))
        }
        OutcomeRecord::InternalError { error, at } => {
            let error = report::visible(error);
            format!("{head} with a bug in Byway ({error}){}; please report it\n", location(at))
        }
        OutcomeRecord::OutOfBudget => format!("{head} at a limit of the run or of the path\n"),
        OutcomeRecord::Interrupted => format!("{head} when the run was stopped\n"),
        OutcomeRecord::Excluded => format!("{head} because the program excluded the path\n"),
        OutcomeRecord::Dropped { limit } if limit == Limit::Forking.name() => {
            format!("{head} because the program disabled forking\n")
        }
        OutcomeRecord::Dropped { limit } => format!("{head} by a limit of the run (--{limit})\n"),
    };
    Ok(text)
}

/// How the old build of `--against` behaves on a test, if otherwise. The test may be one of the
/// run, of the old build's run in it, or combine both.
fn difference(file: &Path, style: Style) -> Result<String> {
    for dir in file.ancestors().skip(2).take(2).filter(|dir| RunReader::is_at(dir)) {
        let Some(path) = file.strip_prefix(dir).ok().and_then(Path::to_str) else { continue };
        let found = RunReader::open(dir)?.differences()?.into_iter().find(|it| it.test == path);
        if let Some(found) = found {
            return Ok(render_difference(found, style));
        }
    }
    Ok(String::new())
}

fn render_difference(found: TestDifference, style: Style) -> String {
    let head = style.note("against the old build");
    let parts = found.parts.iter().map(report::render_part);
    let not_comparable = found.not_comparable.map(|why| format!("not comparable: {why}"));
    parts.chain(not_comparable).map(|line| format!("{head}: {line}\n")).collect()
}

fn location(at: &Option<SrcLoc>) -> String {
    at.as_ref().map_or(String::new(), |at| format!(" at {}", Sources::new().location(at)))
}
