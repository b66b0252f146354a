//! `byway cover`: it measures the same as gcov, and its reports show the results.

use std::fs;
use std::path::Path;
use std::process::Command;

use byway_base::TestCase;
use byway_testcase::ktest;
use serde_json::{Value, json};

use crate::setup::{Run, TestDir};

/// Takes its ways by its arguments alone, so that it can be run by hand as well.
const BY_ARGUMENTS: &str = r#"#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void leave(int code)
{
	if (code > 1)
		exit(code);
}

static int weigh(const char *word)
{
	int sum = 0;
	for (int i = 0; word[i]; i++) {
		if (word[i] == 'a' || (word[i] > 'm' && word[i] < 'p'))
			sum += 2;
		else
			sum++;
		switch (word[i]) {
		case 'x': return -1;
		case 'y':
		case 'z': sum = 0; break;
		default: break;
		}
	}
	return sum > 3 ? 3 : sum;
}

int main(int argc, char **argv)
{
	int total = 0;
	for (int i = 1; i < argc; i++) {
		if (strcmp(argv[i], "stop") == 0) leave(2);
		total += weigh(argv[i]);
	}
	leave(total);
	printf("%d\n", total);
	return 0;
}
"#;

const WORDS: [&[&str]; 4] = [&[], &["a"], &["xy", "stop"], &["o", "zz", "y"]];

/// A run directory by hand, with tests that have these arguments.
pub fn story(lab: &TestDir, file: &str, tests: &[&[&str]]) {
    let source = fs::read(lab.path(file)).unwrap_or_default();
    lab.file("run/tests/.keep", "");
    let mut paths = String::new();
    for (index, words) in tests.iter().enumerate() {
        let name = format!("{:06}.ktest", index + 1);
        let args = ["prog"].iter().chain(words.iter()).map(|word| word.as_bytes().to_vec());
        let test = TestCase { args: args.collect(), inputs: vec![] };
        ktest::write(&lab.path(&format!("run/tests/{name}")), &test).expect("a test");
        let record = json!({
            "path": index + 1, "test": name, "outcome": {"kind": "exit", "code": 0}, "depth": 1,
            "instructions": 10, "digest": "0123456789abcdef", "newly_covered": 0,
        });
        paths += &format!("{record}\n");
    }
    let hash = hash_by_byway(lab, file, &source);
    let manifest = json!({
        "schema": 1, "byway": "0.1.0",
        "program": {
            "files": [{"given": file, "path": lab.path(file), "hash": hash}],
            "directory": lab.path(""),
            "compiler": {"clang": "clang-22", "optimise": "0", "options": []},
            "digest": "0".repeat(32), "args": ["prog"], "env": [],
        },
        "config": {
            "search": ["dfs"], "feasibility": "eager", "checks": [], "tests": "all",
            "solver_check": false, "limits": {"path_memory": 0, "path_calls": 0},
        },
        "seed": 0,
    });
    lab.file("run/manifest.json", manifest.to_string());
    lab.file("run/paths.jsonl", paths).file("run/faults.jsonl", "");
    lab.file("run/clock.jsonl", "{\"schema\":1,\"started_ms\":0,\"load_ms\":0}\n");
}

/// The hash that a run would keep of a file: byway's own, from a run of it that ends at once.
fn hash_by_byway(lab: &TestDir, file: &str, source: &[u8]) -> String {
    if source.is_empty() || !file.ends_with(".c") {
        return "0".repeat(32);
    }
    lab.byway(&["run", "--max-work", "1", "--output-dir", "hashed", file]);
    let manifest = fs::read_to_string(lab.path("hashed/manifest.json")).expect("a manifest");
    fs::remove_dir_all(lab.path("hashed")).expect("removable");
    let manifest: Value = serde_json::from_str(&manifest).expect("JSON");
    manifest["program"]["files"][0]["hash"].as_str().expect("a hash").into()
}

