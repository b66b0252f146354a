//! `byway replay` of harmful programs, the exact comparison, and the explanation of differences
//! that are not the engine's.

use std::fs;
use std::net::TcpListener;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::setup::{Run, TestDir};

/// A program that was explored, for its tests to be replayed.
fn explored(source: &str, flags: &[&str]) -> TestDir {
    let lab = TestDir::new();
    lab.file("a.c", source);
    let run = lab.byway(&[&["run", "--output-dir", "run"], flags, &["a.c"]].concat());
    assert_eq!(run.code, Some(0), "{run:#?}");
    lab
}

#[track_caller]
fn shows(run: &Run, lines: &[&str]) {
    for line in lines {
        assert!(run.stdout.contains(line), "no {line:?} in {run:#?}");
    }
}

/// Whether there is a C library to compare exactly with; `./dev test` installs it.
fn has_musl() -> bool {
    Path::new("/usr/lib/x86_64-linux-musl/libc.a").exists()
}

const EXACTLY: &str = "  exact comparison   with musl: exit code, signal and output\n";

#[test]
fn a_test_that_deletes_connects_and_writes_does_no_harm() {
    let host = TestDir::new();
    host.file("victim", "whole");
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    listener.set_nonblocking(true).expect("a listener");
    let port = listener.local_addr().expect("an address").port();
    let (victim, beside) = (host.path("victim"), host.path("beside"));
    let lab = explored(
        &format!(
            r#"#include <klee/klee.h>
#include <arpa/inet.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>
int main(void) {{
    struct sockaddr_in to = {{ AF_INET, htons({port}), {{ htonl(INADDR_LOOPBACK) }} }};
    switch (klee_range(0, 4, "what")) {{
    case 0: return unlink("{0}") == 0;
    case 1: return open("{1}", O_CREAT | O_WRONLY, 0644) >= 0;
    case 2: return connect(socket(AF_INET, SOCK_STREAM, 0), (void *)&to, sizeof to) == 0;
    default: return kill({2}, SIGKILL) == 0;
    }}
}}
"#,
            victim.display(),
            beside.display(),
            std::process::id(),
        ),
        &[],
    );
    let run = lab.byway(&["replay", "run"]);
    run.code(0);
    shows(
        &run,
        &[
            "  contained by       namespaces, a system call filter, resource limits\n",
            "  diverge            0\n",
        ],
    );
    assert_eq!(fs::read_to_string(victim).expect("still there"), "whole");
    assert!(!beside.exists());
    assert!(listener.accept().is_err(), "somebody called");
}

#[test]
fn running_without_a_sandbox_is_an_explicit_option() {
    let lab = explored("int main(void) { return 3; }\n", &[]);
    let run = lab.byway(&["replay", "run", "--no-sandbox"]);
    run.code(0);
    shows(&run, &["  contained by       resource limits only\n", "  agree              1\n"]);
}

#[test]
fn output_is_compared_exactly() {
    let source = r#"#include <klee/klee.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>
int main(int argc, char **argv) {
    char where[100], text[4] = "";
    FILE *file = fopen("A", "r");
    struct stat here;
    if (!stat(".", &here)) printf("%ld bytes\n", (long)here.st_size);
    if (argc > 1 && file && fgets(text, 4, file)) printf("%s %s %.3f\n", argv[1], text, 2.0 / 3);
    fprintf(stderr, "%s %d %d\n", getcwd(where, sizeof where), getpid(), getuid());
    return text[0] == 'x';
}
"#;
    let lab = explored(source, &["--sym-arg", "1", "--sym-files", "1", "3"]);
    let run = lab.byway(&["replay", "run"]);
    run.code(0);
    shows(&run, &["  diverge            0\n", "  not comparable     0\n"]);
    if has_musl() {
        shows(&run, &[EXACTLY]);
    }
}

#[test]
fn different_output_diverges_and_unstable_output_is_not_comparable() {
    if !has_musl() {
        return;
    }
    let source = r#"#include <klee/klee.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <time.h>
int main(void) {
    struct utsname name;
    struct stat here;
    uname(&name);
    stat(".", &here);
    switch (klee_range(0, 4, "what")) {
    case 0: printf("version %s\n", name.version); break;
    case 1: printf("%ld\n", (long)time(0)); break;
    case 2: printf("%ld\n", (long)here.st_ino); break;
    default: printf("%p\n", malloc(8)); break;
    }
    return 5;
}
"#;
    let lab = explored(source, &[]);
    let run = lab.byway(&["replay", "run"]);
    run.code(1);
    shows(
        &run,
        &[
            EXACTLY,
            "  diverge            1\n",
            "  not comparable     3\n",
            "predicted: exit code 5\n          happened:  standard output from byte ",
            "its behaviour depends on the time\n",
            "its output depends on the file system: inode numbers, order of names, ",
            "two native runs differ as well: addresses, random numbers or the like\n",
        ],
    );
}

