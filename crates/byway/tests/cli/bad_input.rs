//! Whatever a user gives it, `byway` answers with one clear message and exit
//! code 2: it does not panic, hang or run on.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::time::{Duration, Instant};

use crate::setup::{Run, TestDir, run};

const HELLO: &str = "#include <stdio.h>\nint main(void) { puts(\"hello\"); return 0; }\n";

/// Asserts a refusal: exit code 2, nothing on standard output, one message.
#[track_caller]
fn refused<'a>(run: &'a Run, message: &str) -> &'a Run {
    run.code(2).stdout("").says(message);
    assert_eq!(run.stderr.matches("byway: error:").count(), 1, "{run:#?}");
    assert!(!run.stderr.contains("panicked") && !run.stderr.contains("byway: bug"), "{run:#?}");
    run
}

#[test]
fn a_missing_file() {
    let lab = TestDir::new();
    for command in ["exec", "ir"] {
        let run = lab.byway(&[command, "nowhere.c"]);
        refused(&run, "byway: error: cannot read 'nowhere.c': No such file or directory\n");
    }
}

#[test]
fn an_argument_that_was_meant_for_the_program() {
    let lab = TestDir::new();
    lab.file("a.c", HELLO);
    let run = lab.byway(&["exec", "a.c", "argument"]);
    refused(&run, "cannot read 'argument'").says("go after '--'");
}

#[test]
fn a_directory() {
    let lab = TestDir::new();
    lab.file("dir.c/a.c", HELLO);
    refused(&lab.byway(&["exec", "dir.c"]), "'dir.c' is a directory");
}

#[test]
fn a_file_that_cannot_be_read() {
    let lab = TestDir::new();
    // Reading it fails for everyone, also for the superuser.
    symlink("/proc/self/mem", lab.path("mem.bc")).expect("a link");
    refused(&lab.byway(&["exec", "mem.bc"]), "cannot read 'mem.bc': ");
    lab.file("secret.c", HELLO);
    let permissions = fs::Permissions::from_mode(0o000);
    fs::set_permissions(lab.path("secret.c"), permissions).expect("permissions");
    if fs::read(lab.path("secret.c")).is_err() {
        let run = lab.byway(&["exec", "secret.c"]);
        refused(&run, "cannot read 'secret.c': Permission denied");
    }
}

#[test]
fn a_device() {
    let lab = TestDir::new();
    symlink("/dev/zero", lab.path("zero.bc")).expect("a link");
    refused(&lab.byway(&["exec", "zero.bc"]), "'zero.bc' is not a regular file");
}

#[test]
fn an_empty_file() {
    let lab = TestDir::new();
    for name in ["a.c", "a.bc", "a.ll", "a.a", "a.bwir"] {
        lab.file(name, "");
        refused(&lab.byway(&["exec", name]), &format!("'{name}' is empty"));
    }
}

#[test]
fn an_unknown_extension() {
    let lab = TestDir::new();
    lab.file("notes.txt", "x").file("program", "x").file("a.cpp", "int main() {}");
    refused(&lab.byway(&["exec", "notes.txt"]), "unknown extension, '.txt'").says(".bwir files");
    refused(&lab.byway(&["exec", "program"]), "no file extension");
    refused(&lab.byway(&["exec", "a.cpp"]), "'a.cpp' is not a C source");
}

#[test]
fn a_file_that_is_no_bitcode() {
    let lab = TestDir::new();
    lab.file("text.bc", "this is not bitcode").file("cut.o", "\x7fELF and so on");
    lab.file("elf.c", "int x;\n").clang(&["-c", "elf.c"]);
    refused(&lab.byway(&["exec", "text.bc"]), "'text.bc' is not LLVM bitcode");
    refused(&lab.byway(&["exec", "elf.o"]), "'elf.o' is not LLVM bitcode").says("machine code");
    refused(&lab.byway(&["exec", "cut.o"]), "'cut.o' cannot be read: it is a truncated ELF file");
}

