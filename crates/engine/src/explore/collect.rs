//! Collection of terms that no state uses any more. [`TermCollector`] owns the threshold.

use byway_base::ExprId;
use byway_expr::Roots;
use rustc_hash::FxHashSet;

use super::feasibility::FeasibilityChecker;
use super::frontier::Frontier;
use crate::interp::Machine;
use crate::memory::is_new;
use crate::state::State;

/// Decides when terms are collected.
pub(super) struct TermCollector {
    /// The number of terms at which a collection is due.
    due_at: usize,
    /// The least value of `due_at`.
    least: usize,
}

impl TermCollector {
    pub fn new(least: usize) -> TermCollector {
        TermCollector { due_at: least, least }
    }

    pub fn is_due(&self, terms: usize) -> bool {
        terms >= self.due_at
    }

    /// Whether so many terms were added since the last collection that another may free some.
    pub fn is_worthwhile(&self, terms: usize) -> bool {
        terms > self.due_at / 8 * 5 || self.due_at == self.least
    }

    /// Collects. Every state that will run again is in the frontier or among `others`; `terms` are
    /// kept as well.
    pub fn collect<'s>(
        &mut self,
        machine: &mut Machine,
        feasibility: &mut FeasibilityChecker,
        frontier: &'s Frontier,
        others: impl Iterator<Item = &'s State>,
        terms: impl Iterator<Item = ExprId>,
    ) {
        let mut roots = Roots::default();
        terms.for_each(|term| roots.keep(term));
        let mut seen = FxHashSet::default();
        for state in frontier.iter().chain(others) {
            mark(state, &mut roots, &mut seen);
        }
        let collected = machine.pool.collect(roots);
        feasibility.sweep(&collected);
        machine.evaluator.forget();
        self.due_at = (machine.pool.len() * 2).max(self.least);
    }
}

/// Keeps the terms of a state; `seen` records what it shares with others.
fn mark(state: &State, roots: &mut Roots, seen: &mut FxHashSet<usize>) {
    state.path.mark(roots, seen);
    state.memory.mark(roots, seen);
    for frame in &state.stack {
        if is_new(frame, seen) {
            frame.regs.iter().filter_map(|value| value.expr).for_each(|e| roots.keep(e));
        }
    }
}
