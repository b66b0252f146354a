//! A points-to analysis: what each pointer can point to, and which functions each call through
//! a pointer can reach.
//!
//! Inclusion based, as by Andersen ("Program Analysis and Specialization for the C Programming
//! Language", 1994): each instruction is a constraint between sets, without regard to the order
//! of instructions or to calling contexts. It is field sensitive: a pointer has an object and
//! offsets in it ([`Offsets`]). Only functions that a call can reach take part, and calls
//! through pointers are resolved as the sets grow. Objects are globals, functions, and
//! allocations by their instruction.
//!
//! The sets are sound for every address that the program computes from addresses, as
//! `generate.rs` says. They do not contain what a number refers to that never was an address:
//! an address made of input bytes, or one written as a constant.
//!
//! | file | content |
//! |---|---|
//! | `object.rs` | objects, offsets, locations |
//! | `graph.rs` | the constraint graph, and its solution by waves |
//! | `cycles.rs` | its cycles |
//! | `cells.rs` | the contents of objects |
//! | `generate.rs`, `calls.rs` | constraints of instructions and of calls |
//! | `demand.rs` | which integers may be addresses |
//! | `effect.rs` | what functions without a body do |
//! | `solver.rs` | the loop around all of that |
//! | `access.rs`, `print.rs` | which locations an instruction accesses; the result as text |

mod access;
mod calls;
mod cells;
mod cycles;
mod demand;
mod effect;
mod generate;
mod graph;
mod object;
mod print;
mod solver;

use byway_base::entity::{EntitySet, PrimaryMap, SecondaryMap, entity_impl};
use rustc_hash::FxHashMap;

pub(super) use access::AccessedPlace;
pub use access::{MemoryAccess, MemoryAccessKind};
pub use effect::{CallEnding, ExternalEffect, MadeAddress};
pub use object::{
    AbstractLocation, AbstractObject, AbstractObjectKind, LocationId, ObjectId, Offsets,
};

use super::set_table::SetTable;
use crate::{Const, FuncId, InstId, Module, Operand, OperandKind, Symbol, Val};
use object::Locations;
use solver::ConstraintSolver;

/// A set of locations.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SetId(u32);
entity_impl!(SetId, "set");

/// What every pointer of a program can point to.
pub struct PointsTo {
    locations: Locations,
    sets: PrimaryMap<SetId, Box<[LocationId]>>,
    /// The set of each value of a function that was reached.
    values: SecondaryMap<FuncId, Vec<SetId>>,
    reached: EntitySet<FuncId>,
    callees: FxHashMap<(FuncId, InstId), Vec<FuncId>>,
    effects: SecondaryMap<FuncId, ExternalEffect>,
    fixed_addresses: bool,
    nodes: usize,
    has_fields: bool,
}

/// The effort after which the fields of objects are no longer told apart, about two seconds.
const MOST_EFFORT: u64 = 10_000_000;

impl PointsTo {
    /// Analyses what `roots`, which are called with the program's arguments, can reach in a
    /// module that verifies. `effect` is the effect of a call of a function without a body.
    pub fn new(
        module: &Module,
        roots: &[FuncId],
        effect: impl Fn(FuncId) -> ExternalEffect,
    ) -> PointsTo {
        PointsTo::within(MOST_EFFORT, module, roots, effect)
    }

    /// As [`PointsTo::new`]. If telling the fields of objects apart costs more than
    /// `most_effort`, it starts again without.
    pub fn within(
        most_effort: u64,
        module: &Module,
        roots: &[FuncId],
        effect: impl Fn(FuncId) -> ExternalEffect,
    ) -> PointsTo {
        let mut solver = ConstraintSolver::new(module, &effect, true);
        let has_fields = solver.run(roots, most_effort);
        if !has_fields {
            solver = ConstraintSolver::new(module, &effect, false);
            solver.run(roots, u64::MAX);
        }
        let (mut ids, mut sets) = (FxHashMap::default(), PrimaryMap::new());
        let numbers = |set| solver.graph.sets.iter(set).map(LocationId::from_u32).collect();
        let mut keep = |set| *ids.entry(set).or_insert_with(|| sets.push(numbers(set)));
        keep(SetTable::EMPTY);
        let mut values = SecondaryMap::new();
        let mut reached = EntitySet::new();
        for id in module.funcs.keys() {
            if let Some(nodes) = &solver.functions[id] {
                reached.insert(id);
                let of_value = |&node| keep(solver.graph.set(node));
                values[id] = nodes.values.iter().map(of_value).collect();
            }
        }
        let mut effects = SecondaryMap::new();
        for (id, _) in module.funcs.iter().filter(|(_, func)| func.is_declaration()) {
            effects[id] = effect(id);
        }
        let mut callees = FxHashMap::default();
        for mut call in std::mem::take(&mut solver.calls) {
            call.callees.sort_unstable();
            callees.insert((call.func, call.inst), call.callees);
        }
        PointsTo {
            sets,
            values,
            reached,
            callees,
            effects,
            fixed_addresses: solver.fixed_addresses,
            nodes: solver.graph.len(),
            has_fields,
            locations: solver.locations,
        }
    }

