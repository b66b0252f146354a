//! Why a branch side of the user's code is not covered.
//!
//! [`BranchStats`] counts, by coverage site, what became of the paths that could have taken
//! a side. A side without counts was never requested: no path reached the branch, or each
//! that did had its case decided already.

use byway_ir::{Edge, Module, Terminator};
use rustc_hash::FxHashMap;

use super::metrics::case_target;
use crate::bytecode::ByteOp;
use crate::coverage::{
    BranchCoverage, CoverageSite, SideCoverage, Tracker, UntakenReasons, is_inserted, sides_of,
};
use crate::program::Program;
use crate::state::State;

/// Selects the reason to count.
pub(super) type UntakenReason = fn(&mut UntakenReasons) -> &mut u64;

/// Reasons by the number of the coverage site.
pub(super) struct BranchStats(Vec<UntakenReasons>);

impl BranchStats {
    pub fn new(sites: usize) -> BranchStats {
        BranchStats(vec![UntakenReasons::default(); sites])
    }

    /// Counts why a state at a branch does not take a case.
    pub fn count(&mut self, program: &Program, state: &State, index: usize, reason: UntakenReason) {
        let Some(top) = state.stack.last() else { return };
        let code = program.code(top.func);
        let target = case_target(code, top.pc.saturating_sub(1), index);
        if let Some(ByteOp::Cover { site, .. }) = code.ops.get(target as usize) {
            self.count_site(*site, reason);
        }
    }

    /// Counts why a state does not take the case it was created for.
    pub fn count_waiting(&mut self, program: &Program, state: &State, reason: UntakenReason) {
        if let Some(&(_, index)) = state.path.answers.last().filter(|_| state.path.suspended) {
            self.count(program, state, index as usize, reason);
        }
    }

    fn count_site(&mut self, site: u32, reason: UntakenReason) {
        if let Some(reasons) = self.0.get_mut(site as usize) {
            *reason(reasons) += 1;
        }
    }

    /// The branches in the order of the program. Which path covers a side first is left open.
    pub fn branches(
        &self,
        module: &Module,
        sites: &[CoverageSite],
        tracker: &Tracker,
    ) -> Vec<BranchCoverage> {
        let mut end = 0;
        let mut branches = Vec::new();
        for sides in sites.chunk_by(|a, b| (a.func, a.from) == (b.func, b.from)) {
            let numbers = end..end + sides.len();
            end = numbers.end;
            let func = &module.funcs[sides[0].func];
            let Some(from) = sides[0].from else { continue };
            let Some(loc) = func.blocks[from].term_loc else { continue };
            if is_inserted(module, func, from) {
                continue;
            }
            let names = side_names(&func.blocks[from].term);
            let sides = numbers.zip(names).map(|(number, side)| SideCoverage {
                site: number,
                side,
                first_path: None,
                reached: tracker.is_credited(number as u32) || tracker.is_seen(number as u32),
                untaken: self.0.get(number).copied().unwrap_or_default(),
            });
            let (at, function, sides) = (module.src_loc(loc), func.name.clone(), sides.collect());
            branches.push(BranchCoverage { at, function, sides });
        }
        branches
    }
}

/// What a person calls the sides of a branch, in the order of [`sides_of`].
fn side_names(term: &Terminator) -> Vec<String> {
    match term {
        Terminator::Branch { .. } => vec!["true".into(), "false".into()],
        Terminator::Switch { cases, default, .. } => {
            let mut names: FxHashMap<&Edge, String> = FxHashMap::default();
            let words = cases.iter().map(|(value, edge)| (edge, format!("case {value}")));
            for (edge, word) in words.chain([(default, "default".to_owned())]) {
                let name = names.entry(edge).or_default();
                *name += if name.is_empty() { "" } else { ", " };
                *name += &word;
            }
            sides_of(term).iter().filter_map(|edge| names.remove(edge)).collect()
        }
        _ => (0..sides_of(term).len()).map(|number| format!("target {number}")).collect(),
    }
}

#[cfg(test)]
mod tests {
    use byway_base::entity::EntityRef;
    use byway_ir::{BlockId, ConstId, Operand};

    use super::*;

    #[test]
    fn sides_of_a_switch_are_named_by_their_values() {
        let edge = |block| Edge { block: BlockId::new(block), args: Box::default() };
        let cases = [(3, edge(1)), (4, edge(2)), (5, edge(1)), (9, edge(0))].into();
        let term =
            Terminator::Switch { value: Operand::from(ConstId::new(0)), cases, default: edge(0) };
        assert_eq!(side_names(&term), ["case 3, case 5", "case 4", "case 9, default"]);
    }

    #[test]
    fn reasons_are_counted_by_site() {
        let mut stats = BranchStats::new(2);
        stats.count_site(1, |reasons| &mut reasons.infeasible);
        stats.count_site(1, |reasons| &mut reasons.infeasible);
        stats.count_site(1, |reasons| &mut reasons.dropped);
        // A site that the program does not have counts nowhere.
        stats.count_site(2, |reasons| &mut reasons.waiting);
        let expected = UntakenReasons { infeasible: 2, dropped: 1, ..UntakenReasons::default() };
        assert_eq!(stats.0, [UntakenReasons::default(), expected]);
    }
}
