//! The dependences of figure 2 of "Dependence guided symbolic execution" against its table 2.

use std::collections::BTreeSet;

use byway_ir::analysis::dependence::DependenceKind;
use byway_ir::{Module, text};

use crate::files::dependences;

const FILE: &str = include_str!("../files/dependence.bwir");

const CONTROL: &str = "2T,3 4T,5 4F,7 8T,9 8F,11";
const DATA: &str = "1,12 1,13 1,14 3,12 3,13 3,14 5,12 5,13 7,12 7,13 9,14 11,14 12,13";
const POTENTIAL: &str = "2F,12 2F,13 2F,14";
const INTERACTIVE: &str = "1,2F 1,4T 1,4F 1,5 1,7 1,8T 1,8F 1,9 1,11 1,12 2F,4T 2F,4F 2F,5 2F,7 \
                           2F,8T 2F,8F 2F,9 2F,11 2F,12 3,4T 3,4F 3,5 3,7 3,8T 3,8F 3,9 3,11 \
                           3,12 5,12 7,12";

/// The pairs of a kind within a function, as `from,to`.
fn pairs(module: &Module, func: &str, kind: DependenceKind) -> BTreeSet<String> {
    let id = module.func_by_name(func).expect("the function exists");
    let lines = dependences(module).lines(module, id).expect("it is reached");
    assert!(lines.has_interactive);
    let mut pairs = BTreeSet::new();
    for (to, dependences) in &lines.nodes {
        for from in dependences.get(&kind).into_iter().flatten().filter(|it| it.func == id) {
            pairs.insert(format!("{},{}", from.name(module, id), to.name(module, id)));
        }
    }
    pairs
}

#[test]
fn table_2_of_the_paper() {
    let module = text::parse(FILE).expect("it parses");
    let table = [
        (DependenceKind::Control, CONTROL),
        (DependenceKind::Data, DATA),
        (DependenceKind::Potential, POTENTIAL),
        (DependenceKind::Interactive, INTERACTIVE),
    ];
    for func in ["memory", "values"] {
        for (kind, expected) in table {
            let expected: BTreeSet<String> =
                expected.split_whitespace().map(str::to_owned).collect();
            assert_eq!(pairs(&module, func, kind), expected, "{kind:?} of {func}");
        }
    }
}
