//! `coreutils cover`: how much of each tool the tests cover natively, compared with KLEE.
//!
//! ```text
//! [`plan`] ──runs──▶ [`measure`]: byway run, replay, cover ──[`result`]──▶ [`store`]
//!                                             results + [`klee`] ──▶ [`table`]
//! ```

mod klee;
mod measure;
mod plan;
mod result;
mod store;
mod table;

use std::path::Path;

use super::{INPUT, Tools};
use crate::parallel::map_reporting;
use crate::record;
use crate::setup::BenchSetup;
use measure::CoverBench;
pub use plan::CoreutilsCoverOptions;
use plan::{CoverPlan, CoverRun};
use store::CoverStore;
use table::MeasuredRun;

/// The tools that KLEE was tried on.
pub fn usual_tools() -> Vec<String> {
    klee::KLEE.iter().map(|klee| klee.tool.to_owned()).collect()
}

/// Measures all runs without a stored result; returns whether the engine completed every run
/// and no test diverged.
pub fn run(
    setup: &BenchSetup,
    tools: &Tools,
    names: Vec<String>,
    options: CoreutilsCoverOptions,
) -> Result<bool, String> {
    let CoreutilsCoverOptions { results, keep, jobs, record, .. } = &options;
    let plan = CoverPlan::new(&options, names);
    let results = results.clone();
    let results = match results {
        Some(results) => results,
        None => setup.cache()?.join("coreutils-cover"),
    };
    let byway = setup.byway();
    let store = CoverStore::open(results, Path::new(byway.get_program()), tools.folder(), INPUT)?;
    let runs = plan.runs();
    report_known(&store, &runs);
    let bench = CoverBench { setup, tools, keep: keep.clone() };
    let done = measure_all(&bench, &store, &runs, (*jobs).min(2));
    let report = format!("{}\n{}", head(&plan, &store), table::report(&plan, &done));
    println!("{report}");
    if *record {
        record::write("coreutils-cover", "Coreutils: coverage beside KLEE", &report)?;
    }
    let sound = |(_, measured): &MeasuredRun| {
        measured.as_ref().is_ok_and(|measured| measured.replayed.diverged.is_empty())
    };
    Ok(done.iter().all(sound))
}

fn report_known(store: &CoverStore, runs: &[CoverRun]) {
    let known = runs.iter().filter(|run| store.get(run).is_some()).count();
    let folder = store.folder().display();
    eprintln!("coreutils: {known} of {} runs have a result already, in {folder}", runs.len());
    let strangers = store.strangers();
    if strangers > 0 {
        let build = store.build();
        eprintln!(
            "coreutils: {strangers} more results there are of another byway or other tools than {build}"
        );
    }
}

/// Stores each result at once: an interrupt loses only the runs under way.
fn measure_all(
    bench: &CoverBench,
    store: &CoverStore,
    runs: &[CoverRun],
    jobs: usize,
) -> Vec<MeasuredRun> {
    let measure = |run: &CoverRun| match store.get(run) {
        Some(result) => ((run.clone(), Ok(result)), " (known)"),
        None => {
            let result = bench.measure(run);
            let stored = result.and_then(|it| store.put(run, &it).map(|()| it));
            ((run.clone(), stored), "")
        }
    };
    let line = |((run, result), known): &(MeasuredRun, &str)| table::progress(run, result) + known;
    map_reporting("coreutils", runs, jobs, measure, line).into_iter().map(|(run, _)| run).collect()
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
