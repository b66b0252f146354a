//! An object: concrete bytes, with a sparse overlay of symbolic ones.
//!
//! Once it was written at a symbolic offset, its contents are a version of the
//! expression pool, under what was written at known offsets since.
//!
//! The concrete bytes of a large object are in [`Pages`] where copies are to be cheap.

use std::borrow::Cow;
use std::cell::Cell;
use std::collections::BTreeMap;
use std::ops::Range;
use std::rc::Rc;

use byway_base::ExprId;
use byway_expr::{Roots, VersionId};
use byway_ir::LocId;

use super::pages::Pages;
use super::weight::{OBJECT_COST, Scale, Weight};

/// Objects up to this size are kept in one piece: access is fastest there.
const SMALL: u64 = 4096;

/// What an object is, for people.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ObjectKind {
    /// From `malloc` and its kin.
    Heap,
    /// A local variable or array of this name (empty if unknown).
    Stack(Rc<str>),
    /// A global variable.
    Global(Rc<str>),
    /// The arguments behind `...` of one call.
    Variadic,
    /// The program's arguments and environment.
    Arguments,
    /// From an anonymous `mmap`.
    Mapping,
}

/// One byte of an expression in memory.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Fragment {
    /// The expression.
    pub expr: ExprId,
    /// Which of its bytes, from the lowest.
    pub byte: u8,
    /// How many bytes it has.
    pub of: u8,
}

/// What is known of an object beside its concrete bytes. Most objects have none
/// of it, so that one comparison keeps the fast path clear.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Extra {
    /// Symbolic bytes by offset; they hide the concrete ones.
    symbolic: BTreeMap<u64, Fragment>,
    /// One bit per byte ever written, if reads of others are to be reported.
    written: Option<Bits>,
    /// What shows where nothing was written since a write at a symbolic offset.
    layer: Option<Layer>,
    /// How many of its bytes the program asked for, if that is symbolic.
    size: Option<ExprId>,
}

/// Contents that are known to the expression pool, and where they still show.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Layer {
    version: VersionId,
    /// The bytes that the version tells, not the object.
    shows: Bits,
}

/// One bit per byte of an object.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Bits(Vec<u64>);

impl Bits {
    fn all(size: u64, value: bool) -> Bits {
        Bits(vec![if value { u64::MAX } else { 0 }; (size as usize).div_ceil(64)])
    }

    fn get(&self, at: u64) -> bool {
        self.0[at as usize / 64] >> (at % 64) & 1 == 1
    }

    fn set(&mut self, at: u64, value: bool) {
        let word = &mut self.0[at as usize / 64];
        let bit = 1 << (at % 64);
        *word = if value { *word | bit } else { *word & !bit };
    }

    fn set_all(&mut self, range: Range<u64>, value: bool) {
        range.for_each(|at| self.set(at, value));
    }
}

/// What one byte of an object holds.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Byte {
    /// A number.
    Concrete(u8),
    /// A byte of an expression.
    Fragment(Fragment),
    /// Whatever the version has at this offset.
    Version(VersionId),
}

/// A memory object.
#[derive(Clone)]
pub struct Object {
    /// The address of its first byte.
    pub base: u64,
    /// What it is.
    pub kind: ObjectKind,
    /// Where it was made in the user's source.
    pub made_at: Option<LocId>,
    /// Whether writing is a fault.
    pub constant: bool,
    size: u64,
    /// Its concrete bytes; none if they are in pages.
    bytes: Vec<u8>,
    pages: Option<Box<Pages>>,
    extra: Option<Box<Extra>>,
    weight: Weight,
    /// The version of the expression pool that holds its contents, if one was made
    /// since it last changed, and the collection after which.
    snapshot: Cell<Option<(u32, VersionId)>>,
}

impl Object {
    /// A zeroed object that is counted on this scale. With `track`, its bytes count as
    /// never written; with `paged`, a large one is kept in pages.
    pub fn new(
        base: u64,
        size: u64,
        kind: ObjectKind,
        made_at: Option<LocId>,
        track: bool,
        paged: bool,
        scale: &Scale,
    ) -> Object {
        let extra = track
            .then(|| Box::new(Extra { written: Some(Bits::all(size, false)), ..Extra::default() }));
        let paged = paged && size > SMALL;
        Object {
            base,
            kind,
            made_at,
            constant: false,
            size,
            bytes: vec![0; if paged { 0 } else { size as usize }],
            pages: paged.then(|| Box::new(Pages::new(scale))),
            extra,
            // Pages are counted where they are.
            weight: scale.weigh(OBJECT_COST + if paged { 0 } else { size }),
            snapshot: Cell::new(None),
        }
    }

