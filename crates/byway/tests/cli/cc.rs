//! `byway cc`, `byway extract`, and running what they built.

use std::fs;
use std::os::unix::fs::symlink;
use std::process::Command;

use crate::setup::{Run, TestDir, run};

const MAIN: &str = "#include <stdio.h>\nint twice(int);\n\
    int main(int argc, char **argv) { printf(\"%d\\n\", twice(argc + 1)); return argc; }\n";
const TWICE: &str = "int twice(int x) { return 2 * x; }\n";

/// Runs a compiler or another tool in the directory; it must succeed.
fn tool(lab: &TestDir, words: &[&str]) -> Run {
    let mut command = match words[0] {
        "cc" | "c++" => lab.command(words),
        name => {
            let mut command = Command::new(name);
            command.args(&words[1..]).current_dir(lab.path("."));
            command
        }
    };
    let result = run(&mut command, "");
    assert_eq!(result.code, Some(0), "{words:?}: {result:#?}");
    result
}

fn native(lab: &TestDir, program: &str) -> Run {
    run(&mut Command::new(lab.path(program)), "")
}

/// Runs the program natively and in Byway; both print the same.
#[track_caller]
fn same(lab: &TestDir, program: &str) {
    let natively = native(lab, program);
    assert_eq!(natively.code, Some(1), "{natively:#?}");
    lab.byway(&["exec", program]).code(1).quiet().stdout(&natively.stdout);
}

#[test]
fn a_program_of_objects_and_archives() {
    let lab = TestDir::new();
    lab.file("main.c", MAIN).file("src/twice.c", TWICE).file("unused.c", "int unused;\n");
    tool(&lab, &["cc", "-O2", "-ffunction-sections", "-MD", "-MF", "main.d", "-c", "main.c"]);
    let rule = fs::read_to_string(lab.path("main.d")).expect("a dependency file");
    assert!(rule.starts_with("main.o: main.c"), "{rule}");
    tool(&lab, &["cc", "-O2", "-MMD", "-c", "src/twice.c", "unused.c"]);
    assert!(lab.path("twice.d").is_file() && lab.path("unused.d").is_file());
    assert_eq!(tool(&lab, &["ar", "rcs", "libtwice.a", "unused.o", "twice.o"]).stderr, "");
    tool(&lab, &["cc", "-Wl,--gc-sections", "main.o", "-L.", "-ltwice", "-o", "program"]);
    same(&lab, "program");
    // The archive's other member is not in the program.
    let report = lab.byway(&["extract", "program"]);
    report.code(0).quiet().stdout("program.bc: 2 functions from 2 sources\n");
    lab.byway(&["exec", "program.bc"]).code(1).stdout("4\n");

    // Objects and archives are programs, too.
    lab.byway(&["exec", "main.o", "libtwice.a"]).code(1).quiet().stdout("4\n");
    lab.byway(&["extract", "libtwice.a"])
        .code(0)
        .stdout("libtwice.bc.a: the bitcode of the archive\n");
    lab.byway(&["exec", "main.o", "libtwice.bc.a"]).code(1).quiet().stdout("4\n");
    tool(&lab, &["ld", "-r", "main.o", "twice.o", "-o", "both.o"]);
    lab.byway(&["exec", "both.o"]).code(1).quiet().stdout("4\n");

    // GNU strip keeps bitcode, LLVM's removes it.
    tool(&lab, &["strip", "program"]);
    same(&lab, "program");
    let strip = concat!("llvm-strip", "-22");
    tool(&lab, &[strip, "program"]);
    assert_eq!(native(&lab, "program").stdout, "4\n");
    let bad = lab.byway(&["exec", "program"]);
    bad.code(2).says("'program' is a native file without bitcode").says("byway cc");
}

