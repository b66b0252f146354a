//! Folding of scalar constants and vector lanes to a bit pattern, or to a sum or difference
//! of addresses. Undef and poison are zero.

use byway_ir::Symbol;
use llvm_sys::{LLVMOpcode as Op, LLVMTypeKind as K};

use super::ProgramLowering;
use super::types::{lane as lane_type, scalar};
use crate::llvm::{GepStep, LlvmType, LlvmValue, ValueKind};
use crate::shape::LIMB_BITS;

/// A folded scalar constant.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum FoldedConstant {
    /// A bit pattern.
    Bits(u128),
    /// `plus - minus + addend`, modulo 2^64.
    Address {
        /// The symbol whose address is taken.
        plus: Symbol,
        /// The symbol whose address is subtracted.
        minus: Option<Symbol>,
        /// In bytes.
        addend: i64,
    },
}

impl FoldedConstant {
    fn offset(self, bytes: i64) -> FoldedConstant {
        match self {
            FoldedConstant::Bits(bits) => {
                FoldedConstant::Bits((bits as u64).wrapping_add(bytes as u64).into())
            }
            FoldedConstant::Address { plus, minus, addend } => {
                FoldedConstant::Address { plus, minus, addend: addend.wrapping_add(bytes) }
            }
        }
    }
}

impl ProgramLowering {
    /// Folds a scalar constant; the error names what is not supported.
    pub fn fold(&mut self, constant: LlvmValue) -> Result<FoldedConstant, String> {
        self.fold_lane(constant, 0)
    }

    /// Folds one lane of a constant vector. A scalar has the same value in every lane.
    pub fn fold_lane(&mut self, constant: LlvmValue, lane: u32) -> Result<FoldedConstant, String> {
        let kind = constant.kind();
        if matches!(kind, ValueKind::Aggregate | ValueKind::Data)
            || (kind == ValueKind::Integer && scalar(constant.ty()).is_none())
        {
            let element = constant.aggregate_element(lane).ok_or("a lane that does not exist")?;
            return self.fold_lane(element, 0);
        }
        match kind {
            ValueKind::Integer => Ok(FoldedConstant::Bits(constant.int_bits().0)),
            ValueKind::Float => Ok(FoldedConstant::Bits(constant.fp_bits())),
            ValueKind::Zero | ValueKind::Undefined => Ok(FoldedConstant::Bits(0)),
            ValueKind::Function | ValueKind::Global | ValueKind::IFunc => {
                Ok(self.symbol_address(constant))
            }
            ValueKind::Alias => self.fold(constant.aliasee()),
            ValueKind::Wrapper => self.fold(constant.operand(0)),
            ValueKind::BlockAddress => Ok(self.block_address(constant)),
            ValueKind::Expression => self.fold_expression(constant, lane),
            kind => Err(format!("a constant of kind {kind:?}")),
        }
    }

    fn symbol_address(&self, constant: LlvmValue) -> FoldedConstant {
        match self.symbols.get(&constant) {
            Some(&plus) => FoldedConstant::Address { plus, minus: None, addend: 0 },
            // The address of an undefined weak symbol is null.
            None => FoldedConstant::Bits(0),
        }
    }

    fn block_address(&mut self, constant: LlvmValue) -> FoldedConstant {
        let (function, block) = constant.block_address();
        let Some(&Symbol::Func(func)) = self.symbols.get(&function) else {
            return FoldedConstant::Bits(0);
        };
        match self.block_ids(function).get(&block) {
            Some(&id) => {
                FoldedConstant::Address { plus: Symbol::Block(func, id), minus: None, addend: 0 }
            }
            // As in LLVM, the address of an unreachable label is neither null nor valid.
            None => FoldedConstant::Bits(1),
        }
    }

