//! Which slots each operation reads and writes.

use super::{CallSite, Check, Code, General, Op, Pc, Place, Slot, Special, Target};

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
        Op::Add { d, a, b, .. }
        | Op::Sub { d, a, b, .. }
        | Op::Mul { d, a, b, .. }
        | Op::And { d, a, b }
        | Op::Or { d, a, b }
        | Op::Xor { d, a, b }
        | Op::Shl { d, a, b, .. }
        | Op::LShr { d, a, b, .. }
        | Op::AShr { d, a, b, .. }
        | Op::UDiv { d, a, b }
        | Op::URem { d, a, b }
        | Op::SDiv { d, a, b, .. }
        | Op::SRem { d, a, b, .. }
        | Op::Eq { d, a, b }
        | Op::Ne { d, a, b }
        | Op::Ult { d, a, b }
        | Op::Ule { d, a, b }
        | Op::Slt { d, a, b, .. }
        | Op::Sle { d, a, b, .. }
        | Op::FAdd { d, a, b }
        | Op::FSub { d, a, b }
        | Op::FMul { d, a, b }
        | Op::FDiv { d, a, b }
        | Op::PtrIndex { d, base: a, index: b, .. } => slots(&mut one, &[a, b], &[d]),
        Op::Select { d, c, a, b } => slots(&mut one, &[c, a, b], &[d]),
        Op::Trunc { d, a, .. }
        | Op::Sext { d, a, .. }
        | Op::PtrOffset { d, base: a, .. }
        | Op::Load8 { d, addr: a, .. }
        | Op::Load16 { d, addr: a, .. }
        | Op::Load32 { d, addr: a, .. }
        | Op::Load64 { d, addr: a, .. } => slots(&mut one, &[a], &[d]),
        Op::Store8 { addr: a, value: b, .. }
        | Op::Store16 { addr: a, value: b, .. }
        | Op::Store32 { addr: a, value: b, .. }
        | Op::Store64 { addr: a, value: b, .. }
        | Op::BranchEq { a, b, .. }
        | Op::BranchUlt { a, b, .. }
        | Op::BranchSlt { a, b, .. } => slots(&mut one, &[a, b], &[]),
        Op::Branch { c, .. } => slots(&mut one, &[c], &[]),
        Op::General { index } => general(&code.general[index as usize], &mut one),
        Op::Special { index } => special(&code.special[index as usize], &mut one),
        Op::Check { index } => match code.checks[index as usize] {
            Check::Aligned { addr, .. } => slots(&mut one, &[addr], &[]),
            Check::SignedOverflow { a, b, .. } => places(&mut one, &[a, b], &[]),
            Check::Shift { amount, .. } => places(&mut one, &[amount], &[]),
        },
        Op::Switch { value, index, .. } => {
            let place = Place { ty: code.switches[index as usize].ty, slot: value };
            places(&mut one, &[place], &[]);
        }
        Op::Call { index, .. } => call(&code.calls[index as usize], &mut one),
        Op::Return { index, .. } => places(&mut one, &code.returns[index as usize], &[]),
        // The moves of an edge are a parallel assignment, which the checker handles itself.
        Op::Count { .. } | Op::Jump { .. } | Op::MoveJump { .. } | Op::Cover { .. } => {}
    }
}

fn slots(f: &mut impl FnMut(SlotUse, Slot), read: &[Slot], written: &[Slot]) {
    read.iter().for_each(|&slot| f(SlotUse::Read, slot));
    written.iter().for_each(|&slot| f(SlotUse::Write, slot));
}

fn places(f: &mut impl FnMut(SlotUse, Slot), read: &[Place], written: &[Place]) {
    let words = |place: &Place| place.slot..place.slot + 1 + Slot::from(place.ty.is_wide());
    read.iter().flat_map(words).for_each(|slot| f(SlotUse::Read, slot));
    written.iter().flat_map(words).for_each(|slot| f(SlotUse::Write, slot));
}

fn general(general: &General, f: &mut impl FnMut(SlotUse, Slot)) {
    match *general {
        General::Bin { d, a, b, .. } | General::FBin { d, a, b, .. } => places(f, &[a, b], &[d]),
        General::Un { d, a, .. } | General::FUn { d, a, .. } | General::Cast { d, a, .. } => {
            places(f, &[a], &[d]);
        }
        General::Overflow { d, overflow, a, b, .. } => {
            places(f, &[a, b], &[d]);
            f(SlotUse::Write, overflow);
        }
        General::Funnel { d, a, b, amount: c, .. } | General::Fma { d, a, b, c } => {
            places(f, &[a, b, c], &[d]);
        }
        General::Icmp { d, a, b, .. } | General::Fcmp { d, a, b, .. } => {
            places(f, &[a, b], &[]);
            f(SlotUse::Write, d);
        }
        General::FpClass { d, a, .. } => {
            places(f, &[a], &[]);
            f(SlotUse::Write, d);
        }
        General::PtrIndex { d, base, index, .. } => {
            places(f, &[index], &[]);
            slots(f, &[base], &[d]);
        }
        General::Select { d, c, a, b } => {
            f(SlotUse::Read, c);
            places(f, &[a, b], &[d]);
        }
    }
}

fn special(special: &Special, f: &mut impl FnMut(SlotUse, Slot)) {
    match *special {
        Special::Load { d, addr } => {
            f(SlotUse::Read, addr);
            places(f, &[], &[d]);
        }
        Special::Store { addr, value } => {
            f(SlotUse::Read, addr);
            places(f, &[value], &[]);
        }
        Special::Alloca { d, count, .. } => {
            places(f, &[count], &[]);
            f(SlotUse::Write, d);
        }
        Special::StackSave { d } => f(SlotUse::Write, d),
        Special::StackRestore { mark } => f(SlotUse::Read, mark),
        Special::MemCopy { dst: a, src: b, len } | Special::MemSet { dst: a, byte: b, len } => {
            slots(f, &[a, b], &[]);
            places(f, &[len], &[]);
        }
        Special::VaStart { list: a, .. } | Special::IndirectJump { addr: a, .. } => {
            f(SlotUse::Read, a);
        }
        Special::Fail { .. } | Special::Execution { .. } | Special::Unsupported { .. } => {}
    }
}

fn call(site: &CallSite, f: &mut impl FnMut(SlotUse, Slot)) {
    if let Target::Indirect(slot) = site.callee {
        f(SlotUse::Read, slot);
    }
    places(f, &site.args, &site.dsts);
    site.exact.iter().flatten().for_each(|&slot| f(SlotUse::Read, slot));
}
