//! The compiler, and programs built natively with it.
//!
//! A program is compiled to bitcode once. Byway gets the bitcode; the native
//! program is made of the same bitcode, by code generation alone, and linked
//! with Debian's musl, the very libc Byway runs. So a difference between the two
//! runs is a difference in executing the same instructions, not in what a second
//! compilation, another optimisation level or another libc made of the source.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use crate::process;

/// An optimisation level.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Level {
    /// `-O0`
    O0,
    /// `-O1`
    O1,
    /// `-O2`
    O2,
}

impl Level {
    /// The levels programs are compared at.
    pub const COMPARED: [Level; 2] = [Level::O0, Level::O2];

    /// The compiler's flag.
    pub fn flag(self) -> &'static str {
        match self {
            Level::O0 => "-O0",
            Level::O1 => "-O1",
            Level::O2 => "-O2",
        }
    }
}

impl std::str::FromStr for Level {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let given = format!("-{}", text.trim_start_matches('-'));
        [Level::O0, Level::O1, Level::O2]
            .into_iter()
            .find(|level| level.flag() == given)
            .ok_or_else(|| "expected -O0, -O1 or -O2".into())
    }
}

/// The musl that `apt-get install musl-dev` brings.
const MUSL_INCLUDE: &str = "/usr/include/x86_64-linux-musl";
const MUSL_LIB: &str = "/usr/lib/x86_64-linux-musl";
const TARGET: &str = "--target=x86_64-linux-musl";

/// A compilation or link that takes longer than this has gone wrong.
const COMPILE_LIMIT: Duration = Duration::from_secs(120);

/// clang, with what it needs to build against musl.
pub struct Toolchain {
    clang: OsString,
    resources: PathBuf,
    /// What `-fexceptions` needs, from GCC.
    unwinder: PathBuf,
    /// An object with what musl lacks; see `bench/native`.
    missing: PathBuf,
}

impl Toolchain {
    /// Finds clang (`$BYWAY_CLANG`, else `clang-22`) and musl; the folder is for
    /// what is compiled once for all programs.
    pub fn find(folder: &Path) -> Result<Self, String> {
        let clang = std::env::var_os("BYWAY_CLANG").unwrap_or_else(|| "clang-22".into());
        let printed =
            process::succeed(Command::new(&clang).arg("-print-resource-dir"), COMPILE_LIMIT)?;
        let resources = path_in(&printed);
        let printed = process::succeed(
            Command::new(&clang).arg("-print-file-name=libgcc_eh.a"),
            COMPILE_LIMIT,
        )?;
        let unwinder = path_in(&printed);
        if !Path::new(MUSL_LIB).join("crt1.o").exists() {
            return Err(format!("no musl in {MUSL_LIB}: install Debian's musl-dev"));
        }
        let toolchain = Toolchain { clang, resources, unwinder, missing: folder.join("missing.o") };
        let missing = Path::new(env!("CARGO_MANIFEST_DIR")).join("native/missing.c");
        let mut command = toolchain.compiler(Level::O2);
        command.args(["-c", "-o"]).arg(&toolchain.missing).arg(missing);
        process::succeed(&mut command, COMPILE_LIMIT)?;
        Ok(toolchain)
    }

    /// Compiles and links C for this machine, with its own C library.
    pub fn native(&self, sources: &[PathBuf], out: &Path) -> Result<(), String> {
        let mut command = Command::new(&self.clang);
        command.args(["-w", "-O0", "-o"]).arg(out).args(sources);
        process::succeed(&mut command, COMPILE_LIMIT).map(drop)
    }

    /// clang, set up to compile against musl's headers.
    fn compiler(&self, level: Level) -> Command {
        let mut command = Command::new(&self.clang);
        command.args([TARGET, level.flag(), "-w", "-nostdinc", "-isystem", MUSL_INCLUDE]);
        command.arg("-isystem").arg(self.resources.join("include"));
        command
    }

    /// Compiles C or textual IR to bitcode. The error is what the compiler said.
    pub fn bitcode(
        &self,
        source: &Path,
        level: Level,
        flags: &[String],
        out: &Path,
    ) -> Result<(), String> {
        let mut command = self.compiler(level);
        command.args(flags).args(["-c", "-emit-llvm", "-o"]).arg(out).arg(source);
        process::succeed(&mut command, COMPILE_LIMIT).map(drop)
    }

    /// Like [`Toolchain::bitcode`], but as text.
    pub fn textual_ir(
        &self,
        source: &Path,
        level: Level,
        flags: &[String],
    ) -> Result<String, String> {
        let mut command = self.compiler(level);
        command.args(flags).args(["-S", "-emit-llvm", "-o", "-"]).arg(source);
        let ended = process::succeed(&mut command, COMPILE_LIMIT)?;
        Ok(String::from_utf8_lossy(&ended.stdout).into_owned())
    }

    /// Makes an executable of bitcode, without optimising it any further.
    pub fn executable(&self, bitcode: &Path, level: Level, out: &Path) -> Result<(), String> {
        let musl = Path::new(MUSL_LIB);
        let mut command = Command::new(&self.clang);
        command.args([TARGET, level.flag(), "-w", "-Xclang", "-disable-llvm-passes"]);
        command.args(["-static", "-nostdlib", "-fuse-ld=lld", "-o"]).arg(out);
        command.args([musl.join("crt1.o"), musl.join("crti.o")]).args([bitcode, &self.missing]);
        command.arg(musl.join("libc.a")).arg("--rtlib=compiler-rt");
        command.arg(self.resources.join("lib/linux/libclang_rt.builtins-x86_64.a"));
        command.arg(&self.unwinder).arg(musl.join("libc.a")).arg(musl.join("crtn.o"));
        process::succeed(&mut command, COMPILE_LIMIT).map(drop)
    }
}

/// The path a compiler printed.
fn path_in(printed: &process::ProcessResult) -> PathBuf {
    PathBuf::from(String::from_utf8_lossy(&printed.stdout).trim())
}
