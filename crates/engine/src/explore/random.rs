//! Random tests: each input is drawn, run from the program's start to its end, and reported
//! as a path if no earlier one took that path.
//!
//! The bytes of an input are drawn uniformly when the program creates it. They depend only on
//! the exploration's seed, the number of inputs drawn before, and the number of objects this
//! one has created. An assumption that they break is satisfied by drawing again, without a
//! solver: the bytes it depends on are drawn as numbers of more and more bits for as long as
//! that helps. So a count from 0 to 3 in four bytes, as the environment model asks for, is
//! drawn evenly, and not once in a billion runs. Inputs that cannot be repaired are *excluded*.

use byway_base::{ExprId, Input, Outcome, Rng};
use byway_expr::{Evaluator, InputByte, Model};
use byway_search::{Delta, StateId};
use rustc_hash::FxHashSet;

use super::UnfinishedTests;
use super::explorer::Explorer;
use super::follow::take_witness_case;
use super::results::{complete_digest, is_cut_short};
use crate::interp::{Machine, Step};
use crate::path_info::ForkRequest;
use crate::seeds::PathSeeds;
use crate::state::State;

/// Draws for each number of bits until some satisfy the condition.
const DRAWS: usize = 64;

/// Draws for each larger number of bits after that.
const FURTHER_DRAWS: usize = 16;

/// Conditions on more bytes than this are not satisfied by drawing.
const MAX_BYTES: usize = 8;

/// Counts of random tests.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub struct RandomTotals {
    /// Inputs that ran; all to their ends, but for one that a limit stopped.
    pub drawn: u64,
    /// Those that took the path of an earlier one.
    pub repeated: u64,
    /// What those cost that ran outside of the exploration, in interpreted instructions that take
    /// as long.
    pub cost: u64,
    /// Inputs of these that did something new, so that a state followed them.
    pub followed: u64,
    /// Inputs of these that took another path when a state followed them.
    pub diverged: u64,
}

/// How the run of an input ended.
pub(super) enum RandomRun {
    Ended(Outcome),
    /// The exploration stops.
    Stopped,
}

/// What random tests have in common. Owns the digests of the paths that they must not repeat.
#[derive(Default)]
pub(super) struct RandomTests {
    paths: FxHashSet<u64>,
    pub evaluator: Evaluator,
    /// Inputs whose tests cover something new, which an executor has not received yet.
    pub learnt: Vec<Vec<Input>>,
}

