//! Regions of the address space whose addresses have one outcome each, for symbolic addresses:
//! a path forks by region, not by value.

use byway_base::FaultKind;

use super::address::{FIRST_OBJECT, WINDOW, WINDOW_BITS, number_of};
use super::{Access, Memory, ObjectEntry, ObjectKind};

/// What an address is used for.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum AddressUse {
    /// An access of `len` bytes.
    Access {
        /// The number of bytes.
        len: u64,
        /// What it does with them.
        access: Access,
    },
    /// `free` or `realloc`.
    Free,
}

/// The outcome of a use of an address.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum RegionTarget {
    /// Legal, in the live object with this base.
    Object(u64),
    /// Legal without an object: the null pointer, when it is freed.
    Null,
    /// A fault of this kind.
    Fault(FaultKind),
}

/// Addresses with the same outcome, both ends included.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Region {
    /// The first address.
    pub first: u64,
    /// The last address, included.
    pub last: u64,
    /// The outcome.
    pub target: RegionTarget,
}

impl Memory {
    /// The largest region around an address, within the windows of one object, live or freed, or
    /// within an unused range.
    pub fn region(&self, addr: u64, usage: AddressUse) -> Region {
        let number = number_of(addr);
        if number == 0 {
            return null_region(addr, usage);
        }
        let wild = |first: u64, last: u64| Region { first, last, target: fault_of(usage) };
        if number >= u64::from(self.next) {
            return wild(u64::from(self.next) << WINDOW_BITS, u64::MAX);
        }
        if number < u64::from(FIRST_OBJECT) && self.table.get(number).is_none() {
            return wild(WINDOW, u64::from(FIRST_OBJECT) * WINDOW - 1);
        }
        let head = match self.table.get(number) {
            Some(ObjectEntry::Part(head)) => u64::from(*head),
            _ => number,
        };
        // A large object may have a further window that none of its bytes is in.
        let windows = |base: u64, size: u64| match number > number_of(base + size) {
            true => (number << WINDOW_BITS, addr | (WINDOW - 1)),
            false => (head << WINDOW_BITS, (base + size) | (WINDOW - 1)),
        };
        match self.table.get(head) {
            Some(ObjectEntry::Live(object)) => {
                let (first, last) = windows(object.base, object.size());
                let (legal, target, outside) = match usage {
                    AddressUse::Access { len, access } => {
                        let (outside, constant) = match object.kind {
                            ObjectKind::Code => (FaultKind::WildPointer, FaultKind::WildPointer),
                            _ => (FaultKind::OutOfBounds, FaultKind::WriteToConstant),
                        };
                        let target = match access == Access::Write && object.constant {
                            true => RegionTarget::Fault(constant),
                            false => RegionTarget::Object(object.base),
                        };
                        (object.size().checked_sub(len), target, outside)
                    }
                    AddressUse::Free => {
                        let heap = object.kind == ObjectKind::Heap;
                        let target = RegionTarget::Object(object.base);
                        (heap.then_some(0), target, FaultKind::InvalidFree)
                    }
                };
                let legal = legal.map(|extent| (object.base, object.base + extent));
                around(addr, (first, last), legal, target, RegionTarget::Fault(outside))
            }
            Some(ObjectEntry::Freed(freed)) => {
                let (first, last) = windows(freed.base, freed.size);
                match (usage, &freed.kind) {
                    (AddressUse::Free, ObjectKind::Heap) => {
                        let twice = RegionTarget::Fault(FaultKind::DoubleFree);
                        around(
                            addr,
                            (first, last),
                            Some((freed.base, freed.base)),
                            twice,
                            fault_of(usage),
                        )
                    }
                    (AddressUse::Free, _) => wild(first, last),
                    (_, ObjectKind::Stack(_) | ObjectKind::Variadic(_)) => Region {
                        first,
                        last,
                        target: RegionTarget::Fault(FaultKind::UseAfterReturn),
                    },
                    _ => {
                        Region { first, last, target: RegionTarget::Fault(FaultKind::UseAfterFree) }
                    }
                }
            }
            _ => wild(number << WINDOW_BITS, (number << WINDOW_BITS) + WINDOW - 1),
        }
    }

    /// The regions from `lo` to `hi` in which a use of an address is a fault of this kind;
    /// neighbours are joined. `None` if there are more than `most`.
    pub fn fault_regions(
        &self,
        kind: FaultKind,
        usage: AddressUse,
        (lo, hi): (u64, u64),
        most: usize,
    ) -> Option<Vec<(u64, u64)>> {
        let mut regions: Vec<(u64, u64)> = Vec::new();
        let mut at = lo;
        loop {
            let region = self.region(at, usage);
            if region.target == RegionTarget::Fault(kind) {
                match regions.pop_if(|before| before.1 + 1 == region.first) {
                    Some((first, _)) => regions.push((first, region.last)),
                    None if regions.len() == most => return None,
                    None => regions.push((region.first, region.last)),
                }
            }
            if region.last >= hi {
                return Some(regions);
            }
            at = region.last + 1;
        }
    }
}

/// The fault of using an address without an object.
fn fault_of(usage: AddressUse) -> RegionTarget {
    RegionTarget::Fault(match usage {
        AddressUse::Access { .. } => FaultKind::WildPointer,
        AddressUse::Free => FaultKind::InvalidFree,
    })
}

fn null_region(addr: u64, usage: AddressUse) -> Region {
    let windows = (0, WINDOW - 1);
    match usage {
        AddressUse::Access { .. } => {
            let target = RegionTarget::Fault(FaultKind::NullDereference);
            Region { first: windows.0, last: windows.1, target }
        }
        AddressUse::Free => {
            around(addr, windows, Some((0, 0)), RegionTarget::Null, fault_of(usage))
        }
    }
}

/// The part of some windows that contains an address: a special range, or what is before or
/// after it.
fn around(
    addr: u64,
    (first, last): (u64, u64),
    special: Option<(u64, u64)>,
    inside: RegionTarget,
    outside: RegionTarget,
) -> Region {
    match special.filter(|&(from, _)| from >= first) {
        None => Region { first, last, target: outside },
        Some((from, _)) if addr < from => Region { first, last: from - 1, target: outside },
        Some((_, to)) if addr > to => Region { first: to + 1, last, target: outside },
        Some((from, to)) => Region { first: from, last: to, target: inside },
    }
}
