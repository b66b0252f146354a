//! Concolic searchers: the exact order in which they explore small trees, and `cgs` against
//! a literal implementation of its definition.

#[allow(dead_code)] // each test file uses only some helpers
mod common;

use std::collections::BTreeSet;

use byway_base::Rng;
use byway_search::searcher::Bfs;
use byway_search::simulate::{
    ExecutionTree, FeasibilityMode, Simulation, SimulationOptions, SimulationRecord, TreeNodeId,
    TreeNodeKind, explore,
};
use byway_search::{
    Action, Case, Delta, Searcher, SearcherRequirements, Site, StateId, Until, View,
};
use common::{leaves, picks, random_tree, searcher, tree};

/// Detects whether the witness takes the first case at every fork.
#[derive(Default)]
struct Probe {
    bfs: Bfs,
    deviates: bool,
}

impl Searcher for Probe {
    fn update(&mut self, delta: &Delta, view: &dyn View) {
        self.deviates |= delta.forks.iter().any(|fork| fork.successors[0].state != fork.parent);
        self.bfs.update(delta, view);
    }

    fn pick(&mut self, view: &dyn View, rng: &mut Rng) -> Action {
        self.bfs.pick(view, rng)
    }
}

/// Lazy feasibility, and a witness that takes the first case at every fork.
fn first_cases(tree: &ExecutionTree) -> SimulationOptions {
    let found = (0..).find(|&witness| {
        let mut probe = Probe::default();
        let options = SimulationOptions { witness, ..SimulationOptions::default() };
        explore(tree, &mut probe, options).expect("explored");
        !probe.deviates
    });
    let witness = found.expect("some witness takes all first cases");
    SimulationOptions {
        witness,
        feasibility: FeasibilityMode::Lazy,
        ..SimulationOptions::default()
    }
}

fn check(spec: &str, text: &str, picked: &str, reached: &str) {
    let tree = tree(text);
    let record = explore(&tree, &mut *searcher(&[spec]), first_cases(&tree)).expect("explored");
    assert_eq!(picks(&tree, &record), picked, "{spec} on {text}");
    assert_eq!(leaves(&tree, &record), reached, "{spec} on {text}");
}

#[test]
fn dart_negates_the_last_branch_first() {
    check("dart", "r(a(x,y),b(z,w))", "r y b w", "x y z w");
    check("dart", "r(a,b(c,d,e),f)", "r f b e d", "a f c e d");
    check("dart", "x", "x", "x");
    // A run of several turns ends before another begins.
    check("batch:1(dart)", "r:3(a:2,b)", "r r r a a b", "a b");
}

#[test]
fn an_infeasible_case_is_tried_once() {
    check("dart", "r(a(x,!),b)", "r  b", "x b");
    check("generational", "r(a(x,!),b)", "r b ", "x b");
    check("cgs:1", "r(a(x,!),b)", "r b ", "x b");
}

#[test]
fn generational_tries_all_cases_of_a_run_then_those_of_the_best_run() {
    check("generational", "r(a(x,y),b(z,w))", "r b y w", "x z y w");
    // The run from b covers two blocks, the one from y four: its cases come before q.
    let text = "r(a(x,y(c(d(z,w),e),f)),b(p,q))";
    check("generational", text, "r b y f e w q", "x p z f e w q");
}

/// Three branches in sequence: none implies a case of another.
const THREE: &str = "r(s(t(a,b),t(c,d)),s(t(e,f),t(g,h)))";

/// Four branches in sequence.
fn four() -> String {
    let last = |names: &str| {
        let ends: Vec<String> = names.chars().map(String::from).collect();
        format!("t(u({},{}),u({},{}))", ends[0], ends[1], ends[2], ends[3])
    };
    format!("r(s({},{}),s({},{}))", last("abcd"), last("efgh"), last("ijkl"), last("mnop"))
}

