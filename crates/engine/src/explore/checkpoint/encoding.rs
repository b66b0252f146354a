//! A trace as a checkpoint keeps it. Most states of a program have the same symbolic objects, and
//! most of their bytes are zero, so names and sizes are kept once, as a *shape*, and zeros are
//! counted:
//!
//! ```text
//! instructions  depth            numbers in base 128
//! preferences_applied  effort
//! digest                         eight bytes
//! end                            as in a trace
//! shape                          eight bytes, its hash
//! zeros  length  bytes           of all objects together, until the last byte that is not 0
//! ```

use std::hash::Hasher;

use byway_base::Input;
use byway_expr::Pool;
use rustc_hash::{FxHashMap, FxHashSet, FxHasher};

use super::super::follow::{ANY_INSTRUCTIONS, ANY_PLACE};
use super::super::results::inputs;
use super::super::workers::{Trace, TraceEnd, TraceReader, put};
use crate::path_info::PathInfo;

/// A run of fewer zeros than this is kept as it is.
const SHORT: usize = 3;

/// The shapes that a worker's checkpoints mention.
#[derive(Default)]
pub struct Shapes {
    known: FxHashSet<u64>,
    new: Vec<Vec<u8>>,
}

impl Shapes {
    fn add(&mut self, inputs: &[Input]) -> u64 {
        let mut bytes = Vec::new();
        for input in inputs {
            put(&mut bytes, input.name.len() as u64);
            bytes.extend(input.name.as_bytes());
            put(&mut bytes, input.bytes.len() as u64);
        }
        let hash = hash_of(&bytes);
        if self.known.insert(hash) {
            self.new.push(bytes);
        }
        hash
    }

    /// The shapes since the last call.
    pub fn take_new(&mut self) -> Vec<Vec<u8>> {
        std::mem::take(&mut self.new)
    }
}

/// Shapes by their hashes: the names and sizes of symbolic objects.
pub struct ShapeTable(FxHashMap<u64, Vec<(String, usize)>>);

/// The most bytes of all objects of a state. A damaged shape must not fill the memory.
const MOST_BYTES: usize = 1 << 30;

impl ShapeTable {
    /// Decodes shapes; those that are damaged are left out.
    pub fn decode(shapes: &[Vec<u8>]) -> ShapeTable {
        let decoded = shapes.iter().filter_map(|bytes| Some((hash_of(bytes), shape(bytes)?)));
        ShapeTable(decoded.collect())
    }
}

fn shape(bytes: &[u8]) -> Option<Vec<(String, usize)>> {
    let mut reader = TraceReader::new(bytes);
    let mut objects = Vec::new();
    let mut left = MOST_BYTES;
    while !reader.is_at_end() {
        let name = String::from_utf8(reader.bytes()?.to_vec()).ok()?;
        let size = usize::try_from(reader.number()?).ok()?;
        left = left.checked_sub(size)?;
        objects.push((name, size));
    }
    Some(objects)
}

/// A trace that other processes can follow.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SavedTrace(Trace);

impl SavedTrace {
    pub fn new(trace: Trace) -> SavedTrace {
        SavedTrace(Trace { place: ANY_PLACE, ..trace })
    }

    /// The trace of the program's start.
    pub fn start() -> SavedTrace {
        SavedTrace::new(Trace::default())
    }

    /// What the state is known by.
    pub fn key(&self) -> u64 {
        key_of(&self.0)
    }

    /// The trace with the inputs of a path, which the key does not need.
    pub fn with_inputs(self, pool: &Pool, path: &PathInfo) -> SavedTrace {
        if self.0.instructions == 0 || !self.0.inputs.is_empty() {
            return self;
        }
        SavedTrace(Trace { inputs: inputs(pool, path), ..self.0 })
    }

    pub fn encode(&self, shapes: &mut Shapes) -> Vec<u8> {
        let trace = &self.0;
        let mut out = Vec::new();
        let numbers = [trace.depth.into(), trace.preferences_applied.into(), trace.effort];
        for number in std::iter::once(trace.instructions).chain(numbers) {
            put(&mut out, number);
        }
        out.extend(trace.digest.to_le_bytes());
        trace.end.encode(&mut out);
        out.extend(shapes.add(&trace.inputs).to_le_bytes());
        put_sparse(
            &mut out,
            &trace.inputs.iter().flat_map(|it| &it.bytes).copied().collect::<Vec<_>>(),
        );
        out
    }

    /// Decodes a trace; `None` if the bytes are none.
    pub fn decode(bytes: &[u8], shapes: &ShapeTable) -> Option<Trace> {
        let mut reader = TraceReader::new(bytes);
        let instructions = reader.number()?;
        let (depth, preferences_applied) = (reader.small()?, reader.small()?);
        let effort = reader.number()?;
        let digest = reader.word()?;
        let end = reader.end()?;
        let shape = shapes.0.get(&reader.word()?)?;
        let mut data = vec![0; shape.iter().map(|(_, size)| size).sum()];
        read_sparse(&mut reader, &mut data)?;
        let mut rest = &data[..];
        let mut inputs = Vec::with_capacity(shape.len());
        for (name, size) in shape {
            let (bytes, behind) = rest.split_at_checked(*size)?;
            rest = behind;
            inputs.push(Input { name: name.clone(), bytes: bytes.to_vec() });
        }
        Some(Trace {
            instructions,
            place: ANY_PLACE,
            digest,
            depth,
            preferences_applied,
            effort,
            end,
            inputs,
        })
    }
}

