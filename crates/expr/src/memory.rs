//! Versions of memory objects that are accessed at symbolic offsets.
//!
//! A version is the contents at one moment: a base of concrete and symbolic bytes at constant
//! offsets, under a list of single-byte writes at possibly symbolic offsets, newest first.
//! Versions are immutable and hash-consed; a write creates a new version over the old one.
//!
//! A read is a single node, [`Op::Read`]. The simplifier skips writes that cannot alias and
//! resolves a read at the first write that must alias, or at the base. What remains becomes a
//! selection in [`crate::expand`] when a solver needs it.
//!
//! A base is sparse (see [`crate::contents`]): a large object that is mostly zero costs what is
//! not.
//!
//! Offsets are 64-bit terms. The engine checks bounds before it reads; a read outside the base
//! is zero.

use std::cmp::Ordering;
use std::num::NonZeroU32;
use std::rc::Rc;

use byway_base::ExprId;
use hashbrown::HashTable;

use crate::contents::{BaseContents, Chunk};
use crate::node::Node;
use crate::op::Op;
use crate::pool::{Pool, compact, mix, shrink_table};

/// The width of offsets.
pub const INDEX_BITS: u32 = 64;

/// The id of a version of a memory object's contents.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub struct VersionId(NonZeroU32);

impl VersionId {
    pub(crate) fn index(self) -> usize {
        self.0.get() as usize
    }

    /// From a node's extra word.
    pub(crate) fn from_word(word: u32) -> VersionId {
        VersionId(NonZeroU32::new(word).expect("slot 0 is never used"))
    }
}

/// A version of a memory object's contents.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum MemoryVersion {
    /// The contents before the first write at a symbolic offset.
    Base(Rc<BaseContents>),
    /// A byte written over an older version.
    Write {
        /// The offset, [`INDEX_BITS`] wide.
        index: ExprId,
        /// The byte, 8 bits wide.
        value: ExprId,
        /// The version before the write.
        previous: VersionId,
    },
    /// A free slot.
    Dead,
}

impl MemoryVersion {
    /// Memory in bytes, besides the slot.
    fn heap_bytes(&self) -> usize {
        match self {
            MemoryVersion::Base(base) => base.heap_bytes(),
            MemoryVersion::Write { .. } | MemoryVersion::Dead => 0,
        }
    }
}

struct VersionSlot {
    version: MemoryVersion,
    hash: u64,
}

/// All versions of a pool, hash-consed like terms.
pub(crate) struct Versions {
    slots: Vec<VersionSlot>,
    table: HashTable<u32>,
    free: Vec<u32>,
    /// Memory of all bases, in bytes.
    heap_bytes: usize,
}

impl Default for Versions {
    fn default() -> Versions {
        let unused = VersionSlot { version: MemoryVersion::Dead, hash: 0 };
        Versions { slots: vec![unused], table: HashTable::new(), free: Vec::new(), heap_bytes: 0 }
    }
}

impl Versions {
    pub fn get(&self, version: VersionId) -> &MemoryVersion {
        &self.slots[version.index()].version
    }

    pub fn hash_of(&self, version: VersionId) -> u64 {
        self.slots[version.index()].hash
    }

    pub fn bound(&self) -> usize {
        self.slots.len()
    }

    /// Memory in bytes, without free slots.
    pub fn bytes(&self) -> usize {
        let alive = self.slots.len() - self.free.len();
        alive * size_of::<VersionSlot>() + self.table.allocation_size() + self.heap_bytes
    }

    fn make(&mut self, version: MemoryVersion, hash: u64) -> VersionId {
        let same = |&slot: &u32| self.slots[slot as usize].version == version;
        if let Some(&found) = self.table.find(hash, same) {
            return VersionId::from_word(found);
        }
        self.heap_bytes += version.heap_bytes();
        let slot = VersionSlot { version, hash };
        let index = match self.free.pop() {
            Some(index) => {
                self.slots[index as usize] = slot;
                index
            }
            None => {
                let index = u32::try_from(self.slots.len()).expect("fewer than 2^32 versions");
                self.slots.push(slot);
                index
            }
        };
        let slots = &self.slots;
        self.table.insert_unique(hash, index, |&other| slots[other as usize].hash);
        VersionId::from_word(index)
    }