#[test]
fn cgs_negates_a_branch_in_new_contexts_first() {
    // One run for each branch: r, s and t, by levels. Then the rest by levels.
    check("cgs:1", THREE, "r s t b t f d h", "a e c b g f d h");
    // With pairs: (r, s) and (s, t) in their other combinations, h last in any case.
    check("cgs:2", THREE, "r s t b t f d h", "a e c b g f d h");
    let order = |spec: &str| {
        let tree = tree(&four());
        let record = explore(&tree, &mut *searcher(&[spec]), first_cases(&tree)).expect("explored");
        leaves(&tree, &record).replace(' ', "")
    };
    // First a, then the other case of each of the four branches: i, e, c, b.
    // By pairs: m (r1 s1), k (s0 t1), g (s1 t1), j (t0 u1), d (t1 u1). By threes: o (r1 s1 t1),
    // f (s1 t0 u1), l (s0 t1 u1), h (s1 t1 u1).
    assert_eq!(order("cgs:1"), "aiecbmkgojfdnlhp");
    assert_eq!(order("cgs:2"), "aiecbmkgjdofnlhp");
    assert_eq!(order("cgs:3"), "aiecbmkgjdoflhnp");
}

#[test]
fn an_implied_case_is_not_part_of_a_context() {
    // Every path to t takes the second case of s. With it in the context, y would be a new pair.
    let text = "r(s(x,t(y,z)),s(v,t(y,w)))";
    let tree = tree(text);
    let options = first_cases(&tree);
    let record = explore(&tree, &mut *searcher(&["cgs:2"]), options).expect("explored");
    assert_eq!(leaves(&tree, &record), "x v y z y w");
}

/// Two switches of eight cases behind a branch, with or without case groups.
fn switches(open: &str, close: &str) -> String {
    let last: Vec<String> = (0..8).map(|case| format!("x{case}")).collect();
    let last = format!("t{open}{}{close}", last.join(","));
    let first = vec![last; 8].join(",");
    format!("r(s{open}{first}{close},s{open}{first}{close})")
}

/// Hides case groups from the inner searcher, which sees their first cases only.
struct HidesGroups(Box<dyn Searcher>);

impl Searcher for HidesGroups {
    fn update(&mut self, delta: &Delta, view: &dyn View) {
        let mut visible = delta.clone();
        for fork in &mut visible.forks {
            fork.splits_group = false;
            fork.successors.iter_mut().for_each(|successor| successor.grouped_cases.clear());
        }
        self.0.update(&visible, view);
    }

    fn pick(&mut self, view: &dyn View, rng: &mut Rng) -> Action {
        self.0.pick(view, rng)
    }
}

#[test]
fn case_groups_hide_no_context() {
    // 64 pairs of cases at the switches, in 128 paths.
    let runs_for_all_pairs = |searcher: &mut dyn Searcher, tree: &ExecutionTree, witness: u64| {
        let options = SimulationOptions {
            witness,
            feasibility: FeasibilityMode::Lazy,
            ..SimulationOptions::default()
        };
        let record = explore(tree, searcher, options).expect("explored");
        assert_eq!(record.leaves.len(), 128);
        let mut seen = BTreeSet::new();
        let mut last = |&leaf: &TreeNodeId| seen.insert(pair(tree, leaf)) && seen.len() == 64;
        1 + record.leaves.iter().position(&mut last).expect("all")
    };
    let (apart, grouped) = (tree(&switches("(", ")")), tree(&switches("[", "]")));
    let (mut least, mut runs, mut hidden) = (0, 0, 0);
    for witness in 0..20 {
        least += runs_for_all_pairs(&mut *searcher(&["cgs:2"]), &apart, witness);
        runs += runs_for_all_pairs(&mut *searcher(&["cgs:2"]), &grouped, witness);
        hidden += runs_for_all_pairs(&mut HidesGroups(searcher(&["cgs:2"])), &grouped, witness);
    }
    // 75 on average; 94 with case groups, since a group may take tried cases before
    // the one that was not. Without that information it takes 117.
    assert!(least < 76 * 20 && runs < 95 * 20 && hidden > 116 * 20, "{least}, {runs}, {hidden}");
}

