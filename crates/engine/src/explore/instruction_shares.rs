//! Limits on what one instruction, or one call path, may take of all forks and of all solver
//! effort. Where a limit is exceeded, a state follows one case.
//!
//! Counts of forks and effort are the same in every run, so these limits are, too. They are kept
//! only if there is a limit.

use std::hash::{Hash, Hasher};

use byway_base::{Limit, SrcLoc};
use rustc_hash::{FxHashMap, FxHashSet, FxHasher};

use super::explorer::Explorer;
use crate::program::Program;
use crate::state::State;

/// A part of a whole, in parts per million.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Share(u32);

impl Share {
    const WHOLE: u32 = 1_000_000;

    /// A share from 0 to 1; `None` for any other number.
    pub fn new(fraction: f64) -> Option<Share> {
        let parts = (fraction * f64::from(Share::WHOLE)).round();
        (0.0..=f64::from(Share::WHOLE)).contains(&parts).then_some(Share(parts as u32))
    }

    /// Whether a part is more of the whole than this share.
    fn is_exceeded(self, part: u64, whole: u64) -> bool {
        u128::from(part) * u128::from(Share::WHOLE) > u128::from(whole) * u128::from(self.0)
    }
}

/// The largest share that an instruction or a call path may have; `None` is unlimited. A call path
/// is a function reached through the same chain of calls.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub struct ShareLimits {
    /// One instruction, of all forks.
    pub forks: Option<Share>,
    /// One instruction, of all solver effort.
    pub solver: Option<Share>,
    /// One call path, of all forks.
    pub call_path_forks: Option<Share>,
    /// One call path, of all solver effort.
    pub call_path_solver: Option<Share>,
    /// The limits hold after this many forks: few forks make large shares.
    pub after_forks: u64,
}

impl ShareLimits {
    fn is_unlimited(&self) -> bool {
        let ShareLimits { forks, solver, call_path_forks, call_path_solver, after_forks: _ } = self;
        [forks, solver, call_path_forks, call_path_solver].into_iter().all(Option::is_none)
    }
}

/// Forks and solver effort.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct ForkCosts {
    pub forks: u64,
    pub effort: u64,
}

impl ForkCosts {
    /// What was taken since these sums.
    pub fn since(self, before: ForkCosts) -> ForkCosts {
        ForkCosts { forks: self.forks - before.forks, effort: self.effort - before.effort }
    }

    fn add(&mut self, other: ForkCosts) {
        self.forks += other.forks;
        self.effort += other.effort;
    }
}

/// Where a state is: its instruction and its call path, as numbers.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) struct SharePosition {
    instruction: u64,
    call_path: u64,
}

impl SharePosition {
    pub fn of(program: &Program, state: &State) -> SharePosition {
        let mut hasher = FxHasher::default();
        let instruction = state.stack.last().map_or(0, |top| {
            let callers = state.stack.iter().map(|frame| (frame.func, frame.pc));
            callers.take(state.stack.len() - 1).for_each(|caller| caller.hash(&mut hasher));
            top.func.hash(&mut hasher);
            program.ir_position(top.func, top.pc.saturating_sub(1))
        });
        SharePosition { instruction, call_path: hasher.finish() }
    }
}

impl Explorer<'_, '_, '_> {
    /// Forks and solver effort so far.
    pub(super) fn fork_costs(&self) -> ForkCosts {
        ForkCosts { forks: self.results.totals.forks, effort: self.feasibility.effort() }
    }

    /// The limit on shares that keeps a state from forking, which is reported. Seeds are followed
    /// all the same.
    pub(super) fn share_exceeded(
        &mut self,
        state: &State,
        at: Option<SharePosition>,
    ) -> Option<Limit> {
        let shares = self.shares.as_mut().filter(|_| state.path.seeds.is_empty())?;
        let at = at?;
        let limit = shares.exceeded(at)?;
        if shares.reported.insert((at.instruction, limit)) {
            let at = state_location(self.machine.program, state);
            let at = at.map_or(String::new(), |at| format!(" at {at}"));
            let name = limit.name();
            self.results.message(&format!("{name} is exceeded{at}: states follow one case there"));
        }
        Some(limit)
    }
}

