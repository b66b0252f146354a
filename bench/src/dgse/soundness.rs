//! `byway-bench dgse soundness`: does a reduced exploration show what an exhaustive one shows?

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::Instant;

use super::exploration::{
    ExplorationPlan, Explored, Unexplored, compile, differences, explore_program,
};
use super::generate::{self, PartsProgram};
use crate::checks::{self, CheckCase, CheckVerdict};
use crate::paths::shrink;
use crate::record;
use crate::seeds::{SHRINK_LIMIT, SeedOptions};
use crate::setup::{BenchSetup, create_dir};
use crate::toolchain::Level;

const ABOUT: &str = "\
Does `--reduce dgse` show what an exhaustive exploration shows?

Each seed makes a C program whose parts partly depend on each other. It is explored twice,
exhaustively and reduced, and both must find the same faults (kind and line) and the same set of
values for every instruction. Prints the share of paths that the reduced exploration explores.

The exit code is 1 if there is a difference.";

const EXAMPLES: &str = "\
Examples:
  ./dev bench dgse soundness --count 2000 --record
  ./dev bench dgse soundness --count 60 --workers 3
  ./dev bench dgse soundness --only 1234 --keep-failures /tmp/failures
  ./dev bench dgse soundness --file tests/sym/dates.c";

/// Options of the benchmark.
#[derive(clap::Args, Debug)]
#[command(long_about = ABOUT, after_help = EXAMPLES)]
pub struct SoundnessOptions {
    /// Programs to check
    #[arg(long, value_name = "N", default_value_t = 100)]
    count: u64,

    #[command(flatten)]
    seeds: SeedOptions,

    /// Print the program of --only in a size from 1 to 5, and do nothing else
    #[arg(long, value_name = "SIZE", requires = "only")]
    print: Option<u32>,

    /// Check this C program instead; may be repeated
    #[arg(long, value_name = "FILE", conflicts_with_all = ["only", "count"])]
    file: Vec<PathBuf>,

    /// The optimisation level of --file
    #[arg(long, value_name = "LEVEL", default_value = "-O0", allow_hyphen_values = true)]
    opt: Level,

    /// Programs with more paths are made again, smaller
    #[arg(long, value_name = "N", default_value_t = 2000)]
    most_paths: u64,

    /// Workers of each reduced exploration
    #[arg(long, value_name = "N", default_value = "1")]
    workers: NonZeroUsize,

    /// Smaller programs to try for --keep-failures
    #[arg(long, value_name = "N", default_value_t = 300)]
    shrink: usize,

    /// Write the result to bench/results/DATE-dgse-soundness.md
    #[arg(long)]
    record: bool,
}

/// A program with fewer paths has nothing to reduce.
const LEAST_PATHS: u64 = 4;

/// Differences of one program that are listed.
const DIFFERENCES_LISTED: usize = 3;

struct SoundnessBench {
    setup: BenchSetup,
    most_paths: u64,
    workers: NonZeroUsize,
    keep: Option<PathBuf>,
    attempts: usize,
    sums: Mutex<SoundnessTotals>,
}

/// Totals over all programs.
#[derive(Default)]
struct SoundnessTotals {
    all_paths: u64,
    reduced_paths: u64,
    values: u64,
    faults: u64,
    faulty_programs: u64,
    by_level: [u64; 3],
    /// Programs by tenths of the paths explored; the last counts those with all paths.
    shares: [u64; 11],
    /// Programs by the number of paths: below 10, 100, 1,000, and more.
    sizes: [u64; 4],
}

/// A program that was explored in both modes.
struct Compared {
    all: Explored,
    reduced: Explored,
    differences: Vec<String>,
}

