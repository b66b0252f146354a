//! Non-uniform random search (NURS): a weighted random state, with KLEE's weights. One
//! searcher; a [`WeightKind`] selects the weight.
//!
//! The weight of a state is computed when it is added and whenever it ran. It does not
//! follow changes caused by other states, such as executions of the same code; KLEE behaves
//! the same. Distances are the exception: when they are recomputed, so are all weights.

use byway_base::Rng;

use super::weighted_sampler::{ScaledWeight, WeightedSampler};
use crate::{Action, Delta, Searcher, SearcherRequirements, StateId, Until, View};

/// The quantity that determines a state's weight.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum WeightKind {
    /// The number of forks: favours deep states.
    Depth,
    /// 2^-forks: like `random-path`, but unaware of subtrees that have ended.
    RandomPath,
    /// 1/c², where c counts the executions of the state's next block.
    Executions,
    /// 1/c, where c counts the instructions executed under the state's call path.
    CallPath,
    /// 1 for a low solver effort, then inversely proportional to the effort.
    QueryCost,
    /// 1/d², where d is the distance to uncovered code.
    Distance,
    /// `Distance` plus 1/k², where k counts the instructions since the last new coverage.
    CoveringNew,
}

impl WeightKind {
    /// All weights, in the order of the help.
    pub const ALL: [WeightKind; 7] = [
        WeightKind::Depth,
        WeightKind::RandomPath,
        WeightKind::Executions,
        WeightKind::CallPath,
        WeightKind::QueryCost,
        WeightKind::Distance,
        WeightKind::CoveringNew,
    ];

    /// Its name in `nurs:NAME`, the same as in KLEE.
    pub const fn name(self) -> &'static str {
        match self {
            WeightKind::Depth => "depth",
            WeightKind::RandomPath => "rp",
            WeightKind::Executions => "icnt",
            WeightKind::CallPath => "cpicnt",
            WeightKind::QueryCost => "qc",
            WeightKind::Distance => "md2u",
            WeightKind::CoveringNew => "covnew",
        }
    }

    /// The inverse of [`name`](Self::name).
    pub fn by_name(name: &str) -> Option<WeightKind> {
        WeightKind::ALL.into_iter().find(|kind| kind.name() == name)
    }

    fn weight(self, view: &dyn View, state: StateId) -> ScaledWeight {
        match self {
            WeightKind::Depth => ScaledWeight::new(f64::from(view.depth(state))),
            WeightKind::RandomPath => ScaledWeight::halved(view.depth(state)),
            WeightKind::Executions => ScaledWeight::new(inverse(view.executions(state)).powi(2)),
            WeightKind::CallPath => {
                ScaledWeight::new(inverse(view.instructions_on_call_path(state)))
            }
            WeightKind::QueryCost => ScaledWeight::new(cheapness(view.solver_effort(state))),
            WeightKind::Distance => ScaledWeight::new(nearness(view, state)),
            WeightKind::CoveringNew => {
                ScaledWeight::new(nearness(view, state) + newness(view, state))
            }
        }
    }

    fn requirements(self) -> SearcherRequirements {
        let distances = matches!(self, WeightKind::Distance | WeightKind::CoveringNew);
        SearcherRequirements {
            executions: self == WeightKind::Executions,
            call_paths: self == WeightKind::CallPath,
            distances,
            ..SearcherRequirements::default()
        }
    }
}

fn inverse(count: u64) -> f64 {
    1.0 / count.max(1) as f64
}

/// KLEE uses seconds, with a step at a tenth of a second. Seconds differ between runs;
/// effort is deterministic.
fn cheapness(effort: u64) -> f64 {
    match effort < Nurs::EFFORT_PER_SECOND / 10 {
        true => 1.0,
        false => Nurs::EFFORT_PER_SECOND as f64 / effort as f64,
    }
}

fn nearness(view: &dyn View, state: StateId) -> f64 {
    inverse(view.distance_to_uncovered(state).unwrap_or(Nurs::UNREACHABLE_DISTANCE)).powi(2)
}

fn newness(view: &dyn View, state: StateId) -> f64 {
    match view.instructions_since_new_coverage(state) {
        Some(instructions) => inverse(instructions.saturating_sub(Nurs::NEW_INSTRUCTIONS)).powi(2),
        None => 0.0,
    }
}

/// Picks a weighted random state.
#[derive(Debug)]
pub struct Nurs {
    kind: WeightKind,
    sampler: WeightedSampler,
    /// The [epoch](View::distances_epoch) of the distances in the current weights.
    epoch: u64,
}

impl Nurs {
    /// The distance assumed for a state that cannot reach uncovered code.
    pub const UNREACHABLE_DISTANCE: u64 = 10_000;

    /// For this many instructions, new coverage counts fully.
    pub const NEW_INSTRUCTIONS: u64 = 1_000;

    /// The effort that stands for one second in KLEE's formula. Measured with the solver's
    /// backend, a second is 6,000 units for hard queries and 300,000 for easy ones; hard
    /// queries matter here.
    pub const EFFORT_PER_SECOND: u64 = 10_000;

    /// A searcher with this weight.
    pub fn new(kind: WeightKind) -> Nurs {
        Nurs { kind, sampler: WeightedSampler::default(), epoch: 0 }
    }
}

impl Searcher for Nurs {
    fn update(&mut self, delta: &Delta, view: &dyn View) {
        let kind = self.kind;
        for state in delta.became_pickable() {
            self.sampler.put(state, kind.weight(view, state));
        }
        delta.became_unpickable().for_each(|state| self.sampler.remove(state));
        if kind.requirements().distances && self.epoch != view.distances_epoch() {
            self.epoch = view.distances_epoch();
            self.sampler.weigh_all(|state| kind.weight(view, state));
        } else if let Some(ran) = delta.ran.filter(|&state| self.sampler.contains(state)) {
            self.sampler.put(ran, kind.weight(view, ran));
        }
    }

    fn pick(&mut self, _: &dyn View, rng: &mut Rng) -> Action {
        match self.sampler.draw(rng) {
            Some(state) => Action::Run { state, until: Until::TURN },
            None => Action::Stop,
        }
    }

    fn requirements(&self) -> SearcherRequirements {
        self.kind.requirements()
    }
}
