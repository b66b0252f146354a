//! Symbolic access to memory: resolves an address to an object, checks bounds, and reads or
//! writes the bytes.
//!
//! A sum of a concrete address in or near an object and a symbolic offset refers to that object
//! and no other; an offset out of its bounds is a fault, wherever it points. Any other symbolic
//! address refers to the objects of its values: first that of the witness, and the path forks
//! for all others, with one path for each kind of fault. A sum whose concrete part is near no object is treated likewise: in
//! `a + (i / 9 - 16384)`, the concrete part may be in the window of another object.

use byway_base::ExprId;
use byway_expr::{INDEX_BITS, Interval, Intervals, Op, Pool};
use byway_ir::LocId;
use byway_search::{Case, Decision};

use super::BYTES_PER_TERM;
use super::oracle::Resolver;
use super::relative::offset_in;
use super::symbolic::{Oracle, term_of, value_of};
use crate::memory::address::number_of;
use crate::memory::symbolic::{byte_term, read, read_at};
use crate::memory::{
    Access, AccessError, AddressUse, BYTES_PER_SYMBOLIC_BYTE, Memory, ObjectKind, RegionTarget,
    Unconstrained,
};
use crate::path_info::OTHERWISE;
use crate::reason::ConcretisationReason;
use crate::stop::{ExecResult, Stop, ValueUse};
use crate::value::Value;

/// The largest distance from an object of an address that counts as derived from it.
const NEAR: u64 = 4096;
/// Objects that an address may be resolved to before it is concretised.
const MOST_OBJECTS: usize = 4096;
/// Ranges of addresses that one condition lists for a kind of fault. With more, there is one
/// path per range.
const MOST_FAULT_REGIONS: usize = 4096;
/// The largest object whose size stays symbolic; a larger request is concretised.
const MOST_SYMBOLIC_SIZE: u64 = 1 << 20;

/// A location in an object whose access is known to be legal.
#[derive(Copy, Clone, Debug)]
pub struct ObjectLocation {
    /// The address of the object's first byte.
    base: u64,
    offset: Offset,
    /// The part of the object that contains the bytes, if a symbolic offset reads from a part.
    window: Option<(u64, u64)>,
}

#[derive(Copy, Clone, Debug)]
enum Offset {
    Known(u64),
    Term(ExprId),
}

/// The memory of a state, accessed with terms.
pub struct SymbolicMemory<'a, 'b> {
    /// The terms of all states.
    pub pool: &'a mut Pool,
    /// The state's memory.
    pub memory: &'a mut Memory,
    /// Decides conditions, or suspends the instruction.
    pub resolver: &'a mut Resolver<'b>,
}

impl SymbolicMemory<'_, '_> {
    fn word(&mut self, value: u64) -> ExprId {
        self.pool.constant(INDEX_BITS, u128::from(value))
    }

    pub(super) fn witnessed(&mut self, term: ExprId) -> u64 {
        self.resolver.witnessed(self.pool, term) as u64
    }

    /// Resolves `len` bytes at an address.
    pub fn resolve(
        &mut self,
        address: Value,
        len: u64,
        access: Access,
    ) -> ExecResult<ObjectLocation> {
        let Some(term) = address.expr else {
            let (object, offset) = self.memory.resolve(address.bits, len, access)?;
            let base = object.base;
            if object.symbolic_size().is_some() {
                let offset = self.word(offset);
                return self.inside(base, offset, len, access);
            }
            return Ok(ObjectLocation { base, offset: Offset::Known(offset), window: None });
        };
        let term = self.resolver.defined(self.pool, term, ValueUse::Address)?;
        let term = self.pool.resize(term, INDEX_BITS);
        // The object it is derived from counts, even if its value is known on this path.
        let base = match self.base_of(term) {
            Some(base) => Some(base),
            None => self.input_base(term, len, access)?,
        };
        let term = self.resolver.narrowed(self.pool, term);
        let (base, is_derived) = match base {
            Some(base) => (base, true),
            None => (self.object_of(term, len, access)?, false),
        };
        let start = self.word(base);
        let mut offset = self.pool.sub(term, start);
        let object = self.memory.live(base).expect("the object was found a moment ago");
        if !is_derived && self.resolver.evaluator.keeps_terms() {
            offset = offset_in(self.pool, term, base, object.size()).unwrap_or(offset);
        }
        if object.unconstrained == Unconstrained::Unmade {
            return Err(Box::new(Stop::Unmade(base)));
        }
        match is_derived || object.symbolic_size().is_some() {
            true => self.inside(base, offset, len, access),
            false => self.legal(base, offset, len, access),
        }
    }

