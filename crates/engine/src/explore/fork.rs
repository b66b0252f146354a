//! A fork request and its answers become states.
//!
//! The state takes the case of its witness without a query. For every other case, or group of
//! cases, a [`Forker`] adds a successor to the frontier: decided by the solver, known from a
//! seed, or pending.

use std::ops::Range;
use std::rc::Rc;

use byway_base::{ExprId, Limit};
use byway_expr::{Added, OpCost, Pool};
use byway_search::{
    Case, Decision, Delta, Fork, Location, OperatorProfile, Site, StateId, Successor,
};
use byway_solver::{Answer, UnknownReason};

use super::Feasibility;
use super::branch_stats::{BranchStats, UntakenReason};
use super::budget::RunBudget;
use super::case_groups::{CaseGroup, group_cases, other_cases};
use super::feasibility::{FeasibilityChecker, GroupAnswers};
use super::follow::{record, record_fork, witness_case};
use super::frontier::Frontier;
use super::results::PathResults;
use super::seed_queue::SeedQueue;
use super::undecided::UndecidedStates;
use crate::interp::Machine;
use crate::path_info::{ForkRequest, PathInfo};
use crate::program::Program;
use crate::seeds::PathSeeds;
use crate::state::State;

/// The most operators that are counted: terms of loops share parts, so all of them, at every fork,
/// would take time in the square of the path.
const MOST_PROFILED: usize = 200;

/// What became of a fork request.
pub(super) enum ForkResult {
    /// The state continues alone.
    Single,
    /// Other states take other cases.
    Forked,
    /// No input satisfies any case.
    Excluded,
    /// The solver cannot decide whether any input does.
    Undecided(UnknownReason),
}

/// A successor that is not in the frontier yet.
struct NewSuccessor {
    /// Its first case, and the others if it stands for a group.
    cases: (Case, Vec<Case>),
    state: Box<State>,
}

/// Whether a case group has a successor.
enum GroupResult {
    Feasible(Box<State>),
    Infeasible,
    Undecided,
    /// Cut off by a limit.
    Dropped,
}

/// The parts of an exploration that take part in a fork.
pub(super) struct Forker<'x, 'p, 'e, 'a> {
    pub machine: &'x mut Machine<'p, 'e>,
    pub frontier: &'x mut Frontier<'p>,
    pub feasibility: &'x mut FeasibilityChecker,
    pub branch_stats: &'x mut BranchStats,
    pub seeds: &'x mut SeedQueue,
    pub undecided: &'x mut UndecidedStates,
    pub results: &'x mut PathResults<'a>,
    pub budget: &'x RunBudget,
    /// Live states of other workers.
    pub other_states: usize,
    /// When the successors of this fork are decided.
    pub policy: Feasibility,
    /// Whether the searcher predicts the cost of solving.
    pub profiles_constraints: bool,
    /// The limit on shares that is exceeded where the state forks.
    pub over_share: Option<Limit>,
}

