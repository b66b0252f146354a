//! From the files of a program to an executable that runs tests.

use std::ffi::{OsStr, OsString};
use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use crate::child::{self, How, Limits};
use crate::symbols::Symbols;

/// The library programs are linked with, what it includes, and the headers that declare
/// what is in it.
const LIBRARY: &str = include_str!("../../../runtime/replay/byway_replay.c");
const LIBRARY_HEADER: (&str, &str) = ("nondet.h", include_str!("../../../runtime/replay/nondet.h"));
const HEADERS: [(&str, &str); 2] = [
    ("byway.h", include_str!("../../../runtime/include/byway.h")),
    ("klee/klee.h", include_str!("../../../runtime/include/klee/klee.h")),
];

/// Whatever makes a fault show with its line. Only "unreachable" ends the program; the
/// checks beside the address sanitizer's are there to be remarked on.
const SANITIZERS: &str = "-fsanitize=address,integer-divide-by-zero,signed-integer-overflow,shift,\
                          array-bounds,alignment,null,function,unreachable";

/// How C sources are compiled, beside the user's own options: as for exploration, so that
/// it is the same program, and so that stacks can be walked.
const C_OPTIONS: &[&str] = &[
    "-c",
    "-g",
    "-w",
    "-ffp-contract=off",
    "-fno-stack-protector",
    "-U_FORTIFY_SOURCE",
    "-fno-omit-frame-pointer",
    "-fno-optimize-sibling-calls",
    SANITIZERS,
    "-fsanitize-recover=all",
    // A local variable past the end of its block is no fault to Byway.
    "-fno-sanitize-address-use-after-scope",
];

/// Makes bitcode that knows of no sanitizer one that does.
const SANITISE_BITCODE: &[&str] = &[
    "-passes=forceattrs",
    "-force-attribute=sanitize_address",
    "-force-attribute=uwtable",
    "--frame-pointer=all",
];

/// How a program is made.
#[derive(Clone, Debug)]
pub struct Recipe {
    /// The files it is made of.
    pub sources: Vec<Source>,
    /// The directory that relative names mean.
    pub directory: PathBuf,
    /// The clang to call.
    pub clang: OsString,
    /// The digit of `-O`.
    pub optimise: String,
    /// The user's options for C sources.
    pub options: Vec<OsString>,
    /// How long a tool may take.
    pub time_limit: Duration,
}

/// A file of a program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Source {
    /// Where it is.
    pub path: PathBuf,
    /// What it holds.
    pub kind: SourceKind,
}

/// What a file of a program holds.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum SourceKind {
    /// C.
    C,
    /// LLVM bitcode, or LLVM IR as text.
    Bitcode,
    /// An archive of bitcode.
    Archive,
}

/// Why a program could not be made.
#[derive(Debug)]
pub enum BuildError {
    /// It was told to stop.
    Stopped,
    /// Something failed; the words of the tool that failed are the second part.
    Failed(String, String),
    /// A tool refused what it was given, in the words of the second part.
    Refused(String, String),
    /// A tool did not end in time.
    TimedOut(String),
}

impl fmt::Display for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BuildError::Stopped => f.write_str("stopped"),
            BuildError::Failed(message, _)
            | BuildError::Refused(message, _)
            | BuildError::TimedOut(message) => f.write_str(message),
        }
    }
}

impl std::error::Error for BuildError {}

impl BuildError {
    /// What the tool that failed said.
    pub fn words(&self) -> &str {
        match self {
            BuildError::Failed(_, words) | BuildError::Refused(_, words) => words,
            BuildError::Stopped | BuildError::TimedOut(_) => "",
        }
    }
}

fn failed(message: impl Into<String>) -> BuildError {
    BuildError::Failed(message.into(), String::new())
}

fn failed_at(action: &str, path: &Path, error: &io::Error) -> BuildError {
    failed(format!("cannot {action} '{}': {error}", path.display()))
}

/// A program that can run tests.
pub struct Executable {
    pub(crate) path: PathBuf,
    pub(crate) symbols: Option<Symbols>,
    pub(crate) linking: Linking,
    sanitised: bool,
}

/// Where a program has its libraries.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Linking {
    /// Some are the machine's.
    Dynamic,
    /// In itself.
    Static,
}

impl Executable {
    /// Makes the program in a directory that has to live as long as it does. `watch` is
    /// asked now and then whether to go on.
    pub fn build(
        recipe: &Recipe,
        dir: &Path,
        watch: &mut dyn FnMut() -> bool,
    ) -> Result<Self, BuildError> {
        let mut builder = Builder::new(recipe, dir, watch);
        builder.sanitised = true;
        builder.opt = builder.tool("opt")?;
        let symbolizer = builder.tool("llvm-symbolizer")?.ok_or_else(|| {
            failed("clang has no 'llvm-symbolizer' beside it, which tells the lines of faults")
        })?;
        let path = builder.build()?;
        let symbols = Some(Symbols::new(symbolizer, path.clone()));
        Ok(Executable { symbols, ..builder.finish(path, Linking::Dynamic) })
    }

