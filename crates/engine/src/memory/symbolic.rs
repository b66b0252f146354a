//! Symbolic access: reads and writes of terms, at known and at symbolic offsets. The caller
//! checks bounds.

use std::collections::BTreeMap;
use std::ops::Range;
use std::rc::Rc;

use byway_base::ExprId;
use byway_expr::{Chunk, INDEX_BITS, Pool, VersionId};

use super::address::number_of;
use super::object::{SMALL, VersionedContents};
use super::{Byte, Memory, Object};
use crate::undefined::object_name;

/// One byte of an object as a term.
pub fn byte_term(pool: &mut Pool, object: &Object, at: u64) -> ExprId {
    match object.byte(at) {
        Byte::Concrete(byte) => pool.constant(8, u128::from(byte)),
        Byte::Fragment(fragment) => {
            // The expression may be narrower than the bytes it was stored to: zero-extend.
            let whole = pool.resize(fragment.expr, u32::from(fragment.of) * 8);
            pool.extract(whole, u32::from(fragment.byte) * 8, 8)
        }
        Byte::Version(version) => {
            let index = pool.constant(INDEX_BITS, u128::from(at));
            let value = pool.read(version.value, index);
            match version.defined {
                Some(masks) => {
                    let defined = pool.read(masks, index);
                    partly_undefined(pool, object, at, value, defined)
                }
                None => value,
            }
        }
        Byte::Unwritten => undefined_byte(pool, object, at),
    }
}

/// An unwritten byte.
fn undefined_byte(pool: &mut Pool, object: &Object, at: u64) -> ExprId {
    let size = u32::try_from(object.size()).unwrap_or(u32::MAX).max(1);
    let input = pool.undefined(&object_name(number_of(object.base)), size);
    pool.input_byte(input, (at % u64::from(size)) as u32)
}

/// A term of whole bytes whose bits outside the mask `defined` are undefined.
fn partly_undefined(
    pool: &mut Pool,
    object: &Object,
    at: u64,
    value: ExprId,
    defined: ExprId,
) -> ExprId {
    if pool.ones_like(value) == defined {
        return value;
    }
    let mask = pool.not(defined);
    let mut undefined = undefined_byte(pool, object, at);
    for i in 1..u64::from(pool.width(value) / 8) {
        let next = undefined_byte(pool, object, at + i);
        undefined = pool.concat(next, undefined);
    }
    let undefined = pool.and(undefined, mask);
    pool.or(value, undefined)
}

/// A term without undefined bytes: zero takes their place.
fn defined_part(pool: &mut Pool, term: ExprId) -> ExprId {
    match pool.undefined_byte(term) {
        Some(_) => pool.definedness(term).value,
        None => term,
    }
}

/// `len` bytes of an object at a known offset, as a term.
pub fn read(pool: &mut Pool, object: &Object, offset: u64, len: u64) -> ExprId {
    if let Byte::Fragment(first) = object.byte(offset)
        && first.byte == 0
        && u64::from(first.of) == len
        && (1..len).all(|i| {
            let byte = super::Fragment { byte: i as u8, ..first };
            object.byte(offset + i) == Byte::Fragment(byte)
        })
    {
        return pool.resize(first.expr, len as u32 * 8);
    }
    let mut term = byte_term(pool, object, offset);
    for i in 1..len {
        let next = byte_term(pool, object, offset + i);
        term = pool.concat(next, term);
    }
    term
}

/// The contents of an object as versions.
pub fn contents(pool: &mut Pool, object: &Object) -> VersionedContents {
    if let Some(known) = object.snapshot(pool.generation()) {
        return known;
    }
    let contents = VersionedContents {
        value: value_version(pool, object),
        defined: defined_version(pool, object),
    };
    object.set_snapshot(pool.generation(), contents);
    contents
}

/// The version that equals an object's contents, with zero in undefined bits.
fn value_version(pool: &mut Pool, object: &Object) -> VersionId {
    match object.version() {
        Some(below) => object.overwritten().fold(below.value, |version, at| {
            let value = byte_term(pool, object, at);
            let value = defined_part(pool, value);
            let index = pool.constant(INDEX_BITS, u128::from(at));
            pool.write(version, index, value)
        }),
        None => {
            let offsets: Vec<u64> = object.fragments(0..object.size()).map(|(at, _)| at).collect();
            let mut terms = Vec::with_capacity(offsets.len());
            for at in offsets {
                let term = byte_term(pool, object, at);
                terms.push((at, defined_part(pool, term)));
            }
            pool.base_of_chunks(object.size(), object.chunks(), terms)
        }
    }
}

