//! Undefined behaviour that clang's sanitizer finds: in sources that Byway compiles, in bitcode,
//! natively, and on the page of `cover`.

use std::fs;

use serde_json::Value;

use crate::setup::{Run, TestDir};

/// One fault on each path but the first. Lines 10 to 12 are the places to blame.
const PROGRAM: &str = "\
int klee_int(const char *);
void klee_assume(unsigned long);
struct table { int row[4]; int next; };
int main(void)
{
    struct table table = {{1, 2, 3, 4}, 5};
    int i = klee_int(\"i\");
    double large = 1e10;
    klee_assume(i >= 0 & i < 7);
    if (i == 6) return 1 << 32;
    if (i == 5) return (int)large;
    return table.row[i] == 9;
}
";

const KINDS: [&str; 3] =
    ["invalid-shift at a.c:10", "float-cast-overflow at a.c:11", "array-index at a.c:12"];

/// Every kind is reported once, at its line.
#[track_caller]
fn all_kinds(run: &Run) {
    run.code(1);
    for kind in KINDS {
        assert_eq!(run.stderr.matches(kind).count(), 1, "{kind}: {run:#?}");
    }
    run.says("faults        3");
}

#[test]
fn clang_inserts_checks_into_sources() {
    let lab = TestDir::new();
    lab.file("a.c", PROGRAM);
    lab.byway(&["run", "--output-dir", "plain", "a.c"]).code(0);
    let checks = ["--checks", "bounds,shift,float-cast-overflow"];
    let run = lab.byway(&[&["run", "--output-dir", "run", "a.c"], &checks[..]].concat());
    all_kinds(&run);
    run.says("index 4 is out of bounds for type 'int[4]'");
    all_kinds(&lab.byway(&["run", "--output-dir", "every", "-O2", "--checks", "all", "a.c"]));
    let manifest = fs::read_to_string(lab.path("run/manifest.json")).expect("a manifest");
    let manifest: Value = serde_json::from_str(&manifest).expect("JSON");
    let recorded = &manifest["config"]["checks"];
    assert_eq!(recorded.to_string(), r#"["uninitialised","shift","bounds","float-cast-overflow"]"#);

    // The native build has the same checks; the exact one needs none.
    let replay = lab.byway(&["replay", "run"]);
    replay.code(0);
    assert!(replay.stdout.contains("  agree              4\n"), "{replay:#?}");
    assert!(replay.stdout.contains("with musl: exit code, signal and output"), "{replay:#?}");

    let cover = lab.byway(&["cover", "run"]);
    cover.code(0);
    let page = fs::read_to_string(lab.path("run/cover/index.html")).expect("a page");
    assert!(page.contains("<a href=\"#f0l12\">a.c:12</a> array-index"), "{page}");
    assert!(page.contains("\u{26a0} array-index in 1 test: <a href=\"#t"), "{page}");
    let record = fs::read_to_string(lab.path("run/cover/cover.json")).expect("a record");
    let record: Value = serde_json::from_str(&record).expect("JSON");
    let faults = record["files"][0]["faults"].as_array().expect("faults");
    let lines: Vec<&Value> = faults.iter().map(|fault| &fault["line"]).collect();
    assert_eq!(lines, [10, 11, 12]);
    assert_eq!((&faults[2]["kind"], &faults[2]["count"]), (&"array-index".into(), &1.into()));
}

#[test]
fn bitcode_keeps_the_checks_it_was_compiled_with() {
    let lab = TestDir::new();
    lab.file("a.c", PROGRAM);
    let options = ["-w", "-g", "-emit-llvm", "-c", "a.c", "-o", "a.bc"];
    lab.clang(&[&options[..], &["-fsanitize=undefined,float-cast-overflow"]].concat());
    let run = lab.byway(&["run", "--output-dir", "run", "--checks", "bounds", "a.bc"]);
    all_kinds(&run);
    assert!(!run.stderr.contains("source code"), "{run:#?}");
    let replay = lab.byway(&["replay", "run"]);
    assert!(replay.stdout.contains("  agree              4\n"), "{replay:#?}");

    lab.clang(
        &[&options[..], &["-fsanitize=undefined,float-cast-overflow", "-fsanitize-trap=all"]]
            .concat(),
    );
    all_kinds(&lab.byway(&["run", "--output-dir", "trap", "a.bc"]));
    lab.byway(&["replay", "trap"]).code(0);
    lab.clang(
        &[
            &options[..],
            &["-fsanitize=undefined,float-cast-overflow", "-fsanitize-minimal-runtime"],
        ]
        .concat(),
    );
    all_kinds(&lab.byway(&["run", "--output-dir", "minimal", "a.bc"]));
}

#[test]
fn checks_of_sources_are_not_silently_missing_in_bitcode() {
    let lab = TestDir::new();
    lab.file("a.c", "int main(int argc, char **argv) { return 1 << (argc + 31) & 1; }\n");
    lab.clang(&["-w", "-g", "-emit-llvm", "-c", "a.c", "-o", "a.bc"]);
    let exec = |checks: &str| lab.byway(&["exec", "--checks", checks, "a.bc"]);
    exec("bounds").says("the check bounds needs source code: 'a.bc' is compiled already");
    exec("bounds").says("-fsanitize=array-bounds");
    exec("all").says("others need source code");
    // The engine has this check itself.
    let run = lab.byway(&["run", "--output-dir", "run", "--checks", "shift", "a.bc"]);
    run.code(1).says("invalid-shift at a.c:1");
    assert!(!run.stderr.contains("source code"), "{run:#?}");
    // clang's native checks need source code, too: that is no divergence.
    let replay = lab.byway(&["replay", "run"]);
    replay.code(0);
    assert!(replay.stdout.contains("  not comparable     1\n"), "{replay:#?}");
    assert!(replay.stdout.contains("part of the program is bitcode"), "{replay:#?}");
}

#[test]
fn optimised_code_may_shift_and_add_what_it_does_not_use() {
    let lab = TestDir::new();
    lab.file(
        "a.c",
        "int klee_int(const char *);\n\
         int main(void) {\n\
             int n = klee_int(\"n\");\n\
             int shifted = (unsigned)n >= 32 ? n : 1 << n;\n\
             int sum = n > 9 ? n : n + 7;\n\
             return shifted == sum;\n\
         }\n",
    );
    let run = |level: &[&str]| {
        lab.clang(&[&["-w", "-emit-llvm", "-c", "a.c", "-o", "a.bc"], level].concat());
        let checks = ["--checks", "shift,signed-overflow"];
        lab.byway(&[&["run", "--output-dir", &level[0][1..], "a.bc"], &checks[..]].concat())
    };
    run(&["-O2"]).code(0).says("the checks signed-overflow, shift need source code");
    // Without the conditions, the same code is wrong, whether an attribute, the debug
    // information or only its variables in memory say that it is unoptimised.
    lab.file(
        "a.c",
        "int klee_int(const char *);\n\
         int main(void) {\n\
             int n = klee_int(\"n\");\n\
             return 1 << n == klee_int(\"m\") + 7;\n\
         }\n",
    );
    let unpassed = ["-O1", "-Xclang", "-disable-llvm-passes"];
    let with_debug_info = ["-g", "-O0", "-Xclang", "-disable-O0-optnone"];
    for level in [&["-O0"][..], &with_debug_info, &unpassed] {
        let wrong = run(level);
        wrong.code(1).says("error[invalid-shift]").says("error[signed-overflow]");
        assert!(!wrong.stderr.contains("source code"), "{wrong:#?}");
    }
}

#[test]
fn a_check_of_clang_is_no_use_of_an_unset_value() {
    let lab = TestDir::new();
    let source = |end: &str| {
        format!(
            "struct pair {{ int a, b; }};\n\
             int main(void) {{\n\
                 int count, i;\n\
                 struct pair *unset;\n\
                 for (i = 0; i < 3; i++) ++count;\n\
                 {end}\n\
             }}\n"
        )
    };
    let exec = |end: &str| {
        lab.file("a.c", source(end));
        lab.byway(&["exec", "--cflags", "-w", "--checks", "all", "a.c"])
    };
    exec("return 0;").code(0).quiet();
    exec("__builtin_prefetch(&unset->b); return 0;").code(0).quiet();
    exec("return count == 7;").code(1).says("error[uninitialised-read]");
}

#[test]
fn overflow_that_an_option_defines_is_no_fault() {
    let lab = TestDir::new();
    lab.file("a.c", "int main(int argc, char **argv) { return 2147483647 + argc == 0; }\n");
    let exec = |options: &str| lab.byway(&["exec", "--cflags", options, "--checks", "all", "a.c"]);
    exec("-g").code(1).says("error[signed-overflow]");
    exec("-fwrapv").code(0).quiet();
    exec("-fwrapv -fno-wrapv").code(1).says("error[signed-overflow]");
}

#[test]
fn calls_through_function_pointers_are_checked_by_their_types() {
    let lab = TestDir::new();
    lab.file(
        "a.c",
        "#include <stdlib.h>\n\
         static int twice(int x) { return 2 * x; }\n\
         static long other(long x) { return x; }\n\
         static int compare(const void *a, const void *b) { return *(int *)a - *(int *)b; }\n\
         int (*volatile good)(int) = twice;\n\
         int (*volatile bad)(int) = (int (*)(int))other;\n\
         int (*volatile library)(int) = abs;\n\
         int main(int argc, char **argv)\n\
         {\n\
             int values[] = {3, 1, 2};\n\
             qsort(values, 3, sizeof *values, compare);\n\
             if (argc > 1) return bad(1);\n\
             return good(values[0]) + library(-values[1]);\n\
         }\n",
    );
    let exec = |words: &[&str]| {
        lab.byway(&[&["exec", "--checks", "function,alignment", "a.c"], words].concat())
    };
    exec(&[]).code(4).quiet();
    let run = exec(&["--", "x"]);
    run.code(1)
        .says("error[function-type]: call of other through a pointer of type 'int (*)(int)'");
    run.says("a.c:12");
}
