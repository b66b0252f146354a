//! The format byte by byte, and the errors for damaged files.

use std::fs;

use proptest::collection::vec;
use proptest::prelude::*;

use super::*;
use tempfile::TempDir;

fn example() -> TestCase {
    TestCase {
        args: vec![b"maze.bc".to_vec(), b"-x".to_vec()],
        inputs: vec![
            Input { name: "program".into(), bytes: b"ssdd\0".to_vec() },
            Input { name: "n".into(), bytes: 258i32.to_le_bytes().to_vec() },
        ],
    }
}

/// The example as KLEE lays it out, written down by hand.
const EXAMPLE: &[u8] = b"KTEST\
    \0\0\0\x03\
    \0\0\0\x02\0\0\0\x07maze.bc\0\0\0\x02-x\
    \0\0\0\0\0\0\0\0\
    \0\0\0\x02\
    \0\0\0\x07program\0\0\0\x05ssdd\0\
    \0\0\0\x01n\0\0\0\x04\x02\x01\0\0";

/// The example in an older version; version 1 has no numbers on symbolic arguments.
fn example_of_version(version: u8, magic: &[u8]) -> Vec<u8> {
    let mut bytes = EXAMPLE.to_vec();
    bytes[8] = version;
    bytes[..5].copy_from_slice(magic);
    if version == 1 {
        let args_end = 5 + 4 + 4 + 4 + 7 + 4 + 2;
        bytes.drain(args_end..args_end + 8);
    }
    bytes
}

#[test]
fn has_klees_layout() {
    assert_eq!(encode(&example()).expect("small enough"), EXAMPLE);
    assert_eq!(decode(EXAMPLE), Ok(example()));
}

#[test]
fn reads_older_versions() {
    for version in 1..=3 {
        for magic in [MAGIC, OLD_MAGIC] {
            let bytes = example_of_version(version, magic);
            assert_eq!(decode(&bytes), Ok(example()), "version {version}");
        }
    }
}

#[test]
fn numbers_on_symbolic_arguments_are_ignored() {
    let mut bytes = EXAMPLE.to_vec();
    let args_end = 5 + 4 + 4 + 4 + 7 + 4 + 2;
    bytes[args_end + 3] = 9;
    bytes[args_end + 7] = 9;
    assert_eq!(decode(&bytes), Ok(example()));
}

#[test]
fn every_truncation_is_rejected() {
    for version in 1..=3 {
        let bytes = example_of_version(version, MAGIC);
        for cut in 0..bytes.len() {
            let error = decode(&bytes[..cut]).expect_err("a part is no test");
            match error {
                KtestError::NotATest => assert!(cut < 5),
                KtestError::CutShort { needed, left, .. } => assert!(cut >= 5 && needed > left),
                other => panic!("cut at {cut}: {other}"),
            }
        }
    }
}

#[test]
fn trailing_bytes_are_rejected() {
    for extra in [&b"\0"[..], b"KTEST", EXAMPLE] {
        let bytes = [EXAMPLE, extra].concat();
        assert_eq!(decode(&bytes), Err(KtestError::TooLong(extra.len() as u64)));
    }
}

#[test]
fn other_versions_and_other_files_are_rejected() {
    for version in [0, 4, 255] {
        let bytes = example_of_version(version, MAGIC);
        assert_eq!(decode(&bytes), Err(KtestError::Version(version.into())));
    }
    for bytes in [&b""[..], b"KTES", b"ktest\0\0\0\x03", b"\x7fELF rather"] {
        assert_eq!(decode(bytes), Err(KtestError::NotATest));
    }
}

/// The offset of every number in the example.
const NUMBERS: [usize; 10] = [9, 13, 24, 30, 34, 38, 42, 53, 62, 67];

#[test]
fn huge_counts_allocate_nothing() {
    for at in NUMBERS {
        let mut bytes = EXAMPLE.to_vec();
        assert!(bytes[at..at + 3] == [0; 3], "a number stands at {at}");
        bytes[at..at + 4].copy_from_slice(&[0xff; 4]);
        let symbolic = at == 30 || at == 34;
        assert_eq!(decode(&bytes).is_err(), !symbolic, "at {at}");
    }
}

