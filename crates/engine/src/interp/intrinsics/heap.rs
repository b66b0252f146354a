//! The heap: `malloc` and related functions, one object per allocation.

use super::PAGE;
use crate::interp::Execution;
use crate::memory::{Access, ObjectKind, Unconstrained};
use crate::stop::{ExecResult, Stop};
use crate::value::Value;

const EINVAL: u64 = 22;
pub(super) const ENOMEM: u64 = 12;
/// The alignment that `malloc` guarantees.
pub(super) const HEAP_ALIGN: u64 = 16;

/// Whether `posix_memalign` accepts an alignment.
pub(super) fn is_memalign_alignment(align: u64) -> bool {
    align.is_power_of_two() && align >= 8
}

impl Execution<'_, '_, '_> {
    /// Allocates a heap object; null if the size is `None`, exceeds the memory limit, or the
    /// alignment is no power of two.
    pub(super) fn heap(&mut self, size: Option<u64>, align: u64) -> ExecResult<u64> {
        let base = self.heap_object(size, align)?;
        self.make_unset_object_symbolic(base);
        Ok(base)
    }

    /// As [`Execution::heap`], for an object that the caller fills.
    fn heap_object(&mut self, size: Option<u64>, align: u64) -> ExecResult<u64> {
        let Some(size) = size.filter(|_| align.is_power_of_two()) else { return Ok(0) };
        let align = align.max(HEAP_ALIGN);
        let base = self.allocate(size, align, ObjectKind::Heap, 0)?;
        self.state.path.count_allocations(base.is_some().into());
        Ok(base.unwrap_or(0))
    }

    /// Allocates an object that is filled with `more` bytes in the same instruction; `None` if
    /// it exceeds a memory limit.
    pub(super) fn allocate(
        &mut self,
        size: u64,
        align: u64,
        kind: ObjectKind,
        more: u64,
    ) -> ExecResult<Option<u64>> {
        let at = self.user_location();
        let memory = &mut self.state.memory;
        let bytes = memory.allocation_bytes(size).saturating_add(more);
        if !memory.account().asks_room(bytes, size)? {
            return Ok(None);
        }
        Ok(memory.allocate(size, align, kind, at))
    }

    /// Objects are zeroed in any case, but those of `calloc` count as initialised.
    pub(super) fn heap_zeroed(&mut self, size: Option<u64>) -> ExecResult<u64> {
        let base = self.heap_object(size, HEAP_ALIGN)?;
        if base != 0 {
            self.state.memory.fill(base, 0, size.unwrap_or(0))?;
        }
        Ok(base)
    }

    pub(super) fn free(&mut self, addr: u64) -> ExecResult<()> {
        if addr != 0 {
            let at = self.user_location();
            self.state.memory.free(addr, at)?;
        }
        Ok(())
    }

    /// The size of the heap object that starts at an address.
    pub(super) fn heap_size(&mut self, addr: u64) -> ExecResult<u64> {
        match self.state.memory.live(addr) {
            Some(o) if o.base == addr && o.unconstrained == Unconstrained::Unmade => {
                Err(Box::new(Stop::Unmade(addr)))
            }
            Some(o) if o.base == addr && o.kind == ObjectKind::Heap => Ok(o.size()),
            // Anything else is a fault, which `free` reports.
            _ => self.free(addr).map(|()| 0),
        }
    }

    /// Always moves the object, so that uses of pointers to the old one are faults. A size of
    /// zero frees it and returns null, as in glibc.
    pub(super) fn realloc(&mut self, old: u64, size: Option<u64>) -> ExecResult<u64> {
        if old == 0 {
            return self.heap(size, HEAP_ALIGN);
        }
        let old_size = self.heap_size(old)?;
        // Whole pages are shared by the two, but symbolic bytes are copied.
        let overlay = self.state.memory.live(old).map_or(0, |object| object.overlay_bytes());
        let Some(size) = size else { return Ok(0) };
        if size == 0 {
            self.free(old)?;
            return Ok(0);
        }
        let new = self.allocate(size, HEAP_ALIGN, ObjectKind::Heap, overlay)?.unwrap_or(0);
        self.state.path.count_allocations((new != 0).into());
        if new != 0 {
            self.state.memory.copy(new, old, old_size.min(size))?;
            self.make_unset_object_symbolic(new);
            self.free(old)?;
        }
        Ok(new)
    }

    pub(super) fn posix_memalign(&mut self, out: u64, align: u64, size: u64) -> ExecResult<u64> {
        if !is_memalign_alignment(align) {
            return Ok(EINVAL);
        }
        // The store must not be suspended after the allocation.
        self.state.memory.resolve(out, 8, Access::Write)?;
        let base = self.allocate(size, align, ObjectKind::Heap, PAGE)?;
        let Some(base) = base else { return Ok(ENOMEM) };
        self.state.path.count_allocations(1);
        self.state.memory.store::<8>(out, Value::word(base))?;
        Ok(0)
    }
}
