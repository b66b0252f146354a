//! `byway run --seed-dir`: tests, command lines and plain files to begin with.

use std::collections::BTreeSet;
use std::fs;

use byway_base::{Input, TestCase};
use byway_testcase::ktest;
use serde_json::Value;

use crate::run::{lines, record};
use crate::setup::TestDir;

/// Opens only for one word of twelve bytes, whose check tells nothing of how near one is.
const LOCK: &str = r#"
#include <byway.h>
int main(void)
{
    unsigned char word[12];
    unsigned long hash = 14695981039346656037ul;
    byway_make_symbolic(word, sizeof word, "word");
    for (int i = 0; i < 12; i++)
        hash = (hash ^ word[i]) * 1099511628211ul;
    if (hash == HASH)
        byway_report("opened");
    return 0;
}
"#;
const WORD: &[u8; 12] = b"let me in...";

fn lock() -> String {
    let step = |hash: u64, &byte: &u8| (hash ^ u64::from(byte)).wrapping_mul(1_099_511_628_211);
    let hash = WORD.iter().fold(14_695_981_039_346_656_037, step);
    LOCK.replace("HASH", &format!("{hash}ul"))
}

/// Takes `-x WORD` and reads its input; 42 if the word is its first bytes.
const TOOL: &str = r#"
#include <stdio.h>
#include <string.h>
int main(int argc, char **argv)
{
    char in[8] = "";
    if (argc != 3 || strcmp(argv[1], "-x"))
        return 1;
    size_t size = fread(in, 1, sizeof in - 1, stdin);
    if (size < 3)
        return 2;
    return strlen(argv[2]) > 1 && !memcmp(in, argv[2], strlen(argv[2])) ? 42 : 3;
}
"#;

fn test(args: &str, inputs: &[(&str, &[u8])]) -> Vec<u8> {
    let input = |&(name, bytes): &(&str, &[u8])| Input { name: name.into(), bytes: bytes.into() };
    let args = args.split(' ').map(|word| word.as_bytes().to_vec()).collect();
    let test = TestCase { args, inputs: inputs.iter().map(input).collect() };
    ktest::encode(&test).expect("a test")
}

/// The seeds of the paths of a run, and how these ended.
fn followed(lab: &TestDir) -> Vec<(String, Value)> {
    let paths = lines(&lab.path("out/paths.jsonl"));
    let seed = |path: &Value| Some((path["seed"].as_str()?.to_string(), path["outcome"].clone()));
    paths.iter().filter_map(seed).collect()
}

fn digests(lab: &TestDir, out: &str) -> BTreeSet<String> {
    lines(&lab.path(out)).iter().map(|path| path["digest"].to_string()).collect()
}

fn summary(lab: &TestDir) -> Value {
    record(&lab.path("out/summary.json"))["seeds"].clone()
}

#[test]
fn plain_files_and_tests_are_the_input_a_program_asks_for() {
    let lab = TestDir::new();
    lab.file("lock.c", lock()).file("seeds/1", "nothing here").file("seeds/2", WORD);
    lab.file("seeds/3.ktest", test("lock.c", &[("other", b"x"), ("word", b"nor is here.")]));
    lab.file("seeds/4", WORD).file("seeds/5", "too short").file("seeds/.hidden", "x");
    let words = ["run", "--output-dir", "out", "--solver-effort", "1", "--seed-dir", "seeds"];
    let run = lab.byway(&[&words[..], &["lock.c"]].concat());
    run.code(1).says("error[reported]: opened").says(" 2e 2e 2e \"let me in...\"\n");
    run.says("seeds         4: 4 completed on 2 paths, 1 padded or truncated, 1 duplicate\n");
    let followed = followed(&lab);
    let kinds: Vec<_> = followed.iter().map(|(seed, end)| (&seed[..], &end["kind"])).collect();
    assert_eq!(kinds, [("1", &"exit".into()), ("2", &"fault".into())]);
    let stats = lab.byway(&["stats", "out"]);
    assert!(stats.stdout.contains("seeds         4: 4 completed"), "{}", stats.stdout);
    let manifest = record(&lab.path("out/manifest.json"));
    assert_eq!(manifest["config"]["seeds"]["count"], 4);
    assert_eq!(manifest["config"]["seeds"]["directories"][0], "seeds");
}

