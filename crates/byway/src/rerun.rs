//! Reruns the tests of a run on the engine: concretely, with the inputs of the test and the same
//! fixed clocks and files. A rerun yields results that the exploration does not record: the
//! program's output and the coverage of a single test.

use std::collections::VecDeque;
use std::env;
use std::ffi::{OsStr, OsString};
use std::io::{self, IsTerminal};
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;
use std::time::Duration;

use byway_base::{Input, Outcome, TestCase};
use byway_engine::{
    ClockKind, Config as EngineConfig, DeterministicEnv, Env, ExternalCalls, HostFiles, Invocation,
    PureFunction, Runner, UnsetMemory,
};
use byway_ir::Module;
use byway_rundir::{ByteString, RunManifest};
use byway_testcase::symbolic;

use crate::checks::CheckSet;
use crate::entry::{self, EntryConfig};
use crate::failure::{Failure, Result};
use crate::host::files::HostDirectories;
use crate::host::pure_call;
use crate::host::snapshot::Snapshot;
use crate::interrupt;
use crate::load;
use crate::load::{Compiler, FunctionAlias, Install, LoadConfig};

/// Loads the program of a run again.
pub struct ProgramLoader {
    pub install: Install,
    /// The directory of the program cache; `None` disables it.
    pub cache: Option<PathBuf>,
    /// The clang to call; `None` for the one that the run used.
    pub clang: Option<OsString>,
    /// The time limit of a single tool.
    pub time_limit: Duration,
    /// Announce long steps, because standard error is a terminal.
    pub progress: bool,
}

impl ProgramLoader {
    /// A loader configured by the environment variables.
    pub fn resolve(time_limit: Duration) -> ProgramLoader {
        ProgramLoader {
            install: Install::find(None),
            cache: load::cache_dir(),
            clang: env::var_os("BYWAY_CLANG"),
            time_limit,
            progress: io::stderr().is_terminal(),
        }
    }

    /// The configuration that loads the program of this run.
    pub fn load_config(&self, manifest: &RunManifest) -> LoadConfig {
        let program = &manifest.program;
        let install = &self.install;
        LoadConfig {
            program: program.files.iter().map(|file| os(&file.given).into()).collect(),
            compiler: Compiler {
                clang: self.clang.clone().unwrap_or_else(|| os(&program.compiler.clang)),
                options: program.compiler.options.iter().map(os).collect(),
                optimise: program.compiler.optimise.clone(),
                sanitizers: CheckSet::recorded(&manifest.config.checks).sanitizers,
            },
            // Those of a manifest were valid.
            aliases: (program.compiler.aliases.iter())
                .filter_map(|text| FunctionAlias::parse(text).ok())
                .collect(),
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

/// Changes to the working directory of the run, which its relative paths refer to.
pub fn enter_directory(manifest: &RunManifest) -> Result<()> {
    let directory = PathBuf::from(os(&manifest.program.directory));
    env::set_current_dir(&directory).map_err(|_| {
        let shown = directory.display();
        Failure::new(format!("the run's working directory '{shown}' does not exist"))
    })
}

/// The program of a run, loaded again to rerun its tests.
pub struct ExploredProgram {
    module: Module,
    engine: EngineConfig,
    invocation: Invocation,
    /// The directories of this machine that the program may read.
    host_directories: Vec<PathBuf>,
    inputs: InputOrder,
}

/// How the inputs of a test are given to the program.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
enum InputOrder {
    /// In the order of the test.
    Recorded,
    /// By their names, if a name is known: the objects of unconstrained input that one instruction
    /// accesses may be made in another order.
    AnyOrder,
    /// By their names alone: another build may ask for other inputs. What the test lacks is zeros.
    Named,
}

/// An input that the program asked for and the test does not have, so that the run shows nothing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MissingInput {
    pub name: String,
    /// In bytes.
    pub size: u64,
    /// The size that the test has instead, if it has the input.
    pub given: Option<u64>,
}

/// The result of rerunning a test.
pub struct Rerun {
    pub outcome: Outcome,
    pub instructions: u64,
    /// The first [`MAX_OUTPUT`] bytes of standard output.
    pub stdout: Vec<u8>,
    /// The first [`MAX_OUTPUT`] bytes of standard error.
    pub stderr: Vec<u8>,
    /// The program requested exactly the inputs of the test.
    pub on_path: bool,
    /// The first input that the test does not have.
    pub missing_input: Option<MissingInput>,
    /// The function entries and branch sides of the user's code that it covered.
    pub covered: Vec<u32>,
    /// Features that were not modelled faithfully: calls that failed because they have no model.
    pub not_modelled: Vec<String>,
}

/// The conditions of a rerun, relative to the exploration.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum RerunConditions {
    Same,
    /// The clocks are this many seconds ahead.
    ClockAhead(i64),
    /// The memory limit is half of the exploration's.
    HalfMemory,
}

/// Bytes of each output stream that a rerun keeps.
pub const MAX_OUTPUT: usize = 1 << 20;

impl ExploredProgram {
    /// A function of musl that differs from glibc's and that the program calls with glibc's
    /// arguments, through the runtime's variant of it.
    pub fn glibc_variant(&self) -> Option<&str> {
        self.module.funcs.values().find_map(|f| f.name.strip_prefix("__byway_glibc_"))
    }

