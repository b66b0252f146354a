//! Subpath guided search: the traces of the paper, the paper's own way to pick as an
//! oracle, fairness between equals, and forks without end.

#[allow(dead_code)] // each test file uses a part of it
mod common;

use std::collections::BTreeMap;

use byway_base::Rng;
use byway_search::simulate::{
    ExecutionTree, FeasibilityMode, Simulation, SimulationOptions, SimulationRecord, TreeNodeId,
    TreeNodeKind, explore,
};
use byway_search::{Action, Case, Delta, Searcher, Site, StateId, Until, View};
use common::{fork, leaves, picks, random_tree, searcher, tree};

/// The paper's example. Its figure is lost; this has its seven paths, and comes out as its
/// tables say. A statement `s7` stands on the way from `s5` to `s8`.
const EXAMPLE: &str = "s0(s5(s6, s7(s8(s9(s10, s4), s4))), s8(s9(s10, s4), s4))";

/// How many tests it takes until every statement is covered.
fn tests_to_cover(text: &str, specs: &[&str], options: SimulationOptions) -> usize {
    let tree = tree(text);
    let mut searcher = searcher(specs);
    let mut simulation = Simulation::new(&tree, options);
    simulation.join(&mut *searcher).expect("keeps to the protocol");
    let mut statements: Vec<&str> =
        text.split(|c: char| !c.is_alphanumeric()).filter(|name| !name.is_empty()).collect();
    statements.sort_unstable();
    statements.dedup();
    loop {
        assert!(simulation.turn(&mut *searcher).expect("keeps to the protocol"), "not covered");
        let after = simulation.record();
        let covered: Vec<&str> =
            after.leaves.iter().flat_map(|&leaf| path_to(&tree, leaf)).collect();
        if statements.iter().all(|statement| covered.contains(statement)) {
            return after.leaves.len();
        }
    }
}

/// The names on the way to a node.
fn path_to(tree: &ExecutionTree, leaf: TreeNodeId) -> Vec<&str> {
    let mut open = vec![vec![tree.root()]];
    while let Some(path) = open.pop() {
        let last = path[path.len() - 1];
        if last == leaf {
            return path.into_iter().map(|node| tree.name(node)).collect();
        }
        if let TreeNodeKind::Fork(ways) = &tree.node(last).kind {
            open.extend(ways.iter().map(|&way| [&path[..], &[way]].concat()));
        }
    }
    Vec::new()
}

fn check(spec: &str, picked: &str, reached: &str) {
    for witness in 0..8 {
        let tree = tree(EXAMPLE);
        let options = SimulationOptions { witness, ..SimulationOptions::default() };
        let record = explore(&tree, &mut *searcher(&[spec]), options).expect("explored");
        assert_eq!(picks(&tree, &record), picked, "{spec}, witness {witness}");
        assert_eq!(leaves(&tree, &record), reached, "{spec}, witness {witness}");
    }
}

#[test]
fn length_1_goes_as_table_1_says() {
    // The 8th pick is s5's false side, the 9th s5's true side: the 4th test.
    check("sgs:1(latest)", "s0 s8 s4 s9 s4 s10 s5 s7 s6 s4 s9 s4 s10", "s4 s4 s10 s6 s4 s4 s10");
}

#[test]
fn length_2_goes_as_table_2_says() {
    // s8's sides behind s5 are new to it, so s5's true side comes one test later.
    check("sgs:2(latest)", "s0 s8 s4 s9 s4 s10 s5 s7 s4 s9 s6 s4 s10", "s4 s4 s10 s4 s6 s4 s10");
}

#[test]
fn fewer_tests_cover_every_statement_than_depth_first() {
    for witness in 0..8 {
        let options = SimulationOptions { witness, ..SimulationOptions::default() };
        assert_eq!(tests_to_cover(EXAMPLE, &["dfs"], options), 7);
        assert_eq!(tests_to_cover(EXAMPLE, &["sgs:1(latest)"], options), 5);
        assert_eq!(tests_to_cover(EXAMPLE, &["sgs:2(latest)"], options), 5);
    }
}

