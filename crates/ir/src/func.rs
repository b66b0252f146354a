//! Functions and blocks.

use byway_base::entity::{EntityRef, PrimaryMap, SecondaryMap};
use serde::{Deserialize, Serialize};

use crate::{
    BlockId, Const, ConstId, DebugTyId, Inst, InstId, LocId, Operand, OperandKind, Origin, ScopeId,
    Terminator, Ty, Val,
};

/// A basic block: parameters, instructions, and how it ends.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Block {
    /// Values the incoming edges define (phis). Empty for the entry block.
    pub params: Vec<Val>,
    /// The first instruction.
    pub first: InstId,
    /// One past the last instruction.
    pub end: InstId,
    /// How it ends.
    pub term: Terminator,
    /// The source location of the terminator.
    pub term_loc: Option<LocId>,
}

impl Block {
    /// The block's instructions in order.
    pub fn inst_ids(&self) -> impl DoubleEndedIterator<Item = InstId> + use<> {
        (self.first.index()..self.end.index()).map(InstId::new)
    }
}

/// A function, or the declaration of one (no blocks).
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Function {
    /// The symbol's name.
    pub name: String,
    /// Whether it belongs to the user, the C library or the runtime.
    pub origin: Origin,
    /// Its parameters; they are values `v0`, `v1`, ... in this order. Aggregates
    /// and vectors are spread over several.
    pub params: Vec<Val>,
    /// The types of the values it returns; none for `void`.
    pub rets: Vec<Ty>,
    /// Whether it takes further arguments.
    pub variadic: bool,
    /// Whether a compiler may have moved computations to where their results are not used.
    pub optimised: bool,
    /// The type of each value.
    pub vals: PrimaryMap<Val, Ty>,
    /// The constants its operands refer to, without duplicates, in the order of
    /// their first use (see [`Function::renumber_consts`]).
    pub consts: PrimaryMap<ConstId, Const>,
    /// Its blocks; the first is the entry and has no predecessor.
    pub blocks: PrimaryMap<BlockId, Block>,
    /// Its instructions, block after block; the blocks may lie in any order (see
    /// [`Function::layout`]).
    pub insts: PrimaryMap<InstId, Inst>,
    /// The source location of each instruction.
    pub locs: Vec<Option<LocId>>,
    /// The function of the source.
    pub scope: Option<ScopeId>,
    /// Its type in the source (a [`crate::DebugTy::Function`]).
    pub ty: Option<DebugTyId>,
}

impl Function {
    /// A declaration with these parameter types.
    pub fn declare(
        name: String,
        origin: Origin,
        params: &[Ty],
        rets: &[Ty],
        variadic: bool,
    ) -> Self {
        let mut vals = PrimaryMap::new();
        let params = params.iter().map(|&ty| vals.push(ty)).collect();
        Function {
            name,
            origin,
            params,
            rets: rets.to_vec(),
            variadic,
            optimised: false,
            vals,
            consts: PrimaryMap::new(),
            blocks: PrimaryMap::new(),
            insts: PrimaryMap::new(),
            locs: Vec::new(),
            scope: None,
            ty: None,
        }
    }

    /// Whether it has no body.
    pub fn is_declaration(&self) -> bool {
        self.blocks.is_empty()
    }

    /// The entry block, if it has a body.
    pub fn entry(&self) -> Option<BlockId> {
        self.blocks.keys().next()
    }

    /// The type of an operand.
    pub fn operand_ty(&self, op: Operand) -> Ty {
        match op.kind() {
            OperandKind::Val(v) => self.vals[v],
            OperandKind::Const(c) => self.consts[c].ty(),
        }
    }

    /// The source location of an instruction.
    pub fn loc(&self, inst: InstId) -> Option<LocId> {
        self.locs.get(inst.index()).copied().flatten()
    }

    /// The blocks in the order of their instructions; empty blocks at the same position
    /// by ascending number.
    pub fn layout(&self) -> Vec<BlockId> {
        let mut order: Vec<_> = self.blocks.keys().collect();
        order.sort_by_key(|&b| (self.blocks[b].first, self.blocks[b].end, b));
        order
    }

    /// Numbers the constants in the order of their first use, in layout order,
    /// and drops those not used. The text form writes a constant where it is
    /// used, so this is the only order it can keep.
    pub fn renumber_consts(&mut self) {
        let old = std::mem::take(&mut self.consts);
        let mut new_ids: SecondaryMap<ConstId, Option<ConstId>> =
            SecondaryMap::with_capacity(old.len());
        for block in self.layout() {
            let block = &mut self.blocks[block];
            let mut renumber = |op: &mut Operand| {
                if let OperandKind::Const(c) = op.kind() {
                    let id = new_ids[c].get_or_insert_with(|| self.consts.push(old[c]));
                    *op = (*id).into();
                }
            };
            for inst in block.inst_ids() {
                self.insts[inst].for_each_use_mut(&mut renumber);
            }
            block.term.for_each_use_mut(&mut renumber);
        }
    }
}
