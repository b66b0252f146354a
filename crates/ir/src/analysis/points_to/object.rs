//! What pointers point to: objects, and offsets in them.

use byway_base::entity::{EntityRef, PrimaryMap, entity_impl};
use rustc_hash::FxHashMap;

use crate::{FuncId, GlobalId, InstId, Module};

/// An abstract object: all objects that a program creates at one place.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ObjectId(u32);
entity_impl!(ObjectId, "object");

/// Offsets in an abstract object that a pointer can have.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LocationId(u32);
entity_impl!(LocationId, "location");

/// What an abstract object is.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum AbstractObjectKind {
    /// A global.
    Global(GlobalId),
    /// A function's code.
    Function(FuncId),
    /// The local variables that an [`Inst::Alloca`](crate::Inst::Alloca) makes.
    Local(FuncId, InstId),
    /// The objects that a call of an allocator makes.
    Heap(FuncId, InstId),
    /// The variadic arguments of a function.
    Variadic(FuncId),
    /// The program's arguments and environment.
    Arguments,
    /// The difference of two addresses, of which this is the first; computed at link time.
    Difference(ObjectId),
    /// Anything: the analysis does not know all objects that such a pointer can refer to.
    Unknown,
}

/// An abstract object.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct AbstractObject {
    /// What it is.
    pub kind: AbstractObjectKind,
    /// Its size in bytes, if all its objects have the same.
    pub size: Option<u64>,
}

/// A set of offsets: all `start + k * stride`. A stride of zero means `start` alone; otherwise
/// `start` is below the stride.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Offsets {
    /// One of the offsets.
    pub start: i64,
    /// The distance between two.
    pub stride: u64,
}

impl Offsets {
    /// Every offset.
    pub const ANY: Offsets = Offsets { start: 0, stride: 1 };
    /// The beginning of an object.
    pub const ZERO: Offsets = Offsets { start: 0, stride: 0 };

    /// One offset.
    pub fn exactly(start: i64) -> Offsets {
        Offsets { start, stride: 0 }
    }

    /// All `start + k * stride`.
    pub fn every(start: i64, stride: u64) -> Offsets {
        match i64::try_from(stride) {
            Ok(0) => Offsets::exactly(start),
            Ok(step) => Offsets { start: start.rem_euclid(step), stride },
            Err(_) => Offsets::ANY,
        }
    }

    /// All sums of an offset of each set.
    pub fn plus(self, other: Offsets) -> Offsets {
        let stride = gcd(self.stride, other.stride);
        match self.start.checked_add(other.start) {
            Some(start) => Offsets::every(start, stride),
            None => Offsets::ANY,
        }
    }

    /// Whether one of the offsets is this one.
    pub fn contains(self, offset: i64) -> bool {
        match self.stride {
            0 => self.start == offset,
            stride => Offsets::every(offset, stride).start == self.start,
        }
    }

    /// Whether accesses of these many bytes at two sets of offsets can have a byte in common;
    /// `None` means any number.
    pub fn overlaps(self, len: Option<u64>, other: Offsets, other_len: Option<u64>) -> bool {
        let stride = gcd(self.stride, other.stride);
        let (Some(len), Some(other_len)) = (len, other_len) else {
            // Bytes from here on.
            let before = |a: Offsets, b: Offsets, len: Option<u64>| {
                stride != 0
                    || a.start <= b.start && len.is_none_or(|len| b.start.abs_diff(a.start) < len)
            };
            return before(self, other, len) || before(other, self, other_len);
        };
        if len == 0 || other_len == 0 {
            return false;
        }
        // The distance from the other's start to ours, within one stride.
        let distance = i128::from(self.start) - i128::from(other.start);
        match i128::from(stride) {
            0 => distance < i128::from(other_len) && -distance < i128::from(len),
            stride => {
                let distance = distance.rem_euclid(stride);
                distance < i128::from(other_len) || stride - distance < i128::from(len)
            }
        }
    }
}

/// The greatest common divisor; zero is divisible by everything.
pub fn gcd(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// An object and offsets in it.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct AbstractLocation {
    /// The object.
    pub object: ObjectId,
    /// Where in it.
    pub offsets: Offsets,
}

/// The most locations of one object that are kept apart. All others are the whole object.
const MOST_LOCATIONS: u32 = 64;

