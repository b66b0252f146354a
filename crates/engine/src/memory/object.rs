//! An object: concrete bytes, with a sparse overlay of symbolic ones.
//!
//! A write at a symbolic offset turns the contents into a version of the expression pool;
//! later writes at known offsets go on top of that version.
//!
//! The concrete bytes of a large object are kept in [`Pages`] if memory is going to fork.

use std::borrow::Cow;
use std::cell::Cell;
use std::collections::BTreeMap;
use std::ops::Range;
use std::rc::Rc;

use byway_base::ExprId;
use byway_expr::{Chunk, Roots, VersionId};
use byway_ir::LocId;

use super::accounting::{AccountedBytes, MemoryAccount, OBJECT_COST};
use super::offset_set::OffsetSet;
use super::pages::Pages;
use super::unwritten::Unwritten;
use super::variadic::PassedArgument;

/// Objects up to this many bytes are contiguous, which makes access fastest.
pub(super) const SMALL: u64 = 4096;

/// Bytes charged for a symbolic byte: its entry in a tree of half-filled nodes.
pub const BYTES_PER_SYMBOLIC_BYTE: u64 = 40;

/// What an object is, for messages.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ObjectKind {
    /// Allocated by `malloc` and related functions.
    Heap,
    /// A local variable or array; the name is empty if unknown.
    Stack(Rc<str>),
    /// A global variable.
    Global(Rc<str>),
    /// The variadic arguments of one call.
    Variadic(Rc<[PassedArgument]>),
    /// The program's arguments and environment.
    Arguments,
    /// Allocated by an anonymous `mmap`.
    Mapping,
    /// The code region, of which only the bytes before functions can be read.
    Code,
}

/// Whether an object is unconstrained input, of a path that starts in a function.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Unconstrained {
    /// It is an object of the program.
    No,
    /// It is, but has no contents yet: they are made at the first access.
    Unmade,
    /// It is, with contents.
    Made,
}

/// Positions in open calls, innermost first (see [`position_of`](crate::state::position_of)).
pub type CallPath = Rc<[u64]>;

/// One byte of an expression in memory.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Fragment {
    /// The expression whose byte this is.
    pub expr: ExprId,
    /// Index of the byte, from the lowest.
    pub byte: u8,
    /// Bytes of the whole expression.
    pub of: u8,
}

/// Everything about an object's contents beyond concrete bytes. Most objects have no
/// overlay, so a single comparison selects the fast path.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Overlay {
    /// Symbolic bytes by offset; they override the concrete ones.
    symbolic: BTreeMap<u64, Fragment>,
    /// The result of the last write at a symbolic offset.
    version: Option<VisibleVersion>,
    /// The size that the program requested, if it is symbolic.
    size: Option<ExprId>,
}

/// The contents of an object in the expression pool.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct VersionedContents {
    /// The bytes, with zero in undefined bits.
    pub value: VersionId,
    /// The masks of the defined bits, if not all are.
    pub defined: Option<VersionId>,
}

/// Contents in the expression pool.
#[derive(Clone, PartialEq, Eq, Debug)]
struct VisibleVersion {
    contents: VersionedContents,
    /// The bytes written since, whose contents the object defines.
    overwritten: OffsetSet,
}

impl Overlay {
    /// About the bytes that it takes.
    fn bytes(&self) -> u64 {
        size_of::<Overlay>() as u64
            + self.version.as_ref().map_or(0, |version| version.overwritten.bytes())
            + self.symbolic.len() as u64 * BYTES_PER_SYMBOLIC_BYTE
    }
}

/// What one byte of an object holds.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Byte {
    /// A known byte.
    Concrete(u8),
    /// A byte of an expression.
    Fragment(Fragment),
    /// The byte at the same offset of a version.
    Version(VersionedContents),
    /// A byte that was never written.
    Unwritten,
}

/// A memory object.
#[derive(Clone)]
pub struct Object {
    /// The address of its first byte.
    pub base: u64,
    /// Its origin.
    pub kind: ObjectKind,
    /// The innermost user location that allocated it.
    pub allocated_at: Option<LocId>,
    /// The calls that led to its allocation, if leaks are searched for.
    pub allocated_by: Option<CallPath>,
    /// Writing to it is a fault.
    pub constant: bool,
    /// Whether it is unconstrained input.
    pub unconstrained: Unconstrained,
    size: u64,
    /// Its concrete bytes; empty if they are in pages.
    bytes: Vec<u8>,
    pages: Option<Box<Pages>>,
    overlay: Option<Box<Overlay>>,
    unwritten: Unwritten,
    accounted: AccountedBytes,
    /// A version that equals the current contents, with the pool generation that created
    /// it. Cleared by every write.
    snapshot: Cell<Option<(u32, VersionedContents)>>,
}

