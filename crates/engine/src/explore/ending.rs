//! The end of a path: its test, and what it adds to the sums.

use byway_base::{Input, Limit, Outcome, TestCase};
use byway_expr::Pool;
use byway_search::Case;
use byway_solver::{Answer, Query};

use super::{Control, Explorer, PathEnd, StopReason, TestSelection};
use crate::path_info::PathInfo;
use crate::state::{State, place_of};

impl Explorer<'_, '_, '_> {
    /// Ends a path whose state is decided.
    pub(super) fn end(&mut self, mut state: Box<State>, outcome: Outcome) {
        seal(&mut state, &outcome);
        self.tell(state, outcome);
    }

    /// Tells of a path whose digest is complete.
    pub(super) fn tell(&mut self, mut state: Box<State>, mut outcome: Outcome) {
        let path = &mut state.path;
        *self.totals.paths.entry(outcome.name()).or_default() += 1;
        let losses = &mut self.totals.losses;
        for (&reason, &count) in path.concretised.iter() {
            *losses.concretised.entry(reason).or_default() += count;
        }
        match &outcome {
            Outcome::Unsupported(it) => {
                *losses.unsupported.entry(it.feature.clone()).or_default() += 1;
            }
            Outcome::InternalError(it) => {
                *losses.internal_errors.entry(it.kind).or_default() += 1;
            }
            _ => {}
        }
        let seed = self.end_seeds(std::mem::take(&mut path.seeds), &outcome);
        // The test of a seed's path is the seed itself. What a limit cuts short keeps the
        // witness it has: there may be very many.
        let limited =
            matches!(outcome, Outcome::OutOfBudget | Outcome::Interrupted | Outcome::Dropped(_));
        // A run asks nothing: its input was chosen before.
        let chosen = self.manner.concolic || self.manner.random;
        let wanted = self.is_wanted(path, &outcome);
        if seed.is_none() && !limited && !chosen && wanted {
            self.apply_preferences(path);
        }
        self.settle(path, &mut outcome);
        let number = self.totals.path_count();
        let counts = !matches!(outcome, Outcome::Excluded);
        let test = (counts && wanted).then(|| TestCase {
            args: self.config.invocation.words(),
            inputs: inputs(&self.machine.pool, path),
        });
        let newly_covered = match counts {
            true => {
                let sites = self.machine.coverage.credit(path);
                self.desk.credit(sites, number)
            }
            false => 0,
        };
        let path = PathEnd {
            number,
            outcome,
            test,
            depth: path.depth,
            instructions: path.instructions,
            digest: path.digest,
            newly_covered,
            concretised: (*path.concretised).clone(),
            seed,
        };
        self.machine.recycle(&mut state);
        self.bring_up_to_date();
        if self.desk.path(path, &self.totals) == Control::Stop {
            self.stop.get_or_insert(StopReason::Stopped);
        }
    }

    /// Whether somebody will read the test of a path.
    fn is_wanted(&self, path: &PathInfo, outcome: &Outcome) -> bool {
        let is_new = || path.sites().any(|site| !self.machine.coverage.is_credited(site));
        match (self.config.tests, outcome) {
            (TestSelection::All, _) | (_, Outcome::Fault(_)) => true,
            (TestSelection::CoveringNew, _) => is_new(),
            (TestSelection::Faults, _) => false,
        }
    }

    /// Gives up a state. If it is known to be possible, it still gives its test.
    pub(super) fn drop_state(&mut self, state: Box<State>, limit: Limit) {
        *self.totals.losses.dropped.entry(limit).or_default() += 1;
        self.sides.count_waiting(self.machine.program, &state, |side| &mut side.dropped);
        if state.path.pending.is_none() {
            self.end(state, Outcome::Dropped(limit));
        }
    }

    /// Makes what the program prefers true of the witness, one wish after the other,
    /// where the wishes before it leave that possible.
    pub(super) fn apply_preferences(&mut self, path: &mut PathInfo) {
        let wishes = std::rc::Rc::clone(&path.preferences);
        let mut condition = path.condition.clone();
        self.machine.evaluator.forget();
        // Those before have been added, or are refused.
        let mut added = 0;
        for (i, &wish) in wishes.iter().enumerate() {
            if self.machine.evaluator.value(&self.machine.pool, &path.witness, wish) != 0 {
                continue;
            }
            for &met in &wishes[added..i] {
                condition.add(&mut self.machine.pool, met);
            }
            added = i + 1;
            let query = Query { path: &condition, condition: wish, witness: Some(&path.witness) };
            let budget = self.query_budget();
            if let Answer::Sat(model) = self.solver.check(&mut self.machine.pool, &query, budget) {
                path.witness = model;
                condition.add(&mut self.machine.pool, wish);
                self.machine.evaluator.forget();
            }
        }
        path.preferences_applied = wishes.len();
    }

    /// What the outcome owes to the witness.
    fn settle(&mut self, path: &PathInfo, outcome: &mut Outcome) {
        if let (Outcome::Exit(code), Some(term)) = (outcome, path.exit_code) {
            self.machine.evaluator.forget();
            let value = self.machine.evaluator.value(&self.machine.pool, &path.witness, term);
            *code = value as i32;
        }
    }
}

/// Completes the digest of a path that ends.
pub(super) fn seal(state: &mut State, outcome: &Outcome) {
    // A check that fails is a decision too, which nothing else tells. Its number is none
    // that a branch has; the instructions behind it tell how often the same check was
    // passed before.
    if let Outcome::Fault(it) = outcome {
        let place = state.stack.last().map_or(0, |top| place_of(top, top.pc));
        let path = &mut state.path;
        path.note(place, Case(u64::MAX - it.kind as u64));
        path.note(place, Case(path.instructions));
    }
}

/// The symbolic objects of a path as its witness has them.
pub(super) fn inputs(pool: &Pool, path: &PathInfo) -> Vec<Input> {
    let input = |&id: &_| {
        let object = pool.input_object(id);
        let mut bytes = path.witness.object(id).to_vec();
        bytes.resize(object.size as usize, 0);
        Input { name: object.name.to_string(), bytes }
    };
    path.inputs.iter().map(input).collect()
}
