//! Seeds: they are followed first and without the solver, each along one path, and
//! change nothing about which paths there are.

use std::collections::BTreeMap;
use std::sync::Arc;

use byway_base::{Rng, Work};
use byway_engine::{Seed, SeedTotals};

use super::*;

const SEARCHERS: [&str; 9] = [
    "dfs",
    "bfs",
    "random-state",
    "random-path",
    "interleave(bfs, random-path)",
    "batch:100(random-state)",
    "dart",
    "generational",
    "cgs:3",
];

/// Seeds for the input `x`, named by their index.
fn seeds(bytes: &[&[u8]]) -> Vec<Arc<Seed>> {
    let seed = |(place, bytes): (usize, &&[u8])| {
        let inputs = BTreeMap::from([("x".to_string(), Arc::from(*bytes))]);
        Arc::new(Seed { label: place.to_string(), inputs, ..Seed::default() })
    };
    bytes.iter().enumerate().map(seed).collect()
}

fn seeded(feasibility: Feasibility, bytes: &[&[u8]]) -> ExploreConfig {
    ExploreConfig { seeds: seeds(bytes), ..config(feasibility) }
}

fn left(totals: &SeedTotals) -> u64 {
    totals.left.values().sum()
}

fn bytes_of(path: &PathEnd) -> &[u8] {
    &path.test.as_ref().expect("a test").inputs[0].bytes
}

/// A lock of eight bytes, each mixed with those before it; 77 if it opens. Depth first
/// opens it last.
fn lock(word: &[u8; 8]) -> String {
    let mix = |before: &mut u8, &byte: &u8| {
        *before = before.wrapping_mul(37).wrapping_add(byte) ^ 90;
        Some(*before)
    };
    let expected: String = word.iter().scan(0, mix).map(|byte| format!("{byte:02x}")).collect();
    format!(
        "global user @expected size 8 align 1 constant = {{
  x\"{expected}\"
}}
func user @main() -> i32 {{
b0:
  v0:ptr = alloca 1 x 8:i64, align 1
  call @__byway_symbolic(v0, 8:i64, @name)
  jump b1(0:i64, 0:i8, 0:i32)
b1(v1:i64, v2:i8, v3:i32):
  v4:ptr = ptradd v0, 0, v1 * 1
  v5:i8 = load v4, align 1
  v6:i8 = mul v2, 37:i8
  v7:i8 = add v6, v5
  v8:i8 = xor v7, 90:i8
  v9:ptr = ptradd @expected, 0, v1 * 1
  v10:i8 = load v9, align 1
  v11:i1 = icmp eq v8, v10
  br v11, b2, b3
b2:
  v12:i32 = add v3, 1:i32
  jump b4(v12)
b3:
  jump b4(v3)
b4(v13:i32):
  v14:i64 = add v1, 1:i64
  v15:i1 = icmp eq v14, 8:i64
  br v15, b5, b1(v14, v8, v13)
b5:
  v16:i1 = icmp eq v13, 8:i32
  br v16, b6, b7
b6:
  ret 77:i32
b7:
  ret 0:i32
}}
"
    )
}

#[test]
fn a_seed_opens_what_searching_does_not() {
    let word = *b"open it!";
    let text = lock(&word);
    let mut limited = config(Feasibility::Eager);
    limited.limits.work = Some(Work(5_000));
    let (without, paths) = explored(&text, "dfs", &limited);
    assert_eq!(without.stop_reason, byway_engine::StopReason::Work);
    assert!(!exits(&paths.ended).contains(&77));

    limited.seeds = seeds(&[b"open it?", &word]);
    let (with, paths) = explored(&text, "dfs", &limited);
    assert_eq!(paths.ended[1].outcome, Outcome::Exit(77));
    assert_eq!(bytes_of(&paths.ended[1]), word);
    assert_eq!(paths.ended[0].seed.as_deref(), Some("0"));
    assert_eq!(bytes_of(&paths.ended[0]), b"open it?");
    assert_eq!((with.totals.seeds.ended, with.totals.seeds.paths), (2, 2));
}

/// A byte decides by a table, a switch, a division and an assumption.
fn mixture() -> String {
    let table = "global user @table size 4 align 1 constant = {
  x\"0a141e28\"
}
";
    let main = with_byte(
        "  v2:i1 = icmp ne v1, 9:i8
  v3:i64 = zext v2
  call @__byway_assume(v3)
  switch v1 [5: b1, 6: b1, 7: b2, 200: b3] else b4
b1:
  v4:i8 = sub v1, 5:i8
  v5:i8 = udiv 100:i8, v4
  v6:i32 = zext v5
  ret v6
b2:
  ret 2:i32
b3:
  ret 3:i32
b4:
  v7:i64 = zext v1
  v8:ptr = ptradd @table, 0, v7 * 1
  v9:i8 = load v8, align 1
  v10:i1 = icmp eq v9, 30:i8
  br v10, b5, b6
b5:
  ret 1:i32
b6:
  ret 0:i32",
    );
    format!("{table}{main}")
}

