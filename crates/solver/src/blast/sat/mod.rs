//! A small SAT solver for series of related questions.
//!
//! Conflict-driven clause learning as it is usual: two watched literals, activities,
//! saved phases, restarts, clauses of little use deleted. Three things are made for the
//! way it is used here, where all clauses define gates and each question is about a
//! few of them:
//!
//! - Only *relevant* variables are assigned. A gate's definition can be met whatever
//!   its inputs are, so gates that no question is about can be left alone, and one
//!   instance can hold the gates of many paths.
//! - The trail stays. Assumptions are levels of their own, and the next question goes
//!   on from those it has in common with the last one.
//! - The first phases come from cancellation: from an input that does almost all that is
//!   asked.
//!
//! What is found depends on no clock: effort is the number of watches looked at, with
//! decisions and what they cost to take back. The clock can only end a search.

mod analyse;
mod clauses;
mod lit;
mod order;
mod propagate;
mod search;

pub use lit::{Lit, Var};

use clauses::{ClauseId, Clauses};
use order::VarOrder;
use propagate::Watch;

/// Why a variable has its value.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
enum Reason {
    /// It was decided or assumed, or needs no reason.
    None,
    /// The other literal of a clause of two is false.
    Binary(Lit),
    /// All other literals of a clause are false.
    Clause(ClauseId),
}

/// When and why a variable got its value.
#[derive(Copy, Clone, Debug)]
struct VarInfo {
    level: u32,
    reason: Reason,
}

/// What a search found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SearchOutcome {
    /// Values for all relevant variables; see [`SatSolver::value`].
    Sat,
    /// These assumptions contradict each other.
    Unsat(Vec<Lit>),
    /// The effort limit was reached, or the search was cancelled.
    Unknown,
}

/// An instance.
pub struct SatSolver {
    /// By literal: 1 if true, -1 if false, 0 if open.
    values: Vec<i8>,
    assigned: Vec<VarInfo>,
    phases: Vec<bool>,
    relevant: Vec<bool>,
    /// How many relevant variables have no value.
    open: usize,
    trail: Vec<Lit>,
    /// Where each level begins in the trail.
    levels: Vec<usize>,
    /// From here on the trail was not yet propagated.
    head: usize,
    /// What to propagate once more: literals with gates that became relevant late.
    again: Vec<Lit>,
    watches: Vec<Vec<Watch>>,
    clauses: Clauses,
    order: VarOrder,
    assumptions: Vec<Lit>,
    seen: Vec<bool>,
    /// Learnt clauses are thinned out when there are so many.
    most_learnt: usize,
    /// The clauses exclude each other.
    contradictory: bool,
    effort: u64,
}

impl SatSolver {
    /// An instance with nothing but the constants.
    pub fn new() -> SatSolver {
        let mut sat = SatSolver {
            values: Vec::new(),
            assigned: Vec::new(),
            phases: Vec::new(),
            relevant: Vec::new(),
            open: 0,
            trail: Vec::new(),
            levels: Vec::new(),
            head: 0,
            again: Vec::new(),
            watches: Vec::new(),
            clauses: Clauses::default(),
            order: VarOrder::default(),
            assumptions: Vec::new(),
            seen: Vec::new(),
            most_learnt: search::FIRST_REDUCTION,
            contradictory: false,
            effort: 0,
        };
        sat.new_var();
        sat.assign(Lit::TRUE, Reason::None);
        sat
    }

    /// A new variable, not relevant to anything.
    pub fn new_var(&mut self) -> Var {
        let var = Var(self.assigned.len() as u32);
        self.values.extend([0, 0]);
        self.assigned.push(VarInfo { level: 0, reason: Reason::None });
        self.phases.push(false);
        self.relevant.push(false);
        self.watches.extend([Vec::new(), Vec::new()]);
        self.order.grow();
        self.seen.push(false);
        var
    }

    /// How many variables there are.
    pub fn vars(&self) -> usize {
        self.assigned.len()
    }

    /// The bytes of its clauses of three literals and more, their watches included.
    pub fn clause_bytes(&self) -> usize {
        self.clauses.bytes()
    }

    /// The effort of all searches so far, in watches looked at.
    pub fn effort(&self) -> u64 {
        self.effort
    }

