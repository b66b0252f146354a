//! `byway mutate`: mutants contain the recorded change, tests kill the right ones, and no mutant
//! does harm.

use std::fs;
use std::process::{Output, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::cover::story;
use crate::setup::{Run, TestDir};

/// The verdict on each mutant, from the run directory.
fn mutants(lab: &TestDir) -> Vec<Value> {
    let text = fs::read_to_string(lab.path("run/mutants.jsonl")).expect("mutants");
    text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

/// The mutant on this line that replaces one text by another.
#[track_caller]
fn mutant<'a>(mutants: &'a [Value], line: u64, original: &str, replacement: &str) -> &'a Value {
    let found = mutants.iter().find(|mutant| {
        mutant["line"] == line
            && mutant["original"] == original
            && mutant["replacement"].as_str().map(str::trim_end) == Some(replacement)
    });
    found.unwrap_or_else(|| panic!("no {original} -> {replacement} in {mutants:#?}"))
}

/// The fate of a mutant; of a duplicate, that of the one it is like.
#[track_caller]
fn fate(mutants: &[Value], line: u64, original: &str, replacement: &str) -> String {
    let mut found = mutant(mutants, line, original, replacement);
    if found["fate"] == "duplicate" {
        let first = mutants.iter().find(|mutant| mutant["mutant"] == found["duplicate_of"]);
        found = first.expect("a duplicate is like another");
    }
    let fate = found["fate"].as_str().expect("a fate");
    match found["by"].as_str() {
        Some(by) => format!("{fate} by {by}"),
        None => fate.into(),
    }
}

fn judged(source: &str, tests: &[&[&str]], options: &[&str]) -> (TestDir, Run) {
    let lab = TestDir::new();
    lab.file("a.c", source);
    story(&lab, "a.c", tests);
    let run = lab.byway(&[&["mutate", "run"], options].concat());
    run.code(0);
    (lab, run)
}

const KINDS: &str = r#"#include <stdio.h>
#include <stdlib.h>
#define LIMIT 40
#define BELOW(x, y) ((x) < (y))
static void never(int n)
{
	printf("%d\n", n + 1);
}
int main(int argc, char **argv)
{
	int n = argc > 1 ? atoi(argv[1]) : 0;
	if (n >= 10)
		puts("large");
	if (n > 20 && n < LIMIT)
		return 3;
	for (int i = 0; i < n; i++)
		if (BELOW(i, n - 2))
			putchar('x');
	switch (n) {
	case 5: return 1;
	case 6: n -= 4; break;
	}
	if (n == 1000)
		never(n);
	return n & 1;
}
"#;

#[test]
fn tests_kill_exactly_the_mutants_they_check() {
    let (lab, run) = judged(KINDS, &[&["1"], &["5"], &["6"], &["12"], &["10"]], &["--jobs", "3"]);
    let all = mutants(&lab);
    // With a test on the limit, a limit that moves shows.
    assert_eq!(fate(&all, 12, ">=", ">"), "killed by standard output");
    assert_eq!(fate(&all, 12, ">=", "!="), "killed by standard output");
    assert_eq!(fate(&all, 12, "10", "11"), "killed by standard output");
    assert_eq!(fate(&all, 14, "20", "21"), "survived");
    assert_eq!(fate(&all, 14, "&&", "||"), "killed by exit code");
    assert_eq!(fate(&all, 16, "i++", "++(i)"), "equivalent");
    assert_eq!(fate(&all, 16, "++", "--"), "killed by it does not end in time");
    assert_eq!(fate(&all, 17, "-", "+"), "killed by standard output");
    assert_eq!(fate(&all, 20, "5", "6"), "not-compiled");
    assert_eq!(fate(&all, 21, "-=", "/="), "killed by exit code");
    assert_eq!(fate(&all, 21, "-=", "="), "survived");
    assert_eq!(fate(&all, 7, "+", "-"), "not-reached");
    // Without what it guards, a condition is worth nothing.
    let (one, other) = (mutant(&all, 12, ">=", ">"), mutant(&all, 12, "10", "11"));
    assert_eq!(other["duplicate_of"], one["mutant"], "{one} {other}");
    // Macro definitions are not mutated: the limit, and the comparison.
    assert!(!all.iter().any(|mutant| mutant["line"] == 3 || mutant["line"] == 4));
    assert!(run.stdout.contains("2 locations in macro definitions"), "{run:#?}");
    assert!(run.stdout.contains("contained by    namespaces"), "{run:#?}");
    assert!(run.stdout.contains("reach           gcc -O0 --coverage"), "{run:#?}");
    // The counts are of the mutants that are listed.
    let total = run.stdout.lines().find(|line| line.starts_with("  total")).expect("a total");
    let count = |fate: &str| all.iter().filter(|mutant| mutant["fate"] == fate).count();
    let kinds =
        ["not-compiled", "equivalent", "duplicate", "not-reached", "survived", "killed"].map(count);
    let shown: Vec<usize> = total.split_whitespace().flat_map(str::parse).collect();
    assert_eq!(shown, [&[all.len()], &kinds[..]].concat(), "{run:#?}");
    assert_eq!(kinds.iter().sum::<usize>(), all.len());
    // How many work at once makes no difference.
    let before = fs::read(lab.path("run/mutants.jsonl")).expect("mutants");
    lab.byway(&["mutate", "run", "--jobs", "1"]).code(0);
    assert_eq!(fs::read(lab.path("run/mutants.jsonl")).expect("mutants"), before);
}