#[test]
fn truncated_bitcode() {
    let lab = TestDir::new();
    lab.file("a.c", HELLO).clang(&["-g", "-emit-llvm", "-c", "a.c", "-o", "a.bc"]);
    let whole = fs::read(lab.path("a.bc")).expect("bitcode");
    for keep in [4, 8, 100, whole.len() / 2, whole.len() - 4] {
        lab.file("cut.bc", &whole[..keep]);
        refused(&lab.byway(&["exec", "cut.bc"]), "cut.bc");
    }
}

#[test]
fn damaged_bitcode() {
    let lab = TestDir::new();
    lab.file("a.c", HELLO).clang(&["-g", "-emit-llvm", "-c", "a.c", "-o", "a.bc"]);
    let whole = fs::read(lab.path("a.bc")).expect("bitcode");
    for step in 1..12 {
        let mut bytes = whole.clone();
        let at = 8 + step * (bytes.len() - 8) / 12;
        bytes[at..at + 4].copy_from_slice(b"\xff\x00\xff\x00");
        lab.file("bad.bc", bytes);
        let run = lab.byway(&["exec", "--max-instructions", "100k", "bad.bc"]);
        // Some damage leaves a program; the rest is refused. Nothing else happens.
        if run.code == Some(2) {
            refused(&run, "bad.bc");
        } else {
            assert!(matches!(run.code, Some(0 | 1 | 3 | 4)), "{run:#?}");
        }
    }
}

#[test]
fn llvm_text_with_a_mistake() {
    let lab = TestDir::new();
    lab.file("a.ll", "define i32 @main() {\n  ret i33 0, oh\n}\n");
    refused(&lab.byway(&["exec", "a.ll"]), "a.ll");
}

#[test]
fn an_archive_that_is_none() {
    let lab = TestDir::new();
    lab.file("a.a", "not an archive").file("thin.a", "!<thin>\nx");
    refused(&lab.byway(&["exec", "a.a"]), "'a.a' is not an archive");
    refused(&lab.byway(&["exec", "thin.a"]), "thin archive");
}

#[test]
fn own_ir_with_a_mistake() {
    let lab = TestDir::new();
    lab.file("a.bwir", "this is not IR\n").file("b.bwir", b"\xff\xfe\xfd");
    refused(&lab.byway(&["exec", "a.bwir"]), "'a.bwir' is not valid IR");
    refused(&lab.byway(&["ir", "a.bwir"]), "'a.bwir' is not valid IR");
    refused(&lab.byway(&["exec", "b.bwir"]), "'b.bwir' is not text");
    lab.file("c.c", HELLO);
    refused(&lab.byway(&["exec", "a.bwir", "c.c"]), "cannot be linked with other files");
}

#[test]
fn c_that_does_not_compile() {
    let lab = TestDir::new();
    lab.file("good.c", "int f(void) { return 1; }\n");
    lab.file("bad.c", "int main(void) { return x; }\n");
    let run = lab.byway(&["exec", "good.c", "bad.c"]);
    refused(&run, "byway: error: 'bad.c' does not compile")
        .says("bad.c:1:25: error: use of undeclared identifier 'x'");
}

#[test]
fn a_program_without_main() {
    let lab = TestDir::new();
    lab.file("f.c", "int f(void) { return 1; }\n");
    refused(&lab.byway(&["exec", "f.c"]), "the program has no function 'main'");
}

#[test]
fn two_definitions_of_a_function() {
    let lab = TestDir::new();
    lab.file("a.c", HELLO).file("b.c", HELLO);
    refused(&lab.byway(&["exec", "a.c", "b.c"]), "main");
}

