//! `byway triage` and `byway reach --since`.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::setup::TestDir;

/// A directory with the program of twenty warnings and clang's report about it.
fn twenty() -> TestDir {
    let lab = TestDir::new();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/triage");
    for name in ["twenty.c", "other.c", "other.h"] {
        lab.file(name, fs::read(folder.join(name)).expect("a source"));
    }
    let options = ["--analyze", "-Xclang", "-analyzer-output=sarif", "-o", "twenty.sarif"];
    lab.clang(&[&options[..], &["twenty.c"]].concat());
    lab
}

fn json(lab: &TestDir, name: &str) -> Value {
    serde_json::from_slice(&fs::read(lab.path(name)).expect("a file")).expect("JSON")
}

fn results(report: &Value) -> &[Value] {
    report["runs"][0]["results"].as_array().expect("results")
}

fn line_of(result: &Value) -> usize {
    let line = &result["locations"][0]["physicalLocation"]["region"]["startLine"];
    line.as_u64().expect("a line") as usize
}

#[test]
fn all_twenty_verdicts_are_right() {
    let lab = twenty();
    let run = lab.byway(&[
        "triage",
        "--output",
        "judged.sarif",
        "--output-dir",
        "out",
        "twenty.sarif",
        "twenty.c",
        "other.c",
        "--sym-stdin",
        "3",
    ]);
    run.code(1);
    assert!(run.stdout.contains("20 warnings: 10 confirmed, 10 false positive\n"), "{run:#?}");

    let source = fs::read_to_string(lab.path("twenty.c")).expect("the source");
    let lines: Vec<&str> = source.lines().collect();
    let (before, after) = (json(&lab, "twenty.sarif"), json(&lab, "judged.sarif"));
    assert_eq!(results(&after).len(), 20);
    for result in results(&after) {
        let mark = lines[line_of(result) - 1].split("// WARNING ").nth(1).expect("a mark");
        let expected = if mark == "true" { "confirmed" } else { "false-positive" };
        let verdict = &result["properties"]["byway"];
        assert_eq!(verdict["verdict"], expected, "{result:#}");
        if mark == "true" {
            assert_eq!(verdict["target"], "reached", "{result:#}");
            let test = verdict["test"].as_str().expect("a test");
            assert!(Path::new(test).is_file(), "{test}");
        } else {
            assert_eq!(result["suppressions"][0]["status"], "underReview", "{result:#}");
        }
    }
    // Nothing else has changed.
    let mut stripped = after.clone();
    for result in stripped["runs"][0]["results"].as_array_mut().expect("results") {
        let result = result.as_object_mut().expect("a result");
        result.remove("properties");
        result.remove("suppressions");
    }
    assert_eq!(stripped, before);
    let record = json(&lab, "out/triage.json");
    assert_eq!(record["findings"].as_array().map(Vec::len), Some(20));
}

#[test]
fn a_limit_leaves_warnings_undecided() {
    let lab = twenty();
    let run = lab.byway(&[
        "triage",
        "--max-work",
        "1",
        "--no-confirm",
        "twenty.sarif",
        "twenty.c",
        "other.c",
        "--sym-stdin",
        "3",
    ]);
    run.code(5);
    assert!(run.stdout.contains("20 warnings: 20 undecided\n"), "{run:#?}");
}

#[test]
fn unusable_reports_are_refused() {
    let lab = TestDir::new();
    lab.file("a.c", "int main(void) { return 0; }\n");
    let refused = |report: &str, why: &str| {
        lab.file("r.sarif", report);
        lab.byway(&["triage", "r.sarif", "a.c"]).code(2).says(why);
    };
    refused("", "cannot use the report 'r.sarif': not JSON: EOF while parsing");
    refused("{}", "not SARIF: there is no \"version\"");
    refused("{\"version\": \"3.0\", \"runs\": []}", "at /version: SARIF version \"3.0\"");
    refused(
        "{\"version\": \"2.1.0\", \"runs\": [{\"results\": 1}]}",
        "at /runs/0/results: expected an array, found a number",
    );
    let elsewhere = r#"{"version": "2.1.0", "runs": [{"results": [{"ruleId": "x", "locations": [
        {"physicalLocation": {"artifactLocation": {"uri": "b.c"}, "region": {"startLine": 1}}}
    ]}]}]}"#;
    refused(elsewhere, "no warning in 'r.sarif' is about this program");
    lab.byway(&["triage", "missing.sarif", "a.c"]).code(2).says("cannot read 'missing.sarif'");
    let targets = ["triage", "r.sarif", "a.c", "--target", "main"];
    lab.byway(&targets).code(2).says("triage takes its targets from the report");
    lab.file("empty.sarif", "{\"version\": \"2.1.0\", \"runs\": []}");
    lab.byway(&["triage", "empty.sarif", "a.c"]).code(0).stdout("no warnings in the report\n");
}

const BEFORE: &str = "\
#include <byway.h>
int main(void)
{
    unsigned char x;
    byway_make_symbolic(&x, 1, \"x\");
    if (x > 9)
        return 1;
    return 0;
}
";

const AFTER: &str = "\
#include <byway.h>
// A comment.
int main(void)
{
    unsigned char x;
    byway_make_symbolic(&x, 1, \"x\");
    if (x * x % 4 == 2)
        return 2;
    if (x > 9)
        return 1;
    return 0;
}
";

#[test]
fn changed_lines_are_targets() {
    let lab = TestDir::new();
    lab.file("src/a.c", BEFORE).file("notes.txt", "one\n");
    lab.commit();
    let since = |revision: &str| {
        lab.byway(&["reach", "--no-confirm", "--since", revision, "--output-dir", "out", "src/a.c"])
    };
    since("HEAD").code(0).stdout("no line with code changed since HEAD\n");
    lab.file("src/a.c", AFTER).file("notes.txt", "two\n");
    let run = since("HEAD");
    run.code(0).says("byway: changed lines without code: src/a.c:2\n");
    run.says("byway: 1 changed file is not part of the program: notes.txt\n");
    let verdicts: Vec<&str> = run.stdout.lines().collect();
    assert_eq!(verdicts.len(), 2, "{run:#?}");
    assert!(verdicts[0].starts_with("src/a.c:7  reached  "), "{run:#?}");
    assert!(verdicts[1].starts_with("src/a.c:8  unreachable  "), "{run:#?}");
}

#[test]
fn revisions_that_do_not_exist_are_reported() {
    let lab = TestDir::new();
    lab.file("a.c", "int main(void) { return 0; }\n");
    let since = |revision: &str| {
        let mut command = lab.command(&["reach", "--since", revision, "a.c"]);
        // The directory may lie in the working tree of Byway itself.
        command.env("GIT_CEILING_DIRECTORIES", lab.path("..").canonicalize().expect("a directory"));
        let output = command.output().expect("byway starts");
        (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    let (code, words) = since("HEAD");
    assert!(code == Some(2) && words.contains("is not in the working tree of git"), "{words}");
    lab.git(&["init", "--quiet"]);
    for revision in ["nowhere", "main..HEAD", ""] {
        let (code, words) = since(revision);
        let expected = format!("git knows no revision '{revision}'");
        assert!(code == Some(2) && words.contains(&expected), "{revision}: {words}");
    }
    lab.byway(&["reach", "a.c"]).code(2).says("--since REV takes the lines that changed");
}
