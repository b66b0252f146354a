//! `byway-bench coreutils`: GNU Coreutils as programs to run.
//!
//! The tools are built by `bench/coreutils/build`, which says where they lie; see its
//! `--help`.

mod commands;
mod exec;
mod report;

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::lab::Lab;
use crate::options::Options;

/// What `--help` says.
pub const HELP: &str = "\
byway-bench coreutils: the tools of GNU Coreutils 9.1.

  coreutils exec   does `byway exec TOOL.bc` do what the tool does natively?

exec runs every command line of bench/coreutils/commands.txt under Byway and as an
executable of the same bitcode, linked with the same libc, and compares standard
output, standard error and exit code. The first run builds the tools, which takes a few
minutes; they are kept in the cache.

Options:
  --only TOOL    the command lines of one tool; several with commas
  --jobs N       command lines at a time (default 2)
  --record       write the result to bench/results/DATE-coreutils-exec.md

Ends with exit code 1 if any command line differs.

Examples:
  ./dev bench coreutils exec
  ./dev bench coreutils exec --only sort,cut";

/// Runs the command; whether all is well.
pub fn main(mut options: Options) -> Result<bool, String> {
    if !options.flag("exec") {
        return Err("say what to do with them: `coreutils exec`; try --help".to_owned());
    }
    let record = options.flag("--record");
    let jobs = options.value("--jobs")?.unwrap_or(2);
    let only = options.text("--only")?;
    options.finish()?;
    let only: Option<Vec<&str>> = only.as_deref().map(|tools| tools.split(',').collect());

    let lab = Lab::in_memory()?;
    let tools = Tools::build(&lab)?;
    exec::run(&lab, &tools, only.as_deref(), jobs, record)
}

/// The tools, built.
struct Tools(PathBuf);

impl Tools {
    /// Builds what is not in the cache yet; that is said on standard error.
    fn build(lab: &Lab) -> Result<Self, String> {
        let script = folder(lab).join("build");
        let built = Command::new(&script)
            .arg(lab.cache()?)
            .stdin(Stdio::null())
            .stderr(Stdio::inherit())
            .output()
            .map_err(|e| format!("cannot start {}: {e}", script.display()))?;
        if !built.status.success() {
            return Err("Coreutils could not be built".to_owned());
        }
        Ok(Tools(String::from_utf8_lossy(&built.stdout).trim().into()))
    }

    /// The tool as bitcode.
    fn bitcode(&self, tool: &str) -> PathBuf {
        self.0.join("bitcode").join(format!("{tool}.bc"))
    }

    /// The tool as an executable.
    fn native(&self, tool: &str) -> PathBuf {
        self.0.join("native").join(tool)
    }
}

/// Where recipe and command lines lie.
fn folder(lab: &Lab) -> PathBuf {
    lab.root.join("bench/coreutils")
}

/// Reads a text file of ours.
fn read(path: &Path) -> Result<String, String> {
    std::fs::read_to_string(path).map_err(|e| format!("cannot read {}: {e}", path.display()))
}