/// The sums of a file in `lcov.info`: lines hit and found, sides hit and found.
fn sums(lab: &TestDir, file: &str) -> [u64; 4] {
    let text = fs::read_to_string(lab.path("run/cover/lcov.info")).expect("lcov.info");
    let record = text.split("end_of_record").find(|record| {
        record.lines().any(|line| line.strip_prefix("SF:").is_some_and(|name| name.ends_with(file)))
    });
    let record = record.unwrap_or_else(|| panic!("no {file} in {text}"));
    ["LH:", "LF:", "BRH:", "BRF:"].map(|key| {
        let value = record.lines().find_map(|line| line.strip_prefix(key)).expect(key);
        value.parse().expect("a number")
    })
}

/// How many tests run a line, by `lcov.info`; `None` if it holds no code.
fn tests_on(lab: &TestDir, line: usize) -> Option<u64> {
    let text = fs::read_to_string(lab.path("run/cover/lcov.info")).expect("lcov.info");
    text.lines().find_map(|it| it.strip_prefix(&format!("DA:{line},"))?.parse().ok())
}

/// The totals that gcov prints for the first file, such as `Lines executed:88.00% of 25`.
fn gcovs(text: &str) -> Vec<String> {
    let wanted = ["Lines executed:", "Taken at least once:"];
    let found = wanted.map(|key| text.lines().find_map(|line| line.strip_prefix(key)));
    found.iter().map(|it| it.unwrap_or_else(|| panic!("{text}")).to_string()).collect()
}

fn as_gcov_says([lines_hit, lines, sides_hit, sides]: [u64; 4]) -> Vec<String> {
    let say = |hit: u64, all: u64| format!("{:.2}% of {all}", hit as f64 * 100.0 / all as f64);
    vec![say(lines_hit, lines), say(sides_hit, sides)]
}

fn output(command: &mut Command) -> String {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    assert!(output.status.success(), "{command:?}: {output:?}");
    String::from_utf8(output.stdout).expect("text")
}

/// Runs the words by hand on a build of the compiler's, and asks its own tool.
fn by_hand(lab: &TestDir, compiler: &str, tool: &[&str]) -> Vec<String> {
    let here = lab.path(compiler);
    fs::create_dir(&here).expect("a directory");
    let mut build = Command::new(compiler);
    build.current_dir(&here).args(["-O0", "--coverage", "-w", "-c", "../a.c", "-o", "a.o"]);
    output(&mut build);
    output(Command::new(compiler).current_dir(&here).args(["--coverage", "a.o", "-o", "a"]));
    for words in WORDS {
        Command::new(here.join("a")).current_dir(&here).args(words).output().expect("it runs");
    }
    let mut ask = Command::new(tool[0]);
    gcovs(&output(ask.current_dir(&here).args(&tool[1..]).args(["-b", "-n", "a.gcda"])))
}

#[test]
fn percentages_equal_those_of_gcov() {
    let lab = TestDir::new();
    lab.file("a.c", BY_ARGUMENTS);
    story(&lab, "a.c", &WORDS);
    let run = lab.byway(&["cover", "run", "--compiler", "gcc"]);
    run.code(0);
    assert!(run.stdout.starts_with("4 tests of 'run', measured with gcc -O0 --coverage\n"));
    assert_eq!(as_gcov_says(sums(&lab, "a.c")), by_hand(&lab, "gcc", &["gcov"]));
    // The same for a program that the user built.
    let measured = sums(&lab, "a.c");
    for file in fs::read_dir(lab.path("gcc")).expect("a directory").flatten() {
        if file.path().extension().is_some_and(|it| it == "gcda") {
            fs::remove_file(file.path()).expect("removable");
        }
    }
    lab.byway(&["cover", "run", "--coverage-build", "gcc/a"]).code(0);
    assert_eq!(sums(&lab, "a.c"), measured);
}

