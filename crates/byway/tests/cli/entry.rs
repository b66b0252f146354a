//! `--entry`: functions tested without a program around them, their inputs as trees, and the
//! harnesses that call them natively.

use std::fs;

use serde_json::Value;

use crate::setup::{Run, TestDir};

const LIBRARY: &str = r#"
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include "library.h"

struct point { int x; int y; };
struct box { struct point low, high; long id; const char *name; };
struct flags {
	unsigned a : 3, b : 5;
	bool on;
	double weight;
	enum colour { RED, GREEN, BLUE } colour;
};
typedef int (*handler)(int);

static int twice(int n) { return 2 * n; }
static int thrice(int n) { return 3 * n; }
handler handlers[] = { twice, thrice };

int in_registers(struct point p) { return p.x == 3 && p.y == 9 ? 100 / (p.x - 3) : 0; }
int in_memory(struct box b) { return b.id == 7 && b.name[0] == 'n' ? b.low.x : b.high.y; }
static int hidden(struct flags *f)
{
	if (f && f->a == 5 && f->on && f->colour == BLUE && f->weight > 2.5)
		abort();
	return 0;
}
int calls_hidden(void) { struct flags f = { 0 }; return hidden(&f); }
int apply(handler h, int n)
{
	if (h && h(n) == 6)
		abort();
	return 0;
}
char *copy(const char *s)
{
	char buffer[4];
	return s ? strdup(strcpy(buffer, s)) : 0;
}
int release(struct node *n)
{
	struct node *next = n ? n->next : 0;
	free(n);
	free(next);
	return next ? next->value : 0;
}
int elsewhere(void) { return other_count == 3 ? 10 / (other_count - 3) : 0; }
int total(const int *v, int n)
{
	int sum = 0;
	for (int i = 0; i < n; i++)
		sum += v[i];
	return sum;
}
int eight(const int *v, int n) { return v && n <= 8; }
int same(int *a, int *b) { if (a && a == b) abort(); return 0; }
int print(const char *format, ...) { return format[0]; }
"#;

fn library() -> TestDir {
    let dir = TestDir::new();
    dir.file("library.c", LIBRARY);
    dir.file(
        "library.h",
        "struct node { int value; struct node *next; };\nextern int other_count;\n",
    );
    dir.file("other.c", "int other_count = 1;\nint main(void) { return 0; }\n");
    dir
}

fn explore(dir: &TestDir, entry: &str, more: &[&str]) -> Run {
    let words = ["run", "--entry", entry, "--output-dir", "out", "library.c", "other.c"];
    dir.byway(&[&words, more].concat())
}

/// Every test does natively what was predicted.
#[track_caller]
fn agrees(dir: &TestDir) {
    let replay = dir.byway(&["replay", "out"]);
    replay.code(0);
    assert!(replay.stdout.contains("diverge            0\n"), "{replay:#?}");
    assert!(replay.stdout.contains("not comparable     0\n"), "{replay:#?}");
    assert!(!replay.stdout.contains("agree              0\n"), "{replay:#?}");
}

#[test]
fn structures_passed_by_value_reach_the_function() {
    for (function, kind) in
        [("in_registers", "division-by-zero"), ("in_memory", "null-dereference")]
    {
        let dir = library();
        let run = explore(&dir, function, &[]);
        run.code(1).says(&format!("1 {kind} at library.c")).says("under-constrained");
        agrees(&dir);
    }
}

#[test]
fn static_functions_and_the_variables_of_other_files_are_reached() {
    let dir = library();
    explore(&dir, "hidden", &[]).code(1).says("abort").says("a: unsigned int : 3 = 5");
    agrees(&dir);
    let dir = library();
    explore(&dir, "elsewhere", &[]).code(1).says("global other_count: int = 3");
    agrees(&dir);
}

#[test]
fn pointers_to_functions_are_those_of_the_program() {
    let dir = library();
    explore(&dir, "apply", &[]).code(1).says("h: handler -> the function t").says("on 2 paths");
    agrees(&dir);
}

#[test]
fn strings_and_freed_objects_fault_as_natively() {
    let dir = library();
    explore(&dir, "copy", &[]).code(1).says("out-of-bounds");
    agrees(&dir);
    let dir = library();
    explore(&dir, "release", &[]).code(1).says("use-after-free");
    agrees(&dir);
}

#[test]
fn a_predicate_says_what_callers_pass() {
    let dir = library();
    explore(&dir, "total", &["--max-path-instructions", "5000"]).code(1);
    let dir = library();
    let run = explore(&dir, "total", &["--assume", "eight"]);
    run.code(0).says("faults        0").says("excluded");
    agrees(&dir);
    explore(&library(), "total", &["--assume", "in_memory"]).code(2).says("the predicate");
}

#[test]
fn aliasing_is_an_option() {
    explore(&library(), "same", &[]).code(0);
    let dir = library();
    let run = explore(&dir, "same", &["--entry-aliasing"]);
    run.code(1).says("b: int * -> the same object as a");
    agrees(&dir);
}

