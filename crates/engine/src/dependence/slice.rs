//! The forward slice of a change: the code whose execution or values it can affect.
//!
//! Data flows through values, through memory as the points-to analysis knows it, and through
//! calls; control flows to the sides of branches. The order of definitions in memory is ignored,
//! so the slice may be too large, but never too small.

use byway_base::entity::EntitySet;
use byway_ir::analysis::points_to::{
    AbstractObjectKind, MadeAddress, MemoryAccess, MemoryAccessKind, ObjectId, Offsets,
};
use byway_ir::{BinOp, BlockId, Callee, FuncId, Inst, InstId, Module, Operand, Terminator, Val};
use rustc_hash::{FxHashMap, FxHashSet};

use super::changed::ChangedCode;
use super::effects::{StaticEffects, changes_world, frees};
use super::memory::Part;
use crate::Checks;

/// The code that a change can affect.
#[derive(Default, Debug)]
pub struct ForwardSlice {
    pub insts: FxHashSet<(FuncId, InstId)>,
    /// Blocks whose branch can go another way.
    pub ends: FxHashSet<(FuncId, BlockId)>,
    /// Blocks that may be executed or not.
    pub blocks: FxHashSet<(FuncId, BlockId)>,
    pub vals: FxHashSet<(FuncId, Val)>,
}

/// Finds the forward slice of a change.
pub fn forward_slice(
    module: &Module,
    effects: &StaticEffects,
    checks: Checks,
    code: &ChangedCode,
) -> ForwardSlice {
    let mut slicer = Slicer::new(module, effects, checks, code);
    while std::mem::take(&mut slicer.is_grown) {
        for (id, func) in &module.funcs {
            if effects.points_to.is_reached(id) {
                func.blocks.keys().for_each(|block| slicer.visit(id, block));
            }
        }
    }
    slicer.slice
}

/// Offsets, and the number of bytes there; `None` if it is not known.
type DefinedBytes = (Offsets, Option<u64>);

struct Slicer<'s, 'm> {
    module: &'m Module,
    effects: &'s StaticEffects<'m>,
    checks: Checks,
    code: &'s ChangedCode,
    slice: ForwardSlice,
    /// Functions whose results are affected.
    results: EntitySet<FuncId>,
    memory: FxHashMap<(ObjectId, Part), Vec<DefinedBytes>>,
    /// Bytes are affected that the points-to analysis does not know.
    is_anywhere: bool,
    /// What the environment answers is affected.
    is_world: bool,
    /// The calls of each function, by the blocks that contain them.
    calls: FxHashMap<FuncId, Vec<(FuncId, BlockId)>>,
    accesses: FxHashMap<(FuncId, InstId), Vec<MemoryAccess>>,
    is_grown: bool,
}

impl<'s, 'm> Slicer<'s, 'm> {
    fn new(
        module: &'m Module,
        effects: &'s StaticEffects<'m>,
        checks: Checks,
        code: &'s ChangedCode,
    ) -> Self {
        let mut slicer = Slicer {
            module,
            effects,
            checks,
            code,
            slice: ForwardSlice::default(),
            results: EntitySet::new(),
            memory: FxHashMap::default(),
            is_anywhere: false,
            is_world: false,
            calls: FxHashMap::default(),
            accesses: FxHashMap::default(),
            is_grown: true,
        };
        for (id, func) in &module.funcs {
            for (block_id, block) in &func.blocks {
                for inst in block.inst_ids() {
                    for &callee in effects.points_to.callees(id, inst) {
                        slicer.calls.entry(callee).or_default().push((id, block_id));
                    }
                    let accesses = effects.points_to.accesses(module, id, inst);
                    if !accesses.is_empty() {
                        slicer.accesses.insert((id, inst), accesses);
                    }
                }
            }
        }
        for &global in &code.globals {
            let object = effects.points_to.object_of(AbstractObjectKind::Global(global));
            object.into_iter().for_each(|it| slicer.define((it, Part::Bytes), Offsets::ANY, None));
        }
        slicer
    }

    fn visit(&mut self, func: FuncId, block: BlockId) {
        let module = self.module;
        if self.code.after_removed.contains(&(func, block)) {
            self.follow(func, block);
        }
        for inst in module.funcs[func].blocks[block].inst_ids() {
            self.visit_inst(func, block, inst);
        }
        self.visit_end(func, block);
    }

    fn visit_inst(&mut self, func: FuncId, block: BlockId, inst: InstId) {
        let module = self.module;
        let it = &module.funcs[func].insts[inst];
        let is_chosen = self.code.insts.contains(&(func, inst)) || self.is_controlled(func, block);
        if let Inst::Call { callee, args, .. } = it {
            let is_chosen =
                is_chosen || matches!(callee, Callee::Indirect(to) if self.is_used(func, *to));
            self.visit_call(func, inst, args, is_chosen);
        }
        let mut uses = Vec::new();
        it.for_each_use(|operand| uses.push(operand));
        let is_affected = is_chosen
            || uses.into_iter().any(|operand| self.is_used(func, operand))
            || self.is_memory_affected(func, inst)
            || self.is_result_affected(func, inst);
        if !is_affected {
            return;
        }
        if !self.slice.insts.contains(&(func, inst)) {
            self.slice.insts.insert((func, inst));
            self.is_grown = true;
        }
        if self.may_fail(func, inst) {
            self.follow(func, block);
        }
        it.for_each_def(|val| self.affect(func, val));
        self.define_memory(func, inst);
    }

