//! Searchers asked for by name: what is understood, and what is said to the rest.

use byway_search::{build, entries, help, with_tie_breaker};

fn error(specs: &[&str]) -> String {
    match build(specs) {
        Ok(_) => panic!("{specs:?} was accepted"),
        Err(error) => error.to_string(),
    }
}

#[test]
fn what_is_offered_is_understood() {
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
        "portfolio(dfs, frontier(bfs))",
        "batch(nurs:qc)",
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
fn an_error_says_what_exists() {
    for specs in [&["dsf"][..], &["dfs", "batch(dsf)"], &["annealing:4"], &["DFS"], &[]] {
        let error = error(specs);
        for entry in entries() {
            assert!(error.contains(entry.form), "{specs:?}: {error}");
        }
    }
    assert_eq!(
        error(&["batch(dsf)"]),
        "cannot search by `batch(dsf)`: there is no searcher `dsf`; did you mean `dfs`? There are auto, dfs, \
         bfs, random-state, random-path, nurs:WEIGHT, sgs:N[/own][(TIES)], dart, generational, cgs:K, \
         random-testing[:N], klee-default, interleave(S, ...), portfolio(S, ...), frontier(S), thrifty(S), \
         batch[:STEPS](S)"
    );
}

#[test]
fn an_error_says_what_is_wrong() {
    for (spec, problem) in [
        ("", "a searcher's name is missing"),
        ("()", "a searcher's name is missing before `()`"),
        ("dfs)", "`)` stands behind its end"),
        ("dfs bfs", "there is no searcher `dfs bfs`"),
        ("batch", "`batch` needs one searcher"),
        ("batch(dfs", "a `)` is missing"),
        ("batch(dfs, bfs)", "`batch` needs one searcher"),
        ("batch:0(dfs)", "a number of instructions from 1 up, not `0`"),
        ("batch:-1(dfs)", "not `-1`"),
        ("batch:(dfs)", "not ``"),
        ("batch:99999999999999999999(dfs)", "not `99999999999999999999`"),
        ("dfs:3", "`dfs` takes nothing behind a colon"),
        ("dfs(bfs)", "`dfs` takes no searchers"),
        ("nurs", "`nurs` weighs states by one of depth, rp, icnt, cpicnt, qc, md2u, covnew"),
        ("nurs:", "md2u, covnew, not by ``"),
        ("nurs:covnw", "md2u, covnew, not by `covnw`; did you mean `covnew`?"),
        ("nurs:xyz", "md2u, covnew, not by `xyz`"),
        ("nurs:rp(dfs)", "`nurs` takes no searchers"),
        ("sgs", "`sgs` takes the length of subpaths, from 1 to 1000, `combined` or `adaptive`"),
        ("sgs:0", "`adaptive`: `sgs:2`, not `0`"),
        ("sgs:combind", "`adaptive`: `sgs:2`, not `combind`; did you mean `combined`?"),
        ("sgs:2/libc", "`sgs` counts forks `/own` or `/all`, not `/libc`"),
        ("sgs:/own", "`adaptive`: `sgs:2`, not ``"),
        ("auto:2", "`auto` takes nothing behind a colon"),
        ("auto(dfs)", "`auto` takes no searchers"),
        ("portfolio", "`portfolio` needs searchers"),
        ("frontier(dfs, bfs)", "`frontier` needs one searcher: `frontier(S)`"),
        ("frontier:2(dfs)", "`frontier` takes nothing behind a colon"),
        ("sgs:1001", "not `1001`"),
        ("sgs:2(dfs, bfs)", "`sgs` decides between equals in one way"),
        ("sgs:2(newest)", "between equals by one of random, latest, dfs, bfs, random-state"),
        ("sgs:combined(lates)", "not by `lates`; did you mean `latest`?"),
        ("sgs:2(frontier(dfs))", "nurs, not by `frontier`"),
        ("DFS", "did you mean `dfs`?"),
        ("dart:2", "`dart` takes nothing behind a colon"),
        ("generational(dfs)", "`generational` takes no searchers"),
        ("cgs", "`cgs` takes the length of contexts, from 1 to 1000: `cgs:5`"),
        ("cgs:0", "`cgs:5`, not `0`"),
        ("cgs:x", "`cgs:5`, not `x`"),
        ("cgs:1001", "not `1001`"),
        ("cgs:2(dfs)", "`cgs` takes no searchers"),
        ("random-testing:0", "`random-testing` takes a number of inputs from 1 up, not `0`"),
        ("batch(random-testing)", "`random-testing` cannot be combined with other searchers"),
        ("interleave(random-testing)", "cannot be combined"),
        ("sgs:2(random-testing)", "cannot be combined"),
        ("klee-default:2", "`klee-default` takes nothing behind a colon"),
        ("interleave", "`interleave` needs searchers"),
        ("interleave()", "a searcher's name is missing before `)`"),
        ("interleave:2(dfs)", "nothing behind a colon"),
        ("größe(dfs)", "there is no searcher `größe`"),
    ] {
        let error = error(&[spec]);
        assert!(error.contains(problem), "{spec}: {error}");
    }
    assert!(error(&["dfs", "random-testing"]).contains("cannot be combined"));
    let nested = "batch(".repeat(100_000) + "dfs" + &")".repeat(100_000);
    assert!(error(&[&nested]).contains("nested more than"));
}

#[test]
fn the_help_and_the_book_tell_of_every_searcher() {
    let book = include_str!("../../../docs/search.md");
    for entry in entries() {
        assert!(help().contains(entry.form) && help().contains(entry.help), "{}", entry.name);
        assert!(book.contains(&format!("`{}`", entry.form)), "{} is not in the book", entry.name);
    }
}

#[test]
fn ties_are_for_every_sgs_that_does_not_say() {
    for (specs, ties, told) in [
        (&["sgs:2"][..], "latest", &["sgs:2(latest)"][..]),
        (&["dfs", " sgs : combined "], "random", &["dfs", "sgs:combined(random)"]),
        (&["batch:7(sgs:1)"], "nurs:covnew", &["batch:7(sgs:1(nurs:covnew))"]),
        (&["sgs:1(latest)", "sgs:2"], "bfs", &["sgs:1(latest)", "sgs:2(bfs)"]),
        (&["sgs:4/own"], "random-path", &["sgs:4/own(random-path)"]),
        (
            &["auto"],
            "latest",
            &["thrifty(portfolio(frontier(random-path), frontier(sgs:1/own(latest))))"],
        ),
    ] {
        let found = with_tie_breaker(specs, ties).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(found, told);
        assert!(build(&found).is_ok());
    }
    let error = |specs: &[&str], ties| match with_tie_breaker(specs, ties) {
        Ok(told) => panic!("{told:?}"),
        Err(error) => error.to_string(),
    };
    assert!(error(&["dfs", "bfs"], "latest").contains("--ties is for `sgs`, and there is none"));
    assert!(error(&["sgs:2"], "latest(").contains("a searcher's name is missing"));
    assert!(error(&["sgs:2("], "latest").contains("a searcher's name is missing"));
}
