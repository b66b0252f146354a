//! What the instructions of a concrete run access, and whether the points-to analysis says so.

use std::cell::RefCell;
use std::rc::Rc;

use byway_ir::analysis::points_to::{AbstractLocation, AbstractObjectKind, MadeAddress};
use byway_ir::analysis::{CallShape, PointsTo};
use byway_ir::{FuncId, GlobalId, InstId, Module, Operand};
use rustc_hash::{FxHashMap, FxHashSet};

use super::observation::{
    MadeAddresses, Observation, ObservationLog, accessed_address, made_by, object_at, word,
};
use crate::memory::{self, Memory};
use crate::value::Value;

/// The accesses of a run.
#[derive(Debug)]
pub struct AccessLog {
    makes: MadeAddresses,
    records: RefCell<Records>,
}

#[derive(Default, Debug)]
struct Records {
    /// What each object is, by its address.
    objects: FxHashMap<u64, AbstractObjectKind>,
    accesses: FxHashSet<(FuncId, InstId, Operand, AbstractObjectKind, i64)>,
    calls: FxHashSet<(FuncId, InstId, FuncId)>,
    /// What the callee of the call at hand makes.
    callee_makes: MadeAddress,
}

impl AccessLog {
    /// An empty log for a program.
    pub fn new(module: &Module) -> Rc<AccessLog> {
        Rc::new(AccessLog { makes: MadeAddresses::new(module), records: RefCell::default() })
    }

    /// Records that a global is at an address.
    pub fn place_global(&self, global: GlobalId, address: u64) {
        self.records.borrow_mut().objects.insert(address, AbstractObjectKind::Global(global));
    }

    /// Compares the log with the analysis.
    pub fn check(&self, module: &Module, points_to: &PointsTo) -> PointsToCheck {
        let records = self.records.borrow();
        let mut misses = Vec::new();
        let at = |func: FuncId, inst: InstId| {
            let function = &module.funcs[func];
            let loc = function.loc(inst).map(|loc| format!(" ({})", module.src_loc(loc)));
            format!("{inst} of @{}{}", function.name, loc.unwrap_or_default())
        };
        let place = |loc| module.src_loc(loc).to_string();
        for &(func, inst, operand, kind, offset) in &records.accesses {
            if kind == AbstractObjectKind::Unknown && points_to.has_fixed_addresses() {
                continue;
            }
            let object = points_to.object_of(kind);
            let is_it =
                |it: &AbstractLocation| Some(it.object) == object && it.offsets.contains(offset);
            if !points_to.of_operand(module, func, operand).iter().any(is_it) {
                let name = points_to.kind_name(module, kind, &place);
                misses.push(format!("{} accesses {name}{offset:+}", at(func, inst)));
            }
        }
        for &(func, inst, callee) in &records.calls {
            let caller = &module.funcs[func];
            let shape = CallShape::of(caller, &caller.insts[inst]);
            // A call of a function of an incompatible type is a fault.
            let suits = shape.is_some_and(|it| it.mismatch(&module.funcs[callee]).is_none());
            if suits && points_to.callees(func, inst).binary_search(&callee).is_err() {
                let name = &module.funcs[callee].name;
                misses.push(format!("{} calls @{name}", at(func, inst)));
            }
        }
        misses.sort_unstable();
        let checked = (records.accesses.len() + records.calls.len()) as u64;
        PointsToCheck { checked, misses }
    }
}

impl ObservationLog for AccessLog {
    fn follows_paths(&self) -> bool {
        false
    }

    /// What an address that is a term refers to is not recorded.
    fn observe(
        &self,
        (func, inst): (FuncId, InstId),
        it: Observation,
        regs: &[Value],
        memory: &Memory,
        variadic: Option<u64>,
    ) {
        let mut records = self.records.borrow_mut();
        match it {
            Observation::Access { operand, addr, offset, len } => {
                let is_empty = len.is_some_and(|len| word(regs, len.slot) == Some(0));
                let at = accessed_address(regs, addr, offset).filter(|_| !is_empty);
                if let Some((object, offset)) = at.and_then(|at| object_at(memory, at)) {
                    let kind = match object.kind {
                        memory::ObjectKind::Code => return,
                        memory::ObjectKind::Arguments => AbstractObjectKind::Arguments,
                        _ => AbstractObjectKind::Unknown,
                    };
                    let kind = records.objects.get(&object.base).copied().unwrap_or(kind);
                    records.accesses.insert((func, inst, operand, kind, offset));
                }
            }
            Observation::Call { callee, .. } => {
                let callee = callee.resolve(regs);
                if let Some(callee) = callee {
                    records.calls.insert((func, inst, callee));
                }
                records.callee_makes =
                    callee.map_or(MadeAddress::None, |callee| self.makes.of(callee));
            }
            Observation::Block { .. } => {}
            Observation::Local { addr } => {
                records.insert(word(regs, addr), AbstractObjectKind::Local(func, inst));
            }
            Observation::Variadic => {
                records.insert(variadic, AbstractObjectKind::Variadic(func));
            }
            Observation::Result { result, first_argument } => {
                let makes = std::mem::take(&mut records.callee_makes);
                let made = made_by(makes, result, first_argument, regs, memory);
                records.insert(made, AbstractObjectKind::Heap(func, inst));
            }
        }
    }
}

impl Records {
    fn insert(&mut self, address: Option<u64>, kind: AbstractObjectKind) {
        if let Some(address) = address {
            self.objects.insert(address, kind);
        }
    }
}

/// The comparison of a run with the points-to analysis.
#[derive(Clone, Debug)]
pub struct PointsToCheck {
    /// Distinct accesses and calls through pointers.
    pub checked: u64,
    /// Those that the analysis does not contain.
    pub misses: Vec<String>,
}
