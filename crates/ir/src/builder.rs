//! Builds functions: numbers values and constants, infers types, and appends instructions to
//! the current block.
//!
//! The instructions of a block are numbered consecutively, so fill one block at a time:
//! [`FunctionBuilder::switch_to`] a block, push, terminate it.

use byway_base::entity::{EntityRef, PrimaryMap};
use rustc_hash::FxHashMap;

use crate::{
    BinOp, Block, BlockId, CastOp, Const, ConstId, Edge, FBinOp, FUnOp, Fcmp, Function, Icmp, Inst,
    InstId, LocId, Operand, Origin, OverflowOp, Scaled, Symbol, Terminator, Ty, UnOp, Val,
};

/// A function under construction.
pub struct FunctionBuilder {
    func: Function,
    const_ids: FxHashMap<Const, ConstId>,
    blocks: PrimaryMap<BlockId, Draft>,
    current: Option<BlockId>,
    loc: Option<LocId>,
}

#[derive(Default)]
struct Draft {
    params: Vec<Val>,
    first: usize,
    end: usize,
    term: Option<(Terminator, Option<LocId>)>,
}

impl FunctionBuilder {
    /// Starts the body of a declaration (see [`Function::declare`]).
    pub fn new(declaration: Function) -> Self {
        assert!(declaration.is_declaration(), "the function has a body already");
        FunctionBuilder {
            func: declaration,
            const_ids: FxHashMap::default(),
            blocks: PrimaryMap::new(),
            current: None,
            loc: None,
        }
    }

    /// The parameters, values and constants so far.
    pub fn func(&self) -> &Function {
        &self.func
    }

    /// The parameters as operands.
    pub fn param(&self, index: usize) -> Operand {
        self.func.params[index].into()
    }

    /// Adds an empty block. The first one is the entry.
    pub fn create_block(&mut self) -> BlockId {
        self.blocks.push(Draft::default())
    }

    /// Adds a parameter to a block.
    pub fn block_param(&mut self, block: BlockId, ty: Ty) -> Operand {
        let val = self.new_val(ty);
        self.blocks[block].params.push(val);
        val.into()
    }

    /// Makes this block the current one.
    pub fn switch_to(&mut self, block: BlockId) {
        assert!(self.current.is_none(), "the current block is not terminated");
        assert!(self.blocks[block].term.is_none(), "the block is complete already");
        self.blocks[block].first = self.func.insts.len();
        self.current = Some(block);
    }

    /// The current block.
    pub fn current_block(&self) -> Option<BlockId> {
        self.current
    }

    /// Sets the source location of the following instructions.
    pub fn set_loc(&mut self, loc: Option<LocId>) {
        self.loc = loc;
    }

    /// A new value, to be defined by an instruction pushed by hand.
    pub fn new_val(&mut self, ty: Ty) -> Val {
        self.func.vals.push(ty)
    }

    /// The type of an operand.
    pub fn ty(&self, op: Operand) -> Ty {
        self.func.operand_ty(op)
    }

    /// Appends an instruction to the current block.
    pub fn push(&mut self, inst: Inst) {
        assert!(self.current.is_some(), "no current block");
        self.func.insts.push(inst);
        self.func.locs.push(self.loc);
    }

    /// Marks the current location, if there is one, as a line that is executed here.
    pub fn line(&mut self) {
        if self.loc.is_some() {
            self.push(Inst::Line);
        }
    }

    /// Ends the current block.
    pub fn terminate(&mut self, term: Terminator) {
        let block = self.current.take().expect("no current block");
        let draft = &mut self.blocks[block];
        draft.end = self.func.insts.len();
        draft.term = Some((term, self.loc));
    }

    /// The finished function. Blocks that were never filled become unreachable,
    /// and constants get new numbers: no constant operand outlives the builder.
    pub fn finish(mut self) -> Function {
        assert!(self.current.is_none(), "the current block is not terminated");
        for (_, draft) in self.blocks {
            let (term, term_loc) = draft.term.unwrap_or((Terminator::Unreachable, None));
            self.func.blocks.push(Block {
                params: draft.params,
                first: InstId::new(draft.first),
                end: InstId::new(draft.end),
                term,
                term_loc,
            });
        }
        self.func.renumber_consts();
        self.func
    }

    /// A constant.
    pub fn constant(&mut self, c: Const) -> Operand {
        let consts = &mut self.func.consts;
        (*self.const_ids.entry(c).or_insert_with(|| consts.push(c))).into()
    }

    /// A constant by its bits; bits above the width are dropped.
    pub fn bits(&mut self, ty: Ty, bits: u128) -> Operand {
        self.constant(Const::Bits { ty, bits: bits & (u128::MAX >> (128 - ty.bits())) })
    }

    /// An integer constant.
    pub fn int(&mut self, width: u32, value: i128) -> Operand {
        self.bits(Ty::Int(width as u8), value as u128)
    }

    /// The address of a symbol, plus an offset.
    pub fn address(&mut self, symbol: Symbol, offset: i64) -> Operand {
        self.constant(Const::Address { symbol, offset })
    }

    fn define(&mut self, ty: Ty, inst: impl FnOnce(Val) -> Inst) -> Operand {
        let dst = self.new_val(ty);
        self.push(inst(dst));
        dst.into()
    }

