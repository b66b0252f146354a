//! Compiles terminators and edges.

use byway_base::FaultKind;
use byway_ir::{Callee, Edge, Icmp, Inst, Operand, Terminator, Ty};
use rustc_hash::FxHashMap;

use super::compile::{FunctionCompiler, Fused, slots_of};
use super::moves::sequence;
use super::{ByteOp, Code, Pc, Slot, Special, SwitchTable};

/// A jump target to be patched once it is known.
pub(super) enum Fixup {
    /// The target of the jump at this position.
    Target(usize),
    /// The sides of the branch at this position.
    Then(usize),
    Otherwise(usize),
    /// Entries of a jump table: the table, and the entry.
    Dense(usize, usize),
    Sparse(usize, usize),
    Default(usize),
    /// A label of an indirect jump: the operation, and the label.
    Indirect(usize, usize),
}

const UNKNOWN: Pc = Pc::MAX;

/// An edge with operations of its own.
pub(super) struct EdgeStub<'a> {
    /// The jumps along it.
    fixups: Vec<Fixup>,
    edge: &'a Edge,
    /// The side of a branch that is recorded.
    holds: Option<bool>,
}

impl<'a> FunctionCompiler<'a> {
    pub(super) fn terminator(&mut self, term: &'a Terminator) {
        let at = self.code.ops.len();
        match term {
            Terminator::Jump(edge) => {
                let n = self.take_line();
                self.jump(edge, n);
            }
            Terminator::Branch { cond, then, otherwise } => {
                let n = self.take_line();
                let fused = cond.as_val().and_then(|val| self.fused[val]);
                let swapped = match fused {
                    Some(fused) => self.fused_branch(n, fused),
                    None => {
                        let c = self.slot(*cond);
                        self.emit(ByteOp::Branch { n, c, then: UNKNOWN, otherwise: UNKNOWN });
                        false
                    }
                };
                let sides = if swapped {
                    self.code.swapped.push(at as Pc);
                    (Fixup::Otherwise(at), Fixup::Then(at))
                } else {
                    (Fixup::Then(at), Fixup::Otherwise(at))
                };
                if let Some(is_then) = self.reporting_side(then, otherwise) {
                    self.code.sanitizer_branches.push((at as Pc, is_then != swapped));
                }
                self.side(sides.0, then, true);
                self.side(sides.1, otherwise, false);
            }
            Terminator::Switch { value, cases, default } => self.switch(*value, cases, default),
            Terminator::IndirectJump { addr, targets } => {
                let n = self.take_line();
                self.emit(ByteOp::Count { n });
                let labels =
                    targets.iter().map(|e| (self.context.label(self.id, e.block), UNKNOWN));
                let special =
                    Special::IndirectJump { addr: self.slot(*addr), targets: labels.collect() };
                let index = self.code.special.len();
                self.special(special);
                for (i, edge) in targets.iter().enumerate() {
                    self.edge(vec![Fixup::Indirect(index, i)], edge);
                }
            }
            Terminator::Return(values) => {
                let index = self.code.returns.len() as u32;
                let places = self.typed_slots(values);
                self.code.returns.push(places);
                let n = self.take_line();
                self.emit(ByteOp::Return { n, index });
            }
            Terminator::Unreachable => {
                self.take_line();
                let message = "code that the compiler takes to be unreachable was reached";
                self.special(Special::Fail { kind: FaultKind::Unreachable, message });
            }
        }
    }

    /// Whether the first of two sides, or the second, reports a failed check of clang's
    /// sanitizer.
    fn reporting_side(&self, then: &Edge, otherwise: &Edge) -> Option<bool> {
        let reports = |edge: &Edge| {
            self.func.blocks[edge.block].inst_ids().any(|inst| match &self.func.insts[inst] {
                Inst::Call { callee: Callee::Direct(func), .. } => {
                    self.context.is_sanitizer_handler(*func)
                }
                Inst::Trap => true,
                _ => false,
            })
        };
        match self.context.checks().uninitialised {
            true if reports(then) => Some(true),
            true if reports(otherwise) => Some(false),
            _ => None,
        }
    }

