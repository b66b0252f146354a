//! Compiles instructions.

use byway_base::{FaultKind, UnsupportedFeature};
use byway_ir::{BinOp, Callee, CastOp, FBinOp, Icmp, Inst, Operand, Scaled, Ty, Val};

use super::compile::{FunctionCompiler, keeps_bits, slots_of};
use super::{ByteOp, CallSite, CallTarget, Check, General, Slot, Special};

/// An instruction without an operation of its own.
enum Rare {
    General(General),
    Special(Special),
}

fn unsupported(instruction: String) -> Special {
    Special::Unsupported { feature: Box::new(UnsupportedFeature::Instruction(instruction)) }
}

impl<'a> FunctionCompiler<'a> {
    pub(super) fn inst(&mut self, inst: &'a Inst) {
        if keeps_bits(self.func, inst).is_some() {
            return;
        }
        match inst {
            Inst::Bin { op, dst, a, b, nsw } => self.bin(*op, *dst, *a, *b, *nsw),
            Inst::Icmp { pred, dst, a, b } => self.icmp(*pred, *dst, *a, *b),
            Inst::FBin { op, dst, a, b } => self.fbin(*op, *dst, *a, *b),
            Inst::Cast { op, dst, src } => self.cast(*op, *dst, *src),
            Inst::PtrAdd { dst, base, offset, scaled, .. } => {
                self.ptr_add(*dst, *base, *offset, *scaled);
            }
            Inst::Load { dst, addr, align, .. } => self.load(*dst, *addr, *align),
            Inst::Store { addr, value, align, .. } => self.store(*addr, *value, *align),
            Inst::Call { callee, args, varargs, dsts, tail } => {
                let site = CallSite {
                    callee: match *callee {
                        Callee::Direct(func) => CallTarget::Direct(func),
                        Callee::Indirect(op) => CallTarget::Indirect(self.slot(op)),
                    },
                    args: self.typed_slots(args),
                    exact: self.exact_args(callee, args),
                    varargs: varargs.clone(),
                    dsts: dsts.iter().map(|&v| self.dst(v)).collect(),
                    tail: *tail,
                };
                let index = self.code.calls.len() as u32;
                self.code.calls.push(site);
                let n = self.take_line();
                self.emit(ByteOp::Call { n, index });
            }
            Inst::Select { dst, cond, a, b } => {
                let (d, c) = (self.dst(*dst), self.slot(*cond));
                let (a, b) = (self.typed_slot(*a), self.typed_slot(*b));
                if d.ty.is_wide() {
                    self.general(General::Select { d, c, a, b });
                } else {
                    self.emit(ByteOp::Select { d: d.slot, c, a: a.slot, b: b.slot });
                }
            }
            _ => match self.rare(inst) {
                Rare::General(general) => self.general(general),
                Rare::Special(special) => self.special(special),
            },
        }
    }

    /// Compiles an instruction without an operation of its own.
    fn rare(&self, inst: &Inst) -> Rare {
        let general = match *inst {
            Inst::Un { op, dst, a } => General::Un { op, d: self.dst(dst), a: self.typed_slot(a) },
            Inst::Overflow { op, dst, overflow, a, b } => General::Overflow {
                op,
                d: self.dst(dst),
                overflow: self.val_slots[overflow],
                a: self.typed_slot(a),
                b: self.typed_slot(b),
            },
            Inst::Funnel { left, dst, a, b, amount } => General::Funnel {
                left,
                d: self.dst(dst),
                a: self.typed_slot(a),
                b: self.typed_slot(b),
                amount: self.typed_slot(amount),
            },
            Inst::FUn { op, dst, a } => {
                General::FUn { op, d: self.dst(dst), a: self.typed_slot(a) }
            }
            Inst::Fma { dst, a, b, c } => General::Fma {
                d: self.dst(dst),
                a: self.typed_slot(a),
                b: self.typed_slot(b),
                c: self.typed_slot(c),
            },
            Inst::Fcmp { pred, dst, a, b } => General::Fcmp {
                pred,
                d: self.val_slots[dst],
                a: self.typed_slot(a),
                b: self.typed_slot(b),
            },
            Inst::FpClass { dst, a, mask } => {
                General::FpClass { d: self.val_slots[dst], a: self.typed_slot(a), mask }
            }
            _ => return Rare::Special(self.rare_special(inst)),
        };
        Rare::General(general)
    }

