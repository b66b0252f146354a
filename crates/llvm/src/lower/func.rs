//! Lowering of one function: blocks, phis, and the scalars of each LLVM value.

use std::rc::Rc;

use byway_ir::{
    BinOp, BlockId, CastOp, Const, Edge, Function, FunctionBuilder, Inst, Operand, Terminator, Ty,
};
use llvm_sys::LLVMOpcode as Op;
use rustc_hash::FxHashMap;

use super::constants::FoldedConstant;
use super::types::{TypeLayout, scalar};
use super::{ProgramLowering, block_order, inst};
use crate::llvm::{BasicBlock, LlvmType, LlvmValue, ValueKind};
use crate::shape::{FlatValue, Shape};

/// The scalars of one LLVM value.
#[derive(Clone)]
pub enum Leaves {
    /// A scalar; the common case needs no allocation.
    One(Operand),
    /// A vector, aggregate or wide integer; may be empty.
    Many(Rc<[Operand]>),
}

impl Leaves {
    /// Wraps any number of scalars.
    pub fn new(operands: &[Operand]) -> Leaves {
        match operands {
            [one] => Leaves::One(*one),
            many => Leaves::Many(many.into()),
        }
    }

    /// The scalars in order.
    pub fn as_slice(&self) -> &[Operand] {
        match self {
            Leaves::One(operand) => std::slice::from_ref(operand),
            Leaves::Many(operands) => operands,
        }
    }
}

/// A function being lowered.
pub struct FunctionLowering<'p> {
    /// The program that contains the function.
    pub program: &'p mut ProgramLowering,
    /// The LLVM function being lowered.
    pub function: LlvmValue,
    /// The builder that receives the IR instructions.
    pub b: FunctionBuilder,
    /// The LLVM block being lowered.
    current: BasicBlock,
    blocks: FxHashMap<BasicBlock, BlockId>,
    values: FxHashMap<LlvmValue, Leaves>,
    /// The arguments of each edge: one value per phi of its target, in order.
    phi_inputs: FxHashMap<(BasicBlock, BasicBlock), Vec<LlvmValue>>,
}

/// Lowers the body of a function whose declaration is given.
pub fn lower_body(
    program: &mut ProgramLowering,
    function: LlvmValue,
    declaration: Function,
) -> Function {
    let order = block_order(function);
    let mut b = FunctionBuilder::new(declaration);
    let blocks = order.iter().map(|&block| (block, b.create_block())).collect();
    let mut lowering = FunctionLowering {
        program,
        function,
        b,
        current: order[0],
        blocks,
        values: FxHashMap::default(),
        phi_inputs: FxHashMap::default(),
    };
    for &block in &order {
        lowering.declare_phis(block);
    }
    for (n, &block) in order.iter().enumerate() {
        lowering.current = block;
        lowering.b.switch_to(lowering.blocks[&block]);
        if n == 0 {
            lowering.bind_params(function);
        }
        lowering.block(block);
    }
    lowering.b.finish()
}