    /// Emits a comparing branch; returns whether its sides are exchanged.
    fn fused_branch(&mut self, n: u16, fused: Fused) -> bool {
        let (a, b) = (self.typed_slot(fused.a), self.typed_slot(fused.b));
        let w = a.ty.bits() as u8;
        let (a, b) = (a.slot, b.slot);
        let (then, otherwise) = (UNKNOWN, UNKNOWN);
        let (op, swapped) = match fused.pred {
            Icmp::Eq => (ByteOp::BranchEq { n, a, b, then, otherwise }, false),
            Icmp::Ne => (ByteOp::BranchEq { n, a, b, then, otherwise }, true),
            Icmp::Ult => (ByteOp::BranchUlt { n, a, b, then, otherwise }, false),
            Icmp::Uge => (ByteOp::BranchUlt { n, a, b, then, otherwise }, true),
            Icmp::Ugt => (ByteOp::BranchUlt { n, a: b, b: a, then, otherwise }, false),
            Icmp::Ule => (ByteOp::BranchUlt { n, a: b, b: a, then, otherwise }, true),
            Icmp::Slt => (ByteOp::BranchSlt { n, w, a, b, then, otherwise }, false),
            Icmp::Sge => (ByteOp::BranchSlt { n, w, a, b, then, otherwise }, true),
            Icmp::Sgt => (ByteOp::BranchSlt { n, w, a: b, b: a, then, otherwise }, false),
            Icmp::Sle => (ByteOp::BranchSlt { n, w, a: b, b: a, then, otherwise }, true),
        };
        self.emit(op);
        swapped
    }

