//! `checkpoint/`: the states that a run which ended early goes on with.
//!
//! A log of changes, appended to while the run goes on:
//!
//! ```text
//! "byway checkpoint 1\n"
//! for each checkpoint: length (4 bytes), checksum (8 bytes), and that many bytes:
//!   the sums of the run so far: length, and JSON
//!   shapes: number, and for each: length, bytes
//!   states that are gone: number, and for each: key (8 bytes)
//!   states that are new: number, and for each: key, length, bytes
//! ```
//!
//! Numbers are little-endian, those without a size four bytes long. Shapes and states mean
//! something to the engine only. A state is alive that was added more often than removed: several
//! workers report to one log, in any order.
//!
//! When most of the log is about states that are gone, a new one begins with those that are left;
//! the one before is kept until the next begins. A reader takes the newest log up to its first
//! damaged checkpoint; if its first is damaged, the log before.

use std::fs::{self, File};
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};
use std::num::NonZeroU64;
use std::path::{Path, PathBuf};

use byway_base::KeyedBytes;
use rustc_hash::FxHashMap;

use crate::error::{Result, RunDirError};
use crate::record::TotalsRecord;

const MAGIC: &[u8] = b"byway checkpoint 1\n";

/// The length and the checksum before each checkpoint.
const HEAD: u64 = 12;

/// The key and the length before each state.
const STATE_HEAD: u64 = 12;

/// A log of less is not written anew.
const SMALL: u64 = 1 << 20;

/// A log is written anew when less than this part of it is about states that are alive.
const WASTE: u64 = 4;

/// Changes since the checkpoint before.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct CheckpointRecord {
    /// The sums of the run so far.
    pub totals: TotalsRecord,
    /// What states refer to.
    pub shapes: Vec<Vec<u8>>,
    /// New states, each with its key.
    pub added: KeyedBytes,
    /// The keys of states that are gone.
    pub removed: Vec<u64>,
}

/// The states that a run goes on with.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct SavedStates {
    /// The sums of the run when these were its states.
    pub totals: TotalsRecord,
    /// What states refer to.
    pub shapes: Vec<Vec<u8>>,
    /// The states, in the order they were added.
    pub states: KeyedBytes,
    /// The last checkpoints were damaged, and these are the states of one before.
    pub is_damaged: bool,
}

impl CheckpointRecord {
    /// The bytes of the log: length, checksum, and the rest.
    fn encode(&self) -> Vec<u8> {
        let states = self.added.size() + STATE_HEAD as usize * self.added.len();
        let mut out = Vec::with_capacity(states + 8 * self.removed.len() + 4096);
        out.resize(HEAD as usize, 0);
        // Numbers and texts always have a JSON form.
        let totals = serde_json::to_vec(&self.totals).unwrap_or_default();
        put_number(&mut out, totals.len());
        out.extend(totals);
        put_number(&mut out, self.shapes.len());
        for shape in &self.shapes {
            put_number(&mut out, shape.len());
            out.extend(shape);
        }
        put_number(&mut out, self.removed.len());
        self.removed.iter().for_each(|key| out.extend(key.to_le_bytes()));
        put_number(&mut out, self.added.len());
        for (key, state) in self.added.iter() {
            out.extend(key.to_le_bytes());
            put_number(&mut out, state.len());
            out.extend(state);
        }
        let (head, rest) = out.split_at_mut(HEAD as usize);
        head[..4].copy_from_slice(&(rest.len() as u32).to_le_bytes());
        head[4..].copy_from_slice(&checksum(rest).to_le_bytes());
        out
    }

    fn decode(bytes: &[u8]) -> Option<CheckpointRecord> {
        let rest = &mut &bytes[..];
        let totals = serde_json::from_slice(&take_bytes(rest)?).ok()?;
        let mut record = CheckpointRecord { totals, ..CheckpointRecord::default() };
        for _ in 0..take_number(rest)? {
            record.shapes.push(take_bytes(rest)?);
        }
        for _ in 0..take_number(rest)? {
            record.removed.push(take_key(rest)?);
        }
        for _ in 0..take_number(rest)? {
            let key = take_key(rest)?;
            let length = take_number(rest)?;
            record.added.push(key, take(rest, length)?);
        }
        rest.is_empty().then_some(record)
    }
}

