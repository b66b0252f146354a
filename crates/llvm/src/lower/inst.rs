//! Lowering of instructions: arithmetic, comparisons, conversions, terminators.
//! Memory, vectors and calls have modules of their own.

use byway_ir::{BinOp, CastOp, FBinOp, FUnOp, Fcmp, Icmp, Operand, Terminator};
use llvm_sys::{LLVMIntPredicate as IntP, LLVMOpcode as Op, LLVMRealPredicate as RealP};

use super::func::FunctionLowering;
use super::types::{leaves_per_lane, wide};
use crate::intrinsics;
use crate::llvm::LlvmValue;

impl FunctionLowering<'_> {
    /// Lowers one instruction; an error names what is not supported.
    pub fn instruction(&mut self, inst: LlvmValue, opcode: Op) -> Result<(), String> {
        if let Some(op) = binary(opcode) {
            if wide(inst.ty()).is_some() {
                return self.wide_binary(inst, op);
            }
            let nsw =
                matches!(op, BinOp::Add | BinOp::Sub | BinOp::Mul | BinOp::Shl) && inst.has_nsw();
            return self.lanewise2(inst, |l, a, b| {
                if nsw { l.b.bin_nsw(op, a, b) } else { l.b.bin(op, a, b) }
            });
        }
        if let Some(op) = float_binary(opcode) {
            return self.lanewise2(inst, |l, a, b| l.b.fbin(op, a, b));
        }
        if let Some(op) = conversion(opcode) {
            return self.convert(inst, op);
        }
        match opcode {
            Op::LLVMFNeg => self.lanewise1(inst, |l, a| l.b.fun(FUnOp::Neg, a)),
            Op::LLVMICmp => {
                let pred = icmp(inst.icmp());
                if wide(inst.operand(0).ty()).is_some() {
                    return self.wide_compare(inst, pred);
                }
                self.lanewise2(inst, |l, a, b| l.b.icmp(pred, a, b))
            }
            Op::LLVMFCmp => {
                let pred = fcmp(inst.fcmp());
                self.lanewise2(inst, |l, a, b| l.b.fcmp(pred, a, b))
            }
            Op::LLVMSelect => self.select(inst),
            Op::LLVMFreeze => self.freeze(inst),
            Op::LLVMAddrSpaceCast => self.forward(inst),
            Op::LLVMBitCast => self.bitcast(inst),
            Op::LLVMAlloca => self.alloca_inst(inst),
            Op::LLVMLoad => self.load(inst),
            Op::LLVMStore => self.store(inst),
            Op::LLVMGetElementPtr => self.gep(inst),
            Op::LLVMAtomicCmpXchg => self.cmpxchg(inst),
            Op::LLVMAtomicRMW => self.atomic_rmw(inst),
            Op::LLVMFence => Ok(()),
            Op::LLVMExtractElement => self.extract_element(inst),
            Op::LLVMInsertElement => self.insert_element(inst),
            Op::LLVMShuffleVector => self.shuffle(inst),
            Op::LLVMExtractValue => self.extract_value(inst),
            Op::LLVMInsertValue => self.insert_value(inst),
            Op::LLVMCall => self.call(inst),
            Op::LLVMInvoke => {
                self.call(inst)?;
                let edge = self.edge(inst.normal_dest())?;
                self.b.terminate(Terminator::Jump(edge));
                Ok(())
            }
            Op::LLVMSwitch if wide(inst.operand(0).ty()).is_some() => self.wide_switch(inst),
            Op::LLVMRet
            | Op::LLVMBr
            | Op::LLVMSwitch
            | Op::LLVMIndirectBr
            | Op::LLVMUnreachable => {
                let terminator = self.terminator(inst, opcode)?;
                self.b.terminate(terminator);
                Ok(())
            }
            _ => Err(format!("instruction {}", opcode_name(opcode))),
        }
    }

    fn terminator(&mut self, inst: LlvmValue, opcode: Op) -> Result<Terminator, String> {
        match opcode {
            Op::LLVMRet if inst.operand_count() == 0 => Ok(Terminator::Return(Box::default())),
            Op::LLVMRet => {
                let leaves = self.leaves(inst.operand(0))?;
                Ok(Terminator::Return(leaves.as_slice().into()))
            }
            Op::LLVMBr if inst.operand_count() == 1 => {
                Ok(Terminator::Jump(self.edge(inst.successor(0))?))
            }
            Op::LLVMBr => {
                let cond = self.scalar(inst.operand(0))?;
                let then = self.edge(inst.successor(0))?;
                let otherwise = self.edge(inst.successor(1))?;
                Ok(Terminator::Branch { cond, then, otherwise })
            }
            Op::LLVMSwitch => {
                let value = self.scalar(inst.operand(0))?;
                let count = inst.successors().len() as u32;
                let mut cases = Vec::with_capacity(count as usize);
                for n in 1..count {
                    let edge = self.edge(inst.successor(n))?;
                    cases.push((inst.switch_case(n).int_bits().0, edge));
                }
                let default = self.edge(inst.successor(0))?;
                Ok(Terminator::Switch { value, cases: cases.into(), default })
            }
            Op::LLVMIndirectBr => {
                let addr = self.scalar(inst.operand(0))?;
                let mut blocks: Vec<_> = Vec::new();
                for block in inst.successors() {
                    if !blocks.contains(&block) {
                        blocks.push(block);
                    }
                }
                let targets = blocks.into_iter().map(|b| self.edge(b)).collect::<Result<_, _>>()?;
                Ok(Terminator::IndirectJump { addr, targets })
            }
            _ => Ok(Terminator::Unreachable),
        }
    }

    /// Applies an operation to each lane of the one operand.
    fn lanewise1(
        &mut self,
        inst: LlvmValue,
        mut op: impl FnMut(&mut Self, Operand) -> Operand,
    ) -> Result<(), String> {
        let a = self.leaves(inst.operand(0))?;
        let results: Vec<Operand> = a.as_slice().iter().map(|&a| op(self, a)).collect();
        self.define(inst, &results);
        Ok(())
    }

    /// Applies an operation to each pair of lanes of the two operands.
    fn lanewise2(
        &mut self,
        inst: LlvmValue,
        mut op: impl FnMut(&mut Self, Operand, Operand) -> Operand,
    ) -> Result<(), String> {
        let a = self.leaves(inst.operand(0))?;
        let b = self.leaves(inst.operand(1))?;
        let pairs = a.as_slice().iter().zip(b.as_slice());
        let results: Vec<Operand> = pairs.map(|(&a, &b)| op(self, a, b)).collect();
        self.define(inst, &results);
        Ok(())
    }

    /// Defines the result as the first operand.
    /// A value with arbitrary but fixed bits in place of undefined ones; or the mark of a
    /// variable that has no value yet.
    fn freeze(&mut self, inst: LlvmValue) -> Result<(), String> {
        let Some(name) = inst.undefined_variable() else {
            return self.lanewise1(inst, |l, a| {
                let ty = l.b.ty(a);
                l.b.cast(CastOp::Freeze, a, ty)
            });
        };
        if inst.is_used() {
            let layout = self.layout(inst.ty())?;
            let leaves: Vec<Operand> =
                layout.leaves.iter().map(|&ty| self.b.undefined(ty, &name)).collect();
            self.define(inst, &leaves);
        }
        Ok(())
    }

    fn forward(&mut self, inst: LlvmValue) -> Result<(), String> {
        let leaves = self.leaves(inst.operand(0))?;
        self.define(inst, leaves.as_slice());
        Ok(())
    }

    fn convert(&mut self, inst: LlvmValue, op: CastOp) -> Result<(), String> {
        if wide(inst.ty()).or(wide(inst.operand(0).ty())).is_some() {
            return self.wide_convert(inst, op);
        }
        let to = self.layout(inst.ty())?;
        let Some(&to) = to.leaves.first() else { return self.forward(inst) };
        self.lanewise1(inst, |l, a| l.b.cast(op, a, to))
    }

    fn bitcast(&mut self, inst: LlvmValue) -> Result<(), String> {
        let to = self.layout(inst.ty())?.leaves.clone();
        let from = self.leaves(inst.operand(0))?;
        let same = from.as_slice().iter().map(|&o| self.b.ty(o)).eq(to.iter().copied());
        let leaves = if same {
            from.as_slice().to_vec()
        } else if let ([one], [ty]) = (from.as_slice(), &to[..]) {
            vec![self.b.cast(CastOp::Bitcast, *one, *ty)]
        } else {
            intrinsics::reinterpret(&mut self.b, from.as_slice(), &to)?
        };
        self.define(inst, &leaves);
        Ok(())
    }

    fn select(&mut self, inst: LlvmValue) -> Result<(), String> {
        let cond = self.leaves(inst.operand(0))?;
        let a = self.leaves(inst.operand(1))?;
        let b = self.leaves(inst.operand(2))?;
        let per_lane = leaves_per_lane(inst.ty());
        let lane_cond = |n: usize| match cond.as_slice() {
            [one] => *one,
            many => many[n / per_lane],
        };
        let pairs = a.as_slice().iter().zip(b.as_slice()).enumerate();
        let results: Vec<Operand> =
            pairs.map(|(n, (&a, &b))| self.b.select(lane_cond(n), a, b)).collect();
        self.define(inst, &results);
        Ok(())
    }

    /// The bits of an operand that is a constant number.
    pub fn as_number(&self, operand: Operand) -> Option<u128> {
        intrinsics::const_bits(&self.b, operand)
    }
}

