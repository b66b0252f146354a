//! Encoded input is decoded unchanged; input that does not fit is rejected with a reason.

use byway_base::TestCase;
use proptest::collection::vec;
use proptest::prelude::*;

use super::*;
use crate::symbolic::{FailingCall, InputFile, StreamType};

fn words(text: &str) -> Vec<Vec<u8>> {
    text.split_whitespace().map(|word| word.as_bytes().to_vec()).collect()
}

fn spec(options: &str) -> SymbolicInputSpec {
    SymbolicInputSpec::parse(&words(options)).expect("good options")
}

fn started(line: &str) -> ProgramInput {
    ProgramInput { arguments: words(&format!("tool {line}")), ..ProgramInput::default() }
}

/// The inputs as `name=text`, zeros left out.
fn shown(options: &str, line: &str) -> String {
    let shown = |input: &Input| {
        let text: String = match input.name.starts_with("n_args") {
            true => input.bytes[0].to_string(),
            false => input.bytes.iter().filter(|b| **b != 0).map(|b| char::from(*b)).collect(),
        };
        format!("{}={text}", input.name)
    };
    let inputs = spec(options).encode(&started(line)).expect("it fits");
    inputs.iter().map(shown).collect::<Vec<_>>().join(" ")
}

fn rejected(options: &str, input: &ProgramInput) -> String {
    spec(options).encode(input).expect_err("it does not fit")
}

#[test]
fn arguments_are_assigned_to_options() {
    let groups = "--sym-args 0 1 10 --sym-args 0 2 2";
    assert_eq!(shown(groups, ""), "n_args=0 n_args_1=0");
    assert_eq!(shown(groups, "-n"), "n_args=1 arg00=-n n_args_1=0");
    assert_eq!(shown(groups, "-f 2"), "n_args=1 arg00=-f n_args_1=1 arg01=2");
    assert_eq!(shown(groups, "a b c"), "n_args=1 arg00=a n_args_1=2 arg01=b arg02=c");
    assert_eq!(shown("--sym-args 0 2 2 --sym-arg 9", "-x long"), "n_args=1 arg00=-x arg01=long");
    assert_eq!(shown("-c --sym-args 1 1 3 z", "-c abc z"), "arg00=abc");
    assert_eq!(shown("--sym-args 0 3 1 x --sym-args 0 3 1", "x x"), "n_args=1 arg00=x n_args_1=0");
}

#[test]
fn input_that_does_not_fit_is_rejected_with_a_reason() {
    let no = |options: &str, line: &str| rejected(options, &started(line));
    let groups = "--sym-args 0 1 10 --sym-args 0 2 2";
    assert_eq!(no(groups, "a b c d"), "it has 4 arguments, the options allow 0 to 3");
    assert_eq!(no("--sym-stdin 2", "a"), "it has 1 argument, the options allow 0");
    let long = "argument 2 has 11 bytes, the options allow 10 at most";
    assert_eq!(no(groups, "a elevenbytes"), long);
    let order = "its arguments do not fit the options in this order";
    assert_eq!(no(groups, "a three"), order);
    assert_eq!(no("-c --sym-arg 3", "-d x"), order);

    let zero =
        ProgramInput { arguments: vec![b"t".into(), b"a\0b".into()], ..ProgramInput::default() };
    assert_eq!(rejected("--sym-arg 5", &zero), order);
    let stdin = ProgramInput { stdin: Some(b"x".into()), ..started("") };
    assert_eq!(
        rejected("--sym-files 1 2", &stdin),
        "there is no symbolic standard input (--sym-stdin)"
    );
    let files = vec![InputFile { name: "B".into(), bytes: vec![] }];
    let file = ProgramInput { files, ..started("") };
    assert_eq!(rejected("--sym-files 1 2", &file), "there is no symbolic file 'B' (--sym-files)");
    let variable = ProgramInput { variables: vec![(b"X".into(), b"abc".into())], ..started("") };
    assert_eq!(rejected("--sym-env X 2", &variable), "variable X has 3 bytes, not at most 2");
    assert_eq!(rejected("", &variable), "there is no symbolic variable X (--sym-env)");
    let failures = vec![FailingCall { call: "read", nth: 2 }];
    let failing = ProgramInput { failures, ..started("") };
    assert_eq!(rejected("", &failing), "call 2 of read fails, but no call may (--max-fail)");
}