/// All objects and locations.
#[derive(Clone, Debug, Default)]
pub struct Locations {
    objects: PrimaryMap<ObjectId, AbstractObject>,
    by_kind: FxHashMap<AbstractObjectKind, ObjectId>,
    locations: PrimaryMap<LocationId, AbstractLocation>,
    ids: FxHashMap<AbstractLocation, LocationId>,
    /// The locations of each object.
    counts: Vec<u32>,
    /// Whether all offsets of each object are alike: its contents are constant numbers.
    is_opaque: Vec<bool>,
    /// Whether all offsets of every object are alike.
    whole: bool,
}

impl Locations {
    /// No locations. `fields` is whether the fields of objects are told apart.
    pub fn new(fields: bool) -> Locations {
        Locations { whole: !fields, ..Locations::default() }
    }

    pub fn objects(&self) -> &PrimaryMap<ObjectId, AbstractObject> {
        &self.objects
    }

    pub fn find(&self, kind: AbstractObjectKind) -> Option<ObjectId> {
        self.by_kind.get(&kind).copied()
    }

    pub fn len(&self) -> usize {
        self.locations.len()
    }

    pub fn get(&self, id: LocationId) -> AbstractLocation {
        self.locations[id]
    }

    /// The object of a kind, made if it is new.
    pub fn object(&mut self, kind: AbstractObjectKind, size: Option<u64>) -> ObjectId {
        *self.by_kind.entry(kind).or_insert_with(|| {
            self.counts.push(0);
            self.is_opaque.push(false);
            self.objects.push(AbstractObject { kind, size })
        })
    }

    pub fn global(&mut self, module: &Module, id: GlobalId) -> ObjectId {
        let global = &module.globals[id];
        let object = self.object(AbstractObjectKind::Global(id), Some(global.size));
        let has_addresses = global.init.as_ref().is_none_or(|init| !init.relocs.is_empty());
        self.is_opaque[object.index()] = global.constant && !has_addresses;
        object
    }

    /// The location of offsets in an object. It may stand for more offsets than these.
    pub fn at(&mut self, object: ObjectId, offsets: Offsets) -> LocationId {
        let AbstractObject { kind, size } = self.objects[object];
        let offsets = match kind {
            AbstractObjectKind::Unknown => Offsets::ANY,
            AbstractObjectKind::Function(_) if offsets != Offsets::ZERO => Offsets::ANY,
            _ if self.whole || size == Some(0) || self.is_opaque[object.index()] => Offsets::ANY,
            _ => offsets,
        };
        let location = AbstractLocation { object, offsets };
        if let Some(&id) = self.ids.get(&location) {
            return id;
        }
        let count = &mut self.counts[object.index()];
        *count += 1;
        if *count > MOST_LOCATIONS && offsets != Offsets::ANY {
            let id = self.at(object, Offsets::ANY);
            self.ids.insert(location, id);
            return id;
        }
        let id = self.locations.push(location);
        self.ids.insert(location, id);
        id
    }

    /// A location, further on.
    pub fn shifted(&mut self, id: LocationId, by: Offsets) -> LocationId {
        if by == Offsets::ZERO {
            return id;
        }
        let AbstractLocation { object, offsets } = self.locations[id];
        self.at(object, offsets.plus(by))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn offsets() -> impl Strategy<Value = Offsets> {
        (-20..20i64, 0..12u64).prop_map(|(start, stride)| Offsets::every(start, stride))
    }

    proptest! {
        #[test]
        fn offsets_are_sets_of_numbers(
            a in offsets(), b in offsets(), len in 1..10u64, other in 1..10u64,
        ) {
            let all = |o: Offsets| (-300..300i64).filter(move |&n| o.contains(n));
            let sum = a.plus(b);
            for (x, y) in all(a).flat_map(|x| all(b).map(move |y| (x, y))) {
                prop_assert!(sum.contains(x + y), "{a:?} + {b:?} has {}", x + y);
            }
            let meet = all(a).any(|x| all(b).any(|y| x < y + other as i64 && y < x + len as i64));
            prop_assert_eq!(a.overlaps(Some(len), b, Some(other)), meet);
            let from = all(a).any(|x| all(b).any(|y| x < y + other as i64));
            prop_assert_eq!(a.overlaps(None, b, Some(other)), from);
        }
    }

    #[test]
    fn many_offsets_become_few() {
        let mut locations = Locations::default();
        let object = locations.object(AbstractObjectKind::Arguments, None);
        for i in 0..10_000 {
            let at = locations.at(object, Offsets::exactly(4 * i));
            assert!(locations.get(at).offsets.contains(4 * i));
        }
        assert!(locations.len() < 1000);
    }
}
