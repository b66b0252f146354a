//! Properties of every searcher: it explores every path once, whatever states are added and
//! removed, and the same seed gives the same run.

#[allow(dead_code)] // each test file uses only some helpers
mod common;

use byway_base::Rng;
use byway_search::simulate::{
    FeasibilityMode, RandomSuspension, Simulation, SimulationOptions, TreeNodeId, explore,
};
use byway_search::{Action, Delta, Pruner, Searcher, StateId, Until, View, Violation};
use common::{ALL, random_tree, searcher, tree};

/// Searchers that run states to their ends.
const DEFERRING: [&str; 3] = ["to-end", "auto", "greedy"];

const MODES: [FeasibilityMode; 3] =
    [FeasibilityMode::Eager, FeasibilityMode::EagerReported, FeasibilityMode::Lazy];

#[test]
fn every_searcher_reaches_the_same_leaves() {
    for seed in 0..30 {
        let tree = random_tree(seed, 200);
        let mut expected: Vec<TreeNodeId> = tree.leaves().collect();
        expected.sort();
        for specs in ALL {
            for feasibility in MODES {
                let options = SimulationOptions { seed, witness: seed * 31, feasibility };
                let record = explore(&tree, &mut *searcher(specs), options)
                    .unwrap_or_else(|e| panic!("{specs:?}, {feasibility:?}, seed {seed}: {e}"));
                let mut reached = record.leaves;
                reached.sort();
                assert_eq!(reached, expected, "{specs:?}, {feasibility:?}, seed {seed}");
                // A run to the end leaves successors pending, whatever the mode.
                let defers =
                    specs.iter().any(|spec| DEFERRING.iter().any(|name| spec.contains(name)));
                let is_eager = feasibility == FeasibilityMode::Eager;
                assert!(defers || (record.infeasible > 0) != is_eager, "{specs:?}");
            }
        }
    }
}

#[test]
fn the_list_of_searchers_is_complete() {
    // `random-testing` keeps no states and has its own tests.
    for entry in byway_search::entries().iter().filter(|entry| entry.name != "random-testing") {
        let is_it = |spec: &&str| spec.split([':', '(']).next() == Some(entry.name);
        assert!(ALL.iter().any(|specs| specs.iter().any(is_it)), "{}", entry.name);
    }
}

#[test]
fn the_same_seed_gives_the_same_run() {
    // Case groups are at no uncovered block, so they add random choices to `uncovered-first`.
    let (tree, grouped) = (random_tree(2, 300), random_tree(1, 300));
    for specs in ALL {
        let run_on = |tree, seed| {
            let options = SimulationOptions { seed, ..SimulationOptions::default() };
            explore(tree, &mut *searcher(specs), options).unwrap()
        };
        let run = |seed| run_on(&tree, seed);
        assert_eq!(run(5), run(5), "{specs:?}");
        assert_eq!(run_on(&grouped, 5), run_on(&grouped, 5), "{specs:?}");
        let random_names = ["auto", "random", "nurs", "klee", "sgs", "ccbse"];
        let chance = |spec: &&str| random_names.iter().any(|word| spec.contains(word));
        // Every simulated block is new, so `uncovered-first` makes no random choices, unless its
        // states are suspended for their costs, or are pending and turn out to be infeasible.
        let is_deterministic = |spec: &&str| {
            let skips = spec.contains("cost-limited") || spec.contains("to-end");
            let names_bfs = *spec == "ccbse(bfs)";
            names_bfs || spec.contains("latest") || spec.contains("uncovered-first") && !skips
        };
        let random = specs.iter().any(|spec| chance(spec) && !is_deterministic(spec));
        assert_eq!(run(5) != run(6), random, "{specs:?}");
    }
}

/// Drops each state with probability 0.1, and checks that it is informed of all changes.
struct Decimate {
    live: std::collections::BTreeSet<StateId>,
}

impl Pruner for Decimate {
    fn update(&mut self, delta: &Delta, view: &dyn View) {
        self.live.extend(delta.added());
        delta.removed().for_each(|state| assert!(self.live.remove(&state)));
        assert!(self.live.iter().copied().eq(view.states()));
    }

    fn prune(&mut self, view: &dyn View, rng: &mut Rng) -> Vec<StateId> {
        view.states().into_iter().filter(|_| rng.chance(0.1)).collect()
    }
}

#[test]
fn states_can_be_dropped_before_they_are_picked() {
    for specs in ALL {
        for (feasibility, seed) in MODES.into_iter().zip(0..) {
            let tree = random_tree(seed, 400);
            let options = SimulationOptions { seed, witness: seed, feasibility };
            let mut simulation = Simulation::new(&tree, options);
            let mut searcher = searcher(specs);
            let mut pruner = Decimate { live: simulation.view().states().into_iter().collect() };
            simulation.join(&mut *searcher).unwrap();
            while simulation
                .turn_pruned(&mut *searcher, &mut pruner)
                .unwrap_or_else(|e| panic!("{specs:?}, {feasibility:?}: {e}"))
            {}
            assert!(simulation.record().dropped > 0);
            simulation.finish().unwrap_or_else(|e| panic!("{specs:?}, {feasibility:?}: {e}"));
        }
    }
}

#[test]
fn states_can_be_suspended_and_resumed() {
    for specs in ALL {
        for (feasibility, seed) in MODES.into_iter().zip(0..) {
            let tree = random_tree(seed, 300);
            let options = SimulationOptions { seed, witness: seed, feasibility };
            let mut simulation = Simulation::new(&tree, options);
            let mut searcher = searcher(specs);
            let mut suspension = RandomSuspension::new(seed);
            simulation.join(&mut *searcher).unwrap();
            while simulation
                .turn_suspending(&mut *searcher, &mut suspension)
                .unwrap_or_else(|e| panic!("{specs:?}, {feasibility:?}: {e}"))
            {}
            assert!(suspension.count > 100, "{specs:?}: {}", suspension.count);
            simulation.finish().unwrap_or_else(|e| panic!("{specs:?}, {feasibility:?}: {e}"));
        }
    }
}

