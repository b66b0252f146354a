//! Builds the program with coverage counters.
//!
//! C is compiled by gcc if it is installed: it adds an arc for every call that may not return,
//! so that counts are exact when a test ends in `exit`, `abort` or a fault deep in the calls.
//! clang does not. It is used if gcc is missing or rejects the sources, and for bitcode,
//! which LLVM's own pass instruments.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use byway_native::child::{self, ChildEnding, ChildLimits};
use byway_native::{BuildSpec, ProgramSource, SourceKind, write_library};

use crate::failure::{Failure, Result, reason};
use crate::interrupt;
use crate::native_coverage::bitcode;
use crate::native_coverage::gcov::LineRule;
use crate::native_run;

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

/// The task that an interrupt stops.
const BUILDING: &str = "building the program for coverage";

/// The limit on collected output of a tool in bytes.
const MAX_OUTPUT: usize = 1 << 16;

/// A program with coverage counters.
pub struct InstrumentedProgram {
    pub program: PathBuf,
    /// A library to preload that saves the counters, if the program does not contain it.
    pub preload: Option<PathBuf>,
    /// How lines are counted.
    pub rule: LineRule,
    /// The directory with the notes of its units.
    pub notes: PathBuf,
    /// A description of the build.
    pub how: String,
    /// Descriptions of parts that are not measured.
    pub missing: Vec<String>,
}

/// The compiler that instruments C.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum CoverageCompiler {
    /// gcc if it is installed and compiles the sources, else clang.
    Any,
    Gcc,
    /// The clang that the run used.
    Clang,
}

/// Builds the program in `dir`, which must exist as long as the program is used.
pub fn build(
    spec: &BuildSpec,
    compiler: CoverageCompiler,
    dir: &Path,
) -> Result<InstrumentedProgram> {
    let only_c = spec.sources.iter().all(|source| source.kind == SourceKind::C);
    match (compiler, only_c) {
        (CoverageCompiler::Gcc, true) => CoverageBuilder { spec, dir, gcc: true }.build(),
        (CoverageCompiler::Gcc, false) => {
            Err(Failure::new("gcc cannot measure bitcode").hint("--compiler clang can"))
        }
        (CoverageCompiler::Any, true) => match (CoverageBuilder { spec, dir, gcc: true }).build() {
            Ok(built) => Ok(built),
            Err(_) if interrupt::requested() => Err(Failure::interrupted_while(BUILDING)),
            // clang reports errors in the sources as well.
            Err(_) => CoverageBuilder { spec, dir, gcc: false }.build(),
        },
        (CoverageCompiler::Clang, _) | (CoverageCompiler::Any, false) => {
            CoverageBuilder { spec, dir, gcc: false }.build()
        }
    }
}

/// Uses a program that the user built with coverage.
pub fn prebuilt(
    program: &Path,
    clang: &OsStr,
    time_limit: std::time::Duration,
    dir: &Path,
) -> Result<InstrumentedProgram> {
    let program =
        fs::canonicalize(program).map_err(|error| Failure::io("read", program, &error))?;
    let source = write(dir, "byway_cover.c", SAVER)?;
    let preload = dir.join("byway_cover.so");
    let mut command = Command::new(clang);
    command.args(["-shared", "-fPIC", "-O1", "-w", "-o"]).args([&preload, &source]);
    tool(command, time_limit, || "the library that saves counters does not compile".into())?;
    let notes = program.parent().unwrap_or(Path::new("/")).to_path_buf();
    let how = format!("'{}', as it was built", program.display());
    let rule = if is_clangs(&program) { LineRule::Llvm } else { LineRule::Gcc };
    Ok(InstrumentedProgram {
        program,
        preload: Some(preload),
        rule,
        notes,
        how,
        missing: Vec::new(),
    })
}

/// Whether the program contains clang's coverage runtime.
fn is_clangs(program: &Path) -> bool {
    let marker = b"llvm_gcda_start_file";
    fs::read(program).is_ok_and(|bytes| bytes.windows(marker.len()).any(|at| at == marker))
}

struct CoverageBuilder<'a> {
    spec: &'a BuildSpec,
    dir: &'a Path,
    gcc: bool,
}

