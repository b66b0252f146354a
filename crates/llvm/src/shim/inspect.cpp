// Accessors for values and types that LLVM's C interface lacks.

#include "shim.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/GetElementPtrTypeIterator.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

struct BwBits {
  uint64_t low, high;
  uint32_t width;
};

struct BwGepStep {
  LLVMValueRef index; // null: `bytes` is a constant offset
  int64_t bytes;      // otherwise the scale of the index
};

struct BwByVal {
  uint64_t size;
  uint32_t align;
  bool present;
};

// The class of a value, in the order of `ValueKind` in `src/llvm.rs`.
enum BwValueKind : uint32_t {
  BwOther,
  BwInstruction,
  BwArgument,
  BwFunctionValue,
  BwGlobalVariable,
  BwAlias,
  BwBlockAddress,
  BwExpression,
  BwAggregate,
  BwData,
  BwZero,
  BwUndefined,
  BwInteger,
  BwFloat,
  BwInlineAsm,
  BwIFunc,
  BwWrapper, // a constant equal to its first operand
};

static BwBits bitsOf(const APInt &value) {
  unsigned words = value.getNumWords();
  return {value.getRawData()[0], words > 1 ? value.getRawData()[1] : 0, value.getBitWidth()};
}

extern "C" {

// Whether an instruction is the value of a variable before it is set, and the variable's
// name.
bool bw_undefined_variable(LLVMValueRef handle, BwStr *name) {
  auto *inst = dyn_cast<FreezeInst>(unwrap(handle));
  MDNode *mark = inst ? inst->getMetadata(UndefinedMetadata) : nullptr;
  if (!mark)
    return false;
  StringRef text = cast<MDString>(mark->getOperand(0))->getString();
  *name = {text.data(), text.size()};
  return true;
}

bool bw_is_used(LLVMValueRef handle) { return !unwrap(handle)->use_empty(); }

bool bw_is_optimised(LLVMValueRef handle) {
  return !cast<Function>(unwrap(handle))->hasFnAttribute(UnoptimisedAttribute);
}

BwValueKind bw_value_kind(LLVMValueRef handle) {
  Value *value = unwrap(handle);
  if (isa<Instruction>(value))
    return BwInstruction;
  switch (value->getValueID()) {
  case Value::ArgumentVal:
    return BwArgument;
  case Value::FunctionVal:
    return BwFunctionValue;
  case Value::GlobalVariableVal:
    return BwGlobalVariable;
  case Value::GlobalAliasVal:
    return BwAlias;
  case Value::BlockAddressVal:
    return BwBlockAddress;
  case Value::ConstantExprVal:
    return BwExpression;
  case Value::ConstantArrayVal:
  case Value::ConstantStructVal:
  case Value::ConstantVectorVal:
    return BwAggregate;
  case Value::ConstantDataArrayVal:
  case Value::ConstantDataVectorVal:
    return BwData;
  case Value::ConstantAggregateZeroVal:
  case Value::ConstantPointerNullVal:
    return BwZero;
  case Value::UndefValueVal:
  case Value::PoisonValueVal:
    return BwUndefined;
  case Value::ConstantIntVal:
    return BwInteger;
  case Value::ConstantFPVal:
    return BwFloat;
  case Value::InlineAsmVal:
    return BwInlineAsm;
  case Value::GlobalIFuncVal:
    return BwIFunc;
  case Value::DSOLocalEquivalentVal:
  case Value::NoCFIValueVal:
  case Value::ConstantPtrAuthVal:
    return BwWrapper;
  default:
    return BwOther;
  }
}

BwBits bw_int_bits(LLVMValueRef constant) {
  return bitsOf(cast<ConstantInt>(unwrap(constant))->getValue());
}

// The n-th 64-bit word of an integer of any width.
uint64_t bw_int_word(LLVMValueRef constant, unsigned n) {
  const APInt &value = cast<ConstantInt>(unwrap(constant))->getValue();
  return n < value.getNumWords() ? value.getRawData()[n] : 0;
}

BwBits bw_fp_bits(LLVMValueRef constant) {
  return bitsOf(cast<ConstantFP>(unwrap(constant))->getValueAPF().bitcastToAPInt());
}

// The bytes of a constant data array or vector, in memory order.
BwStr bw_data_bytes(LLVMValueRef constant) {
  StringRef bytes = cast<ConstantDataSequential>(unwrap(constant))->getRawDataValues();
  return {bytes.data(), bytes.size()};
}

// The terms of a GEP's offset; at most `room` are written. Returns their number,
// which may exceed `room`; SIZE_MAX if the offsets depend on the machine
// (scalable vectors).
size_t bw_gep_steps(LLVMValueRef handle, LLVMModuleRef module, BwGepStep *out, size_t room) {
  auto *gep = cast<GEPOperator>(unwrap(handle));
  const DataLayout &layout = unwrap(module)->getDataLayout();
  size_t count = 0;
  for (auto step = gep_type_begin(gep), end = gep_type_end(gep); step != end; ++step) {
    Value *index = step.getOperand();
    BwGepStep result;
    if (StructType *type = step.getStructTypeOrNull()) {
      Constant *member = cast<Constant>(index);
      if (member->getType()->isVectorTy())
        member = member->getSplatValue();
      unsigned number = cast<ConstantInt>(member)->getZExtValue();
      TypeSize offset = layout.getStructLayout(type)->getElementOffset(number);
      if (offset.isScalable())
        return SIZE_MAX;
      result = {nullptr, static_cast<int64_t>(offset.getFixedValue())};
    } else {
      TypeSize stride = step.getSequentialElementStride(layout);
      if (stride.isScalable())
        return SIZE_MAX;
      int64_t scale = static_cast<int64_t>(stride.getFixedValue());
      auto *constant = dyn_cast<ConstantInt>(index);
      if (constant && constant->getBitWidth() <= 64)
        result = {nullptr,
                  static_cast<int64_t>(static_cast<uint64_t>(constant->getSExtValue()) *
                                       static_cast<uint64_t>(scale))};
      else
        result = {wrap(index), scale};
    }
    if (count < room)
      out[count] = result;
    ++count;
  }
  return count;
}

static BwByVal byValOf(Type *type, MaybeAlign align, const DataLayout &layout) {
  if (!type)
    return {0, 1, false};
  uint32_t bytes = align.value_or(layout.getABITypeAlign(type)).value();
  return {layout.getTypeAllocSize(type).getKnownMinValue(), bytes, true};
}

BwByVal bw_param_byval(LLVMValueRef function, unsigned n) {
  auto *f = cast<Function>(unwrap(function));
  return byValOf(f->getParamByValType(n), f->getParamAlign(n), f->getDataLayout());
}

BwByVal bw_arg_byval(LLVMValueRef call, unsigned n) {
  auto *c = cast<CallBase>(unwrap(call));
  return byValOf(c->isByValArgument(n) ? c->getParamByValType(n) : nullptr, c->getParamAlign(n),
                 c->getDataLayout());
}

// The predicate of a constrained float comparison; empty for other calls.
BwStr bw_constrained_predicate(LLVMValueRef call) {
  auto *compare = dyn_cast<ConstrainedFPCmpIntrinsic>(unwrap(call));
  if (!compare)
    return {nullptr, 0};
  StringRef name = CmpInst::getPredicateName(compare->getPredicate());
  return {name.data(), name.size()};
}

bool bw_is_scalable(LLVMTypeRef type) { return unwrap(type)->isScalableTy(); }

// Whether the value has no representation as data: metadata, tokens, labels.
bool bw_is_metadata(LLVMValueRef value) { return unwrap(value)->getType()->isMetadataTy(); }

// The alignment of a memory access that is atomic (the C interface covers loads
// and stores only).
unsigned bw_access_align(LLVMValueRef handle) {
  Value *value = unwrap(handle);
  if (auto *load = dyn_cast<LoadInst>(value))
    // clang overstates the alignment of its own reads of functions' types.
    return load->hasMetadata(LLVMContext::MD_nosanitize) ? 1 : load->getAlign().value();
  if (auto *store = dyn_cast<StoreInst>(value))
    return store->getAlign().value();
  if (auto *rmw = dyn_cast<AtomicRMWInst>(value))
    return rmw->getAlign().value();
  if (auto *exchange = dyn_cast<AtomicCmpXchgInst>(value))
    return exchange->getAlign().value();
  if (auto *local = dyn_cast<AllocaInst>(value))
    return local->getAlign().value();
  return 1;
}

} // extern "C"
