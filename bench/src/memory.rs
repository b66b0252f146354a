//! `byway-bench memory`: is `--max-memory` held?

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde_json::Value;

use crate::coreutils::{INPUT, Tools};
use crate::micro::rundir;
use crate::options::Options;
use crate::process;
use crate::record;
use crate::setup::BenchSetup;
use crate::toolchain::Level;

/// What `--help` says.
pub const HELP: &str = "\
byway-bench memory: does a run keep to the memory it was given?

Explores Coreutils' sort, whose states are large, and branch_indep widened to 20 bytes, which
has a million states, with small caps and searchers that leave many states alive. Beside each
cap stands the most that the process took, as the system counts it.

Options:
  --only NAME    programs and searchers whose line contains it
  --time SECONDS how long sort is explored (default 60)
  --record       write the result to bench/results/DATE-memory.md

Ends with exit code 1 if a process took more than a tenth beyond its cap.";

/// What a run may take beyond its limit before it counts as stuck.
const GRACE: Duration = Duration::from_secs(600);

/// The program that is not a tool.
const MANY_STATES: &str = "branch_indep";

/// What a process may take, in parts of its cap.
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

/// What a run came to, in bytes and counts.
#[derive(PartialEq, Debug)]
struct MemoryFigures {
    ended: String,
    taken: u64,
    accounted: u64,
    states: u64,
    dropped: u64,
    shortages: u64,
    tests: u64,
}

/// Runs the command; whether all processes kept to their caps.
pub fn main(mut options: Options) -> Result<bool, String> {
    let only = options.text("--only")?.unwrap_or_default();
    let seconds: u64 = options.value("--time")?.unwrap_or(60);
    let record = options.flag("--record");
    options.finish()?;

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
    let text = |name: &str| rundir::text(&out, name);
    figures(&text("summary.json")?, &text("clock.jsonl")?)
}

/// The program with a million states, compiled.
fn many_states(setup: &BenchSetup, bitcode: &Path) -> Result<PathBuf, String> {
    let source = setup.root.join("bench/micro").join(MANY_STATES).with_extension("c");
    let include = format!("-I{}", setup.root.join("runtime/include").display());
    let flags = ["-g", "-Xclang", "-disable-O0-optnone", "-DN=20", &include];
    setup.toolchain.bitcode(&source, Level::O0, &flags.map(str::to_owned), bitcode)?;
    Ok(bitcode.to_owned())
}

/// The figures of a run directory.
fn figures(summary: &str, clock: &str) -> Result<MemoryFigures, String> {
    let json = |text: &str| serde_json::from_str::<Value>(text).map_err(|e| e.to_string());
    let summary = json(summary)?;
    let last = json(clock.lines().last().unwrap_or_default())?;
    let number = |value: &Value, at: &str| {
        value.pointer(at).and_then(Value::as_u64).ok_or_else(|| format!("{at} is missing"))
    };
    Ok(MemoryFigures {
        ended: summary["ended"].as_str().unwrap_or("?").to_owned(),
        taken: number(&last, "/max_process_memory")?,
        accounted: number(&summary, "/totals/max_memory")?,
        states: number(&summary, "/totals/max_states")?,
        dropped: number(&summary, "/totals/lost/dropped/max-memory").unwrap_or(0),
        shortages: number(&summary, "/totals/memory_shortages")?,
        tests: number(&summary, "/tests")?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_read_from_where_they_stand() {
        let summary = r#"{"ended": "max-time", "tests": 7, "totals": {"max_memory": 5,
            "max_states": 9, "memory_shortages": 1, "lost": {"dropped": {"max-memory": 3}}}}"#;
        let clock = "{\"schema\": 1}\n{\"max_process_memory\": 8}\n";
        let expected = MemoryFigures {
            ended: "max-time".into(),
            taken: 8,
            accounted: 5,
            states: 9,
            dropped: 3,
            shortages: 1,
            tests: 7,
        };
        assert_eq!(figures(summary, clock), Ok(expected));
        let none = summary.replace("\"max-memory\": 3", "");
        assert_eq!(figures(&none, clock).map(|figures| figures.dropped), Ok(0));
        assert!(figures(summary, "{}").is_err_and(|e| e.contains("max_process_memory")));
    }
}
