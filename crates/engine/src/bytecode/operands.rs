//! Which slots each operation reads and writes.

use super::{ByteOp, CallSite, CallTarget, Check, Code, General, Pc, Slot, Special, TypedSlot};

/// How an operation uses a slot.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum SlotUse {
    Read,
    Write,
}

/// Calls `f` with every slot of an operation. A wide value counts as two slots.
pub fn for_each_slot(code: &Code, pc: Pc, mut f: impl FnMut(SlotUse, Slot)) {
    let mut one = |usage, slot| f(usage, slot);
    match code.ops[pc as usize] {
        ByteOp::Add { d, a, b, .. }
        | ByteOp::Sub { d, a, b, .. }
        | ByteOp::Mul { d, a, b, .. }
        | ByteOp::And { d, a, b }
        | ByteOp::Or { d, a, b }
        | ByteOp::Xor { d, a, b }
        | ByteOp::Shl { d, a, b, .. }
        | ByteOp::LShr { d, a, b, .. }
        | ByteOp::AShr { d, a, b, .. }
        | ByteOp::UDiv { d, a, b }
        | ByteOp::URem { d, a, b }
        | ByteOp::SDiv { d, a, b, .. }
        | ByteOp::SRem { d, a, b, .. }
        | ByteOp::Eq { d, a, b }
        | ByteOp::Ne { d, a, b }
        | ByteOp::Ult { d, a, b }
        | ByteOp::Ule { d, a, b }
        | ByteOp::Slt { d, a, b, .. }
        | ByteOp::Sle { d, a, b, .. }
        | ByteOp::FAdd { d, a, b }
        | ByteOp::FSub { d, a, b }
        | ByteOp::FMul { d, a, b }
        | ByteOp::FDiv { d, a, b }
        | ByteOp::PtrIndex { d, base: a, index: b, .. } => slots(&mut one, &[a, b], &[d]),
        ByteOp::Select { d, c, a, b } => slots(&mut one, &[c, a, b], &[d]),
        ByteOp::Trunc { d, a, .. }
        | ByteOp::Sext { d, a, .. }
        | ByteOp::PtrOffset { d, base: a, .. }
        | ByteOp::Load8 { d, addr: a, .. }
        | ByteOp::Load16 { d, addr: a, .. }
        | ByteOp::Load32 { d, addr: a, .. }
        | ByteOp::Load64 { d, addr: a, .. } => slots(&mut one, &[a], &[d]),
        ByteOp::Store8 { addr: a, value: b, .. }
        | ByteOp::Store16 { addr: a, value: b, .. }
        | ByteOp::Store32 { addr: a, value: b, .. }
        | ByteOp::Store64 { addr: a, value: b, .. }
        | ByteOp::BranchEq { a, b, .. }
        | ByteOp::BranchUlt { a, b, .. }
        | ByteOp::BranchSlt { a, b, .. } => slots(&mut one, &[a, b], &[]),
        ByteOp::Branch { c, .. } => slots(&mut one, &[c], &[]),
        ByteOp::General { index } => general(&code.general[index as usize], &mut one),
        ByteOp::Special { index } => special(&code.special[index as usize], &mut one),
        ByteOp::Check { index } => match code.checks[index as usize] {
            Check::Aligned { addr, .. } => slots(&mut one, &[addr], &[]),
            Check::SignedOverflow { a, b, .. } => typed_slots(&mut one, &[a, b], &[]),
            Check::Shift { amount, .. } => typed_slots(&mut one, &[amount], &[]),
        },
        ByteOp::Switch { value, index, .. } => {
            let place = TypedSlot { ty: code.switches[index as usize].ty, slot: value };
            typed_slots(&mut one, &[place], &[]);
        }
        ByteOp::Call { index, .. } => call(&code.calls[index as usize], &mut one),
        ByteOp::Return { index, .. } => typed_slots(&mut one, &code.returns[index as usize], &[]),
        // The moves of an edge are a parallel assignment, which the checker handles itself.
        ByteOp::Count { .. }
        | ByteOp::Jump { .. }
        | ByteOp::MoveJump { .. }
        | ByteOp::TakeSide { .. }
        | ByteOp::Cover { .. } => {}
    }
}