fn put_sparse(out: &mut Vec<u8>, bytes: &[u8]) {
    let mut at = 0;
    while let Some(zeros) = bytes[at..].iter().position(|&byte| byte != 0) {
        let start = at + zeros;
        let mut end = start + 1;
        let mut zeros_seen = 0;
        for (i, &byte) in bytes.iter().enumerate().skip(end) {
            zeros_seen = if byte == 0 { zeros_seen + 1 } else { 0 };
            if zeros_seen > SHORT {
                break;
            }
            if byte != 0 {
                end = i + 1;
            }
        }
        put(out, zeros as u64);
        put(out, (end - start) as u64);
        out.extend(&bytes[start..end]);
        at = end;
    }
}

fn read_sparse(reader: &mut TraceReader, data: &mut [u8]) -> Option<()> {
    let mut at = 0usize;
    while !reader.is_at_end() {
        at = at.checked_add(usize::try_from(reader.number()?).ok()?)?;
        let bytes = reader.bytes()?;
        let end = at.checked_add(bytes.len())?;
        data.get_mut(at..end)?.copy_from_slice(bytes);
        at = end;
    }
    Some(())
}

/// What the state of a trace is known by: its position, and its input if a case depends on that.
pub fn key_of(trace: &Trace) -> u64 {
    let mut end = Vec::new();
    trace.end.encode(&mut end);
    let mut hasher = FxHasher::default();
    hasher.write_u64(trace.instructions);
    hasher.write_u64(trace.digest);
    hasher.write(&end);
    if trace.instructions == ANY_INSTRUCTIONS && trace.end != TraceEnd::Request {
        trace.inputs.iter().for_each(|input| hasher.write(&input.bytes));
    }
    hasher.finish()
}

fn hash_of(bytes: &[u8]) -> u64 {
    let mut hasher = FxHasher::default();
    hasher.write(bytes);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn trace(end: TraceEnd, objects: &[(&str, &[u8])]) -> Trace {
        let input =
            |(name, bytes): &(&str, &[u8])| Input { name: (*name).into(), bytes: bytes.to_vec() };
        Trace {
            instructions: 300,
            place: ANY_PLACE,
            digest: u64::MAX - 3,
            depth: 7,
            preferences_applied: 1,
            effort: 1 << 40,
            end,
            inputs: objects.iter().map(input).collect(),
        }
    }

    fn examples() -> Vec<Trace> {
        let sparse = [&[0; 40][..], b"abc", &[0; 3], b"d", &[0; 50], b"e", &[0; 9]].concat();
        vec![
            trace(TraceEnd::Between, &[]),
            trace(TraceEnd::Request, &[("x", b"\0\0\0\0")]),
            trace(TraceEnd::Case { case: 3, pending: true }, &[("x", b"12"), ("y", &sparse)]),
            trace(TraceEnd::Group { cases: vec![2, 900], pending: false }, &[("x", b"\x0012")]),
        ]
    }

    #[test]
    fn an_encoded_trace_is_decoded_unchanged() {
        for trace in examples() {
            let mut shapes = Shapes::default();
            let bytes = SavedTrace::new(trace.clone()).encode(&mut shapes);
            let table = ShapeTable::decode(&shapes.take_new());
            assert_eq!(SavedTrace::decode(&bytes, &table), Some(trace));
            assert!(bytes.len() < 60, "{} bytes", bytes.len());
        }
    }

    #[test]
    fn damaged_bytes_are_refused_or_another_trace() {
        for trace in examples() {
            let mut shapes = Shapes::default();
            let whole = SavedTrace::new(trace).encode(&mut shapes);
            let shapes = shapes.take_new();
            let table = ShapeTable::decode(&shapes);
            for at in 0..whole.len() {
                let _ = SavedTrace::decode(&whole[..at], &table);
                for byte in [0, 1, 0x7f, 0x80, 0xff] {
                    let mut other = whole.clone();
                    other[at] = byte;
                    let _ = SavedTrace::decode(&other, &table);
                }
            }
            for shape in shapes.iter().filter(|it| !it.is_empty()) {
                let table = ShapeTable::decode(&[shape[..shape.len() / 2].to_vec()]);
                assert_eq!(SavedTrace::decode(&whole, &table).map(|it| it.inputs.len()), None);
            }
        }
    }

    #[test]
    fn a_key_depends_on_the_position_alone() {
        let key = |trace: &Trace| SavedTrace::new(trace.clone()).key();
        let all = examples();
        let one = &all[1];
        let other_input = Trace { inputs: Vec::new(), effort: 0, place: 9, ..one.clone() };
        assert_eq!(key(one), key(&other_input));
        let further = Trace { instructions: 301, ..one.clone() };
        assert!(all.iter().skip(2).chain([&all[0], &further]).all(|it| key(it) != key(one)));
    }
}
