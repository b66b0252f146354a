//! Functions the engine supplies itself: the heap, jumps out of functions, the few
//! doors through which the runtime's C code reaches the world, and those by which a
//! program makes its input symbolic.
//!
//! To add one: a variant, its names in [`Intrinsic::by_name`], its meaning in
//! [`Execution::intrinsic`]. An argument that is symbolic is made a number first, with a
//! path for each, unless [`Execution::intrinsic_in_terms`] does better.

mod host;
mod input;
mod terms;

use byway_base::FaultKind;
use byway_ir::Ctor;

use crate::ClockKind;
use crate::bytecode::ByteOp;
use crate::interp::Execution;
use crate::memory::{Access, ObjectKind};
use crate::stop::{ExecResult, Stop, fault, unsupported};
use crate::value::Value;
use byway_base::UnsupportedFeature;

/// A function the engine supplies.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
#[allow(missing_docs)] // named as the functions
pub enum Intrinsic {
    Malloc,
    Calloc,
    Realloc,
    Reallocarray,
    Free,
    AlignedAlloc,
    PosixMemalign,
    MallocUsableSize,
    Setjmp,
    Longjmp,
    BuiltinLongjmp,
    Write,
    Read,
    Clock,
    HostStat,
    HostRead,
    HostList,
    HostLink,
    HostDirectory,
    Exit,
    Raise,
    AssertFail,
    Unsupported,
    Warn,
    Map,
    Unmap,
    Ctor,
    Dtor,
    Symbolic,
    Assume,
    IsSymbolic,
    Value,
    Prefer,
    Exclude,
    Report,
    ObjectSize,
    Room,
    Exploring,
    Written,
    Say,
    SayTerm,
    SayRange,
    CheckAccess,
    FixedObject,
    Forking,
}

/// What an intrinsic leaves behind.
pub enum IntrinsicResult {
    /// A result for its caller.
    Value(Value),
    /// Execution goes on elsewhere; the result is there already.
    Jumped,
}

const EINVAL: u64 = 22;
const ENOMEM: u64 = 12;
const PAGE: u64 = 4096;
/// What `malloc` promises.
const HEAP_ALIGN: u64 = 16;
/// Marks a `jmp_buf` that `setjmp` filled.
const JUMP_MAGIC: u64 = u64::from_le_bytes(*b"bywayjmp");
const SIGABRT: i32 = 6;

impl Intrinsic {
    /// The intrinsic behind a name, for functions the program does not define.
    pub fn by_name(name: &str) -> Option<Intrinsic> {
        Some(match name {
            "malloc" | "__libc_malloc" | "__libc_malloc_impl" => Intrinsic::Malloc,
            "calloc" | "__libc_calloc" => Intrinsic::Calloc,
            "realloc" | "__libc_realloc" => Intrinsic::Realloc,
            "reallocarray" => Intrinsic::Reallocarray,
            "free" | "__libc_free" | "cfree" => Intrinsic::Free,
            "aligned_alloc" | "memalign" | "__libc_memalign" => Intrinsic::AlignedAlloc,
            "posix_memalign" => Intrinsic::PosixMemalign,
            "malloc_usable_size" => Intrinsic::MallocUsableSize,
            "setjmp" | "_setjmp" | "sigsetjmp" | "__sigsetjmp" | "__byway_builtin_setjmp" => {
                Intrinsic::Setjmp
            }
            "longjmp" | "_longjmp" | "siglongjmp" => Intrinsic::Longjmp,
            "__byway_builtin_longjmp" => Intrinsic::BuiltinLongjmp,
            "__byway_write" => Intrinsic::Write,
            "__byway_read" => Intrinsic::Read,
            "__byway_clock" => Intrinsic::Clock,
            "__byway_host_stat" => Intrinsic::HostStat,
            "__byway_host_read" => Intrinsic::HostRead,
            "__byway_host_list" => Intrinsic::HostList,
            "__byway_host_link" => Intrinsic::HostLink,
            "__byway_host_directory" => Intrinsic::HostDirectory,
            "__byway_exit" => Intrinsic::Exit,
            "__byway_raise" => Intrinsic::Raise,
            "__byway_assert_fail" => Intrinsic::AssertFail,
            "__byway_unsupported" => Intrinsic::Unsupported,
            "__byway_warn" => Intrinsic::Warn,
            "__byway_map" => Intrinsic::Map,
            "__byway_unmap" => Intrinsic::Unmap,
            "__byway_ctor" => Intrinsic::Ctor,
            "__byway_dtor" => Intrinsic::Dtor,
            "__byway_symbolic" => Intrinsic::Symbolic,
            "__byway_assume" => Intrinsic::Assume,
            "__byway_is_symbolic" => Intrinsic::IsSymbolic,
            "__byway_value" => Intrinsic::Value,
            "__byway_prefer" => Intrinsic::Prefer,
            "__byway_exclude" => Intrinsic::Exclude,
            "__byway_report" => Intrinsic::Report,
            "__byway_object_size" => Intrinsic::ObjectSize,
            "__byway_room" => Intrinsic::Room,
            "__byway_exploring" => Intrinsic::Exploring,
            "__byway_written" => Intrinsic::Written,
            "__byway_say" => Intrinsic::Say,
            "__byway_say_term" => Intrinsic::SayTerm,
            "__byway_say_range" => Intrinsic::SayRange,
            "__byway_check_access" => Intrinsic::CheckAccess,
            "__byway_fixed_object" => Intrinsic::FixedObject,
            "__byway_forking" => Intrinsic::Forking,
            _ => return None,
        })
    }
}

