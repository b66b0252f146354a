//! Compiles a function of the IR to bytecode.

use std::rc::Rc;

use byway_base::entity::{EntityRef, SecondaryMap};
use byway_ir::{
    BlockId, CastOp, ConstId, FuncId, Function, Icmp, Inst, InstId, LocId, Operand, OperandKind,
    Ty, Val,
};

use super::control::{EdgeStub, Fixup};
use super::observation::{Observation, observations};
use super::slots::{Liveness, live_at_start};
use super::uses::Uses;
use super::{ByteOp, Check, Code, CompileContext, General, Pc, Slot, Special, TypedSlot};
use crate::value::Value;
use crate::watch::{Watch, WatchId};

/// Compiles a function that has a body.
pub fn compile(id: FuncId, func: &Function, context: &dyn CompileContext) -> Code {
    let code = compile_with(id, func, context, live_at_start);
    #[cfg(debug_assertions)]
    if code.template.len() * func.blocks.len() <= MOST_CHECKED {
        let checked = super::slot_checker::check(func, &code, context);
        checked.unwrap_or_else(|error| panic!("slots of @{}: {error}", func.name));
    }
    code
}

/// The product of slots and blocks up to which a build with debug assertions checks the code:
/// beyond that, checking would take seconds.
#[cfg(debug_assertions)]
const MOST_CHECKED: usize = 1 << 20;

/// Compiles a function with the given liveness analysis.
pub(super) fn compile_with(
    id: FuncId,
    func: &Function,
    context: &dyn CompileContext,
    liveness: Liveness,
) -> Code {
    let mut compiler = FunctionCompiler::new(id, func, context, liveness);
    compiler.cover_entry();
    for block in func.blocks.keys() {
        compiler.block(block);
    }
    compiler.finish()
}

/// A comparison fused with the branch on its result.
#[derive(Copy, Clone)]
pub(super) struct Fused {
    pub pred: Icmp,
    pub a: Operand,
    pub b: Operand,
}

/// A function being compiled.
pub(super) struct FunctionCompiler<'a> {
    pub id: FuncId,
    pub func: &'a Function,
    pub context: &'a dyn CompileContext,
    pub uses: Uses,
    pub code: Code,
    pub val_slots: SecondaryMap<Val, Slot>,
    pub const_slots: SecondaryMap<ConstId, Slot>,
    /// The operand whose bits a value has, for casts that keep the bits.
    pub same: SecondaryMap<Val, Option<Operand>>,
    /// Addresses whose constant offset is added by the accesses that use them: the base and
    /// the offset. The base is the value itself if it is scaled, before the addition.
    pub folded: SecondaryMap<Val, Option<(Operand, i32)>>,
    pub fused: SecondaryMap<Val, Option<Fused>>,
    pub starts: SecondaryMap<BlockId, Pc>,
    pub fixups: Vec<(Fixup, BlockId)>,
    pub stubs: Vec<EdgeStub<'a>>,
    /// The slot that breaks cycles of moves, once there is one.
    pub spare: Option<Slot>,
    /// IR instructions since the last operation with an `n`.
    pub line: u16,
    pub loc: Option<LocId>,
    pub inst: Option<InstId>,
    /// The number of the next coverage site, if the function has sites.
    pub site: Option<u32>,
}

impl<'a> FunctionCompiler<'a> {
    fn new(
        id: FuncId,
        func: &'a Function,
        context: &'a dyn CompileContext,
        liveness: Liveness,
    ) -> Self {
        let code = Code {
            ops: Vec::with_capacity(func.insts.len() + func.blocks.len()),
            template: Vec::new(),
            params: Vec::new(),
            moves: Vec::new(),
            general: Vec::new(),
            special: Vec::new(),
            checks: Vec::new(),
            calls: Vec::new(),
            returns: Vec::new(),
            switches: Vec::new(),
            locs: Vec::new(),
            insts: Vec::new(),
            blocks: Vec::new(),
            start: 0,
            executions: Vec::new(),
            swapped: Vec::new(),
            sanitizer_branches: Vec::new(),
        };
        let mut this = FunctionCompiler {
            id,
            func,
            context,
            uses: Uses::of(func),
            code,
            val_slots: SecondaryMap::new(),
            const_slots: SecondaryMap::new(),
            same: SecondaryMap::new(),
            folded: SecondaryMap::new(),
            fused: SecondaryMap::new(),
            starts: SecondaryMap::new(),
            fixups: Vec::new(),
            stubs: Vec::new(),
            spare: None,
            line: 0,
            loc: None,
            inst: None,
            site: context.first_site(id),
        };
        this.find_same();
        this.find_folded();
        this.assign_slots(liveness);
        this
    }

