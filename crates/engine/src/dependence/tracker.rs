//! The walk along a path, with labels for values, memory and control.

use std::rc::Rc;

use byway_ir::analysis::points_to::{AbstractLocation, AbstractObjectKind, ObjectId};
use byway_ir::{
    BlockId, Callee, FuncId, GlobalId, Inst, InstId, Module, Operand, Origin, Terminator, Val,
};
use rustc_hash::FxHashSet;

use super::effects::{Side, StaticEffects};
use super::label::{Label, LabelTable};
use super::memory::{LabelMemory, Part};
use super::path_log::{Event, LoggedAccess, LoggedDecision, Place};
use super::regions::{Region, Regions};

/// Why the dependences of a path are not known.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum GiveUpReason {
    /// Control left the order of calls and returns: `longjmp`, a tail call.
    Jump,
    /// An address that the points-to analysis does not know.
    UnknownAddress,
    /// The labels need too much memory.
    TooManyLabels,
    /// A value was fixed to one of several.
    Concretised,
}

impl GiveUpReason {
    /// The name in a run's records.
    pub fn name(self) -> &'static str {
        match self {
            GiveUpReason::Jump => "a jump out of a function",
            GiveUpReason::UnknownAddress => "an unknown address",
            GiveUpReason::TooManyLabels => "too many dependences",
            GiveUpReason::Concretised => "a concretised value",
        }
    }
}

/// Where a path ended.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct PathPoint {
    /// The function.
    pub func: FuncId,
    /// The instruction; `None` for the end of the block.
    pub inst: Option<InstId>,
}

/// The dependences of a path. Lists are in the order in which their decisions are asked for.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PathDependences {
    /// For each decision, those it depends on.
    pub decisions: Vec<Vec<usize>>,
    /// For each decision, whether any other case ends the path at once.
    pub checks: Vec<bool>,
    /// The lists that instructions of the user's code depend on, each once.
    pub instructions: Vec<Vec<usize>>,
    /// The decisions that led to the path's end.
    pub end: Vec<usize>,
}

impl PathDependences {
    /// Everything depends on all decisions before it: nothing is known. `checks` says of each
    /// decision whether it is a check.
    pub fn complete(checks: impl Iterator<Item = bool>) -> PathDependences {
        let checks: Vec<bool> = checks.collect();
        let decisions: Vec<Vec<usize>> = (0..checks.len()).map(|it| (0..it).collect()).collect();
        let end = (0..checks.len()).collect();
        PathDependences { decisions, checks, instructions: Vec::new(), end }
    }
}

/// A call of a function on the path.
#[derive(Clone, Debug)]
struct Frame {
    func: FuncId,
    block: BlockId,
    /// The first instruction not walked yet.
    next: InstId,
    values: Vec<Label>,
    /// The label of the variadic arguments.
    variadic: Label,
    is_user: bool,
}

/// An instruction whose events have not all been seen.
#[derive(Clone, Debug)]
pub(super) struct PendingInst {
    pub inst: InstId,
    pub accesses: Vec<LoggedAccess>,
    pub call: Option<PendingCall>,
    /// The labels of its decisions, those of checks apart.
    pub decisions: Label,
    pub checks: Label,
}

#[derive(Copy, Clone, Debug)]
pub(super) struct PendingCall {
    pub callee: Option<FuncId>,
    pub args: [Place; 3],
}

/// Walks along a path.
#[derive(Clone)]
pub struct Tracker<'m> {
    pub(super) module: &'m Module,
    pub(super) effects: Rc<StaticEffects<'m>>,
    pub(super) labels: LabelTable,
    pub(super) memory: LabelMemory,
    pub(super) regions: Regions,
    /// What the environment answers depends on this.
    pub(super) world: Label,
    frames: Vec<Frame>,
    pending: Option<PendingInst>,
    /// The decisions at the end of the current block.
    term_decisions: Label,
    term_checks: Label,
    dependences: FxHashSet<Label>,
    ordered: Vec<Label>,
    decisions: Vec<Label>,
    checks: Vec<bool>,
    given_up: Option<GiveUpReason>,
}

