//! Tests as runs write them, as KLEE writes them, and damaged ones.

use proptest::collection::vec;
use proptest::prelude::*;

use super::*;

fn test(words: &str, inputs: &[(&str, &[u8])]) -> TestCase {
    let words = std::iter::once("tool.bc").chain(words.split_whitespace());
    let input = |&(name, bytes): &(&str, &[u8])| Input { name: name.into(), bytes: bytes.into() };
    TestCase {
        args: words.map(|word| word.as_bytes().to_vec()).collect(),
        inputs: inputs.iter().map(input).collect(),
    }
}

fn decoded(words: &str, inputs: &[(&str, &[u8])]) -> ProgramInput {
    ProgramInput::from_test(&test(words, inputs)).expect("a sound test")
}

fn rejected(words: &str, inputs: &[(&str, &[u8])]) -> String {
    ProgramInput::from_test(&test(words, inputs)).expect_err("a damaged test")
}

fn shown(words: &[Vec<u8>]) -> Vec<String> {
    words.iter().map(|word| String::from_utf8_lossy(word).into_owned()).collect()
}

const ONE: &[u8] = &[1, 0, 0, 0];
const TWO: &[u8] = &[2, 0, 0, 0];

#[test]
fn streams_are_what_options_and_inputs_say() {
    let words = "--sym-stdin 1 --stream-type all any --stream-type stdout tty";
    let inputs: &[(&str, &[u8])] = &[("stdin", b"x"), ("stdin-type", ONE), ("stderr-type", TWO)];
    let input = decoded(words, inputs);
    assert_eq!(input.streams, [StreamType::File, StreamType::Terminal, StreamType::Terminal]);
    assert_eq!(input.consumed_inputs, 3);
    let unusual: Vec<String> = input.unusual_streams().collect();
    let expected = [
        "standard input is a file",
        "standard output is a terminal",
        "standard error is a terminal",
    ];
    assert_eq!(unusual, expected);
    assert_eq!(decoded("--sym-stdin 1", &inputs[..1]).streams, [StreamType::Pipe; 3]);
    let wrong = ("stdin-type", &[3, 0, 0, 0][..]);
    assert!(rejected("--stream-type stdin any", &[wrong]).contains("stdin-type"));
}

#[test]
fn arguments_stand_where_their_options_stood() {
    let inputs: &[(&str, &[u8])] = &[
        ("n_args", ONE),
        ("arg00", b"-f\0"),
        ("n_args_1", TWO),
        ("arg01", b"1\0x\0"),
        ("arg02", b"xyz!"),
        ("arg03", b"\0"),
        ("own", b"123"),
    ];
    let words = "-x --sym-args 0 1 2 y -sym-args 1 3 3 --sym-arg 0 z";
    let input = decoded(words, inputs);
    let expected = ["tool.bc", "-x", "-f", "y", "1", "xyz", "", "z"];
    assert_eq!(shown(&input.arguments), expected);
    assert_eq!((input.consumed_inputs, input.incomplete, input.has_options), (6, false, true));
}

#[test]
fn variables_files_stdin_and_failures_are_decoded() {
    let status = [0; FileStatus::SIZE as usize];
    let inputs: &[(&str, &[u8])] = &[
        ("env-X", b"1\0\0"),
        ("env-X_1", b"\0\0"),
        ("A-size", ONE),
        ("A-data", b"ab"),
        ("A-data-stat", &status),
        ("B-size", TWO),
        ("B-data", b"cd"),
        ("B-data-stat", &status),
        ("stdin-size", &[0; 4]),
        ("stdin", b"efg"),
        ("read_fail", TWO),
        ("write_fail", &[0; 4]),
        ("close_fail", &[0xff; 4]),
        ("ftruncate_fail", ONE),
        ("getcwd_fail", &[0; 4]),
        ("arg00", b"the program's own"),
    ];
    let words = "--sym-env X 2 --sym-files 2 2 --sym-stdin 3 --sym-sizes --sym-stat --max-fail 1 \
                 --sym-env X 1 --sym-stdout";
    let input = decoded(words, inputs);
    let variable = |value: &[u8]| (b"X".to_vec(), value.to_vec());
    assert_eq!(input.variables, [variable(b"1"), variable(b"")]);
    let file = |name: &str, bytes: &[u8]| InputFile { name: name.into(), bytes: bytes.into() };
    assert_eq!(input.files, [file("A", b"a"), file("B", b"cd")]);
    assert_eq!(input.stdin, Some(vec![]));
    assert_eq!(input.file_status.len(), 2);
    let failures: Vec<String> = input.failures.iter().map(FailingCall::to_string).collect();
    assert_eq!(failures, ["call 2 of read", "call 1 of ftruncate"]);
    assert_eq!(input.consumed_inputs, 15);
}