#[test]
fn contents_keep_their_length_unless_it_is_symbolic() {
    let bytes = |options: &str, stdin: Option<&[u8]>| {
        let input = ProgramInput { stdin: stdin.map(<[u8]>::to_vec), ..started("") };
        let inputs = spec(options).encode(&input).expect("it fits");
        inputs.into_iter().map(|input| input.bytes).collect::<Vec<_>>()
    };
    assert_eq!(bytes("--sym-stdin 3", Some(b"ab")), [b"ab"]);
    assert_eq!(bytes("--sym-stdin 3", Some(b"abcd")), [b"abcd"]);
    assert_eq!(bytes("--sym-stdin 3", None), [[0; 3]]);
    let sized = "--sym-stdin 3 --sym-sizes";
    assert_eq!(bytes(sized, Some(b"ab")), [vec![2, 0, 0, 0], b"ab\0".to_vec()]);
    assert_eq!(bytes(sized, Some(b"abcd")), [vec![3, 0, 0, 0], b"abcd".to_vec()]);
    assert_eq!(bytes(sized, None), [vec![0; 4], vec![0; 3]]);
    assert_eq!(bytes("--sym-stdin 0", Some(b"")), [[0u8; 0]; 0]);
}

#[test]
fn the_fewest_arguments_always_fit() {
    for options in ["", "--sym-args 0 2 3", "-c --sym-args 2 3 1 x --sym-arg 4"] {
        let spec = spec(options);
        let arguments = [vec![b"tool".to_vec()], spec.min_arguments()].concat();
        let input = ProgramInput { arguments, ..ProgramInput::default() };
        assert!(spec.encode(&input).is_ok(), "{options}");
        assert_eq!(spec.is_symbolic(), !options.is_empty());
    }
}

const OPTIONS: &str = "--sym-args 0 3 2 -x --sym-arg 3 --sym-args 1 2 5 --sym-env X 2 \
                       --sym-env X 3 --sym-files 2 4 --sym-stdin 3 --sym-sizes --max-fail 2 \
                       --stream-type all any";

fn text(max: usize) -> impl Strategy<Value = Vec<u8>> {
    vec(1u8..=255, 0..=max)
}

proptest! {
    #[test]
    fn encoded_input_is_decoded_unchanged(
        (first, middle, last) in (vec(text(2), 0..=3), text(3), vec(text(5), 1..=2)),
        variables in (text(2), text(3)),
        contents in (vec(any::<u8>(), 0..=4), vec(any::<u8>(), 0..=4), vec(any::<u8>(), 0..=3)),
        nth in 1u32..9,
        streams in [0u32..3, 0..3, 0..3],
    ) {
        let arguments =
            [vec![b"tool".to_vec()], first, vec![b"-x".to_vec(), middle], last].concat();
        let file = |name: &str, bytes| InputFile { name: name.into(), bytes };
        let input = ProgramInput {
            arguments,
            variables: vec![(b"X".to_vec(), variables.0), (b"X".to_vec(), variables.1)],
            stdin: Some(contents.2),
            files: vec![file("A", contents.0), file("B", contents.1)],
            failures: vec![FailingCall { call: "close", nth }],
            streams: streams.map(StreamType::by_number),
            has_options: true,
            ..ProgramInput::default()
        };
        let inputs = spec(OPTIONS).encode(&input).expect("it fits");
        let consumed_inputs = inputs.len();
        let test = TestCase { args: words(&format!("tool {OPTIONS}")), inputs };
        prop_assert_eq!(ProgramInput::from_test(&test), Ok(ProgramInput { consumed_inputs, ..input }));
    }

    #[test]
    fn any_words_are_assigned_or_rejected(lines in vec(vec(any::<u8>(), 0..6), 0..8)) {
        let arguments = [vec![b"tool".to_vec()], lines].concat();
        let input = ProgramInput { arguments, ..ProgramInput::default() };
        let options = "--sym-args 0 3 2 --sym-arg 3 --sym-args 1 2 5";
        if let Ok(inputs) = spec(options).encode(&input) {
            let test = TestCase { args: words(&format!("tool {options}")), inputs };
            let found = ProgramInput::from_test(&test).expect("a sound test");
            prop_assert_eq!(found.arguments, input.arguments);
        }
    }
}
