//! Accesses to memory.

use byway_ir::analysis::points_to::{AbstractLocation, AbstractObjectKind, ObjectId, Offsets};
use byway_ir::{Inst, InstId, Operand};

use super::label::Label;
use super::memory::Part;
use super::path_log::Place;
use super::result::GiveUpReason;
use super::tracker::{DependenceTracker, PendingInst, Walk};

impl DependenceTracker<'_> {
    /// An instruction made an object: a local variable, or the list of variadic arguments.
    pub(super) fn make(&mut self, inst: InstId, base: Option<u64>) -> Walk<()> {
        self.arrive(inst)?;
        let func = self.top()?.func;
        let base = base.ok_or(GiveUpReason::UnknownAddress)?;
        if let Some(pending) = &mut self.pending {
            pending.made = Some(base);
        }
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
        self.memory.may_define_in(base, Offsets::ANY, None, label);
    }

    pub(super) fn copy(
        &mut self,
        dst: Operand,
        src: Operand,
        len: Operand,
        it: &PendingInst,
    ) -> Walk<()> {
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
    pub(super) fn locations(&self, address: Operand) -> Walk<Vec<AbstractLocation>> {
        let points_to = &self.effects.points_to;
        let locations = points_to.of_operand(self.module, self.func(), address);
        match points_to.is_complete(&locations) && !points_to.has_fixed_addresses() {
            true => Ok(locations),
            false => Err(GiveUpReason::UnknownAddress),
        }
    }

    /// The addresses of the objects that an operand can point to.
    pub(super) fn instances(&self, address: Operand) -> Walk<Vec<u64>> {
        let mut objects: Vec<ObjectId> =
            self.locations(address)?.into_iter().map(|it| it.object).collect();
        objects.sort_unstable();
        objects.dedup();
        Ok(objects.into_iter().flat_map(|it| self.memory.instances(it)).collect())
    }

    /// An address may be that of an object which no event announced.
    pub(super) fn know(&mut self, base: u64) {
        let effects = &self.effects;
        self.memory.know(base, || effects.points_to.object_of(AbstractObjectKind::Arguments));
    }
}