#[test]
fn tests_with_other_names_match_by_order_and_size() {
    let lab = TestDir::new();
    let source = r#"
#include <klee/klee.h>
int main(void)
{
    int one, two;
    char three[3];
    klee_make_symbolic(&one, sizeof one, "one");
    klee_make_symbolic(&two, sizeof two, "two");
    klee_make_symbolic(three, sizeof three, "three");
    return one == 1 && two == 2 && three[0] == 'c' ? 42 : 0;
}
"#;
    lab.file("a.c", source);
    let (one, two): (&[u8], &[u8]) = (&[1, 0, 0, 0], &[2, 0, 0, 0]);
    type Inputs<'a> = &'a [(&'a str, &'a [u8])];
    let seeds: [(&str, Inputs); 4] = [
        ("all-others", &[("x", one), ("unused", b"12345"), ("y", two), ("z", b"cde")]),
        // The names that fit come first: `one` has its own bytes, and `x` is before them.
        ("some", &[("x", two), ("one", one), ("y", two), ("z", b"cdf")]),
        ("swapped", &[("two", two), ("one", one), ("z", b"cdg")]),
        ("nothing", &[("x", b"12"), ("y", b"12345")]),
    ];
    for (name, inputs) in seeds {
        lab.file(&format!("seeds/{name}.ktest"), test("a.c", inputs));
    }
    let run = lab.byway(&["run", "--output-dir", "out", "--seed-dir", "seeds", "a.c"]);
    run.code(0)
        .says("byway: seed 'nothing.ktest' has bytes for no input: it has 'x' of 2 bytes, and the");
    run.says(" program's first input is 'one' of 4 bytes\n");
    run.says("seeds         4: 4 completed on ").says(", 1 with bytes for no input\n");
    let codes: Vec<Value> = followed(&lab).iter().map(|(_, end)| end["code"].clone()).collect();
    assert_eq!(codes, [42, 0], "three seeds on one path, one on another");
    assert_eq!(summary(&lab)["unmatched"], 1);
    let stats = lab.byway(&["stats", "out"]);
    assert!(stats.stdout.contains(", 1 with bytes for no input"), "{}", stats.stdout);
}

#[test]
fn klees_newer_names_are_read() {
    let lab = TestDir::new();
    lab.file("a.c", "#include <stdio.h>\nint main(void) { return getc(fopen(\"A\", \"r\")) == 'Q' ? 42 : 0; }\n");
    let status = [7; 144];
    let inputs: [(&str, &[u8]); 3] =
        [("A_data", b"QR"), ("A_data_stat", &status), ("model_version", &[1, 0, 0, 0])];
    let words = ["run", "--output-dir", "out", "--seed-dir", "seeds", "a.c", "--"];
    for (files, size) in [("1", "2"), ("2", "3")] {
        lab.file("seeds/klee.ktest", test("a.bc --sym-files 1 2", &inputs));
        let run = lab.byway(&[&words[..], &["--sym-files", files, size]].concat());
        run.code(0).says("seeds         1: 1 completed on 1 path");
        assert!(!run.stderr.contains("no input"), "{run:#?}");
        assert_eq!(followed(&lab)[0].1["code"], 42, "--sym-files {files} {size}");
        fs::remove_dir_all(lab.path("out")).expect("the run's directory");
    }
}

#[test]
fn command_lines_bring_arguments_and_standard_input() {
    let lab = TestDir::new();
    lab.file("tool.c", TOOL).file("seeds/sub/in", "a bc");
    lab.file("seeds/lines.args", "# a comment\n\n-x 'a b' < sub/in\n-y b\n-x # no more\n");
    let words = ["run", "--output-dir", "out", "--max-work", "300k", "--seed-dir", "seeds"];
    let input = ["--sym-args", "0", "1", "8", "--sym-args", "0", "2", "3", "--sym-stdin", "5"];
    let run = lab.byway(&[&words[..], &input, &["--sym-sizes", "tool.c"]].concat());
    run.code(0).says("seeds         3: 3 completed on 3 paths\n");
    let codes: Vec<_> =
        followed(&lab).into_iter().map(|(seed, end)| (seed, end["code"].clone())).collect();
    let expected = [("lines.args:3", 42), ("lines.args:4", 1), ("lines.args:5", 1)];
    assert_eq!(codes, expected.map(|(seed, code)| (seed.to_string(), Value::from(code))));
    // The test is the seed, whatever other input would take the same path.
    let first = ktest::read(&lab.path("out/tests/000001.ktest")).expect("a test");
    let stdin = first.inputs.iter().find(|input| input.name == "stdin").expect("an input");
    assert_eq!(stdin.bytes, b"a bc\0");
}

