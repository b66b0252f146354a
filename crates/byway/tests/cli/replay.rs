//! `byway replay`: handmade run directories with right and wrong predictions.

use std::fs;
use std::os::unix::process::CommandExt;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use byway_base::{Input, TestCase};
use byway_testcase::ktest;
use serde_json::{Value, json};

use crate::setup::{Run, TestDir};

/// A run directory in the making.
struct Story {
    lab: TestDir,
    files: Vec<String>,
    optimise: &'static str,
    options: Vec<&'static str>,
    paths: Vec<Value>,
    faults: Vec<Value>,
}

impl Story {
    /// Of a program in C, with one test yet to come.
    fn new(source: &str) -> Self {
        let lab = TestDir::new();
        lab.file("a.c", source);
        Story::of(lab, &["a.c"])
    }

    fn of(lab: TestDir, files: &[&str]) -> Self {
        lab.file("run/tests/.keep", "");
        let files = files.iter().map(|file| file.to_string()).collect();
        Story { lab, files, optimise: "0", options: vec![], paths: vec![], faults: vec![] }
    }

    /// Adds a path whose test has these inputs.
    fn path(&mut self, inputs: &[(&str, &[u8])], outcome: Value) -> &mut Self {
        let number = self.paths.len() + 1;
        let name = format!("{number:06}.ktest");
        let input = |&(name, bytes): &(&str, &[u8])| Input {
            name: name.to_string(),
            bytes: bytes.to_vec(),
        };
        let args = vec![b"a.c".to_vec()];
        let test = TestCase { args, inputs: inputs.iter().map(input).collect() };
        ktest::write(&self.lab.path(&format!("run/tests/{name}")), &test).expect("a test");
        self.paths.push(json!({
            "path": number, "test": name, "outcome": outcome, "depth": 1, "instructions": 10,
            "digest": "0123456789abcdef", "newly_covered": 0,
        }));
        self
    }

    /// Adds a path whose test gives the integer `which`.
    fn which(&mut self, which: i32, outcome: Value) -> &mut Self {
        self.path(&[("which", &which.to_le_bytes())], outcome)
    }

    /// Writes the directory down.
    fn write(&self) -> &Self {
        let here = self.lab.path("");
        let file = |name: &String| json!({"given": name, "path": self.lab.path(name), "hash": "0".repeat(32)});
        let files: Vec<Value> = self.files.iter().map(file).collect();
        let manifest = json!({
            "schema": 1,
            "byway": "0.1.0",
            "program": {
                "files": files,
                "directory": here,
                "compiler": {
                    "clang": "clang-22", "optimise": self.optimise, "options": self.options,
                },
                "digest": "0".repeat(32),
                "args": ["a.c"],
                "env": ["NAME=value"],
            },
            "config": {
                "search": ["dfs"], "feasibility": "eager", "checks": [], "tests": "all",
                "solver_check": false,
                "limits": {"path_memory": 0, "path_calls": 0},
            },
            "seed": 0,
        });
        let lines = |records: &[Value]| -> String {
            records.iter().map(|record| format!("{record}\n")).collect()
        };
        self.lab.file("run/manifest.json", manifest.to_string());
        self.lab.file("run/paths.jsonl", lines(&self.paths));
        self.lab.file("run/faults.jsonl", lines(&self.faults));
        self
    }

    fn replay(&self, words: &[&str]) -> Run {
        self.write();
        self.lab.byway(&[&["replay", "run"], words].concat())
    }

    /// The table's four numbers.
    #[track_caller]
    fn counts(&self, run: &Run) -> [u64; 4] {
        ["agree", "diverge", "not comparable", "no prediction"].map(|name| {
            let line = run.stdout.lines().find(|line| line.starts_with(&format!("  {name} ")));
            let line = line.unwrap_or_else(|| panic!("no {name} in {run:#?}"));
            line.split_whitespace().next_back().expect("a number").parse().expect("a number")
        })
    }
}

