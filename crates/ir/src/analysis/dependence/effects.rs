//! What functions read and write, with everything they call.
//!
//! The summary of a function is the union of its own accesses and of the summaries of its
//! callees, computed once for each group of mutually recursive functions, callees first.

use std::collections::BTreeMap;

use byway_base::entity::{EntityRef, EntitySet, SecondaryMap};

use super::super::points_to::{
    AbstractObjectKind, MadeAddress, MemoryAccessKind, ObjectId, Offsets,
};
use super::super::{Digraph, PointsTo};
use crate::{FuncId, Inst, InstId, Module, Ty};

/// The most ranges of one object that a summary keeps apart. Beyond that, it has the whole
/// object.
const MOST_RANGES: usize = 8;

/// Bytes of an object.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct MemoryRange {
    pub object: ObjectId,
    /// Where the first byte can be.
    pub offsets: Offsets,
    /// The number of bytes; `None` means all from there on.
    pub len: Option<u64>,
}

impl MemoryRange {
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
#[derive(Clone, Debug, Default)]
pub struct RangeSet {
    objects: BTreeMap<ObjectId, Vec<(Offsets, Option<u64>)>>,
}

impl RangeSet {
    pub fn insert(&mut self, range: MemoryRange) {
        let ranges = self.objects.entry(range.object).or_default();
        let new = (range.offsets, range.len);
        if ranges.contains(&new) || ranges.contains(&(Offsets::ANY, None)) {
            return;
        }
        ranges.push(new);
        if ranges.len() > MOST_RANGES {
            *ranges = vec![(Offsets::ANY, None)];
        }
    }

    pub fn iter(&self) -> impl Iterator<Item = MemoryRange> + '_ {
        self.objects.iter().flat_map(|(&object, ranges)| {
            ranges.iter().map(move |&(offsets, len)| MemoryRange { object, offsets, len })
        })
    }
}

/// What an instruction or a function reads and writes.
#[derive(Clone, Debug, Default)]
pub struct Effects {
    pub reads: RangeSet,
    pub writes: RangeSet,
}

impl Effects {
    fn add(&mut self, other: &Effects) {
        other.reads.iter().for_each(|range| self.reads.insert(range));
        other.writes.iter().for_each(|range| self.writes.insert(range));
    }

    /// The accesses of an instruction itself, not of functions with a body that it calls.
    pub fn of_inst(module: &Module, points_to: &PointsTo, func: FuncId, inst: InstId) -> Effects {
        let mut effects = Effects::default();
        for access in points_to.accesses(module, func, inst) {
            let set = match access.kind {
                MemoryAccessKind::Read => &mut effects.reads,
                MemoryAccessKind::Write => &mut effects.writes,
            };
            for at in access.locations {
                set.insert(MemoryRange { object: at.object, offsets: at.offsets, len: access.len });
            }
        }
        match &module.funcs[func].insts[inst] {
            // The contents are undefined from here on.
            Inst::Lifetime { addr, .. } => {
                for at in points_to.of_operand(module, func, *addr) {
                    let len = points_to.objects()[at.object].size;
                    let range = MemoryRange { object: at.object, offsets: at.offsets, len };
                    effects.writes.insert(range);
                }
            }
            Inst::Call { .. } => effects.add_external(module, points_to, func, inst),
            _ => {}
        }
        effects
    }

    /// What the functions without a body do that a call can reach, beyond the accesses which
    /// the points-to analysis lists.
    fn add_external(&mut self, module: &Module, points_to: &PointsTo, func: FuncId, inst: InstId) {
        let body = &module.funcs[func];
        let Inst::Call { args, .. } = &body.insts[inst] else { return };
        for &callee in points_to.callees(func, inst) {
            if !module.funcs[callee].is_declaration() {
                continue;
            }
            let effect = points_to.effect(callee);
            let is_known = !effect.reads.is_empty() || !effect.writes.is_empty();
            match effect.makes {
                // A function without a known effect, such as `free`, can change what its
                // arguments point to: whether it exists, if not its contents.
                MadeAddress::None if !is_known => {
                    for &arg in args.iter().filter(|&&arg| body.operand_ty(arg) == Ty::Ptr) {
                        for at in points_to.of_operand(module, func, arg) {
                            self.writes.insert(MemoryRange::whole(at.object));
                        }
                    }
                }
                MadeAddress::InputGlobals => {
                    for (object, content) in points_to.objects() {
                        if let AbstractObjectKind::Global(_) = content.kind {
                            self.writes.insert(MemoryRange::whole(object));
                        }
                    }
                }
                _ => {}
            }
        }
        if let Some(object) = points_to.object_of(AbstractObjectKind::Heap(func, inst)) {
            self.writes.insert(MemoryRange::whole(object));
        }
    }
}

/// The summaries of a program.
pub struct Summaries {
    effects: SecondaryMap<FuncId, Effects>,
    recursive: EntitySet<FuncId>,
    callers: SecondaryMap<FuncId, Vec<(FuncId, InstId)>>,
}

impl Summaries {
    pub fn new(module: &Module, points_to: &PointsTo) -> Summaries {
        let mut callers: SecondaryMap<FuncId, Vec<_>> = SecondaryMap::new();
        let mut calls = Vec::new();
        let mut effects: SecondaryMap<FuncId, Effects> = SecondaryMap::new();
        for (id, func) in module.funcs.iter().filter(|(id, _)| points_to.is_reached(*id)) {
            for (inst, content) in &func.insts {
                effects[id].add(&Effects::of_inst(module, points_to, id, inst));
                if let Inst::Call { .. } = content {
                    for &callee in points_to.callees(id, inst) {
                        callers[callee].push((id, inst));
                        calls.push((id.index(), callee.index()));
                    }
                }
            }
        }
        let graph = Digraph::new(module.funcs.len(), &calls);
        let mut recursive = EntitySet::new();
        for group in graph.components() {
            let mut all = Effects::default();
            for &id in &group {
                all.add(&effects[FuncId::new(id)]);
                let outside: Vec<usize> =
                    graph.succs(id).filter(|it| !group.contains(it)).collect();
                outside.into_iter().for_each(|it| all.add(&effects[FuncId::new(it)]));
            }
            if let [id] = group[..]
                && !graph.succs(id).any(|it| it == id)
            {
                all.forget_locals(points_to, FuncId::new(id));
            } else {
                group.iter().for_each(|&id| _ = recursive.insert(FuncId::new(id)));
            }
            group.iter().for_each(|&id| effects[FuncId::new(id)] = all.clone());
        }
        Summaries { effects, recursive, callers }
    }

    /// What a function reads and writes, without its own local variables.
    pub fn effects(&self, func: FuncId) -> &Effects {
        &self.effects[func]
    }

    /// Whether a function can be called while it runs.
    pub fn is_recursive(&self, func: FuncId) -> bool {
        self.recursive.contains(func)
    }

    /// The calls that can reach a function.
    pub fn callers(&self, func: FuncId) -> &[(FuncId, InstId)] {
        &self.callers[func]
    }
}

impl Effects {
    /// Drops the local variables of a function, which are gone when it returns.
    fn forget_locals(&mut self, points_to: &PointsTo, func: FuncId) {
        for set in [&mut self.reads, &mut self.writes] {
            set.objects.retain(|&object, _| {
                !matches!(points_to.objects()[object].kind,
                    AbstractObjectKind::Local(owner, _) if owner == func)
            });
        }
    }
}
