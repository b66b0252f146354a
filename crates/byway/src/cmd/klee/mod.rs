//! `byway klee`: KLEE's command line, output directory and messages, on Byway's engine.
//!
//! ```text
//! command_line ─(options)─▶ translate ─▶ words of `byway run` ─▶ cmd/run
//!                                   └─▶ KleeSettings ─▶ listener ─▶ output, error_file, ...
//! ```
//!
//! The output directory is a run directory of Byway, too: `byway replay`, `cover` and `stats` take
//! it. A [`listener`] adds KLEE's files to it and prints KLEE's lines.

mod assembly;
mod clock;
mod command_line;
mod covered_code;
mod error_file;
mod error_kinds;
mod help;
mod info;
mod listener;
mod messages;
mod options;
mod output;
mod program;
mod quantities;
mod settings;
mod statistics;
mod terminal;
mod translate;
mod xml;

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use crate::cmd::run::{self, CompletedLine, RunConfig};
use crate::cmd::{CommandFlags, Flags};
use crate::console;
use crate::exit;
use crate::failure::{Failure, FailureKind, Result};
use command_line::{KleeArguments, KleeCommandLine};
use info::KleeInfo;
use listener::KleeListener;
use messages::KleeMessages;
use output::OutputDirectory;
use program::KleeProgram;
use settings::KleeSettings;
use translate::KleeInvocation;

/// The words after `byway klee`, which [`command_line`] reads: their syntax is LLVM's.
#[derive(clap::Args, Debug)]
pub struct KleeFlags {
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, value_name = "ARGS")]
    pub words: Vec<OsString>,
}

/// The exit code of KLEE for errors in its use, and for an exploration that `--exit-on-error` ends.
const FAILURE: u8 = 1;

/// Runs `klee` with these words.
pub fn klee(words: Vec<OsString>) -> u8 {
    match execute(words) {
        Ok(code) => code,
        Err(failure) if failure.kind() == FailureKind::Interrupted => exit::INTERRUPTED,
        Err(failure) => {
            console::say(&format!("KLEE: ERROR: {failure}"));
            FAILURE
        }
    }
}

fn execute(words: Vec<OsString>) -> Result<u8> {
    let shown = words.clone();
    let given = match KleeCommandLine::parse(words)? {
        KleeCommandLine::Help => return console::print(&help::text()).map(|()| exit::SUCCESS),
        KleeCommandLine::Version => {
            return console::print(&help::version()).map(|()| exit::SUCCESS);
        }
        KleeCommandLine::Explore(given) => given,
    };
    let settings = KleeSettings::new(&given)?;
    let output = OutputDirectory::create(&settings)?;
    let explored = explore(&given, settings, &output, &shown);
    if explored.is_err() {
        output.remove_if_unused();
    }
    explored
}

fn explore(
    given: &KleeArguments,
    settings: KleeSettings,
    directory: &OutputDirectory,
    shown: &[OsString],
) -> Result<u8> {
    let output = directory.path();
    let source = KleeProgram::find(given, output)?;
    let KleeInvocation { words, warnings, notes } = KleeInvocation::new(given, source.path())?;
    let mut config = resolve(words)?;
    config.test_files = u64::MAX;
    config.tests_of_known_faults = settings.emits_all_errors;
    config.log_queries = settings.logs_queries.then(|| output.join("queries"));
    config.explore.path_conditions = settings.path_conditions;
    config.explore.engine.stack_arguments = true;
    config.explore.engine.trace_branches = settings.writes_branches.contains(&true);
    let program = run::prepare(&config)?;
    // Everything that is named relative to the directory of the call has been found.
    if let Some(directory) = &settings.directory {
        std::env::set_current_dir(directory)
            .map_err(|error| Failure::io("change to the directory", directory, &error))?;
    }
    let mut messages = KleeMessages::new(settings.warns_to_file_only);
    messages.message(&format!("output directory is \"{}\"", output.display()));
    messages.message("Using Bitwuzla solver backend");
    warnings.iter().for_each(|warning| messages.warning(warning));
    notes.iter().for_each(|note| messages.note(note));
    let assembly = source.write_files(&settings, output, &config.load, &mut messages)?;
    let info = KleeInfo::new(shown, &config.search);
    let listener = KleeListener::new(settings, messages, info, assembly, &program.loaded.module);
    let stops = listener.stops();
    directory.link_as_last();
    let explored = run::explore_shown_by(Box::new(listener), output, &config, &program)?;
    // Errors that were found are no failure of KLEE.
    Ok(match explored.exit_code {
        exit::BUG => exit::BUG,
        _ if stops.get() => FAILURE,
        _ => exit::SUCCESS,
    })
}

/// The configuration that `byway run` has with these words.
fn resolve(words: Vec<OsString>) -> Result<RunConfig> {
    let line = ["byway", "run"].map(OsString::from).into_iter().chain(words).collect();
    let line = CompletedLine::complete(line)?;
    let flags = Flags::parse_line(&line)
        .map_err(|error| Failure::new(crate::flags::clap_message(&error)))?;
    match flags.command {
        CommandFlags::Run(flags) => RunConfig::resolve_command(*flags, line),
        _ => Err(Failure::new("the program cannot be explored")),
    }
}

/// A path with the current directory in front.
fn absolute(path: &Path) -> Result<PathBuf> {
    std::path::absolute(path).map_err(|error| Failure::io("find", path, &error))
}