fn exit(code: i32) -> Value {
    json!({"kind": "exit", "code": code})
}

fn fault(kind: &str, message: &str, line: u32) -> Value {
    json!({
        "kind": "fault", "fault": kind, "id": 1, "message": message,
        "at": {"file": "a.c", "line": line, "column": 1},
    })
}

const PROGRAM: &str = r#"#include <assert.h>
#include <klee/klee.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
static int *gone(void) { int local = 1; int *escaped = &local; return escaped; }
static int deep(volatile int n) { return n == 0 ? 0 : deep(n - 1) + 1; }
static int (*volatile nowhere)(void);
int main(void) {
    int which = klee_int("which");
    volatile int zero = 0, one = 1, lowest = -2147483647 - 1;
    int array[4] = {1, 2, 3, 4};
    char *heap = malloc(4);
    switch (which) {
    case 0: return 300;
    case 1: return array[zero + 4]; // FAULT out-of-bounds
    case 2: free(heap); return heap[0]; // FAULT use-after-free
    case 3: return *gone(); // FAULT use-after-return
    case 4: free(heap); free(heap); return 0; // FAULT double-free
    case 5: free(array + zero); return 0; // FAULT invalid-free
    case 6: return *(int *)(long)zero; // FAULT null-dereference
    case 7: *(volatile char *)"text" = one; return 0; // FAULT write-to-constant
    case 8: return 5 / zero; // FAULT division-by-zero
    case 9: return lowest / -one; // FAULT division-overflow
    case 10: assert(zero == 1); return 0; // FAULT assert
    case 11: abort(); // FAULT abort
    case 12: __builtin_trap(); // FAULT trap
    case 13: __builtin_unreachable(); // FAULT unreachable
    case 14: klee_report_error(__FILE__, __LINE__, "bad", "suf"); // FAULT reported
    case 15: return nowhere(); // FAULT bad-function-pointer
    case 16: return lowest - one != 0; // FAULT signed-overflow
    case 17: return one << (32 + zero) != 9; // FAULT invalid-shift
    case 18: { int *p = (int *)((char *)array + one); return *p != 0; } // FAULT misaligned
    case 19: return deep(-1); // FAULT stack-exhausted
    case 20: raise(SIGTERM); return 0; // FAULT signal
    case 21: return *(int *)0x123456789000; // FAULT wild-pointer
    case 22: { int never; return never == 7; } // FAULT uninitialised-read
    case 23: array[zero + 30000] = 1; return 0; // FAULT far
    case 24: memcpy(heap, array, 5); return 0; // FAULT past a call
    case 25: return ((int (*)(void))array)(); // FAULT call of the stack
    }
    return 0;
}
"#;

/// Where the program breaks that rule.
fn line_of(mark: &str) -> u32 {
    let end = format!("// FAULT {mark}");
    PROGRAM.lines().position(|line| line.ends_with(&end)).expect("the mark is there") as u32 + 1
}

/// The kinds a native run shows, by the input that leads there.
const SHOWN: [(i32, &str); 20] = [
    (1, "out-of-bounds"),
    (2, "use-after-free"),
    (3, "use-after-return"),
    (4, "double-free"),
    (5, "invalid-free"),
    (6, "null-dereference"),
    (7, "write-to-constant"),
    (8, "division-by-zero"),
    (9, "division-overflow"),
    (10, "assert"),
    (11, "abort"),
    (12, "trap"),
    (13, "unreachable"),
    (14, "reported"),
    (15, "bad-function-pointer"),
    (16, "signed-overflow"),
    (17, "invalid-shift"),
    (18, "misaligned"),
    (19, "stack-exhausted"),
    (21, "wild-pointer"),
];