/// Runs the benchmark and returns whether there is no difference.
pub fn main(options: SoundnessOptions) -> Result<bool, String> {
    let SoundnessOptions { count, seeds, print, file, most_paths, .. } = options;
    if let Some((seed, size)) = seeds.only.zip(print) {
        println!("{}", generate::program(seed, size).source());
        return Ok(true);
    }
    let (numbers, jobs) = (seeds.seeds(count), seeds.jobs);
    let bench = SoundnessBench {
        setup: BenchSetup::in_memory()?,
        most_paths,
        workers: options.workers,
        keep: seeds.keep_failures,
        attempts: options.shrink,
        sums: Mutex::default(),
    };
    let cases: Vec<CheckCase> = match file.is_empty() {
        true => numbers.map(|seed| case(&bench, seed)).collect(),
        false => file.iter().map(|file| file_case(&bench, file, options.opt)).collect(),
    };
    let results = [("dgse".to_owned(), checks::run_checks("dgse", &cases, jobs))];
    drop(cases);
    let mut report = checks::table(&results);
    report.push_str(&bench.report());
    let [(_, tally)] = &results;
    report.push_str(&tally.differences());
    println!("{report}");
    if options.record {
        record::write("dgse-soundness", "Reduced explorations of random programs", &report)?;
    }
    Ok(tally.mismatches.is_empty())
}

fn case(bench: &SoundnessBench, seed: u64) -> CheckCase<'_> {
    CheckCase { name: format!("seed {seed}"), check: Box::new(move || bench.check(seed)) }
}

fn file_case<'a>(bench: &'a SoundnessBench, file: &'a PathBuf, level: Level) -> CheckCase<'a> {
    let check = move || {
        let compared = std::fs::read_to_string(file)
            .map_err(|e| Unexplored::Incomplete(format!("{}: {e}", file.display())))
            .and_then(|source| bench.compare(&source, level, u64::MAX));
        match compared {
            Ok(compared) => {
                bench.count(level, &compared);
                bench.verdict(&compared, options_of(file, level))
            }
            Err(reason) => not_applicable(reason),
        }
    };
    CheckCase { name: file.display().to_string(), check: Box::new(check) }
}

/// The options that check a program in a file.
fn options_of(file: &Path, level: Level) -> String {
    format!("--file {} --opt {}", file.display(), level.flag())
}

fn not_applicable(reason: Unexplored) -> CheckVerdict {
    CheckVerdict::NotApplicable(match reason {
        Unexplored::TooLarge => "too many paths".to_owned(),
        Unexplored::Incomplete(reason) => reason.lines().next().unwrap_or_default().to_owned(),
    })
}

impl SoundnessBench {
    fn check(&self, seed: u64) -> CheckVerdict {
        // Independent of the digit that determines the level.
        let largest = 3 + (seed / 4 % 3) as u32;
        let mut reason = Unexplored::TooLarge;
        for size in (1..=largest).rev() {
            let program = generate::program(seed, size);
            match self.compare(&program.source(), program.level, self.most_paths) {
                Err(Unexplored::TooLarge) => {}
                Err(reason) => return not_applicable(reason),
                Ok(compared) if compared.all.paths < LEAST_PATHS => {
                    reason = Unexplored::Incomplete("too few paths".to_owned());
                }
                Ok(compared) => return self.judged(seed, &program, &compared),
            }
        }
        not_applicable(reason)
    }

    /// Explores a program in both modes.
    fn compare(&self, source: &str, level: Level, most: u64) -> Result<Compared, Unexplored> {
        let failed = Unexplored::Incomplete;
        let folder = self.setup.folder("dgse").map_err(failed)?;
        let file = folder.file("program.c");
        std::fs::write(&file, source).map_err(|e| failed(format!("{}: {e}", file.display())))?;
        let module = compile(&self.setup, &file, level, folder.path()).map_err(failed)?;
        let all = explore_program(&module, ExplorationPlan::exhaustive(most))?;
        let plan = ExplorationPlan { workers: self.workers, ..ExplorationPlan::reduced() };
        let reduced = explore_program(&module, plan)?;
        let differences = differences(&module, &all, &reduced);
        Ok(Compared { all, reduced, differences })
    }

