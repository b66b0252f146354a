//! Symbolic arguments, files, standard input and environment: what `byway show` says of
//! a test, what a shell makes of it, and what the program itself does.

use std::process::Command;

use byway_base::{Input, TestCase};
use byway_testcase::ktest;

use crate::setup::{Run, TestDir};

/// Tells everything it is given, in hexadecimal digits.
const TELL: &str = r#"
#include <stdio.h>
#include <string.h>
#include <unistd.h>
extern char **environ;
static void tell(const char *what, const char *bytes, size_t count) {
    printf("%s", what);
    for (size_t i = 0; i < count; i++) printf(" %02x", (unsigned char)bytes[i]);
    putchar('\n');
}
int main(int argc, char **argv) {
    static char buffer[1 << 16];
    for (int i = 1; i < argc; i++) tell("argument", argv[i], strlen(argv[i]));
    for (char **it = environ; *it; it++) tell("variable", *it, strlen(*it));
    tell("input", buffer, fread(buffer, 1, sizeof buffer, stdin));
    for (char name[] = "A"; name[0] <= 'B'; name[0]++) {
        FILE *file = fopen(name, "r");
        if (file) tell(name, buffer, fread(buffer, 1, sizeof buffer, file));
    }
    return 7;
}
"#;

fn told(what: &str, bytes: &[u8]) -> String {
    let digits: String = bytes.iter().map(|byte| format!(" {byte:02x}")).collect();
    format!("{what}{digits}\n")
}

fn write_test(lab: &TestDir, name: &str, words: &[&str], inputs: &[(&str, Vec<u8>)]) {
    let args = words.iter().map(|word| word.as_bytes().to_vec()).collect();
    let input =
        |(name, bytes): &(&str, Vec<u8>)| Input { name: name.to_string(), bytes: bytes.clone() };
    let test = TestCase { args, inputs: inputs.iter().map(input).collect() };
    ktest::write(&lab.path(name), &test).expect("a test");
}

/// A text in an object that has a byte more.
fn text(bytes: &[u8]) -> Vec<u8> {
    [bytes, b"\0"].concat()
}

#[test]
fn a_shell_gives_the_program_every_byte() {
    let lab = TestDir::new();
    lab.file("tell.c", TELL);
    lab.clang(&["-o", "tell", "tell.c"]);
    let every: Vec<u8> = (1..=255).collect();
    let mut odd: Vec<u8> = (0..=255).flat_map(|byte| [byte, b'7']).collect();
    odd.extend([0; 300]);
    odd.extend(b"-n %s\\n");
    let size = odd.len().to_string();
    let words: Vec<&str> = "src/tell.bc --sym-arg 255 -x --sym-arg 3 --sym-arg 2 --sym-arg 1 \
        --sym-env V 255 --sym-env W 3 --sym-files 2 SIZE --sym-stdin SIZE --sym-sizes"
        .split_whitespace()
        .map(|word| if word == "SIZE" { &size } else { word })
        .collect();
    let whole = (odd.len() as u32).to_le_bytes().to_vec();
    let inputs = [
        ("arg00", text(&every)),
        ("arg01", text(b"a\n\n")),
        ("arg02", text(b"-n")),
        ("arg03", text(b"\0")),
        ("env-V", text(&every)),
        ("env-W", text(b"\0zz")),
        ("A-size", whole.clone()),
        ("A-data", odd.clone()),
        ("B-size", vec![0; 4]),
        ("B-data", odd.clone()),
        ("stdin-size", whole),
        ("stdin", odd.clone()),
    ];
    write_test(&lab, "a.ktest", &words, &inputs);
    let expected = [
        told("argument", &every),
        told("argument", b"-x"),
        told("argument", b"a\n\n"),
        told("argument", b"-n"),
        told("argument", b""),
        told("variable", &[b"V=", every.as_slice()].concat()),
        told("variable", b"W="),
        told("input", &odd),
        told("A", &odd),
        told("B", b""),
    ];
    let command = lab.byway(&["show", "--command", "a.ktest"]);
    command.code(0).quiet();
    assert!(command.stdout.is_ascii(), "{command:?}");
    // `show` without `--command` contains the same command.
    let shown = lab.byway(&["show", "a.ktest"]);
    assert!(shown.stdout.contains(&format!("command\n{}\n", command.stdout)), "{shown:?}");
    assert!(shown.stdout.contains("object 1 arg00, 256 bytes\n"), "{shown:?}");
    for shell in ["sh", "bash"] {
        let Ok(output) =
            Command::new(shell).args(["-c", &command.stdout]).current_dir(lab.path("")).output()
        else {
            assert_ne!(shell, "sh", "there is always an sh");
            continue;
        };
        assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{shell}: {command:?}");
        assert_eq!(String::from_utf8_lossy(&output.stdout), expected.concat(), "{shell}");
        assert_eq!(output.status.code(), Some(7));
    }
}