impl Forker<'_, '_, '_, '_> {
    /// Answers the fork request of a state: it takes the case of its witness, and successors
    /// take the other feasible cases.
    pub fn fork(
        &mut self,
        id: StateId,
        state: &mut State,
        request: &ForkRequest,
        delta: &mut Delta,
    ) -> ForkResult {
        if let Some(only) = prescribed_case(self.machine.program, &state.path, request) {
            return self.find_case(state, request, only..only + 1);
        }
        let mut taken = witness_case(self.machine, state, request);
        let sink = &mut *self.results.sink;
        let mut seeds = self.seeds.split(self.machine, state, request, &mut taken, sink);
        let Some(taken) = taken else {
            return self.find_case(state, request, 0..request.cases.len());
        };
        let splits_group = state.path.case_group.is_some();
        let cases = other_cases(&mut state.path, request, taken);
        let (successors, is_exact) = self.successors(state, request, cases, &mut seeds);

        let path = &mut state.path;
        if let Some(own) = seeds.get_mut(taken) {
            path.seeds = std::mem::take(own);
        }
        let own = request.cases[taken];
        if !successors.is_empty() || !is_exact {
            path.condition.add(&mut self.machine.pool, own.condition);
        } else {
            // What a path knows must not depend on when its forks were decided.
            path.condition.learn(&mut self.machine.pool, own.condition);
        }
        path.answered(request.key, taken);
        record(state, request, taken);
        let path = &mut state.path;
        path.depth += u32::from(splits_group || !successors.is_empty());
        let is_single = successors.is_empty();
        if !is_single {
            record_fork(self.machine.program, path, request, taken);
        }
        // A group that is reduced to one case is reported: searchers know it by its first case.
        if splits_group || !is_single {
            let site = site(self.machine.program, state, request);
            let successors = self.add_successors(id, own.case, successors, delta);
            delta.forks.push(Fork { parent: id, site, splits_group, successors });
        }
        if is_single {
            return ForkResult::Single;
        }
        let totals = &mut self.results.totals;
        totals.forks += 1;
        *totals.forks_by.entry(decision_kind(self.machine.program, state, request)).or_default() +=
            1;
        ForkResult::Forked
    }

    /// The successors that take other cases, and whether the case taken is implied where there
    /// are none: all others are infeasible.
    fn successors(
        &mut self,
        state: &mut State,
        request: &ForkRequest,
        cases: Vec<usize>,
        seeds: &mut [PathSeeds],
    ) -> (Vec<NewSuccessor>, bool) {
        // A request with a single case excludes the inputs that do not satisfy it.
        let mut is_exact = request.cases.len() > 1;
        let (program, stats) = (self.machine.program, &mut *self.branch_stats);
        let pool = &mut self.machine.pool;
        let cases = FeasibilityChecker::open_cases(pool, state, request, cases, |index| {
            stats.count(program, state, index, |reasons| &mut reasons.infeasible);
        });
        let has_seeds = !seeds.is_empty();
        let mut groups = group_cases(self.machine, state, request, cases, has_seeds);
        let mut successors = Vec::with_capacity(groups.len());
        let mut answers: Option<GroupAnswers> = None;
        let mut next = 0;
        while let Some(group) = groups.get(next) {
            let own_seeds = group.only_case().and_then(|i| seeds.get_mut(i)).map(std::mem::take);
            let known = answers.as_mut().and_then(|answers| answers.remove(&next));
            match self.successor(state, request, group, own_seeds, known) {
                GroupResult::Feasible(successor) => {
                    successors.push(NewSuccessor { cases: group.cases(request), state: successor });
                }
                GroupResult::Infeasible => {
                    self.count_untaken(state, group, |reasons| &mut reasons.infeasible);
                    if answers.is_none() && !has_seeds && self.policy == Feasibility::Eager {
                        let budget = self.budget;
                        let (machine, from) = (&mut *self.machine, next + 1);
                        let checker = &mut *self.feasibility;
                        answers = Some(
                            checker.check_groups(machine, state, &groups, from, || budget.query()),
                        );
                    }
                }
                // A group that is hard to decide may be easy case by case.
                GroupResult::Undecided if group.only_case().is_none() => {
                    let indices: Vec<usize> = group.indices().collect();
                    groups.extend(indices.into_iter().map(|i| CaseGroup::single(request, i)));
                }
                GroupResult::Undecided => {
                    self.count_untaken(state, group, |reasons| &mut reasons.undecided);
                    is_exact = false;
                }
                GroupResult::Dropped => {
                    self.count_untaken(state, group, |reasons| &mut reasons.dropped);
                    is_exact = false;
                }
            }
            next += 1;
        }
        (successors, is_exact)
    }