    /// The base of the object that an address is syntactically derived from.
    pub(super) fn base_of(&self, term: ExprId) -> Option<u64> {
        let node = self.pool.node(term);
        if node.op() != Op::Add {
            return None;
        }
        let place = node.operands().find_map(|e| self.pool.value(e))? as u64;
        let object = self.memory.live(place)?;
        let from_before = place.wrapping_sub(object.base).wrapping_add(NEAR);
        (from_before <= object.size() + 2 * NEAR).then_some(object.base)
    }

    /// The base of the object that a pointer of unconstrained input refers to on this path, if an
    /// address is derived from one: the path forks by the pointer's values.
    fn input_base(&mut self, term: ExprId, len: u64, access: Access) -> ExecResult<Option<u64>> {
        if self.resolver.path.unconstrained.is_empty() {
            return Ok(None);
        }
        let Some(pointer) = self.input_pointer(term) else { return Ok(None) };
        let at = self.resolver.each(self.pool, pointer, Decision::Object)? as u64;
        match self.memory.live(at) {
            Some(object) => Ok(Some(object.base)),
            None => Err(self.memory.access_error(at, len, access).into()),
        }
    }

    /// The summand of an address that is one of the addresses of a pointer of unconstrained input,
    /// plus a constant.
    fn input_pointer(&self, term: ExprId) -> Option<ExprId> {
        let mut summands = vec![term];
        while let Some(term) = summands.pop() {
            match self.pool.op(term) {
                Op::Add => summands.extend(self.pool.node(term).operands()),
                Op::Ite if self.refers_to_input(term) => return Some(term),
                _ => {}
            }
        }
        None
    }

    /// Whether a term is a selection among addresses, one of which is in an object of
    /// unconstrained input.
    fn refers_to_input(&self, term: ExprId) -> bool {
        let (mut rest, mut found) = (vec![term], false);
        while let Some(term) = rest.pop() {
            if let Some(address) = self.pool.value(term) {
                let object = self.memory.live(address as u64);
                found |= object.is_some_and(|it| it.unconstrained != Unconstrained::No);
            } else if self.pool.op(term) == Op::Ite {
                rest.extend(self.pool.node(term).operands().skip(1));
            } else {
                return false;
            }
        }
        found
    }

    /// The base of the object that an address refers to on this path.
    fn object_of(&mut self, term: ExprId, len: u64, access: Access) -> ExecResult<u64> {
        match self.target(term, AddressUse::Access { len, access })? {
            (RegionTarget::Object(base), _) => Ok(base),
            (_, at) => Err(self.memory.access_error(at, len, access).into()),
        }
    }