#[test]
fn a_searcher_can_join_a_running_exploration() {
    let tree = random_tree(9, 300);
    for specs in ALL {
        for feasibility in MODES {
            let options = SimulationOptions { feasibility, ..SimulationOptions::default() };
            let mut simulation = Simulation::new(&tree, options);
            let mut first = searcher(&["random-state"]);
            simulation.join(&mut *first).unwrap();
            for _ in 0..150 {
                assert!(simulation.turn(&mut *first).unwrap());
            }
            let mut second = searcher(specs);
            simulation.join(&mut *second).unwrap();
            while simulation.turn(&mut *second).unwrap() {}
            simulation.finish().unwrap_or_else(|e| panic!("{specs:?}: {e}"));
        }
    }
}

#[test]
fn without_states_every_searcher_stops() {
    let tree = tree("x");
    let mut simulation = Simulation::new(&tree, SimulationOptions::default());
    let mut dfs = searcher(&["dfs"]);
    simulation.join(&mut *dfs).unwrap();
    assert!(simulation.turn(&mut *dfs).unwrap());
    for specs in ALL {
        let mut searcher = searcher(specs);
        let mut rng = Rng::new(0);
        assert_eq!(
            searcher.pick(simulation.view(), &mut rng),
            Action::Stop,
            "before the first update"
        );
        simulation.join(&mut *searcher).unwrap();
        assert_eq!(
            searcher.pick(simulation.view(), &mut rng),
            Action::Stop,
            "after an empty update"
        );
    }
}

/// Always picks the first state it was informed of.
#[derive(Default)]
struct Stubborn {
    state: Option<StateId>,
    turns: u32,
    patience: u32,
}

impl Searcher for Stubborn {
    fn update(&mut self, delta: &Delta, _: &dyn View) {
        self.state = self.state.or(delta.added().next());
    }

    fn pick(&mut self, _: &dyn View, _: &mut Rng) -> Action {
        self.turns += 1;
        match self.state {
            Some(state) if self.turns <= self.patience => Action::Run { state, until: Until::END },
            _ => Action::Stop,
        }
    }
}

#[test]
fn a_searcher_that_violates_the_protocol_is_detected() {
    let tree = tree("r(a,b(c,d))");
    let run = |patience| {
        let mut searcher = Stubborn { patience, ..Stubborn::default() };
        explore(&tree, &mut searcher, SimulationOptions::default()).unwrap_err()
    };
    assert_eq!(run(0), Violation::StoppedEarly(1));
    assert!(matches!(run(1), Violation::StoppedEarly(1 | 2)));
    assert!(matches!(run(2), Violation::BadPick(state) if state.number() == 0));
}

/// A pruner that drops the same state twice.
struct Twice(Vec<StateId>);

impl Pruner for Twice {
    fn update(&mut self, _: &Delta, _: &dyn View) {}
    fn prune(&mut self, _: &dyn View, _: &mut Rng) -> Vec<StateId> {
        self.0.clone()
    }
}

#[test]
fn a_pruner_that_violates_the_protocol_is_detected() {
    let tree = tree("r(a,b)");
    let mut simulation = Simulation::new(&tree, SimulationOptions::default());
    let root = simulation.view().states()[0];
    let mut dfs = searcher(&["dfs"]);
    simulation.join(&mut *dfs).unwrap();
    let error = simulation.turn_pruned(&mut *dfs, &mut Twice(vec![root, root])).unwrap_err();
    assert_eq!(error, Violation::BadPrune(root));
}

/// Picks by the view: the shallowest state, decided ones before pending ones.
#[derive(Default)]
struct Shallowest {
    states: std::collections::BTreeSet<StateId>,
    covered: usize,
}

impl Searcher for Shallowest {
    fn update(&mut self, delta: &Delta, view: &dyn View) {
        self.states.extend(delta.added());
        delta.removed().for_each(|state| assert!(self.states.remove(&state)));
        for covered in &delta.new_coverage {
            assert_eq!(delta.ran, Some(covered.state));
            self.covered += 1;
        }
        for fork in &delta.forks {
            let [first, .., last] = &fork.successors[..] else { continue };
            let still = |state| self.states.contains(&state);
            if still(first.state) && still(last.state) && delta.forks.len() == 1 {
                assert_eq!(view.depth(first.state), view.depth(last.state));
                for successor in [first, last] {
                    // A case group has taken none of its cases yet.
                    let stays = view.location(successor.state) == fork.site.location;
                    assert_eq!(stays, !successor.grouped_cases.is_empty());
                }
            }
        }
    }

    fn pick(&mut self, view: &dyn View, _: &mut Rng) -> Action {
        match self.states.iter().min_by_key(|&&s| (view.is_pending(s), view.depth(s), s)) {
            Some(&state) => Action::Run { state, until: Until::FORK },
            None => Action::Stop,
        }
    }
}

#[test]
fn the_view_shows_the_locations_of_states() {
    for feasibility in MODES {
        let tree = random_tree(4, 200);
        let mut searcher = Shallowest::default();
        let options = SimulationOptions { feasibility, ..SimulationOptions::default() };
        let record = explore(&tree, &mut searcher, options).unwrap();
        assert!(searcher.covered >= record.leaves.len());
        // Decided states go first, so all of them have ended when the first pending one is
        // decided.
        if feasibility == FeasibilityMode::Lazy {
            assert!(tree.is_feasible(record.picks[1].1) && record.infeasible > 0);
        }
    }
}
