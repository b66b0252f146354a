//! What a command works with: flags, environment and defaults resolved into
//! plain data. Nothing below this module asks for a flag or an environment
//! variable again.

mod cover;
mod lab;
mod minimize;
mod mutate;
mod replay;
mod run;

pub use lab::LabConfig;
pub use run::{RunConfig, TestPolicy};

use std::env;
use std::ffi::{OsStr, OsString};
use std::io::{self, IsTerminal};
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;
use std::time::Duration;

use byway_engine::{Checks, Config as EngineConfig, Invocation};

use crate::cover::CoverConfig;
use crate::failure::{Failure, Result};
use crate::flags::{
    CheckFlag, ColorFlag, CommandFlags, ExecFlags, Flags, IrFlags, LoadFlags, ShowFlags, StatsFlags,
};
use crate::minimize::MinimizeConfig;
use crate::mutate::MutateConfig;
use crate::replay::ReplayConfig;

/// A command, ready to be carried out.
pub enum Config {
    /// Explore a program.
    Run(Box<RunConfig>),
    /// Run a run's tests natively.
    Replay(ReplayConfig),
    /// Measure what a run's tests cover.
    Cover(CoverConfig),
    /// Find the tests of a run that matter.
    Minimize(MinimizeConfig),
    /// Run an experiment.
    Lab(LabConfig),
    /// Measure how many changes of the program a run's tests notice.
    Mutate(Box<MutateConfig>),
    /// Print a test.
    Show(ShowConfig),
    /// Print what a run came to.
    Stats(StatsConfig),
    /// Run a program.
    Exec(ExecConfig),
    /// Print a program.
    Ir(IrConfig),
}

/// What `byway exec` works with.
pub struct ExecConfig {
    /// How to come by the program.
    pub load: LoadConfig,
    /// How to run it.
    pub engine: EngineConfig,
    /// What to start it with.
    pub invocation: Invocation,
    /// Directories of this machine whose files it may read.
    pub host_files: Vec<PathBuf>,
    /// Whether to say what the run took.
    pub stats: bool,
}

/// What `byway ir` works with.
pub struct IrConfig {
    /// How to come by the program.
    pub load: LoadConfig,
    /// What of it to print.
    pub selection: Selection,
    /// Where to; standard output if `None`.
    pub out: Option<PathBuf>,
}

/// What `byway show` works with.
pub struct ShowConfig {
    /// The test, or the directory of its run.
    pub test: PathBuf,
    /// The number of its path, if that is needed.
    pub number: Option<u64>,
    /// Whether to print only the command.
    pub command: bool,
    /// Whether standard output shows colours.
    pub color: bool,
}

/// What `byway stats` works with.
pub struct StatsConfig {
    /// The directory of the run.
    pub run: PathBuf,
    /// Whether to print JSON.
    pub json: bool,
    /// Whether standard output shows colours.
    pub color: bool,
}

/// What of a program to print.
pub enum Selection {
    /// All of it.
    Everything,
    /// The functions the user wrote.
    User,
    /// The functions of these names.
    Functions(Vec<String>),
}

/// How to come by a program.
pub struct LoadConfig {
    /// The files it is made of, as the user named them.
    pub program: Vec<PathBuf>,
    /// How C becomes bitcode.
    pub compiler: Compiler,
    /// Where the parts of Byway are.
    pub install: Install,
    /// Where loaded programs are kept; `None` not to keep them.
    pub cache: Option<PathBuf>,
    /// How long a tool may take before it counts as hanging.
    pub time_limit: Duration,
    /// Whether standard error shows colours.
    pub color: bool,
    /// Whether someone is watching standard error, so that long steps are announced.
    pub progress: bool,
}

/// How C becomes bitcode.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Compiler {
    /// The clang to call.
    pub clang: OsString,
    /// The user's options for it.
    pub options: Vec<OsString>,
    /// The digit of `-O`.
    pub optimise: String,
}

/// Where the parts of Byway are.
pub struct Install {
    /// The directory of the C library, if the user named one.
    pub runtime: Option<PathBuf>,
    /// The bitcode reader, if the user named one.
    pub llvm: Option<PathBuf>,
    /// The directory `byway` itself is in.
    pub executables: Option<PathBuf>,
}

