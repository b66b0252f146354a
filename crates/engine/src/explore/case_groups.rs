//! Which states take the cases that the witness does not: one state each, or one state for a
//! group of switch cases.
//!
//! A switch over an input byte can have dozens of cases. If tests cover all of their targets,
//! a state and a query for each is expensive, and a loop around such a switch soon makes most
//! of all states. So a switch case gets a state of its own only if its target is not covered.
//! The remaining cases form two groups. A state of a group repeats the fork request when it
//! runs: it takes the case of its own witness and regroups the rest. Nothing is lost, only
//! postponed; and since groups are halved, few forks lie between the first request and any
//! case. They count as one fork in the depth of a path ([`byway_search::Fork::splits_group`]).

use std::rc::Rc;

use byway_base::ExprId;
use byway_expr::Pool;
use byway_search::{Case, Decision};

use super::metrics::case_target;
use crate::bytecode::ByteOp;
use crate::interp::Machine;
use crate::path_info::{ForkRequest, PathInfo};
use crate::state::State;

/// A switch with at most this many cases is not grouped.
const MAX_UNGROUPED: usize = 3;

/// Cases of a fork request that one state stands for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct CaseGroup {
    /// The index of its first case in the request.
    first: usize,
    /// The indices of the other cases; usually none.
    others: Vec<usize>,
    /// The disjunction of its cases' conditions.
    pub condition: ExprId,
}

impl CaseGroup {
    /// A group of one case.
    pub fn single(request: &ForkRequest, index: usize) -> CaseGroup {
        let condition = request.cases[index].condition;
        CaseGroup { first: index, others: Vec::new(), condition }
    }

    fn of(pool: &mut Pool, request: &ForkRequest, first: usize, others: &[usize]) -> CaseGroup {
        let mut condition = request.cases[first].condition;
        for &other in others {
            condition = pool.or(condition, request.cases[other].condition);
        }
        CaseGroup { first, others: others.to_vec(), condition }
    }

    /// The index of its case, if it has only one.
    pub fn only_case(&self) -> Option<usize> {
        self.others.is_empty().then_some(self.first)
    }

    /// The indices of its cases in the request.
    pub fn indices(&self) -> impl Iterator<Item = usize> {
        std::iter::once(self.first).chain(self.others.iter().copied())
    }

    /// Its first case, and the others.
    pub fn cases(&self, request: &ForkRequest) -> (Case, Vec<Case>) {
        let others = self.others.iter().map(|&index| request.cases[index].case);
        (request.cases[self.first].case, others.collect())
    }
}

/// The indices of the cases that other states take when this one takes `taken`. If the state
/// stands for a group, they are the rest of the group: the same fork, at the same depth.
pub(super) fn other_cases(path: &mut PathInfo, request: &ForkRequest, taken: usize) -> Vec<usize> {
    let mut cases = match path.case_group.take() {
        Some(group) => {
            path.depth -= 1;
            Rc::unwrap_or_clone(group)
        }
        None => (0..request.cases.len()).collect(),
    };
    cases.retain(|&index| index != taken);
    cases
}

/// Groups the cases that other states take. Where seeds follow the state, each case is alone.
pub(super) fn group_cases(
    machine: &mut Machine,
    state: &State,
    request: &ForkRequest,
    cases: Vec<usize>,
    has_seeds: bool,
) -> Vec<CaseGroup> {
    if request.decision != Decision::Switch || has_seeds || request.cases.len() <= MAX_UNGROUPED {
        return cases.into_iter().map(|index| CaseGroup::single(request, index)).collect();
    }
    let (covered, new): (Vec<usize>, Vec<usize>) =
        cases.into_iter().partition(|&index| !leads_to_uncovered(machine, state, index));
    let half = covered.len().div_ceil(2).max(1);
    let single = new.into_iter().map(|index| CaseGroup::single(request, index));
    let mut groups: Vec<CaseGroup> = single.collect();
    groups.extend(covered.chunks(half).filter_map(|half| {
        let (&first, others) = half.split_first()?;
        Some(CaseGroup::of(&mut machine.pool, request, first, others))
    }));
    groups
}

/// Whether a case of a state's branch leads to a site that no test covers.
fn leads_to_uncovered(machine: &Machine, state: &State, index: usize) -> bool {
    let Some(top) = state.stack.last() else { return false };
    let code = machine.program.code(top.func);
    let target = case_target(code, top.pc.saturating_sub(1), index);
    match code.ops.get(target as usize) {
        Some(&ByteOp::Cover { site, .. }) => !machine.coverage.is_credited(site),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::path_info::ForkCase;

    fn request(pool: &mut Pool, cases: usize) -> ForkRequest {
        let input = pool.input("x", 1);
        let byte = pool.input_byte(input, 0);
        let case = |pool: &mut Pool, number: usize| {
            let constant = pool.constant(8, number as u128);
            ForkCase { case: Case(number as u64), condition: pool.eq(byte, constant) }
        };
        let cases = (0..cases).map(|number| case(pool, number)).collect();
        ForkRequest { decision: Decision::Switch, key: byte, cases, value_of: None }
    }

    #[test]
    fn a_group_holds_if_any_of_its_cases_does() {
        let mut pool = Pool::new();
        let request = request(&mut pool, 5);
        let group = CaseGroup::of(&mut pool, &request, 1, &[2, 4]);
        assert_eq!(group.indices().collect::<Vec<_>>(), [1, 2, 4]);
        assert_eq!(group.cases(&request), (Case(1), vec![Case(2), Case(4)]));
        assert_eq!(group.only_case(), None);
        let byte = pool.support(group.condition)[0];
        for value in 0..5 {
            let mut model = byway_expr::Model::new();
            model.set_byte(byte, value);
            let mut evaluator = byway_expr::Evaluator::default();
            let holds = evaluator.under(&pool, &model).holds(group.condition);
            assert_eq!(holds, [1, 2, 4].contains(&value), "{value}");
        }
        assert_eq!(CaseGroup::single(&request, 3).only_case(), Some(3));
    }

    #[test]
    fn a_state_of_a_group_leaves_the_rest_of_its_group_at_the_same_depth() {
        let mut pool = Pool::new();
        let request = request(&mut pool, 5);
        let mut path = PathInfo { depth: 2, ..PathInfo::default() };
        assert_eq!(other_cases(&mut path, &request, 1), [0, 2, 3, 4]);
        assert_eq!(path.depth, 2);
        path.case_group = Some(Rc::new(vec![1, 3, 4]));
        assert_eq!(other_cases(&mut path, &request, 3), [1, 4]);
        assert_eq!((path.depth, path.case_group), (1, None));
    }
}
