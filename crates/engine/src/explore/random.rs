//! Random inputs: each is drawn, run from the program's start to its end the way it goes,
//! and told as a path if none took that path before.
//!
//! The bytes of an input are drawn when the program makes it, all values with the same
//! chance, and depend on nothing but the seed of the exploration, how many inputs were drawn
//! before, and how many objects this one has made. An assumption that they break is met
//! without a solver, if luck will have it: the bytes it is about are drawn again, as numbers
//! of more and more bits for as long as that helps. So a count from 0 to 3 in four bytes, as
//! the environment asks for, is drawn evenly, and not once in a billion runs. What cannot be
//! met is *excluded*.

use byway_base::{ExprId, Outcome, Rng};
use byway_expr::{InputByte, Model};
use byway_search::Delta;

use super::Explorer;
use super::ending::seal;
use crate::interp::Step;
use crate::path_info::ForkRequest;
use crate::seeds::PathSeeds;
use crate::state::State;

/// How often bytes are drawn for each number of bits until some will do.
const DRAWS: usize = 64;

/// How often they are drawn for more bits than that.
const FURTHER_DRAWS: usize = 16;

/// Assumptions on more bytes than this are not met by drawing small numbers.
const MOST_BYTES: usize = 8;

/// What became of random inputs.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub struct RandomTotals {
    /// Inputs that were run, to their ends but for one that a limit stopped.
    pub drawn: u64,
    /// Those of them that took a path which an earlier one took.
    pub repeated: u64,
}

impl Explorer<'_, '_, '_> {
    /// Draws an input and runs it.
    pub(super) fn test_at_random(&mut self, rng: &mut Rng, delta: &mut Delta) {
        let Some(mut state) = self.home.state.clone() else { return };
        let id = self.frontier.pass_by();
        delta.ran = Some(id);
        delta.started.push(id);
        delta.ended.push(id);
        let mut draws = Rng::new(rng.next_u64());
        state.path.seeds = PathSeeds::drawn(draws.next_u64());
        state.path.fill_inputs(&self.machine.pool);
        self.machine.evaluator.forget();
        let outcome = loop {
            let quantum = self.quantum(&state, u64::MAX);
            let (step, took) = self.machine.run(&mut state, quantum);
            self.totals.instructions += took;
            self.tell_news(id, &mut state, delta);
            match step {
                Step::End(outcome) => break Some(outcome),
                Step::Yield if self.path_is_too_long(&state) => break Some(Outcome::OutOfBudget),
                Step::Yield => self.tick(),
                Step::Fork(request) => {
                    self.keep_home(&state);
                    if !self.go_way_of_witness(&mut state, &request)
                        && !self.draw_again(&mut state, &request, &mut draws)
                    {
                        // Drawing in vain takes long, and is no work.
                        self.tick();
                        break Some(Outcome::Excluded);
                    }
                }
            }
            self.look_at_limits();
            if self.stop.is_some() {
                break None;
            }
        };
        state.path.seeds = PathSeeds::default();
        self.totals.random.drawn += 1;
        let Some(outcome) = outcome else {
            self.totals.losses.unfinished += 1;
            self.end(state, self.outcome_of_rest());
            return;
        };
        seal(&mut state, &outcome);
        if self.paths_taken.insert(state.path.digest) {
            self.tell(state, outcome);
        } else {
            self.totals.random.repeated += 1;
            delta.repeated.push(id);
            self.machine.recycle(&mut state);
        }
    }

    /// The input goes none of the ways: changes the bytes that they are about, and goes one.
    fn draw_again(&mut self, state: &mut State, request: &ForkRequest, draws: &mut Rng) -> bool {
        request.cases.iter().any(|way| {
            let bytes = self.machine.pool.support(way.condition);
            self.redraw(state, &bytes, way.condition, draws)
                && self.go_way_of_witness(state, request)
        })
    }

    /// Draws bytes anew so that a condition holds, and all that the path is held to.
    fn redraw(
        &mut self,
        state: &mut State,
        bytes: &[InputByte],
        condition: ExprId,
        draws: &mut Rng,
    ) -> bool {
        if bytes.is_empty() || bytes.len() > MOST_BYTES || state.path.unrepeatable {
            return false;
        }
        let path = &mut state.path;
        let mut draw = |width: u32| -> Option<Model> {
            let number = draws.next_u64() & u64::MAX.checked_shr(64 - width).unwrap_or(0);
            let mut model = path.witness.clone();
            for (place, &byte) in bytes.iter().enumerate() {
                model.set_byte(byte, (number >> (8 * place)) as u8);
            }
            let mut seen = self.seeds.evaluator.under(&self.machine.pool, &model);
            let fits = seen.holds(condition) && path.condition.conjuncts().all(|it| seen.holds(it));
            fits.then_some(model)
        };
        // The last numbers that fit are drawn from many that do not: all of them with the
        // same chance, where the first would be small ones.
        let mut fitting = None;
        for width in 0..=bytes.len() as u32 * 8 {
            let times = if fitting.is_none() { DRAWS } else { FURTHER_DRAWS };
            match (0..times).find_map(|_| draw(width)) {
                Some(model) => fitting = Some(model),
                None if fitting.is_some() => break,
                None => {}
            }
        }
        let Some(model) = fitting else { return false };
        path.seeds.adopt(model.clone());
        path.witness = model;
        self.machine.evaluator.forget();
        true
    }
}