    /// Whether a call can reach a function.
    pub fn is_reached(&self, func: FuncId) -> bool {
        self.reached.contains(func)
    }

    /// The functions that a call can reach, ascending; none if its function is not reached.
    pub fn callees(&self, func: FuncId, inst: InstId) -> &[FuncId] {
        self.callees.get(&(func, inst)).map_or(&[], |callees| callees)
    }

    /// The set of a value: equal values have equal sets if their ids are equal.
    pub fn set_of(&self, func: FuncId, val: Val) -> SetId {
        let known = self.values[func].get(val.as_u32() as usize);
        known.copied().unwrap_or(SetId::from_u32(0))
    }

    /// The locations of a set, ascending.
    pub fn locations(&self, set: SetId) -> impl Iterator<Item = LocationId> + '_ {
        self.sets[set].iter().copied()
    }

    /// The locations that a value can point to.
    pub fn of_value(&self, func: FuncId, val: Val) -> Vec<AbstractLocation> {
        self.locations(self.set_of(func, val)).map(|id| self.location(id)).collect()
    }

    /// The locations that an operand can point to. Those of a constant that no analysed code
    /// uses are unknown to the analysis, so there are none.
    pub fn of_operand(&self, module: &Module, func: FuncId, op: Operand) -> Vec<AbstractLocation> {
        match op.kind() {
            OperandKind::Val(val) => self.of_value(func, val),
            OperandKind::Const(id) => match module.funcs[func].consts[id] {
                Const::Bits { .. } => Vec::new(),
                Const::Address { symbol, offset } => {
                    let kind = match symbol {
                        Symbol::Global(id) => AbstractObjectKind::Global(id),
                        Symbol::Func(id) => AbstractObjectKind::Function(id),
                        Symbol::Block(..) => return Vec::new(),
                    };
                    let location =
                        |object| AbstractLocation { object, offsets: Offsets::exactly(offset) };
                    self.object_of(kind).map(location).into_iter().collect()
                }
            },
        }
    }

    /// An object and offsets in it.
    pub fn location(&self, id: LocationId) -> AbstractLocation {
        self.locations.get(id)
    }

    /// All objects that pointers of the program can point to.
    pub fn objects(&self) -> &PrimaryMap<ObjectId, AbstractObject> {
        self.locations.objects()
    }

    /// The object of a kind, if a pointer can point to it.
    pub fn object_of(&self, kind: AbstractObjectKind) -> Option<ObjectId> {
        self.locations.find(kind)
    }

    /// Whether the locations are all that are possible: none of them is the unknown object.
    pub fn is_complete(&self, locations: &[AbstractLocation]) -> bool {
        let is_unknown =
            |it: &AbstractLocation| self.objects()[it.object].kind == AbstractObjectKind::Unknown;
        !locations.iter().any(is_unknown)
    }

    /// Whether the program makes objects at addresses that it chose as numbers, which no set
    /// contains.
    pub fn has_fixed_addresses(&self) -> bool {
        self.fixed_addresses
    }

    /// The effect of a function without a body.
    pub fn effect(&self, func: FuncId) -> ExternalEffect {
        self.effects[func]
    }

    /// Whether the fields of objects are told apart. If not, every offset is any.
    pub fn has_fields(&self) -> bool {
        self.has_fields
    }

    /// How large the analysis was: nodes of the constraint graph, objects, locations and
    /// distinct sets.
    pub fn sizes(&self) -> [usize; 4] {
        [self.nodes, self.objects().len(), self.locations.len(), self.sets.len()]
    }
}
