//! `byway-bench checks`: what a check costs that is on by default.
//!
//! The same work is done with and without the check, in turns, so that both see the same machine.
//! The least processor time of each counts. Machine instructions, counted by Valgrind, are exact.

use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

use crate::coreutils::{INPUT, Tools};
use crate::interp::KERNELS;
use crate::micro::klee::CASES;
use crate::process::{self, ProcessStatus};
use crate::record;
use crate::setup::{BenchSetup, WorkDir};
use crate::toolchain::Level;

const ABOUT: &str = "\
What does a check cost that is on by default?

Runs the programs of `interp` under `byway exec`, explores those of `micro` to the end, and explores
six tools of Coreutils for the same work, each with the check and without it, in turns. The cost is
the ratio of the least processor times, loading included; a group's is that of its sums. --count
counts machine instructions with Valgrind instead, once, on less work.

The exit code is 1 if a group's cost is more than 15 %.";

/// Options of the benchmark.
#[derive(clap::Args, Debug)]
#[command(long_about = ABOUT)]
pub struct CheckCostOptions {
    /// The check
    #[arg(long, value_name = "NAME", default_value = "uninitialised")]
    check: String,

    /// Programs whose name contains this text
    #[arg(long, value_name = "TEXT", default_value = "", hide_default_value = true)]
    filter: String,

    /// Runs of each program, with and without
    #[arg(long, value_name = "N", default_value_t = 3)]
    runs: usize,

    /// Count machine instructions instead of seconds
    #[arg(long)]
    count: bool,

    /// Write the result to bench/results/DATE-checks.md
    #[arg(long)]
    record: bool,
}

/// The cost that is accepted.
const TARGET: f64 = 1.15;

/// Long enough for the slowest program under Valgrind.
const LIMIT: Duration = Duration::from_secs(3600);

const TOOLS: [&str; 6] = ["cut", "expr", "ls", "sort", "tr", "wc"];

/// What each tool is explored for.
const TOOL_WORK: u64 = 4_000_000;

/// Programs of `interp` do this part of their work here, and all programs this much less when
/// machine instructions are counted.
const PART: u64 = 4;
const COUNTED_PART: u64 = 20;

/// A command to measure.
struct Workload {
    group: &'static str,
    name: String,
    /// The command of byway, and what comes before and after the choice of checks.
    command: &'static str,
    arguments: Vec<String>,
    program: PathBuf,
}

/// What was measured, without and with the check: seconds, or millions of machine instructions.
struct CheckCost {
    group: &'static str,
    name: String,
    without: f64,
    with: f64,
}

/// Runs the benchmark and returns whether the check costs no more than it may.
pub fn main(options: CheckCostOptions) -> Result<bool, String> {
    let setup = BenchSetup::in_memory()?;
    let folder = setup.folder("checks")?;
    let part = if options.count { COUNTED_PART } else { 1 };
    let mut workloads = concrete(&setup, &folder, part)?;
    workloads.extend(explored(&setup, &folder, options.count)?);
    workloads.extend(tools(&setup, part)?);
    workloads.retain(|it| it.name.contains(&options.filter));
    let mut costs = Vec::new();
    for workload in &workloads {
        eprintln!("{} {}", workload.group, workload.name);
        costs.push(measure(&setup, &folder, workload, &options)?);
    }
    let report = report(&costs, &options);
    println!("{report}");
    if options.record {
        record::write("checks", "What a check costs", &report)?;
    }
    Ok(groups(&costs).iter().all(CheckCost::is_accepted))
}

/// The programs of `interp`.
fn concrete(setup: &BenchSetup, folder: &WorkDir, part: u64) -> Result<Vec<Workload>, String> {
    let mut workloads = Vec::new();
    for kernel in &KERNELS {
        for level in Level::COMPARED {
            let source = setup.root.join("bench/micro").join(kernel.name).with_extension("c");
            let program = folder.file(&format!("{}{}.bc", kernel.name, level.flag()));
            let work = format!("-DITER={}u", (kernel.iterations / PART / part).max(1));
            setup.toolchain.bitcode(&source, level, &[work], &program)?;
            let name = format!("{} {}", kernel.name, level.flag());
            let (group, command, arguments) = ("interp", "exec", Vec::new());
            workloads.push(Workload { group, name, command, arguments, program });
        }
    }
    Ok(workloads)
}

/// The programs of `micro`; the shorter ones only if they run under Valgrind.
fn explored(setup: &BenchSetup, folder: &WorkDir, short: bool) -> Result<Vec<Workload>, String> {
    let mut workloads = Vec::new();
    for case in CASES.iter().filter(|it| !it.is_concrete() && (!short || it.paths < 1000)) {
        let source = setup.root.join("bench/micro").join(case.name).with_extension("c");
        let program = folder.file(&format!("{}.bc", case.title().replace(' ', "")));
        let mut flags = case.compiler_flags();
        flags.push(format!("-I{}", setup.root.join("runtime/include").display()));
        setup.toolchain.bitcode(&source, case.level, &flags, &program)?;
        let (group, command, arguments) = ("micro", "run", vec!["--no-tests".to_owned()]);
        workloads.push(Workload { group, name: case.title(), command, arguments, program });
    }
    Ok(workloads)
}

