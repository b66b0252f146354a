//! The walk along a path, with labels for values, memory and control.

use std::rc::Rc;

use byway_ir::analysis::points_to::AbstractObjectKind;
use byway_ir::{BlockId, FuncId, GlobalId, Inst, InstId, Module, Operand, Terminator, Val};
use rustc_hash::FxHashSet;

use super::effects::StaticEffects;
use super::label::{Label, LabelTable};
use super::memory::LabelMemory;
use super::observed::ObservedCode;
use super::path_log::{LoggedAccess, LoggedDecision, PathEvent, Place};
use super::regions::Regions;
use super::result::{GiveUpReason, PathDependences, PathPoint};

/// A call of a function on the path.
#[derive(Clone, Debug)]
pub(super) struct WalkedCall {
    pub func: FuncId,
    pub block: BlockId,
    /// The first instruction not walked yet.
    pub next: InstId,
    pub values: Vec<Label>,
    /// What values point to, where the walk knows it.
    pub pointers: Vec<Option<KnownPointer>>,
    /// The label of the variadic arguments.
    pub variadic: Label,
    pub is_user: bool,
}

impl WalkedCall {
    fn label_of(&self, operand: Operand) -> Label {
        let value = operand.as_val().and_then(|val| self.values.get(val.as_u32() as usize));
        value.copied().unwrap_or_default()
    }
}

/// A pointer: the address of an object, and the offset in it.
pub(super) type KnownPointer = (u64, i64);

/// An instruction whose events have not all been seen.
#[derive(Clone, Debug)]
pub(super) struct PendingInst {
    pub inst: InstId,
    pub accesses: Vec<LoggedAccess>,
    pub call: Option<PendingCall>,
    /// The address of the object that it made.
    pub made: Option<u64>,
    /// The labels of its decisions, those of checks apart.
    pub decisions: Label,
    pub checks: Label,
}

impl PendingInst {
    fn new(inst: InstId) -> PendingInst {
        let (decisions, checks) = (Label::NONE, Label::NONE);
        PendingInst { inst, accesses: Vec::new(), call: None, made: None, decisions, checks }
    }
}

#[derive(Copy, Clone, Debug)]
pub(super) struct PendingCall {
    pub callee: Option<FuncId>,
    pub args: [Place; 3],
}

/// Walks along a path.
#[derive(Clone)]
pub struct DependenceTracker<'m> {
    pub(super) module: &'m Module,
    pub(super) effects: Rc<StaticEffects<'m>>,
    pub(super) code: Rc<ObservedCode>,
    pub(super) labels: LabelTable,
    pub(super) memory: LabelMemory,
    pub(super) regions: Regions,
    /// What the environment answers depends on this.
    pub(super) world: Label,
    /// What the program has written depends on this.
    pub(super) output: Label,
    pub(super) frames: Vec<WalkedCall>,
    pub(super) pending: Option<PendingInst>,
    /// The decisions at the end of the current block.
    pub(super) term_decisions: Label,
    /// Whether the code at hand is observed.
    pub(super) observes: bool,
    dependences: FxHashSet<Label>,
    ordered: Vec<Label>,
    decisions: Vec<Label>,
    observed: Vec<bool>,
    pub(super) checks: Vec<bool>,
    given_up: Option<GiveUpReason>,
}

pub(super) type Walk<T> = Result<T, GiveUpReason>;

