//! KLEE's tools by their own names: links to `byway`, and the library that KLEE's tests run with.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use byway_base::{Input, TestCase};
use byway_klee_stats::run_stats::{self, KleeStatsRow, KleeStatsWriter};
use byway_testcase::ktest;

use crate::setup::{Run, TestDir, run};

/// Runs a tool by a link with its name.
fn tool(dir: &TestDir, words: &[&str]) -> Run {
    if !dir.path("bin").is_dir() {
        dir.byway(&["install-links", "bin"]).code(0);
    }
    let mut command = Command::new(dir.path("bin").join(words[0]));
    run(command.args(&words[1..]).current_dir(dir.path("")), "")
}

fn write_test(path: &Path, args: &[&str], objects: &[(&str, &[u8])]) {
    let inputs =
        objects.iter().map(|&(name, bytes)| Input { name: name.into(), bytes: bytes.to_vec() });
    let args = args.iter().map(|word| word.as_bytes().to_vec()).collect();
    ktest::write(path, &TestCase { args, inputs: inputs.collect() }).expect("written");
}

#[test]
fn links_act_as_their_commands_and_replace_nothing_else() {
    let dir = TestDir::new();
    dir.file("bin/klee-stats", "KLEE's own");
    dir.byway(&["install-links", "bin"]).code(2).says("'bin/klee-stats' exists, and is no link");
    assert!(!dir.path("bin/ktest-tool").exists(), "all links or none");
    dir.byway(&["install-links", "bin", "nm"]).code(2).says("byway has no link 'nm'");
    let made = dir.byway(&["install-links", "bin", "ktest-tool"]);
    assert!(made.code(0).stdout.starts_with("bin/ktest-tool -> /"), "{made:#?}");
    dir.byway(&["install-links", "bin", "ktest-tool"]).code(0);
    tool(&dir, &["ktest-tool", "none.ktest"]).code(2).says("cannot read 'none.ktest'");
    assert!(tool(&dir, &["ktest-tool", "--help"]).code(0).stdout.contains("--trim-zeros"));
    symlink("nowhere", dir.path("bin/klee-replay")).expect("a link");
    dir.byway(&["install-links", "bin", "klee-replay"]).code(2);
}

#[test]
fn ktest_tool_prints_and_extracts_objects() {
    let dir = TestDir::new();
    let objects: &[(&str, &[u8])] = &[("a", &[0, 0, 0, 0x80]), ("it's", b"text\0\0")];
    write_test(&dir.path("t.ktest"), &["get_sign.bc", "-n"], objects);
    let expected = "ktest file : 't.ktest'\nargs       : ['get_sign.bc', '-n']\nnum objects: 2\n\
                    object 0: name: 'a'\nobject 0: size: 4\n\
                    object 0: data: b'\\x00\\x00\\x00\\x80'\nobject 0: hex : 0x00000080\n\
                    object 0: int : -2147483648\nobject 0: uint: 2147483648\n\
                    object 0: text: ....\nobject 1: name: 'it's'\nobject 1: size: 6\n\
                    object 1: data: b'text\\x00\\x00'\nobject 1: hex : 0x746578740000\n\
                    object 1: text: text..\n";
    tool(&dir, &["ktest-tool", "t.ktest"]).code(0).quiet().stdout(expected);
    let words = ["ktest-tool", "--trim-zeros", "--extract", "it's", "t.ktest"];
    tool(&dir, &words).code(0).quiet().stdout("");
    assert_eq!(fs::read(dir.path("t.ktest.it's")).expect("extracted"), b"text");
    tool(&dir, &["ktest-tool", "--extract", "b", "t.ktest"]).code(2).says("has no object 'b'");
    dir.file("bad.ktest", "KTEST\0\0\0\x03\0\0");
    tool(&dir, &["ktest-tool", "bad.ktest"]).code(2).says("cut short");
}

