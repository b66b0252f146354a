//! The labels of memory.
//!
//! Each byte has the label of what defined it last. A branch that was not taken could have
//! defined bytes too; that is recorded once for each abstract object
//! ([`LabelMemory::may_define`]) and found by those who read a byte that was defined before.

use std::ops::Range;

use byway_ir::analysis::points_to::{ObjectId, Offsets};
use rustc_hash::FxHashMap;

use super::byte_labels::ByteLabels;
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
    /// The same, for each object by its address.
    possible_in: FxHashMap<u64, Vec<PossibleDefinition>>,
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
    bytes: ByteLabels,
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
            LabelledObject { of, made_at: self.now, bytes: ByteLabels::default(), made: label };
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
            object.bytes.set(offset.saturating_add(at), (label, now));
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
        let it = PossibleDefinition { at: self.now, offsets, len, label };
        self.possible.entry(of).or_default().push(it);
    }

    /// Bytes of one object may be defined by now, or not: `label` decides.
    pub fn may_define_in(&mut self, base: u64, offsets: Offsets, len: Option<u64>, label: Label) {
        if label.is_none() {
            return;
        }
        self.now += 1;
        let it = PossibleDefinition { at: self.now, offsets, len, label };
        self.possible_in.entry(base).or_default().push(it);
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
            || self.possible_in.contains_key(&base)
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
            Some(len) => self.read_bytes(base, offset, len, labels),
            None => {
                let object = &self.objects[&base];
                let mut known = object.bytes.offsets();
                known.retain(|&at| at != OBJECT);
                // The bytes without a definition of their own share the object's.
                let (made, made_at) = (object.made, object.made_at);
                let rest = self.possible_since(base, None, made_at, labels).unwrap_or_default();
                let rest = labels.join(rest, made);
                known.into_iter().fold(rest, |all, at| {
                    let label = self.read_bytes(base, at, 1, labels);
                    labels.join(all, label)
                })
            }
        }
    }

    /// Reads bytes; those that were defined together are looked up together.
    fn read_bytes(&mut self, base: u64, offset: i64, len: u64, labels: &mut LabelTable) -> Label {
        let (mut at, end) = (offset, offset.saturating_add_unsigned(len));
        let mut all = Label::NONE;
        while at < end {
            let object = &self.objects[&base];
            let definition = |at: i64| object.bytes.get(at);
            let defined = definition(at);
            let alike = (at + 1..end).take_while(|&next| definition(next) == defined).count();
            let bytes = at..at + 1 + alike as i64;
            let (label, since) = defined.unwrap_or((object.made, object.made_at));
            let label = match self.possible_since(base, Some(bytes.clone()), since, labels) {
                None => label,
                Some(possible) => {
                    let label = labels.join(possible, label);
                    let now = self.now;
                    // The next reader need not look so far back.
                    if let Some(object) = self.objects.get_mut(&base) {
                        bytes.clone().for_each(|at| object.bytes.set(at, (label, now)));
                    }
                    label
                }
            };
            all = labels.join(all, label);
            at = bytes.end;
        }
        all
    }

    /// The labels of what may have been defined since a time, the latest first; `None` if
    /// nothing was.
    fn possible_since(
        &self,
        base: u64,
        bytes: Option<Range<i64>>,
        since: u64,
        labels: &mut LabelTable,
    ) -> Option<Label> {
        let is_object = bytes.as_ref().is_some_and(|bytes| bytes.start == OBJECT);
        let part = if is_object { Part::Object } else { Part::Bytes };
        let of = self.objects.get(&base).and_then(|object| object.of);
        let all = of.and_then(|of| self.possible.get(&(of, part)));
        let own = self.possible_in.get(&base).filter(|_| !is_object);
        let mut lists = [all, own, Some(&self.anywhere)].map(|list| late(list, since));
        if lists.iter().all(|list| list.is_empty()) {
            return None;
        }
        let mut all = Label::NONE;
        while let Some(last) = later(&mut lists) {
            let meets = is_object || bytes.as_ref().is_none_or(|bytes| last.meets(bytes));
            if meets {
                all = labels.join(all, last.label);
            }
        }
        Some(all)
    }
}

/// The definitions after a time.
fn late(all: Option<&Vec<PossibleDefinition>>, since: u64) -> &[PossibleDefinition] {
    all.map_or(&[], |all| &all[all.partition_point(|it| it.at <= since)..])
}

/// Takes the latest of the last definitions of several lists.
fn later<'d>(lists: &mut [&'d [PossibleDefinition]]) -> Option<&'d PossibleDefinition> {
    let list = lists.iter_mut().max_by_key(|list| list.last().map(|it| it.at))?;
    let (last, rest) = list.split_last()?;
    *list = rest;
    Some(last)
}

impl PossibleDefinition {
    /// Whether it may define one of these bytes.
    fn meets(&self, bytes: &Range<i64>) -> bool {
        let Offsets { start, stride } = self.offsets;
        let count = (bytes.end - bytes.start) as u64;
        // The distance from its first byte to ours.
        let distance = bytes.start.wrapping_sub(start);
        match (i64::try_from(stride), self.len) {
            (Ok(0), len) => {
                distance.saturating_add_unsigned(count) > 0
                    && len.is_none_or(|len| distance < 0 || (distance as u64) < len)
            }
            (Ok(stride), Some(len)) => {
                let within = distance.rem_euclid(stride) as u64;
                within < len || (stride as u64 - within) < count
            }
            (_, None) | (Err(_), _) => true,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_definition_meets_bytes_as_sets_of_numbers_do() {
        for (start, stride) in (-9..9).flat_map(|start| (0..6).map(move |stride| (start, stride))) {
            let offsets = Offsets::every(start, stride);
            let all: Vec<i64> = (-60..60).filter(|&offset| offsets.contains(offset)).collect();
            for (from, count) in (0..12).flat_map(|from| (1..6).map(move |count| (from, count))) {
                let bytes = from..from + count;
                let meets = |len| {
                    PossibleDefinition { at: 0, offsets, len, label: Label::NONE }.meets(&bytes)
                };
                for len in 1..5i64 {
                    let is_met = all.iter().any(|&it| it < bytes.end && bytes.start < it + len);
                    assert_eq!(meets(Some(len as u64)), is_met, "{offsets:?} {len} {bytes:?}");
                }
                assert_eq!(meets(None), all.iter().any(|&it| it < bytes.end), "{offsets:?}");
            }
        }
    }

    #[test]
    fn the_latest_possible_definition_is_asked_for_first() {
        let mut labels = LabelTable::default();
        let (a, b, c) = (labels.of(1), labels.of(2), labels.of(3));
        let mut memory = LabelMemory::default();
        let of = ObjectId::from_u32(0);
        memory.make(0x100, Some(of), Label::NONE);
        memory.define(0x100, 0, 4, a);
        memory.may_define((of, Part::Bytes), Offsets::exactly(0), Some(4), b);
        memory.may_define((of, Part::Bytes), Offsets::exactly(0), Some(2), c);
        let low = memory.read(0x100, 0, Some(1), &mut labels);
        let high = memory.read(0x100, 3, Some(1), &mut labels);
        assert_eq!(labels.decisions(low), [3, 2, 1]);
        assert_eq!(labels.decisions(high), [2, 1]);
        memory.define(0x100, 0, 4, c);
        assert_eq!(memory.read(0x100, 0, Some(4), &mut labels), c);
    }
}
