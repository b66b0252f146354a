//! The memory of a state: objects under numbered addresses, copy-on-write.
//!
//! Every access names its object by the address alone (see [`address`]), so a
//! concrete access never searches. What is freed stays known for a while: its
//! number rests in a quarantine, and an access through it is told apart from one
//! through a wild pointer.

pub mod address;
mod object;
mod pages;
mod quarantine;
mod refusal;
pub mod symbolic;
mod table;
mod weight;

use std::borrow::Cow;
use std::rc::Rc;

use byway_expr::Roots;
use byway_ir::LocId;
use rustc_hash::FxHashSet;

pub use object::{Byte, Fragment, Object, ObjectKind};
pub use refusal::{Access, Refusal, Remark};

use crate::value::Value;
use address::{
    FIRST_OBJECT, NUMBERS, WINDOW, WINDOW_BITS, first_byte, is_code, number_of, windows,
};
use quarantine::Quarantine;
use table::Table;
pub(crate) use table::is_new;
use weight::{OBJECT_COST, Scale, TOMB_COST, Weight};

/// How many freed heap numbers rest before the oldest is used again.
const HEAP_QUARANTINE: usize = 1 << 16;
/// How many numbers of dead locals rest before the oldest is used again.
const STACK_QUARANTINE: usize = 1 << 10;

/// What is kept for locals when the heap has taken all it can get: a program that
/// finds no more memory can still call functions. An eighth where memory is short.
const KEPT_FOR_STACK: u64 = 8 << 20;

/// What a number stands for.
#[derive(Clone, Default)]
enum Entry {
    #[default]
    Free,
    Live(Rc<Object>),
    /// A further window of the object with this number.
    Part(u32),
    Dead(Rc<Tomb>),
}

/// What is remembered of an object that is no more.
struct Tomb {
    base: u64,
    size: u64,
    kind: ObjectKind,
    made_at: Option<LocId>,
    died_at: Option<LocId>,
    _weight: Weight,
}

/// The memory of a state.
#[derive(Clone)]
pub struct Memory {
    table: Table<Entry>,
    next: u32,
    resting: Rc<Resting>,
    used: u64,
    rules: Rc<Rules>,
}

/// The numbers of dead objects.
#[derive(Clone, Default)]
struct Resting {
    heap: Quarantine,
    stack: Quarantine,
}

impl Resting {
    /// Where the numbers of such objects rest.
    fn of(&mut self, kind: &ObjectKind) -> &mut Quarantine {
        match kind {
            ObjectKind::Stack(_) | ObjectKind::Variadic => &mut self.stack,
            _ => &mut self.heap,
        }
    }

    /// Whether so many rest that the oldest is used again.
    fn is_full(&self, kind: &ObjectKind) -> bool {
        match kind {
            ObjectKind::Stack(_) | ObjectKind::Variadic => self.stack.len() > STACK_QUARANTINE,
            _ => self.heap.len() > HEAP_QUARANTINE,
        }
    }
}

/// What is the same in all copies of a memory.
#[derive(Clone)]
struct Rules {
    limit: u64,
    scale: Scale,
    /// Whether reads of bytes never written are reported.
    track_written: bool,
    /// Whether copies will be made, which should share what they do not change.
    forks: bool,
}

impl Memory {
    /// Empty memory that may hold `limit` bytes.
    pub fn new(limit: u64, track_written: bool) -> Memory {
        Memory {
            table: Table::new(),
            next: FIRST_OBJECT,
            resting: Rc::default(),
            used: 0,
            rules: Rc::new(Rules { limit, scale: Scale::default(), track_written, forks: false }),
        }
    }

    /// Memory that will be copied often: large objects made from now on are kept such
    /// that a copy costs what it changes, at the price of slower access.
    pub fn with_forks(mut self) -> Memory {
        Rc::make_mut(&mut self.rules).forks = true;
        self
    }

    /// Makes a zeroed object and gives the address of its first byte; `None` if
    /// it does not fit into the memory the program may hold.
    pub fn allocate(
        &mut self,
        size: u64,
        align: u64,
        kind: ObjectKind,
        made_at: Option<LocId>,
    ) -> Option<u64> {
        let count = windows(size, align)?;
        let used = self.room_for(size, &kind)?;
        let number = self.take_numbers(count, &kind)?;
        self.used = used;
        let base = first_byte(number, align);
        let track = match kind {
            ObjectKind::Heap | ObjectKind::Stack(_) => self.rules.track_written,
            // An argument never passed is never written.
            ObjectKind::Variadic => true,
            _ => false,
        };
        let object =
            Object::new(base, size, kind, made_at, track, self.rules.forks, &self.rules.scale);
        self.table.set(number, Entry::Live(Rc::new(object)));
        for part in 1..count {
            self.table.set(number + part, Entry::Part(number));
        }
        Some(base)
    }

