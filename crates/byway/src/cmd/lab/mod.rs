//! `byway lab`: connects the lab with the other commands and reports its result.

mod config;
mod flags;

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::env;
use std::path::{Path, PathBuf};

use byway_lab::{LabHost, LabOptions};
use clap::Parser;

pub use config::LabConfig;
pub use flags::{EXAMPLES, LabFlags};

use crate::cmd::cover::CoverFlags;
use crate::cmd::run::{RunConfig, RunFlags, TestPolicy};
use crate::console::{self, print};
use crate::exit;
use crate::failure::{Failure, Result};
use crate::flags::clap_message;
use crate::hash::Digest;
use crate::interrupt;
use crate::load::{self, Compiler, Install};
use byway_base::quantity::plural;

/// The running executable, even if its file has been replaced since: an experiment takes hours, and
/// all its runs must use the same build.
const THIS_EXECUTABLE: &str = "/proc/self/exe";

/// `byway lab`: carries out an experiment, or prints one.
pub fn lab(config: &LabConfig) -> Result<u8> {
    match config {
        LabConfig::Example => print(byway_lab::EXAMPLE).map(|()| exit::SUCCESS),
        LabConfig::Run { options, install, terminal } => {
            run_experiment(options, install, *terminal)
        }
    }
}

fn run_experiment(options: &LabOptions, install: &Install, terminal: bool) -> Result<u8> {
    let here = env::current_dir().unwrap_or_default();
    let known = IncludeCache::default();
    let host = LabHost {
        executable: Path::new(THIS_EXECUTABLE),
        version: env!("CARGO_PKG_VERSION"),
        check: &check,
        reads: &|words| known.of(words).map_err(message),
        build: &|| load::build(install).map(|digest| digest.to_string()).map_err(message),
        enter: &|dir| env::set_current_dir(dir),
        digest: &|bytes| Digest::of(bytes).to_string(),
        interrupted: &interrupt::requested,
        say: &console::say_raw,
        terminal,
    };
    let done = byway_lab::run(options, &host).map_err(Failure::from)?;
    print(&format!("{}\n", done.summary))?;
    for file in &done.files {
        print(&format!("report {}\n", file.strip_prefix(&here).unwrap_or(file).display()))?;
    }
    if done.stopped {
        console::say("byway: stopped; the same command continues");
        return Ok(exit::INTERRUPTED);
    }
    match done.failed {
        0 => Ok(exit::SUCCESS),
        failed => Err(Failure::new(format!("{} failed", plural(failed as u64, "run")))
            .hint("the report shows why; the same command retries them")),
    }
}

/// C sources, and the compiler with its options.
type CompileKey = (Vec<PathBuf>, Compiler);

/// The files that a run reads in addition to its program. Included files are determined once for
/// all runs of the same sources.
#[derive(Default)]
struct IncludeCache {
    known: RefCell<BTreeMap<CompileKey, Vec<PathBuf>>>,
}

impl IncludeCache {
    fn of(&self, words: &[String]) -> Result<Vec<PathBuf>> {
        let Some(run) = parse(words).map_err(Failure::new)? else { return Ok(Vec::new()) };
        let key = (run.load.program.clone(), run.load.compiler.clone());
        let known = self.known.borrow().get(&key).cloned();
        let mut files = match known {
            Some(files) => files,
            None => load::included(&run.load)?,
        };
        self.known.borrow_mut().insert(key, files.clone());
        files.extend(run.seeds.into_iter().flat_map(|corpus| corpus.directories));
        files.extend(run.host_files);
        Ok(files)
    }
}

/// The commands of an experiment's runs.
#[derive(Parser)]
#[command(name = "byway")]
enum LabCommandLine {
    Run(Box<RunFlags>),
    Cover(Box<CoverFlags>),
}

/// The configuration of a `byway run` command line; `None` for a valid one of `byway cover`.
fn parse(words: &[String]) -> std::result::Result<Option<RunConfig>, String> {
    let words = ["byway"].into_iter().chain(words.iter().map(String::as_str));
    let line = LabCommandLine::try_parse_from(words).map_err(|error| clap_message(&error))?;
    match line {
        LabCommandLine::Run(flags) => RunConfig::resolve(*flags).map(Some).map_err(message),
        LabCommandLine::Cover(_) => Ok(None),
    }
}

fn message(failure: Failure) -> String {
    failure.to_string()
}

/// An error if a command line is invalid. Does not run it.
fn check(words: &[String]) -> std::result::Result<(), String> {
    match parse(words)? {
        Some(config) if config.tests == TestPolicy::None => {
            Err("--no-tests leaves nothing to measure".into())
        }
        Some(config) => match byway_search::build(&config.search) {
            Ok(_) => Ok(()),
            Err(error) => Err(error.to_string()),
        },
        None => Ok(()),
    }
}
