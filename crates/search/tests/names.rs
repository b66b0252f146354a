//! Searchers asked for by name: what is understood, and what is said to the rest.

use byway_search::{build, entries, help};

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
        "cannot search by `batch(dsf)`: there is no searcher `dsf`; did you mean `dfs`? There are dfs, bfs, \
         random-state, random-path, nurs:WEIGHT, sgs:N[(TIES)], dart, generational, cgs:K, \
         random-testing[:N], klee-default, interleave(S, ...), batch[:STEPS](S)"
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
        ("nurs:covnw", "md2u, covnew, not by `covnw`"),
        ("nurs:rp(dfs)", "`nurs` takes no searchers"),
        ("sgs", "`sgs` takes the length of subpaths, from 1 to 1000, `combined` or `adaptive`"),
        ("sgs:0", "`adaptive`: `sgs:2`, not `0`"),
        ("sgs:combine", "`adaptive`: `sgs:2`, not `combine`"),
        ("sgs:1001", "not `1001`"),
        ("sgs:2(dfs, bfs)", "`sgs` decides between equals in one way"),
        ("sgs:2(newest)", "there is no searcher `newest`"),
        ("sgs:combined(newest)", "there is no searcher `newest`"),
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