/// The cases of the last two forks before a leaf; its name stands for the last one.
fn pair(tree: &ExecutionTree, leaf: TreeNodeId) -> (usize, &str) {
    let children = |node: TreeNodeId| match &tree.node(node).kind {
        TreeNodeKind::Fork(children) => children.clone(),
        _ => Vec::new(),
    };
    let middle =
        children(tree.root()).into_iter().flat_map(|first| children(first).into_iter().enumerate());
    let case =
        middle.filter(|&(_, last)| children(last).contains(&leaf)).map(|(case, _)| case).next();
    (case.expect("a leaf has a parent"), tree.name(leaf))
}

/// Taken cases, oldest first.
type TakenCases = Vec<(Site, Case)>;

/// Context guided search as defined, with linear searches.
#[derive(Default)]
struct ReferenceCgs {
    longest: usize,
    length: usize,
    waiting: Vec<ReferenceState>,
    running: Vec<ReferenceState>,
    tried: BTreeSet<TakenCases>,
    swept: Option<(u32, StateId)>,
}

/// A state with its history.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct ReferenceState {
    level: u32,
    state: StateId,
    /// All taken cases but the last, without those that the next site implies.
    before: TakenCases,
    /// The last case; several for a case group.
    last: TakenCases,
}

impl ReferenceState {
    fn contexts(&self, length: usize) -> Vec<TakenCases> {
        let last = self.last.iter().map(|&it| [&self.before[..], &[it]].concat());
        last.map(|cases| cases[cases.len().saturating_sub(length)..].to_vec()).collect()
    }
}

impl Searcher for ReferenceCgs {
    fn update(&mut self, delta: &Delta, view: &dyn View) {
        for &state in &delta.started {
            let (before, last) = (Vec::new(), Vec::new());
            self.waiting.push(ReferenceState { level: view.depth(state), state, before, last });
        }
        if let Some(at) = self.waiting.iter().position(|w| Some(w.state) == delta.ran) {
            self.running.push(self.waiting.remove(at));
        }
        for fork in delta.forks.iter().filter(|fork| fork.successors.len() > 1 || fork.splits_group)
        {
            let at = self.running.iter().position(|run| run.state == fork.parent);
            let ReferenceState { mut level, mut before, last, .. } =
                self.running.remove(at.expect("the parent runs"));
            if !fork.splits_group {
                level += 1;
                let forced = |&(site, case): &_| view.is_forced(site, case, fork.site.location);
                before.extend(last.into_iter().filter(|it| !forced(it)));
            }
            for successor in &fork.successors {
                let last = [&[successor.case], &successor.grouped_cases[..]].concat();
                let last = last.into_iter().map(|case| (fork.site, case)).collect();
                let came =
                    ReferenceState { level, state: successor.state, before: before.clone(), last };
                if successor.state != fork.parent {
                    self.waiting.push(came);
                    continue;
                }
                if fork.splits_group {
                    self.tried.extend(came.contexts(self.length));
                }
                self.running.push(came);
            }
        }
        let removed: Vec<StateId> = delta.removed().collect();
        self.waiting.retain(|it| !removed.contains(&it.state));
        self.running.retain(|run| !removed.contains(&run.state));
    }

