//! Functions.

use std::fmt::{self, Write as _};

use super::{FuncName, Name, Quoted, SymbolName, write_list, write_note};
use crate::{
    BlockId, Callee, Const, Edge, Function, Inst, InstId, LocId, Module, Operand, OperandKind,
    Scaled, Terminator, Ty, Val, VarArg,
};

pub(super) fn write(out: &mut String, module: &Module, func: &Function) -> fmt::Result {
    let mut printer = Printer { out, module, func, floats: Vec::new() };
    printer.signature()?;
    if func.is_declaration() {
        printer.out.push('\n');
        return Ok(());
    }
    printer.out.push_str(" {\n");
    for block in func.layout() {
        printer.block(block)?;
    }
    printer.out.push_str("}\n");
    Ok(())
}

struct Printer<'a> {
    out: &'a mut String,
    module: &'a Module,
    func: &'a Function,
    /// The floats of the current line, printed as a comment at its end.
    floats: Vec<f64>,
}

impl Printer<'_> {
    fn signature(&mut self) -> fmt::Result {
        let func = self.func;
        write!(self.out, "func {} {}(", func.origin.mnemonic(), Name(&func.name))?;
        self.definitions(&func.params)?;
        if func.variadic {
            self.out.push_str(if func.params.is_empty() { "..." } else { ", ..." });
        }
        self.out.push(')');
        if !func.rets.is_empty() {
            self.out.push_str(" -> ");
            write_list(self.out, &func.rets, |out, ty| write!(out, "{ty}"))?;
        }
        if func.optimised {
            self.out.push_str(" optimised");
        }
        write_note(self.out, func.scope)?;
        write_note(self.out, func.ty)
    }

    fn block(&mut self, id: BlockId) -> fmt::Result {
        let block = &self.func.blocks[id];
        write!(self.out, "{id}")?;
        if !block.params.is_empty() {
            self.out.push('(');
            self.definitions(&block.params)?;
            self.out.push(')');
        }
        self.out.push_str(":\n");
        for inst in block.inst_ids() {
            self.inst(inst)?;
        }
        self.out.push_str("  ");
        self.terminator(&block.term)?;
        self.end_line(block.term_loc)
    }

    fn inst(&mut self, id: InstId) -> fmt::Result {
        let Some(inst) = self.func.insts.get(id) else { return writeln!(self.out, "  ; no {id}") };
        self.out.push_str("  ");
        let mut dsts = Vec::new();
        inst.for_each_def(|val| dsts.push(val));
        if !dsts.is_empty() {
            self.definitions(&dsts)?;
            self.out.push_str(" = ");
        }
        self.out.push_str(inst.mnemonic());
        self.inst_operands(inst)?;
        self.end_line(self.func.loc(id))
    }

    fn end_line(&mut self, loc: Option<LocId>) -> fmt::Result {
        write_note(self.out, loc)?;
        if !self.floats.is_empty() {
            self.out.push_str("  ; ");
            write_list(self.out, self.floats.drain(..), |out, value| write!(out, "{value:?}"))?;
        }
        self.out.push('\n');
        Ok(())
    }

    /// `v3:i32`, where values are defined.
    fn definitions(&mut self, vals: &[Val]) -> fmt::Result {
        write_list(self.out, vals, |out, &val| match self.func.vals.get(val) {
            Some(ty) => write!(out, "{val}:{ty}"),
            None => write!(out, "{val}"),
        })
    }

    /// What follows the mnemonic.
    fn inst_operands(&mut self, inst: &Inst) -> fmt::Result {
        match inst {
            Inst::Bin { nsw, .. } => {
                self.flag("nsw", *nsw);
                self.uses(inst)
            }
            Inst::Icmp { pred, .. } => {
                write!(self.out, " {}", pred.mnemonic())?;
                self.uses(inst)
            }
            Inst::Fcmp { pred, .. } => {
                write!(self.out, " {}", pred.mnemonic())?;
                self.uses(inst)
            }
            Inst::FpClass { mask, .. } => {
                self.uses(inst)?;
                write!(self.out, ", {mask:#x}")
            }
            Inst::PtrAdd { base, offset, scaled, inbounds, .. } => {
                self.flag("inbounds", *inbounds);
                self.out.push(' ');
                self.operand(*base)?;
                write!(self.out, ", {offset}")?;
                if let Some(Scaled { index, scale }) = scaled {
                    self.out.push_str(", ");
                    self.operand(*index)?;
                    write!(self.out, " * {scale}")?;
                }
                Ok(())
            }
            Inst::Load { align, volatile, .. } | Inst::Store { align, volatile, .. } => {
                self.flag("volatile", *volatile);
                self.uses(inst)?;
                write!(self.out, ", align {align}")
            }
            Inst::Alloca { size, count, align, name, .. } => {
                write!(self.out, " {size} x ")?;
                self.operand(*count)?;
                write!(self.out, ", align {align}")?;
                if !name.is_empty() {
                    write!(self.out, ", {}", Quoted(name.as_bytes()))?;
                }
                Ok(())
            }
            Inst::Undefined { name, .. } => write!(self.out, " {}", Quoted(name.as_bytes())),
            Inst::Call { callee, args, varargs, tail, .. } => {
                self.flag("tail", *tail);
                match callee {
                    Callee::Direct(f) => write!(self.out, " {}", FuncName(self.module, *f))?,
                    Callee::Indirect(op) => {
                        self.out.push_str(" *");
                        self.operand(*op)?;
                    }
                }
                self.out.push('(');
                self.operands(args)?;
                self.out.push(')');
                if !varargs.is_empty() {
                    self.out.push_str(" ...[");
                    write_list(self.out, varargs, write_vararg)?;
                    self.out.push(']');
                }
                Ok(())
            }
            Inst::VaStart { list, general, vector, stack } => {
                self.out.push(' ');
                self.operand(*list)?;
                write!(self.out, ", general {general}, vector {vector}, stack {stack}")
            }
            Inst::Unsupported { what, .. } => write!(self.out, " {}", Quoted(what.as_bytes())),
            _ => self.uses(inst),
        }
    }

    fn flag(&mut self, word: &str, set: bool) {
        if set {
            self.out.push(' ');
            self.out.push_str(word);
        }
    }

    /// All operands, with a blank before them if there are any.
    fn uses(&mut self, inst: &Inst) -> fmt::Result {
        let mut operands = Vec::new();
        inst.for_each_use(|op| operands.push(op));
        if !operands.is_empty() {
            self.out.push(' ');
        }
        self.operands(&operands)
    }

    fn operands(&mut self, operands: &[Operand]) -> fmt::Result {
        for (i, &op) in operands.iter().enumerate() {
            if i > 0 {
                self.out.push_str(", ");
            }
            self.operand(op)?;
        }
        Ok(())
    }

    fn operand(&mut self, op: Operand) -> fmt::Result {
        let id = match op.kind() {
            OperandKind::Val(val) => return write!(self.out, "{val}"),
            OperandKind::Const(id) => id,
        };
        match self.func.consts.get(id) {
            Some(&Const::Bits { ty, bits }) => self.bits(ty, bits),
            Some(&Const::Address { symbol, offset }) => {
                write!(self.out, "{}", SymbolName(self.module, symbol))?;
                if offset != 0 { write!(self.out, "{offset:+}") } else { Ok(()) }
            }
            None => write!(self.out, "{id}"),
        }
    }

    /// Prints integers as signed numbers, except single bits, and all else as bit patterns.
    fn bits(&mut self, ty: Ty, bits: u128) -> fmt::Result {
        match ty {
            Ty::Int(width @ 2..=128) => {
                let unused = 128 - u32::from(width);
                write!(self.out, "{}:{ty}", (bits << unused) as i128 >> unused)
            }
            Ty::Int(_) => write!(self.out, "{bits}:{ty}"),
            Ty::Ptr => write!(self.out, "{bits:#x}:{ty}"),
            _ => {
                self.floats.push(approximate(ty, bits));
                write!(self.out, "{bits:#x}:{ty}")
            }
        }
    }

    fn edge(&mut self, edge: &Edge) -> fmt::Result {
        write!(self.out, "{}", edge.block)?;
        if !edge.args.is_empty() {
            self.out.push('(');
            self.operands(&edge.args)?;
            self.out.push(')');
        }
        Ok(())
    }

    fn terminator(&mut self, term: &Terminator) -> fmt::Result {
        self.out.push_str(term.mnemonic());
        match term {
            Terminator::Jump(edge) => {
                self.out.push(' ');
                self.edge(edge)
            }
            Terminator::Branch { cond, then, otherwise } => {
                self.out.push(' ');
                self.operand(*cond)?;
                self.out.push_str(", ");
                self.edge(then)?;
                self.out.push_str(", ");
                self.edge(otherwise)
            }
            Terminator::Switch { value, cases, default } => {
                self.out.push(' ');
                self.operand(*value)?;
                self.out.push_str(" [\n");
                for (case, edge) in cases {
                    write!(self.out, "    {case}: ")?;
                    self.edge(edge)?;
                    self.out.push_str(",\n");
                }
                self.out.push_str("  ] else ");
                self.edge(default)
            }
            Terminator::IndirectJump { addr, targets } => {
                self.out.push(' ');
                self.operand(*addr)?;
                self.out.push_str(" [");
                for (i, edge) in targets.iter().enumerate() {
                    if i > 0 {
                        self.out.push_str(", ");
                    }
                    self.edge(edge)?;
                }
                self.out.push(']');
                Ok(())
            }
            Terminator::Return(values) => {
                if !values.is_empty() {
                    self.out.push(' ');
                }
                self.operands(values)
            }
            Terminator::Unreachable => Ok(()),
        }
    }
}

