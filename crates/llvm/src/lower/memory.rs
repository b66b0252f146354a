//! Lowering of loads, stores, addresses and atomics, which are plain accesses since there
//! is one thread.

use byway_ir::{BinOp, Const, FBinOp, Icmp, Inst, Operand, OperandKind, Scaled, Ty};
use llvm_sys::LLVMAtomicRMWBinOp as Rmw;

use super::func::FunctionLowering;
use super::types::{TypeLayout, wide};
use crate::intrinsics;
use crate::llvm::{GepStep, LlvmValue};

impl FunctionLowering<'_> {
    /// An alloca instruction.
    pub fn alloca_inst(&mut self, inst: LlvmValue) -> Result<(), String> {
        let ty = inst.allocated_type();
        if ty.is_scalable() {
            return Err(format!("a variable of type {}", ty.describe()));
        }
        let size = self.program.module.alloc_size(ty);
        let count = self.scalar(inst.operand(0))?;
        let name = inst.alloca_name().into();
        let dst = self.b.new_val(Ty::Ptr);
        self.b.push(Inst::Alloca { dst, size, count, align: inst.access_align(), name });
        self.define(inst, &[dst.into()]);
        Ok(())
    }

    /// The begin or end of a local variable's scope.
    pub fn lifetime(&mut self, inst: LlvmValue, begins: bool) -> Result<(), String> {
        // Up to LLVM 21, the size comes first.
        let Some(local) = (0..2).map(|n| inst.operand(n)).find(|value| value.is_alloca()) else {
            return Ok(());
        };
        // Optimised code may read a variable beyond its scope, and ignore what it reads.
        if begins || !self.function.is_optimised() {
            let addr = self.scalar(local)?;
            // A closing brace is no line of code.
            self.b.set_loc(None);
            self.b.push(Inst::Lifetime { addr, begins });
        }
        Ok(())
    }

    /// A load instruction, scalar by scalar.
    pub fn load(&mut self, inst: LlvmValue) -> Result<(), String> {
        let layout = self.layout(inst.ty())?;
        let addr = self.scalar(inst.operand(0))?;
        let leaves = self.load_leaves(&layout, addr, inst.access_align(), inst.is_volatile())?;
        self.define(inst, &leaves);
        Ok(())
    }

    fn load_leaves(
        &mut self,
        layout: &TypeLayout,
        addr: Operand,
        align: u32,
        volatile: bool,
    ) -> Result<Vec<Operand>, String> {
        let mut leaves = Vec::with_capacity(layout.leaves.len());
        for unit in &layout.units {
            let mut load = |ty: Ty, offset: u64| {
                let at = self.offset(addr, offset as i64);
                self.b.load(ty, at, align_at(align, offset), volatile)
            };
            if unit.lanes == 1 {
                leaves.push(load(unit.ty, unit.offset));
                continue;
            }
            let mut offset = unit.offset;
            let mut packed = Vec::new();
            for ty in unit.stored() {
                packed.push(load(ty, offset));
                offset += ty.store_bytes();
            }
            let lanes = vec![unit.ty; unit.lanes as usize];
            leaves.extend(intrinsics::reinterpret(&mut self.b, &packed, &lanes)?);
        }
        Ok(leaves)
    }

    /// A store instruction, scalar by scalar.
    pub fn store(&mut self, inst: LlvmValue) -> Result<(), String> {
        let value = inst.operand(0);
        let layout = self.layout(value.ty())?;
        let leaves = self.leaves(value)?;
        let addr = self.scalar(inst.operand(1))?;
        let (align, volatile) = (inst.access_align(), inst.is_volatile());
        let mut rest = leaves.as_slice();
        for unit in &layout.units {
            let (lanes, others) = rest.split_at(unit.lanes as usize);
            rest = others;
            let stored = match lanes {
                [_] => lanes.to_vec(),
                _ => intrinsics::reinterpret(&mut self.b, lanes, &unit.stored())?,
            };
            let mut offset = unit.offset;
            for value in stored {
                let at = self.offset(addr, offset as i64);
                self.b.store(at, value, align_at(align, offset), volatile);
                offset += self.b.ty(value).store_bytes();
            }
        }
        Ok(())
    }

    /// `base + bytes`, within the same object.
    fn offset(&mut self, base: Operand, bytes: i64) -> Operand {
        self.address_sum(base, bytes, None, true)
    }

    /// `base + bytes + index * scale`; emits no instruction if the offset is zero or the sum
    /// is a constant.
    fn address_sum(
        &mut self,
        base: Operand,
        bytes: i64,
        scaled: Option<Scaled>,
        inbounds: bool,
    ) -> Operand {
        if scaled.is_none() {
            if bytes == 0 {
                return base;
            }
            if let OperandKind::Const(id) = base.kind()
                && let Const::Address { symbol, offset } = self.b.func().consts[id]
            {
                return self.b.address(symbol, offset.wrapping_add(bytes));
            }
        }
        self.b.ptr_add(base, bytes, scaled, inbounds)
    }

    /// A GEP: constant offsets are merged, and each variable index takes one instruction.
    pub fn gep(&mut self, inst: LlvmValue) -> Result<(), String> {
        let lanes = self.layout(inst.ty())?.leaves.len();
        let steps = inst.gep_steps(self.program.module).ok_or("a scalable GEP")?;
        let inbounds = inst.is_inbounds();
        let base = self.leaves(inst.operand(0))?;
        let mut results = Vec::with_capacity(lanes);
        for lane in 0..lanes {
            // A scalar among vectors applies to every lane.
            let pick = |leaves: &[Operand]| leaves.get(lane).or(leaves.first()).copied();
            let mut sum = pick(base.as_slice()).ok_or("a GEP without base")?;
            let mut bytes = 0i64;
            let mut scaled: Option<Scaled> = None;
            for &step in &steps {
                match step {
                    GepStep::Bytes(n) => bytes = bytes.wrapping_add(n),
                    GepStep::Index(index, _) if wide(index.ty()).is_some() => {
                        return Err(format!("an index of type {}", index.ty().describe()));
                    }
                    GepStep::Index(index, scale) => {
                        let index = self.leaves(index)?;
                        let index = pick(index.as_slice()).ok_or("a GEP without index")?;
                        if let Some(n) = self.constant_index(index) {
                            bytes = bytes.wrapping_add(n.wrapping_mul(scale));
                            continue;
                        }
                        if scaled.is_some() {
                            sum = self.address_sum(sum, bytes, scaled, inbounds);
                            bytes = 0;
                        }
                        scaled = Some(Scaled { index, scale });
                    }
                }
            }
            results.push(self.address_sum(sum, bytes, scaled, inbounds));
        }
        self.define(inst, &results);
        Ok(())
    }

    /// The value of a constant index, sign-extended.
    fn constant_index(&self, index: Operand) -> Option<i64> {
        let bits = self.as_number(index)?;
        let unused = 128 - self.b.ty(index).bits();
        Some(((bits << unused) as i128 >> unused) as i64)
    }

    /// Compare and exchange: the result is the old value, and whether it was as expected.
    pub fn cmpxchg(&mut self, inst: LlvmValue) -> Result<(), String> {
        let addr = self.scalar(inst.operand(0))?;
        let expected = self.scalar(inst.operand(1))?;
        let new = self.scalar(inst.operand(2))?;
        let (align, volatile) = (inst.access_align(), inst.is_volatile());
        let old = self.b.load(self.b.ty(expected), addr, align, volatile);
        let success = self.b.icmp(Icmp::Eq, old, expected);
        let stored = self.b.select(success, new, old);
        self.b.store(addr, stored, align, volatile);
        self.define(inst, &[old, success]);
        Ok(())
    }

    /// Read, modify, write: the result is the old value.
    pub fn atomic_rmw(&mut self, inst: LlvmValue) -> Result<(), String> {
        if wide(inst.ty()).is_some() {
            return Err(format!("an atomic update of type {}", inst.ty().describe()));
        }
        let layout = self.layout(inst.ty())?;
        let addr = self.scalar(inst.operand(0))?;
        let operand = self.leaves(inst.operand(1))?;
        let (align, volatile) = (inst.access_align(), inst.is_volatile());
        let old = self.load_leaves(&layout, addr, align, volatile)?;
        for ((unit, &old), &operand) in layout.units.iter().zip(&old).zip(operand.as_slice()) {
            let new = self.rmw_value(inst.rmw_op(), old, operand)?;
            let at = self.offset(addr, unit.offset as i64);
            self.b.store(at, new, align_at(align, unit.offset), volatile);
        }
        self.define(inst, &old);
        Ok(())
    }

    fn rmw_value(&mut self, op: Rmw, old: Operand, operand: Operand) -> Result<Operand, String> {
        let b = &mut self.b;
        let ty = b.ty(old);
        Ok(match op {
            Rmw::LLVMAtomicRMWBinOpXchg => operand,
            Rmw::LLVMAtomicRMWBinOpAdd => b.bin(BinOp::Add, old, operand),
            Rmw::LLVMAtomicRMWBinOpSub => b.bin(BinOp::Sub, old, operand),
            Rmw::LLVMAtomicRMWBinOpAnd => b.bin(BinOp::And, old, operand),
            Rmw::LLVMAtomicRMWBinOpNand => {
                let and = b.bin(BinOp::And, old, operand);
                let ones = b.bits(ty, u128::MAX);
                b.bin(BinOp::Xor, and, ones)
            }
            Rmw::LLVMAtomicRMWBinOpOr => b.bin(BinOp::Or, old, operand),
            Rmw::LLVMAtomicRMWBinOpXor => b.bin(BinOp::Xor, old, operand),
            Rmw::LLVMAtomicRMWBinOpMax => b.bin(BinOp::SMax, old, operand),
            Rmw::LLVMAtomicRMWBinOpMin => b.bin(BinOp::SMin, old, operand),
            Rmw::LLVMAtomicRMWBinOpUMax => b.bin(BinOp::UMax, old, operand),
            Rmw::LLVMAtomicRMWBinOpUMin => b.bin(BinOp::UMin, old, operand),
            Rmw::LLVMAtomicRMWBinOpFAdd => b.fbin(FBinOp::Add, old, operand),
            Rmw::LLVMAtomicRMWBinOpFSub => b.fbin(FBinOp::Sub, old, operand),
            Rmw::LLVMAtomicRMWBinOpFMax => b.fbin(FBinOp::MaxNum, old, operand),
            Rmw::LLVMAtomicRMWBinOpFMin => b.fbin(FBinOp::MinNum, old, operand),
            Rmw::LLVMAtomicRMWBinOpFMaximum => b.fbin(FBinOp::Maximum, old, operand),
            Rmw::LLVMAtomicRMWBinOpFMinimum => b.fbin(FBinOp::Minimum, old, operand),
            Rmw::LLVMAtomicRMWBinOpUIncWrap => {
                let one = b.bits(ty, 1);
                let zero = b.bits(ty, 0);
                let sum = b.bin(BinOp::Add, old, one);
                let wraps = b.icmp(Icmp::Uge, old, operand);
                b.select(wraps, zero, sum)
            }
            Rmw::LLVMAtomicRMWBinOpUDecWrap => {
                let one = b.bits(ty, 1);
                let zero = b.bits(ty, 0);
                let difference = b.bin(BinOp::Sub, old, one);
                let is_zero = b.icmp(Icmp::Eq, old, zero);
                let above = b.icmp(Icmp::Ugt, old, operand);
                let wraps = b.bin(BinOp::Or, is_zero, above);
                b.select(wraps, operand, difference)
            }
            Rmw::LLVMAtomicRMWBinOpUSubCond => {
                let difference = b.bin(BinOp::Sub, old, operand);
                let fits = b.icmp(Icmp::Uge, old, operand);
                b.select(fits, difference, old)
            }
            Rmw::LLVMAtomicRMWBinOpUSubSat => b.bin(BinOp::USubSat, old, operand),
        })
    }
}

/// The alignment known at an offset from an aligned address.
fn align_at(align: u32, offset: u64) -> u32 {
    match offset.trailing_zeros() {
        0..31 => align.min(1 << offset.trailing_zeros()),
        _ => align,
    }
}