/// The example with a loop behind `s10` that forks a thousand times.
#[test]
fn a_loop_that_forks_does_not_starve_the_others() {
    let mut bomb = "end".to_string();
    for _ in 0..1_000 {
        bomb = format!("loop(end, {bomb})");
    }
    let text = EXAMPLE.replace("s10", &format!("s10({bomb})"));
    let tree = tree(&text);
    let picks_until_s6 = |spec: &str| {
        let mut searcher = searcher(&[spec]);
        let mut simulation = Simulation::new(&tree, SimulationOptions::default());
        simulation.join(&mut *searcher).expect("keeps to the protocol");
        let mut count = 0;
        while !simulation.record().leaves.iter().any(|&leaf| tree.name(leaf) == "s6") {
            assert!(simulation.turn(&mut *searcher).expect("keeps to the protocol"));
            count += 1;
        }
        count
    };
    assert!(picks_until_s6("dfs") > 2_000);
    for spec in ["sgs:1(latest)", "sgs:1", "sgs:2(latest)", "sgs:2"] {
        assert!(picks_until_s6(spec) < 40, "{spec}: {}", picks_until_s6(spec));
    }
}

/// Algorithms 1 and 2 as they stand in the paper: a list of states, looked through.
struct Paper {
    length: usize,
    /// With all ways behind them.
    states: Vec<(StateId, Vec<(Site, Case)>)>,
    counts: BTreeMap<Vec<(Site, Case)>, u64>,
}

impl Searcher for Paper {
    fn update(&mut self, delta: &Delta, _: &dyn View) {
        self.states.extend(delta.started.iter().map(|&state| (state, Vec::new())));
        for fork in &delta.forks {
            let at = self.states.iter().position(|&(state, _)| state == fork.parent);
            let at = at.expect("known");
            let (_, before) = self.states[at].clone();
            let mut sides = fork.successors.iter().map(|child| {
                let mut path = before.clone();
                if fork.splits_group {
                    path.pop();
                }
                if fork.successors.len() > 1 || fork.splits_group {
                    path.push((fork.site, child.case));
                }
                (child.state, path)
            });
            self.states[at] = sides.next().expect("a side");
            self.states.extend(sides);
        }
        let gone: Vec<StateId> = delta.removed().collect();
        self.states.retain(|(state, _)| !gone.contains(state));
    }

    fn pick(&mut self, _: &dyn View, _: &mut Rng) -> Action {
        let subpath = |path: &Vec<_>| path[path.len().saturating_sub(self.length)..].to_vec();
        let count = |path: &Vec<_>| self.counts.get(&subpath(path)).copied().unwrap_or(0);
        let Some(least) = self.states.iter().map(|(_, path)| count(path)).min() else {
            return Action::Stop;
        };
        let latest = self.states.iter().rev().find(|(_, path)| count(path) == least);
        let (state, path) = latest.expect("the least is one of them").clone();
        *self.counts.entry(subpath(&path)).or_default() += 1;
        Action::Run { state, until: Until::TURN }
    }
}

fn same_as_paper(length: usize, seed: u64, feasibility: FeasibilityMode) {
    let tree = random_tree(seed, 150);
    let options = SimulationOptions { witness: seed, feasibility, ..SimulationOptions::default() };
    let run = |searcher: &mut dyn Searcher| -> SimulationRecord {
        explore(&tree, searcher, options).unwrap_or_else(|e| panic!("{e}"))
    };
    let paper = run(&mut Paper { length, states: Vec::new(), counts: BTreeMap::new() });
    let ours = run(&mut *searcher(&[&format!("sgs:{length}(latest)")]));
    assert_eq!(ours.picks, paper.picks, "length {length}, tree {seed}, {feasibility:?}");
}

#[test]
fn picks_are_those_of_the_papers_algorithm() {
    for seed in 0..60 {
        for length in [1, 2, 3, 8] {
            for feasibility in [FeasibilityMode::Eager, FeasibilityMode::Lazy] {
                same_as_paper(length, seed, feasibility);
            }
        }
    }
}

