//! A path so far: its decisions, its path condition and an input that takes it.

use std::collections::BTreeMap;
use std::num::NonZeroU64;
use std::rc::Rc;
use std::sync::Arc;

use byway_base::ExprId;
use byway_expr::{InputId, InputList, Model, PathCondition, Pool, Roots};
use byway_search::{Case, Decision, OriginId};
use rustc_hash::FxHashSet;

use crate::branch_trace::BranchTrace;
use crate::partial_trace::{PartialTrace, RecordedDecision};
use crate::reason::ConcretisationReason;
use crate::seeds::PathSeeds;
use crate::underconstrained::InputTable;

/// What an instruction needs decided before it can continue: which case the path takes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ForkRequest {
    /// The kind of decision.
    pub decision: Decision,
    /// The term under which the answer is recorded.
    pub key: ExprId,
    /// The cases; every input satisfies at most one of them.
    pub cases: Vec<ForkCase>,
    /// The term whose value is chosen, if the first case is one of many values and the second
    /// stands for all others.
    pub value_of: Option<ExprId>,
}

/// One case of a fork request.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct ForkCase {
    /// Its number, which depends on the decision.
    pub case: Case,
    /// The inputs that take it.
    pub condition: ExprId,
}

/// The case of all values that have no number of their own.
pub const OTHERWISE: Case = Case(u64::MAX);

/// The decisions of a path, and what is known of its input.
#[derive(Clone, Debug)]
pub struct PathInfo {
    /// The conjunction of its constraints.
    pub condition: PathCondition,
    /// An input that takes the path. Bytes never set are zero.
    pub witness: Model,
    /// The seeds that follow the path. The bytes of the first are its witness.
    pub seeds: PathSeeds,
    /// Its symbolic objects, in the order of their creation.
    pub inputs: InputList,
    /// Its unconstrained input, if it starts in a function.
    pub unconstrained: InputTable,
    /// Conditions that its test satisfies where possible (`klee_prefer_cex`).
    pub preferences: Rc<Vec<ExprId>>,
    /// How many of these the witness was adapted to.
    pub preferences_applied: u32,
    /// The answers given to the current instruction: key and case index. The instruction
    /// runs again from its start after each answer, so they are kept until it completes. One
    /// key may serve two requests, a check and a choice of objects, say, whose case numbers
    /// differ: the index of "it holds" is the same in both.
    pub answers: Vec<(ExprId, u32)>,
    /// Whether the current instruction waits for an answer.
    pub suspended: bool,
    /// The case indices that the state stands for, if it is a group of switch cases: the
    /// request is repeated when it runs.
    pub case_group: Option<Rc<Vec<usize>>>,
    /// The condition of a pending state, whose feasibility is not decided.
    pub pending: Option<ExprId>,
    /// How often the solver gave up on what the state waits for, a pending condition or an
    /// input that satisfies an assumption; 0 for any other state. While it is not 0, the
    /// witness is no test of the state.
    pub attempts: u8,
    /// Whether the program lets the path fork.
    pub forking: bool,
    /// The number of forks on the path.
    pub depth: u32,
    /// A digest of its decisions.
    pub digest: u64,
    /// Instructions from the program's start.
    pub instructions: u64,
    /// The value of `instructions` when it last reached a site that no path had reached.
    pub new_coverage_at: Option<NonZeroU64>,
    /// Heap objects allocated; 32 bits keep states small.
    pub heap_allocations: u32,
    /// The solver's effort for its queries.
    pub effort: u64,
    /// Values fixed to one of several, by what for.
    pub concretised: Rc<BTreeMap<ConcretisationReason, u64>>,
    /// Whether following the witness from the start may lead elsewhere: the program acted on
    /// values of an earlier witness that no constraint records, or a value was concretised
    /// after too many alternatives.
    pub unrepeatable: bool,
    /// The exit code, if it is symbolic.
    pub exit_code: Option<ExprId>,
    /// What it reached.
    pub covered: Rc<PathCoverage>,
    /// Its decisions, if it begins in a function instead of the program's entry.
    pub partial: Option<Rc<PartialTrace>>,
}

/// What a path reached before a test did, and the branches that led there.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PathCoverage {
    /// Sites that no test covered then, a bit each.
    pub sites: Vec<u64>,
    /// Targets that no test reached then, by number.
    pub targets: Vec<u32>,
    /// The branches it took, if they are recorded and there are any.
    pub branches: Option<Arc<BranchTrace>>,
}

impl Default for PathInfo {
    fn default() -> PathInfo {
        PathInfo {
            condition: PathCondition::new(),
            witness: Model::new(),
            seeds: PathSeeds::default(),
            inputs: InputList::default(),
            unconstrained: InputTable::default(),
            preferences: Rc::default(),
            preferences_applied: 0,
            answers: Vec::new(),
            suspended: false,
            case_group: None,
            pending: None,
            attempts: 0,
            forking: true,
            depth: 0,
            digest: 0,
            instructions: 0,
            new_coverage_at: None,
            heap_allocations: 0,
            effort: 0,
            concretised: Rc::default(),
            unrepeatable: false,
            exit_code: None,
            covered: Rc::default(),
            partial: None,
        }
    }
}

impl PathInfo {
    /// Whether the witness is known to take the path.
    pub fn is_decided(&self) -> bool {
        self.pending.is_none() && self.attempts == 0
    }

    /// The case index that was answered under a key to the current instruction.
    pub fn answer(&self, key: ExprId) -> Option<usize> {
        self.answers.iter().find(|(asked, _)| *asked == key).map(|&(_, index)| index as usize)
    }