impl Config {
    /// Resolves what was typed.
    pub fn resolve(flags: Flags) -> Result<Self> {
        match flags.command {
            CommandFlags::Run(flags) => Ok(Config::Run(Box::new(RunConfig::resolve(*flags)?))),
            CommandFlags::Replay(flags) => Ok(Config::Replay(ReplayConfig::resolve(flags))),
            CommandFlags::Cover(flags) => Ok(Config::Cover(CoverConfig::resolve(flags))),
            CommandFlags::Minimize(flags) => Ok(Config::Minimize(MinimizeConfig::resolve(flags))),
            CommandFlags::Lab(flags) => Ok(Config::Lab(LabConfig::resolve(flags))),
            CommandFlags::Mutate(flags) => {
                Ok(Config::Mutate(Box::new(MutateConfig::resolve(*flags)?)))
            }
            CommandFlags::Show(flags) => Ok(Config::Show(ShowConfig::resolve(flags))),
            CommandFlags::Stats(flags) => Ok(Config::Stats(StatsConfig::resolve(flags))),
            CommandFlags::Exec(flags) => Ok(Config::Exec(ExecConfig::resolve(flags)?)),
            CommandFlags::Ir(flags) => Ok(Config::Ir(IrConfig::resolve(flags)?)),
        }
    }
}

impl ExecConfig {
    fn resolve(flags: ExecFlags) -> Result<Self> {
        Ok(ExecConfig {
            engine: EngineConfig {
                checks: checks(&flags.check),
                max_instructions: flags.max_instructions,
                max_memory: flags.max_memory,
                max_frames: flags.max_depth,
                ..EngineConfig::default()
            },
            invocation: invocation(
                flags.argv0.as_deref().unwrap_or(first_file(&flags.load.program)),
                &flags.args,
                &flags.env,
            )?,
            host_files: flags.host_files,
            stats: flags.stats,
            load: LoadConfig::resolve(flags.load)?,
        })
    }
}

impl IrConfig {
    fn resolve(flags: IrFlags) -> Result<Self> {
        let selection = if flags.user {
            Selection::User
        } else if flags.function.is_empty() {
            Selection::Everything
        } else {
            Selection::Functions(flags.function)
        };
        Ok(IrConfig { selection, out: flags.out, load: LoadConfig::resolve(flags.load)? })
    }
}

impl ShowConfig {
    fn resolve(flags: ShowFlags) -> Self {
        let color = flags.color.on(io::stdout().is_terminal());
        ShowConfig { test: flags.test, number: flags.number, command: flags.command, color }
    }
}

impl StatsConfig {
    fn resolve(flags: StatsFlags) -> Self {
        let color = flags.color.on(io::stdout().is_terminal());
        StatsConfig { run: flags.run, json: flags.json, color }
    }
}

impl ColorFlag {
    fn on(self, terminal: bool) -> bool {
        match self {
            ColorFlag::Always => true,
            ColorFlag::Never => false,
            ColorFlag::Auto => terminal && colour_is_welcome(),
        }
    }
}

impl LoadConfig {
    fn resolve(flags: LoadFlags) -> Result<Self> {
        let terminal = io::stderr().is_terminal();
        Ok(LoadConfig {
            compiler: Compiler {
                clang: env::var_os("BYWAY_CLANG").unwrap_or_else(|| "clang-22".into()),
                options: compiler_options(&flags)?,
                optimise: flags.optimise,
            },
            install: Install::find(flags.runtime),
            cache: if flags.no_cache { None } else { cache_dir() },
            time_limit: Duration::from_secs(flags.load_timeout),
            color: flags.color.on(terminal),
            progress: terminal,
            program: flags.program,
        })
    }
}

impl Install {
    /// Where the environment says, unless a flag does.
    fn find(runtime: Option<PathBuf>) -> Self {
        let executable = env::current_exe().ok();
        Install {
            runtime: runtime.or_else(|| set_path("BYWAY_RUNTIME_DIR")),
            llvm: set_path("BYWAY_LLVM"),
            executables: executable.and_then(|exe| exe.parent().map(|dir| dir.to_path_buf())),
        }
    }
}

/// Whether colours may be used on a terminal at all.
pub fn colour_is_welcome() -> bool {
    env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
        && env::var_os("TERM").is_none_or(|term| term != "dumb")
}

/// A variable that names a path; an empty one counts as unset.
fn set_path(name: &str) -> Option<PathBuf> {
    env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from)
}

fn cache_dir() -> Option<PathBuf> {
    set_path("BYWAY_CACHE")
        .or_else(|| set_path("XDG_CACHE_HOME").map(|dir| dir.join("byway")))
        .or_else(|| set_path("HOME").map(|dir| dir.join(".cache/byway")))
}