#[test]
fn the_input_is_shown_and_recorded() {
    let dir = library();
    explore(&dir, "hidden", &["--entry-depth", "2", "--entry-elements", "4"]).code(1);
    let manifest = fs::read_to_string(dir.path("out/manifest.json")).expect("a manifest");
    let manifest: Value = serde_json::from_str(&manifest).expect("JSON");
    let entry = &manifest["config"]["entry"];
    assert_eq!(
        (&entry["function"], &entry["depth"], &entry["elements"]),
        (&"hidden".into(), &2.into(), &4.into())
    );
    let faults = fs::read_to_string(dir.path("out/faults.jsonl")).expect("faults");
    let fault: Value = serde_json::from_str(faults.lines().next().expect("a fault")).expect("JSON");
    assert_eq!(fault["under_constrained"], true);
    let test = fault["test"].as_str().expect("a test");
    let shown = dir.byway(&["show", &format!("out/tests/{test}")]);
    assert!(shown.code(0).stdout.contains("f: struct flags * ->"), "{shown:#?}");
    // The harness is a program of its own.
    let harness = format!("out/tests/{}", test.replace(".ktest", ".harness.c"));
    dir.clang(&["-w", "-Dmain=byway_program_main", "-c", "other.c", "-o", "other.o"]);
    dir.clang(&["-w", harness.as_str(), "other.o", "-o", "harness"]);
    let status = std::process::Command::new(dir.path("harness")).status().expect("it starts");
    assert!(!status.success(), "it aborts");
    for command in ["cover", "mutate"] {
        dir.byway(&[command, "out"]).code(2).says("this run starts in 'hidden'");
    }
}

#[test]
fn a_library_needs_no_main() {
    let dir = TestDir::new();
    dir.file("a.c", "int half(int n) { return n == 4 ? 1 / (n - 4) : n / 2; }\n");
    let run = dir.byway(&["run", "--entry", "half", "--output-dir", "out", "a.c"]);
    run.code(1).says("n: int = 4");
    agrees(&dir);
    // The same of bitcode, where the harness refers to the function's symbol.
    dir.clang(&["-g", "-emit-llvm", "-c", "a.c"]);
    let run = dir.byway(&["run", "--entry", "half", "--output-dir", "bc", "a.bc"]);
    run.code(1).says("n: int = 4");
    let replay = dir.byway(&["replay", "bc"]);
    assert!(replay.code(0).stdout.contains("agree              2\n"), "{replay:#?}");
    // Without debug information, parameters have no names.
    dir.clang(&["-emit-llvm", "-c", "a.c", "-o", "plain.bc"]);
    dir.byway(&["run", "--entry", "half", "plain.bc"]).code(1).says("arg0 = 0x04000000");
}

#[test]
fn what_cannot_be_started_is_an_error() {
    let dir = library();
    explore(&dir, "hiden", &[]).code(2).says("no function 'hiden'").says("did you mean 'hidden'?");
    explore(&dir, "print", &[])
        .code(2)
        .says("it takes variadic arguments")
        .says("write a function that calls it");
    explore(&dir, "strdup", &[]).code(2).says("the program has no function 'strdup'");
    dir.byway(&["run", "--assume", "eight", "library.c"]).code(2).says("--entry");
}

#[test]
fn the_same_run_writes_the_same_bytes() {
    let files = |jobs: &str| {
        let dir = library();
        explore(&dir, "release", &["--seed", "5", "--jobs", jobs]).code(1);
        let mut all: Vec<(String, Vec<u8>)> = fs::read_dir(dir.path("out/tests"))
            .expect("tests")
            .flatten()
            .map(|entry| {
                let name = entry.file_name().to_string_lossy().into_owned();
                (name, fs::read(entry.path()).expect("a file"))
            })
            .filter(|(name, _)| name.ends_with(".ktest"))
            .collect();
        all.sort();
        all
    };
    assert_eq!(files("1"), files("1"));
    assert_eq!(files("1").len(), files("2").len());
}

/// The last character of a text is zero; the last byte of other arrays may be anything.
#[test]
fn only_texts_are_terminated() {
    let lab = TestDir::new();
    let program = "#include <stdint.h>\n\
        int number(const uint8_t *p) { return p && p[7] == 3 ? 1 / (p[7] - 3) : 0; }\n\
        int text(const char *p) { return p && p[7] == 3 ? 1 / (p[7] - 3) : 0; }\n";
    lab.file("arrays.c", program);
    let run = lab.byway(&["run", "--entry", "number", "--output-dir", "number", "arrays.c"]);
    run.code(1).says("1 division-by-zero at arrays.c:2");
    lab.byway(&["run", "--entry", "text", "--output-dir", "text", "arrays.c"]).code(0);
}

#[test]
fn an_entry_that_is_none_gets_what_is_close() {
    let lab = TestDir::new();
    lab.file("small.c", "int used(int);\nint parse(int x) { return used(x); }\nint keep;\n");
    for (entry, message) in [
        ("pars", "did you mean 'parse'?"),
        ("zzzzzz", "its functions are parse; optimisation may have inlined others"),
        ("used", "it is only declared\n  hint: give the file that defines it, too"),
    ] {
        lab.byway(&["run", "--output-dir", "none", "--entry", entry, "small.c"])
            .code(2)
            .says(message);
        assert!(!lab.path("none").exists(), "{entry}");
    }
    let words = ["run", "--output-dir", "none", "--entry", "parse", "--assume", "used", "small.c"];
    lab.byway(&words).code(2).says("the predicate 'used' cannot be called: it is only declared");
}

/// The function that starts the program calls `main` then, not itself.
#[test]
fn main_is_an_entry_too() {
    let lab = TestDir::new();
    lab.file(
        "main.c",
        "int main(int argc, char **argv) { return argc == 77 ? 10 / (argc - 77) : 0; }\n",
    );
    let run = lab.byway(&["run", "--entry", "main", "--output-dir", "run", "main.c"]);
    run.code(1).says("1 division-by-zero at main.c:1").says("paths         2: 1 exit, 1 fault");
}
