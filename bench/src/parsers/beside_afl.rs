//! Strategies beside AFL++ on the same parsers, measured by one gcov build.

use std::fmt::Write as _;
use std::fs;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use byway_native::child::die_with_parent;
use byway_rundir::{RunDirError, RunReader};
use byway_testcase::ktest;

use super::gcov::{self, CoveredLines};
use super::programs::{self, BuiltPrograms, ParserProgram};
use super::{GRACE, ParsersOptions};
use crate::process::{self, ProcessStatus};
use crate::processor_clock;
use crate::setup::{BenchSetup, create_dir};

/// The parsers that are compared, and their numbers of bytes.
const PROGRAMS: [&str; 6] = ["libyaml", "expat", "yajl", "cjson", "lua", "jansson"];
const SIZES: [u32; 2] = [16, 64];

const STRATEGIES: [&str; 2] = ["auto", "greedy"];

/// The one seed of AFL++ consists of this letter.
const SEED_LETTER: u8 = b'a';

/// The time between two readings of AFL++'s processor time.
const INTERVAL: Duration = Duration::from_millis(100);

/// The exit code of a byway that found a bug of its own.
const BUG: i32 = 101;

/// The goal: points of coverage by which the first strategy is above AFL++ on average.
const GOAL: f64 = 10.0;

/// Runs the comparison. Returns the report, and whether the first strategy covers at least what
/// AFL++ does everywhere, and ten points more on average.
pub fn compare(options: &ParsersOptions) -> Result<(String, bool), String> {
    let names = options.programs.clone().unwrap_or_else(|| PROGRAMS.map(str::to_owned).into());
    let programs = programs::named(&names)?;
    let sizes = options.sizes.as_deref().unwrap_or(&SIZES);
    let strategies: Vec<&str> = match &options.search {
        Some(search) => vec![search],
        None => STRATEGIES.into(),
    };
    let setup = BenchSetup::in_memory()?;
    let built = BuiltPrograms::build(&setup)?;
    let mut report = heading(&strategies, options);
    let (mut is_never_below, mut differences) = (true, Vec::new());
    for program in programs {
        for &size in sizes {
            let mut parts = Vec::new();
            _ = write!(report, "| {} | {size} |", program.name);
            for search in strategies.iter().map(|&search| Some(search)).chain([None]) {
                let name = search.unwrap_or("AFL++");
                let inputs = match search {
                    Some(search) => explore(&setup, &built, program, size, search, options),
                    None => fuzz(&setup, &built, program, size, options.max_time),
                };
                let inputs =
                    inputs.map_err(|error| format!("{} {size}, {name}: {error}", program.name))?;
                let lines = gcov::measure(&setup, &built, program.name, &inputs)?;
                let shown = show(lines, inputs.len());
                eprintln!("parsers: {} {size}, {name}: {shown}", program.name);
                _ = write!(report, " {shown} |");
                parts.push(100.0 * lines.part());
            }
            report += "\n";
            if let (Some(first), Some(afl)) = (parts.first(), parts.last()) {
                is_never_below &= first >= afl;
                differences.push(first - afl);
            }
        }
    }
    let mean = differences.iter().sum::<f64>() / differences.len().max(1) as f64;
    _ = write!(report, "\n{} is {mean:+.1} points beside AFL++ on average.", strategies[0]);
    Ok((report, is_never_below && mean >= GOAL))
}

fn heading(strategies: &[&str], options: &ParsersOptions) -> String {
    let mut text = format!(
        "Lines of the parser's own code by gcov, and the number of inputs in parentheses, after {} s of \
         the processor. AFL++ starts from one seed of letters, without a dictionary; its inputs may \
         be shorter, those of byway have all bytes.\n\n| program | bytes |",
        options.max_time.as_secs_f64()
    );
    strategies.iter().for_each(|search| text += &format!(" {search} |"));
    text += &format!(" AFL++ |\n|---|---:|{}\n", "---:|".repeat(strategies.len() + 1));
    text
}

fn show(lines: CoveredLines, inputs: usize) -> String {
    format!("{:.1} % ({inputs})", 100.0 * lines.part())
}