type Walk<T> = Result<T, GiveUpReason>;

impl<'m> Tracker<'m> {
    /// A walk that starts with the program. `globals` are the addresses of its globals.
    pub fn new(
        effects: Rc<StaticEffects<'m>>,
        module: &'m Module,
        globals: impl Iterator<Item = (GlobalId, u64)>,
    ) -> Tracker<'m> {
        let mut memory = LabelMemory::default();
        for (global, address) in globals {
            let of = effects.points_to.object_of(AbstractObjectKind::Global(global));
            memory.make(address, of, Label::NONE);
        }
        Tracker {
            module,
            effects,
            labels: LabelTable::default(),
            memory,
            regions: Regions::default(),
            world: Label::NONE,
            frames: Vec::new(),
            pending: None,
            term_decisions: Label::NONE,
            term_checks: Label::NONE,
            dependences: FxHashSet::default(),
            ordered: Vec::new(),
            decisions: Vec::new(),
            checks: Vec::new(),
            given_up: None,
        }
    }

    /// Walks on along these events.
    pub fn walk(&mut self, events: &[Event]) {
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
        let list = |label: &Label| -> Vec<usize> {
            self.labels.decisions(*label).iter().map(|&it| it as usize).collect()
        };
        Ok(PathDependences {
            decisions: self.decisions.iter().map(list).collect(),
            instructions: self.ordered.iter().map(list).collect(),
            end: list(&end),
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
                let (decisions, checks) = (self.term_decisions, self.term_checks);
                self.labels.join_all([condition, decisions, checks])
            }
        };
        let control = self.control();
        Ok(self.labels.join(control, own))
    }

    fn event(&mut self, event: Event) -> Walk<()> {
        match event {
            Event::Block(func, block) => self.enter_block(func, block),
            Event::Access { inst, access } => {
                self.arrive(inst)?;
                self.pending_at(inst).accesses.push(access);
                Ok(())
            }
            Event::Call { inst, callee, args } => {
                self.arrive(inst)?;
                self.pending_at(inst).call = Some(PendingCall { callee, args });
                Ok(())
            }
            Event::Made { inst, base } => self.make(inst, base),
            Event::Returned { func, inst, made } => self.complete_call(func, inst, made),
            Event::Decided(decision) => self.decide(decision),
        }
    }

    pub(super) fn control(&mut self) -> Label {
        self.regions.control(&mut self.labels)
    }

    fn top(&self) -> Walk<&Frame> {
        self.frames.last().ok_or(GiveUpReason::Jump)
    }

    fn top_mut(&mut self) -> Walk<&mut Frame> {
        self.frames.last_mut().ok_or(GiveUpReason::Jump)
    }

    /// The function of the call at hand.
    pub(super) fn func(&self) -> FuncId {
        self.frames.last().map_or(FuncId::from_u32(0), |frame| frame.func)
    }

    pub(super) fn label_of(&self, operand: Operand) -> Label {
        let values = self.frames.last().map(|frame| &frame.values);
        let value = operand.as_val().and_then(|val| values?.get(val.as_u32() as usize));
        value.copied().unwrap_or_default()
    }

    pub(super) fn set(&mut self, val: Val, label: Label) {
        if let Some(frame) = self.frames.last_mut()
            && let Some(own) = frame.values.get_mut(val.as_u32() as usize)
        {
            *own = label;
        }
    }

    pub(super) fn label_of_uses(&mut self, inst: &Inst) -> Label {
        let mut operands = Vec::new();
        inst.for_each_use(|operand| operands.push(operand));
        let operands: Vec<Label> = operands.into_iter().map(|it| self.label_of(it)).collect();
        self.labels.join_all(operands)
    }

    fn label_of_term(&mut self, term: &Terminator) -> Label {
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
        if is_user && !label.is_none() && self.dependences.insert(label) {
            self.ordered.push(label);
        }
    }

    /// Walks on until an instruction is next, or pending.
    fn arrive(&mut self, inst: InstId) -> Walk<()> {
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
        self.pending = Some(PendingInst {
            inst,
            accesses: Vec::new(),
            call: None,
            decisions: Label::NONE,
            checks: Label::NONE,
        });
        Ok(())
    }

    /// Walks on to the end of the block.
    fn arrive_at_end(&mut self) -> Walk<()> {
        self.complete()?;
        let frame = self.top()?;
        let end = self.module.funcs[frame.func].blocks[frame.block].end;
        self.walk_plain(end)
    }

    fn pending_at(&mut self, inst: InstId) -> &mut PendingInst {
        self.pending.get_or_insert(PendingInst {
            inst,
            accesses: Vec::new(),
            call: None,
            decisions: Label::NONE,
            checks: Label::NONE,
        })
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
            let label = self.label_of_uses(inst);
            inst.for_each_def(|val| self.set(val, label));
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
                inst.for_each_def(|val| self.set(val, label));
                self.depend(label);
            }
        }
        Ok(())
    }

    fn bytes_of(&self, operand: Operand) -> u64 {
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

    /// A block begins: of a function that is called, or behind the block at hand.
    fn enter_block(&mut self, func: FuncId, block: BlockId) -> Walk<()> {
        let body = &self.module.funcs[func];
        let next = body.blocks[block].first;
        let is_call = self.pending.as_ref().is_some_and(|pending| pending.call.is_some());
        if is_call || self.frames.is_empty() {
            if body.entry() != Some(block) {
                return Err(GiveUpReason::Jump);
            }
            let (args, variadic) = self.pass_arguments(func)?;
            let mut values = vec![Label::NONE; body.vals.len()];
            for (&param, label) in body.params.iter().zip(args) {
                values[param.as_u32() as usize] = label;
            }
            let params: Vec<Label> =
                body.params.iter().map(|param| values[param.as_u32() as usize]).collect();
            let is_user = body.origin == Origin::User;
            self.frames.push(Frame { func, block, next, values, variadic, is_user });
            params.into_iter().for_each(|label| self.depend(label));
            return Ok(());
        }
        self.arrive_at_end()?;
        let (from_func, from) = (self.top()?.func, self.top()?.block);
        if from_func != func {
            return Err(GiveUpReason::Jump);
        }
        self.branch(func, from, block);
        let depth = self.frames.len();
        let args = self.arguments_of_edge(&body.blocks[from].term, block);
        let closed = self.regions.close_at(depth, block);
        let met = closed.first().map_or(Label::NONE, |region| region.label);
        closed.iter().for_each(|region| self.meet(region));
        let params = &body.blocks[block].params;
        for (&param, arg) in params.iter().zip(args) {
            let label = self.labels.join(met, arg);
            self.set(param, label);
            self.depend(label);
        }
        // A block without instructions is executed as well.
        self.depend(Label::NONE);
        let frame = self.top_mut()?;
        (frame.block, frame.next) = (block, next);
        Ok(())
    }

    /// The path takes a side of the branch at the end of a block.
    fn branch(&mut self, func: FuncId, from: BlockId, to: BlockId) {
        let term = &self.module.funcs[func].blocks[from].term;
        let condition = self.label_of_term(term);
        let decisions = std::mem::take(&mut self.term_decisions);
        self.term_checks = Label::NONE;
        let own = self.labels.join(condition, decisions);
        if own.is_none() {
            return;
        }
        self.depend(own);
        let mut succs: Vec<BlockId> = Vec::new();
        term.for_each_edge(|edge| {
            if !succs.contains(&edge.block) {
                succs.push(edge.block);
            }
        });
        let is_taken_fatal = self.effects.side(func, from, to).is_fatal;
        let sides = succs.iter().map(|&succ| self.effects.side(func, from, succ));
        let sides: Vec<Rc<Side>> = sides.filter(|side| !side.is_fatal).collect();
        if sides.len() < 2 && !is_taken_fatal {
            // A check: it decides nothing for those who pass.
            let own = self.labels.decisions(decisions).to_vec();
            own.into_iter().for_each(|it| self.checks[it as usize] = succs.len() > 1);
            return;
        }
        let control = self.control();
        let label = self.labels.join(control, own);
        let meet = self.effects.meeting_point(func, from).filter(|_| !is_taken_fatal);
        let region = Region { depth: self.frames.len(), meet, label, sides };
        self.regions.open(region, &mut self.labels);
    }

    /// The labels of a block's parameters. If two edges lead there, either may have been taken.
    fn arguments_of_edge(&mut self, term: &Terminator, to: BlockId) -> Vec<Label> {
        let mut args: Vec<Label> = Vec::new();
        let mut edges = Vec::new();
        term.for_each_edge(|edge| {
            if edge.block == to && !edges.contains(&edge) {
                edges.push(edge);
            }
        });
        for edge in &edges {
            args.resize(edge.args.len(), Label::NONE);
            for (own, &arg) in args.iter_mut().zip(&edge.args) {
                let label = self.label_of(arg);
                *own = self.labels.join(*own, label);
            }
        }
        if edges.len() > 1 {
            let condition = self.label_of_term(term);
            let own = self.term_decisions;
            let condition = self.labels.join(condition, own);
            args.iter_mut().for_each(|it| *it = self.labels.join(condition, *it));
        }
        args
    }

    /// The sides of a branch meet: what any of them could have defined depends on it. That holds
    /// for the side taken too, or a path would ask for other decisions than one on the other side.
    fn meet(&mut self, region: &Region) {
        for side in &region.sides {
            let effect = &side.effect;
            for write in &effect.writes {
                self.memory.may_define(write.of, write.offsets, write.len, region.label);
            }
            if effect.writes_anywhere {
                self.memory.may_define_anything(region.label);
            }
            if effect.changes_world {
                self.world = self.labels.join(region.label, self.world);
            }
            for &val in &side.values {
                let label = self.label_of(val.into());
                let label = self.labels.join(region.label, label);
                self.set(val, label);
            }
        }
    }

    /// The labels of the arguments of the call at hand: the fixed ones, and the others together.
    fn pass_arguments(&mut self, func: FuncId) -> Walk<(Vec<Label>, Label)> {
        let Some(pending) = self.pending.as_ref().cloned() else { return Ok(Default::default()) };
        let caller = self.top()?.func;
        let Inst::Call { callee, args, varargs, tail, .. } =
            &self.module.funcs[caller].insts[pending.inst]
        else {
            return Err(GiveUpReason::Jump);
        };
        if *tail || varargs.iter().any(|arg| arg.by_value.is_some()) {
            return Err(GiveUpReason::Jump);
        }
        let labels: Vec<Label> = args.iter().map(|&arg| self.label_of(arg)).collect();
        let fixed = self.module.funcs[func].params.len().min(labels.len());
        let variadic = self.labels.join_all(labels[fixed..].iter().copied());
        if let Callee::Indirect(pointer) = callee {
            self.choose_callee(*pointer, &pending);
        }
        // It stays pending until the call returns.
        self.top_mut()?.next = pending.inst;
        self.pending = None;
        Ok((labels, variadic))
    }

    /// A call through a pointer: all that the callee does depends on the pointer.
    fn choose_callee(&mut self, pointer: Operand, call: &PendingInst) {
        let pointer = self.label_of(pointer);
        let own = self.labels.join(pointer, call.decisions);
        if own.is_none() {
            return;
        }
        let mut side = Side::default();
        for &callee in self.effects.points_to.callees(self.func(), call.inst) {
            side.effect.add(self.effects.of_call(callee));
        }
        let control = self.control();
        let label = self.labels.join(control, own);
        let depth = self.frames.len() + 1;
        let region = Region { depth, meet: None, label, sides: vec![Rc::new(side)] };
        self.regions.open(region, &mut self.labels);
    }

    /// A call returned.
    fn complete_call(&mut self, func: FuncId, inst: InstId, made: Option<u64>) -> Walk<()> {
        if let Some(pending) = self.pending.as_ref().filter(|pending| pending.inst == inst)
            && self.top()?.func == func
        {
            let pending = pending.clone();
            self.pending = None;
            self.top_mut()?.next = InstId::from_u32(inst.as_u32() + 1);
            return self.complete_intrinsic(&pending, made);
        }
        self.arrive_at_end()?;
        let frame = self.top()?;
        let Terminator::Return(values) = &self.module.funcs[frame.func].blocks[frame.block].term
        else {
            return Err(GiveUpReason::Jump);
        };
        let results: Vec<Label> = values.iter().map(|&value| self.label_of(value)).collect();
        let closed = self.regions.close_function(self.frames.len());
        let met = closed.first().map_or(Label::NONE, |region| region.label);
        closed.iter().for_each(|region| self.meet(region));
        self.frames.pop();
        let caller = self.top()?;
        let Inst::Call { dsts, .. } = &self.module.funcs[caller.func].insts[inst] else {
            return Err(GiveUpReason::Jump);
        };
        if caller.func != func || caller.next != inst {
            return Err(GiveUpReason::Jump);
        }
        self.top_mut()?.next = InstId::from_u32(inst.as_u32() + 1);
        for (&dst, result) in dsts.iter().zip(results) {
            let label = self.labels.join(met, result);
            self.set(dst, label);
            self.depend(label);
        }
        Ok(())
    }

    /// An instruction made an object: a local variable, or the list of variadic arguments.
    fn make(&mut self, inst: InstId, base: Option<u64>) -> Walk<()> {
        self.arrive(inst)?;
        let func = self.top()?.func;
        let base = base.ok_or(GiveUpReason::UnknownAddress)?;
        let (kind, label) = match &self.module.funcs[func].insts[inst] {
            Inst::Alloca { .. } => (AbstractObjectKind::Local(func, inst), Label::NONE),
            _ => (AbstractObjectKind::Variadic(func), self.top()?.variadic),
        };
        let of = self.effects.points_to.object_of(kind);
        self.memory.make(base, of, label);
        Ok(())
    }

    /// The label of bytes that an operand points to.
    pub(super) fn read(&mut self, address: Operand, place: Place, len: Option<u64>) -> Walk<Label> {
        match place {
            Place::Object { base, offset, .. } => {
                self.know(base);
                Ok(self.memory.read(base, offset, len, &mut self.labels))
            }
            Place::Symbolic => {
                let mut all = Label::NONE;
                for base in self.instances(address)? {
                    let label = self.memory.read(base, 0, None, &mut self.labels);
                    all = self.labels.join(all, label);
                }
                Ok(all)
            }
            Place::Nowhere(_) | Place::None => Ok(Label::NONE),
        }
    }

    /// Whether an object is alive depends on this.
    pub(super) fn read_object(&mut self, address: Operand, place: Place) -> Walk<Label> {
        let bases = match place {
            Place::Object { base, .. } => vec![base],
            // An argument that is no address points to nothing.
            Place::Symbolic => self.instances(address)?,
            // It may have been one before.
            Place::Nowhere(at) => self.memory.nearest(at).into_iter().collect(),
            Place::None => Vec::new(),
        };
        let mut all = Label::NONE;
        for base in bases {
            self.know(base);
            let label = self.memory.read_object(base, &mut self.labels);
            all = self.labels.join(all, label);
        }
        Ok(all)
    }

    /// Defines bytes that an operand points to, with a value of this label.
    pub(super) fn write(
        &mut self,
        address: Operand,
        place: Place,
        len: Option<u64>,
        value: Label,
    ) -> Walk<()> {
        let pointer = self.label_of(address);
        let control = self.control();
        let alive = self.read_object(address, place)?;
        let label = self.labels.join_all([control, pointer, value]);
        let all = self.labels.join(label, alive);
        self.depend(all);
        let led = self.labels.join(control, pointer);
        let is_known = matches!(place, Place::Object { .. });
        // Another pointer would have defined something else.
        if !pointer.is_none() || !is_known {
            let possible = if is_known { led } else { label };
            for location in self.locations(address)? {
                let of = (location.object, Part::Bytes);
                self.memory.may_define(of, location.offsets, len, possible);
            }
        }
        if let Place::Object { base, offset, size } = place {
            self.know(base);
            let rest = size.saturating_sub(offset as u64);
            match len {
                Some(len) => self.memory.define(base, offset, len.min(rest), label),
                None => self.weaken(base, label),
            }
        }
        Ok(())
    }

    /// Some bytes of an object are defined.
    pub(super) fn weaken(&mut self, base: u64, label: Label) {
        if let Some(of) = self.memory.abstract_object(base) {
            let offsets = byway_ir::analysis::points_to::Offsets::ANY;
            self.memory.may_define((of, Part::Bytes), offsets, None, label);
        } else {
            self.memory.may_define_anything(label);
        }
    }

    fn copy(&mut self, dst: Operand, src: Operand, len: Operand, it: &PendingInst) -> Walk<()> {
        let [from, to] = it.accesses[..] else { return Err(GiveUpReason::Jump) };
        let (from, to, bytes) = (from.place, to.place, from.len);
        let len = self.label_of(len);
        let source = self.label_of(src);
        let own = self.labels.join_all([len, source, it.decisions]);
        let alive = self.read_object(src, from)?;
        let own = self.labels.join(own, alive);
        if let (Place::Object { base, offset, .. }, Place::Object { .. }, Some(count)) =
            (from, to, bytes)
        {
            self.know(base);
            let each: Vec<Label> = (0..count as i64)
                .map(|at| self.memory.read(base, offset + at, Some(1), &mut self.labels))
                .collect();
            self.write(dst, to, Some(count), own)?;
            let Place::Object { base, offset, .. } = to else { return Ok(()) };
            let (pointer, control) = (self.label_of(dst), self.control());
            for (at, label) in (0..).zip(each) {
                if !label.is_none() {
                    let label = self.labels.join_all([control, pointer, own, label]);
                    self.memory.define(base, offset + at, 1, label);
                    self.depend(label);
                }
            }
            return Ok(());
        }
        let value = self.read(src, from, bytes)?;
        let label = self.labels.join(own, value);
        self.write(dst, to, bytes, label)
    }

    /// The abstract locations of an operand, all of them known.
    fn locations(&self, address: Operand) -> Walk<Vec<AbstractLocation>> {
        let points_to = &self.effects.points_to;
        let locations = points_to.of_operand(self.module, self.func(), address);
        match points_to.is_complete(&locations) && !points_to.has_fixed_addresses() {
            true => Ok(locations),
            false => Err(GiveUpReason::UnknownAddress),
        }
    }

    /// The addresses of the objects that an operand can point to.
    fn instances(&self, address: Operand) -> Walk<Vec<u64>> {
        let mut objects: Vec<ObjectId> =
            self.locations(address)?.into_iter().map(|it| it.object).collect();
        objects.sort_unstable();
        objects.dedup();
        Ok(objects.into_iter().flat_map(|it| self.memory.instances(it)).collect())
    }

    /// An address may be that of an object which no event announced.
    fn know(&mut self, base: u64) {
        let effects = &self.effects;
        self.memory.know(base, || effects.points_to.object_of(AbstractObjectKind::Arguments));
    }
}