#[test]
fn a_program_compiled_and_linked_in_one_command() {
    let lab = TestDir::new();
    lab.file("main.c", MAIN).file("with space.c", TWICE).file("odd.txt", TWICE);
    lab.file("words", "-O2 main.c 'with space.c'\n -o \"program\"");
    for words in [
        &["cc", "@words", "-flto"][..],
        &["cc", "-Wl,--gc-sections", "-Wl,-s", "main.c", "-x", "c", "odd.txt", "-o", "program"],
        &["c++", "-x", "c", "main.c", "odd.txt", "-o", "program"],
    ] {
        let _ = fs::remove_file(lab.path("program"));
        tool(&lab, words).quiet();
        same(&lab, "program");
    }
    // A source from standard input.
    let source = format!("{TWICE}{MAIN}");
    run(&mut lab.command(&["cc", "-xc", "-", "-o", "piped"]), &source).code(0).quiet();
    same(&lab, "piped");
    run(&mut lab.command(&["cc", "-c", "-xc", "-", "-o", "piped.o"]), &source).code(0).quiet();
    lab.byway(&["exec", "piped.o"]).code(1).quiet().stdout("4\n");
    // Link-time optimisation would leave objects without a place for bitcode.
    tool(&lab, &["cc", "-O2", "-flto=thin", "-c", "main.c", "-o", "lto.o"]).quiet();
    assert!(fs::read(lab.path("lto.o")).expect("an object").starts_with(b"\x7fELF"));
}

/// At -O2, no code calls the inline function, so the program is complete without a definition.
#[test]
fn an_inline_function_without_a_definition() {
    let lab = TestDir::new();
    let inline = "inline int twice(int x) { return 2 * x; }\n";
    lab.file("main.c", format!("{inline}{}", MAIN.replace("int twice(int);", "")));
    tool(&lab, &["cc", "-O2", "main.c", "-o", "program"]);
    same(&lab, "program");
}

/// The source that the native code was made of, so the linker needs the same archive members; but
/// without glibc's fortified functions.
#[test]
fn sources_see_that_the_build_optimises() {
    let lab = TestDir::new();
    lab.file("twice.c", TWICE);
    lab.file(
        "main.c",
        format!(
            "#if defined __OPTIMIZE__ && __OPTIMIZE__\n#define _FORTIFY_SOURCE 2\n#endif\n{}\
             #ifdef __OPTIMIZE__\n#define twice(x) ((x) + (x))\n#endif\n{}",
            "#include <string.h>\n",
            MAIN.replace("int twice(int);", "")
                .replace("{ printf", "{ char s[8]; strcpy(s, argv[0] + strlen(argv[0])); printf")
                .replace("int main", "int (twice)(int);\nint main"),
        ),
    );
    tool(&lab, &["cc", "-c", "twice.c"]);
    tool(&lab, &["ar", "rcs", "libtwice.a", "twice.o"]);
    for (level, functions) in [("-O2", "1 function"), ("-O0", "2 functions")] {
        tool(&lab, &["cc", level, "main.c", "-L.", "-ltwice", "-o", "program"]);
        same(&lab, "program");
        let report = lab.byway(&["extract", "program"]).code(0).stdout.clone();
        assert!(report.starts_with(&format!("program.bc: {functions}")), "{report}");
        assert_eq!(report.lines().count(), 1, "{report}");
        let symbols = tool(&lab, &[concat!("llvm-nm", "-22"), "program.bc"]).stdout;
        assert!(symbols.contains("strcpy") && !symbols.contains("__strcpy_chk"), "{symbols}");
    }
}

#[test]
fn a_shared_library_keeps_its_private_names() {
    let lab = TestDir::new();
    lab.file(
        "library.c",
        "__attribute__((visibility(\"hidden\"))) int helper(int x) { return x + 40; }\n\
         int common(void) { return 5; }\n\
         int twice(int x) { return helper(x) * common(); }\n",
    );
    // The program's 'common' replaces the library's, and its 'helper' does not.
    lab.file(
        "main.c",
        format!("int helper(int x) {{ return x; }}\nint common(void) {{ return 7; }}\n{MAIN}"),
    );
    tool(&lab, &["cc", "-fPIC", "-shared", "library.c", "-o", "libtwice.so"]);
    tool(&lab, &["cc", "main.c", "-L.", "-ltwice", "-Wl,-rpath,$ORIGIN", "-o", "program"]);
    same(&lab, "program");
    let report = lab.byway(&["extract", "-o", "all.bc", "program"]);
    assert!(report.code(0).stdout.contains("libtwice.so: 1 source"), "{report:#?}");
    lab.byway(&["exec", "all.bc"]).code(1).stdout("294\n");

    // Without bitcode, the library is named.
    lab.clang(&["-fPIC", "-shared", "library.c", "-o", "libtwice.so"]);
    let report = lab.byway(&["extract", "program"]);
    let library = lab.path("libtwice.so");
    let line = format!("  in {}, which has no bitcode: twice\n", library.display());
    assert!(report.stdout.contains(&line), "{report:#?}");
    lab.byway(&["exec", "program"]).says("twice");
}

