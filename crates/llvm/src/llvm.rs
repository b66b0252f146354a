//! Handles to LLVM's objects, with the accessors that the lowering needs.
//!
//! A handle is a copyable pointer. It stays valid because the process never frees its
//! one context, and because the linked module does not change: a [`LlvmValue`] is only
//! read.

use std::ffi::{CStr, c_char, c_uint};

use llvm_sys::core::*;
use llvm_sys::prelude::*;
use llvm_sys::target::*;
use llvm_sys::{
    LLVMAtomicRMWBinOp, LLVMIntPredicate, LLVMLinkage, LLVMOpcode, LLVMRealPredicate,
    LLVMTailCallKind, LLVMTypeKind,
};

use crate::ffi;

/// A type of LLVM.
#[derive(Copy, Clone, PartialEq, Eq, Hash)]
pub struct LlvmType(pub(crate) LLVMTypeRef);

/// A value: constant, argument, instruction, function, global.
#[derive(Copy, Clone, PartialEq, Eq, Hash)]
pub struct LlvmValue(pub(crate) LLVMValueRef);

/// A basic block.
#[derive(Copy, Clone, PartialEq, Eq, Hash)]
pub struct BasicBlock(pub(crate) LLVMBasicBlockRef);

/// A module of LLVM.
#[derive(Copy, Clone, PartialEq, Eq)]
pub struct LlvmModule(pub(crate) LLVMModuleRef);

/// The class of a value, in the order of `BwValueKind` in the shim.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum ValueKind {
    /// A class without lowering.
    Other,
    /// An instruction.
    Instruction,
    /// A parameter of the function.
    Argument,
    /// A function.
    Function,
    /// A global variable.
    Global,
    /// An alias of a global or function.
    Alias,
    /// The address of a label.
    BlockAddress,
    /// A constant expression.
    Expression,
    /// A constant array, struct or vector with one operand per element.
    Aggregate,
    /// A constant array or vector of numbers, stored as bytes.
    Data,
    /// A null pointer or an aggregate of zeros.
    Zero,
    /// `undef` or `poison`.
    Undefined,
    /// An integer.
    Integer,
    /// A float.
    Float,
    /// Inline assembly.
    InlineAsm,
    /// A function that a resolver chooses at load time.
    IFunc,
    /// A constant equal to its first operand.
    Wrapper,
}

const KINDS: [ValueKind; 17] = [
    ValueKind::Other,
    ValueKind::Instruction,
    ValueKind::Argument,
    ValueKind::Function,
    ValueKind::Global,
    ValueKind::Alias,
    ValueKind::BlockAddress,
    ValueKind::Expression,
    ValueKind::Aggregate,
    ValueKind::Data,
    ValueKind::Zero,
    ValueKind::Undefined,
    ValueKind::Integer,
    ValueKind::Float,
    ValueKind::InlineAsm,
    ValueKind::IFunc,
    ValueKind::Wrapper,
];

/// One term of a GEP's offset.
#[derive(Copy, Clone)]
pub enum GepStep {
    /// A constant number of bytes.
    Bytes(i64),
    /// An index, and its scale in bytes.
    Index(LlvmValue, i64),
}

// SAFETY of every block below: the handles are valid (module header), and each
// function is called only on the classes of objects it is documented for, which
// the callers ensure by checking the kind or the opcode first.

impl LlvmType {
    /// The kind of type.
    pub fn kind(self) -> LLVMTypeKind {
        unsafe { LLVMGetTypeKind(self.0) }
    }

    /// The width of an integer type.
    pub fn int_width(self) -> u32 {
        unsafe { LLVMGetIntTypeWidth(self.0) }
    }

    /// The element type of an array or vector.
    pub fn element(self) -> LlvmType {
        LlvmType(unsafe { LLVMGetElementType(self.0) })
    }

    /// The number of elements of an array.
    pub fn array_len(self) -> u64 {
        unsafe { LLVMGetArrayLength2(self.0) }
    }

    /// The number of lanes of a vector.
    pub fn vector_len(self) -> u32 {
        unsafe { LLVMGetVectorSize(self.0) }
    }

