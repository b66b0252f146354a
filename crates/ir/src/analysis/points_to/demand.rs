//! Which integers of a function may be used as addresses.
//!
//! A program computes with many more integers than it casts to pointers. Only those that can
//! become addresses carry any: cast to a pointer, indices of constants, arguments, results, and
//! what is stored. Of the latter, sums and differences are taken as numbers: a counter in memory
//! is no address. An address that is advanced in memory as an integer stays one of the same
//! object, because a cast of a loaded integer to a pointer is taken to have any offset.

use byway_base::entity::SecondaryMap;

use crate::{BinOp, CastOp, Function, Inst, Operand, Terminator, Val};

/// How an integer is used.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub enum Demand {
    /// As a number.
    #[default]
    Number,
    /// It is stored, and may be an address then.
    Stored,
    /// It may be an address.
    Address,
}

/// The demand for each value of a function. Pointers are addresses in any case.
pub fn demands(func: &Function) -> SecondaryMap<Val, Demand> {
    let mut all = Demands { demand: SecondaryMap::new(), work: Vec::new() };
    let mut definition = SecondaryMap::new();
    for (id, inst) in &func.insts {
        inst.for_each_def(|val| definition[val] = Some(id));
        match inst {
            Inst::Cast { op: CastOp::IntToPtr, src, .. } => all.raise(*src, Demand::Address),
            Inst::PtrAdd { base, scaled: Some(scaled), .. } => {
                let is_constant = base.as_val().is_none();
                let demand = if is_constant { Demand::Address } else { Demand::Stored };
                all.raise(scaled.index, demand);
            }
            Inst::Store { value, .. } => all.raise(*value, Demand::Stored),
            Inst::Call { args, .. } => args.iter().for_each(|&arg| all.raise(arg, Demand::Address)),
            _ => {}
        }
    }
    let mut edges: SecondaryMap<Val, Vec<Operand>> = SecondaryMap::new();
    for block in func.blocks.values() {
        if let Terminator::Return(values) = &block.term {
            values.iter().for_each(|&value| all.raise(value, Demand::Address));
        }
        block.term.for_each_edge(|edge| {
            for (&arg, &param) in edge.args.iter().zip(&func.blocks[edge.block].params) {
                edges[param].push(arg);
            }
        });
    }
    while let Some(val) = all.work.pop() {
        let demand = all.demand[val];
        edges[val].iter().for_each(|&arg| all.raise(arg, demand));
        let Some(inst) = definition[val].map(|id| &func.insts[id]) else { continue };
        match *inst {
            Inst::Bin { op: BinOp::Add | BinOp::Sub, .. } | Inst::Overflow { .. }
                if demand == Demand::Stored => {}
            Inst::Load { .. } | Inst::Call { .. } => {}
            _ => inst.for_each_use(|op| all.raise(op, demand)),
        }
    }
    all.demand
}

struct Demands {
    demand: SecondaryMap<Val, Demand>,
    work: Vec<Val>,
}

impl Demands {
    fn raise(&mut self, op: Operand, demand: Demand) {
        if let Some(val) = op.as_val()
            && self.demand[val] < demand
        {
            self.demand[val] = demand;
            self.work.push(val);
        }
    }
}
