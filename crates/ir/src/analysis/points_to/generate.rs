//! The constraints of a function's instructions.
//!
//! Integers and floats carry addresses as pointers do, whole or in parts, so that a pointer that
//! is cast, or copied byte by byte, keeps what it points to. An operation on such a value gives
//! a pointer to an unknown offset of the same objects, with these exceptions, which give a
//! number:
//!
//! * the difference of two pointers, an address that is subtracted, and an address that is the
//!   index of pointer arithmetic (unless its base points to nothing): an address computed as
//!   `q + (p - q)` is taken to point to the object of `q`, as C demands;
//! * products, quotients and remainders, sums of fewer than 64 bits, and float arithmetic;
//! * the low 16 bits of an address, which say nothing about the object.

use super::demand::{Demand, demands};
use super::graph::{AccessedBytes, ConstraintNode, PointerUse};
use super::object::{AbstractObjectKind, Offsets};
use super::solver::ConstraintSolver;
use crate::analysis::CallShape;
use crate::analysis::callgraph::known_target;
use crate::{
    BinOp, Callee, CastOp, Const, FuncId, Function, Inst, InstId, Operand, OperandKind, OverflowOp,
    Terminator, Ty, UnOp, Val,
};

/// Bits of an address that say nothing about its object.
const LOW_BITS: u32 = 16;
/// Larger copies of known size are taken as copies of all contents.
const MOST_COPIED: u64 = 1024;
const WORD: u64 = 8;