#[test]
fn every_predicted_ending_agrees() {
    let mut story = Story::new(PROGRAM);
    story.which(0, exit(300));
    for (which, kind) in SHOWN {
        story.which(which, fault(kind, "a message", line_of(kind)));
    }
    story.which(20, fault("signal", "the program raised signal 15", line_of("signal")));
    story.which(
        24,
        fault("out-of-bounds", "write of 5 bytes at offset 0 of", line_of("past a call")),
    );
    let run = story.replay(&[]);
    assert_eq!(story.counts(&run), [SHOWN.len() as u64 + 3, 0, 0, 0], "{run:#?}");
    run.code(0);
    assert!(run.stdout.starts_with("23 tests of 'run', run natively\n"), "{run:#?}");
}

#[test]
fn a_wrong_prediction_diverges() {
    let mut story = Story::new(PROGRAM);
    story.which(0, exit(1));
    story.which(1, exit(0));
    for (which, kind) in SHOWN {
        if kind != "stack-exhausted" && kind != "wild-pointer" && kind != "bad-function-pointer" {
            story.which(which, fault(kind, "a message", line_of(kind) + 1));
            story.which(0, fault(kind, "a message", line_of(kind)));
        }
    }
    story.which(8, fault("out-of-bounds", "a message", line_of("division-by-zero")));
    story.which(10, fault("abort", "a message", line_of("assert") + 1));
    story.which(11, fault("assert", "a message", line_of("abort")));
    story.which(20, fault("signal", "the program raised signal 9", line_of("signal")));
    let run = story.replay(&[]);
    assert_eq!(story.counts(&run), [0, story.paths.len() as u64, 0, 0], "{run:#?}");
    run.code(1);
    for line in [
        "  000001  predicted: exit code 1\n          happened:  exit code 44\n",
        "  000002  predicted: exit code 0\n          happened:  stack-buffer-overflow at ",
        "a.c:16\n",
        "predicted: signal at a.c:35\n          happened:  signal 15 (SIGTERM)\n",
    ] {
        assert!(run.stdout.contains(line), "no {line:?} in {run:#?}");
    }
}

#[test]
fn faults_that_native_runs_cannot_show_are_not_comparable() {
    let mut story = Story::new(PROGRAM);
    let far =
        "write of 4 bytes 119984 bytes past the end of the local variable 'array' of 16 bytes";
    story.which(0, fault("leak", "a message", 7));
    story.which(23, fault("wild-pointer", "a message", line_of("far") + 1));
    story.which(0, fault("out-of-bounds", far, 7));
    story.which(
        0,
        fault("out-of-bounds", "read of 8 bytes past the end of the variadic arguments", 7),
    );
    story.which(25, fault("bad-function-pointer", "a message", line_of("call of the stack")));
    // The stack of a native run is larger.
    story.which(0, fault("stack-exhausted", "a message", 7));
    let run = story.replay(&[]);
    assert_eq!(story.counts(&run), [0, 0, 6, 0], "{run:#?}");
    run.code(0);
    for line in [
        "  000001  leak at a.c:7\n          to search for leaks the sanitizer traces the program",
        "  000003  out-of-bounds at a.c:7\n          so far from its object a native run may access another one",
    ] {
        assert!(run.stdout.contains(line), "no {line:?} in {run:#?}");
    }
}

#[test]
fn a_build_with_memory_sanitizer_shows_uses_of_uninitialised_memory() {
    let mut story = Story::new(
        "#include <klee/klee.h>\n#include <stdlib.h>\nint main(void)\n{\n\
         int *values = malloc(8), set = klee_int(\"which\");\nif (set) values[1] = 0;\n\
         if (values[1]) abort();\nreturn 44;\n}\n",
    );
    story.which(0, fault("uninitialised-read", "a message", 7));
    // Its value is passed on, and used there.
    story.which(0, fault("uninitialised-read", "a message", 6));
    // The memory is written.
    story.which(1, fault("uninitialised-read", "a message", 7));
    let run = story.replay(&[]);
    assert_eq!(story.counts(&run), [1, 1, 1, 0], "{run:#?}");
    assert!(run.stdout.contains("happened:  exit code 44"), "{run:#?}");
    assert!(run.stdout.contains("reports another use"), "{run:#?}");
}

