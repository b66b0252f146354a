//! Giving up the reduction where it does not pay.
//!
//! A path of a reduced exploration runs from the start and is analysed, which costs far more
//! than a fork. That pays only if most paths are skipped. Where something depends on nearly all
//! decisions of a path together, nearly all paths have to run; the exploration then starts again
//! without reduction. Paths that ran before are known by their digests and give no second test.

use byway_base::ExprId;
use byway_expr::{InputList, Model};
use byway_search::reducer::PathTrace;
use byway_search::{Delta, StateId};

use super::super::SearchStrategy;
use super::super::explorer::Explorer;
use super::super::feasibility::Decided;
use super::super::follow::ReplayRoot;
use super::ReducedSearch;
use crate::Invocation;
use crate::origin::PathOrigin;
use crate::path_info::PathInfo;
use crate::state::State;

/// The paths after which the reduction is judged first; again whenever their number doubled.
const FIRST_JUDGEMENT: usize = 64;

/// A path in so many is a sample.
const SAMPLED: usize = 16;

/// The most samples that a judgement considers.
const MOST_SAMPLES: usize = 8;

/// The paths that each reduced path has to stand for.
const LEAST_SKIPS: f64 = 4.0;

/// A path that ran.
pub(super) struct SampledPath {
    trace: PathTrace,
    inputs: InputList,
    witness: Model,
}

impl ReducedSearch<'_> {
    /// Considers a path as a sample for the next judgement. Returns whether that is due.
    pub(super) fn sample(&mut self, trace: &PathTrace, state: &State) -> bool {
        let paths = self.shared.paths.len() + 1;
        if !self.may_be_abandoned || self.shared.is_abandoned() {
            return false;
        }
        if paths.is_multiple_of(SAMPLED) {
            if self.samples.len() == MOST_SAMPLES {
                self.samples.remove(0);
            }
            let (inputs, witness) = (state.path.inputs.clone(), state.path.witness.clone());
            self.samples.push(SampledPath { trace: trace.clone(), inputs, witness });
        }
        paths >= FIRST_JUDGEMENT && paths.is_power_of_two()
    }
}

impl Explorer<'_, '_, '_> {
    /// Gives up the reduction if it skips too few paths.
    pub(super) fn judge_reduction(&mut self) {
        let Some(reduced) = &mut self.reduced else { return };
        let samples = std::mem::take(&mut reduced.samples);
        let mut skips: Vec<f64> = samples.iter().map(|sample| self.skips(sample)).collect();
        skips.sort_unstable_by(f64::total_cmp);
        let is_too_few = skips.get(skips.len() / 2).is_some_and(|&median| median < LEAST_SKIPS);
        if let Some(reduced) = self.reduced.as_ref().filter(|_| is_too_few) {
            reduced.shared.abandon();
        }
    }

    /// About how many paths a path stands for: the product of its possible cases, given all
    /// decisions before, at the decisions outside of its longest dependence. Stops where it is
    /// enough.
    fn skips(&mut self, sample: &SampledPath) -> f64 {
        let together = sample.trace.longest_dependence();
        let mut path = PathInfo {
            inputs: sample.inputs.clone(),
            witness: sample.witness.clone(),
            ..PathInfo::default()
        };
        let mut skips = 1.0;
        for (index, decision) in sample.trace.decisions.iter().enumerate() {
            let Some(reduced) = &self.reduced else { return skips };
            let term = |&condition: &u32| reduced.conditions.term(condition);
            let taken = term(&decision.taken);
            if decision.is_open && !together.contains(&index) {
                let others: Vec<_> = decision.others.iter().filter_map(term).collect();
                let possible = others.into_iter().filter(|&other| self.is_possible(&path, other));
                skips *= 1.0 + possible.count() as f64;
                if skips >= LEAST_SKIPS {
                    return skips;
                }
            }
            if let Some(taken) = taken {
                path.condition.add(&mut self.machine.pool, taken);
            }
        }
        skips
    }

    /// Whether a path may go on under a condition.
    fn is_possible(&mut self, path: &PathInfo, condition: ExprId) -> bool {
        let mut other = PathInfo { pending: Some(condition), ..path.clone() };
        let query = self.budget.query();
        let decided = self.feasibility.decide(&mut self.machine.pool, &mut other, query);
        decided != Decided::Infeasible
    }

    /// Goes on without reduction if it was given up, by this worker or another.
    pub(in super::super) fn abandon_reduction(&mut self, strategy: &mut SearchStrategy) {
        if !self.reduced.as_ref().is_some_and(|reduced| reduced.shared.is_abandoned()) {
            return;
        }
        let Some(mut reduced) = self.reduced.take() else { return };
        reduced.totals.is_abandoned = true;
        reduced.estimate();
        self.results.totals.reduction = reduced.totals();
        let mut tasks: Vec<StateId> = reduced.tasks.keys().copied().collect();
        tasks.sort_unstable();
        let mut delta = Delta::default();
        for id in tasks {
            if let Some(mut state) = self.frontier.take(id) {
                self.undecided.remove(id);
                self.machine.recycle(&mut state);
                delta.dropped.push(id);
            }
        }
        self.publish(strategy, &delta);
        if let Some(searcher) = strategy.unreduced.take() {
            strategy.searcher = searcher;
        }
        // Digests of paths depend on which values are terms.
        self.machine.evaluator.keep_terms();
        self.known_paths = Some(reduced.shared.paths.clone());
        self.start_unobserved(&reduced.invocation, strategy);
    }

    /// Starts the program again, in code without observations.
    fn start_unobserved(&mut self, invocation: &Invocation, strategy: &mut SearchStrategy) {
        self.machine.program.stop_observing();
        let Ok(start) = PathOrigin::Entry(invocation).start(&mut self.machine) else { return };
        self.root = ReplayRoot::at(&start);
        if self.worker.is_first() {
            let first = self.frontier.add(Box::new(start));
            self.publish(strategy, &Delta { started: vec![first], ..Delta::default() });
        }
    }
}
