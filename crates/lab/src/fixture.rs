//! Results made by hand, for tests.

use std::collections::BTreeMap;

use crate::experiment::{self, Experiment, Variables};
use crate::result::{
    BywayBuild, CellResult, CoverageCredit, CoverageShare, FoundFault, MeasuredCoverage, Moment,
    RunFigures, RunSample, SCHEMA,
};

/// Two programs, three strategies, three seeds, ten seconds.
pub const EXPERIMENT: &str = r#"name = "by <hand>"
seeds = 3
baseline = "dfs"
[budget]
cpu = "10s"
[[program]]
name = ["one", "two"]
files = "${name}.c"
[[strategy]]
search = "dfs"
[[strategy]]
search = "bfs"
[[strategy]]
name = "a|b & c"
search = "random-path"
"#;

/// That experiment.
pub fn experiment() -> Experiment {
    experiment::read("hand.toml", EXPERIMENT, &mut Variables::default()).expect("a good experiment")
}

/// So many of a hundred lines at the given percentages, by program, strategy and seed.
pub const LINES: [[[u64; 3]; 3]; 2] =
    [[[50, 60, 55], [70, 72, 71], [95, 95, 91]], [[80, 80, 80], [65, 66, 67], [80, 85, 84]]];

/// A result with so many of a hundred lines covered, half of them after a second and the rest
/// after six; `faults` are at these lines.
pub fn outcome(covered: u64, faults: &[u64]) -> CellResult {
    let at = |seconds: f64| Moment { wall: seconds * 1e3, cpu: seconds * 1e3, work: seconds * 1e6 };
    let credit = |seconds, lines| CoverageCredit { at: at(seconds), lines, sides: lines / 2 };
    let sample = |seconds, states| RunSample { at: at(seconds), states };
    CellResult {
        schema: SCHEMA,
        build: BywayBuild { byway: "0.0.0".into(), build: "a build".into() },
        command: vec!["run".into()],
        run: RunFigures {
            ended: "max-cpu".into(),
            complete: false,
            tests: 7,
            paths: BTreeMap::from([("exit".to_string(), 40)]),
            work: 10_000_000,
            instructions: 9_000_000,
            forks: 100,
            queries: 1_000,
            max_states: 64,
            max_memory: 1 << 20,
            elapsed_ms: 10_000,
            cpu_ms: 10_000,
        },
        faults: faults
            .iter()
            .map(|line| FoundFault { kind: "trap".into(), at: format!("/x/src/a.c:{line}:1") })
            .collect(),
        samples: vec![sample(0.5, 2), sample(5.0, 40), sample(10.0, 64)],
        coverage: MeasuredCoverage {
            how: "gcc".into(),
            tests: 7,
            left_out: 0,
            lost: 0,
            lines: CoverageShare { covered, total: 100 },
            sides: CoverageShare { covered: covered / 2, total: 60 },
            credit: vec![credit(1.0, covered / 2), credit(6.0, covered - covered / 2)],
        },
    }
}
