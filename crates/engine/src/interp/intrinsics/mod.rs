//! Executes [intrinsics](crate::intrinsic). A symbolic argument is made concrete first, with
//! one path per value, unless [`Execution::intrinsic_in_terms`] handles it.

mod allocation;
mod heap;
mod host;
mod input;
mod jumps;
mod symbolic;
mod ubsan;

use byway_base::{FaultKind, UnsupportedFeature};
use byway_ir::Ctor;

use super::symbolic::value_of;
use super::{Execution, overlap};
use crate::ClockKind;
use crate::intrinsic::Intrinsic;
use crate::memory::{Access, ObjectKind};
use crate::stop::{ExecResult, Stop, fault, symbolic, unsupported};
use crate::value::Value;
pub(super) use allocation::Mode;
use heap::HEAP_ALIGN;

/// The effect of an intrinsic on its caller.
pub enum IntrinsicResult {
    /// The call returns this value.
    Value(Value),
    /// Execution continues elsewhere, where the result is stored already.
    Jumped,
}

const PAGE: u64 = 4096;
const SIGABRT: i32 = 6;

impl Execution<'_, '_, '_> {
    /// Executes an intrinsic. Missing arguments are zero.
    fn intrinsic(&mut self, intrinsic: Intrinsic, args: &[u64]) -> ExecResult<IntrinsicResult> {
        let arg = |i: usize| args.get(i).copied().unwrap_or(0);
        let result = match intrinsic {
            Intrinsic::Malloc | Intrinsic::SystemMalloc => self.heap(Some(arg(0)), HEAP_ALIGN)?,
            Intrinsic::Calloc | Intrinsic::SystemCalloc => {
                self.heap_zeroed(arg(0).checked_mul(arg(1)))?
            }
            Intrinsic::Realloc | Intrinsic::SystemRealloc => self.realloc(arg(0), Some(arg(1)))?,
            Intrinsic::Reallocarray => self.realloc(arg(0), arg(1).checked_mul(arg(2)))?,
            Intrinsic::Free => {
                self.free(arg(0))?;
                0
            }
            Intrinsic::AlignedAlloc | Intrinsic::SystemMemalign => {
                self.heap(Some(arg(1)), arg(0))?
            }
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
                // By the C standard, zero becomes one.
                let value = (arg(1) as u32).max(1);
                return self.longjmp(arg(0), Value::word(value.into()), Self::jump_word);
            }
            Intrinsic::BuiltinLongjmp => {
                return self.longjmp(arg(0), Value::word(1), Self::jump_word);
            }
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
                match arg(0).checked_next_multiple_of(PAGE) {
                    Some(size) => self.allocate(size, PAGE, kind, 0)?.unwrap_or(0),
                    None => 0,
                }
            }
            Intrinsic::Arguments => {
                let kind = ObjectKind::Arguments;
                self.allocate(arg(0), HEAP_ALIGN, kind, 0)?.unwrap_or(0)
            }
            Intrinsic::Unmap => {
                let at = self.user_location();
                self.state.memory.release(arg(0), at);
                0
            }
            Intrinsic::Protect => {
                self.state.memory.protect(arg(0), arg(1) as u32 == 0);
                0
            }
            Intrinsic::Ctor => self.initialiser(&self.program.module.ctors, arg(0)),
            Intrinsic::Dtor => self.initialiser(&self.program.module.dtors, arg(0)),
            Intrinsic::Symbolic => self.make_symbolic(arg(0), arg(1), arg(2))?,
            Intrinsic::Assume if arg(0) == 0 => return Err(Box::new(Stop::Excluded)),
            Intrinsic::Assume | Intrinsic::IsSymbolic | Intrinsic::Prefer => 0,
            // A symbolic argument has forked by its value before.
            Intrinsic::Value | Intrinsic::Each => arg(0),
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
            Intrinsic::Passed => {
                u64::from(self.state.memory.resolve(arg(0), 1, Access::Copy).is_ok())
            }
            Intrinsic::Argument => {
                let value = self.variadic_word(arg(0))?;
                return Ok(IntrinsicResult::Value(value));
            }
            Intrinsic::CheckInitialised => {
                // Terms may fork.
                if !self.is_concrete(arg(0), arg(1))? {
                    return Err(symbolic());
                }
                0
            }
            Intrinsic::Say => self.say(arg(0), None)?,
            Intrinsic::SayTerm | Intrinsic::SayRange => {
                self.say(arg(0), Some((arg(1) as i64).to_string()))?
            }
            Intrinsic::CheckAccess => {
                self.check_access(Value::word(arg(0)), arg(1))?;
                0
            }
            Intrinsic::SameObject => {
                u64::from(overlap::same_object(&self.state.memory, arg(0), arg(1)))
            }
            Intrinsic::CheckOverlap => {
                overlap::check(&self.state.memory, (arg(0), arg(1)), (arg(2), arg(3)))?;
                0
            }
            Intrinsic::CheckLeaks => {
                self.check_leaks()?;
                0
            }
            Intrinsic::FixedObject => self.fixed_object(arg(0), arg(1))?,
            Intrinsic::Ubsan(handler) => {
                let args: Vec<Value> = args.iter().map(|&word| Value::word(word)).collect();
                return self.ubsan(handler, &args);
            }
            Intrinsic::Parameter => self.make_parameter(arg(0), arg(1), arg(2))?,
            Intrinsic::UnconstrainedGlobals => self.unmake_globals()?,
            Intrinsic::Forking => {
                self.state.path.forking = arg(0) as u32 != 0;
                0
            }
        };
        Ok(IntrinsicResult::Value(Value::word(result)))
    }

    /// The word at a place in the variadic arguments of a call; zero if none was passed there.
    fn variadic_word(&mut self, addr: u64) -> ExecResult<Value> {
        if self.state.memory.resolve(addr, 8, Access::Copy).is_err() {
            return Ok(Value::word(0));
        }
        self.in_terms(|memory| {
            let location = memory.resolve(Value::word(addr), 8, Access::Copy)?;
            let word = memory.read(location, 8);
            Ok(value_of(memory.pool, word))
        })
    }

    fn text(&mut self, addr: u64) -> ExecResult<String> {
        let room = self.state.memory.resolve(addr, 1, Access::Copy)?;
        let room = room.0.size() - room.1;
        let bytes = self.witnessed_bytes(addr, room)?;
        let len = bytes.iter().position(|&b| b == 0).unwrap_or(bytes.len());
        Ok(String::from_utf8_lossy(&bytes[..len]).into_owned())
    }

    fn read_input(&mut self, buffer: u64, len: u64) -> ExecResult<u64> {
        // The length may exceed the buffer: only bytes that really arrive are written, and
        // fault if they are out of bounds.
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
        list.get(index as usize).map_or(0, |ctor| self.program.func_address(ctor.func))
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
