//! Trees as text: what is read, what is refused, and generated ones.

use byway_base::Rng;
use byway_search::simulate::{ExecutionTree, TreeNodeKind, TreeShape};

#[test]
fn a_tree_is_read() {
    let tree = ExecutionTree::parse(" a ( b:100 (x, !), c(x, y , ?) ) ").unwrap();
    let TreeNodeKind::Fork(ways) = &tree.node(tree.root()).kind else { panic!("not a fork") };
    assert_eq!(ways.iter().map(|&way| tree.name(way)).collect::<Vec<_>>(), ["b", "c"]);
    assert_eq!(tree.node(ways[0]).steps.get(), 100);
    let leaves: Vec<_> = tree.leaves().collect();
    assert_eq!(leaves.iter().map(|&leaf| tree.name(leaf)).collect::<Vec<_>>(), ["x", "x", "y"]);
    assert_eq!(tree.node(leaves[0]).block, tree.node(leaves[1]).block);
    assert_ne!(leaves[0], leaves[1]);
    let parties = ExecutionTree::parse("a[b(c, d), e [f, g], h]").unwrap();
    let TreeNodeKind::Fork(ways) = &parties.node(parties.root()).kind else { panic!("not a fork") };
    assert!(parties.node(parties.root()).parties && parties.node(ways[1]).parties);
    assert!(!parties.node(ways[0]).parties);
}

#[test]
fn bad_trees_are_refused() {
    for (text, problem) in [
        ("", "a node is missing"),
        ("!", "the root is not feasible"),
        ("a(", "a node is missing"),
        ("a(b", "`,` or `)` is missing"),
        ("a(b,)", "a node is missing"),
        ("a[b", "`,` or `]` is missing"),
        ("a(b]", "`,` or `)` is missing"),
        ("a(!,?)", "no feasible way"),
        ("a(b,!(c))", "not feasible"),
        ("a:0", "a number from 1 up"),
        ("a b", "behind the end"),
        ("a(b))", "behind the end"),
    ] {
        let error = ExecutionTree::parse(text).unwrap_err();
        assert!(error.contains(problem), "{text}: {error}");
    }
}

#[test]
fn a_deep_tree_is_read() {
    let deep = 200_000;
    let text = "a(x,".repeat(deep) + "y" + &")".repeat(deep);
    assert_eq!(ExecutionTree::parse(&text).unwrap().leaves().count(), deep + 1);
}

#[test]
fn a_generated_tree_has_its_shape() {
    let shape = TreeShape {
        leaves: 500,
        widest: 3,
        deepening: 0.5,
        longest: 9,
        infeasible: 0.3,
        unknown: 0.1,
        grouped: 0.0,
    };
    let tree = ExecutionTree::random(&mut Rng::new(1), &shape);
    let leaves = tree.leaves().count();
    assert!((500..503).contains(&leaves), "{leaves}");
    let parties = ExecutionTree::random(&mut Rng::new(1), &TreeShape { grouped: 1.0, ..shape });
    assert!(parties.node(parties.root()).parties && !tree.node(tree.root()).parties);
    assert_eq!(tree, ExecutionTree::random(&mut Rng::new(1), &shape));
    assert_ne!(tree, ExecutionTree::random(&mut Rng::new(2), &shape));
}
