//! Renders a test as a shell command: it creates the files, then runs the program with its standard
//! input, environment and arguments.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use byway_base::TestCase;
use byway_testcase::symbolic::{ProgramInput, StreamType};

use super::shell;
use byway_base::quantity::plural;

/// The file that holds standard input, if that is a file.
const STDIN_FILE: &str = "standard-input";

/// A test with the other data needed to run it.
pub struct TestCommand<'a> {
    pub test: &'a TestCase,
    /// The decoded inputs of `test`.
    pub input: &'a ProgramInput,
    /// The test's file, for a program that declares inputs itself.
    pub file: &'a Path,
    /// The concrete environment, which all tests share, as `NAME=value`.
    pub env: &'a [Vec<u8>],
}

/// The command, usually of several lines. Comments describe inputs that no shell command can
/// reproduce.
pub fn render(recipe: &TestCommand<'_>) -> String {
    let input = recipe.input;
    let mut lines = comments(recipe);
    for file in &input.files {
        lines.push(format!("{} > {}", shell::print(&file.bytes), file.name));
    }
    let call = call(recipe);
    match &input.stdin {
        Some(bytes) if input.streams[0] == StreamType::File => {
            lines.push(format!("{} > {STDIN_FILE}", shell::print(bytes)));
            lines.push(format!("{call} < {STDIN_FILE}"));
        }
        Some(bytes) => lines.push(format!("{} | {call}", shell::print(bytes))),
        None => lines.push(format!("{call} < /dev/null")),
    }
    lines.iter().map(|line| format!("{line}\n")).collect()
}

fn comments(recipe: &TestCommand<'_>) -> Vec<String> {
    let input = recipe.input;
    let mut comments = Vec::new();
    if input.incomplete {
        comments.push("# the path ended before all of its input was created".to_string());
    }
    for failure in &input.failures {
        comments.push(format!("# {failure} fails; a shell command cannot reproduce that"));
    }
    for (file, status) in &input.file_status {
        comments.push(format!(
            "# stat of {file} returns {status}; a shell command cannot reproduce that"
        ));
    }
    // Standard input is read from a file if it is one.
    let is_file = input.streams[0] == StreamType::File;
    for stream in input.unusual_streams().skip(is_file.into()) {
        comments.push(format!("# {stream}; this command does not set that up"));
    }
    if let Some(own @ 1..) = recipe.test.inputs.len().checked_sub(input.consumed_inputs) {
        let inputs = plural(own as u64, "input");
        let library = "runtime/replay/byway_replay.c";
        comments.push(format!("# the program declares {inputs} itself: link it with {library}"));
    }
    comments
}

/// The program with its environment and its arguments.
fn call(recipe: &TestCommand<'_>) -> String {
    let input = recipe.input;
    let mut variables: Vec<Vec<u8>> = recipe.env.to_vec();
    for (name, value) in &input.variables {
        variables.push([name, b"=".as_slice(), value].concat());
    }
    if recipe.test.inputs.len() > input.consumed_inputs {
        let file = recipe.file.as_os_str().as_bytes();
        variables.push([b"BYWAY_TEST=", file].concat());
        if input.consumed_inputs > 0 {
            variables.push(format!("BYWAY_TEST_SKIP={}", input.consumed_inputs).into_bytes());
        }
    }
    keep_first(&mut variables);
    let mut words = vec!["env -i".to_string()];
    // `env` would take a name with a leading dash for an option.
    if variables.iter().any(|variable| variable.starts_with(b"-")) {
        words.push("--".into());
    }
    words.extend(variables.iter().map(|variable| shell::word(variable)));
    words.push(shell::word(&program(input)));
    words.extend(input.arguments.iter().skip(1).map(|word| shell::word(word)));
    words.join(" ")
}

/// Removes all but the first variable of each name: a program sees the first, but `env` passes on
/// the last.
fn keep_first(variables: &mut Vec<Vec<u8>>) {
    let name = |variable: &[u8]| variable.split(|&byte| byte == b'=').next().map(<[u8]>::to_vec);
    let mut seen = Vec::new();
    variables.retain(|variable| {
        let name = name(variable);
        let new = !seen.contains(&name);
        seen.push(name);
        new
    });
}

