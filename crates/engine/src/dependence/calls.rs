//! Calls: of functions with a body, and of the engine's own.

use std::rc::Rc;

use byway_ir::analysis::points_to::{AbstractObjectKind, MadeAddress};
use byway_ir::{Callee, FuncId, Inst, InstId, Operand, Terminator};

use super::effects::{Side, changes_world, frees};
use super::label::Label;
use super::path_log::Place;
use super::regions::BranchRegion;
use super::result::GiveUpReason;
use super::tracker::{DependenceTracker, KnownPointer, PendingInst, Walk};
use crate::intrinsic::Intrinsic;

impl DependenceTracker<'_> {
    /// The labels of the arguments of the call at hand: the fixed ones, and the others together.
    pub(super) fn pass_arguments(&mut self, func: FuncId) -> Walk<(Vec<Label>, Label)> {
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

    /// What the arguments of the call at hand point to.
    pub(super) fn passed_pointers(&self) -> Vec<Option<KnownPointer>> {
        let Some(pending) = &self.pending else { return Vec::new() };
        let (inst, call) = (&self.module.funcs[self.func()].insts[pending.inst], pending.call);
        let (Inst::Call { args, .. }, Some(call)) = (inst, call) else { return Vec::new() };
        let observed = |index| call.args.get(index).and_then(|place: &Place| place.pointer());
        let pointer = |(index, &arg)| observed(index).or_else(|| self.pointer_of(arg));
        args.iter().enumerate().map(pointer).collect()
    }

    /// A call through a pointer: all that the callee does depends on the pointer.
    pub(super) fn choose_callee(&mut self, pointer: Operand, call: &PendingInst) {
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
        let sides = vec![Rc::new(side)];
        let (writes, possible) = (Vec::new(), Vec::new());
        let region = BranchRegion { depth, meet: None, label, sides, writes, possible };
        self.regions.open(region, &mut self.labels);
    }

    /// A call returned.
    pub(super) fn complete_call(
        &mut self,
        func: FuncId,
        inst: InstId,
        made: Option<u64>,
    ) -> Walk<()> {
        if let Some(pending) = self.pending.as_ref().filter(|pending| pending.inst == inst)
            && self.top()?.func == func
        {
            let pending = pending.clone();
            self.pending = None;
            self.observes = self.code.inst(func, inst);
            self.top_mut()?.next = InstId::from_u32(inst.as_u32() + 1);
            return self.complete_intrinsic(&pending, made);
        }
        self.arrive_at_end()?;
        let frame = self.top()?;
        let Terminator::Return(values) = &self.module.funcs[frame.func].blocks[frame.block].term
        else {
            return Err(GiveUpReason::Jump);
        };
        let results: Vec<(Label, Option<KnownPointer>)> =
            values.iter().map(|&value| (self.label_of(value), self.pointer_of(value))).collect();
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
        self.observes = self.code.inst(func, inst);
        for (&dst, (result, pointer)) in dsts.iter().zip(results) {
            let label = self.labels.join(met, result);
            self.set(dst, label);
            self.set_pointer(dst, pointer);
            self.depend(label);
        }
        Ok(())
    }

    /// A function of the engine returned; perhaps it made an object.
    pub(super) fn complete_intrinsic(
        &mut self,
        pending: &PendingInst,
        made: Option<u64>,
    ) -> Walk<()> {
        let func = self.func();
        let inst = &self.module.funcs[func].insts[pending.inst];
        let (Inst::Call { args, dsts, .. }, Some(call)) = (inst, pending.call) else {
            return Err(GiveUpReason::Jump);
        };
        let Some(intrinsic) = call.callee.and_then(|callee| self.effects.intrinsic(callee)) else {
            return Err(GiveUpReason::Jump);
        };
        if matches!(intrinsic, Intrinsic::Longjmp | Intrinsic::BuiltinLongjmp) {
            return Err(GiveUpReason::Jump);
        }
        let uses = self.label_of_uses(inst);
        let control = self.control();
        let mut label = self.labels.join_all([uses, pending.decisions]);
        let effect = intrinsic.memory_effect();
        for &index in effect.reads {
            if let (Some(&operand), Some(&place)) = (args.get(index), call.args.get(index)) {
                let read = self.read(operand, place, None)?;
                label = self.labels.join(label, read);
            }
        }
        if changes_world(intrinsic) {
            label = self.labels.join(label, self.world);
            self.world = self.labels.join(control, label);
        }
        if effect.writes_output {
            self.output = self.labels.join_all([control, label, self.output]);
        }
        // The old object is read before it is freed.
        let moved = match effect.makes {
            MadeAddress::Moved(index) => match call.args.get(index) {
                Some(Place::Object { base, .. }) => {
                    self.memory.read(*base, 0, None, &mut self.labels)
                }
                _ => Label::NONE,
            },
            _ => Label::NONE,
        };
        if frees(intrinsic) {
            self.free(pending, call.args[0])?;
        }
        for &index in effect.writes {
            if let (Some(&operand), Some(&place)) = (args.get(index), call.args.get(index)) {
                self.write(operand, place, None, label)?;
            }
        }
        if let Some(base) = made.filter(|&base| base != 0) {
            let kind = AbstractObjectKind::Heap(func, pending.inst);
            let of = self.effects.points_to.object_of(kind);
            let contents = self.labels.join_all([control, label, moved]);
            self.memory.make(base, of, contents);
        }
        if matches!(intrinsic, Intrinsic::ObjectSize | Intrinsic::MallocUsableSize)
            && let Some(&pointer) = args.first()
        {
            let size = self.read_object(pointer, call.args[0])?;
            label = self.labels.join(label, size);
        }
        for &dst in dsts {
            self.set(dst, label);
            self.set_pointer(dst, made.filter(|&base| base != 0).map(|base| (base, 0)));
        }
        self.depend(label);
        Ok(())
    }

    /// Frees an object. Every later use of the object depends on this call.
    fn free(&mut self, pending: &PendingInst, place: Place) -> Walk<()> {
        let func = self.func();
        let Inst::Call { args, .. } = &self.module.funcs[func].insts[pending.inst] else {
            return Err(GiveUpReason::Jump);
        };
        let Some(&operand) = args.first() else { return Ok(()) };
        let pointer = self.label_of(operand);
        let control = self.control();
        let label = self.labels.join_all([control, pointer, pending.decisions]);
        let alive = self.read_object(operand, place)?;
        let all = self.labels.join(label, alive);
        self.depend(all);
        if !pointer.is_none() || place == Place::Symbolic {
            for write in self.effects.freed_by(func, operand) {
                self.memory.may_define(write.of, write.offsets, write.len, label);
            }
        }
        if let Place::Object { base, .. } = place {
            self.memory.define_object(base, label);
        }
        Ok(())
    }
}