#[test]
fn percentages_equal_those_of_llvm_cov() {
    let lab = TestDir::new();
    // Without a call that does not return, which clang's counters do not show.
    lab.file("a.c", BY_ARGUMENTS.replace("exit(code);", "puts(\"left\");"));
    story(&lab, "a.c", &WORDS);
    let run = lab.byway(&["cover", "run", "--compiler", "clang"]);
    run.code(0);
    assert!(run.stdout.contains("measured with clang -O0 --coverage"), "{run:#?}");
    let by_hand = by_hand(&lab, "clang-22", &["llvm-cov-22", "gcov"]);
    assert_eq!(as_gcov_says(sums(&lab, "a.c")), by_hand);
    // Bitcode goes the same way, by LLVM's own pass.
    lab.clang(&["-O0", "-g", "-w", "-emit-llvm", "-c", "a.c", "-o", "a.bc"]);
    story(&lab, "a.bc", &WORDS);
    lab.byway(&["cover", "run"]).code(0);
    assert_eq!(as_gcov_says(sums(&lab, "a.c")), by_hand);
    lab.clang(&["-O0", "-w", "-emit-llvm", "-c", "a.c", "-o", "a.bc"]);
    lab.byway(&["cover", "run"]).code(2).says("'a.bc' has no debug information");
}

/// A program of `1 + others` files, each of which has a function with one branch.
fn linked(others: usize) -> (TestDir, Vec<String>) {
    let lab = TestDir::new();
    let parts: Vec<String> = (0..others).map(|part| format!("part{part}")).collect();
    for part in &parts {
        lab.file(
            &format!("{part}.c"),
            format!("int {part}(int n)\n{{\n\tif (n > 1)\n\t\treturn 1;\n\treturn 0;\n}}\n"),
        );
    }
    let declared: String = parts.iter().map(|part| format!("int {part}(int);\n")).collect();
    let called: String = parts.iter().map(|part| format!("\tsum += {part}(argc);\n")).collect();
    let main = "int main(int argc, char **argv)\n{\n\tint sum = 0;\n\tif (!argv)\n\t\treturn 9;\n";
    lab.file("main.c", format!("{declared}{main}{called}\treturn sum;\n}}\n"));
    let names: Vec<String> = parts.into_iter().chain(["main".into()]).collect();
    for name in &names {
        let (source, bitcode) = (format!("{name}.c"), format!("{name}.bc"));
        lab.clang(&["-O0", "-g", "-emit-llvm", "-c", &source, "-o", &bitcode]);
    }
    (lab, names)
}

#[test]
fn linked_modules_are_counted_once() {
    for others in [1, 3] {
        let (lab, names) = linked(others);
        let files = names.iter().map(|name| format!("{name}.bc"));
        let mut link = Command::new("llvm-link-22");
        output(link.current_dir(lab.path("")).args(files).args(["-o", "all.bc"]));
        story(&lab, "all.bc", &[&["a"]]);
        let run = lab.byway(&["cover", "run"]);
        run.code(0);
        // Called with one argument: the parts return 1, and main does not return 9.
        assert_eq!(sums(&lab, "main.c"), [5 + others as u64, 6 + others as u64, 1, 2], "{run:#?}");
        for part in &names[..others] {
            assert_eq!(sums(&lab, &format!("{part}.c")), [4, 5, 1, 2], "{run:#?}");
        }
        let text = fs::read_to_string(lab.path("run/cover/lcov.info")).expect("lcov.info");
        for name in &names {
            let named = text
                .lines()
                .filter(|line| line.starts_with("FN:") && line.ends_with(&format!(",{name}")));
            assert_eq!(named.count(), 1, "{name} in {text}");
        }
    }
}

const ENDINGS: &str = r#"#include <signal.h>
#include <stdlib.h>
#include <unistd.h>
static void end(char how)
{
	if (how == 'a') abort();
	if (how == 'e') _exit(4);
	if (how == 'f') *(volatile int *)0 = 1;
	if (how == 't') raise(SIGTERM);
	while (how == 'l') { }
}
int main(int argc, char **argv)
{
	if (argc > 1)
		end(argv[1][0]);
	return 0;
}
"#;