    /// The state that takes the cases of a group, decided or pending. `seeds` are those that
    /// take its case, if seeds follow the parent; `known` is the solver's answer, if it was
    /// asked already.
    fn successor(
        &mut self,
        parent: &mut State,
        request: &ForkRequest,
        group: &CaseGroup,
        seeds: Option<PathSeeds>,
        known: Option<Answer>,
    ) -> GroupResult {
        if let Some(limit) = self.limit_reached(&parent.path) {
            self.results.totals.losses.count_dropped(limit);
            if let Some(seeds) = seeds {
                self.seeds.abandon_at_limit(seeds, self.results.sink);
            }
            return GroupResult::Dropped;
        }
        let answer = match (&seeds, self.policy) {
            (Some(seeds), _) => seeds.first().map(|first| Answer::Sat(first.model.clone())),
            (None, Feasibility::Eager) => Some(known.unwrap_or_else(|| {
                let (pool, query) = (&mut self.machine.pool, self.budget.query());
                self.feasibility.check(pool, &mut parent.path, group.condition, query)
            })),
            (None, Feasibility::Lazy) => None,
        };
        let mut attempts = 0;
        let witness = match answer {
            None => None,
            Some(Answer::Sat(model)) => Some(model),
            Some(Answer::Unsat(_)) => return GroupResult::Infeasible,
            Some(Answer::Unknown(_)) if group.only_case().is_none() => {
                return GroupResult::Undecided;
            }
            Some(Answer::Unknown(reason)) => {
                if !UndecidedStates::is_worth_keeping(reason, self.budget.limits()) {
                    self.results.totals.losses.count_undecided(reason);
                    return GroupResult::Undecided;
                }
                attempts = 1;
                None
            }
        };
        let mut state = Box::new(parent.clone());
        let path = &mut state.path;
        path.attempts = attempts;
        if let Some(seeds) = seeds {
            path.seeds = seeds;
            // A successor that leaves the path of a seed keeps as much of the seed as it can.
            path.preferences_applied = path.preferences.len() as u32;
        }
        match witness {
            None => path.pending = Some(group.condition),
            Some(witness) => {
                path.witness = witness;
                if path.condition.add(&mut self.machine.pool, group.condition) == Added::False {
                    return GroupResult::Infeasible;
                }
            }
        }
        match group.only_case() {
            Some(index) => {
                path.answered(request.key, index);
                record_fork(self.machine.program, path, request, index);
                record(&mut state, request, index);
            }
            None => path.case_group = Some(Rc::new(group.indices().collect())),
        }
        state.path.depth += 1;
        GroupResult::Feasible(state)
    }

    /// Finds an input that satisfies one of these cases: the witness satisfies none, or the case is
    /// prescribed.
    fn find_case(
        &mut self,
        state: &mut State,
        request: &ForkRequest,
        cases: Range<usize>,
    ) -> ForkResult {
        let mut undecided = None;
        for index in cases {
            let case = request.cases[index];
            let pool = &mut self.machine.pool;
            let query = self.budget.query_again(state.path.attempts);
            match self.feasibility.check(pool, &mut state.path, case.condition, query) {
                Answer::Sat(model) => {
                    let path = &mut state.path;
                    self.undecided.totals.decided += u64::from(path.attempts > 0);
                    path.attempts = 0;
                    path.witness = model;
                    path.condition.add(&mut self.machine.pool, case.condition);
                    path.answered(request.key, index);
                    record(state, request, index);
                    self.machine.evaluator.forget();
                    return ForkResult::Single;
                }
                Answer::Unsat(_) => {}
                Answer::Unknown(reason) => undecided = Some(reason),
            }
        }
        undecided.map_or(ForkResult::Excluded, ForkResult::Undecided)
    }

    /// The limit that keeps a state from forking.
    fn limit_reached(&self, path: &PathInfo) -> Option<Limit> {
        let limits = self.budget.limits();
        let states = || self.frontier.len() + self.other_states;
        if !path.forking {
            Some(Limit::Forking)
        } else if limits.depth.is_some_and(|max| path.depth >= max) {
            Some(Limit::Depth)
        } else if limits.states.is_some_and(|max| states() + 1 >= max) {
            Some(Limit::States)
        } else if limits.forks.is_some_and(|max| self.results.totals.forks >= max) {
            Some(Limit::Forks)
        } else {
            self.over_share
        }
    }

