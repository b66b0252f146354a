//! `coreutils cover`: how much of each tool the tests reach natively, beside KLEE.
//!
//! ```text
//! [`plan`] ──trials──▶ [`trial`]: byway run, replay, cover ──[`measured`]──▶ [`store`]
//!                                             results + [`klee`] ──▶ [`table`]
//! ```

mod klee;
mod measure;
pub mod plan;
mod result;
mod store;
mod table;

use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::{INPUT, Tools};
use crate::setup::BenchSetup;
use crate::{pool, record};
use measure::CoverBench;
use plan::{CoverPlan, CoverRun};
use store::CoverStore;
use table::MeasuredRun;

/// The tools that KLEE was tried on.
pub fn usual_tools() -> Vec<&'static str> {
    klee::KLEE.iter().map(|klee| klee.tool).collect()
}

/// How trials are done.
pub struct CoverSettings {
    /// What is measured.
    pub plan: CoverPlan,
    /// Where results are kept; in the cache if `None`.
    pub results: Option<PathBuf>,
    /// Where run directories are, if they are.
    pub keep: Option<PathBuf>,
    /// How many at a time.
    pub jobs: usize,
}

/// Measures what is not known yet; whether the engine got through all of it and no test diverged.
pub fn run(
    setup: &BenchSetup,
    tools: &Tools,
    settings: CoverSettings,
    record: bool,
) -> Result<bool, String> {
    let CoverSettings { plan, results, keep, jobs } = settings;
    let results = match results {
        Some(results) => results,
        None => setup.cache()?.join("coreutils-cover"),
    };
    let byway = setup.byway();
    let store = CoverStore::open(results, Path::new(byway.get_program()), tools.folder(), INPUT)?;
    let trials = plan.trials();
    tell_known(&store, &trials);
    let bench = CoverBench { setup, tools, keep };
    let done = measure_all(&bench, &store, &trials, jobs);
    let report = format!("{}\n{}", head(&plan, &store), table::report(&plan, &done));
    println!("{report}");
    if record {
        record::write("coreutils-cover", "Coreutils: coverage beside KLEE", &report)?;
    }
    let sound = |(_, measured): &MeasuredRun| {
        measured.as_ref().is_ok_and(|measured| measured.replayed.diverged.is_empty())
    };
    Ok(done.iter().all(sound))
}

fn tell_known(store: &CoverStore, trials: &[CoverRun]) {
    let known = trials.iter().filter(|trial| store.get(trial).is_some()).count();
    let folder = store.folder().display();
    eprintln!("coreutils: {known} of {} runs are known already, from {folder}", trials.len());
    let strangers = store.strangers();
    if strangers > 0 {
        let build = store.build();
        eprintln!(
            "coreutils: {strangers} more there are of another byway or other tools than {build}"
        );
    }
}

/// Each as soon as it is done is kept: an interrupt loses only what is under way.
fn measure_all(
    bench: &CoverBench,
    store: &CoverStore,
    trials: &[CoverRun],
    jobs: usize,
) -> Vec<MeasuredRun> {
    let (count, out) = (AtomicUsize::new(0), Mutex::new(()));
    pool::map(trials, jobs, |trial| {
        let (measured, how) = match store.get(trial) {
            Some(measured) => (Ok(measured), " (known)"),
            None => {
                let measured = bench.measure(trial);
                let kept = measured.and_then(|it| store.put(trial, &it).map(|()| it));
                (kept, "")
            }
        };
        let number = count.fetch_add(1, Ordering::Relaxed) + 1;
        let _whole_lines = out.lock();
        let line = table::progress(trial, &measured);
        eprintln!("coreutils: {number}/{} {line}{how}", trials.len());
        (trial.clone(), measured)
    })
}

fn head(plan: &CoverPlan, store: &CoverStore) -> String {
    let seeds: Vec<String> = plan.seeds.iter().map(u64::to_string).collect();
    let budget = plan.budget.option().join(" ");
    format!(
        "Each tool under `byway run --only-covering-new {budget} {INPUT}`, the median of seeds {}; \
         byway and tools {}.\n\
         Lines and branch sides (taken at least once) are gcov's, of the tool's own source, in percent. \
         KLEE (60 s of the processor): A by default, B by its recipe for Coreutils, lines / branches.\n",
        seeds.join(", "),
        store.build(),
    )
}