    /// The members of a struct.
    pub fn members(self) -> Vec<LlvmType> {
        let count = unsafe { LLVMCountStructElementTypes(self.0) };
        (0..count).map(|i| LlvmType(unsafe { LLVMStructGetTypeAtIndex(self.0, i) })).collect()
    }

    /// The members of a struct; none of any other type.
    pub fn members_if_struct(self) -> Vec<LlvmType> {
        match self.kind() {
            LLVMTypeKind::LLVMStructTypeKind => self.members(),
            _ => Vec::new(),
        }
    }

    /// Whether a struct has no known members.
    pub fn is_opaque(self) -> bool {
        self.kind() == LLVMTypeKind::LLVMStructTypeKind
            && unsafe { LLVMIsOpaqueStruct(self.0) != 0 }
    }

    /// The result of a function type.
    pub fn result(self) -> LlvmType {
        LlvmType(unsafe { LLVMGetReturnType(self.0) })
    }

    /// The fixed parameters of a function type.
    pub fn params(self) -> Vec<LlvmType> {
        let mut params = vec![std::ptr::null_mut(); self.param_count() as usize];
        unsafe { LLVMGetParamTypes(self.0, params.as_mut_ptr()) };
        params.into_iter().map(LlvmType).collect()
    }

    /// The number of fixed parameters of a function type.
    pub fn param_count(self) -> u32 {
        unsafe { LLVMCountParamTypes(self.0) }
    }

    /// Whether a function type ends in `...`.
    pub fn is_variadic(self) -> bool {
        unsafe { LLVMIsFunctionVarArg(self.0) != 0 }
    }

    /// Whether it contains a scalable vector, whose size is unknown at compile time.
    pub fn is_scalable(self) -> bool {
        unsafe { ffi::bw_is_scalable(self.0) }
    }

    /// The type in LLVM's syntax.
    pub fn describe(self) -> String {
        // SAFETY: LLVM returns a fresh terminated string, freed right after.
        unsafe {
            let text = LLVMPrintTypeToString(self.0);
            let owned = CStr::from_ptr(text).to_string_lossy().into_owned();
            LLVMDisposeMessage(text);
            owned
        }
    }
}

impl LlvmValue {
    fn from_raw(raw: LLVMValueRef) -> Option<LlvmValue> {
        (!raw.is_null()).then_some(LlvmValue(raw))
    }

    /// The class of the value.
    pub fn kind(self) -> ValueKind {
        let number = unsafe { ffi::bw_value_kind(self.0) };
        KINDS.get(number as usize).copied().unwrap_or(ValueKind::Other)
    }

    /// The type of the value.
    pub fn ty(self) -> LlvmType {
        LlvmType(unsafe { LLVMTypeOf(self.0) })
    }

    /// The name; empty if it has none.
    pub fn name(self) -> String {
        let mut len = 0;
        let data = unsafe { LLVMGetValueName2(self.0, &mut len) };
        // SAFETY: LLVM's string lives as long as the value keeps its name.
        unsafe { ffi::RawStr { data, len }.to_text() }
    }

    /// The number of operands.
    pub fn operand_count(self) -> u32 {
        unsafe { LLVMGetNumOperands(self.0) as u32 }
    }

    /// An operand.
    pub fn operand(self, n: u32) -> LlvmValue {
        LlvmValue(unsafe { LLVMGetOperand(self.0, n) })
    }

    /// All operands.
    pub fn operands(self) -> impl Iterator<Item = LlvmValue> {
        (0..self.operand_count()).map(move |n| self.operand(n))
    }

    /// Whether it is metadata passed as an argument.
    pub fn is_metadata(self) -> bool {
        unsafe { ffi::bw_is_metadata(self.0) }
    }

    // Constants.

    /// The low 128 bits of an integer constant, and its width.
    pub fn int_bits(self) -> (u128, u32) {
        let bits = unsafe { ffi::bw_int_bits(self.0) };
        (u128::from(bits.high) << 64 | u128::from(bits.low), bits.width)
    }

