//! A state at random, by weight: KLEE's searchers for "non-uniform random search"
//! (NURS), the weights as KLEE has them. One searcher, and one [`Measure`] for each.
//!
//! A state's weight is taken when it comes and again whenever it ran. What else
//! changes a weight, that other states ran the same code, is not followed: the weight is
//! as it was when the state was last looked at. KLEE does the same. Distances are the
//! exception: they change for all states at once, and then all are weighed anew.

use byway_base::Rng;

use super::lottery::{Lottery, Weight};
use crate::{Action, Delta, Searcher, SearcherRequirements, StateId, Until, View};

/// What the weight of a state is made of.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Measure {
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

impl Measure {
    /// All of them.
    pub const ALL: [Measure; 7] = [
        Measure::Depth,
        Measure::RandomPath,
        Measure::Executions,
        Measure::CallPath,
        Measure::QueryCost,
        Measure::Distance,
        Measure::CoveringNew,
    ];

    /// How it is written behind `nurs:`; KLEE's names.
    pub const fn name(self) -> &'static str {
        match self {
            Measure::Depth => "depth",
            Measure::RandomPath => "rp",
            Measure::Executions => "icnt",
            Measure::CallPath => "cpicnt",
            Measure::QueryCost => "qc",
            Measure::Distance => "md2u",
            Measure::CoveringNew => "covnew",
        }
    }

    /// The one of that name.
    pub fn by_name(name: &str) -> Option<Measure> {
        Measure::ALL.into_iter().find(|measure| measure.name() == name)
    }

    /// What a state weighs now.
    fn weight(self, view: &dyn View, state: StateId) -> Weight {
        match self {
            Measure::Depth => Weight::new(f64::from(view.depth(state))),
            Measure::RandomPath => Weight::halved(view.depth(state)),
            Measure::Executions => Weight::new(inverse(view.executions(state)).powi(2)),
            Measure::CallPath => Weight::new(inverse(view.instructions_on_call_path(state))),
            Measure::QueryCost => Weight::new(cheapness(view.solver_effort(state))),
            Measure::Distance => Weight::new(nearness(view, state)),
            Measure::CoveringNew => Weight::new(nearness(view, state) + newness(view, state)),
        }
    }

    fn requirements(self) -> SearcherRequirements {
        let distances = matches!(self, Measure::Distance | Measure::CoveringNew);
        SearcherRequirements {
            executions: self == Measure::Executions,
            call_paths: self == Measure::CallPath,
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
    inverse(view.distance_to_uncovered(state).unwrap_or(Nurs::NOWHERE)).powi(2)
}

fn newness(view: &dyn View, state: StateId) -> f64 {
    match view.instructions_since_new_coverage(state) {
        Some(instructions) => inverse(instructions.saturating_sub(Nurs::STILL_NEW)).powi(2),
        None => 0.0,
    }
}

/// Picks at random, by weight.
#[derive(Debug)]
pub struct Nurs {
    measure: Measure,
    lottery: Lottery,
    /// Of the distances that the weights are made of.
    epoch: u64,
}

impl Nurs {
    /// What counts as the distance of a state from which nothing uncovered is reached.
    pub const NOWHERE: u64 = 10_000;

    /// For how many instructions something new stays new.
    pub const STILL_NEW: u64 = 1_000;

    /// The effort that counts as a second of solving, by a stated rule instead of a clock.
    /// Measured with the solver's backend it is 6,000 to 300,000, the less the harder
    /// queries are; and it is the hard ones that matter here.
    pub const EFFORT_PER_SECOND: u64 = 10_000;

    /// Weighing states by this.
    pub fn new(measure: Measure) -> Nurs {
        Nurs { measure, lottery: Lottery::default(), epoch: 0 }
    }
}

impl Searcher for Nurs {
    fn update(&mut self, delta: &Delta, view: &dyn View) {
        let measure = self.measure;
        for state in delta.became_pickable() {
            self.lottery.put(state, measure.weight(view, state));
        }
        delta.became_unpickable().for_each(|state| self.lottery.remove(state));
        if measure.requirements().distances && self.epoch != view.distances_epoch() {
            self.epoch = view.distances_epoch();
            self.lottery.weigh_all(|state| measure.weight(view, state));
        } else if let Some(ran) = delta.ran.filter(|&state| self.lottery.contains(state)) {
            self.lottery.put(ran, measure.weight(view, ran));
        }
    }

    fn pick(&mut self, _: &dyn View, rng: &mut Rng) -> Action {
        match self.lottery.draw(rng) {
            Some(state) => Action::Run { state, until: Until::TURN },
            None => Action::Stop,
        }
    }

    fn requirements(&self) -> SearcherRequirements {
        self.measure.requirements()
    }
}
