//! Programs that run to their end: output, input, exit code, options.

use std::fs;
use std::io::{Read, Write};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::setup::{TestDir, run};

const ECHO: &str = r#"
#include <stdio.h>
#include <stdlib.h>
extern char **environ;
int main(int argc, char **argv) {
    for (int i = 0; i < argc; i++)
        printf("[%s]", argv[i]);
    for (char **e = environ; *e; e++)
        printf("{%s}", *e);
    int c;
    while ((c = getchar()) != EOF)
        putchar(c);
    fputs("to stderr\n", stderr);
    return 42;
}
"#;

#[test]
fn arguments_environment_and_streams_are_passed_through() {
    let lab = TestDir::new();
    lab.file("echo.c", ECHO);
    let words = ["exec", "--env", "A=1", "--env", "B=", "echo.c", "--", "one", "two words", "-O2"];
    let run = lab.byway_with_input(&words, "input\n");
    run.code(42).stdout("[echo.c][one][two words][-O2]{A=1}{B=}input\n");
    assert_eq!(run.stderr, "to stderr\n");
}

#[test]
fn the_environment_is_empty_unless_asked() {
    let lab = TestDir::new();
    lab.file("echo.c", ECHO);
    lab.byway(&["exec", "echo.c"]).code(42).stdout("[echo.c]");
    let mut command = lab.command(&["exec", "--env", "SECRET", "echo.c"]);
    run(command.env("SECRET", "42"), "").code(42).stdout("[echo.c]{SECRET=42}");
}

#[test]
fn every_optimisation_level_runs_the_same() {
    let lab = TestDir::new();
    lab.file("echo.c", ECHO);
    for level in ["-O0", "-O1", "-O2"] {
        lab.byway_with_input(&["exec", level, "echo.c"], "x").code(42).stdout("[echo.c]x");
    }
}

#[test]
fn compiler_options_reach_clang() {
    let lab = TestDir::new();
    lab.file("inc/value.h", "#define BASE 40\n");
    lab.file("a.c", "#include \"value.h\"\nint main(void) { return BASE + MORE + LESS; }\n");
    let words = ["exec", "-I", "inc", "-DMORE=5", "--cflags", "-DLESS='(-3)' -std=c99", "a.c"];
    lab.byway(&words).code(42).quiet();
}

#[test]
fn clangs_warnings_are_shown_every_time() {
    let lab = TestDir::new();
    lab.file("a.c", "int main(void) { int x = 3; x == 4; return 0; }\n");
    for _ in 0..2 {
        lab.byway(&["exec", "a.c"]).code(0).says("warning: equality comparison result unused");
    }
    lab.byway(&["exec", "--cflags", "-w", "a.c"]).code(0).quiet();
}

#[test]
fn sources_bitcode_text_and_archives_link_together() {
    let lab = TestDir::new();
    lab.file(
        "main.c",
        "int a(void), b(void), c(void); int main(void) { return a() + b() + c(); }\n",
    );
    lab.file("a.c", "int a(void) { return 1; }\n");
    lab.file("b.c", "int b(void) { return 10; }\n");
    lab.file("c.c", "int c(void) { return 100; }\n");
    lab.clang(&["-emit-llvm", "-c", "a.c", "-o", "a.bc"]);
    lab.clang(&["-emit-llvm", "-S", "b.c", "-o", "b.ll"]);
    lab.clang(&["-emit-llvm", "-c", "c.c", "-o", "c.o"]);
    let status = Command::new("ar")
        .args(["rc", "libc_part.a", "c.o"])
        .current_dir(lab.path("."))
        .status()
        .expect("ar starts");
    assert!(status.success());
    lab.byway(&["exec", "main.c", "a.bc", "b.ll", "libc_part.a"]).code(111).quiet();
}

#[test]
fn the_exit_code_is_the_low_byte() {
    let lab = TestDir::new();
    lab.file("a.c", "#include <stdlib.h>\nint main(void) { exit(256 + 7); }\n");
    lab.byway(&["exec", "a.c"]).code(7).quiet();
}