    fn judged(&self, seed: u64, program: &PartsProgram, compared: &Compared) -> CheckVerdict {
        self.count(program.level, compared);
        let mut reproduce = format!("--only {seed} --keep-failures DIR");
        if !compared.differences.is_empty() {
            match self.keep(seed, program, compared) {
                Ok(None) => {}
                Ok(Some(kept)) => reproduce = kept,
                Err(error) => reproduce.push_str(&format!(" ({error})")),
            }
        }
        self.verdict(compared, reproduce)
    }

    fn verdict(&self, compared: &Compared, reproduce: String) -> CheckVerdict {
        let found = &compared.differences;
        if found.is_empty() {
            return CheckVerdict::Agree;
        }
        let mut difference = found[..found.len().min(DIFFERENCES_LISTED)].join("; ");
        if let Some(more @ 1..) = found.len().checked_sub(DIFFERENCES_LISTED) {
            difference.push_str(&format!(" ({more} more)"));
        }
        let reproduce = format!("./dev bench dgse soundness {reproduce}");
        CheckVerdict::Mismatch { difference, reproduce }
    }

    /// Leaves a program with a difference where it can be looked at, and a small one that has a
    /// difference of the same kind. Returns the options that check that.
    fn keep(
        &self,
        seed: u64,
        program: &PartsProgram,
        compared: &Compared,
    ) -> Result<Option<String>, String> {
        let Some(dir) = &self.keep else { return Ok(None) };
        let dir = dir.join(format!("seed-{seed}"));
        create_dir(&dir)?;
        let write = |name: &str, text: String| {
            let path = dir.join(name);
            std::fs::write(&path, text).map_err(|e| format!("cannot write {}: {e}", path.display()))
        };
        write("program.c", program.source())?;
        write("differences.txt", compared.differences.join("\n") + "\n")?;
        let kind = kind_of(&compared.differences);
        let start = Instant::now();
        let small = shrink(&program.tree, self.attempts, |tree| {
            start.elapsed() < SHRINK_LIMIT
                && self
                    .compare(&tree.print(), program.level, self.most_paths)
                    .is_ok_and(|smaller| kind_of(&smaller.differences) == kind)
        });
        write("small.c", small.print())?;
        Ok(Some(options_of(&dir.join("small.c"), program.level)))
    }

    fn count(&self, level: Level, compared: &Compared) {
        let Ok(mut sums) = self.sums.lock() else { return };
        let Compared { all, reduced, .. } = compared;
        sums.all_paths += all.paths;
        sums.reduced_paths += reduced.paths;
        sums.values += all.values.values.len() as u64;
        sums.faults += all.faults.len() as u64;
        sums.faulty_programs += u64::from(!all.faults.is_empty());
        sums.by_level[level as usize] += 1;
        let tenth = (10 * reduced.paths).checked_div(all.paths).unwrap_or(10).min(10);
        sums.shares[tenth as usize] += 1;
        let size = [10, 100, 1000].iter().filter(|&&most| all.paths >= most).count();
        sums.sizes[size] += 1;
    }

    fn report(&self) -> String {
        let sums = self.sums.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        let [zero, one, two] = sums.by_level;
        let [few, some, many, most] = sums.sizes;
        let mut text = format!(
            "\n{zero} at -O0, {one} at -O1, {two} at -O2; {} values; {} faults in {} programs.\n\
             Paths: below 10 in {few} programs, below 100 in {some}, below 1,000 in {many}, more \
             in {most}.\n",
            sums.values, sums.faults, sums.faulty_programs
        );
        text.push_str(&format!(
            "\n{} of {} paths explored. Programs by the share of their paths:\n\n\
             | share | programs |\n| --- | --- |\n",
            sums.reduced_paths, sums.all_paths
        ));
        text.push_str(&super::shares_table(&sums.shares));
        text
    }
}

/// What kind of difference a program shows: a missed fault before a missed value.
fn kind_of(differences: &[String]) -> Option<&str> {
    let kinds = ["missed fault", "extra fault", "missed value", "extra value"];
    kinds.into_iter().find(|kind| differences.iter().any(|it| it.starts_with(kind)))
}