    /// The outcome of using an address on this path, and its witnessed value: one path per
    /// object, and one for each kind of fault.
    fn target(&mut self, term: ExprId, usage: AddressUse) -> ExecResult<(RegionTarget, u64)> {
        if self.resolver.path.answers.len() >= MOST_OBJECTS {
            self.resolver.fix(self.pool, term, ConcretisationReason::Address)?;
            self.resolver.path.unrepeatable = true;
        }
        let at = self.witnessed(term);
        let region = self.memory.region(at, usage);
        let (case, here) = match region.target {
            RegionTarget::Fault(kind) => {
                let Interval { lo, hi } = self.interval(term);
                let reach = (lo as u64, hi as u64);
                let all = self.memory.fault_regions(kind, usage, reach, MOST_FAULT_REGIONS);
                let all = all.unwrap_or_else(|| vec![(region.first, region.last)]);
                let mut here = self.pool.boolean(false);
                for (first, last) in all {
                    let within = self.within(term, first, last);
                    here = self.pool.or(here, within);
                }
                // No object has such a number.
                (Case(OTHERWISE.0 - 1 - kind as u64), here)
            }
            _ => (Case(number_of(region.first)), self.within(term, region.first, region.last)),
        };
        self.resolver.choose_value(self.pool, term, here, Decision::Object, case)?;
        self.resolver.evaluator.decided.push(case);
        Ok((region.target, at))
    }

    /// The condition that a term lies between two values, both included.
    pub(super) fn within(&mut self, term: ExprId, first: u64, last: u64) -> ExprId {
        // Two comparisons with constants are a smaller circuit than a subtraction.
        let (first, last) = (self.word(first), self.word(last));
        let (not_before, not_after) = (self.pool.ule(first, term), self.pool.ule(term, last));
        self.pool.and(not_before, not_after)
    }

    /// The address of the heap object that `free` or `realloc` is called with, or null: one path
    /// for each, and one for each kind of fault.
    pub fn heap_address(&mut self, address: Value) -> ExecResult<u64> {
        let Some(term) = address.expr else { return Ok(address.bits) };
        let term = self.pool.resize(term, INDEX_BITS);
        let Some(base) = self.base_of(term) else {
            let term = self.resolver.narrowed(self.pool, term);
            return match self.target(term, AddressUse::Free)? {
                (RegionTarget::Fault(_), at) => Err(self.memory.free_error(at).into()),
                (_, at) => Ok(at),
            };
        };
        let start = self.word(base);
        let is_start = self.pool.eq(term, start);
        if self.resolver.holds(self.pool, is_start, Decision::Check)? {
            return Ok(base);
        }
        let at = self.witnessed(term);
        Err(self.memory.free_error(at).into())
    }

    /// The base of the object that an address points into or just past.
    pub fn object_at(&mut self, address: Value) -> ExecResult<u64> {
        match address.expr {
            Some(_) => Ok(self.resolve(address, 0, Access::Copy)?.base),
            None => Ok(address.bits),
        }
    }

    /// Checks that `len` bytes at an offset are in bounds of an object and may be accessed.
    fn inside(
        &mut self,
        base: u64,
        offset: ExprId,
        len: u64,
        access: Access,
    ) -> ExecResult<ObjectLocation> {
        let room = self.room(base);
        let len_term = self.word(len);
        let fits = self.pool.ule(len_term, room);
        let last = self.pool.sub(room, len_term);
        let before = self.pool.ule(offset, last);
        let legal = self.pool.and(fits, before);
        if !self.resolver.holds(self.pool, legal, Decision::Check)? {
            let (at, size) = (self.witnessed(offset), self.witnessed(room));
            let object = self.memory.live(base).expect("it still is");
            return Err(self.memory.access_error_in(object, size, at, len, access).into());
        }
        self.legal(base, offset, len, access)
    }

    /// The location of `len` bytes in bounds of an object, if they may be accessed.
    fn legal(
        &mut self,
        base: u64,
        offset: ExprId,
        len: u64,
        access: Access,
    ) -> ExecResult<ObjectLocation> {
        let offset = match self.pool.value(offset) {
            Some(at) => Offset::Known(at as u64),
            None => Offset::Term(offset),
        };
        let object = self.memory.live(base).expect("it still is");
        if access == Access::Write && object.constant {
            let at = match offset {
                Offset::Known(at) => at,
                Offset::Term(term) => self.witnessed(term),
            };
            let object = self.memory.live(base).expect("it still is");
            let size = object.size();
            return Err(self.memory.access_error_in(object, size, at, len, access).into());
        }
        let window = match (access, offset) {
            (Access::Read | Access::Copy, Offset::Term(offset)) if len > 0 => {
                self.window(base, offset, len)?
            }
            _ => None,
        };
        Ok(ObjectLocation { base, offset, window })
    }