    /// Loads the program of a run, whose working directory must be the current one. `None` if
    /// the program changed since.
    pub fn load(loader: &ProgramLoader, manifest: &RunManifest) -> Result<Option<ExploredProgram>> {
        let loaded = load::load(&loader.load_config(manifest))?;
        if loaded.digest.to_string() != manifest.program.digest {
            return Ok(None);
        }
        let mut module = loaded.module;
        if let Some(entry) = manifest.config.entry.as_ref().map(EntryConfig::recorded) {
            entry::prepare(&mut module, &entry)?;
        }
        Ok(Some(ExploredProgram::new(module, manifest)))
    }

    /// A program that is run as in a run, from its entry on.
    pub fn new(module: Module, manifest: &RunManifest) -> ExploredProgram {
        let entry = manifest.config.entry.as_ref().map(EntryConfig::recorded);
        let limits = &manifest.config.limits;
        ExploredProgram {
            inputs: match entry {
                Some(_) => InputOrder::AnyOrder,
                None => InputOrder::Recorded,
            },
            module,
            engine: EngineConfig {
                checks: CheckSet::recorded(&manifest.config.checks).engine,
                max_instructions: limits.path_instructions,
                max_memory: limits.path_memory,
                max_stack: limits.path_stack.unwrap_or(u64::MAX),
                max_frames: limits.path_calls,
                unset_memory: match manifest.config.unset_memory.as_str() {
                    "symbolic" => UnsetMemory::Symbolic,
                    _ => UnsetMemory::Zero,
                },
                external_calls: match manifest.config.external_calls {
                    None => ExternalCalls::None,
                    // The inputs of a test are concrete.
                    Some(_) => ExternalCalls::Concrete,
                },
                coverage: true,
                unconstrained: entry.map(|entry| entry.options).unwrap_or_default(),
                ..EngineConfig::default()
            },
            invocation: invocation(manifest),
            host_directories: manifest
                .program
                .host_files
                .iter()
                .map(|path| os(path).into())
                .collect(),
        }
    }

    /// Inputs are given by their names alone.
    pub fn with_named_inputs(self) -> ExploredProgram {
        ExploredProgram { inputs: InputOrder::Named, ..self }
    }

    /// Reruns tests one after another, on one thread.
    pub fn rerunner(&self) -> Rerunner<'_> {
        Rerunner { program: self, runner: Runner::new(&self.module, self.engine.clone()) }
    }
}

/// Reruns tests one after another.
pub struct Rerunner<'a> {
    program: &'a ExploredProgram,
    runner: Runner<'a>,
}

