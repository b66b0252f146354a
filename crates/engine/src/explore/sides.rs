//! Why a side of a branch of the user's code is not covered: what was answered when a
//! path stood before it. A side that no path asked about has no answers: either nothing
//! came to its branch, or what came had its way decided already, and could not take it.

use byway_ir::{Module, Terminator};

use super::facts::way_ahead;
use super::{BranchCoverage, Exploration, SideCoverage};
use crate::bytecode::ByteOp;
use crate::coverage::{CoverageReport, CoverageSite, Tracker, sides_of};
use crate::program::Program;
use crate::state::State;

/// What was answered to paths that could have gone a side.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub struct UntakenReasons {
    /// No input goes there, as proved.
    pub infeasible: u64,
    /// The solver could not tell.
    pub undecided: u64,
    /// A limit cut it off.
    pub dropped: u64,
    /// A state had not gone there yet when the exploration ended.
    pub waiting: u64,
}

/// Which answer is counted.
pub type Answer = fn(&mut UntakenReasons) -> &mut u64;

/// The answers, by the number of the site.
pub struct BranchStats(Vec<UntakenReasons>);

impl BranchStats {
    /// None yet, for so many sites.
    pub fn new(sites: usize) -> BranchStats {
        BranchStats(vec![UntakenReasons::default(); sites])
    }

    /// Counts an answer given to a state that asks whether it can go a way.
    pub fn count(&mut self, program: &Program, state: &State, way: usize, answer: Answer) {
        let Some(top) = state.stack.last() else { return };
        let code = program.code(top.func);
        let ahead = way_ahead(code, top.pc.saturating_sub(1), way);
        if let Some(ByteOp::Cover { site, .. }) = code.ops.get(ahead as usize)
            && let Some(untaken) = self.0.get_mut(*site as usize)
        {
            *answer(untaken) += 1;
        }
    }

    /// Counts an answer given to a state that has not gone the way it was made for yet.
    pub fn count_waiting(&mut self, program: &Program, state: &State, answer: Answer) {
        if let Some(&(_, way)) = state.path.answers.last().filter(|_| state.path.suspended) {
            self.count(program, state, way as usize, answer);
        }
    }

    /// Branch by branch, in the order of the program, with the first path whose test comes
    /// by each site.
    pub fn tell(
        &self,
        module: &Module,
        sites: &[CoverageSite],
        tracker: &Tracker,
        first_path: &dyn Fn(usize) -> Option<u64>,
    ) -> Vec<BranchCoverage> {
        let mut branches: Vec<BranchCoverage> = Vec::new();
        let mut last = None;
        for (number, site) in sites.iter().enumerate() {
            let Some(from) = site.from else { continue };
            let func = &module.funcs[site.func];
            let Some(loc) = func.blocks[from].term_loc else { continue };
            if last.replace((site.func, from)) != Some((site.func, from)) {
                let (at, function) = (module.src_loc(loc), func.name.clone());
                branches.push(BranchCoverage { at, function, sides: Vec::new() });
            }
            let Some(branch) = branches.last_mut() else { continue };
            let side = SideCoverage {
                site: number,
                side: name(&func.blocks[from].term, branch.sides.len()),
                first_path: first_path(number),
                reached: tracker.is_credited(number as u32) || tracker.is_seen(number as u32),
                untaken: self.0.get(number).copied().unwrap_or_default(),
            };
            branch.sides.push(side);
        }
        branches
    }
}

/// What several explorations of one program were answered, with the tests of all.
pub fn sum(all: &[Exploration], report: &CoverageReport) -> Vec<BranchCoverage> {
    let mut branches = all.first().map_or(Vec::new(), |first| first.branches.clone());
    for other in all.iter().skip(1) {
        branches.iter_mut().zip(&other.branches).for_each(|(sum, other)| sum.add(other));
    }
    for side in branches.iter_mut().flat_map(|branch| &mut branch.sides) {
        side.first_path = report.first_path(side.site);
    }
    branches
}

impl BranchCoverage {
    /// Adds what was answered elsewhere to paths that stood before the same branch.
    fn add(&mut self, other: &BranchCoverage) {
        for (side, other) in self.sides.iter_mut().zip(&other.sides) {
            side.reached |= other.reached;
            side.untaken.infeasible += other.untaken.infeasible;
            side.untaken.undecided += other.untaken.undecided;
            side.untaken.dropped += other.untaken.dropped;
            side.untaken.waiting += other.untaken.waiting;
        }
    }
}

/// What a person would call a side of a branch.
fn name(term: &Terminator, number: usize) -> String {
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
    fn answers_given_in_several_places_add_up() {
        let side = |first_path, reached, infeasible, waiting| SideCoverage {
            site: 0,
            side: "true".into(),
            first_path,
            reached,
            untaken: UntakenReasons { infeasible, waiting, ..UntakenReasons::default() },
        };
        let branch = |sides| BranchCoverage {
            at: byway_base::SrcLoc { file: "a.c".into(), line: 1, column: 2 },
            function: "f".into(),
            sides,
        };
        let mut sum = branch(vec![side(Some(3), true, 0, 0), side(None, false, 2, 0)]);
        sum.add(&branch(vec![side(None, false, 1, 0), side(None, true, 0, 4)]));
        assert_eq!(sum, branch(vec![side(Some(3), true, 1, 0), side(None, true, 2, 4)]));
    }
}
