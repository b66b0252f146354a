//! `byway-bench coreutils`: GNU Coreutils as programs to run.
//!
//! The tools are built by `bench/coreutils/build`, which says where they lie; see its
//! `--help`.

mod commands;
mod exec;
mod explored;
mod report;
mod run;
mod run_report;

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

pub use run::INPUT;

use crate::lab::Lab;
use crate::options::Options;

/// What `--help` says.
pub const HELP: &str = "\
byway-bench coreutils: the tools of GNU Coreutils 9.1.

  coreutils exec   does `byway exec TOOL.bc` do what the tool does natively?
  coreutils run    does `byway run TOOL.bc` get through every tool, and how far?

The first run of either builds the tools, which takes a few minutes; they are kept in the
cache.

exec runs every command line of bench/coreutils/commands.txt under Byway and as an
executable of the same bitcode, linked with the same libc, and compares standard
output, standard error and exit code. Exit code 1 if any command line differs.

run explores every tool of bench/coreutils/tools.txt with symbolic arguments, one
symbolic file and symbolic standard input. It tells paths, tests, coverage and faults of
each, and what Byway lacked over all of them. Exit code 1 if byway itself failed.

Options:
  --only TOOL    one tool; several with commas
  --jobs N       command lines or tools at a time (default 2)
  --record       write the result to bench/results/DATE-coreutils-exec.md or -run.md
Of run:
  --time SECONDS how long each tool is explored (default 10)
  --search NAME  how (default: byway's own)
  --keep DIR     keep the run directories, as DIR/TOOL

Examples:
  ./dev bench coreutils exec
  ./dev bench coreutils exec --only sort,cut
  ./dev bench coreutils run --only cut --time 60 --keep /tmp/runs";

/// Runs the command; whether all is well.
pub fn main(mut options: Options) -> Result<bool, String> {
    let (exec, run) = (options.flag("exec"), options.flag("run"));
    if exec == run {
        return Err("say what to do with them: `exec` or `run`; try --help".to_owned());
    }
    let record = options.flag("--record");
    let jobs = options.value("--jobs")?.unwrap_or(2);
    let only = options.text("--only")?;
    let only: Option<Vec<&str>> = only.as_deref().map(|tools| tools.split(',').collect());
    if exec {
        options.finish()?;
        let lab = Lab::in_memory()?;
        let tools = Tools::build(&lab)?;
        return exec::run(&lab, &tools, only.as_deref(), jobs, record);
    }
    let settings = run::Settings {
        time: seconds(options.value("--time")?.unwrap_or(10.0))?,
        search: options.text("--search")?,
        keep: options.value("--keep")?,
        jobs,
    };
    options.finish()?;
    let lab = Lab::in_memory()?;
    let names = chosen(&lab, only.as_deref())?;
    let tools = Tools::build(&lab)?;
    run::run(&lab, &tools, &names, &settings, record)
}

fn seconds(number: f64) -> Result<Duration, String> {
    Duration::try_from_secs_f64(number).map_err(|e| format!("--time: {e}"))
}

/// The tools of `tools.txt` that are built and asked for.
fn chosen(lab: &Lab, only: Option<&[&str]>) -> Result<Vec<String>, String> {
    let list = read(&folder(lab).join("tools.txt"))?;
    let built: Vec<&str> = list.lines().filter(|line| !line.contains(' ')).collect();
    let only = only.unwrap_or(&built);
    match only.iter().find(|tool| !built.contains(tool)) {
        Some(tool) => Err(format!("there is no tool `{tool}` in tools.txt")),
        None => Ok(only.iter().map(|&tool| tool.to_owned()).collect()),
    }
}

/// The tools, built.
pub struct Tools(PathBuf);

impl Tools {
    /// Builds what is not in the cache yet; that is said on standard error.
    pub fn build(lab: &Lab) -> Result<Self, String> {
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
    pub fn bitcode(&self, tool: &str) -> PathBuf {
        self.0.join("bitcode").join(format!("{tool}.bc"))
    }

    /// The tool's sources, and commands that compile and link them as `byway mutate` takes
    /// them. Only for tools that need no library but Coreutils' own.
    pub fn commands(&self, tool: &str) -> (Vec<PathBuf>, String, String) {
        let part = |name: &str| format!("'{}'", self.0.join("parts").join(name).display());
        let more: &[&str] = match tool {
            "cut" => &["set-fields"],
            _ => &[],
        };
        let source = |name: &&str| self.0.join("sources/src").join(name).with_extension("c");
        let sources = [tool].iter().chain(more).map(source).collect();
        let (library, own) = (part("include/lib"), part("include/src"));
        let compile = format!("gcc -O1 -w -I{library} -I{own} -c {{source}} -o {{object}}");
        let (version, library) = (part("src/libver.a"), part("lib/libcoreutils.a"));
        (sources, compile, format!("gcc {{object}} {version} {library} -o {{program}}"))
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
