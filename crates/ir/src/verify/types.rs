//! The types that operands and results of each instruction must have.

use rustc_hash::FxHashSet;

use super::{ErrorReporter, func::fits};
use crate::{
    Callee, CastOp, Function, Inst, Module, Operand, Scaled, Terminator, Ty, UnOp, Val, VarArg,
};

/// Checks an instruction whose operands and results all exist.
pub(super) fn check_inst(
    module: &Module,
    func: &Function,
    inst: &Inst,
    report: &mut ErrorReporter,
) {
    TypeChecker { module, func, report }.inst(inst);
}

/// Checks a terminator whose operands all exist, without its edges.
pub(super) fn check_terminator(func: &Function, term: &Terminator, report: &mut ErrorReporter) {
    let mut expect = |what: &str, found: Ty, wanted: Ty| {
        if found != wanted {
            report.error(format!("{what} is {found}, not {wanted}"));
        }
    };
    match term {
        Terminator::Jump(_) | Terminator::Unreachable => {}
        Terminator::Branch { cond, .. } => {
            expect("the condition", func.operand_ty(*cond), Ty::BOOL);
        }
        Terminator::IndirectJump { addr, .. } => {
            expect("the address", func.operand_ty(*addr), Ty::Ptr);
        }
        Terminator::Switch { value, cases, .. } => {
            let ty = func.operand_ty(*value);
            if !ty.is_int() {
                report.error(format!("the value is {ty}, not an integer"));
            }
            let mut seen = FxHashSet::default();
            for (case, _) in cases {
                if !fits(*case, ty) {
                    report.error(format!("the case {case} has bits above the width of {ty}"));
                }
                if !seen.insert(case) {
                    report.error(format!("duplicate case {case}"));
                }
            }
        }
        Terminator::Return(values) => {
            if values.len() != func.rets.len() {
                let (given, wanted) = (values.len(), func.rets.len());
                report.error(format!("{given} values returned where the function has {wanted}"));
            } else {
                for (value, wanted) in values.iter().zip(&func.rets) {
                    expect("the value returned", func.operand_ty(*value), *wanted);
                }
            }
        }
    }
}

struct TypeChecker<'m, 'r, 'e> {
    module: &'m Module,
    func: &'m Function,
    report: &'r mut ErrorReporter<'e>,
}

