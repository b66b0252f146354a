//! Searchers that run inputs to their ends: the exact order in which they explore small
//! trees, and that of context guided search against a plain reading of its definition.

#[allow(dead_code)] // each test file uses a part of it
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

/// Sees whether the witness goes the first way at every fork.
#[derive(Default)]
struct Probe {
    bfs: Bfs,
    strays: bool,
}

impl Searcher for Probe {
    fn update(&mut self, delta: &Delta, view: &dyn View) {
        self.strays |= delta.forks.iter().any(|fork| fork.successors[0].state != fork.parent);
        self.bfs.update(delta, view);
    }

    fn pick(&mut self, view: &dyn View, rng: &mut Rng) -> Action {
        self.bfs.pick(view, rng)
    }
}

/// Decided late, and with a witness that goes the first way at every fork.
fn first_ways(tree: &ExecutionTree) -> SimulationOptions {
    let found = (0..).find(|&witness| {
        let mut probe = Probe::default();
        let options = SimulationOptions { witness, ..SimulationOptions::default() };
        explore(tree, &mut probe, options).expect("explored");
        !probe.strays
    });
    let witness = found.expect("some witness does");
    SimulationOptions {
        witness,
        feasibility: FeasibilityMode::Lazy,
        ..SimulationOptions::default()
    }
}

fn check(spec: &str, text: &str, picked: &str, reached: &str) {
    let tree = tree(text);
    let record = explore(&tree, &mut *searcher(&[spec]), first_ways(&tree)).expect("explored");
    assert_eq!(picks(&tree, &record), picked, "{spec} on {text}");
    assert_eq!(leaves(&tree, &record), reached, "{spec} on {text}");
}

#[test]
fn dart_turns_round_at_the_last_branch() {
    check("dart", "r(a(x,y),b(z,w))", "r y b w", "x y z w");
    check("dart", "r(a,b(c,d,e),f)", "r f b e d", "a f c e d");
    check("dart", "x", "x", "x");
    // A run that takes several turns ends before another begins.
    check("batch:1(dart)", "r:3(a:2,b)", "r r r a a b", "a b");
}

#[test]
fn a_way_that_no_input_goes_is_tried_once() {
    check("dart", "r(a(x,!),b)", "r  b", "x b");
    check("generational", "r(a(x,!),b)", "r b ", "x b");
    check("cgs:1", "r(a(x,!),b)", "r b ", "x b");
}

#[test]
fn generational_tries_all_ways_of_a_run_then_those_of_the_best() {
    check("generational", "r(a(x,y),b(z,w))", "r b y w", "x z y w");
    // The run from b covers two blocks, the one from y four: its ways come before q.
    let text = "r(a(x,y(c(d(z,w),e),f)),b(p,q))";
    check("generational", text, "r b y f e w q", "x p z f e w q");
}

/// Three branches one after the other: no way is forced by the next.
const THREE: &str = "r(s(t(a,b),t(c,d)),s(t(e,f),t(g,h)))";

/// Four of them.
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
        let record = explore(&tree, &mut *searcher(&[spec]), first_ways(&tree)).expect("explored");
        leaves(&tree, &record).replace(' ', "")
    };
    // First a, then the other side of each of the four branches: i, e, c, b.
    // By pairs: m (r1 s1), k (s0 t1), g (s1 t1), j (t0 u1), d (t1 u1). By threes: o (r1 s1 t1),
    // f (s1 t0 u1), l (s0 t1 u1), h (s1 t1 u1).
    assert_eq!(order("cgs:1"), "aiecbmkgojfdnlhp");
    assert_eq!(order("cgs:2"), "aiecbmkgjdofnlhp");
    assert_eq!(order("cgs:3"), "aiecbmkgjdoflhnp");
}

#[test]
fn a_forced_way_tells_nothing() {
    // Who comes to t has gone s's second way. With it in the context, y would be new in pairs.
    let text = "r(s(x,t(y,z)),s(v,t(y,w)))";
    let tree = tree(text);
    let options = first_ways(&tree);
    let record = explore(&tree, &mut *searcher(&["cgs:2"]), options).expect("explored");
    assert_eq!(leaves(&tree, &record), "x v y z y w");
}

