//! The call graph.
//!
//! A direct call has one target. An indirect call through a pointer known to be
//! a function's address has that one target; through any other pointer it can
//! reach **every function whose address is taken**. Of these,
//! [`CallShape`](super::CallShape) tells which a call suits.
//!
//! A function's address is taken if a constant operand or a global's initial
//! contents mention it, or if it is a constructor or destructor (those are passed
//! as pointers). A direct call takes no address. The address of a label within a
//! function cannot be called.

use byway_base::entity::{EntityRef, EntitySet};

use super::Digraph;
use crate::{Callee, Const, FuncId, Function, Inst, Module, OperandKind, Symbol};

/// The call graph of a module.
pub struct CallGraph {
    /// Calls whose target is known, without duplicates, ascending.
    direct: Digraph,
    direct_callers: Digraph,
    /// Functions with a call through an unknown pointer, ascending.
    indirect_callers: Vec<FuncId>,
    /// Functions such a call can reach, ascending.
    address_taken: Vec<FuncId>,
}

impl CallGraph {
    /// The call graph of a module that verifies.
    pub fn new(module: &Module) -> Self {
        let mut edges = Vec::new();
        let mut indirect_callers = Vec::new();
        for (id, func) in &module.funcs {
            for inst in func.insts.values() {
                let Inst::Call { callee, .. } = inst else { continue };
                match known_target(func, *callee) {
                    Some(target) => edges.push((id.index(), target.index())),
                    None => indirect_callers.push(id),
                }
            }
        }
        indirect_callers.dedup();
        let taken = address_taken(module);
        edges.sort_unstable();
        edges.dedup();
        let direct = Digraph::new(module.funcs.len(), &edges);
        CallGraph {
            direct_callers: direct.reversed(),
            direct,
            indirect_callers,
            address_taken: module.funcs.keys().filter(|&f| taken.contains(f)).collect(),
        }
    }

    /// The functions that a call through an unknown pointer can reach, ascending.
    pub fn address_taken(&self) -> &[FuncId] {
        &self.address_taken
    }

    /// Whether the function calls through an unknown pointer.
    pub fn calls_indirectly(&self, func: FuncId) -> bool {
        self.indirect_callers.binary_search(&func).is_ok()
    }

    /// The functions this one can call, ascending.
    pub fn callees(&self, func: FuncId) -> Vec<FuncId> {
        let through_pointers: &[FuncId] =
            if self.calls_indirectly(func) { &self.address_taken } else { &[] };
        union(self.direct.succs(func.index()), through_pointers)
    }

    /// The functions that can call this one, ascending.
    pub fn callers(&self, func: FuncId) -> Vec<FuncId> {
        let is_taken = self.address_taken.binary_search(&func).is_ok();
        let through_pointers: &[FuncId] = if is_taken { &self.indirect_callers } else { &[] };
        union(self.direct_callers.succs(func.index()), through_pointers)
    }

    /// The functions in groups of mutual recursion (most have one function), each group
    /// after all groups it can call.
    pub fn bottom_up(&self) -> Vec<Vec<FuncId>> {
        // One node stands for every call through an unknown pointer: the same
        // paths as an edge from each such caller to each target, but few edges.
        let pointer = self.direct.len();
        let mut edges: Vec<_> = self.direct.edges().collect();
        edges.extend(self.indirect_callers.iter().map(|f| (f.index(), pointer)));
        edges.extend(self.address_taken.iter().map(|f| (pointer, f.index())));
        let mut groups = Vec::new();
        for component in Digraph::new(pointer + 1, &edges).components() {
            let mut group: Vec<_> =
                component.into_iter().filter(|&n| n != pointer).map(FuncId::new).collect();
            group.sort_unstable();
            if !group.is_empty() {
                groups.push(group);
            }
        }
        groups
    }
}

fn union(direct: impl Iterator<Item = usize>, others: &[FuncId]) -> Vec<FuncId> {
    let mut all: Vec<_> = direct.map(FuncId::new).chain(others.iter().copied()).collect();
    all.sort_unstable();
    all.dedup();
    all
}

/// The target of a call, if the call alone determines it.
pub(super) fn known_target(func: &Function, callee: Callee) -> Option<FuncId> {
    match callee {
        Callee::Direct(target) => Some(target),
        Callee::Indirect(op) => match op.kind() {
            OperandKind::Const(c) => match func.consts[c] {
                Const::Address { symbol: Symbol::Func(target), offset: 0 } => Some(target),
                _ => None,
            },
            OperandKind::Val(_) => None,
        },
    }
}

fn address_taken(module: &Module) -> EntitySet<FuncId> {
    let mut taken = EntitySet::new();
    let mut add = |symbol| {
        if let Symbol::Func(f) = symbol {
            taken.insert(f);
        }
    };
    for c in module.funcs.values().flat_map(|f| f.consts.values()) {
        if let Const::Address { symbol, .. } = c {
            add(*symbol);
        }
    }
    for reloc in module.globals.values().flat_map(|g| &g.init).flat_map(|init| &init.relocs) {
        add(reloc.plus);
        reloc.minus.into_iter().for_each(&mut add);
    }
    module.ctors.iter().chain(&module.dtors).for_each(|ctor| add(Symbol::Func(ctor.func)));
    taken
}
