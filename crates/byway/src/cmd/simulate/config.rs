//! The resolved configuration of `byway simulate`.

use std::fs;
use std::path::{Path, PathBuf};
use std::thread;

use byway_progress::ProgressMode;
use byway_search::markov::Estimator;
use byway_search::markov::simulate::chain_file::{self, ChainFile};

use super::flags::{EstimatorFlag, SimulateFlags};
use crate::failure::{Failure, Result};

/// The configuration of `byway simulate`.
pub struct SimulateConfig {
    pub chains: ChainSource,
    /// Runs of each strategy on each chain.
    pub runs: u64,
    pub seed: u64,
    pub estimator: Estimator,
    /// Explain one run of the greedy strategy instead.
    pub explain: bool,
    pub json: bool,
    /// The file of the plot.
    pub plot: Option<PathBuf>,
    /// Chains that are simulated at once.
    pub jobs: usize,
    pub progress: ProgressMode,
}

/// Where the chains come from.
pub enum ChainSource {
    /// Random ones of each of these numbers of states.
    Random { states: Vec<usize>, chains: usize },
    /// A file.
    File { name: String, file: ChainFile },
}

impl SimulateConfig {
    /// Resolves the options; reads the chain.
    pub fn resolve(flags: SimulateFlags) -> Result<Self> {
        let chains = match &flags.chain {
            Some(path) => {
                ChainSource::File { name: path.display().to_string(), file: read_chain(path)? }
            }
            None => ChainSource::Random {
                states: flags.states.into_iter().map(usize::from).collect(),
                chains: flags.chains as usize,
            },
        };
        let processors = thread::available_parallelism().map_or(1, |count| count.get());
        Ok(SimulateConfig {
            chains,
            runs: flags.runs,
            seed: flags.seed,
            estimator: match flags.estimator {
                EstimatorFlag::Laplace => Estimator::Laplace,
                EstimatorFlag::GoodTuring => Estimator::GoodTuring,
            },
            explain: flags.explain,
            json: flags.json,
            plot: flags.plot,
            jobs: flags.jobs.map_or(processors, usize::from),
            progress: ProgressMode::for_stderr(),
        })
    }
}

fn read_chain(path: &Path) -> Result<ChainFile> {
    let bytes = fs::read(path).map_err(|error| Failure::io("read", path, &error))?;
    let text = String::from_utf8(bytes)
        .map_err(|_| Failure::new(format!("'{}' is not UTF-8 text", path.display())))?;
    chain_file::parse(&text).map_err(|error| {
        let place = match error.line {
            0 => path.display().to_string(),
            line => format!("{}:{line}", path.display()),
        };
        Failure::new(format!("{place}: {}", error.message))
            .hint("docs/simulate.md describes the format, with an example")
    })
}