/// The source location of a state.
fn state_location(program: &Program, state: &State) -> Option<SrcLoc> {
    let top = state.stack.last()?;
    let loc =
        program.code(top.func).locs.get(top.pc.checked_sub(1)? as usize).copied().flatten()?;
    Some(program.module.src_loc(loc))
}

/// Who took how much so far.
pub(super) struct InstructionShares {
    limits: ShareLimits,
    all: ForkCosts,
    instructions: FxHashMap<u64, ForkCosts>,
    call_paths: FxHashMap<u64, ForkCosts>,
    /// The instructions at which a limit was reported.
    reported: FxHashSet<(u64, Limit)>,
}

impl InstructionShares {
    /// Nothing was taken; `None` if there are no limits.
    pub fn new(limits: ShareLimits) -> Option<Box<InstructionShares>> {
        (!limits.is_unlimited()).then(|| {
            Box::new(InstructionShares {
                limits,
                all: ForkCosts::default(),
                instructions: FxHashMap::default(),
                call_paths: FxHashMap::default(),
                reported: FxHashSet::default(),
            })
        })
    }

    /// Adds what a state took at a position.
    pub fn add(&mut self, at: SharePosition, costs: ForkCosts) {
        self.all.add(costs);
        self.instructions.entry(at.instruction).or_default().add(costs);
        self.call_paths.entry(at.call_path).or_default().add(costs);
    }

    /// The limit that is exceeded at a position.
    pub fn exceeded(&self, at: SharePosition) -> Option<Limit> {
        let ShareLimits { forks, solver, call_path_forks, call_path_solver, after_forks } =
            self.limits;
        if self.all.forks < after_forks {
            return None;
        }
        let own = self.instructions.get(&at.instruction).copied().unwrap_or_default();
        let path = self.call_paths.get(&at.call_path).copied().unwrap_or_default();
        let ForkCosts { forks: all_forks, effort: all_effort } = self.all;
        let parts = [
            (forks, own.forks, all_forks, Limit::ForkShare),
            (call_path_forks, path.forks, all_forks, Limit::CallPathForkShare),
            (solver, own.effort, all_effort, Limit::SolverShare),
            (call_path_solver, path.effort, all_effort, Limit::CallPathSolverShare),
        ];
        parts.into_iter().find_map(|(limit, part, whole, name)| {
            limit.filter(|limit| limit.is_exceeded(part, whole)).map(|_| name)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HERE: SharePosition = SharePosition { instruction: 1, call_path: 7 };
    const THERE: SharePosition = SharePosition { instruction: 2, call_path: 7 };

    fn limited(limits: ShareLimits) -> Box<InstructionShares> {
        let mut shares = InstructionShares::new(limits).expect("there is a limit");
        shares.add(HERE, ForkCosts { forks: 30, effort: 5 });
        shares.add(THERE, ForkCosts { forks: 10, effort: 95 });
        shares
    }

    #[test]
    fn shares_are_of_all_that_was_taken() {
        let some = |fraction| Share::new(fraction);
        let forks = limited(ShareLimits { forks: some(0.5), ..ShareLimits::default() });
        assert_eq!((forks.exceeded(HERE), forks.exceeded(THERE)), (Some(Limit::ForkShare), None));
        let solver = limited(ShareLimits { solver: some(0.5), ..ShareLimits::default() });
        let both = (solver.exceeded(HERE), solver.exceeded(THERE));
        assert_eq!(both, (None, Some(Limit::SolverShare)));
        let paths = ShareLimits { call_path_forks: some(0.99), ..ShareLimits::default() };
        assert_eq!(limited(paths).exceeded(HERE), Some(Limit::CallPathForkShare));
        let late = ShareLimits { after_forks: 41, ..paths };
        assert_eq!(limited(late).exceeded(HERE), None);
        let elsewhere = SharePosition { instruction: 3, call_path: 8 };
        assert_eq!(limited(paths).exceeded(elsewhere), None);
        assert!(InstructionShares::new(ShareLimits::default()).is_none());
    }

    #[test]
    fn the_whole_exceeds_no_share_of_one() {
        let whole = Share::new(1.0).expect("a share");
        assert!(!whole.is_exceeded(u64::MAX, u64::MAX));
        assert!(Share::new(0.0).is_some_and(|none| none.is_exceeded(1, u64::MAX)));
        assert_eq!([-0.1, 1.1, f64::NAN, f64::INFINITY].map(Share::new), [None; 4]);
    }
}
