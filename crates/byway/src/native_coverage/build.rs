//! The program built so that it counts what runs of it.
//!
//! C is compiled by gcc if it is there: it notes for every call that it may not return,
//! so that counters stay true when a test ends in `exit`, `abort` or a fault far down.
//! clang notes no such thing. It is called where gcc is missing or refuses the sources,
//! and for bitcode, which LLVM's own pass instruments.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use byway_native::child::{self, ChildEnding, ChildLimits};
use byway_native::{BuildError, BuildSpec, ProgramSource, SourceKind, write_library};

use crate::failure::{Failure, Result, reason};
use crate::interrupt;
use crate::native_coverage::bitcode;
use crate::native_coverage::gcov::Rule;

/// Saves the counters however the program ends.
const SAVER: &str = include_str!("../../../../runtime/replay/byway_cover.c");

const C_OPTIONS: &[&str] = &[
    "-c",
    "-g",
    "-w",
    "-O0",
    "--coverage",
    "-ffp-contract=off",
    "-fno-stack-protector",
    "-U_FORTIFY_SOURCE",
];

/// What is done here, as told to who interrupts it.
const BUILDING: &str = "building the program for coverage";

/// What a tool says beyond this is not kept.
const MAX_WORDS: usize = 1 << 16;

/// A program that counts.
pub struct Built {
    /// The program.
    pub program: PathBuf,
    /// A library to load before it, if nothing in it saves its counters.
    pub preload: Option<PathBuf>,
    /// Whose rules its counters follow.
    pub rule: Rule,
    /// Where to look for the notes of its compilations.
    pub notes: PathBuf,
    /// How it was built, in words.
    pub how: String,
    /// What is not measured, in words.
    pub missing: Vec<String>,
}

/// Which compiler instruments C.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Compiler {
    /// gcc if it is there and takes the sources, else clang.
    Any,
    /// gcc.
    Gcc,
    /// The clang of the run.
    Clang,
}

/// Builds the program of a run in a directory that has to live as long as it does.
pub fn build(recipe: &BuildSpec, compiler: Compiler, dir: &Path) -> Result<Built> {
    let only_c = recipe.sources.iter().all(|source| source.kind == SourceKind::C);
    match (compiler, only_c) {
        (Compiler::Gcc, true) => Builder { recipe, dir, gcc: true }.build(),
        (Compiler::Gcc, false) => {
            Err(Failure::new("gcc cannot measure bitcode").hint("--compiler clang can"))
        }
        (Compiler::Any, true) => match (Builder { recipe, dir, gcc: true }).build() {
            Ok(built) => Ok(built),
            Err(_) if interrupt::requested() => Err(Failure::interrupted_while(BUILDING)),
            // What is wrong with the sources themselves clang says as well.
            Err(_) => Builder { recipe, dir, gcc: false }.build(),
        },
        (Compiler::Clang, _) | (Compiler::Any, false) => {
            Builder { recipe, dir, gcc: false }.build()
        }
    }
}

/// Takes a program that somebody else built so that it counts.
pub fn take(
    program: &Path,
    clang: &OsStr,
    time_limit: std::time::Duration,
    dir: &Path,
) -> Result<Built> {
    let program =
        fs::canonicalize(program).map_err(|error| Failure::io("read", program, &error))?;
    let source = write(dir, "byway_cover.c", SAVER)?;
    let preload = dir.join("byway_cover.so");
    let mut command = Command::new(clang);
    command.args(["-shared", "-fPIC", "-O1", "-w", "-o"]).args([&preload, &source]);
    tool(command, time_limit, || "the library that saves counters does not compile".into())?;
    let notes = program.parent().unwrap_or(Path::new("/")).to_path_buf();
    let how = format!("'{}', as it was built", program.display());
    let rule = if is_clangs(&program) { Rule::Llvm } else { Rule::Gcc };
    Ok(Built { program, preload: Some(preload), rule, notes, how, missing: Vec::new() })
}

/// Whether clang's runtime is what counts in a program.
fn is_clangs(program: &Path) -> bool {
    let marker = b"llvm_gcda_start_file";
    fs::read(program).is_ok_and(|bytes| bytes.windows(marker.len()).any(|at| at == marker))
}

struct Builder<'a> {
    recipe: &'a BuildSpec,
    dir: &'a Path,
    gcc: bool,
}

