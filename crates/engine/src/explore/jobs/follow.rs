//! From a state to its trace, and from a trace to a state again.
//!
//! Following goes the way of the trace's input at every question, asks no solver and
//! leaves no state behind: the other ways are somebody else's. What the path is held to
//! comes out equivalent. Where the sender tried several values or objects until one was
//! kept, the input has the last of them, and says so at once.
//!
//! That holds for instructions that are through. One that waits with an answer given
//! could have excluded values already, so a state is moved only if it waits with a branch
//! or a switch, whose ways are the same for every input. It must have forked there: where
//! the solver found one way alone to be possible, a receiver may know that without asking,
//! since it adds what its input satisfies although the rest of the path implies it. (States
//! come back to the store where they forked or between instructions, never elsewhere.)

use std::sync::Arc;

use byway_expr::{Added, Model};

use super::super::Explorer;
use super::super::ending::inputs;
use super::trace::{Trace, Way};
use crate::Seed;
use crate::bytecode::Op;
use crate::interp::Step;
use crate::program::Program;
use crate::seeds::{Follower, Following};
use crate::state::{State, place_of};
use crate::trail::Question;

/// What is told of a trace that did not lead where it should: a bug of ours.
pub const DIVERGED: &str = "a path that another job could not follow";

impl Explorer<'_, '_, '_> {
    /// How another worker comes to a state; `None` if it has to stay here.
    pub(super) fn trace_of(&self, state: &State) -> Option<Trace> {
        let trail = &state.trail;
        if trail.unrepeatable || !trail.seeds.is_empty() {
            return None;
        }
        let way = match (trail.suspended, trail.answers.as_slice()) {
            (false, []) if trail.pending.is_none() => None,
            (true, &[(_, way)]) if waits_with_branch(self.machine.program, state) => {
                Some(Way { number: way, pending: trail.pending.is_some() })
            }
            _ => return None,
        };
        Some(Trace {
            instructions: trail.instructions,
            place: place(state),
            digest: trail.digest,
            depth: trail.depth,
            wishes_met: u32::try_from(trail.wishes_met).ok()?,
            effort: trail.effort,
            way,
            inputs: inputs(&self.machine.pool, trail),
        })
    }

    /// Comes to the state of a trace; `None` if the trace does not lead where it should.
    pub(super) fn follow(&mut self, trace: &Trace) -> Option<Box<State>> {
        let warnings = self.machine.warnings.clone();
        let mut start = Box::new(self.member.as_ref()?.home()?.clone());
        set_out(&mut start, trace);
        self.machine.sight.forget();
        self.machine.switch_to(start);
        let arrived = self.go_along(trace);
        // What the program says and lacks on the way was told by whoever went it first.
        self.machine.messages.clear();
        self.machine.warnings = warnings;
        let mut state = self.take_state();
        self.machine.sight.forget();
        let trail = &mut state.trail;
        trail.seeds = Following::default();
        trail.depth = trace.depth;
        trail.effort = trace.effort;
        trail.wishes_met = trace.wishes_met as usize;
        arrived.then_some(state)
    }

    /// Has the state in the machine go along the trace; tells whether it arrived.
    fn go_along(&mut self, trace: &Trace) -> bool {
        loop {
            let left = trace.instructions.saturating_sub(self.machine.state.trail.instructions);
            if trace.way.is_none() && left == 0 {
                return is_there(&self.machine.state, trace);
            }
            let (step, took) = self.machine.run(left.max(1));
            self.count_followed(took);
            match step {
                Step::Yield if self.machine.state.trail.instructions > trace.instructions => {
                    return false;
                }
                Step::Yield => {}
                Step::End(_) => return false,
                Step::Ask(question) => {
                    self.keep_home();
                    match trace.way {
                        Some(way) if is_there(&self.machine.state, trace) => {
                            return self.part(&question, way);
                        }
                        _ if !self.go_way_of_witness(&question) => return false,
                        _ => {}
                    }
                }
            }
        }
    }

    /// Goes the witness's way, as [`Explorer::answer`] does, but alone.
    fn go_way_of_witness(&mut self, question: &Question) -> bool {
        let Some(taken) = self.way_of_witness(question) else { return false };
        let (trail, pool) = (&mut self.machine.state.trail, &mut self.machine.pool);
        let mut others = question.ways.iter().enumerate().filter(|(way, _)| *way != taken);
        let sure = question.ways.len() > 1
            && others.all(|(_, way)| trail.condition.says(pool, way.condition) == Some(false));
        if !sure && trail.condition.add(pool, question.ways[taken].condition) == Added::False {
            return false;
        }
        trail.answers.push((question.key, taken as u32));
        true
    }

    /// Stands before the branch that the trace ends with: goes its way.
    fn part(&mut self, question: &Question, way: Way) -> bool {
        let number = way.number as usize;
        if !way.pending {
            return self.way_of_witness(question) == Some(number)
                && self.go_way_of_witness(question);
        }
        let Some(chosen) = question.ways.get(number) else { return false };
        let trail = &mut self.machine.state.trail;
        trail.pending = Some(chosen.condition);
        trail.answers.push((question.key, way.number));
        true
    }
}

/// A state at the program's start, or at the first question, whose inputs are those of
/// a trace.
pub(super) fn set_out(state: &mut State, trace: &Trace) {
    let trail = &mut state.trail;
    let mut model = Model::new();
    for (&input, own) in trail.inputs.iter().zip(&trace.inputs) {
        model.set_object(input, own.bytes.as_slice());
    }
    let named = trace.inputs.iter().map(|input| (input.name.clone(), Arc::from(&*input.bytes)));
    let seed = Arc::new(Seed { inputs: named.collect(), ..Seed::default() });
    trail.witness = model.clone();
    trail.seeds = Following::from(vec![Follower { seed, number: 0, model, fits: true }]);
}

fn is_there(state: &State, trace: &Trace) -> bool {
    let trail = &state.trail;
    (trail.instructions, trail.digest, place(state))
        == (trace.instructions, trace.digest, trace.place)
}

fn place(state: &State) -> u64 {
    state.stack.last().map_or(0, |top| place_of(top, top.pc))
}

fn waits_with_branch(program: &Program, state: &State) -> bool {
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
