// Debug information as plain data.

#include "shim.h"

#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

struct BwLocation {
  const Metadata *subprogram; // the function that contains the location
  const Metadata *file;
  const Metadata *inlinedAt; // a location, or null
  uint32_t line, column;
};

struct BwSubprogram {
  BwStr name;
  const Metadata *file;
  const Metadata *type;
  uint32_t line;
};

struct BwFile {
  BwStr directory, name;
  BwStr md5; // of its contents, in hexadecimal; empty if unknown
};

// The kind determines which fields are used.
enum BwTypeKind : uint32_t {
  BwUnknown,
  BwBase,
  BwPointer,
  BwStruct,
  BwUnion,
  BwArray,
  BwEnum,
  BwTypedef,
  BwFunction,
  BwQualifier, // const, volatile, ...: qualifies its target
};

struct BwType {
  BwTypeKind kind;
  BwStr name;
  uint64_t bits;
  bool isSigned, isFloat;
  const Metadata *target; // pointee, element, aliased or result type
  uint32_t elements;      // members, dimensions, values or parameters
};

struct BwElement {
  BwStr name;
  uint64_t offset, bits;
  const Metadata *type;
  int64_t value; // of an enumerator; of a dimension its count, or -1
  bool variadic; // this "parameter" is the ellipsis
};

struct BwVariable {
  BwStr name;
  const Metadata *type, *file, *subprogram;
  uint32_t line;
};

// The operands of nodes that hold strings.
enum NameOperand : unsigned {
  FileName = 0,
  FileDirectory = 1,
  EnumeratorName = 0,
  VariableName = 1,
  TypeName = 2,
  SubprogramName = 2,
};

// LLVM's own getters assume that a name is a string, which the verifier does not
// check and damaged bitcode may violate.
static BwStr text(const MDNode *node, NameOperand operand) {
  auto *string = dyn_cast_or_null<MDString>(node->getOperand(operand).get());
  StringRef value = string ? string->getString() : StringRef();
  return {value.data(), value.size()};
}

static const DISubprogram *enclosing(const DIScope *scope) {
  auto *local = dyn_cast_or_null<DILocalScope>(scope);
  return local ? local->getSubprogram() : nullptr;
}