    /// The interval of a term under the path condition.
    pub(super) fn interval(&mut self, term: ExprId) -> Interval {
        let mut intervals = Intervals::new(self.pool);
        for conjunct in self.resolver.path.condition.related(self.pool, term) {
            intervals.assume(self.pool, conjunct);
        }
        intervals.of(self.pool, term)
    }

    /// The bytes at a location as a term.
    pub fn read(&mut self, location: ObjectLocation, len: u64) -> ExprId {
        let object = self.memory.live(location.base).expect("a location is in a living object");
        match location.offset {
            Offset::Known(at) => read(self.pool, object, at, len),
            Offset::Term(offset) => read_at(self.pool, object, offset, len, location.window),
        }
    }

    /// Writes the bytes at a location.
    pub fn write(&mut self, location: ObjectLocation, len: u64, value: ExprId) {
        match location.offset {
            Offset::Known(at) => self.memory.write_term(self.pool, location.base, at, len, value),
            Offset::Term(offset) => self.memory.write_at(self.pool, location.base, offset, value),
        }
    }

    /// The location `bytes` further.
    fn beyond(&mut self, location: ObjectLocation, bytes: u64) -> ObjectLocation {
        let offset = match location.offset {
            Offset::Known(at) => Offset::Known(at + bytes),
            Offset::Term(offset) => {
                let bytes = self.word(bytes);
                Offset::Term(self.pool.add(offset, bytes))
            }
        };
        ObjectLocation { offset, ..location }
    }

    /// Reads `len` bytes, at most 16.
    pub fn load(&mut self, address: Value, len: u64) -> ExecResult<ExprId> {
        let location = self.resolve(address, len, Access::Read)?;
        if let Offset::Term(_) = location.offset {
            self.need_room_for_version(location.base)?;
        }
        Ok(self.read(location, len))
    }

    /// Writes `len` bytes, at most 16.
    pub fn store(&mut self, address: Value, len: u64, value: ExprId) -> ExecResult<()> {
        let location = self.resolve(address, len, Access::Write)?;
        self.memory.need_room_to_write(location.base, len)?;
        if let Offset::Term(_) = location.offset {
            self.need_room_for_version(location.base)?;
        }
        self.write(location, len, value);
        Ok(())
    }

    /// Asks for room for the version of an object that an access at a symbolic offset makes.
    pub(super) fn need_room_for_version(&self, base: u64) -> ExecResult<()> {
        if let Some(object) = self.memory.live(base)
            && object.snapshot(self.pool.generation()).is_none()
        {
            self.memory.account().need_room(object.own_bytes())?;
        }
        Ok(())
    }

    /// Copies bytes as `memmove` does.
    pub fn copy(&mut self, dst: Value, src: Value, len: Value) -> ExecResult<()> {
        let len = self.length(len, &[(src, Access::Copy), (dst, Access::Write)])?;
        if len == 0 {
            return Ok(());
        }
        let from = self.resolve(src, len, Access::Copy)?;
        let to = self.resolve(dst, len, Access::Write)?;
        let symbolic = match from.offset {
            Offset::Known(_) => self.memory.live(from.base).map_or(0, |o| o.overlay_bytes()),
            Offset::Term(_) => len.saturating_mul(BYTES_PER_TERM),
        };
        self.memory.need_room_to_write(to.base, len.saturating_add(symbolic))?;
        self.copy_locations(to, from, len);
        Ok(())
    }