impl CoverageBuilder<'_> {
    fn build(&self) -> Result<InstrumentedProgram> {
        let (library, include) =
            write_library(self.dir).map_err(|error| native_run::build_failure(error, BUILDING))?;
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
        for (number, source) in self.spec.sources.iter().enumerate() {
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
            // lld compiles bitcode in archives itself.
            command.arg("-fuse-ld=lld");
        }
        command.args(["-lm", "-lpthread"]);
        self.run(command, || "the program does not link natively".into())?;
        let rule = if self.gcc { LineRule::Gcc } else { LineRule::Llvm };
        let how = format!("{} -O0 --coverage", if self.gcc { "gcc" } else { "clang" });
        Ok(InstrumentedProgram {
            program,
            preload: None,
            rule,
            notes: self.dir.into(),
            how,
            missing,
        })
    }

    fn compile(&self, source: &ProgramSource, include: &Path, object: &Path) -> Command {
        let mut command = self.compiler();
        command.args(C_OPTIONS).args(&self.spec.options);
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
        disassemble.current_dir(&self.spec.directory).arg("-o").args([&text, &source.path]);
        let shown = source.path.display();
        self.run(disassemble, || format!("'{shown}' cannot be read by LLVM"))?;
        let prepared = fs::read_to_string(&text)
            .map_err(|error| Failure::io("read", &text, &error))
            .and_then(|module| {
                bitcode::request_counters(&module, &stem).ok_or_else(|| {
                    Failure::new(format!("'{shown}' has no debug information"))
                        .hint("compile it with -g: coverage needs source lines")
                })
            })?;
        fs::write(&text, prepared).map_err(|error| Failure::io("write", &text, &error))?;
        let instrumented = self.dir.join(format!("{number}.bc"));
        let mut instrument = Command::new(self.llvm_tool("opt")?);
        instrument.args(["-passes=insert-gcov-profiling", "-o"]).args([&instrumented, &text]);
        self.run(instrument, || format!("'{shown}' cannot be instrumented"))?;
        let mut command = self.compiler();
        command.args(["-c", "-w", "-O0", "-x", "ir", "-o"]).args([object, instrumented.as_path()]);
        Ok(command)
    }

    fn compiler(&self) -> Command {
        let gcc = OsString::from("gcc");
        let mut command = Command::new(if self.gcc { &gcc } else { &self.spec.clang });
        command.current_dir(&self.spec.directory);
        command
    }

    /// A tool of the clang installation.
    fn llvm_tool(&self, name: &str) -> Result<PathBuf> {
        let mut command = Command::new(&self.spec.clang);
        command.arg(format!("-print-prog-name={name}"));
        let output = self.run(command, || "clang does not report where its tools are".into())?;
        Ok(PathBuf::from(output.trim()))
    }

    fn run(&self, command: Command, complaint: impl Fn() -> String) -> Result<String> {
        tool(command, self.spec.time_limit, complaint)
    }
}

fn write(dir: &Path, name: &str, text: &str) -> Result<PathBuf> {
    let path = dir.join(name);
    fs::write(&path, text).map_err(|error| Failure::io("write", &path, &error))?;
    Ok(path)
}

/// Runs a tool and returns its standard output. `complaint` is the message if it fails.
fn tool(
    mut command: Command,
    time_limit: std::time::Duration,
    complaint: impl Fn() -> String,
) -> Result<String> {
    let limits = ChildLimits { time: time_limit, output: MAX_OUTPUT };
    let finished = child::run(&mut command, limits, &mut |_| !interrupt::requested());
    let finished = finished.map_err(|error| {
        let name = command.get_program().to_string_lossy().into_owned();
        Failure::new(format!("cannot run '{name}': {}", reason(&error)))
    })?;
    match finished.ending {
        ChildEnding::Stopped => Err(Failure::interrupted_while(BUILDING)),
        ChildEnding::TimedOut => {
            let seconds = time_limit.as_secs();
            Err(Failure::new(format!("{}: it took more than {seconds} s", complaint()))
                .hint("raise --load-timeout"))
        }
        ChildEnding::Exited(status) if status.success() => {
            Ok(String::from_utf8_lossy(&finished.stdout).into_owned())
        }
        ChildEnding::Exited(_) => {
            let output = String::from_utf8_lossy(&finished.stderr).into_owned();
            Err(Failure::new(complaint()).detail(output))
        }
    }
}