fn put_number(out: &mut Vec<u8>, number: usize) {
    out.extend((number as u32).to_le_bytes());
}

fn take<'a>(rest: &mut &'a [u8], length: usize) -> Option<&'a [u8]> {
    let (taken, behind) = rest.split_at_checked(length)?;
    *rest = behind;
    Some(taken)
}

fn take_number(rest: &mut &[u8]) -> Option<usize> {
    Some(u32::from_le_bytes(take(rest, 4)?.try_into().ok()?) as usize)
}

fn take_key(rest: &mut &[u8]) -> Option<u64> {
    Some(u64::from_le_bytes(take(rest, 8)?.try_into().ok()?))
}

fn take_bytes(rest: &mut &[u8]) -> Option<Vec<u8>> {
    let length = take_number(rest)?;
    Some(take(rest, length)?.to_vec())
}

/// FNV-1a: it finds damage, not forgery.
fn checksum(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3)
    })
}

/// The states of a log, by key: how often each was added more than removed, and where its bytes
/// are in the log.
#[derive(Default)]
struct LiveStates {
    totals: TotalsRecord,
    shapes: Vec<Vec<u8>>,
    states: FxHashMap<u64, LiveState>,
    /// The bytes of all states that are alive.
    bytes: u64,
}

#[derive(Copy, Clone, Default)]
struct LiveState {
    /// `None`: it was not added yet.
    place: Option<NonZeroU64>,
    length: u32,
    count: i32,
}

impl LiveStates {
    /// Applies a checkpoint that ends at this place of the log.
    fn apply(&mut self, record: CheckpointRecord, end: u64) {
        self.totals = record.totals;
        for shape in record.shapes {
            if !self.shapes.contains(&shape) {
                self.shapes.push(shape);
            }
        }
        for key in record.removed {
            self.count(key, -1, None);
        }
        let states = record.added.size() as u64 + STATE_HEAD * record.added.len() as u64;
        let mut place = end - states;
        for (key, bytes) in record.added.iter() {
            place += STATE_HEAD;
            self.count(key, 1, Some((place, bytes.len() as u32)));
            place += bytes.len() as u64;
        }
    }

    fn count(&mut self, key: u64, change: i32, bytes: Option<(u64, u32)>) {
        let state = self.states.entry(key).or_default();
        state.count += change;
        if let Some((place, length)) = bytes
            && state.place.is_none()
        {
            self.bytes += u64::from(length);
            (state.place, state.length) = (NonZeroU64::new(place), length);
        }
        if state.count == 0 {
            self.bytes -= u64::from(state.length);
            self.states.remove(&key);
        }
    }

    /// One checkpoint that has everything; the bytes are read from the log at this path.
    fn whole(&self, log: &Path) -> io::Result<CheckpointRecord> {
        let mut removed = Vec::new();
        let mut alive: Vec<(NonZeroU64, u64, LiveState)> = Vec::new();
        for (&key, &state) in &self.states {
            match state.place {
                Some(place) if state.count > 0 => alive.push((place, key, state)),
                _ => removed.extend((state.count..0).map(|_| key)),
            }
        }
        alive.sort_unstable_by_key(|&(place, ..)| place);
        removed.sort_unstable();
        let mut added = KeyedBytes::default();
        if !alive.is_empty() {
            let mut reader = BufReader::with_capacity(1 << 16, File::open(log)?);
            let mut at = 0;
            let mut bytes = Vec::new();
            for (place, key, state) in alive {
                reader.seek_relative((place.get() - at) as i64)?;
                bytes.resize(state.length as usize, 0);
                reader.read_exact(&mut bytes)?;
                at = place.get() + u64::from(state.length);
                (0..state.count).for_each(|_| added.push(key, &bytes));
            }
        }
        let (totals, shapes) = (self.totals.clone(), self.shapes.clone());
        Ok(CheckpointRecord { totals, shapes, added, removed })
    }
}

