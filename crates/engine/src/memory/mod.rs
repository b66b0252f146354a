//! The memory of a state: numbered objects, shared copy-on-write.
//!
//! An address determines its object (see [`address`]), so a concrete access never searches.
//! The number of a freed object stays in a quarantine for a while, so that an access through
//! a dangling pointer is distinguished from one through a wild pointer.

mod access_error;
mod accounting;
pub mod address;
mod object;
mod offset_set;
mod pages;
mod persistent_array;
mod quarantine;
mod regions;
mod scopes;
pub mod symbolic;
mod unconstrained;
mod unwritten;
mod variadic;

use std::borrow::Cow;
use std::rc::Rc;

use byway_expr::Roots;
use byway_ir::LocId;
use rustc_hash::FxHashSet;

pub use access_error::{Access, AccessError, FaultNote, RoomRequest};
pub use accounting::MemoryAccount;
pub use object::{
    BYTES_PER_SYMBOLIC_BYTE, Byte, CallPath, Fragment, Object, ObjectKind, Unconstrained,
};
pub use regions::{AddressUse, RegionTarget};
pub use variadic::PassedArgument;

use crate::value::Value;
use accounting::{AccountedBytes, FREED_OBJECT_COST, OBJECT_COST};
use address::{
    FIRST_OBJECT, FUNCTION_PREFIX, NUMBERS, WINDOW, WINDOW_BITS, code_address, first_byte, is_code,
    number_of, windows,
};
use object::SMALL;
use persistent_array::PersistentArray;
pub(crate) use persistent_array::is_new;
use quarantine::Quarantine;

/// Freed heap objects in quarantine before the oldest number is reused.
const HEAP_QUARANTINE: usize = 1 << 16;
/// Freed locals in quarantine before the oldest number is reused.
const STACK_QUARANTINE: usize = 1 << 10;

/// Bytes reserved for locals, so that a program whose heap is exhausted can still call
/// functions; an eighth of the limit if that is less.
const STACK_RESERVE: u64 = 8 << 20;

/// The largest stack: [`Memory::stack_words`] counts no more.
const MAX_STACK: u64 = u32::MAX as u64 * 8;

/// What an object number refers to.
#[derive(Clone, Default)]
enum ObjectEntry {
    #[default]
    Free,
    Live(Rc<Object>),
    /// A further window of the large object with this number.
    Part(u32),
    Freed(Rc<FreedObject>),
}

/// What messages need to know of a freed object.
struct FreedObject {
    base: u64,
    size: u64,
    kind: ObjectKind,
    allocated_at: Option<LocId>,
    freed_at: Option<LocId>,
    /// A local variable whose scope ended, and may begin again until its function returns.
    out_of_scope: bool,
    _accounted: AccountedBytes,
}

/// The memory of a state.
#[derive(Clone)]
pub struct Memory {
    table: PersistentArray<ObjectEntry>,
    next: u32,
    quarantines: Rc<Quarantines>,
    used: u64,
    /// Words of 8 bytes of frames and local objects; 32 bits keep states small.
    stack_words: u32,
    config: Rc<MemoryConfig>,
}

/// The numbers of freed objects.
#[derive(Clone, Default)]
struct Quarantines {
    heap: Quarantine,
    stack: Quarantine,
}

impl Quarantines {
    /// The quarantine for objects of this kind.
    fn of(&mut self, kind: &ObjectKind) -> &mut Quarantine {
        match kind {
            ObjectKind::Stack(_) | ObjectKind::Variadic(_) => &mut self.stack,
            _ => &mut self.heap,
        }
    }

    /// Whether the oldest number is due for reuse.
    fn is_full(&self, kind: &ObjectKind) -> bool {
        match kind {
            ObjectKind::Stack(_) | ObjectKind::Variadic(_) => self.stack.len() > STACK_QUARANTINE,
            _ => self.heap.len() > HEAP_QUARANTINE,
        }
    }
}

/// What all copies of a memory share.
#[derive(Clone)]
struct MemoryConfig {
    /// Bytes that the program may allocate.
    limit: u64,
    /// Bytes of the stack.
    stack_limit: u64,
    account: MemoryAccount,
    /// New objects of the heap and the stack are undefined until they are written.
    track_written: bool,
    /// The memory will be copied often: large objects are kept in pages.
    forks: bool,
}