#[test]
fn a_single_possible_value_is_no_input() {
    let input = decoded(
        "--sym-args 2 2 0 --sym-files 1 0 --sym-sizes --sym-stdin 0",
        &[("arg00", b"\0"), ("arg01", b"\0")],
    );
    assert_eq!(input.arguments.len(), 3);
    assert_eq!(input.files, [InputFile { name: "A".into(), bytes: vec![] }]);
    assert_eq!((input.stdin, input.consumed_inputs), (None, 2));
}

#[test]
fn any_number_of_words_without_options_are_arguments() {
    let words = vec!["x"; 300].join(" ");
    let input = decoded(&words, &[("n", ONE)]);
    assert_eq!((input.arguments.len(), input.consumed_inputs), (301, 0));
    assert!(!input.has_options);
    let nothing = TestCase { args: vec![], inputs: vec![] };
    assert_eq!(ProgramInput::from_test(&nothing), Ok(ProgramInput::default()));
}

#[test]
fn missing_inputs_of_a_path_that_ended_early_are_filled_in() {
    let words = "--sym-args 1 3 2 --sym-env E 1 --sym-files 1 2 --sym-sizes";
    let input = decoded(words, &[("n_args", TWO), ("arg00", b"ab\0")]);
    assert_eq!(shown(&input.arguments), ["tool.bc", "ab", ""]);
    assert_eq!(input.files, [InputFile { name: "A".into(), bytes: vec![] }]);
    assert!(input.incomplete);
    let nothing = decoded(words, &[]);
    assert_eq!(nothing.arguments.len(), 2);
    assert!(nothing.incomplete);
}

#[test]
fn contradictions_are_reported() {
    assert_eq!(
        rejected("--sym-arg 2", &[("arg00", b"ab")]),
        "input 'arg00' has 2 bytes, but its option asks for 3"
    );
    assert_eq!(
        rejected("--sym-args 1 2 1", &[("n_args", &[0; 4]), ("arg00", b"a\0")]),
        "input 'n_args' is not from 1 to 2"
    );
    assert_eq!(
        rejected("--sym-files 1 1 --sym-sizes", &[("A-size", TWO), ("A-data", b"a")]),
        "input 'A-size' is not from 0 to 1"
    );
    assert_eq!(
        rejected("--sym-arg 1", &[("other", b"a\0")]),
        "input 'arg00' is missing, but there is 'other'"
    );
    assert_eq!(
        rejected("--sym-arg 1", &[("other", b"x"), ("arg00", b"a\0")]),
        "input 'other' comes before 'arg00', which an option stands for"
    );
    assert_eq!(rejected("--sym-arg", &[]), "'--sym-arg' is missing its LEN");
}

/// A test as KLEE 3 writes it for `klee --posix-runtime tool.bc --sym-args 0 2 2 A
/// --sym-files 1 4 --sym-stdin 2 --sym-stdout --max-fail 1 --save-all-writes`.
#[test]
fn klees_tests_are_decoded() {
    let mut status = [0; 144];
    status[24..28].copy_from_slice(&0o100_600u32.to_le_bytes());
    let inputs: &[(&str, &[u8])] = &[
        ("n_args", ONE),
        ("arg00", b"-n\0"),
        ("A-data", b"data"),
        ("A-data-stat", &status),
        ("stdin", b"in"),
        ("stdin-stat", &status),
        ("read_fail", ONE),
        ("write_fail", &[0; 4]),
        ("close_fail", &[0; 4]),
        ("ftruncate_fail", &[0; 4]),
        ("getcwd_fail", &[0; 4]),
        ("stdout", &[0; 1024]),
        ("stdout-stat", &status),
        ("model_version", ONE),
        ("own-stat", b"1"),
    ];
    let words = "--sym-args 0 2 2 A --sym-files 1 4 --sym-stdin 2 --sym-stdout --max-fail 1 \
                 --save-all-writes";
    let input = decoded(words, inputs);
    assert_eq!(shown(&input.arguments), ["tool.bc", "-n", "A"]);
    assert_eq!(input.files, [InputFile { name: "A".into(), bytes: b"data".to_vec() }]);
    assert_eq!(input.stdin.as_deref(), Some(b"in".as_slice()));
    assert_eq!(input.failures, [FailingCall { call: "read", nth: 1 }]);
    let said: Vec<String> =
        input.file_status.iter().map(|(name, it)| format!("{name}: {it}")).collect();
    assert_eq!(said, ["A: mode 0600, links 0, owner 0:0, times 0 0 0"]);
    assert_eq!((input.consumed_inputs, input.incomplete), (14, false));
}

/// An argument or option of the command line, with the values it has on a path.
#[derive(Clone, Debug)]
enum Piece {
    Concrete(Vec<u8>),
    Several { min: u32, max: u32, length: u32, texts: Vec<Vec<u8>> },
    Variable(String, u32, Vec<u8>),
}

fn text(max: u32) -> impl Strategy<Value = Vec<u8>> {
    vec(1..=255u8, 0..=max as usize)
}

fn several() -> impl Strategy<Value = Piece> {
    (0..3u32, 0..3u32, 0..4u32)
        .prop_flat_map(|(min, more, length)| {
            let count = min as usize..=(min + more) as usize;
            (Just((min, min + more, length)), vec(text(length), count))
        })
        .prop_map(|((min, max, length), texts)| Piece::Several { min, max, length, texts })
}

