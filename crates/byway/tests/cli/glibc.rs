//! Bitcode compiled against glibc's headers: structures and constants that differ from musl's.

use std::process::Command;

use crate::setup::{TestDir, run};

/// Uses the functions in whose arguments the libraries differ.
const LAYOUTS: &str = include_str!("glibc_layouts.c");

/// Uses GNU's regular expressions.
const REGEX: &str = include_str!("glibc_regex.c");

#[test]
fn bitcode_with_glibcs_layouts_behaves_as_natively() {
    behaves_as_natively(LAYOUTS);
}

#[test]
fn regular_expressions_are_gnus() {
    behaves_as_natively(REGEX);
}

fn behaves_as_natively(program: &str) {
    let lab = TestDir::new();
    lab.file("a.c", program);
    for level in ["-O0", "-O2"] {
        lab.clang(&["-w", level, "a.c", "-o", "native"]);
        lab.clang(&["-w", level, "-emit-llvm", "-c", "a.c", "-o", "a.bc"]);
        let native = run(Command::new(lab.path("native")).current_dir(lab.path(".")), "");
        assert!(native.stdout.ends_with("end\n"), "{native:#?}");
        lab.byway(&["exec", "a.bc"]).code(0).quiet().stdout(&native.stdout);
    }
}

#[test]
fn what_glibc_alone_has_ends_the_path_by_name() {
    let lab = TestDir::new();
    for (include, call, name) in [
        ("fnmatch.h", "fnmatch(\"+(a)\", \"a\", FNM_EXTMATCH)", "fnmatch with FNM_EXTMATCH"),
        ("glob.h", "glob(\"{a,b}\", GLOB_BRACE, 0, &found)", "glob with GLOB_BRACE"),
    ] {
        let objects = match include {
            "glob.h" => "glob_t found;",
            _ => "",
        };
        let program =
            format!("#include <{include}>\n{objects}\nint main(void) {{ return {call}; }}\n");
        lab.file("a.c", format!("#define _GNU_SOURCE\n{program}"));
        lab.clang(&["-emit-llvm", "-c", "a.c", "-o", "a.bc"]);
        lab.byway(&["exec", "a.bc"]).says(&format!("unsupported: {name}"));
    }
}

/// musl lacks them.
#[test]
fn random_numbers_never_fail() {
    let lab = TestDir::new();
    let program = "#include <stdlib.h>\nint main(void) {\n\
        unsigned char bytes[64] = {0}; int different = 0;\n\
        arc4random_buf(bytes, sizeof bytes);\n\
        for (int i = 1; i < 64; i++) different += bytes[i] != bytes[0];\n\
        unsigned low = arc4random_uniform(6), none = arc4random_uniform(1);\n\
        return !(different && low < 6 && !none && arc4random() != arc4random()); }\n";
    lab.file("a.c", program).clang(&["-emit-llvm", "-c", "a.c", "-o", "a.bc"]);
    lab.byway(&["exec", "a.bc"]).code(0).quiet();
}

/// The bitcode shows neither glibc's nor musl's headers.
#[test]
fn unknown_headers_end_the_path_by_name() {
    let lab = TestDir::new();
    lab.file(
        "a.c",
        "int regcomp();\nint main(void) { long regex[8]; return regcomp(regex, \"a\", 0); }\n",
    );
    lab.clang(&["-w", "-emit-llvm", "-c", "a.c", "-o", "a.bc"]);
    let run = lab.byway(&["exec", "a.bc"]);
    run.says("unsupported").says("regcomp (compiled against glibc's or musl's headers");
}

/// Both variants of a function, in modules that show neither headers.
#[test]
fn the_type_of_a_function_shows_its_headers() {
    let lab = TestDir::new();
    let text = |declaration: &str, call: &str| {
        format!(
            "{declaration}\nint strcmp(const char *, const char *);\n\
             int main(void) {{ char text[99]; return {call}; }}\n"
        )
    };
    let found = "strcmp(text, \"No such file or directory\")";
    let call = "strerror_r(2, text, sizeof text)";
    for source in [
        text("int strerror_r(int, char *, unsigned long);", &format!("{call} || {found}")),
        text("char *strerror_r(int, char *, unsigned long);", &found.replace("text", call)),
    ] {
        lab.file("a.c", source);
        lab.clang(&["-w", "-emit-llvm", "-c", "a.c", "-o", "a.bc"]);
        lab.byway(&["exec", "a.bc"]).code(0).quiet();
    }
}
