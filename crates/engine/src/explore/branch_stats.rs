//! Why a branch side of the user's code is not covered.
//!
//! [`BranchStats`] counts, by coverage site, what became of the paths that could have taken
//! a side. A side without counts was never requested: no path reached the branch, or each
//! that did had its case decided already.

use byway_ir::{Module, Terminator};

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
        let mut branches: Vec<BranchCoverage> = Vec::new();
        let mut last = None;
        for (number, site) in sites.iter().enumerate() {
            let Some(from) = site.from else { continue };
            let func = &module.funcs[site.func];
            let Some(loc) = func.blocks[from].term_loc else { continue };
            if is_inserted(module, func, from) {
                continue;
            }
            if last.replace((site.func, from)) != Some((site.func, from)) {
                let (at, function) = (module.src_loc(loc), func.name.clone());
                branches.push(BranchCoverage { at, function, sides: Vec::new() });
            }
            let Some(branch) = branches.last_mut() else { continue };
            let side = SideCoverage {
                site: number,
                side: side_name(&func.blocks[from].term, branch.sides.len()),
                first_path: None,
                reached: tracker.is_credited(number as u32) || tracker.is_seen(number as u32),
                untaken: self.0.get(number).copied().unwrap_or_default(),
            };
            branch.sides.push(side);
        }
        branches
    }
}

/// What a person calls a side of a branch.
fn side_name(term: &Terminator, number: usize) -> String {
    match term {
        Terminator::Branch { .. } => ["true", "false"].get(number).copied().unwrap_or("").into(),
        Terminator::Switch { cases, default, .. } => {
            let edges = sides_of(term);
            let Some(edge) = edges.get(number) else { return String::new() };
            let values = cases.iter().filter(|(_, to)| to == *edge).map(|(v, _)| v.to_string());
            let mut words: Vec<String> = values.map(|value| format!("case {value}")).collect();
            words.extend((*edge == default).then(|| "default".into()));
            words.join(", ")
        }
        _ => format!("target {number}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