    /// Affected arguments reach the callee; all of it is affected if it may not be called.
    fn visit_call(&mut self, func: FuncId, inst: InstId, args: &[Operand], is_chosen: bool) {
        let module = self.module;
        for &callee in self.effects.points_to.callees(func, inst) {
            let body = &module.funcs[callee];
            if is_chosen {
                body.blocks.keys().for_each(|block| self.control(callee, block));
            }
            for (&param, &arg) in body.params.iter().zip(args) {
                if self.is_used(func, arg) {
                    self.affect(callee, param);
                }
            }
        }
    }

    fn is_result_affected(&self, func: FuncId, inst: InstId) -> bool {
        let callees = self.effects.points_to.callees(func, inst);
        let is_affected = |&callee: &FuncId| {
            let intrinsic = self.effects.intrinsic(callee);
            self.results.contains(callee) || self.is_world && intrinsic.is_some_and(changes_world)
        };
        callees.iter().any(is_affected)
    }

    /// Whether an instruction accesses an object that may be freed or not, or reads bytes that
    /// are affected.
    fn is_memory_affected(&self, func: FuncId, inst: InstId) -> bool {
        let is_affected = |access: &MemoryAccess| {
            let is_read = access.kind == MemoryAccessKind::Read;
            let is_known = self.effects.points_to.is_complete(&access.locations);
            let is_any = is_read && (self.is_anywhere || !is_known && !self.memory.is_empty());
            is_any
                || access.locations.iter().any(|at| {
                    self.memory.contains_key(&(at.object, Part::Object))
                        || is_read && self.is_defined(at.object, at.offsets, access.len)
                })
        };
        self.accesses_of(func, inst).iter().any(is_affected) || self.is_moved(func, inst)
    }

    /// Whether an instruction moves an object with affected bytes.
    fn is_moved(&self, func: FuncId, inst: InstId) -> bool {
        let Inst::Call { args, .. } = &self.module.funcs[func].insts[inst] else { return false };
        let moved = self.intrinsics(func, inst).filter_map(|it| match it.made_address() {
            MadeAddress::Moved(index) => args.get(index),
            _ => None,
        });
        let mut moved =
            moved.flat_map(|&old| self.effects.points_to.of_operand(self.module, func, old));
        moved.any(|old| self.is_defined(old.object, Offsets::ANY, None))
    }

    fn is_defined(&self, object: ObjectId, offsets: Offsets, len: Option<u64>) -> bool {
        let all = self.memory.get(&(object, Part::Bytes));
        all.is_some_and(|all| all.iter().any(|&(own, own_len)| own.overlaps(own_len, offsets, len)))
    }

    /// Whether a check of an instruction may fail that the change affects: inputs that failed it
    /// before may go on now.
    fn may_fail(&self, func: FuncId, inst: InstId) -> bool {
        let body = &self.module.funcs[func];
        let is_affected = |operand: &Operand| {
            let is_changed = self.code.insts.contains(&(func, inst));
            self.is_used(func, *operand) || is_changed && operand.as_val().is_some()
        };
        let is_freed = |access: &MemoryAccess| {
            let object = |object| self.memory.contains_key(&(object, Part::Object));
            access.locations.iter().any(|at| object(at.object))
        };
        match &body.insts[inst] {
            Inst::Bin { op, a, b, nsw, .. } => {
                let is_checked = match op {
                    BinOp::UDiv | BinOp::SDiv | BinOp::URem | BinOp::SRem => true,
                    BinOp::Shl | BinOp::LShr | BinOp::AShr => self.checks.shift,
                    _ => *nsw && self.checks.signed_overflow,
                };
                is_checked && (is_affected(a) || is_affected(b))
            }
            Inst::Load { addr, .. } | Inst::Store { addr, .. } => {
                is_affected(addr) || self.accesses_of(func, inst).iter().any(is_freed)
            }
            Inst::MemCopy { dst, src, len, .. } => {
                [dst, src, len].into_iter().any(is_affected)
                    || self.accesses_of(func, inst).iter().any(is_freed)
            }
            Inst::MemSet { dst, len, .. } => {
                [dst, len].into_iter().any(is_affected)
                    || self.accesses_of(func, inst).iter().any(is_freed)
            }
            // Functions of the engine check their arguments.
            Inst::Call { args, .. } => {
                self.intrinsics(func, inst).next().is_some()
                    && (args.iter().any(is_affected)
                        || self.accesses_of(func, inst).iter().any(is_freed))
            }
            _ => false,
        }
    }

    fn accesses_of(&self, func: FuncId, inst: InstId) -> &[MemoryAccess] {
        self.accesses.get(&(func, inst)).map_or(&[], |all| all)
    }

