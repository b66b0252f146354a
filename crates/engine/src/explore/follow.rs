//! Running an input from the program's start, the way it goes, without asking the solver
//! and without leaving states behind: the other ways are somebody else's.
//!
//! Several workers come so to each other's states ([`super::jobs`]), concolic searchers have
//! inputs run so to the branch they were solved for ([`super::concolic`]), and random inputs
//! run so to their ends ([`super::random`]).
//!
//! What a path is held to comes out equivalent. Where somebody tried several values or
//! objects until one was kept, the input has the last of them, and says so at once.

use std::sync::Arc;

use byway_base::Input;
use byway_expr::{Added, Model};

use super::{Explorer, QUANTUM};
use crate::Seed;
use crate::bytecode::Op;
use crate::interp::Step;
use crate::program::Program;
use crate::seeds::{Follower, Following};
use crate::state::{State, place_of};
use crate::trail::Question;

/// Where everything that is followed sets out: the program's start, or its first question.
/// Nothing before that depends on input, so it is the same for every input.
#[derive(Default)]
pub(super) struct Home {
    pub state: Option<Box<State>>,
    /// Whether it is the first question.
    is_far: bool,
}

/// A place on a path.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) struct Spot {
    /// How many instructions lie behind it.
    pub instructions: u64,
    /// Function and operation, as one number.
    pub place: u64,
    /// The digest of the decisions until there.
    pub digest: u64,
}

impl Spot {
    /// Where a state is.
    pub fn of(state: &State) -> Spot {
        let (trail, top) = (&state.trail, state.stack.last());
        let place = top.map_or(0, |top| place_of(top, top.pc));
        Spot { instructions: trail.instructions, place, digest: trail.digest }
    }
}

/// How following ended.
pub(super) enum Followed {
    /// The state in the machine is where it should be.
    There,
    /// It is there, and asks.
    Asks(Question),
    /// The path leads elsewhere.
    Strayed,
    /// The exploration has to stop.
    Stopped,
}

impl Explorer<'_, '_, '_> {
    /// This is the program's start. It is kept if anybody will follow anything.
    pub(super) fn set_out_from(&mut self, start: &State) {
        if self.member.is_some() || self.manner.concolic || self.manner.random {
            self.home.state = Some(Box::new(start.clone()));
        }
    }

    /// The state in the machine follows an input, and asks: if nothing depended on input
    /// so far, every path comes by here, and can set out from here.
    pub(super) fn keep_home(&mut self, state: &State) {
        let trail = &state.trail;
        if std::mem::replace(&mut self.home.is_far, true)
            || !trail.condition.is_empty()
            || !trail.concretised.is_empty()
            || !trail.answers.is_empty()
            || trail.unrepeatable
        {
            return;
        }
        let mut home = Box::new(state.clone());
        home.trail.seeds = Following::default();
        self.home.state = Some(home);
    }

    /// Has the state in the machine go the way of its input to a spot: to where it stands
    /// there, or asks. Counts the instructions where it is told to.
    pub(super) fn follow_to(
        &mut self,
        state: &mut State,
        goal: Spot,
        asks: bool,
        count: fn(&mut Self, u64),
    ) -> Followed {
        loop {
            let left = goal.instructions.saturating_sub(state.trail.instructions);
            if !asks && left == 0 {
                return match Spot::of(state) == goal {
                    true => Followed::There,
                    false => Followed::Strayed,
                };
            }
            let (step, took) = self.machine.run(state, left.clamp(1, QUANTUM));
            count(self, took);
            match step {
                Step::Yield if state.trail.instructions > goal.instructions => {
                    return Followed::Strayed;
                }
                Step::Yield if self.stop.is_some() => return Followed::Stopped,
                Step::Yield => {}
                Step::End(_) => return Followed::Strayed,
                Step::Ask(question) => {
                    self.keep_home(state);
                    if asks && Spot::of(state) == goal {
                        return Followed::Asks(question);
                    }
                    if !self.go_way_of_witness(state, &question) {
                        return Followed::Strayed;
                    }
                }
            }
        }
    }

    /// Goes the witness's way, as [`Explorer::answer`] does, but alone; tells whether
    /// there is one.
    pub(super) fn go_way_of_witness(&mut self, state: &mut State, question: &Question) -> bool {
        let Some(taken) = self.way_of_witness(state, question) else { return false };
        let (trail, pool) = (&mut state.trail, &mut self.machine.pool);
        let mut others = question.ways.iter().enumerate().filter(|(way, _)| *way != taken);
        let sure = question.ways.len() > 1
            && others.all(|(_, way)| trail.condition.says(pool, way.condition) == Some(false));
        if !sure && trail.condition.add(pool, question.ways[taken].condition) == Added::False {
            return false;
        }
        trail.answers.push((question.key, taken as u32));
        true
    }
}

/// A state at home, whose inputs are to be these.
pub(super) fn set_out(state: &mut State, inputs: &[Input]) {
    let trail = &mut state.trail;
    let mut model = Model::new();
    for (&input, own) in trail.inputs.iter().zip(inputs) {
        model.set_object(input, own.bytes.as_slice());
    }
    let named = inputs.iter().map(|input| (input.name.clone(), Arc::from(&*input.bytes)));
    let seed = Arc::new(Seed { inputs: named.collect(), ..Seed::default() });
    trail.witness = model.clone();
    trail.seeds = Following::from(vec![Follower { seed, number: 0, model, fits: true }]);
}

/// Whether a state waits with a branch or a switch, whose ways are the same for every input.
pub(super) fn waits_with_branch(program: &Program, state: &State) -> bool {
    let Some(top) = state.stack.last() else { return false };
    let at = top.pc.saturating_sub(1);
    matches!(
        program.code(top.func).ops[at as usize],
        Op::Branch { .. }
            | Op::BranchEq { .. }
            | Op::BranchUlt { .. }
            | Op::BranchSlt { .. }
            | Op::Switch { .. }
    )
}
