//! The graph algorithms against their literal definitions.

use byway_base::entity::EntityRef;
use byway_ir::analysis::{CallGraph, Cfg, Digraph, DomTree};
use byway_ir::{BlockId, Edge, FuncId, Function, FunctionBuilder, Origin, Terminator, Ty};
use proptest::prelude::*;

use crate::generate;

/// A number of nodes and edges between them.
fn graph() -> impl Strategy<Value = (usize, Vec<(usize, usize)>)> {
    (1..12usize).prop_flat_map(|n| (Just(n), prop::collection::vec((0..n, 0..n), 0..2 * n + 2)))
}

/// The nodes reachable from `roots` without passing `without`.
fn reached(
    n: usize,
    edges: &[(usize, usize)],
    roots: &[usize],
    without: Option<usize>,
) -> Vec<bool> {
    let mut seen = vec![false; n];
    let mut work = roots.to_vec();
    while let Some(node) = work.pop() {
        if Some(node) != without && !std::mem::replace(&mut seen[node], true) {
            work.extend(edges.iter().filter(|e| e.0 == node).map(|e| e.1));
        }
    }
    seen
}

/// Checks a tree against the definition: `a` dominates `b` if the roots do not
/// reach `b` without passing `a`.
fn check(tree: &DomTree, n: usize, edges: &[(usize, usize)], roots: &[usize]) {
    let block = BlockId::new;
    let reachable = reached(n, edges, roots, None);
    let mut dominates = vec![vec![false; n]; n];
    for a in 0..n {
        let without = reached(n, edges, roots, Some(a));
        for b in 0..n {
            dominates[a][b] = a == b || reachable[a] && reachable[b] && !without[b];
            assert_eq!(tree.dominates(block(a), block(b)), dominates[a][b], "{a} and {b}");
        }
    }
    for b in 0..n {
        assert_eq!(tree.is_reachable(block(b)), reachable[b]);
        // The immediate dominator is the one that all other strict ones dominate.
        let strict: Vec<_> = (0..n).filter(|&a| a != b && dominates[a][b]).collect();
        let nearest = strict.iter().find(|&&a| strict.iter().all(|&c| dominates[c][a]));
        assert_eq!(tree.idom(block(b)), nearest.map(|&a| block(a)), "of {b}");
    }
}

/// A function with this control flow.
fn function(n: usize, edges: &[(usize, usize)]) -> Function {
    let declaration = Function::declare("f".to_owned(), Origin::User, &[Ty::Ptr], &[], false);
    let mut builder = FunctionBuilder::new(declaration);
    let blocks: Vec<_> = (0..n).map(|_| builder.create_block()).collect();
    for (i, &block) in blocks.iter().enumerate() {
        builder.switch_to(block);
        let targets: Box<[Edge]> = edges
            .iter()
            .filter(|e| e.0 == i)
            .map(|e| Edge { block: blocks[e.1], args: Box::default() })
            .collect();
        let addr = builder.param(0);
        builder.terminate(Terminator::IndirectJump { addr, targets });
    }
    builder.finish()
}

proptest! {
    #[test]
    fn dominators_are_on_every_path((n, edges) in graph()) {
        check(&DomTree::new(&Digraph::new(n, &edges), 0, n), n, &edges, &[0]);
    }

    #[test]
    fn postdominators_are_on_every_path_to_an_end((n, edges) in graph()) {
        let cfg = Cfg::new(&function(n, &edges));
        let ends: Vec<_> = cfg.path_ends().iter().map(|b| b.index()).collect();
        let reachable = reached(n, &edges, &[0], None);
        let back: Vec<_> =
            edges.iter().filter(|e| reachable[e.0]).map(|&(from, to)| (to, from)).collect();
        check(&cfg.postdominators(), n, &back, &ends);

        // The ends: all exits, and as few others as needed for every block to reach one.
        let is_exit = |b: usize| edges.iter().all(|e| e.0 != b);
        let leads_to_end = reached(n, &back, &ends, None);
        for b in 0..n {
            prop_assert_eq!(leads_to_end[b], reachable[b]);
            if is_exit(b) && reachable[b] {
                prop_assert!(ends.contains(&b));
            }
        }
        for &end in ends.iter().filter(|&&b| !is_exit(b)) {
            let others: Vec<_> = ends.iter().copied().filter(|&b| b != end).collect();
            prop_assert!(!reached(n, &back, &others, None)[end]);
        }
    }

    #[test]
    fn components_are_strongly_connected_and_come_after_their_successors((n, edges) in graph()) {
        let components = Digraph::new(n, &edges).components();
        let mut component_of = vec![None; n];
        for (i, component) in components.iter().enumerate() {
            for &node in component {
                prop_assert_eq!(component_of[node].replace(i), None);
            }
        }
        for a in 0..n {
            let from_a = reached(n, &edges, &[a], None);
            for b in 0..n {
                let mutual = from_a[b] && reached(n, &edges, &[b], None)[a];
                prop_assert_eq!(component_of[a] == component_of[b], mutual);
                prop_assert!(!from_a[b] || component_of[b] <= component_of[a]);
            }
        }
        prop_assert!(component_of.iter().all(Option::is_some));
    }

    #[test]
    fn the_order_contains_the_reachable_blocks_and_follows_edges_except_loops((n, edges) in graph()) {
        let cfg = Cfg::new(&function(n, &edges));
        let reachable = reached(n, &edges, &[0], None);
        for (b, reachable) in reachable.into_iter().enumerate() {
            prop_assert_eq!(cfg.is_reachable(BlockId::new(b)), reachable);
        }
        for (i, &b) in cfg.reverse_post_order().iter().enumerate() {
            prop_assert_eq!(cfg.position(b), Some(i));
            for next in cfg.succs(b) {
                let in_a_loop = reached(n, &edges, &[next.index()], None)[b.index()];
                prop_assert!(in_a_loop || cfg.position(next).unwrap() > i);
            }
        }
    }
}

proptest! {
    #[test]
    fn callers_mirror_callees_and_groups_come_bottom_up(seed: u64) {
        let module = generate::module(seed, 40);
        let graph = CallGraph::new(&module);
        let groups = graph.bottom_up();
        let group_of = |f: FuncId| groups.iter().position(|g| g.contains(&f)).unwrap();
        for f in module.funcs.keys() {
            for callee in graph.callees(f) {
                prop_assert!(graph.callers(callee).contains(&f));
                prop_assert!(group_of(callee) <= group_of(f));
            }
            for caller in graph.callers(f) {
                prop_assert!(graph.callees(caller).contains(&f));
            }
        }
        prop_assert_eq!(groups.concat().len(), module.funcs.len());
    }
}

#[test]
fn long_chains_do_not_overflow_the_stack() {
    let n = 200_000;
    let edges: Vec<_> = (1..n).map(|i| (i - 1, i)).collect();
    let graph = Digraph::new(n, &edges);
    assert_eq!(graph.components().len(), n);
    assert!(DomTree::new(&graph, 0, n).dominates(BlockId::new(1), BlockId::new(n - 1)));
}