/// The masks of the defined bits of an object's contents; `None` if all are.
fn defined_version(pool: &mut Pool, object: &Object) -> Option<VersionId> {
    let all = 0..object.size();
    let unwritten = object.unwritten_ranges(all.clone());
    let mut masks = BTreeMap::new();
    for (at, _) in object.fragments(all) {
        let term = byte_term(pool, object, at);
        if pool.undefined_byte(term).is_some() {
            let undefined = pool.definedness(term).undefined;
            masks.insert(at, pool.not(undefined));
        }
    }
    let version = object.version();
    let below = version.and_then(|version| version.defined);
    if unwritten.is_empty() && masks.is_empty() && below.is_none() {
        return None;
    }
    if version.is_none() {
        let chunks = defined_chunks(object.size(), unwritten);
        return Some(pool.base_of_chunks(object.size(), chunks, masks));
    }
    let below = below.unwrap_or_else(|| all_defined(pool, object.size()));
    let (none, full) = (pool.constant(8, 0), pool.constant(8, 0xff));
    Some(object.overwritten().fold(below, |version, at| {
        let mask = match object.byte(at) {
            Byte::Unwritten => none,
            _ => masks.get(&at).copied().unwrap_or(full),
        };
        let index = pool.constant(INDEX_BITS, u128::from(at));
        pool.write(version, index, mask)
    }))
}

/// The masks of an object without undefined bits.
fn all_defined(pool: &mut Pool, size: u64) -> VersionId {
    pool.base_of_chunks(size, defined_chunks(size, Vec::new()), [])
}

/// Ones for all bytes of an object outside the gaps, in chunks that share their memory.
fn defined_chunks(size: u64, gaps: Vec<Range<u64>>) -> Vec<Chunk> {
    let whole: Rc<Box<[u8]>> = Rc::new(vec![0xff; SMALL as usize].into());
    let mut chunks = Vec::new();
    let mut start = 0;
    for gap in gaps.into_iter().chain(std::iter::once(size..size)) {
        for at in (start..gap.start).step_by(SMALL as usize) {
            let bytes = match (gap.start - at).min(SMALL) {
                SMALL => whole.clone(),
                len => Rc::new(vec![0xff; len as usize].into()),
            };
            chunks.push(Chunk::new(at, bytes));
        }
        start = gap.end;
    }
    chunks
}

/// `len` bytes of an object at a symbolic offset, as a term. They lie in the window, if there is
/// one.
pub fn read_at(
    pool: &mut Pool,
    object: &Object,
    offset: ExprId,
    len: u64,
    window: Option<(u64, u64)>,
) -> ExprId {
    let contents = contents(pool, object);
    let word = |pool: &mut Pool, version: VersionId| {
        let version = window.map_or(version, |window| pool.window(version, window));
        pool.read_word(version, offset, len as u32)
    };
    let value = word(pool, contents.value);
    match contents.defined {
        Some(masks) => {
            let defined = word(pool, masks);
            partly_undefined(pool, object, 0, value, defined)
        }
        None => value,
    }
}

impl Memory {
    /// Writes a value at a symbolic offset of the object at `base`.
    pub fn write_at(&mut self, pool: &mut Pool, base: u64, offset: ExprId, value: ExprId) {
        let Some(object) = self.live_mut(base) else { return };
        let mut contents = contents(pool, object);
        let (mut value, mut defined) = (value, pool.ones_like(value));
        if pool.undefined_byte(value).is_some() {
            let of = pool.definedness(value);
            (value, defined) = (of.value, pool.not(of.undefined));
            contents.defined.get_or_insert_with(|| all_defined(pool, object.size()));
        }
        contents.value = pool.write_word(contents.value, offset, value);
        contents.defined = contents.defined.map(|masks| pool.write_word(masks, offset, defined));
        object.set_version(contents);
    }

    /// Writes a value of `len` bytes, at most 16, at a known offset of the object at
    /// `base`.
    pub fn write_term(&mut self, pool: &mut Pool, base: u64, offset: u64, len: u64, value: ExprId) {
        let Some(object) = self.live_mut(base) else { return };
        if let Some(bits) = pool.value(value) {
            object.write(offset, &bits.to_le_bytes()[..len as usize]);
            return;
        }
        // In pieces of eight bytes, which a load of a register's width finds whole.
        for at in (0..len).step_by(8) {
            let bytes = (len - at).min(8);
            let piece = pool.extract(value, at as u32 * 8, bytes as u32 * 8);
            match pool.value(piece) {
                Some(bits) => {
                    object.write(offset + at, &bits.to_le_bytes()[..bytes as usize]);
                }
                None => object.write_symbolic(offset + at, bytes, piece),
            }
        }
    }
}
