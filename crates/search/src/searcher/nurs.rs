//! A state at random, by weight: KLEE's searchers for "non-uniform random search"
//! (NURS), the weights as KLEE has them. One searcher, and one [`WeightKind`] for each.
//!
//! A state's weight is taken when it comes and again whenever it ran. What else
//! changes a weight, that other states ran the same code, is not followed: the weight is
//! as it was when the state was last looked at. KLEE does the same. Distances are the
//! exception: they change for all states at once, and then all are weighed anew.

use byway_base::Rng;

use super::weighted_sampler::{ScaledWeight, WeightedSampler};
use crate::{Action, Delta, Searcher, SearcherRequirements, StateId, Until, View};

/// What the weight of a state is made of.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum WeightKind {
    /// Its forks: deep states are favoured.
    Depth,
    /// 2^-forks: as a random path does, but blind to which ways have ended.
    RandomPath,
    /// 1/c^2, c being how often the code it goes to has been run.
    Executions,
    /// 1/c, c being how many instructions have been run under its call path.
    CallPath,
    /// 1 while little was spent on its queries, then less the more was.
    QueryCost,
    /// 1/d^2, d being the distance to uncovered code.
    Distance,
    /// The same and besides 1/k^2, k being how long ago it last covered something new.
    CoveringNew,
}

impl WeightKind {
    /// All of them.
    pub const ALL: [WeightKind; 7] = [
        WeightKind::Depth,
        WeightKind::RandomPath,
        WeightKind::Executions,
        WeightKind::CallPath,
        WeightKind::QueryCost,
        WeightKind::Distance,
        WeightKind::CoveringNew,
    ];

    /// How it is written behind `nurs:`; KLEE's names.
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

    /// The one of that name.
    pub fn by_name(name: &str) -> Option<WeightKind> {
        WeightKind::ALL.into_iter().find(|measure| measure.name() == name)
    }

    /// What a state weighs now.
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

/// KLEE looks at the seconds spent, with a step at a tenth of one. Seconds are not the
/// same in two runs; effort is.
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

/// Picks at random, by weight.
#[derive(Debug)]
pub struct Nurs {
    measure: WeightKind,
    sampler: WeightedSampler,
    /// Of the distances that the weights are made of.
    epoch: u64,
}

impl Nurs {
    /// What counts as the distance of a state from which nothing uncovered is reached.
    pub const UNREACHABLE_DISTANCE: u64 = 10_000;

    /// For how many instructions something new stays new.
    pub const NEW_INSTRUCTIONS: u64 = 1_000;

    /// The effort that counts as a second of solving, by a stated rule instead of a clock.
    /// Measured with the solver's backend it is 6,000 to 300,000, the less the harder
    /// queries are; and it is the hard ones that matter here.
    pub const EFFORT_PER_SECOND: u64 = 10_000;

    /// Weighing states by this.
    pub fn new(measure: WeightKind) -> Nurs {
        Nurs { measure, sampler: WeightedSampler::default(), epoch: 0 }
    }
}

impl Searcher for Nurs {
    fn update(&mut self, delta: &Delta, view: &dyn View) {
        let measure = self.measure;
        for state in delta.became_pickable() {
            self.sampler.put(state, measure.weight(view, state));
        }
        delta.became_unpickable().for_each(|state| self.sampler.remove(state));
        if measure.requirements().distances && self.epoch != view.distances_epoch() {
            self.epoch = view.distances_epoch();
            self.sampler.weigh_all(|state| measure.weight(view, state));
        } else if let Some(ran) = delta.ran.filter(|&state| self.sampler.contains(state)) {
            self.sampler.put(ran, measure.weight(view, ran));
        }
    }

    fn pick(&mut self, _: &dyn View, rng: &mut Rng) -> Action {
        match self.sampler.draw(rng) {
            Some(state) => Action::Run { state, until: Until::TURN },
            None => Action::Stop,
        }
    }

    fn requirements(&self) -> SearcherRequirements {
        self.measure.requirements()
    }
}