    pub fn sweep(&mut self, alive: impl Fn(usize) -> bool) {
        self.table.retain(|&mut slot| alive(slot as usize));
        for slot in 1..self.slots.len() {
            if self.slots[slot].version != MemoryVersion::Dead && !alive(slot) {
                let dead = std::mem::replace(&mut self.slots[slot].version, MemoryVersion::Dead);
                self.heap_bytes -= dead.heap_bytes();
            }
        }
        let is_dead = |slot: &VersionSlot| slot.version == MemoryVersion::Dead;
        compact(&mut self.slots, &mut self.free, is_dead);
        let slots = &self.slots;
        shrink_table(&mut self.table, |&slot| slots[slot as usize].hash);
    }

    /// The structural order of two versions with the same hash, or the pair of terms that
    /// decides it.
    pub fn compare(&self, a: VersionId, b: VersionId) -> Result<Ordering, (ExprId, ExprId)> {
        let (mut a, mut b) = (a, b);
        while a != b {
            match (self.get(a), self.get(b)) {
                (MemoryVersion::Base(x), MemoryVersion::Base(y)) => {
                    let plain = x.compare_concrete(y);
                    let terms = x.symbolic.iter().zip(&y.symbolic).find(|(p, q)| p.1 != q.1);
                    return match (plain, terms) {
                        (Ordering::Equal, Some((p, q))) => Err((p.1, q.1)),
                        _ => Ok(plain),
                    };
                }
                (
                    MemoryVersion::Write { index: i, value: v, previous: x },
                    MemoryVersion::Write { index: j, value: w, previous: y },
                ) => {
                    if i != j {
                        return Err((*i, *j));
                    }
                    if v != w {
                        return Err((*v, *w));
                    }
                    (a, b) = (*x, *y);
                }
                (MemoryVersion::Base(_), _) => return Ok(Ordering::Less),
                _ => return Ok(Ordering::Greater),
            }
        }
        Ok(Ordering::Equal)
    }
}

impl Pool {
    /// The version with these bytes, some of them replaced by terms of 8 bits.
    pub fn base(
        &mut self,
        bytes: impl Into<Rc<[u8]>>,
        symbolic: impl IntoIterator<Item = (u64, ExprId)>,
    ) -> VersionId {
        let bytes: Rc<[u8]> = bytes.into();
        let size = bytes.len() as u64;
        self.base_of_chunks(size, [Chunk::new(0, Rc::new(bytes))], symbolic)
    }

    /// The version of `size` bytes that are zero outside the chunks, some of them replaced by
    /// terms of 8 bits. The chunks are in ascending order and do not overlap.
    pub fn base_of_chunks(
        &mut self,
        size: u64,
        chunks: impl IntoIterator<Item = Chunk>,
        symbolic: impl IntoIterator<Item = (u64, ExprId)>,
    ) -> VersionId {
        let mut terms: Vec<(u64, ExprId)> = symbolic.into_iter().collect();
        terms.sort_by_key(|&(at, _)| at);
        debug_assert!(terms.windows(2).all(|w| w[0].0 < w[1].0));
        debug_assert!(terms.iter().all(|&(_, e)| self.width(e) == 8));
        let mut contents = BaseContents::new(size, chunks.into_iter().collect());
        for &(at, e) in &terms {
            contents.set(at, self.value(e).unwrap_or(0) as u8);
        }
        terms.retain(|&(_, e)| !self.is_constant(e));
        contents.symbolic = terms.into();
        self.intern_base(contents)
    }

