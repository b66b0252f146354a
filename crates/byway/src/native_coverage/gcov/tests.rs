//! Handmade files in several versions of the format.

use super::*;

/// Writes a file in a version of the format.
struct GcovWriter {
    bytes: Vec<u8>,
    in_bytes: bool,
}

impl GcovWriter {
    fn new(magic: &[u8; 4], version: &[u8; 4]) -> GcovWriter {
        let mut bytes: Vec<u8> = magic.iter().rev().copied().collect();
        bytes.extend(version.iter().rev());
        let in_bytes = version[0] == b'B' && version[1] >= b'2';
        let mut writer = GcovWriter { bytes, in_bytes };
        writer.words(&[77]);
        if in_bytes {
            writer.words(&[0]);
        }
        writer
    }

    fn words(&mut self, words: &[u32]) -> &mut GcovWriter {
        words.iter().for_each(|word| self.bytes.extend(word.to_le_bytes()));
        self
    }

    fn string(&mut self, text: &str) -> &mut GcovWriter {
        let mut bytes = text.as_bytes().to_vec();
        bytes.push(0);
        if !self.in_bytes {
            bytes.resize(bytes.len().next_multiple_of(4), 0);
        }
        let length = if self.in_bytes { bytes.len() } else { bytes.len() / 4 };
        self.words(&[length as u32]);
        self.bytes.extend(bytes);
        self
    }

    fn record(&mut self, tag: u32, write: impl FnOnce(&mut GcovWriter)) -> &mut GcovWriter {
        let mut inner = GcovWriter { bytes: Vec::new(), in_bytes: self.in_bytes };
        write(&mut inner);
        let length = if self.in_bytes { inner.bytes.len() } else { inner.bytes.len() / 4 };
        self.words(&[tag, length as u32]);
        self.bytes.extend(inner.bytes);
        self
    }
}

/// A function `f` with an if-else: 0 → 2, 2 → 3 (counted), 2 → 4, 3 → 5, 4 → 5, 5 → 1 (counted).
fn notes(version: &[u8; 4]) -> Vec<u8> {
    let mut writer = GcovWriter::new(b"gcno", version);
    let old = version[0] != b'B';
    if !old {
        writer.string("/dir").words(&[0]);
    }
    writer.record(0x0100_0000, |function| {
        function.words(&[5, 6, 7]).string("f");
        if !old {
            function.words(&[0]);
        }
        function.string("a.c").words(&[1]);
        if !old {
            function.words(&[1, 9, 1]);
        }
    });
    writer.record(0x0141_0000, |blocks| {
        blocks.words(if old { &[0; 6] } else { &[6] });
    });
    let arcs: [(u32, &[u32]); 5] =
        [(0, &[2, 1]), (2, &[3, 0, 4, 1]), (3, &[5, 1]), (4, &[5, 1]), (5, &[1, 0])];
    for (from, to) in arcs {
        writer.record(0x0143_0000, |record| {
            record.words(&[from]).words(to);
        });
    }
    for (block, line) in [(2, 2), (3, 3), (4, 5), (5, 7)] {
        writer.record(0x0145_0000, |record| {
            record.words(&[block, 0]).string("a.c").words(&[line, 0]).words(&[0]);
        });
    }
    writer.bytes
}

fn counters(version: &[u8; 4], stamp: u32, counts: [u32; 2]) -> Counters {
    let mut writer = GcovWriter::new(b"gcda", version);
    writer.record(0x0100_0000, |function| {
        function.words(&[5, 6, 7]);
    });
    writer.record(0x01a1_0000, |record| {
        counts.iter().for_each(|&count| {
            record.words(&[count, 0]);
        });
    });
    writer.words(&[0]);
    let mut counters = Counters::parse(&writer.bytes).expect("sound");
    counters.stamp = stamp;
    counters
}

const VERSIONS: [&[u8; 4]; 3] = [b"408*", b"B11*", b"B22*"];