    /// Adds a decision to the digest. Which decisions are added depends on the path alone,
    /// not on the order of exploration.
    pub fn note(&mut self, place: u64, case: Case) {
        let mixed = (self.digest ^ place).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let mixed = (mixed ^ (mixed >> 29) ^ case.0).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        self.digest = mixed ^ (mixed >> 32);
    }

    /// Creates a symbolic object with the bytes of the seeds. A name in use gets a number.
    pub fn new_input(&mut self, pool: &mut Pool, name: &str, size: u32) -> InputId {
        let place = self.inputs.len();
        let input = self.inputs.add(pool, name, size);
        self.seeds.fill(input, &pool.input_object(input).name, size, place);
        if let Some(first) = self.seeds.first() {
            self.witness = first.model.clone();
        }
        input
    }

    /// Gives new seeds their bytes for the inputs that exist already.
    pub fn fill_inputs(&mut self, pool: &Pool) {
        for (place, input) in self.inputs.iter().enumerate() {
            let object = pool.input_object(input);
            self.seeds.fill(input, &object.name, object.size, place);
        }
        if let Some(first) = self.seeds.first() {
            self.witness = first.model.clone();
        }
    }

    /// Whether the program has preferences that the witness was not adapted to. A seed is
    /// never adapted.
    pub fn has_new_preferences(&self) -> bool {
        self.seeds.is_empty() && (self.preferences_applied as usize) < self.preferences.len()
    }

    /// Counts a symbolic value fixed to one value.
    pub fn count_concretised(&mut self, reason: ConcretisationReason) {
        *Rc::make_mut(&mut self.concretised).entry(reason).or_default() += 1;
    }

    /// Records a site that no test covers yet; returns whether it is new on the path.
    pub fn cover(&mut self, site: u32) -> bool {
        let (word, bit) = (site as usize / 64, 1 << (site % 64));
        if self.covered.sites.get(word).is_some_and(|w| w & bit != 0) {
            return false;
        }
        let covered = &mut Rc::make_mut(&mut self.covered).sites;
        if covered.len() <= word {
            covered.resize(word + 1, 0);
        }
        covered[word] |= bit;
        true
    }

    /// The sites it reached, among those that no test covered then.
    pub fn sites(&self) -> impl Iterator<Item = u32> + '_ {
        self.covered.sites.iter().enumerate().flat_map(|(word, &bits)| {
            let rest = std::iter::successors(Some(bits), |&bits| Some(bits & bits.wrapping_sub(1)));
            let lowest = rest.take_while(|&bits| bits != 0).map(u64::trailing_zeros);
            lowest.map(move |bit| word as u32 * 64 + bit)
        })
    }

    /// Records that it reaches a target; returns whether that is new on the path.
    pub fn reach(&mut self, target: u32) -> bool {
        let is_new = !self.reached().contains(&target);
        if is_new {
            Rc::make_mut(&mut self.covered).targets.push(target);
        }
        is_new
    }

    /// The targets that it reached, among those that no test reached then.
    pub fn reached(&self) -> &[u32] {
        &self.covered.targets
    }

    /// The case index that was answered to an instruction with a single request.
    pub fn only_answer(&self) -> Option<usize> {
        self.answers.first().map(|&(_, index)| index as usize)
    }

    /// Where the path begins.
    pub fn origin(&self) -> OriginId {
        self.partial.as_ref().map_or(OriginId::ENTRY, |trace| trace.origin())
    }

    /// Counts heap objects.
    pub fn count_allocations(&mut self, count: u32) {
        self.heap_allocations = self.heap_allocations.saturating_add(count);
    }

    /// The number of conditional branches executed, if they are recorded.
    pub fn branch_count(&self) -> u64 {
        self.covered.branches.as_ref().map_or(0, |branches| branches.executed.len())
    }

    /// Records the side of a branch that it takes; returns the number of the branch.
    pub fn take_side(&mut self, holds: bool) -> u64 {
        let branches = self.branches_mut();
        branches.executed.push(holds);
        branches.executed.len() - 1
    }

    /// Records the side that it takes of a branch at which it forked.
    pub fn fork_at_branch(&mut self, holds: bool) {
        self.branches_mut().forked.push(holds);
    }

    fn branches_mut(&mut self) -> &mut BranchTrace {
        Arc::make_mut(Rc::make_mut(&mut self.covered).branches.get_or_insert_default())
    }

    /// Records a decision, if another path may follow this one.
    pub fn record(&mut self, position: u64, request: &ForkRequest, index: usize) {
        let Some(trace) = &mut self.partial else { return };
        let case = request.cases[index].case;
        let decided = RecordedDecision { position, decision: request.decision, case };
        if decided.is_repeatable() {
            Rc::make_mut(trace).push(decided);
        }
    }

    /// Answers a request of the current instruction.
    pub fn answered(&mut self, key: ExprId, index: usize) {
        if self.answers.capacity() == 0 {
            // Few instructions need a second answer, and pending states are many.
            self.answers = Vec::with_capacity(1);
        }
        self.answers.push((key, index as u32));
    }

    /// Keeps its terms alive in a collection; `seen` records what states share.
    pub fn mark(&self, roots: &mut Roots, seen: &mut FxHashSet<usize>) {
        self.condition.mark(roots, seen);
        self.seeds.mark(roots);
        self.preferences.iter().for_each(|&e| roots.keep(e));
        self.answers.iter().for_each(|&(e, _)| roots.keep(e));
        self.pending.iter().for_each(|&e| roots.keep(e));
    }
}
