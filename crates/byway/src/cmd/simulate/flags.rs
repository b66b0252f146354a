//! Options and help of `byway simulate`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

pub const EXAMPLES: &str = "\
Examples:
  byway simulate
      Table 1 of 'Towards Optimal Concolic Testing': 50 chains of each size, 1,000 runs of each
      strategy on each chain.
  byway simulate --states 8,12 --chains 10 --runs 100 --plot costs.svg
      Smaller, with a plot.
  byway simulate --chain figure1.chain
      The same strategies on a chain of your own; docs/simulate.md describes the format.
  byway simulate --chain figure1.chain --explain
      A run of the greedy strategy, step by step: the expected rewards, and why it tests at
      random or solves a path. Also the optimal policy's first actions.

Exit codes:
  0    simulated
  2    bad options, or a bad chain
  130  stopped by Ctrl-C";

#[derive(Args, Debug)]
pub struct SimulateFlags {
    /// The numbers of states of random chains
    #[arg(long, value_name = "N,...", value_delimiter = ',', default_value = "5,10,15,20",
          value_parser = clap::value_parser!(u8).range(1..=64), conflicts_with = "chain")]
    pub states: Vec<u8>,

    /// Random chains of each size
    #[arg(long, value_name = "N", default_value_t = 50,
          value_parser = clap::value_parser!(u32).range(1..), conflicts_with = "chain")]
    pub chains: u32,

    /// Runs of each strategy on each chain
    #[arg(long, value_name = "N", default_value_t = 1000,
          value_parser = clap::value_parser!(u64).range(1..))]
    pub runs: u64,

    /// The seed of all random numbers: the same seed gives the same result
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,

    /// Use the chain in this file instead of random ones
    #[arg(long, value_name = "FILE")]
    pub chain: Option<PathBuf>,

    /// Explain each decision of one run of the greedy strategy
    #[arg(long, requires = "chain", conflicts_with_all = ["json", "plot", "runs", "jobs"])]
    pub explain: bool,

    /// How the greedy strategy estimates probabilities: laplace or good-turing
    #[arg(long, value_name = "HOW", value_enum, default_value_t = EstimatorFlag::Laplace,
          hide_possible_values = true)]
    pub estimator: EstimatorFlag,

    /// Print JSON
    #[arg(long)]
    pub json: bool,

    /// Draw the costs by number of states into this file, as SVG
    #[arg(long, value_name = "FILE", conflicts_with = "chain")]
    pub plot: Option<PathBuf>,

    /// Simulate this many chains at once (default: one on each processor)
    #[arg(long, short, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    pub jobs: Option<u16>,
}

#[derive(Copy, Clone, PartialEq, Eq, Debug, ValueEnum)]
pub enum EstimatorFlag {
    Laplace,
    GoodTuring,
}