    /// Its size in bytes.
    #[inline(always)]
    pub fn size(&self) -> u64 {
        self.size
    }

    /// Nothing is to be written from now on.
    pub fn make_constant(&mut self) {
        self.constant = true;
        if let Some(pages) = self.pages.take() {
            self.bytes = pages.bytes(0, self.size as usize).into_owned();
            self.weight = self.weight.of(OBJECT_COST + self.size);
        }
    }

    /// The concrete bytes, if the range lies inside and needs no second look.
    #[inline(always)]
    pub fn plain(&self, offset: u64, len: u64) -> Option<&[u8]> {
        if self.extra.is_some() {
            return None;
        }
        self.bytes.get(offset as usize..(offset as usize).checked_add(len as usize)?)
    }

    /// As [`Object::plain`], for writing.
    #[inline(always)]
    pub fn plain_mut(&mut self, offset: u64, len: u64) -> Option<&mut [u8]> {
        if self.extra.is_some() || self.constant {
            return None;
        }
        self.snapshot.set(None);
        self.bytes.get_mut(offset as usize..(offset as usize).checked_add(len as usize)?)
    }

    /// Whether `len` bytes from `offset` lie inside.
    pub fn contains(&self, offset: u64, len: u64) -> bool {
        offset.checked_add(len).is_some_and(|end| end <= self.size())
    }

    /// Whether there is more to it than concrete bytes.
    pub fn has_extra(&self) -> bool {
        self.extra.is_some()
    }

    /// The concrete bytes of a range that lies inside; symbolic ones show as they
    /// were before.
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

    /// The first byte of a range that was never written, if that is tracked.
    pub fn first_unwritten(&self, mut range: Range<u64>) -> Option<u64> {
        let written = self.extra.as_ref()?.written.as_ref()?;
        range.find(|&at| !written.get(at))
    }

    /// What a byte that lies inside holds.
    pub fn byte(&self, at: u64) -> Byte {
        let Some(extra) = &self.extra else { return Byte::Concrete(self.concrete(at)) };
        match &extra.layer {
            Some(layer) if layer.shows.get(at) => Byte::Version(layer.version),
            _ => match extra.symbolic.get(&at) {
                Some(&fragment) => Byte::Fragment(fragment),
                None => Byte::Concrete(self.concrete(at)),
            },
        }
    }

    /// Whether every byte of a range that lies inside is a number.
    pub fn is_concrete(&self, mut range: Range<u64>) -> bool {
        self.extra.is_none() || range.all(|at| matches!(self.byte(at), Byte::Concrete(_)))
    }

    /// The version that shows in some of its bytes.
    pub fn version(&self) -> Option<VersionId> {
        Some(self.extra.as_ref()?.layer.as_ref()?.version)
    }

    /// Makes a version the whole of its contents.
    pub fn set_version(&mut self, version: VersionId) {
        let shows = Bits::all(self.size(), true);
        self.snapshot.set(None);
        let extra = self.extra.get_or_insert_default();
        extra.symbolic.clear();
        // Which byte a write at a symbolic offset wrote is not known: all count, so
        // that no read is blamed wrongly.
        if let Some(written) = &mut extra.written {
            written.0.fill(u64::MAX);
        }
        extra.layer = Some(Layer { version, shows });
    }

    /// How many of its bytes the program asked for, if that is symbolic.
    pub fn symbolic_size(&self) -> Option<ExprId> {
        self.extra.as_ref()?.size
    }

    /// Says how many of its bytes the program asked for.
    pub fn set_symbolic_size(&mut self, size: ExprId) {
        self.extra.get_or_insert_default().size = Some(size);
    }