#[test]
fn mutants_are_selected_and_shown_by_the_options() {
    let (lab, run) =
        judged(KINDS, &[&["1"]], &["--operators", "relational,logical", "--show", "1"]);
    let all = mutants(&lab);
    assert!(all.iter().all(|it| it["operator"] == "relational" || it["operator"] == "logical"));
    let alive = run.stdout.split("alive:\n").nth(1).expect("some live");
    let lines: Vec<&str> = alive.lines().collect();
    assert!(lines[0].contains("a.c:") && lines[0].contains(" in main, "), "{run:#?}");
    assert!(lines[1].trim_start().starts_with("- ") && lines[2].trim_start().starts_with("+ "));
    assert!(lines[3].contains("more: --show"), "{run:#?}");

    lab.byway(&["mutate", "run", "--functions", "never", "--json"]).code(0);
    let never = mutants(&lab);
    assert!(never.iter().all(|mutant| mutant["function"] == "never"), "{never:#?}");
    let sample = |seed: &str| {
        let words = ["mutate", "run", "--sample", "5", "--seed", seed, "--json"];
        let run = lab.byway(&words);
        run.code(0);
        let sum: Value = serde_json::from_str(&run.stdout).expect("JSON");
        assert_eq!(sum["total"]["mutants"], 5);
        assert!(sum["available"].as_u64() > Some(50), "{sum}");
        mutants(&lab)
    };
    let five = sample("1");
    assert_eq!(five.len(), 5);
    assert_eq!(sample("1"), five);
    assert_ne!(sample("2"), five);
    lab.byway(&["mutate", "run", "--files", "a.c,b.c"])
        .code(2)
        .says("nothing to mutate in file 'b.c'");
    lab.byway(&["mutate", "run", "--functions", "main,nevr"])
        .code(2)
        .says("nothing to mutate in function 'nevr'")
        .says("did you mean 'never'?");
    lab.byway(&["mutate", "run", "--operators", "none"]).code(2).says("possible values");
    lab.byway(&["mutate", "nowhere"]).code(2).says("cannot read 'nowhere'");
}

#[test]
fn headers_are_mutated_in_every_unit_that_includes_them() {
    let lab = TestDir::new();
    lab.file("inc/twice.h", "static inline int twice(int n) { return n * 2; }\n");
    lab.file(
        "src/half.c",
        "#include \"../inc/twice.h\"\nint four(int n) { return twice(twice(n)); }\n",
    );
    lab.file(
        "src/main.c",
        "#include <byway.h>\n#include \"../inc/twice.h\"\nint four(int);\nint main(void)\n{\n\
         \tunsigned char n;\n\tbyway_make_symbolic(&n, 1, \"n\");\n\tif (n == 3) return twice(n);\n\
         \treturn n < 5 ? four(n) : 1;\n}\n",
    );
    lab.byway(&["run", "--output-dir", "run", "src/main.c", "src/half.c"]).code(0);
    lab.byway(&["mutate", "run"]).code(0);
    let all = mutants(&lab);
    let header =
        |mutant: &&Value| mutant["file"].as_str().is_some_and(|it| it.ends_with("twice.h"));
    let header: Vec<&Value> = all.iter().filter(header).collect();
    // Once each, not once for each unit.
    assert_eq!(header.iter().filter(|it| it["original"] == "*").count(), 4, "{header:#?}");
    assert_eq!(fate(&all, 1, "*", "+"), "killed by exit code");
    assert_eq!(fate(&all, 1, "2", "3"), "killed by exit code");
    assert!(all.iter().all(|it| it["file"].as_str().is_some_and(|it| !it.contains("byway.h"))));
}

