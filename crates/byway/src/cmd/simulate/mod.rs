//! `byway simulate`: strategies of concolic testing on small Markov chains, beside the optimum.

mod config;
mod explain;
mod flags;
mod plot;
mod results;
mod table;

use std::convert::Infallible;
use std::fs;

use byway_base::Rng;
use byway_progress::{JobEvent, JobProgress, run_jobs};
use byway_search::markov::simulate::{ChainComparison, ChainModel, compare, random_chain};

pub use config::SimulateConfig;
pub use flags::{EXAMPLES, SimulateFlags};

use crate::console::print;
use crate::exit;
use crate::failure::{Failure, Result};
use crate::interrupt;
use config::ChainSource;
use results::{SimulationResults, SizeResult};

/// Simulates, and prints what came out.
pub fn simulate(config: &SimulateConfig) -> Result<u8> {
    if let (ChainSource::File { file, .. }, true) = (&config.chains, config.explain) {
        print(&explain::explain(file, config.estimator, config.seed))?;
        return Ok(exit::SUCCESS);
    }
    let results = results(config)?;
    let text = match config.json {
        true => {
            let text = serde_json::to_string_pretty(&results)
                .map_err(|error| Failure::new(format!("cannot serialise the results: {error}")))?;
            format!("{text}\n")
        }
        false => table::render(&results),
    };
    if let Some(path) = &config.plot {
        fs::write(path, plot::render(&results))
            .map_err(|error| Failure::io("write", path, &error))?;
    }
    print(&text)?;
    Ok(exit::SUCCESS)
}

/// A chain, and the seed of the runs on it.
type ChainJob = (ChainModel, u64);

fn results(config: &SimulateConfig) -> Result<SimulationResults> {
    let jobs = chain_jobs(config)?;
    let comparisons = run(config, &jobs)?;
    let sizes = comparisons.chunk_by(|a, b| a.0 == b.0).map(|size| {
        let comparisons: Vec<&ChainComparison> = size.iter().map(|(_, result)| result).collect();
        SizeResult::new(size[0].0, &comparisons)
    });
    let sizes: Vec<SizeResult> = sizes.collect();
    let (name, chains) = match &config.chains {
        ChainSource::File { name, .. } => (Some(name.clone()), 1),
        ChainSource::Random { chains, .. } => (None, *chains),
    };
    if let (None, Some(size)) = (&name, sizes.iter().find(|size| size.mean_optimum.is_none())) {
        let states = size.states;
        return Err(Failure::new(format!(
            "the optimal policy of a chain with {states} states is too large to compute: there \
             are up to 2^{states} sets of covered states"
        ))
        .hint("choose fewer --states; up to 30 should do"));
    }
    Ok(SimulationResults { chain: name, chains, runs: config.runs, seed: config.seed, sizes })
}

/// The chains of each size, in order. A chain depends on the seed, its size and its number.
fn chain_jobs(config: &SimulateConfig) -> Result<Vec<ChainJob>> {
    let first = Rng::new(config.seed).next_u64();
    match &config.chains {
        ChainSource::File { file, .. } => Ok(vec![(file.chain.clone(), first)]),
        ChainSource::Random { states, chains } => {
            let mut sizes = states.clone();
            sizes.sort_unstable();
            sizes.dedup();
            let numbered = sizes.iter().flat_map(|&size| (0..*chains).map(move |n| (size, n)));
            let job = |(size, number): (usize, usize)| {
                let mut rng = Rng::new(first ^ ((size as u64) << 32 | number as u64));
                random_chain(size, &mut rng)
                    .map(|chain| (chain, rng.next_u64()))
                    .map_err(|error| Failure::new(error.to_string()))
            };
            numbered.map(job).collect()
        }
    }
}

/// The comparison of each chain, with its number of states.
fn run(config: &SimulateConfig, jobs: &[ChainJob]) -> Result<Vec<(usize, ChainComparison)>> {
    let mut found: Vec<Option<ChainComparison>> = vec![None; jobs.len()];
    let mut progress = JobProgress::new(config.progress, "simulating chains", jobs.len());
    let start = |()| {
        |index: usize| {
            let (chain, seed): &ChainJob = &jobs[index];
            let result =
                compare(chain, config.runs, config.estimator, *seed, &interrupt::requested);
            Ok::<_, Infallible>(result)
        }
    };
    let workers = vec![(); config.jobs];
    let Ok(()) = run_jobs(workers, jobs.len(), &interrupt::requested, start, |event| {
        if let JobEvent::Finished(index, result) = event {
            found[index] = result;
            progress.finished(String::new);
        }
    });
    drop(progress);
    let results = jobs.iter().zip(found);
    let results = results.map(|((chain, _), result)| Some((chain.states().len(), result?)));
    results.collect::<Option<Vec<_>>>().ok_or_else(|| Failure::interrupted_while("simulating"))
}
