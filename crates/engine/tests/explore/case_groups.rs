//! How states that stand for a group of switch cases are reported to searchers.

use byway_base::Rng;
use byway_search::{Action, Delta, Protocol, Searcher, SearcherRequirements, View};

use super::*;

/// A searcher whose deltas and picks are checked against the protocol.
struct Watched {
    searcher: Box<dyn Searcher>,
    protocol: Protocol,
    /// Forks that split a group, and those of them with one successor.
    again: usize,
    alone: usize,
}

impl Searcher for Watched {
    fn update(&mut self, delta: &Delta, view: &dyn View) {
        self.protocol.update(delta).unwrap_or_else(|violation| panic!("{violation}"));
        self.protocol.check_view(view).unwrap_or_else(|violation| panic!("{violation}"));
        for fork in delta.forks.iter().filter(|fork| fork.splits_group) {
            self.again += 1;
            self.alone += usize::from(fork.successors.len() == 1);
        }
        self.searcher.update(delta, view);
    }

    fn pick(&mut self, view: &dyn View, rng: &mut Rng) -> Action {
        self.searcher.pick(view, rng)
    }

    fn requirements(&self) -> SearcherRequirements {
        self.searcher.requirements()
    }
}

/// Switches twice on a sum of two squares, modulo 8. Three of the cases are infeasible, which
/// only a solver can prove.
fn two_switches() -> String {
    "func user @main() -> i32 {
b0:
  v0:ptr = alloca 1 x 4:i64, align 1
  call @__byway_symbolic(v0, 4:i64, @name)
  jump b1(0:i64, 0:i32)
b1(v1:i64, v2:i32):
  v3:ptr = ptradd v0, 0, v1 * 2
  v4:i8 = load v3, align 1
  v5:ptr = ptradd v3, 1
  v6:i8 = load v5, align 1
  v7:i64 = add v1, 1:i64
  v8:i8 = mul v4, v4
  v9:i8 = mul v6, v6
  v10:i8 = add v8, v9
  v11:i8 = and v10, 7:i8
  switch v11 [0: b2, 1: b3, 2: b4, 3: b5, 4: b6, 5: b7, 6: b8] else b9
b2:
  jump b10(1:i32)
b3:
  jump b10(2:i32)
b4:
  jump b10(3:i32)
b5:
  jump b10(4:i32)
b6:
  jump b10(5:i32)
b7:
  jump b10(6:i32)
b8:
  jump b10(7:i32)
b9:
  jump b10(8:i32)
b10(v12:i32):
  v13:i32 = mul v2, 16:i32
  v14:i32 = add v13, v12
  v15:i1 = icmp eq v7, 2:i64
  br v15, b11, b1(v7, v14)
b11:
  ret v14
}
"
    .into()
}

#[test]
fn a_group_splits_at_the_site_that_created_it() {
    // Sums of two squares, modulo 8: 0, 1, 2, 4 and 5, twice.
    let ways = [1, 2, 3, 5, 6];
    let all: BTreeSet<i32> =
        ways.iter().flat_map(|first| ways.map(|second| 16 * first + second)).collect();
    let (mut again, mut alone) = (0, 0);
    for search in ["dfs", "random-path", "sgs:2", "cgs:2", "generational"] {
        for feasibility in [Feasibility::Eager, Feasibility::Lazy] {
            let searcher = byway_search::build(&[search]).expect("a searcher");
            let mut watched =
                Watched { searcher, protocol: Protocol::default(), again: 0, alone: 0 };
            let mut paths = Paths::default();
            // Without coverage no case leads to an uncovered site.
            let mut config = config(feasibility);
            config.engine.coverage = false;
            searched(&two_switches(), &mut watched, &config, &mut paths);
            assert_eq!(exits(&paths.ended), all, "{search}");
            assert_eq!(paths.ended.len(), 25, "{search}");
            assert!(paths.ended.iter().all(|path| path.depth == 2), "{search}");
            again += watched.again;
            alone += watched.alone;
        }
    }
    assert!(again > alone && alone > 0, "not much of a test: {again}, {alone}");
}
