//! `tests.pack`: many tests in one file.
//!
//! Exploring a short path takes microseconds, making a file a hundred times as long, and
//! directories of hundreds of thousands of files are slow to use. So only the first tests of a run
//! are files of their own ([`RunWriter`](crate::RunWriter)); the rest are appended to a pack:
//!
//! ```text
//! "byway tests 1\n"
//! for each test: number of its path (8 bytes), length (4), checksum of both (4), checksum of the
//!   contents (4), and the contents, a .ktest file
//! ```
//!
//! Numbers are little-endian. A test without contents removes the one with its number. A killed process, or a machine without power, leaves at most a damaged
//! end: readers ignore it, and a run that goes on removes it.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufReader, Read, Write};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

use crate::error::{Result, RunDirError};

const MAGIC: &[u8] = b"byway tests 1\n";

/// The bytes before each test.
const HEAD: usize = 20;

const DAMAGED: &str = "it is damaged: its checksum in the pack is another";

/// Appends tests. The file is created with the first.
pub struct PackAppender {
    path: PathBuf,
    file: Option<File>,
    /// The file does not begin as a pack yet.
    is_empty: bool,
}

impl PackAppender {
    /// A pack that may exist already, as the run goes on: its damaged end is removed.
    pub fn new(path: PathBuf) -> Result<PackAppender> {
        let failed = |error: io::Error| RunDirError::io("write", &path, &error);
        let (file, is_empty) = match TestPack::open(&path)? {
            Some(pack) => {
                let file = File::options().append(true).open(&path).map_err(failed)?;
                file.set_len(pack.end).map_err(failed)?;
                (Some(file), pack.end == 0)
            }
            None => (None, true),
        };
        Ok(PackAppender { path, file, is_empty })
    }

    /// Removes tests, if there are any.
    pub fn remove(&mut self, numbers: &[u64]) -> Result<()> {
        if self.is_empty {
            return Ok(());
        }
        let removed: Vec<_> = numbers.iter().map(|&number| (number, Vec::new())).collect();
        self.add_all(&removed)
    }

    /// Appends tests, each with the number of its path, by one write.
    pub fn add_all(&mut self, tests: &[(u64, Vec<u8>)]) -> Result<()> {
        if tests.is_empty() {
            return Ok(());
        }
        let mut bytes = Vec::new();
        if self.is_empty {
            bytes.extend(MAGIC);
        }
        for (number, contents) in tests {
            bytes.extend(head(*number, contents));
            bytes.extend(contents);
        }
        let failed = |error: io::Error| RunDirError::io("write", &self.path, &error);
        let file = match &mut self.file {
            Some(file) => file,
            none => none.insert(
                File::options().append(true).create(true).open(&self.path).map_err(failed)?,
            ),
        };
        file.write_all(&bytes).map_err(failed)?;
        self.is_empty = false;
        Ok(())
    }
}

/// What stands before a test.
fn head(number: u64, contents: &[u8]) -> Vec<u8> {
    let mut head = Vec::with_capacity(HEAD);
    head.extend(number.to_le_bytes());
    head.extend((contents.len() as u32).to_le_bytes());
    head.extend(crc32fast::hash(&head).to_le_bytes());
    head.extend(crc32fast::hash(contents).to_le_bytes());
    head
}

/// The tests of a pack, read when asked for.
pub struct TestPack {
    file: File,
    tests: BTreeMap<u64, PackedTest>,
    /// The end of the last whole test.
    end: u64,
}

/// Where a test is.
#[derive(Copy, Clone)]
struct PackedTest {
    at: u64,
    length: u32,
    checksum: u32,
}

impl TestPack {
    /// Finds the tests of a pack; `None` if there is no such file. Passes over the file once.
    pub fn open(path: &Path) -> Result<Option<TestPack>> {
        let file = match File::open(path) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(RunDirError::io("read", path, &error)),
        };
        let read = find_tests(&file).map_err(|error| RunDirError::io("read", path, &error))?;
        let (tests, end) = read.ok_or_else(|| {
            RunDirError::new(format!("'{}' is damaged: it has no tests", path.display()))
        })?;
        Ok(Some(TestPack { file, tests, end }))
    }

    /// The numbers of the tests' paths.
    pub fn numbers(&self) -> impl Iterator<Item = u64> {
        self.tests.keys().copied()
    }

    /// The contents of the test with this number, if there is one.
    pub fn read(&self, number: u64) -> Option<io::Result<Vec<u8>>> {
        self.tests.get(&number).map(|test| {
            let mut contents = vec![0; test.length as usize];
            self.file.read_exact_at(&mut contents, test.at)?;
            match crc32fast::hash(&contents) == test.checksum {
                true => Ok(contents),
                false => Err(io::Error::new(io::ErrorKind::InvalidData, DAMAGED)),
            }
        })
    }
}

/// The tests in a file, and the end of the last; `None` if it does not begin as a pack does.
fn find_tests(file: &File) -> io::Result<Option<(BTreeMap<u64, PackedTest>, u64)>> {
    let length = file.metadata()?.len();
    let mut reader = BufReader::with_capacity(1 << 16, file);
    let mut magic = [0; MAGIC.len()];
    if length < MAGIC.len() as u64 {
        // The process was killed before the first test.
        return Ok(Some((BTreeMap::new(), 0)));
    }
    reader.read_exact(&mut magic)?;
    if magic != MAGIC {
        return Ok(None);
    }
    let mut tests = BTreeMap::new();
    let mut end = MAGIC.len() as u64;
    while length - end >= HEAD as u64 {
        let mut head = [0; HEAD];
        reader.read_exact(&mut head)?;
        let Some((number, test)) = parse_head(&head, end) else { break };
        let after = test.at + u64::from(test.length);
        if after > length {
            break;
        }
        reader.seek_relative(i64::from(test.length))?;
        match test.length {
            0 => tests.remove(&number),
            _ => tests.insert(number, test),
        };
        end = after;
    }
    Ok(Some((tests, end)))
}