#[test]
fn unknown_options_and_values() {
    let lab = TestDir::new();
    lab.file("a.c", HELLO);
    for (words, message) in [
        (&["exec", "--frobnicate", "a.c"][..], "unexpected argument '--frobnicate'"),
        (&["exec"], "<PROGRAM>"),
        (&["exec", "--check", "everything", "a.c"], "invalid value 'everything'"),
        (&["exec", "--max-memory", "much", "a.c"], "expected a size such as"),
        (&["exec", "--max-instructions", "-1", "a.c"], "'-1'"),
        (&["exec", "--max-depth", "0", "a.c"], "'0'"),
        (&["exec", "-O7", "a.c"], "invalid value '7'"),
        (&["exec", "--cflags", "-DX='", "a.c"], "an unclosed quote"),
        (&["exec", "--env", "=x", "a.c"], "names no variable"),
        (&["walk", "a.c"], "unrecognized subcommand 'walk'"),
        (&["run"], "<PROGRAM>"),
        (&["run", "--max-time", "soon", "a.c"], "expected a time such as"),
        (&["run", "--max-work", "much", "a.c"], "expected a number from 1 up such as"),
        (&["run", "--max-states", "0", "a.c"], "expected a number from 1 up such as"),
        (&["run", "--feasibility", "never", "a.c"], "invalid value 'never'"),
        (&["run", "--no-tests", "--only-covering-new", "a.c"], "cannot be used with"),
        (&["ir", "--user", "--function", "f", "a.c"], "cannot be used with"),
    ] {
        refused(&lab.byway(words), message);
    }
    lab.byway(&[]).code(2).stdout("").says("Usage: byway");
}

#[test]
fn a_clang_that_is_not_there() {
    let lab = TestDir::new();
    lab.file("a.c", HELLO);
    let outcome = run(lab.command(&["exec", "a.c"]).env("BYWAY_CLANG", "no-such-clang"), "");
    refused(&outcome, "cannot find the C compiler 'no-such-clang'").says("hint: ");
}

#[test]
fn a_runtime_that_is_not_there() {
    let lab = TestDir::new();
    lab.file("a.c", HELLO);
    let run = lab.byway(&["exec", "--runtime", "nowhere", "a.c"]);
    refused(&run, "'nowhere' does not contain the C library").says("./dev");
}

/// Puts a script in the place of the bitcode reader.
fn with_reader(lab: &TestDir, script: &str, words: &[&str]) -> Run {
    lab.file("a.c", HELLO).script("reader", script);
    run(lab.command(words).env("BYWAY_LLVM", lab.path("reader")), "")
}

#[test]
fn a_reader_that_crashes() {
    let lab = TestDir::new();
    let run = with_reader(&lab, "echo LLVM ERROR: oh dear >&2\nkill -ABRT $$", &["exec", "a.c"]);
    refused(&run, "LLVM crashed with signal 6 (SIGABRT) on 'a.c'").says("LLVM ERROR: oh dear");
}

#[test]
fn a_reader_that_hangs() {
    let lab = TestDir::new();
    let start = Instant::now();
    let run = with_reader(&lab, "exec sleep 100", &["exec", "--load-timeout", "5s", "a.c"]);
    refused(&run, "loading 'a.c' took over 5.00 s").says("--load-timeout");
    assert!(start.elapsed() < Duration::from_secs(60));
}

#[test]
fn a_reader_that_complains_or_lies() {
    let lab = TestDir::new();
    let run = with_reader(&lab, "echo byway-llvm: error: no good >&2\nexit 1", &["exec", "a.c"]);
    refused(&run, "byway: error: no good (in 'a.c')\n");
    let run = with_reader(&lab, "echo rubbish > \"$2\"", &["exec", "a.c"]);
    refused(&run, "cannot read the output of 'byway-llvm'");
    let run = with_reader(&lab, "exit 0", &["exec", "a.c"]);
    refused(&run, "'byway-llvm' wrote no output for 'a.c'");
    let run = with_reader(&lab, "exit 9", &["exec", "a.c"]);
    refused(&run, "'a.c' cannot be loaded");
}

#[test]
fn an_output_file_that_cannot_be_written() {
    let lab = TestDir::new();
    lab.file("a.c", HELLO);
    let run = lab.byway(&["ir", "a.c", "--out", "no/such/dir/a.bwir"]);
    refused(&run, "cannot write 'no/such/dir/a.bwir'");
}