/// Two switches behind a branch, each of eight ways that wait in parties or do not.
fn switches(open: &str, close: &str) -> String {
    let last: Vec<String> = (0..8).map(|way| format!("x{way}")).collect();
    let last = format!("t{open}{}{close}", last.join(","));
    let first = vec![last; 8].join(",");
    format!("r(s{open}{first}{close},s{open}{first}{close})")
}

/// Another searcher, which hears nothing of parties but their first ways.
struct Deaf(Box<dyn Searcher>);

impl Searcher for Deaf {
    fn update(&mut self, delta: &Delta, view: &dyn View) {
        let mut heard = delta.clone();
        for fork in &mut heard.forks {
            fork.splits_group = false;
            fork.successors.iter_mut().for_each(|child| child.grouped_cases.clear());
        }
        self.0.update(&heard, view);
    }

    fn pick(&mut self, view: &dyn View, rng: &mut Rng) -> Action {
        self.0.pick(view, rng)
    }
}

#[test]
fn parties_hide_no_context() {
    // 64 pairs of ways at the switches, in 128 paths.
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
    let (apart, parties) = (tree(&switches("(", ")")), tree(&switches("[", "]")));
    let (mut least, mut runs, mut deaf) = (0, 0, 0);
    for witness in 0..20 {
        least += runs_for_all_pairs(&mut *searcher(&["cgs:2"]), &apart, witness);
        runs += runs_for_all_pairs(&mut *searcher(&["cgs:2"]), &parties, witness);
        deaf += runs_for_all_pairs(&mut Deaf(searcher(&["cgs:2"])), &parties, witness);
    }
    // 75 on average; with parties 94, since one may go ways that were tried before it goes
    // the one that was not. Deaf to them it takes 117.
    assert!(least < 76 * 20 && runs < 95 * 20 && deaf > 116 * 20, "{least}, {runs}, {deaf}");
}

/// The ways that lead to a leaf from the last two forks; the leaf's name tells its own.
fn pair(tree: &ExecutionTree, leaf: TreeNodeId) -> (usize, &str) {
    let ways = |node: TreeNodeId| match &tree.node(node).kind {
        TreeNodeKind::Fork(ways) => ways.clone(),
        _ => Vec::new(),
    };
    let middle =
        ways(tree.root()).into_iter().flat_map(|first| ways(first).into_iter().enumerate());
    let way = middle.filter(|&(_, last)| ways(last).contains(&leaf)).map(|(way, _)| way).next();
    (way.expect("a leaf has a way"), tree.name(leaf))
}

/// Ways, in the order they were gone.
type Ways = Vec<(Site, Case)>;

/// Context guided search as it is described, looking through lists.
#[derive(Default)]
struct Plain {
    longest: usize,
    length: usize,
    waiting: Vec<Came>,
    running: Vec<Came>,
    tried: BTreeSet<Ways>,
    swept: Option<(u32, StateId)>,
}

/// How a state came to be.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Came {
    level: u32,
    state: StateId,
    /// All ways behind it but the last, those left out that the next forces.
    before: Ways,
    /// The last; several, if it stands for them.
    last: Ways,
}

impl Came {
    fn contexts(&self, length: usize) -> Vec<Ways> {
        let last = self.last.iter().map(|&way| [&self.before[..], &[way]].concat());
        last.map(|ways| ways[ways.len().saturating_sub(length)..].to_vec()).collect()
    }
}

