//! `byway mutate`: how good are the tests of a run? The program is changed a little, in
//! many ways, one at a time; a good test does not end alike on both.
//!
//! ```text
//! sources ──[`points`]──▶ mutants ──[`make`]──▶ objects ──▶ not compiled | equivalent | duplicate
//! tests ──[`baseline`]──▶ what the program does ─┐
//!       ──[`reach`]─────▶ what each comes by ────┴─[`judge`]─▶ fates ──▶ [`table`], [`record`]
//! ```
//!
//! Mutants are compared with the program built in the same way, not with what the engine
//! predicted. They run in sandboxes, since a program that was changed may do anything.

mod baseline;
mod config;
mod flags;
mod judge;
mod make;
mod points;
mod pool;
mod reach;
mod record;
mod sandbox_pool;
mod score;
mod table;
mod texts;

use std::fs;
use std::path::PathBuf;

use byway_native::Executable;
use byway_rundir::RunReader;
use byway_testcase::atomic;

use crate::exit;
use crate::failure::{Failure, Result};
use crate::interrupt;
use crate::load;
use crate::native_run::{self, RunTest};
use crate::report::print;
use crate::report::{self, Style};
use baseline::Baseline;
pub use config::MutateConfig;
pub use flags::{EXAMPLES, MutateFlags};
use judge::MutantJudge;
use make::{CommandBuilder, ProgramBuilder, SourceBuilder};
use points::MutationFinder;
use pool::MutantPool;
use reach::TestReach;
use sandbox_pool::SandboxPool;

/// `byway mutate`: prints a table and writes what became of each mutant.
pub fn mutate(config: &MutateConfig) -> Result<u8> {
    let style = Style::new(config.color);
    let run = RunReader::open(&config.run)?;
    let (tests, left_out) = tests(config, &run)?;
    let path = config.run.join(record::NAME);
    atomic::check(&path).map_err(|error| Failure::io("write", &path, &error))?;
    let scratch = native_run::scratch_dir()?;
    let directory = |name: &str| -> Result<PathBuf> {
        let dir = scratch.path().join(name);
        fs::create_dir(&dir).map_err(|error| Failure::io("make", &dir, &error))?;
        Ok(dir)
    };
    let clang = config.clang.clone();
    let clang = clang.unwrap_or_else(|| native_run::text(&run.manifest().program.compiler.clang));
    let recipe;
    let own = directory("own")?;
    let maker: Box<dyn ProgramBuilder> = match &config.templates {
        Some(templates) => {
            Box::new(CommandBuilder::prepare(templates, clang.clone(), config.compile_limit, &own)?)
        }
        None => {
            recipe =
                native_run::build_spec(run.manifest(), Some(clang.clone()), config.compile_limit)?;
            Box::new(SourceBuilder::prepare(&recipe, &own)?)
        }
    };
    let program = own.join("program");
    maker.link(maker.objects(), &program)?.or_fail()?;
    let llvm = load::reader(&config.install)?;
    let reader =
        MutationFinder { llvm: &llvm, clang: &clang, time_limit: config.compile_limit, dir: &own };
    let found = reader.find(maker.as_ref(), &config.wanted)?;
    // Now that the sources have been read, so that none changes unseen in between.
    for warning in native_run::changed_files(run.manifest()) {
        report::say(&format!("{}: {warning}", style.warning("byway: warning")));
    }
    if found.mutants.is_empty() {
        return Err(Failure::new("there is nothing to change")
            .hint("--files, --functions and --operators say what may be changed"));
    }
    let pool = MutantPool { threads: config.jobs, progress: config.progress };
    let shown = native_run::visible_paths(run.manifest());
    let places = SandboxPool::new(&shown, config.sandboxed);
    let baseline = Baseline::measure(
        &run,
        &tests,
        &native_run::environment(run.manifest()),
        &places,
        &Executable::prebuilt(program),
        (config.time_limit, config.mutants_limit),
        pool,
    )?;
    let dir = directory("counting")?;
    let reach = TestReach::measure(config, &run, maker.as_ref(), &tests, &baseline, &dir)?;
    let judge = MutantJudge {
        maker: maker.as_ref(),
        mutants: &found.mutants,
        texts: &found.texts,
        baseline: &baseline,
        reach: &reach,
        shown: &shown,
        sandboxed: config.sandboxed,
        dir: &directory("mutants")?,
        pool,
    };
    let fates = judge.all()?;
    if config.json {
        let tests = (baseline.tests.len(), left_out);
        let sum = record::summary(&config.run, tests, found.available, &found.mutants, &fates);
        print(&format!("{sum:#}\n"))?;
    } else {
        let contained = places.containment();
        let facts = table::TableInfo {
            run: &config.run,
            compiled: &maker.describe(),
            contained: &contained,
            reach: &reach.how,
            tests: baseline.tests.len() as u64,
            left_out,
            useless: &baseline.useless,
            unsteady: baseline.unsteady.len() as u64,
            available: found.available,
            in_macros: found.in_macros,
            texts: &found.texts,
            show: config.show,
        };
        print(&table::render(&found.mutants, &fates, &facts, style))?;
    }
    let there = record::keep(&path, &found.mutants, &fates, &found.texts)?;
    let shown = path.display();
    match there {
        Some(more) => report::say(&format!(
            "byway: '{shown}' stays as it was: it tells of {more} mutants that were judged"
        )),
        None if config.json => {}
        None => print(&format!("\n{} {shown}\n", style.note("each mutant")))?,
    }
    Ok(if interrupt::requested() { exit::INTERRUPTED } else { exit::SUCCESS })
}

/// The tests that judge, and how many do not because their paths had not ended.
fn tests(config: &MutateConfig, run: &RunReader) -> Result<(Vec<RunTest>, u64)> {
    let mut tests = native_run::select_tests(run, config.tests.as_deref())?;
    let all = tests.len();
    if all == 0 {
        return Err(Failure::new(format!("'{}' has no tests", config.run.display()))
            .hint("a run with --no-tests writes none, and mutants are judged by tests"));
    }
    if !config.partial_tests {
        tests.retain(RunTest::has_ended);
    }
    match tests.len() {
        0 => Err(Failure::new("no test is of a path that had ended")
            .hint("--partial-tests keep counts them all")),
        left => Ok((tests, (all - left) as u64)),
    }
}