#[test]
fn counters_are_saved_for_every_ending() {
    let lab = TestDir::new();
    lab.file("a.c", ENDINGS);
    story(&lab, "a.c", &[&["a"], &["e"], &["f"], &["t"], &["l"], &[]]);
    let run = lab.byway(&["cover", "run", "--compiler", "gcc", "--timeout", "1"]);
    run.code(0);
    assert!(run.stdout.starts_with("6 tests of 'run'"), "{run:#?}");
    assert!(!run.stdout.contains("not measured"), "{run:#?}");
    // A test that never returned from a call does not cover the line after it. A fault is not a
    // call: lines that necessarily follow it count.
    let lines = [6, 7, 8, 9, 10, 14, 15, 16].map(|line| tests_on(&lab, line));
    assert_eq!(lines, [5, 4, 3, 3, 1, 6, 5, 1].map(Some), "{run:#?}");
    // The same through a library that is loaded before a program built by hand.
    fs::create_dir(lab.path("build")).expect("a directory");
    let mut build = Command::new("gcc");
    output(build.current_dir(lab.path("build")).args(["--coverage", "-w", "../a.c", "-o", "prog"]));
    let run = lab.byway(&["cover", "run", "--coverage-build", "build/prog", "--timeout", "1"]);
    run.code(0);
    assert!(!run.stdout.contains("not measured"), "{run:#?}");
    assert_eq!([6, 16].map(|line| tests_on(&lab, line)), [Some(5), Some(1)]);
}

const SHOP: [(&str, &str); 3] = [
    (
        "main.c",
        "#include <byway.h>\n#include \"shop.h\"\nint main(void)\n{\n\tunsigned char n;\n\
         \tbyway_make_symbolic(&n, 1, \"n\");\n\tif (price(n) > 1000)\n\t\treturn 1;\n\
         \treturn stock(n);\n}\n",
    ),
    (
        "price.c",
        "#include \"shop.h\"\nint price(unsigned char n)\n{\n\tif (n < 10 && n > 20)\n\
         \t\treturn 2000;\n\treturn n < 100 ? 3 * n : 2 * n;\n}\n",
    ),
    (
        "stock <&\"'.c",
        "#include \"shop.h\"\n/* <script>alert(1)</script> & more */\nint stock(unsigned char n)\n\
         {\n\tswitch (n) {\n\tcase 1: return 4;\n\tcase 2:\n\tcase 3: return 5;\n\
         \tdefault: return 0;\n\t}\n}\n",
    ),
];

fn shop() -> (TestDir, Run) {
    let lab = TestDir::new();
    lab.file("shop.h", "int price(unsigned char);\nint stock(unsigned char);\n");
    SHOP.iter().for_each(|(name, text)| {
        lab.file(name, text);
    });
    let files = SHOP.map(|(name, _)| name);
    lab.byway(&[&["run", "--output-dir", "run"], &files[..]].concat()).code(0);
    let run = lab.byway(&["cover", "run"]);
    run.code(0);
    (lab, run)
}

#[test]
fn a_run_is_measured_and_uncovered_sides_are_explained() {
    let (lab, run) = shop();
    assert_eq!(sums(&lab, "main.c")[..2], [4, 5], "{run:#?}");
    assert_eq!(sums(&lab, "price.c")[..2], [3, 4], "{run:#?}");
    let [lines_hit, lines, sides_hit, sides] = sums(&lab, "stock <&\"'.c");
    assert_eq!((lines_hit, sides_hit), (lines, sides), "{run:#?}");
    // `price(n) > 1000` and `n < 10 && n > 20`.
    assert!(run.stdout.contains("2 branch sides not taken:\n       2  infeasible (proved)\n"));
    assert!(run.stdout.contains("The engine recorded the same lines as covered."), "{run:#?}");
    assert!(run.stdout.ends_with("\npage run/cover/index.html\n"), "{run:#?}");
}