fn write_vararg(out: &mut String, vararg: &VarArg) -> fmt::Result {
    let VarArg { offset, operands, by_value } = vararg;
    write!(out, "at {offset}")?;
    if *operands != 1 {
        write!(out, " x {operands}")?;
    }
    by_value.map_or(Ok(()), |bytes| write!(out, " byval {bytes}"))
}

/// The approximate value of a float for the reader, as a double.
fn approximate(ty: Ty, bits: u128) -> f64 {
    let (exponent_bits, fraction_bits, explicit_one) = match ty {
        Ty::F16 => (5, 10, false),
        Ty::Bf16 => (8, 7, false),
        Ty::F32 => (8, 23, false),
        Ty::F80 => (15, 63, true),
        Ty::F128 => (15, 112, false),
        _ => return f64::from_bits(bits as u64),
    };
    let significand_bits = fraction_bits + u32::from(explicit_one);
    let exponent_mask = (1i32 << exponent_bits) - 1;
    let exponent = (bits >> significand_bits) as i32 & exponent_mask;
    let significand = bits & ((1 << significand_bits) - 1);
    let fraction = bits & ((1 << fraction_bits) - 1);
    let implied_one = if explicit_one || exponent == 0 { 0 } else { 1 << fraction_bits };
    let magnitude = if exponent == exponent_mask {
        if fraction == 0 { f64::INFINITY } else { f64::NAN }
    } else {
        let scale = exponent.max(1) - exponent_mask / 2 - fraction_bits as i32;
        // In two steps: the scale alone can lie outside what a double holds.
        let half = f64::from(scale / 2).exp2();
        let other_half = f64::from(scale - scale / 2).exp2();
        (significand | implied_one) as f64 * half * other_half
    };
    let negative = bits >> (ty.bits() - 1) & 1 == 1;
    if negative { -magnitude } else { magnitude }
}
