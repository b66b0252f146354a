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

pub use run::INPUT;

use crate::setup::BenchSetup;
use crate::sources;

const ABOUT: &str = "\
The tools of GNU Coreutils 9.1, under Byway and natively.

The first benchmark builds the tools, which takes a few minutes; they are kept in the cache.";

const EXAMPLES: &str = "\
Examples:
  ./dev bench coreutils exec
  ./dev bench coreutils exec --tools sort,cut
  ./dev bench coreutils run --tools cut --time 60 --keep /tmp/runs
  ./dev bench coreutils cover --seeds 3
  ./dev bench coreutils cover --tools cut,wc --work 20000000 --search dfs --search random-path";

/// Options of the benchmark.
#[derive(clap::Args, Debug)]
#[command(long_about = ABOUT, after_help = EXAMPLES)]
pub struct CoreutilsOptions {
    #[command(subcommand)]
    command: CoreutilsCommand,
}

#[derive(clap::Subcommand, Debug)]
enum CoreutilsCommand {
    /// Whether `byway exec TOOL.bc` does what the tool does natively
    ///
    /// Runs every command line of bench/coreutils/commands.txt under Byway and as an executable of
    /// the same bitcode, linked with the same libc, and compares standard output, standard error
    /// and exit code. The exit code is 1 if any command line differs.
    Exec(exec::CoreutilsExecOptions),
    /// How far `byway run TOOL.bc` gets with every tool
    ///
    /// Explores every tool of bench/coreutils/tools.txt with symbolic arguments, one symbolic file
    /// and symbolic standard input. Shows paths, tests, coverage and faults of each tool, and the
    /// features that Byway lacks. The exit code is 1 if byway itself failed.
    Run(run::CoreutilsRunOptions),
    /// How much of each tool the tests cover natively, compared with KLEE
    ///
    /// Explores tools (default: the twelve that KLEE was measured on) with the same input and
    /// --only-covering-new, by each searcher and from each seed. Every test then runs natively:
    /// `byway replay` compares its behaviour and shows faults with sanitizers, `byway cover` counts
    /// on gcc's own coverage build.
    ///
    /// The tables have the median over seeds: gcov's lines and branches of the tool's own source
    /// beside KLEE's, speed, queries and memory, then every fault and every kind of divergence.
    /// Results are kept, so an interrupted benchmark continues; another byway measures anew. The
    /// exit code is 1 if byway failed or a test diverged.
    Cover(cover::CoreutilsCoverOptions),
}

/// Runs the benchmark and returns whether its result is as it should be.
pub fn main(options: CoreutilsOptions) -> Result<bool, String> {
    let setup = BenchSetup::in_memory()?;
    match options.command {
        CoreutilsCommand::Exec(options) => exec::run(&setup, &Tools::build(&setup)?, &options),
        CoreutilsCommand::Run(options) => {
            let names = chosen(&setup, options.tools.tools.as_deref())?;
            run::run(&setup, &Tools::build(&setup)?, &names, &options)
        }
        CoreutilsCommand::Cover(options) => {
            let usual = cover::usual_tools();
            let names = chosen(&setup, Some(options.tools.tools.as_deref().unwrap_or(&usual)))?;
            cover::run(&setup, &Tools::build(&setup)?, names, options)
        }
    }
}

/// The choice of tools, which all three commands have.
#[derive(clap::Args, Debug)]
struct ToolsOption {
    /// The tools, separated by commas (default: all)
    #[arg(long, visible_alias = "only", value_name = "NAMES", value_delimiter = ',')]
    tools: Option<Vec<String>>,
}

/// The chosen tools, which must be in `tools.txt`.
fn chosen(setup: &BenchSetup, only: Option<&[String]>) -> Result<Vec<String>, String> {
    let list = read(&folder(setup).join("tools.txt"))?;
    let name = |line: &&str| !line.is_empty() && !line.contains(' ');
    let built: Vec<String> = list.lines().filter(name).map(str::to_owned).collect();
    let only = only.unwrap_or(&built);
    match only.iter().find(|tool| !built.contains(tool)) {
        Some(tool) => {
            Err(format!("there is no tool `{tool}` in tools.txt; there are: {}", built.join(" ")))
        }
        None => Ok(only.to_vec()),
    }
}

/// The tools, built.
pub struct Tools(PathBuf);

impl Tools {
    /// Builds the tools unless they are in the cache; shows progress on standard error.
    pub fn build(setup: &BenchSetup) -> Result<Self, String> {
        sources::recipe(setup, "coreutils").map(Tools)
    }

    /// The tool as bitcode.
    pub fn bitcode(&self, tool: &str) -> PathBuf {
        self.0.join("bitcode").join(format!("{tool}.bc"))
    }

    /// A file of the tool with a fault of a former version: its source (`c`) or bitcode (`bc`).
    pub fn faulty(&self, tool: &str, extension: &str) -> PathBuf {
        self.0.join("faults").join(tool).with_extension(extension)
    }

    /// The tool built with coverage counters.
    fn coverage(&self, tool: &str) -> PathBuf {
        self.0.join("coverage").join(tool)
    }

    /// The compiler's notes for these counters.
    fn notes(&self) -> PathBuf {
        self.0.join("coverage/src")
    }

    /// The tools' sources.
    fn sources(&self) -> PathBuf {
        self.0.join("sources")
    }

    /// The directory of the builds; its name is a digest of how they were made.
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