    /// What the program holds with another object, if that is not too much.
    fn room_for(&self, size: u64, kind: &ObjectKind) -> Option<u64> {
        let limit = match kind {
            ObjectKind::Heap | ObjectKind::Mapping => {
                self.rules.limit - KEPT_FOR_STACK.min(self.rules.limit / 8)
            }
            _ => self.rules.limit,
        };
        let used = self.used.checked_add(size)?.checked_add(OBJECT_COST)?;
        (used <= limit).then_some(used)
    }

    /// The bytes of all objects and of what is remembered of dead ones, also in other states
    /// made from this memory.
    pub fn weight_of_all(&self) -> u64 {
        self.rules.scale.total()
    }

    /// The bytes of what finds its objects, but for what it shares with memories that were
    /// counted before; `seen` remembers them.
    pub fn table_bytes(&self, seen: &mut FxHashSet<usize>) -> u64 {
        self.table.node_bytes(seen)
    }

    fn take_numbers(&mut self, count: u32, kind: &ObjectKind) -> Option<u32> {
        if count == 1 && self.resting.is_full(kind) {
            return Rc::make_mut(&mut self.resting).of(kind).pop();
        }
        let number = self.next;
        self.next = number.checked_add(count).filter(|&next| next <= NUMBERS)?;
        Some(number)
    }

    /// Ends the life of the object with this first byte, whatever its kind.
    pub fn release(&mut self, base: u64, died_at: Option<LocId>) {
        let number = number_of(base) as u32;
        let Some(Entry::Live(object)) = self.table.get(u64::from(number)) else { return };
        let tomb = Tomb {
            base,
            size: object.size(),
            kind: object.kind.clone(),
            made_at: object.made_at,
            died_at,
            _weight: self.rules.scale.weigh(TOMB_COST),
        };
        self.used -= tomb.size + OBJECT_COST;
        // Further windows of a large object are not used again: they are few, and
        // a hole between live numbers could not hold another large object anyway.
        Rc::make_mut(&mut self.resting).of(&tomb.kind).push(number);
        self.table.set(number, Entry::Dead(Rc::new(tomb)));
    }

    /// `free`: the address must be the first byte of a live heap object.
    pub fn free(&mut self, addr: u64, died_at: Option<LocId>) -> Result<(), Box<Refusal>> {
        match self.live(addr) {
            Some(object) if object.base == addr && object.kind == ObjectKind::Heap => {
                self.release(addr, died_at);
                Ok(())
            }
            _ => Err(self.refuse_free(addr)),
        }
    }

    /// The live object an address lies in the windows of.
    #[inline(always)]
    pub fn live(&self, addr: u64) -> Option<&Object> {
        match self.table.get(number_of(addr))? {
            Entry::Live(object) => Some(object),
            other => self.live_part(other),
        }
    }

    fn live_part(&self, entry: &Entry) -> Option<&Object> {
        let Entry::Part(head) = entry else { return None };
        match self.table.get(u64::from(*head))? {
            Entry::Live(object) => Some(object),
            _ => None,
        }
    }

    /// As [`Memory::live`], for change.
    #[inline(always)]
    pub fn live_mut(&mut self, addr: u64) -> Option<&mut Object> {
        let mut number = number_of(addr);
        if let Entry::Part(head) = self.table.get(number)? {
            number = u64::from(*head);
        }
        match self.table.get_mut(number)? {
            Entry::Live(object) => Some(Rc::make_mut(object)),
            _ => None,
        }
    }

    /// Whether bytes lie in a living object, and were written where that is tracked.
    pub fn is_written(&self, addr: u64, len: u64) -> bool {
        self.live(addr).is_some_and(|object| {
            let offset = addr.wrapping_sub(object.base);
            object.contains(offset, len) && object.first_unwritten(offset..offset + len).is_none()
        })
    }

    /// Marks an object as one that must not be written from now on.
    pub fn make_constant(&mut self, base: u64) {
        if let Some(object) = self.live_mut(base) {
            object.make_constant();
        }
    }

