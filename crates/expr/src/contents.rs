//! The bytes of a memory object at constant offsets, below all writes at symbolic ones.
//!
//! Concrete bytes are kept in chunks that may be shared with their owner's pages; bytes outside
//! all chunks are zero.

use std::cmp::Ordering;
use std::fmt;
use std::hash::Hasher;
use std::rc::Rc;

use byway_base::ExprId;
use rustc_hash::FxHasher;

use crate::pool::mix;

/// Concrete bytes from an offset on.
#[derive(Clone)]
pub struct Chunk {
    first: u64,
    bytes: Rc<dyn AsRef<[u8]>>,
    /// Whether this version alone holds the bytes.
    owned: bool,
}

impl Chunk {
    /// A chunk that the version owns.
    pub fn new(first: u64, bytes: Rc<dyn AsRef<[u8]>>) -> Chunk {
        Chunk { first, bytes, owned: true }
    }

    /// A chunk of bytes that are accounted for elsewhere.
    pub fn shared(first: u64, bytes: Rc<dyn AsRef<[u8]>>) -> Chunk {
        Chunk { first, bytes, owned: false }
    }

    fn bytes(&self) -> &[u8] {
        (*self.bytes).as_ref()
    }

    /// The offset past its last byte.
    fn end(&self) -> u64 {
        self.first + self.bytes().len() as u64
    }
}

impl PartialEq for Chunk {
    fn eq(&self, other: &Chunk) -> bool {
        self.first == other.first
            && (std::ptr::addr_eq(Rc::as_ptr(&self.bytes), Rc::as_ptr(&other.bytes))
                || self.bytes() == other.bytes())
    }
}

impl Eq for Chunk {}

impl fmt::Debug for Chunk {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {:?}", self.first, self.bytes())
    }
}

/// Bytes at constant offsets.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BaseContents {
    size: u64,
    /// By ascending offset, without overlaps; none of them is all zero. Zero where a byte is
    /// symbolic.
    chunks: Box<[Chunk]>,
    /// The symbolic bytes, by offset; never constant terms.
    pub symbolic: Box<[(u64, ExprId)]>,
    uniform: Option<u8>,
}

impl BaseContents {
    pub(crate) fn new(size: u64, chunks: Box<[Chunk]>) -> BaseContents {
        debug_assert!(chunks.windows(2).all(|w| w[0].end() <= w[1].first));
        BaseContents { size, chunks, symbolic: Box::default(), uniform: None }
    }

    /// Sets a concrete byte. Usually the byte is right already, and nothing is copied.
    pub(crate) fn set(&mut self, at: u64, byte: u8) {
        let after = self.chunks.partition_point(|chunk| chunk.first <= at);
        match after.checked_sub(1).map(|i| &mut self.chunks[i]) {
            Some(chunk) if at < chunk.end() => {
                let within = (at - chunk.first) as usize;
                if chunk.bytes()[within] != byte {
                    let mut bytes = chunk.bytes().to_vec();
                    bytes[within] = byte;
                    *chunk = Chunk::new(chunk.first, Rc::new(bytes));
                }
            }
            _ if byte == 0 => {}
            _ => {
                let mut chunks = std::mem::take(&mut self.chunks).into_vec();
                chunks.insert(after, Chunk::new(at, Rc::new([byte])));
                self.chunks = chunks.into();
            }
        }
    }

    /// Brings the chunks and what is derived from them into their final form.
    pub(crate) fn finish(&mut self) {
        let is_zero = |chunk: &Chunk| chunk.bytes().iter().fold(0, |any, &byte| any | byte) == 0;
        if self.chunks.iter().any(is_zero) {
            let chunks = std::mem::take(&mut self.chunks).into_vec();
            self.chunks = chunks.into_iter().filter(|chunk| !is_zero(chunk)).collect();
        }
        self.uniform = match &*self.chunks {
            _ if !self.symbolic.is_empty() => None,
            [] => Some(0),
            [all] if all.first == 0 && all.end() == self.size => {
                let first = all.bytes()[0];
                all.bytes().iter().all(|&byte| byte == first).then_some(first)
            }
            _ => None,
        };
    }

    pub(crate) fn hash_concrete(&self) -> u64 {
        self.chunks.iter().fold(self.size, |hash, chunk| {
            let mut hasher = FxHasher::default();
            hasher.write(chunk.bytes());
            mix(mix(hash, chunk.first), hasher.finish())
        })
    }

