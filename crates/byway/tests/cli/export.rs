//! Runs with more tests than files: every command finds the tests in the pack, and `byway export`
//! makes files of them.

use std::fs;

use crate::setup::TestDir;

/// 243 paths; a search by breadth ends the one with the fault last.
const PROGRAM: &str = r#"
#include <byway.h>
int main(void)
{
    unsigned char word[5];
    int score = 0;
    byway_make_symbolic(word, sizeof word, "word");
    for (int i = 0; i < 5; i++) {
        score *= 3;
        if (word[i] > 200)
            score += 2;
        else if (word[i] > 100)
            score += 1;
    }
    if (score == 0)
        byway_report("all low");
    return score % 7;
}
"#;

const PATHS: usize = 243;

fn files(lab: &TestDir, folder: &str) -> usize {
    fs::read_dir(lab.path(folder)).expect("a directory").count()
}

/// Explores the program with five files; the fault is a sixth.
fn explored() -> TestDir {
    let lab = TestDir::new();
    lab.file("a.c", PROGRAM);
    let run = ["run", "--search", "bfs", "--test-files", "5", "--output-dir", "out", "a.c"];
    lab.byway(&run).code(1).says("tests         243 in out/tests and out/tests.pack");
    assert_eq!(files(&lab, "out/tests"), 6);
    lab
}

#[test]
fn commands_find_the_tests_in_the_pack() {
    let lab = explored();
    assert!(!lab.path("out/tests/000200.ktest").exists());
    let shown = |words: &[&str], text: &str| {
        let run = lab.byway(words);
        assert!(run.code(0).stdout.contains(text), "no {text:?} in {}", run.stdout);
    };
    shown(&["show", "out", "200"], "object 1 word, 5 bytes");
    shown(&["show", "out", "200"], "ends with exit code");
    shown(&["show", "out/tests/000200.ktest"], "object 1 word, 5 bytes");
    shown(&["show", "--command", "out", "200"], "byway export out");
    lab.byway(&["show", "out", "300"]).code(2).says("has no path 300");
    shown(&["replay", "out"], "243");
    lab.byway(&["minimize", "out", "--output-dir", "few"]).code(0).says("of 243 tests cover");
    assert!(files(&lab, "few") > 0);
    let seeds = ["run", "--seed-dir", "out/tests", "--only-seeds", "--output-dir", "again", "a.c"];
    lab.byway(&seeds).code(1).says("paths         243");
}

#[test]
fn export_makes_files_of_all_or_some() {
    let lab = explored();
    lab.byway(&["export", "out", "100", "101"]).code(0).says("2 tests written to out/tests");
    assert_eq!(files(&lab, "out/tests"), 8);
    lab.byway(&["export", "out", "--to", "all"]).code(0).says("243 tests written to all");
    assert_eq!(files(&lab, "all"), PATHS);
    lab.byway(&["export", "out"]).code(0).says("235 tests written to out/tests");
    assert_eq!(files(&lab, "out/tests"), PATHS);
    lab.byway(&["export", "out"]).code(0).says("0 tests written");
    lab.byway(&["export", "out", "999"]).code(2).says("'out' has no test 999");
    lab.byway(&["export", "nowhere"]).code(2).says("nowhere");
    for number in [1, 100, 243] {
        let [one, other] = ["out/tests", "all"].map(|folder| {
            fs::read(lab.path(&format!("{folder}/{number:06}.ktest"))).expect("a test")
        });
        assert_eq!(one, other);
    }
}

#[test]
fn damage_harms_one_test() {
    let lab = explored();
    let pack = lab.path("out/tests.pack");
    let mut bytes = fs::read(&pack).expect("the pack");
    *bytes.last_mut().expect("not empty") ^= 1;
    fs::write(&pack, &bytes).expect("writable");
    lab.byway(&["export", "out"]).code(2).says("1 test could not be read").says("is damaged");
    assert_eq!(files(&lab, "out/tests"), PATHS - 1);
    let stats = lab.byway(&["stats", "out"]);
    assert!(stats.code(0).stdout.contains("tests         243"), "{}", stats.stdout);
}

#[test]
fn all_or_no_tests_can_be_files() {
    let lab = TestDir::new();
    lab.file("a.c", PROGRAM);
    let run = |files, out| {
        lab.byway(&["run", "--test-files", files, "--output-dir", out, "a.c"]).code(1);
    };
    run("all", "every");
    assert_eq!(files(&lab, "every/tests"), PATHS);
    assert!(!lab.path("every/tests.pack").exists());
    run("0", "none");
    // The first test of a fault is always a file.
    assert_eq!(files(&lab, "none/tests"), 1);
    lab.byway(&["run", "--test-files", "few", "a.c"]).code(2).says("'all' or a number");
}
