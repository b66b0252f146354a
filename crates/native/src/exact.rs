//! Builds the program with the C library it was explored with, and without sanitizers, so
//! that any different behaviour is a difference between the engine and the machine.
//!
//! C is compiled to bitcode as for exploration, and bitcode to machine code without
//! optimiser passes. The program is linked statically with musl.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use byway_base::ubsan::handlers;

use super::build::{
    BuildError, BuildSpec, Executable, NativeBuilder, NativeLinking, SourceKind, failed_at,
};

/// An installation of musl, and how the program was compiled for it.
#[derive(Clone, Debug)]
pub struct Musl {
    /// The directory of `libc.a` and `crt1.o`.
    pub library: PathBuf,
    /// The directory of the headers that the program was explored with.
    pub headers: PathBuf,
    /// The options that C was compiled with for exploration, without file names.
    pub options: Vec<OsString>,
}

/// The directory of Debian's `musl-dev`.
const DEBIAN: &str = "/usr/lib/x86_64-linux-musl";

impl Musl {
    /// The directory of musl on this machine, if it is installed.
    pub fn directory() -> Option<PathBuf> {
        Some(PathBuf::from(DEBIAN)).filter(|dir| dir.join("libc.a").is_file())
    }
}

/// Compiles bitcode without optimiser passes.
const FROM_BITCODE: &[&str] = &["-c", "-w", "-O0", "-Xclang", "-disable-llvm-passes", "-x", "ir"];

/// Functions whose calls go through the replay library (`runtime/replay/allocations.h`).
const WRAPPED: [&str; 4] = ["malloc", "calloc", "realloc", "aligned_alloc"];

impl Executable {
    /// As [`Executable::build`], with musl and without sanitizers.
    pub fn build_exact(
        recipe: &BuildSpec,
        musl: &Musl,
        dir: &Path,
        watch: &mut dyn FnMut() -> bool,
    ) -> Result<Self, BuildError> {
        let mut builder = NativeBuilder::new(recipe, dir, watch);
        let path = builder.build_exact(musl)?;
        Ok(builder.finish(path, NativeLinking::Static))
    }
}

impl NativeBuilder<'_> {
    fn build_exact(&mut self, musl: &Musl) -> Result<PathBuf, BuildError> {
        let isystem = [OsStr::new("-isystem"), musl.headers.as_os_str()];
        let library = self.replay_library()?;
        let replay = self.dir.join("byway_replay.o");
        let mut command = self.clang();
        command.args(["-c", "-O1", "-w", "-nostdlibinc", "-DBYWAY_WRAP_ALLOCATIONS"]).args(isystem);
        command.arg("-o").args([&replay, &library]);
        self.tool_run(command, || "the replay library does not compile with musl".into())?;

        let mut objects = vec![replay];
        let recipe = self.recipe;
        if recipe.sources.iter().any(|source| source.kind != SourceKind::C) {
            objects.push(self.handlers()?);
        }
        for (index, source) in recipe.sources.iter().enumerate() {
            let shown = source.path.display();
            let complaint = || format!("'{shown}' does not compile natively");
            let bitcode = match source.kind {
                SourceKind::Archive => {
                    objects.push(source.path.clone());
                    continue;
                }
                SourceKind::Bitcode => source.path.clone(),
                SourceKind::C => {
                    let bitcode = self.dir.join(format!("{index}.bc"));
                    let mut command = self.clang();
                    command.args(&musl.options).arg("-w");
                    command.arg("-o").arg(&bitcode).arg("--").arg(&source.path);
                    self.tool_run(command, complaint)?;
                    bitcode
                }
            };
            let object = self.dir.join(format!("{index}.o"));
            let mut command = self.clang();
            command.args(FROM_BITCODE).arg("-o").arg(&object).arg("--").arg(bitcode);
            self.tool_run(command, complaint)?;
            objects.push(object);
        }
        self.link_exact(musl, &objects)
    }

    /// The handlers of UBSan that bitcode may call. None is called in a test that exits.
    fn handlers(&mut self) -> Result<PathBuf, BuildError> {
        let (source, object) = (self.dir.join("handlers.c"), self.dir.join("handlers.o"));
        let handler = |name: String| {
            format!("__attribute__((weak)) void {name}(void) {{ __builtin_trap(); }}\n")
        };
        let text: String = handlers().map(handler).collect();
        std::fs::write(&source, text).map_err(|error| failed_at("write", &source, &error))?;
        let mut command = self.clang();
        command.args(["-c", "-O1", "-w", "-o"]).args([&object, &source]);
        self.tool_run(command, || "the handlers of sanitizers do not compile".into())?;
        Ok(object)
    }

    /// The compiler's own functions, if they are installed.
    pub fn builtins(&mut self) -> Result<Option<PathBuf>, BuildError> {
        let mut command = self.clang();
        command.args(["--rtlib=compiler-rt", "-print-libgcc-file-name"]);
        let output =
            self.tool_run(command, || "clang does not report where its tools are".into())?;
        Ok(Some(PathBuf::from(output.trim())).filter(|path| path.is_file()))
    }

    fn link_exact(&mut self, musl: &Musl, objects: &[PathBuf]) -> Result<PathBuf, BuildError> {
        let builtins = self.builtins()?;
        let program = self.dir.join("program");
        let part = |name: &str| musl.library.join(name);
        let mut command = self.clang();
        command.args(["-static", "-nostdlib", "-no-pie", "-w", "-o"]).arg(&program);
        command.args(WRAPPED.map(|name| format!("-Wl,--wrap={name}")));
        if self.recipe.sources.iter().any(|source| source.kind == SourceKind::Archive) {
            // lld compiles bitcode in archives itself.
            command.arg("-fuse-ld=lld");
        }
        command.args([part("crt1.o"), part("crti.o")]).args(objects).arg(part("libc.a"));
        command.args(builtins).args([part("libc.a"), part("crtn.o")]);
        self.tool_run(command, || "the program does not link with musl".into())?;
        Ok(program)
    }
}
