//! The options of `klee`: their names, their values, and what becomes of each.

use KleeMeaning::{Applied, Inside, Missing};
use KleeValue::{Flag, Optional, Text};

/// An option of KLEE's command line.
#[derive(Debug)]
pub struct KnownOption {
    pub name: &'static str,
    pub value: KleeValue,
    pub meaning: KleeMeaning,
}

/// What follows the name of an option.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum KleeValue {
    /// Nothing, or `=true`, `=false`, `=1`, `=0`.
    Flag,
    /// `=VALUE`, or the next word.
    Text,
    /// `=VALUE`, or nothing, which is `true`: a flag that became a choice in later versions.
    Optional,
}

/// What Byway does with an option.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum KleeMeaning {
    /// What KLEE does. The text is for `--help`.
    Applied(&'static str),
    /// Nothing, because it is about the inside of KLEE: the text says what Byway has instead.
    Inside(&'static str),
    /// Nothing yet, though the result would differ: the text says how. The user is warned.
    Missing(&'static str),
}

/// The option with this name.
pub fn find(name: &str) -> Option<&'static KnownOption> {
    SECTIONS.iter().flat_map(|section| section.options).find(|option| option.name == name)
}

/// All names.
pub fn names() -> impl Iterator<Item = &'static str> {
    SECTIONS.iter().flat_map(|section| section.options).map(|option| option.name)
}

/// Options under a heading of `--help`.
pub struct KleeSection {
    pub title: &'static str,
    pub options: &'static [KnownOption],
}

const fn option(name: &'static str, value: KleeValue, meaning: KleeMeaning) -> KnownOption {
    KnownOption { name, value, meaning }
}

const SOLVER: &str = "Byway has a solver stack of its own";
const CACHES: &str = "Byway's solver stack has caches of its own";
const ADDRESSES: &str = "addresses name their objects and are the same in every run";
const MERGING: &str = "states are not merged";
const ONE_PATH: &str = "Byway asks the solver only where paths differ";
const LIBRARY: &str = "musl, the model of the system and the intrinsics are always linked";
const MODULE: &str = "Byway lowers the program in its own way";
const SAME_VALUE: &str =
    "KLEE asserts that such a value is what it was, so no path changes, only queries";
const STATISTICS: &str = "statistics are written by time";