#[test]
fn the_page_is_well_formed_and_has_the_numbers_of_the_table() {
    let (lab, run) = shop();
    let page = fs::read_to_string(lab.path("run/cover/index.html")).expect("a page");
    check_markup(&page);
    assert!(!page.contains("<script>alert"), "the source is not escaped");
    assert!(page.contains("stock &lt;&amp;&quot;&#39;.c"), "the name is not there");
    for foreign in ["http:", "https:", "src=\"", "@import"] {
        assert!(!page.contains(foreign), "it needs something from elsewhere: {foreign}");
    }
    for (name, _) in SHOP {
        let [lines_hit, lines, sides_hit, sides] = sums(&lab, name);
        let row = run.stdout.lines().find(|line| line.starts_with(&format!("  {name}")));
        let row = row.unwrap_or_else(|| panic!("no {name} in {run:#?}"));
        assert!(row.contains(&format!(" {lines_hit} of {lines} ")), "{row}");
        assert!(row.contains(&format!(" {sides_hit} of {sides} ")), "{row}");
        let heading =
            format!("{lines_hit} of {lines} lines, {sides_hit} of {sides} branch sides</small>");
        assert!(page.contains(&heading), "no {heading:?}");
    }
    let covered = page.matches("class=\"hit\"").count() + page.matches("class=\"part\"").count();
    let all: u64 = SHOP.iter().map(|(name, _)| sums(&lab, name)[0]).sum();
    assert_eq!(covered as u64, all);
    assert!(page.contains("infeasible (proved)"));
    // Whatever is linked to is there.
    for target in page.split("href=\"#").skip(1).filter_map(|rest| rest.split('"').next()) {
        assert!(page.contains(&format!("id=\"{target}\"")), "no {target}");
    }
    let tests = page.split("href=\"../tests/").skip(1).filter_map(|rest| rest.split('"').next());
    let tests: Vec<&str> = tests.collect();
    assert!(!tests.is_empty());
    tests.iter().for_each(|name| assert!(lab.path("run/tests").join(name).is_file(), "{name}"));
    // Twice the same gives the same.
    lab.byway(&["cover", "run", "--jobs", "1"]).code(0);
    assert_eq!(fs::read_to_string(lab.path("run/cover/index.html")).expect("a page"), page);
}

/// Every tag is closed, in order, and nothing that means something stands in a text.
fn check_markup(page: &str) {
    let mut open: Vec<&str> = Vec::new();
    let body = page.strip_prefix("<!DOCTYPE html>").expect("a document type");
    let mut rest = body;
    while let Some(at) = rest.find('<') {
        let (text, tag) = rest.split_at(at);
        if !matches!(open.last(), Some(&"script" | &"style")) {
            assert!(!text.contains('>'), "a stray '>' in {text:?}");
            for entity in text.split('&').skip(1) {
                let known = ["amp;", "lt;", "gt;", "quot;", "#39;"];
                assert!(known.iter().any(|it| entity.starts_with(it)), "a stray '&' in {text:?}");
            }
        }
        if let Some(script) = tag.strip_prefix("<script>") {
            rest = script.split_once("</script>").expect("the script ends").1;
            continue;
        }
        let (tag, after) = tag[1..].split_once('>').expect("a tag ends");
        assert_eq!(tag.matches('"').count() % 2, 0, "quotes of {tag:?}");
        let name = tag.split(|c: char| !c.is_alphanumeric() && c != '/').next().unwrap_or("");
        if let Some(closed) = name.strip_prefix('/') {
            assert_eq!(open.pop(), Some(closed), "after {text:?}");
        } else if !tag.ends_with('/') {
            open.push(name);
        }
        rest = after;
    }
    assert_eq!(open, [""; 0]);
}

