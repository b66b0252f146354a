//! The resolved options of loading. No other module of loading reads flags or environment
//! variables.

use std::env;
use std::ffi::{OsStr, OsString};
use std::io::{self, IsTerminal};
use std::path::PathBuf;
use std::time::Duration;

use crate::failure::{Failure, Result};
use crate::load::alias::FunctionAlias;
use crate::load::flags::LoadFlags;

#[derive(Clone)]
pub struct LoadConfig {
    /// The program's files, as the user named them.
    pub program: Vec<PathBuf>,
    pub compiler: Compiler,
    /// Functions, and those that are called instead of them.
    pub aliases: Vec<FunctionAlias>,
    pub install: Install,
    /// The directory of the program cache; `None` disables it.
    pub cache: Option<PathBuf>,
    /// The time limit of a single tool.
    pub time_limit: Duration,
    /// Colour the output on standard error.
    pub color: bool,
    /// Announce long steps, because standard error is a terminal.
    pub progress: bool,
}

/// The compiler of C sources, with its options.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Compiler {
    /// The clang to call.
    pub clang: OsString,
    /// The user's options for it.
    pub options: Vec<OsString>,
    /// The digit of `-O`.
    pub optimise: String,
    /// Checks of undefined behaviour that clang inserts, by its names.
    pub sanitizers: Vec<&'static str>,
}

impl Compiler {
    /// Whether the user's options define the result of a signed overflow.
    pub fn wraps_signed(&self) -> bool {
        let last = self.options.iter().rev().find_map(|option| match option.to_str()? {
            "-fwrapv" | "-fno-strict-overflow" => Some(true),
            "-fno-wrapv" | "-fstrict-overflow" => Some(false),
            _ => None,
        });
        last.unwrap_or(false)
    }
}

/// The locations of the parts of Byway.
#[derive(Clone)]
pub struct Install {
    /// The directory of the C library, if the user named one.
    pub runtime: Option<PathBuf>,
    /// The bitcode reader, if the user named one.
    pub llvm: Option<PathBuf>,
    /// The directory of the executable `byway`.
    pub executables: Option<PathBuf>,
}

impl LoadConfig {
    pub fn resolve(flags: LoadFlags) -> Result<Self> {
        let terminal = io::stderr().is_terminal();
        Ok(LoadConfig {
            compiler: Compiler {
                clang: compiler_name(),
                options: compiler_options(&flags)?,
                optimise: flags.optimise,
                sanitizers: Vec::new(),
            },
            aliases: flags.alias,
            install: Install::find(flags.runtime),
            cache: if flags.no_cache { None } else { cache_dir() },
            time_limit: flags.load_timeout,
            color: flags.color.on(terminal),
            progress: terminal,
            program: flags.program,
        })
    }

    /// Has clang insert these checks into C sources.
    pub fn with_sanitizers(mut self, sanitizers: Vec<&'static str>) -> Self {
        self.compiler.sanitizers = sanitizers;
        self
    }
}

impl Install {
    /// `runtime` overrides the environment variable.
    pub fn find(runtime: Option<PathBuf>) -> Self {
        let executable = env::current_exe().ok();
        Install {
            runtime: runtime.or_else(|| set_path("BYWAY_RUNTIME_DIR")),
            llvm: set_path("BYWAY_LLVM"),
            executables: executable.and_then(|exe| exe.parent().map(|dir| dir.to_path_buf())),
        }
    }
}

/// A variable that names a path; an empty one counts as unset.
fn set_path(name: &str) -> Option<PathBuf> {
    env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from)
}

/// The clang to call.
pub fn compiler_name() -> OsString {
    env::var_os("BYWAY_CLANG").unwrap_or_else(|| "clang-22".into())
}

pub fn cache_dir() -> Option<PathBuf> {
    set_path("BYWAY_CACHE")
        .or_else(|| set_path("XDG_CACHE_HOME").map(|dir| dir.join("byway")))
        .or_else(|| set_path("HOME").map(|dir| dir.join(".cache/byway")))
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
        let words = shlex::split(text)
            .ok_or_else(|| Failure::new(format!("'--cflags {text}' has an unclosed quote")))?;
        options.extend(words.into_iter().map(OsString::from));
    }
    Ok(options)
}
