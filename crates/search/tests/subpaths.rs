//! Subpath guided search: the traces of the paper, the paper's algorithm as an oracle,
//! fairness among ties, and loops that fork.

#[allow(dead_code)] // each test file uses only some helpers
mod common;

use std::collections::BTreeMap;

use byway_base::Rng;
use byway_search::simulate::{
    ExecutionTree, FeasibilityMode, Simulation, SimulationOptions, SimulationRecord, TreeNodeId,
    TreeNodeKind, explore,
};
use byway_search::{Action, Case, Delta, Searcher, Site, StateId, Until, View};
use common::{fork, leaves, picks, random_tree, searcher, tree};

/// The paper's example. Its figure is not available; this tree has the same seven paths and
/// reproduces its tables. Statement `s7` lies between `s5` and `s8`.
const EXAMPLE: &str = "s0(s5(s6, s7(s8(s9(s10, s4), s4))), s8(s9(s10, s4), s4))";

/// The number of tests until every statement is covered.
fn tests_to_cover(text: &str, specs: &[&str], options: SimulationOptions) -> usize {
    let tree = tree(text);
    let mut searcher = searcher(specs);
    let mut simulation = Simulation::new(&tree, options);
    simulation.join(&mut *searcher).expect("follows the protocol");
    let mut statements: Vec<&str> =
        text.split(|c: char| !c.is_alphanumeric()).filter(|name| !name.is_empty()).collect();
    statements.sort_unstable();
    statements.dedup();
    loop {
        assert!(simulation.turn(&mut *searcher).expect("follows the protocol"), "not covered");
        let after = simulation.record();
        let covered: Vec<&str> =
            after.leaves.iter().flat_map(|&leaf| path_to(&tree, leaf)).collect();
        if statements.iter().all(|statement| covered.contains(statement)) {
            return after.leaves.len();
        }
    }
}

/// The names of the nodes from the root to a leaf.
fn path_to(tree: &ExecutionTree, leaf: TreeNodeId) -> Vec<&str> {
    let mut open = vec![vec![tree.root()]];
    while let Some(path) = open.pop() {
        let last = path[path.len() - 1];
        if last == leaf {
            return path.into_iter().map(|node| tree.name(node)).collect();
        }
        if let TreeNodeKind::Fork(children) = &tree.node(last).kind {
            open.extend(children.iter().map(|&child| [&path[..], &[child]].concat()));
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
fn length_1_reproduces_table_1() {
    // The 8th pick is the false case of s5, the 9th its true case: the 4th test.
    check("sgs:1(latest)", "s0 s8 s4 s9 s4 s10 s5 s7 s6 s4 s9 s4 s10", "s4 s4 s10 s6 s4 s4 s10");
}

#[test]
fn length_2_reproduces_table_2() {
    // The cases of s8 after s5 are new subpaths, so s5's true case comes one test later.
    check("sgs:2(latest)", "s0 s8 s4 s9 s4 s10 s5 s7 s4 s9 s6 s4 s10", "s4 s4 s10 s4 s6 s4 s10");
}

#[test]
fn sgs_covers_all_statements_with_fewer_tests_than_dfs() {
    for witness in 0..8 {
        let options = SimulationOptions { witness, ..SimulationOptions::default() };
        assert_eq!(tests_to_cover(EXAMPLE, &["dfs"], options), 7);
        assert_eq!(tests_to_cover(EXAMPLE, &["sgs:1(latest)"], options), 5);
        assert_eq!(tests_to_cover(EXAMPLE, &["sgs:2(latest)"], options), 5);
    }
}

/// The example with a loop behind `s10` that forks a thousand times.
#[test]
fn a_forking_loop_does_not_starve_other_states() {
    let mut bomb = "end".to_string();
    for _ in 0..1_000 {
        bomb = format!("loop(end, {bomb})");
    }
    let text = EXAMPLE.replace("s10", &format!("s10({bomb})"));
    let tree = tree(&text);
    let picks_until_s6 = |spec: &str| {
        let mut searcher = searcher(&[spec]);
        let mut simulation = Simulation::new(&tree, SimulationOptions::default());
        simulation.join(&mut *searcher).expect("follows the protocol");
        let mut count = 0;
        while !simulation.record().leaves.iter().any(|&leaf| tree.name(leaf) == "s6") {
            assert!(simulation.turn(&mut *searcher).expect("follows the protocol"));
            count += 1;
        }
        count
    };
    assert!(picks_until_s6("dfs") > 2_000);
    for spec in ["sgs:1(latest)", "sgs:1", "sgs:2(latest)", "sgs:2"] {
        assert!(picks_until_s6(spec) < 40, "{spec}: {}", picks_until_s6(spec));
    }
}

/// Algorithms 1 and 2 of the paper, with a linear search over a list of states.
struct Paper {
    length: usize,
    /// Each state with all cases it took.
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
            let mut sides = fork.successors.iter().map(|successor| {
                let mut path = before.clone();
                if fork.splits_group {
                    path.pop();
                }
                if fork.successors.len() > 1 || fork.splits_group {
                    path.push((fork.site, successor.case));
                }
                (successor.state, path)
            });
            self.states[at] = sides.next().expect("a fork has a successor");
            self.states.extend(sides);
        }
        let removed: Vec<StateId> = delta.removed().collect();
        self.states.retain(|(state, _)| !removed.contains(state));
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

/// A state that leaves a case group has as many cases as one that forked directly.
#[test]
fn splitting_a_case_group_lengthens_no_subpath() {
    let simulation_of = tree("x");
    let simulation = Simulation::new(&simulation_of, SimulationOptions::default());
    let view = simulation.view();
    let mut ids = byway_search::StateIds::default();
    let [root, left, waiting, rest] = std::array::from_fn(|_| ids.fresh());
    let mut sgs = searcher(&["sgs:2(latest)"]);
    sgs.update(&Delta { started: vec![root], ..Delta::default() }, view);
    // Cases 1 and 2 of the second fork are a group at first.
    sgs.update(&fork(root, &[(0, root), (7, left)]), view);
    let mut parted = fork(root, &[(0, root), (1, waiting)]);
    parted.forks[0].successors[1].grouped_cases = vec![Case(2)];
    sgs.update(&parted, view);
    let mut split = fork(waiting, &[(1, rest), (2, waiting)]);
    split.forks[0].splits_group = true;
    sgs.update(&split, view);
    let whole = [ids.fresh(), ids.fresh(), ids.fresh()];
    // A state that takes the same cases without groups shares subpaths with each of them.
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

/// Subpaths of very different sizes with equal pick counts: each state has the same
/// probability, as if drawn from one list.
#[test]
fn tied_states_have_equal_probabilities() {
    let tree = tree("x");
    let simulation = Simulation::new(&tree, SimulationOptions::default());
    let mut rng = Rng::new(3);
    let rounds = 40_000;
    let mut drawn: BTreeMap<u64, u32> = BTreeMap::new();
    // Case 1 is a subpath of its own; cases 2 and 3 of later forks share those of the
    // first: subpaths of 1, 3 and 9 states.
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

/// The tie-breaking searcher decides if its pick is one of the tied states.
#[test]
fn a_searcher_breaks_ties() {
    let tree = tree("r(a(b(c, d), e), f)");
    let record = explore(&tree, &mut *searcher(&["sgs:1(bfs)"]), SimulationOptions::default())
        .expect("explored");
    assert_eq!(picks(&tree, &record), "r a f b e c d");
}