#[test]
fn own_ir_runs_as_the_source_does() {
    let lab = TestDir::new();
    lab.file("echo.c", ECHO);
    lab.byway(&["ir", "echo.c", "--out", "echo.bwir"]).code(0).stdout("").quiet();
    lab.byway_with_input(&["exec", "echo.bwir", "--", "x"], "in")
        .code(42)
        .stdout("[echo.bwir][x]in");
}

#[test]
fn statistics_are_told_when_asked() {
    let lab = TestDir::new();
    lab.file("a.c", "#include <stdlib.h>\nint main(void) { free(malloc(3)); return 0; }\n");
    let run = lab.byway(&["exec", "--stats", "a.c"]);
    run.code(0).stdout("");
    for row in ["load time", "run time", "instructions", "calls", "heap allocations"] {
        run.says(&format!("byway: {row}"));
    }
}

#[test]
fn the_budget_ends_an_endless_loop() {
    let lab = TestDir::new();
    lab.file("a.c", "int main(void) { for (volatile int i = 0;; i++) {} }\n");
    lab.byway(&["exec", "--max-instructions", "50k", "a.c"])
        .code(4)
        .stdout("")
        .says("byway: stopped: reached the instruction limit of 50,000 (--max-instructions)");
}

#[test]
fn memory_has_a_limit() {
    let lab = TestDir::new();
    let source = "#include <stdlib.h>\n#include <string.h>\nint main(void) {\n\
                  char *p = malloc(64 << 20); if (!p) return 9; memset(p, 1, 64 << 20); return 0; }\n";
    lab.file("a.c", source);
    lab.byway(&["exec", "a.c"]).code(0);
    lab.byway(&["exec", "--max-memory", "16MiB", "a.c"]).code(9);
}

#[test]
fn a_closed_pipe_is_an_error_for_the_program_and_nobody_else() {
    let lab = TestDir::new();
    let source = "#include <stdio.h>\n#include <errno.h>\nint main(void) {\n\
                  for (int i = 0; i < 100000; i++)\n if (puts(\"y\") == EOF) return errno == EPIPE ? 5 : 6;\n\
                  return 0; }\n";
    lab.file("a.c", source);
    let mut child = lab
        .command(&["exec", "a.c"])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("byway starts");
    let mut stdout = child.stdout.take().expect("a pipe");
    let mut first = [0; 2];
    stdout.read_exact(&mut first).expect("two bytes");
    drop(stdout);
    let output = child.wait_with_output().expect("byway ends");
    assert_eq!(output.status.code(), Some(5), "{output:?}");
    assert!(output.stderr.is_empty(), "{output:?}");
}

#[test]
fn ctrl_c_stops_the_run_cleanly() {
    let lab = TestDir::new();
    let source = "#include <unistd.h>\nint main(void) {\n\
                  write(1, \"started\\n\", 8); for (volatile int i = 0;; i++) {} }\n";
    lab.file("a.c", source);
    let mut child = lab
        .command(&["exec", "a.c"])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("byway starts");
    let mut line = [0; 8];
    let mut stdout = child.stdout.take().expect("a pipe");
    stdout.read_exact(&mut line).expect("a line");
    let kill = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(kill.expect("kill starts").success());
    let start = Instant::now();
    let output = child.wait_with_output().expect("byway ends");
    assert!(start.elapsed() < Duration::from_secs(20), "it took too long to stop");
    assert_eq!(output.status.code(), Some(130), "{output:?}");
    let words = String::from_utf8_lossy(&output.stderr);
    assert!(words.contains("byway: stopped: interrupted after "), "{words}");
}

#[test]
fn ctrl_c_stops_loading_too() {
    let lab = TestDir::with_own_cache();
    fs::create_dir(lab.path("tmp")).expect("a directory");
    lab.file("a.c", "int main(void) { return 0; }\n");
    lab.script("reader", "touch started\nexec sleep 100");
    let child = lab
        .command(&["exec", "a.c"])
        .env("BYWAY_LLVM", lab.path("reader"))
        .env("TMPDIR", lab.path("tmp"))
        .stderr(Stdio::piped())
        .spawn()
        .expect("byway starts");
    while !lab.path("started").exists() {
        thread::sleep(Duration::from_millis(5));
    }
    let kill = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(kill.expect("kill starts").success());
    let output = child.wait_with_output().expect("byway ends");
    assert_eq!(output.status.code(), Some(130), "{output:?}");
    let words = String::from_utf8_lossy(&output.stderr);
    assert_eq!(words, "byway: stopped: interrupted while loading\n");
    assert_eq!(fs::read_dir(lab.path("tmp")).expect("the directory").count(), 0);
}