    /// The order of the concrete bytes, then of the offsets of symbolic ones.
    pub(crate) fn compare_concrete(&self, other: &BaseContents) -> Ordering {
        let key = |chunk: &Chunk| chunk.first;
        let offsets =
            |base: &BaseContents| -> Vec<u64> { base.symbolic.iter().map(|&(at, _)| at).collect() };
        self.size
            .cmp(&other.size)
            .then_with(|| self.chunks.iter().map(key).cmp(other.chunks.iter().map(key)))
            .then_with(|| {
                let (a, b) = (self.chunks.iter(), other.chunks.iter());
                a.map(Chunk::bytes).cmp(b.map(Chunk::bytes))
            })
            .then_with(|| offsets(self).cmp(&offsets(other)))
    }

    /// Memory in bytes that it owns.
    pub(crate) fn heap_bytes(&self) -> usize {
        let owned = self.chunks.iter().filter(|chunk| chunk.owned);
        owned.map(|chunk| chunk.bytes().len()).sum::<usize>()
            + size_of_val(&*self.chunks)
            + size_of_val(&*self.symbolic)
    }

    /// The number of bytes.
    pub fn size(&self) -> u64 {
        self.size
    }

    /// The value of every byte, if they are all concrete and equal.
    pub(crate) fn uniform(&self) -> Option<u8> {
        self.uniform
    }

    /// The symbolic byte at an offset, if it is not concrete.
    pub(crate) fn symbolic_at(&self, offset: u64) -> Option<ExprId> {
        let found = self.symbolic.binary_search_by_key(&offset, |&(at, _)| at).ok()?;
        Some(self.symbolic[found].1)
    }

    /// The concrete byte at an offset; zero out of bounds and where a byte is symbolic.
    pub(crate) fn concrete_at(&self, offset: u64) -> u8 {
        let chunk = match &*self.chunks {
            [only] => only,
            chunks => {
                let after = chunks.partition_point(|chunk| chunk.first <= offset);
                let Some(chunk) = after.checked_sub(1).map(|i| &chunks[i]) else { return 0 };
                chunk
            }
        };
        let within = offset.checked_sub(chunk.first).and_then(|at| usize::try_from(at).ok());
        within.and_then(|at| chunk.bytes().get(at)).copied().unwrap_or(0)
    }

    /// The chunks and the symbolic bytes that lie, in part, from `lo` to `hi`.
    fn parts(&self, lo: u64, hi: u64) -> (&[Chunk], &[(u64, ExprId)]) {
        let from = self.chunks.partition_point(|chunk| chunk.end() <= lo);
        let to = self.chunks.partition_point(|chunk| chunk.first <= hi).max(from);
        let first = self.symbolic.partition_point(|&(at, _)| at < lo);
        let end = self.symbolic.partition_point(|&(at, _)| at <= hi).max(first);
        (&self.chunks[from..to], &self.symbolic[first..end])
    }

    /// Whether all bytes from `lo` to `hi` are outside all chunks, and none is symbolic.
    pub(crate) fn is_absent(&self, lo: u64, hi: u64) -> bool {
        let (chunks, symbolic) = self.parts(lo, hi);
        chunks.is_empty() && symbolic.is_empty()
    }

    /// About the size of a selection from the bytes from `lo` to `hi`: one for each concrete
    /// byte of a chunk, more for a symbolic one.
    pub fn weight(&self, lo: u64, hi: u64) -> u64 {
        let (chunks, symbolic) = self.parts(lo, hi);
        let within = |chunk: &Chunk| (chunk.end() - 1).min(hi) - chunk.first.max(lo) + 1;
        chunks.iter().map(within).sum::<u64>() + symbolic.len() as u64 * SYMBOLIC_WEIGHT
    }

    /// The contents without the chunks and symbolic bytes outside `lo` to `hi`.
    pub(crate) fn window(&self, lo: u64, hi: u64) -> BaseContents {
        let (chunks, symbolic) = self.parts(lo, hi);
        BaseContents { symbolic: symbolic.into(), ..BaseContents::new(self.size, chunks.into()) }
    }
}

/// The constant bits of concrete bytes make a circuit several times smaller than the bits of
/// symbolic ones.
const SYMBOLIC_WEIGHT: u64 = 8;
