//! The parsers of searcher names and of execution trees, on damaged input.

use byway_fuzz::Fuzz;
use byway_search::simulate::ExecutionTree;

#[test]
fn fuzz_searchers() {
    let names = byway_search::entries().iter().map(|entry| entry.name);
    let seeds =
        names.chain(["batch(dfs)", "sgs:4", "portfolio(dfs,bfs)", "batch(batch(dfs),10,20)"]);
    Fuzz::new("searchers", seeds).run(|input| {
        let spec = String::from_utf8_lossy(input);
        match byway_search::build(&[&spec]) {
            Ok(_) => "built".into(),
            Err(error) => error.to_string(),
        }
    });
}

#[test]
fn fuzz_trees() {
    let seeds = ["a(b:100(x,!),c(x,y,?))", "a(b(x,x),b(y,!))"];
    Fuzz::new("trees", seeds).run(|input| {
        match ExecutionTree::parse(&String::from_utf8_lossy(input)) {
            Ok(tree) => format!("{} leaves", tree.leaves().count()),
            Err(error) => error,
        }
    });
}