    /// A program that somebody else made.
    pub fn of(path: PathBuf) -> Self {
        Executable { path, symbols: None, linking: Linking::Dynamic, sanitised: false }
    }

    /// Whether the sanitizers watch all of the program's own code.
    pub fn is_sanitised(&self) -> bool {
        self.sanitised
    }
}

/// Makes a program in a directory.
pub(crate) struct Builder<'a> {
    pub recipe: &'a Recipe,
    pub dir: &'a Path,
    watch: &'a mut dyn FnMut() -> bool,
    opt: Option<PathBuf>,
    sanitised: bool,
}

impl<'a> Builder<'a> {
    /// Nothing is made yet, nor watched.
    pub fn new(recipe: &'a Recipe, dir: &'a Path, watch: &'a mut dyn FnMut() -> bool) -> Self {
        Builder { recipe, dir, watch, opt: None, sanitised: false }
    }

    /// What was made.
    pub fn finish(self, path: PathBuf, linking: Linking) -> Executable {
        Executable { path, symbols: None, linking, sanitised: self.sanitised }
    }

    /// The source of the library that programs are linked with.
    pub fn replay_library(&self) -> Result<PathBuf, BuildError> {
        write_replay(self.dir)
    }

    fn build(&mut self) -> Result<PathBuf, BuildError> {
        let (library, include) = write_library(self.dir)?;
        let replay = self.dir.join("byway_replay.o");
        let isystem = [OsStr::new("-isystem"), include.as_os_str()];
        // Without debug information, so that a fault in it is blamed on its caller.
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
                    command.args(C_OPTIONS).arg(format!("-O{}", recipe.optimise));
                    command.args(&recipe.options).args(isystem);
                    command.arg("-o").arg(&object).arg("--").arg(&source.path);
                    self.tool_run(command, complaint)?;
                }
                SourceKind::Bitcode => {
                    let bitcode = self.sanitise(&source.path, index)?;
                    let mut command = self.clang();
                    // As it is: what was to be optimised has been.
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
            // The linker that compiles bitcode by itself.
            command.arg("-fuse-ld=lld");
        }
        command.args(["-lm", "-lpthread"]);
        self.tool_run(command, || "the program does not link natively".into())?;
        Ok(program)
    }

    /// Bitcode that the address sanitizer takes up, if there is a tool to make it so.
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

    /// clang, where relative names mean what they should.
    pub fn clang(&self) -> Command {
        let mut command = Command::new(&self.recipe.clang);
        command.current_dir(&self.recipe.directory);
        command
    }

    /// A tool of the same installation as clang, if it has it.
    fn tool(&mut self, name: &str) -> Result<Option<PathBuf>, BuildError> {
        let mut command = self.clang();
        command.arg(format!("-print-prog-name={name}"));
        let words = self.tool_run(command, || "clang does not say where its tools are".into())?;
        let path = PathBuf::from(words.trim());
        Ok(path.is_absolute().then_some(path))
    }

    /// Runs a tool and gives what it printed; `complaint` is for when it fails.
    pub fn tool_run(
        &mut self,
        mut command: Command,
        complaint: impl Fn() -> String,
    ) -> Result<String, BuildError> {
        let limits = Limits { time: self.recipe.time_limit, output: 1 << 16 };
        // So that its words are those that are looked for.
        command.env("LANGUAGE", "C");
        let finished = child::run(&mut command, limits, &mut |_| (self.watch)())
            .map_err(|error| failed_at("run", Path::new(command.get_program()), &error))?;
        match finished.how {
            How::Stopped => Err(BuildError::Stopped),
            How::TimedOut => {
                let seconds = self.recipe.time_limit.as_secs();
                Err(BuildError::TimedOut(format!("{}: it took over {seconds} s", complaint())))
            }
            How::Exited(status) if status.success() => {
                Ok(String::from_utf8_lossy(&finished.stdout).into_owned())
            }
            How::Exited(status) => {
                let words = String::from_utf8_lossy(&finished.stderr).into_owned();
                Err(match finished.is_refusal() {
                    true => BuildError::Refused(complaint(), words),
                    false => BuildError::Failed(format!("{} ({status})", complaint()), words),
                })
            }
        }
    }
}

fn write_replay(dir: &Path) -> Result<PathBuf, BuildError> {
    let library = dir.join("byway_replay.c");
    let (name, header) = LIBRARY_HEADER;
    write(&dir.join(name), header)?;
    write(&library, LIBRARY)?;
    Ok(library)
}

/// Writes the source of the library that programs are linked with, and its headers; gives
/// the file and the directory.
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