/// The integer operation of an opcode.
pub fn binary(opcode: Op) -> Option<BinOp> {
    Some(match opcode {
        Op::LLVMAdd => BinOp::Add,
        Op::LLVMSub => BinOp::Sub,
        Op::LLVMMul => BinOp::Mul,
        Op::LLVMUDiv => BinOp::UDiv,
        Op::LLVMSDiv => BinOp::SDiv,
        Op::LLVMURem => BinOp::URem,
        Op::LLVMSRem => BinOp::SRem,
        Op::LLVMShl => BinOp::Shl,
        Op::LLVMLShr => BinOp::LShr,
        Op::LLVMAShr => BinOp::AShr,
        Op::LLVMAnd => BinOp::And,
        Op::LLVMOr => BinOp::Or,
        Op::LLVMXor => BinOp::Xor,
        _ => return None,
    })
}

fn float_binary(opcode: Op) -> Option<FBinOp> {
    Some(match opcode {
        Op::LLVMFAdd => FBinOp::Add,
        Op::LLVMFSub => FBinOp::Sub,
        Op::LLVMFMul => FBinOp::Mul,
        Op::LLVMFDiv => FBinOp::Div,
        Op::LLVMFRem => FBinOp::Rem,
        _ => return None,
    })
}

/// The conversion of an opcode.
pub fn conversion(opcode: Op) -> Option<CastOp> {
    Some(match opcode {
        Op::LLVMTrunc => CastOp::Trunc,
        Op::LLVMZExt => CastOp::Zext,
        Op::LLVMSExt => CastOp::Sext,
        Op::LLVMFPToSI => CastOp::FpToSi,
        Op::LLVMFPToUI => CastOp::FpToUi,
        Op::LLVMSIToFP => CastOp::SiToFp,
        Op::LLVMUIToFP => CastOp::UiToFp,
        Op::LLVMFPTrunc | Op::LLVMFPExt => CastOp::FpConvert,
        Op::LLVMPtrToInt | Op::LLVMPtrToAddr => CastOp::PtrToInt,
        Op::LLVMIntToPtr => CastOp::IntToPtr,
        _ => return None,
    })
}