#[test]
fn an_index_far_out_of_bounds_of_a_known_array_is_reported() {
    let mut story = Story::new(PROGRAM);
    let far =
        "write of 4 bytes 119984 bytes past the end of the local variable 'array' of 16 bytes";
    story.which(23, fault("out-of-bounds", far, line_of("far")));
    let run = story.replay(&[]);
    assert_eq!(story.counts(&run), [1, 0, 0, 0], "{run:#?}");
}

#[test]
fn a_fault_inside_the_c_library_is_excused_and_only_that() {
    let mut story = Story::new(PROGRAM);
    story.which(0, fault("out-of-bounds", "a message", 7));
    story.faults.push(json!({
        "id": 1, "kind": "out-of-bounds", "message": "a message", "at": null, "notes": [],
        "stack": [{"function": "qsort", "loc": null, "user": false}], "path": 1, "test": null,
    }));
    let run = story.replay(&[]);
    assert_eq!(story.counts(&run), [0, 0, 1, 0], "{run:#?}");
    story.faults.clear();
    let run = story.replay(&[]);
    assert_eq!(story.counts(&run), [0, 1, 0, 0], "{run:#?}");
}

#[test]
fn a_program_off_the_path_diverges() {
    let mut story = Story::new(PROGRAM);
    story.path(&[("other", &[0; 4])], exit(44));
    story.path(&[], exit(44));
    story.path(&[("which", &[0; 8])], exit(44));
    story.path(&[("which", &[0; 4]), ("more", &[1])], exit(44));
    let run = story.replay(&[]);
    assert_eq!(story.counts(&run), [0, 4, 0, 0], "{run:#?}");
    run.code(1);
    for words in [
        "it left the path: the program asks for 'which', but the next input of the test is 'other'",
        "the test holds no more inputs",
        "the program asks for 4 bytes for 'which', but the test has 8",
        "exit code 44, but it did not read 1 of the test's inputs",
    ] {
        assert!(run.stdout.contains(words), "no {words:?} in {run:#?}");
    }
}

#[test]
fn other_outcomes_and_truncated_records_predict_nothing() {
    let mut story = Story::new(PROGRAM);
    story.which(8, json!({"kind": "interrupted"}));
    story.which(0, json!({"kind": "unsupported", "what": "x", "at": null}));
    story.which(0, json!({"kind": "dropped", "limit": "max-depth"}));
    story.which(0, exit(44));
    story.write();
    // The run was killed while it wrote of the last path; its test is there.
    let paths = fs::read_to_string(story.lab.path("run/paths.jsonl")).expect("the paths");
    story.lab.file("run/paths.jsonl", &paths[..paths.len() - 5]);
    let run = story.lab.byway(&["replay", "run"]);
    assert_eq!(story.counts(&run), [0, 0, 0, 4], "{run:#?}");
    run.code(0);
}

#[test]
fn only_selected_tests_run() {
    let mut story = Story::new(PROGRAM);
    story.which(0, exit(44)).which(0, exit(1)).which(0, exit(44));
    let run = story.replay(&["--tests", "1,3", "--jobs", "1"]);
    assert_eq!(story.counts(&run), [2, 0, 0, 0], "{run:#?}");
    story.replay(&["--tests", "2,7"]).code(2).says("byway: error: 'run' has no test 7");
}

