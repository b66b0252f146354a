//! The analysis itself: functions become constraints when a call first reaches them, and waves
//! of propagation alternate with the loads, stores and calls that they uncover.

use byway_base::entity::{EntitySet, SecondaryMap};
use rustc_hash::{FxHashMap, FxHashSet};

use super::cells::{Cells, ObjectCell};
use super::effect::ExternalEffect;
use super::graph::{AccessedBytes, ConstraintNode, Graph, PointerUse};
use super::object::{
    AbstractLocation, AbstractObjectKind, LocationId, Locations, ObjectId, Offsets,
};
use crate::analysis::set_table::{InternedSet, SetTable};
use crate::analysis::signature::used_values;
use crate::analysis::{CallGraph, CallShape};
use crate::{Const, FuncId, Function, GlobalId, InstId, Module, Operand, OperandKind, Symbol, Val};

/// The nodes of a function that was reached.
#[derive(Clone, Debug)]
pub struct FunctionNodes {
    /// The node of each value.
    pub values: Vec<ConstraintNode>,
    /// The node of each result.
    pub results: Vec<ConstraintNode>,
}

/// A call of a function that was reached.
pub struct AnalysedCall {
    pub func: FuncId,
    pub inst: InstId,
    /// What a callee must suit; `None` if the call names its callee.
    shape: Option<CallShape>,
    /// In the order of discovery.
    pub callees: Vec<FuncId>,
}

/// The state of the analysis.
pub struct ConstraintSolver<'m> {
    pub module: &'m Module,
    effect: &'m dyn Fn(FuncId) -> ExternalEffect,
    pub locations: Locations,
    pub graph: Graph,
    pub cells: Cells,
    pub functions: SecondaryMap<FuncId, Option<FunctionNodes>>,
    pub calls: Vec<AnalysedCall>,
    /// The bases, indices and results of pointer arithmetic.
    pub indices: Vec<(ConstraintNode, ConstraintNode, ConstraintNode)>,
    /// An address that is a number can refer to an object.
    pub fixed_addresses: bool,
    linked: FxHashSet<(u32, FuncId)>,
    addresses: FxHashMap<LocationId, ConstraintNode>,
    /// The nodes between pointers with these locations and the cells there; for stores if true.
    contents: FxHashMap<(InternedSet, AccessedBytes, bool), Option<ConstraintNode>>,
    /// Functions and globals that were reached and have no constraints yet.
    new_functions: Vec<FuncId>,
    new_globals: Vec<GlobalId>,
    address_taken: Option<Vec<FuncId>>,
    /// The values that are used, of functions that are called through pointers.
    used_values: FxHashMap<FuncId, EntitySet<Val>>,
    /// The values of the function at hand that are pointers cast to integers.
    pub cast_pointers: EntitySet<Val>,
    /// The values of the function at hand that are integers from memory.
    pub loaded: EntitySet<Val>,
}

impl<'m> ConstraintSolver<'m> {
    /// `fields` is whether the fields of objects are told apart.
    pub fn new(
        module: &'m Module,
        effect: &'m dyn Fn(FuncId) -> ExternalEffect,
        fields: bool,
    ) -> Self {
        ConstraintSolver {
            module,
            effect,
            locations: Locations::new(fields),
            graph: Graph::new(fields),
            cells: Cells::new(fields),
            functions: SecondaryMap::new(),
            calls: Vec::new(),
            indices: Vec::new(),
            fixed_addresses: false,
            linked: FxHashSet::default(),
            addresses: FxHashMap::default(),
            contents: FxHashMap::default(),
            new_functions: Vec::new(),
            new_globals: Vec::new(),
            address_taken: None,
            used_values: FxHashMap::default(),
            cast_pointers: EntitySet::new(),
            loaded: EntitySet::new(),
        }
    }

    /// Analyses everything that these functions reach. They are called with the program's
    /// arguments. False if that costs more than `most_effort`.
    pub fn run(&mut self, roots: &[FuncId], most_effort: u64) -> bool {
        let arguments = self.locations.object(AbstractObjectKind::Arguments, None);
        let anywhere = self.locations.at(arguments, Offsets::ANY);
        self.store_at(anywhere, anywhere);
        for &root in roots {
            self.reach(root);
            for &param in &self.module.funcs[root].params {
                let param = self.value(root, param);
                self.graph.point(param, anywhere);
            }
        }
        loop {
            self.add_constraints();
            if !self.graph.take_changed() && !self.use_indices() {
                return true;
            }
            let left = most_effort.saturating_sub(self.graph.effort());
            self.graph.propagate(&mut self.locations, left);
            if self.graph.effort() > most_effort {
                return false;
            }
            for node in self.graph.pending() {
                if self.graph.effort() > most_effort {
                    return false;
                }
                let (locations, uses) = self.graph.take_uses(node);
                for &it in &uses {
                    self.apply(it, locations);
                }
                self.graph.put_uses(node, uses);
            }
        }
    }