impl FunctionLowering<'_> {
    /// Creates block parameters for the phis, and records the arguments of each edge.
    fn declare_phis(&mut self, block: BasicBlock) {
        let mut count = 0;
        for phi in block.instructions().take_while(|i| i.opcode() == Op::LLVMPHI) {
            // A phi whose type has no lowering stays undefined; its users report the type.
            let Ok(layout) = self.layout(phi.ty()) else { continue };
            let id = self.blocks[&block];
            let params: Vec<Operand> =
                layout.leaves.iter().map(|&ty| self.b.block_param(id, ty)).collect();
            self.values.insert(phi, Leaves::new(&params));
            for (from, value) in phi.incoming() {
                let inputs = self.phi_inputs.entry((from, block)).or_default();
                // Several cases of a switch may have this successor, with the same value each.
                if inputs.len() == count {
                    inputs.push(value);
                }
            }
            count += 1;
        }
    }

    /// Binds the LLVM parameters to the parameters of the IR function.
    fn bind_params(&mut self, function: LlvmValue) {
        let mut next = 0;
        for param in function.params() {
            let count = self.layout(param.ty()).map_or(0, |l| l.leaves.len());
            let leaves: Vec<Operand> = (next..next + count).map(|i| self.b.param(i)).collect();
            next += count;
            self.values.insert(param, Leaves::new(&leaves));
        }
    }

    /// Copies an object to the stack.
    pub fn copy_to_stack(&mut self, src: Operand, size: u64, align: u32) -> Operand {
        let copy = self.alloca(size, align, "");
        let len = self.b.int(64, size.into());
        self.b.push(Inst::MemCopy { dst: copy, src, len, overlap: false });
        copy
    }

    /// Allocates an object on the stack.
    pub fn alloca(&mut self, size: u64, align: u32, name: &str) -> Operand {
        let count = self.b.int(64, 1);
        let dst = self.b.new_val(Ty::Ptr);
        self.b.push(Inst::Alloca { dst, size, count, align, name: name.into() });
        dst.into()
    }

    fn block(&mut self, block: BasicBlock) {
        for inst in block.instructions() {
            let opcode = inst.opcode();
            if opcode == Op::LLVMPHI {
                continue;
            }
            let loc = self.program.debug.instruction(inst);
            self.b.set_loc(loc);
            if let Err(what) = self.instruction(inst, opcode) {
                self.unsupported(inst, &what);
            }
        }
        if self.b.current_block().is_some() {
            // Only after an unsupported terminator.
            self.b.terminate(Terminator::Unreachable);
        }
    }

    /// Emits an instruction that ends the path and names the unsupported feature; it also
    /// defines the results of the LLVM instruction.
    fn unsupported(&mut self, inst: LlvmValue, what: &str) {
        let layout = self.layout(inst.ty());
        let types = layout.as_ref().map(|l| l.leaves.clone()).unwrap_or_default();
        let dsts: Box<[_]> = types.iter().map(|&ty| self.b.new_val(ty)).collect();
        let operands: Vec<Operand> = dsts.iter().map(|&v| v.into()).collect();
        self.b.push(Inst::Unsupported { what: what.into(), dsts });
        // A value whose type has no lowering stays undefined; its users report the type.
        if layout.is_ok() {
            self.values.insert(inst, Leaves::new(&operands));
        }
    }

    /// The layout of a type.
    pub fn layout(&mut self, ty: LlvmType) -> Result<Rc<TypeLayout>, String> {
        self.program.types.layout(ty)
    }

    /// Records the scalars of an instruction's result.
    pub fn define(&mut self, inst: LlvmValue, leaves: &[Operand]) {
        self.values.insert(inst, Leaves::new(leaves));
    }

    /// The scalars of a value.
    pub fn leaves(&mut self, value: LlvmValue) -> Result<Leaves, String> {
        if let Some(known) = self.values.get(&value) {
            return Ok(known.clone());
        }
        match value.kind() {
            ValueKind::Instruction | ValueKind::Argument => {
                Err(format!("a value of type {}", value.ty().describe()))
            }
            _ => self.constant(value),
        }
    }

    /// The scalar of a value that has exactly one.
    pub fn scalar(&mut self, value: LlvmValue) -> Result<Operand, String> {
        match self.leaves(value)? {
            Leaves::One(operand) => Ok(operand),
            Leaves::Many(_) => Err(format!("type {} here", value.ty().describe())),
        }
    }

    /// A value with its shape, as intrinsics take it.
    pub fn flat(&mut self, value: LlvmValue) -> Result<FlatValue, String> {
        let shape = self.layout(value.ty())?.shape.clone();
        Ok(FlatValue { shape, leaves: self.leaves(value)?.as_slice().to_vec() })
    }

    /// The scalars of a constant; emits instructions for expressions that cannot be folded.
    fn constant(&mut self, constant: LlvmValue) -> Result<Leaves, String> {
        if let Some(ty) = scalar(constant.ty()) {
            // Poison comes from operations without a result, such as a shift by too much.
            if constant.kind() == ValueKind::Undefined && !constant.is_poison() {
                return Ok(Leaves::One(self.b.undefined(ty, "")));
            }
            let operand = match self.program.fold(constant) {
                Ok(folded) => self.folded(folded, ty),
                Err(what) if constant.kind() == ValueKind::Expression => {
                    self.expression(constant, ty).unwrap_or(Err(what))?
                }
                Err(what) => return Err(what),
            };
            return Ok(Leaves::One(operand));
        }
        let layout = self.layout(constant.ty())?;
        if matches!(constant.kind(), ValueKind::Zero | ValueKind::Undefined) {
            let zeros: Vec<Operand> = layout.leaves.iter().map(|&ty| self.b.bits(ty, 0)).collect();
            return Ok(Leaves::new(&zeros));
        }
        if let Shape::Wide(_) = layout.shape {
            return self.wide_constant(constant, &layout.leaves);
        }
        if constant.kind() == ValueKind::Expression && !layout.shape.is_wide() {
            let mut lanes = Vec::with_capacity(layout.leaves.len());
            for (n, &ty) in layout.leaves.iter().enumerate() {
                let folded = self.program.fold_lane(constant, n as u32)?;
                lanes.push(self.folded(folded, ty));
            }
            return Ok(Leaves::new(&lanes));
        }
        let mut all = Vec::with_capacity(layout.leaves.len());
        let mut n = 0;
        while all.len() < layout.leaves.len() {
            let Some(element) = constant.aggregate_element(n) else { break };
            all.extend_from_slice(self.leaves(element)?.as_slice());
            n += 1;
        }
        if all.len() != layout.leaves.len() {
            return Err(format!("a constant of type {}", constant.ty().describe()));
        }
        Ok(Leaves::new(&all))
    }

    /// A constant expression that cannot be folded, computed at its use.
    fn expression(&mut self, constant: LlvmValue, ty: Ty) -> Option<Result<Operand, String>> {
        let opcode = constant.const_opcode();
        if let Some(op) = inst::binary(opcode) {
            let a = self.scalar(constant.operand(0));
            let b = self.scalar(constant.operand(1));
            return Some(a.and_then(|a| b.map(|b| self.b.bin(op, a, b))));
        }
        let op = inst::conversion(opcode)?;
        Some(self.scalar(constant.operand(0)).map(|a| self.b.cast(op, a, ty)))
    }

    /// A folded constant as a scalar of a type.
    pub fn folded(&mut self, folded: FoldedConstant, ty: Ty) -> Operand {
        match folded {
            FoldedConstant::Bits(bits) => self.b.bits(ty, bits),
            FoldedConstant::Address { plus, minus: None, addend } if ty == Ty::Ptr => {
                self.b.address(plus, addend)
            }
            FoldedConstant::Address { plus, minus, addend } => {
                let mut sum = self.b.constant(Const::Address { symbol: plus, offset: addend });
                sum = self.b.cast(CastOp::PtrToInt, sum, Ty::Int(64));
                if let Some(minus) = minus {
                    let minus = self.b.address(minus, 0);
                    let minus = self.b.cast(CastOp::PtrToInt, minus, Ty::Int(64));
                    sum = self.b.bin(BinOp::Sub, sum, minus);
                }
                match ty {
                    Ty::Int(64) => sum,
                    Ty::Ptr => self.b.cast(CastOp::IntToPtr, sum, ty),
                    Ty::Int(width) if width < 64 => self.b.cast(CastOp::Trunc, sum, ty),
                    Ty::Int(_) => self.b.cast(CastOp::Zext, sum, ty),
                    _ => self.b.cast(CastOp::Bitcast, sum, ty),
                }
            }
        }
    }

    /// The edge from the current block to another.
    pub fn edge(&mut self, to: BasicBlock) -> Result<Edge, String> {
        let inputs = self.phi_inputs.get(&(self.current, to)).cloned().unwrap_or_default();
        let mut args = Vec::with_capacity(inputs.len());
        for input in inputs {
            args.extend_from_slice(self.leaves(input)?.as_slice());
        }
        Ok(Edge { block: self.blocks[&to], args: args.into() })
    }
}