#[test]
fn a_header_with_several_names_is_one_file() {
    let lab = TestDir::new();
    lab.file("inc/h.h", "static inline int clip(int x) { return x > 10 ? 10 : x; }\n");
    lab.file("sub/o.c", "#include \"../inc/h.h\"\nint other(int k) { return clip(k - 3); }\n");
    lab.file(
        "m.c",
        "#include \"inc/h.h\"\n#include <byway.h>\n#include <stdio.h>\nint other(int);\n\
         int main(void)\n{\n\tunsigned char k;\n\tbyway_make_symbolic(&k, 1, \"k\");\n\
         \tprintf(\"%d %d\\n\", clip(k), other(k) == clip(k - 3));\n\treturn 0;\n}\n",
    );
    lab.byway(&["run", "--output-dir", "run", "m.c", "sub/o.c"]).code(0);
    lab.byway(&["mutate", "run", "--functions", "clip"]).code(0);
    let all = mutants(&lab);
    let more: Vec<&Value> =
        all.iter().filter(|it| it["original"] == "10" && it["replacement"] == "11").collect();
    // One for each place, not one for each name of the file.
    assert_eq!(more.len(), 2, "{all:#?}");
    lab.byway(&["mutate", "run", "--files", "inc/h.h"]).code(0);
    assert_eq!(mutants(&lab).len(), all.len());
    // Both units have the change: what they print of each other stays 1.
    assert_eq!(fate(&all, 1, ">", "<="), "killed by standard output");
}

/// Compiles the program as it is by gcc, and does something else with mutants.
fn stubborn(lab: &TestDir, act: &str) -> Run {
    // The copy begins with a line that says whose it is.
    let script = format!(
        "for it; do case $it in *.c) source=$it;; esac; done\n\
         if ! tail -n +2 \"$source\" | cmp -s - a.c && ! cmp -s \"$source\" a.c; then {act}; fi\n\
         exec gcc \"$@\"\n"
    );
    lab.file("cc.sh", script);
    let words = ["mutate", "run", "--source", "a.c", "--compile"];
    let compile = "sh cc.sh -O1 -c {source} -o {object}";
    let rest = ["--link", "gcc {object} -o {program}", "--load-timeout", "5", "--sample", "3"];
    lab.byway(&[&words[..], &[compile], &rest[..]].concat())
}

#[test]
fn errors_of_the_machine_do_not_count_against_mutants() {
    let lab = TestDir::new();
    lab.file("a.c", "int main(int argc, char **argv) { return argc + 40; }\n");
    lab.clang(&["-O0", "-g", "-emit-llvm", "-c", "a.c", "-o", "a.bc"]);
    story(&lab, "a.bc", &[&[], &["x"]]);
    let full = stubborn(&lab, "echo 'error: cannot write: No space left on device' >&2; exit 1");
    full.code(2).says("does not compile with --compile (exit status: 1)").says("No space left");
    stubborn(&lab, "kill -9 $$").code(2).says("(signal: 9 (SIGKILL))");
    assert!(!lab.path("run/mutants.jsonl").exists());
    let slow = stubborn(&lab, "sleep 100");
    slow.code(0);
    let said = "not made        3 mutants: the compiler does not end in time";
    assert!(slow.stdout.contains(said), "{slow:#?}");
    assert!(mutants(&lab).iter().all(|it| it["fate"] == "not-made" && it["why"].is_string()));
    let refused = stubborn(&lab, "echo 'a.c:1: error: no' >&2; exit 1");
    refused.code(0);
    assert!(mutants(&lab).iter().all(|it| it["fate"] == "not-compiled"), "{refused:#?}");
}

