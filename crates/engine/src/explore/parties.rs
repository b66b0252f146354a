//! Who goes the ways beside the witness's: a state for each, or one for several.
//!
//! A switch over a byte of input can have dozens of ways. A state and a query for each are
//! a high price where tests have gone all of them: where a loop holds such a switch (who
//! quotes a string for a message), its states soon outnumber all others. So a way of a
//! switch gets a state of its own only if it leads to a site that no test covers. The rest
//! goes in two parties. A state that stands for a party is asked the same question again
//! when it runs: it goes the way of its own witness, and leaves what remains likewise.
//! Nothing is lost, it is put off; and since parties are halves, few forks lie between the
//! first question and any way. They count as one in the depth of a path, and searchers hear
//! that a party parts again, or goes on alone, where it had parted before.

use std::rc::Rc;

use byway_search::{Case, Decision};

use super::Explorer;
use super::facts::way_ahead;
use crate::bytecode::ByteOp;
use crate::path_info::{ForkCase, ForkRequest};
use crate::state::State;

/// The case of the first way that a state stands for, and those of the others.
pub(super) type Cases = (Case, Vec<Case>);

/// Ways that one state stands for.
pub(super) struct CaseGroup {
    /// The place of the first in the question.
    first: usize,
    /// The places of the others; mostly there are none.
    others: Vec<usize>,
    /// Any of them. It has the case of the first.
    pub way: ForkCase,
}

impl CaseGroup {
    /// One way.
    pub fn of(request: &ForkRequest, number: usize) -> CaseGroup {
        CaseGroup { first: number, others: Vec::new(), way: request.cases[number] }
    }

    /// Its only way, if it has just one.
    pub fn alone(&self) -> Option<usize> {
        self.others.is_empty().then_some(self.first)
    }

    /// The places of its ways in the question.
    pub fn numbers(&self) -> impl Iterator<Item = usize> {
        std::iter::once(self.first).chain(self.others.iter().copied())
    }

    /// The case of its first way, and those of the others.
    pub fn cases(&self, request: &ForkRequest) -> Cases {
        let others = self.others.iter().map(|&number| request.cases[number].case);
        (self.way.case, others.collect())
    }
}

/// The ways that a state leaves to others when it goes one. If it stands for a party, these
/// are the party's: it is the same fork again, and no deeper.
pub(super) fn ways_beside(state: &mut State, request: &ForkRequest, taken: usize) -> Vec<usize> {
    let path = &mut state.path;
    let mut ways = match path.party.take() {
        Some(party) => {
            path.depth -= 1;
            Rc::unwrap_or_clone(party)
        }
        None => (0..request.cases.len()).collect(),
    };
    ways.retain(|&way| way != taken);
    ways
}

impl Explorer<'_, '_, '_> {
    /// Ways beside the one taken, as states are to go them. Where seeds go some of them, each
    /// goes alone.
    pub(super) fn parties(
        &mut self,
        state: &State,
        request: &ForkRequest,
        ways: Vec<usize>,
        seeded: bool,
    ) -> Vec<CaseGroup> {
        if request.decision != Decision::Switch || seeded || request.cases.len() <= 3 {
            return ways.into_iter().map(|way| CaseGroup::of(request, way)).collect();
        }
        let (known, new): (Vec<usize>, Vec<usize>) =
            ways.into_iter().partition(|&way| !self.is_new(state, way));
        let half = known.len().div_ceil(2).max(1);
        let alone = new.into_iter().map(|way| CaseGroup::of(request, way));
        let mut parties: Vec<CaseGroup> = alone.collect();
        parties.extend(known.chunks(half).filter_map(|half| {
            let (&first, others) = half.split_first()?;
            Some(self.together(request, first, others))
        }));
        parties
    }

    /// Whether a way of the state in the machine leads to a site that no test covers.
    fn is_new(&self, state: &State, way: usize) -> bool {
        let Some(top) = state.stack.last() else { return false };
        let code = self.machine.program.code(top.func);
        let ahead = way_ahead(code, top.pc.saturating_sub(1), way);
        match code.ops.get(ahead as usize) {
            Some(&ByteOp::Cover { site, .. }) => !self.machine.coverage.is_credited(site),
            _ => false,
        }
    }

    fn together(&mut self, request: &ForkRequest, first: usize, others: &[usize]) -> CaseGroup {
        let mut way = request.cases[first];
        for &other in others {
            way.condition = self.machine.pool.or(way.condition, request.cases[other].condition);
        }
        CaseGroup { first, others: others.to_vec(), way }
    }
}