#[test]
fn plain_files_are_standard_input_or_a_file() {
    let lab = TestDir::new();
    let source = r#"
#include <stdio.h>
int main(int argc, char **argv)
{
    FILE *f = argc > 1 ? fopen("A", "r") : stdin;
    return f ? getc(f) : 255;
}
"#;
    lab.file("first.c", source).file("seeds/x", "Q and more").file("seeds/y", "R");
    let words = ["run", "--output-dir", "out", "--max-work", "100k", "--seed-dir", "seeds"];
    let run = lab.byway(&[&words[..], &["--sym-stdin", "4", "first.c"]].concat());
    run.code(0).says(", 2 padded or truncated\n");
    let codes = |lab: &TestDir| -> Vec<Value> {
        followed(lab).iter().map(|(_, outcome)| outcome["code"].clone()).collect()
    };
    assert_eq!(codes(&lab), [b'Q'], "one path, whatever it reads");
    fs::remove_dir_all(lab.path("out")).expect("the run's directory");
    let run = lab.byway(&[&words[..], &["--sym-files", "1", "4", "first.c", "--", "A"]].concat());
    run.code(0);
    assert_eq!(codes(&lab), [b'Q']);
}

#[test]
fn tests_made_with_other_options_are_said_again() {
    let lab = TestDir::new();
    lab.file("tool.c", TOOL);
    // As KLEE writes it, for `klee tool.bc --sym-args 0 3 4 --sym-files 1 2 --sym-stdin 6`.
    let status = [7; 144];
    let inputs: [(&str, &[u8]); 9] = [
        ("n_args", &[2, 0, 0, 0]),
        ("arg00", b"-x\0\0\0"),
        ("arg01", b"ab\0\0\0"),
        ("A-data", b"\0\0"),
        ("A-data-stat", &status),
        ("stdin", b"abcdef"),
        ("stdin-stat", &status),
        ("model_version", &[1, 0, 0, 0]),
        ("own", b"?"),
    ];
    let options = "tool.bc --sym-args 0 3 4 --sym-files 1 2 --sym-stdin 6";
    lab.file("seeds/klee.ktest", test(options, &inputs));
    lab.file(
        "seeds/same.ktest",
        test(
            "t --sym-arg 2 --sym-arg 2 --sym-files 1 1 --sym-stdin 6",
            &[("arg00", b"-x\0"), ("arg01", b"ef\0"), ("stdin", b"efefef")],
        ),
    );
    let words = ["run", "--output-dir", "out", "--max-work", "100k", "--seed-dir", "seeds"];
    let input = ["--sym-arg", "2", "--sym-arg", "2", "--sym-files", "1", "1", "--sym-stdin", "6"];
    let run = lab.byway(&[&words[..], &input, &["tool.c"]].concat());
    run.code(0).says("seeds         2: 2 completed on ");
    assert!(followed(&lab).iter().all(|(_, end)| end["code"] == 42), "{:?}", followed(&lab));
}