#[test]
fn klee_stats_prints_the_tables_of_klee() {
    let dir = TestDir::new();
    for (name, count) in [("runs/klee-out-0", 1), ("runs/klee-out-1", 3)] {
        dir.file(&format!("{name}/info"), "");
        let path = dir.path(name).join(run_stats::FILE);
        let mut writer = KleeStatsWriter::create(&path).expect("created");
        for moment in 0..3 {
            let row = KleeStatsRow {
                instructions: 100 * moment * count,
                covered_instructions: 40 * moment,
                uncovered_instructions: 100 - 40 * moment,
                wall_time: Duration::from_millis(500 * moment),
                solver_time: Duration::from_millis(50 * moment),
                ..KleeStatsRow::default()
            };
            writer.append(&row).expect("appended");
        }
    }
    let line = "-"
        .repeat("|klee-out-0|  Instrs|  Time(s)|  ICov(%)|  BCov(%)|  ICount|  TSolver(%)|".len());
    let table = format!(
        "{line}\n|   Path   |  Instrs|  Time(s)|  ICov(%)|  BCov(%)|  ICount|  TSolver(%)|\n{line}\n\
         |klee-out-0|     200|     1.00|    80.00|   100.00|     100|       10.00|\n\
         |klee-out-1|     600|     1.00|    80.00|   100.00|     100|       10.00|\n{line}\n\
         |Total (2) |     800|     2.00|    80.00|   100.00|     200|       10.00|\n{line}\n"
    );
    tool(&dir, &["klee-stats", "runs"]).code(0).quiet().stdout(&table);
    let csv = ["klee-stats", "--table-format=csv", "--print-columns=Path,Instrs,Time(s)", "runs"];
    let values = "Path,Instrs,Time(s)\nklee-out-0,200,1.00\nklee-out-1,600,1.00\n";
    tool(&dir, &csv).code(0).stdout(values);
    let compared = [&csv[..], &["--compare-by=Instrs", "--sort-by=Instrs"]].concat();
    let values = "Path,Instrs,Time(s)\nklee-out-1,300,0.50\nklee-out-0,200,1.00\n";
    tool(&dir, &compared).code(0).stdout(values);
    let stored = tool(&dir, &["klee-stats", "--to-csv", "runs/klee-out-1"]);
    assert!(stored.stdout.starts_with("Instructions,FullBranches,"), "{stored:#?}");
    assert!(stored.stdout.lines().nth(3).is_some_and(|line| line.starts_with("600,")));
    tool(&dir, &["klee-stats", "--to-csv", "runs"]).code(2).says("a single run");
    tool(&dir, &["klee-stats", "--grafana", "runs"]).code(2).says("--grafana is not supported");
    tool(&dir, &["klee-stats", "--print-columns=X", "runs"]).code(2).says("no column X");
    tool(&dir, &["klee-stats", "bin"]).code(2).says("no output directory of klee found");
    dir.file("runs/klee-out-1/run.stats", "('Instructions',)\n".repeat(9));
    let damaged = tool(&dir, &["klee-stats", "--table-format=csv", "runs"]);
    damaged.code(0).says("older files are text");
    assert!(damaged.stdout.ends_with("\nklee-out-1,,,,,,\n"), "{damaged:#?}");
}

const SHOW_INPUT: &str = r#"
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
int main(int argc, char **argv)
{
	int byte;
	for (int i = 1; i < argc; i++) printf("[%s]", argv[i]);
	FILE *file = fopen("A", "r");
	while (file && (byte = getc(file)) != EOF) putchar(byte);
	putchar('/');
	while ((byte = getchar()) != EOF) putchar(byte);
	fflush(stdout);
	if (argc > 1 && *argv[1] == 's') sleep(60);
	if (argc > 1 && *argv[1] == 'a') abort();
	return argc;
}
"#;