/// A state that parted again has as many ways behind it as one that went its way at once.
#[test]
fn a_party_that_parts_again_lengthens_no_subpath() {
    let simulation_of = tree("x");
    let simulation = Simulation::new(&simulation_of, SimulationOptions::default());
    let view = simulation.view();
    let mut ids = byway_search::StateIds::default();
    let [root, left, waiting, rest] = std::array::from_fn(|_| ids.fresh());
    let mut sgs = searcher(&["sgs:2(latest)"]);
    sgs.update(&Delta { started: vec![root], ..Delta::default() }, view);
    // Of the second fork's ways 1 and 2 are one state at first.
    sgs.update(&fork(root, &[(0, root), (7, left)]), view);
    let mut parted = fork(root, &[(0, root), (1, waiting)]);
    parted.forks[0].successors[1].grouped_cases = vec![Case(2)];
    sgs.update(&parted, view);
    let mut again = fork(waiting, &[(1, rest), (2, waiting)]);
    again.forks[0].splits_group = true;
    sgs.update(&again, view);
    let whole = [ids.fresh(), ids.fresh(), ids.fresh()];
    // One that comes the same way without parties shares subpaths with each of them.
    let other = ids.fresh();
    sgs.update(&Delta { started: vec![other], ..Delta::default() }, view);
    sgs.update(&fork(other, &[(0, other), (7, whole[0])]), view);
    sgs.update(&fork(other, &[(0, other), (1, whole[1]), (2, whole[2])]), view);
    let mut rng = Rng::new(0);
    let mut picked = Vec::new();
    for _ in 0..4 {
        let Action::Run { state, .. } = sgs.pick(view, &mut rng) else { panic!("stopped") };
        picked.push(state);
    }
    // Four subpaths, (7), (0 0), (0 1) and (0 2), are picked once each, the latest of their states.
    picked.sort();
    let mut latest = vec![whole[0], whole[1], whole[2], other];
    latest.sort();
    assert_eq!(picked, latest);
}

/// States of subpaths of very different sizes, all picked equally often: each has the
/// same chance, as if one list were looked through.
#[test]
fn equals_have_equal_chances() {
    let tree = tree("x");
    let simulation = Simulation::new(&tree, SimulationOptions::default());
    let mut rng = Rng::new(3);
    let rounds = 40_000;
    let mut drawn: BTreeMap<u64, u32> = BTreeMap::new();
    // Case 1 leads to a group of its own; cases 2 and 3 of later forks fall together with
    // those of the first: groups of 1, 3 and 9 states.
    let grow = |searcher: &mut dyn Searcher| {
        let mut ids = byway_search::StateIds::default();
        let mut states = vec![ids.fresh()];
        searcher.update(&Delta { started: states.clone(), ..Delta::default() }, simulation.view());
        for _ in 0..12 {
            let (parent, child) = (states[0], ids.fresh());
            let case = if states.len() <= 9 { 2 } else { 3 };
            searcher.update(&fork(parent, &[(1, parent), (case, child)]), simulation.view());
            states.push(child);
        }
    };
    for _ in 0..rounds {
        let mut searcher = searcher(&["sgs:1"]);
        grow(&mut *searcher);
        let Action::Run { state, .. } = searcher.pick(simulation.view(), &mut rng) else {
            panic!("stopped")
        };
        *drawn.entry(state.number()).or_default() += 1;
    }
    assert_eq!(drawn.len(), 13);
    let expected = f64::from(rounds) / 13.0;
    let chi: f64 = drawn.values().map(|&n| (f64::from(n) - expected).powi(2) / expected).sum();
    // 12 degrees of freedom: beyond 40 once in ten thousand.
    assert!(chi < 40.0, "{chi}: {drawn:?}");
}

/// A searcher between equals picks what it would, where that is one of them.
#[test]
fn a_searcher_decides_between_equals() {
    let tree = tree("r(a(b(c, d), e), f)");
    let record = explore(&tree, &mut *searcher(&["sgs:1(bfs)"]), SimulationOptions::default())
        .expect("explored");
    assert_eq!(picks(&tree, &record), "r a f b e c d");
}
