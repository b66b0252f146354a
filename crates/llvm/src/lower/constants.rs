//! Scalar constants, or lanes of vectors, reduced to what they are: a number, or addresses added and
//! subtracted. Undef and poison are zero.

use byway_ir::Symbol;
use llvm_sys::{LLVMOpcode as Op, LLVMTypeKind as K};

use super::Program;
use super::types::{lane as lane_type, scalar};
use crate::llvm::{GepStep, Kind, Type, Value};
use crate::shape::LIMB_BITS;

/// What a scalar constant amounts to.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Folded {
    /// A bit pattern.
    Bits(u128),
    /// `plus - minus + addend`, modulo 2^64.
    Address {
        /// The symbol whose address is taken.
        plus: Symbol,
        /// The symbol whose address is subtracted.
        minus: Option<Symbol>,
        /// Added to it.
        addend: i64,
    },
}

impl Folded {
    fn offset(self, bytes: i64) -> Folded {
        match self {
            Folded::Bits(bits) => Folded::Bits((bits as u64).wrapping_add(bytes as u64).into()),
            Folded::Address { plus, minus, addend } => {
                Folded::Address { plus, minus, addend: addend.wrapping_add(bytes) }
            }
        }
    }
}

impl Program {
    /// Reduces a scalar constant; the error says what about it is not supported.
    pub fn fold(&mut self, constant: Value) -> Result<Folded, String> {
        self.fold_lane(constant, 0)
    }

    /// Reduces one lane of a constant vector, or a scalar, which is all lanes at once.
    pub fn fold_lane(&mut self, constant: Value, lane: u32) -> Result<Folded, String> {
        let kind = constant.kind();
        if matches!(kind, Kind::Aggregate | Kind::Data)
            || (kind == Kind::Integer && scalar(constant.ty()).is_none())
        {
            let element = constant.aggregate_element(lane).ok_or("a lane that does not exist")?;
            return self.fold_lane(element, 0);
        }
        match kind {
            Kind::Integer => Ok(Folded::Bits(constant.int_bits().0)),
            Kind::Float => Ok(Folded::Bits(constant.fp_bits())),
            Kind::Zero | Kind::Undefined => Ok(Folded::Bits(0)),
            Kind::Function | Kind::Global | Kind::IFunc => Ok(self.symbol_address(constant)),
            Kind::Alias => self.fold(constant.aliasee()),
            Kind::Wrapper => self.fold(constant.operand(0)),
            Kind::BlockAddress => Ok(self.block_address(constant)),
            Kind::Expression => self.fold_expression(constant, lane),
            kind => Err(format!("a constant of kind {kind:?}")),
        }
    }

    fn symbol_address(&self, constant: Value) -> Folded {
        match self.symbols.get(&constant) {
            Some(&plus) => Folded::Address { plus, minus: None, addend: 0 },
            // Undefined and weak: its address is null.
            None => Folded::Bits(0),
        }
    }

    fn block_address(&mut self, constant: Value) -> Folded {
        let (function, block) = constant.block_address();
        let Some(&Symbol::Func(func)) = self.symbols.get(&function) else {
            return Folded::Bits(0);
        };
        match self.block_ids(function).get(&block) {
            Some(&id) => Folded::Address { plus: Symbol::Block(func, id), minus: None, addend: 0 },
            // As LLVM does for a label that cannot be reached: not null, not valid.
            None => Folded::Bits(1),
        }
    }

    fn fold_expression(&mut self, constant: Value, lane: u32) -> Result<Folded, String> {
        let opcode = constant.const_opcode();
        let to_integer = matches!(opcode, Op::LLVMPtrToInt | Op::LLVMPtrToAddr);
        let width = match scalar(lane_type(constant.ty())) {
            Some(ty) => ty.bits(),
            // A wide integer; nothing of an address lies above its first limb.
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
                            Folded::Bits(n) => sum = sum.offset((n as i64).wrapping_mul(scale)),
                            Folded::Address { .. } => return Err("an address as index".into()),
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
                let lanes = |ty: Type| match ty.kind() {
                    K::LLVMVectorTypeKind => ty.vector_len(),
                    _ => 1,
                };
                if lanes(operand.ty()) != lanes(constant.ty()) {
                    return self.fold_bitcast(operand, lane, width);
                }
                Ok(match self.fold_lane(operand, lane)? {
                    Folded::Bits(bits) => Folded::Bits(bits & u128::MAX >> (128 - width)),
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

    /// Bits gathered from lanes of another width.
    fn fold_bitcast(&mut self, operand: Value, lane: u32, width: u32) -> Result<Folded, String> {
        let from =
            scalar(lane_type(operand.ty())).ok_or("a constant cast of wide integers")?.bits();
        let (start, end) = (lane * width, (lane + 1) * width);
        let mut all = 0;
        for n in start / from..end.div_ceil(from) {
            let Folded::Bits(bits) = self.fold_lane(operand, n)? else {
                return Err("a constant cast that cuts an address in pieces".into());
            };
            match (n * from).checked_sub(start) {
                Some(above) => all |= bits << above,
                None => all |= bits >> (start - n * from),
            }
        }
        Ok(Folded::Bits(all & u128::MAX >> (128 - width)))
    }
}

fn arithmetic(opcode: Op, a: Folded, b: Folded, width: u32) -> Option<Folded> {
    use Folded::{Address, Bits};
    let cut = |bits: u128| Bits(bits & u128::MAX >> (128 - width));
    match (opcode, a, b) {
        (Op::LLVMAdd, Bits(a), Bits(b)) => Some(cut(a.wrapping_add(b))),
        (Op::LLVMSub, Bits(a), Bits(b)) => Some(cut(a.wrapping_sub(b))),
        (Op::LLVMXor, Bits(a), Bits(b)) => Some(cut(a ^ b)),
        (Op::LLVMAdd, a @ Address { .. }, Bits(n)) | (Op::LLVMAdd, Bits(n), a @ Address { .. }) => {
            Some(a.offset(n as i64))
        }
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