impl Object {
    /// Creates a zeroed object and charges it to `account`. With `unwritten`, its bytes are
    /// undefined until they are written; with `paged`, a large object is kept in pages.
    pub fn new(
        base: u64,
        size: u64,
        kind: ObjectKind,
        allocated_at: Option<LocId>,
        unwritten: bool,
        paged: bool,
        account: &MemoryAccount,
    ) -> Object {
        // Every access to arguments is checked, so none may take the shortest way.
        let guarded = matches!(kind, ObjectKind::Variadic(_));
        let paged = guarded || (paged && size > SMALL);
        let mut object = Object {
            base,
            kind,
            allocated_at,
            allocated_by: None,
            constant: false,
            unconstrained: Unconstrained::No,
            size,
            bytes: vec![0; if paged { 0 } else { size as usize }],
            pages: paged.then(|| Box::new(Pages::new(account))),
            overlay: None,
            unwritten: if unwritten { Unwritten::all(size) } else { Unwritten::NONE },
            accounted: account.charge(0),
            snapshot: Cell::new(None),
        };
        object.recount();
        object
    }

    /// Drops its contents: none of its bytes can be accessed until they are made.
    pub fn unmake(&mut self, account: &MemoryAccount) {
        self.unconstrained = Unconstrained::Unmade;
        self.bytes = Vec::new();
        // No access may take the shortest way.
        self.pages = Some(Box::new(Pages::new(account)));
        self.overlay = None;
        self.unwritten = Unwritten::NONE;
        self.snapshot.set(None);
        self.recount();
    }

    /// Brings its charge up to date. Pages charge for themselves.
    fn recount(&mut self) {
        let bytes = self.bytes.len() as u64 + self.overlay_bytes() + self.unwritten.heap_bytes();
        self.accounted.set(OBJECT_COST + bytes);
    }

    /// Its size in bytes.
    #[inline(always)]
    pub fn size(&self) -> u64 {
        self.size
    }

    /// Forbids writes from now on.
    pub fn make_constant(&mut self) {
        self.constant = true;
        if let Some(pages) = self.pages.take() {
            self.bytes = pages.bytes(0, self.size as usize).into_owned();
            self.recount();
        }
    }

    /// The concrete bytes, if the range is in bounds and written, and the object has neither
    /// overlay nor pages.
    #[inline(always)]
    pub fn plain(&self, offset: u64, len: u64) -> Option<&[u8]> {
        if self.overlay.is_some() {
            return None;
        }
        let end = offset.checked_add(len)?;
        let bytes = self.bytes.get(offset as usize..end as usize)?;
        if !self.unwritten.is_empty() && self.unwritten.any(offset..end) {
            return None;
        }
        Some(bytes)
    }

    /// As [`Object::plain`], for writing. The caller writes all of the bytes.
    #[inline(always)]
    pub fn plain_mut(&mut self, offset: u64, len: u64) -> Option<&mut [u8]> {
        if self.overlay.is_some() || self.constant {
            return None;
        }
        self.snapshot.set(None);
        let end = offset.checked_add(len)?;
        let bytes = self.bytes.get_mut(offset as usize..end as usize)?;
        if !self.unwritten.is_empty() {
            self.unwritten.write(offset..end);
        }
        Some(bytes)
    }

    /// Whether `len` bytes from `offset` are in bounds.
    pub fn contains(&self, offset: u64, len: u64) -> bool {
        offset.checked_add(len).is_some_and(|end| end <= self.size())
    }

    /// Whether it has terms: symbolic bytes, a version or a symbolic size.
    pub fn has_overlay(&self) -> bool {
        self.overlay.is_some()
    }