/// Standard input of all tests of an exploration.
fn explore(
    setup: &BenchSetup,
    built: &BuiltPrograms,
    program: &ParserProgram,
    size: u32,
    search: &str,
    options: &ParsersOptions,
) -> Result<Vec<Vec<u8>>, String> {
    let folder = setup.folder(program.name)?;
    let out = folder.file("run");
    let mut command = setup.byway();
    command.args(["run", "--only-covering-new", "--search", search]);
    command.args(["--seed", &options.seed.to_string(), "--sym-stdin", &size.to_string()]);
    command.arg(format!("--max-cpu={}ms", options.max_time.as_millis()));
    command.arg("--output-dir").arg(&out).arg(built.bitcode(program.name));
    let ended = process::run(&mut command, b"", options.max_time * 4 + GRACE)?;
    match ended.status {
        ProcessStatus::Code(0 | 1) => {}
        // Some path ended by a defect of byway; the others give tests all the same.
        ProcessStatus::Code(BUG) if RunReader::has_ended(&out) => {
            eprintln!("parsers: {} {size}, {search}: byway reports a bug of its own", program.name);
        }
        status => return Err(format!("byway ended with {status}: {}", ended.stderr_text().trim())),
    }
    let tests = || {
        let run = RunReader::open(&out)?;
        let names = run.test_names()?.into_values().collect::<Vec<_>>();
        Ok((run, names))
    };
    let (run, names) = tests().map_err(|error: RunDirError| error.to_string())?;
    names.iter().map(|name| standard_input(&run, name)).collect()
}

fn standard_input(run: &RunReader, name: &str) -> Result<Vec<u8>, String> {
    let read = run.read_test(name).and_then(|bytes| Ok(ktest::decode(&bytes)?));
    let read = read.map_err(|error| format!("{name}: {error}"))?;
    let stdin = read.inputs.into_iter().find(|input| input.name == "stdin");
    Ok(stdin.map(|input| input.bytes).unwrap_or_default())
}

/// The corpus of AFL++, and the inputs that crash.
fn fuzz(
    setup: &BenchSetup,
    built: &BuiltPrograms,
    program: &ParserProgram,
    size: u32,
    time: Duration,
) -> Result<Vec<Vec<u8>>, String> {
    let folder = setup.folder("afl")?;
    let (seeds, out) = (folder.file("seeds"), folder.file("out"));
    create_dir(&seeds)?;
    let seed = vec![SEED_LETTER; size as usize];
    fs::write(seeds.join("seed"), seed).map_err(|e| format!("cannot write a seed: {e}"))?;
    let mut command = Command::new("afl-fuzz");
    for name in ["SKIP_CPUFREQ", "I_DONT_CARE_ABOUT_MISSING_CRASHES", "NO_AFFINITY", "NO_UI"] {
        command.env(format!("AFL_{name}"), "1");
    }
    command.arg("-i").arg(&seeds).arg("-o").arg(&out).args(["-G", &size.to_string(), "--"]);
    run_for(command.arg(built.afl(program.name)), time)?;
    let mut inputs = Vec::new();
    for kind in ["queue", "crashes"] {
        let folder = out.join("default").join(kind);
        let entries = fs::read_dir(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
        for path in entries.flatten().map(|entry| entry.path()).filter(|path| path.is_file()) {
            inputs.push(fs::read(&path).map_err(|e| format!("{}: {e}", path.display()))?);
        }
    }
    Ok(inputs)
}

/// Runs a command until it and its children have taken this much processor time.
fn run_for(command: &mut Command, time: Duration) -> Result<(), String> {
    let name = command.get_program().to_string_lossy().into_owned();
    die_with_parent(command);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let began = processor_clock::seconds_of_descendants();
    let deadline = Instant::now() + time * 4 + GRACE;
    let mut child = command.spawn().map_err(|e| format!("cannot start {name}: {e}"))?;
    let result = loop {
        thread::sleep(INTERVAL);
        match child.try_wait() {
            Ok(None) => {}
            Ok(Some(status)) => return Err(format!("{name} ended early: {status}")),
            Err(error) => break Err(format!("cannot wait for {name}: {error}")),
        }
        if processor_clock::seconds_of_descendants() - began >= time.as_secs_f64() {
            break Ok(());
        }
        if Instant::now() > deadline {
            break Err(format!("{name} takes no processor time"));
        }
    };
    // The fork server of AFL++ ends when it does.
    let killed = child.kill().and_then(|()| child.wait());
    result.and(killed.map(drop).map_err(|error| format!("cannot stop {name}: {error}")))
}
