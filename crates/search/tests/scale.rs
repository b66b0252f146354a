//! Picks and updates stay fast with a million states. The times are printed. The limit is
//! loose, so that it holds on a busy machine, but far below the time of a pass over a
//! million states.

#[allow(dead_code)] // each test file uses only some helpers
mod common;

use std::time::{Duration, Instant};

use byway_base::Rng;
use byway_search::simulate::{Simulation, SimulationOptions};
use byway_search::{Action, Delta, Searcher, StateId, StateIds, View};
use common::{fork, searcher, tree};

const STATES: usize = 1_000_000;
/// Enough for a stable mean.
const PICKS: usize = 200_000;
const LOOSE: Duration = Duration::from_micros(200);

fn timed(what: &str, times: usize, mut each: impl FnMut()) {
    let began = Instant::now();
    (0..times).for_each(|_| each());
    let mean = began.elapsed() / times as u32;
    println!("{what}: {mean:?}");
    assert!(mean < LOOSE, "{what}: {mean:?}");
}

fn pick(searcher: &mut dyn Searcher, view: &dyn View, rng: &mut Rng) -> StateId {
    match searcher.pick(view, rng) {
        Action::Run { state, .. } => state,
        other => panic!("{other:?}"),
    }
}

/// Grows to a million states, picks, then picks and ends the picked states. The tree is a
/// comb if always the first state forks, bushy if a random one does.
fn measure(spec: &str, comb: bool) {
    let shape = if comb { "comb" } else { "bush" };
    let tree = tree("x");
    let simulation = Simulation::new(&tree, SimulationOptions::default());
    let view = simulation.view();
    let mut rng = Rng::new(1);
    let mut ids = StateIds::default();
    let mut searcher = searcher(&[spec]);
    let mut live = vec![ids.fresh()];
    searcher.update(&Delta { started: live.clone(), ..Delta::default() }, view);
    timed(&format!("{spec}, {shape}: fork"), STATES - 1, || {
        let parent = if comb { live[0] } else { *rng.pick(&live).unwrap() };
        let child = ids.fresh();
        live.push(child);
        searcher.update(&fork(parent, &[(0, parent), (1, child)]), view);
    });
    timed(&format!("{spec}, {shape}: pick of {STATES}"), PICKS, || {
        std::hint::black_box(pick(&mut *searcher, view, &mut rng));
    });
    timed(&format!("{spec}, {shape}: pick and end"), PICKS, || {
        let state = pick(&mut *searcher, view, &mut rng);
        searcher.update(&Delta { ended: vec![state], ..Delta::default() }, view);
    });
}

#[test]
fn random_state_picks_from_a_million() {
    measure("random-state", false);
}

#[test]
fn random_path_picks_from_a_million() {
    measure("random-path", false);
    measure("random-path", true);
}

/// Few subpaths with many states each, and many with few.
#[test]
fn sgs_picks_from_a_million() {
    measure("sgs:1", false);
    measure("sgs:8", false);
    measure("sgs:8", true);
}