    /// The value of a literal that has one.
    pub fn value(&self, lit: Lit) -> Option<bool> {
        match self.val(lit) {
            0 => None,
            value => Some(value > 0),
        }
    }

    #[inline(always)]
    fn val(&self, lit: Lit) -> i8 {
        self.values[lit.index()]
    }

    /// The value to try first for a variable.
    pub fn set_phase(&mut self, var: Var, value: bool) {
        self.phases[var.index()] = value;
    }

    /// Whether a variable is relevant.
    pub fn is_relevant(&self, var: Var) -> bool {
        self.relevant[var.index()]
    }

    /// Makes a variable relevant. All that its definition mentions must be as well
    /// before the next search.
    pub fn include(&mut self, var: Var) {
        if !std::mem::replace(&mut self.relevant[var.index()], true) && !self.is_assigned(var) {
            self.open += 1;
            self.order.insert(var);
        }
    }

    /// Makes sure that what follows from the value of a variable, if it has one, is
    /// seen again: something that it defines became relevant.
    pub fn look_again(&mut self, var: Var) {
        let lit = var.is(true);
        match self.val(lit) {
            0 => {}
            value => self.again.push(lit.negated_if(value < 0)),
        }
    }

    /// Makes a variable irrelevant again.
    pub fn exclude(&mut self, var: Var) {
        if std::mem::replace(&mut self.relevant[var.index()], false) && !self.is_assigned(var) {
            self.open -= 1;
        }
    }

    fn is_assigned(&self, var: Var) -> bool {
        self.val(var.is(true)) != 0
    }

    /// Adds a clause of two literals or more, of different variables. At most one of
    /// them is of a variable that was there when the last search ended and has
    /// nothing to do with the others: clauses only define.
    pub fn add_clause(&mut self, lits: &mut [Lit]) {
        debug_assert!(lits.len() >= 2);
        // Watched are those that are not false, then those that became so last.
        let rank = |sat: &SatSolver, lit: Lit| match sat.val(lit) {
            ..0 => u64::from(sat.assigned[lit.var().index()].level),
            _ => u64::MAX,
        };
        for place in 0..2 {
            let rest = place..lits.len();
            let best = rest.max_by_key(|&at| (rank(self, lits[at]), std::cmp::Reverse(at)));
            lits.swap(place, best.unwrap_or(place));
        }
        let (first, second) = (lits[0], lits[1]);
        let reason = match lits.len() {
            2 => {
                self.watch(first, Watch::binary(second));
                self.watch(second, Watch::binary(first));
                Reason::Binary(second)
            }
            _ => {
                let at = self.clauses.add(lits, None);
                self.watch(first, Watch::clause(at, second));
                self.watch(second, Watch::clause(at, first));
                Reason::Clause(at)
            }
        };
        if self.val(second) < 0 && self.val(first) == 0 && self.relevant[first.var().index()] {
            self.assign(first, reason);
        }
        debug_assert!(self.val(first) >= 0, "a definition cannot be false");
    }

    fn watch(&mut self, lit: Lit, watch: Watch) {
        self.watches[lit.index()].push(watch);
    }

    #[inline]
    fn assign(&mut self, lit: Lit, reason: Reason) {
        debug_assert_eq!(self.val(lit), 0);
        self.values[lit.index()] = 1;
        self.values[(!lit).index()] = -1;
        self.assigned[lit.var().index()] = VarInfo { level: self.levels.len() as u32, reason };
        self.open -= usize::from(self.relevant[lit.var().index()]);
        self.trail.push(lit);
    }

    /// Takes back all levels but the first.
    pub fn back_to(&mut self, levels: usize) {
        let Some(&start) = self.levels.get(levels) else { return };
        self.effort += (self.trail.len() - start) as u64;
        while self.trail.len() > start {
            let Some(lit) = self.trail.pop() else { break };
            let var = lit.var();
            self.values[lit.index()] = 0;
            self.values[(!lit).index()] = 0;
            self.phases[var.index()] = !lit.is_negated();
            if self.relevant[var.index()] {
                self.open += 1;
                self.order.insert(var);
            }
        }
        self.levels.truncate(levels);
        self.head = self.head.min(start);
    }
}

#[cfg(test)]
mod tests;
