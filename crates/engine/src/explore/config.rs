//! The configuration of an exploration: plain data, resolved by the command line.

use std::sync::Arc;
use std::time::Duration;

use byway_base::Work;
use byway_search::Knowledge;

use super::{PathConditionLanguages, Reduction, ResumePoint, ShareLimits, Target};
use crate::{ChangedCode, Config, Invocation, Seed};

/// When the feasibility of a fork's other successors is decided.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub enum Feasibility {
    /// At the fork: every live state is feasible.
    #[default]
    Eager,
    /// When a searcher picks the state: live states may turn out to be infeasible.
    Lazy,
}

/// The paths that get a test. Only for them is the input adapted to the program's preferences.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub enum TestSelection {
    /// Every path.
    #[default]
    All,
    /// Paths that reach a site that no test covers, and faults.
    CoveringNew,
    /// Faults only.
    Faults,
}

/// The decided states that give a test though their path did not end: those dropped, and those
/// alive when the exploration stops. The others are counted in [`super::Losses::untested`].
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub enum UnfinishedTests {
    /// States that reach a site that no test covers; at the stop the best first, each covering
    /// sites that none before it does, and only for a short time if time is limited.
    #[default]
    CoveringNew,
    /// Every state.
    All,
    /// No state. Coverage then counts paths that ended only.
    None,
}

/// Limits of an exploration; `None` is unlimited.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub struct Limits {
    /// Work of the whole exploration.
    pub work: Option<Work>,
    /// Instructions of the whole exploration; each worker executes its share.
    pub instructions: Option<u64>,
    /// Forks of the whole exploration, shared likewise. Beyond, a state follows one case.
    pub forks: Option<u64>,
    /// Shares of single instructions; each worker counts its own.
    pub shares: ShareLimits,
    /// Ends the exploration when the seeds have been followed.
    pub seeds_only: bool,
    /// Wall-clock time for following seeds before all else; then they take turns with other states.
    pub seed_time: Option<Duration>,
    /// Wall-clock time of the whole exploration.
    pub time: Option<Duration>,
    /// Processor time of the whole process, from `processor_time_from` on.
    pub processor_time: Option<Duration>,
    /// The processor time that the process had taken when counting began; zero counts it all.
    pub processor_time_from: Duration,
    /// States alive at once.
    pub states: Option<usize>,
    /// Forks on a path.
    pub depth: Option<u32>,
    /// Accounted bytes of states, terms and the solver; also the resident bytes of the
    /// process, if the observer reports them.
    pub memory: Option<u64>,
    /// Steps of the solver's backend for one query; by default they depend on its size.
    pub solver_effort: Option<u64>,
    /// Wall-clock time for one query.
    pub solver_time: Option<Duration>,
}

impl Limits {
    /// The limits of one of so many workers, where they do not act together.
    pub(super) fn share_of(self, workers: u64) -> Limits {
        let share = |limit: u64| limit.div_ceil(workers.max(1));
        Limits { instructions: self.instructions.map(share), forks: self.forks.map(share), ..self }
    }

    /// Whether a clock ends the exploration, however long a single query takes.
    pub fn has_time_limit(&self) -> bool {
        self.time.is_some() || self.processor_time.is_some()
    }
}

/// What strategies have learnt about a program in an earlier exploration.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EarlierKnowledge {
    /// The worker whose strategies it is for, by its number; `None`: those of all.
    pub worker: Option<usize>,
    /// What they have learnt.
    pub knowledge: Arc<Knowledge>,
}

/// How to explore a program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ExploreConfig {
    /// How paths run.
    pub engine: Config,
    /// The arguments and environment of the program.
    pub invocation: Invocation,
    /// When forks are decided.
    pub feasibility: Feasibility,
    /// Which paths get a test.
    pub tests: TestSelection,
    /// Which states give a test if their path does not end.
    pub unfinished_tests: UnfinishedTests,
    /// Which path conditions are reported with tests.
    pub path_conditions: PathConditionLanguages,
    /// Where to stop.
    pub limits: Limits,
    /// Inputs to follow first, in this order.
    pub seeds: Vec<Arc<Seed>>,
    /// Points to reach. If there are any, states that can reach none that is open are dropped,
    /// and the exploration ends when a test reaches each.
    pub targets: Vec<Target>,
    /// Which paths are skipped. Only one worker can do it.
    pub reduction: Option<Reduction>,
    /// The change under test: a reduction explores only what it can affect.
    pub changed: Option<Arc<ChangedCode>>,
    /// The seed of every random choice.
    pub seed: u64,
    /// The processor time between two checkpoints; `None`: there are none.
    pub checkpoint_interval: Option<Duration>,
    /// Where an earlier exploration of the same program ended. `None`: this is the first.
    pub resume: Option<Arc<ResumePoint>>,
    /// What strategies have learnt about the program before.
    pub knowledge: Vec<EarlierKnowledge>,
    /// The number of terms at which unused ones are collected for the first time.
    pub collect_at: usize,
}

impl Default for ExploreConfig {
    fn default() -> ExploreConfig {
        ExploreConfig {
            engine: Config::default(),
            invocation: Invocation::default(),
            feasibility: Feasibility::default(),
            tests: TestSelection::default(),
            unfinished_tests: UnfinishedTests::default(),
            path_conditions: PathConditionLanguages::default(),
            limits: Limits::default(),
            seeds: Vec::new(),
            targets: Vec::new(),
            reduction: None,
            changed: None,
            seed: 0,
            checkpoint_interval: None,
            resume: None,
            knowledge: Vec::new(),
            collect_at: 1 << 20,
        }
    }
}