/// Appends checkpoints to the log of a run.
pub struct CheckpointLog {
    directory: PathBuf,
    /// The log that is written, and its length; `None` before the first checkpoint.
    open: Option<(File, u64)>,
    /// The number of the newest log.
    number: u64,
    live: LiveStates,
    /// The log that has the bytes of the live states.
    source: u64,
}

impl CheckpointLog {
    /// A log in this directory, which the first checkpoint makes; of an earlier log there, it
    /// continues with what [`read`](Self::read) returns.
    pub fn new(directory: PathBuf) -> Result<CheckpointLog> {
        let LoadedLog { live, source, newest, .. } = load(&directory)?;
        Ok(CheckpointLog { directory, open: None, number: newest, live, source })
    }

    /// The states that the run in this directory goes on with; `None` if there is no checkpoint
    /// that is whole.
    pub fn read(directory: &Path) -> Result<Option<SavedStates>> {
        let LoadedLog { live, source, is_damaged, .. } = load(directory)?;
        if source == 0 {
            return Ok(None);
        }
        let path = log_path(directory, source);
        let whole = live.whole(&path).map_err(|error| RunDirError::io("read", &path, &error))?;
        let CheckpointRecord { totals, shapes, added, .. } = whole;
        Ok(Some(SavedStates { totals, shapes, states: added, is_damaged }))
    }

    /// Appends a checkpoint. Everything that was written before is on the disk then, too.
    pub fn add(&mut self, record: CheckpointRecord) -> Result<()> {
        let has_states = !(self.is_empty() && record.added.is_empty() && record.removed.is_empty());
        match &self.open {
            None if !has_states => return Ok(()),
            Some((_, length)) if *length <= SMALL || length / WASTE <= self.live.bytes => {}
            None | Some(_) => self.begin_log()?,
        }
        self.append(record)
    }

    fn append(&mut self, record: CheckpointRecord) -> Result<()> {
        let Some((file, length)) = &mut self.open else { return Ok(()) };
        let bytes = record.encode();
        let path = log_path(&self.directory, self.number);
        append(file, &bytes).map_err(|error| RunDirError::io("write", &path, &error))?;
        *length += bytes.len() as u64;
        self.live.apply(record, *length);
        Ok(())
    }

    /// Begins a new log with the states that are alive.
    fn begin_log(&mut self) -> Result<()> {
        let source = log_path(&self.directory, self.source);
        let whole = self.live.whole(&source);
        let whole = whole.map_err(|error| RunDirError::io("read", &source, &error))?;
        let number = self.number + 1;
        let path = log_path(&self.directory, number);
        let failed = |error: io::Error| RunDirError::io("write", &path, &error);
        fs::create_dir_all(&self.directory).map_err(failed)?;
        let mut file = File::create(&path).map_err(failed)?;
        file.write_all(MAGIC).map_err(failed)?;
        self.open = Some((file, MAGIC.len() as u64));
        // Later states refer to shapes that were written before.
        let is_empty = self.is_empty() && self.live.shapes.is_empty();
        (self.live, self.number, self.source) = (LiveStates::default(), number, number);
        if !is_empty {
            self.append(whole)?;
        }
        for (other, path) in logs(&self.directory) {
            if other + 1 < number {
                // An old log that cannot be removed does no harm.
                let _ = fs::remove_file(path);
            }
        }
        Ok(())
    }

    /// Whether no state is alive.
    pub fn is_empty(&self) -> bool {
        self.live.states.is_empty()
    }

    /// Removes all checkpoints: the run is complete.
    pub fn remove(&mut self) -> Result<()> {
        self.open = None;
        CheckpointLog::remove_all(&self.directory)
    }

    /// Removes the checkpoints in this directory.
    pub fn remove_all(directory: &Path) -> Result<()> {
        match fs::remove_dir_all(directory) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                Err(RunDirError::io("remove", directory, &error))
            }
            _ => Ok(()),
        }
    }
}