    /// What an affected instruction leaves in memory.
    fn define_memory(&mut self, func: FuncId, inst: InstId) {
        let effects = self.effects;
        let writes = self.accesses_of(func, inst).to_vec();
        for write in writes.iter().filter(|it| it.kind == MemoryAccessKind::Write) {
            if !effects.points_to.is_complete(&write.locations) {
                self.is_grown |= !std::mem::replace(&mut self.is_anywhere, true);
            }
            for at in &write.locations {
                self.define((at.object, Part::Bytes), at.offsets, write.len);
            }
        }
        let Inst::Call { args, .. } = &self.module.funcs[func].insts[inst] else { return };
        for intrinsic in self.intrinsics(func, inst).collect::<Vec<_>>() {
            if changes_world(intrinsic) {
                self.is_grown |= !std::mem::replace(&mut self.is_world, true);
            }
            if let Some(&freed) = args.first().filter(|_| frees(intrinsic)) {
                for write in effects.freed_by(func, freed) {
                    self.define(write.of, write.offsets, write.len);
                }
            }
            let made = effects.points_to.object_of(AbstractObjectKind::Heap(func, inst));
            if let Some(object) = made {
                self.define((object, Part::Bytes), Offsets::ANY, None);
                self.define((object, Part::Object), Offsets::ANY, None);
            }
        }
    }

    fn intrinsics(
        &self,
        func: FuncId,
        inst: InstId,
    ) -> impl Iterator<Item = crate::intrinsic::Intrinsic> + use<'s, 'm> {
        let effects = self.effects;
        let callees = effects.points_to.callees(func, inst).iter();
        callees.filter_map(move |&callee| effects.intrinsic(callee))
    }

    fn visit_end(&mut self, func: FuncId, block: BlockId) {
        let module = self.module;
        let term = &module.funcs[func].blocks[block].term;
        let is_controlled = self.is_controlled(func, block);
        let mut uses = Vec::new();
        term.for_each_use(|operand| uses.push(operand));
        let is_decided = self.code.ends.contains(&(func, block))
            || uses.into_iter().any(|operand| self.is_used(func, operand));
        match term {
            Terminator::Return(_) if is_decided || is_controlled => {
                self.is_grown |= self.results.insert(func);
            }
            Terminator::Branch { .. }
            | Terminator::Switch { .. }
            | Terminator::IndirectJump { .. }
                if is_decided =>
            {
                self.branch(func, block);
            }
            _ => {}
        }
        term.for_each_edge(|edge| {
            let params = &module.funcs[func].blocks[edge.block].params;
            for (&param, &arg) in params.iter().zip(&edge.args) {
                if self.is_used(func, arg) {
                    self.affect(func, param);
                }
            }
        });
    }

    /// The branch at the end of a block can go another way.
    fn branch(&mut self, func: FuncId, block: BlockId) {
        if !self.slice.ends.insert((func, block)) {
            return;
        }
        self.is_grown = true;
        let body = &self.module.funcs[func];
        for beside in self.effects.blocks_beside(func, block).iter() {
            self.control(func, beside);
        }
        match self.effects.meeting_point(func, block) {
            Some(meet) => {
                body.blocks[meet].params.iter().for_each(|&param| self.affect(func, param));
            }
            None => _ = self.results.insert(func),
        }
        let mut is_end_possible = false;
        body.blocks[block].term.for_each_edge(|edge| {
            is_end_possible |= self.effects.may_end(func, block, edge.block);
        });
        // Inputs that ended here before the change may go on now.
        if is_end_possible {
            self.follow(func, block);
        }
    }

    /// All that follows a block may be executed or not.
    fn follow(&mut self, func: FuncId, block: BlockId) {
        let mut open = vec![(func, block)];
        let mut seen = FxHashSet::default();
        while let Some((func, block)) = open.pop() {
            if !seen.insert((func, block)) {
                continue;
            }
            self.control(func, block);
            let term = &self.module.funcs[func].blocks[block].term;
            if matches!(term, Terminator::Return(_)) {
                open.extend(self.calls.get(&func).into_iter().flatten());
            }
            term.for_each_edge(|edge| open.push((func, edge.block)));
        }
    }

    fn is_controlled(&self, func: FuncId, block: BlockId) -> bool {
        self.slice.blocks.contains(&(func, block))
    }

    fn control(&mut self, func: FuncId, block: BlockId) {
        if self.slice.blocks.insert((func, block)) {
            self.is_grown = true;
            let body = &self.module.funcs[func];
            let params = &body.blocks[block].params;
            params.iter().for_each(|&param| self.affect(func, param));
        }
    }

    fn is_used(&self, func: FuncId, operand: Operand) -> bool {
        operand.as_val().is_some_and(|val| self.slice.vals.contains(&(func, val)))
    }

    fn affect(&mut self, func: FuncId, val: Val) {
        self.is_grown |= self.slice.vals.insert((func, val));
    }

    fn define(&mut self, of: (ObjectId, Part), offsets: Offsets, len: Option<u64>) {
        let all = self.memory.entry(of).or_default();
        if !all.contains(&(offsets, len)) {
            all.push((offsets, len));
            self.is_grown = true;
        }
    }
}
