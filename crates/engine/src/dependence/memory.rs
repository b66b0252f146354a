//! The labels of memory.
//!
//! Each byte has the label of what defined it last. A branch that was not taken could have
//! defined bytes too; that is recorded once for each abstract object
//! ([`LabelMemory::may_define`]) and found by those who read a byte that was defined before.

use byway_ir::analysis::points_to::{ObjectId, Offsets};
use rustc_hash::FxHashMap;

use super::label::{Label, LabelTable};

/// What of an object is defined or read.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Part {
    /// The object as such: whether it is alive, and its size.
    Object,
    /// Its bytes.
    Bytes,
}

/// The offset that stands for the object as such.
const OBJECT: i64 = -1;

/// Memory of a program, as far as labels know it.
#[derive(Clone, Debug, Default)]
pub struct LabelMemory {
    /// The objects, by their addresses.
    objects: FxHashMap<u64, LabelledObject>,
    /// What may have been defined since, for each abstract object.
    possible: FxHashMap<(ObjectId, Part), Vec<PossibleDefinition>>,
    /// The same, for all objects.
    anywhere: Vec<PossibleDefinition>,
    now: u64,
}

#[derive(Clone, Debug, Default)]
struct LabelledObject {
    of: Option<ObjectId>,
    made_at: u64,
    /// By offset: the definition's label and its time. All others were defined when the object
    /// was made.
    bytes: FxHashMap<i64, (Label, u64)>,
    made: Label,
}

#[derive(Copy, Clone, Debug)]
struct PossibleDefinition {
    at: u64,
    offsets: Offsets,
    /// The number of bytes; `None` if it is not known.
    len: Option<u64>,
    label: Label,
}

impl LabelMemory {
    /// Makes an object at an address; its bytes have the label.
    pub fn make(&mut self, base: u64, of: Option<ObjectId>, label: Label) {
        self.now += 1;
        let object =
            LabelledObject { of, made_at: self.now, bytes: FxHashMap::default(), made: label };
        self.objects.insert(base, object);
    }

    /// The address was not seen before: the object was made with the program.
    pub fn know(&mut self, base: u64, of: impl FnOnce() -> Option<ObjectId>) {
        self.objects
            .entry(base)
            .or_insert_with(|| LabelledObject { of: of(), ..Default::default() });
    }

    /// The object that begins at an address or next before it, alive or not.
    pub fn nearest(&self, address: u64) -> Option<u64> {
        self.objects.keys().copied().filter(|&base| base <= address).max()
    }

    /// The abstract object of the one at an address.
    pub fn abstract_object(&self, base: u64) -> Option<ObjectId> {
        self.objects.get(&base).and_then(|object| object.of)
    }

    /// The addresses of the objects that an abstract object stands for, ascending.
    pub fn instances(&self, of: ObjectId) -> Vec<u64> {
        let objects = self.objects.iter().filter(|(_, object)| object.of == Some(of));
        let mut bases: Vec<u64> = objects.map(|(&base, _)| base).collect();
        bases.sort_unstable();
        bases
    }

    /// Defines bytes of an object.
    pub fn define(&mut self, base: u64, offset: i64, len: u64, label: Label) {
        self.now += 1;
        let Some(object) = self.objects.get_mut(&base) else { return };
        if label.is_none() && object.bytes.is_empty() && !self.is_possible(base) {
            return;
        }
        let now = self.now;
        let Some(object) = self.objects.get_mut(&base) else { return };
        for at in 0..len as i64 {
            object.bytes.insert(offset + at, (label, now));
        }
    }

    /// Defines an object as such: it is freed, or its scope begins or ends.
    pub fn define_object(&mut self, base: u64, label: Label) {
        self.define(base, OBJECT, 1, label);
    }

    /// The label of an object as such.
    pub fn read_object(&mut self, base: u64, labels: &mut LabelTable) -> Label {
        self.read(base, OBJECT, Some(1), labels)
    }

