//! Small programs in the IR's text form, explored to their end: how many paths, how
//! each ends, whatever the searcher and whenever forks are decided.

use std::collections::BTreeSet;

use byway_base::{FaultKind, Outcome};
use byway_engine::{
    Config, ExploreConfig, Explored, Feasibility, Flow, Invocation, Observer, PathEnd, Totals,
    explore,
};

#[derive(Default)]
struct Paths {
    ended: Vec<PathEnd>,
    messages: Vec<String>,
}

impl Observer for Paths {
    fn path(&mut self, path: &PathEnd, _totals: &Totals) -> Flow {
        self.ended.push(path.clone());
        Flow::Continue
    }

    fn tick(&mut self, _totals: &Totals) -> Flow {
        Flow::Continue
    }

    fn message(&mut self, text: &str) {
        self.messages.push(text.into());
    }
}

const DOORS: &str = "
func user @__byway_symbolic(v0:ptr, v1:i64, v2:ptr)
func user @__byway_assume(v0:i64)
global user @name size 2 align 1 constant = {
  x\"7800\"
}
";

fn explored(text: &str, search: &str, feasibility: Feasibility) -> (Explored, Paths) {
    let module = byway_ir::text::parse(&format!("bwir 1\nmodule \"test\"\n{DOORS}{text}"))
        .unwrap_or_else(|e| panic!("{e}\n{text}"));
    byway_ir::verify(&module).unwrap_or_else(|e| panic!("{e:?}"));
    let config = ExploreConfig {
        engine: Config { coverage: true, ..Config::default() },
        invocation: Invocation { args: vec![b"prog".to_vec()], env: Vec::new() },
        feasibility,
        seed: 7,
        ..ExploreConfig::default()
    };
    let options = byway_solver::Options {
        check: true,
        log: None,
        interrupt: None,
        report: std::rc::Rc::new(|trouble| panic!("{trouble}")),
    };
    let mut paths = Paths::default();
    let mut searcher = byway_search::build(&[search]).expect("a searcher");
    let done = explore(&module, &config, &mut *searcher, options, &mut paths).expect("it runs");
    (done, paths)
}

/// The paths of a program, which every searcher must find, eagerly and lazily.
fn paths(text: &str) -> Vec<PathEnd> {
    let digests =
        |paths: &Paths| -> BTreeSet<u64> { paths.ended.iter().map(|p| p.digest).collect() };
    let (_, first) = explored(text, "dfs", Feasibility::Eager);
    let expected = digests(&first);
    assert_eq!(expected.len(), first.ended.len(), "each path has its own digest");
    for search in ["dfs", "bfs", "random-state", "random-path"] {
        for feasibility in [Feasibility::Eager, Feasibility::Lazy] {
            let (_, other) = explored(text, search, feasibility);
            assert_eq!(digests(&other), expected, "{search} {feasibility:?}");
            assert_eq!(other.ended.len(), first.ended.len(), "{search} {feasibility:?}");
        }
    }
    first.ended
}

fn exits(paths: &[PathEnd]) -> BTreeSet<i32> {
    paths
        .iter()
        .filter_map(|p| match p.outcome {
            Outcome::Exit(code) => Some(code),
            _ => None,
        })
        .collect()
}

fn faults(paths: &[PathEnd]) -> Vec<FaultKind> {
    paths
        .iter()
        .filter_map(|p| match &p.outcome {
            Outcome::Fault(f) => Some(f.kind),
            _ => None,
        })
        .collect()
}

/// A main that reads one symbolic byte into `v1`.
fn with_byte(body: &str) -> String {
    format!(
        "func user @main() -> i32 {{
b0:
  v0:ptr = alloca 1 x 1:i32, align 1
  call @__byway_symbolic(v0, 1:i64, @name)
  v1:i8 = load v0, align 1
{body}
}}
"
    )
}

#[test]
fn a_branch_goes_both_ways() {
    let ended = paths(&with_byte(
        "  v2:i1 = icmp ult v1, 10:i8
  br v2, b1, b2
b1:
  ret 1:i32
b2:
  ret 2:i32",
    ));
    assert_eq!(exits(&ended), BTreeSet::from([1, 2]));
    for path in &ended {
        let byte = path.test.as_ref().expect("a test").inputs[0].bytes[0];
        assert_eq!(path.outcome, Outcome::Exit(if byte < 10 { 1 } else { 2 }));
    }
}
