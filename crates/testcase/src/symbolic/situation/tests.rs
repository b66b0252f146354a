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

fn decoded(words: &str, inputs: &[(&str, &[u8])]) -> Situation {
    Situation::of(&test(words, inputs)).expect("a sound test")
}

fn refused(words: &str, inputs: &[(&str, &[u8])]) -> String {
    Situation::of(&test(words, inputs)).expect_err("a damaged test")
}

fn shown(words: &[Vec<u8>]) -> Vec<String> {
    words.iter().map(|word| String::from_utf8_lossy(word).into_owned()).collect()
}

const ONE: &[u8] = &[1, 0, 0, 0];
const TWO: &[u8] = &[2, 0, 0, 0];

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
    let situation = decoded(words, inputs);
    let expected = ["tool.bc", "-x", "-f", "y", "1", "xyz", "", "z"];
    assert_eq!(shown(&situation.arguments), expected);
    assert_eq!((situation.told, situation.unfinished, situation.symbolic), (6, false, true));
}

#[test]
fn everything_beside_arguments() {
    let status = [0; Status::SIZE as usize];
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
    let situation = decoded(words, inputs);
    let variable = |value: &[u8]| (b"X".to_vec(), value.to_vec());
    assert_eq!(situation.variables, [variable(b"1"), variable(b"")]);
    let file = |name: &str, bytes: &[u8]| File { name: name.into(), bytes: bytes.into() };
    assert_eq!(situation.files, [file("A", b"a"), file("B", b"cd")]);
    assert_eq!(situation.stdin, Some(vec![]));
    assert_eq!(situation.status.len(), 2);
    let failures: Vec<String> = situation.failures.iter().map(Failure::to_string).collect();
    assert_eq!(failures, ["call 2 of read", "call 1 of ftruncate"]);
    assert_eq!(situation.told, 15);
}

#[test]
fn what_leaves_no_choice_is_no_input() {
    let situation = decoded(
        "--sym-args 2 2 0 --sym-files 1 0 --sym-sizes --sym-stdin 0",
        &[("arg00", b"\0"), ("arg01", b"\0")],
    );
    assert_eq!(situation.arguments.len(), 3);
    assert_eq!(situation.files, [File { name: "A".into(), bytes: vec![] }]);
    assert_eq!((situation.stdin, situation.told), (None, 2));
}

#[test]
fn words_without_options_are_arguments_however_many() {
    let words = vec!["x"; 300].join(" ");
    let situation = decoded(&words, &[("n", ONE)]);
    assert_eq!((situation.arguments.len(), situation.told), (301, 0));
    assert!(!situation.symbolic);
    let nothing = TestCase { args: vec![], inputs: vec![] };
    assert_eq!(Situation::of(&nothing), Ok(Situation::default()));
}

#[test]
fn a_path_that_ended_early_is_filled_up() {
    let words = "--sym-args 1 3 2 --sym-env E 1 --sym-files 1 2 --sym-sizes";
    let situation = decoded(words, &[("n_args", TWO), ("arg00", b"ab\0")]);
    assert_eq!(shown(&situation.arguments), ["tool.bc", "ab", ""]);
    assert_eq!(situation.files, [File { name: "A".into(), bytes: vec![] }]);
    assert!(situation.unfinished);
    let nothing = decoded(words, &[]);
    assert_eq!(nothing.arguments.len(), 2);
    assert!(nothing.unfinished);
}

#[test]
fn contradictions_are_told() {
    assert_eq!(
        refused("--sym-arg 2", &[("arg00", b"ab")]),
        "input 'arg00' has 2 bytes, but its option means 3"
    );
    assert_eq!(
        refused("--sym-args 1 2 1", &[("n_args", &[0; 4]), ("arg00", b"a\0")]),
        "input 'n_args' is not from 1 to 2"
    );
    assert_eq!(
        refused("--sym-files 1 1 --sym-sizes", &[("A-size", TWO), ("A-data", b"a")]),
        "input 'A-size' is not from 0 to 1"
    );
    assert_eq!(
        refused("--sym-arg 1", &[("other", b"a\0")]),
        "input 'arg00' is missing, but there is 'other'"
    );
    assert_eq!(
        refused("--sym-arg 1", &[("other", b"x"), ("arg00", b"a\0")]),
        "input 'other' comes before 'arg00', which options stand for"
    );
    assert_eq!(refused("--sym-arg", &[]), "'--sym-arg' lacks its LEN");
}

/// A test as KLEE 3 writes it for `klee --posix-runtime tool.bc --sym-args 0 2 2 A
/// --sym-files 1 4 --sym-stdin 2 --sym-stdout --max-fail 1 --save-all-writes`.
#[test]
fn klees_tests_are_understood() {
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
    let situation = decoded(words, inputs);
    assert_eq!(shown(&situation.arguments), ["tool.bc", "-n", "A"]);
    assert_eq!(situation.files, [File { name: "A".into(), bytes: b"data".to_vec() }]);
    assert_eq!(situation.stdin.as_deref(), Some(b"in".as_slice()));
    assert_eq!(situation.failures, [Failure { call: "read", which: 1 }]);
    let said: Vec<String> =
        situation.status.iter().map(|(name, it)| format!("{name}: {it}")).collect();
    assert_eq!(said, ["A: mode 0600, links 0, owner 0:0, times 0 0 0"]);
    assert_eq!((situation.told, situation.unfinished), (14, false));
}

