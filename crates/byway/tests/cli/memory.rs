//! `--max-memory`: the process keeps to it, and says what it cost.

use crate::setup::TestDir;

/// The most resident memory of a run's process in MiB.
fn most_taken(lab: &TestDir, run: &str) -> f64 {
    let clock = std::fs::read_to_string(lab.path(run).join("clock.jsonl")).expect("a clock");
    let last = clock.lines().last().expect("a sample");
    let sample: serde_json::Value = serde_json::from_str(last).expect("JSON");
    sample["max_process_memory"].as_f64().expect("a number") / f64::from(1 << 20)
}

/// One path that would take gigabytes, whose allocations fail at the limit.
#[test]
fn a_path_keeps_to_the_limit() {
    let lab = TestDir::new();
    let program = |fill: &str| {
        format!(
            r#"
#include <klee/klee.h>
#include <stdlib.h>
#include <string.h>
int main(void) {{
    unsigned char b;
    klee_make_symbolic(&b, 1, "b");
    for (int i = 0;; i++) {{
        char *p = malloc(1 << 20);
        if (!p) return 7;
        memset(p, {fill}, 1 << 20);
    }}
}}
"#
        )
    };
    lab.file("symbolic.c", program("b"));
    lab.file("concrete.c", program("1 + i % 200"));
    for (name, jobs) in [("symbolic", "1"), ("symbolic", "2"), ("concrete", "1"), ("concrete", "2")]
    {
        let (out, source) = (format!("{name}-{jobs}"), format!("{name}.c"));
        let words = ["run", "--output-dir", &out, "--max-memory", "100MiB", "-j", jobs, &source];
        let done = lab.byway(&words);
        // A symbolic block takes so much at once that the path may not come to the next `malloc`.
        let failed = "1 allocation of the program failed: raise --max-memory";
        let dropped = "1 state dropped by a limit: raise --max-memory";
        done.code(0);
        assert!(done.stderr.contains(failed) || done.stderr.contains(dropped), "{done:#?}");
        let taken = most_taken(&lab, &out);
        assert!(taken < 110.0, "{name} -j {jobs}: {taken} MiB");
    }
}

/// Stores into a block that was allocated before cannot fail: the path is dropped.
#[test]
fn a_path_that_cannot_fail_is_dropped() {
    let lab = TestDir::new();
    let code = r#"
#include <klee/klee.h>
static char big[1u << 30];
int main(void) {
    int x;
    klee_make_symbolic(&x, sizeof x, "x");
    if (x == 3) return 5;
    for (unsigned i = 0; i < sizeof big; i += 512) big[i] = 1;
    return 6;
}
"#;
    lab.file("stores.c", code);
    let words = ["run", "--output-dir", "out", "--max-memory", "100MiB", "stores.c"];
    let done = lab.byway(&words);
    done.code(0)
        .says("2: 1 dropped, 1 exit")
        .says("1 state dropped by a limit: raise --max-memory");
    let taken = most_taken(&lab, "out");
    assert!(taken < 110.0, "{taken} MiB");
}

#[test]
fn sizes_need_a_unit_and_limits_room_to_start() {
    let lab = TestDir::new();
    lab.file("a.c", "int main(void) { return 0; }\n");
    for option in ["--max-memory", "--max-program-memory"] {
        let done = lab.byway(&["run", option, "2000", "a.c"]);
        done.code(2).says("needs a unit: 2000MiB, or 2000B if you mean bytes");
    }
    let done = lab.byway(&["run", "--output-dir", "out", "--max-memory", "2000B", "a.c"]);
    done.code(2).says("a memory limit of 2.0 KiB is too small: the process takes");
    done.says("the least limit for this program is about");
    assert!(!lab.path("out").exists(), "nothing was written");
    lab.byway(&["run", "--output-dir", "out", "--max-memory", "100MiB", "-j", "2", "a.c"]).code(0);
}