/// Tools of Coreutils.
fn tools(setup: &BenchSetup, part: u64) -> Result<Vec<Workload>, String> {
    let tools = Tools::build(setup)?;
    let mut arguments: Vec<String> = INPUT.split(' ').map(str::to_owned).collect();
    arguments.extend(["--no-tests".to_owned(), format!("--max-work={}", TOOL_WORK / part)]);
    let workload = |tool: &str| Workload {
        group: "coreutils",
        name: tool.to_owned(),
        command: "run",
        arguments: arguments.clone(),
        program: tools.bitcode(tool),
    };
    Ok(TOOLS.map(workload).into())
}

fn measure(
    setup: &BenchSetup,
    folder: &WorkDir,
    workload: &Workload,
    options: &CheckCostOptions,
) -> Result<CheckCost, String> {
    let choices = [format!("--checks=no-{}", options.check), format!("--checks={}", options.check)];
    // The first run of each loads the program into the cache.
    for choice in &choices {
        run(setup, folder, workload, choice, false)?;
    }
    let mut least = [f64::INFINITY; 2];
    for _ in 0..if options.count { 1 } else { options.runs.max(1) } {
        for (choice, least) in choices.iter().zip(&mut least) {
            *least = least.min(run(setup, folder, workload, choice, options.count)?);
        }
    }
    let [without, with] = least;
    Ok(CheckCost { group: workload.group, name: workload.name.clone(), without, with })
}

/// Seconds of processor time, or millions of machine instructions.
fn run(
    setup: &BenchSetup,
    folder: &WorkDir,
    workload: &Workload,
    choice: &str,
    count: bool,
) -> Result<f64, String> {
    let byway = setup.byway();
    let mut command = if count {
        let mut valgrind = Command::new("valgrind");
        valgrind.args(["--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null"]);
        valgrind.arg(byway.get_program());
        valgrind
    } else {
        byway
    };
    let out = folder.file("run");
    drop(std::fs::remove_dir_all(&out));
    command.env("BYWAY_CACHE", folder.file("cache")).arg(workload.command);
    if workload.command == "run" {
        command.arg("--output-dir").arg(&out);
    }
    command.arg(choice).args(&workload.arguments).arg(&workload.program);
    let before = process::cpu_seconds_of_children();
    let ended = process::run(&mut command, b"", LIMIT)?;
    let seconds = process::cpu_seconds_of_children() - before;
    let text = ended.stderr_text();
    match ended.status {
        ProcessStatus::Code(0 | 1) if count => {
            instructions(&text).ok_or_else(|| format!("valgrind's count is not understood: {text}"))
        }
        ProcessStatus::Code(0 | 1) => Ok(seconds),
        status => Err(format!("{}: {status}: {}", workload.name, text.trim())),
    }
}

/// Reads `==1== I refs:  1,234,567`, in millions. Versions of valgrind align the words
/// differently.
fn instructions(text: &str) -> Option<f64> {
    let mut counts = text.lines().filter_map(|line| line.split_once(" refs:"));
    let number = counts.find(|(what, _)| what.trim_end().ends_with(" I"))?.1;
    Some(number.trim().replace(',', "").parse::<f64>().ok()? / 1e6)
}

impl CheckCost {
    fn ratio(&self) -> f64 {
        self.with / self.without
    }

    fn is_accepted(&self) -> bool {
        self.ratio() <= TARGET
    }

    fn row(&self) -> String {
        let CheckCost { group, name, without, with } = self;
        let percent = 100.0 * (self.ratio() - 1.0);
        format!("| {group} | {name} | {without:.2} | {with:.2} | {percent:+.1} |\n")
    }
}

/// The sums of each group.
fn groups(costs: &[CheckCost]) -> Vec<CheckCost> {
    let mut sums: Vec<CheckCost> = Vec::new();
    for cost in costs {
        match sums.iter_mut().find(|sum| sum.group == cost.group) {
            Some(sum) => {
                sum.without += cost.without;
                sum.with += cost.with;
            }
            None => sums.push(CheckCost { name: "all".to_owned(), ..*cost }),
        }
    }
    sums
}

fn report(costs: &[CheckCost], options: &CheckCostOptions) -> String {
    let unit = if options.count { "million machine instructions" } else { "CPU s" };
    let mut out = format!(
        "| group | program | {unit} without | with `{}` | % |\n| --- | --- | --- | --- | --- |\n",
        options.check
    );
    costs.iter().chain(&groups(costs)).for_each(|cost| out.push_str(&cost.row()));
    for cost in groups(costs).iter().filter(|cost| !cost.is_accepted()) {
        out.push_str(&format!("\n{}: MISSED: more than 15 %\n", cost.group));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_group_is_judged_by_its_sum() {
        let cost = |group, without, with| CheckCost { group, name: "x".to_owned(), without, with };
        let costs = [cost("a", 1.0, 2.0), cost("a", 99.0, 100.0), cost("b", 1.0, 1.2)];
        let groups = groups(&costs);
        assert_eq!(groups.iter().map(CheckCost::is_accepted).collect::<Vec<_>>(), [true, false]);
        assert_eq!(groups[0].row(), "| a | all | 100.00 | 102.00 | +2.0 |\n");
    }

    #[test]
    fn the_count_is_read() {
        assert_eq!(instructions("==7== \n==7== I refs:        2,500,000\n"), Some(2.5));
        assert_eq!(instructions("==7== I   refs:      2,500,000\n"), Some(2.5));
        assert_eq!(instructions("nothing"), None);
    }
}