#[test]
fn paths_are_the_same_with_and_without_seeds() {
    let mut rng = Rng::new(3);
    for (text, size) in [(chain(4), 5), (mixture(), 1)] {
        let (_, expected) = explored(&text, "dfs", &config(Feasibility::Eager));
        for count in [1, 2, 40] {
            let random =
                |_| (0..size).map(|_| rng.below(256) as u8 >> rng.below(8)).collect::<Vec<u8>>();
            let given: Vec<Vec<u8>> = (0..count).map(random).collect();
            let given: Vec<&[u8]> = given.iter().map(Vec::as_slice).collect();
            for search in SEARCHERS {
                for feasibility in [Feasibility::Eager, Feasibility::Lazy] {
                    let (done, found) = explored(&text, search, &seeded(feasibility, &given));
                    assert_eq!(digests(&found), digests(&expected), "{search} {feasibility:?}");
                    assert_eq!(found.ended.len(), expected.ended.len(), "{search}");
                    let totals = &done.totals.seeds;
                    assert_eq!((totals.taken, totals.resized), (count, 0));
                    assert_eq!(totals.ended + left(totals), count);
                    // Seeds end first, in their order.
                    let labels = found.ended.iter().map(|path| path.seed.as_deref());
                    let followed: Vec<usize> =
                        labels.map_while(|label| label?.parse().ok()).collect();
                    assert!(followed.is_sorted(), "{followed:?}");
                    assert_eq!(followed.len() as u64, totals.paths);
                }
            }
        }
    }
}

#[test]
fn every_test_is_a_seed_of_its_own_path() {
    let given: [&[u8]; 5] = [&[0], &[7], &[6, 1, 1, 3, 2], &[200, 4, 5, 6, 7], &[2, 2, 1, 0, 9]];
    for text in [chain(4), mixture()] {
        for feasibility in [Feasibility::Eager, Feasibility::Lazy] {
            let (_, found) = explored(&text, "random-path", &seeded(feasibility, &given));
            let tests: Vec<&[u8]> = found.ended.iter().map(bytes_of).collect();
            let (done, again) = explored(&text, "bfs", &seeded(feasibility, &tests));
            assert_eq!(done.totals.seeds.paths, tests.len() as u64);
            for (place, path) in again.ended.iter().enumerate() {
                assert_eq!(path.seed, Some(place.to_string()));
                assert_eq!(path.digest, found.ended[place].digest, "seed {place}");
            }
        }
    }
}

#[test]
fn seeds_need_no_solver() {
    let given: [&[u8]; 4] =
        [&[9, 8, 7, 6, 5], &[1, 2, 3, 4, 5], &[1, 2, 1, 2, 1], &[1, 2, 3, 3, 3]];
    for feasibility in [Feasibility::Eager, Feasibility::Lazy] {
        let mut hopeless = seeded(feasibility, &given);
        hopeless.limits.solver_effort = Some(0);
        let (done, paths) = explored(&chain(4), "bfs", &hopeless);
        assert_eq!((done.totals.seeds.ended, done.totals.seeds.paths), (4, 4));
        let tests: Vec<&[u8]> = paths.ended.iter().take(4).map(bytes_of).collect();
        assert_eq!(tests, given);
    }
}

#[test]
fn seeds_on_one_path_are_one_path() {
    let given: [&[u8]; 3] = [&[1, 2, 3], &[10, 20, 30], &[1, 2, 3]];
    let (done, paths) = explored(&chain(2), "dfs", &seeded(Feasibility::Eager, &given));
    let totals = &done.totals.seeds;
    assert_eq!((totals.taken, totals.ended, totals.paths), (3, 3, 1));
    assert_eq!(paths.ended.len(), 4);
}

#[test]
fn a_seed_that_breaks_an_assumption_is_abandoned() {
    let text = mixture();
    let (done, paths) = explored(&text, "dfs", &seeded(Feasibility::Eager, &[&[9], &[7]]));
    let totals = &done.totals.seeds;
    assert_eq!((totals.ended, left(totals)), (1, 1));
    assert_eq!(paths.messages, ["seed '0' is abandoned: it breaks an assumption of the program"]);
    // The other took its place as the witness.
    assert_eq!((&paths.ended[0].outcome, bytes_of(&paths.ended[0])), (&Outcome::Exit(2), &[7][..]));
    let (done, found) = explored(&text, "dfs", &seeded(Feasibility::Eager, &[&[9]]));
    assert_eq!((done.totals.seeds.ended, left(&done.totals.seeds)), (0, 1));
    assert_eq!(found.ended.len(), paths.ended.len());
}