impl Execution<'_, '_, '_> {
    /// Does what an intrinsic does. Missing arguments are zero.
    pub(crate) fn intrinsic(
        &mut self,
        intrinsic: Intrinsic,
        args: &[u64],
    ) -> ExecResult<IntrinsicResult> {
        let arg = |i: usize| args.get(i).copied().unwrap_or(0);
        let result = match intrinsic {
            Intrinsic::Malloc => self.heap(Some(arg(0)), HEAP_ALIGN),
            Intrinsic::Calloc => self.heap_zeroed(arg(0).checked_mul(arg(1)))?,
            Intrinsic::Realloc => self.realloc(arg(0), Some(arg(1)))?,
            Intrinsic::Reallocarray => self.realloc(arg(0), arg(1).checked_mul(arg(2)))?,
            Intrinsic::Free => {
                self.free(arg(0))?;
                0
            }
            Intrinsic::AlignedAlloc => self.heap(Some(arg(1)), arg(0)),
            Intrinsic::PosixMemalign => self.posix_memalign(arg(0), arg(1), arg(2))?,
            Intrinsic::MallocUsableSize => match arg(0) {
                0 => 0,
                p => self.heap_size(p)?,
            },
            Intrinsic::Setjmp => {
                self.setjmp(arg(0))?;
                0
            }
            Intrinsic::Longjmp => {
                // C says that zero arrives as one.
                let value = (arg(1) as u32).max(1);
                return self.longjmp(arg(0), u64::from(value));
            }
            Intrinsic::BuiltinLongjmp => return self.longjmp(arg(0), 1),
            Intrinsic::Write => {
                let bytes = self.witnessed_bytes(arg(1), arg(2))?;
                errno_or(self.machine.env().write(arg(0) as i32, &bytes))
            }
            Intrinsic::Read => self.read_input(arg(0), arg(1))?,
            Intrinsic::Clock => {
                let clock = if arg(0) as u32 == 0 { ClockKind::Real } else { ClockKind::Monotonic };
                let (seconds, nanoseconds) = self.machine.env().now(clock);
                self.state.memory.store::<8>(arg(1), Value::word(seconds as u64))?;
                self.state.memory.store::<8>(arg(1) + 8, Value::word(nanoseconds as u64))?;
                0
            }
            Intrinsic::HostStat => self.host_stat(arg(0), arg(1))?,
            Intrinsic::HostRead => self.host_read(arg(0), arg(1), arg(2), arg(3))?,
            Intrinsic::HostList => self.host_list(arg(0), arg(1), arg(2), arg(3))?,
            Intrinsic::HostLink => self.host_link(arg(0), arg(1), arg(2))?,
            Intrinsic::HostDirectory => self.host_directory(arg(0), arg(1))?,
            Intrinsic::Exit => return Err(Box::new(Stop::Exit(arg(0) as i32))),
            Intrinsic::Raise => return Err(raised(arg(0) as i32)),
            Intrinsic::AssertFail => return Err(self.assert_failed(arg(0), arg(3))?),
            Intrinsic::Unsupported => {
                return Err(unsupported(UnsupportedFeature::Runtime(self.text(arg(0))?)));
            }
            Intrinsic::Warn => {
                let what = self.text(arg(0))?;
                *self.machine.warnings.entry(what).or_default() += 1;
                0
            }
            Intrinsic::Map => {
                let kind = ObjectKind::Mapping;
                let size = arg(0).checked_next_multiple_of(PAGE);
                let at = self.user_place();
                size.and_then(|n| self.state.memory.allocate(n, PAGE, kind, at)).unwrap_or(0)
            }
            Intrinsic::Unmap => {
                let at = self.user_place();
                self.state.memory.release(arg(0), at);
                0
            }
            Intrinsic::Ctor => self.initialiser(&self.machine.program.module.ctors, arg(0)),
            Intrinsic::Dtor => self.initialiser(&self.machine.program.module.dtors, arg(0)),
            Intrinsic::Symbolic => self.make_symbolic(arg(0), arg(1), arg(2))?,
            Intrinsic::Assume if arg(0) == 0 => return Err(Box::new(Stop::Excluded)),
            Intrinsic::Assume | Intrinsic::IsSymbolic | Intrinsic::Prefer => 0,
            Intrinsic::Value => arg(0),
            Intrinsic::Exclude => return Err(Box::new(Stop::Excluded)),
            Intrinsic::Report => return Err(self.reported(arg(0), arg(1), arg(2))?),
            Intrinsic::ObjectSize => match self.state.memory.live(arg(0)) {
                Some(object) => object.size(),
                None => return Err(self.state.memory.access_error(arg(0), 1, Access::Read).into()),
            },
            Intrinsic::Exploring => u64::from(self.machine.exploring),
            Intrinsic::Room => match self.state.memory.live(arg(0)) {
                Some(object) if object.symbolic_size().is_none() => {
                    object.size().saturating_sub(arg(0).wrapping_sub(object.base))
                }
                _ => 0,
            },
            Intrinsic::Written => u64::from(self.state.memory.is_written(arg(0), arg(1))),
            Intrinsic::Say => self.say(arg(0), None)?,
            Intrinsic::SayTerm | Intrinsic::SayRange => {
                self.say(arg(0), Some((arg(1) as i64).to_string()))?
            }
            Intrinsic::CheckAccess => {
                self.check_access(Value::word(arg(0)), arg(1))?;
                0
            }
            Intrinsic::FixedObject => self.fixed_object(arg(0), arg(1))?,
            Intrinsic::Forking => {
                self.state.path.forking = arg(0) as u32 != 0;
                0
            }
        };
        Ok(IntrinsicResult::Value(Value::word(result)))
    }

    fn text(&mut self, addr: u64) -> ExecResult<String> {
        let room = self.state.memory.place(addr, 1, Access::Copy)?;
        let room = room.0.size() - room.1;
        let bytes = self.witnessed_bytes(addr, room)?;
        let len = bytes.iter().position(|&b| b == 0).unwrap_or(bytes.len());
        Ok(String::from_utf8_lossy(&bytes[..len]).into_owned())
    }

    /// A fresh heap object, or null where `malloc` would give null. An impossible
    /// alignment counts as one.
    fn heap(&mut self, size: Option<u64>, align: u64) -> u64 {
        if !align.is_power_of_two() {
            return 0;
        }
        let at = self.user_place();
        let align = align.max(HEAP_ALIGN);
        let memory = &mut self.state.memory;
        let base = size.and_then(|n| memory.allocate(n, align, ObjectKind::Heap, at));
        self.state.heap_allocations += u64::from(base.is_some());
        base.unwrap_or(0)
    }

    /// Objects are zero anyway, but `calloc`'s count as written.
    fn heap_zeroed(&mut self, size: Option<u64>) -> ExecResult<u64> {
        let base = self.heap(size, HEAP_ALIGN);
        if base != 0 {
            self.state.memory.fill(base, 0, size.unwrap_or(0))?;
        }
        Ok(base)
    }

    fn free(&mut self, addr: u64) -> ExecResult<()> {
        if addr != 0 {
            let at = self.user_place();
            self.state.memory.free(addr, at)?;
        }
        Ok(())
    }

    /// The size of the heap object that begins at an address.
    fn heap_size(&mut self, addr: u64) -> ExecResult<u64> {
        match self.state.memory.live(addr) {
            Some(o) if o.base == addr && o.kind == ObjectKind::Heap => Ok(o.size()),
            // Freeing what is no such object is a fault; this is how it is named.
            _ => self.free(addr).map(|()| 0),
        }
    }

    /// Always moves, so that pointers to the old place are found out.
    fn realloc(&mut self, old: u64, size: Option<u64>) -> ExecResult<u64> {
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

    fn posix_memalign(&mut self, out: u64, align: u64, size: u64) -> ExecResult<u64> {
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

    /// Remembers the innermost frame and where it stands.
    fn setjmp(&mut self, buffer: u64) -> ExecResult<()> {
        let top = self.top_mut();
        let (serial, pc) = (top.serial, u64::from(top.pc));
        let memory = &mut self.state.memory;
        memory.store::<8>(buffer, Value::word(JUMP_MAGIC))?;
        memory.store::<8>(buffer + 8, Value::word(serial))?;
        memory.store::<8>(buffer + 16, Value::word(pc))?;
        Ok(())
    }

    fn longjmp(&mut self, buffer: u64, value: u64) -> ExecResult<IntrinsicResult> {
        let bad = |why: &str| fault(FaultKind::BadJump, format!("longjmp {why}"));
        let word = |at: u64| -> ExecResult<u64> {
            let value = self.state.memory.load::<8>(at)?;
            if value.expr.is_some() { Err(crate::stop::symbolic()) } else { Ok(value.bits) }
        };
        if word(buffer)? != JUMP_MAGIC {
            return Err(bad("through a buffer that setjmp did not fill"));
        }
        let (serial, pc) = (word(buffer + 8)?, word(buffer + 16)?);
        if !self.unwind_to(serial) {
            return Err(bad("to a function that has returned"));
        }
        let program = self.machine.program;
        let top = self.top_mut();
        let code = program.code(top.func);
        let before = (pc as usize).checked_sub(1).and_then(|at| code.ops.get(at));
        let Some(&ByteOp::Call { index, .. }) = before else {
            return Err(bad("through a buffer that was overwritten"));
        };
        top.pc = pc as u32;
        if let Some(dst) = code.calls[index as usize].dsts.first() {
            top.regs[dst.slot as usize] = Value::word(value);
        }
        Ok(IntrinsicResult::Jumped)
    }

    fn read_input(&mut self, buffer: u64, len: u64) -> ExecResult<u64> {
        // No more is asked for than fits: what the program claims may be wrong, and
        // then only bytes that really arrive are written out of bounds.
        let mut bytes = vec![0; len.min(1 << 16) as usize];
        match self.machine.env().read(&mut bytes) {
            Ok(n) => {
                self.state.memory.write_bytes(buffer, &bytes[..n])?;
                Ok(n as u64)
            }
            Err(_) if self.machine.env().interrupted() => Err(Box::new(Stop::Interrupted)),
            Err(errno) => Ok((-i64::from(errno)) as u64),
        }
    }

    fn assert_failed(&mut self, expression: u64, function: u64) -> ExecResult<Box<Stop>> {
        let expression = self.text(expression)?;
        let function = if function == 0 { String::new() } else { self.text(function)? };
        let message = if function.is_empty() {
            format!("assertion failed: {expression}")
        } else {
            format!("assertion failed in {function}: {expression}")
        };
        Ok(fault(FaultKind::AssertFailed, message))
    }

    fn initialiser(&self, list: &[Ctor], index: u64) -> u64 {
        list.get(index as usize).map_or(0, |ctor| self.machine.program.func_address(ctor.func))
    }
}

fn errno_or(result: Result<usize, i32>) -> u64 {
    match result {
        Ok(n) => n as u64,
        Err(errno) => (-i64::from(errno)) as u64,
    }
}

fn raised(signal: i32) -> Box<Stop> {
    if signal == SIGABRT {
        fault(FaultKind::Abort, "the program called abort")
    } else {
        fault(FaultKind::KilledBySignal, format!("the program raised signal {signal}"))
    }
}