#[test]
fn bad_files_are_told_and_left_out() {
    let lab = TestDir::new();
    lab.file("tool.c", TOOL).file("seeds/good.args", "-x ab\n");
    lab.file("seeds/bad.ktest", "KTESTgarbage").file("seeds/empty.ktest", "");
    lab.file("seeds/lines.args", "-x 'ab\n-x ab < nowhere\n-x abcdefghi\na b c d\ncat | x\n");
    lab.file("seeds/plain", "there is no place for it");
    std::os::unix::fs::symlink("/dev/zero", lab.path("seeds/zero")).expect("a link");
    let words = ["run", "--output-dir", "out", "--max-work", "100k", "--seed-dir", "seeds"];
    let run = lab.byway(&[&words[..], &["--sym-args", "0", "3", "4", "tool.c"]].concat());
    run.code(0).says("byway: warning: seed 'bad.ktest' is not used: a test of version ");
    run.says("seed 'empty.ktest' is not used: not a test");
    run.says("seed 'lines.args:1' is not used: unclosed quote\n");
    run.says("seed 'lines.args:2' is not used: its input 'nowhere': No such file or directory\n");
    run.says(
        "seed 'lines.args:3' is not used: argument 2 has 9 bytes, the options allow 4 at most",
    );
    run.says("seed 'lines.args:4' is not used: it has 4 arguments, the options allow 0 to 3\n");
    run.says("seed 'lines.args:5' is not used: '|' would need a shell");
    run.says("seed 'plain' is not used: there is no symbolic standard input or file ");
    run.says("seed 'zero' is not used: ");
    run.says("    4 not used: it does not fit the options\n");
    let seeds = summary(&lab);
    assert_eq!((&seeds["taken"], &seeds["ended"]), (&1.into(), &1.into()));
    assert_eq!(seeds["unused"]["it cannot be read"], 5);
}

#[test]
fn a_directory_without_seeds_is_refused() {
    let lab = TestDir::new();
    lab.file("lock.c", lock()).file("outer/queue/1", "x").file("file", "x");
    fs::create_dir(lab.path("empty")).expect("a directory");
    let run = |dir: &str| lab.byway(&["run", "--seed-dir", dir, "lock.c"]);
    run("missing").code(2).says("cannot read the seeds in 'missing': No such file or directory");
    run("empty").code(2).says("'empty' contains no seeds").says("hint: ");
    run("outer").code(2).says("as in '--seed-dir outer/queue'");
    run("file").code(2).says("cannot read the seeds in 'file': Not a directory");
    assert!(!lab.path("byway-out-1").exists());
}

#[test]
fn what_breaks_an_assumption_is_named() {
    let lab = TestDir::new();
    let source = r#"
#include <byway.h>
int main(void)
{
    char c;
    byway_make_symbolic(&c, 1, "c");
    byway_assume(c != 'x');
    return c == 'y';
}
"#;
    lab.file("a.c", source).file("seeds/x", "x").file("seeds/y", "y");
    let run = lab.byway(&["run", "--output-dir", "out", "--seed-dir", "seeds", "a.c"]);
    run.code(0).says("byway: seed 'x' is abandoned: it breaks an assumption of the program\n");
    run.says("seeds         2: 1 completed on 1 path, 1 abandoned\n");
    run.says("    1 abandoned: it breaks an assumption of the program\n");
    run.says("byway: explored completely after ");
}

#[test]
fn a_complete_run_finds_the_same_paths_with_seeds() {
    let lab = TestDir::new();
    lab.file("tool.c", TOOL).file("seeds/a.args", "-x a\n-x ab\n\n-y\n'' ''\n");
    let input = ["--sym-args", "0", "2", "2", "--sym-stdin", "3", "--sym-sizes", "tool.c"];
    lab.byway(&[&["run", "--output-dir", "plain"][..], &input].concat()).code(0);
    for feasibility in ["eager", "lazy"] {
        let words = ["run", "--output-dir", feasibility, "--feasibility", feasibility];
        let run = lab.byway(&[&words[..], &["--seed-dir", "seeds"], &input].concat());
        run.code(0).says("byway: explored completely after ");
        let found = digests(&lab, &format!("{feasibility}/paths.jsonl"));
        assert_eq!(found, digests(&lab, "plain/paths.jsonl"));
    }
}

#[test]
fn the_tests_of_a_run_are_seeds_of_its_paths() {
    let lab = TestDir::new();
    lab.file("tool.c", TOOL);
    let input = ["--sym-args", "0", "2", "2", "--sym-stdin", "3", "--sym-sizes", "tool.c"];
    lab.byway(&[&["run", "--output-dir", "first"][..], &input].concat()).code(0);
    let count = lines(&lab.path("first/paths.jsonl")).len();
    let words = ["run", "--output-dir", "out", "--seed-dir", "first/tests"];
    let run = lab.byway(&[&words[..], &input].concat());
    run.code(0).says(&format!("{count}: {count} completed on {count} paths\n"));
    assert_eq!(digests(&lab, "first/paths.jsonl"), digests(&lab, "out/paths.jsonl"));
}
