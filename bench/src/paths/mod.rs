//! `byway-bench paths`: are the paths of random programs found to the last?

mod check;
mod generate;
mod native;
mod shrink;
mod tree;

use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::Instant;

use crate::checks::{self, CheckCase, CheckVerdict};
use crate::record;
use crate::seeds::{SHRINK_LIMIT, SeedOptions};
use crate::setup::{BenchSetup, create_dir};

use check::{MODES, PathsDefect, PathsFigures, PathsMode, PathsResult};
use generate::{GeneratedProgram, Profile};

pub use shrink::shrink;
pub use tree::SourceTree;

const ABOUT: &str = "\
Are all paths of random programs found?

Each seed makes a small C program with one or two bytes of input. Natively it runs on every
input there is, and records its branches and the line of each rule it breaks, so all of its
paths are known. Byway explores it twice: depth first and eagerly, then by random paths and
lazily; a bare backend checks the solver's answers for every fifth program. The seed decides
the kind of program:
  exact      it forks at its branches and nowhere else: Byway must find each path and each
             fault exactly once
  checked    the same, with --checks=signed-overflow,shift
  loose      with libc and memory of any size: each path at least once, unless Byway reports
             a loss
  optimised  at -O2, where branches may have disappeared
Each test must do natively what was predicted (exit code, fault and line), and both explorations
must find the same set of paths.

The exit code is 1 if any of this fails.";

const EXAMPLES: &str = "\
Examples:
  ./dev bench paths --count 1000 --seed 5000
  ./dev bench paths --only 1234 --keep-failures /tmp/failures";

/// Options of the benchmark.
#[derive(clap::Args, Debug)]
#[command(long_about = ABOUT, after_help = EXAMPLES)]
pub struct PathsOptions {
    /// Programs to check
    #[arg(long, value_name = "N", default_value_t = 60)]
    count: u64,

    #[command(flatten)]
    seeds: SeedOptions,

    /// Print the program of --only in a size from 1 to 4, and do nothing else
    #[arg(long, value_name = "SIZE", requires = "only")]
    print: Option<u32>,

    /// Smaller programs to try for --keep-failures
    #[arg(long, value_name = "N", default_value_t = 150)]
    shrink: usize,

    /// Write the result to bench/results/DATE-paths.md
    #[arg(long)]
    record: bool,
}

/// The solver is checked in every so manyth program.
const CHECKED_EVERY: u64 = 5;

/// How large programs are; one with too many paths is made again, smaller.
const SIZES: [u32; 4] = [2, 3, 3, 4];

/// Totals over all programs.
#[derive(Default)]
struct PathsTotals {
    paths: usize,
    faults: usize,
    tests: usize,
    checked_queries: u64,
    incomplete: usize,
    profiles: [usize; 4],
}

/// The parameters of the benchmark.
struct PathsBench {
    setup: BenchSetup,
    keep: Option<PathBuf>,
    attempts: usize,
    sums: Mutex<PathsTotals>,
}

/// Runs the benchmark and returns whether all checks agree.
pub fn main(options: PathsOptions) -> Result<bool, String> {
    let PathsOptions { count, seeds, print, shrink: attempts, record } = options;
    if let Some((seed, size)) = seeds.only.zip(print) {
        println!("{}", generate::program(seed, size).source());
        return Ok(true);
    }
    let (numbers, jobs, keep) = (seeds.seeds(count), seeds.jobs, seeds.keep_failures);
    let job = PathsBench { setup: BenchSetup::new(None)?, keep, attempts, sums: Mutex::default() };
    let cases: Vec<_> = numbers.map(|seed| case(&job, seed)).collect();
    let results = [("paths".to_owned(), checks::run_checks("paths", &cases, jobs))];
    drop(cases);

    let mut report = checks::table(&results);
    report.push_str(&job.sums());
    let [(_, tally)] = &results;
    report.push_str(&tally.differences());
    println!("{report}");
    if record {
        record::write("paths", "The paths of random programs", &report)?;
    }
    Ok(tally.mismatches.is_empty())
}

fn case(job: &PathsBench, seed: u64) -> CheckCase<'_> {
    let name = format!("seed {seed} ({})", Profile::of(seed).name());
    CheckCase { name, check: Box::new(move || job.check(seed)) }
}

impl PathsBench {
    fn check(&self, seed: u64) -> CheckVerdict {
        let mut modes = MODES;
        modes[0].check = seed.is_multiple_of(CHECKED_EVERY);
        // Independent of the digits that determine the profile.
        let largest = SIZES[(seed / 8 % 4) as usize];
        for size in (1..=largest).rev() {
            let program = generate::program(seed, size);
            let folder = match self.setup.folder(&format!("paths-{seed}")) {
                Ok(folder) => folder,
                Err(error) => return CheckVerdict::Skipped(error),
            };
            match check::run(&self.setup, &program, &modes, &folder) {
                PathsResult::TooLarge => {}
                PathsResult::Skipped(reason) => return skipped(reason),
                PathsResult::PathsFigures(judged) => return self.judged(seed, &program, judged),
            }
        }
        CheckVerdict::NotApplicable("too many paths".to_owned())
    }