    /// The symbolic bytes of a range.
    pub fn fragments(&self, range: Range<u64>) -> impl Iterator<Item = (u64, Fragment)> + '_ {
        let symbolic = self.extra.as_ref().map(|e| &e.symbolic);
        symbolic.into_iter().flat_map(move |s| s.range(range.clone()).map(|(&at, &f)| (at, f)))
    }

    /// Writes concrete bytes to a range that lies inside.
    pub fn write(&mut self, offset: u64, bytes: &[u8]) {
        let range = offset..offset + bytes.len() as u64;
        match &mut self.pages {
            None => self.bytes[range.start as usize..range.end as usize].copy_from_slice(bytes),
            Some(pages) => pages.write(offset, bytes),
        }
        self.clear_extra(range);
    }

    /// Sets the bytes of a range that lies inside.
    pub fn fill(&mut self, offset: u64, byte: u8, len: u64) {
        let range = offset..offset + len;
        match &mut self.pages {
            None => self.bytes[range.start as usize..range.end as usize].fill(byte),
            Some(pages) => pages.fill(offset, byte, len),
        }
        self.clear_extra(range);
    }

    /// Writes the concrete bytes of a range of another object to one that lies inside.
    pub fn copy_bytes(&mut self, offset: u64, from: &Object, from_offset: u64, len: u64) {
        match (&mut self.pages, &from.pages) {
            (Some(pages), Some(theirs)) => {
                pages.copy(offset, theirs, from_offset, len);
                self.clear_extra(offset..offset + len);
            }
            _ => self.write(offset, &from.bytes(from_offset..from_offset + len)),
        }
    }

    /// Writes the bytes of an expression to a range that lies inside.
    pub fn write_symbolic(&mut self, offset: u64, len: u64, expr: ExprId) {
        self.clear_extra(offset..offset + len);
        let extra = self.extra.get_or_insert_default();
        for byte in 0..len {
            let fragment = Fragment { expr, byte: byte as u8, of: len as u8 };
            extra.symbolic.insert(offset + byte, fragment);
        }
    }

    /// Takes over what is beside the bytes of `len` bytes of another object,
    /// after the concrete ones were written: symbolic bytes and unwritten ones. The
    /// other has no version that shows in them.
    pub fn copy_extra(&mut self, offset: u64, from: &Object, from_offset: u64, len: u64) {
        let Some(source) = &from.extra else { return };
        for (at, fragment) in from.fragments(from_offset..from_offset + len) {
            let extra = self.extra.get_or_insert_default();
            extra.symbolic.insert(at - from_offset + offset, fragment);
        }
        if let Some(theirs) = &source.written
            && let Some(ours) = self.extra.as_mut().and_then(|e| e.written.as_mut())
        {
            let unwritten = (0..len).filter(|i| !theirs.get(from_offset + i));
            unwritten.for_each(|i| ours.set(offset + i, false));
        }
    }

    /// Keeps its terms alive in a collection.
    pub fn mark(&self, roots: &mut Roots) {
        let Some(extra) = &self.extra else { return };
        extra.symbolic.values().for_each(|fragment| roots.keep(fragment.expr));
        extra.layer.iter().for_each(|layer| roots.keep_version(layer.version));
        extra.size.iter().for_each(|&size| roots.keep(size));
    }

    /// The version that was made of its contents, unless they changed since or the
    /// pool collected.
    pub fn snapshot(&self, generation: u32) -> Option<VersionId> {
        self.snapshot.get().filter(|&(then, _)| then == generation).map(|(_, version)| version)
    }

    /// Remembers the version that was made of its contents.
    pub fn set_snapshot(&self, generation: u32, version: VersionId) {
        self.snapshot.set(Some((generation, version)));
    }

    fn clear_extra(&mut self, range: Range<u64>) {
        self.snapshot.set(None);
        let Some(extra) = &mut self.extra else { return };
        if !extra.symbolic.is_empty() {
            let gone: Vec<u64> = extra.symbolic.range(range.clone()).map(|(&at, _)| at).collect();
            for at in gone {
                extra.symbolic.remove(&at);
            }
        }
        if let Some(layer) = &mut extra.layer {
            layer.shows.set_all(range.clone(), false);
        }
        if let Some(written) = &mut extra.written {
            written.set_all(range, true);
        } else if extra.symbolic.is_empty() && extra.layer.is_none() && extra.size.is_none() {
            self.extra = None;
        }
    }
}