    /// Where a base points to no object, the index of pointer arithmetic is the address. False
    /// if there is none of these left.
    fn use_indices(&mut self) -> bool {
        let (address, number): (Vec<_>, Vec<_>) =
            std::mem::take(&mut self.indices).into_iter().partition(|&(base, index, _)| {
                self.graph.set(base) == SetTable::EMPTY && self.graph.set(index) != SetTable::EMPTY
            });
        self.indices = number;
        for &(_, index, to) in &address {
            self.graph.shift(index, to, Offsets::ANY);
        }
        !address.is_empty()
    }

    fn add_constraints(&mut self) {
        loop {
            if let Some(func) = self.new_functions.pop() {
                self.add_function(func);
            } else if let Some(global) = self.new_globals.pop() {
                self.add_global(global);
            } else {
                return;
            }
        }
    }

    /// A call reaches a function with a body.
    pub fn reach(&mut self, id: FuncId) {
        if self.functions[id].is_none() {
            let func = &self.module.funcs[id];
            let values = func.vals.values().map(|_| self.graph.node()).collect();
            let results = func.rets.iter().map(|_| self.graph.node()).collect();
            self.functions[id] = Some(FunctionNodes { values, results });
            self.new_functions.push(id);
        }
    }

    /// The initial contents of a global.
    fn add_global(&mut self, id: GlobalId) {
        let module = self.module;
        let object = self.locations.global(module, id);
        for reloc in module.globals[id].init.iter().flat_map(|init| &init.relocs) {
            let Some(mut to) = self.symbol(reloc.plus, reloc.addend) else { continue };
            if reloc.minus.is_some() {
                let AbstractLocation { object, offsets } = self.locations.get(to);
                let object = self.locations.object(AbstractObjectKind::Difference(object), None);
                to = self.locations.at(object, offsets);
            }
            let at = Offsets::exactly(reloc.offset as i64);
            let at = AbstractLocation { object, offsets: at };
            let len = Some(u64::from(reloc.width));
            let object = self.locations.objects()[object];
            self.cells.for_each(&mut self.graph, &object, at, len, |graph, cell| {
                graph.point(cell.stored, to);
            });
        }
    }

    /// The location of a symbol; `None` for labels, which only jumps use.
    fn symbol(&mut self, symbol: Symbol, offset: i64) -> Option<LocationId> {
        let object = match symbol {
            Symbol::Global(id) => {
                let known = self.locations.find(AbstractObjectKind::Global(id));
                known.unwrap_or_else(|| {
                    self.new_globals.push(id);
                    self.locations.global(self.module, id)
                })
            }
            Symbol::Func(id) => self.locations.object(AbstractObjectKind::Function(id), None),
            Symbol::Block(..) => return None,
        };
        Some(self.locations.at(object, Offsets::exactly(offset)))
    }

    /// The node of a value.
    pub fn value(&self, func: FuncId, val: Val) -> ConstraintNode {
        let nodes = self.functions[func].as_ref().expect("only functions reached are analysed");
        nodes.values[val.as_u32() as usize]
    }

    /// The node of an operand; `None` if it is no address.
    pub fn operand(&mut self, func: FuncId, op: Operand) -> Option<ConstraintNode> {
        match op.kind() {
            OperandKind::Val(val) => Some(self.value(func, val)),
            OperandKind::Const(id) => match self.module.funcs[func].consts[id] {
                Const::Bits { .. } => None,
                Const::Address { symbol, offset } => {
                    let location = self.symbol(symbol, offset)?;
                    Some(self.address(location))
                }
            },
        }
    }

    /// The node of a constant address.
    pub fn address(&mut self, location: LocationId) -> ConstraintNode {
        if let Some(&node) = self.addresses.get(&location) {
            return node;
        }
        let node = self.graph.node();
        self.graph.point(node, location);
        self.addresses.insert(location, node);
        node
    }

    /// The location of an object that anything is possible of.
    pub fn unknown(&mut self) -> LocationId {
        if let Some(object) = self.locations.find(AbstractObjectKind::Unknown) {
            return self.locations.at(object, Offsets::ANY);
        }
        let object = self.locations.object(AbstractObjectKind::Unknown, None);
        let location = self.locations.at(object, Offsets::ANY);
        self.store_at(location, location);
        location
    }

    /// Every word of a location can hold an address.
    pub fn store_at(&mut self, at: LocationId, address: LocationId) {
        let at = self.locations.get(at);
        let object = self.locations.objects()[at.object];
        self.cells.for_each(&mut self.graph, &object, at, None, |graph, cell| {
            graph.point(cell.stored, address);
        });
    }