#[test]
fn the_users_binary_is_compared_separately() {
    if !has_musl() {
        return;
    }
    let source = "#include <klee/klee.h>\n#include <stdlib.h>\n\
                  int main(void) { if (klee_int(\"x\") > 3) exit(LARGE); return 0; }\n";
    let lab = explored(source, &["-D", "LARGE=1"]);
    let replay = |large: &str| {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../runtime");
        let (include, library) = (root.join("include"), root.join("replay/byway_replay.c"));
        let (include, library) = (include.display().to_string(), library.display().to_string());
        lab.clang(&["-w", "-I", &include, large, "a.c", &library, "-o", "mine"]);
        lab.byway(&["replay", "run", "--binary", "mine"])
    };
    let run = replay("-DLARGE=1");
    run.code(0);
    shows(&run, &["  and also           on '", "  agree              2\n"]);
    assert!(!run.stdout.contains("but not on"), "{run:#?}");
    let run = replay("-DLARGE=7");
    run.code(0);
    shows(
        &run,
        &[
            "  agree              2\n",
            "  diverge            0\n",
            "\nagree, but not on '",
            "exit code 7\n",
        ],
    );
    lab.byway(&["replay", "run", "--binary", "none"]).code(2).says("cannot read 'none'");
}

const CLASSES: &str = r#"#include <klee/klee.h>
int main(void) {
    int x = klee_int("x"), y = 0;
    for (int i = 0; i < 5; i++) if (x >> i & 1) y++;
    if (x == 100) y = 9;
    return y;
}
"#;

#[test]
fn few_tests_cover_as_much_as_all() {
    let lab = explored(CLASSES, &[]);
    let run = lab.byway(&["minimize", "run", "--output-dir", "few"]);
    run.code(0);
    let kept: Vec<&str> = run.stdout.lines().collect();
    assert!((1..=2).contains(&kept.len()), "{run:#?}");
    let all = fs::read_dir(lab.path("run/tests")).expect("the tests").count();
    assert!(all > 16);
    run.says(&format!("byway: {} of {all} tests cover as much as all of them", kept.len()));
    let mut copied = 0;
    for entry in fs::read_dir(lab.path("few")).expect("the directory").flatten() {
        copied += 1;
        let original = lab.path("run/tests").join(entry.file_name());
        let same = fs::read(original).expect("the test") == fs::read(entry.path()).expect("a copy");
        assert!(same);
    }
    assert_eq!(copied, kept.len());
    // The same again, and nothing is written over.
    assert_eq!(lab.byway(&["minimize", "run"]).stdout, run.stdout);
    lab.byway(&["minimize", "run", "--output-dir", "few"]).code(2).says("'few' is not empty");
}

#[test]
fn each_fault_keeps_a_test() {
    let lab = TestDir::new();
    // One path through the code with three endings, which only the faults distinguish.
    let source = "#include <klee/klee.h>\nint main(void) { volatile char t[4] = {1, 2, 3, 4};\n\
                  int i = klee_int(\"i\"); return t[i >> 3 & 7] / ((i & 7) - 5); }\n";
    lab.file("a.c", source);
    lab.byway(&["run", "--output-dir", "run", "a.c"]).code(1);
    let run = lab.byway(&["minimize", "run"]);
    run.code(0).says("byway: 2 of 3 tests cover as much as all of them");
    let paths = fs::read_to_string(lab.path("run/paths.jsonl")).expect("the paths");
    for kept in run.stdout.lines() {
        let name = kept.rsplit('/').next().expect("a name");
        let path = paths.lines().find(|line| line.contains(name)).expect("its path");
        assert!(path.contains(r#""kind":"fault""#), "{path}");
    }
}

#[test]
fn truncated_paths_are_truncated_again() {
    let lab = TestDir::new();
    // Without a limit on single paths, this one never ends.
    let source = "#include <klee/klee.h>\nint main(void) { volatile int n = 0;\n\
                  if (klee_int(\"i\") == 7) for (;;) n++;\n return 0; }\n";
    lab.file("a.c", source);
    lab.byway(&["run", "--max-work", "200k", "--output-dir", "run", "a.c"]).code(0);
    let run = lab.byway(&["minimize", "run"]);
    run.code(0).says("byway: 2 of 2 tests cover as much as all of them");
    run.says("byway: 1 test of unfinished paths: run up to the same instruction\n");
}

#[test]
fn ctrl_c_names_the_interrupted_task() {
    let lab = explored(CLASSES, &[]);
    lab.script("clang", "touch started\nexec sleep 100");
    let said = |words: &[&str]| {
        let _ = fs::remove_file(lab.path("started"));
        let mut command = lab.command(words);
        let command = command.env("BYWAY_CLANG", lab.path("clang")).stderr(Stdio::piped());
        let child = command.stdout(Stdio::null()).spawn().expect("byway starts");
        while !lab.path("started").exists() {
            std::thread::sleep(std::time::Duration::from_millis(5));
        }
        let kill = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
        assert!(kill.expect("kill starts").success());
        let output = child.wait_with_output().expect("byway ends");
        assert_eq!(output.status.code(), Some(130), "{output:?}");
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    for (words, doing) in [
        (&["exec", "--no-cache", "a.c"][..], "compiling"),
        (&["replay", "run"], "building the program for replay"),
        (&["cover", "run", "--compiler", "clang"], "building the program for coverage"),
    ] {
        assert_eq!(said(words), format!("byway: stopped: interrupted while {doing}\n"));
    }
}

#[test]
fn a_changed_program_is_not_minimised() {
    let lab = explored(CLASSES, &[]);
    lab.file("a.c", CLASSES.replace("100", "101"));
    lab.byway(&["minimize", "run"]).code(2).says("has changed since it was explored");
    lab.byway(&["minimize", "nowhere"]).code(2).says("cannot read 'nowhere'");
}
