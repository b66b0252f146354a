//! The branches of paths: recorded with tests, prescribed by a list, and limited where one
//! instruction takes too large a share of the forks.

use byway_base::Limit;
use byway_engine::{Share, ShareLimits};

use super::*;

fn traced(feasibility: Feasibility) -> ExploreConfig {
    let mut config = config(feasibility);
    config.engine.trace_branches = true;
    config
}

/// The branches of a path: all, and those where it forked.
fn branches(path: &PathEnd) -> (Vec<bool>, Vec<bool>) {
    let branches = path.branches.as_ref().expect("they are recorded");
    (branches.executed.iter().collect(), branches.forked.iter().collect())
}

#[test]
fn a_path_has_its_branches() {
    for search in SEARCHERS {
        let (_, found) = explored(&chain(3), search, &traced(Feasibility::Eager));
        for path in &found.ended {
            let bytes = &path.test.as_ref().expect("a test").inputs[0].bytes;
            let (executed, forked) = branches(path);
            let below: Vec<bool> = bytes.windows(2).map(|pair| pair[0] < pair[1]).collect();
            let ends = [false, false, true];
            let expected: Vec<bool> =
                below.iter().zip(ends).flat_map(|(&below, end)| [below, end]).collect();
            assert_eq!(executed, expected, "{search}");
            assert_eq!(forked, below, "{search}");
        }
        let all: BTreeSet<_> = found.ended.iter().map(branches).collect();
        assert_eq!(all.len(), 8, "{search}");
    }
    let (_, found) = explored(&chain(3), "dfs", &config(Feasibility::Eager));
    assert!(found.ended.iter().all(|path| path.branches.is_none()));
}

#[test]
fn prescribed_branches_give_their_path() {
    let (_, all) = explored(&chain(3), "dfs", &traced(Feasibility::Eager));
    for feasibility in [Feasibility::Eager, Feasibility::Lazy] {
        for path in &all.ended {
            let (executed, _) = branches(path);
            let mut config = traced(feasibility);
            config.engine.replay_path = Some(executed.clone().into());
            let (done, found) = explored(&chain(3), "bfs", &config);
            let [only] = &found.ended[..] else { panic!("{:?}", found.ended) };
            assert_eq!((only.digest, branches(only).0), (path.digest, executed));
            assert_eq!(done.totals.forks, 0);
        }
    }
    // Behind the last branch all paths are explored.
    let mut prefix = config(Feasibility::Eager);
    prefix.engine.replay_path = Some([true, false].into());
    let (_, found) = explored(&chain(3), "dfs", &prefix);
    assert_eq!(exits(&found.ended), BTreeSet::from([1, 2, 3]));
    assert_eq!(found.ended.len(), 4);
}

#[test]
fn branches_that_cannot_be_taken_end_the_path() {
    let mut wrong = config(Feasibility::Eager);
    wrong.engine.replay_path = Some([true, true].into());
    let (_, found) = explored(&chain(3), "dfs", &wrong);
    let outcomes: Vec<&str> = found.ended.iter().map(|path| path.outcome.name()).collect();
    assert_eq!(outcomes, ["excluded"]);
    assert_eq!(found.messages, ["a path leaves the replayed path at its branch number 2"]);
}

#[test]
fn an_instruction_with_too_large_a_share_does_not_fork() {
    let shares = ShareLimits { forks: Share::new(0.5), after_forks: 3, ..ShareLimits::default() };
    let mut limited = config(Feasibility::Eager);
    limited.limits.shares = shares;
    let (done, found) = explored(&chain(8), "dfs", &limited);
    assert_eq!(done.totals.forks, 3);
    assert_eq!(found.ended.len(), 4);
    assert!(done.totals.losses.dropped[&Limit::ForkShare] > 0);
    assert!(found.messages.iter().all(|text| text.starts_with("max-fork-share is exceeded")));
    for path in &found.ended {
        let bytes = &path.test.as_ref().expect("a test").inputs[0].bytes;
        let below = bytes.windows(2).filter(|pair| pair[0] < pair[1]).count();
        assert_eq!(path.outcome, Outcome::Exit(below as i32), "the case that the path takes");
    }
    let whole = ShareLimits { forks: Share::new(1.0), after_forks: 0, ..ShareLimits::default() };
    limited.limits.shares = whole;
    assert_eq!(explored(&chain(8), "dfs", &limited).1.ended.len(), 256);
}
