//! Following an input: a state runs from the program's start and takes the case of its
//! witness at every fork request, without a query and without successors.
//!
//! Workers reach each other's states this way ([`super::workers`]), concolic searchers replay
//! inputs to the branch they were solved for ([`super::concolic`]), and random tests run to
//! their ends ([`super::random`]). A trace of any other source is followed by a [`Replay`] too.
//!
//! The path condition of a replayed state is equivalent to the original one. Where the
//! original tried several values or objects until one was kept, the input determines the last
//! of them at once.

use std::sync::Arc;

use byway_base::Input;
use byway_expr::{Added, Model};
use byway_search::{Case, Decision};

use super::budget::QUANTUM;
use crate::Seed;
use crate::bytecode::ByteOp;
use crate::interp::{Machine, Step};
use crate::path_info::{ForkRequest, PathInfo};
use crate::program::Program;
use crate::seeds::{PathSeed, PathSeeds};
use crate::state::{State, position_of};

/// Where replays start: the program's start, or its first fork request. Nothing before that
/// depends on input, so it is the same for every input. Owns a copy of that state.
#[derive(Default)]
pub(super) struct ReplayRoot {
    state: Option<Box<State>>,
    /// Whether the first fork request was reached.
    is_final: bool,
}

impl ReplayRoot {
    /// Replays start at `start`.
    pub fn at(start: &State) -> ReplayRoot {
        ReplayRoot { state: Some(Box::new(start.clone())), is_final: false }
    }

    /// The state at the root, if this exploration replays anything.
    pub fn state(&self) -> Option<&State> {
        self.state.as_deref()
    }

    /// A copy of the root state whose inputs will be these.
    pub fn start_replay(&self, inputs: &[Input]) -> Option<Box<State>> {
        let mut state = self.state.clone()?;
        let path = &mut state.path;
        let mut model = Model::new();
        for (input, own) in path.inputs.iter().zip(inputs) {
            model.set_object(input, own.bytes.as_slice());
        }
        let named = inputs.iter().map(|input| (input.name.clone(), Arc::from(&*input.bytes)));
        let seed = Arc::new(Seed::named(named));
        path.witness = model.clone();
        path.seeds = PathSeeds::from(vec![PathSeed::new(seed, 0, model)]);
        Some(state)
    }

    /// A state requests a fork while it follows an input. If it is the first such state and
    /// nothing has depended on input so far, every path passes here, and the root moves here.
    /// Returns whether it does.
    pub fn advance(&mut self, state: &State) -> bool {
        let path = &state.path;
        if std::mem::replace(&mut self.is_final, true)
            || !path.condition.is_empty()
            || !path.concretised.is_empty()
            || !path.answers.is_empty()
            || path.unrepeatable
        {
            return false;
        }
        let mut root = Box::new(state.clone());
        root.path.seeds = PathSeeds::default();
        self.state = Some(root);
        true
    }
}

/// The place of a position that is known by its instructions and decisions alone.
pub(super) const ANY_PLACE: u64 = u64::MAX;

/// The instructions of a position that is known by its decisions alone: the first fork request
/// after them.
pub(super) const ANY_INSTRUCTIONS: u64 = u64::MAX;

/// A position on a path.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) struct PathPosition {
    /// Instructions from the program's start.
    pub instructions: u64,
    /// Function and operation, as one number.
    pub place: u64,
    /// The digest of the decisions so far.
    pub digest: u64,
}

impl PathPosition {
    pub fn of(state: &State) -> PathPosition {
        let (path, top) = (&state.path, state.stack.last());
        let place = top.map_or(0, |top| position_of(top, top.pc));
        PathPosition { instructions: path.instructions, place, digest: path.digest }
    }

    /// Whether a state is at this position.
    fn is_of(self, state: &State) -> bool {
        let at = PathPosition::of(state);
        at.digest == self.digest
            && (self.place == ANY_PLACE || at.place == self.place)
            && (self.instructions == ANY_INSTRUCTIONS || at.instructions == self.instructions)
    }
}

/// How a replay ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Replayed {
    /// The state is at the goal.
    Arrived,
    /// The state is at the goal, and requests this fork.
    AtFork(ForkRequest),
    /// The input takes another path.
    Diverged,
    /// The exploration stops.
    Stopped,
    /// There is no room in memory for the state.
    NoRoom,
}