    pub fn new_slot(&mut self, ty: Ty) -> Slot {
        let slot = self.code.template.len() as Slot;
        self.code.template.push(Value::word(0));
        if ty.is_wide() {
            self.code.template.push(Value::word(0));
        }
        slot
    }

    /// Finds the original operand of each chain of bit-preserving casts.
    fn find_same(&mut self) {
        let mut next: SecondaryMap<Val, Option<Operand>> = SecondaryMap::new();
        for inst in self.func.insts.values() {
            if let Some((dst, src)) = keeps_bits(self.func, inst) {
                next[dst] = Some(src);
            }
        }
        for val in self.func.vals.keys() {
            let mut source = next[val];
            // A chain longer than the number of values is a cycle, which only unreachable
            // code contains.
            let mut fuel = self.func.vals.len();
            while let Some(further) = source.and_then(Operand::as_val).and_then(|v| next[v]) {
                source = (fuel > 0).then_some(further);
                fuel = fuel.saturating_sub(1);
            }
            self.same[val] = source;
        }
    }

    /// Finds comparisons used only by branches, and constant offsets used only by loads and
    /// stores. Runs before any block is compiled: in layout order, a use can precede its
    /// definition.
    fn find_folded(&mut self) {
        // An alignment check needs the whole address in one slot.
        let fold_offsets = !self.context.checks().alignment;
        // A comparison that is recorded has a result.
        let fuse = self.context.value_log(self.id).is_none();
        for inst in self.func.insts.values() {
            match *inst {
                Inst::Icmp { pred, dst, a, b }
                    if fuse
                        && self.uses.only_condition(dst)
                        && !self.func.operand_ty(a).is_wide() =>
                {
                    self.fused[dst] = Some(Fused { pred, a, b });
                }
                Inst::PtrAdd { dst, base, offset, scaled, .. }
                    if fold_offsets && offset != 0 && self.uses.only_address(dst) =>
                {
                    if let Ok(offset) = i32::try_from(offset) {
                        let base = if scaled.is_some() { dst.into() } else { base };
                        self.folded[dst] = Some((base, offset));
                    }
                }
                _ => {}
            }
        }
    }

    pub fn slot(&self, op: Operand) -> Slot {
        match op.kind() {
            OperandKind::Val(v) => self.val_slots[v],
            OperandKind::Const(c) => self.const_slots[c],
        }
    }

    pub fn typed_slot(&self, op: Operand) -> TypedSlot {
        TypedSlot { ty: self.func.operand_ty(op), slot: self.slot(op) }
    }

    pub fn typed_slots(&self, ops: &[Operand]) -> Box<[TypedSlot]> {
        ops.iter().map(|&op| self.typed_slot(op)).collect()
    }

    pub fn dst(&self, val: Val) -> TypedSlot {
        TypedSlot { ty: self.func.vals[val], slot: self.val_slots[val] }
    }

    pub fn emit(&mut self, op: ByteOp) {
        self.code.ops.push(op);
        self.code.locs.push(self.loc);
        self.code.insts.push(self.inst);
    }

    /// The number of the next coverage site.
    pub fn take_site(&mut self) -> Option<u32> {
        let site = self.site?;
        self.site = Some(site + 1);
        Some(site)
    }

    fn cover_entry(&mut self) {
        if let Some(site) = self.take_site() {
            let entry = self.func.blocks.keys().next().unwrap_or(BlockId::new(0));
            self.code.blocks.push((0, entry));
            self.emit(ByteOp::Cover { site, target: 1 });
            self.count_site(site);
        }
    }

