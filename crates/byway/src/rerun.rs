//! Runs the tests of a run again on the engine: concretely, with the inputs of the test and
//! the same fixed clocks and files. Yields what the exploration does not record: the
//! program's output, and the coverage of each single test.

use std::collections::VecDeque;
use std::env;
use std::ffi::{OsStr, OsString};
use std::io::{self, IsTerminal};
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;
use std::time::Duration;

use byway_base::{Input, Outcome, TestCase};
use byway_engine::{
    Checks, ClockKind, Config as EngineConfig, DeterministicEnv, Env, HostFiles, Invocation, Runner,
};
use byway_ir::Module;
use byway_rundir::{ByteString, RunManifest};
use byway_testcase::symbolic;

use crate::failure::{Failure, Result};
use crate::host::files::HostDirectories;
use crate::host::snapshot::Snapshot;
use crate::interrupt;
use crate::load;
use crate::load::{Compiler, Install, LoadConfig};

/// How to load the program of a run again.
pub struct Source {
    /// Where the parts of Byway are.
    pub install: Install,
    /// Where loaded programs are kept; `None` not to keep them.
    pub cache: Option<PathBuf>,
    /// The clang to call; the one the run used if `None`.
    pub clang: Option<OsString>,
    /// How long a tool may take.
    pub time_limit: Duration,
    /// Whether standard error is a terminal, so that long steps are announced.
    pub progress: bool,
}

impl Source {
    /// Resolved from the environment variables.
    pub fn resolve(time_limit: Duration) -> Source {
        Source {
            install: Install::find(None),
            cache: load::cache_dir(),
            clang: env::var_os("BYWAY_CLANG"),
            time_limit,
            progress: io::stderr().is_terminal(),
        }
    }

    /// How the program of this run is loaded.
    pub fn load_config(&self, manifest: &RunManifest) -> LoadConfig {
        let program = &manifest.program;
        let install = &self.install;
        LoadConfig {
            program: program.files.iter().map(|file| os(&file.given).into()).collect(),
            compiler: Compiler {
                clang: self.clang.clone().unwrap_or_else(|| os(&program.compiler.clang)),
                options: program.compiler.options.iter().map(os).collect(),
                optimise: program.compiler.optimise.clone(),
            },
            install: Install {
                runtime: install.runtime.clone(),
                llvm: install.llvm.clone(),
                executables: install.executables.clone(),
            },
            cache: self.cache.clone(),
            time_limit: self.time_limit,
            color: false,
            progress: self.progress,
        }
    }
}

/// Makes the directory the current one that relative names of a run mean.
pub fn enter_directory(manifest: &RunManifest) -> Result<()> {
    let directory = PathBuf::from(os(&manifest.program.directory));
    env::set_current_dir(&directory).map_err(|_| {
        let shown = directory.display();
        Failure::new(format!("the run's working directory '{shown}' does not exist"))
    })
}

/// The program of a run, ready to run its tests.
pub struct Rerunner {
    module: Module,
    engine: EngineConfig,
    invocation: Invocation,
    shown: Vec<PathBuf>,
}

/// The result of a test.
pub struct Rerun {
    /// How it ended.
    pub outcome: Outcome,
    /// How many instructions it took.
    pub instructions: u64,
    /// The beginning of its standard output.
    pub stdout: Vec<u8>,
    /// The beginning of its standard error.
    pub stderr: Vec<u8>,
    /// Whether it asked for the inputs of the test, and no others.
    pub on_path: bool,
    /// The entries of functions and sides of branches of the user's code it came by.
    pub covered: Vec<u32>,
}

/// What differs from the exploration when a test runs again.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Circumstances {
    /// Nothing.
    Same,
    /// Its clocks show a time so many seconds later.
    Later(i64),
    /// It has half the memory.
    LessMemory,
}

/// More than this of each stream is not kept.
pub const MAX_OUTPUT: usize = 1 << 20;

impl Rerunner {
    /// Loads the program of a run, whose directory must be the current one. `None` if it
    /// is no longer the same.
    pub fn load(source: &Source, manifest: &RunManifest) -> Result<Option<Rerunner>> {
        let loaded = load::load(&source.load_config(manifest))?;
        if loaded.digest.to_string() != manifest.program.digest {
            return Ok(None);
        }
        let limits = &manifest.config.limits;
        let checked = |name: &str| manifest.config.checks.iter().any(|check| check == name);
        Ok(Some(Rerunner {
            module: loaded.module,
            engine: EngineConfig {
                checks: Checks {
                    alignment: checked("alignment"),
                    uninitialised: checked("uninitialised"),
                    signed_overflow: checked("signed-overflow"),
                    shift: checked("shift"),
                },
                max_instructions: limits.path_instructions,
                max_memory: limits.path_memory,
                max_frames: limits.path_calls,
                coverage: true,
                ..EngineConfig::default()
            },
            invocation: invocation(manifest),
            shown: manifest.program.host_files.iter().map(|path| os(path).into()).collect(),
        }))
    }

