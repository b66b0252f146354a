//! The dependences of a path.

use byway_ir::{FuncId, InstId};

/// Why the dependences of a path are not known.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum GiveUpReason {
    /// Control left the order of calls and returns: `longjmp`, a tail call.
    Jump,
    /// An address that the points-to analysis does not know.
    UnknownAddress,
    /// The labels need too much memory.
    TooManyLabels,
    /// A value was fixed to one of several.
    Concretised,
}

impl GiveUpReason {
    /// The name in a run's records.
    pub fn name(self) -> &'static str {
        match self {
            GiveUpReason::Jump => "a jump out of a function",
            GiveUpReason::UnknownAddress => "an unknown address",
            GiveUpReason::TooManyLabels => "too many dependences",
            GiveUpReason::Concretised => "a concretised value",
        }
    }
}

/// Where a path ended.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct PathPoint {
    /// The function.
    pub func: FuncId,
    /// The instruction; `None` for the end of the block.
    pub inst: Option<InstId>,
}

/// The dependences of a path. Lists are in the order in which their decisions are asked for.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PathDependences {
    /// For each decision, those it depends on.
    pub decisions: Vec<Vec<usize>>,
    /// For each decision, whether it is observed.
    pub observed: Vec<bool>,
    /// For each decision, whether any other case ends the path at once.
    pub checks: Vec<bool>,
    /// The lists that observed instructions of the user's code depend on, each once.
    pub instructions: Vec<Vec<usize>>,
    /// The decisions that led to the path's end.
    pub end: Vec<usize>,
    /// The decisions that its output depends on, if any output is observed.
    pub output: Vec<usize>,
}

impl PathDependences {
    /// Everything depends on all decisions before it: nothing is known. `checks` says of each
    /// decision whether it is a check.
    pub fn complete(checks: impl Iterator<Item = bool>) -> PathDependences {
        let checks: Vec<bool> = checks.collect();
        let decisions: Vec<Vec<usize>> = (0..checks.len()).map(|it| (0..it).collect()).collect();
        let end: Vec<usize> = (0..checks.len()).collect();
        let output = end.clone();
        let observed = vec![true; checks.len()];
        PathDependences { decisions, observed, checks, instructions: Vec::new(), end, output }
    }
}
