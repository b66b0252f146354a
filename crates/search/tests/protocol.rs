//! The independent checker notices an engine that tells a broken story.

#[allow(dead_code)] // each test file uses a part of it
mod common;

use byway_search::simulate::{Options, Simulation};
use byway_search::{Delta, Protocol, StateIds, Violation};
use common::{fork, tree};

#[test]
fn a_good_story_is_believed_and_a_bad_one_is_not() {
    let mut ids = StateIds::default();
    let [a, b, c, d] = std::array::from_fn(|_| ids.fresh());
    let mut protocol = Protocol::default();
    let started = Delta { started: vec![a], ..Delta::default() };
    let ended = |state| Delta { ended: vec![state], ..Delta::default() };

    assert_eq!(protocol.update(&ended(a)), Err(Violation::GoneTwice(a)));
    assert_eq!(protocol.update(&started), Ok(()));
    assert_eq!(protocol.update(&started), Err(Violation::NotNew(a)));
    assert_eq!(protocol.update(&fork(b, &[(0, b), (1, c)])), Err(Violation::ForkOfNothing(b)));
    assert_eq!(protocol.update(&fork(a, &[])), Err(Violation::BadChildren(a)));
    assert_eq!(protocol.update(&fork(a, &[(1, a), (0, b)])), Err(Violation::BadChildren(a)));
    assert_eq!(protocol.update(&fork(a, &[(0, a), (0, b)])), Err(Violation::BadChildren(a)));
    assert_eq!(protocol.update(&fork(a, &[(0, b), (1, b)])), Err(Violation::NotNew(b)));

    // A new exploration: come and go in one, and a parent that does not go on.
    let mut protocol = Protocol::default();
    assert_eq!(protocol.update(&started), Ok(()));
    let mut both = fork(a, &[(0, c), (1, b)]);
    both.infeasible.push(b);
    assert_eq!(both.born().collect::<Vec<_>>(), [c, b]);
    assert_eq!(both.gone().collect::<Vec<_>>(), [a, b]);
    assert_eq!(protocol.update(&both), Ok(()));
    assert_eq!(protocol.update(&ended(a)), Err(Violation::GoneTwice(a)));
    assert_eq!(protocol.update(&fork(c, &[(0, b), (1, d)])), Err(Violation::NotNew(b)));
    assert_eq!(protocol.prune(&[c]), Ok(()));
    assert_eq!(protocol.prune(&[d]), Err(Violation::BadPrune(d)));
}

#[test]
fn a_view_that_shows_other_states_is_noticed() {
    let tree = tree("x");
    let simulation = Simulation::new(&tree, Options::default());
    let mut protocol = Protocol::default();
    assert_eq!(protocol.check_view(simulation.view()), Err(Violation::BadView));
    protocol.update(&Delta::all_of(simulation.view())).unwrap();
    assert_eq!(protocol.check_view(simulation.view()), Ok(()));
}