    /// Reads `LEN` bytes, 1 to 8, little endian.
    #[inline(always)]
    pub fn load<const LEN: usize>(&self, addr: u64) -> Result<Value, Box<Refusal>> {
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
    pub fn load_any(&self, addr: u64, len: u64) -> Result<Value, Box<Refusal>> {
        self.load_slow(addr, len)
    }

    #[cold]
    fn load_slow(&self, addr: u64, len: u64) -> Result<Value, Box<Refusal>> {
        let (object, offset) = self.locate(addr, len, Access::Read)?;
        let range = offset..offset + len;
        if object.is_concrete(range.clone()) {
            let mut word = [0; 8];
            word[..len as usize].copy_from_slice(&object.bytes(range));
            return Ok(Value::word(u64::from_le_bytes(word)));
        }
        // Anything but one whole expression must be put together from its bytes,
        // which is for whoever owns the expressions.
        let Byte::Fragment(first) = object.byte(offset) else { return Err(Refusal::symbolic()) };
        let whole = (0..len).all(|i| {
            let expected = Fragment { expr: first.expr, byte: i as u8, of: len as u8 };
            object.byte(offset + i) == Byte::Fragment(expected)
        });
        if whole { Ok(Value::symbolic(first.expr)) } else { Err(Refusal::symbolic()) }
    }

    /// Writes the low `LEN` bytes, 1 to 8, little endian.
    #[inline(always)]
    pub fn store<const LEN: usize>(&mut self, addr: u64, value: Value) -> Result<(), Box<Refusal>> {
        if value.expr.is_none()
            && let Some(Entry::Live(object)) = self.table.get_mut(number_of(addr))
            && let object = Rc::make_mut(object)
            && let Some(bytes) = object.plain_mut(addr.wrapping_sub(object.base), LEN as u64)
        {
            bytes.copy_from_slice(&value.bits.to_le_bytes()[..LEN]);
            return Ok(());
        }
        self.store_slow(addr, LEN as u64, value)
    }

    /// Writes the low `len` bytes, 1 to 8, little endian.
    pub fn store_any(&mut self, addr: u64, len: u64, value: Value) -> Result<(), Box<Refusal>> {
        self.store_slow(addr, len, value)
    }

    #[cold]
    fn store_slow(&mut self, addr: u64, len: u64, value: Value) -> Result<(), Box<Refusal>> {
        let (object, offset) = self.locate_mut(addr, len)?;
        match value.expr {
            Some(expr) => object.write_symbolic(offset, len, expr),
            None => object.write(offset, &value.bits.to_le_bytes()[..len as usize]),
        }
        Ok(())
    }

    /// Concrete bytes for the world outside or for an intrinsic.
    pub fn read_bytes(&self, addr: u64, len: u64) -> Result<Cow<'_, [u8]>, Box<Refusal>> {
        if len == 0 {
            return Ok(Cow::Borrowed(&[]));
        }
        let (object, offset) = self.locate(addr, len, Access::Read)?;
        if !object.is_concrete(offset..offset + len) {
            return Err(Refusal::symbolic());
        }
        Ok(object.bytes(offset..offset + len))
    }

    /// Concrete bytes from the world outside or from an intrinsic.
    pub fn write_bytes(&mut self, addr: u64, bytes: &[u8]) -> Result<(), Box<Refusal>> {
        if bytes.is_empty() {
            return Ok(());
        }
        let (object, offset) = self.locate_mut(addr, bytes.len() as u64)?;
        object.write(offset, bytes);
        Ok(())
    }

    /// The bytes of a C string, without its end.
    pub fn read_c_string(&self, addr: u64) -> Result<Vec<u8>, Box<Refusal>> {
        let (object, offset) = self.locate(addr, 1, Access::Read)?;
        let rest = object.bytes(offset..object.size());
        let len = rest.iter().position(|&b| b == 0).unwrap_or(rest.len()) as u64;
        Ok(self.read_bytes(addr, len + 1)?[..len as usize].to_vec())
    }