impl Memory {
    /// Empty memory of at most `limit` bytes.
    pub fn new(limit: u64, track_written: bool) -> Memory {
        Memory {
            table: PersistentArray::new(),
            next: FIRST_OBJECT,
            quarantines: Rc::default(),
            used: 0,
            stack_words: 0,
            config: Rc::new(MemoryConfig {
                limit,
                stack_limit: MAX_STACK,
                account: MemoryAccount::default(),
                track_written,
                forks: false,
            }),
        }
    }

    /// Prepares for frequent copies: large objects allocated from now on are paged, so that a
    /// copy costs only the pages it changes, and access is slower.
    pub fn with_forks(mut self) -> Memory {
        Rc::make_mut(&mut self.config).forks = true;
        self
    }

    /// Limits the bytes of frames and local objects, to [`MAX_STACK`] at most.
    pub fn with_stack_limit(mut self, bytes: u64) -> Memory {
        Rc::make_mut(&mut self.config).stack_limit = bytes.min(MAX_STACK);
        self
    }

    /// Bytes that the stack can still grow by.
    pub fn stack_room(&self) -> u64 {
        self.config.stack_limit.saturating_sub(u64::from(self.stack_words) * 8)
    }

    /// Bytes of the whole stack.
    pub fn stack_limit(&self) -> u64 {
        self.config.stack_limit
    }

    /// Adds a frame, of whole words, to the stack; false if there is no room for it.
    pub fn push_frame(&mut self, bytes: u64) -> bool {
        let fits = bytes <= self.stack_room();
        self.stack_words += if fits { (bytes / 8) as u32 } else { 0 };
        fits
    }

    /// Removes a frame from the stack.
    pub fn pop_frame(&mut self, bytes: u64) {
        self.stack_words -= (bytes / 8) as u32;
    }

    /// Allocates a zeroed object and returns the address of its first byte; `None` if it
    /// exceeds the memory limit.
    pub fn allocate(
        &mut self,
        size: u64,
        align: u64,
        kind: ObjectKind,
        allocated_at: Option<LocId>,
    ) -> Option<u64> {
        let count = windows(size, align)?;
        let used = self.room_for(size, &kind)?;
        let on_stack = stack_bytes(&kind, size);
        if on_stack > self.stack_room() {
            return None;
        }
        let number = self.take_numbers(count, &kind)?;
        self.used = used;
        self.stack_words += (on_stack / 8) as u32;
        let base = first_byte(number, align);
        let track = match kind {
            ObjectKind::Heap | ObjectKind::Stack(_) | ObjectKind::Variadic(_) => {
                self.config.track_written
            }
            _ => false,
        };
        let object = Object::new(
            base,
            size,
            kind,
            allocated_at,
            track,
            self.config.forks,
            &self.config.account,
        );
        self.table.set(number, ObjectEntry::Live(Rc::new(object)));
        for part in 1..count {
            self.table.set(number + part, ObjectEntry::Part(number));
        }
        Some(base)
    }

    /// Bytes in use after allocating another object, if they stay within the limit.
    fn room_for(&self, size: u64, kind: &ObjectKind) -> Option<u64> {
        let limit = match kind {
            ObjectKind::Heap | ObjectKind::Mapping => {
                self.config.limit - STACK_RESERVE.min(self.config.limit / 8)
            }
            _ => self.config.limit,
        };
        let used = self.used.checked_add(size)?.checked_add(OBJECT_COST)?;
        (used <= limit).then_some(used)
    }

    /// The account of all objects, live and freed, in this memory and every memory cloned from
    /// the same origin.
    pub fn account(&self) -> &MemoryAccount {
        &self.config.account
    }

    /// About the bytes that an allocation takes at once: a large object grows as it is written.
    pub fn allocation_bytes(&self, size: u64) -> u64 {
        let contents = if self.config.forks && size > SMALL { 0 } else { size };
        contents.saturating_add(OBJECT_COST)
    }

    /// Bytes of the object table, except the nodes in `seen`, which other memories share and
    /// were counted with; adds its own nodes to `seen`.
    pub fn table_bytes(&self, seen: &mut FxHashSet<usize>) -> u64 {
        self.table.node_bytes(seen)
    }

