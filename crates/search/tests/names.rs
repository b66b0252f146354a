//! Searchers selected by name: which specifications are accepted, and the error messages for
//! the others.

use byway_search::{build, entries, help, with_tie_breaker};

fn error(specs: &[&str]) -> String {
    match build(specs) {
        Ok(_) => panic!("{specs:?} was accepted"),
        Err(error) => error.to_string(),
    }
}

#[test]
fn valid_specifications_are_accepted() {
    for spec in [
        "dfs",
        " bfs ",
        "random-state",
        "random-path",
        "nurs:depth",
        " nurs : covnew ",
        "klee-default",
        "auto",
        "sgs:2/own",
        "sgs:combined/all(latest)",
        "portfolio(dfs, uncovered-first(bfs))",
        "batch(nurs:qc)",
        "sdse",
        "sdse:intra",
        "equal-work(sdse, auto)",
        "dart",
        "generational",
        " cgs : 3 ",
        "random-testing",
        "random-testing:1000",
        "batch(dfs)",
        "batch:500(random-path)",
        "batch : 500 ( random-path )",
        "interleave(dfs)",
        "interleave(dfs, batch:3(bfs), interleave(random-path,random-state))",
    ] {
        assert!(build(&[spec]).is_ok(), "{spec}");
    }
    assert!(build(&["dfs", "random-path"]).is_ok());
}

#[test]
fn old_names_are_accepted_but_not_listed() {
    let old = ["frontier(dfs)", "thrifty(sgs:2)", "thrifty(portfolio(frontier(random-path), bfs))"];
    for spec in old {
        assert!(build(&[spec]).is_ok(), "{spec}");
    }
    assert!(!help().contains("thrifty") && !help().contains("frontier"));
    assert!(error(&["thrifty(dsf)"]).starts_with("invalid searcher `thrifty(dsf)`: unknown"));
}

#[test]
fn an_error_lists_all_searchers() {
    for specs in [&["dsf"][..], &["dfs", "batch(dsf)"], &["annealing:4"], &["DFS"], &[]] {
        let error = error(specs);
        for entry in entries() {
            assert!(error.contains(entry.form), "{specs:?}: {error}");
        }
    }
    assert_eq!(
        error(&["batch(dsf)"]),
        "invalid searcher `batch(dsf)`: unknown searcher `dsf` (did you mean `dfs`?); choose one of \
         auto, dfs, bfs, random-state, random-path, nurs:WEIGHT, sgs:N[/own][(TIES)], sdse[:intra], \
         dart, generational, cgs:K, greedy[:OPTIONS], random-testing[:N], ccbse[(S)], mix-ccbse[(S)], \
         klee-default, interleave(S, ...), \
         portfolio(S, ...), equal-work(S, ...), uncovered-first(S), cost-limited(S), deepening[:WORK](S), to-end(S), batch[:STEPS](S)"
    );
}

