//! Many runs of every strategy on a chain.

use byway_base::Rng;

use super::super::Estimator;
use super::chain::ChainModel;
use super::novelty::Novelty;
use super::optimal::OptimalPolicy;
use super::strategy::ChainStrategy;
use super::strategy::cgs::ContextOrder;
use super::strategy::concolic::Concolic;
use super::strategy::dart::LastBranchOrder;
use super::strategy::dfs::DepthFirstOrder;
use super::strategy::forward::Forward;
use super::strategy::generational::GenerationOrder;
use super::strategy::greedy::GreedyStrategy;
use super::strategy::random_cover_new::CoverNewOrder;
use super::strategy::random_path::RandomPathOrder;
use super::strategy::random_state::RandomStateOrder;
use super::strategy::random_testing::RandomTestJumps;
use super::strategy::sgs::SubpathOrder;
use super::testing_run::TestingRun;

/// A strategy of the comparison, in the order of the paper's table.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum ComparedStrategy {
    /// Random tests only.
    RandomTesting,
    /// KLEE's search for uncovered code.
    RandomCoverNew,
    /// KLEE's uniform search.
    RandomState,
    /// KLEE's walk from the root.
    RandomPath,
    /// KLEE's depth-first search.
    DepthFirst,
    /// Directed automated random testing.
    Dart,
    /// SAGE's generational search.
    Generational,
    /// Context guided search.
    ContextGuided,
    /// Subpath guided search.
    SubpathGuided,
    /// The greedy choice.
    Greedy,
}

impl ComparedStrategy {
    /// All, in the order of the paper's table.
    pub const ALL: [ComparedStrategy; 10] = [
        ComparedStrategy::RandomTesting,
        ComparedStrategy::RandomCoverNew,
        ComparedStrategy::RandomState,
        ComparedStrategy::RandomPath,
        ComparedStrategy::DepthFirst,
        ComparedStrategy::Dart,
        ComparedStrategy::Generational,
        ComparedStrategy::ContextGuided,
        ComparedStrategy::SubpathGuided,
        ComparedStrategy::Greedy,
    ];

    /// The name that `byway run --search` has for its counterpart.
    pub fn name(self) -> &'static str {
        match self {
            ComparedStrategy::RandomTesting => "random-testing",
            ComparedStrategy::RandomCoverNew => "nurs:covnew",
            ComparedStrategy::RandomState => "random-state",
            ComparedStrategy::RandomPath => "random-path",
            ComparedStrategy::DepthFirst => "dfs",
            ComparedStrategy::Dart => "dart",
            ComparedStrategy::Generational => "generational",
            ComparedStrategy::ContextGuided => "cgs",
            ComparedStrategy::SubpathGuided => "sgs",
            ComparedStrategy::Greedy => "greedy",
        }
    }
}

/// The costs of a strategy's runs on a chain.
#[derive(Copy, Clone, PartialEq, Debug, Default)]
pub struct StrategyCosts {
    /// The mean cost of a run.
    pub mean: f64,
    /// Runs that reached the limit of tests before they covered everything.
    pub unfinished: u64,
}

/// The strategies on one chain.
#[derive(Clone, PartialEq, Debug)]
pub struct ChainComparison {
    /// The expected cost of the optimal policy; `None` if it has too many covered sets.
    pub optimum: Option<f64>,
    /// In the order of [`ComparedStrategy::ALL`].
    pub costs: Vec<StrategyCosts>,
}

/// Runs every strategy `runs` times on a chain; the estimator is that of the greedy one. `None`
/// if `stop` asked for an end.
pub fn compare(
    chain: &ChainModel,
    runs: u64,
    estimator: Estimator,
    seed: u64,
    stop: &dyn Fn() -> bool,
) -> Option<ChainComparison> {
    let mut seeds = Rng::new(seed);
    let mut novelty = Novelty::new(chain);
    let optimum = OptimalPolicy::new(chain).ok().map(|policy| policy.cost());
    let mut costs = Vec::new();
    for strategy in ComparedStrategy::ALL {
        let mut rng = seeds.split();
        let mut sum = StrategyCosts::default();
        for _ in 0..runs {
            if stop() {
                return None;
            }
            let mut run = TestingRun::new(chain, rng.split());
            finish(strategy, estimator, &mut run, &mut novelty);
            sum.mean += run.cost();
            sum.unfinished += u64::from(!run.is_complete());
        }
        sum.mean /= runs.max(1) as f64;
        costs.push(sum);
    }
    Some(ChainComparison { optimum, costs })
}

/// Runs a strategy to its end.
fn finish<'a>(
    strategy: ComparedStrategy,
    estimator: Estimator,
    run: &mut TestingRun<'a>,
    novelty: &mut Novelty<'a>,
) {
    match strategy {
        ComparedStrategy::RandomTesting => repeat(RandomTestJumps { novelty }, run),
        ComparedStrategy::RandomCoverNew => {
            repeat(Forward::new(run, CoverNewOrder::default()), run)
        }
        ComparedStrategy::RandomState => {
            repeat(Forward::new(run, RandomStateOrder::default()), run)
        }
        ComparedStrategy::RandomPath => repeat(Forward::new(run, RandomPathOrder::default()), run),
        ComparedStrategy::DepthFirst => repeat(Forward::new(run, DepthFirstOrder::default()), run),
        ComparedStrategy::Dart => repeat(Concolic::new(run, LastBranchOrder::default()), run),
        ComparedStrategy::Generational => {
            repeat(Concolic::new(run, GenerationOrder::default()), run)
        }
        ComparedStrategy::ContextGuided => repeat(Concolic::new(run, ContextOrder::default()), run),
        ComparedStrategy::SubpathGuided => {
            // A fifth of the states, as in the paper.
            let length = (run.chain().states().len() / 5).max(1);
            repeat(Forward::new(run, SubpathOrder::new(length)), run);
        }
        ComparedStrategy::Greedy => repeat(GreedyStrategy::new(run.chain(), estimator), run),
    }
}

fn repeat(mut strategy: impl ChainStrategy, run: &mut TestingRun<'_>) {
    while !run.is_over() {
        strategy.step(run);
    }
}