    /// Tells the searcher what a pending state waits for, if it predicts costs.
    fn profile_constraint(&self, id: StateId, delta: &mut Delta) {
        if !self.profiles_constraints {
            return;
        }
        let path = self.frontier.get(id).map(|state| &state.path);
        if let Some(path) = path
            && let Some(condition) = path.pending
        {
            let profile = operator_profile(&self.machine.pool, condition, path.depth);
            delta.constraints.push((id, profile));
        }
    }

    fn count_untaken(&mut self, state: &State, group: &CaseGroup, reason: UntakenReason) {
        for index in group.indices() {
            self.branch_stats.count(self.machine.program, state, index, reason);
        }
    }

    /// Adds successors to the frontier; all successors by ascending case, the parent included.
    fn add_successors(
        &mut self,
        parent: StateId,
        own: Case,
        successors: Vec<NewSuccessor>,
        delta: &mut Delta,
    ) -> Vec<Successor> {
        let mut all = Vec::with_capacity(successors.len() + 1);
        all.push(Successor { case: own, grouped_cases: Vec::new(), state: parent });
        for NewSuccessor { cases: (case, grouped_cases), state } in successors {
            let id = self.frontier.add(state);
            if let Some(undecided) = self.frontier.get(id).filter(|it| it.path.attempts > 0) {
                self.undecided.add(id, &undecided.path);
                delta.suspended.push(id);
            }
            self.profile_constraint(id, delta);
            self.seeds.add(self.frontier, id);
            all.push(Successor { case, grouped_cases, state: id });
        }
        all.sort_by_key(|successor| successor.case);
        self.results.count_states(self.frontier.len() + 1);
        all
    }
}

/// The name of what a state decides.
fn decision_kind(program: &Program, state: &State, request: &ForkRequest) -> &'static str {
    match request.decision {
        Decision::Branch => "branch",
        Decision::Switch => "switch",
        Decision::Target => match site(program, state, request).inst {
            Some(_) => "call",
            None => "jump",
        },
        Decision::Object => "object",
        Decision::Block => "block",
        Decision::Size => "size",
        Decision::Check => "check",
        Decision::Choice => "choice",
    }
}

/// The case of a branch that `--replay-path` prescribes for a path.
fn prescribed_case(program: &Program, path: &PathInfo, request: &ForkRequest) -> Option<usize> {
    if request.decision != Decision::Branch {
        return None;
    }
    let case = match program.prescribed_side(path.branch_count())? {
        true => Case::TRUE,
        false => Case::FALSE,
    };
    request.cases.iter().position(|it| it.case == case)
}

/// What a condition consists of, as far as it predicts the cost of solving it.
fn operator_profile(pool: &Pool, condition: ExprId, depth: u32) -> OperatorProfile {
    let mut profile = OperatorProfile { depth, ..OperatorProfile::default() };
    for (op, count) in pool.count_operators_within(condition, MOST_PROFILED).iter() {
        *match op.cost_kind() {
            OpCost::Leaf => continue,
            OpCost::Simple => &mut profile.simple,
            OpCost::Arithmetic => &mut profile.arithmetic,
            OpCost::Float => &mut profile.float,
            OpCost::Selection => &mut profile.selection,
        } += count;
    }
    profile
}

/// The site at which a state requests a fork.
pub(super) fn site(program: &Program, state: &State, request: &ForkRequest) -> Site {
    let top = state.stack.last().expect("a state that requests a fork is in a function");
    let code = program.code(top.func);
    let at = top.pc.saturating_sub(1);
    Site {
        location: Location { func: top.func, block: code.block_at(at) },
        inst: code.insts[at as usize],
        decision: request.decision,
    }
}