    /// The n-th 64-bit word of an integer constant.
    pub fn int_word(self, n: u32) -> u64 {
        unsafe { ffi::bw_int_word(self.0, n) }
    }

    /// The bit pattern of a float constant.
    pub fn fp_bits(self) -> u128 {
        let bits = unsafe { ffi::bw_fp_bits(self.0) };
        u128::from(bits.high) << 64 | u128::from(bits.low)
    }

    /// The bytes of a [`ValueKind::Data`] constant, in memory order.
    pub fn data_bytes(self) -> &'static [u8] {
        // SAFETY: the context, which owns constants, is never freed.
        unsafe { ffi::bw_data_bytes(self.0).bytes() }
    }

    /// An element of a constant array, struct or vector.
    pub fn aggregate_element(self, n: u32) -> Option<LlvmValue> {
        LlvmValue::from_raw(unsafe { LLVMGetAggregateElement(self.0, n) })
    }

    /// The operation of a constant expression.
    pub fn const_opcode(self) -> LLVMOpcode {
        unsafe { LLVMGetConstOpcode(self.0) }
    }

    /// The function and block of a block address.
    pub fn block_address(self) -> (LlvmValue, BasicBlock) {
        unsafe {
            let function = LlvmValue(LLVMGetBlockAddressFunction(self.0));
            (function, BasicBlock(LLVMGetBlockAddressBasicBlock(self.0)))
        }
    }

    // Instructions.

    /// The operation of an instruction.
    pub fn opcode(self) -> LLVMOpcode {
        unsafe { LLVMGetInstructionOpcode(self.0) }
    }

    /// Whether the instruction (add, sub, mul, shl) has the `nsw` flag.
    pub fn has_nsw(self) -> bool {
        unsafe { LLVMGetNSW(self.0) != 0 }
    }

    /// The predicate of an integer comparison.
    pub fn icmp(self) -> LLVMIntPredicate {
        unsafe { LLVMGetICmpPredicate(self.0) }
    }

    /// The predicate of a float comparison.
    pub fn fcmp(self) -> LLVMRealPredicate {
        unsafe { LLVMGetFCmpPredicate(self.0) }
    }

    /// Whether a load, store or atomic access is volatile.
    pub fn is_volatile(self) -> bool {
        unsafe { LLVMGetVolatile(self.0) != 0 }
    }

    /// The alignment of a memory access or alloca.
    pub fn access_align(self) -> u32 {
        unsafe { ffi::bw_access_align(self.0) }
    }

    /// The type an alloca allocates.
    pub fn allocated_type(self) -> LlvmType {
        LlvmType(unsafe { LLVMGetAllocatedType(self.0) })
    }

    /// The source name of the variable an alloca holds; empty if unknown.
    pub fn alloca_name(self) -> String {
        // SAFETY: the name belongs to the context.
        unsafe { ffi::bw_alloca_name(self.0).to_text() }
    }

    /// Whether a constant is `poison`, rather than `undef`.
    pub fn is_poison(self) -> bool {
        unsafe { LLVMIsPoison(self.0) != 0 }
    }

    /// Whether it is an alloca instruction.
    pub fn is_alloca(self) -> bool {
        self.kind() == ValueKind::Instruction && self.opcode() == LLVMOpcode::LLVMAlloca
    }

    /// The name of the variable that has no value yet, if a `freeze` marks that.
    pub fn undefined_variable(self) -> Option<String> {
        let mut name = ffi::RawStr::lend("");
        // SAFETY: the name belongs to the context.
        unsafe { ffi::bw_undefined_variable(self.0, &mut name).then(|| name.to_text()) }
    }

    /// The names in the source of a function's parameters, as far as they are known.
    pub fn parameter_names(self) -> Vec<String> {
        let mut names = Vec::new();
        let mut name = ffi::RawStr::lend("");
        // SAFETY: the names belong to the context.
        unsafe {
            // Optimised code has many records.
            for record in 0..256 {
                let number = ffi::bw_parameter_name(self.0, record, &mut name) as usize;
                match number {
                    0 => break,
                    _ if number > names.len() => names.resize(number, String::new()),
                    _ => {}
                }
                names[number - 1] = name.to_text();
            }
        }
        names
    }

    /// Whether an instruction or constant uses it.
    pub fn is_used(self) -> bool {
        unsafe { ffi::bw_is_used(self.0) }
    }

    /// Whether a function was compiled with optimisation; true if unknown.
    pub fn is_optimised(self) -> bool {
        unsafe { ffi::bw_is_optimised(self.0) }
    }

    /// The operation of an `atomicrmw`.
    pub fn rmw_op(self) -> LLVMAtomicRMWBinOp {
        unsafe { LLVMGetAtomicRMWBinOp(self.0) }
    }

    /// Whether a GEP (instruction or expression) has the `inbounds` flag.
    pub fn is_inbounds(self) -> bool {
        unsafe { LLVMIsInBounds(self.0) != 0 }
    }

    /// The terms of a GEP's offset, in order; `None` if they depend on a scalable type.
    pub fn gep_steps(self, module: LlvmModule) -> Option<Vec<GepStep>> {
        const USUAL: usize = 8;
        let empty = ffi::RawGepStep { index: std::ptr::null_mut(), bytes: 0 };
        let mut steps = vec![empty; USUAL];
        let count = unsafe { ffi::bw_gep_steps(self.0, module.0, steps.as_mut_ptr(), steps.len()) };
        if count == usize::MAX {
            return None;
        }
        let room = steps.len();
        steps.resize(count, empty);
        if count > room {
            unsafe { ffi::bw_gep_steps(self.0, module.0, steps.as_mut_ptr(), count) };
        }
        let step = |s: ffi::RawGepStep| match LlvmValue::from_raw(s.index) {
            None => GepStep::Bytes(s.bytes),
            Some(index) => GepStep::Index(index, s.bytes),
        };
        Some(steps.into_iter().map(step).collect())
    }

    /// The mask of a shuffle; `None` for a poison lane.
    pub fn shuffle_mask(self) -> Vec<Option<u32>> {
        let count = unsafe { LLVMGetNumMaskElements(self.0) };
        (0..count).map(|i| u32::try_from(unsafe { LLVMGetMaskValue(self.0, i) }).ok()).collect()
    }

    /// The constant indices of an `extractvalue` or `insertvalue`.
    pub fn indices(self) -> &'static [c_uint] {
        // SAFETY: the array is part of the instruction, which is never freed.
        unsafe {
            let count = LLVMGetNumIndices(self.0);
            std::slice::from_raw_parts(LLVMGetIndices(self.0), count as usize)
        }
    }

    /// The incoming values of a phi with their blocks.
    pub fn incoming(self) -> impl Iterator<Item = (BasicBlock, LlvmValue)> {
        let count = unsafe { LLVMCountIncoming(self.0) };
        (0..count).map(move |i| unsafe {
            (
                BasicBlock(LLVMGetIncomingBlock(self.0, i)),
                LlvmValue(LLVMGetIncomingValue(self.0, i)),
            )
        })
    }

    /// The successors of a terminator.
    pub fn successors(self) -> impl DoubleEndedIterator<Item = BasicBlock> + ExactSizeIterator {
        let count = unsafe { LLVMGetNumSuccessors(self.0) };
        (0..count).map(move |i| self.successor(i))
    }

    /// The n-th successor of a terminator.
    pub fn successor(self, n: u32) -> BasicBlock {
        BasicBlock(unsafe { LLVMGetSuccessor(self.0, n) })
    }

    /// The value of the switch case with this successor, counted from 1.
    pub fn switch_case(self, successor: u32) -> LlvmValue {
        LlvmValue(unsafe { LLVMGetSwitchCaseValue(self.0, successor) })
    }

    /// The successor of an invoke on normal return.
    pub fn normal_dest(self) -> BasicBlock {
        BasicBlock(unsafe { LLVMGetNormalDest(self.0) })
    }

    /// The callee of a call.
    pub fn called(self) -> LlvmValue {
        LlvmValue(unsafe { LLVMGetCalledValue(self.0) })
    }

    /// The function type of a call.
    pub fn called_type(self) -> LlvmType {
        LlvmType(unsafe { LLVMGetCalledFunctionType(self.0) })
    }

    /// Whether the call is marked `musttail`.
    pub fn is_must_tail_call(self) -> bool {
        self.opcode() == LLVMOpcode::LLVMCall
            && unsafe { LLVMGetTailCallKind(self.0) == LLVMTailCallKind::LLVMTailCallKindMustTail }
    }

    /// The arguments of a call.
    pub fn args(self) -> impl ExactSizeIterator<Item = LlvmValue> {
        let count = unsafe { LLVMGetNumArgOperands(self.0) };
        (0..count).map(move |n| self.operand(n))
    }

    /// Size and alignment of an argument passed `byval`.
    pub fn arg_byval(self, n: u32) -> Option<(u64, u32)> {
        let b = unsafe { ffi::bw_arg_byval(self.0, n) };
        b.present.then_some((b.size, b.align))
    }

    /// The type of what an argument of inline assembly points to, if the assembly accesses it.
    pub fn arg_element_type(self, n: u32) -> Option<LlvmType> {
        let name = "elementtype";
        // SAFETY: the name is borrowed for the call only.
        let attribute = unsafe {
            let kind = LLVMGetEnumAttributeKindForName(name.as_ptr().cast(), name.len());
            LLVMGetCallSiteEnumAttribute(self.0, n + 1, kind)
        };
        (!attribute.is_null()).then(|| LlvmType(unsafe { LLVMGetTypeAttributeValue(attribute) }))
    }

    /// The template and the constraint string of inline assembly.
    pub fn inline_asm(self) -> (String, String) {
        let mut len = 0;
        // SAFETY: both strings live as long as the context.
        unsafe {
            let data: *const c_char = LLVMGetInlineAsmAsmString(self.0, &mut len);
            let text = ffi::RawStr { data, len }.to_text();
            let data: *const c_char = LLVMGetInlineAsmConstraintString(self.0, &mut len);
            (text, ffi::RawStr { data, len }.to_text())
        }
    }

    /// The predicate of a constrained comparison, as text.
    pub fn constrained_predicate(self) -> Option<String> {
        // SAFETY: the string belongs to the context.
        let text = unsafe { ffi::bw_constrained_predicate(self.0).to_text() };
        (!text.is_empty()).then_some(text)
    }

    /// The debug location of an instruction.
    pub fn location(self) -> ffi::MetadataPtr {
        unsafe { ffi::bw_inst_location(self.0) }
    }

    // Functions and globals.

    /// Whether it has no body or initialiser.
    pub fn is_declaration(self) -> bool {
        unsafe { LLVMIsDeclaration(self.0) != 0 }
    }

    /// The linkage of the symbol.
    pub fn linkage(self) -> LLVMLinkage {
        unsafe { LLVMGetLinkage(self.0) }
    }

    /// The origin attribute set before linking; empty if it has none.
    pub fn origin_mark(self) -> String {
        // SAFETY: the attribute belongs to the context.
        unsafe { ffi::bw_origin(self.0).to_text() }
    }

    /// The type of a global's contents; for a function, its function type.
    pub fn value_type(self) -> LlvmType {
        LlvmType(unsafe { LLVMGlobalGetValueType(self.0) })
    }

    /// Whether a function is one of LLVM's intrinsics.
    pub fn is_intrinsic(self) -> bool {
        unsafe { LLVMGetIntrinsicID(self.0) != 0 }
    }

    /// The parameters of a function.
    pub fn params(self) -> impl ExactSizeIterator<Item = LlvmValue> {
        let count = unsafe { LLVMCountParams(self.0) };
        (0..count).map(move |n| LlvmValue(unsafe { LLVMGetParam(self.0, n) }))
    }

    /// Size and alignment of a parameter passed `byval`.
    pub fn param_byval(self, n: u32) -> Option<(u64, u32)> {
        let b = unsafe { ffi::bw_param_byval(self.0, n) };
        b.present.then_some((b.size, b.align))
    }

    /// The entry block of a function with a body.
    pub fn entry_block(self) -> BasicBlock {
        BasicBlock(unsafe { LLVMGetEntryBasicBlock(self.0) })
    }

    /// The debug information of a function.
    pub fn subprogram(self) -> ffi::MetadataPtr {
        unsafe { ffi::bw_function_subprogram(self.0) }
    }

    /// The initialiser of a global, if it has one.
    pub fn initializer(self) -> Option<LlvmValue> {
        LlvmValue::from_raw(unsafe { LLVMGetInitializer(self.0) })
    }

    /// Whether a global is constant.
    pub fn is_constant_global(self) -> bool {
        unsafe { LLVMIsGlobalConstant(self.0) != 0 }
    }

    /// The aliasee of an alias.
    pub fn aliasee(self) -> LlvmValue {
        LlvmValue(unsafe { LLVMAliasGetAliasee(self.0) })
    }
}