impl Rerunner<'_> {
    /// Reruns a test, for at most `limit` instructions.
    pub fn run(&self, test: &TestCase, conditions: RerunConditions, limit: u64) -> Result<Rerun> {
        let ExploredProgram { module, engine, invocation, host_directories, inputs } = self.program;
        let (mut clock_offset, mut half_memory) = (0, None);
        match conditions {
            RerunConditions::Same => {}
            RerunConditions::ClockAhead(seconds) => clock_offset = seconds,
            RerunConditions::HalfMemory => {
                let max_memory = engine.max_memory / 2;
                half_memory =
                    Some(Runner::new(module, EngineConfig { max_memory, ..engine.clone() }));
            }
        }
        let mut files = Snapshot::new(HostDirectories::new(host_directories)?);
        let mut env = RerunEnv {
            fixed: DeterministicEnv {
                files: Some(&mut files),
                output: None,
                pure_calls: Some(pure_call::call),
            },
            inputs: test.inputs.iter().collect(),
            stdout: Vec::new(),
            stderr: Vec::new(),
            clock_offset,
            order: *inputs,
            on_path: true,
            missing: None,
        };
        let runner = half_memory.as_ref().unwrap_or(&self.runner);
        let finished = runner.run_within(limit, invocation, &mut env);
        let RerunEnv { inputs, stdout, stderr, on_path, missing, .. } = env;
        let (outcome, covered) = (finished.outcome, finished.covered);
        let is_all_asked = inputs.is_empty();
        let on_path = on_path && is_all_asked;
        let instructions = finished.stats.instructions;
        // An input that only one of two builds asks for is zeros, unless it may be another one by a
        // new name, or the zeros violate an assumption.
        let is_zeros =
            |it: &MissingInput| it.given.is_none() && is_all_asked && outcome != Outcome::Excluded;
        let missing_input = missing.filter(|it| !is_zeros(it));
        let not_modelled = finished.warnings.into_iter().map(|(what, _)| what).collect();
        Ok(Rerun {
            outcome,
            instructions,
            stdout,
            stderr,
            on_path,
            missing_input,
            covered,
            not_modelled,
        })
    }
}

/// The arguments and environment of the program.
fn invocation(manifest: &RunManifest) -> Invocation {
    let mut args: Vec<Vec<u8>> =
        manifest.program.args.iter().map(|word| word.bytes().to_vec()).collect();
    let mut options = Vec::new();
    // If any argument is an option of symbolic inputs, all but the program's name are options.
    if args.iter().skip(1).any(|word| symbolic::is_option(word)) {
        options = args.split_off(1);
    }
    let env = manifest.program.env.iter().map(|entry| entry.bytes().to_vec()).collect();
    Invocation { args, env, options }
}

fn os(text: &ByteString) -> OsString {
    OsStr::from_bytes(text.bytes()).to_os_string()
}

/// The deterministic environment of the exploration, with the inputs of one test.
struct RerunEnv<'a> {
    fixed: DeterministicEnv<'a>,
    inputs: VecDeque<&'a Input>,
    stdout: Vec<u8>,
    stderr: Vec<u8>,
    clock_offset: i64,
    order: InputOrder,
    on_path: bool,
    missing: Option<MissingInput>,
}

impl Env for RerunEnv<'_> {
    fn write(&mut self, fd: i32, bytes: &[u8]) -> std::result::Result<usize, i32> {
        let stream = if fd == libc::STDOUT_FILENO { &mut self.stdout } else { &mut self.stderr };
        let room = MAX_OUTPUT.saturating_sub(stream.len());
        stream.extend_from_slice(&bytes[..bytes.len().min(room)]);
        self.fixed.write(fd, bytes)
    }

    fn read(&mut self, buffer: &mut [u8]) -> std::result::Result<usize, i32> {
        self.fixed.read(buffer)
    }

    fn now(&mut self, clock: ClockKind) -> (i64, i64) {
        let (seconds, nanoseconds) = self.fixed.now(clock);
        (seconds + self.clock_offset, nanoseconds)
    }

    fn interrupted(&mut self) -> bool {
        interrupt::requested()
    }

    fn input(&mut self, name: &str, size: u64) -> Option<Vec<u8>> {
        let by_name = || self.inputs.iter().position(|input| input.name == name);
        let at = match self.order {
            InputOrder::Recorded => Some(0),
            InputOrder::AnyOrder => Some(by_name().unwrap_or(0)),
            InputOrder::Named => by_name(),
        };
        let next = at.and_then(|at| self.inputs.remove(at)).map(|input| input.bytes.clone());
        let given = next.as_ref().map(|bytes| bytes.len() as u64);
        let fits = next.filter(|bytes| bytes.len() as u64 == size);
        if fits.is_none() {
            self.on_path = false;
            self.missing.get_or_insert(MissingInput { name: name.into(), size, given });
        }
        let is_zeros = self.order == InputOrder::Named && given.is_none();
        fits.or_else(|| is_zeros.then(|| vec![0; size as usize]))
    }

    fn call_pure(&mut self, function: &PureFunction, args: &[u64]) -> Option<u64> {
        self.fixed.call_pure(function, args)
    }

    fn files(&mut self) -> Option<&mut dyn HostFiles> {
        self.fixed.files()
    }
}