#[test]
fn no_temporary_files_are_left() {
    let lab = TestDir::with_own_cache();
    fs::create_dir(lab.path("tmp")).expect("a directory");
    lab.file("a.c", "int main(void) { return 0; }\n").file("bad.c", "int main(\n");
    for (source, code) in [("a.c", 0), ("bad.c", 2)] {
        run(lab.command(&["exec", source]).env("TMPDIR", lab.path("tmp")), "").code(code);
        let left = fs::read_dir(lab.path("tmp")).expect("the directory").count();
        assert_eq!(left, 0, "{source}");
    }
}

#[test]
fn input_is_read_as_it_comes() {
    let lab = TestDir::new();
    let source = "#include <stdio.h>\nint main(void) { char b[80];\n\
                  while (fgets(b, sizeof b, stdin)) { printf(\"got %s\", b); fflush(stdout); }\n\
                  return 0; }\n";
    lab.file("a.c", source);
    let mut child = lab
        .command(&["exec", "a.c"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("byway starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    let mut stdout = child.stdout.take().expect("a pipe");
    // The answer must come before the input ends.
    stdin.write_all(b"one\n").expect("input");
    let mut answer = [0; 8];
    stdout.read_exact(&mut answer).expect("an answer");
    assert_eq!(&answer, b"got one\n");
    thread::sleep(Duration::from_millis(10));
    drop(stdin);
    assert!(child.wait().expect("byway ends").success());
}

#[test]
fn help_teaches() {
    let lab = TestDir::new();
    let overview = lab.byway(&["--help"]);
    overview.code(0).quiet();
    assert!(overview.stdout.contains("Exit codes:"), "{}", overview.stdout);
    for command in ["exec", "ir"] {
        let help = lab.byway(&[command, "--help"]);
        help.code(0).quiet();
        assert!(help.stdout.contains("Examples:"), "{}", help.stdout);
        assert_eq!(lab.byway(&["help", command]).code(0).stdout, help.stdout);
    }
    let version = lab.byway(&["--version"]);
    version.code(0).stdout(concat!("byway ", env!("CARGO_PKG_VERSION"), "\n"));
}

/// LLVM's own code generator drops such an index in a global, so there is no native run to compare.
#[test]
fn an_address_as_index_in_a_constant_is_an_address() {
    let lab = TestDir::new();
    let module = r#"
@a = global [4 x i8] c"abcd"
@b = global [4 x i8] c"efgh"
@p = global ptr getelementptr (i8, ptr null, i64 ptrtoint (ptr @a to i64))
@q = global ptr getelementptr (i8, ptr null, i64 add (i64 ptrtoint (ptr @a to i64), i64 2))
@r = global ptr getelementptr (i8, ptr @b, i64 sub (i64 ptrtoint (ptr @a to i64), i64 ptrtoint (ptr @b to i64)))

declare i32 @putchar(i32)

define void @show(ptr %at) {
  %byte = load i8, ptr %at
  %word = zext i8 %byte to i32
  %result = call i32 @putchar(i32 %word)
  ret void
}

define i32 @main() {
  %p = load ptr, ptr @p
  call void @show(ptr %p)
  %q = load ptr, ptr @q
  call void @show(ptr %q)
  %r = load ptr, ptr @r
  call void @show(ptr %r)
  call void @show(ptr getelementptr (i8, ptr null, i64 ptrtoint (ptr @b to i64)))
  %newline = call i32 @putchar(i32 10)
  ret i32 0
}
"#;
    lab.file("a.ll", module);
    lab.byway(&["exec", "a.ll"]).code(0).stdout("acae\n");
}
