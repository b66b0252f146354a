//! Conflict analysis: learns the first-UIP clause, or the core of failed assumptions.

use super::lit::{Lit, Var};
use super::propagate::Conflict;
use super::{AssignmentReason, SatSolver};

/// A clause learnt from a conflict.
pub struct LearntClause {
    /// The first literal is asserted by the clause after backtracking; the second, if
    /// there is one, belongs to the level to backtrack to.
    pub lits: Vec<Lit>,
    /// The level to backtrack to.
    pub level: usize,
    /// The number of distinct levels among the literals (LBD).
    pub levels: u32,
}

impl SatSolver {
    fn level(&self, lit: Lit) -> usize {
        self.vars[lit.var().index()].level as usize
    }

    fn reason(&self, var: Var) -> AssignmentReason {
        self.vars[var.index()].reason
    }

    /// The false literals of a conflicting clause.
    fn conflict_lits(&mut self, conflict: Conflict, causes: &mut Vec<Lit>) {
        match conflict {
            Conflict::Binary(a, b) => causes.extend([a, b]),
            Conflict::Clause(at) => {
                self.clauses.mark_used(at);
                causes.extend(self.clauses.words(at).iter().map(|&word| Lit::from_word(word)));
            }
        }
    }

    /// The false literals that imply a variable's value.
    fn causes(&mut self, var: Var, causes: &mut Vec<Lit>) {
        match self.reason(var) {
            AssignmentReason::None => {}
            AssignmentReason::Binary(other) => causes.push(other),
            AssignmentReason::Clause(at) => {
                self.clauses.mark_used(at);
                let words = self.clauses.words(at);
                debug_assert_eq!(
                    Lit::from_word(words[0]).var(),
                    var,
                    "the implied literal comes first"
                );
                causes.extend(words[1..].iter().map(|&word| Lit::from_word(word)));
            }
        }
    }

    /// The highest level among the literals of a conflict.
    pub(super) fn conflict_level(&self, conflict: Conflict) -> usize {
        let level = |&word: &u32| self.level(Lit::from_word(word));
        match conflict {
            Conflict::Binary(a, b) => self.level(a).max(self.level(b)),
            Conflict::Clause(at) => self.clauses.words(at).iter().map(level).max().unwrap_or(0),
        }
    }

    /// Learns a clause: the first unique implication point of the highest level, and the
    /// causes from lower levels.
    pub(super) fn analyse(&mut self, conflict: Conflict) -> LearntClause {
        let current = self.levels.len();
        let mut lits = vec![Lit::TRUE];
        let mut marked: Vec<Var> = Vec::new();
        let mut causes = Vec::new();
        let mut unresolved = 0;
        let mut position = self.trail.len();
        self.conflict_lits(conflict, &mut causes);
        let uip = loop {
            for lit in causes.drain(..) {
                let level = self.level(lit);
                if level == 0 || !self.mark(lit.var(), &mut marked) {
                    continue;
                }
                self.order.bump(lit.var());
                match level == current {
                    true => unresolved += 1,
                    false => lits.push(lit),
                }
            }
            let lit = loop {
                position -= 1;
                let lit = self.trail[position];
                if self.seen[lit.var().index()] {
                    break lit;
                }
            };
            unresolved -= 1;
            if unresolved == 0 {
                break lit;
            }
            self.causes(lit.var(), &mut causes);
        };
        lits[0] = !uip;
        self.minimise(&mut lits, &mut marked);
        self.unmark(marked.drain(..));
        self.order.decay();
        self.learnt_clause(lits)
    }

    /// Marks a variable as seen; returns whether it was not.
    fn mark(&mut self, var: Var, marked: &mut Vec<Var>) -> bool {
        let new = !self.seen[var.index()];
        if new {
            self.seen[var.index()] = true;
            marked.push(var);
        }
        new
    }

    fn unmark(&mut self, marked: impl Iterator<Item = Var>) {
        marked.for_each(|var| self.seen[var.index()] = false);
    }

    fn learnt_clause(&self, mut lits: Vec<Lit>) -> LearntClause {
        let second = (1..lits.len()).max_by_key(|&at| self.level(lits[at]));
        let level = second.map_or(0, |at| {
            lits.swap(1, at);
            self.level(lits[1])
        });
        let levels = self.distinct_levels(&lits).len() as u32;
        LearntClause { lits, level, levels }
    }

    /// The distinct levels of some literals, sorted.
    fn distinct_levels(&self, lits: &[Lit]) -> Vec<usize> {
        let mut levels: Vec<usize> = lits.iter().map(|&lit| self.level(lit)).collect();
        levels.sort_unstable();
        levels.dedup();
        levels
    }

    /// Removes literals that the other literals of the clause imply.
    fn minimise(&mut self, lits: &mut Vec<Lit>, marked: &mut Vec<Var>) {
        let levels = self.distinct_levels(&lits[1..]);
        let mut scratch = (Vec::new(), Vec::new());
        let mut kept = 1;
        for at in 1..lits.len() {
            let lit = lits[at];
            if !self.is_implied(lit, &levels, marked, &mut scratch) {
                lits[kept] = lit;
                kept += 1;
            }
        }
        lits.truncate(kept);
    }

    /// Whether marked literals alone imply a literal. Literals on the way that they imply
    /// stay marked.
    fn is_implied(
        &mut self,
        lit: Lit,
        levels: &[usize],
        marked: &mut Vec<Var>,
        (pending, causes): &mut (Vec<Var>, Vec<Lit>),
    ) -> bool {
        if self.reason(lit.var()) == AssignmentReason::None {
            return false;
        }
        let before = marked.len();
        pending.clear();
        pending.push(lit.var());
        while let Some(var) = pending.pop() {
            self.causes(var, causes);
            for cause in causes.drain(..) {
                let (var, level) = (cause.var(), self.level(cause));
                if level == 0 || self.seen[var.index()] {
                    continue;
                }
                let decided = self.reason(var) == AssignmentReason::None;
                if decided || levels.binary_search(&level).is_err() {
                    self.unmark(marked.drain(before..));
                    return false;
                }
                self.mark(var, marked);
                pending.push(var);
            }
        }
        true
    }

    /// The assumptions that contradict `failed`, and `failed` itself.
    pub(super) fn assumption_core(&mut self, failed: Lit) -> Vec<Lit> {
        let mut core = vec![failed];
        if self.level(failed) == 0 {
            return core;
        }
        let (mut marked, mut causes) = (Vec::new(), Vec::new());
        self.mark(failed.var(), &mut marked);
        for position in (self.levels[0]..self.trail.len()).rev() {
            let lit = self.trail[position];
            if !self.seen[lit.var().index()] {
                continue;
            }
            match self.reason(lit.var()) {
                AssignmentReason::None => core.push(lit),
                _ => self.causes(lit.var(), &mut causes),
            }
            for cause in causes.drain(..) {
                if self.level(cause) > 0 {
                    self.mark(cause.var(), &mut marked);
                }
            }
        }
        self.unmark(marked.into_iter());
        core
    }
}