    /// `a op b`.
    pub fn bin(&mut self, op: BinOp, a: Operand, b: Operand) -> Operand {
        let ty = self.ty(a);
        self.define(ty, |dst| Inst::Bin { op, dst, a, b, nsw: false })
    }

    /// `a op b`, signed overflow ruled out.
    pub fn bin_nsw(&mut self, op: BinOp, a: Operand, b: Operand) -> Operand {
        let ty = self.ty(a);
        self.define(ty, |dst| Inst::Bin { op, dst, a, b, nsw: true })
    }

    /// `op a`.
    pub fn un(&mut self, op: UnOp, a: Operand) -> Operand {
        let ty = self.ty(a);
        self.define(ty, |dst| Inst::Un { op, dst, a })
    }

    /// `a op b` and whether it overflowed.
    pub fn overflow(&mut self, op: OverflowOp, a: Operand, b: Operand) -> (Operand, Operand) {
        let ty = self.ty(a);
        let overflow = self.new_val(Ty::BOOL);
        let dst = self.define(ty, |dst| Inst::Overflow { op, dst, overflow, a, b });
        (dst, overflow.into())
    }

    /// A funnel shift.
    pub fn funnel(&mut self, left: bool, a: Operand, b: Operand, amount: Operand) -> Operand {
        let ty = self.ty(a);
        self.define(ty, |dst| Inst::Funnel { left, dst, a, b, amount })
    }

    /// `a pred b`.
    pub fn icmp(&mut self, pred: Icmp, a: Operand, b: Operand) -> Operand {
        self.define(Ty::BOOL, |dst| Inst::Icmp { pred, dst, a, b })
    }

    /// `a op b` on floats.
    pub fn fbin(&mut self, op: FBinOp, a: Operand, b: Operand) -> Operand {
        let ty = self.ty(a);
        self.define(ty, |dst| Inst::FBin { op, dst, a, b })
    }

    /// `op a` on a float.
    pub fn fun(&mut self, op: FUnOp, a: Operand) -> Operand {
        let ty = self.ty(a);
        self.define(ty, |dst| Inst::FUn { op, dst, a })
    }

    /// `a * b + c`, rounded once.
    pub fn fma(&mut self, a: Operand, b: Operand, c: Operand) -> Operand {
        let ty = self.ty(a);
        self.define(ty, |dst| Inst::Fma { dst, a, b, c })
    }

    /// `a pred b` on floats.
    pub fn fcmp(&mut self, pred: Fcmp, a: Operand, b: Operand) -> Operand {
        self.define(Ty::BOOL, |dst| Inst::Fcmp { pred, dst, a, b })
    }

    /// Whether a float is of one of the classes.
    pub fn fp_class(&mut self, a: Operand, mask: u16) -> Operand {
        self.define(Ty::BOOL, |dst| Inst::FpClass { dst, a, mask })
    }

    /// `src` converted to `to`.
    pub fn cast(&mut self, op: CastOp, src: Operand, to: Ty) -> Operand {
        self.define(to, |dst| Inst::Cast { op, dst, src })
    }

    /// A value that nothing determines, of a variable that may have a name.
    pub fn undefined(&mut self, ty: Ty, name: &str) -> Operand {
        self.define(ty, |dst| Inst::Undefined { dst, name: name.into() })
    }

    /// `cond ? a : b`.
    pub fn select(&mut self, cond: Operand, a: Operand, b: Operand) -> Operand {
        let ty = self.ty(a);
        self.define(ty, |dst| Inst::Select { dst, cond, a, b })
    }

    /// `base + offset + index * scale`.
    pub fn ptr_add(
        &mut self,
        base: Operand,
        offset: i64,
        scaled: Option<Scaled>,
        inbounds: bool,
    ) -> Operand {
        self.define(Ty::Ptr, |dst| Inst::PtrAdd { dst, base, offset, scaled, inbounds })
    }

    /// `*addr`.
    pub fn load(&mut self, ty: Ty, addr: Operand, align: u32, volatile: bool) -> Operand {
        self.define(ty, |dst| Inst::Load { dst, addr, align, volatile })
    }

    /// `*addr = value`.
    pub fn store(&mut self, addr: Operand, value: Operand, align: u32, volatile: bool) {
        self.push(Inst::Store { addr, value, align, volatile });
    }

    /// Ends the current block with a jump.
    pub fn jump(&mut self, block: BlockId, args: &[Operand]) {
        self.terminate(Terminator::Jump(Edge { block, args: args.into() }));
    }

    /// Ends the current block with a branch; neither edge passes arguments.
    pub fn branch(&mut self, cond: Operand, then: BlockId, otherwise: BlockId) {
        let edge = |block| Edge { block, args: Box::default() };
        self.terminate(Terminator::Branch { cond, then: edge(then), otherwise: edge(otherwise) });
    }

    /// Ends the current block with a return.
    pub fn ret(&mut self, values: &[Operand]) {
        self.terminate(Terminator::Return(values.into()));
    }

    /// Changes the origin, for functions whose origin is determined late.
    pub fn set_origin(&mut self, origin: Origin) {
        self.func.origin = origin;
    }
}
