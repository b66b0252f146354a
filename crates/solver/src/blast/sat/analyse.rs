//! What a conflict teaches: a clause that would have prevented it, or which
//! assumptions are to blame.

use super::lit::{Lit, Var};
use super::propagate::Conflict;
use super::{Reason, SatSolver};

/// What was learned.
pub struct LearntClause {
    /// The clause; the first literal is the one that now follows, the second, if
    /// there is one, is of the level to go back to.
    pub lits: Vec<Lit>,
    /// The level to go back to.
    pub level: usize,
    /// How many levels the clause spans.
    pub levels: u32,
}

impl SatSolver {
    fn level(&self, lit: Lit) -> usize {
        self.assigned[lit.var().index()].level as usize
    }

    fn reason(&self, var: Var) -> Reason {
        self.assigned[var.index()].reason
    }

    /// The false literals of a conflict.
    fn conflicting(&mut self, conflict: Conflict, causes: &mut Vec<Lit>) {
        match conflict {
            Conflict::Binary(a, b) => causes.extend([a, b]),
            Conflict::Clause(at) => {
                self.clauses.mark_used(at);
                causes.extend(self.clauses.words(at).iter().map(|&word| Lit::from_word(word)));
            }
        }
    }

    /// The false literals that a variable's value follows from.
    fn causes(&mut self, var: Var, causes: &mut Vec<Lit>) {
        match self.reason(var) {
            Reason::None => {}
            Reason::Binary(other) => causes.push(other),
            Reason::Clause(at) => {
                self.clauses.mark_used(at);
                let words = self.clauses.words(at);
                debug_assert_eq!(Lit::from_word(words[0]).var(), var, "what follows comes first");
                causes.extend(words[1..].iter().map(|&word| Lit::from_word(word)));
            }
        }
    }

    /// The newest level that has a part in a conflict.
    pub(super) fn conflict_level(&self, conflict: Conflict) -> usize {
        let level = |&word: &u32| self.level(Lit::from_word(word));
        match conflict {
            Conflict::Binary(a, b) => self.level(a).max(self.level(b)),
            Conflict::Clause(at) => self.clauses.words(at).iter().map(level).max().unwrap_or(0),
        }
    }

    /// Learns from a conflict: the first point that all causes on the newest level go
    /// through, and what else is needed from lower levels.
    pub(super) fn analyse(&mut self, conflict: Conflict) -> LearntClause {
        let newest = self.levels.len();
        let mut lits = vec![Lit::TRUE];
        let mut marked: Vec<Var> = Vec::new();
        let mut causes = Vec::new();
        let mut open = 0;
        let mut place = self.trail.len();
        self.conflicting(conflict, &mut causes);
        let point = loop {
            for lit in causes.drain(..) {
                let level = self.level(lit);
                if level == 0 || !self.mark(lit.var(), &mut marked) {
                    continue;
                }
                self.order.bump(lit.var());
                match level == newest {
                    true => open += 1,
                    false => lits.push(lit),
                }
            }
            let lit = loop {
                place -= 1;
                let lit = self.trail[place];
                if self.seen[lit.var().index()] {
                    break lit;
                }
            };
            open -= 1;
            if open == 0 {
                break lit;
            }
            self.causes(lit.var(), &mut causes);
        };
        lits[0] = !point;
        self.minimise(&mut lits, &mut marked);
        self.unmark(marked.drain(..));
        self.order.fade();
        self.lesson(lits)
    }

    /// Marks a variable; whether it was not.
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

    fn lesson(&self, mut lits: Vec<Lit>) -> LearntClause {
        let second = (1..lits.len()).max_by_key(|&at| self.level(lits[at]));
        let level = second.map_or(0, |at| {
            lits.swap(1, at);
            self.level(lits[1])
        });
        let levels = self.spanned(&lits).len() as u32;
        LearntClause { lits, level, levels }
    }

    /// The levels of some literals, sorted.
    fn spanned(&self, lits: &[Lit]) -> Vec<usize> {
        let mut levels: Vec<usize> = lits.iter().map(|&lit| self.level(lit)).collect();
        levels.sort_unstable();
        levels.dedup();
        levels
    }

    /// Leaves out literals that follow from others of the clause.
    fn minimise(&mut self, lits: &mut Vec<Lit>, marked: &mut Vec<Var>) {
        let levels = self.spanned(&lits[1..]);
        let mut scratch = (Vec::new(), Vec::new());
        let mut kept = 1;
        for at in 1..lits.len() {
            let lit = lits[at];
            if !self.follows(lit, &levels, marked, &mut scratch) {
                lits[kept] = lit;
                kept += 1;
            }
        }
        lits.truncate(kept);
    }

    /// Whether a literal follows from marked ones alone. What was found to follow on
    /// the way stays marked.
    fn follows(
        &mut self,
        lit: Lit,
        levels: &[usize],
        marked: &mut Vec<Var>,
        (waiting, causes): &mut (Vec<Var>, Vec<Lit>),
    ) -> bool {
        if self.reason(lit.var()) == Reason::None {
            return false;
        }
        let before = marked.len();
        waiting.clear();
        waiting.push(lit.var());
        while let Some(var) = waiting.pop() {
            self.causes(var, causes);
            for cause in causes.drain(..) {
                let (var, level) = (cause.var(), self.level(cause));
                if level == 0 || self.seen[var.index()] {
                    continue;
                }
                let decided = self.reason(var) == Reason::None;
                if decided || levels.binary_search(&level).is_err() {
                    self.unmark(marked.drain(before..));
                    return false;
                }
                self.mark(var, marked);
                waiting.push(var);
            }
        }
        true
    }

    /// The assumptions that make an assumption false, and that assumption.
    pub(super) fn blamed_for(&mut self, failed: Lit) -> Vec<Lit> {
        let mut core = vec![failed];
        if self.level(failed) == 0 {
            return core;
        }
        let (mut marked, mut causes) = (Vec::new(), Vec::new());
        self.mark(failed.var(), &mut marked);
        for place in (self.levels[0]..self.trail.len()).rev() {
            let lit = self.trail[place];
            if !self.seen[lit.var().index()] {
                continue;
            }
            match self.reason(lit.var()) {
                Reason::None => core.push(lit),
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