fn piece() -> impl Strategy<Value = Piece> {
    prop_oneof![
        "[a-z]{0,3}".prop_map(|word| Piece::Concrete(word.into_bytes())),
        several(),
        ("[XY](_1)?", text(3)).prop_map(|(name, value)| Piece::Variable(name, 3, value)),
    ]
}

/// Writes a test with the inputs that the runtime creates.
#[derive(Default)]
struct TestBuilder {
    words: Vec<String>,
    inputs: Vec<Input>,
    symbolic: usize,
}

impl TestBuilder {
    fn input(&mut self, name: &str, bytes: Vec<u8>) {
        let mut own = name.to_string();
        let mut number = 0;
        while self.inputs.iter().any(|input| input.name == own) {
            number += 1;
            own = format!("{name}_{number}");
        }
        self.inputs.push(Input { name: own, bytes });
    }

    /// A string in an object one byte longer than its maximal length. The bytes after its
    /// end are arbitrary.
    fn text(&mut self, name: &str, max: u32, text: &[u8]) {
        let mut bytes = text.to_vec();
        bytes.resize(max as usize + 1, 7);
        if let Some(end) = bytes.get_mut(text.len()).filter(|_| text.len() < max as usize) {
            *end = 0;
        }
        self.input(name, bytes);
    }

    fn piece(&mut self, piece: &Piece) {
        match piece {
            Piece::Concrete(word) => self.words.push(String::from_utf8_lossy(word).into_owned()),
            Piece::Several { min, max, length, texts } => {
                self.words.push("--sym-args".into());
                self.words.extend([min, max, length].map(u32::to_string));
                if min < max {
                    self.input("n_args", (texts.len() as u32).to_le_bytes().to_vec());
                }
                for it in texts {
                    self.text(&format!("arg{:02}", self.symbolic), *length, it);
                    self.symbolic += 1;
                }
            }
            Piece::Variable(name, max, value) => {
                self.words.extend(["--sym-env".into(), name.clone(), max.to_string()]);
                self.text(&format!("env-{name}"), *max, value);
            }
        }
    }

    fn finish(mut self, own: &[&str]) -> TestCase {
        for name in own {
            self.input(name, vec![1]);
        }
        // Makes sure that the words contain an option.
        self.words.push("--sym-stdout".into());
        let words = std::iter::once("tool".to_string()).chain(self.words);
        TestCase { args: words.map(String::into_bytes).collect(), inputs: self.inputs }
    }
}

proptest! {
    #[test]
    fn inputs_of_the_runtime_are_decoded(pieces in vec(piece(), 0..6)) {
        let mut builder = TestBuilder::default();
        pieces.iter().for_each(|piece| builder.piece(piece));
        let made = builder.inputs.len();
        let input = ProgramInput::from_test(&builder.finish(&["arg00", "n_args", "own"]));
        let input = input.expect("a sound test");
        let mut arguments = vec![b"tool".to_vec()];
        let mut variables = vec![];
        for piece in pieces {
            match piece {
                Piece::Concrete(word) => arguments.push(word),
                Piece::Several { texts, .. } => arguments.extend(texts),
                Piece::Variable(name, _, value) => variables.push((name.into_bytes(), value)),
            }
        }
        prop_assert_eq!(input.arguments, arguments);
        prop_assert_eq!(input.variables, variables);
        prop_assert_eq!((input.consumed_inputs, input.incomplete), (made, false));
    }

    #[test]
    fn a_beginning_of_a_test_is_one_that_ended_early(
        pieces in vec(piece(), 0..6), cut in any::<prop::sample::Index>(),
    ) {
        let mut builder = TestBuilder::default();
        pieces.iter().for_each(|piece| builder.piece(piece));
        let all = builder.inputs.len();
        let mut test = builder.finish(&[]);
        test.inputs.truncate(cut.index(all + 1));
        let input = ProgramInput::from_test(&test).expect("a sound test");
        prop_assert_eq!(input.consumed_inputs, test.inputs.len());
        prop_assert!(input.incomplete || test.inputs.len() == all);
    }

    #[test]
    fn arbitrary_words_and_inputs_do_not_panic(
        words in vec("(--sym-(arg|args|files|stdin|env|sizes|stat)|--max-fail|[0-3]|x)", 0..10),
        inputs in vec(("(arg0[0-2]|n_args(_1)?|[AB]-(data|size)|stdin|model_version)",
                       vec(0..4u8, 0..6)), 0..8),
    ) {
        let test = TestCase {
            args: words.into_iter().map(String::into_bytes).collect(),
            inputs: inputs.into_iter().map(|(name, bytes)| Input { name, bytes }).collect(),
        };
        if let Ok(input) = ProgramInput::from_test(&test) {
            prop_assert!(input.consumed_inputs <= test.inputs.len());
        }
    }
}