impl Searcher for Plain {
    fn update(&mut self, delta: &Delta, view: &dyn View) {
        for &state in &delta.started {
            let (before, last) = (Vec::new(), Vec::new());
            self.waiting.push(Came { level: view.depth(state), state, before, last });
        }
        if let Some(at) = self.waiting.iter().position(|w| Some(w.state) == delta.ran) {
            self.running.push(self.waiting.remove(at));
        }
        for fork in delta.forks.iter().filter(|fork| fork.successors.len() > 1 || fork.splits_group)
        {
            let at = self.running.iter().position(|run| run.state == fork.parent);
            let Came { mut level, mut before, last, .. } =
                self.running.remove(at.expect("it runs"));
            if !fork.splits_group {
                level += 1;
                let forced = |&(site, case): &_| view.is_forced(site, case, fork.site.location);
                before.extend(last.into_iter().filter(|way| !forced(way)));
            }
            for child in &fork.successors {
                let last = [&[child.case], &child.grouped_cases[..]].concat();
                let last = last.into_iter().map(|case| (fork.site, case)).collect();
                let came = Came { level, state: child.state, before: before.clone(), last };
                if child.state != fork.parent {
                    self.waiting.push(came);
                    continue;
                }
                if fork.splits_group {
                    self.tried.extend(came.contexts(self.length));
                }
                self.running.push(came);
            }
        }
        let gone: Vec<StateId> = delta.removed().collect();
        self.waiting.retain(|way| !gone.contains(&way.state));
        self.running.retain(|run| !gone.contains(&run.state));
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
        self.waiting.first().map_or(Action::Stop, |way| run(way.state))
    }

    fn requirements(&self) -> SearcherRequirements {
        SearcherRequirements { concolic: true, ..SearcherRequirements::default() }
    }
}

/// A tree whose blocks are met on many paths, so that contexts repeat. Ways of some of them
/// wait in parties.
fn repeating_tree(rng: &mut Rng, depth: u32) -> String {
    let name = ["p", "q", "r", "s"][rng.below(4) as usize];
    if depth == 0 || rng.chance(0.1) {
        return format!("end{name}");
    }
    let is_switch = name == "s" && depth > 2;
    let width = if is_switch { 3 + rng.below(5) } else { 1 + rng.below(3) };
    let ways: Vec<String> = (0..width).map(|_| repeating_tree(rng, depth - 1)).collect();
    let [open, close] = if is_switch { ["[", "]"] } else { ["(", ")"] };
    format!("{name}{open}{}{close}", ways.join(","))
}

#[test]
fn cgs_is_what_its_definition_says() {
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
                let plain = run(&mut Plain { longest, length: 1, ..Plain::default() });
                let ours = run(&mut *searcher(&[&format!("cgs:{longest}")]));
                assert_eq!(ours.picks, plain.picks, "cgs:{longest}, seed {seed}");
            }
        }
    }
}

#[test]
fn concolic_searchers_say_so() {
    let concolic = |specs: &[&str]| searcher(specs).requirements().concolic;
    assert!(["dart", "generational", "cgs:4", "batch(dart)"].iter().all(|spec| concolic(&[spec])));
    assert!(concolic(&["random-path", "dart"]) && !concolic(&["random-path", "dfs"]));
}

/// Random tests until so many in a row bring nothing new.
fn test_randomly(spec: &str, text: &str, seed: u64) -> (String, usize) {
    let tree = tree(text);
    let mut searcher = searcher(&[spec]);
    let mut simulation =
        Simulation::new(&tree, SimulationOptions { seed, ..SimulationOptions::default() });
    simulation.join(&mut *searcher).expect("keeps to the protocol");
    while simulation.turn(&mut *searcher).expect("keeps to the protocol") {}
    let record = simulation.record();
    (leaves(&tree, record), record.repeated)
}

#[test]
fn random_testing_stops_when_nothing_is_new_for_long() {
    let (reached, repeated) = test_randomly("random-testing:50", THREE, 1);
    let mut all: Vec<&str> = reached.split(' ').collect();
    all.sort_unstable();
    assert_eq!(all, ["a", "b", "c", "d", "e", "f", "g", "h"]);
    assert!(repeated >= 50);
    assert_eq!(test_randomly("random-testing:1", "x", 0), ("x".into(), 1));
    assert_eq!(test_randomly("random-testing:50", THREE, 1), (reached.clone(), repeated));
    assert_ne!(test_randomly("random-testing:50", THREE, 2), (reached, repeated));
}