    pub fn general(&mut self, general: General) {
        let index = self.code.general.len() as u32;
        self.code.general.push(general);
        self.emit(ByteOp::General { index });
    }

    pub fn special(&mut self, special: Special) {
        let index = self.code.special.len() as u32;
        self.code.special.push(special);
        self.emit(ByteOp::Special { index });
    }

    pub fn check(&mut self, check: Check) {
        let index = self.code.checks.len() as u32;
        self.code.checks.push(check);
        self.emit(ByteOp::Check { index });
    }

    /// The `n` of a control operation.
    pub fn take_line(&mut self) -> u16 {
        std::mem::take(&mut self.line)
    }

    fn block(&mut self, id: BlockId) {
        let block = &self.func.blocks[id];
        let start = self.code.ops.len() as Pc;
        self.starts[id] = start;
        self.code.blocks.push((start, id));
        (self.loc, self.inst) = (None, None);
        self.record_block(id);
        let watched = |(_, watch): &&(WatchId, Watch)| watch.point.block == id;
        let mut watches = self.context.watches(self.id).iter().filter(watched).peekable();
        if self.context.observation_log().is_some_and(|log| log.follows_paths()) {
            self.observe(block.first, Observation::Block { block: id });
        }
        for (position, inst) in block.inst_ids().enumerate() {
            self.loc = self.func.loc(inst);
            self.inst = None;
            while let Some((id, watch)) =
                watches.next_if(|(_, watch)| watch.point.inst as usize <= position)
            {
                self.watch(*id, watch);
            }
            if matches!(self.func.insts[inst], Inst::Line) {
                continue;
            }
            self.inst = Some(inst);
            self.line += 1;
            let observed = self.observe_before(inst);
            self.inst(&self.func.insts[inst]);
            observed.into_iter().for_each(|what| self.observe(inst, what));
            self.record_inst(inst);
            if self.line == u16::MAX - 1 {
                let n = self.take_line();
                self.emit(ByteOp::Count { n });
            }
        }
        self.loc = block.term_loc;
        self.inst = None;
        watches.for_each(|(id, watch)| self.watch(*id, watch));
        self.line += 1;
        self.terminator(&block.term);
    }

    /// Records an instruction's accesses, if they are recorded; returns what to do after it.
    fn observe_before(&mut self, inst: InstId) -> Option<Observation> {
        self.context.observation_log()?;
        let (before, after) =
            observations(&self.func.insts[inst], |op| self.typed_slot(op), |op| self.address(op));
        before.into_iter().for_each(|what| self.observe(inst, what));
        after
    }

    fn observe(&mut self, inst: InstId, what: Observation) {
        if let Some(log) = self.context.observation_log() {
            self.special(Special::Observe { log: Rc::clone(log), at: (self.id, inst), what });
        }
    }

    fn watch(&mut self, id: WatchId, watch: &Watch) {
        self.special(Special::Watch { id, watch: watch.clone() });
    }
}

/// The result and the operand of an instruction whose result has the same bits in as many
/// slots.
pub(super) fn keeps_bits(func: &Function, inst: &Inst) -> Option<(Val, Operand)> {
    match *inst {
        Inst::Cast { op, dst, src } => {
            let (from, to) = (func.operand_ty(src), func.vals[dst]);
            let keeps = match op {
                CastOp::Bitcast => true,
                CastOp::Zext | CastOp::IntToPtr | CastOp::PtrToInt => {
                    from.bits() <= to.bits() && from.is_wide() == to.is_wide()
                }
                CastOp::Trunc => from.is_wide() && to.bits() == 64,
                _ => false,
            };
            keeps.then_some((dst, src))
        }
        Inst::PtrAdd { dst, base, offset: 0, scaled: None, .. } => Some((dst, base)),
        _ => None,
    }
}

/// The one or two slots of a scalar.
pub(super) fn slots_of(place: TypedSlot) -> impl Iterator<Item = Slot> {
    place.slot..place.slot + 1 + Slot::from(place.ty.is_wide())
}