#[test]
fn an_error_names_the_problem() {
    for (spec, problem) in [
        ("", "missing name of a searcher"),
        ("()", "missing name of a searcher before `()`"),
        ("dfs)", "unexpected `)` at the end"),
        ("dfs bfs", "unknown searcher `dfs bfs`"),
        ("batch", "`batch` needs one searcher"),
        ("batch(dfs", "missing `)`"),
        ("batch(dfs, bfs)", "`batch` needs one searcher"),
        ("batch:0(dfs)", "a number of instructions from 1 up, not `0`"),
        ("batch:-1(dfs)", "not `-1`"),
        ("batch:(dfs)", "not ``"),
        ("batch:99999999999999999999(dfs)", "not `99999999999999999999`"),
        ("dfs:3", "`dfs` takes no argument, but `:3` was given"),
        ("dfs(bfs)", "`dfs` takes no searchers"),
        ("nurs", "`nurs` takes one of the weights depth, rp, icnt, cpicnt, qc, md2u, covnew"),
        ("nurs:", "md2u, covnew, not ``"),
        ("nurs:covnw", "md2u, covnew, not `covnw` (did you mean `covnew`?)"),
        ("nurs:xyz", "md2u, covnew, not `xyz`"),
        ("nurs:rp(dfs)", "`nurs` takes no searchers"),
        ("sgs", "`sgs` takes a subpath length from 1 to 1000, `combined` or `adaptive`"),
        ("sgs:0", "`adaptive`, as in `sgs:2`, not `0`"),
        ("sgs:combind", "`adaptive`, as in `sgs:2`, not `combind` (did you mean `combined`?)"),
        ("sgs:2/libc", "`sgs` counts the forks `/own` or `/all`, not `/libc`"),
        ("sgs:/own", "`adaptive`, as in `sgs:2`, not ``"),
        ("auto:2", "`auto` takes no argument"),
        ("auto(dfs)", "`auto` takes no searchers"),
        ("portfolio", "`portfolio` needs searchers"),
        ("uncovered-first(dfs, bfs)", "`uncovered-first` needs one searcher: `uncovered-first(S)`"),
        ("uncovered-first:2(dfs)", "`uncovered-first` takes no argument"),
        ("sgs:1001", "not `1001`"),
        ("sgs:2(dfs, bfs)", "`sgs` takes one tie-breaker"),
        ("sgs:2(newest)", "breaks ties by one of random, latest, dfs, bfs, random-state"),
        ("sgs:combined(lates)", "not `lates` (did you mean `latest`?)"),
        ("sgs:2(uncovered-first(dfs))", "nurs, not `uncovered-first`"),
        ("DFS", "did you mean `dfs`?"),
        ("dart:2", "`dart` takes no argument"),
        ("generational(dfs)", "`generational` takes no searchers"),
        ("cgs", "`cgs` takes a context length from 1 to 1000, as in `cgs:5`"),
        ("cgs:0", "`cgs:5`, not `0`"),
        ("cgs:x", "`cgs:5`, not `x`"),
        ("cgs:1001", "not `1001`"),
        ("cgs:2(dfs)", "`cgs` takes no searchers"),
        ("random-testing:0", "`random-testing` takes a number of inputs from 1 up, not `0`"),
        ("batch(random-testing)", "`random-testing` cannot be combined with other searchers"),
        ("interleave(random-testing)", "cannot be combined"),
        ("sgs:2(random-testing)", "cannot be combined"),
        ("klee-default:2", "`klee-default` takes no argument"),
        ("interleave", "`interleave` needs searchers"),
        ("interleave()", "missing name of a searcher before `)`"),
        ("interleave:2(dfs)", "takes no argument"),
        ("größe(dfs)", "unknown searcher `größe`"),
    ] {
        let error = error(&[spec]);
        assert!(error.contains(problem), "{spec}: {error}");
    }
    assert!(error(&["dfs", "random-testing"]).contains("cannot be combined"));
    let nested = "batch(".repeat(100_000) + "dfs" + &")".repeat(100_000);
    assert!(error(&[&nested]).contains("levels of nesting"));
}

#[test]
fn help_and_documentation_list_every_searcher() {
    let page = include_str!("../../../docs/search.md");
    for entry in entries() {
        assert!(help().contains(entry.form) && help().contains(entry.help), "{}", entry.name);
        assert!(page.contains(&format!("`{}`", entry.form)), "{} is not in search.md", entry.name);
    }
}

#[test]
fn ties_sets_the_tie_breaker_of_every_sgs_without_one() {
    for (specs, ties, expected) in [
        (&["sgs:2"][..], "latest", &["sgs:2(latest)"][..]),
        (&["dfs", " sgs : combined "], "random", &["dfs", "sgs:combined(random)"]),
        (&["batch:7(sgs:1)"], "nurs:covnew", &["batch:7(sgs:1(nurs:covnew))"]),
        (&["sgs:1(latest)", "sgs:2"], "bfs", &["sgs:1(latest)", "sgs:2(bfs)"]),
        (&["sgs:4/own"], "random-path", &["sgs:4/own(random-path)"]),
        (
            &["auto"],
            "latest",
            &["portfolio(cost-limited(portfolio(uncovered-first(random-path), \
               uncovered-first(sgs:1/own(latest)), to-end(uncovered-first(random-path)))), \
               greedy:later)"],
        ),
    ] {
        let found = with_tie_breaker(specs, ties).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(found, expected);
        assert!(build(&found).is_ok());
    }
    let error = |specs: &[&str], ties| match with_tie_breaker(specs, ties) {
        Ok(accepted) => panic!("{accepted:?}"),
        Err(error) => error.to_string(),
    };
    assert!(error(&["dfs", "bfs"], "latest").contains("--ties needs an `sgs` searcher"));
    assert!(error(&["sgs:2"], "latest(").contains("missing name of a searcher"));
    assert!(error(&["sgs:2("], "latest").contains("missing name of a searcher"));
}
