//! The end of a path: its test, and what it adds to the sums.

use std::rc::Rc;

use byway_base::{Input, Limit, Outcome, TestCase};
use byway_expr::Pool;
use byway_search::Case;
use byway_solver::{Answer, Query};

use super::{Explorer, Flow, PathEnd, Why, outcome_name};
use crate::state::{State, place_of};
use crate::trail::Trail;

impl Explorer<'_, '_, '_> {
    /// Ends a path whose state is decided.
    pub(super) fn end(&mut self, mut state: State, mut outcome: Outcome) {
        let trail = &mut state.trail;
        *self.totals.paths.entry(outcome_name(&outcome)).or_default() += 1;
        for (&what, &count) in trail.concretised.iter() {
            *self.totals.lost.concretised.entry(what.into()).or_default() += count;
        }
        match &outcome {
            Outcome::Unsupported(it) => {
                *self.totals.lost.unsupported.entry(it.what.clone()).or_default() += 1;
            }
            // A check that fails is a decision too, which nothing else tells. Its number
            // is none that a branch has; the instructions behind it tell how often the
            // same check was passed before.
            Outcome::Fault(it) => {
                let place = state.stack.last().map_or(0, |top| place_of(top, top.pc));
                trail.note(place, Case(u64::MAX - it.kind as u64));
                trail.note(place, Case(trail.instructions));
            }
            _ => {}
        }
        let seed = self.end_seeds(std::mem::take(&mut trail.seeds), &outcome);
        if seed.is_some() {
            // Its test is the seed itself, not what the program likes better.
            trail.preferences = Rc::default();
        }
        self.prefer(trail, &mut outcome);
        let number = self.totals.path_count();
        let counts = !matches!(outcome, Outcome::Excluded);
        let test = counts.then(|| TestCase {
            args: self.config.invocation.words(),
            inputs: inputs(&self.machine.pool, trail),
        });
        let newly_covered = match test {
            Some(_) => self.report.credit(&mut self.machine.coverage, trail, number),
            None => 0,
        };
        let path = PathEnd {
            number,
            outcome,
            test,
            depth: trail.depth,
            instructions: trail.instructions,
            digest: trail.digest,
            newly_covered,
            concretised: trail.concretised.iter().map(|(&what, &n)| (what.into(), n)).collect(),
            seed,
        };
        self.bring_up_to_date();
        if self.observer.path(&path, &self.totals) == Flow::Stop {
            self.stop.get_or_insert(Why::Stopped);
        }
    }

    /// Gives up a state. If it is known to be possible, it still gives its test.
    pub(super) fn drop_state(&mut self, state: State, limit: Limit) {
        *self.totals.lost.dropped.entry(limit).or_default() += 1;
        if state.trail.pending.is_none() {
            self.end(state, Outcome::Dropped(limit));
        }
    }

    /// Makes what the program prefers true of the witness, one after the other, where
    /// that is possible. What the outcome owes to the witness follows it.
    fn prefer(&mut self, trail: &mut Trail, outcome: &mut Outcome) {
        for &wish in std::rc::Rc::clone(&trail.preferences).iter() {
            let query =
                Query { path: &trail.condition, asked: wish, witness: Some(&trail.witness) };
            let budget = self.query_budget();
            let answer = self.solver.check(&mut self.machine.pool, &query, budget);
            if let Answer::Sat(model) = answer {
                trail.witness = model;
                trail.condition.add(&mut self.machine.pool, wish);
            }
        }
        if let (Outcome::Exit(code), Some(term)) = (outcome, trail.exit_code) {
            self.machine.sight.forget();
            let value = self.machine.sight.value(&self.machine.pool, &trail.witness, term);
            *code = value as i32;
        }
    }
}

/// The symbolic objects of a path as its witness has them.
fn inputs(pool: &Pool, trail: &Trail) -> Vec<Input> {
    let input = |&id: &_| {
        let object = pool.input_object(id);
        let mut bytes = trail.witness.object(id).to_vec();
        bytes.resize(object.size as usize, 0);
        Input { name: object.name.to_string(), bytes }
    };
    trail.inputs.iter().map(input).collect()
}