/// What a program is called if nobody says otherwise.
fn first_file(program: &[PathBuf]) -> &OsStr {
    program.first().map_or(OsStr::new(""), |path| path.as_os_str())
}

/// What the program is started with.
fn invocation(name: &OsStr, args: &[OsString], env: &[OsString]) -> Result<Invocation> {
    let args = [name].into_iter().chain(args.iter().map(OsString::as_os_str));
    let env = env.iter().filter_map(|entry| variable(entry).transpose());
    Ok(Invocation {
        args: args.map(|arg| arg.as_bytes().to_vec()).collect(),
        env: env.collect::<Result<_>>()?,
        options: Vec::new(),
    })
}

fn checks(flags: &[CheckFlag]) -> Checks {
    let on = |check| flags.contains(&check) || flags.contains(&CheckFlag::All);
    Checks {
        alignment: on(CheckFlag::Alignment),
        uninitialised: on(CheckFlag::Uninitialised),
        signed_overflow: on(CheckFlag::SignedOverflow),
        shift: on(CheckFlag::Shift),
    }
}

/// `NAME=VALUE` as given; `NAME` with the value it has here, nothing if it has none.
fn variable(entry: &OsStr) -> Result<Option<Vec<u8>>> {
    let bytes = entry.as_bytes();
    match bytes.iter().position(|&b| b == b'=') {
        Some(0) => Err(Failure::new(format!("'--env {}' names no variable", entry.display()))
            .hint("write --env NAME=VALUE")),
        Some(_) => Ok(Some(bytes.to_vec())),
        None if bytes.is_empty() => {
            Err(Failure::new("'--env' names no variable").hint("write --env NAME=VALUE"))
        }
        None => {
            Ok(env::var_os(entry).map(|value| [bytes, b"=".as_slice(), value.as_bytes()].concat()))
        }
    }
}

fn compiler_options(flags: &LoadFlags) -> Result<Vec<OsString>> {
    let joined = |option: &str, value: &OsStr| {
        let mut word = OsString::from(option);
        word.push(value);
        word
    };
    let mut options = Vec::new();
    options.extend(flags.include.iter().map(|dir| joined("-I", dir)));
    options.extend(flags.define.iter().map(|name| joined("-D", name)));
    for text in &flags.cflags {
        let words = shlex::split(text).ok_or_else(|| {
            Failure::new(format!("'--cflags {text}' has a quote that is not closed"))
        })?;
        options.extend(words.into_iter().map(OsString::from));
    }
    Ok(options)
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    fn exec(args: &[&str]) -> Result<ExecConfig> {
        let words = ["byway", "exec", "a.c"].iter().chain(args);
        match Config::resolve(Flags::parse_from(words))? {
            Config::Exec(config) => Ok(config),
            _ => panic!("exec was asked for"),
        }
    }

    #[test]
    fn checks_add_up() {
        let config = exec(&["--check", "shift,alignment"]).expect("good flags");
        let expected = Checks { shift: true, alignment: true, ..Checks::default() };
        assert_eq!(config.engine.checks, expected);
        let all = exec(&["--check", "all"]).expect("good flags").engine.checks;
        assert!(all.alignment && all.uninitialised && all.signed_overflow && all.shift);
        assert_eq!(exec(&[]).expect("good flags").engine, EngineConfig::default());
    }

    #[test]
    fn the_program_gets_its_name_and_arguments() {
        let config = exec(&["--env", "A=b=c", "--", "-x"]).expect("good flags");
        assert_eq!(config.invocation.args, [b"a.c".to_vec(), b"-x".to_vec()]);
        assert_eq!(config.invocation.env, [b"A=b=c".to_vec()]);
        let config = exec(&["--argv0", "cut", "--", "-x"]).expect("good flags");
        assert_eq!(config.invocation.args, [b"cut".to_vec(), b"-x".to_vec()]);
    }

    #[test]
    fn an_unset_variable_is_left_out() {
        let config = exec(&["--env", "BYWAY_SURELY_NOT_SET"]).expect("good flags");
        assert!(config.invocation.env.is_empty());
    }

    #[test]
    fn compiler_options_are_split_as_a_shell_does() {
        let config = exec(&["-I", "x", "--cflags", "-std=c99 -DA='b c'"]).expect("good flags");
        assert_eq!(config.load.compiler.options, ["-Ix", "-std=c99", "-DA=b c"]);
        assert!(exec(&["--cflags", "-DA='b"]).is_err());
    }

    #[test]
    fn a_variable_needs_a_name() {
        assert!(exec(&["--env", "=x"]).is_err());
    }
}
