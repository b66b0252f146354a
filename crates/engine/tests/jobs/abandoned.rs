//! A reduction that skips too little is given up: then all paths are explored, each once.

use std::collections::BTreeSet;

use byway_engine::{ExploreConfig, Feasibility, PathEnd, Reduction};

use super::{config, explored};

const BYTES: usize = 8;

/// Counts the bytes of the input above 9. The result depends on all of the comparisons.
fn count() -> String {
    let mut text = format!(
        "global user @count size 1 align 1 = {{
  x\"00\"
}}
func user @main() -> i32 {{
b0:
  v0:ptr = alloca 1 x {BYTES}:i64, align 1
  call @__byway_symbolic(v0, {BYTES}:i64, @name)
  jump b1
"
    );
    for part in 0..BYTES {
        let [address, byte, bit, old, new] = [1, 2, 3, 4, 5].map(|it| 5 * part + it);
        let [block, side, next] = [1, 2, 3].map(|it| 2 * part + it);
        text += &format!(
            "b{block}:
  v{address}:ptr = ptradd v0, {part}
  v{byte}:i8 = load v{address}, align 1
  v{bit}:i1 = icmp ugt v{byte}, 9:i8
  br v{bit}, b{side}, b{next}
b{side}:
  v{old}:i8 = load @count, align 1
  v{new}:i8 = add v{old}, 1:i8
  store @count, v{new}, align 1
  jump b{next}
"
        );
    }
    let (last, result, wide) = (2 * BYTES + 1, 5 * BYTES + 1, 5 * BYTES + 2);
    text += &format!(
        "b{last}:
  v{result}:i8 = load @count, align 1
  v{wide}:i32 = zext v{result}
  ret v{wide}
}}
"
    );
    text
}

fn with(reduction: Reduction) -> ExploreConfig {
    ExploreConfig { reduction: Some(reduction), ..config(Feasibility::Eager) }
}

fn digests(paths: &[PathEnd]) -> BTreeSet<u64> {
    paths.iter().map(|path| path.digest).collect()
}

#[test]
fn every_path_is_explored_once() {
    let text = count();
    let (_, all) = explored(&text, "bfs", &with(Reduction::DgseAlways), 1, usize::MAX);
    assert_eq!(all.len(), 1 << BYTES);
    for (jobs, search) in [(1, "bfs"), (1, "dfs"), (2, "bfs"), (4, "dfs"), (4, "random-path")] {
        let what = format!("{jobs} {search}");
        let config = with(Reduction::Dgse);
        let (done, paths) = explored(&text, search, &config, jobs, usize::MAX);
        assert!(done.totals.reduction.is_abandoned, "{what}");
        assert_eq!(paths.len(), all.len(), "{what}");
        assert_eq!(digests(&paths), digests(&all), "{what}");
        assert_eq!(done.totals.losses, Default::default(), "{what}");
        assert!(done.jobs.iter().all(|job| job.diverged == 0), "{what}");
    }
}

#[test]
fn a_reduction_may_be_kept_all_the_same() {
    let config = with(Reduction::DgseAlways);
    let (done, paths) = explored(&count(), "bfs", &config, 1, usize::MAX);
    assert!(!done.totals.reduction.is_abandoned);
    assert_eq!(paths.len(), 1 << BYTES);
}
