//! `byway-bench defects`: does Byway find what clang's sanitizers find, and nothing else?

mod check;
mod program;
mod shapes;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use crate::checks::{self, CheckCase, CheckVerdict, SuiteTally};
use crate::record;
use crate::setup::{BenchSetup, create_dir};
use crate::toolchain::Level;

use check::DefectResult;
use program::DefectProgram;
use shapes::DefectShape;

const ABOUT: &str = "\
Does Byway find every defect that clang's sanitizers find, and nothing else?

Generates C programs with one planted defect each, which one value of an input byte triggers, and
for each a twin in which it is repaired (bench/defects has their shapes). The sanitizers (address,
leak, undefined behaviour, memory) judge each program on the triggering input. `byway run
--checks all` explores both twins for all inputs:
  missed  a sanitizer reports the defect, and Byway reports no fault of that kind in that line, or
          its test does not trigger it natively
  false   a second report for the defective program, or any report for the repaired one
  unseen  no sanitizer reports the defect, so that nothing is expected
  optimised away
          found without optimisation only: clang removes the access before Byway sees the bitcode

The exit code is 1 if anything is missed or false.";

const EXAMPLES: &str = "\
Examples:
  ./dev bench defects --count 300
  ./dev bench defects --filter leak --keep /tmp/defects
  ./dev bench defects --filter uninitialised: --opt -O0
  ./dev bench defects --only 17 --print";

/// Options of the benchmark.
#[derive(clap::Args, Debug)]
#[command(long_about = ABOUT, after_help = EXAMPLES)]
pub struct DefectsOptions {
    /// Programs to check; the first ones are of different kinds
    #[arg(long, value_name = "N", default_value_t = 300)]
    count: usize,

    /// The number of the first program
    #[arg(long, value_name = "N", default_value_t = 0)]
    first: usize,

    /// Only the program of this number
    #[arg(long, value_name = "N")]
    only: Option<usize>,

    /// Print the program of --only and its twin, and do nothing else
    #[arg(long, requires = "only")]
    print: bool,

    /// Programs whose name contains this text
    #[arg(long, value_name = "TEXT")]
    filter: Option<String>,

    /// Only this level: -O0, -O1 or -O2 (default: a program's number decides)
    #[arg(long, value_name = "LEVEL", allow_hyphen_values = true)]
    opt: Option<Level>,

    /// Programs checked at once
    #[arg(long, value_name = "N", default_value_t = 2)]
    jobs: usize,

    /// Leave programs with missed or false reports in this directory
    #[arg(long, value_name = "DIR")]
    keep: Option<PathBuf>,

    /// Write the result to bench/results/DATE-defects.md
    #[arg(long)]
    record: bool,
}

/// Counts for the programs of one kind.
#[derive(Default)]
struct KindCounts {
    programs: usize,
    seen: usize,
    found: usize,
    missed: usize,
    optimised_away: usize,
    false_reports: usize,
    not_tests: usize,
}

struct DefectsBench {
    setup: BenchSetup,
    keep: Option<PathBuf>,
    kinds: Mutex<BTreeMap<&'static str, KindCounts>>,
}

/// Runs the benchmark and returns whether nothing is missed and nothing false.
pub fn main(options: DefectsOptions) -> Result<bool, String> {
    let DefectsOptions { count, first, only, print, filter, opt, jobs, keep, record } = options;
    let shapes = shapes::defects();
    let numbers = only.map_or(first..first + count, |number| number..number + 1);
    let mut programs: Vec<_> = numbers.map(|it| DefectProgram::new(it, &shapes)).collect();
    for program in &mut programs {
        program.level = opt.unwrap_or(program.level);
    }
    programs.retain(|it| filter.as_deref().is_none_or(|text| it.name().contains(text)));
    if print {
        programs.iter().for_each(|it| println!("{}\n{}", it.defective, it.repaired));
        return Ok(true);
    }
    let bench = DefectsBench { setup: BenchSetup::new(None)?, keep, kinds: Mutex::default() };
    let cases: Vec<_> = programs.into_iter().map(|program| case(&bench, program)).collect();
    let tally = checks::run_checks("defects", &cases, jobs);
    drop(cases);

    let report = bench.report(&shapes, &tally);
    println!("{report}");
    if record {
        record::write("defects", "Planted defects against clang's sanitizers", &report)?;
    }
    Ok(tally.mismatches.is_empty())
}

fn case(bench: &DefectsBench, program: DefectProgram) -> CheckCase<'_> {
    CheckCase { name: program.name(), check: Box::new(move || bench.check(&program)) }
}