impl BasicBlock {
    /// The instructions in order, terminator included.
    pub fn instructions(self) -> impl Iterator<Item = LlvmValue> {
        let first = LlvmValue::from_raw(unsafe { LLVMGetFirstInstruction(self.0) });
        std::iter::successors(first, |i| {
            LlvmValue::from_raw(unsafe { LLVMGetNextInstruction(i.0) })
        })
    }

    /// The last instruction.
    pub fn terminator(self) -> Option<LlvmValue> {
        LlvmValue::from_raw(unsafe { LLVMGetBasicBlockTerminator(self.0) })
    }
}

impl LlvmModule {
    /// The functions, declarations included.
    pub fn functions(self) -> impl Iterator<Item = LlvmValue> {
        let first = LlvmValue::from_raw(unsafe { LLVMGetFirstFunction(self.0) });
        std::iter::successors(first, |f| LlvmValue::from_raw(unsafe { LLVMGetNextFunction(f.0) }))
    }

    /// The global variables, declarations included.
    pub fn globals(self) -> impl Iterator<Item = LlvmValue> {
        let first = LlvmValue::from_raw(unsafe { LLVMGetFirstGlobal(self.0) });
        std::iter::successors(first, |g| LlvmValue::from_raw(unsafe { LLVMGetNextGlobal(g.0) }))
    }

