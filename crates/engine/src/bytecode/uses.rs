//! Use counts of the values of a function, which decide what needs no operation of its own.

use byway_base::entity::SecondaryMap;
use byway_ir::{Function, Inst, Operand, Terminator, Val};

/// Use counts by kind of use.
pub struct Uses {
    all: SecondaryMap<Val, u32>,
    /// Uses as the address of a load or store.
    address: SecondaryMap<Val, u32>,
    /// Uses as the condition of a branch.
    condition: SecondaryMap<Val, u32>,
}

impl Uses {
    /// Counts the uses in a function.
    pub fn of(func: &Function) -> Uses {
        let mut uses = Uses {
            all: SecondaryMap::new(),
            address: SecondaryMap::new(),
            condition: SecondaryMap::new(),
        };
        let bump = |map: &mut SecondaryMap<Val, u32>, op: Operand| {
            if let Some(val) = op.as_val() {
                map[val] += 1;
            }
        };
        for inst in func.insts.values() {
            inst.for_each_use(|op| bump(&mut uses.all, op));
            if let Inst::Load { addr, .. } | Inst::Store { addr, .. } = inst {
                bump(&mut uses.address, *addr);
            }
        }
        for block in func.blocks.values() {
            block.term.for_each_use(|op| bump(&mut uses.all, op));
            if let Terminator::Branch { cond, .. } = &block.term {
                bump(&mut uses.condition, *cond);
            }
        }
        uses
    }

    pub fn only_address(&self, val: Val) -> bool {
        self.all[val] == self.address[val]
    }

    pub fn only_condition(&self, val: Val) -> bool {
        self.all[val] == self.condition[val]
    }
}