/// The test behind the head at `start`; `None` if the head is damaged.
fn parse_head(head: &[u8; HEAD], start: u64) -> Option<(u64, PackedTest)> {
    let (number, rest) = head.split_first_chunk::<8>()?;
    let (length, rest) = rest.split_first_chunk::<4>()?;
    let (own, rest) = rest.split_first_chunk::<4>()?;
    let (contents, _) = rest.split_first_chunk::<4>()?;
    let test = PackedTest {
        at: start + HEAD as u64,
        length: u32::from_le_bytes(*length),
        checksum: u32::from_le_bytes(*contents),
    };
    let is_whole = crc32fast::hash(&head[..12]) == u32::from_le_bytes(*own);
    is_whole.then(|| (u64::from_le_bytes(*number), test))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use tempfile::TempDir;

    use super::*;

    fn contents(number: u64) -> Vec<u8> {
        (0..1 + number % 50).map(|byte| (byte * number) as u8).collect()
    }

    fn pack(dir: &TempDir, numbers: std::ops::Range<u64>) -> PathBuf {
        let path = dir.path().join("tests.pack");
        let mut appender = PackAppender::new(path.clone()).expect("writable");
        for batch in numbers.collect::<Vec<_>>().chunks(7) {
            let tests: Vec<_> = batch.iter().map(|&n| (n, contents(n))).collect();
            appender.add_all(&tests).expect("writable");
        }
        path
    }

    fn found(path: &Path) -> Vec<u64> {
        let pack = TestPack::open(path).expect("readable").expect("a pack");
        for number in pack.numbers() {
            let read = pack.read(number).expect("it is there").expect("it is whole");
            assert_eq!(read, contents(number));
        }
        pack.numbers().collect()
    }

    #[test]
    fn tests_are_read_as_they_were_added() {
        let dir = TempDir::new().expect("a directory");
        let path = dir.path().join("tests.pack");
        assert!(TestPack::open(&path).expect("no file").is_none());
        PackAppender::new(path.clone()).expect("writable").add_all(&[]).expect("nothing");
        assert!(!path.exists());
        assert_eq!(pack(&dir, 0..1000), path);
        assert_eq!(found(&path), (0..1000).collect::<Vec<_>>());
        let pack = TestPack::open(&path).expect("readable").expect("a pack");
        assert!(pack.read(1000).is_none());
    }

    #[test]
    fn removed_tests_are_gone_and_others_stay() {
        let dir = TempDir::new().expect("a directory");
        let path = pack(&dir, 0..5);
        let mut appender = PackAppender::new(path.clone()).expect("writable");
        appender.remove(&[1, 3, 9]).expect("writable");
        assert_eq!(found(&path), [0, 2, 4]);
        appender.add_all(&[(3, contents(3))]).expect("writable");
        assert_eq!(found(&path), [0, 2, 3, 4]);
    }

    /// Cut at each byte: every test before the cut is found, and the next one replaces the rest.
    #[test]
    fn a_pack_cut_short_goes_on_after_its_last_whole_test() {
        let dir = TempDir::new().expect("a directory");
        let whole = fs::read(pack(&dir, 0..20)).expect("readable");
        let path = dir.path().join("cut.pack");
        for length in 0..whole.len() {
            fs::write(&path, &whole[..length]).expect("writable");
            let before = found(&path);
            assert!(before.len() < 20 && before.iter().copied().eq(0..before.len() as u64));
            let mut appender = PackAppender::new(path.clone()).expect("writable");
            appender.add_all(&[(77, contents(77))]).expect("writable");
            assert_eq!(found(&path), [before, vec![77]].concat());
        }
    }

    #[test]
    fn damage_is_reported_and_harms_no_other_test() {
        let dir = TempDir::new().expect("a directory");
        let path = pack(&dir, 0..9);
        let mut bytes = fs::read(&path).expect("readable");
        // The contents of the last test; then the head of the second.
        *bytes.last_mut().expect("not empty") ^= 1;
        fs::write(&path, &bytes).expect("writable");
        let pack = TestPack::open(&path).expect("readable").expect("a pack");
        let error = pack.read(8).expect("it is listed").expect_err("it is damaged");
        assert!(error.to_string().contains("is damaged"), "{error}");
        assert_eq!(pack.read(7).expect("it is there").expect("whole"), contents(7));
        bytes[MAGIC.len() + HEAD + 1] ^= 1;
        fs::write(&path, &bytes).expect("writable");
        assert_eq!(found(&path), [0]);
        fs::write(&path, b"something else, and long enough").expect("writable");
        assert!(TestPack::open(&path).is_err());
    }

    #[test]
    fn fuzz_test_pack() {
        let dir = TempDir::new().expect("a directory");
        let seed = fs::read(pack(&dir, 0..9)).expect("readable");
        let path = dir.path().join("fuzzed.pack");
        byway_fuzz::Fuzz::new("test_pack", [seed]).run(|input| {
            fs::write(&path, input).expect("writable");
            match TestPack::open(&path) {
                Ok(pack) => {
                    let pack = pack.expect("it exists");
                    let reads = pack.numbers().filter_map(|number| pack.read(number));
                    format!("{} tests", reads.filter(|read| read.is_ok()).count())
                }
                Err(error) => error.to_string(),
            }
        });
    }
}
