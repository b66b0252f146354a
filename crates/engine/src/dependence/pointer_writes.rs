//! Writes through pointers that code has before it runs: parameters, and values defined outside
//! of a side of a branch.
//!
//! The points-to analysis says which objects a pointer can point to on any path. On the path at
//! hand, a pointer that no decision changes points to one of them: code that does not run could
//! only have written there. So a write is described by the pointer that its address is computed
//! from and the distance from there, and the walk along a path supplies the pointer's value.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::rc::Rc;

use byway_base::entity::EntitySet;
use byway_ir::analysis::points_to::{
    AbstractLocation, AbstractObjectKind, MemoryAccessKind, Offsets,
};
use byway_ir::analysis::{PointsTo, ProgramEffects};
use byway_ir::{BlockId, FuncId, Function, Inst, InstId, Module, Operand, Val};
use rustc_hash::FxHashMap;

use super::effects::PossibleWrite;
use super::memory::Part;

/// A write whose address is computed from a pointer.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct PointerWrite<P> {
    /// The pointer: a value, or the index of a parameter.
    pub pointer: P,
    /// The distance from there.
    pub distance: Offsets,
    /// The number of bytes; `None` if it is not known.
    pub len: Option<u64>,
}

/// What code may write.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Writes<P: Ord> {
    /// Through pointers, each with what it may write at most.
    pub through: BTreeSet<(PointerWrite<P>, Rc<[PossibleWrite]>)>,
    /// All others.
    pub others: BTreeSet<PossibleWrite>,
}

impl<P: Ord> Default for Writes<P> {
    fn default() -> Self {
        Writes { through: BTreeSet::new(), others: BTreeSet::new() }
    }
}

/// The most writes through parameters of one function that are told apart.
const MOST_THROUGH: usize = 64;

/// An address as a pointer and a distance from it.
#[derive(Copy, Clone)]
struct DerivedAddress {
    root: Operand,
    distance: Offsets,
}

/// What functions write, on demand.
#[derive(Default)]
pub struct FunctionWrites {
    calls: RefCell<FxHashMap<FuncId, Rc<Writes<usize>>>>,
    definitions: RefCell<FxHashMap<FuncId, Rc<Definitions>>>,
}

/// The instruction that defines each value of a function.
type Definitions = FxHashMap<Val, InstId>;

/// The analyses that writes are found with.
#[derive(Copy, Clone)]
pub struct WriteSources<'a> {
    pub module: &'a Module,
    pub points_to: &'a PointsTo,
    pub program: &'a ProgramEffects,
}

impl FunctionWrites {
    /// What some blocks of a function write. Pointers are values that are defined outside of
    /// them.
    pub fn of_blocks(
        &self,
        of: WriteSources,
        func: FuncId,
        blocks: &EntitySet<BlockId>,
    ) -> Writes<Val> {
        let body = &of.module.funcs[func];
        let own = values_of(body, blocks);
        let pointer = |root: Operand| root.as_val().filter(|val| !own.contains(*val));
        let insts = body.blocks.iter().filter(|(id, _)| blocks.contains(*id));
        let insts = insts.flat_map(|(_, block)| block.inst_ids());
        self.of_insts(of, func, insts, pointer)
    }

    /// What calls of a function write, except to its own local variables.
    fn of_call(&self, of: WriteSources, func: FuncId) -> Rc<Writes<usize>> {
        if let Some(known) = self.calls.borrow().get(&func) {
            return Rc::clone(known);
        }
        let body = &of.module.funcs[func];
        let writes = if of.program.is_recursive(func) {
            let all = &of.program.of_call(func).writes;
            Writes { others: all.iter().map(PossibleWrite::bytes).collect(), ..Writes::default() }
        } else {
            let index = |root: Operand| {
                root.as_val().and_then(|val| body.params.iter().position(|&it| it == val))
            };
            let mut writes = self.of_insts(of, func, body.insts.keys(), index);
            let is_kept = |write: &PossibleWrite| {
                !matches!(of.points_to.objects()[write.of.0].kind,
                    AbstractObjectKind::Local(owner, _) if owner == func)
            };
            writes.others.retain(is_kept);
            if writes.through.len() > MOST_THROUGH {
                let through = std::mem::take(&mut writes.through);
                writes.others.extend(through.iter().flat_map(|(_, all)| all.iter().copied()));
            }
            writes
        };
        let writes = Rc::new(writes);
        self.calls.borrow_mut().insert(func, Rc::clone(&writes));
        writes
    }