/// A state that follows its input to a position on a path.
pub(super) struct Replay {
    pub state: Box<State>,
    goal: PathPosition,
    /// Whether the goal is a fork request, rather than a point between two instructions.
    to_fork: bool,
}

impl Replay {
    pub fn new(state: Box<State>, goal: PathPosition, to_fork: bool) -> Replay {
        Replay { state, goal, to_fork }
    }

    /// The end, if the goal is between two instructions and as many have run.
    pub fn arrived(&self) -> Option<Replayed> {
        if self.to_fork || self.state.path.instructions < self.goal.instructions {
            return None;
        }
        match self.goal.is_of(&self.state) {
            true => Some(Replayed::Arrived),
            false => Some(Replayed::Diverged),
        }
    }

    /// Runs towards the goal. The caller counts the instructions, then calls [`Self::step`].
    pub fn run(&mut self, machine: &mut Machine) -> (Step, u64) {
        let left = self.goal.instructions.saturating_sub(self.state.path.instructions);
        machine.run(&mut self.state, left.clamp(1, QUANTUM))
    }

    /// Handles the end of a run; `None` if the replay continues.
    pub fn step(
        &mut self,
        step: Step,
        machine: &mut Machine,
        root: &mut ReplayRoot,
        is_stopped: bool,
    ) -> Option<Replayed> {
        match step {
            Step::Yield if self.state.path.instructions > self.goal.instructions => {
                Some(Replayed::Diverged)
            }
            Step::Yield if is_stopped => Some(Replayed::Stopped),
            Step::Yield | Step::Watch(_) => None,
            Step::NoRoom(_) => Some(Replayed::NoRoom),
            Step::End(_) => Some(Replayed::Diverged),
            Step::Fork(request) => {
                root.advance(&self.state);
                if self.to_fork && self.goal.is_of(&self.state) {
                    return Some(Replayed::AtFork(request));
                }
                match take_witness_case(machine, &mut self.state, &request) {
                    true => None,
                    false => Some(Replayed::Diverged),
                }
            }
        }
    }
}

/// The index of the case that the witness of a state satisfies.
pub(super) fn witness_case(
    machine: &mut Machine,
    state: &State,
    request: &ForkRequest,
) -> Option<usize> {
    let witness = &state.path.witness;
    let (evaluator, pool) = (&mut machine.evaluator, &machine.pool);
    request.cases.iter().position(|case| match pool.holds_by_byte(case.condition, witness) {
        Some(holds) => holds,
        None => evaluator.value(pool, witness, case.condition) != 0,
    })
}

/// Takes the case of the witness, as a fork does, but without successors; returns whether
/// there is one.
pub(super) fn take_witness_case(
    machine: &mut Machine,
    state: &mut State,
    request: &ForkRequest,
) -> bool {
    let Some(taken) = witness_case(machine, state, request) else { return false };
    let (path, pool) = (&mut state.path, &mut machine.pool);
    let mut others = request.cases.iter().enumerate().filter(|(index, _)| *index != taken);
    let is_implied = request.cases.len() > 1
        && others.all(|(_, case)| path.condition.decide(pool, case.condition) == Some(false));
    if !is_implied && path.condition.add(pool, request.cases[taken].condition) == Added::False {
        return false;
    }
    path.answers.push((request.key, taken as u32));
    if !is_implied {
        record_fork(machine.program, path, request, taken);
    }
    record(state, request, taken);
    true
}

/// Records a decision of a path that another may follow.
pub(super) fn record(state: &mut State, request: &ForkRequest, index: usize) {
    if state.path.partial.is_some()
        && let Some(top) = state.stack.last()
    {
        let position = position_of(top, top.pc.saturating_sub(1));
        state.path.record(position, request, index);
    }
}

/// Records a fork, if it is one at a branch and branches are recorded.
pub(super) fn record_fork(
    program: &Program,
    path: &mut PathInfo,
    request: &ForkRequest,
    index: usize,
) {
    if program.traces_branches && request.decision == Decision::Branch {
        path.fork_at_branch(request.cases[index].case == Case::TRUE);
    }
}

/// Whether a state is suspended at a branch or a switch, whose cases are the same for every
/// input.
pub(super) fn is_at_branch(program: &Program, state: &State) -> bool {
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