    /// The aliases.
    pub fn aliases(self) -> impl Iterator<Item = LlvmValue> {
        let first = LlvmValue::from_raw(unsafe { LLVMGetFirstGlobalAlias(self.0) });
        std::iter::successors(first, |a| {
            LlvmValue::from_raw(unsafe { LLVMGetNextGlobalAlias(a.0) })
        })
    }

    /// The ifuncs.
    pub fn ifuncs(self) -> impl Iterator<Item = LlvmValue> {
        let first = LlvmValue::from_raw(unsafe { LLVMGetFirstGlobalIFunc(self.0) });
        std::iter::successors(first, |a| {
            LlvmValue::from_raw(unsafe { LLVMGetNextGlobalIFunc(a.0) })
        })
    }

    /// The stride in bytes of an array of this type.
    pub fn alloc_size(self, ty: LlvmType) -> u64 {
        unsafe { LLVMABISizeOfType(self.layout(), ty.0) }
    }

    /// The offset in bytes of a member of a struct.
    pub fn member_offset(self, ty: LlvmType, member: u32) -> u64 {
        unsafe { LLVMOffsetOfElement(self.layout(), ty.0, member) }
    }

    /// The alignment of a global.
    pub fn global_align(self, global: LlvmValue) -> u32 {
        match unsafe { LLVMGetAlignment(global.0) } {
            0 => unsafe { LLVMPreferredAlignmentOfGlobal(self.layout(), global.0) },
            align => align,
        }
    }

    fn layout(self) -> LLVMTargetDataRef {
        unsafe { LLVMGetModuleDataLayout(self.0) }
    }
}