    /// The concrete bytes of a range in bounds; a symbolic byte reads as the last concrete
    /// value at its offset.
    pub fn bytes(&self, range: Range<u64>) -> Cow<'_, [u8]> {
        match &self.pages {
            None => self.bytes[range.start as usize..range.end as usize].into(),
            Some(pages) => pages.bytes(range.start, (range.end - range.start) as usize),
        }
    }

    fn concrete(&self, at: u64) -> u8 {
        match &self.pages {
            None => self.bytes[at as usize],
            Some(pages) => pages.byte(at),
        }
    }

    /// The first byte of a range that was never written.
    pub fn first_unwritten(&self, range: Range<u64>) -> Option<u64> {
        self.unwritten.first(range)
    }

    /// Whether no byte was ever written.
    pub fn is_unset(&self) -> bool {
        self.unwritten.count() == self.size
    }

    /// The maximal ranges that were never written, within a range in bounds.
    pub fn unwritten_ranges(&self, range: Range<u64>) -> Vec<Range<u64>> {
        match self.unwritten.is_empty() {
            true => Vec::new(),
            false => self.unwritten.ranges(range),
        }
    }

    /// Makes the contents of a range in bounds undefined, as if it were never written.
    pub fn unset(&mut self, range: Range<u64>) {
        self.fill(range.start, 0, range.end - range.start);
        self.unwritten.unset(range, self.size);
        self.recount();
    }

    /// The content of a byte in bounds.
    pub fn byte(&self, at: u64) -> Byte {
        if self.unwritten.contains(at) {
            return Byte::Unwritten;
        }
        let Some(overlay) = &self.overlay else { return Byte::Concrete(self.concrete(at)) };
        match &overlay.version {
            Some(version) if !version.overwritten.contains(at) => Byte::Version(version.contents),
            _ => match overlay.symbolic.get(&at) {
                Some(&fragment) => Byte::Fragment(fragment),
                None => Byte::Concrete(self.concrete(at)),
            },
        }
    }

    /// Whether every byte of a range in bounds is concrete and written.
    pub fn is_concrete(&self, mut range: Range<u64>) -> bool {
        match &self.overlay {
            None => !self.unwritten.any(range),
            Some(_) => range.all(|at| matches!(self.byte(at), Byte::Concrete(_))),
        }
    }

    /// The version that defines some of its bytes.
    pub fn version(&self) -> Option<VersionedContents> {
        Some(self.overlay.as_ref()?.version.as_ref()?.contents)
    }

    /// The bytes that were written after the version.
    pub fn overwritten(&self) -> impl Iterator<Item = u64> + '_ {
        let version = self.overlay.as_ref().and_then(|overlay| overlay.version.as_ref());
        version.into_iter().flat_map(|version| version.overwritten.iter())
    }

    /// The concrete bytes in chunks, without most ranges of zeros.
    pub fn chunks(&self) -> Vec<Chunk> {
        match &self.pages {
            Some(pages) => pages.chunks().collect(),
            None => {
                let pieces = self.bytes.chunks(SMALL as usize).zip((0..).step_by(SMALL as usize));
                pieces.map(|(bytes, at)| Chunk::new(at, Rc::new(Box::from(bytes)))).collect()
            }
        }
    }

    /// Replaces all contents by a version.
    pub fn set_version(&mut self, contents: VersionedContents) {
        self.snapshot.set(None);
        self.unwritten = Unwritten::NONE;
        let overlay = self.overlay.get_or_insert_default();
        overlay.symbolic.clear();
        overlay.version = Some(VisibleVersion { contents, overwritten: OffsetSet::default() });
        self.recount();
    }

    /// The size that the program requested, if it is symbolic.
    pub fn symbolic_size(&self) -> Option<ExprId> {
        self.overlay.as_ref()?.size
    }

    /// Records the symbolic size that the program requested.
    pub fn set_symbolic_size(&mut self, size: ExprId) {
        self.overlay.get_or_insert_default().size = Some(size);
    }

    /// The symbolic bytes of a range.
    pub fn fragments(&self, range: Range<u64>) -> impl Iterator<Item = (u64, Fragment)> + '_ {
        let symbolic = self.overlay.as_ref().map(|overlay| &overlay.symbolic);
        symbolic.into_iter().flat_map(move |s| s.range(range.clone()).map(|(&at, &f)| (at, f)))
    }

    /// Writes concrete bytes to a range in bounds.
    pub fn write(&mut self, offset: u64, bytes: &[u8]) {
        let range = offset..offset + bytes.len() as u64;
        match &mut self.pages {
            None => self.bytes[range.start as usize..range.end as usize].copy_from_slice(bytes),
            Some(pages) => pages.write(offset, bytes),
        }
        self.clear_overlay(range);
    }

    /// Sets every byte of a range in bounds.
    pub fn fill(&mut self, offset: u64, byte: u8, len: u64) {
        let range = offset..offset + len;
        match &mut self.pages {
            None => self.bytes[range.start as usize..range.end as usize].fill(byte),
            Some(pages) => pages.fill(offset, byte, len),
        }
        self.clear_overlay(range);
    }

    /// Copies the concrete bytes of a range of another object to a range in bounds.
    pub fn copy_bytes(&mut self, offset: u64, from: &Object, from_offset: u64, len: u64) {
        match (&mut self.pages, &from.pages) {
            (Some(pages), Some(theirs)) => {
                pages.copy(offset, theirs, from_offset, len);
                self.clear_overlay(offset..offset + len);
            }
            _ => self.write(offset, &from.bytes(from_offset..from_offset + len)),
        }
    }

    /// Writes the bytes of an expression to a range in bounds.
    pub fn write_symbolic(&mut self, offset: u64, len: u64, expr: ExprId) {
        self.clear_overlay(offset..offset + len);
        let overlay = self.overlay.get_or_insert_default();
        for byte in 0..len {
            let fragment = Fragment { expr, byte: byte as u8, of: len as u8 };
            overlay.symbolic.insert(offset + byte, fragment);
        }
        self.recount();
    }

    /// Copies the overlay of `len` bytes of another object, after their concrete bytes:
    /// symbolic bytes and unwritten ones. No version defines the source bytes.
    pub fn copy_overlay(&mut self, offset: u64, from: &Object, from_offset: u64, len: u64) {
        for unwritten in from.unwritten_ranges(from_offset..from_offset + len) {
            let to = |at: u64| at - from_offset + offset;
            self.unwritten.unset(to(unwritten.start)..to(unwritten.end), self.size);
        }
        if from.overlay.is_none() {
            return self.recount();
        }
        for (at, fragment) in from.fragments(from_offset..from_offset + len) {
            let overlay = self.overlay.get_or_insert_default();
            overlay.symbolic.insert(at - from_offset + offset, fragment);
        }
        self.recount();
    }

    /// Marks its terms as roots of a garbage collection.
    pub fn mark(&self, roots: &mut Roots) {
        let Some(overlay) = &self.overlay else { return };
        overlay.symbolic.values().for_each(|fragment| roots.keep(fragment.expr));
        if let Some(VisibleVersion { contents, .. }) = &overlay.version {
            roots.keep_version(contents.value);
            contents.defined.iter().for_each(|&masks| roots.keep_version(masks));
        }
        overlay.size.iter().for_each(|&size| roots.keep(size));
    }

    /// The version that equals its contents, unless they changed or the pool collected since.
    pub fn snapshot(&self, generation: u32) -> Option<VersionedContents> {
        self.snapshot.get().filter(|&(then, _)| then == generation).map(|(_, contents)| contents)
    }

    /// Records a version that equals its contents.
    pub fn set_snapshot(&self, generation: u32, contents: VersionedContents) {
        self.snapshot.set(Some((generation, contents)));
    }

    /// Prepares a range for new contents.
    fn clear_overlay(&mut self, range: Range<u64>) {
        self.snapshot.set(None);
        if !self.unwritten.is_empty() {
            let before = self.unwritten.heap_bytes();
            self.unwritten.write(range.clone());
            if self.unwritten.heap_bytes() != before {
                self.recount();
            }
        }
        let Some(overlay) = &mut self.overlay else { return };
        if !overlay.symbolic.is_empty() {
            let old: Vec<u64> = overlay.symbolic.range(range.clone()).map(|(&at, _)| at).collect();
            for at in old {
                overlay.symbolic.remove(&at);
            }
        }
        if let Some(version) = &mut overlay.version {
            version.overwritten.insert(range.clone());
        }
        if overlay.symbolic.is_empty() && overlay.version.is_none() && overlay.size.is_none() {
            self.overlay = None;
        }
        self.recount();
    }

    /// The bytes that a copy of it takes; it shares its pages.
    pub fn own_bytes(&self) -> u64 {
        self.accounted.bytes()
    }

    /// About the bytes of its overlay.
    pub fn overlay_bytes(&self) -> u64 {
        self.overlay.as_ref().map_or(0, |overlay| overlay.bytes())
    }
}
