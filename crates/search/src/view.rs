//! Facts about the live states that searchers and pruners can query.

use byway_base::Work;
use byway_ir::FuncId;

use crate::markov::{ChainState, ProgramChain};
use crate::{Case, ConditionHash, Location, OriginId, Site, StateId};

/// Facts about the live states: each method is a column of a table whose rows are states.
///
/// The engine computes most facts from the state when they are queried, so they cost
/// nothing otherwise. The few that must be counted while states run are kept only for a
/// searcher or pruner that [requires](SearcherRequirements) them; without that they are 0 or
/// `None`. A new fact is a new method and does not touch existing searchers.
///
/// Query live states only; for any other id the result is a default, never a panic. A state
/// that a delta removes is no longer live in the view passed with it.
///
/// `location`, `depth`, `is_pending`, `solver_effort` and `instructions_since_new_coverage`
/// change only when the state itself runs ([`Delta::ran`](crate::Delta::ran)). `executions`,
/// `instructions_on_call_path` and `is_at_uncovered` also change when other states run,
/// distances to uncovered code with [`distances_epoch`](Self::distances_epoch), and distances to
/// targets when a target is reached.
pub trait View {
    /// All live states, oldest first, in linear time. For joining an exploration in
    /// progress; not for every pick.
    fn states(&self) -> Vec<StateId>;

    /// The work done so far by all states: the clock by which searchers share.
    fn work(&self) -> Work;

    /// The block the state is in; for a pending state, the block it would enter.
    fn location(&self, state: StateId) -> Location;

    /// The number of forks on its path, without those that have a single successor.
    fn depth(&self, state: StateId) -> u32;

    /// Whether its feasibility is still undecided. Running a pending state decides it first.
    fn is_pending(&self, state: StateId) -> bool;

    /// How often any state has executed the block that this state executes next.
    /// [Required](SearcherRequirements::executions).
    fn executions(&self, state: StateId) -> u64;

    /// The instructions that any state has executed under this state's call path: in the
    /// innermost function, reached through the same chain of calls, without its callees.
    /// [Required](SearcherRequirements::call_paths).
    fn instructions_on_call_path(&self, state: StateId) -> u64;

    /// The solver effort spent on its path so far.
    fn solver_effort(&self, state: StateId) -> u64;

    /// The least number of instructions until it reaches user code that no state has
    /// covered: 1 if the next instruction does, `None` if no path leads there.
    /// [Required](SearcherRequirements::distances).
    ///
    /// Distances are recomputed now and then, not after each change of coverage; every
    /// recomputation changes [`distances_epoch`](Self::distances_epoch).
    fn distance_to_uncovered(&self, state: StateId) -> Option<u64>;

    /// The number of times distances were recomputed. When it changes, the distance of any
    /// state may have changed, not only that of the state that ran.
    fn distances_epoch(&self) -> u64;

    /// The least number of instructions until it reaches an open target: 0 if it has reached
    /// one and its test is still to be written, `None` if no path leads to one. Such states are
    /// dropped after the round. Targets that close make distances longer, never shorter.
    fn distance_to_target(&self, state: StateId) -> Option<u64>;

    /// The same within the function that the state is in, without its callees: to an open target
    /// there; if there is none, to a call that leads to one; if there is none, to a return.
    /// [Required](SearcherRequirements::distances_in_functions).
    fn distance_in_function(&self, state: StateId) -> Option<u64>;

    /// The instructions it has run since it last covered user code that was new to all
    /// states; `None` if it never did.
    fn instructions_since_new_coverage(&self, state: StateId) -> Option<u64>;

    /// Whether its next step takes a branch side of user code that no state has taken.
    fn is_at_uncovered(&self, state: StateId) -> bool;

    /// Whether the function belongs to the user, not to the C library or the runtime.
    fn is_user_code(&self, func: FuncId) -> bool;

    /// Where the path of a state begins. It never changes; the successors of a fork share it.
    fn origin(&self, _: StateId) -> OriginId {
        OriginId::ENTRY
    }

    /// The least number of calls from the program's entry to an origin.
    fn calls_from_entry(&self, _: OriginId) -> u32 {
        0
    }

    /// Whether the engine searches backward and has states left to run.
    fn has_backward_work(&self) -> bool {
        false
    }

    /// Whether the backward search has reached the program's entry: it contains a target, or
    /// calls a function with partial paths.
    fn is_entry_reached(&self) -> bool {
        true
    }

    /// The program as a Markov chain. [Required](SearcherRequirements::random_tests).
    fn program_chain(&self) -> Option<&ProgramChain> {
        None
    }

    /// The state of the chain that a state of the exploration enters next: that of the innermost
    /// user code on its stack. [Required](SearcherRequirements::random_tests).
    fn chain_state(&self, _: StateId) -> Option<ChainState> {
        None
    }

    /// The clock by which pruners act: the work done so far, or milliseconds of the processor
    /// ([`Pruner::clock_unit`](crate::Pruner::clock_unit)).
    fn clock(&self) -> u64 {
        self.work().0
    }

    /// How many states this exploration dropped to stay within the memory limit.
    fn lost_to_memory(&self) -> u64 {
        0
    }

    /// The conditions of its path, each once. [Required](SearcherRequirements::evidence).
    fn conditions(&self, _: StateId) -> Vec<ConditionHash> {
        Vec::new()
    }

    /// Whether the control flow graph implies that every path to `then` takes `case` at
    /// `site`, a site of the same function.
    fn is_forced(&self, site: Site, case: Case, then: Location) -> bool;
}

/// What a searcher or pruner needs beyond the facts that are free.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub struct SearcherRequirements {
    /// Count executions per block, for [`View::executions`].
    pub executions: bool,
    /// Count instructions per call path, for [`View::instructions_on_call_path`].
    pub call_paths: bool,
    /// Compute distances, for [`View::distance_to_uncovered`].
    pub distances: bool,
    /// Compute distances within functions, for [`View::distance_in_function`].
    pub distances_in_functions: bool,
    /// Run states as concolic testers do: the other cases of a fork stay pending, whatever
    /// the user chose for feasibility. Picking a pending state solves it, and the new input
    /// runs from the program's start.
    pub concolic: bool,
    /// Search backward from the targets: start paths in functions that lead to a target, with
    /// unconstrained input, and follow the partial paths that are found. See [`OriginId`].
    pub backward: bool,
    /// Keep no states: the searcher returns only
    /// [`Action::RandomTest`](crate::Action::RandomTest).
    pub random: bool,
    /// Run [random tests](crate::Action::RandomTests) beside the states, show the program as a
    /// [Markov chain](View::program_chain), and count the operators of constraints.
    pub random_tests: bool,
    /// Begin again from the program's start when the pruner
    /// [asks for it](crate::Pruner::starts_over).
    pub restarts: bool,
    /// Report what tests show ([`Delta::evidence`](crate::Delta::evidence)), and the conditions of
    /// paths.
    pub evidence: bool,
}

impl SearcherRequirements {
    /// The union of both.
    #[must_use]
    pub fn and(self, other: SearcherRequirements) -> SearcherRequirements {
        SearcherRequirements {
            executions: self.executions | other.executions,
            call_paths: self.call_paths | other.call_paths,
            distances: self.distances | other.distances,
            distances_in_functions: self.distances_in_functions | other.distances_in_functions,
            concolic: self.concolic | other.concolic,
            backward: self.backward | other.backward,
            random: self.random | other.random,
            random_tests: self.random_tests | other.random_tests,
            restarts: self.restarts | other.restarts,
            evidence: self.evidence | other.evidence,
        }
    }
}
