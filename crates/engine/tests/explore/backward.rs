//! The backward search: partial paths are found in functions and followed by their callers.

use byway_base::Work;
use byway_base::entity::EntityRef;
use byway_engine::{Exploration, ExploreConfig, Feasibility, Limits, PathEnd, StopReason, Target};
use byway_ir::analysis::ProgramPoint;
use byway_ir::{BlockId, FuncId};

use super::{config, explored};

/// `@examine` has 64 paths through a loop, of which one leads on to its block 8, if the first
/// argument is 2; the others never end. `@main` calls it with 0, 1, 2 and so on, through
/// `@dispatch`.
const EXAMINE: &str = r#"
func user @examine(v0:i32, v1:i32) {
b0:
  jump b1(0:i32, v1, 0:i32)
b1(v2:i32, v3:i32, v4:i32):
  v5:i32 = and v3, 1:i32
  v6:i1 = icmp ne v5, 0:i32
  br v6, b2, b3
b2:
  v7:i32 = add v4, 2:i32
  jump b4(v7)
b3:
  jump b4(v4)
b4(v8:i32):
  v9:i32 = lshr v3, 1:i32
  v10:i32 = add v2, 1:i32
  v11:i1 = icmp eq v10, 6:i32
  br v11, b5, b1(v10, v9, v8)
b5:
  jump b6
b6:
  v12:i1 = icmp eq v8, 0:i32
  br v12, b7, b6
b7:
  v13:i1 = icmp eq v0, 2:i32
  br v13, b8, b6
b8:
  ret
}

func user @dispatch(v0:i32, v1:i32) {
b0:
  jump b1(0:i32)
b1(v2:i32):
  v3:i1 = icmp eq v0, v2
  br v3, b2, b3
b2:
  call @examine(v0, v1)
  jump b3
b3:
  v4:i32 = add v2, 1:i32
  v5:i1 = icmp eq v4, 100:i32
  br v5, b4, b1(v4)
b4:
  ret
}

func user @main() -> i32 {
b0:
  v0:ptr = alloca 8 x 1:i64, align 4
  call @__byway_symbolic(v0, 8:i64, @name)
  v1:i32 = load v0, align 4
  v2:ptr = ptradd v0, 4
  v3:i32 = load v2, align 4
  call @dispatch(v1, v3)
  ret 0:i32
}
"#;

/// The functions declared before the program.
const DECLARED: usize = 3;

fn search(search: &str, work: u64) -> (Exploration, Vec<PathEnd>) {
    let (func, block) = (FuncId::new(DECLARED), BlockId::new(8));
    let points = vec![ProgramPoint { func, block, inst: 0 }];
    let limits = Limits { work: Some(Work(work)), ..Limits::default() };
    let config =
        ExploreConfig { targets: vec![Target::at(points)], limits, ..config(Feasibility::Eager) };
    let (done, paths) = explored(EXAMINE, search, &config);
    (done, paths.ended)
}

#[test]
fn callers_follow_the_partial_paths_of_a_function() {
    for searcher in ["ccbse", "ccbse(random-state)", "mix-ccbse(bfs)"] {
        let (done, paths) = search(searcher, 3_000_000);
        assert_eq!(done.stop_reason, StopReason::Targets, "{searcher}");
        let reached = paths.iter().find(|path| path.targets == [0]).expect("its test");
        let bytes = &reached.test.as_ref().expect("a test").inputs[0].bytes;
        assert_eq!(bytes[..4], [2, 0, 0, 0], "{searcher}");
        assert_eq!(bytes[4] & 0x3f, 0, "{searcher}");
        let totals = done.totals.backward;
        assert!(totals.kept > 0 && totals.followed > 0, "{searcher}: {totals:?}");
        assert!(totals.work < done.totals.work, "{searcher}: {totals:?}");
    }
}

#[test]
fn a_forward_search_starves_where_the_backward_search_does_not() {
    let (forward, _) = search("sdse", 3_000_000);
    assert_eq!(forward.stop_reason, StopReason::Work);
}

#[test]
fn a_backward_search_is_the_same_each_time() {
    let runs = [(); 2].map(|()| search("mix-ccbse", 3_000_000));
    assert_eq!(runs[0].0.totals, runs[1].0.totals);
    assert_eq!(runs[0].1, runs[1].1);
}
