//! The protocol checker detects inconsistent deltas.

#[allow(dead_code)] // each test file uses only some helpers
mod common;

use byway_search::simulate::{Simulation, SimulationOptions};
use byway_search::{Action, Case, Delta, Protocol, StateId, StateIds, Until, Violation};
use common::{fork, tree};

#[test]
fn consistent_deltas_are_accepted_and_others_rejected() {
    let mut ids = StateIds::default();
    let [a, b, c, d] = std::array::from_fn(|_| ids.fresh());
    let mut protocol = Protocol::default();
    let started = Delta { started: vec![a], ..Delta::default() };
    let ended = |state| Delta { ended: vec![state], ..Delta::default() };

    assert_eq!(protocol.update(&ended(a)), Err(Violation::RemovedMissing(a)));
    assert_eq!(protocol.update(&started), Ok(()));
    assert_eq!(protocol.update(&started), Err(Violation::ReusedId(a)));
    assert_eq!(protocol.update(&fork(b, &[(0, b), (1, c)])), Err(Violation::ForkOfMissing(b)));
    assert_eq!(protocol.update(&fork(a, &[])), Err(Violation::BadSuccessors(a)));
    assert_eq!(protocol.update(&fork(a, &[(1, a), (0, b)])), Err(Violation::BadSuccessors(a)));
    assert_eq!(protocol.update(&fork(a, &[(0, a), (0, b)])), Err(Violation::BadSuccessors(a)));
    assert_eq!(protocol.update(&fork(a, &[(0, b), (1, b)])), Err(Violation::ReusedId(b)));

    // A new exploration: a state added and removed at once, and a parent that does not continue.
    let mut protocol = Protocol::default();
    assert_eq!(protocol.update(&started), Ok(()));
    let mut both = fork(a, &[(0, c), (1, b)]);
    both.infeasible.push(b);
    assert_eq!(both.added().collect::<Vec<_>>(), [c, b]);
    assert_eq!(both.removed().collect::<Vec<_>>(), [a, b]);
    assert_eq!(protocol.update(&both), Ok(()));
    assert_eq!(protocol.update(&ended(a)), Err(Violation::RemovedMissing(a)));
    assert_eq!(protocol.update(&fork(c, &[(0, b), (1, d)])), Err(Violation::ReusedId(b)));
    let mut split = fork(c, &[(0, c)]);
    split.forks[0].splits_group = true;
    assert_eq!(protocol.update(&split), Err(Violation::BadGroupSplit(c)));
    assert_eq!(protocol.prune(&[c]), Ok(()));
    assert_eq!(protocol.prune(&[d]), Err(Violation::BadPrune(d)));
}

#[test]
fn a_case_group_splits_into_its_own_cases() {
    let mut ids = StateIds::default();
    let [a, b, c] = std::array::from_fn(|_| ids.fresh());
    // Cases 1 and 2 are the group `b`, which then forks.
    let check = |cases: &[(u64, StateId)], splits_group| {
        let mut protocol = Protocol::default();
        protocol.update(&Delta { started: vec![a], ..Delta::default() }).unwrap();
        let mut first = fork(a, &[(0, a), (1, b)]);
        first.forks[0].successors[1].grouped_cases = vec![Case(2)];
        protocol.update(&first).unwrap();
        let mut second = fork(b, cases);
        second.forks[0].splits_group = splits_group;
        protocol.update(&second)
    };
    assert_eq!(check(&[(1, b), (2, c)], true), Ok(()));
    assert_eq!(check(&[(2, b)], true), Ok(()));
    assert_eq!(check(&[(2, b), (3, c)], true), Err(Violation::BadGroupSplit(b)));
    assert_eq!(check(&[(1, b), (2, c)], false), Err(Violation::BadGroupSplit(b)));
}

#[test]
fn a_suspended_state_can_only_be_resumed_or_removed() {
    let mut ids = StateIds::default();
    let [a, b, c] = std::array::from_fn(|_| ids.fresh());
    let suspend = |state| Delta { suspended: vec![state], ..Delta::default() };
    let resume = |state| Delta { resumed: vec![state], ..Delta::default() };
    let pick = |state| Action::Run { state, until: Until::TURN };
    let mut protocol = Protocol::default();
    protocol.update(&Delta { started: vec![a, b], ..Delta::default() }).unwrap();
    assert_eq!(protocol.update(&suspend(c)), Err(Violation::BadSuspend(c)));
    assert_eq!(protocol.update(&resume(a)), Err(Violation::BadResume(a)));
    assert_eq!(protocol.update(&suspend(a)), Ok(()));
    assert_eq!(protocol.update(&suspend(a)), Err(Violation::BadSuspend(a)));
    assert_eq!(protocol.pick(&pick(a)), Err(Violation::PickedSuspended(a)));
    assert_eq!(protocol.pick(&pick(b)), Ok(()));
    let ran = Delta { ran: Some(a), ..Delta::default() };
    assert_eq!(protocol.update(&ran), Err(Violation::RanSuspended(a)));
    let forked = Delta { ran: None, ..fork(a, &[(0, a), (1, c)]) };
    assert_eq!(protocol.update(&forked), Err(Violation::RanSuspended(a)));
    // Resumed and run in the same delta.
    assert_eq!(protocol.update(&Delta { resumed: vec![a], ..forked }), Ok(()));
    assert_eq!(protocol.pick(&pick(a)), Ok(()));
    // A suspended state can be removed, but not resumed afterwards.
    assert_eq!(protocol.update(&suspend(c)), Ok(()));
    assert_eq!(protocol.update(&Delta { dropped: vec![c], ..Delta::default() }), Ok(()));
    assert_eq!(protocol.update(&resume(c)), Err(Violation::BadResume(c)));
}

#[test]
fn a_view_with_other_states_is_detected() {
    let tree = tree("x");
    let simulation = Simulation::new(&tree, SimulationOptions::default());
    let mut protocol = Protocol::default();
    assert_eq!(protocol.check_view(simulation.view()), Err(Violation::BadView));
    protocol.update(&Delta::all_of(simulation.view())).unwrap();
    assert_eq!(protocol.check_view(simulation.view()), Ok(()));
}
