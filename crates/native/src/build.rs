//! Builds an executable that runs tests from the files of a program.

use std::ffi::{OsStr, OsString};
use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use crate::child::{self, ChildEnding, ChildLimits};
use crate::symbols::Symbols;

/// The replay library that programs are linked with, its private header, and its public headers.
const LIBRARY: &str = include_str!("../../../runtime/replay/byway_replay.c");
const LIBRARY_HEADERS: [(&str, &str); 2] = [
    ("nondet.h", include_str!("../../../runtime/replay/nondet.h")),
    ("allocations.h", include_str!("../../../runtime/replay/allocations.h")),
];
const HEADERS: [(&str, &str); 2] = [
    ("byway.h", include_str!("../../../runtime/include/byway.h")),
    ("klee/klee.h", include_str!("../../../runtime/include/klee/klee.h")),
];

/// Sanitizers that report faults with their source lines. Beside the address sanitizer only
/// "unreachable" ends the program; findings of the other checks are recorded as remarks.
const SANITIZERS: &str = "-fsanitize=address,integer-divide-by-zero,signed-integer-overflow,shift,\
                          array-bounds,alignment,null,function,unreachable";

/// Options for C sources, beside the user's and the sanitizers': as for exploration, so that it
/// is the same program, and with frame pointers for stack traces.
pub(super) const C_OPTIONS: &[&str] = &[
    "-c",
    "-g",
    "-w",
    "-ffp-contract=off",
    "-fno-stack-protector",
    "-U_FORTIFY_SOURCE",
    "-fno-omit-frame-pointer",
    "-fno-optimize-sibling-calls",
];

/// Byway does not see the scopes of variables in optimised code.
const NO_SCOPES: &str = "-fno-sanitize-address-use-after-scope";

/// Options of `opt` that enable the address sanitizer in bitcode compiled without it.
const SANITISE_BITCODE: &[&str] = &[
    "-passes=forceattrs",
    "-force-attribute=sanitize_address",
    "-force-attribute=uwtable",
    "--frame-pointer=all",
];

/// The files and options that a native build needs.
#[derive(Clone, Debug)]
pub struct BuildSpec {
    /// The files of the program.
    pub sources: Vec<ProgramSource>,
    /// The directory that relative paths refer to.
    pub directory: PathBuf,
    /// The clang executable.
    pub clang: OsString,
    /// The optimisation level: the suffix of `-O`.
    pub optimise: String,
    /// The user's options for C sources.
    pub options: Vec<OsString>,
    /// Further checks of undefined behaviour, by clang's names: those of the exploration.
    pub sanitizers: Vec<String>,
    /// The time limit for each tool.
    pub time_limit: Duration,
}

/// A file of a program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ProgramSource {
    /// Relative to [`BuildSpec::directory`].
    pub path: PathBuf,
    /// The language.
    pub kind: SourceKind,
}

/// The language of a file.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum SourceKind {
    /// C source.
    C,
    /// LLVM IR, as bitcode or text.
    Bitcode,
    /// An archive of bitcode.
    Archive,
}

/// The reason why a build failed.
#[derive(Debug)]
pub enum BuildError {
    /// The caller asked to stop.
    Stopped,
    /// A step failed: a message, and the output of the tool.
    Failed(String, String),
    /// A tool rejected its input: a message, and the output of the tool.
    Rejected(String, String),
    /// A tool exceeded its time limit.
    TimedOut(String),
}

impl fmt::Display for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BuildError::Stopped => f.write_str("stopped"),
            BuildError::Failed(message, _)
            | BuildError::Rejected(message, _)
            | BuildError::TimedOut(message) => f.write_str(message),
        }
    }
}

impl std::error::Error for BuildError {}

impl BuildError {
    /// The output of the tool that failed.
    pub fn tool_output(&self) -> &str {
        match self {
            BuildError::Failed(_, output) | BuildError::Rejected(_, output) => output,
            BuildError::Stopped | BuildError::TimedOut(_) => "",
        }
    }
}

pub(crate) fn failed(message: impl Into<String>) -> BuildError {
    BuildError::Failed(message.into(), String::new())
}

pub(crate) fn failed_at(action: &str, path: &Path, error: &io::Error) -> BuildError {
    failed(format!("cannot {action} '{}': {error}", path.display()))
}

/// A program that can run tests.
pub struct Executable {
    pub(crate) path: PathBuf,
    pub(crate) symbols: Option<Symbols>,
    pub(crate) linking: NativeLinking,
    sanitised: bool,
    checked: bool,
}

/// How a program is linked.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum NativeLinking {
    /// With the machine's shared libraries.
    Dynamic,
    /// Without shared libraries.
    Static,
}