/// The presumed path of the compiled program: `./cut` for `src/cut.bc`.
fn program(input: &ProgramInput) -> Vec<u8> {
    let name = input.arguments.first().map_or(&b""[..], Vec::as_slice);
    let stem = Path::new(OsStr::from_bytes(name)).file_stem().unwrap_or(OsStr::new("program"));
    [b"./", stem.as_bytes()].concat()
}

#[cfg(test)]
mod tests {
    use super::*;
    use byway_base::Input;

    fn test(words: &[&str], inputs: &[(&str, &[u8])]) -> TestCase {
        let input =
            |&(name, bytes): &(&str, &[u8])| Input { name: name.into(), bytes: bytes.into() };
        TestCase {
            args: words.iter().map(|word| word.as_bytes().to_vec()).collect(),
            inputs: inputs.iter().map(input).collect(),
        }
    }

    fn shown(test: &TestCase, env: &[&str]) -> String {
        let env: Vec<Vec<u8>> = env.iter().map(|entry| entry.as_bytes().to_vec()).collect();
        let input = ProgramInput::from_test(test).expect("a sound test");
        let file = Path::new("/x y/t.ktest");
        render(&TestCommand { test, input: &input, file, env: &env })
    }

    #[test]
    fn a_command_sets_files_stdin_environment_and_arguments() {
        let words =
            "b/cut.bc --sym-arg 3 A --sym-env X 2 --sym-files 2 2 --sym-stdin 2 --sym-sizes";
        let words: Vec<&str> = words.split(' ').collect();
        let inputs: &[(&str, &[u8])] = &[
            ("arg00", b"a b\0"),
            ("env-X", b"\x01\0\0"),
            ("A-size", &[2, 0, 0, 0]),
            ("A-data", b"x\n"),
            ("B-size", &[0; 4]),
            ("B-data", b"zz"),
            ("stdin-size", &[1, 0, 0, 0]),
            ("stdin", b"%z"),
        ];
        let expected = "printf 'x\\n' > A\n: > B\n\
            printf '%%' | env -i HOME=/h 'X='\"$(printf '\\001')\" ./cut 'a b' A\n";
        assert_eq!(shown(&test(&words, inputs), &["HOME=/h", "HOME=/i"]), expected);
    }

    #[test]
    fn standard_input_that_is_a_file_is_read_from_one() {
        let words = "a.c --sym-stdin 2 --stream-type all file --stream-type stderr tty";
        let words: Vec<&str> = words.split(' ').collect();
        let expected = "# standard output is a file; this command does not set that up\n\
            # standard error is a terminal; this command does not set that up\n\
            printf 'xy' > standard-input\nenv -i ./a < standard-input\n";
        assert_eq!(shown(&test(&words, &[("stdin", b"xy")]), &[]), expected);
    }

    #[test]
    fn comments_describe_inputs_that_no_command_can_reproduce() {
        let words = ["a.c", "--sym-files", "1", "1", "--sym-stat", "--max-fail", "1"];
        let numbers = [[0; 4], [2, 0, 0, 0]];
        let [never, second] = &numbers;
        let inputs: &[(&str, &[u8])] = &[
            ("A-data", b"x"),
            ("A-data-stat", &[0; 144]),
            ("read_fail", second),
            ("write_fail", never),
            ("close_fail", never),
            ("ftruncate_fail", never),
            ("getcwd_fail", never),
            ("own", b"1"),
        ];
        let expected = "\
# call 2 of read fails; a shell command cannot reproduce that
# stat of A returns mode 0000, links 1, owner 0:0, times 0 0 0; a shell command cannot reproduce that
# the program declares 1 input itself: link it with runtime/replay/byway_replay.c
printf 'x' > A
env -i 'BYWAY_TEST=/x y/t.ktest' BYWAY_TEST_SKIP=7 ./a < /dev/null
";
        assert_eq!(shown(&test(&words, inputs), &[]), expected);
    }

    #[test]
    fn unusual_names_are_quoted() {
        let plain = test(&["a b.c", "-n"], &[]);
        assert_eq!(shown(&plain, &["-x=1"]), "env -i -- -x=1 './a b' -n < /dev/null\n");
        assert_eq!(shown(&test(&[], &[]), &[]), "env -i ./program < /dev/null\n");
        let early = test(&["a.c", "--sym-arg", "1"], &[]);
        assert!(shown(&early, &[]).starts_with("# the path ended before"));
    }
}
