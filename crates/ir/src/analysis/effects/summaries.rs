//! The effects of functions with everything that they call.
//!
//! The summary of a function is the union of its own effects and of the summaries of its
//! callees, computed once for each group of mutually recursive functions, callees first. The
//! functions of a large program access thousands of ranges each, mostly the same ones. So a
//! range is a number, a summary has sets of them in a table that keeps equal ones once, and it
//! is spelled out ([`Effects`]) for the functions that are asked for.

use std::cell::{OnceCell, RefCell};

use byway_base::entity::{EntityRef, EntitySet, SecondaryMap};
use rustc_hash::FxHashMap;

use super::super::points_to::{
    AbstractLocation, AbstractObjectKind, AccessedPlace, MemoryAccessKind, ObjectId, SetId,
};
use super::super::set_table::{InternedSet, SetTable};
use super::super::{Digraph, PointsTo};
use super::{Effects, FunctionEndings, MemoryRange, RangeSet, add_implied, calls_itself};
use crate::{FuncId, Inst, Module, Operand};

/// What calls of functions may do.
pub struct FunctionSummaries {
    table: RefCell<RangeTable>,
    summaries: SecondaryMap<FuncId, Summary>,
    /// The summaries that were asked for.
    spelled_out: Vec<OnceCell<Effects>>,
    max_ranges: usize,
}

/// The effects of code: sets of ranges, and one of objects.
#[derive(Copy, Clone)]
struct Summary {
    reads: InternedSet,
    writes: InternedSet,
    replaces: InternedSet,
    frees: InternedSet,
    changes_world: bool,
    writes_output: bool,
    leaves: bool,
}

impl Default for Summary {
    fn default() -> Summary {
        let (reads, writes) = (SetTable::EMPTY, SetTable::EMPTY);
        let (replaces, frees) = (SetTable::EMPTY, SetTable::EMPTY);
        Summary {
            reads,
            writes,
            replaces,
            frees,
            changes_world: false,
            writes_output: false,
            leaves: false,
        }
    }
}

impl FunctionSummaries {
    /// Whether a call may end the program, or jump out of its function.
    pub fn may_leave(&self, func: FuncId) -> bool {
        self.summaries[func].leaves
    }

    /// Sums up the functions that a call can reach. `groups` are those that call each other,
    /// callees first.
    pub fn new(
        module: &Module,
        points_to: &PointsTo,
        endings: &FunctionEndings,
        calls: &Digraph,
        groups: &[Vec<usize>],
        max_ranges: usize,
    ) -> FunctionSummaries {
        let mut table = RangeTable::new();
        let mut summaries: SecondaryMap<FuncId, Summary> = SecondaryMap::new();
        for group in groups {
            let mut members = EntitySet::new();
            members.extend(group.iter().map(|&it| FuncId::new(it)));
            let mut parts = SummaryParts::default();
            for &id in group.iter().filter(|&&id| points_to.is_reached(FuncId::new(id))) {
                let callees = calls.succs(id).map(FuncId::new);
                callees.filter(|&it| !members.contains(it)).for_each(|it| parts.add(summaries[it]));
                table.add_function(module, points_to, FuncId::new(id), &mut parts);
                parts.all.leaves |= endings.of_function(FuncId::new(id)).leaves;
            }
            let mut all = parts.union(&mut table.sets);
            if !calls_itself(calls, group) {
                group.iter().for_each(|&id| table.forget_locals(FuncId::new(id), &mut all));
            }
            group.iter().for_each(|&id| summaries[FuncId::new(id)] = all);
        }
        let spelled_out = vec![OnceCell::new(); module.funcs.len()];
        FunctionSummaries { table: RefCell::new(table), summaries, spelled_out, max_ranges }
    }

    /// What calls of a function may do, except to its own local variables.
    pub fn of_call(&self, func: FuncId) -> &Effects {
        let spell_out = || self.table.borrow().spell_out(&self.summaries[func], self.max_ranges);
        self.spelled_out[func.index()].get_or_init(spell_out)
    }

    /// What calls of any of these functions may do.
    pub fn of_calls(&self, funcs: &[FuncId]) -> Effects {
        let mut parts = SummaryParts::default();
        funcs.iter().for_each(|&func| parts.add(self.summaries[func]));
        let all = parts.union(&mut self.table.borrow_mut().sets);
        self.table.borrow().spell_out(&all, self.max_ranges)
    }
}

/// What a summary is the union of.
#[derive(Default)]
struct SummaryParts {
    reads: Vec<InternedSet>,
    writes: Vec<InternedSet>,
    replaces: Vec<InternedSet>,
    frees: Vec<InternedSet>,
    /// The rest.
    all: Summary,
}

impl SummaryParts {
    fn add(&mut self, other: Summary) {
        self.reads.push(other.reads);
        self.writes.push(other.writes);
        self.replaces.push(other.replaces);
        self.frees.push(other.frees);
        self.all.changes_world |= other.changes_world;
        self.all.writes_output |= other.writes_output;
        self.all.leaves |= other.leaves;
    }