#[test]
fn a_source_that_changes_meanwhile_is_reported() {
    let lab = TestDir::new();
    lab.file("a.c", "int main(int argc, char **argv) { return argc + 40; }\n");
    lab.clang(&["-O0", "-g", "-emit-llvm", "-c", "a.c", "-o", "a.bc"]);
    story(&lab, "a.bc", &[&[], &["x"]]);
    let run = stubborn(&lab, "echo '// edited' >> a.c");
    run.code(2).says("a.c' has changed while its mutants were built");
    assert!(!lab.path("run/mutants.jsonl").exists());
}

#[test]
fn link_errors_are_reported() {
    let source = "int nowhere(void);\nint main(int argc, char **argv) { if (0) return nowhere(); \
                  return argc; }\n";
    let (lab, run) = judged(source, &[&[]], &["--operators", "constant"]);
    assert!(run.stdout.contains("not made        1 mutant: the linker rejects it"), "{run:#?}");
    assert!(mutants(&lab).iter().any(|it| it["fate"] == "not-made"), "{run:#?}");
}

const GLUED: &str = r#"#include <stdio.h>
static int mix(int a, int b, const int *p)
{
	int x = a+*p /* offset */ ;
	int y = a-++b;
	int z = a+-b;
	while (b > 100);
	printf("%d %d %d %d\n", x, y, z, b);
	return (z + 0xffffffff) / 2 > 3;
}
int main(int argc, char **argv)
{
	int t[1] = {3};
	return mix(argc + 6, 2, t);
}
"#;

#[test]
fn mutants_contain_the_recorded_change() {
    let (lab, run) = judged(GLUED, &[&[], &["x"]], &["--functions", "mix"]);
    let all = mutants(&lab);
    let replaced = |line: u64, original: &str| -> Vec<String> {
        let of = |it: &&Value| it["line"] == line && it["original"] == original;
        let text = |it: &Value| it["replacement"].as_str().unwrap_or_default().to_string();
        all.iter().filter(of).map(text).collect()
    };
    assert!(replaced(4, "+").contains(&"/ ".to_string()), "{:?}", replaced(4, "+"));
    assert!(replaced(5, "-").contains(&"+ ".to_string()), "{:?}", replaced(5, "-"));
    assert!(replaced(5, "++").contains(&" --".to_string()), "{:?}", replaced(5, "++"));
    assert!(replaced(6, "+").contains(&"- ".to_string()), "{:?}", replaced(6, "+"));
    assert!(replaced(9, "0xffffffff").contains(&"0xfffffffe".to_string()));
    // A loop with nothing in it is a statement, too, and no macro is here.
    assert_eq!(replaced(7, "while (b > 100);"), [";"]);
    assert!(!run.stdout.contains("in definitions of macros"), "{run:#?}");
    assert!(all.iter().all(|it| it["fate"] != "not-compiled" || it["operator"] == "deletion"));
}

#[test]
fn lines_follow_line_directives() {
    let source = "#include <stdio.h>\n#line 50\nstatic int always(int x)\n{\n\tint r = x;\n\
                  \tr = r * 5;\n\treturn r;\n}\n#line 4\nstatic int never(int x)\n{\n\tint q = x;\n\
                  \tq = q * 3;\n\treturn q;\n}\n#line 80\nint main(int argc, char **argv)\n{\n\
                  \tif (argc > 3)\n\t\treturn never(argc);\n\treturn always(argc);\n}\n";
    let (lab, _) = judged(source, &[&[]], &["--operators", "arithmetic"]);
    let all = mutants(&lab);
    let fate = |function: &str| {
        let of = |it: &&Value| it["function"] == function && it["replacement"] == "+";
        all.iter().find(of).expect("a mutant")["fate"].clone()
    };
    assert_eq!((fate("always"), fate("never")), ("killed".into(), "not-reached".into()));
}

const DIES: &str = r#"#include <byway.h>
static int table[4];
static void put(int k, int *volatile p)
{
	int i = k * 2;
	i = i + 3;
	p[0] = i - 1;
}
static int unused(int k) { return k + 9; }
int main(void)
{
	int k;
	byway_make_symbolic(&k, sizeof k, "k");
	put(k, k > 10 ? 0 : table);
	return k == 77 ? unused(k) : 0;
}
"#;