fn slots(f: &mut impl FnMut(SlotUse, Slot), read: &[Slot], written: &[Slot]) {
    read.iter().for_each(|&slot| f(SlotUse::Read, slot));
    written.iter().for_each(|&slot| f(SlotUse::Write, slot));
}

fn typed_slots(f: &mut impl FnMut(SlotUse, Slot), read: &[TypedSlot], written: &[TypedSlot]) {
    let words = |place: &TypedSlot| place.slot..place.slot + 1 + Slot::from(place.ty.is_wide());
    read.iter().flat_map(words).for_each(|slot| f(SlotUse::Read, slot));
    written.iter().flat_map(words).for_each(|slot| f(SlotUse::Write, slot));
}

fn general(general: &General, f: &mut impl FnMut(SlotUse, Slot)) {
    match *general {
        General::Bin { d, a, b, .. } | General::FBin { d, a, b, .. } => {
            typed_slots(f, &[a, b], &[d])
        }
        General::Un { d, a, .. } | General::FUn { d, a, .. } | General::Cast { d, a, .. } => {
            typed_slots(f, &[a], &[d]);
        }
        General::Overflow { d, overflow, a, b, .. } => {
            typed_slots(f, &[a, b], &[d]);
            f(SlotUse::Write, overflow);
        }
        General::Funnel { d, a, b, amount: c, .. } | General::Fma { d, a, b, c } => {
            typed_slots(f, &[a, b, c], &[d]);
        }
        General::Icmp { d, a, b, .. } | General::Fcmp { d, a, b, .. } => {
            typed_slots(f, &[a, b], &[]);
            f(SlotUse::Write, d);
        }
        General::FpClass { d, a, .. } => {
            typed_slots(f, &[a], &[]);
            f(SlotUse::Write, d);
        }
        General::PtrIndex { d, base, index, .. } => {
            typed_slots(f, &[index], &[]);
            slots(f, &[base], &[d]);
        }
        General::Select { d, c, a, b } => {
            f(SlotUse::Read, c);
            typed_slots(f, &[a, b], &[d]);
        }
    }
}

fn special(special: &Special, f: &mut impl FnMut(SlotUse, Slot)) {
    match *special {
        Special::Load { d, addr } => {
            f(SlotUse::Read, addr);
            typed_slots(f, &[], &[d]);
        }
        Special::Store { addr, value } => {
            f(SlotUse::Read, addr);
            typed_slots(f, &[value], &[]);
        }
        Special::Alloca { d, count, .. } => {
            typed_slots(f, &[count], &[]);
            f(SlotUse::Write, d);
        }
        Special::Undefined { d, .. } => typed_slots(f, &[], &[d]),
        Special::StackSave { d } => f(SlotUse::Write, d),
        Special::StackRestore { mark } => f(SlotUse::Read, mark),
        Special::MemCopy { dst: a, src: b, len, .. } | Special::MemSet { dst: a, byte: b, len } => {
            slots(f, &[a, b], &[]);
            typed_slots(f, &[len], &[]);
        }
        Special::VaStart { list: a, .. }
        | Special::IndirectJump { addr: a, .. }
        | Special::Lifetime { addr: a, .. } => {
            f(SlotUse::Read, a);
        }
        Special::Fail { .. }
        | Special::Execution { .. }
        | Special::Watch { .. }
        | Special::Observe { .. }
        | Special::RecordValue { .. }
        | Special::Unsupported { .. } => {}
    }
}

fn call(site: &CallSite, f: &mut impl FnMut(SlotUse, Slot)) {
    if let CallTarget::Indirect(slot) = site.callee {
        f(SlotUse::Read, slot);
    }
    typed_slots(f, &site.args, &site.dsts);
    site.exact.iter().flatten().for_each(|&slot| f(SlotUse::Read, slot));
}