impl DefectsBench {
    fn check(&self, program: &DefectProgram) -> CheckVerdict {
        let result = self
            .setup
            .folder(&format!("defect-{}", program.number))
            .and_then(|folder| check::check(&self.setup, program, &folder));
        self.count(program.shape, &result);
        let mut differences = Vec::new();
        match result {
            Err(error) => differences.push(error),
            Ok(result) => {
                if result.missed.is_none() && result.false_reports.is_empty() {
                    let reason = match (result.findings.is_empty(), result.optimised_away) {
                        (true, _) => "unseen by sanitizers",
                        (false, true) => "optimised away, found at -O0",
                        (false, false) => return CheckVerdict::Agree,
                    };
                    return CheckVerdict::NotApplicable(reason.to_owned());
                }
                differences.extend(result.missed.map(|missed| {
                    let wanted = result
                        .findings
                        .iter()
                        .map(|it| format!("{} in line {}", it.what, it.line.unwrap_or_default()));
                    format!("missed: {}: {missed}", wanted.collect::<Vec<_>>().join(", "))
                }));
                differences.extend(result.false_reports.iter().map(|it| format!("false: {it}")));
            }
        }
        let reproduce = match self.keep(program, &differences) {
            Ok(Some(source)) => command(&source, program),
            Ok(None) => format!("./dev bench defects --only {} --keep DIR", program.number),
            Err(error) => error,
        };
        CheckVerdict::Mismatch { difference: differences.join("; "), reproduce }
    }

    fn count(&self, shape: DefectShape, result: &Result<DefectResult, String>) {
        let mut kinds = self.kinds.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        let counts = kinds.entry(shape.kind).or_default();
        counts.programs += 1;
        match result {
            Ok(result) => {
                counts.seen += usize::from(!result.findings.is_empty());
                counts.found += usize::from(result.found);
                counts.missed += usize::from(result.missed.is_some());
                counts.optimised_away += usize::from(result.optimised_away);
                counts.false_reports += usize::from(!result.false_reports.is_empty());
            }
            Err(_) => counts.not_tests += 1,
        }
    }

    /// Leaves a program and its twin where they can be looked at.
    fn keep(
        &self,
        program: &DefectProgram,
        differences: &[String],
    ) -> Result<Option<PathBuf>, String> {
        let Some(dir) = &self.keep else { return Ok(None) };
        let dir = dir.join(format!("{}-{}", program.number, program.shape.kind));
        create_dir(&dir)?;
        let write = |name: &str, text: &str| {
            let path = dir.join(name);
            let written = std::fs::write(&path, text);
            written.map_err(|e| format!("cannot write {}: {e}", path.display())).map(|()| path)
        };
        write("repaired.c", &program.repaired)?;
        write("differences.txt", &(differences.join("\n") + "\n"))?;
        write("program.c", &program.defective).map(Some)
    }

    fn report(&self, shapes: &[DefectShape], tally: &SuiteTally) -> String {
        let mut out = String::from(
            "| kind | programs | right | wrong | seen by sanitizers | found by Byway | optimised away | missed | false | no test |\n\
             | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |\n",
        );
        let kinds = self.kinds.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        for (kind, it) in kinds.iter() {
            let wrong = tally.mismatches.iter().filter(|(name, ..)| is_of(name, kind)).count();
            out.push_str(&format!(
                "| {kind} | {} | {} | {wrong} | {} | {} | {} | {} | {} | {} |\n",
                it.programs,
                it.programs - wrong,
                it.seen,
                it.found,
                it.optimised_away,
                it.missed,
                it.false_reports,
                it.not_tests,
            ));
        }
        let sum = |part: fn(&KindCounts) -> usize| kinds.values().map(part).sum::<usize>();
        out.push_str(&format!(
            "\n{} programs of {} shapes: the sanitizers see {}, Byway finds {} of these, {} more without \
             optimisation only, and misses {}; {} have false reports.\n",
            sum(|it| it.programs),
            shapes.len(),
            sum(|it| it.seen),
            sum(|it| it.found),
            sum(|it| it.optimised_away),
            sum(|it| it.missed),
            sum(|it| it.false_reports),
        ));
        for (reason, names) in &tally.not_applicable {
            out.push_str(&format!("\n{reason}: {}\n", names.join(", ")));
        }
        out + &tally.differences()
    }
}

/// Whether this is the name of a program of a kind.
fn is_of(name: &str, kind: &str) -> bool {
    name.split_once(' ').is_some_and(|(_, rest)| rest.starts_with(&format!("{kind}:")))
}

/// The command that explores a program.
fn command(source: &Path, program: &DefectProgram) -> String {
    format!("byway run {} {}", check::options(program).join(" "), source.display())
}
