//! The results over all chains, as `--json` prints them.

use byway_search::markov::simulate::{ChainComparison, ComparedStrategy};
use serde::Serialize;

/// What `byway simulate --json` prints.
#[derive(Serialize)]
pub struct SimulationResults {
    /// The file of the chain; `None` for random chains.
    pub chain: Option<String>,
    /// The number of chains of each size.
    pub chains: usize,
    /// Runs of each strategy on each chain.
    pub runs: u64,
    pub seed: u64,
    pub sizes: Vec<SizeResult>,
}

/// The chains of one size.
#[derive(Serialize)]
pub struct SizeResult {
    /// States of each chain.
    pub states: usize,
    /// The mean over the chains of the expected cost of the optimal policy; `None` if it is
    /// unknown for a chain.
    pub mean_optimum: Option<f64>,
    pub strategies: Vec<StrategyResult>,
}

/// A strategy on the chains of one size.
#[derive(Serialize)]
pub struct StrategyResult {
    pub name: &'static str,
    /// The mean over the chains of the mean cost of a run.
    pub mean_cost: f64,
    /// `mean_cost` as a multiple of the mean optimum.
    pub ratio: Option<f64>,
    /// The mean over the chains of the multiple of the chain's own optimum.
    pub mean_ratio: Option<f64>,
    /// Runs that reached the limit of tests.
    pub unfinished: u64,
}

impl SizeResult {
    /// Summarises the chains with this number of states.
    pub fn new(states: usize, chains: &[&ChainComparison]) -> SizeResult {
        let optima: Option<Vec<f64>> = chains.iter().map(|chain| chain.optimum).collect();
        let mean_optimum = optima.as_ref().map(|optima| mean(optima.iter().copied()));
        let strategy = |(at, strategy): (usize, &ComparedStrategy)| {
            let mean_cost = mean(chains.iter().map(|chain| chain.costs[at].mean));
            let ratios = |optima: &Vec<f64>| {
                mean(chains.iter().zip(optima).map(|(chain, own)| chain.costs[at].mean / own))
            };
            StrategyResult {
                name: strategy.name(),
                mean_cost,
                ratio: mean_optimum.map(|optimum| mean_cost / optimum),
                mean_ratio: optima.as_ref().map(ratios),
                unfinished: chains.iter().map(|chain| chain.costs[at].unfinished).sum(),
            }
        };
        let strategies = ComparedStrategy::ALL.iter().enumerate().map(strategy).collect();
        SizeResult { states, mean_optimum, strategies }
    }
}

fn mean(values: impl ExactSizeIterator<Item = f64>) -> f64 {
    let count = values.len() as f64;
    values.sum::<f64>() / count
}
