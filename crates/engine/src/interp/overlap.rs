//! Copies between ranges that overlap: `memcpy` and the string functions require that they
//! do not. As in AddressSanitizer, a `memcpy` to its own source is accepted, since compilers
//! emit it for the assignment of a structure to itself.

use byway_base::{ExprId, FaultKind};
use byway_expr::INDEX_BITS;
use byway_search::Decision;

use super::access::SymbolicMemory;
use super::symbolic::{Oracle, term_of};
use crate::memory::Memory;
use crate::stop::{ExecResult, Stop, fault};
use crate::value::Value;

/// Whether the two ranges may start at the same address.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum EqualStarts {
    Allowed,
    Overlap,
}

/// Checks that two ranges, each an address and a length, do not overlap. Ranges in different
/// objects never do; one that leaves its object is reported as such.
pub fn check(memory: &Memory, to: (u64, u64), from: (u64, u64)) -> ExecResult<()> {
    let overlap = to.0.wrapping_sub(from.0) < from.1 || from.0.wrapping_sub(to.0) < to.1;
    if overlap && same_object(memory, to.0, from.0) {
        return Err(overlap_fault(to, from));
    }
    Ok(())
}

/// Whether two addresses are in the same live object.
pub fn same_object(memory: &Memory, one: u64, other: u64) -> bool {
    let base = |address| memory.live(address).map(|object| object.base);
    base(one).is_some_and(|it| base(other) == Some(it))
}

#[cold]
fn overlap_fault(to: (u64, u64), from: (u64, u64)) -> Box<Stop> {
    let distance = to.0.abs_diff(from.0);
    let place = match to.0.cmp(&from.0) {
        std::cmp::Ordering::Equal => "the bytes copied".to_string(),
        std::cmp::Ordering::Greater => format!("bytes that start {distance} after them"),
        std::cmp::Ordering::Less => format!("bytes that start {distance} before them"),
    };
    let message = format!("copy of {} bytes to {place}, which overlap", from.1);
    fault(FaultKind::Overlap, message)
}

impl SymbolicMemory<'_, '_> {
    /// As [`check`], on terms.
    pub fn check_overlap(
        &mut self,
        to: (Value, Value),
        from: (Value, Value),
        equal_starts: EqualStarts,
    ) -> ExecResult<()> {
        if !self.may_be_same_object(to.0, from.0) {
            return Ok(());
        }
        let [(to, to_len), (from, from_len)] =
            [to, from].map(|(at, len)| (self.index(at), self.index(len)));
        let (ahead, behind) = (self.pool.sub(to, from), self.pool.sub(from, to));
        let (inside, around) = (self.pool.ult(ahead, from_len), self.pool.ult(behind, to_len));
        let mut overlap = self.pool.or(inside, around);
        if equal_starts == EqualStarts::Allowed {
            let zero = self.pool.zero_like(ahead);
            let equal = self.pool.eq(ahead, zero);
            let different = self.pool.not(equal);
            overlap = self.pool.and(overlap, different);
        }
        if !self.resolver.holds(self.pool, overlap, Decision::Check)? {
            return Ok(());
        }
        let mut value = |term| self.resolver.witnessed(self.pool, term) as u64;
        Err(overlap_fault((value(to), value(to_len)), (value(from), value(from_len))))
    }

    fn index(&mut self, value: Value) -> ExprId {
        let term = term_of(self.pool, value, INDEX_BITS);
        self.pool.resize(term, INDEX_BITS)
    }

    /// Whether two addresses may be in the same live object: false if they are derived from
    /// different ones.
    pub fn may_be_same_object(&self, one: Value, other: Value) -> bool {
        let base = |value: Value| match value.expr {
            Some(term) => self.base_of(term),
            None => Some(self.memory.live(value.bits).map_or(0, |object| object.base)),
        };
        match (base(one), base(other)) {
            (Some(one), Some(other)) => one == other && one != 0,
            (one, other) => one != Some(0) && other != Some(0),
        }
    }
}