    fn judged(&self, seed: u64, program: &GeneratedProgram, judged: PathsFigures) -> CheckVerdict {
        if let Ok(mut sums) = self.sums.lock() {
            sums.add(program.profile, &judged);
        }
        let Some(first) = judged.defects.first() else { return CheckVerdict::Agree };
        let mut difference = first.to_string();
        if let Some(more @ 1..) = judged.defects.len().checked_sub(1) {
            difference.push_str(&format!(" ({more} more)"));
        }
        let mut reproduce = format!("./dev bench paths --only {seed} --keep-failures DIR");
        match self.keep(seed, program, &judged.defects) {
            Ok(None) => {}
            Ok(Some(command)) => reproduce = command,
            Err(error) => difference.push_str(&format!("; {error}")),
        }
        CheckVerdict::Mismatch { difference, reproduce }
    }

    /// Leaves the program where it can be looked at, and a small one that shows the
    /// same. The command that explores that.
    fn keep(
        &self,
        seed: u64,
        program: &GeneratedProgram,
        defects: &[PathsDefect],
    ) -> Result<Option<String>, String> {
        let (Some(dir), Some(first)) = (&self.keep, defects.first()) else { return Ok(None) };
        let dir = dir.join(format!("seed-{seed}"));
        create_dir(&dir)?;
        let write = |name: &str, text: String| {
            let path = dir.join(name);
            std::fs::write(&path, text).map_err(|e| format!("cannot write {}: {e}", path.display()))
        };
        write("program.c", program.source())?;
        let all: String = defects.iter().map(|defect| format!("{defect}\n")).collect();
        write("defects.txt", all)?;
        let small = self.smaller(seed, program, first);
        write("small.c", small.source())?;
        let mode = first.mode.unwrap_or(MODES[0]);
        Ok(Some(command(&dir.join("small.c"), program.profile, mode)))
    }

    /// A smaller program with the same kind of defect.
    fn smaller(
        &self,
        seed: u64,
        program: &GeneratedProgram,
        defect: &PathsDefect,
    ) -> GeneratedProgram {
        let modes = match defect.mode {
            Some(mode) => vec![mode],
            None => MODES.to_vec(),
        };
        let start = Instant::now();
        let tree = shrink(&program.tree, self.attempts, |tree| {
            let program = GeneratedProgram { tree: tree.clone(), ..*program };
            start.elapsed() < SHRINK_LIMIT
                && self.setup.folder(&format!("shrink-{seed}")).is_ok_and(
                    |folder| match check::run(&self.setup, &program, &modes, &folder) {
                        PathsResult::PathsFigures(judged) => {
                            judged.defects.iter().any(|other| other.sort == defect.sort)
                        }
                        _ => false,
                    },
                )
        });
        GeneratedProgram { tree, ..*program }
    }

    fn sums(&self) -> String {
        let sums = self.sums.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        let PathsTotals { paths, faults, tests, checked_queries, incomplete, .. } = *sums;
        let profiles = [Profile::Exact, Profile::Checked, Profile::Loose, Profile::Optimised]
            .iter()
            .zip(sums.profiles)
            .map(|(profile, count)| format!("{count} {}", profile.name()))
            .collect::<Vec<_>>()
            .join(", ");
        format!(
            "\n{profiles}; {paths} paths, {faults} faults; {tests} tests compared; \
             {checked_queries} queries checked; {incomplete} loose ones not explored completely.\n"
        )
    }
}

impl PathsTotals {
    fn add(&mut self, profile: Profile, judged: &PathsFigures) {
        self.paths += judged.paths;
        self.faults += judged.faults;
        self.tests += judged.tests;
        self.checked_queries += judged.checked_queries;
        self.incomplete += usize::from(judged.incomplete);
        self.profiles[profile as usize] += 1;
    }
}

/// Why a program was not compared: of the reasons a compiler gives, the first line.
fn skipped(reason: String) -> CheckVerdict {
    let first = reason.lines().next().unwrap_or_default().to_owned();
    match first.starts_with("takes longer") {
        true => CheckVerdict::Skipped(first),
        false => CheckVerdict::NotApplicable(first),
    }
}

/// A command that reproduces a defect.
fn command(source: &Path, profile: Profile, mode: PathsMode) -> String {
    let level = if profile == Profile::Optimised { " -O2" } else { "" };
    let options = check::options(profile, mode).join(" ");
    format!("byway run{level} --no-cache {options} {}", source.display())
}
