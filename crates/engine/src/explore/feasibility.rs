//! Which successors of a state are feasible.
//!
//! [`FeasibilityChecker`] owns the solver. It decides conditions on a path, pending states,
//! and groups of switch cases: a switch has many targets, and a path whose input is mostly
//! determined can take few of them, so one query that excludes all others replaces a hard
//! query for each. It also adapts witnesses to the program's preferences.

use std::collections::BTreeMap;
use std::rc::Rc;

use byway_base::ExprId;
use byway_expr::{Collected, Pool};
use byway_search::Decision;
use byway_solver::{
    Answer, Layer, Query, QueryBudget, Solver, SolverClock, Statistics, UnknownReason,
};

use super::Feasibility;
use super::case_groups::CaseGroup;
use crate::interp::Machine;
use crate::path_info::{ForkRequest, PathInfo};
use crate::state::State;

/// The effort that a call of the backend is worth, about ten milliseconds.
const EFFORT_PER_BACKEND_CALL: u64 = 100;

/// Answers known for case groups, by their index.
pub(super) type GroupAnswers = BTreeMap<usize, Answer>;

/// The decision on a pending state.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Decided {
    Feasible,
    Infeasible,
    Undecided(UnknownReason),
}

/// Decides what is feasible.
pub(super) struct FeasibilityChecker {
    solver: Box<dyn Solver>,
    policy: Feasibility,
    /// Backend queries at the last call of [`Self::has_new_queries`].
    reported_queries: u64,
}

impl FeasibilityChecker {
    pub fn new(solver: Box<dyn Solver>, policy: Feasibility) -> FeasibilityChecker {
        FeasibilityChecker { solver, policy, reported_queries: 0 }
    }

    /// When successors are decided.
    pub fn policy(&self) -> Feasibility {
        self.policy
    }

    /// Whether a condition can hold on a path. The effort is charged to the path.
    pub fn check(
        &mut self,
        pool: &mut Pool,
        path: &mut PathInfo,
        condition: ExprId,
        budget: QueryBudget,
    ) -> Answer {
        let query = Query { path: &path.condition, condition, witness: Some(&path.witness) };
        let before = self.effort();
        let answer = self.solver.check(pool, &query, budget);
        path.effort += self.effort() - before;
        answer
    }

    /// Decides a pending state; a feasible one gets a witness and its condition. One that the
    /// solver cannot decide stays pending.
    pub fn decide(&mut self, pool: &mut Pool, path: &mut PathInfo, budget: QueryBudget) -> Decided {
        let Some(condition) = path.pending else { return Decided::Feasible };
        match self.check(pool, path, condition, budget) {
            Answer::Sat(model) => {
                path.pending = None;
                path.witness = model;
                path.condition.add(pool, condition);
                Decided::Feasible
            }
            Answer::Unsat(_) => Decided::Infeasible,
            Answer::Unknown(reason) => Decided::Undecided(reason),
        }
    }

    /// The cases that the path condition does not exclude; calls `infeasible` with the others.
    pub fn open_cases(
        pool: &mut Pool,
        state: &State,
        request: &ForkRequest,
        mut cases: Vec<usize>,
        mut infeasible: impl FnMut(usize),
    ) -> Vec<usize> {
        // A branch only requests a fork where the path condition implies neither side.
        if request.decision == Decision::Branch {
            return cases;
        }
        cases.retain(|&index| {
            let condition = request.cases[index].condition;
            let is_open = state.path.condition.decide(pool, condition) != Some(false);
            if !is_open {
                infeasible(index);
            }
            is_open
        });
        cases
    }

    /// Decides the groups from `from` on together. Each answer is an input for one of them,
    /// until there is none for the rest. Groups that the solver cannot decide together are
    /// left out.
    pub fn check_groups(
        &mut self,
        machine: &mut Machine,
        state: &mut State,
        groups: &[CaseGroup],
        from: usize,
        budget: impl Fn() -> QueryBudget,
    ) -> GroupAnswers {
        let mut answers = GroupAnswers::new();
        let mut open: Vec<usize> = (from..groups.len()).collect();
        while open.len() > 1 {
            let mut any = machine.pool.boolean(false);
            for &i in &open {
                any = machine.pool.or(any, groups[i].condition);
            }
            let answer = self.check(&mut machine.pool, &mut state.path, any, budget());
            let satisfied = match &answer {
                Answer::Sat(model) => {
                    let (evaluator, pool) = (&mut machine.evaluator, &machine.pool);
                    evaluator.forget();
                    let mut holds = |i: usize| evaluator.value(pool, model, groups[i].condition);
                    let position = open.iter().position(|&i| holds(i) != 0);
                    evaluator.forget();
                    position
                }
                Answer::Unsat(_) => {
                    answers.extend(open.drain(..).map(|i| (i, answer.clone())));
                    None
                }
                Answer::Unknown(_) => None,
            };
            let Some(position) = satisfied else { break };
            answers.insert(open.swap_remove(position), answer);
        }
        answers
    }