    fn fold_expression(
        &mut self,
        constant: LlvmValue,
        lane: u32,
    ) -> Result<FoldedConstant, String> {
        let opcode = constant.const_opcode();
        let to_integer = matches!(opcode, Op::LLVMPtrToInt | Op::LLVMPtrToAddr);
        let width = match scalar(lane_type(constant.ty())) {
            Some(ty) => ty.bits(),
            // A wide integer: the address is in its first limb, the others are zero.
            None if to_integer => LIMB_BITS,
            None => return Err(format!("a constant of type {}", constant.ty().describe())),
        };
        match opcode {
            Op::LLVMGetElementPtr => {
                let mut sum = self.fold_lane(constant.operand(0), lane)?;
                for step in constant.gep_steps(self.module).ok_or("a scalable GEP")? {
                    match step {
                        GepStep::Bytes(bytes) => sum = sum.offset(bytes),
                        GepStep::Index(index, scale) => match self.fold_lane(index, lane)? {
                            FoldedConstant::Bits(n) => {
                                sum = sum.offset((n as i64).wrapping_mul(scale))
                            }
                            // As in `&((char *)0)[(long)&a]`.
                            address if scale == 1 => {
                                sum = arithmetic(Op::LLVMAdd, sum, address, LIMB_BITS)
                                    .ok_or("an address as index of another")?;
                            }
                            _ => return Err("an address as scaled index".into()),
                        },
                    }
                }
                Ok(sum)
            }
            Op::LLVMPtrToInt
            | Op::LLVMPtrToAddr
            | Op::LLVMIntToPtr
            | Op::LLVMAddrSpaceCast
            | Op::LLVMBitCast
            | Op::LLVMTrunc => {
                let operand = constant.operand(0);
                let lanes = |ty: LlvmType| match ty.kind() {
                    K::LLVMVectorTypeKind => ty.vector_len(),
                    _ => 1,
                };
                if lanes(operand.ty()) != lanes(constant.ty()) {
                    return self.fold_bitcast(operand, lane, width);
                }
                Ok(match self.fold_lane(operand, lane)? {
                    FoldedConstant::Bits(bits) => {
                        FoldedConstant::Bits(bits & u128::MAX >> (128 - width))
                    }
                    address => address,
                })
            }
            Op::LLVMAdd | Op::LLVMSub | Op::LLVMXor => {
                let a = self.fold_lane(constant.operand(0), lane)?;
                let b = self.fold_lane(constant.operand(1), lane)?;
                arithmetic(opcode, a, b, width)
                    .ok_or_else(|| "arithmetic on addresses in a constant".to_string())
            }
            _ => Err(format!("the constant expression {opcode:?}")),
        }
    }

    /// A lane of a bitcast between lanes of different widths.
    fn fold_bitcast(
        &mut self,
        operand: LlvmValue,
        lane: u32,
        width: u32,
    ) -> Result<FoldedConstant, String> {
        let from =
            scalar(lane_type(operand.ty())).ok_or("a constant cast of wide integers")?.bits();
        let (start, end) = (lane * width, (lane + 1) * width);
        let mut all = 0;
        for n in start / from..end.div_ceil(from) {
            let FoldedConstant::Bits(bits) = self.fold_lane(operand, n)? else {
                return Err("a constant cast that cuts an address in pieces".into());
            };
            match (n * from).checked_sub(start) {
                Some(above) => all |= bits << above,
                None => all |= bits >> (start - n * from),
            }
        }
        Ok(FoldedConstant::Bits(all & u128::MAX >> (128 - width)))
    }
}

fn arithmetic(
    opcode: Op,
    a: FoldedConstant,
    b: FoldedConstant,
    width: u32,
) -> Option<FoldedConstant> {
    use FoldedConstant::{Address, Bits};
    let cut = |bits: u128| Bits(bits & u128::MAX >> (128 - width));
    match (opcode, a, b) {
        (Op::LLVMAdd, Bits(a), Bits(b)) => Some(cut(a.wrapping_add(b))),
        (Op::LLVMSub, Bits(a), Bits(b)) => Some(cut(a.wrapping_sub(b))),
        (Op::LLVMXor, Bits(a), Bits(b)) => Some(cut(a ^ b)),
        (Op::LLVMAdd, a @ Address { .. }, Bits(n)) | (Op::LLVMAdd, Bits(n), a @ Address { .. }) => {
            Some(a.offset(n as i64))
        }
        // b + (a - b)
        (
            Op::LLVMAdd,
            Address { plus: base, minus, addend },
            Address { plus, minus: Some(other), addend: more },
        )
        | (
            Op::LLVMAdd,
            Address { plus, minus: Some(other), addend: more },
            Address { plus: base, minus, addend },
        ) if base == other => Some(Address { plus, minus, addend: addend.wrapping_add(more) }),
        (Op::LLVMSub, a @ Address { .. }, Bits(n)) => Some(a.offset((n as i64).wrapping_neg())),
        (
            Op::LLVMSub,
            Address { plus, minus: None, addend },
            Address { plus: other, minus: None, addend: other_addend },
        ) => {
            let addend = addend.wrapping_sub(other_addend);
            if plus == other {
                return Some(cut(addend as i128 as u128));
            }
            Some(Address { plus, minus: Some(other), addend })
        }
        _ => None,
    }
}