#[test]
fn a_test_that_kills_the_program_reaches_the_place_where_it_dies() {
    let lab = TestDir::new();
    lab.file("a.c", DIES);
    lab.byway(&["run", "--output-dir", "run", "a.c"]).code(1);
    let paths = fs::read_to_string(lab.path("run/paths.jsonl")).expect("paths");
    let fault = paths.lines().map(|line| serde_json::from_str::<Value>(line).expect("JSON"));
    let fault = fault.into_iter().find(|it| it["outcome"]["kind"] == "fault").expect("a fault");
    let number = fault["path"].to_string();
    // On this test alone: nothing returns from 'put'.
    lab.byway(&["mutate", "run", "--tests", &number]).code(0);
    let all = mutants(&lab);
    let missed: Vec<&Value> = all.iter().filter(|it| it["fate"] == "not-reached").collect();
    assert!(missed.iter().all(|it| it["function"] == "unused"), "{missed:#?}");
    assert!(!missed.is_empty(), "{all:#?}");
}

#[test]
fn bitcode_is_mutated_with_the_users_sources_and_commands() {
    let lab = TestDir::new();
    lab.file("src/a.c", KINDS).file("src/other.h", "");
    lab.clang(&["-O0", "-g", "-w", "-emit-llvm", "-c", "src/a.c", "-o", "a.bc"]);
    story(&lab, "a.bc", &[&["1"], &["5"], &["6"], &["12"], &["10"]]);
    let run = lab.byway(&["mutate", "run"]);
    run.code(2).says("the run is of bitcode").says("hint: --source");
    let mutate = |compile: &str, link: &str| {
        let words = ["mutate", "run", "--source", "src/a.c", "--compile", compile, "--link", link];
        lab.byway(&words)
    };
    // With debug information, which contains the location of each mutant.
    let run = mutate("gcc -O1 -g -Isrc -c {source} -o {object}", "gcc {object} -o {program}");
    run.code(0);
    assert!(run.stdout.contains("compiled by     gcc -O1"), "{run:#?}");
    let all = mutants(&lab);
    assert_eq!(fate(&all, 12, ">=", ">"), "killed by standard output");
    assert_eq!(fate(&all, 14, "20", "21"), "survived");
    assert_eq!(fate(&all, 16, "i++", "++(i)"), "equivalent");
    assert_eq!(fate(&all, 20, "5", "6"), "not-compiled");
    assert_eq!(fate(&all, 7, "+", "-"), "not-reached");

    let run = mutate("gcc -c {source}", "gcc {object} -o {program}");
    run.code(2).says("--compile lacks {object}");
    let run =
        mutate("gcc -Wno-such -fno-such -c {source} -o {object}", "gcc {object} -o {program}");
    run.code(2).says("does not compile with --compile").says("fno-such");
    let run = mutate("gcc -O1 -c {source} -o {object}", "gcc {object} -lno-such -o {program}");
    run.code(2).says("does not link with --link");
    let run = mutate("no-such-compiler {source} {object}", "gcc {object} -o {program}");
    run.code(2).says("cannot run 'no-such-compiler'");
    let run = lab.byway(&["mutate", "run", "--source", "src/a.c"]);
    run.code(2).says("--compile");
}

const LABELS: &str = r#"int main(int argc, char **argv)
{
	switch (argc) {
	case 1:
		return 4;
	case 7:
		return 5;
	}
	return 0;
}
"#;

#[test]
fn labels_are_reached_by_tests_that_reach_the_switch() {
    let (lab, _) = judged(LABELS, &[&["2", "3", "4", "5", "6"]], &["--operators", "constant"]);
    let all = mutants(&lab);
    // Six arguments, the name included: no label fits, until one is another.
    assert_eq!(fate(&all, 6, "7", "6"), "killed by exit code");
    assert_eq!(fate(&all, 6, "7", "8"), "survived");
    assert_eq!(fate(&all, 7, "5", "6"), "not-reached");
}

const HARMFUL: &str = r#"#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
static void goes_on(int n)
{
	if (n == 7) for (;;) { }
	if (n == 8) for (;;) puts("and on");
	if (n == 9) {
		FILE *file = fopen("full", "w");
		static char block[1 << 20];
		for (;;) fwrite(block, 1, sizeof block, file);
	}
}
static void takes_all(int n)
{
	if (n == 7) { int prctl(int, ...); prctl(15, "byway-mutant"); for (;;) fork(); }
	if (n == 8)
		for (;;) {
			volatile char *page = malloc(1 << 24);
			for (int at = 0; at != 1 << 24; at += 1 << 12) page[at] = 1;
		}
}
int main(int argc, char **argv)
{
	goes_on(argc);
	takes_all(argc);
	return 0;
}
"#;

