//! How to explore: plain data, resolved by the command line.

use std::sync::Arc;
use std::time::Duration;

use byway_base::Work;

use crate::{Config, Invocation, Seed};

/// When the other side of a fork is decided.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub enum Feasibility {
    /// At the fork: every state there is can be reached.
    #[default]
    Eager,
    /// When a searcher picks it: states may turn out to be impossible.
    Lazy,
}

/// The paths whose tests somebody will read. Only they get one, with an input that is as the
/// program prefers it.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub enum TestSelection {
    /// All.
    #[default]
    All,
    /// Those that come by something that no test covers, and faults.
    CoveringNew,
    /// Faults, which are told with their input.
    Faults,
}

/// Where an exploration stops, or gives up paths; what is `None` is not limited.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub struct Limits {
    /// Work of the whole exploration.
    pub work: Option<Work>,
    /// Time of the whole exploration.
    pub time: Option<Duration>,
    /// Processor time of the whole process, since it started.
    pub processor_time: Option<Duration>,
    /// States that live at once.
    pub states: Option<usize>,
    /// Forks behind a state.
    pub depth: Option<u32>,
    /// Bytes of states, terms and the solver, as accounted, and of the process as a whole
    /// where the observer tells them.
    pub memory: Option<u64>,
    /// Steps of the solver's backend for one query; if not given, so many as its size
    /// allows.
    pub solver_effort: Option<u64>,
    /// Time for one query.
    pub solver_time: Option<Duration>,
}

/// How to explore a program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ExploreConfig {
    /// How paths run.
    pub engine: Config,
    /// What the program is started with.
    pub invocation: Invocation,
    /// When forks are decided.
    pub feasibility: Feasibility,
    /// Which tests are wanted.
    pub tests: TestSelection,
    /// Where to stop.
    pub limits: Limits,
    /// Inputs to begin with, in the order they are followed.
    pub seeds: Vec<Arc<Seed>>,
    /// Every random choice comes from this.
    pub seed: u64,
    /// How many terms there are before those that nobody needs are collected.
    pub collect_at: usize,
}

impl Default for ExploreConfig {
    fn default() -> ExploreConfig {
        ExploreConfig {
            engine: Config::default(),
            invocation: Invocation::default(),
            feasibility: Feasibility::default(),
            tests: TestSelection::default(),
            limits: Limits::default(),
            seeds: Vec::new(),
            seed: 0,
            collect_at: 1 << 20,
        }
    }
}