    /// Makes the program's preferences true of the witness, in their order, each where the
    /// ones before it leave that possible. The effort is charged to the path.
    pub fn apply_preferences(
        &mut self,
        machine: &mut Machine,
        path: &mut PathInfo,
        budget: impl Fn() -> QueryBudget,
    ) {
        let before = self.effort();
        let preferences = Rc::clone(&path.preferences);
        let mut condition = path.condition.clone();
        machine.evaluator.forget();
        // The preferences before this index are part of `condition`, or impossible.
        let mut added = 0;
        for (i, &preference) in preferences.iter().enumerate() {
            if machine.evaluator.value(&machine.pool, &path.witness, preference) != 0 {
                continue;
            }
            for &satisfied in &preferences[added..i] {
                condition.add(&mut machine.pool, satisfied);
            }
            added = i + 1;
            let query =
                Query { path: &condition, condition: preference, witness: Some(&path.witness) };
            if let Answer::Sat(model) = self.solver.check(&mut machine.pool, &query, budget()) {
                path.witness = model;
                condition.add(&mut machine.pool, preference);
                machine.evaluator.forget();
            }
        }
        path.preferences_applied = preferences.len() as u32;
        path.effort += self.effort() - before;
    }

    /// The solver's effort so far.
    pub fn effort(&self) -> u64 {
        self.solver.statistics().effort
    }

    /// The effort of all queries, with what a call of the backend takes beside its steps: terms are
    /// translated and simplified anew.
    pub fn query_cost(&self) -> u64 {
        let statistics = self.solver.statistics();
        statistics.effort + EFFORT_PER_BACKEND_CALL * statistics.layer(Layer::Backend).asked
    }

    /// Queries that no cheap layer answered.
    pub fn backend_queries(&self) -> u64 {
        self.solver.statistics().layer(Layer::Blast).asked
    }

    /// Whether a query reached the backend since the last call.
    pub fn has_new_queries(&mut self) -> bool {
        let queries = self.backend_queries();
        std::mem::replace(&mut self.reported_queries, queries) != queries
    }

    pub fn statistics(&self) -> &Statistics {
        self.solver.statistics()
    }

    /// Wall-clock time of the solver.
    pub fn clock(&self) -> SolverClock {
        self.solver.clock()
    }

    /// Bytes that the solver holds.
    pub fn bytes(&self) -> usize {
        self.solver.bytes()
    }

    /// Frees what the solver can compute again.
    pub fn clear_caches(&mut self, pool: &Pool) {
        self.solver.clear_caches(pool);
    }

    /// Forgets collected terms.
    pub fn sweep(&mut self, collected: &Collected) {
        self.solver.sweep(collected);
    }
}

#[cfg(test)]
mod tests {
    use byway_expr::InputByte;

    use super::*;

    fn checker(pool: &Pool) -> FeasibilityChecker {
        let options = byway_solver::SolverOptions {
            check: false,
            log: None,
            interrupt: None,
            memory: None,
            on_error: Rc::new(|error| panic!("{error}")),
        };
        let solver = byway_solver::solver(pool, options).expect("nothing is logged");
        FeasibilityChecker::new(solver, Feasibility::Eager)
    }

    /// The term "byte 0 of the input equals `value`", and the byte.
    fn equals(pool: &mut Pool, value: u128) -> (ExprId, InputByte) {
        let input = pool.input("x", 1);
        let byte = pool.input_byte(input, 0);
        let constant = pool.constant(8, value);
        let condition = pool.eq(byte, constant);
        (condition, pool.support(condition)[0])
    }

    #[test]
    fn a_pending_state_becomes_feasible_with_a_witness_of_its_condition() {
        let mut pool = Pool::new();
        let (is_seven, byte) = equals(&mut pool, 7);
        let mut path = PathInfo { pending: Some(is_seven), ..PathInfo::default() };
        let mut checker = checker(&pool);
        let decided = checker.decide(&mut pool, &mut path, QueryBudget::default());
        assert_eq!(decided, Decided::Feasible);
        assert_eq!(path.pending, None);
        assert_eq!(path.witness.byte(byte), 7);
        assert_eq!(path.condition.decide(&mut pool, is_seven), Some(true));
    }

    #[test]
    fn a_pending_state_that_contradicts_its_path_is_infeasible() {
        let mut pool = Pool::new();
        let (is_seven, byte) = equals(&mut pool, 7);
        let constant = pool.constant(8, 8);
        let input = pool.input_byte(byte.object, 0);
        let is_eight = pool.eq(input, constant);
        let mut path = PathInfo { pending: Some(is_eight), ..PathInfo::default() };
        path.condition.add(&mut pool, is_seven);
        path.witness.set_byte(byte, 7);
        let decided = checker(&pool).decide(&mut pool, &mut path, QueryBudget::default());
        assert_eq!(decided, Decided::Infeasible);
    }
}