/// Appends a checkpoint to a log, and waits until it is on the disk.
fn append(file: &mut File, bytes: &[u8]) -> io::Result<()> {
    let before = file.seek(SeekFrom::End(0))?;
    let written = file.write_all(bytes).and_then(|()| file.sync_data());
    if written.is_err() {
        // Half a checkpoint would hide those behind it.
        let _ = file.set_len(before);
    }
    written
}

fn log_path(directory: &Path, number: u64) -> PathBuf {
    directory.join(format!("states-{number}.log"))
}

/// The logs in a directory, the newest first.
fn logs(directory: &Path) -> Vec<(u64, PathBuf)> {
    let number = |path: &PathBuf| {
        let name = path.file_name()?.to_str()?;
        name.strip_prefix("states-")?.strip_suffix(".log")?.parse().ok()
    };
    let entries = fs::read_dir(directory).into_iter().flatten().flatten();
    let mut logs: Vec<(u64, PathBuf)> =
        entries.filter_map(|it| Some((number(&it.path())?, it.path()))).collect();
    logs.sort_unstable_by(|a, b| b.cmp(a));
    logs
}

/// What is read of a directory of logs.
#[derive(Default)]
struct LoadedLog {
    live: LiveStates,
    /// The number of the newest log that can be read, which has these states; 0 if there is none.
    source: u64,
    /// The number of the newest log.
    newest: u64,
    /// Something cannot be read.
    is_damaged: bool,
}

/// The states of the newest log that can be read.
fn load(directory: &Path) -> Result<LoadedLog> {
    let logs = logs(directory);
    let newest = logs.first().map_or(0, |(number, _)| *number);
    let mut loaded = LoadedLog { newest, ..LoadedLog::default() };
    for (number, path) in logs {
        let mut bytes = Vec::new();
        let read = File::open(&path).and_then(|mut file| file.read_to_end(&mut bytes));
        read.map_err(|error| RunDirError::io("read", &path, &error))?;
        let (live, count, is_whole) = replay(&bytes);
        loaded.is_damaged |= !is_whole;
        if count > 0 {
            return Ok(LoadedLog { live, source: number, ..loaded });
        }
    }
    Ok(loaded)
}

/// The states after the checkpoints of a log up to the first that is damaged, how many these are,
/// and whether they are all.
fn replay(bytes: &[u8]) -> (LiveStates, u64, bool) {
    let mut live = LiveStates::default();
    let Some(mut rest) = bytes.strip_prefix(MAGIC) else { return (live, 0, false) };
    let mut count = 0;
    while !rest.is_empty() {
        let Some(record) = next_record(&mut rest) else { return (live, count, false) };
        live.apply(record, (bytes.len() - rest.len()) as u64);
        count += 1;
    }
    (live, count, true)
}

fn next_record(rest: &mut &[u8]) -> Option<CheckpointRecord> {
    let length = take_number(rest)?;
    let sum = take_key(rest)?;
    let bytes = take(rest, length)?;
    (checksum(bytes) == sum).then(|| CheckpointRecord::decode(bytes)).flatten()
}

#[cfg(test)]
mod tests {
    use tempfile::TempDir;

    use super::*;

    fn states(keys: &[u64]) -> KeyedBytes {
        let mut states = KeyedBytes::default();
        keys.iter().for_each(|&key| states.push(key, format!("state {key}").as_bytes()));
        states
    }

    fn record(added: &[u64], removed: &[u64]) -> CheckpointRecord {
        let added = states(added);
        let (shapes, removed) = (vec![b"shape".to_vec()], removed.to_vec());
        CheckpointRecord { totals: TotalsRecord::default(), shapes, added, removed }
    }

    fn saved(keys: &[u64]) -> SavedStates {
        SavedStates {
            totals: TotalsRecord::default(),
            shapes: vec![b"shape".to_vec()],
            states: states(keys),
            is_damaged: false,
        }
    }

    fn read(dir: &TempDir) -> Option<SavedStates> {
        CheckpointLog::read(&dir.path().join("checkpoint")).expect("readable")
    }

