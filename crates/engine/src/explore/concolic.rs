//! Concolic runs: a way that was solved is gone by running its input from the program's
//! start.
//!
//! What the solver says of a path and what the program does with an input can differ: where
//! the program acts on a value of an earlier input that nothing holds it to (the name of a
//! file of the host, `klee_get_value`), the new input may lead elsewhere. Then it is a
//! *divergence*: it is counted, and the way is given up. The path that the input really takes
//! is left alone, since another state is on it, or will be.
//!
//! An input that comes to its branch has done all that the state had done which waits there,
//! by construction; so that goes on, and what leads to it is dropped. It knows which values
//! were excluded where an instruction tries them one by one.

use byway_search::{Delta, StateId};

use super::Explorer;
use super::ending::inputs;
use super::follow::{Followed, PathPosition, start_replay, waits_with_branch};
use crate::state::State;

/// How many divergences are told one by one.
const TOLD: u64 = 5;

impl Explorer<'_, '_, '_> {
    /// Runs the input of a state that has just been solved to where the state waits; the
    /// state, if it comes there.
    pub(super) fn run_from_start(
        &mut self,
        id: StateId,
        mut state: Box<State>,
        delta: &mut Delta,
    ) -> Option<Box<State>> {
        self.apply_preferences(&mut state.path);
        let Some(mut start) = self.home.state.clone() else { return Some(state) };
        start_replay(&mut start, &inputs(&self.machine.pool, &state.path));
        let warnings = self.machine.warnings.clone();
        self.machine.evaluator.forget();
        let followed =
            self.follow_to(&mut start, PathPosition::of(&state), true, Explorer::count_followed);
        let followed = self.at_branch(followed, &start, &state);
        // What the program says and lacks on the way was told before, and what it covers
        // on a way that nobody meant it to go is no path's.
        self.machine.messages.clear();
        self.machine.coverage.fresh.clear();
        self.machine.warnings = warnings;
        self.machine.recycle(&mut start);
        match followed {
            Followed::There | Followed::Asks(_) => return Some(state),
            // It is known to be possible, and so gives its test.
            Followed::Stopped => self.frontier.put(id, state),
            Followed::Strayed => self.diverge(id, &state, delta),
        }
        None
    }

    /// An input that comes to its branch has to go the way it was solved for, or one of them.
    fn at_branch(&mut self, followed: Followed, came: &State, state: &State) -> Followed {
        let Followed::Asks(request) = &followed else { return followed };
        if !waits_with_branch(self.machine.program, state) {
            return followed;
        }
        let Some(goes) = self.way_of_witness(came, request) else { return Followed::Strayed };
        let path = &state.path;
        let is_meant = match (path.answers.last(), &path.party) {
            (Some(&(_, way)), _) => way as usize == goes,
            (None, Some(party)) => party.contains(&goes),
            (None, None) => true,
        };
        if is_meant { followed } else { Followed::Strayed }
    }

    fn count_followed(&mut self, instructions: u64) {
        self.totals.instructions += instructions;
        self.totals.followed += instructions;
        if instructions >= super::QUANTUM {
            self.tick();
        }
        self.look_at_limits();
    }

    /// Where a state waits, for a person.
    fn place_of_question(&self, state: &State) -> String {
        let Some(top) = state.stack.last() else { return "the start".into() };
        let program = self.machine.program;
        let block = program.code(top.func).block_at(top.pc.saturating_sub(1));
        let func = &program.module.funcs[top.func];
        match func.blocks[block].term_loc.map(|loc| program.module.src_loc(loc)) {
            Some(at) => format!("{}:{}", at.file, at.line),
            None => format!("function '{}'", func.name),
        }
    }

    fn diverge(&mut self, id: StateId, state: &State, delta: &mut Delta) {
        self.totals.losses.diverged += 1;
        self.sides.count_waiting(self.machine.program, state, |side| &mut side.dropped);
        delta.dropped.push(id);
        if self.totals.losses.diverged <= TOLD {
            let place = self.place_of_question(state);
            self.desk.message(&format!("an input solved for a way from {place} took another path"));
        }
    }
}