#[test]
fn a_changed_or_missing_source_is_reported_and_not_shown() {
    let lab = TestDir::new();
    lab.file("a.c", BY_ARGUMENTS);
    story(&lab, "a.c", &WORDS);
    let mut build = Command::new("gcc");
    output(build.current_dir(lab.path("")).args(["--coverage", "-w", "a.c", "-o", "prog"]));
    let cover = || lab.byway(&["cover", "run", "--coverage-build", "prog"]);
    let page = || fs::read_to_string(lab.path("run/cover/index.html")).expect("a page");
    cover().code(0);
    assert!(page().contains("static int weigh"));
    let before = sums(&lab, "a.c");
    lab.file("a.c", "int changed;\n");
    let run = cover();
    run.code(0);
    assert!(run.stdout.contains("'a.c': it has changed since the run"), "{run:#?}");
    assert!(page().contains("changed since the run") && !page().contains("int changed"));
    check_markup(&page());
    fs::remove_file(lab.path("a.c")).expect("removable");
    let run = cover();
    run.code(0);
    assert!(run.stdout.contains("'a.c': the file was not found; --source-dir"), "{run:#?}");
    assert_eq!(sums(&lab, "a.c"), before);
    lab.byway(&["cover", "run"]).code(2).says("'a.c' does not compile natively");
}

const ASKING: &str = r#"#include <byway.h>
int main(void)
{
	unsigned char n, m;
	unsigned x;
	byway_make_symbolic(&n, 1, "n");
	byway_make_symbolic(&m, 1, "m");
	byway_make_symbolic(&x, 4, "x");
	if (n > 5) {
		if (n < 3) return 1;
	}
	if (m > n) return 2;
	if (x * x * 3 == 0x8bd5cb03u) return 3;
	if (n * m == 65535) return 4;
	return 0;
}
"#;

/// What a run with these options answered to paths that stood before a side: sums of
/// infeasible, undecided, dropped and waiting over the sides of a line.
fn answers(options: &[&str], line: u64) -> [u64; 4] {
    let lab = TestDir::new();
    lab.file("a.c", ASKING);
    lab.byway(&[&["run", "--output-dir", "run", "a.c"], options].concat()).code(0);
    let text = fs::read_to_string(lab.path("run/branches.json")).expect("branches");
    let record: Value = serde_json::from_str(&text).expect("JSON");
    let file = lab.path("a.c").display().to_string();
    let branches = record["files"][&file].as_array().expect("the file is there").iter();
    let on_line = branches.filter(|branch| branch["line"] == line);
    let sides = on_line.flat_map(|branch| branch["sides"].as_array().expect("sides"));
    let mut sums = [0; 4];
    for side in sides {
        for (sum, key) in sums.iter_mut().zip(["infeasible", "undecided", "dropped", "waiting"]) {
            *sum += side[key].as_u64().expect("a number");
        }
    }
    sums
}

#[test]
fn a_run_records_why_sides_are_not_taken() {
    for feasibility in ["eager", "lazy"] {
        let lazy = ["--feasibility", feasibility];
        // The domain of a byte knows it before anybody asks; a proof takes two bytes.
        assert_eq!(answers(&lazy, 10), [0; 4], "{feasibility}");
        let proved = answers(&lazy, 14);
        assert!(proved[0] > 0 && proved[1..] == [0; 3], "{feasibility}: {proved:?}");
        let shallow = answers(&[&lazy[..], &["--max-depth", "1"]].concat(), 12);
        assert!(shallow[2] > 0, "{feasibility}: {shallow:?}");
        let hasty = answers(&[&lazy[..], &["--solver-effort", "1"]].concat(), 13);
        assert!(hasty[1] > 0, "{feasibility}: {hasty:?}");
    }
    for feasibility in ["eager", "lazy"] {
        let waiting = ["--feasibility", feasibility, "--max-tests", "1"];
        assert!((9..=13).any(|line| answers(&waiting, line)[3] > 0), "{feasibility}");
    }
}