#[test]
fn klee_replay_runs_programs_on_what_ktest_gen_makes() {
    let dir = TestDir::new();
    dir.file("p.c", SHOW_INPUT).file("in.txt", "standard").file("a.txt", "file");
    dir.clang(&["p.c", "-o", "p"]);
    let words = "ktest-gen -n --sym-file a.txt x --sym-stdin in.txt --bout-file t.ktest";
    let words: Vec<&str> = words.split(' ').collect();
    tool(&dir, &words).code(0).quiet();
    let ran = tool(&dir, &["klee-replay", "./p", "t.ktest"]);
    ran.code(0).stdout("[-n][x]file/standard");
    let notes = ["Test file: t.ktest\n", "Arguments: \"./p\" \"-n\" \"x\" \n", "fd0 of length 8\n"];
    for note in notes.into_iter().chain(["EXIT STATUS: ABNORMAL 3 (", "removing /"]) {
        assert!(ran.stderr.contains("KLEE-REPLAY: NOTE: "), "{ran:#?}");
        ran.says(note);
    }
    let shown = dir.byway(&["show", "--command", "t.ktest"]);
    assert!(shown.code(0).stdout.contains("printf 'standard' | "), "{shown:#?}");

    write_test(&dir.path("crash.ktest"), &["p.bc", "a"], &[]);
    write_test(&dir.path("slow.ktest"), &["p.bc", "s"], &[]);
    let mut both = Command::new(dir.path("bin/klee-replay"));
    both.args(["p", "crash.ktest", "slow.ktest"]).current_dir(dir.path(""));
    let ran = run(both.env("KLEE_REPLAY_TIMEOUT", "1"), "own");
    ran.code(0).says("EXIT STATUS: CRASHED signal 6 (").says("EXIT STATUS: TIMED OUT (1 seconds)");
    assert!(ran.stdout.starts_with("[a]/own"), "{ran:#?}");

    let made = tool(&dir, &["klee-replay", "--create-files-only", "t.ktest"]);
    let at = made.code(0).stderr.split("replay files in ").nth(1).and_then(|it| it.lines().next());
    let at = Path::new(at.expect("a directory"));
    assert_eq!(fs::read(at.join("A")).expect("a file"), b"file");
    fs::remove_dir_all(at).expect("removed");
    tool(&dir, &["klee-replay", "none", "t.ktest"]).code(2).says("cannot find 'none'");
    tool(&dir, &["klee-replay", "p", "p.c"]).code(2).says("not a test");
    tool(&dir, &["ktest-gen", "--sym-stdin"]).code(2).says("missing its FILE");
    tool(&dir, &["ktest-gen", "--sym-file", "none"]).code(2).says("cannot read 'none'");
}

#[test]
fn ktest_randgen_makes_seeds() {
    let dir = TestDir::new();
    let options = "--sym-args 0 2 3 --sym-args 1 3 2 --sym-files 2 4 --sym-stdin 5 --sym-stdout";
    for seed in 1..9 {
        for name in ["a", "b"] {
            let words = format!("ktest-randgen {seed} {options} --bout-file {name}.ktest");
            tool(&dir, &words.split(' ').collect::<Vec<_>>()).code(0).quiet();
        }
        let read = |name: &str| fs::read(dir.path(name)).expect("written");
        assert!(read("a.ktest") == read("b.ktest"), "the same seed, {seed}, gives the same test");
        dir.byway(&["show", "--command", "a.ktest"]).code(0).quiet();
    }
    let wrong = |words: &str, why: &str| {
        let words: Vec<&str> = words.split(' ').collect();
        tool(&dir, &words).code(2).says(why);
    };
    wrong("ktest-randgen 0 --unexpected", "unexpected option '--unexpected'");
    wrong("ktest-randgen x", "'x' is not a number for SEED");
    wrong("ktest-randgen 1 --sym-args 5 3", "missing its LEN");
    wrong("ktest-randgen 1 --sym-env X 3", "arguments, files and standard streams only");
    wrong("ktest-randgen 1 --bout-file", "missing its FILE");
    tool(&dir, &["ktest-randgen"]).code(2).says("Usage: ktest-randgen SEED");
    assert!(tool(&dir, &["ktest-randgen", "--help"]).code(0).stdout.starts_with("Usage: "));

    dir.file("seeds/.keep", "")
        .file("p.c", "int main(int argc, char **argv) { return argc > 1 && argv[1][0] == 'q'; }");
    fs::rename(dir.path("a.ktest"), dir.path("seeds/a.ktest")).expect("moved");
    fs::remove_file(dir.path("seeds/.keep")).expect("removed");
    let ran = ["run", "--seed-dir", "seeds", "--sym-args", "0", "6", "3"];
    let files = ["--sym-files", "2", "4", "--sym-stdin", "5", "p.c"];
    let ran = dir.byway(&[&ran[..], &files].concat());
    ran.code(0).says("1 completed on 1 path");
}

const TWO_INPUTS: &str = r#"
#include <klee/klee.h>
#include <stdio.h>
int main(void)
{
	int first, second;
	klee_make_symbolic(&first, sizeof first, "x");
	klee_make_symbolic(&second, sizeof second, "x");
	klee_assume(first < 10);
	int number = klee_range(0, 5, "number");
#ifdef PRINT
	printf("%d %d %d\n", first, second, number);
#endif
	return first == 7 && second == 8;
}
"#;