fn icmp(pred: IntP) -> Icmp {
    match pred {
        IntP::LLVMIntEQ => Icmp::Eq,
        IntP::LLVMIntNE => Icmp::Ne,
        IntP::LLVMIntUGT => Icmp::Ugt,
        IntP::LLVMIntUGE => Icmp::Uge,
        IntP::LLVMIntULT => Icmp::Ult,
        IntP::LLVMIntULE => Icmp::Ule,
        IntP::LLVMIntSGT => Icmp::Sgt,
        IntP::LLVMIntSGE => Icmp::Sge,
        IntP::LLVMIntSLT => Icmp::Slt,
        IntP::LLVMIntSLE => Icmp::Sle,
    }
}

fn fcmp(pred: RealP) -> Fcmp {
    match pred {
        RealP::LLVMRealPredicateFalse => Fcmp::False,
        RealP::LLVMRealOEQ => Fcmp::Oeq,
        RealP::LLVMRealOGT => Fcmp::Ogt,
        RealP::LLVMRealOGE => Fcmp::Oge,
        RealP::LLVMRealOLT => Fcmp::Olt,
        RealP::LLVMRealOLE => Fcmp::Ole,
        RealP::LLVMRealONE => Fcmp::One,
        RealP::LLVMRealORD => Fcmp::Ord,
        RealP::LLVMRealUNO => Fcmp::Uno,
        RealP::LLVMRealUEQ => Fcmp::Ueq,
        RealP::LLVMRealUGT => Fcmp::Ugt,
        RealP::LLVMRealUGE => Fcmp::Uge,
        RealP::LLVMRealULT => Fcmp::Ult,
        RealP::LLVMRealULE => Fcmp::Ule,
        RealP::LLVMRealUNE => Fcmp::Une,
        RealP::LLVMRealPredicateTrue => Fcmp::True,
    }
}

fn opcode_name(opcode: Op) -> String {
    let name = format!("{opcode:?}");
    name.strip_prefix("LLVM").unwrap_or(&name).to_lowercase()
}