impl ConstraintSolver<'_> {
    /// Adds the constraints of a function.
    pub fn add_function(&mut self, id: FuncId) {
        let func = self.body(id);
        self.cast_pointers.clear();
        self.loaded.clear();
        for inst in func.insts.values() {
            match *inst {
                Inst::Cast { op: CastOp::PtrToInt, dst, .. } => {
                    self.cast_pointers.insert(dst);
                }
                Inst::Load { dst, .. } if func.vals[dst] != Ty::Ptr => {
                    self.loaded.insert(dst);
                }
                _ => {}
            }
        }
        let demands = demands(func);
        for (inst_id, inst) in &func.insts {
            let mut is_address = matches!(inst, Inst::Call { .. });
            inst.for_each_def(|val| {
                is_address |= func.vals[val] == Ty::Ptr
                    || demands[val] == Demand::Address
                    || demands[val] == Demand::Stored && !is_sum(inst);
            });
            let mut has_results = false;
            inst.for_each_def(|_| has_results = true);
            if is_address || !has_results {
                self.add_inst(id, inst_id, inst);
            }
        }
        for block in func.blocks.values() {
            self.add_terminator(id, func, &block.term);
        }
    }

    fn add_terminator(&mut self, id: FuncId, func: &Function, term: &Terminator) {
        if let Terminator::Return(values) = term {
            let results = self.functions[id].as_ref().map(|it| it.results.clone());
            for (&value, result) in values.iter().zip(results.unwrap_or_default()) {
                self.copy_operand(id, value, result);
            }
        }
        term.for_each_edge(|edge| {
            for (&arg, &param) in edge.args.iter().zip(&func.blocks[edge.block].params) {
                let param = self.value(id, param);
                self.copy_operand(id, arg, param);
            }
        });
    }

    fn add_inst(&mut self, id: FuncId, inst_id: InstId, inst: &Inst) {
        match *inst {
            Inst::Bin { op, dst, a, b, .. } => self.add_bin(id, op, dst, a, b),
            Inst::Un { op: UnOp::Bswap | UnOp::BitReverse, dst, a } => self.part(id, a, dst),
            Inst::Overflow { op: OverflowOp::SAdd | OverflowOp::UAdd, dst, a, b, .. } => {
                self.add_bin(id, BinOp::Add, dst, a, b);
            }
            Inst::Overflow { op: OverflowOp::SSub | OverflowOp::USub, dst, a, b, .. } => {
                self.add_bin(id, BinOp::Sub, dst, a, b);
            }
            Inst::Funnel { dst, a, b, .. } => {
                self.part(id, a, dst);
                self.part(id, b, dst);
            }
            Inst::Cast { op, dst, src } => self.add_cast(id, op, dst, src),
            Inst::Select { dst, a, b, .. } => {
                let to = self.value(id, dst);
                self.copy_operand(id, a, to);
                self.copy_operand(id, b, to);
            }
            Inst::PtrAdd { dst, base, offset, scaled, .. } => {
                self.add_ptr_add(id, dst, base, offset, scaled.map(|it| (it.index, it.scale)));
            }
            Inst::Load { dst, addr, .. } => {
                let to = self.value(id, dst);
                let len = Some(self.body(id).vals[dst].store_bytes());
                if let Some(addr) = self.operand(id, addr) {
                    let from = self.graph.load(addr, AccessedBytes { offset: 0, len });
                    self.graph.define(from, to, Offsets::ZERO);
                }
            }
            Inst::Store { addr, value, .. } => {
                let len = self.body(id).operand_ty(value).store_bytes();
                if let Some(addr) = self.operand(id, addr) {
                    self.store(id, addr, value, len);
                }
            }
            Inst::Alloca { dst, size, count, .. } => {
                let count = constant(self.body(id), count);
                let size = count.and_then(|count| u64::try_from(count).ok()?.checked_mul(size));
                let object = self.locations.object(AbstractObjectKind::Local(id, inst_id), size);
                let location = self.locations.at(object, Offsets::ZERO);
                let dst = self.value(id, dst);
                self.graph.point(dst, location);
            }
            Inst::MemCopy { dst, src, len, .. } => {
                let len = constant(self.body(id), len).and_then(|len| u64::try_from(len).ok());
                if let Some(to) = self.operand(id, dst) {
                    self.copy_memory(id, to, src, len);
                }
            }
            Inst::Call { callee, .. } => self.add_call(id, inst_id, inst, callee),
            Inst::VaStart { list, stack, .. } => self.start_varargs(id, list, stack),
            Inst::Un { .. }
            | Inst::Overflow { .. }
            | Inst::Icmp { .. }
            | Inst::FBin { .. }
            | Inst::FUn { .. }
            | Inst::Fma { .. }
            | Inst::Fcmp { .. }
            | Inst::FpClass { .. }
            | Inst::Lifetime { .. }
            | Inst::Undefined { .. }
            | Inst::StackSave { .. }
            | Inst::StackRestore { .. }
            | Inst::MemSet { .. }
            | Inst::Trap
            | Inst::Line
            | Inst::Unsupported { .. } => {}
        }
    }

    fn add_call(&mut self, id: FuncId, inst_id: InstId, inst: &Inst, callee: Callee) {
        let func = self.body(id);
        let target = known_target(func, callee);
        let shape = match target {
            Some(_) => None,
            None => CallShape::of(func, inst),
        };
        let call = self.new_call(id, inst_id, shape);
        match (target, callee) {
            (Some(target), _) => self.link(call, target),
            (None, Callee::Indirect(op)) => {
                if let Some(pointer) = self.operand(id, op) {
                    self.graph.use_at(pointer, PointerUse::Call { call });
                }
            }
            (None, Callee::Direct(_)) => {}
        }
    }

    fn add_ptr_add(
        &mut self,
        id: FuncId,
        dst: Val,
        base: Operand,
        offset: i64,
        scaled: Option<(Operand, i64)>,
    ) {
        let func = self.body(id);
        let by = match scaled {
            None => Offsets::exactly(offset),
            Some((index, scale)) => match signed_constant(func, index) {
                Some(index) => Offsets::exactly(offset.wrapping_add(index.wrapping_mul(scale))),
                None => Offsets::every(offset, scale.unsigned_abs()),
            },
        };
        let to = self.value(id, dst);
        let base_node = self.operand(id, base);
        if let Some(base) = base_node {
            self.graph.define(base, to, by);
        }
        if let Some(index) = scaled.and_then(|(index, _)| self.operand(id, index)) {
            match base_node {
                None => self.graph.shift(index, to, Offsets::ANY),
                Some(base) => {
                    self.graph.use_at(index, PointerUse::Difference { to });
                    self.indices.push((base, index, to));
                }
            }
        }
    }

    fn add_cast(&mut self, id: FuncId, op: CastOp, dst: Val, src: Operand) {
        match op {
            CastOp::Zext
            | CastOp::Sext
            | CastOp::PtrToInt
            | CastOp::IntToPtr
            | CastOp::Trunc
            | CastOp::Bitcast
            | CastOp::Freeze => {
                let func = self.body(id);
                let (from, to) = (func.operand_ty(src).bits(), func.vals[dst].bits());
                let is_loaded = src.as_val().is_some_and(|src| self.loaded.contains(src));
                if op == CastOp::IntToPtr && is_loaded {
                    self.part(id, src, dst);
                } else if from == to || to >= 64 {
                    let to = self.value(id, dst);
                    if let Some(from) = self.operand(id, src) {
                        self.graph.define(from, to, Offsets::ZERO);
                    }
                } else if to > LOW_BITS || from <= LOW_BITS {
                    self.part(id, src, dst);
                }
            }
            CastOp::FpToSi
            | CastOp::FpToUi
            | CastOp::FpToSiSat
            | CastOp::FpToUiSat
            | CastOp::SiToFp
            | CastOp::UiToFp
            | CastOp::FpConvert => {}
        }
    }

    fn add_bin(&mut self, id: FuncId, op: BinOp, dst: Val, a: Operand, b: Operand) {
        let func = self.body(id);
        let bits = func.vals[dst].bits();
        match op {
            BinOp::Add if bits >= 64 => {
                self.add_sum(id, a, b, dst);
                self.add_sum(id, b, a, dst);
            }
            BinOp::Sub if bits >= 64 => match signed_constant(func, b) {
                Some(by) => self.moved(id, a, Offsets::exactly(by.wrapping_neg()), dst),
                None if b.as_val().is_some_and(|b| self.cast_pointers.contains(b)) => {}
                None => self.part(id, a, dst),
            },
            BinOp::And if bits > LOW_BITS => {
                let mask = constant(func, a).or(constant(func, b));
                if mask.is_none_or(|mask| mask >> LOW_BITS != 0) {
                    self.part(id, a, dst);
                    self.part(id, b, dst);
                }
            }
            BinOp::Or | BinOp::Xor if bits > LOW_BITS => {
                self.part(id, a, dst);
                self.part(id, b, dst);
            }
            BinOp::SMin | BinOp::SMax | BinOp::UMin | BinOp::UMax => {
                let to = self.value(id, dst);
                self.copy_operand(id, a, to);
                self.copy_operand(id, b, to);
            }
            BinOp::SAddSat | BinOp::UAddSat | BinOp::SSubSat | BinOp::USubSat => {
                self.part(id, a, dst);
                self.part(id, b, dst);
            }
            BinOp::Shl | BinOp::LShr | BinOp::AShr | BinOp::SShlSat | BinOp::UShlSat => {
                self.part(id, a, dst);
            }
            _ => {}
        }
    }

    /// `dst` can be an address `a` plus a number `b`.
    fn add_sum(&mut self, id: FuncId, a: Operand, b: Operand, dst: Val) {
        match signed_constant(self.body(id), b) {
            Some(by) => self.moved(id, a, Offsets::exactly(by), dst),
            None => {
                self.part(id, a, dst);
                if let Some(a) = self.operand(id, a) {
                    let to = self.value(id, dst);
                    self.graph.use_at(a, PointerUse::Difference { to });
                }
            }
        }
    }

    /// `dst` has part of an operand's bits, or is at an unknown distance from it.
    fn part(&mut self, id: FuncId, op: Operand, dst: Val) {
        self.moved(id, op, Offsets::ANY, dst);
    }

    fn moved(&mut self, id: FuncId, op: Operand, by: Offsets, dst: Val) {
        if let Some(from) = self.operand(id, op) {
            let to = self.value(id, dst);
            self.graph.shift(from, to, by);
        }
    }

    /// Stores an operand of `len` bytes at an address.
    pub fn store(&mut self, id: FuncId, addr: ConstraintNode, value: Operand, len: u64) {
        if let Some(from) = self.operand(id, value) {
            let to = self.graph.store(addr, AccessedBytes { offset: 0, len: Some(len) });
            self.graph.copy(from, to);
        }
    }

    /// Copies memory word by word, or the whole contents of the source if the length is large
    /// or unknown.
    pub fn copy_memory(&mut self, id: FuncId, to: ConstraintNode, src: Operand, len: Option<u64>) {
        let Some(src) = self.operand(id, src) else { return };
        let pieces = match len.filter(|&len| len <= MOST_COPIED) {
            None => vec![(0, None)],
            Some(len) => (0..len)
                .step_by(WORD as usize)
                .map(|at| (at as i64, Some(WORD.min(len - at))))
                .collect(),
        };
        for (offset, len) in pieces {
            let bytes = AccessedBytes { offset, len };
            let (from, to) = (self.graph.load(src, bytes), self.graph.store(to, bytes));
            self.graph.copy(from, to);
        }
    }
}

/// Whether an instruction computes a sum or a difference.
fn is_sum(inst: &Inst) -> bool {
    matches!(inst, Inst::Bin { op: BinOp::Add | BinOp::Sub, .. } | Inst::Overflow { .. })
}

/// The value of a constant operand that is a number.
pub fn constant(func: &Function, op: Operand) -> Option<u128> {
    match op.kind() {
        OperandKind::Const(id) => match func.consts[id] {
            Const::Bits { bits, .. } => Some(bits),
            Const::Address { .. } => None,
        },
        OperandKind::Val(_) => None,
    }
}

/// The value of a constant operand as a signed number.
fn signed_constant(func: &Function, op: Operand) -> Option<i64> {
    let bits = func.operand_ty(op).bits().min(64);
    let value = constant(func, op)? as u64;
    Some((value << (64 - bits)) as i64 >> (64 - bits))
}
