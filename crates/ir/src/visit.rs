//! Visitors for the operands, results and edges of instructions and terminators.
//! Each list exists once, so that no analysis forgets an operand.

use crate::{Callee, Edge, Inst, Operand, Scaled, Terminator, Val};

/// The operands of an instruction, by shared or exclusive reference.
macro_rules! inst_uses {
    ($inst:expr, $f:expr, $iter:ident) => {
        match $inst {
            Inst::Bin { a, b, .. }
            | Inst::Overflow { a, b, .. }
            | Inst::Icmp { a, b, .. }
            | Inst::FBin { a, b, .. }
            | Inst::Fcmp { a, b, .. } => {
                $f(a);
                $f(b);
            }
            Inst::Un { a, .. } | Inst::FUn { a, .. } | Inst::FpClass { a, .. } => $f(a),
            Inst::Funnel { a, b, amount: c, .. }
            | Inst::Fma { a, b, c, .. }
            | Inst::Select { cond: a, a: b, b: c, .. } => {
                $f(a);
                $f(b);
                $f(c);
            }
            Inst::Cast { src, .. } => $f(src),
            Inst::PtrAdd { base, scaled, .. } => {
                $f(base);
                if let Some(s) = scaled {
                    let Scaled { index, .. } = s;
                    $f(index);
                }
            }
            Inst::Load { addr, .. } => $f(addr),
            Inst::Store { addr, value, .. } => {
                $f(addr);
                $f(value);
            }
            Inst::Alloca { count, .. } => $f(count),
            Inst::StackRestore { mark } => $f(mark),
            Inst::Lifetime { addr, .. } => $f(addr),
            Inst::MemCopy { dst, src, len, .. } => {
                $f(dst);
                $f(src);
                $f(len);
            }
            Inst::MemSet { dst, byte, len } => {
                $f(dst);
                $f(byte);
                $f(len);
            }
            Inst::Call { callee, args, .. } => {
                if let Callee::Indirect(op) = callee {
                    $f(op);
                }
                args.$iter().for_each($f);
            }
            Inst::VaStart { list, .. } => $f(list),
            Inst::Undefined { .. }
            | Inst::StackSave { .. }
            | Inst::Line
            | Inst::Trap
            | Inst::Unsupported { .. } => {}
        }
    };
}

/// The operands of a terminator without the edges' arguments, likewise.
macro_rules! term_uses {
    ($term:expr, $f:expr, $iter:ident) => {
        match $term {
            Terminator::Branch { cond: op, .. }
            | Terminator::Switch { value: op, .. }
            | Terminator::IndirectJump { addr: op, .. } => $f(op),
            Terminator::Return(values) => values.$iter().for_each(&mut $f),
            Terminator::Jump(_) | Terminator::Unreachable => {}
        }
    };
}

/// The edges of a terminator, likewise.
macro_rules! edges {
    ($term:expr, $f:expr, $iter:ident) => {
        match $term {
            Terminator::Jump(edge) => $f(edge),
            Terminator::Branch { then, otherwise, .. } => {
                $f(then);
                $f(otherwise);
            }
            Terminator::Switch { cases, default, .. } => {
                cases.$iter().for_each(|(_, e)| $f(e));
                $f(default);
            }
            Terminator::IndirectJump { targets, .. } => targets.$iter().for_each($f),
            Terminator::Return(_) | Terminator::Unreachable => {}
        }
    };
}

impl Inst {
    /// Calls `f` with every operand the instruction reads, in order.
    pub fn for_each_use(&self, mut f: impl FnMut(Operand)) {
        let mut f = |op: &Operand| f(*op);
        inst_uses!(self, f, iter)
    }

    /// Calls `f` with every operand the instruction reads, in order, to change it.
    pub fn for_each_use_mut(&mut self, mut f: impl FnMut(&mut Operand)) {
        inst_uses!(self, f, iter_mut)
    }

    /// Calls `f` with every value the instruction defines, in order.
    pub fn for_each_def(&self, mut f: impl FnMut(Val)) {
        match self {
            Inst::Bin { dst, .. }
            | Inst::Un { dst, .. }
            | Inst::Funnel { dst, .. }
            | Inst::Icmp { dst, .. }
            | Inst::FBin { dst, .. }
            | Inst::FUn { dst, .. }
            | Inst::Fma { dst, .. }
            | Inst::Fcmp { dst, .. }
            | Inst::FpClass { dst, .. }
            | Inst::Cast { dst, .. }
            | Inst::Select { dst, .. }
            | Inst::PtrAdd { dst, .. }
            | Inst::Load { dst, .. }
            | Inst::Alloca { dst, .. }
            | Inst::Undefined { dst, .. }
            | Inst::StackSave { dst } => f(*dst),
            Inst::Overflow { dst, overflow, .. } => {
                f(*dst);
                f(*overflow);
            }
            Inst::Call { dsts, .. } | Inst::Unsupported { dsts, .. } => {
                dsts.iter().copied().for_each(f);
            }
            Inst::Store { .. }
            | Inst::StackRestore { .. }
            | Inst::Lifetime { .. }
            | Inst::MemCopy { .. }
            | Inst::MemSet { .. }
            | Inst::VaStart { .. }
            | Inst::Line
            | Inst::Trap => {}
        }
    }
}

impl Terminator {
    /// Calls `f` with every operand the terminator reads, edge arguments included.
    pub fn for_each_use(&self, mut f: impl FnMut(Operand)) {
        let mut f = |op: &Operand| f(*op);
        term_uses!(self, f, iter);
        self.for_each_edge(|e| e.args.iter().for_each(&mut f));
    }

    /// Calls `f` with every operand the terminator reads, edge arguments included,
    /// to change it.
    pub fn for_each_use_mut(&mut self, mut f: impl FnMut(&mut Operand)) {
        term_uses!(self, f, iter_mut);
        let mut f = |e: &mut Edge| e.args.iter_mut().for_each(&mut f);
        edges!(self, f, iter_mut)
    }

    /// Calls `f` with every outgoing edge, in order; a switch's default comes last.
    pub fn for_each_edge<'a>(&'a self, mut f: impl FnMut(&'a Edge)) {
        edges!(self, f, iter)
    }
}