pub const SECTIONS: [KleeSection; 11] = [
    KleeSection {
        title: "Starting",
        options: &[
            option("entry-point", Text, Applied("start in this function instead of main")),
            option("env-file", Text, Applied("the environment: a file of NAME=VALUE lines")),
            option("environ", Text, Applied("the same as --env-file")),
            option("run-in-dir", Text, Applied("explore from this directory")),
            option("run-in", Text, Applied("the same as --run-in-dir")),
            option("output-dir", Text, Applied("write the results there (default: klee-out-N)")),
            option("optimize", Flag, Applied("optimise the program before it is explored")),
            option("link-llvm-lib", Text, Applied("link this bitcode or archive; may be repeated")),
            option(
                "function-alias",
                Text,
                Applied("NAME:OTHER calls OTHER wherever NAME is called"),
            ),
            option("libc", Text, Inside(LIBRARY)),
            option("libcxx", Flag, Missing("the C++ library is not linked")),
            option("posix-runtime", Flag, Inside(LIBRARY)),
            option("readable-posix-inputs", Flag, Inside("tests prefer printable characters")),
            option("ubsan-runtime", Flag, Inside("handlers of the sanitizer are built in")),
            option("runtime-build", Text, Inside(LIBRARY)),
            option(
                "warn-all-external-symbols",
                Flag,
                Inside("nothing is external: libc is linked"),
            ),
            option("warn-all-externals", Flag, Inside("nothing is external: libc is linked")),
            option("make-concrete-symbolic", Text, Inside(SAME_VALUE)),
        ],
    },
    KleeSection {
        title: "Termination",
        options: &[
            option("max-time", Text, Applied("stop after this time: 60s, 1h30min (0s: off)")),
            option("max-instructions", Text, Applied("stop after this many instructions (0: off)")),
            option("max-forks", Text, Applied("fork this many times; then drop the other cases")),
            option("max-depth", Text, Applied("forks on a path (0: off)")),
            option("max-memory", Text, Applied("memory in MB (default: 2000; 0: off)")),
            option(
                "max-memory-inhibit",
                Flag,
                Inside("states are dropped only when nothing helps"),
            ),
            option("max-solver-time", Text, Applied("time of one query (0s: off)")),
            option("max-stack-frames", Text, Applied("nested calls; one more is a fault (0: off)")),
            option("max-tests", Text, Applied("stop after this many tests (0: off)")),
            option("stop-after-n-tests", Text, Applied("the same as --max-tests")),
            option("exit-on-error", Flag, Applied("stop at the first error")),
            option("exit-on-error-type", Text, Applied("stop at the first error of this type")),
            option(
                "dump-states-on-halt",
                Optional,
                Applied("tests of unfinished states: all or none"),
            ),
            option("silent-klee-assume", Flag, Inside("violated assumptions are never an error")),
            option(
                "ignore-solver-failures",
                Flag,
                Inside("what the solver gives up on is counted"),
            ),
            option("timer-interval", Text, Inside("clocks are read often enough")),
            option("watchdog", Flag, Inside("limits on time hold without another process")),
            option(
                "max-static-fork-pct",
                Text,
                Applied("share of all forks at one instruction, 0 to 1 (1)"),
            ),
            option(
                "max-static-solve-pct",
                Text,
                Applied("share of solver effort at one instruction (1)"),
            ),
            option(
                "max-static-cpfork-pct",
                Text,
                Applied("share of all forks in one call path (1)"),
            ),
            option(
                "max-static-cpsolve-pct",
                Text,
                Applied("share of solver effort in one call path (1)"),
            ),
            option("max-static-pct-check-delay", Text, Applied("these hold after N forks (1000)")),
        ],
    },
    KleeSection {
        title: "Search",
        options: &[
            option("search", Text, Applied("the searcher; several take turns")),
            option("use-batching-search", Flag, Applied("keep to a state for a while")),
            option("batch-instructions", Text, Applied("how long, in instructions (10000)")),
            option("batch-time", Text, Inside("a batch ends by instructions")),
            option(
                "use-iterative-deepening-search",
                Text,
                Applied("max-time or max-cycles: long paths wait, bounded by their work"),
            ),
            option("use-iterative-deepening-time-search", Flag, Applied("the same with max-time")),
            option("rng-initial-seed", Text, Applied("the seed of all random choices")),
            option("randomize-fork", Flag, Inside("the order of cases does not matter")),
            option("use-merge", Flag, Missing(MERGING)),
            option("use-incomplete-merge", Flag, Missing(MERGING)),
            option("debug-log-merge", Flag, Inside(MERGING)),
            option("debug-log-incomplete-merge", Flag, Inside(MERGING)),
            option("debug-log-state-merge", Flag, Inside(MERGING)),
            option("write-exec-tree", Flag, Missing("no tree is written")),
            option("write-ptree", Flag, Missing("no tree is written")),
            option("exec-tree-batch-size", Text, Inside("no tree is written")),
        ],
    },
    KleeSection {
        title: "Tests",
        options: &[
            option("write-no-tests", Flag, Applied("write no tests")),
            option("no-output", Flag, Applied("the same as --write-no-tests")),
            option(
                "emit-all-errors",
                Flag,
                Applied("a test for each path with a known error, too"),
            ),
            option(
                "only-output-states-covering-new",
                Flag,
                Applied("write a test only if it covers new code"),
            ),
            option("write-cov", Flag, Applied("write testN.cov: the lines it is first to cover")),
            option("write-test-info", Flag, Applied("write testN.info")),
            option("write-xml-tests", Flag, Applied("write testN.xml, in the format of Test-Comp")),
            option("xml-metadata-programfile", Text, Applied("the file that metadata.xml names")),
            option("xml-metadata-programhash", Text, Applied("its SHA-256 there")),
            option(
                "write-paths",
                Flag,
                Applied("write testN.path: the branches that the path took"),
            ),
            option("write-sym-paths", Flag, Applied("write testN.sym.path: those where it forked")),
            option("write-kqueries", Flag, Applied("write testN.kquery: the path condition")),
            option("write-pcs", Flag, Applied("the same as --write-kqueries")),
            option("write-smt2s", Flag, Applied("write testN.smt2: the path condition")),
            option("write-cvcs", Flag, Missing("no testN.cvc is written")),
        ],
    },
    KleeSection {
        title: "Seeds and replay",
        options: &[
            option("seed-dir", Text, Applied("start from the tests in this directory")),
            option("seed-out-dir", Text, Applied("the same as --seed-dir")),
            option("seed-file", Text, Applied("start from this test")),
            option("seed-out", Text, Applied("the same as --seed-file")),
            option("named-seed-matching", Flag, Applied("match seeds to objects by their names")),
            option("only-seed", Flag, Applied("stop when the seeds are followed")),
            option("only-replay-seeds", Flag, Applied("drop states without a seed")),
            option("allow-seed-extension", Flag, Inside("seeds are padded, and that is counted")),
            option("allow-seed-truncation", Flag, Inside("seeds are cut, and that is counted")),
            option("zero-seed-extension", Flag, Inside("what a seed lacks is zero")),
            option("always-output-seeds", Flag, Inside("every path has its test")),
            option(
                "zest",
                Flag,
                Applied("make a concrete command line symbolic, and begin with it"),
            ),
            option(
                "seed-time",
                Text,
                Applied("follow seeds before all else for this time (0s: off)"),
            ),
            option("replay-ktest-file", Text, Applied("only run this test; may be repeated")),
            option("replay-ktest-dir", Text, Applied("only run the tests of this directory")),
            option("replay-out", Text, Applied("the same as --replay-ktest-file")),
            option("replay-out-dir", Text, Applied("the same as --replay-ktest-dir")),
            option("replay-path", Text, Applied("take the branches in this file (testN.path)")),
            option(
                "replay-keep-symbolic",
                Flag,
                Applied("assert the bytes of replayed inputs, which stay symbolic"),
            ),
        ],
    },
    KleeSection {
        title: "Checks",
        options: &[
            option("check-div-zero", Flag, Applied("report divisions by zero (always)")),
            option("check-overshift", Flag, Applied("report shifts beyond the width (default)")),
        ],
    },
    KleeSection {
        title: "External calls",
        options: &[
            option(
                "external-calls",
                Text,
                Applied("none, concrete (default) or all: pure functions only"),
            ),
            option("external-call-warnings", Text, Inside("each function is reported once")),
            option("suppress-external-warnings", Flag, Inside("each function is reported once")),
            option("all-external-warnings", Flag, Inside("each function is reported once")),
            option("allow-external-sym-calls", Flag, Applied("the same as --external-calls=all")),
        ],
    },
    KleeSection {
        title: "Solving",
        options: &[
            option("debug-validate-solver", Flag, Applied("compare answers with a plain solver")),
            option(
                "debug-crosscheck-core-solver",
                Text,
                Applied("compare answers with a plain solver"),
            ),
            option("use-query-log", Text, Applied("write queries as SMT-LIB into DIR/queries")),
            option("solver-backend", Text, Inside(SOLVER)),
            option("metasmt-backend", Text, Inside(SOLVER)),
            option("use-forked-solver", Flag, Inside(SOLVER)),
            option("use-assignment-validating-solver", Flag, Inside("every model is evaluated")),
            option("use-independent-solver", Flag, Inside(SOLVER)),
            option("use-cache", Flag, Inside(CACHES)),
            option("use-branch-cache", Flag, Inside(CACHES)),
            option("use-cex-cache", Flag, Inside(CACHES)),
            option("cex-cache-exp", Flag, Inside(CACHES)),
            option("cex-cache-superset", Flag, Inside(CACHES)),
            option("cex-cache-try-all", Flag, Inside(CACHES)),
            option("use-fast-cex-solver", Flag, Inside(SOLVER)),
            option("use-construct-hash-stp", Flag, Inside(SOLVER)),
            option("use-construct-hash-z3", Flag, Inside(SOLVER)),
            option("use-construct-hash-metasmt", Flag, Inside(SOLVER)),
            option("equality-substitution", Flag, Inside(SOLVER)),
            option("rewrite-equalities", Optional, Inside(SOLVER)),
            option("simplify-sym-indices", Flag, Inside(SOLVER)),
            option("optimize-array", Text, Inside(SOLVER)),
            option("array-value-ratio", Text, Inside(SOLVER)),
            option("array-value-symb-ratio", Text, Inside(SOLVER)),
            option("const-array-opt", Flag, Inside(SOLVER)),
            option("use-constant-arrays", Flag, Inside(SOLVER)),
            option("use-visitor-hash", Flag, Inside(SOLVER)),
            option("max-sym-array-size", Text, Inside("large symbolic indices fork by block")),
            option("min-query-time-to-log", Text, Inside("all queries are logged")),
            option("log-partial-queries-early", Flag, Inside("queries are logged before solving")),
            option("log-timed-out-queries", Flag, Inside("all queries are logged")),
            option("compress-query-log", Flag, Inside("queries are plain text")),
            option("smtlib-abbreviation-mode", Text, Inside("queries share terms by name")),
            option("smtlib-display-constants", Text, Inside("constants are binary or hexadecimal")),
            option("smtlib-human-readable", Flag, Inside("queries are as they are solved")),
            option("debug-dump-stp-queries", Text, Inside(SOLVER)),
            option("debug-dump-z3-queries", Text, Inside(SOLVER)),
            option("debug-z3-log-api-interaction", Text, Inside(SOLVER)),
            option("debug-z3-validate-models", Flag, Inside("every model is evaluated")),
            option("debug-z3-verbosity", Text, Inside(SOLVER)),
            option("debug-stp-queries-optimize-divides", Flag, Inside(SOLVER)),
            option("debug-cexcache-check-binding", Flag, Inside("every model is evaluated")),
            option("debug-check-for-implied-values", Flag, Inside(ONE_PATH)),
            option("pc-all-widths", Flag, Inside("no KQuery is written")),
            option("pc-all-const-widths", Flag, Inside("no KQuery is written")),
            option("pc-multibyte-reads", Flag, Inside("no KQuery is written")),
            option("pc-prefix-width", Flag, Inside("no KQuery is written")),
            option("pc-width-as-arg", Flag, Inside("no KQuery is written")),
            option("use-pp-kquery", Flag, Inside("no KQuery is written")),
        ],
    },
    KleeSection {
        title: "Memory",
        options: &[
            option("allocate-determ", Flag, Inside(ADDRESSES)),
            option("allocate-determ-size", Text, Inside(ADDRESSES)),
            option("allocate-determ-start-address", Text, Inside(ADDRESSES)),
            option("kdalloc", Flag, Inside(ADDRESSES)),
            option("kdalloc-constants-size", Text, Inside(ADDRESSES)),
            option("kdalloc-constants-start-address", Text, Inside(ADDRESSES)),
            option("kdalloc-globals-size", Text, Inside(ADDRESSES)),
            option("kdalloc-globals-start-address", Text, Inside(ADDRESSES)),
            option("kdalloc-heap-size", Text, Inside(ADDRESSES)),
            option("kdalloc-heap-start-address", Text, Inside(ADDRESSES)),
            option("kdalloc-stack-size", Text, Inside(ADDRESSES)),
            option("kdalloc-stack-start-address", Text, Inside(ADDRESSES)),
            option("kdalloc-mark-as-unneeded", Flag, Inside(ADDRESSES)),
            option("kdalloc-quarantine", Text, Inside("freed addresses are in a quarantine")),
            option("redzone-size", Text, Inside("addresses name their objects")),
            option("null-on-zero-malloc", Flag, Inside("malloc(0) returns an address, as musl's")),
            option("return-null-on-zero-malloc", Flag, Inside("malloc(0) returns an address")),
        ],
    },
    KleeSection {
        title: "Module",
        options: &[
            option("output-source", Flag, Applied("write assembly.ll (default)")),
            option("output-module", Flag, Applied("write final.bc")),
            option("switch-type", Text, Inside("a switch has one case for each target")),
            option("klee-call-optimisation", Flag, Inside(MODULE)),
            option("disable-opt", Flag, Inside(MODULE)),
            option("disable-inlining", Flag, Inside(MODULE)),
            option("disable-internalize", Flag, Inside(MODULE)),
            option("disable-verify", Flag, Inside("the program is always verified")),
            option("verify-each", Flag, Inside("the program is always verified")),
            option("strip-all", Flag, Inside(MODULE)),
            option("strip-debug", Flag, Inside(MODULE)),
            option("debug-print-escaping-functions", Flag, Inside(MODULE)),
            option("color", Text, Inside("messages have no colour")),
        ],
    },
    KleeSection {
        title: "Statistics and messages",
        options: &[
            option("output-stats", Flag, Applied("write run.stats (default)")),
            option("stats-write-interval", Text, Applied("time between its rows (1s)")),
            option("stats-write-after-instructions", Text, Inside(STATISTICS)),
            option("stats-commit-after", Text, Inside("every row is written at once")),
            option("output-istats", Flag, Applied("write run.istats (default)")),
            option(
                "istats-write-interval",
                Text,
                Applied("time between its versions (10s; 0s: end)"),
            ),
            option("istats-write-after-instructions", Text, Inside("it is written at the end")),
            option("track-instruction-time", Flag, Inside("time is not attributed to lines")),
            option("use-call-paths", Flag, Inside("run.istats is by line")),
            option("uncovered-update-interval", Text, Inside("distances are always up to date")),
            option(
                "uncovered-update-after-instructions",
                Text,
                Inside("distances are always up to date"),
            ),
            option("warnings-only-to-file", Flag, Applied("warnings go to warnings.txt alone")),
            option("debug-print-instructions", Text, Missing("instructions are not printed")),
            option("debug-compress-instructions", Flag, Inside("instructions are not printed")),
        ],
    },
];

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn names_are_distinct_and_found() {
        let all: Vec<&str> = names().collect();
        assert_eq!(all.iter().collect::<BTreeSet<_>>().len(), all.len());
        assert!(all.iter().all(|name| find(name).is_some_and(|option| option.name == *name)));
        assert!(find("max-tme").is_none());
    }
}