#[test]
fn a_mutant_that_loops_forks_or_fills_memory_and_disk_is_contained() {
    let options = ["--operators", "relational", "--functions", "goes_on", "--timeout", "2"];
    let (lab, run) = judged(HARMFUL, &[&[]], &options);
    let all = mutants(&lab);
    assert_eq!(fate(&all, 6, "==", "!="), "killed by it does not end in time");
    assert_eq!(fate(&all, 7, "==", "!="), "killed by it does not end in time");
    assert_eq!(fate(&all, 7, "==", ">="), "survived");
    // The file size limit ends it, or else the time limit.
    let disk = fate(&all, 8, "==", "!=");
    assert!(disk.starts_with("killed by"), "{disk}");
    assert!(run.stdout.contains("namespaces"), "{run:#?}");
    assert!(!lab.path("full").exists());
    let options = ["--operators", "relational", "--functions", "takes_all", "--timeout", "60"];
    let is_done = AtomicBool::new(false);
    let most = thread::scope(|scope| {
        let sampler = scope.spawn(|| most_processes("byway-mutant", &is_done));
        lab.byway(&[&["mutate", "run"], &options[..]].concat()).code(0);
        is_done.store(true, Ordering::Relaxed);
        sampler.join().expect("the sampler ends")
    });
    let all = mutants(&lab);
    assert_eq!(fate(&all, 16, "==", "!="), "killed by it uses too much processes");
    assert_eq!(fate(&all, 17, "==", "!="), "killed by it uses too much memory");
    assert_eq!(processes_named("byway-mutant"), 0);
    // Kernels before 6.14 do not limit root's processes; the supervisor alone does.
    assert!(most < 1_000, "{most} processes");
}

fn processes_named(name: &str) -> usize {
    let entries = fs::read_dir("/proc").expect("/proc").flatten();
    let names = entries.flat_map(|entry| fs::read_to_string(entry.path().join("comm")));
    names.filter(|text| text.trim() == name).count()
}

/// The highest number of processes with this name at any time.
fn most_processes(name: &str, is_done: &AtomicBool) -> usize {
    let mut most = 0;
    while !is_done.load(Ordering::Relaxed) {
        most = most.max(processes_named(name));
        thread::sleep(Duration::from_millis(5));
    }
    most
}

const UNSTEADY: &str = r#"#include <stdio.h>
#include <time.h>
int main(int argc, char **argv)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	printf("%ld %d\n", now.tv_nsec, argc + 5);
	FILE *file = fopen("left", "w");
	fprintf(file, "%d\n", argc + 6);
	fclose(file);
	return argc + 7;
}
"#;

#[test]
fn non_deterministic_output_kills_nothing_and_files_are_compared() {
    let (lab, run) = judged(UNSTEADY, &[&[]], &[]);
    let all = mutants(&lab);
    assert_eq!(fate(&all, 7, "+", "-"), "survived");
    assert_eq!(fate(&all, 9, "+", "-"), "killed by files");
    assert_eq!(fate(&all, 11, "+", "-"), "killed by exit code");
    assert!(run.stdout.contains("non-deterministic behaviour, in 1 test"), "{run:#?}");
}

/// Judges harmful mutants, and stops when the first is run.
fn stopped(lab: &TestDir) -> Output {
    fs::create_dir(lab.path("tmp")).expect("a directory");
    // The first mutant loops until its time is up, which is not soon.
    let words = ["mutate", "run", "--operators", "relational", "--timeout", "600", "--jobs", "1"];
    let mut command = lab.command(&words);
    command.env("TMPDIR", lab.path("tmp")).stdout(Stdio::piped()).stderr(Stdio::piped());
    let child = command.spawn().expect("byway starts");
    let began = Instant::now();
    let running = || {
        let dirs = fs::read_dir(lab.path("tmp")).into_iter().flatten().flatten();
        let mutants = dirs.flat_map(|dir| fs::read_dir(dir.path().join("mutants")));
        mutants.flatten().flatten().any(|mutant| mutant.path().join("program").exists())
    };
    while !running() {
        assert!(began.elapsed() < Duration::from_secs(300), "no mutant was run");
        thread::sleep(Duration::from_millis(50));
    }
    let pid = i32::try_from(child.id()).expect("a process");
    // SAFETY: the process is a child that was not waited for.
    unsafe { libc::kill(pid, libc::SIGINT) };
    child.wait_with_output().expect("it ends")
}