/// What a wish becomes on a path: its words, the inputs it makes, what the program gets.
#[derive(Clone, Debug)]
enum Piece {
    Given(Vec<u8>),
    Several { least: u32, most: u32, length: u32, texts: Vec<Vec<u8>> },
    Variable(String, u32, Vec<u8>),
}

fn text(most: u32) -> impl Strategy<Value = Vec<u8>> {
    vec(1..=255u8, 0..=most as usize)
}

fn several() -> impl Strategy<Value = Piece> {
    (0..3u32, 0..3u32, 0..4u32)
        .prop_flat_map(|(least, more, length)| {
            let many = least as usize..=(least + more) as usize;
            (Just((least, least + more, length)), vec(text(length), many))
        })
        .prop_map(|((least, most, length), texts)| Piece::Several { least, most, length, texts })
}

fn piece() -> impl Strategy<Value = Piece> {
    prop_oneof![
        "[a-z]{0,3}".prop_map(|word| Piece::Given(word.into_bytes())),
        several(),
        ("[XY](_1)?", text(3)).prop_map(|(name, value)| Piece::Variable(name, 3, value)),
    ]
}

/// Writes a test down as the runtime makes its inputs.
#[derive(Default)]
struct Writer {
    words: Vec<String>,
    inputs: Vec<Input>,
    symbolic: usize,
}

impl Writer {
    fn input(&mut self, name: &str, bytes: Vec<u8>) {
        let mut own = name.to_string();
        let mut number = 0;
        while self.inputs.iter().any(|input| input.name == own) {
            number += 1;
            own = format!("{name}_{number}");
        }
        self.inputs.push(Input { name: own, bytes });
    }

    /// A text in an object that is one byte longer than it may be; what follows its end
    /// does not matter.
    fn text(&mut self, name: &str, most: u32, text: &[u8]) {
        let mut bytes = text.to_vec();
        bytes.resize(most as usize + 1, 7);
        if let Some(end) = bytes.get_mut(text.len()).filter(|_| text.len() < most as usize) {
            *end = 0;
        }
        self.input(name, bytes);
    }

    fn piece(&mut self, piece: &Piece) {
        match piece {
            Piece::Given(word) => self.words.push(String::from_utf8_lossy(word).into_owned()),
            Piece::Several { least, most, length, texts } => {
                self.words.push("--sym-args".into());
                self.words.extend([least, most, length].map(u32::to_string));
                if least < most {
                    self.input("n_args", (texts.len() as u32).to_le_bytes().to_vec());
                }
                for it in texts {
                    self.text(&format!("arg{:02}", self.symbolic), *length, it);
                    self.symbolic += 1;
                }
            }
            Piece::Variable(name, most, value) => {
                self.words.extend(["--sym-env".into(), name.clone(), most.to_string()]);
                self.text(&format!("env-{name}"), *most, value);
            }
        }
    }

    fn finish(mut self, own: &[&str]) -> TestCase {
        for name in own {
            self.input(name, vec![1]);
        }
        // So that there is an option among the words.
        self.words.push("--sym-stdout".into());
        let words = std::iter::once("tool".to_string()).chain(self.words);
        TestCase { args: words.map(String::into_bytes).collect(), inputs: self.inputs }
    }
}

proptest! {
    #[test]
    fn what_the_runtime_makes_is_read_back(pieces in vec(piece(), 0..6)) {
        let mut writer = Writer::default();
        pieces.iter().for_each(|piece| writer.piece(piece));
        let made = writer.inputs.len();
        let situation = Situation::of(&writer.finish(&["arg00", "n_args", "own"]));
        let situation = situation.expect("a sound test");
        let mut arguments = vec![b"tool".to_vec()];
        let mut variables = vec![];
        for piece in pieces {
            match piece {
                Piece::Given(word) => arguments.push(word),
                Piece::Several { texts, .. } => arguments.extend(texts),
                Piece::Variable(name, _, value) => variables.push((name.into_bytes(), value)),
            }
        }
        prop_assert_eq!(situation.arguments, arguments);
        prop_assert_eq!(situation.variables, variables);
        prop_assert_eq!((situation.told, situation.unfinished), (made, false));
    }

    #[test]
    fn a_beginning_of_a_test_is_one_that_ended_early(
        pieces in vec(piece(), 0..6), cut in any::<prop::sample::Index>(),
    ) {
        let mut writer = Writer::default();
        pieces.iter().for_each(|piece| writer.piece(piece));
        let all = writer.inputs.len();
        let mut test = writer.finish(&[]);
        test.inputs.truncate(cut.index(all + 1));
        let situation = Situation::of(&test).expect("a sound test");
        prop_assert_eq!(situation.told, test.inputs.len());
        prop_assert!(situation.unfinished || test.inputs.len() == all);
    }

    #[test]
    fn nonsense_does_no_harm(
        words in vec("(--sym-(arg|args|files|stdin|env|sizes|stat)|--max-fail|[0-3]|x)", 0..10),
        inputs in vec(("(arg0[0-2]|n_args(_1)?|[AB]-(data|size)|stdin|model_version)",
                       vec(0..4u8, 0..6)), 0..8),
    ) {
        let test = TestCase {
            args: words.into_iter().map(String::into_bytes).collect(),
            inputs: inputs.into_iter().map(|(name, bytes)| Input { name, bytes }).collect(),
        };
        if let Ok(situation) = Situation::of(&test) {
            prop_assert!(situation.told <= test.inputs.len());
        }
    }
}