    fn intern_base(&mut self, mut contents: BaseContents) -> VersionId {
        contents.finish();
        let mut hash = contents.hash_concrete();
        for &(at, e) in &contents.symbolic {
            hash = mix(mix(hash, at), self.hash_of(e));
        }
        self.versions.make(MemoryVersion::Base(Rc::new(contents)), hash)
    }

    /// The version with only those bytes of its base that lie from `lo` to `hi` or near. It
    /// equals the whole one for reads there, and they become smaller selections.
    pub fn window(&mut self, version: VersionId, (lo, hi): (u64, u64)) -> VersionId {
        let mut writes = Vec::new();
        let mut at = version;
        let base = loop {
            match self.versions.get(at) {
                MemoryVersion::Write { index, value, previous } => {
                    let elsewhere = |at: u128| !(lo..=hi).contains(&(at as u64));
                    if !self.value(*index).is_some_and(elsewhere) {
                        writes.push((*index, *value));
                    }
                    at = *previous;
                }
                MemoryVersion::Base(base) => break base.window(lo, hi),
                MemoryVersion::Dead => unreachable!("{version:?} was collected"),
            }
        };
        let base = self.intern_base(base);
        writes.into_iter().rev().fold(base, |at, (index, value)| self.write(at, index, value))
    }

    /// The version after writing one byte.
    pub fn write(&mut self, version: VersionId, index: ExprId, value: ExprId) -> VersionId {
        debug_assert_eq!(self.width(index), INDEX_BITS);
        debug_assert_eq!(self.width(value), 8);
        let mut previous = version;
        // Overwrites a previous write at the same offset.
        if let MemoryVersion::Write { index: last, previous: older, .. } =
            self.versions.get(previous)
            && *last == index
        {
            previous = *older;
        }
        let parts = [self.hash_of(index), self.hash_of(value), self.versions.hash_of(previous)];
        let hash = parts.into_iter().fold(0x5772_6974_6521, mix);
        self.versions.make(MemoryVersion::Write { index, value, previous }, hash)
    }

    /// The byte at an offset.
    pub fn read(&mut self, version: VersionId, index: ExprId) -> ExprId {
        debug_assert_eq!(self.width(index), INDEX_BITS);
        self.make(Node::with_extra(Op::Read, 8, index, version.0.get()))
    }

    /// The little-endian word of `bytes` bytes at an offset.
    pub fn read_word(&mut self, version: VersionId, index: ExprId, bytes: u32) -> ExprId {
        let mut word = self.read(version, index);
        for byte in 1..bytes {
            let at = self.offset_by(index, byte);
            let next = self.read(version, at);
            word = self.concat(next, word);
        }
        word
    }

    /// The version after writing a little-endian word, whose width must be a multiple of 8.
    pub fn write_word(&mut self, version: VersionId, index: ExprId, word: ExprId) -> VersionId {
        let bytes = self.width(word) / 8;
        (0..bytes).fold(version, |version, byte| {
            let at = self.offset_by(index, byte);
            let value = self.extract(word, byte * 8, 8);
            self.write(version, at, value)
        })
    }

    fn offset_by(&mut self, index: ExprId, bytes: u32) -> ExprId {
        let bytes = self.constant(INDEX_BITS, u128::from(bytes));
        self.add(index, bytes)
    }

    /// The contents of a version.
    pub fn version(&self, version: VersionId) -> &MemoryVersion {
        self.versions.get(version)
    }

    /// The base below all writes.
    pub fn base_of(&self, version: VersionId) -> Rc<BaseContents> {
        let mut at = version;
        loop {
            match self.versions.get(at) {
                MemoryVersion::Write { previous, .. } => at = *previous,
                MemoryVersion::Base(base) => return base.clone(),
                MemoryVersion::Dead => unreachable!("{version:?} was collected"),
            }
        }
    }

    /// The version and offset of a read.
    pub fn as_read(&self, e: ExprId) -> Option<(VersionId, ExprId)> {
        let node = self.node(e);
        (node.op == Op::Read).then(|| (VersionId::from_word(node.extra()), node.a()))
    }
}