impl Executable {
    /// Builds the program with sanitizers in `dir`, which must exist as long as the program is
    /// used. `watch` is called repeatedly and returns whether to go on.
    pub fn build(
        recipe: &BuildSpec,
        dir: &Path,
        watch: &mut dyn FnMut() -> bool,
    ) -> Result<Self, BuildError> {
        let mut builder = NativeBuilder::new(recipe, dir, watch);
        builder.sanitised = true;
        builder.opt = builder.tool("opt")?;
        let symbolizer = builder.symbolizer()?;
        let path = builder.build()?;
        let executable = builder.finish(path.clone(), NativeLinking::Dynamic);
        Ok(executable.with_symbols(symbolizer, path))
    }

    /// With the source lines of its addresses.
    pub(crate) fn with_symbols(self, symbolizer: PathBuf, path: PathBuf) -> Self {
        Executable { symbols: Some(Symbols::new(symbolizer, path)), ..self }
    }

    /// An executable built by the user.
    pub fn prebuilt(path: PathBuf) -> Self {
        Executable {
            path,
            symbols: None,
            linking: NativeLinking::Dynamic,
            sanitised: false,
            checked: false,
        }
    }

    /// Whether all of the program's own code is compiled with the address sanitizer.
    pub fn is_sanitised(&self) -> bool {
        self.sanitised
    }

    /// Whether clang inserted checks of undefined behaviour into all of the program's own code.
    pub fn has_checks(&self) -> bool {
        self.checked
    }
}

/// Builds a program in a directory.
pub(crate) struct NativeBuilder<'a> {
    pub recipe: &'a BuildSpec,
    pub dir: &'a Path,
    watch: &'a mut dyn FnMut() -> bool,
    opt: Option<PathBuf>,
    sanitised: bool,
}

impl<'a> NativeBuilder<'a> {
    /// Starts a build without sanitizers.
    pub fn new(recipe: &'a BuildSpec, dir: &'a Path, watch: &'a mut dyn FnMut() -> bool) -> Self {
        NativeBuilder { recipe, dir, watch, opt: None, sanitised: false }
    }

    /// The executable at `path`.
    pub fn finish(self, path: PathBuf, linking: NativeLinking) -> Executable {
        let is_c = |source: &ProgramSource| source.kind == SourceKind::C;
        let checked = self.sanitised && self.recipe.sources.iter().all(is_c);
        Executable { path, symbols: None, linking, sanitised: self.sanitised, checked }
    }

    /// Writes the source of the replay library; returns its path.
    pub fn replay_library(&self) -> Result<PathBuf, BuildError> {
        write_replay(self.dir)
    }

    fn build(&mut self) -> Result<PathBuf, BuildError> {
        let (library, include) = write_library(self.dir)?;
        let replay = self.dir.join("byway_replay.o");
        let isystem = [OsStr::new("-isystem"), include.as_os_str()];
        // Without debug information, so that a fault in it is attributed to its caller.
        let options = ["-c", "-O1", "-fsanitize=address", "-fno-omit-frame-pointer", "-o"];
        let mut command = self.clang();
        command.args(isystem).args(options).args([&replay, &library]);
        self.tool_run(command, || "the replay library does not compile".into())?;

        let mut objects = vec![replay];
        let recipe = self.recipe;
        for (index, source) in recipe.sources.iter().enumerate() {
            let object = self.dir.join(format!("{index}.o"));
            let shown = source.path.display();
            let complaint = || format!("'{shown}' does not compile natively");
            match source.kind {
                SourceKind::C => {
                    let mut command = self.clang();
                    if !recipe.sanitizers.is_empty() {
                        command.arg(format!("-fsanitize={}", recipe.sanitizers.join(",")));
                    }
                    command.args(C_OPTIONS).args([SANITIZERS, "-fsanitize-recover=all"]);
                    command.arg(format!("-O{}", recipe.optimise));
                    if recipe.optimise != "0" {
                        command.arg(NO_SCOPES);
                    }
                    command.args(&recipe.options).args(isystem);
                    command.arg("-o").arg(&object).arg("--").arg(&source.path);
                    self.tool_run(command, complaint)?;
                }
                SourceKind::Bitcode => {
                    let bitcode = self.sanitise(&source.path, index)?;
                    let mut command = self.clang();
                    // No optimisation: the bitcode is compiled as it was explored.
                    command.args(["-c", "-w", "-O0", "-fsanitize=address", "-x", "ir", "-o"]);
                    command.arg(&object).arg("--").arg(bitcode);
                    self.tool_run(command, complaint)?;
                }
                SourceKind::Archive => {
                    self.sanitised = false;
                    objects.push(source.path.clone());
                    continue;
                }
            }
            objects.push(object);
        }
        self.link(&objects)
    }

