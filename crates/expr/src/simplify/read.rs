//! Memory reads; see [`crate::memory`] for versions.

use byway_base::ExprId;

use crate::memory::{INDEX_BITS, MemoryVersion, VersionId};
use crate::node::Node;
use crate::op::Op;
use crate::pool::Pool;

rules! { READ, k;
    "read-of-write" => read_of_write,
        yes: k.read(k.write(k.base(), k.index()), k.index()),
        no: k.read(k.write(k.base(), k.index()), k.at(1));
    "read-past-write" => read_past_write,
        yes: k.read(k.write(k.base(), k.at(k.number(0) % 4)), k.at(k.number(1) % 4)),
        no: k.read(k.write(k.base(), k.at(1)), k.index());
    "read-of-base" => read_of_base,
        yes: k.read(k.base(), k.at(k.number(1) % 6)),
        no: k.read(k.base(), k.index());
    "read-of-uniform" => read_of_uniform,
        yes: k.read(k.uniform(), k.index()),
        no: k.read(k.base(), k.index());
}

fn version(n: Node) -> VersionId {
    VersionId::from_word(n.extra())
}

/// match:  a read at the offset of the newest write
/// result: the written byte
fn read_of_write(p: &mut Pool, n: Node) -> Option<ExprId> {
    match p.versions.get(version(n)) {
        MemoryVersion::Write { index, value, .. } if *index == n.a() => Some(*value),
        _ => None,
    }
}

/// Whether two offsets are known to differ: in a known bit, or in the constants added to the
/// same term.
fn known_to_differ(p: &Pool, a: ExprId, b: ExprId) -> bool {
    if p.known(a).contradicts(p.known(b)) {
        return true;
    }
    let split = |e| match p.node(e) {
        node if node.op == Op::Add && p.is_constant(node.a()) => (node.b(), Some(node.a())),
        _ => (e, None),
    };
    let ((x, c), (y, d)) = (split(a), split(b));
    x == y && c != d
}

/// match:  a read above writes at offsets known to differ
/// result: the read of the older version
fn read_past_write(p: &mut Pool, n: Node) -> Option<ExprId> {
    let (start, index) = (version(n), n.a());
    let mut at = start;
    while let MemoryVersion::Write { index: written, previous, .. } = p.versions.get(at) {
        if !known_to_differ(p, *written, index) {
            break;
        }
        at = *previous;
    }
    (at != start).then(|| p.read(at, index))
}

/// match:  a read at a constant offset, without writes above the base
/// result: the byte of the base
fn read_of_base(p: &mut Pool, n: Node) -> Option<ExprId> {
    let MemoryVersion::Base(base) = p.versions.get(version(n)) else { return None };
    let offset = p.value(n.a())? as u64;
    match base.symbolic_at(offset) {
        Some(term) => Some(term),
        None => {
            let byte = base.concrete_at(offset);
            Some(p.constant(8, u128::from(byte)))
        }
    }
}

/// match:  a read inside a base whose bytes are all the same constant
/// result: that constant
fn read_of_uniform(p: &mut Pool, n: Node) -> Option<ExprId> {
    let MemoryVersion::Base(base) = p.versions.get(version(n)) else { return None };
    let byte = base.uniform()?;
    // Bytes out of bounds are zero.
    let inside = byte == 0 || p.known(n.a()).highest(INDEX_BITS) < base.size();
    inside.then(|| p.constant(8, u128::from(byte)))
}
