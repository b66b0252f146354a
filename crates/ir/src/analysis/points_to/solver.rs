//! The analysis itself: functions become constraints when a call first reaches them, and waves
//! of propagation alternate with the loads, stores and calls that they uncover.

use byway_base::entity::{EntitySet, SecondaryMap};
use rustc_hash::{FxHashMap, FxHashSet};

use super::cells::Cells;
use super::effect::MemoryEffect;
use super::graph::{AddressUse, Graph, Node};
use super::object::{Location, LocationId, Locations, ObjectId, ObjectKind, Offsets};
use crate::analysis::{CallGraph, CallShape};
use crate::{
    Const, FuncId, Function, GlobalId, InstId, Module, Operand, OperandKind, Symbol, Val,
};

/// The nodes of a function that was reached.
#[derive(Clone, Debug)]
pub struct FunctionNodes {
    /// The node of each value.
    pub values: Vec<Node>,
    /// The node of each result.
    pub results: Vec<Node>,
}

/// A call of a function that was reached.
pub struct CallSite {
    pub func: FuncId,
    pub inst: InstId,
    /// What a callee must suit; `None` if the call names its callee.
    shape: Option<CallShape>,
    /// In the order of discovery.
    pub callees: Vec<FuncId>,
}

/// The state of the analysis.
pub struct Solver<'m> {
    pub module: &'m Module,
    effect: &'m dyn Fn(FuncId) -> MemoryEffect,
    pub locations: Locations,
    pub graph: Graph,
    pub cells: Cells,
    pub functions: SecondaryMap<FuncId, Option<FunctionNodes>>,
    pub calls: Vec<CallSite>,
    /// An address that is a number can refer to an object.
    pub fixed_addresses: bool,
    linked: FxHashSet<(u32, FuncId)>,
    addresses: FxHashMap<LocationId, Node>,
    /// Functions and globals that were reached and have no constraints yet.
    new_functions: Vec<FuncId>,
    new_globals: Vec<GlobalId>,
    address_taken: Option<Vec<FuncId>>,
    /// The values of the function at hand that are pointers cast to integers.
    pub cast_pointers: EntitySet<Val>,
}

impl<'m> Solver<'m> {
    pub fn new(module: &'m Module, effect: &'m dyn Fn(FuncId) -> MemoryEffect) -> Self {
        Solver {
            module,
            effect,
            locations: Locations::default(),
            graph: Graph::default(),
            cells: Cells::default(),
            functions: SecondaryMap::new(),
            calls: Vec::new(),
            fixed_addresses: false,
            linked: FxHashSet::default(),
            addresses: FxHashMap::default(),
            new_functions: Vec::new(),
            new_globals: Vec::new(),
            address_taken: None,
            cast_pointers: EntitySet::new(),
        }
    }

    /// Analyses everything that these functions reach. They are called with the program's
    /// arguments.
    pub fn run(&mut self, roots: &[FuncId]) {
        let arguments = self.locations.object(ObjectKind::Arguments, None);
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
            if !self.graph.take_changed() {
                break;
            }
            self.graph.propagate(&mut self.locations);
            for node in self.graph.pending() {
                let (locations, uses) = self.graph.take_uses(node);
                for &it in &uses {
                    for id in locations.iter() {
                        self.apply(it, LocationId::from_u32(id));
                    }
                }
                self.graph.put_uses(node, uses);
            }
        }
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
                let Location { object, offsets } = self.locations.get(to);
                let object = self.locations.object(ObjectKind::Difference(object), None);
                to = self.locations.at(object, offsets);
            }
            let at = Offsets::exactly(reloc.offset as i64);
            let at = Location { object, offsets: at };
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
                let known = self.locations.find(ObjectKind::Global(id));
                known.unwrap_or_else(|| {
                    self.new_globals.push(id);
                    self.locations.global(self.module, id)
                })
            }
            Symbol::Func(id) => self.locations.object(ObjectKind::Function(id), None),
            Symbol::Block(..) => return None,
        };
        Some(self.locations.at(object, Offsets::exactly(offset)))
    }

    /// The node of a value.
    pub fn value(&self, func: FuncId, val: Val) -> Node {
        let nodes = self.functions[func].as_ref().expect("only functions reached are analysed");
        nodes.values[val.as_u32() as usize]
    }

    /// The node of an operand; `None` if it is no address.
    pub fn operand(&mut self, func: FuncId, op: Operand) -> Option<Node> {
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
    pub fn address(&mut self, location: LocationId) -> Node {
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
        if let Some(object) = self.locations.find(ObjectKind::Unknown) {
            return self.locations.at(object, Offsets::ANY);
        }
        let object = self.locations.object(ObjectKind::Unknown, None);
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

    /// Applies a use of an address to one location.
    fn apply(&mut self, it: AddressUse, id: LocationId) {
        let location = self.locations.get(id);
        match it {
            AddressUse::Load { offset, len, to } => {
                self.at_cells(location, offset, len, |graph, cell| graph.copy(cell.seen, to));
            }
            AddressUse::Store { offset, len, from } => {
                if !self.is_constant(location.object) {
                    self.at_cells(location, offset, len, |graph, cell| {
                        graph.copy(from, cell.stored);
                    });
                }
            }
            AddressUse::Call { call } => self.call_through(call, location),
            AddressUse::Difference { to } => {
                if let ObjectKind::Difference(object) =
                    self.locations.objects()[location.object].kind
                {
                    let address = self.locations.at(object, location.offsets);
                    self.graph.point(to, address);
                }
            }
        }
    }

    fn at_cells(
        &mut self,
        at: Location,
        offset: i64,
        len: Option<u64>,
        f: impl FnMut(&mut Graph, super::cells::Cell),
    ) {
        let object = self.locations.objects()[at.object];
        if !matches!(object.kind, ObjectKind::Function(_) | ObjectKind::Difference(_)) {
            let at = Location { offsets: at.offsets.plus(Offsets::exactly(offset)), ..at };
            self.cells.for_each(&mut self.graph, &object, at, len, f);
        }
    }

    /// Whether writing to an object is a fault.
    fn is_constant(&self, object: ObjectId) -> bool {
        match self.locations.objects()[object].kind {
            ObjectKind::Global(id) => self.module.globals[id].constant,
            _ => false,
        }
    }

    /// A call through a pointer reaches what a location stands for.
    fn call_through(&mut self, call: u32, location: Location) {
        match self.locations.objects()[location.object].kind {
            ObjectKind::Function(callee) if location.offsets.contains(0) => {
                self.link_suitable(call, callee);
            }
            ObjectKind::Unknown => {
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
        let shape = self.calls[call as usize].shape.as_ref();
        if shape.is_none_or(|shape| shape.mismatch(&self.module.funcs[callee]).is_none()) {
            self.link(call, callee);
        }
    }

    /// A call without callees yet. `shape` is what those of a call through a pointer must suit.
    pub fn new_call(&mut self, func: FuncId, inst: InstId, shape: Option<CallShape>) -> u32 {
        self.calls.push(CallSite { func, inst, shape, callees: Vec::new() });
        self.calls.len() as u32 - 1
    }

    /// Links a call to a function.
    pub fn link(&mut self, call: u32, callee: FuncId) {
        if !self.linked.insert((call, callee)) {
            return;
        }
        self.calls[call as usize].callees.push(callee);
        let CallSite { func, inst, .. } = self.calls[call as usize];
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
