//! The search itself: decide, propagate, learn from conflicts, start over now and then.

use super::clauses::ClauseId;
use super::lit::Lit;
use super::propagate::Watch;
use super::{Reason, SatSolver, SearchOutcome};
use crate::budget::Cancellation;

/// Learnt clauses are first thinned out when there are so many.
pub const FIRST_REDUCTION: usize = 2_000;

/// From then on, after so many more each time.
const REDUCTION_STEP: usize = 500;

/// The clock is looked at after so much effort: some milliseconds.
const EFFORT_PER_LOOK: u64 = 100_000;

/// What a decision and its place in the order take, in watches looked at.
const EFFORT_PER_DECISION: u64 = 4;

/// Conflicts before the first new start; Luby's series multiplies it.
const CONFLICTS_PER_START: u64 = 64;

/// 1 1 2 1 1 2 4 1 1 2 1 1 2 4 8 ...: Luby's series, from zero.
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
    /// How many of the assumptions are those of the last search, and still hold.
    pub fn held(&self, assumptions: &[Lit]) -> usize {
        let same = self.assumptions.iter().zip(assumptions).take_while(|(a, b)| a == b).count();
        same.min(self.levels.len())
    }

    /// Whether all clauses can be met under the assumptions.
    pub fn search(
        &mut self,
        assumptions: &[Lit],
        effort: u64,
        cancellation: Cancellation,
    ) -> SearchOutcome {
        if self.contradictory {
            return SearchOutcome::Unsat(Vec::new());
        }
        self.back_to(self.held(assumptions));
        self.assumptions.clear();
        self.assumptions.extend_from_slice(assumptions);
        let end = self.effort.saturating_add(effort);
        let mut look = self.effort.saturating_add(EFFORT_PER_LOOK);
        let (mut starts, mut conflicts) = (0, 0);
        loop {
            if let Some(conflict) = self.propagate() {
                let level = self.conflict_level(conflict);
                if level == 0 {
                    self.contradictory = true;
                    return SearchOutcome::Unsat(Vec::new());
                }
                conflicts += 1;
                self.back_to(level);
                let lesson = self.analyse(conflict);
                self.back_to(lesson.level);
                self.learn(&lesson.lits, lesson.levels);
                continue;
            }
            if self.effort > end {
                return SearchOutcome::Unknown;
            }
            if self.effort > look {
                look = self.effort.saturating_add(EFFORT_PER_LOOK);
                if cancellation.reason().is_some() {
                    return SearchOutcome::Unknown;
                }
            }
            if conflicts >= CONFLICTS_PER_START * luby(starts) {
                (starts, conflicts) = (starts + 1, 0);
                self.back_to(self.assumptions.len());
                if self.clauses.learnt() > self.most_learnt {
                    self.reduce();
                }
                continue;
            }
            match self.assumptions.get(self.levels.len()).copied() {
                Some(assumed) if self.val(assumed) < 0 => {
                    return SearchOutcome::Unsat(self.blamed_for(assumed));
                }
                Some(assumed) => self.decide(assumed),
                None => match self.next_open() {
                    Some(decision) => self.decide(decision),
                    None => return SearchOutcome::Sat,
                },
            }
        }
    }

    /// A new level, for a literal that may be true already.
    fn decide(&mut self, lit: Lit) {
        self.effort += EFFORT_PER_DECISION;
        self.levels.push(self.trail.len());
        if self.val(lit) == 0 {
            self.assign(lit, Reason::None);
        }
    }

    fn next_open(&mut self) -> Option<Lit> {
        while self.open > 0 {
            let var = self.order.pop()?;
            if !self.is_assigned(var) && self.relevant[var.index()] {
                return Some(var.is(self.phases[var.index()]));
            }
        }
        None
    }

    fn learn(&mut self, lits: &[Lit], levels: u32) {
        let reason = match *lits {
            [_] => Reason::None,
            [first, second] => {
                self.watches[first.index()].push(Watch::binary(second));
                self.watches[second.index()].push(Watch::binary(first));
                Reason::Binary(second)
            }
            _ => {
                let at = self.clauses.add(lits, Some(levels));
                self.watches[lits[0].index()].push(Watch::clause(at, lits[1]));
                self.watches[lits[1].index()].push(Watch::clause(at, lits[0]));
                Reason::Clause(at)
            }
        };
        self.assign(lits[0], reason);
    }

    /// Deletes learnt clauses of little use.
    fn reduce(&mut self) {
        let locked: Vec<ClauseId> = {
            let of = |lit: &Lit| match self.assigned[lit.var().index()].reason {
                Reason::Clause(at) => Some(at),
                _ => None,
            };
            let mut locked: Vec<ClauseId> = self.trail.iter().filter_map(of).collect();
            locked.sort_unstable();
            locked
        };
        self.clauses.reduce(|at| locked.binary_search(&at).is_ok());
        self.most_learnt = self.clauses.learnt() + REDUCTION_STEP.max(self.clauses.learnt() / 2);
        let SatSolver { watches, clauses, .. } = self;
        for list in watches.iter_mut() {
            list.retain(|watch| watch.long().is_none_or(|at| !clauses.is_deleted(at)));
        }
        if self.clauses.is_wasteful() {
            let moved = self.clauses.compact();
            for list in &mut self.watches {
                for watch in list {
                    if let Some(at) = watch.long() {
                        *watch = watch.moved(moved(at));
                    }
                }
            }
            for lit in &self.trail {
                let reason = &mut self.assigned[lit.var().index()].reason;
                if let Reason::Clause(at) = reason {
                    *reason = Reason::Clause(moved(*at));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::luby;

    #[test]
    fn starts_follow_lubys_series() {
        let series: Vec<u64> = (0..15).map(luby).collect();
        assert_eq!(series, [1, 1, 2, 1, 1, 2, 4, 1, 1, 2, 1, 1, 2, 4, 8]);
    }
}
