//! What happened to the states since the last update, as plain data.

use crate::{Case, Location, OperatorProfile, Site, StateId, TestEvidence, View};

/// A state that results from a fork.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Successor {
    /// The case it takes; the lowest one, if it stands for a group of cases.
    pub case: Case,
    /// The other cases of its group, ascending; empty unless it stands for a group. A
    /// group splits when it runs ([`Fork::splits_group`]).
    pub grouped_cases: Vec<Case>,
    /// The state; it may be the fork's parent.
    pub state: StateId,
}

/// A state reached a branch site and split into its feasible successors.
///
/// Also reported with a single successor, when the other cases are infeasible.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fork {
    /// The state that reached the site. It continues as the successor that its witness
    /// satisfies; if it is not listed, the state is gone.
    pub parent: StateId,
    /// Where the parent split.
    pub site: Site,
    /// The parent is itself a group of switch cases created at this site and now splits
    /// further. Its successors replace the group: they belong to the same fork, not to a
    /// second one after it. A group reduced to one case has a single successor.
    pub splits_group: bool,
    /// Successors by ascending case. The order is independent of which one the parent
    /// continues as, so order-based searchers are deterministic across solver models.
    pub successors: Vec<Successor>,
}

/// A state is the first to reach a block of the user's own code along a branch side, or
/// to call a function of it.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct NewCoverage {
    /// The state that is first.
    pub state: StateId,
    /// The block that it reached.
    pub location: Location,
}

/// What [random tests](crate::Action::RandomTests) did.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct TestBatch {
    /// How many inputs ran; none if no input can run.
    pub runs: u64,
    /// What they cost, in interpreted instructions that take as long.
    pub cost: u64,
    /// The states whose path an input takes: their feasibility is decided, and they ran.
    pub followed: Vec<StateId>,
}

/// Everything that happened to the states since the last update.
///
/// Process it in the order of its fields: states are resumed, start, fork (in the order of
/// the forks; one run can fork many times), are removed, are suspended. One delta can add a
/// state and remove it. Every state is removed exactly once, by one of the four lists that
/// give the reason or by a fork that does not list its parent among the successors.
///
/// A suspended state is alive but must not be picked until it is resumed. It neither runs
/// nor forks while suspended, but it can be removed. The engine suspends states that the
/// solver gave up on, until nothing else can be picked; a searcher that wraps another may
/// suspend any. A resumed state returns to its old position in the searcher's order, where a
/// started one is new.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Delta {
    /// The state that was to run: every fact of the view about it may have changed. Also set if
    /// it was pending and is now removed without having run.
    pub ran: Option<StateId>,
    /// Suspended states that can be picked again.
    pub resumed: Vec<StateId>,
    /// States without a parent: the program's entry, or received from another worker.
    pub started: Vec<StateId>,
    /// Forks, in the order they happened.
    pub forks: Vec<Fork>,
    /// States whose path ended.
    pub ended: Vec<StateId>,
    /// The subset of `ended` that were [random tests](crate::Action::RandomTest) and took a
    /// path which an earlier one had taken.
    pub repeated: Vec<StateId>,
    /// Pending states whose path condition turned out to be unsatisfiable.
    pub infeasible: Vec<StateId>,
    /// Pending states the solver could not decide.
    pub unknown: Vec<StateId>,
    /// States discarded: by a pruner, to stay within the memory limit, because a concolic input
    /// diverged, or sent to another worker. (A successor over a limit on states or depth is
    /// never added, so it is not listed.)
    pub dropped: Vec<StateId>,
    /// States that must not be picked until they are resumed. If one of them was picked
    /// last, it did not run, and the pick does not count.
    pub suspended: Vec<StateId>,
    /// User code that was covered for the first time.
    pub new_coverage: Vec<NewCoverage>,
    /// The branch sides and functions of user code that the tests of ended paths are the first
    /// to cover.
    pub newly_tested: u64,
    /// What random tests did, if that was the action.
    pub tests: Option<TestBatch>,
    /// The constraints of new pending states.
    /// [Required](crate::SearcherRequirements::random_tests).
    pub constraints: Vec<(StateId, OperatorProfile)>,
    /// Executions of function entries and branch sides of user code since the last update, by
    /// their number in the [chain](crate::markov::ProgramChain::sites). Those without any are
    /// omitted. [Required](crate::SearcherRequirements::random_tests).
    pub executions: Vec<(u32, u64)>,
    /// The solver effort spent since the last update, calls of the backend included: 10,000 take
    /// about a second.
    pub effort: u64,
    /// What the tests since the last update show.
    /// [Required](crate::SearcherRequirements::evidence).
    pub evidence: Vec<TestEvidence>,
}

impl Delta {
    /// The first delta for a searcher or pruner that joins an exploration: every state of
    /// the view starts.
    pub fn all_of(view: &dyn View) -> Delta {
        Delta { started: view.states(), ..Delta::default() }
    }

    /// Empties all lists but keeps their capacity.
    pub fn clear(&mut self) {
        // Destructured without `..`, so a new field cannot be forgotten.
        let Delta {
            ran,
            resumed,
            started,
            forks,
            ended,
            repeated,
            infeasible,
            unknown,
            dropped,
            suspended,
            new_coverage,
            newly_tested,
            tests,
            constraints,
            executions,
            effort,
            evidence,
        } = self;
        (*ran, *tests) = (None, None);
        (*newly_tested, *effort) = (0, 0);
        constraints.clear();
        executions.clear();
        evidence.clear();
        forks.clear();
        new_coverage.clear();
        for states in [resumed, started, ended, repeated, infeasible, unknown, dropped, suspended] {
            states.clear();
        }
    }

    /// Every new state: started, or a successor other than its parent.
    pub fn added(&self) -> impl Iterator<Item = StateId> {
        let forked = self.forks.iter().flat_map(|fork| {
            fork.successors.iter().map(|s| s.state).filter(|&state| state != fork.parent)
        });
        self.started.iter().copied().chain(forked)
    }

    /// Every state that no longer exists, for whatever reason.
    pub fn removed(&self) -> impl Iterator<Item = StateId> {
        let replaced = self.forks.iter().filter(|fork| !fork.parent_continues());
        let ended = self.ended.iter().chain(&self.infeasible);
        let given_up = self.unknown.iter().chain(&self.dropped);
        replaced.map(|fork| fork.parent).chain(ended.chain(given_up).copied())
    }

    /// Every state that can be picked from now on: resumed or added.
    pub fn became_pickable(&self) -> impl Iterator<Item = StateId> {
        self.resumed.iter().copied().chain(self.added())
    }

    /// Every state that can no longer be picked: removed or suspended.
    pub fn became_unpickable(&self) -> impl Iterator<Item = StateId> {
        self.removed().chain(self.suspended.iter().copied())
    }
}

impl Fork {
    /// Whether the parent is one of the successors.
    pub fn parent_continues(&self) -> bool {
        self.successors.iter().any(|successor| successor.state == self.parent)
    }
}
