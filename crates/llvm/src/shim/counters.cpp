// Counters of control-flow edges, and what else a linked program needs to be compiled for this
// machine instead of being lowered.

#include "shim.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace {

const char Target[] = "x86_64-pc-linux-gnu";
const char Counters[] = "__byway_counters";

// The array of counters, which the server of native runs defines.
GlobalVariable *counters(Module &module) {
  Type *word = Type::getInt32Ty(module.getContext());
  if (GlobalVariable *known = module.getNamedGlobal(Counters))
    return known;
  auto *array = new GlobalVariable(module, ArrayType::get(word, 0), /*isConstant=*/false,
                                   GlobalValue::ExternalLinkage, nullptr, Counters);
  array->setDSOLocal(true);
  return array;
}

// Adds `amount`, or 1 if it is null, to a counter.
void increment(IRBuilder<> &builder, Module &module, unsigned counter, Value *amount) {
  Type *word = builder.getInt32Ty();
  Value *place = builder.CreateConstGEP1_64(word, counters(module), counter);
  Value *before = builder.CreateLoad(word, place);
  builder.CreateStore(builder.CreateAdd(before, amount ? amount : builder.getInt32(1)), place);
}

// Puts a new block on all edges from one block to another, of which a switch may have several.
BasicBlock *splitEdges(BasicBlock &from, BasicBlock &to) {
  auto *between = BasicBlock::Create(from.getContext(), "", from.getParent(), &to);
  BranchInst::Create(&to, between);
  Instruction *end = from.getTerminator();
  for (unsigned n = 0; n < end->getNumSuccessors(); n++)
    if (end->getSuccessor(n) == &to)
      end->setSuccessor(n, between);
  for (PHINode &phi : to.phis()) {
    phi.setIncomingBlock(phi.getBasicBlockIndex(&from), between);
    for (int more; (more = phi.getBasicBlockIndex(&from)) >= 0;)
      phi.removeIncomingValue(more, /*DeletePHIIfEmpty=*/false);
  }
  return between;
}

// Undefined operands are zero to the engine.
void defineOperands(Instruction &inst) {
  for (Use &operand : inst.operands())
    if (isa<UndefValue>(operand.get()) && !operand->getType()->isMetadataTy() &&
        !operand->getType()->isTokenTy())
      operand.set(Constant::getNullValue(operand->getType()));
}

// There is one thread, whose variables are ordinary ones.
void dropThreadLocals(Module &module) {
  for (GlobalVariable &global : module.globals())
    global.setThreadLocal(false);
  for (GlobalAlias &alias : module.aliases())
    alias.setThreadLocal(false);
  for (Function &function : module) {
    if (function.getIntrinsicID() != Intrinsic::threadlocal_address)
      continue;
    for (User *user : make_early_inc_range(function.users())) {
      auto *call = cast<CallInst>(user);
      call->replaceAllUsesWith(call->getArgOperand(0));
      call->eraseFromParent();
    }
  }
}

} // namespace

extern "C" {

// Counts the entries of a function.
void bw_count_entry(LLVMValueRef handle, unsigned counter) {
  auto *function = cast<Function>(unwrap(handle));
  BasicBlock &entry = function->getEntryBlock();
  IRBuilder<> builder(&entry, entry.getFirstInsertionPt());
  increment(builder, *function->getParent(), counter, nullptr);
}

// Counts how often control flows from one block to another. False for the edge of an exception,
// which the engine does not have.
bool bw_count_edge(LLVMBasicBlockRef source, LLVMBasicBlockRef target, unsigned counter) {
  BasicBlock &from = *unwrap(source), &to = *unwrap(target);
  Module &module = *from.getModule();
  Instruction *end = from.getTerminator();
  if (to.isEHPad() || isa<CallBrInst>(end))
    return false;
  if (auto *jump = dyn_cast<IndirectBrInst>(end)) {
    IRBuilder<> builder(jump);
    Value *taken = builder.CreateICmpEQ(jump->getAddress(), BlockAddress::get(&to));
    increment(builder, module, counter, builder.CreateZExt(taken, builder.getInt32Ty()));
    return true;
  }
  if (!isa<InvokeInst>(end) && from.getUniqueSuccessor() == &to) {
    IRBuilder<> builder(end);
    increment(builder, module, counter, nullptr);
    return true;
  }
  BasicBlock *place = to.getUniquePredecessor() ? &to : splitEdges(from, to);
  IRBuilder<> builder(place, place->getFirstInsertionPt());
  increment(builder, module, counter, nullptr);
  return true;
}

// Defines a function without a body, as a call of `stub` with the function's name.
void bw_define_stub(LLVMValueRef handle, BwStr stub) {
  auto *function = cast<Function>(unwrap(handle));
  LLVMContext &context = function->getContext();
  auto *pointer = PointerType::get(context, 0);
  FunctionCallee callee = function->getParent()->getOrInsertFunction(
      StringRef(stub.data, stub.len), Type::getVoidTy(context), pointer);
  function->setAttributes({});
  function->setLinkage(GlobalValue::InternalLinkage);
  IRBuilder<> builder(BasicBlock::Create(context, "", function));
  builder.CreateCall(callee, builder.CreateGlobalString(function->getName()));
  builder.CreateUnreachable();
}

// Turns a definition into a declaration.
void bw_drop_body(LLVMValueRef handle) { cast<Function>(unwrap(handle))->deleteBody(); }

// Prepares the program for a back end that compiles each instruction as it is.
void bw_prepare_native(LLVMModuleRef handle) {
  Module &module = *unwrap(handle);
  StripDebugInfo(module);
  module.setTargetTriple(Triple(Target));
  dropThreadLocals(module);
  for (Function &function : module)
    for (Instruction &inst : instructions(function))
      defineOperands(inst);
}

} // extern "C"
