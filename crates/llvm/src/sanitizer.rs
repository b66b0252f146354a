//! Prepares what clang's sanitizers leave in bitcode for the engine.
//!
//! A trap of UBSan becomes a call of the handler that its number stands for. The types that
//! `-fsanitize=function` attaches to functions become a table, from which the engine fills the
//! bytes before the functions, where instrumented calls read them.

use llvm_sys::LLVMLinkage;
use llvm_sys::core::{
    LLVMAddGlobal, LLVMConstArray2, LLVMConstStructInContext, LLVMDisposeValueMetadataEntries,
    LLVMGetFirstUse, LLVMGetMDKindIDInContext, LLVMGetMDNodeNumOperands, LLVMGetMDNodeOperands,
    LLVMGetModuleContext, LLVMGetNextUse, LLVMGetNumOperands, LLVMGetUser,
    LLVMGlobalCopyAllMetadata, LLVMMetadataAsValue, LLVMSetGlobalConstant, LLVMSetInitializer,
    LLVMSetLinkage, LLVMSetOperand, LLVMTypeOf, LLVMValueMetadataEntriesGetKind,
    LLVMValueMetadataEntriesGetMetadata,
};
use llvm_sys::debuginfo::{
    LLVMDILocationGetInlinedAt, LLVMDILocationGetLine, LLVMInstructionGetDebugLoc,
    LLVMInstructionSetDebugLoc,
};
use llvm_sys::prelude::{LLVMContextRef, LLVMValueRef};

use byway_base::ubsan::trap_handler;

use crate::ffi;
use crate::llvm::{LlvmModule, LlvmValue, ValueKind};

/// The metadata of a function's type.
const TYPE_METADATA: &str = "func_sanitize";
/// The table that the engine reads.
const TYPE_TABLE: &std::ffi::CStr = c"__byway_function_types";

/// Prepares the linked program.
pub fn prepare(program: LlvmModule) {
    name_traps(program);
    tabulate_types(program);
}

/// Replaces traps whose number is known by calls of their handlers.
fn name_traps(program: LlvmModule) {
    let Some(trap) = program.functions().find(|function| function.name() == "llvm.ubsantrap")
    else {
        return;
    };
    for call in calls_of(trap) {
        let number = call.args().next().filter(|arg| arg.kind() == ValueKind::Integer);
        let Some(name) = number.and_then(|number| trap_handler(number.int_bits().0 as u64)) else {
            continue;
        };
        // SAFETY: the handler gets the intrinsic's own type, so that the call stays valid; its
        // argument is ignored.
        unsafe {
            ffi::bw_declare(program.0, ffi::RawStr::lend(&name), trap.value_type().0);
            let handler = program.functions().find(|function| function.name() == name);
            if let Some(handler) = handler {
                let callee = LLVMGetNumOperands(call.0) - 1;
                LLVMSetOperand(call.0, callee as u32, handler.0);
                leave_trap_message(call.0);
            }
        }
    }
}

/// The calls of a function.
fn calls_of(function: LlvmValue) -> Vec<LlvmValue> {
    let mut calls = Vec::new();
    // SAFETY: walks the list of uses, which does not change meanwhile.
    unsafe {
        let mut used = LLVMGetFirstUse(function.0);
        while !used.is_null() {
            let user = LlvmValue(LLVMGetUser(used));
            if user.kind() == ValueKind::Instruction {
                calls.push(user);
            }
            used = LLVMGetNextUse(used);
        }
    }
    calls
}

/// Moves an instruction out of the function without lines that clang pretends was inlined, whose
/// name is a message for debuggers.
///
/// # Safety
///
/// The handle is a living instruction.
unsafe fn leave_trap_message(call: LLVMValueRef) {
    // SAFETY: as promised; a location is a `DILocation`.
    unsafe {
        let location = LLVMInstructionGetDebugLoc(call);
        if !location.is_null() && LLVMDILocationGetLine(location) == 0 {
            let caller = LLVMDILocationGetInlinedAt(location);
            if !caller.is_null() {
                LLVMInstructionSetDebugLoc(call, caller);
            }
        }
    }
}

/// Makes the table of functions' types: address, signature, hash.
fn tabulate_types(program: LlvmModule) {
    // SAFETY: all handles are of the program and its context.
    unsafe {
        let context = LLVMGetModuleContext(program.0);
        let name = TYPE_METADATA;
        let metadata = LLVMGetMDKindIDInContext(context, name.as_ptr().cast(), name.len() as u32);
        let mut entries: Vec<LLVMValueRef> = program
            .functions()
            .filter_map(|function| {
                let [signature, hash] = type_words(context, function, metadata)?;
                let mut members = [function.0, signature, hash];
                Some(LLVMConstStructInContext(context, members.as_mut_ptr(), 3, 0))
            })
            .collect();
        let Some(&first) = entries.first() else { return };
        let count = entries.len() as u64;
        let table = LLVMConstArray2(LLVMTypeOf(first), entries.as_mut_ptr(), count);
        let global = LLVMAddGlobal(program.0, LLVMTypeOf(table), TYPE_TABLE.as_ptr());
        LLVMSetInitializer(global, table);
        LLVMSetGlobalConstant(global, 1);
        LLVMSetLinkage(global, LLVMLinkage::LLVMInternalLinkage);
    }
}

/// The two words of a function's metadata of this kind, if it has them.
///
/// # Safety
///
/// The handles are of one context.
unsafe fn type_words(
    context: LLVMContextRef,
    function: LlvmValue,
    metadata: u32,
) -> Option<[LLVMValueRef; 2]> {
    // SAFETY: as promised; the entries are freed after their last use.
    unsafe {
        let mut count = 0;
        let entries = LLVMGlobalCopyAllMetadata(function.0, &mut count);
        let node = (0..count as u32)
            .find(|&n| LLVMValueMetadataEntriesGetKind(entries, n) == metadata)
            .map(|n| LLVMValueMetadataEntriesGetMetadata(entries, n));
        LLVMDisposeValueMetadataEntries(entries);
        let node = LLVMMetadataAsValue(context, node?);
        if LLVMGetMDNodeNumOperands(node) != 2 {
            return None;
        }
        let mut words = [std::ptr::null_mut(); 2];
        LLVMGetMDNodeOperands(node, words.as_mut_ptr());
        let is_word = |&word: &LLVMValueRef| {
            !word.is_null()
                && LlvmValue(word).kind() == ValueKind::Integer
                && LlvmValue(word).int_bits().1 == 32
        };
        words.iter().all(is_word).then_some(words)
    }
}
