//! Executes rare or wide operations on memory or the frame.

use byway_base::FaultKind;
use byway_expr::Pool;
use byway_ir::{LocId, Ty, VarArg};

use super::general::{read, write};
use super::{overlap, symbolic};
use crate::bytecode::value_log::{RecordedValue, ValueSource};
use crate::bytecode::{Pc, Slot, Special, TypedSlot};
use crate::memory::{Memory, ObjectKind};
use crate::stop::{ExecResult, Stop, fault, symbolic as stop_symbolic, unsupported};
use crate::value::{Value, mask};

/// The objects that belong to a frame.
pub struct Locals<'a> {
    /// The addresses of its locals, oldest first.
    pub objects: &'a mut Vec<u64>,
    /// The address of the variadic arguments.
    pub variadic: Option<u64>,
}

/// Whether an operation creates something that may be symbolic input until it is set.
pub fn creates_unset(special: &Special) -> bool {
    matches!(
        special,
        Special::Alloca { .. } | Special::Lifetime { begins: true, .. } | Special::Undefined { .. }
    )
}

/// Executes one; returns the next operation if it jumps.
pub fn run(
    special: &Special,
    regs: &mut [Value],
    memory: &mut Memory,
    locals: &mut Locals,
    loc: Option<LocId>,
) -> ExecResult<Option<Pc>> {
    let address = |regs: &[Value], slot: Slot| {
        read(regs, TypedSlot { ty: Ty::Ptr, slot }).map(|bits| bits as u64)
    };
    let length = |regs: &[Value], len: TypedSlot| {
        read(regs, len).map(|bits| u64::try_from(bits).unwrap_or(u64::MAX))
    };
    match special {
        Special::Load { d, addr } => load(regs, memory, *d, address(regs, *addr)?)?,
        Special::Store { addr, value } => store(regs, memory, address(regs, *addr)?, *value)?,
        Special::Alloca { d, size, count, align, name } => {
            let bytes = length(regs, *count)?.checked_mul(*size);
            let kind = ObjectKind::Stack(name.clone());
            if let Some(bytes) = bytes.filter(|&bytes| bytes <= memory.stack_room()) {
                memory.account().need_room(memory.allocation_bytes(bytes))?;
            }
            let base = bytes.and_then(|n| memory.allocate(n, u64::from(*align), kind, loc));
            let Some(base) = base else { return Err(no_room_on_stack(memory, bytes)) };
            locals.objects.push(base);
            regs[*d as usize] = Value::word(base);
        }
        Special::Lifetime { addr, begins } => {
            let base = address(regs, *addr)?;
            match begins {
                true => memory.begin_scope(base),
                false => memory.end_scope(base),
            }
        }
        // The value is a term.
        Special::Undefined { .. } if memory.tracks_unwritten() => return Err(stop_symbolic()),
        Special::Undefined { d, .. } => write(regs, *d, 0),
        Special::StackSave { d } => {
            regs[*d as usize] = Value::word(locals.objects.len() as u64);
        }
        Special::StackRestore { mark } => {
            let mark = address(regs, *mark)? as usize;
            while locals.objects.len() > mark {
                if let Some(base) = locals.objects.pop() {
                    memory.release(base, None);
                }
            }
        }
        Special::MemCopy { dst, src, len, may_overlap } => {
            let (dst, src, len) = (address(regs, *dst)?, address(regs, *src)?, length(regs, *len)?);
            if !may_overlap && dst != src {
                overlap::check(memory, (dst, len), (src, len))?;
            }
            memory.need_room_to_write(dst, len)?;
            memory.copy(dst, src, len)?;
        }
        Special::MemSet { dst, byte, len } => {
            let byte = address(regs, *byte)? as u8;
            let (dst, len) = (address(regs, *dst)?, length(regs, *len)?);
            memory.need_room_to_write(dst, if byte == 0 { 0 } else { len })?;
            memory.fill(dst, byte, len)?;
        }
        Special::VaStart { list, general, vector, stack } => {
            let list = address(regs, *list)?;
            let area = locals.variadic.unwrap_or(0);
            let general = u64::from(*general) * 8;
            let vector = u64::from(VarArg::VECTORS) + u64::from(*vector) * 16;
            let stack = area + u64::from(VarArg::STACK) + u64::from(*stack);
            memory.store::<4>(list, Value::word(general))?;
            memory.store::<4>(list.wrapping_add(4), Value::word(vector))?;
            memory.store::<8>(list.wrapping_add(8), Value::word(stack))?;
            memory.store::<8>(list.wrapping_add(16), Value::word(area))?;
        }
        Special::Execution { count } => count.set(count.get() + 1),
        Special::Watch { id, watch } if watch.is_active.get() => {
            return Err(Box::new(Stop::Watch(*id)));
        }
        Special::Watch { .. } => {}
        Special::Observe { log, at, what } => {
            log.observe(*at, *what, regs, memory, locals.variadic);
        }
        Special::RecordValue { log, site, source } => {
            log.record(*site, recorded(regs, memory, *source)?);
        }
        Special::IndirectJump { addr, targets } => {
            let to = address(regs, *addr)?;
            let Some((_, target)) = targets.iter().find(|(label, _)| *label == to) else {
                let message = format!("jump to address {to:#x}, where no label is");
                return Err(fault(FaultKind::BadJump, message));
            };
            return Ok(Some(*target));
        }
        Special::Fail { kind, message } => return Err(fault(*kind, *message)),
        Special::Unsupported { feature } => return Err(unsupported((**feature).clone())),
    }
    Ok(None)
}

