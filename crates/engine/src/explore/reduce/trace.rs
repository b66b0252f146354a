//! What a reducer sees of a path: its decisions, and what depends on them.

use byway_base::{Limit, Outcome};
use byway_search::Decision;
use byway_search::reducer::{PathTrace, TraceDecision};

use super::super::Limits;
use super::super::fork::site;
use super::conditions::{Conditions, conditions_of};
use crate::dependence::{PathDependences, PathPoint};
use crate::interp::Machine;
use crate::path_info::ForkRequest;
use crate::state::State;

/// The limit that forbids the cases which a state does not take at its next decision.
pub fn fork_limit(state: &State, limits: &Limits) -> Option<Limit> {
    match state.path.forking {
        false => Some(Limit::Forking),
        true => limits.depth.is_some_and(|max| state.path.depth >= max).then_some(Limit::Depth),
    }
}

/// The decision that a path makes, without its dependences. `taken` is the case that its input
/// takes; none if it violates an assumption. The other cases are open unless `limit` forbids them.
pub fn decision_at(
    machine: &mut Machine,
    conditions: &mut Conditions,
    state: &State,
    request: &ForkRequest,
    taken: Option<usize>,
    limit: Option<Limit>,
) -> TraceDecision {
    let site = site(machine.program, state, request);
    let pool = &mut machine.pool;
    let cases = conditions_of(pool, request);
    let own = taken.unwrap_or(cases.len() - 1);
    let is_assumption = request.cases.len() == 1;
    let mut number = |it: usize| conditions.number(pool, cases[it]);
    let others = (0..cases.len()).filter(|&it| it != own);
    TraceDecision {
        site,
        taken: number(own),
        others: others.map(&mut number).collect(),
        value_of: request.value_of.map(|term| conditions.number(pool, term)),
        depends_on: Vec::new(),
        is_open: !is_assumption && limit.is_none(),
        is_check: is_assumption || request.decision == Decision::Check,
        is_observed: true,
    }
}

/// Whether a path that ended so may hide what comes behind.
pub fn is_failure(outcome: &Outcome) -> bool {
    matches!(
        outcome,
        Outcome::Fault(_) | Outcome::Excluded | Outcome::Unsupported(_) | Outcome::InternalError(_)
    )
}

/// The path with these decisions and dependences.
pub fn path_trace(
    mut decisions: Vec<TraceDecision>,
    known: PathDependences,
    is_failed: bool,
) -> PathTrace {
    debug_assert!(known.end.iter().all(|&it| it < decisions.len()));
    for (index, (decision, depends_on)) in decisions.iter_mut().zip(known.decisions).enumerate() {
        decision.depends_on = depends_on;
        decision.is_check |= known.checks[index];
        decision.is_observed = known.observed[index];
    }
    PathTrace {
        decisions,
        dependences: known.instructions,
        failure: is_failed.then_some(known.end),
    }
}

/// Where a state ended.
pub fn end_of(machine: &Machine, state: &State) -> Option<PathPoint> {
    let top = state.stack.last()?;
    let code = machine.program.code(top.func);
    let inst = code.insts.get(top.pc.saturating_sub(1) as usize).copied().flatten();
    Some(PathPoint { func: top.func, inst })
}