#[test]
fn all_versions_decode_to_the_same_coverage() {
    for version in VERSIONS {
        let read = Notes::parse(&notes(version)).expect("sound");
        assert_eq!(read.functions[0].blocks.len(), 6, "{version:?}");
        let map = CoverageMap::new(vec![read], LineRule::Gcc, &|_| true);
        let file = &map.files["a.c"];
        let lines: Vec<u32> = file.lines.keys().copied().collect();
        assert_eq!((lines, map.sides, map.functions), (vec![2, 3, 5, 7], 2, 1), "{version:?}");
        let number = |line: u32| file.lines[&line].number;
        // Entered twice, once to the left.
        let covered = map.covered(&[(0, counters(version, 77, [1, 2]))]);
        assert_eq!(covered.lines, [2, 3, 5, 7].map(number));
        assert_eq!((covered.sides.len(), covered.functions.len()), (2, 1));
        // Always to the right.
        let covered = map.covered(&[(0, counters(version, 77, [0, 2]))]);
        assert_eq!(covered.lines, [2, 5, 7].map(number));
        assert_eq!(covered.sides, [file.lines[&2].branches[0][1]]);
        assert_eq!(map.covered(&[(0, counters(version, 77, [0, 0]))]), Covered::default());
    }
}

#[test]
fn counters_of_other_code_are_ignored() {
    let map = CoverageMap::new(
        vec![Notes::parse(&notes(b"B22*")).expect("sound")],
        LineRule::Gcc,
        &|_| true,
    );
    assert_eq!(map.covered(&[(0, counters(b"B22*", 78, [1, 2]))]), Covered::default());
    assert_eq!(map.covered(&[(3, counters(b"B22*", 77, [1, 2]))]), Covered::default());
    let mut other = counters(b"B22*", 77, [1, 2]);
    other.functions.insert(5, (8, vec![1, 2]));
    assert_eq!(map.covered(&[(0, other.clone())]), Covered::default());
    other.functions.insert(5, (7, vec![1, 2, 3]));
    assert_eq!(map.covered(&[(0, other)]), Covered::default());
}

#[test]
fn unwanted_files_are_excluded() {
    let notes = Notes::parse(&notes(b"B11*")).expect("sound");
    let map = CoverageMap::new(vec![notes], LineRule::Llvm, &|name| name != "a.c");
    assert_eq!((map.files.len(), map.lines, map.sides, map.functions), (0, 0, 0, 0));
}

#[test]
fn damaged_files_do_not_panic() {
    for version in VERSIONS {
        let sound = notes(version);
        for end in 0..sound.len() {
            let _ = Notes::parse(&sound[..end]);
        }
        for at in 0..sound.len() {
            for value in [0, 1, 0x7f, 0xff] {
                let mut damaged = sound.clone();
                damaged[at] = value;
                if let Ok(notes) = Notes::parse(&damaged) {
                    let map = CoverageMap::new(vec![notes], LineRule::Gcc, &|_| true);
                    map.covered(&[(0, counters(version, 77, [1, 2]))]);
                }
                let _ = Counters::parse(&damaged);
            }
        }
    }
    assert_eq!(Notes::parse(b"not notes"), Err("it is not a .gcno file".into()));
    assert!(Counters::parse(b"").is_err());
}

#[test]
fn a_call_that_does_not_return_gives_no_negative_count() {
    let notes = Notes::parse(&notes(b"B22*")).expect("sound");
    // Three times to the left, but never out.
    let flow = BlockCounts::solve(&notes.functions[0], &[3, 0]).expect("its own counters");
    assert!(flow.arcs.iter().all(|&count| count <= 3), "{flow:?}");
    assert_eq!(flow.blocks[3], 3);
}

#[test]
fn blocks_that_arcs_refer_to_cannot_be_taken_back() {
    let mut writer = GcovWriter { bytes: notes(b"B22*"), in_bytes: true };
    writer.record(0x0141_0000, |blocks| {
        blocks.words(&[1]);
    });
    assert_eq!(Notes::parse(&writer.bytes), Err("it is damaged".into()));
}

#[test]
fn fuzz_gcov() {
    let mut seeds: Vec<Vec<u8>> = VERSIONS.iter().map(|version| notes(version)).collect();
    let mut writer = GcovWriter::new(b"gcda", VERSIONS[1]);
    writer.record(0x0100_0000, |function| {
        function.words(&[5, 6, 7]);
    });
    writer.record(0x01a1_0000, |record| {
        record.words(&[3, 0, 4, 0]);
    });
    seeds.push(writer.bytes);
    byway_fuzz::Fuzz::new("gcov", seeds).run(|input| {
        let counters = Counters::parse(input);
        let notes = match Notes::parse(input) {
            Ok(notes) => notes,
            Err(error) => return format!("{error}, counters: {}", counters.is_ok()),
        };
        let map = CoverageMap::new(vec![notes], LineRule::Gcc, &|_| true);
        map.covered(&[(0, self::counters(b"B11*", 77, [3, 4]))]);
        "notes".into()
    });
}