    fn pick(&mut self, _: &dyn View, _: &mut Rng) -> Action {
        self.waiting.sort();
        let run = |state| Action::Run { state, until: Until::END };
        if let Some(run_on) = self.running.first() {
            return run(run_on.state);
        }
        while self.length <= self.longest {
            for came in &self.waiting {
                let place = Some((came.level, came.state));
                if place <= self.swept {
                    continue;
                }
                self.swept = place;
                let contexts = came.contexts(self.length);
                if contexts.is_empty() || contexts.iter().any(|it| !self.tried.contains(it)) {
                    if let [context] = &contexts[..] {
                        self.tried.insert(context.clone());
                    }
                    return run(came.state);
                }
            }
            (self.swept, self.length) = (None, self.length + 1);
        }
        self.waiting.first().map_or(Action::Stop, |it| run(it.state))
    }

    fn requirements(&self) -> SearcherRequirements {
        SearcherRequirements { concolic: true, ..SearcherRequirements::default() }
    }
}

/// A tree whose blocks occur on many paths, so that contexts repeat. Some forks create
/// case groups.
fn repeating_tree(rng: &mut Rng, depth: u32) -> String {
    let name = ["p", "q", "r", "s"][rng.below(4) as usize];
    if depth == 0 || rng.chance(0.1) {
        return format!("end{name}");
    }
    let is_switch = name == "s" && depth > 2;
    let width = if is_switch { 3 + rng.below(5) } else { 1 + rng.below(3) };
    let children: Vec<String> = (0..width).map(|_| repeating_tree(rng, depth - 1)).collect();
    let [open, close] = if is_switch { ["[", "]"] } else { ["(", ")"] };
    format!("{name}{open}{}{close}", children.join(","))
}

#[test]
fn cgs_agrees_with_its_definition() {
    for seed in 0..60 {
        let repeating = tree(&repeating_tree(&mut Rng::new(seed), 6));
        for tree in [repeating, random_tree(seed, 60)] {
            for longest in [1, 2, 3, 5] {
                let options = SimulationOptions {
                    witness: seed,
                    feasibility: FeasibilityMode::Lazy,
                    ..SimulationOptions::default()
                };
                let run = |searcher: &mut dyn Searcher| -> SimulationRecord {
                    explore(&tree, searcher, options).unwrap_or_else(|e| panic!("{e}"))
                };
                let plain =
                    run(&mut ReferenceCgs { longest, length: 1, ..ReferenceCgs::default() });
                let ours = run(&mut *searcher(&[&format!("cgs:{longest}")]));
                assert_eq!(ours.picks, plain.picks, "cgs:{longest}, seed {seed}");
            }
        }
    }
}

#[test]
fn concolic_searchers_require_concolic_runs() {
    let concolic = |specs: &[&str]| searcher(specs).requirements().concolic;
    assert!(["dart", "generational", "cgs:4", "batch(dart)"].iter().all(|spec| concolic(&[spec])));
    assert!(concolic(&["random-path", "dart"]) && !concolic(&["random-path", "dfs"]));
}

/// Runs random tests until the searcher stops.
fn test_randomly(spec: &str, text: &str, seed: u64) -> (String, usize) {
    let tree = tree(text);
    let mut searcher = searcher(&[spec]);
    let mut simulation =
        Simulation::new(&tree, SimulationOptions { seed, ..SimulationOptions::default() });
    simulation.join(&mut *searcher).expect("follows the protocol");
    while simulation.turn(&mut *searcher).expect("follows the protocol") {}
    let record = simulation.record();
    (leaves(&tree, record), record.repeated)
}

#[test]
fn random_testing_stops_after_many_repeated_paths() {
    let (reached, repeated) = test_randomly("random-testing:50", THREE, 1);
    let mut all: Vec<&str> = reached.split(' ').collect();
    all.sort_unstable();
    assert_eq!(all, ["a", "b", "c", "d", "e", "f", "g", "h"]);
    assert!(repeated >= 50);
    assert_eq!(test_randomly("random-testing:1", "x", 0), ("x".into(), 1));
    assert_eq!(test_randomly("random-testing:50", THREE, 1), (reached.clone(), repeated));
    assert_ne!(test_randomly("random-testing:50", THREE, 2), (reached, repeated));
}