#[test]
fn verdicts_are_written_as_json() {
    let mut story = Story::new(PROGRAM);
    story.which(0, exit(44)).which(0, exit(1)).which(3, fault("abort", "a message", 1));
    story.which(22, fault("uninitialised-read", "a message", line_of("uninitialised-read")));
    story.replay(&["--verdicts", "verdicts.jsonl"]).code(1);
    let text = fs::read_to_string(story.lab.path("verdicts.jsonl")).expect("verdicts");
    let lines: Vec<Value> =
        text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(lines[0], json!({"test": 1, "predicted": "exit code 44", "verdict": "agrees"}));
    assert_eq!(
        lines[1],
        json!({"test": 2, "predicted": "exit code 1", "verdict": "diverges", "happened": "exit code 44"})
    );
    let facts = |line: &Value| (line["fault"].clone(), line["verdict"].clone());
    assert_eq!(facts(&lines[2]), (json!(1), json!("diverges")));
    assert_eq!(facts(&lines[3]), (json!(1), json!("not-comparable")));
    assert!(lines[3]["why"].is_string() && lines.len() == 4, "{lines:#?}");
    let refused = story.replay(&["--verdicts", "nowhere/verdicts.jsonl"]);
    refused.code(2);
    assert!(refused.stderr.contains("nowhere/verdicts.jsonl"), "{refused:#?}");
}

#[test]
fn a_test_that_does_not_end_in_time_has_its_own_verdict() {
    let mut story = Story::new("int main(void) { for (;;) {} }\n");
    story.path(&[], exit(0));
    let run = story.replay(&["--timeout", "1"]);
    assert_eq!(story.counts(&run), [0, 0, 0, 0], "{run:#?}");
    let told =
        "timed out after 1.00 s (--timeout raises the limit):\n  000001  predicted: exit code 0";
    assert!(run.stdout.contains(told), "{run:#?}");
    run.code(1);
}

#[test]
fn a_damaged_test_diverges() {
    let mut story = Story::new(PROGRAM);
    story.which(0, exit(44)).write();
    let path = story.lab.path("run/tests/000001.ktest");
    let bytes = fs::read(&path).expect("the test");
    fs::write(&path, &bytes[..bytes.len() - 1]).expect("the test");
    let run = story.lab.byway(&["replay", "run"]);
    assert_eq!(story.counts(&run), [0, 1, 0, 0], "{run:#?}");
    assert!(run.stdout.contains("the test cannot be read: cut short"), "{run:#?}");
}

#[test]
fn the_programs_own_options_environment_and_files_are_used() {
    let lab = TestDir::new();
    lab.file("inc/value.h", "#define VALUE 7\n");
    lab.file("b.c", "#include <value.h>\nint b(void) { return VALUE + EXTRA; }\n");
    let main = "#include <stdlib.h>\n#include <string.h>\nint b(void);\n\
                int main(int argc, char **argv) { if (strcmp(getenv(\"NAME\"), \"value\")) return 1;\n\
                return strcmp(argv[0], \"a.c\") ? 2 : b(); }\n";
    lab.file("a.c", main);
    let mut story = Story::of(lab, &["a.c", "b.c"]);
    story.optimise = "2";
    story.options = vec!["-Iinc", "-DEXTRA=5"];
    story.path(&[], exit(12));
    let run = story.replay(&[]);
    assert_eq!(story.counts(&run), [1, 0, 0, 0], "{run:#?}");
    run.says("'a.c' has changed since the run");
}

#[test]
fn bitcode_is_sanitised_too() {
    let lab = TestDir::new();
    lab.file("a.c", PROGRAM.replace("#include <klee/klee.h>", "int klee_int(const char *);\nvoid klee_report_error(const char *, int, const char *, const char *);"));
    lab.clang(&["-g", "-O0", "-emit-llvm", "-c", "a.c", "-o", "a.bc"]);
    let mut story = Story::of(lab, &["a.bc"]);
    story.which(0, exit(44));
    // The declarations take a line more than the header.
    for (which, kind) in
        SHOWN.iter().filter(|(which, _)| [1, 2, 4, 6, 8, 10, 11, 14].contains(which))
    {
        story.which(*which, fault(kind, "a message", line_of(kind) + 1));
    }
    let run = story.replay(&[]);
    assert_eq!(story.counts(&run), [9, 0, 0, 0], "{run:#?}");
}

