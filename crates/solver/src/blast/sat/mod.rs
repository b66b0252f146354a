//! A small incremental SAT solver for series of related queries.
//!
//! Standard conflict-driven clause learning: two watched literals, variable activities, saved
//! phases, restarts, deletion of learnt clauses. Three features exploit that all clauses
//! define gates and that each query depends on few of them:
//!
//! - Only *relevant* variables are assigned. A gate's definition is satisfiable for any
//!   values of its inputs, so gates outside the query can be ignored, and one solver can
//!   hold the gates of many paths.
//! - The trail is kept. Each assumption is a decision level, and a query continues from the
//!   levels that it shares with the last one.
//! - The caller sets the initial phases: an input that nearly satisfies the query.
//!
//! Results do not depend on the clock: effort counts visited watches, decisions and undone
//! assignments. The clock can only cancel a search.

mod analyse;
mod clauses;
mod lit;
mod order;
mod propagate;
mod search;

pub use lit::{Lit, Var};

use clauses::{ClauseId, Clauses};
use order::VarOrder;
use propagate::ClauseWatch;

/// Why a variable has its value.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
enum AssignmentReason {
    /// A decision, an assumption, or a fact of level 0.
    None,
    /// Implied by a binary clause whose other literal is false.
    Binary(Lit),
    /// Implied by a clause whose other literals are all false.
    Clause(ClauseId),
}

/// The level and reason of an assigned variable.
#[derive(Copy, Clone, Debug)]
struct VarInfo {
    level: u32,
    reason: AssignmentReason,
}

/// The result of a search.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SearchOutcome {
    /// All relevant variables are assigned; see [`SatSolver::value`].
    Sat,
    /// These assumptions contradict each other.
    Unsat(Vec<Lit>),
    /// The effort limit was reached, or the search was cancelled.
    Unknown,
}

/// The solver. Level 0 holds the facts; each assumption and decision adds a level.
pub struct SatSolver {
    /// By literal: 1 if true, -1 if false, 0 if unassigned.
    values: Vec<i8>,
    vars: Vec<VarInfo>,
    phases: Vec<bool>,
    relevant: Vec<bool>,
    /// The number of unassigned relevant variables.
    unassigned: usize,
    trail: Vec<Lit>,
    /// Where each level starts in the trail.
    levels: Vec<usize>,
    /// The first literal of the trail that is not propagated yet.
    head: usize,
    /// Literals to propagate again, because one of their gates became relevant later.
    repropagate: Vec<Lit>,
    watches: Vec<Vec<ClauseWatch>>,
    clauses: Clauses,
    order: VarOrder,
    assumptions: Vec<Lit>,
    seen: Vec<bool>,
    /// The number of learnt clauses that triggers the next reduction.
    max_learnt: usize,
    /// The clauses are unsatisfiable.
    unsatisfiable: bool,
    effort: u64,
}

impl SatSolver {
    /// Has only the constants.
    pub fn new() -> SatSolver {
        let mut sat = SatSolver {
            values: Vec::new(),
            vars: Vec::new(),
            phases: Vec::new(),
            relevant: Vec::new(),
            unassigned: 0,
            trail: Vec::new(),
            levels: Vec::new(),
            head: 0,
            repropagate: Vec::new(),
            watches: Vec::new(),
            clauses: Clauses::default(),
            order: VarOrder::default(),
            assumptions: Vec::new(),
            seen: Vec::new(),
            max_learnt: search::FIRST_REDUCTION,
            unsatisfiable: false,
            effort: 0,
        };
        sat.new_var();
        sat.assign(Lit::TRUE, AssignmentReason::None);
        sat
    }

    /// Adds a variable, which is irrelevant at first.
    pub fn new_var(&mut self) -> Var {
        let var = Var(self.vars.len() as u32);
        self.values.extend([0, 0]);
        self.vars.push(VarInfo { level: 0, reason: AssignmentReason::None });
        self.phases.push(false);
        self.relevant.push(false);
        self.watches.extend([Vec::new(), Vec::new()]);
        self.order.add_var();
        self.seen.push(false);
        var
    }

    /// The number of variables.
    pub fn vars(&self) -> usize {
        self.vars.len()
    }

    /// Memory of the clauses that are not binary, with their watches, in bytes.
    pub fn clause_bytes(&self) -> usize {
        self.clauses.bytes()
    }