impl Builder<'_> {
    fn build(&self) -> Result<Built> {
        let (library, include) = write_library(self.dir).map_err(explain)?;
        let saver = write(self.dir, "byway_cover.c", SAVER)?;
        let mut objects = Vec::new();
        for (name, source) in [("replay", library), ("cover", saver)] {
            let object = self.dir.join(format!("{name}.o"));
            let mut command = self.compiler();
            command.args(["-c", "-O1", "-w", "-isystem"]).arg(&include);
            command.arg("-o").args([&object, &source]);
            self.run(command, || format!("the library for tests ({name}) does not compile"))?;
            objects.push(object);
        }
        let mut missing = Vec::new();
        for (number, source) in self.recipe.sources.iter().enumerate() {
            if source.kind == SourceKind::Archive {
                missing.push(format!("'{}' is an archive", source.path.display()));
                objects.push(source.path.clone());
                continue;
            }
            let object = self.dir.join(format!("{number}.o"));
            let command = match source.kind {
                SourceKind::C => self.compile(source, &include, &object),
                _ => self.compile_bitcode(source, number, &object)?,
            };
            let shown = source.path.display();
            self.run(command, || format!("'{shown}' does not compile natively"))?;
            objects.push(object);
        }
        let program = self.dir.join("program");
        let mut command = self.compiler();
        command.args(["--coverage", "-w", "-o"]).arg(&program).args(&objects);
        if !missing.is_empty() {
            // The linker that compiles bitcode by itself.
            command.arg("-fuse-ld=lld");
        }
        command.args(["-lm", "-lpthread"]);
        self.run(command, || "the program does not link natively".into())?;
        let rule = if self.gcc { Rule::Gcc } else { Rule::Llvm };
        let how = format!("{} -O0 --coverage", if self.gcc { "gcc" } else { "clang" });
        Ok(Built { program, preload: None, rule, notes: self.dir.into(), how, missing })
    }

    fn compile(&self, source: &ProgramSource, include: &Path, object: &Path) -> Command {
        let mut command = self.compiler();
        command.args(C_OPTIONS).args(&self.recipe.options);
        command.arg("-isystem").arg(include).arg("-o").arg(object);
        // gcc does not know `--`.
        match source.path.as_os_str().as_encoded_bytes().first() {
            Some(b'-' | b'@') => command.arg(Path::new(".").join(&source.path)),
            _ => command.arg(&source.path),
        };
        command
    }

    fn compile_bitcode(
        &self,
        source: &ProgramSource,
        number: usize,
        object: &Path,
    ) -> Result<Command> {
        let stem = object.with_extension("");
        let text = self.dir.join(format!("{number}.ll"));
        let mut disassemble = Command::new(self.llvm_tool("llvm-dis")?);
        disassemble.current_dir(&self.recipe.directory).arg("-o").args([&text, &source.path]);
        let shown = source.path.display();
        self.run(disassemble, || format!("'{shown}' cannot be read by LLVM"))?;
        let asked = fs::read_to_string(&text)
            .map_err(|error| Failure::io("read", &text, &error))
            .and_then(|module| {
            bitcode::ask_for_counters(&module, &stem).ok_or_else(|| {
                Failure::new(format!("'{shown}' has no debug information"))
                    .hint("compile it with -g, so that lines are known")
            })
        })?;
        fs::write(&text, asked).map_err(|error| Failure::io("write", &text, &error))?;
        let counting = self.dir.join(format!("{number}.bc"));
        let mut instrument = Command::new(self.llvm_tool("opt")?);
        instrument.args(["-passes=insert-gcov-profiling", "-o"]).args([&counting, &text]);
        self.run(instrument, || format!("'{shown}' cannot be instrumented"))?;
        let mut command = self.compiler();
        command.args(["-c", "-w", "-O0", "-x", "ir", "-o"]).args([object, counting.as_path()]);
        Ok(command)
    }

    fn compiler(&self) -> Command {
        let gcc = OsString::from("gcc");
        let mut command = Command::new(if self.gcc { &gcc } else { &self.recipe.clang });
        command.current_dir(&self.recipe.directory);
        command
    }

    /// A tool of the same installation as clang.
    fn llvm_tool(&self, name: &str) -> Result<PathBuf> {
        let mut command = Command::new(&self.recipe.clang);
        command.arg(format!("-print-prog-name={name}"));
        let words = self.run(command, || "clang does not say where its tools are".into())?;
        Ok(PathBuf::from(words.trim()))
    }

    fn run(&self, command: Command, complaint: impl Fn() -> String) -> Result<String> {
        tool(command, self.recipe.time_limit, complaint)
    }
}

fn write(dir: &Path, name: &str, text: &str) -> Result<PathBuf> {
    let path = dir.join(name);
    fs::write(&path, text).map_err(|error| Failure::io("write", &path, &error))?;
    Ok(path)
}

fn explain(error: BuildError) -> Failure {
    match error {
        BuildError::Stopped => Failure::interrupted_while(BUILDING),
        other => Failure::new(other.to_string()).detail(other.tool_output()),
    }
}

/// Runs a tool and gives what it printed; `complaint` is for when it fails.
fn tool(
    mut command: Command,
    time_limit: std::time::Duration,
    complaint: impl Fn() -> String,
) -> Result<String> {
    let limits = ChildLimits { time: time_limit, output: MAX_WORDS };
    let finished = child::run(&mut command, limits, &mut |_| !interrupt::requested());
    let finished = finished.map_err(|error| {
        let name = command.get_program().to_string_lossy().into_owned();
        Failure::new(format!("cannot run '{name}': {}", reason(&error)))
    })?;
    match finished.ending {
        ChildEnding::Stopped => Err(Failure::interrupted_while(BUILDING)),
        ChildEnding::TimedOut => {
            let seconds = time_limit.as_secs();
            Err(Failure::new(format!("{}: it took over {seconds} s", complaint()))
                .hint("--load-timeout allows more"))
        }
        ChildEnding::Exited(status) if status.success() => {
            Ok(String::from_utf8_lossy(&finished.stdout).into_owned())
        }
        ChildEnding::Exited(_) => {
            let words = String::from_utf8_lossy(&finished.stderr).into_owned();
            Err(Failure::new(complaint()).detail(words))
        }
    }
}
