//! Collection of terms that no state needs any more.

use byway_expr::Roots;
use rustc_hash::FxHashSet;

use super::Explorer;
use crate::memory::is_new;
use crate::state::State;

impl Explorer<'_, '_, '_> {
    /// Collects if there are many terms. No state is in the machine.
    pub(super) fn collect_if_due(&mut self) {
        if self.machine.pool.len() >= self.collect_at {
            self.collect();
        }
    }

    /// Collects. No state is in the machine.
    pub(super) fn collect(&mut self) {
        let mut roots = Roots::default();
        let mut seen = FxHashSet::default();
        for state in self.frontier.iter() {
            mark(state, &mut roots, &mut seen);
        }
        if let Some(home) = &self.home.state {
            mark(home, &mut roots, &mut seen);
        }
        let collected = self.machine.pool.collect(roots);
        self.solver.sweep(&collected);
        self.machine.evaluator.forget();
        self.collect_at = (self.machine.pool.len() * 2).max(self.config.collect_at);
    }
}

/// Keeps the terms of a state; `seen` remembers what it shares with others.
fn mark(state: &State, roots: &mut Roots, seen: &mut FxHashSet<usize>) {
    state.path.mark(roots, seen);
    state.memory.mark(roots, seen);
    for frame in &state.stack {
        if is_new(frame, seen) {
            frame.regs.iter().filter_map(|value| value.expr).for_each(|e| roots.keep(e));
        }
    }
}