    fn rare_special(&self, inst: &Inst) -> Special {
        match inst {
            Inst::Alloca { dst, size, count, align, name } => Special::Alloca {
                d: self.val_slots[*dst],
                size: *size,
                count: self.typed_slot(*count),
                align: *align,
                name: name.as_ref().into(),
            },
            &Inst::Lifetime { addr, begins } => Special::Lifetime { addr: self.slot(addr), begins },
            Inst::Undefined { dst, name } => {
                Special::Undefined { d: self.typed_slot((*dst).into()), name: name.as_ref().into() }
            }
            Inst::StackSave { dst } => Special::StackSave { d: self.val_slots[*dst] },
            Inst::StackRestore { mark } => Special::StackRestore { mark: self.slot(*mark) },
            Inst::MemCopy { dst, src, len, overlap } => Special::MemCopy {
                dst: self.slot(*dst),
                src: self.slot(*src),
                len: self.typed_slot(*len),
                may_overlap: *overlap,
            },
            Inst::MemSet { dst, byte, len } => Special::MemSet {
                dst: self.slot(*dst),
                byte: self.slot(*byte),
                len: self.typed_slot(*len),
            },
            &Inst::VaStart { list, general, vector, stack } => {
                Special::VaStart { list: self.slot(list), general, vector, stack }
            }
            Inst::Trap => Special::Fail { kind: FaultKind::Trap, message: "the program trapped" },
            Inst::Unsupported { what, .. } => unsupported(what.to_string()),
            other => unsupported(format!("instruction {other:?}")),
        }
    }

    /// The slots of the arguments, if the callee's parameters have the same types.
    fn exact_args(&self, callee: &Callee, args: &[Operand]) -> Option<Box<[Slot]>> {
        let &Callee::Direct(func) = callee else { return None };
        let params = self.context.signature(func)?;
        let fits = params.len() == args.len()
            && params
                .iter()
                .zip(args)
                .all(|(ty, &op)| ty.bits() == self.func.operand_ty(op).bits());
        fits.then(|| args.iter().flat_map(|&op| slots_of(self.typed_slot(op))).collect())
    }

    fn bin(&mut self, op: BinOp, dst: Val, a: Operand, b: Operand, nsw: bool) {
        let (d, pa, pb) = (self.dst(dst), self.typed_slot(a), self.typed_slot(b));
        // Optimised code may compute what it does not use, so a result that C leaves
        // undefined is no fault there.
        let checks = self.context.checks();
        if nsw && checks.signed_overflow && !self.func.optimised {
            self.check(Check::SignedOverflow { op, a: pa, b: pb });
        }
        let shifts = matches!(op, BinOp::Shl | BinOp::LShr | BinOp::AShr);
        if shifts && checks.shift && !self.func.optimised {
            self.check(Check::Shift { amount: pb, width: d.ty.bits() });
        }
        if d.ty.is_wide() {
            return self.general(General::Bin { op, d, a: pa, b: pb });
        }
        let w = d.ty.bits() as u8;
        let (d, a, b) = (d.slot, pa.slot, pb.slot);
        self.emit(match op {
            BinOp::Add => ByteOp::Add { w, d, a, b },
            BinOp::Sub => ByteOp::Sub { w, d, a, b },
            BinOp::Mul => ByteOp::Mul { w, d, a, b },
            BinOp::And => ByteOp::And { d, a, b },
            BinOp::Or => ByteOp::Or { d, a, b },
            BinOp::Xor => ByteOp::Xor { d, a, b },
            BinOp::Shl => ByteOp::Shl { w, d, a, b },
            BinOp::LShr => ByteOp::LShr { w, d, a, b },
            BinOp::AShr => ByteOp::AShr { w, d, a, b },
            BinOp::UDiv => ByteOp::UDiv { d, a, b },
            BinOp::URem => ByteOp::URem { d, a, b },
            BinOp::SDiv => ByteOp::SDiv { w, d, a, b },
            BinOp::SRem => ByteOp::SRem { w, d, a, b },
            _ => return self.general(General::Bin { op, d: self.dst(dst), a: pa, b: pb }),
        });
    }

    fn icmp(&mut self, pred: Icmp, dst: Val, a: Operand, b: Operand) {
        if self.fused[dst].is_some() {
            return;
        }
        let (d, pa, pb) = (self.val_slots[dst], self.typed_slot(a), self.typed_slot(b));
        if pa.ty.is_wide() {
            return self.general(General::Icmp { pred, d, a: pa, b: pb });
        }
        let w = pa.ty.bits() as u8;
        let (a, b) = (pa.slot, pb.slot);
        self.emit(match pred {
            Icmp::Eq => ByteOp::Eq { d, a, b },
            Icmp::Ne => ByteOp::Ne { d, a, b },
            Icmp::Ult => ByteOp::Ult { d, a, b },
            Icmp::Ule => ByteOp::Ule { d, a, b },
            Icmp::Ugt => ByteOp::Ult { d, a: b, b: a },
            Icmp::Uge => ByteOp::Ule { d, a: b, b: a },
            Icmp::Slt => ByteOp::Slt { w, d, a, b },
            Icmp::Sle => ByteOp::Sle { w, d, a, b },
            Icmp::Sgt => ByteOp::Slt { w, d, a: b, b: a },
            Icmp::Sge => ByteOp::Sle { w, d, a: b, b: a },
        });
    }

