//! What grows, each in a program that does little else, and how fast the cost may.

use super::programs;

/// Something of which a program or a run can have more.
pub struct Dimension {
    pub name: &'static str,
    /// What there is as many of as the size says.
    pub counted: &'static str,
    pub source: Source,
    /// Options of `byway run`.
    pub options: &'static [&'static str],
    /// The paths of a size. A run must find them all.
    pub paths: fn(u64) -> u64,
    pub measured: MeasuredCommand,
    /// The largest size, a multiple of [`SMALLEST_SHARE`]; it takes one to five seconds.
    pub largest: u64,
    pub time: Bound,
    pub memory: Bound,
}

/// The largest size divided by the smallest but one. The smallest is 1, whose cost is fixed.
pub const SMALLEST_SHARE: u64 = 32;

/// Where the program of a size comes from.
pub enum Source {
    /// A file of bench/growth, with the size as the macro `N`.
    File(&'static str),
    Text(fn(u64) -> String),
}

/// The command whose cost counts.
#[derive(Copy, Clone, PartialEq, Eq)]
pub enum MeasuredCommand {
    Run,
    /// `byway stats` on the run's directory.
    Stats,
    /// `byway show` of the run's last test.
    Show,
    /// `byway export` of all tests.
    Export,
}

/// The largest exponent that is expected, and the reason if it is beyond n log n.
pub struct Bound {
    pub exponent: f64,
    pub reason: Option<&'static str>,
}

/// The slope of n log n at a few thousand, from where n grows eightfold, is 1.1.
const N_LOG_N: Bound = Bound { exponent: 1.1, reason: None };
const CONSTANT: Bound = Bound { exponent: 0.0, reason: None };

/// A state that waits at each of n branches, with a witness that differs from those of the others.
const WITNESS_COPIES: Bound = Bound {
    exponent: 2.0,
    reason: Some("n waiting states have a witness each, which is a copy of the object's n bytes"),
};

const DEPTH_FIRST: &[&str] = &["--search", "dfs", "--no-tests"];
const BREADTH_FIRST: &[&str] = &["--search", "bfs", "--no-tests"];
const WITH_TESTS: &[&str] = &["--search", "dfs"];
const LARGE_STACK: &[&str] = &["--search", "dfs", "--no-tests", "--max-stack", "1GiB"];

const fn one_path(
    name: &'static str,
    counted: &'static str,
    source: Source,
    largest: u64,
) -> Dimension {
    Dimension {
        name,
        counted,
        source,
        options: DEPTH_FIRST,
        paths: |_| 1,
        measured: MeasuredCommand::Run,
        largest,
        time: N_LOG_N,
        memory: N_LOG_N,
    }
}

/// A run of `forks.c`, which has as many paths as the size.
const fn forks(
    name: &'static str,
    options: &'static [&'static str],
    measured: MeasuredCommand,
    largest: u64,
) -> Dimension {
    let source = Source::File("forks");
    let one = one_path(name, "paths", source, largest);
    Dimension { options, paths: |size| size, measured, ..one }
}

pub const DIMENSIONS: [Dimension; 18] = [
    one_path("inputs", "symbolic objects", Source::File("inputs"), 1 << 18),
    one_path("live objects", "heap objects", Source::File("live_objects"), 1 << 21),
    forks("forks, depth first", DEPTH_FIRST, MeasuredCommand::Run, 1 << 17),
    forks("forks, breadth first", BREADTH_FIRST, MeasuredCommand::Run, 1 << 17),
    forks("forks, with tests", WITH_TESTS, MeasuredCommand::Run, 1 << 17),
    Dimension {
        options: LARGE_STACK,
        ..one_path("frames", "nested calls", Source::File("frames"), 1 << 19)
    },
    one_path("functions", "functions of 7 lines", Source::Text(programs::functions), 1 << 14),
    one_path("statements of a function", "statements", Source::Text(programs::statements), 1 << 16),
    one_path("branches of a function", "branches", Source::Text(programs::branches), 1 << 14),
    one_path("globals", "variables", Source::Text(programs::globals), 1 << 18),
    Dimension {
        time: Bound {
            exponent: 1.3,
            reason: Some(
                "a condition copies log n nodes of the path's maps, which leave the caches",
            ),
        },
        ..one_path("conditions assumed", "conditions", Source::File("assumptions"), 1 << 16)
    },
    Dimension {
        paths: |size| size + 1,
        time: WITNESS_COPIES,
        memory: WITNESS_COPIES,
        ..one_path(
            "conditions decided",
            "branches of the longest path",
            Source::File("branches_on_a_path"),
            1 << 15,
        )
    },
    one_path("symbolic bytes", "bytes of one object", Source::File("symbolic_bytes"), 1 << 19),
    one_path("concrete bytes", "bytes of one object", Source::File("concrete_bytes"), 1 << 23),
    Dimension {
        paths: |size| size + 1,
        ..one_path("switch", "cases", Source::Text(programs::switch_cases), 1 << 14)
    },
    Dimension {
        memory: CONSTANT,
        time: CONSTANT,
        ..forks("tests: byway stats", WITH_TESTS, MeasuredCommand::Stats, 1 << 17)
    },
    forks("tests: byway show", WITH_TESTS, MeasuredCommand::Show, 1 << 17),
    forks("tests: byway export", WITH_TESTS, MeasuredCommand::Export, 1 << 15),
];