/// Uses each kind of input, and ends in many ways.
const EVERYTHING: &str = r#"
#include <assert.h>
#include <byway.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
int main(int argc, char **argv) {
    char bytes[4] = "";
    if (strcmp(argv[0], "all.c")) return 99;
    if (argc > 1 && !strcmp(argv[1], "-f")) {
        FILE *file = argc > 2 ? fopen(argv[2], "r") : 0;
        if (!file) return 2;
        size_t got = fread(bytes, 1, 3, file);
        if (got == 3) assert(bytes[2] != 'k');
        return got == 1 && bytes[0] == '\n' ? 3 : 10 + got;
    }
    if (argc > 1 && !strcmp(argv[1], "-e")) {
        const char *value = getenv("VALUE");
        if (strcmp(getenv("FIXED"), "so")) return 98;
        if (value[0] == '\200') return 4;
        return value[0] ? 20 + strlen(value) : 5;
    }
    if (argc > 1 && !strcmp(argv[1], "-o")) return byway_int("arg00") == 77 ? 6 : 7;
    ssize_t got = read(0, bytes, 2);
    struct stat status;
    if (fstat(0, &status) || !S_ISFIFO(status.st_mode)) return 97;
    if (got > 0 && bytes[0] == '\0') return bytes[7 * got - 4];
    return 30 + got;
}
"#;

#[track_caller]
fn counts(run: &Run) -> [u64; 4] {
    ["agree", "diverge", "not comparable", "no prediction"].map(|name| {
        let line = run.stdout.lines().find(|line| line.starts_with(&format!("  {name} ")));
        let line = line.unwrap_or_else(|| panic!("no {name} in {run:#?}"));
        line.split_whitespace().next_back().expect("a number").parse().expect("a number")
    })
}

#[test]
fn tests_do_natively_what_was_predicted() {
    let lab = TestDir::new();
    lab.file("all.c", EVERYTHING);
    let options = "run --output-dir run --env FIXED=so --sym-args 0 2 2 --sym-files 2 3 \
                   --sym-stdin 2 --sym-sizes --sym-env VALUE 2 --sym-env FIXED 1 all.c";
    let words: Vec<&str> = options.split_whitespace().collect();
    let run = lab.byway(&words);
    run.code(1).says("explored completely").says("assert").says("out-of-bounds");
    let replay = lab.byway(&["replay", "run"]);
    replay.code(0).quiet();
    let [agree, others @ ..] = counts(&replay);
    assert!(agree > 30 && others == [0, 0, 0], "{replay:#?}");
}

#[test]
fn what_no_native_run_can_be_given_is_not_comparable() {
    let lab = TestDir::new();
    lab.file(
        "a.c",
        r#"
#include <sys/stat.h>
#include <unistd.h>
int main(int argc, char **argv) {
    struct stat status;
    char byte;
    if (read(0, &byte, 1) < 0) return 3;
    if (stat("A", &status)) return 4;
    if (status.st_uid == 12345) return 5;
    if (byte == 'x') return 6;
    return 7;
}
"#,
    );
    let options = "run --output-dir run --sym-files 1 1 --sym-stdin 1 --sym-stat --max-fail 1 a.c";
    lab.byway(&options.split_whitespace().collect::<Vec<_>>()).code(0);
    let replay = lab.byway(&["replay", "run"]);
    replay.code(0).quiet();
    assert_eq!(counts(&replay), [2, 0, 2, 0], "{replay:#?}");
    for reason in [
        "exit code 3\n          calls that fail in this test succeed natively: call 1 of read\n",
        "exit code 5\n          its input contains results of stat, which differ natively",
    ] {
        assert!(replay.stdout.contains(reason), "no {reason:?} in {replay:#?}");
    }
    let shown: String =
        (1..=4).map(|n| lab.byway(&["show", "--command", "run", &n.to_string()]).stdout).collect();
    assert!(
        shown.contains("# call 1 of read fails; a shell command cannot reproduce that\n"),
        "{shown}"
    );
    assert!(shown.contains(", owner 12345:0, "), "{shown}");
}