    fn of_insts<P: Ord>(
        &self,
        of: WriteSources,
        func: FuncId,
        insts: impl Iterator<Item = InstId>,
        pointer: impl Fn(Operand) -> Option<P>,
    ) -> Writes<P> {
        let body = &of.module.funcs[func];
        let mut writes = Writes::default();
        let mut add = |address: Option<DerivedAddress>, len, most: Rc<[PossibleWrite]>| {
            let through = address.and_then(|it| Some((pointer(it.root)?, it.distance)));
            match through {
                Some((pointer, distance)) => {
                    writes.through.insert((PointerWrite { pointer, distance, len }, most));
                }
                None => writes.others.extend(most.iter().copied()),
            }
        };
        for inst in insts {
            for access in of.points_to.accesses(of.module, func, inst) {
                if access.kind == MemoryAccessKind::Write {
                    let address = access.address.map(|it| self.derive(body, func, it));
                    let at = access.locations.iter().map(|at| possible_write(*at, access.len));
                    add(address, access.len, at.collect());
                }
            }
            let Inst::Call { args, .. } = &body.insts[inst] else { continue };
            for &callee in of.points_to.callees(func, inst) {
                let written = self.of_call(of, callee);
                for (write, most) in &written.through {
                    let address = args.get(write.pointer).map(|&arg| {
                        let DerivedAddress { root, distance } = self.derive(body, func, arg);
                        DerivedAddress { root, distance: distance.plus(write.distance) }
                    });
                    let most = address
                        .and_then(|it| possible_writes(of, func, it, write.len))
                        .filter(|own| own.len() <= most.len())
                        .unwrap_or_else(|| Rc::clone(most));
                    add(address, write.len, most);
                }
                add(None, None, written.others.iter().copied().collect());
            }
        }
        writes
    }

    /// An address as a pointer that is no sum, and the distance from it.
    fn derive(&self, body: &Function, func: FuncId, address: Operand) -> DerivedAddress {
        let definitions = self.definitions_of(body, func);
        let (mut root, mut distance) = (address, Offsets::ZERO);
        while let Some(inst) = root.as_val().and_then(|val| definitions.get(&val))
            && let Inst::PtrAdd { base, offset, scaled, .. } = &body.insts[*inst]
        {
            distance = distance.plus(Offsets::exactly(*offset));
            if let Some(scaled) = scaled {
                distance = distance.plus(Offsets::every(0, scaled.scale.unsigned_abs()));
            }
            root = *base;
        }
        DerivedAddress { root, distance }
    }

    fn definitions_of(&self, body: &Function, func: FuncId) -> Rc<Definitions> {
        let mut all = self.definitions.borrow_mut();
        let definitions = all.entry(func).or_insert_with(|| {
            let mut own = Definitions::default();
            for (id, inst) in &body.insts {
                inst.for_each_def(|val| _ = own.insert(val, id));
            }
            Rc::new(own)
        });
        Rc::clone(definitions)
    }
}

fn possible_write(at: AbstractLocation, len: Option<u64>) -> PossibleWrite {
    PossibleWrite { of: (at.object, Part::Bytes), offsets: at.offsets, len }
}

/// What a write at an address may define, if the analysis knows all that the address is computed
/// from can point to.
fn possible_writes(
    of: WriteSources,
    func: FuncId,
    address: DerivedAddress,
    len: Option<u64>,
) -> Option<Rc<[PossibleWrite]>> {
    let roots = of.points_to.of_operand(of.module, func, address.root);
    let further = |at: &AbstractLocation| {
        let offsets = at.offsets.plus(address.distance);
        possible_write(AbstractLocation { offsets, ..*at }, len)
    };
    let is_known = !roots.is_empty() && of.points_to.is_complete(&roots);
    is_known.then(|| roots.iter().map(further).collect())
}

/// The values defined in some blocks of a function.
pub fn values_of(func: &Function, blocks: &EntitySet<BlockId>) -> EntitySet<Val> {
    let mut defined = EntitySet::new();
    for (_, block) in func.blocks.iter().filter(|(id, _)| blocks.contains(*id)) {
        block.params.iter().for_each(|&val| _ = defined.insert(val));
        let insts = block.inst_ids().map(|inst| &func.insts[inst]);
        insts.for_each(|inst| inst.for_each_def(|val| _ = defined.insert(val)));
    }
    defined
}