    /// A part of an object may be defined by now, or not: `label` decides.
    pub fn may_define(
        &mut self,
        of: (ObjectId, Part),
        offsets: Offsets,
        len: Option<u64>,
        label: Label,
    ) {
        if label.is_none() {
            return;
        }
        self.now += 1;
        let definitions = self.possible.entry(of).or_default();
        definitions.push(PossibleDefinition { at: self.now, offsets, len, label });
    }

    /// Any byte may be defined by now.
    pub fn may_define_anything(&mut self, label: Label) {
        if label.is_none() {
            return;
        }
        self.now += 1;
        let it = PossibleDefinition { at: self.now, offsets: Offsets::ANY, len: None, label };
        self.anywhere.push(it);
    }

    fn is_possible(&self, base: u64) -> bool {
        let of = self.objects.get(&base).and_then(|object| object.of);
        !self.anywhere.is_empty()
            || of.is_some_and(|of| {
                [Part::Object, Part::Bytes]
                    .iter()
                    .any(|&part| self.possible.contains_key(&(of, part)))
            })
    }

    /// The label of bytes of an object; of all its bytes if `len` is `None`.
    pub fn read(
        &mut self,
        base: u64,
        offset: i64,
        len: Option<u64>,
        labels: &mut LabelTable,
    ) -> Label {
        if !self.objects.contains_key(&base) {
            return Label::NONE;
        }
        if self.objects[&base].bytes.is_empty() && !self.is_possible(base) {
            return self.objects[&base].made;
        }
        match len {
            Some(len) => {
                let bytes = offset..offset + len as i64;
                bytes.fold(Label::NONE, |all, at| {
                    let label = self.read_byte(base, at, labels);
                    labels.join(all, label)
                })
            }
            None => {
                let object = &self.objects[&base];
                let known = object.bytes.keys().copied().filter(|&at| at != OBJECT);
                let mut known: Vec<i64> = known.collect();
                known.sort_unstable();
                // The bytes without a definition of their own share the object's.
                let (made, made_at, of) = (object.made, object.made_at, object.of);
                let rest = self.possible_since(of, None, made_at, labels);
                let rest = labels.join(rest, made);
                known.into_iter().fold(rest, |all, at| {
                    let label = self.read_byte(base, at, labels);
                    labels.join(all, label)
                })
            }
        }
    }

    fn read_byte(&mut self, base: u64, at: i64, labels: &mut LabelTable) -> Label {
        let object = &self.objects[&base];
        let of = object.of;
        let (defined, since) =
            object.bytes.get(&at).copied().unwrap_or((object.made, object.made_at));
        let possible = self.possible_since(of, Some(at), since, labels);
        let label = labels.join(possible, defined);
        if !possible.is_none() {
            // The next reader need not look so far back.
            let now = self.now;
            if let Some(object) = self.objects.get_mut(&base) {
                object.bytes.insert(at, (label, now));
            }
        }
        label
    }

    /// The labels of what may have been defined since a time, the latest first.
    fn possible_since(
        &self,
        of: Option<ObjectId>,
        at: Option<i64>,
        since: u64,
        labels: &mut LabelTable,
    ) -> Label {
        let part = if at == Some(OBJECT) { Part::Object } else { Part::Bytes };
        let own = of.and_then(|of| self.possible.get(&(of, part))).map_or(&[][..], |all| all);
        let meets = |it: &PossibleDefinition| match at {
            Some(OBJECT) => true,
            Some(at) => it.offsets.overlaps(it.len, Offsets::exactly(at), Some(1)),
            None => true,
        };
        let late = |all: &[PossibleDefinition]| {
            let first = all.partition_point(|it| it.at <= since);
            all[first..].iter().copied().filter(meets).collect::<Vec<_>>()
        };
        let mut all = [late(own), late(&self.anywhere)].concat();
        all.sort_unstable_by_key(|it| std::cmp::Reverse(it.at));
        labels.join_all(all.into_iter().map(|it| it.label))
    }
}
