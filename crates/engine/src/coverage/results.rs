//! Coverage as results show it: totals, by line, and by branch side.

use byway_base::SrcLoc;

/// How much of the user's own code the tests cover.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub struct Coverage {
    /// Lines with code that some test runs.
    pub lines: u32,
    /// Lines with code.
    pub lines_total: u32,
    /// Branch sides that some test takes.
    pub branches: u32,
    /// Branch sides.
    pub branches_total: u32,
}

/// The coverage of one line of the user's code.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LineCoverage {
    /// The line; its column is zero.
    pub at: SrcLoc,
    /// The number of the first path whose test runs the line.
    pub first_path: Option<u64>,
    /// The branch sides on this line, and how many of them some test takes.
    pub branches: (u32, u32),
}

/// A branch of the user's code.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BranchCoverage {
    /// The source position of the branch.
    pub at: SrcLoc,
    /// The name of the function that contains it.
    pub function: String,
    /// Its sides, in the order of the program.
    pub sides: Vec<SideCoverage>,
}

/// A side of a branch: covered, or why not.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SideCoverage {
    /// Its number among all coverage sites of the program.
    pub site: usize,
    /// What a person calls it: "true", "case 3, case 5", "default".
    pub side: String,
    /// The number of the first path whose test takes the side.
    pub first_path: Option<u64>,
    /// Whether some path took it, with a test or without.
    pub reached: bool,
    /// Why paths that reached the branch did not take the side.
    pub untaken: UntakenReasons,
}

/// How often paths that reached a branch could not take a side, by reason.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub struct UntakenReasons {
    /// Proved infeasible.
    pub infeasible: u64,
    /// The solver could not decide.
    pub undecided: u64,
    /// A limit or a pruner dropped the state, or its input diverged.
    pub dropped: u64,
    /// A state was still waiting to take the side when the exploration ended.
    pub waiting: u64,
}

impl BranchCoverage {
    /// Adds the counts of another worker for the same branch.
    pub(crate) fn add(&mut self, other: &BranchCoverage) {
        for (side, other) in self.sides.iter_mut().zip(&other.sides) {
            side.reached |= other.reached;
            side.untaken.infeasible += other.untaken.infeasible;
            side.untaken.undecided += other.untaken.undecided;
            side.untaken.dropped += other.untaken.dropped;
            side.untaken.waiting += other.untaken.waiting;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasons_of_several_workers_add_up() {
        let side = |first_path, reached, infeasible, waiting| SideCoverage {
            site: 0,
            side: "true".into(),
            first_path,
            reached,
            untaken: UntakenReasons { infeasible, waiting, ..UntakenReasons::default() },
        };
        let branch = |sides| BranchCoverage {
            at: SrcLoc { file: "a.c".into(), line: 1, column: 2 },
            function: "f".into(),
            sides,
        };
        let mut sum = branch(vec![side(Some(3), true, 0, 0), side(None, false, 2, 0)]);
        sum.add(&branch(vec![side(None, false, 1, 0), side(None, true, 0, 4)]));
        assert_eq!(sum, branch(vec![side(Some(3), true, 1, 0), side(None, true, 2, 4)]));
    }
}