#[test]
fn what_has_no_bitcode_is_named() {
    let lab = TestDir::new();
    lab.file("main.c", MAIN).file("twice.c", TWICE);
    let assembly = ".globl twice\ntwice: lea (%rdi,%rdi), %eax\nret\n.section .note.GNU-stack\n";
    lab.file("twice.S", assembly);
    tool(&lab, &["cc", "main.c", "twice.S", "-o", "program"]);
    assert_eq!(native(&lab, "program").stdout, "4\n");
    let report = lab.byway(&["extract", "program"]).stdout;
    let source = lab.path("twice.S");
    assert!(report.contains(&format!("without bitcode: {}: it is assembly", source.display())));
    assert!(report.contains("machine code in program without bitcode: twice"), "{report}");

    // Of another compiler.
    tool(&lab, &["cc", "-c", "main.c"]);
    lab.clang(&["-c", "twice.c"]);
    tool(&lab, &["cc", "main.o", "twice.o", "-o", "mixed"]);
    let report = lab.byway(&["extract", "mixed"]).stdout;
    assert!(report.contains("machine code in mixed without bitcode: twice"), "{report}");
    lab.byway(&["exec", "mixed"]).code(3).says("twice");
    lab.byway(&["exec", "main.o", "twice.o"]).code(2).says("'twice.o' is not LLVM bitcode");

    // Bitcode that cannot be made does not fail the build.
    let mut command = lab.command(&["cc", "-c", "twice.c", "-o", "failed.o"]);
    run(command.env("BYWAY_BITCODE_FLAGS", "-DX -no-such-option"), "").code(0).quiet();
    lab.byway(&["extract", "failed.o"])
        .code(2)
        .says("no source of 'failed.o' has bitcode")
        .says("unknown argument: '-no-such-option'");
}

#[test]
fn the_compiler_does_as_clang_does() {
    let lab = TestDir::new();
    lab.file("good.c", "int main(void) { int unused; return 0; }\n").file("bad.c", "int x = ;\n");
    lab.file("conftest.c", TWICE);
    let clang =
        |words: &[&str]| run(Command::new("clang-22").args(words).current_dir(lab.path(".")), "");
    for words in [
        &["--version"][..],
        &["-E", "good.c"],
        &["-S", "good.c", "-o", "-"],
        &["-Wall", "-c", "good.c"],
        &["-c", "bad.c"],
        &["bad.c", "good.c"],
        &["-MM", "good.c"],
        &["-fsyntax-only", "-Wall", "good.c"],
        &["-print-prog-name=ld"],
        &["-c", "good.c", "-o", "/dev/null"],
        &["-c", "no-such-file.c"],
        &[],
    ] {
        let expected = clang(words);
        let got = lab.byway(&[&["cc"], words].concat());
        assert_eq!(got.code, expected.code, "{words:?}");
        assert_eq!(got.stdout, expected.stdout, "{words:?}");
        let names_no_file = |text: &str| text.replace("/tmp/", "");
        if !words.contains(&"bad.c") || words.contains(&"-c") {
            assert_eq!(names_no_file(&got.stderr), names_no_file(&expected.stderr), "{words:?}");
        }
    }
    // Under names of its own, as CMake wants it.
    let byway = env!("CARGO_BIN_EXE_byway");
    symlink(byway, lab.path("byway-cc")).expect("a link");
    symlink(byway, lab.path("byway-c++")).expect("a link");
    lab.file("a.cc", "template <class T> T id(T x) { return x; }\nint main() { return id(7); }\n");
    run(
        Command::new(lab.path("byway-c++")).args(["a.cc", "-o", "a"]).current_dir(lab.path(".")),
        "",
    )
    .code(0)
    .quiet();
    lab.byway(&["exec", "a"]).code(7).quiet();
    // The sources of configuration scripts are compiled once.
    run(
        Command::new(lab.path("byway-cc")).args(["-c", "conftest.c"]).current_dir(lab.path(".")),
        "",
    )
    .code(0);
    lab.byway(&["extract", "conftest.o"]).code(2).says("machine code without bitcode");
    assert!(lab.byway(&["cc", "--help"]).code(0).stdout.contains("BYWAY_BITCODE_FLAGS"));
}