    /// Copies bytes from the start of one object to the start of another, regardless of their
    /// symbolic sizes.
    pub fn copy_objects(&mut self, to: u64, from: u64, len: u64) {
        let start = |base| ObjectLocation { base, offset: Offset::Known(0), window: None };
        self.copy_locations(start(to), start(from), len);
    }

    fn copy_locations(&mut self, to: ObjectLocation, from: ObjectLocation, len: u64) {
        let bytes: Vec<ExprId> = (0..len)
            .map(|i| match from.offset {
                Offset::Known(at) => {
                    let object = self.memory.live(from.base).expect("it was resolved");
                    byte_term(self.pool, object, at + i)
                }
                Offset::Term(_) => {
                    let location = self.beyond(from, i);
                    self.read(location, 1)
                }
            })
            .collect();
        for (i, byte) in bytes.into_iter().enumerate() {
            let location = self.beyond(to, i as u64);
            self.write(location, 1, byte);
        }
    }

    /// Sets every byte.
    pub fn fill(&mut self, dst: Value, byte: ExprId, len: Value) -> ExecResult<()> {
        let len = self.length(len, &[(dst, Access::Write)])?;
        if len == 0 {
            return Ok(());
        }
        let to = self.resolve(dst, len, Access::Write)?;
        self.memory.need_room_to_write(to.base, len.saturating_mul(BYTES_PER_SYMBOLIC_BYTE))?;
        for i in 0..len {
            let location = self.beyond(to, i);
            self.write(location, 1, byte);
        }
        Ok(())
    }

    /// Concretises a length: one path per value, but a single one for all values that exceed
    /// the objects.
    fn length(&mut self, len: Value, places: &[(Value, Access)]) -> ExecResult<u64> {
        let Some(term) = len.expr else { return Ok(len.bits) };
        let term = self.resolver.defined(self.pool, term, ValueUse::Size)?;
        for &(address, access) in places {
            self.fits(address, term, access)?;
        }
        let term = self.pool.resize(term, INDEX_BITS);
        Ok(self.resolver.each(self.pool, term, Decision::Size)? as u64)
    }

    /// Checks that `len` bytes at an address may be accessed.
    pub fn fits(&mut self, address: Value, len: ExprId, access: Access) -> ExecResult<()> {
        let len = self.pool.resize(len, INDEX_BITS);
        if address.expr.is_some() {
            return self.fits_in_terms(address, len, access);
        }
        let room = match self.memory.resolve(address.bits, 0, access) {
            Ok((object, offset)) => object.size() - offset,
            Err(error) if matches!(*error, AccessError::Unmade(_)) => return Err(error.into()),
            Err(_) => 0,
        };
        let room = self.word(room);
        let fits = self.pool.ule(len, room);
        if self.resolver.holds(self.pool, fits, Decision::Check)? {
            return Ok(());
        }
        let len = self.witnessed(len);
        Err(self.memory.access_error(address.bits, len, access).into())
    }

    /// As [`Self::fits`], at a symbolic address.
    fn fits_in_terms(&mut self, address: Value, len: ExprId, access: Access) -> ExecResult<()> {
        let any = self.pool.is_nonzero(len);
        if !self.resolver.holds(self.pool, any, Decision::Size)? {
            return Ok(());
        }
        let location = self.resolve(address, 1, access)?;
        let offset = match location.offset {
            Offset::Known(at) => self.word(at),
            Offset::Term(offset) => offset,
        };
        let room = self.room(location.base);
        let rest = self.pool.sub(room, offset);
        let fits = self.pool.ule(len, rest);
        if self.resolver.holds(self.pool, fits, Decision::Check)? {
            return Ok(());
        }
        let (at, len, size) = (self.witnessed(offset), self.witnessed(len), self.witnessed(room));
        let object = self.memory.live(location.base).expect("it was resolved");
        Err(self.memory.access_error_in(object, size, at, len, access).into())
    }

