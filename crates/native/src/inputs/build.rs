//! Builds the executable of native runs from the files of a program.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use byway_ir::{Module, cache};

use super::edges::EdgeTable;
use crate::build::{
    BuildError, BuildSpec, NativeBuilder, ProgramSource, SourceKind, failed, failed_at,
};
use crate::exact::Musl;

/// The parts of the server.
const SERVER: [(&str, &str); 4] = [
    ("server.c", include_str!("server/server.c")),
    ("intrinsics.h", include_str!("server/intrinsics.h")),
    ("heap.h", include_str!("server/heap.h")),
    ("state.h", include_str!("server/state.h")),
];

/// The server has no C library, and the program's must not serve it.
const SERVER_OPTIONS: &[&str] =
    &["-c", "-O2", "-w", "-ffreestanding", "-fno-builtin", "-fno-stack-protector", "-fno-pic"];

/// Compiles the program as it is, with good machine code.
const PROGRAM_OPTIONS: &[&str] =
    &["-c", "-w", "-O2", "-fno-pic", "-Xclang", "-disable-llvm-passes", "-x", "ir"];

/// What makes of bitcode the program that is explored.
#[derive(Clone, Debug)]
pub struct LoweringTools {
    /// The executable `byway-llvm`.
    pub lowering: PathBuf,
    /// musl as bitcode.
    pub libc: PathBuf,
    /// Byway's own runtime as bitcode.
    pub runtime: PathBuf,
}

/// A program built for native runs of inputs.
pub struct InputProgram {
    /// The executable.
    pub path: PathBuf,
    /// The program that is explored.
    pub module: Module,
    /// What the counters count.
    pub edges: EdgeTable,
}

impl InputProgram {
    /// Builds the program in `dir`, which must exist as long as the program is used. `watch` is
    /// called repeatedly and returns whether to go on.
    pub fn build(
        recipe: &BuildSpec,
        musl: &Musl,
        tools: &LoweringTools,
        dir: &Path,
        watch: &mut dyn FnMut() -> bool,
    ) -> Result<InputProgram, BuildError> {
        let mut builder = NativeBuilder::new(recipe, dir, watch);
        let (module, edges) = (dir.join("module"), dir.join("edges"));
        let bitcode = dir.join("counted.bc");
        let mut command = Command::new(&tools.lowering);
        command.current_dir(&recipe.directory);
        command.arg("--out").arg(&module).arg("--native").args([&bitcode, &edges]);
        for (index, source) in recipe.sources.iter().enumerate() {
            command.args(builder.lowered_file(index, source, musl)?);
        }
        command.arg("--libc").arg(&tools.libc).arg("--runtime").arg(&tools.runtime);
        builder.tool_run(command, || "the program cannot be lowered".into())?;
        let text = fs::read_to_string(&edges).map_err(|e| failed_at("read", &edges, &e))?;
        let edges = EdgeTable::parse(&text).map_err(failed)?;
        let module = cache::read(&module)
            .map_err(|e| failed(format!("the lowered program cannot be read: {e}")))?;
        if !edges.suits(&module) {
            return Err(failed("the counters do not suit the lowered program (a bug in Byway)"));
        }
        let object = dir.join("counted.o");
        let mut command = builder.clang();
        command.args(PROGRAM_OPTIONS).arg("-o").arg(&object).arg("--").arg(&bitcode);
        builder.tool_run(command, || "the program does not compile natively".into())?;
        let server = builder.server(edges.edges().len())?;
        let path = builder.link_inputs(musl, [&server, &object])?;
        Ok(InputProgram { path, module, edges })
    }
}

impl NativeBuilder<'_> {
    /// The option and the bitcode of a source for `byway-llvm`.
    fn lowered_file(
        &mut self,
        index: usize,
        source: &ProgramSource,
        musl: &Musl,
    ) -> Result<[PathBuf; 2], BuildError> {
        if source.kind != SourceKind::C {
            return Ok(["--user".into(), source.path.clone()]);
        }
        let bitcode = self.dir.join(format!("{index}.bc"));
        let mut command = self.clang();
        command.args(&musl.options).arg("-w").arg("-o").arg(&bitcode).arg("--").arg(&source.path);
        self.tool_run(command, || format!("'{}' does not compile", source.path.display()))?;
        Ok(["--compiled".into(), bitcode])
    }

    fn server(&mut self, counters: usize) -> Result<PathBuf, BuildError> {
        for (name, text) in SERVER {
            let path = self.dir.join(name);
            fs::write(&path, text).map_err(|e| failed_at("write", &path, &e))?;
        }
        let object = self.dir.join("server.o");
        let mut command = self.clang();
        command.args(SERVER_OPTIONS).arg(format!("-DBYWAY_COUNTERS={counters}"));
        command.arg("-o").arg(&object).arg(self.dir.join("server.c"));
        self.tool_run(command, || "the server of native runs does not compile".into())?;
        Ok(object)
    }

    /// Links without start-up code. The program contains its own C library, as far as it calls it;
    /// the machine's musl has what the back end calls.
    fn link_inputs(&mut self, musl: &Musl, objects: [&PathBuf; 2]) -> Result<PathBuf, BuildError> {
        let builtins = self.builtins()?;
        let program = self.dir.join("inputs");
        let mut command = self.clang();
        command.args(["-static", "-nostdlib", "-no-pie", "-w", "-fuse-ld=lld"]);
        // -O0: equal strings stay apart, as in the engine. Programs compare their addresses.
        command.args(["-Wl,-O0", "-Wl,--entry=__byway_native_start", "-Wl,-z,norelro", "-o"]);
        command.arg(&program);
        command.args(objects).arg(musl.library.join("libc.a"));
        command.args(builtins.as_deref().map(OsStr::new));
        self.tool_run(command, || "the program does not link natively".into())?;
        Ok(program)
    }
}