impl TypeChecker<'_, '_, '_> {
    fn inst(&mut self, inst: &Inst) {
        match inst {
            Inst::Bin { dst, a, b, .. } => self.ints(*dst, &[*a, *b]),
            Inst::Un { op, dst, a } => {
                self.ints(*dst, &[*a]);
                let bits = self.func.vals[*dst].bits();
                if *op == UnOp::Bswap && !bits.is_multiple_of(16) {
                    self.report.error(format!("{bits} bits are not an even number of bytes"));
                }
            }
            Inst::Overflow { dst, overflow, a, b, .. } => {
                self.ints(*dst, &[*a, *b]);
                self.result(*overflow, Ty::BOOL);
            }
            Inst::Funnel { dst, a, b, amount, .. } => self.ints(*dst, &[*a, *b, *amount]),
            Inst::Icmp { dst, a, b, .. } => {
                self.result(*dst, Ty::BOOL);
                let ty = self.func.operand_ty(*a);
                if ty.is_float() {
                    self.report.error(format!("{ty} is compared as an integer"));
                }
                self.operand("the right operand", *b, ty);
            }
            Inst::FBin { dst, a, b, .. } => self.floats(*dst, &[*a, *b]),
            Inst::FUn { dst, a, .. } => self.floats(*dst, &[*a]),
            Inst::Fma { dst, a, b, c } => self.floats(*dst, &[*a, *b, *c]),
            Inst::Fcmp { dst, a, b, .. } => {
                self.result(*dst, Ty::BOOL);
                self.float(*a);
                self.operand("the right operand", *b, self.func.operand_ty(*a));
            }
            Inst::FpClass { dst, a, mask } => {
                self.result(*dst, Ty::BOOL);
                self.float(*a);
                if mask >> 10 != 0 {
                    self.report.error(format!("the mask {mask:#x} has more than ten classes"));
                }
            }
            Inst::Cast { op, dst, src } => self.cast(*op, *dst, *src),
            Inst::Select { dst, cond, a, b } => {
                self.operand("the condition", *cond, Ty::BOOL);
                let ty = self.func.vals[*dst];
                self.operand("the first choice", *a, ty);
                self.operand("the second choice", *b, ty);
            }
            Inst::PtrAdd { dst, base, scaled, .. } => {
                self.result(*dst, Ty::Ptr);
                self.operand("the base", *base, Ty::Ptr);
                if let Some(Scaled { index, .. }) = scaled {
                    self.int("the index", *index);
                }
            }
            Inst::Load { addr, align, .. } | Inst::Store { addr, align, .. } => {
                self.operand("the address", *addr, Ty::Ptr);
                self.report.align(*align);
            }
            Inst::Alloca { dst, count, align, .. } => {
                self.result(*dst, Ty::Ptr);
                self.int("the count", *count);
                self.report.align(*align);
            }
            Inst::Lifetime { addr, .. } => self.operand("the address", *addr, Ty::Ptr),
            Inst::Undefined { .. } => {}
            Inst::StackSave { dst } => self.result(*dst, Ty::Ptr),
            Inst::StackRestore { mark } => self.operand("the mark", *mark, Ty::Ptr),
            Inst::MemCopy { dst, src, len, .. } => {
                self.operand("the destination", *dst, Ty::Ptr);
                self.operand("the source", *src, Ty::Ptr);
                self.int("the length", *len);
            }
            Inst::MemSet { dst, byte, len } => {
                self.operand("the destination", *dst, Ty::Ptr);
                self.operand("the byte", *byte, Ty::Int(8));
                self.int("the length", *len);
            }
            Inst::Call { callee, args, varargs, .. } => self.call(*callee, args, varargs),
            Inst::VaStart { list, general, vector, .. } => {
                self.operand("the list", *list, Ty::Ptr);
                if *general > 6 || *vector > 8 {
                    self.report.error("more registers than the ABI has");
                }
                if !self.func.variadic {
                    self.report.error("the function takes no variadic arguments");
                }
            }
            Inst::Line | Inst::Trap | Inst::Unsupported { .. } => {}
        }
    }

    /// Arguments and results need not match the callee: C allows that without a
    /// prototype, and the interpreter defines the result.
    fn call(&mut self, callee: Callee, args: &[Operand], varargs: &[VarArg]) {
        match callee {
            Callee::Direct(f) => {
                self.report.exists(f, &self.module.funcs);
            }
            Callee::Indirect(op) => self.operand("the function", op, Ty::Ptr),
        }
        let covered: u64 = varargs.iter().map(|v| u64::from(v.operands)).sum();
        let Some(fixed) = (args.len() as u64).checked_sub(covered) else {
            let given = args.len();
            self.report.error(format!("variadic arguments cover {covered} of {given} operands"));
            return;
        };
        let mut rest = &args[fixed as usize..];
        for vararg in varargs {
            let (these, others) = rest.split_at(vararg.operands as usize);
            rest = others;
            self.vararg(vararg, these);
        }
    }

    fn vararg(&mut self, vararg: &VarArg, operands: &[Operand]) {
        if !vararg.offset.is_multiple_of(8) {
            let offset = vararg.offset;
            self.report.error(format!("a variadic argument lies at {offset}, not a multiple of 8"));
        }
        match (vararg.by_value, operands) {
            (Some(_), [pointer]) => self.operand("the variadic argument", *pointer, Ty::Ptr),
            (None, [_, ..]) => {}
            _ => {
                let count = operands.len();
                self.report.error(format!("a variadic argument covers {count} operands"));
            }
        }
    }

    fn cast(&mut self, op: CastOp, dst: Val, src: Operand) {
        let (from, to) = (self.func.operand_ty(src), self.func.vals[dst]);
        let narrower = to.bits() < from.bits();
        let wider = to.bits() > from.bits();
        let allowed = match op {
            CastOp::Trunc => from.is_int() && to.is_int() && narrower,
            CastOp::Zext | CastOp::Sext => from.is_int() && to.is_int() && wider,
            CastOp::FpToSi | CastOp::FpToUi | CastOp::FpToSiSat | CastOp::FpToUiSat => {
                from.is_float() && to.is_int()
            }
            CastOp::SiToFp | CastOp::UiToFp => from.is_int() && to.is_float(),
            CastOp::FpConvert => from.is_float() && to.is_float() && from != to,
            CastOp::PtrToInt => from == Ty::Ptr && to.is_int(),
            CastOp::IntToPtr => from.is_int() && to == Ty::Ptr,
            CastOp::Bitcast => from.bits() == to.bits(),
            CastOp::Freeze => from == to,
        };
        if !allowed {
            self.report.error(format!("{} cannot convert {from} to {to}", op.mnemonic()));
        }
    }

    fn ints(&mut self, dst: Val, operands: &[Operand]) {
        let ty = self.func.vals[dst];
        if !ty.is_int() {
            self.report.error(format!("the result is {ty}, not an integer"));
        }
        operands.iter().for_each(|&op| self.operand("an operand", op, ty));
    }

    fn floats(&mut self, dst: Val, operands: &[Operand]) {
        let ty = self.func.vals[dst];
        if !ty.is_float() {
            self.report.error(format!("the result is {ty}, not a float"));
        }
        operands.iter().for_each(|&op| self.operand("an operand", op, ty));
    }

    fn int(&mut self, what: &str, op: Operand) {
        let ty = self.func.operand_ty(op);
        if !ty.is_int() {
            self.report.error(format!("{what} is {ty}, not an integer"));
        }
    }

    fn float(&mut self, op: Operand) {
        let ty = self.func.operand_ty(op);
        if !ty.is_float() {
            self.report.error(format!("the operand is {ty}, not a float"));
        }
    }

    fn result(&mut self, dst: Val, wanted: Ty) {
        self.expect("the result", self.func.vals[dst], wanted);
    }

    fn operand(&mut self, what: &str, op: Operand, wanted: Ty) {
        self.expect(what, self.func.operand_ty(op), wanted);
    }

    fn expect(&mut self, what: &str, found: Ty, wanted: Ty) {
        if found != wanted {
            self.report.error(format!("{what} is {found}, not {wanted}"));
        }
    }
}
