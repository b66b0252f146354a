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
use crate::bytecode::ByteOp;
use crate::interp::Step;
use crate::path_info::ForkRequest;
use crate::program::Program;
use crate::seeds::{PathSeed, PathSeeds};
use crate::state::{State, place_of};

/// Where everything that is followed sets out: the program's start, or its first question.
/// Nothing before that depends on input, so it is the same for every input.
#[derive(Default)]
pub(super) struct ReplayRoot {
    pub state: Option<Box<State>>,
    /// Whether it is the first question.
    is_far: bool,
}

/// A place on a path.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) struct PathPosition {
    /// How many instructions lie behind it.
    pub instructions: u64,
    /// Function and operation, as one number.
    pub place: u64,
    /// The digest of the decisions until there.
    pub digest: u64,
}

impl PathPosition {
    /// Where a state is.
    pub fn of(state: &State) -> PathPosition {
        let (path, top) = (&state.path, state.stack.last());
        let place = top.map_or(0, |top| place_of(top, top.pc));
        PathPosition { instructions: path.instructions, place, digest: path.digest }
    }
}

/// How following ended.
pub(super) enum Followed {
    /// The state in the machine is where it should be.
    There,
    /// It is there, and asks.
    Asks(ForkRequest),
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
        let path = &state.path;
        if std::mem::replace(&mut self.home.is_far, true)
            || !path.condition.is_empty()
            || !path.concretised.is_empty()
            || !path.answers.is_empty()
            || path.unrepeatable
        {
            return;
        }
        let mut home = Box::new(state.clone());
        home.path.seeds = PathSeeds::default();
        self.home.state = Some(home);
    }

    /// Has the state in the machine go the way of its input to a spot: to where it stands
    /// there, or asks. Counts the instructions where it is told to.
    pub(super) fn follow_to(
        &mut self,
        state: &mut State,
        goal: PathPosition,
        asks: bool,
        count: fn(&mut Self, u64),
    ) -> Followed {
        loop {
            let left = goal.instructions.saturating_sub(state.path.instructions);
            if !asks && left == 0 {
                return match PathPosition::of(state) == goal {
                    true => Followed::There,
                    false => Followed::Strayed,
                };
            }
            let (step, took) = self.machine.run(state, left.clamp(1, QUANTUM));
            count(self, took);
            match step {
                Step::Yield if state.path.instructions > goal.instructions => {
                    return Followed::Strayed;
                }
                Step::Yield if self.stop.is_some() => return Followed::Stopped,
                Step::Yield => {}
                Step::End(_) => return Followed::Strayed,
                Step::Fork(request) => {
                    self.keep_home(state);
                    if asks && PathPosition::of(state) == goal {
                        return Followed::Asks(request);
                    }
                    if !self.go_way_of_witness(state, &request) {
                        return Followed::Strayed;
                    }
                }
            }
        }
    }

    /// Goes the witness's way, as [`Explorer::answer`] does, but alone; tells whether
    /// there is one.
    pub(super) fn go_way_of_witness(&mut self, state: &mut State, request: &ForkRequest) -> bool {
        let Some(taken) = self.way_of_witness(state, request) else { return false };
        let (path, pool) = (&mut state.path, &mut self.machine.pool);
        let mut others = request.cases.iter().enumerate().filter(|(way, _)| *way != taken);
        let sure = request.cases.len() > 1
            && others.all(|(_, way)| path.condition.decide(pool, way.condition) == Some(false));
        if !sure && path.condition.add(pool, request.cases[taken].condition) == Added::False {
            return false;
        }
        path.answers.push((request.key, taken as u32));
        true
    }
}

/// A state at home, whose inputs are to be these.
pub(super) fn start_replay(state: &mut State, inputs: &[Input]) {
    let path = &mut state.path;
    let mut model = Model::new();
    for (&input, own) in path.inputs.iter().zip(inputs) {
        model.set_object(input, own.bytes.as_slice());
    }
    let named = inputs.iter().map(|input| (input.name.clone(), Arc::from(&*input.bytes)));
    let seed = Arc::new(Seed { inputs: named.collect(), ..Seed::default() });
    path.witness = model.clone();
    path.seeds = PathSeeds::from(vec![PathSeed { seed, number: 0, model, fits: true }]);
}

/// Whether a state waits with a branch or a switch, whose ways are the same for every input.
pub(super) fn waits_with_branch(program: &Program, state: &State) -> bool {
    let Some(top) = state.stack.last() else { return false };
    let at = top.pc.saturating_sub(1);
    matches!(
        program.code(top.func).ops[at as usize],
        ByteOp::Branch { .. }
            | ByteOp::BranchEq { .. }
            | ByteOp::BranchUlt { .. }
            | ByteOp::BranchSlt { .. }
            | ByteOp::Switch { .. }
    )
}
