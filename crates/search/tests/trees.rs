//! Execution trees: parsing, parse errors and generation.

use byway_base::Rng;
use byway_search::simulate::{ExecutionTree, TreeNodeKind, TreeShape};

#[test]
fn a_tree_is_parsed() {
    let tree = ExecutionTree::parse(" a ( b:100 (x, !), c(x, y , ?) ) ").unwrap();
    let TreeNodeKind::Fork(children) = &tree.node(tree.root()).kind else { panic!("not a fork") };
    assert_eq!(children.iter().map(|&child| tree.name(child)).collect::<Vec<_>>(), ["b", "c"]);
    assert_eq!(tree.node(children[0]).steps.get(), 100);
    let leaves: Vec<_> = tree.leaves().collect();
    assert_eq!(leaves.iter().map(|&leaf| tree.name(leaf)).collect::<Vec<_>>(), ["x", "x", "y"]);
    assert_eq!(tree.node(leaves[0]).block, tree.node(leaves[1]).block);
    assert_ne!(leaves[0], leaves[1]);
    let grouped = ExecutionTree::parse("a[b(c, d), e [f, g], h]").unwrap();
    let TreeNodeKind::Fork(children) = &grouped.node(grouped.root()).kind else {
        panic!("not a fork")
    };
    assert!(grouped.node(grouped.root()).grouped && grouped.node(children[1]).grouped);
    assert!(!grouped.node(children[0]).grouped);
}

#[test]
fn invalid_trees_are_rejected() {
    for (text, problem) in [
        ("", "missing node at byte 0"),
        ("!", "infeasible root"),
        ("a(", "missing node"),
        ("a(b", "missing `,` or `)`"),
        ("a(b,)", "missing node"),
        ("a[b", "missing `,` or `]`"),
        ("a(b]", "missing `,` or `)`"),
        ("a(!,?)", "fork without a feasible child"),
        ("a(b,!(c))", "children of an infeasible node"),
        ("a:0", "missing number from 1 up"),
        ("a b", "text after the end"),
        ("a(b))", "text after the end"),
    ] {
        let error = ExecutionTree::parse(text).unwrap_err();
        assert!(error.contains(problem), "{text}: {error}");
    }
}

#[test]
fn a_deep_tree_is_parsed() {
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
    let grouped = ExecutionTree::random(&mut Rng::new(1), &TreeShape { grouped: 1.0, ..shape });
    assert!(grouped.node(grouped.root()).grouped && !tree.node(tree.root()).grouped);
    assert_eq!(tree, ExecutionTree::random(&mut Rng::new(1), &shape));
    assert_ne!(tree, ExecutionTree::random(&mut Rng::new(2), &shape));
}
