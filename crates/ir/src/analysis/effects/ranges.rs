//! Sets of bytes of abstract objects.

use std::collections::{BTreeMap, BTreeSet};

use super::super::PointsTo;
use super::super::points_to::{AbstractObjectKind, ObjectId, Offsets};

/// Bytes of an object.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct MemoryRange {
    /// The object.
    pub object: ObjectId,
    /// Where the first byte can be.
    pub offsets: Offsets,
    /// The number of bytes; `None` means all from there on.
    pub len: Option<u64>,
}

impl MemoryRange {
    /// All bytes of an object.
    pub fn whole(object: ObjectId) -> MemoryRange {
        MemoryRange { object, offsets: Offsets::ANY, len: None }
    }

    /// Whether two accesses can have a byte in common.
    pub fn overlaps(&self, other: &MemoryRange, points_to: &PointsTo) -> bool {
        let is_unknown = |object| points_to.objects()[object].kind == AbstractObjectKind::Unknown;
        is_unknown(self.object)
            || is_unknown(other.object)
            || self.object == other.object
                && self.offsets.overlaps(self.len, other.offsets, other.len)
    }

    /// Whether it has all bytes of another range, both being at one known offset.
    pub fn covers(&self, other: &MemoryRange) -> bool {
        let (Some(len), Some(other_len)) = (self.len, other.len) else { return false };
        let end = |start: i64, len| i128::from(start) + i128::from(len);
        self.object == other.object
            && self.offsets.stride == 0
            && other.offsets.stride == 0
            && self.offsets.start <= other.offsets.start
            && end(other.offsets.start, other_len) <= end(self.offsets.start, len)
    }
}

/// Bytes of several objects.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct RangeSet {
    objects: BTreeMap<ObjectId, BTreeSet<(Offsets, Option<u64>)>>,
}

const WHOLE: (Offsets, Option<u64>) = (Offsets::ANY, None);

impl RangeSet {
    /// Adds a range. If the object then has more than `max_ranges`, the set has all of it.
    pub fn insert(&mut self, range: MemoryRange, max_ranges: usize) {
        let ranges = self.objects.entry(range.object).or_default();
        if ranges.contains(&WHOLE) {
            return;
        }
        ranges.insert((range.offsets, range.len));
        if ranges.len() > max_ranges {
            *ranges = BTreeSet::from([WHOLE]);
        }
    }

    /// Adds all ranges of another set, as [`RangeSet::insert`] does.
    pub fn add(&mut self, other: &RangeSet, max_ranges: usize) {
        other.iter().for_each(|range| self.insert(range, max_ranges));
    }

    /// The ranges, ascending.
    pub fn iter(&self) -> impl Iterator<Item = MemoryRange> + '_ {
        self.objects.iter().flat_map(|(&object, ranges)| {
            ranges.iter().map(move |&(offsets, len)| MemoryRange { object, offsets, len })
        })
    }

    /// Whether it has bytes of an object.
    pub fn has_object(&self, object: ObjectId) -> bool {
        self.objects.contains_key(&object)
    }
}
