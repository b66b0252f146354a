//! `byway-bench memory`: is `--max-memory` held?

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use byway_rundir::{RunDirError, RunReader, RunSummary, SampleRecord};

use crate::coreutils::{INPUT, Tools};
use crate::process;
use crate::record;
use crate::setup::BenchSetup;
use crate::toolchain::Level;

const ABOUT: &str = "\
Does a run stay within its --max-memory?

Explores Coreutils' sort, whose states are large, and branch_indep widened to 20 bytes, which has
a million states, with small limits and searchers that keep many states alive. The table compares
each limit with the most memory of the process, as the system counts it.

The exit code is 1 if a process took more than a tenth beyond its limit.";

/// Options of the benchmark.
#[derive(clap::Args, Debug)]
#[command(long_about = ABOUT)]
pub struct MemoryOptions {
    /// Programs and searchers whose row contains this text
    #[arg(long, value_name = "NAME", default_value = "", hide_default_value = true)]
    only: String,

    /// Seconds for which tools are explored
    #[arg(long, value_name = "SECONDS", default_value_t = 60)]
    time: u64,

    /// Write the result to bench/results/DATE-memory.md
    #[arg(long)]
    record: bool,
}

/// Time beyond its limit after which a run counts as stuck.
const GRACE: Duration = Duration::from_secs(600);

/// The program that is not a tool.
const MANY_STATES: &str = "branch_indep";

/// The most memory of a process, as a multiple of its limit.
const MOST: f64 = 1.1;

const MIB: u64 = 1 << 20;

/// A run: a program, how it is searched, and its cap in MiB.
struct MemoryCase {
    program: &'static str,
    search: &'static str,
    cap: u64,
}

const fn case(program: &'static str, search: &'static str, cap: u64) -> MemoryCase {
    MemoryCase { program, search, cap }
}

/// The runs. `random-path` is what byway does by itself.
const CASES: [MemoryCase; 8] = [
    case("sort", "random-path", 1024),
    case("sort", "bfs", 1024),
    case("sort", "random-state", 1024),
    case("sort", "random-state", 2048),
    case("ptx", "bfs", 1024),
    case("ls", "random-state", 1024),
    case(MANY_STATES, "bfs", 1024),
    case(MANY_STATES, "random-path", 1024),
];

impl MemoryCase {
    fn title(&self) -> String {
        format!("{} {} {} MiB", self.program, self.search, self.cap)
    }
}

/// The figures of one run; memory in bytes.
#[derive(PartialEq, Debug)]
struct MemoryFigures {
    ended: &'static str,
    taken: u64,
    accounted: u64,
    states: u64,
    dropped: u64,
    shortages: u64,
    tests: u64,
}

/// Runs the benchmark and returns whether all processes stayed within their limits.
pub fn main(options: MemoryOptions) -> Result<bool, String> {
    let MemoryOptions { only, time: seconds, record } = options;

    let cases: Vec<&MemoryCase> =
        CASES.iter().filter(|case| case.title().contains(&only)).collect();
    if cases.is_empty() {
        return Err(format!("no run is called `{only}`; try --help"));
    }
    // Not in memory: a hundred thousand small files take much of it.
    let setup = BenchSetup::new(None)?;
    let tools = Tools::build(&setup)?;
    let mut report = format!(
        "Tools are explored for {seconds} s with `{INPUT}`, and write their tests; {MANY_STATES} \
         has `-DN=20` and `--no-tests`. MiB; *short* is how often the process itself came to the cap.\n\n\
         | program | searcher | cap | most taken | taken / cap | accounted at most | most states | dropped | short | tests | ended |\n\
         |---|---|---:|---:|---:|---:|---:|---:|---:|---:|---|\n"
    );
    let mut held = true;
    for case in cases {
        eprintln!("{}", case.title());
        let figures = explore(&setup, &tools, case, seconds)?;
        let share = figures.taken as f64 / (case.cap * MIB) as f64;
        held &= share <= MOST;
        let mark = if share <= MOST { "" } else { " (!)" };
        let MemoryFigures { ended, taken, accounted, states, dropped, shortages, tests } = figures;
        let _ = writeln!(
            report,
            "| {} | `{}` | {} | {} | {share:.2}{mark} | {} | {states} | {dropped} | {shortages} | {tests} | {ended} |",
            case.program,
            case.search,
            case.cap,
            taken / MIB,
            accounted / MIB,
        );
    }
    println!("{report}");
    if record {
        record::write("memory", "Whether runs keep to their memory", &report)?;
    }
    Ok(held)
}

fn explore(
    setup: &BenchSetup,
    tools: &Tools,
    case: &MemoryCase,
    seconds: u64,
) -> Result<MemoryFigures, String> {
    let folder = setup.folder(case.program)?;
    let out = folder.file("run");
    let limit = Duration::from_secs(seconds);
    let mut command = setup.byway();
    command.arg("run").arg("--output-dir").arg(&out).args(["--search", case.search]);
    command.arg("--max-memory").arg(format!("{}MiB", case.cap));
    if case.program == MANY_STATES {
        command.arg("--no-tests").arg(many_states(setup, &folder.file("program.bc"))?);
    } else {
        command.arg("--max-time").arg(format!("{seconds}s"));
        command.args(INPUT.split(' ')).arg(tools.bitcode(case.program));
    }
    process::explore(&mut command, limit + GRACE)?;
    let read = || {
        let run = RunReader::open(&out)?;
        Ok((run.ended_summary()?, run.clock()?.last.unwrap_or_default()))
    };
    let (summary, last) = read().map_err(|e: RunDirError| e.to_string())?;
    Ok(figures(&summary, &last))
}

/// The program with a million states, compiled.
fn many_states(setup: &BenchSetup, bitcode: &Path) -> Result<PathBuf, String> {
    let source = setup.root.join("bench/micro").join(MANY_STATES).with_extension("c");
    let include = format!("-I{}", setup.root.join("runtime/include").display());
    let flags = ["-g", "-Xclang", "-disable-O0-optnone", "-DN=20", &include];
    setup.toolchain.bitcode(&source, Level::O0, &flags.map(str::to_owned), bitcode)?;
    Ok(bitcode.to_owned())
}

fn figures(summary: &RunSummary, last: &SampleRecord) -> MemoryFigures {
    let totals = &summary.totals;
    MemoryFigures {
        ended: summary.ended.name(),
        taken: last.max_process_memory,
        accounted: totals.max_memory,
        states: totals.max_states,
        dropped: totals.lost.dropped.get("max-memory").copied().unwrap_or(0),
        shortages: totals.memory_shortages,
        tests: summary.tests,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_taken_from_summary_and_last_sample() {
        let recorded = Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates/lab/tests/recorded");
        let run = RunReader::open(&recorded).expect("a recorded run");
        let mut summary = run.ended_summary().expect("a summary");
        let last = SampleRecord { max_process_memory: 8, ..Default::default() };
        let dropped = |summary: &RunSummary| figures(summary, &last).dropped;
        assert_eq!(dropped(&summary), 0);
        summary.totals.lost.dropped.insert("max-memory".into(), 3);
        summary.totals.memory_shortages = 1;
        let expected = MemoryFigures {
            ended: "max-work",
            taken: 8,
            accounted: summary.totals.max_memory,
            states: 11,
            dropped: 3,
            shortages: 1,
            tests: 8,
        };
        assert_eq!(figures(&summary, &last), expected);
    }
}