/// The objects as KLEE names them: both `x`.
fn repeated(first: i32, second: i32, number: i32) -> [(&'static str, [u8; 4]); 3] {
    [("x", first.to_le_bytes()), ("x", second.to_le_bytes()), ("number", number.to_le_bytes())]
}

fn write_repeated(path: &Path, values: [i32; 3]) {
    let objects = repeated(values[0], values[1], values[2]);
    let objects: Vec<(&str, &[u8])> =
        objects.iter().map(|(name, bytes)| (*name, bytes.as_slice())).collect();
    write_test(path, &["p.bc"], &objects);
}

#[test]
fn klees_tests_run_with_the_library() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let dir = TestDir::new();
    let built = Command::new(root.join("runtime/replay/build-runtest"))
        .arg(dir.path("lib"))
        .env("CC", std::env::var_os("BYWAY_CLANG").unwrap_or_else(|| "clang-22".into()))
        .status();
    assert!(built.expect("the script starts").success());
    dir.file("p.c", TWO_INPUTS);
    let include = format!("-I{}", root.join("runtime/include").display());
    dir.clang(&[&include, "-DPRINT", "p.c", "-Llib", "-lkleeRuntest", "-o", "shared"]);
    dir.clang(&[&include, "-DPRINT", "p.c", "lib/libkleeRuntest.a", "-o", "static"]);
    write_repeated(&dir.path("good.ktest"), [3, 4, 2]);
    write_repeated(&dir.path("bad.ktest"), [30, 4, 9]);
    write_test(&dir.path("short.ktest"), &["p.bc"], &[("x", &[1, 0, 0, 0]), ("y", b"ab")]);
    let call = |program: &str, env: &[(&str, &str)], input: &str| {
        let mut command = Command::new(dir.path(program));
        command.current_dir(dir.path("")).env("LD_LIBRARY_PATH", "lib");
        run(command.envs(env.iter().copied()), input)
    };
    for program in ["shared", "static"] {
        call(program, &[("KTEST_FILE", "good.ktest")], "").code(0).quiet().stdout("3 4 2\n");
        let asked = call(program, &[], "good.ktest\n");
        let prompt = "KLEE-RUNTIME: KTEST_FILE not set, please enter .ktest path: ";
        asked.code(0).stdout(&format!("{prompt}3 4 2\n"));
        call(program, &[], "").code(1).says("no KTEST_FILE or user input");
        call(program, &[("KTEST_FILE", "none")], "").code(1).says("unable to open .ktest file");
        let bad = call(program, &[("KTEST_FILE", "bad.ktest")], "");
        bad.code(1).says("KLEE_RUN_TEST_ERROR: invalid klee_assume\n");
        let go_on = "KLEE_RUN_TEST_ERRORS_NON_FATAL";
        let bad = call(program, &[("KTEST_FILE", "bad.ktest"), (go_on, "1")], "");
        bad.code(0).stdout("30 4 9\n").says("invalid klee_range(0,5,number) value, got: 9\n");
        let short = call(program, &[("KTEST_FILE", "short.ktest"), (go_on, "1")], "");
        short.code(0).stdout("1 25185 0\n").says("Requesting \"x\" but returning \"y\"");
        short.says("object sizes differ. Expected 4 but got 2").says("out of inputs");
        call(program, &[("KTEST_FILE", "bad.ktest"), (go_on, "STOP")], "").code(0).stdout("");
    }
}

#[test]
fn tests_that_repeat_a_name_replay() {
    let dir = TestDir::new();
    dir.file("p.c", TWO_INPUTS);
    dir.byway(&["run", "--output-dir", "out", "p.c"]).code(0);
    let tests = fs::read_dir(dir.path("out/tests")).expect("tests").flatten();
    for entry in tests {
        let path = entry.path();
        let mut test = ktest::read(&path).expect("a test");
        assert_eq!(test.inputs[1].name, "x_1");
        test.inputs[1].name = "x".into();
        ktest::write(&path, &test).expect("written as by KLEE");
    }
    let replayed = dir.byway(&["replay", "out"]);
    assert!(!replayed.code(0).stdout.contains("diverges"), "{replayed:#?}");
    fs::create_dir(dir.path("seeds")).expect("a directory");
    write_repeated(&dir.path("seeds/s.ktest"), [7, 8, 1]);
    let seeded = dir.byway(&["run", "--seed-dir", "seeds", "--output-dir", "seeded", "p.c"]);
    seeded.code(0).says("1 completed on 1 path");
}
