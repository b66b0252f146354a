//! The parsers of searcher names, execution trees and chains, on damaged input.

use byway_fuzz::Fuzz;
use byway_search::markov::simulate::{OptimalPolicy, chain_file};
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

#[test]
fn fuzz_chains() {
    let seeds = [
        "cost 2\n1 -> 2 1/3 4 # rare\n1 -> 3 rest 5\n2 -> 3 1 0\ntest 8 1 3\ncovered 2",
        "a -> a 0.9 1\na -> b rest 1e3\ntest a a b",
    ];
    Fuzz::new("chains", seeds).run(|input| {
        match chain_file::parse(&String::from_utf8_lossy(input)) {
            Ok(file) => format!("optimal: {}", OptimalPolicy::new(&file.chain).is_ok()),
            Err(error) => error.message,
        }
    });
}