extern "C" {

const Metadata *bw_inst_location(LLVMValueRef inst) {
  return cast<Instruction>(unwrap(inst))->getDebugLoc().get();
}

BwLocation bw_location(const Metadata *metadata) {
  auto *location = cast<DILocation>(metadata);
  const DILocalScope *scope = location->getScope();
  return {enclosing(scope), scope->getFile(), location->getInlinedAt(), location->getLine(),
          location->getColumn()};
}

const Metadata *bw_function_subprogram(LLVMValueRef function) {
  return cast<Function>(unwrap(function))->getSubprogram();
}

BwSubprogram bw_subprogram(const Metadata *metadata) {
  auto *program = cast<DISubprogram>(metadata);
  return {text(program, SubprogramName), program->getFile(), program->getType(), program->getLine()};
}

BwFile bw_file(const Metadata *metadata) {
  auto *file = cast<DIFile>(metadata);
  BwStr md5 = {};
  if (auto checksum = file->getChecksum(); checksum && checksum->Kind == DIFile::CSK_MD5)
    md5 = {checksum->Value.data(), checksum->Value.size()};
  return {text(file, FileDirectory), text(file, FileName), md5};
}

// The source variable of a global; false without debug information.
bool bw_global_variable(LLVMValueRef global, BwVariable *out) {
  SmallVector<DIGlobalVariableExpression *, 1> entries;
  cast<GlobalVariable>(unwrap(global))->getDebugInfo(entries);
  if (entries.empty())
    return false;
  const DIGlobalVariable *variable = entries.front()->getVariable();
  *out = {text(variable, VariableName), variable->getType(), variable->getFile(),
          enclosing(variable->getScope()), variable->getLine()};
  return true;
}

BwStr bw_alloca_name(LLVMValueRef alloca) {
  auto *local = cast<AllocaInst>(unwrap(alloca));
  const DILocalVariable *variable = nullptr;
  for (DbgVariableRecord *record : findDVRDeclares(local))
    variable = record->getVariable();
  // Optimised code uses linked assignments instead.
  if (!variable && local->hasMetadata(LLVMContext::MD_DIAssignID))
    for (DbgVariableRecord *record : at::getDVRAssignmentMarkers(local))
      variable = record->getVariable();
  return variable ? text(variable, VariableName) : BwStr{nullptr, 0};
}

// The number, from 1, and the name of the parameter that the `record`-th of the debug records of
// parameters in a function's first block describes; 0 after the last of them.
unsigned bw_parameter_name(LLVMValueRef function, unsigned record, BwStr *name) {
  for (Instruction &inst : cast<Function>(unwrap(function))->getEntryBlock())
    for (DbgVariableRecord &it : filterDbgVars(inst.getDbgRecordRange())) {
      const DILocalVariable *variable = it.getVariable();
      if (!variable->getArg() || it.getDebugLoc().getInlinedAt() || record-- > 0)
        continue;
      *name = text(variable, VariableName);
      return variable->getArg();
    }
  return 0;
}

BwType bw_type(const Metadata *metadata) {
  BwType result = {};
  if (auto *base = dyn_cast<DIBasicType>(metadata)) {
    result.kind = BwBase;
    result.name = text(base, TypeName);
    result.bits = base->getSizeInBits();
    unsigned encoding = base->getEncoding();
    result.isSigned = encoding == dwarf::DW_ATE_signed || encoding == dwarf::DW_ATE_signed_char;
    result.isFloat = encoding == dwarf::DW_ATE_float || encoding == dwarf::DW_ATE_complex_float;
  } else if (auto *function = dyn_cast<DISubroutineType>(metadata)) {
    result.kind = BwFunction;
    DITypeRefArray types = function->getTypeArray();
    if (types.size() > 0) {
      result.target = types[0];
      result.elements = types.size() - 1;
    }
  } else if (auto *derived = dyn_cast<DIDerivedType>(metadata)) {
    result.name = text(derived, TypeName);
    result.bits = derived->getSizeInBits();
    result.target = derived->getBaseType();
    switch (derived->getTag()) {
    case dwarf::DW_TAG_pointer_type:
    case dwarf::DW_TAG_reference_type:
    case dwarf::DW_TAG_rvalue_reference_type:
      result.kind = BwPointer;
      break;
    case dwarf::DW_TAG_typedef:
      result.kind = BwTypedef;
      break;
    default:
      result.kind = BwQualifier;
    }
  } else if (auto *composite = dyn_cast<DICompositeType>(metadata)) {
    result.name = text(composite, TypeName);
    result.bits = composite->getSizeInBits();
    result.target = composite->getBaseType();
    result.elements = composite->getElements().size();
    switch (composite->getTag()) {
    case dwarf::DW_TAG_structure_type:
    case dwarf::DW_TAG_class_type:
      result.kind = BwStruct;
      break;
    case dwarf::DW_TAG_union_type:
      result.kind = BwUnion;
      break;
    case dwarf::DW_TAG_array_type:
      result.kind = BwArray;
      break;
    case dwarf::DW_TAG_enumeration_type:
      result.kind = BwEnum;
      break;
    default:
      result.elements = 0;
    }
  }
  return result;
}

// The n-th member, dimension, enumerator or parameter of a type. False if it is
// something else (a member function of C++, a template argument).
bool bw_type_element(const Metadata *metadata, uint32_t n, BwElement *out) {
  *out = {};
  if (auto *function = dyn_cast<DISubroutineType>(metadata)) {
    // The result comes first; a null after the parameters means "...".
    out->type = function->getTypeArray()[n + 1];
    out->variadic = !out->type;
    return true;
  }
  const DINode *element = cast<DICompositeType>(metadata)->getElements()[n];
  if (auto *member = dyn_cast<DIDerivedType>(element)) {
    out->name = text(member, TypeName);
    out->offset = member->getOffsetInBits();
    out->bits = member->getSizeInBits();
    out->type = member->getBaseType();
    return member->getTag() == dwarf::DW_TAG_member && !member->isStaticMember();
  }
  if (auto *enumerator = dyn_cast<DIEnumerator>(element)) {
    out->name = text(enumerator, EnumeratorName);
    out->value = enumerator->getValue().sextOrTrunc(64).getSExtValue();
    return true;
  }
  if (auto *range = dyn_cast<DISubrange>(element)) {
    auto *count = dyn_cast_if_present<ConstantInt *>(range->getCount());
    out->value = count ? count->getSExtValue() : -1;
    return true;
  }
  return false;
}

} // extern "C"