#[test]
fn a_run_without_tests_covers_nothing() {
    let lab = TestDir::new();
    lab.file("a.c", BY_ARGUMENTS);
    story(&lab, "a.c", &[]);
    let run = lab.byway(&["cover", "run"]);
    run.code(0);
    assert!(run.stdout.starts_with("0 tests of 'run'"), "{run:#?}");
    let [lines_hit, lines, sides_hit, _] = sums(&lab, "a.c");
    assert_eq!((lines_hit, sides_hit), (0, 0));
    assert!(lines > 10);
    check_markup(&fs::read_to_string(lab.path("run/cover/index.html")).expect("a page"));
}

#[test]
fn programs_that_cannot_be_measured_are_reported() {
    let lab = TestDir::new();
    lab.file("a.c", BY_ARGUMENTS);
    story(&lab, "a.c", &WORDS);
    lab.byway(&["cover", "nowhere"]).code(2).says("cannot read 'nowhere'");
    lab.byway(&["cover", "run", "--files", "b.c"])
        .code(2)
        .says("no line of the program is measured");
    lab.byway(&["cover", "run", "--tests", "9"]).code(2).says("'run' has no test 9");
    let run = lab.byway(&["cover", "run", "--coverage-build", "/bin/true"]);
    run.code(2).says("is not built with coverage");
    lab.byway(&["cover", "run", "--tests", "2", "--output-dir", "elsewhere"]).code(0);
    assert!(Path::new(&lab.path("elsewhere/lcov.info")).is_file());
}

#[test]
fn cover_json_credits_the_first_test() {
    let lab = TestDir::new();
    lab.file("a.c", BY_ARGUMENTS);
    story(&lab, "a.c", &WORDS);
    let record = |options: &[&str]| -> serde_json::Value {
        lab.byway(&[&["cover", "run", "--compiler", "gcc"], options].concat()).code(0);
        let text = fs::read_to_string(lab.path("run/cover/cover.json")).expect("cover.json");
        serde_json::from_str(&text).expect("JSON")
    };
    let all = record(&[]);
    let [lines_hit, lines, sides_hit, sides] = sums(&lab, "a.c");
    assert_eq!(all["lines"], json!({"covered": lines_hit, "total": lines}));
    assert_eq!(all["sides"], json!({"covered": sides_hit, "total": sides}));
    assert_eq!((&all["tests"], &all["left_out"]), (&json!(4), &json!(0)));
    let sum = |of: &serde_json::Value, what: &str| -> u64 {
        of["credit"].as_array().expect("credit").iter().filter_map(|it| it[what].as_u64()).sum()
    };
    assert_eq!((sum(&all, "lines"), sum(&all, "sides")), (lines_hit, sides_hit));
    assert_eq!(all["credit"][0]["test"], 1);
    // The paths of the last two tests were cut off: lines that only they cover are missing.
    let paths = fs::read_to_string(lab.path("run/paths.jsonl")).expect("paths");
    let cut =
        |line: &str| line.replace(r#"{"code":0,"kind":"exit"}"#, r#"{"kind":"out-of-budget"}"#);
    let paths: Vec<String> = paths
        .lines()
        .enumerate()
        .map(|(number, line)| if number < 2 { line.to_string() } else { cut(line) })
        .collect();
    assert!(paths[2].contains("out-of-budget"), "{paths:?}");
    lab.file("run/paths.jsonl", format!("{}\n", paths.join("\n")));
    assert_eq!(record(&["--partial-tests", "keep"])["lines"], all["lines"]);
    let ended = record(&["--partial-tests", "drop"]);
    assert_eq!((&ended["tests"], &ended["left_out"]), (&json!(2), &json!(2)));
    let credit = all["credit"].as_array().expect("credit").iter();
    let first_two = credit.filter(|it| it["test"].as_u64() <= Some(2));
    let lines: u64 = first_two.filter_map(|it| it["lines"].as_u64()).sum();
    assert!(lines < lines_hit);
    assert_eq!(ended["lines"]["covered"], lines);
}