    /// A runner for tests in sequence.
    pub fn tester(&self) -> Tester<'_> {
        Tester { rerunner: self, runner: Runner::new(&self.module, self.engine.clone()) }
    }
}

/// Runs tests in sequence.
pub struct Tester<'a> {
    rerunner: &'a Rerunner,
    runner: Runner<'a>,
}

impl Tester<'_> {
    /// Runs a test, for no more than so many instructions.
    pub fn run(&self, test: &TestCase, circumstances: Circumstances, limit: u64) -> Result<Rerun> {
        let Rerunner { module, engine, invocation, shown } = self.rerunner;
        let (mut later, mut poorer) = (0, None);
        match circumstances {
            Circumstances::Same => {}
            Circumstances::Later(seconds) => later = seconds,
            Circumstances::LessMemory => {
                let max_memory = engine.max_memory / 2;
                poorer = Some(Runner::new(module, EngineConfig { max_memory, ..engine.clone() }));
            }
        }
        let mut files = Snapshot::new(HostDirectories::new(shown)?);
        let mut world = World {
            still: DeterministicEnv { files: Some(&mut files) },
            inputs: test.inputs.iter().collect(),
            stdout: Vec::new(),
            stderr: Vec::new(),
            later,
            on_path: true,
        };
        let runner = poorer.as_ref().unwrap_or(&self.runner);
        let finished = runner.run_within(limit, invocation, &mut world);
        let World { inputs, stdout, stderr, on_path, .. } = world;
        let (outcome, covered) = (finished.outcome, finished.covered);
        let on_path = on_path && inputs.is_empty();
        let instructions = finished.stats.instructions;
        Ok(Rerun { outcome, instructions, stdout, stderr, on_path, covered })
    }
}

/// What the program was started with.
fn invocation(manifest: &RunManifest) -> Invocation {
    let mut args: Vec<Vec<u8>> =
        manifest.program.args.iter().map(|word| word.bytes().to_vec()).collect();
    let mut options = Vec::new();
    // The words of a run, with options among them, are options but for the name.
    if args.iter().skip(1).any(|word| symbolic::is_option(word)) {
        options = args.split_off(1);
    }
    let env = manifest.program.env.iter().map(|entry| entry.bytes().to_vec()).collect();
    Invocation { args, env, options }
}

fn os(text: &ByteString) -> OsString {
    OsStr::from_bytes(text.bytes()).to_os_string()
}

/// The environment of an exploration, with the inputs of one test.
struct World<'a> {
    still: DeterministicEnv<'a>,
    inputs: VecDeque<&'a Input>,
    stdout: Vec<u8>,
    stderr: Vec<u8>,
    later: i64,
    on_path: bool,
}

impl Env for World<'_> {
    fn write(&mut self, fd: i32, bytes: &[u8]) -> std::result::Result<usize, i32> {
        let stream = if fd == libc::STDOUT_FILENO { &mut self.stdout } else { &mut self.stderr };
        let room = MAX_OUTPUT.saturating_sub(stream.len());
        stream.extend_from_slice(&bytes[..bytes.len().min(room)]);
        self.still.write(fd, bytes)
    }

    fn read(&mut self, buffer: &mut [u8]) -> std::result::Result<usize, i32> {
        self.still.read(buffer)
    }

    fn now(&mut self, clock: ClockKind) -> (i64, i64) {
        let (seconds, nanoseconds) = self.still.now(clock);
        (seconds + self.later, nanoseconds)
    }

    fn interrupted(&mut self) -> bool {
        interrupt::requested()
    }

    fn input(&mut self, _name: &str, size: u64) -> Option<Vec<u8>> {
        let next = self.inputs.pop_front().map(|input| input.bytes.clone());
        let fits = next.filter(|bytes| bytes.len() as u64 == size);
        self.on_path &= fits.is_some();
        fits
    }

    fn files(&mut self) -> Option<&mut dyn HostFiles> {
        self.still.files()
    }
}