    /// The effort of all searches so far, in watches visited.
    pub fn effort(&self) -> u64 {
        self.effort
    }

    /// The value of a literal; `None` if it is unassigned.
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

    /// Sets the value that is tried first for a variable.
    pub fn set_phase(&mut self, var: Var, value: bool) {
        self.phases[var.index()] = value;
    }

    pub fn is_relevant(&self, var: Var) -> bool {
        self.relevant[var.index()]
    }

    /// Makes a variable relevant. The inputs of its gate must be relevant as well before the
    /// next search.
    pub fn include(&mut self, var: Var) {
        if !std::mem::replace(&mut self.relevant[var.index()], true) && !self.is_assigned(var) {
            self.unassigned += 1;
            self.order.insert(var);
        }
    }

    /// Propagates a variable's value again, if it has one, because a gate that has it as
    /// input became relevant.
    pub fn propagate_again(&mut self, var: Var) {
        let lit = var.is(true);
        match self.val(lit) {
            0 => {}
            value => self.repropagate.push(lit.negated_if(value < 0)),
        }
    }

    /// Makes a variable irrelevant.
    pub fn exclude(&mut self, var: Var) {
        if std::mem::replace(&mut self.relevant[var.index()], false) && !self.is_assigned(var) {
            self.unassigned -= 1;
        }
    }

    fn is_assigned(&self, var: Var) -> bool {
        self.val(var.is(true)) != 0
    }

    /// Adds a clause of at least two literals of distinct variables. Clauses must only define
    /// gates: at most one literal may be of an older variable that is unrelated to the others.
    pub fn add_clause(&mut self, lits: &mut [Lit]) {
        debug_assert!(lits.len() >= 2);
        // Watches unassigned and true literals, then those falsified at the highest levels.
        let rank = |sat: &SatSolver, lit: Lit| match sat.val(lit) {
            ..0 => u64::from(sat.vars[lit.var().index()].level),
            _ => u64::MAX,
        };
        for position in 0..2 {
            let rest = position..lits.len();
            let best = rest.max_by_key(|&at| (rank(self, lits[at]), std::cmp::Reverse(at)));
            lits.swap(position, best.unwrap_or(position));
        }
        let (first, second) = (lits[0], lits[1]);
        let reason = match lits.len() {
            2 => {
                self.watch(first, ClauseWatch::binary(second));
                self.watch(second, ClauseWatch::binary(first));
                AssignmentReason::Binary(second)
            }
            _ => {
                let at = self.clauses.add(lits, None);
                self.watch(first, ClauseWatch::clause(at, second));
                self.watch(second, ClauseWatch::clause(at, first));
                AssignmentReason::Clause(at)
            }
        };
        if self.val(second) < 0 && self.val(first) == 0 && self.relevant[first.var().index()] {
            self.assign(first, reason);
        }
        debug_assert!(self.val(first) >= 0, "definitions are satisfiable");
    }

    fn watch(&mut self, lit: Lit, watch: ClauseWatch) {
        self.watches[lit.index()].push(watch);
    }

    #[inline]
    fn assign(&mut self, lit: Lit, reason: AssignmentReason) {
        debug_assert_eq!(self.val(lit), 0);
        self.values[lit.index()] = 1;
        self.values[(!lit).index()] = -1;
        self.vars[lit.var().index()] = VarInfo { level: self.levels.len() as u32, reason };
        self.unassigned -= usize::from(self.relevant[lit.var().index()]);
        self.trail.push(lit);
    }

    /// Undoes all but the first `levels` levels.
    pub fn backtrack(&mut self, levels: usize) {
        let Some(&start) = self.levels.get(levels) else { return };
        self.effort += (self.trail.len() - start) as u64;
        while self.trail.len() > start {
            let Some(lit) = self.trail.pop() else { break };
            let var = lit.var();
            self.values[lit.index()] = 0;
            self.values[(!lit).index()] = 0;
            self.phases[var.index()] = !lit.is_negated();
            if self.relevant[var.index()] {
                self.unassigned += 1;
                self.order.insert(var);
            }
        }
        self.levels.truncate(levels);
        self.head = self.head.min(start);
    }
}

#[cfg(test)]
mod tests;