/// A value for the log. A number that may be an address counts as one: copies of pointers can
/// have an integer's type.
fn recorded(regs: &[Value], memory: &Memory, source: ValueSource) -> ExecResult<RecordedValue> {
    Ok(match source {
        ValueSource::Execution => RecordedValue::Executed,
        ValueSource::Pointer => RecordedValue::Pointer,
        ValueSource::Slot(slot) => {
            let bits = read(regs, slot)?;
            let is_address = slot.ty.bits() == 64 && memory.live(bits as u64).is_some();
            if is_address { RecordedValue::Pointer } else { RecordedValue::Number(bits) }
        }
    })
}

/// The fault of a local object of this size, `None` if it exceeds all memory.
#[cold]
pub fn no_room_on_stack(memory: &Memory, bytes: Option<u64>) -> Box<Stop> {
    let (room, limit) = (memory.stack_room(), memory.stack_limit());
    let message = match bytes {
        Some(bytes) if bytes <= room => {
            "a local variable does not fit into the memory that is left".to_string()
        }
        Some(bytes) => format!(
            "a local variable of {bytes} bytes exceeds the stack of {limit} bytes, of which \
             {room} are left"
        ),
        None => format!("a local variable exceeds the stack of {limit} bytes"),
    };
    fault(FaultKind::StackExhausted, message)
}

/// Bytes of a copy or fill that count as one instruction. Large operations take time, and
/// limits and the clock are checked by instruction count.
const BYTES_PER_INSTRUCTION: u64 = 1024;

/// Instructions that an operation counts for in addition to itself.
pub fn extra_instructions(special: &Special, regs: &[Value]) -> i64 {
    match special {
        Special::MemCopy { len, .. } | Special::MemSet { len, .. } => {
            let bytes = read(regs, *len).unwrap_or(0) as u64;
            (bytes / BYTES_PER_INSTRUCTION).try_into().unwrap_or(0)
        }
        _ => 0,
    }
}

/// Reads a scalar of any type into its slots.
pub fn load(regs: &mut [Value], memory: &Memory, d: TypedSlot, at: u64) -> ExecResult<()> {
    let (bits, bytes) = (d.ty.bits(), d.ty.store_bytes());
    let low = memory.load_any(at, bytes.min(8))?;
    let cut = |value: Value, bits: u32| match value.expr {
        None => Ok(Value::word(value.bits & mask(bits as u8))),
        Some(_) => Err(stop_symbolic()),
    };
    if bits <= 64 {
        regs[d.slot as usize] = cut(low, bits)?;
    } else {
        let high = memory.load_any(at.wrapping_add(8), bytes - 8)?;
        let high = cut(high, bits - 64)?;
        regs[d.slot as usize] = low;
        regs[d.slot as usize + 1] = high;
    }
    Ok(())
}

/// Writes a scalar of any type from its slots.
pub fn store(regs: &[Value], memory: &mut Memory, at: u64, value: TypedSlot) -> ExecResult<()> {
    let bytes = value.ty.store_bytes();
    memory.store_any(at, bytes.min(8), regs[value.slot as usize])?;
    if bytes > 8 {
        memory.store_any(at.wrapping_add(8), bytes - 8, regs[value.slot as usize + 1])?;
    }
    Ok(())
}

/// Copies a scalar to a slot of another type, truncated or zero-extended, as C programs
/// without prototypes need.
#[inline]
pub fn adapt(
    pool: &mut Pool,
    from: &[Value],
    source: TypedSlot,
    to: &mut [Value],
    target: TypedSlot,
) {
    if source.ty.bits() == target.ty.bits() {
        let words = 1 + usize::from(source.ty.is_wide());
        for i in 0..words {
            to[target.slot as usize + i] = from[source.slot as usize + i];
        }
    } else if let Ok(bits) = read(from, source) {
        write(to, target, bits & (u128::MAX >> (128 - target.ty.bits())));
    } else {
        let term = symbolic::term(pool, from, source);
        let term = pool.resize(term, target.ty.bits());
        symbolic::set(pool, to, target, term);
    }
}