    fn link(&mut self, objects: &[PathBuf]) -> Result<PathBuf, BuildError> {
        let program = self.dir.join("program");
        let mut command = self.clang();
        command.args([SANITIZERS, "-w", "-o"]).arg(&program).args(objects);
        if self.recipe.sources.iter().any(|source| source.kind == SourceKind::Archive) {
            // lld compiles bitcode in archives itself.
            command.arg("-fuse-ld=lld");
        }
        command.args(["-lm", "-lpthread"]);
        self.tool_run(command, || "the program does not link natively".into())?;
        Ok(program)
    }

    /// Enables the address sanitizer in bitcode; returns it unchanged if `opt` is missing.
    fn sanitise(&mut self, bitcode: &Path, index: usize) -> Result<PathBuf, BuildError> {
        let Some(opt) = &self.opt else {
            self.sanitised = false;
            return Ok(bitcode.to_path_buf());
        };
        let out = self.dir.join(format!("{index}.bc"));
        let mut command = Command::new(opt);
        command.args(SANITISE_BITCODE).arg("-o").args([&out, bitcode]);
        command.current_dir(&self.recipe.directory);
        self.tool_run(command, || format!("'{}' cannot be read by LLVM", bitcode.display()))?;
        Ok(out)
    }

    /// A clang command in the directory that relative paths refer to.
    pub fn clang(&self) -> Command {
        let mut command = Command::new(&self.recipe.clang);
        command.current_dir(&self.recipe.directory);
        command
    }

    /// The tool that finds the source lines of addresses.
    pub fn symbolizer(&mut self) -> Result<PathBuf, BuildError> {
        self.tool("llvm-symbolizer")?.ok_or_else(|| {
            failed(
                "clang has no 'llvm-symbolizer' beside it, which finds the source lines of faults",
            )
        })
    }

    /// A tool of the clang installation, if it is there.
    fn tool(&mut self, name: &str) -> Result<Option<PathBuf>, BuildError> {
        let mut command = self.clang();
        command.arg(format!("-print-prog-name={name}"));
        let output =
            self.tool_run(command, || "clang does not report where its tools are".into())?;
        let path = PathBuf::from(output.trim());
        Ok(path.is_absolute().then_some(path))
    }

    /// Runs a tool and returns its standard output. `complaint` is the message if it fails.
    pub fn tool_run(
        &mut self,
        mut command: Command,
        complaint: impl Fn() -> String,
    ) -> Result<String, BuildError> {
        let limits = ChildLimits { time: self.recipe.time_limit, output: 1 << 16 };
        // Errors of the machine are recognised by their English messages.
        command.env("LANGUAGE", "C");
        let finished = child::run(&mut command, limits, &mut |_| (self.watch)())
            .map_err(|error| failed_at("run", Path::new(command.get_program()), &error))?;
        match finished.ending {
            ChildEnding::Stopped => Err(BuildError::Stopped),
            ChildEnding::TimedOut => {
                let seconds = self.recipe.time_limit.as_secs();
                Err(BuildError::TimedOut(format!("{}: it took more than {seconds} s", complaint())))
            }
            ChildEnding::Exited(status) if status.success() => {
                Ok(String::from_utf8_lossy(&finished.stdout).into_owned())
            }
            ChildEnding::Exited(status) => {
                let output = String::from_utf8_lossy(&finished.stderr).into_owned();
                Err(match finished.is_rejection() {
                    true => BuildError::Rejected(complaint(), output),
                    false => BuildError::Failed(format!("{} ({status})", complaint()), output),
                })
            }
        }
    }
}

fn write_replay(dir: &Path) -> Result<PathBuf, BuildError> {
    let library = dir.join("byway_replay.c");
    for (name, header) in LIBRARY_HEADERS {
        write(&dir.join(name), header)?;
    }
    write(&library, LIBRARY)?;
    Ok(library)
}

/// Writes the source of the replay library and its headers; returns the path of the source
/// and the directory of the headers.
pub fn write_library(dir: &Path) -> Result<(PathBuf, PathBuf), BuildError> {
    let include = dir.join("include");
    for (name, text) in HEADERS {
        write(&include.join(name), text)?;
    }
    Ok((write_replay(dir)?, include))
}

fn write(path: &Path, text: &str) -> Result<(), BuildError> {
    let written = match path.parent() {
        Some(dir) => fs::create_dir_all(dir).and_then(|()| fs::write(path, text)),
        None => fs::write(path, text),
    };
    written.map_err(|error| failed_at("write", path, &error))
}