#[test]
fn damaged_native_files_are_refused() {
    let lab = TestDir::new();
    lab.file("main.c", format!("{TWICE}{MAIN}"));
    tool(&lab, &["cc", "main.c", "-o", "program"]);
    let whole = fs::read(lab.path("program")).expect("a program");
    for keep in [5, 63, 64, 1000, whole.len() / 2, whole.len() - 1] {
        lab.file("cut", &whole[..keep]);
        lab.byway(&["run", "cut"]).code(2).says("'cut' cannot be read: it is a truncated ELF file");
    }
    let at = whole.windows(8).position(|bytes| bytes == b"BYWAY\0BC").expect("a record");
    let mut damaged = whole.clone();
    damaged[at] = b'X';
    lab.file("damaged", &damaged);
    lab.byway(&["run", "damaged"]).code(2).says("its bitcode section is damaged");
    damaged = whole.clone();
    damaged[at + 200] ^= 0xff;
    lab.file("damaged", &damaged);
    lab.byway(&["exec", "damaged"]).code(2).says("'damaged'");
    // A library of libtool is a script with the program elsewhere.
    fs::create_dir(lab.path(".libs")).expect("a directory");
    lab.file("tool", "#!/bin/sh\n").file(".libs/tool", &whole);
    lab.byway(&["run", "tool"]).code(2).says("libtool's script").says(".libs/tool");
    lab.byway(&["extract", "main.c"]).code(2).says("'main.c' is no native file");
}

#[test]
fn bitcode_has_options_of_its_own() {
    let lab = TestDir::new();
    lab.file(
        "main.c",
        "int main(int argc, char **argv) { int x = 2147483647; return x + argc > 0; }\n",
    );
    tool(&lab, &["cc", "main.c", "-o", "program"]);
    let run_checked = || lab.byway(&["exec", "--checks", "bounds", "program"]);
    run_checked().says("build it with BYWAY_BITCODE_FLAGS=-fsanitize=");
    let mut command = lab.command(&["cc", "main.c", "-o", "program"]);
    command.env("BYWAY_BITCODE_FLAGS", "-fsanitize=signed-integer-overflow");
    run(&mut command, "").code(0).quiet();
    assert_eq!(native(&lab, "program").stderr, "");
    lab.byway(&["exec", "program"]).code(1).says("main.c:1").says("overflow");
    let mut command = lab.command(&["cc", "main.c", "-o", "program"]);
    run(command.env("BYWAY_BITCODE_FLAGS", "none"), "").code(0).quiet();
    lab.byway(&["exec", "program"]).code(2).says("without bitcode");
}

#[test]
fn tests_of_a_native_program_replay() {
    let lab = TestDir::new();
    lab.file(
        "main.c",
        "#include <stdlib.h>\nint main(int argc, char **argv) {\n\
         if (argc == 2 && argv[1][0] == 'x') abort();\nreturn argc; }\n",
    );
    tool(&lab, &["cc", "-O2", "main.c", "-o", "program"]);
    lab.byway(&["run", "--sym-args", "0", "1", "1", "--output-dir", "out", "program"])
        .code(1)
        .says("main.c:3")
        .says("explored completely");
    let replayed = lab.byway(&["replay", "out"]);
    assert!(replayed.stdout.contains("agree              3"), "{replayed:#?}");
}