    fn fbin(&mut self, op: FBinOp, dst: Val, a: Operand, b: Operand) {
        let (d, pa, pb) = (self.dst(dst), self.typed_slot(a), self.typed_slot(b));
        if d.ty == Ty::F64 {
            let (d, a, b) = (d.slot, pa.slot, pb.slot);
            match op {
                FBinOp::Add => return self.emit(ByteOp::FAdd { d, a, b }),
                FBinOp::Sub => return self.emit(ByteOp::FSub { d, a, b }),
                FBinOp::Mul => return self.emit(ByteOp::FMul { d, a, b }),
                FBinOp::Div => return self.emit(ByteOp::FDiv { d, a, b }),
                _ => {}
            }
        }
        self.general(General::FBin { op, d, a: pa, b: pb });
    }

    fn cast(&mut self, op: CastOp, dst: Val, src: Operand) {
        let (d, a) = (self.dst(dst), self.typed_slot(src));
        match op {
            CastOp::Trunc | CastOp::PtrToInt if d.ty.bits() < 64 => {
                self.emit(ByteOp::Trunc { w: d.ty.bits() as u8, d: d.slot, a: a.slot });
            }
            CastOp::Sext if !d.ty.is_wide() => {
                let (from, to) = (a.ty.bits() as u8, d.ty.bits() as u8);
                self.emit(ByteOp::Sext { from, to, d: d.slot, a: a.slot });
            }
            _ => self.general(General::Cast { op, d, a }),
        }
    }

    fn ptr_add(&mut self, dst: Val, base: Operand, offset: i64, scaled: Option<Scaled>) {
        let d = self.val_slots[dst];
        let mut base = self.slot(base);
        if let Some(Scaled { index, scale }) = scaled {
            let index = self.typed_slot(index);
            match i32::try_from(scale) {
                Ok(scale) if !index.ty.is_wide() => {
                    let w = index.ty.bits() as u8;
                    self.emit(ByteOp::PtrIndex { w, d, base, index: index.slot, scale });
                }
                _ => self.general(General::PtrIndex { d, base, index, scale }),
            }
            base = d;
        }
        if offset == 0 || self.folded[dst].is_some() {
            return;
        }
        match i32::try_from(offset) {
            Ok(offset) => self.emit(ByteOp::PtrOffset { d, base, offset }),
            Err(_) => {
                let b = self.new_slot(Ty::Ptr);
                self.code.template[b as usize].bits = offset as u64;
                self.emit(ByteOp::Add { w: 64, d, a: base, b });
            }
        }
    }

    /// An address as a slot and an offset.
    pub(super) fn address(&self, addr: Operand) -> (Slot, i32) {
        let folded = addr.as_val().and_then(|val| self.folded[val]);
        let (base, offset) = folded.unwrap_or((addr, 0));
        (self.slot(base), offset)
    }

    fn check_alignment(&mut self, addr: Operand, align: u32) {
        if self.context.checks().alignment && align > 1 {
            self.check(Check::Aligned { addr: self.slot(addr), align });
        }
    }

    /// An address in one slot, for operations without an offset.
    fn whole_address(&mut self, addr: Operand) -> Slot {
        let (base, offset) = self.address(addr);
        if offset == 0 {
            return base;
        }
        let d = self.new_slot(Ty::Ptr);
        self.emit(ByteOp::PtrOffset { d, base, offset });
        d
    }

    fn load(&mut self, dst: Val, addr: Operand, align: u32) {
        self.check_alignment(addr, align);
        let place = self.dst(dst);
        let d = place.slot;
        let (at, offset) = self.address(addr);
        match place.ty.bits() {
            8 => self.emit(ByteOp::Load8 { d, addr: at, offset }),
            16 => self.emit(ByteOp::Load16 { d, addr: at, offset }),
            32 => self.emit(ByteOp::Load32 { d, addr: at, offset }),
            64 => self.emit(ByteOp::Load64 { d, addr: at, offset }),
            _ => {
                let addr = self.whole_address(addr);
                self.special(Special::Load { d: place, addr });
            }
        }
    }

    fn store(&mut self, addr: Operand, value: Operand, align: u32) {
        self.check_alignment(addr, align);
        let place = self.typed_slot(value);
        let value = place.slot;
        let (at, offset) = self.address(addr);
        match place.ty.bits() {
            8 => self.emit(ByteOp::Store8 { addr: at, value, offset }),
            16 => self.emit(ByteOp::Store16 { addr: at, value, offset }),
            32 => self.emit(ByteOp::Store32 { addr: at, value, offset }),
            64 => self.emit(ByteOp::Store64 { addr: at, value, offset }),
            _ => {
                let addr = self.whole_address(addr);
                self.special(Special::Store { addr, value: place });
            }
        }
    }
}
