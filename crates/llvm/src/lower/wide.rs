//! Lowering of instructions and intrinsics on wide integers; [`limbs`] implements the
//! arithmetic.

use byway_ir::{BinOp, BlockId, CastOp, Edge, Icmp, Operand, Terminator, Ty};
use llvm_sys::LLVMOpcode as Op;

use super::func::{FunctionLowering, Leaves};
use super::limbs;
use super::types::{lane, leaves_per_lane};
use crate::intrinsics;
use crate::llvm::{LlvmValue, ValueKind};
use crate::shape::{FlatValue, LIMB_BITS, Shape};

impl FunctionLowering<'_> {
    /// A constant: a number, or an address.
    pub fn wide_constant(&mut self, constant: LlvmValue, types: &[Ty]) -> Result<Leaves, String> {
        let address = constant.kind() == ValueKind::Expression
            && matches!(constant.const_opcode(), Op::LLVMPtrToInt | Op::LLVMPtrToAddr);
        if !address && constant.kind() != ValueKind::Integer {
            return Err(format!("a constant of type {}", constant.ty().describe()));
        }
        let mut limbs = Vec::with_capacity(types.len());
        for (n, &ty) in (0..).zip(types) {
            limbs.push(match (address, n) {
                (false, _) => self.b.bits(ty, constant.int_word(n).into()),
                (true, 0) => {
                    let folded = self.program.fold(constant.operand(0))?;
                    self.folded(folded, ty)
                }
                (true, _) => self.b.bits(ty, 0),
            });
        }
        Ok(Leaves::new(&limbs))
    }

    /// Arithmetic.
    pub fn wide_binary(&mut self, inst: LlvmValue, op: BinOp) -> Result<(), String> {
        let x = self.leaves(inst.operand(0))?;
        let y = self.leaves(inst.operand(1))?;
        let per_lane = leaves_per_lane(inst.ty());
        let mut results = Vec::new();
        for (x, y) in x.as_slice().chunks(per_lane).zip(y.as_slice().chunks(per_lane)) {
            let result = limbs::binary(&mut self.b, op, x, y);
            results.extend(result.ok_or_else(|| format!("division of {}", inst.ty().describe()))?);
        }
        self.define(inst, &results);
        Ok(())
    }

    /// A comparison.
    pub fn wide_compare(&mut self, inst: LlvmValue, pred: Icmp) -> Result<(), String> {
        let x = self.leaves(inst.operand(0))?;
        let y = self.leaves(inst.operand(1))?;
        let per_lane = leaves_per_lane(inst.operand(0).ty());
        let lanes = x.as_slice().chunks(per_lane).zip(y.as_slice().chunks(per_lane));
        let results: Vec<Operand> =
            lanes.map(|(x, y)| limbs::compare(&mut self.b, pred, x, y)).collect();
        self.define(inst, &results);
        Ok(())
    }

    /// A conversion from or to wide integers.
    pub fn wide_convert(&mut self, inst: LlvmValue, op: CastOp) -> Result<(), String> {
        let (from, to) = (inst.operand(0).ty(), inst.ty());
        let src = self.leaves(inst.operand(0))?;
        let mut results = Vec::new();
        for src in src.as_slice().chunks(leaves_per_lane(from)) {
            let b = &mut self.b;
            results.extend(match op {
                CastOp::Trunc | CastOp::Zext => limbs::resize(b, src, lane(to).int_width(), false),
                CastOp::Sext => limbs::resize(b, src, lane(to).int_width(), true),
                CastOp::PtrToInt => {
                    let address = b.cast(CastOp::PtrToInt, src[0], Ty::Int(LIMB_BITS as u8));
                    limbs::resize(b, &[address], lane(to).int_width(), false)
                }
                CastOp::IntToPtr => vec![b.cast(CastOp::IntToPtr, src[0], Ty::Ptr)],
                _ => {
                    let (from, to) = (from.describe(), to.describe());
                    return Err(format!("a conversion from {from} to {to}"));
                }
            });
        }
        self.define(inst, &results);
        Ok(())
    }

    /// A switch, as a chain of comparisons.
    pub fn wide_switch(&mut self, inst: LlvmValue) -> Result<(), String> {
        let value = self.leaves(inst.operand(0))?;
        let default = self.edge(inst.successor(0))?;
        for n in 1..inst.successors().len() as u32 {
            let case = self.leaves(inst.switch_case(n))?;
            let cond = limbs::compare(&mut self.b, Icmp::Eq, value.as_slice(), case.as_slice());
            let then = self.edge(inst.successor(n))?;
            let next: BlockId = self.b.create_block();
            let otherwise = Edge { block: next, args: Box::default() };
            self.b.terminate(Terminator::Branch { cond, then, otherwise });
            self.b.switch_to(next);
        }
        self.b.terminate(Terminator::Jump(default));
        Ok(())
    }

    /// An intrinsic with wide integers among its arguments or results.
    pub fn wide_intrinsic(
        &mut self,
        name: &str,
        args: &[FlatValue],
        ret: &Shape,
    ) -> Result<Vec<Operand>, String> {
        let unsupported = || format!("intrinsic {name}");
        if args.iter().map(|a| &a.shape).chain([ret]).any(|s| matches!(s, Shape::Array(..))) {
            return Err(unsupported());
        }
        let base = intrinsics::base(name);
        let all: Vec<&[Operand]> = args.iter().map(|a| &a.leaves[..]).collect();
        let b = &mut self.b;
        if let (Some(op), [x, y]) = (intrinsics::int::binary(base), &all[..]) {
            return limbs::binary(b, op, x, y).ok_or_else(unsupported);
        }
        if let (Some(op), [x, ..]) = (intrinsics::int::unary(base), &all[..]) {
            return Ok(limbs::unary(b, op, x));
        }
        if let (Some(op), [x, y]) = (intrinsics::int::with_overflow(base), &all[..]) {
            let (mut result, overflows) = limbs::overflow(b, op, x, y);
            result.push(overflows);
            return Ok(result);
        }
        match (base, &all[..]) {
            ("fshl", [x, y, n]) => limbs::funnel(b, true, x, y, n).ok_or_else(unsupported),
            ("fshr", [x, y, n]) => limbs::funnel(b, false, x, y, n).ok_or_else(unsupported),
            ("scmp" | "ucmp", [x, y]) => {
                let &Shape::Scalar(ty) = ret else { return Err(unsupported()) };
                let (above, below) = match base {
                    "scmp" => (Icmp::Sgt, Icmp::Slt),
                    _ => (Icmp::Ugt, Icmp::Ult),
                };
                let above = limbs::compare(b, above, x, y);
                let below = limbs::compare(b, below, x, y);
                Ok(vec![intrinsics::int::three_way(b, above, below, ty)])
            }
            // None of these depends on the value.
            ("expect" | "expect.with.probability" | "is.constant" | "fake.use", _) => {
                intrinsics::lower(b, name, args, ret)
            }
            _ => Err(unsupported()),
        }
    }
}