/// The path forks by the type of standard input where the program asks for it, and the test
/// records it. A native run agrees where it cannot tell.
#[test]
fn types_of_streams_are_input() {
    let lab = TestDir::new();
    lab.file(
        "a.c",
        r#"
#include <sys/stat.h>
#include <unistd.h>
int main(int argc, char **argv) {
    char byte;
    if (read(0, &byte, 1) != 1) return 9;
    if (byte == 'x') return 1;
    if (isatty(0)) return 2;
    return lseek(0, 0, SEEK_CUR) == 1 ? 3 : 4;
}
"#,
    );
    let options = "run --output-dir run --sym-stdin 1 --stream-type stdin any a.c";
    let run = lab.byway(&options.split_whitespace().collect::<Vec<_>>());
    run.code(0).says("explored completely").says("4 exit");
    let replay = lab.byway(&["replay", "run"]);
    replay.code(0).quiet();
    assert_eq!(counts(&replay), [2, 0, 2, 0], "{replay:#?}");
    for reason in ["a terminal", "a file"] {
        let reason = format!("standard input is {reason}; natively the streams are pipes");
        assert!(replay.stdout.contains(&reason), "no {reason:?} in {replay:#?}");
    }
    let commands: String =
        (1..=4).map(|n| lab.byway(&["show", "--command", "run", &n.to_string()]).stdout).collect();
    assert!(commands.contains("# standard input is a terminal; this command does"), "{commands}");
    assert!(commands.contains("env -i ./a < standard-input"), "{commands}");
    // A fixed type is no input.
    let fixed = "run --output-dir fixed --sym-stdin 1 --stream-type stdin tty a.c";
    lab.byway(&fixed.split_whitespace().collect::<Vec<_>>()).code(0).says("2 exit");
    lab.byway(&["run", "--stream-type", "stdin", "door", "a.c"])
        .code(2)
        .says("the type is pipe, file, tty or any");
}

/// Long symbolic paths are explored by what they mean, and not by their spelling.
#[test]
fn a_long_path_is_not_fixed() {
    let lab = TestDir::new();
    lab.file(
        "a.c",
        r#"
#include <errno.h>
#include <stdio.h>
#include <sys/stat.h>
int main(int argc, char **argv) {
    int error = mkdir(argv[1], 0700) ? errno : 0;
    if (error) perror("mkdir");
    return error;
}
"#,
    );
    let run = lab.byway(&["run", "--output-dir", "run", "--sym-arg", "20", "a.c"]);
    // A directory in /home/user, /home or /tmp; and four errors: the name exists, a directory is
    // missing, is a file, or cannot be written to.
    run.code(0).says("explored completely").says("7 exit");
    // In the sandbox, directories that cannot be written to are read-only.
    assert_eq!(counts(&lab.byway(&["replay", "run"])), [6, 0, 1, 0]);
}

#[test]
fn a_test_of_klees_is_a_command_too() {
    let lab = TestDir::new();
    let words = ["cut.bc", "-sym-args", "0", "2", "4", "--sym-files", "1", "2", "-sym-stdout"];
    let inputs = [
        ("n_args", vec![1, 0, 0, 0]),
        ("arg00", b"-c1\0\0".to_vec()),
        ("A-data", b"a\n".to_vec()),
        ("A-data-stat", vec![0; 144]),
        ("stdout", vec![0; 1024]),
        ("stdout-stat", vec![0; 144]),
        ("model_version", vec![1, 0, 0, 0]),
    ];
    write_test(&lab, "klee.ktest", &words, &inputs);
    let shown = lab.byway(&["show", "--command", "klee.ktest"]);
    let shown = &shown.code(0).quiet().stdout;
    assert!(shown.ends_with("\nprintf 'a\\n' > A\nenv -i ./cut -c1 < /dev/null\n"), "{shown}");
}

#[test]
fn a_test_that_contradicts_its_options_is_shown_all_the_same() {
    let lab = TestDir::new();
    write_test(&lab, "odd.ktest", &["a.c", "--sym-arg", "3"], &[("arg00", b"x\0".to_vec())]);
    let why = "'odd.ktest' is inconsistent with its options: input 'arg00' has 2 bytes, but its \
               option asks for 4";
    let shown = lab.byway(&["show", "odd.ktest"]);
    shown.code(0).says(&format!("byway: warning: {why}"));
    assert!(shown.stdout.contains("object 1 arg00, 2 bytes\n"), "{shown:?}");
    lab.byway(&["show", "--command", "odd.ktest"]).code(2).says(&format!("byway: error: {why}"));
}
