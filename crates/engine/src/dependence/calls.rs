//! Calls of the engine's own functions.

use byway_ir::Inst;
use byway_ir::analysis::points_to::{AbstractObjectKind, MadeAddress};

use super::effects::{changes_world, frees};
use super::label::Label;
use super::path_log::Place;
use super::tracker::{GiveUpReason, PendingInst, Tracker};
use crate::intrinsic::Intrinsic;

impl Tracker<'_> {
    /// A function of the engine returned; perhaps it made an object.
    pub(super) fn complete_intrinsic(
        &mut self,
        pending: &PendingInst,
        made: Option<u64>,
    ) -> Result<(), GiveUpReason> {
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
        }
        self.depend(label);
        Ok(())
    }

    /// An object is freed: whoever uses it afterwards depends on that.
    fn free(&mut self, pending: &PendingInst, place: Place) -> Result<(), GiveUpReason> {
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