    /// The size that the program requested for a live object.
    fn room(&mut self, base: u64) -> ExprId {
        let object = self.memory.live(base).expect("the object was found a moment ago");
        match object.symbolic_size() {
            Some(size) => self.pool.resize(size, INDEX_BITS),
            None => self.word(object.size()),
        }
    }

    /// Allocates an object of symbolic size, with room for its largest value up to
    /// `MOST_SYMBOLIC_SIZE`; `None` if it exceeds the memory limit.
    pub fn allocate(
        &mut self,
        size: ExprId,
        align: u64,
        kind: ObjectKind,
        allocated_at: Option<LocId>,
    ) -> ExecResult<Option<u64>> {
        let size = self.pool.resize(size, INDEX_BITS);
        let most = self.word(MOST_SYMBOLIC_SIZE);
        let small = self.pool.ule(size, most);
        let answer = (Case(MOST_SYMBOLIC_SIZE), OTHERWISE);
        if !self.resolver.choose(self.pool, small, Decision::Size, answer)? {
            self.resolver.evaluator.decided.push(OTHERWISE);
            let size = self.resolver.fix(self.pool, size, ConcretisationReason::AllocationSize)?;
            return match self.has_room(size as u64, &kind)? {
                true => Ok(self.memory.allocate(size as u64, align, kind, allocated_at)),
                false => Ok(None),
            };
        }
        let most = u64::try_from(self.interval(size).hi).unwrap_or(u64::MAX);
        let most = most.min(MOST_SYMBOLIC_SIZE);
        let base = match self.has_room(most, &kind)? {
            true => self.memory.allocate(most, align, kind, allocated_at),
            false => None,
        };
        if !self.pool.is_constant(size)
            && let Some(object) = base.and_then(|base| self.memory.live_mut(base))
        {
            object.set_symbolic_size(size);
        }
        Ok(base)
    }

    /// Asks for room for an object; false if its allocation fails.
    fn has_room(&self, size: u64, kind: &ObjectKind) -> ExecResult<bool> {
        let (account, bytes) = (self.memory.account(), self.memory.allocation_bytes(size));
        match kind {
            ObjectKind::Heap | ObjectKind::Mapping => Ok(account.asks_room(bytes, size)?),
            _ => Ok(account.need_room(bytes).map(|()| true)?),
        }
    }

    /// Concretises the address of `len` bytes: one path per legal value, and one for each kind
    /// of fault.
    pub fn pointer(&mut self, address: Value, len: u64, access: Access) -> ExecResult<u64> {
        if address.expr.is_some() {
            self.resolve(address, len, access)?;
        }
        self.address(address)
    }

    /// As [`Self::pointer`], for text that ends with a zero byte; it may be null.
    pub fn text(&mut self, address: Value) -> ExecResult<u64> {
        let Some(term) = address.expr else { return Ok(address.bits) };
        let present = self.pool.is_nonzero(term);
        match self.resolver.holds(self.pool, present, Decision::Object)? {
            true => self.pointer(address, 1, Access::Copy),
            false => Ok(0),
        }
    }

    /// Concretises an address: one path per value.
    pub fn address(&mut self, address: Value) -> ExecResult<u64> {
        match address.expr {
            Some(term) => {
                let term = self.resolver.defined(self.pool, term, ValueUse::Address)?;
                Ok(self.resolver.each(self.pool, term, Decision::Object)? as u64)
            }
            None => Ok(address.bits),
        }
    }

    /// Adds a constant offset to an address.
    pub fn add(&mut self, address: Value, offset: i32) -> Value {
        match address.expr {
            None => Value::word(address.bits.wrapping_add_signed(i64::from(offset))),
            Some(_) => {
                let base = term_of(self.pool, address, INDEX_BITS);
                let offset = self.word(i64::from(offset) as u64);
                let sum = self.pool.add(base, offset);
                value_of(self.pool, sum)
            }
        }
    }
}