impl Explorer<'_, '_, '_> {
    /// Draws an input and runs it.
    pub(super) fn random_test(&mut self, rng: &mut Rng, delta: &mut Delta) {
        let Some(root) = self.root.state() else { return };
        let mut state = Box::new(root.clone());
        let id = self.frontier.fresh_id();
        delta.ran = Some(id);
        delta.started.push(id);
        delta.ended.push(id);
        let mut draws = Rng::new(rng.next_u64());
        state.path.seeds = PathSeeds::drawn(draws.next_u64());
        let ran = self.run_alone(id, &mut state, Some(&mut draws), delta);
        self.results.totals.random.drawn += 1;
        match ran {
            RandomRun::Ended(outcome) => self.end_random(id, state, outcome, delta),
            RandomRun::Stopped => {
                self.results.totals.losses.unfinished += 1;
                match self.results.unfinished_tests() {
                    UnfinishedTests::None => self.results.totals.losses.untested += 1,
                    _ => _ = self.end(state, self.budget.unfinished_outcome()),
                }
            }
        }
    }

    /// Runs a state with a seed to its end, taking the case of the seed at every fork request.
    /// `draws` repairs an input that an assumption excludes.
    pub(super) fn run_alone(
        &mut self,
        id: StateId,
        state: &mut Box<State>,
        mut draws: Option<&mut Rng>,
        delta: &mut Delta,
    ) -> RandomRun {
        state.path.fill_inputs(&self.machine.pool);
        self.machine.evaluator.forget();
        self.begin_run();
        let outcome = loop {
            let (step, _) = self.run_machine(id, state, u64::MAX, delta);
            match step {
                Step::End(outcome) => break Some(outcome),
                Step::Yield if self.budget.is_path_too_long(&state.path) => {
                    self.results.totals.losses.too_long += 1;
                    break Some(Outcome::OutOfBudget);
                }
                Step::Yield => self.tick(),
                Step::Watch(watch) => _ = self.reach_watch(state, watch),
                Step::NoRoom(request) => {
                    if !self.make_room_for(request, state, delta) {
                        break Some(self.drop_running());
                    }
                    self.tick();
                }
                Step::Fork(request) => {
                    self.root.advance(state);
                    let machine = &mut self.machine;
                    let mut repair = |machine: &mut Machine, state: &mut State| {
                        draws.as_deref_mut().is_some_and(|draws| {
                            self.random.repair(machine, state, &request, draws)
                        })
                    };
                    if !take_witness_case(machine, state, &request) && !repair(machine, state) {
                        // Drawing without success takes long, and does not count as work.
                        self.tick();
                        break Some(Outcome::Excluded);
                    }
                }
            }
            self.check_limits();
            if !self.limit_memory_of_run(state, delta) {
                break Some(self.drop_running());
            }
            if self.budget.is_stopped() {
                break None;
            }
        };
        self.end_run();
        state.path.seeds = PathSeeds::default();
        outcome.map_or(RandomRun::Stopped, RandomRun::Ended)
    }

    /// Reports the path of a random test, unless an earlier one took it.
    pub(super) fn end_random(
        &mut self,
        id: StateId,
        mut state: Box<State>,
        outcome: Outcome,
        delta: &mut Delta,
    ) {
        complete_digest(self.machine.program, &mut state, &outcome);
        let is_cut_short = is_cut_short(&outcome);
        if self.random.paths.insert(state.path.digest) && self.is_new(&state.path, is_cut_short) {
            delta.newly_tested += self.report(state, outcome);
        } else {
            self.results.totals.random.repeated += 1;
            delta.repeated.push(id);
            self.machine.recycle(&mut state);
        }
    }
}

impl RandomTests {
    /// Notes that a path was explored otherwise: an input that repeats it gives no second test.
    pub fn note_path(&mut self, digest: u64) {
        self.paths.insert(digest);
    }

    /// The input satisfies no case: changes the bytes that the cases depend on, and takes one.
    fn repair(
        &mut self,
        machine: &mut Machine,
        state: &mut State,
        request: &ForkRequest,
        draws: &mut Rng,
    ) -> bool {
        request.cases.iter().any(|case| {
            let bytes = machine.pool.support(case.condition);
            self.draw_again(machine, state, &bytes, case.condition, draws)
                && take_witness_case(machine, state, request)
        })
    }

    /// Draws bytes so that a condition and the path condition hold.
    fn draw_again(
        &mut self,
        machine: &mut Machine,
        state: &mut State,
        bytes: &[InputByte],
        condition: ExprId,
        draws: &mut Rng,
    ) -> bool {
        let path = &mut state.path;
        if bytes.is_empty() || bytes.len() > MAX_BYTES || path.unrepeatable {
            return false;
        }
        let mut draw = |width: u32| -> Option<Model> {
            let number = draws.next_u64() & u64::MAX.checked_shr(64 - width).unwrap_or(0);
            let mut model = path.witness.clone();
            for (position, &byte) in bytes.iter().enumerate() {
                model.set_byte(byte, (number >> (8 * position)) as u8);
            }
            let mut values = self.evaluator.under(&machine.pool, &model);
            let fits =
                values.holds(condition) && path.condition.conjuncts().all(|it| values.holds(it));
            fits.then_some(model)
        };
        // The widest numbers that fit are kept: they are drawn evenly, where narrow ones that
        // fit would all be small.
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
        machine.evaluator.forget();
        true
    }
}
