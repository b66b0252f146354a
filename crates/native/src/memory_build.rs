//! Builds the program with MemorySanitizer, which finds uses of uninitialised memory. It excludes
//! the address sanitizer, so that it needs a build of its own.
//!
//! The machine's C library is not instrumented: the sanitizer knows what most of its functions
//! write.

use std::ffi::OsStr;
use std::path::Path;

use super::build::{
    BuildError, BuildSpec, C_OPTIONS, Executable, NativeBuilder, NativeLinking, SourceKind, failed,
    write_library,
};

/// The name that MemorySanitizer gives its errors.
pub const UNINITIALISED: &str = "use-of-uninitialized-value";

const SANITIZER: &str = "-fsanitize=memory";

impl Executable {
    /// As [`Executable::build`], with MemorySanitizer. Only C sources can be built so.
    pub fn build_for_memory(
        recipe: &BuildSpec,
        dir: &Path,
        watch: &mut dyn FnMut() -> bool,
    ) -> Result<Self, BuildError> {
        if recipe.sources.iter().any(|source| source.kind != SourceKind::C) {
            return Err(failed(
                "MemorySanitizer needs C sources, and part of the program is bitcode",
            ));
        }
        let mut builder = NativeBuilder::new(recipe, dir, watch);
        let symbolizer = builder.symbolizer()?;
        let (library, include) = write_library(dir)?;
        let isystem = [OsStr::new("-isystem"), include.as_os_str()];
        let replay = dir.join("byway_replay.o");
        let mut command = builder.clang();
        command.args(isystem).args(["-c", "-O1", "-w", SANITIZER, "-o"]).args([&replay, &library]);
        builder.tool_run(command, || "the replay library does not compile".into())?;
        let mut objects = vec![replay];
        for (index, source) in recipe.sources.iter().enumerate() {
            let object = dir.join(format!("{index}.o"));
            let mut command = builder.clang();
            command.args(C_OPTIONS).arg(SANITIZER).arg(format!("-O{}", recipe.optimise));
            command.args(&recipe.options).args(isystem);
            command.arg("-o").arg(&object).arg("--").arg(&source.path);
            let shown = source.path.display();
            builder.tool_run(command, || format!("'{shown}' does not compile natively"))?;
            objects.push(object);
        }
        let program = dir.join("program");
        let mut command = builder.clang();
        command.args([SANITIZER, "-w", "-o"]).arg(&program).args(objects).arg("-lm");
        builder.tool_run(command, || "clang has no MemorySanitizer".into())?;
        let executable = builder.finish(program.clone(), NativeLinking::Dynamic);
        Ok(executable.with_symbols(symbolizer, program))
    }
}