#[test]
fn a_concretised_value_abandons_the_other_seeds() {
    let text = "func user @malloc(v0:i64) -> ptr\n".to_string()
        + &with_byte(
            "  v2:i64 = zext v1
  v3:i64 = mul v2, 100000:i64
  v4:ptr = call @malloc(v3)
  v5:i1 = icmp ult v1, 100:i8
  br v5, b1, b2
b1:
  ret 1:i32
b2:
  ret 2:i32",
        );
    let given: [&[u8]; 3] = [&[50], &[200], &[50]];
    let (done, paths) = explored(&text, "dfs", &seeded(Feasibility::Eager, &given));
    assert!(!done.totals.losses.concretised.is_empty(), "{:?}", done.totals.losses);
    let totals = &done.totals.seeds;
    assert_eq!((totals.ended, left(totals)), (2, 1), "{totals:?}");
    assert_eq!(bytes_of(&paths.ended[0]), [50]);
}

#[test]
fn sizes_are_made_to_fit_and_counted() {
    let given: [&[u8]; 3] = [&[1, 2], &[1, 2, 0], &[1, 2, 3, 4]];
    let (done, _) = explored(&chain(2), "dfs", &seeded(Feasibility::Eager, &given));
    assert_eq!((done.totals.seeds.ended, done.totals.seeds.resized), (3, 2));

    let mut nameless = config(Feasibility::Eager);
    let first = Some(Arc::from(&[3, 4, 5][..]));
    nameless.seeds = vec![Arc::new(Seed { first, ..Seed::default() })];
    let (done, paths) = explored(&chain(2), "dfs", &nameless);
    assert_eq!((done.totals.seeds.ended, done.totals.seeds.resized), (1, 0));
    assert_eq!(bytes_of(&paths.ended[0]), [3, 4, 5]);
}

#[test]
fn every_seed_is_accounted_for_under_any_limit() {
    let given: Vec<Vec<u8>> = (0u32..64)
        .map(|n| (0..7).map(|bit| if n >> bit & 1 == 1 { bit + 1 } else { 9 }).collect())
        .collect();
    let given: Vec<&[u8]> = given.iter().map(Vec::as_slice).collect();
    let limits: [fn(&mut ExploreConfig); 5] = [
        |config| config.limits.states = Some(4),
        |config| config.limits.depth = Some(3),
        |config| config.limits.memory = Some(20_000),
        |config| config.limits.work = Some(Work(700)),
        |config| config.engine.max_instructions = Some(30),
    ];
    for limit in limits {
        let mut limited = seeded(Feasibility::Eager, &given);
        limit(&mut limited);
        let (done, first) = explored(&chain(6), "random-path", &limited);
        let totals = &done.totals.seeds;
        assert_eq!(totals.ended + left(totals), 64, "{totals:?}");
        assert!(left(totals) > 0, "{totals:?}");
        let (_, second) = explored(&chain(6), "random-path", &limited);
        assert_eq!(first.ended, second.ended);
    }
}

#[test]
fn collecting_terms_changes_nothing_for_seeds() {
    let given: [&[u8]; 3] = [&[9, 8, 7, 6, 5, 4], &[1, 2, 3, 4, 5, 6], &[1, 2, 1, 2, 1, 2]];
    let expected = explored(&chain(5), "random-state", &seeded(Feasibility::Lazy, &given)).1;
    let often = ExploreConfig { collect_at: 1, ..seeded(Feasibility::Lazy, &given) };
    assert_eq!(explored(&chain(5), "random-state", &often).1.ended, expected.ended);
}

#[test]
fn pinned_seeds_take_their_paths_without_forks() {
    let text = with_byte(
        "  v2:i1 = icmp ult v1, 10:i8
  br v2, b1, b2
b1:
  ret 1:i32
b2:
  ret 2:i32",
    );
    let mut pinned = seeded(Feasibility::Eager, &[&[3], &[200], &[4]]);
    pinned.engine.pin_seeds = true;
    for search in ["dfs", "random-path", "klee-default"] {
        let (done, found) = explored(&text, search, &pinned);
        let ends: Vec<(u8, &Outcome)> =
            found.ended.iter().map(|path| (bytes_of(path)[0], &path.outcome)).collect();
        let (one, two) = (Outcome::Exit(1), Outcome::Exit(2));
        assert_eq!(ends, [(3, &one), (200, &two), (4, &one)], "{search}");
        assert_eq!((done.totals.forks, done.totals.seeds.ended), (0, 3), "{search}");
    }
}

#[test]
fn after_the_time_for_seeds_the_searcher_picks_them() {
    let mut limited = seeded(Feasibility::Eager, &[b"abcdefgh", b"hgfedcba"]);
    limited.limits.seed_time = Some(std::time::Duration::ZERO);
    let text = chain(7);
    let (done, found) = explored(&text, "bfs", &limited);
    assert_eq!((found.ended.len(), done.totals.seeds.ended), (128, 2));
    assert_eq!(
        found.messages,
        ["the time for seeds is over: 1 state with seeds left to the searcher"]
    );
}