    fn take_numbers(&mut self, count: u32, kind: &ObjectKind) -> Option<u32> {
        if count == 1 && self.quarantines.is_full(kind) {
            return Rc::make_mut(&mut self.quarantines).of(kind).pop();
        }
        let number = self.next;
        self.next = number.checked_add(count).filter(|&next| next <= NUMBERS)?;
        Some(number)
    }

    fn freed_object(
        &self,
        object: &Object,
        freed_at: Option<LocId>,
        out_of_scope: bool,
    ) -> FreedObject {
        FreedObject {
            base: object.base,
            size: object.size(),
            kind: object.kind.clone(),
            allocated_at: object.allocated_at,
            freed_at,
            out_of_scope,
            _accounted: self.config.account.charge(FREED_OBJECT_COST),
        }
    }

    /// Frees the object that starts at `base`, of any kind.
    pub fn release(&mut self, base: u64, freed_at: Option<LocId>) {
        let number = number_of(base) as u32;
        let freed = match self.table.get(u64::from(number)) {
            Some(ObjectEntry::Live(object)) => self.freed_object(object, freed_at, false),
            // Its scope ended before.
            Some(ObjectEntry::Freed(ended)) if ended.out_of_scope => self.without_scope(ended),
            _ => return,
        };
        self.used -= freed.size + OBJECT_COST;
        self.stack_words -= (stack_bytes(&freed.kind, freed.size) / 8) as u32;
        // Further windows of a large object are not reused: they are few, and a gap between
        // live numbers could not hold another large object anyway.
        Rc::make_mut(&mut self.quarantines).of(&freed.kind).push(number);
        self.table.set(number, ObjectEntry::Freed(Rc::new(freed)));
    }

    /// Whether objects of the heap and the stack are undefined until they are written.
    pub fn tracks_unwritten(&self) -> bool {
        self.config.track_written
    }

    /// Implements `free`: the address must be the first byte of a live heap object.
    pub fn free(&mut self, addr: u64, freed_at: Option<LocId>) -> Result<(), Box<AccessError>> {
        match self.live(addr) {
            Some(object) if object.base == addr && object.kind == ObjectKind::Heap => {
                self.release(addr, freed_at);
                Ok(())
            }
            _ => Err(self.free_error(addr)),
        }
    }

    /// The live object whose windows contain an address.
    #[inline(always)]
    pub fn live(&self, addr: u64) -> Option<&Object> {
        match self.table.get(number_of(addr))? {
            ObjectEntry::Live(object) => Some(object),
            other => self.live_part(other),
        }
    }

    fn live_part(&self, entry: &ObjectEntry) -> Option<&Object> {
        let ObjectEntry::Part(head) = entry else { return None };
        match self.table.get(u64::from(*head))? {
            ObjectEntry::Live(object) => Some(object),
            _ => None,
        }
    }

    /// As [`Memory::live`], for writing.
    #[inline(always)]
    pub fn live_mut(&mut self, addr: u64) -> Option<&mut Object> {
        let mut number = number_of(addr);
        if let ObjectEntry::Part(head) = self.table.get(number)? {
            number = u64::from(*head);
        }
        match self.table.get_mut(number)? {
            ObjectEntry::Live(object) => Some(Rc::make_mut(object)),
            _ => None,
        }
    }

    /// Forbids writes to an object from now on.
    pub fn make_constant(&mut self, base: u64) {
        if let Some(object) = self.live_mut(base) {
            object.make_constant();
        }
    }

    /// Forbids writes to the mapping that starts at `base`, or allows them again. Unlike a constant
    /// it stays in pages: it may be a large reservation of addresses.
    pub fn protect(&mut self, base: u64, is_constant: bool) {
        let changes = |object: &Object| {
            object.base == base
                && object.kind == ObjectKind::Mapping
                && object.constant != is_constant
        };
        if self.live(base).is_some_and(changes)
            && let Some(object) = self.live_mut(base)
        {
            object.constant = is_constant;
        }
    }

