//! `byway mutate`: mutation analysis of the tests of a run. Each mutant is the program with one
//! small change; a good test behaves differently on it.
//!
//! ```text
//! sources ──[`points`]──▶ mutants ──[`make`]──▶ objects ──▶ not compiled | equivalent | duplicate
//! tests ──[`baseline`]──▶ behaviour of the program ─┐
//!       ──[`reach`]─────▶ code that each reaches ───┴─[`judge`]─▶ fates ──▶ [`table`], [`record`]
//! ```
//!
//! Mutants are compared with the program built in the same way, not with the outcomes that the
//! engine recorded. They run in sandboxes, since a mutated program may do anything.

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

use crate::console::{Style, print, say};
use crate::exit;
use crate::failure::{Failure, Result};
use crate::interrupt;
use crate::load;
use crate::native_run::{self, RunTest};
use baseline::Baseline;
pub use config::MutateConfig;
pub use flags::{EXAMPLES, MutateFlags};
use judge::MutantJudge;
use make::{CommandBuilder, ProgramBuilder, SourceBuilder};
use points::MutationFinder;
use pool::MutantPool;
use reach::TestReach;
use sandbox_pool::SandboxPool;

/// `byway mutate`: prints a table and writes the fate of each mutant.
pub fn mutate(config: &MutateConfig) -> Result<u8> {
    let style = Style::new(config.color);
    let run = RunReader::open(&config.run)?;
    native_run::require_main(run.manifest(), "mutate")?;
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
    let spec;
    let own = directory("own")?;
    let builder: Box<dyn ProgramBuilder> = match &config.commands {
        Some(commands) => {
            Box::new(CommandBuilder::prepare(commands, clang.clone(), config.compile_limit, &own)?)
        }
        None => {
            spec =
                native_run::build_spec(run.manifest(), Some(clang.clone()), config.compile_limit)?;
            Box::new(SourceBuilder::prepare(&spec, &own)?)
        }
    };
    let program = own.join("program");
    builder.link(builder.objects(), &program)?.or_fail()?;
    let llvm = load::reader(&config.install)?;
    let reader =
        MutationFinder { llvm: &llvm, clang: &clang, time_limit: config.compile_limit, dir: &own };
    let found = reader.find(builder.as_ref(), &config.selection)?;
    // Checked after the sources were read, so that no change is missed.
    for warning in native_run::changed_files(run.manifest()) {
        say(&format!("{}: {warning}", style.warning("byway: warning")));
    }
    if found.mutants.is_empty() {
        return Err(Failure::new("nothing to mutate")
            .hint("--files, --functions and --operators restrict the mutations"));
    }
    let pool = MutantPool { threads: config.jobs, progress: config.progress };
    let visible = native_run::visible_paths(run.manifest());
    let sandboxes = SandboxPool::new(&visible, config.sandboxed);
    let baseline = Baseline::measure(
        &run,
        &tests,
        &native_run::environment(run.manifest()),
        &sandboxes,
        &Executable::prebuilt(program),
        (config.time_limit, config.mutants_limit),
        pool,
    )?;
    let dir = directory("counting")?;
    let reach = TestReach::measure(config, &run, builder.as_ref(), &tests, &baseline, &dir)?;
    let judge = MutantJudge {
        builder: builder.as_ref(),
        mutants: &found.mutants,
        texts: &found.texts,
        baseline: &baseline,
        reach: &reach,
        visible: &visible,
        sandboxed: config.sandboxed,
        dir: &directory("mutants")?,
        pool,
    };
    let fates = judge.judge_all()?;
    if config.json {
        let tests = (baseline.tests.len(), left_out);
        let sum = record::summary(&config.run, tests, found.available, &found.mutants, &fates);
        print(&format!("{sum:#}\n"))?;
    } else {
        let contained = sandboxes.containment();
        let facts = table::TableInfo {
            run: &config.run,
            compiled: &builder.describe(),
            contained: &contained,
            reach: &reach.how,
            tests: baseline.tests.len() as u64,
            left_out,
            unusable: &baseline.unusable,
            unstable: baseline.unstable.len() as u64,
            available: found.available,
            in_macros: found.in_macros,
            texts: &found.texts,
            show: config.show,
        };
        print(&table::render(&found.mutants, &fates, &facts, style))?;
    }
    let there = record::write(&path, &found.mutants, &fates, &found.texts)?;
    let shown = path.display();
    match there {
        Some(more) => {
            say(&format!("byway: '{shown}' kept: it already records {more} judged mutants"))
        }
        None if config.json => {}
        None => print(&format!("\n{} {shown}\n", style.note("each mutant")))?,
    }
    Ok(if interrupt::requested() { exit::INTERRUPTED } else { exit::SUCCESS })
}

/// The tests to use, and the number of tests of unfinished paths that are excluded.
fn tests(config: &MutateConfig, run: &RunReader) -> Result<(Vec<RunTest>, u64)> {
    let mut tests = native_run::select_tests(run, config.tests.as_deref())?;
    let all = tests.len();
    if all == 0 {
        return Err(Failure::new(format!("'{}' has no tests", config.run.display()))
            .hint("a run with --no-tests writes none, but mutation needs them"));
    }
    if !config.partial_tests {
        tests.retain(RunTest::has_ended);
    }
    match tests.len() {
        0 => Err(Failure::new("all tests are of unfinished paths")
            .hint("--partial-tests keep uses them")),
        left => Ok((tests, (all - left) as u64)),
    }
}