    /// Sets `len` bytes; nothing is touched or checked if there are none.
    pub fn fill(&mut self, addr: u64, byte: u8, len: u64) -> Result<(), Box<Refusal>> {
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

    /// Copies `len` bytes, as `memmove` does; nothing is touched or checked if
    /// there are none.
    pub fn copy(&mut self, dst: u64, src: u64, len: u64) -> Result<(), Box<Refusal>> {
        if len == 0 {
            return Ok(());
        }
        let (from, from_offset) = self.locate_for_copy(src, len)?;
        let shows = |at| matches!(from.byte(at), Byte::Version(_));
        if from.version().is_some() && (from_offset..from_offset + len).any(shows) {
            return Err(Refusal::symbolic());
        }
        let same = self.live(dst).is_some_and(|to| to.base == from.base);
        if same {
            // The copy of the range, not of the object, so that writing finds the
            // object unshared.
            let bytes = from.bytes(from_offset..from_offset + len).into_owned();
            let extra = from.has_extra().then(|| from.as_ref().clone());
            drop(from);
            let (to, offset) = self.locate_mut(dst, len)?;
            to.write(offset, &bytes);
            if let Some(from) = extra {
                to.copy_extra(offset, &from, from_offset, len);
            }
        } else {
            let (to, offset) = self.locate_mut(dst, len)?;
            to.copy_bytes(offset, &from, from_offset, len);
            to.copy_extra(offset, &from, from_offset, len);
        }
        Ok(())
    }

    /// A copied range may hold bytes never written: padding is copied legally.
    fn locate_for_copy(&self, addr: u64, len: u64) -> Result<(Rc<Object>, u64), Box<Refusal>> {
        let (object, offset) = self.locate(addr, len, Access::Copy)?;
        let number = number_of(object.base);
        match self.table.get(number) {
            Some(Entry::Live(rc)) => Ok((rc.clone(), offset)),
            _ => Err(Refusal::symbolic()),
        }
    }

    fn locate(&self, addr: u64, len: u64, access: Access) -> Result<(&Object, u64), Box<Refusal>> {
        let (object, offset) = self.place(addr, len, access)?;
        if object.symbolic_size().is_some() {
            return Err(Refusal::symbolic());
        }
        Ok((object, offset))
    }

    /// The object that `len` bytes lie in, and where in it, if the access is legal. An
    /// object of symbolic size counts as large as it can be.
    pub fn place(
        &self,
        addr: u64,
        len: u64,
        access: Access,
    ) -> Result<(&Object, u64), Box<Refusal>> {
        if let Some(object) = self.live(addr) {
            let offset = addr.wrapping_sub(object.base);
            if object.contains(offset, len) && !(access == Access::Write && object.constant) {
                if access == Access::Read
                    && let Some(at) = object.first_unwritten(offset..offset + len)
                {
                    return Err(self.refuse_unwritten(object, at));
                }
                return Ok((object, offset));
            }
        }
        Err(self.refuse(addr, len, access))
    }

    fn locate_mut(&mut self, addr: u64, len: u64) -> Result<(&mut Object, u64), Box<Refusal>> {
        let (object, offset) = self.locate(addr, len, Access::Write)?;
        let base = object.base;
        let object = self.live_mut(base).expect("it was live a moment ago");
        Ok((object, offset))
    }

    /// What lies around an address, as one range of addresses that all mean the same:
    /// the windows of an object, living or dead, or a stretch where nothing is.
    pub fn region(&self, addr: u64) -> Region {
        let number = number_of(addr);
        if number >= u64::from(self.next) {
            return Region {
                first: u64::from(self.next) << WINDOW_BITS,
                last: u64::MAX,
                live: None,
            };
        }
        if number < u64::from(FIRST_OBJECT) && self.table.get(number).is_none() {
            let first = if number == 0 { 0 } else { WINDOW };
            let last = if number == 0 { WINDOW } else { u64::from(FIRST_OBJECT) * WINDOW } - 1;
            return Region { first, last, live: None };
        }
        let head = match self.table.get(number) {
            Some(Entry::Part(head)) => u64::from(*head),
            _ => number,
        };
        let count = match self.table.get(head) {
            Some(Entry::Live(o)) => windows_from(o.base, o.size()),
            Some(Entry::Dead(tomb)) => windows_from(tomb.base, tomb.size),
            _ => 1,
        };
        let live = match self.table.get(head) {
            Some(Entry::Live(object)) => Some(object.base),
            _ => None,
        };
        let first = head << WINDOW_BITS;
        Region { first, last: first + (count << WINDOW_BITS) - 1, live }
    }

    /// Makes an object at an address the program chose; `None` if something is there,
    /// or if it does not fit into the memory the program may hold.
    pub fn allocate_fixed(&mut self, base: u64, size: u64) -> Option<u64> {
        let last = base.checked_add(size)?;
        let (first, last) = (number_of(base), number_of(last));
        let free = |number: u64| {
            number < u64::from(NUMBERS)
                && !is_code(number << WINDOW_BITS)
                && matches!(self.table.get(number), None | Some(Entry::Free))
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
            self.rules.forks,
            &self.rules.scale,
        );
        self.table.set(first as u32, Entry::Live(Rc::new(object)));
        for part in first + 1..=last {
            self.table.set(part as u32, Entry::Part(first as u32));
        }
        Some(base)
    }

    /// Keeps its terms alive in a collection; `seen` remembers what states share.
    pub fn mark(&self, roots: &mut Roots, seen: &mut FxHashSet<usize>) {
        let mut objects = Vec::new();
        self.table.visit(seen, |entry| {
            if let Entry::Live(object) = entry
                && object.has_extra()
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

/// A range of addresses, both ends included, that all mean the same.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Region {
    /// The first address.
    pub first: u64,
    /// The last one.
    pub last: u64,
    /// The first byte of the living object whose windows these are.
    pub live: Option<u64>,
}

/// How many windows an object reaches into, the byte past its end included.
fn windows_from(base: u64, size: u64) -> u64 {
    number_of(base + size) - number_of(base) + 1
}

#[cfg(test)]
mod tests;