    fn log(dir: &TempDir) -> CheckpointLog {
        CheckpointLog::new(dir.path().join("checkpoint")).expect("readable")
    }

    #[test]
    fn what_was_added_and_not_removed_is_alive() {
        let dir = TempDir::new().expect("a directory");
        let mut log = log(&dir);
        assert_eq!(read(&dir), None);
        log.add(record(&[3, 1, 2], &[])).expect("writable");
        assert_eq!(read(&dir), Some(saved(&[3, 1, 2])));
        log.add(record(&[4], &[1, 3])).expect("writable");
        // A worker removes what another adds later.
        log.add(record(&[], &[5])).expect("writable");
        log.add(record(&[5, 6], &[])).expect("writable");
        assert_eq!(read(&dir), Some(saved(&[2, 4, 6])));
        let mut again = self::log(&dir);
        again.add(record(&[7], &[2])).expect("writable");
        assert_eq!(read(&dir), Some(saved(&[4, 6, 7])));
        again.remove().expect("removable");
        assert_eq!(read(&dir), None);
        again.remove().expect("nothing to remove");
    }

    #[test]
    fn of_a_damaged_log_the_checkpoints_before_count() {
        let dir = TempDir::new().expect("a directory");
        let mut log = log(&dir);
        log.add(record(&[1, 2], &[])).expect("writable");
        let path = log_path(&dir.path().join("checkpoint"), 1);
        let first = fs::read(&path).expect("the log");
        log.add(record(&[3], &[1])).expect("writable");
        let both = fs::read(&path).expect("the log");
        let damaged = |keys: &[u64]| Some(SavedStates { is_damaged: true, ..saved(keys) });
        for length in first.len() + 1..both.len() {
            fs::write(&path, &both[..length]).expect("writable");
            assert_eq!(read(&dir), damaged(&[1, 2]), "cut to {length}");
        }
        for at in first.len()..both.len() {
            let mut other = both.clone();
            other[at] ^= 0x40;
            fs::write(&path, &other).expect("writable");
            assert_eq!(read(&dir), damaged(&[1, 2]), "byte {at}");
        }
        fs::write(&path, &first[..first.len() - 1]).expect("writable");
        assert_eq!(read(&dir), None);
    }

    #[test]
    fn a_log_that_cannot_be_read_leaves_the_one_before() {
        let dir = TempDir::new().expect("a directory");
        log(&dir).add(record(&[1], &[])).expect("writable");
        log(&dir).add(record(&[2], &[])).expect("writable");
        let second = log_path(&dir.path().join("checkpoint"), 2);
        assert_eq!(read(&dir), Some(saved(&[1, 2])));
        fs::write(&second, MAGIC).expect("writable");
        assert_eq!(read(&dir), Some(saved(&[1])));
        fs::write(&second, b"something else").expect("writable");
        assert_eq!(read(&dir), Some(SavedStates { is_damaged: true, ..saved(&[1]) }));
        // The next log does not replace one that is there.
        log(&dir).add(record(&[3], &[])).expect("writable");
        assert_eq!(read(&dir), Some(saved(&[1, 3])));
    }

    #[test]
    fn a_log_does_not_grow_without_end() {
        let dir = TempDir::new().expect("a directory");
        let mut log = log(&dir);
        let mut most = 0;
        for round in 0..200u64 {
            let keys = |round: u64| round * 100..(round + 1) * 100;
            let mut added = KeyedBytes::default();
            keys(round).for_each(|key| added.push(key, &[key as u8; 1000]));
            let removed = round.checked_sub(1).map_or(Vec::new(), |last| keys(last).collect());
            let record = CheckpointRecord { added, removed, ..CheckpointRecord::default() };
            log.add(record).expect("writable");
            let sizes = logs(&dir.path().join("checkpoint")).into_iter();
            most = most.max(sizes.map(|(_, it)| fs::metadata(it).map_or(0, |it| it.len())).sum());
        }
        assert!(most < 4 * SMALL, "{most} bytes");
        assert_eq!(read(&dir).expect("a checkpoint").states.len(), 100);
    }
}
