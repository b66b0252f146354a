//! The heap: `malloc` and related functions, one object per allocation.

use crate::interp::Execution;
use crate::memory::ObjectKind;
use crate::stop::ExecResult;
use crate::value::Value;

const EINVAL: u64 = 22;
const ENOMEM: u64 = 12;
/// The alignment that `malloc` guarantees.
pub(super) const HEAP_ALIGN: u64 = 16;

impl Execution<'_, '_, '_> {
    /// Allocates a heap object; null if the size is `None`, exceeds the memory limit, or the
    /// alignment is no power of two.
    pub(super) fn heap(&mut self, size: Option<u64>, align: u64) -> u64 {
        if !align.is_power_of_two() {
            return 0;
        }
        let at = self.user_location();
        let align = align.max(HEAP_ALIGN);
        let memory = &mut self.state.memory;
        let base = size.and_then(|n| memory.allocate(n, align, ObjectKind::Heap, at));
        self.state.heap_allocations += u64::from(base.is_some());
        base.unwrap_or(0)
    }

    /// Objects are zeroed in any case, but those of `calloc` count as initialised.
    pub(super) fn heap_zeroed(&mut self, size: Option<u64>) -> ExecResult<u64> {
        let base = self.heap(size, HEAP_ALIGN);
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
            Some(o) if o.base == addr && o.kind == ObjectKind::Heap => Ok(o.size()),
            // Anything else is a fault, which `free` reports.
            _ => self.free(addr).map(|()| 0),
        }
    }

    /// Always moves the object, so that uses of pointers to the old one are faults.
    pub(super) fn realloc(&mut self, old: u64, size: Option<u64>) -> ExecResult<u64> {
        if old == 0 {
            return Ok(self.heap(size, HEAP_ALIGN));
        }
        let old_size = self.heap_size(old)?;
        let new = self.heap(size, HEAP_ALIGN);
        if new != 0 {
            self.state.memory.copy(new, old, old_size.min(size.unwrap_or(0)))?;
            self.free(old)?;
        }
        Ok(new)
    }

    pub(super) fn posix_memalign(&mut self, out: u64, align: u64, size: u64) -> ExecResult<u64> {
        if !align.is_power_of_two() || align < 8 {
            return Ok(EINVAL);
        }
        let base = self.heap(Some(size), align);
        if base == 0 {
            return Ok(ENOMEM);
        }
        self.state.memory.store::<8>(out, Value::word(base))?;
        Ok(0)
    }
}