    /// Reads `LEN` bytes, 1 to 8, little endian.
    #[inline(always)]
    pub fn load<const LEN: usize>(&self, addr: u64) -> Result<Value, Box<AccessError>> {
        if let Some(object) = self.live(addr)
            && let Some(bytes) = object.plain(addr.wrapping_sub(object.base), LEN as u64)
        {
            let mut word = [0; 8];
            word[..LEN].copy_from_slice(bytes);
            return Ok(Value::word(u64::from_le_bytes(word)));
        }
        self.load_slow(addr, LEN as u64)
    }

    /// Reads `len` bytes, 1 to 8, little endian.
    pub fn load_any(&self, addr: u64, len: u64) -> Result<Value, Box<AccessError>> {
        self.load_slow(addr, len)
    }

    #[cold]
    fn load_slow(&self, addr: u64, len: u64) -> Result<Value, Box<AccessError>> {
        let located = self.locate(addr, len, Access::Read);
        let is_variadic = |object: &Object| matches!(object.kind, ObjectKind::Variadic(_));
        if located.is_err() && self.live(addr).is_some_and(is_variadic) {
            // Whether it is a fault depends on the function that reads.
            return Err(AccessError::symbolic());
        }
        let (object, offset) = located?;
        let range = offset..offset + len;
        if object.is_concrete(range.clone()) {
            let mut word = [0; 8];
            word[..len as usize].copy_from_slice(&object.bytes(range));
            return Ok(Value::word(u64::from_le_bytes(word)));
        }
        // Anything but one whole expression is concatenated from its bytes, which needs the
        // expression pool: `symbolic::read`.
        let Byte::Fragment(first) = object.byte(offset) else {
            return Err(AccessError::symbolic());
        };
        let whole = (0..len).all(|i| {
            let expected = Fragment { expr: first.expr, byte: i as u8, of: len as u8 };
            object.byte(offset + i) == Byte::Fragment(expected)
        });
        if whole { Ok(Value::symbolic(first.expr)) } else { Err(AccessError::symbolic()) }
    }

    /// Writes the low `LEN` bytes, 1 to 8, little endian.
    #[inline(always)]
    pub fn store<const LEN: usize>(
        &mut self,
        addr: u64,
        value: Value,
    ) -> Result<(), Box<AccessError>> {
        // A shared object is copied by the slow path, which asks for room first.
        if value.expr.is_none()
            && let Some(ObjectEntry::Live(object)) = self.table.get_mut(number_of(addr))
            && let Some(object) = Rc::get_mut(object)
            && let Some(bytes) = object.plain_mut(addr.wrapping_sub(object.base), LEN as u64)
        {
            bytes.copy_from_slice(&value.bits.to_le_bytes()[..LEN]);
            return Ok(());
        }
        self.store_slow(addr, LEN as u64, value)
    }

    /// Writes the low `len` bytes, 1 to 8, little endian.
    pub fn store_any(&mut self, addr: u64, len: u64, value: Value) -> Result<(), Box<AccessError>> {
        self.store_slow(addr, len, value)
    }

    #[cold]
    fn store_slow(&mut self, addr: u64, len: u64, value: Value) -> Result<(), Box<AccessError>> {
        self.need_room_to_write(addr, len)?;
        let (object, offset) = self.locate_mut(addr, len)?;
        match value.expr {
            Some(expr) => object.write_symbolic(offset, len, expr),
            None => object.write(offset, &value.bits.to_le_bytes()[..len as usize]),
        }
        Ok(())
    }

