//! The CDCL search loop: propagate, analyse conflicts, restart, decide.

use super::clauses::ClauseId;
use super::lit::Lit;
use super::propagate::ClauseWatch;
use super::{AssignmentReason, SatSolver, SearchOutcome};
use crate::budget::Cancellation;

/// The number of learnt clauses that triggers the first reduction.
pub const FIRST_REDUCTION: usize = 2_000;

/// The least number of learnt clauses between two reductions.
const REDUCTION_STEP: usize = 500;

/// Effort between two polls for cancellation: some milliseconds.
const EFFORT_PER_POLL: u64 = 100_000;

/// The effort of a decision, in watches visited.
const EFFORT_PER_DECISION: u64 = 4;

/// Conflicts before a restart, multiplied by Luby's sequence.
const CONFLICTS_PER_RESTART: u64 = 64;

/// Luby's sequence, from index zero: 1 1 2 1 1 2 4 1 1 2 1 1 2 4 8 ...
fn luby(mut at: u64) -> u64 {
    loop {
        let length = (at + 2).next_power_of_two() - 1;
        if at + 1 == length {
            return length.div_ceil(2);
        }
        at -= length / 2;
    }
}

impl SatSolver {
    /// The length of the prefix of `assumptions` that the trail still holds.
    pub fn shared_levels(&self, assumptions: &[Lit]) -> usize {
        let same = self.assumptions.iter().zip(assumptions).take_while(|(a, b)| a == b).count();
        same.min(self.levels.len())
    }

    /// Searches for a model of all clauses under the assumptions.
    pub fn search(
        &mut self,
        assumptions: &[Lit],
        effort: u64,
        cancellation: Cancellation,
    ) -> SearchOutcome {
        if self.unsatisfiable {
            return SearchOutcome::Unsat(Vec::new());
        }
        self.backtrack(self.shared_levels(assumptions));
        self.assumptions.clear();
        self.assumptions.extend_from_slice(assumptions);
        let end = self.effort.saturating_add(effort);
        let mut next_poll = self.effort.saturating_add(EFFORT_PER_POLL);
        let (mut restarts, mut conflicts) = (0, 0);
        loop {
            if let Some(conflict) = self.propagate() {
                let level = self.conflict_level(conflict);
                if level == 0 {
                    self.unsatisfiable = true;
                    return SearchOutcome::Unsat(Vec::new());
                }
                conflicts += 1;
                self.backtrack(level);
                let learnt = self.analyse(conflict);
                self.backtrack(learnt.level);
                self.learn(&learnt.lits, learnt.levels);
                continue;
            }
            if self.effort > end {
                return SearchOutcome::Unknown;
            }
            if self.effort > next_poll {
                next_poll = self.effort.saturating_add(EFFORT_PER_POLL);
                if cancellation.reason().is_some() {
                    return SearchOutcome::Unknown;
                }
            }
            if conflicts >= CONFLICTS_PER_RESTART * luby(restarts) {
                (restarts, conflicts) = (restarts + 1, 0);
                self.backtrack(self.assumptions.len());
                if self.clauses.learnt() > self.max_learnt {
                    self.reduce();
                }
                continue;
            }
            match self.assumptions.get(self.levels.len()).copied() {
                Some(assumption) if self.val(assumption) < 0 => {
                    return SearchOutcome::Unsat(self.assumption_core(assumption));
                }
                Some(assumption) => self.decide(assumption),
                None => match self.next_decision() {
                    Some(decision) => self.decide(decision),
                    None => return SearchOutcome::Sat,
                },
            }
        }
    }

    /// Opens a level for a literal, which may be true already.
    fn decide(&mut self, lit: Lit) {
        self.effort += EFFORT_PER_DECISION;
        self.levels.push(self.trail.len());
        if self.val(lit) == 0 {
            self.assign(lit, AssignmentReason::None);
        }
    }

    fn next_decision(&mut self) -> Option<Lit> {
        while self.unassigned > 0 {
            let var = self.order.pop()?;
            if !self.is_assigned(var) && self.relevant[var.index()] {
                return Some(var.is(self.phases[var.index()]));
            }
        }
        None
    }

    fn learn(&mut self, lits: &[Lit], levels: u32) {
        let reason = match *lits {
            [_] => AssignmentReason::None,
            [first, second] => {
                self.watches[first.index()].push(ClauseWatch::binary(second));
                self.watches[second.index()].push(ClauseWatch::binary(first));
                AssignmentReason::Binary(second)
            }
            _ => {
                let at = self.clauses.add(lits, Some(levels));
                self.watches[lits[0].index()].push(ClauseWatch::clause(at, lits[1]));
                self.watches[lits[1].index()].push(ClauseWatch::clause(at, lits[0]));
                AssignmentReason::Clause(at)
            }
        };
        self.assign(lits[0], reason);
    }

    /// Deletes half of the learnt clauses that were of little use.
    fn reduce(&mut self) {
        let locked: Vec<ClauseId> = {
            let reason_clause = |lit: &Lit| match self.vars[lit.var().index()].reason {
                AssignmentReason::Clause(at) => Some(at),
                _ => None,
            };
            let mut locked: Vec<ClauseId> = self.trail.iter().filter_map(reason_clause).collect();
            locked.sort_unstable();
            locked
        };
        self.clauses.reduce(|at| locked.binary_search(&at).is_ok());
        self.max_learnt = self.clauses.learnt() + REDUCTION_STEP.max(self.clauses.learnt() / 2);
        let SatSolver { watches, clauses, .. } = self;
        for list in watches.iter_mut() {
            list.retain(|watch| watch.long().is_none_or(|at| !clauses.is_deleted(at)));
        }
        if self.clauses.needs_compaction() {
            let moved = self.clauses.compact();
            for list in &mut self.watches {
                for watch in list {
                    if let Some(at) = watch.long() {
                        *watch = watch.moved(moved(at));
                    }
                }
            }
            for lit in &self.trail {
                let reason = &mut self.vars[lit.var().index()].reason;
                if let AssignmentReason::Clause(at) = reason {
                    *reason = AssignmentReason::Clause(moved(*at));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::luby;

    #[test]
    fn restarts_follow_lubys_sequence() {
        let sequence: Vec<u64> = (0..15).map(luby).collect();
        assert_eq!(sequence, [1, 1, 2, 1, 1, 2, 4, 1, 1, 2, 1, 1, 2, 4, 8]);
    }
}