#[test]
fn runs_that_cannot_be_replayed_are_rejected() {
    let lab = TestDir::new();
    lab.byway(&["replay", "nowhere"]).code(2).says("cannot read 'nowhere'");
    lab.file("dir/x", "");
    lab.byway(&["replay", "dir"]).code(2).says("'dir' is not a run directory");
    let mut story = Story::new("int main(void) { return missing; }\n");
    story.path(&[], exit(0));
    story.replay(&[]).code(2).says("'a.c' does not compile natively").says("undeclared identifier");
    let mut story = Story::of(TestDir::new(), &["a.bwir"]);
    story.path(&[], exit(0));
    story.replay(&[]).code(2).says("'a.bwir' cannot be compiled natively");
}

#[test]
fn ctrl_c_shows_the_results_so_far() {
    let mut story = Story::new("int main(void) { for (;;) {} }\n");
    story.path(&[], exit(0)).path(&[], exit(0)).write();
    let mut command = story.lab.command(&["replay", "run", "--timeout", "100"]);
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).process_group(0).spawn();
    let child = child.expect("byway starts");
    thread::sleep(Duration::from_secs(3));
    let pid = child.id().to_string();
    Command::new("kill").args(["-INT", &pid]).status().expect("kill");
    let start = Instant::now();
    let output = child.wait_with_output().expect("byway ends");
    assert!(start.elapsed() < Duration::from_secs(20));
    assert_eq!(output.status.code(), Some(130), "{output:?}");
}

/// One of each: kinds of input, ways to end.
const EXPLORED: &str = r#"#include <byway.h>
#include <klee/klee.h>
#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <math.h>
int __VERIFIER_nondet_int(void); _Bool __VERIFIER_nondet_bool(void); unsigned char __VERIFIER_nondet_uchar(void);
void reach_error(void);
int main(void) {
    switch (klee_range(0, 14, "mode")) {
    case 0: { double x; klee_make_symbolic(&x, sizeof x, "x"); return x * x == 2.25 ? 1 : 2; }
    case 1: { int a = klee_int("a"), b = klee_int("a"); return b ? a / b : 0; }
    case 2: { int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int(); return a + b == 77 && a == 3; }
    case 3: { int i = klee_int("i"); char t[8] = "abcdefg"; if (i < 0 || i > 12) return 3; return t[i] == 'c'; }
    case 4: { int n = klee_range(1, 5, "n"); char *p = malloc(n); p[3] = 1; free(p); return 4; }
    case 5: { unsigned char c = __VERIFIER_nondet_uchar(); if (c == 'x') reach_error(); return c == 'y'; }
    case 6: { if (__VERIFIER_nondet_bool()) byway_report("bool"); return 6; }
    case 7: { size_t k = klee_choose(3); int v[3] = {5, 6, 7}; return v[k]; }
    case 8: { char s[5]; klee_make_symbolic(s, 5, "s"); klee_assume(s[4] == 0); return strcmp(s, "key!") == 0; }
    case 9: { float f; klee_make_symbolic(&f, 4, "f"); if (f != f) return 1; return sqrtf(f) > 3.0f; }
    case 10: { int d = klee_int("d"); return 100 / d > 7; }
    case 11: { int *p = malloc(4); int w = klee_int("w"); if (w == 5) free(p); *p = 3; return *p; }
    case 12: { int w = klee_int("w"); assert(w != 12345); return 2; }
    case 13: { char buf[4]; int n = klee_range(0, 8, "n"); memset(buf, 'x', n); return 1; }
    }
    return 0;
}
"#;

#[test]
fn the_program_behaves_as_an_exploration_predicts() {
    let lab = TestDir::new();
    lab.file("all.c", EXPLORED);
    lab.byway(&["run", "--output-dir", "run", "all.c"]).code(1);
    let story = Story::of(lab, &["all.c"]);
    let run = story.lab.byway(&["replay", "run"]);
    assert_eq!(story.counts(&run), [36, 0, 0, 0], "{run:#?}");
    run.code(0).quiet();
}
