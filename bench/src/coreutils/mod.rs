//! `byway-bench coreutils`: GNU Coreutils as programs to run.
//!
//! The tools are built by `bench/coreutils/build`, which says where they lie; see its
//! `--help`.

mod commands;
mod cover;
mod exec;
mod figures;
mod report;
mod run;
mod run_report;

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

pub use run::INPUT;

use crate::options::Options;
use crate::setup::BenchSetup;

/// What `--help` says.
pub const HELP: &str = "\
byway-bench coreutils: the tools of GNU Coreutils 9.1.

  coreutils exec   does `byway exec TOOL.bc` do what the tool does natively?
  coreutils run    does `byway run TOOL.bc` get through every tool, and how far?
  coreutils cover  how much of each tool do the tests reach natively, beside KLEE?

The first of any builds the tools, which takes a few minutes; they are kept in the
cache.

exec runs every command line of bench/coreutils/commands.txt under Byway and as an
executable of the same bitcode, linked with the same libc, and compares standard
output, standard error and exit code. Exit code 1 if any command line differs.

run explores every tool of bench/coreutils/tools.txt with symbolic arguments, one
symbolic file and symbolic standard input. It tells paths, tests, coverage and faults of
each, and what Byway lacked over all of them. Exit code 1 if byway itself failed.

cover explores tools (default: the twelve that KLEE was measured on) with the same input
and --only-covering-new, by each searcher and from each seed. Every test is then run
natively: `byway replay` compares what it does and has sanitizers show faults, `byway
cover` counts on gcc's own coverage build. The tables have the median over seeds, gcov's
lines and branches of the tool's own source beside KLEE's, speed, queries and memory, and
after them every fault and every sort of divergence. A result is kept when it is there:
whatever was interrupted goes on from there, and another byway measures anew. Exit code 1
if byway failed or a test diverged.

Options:
  --tools NAME   one tool; several with commas (--only is the same)
  --jobs N       command lines or tools at a time (default 2; of cover 1, at most 2)
  --record       write the result to bench/results/DATE-coreutils-COMMAND.md
Of run and cover:
  --time TIME    how long each tool is explored, as 90, 90s or 2m (default 10s; of cover
                 60s, of the processor)
  --search NAME  how (default: byway's own); of cover several times for several columns,
                 NAME+NAME for searchers that take turns
  --keep DIR     keep the run directories, as DIR/TOOL or DIR/TOOL_SEARCHER_SEED_BUDGET
Of cover:
  --work N       explore for this much work, whatever time it takes
  --seeds N      with seeds 1 to N (default 1); several with commas: just these
  --results DIR  where results are kept (default: coreutils-cover in the cache)

Examples:
  ./dev bench coreutils exec
  ./dev bench coreutils exec --tools sort,cut
  ./dev bench coreutils run --tools cut --time 60 --keep /tmp/runs
  ./dev bench coreutils cover --seeds 3
  ./dev bench coreutils cover --tools cut,wc --work 20000000 --search dfs --search random-path";

/// Runs the command; whether all is well.
pub fn main(mut options: Options) -> Result<bool, String> {
    let commands = ["exec", "run", "cover"].map(|name| options.flag(name));
    let record = options.flag("--record");
    let jobs = options.value("--jobs")?;
    let only = match options.text("--tools")? {
        Some(tools) => Some(tools),
        None => options.text("--only")?,
    };
    let only: Option<Vec<&str>> = only.as_deref().map(|tools| tools.split(',').collect());
    match commands {
        [true, false, false] => {
            options.finish()?;
            let setup = BenchSetup::in_memory()?;
            let tools = Tools::build(&setup)?;
            exec::run(&setup, &tools, only.as_deref(), jobs.unwrap_or(2), record)
        }
        [false, true, false] => {
            let time = options.text("--time")?;
            let settings = run::ToolRunSettings {
                time: cover::plan::duration(time.as_deref().unwrap_or("10s"))?,
                search: options.text("--search")?,
                keep: options.value("--keep")?,
                jobs: jobs.unwrap_or(2),
            };
            options.finish()?;
            let setup = BenchSetup::in_memory()?;
            let names = chosen(&setup, only.as_deref())?;
            let tools = Tools::build(&setup)?;
            run::run(&setup, &tools, &names, &settings, record)
        }
        [false, false, true] => {
            let setup = BenchSetup::in_memory()?;
            let usual = cover::usual_tools();
            let names = chosen(&setup, Some(only.as_deref().unwrap_or(&usual)))?;
            let settings = cover::CoverSettings {
                plan: cover::plan::CoverPlan::of(&mut options, names)?,
                results: options.value("--results")?,
                keep: options.value("--keep")?,
                jobs: jobs.unwrap_or(1).min(2),
            };
            options.finish()?;
            let tools = Tools::build(&setup)?;
            cover::run(&setup, &tools, settings, record)
        }
        _ => Err("say what to do with them: `exec`, `run` or `cover`; try --help".to_owned()),
    }
}

/// The tools of `tools.txt` that are built and asked for.
fn chosen(setup: &BenchSetup, only: Option<&[&str]>) -> Result<Vec<String>, String> {
    let list = read(&folder(setup).join("tools.txt"))?;
    let name = |line: &&str| !line.is_empty() && !line.contains(' ');
    let built: Vec<&str> = list.lines().filter(name).collect();
    let only = only.unwrap_or(&built);
    match only.iter().find(|tool| !built.contains(tool)) {
        Some(tool) => {
            Err(format!("there is no tool `{tool}` in tools.txt; there are: {}", built.join(" ")))
        }
        None => Ok(only.iter().map(|&tool| tool.to_owned()).collect()),
    }
}

/// The tools, built.
pub struct Tools(PathBuf);

impl Tools {
    /// Builds what is not in the cache yet; that is said on standard error.
    pub fn build(setup: &BenchSetup) -> Result<Self, String> {
        let script = folder(setup).join("build");
        let built = Command::new(&script)
            .arg(setup.cache()?)
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

    /// The tool as an executable that counts what it runs.
    fn coverage(&self, tool: &str) -> PathBuf {
        self.0.join("coverage").join(tool)
    }

    /// What the compiler noted for these counts.
    fn notes(&self) -> PathBuf {
        self.0.join("coverage/src")
    }

    /// The tools' sources.
    fn sources(&self) -> PathBuf {
        self.0.join("sources")
    }

    /// Where all of it lies; its name stands for how it was made.
    pub fn folder(&self) -> &Path {
        &self.0
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
fn folder(setup: &BenchSetup) -> PathBuf {
    setup.root.join("bench/coreutils")
}

/// Reads a text file of ours.
fn read(path: &Path) -> Result<String, String> {
    std::fs::read_to_string(path).map_err(|e| format!("cannot read {}: {e}", path.display()))
}