impl<'m> DependenceTracker<'m> {
    /// A walk that starts with the program. `globals` are the addresses of its globals.
    pub fn new(
        effects: Rc<StaticEffects<'m>>,
        code: Rc<ObservedCode>,
        module: &'m Module,
        globals: impl Iterator<Item = (GlobalId, u64)>,
    ) -> DependenceTracker<'m> {
        let mut memory = LabelMemory::default();
        for (global, address) in globals {
            let of = effects.points_to.object_of(AbstractObjectKind::Global(global));
            memory.make(address, of, Label::NONE);
        }
        DependenceTracker {
            module,
            effects,
            code,
            labels: LabelTable::default(),
            memory,
            regions: Regions::default(),
            world: Label::NONE,
            output: Label::NONE,
            frames: Vec::new(),
            pending: None,
            term_decisions: Label::NONE,
            observes: true,
            dependences: FxHashSet::default(),
            ordered: Vec::new(),
            decisions: Vec::new(),
            observed: Vec::new(),
            checks: Vec::new(),
            given_up: None,
        }
    }

    /// Walks on along these events.
    pub fn walk(&mut self, events: &[PathEvent]) {
        for &event in events {
            if self.given_up.is_some() {
                return;
            }
            let result = self.event(event);
            self.given_up = result.err();
            if self.labels.is_full() {
                self.given_up = Some(GiveUpReason::TooManyLabels);
            }
        }
    }

    /// The dependences of the path, which ends here.
    pub fn finish(mut self, end: Option<PathPoint>) -> Walk<PathDependences> {
        if let Some(reason) = self.given_up {
            return Err(reason);
        }
        let end = self.label_of_end(end)?;
        let output = match self.code.observes_output() {
            true => self.output,
            false => Label::NONE,
        };
        let list = |label: &Label| -> Vec<usize> {
            self.labels.decisions(*label).iter().map(|&it| it as usize).collect()
        };
        Ok(PathDependences {
            decisions: self.decisions.iter().map(list).collect(),
            instructions: self.ordered.iter().map(list).collect(),
            end: list(&end),
            output: list(&output),
            observed: self.observed,
            checks: self.checks,
        })
    }

    fn label_of_end(&mut self, end: Option<PathPoint>) -> Walk<Label> {
        let control = self.control();
        let Some(PathPoint { func, inst }) = end else { return Ok(control) };
        if self.top()?.func != func {
            return Ok(control);
        }
        let own = match inst {
            Some(inst) => {
                self.arrive(inst)?;
                self.label_of_pending()?
            }
            None => {
                self.arrive_at_end()?;
                let term = &self.module.funcs[func].blocks[self.top()?.block].term;
                let condition = self.label_of_term(term);
                let decisions = self.term_decisions;
                self.labels.join(condition, decisions)
            }
        };
        let control = self.control();
        Ok(self.labels.join(control, own))
    }

    fn event(&mut self, event: PathEvent) -> Walk<()> {
        match event {
            PathEvent::Block(func, block) => self.enter_block(func, block),
            PathEvent::Access { inst, access } => {
                self.pending_at(inst)?.accesses.push(access);
                Ok(())
            }
            PathEvent::Call { inst, callee, args } => {
                self.pending_at(inst)?.call = Some(PendingCall { callee, args });
                Ok(())
            }
            PathEvent::Made { inst, base } => self.make(inst, base),
            PathEvent::Returned { func, inst, made } => self.complete_call(func, inst, made),
            PathEvent::Decided(decision) => self.decide(decision),
        }
    }

    pub(super) fn control(&mut self) -> Label {
        self.regions.control(&mut self.labels)
    }

    pub(super) fn top(&self) -> Walk<&WalkedCall> {
        self.frames.last().ok_or(GiveUpReason::Jump)
    }

    pub(super) fn top_mut(&mut self) -> Walk<&mut WalkedCall> {
        self.frames.last_mut().ok_or(GiveUpReason::Jump)
    }

    /// The function of the call at hand.
    pub(super) fn func(&self) -> FuncId {
        self.frames.last().map_or(FuncId::from_u32(0), |frame| frame.func)
    }

    pub(super) fn label_of(&self, operand: Operand) -> Label {
        self.frames.last().map_or(Label::NONE, |frame| frame.label_of(operand))
    }

    /// Defines a value, with this label. What it points to is not known.
    pub(super) fn set(&mut self, val: Val, label: Label) {
        if let Some(frame) = self.frames.last_mut()
            && let Some(own) = frame.values.get_mut(val.as_u32() as usize)
        {
            *own = label;
            frame.pointers[val.as_u32() as usize] = None;
        }
    }

    /// Makes known what a value points to.
    pub(super) fn set_pointer(&mut self, val: Val, pointer: Option<KnownPointer>) {
        if let Some(frame) = self.frames.last_mut()
            && let Some(own) = frame.pointers.get_mut(val.as_u32() as usize)
        {
            *own = pointer;
        }
    }

    /// What an operand points to, where the walk knows it.
    pub(super) fn pointer_of(&self, operand: Operand) -> Option<KnownPointer> {
        let pointers = &self.frames.last()?.pointers;
        *pointers.get(operand.as_val()?.as_u32() as usize)?
    }

    /// What a value points to on this path, and on every other that executes the code at hand.
    pub(super) fn pointer(&self, val: Val) -> Option<KnownPointer> {
        self.pointer_of(val.into()).filter(|_| self.label_of(val.into()).is_none())
    }

    pub(super) fn label_of_uses(&mut self, inst: &Inst) -> Label {
        let (frame, labels) = (self.frames.last(), &mut self.labels);
        let mut all = Label::NONE;
        inst.for_each_use(|operand| {
            let label = frame.map_or(Label::NONE, |frame| frame.label_of(operand));
            all = labels.join(all, label);
        });
        all
    }

    pub(super) fn label_of_term(&mut self, term: &Terminator) -> Label {
        match term {
            Terminator::Branch { cond: op, .. }
            | Terminator::Switch { value: op, .. }
            | Terminator::IndirectJump { addr: op, .. } => self.label_of(*op),
            _ => Label::NONE,
        }
    }

    /// Records what an instruction depends on.
    pub(super) fn depend(&mut self, label: Label) {
        let control = self.control();
        let label = self.labels.join(control, label);
        let is_user = self.frames.last().is_some_and(|frame| frame.is_user);
        if is_user && self.observes && !label.is_none() && self.dependences.insert(label) {
            self.ordered.push(label);
        }
    }

    /// Walks on until an instruction is next, or pending.
    pub(super) fn arrive(&mut self, inst: InstId) -> Walk<()> {
        if self.pending.as_ref().is_some_and(|pending| pending.inst == inst) {
            return Ok(());
        }
        self.complete()?;
        let frame = self.top()?;
        let block = &self.module.funcs[frame.func].blocks[frame.block];
        if inst < frame.next || inst >= block.end {
            return Err(GiveUpReason::Jump);
        }
        self.walk_plain(inst)?;
        self.pending = Some(PendingInst::new(inst));
        Ok(())
    }

    /// Walks on to the end of the block.
    pub(super) fn arrive_at_end(&mut self) -> Walk<()> {
        self.complete()?;
        let frame = self.top()?;
        let end = self.module.funcs[frame.func].blocks[frame.block].end;
        self.walk_plain(end)
    }

    /// The instruction at hand: walks on to it.
    fn pending_at(&mut self, inst: InstId) -> Walk<&mut PendingInst> {
        self.arrive(inst)?;
        Ok(self.pending.get_or_insert(PendingInst::new(inst)))
    }

    /// Walks along instructions without events.
    fn walk_plain(&mut self, to: InstId) -> Walk<()> {
        let module = self.module;
        let (func, from) = (self.top()?.func, self.top()?.next);
        let body = &module.funcs[func];
        for index in from.as_u32()..to.as_u32() {
            let inst = &body.insts[InstId::from_u32(index)];
            if matches!(
                inst,
                Inst::Load { .. } | Inst::Store { .. } | Inst::Call { .. } | Inst::Alloca { .. }
            ) {
                return Err(GiveUpReason::Jump);
            }
            self.observes = self.code.inst(func, InstId::from_u32(index));
            let label = self.label_of_uses(inst);
            inst.for_each_def(|val| self.set(val, label));
            if let Inst::PtrAdd { dst, base, offset, scaled: None, .. } = *inst {
                let further = |(object, at): KnownPointer| (object, at.wrapping_add(offset));
                let pointer = self.pointer_of(base).map(further);
                self.set_pointer(dst, pointer);
            }
            if !matches!(inst, Inst::Line) {
                self.depend(label);
            }
        }
        self.top_mut()?.next = to;
        Ok(())
    }

    /// Completes the instruction that was pending.
    fn complete(&mut self) -> Walk<()> {
        let Some(pending) = self.pending.take() else { return Ok(()) };
        let inst = &self.module.funcs[self.top()?.func].insts[pending.inst];
        self.top_mut()?.next = InstId::from_u32(pending.inst.as_u32() + 1);
        self.observes = self.code.inst(self.func(), pending.inst);
        match inst {
            Inst::Load { dst, addr, .. } => {
                let address = self.label_of(*addr);
                let address = self.labels.join(address, pending.decisions);
                let access = pending.accesses.first().copied().ok_or(GiveUpReason::Jump)?;
                let len = self.bytes_of((*dst).into());
                let alive = self.read_object(*addr, access.place)?;
                let value = self.read(*addr, access.place, Some(len))?;
                let label = self.labels.join(address, value);
                self.set(*dst, label);
                let all = self.labels.join(label, alive);
                self.depend(all);
            }
            Inst::Store { addr, value, .. } => {
                let access = pending.accesses.first().copied().ok_or(GiveUpReason::Jump)?;
                let len = self.bytes_of(*value);
                let value = self.label_of(*value);
                let value = self.labels.join(value, pending.decisions);
                self.write(*addr, access.place, Some(len), value)?;
            }
            Inst::MemCopy { dst, src, len, .. } => {
                self.copy(*dst, *src, *len, &pending)?;
            }
            Inst::MemSet { dst, byte, len } => {
                let (byte, len) = (self.label_of(*byte), self.label_of(*len));
                let label = self.labels.join_all([len, byte, pending.decisions]);
                if let Some(access) = pending.accesses.first() {
                    self.write(*dst, access.place, access.len, label)?;
                }
            }
            Inst::VaStart { list, .. } => {
                if let Some(access) = pending.accesses.first() {
                    self.write(*list, access.place, Some(24), pending.decisions)?;
                }
            }
            // A call that never returned; its events end here.
            Inst::Call { .. } => return Err(GiveUpReason::Jump),
            _ => {
                let uses = self.label_of_uses(inst);
                let label = self.labels.join(uses, pending.decisions);
                let pointer = pending.made.map(|base| (base, 0));
                inst.for_each_def(|val| {
                    self.set(val, label);
                    self.set_pointer(val, pointer);
                });
                self.depend(label);
            }
        }
        Ok(())
    }

    /// Whether the decisions of an instruction are observed, or those at the end of the block.
    fn observes_decision(&self, inst: Option<InstId>) -> Walk<bool> {
        let (func, block) = (self.top()?.func, self.top()?.block);
        Ok(match inst {
            Some(inst) => self.code.decision(&self.effects, func, inst),
            None => self.code.branch(&self.effects, func, block),
        })
    }

    pub(super) fn bytes_of(&self, operand: Operand) -> u64 {
        self.module.funcs[self.func()].operand_ty(operand).store_bytes()
    }

    /// What the pending instruction depends on so far, its checks included.
    fn label_of_pending(&mut self) -> Walk<Label> {
        let Some(pending) = self.pending.clone() else { return Ok(Label::NONE) };
        let inst = &self.module.funcs[self.func()].insts[pending.inst];
        let mut all = self.label_of_uses(inst);
        let accessed = pending.accesses.iter().map(|it| (it.address, it.place));
        let passed = match (inst, pending.call) {
            (Inst::Call { args, .. }, Some(call)) => args.iter().copied().zip(call.args).collect(),
            _ => Vec::new(),
        };
        for (address, place) in accessed.chain(passed) {
            let alive = self.read_object(address, place)?;
            all = self.labels.join(all, alive);
        }
        Ok(self.labels.join_all([all, pending.decisions, pending.checks]))
    }

    fn decide(&mut self, decision: LoggedDecision) -> Walk<()> {
        let own = match decision.inst {
            Some(inst) => {
                self.arrive(inst)?;
                self.label_of_pending()?
            }
            None => {
                self.arrive_at_end()?;
                let frame = self.top()?;
                let term = &self.module.funcs[frame.func].blocks[frame.block].term;
                let condition = self.label_of_term(term);
                let decisions = self.term_decisions;
                self.labels.join(condition, decisions)
            }
        };
        let control = self.control();
        let label = self.labels.join(control, own);
        debug_assert_eq!(self.decisions.len(), decision.index as usize);
        self.decisions.push(label);
        self.checks.push(decision.is_check);
        self.observed.push(self.observes_decision(decision.inst)?);
        let itself = self.labels.of(decision.index);
        match (&mut self.pending, decision.inst) {
            (Some(pending), Some(_)) if decision.is_check => {
                pending.checks = self.labels.join(pending.checks, itself);
            }
            (Some(pending), Some(_)) => {
                pending.decisions = self.labels.join(pending.decisions, itself);
            }
            _ => self.term_decisions = self.labels.join(self.term_decisions, itself),
        }
        Ok(())
    }
}
