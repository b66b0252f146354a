//! Shared helpers for the tests of searchers.

pub mod chances;

use byway_base::Rng;
use byway_base::entity::EntityRef;
use byway_ir::{BlockId, FuncId};
use byway_search::simulate::{ExecutionTree, SimulationRecord, TreeNodeId, TreeShape};
use byway_search::{
    Case, Decision, Delta, Fork, Location, Searcher, Site, StateId, Successor, build,
};

/// Every searcher, alone and combined.
pub const ALL: &[&[&str]] = &[
    &["auto"],
    // Every block of a simulated program is new, so this one makes no random choices.
    &["uncovered-first(bfs)"],
    // Without a chain it solves the cheapest path.
    &["greedy"],
    &["portfolio(bfs, greedy:solving/good-turing)"],
    &["cost-limited(random-path)"],
    &["cost-limited(uncovered-first(random-path))"],
    &["cost-limited(sgs:2)"],
    &["deepening:7(dfs)"],
    &["deepening:1(interleave(random-path, cost-limited(nurs:icnt)))", "bfs"],
    &["to-end(bfs)"],
    &["cost-limited(interleave(to-end(random-path), dfs))"],
    &["portfolio(to-end(uncovered-first(sgs:1)), random-state)"],
    &["cost-limited(interleave(dart, nurs:qc))"],
    &["cost-limited(batch:3(cost-limited(generational)))", "cost-limited(cgs:2)"],
    &["cost-limited(sgs:2(latest))", "bfs"],
    &["portfolio(random-state, dfs, sgs:2)"],
    &["sgs:2/own"],
    &["auto", "dfs"],
    &["ccbse"],
    &["ccbse(bfs)"],
    &["mix-ccbse(random-path)"],
    &["portfolio(mix-ccbse, auto)"],
    &["dfs"],
    &["bfs"],
    &["random-state"],
    &["random-path"],
    &["nurs:depth"],
    &["nurs:rp"],
    &["nurs:icnt"],
    &["nurs:cpicnt"],
    &["nurs:qc"],
    &["nurs:md2u"],
    &["nurs:covnew"],
    &["klee-default"],
    &["sgs:1"],
    &["sgs:2(latest)"],
    &["sgs:8"],
    &["sgs:4(random-path)"],
    &["sgs:combined"],
    &["sgs:adaptive(latest)"],
    &["sdse"],
    &["sdse:intra"],
    &["equal-work(sdse, bfs)"],
    &["interleave(sdse, random-path)"],
    &["dart"],
    &["generational"],
    &["cgs:1"],
    &["cgs:3"],
    &["batch:7(cgs:2)"],
    &["dart", "random-path"],
    &["interleave(generational, bfs)"],
    &["batch(dfs)"],
    &["batch:7(random-path)"],
    &["interleave(bfs, batch:3(random-state))"],
    &["batch:7(nurs:covnew)"],
    &["random-path", "dfs"],
    &["nurs:icnt", "interleave(nurs:md2u, bfs)"],
    &["random-path", "random-state", "bfs"],
];

pub fn searcher(specs: &[&str]) -> Box<dyn Searcher> {
    build(specs).unwrap_or_else(|error| panic!("{error}"))
}

pub fn tree(text: &str) -> ExecutionTree {
    ExecutionTree::parse(text).unwrap_or_else(|error| panic!("{error}"))
}

/// A tree with every feature: wide and narrow forks, deep and bushy parts, infeasible and
/// undecidable children, single children; for odd seeds also case groups.
pub fn random_tree(seed: u64, leaves: usize) -> ExecutionTree {
    let mut rng = Rng::new(seed);
    let deepening = [0.0, 0.5, 0.95][rng.below(3) as usize];
    let (widest, grouped) = [(4, 0.0), (9, 0.5)][seed as usize % 2];
    let shape = TreeShape {
        leaves,
        widest,
        deepening,
        longest: 30,
        infeasible: 0.2,
        unknown: 0.05,
        grouped,
    };
    ExecutionTree::random(&mut rng, &shape)
}

/// The names of the leaves in the order they were reached.
pub fn leaves(tree: &ExecutionTree, record: &SimulationRecord) -> String {
    names(tree, record.leaves.iter().copied())
}

/// The names of the nodes of the picked states.
pub fn picks(tree: &ExecutionTree, record: &SimulationRecord) -> String {
    names(tree, record.picks.iter().map(|&(_, node)| node))
}

fn names(tree: &ExecutionTree, nodes: impl Iterator<Item = TreeNodeId>) -> String {
    nodes.map(|node| tree.name(node)).collect::<Vec<_>>().join(" ")
}

/// A fork of one state, always at the same site.
pub fn fork(parent: StateId, successors: &[(u64, StateId)]) -> Delta {
    let location = Location { func: FuncId::new(0), block: BlockId::new(0) };
    let site = Site { location, inst: None, decision: Decision::Switch };
    let successor =
        |&(case, state): &_| Successor { case: Case(case), grouped_cases: Vec::new(), state };
    let successors = successors.iter().map(successor).collect();
    let forks = vec![Fork { parent, site, splits_group: false, successors }];
    Delta { ran: Some(parent), forks, ..Delta::default() }
}
