//! Symbolic access: reads and writes of terms, at known and at symbolic offsets. The caller
//! checks bounds.

use byway_base::ExprId;
use byway_expr::{INDEX_BITS, Pool, VersionId};

use super::{Byte, Memory, Object};

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
            pool.read(version, index)
        }
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

/// The version that equals an object's contents.
pub fn version(pool: &mut Pool, object: &Object) -> VersionId {
    if let Some(known) = object.snapshot(pool.generation()) {
        return known;
    }
    let version = match object.version() {
        Some(below) => object.overwritten().fold(below, |version, at| {
            let value = byte_term(pool, object, at);
            let index = pool.constant(INDEX_BITS, u128::from(at));
            pool.write(version, index, value)
        }),
        None => {
            let offsets: Vec<u64> = object.fragments(0..object.size()).map(|(at, _)| at).collect();
            let terms: Vec<_> =
                offsets.into_iter().map(|at| (at, byte_term(pool, object, at))).collect();
            pool.base_of_chunks(object.size(), object.chunks(), terms)
        }
    };
    object.set_snapshot(pool.generation(), version);
    version
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
    let mut version = version(pool, object);
    if let Some(window) = window {
        version = pool.window(version, window);
    }
    pool.read_word(version, offset, len as u32)
}

/// The condition that all of `len` bytes at a symbolic offset are initialised; `None` if that
/// is not tracked or always true.
pub fn written_at(pool: &mut Pool, object: &Object, offset: ExprId, len: u64) -> Option<ExprId> {
    object.first_unwritten(0..object.size())?;
    let mut shadow = vec![1u8; object.size() as usize];
    for (at, flag) in shadow.iter_mut().enumerate() {
        *flag = u8::from(object.first_unwritten(at as u64..at as u64 + 1).is_none());
    }
    let version = pool.base(shadow, []);
    let flags = pool.read_word(version, offset, len as u32);
    let ones = pool.constant(len as u32 * 8, (0..len).fold(0, |ones, i| ones | 1 << (8 * i)));
    Some(pool.eq(flags, ones))
}

impl Memory {
    /// Writes a value at a symbolic offset of the object at `base`.
    pub fn write_at(&mut self, pool: &mut Pool, base: u64, offset: ExprId, value: ExprId) {
        let Some(object) = self.live_mut(base) else { return };
        let version = version(pool, object);
        let version = pool.write_word(version, offset, value);
        object.set_version(version);
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