    /// Reads concrete bytes, for an intrinsic.
    pub fn read_bytes(&self, addr: u64, len: u64) -> Result<Cow<'_, [u8]>, Box<AccessError>> {
        if len == 0 {
            return Ok(Cow::Borrowed(&[]));
        }
        let (object, offset) = self.locate(addr, len, Access::Read)?;
        if !object.is_concrete(offset..offset + len) {
            return Err(AccessError::symbolic());
        }
        Ok(object.bytes(offset..offset + len))
    }

    /// Writes concrete bytes, for an intrinsic.
    pub fn write_bytes(&mut self, addr: u64, bytes: &[u8]) -> Result<(), Box<AccessError>> {
        if bytes.is_empty() {
            return Ok(());
        }
        let (object, offset) = self.locate_mut(addr, bytes.len() as u64)?;
        object.write(offset, bytes);
        Ok(())
    }

    /// The bytes of a C string, without the terminating zero.
    pub fn read_c_string(&self, addr: u64) -> Result<Vec<u8>, Box<AccessError>> {
        let (object, offset) = self.locate(addr, 1, Access::Read)?;
        let rest = object.bytes(offset..object.size());
        let len = rest.iter().position(|&b| b == 0).unwrap_or(rest.len()) as u64;
        Ok(self.read_bytes(addr, len + 1)?[..len as usize].to_vec())
    }

    /// Sets `len` bytes. With `len` zero, the address is not checked.
    pub fn fill(&mut self, addr: u64, byte: u8, len: u64) -> Result<(), Box<AccessError>> {
        if len == 0 {
            return Ok(());
        }
        if let Some(object) = self.live_mut(addr)
            && let Some(bytes) = object.plain_mut(addr.wrapping_sub(object.base), len)
        {
            bytes.fill(byte);
            return Ok(());
        }
        let (object, offset) = self.locate_mut(addr, len)?;
        object.fill(offset, byte, len);
        Ok(())
    }

    /// Copies `len` bytes as `memmove` does. With `len` zero, no address is checked.
    pub fn copy(&mut self, dst: u64, src: u64, len: u64) -> Result<(), Box<AccessError>> {
        if len == 0 {
            return Ok(());
        }
        let (from, from_offset) = self.locate_for_copy(src, len)?;
        let from_version = |at| matches!(from.byte(at), Byte::Version(_));
        if from.version().is_some() && (from_offset..from_offset + len).any(from_version) {
            return Err(AccessError::symbolic());
        }
        let same = self.live(dst).is_some_and(|to| to.base == from.base);
        if same {
            // Copy the range, not the object, so that the object is unshared when written.
            let bytes = from.bytes(from_offset..from_offset + len).into_owned();
            let plain = from.is_concrete(from_offset..from_offset + len);
            let overlay = (!plain).then(|| from.as_ref().clone());
            drop(from);
            let (to, offset) = self.locate_mut(dst, len)?;
            to.write(offset, &bytes);
            if let Some(from) = overlay {
                to.copy_overlay(offset, &from, from_offset, len);
            }
        } else {
            let (to, offset) = self.locate_mut(dst, len)?;
            to.copy_bytes(offset, &from, from_offset, len);
            to.copy_overlay(offset, &from, from_offset, len);
        }
        Ok(())
    }

    /// Locates a source range.
    fn locate_for_copy(&self, addr: u64, len: u64) -> Result<(Rc<Object>, u64), Box<AccessError>> {
        let (object, offset) = self.locate(addr, len, Access::Copy)?;
        let number = number_of(object.base);
        match self.table.get(number) {
            Some(ObjectEntry::Live(rc)) => Ok((rc.clone(), offset)),
            _ => Err(AccessError::symbolic()),
        }
    }

    fn locate(
        &self,
        addr: u64,
        len: u64,
        access: Access,
    ) -> Result<(&Object, u64), Box<AccessError>> {
        let (object, offset) = self.resolve(addr, len, access)?;
        if object.symbolic_size().is_some() {
            return Err(AccessError::symbolic());
        }
        Ok((object, offset))
    }

    /// The object and offset of `len` bytes, if the access is legal. The bound of an object of
    /// symbolic size is its largest possible size.
    pub fn resolve(
        &self,
        addr: u64,
        len: u64,
        access: Access,
    ) -> Result<(&Object, u64), Box<AccessError>> {
        if let Some(object) = self.live(addr) {
            let offset = addr.wrapping_sub(object.base);
            if object.contains(offset, len) && !(access == Access::Write && object.constant) {
                if let ObjectKind::Variadic(passed) = &object.kind {
                    variadic::check(passed, offset, len, access)?;
                }
                if access == Access::Read
                    && object.kind == ObjectKind::Code
                    && let Some(at) = object.first_unwritten(offset..offset + len)
                {
                    return Err(access_error::code_error("read", object.base + at));
                }
                if object.unconstrained == Unconstrained::Unmade {
                    return Err(Box::new(AccessError::Unmade(object.base)));
                }
                return Ok((object, offset));
            }
        }
        Err(self.access_error(addr, len, access))
    }

    /// Asks for room for `bytes` that are about to be written to the object at an address, and
    /// for a copy of the object if other states share it.
    pub fn need_room_to_write(&self, addr: u64, bytes: u64) -> Result<(), Box<AccessError>> {
        let mut entry = self.table.get(number_of(addr));
        if let Some(ObjectEntry::Part(head)) = entry {
            entry = self.table.get(u64::from(*head));
        }
        let copied = match entry {
            Some(ObjectEntry::Live(object)) if Rc::strong_count(object) > 1 => object.own_bytes(),
            _ => 0,
        };
        self.config.account.need_room(bytes.saturating_add(copied))
    }

    fn locate_mut(&mut self, addr: u64, len: u64) -> Result<(&mut Object, u64), Box<AccessError>> {
        let (object, offset) = self.locate(addr, len, Access::Write)?;
        let base = object.base;
        let object = self.live_mut(base).expect("`locate` found a live object");
        Ok((object, offset))
    }

    /// Makes the bytes before functions readable: those of the first function, then of the next,
    /// and so on.
    pub fn place_function_prefixes(&mut self, prefixes: &[[u8; FUNCTION_PREFIX as usize]]) {
        let size = code_address(prefixes.len() as u64) - WINDOW;
        let (kind, account) = (ObjectKind::Code, &self.config.account);
        let mut code = Object::new(WINDOW, size, kind, None, true, self.config.forks, account);
        for (index, prefix) in prefixes.iter().enumerate() {
            code.write(code_address(index as u64) - FUNCTION_PREFIX - WINDOW, prefix);
        }
        code.make_constant();
        let head = number_of(WINDOW) as u32;
        for part in 1..windows_from(WINDOW, size) as u32 {
            self.table.set(head + part, ObjectEntry::Part(head));
        }
        self.table.set(head, ObjectEntry::Live(Rc::new(code)));
    }

    /// Allocates an object at an address chosen by the program; `None` if the range is in use
    /// or exceeds the memory limit.
    pub fn allocate_fixed(&mut self, base: u64, size: u64) -> Option<u64> {
        let last = base.checked_add(size)?;
        let (first, last) = (number_of(base), number_of(last));
        let free = |number: u64| {
            number < u64::from(NUMBERS)
                && !is_code(number << WINDOW_BITS)
                && matches!(self.table.get(number), None | Some(ObjectEntry::Free))
        };
        if !(first..=last).all(free) {
            return None;
        }
        self.used = self.room_for(size, &ObjectKind::Mapping)?;
        self.next = self.next.max(last as u32 + 1);
        let object = Object::new(
            base,
            size,
            ObjectKind::Mapping,
            None,
            false,
            self.config.forks,
            &self.config.account,
        );
        self.table.set(first as u32, ObjectEntry::Live(Rc::new(object)));
        for part in first + 1..=last {
            self.table.set(part as u32, ObjectEntry::Part(first as u32));
        }
        Some(base)
    }

    /// The live objects, in ascending order of their addresses.
    pub fn live_objects(&self) -> Vec<&Object> {
        let mut objects = Vec::new();
        self.table.visit(&mut FxHashSet::default(), |entry| {
            if let ObjectEntry::Live(object) = entry {
                objects.push(&**object);
            }
        });
        objects
    }

    /// Marks its terms as roots of a garbage collection, except in the nodes in `seen`, which
    /// other states share and marked already.
    pub fn mark(&self, roots: &mut Roots, seen: &mut FxHashSet<usize>) {
        let mut objects = Vec::new();
        self.table.visit(seen, |entry| {
            if let ObjectEntry::Live(object) = entry
                && object.has_overlay()
            {
                objects.push(object);
            }
        });
        for object in objects {
            if is_new(object, seen) {
                object.mark(roots);
            }
        }
    }
}

/// Bytes that an object takes on the stack.
fn stack_bytes(kind: &ObjectKind, size: u64) -> u64 {
    match kind {
        ObjectKind::Stack(_) | ObjectKind::Variadic(_) => size.next_multiple_of(8),
        _ => 0,
    }
}

/// How many windows an object spans, including the byte past its end.
fn windows_from(base: u64, size: u64) -> u64 {
    number_of(base + size) - number_of(base) + 1
}

#[cfg(test)]
mod tests;