    fn switch(&mut self, value: Operand, cases: &'a [(u128, Edge)], default: &'a Edge) {
        let place = self.typed_slot(value);
        let index = self.code.switches.len();
        let least = cases.iter().map(|c| c.0).min().unwrap_or(0);
        let most = cases.iter().map(|c| c.0).max().unwrap_or(0);
        let dense = !place.ty.is_wide() && most - least < 4 * cases.len() as u128 + 8;
        let mut table = SwitchTable::new(place.ty, least as u64, UNKNOWN);
        let n = self.take_line();
        if dense {
            table.dense = vec![UNKNOWN; (most - least) as usize + 1].into();
        } else {
            let mut values: Vec<_> = cases.iter().map(|c| (c.0, UNKNOWN)).collect();
            values.sort_unstable();
            table.sparse = values.into();
        }
        self.code.switches.push(table);
        self.emit(ByteOp::Switch { n, value: place.slot, index: index as u32 });
        // Values with the same edge share it: they are one case of a fork.
        let mut edges: Vec<(&'a Edge, Vec<Fixup>)> = Vec::new();
        let mut known: FxHashMap<&'a Edge, usize> = FxHashMap::default();
        for (value, edge) in cases {
            let fixup = if dense {
                Fixup::Dense(index, (value - least) as usize)
            } else {
                let sparse = &self.code.switches[index].sparse;
                Fixup::Sparse(index, sparse.partition_point(|c| c.0 < *value))
            };
            let index = *known.entry(edge).or_insert_with(|| {
                edges.push((edge, Vec::new()));
                edges.len() - 1
            });
            edges[index].1.push(fixup);
        }
        // Gaps in a dense table have the target of the default.
        let mut gaps = vec![true; self.code.switches[index].dense.len()];
        cases.iter().filter(|_| dense).for_each(|c| gaps[(c.0 - least) as usize] = false);
        let gaps = gaps.iter().enumerate().filter(|(_, is_gap)| **is_gap);
        let mut others: Vec<Fixup> = gaps.map(|(gap, _)| Fixup::Dense(index, gap)).collect();
        others.push(Fixup::Default(index));
        match known.get(default) {
            Some(&index) => edges[index].1.extend(others),
            None => edges.push((default, others)),
        }
        for (edge, fixups) in edges {
            self.edge(fixups, edge);
        }
    }

    fn moves(&mut self, edge: &Edge) -> (u32, u32) {
        let params = &self.func.blocks[edge.block].params;
        let parallel: Vec<(Slot, Slot)> = params
            .iter()
            .zip(&edge.args)
            .flat_map(|(&to, &from)| {
                let (to, from) = (self.dst(to), self.typed_slot(from));
                slots_of(to).zip(slots_of(from)).collect::<Vec<_>>()
            })
            .collect();
        let spare = self.spare.unwrap_or(self.code.template.len() as Slot);
        let (moves, used_spare) = sequence(&parallel, spare);
        if used_spare && self.spare.is_none() {
            self.spare = Some(self.new_slot(Ty::Ptr));
        }
        let first = self.code.moves.len() as u32;
        self.code.moves.extend(&moves);
        (first, moves.len() as u32)
    }

    /// Emits a jump along an edge, with its moves.
    fn jump(&mut self, edge: &Edge, n: u16) {
        let at = self.code.ops.len();
        let (first, count) = self.moves(edge);
        self.emit(if count == 0 {
            ByteOp::Jump { n, target: UNKNOWN }
        } else {
            ByteOp::MoveJump { n, target: UNKNOWN, first, count }
        });
        self.fixups.push((Fixup::Target(at), edge.block));
    }

    /// Resolves jumps along an edge: directly to its block, or to a stub that performs its
    /// moves and records its coverage.
    fn edge(&mut self, fixups: Vec<Fixup>, edge: &'a Edge) {
        if edge.args.is_empty() && self.site.is_none() {
            self.fixups.extend(fixups.into_iter().map(|fixup| (fixup, edge.block)));
        } else {
            self.stubs.push(EdgeStub { fixups, edge, holds: None });
        }
    }

    /// Resolves the jump along a side of a branch, which holds or not.
    fn side(&mut self, fixup: Fixup, edge: &'a Edge, holds: bool) {
        match self.context.traces_branches() {
            true => self.stubs.push(EdgeStub { fixups: vec![fixup], edge, holds: Some(holds) }),
            false => self.edge(vec![fixup], edge),
        }
    }

    /// Emits the stubs and patches all jumps.
    pub(super) fn finish(mut self) -> Code {
        for EdgeStub { fixups, edge, holds } in std::mem::take(&mut self.stubs) {
            let first = self.code.ops.len() as Pc;
            self.code.blocks.push((first, edge.block));
            fixups.iter().for_each(|fixup| self.patch(fixup, first));
            if let Some(holds) = holds {
                self.emit(ByteOp::TakeSide { holds });
            }
            let here = self.code.ops.len();
            if let Some(site) = self.take_site() {
                let is_counted = self.context.site_counter(site).is_some();
                if edge.args.is_empty() && !is_counted {
                    self.emit(ByteOp::Cover { site, target: UNKNOWN });
                    self.fixups.push((Fixup::Target(here), edge.block));
                    continue;
                }
                self.emit(ByteOp::Cover { site, target: here as Pc + 1 });
                self.count_site(site);
            }
            self.jump(edge, 0);
        }
        if self.context.counts_executions() {
            self.count_executions();
        }
        for (fixup, block) in std::mem::take(&mut self.fixups) {
            let target = self.starts[block];
            self.patch(&fixup, target);
        }
        self.code
    }

    fn patch(&mut self, fixup: &Fixup, to: Pc) {
        let code = &mut self.code;
        match *fixup {
            Fixup::Target(at) => {
                if let ByteOp::Jump { target, .. }
                | ByteOp::MoveJump { target, .. }
                | ByteOp::Cover { target, .. } = &mut code.ops[at]
                {
                    *target = to;
                }
            }
            Fixup::Then(at) => {
                if let ByteOp::Branch { then, .. }
                | ByteOp::BranchEq { then, .. }
                | ByteOp::BranchUlt { then, .. }
                | ByteOp::BranchSlt { then, .. } = &mut code.ops[at]
                {
                    *then = to;
                }
            }
            Fixup::Otherwise(at) => {
                if let ByteOp::Branch { otherwise, .. }
                | ByteOp::BranchEq { otherwise, .. }
                | ByteOp::BranchUlt { otherwise, .. }
                | ByteOp::BranchSlt { otherwise, .. } = &mut code.ops[at]
                {
                    *otherwise = to;
                }
            }
            Fixup::Dense(index, i) => code.switches[index].dense[i] = to,
            Fixup::Sparse(index, i) => code.switches[index].sparse[i].1 = to,
            Fixup::Default(index) => code.switches[index].default = to,
            Fixup::Indirect(index, i) => {
                if let Special::IndirectJump { targets, .. } = &mut code.special[index] {
                    targets[i].1 = to;
                }
            }
        }
    }
}