#[test]
fn ctrl_c_shows_the_results_so_far() {
    let lab = TestDir::new();
    lab.file("a.c", HARMFUL);
    story(&lab, "a.c", &[&[]]);
    let output = stopped(&lab);
    let text = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(130), "{text}");
    assert!(text.contains("interrupted: not all mutants were judged"), "{text}");
    assert!(mutants(&lab).iter().any(|mutant| mutant["fate"] == "not-judged"));
    assert!(text.contains("each mutant "), "{text}");
}

#[test]
fn ctrl_c_does_not_replace_a_file_with_more_results() {
    let lab = TestDir::new();
    lab.file("a.c", HARMFUL);
    story(&lab, "a.c", &[&[]]);
    let line = |fate: &str| format!("{{\"fate\":\"{fate}\"}}\n");
    let before = [line("killed").repeat(500), line("not-judged")].concat();
    lab.file("run/mutants.jsonl", &before);
    let output = stopped(&lab);
    assert_eq!(output.status.code(), Some(130), "{output:?}");
    let said = "'run/mutants.jsonl' kept: it already records 500 judged mutants";
    assert!(String::from_utf8_lossy(&output.stderr).contains(said), "{output:?}");
    assert_eq!(fs::read_to_string(lab.path("run/mutants.jsonl")).expect("mutants"), before);
}

#[test]
fn tests_of_truncated_paths_can_be_excluded() {
    let lab = TestDir::new();
    lab.file("a.c", "int main(int argc, char **argv) { return argc > 1; }\n");
    story(&lab, "a.c", &[&[], &["x"]]);
    let paths = fs::read_to_string(lab.path("run/paths.jsonl")).expect("paths");
    let cut = "{\"kind\":\"out-of-budget\"}";
    let mut lines: Vec<String> = paths.lines().map(String::from).collect();
    let mut last: Value = serde_json::from_str(&lines[1]).expect("JSON");
    last["outcome"] = serde_json::from_str(cut).expect("JSON");
    lines[1] = last.to_string();
    lab.file("run/paths.jsonl", format!("{}\n{}\n", lines[0], lines[1]));
    let of = |what: &str| {
        let run = lab.byway(&["mutate", "run", "--json", "--partial-tests", what]);
        let sum: Value = serde_json::from_str(&run.code(0).stdout).expect("JSON");
        (sum["tests"].as_u64(), sum["left_out"].as_u64(), sum["total"]["survived"].as_u64())
    };
    let (keep, drop) = (of("keep"), of("drop"));
    assert_eq!((keep.0, keep.1, drop.0, drop.1), (Some(2), Some(0), Some(1), Some(1)));
    assert!(drop.2 > keep.2, "{keep:?} {drop:?}");
    let shown = lab.byway(&["mutate", "run", "--partial-tests", "drop"]);
    let said = "excluded        1 test of unfinished paths";
    assert!(shown.code(0).stdout.contains(said), "{shown:#?}");
    let none = lab.byway(&["mutate", "run", "--tests", "2", "--partial-tests", "drop"]);
    none.code(2).says("all tests are of unfinished paths");
}

#[test]
fn errors_are_reported_before_any_work() {
    let lab = TestDir::new();
    lab.file("a.c", "int main(int argc, char **argv) { return argc > 1; }\n");
    story(&lab, "a.c", &[&[], &["x"]]);
    let run = lab.byway(&["mutate", "run", "--sample", "0"]);
    run.code(2).says("invalid value '0' for '--sample <N>'");
    let run = lab.byway(&["replay", "run", "--verdicts", "none/verdicts.jsonl"]);
    run.code(2).says("cannot write '").says("none/verdicts.jsonl'");
    fs::create_dir(lab.path("run/mutants.jsonl")).expect("a directory in the way");
    let run = lab.byway(&["mutate", "run"]);
    run.code(2).says("cannot write 'run/mutants.jsonl'");
    lab.byway(&["run", "--no-tests", "--output-dir", "none", "a.c"]).code(0);
    lab.byway(&["mutate", "none"]).code(2).says("'none' has no tests");
}
