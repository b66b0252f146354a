//! An object: concrete bytes, with a sparse overlay of symbolic ones.

use std::collections::BTreeMap;
use std::ops::Range;
use std::rc::Rc;

use byway_base::ExprId;
use byway_ir::LocId;

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
    written: Option<Vec<u64>>,
}

/// A memory object.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Object {
    /// The address of its first byte.
    pub base: u64,
    /// What it is.
    pub kind: ObjectKind,
    /// Where it was made in the user's source.
    pub made_at: Option<LocId>,
    /// Whether writing is a fault.
    pub constant: bool,
    bytes: Vec<u8>,
    extra: Option<Box<Extra>>,
}

impl Object {
    /// A zeroed object. With `track`, its bytes count as never written.
    pub fn new(
        base: u64,
        size: u64,
        kind: ObjectKind,
        made_at: Option<LocId>,
        track: bool,
    ) -> Object {
        let extra = track.then(|| {
            let written = Some(vec![0; (size as usize).div_ceil(64)]);
            Box::new(Extra { symbolic: BTreeMap::new(), written })
        });
        Object { base, kind, made_at, constant: false, bytes: vec![0; size as usize], extra }
    }

    /// Its size in bytes.
    #[inline(always)]
    pub fn size(&self) -> u64 {
        self.bytes.len() as u64
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
    pub fn bytes(&self, range: Range<u64>) -> &[u8] {
        &self.bytes[range.start as usize..range.end as usize]
    }

    /// The first byte of a range that was never written, if that is tracked.
    pub fn first_unwritten(&self, mut range: Range<u64>) -> Option<u64> {
        let written = self.extra.as_ref()?.written.as_ref()?;
        range.find(|&at| written[at as usize / 64] >> (at % 64) & 1 == 0)
    }

    /// The symbolic bytes of a range.
    pub fn fragments(&self, range: Range<u64>) -> impl Iterator<Item = (u64, Fragment)> + '_ {
        let symbolic = self.extra.as_ref().map(|e| &e.symbolic);
        symbolic.into_iter().flat_map(move |s| s.range(range.clone()).map(|(&at, &f)| (at, f)))
    }

    /// Writes concrete bytes to a range that lies inside.
    pub fn write(&mut self, offset: u64, bytes: &[u8]) {
        let range = offset..offset + bytes.len() as u64;
        self.bytes[range.start as usize..range.end as usize].copy_from_slice(bytes);
        self.clear_extra(range);
    }

    /// Writes the bytes of an expression to a range that lies inside.
    pub fn write_symbolic(&mut self, offset: u64, len: u64, expr: ExprId) {
        self.clear_extra(offset..offset + len);
        let extra = self.extra.get_or_insert_default();
        for byte in 0..len {
            extra
                .symbolic
                .insert(offset + byte, Fragment { expr, byte: byte as u8, of: len as u8 });
        }
    }

    /// Takes over what is beside the bytes of `len` bytes of another object,
    /// after the concrete ones were written: symbolic bytes and unwritten ones.
    pub fn copy_extra(&mut self, offset: u64, from: &Object, from_offset: u64, len: u64) {
        let Some(source) = &from.extra else { return };
        for (at, fragment) in from.fragments(from_offset..from_offset + len) {
            let extra = self.extra.get_or_insert_default();
            extra.symbolic.insert(at - from_offset + offset, fragment);
        }
        if let Some(theirs) = &source.written
            && let Some(ours) = self.extra.as_mut().and_then(|e| e.written.as_mut())
        {
            for i in 0..len {
                let at = from_offset + i;
                if theirs[at as usize / 64] >> (at % 64) & 1 == 0 {
                    let to = offset + i;
                    ours[to as usize / 64] &= !(1 << (to % 64));
                }
            }
        }
    }

    fn clear_extra(&mut self, range: Range<u64>) {
        let Some(extra) = &mut self.extra else { return };
        if !extra.symbolic.is_empty() {
            let gone: Vec<u64> = extra.symbolic.range(range.clone()).map(|(&at, _)| at).collect();
            for at in gone {
                extra.symbolic.remove(&at);
            }
        }
        match &mut extra.written {
            Some(written) => range.for_each(|at| written[at as usize / 64] |= 1 << (at % 64)),
            None if extra.symbolic.is_empty() => self.extra = None,
            None => {}
        }
    }
}