#[test]
fn errors_name_the_defect() {
    let shown = |bytes: &[u8]| decode(bytes).expect_err("damaged").to_string();
    assert_eq!(shown(b"nothing"), "not a test: it does not begin with 'KTEST'");
    assert_eq!(
        shown(&EXAMPLE[..EXAMPLE.len() - 1]),
        "cut short: input 'n' takes 4 bytes more, but only 3 are left"
    );
    assert_eq!(
        shown(&[EXAMPLE, b"xy"].concat()),
        "damaged: 2 bytes follow where the test should end"
    );
    let position = EXAMPLE.windows(7).position(|window| window == b"program").expect("it is there");
    let mut bytes = EXAMPLE.to_vec();
    bytes[position] = 0xff;
    assert_eq!(shown(&bytes), "the name of input 0 is not UTF-8");
    bytes[position] = 0;
    assert_eq!(shown(&bytes), "the name of input 0 holds a zero byte");
}

#[test]
fn a_name_with_a_zero_byte_is_not_written() {
    let mut test = example();
    test.inputs[1].name = "n\0m".into();
    assert!(matches!(encode(&test), Err(KtestError::BadName { .. })));
    let mut test = example();
    test.args[1] = b"a\0".to_vec();
    let error = encode(&test).expect_err("C cannot pass it");
    assert_eq!(error.to_string(), "argument 1 holds a zero byte");
}

#[test]
fn a_file_round_trips() {
    let dir = TempDir::new().expect("a directory");
    let path = dir.path().join("000001.ktest");
    write(&path, &example()).expect("writable");
    assert_eq!(fs::read(&path).expect("readable"), EXAMPLE);
    assert_eq!(read(&path).expect("a test"), example());
    fs::write(&path, &EXAMPLE[..20]).expect("writable");
    let error = read(&path).expect_err("cut short");
    assert!(error.to_string().starts_with("cut short"), "{error}");
    assert!(read(&dir.path().join("missing")).is_err());
    assert!(read(dir.path()).is_err(), "a directory");
}

fn any_test() -> impl Strategy<Value = TestCase> {
    let input =
        ("[^\0]{0,12}", vec(any::<u8>(), 0..40)).prop_map(|(name, bytes)| Input { name, bytes });
    (vec(vec(1..=255u8, 0..12), 0..5), vec(input, 0..6))
        .prop_map(|(args, inputs)| TestCase { args, inputs })
}

proptest! {
    #[test]
    fn every_test_round_trips(test in any_test()) {
        let bytes = encode(&test).expect("small enough");
        prop_assert_eq!(decode(&bytes), Ok(test));
    }

    #[test]
    fn a_damaged_test_that_decodes_encodes_the_same(test in any_test(), at in any::<prop::sample::Index>(), byte: u8) {
        let mut bytes = encode(&test).expect("small enough");
        let at = at.index(bytes.len());
        bytes[at] = byte;
        if let Ok(read) = decode(&bytes) {
            let again = encode(&read).expect("small enough");
            prop_assert_eq!(decode(&again), Ok(read));
        }
    }

    #[test]
    fn arbitrary_bytes_do_not_panic(bytes in vec(any::<u8>(), 0..200)) {
        let _ = decode(&[&b"KTEST\0\0\0\x03"[..], &bytes].concat());
        let _ = decode(&bytes);
    }
}

#[test]
fn fuzz_ktest() {
    let seeds = [EXAMPLE.to_vec(), example_of_version(1, MAGIC), example_of_version(2, OLD_MAGIC)];
    byway_fuzz::Fuzz::new("ktest", seeds).run(|input| match decode(input) {
        Ok(test) => {
            let written = encode(&test).expect("what was read can be written");
            assert_eq!(decode(&written).as_ref(), Ok(&test));
            "a test".into()
        }
        Err(error) => error.to_string(),
    });
}