    /// Applies a use of an address to locations.
    fn apply(&mut self, it: PointerUse, locations: InternedSet) {
        match it {
            PointerUse::Load(bytes, to) => {
                if let Some(from) = self.contents(locations, bytes, false) {
                    self.graph.copy(from, to);
                }
            }
            PointerUse::Store(bytes, from) => {
                if let Some(to) = self.contents(locations, bytes, true) {
                    self.graph.copy(from, to);
                }
            }
            PointerUse::Call { call } => {
                for id in self.graph.sets.iter(locations).collect::<Vec<_>>() {
                    self.call_through(call, self.locations.get(LocationId::from_u32(id)));
                }
            }
            PointerUse::Difference { to } => {
                for id in self.graph.sets.iter(locations).collect::<Vec<_>>() {
                    let AbstractLocation { object, offsets } =
                        self.locations.get(LocationId::from_u32(id));
                    let kind = self.locations.objects()[object].kind;
                    if let AbstractObjectKind::Difference(object) = kind {
                        let address = self.locations.at(object, offsets);
                        self.graph.point(to, address);
                    }
                }
            }
        }
    }

    /// The node of the contents of bytes at any of these locations, or, if they are stored
    /// to, the node of what is stored there. Most pointers of a large program have one of few
    /// sets, so one node between these pointers and the cells saves most edges.
    fn contents(
        &mut self,
        locations: InternedSet,
        bytes: AccessedBytes,
        is_store: bool,
    ) -> Option<ConstraintNode> {
        if let Some(&known) = self.contents.get(&(locations, bytes, is_store)) {
            return known;
        }
        let mut cells = Vec::new();
        for id in self.graph.sets.iter(locations).collect::<Vec<_>>() {
            let at = self.locations.get(LocationId::from_u32(id));
            if !(is_store && self.is_constant(at.object)) {
                self.at_cells(at, bytes, |_, cell| {
                    cells.push(if is_store { cell.stored } else { cell.seen });
                });
            }
        }
        cells.iter_mut().for_each(|cell| *cell = self.graph.representative(*cell));
        cells.sort_unstable();
        cells.dedup();
        let node = match *cells {
            [] => None,
            [cell] => Some(cell),
            _ => {
                let node = self.graph.node();
                for cell in cells {
                    match is_store {
                        true => self.graph.copy(node, cell),
                        false => self.graph.copy(cell, node),
                    }
                }
                Some(node)
            }
        };
        self.contents.insert((locations, bytes, is_store), node);
        node
    }

    fn at_cells(
        &mut self,
        at: AbstractLocation,
        AccessedBytes { offset, len }: AccessedBytes,
        f: impl FnMut(&mut Graph, ObjectCell),
    ) {
        let object = self.locations.objects()[at.object];
        if !matches!(
            object.kind,
            AbstractObjectKind::Function(_) | AbstractObjectKind::Difference(_)
        ) {
            let at = AbstractLocation { offsets: at.offsets.plus(Offsets::exactly(offset)), ..at };
            self.cells.for_each(&mut self.graph, &object, at, len, f);
        }
    }

    /// Whether writing to an object is a fault.
    fn is_constant(&self, object: ObjectId) -> bool {
        match self.locations.objects()[object].kind {
            AbstractObjectKind::Global(id) => self.module.globals[id].constant,
            _ => false,
        }
    }

    /// A call through a pointer reaches what a location stands for.
    fn call_through(&mut self, call: u32, location: AbstractLocation) {
        match self.locations.objects()[location.object].kind {
            AbstractObjectKind::Function(callee) if location.offsets.contains(0) => {
                self.link_suitable(call, callee);
            }
            AbstractObjectKind::Unknown => {
                let module = self.module;
                let taken = self
                    .address_taken
                    .get_or_insert_with(|| CallGraph::new(module).address_taken().to_vec())
                    .clone();
                for callee in taken {
                    self.link_suitable(call, callee);
                }
            }
            _ => {}
        }
    }

    /// Links a call to a function that it suits; a call of any other is a fault.
    fn link_suitable(&mut self, call: u32, callee: FuncId) {
        let body = self.body(callee);
        let used = self.used_values.entry(callee).or_insert_with(|| used_values(body));
        let suits =
            |shape: &CallShape| shape.mismatch_given(body, |param| used.contains(param)).is_none();
        if self.calls[call as usize].shape.as_ref().is_none_or(suits) {
            self.link(call, callee);
        }
    }

    /// A call without callees yet. `shape` is what those of a call through a pointer must suit.
    pub fn new_call(&mut self, func: FuncId, inst: InstId, shape: Option<CallShape>) -> u32 {
        self.calls.push(AnalysedCall { func, inst, shape, callees: Vec::new() });
        self.calls.len() as u32 - 1
    }

    /// Links a call to a function.
    pub fn link(&mut self, call: u32, callee: FuncId) {
        if !self.linked.insert((call, callee)) {
            return;
        }
        self.calls[call as usize].callees.push(callee);
        let AnalysedCall { func, inst, .. } = self.calls[call as usize];
        match self.module.funcs[callee].is_declaration() {
            false => self.pass(func, inst, callee),
            true => self.affect(func, inst, (self.effect)(callee)),
        }
    }

    /// The body of a function.
    pub fn body(&self, func: FuncId) -> &'m Function {
        &self.module.funcs[func]
    }
}