    fn union(self, sets: &mut SetTable) -> Summary {
        let mut union = |mut parts: Vec<InternedSet>| {
            parts.sort_unstable();
            parts.dedup();
            sets.union_of(&parts)
        };
        Summary {
            reads: union(self.reads),
            writes: union(self.writes),
            replaces: union(self.replaces),
            frees: union(self.frees),
            ..self.all
        }
    }
}

/// Ranges as numbers, and sets of them.
struct RangeTable {
    sets: SetTable,
    ranges: Vec<MemoryRange>,
    numbers: FxHashMap<MemoryRange, u32>,
    /// The ranges of the local variables of each function.
    locals: SecondaryMap<FuncId, Vec<u32>>,
    /// The ranges of these many bytes at each of some locations.
    at_locations: FxHashMap<(SetId, Option<u64>), InternedSet>,
}

impl RangeTable {
    fn new() -> RangeTable {
        RangeTable {
            sets: SetTable::new(),
            ranges: Vec::new(),
            numbers: FxHashMap::default(),
            locals: SecondaryMap::new(),
            at_locations: FxHashMap::default(),
        }
    }

    fn number(&mut self, points_to: &PointsTo, at: AbstractLocation, len: Option<u64>) -> u32 {
        let range = MemoryRange { object: at.object, offsets: at.offsets, len };
        *self.numbers.entry(range).or_insert_with(|| {
            let number = self.ranges.len() as u32;
            self.ranges.push(range);
            if let AbstractObjectKind::Local(owner, _) = points_to.objects()[at.object].kind {
                self.locals[owner].push(number);
            }
            number
        })
    }

    fn set(&mut self, points_to: &PointsTo, ranges: &RangeSet) -> InternedSet {
        let at = |it: &MemoryRange| AbstractLocation { object: it.object, offsets: it.offsets };
        let numbers = ranges.iter().map(|it| self.number(points_to, at(&it), it.len));
        let numbers: Vec<u32> = numbers.collect();
        self.sets.of(numbers)
    }

    /// Adds the effects of a function's instructions.
    fn add_function(
        &mut self,
        module: &Module,
        points_to: &PointsTo,
        func: FuncId,
        parts: &mut SummaryParts,
    ) {
        for (inst, content) in &module.funcs[func].insts {
            for (kind, place, len) in points_to.accessed_places(module, func, inst) {
                let set = match place {
                    AccessedPlace::Operand(op) => self.accessed(module, points_to, func, op, len),
                    AccessedPlace::Passed(at) => {
                        let number = self.number(points_to, at, len);
                        self.sets.of([number])
                    }
                };
                match kind {
                    MemoryAccessKind::Read => parts.reads.push(set),
                    MemoryAccessKind::Write => parts.writes.push(set),
                }
            }
            if let Inst::Lifetime { .. } | Inst::Call { .. } = content {
                let mut effects = Effects::default();
                add_implied(module, points_to, func, inst, usize::MAX, &mut effects);
                self.add_effects(points_to, &effects, parts);
            }
        }
    }

    fn add_effects(&mut self, points_to: &PointsTo, effects: &Effects, parts: &mut SummaryParts) {
        let summary = Summary {
            reads: self.set(points_to, &effects.reads),
            writes: self.set(points_to, &effects.writes),
            replaces: self.set(points_to, &effects.replaces),
            frees: self.sets.of(effects.frees.iter().map(|object| object.as_u32())),
            changes_world: effects.changes_world,
            writes_output: effects.writes_output,
            leaves: effects.leaves,
        };
        parts.add(summary);
    }

    /// The ranges of `len` bytes from an address on.
    fn accessed(
        &mut self,
        module: &Module,
        points_to: &PointsTo,
        func: FuncId,
        address: Operand,
        len: Option<u64>,
    ) -> InternedSet {
        let key = address.as_val().map(|val| (points_to.set_of(func, val), len));
        if let Some(&known) = key.and_then(|key| self.at_locations.get(&key)) {
            return known;
        }
        let locations = points_to.of_operand(module, func, address).into_iter();
        let numbers: Vec<u32> = locations.map(|at| self.number(points_to, at, len)).collect();
        let set = self.sets.of(numbers);
        if let Some(key) = key {
            self.at_locations.insert(key, set);
        }
        set
    }

    /// Drops the local variables of a function, which are gone when it returns.
    fn forget_locals(&mut self, func: FuncId, summary: &mut Summary) {
        let locals = self.sets.of(self.locals[func].iter().copied());
        for set in [&mut summary.reads, &mut summary.writes, &mut summary.replaces] {
            *set = self.sets.difference(*set, locals);
        }
    }

    /// Sets of bytes keep at most `max_ranges` ranges of one object apart.
    fn spell_out(&self, summary: &Summary, max_ranges: usize) -> Effects {
        let ranges = |set| {
            let mut ranges = RangeSet::default();
            let numbers = self.sets.iter(set);
            numbers.for_each(|it| ranges.insert(self.ranges[it as usize], max_ranges));
            ranges
        };
        Effects {
            reads: ranges(summary.reads),
            writes: ranges(summary.writes),
            replaces: ranges(summary.replaces),
            frees: self.sets.iter(summary.frees).map(ObjectId::from_u32).collect(),
            changes_world: summary.changes_world,
            writes_output: summary.writes_output,
            leaves: summary.leaves,
        }
    }
}
