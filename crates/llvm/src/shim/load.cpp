// Reading, checking, preparing and linking of modules, where LLVM's C interface falls short.

#include "shim.h"

#include "llvm/AsmParser/Parser.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/IR/AutoUpgrade.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Transforms/Scalar/LowerConstantIntrinsics.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"

#include <csignal>
#include <cstdlib>
#include <cstring>
#include <set>
#include <sys/mman.h>
#include <tuple>
#include <unistd.h>

using namespace llvm;

char *bw_message(const std::string &text) {
  char *copy = static_cast<char *>(malloc(text.size() + 1));
  memcpy(copy, text.c_str(), text.size() + 1);
  return copy;
}

namespace {

const char OriginAttribute[] = "byway-origin";

// Records the first error, which becomes our error message.
struct FirstError : DiagnosticHandler {
  std::string text;

  bool handleDiagnostics(const DiagnosticInfo &info) override {
    if (info.getSeverity() == DS_Error && text.empty()) {
      raw_string_ostream out(text);
      DiagnosticPrinterRawOStream printer(out);
      info.print(printer);
    }
    return true;
  }
};

FirstError &firstError(LLVMContext &context) {
  return *const_cast<FirstError *>(static_cast<const FirstError *>(context.getDiagHandlerPtr()));
}

std::string takeError(LLVMContext &context, const char *otherwise) {
  std::string text = std::move(firstError(context).text);
  firstError(context).text.clear();
  return text.empty() ? std::string(otherwise) : text;
}

std::string firstLine(const std::string &text) { return text.substr(0, text.find('\n')); }

// Ends the process with one line. `write` is safe even in a signal handler.
[[noreturn]] void die(const char *what) {
  const char prefix[] = "error: LLVM could not read the program: ";
  (void)!write(2, prefix, sizeof prefix - 1);
  (void)!write(2, what, strlen(what));
  (void)!write(2, "\n", 1);
  _exit(2);
}

void onFatalError(void *, const char *reason, bool) {
  die(firstLine(reason).c_str());
}

void onCrash(int) { die("it crashed; the file is probably damaged"); }

} // namespace

extern "C" {

void bw_free(char *message) { free(message); }

// Must be called once per process, before any other function.
void bw_init() {
  // We call the verifier ourselves; the reader's own would print and abort.
  const char *arguments[] = {"byway-llvm", "-disable-auto-upgrade-debug-info"};
  cl::ParseCommandLineOptions(2, arguments, "", &nulls());
}

// For the executable only: any crash of LLVM on damaged input becomes a one-line
// message and exit code 2.
void bw_contain_crashes() {
  install_fatal_error_handler(onFatalError);
  install_bad_alloc_error_handler(onFatalError);
  // An alternate stack, since deep recursion may overflow the normal one.
  const size_t size = 64 * 1024;
  void *memory = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory != MAP_FAILED) {
    stack_t stack = {};
    stack.ss_sp = memory;
    stack.ss_size = size;
    sigaltstack(&stack, nullptr);
  }
  for (int number : {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP}) {
    struct sigaction action = {};
    action.sa_handler = onCrash;
    action.sa_flags = SA_ONSTACK;
    sigaction(number, &action, nullptr);
  }
}

LLVMContextRef bw_context() {
  auto *context = new LLVMContext;
  context->setDiagnosticHandler(std::make_unique<FirstError>());
  // The lowering does not use the names of instructions and blocks.
  context->setDiscardValueNames(true);
  return wrap(context);
}

// Reads bitcode (raw or wrapped; optionally lazily) or textual IR. The data must
// outlive the module, and a zero byte must follow it. Null and a message on failure.
LLVMModuleRef bw_parse(LLVMContextRef context, BwStr data, BwStr name, bool lazy, char **error) {
  LLVMContext &ctx = *unwrap(context);
  MemoryBufferRef buffer(StringRef(data.data, data.len), StringRef(name.data, name.len));
  const auto *bytes = reinterpret_cast<const unsigned char *>(data.data);
  if (!isBitcode(bytes, bytes + data.len)) {
    SMDiagnostic diagnostic;
    // The parser of textual IR requires names.
    ctx.setDiscardValueNames(false);
    std::unique_ptr<Module> module = parseAssembly(buffer, diagnostic, ctx);
    ctx.setDiscardValueNames(true);
    if (!module) {
      std::string where = "line " + std::to_string(diagnostic.getLineNo()) + ": ";
      *error = bw_message(where + diagnostic.getMessage().str());
    }
    return wrap(module.release());
  }
  Expected<std::unique_ptr<Module>> module =
      lazy ? getLazyBitcodeModule(buffer, ctx, /*ShouldLazyLoadMetadata=*/true)
           : parseBitcodeFile(buffer, ctx);
  if (!module) {
    *error = bw_message(firstLine(toString(module.takeError())));
    return nullptr;
  }
  return wrap(module->release());
}

LLVMModuleRef bw_empty_module(LLVMContextRef context, BwStr name) {
  return wrap(new Module(StringRef(name.data, name.len), *unwrap(context)));
}

void bw_drop_module(LLVMModuleRef module) { delete unwrap(module); }

// The first error of LLVM's verifier, or null. Debug information that is broken or
// of another version is dropped: the program can run without it.
char *bw_verify(LLVMModuleRef handle) {
  Module &module = *unwrap(handle);
  std::string text;
  raw_string_ostream out(text);
  bool brokenDebugInfo = false;
  if (verifyModule(module, &out, &brokenDebugInfo))
    return bw_message(firstLine(text));
  if (brokenDebugInfo || getDebugMetadataVersionFromModule(module) != DEBUG_METADATA_VERSION)
    StripDebugInfo(module);
  return nullptr;
}

// Sets the origin attribute of every definition; linking keeps it.
void bw_mark_origin(LLVMModuleRef handle, BwStr origin) {
  Module &module = *unwrap(handle);
  StringRef value(origin.data, origin.len);
  for (Function &function : module)
    if (!function.isDeclaration())
      function.addFnAttr(OriginAttribute, value);
  for (GlobalVariable &global : module.globals())
    if (!global.isDeclaration())
      global.addAttribute(OriginAttribute, value);
}

BwStr bw_origin(LLVMValueRef handle) {
  Attribute attribute;
  if (auto *function = dyn_cast<Function>(unwrap(handle)))
    attribute = function->getFnAttribute(OriginAttribute);
  else if (auto *global = dyn_cast<GlobalVariable>(unwrap(handle)))
    attribute = global->getAttribute(OriginAttribute);
  if (!attribute.isStringAttribute())
    return {nullptr, 0};
  StringRef value = attribute.getValueAsString();
  return {value.data(), value.size()};
}

// Flags of different modules may conflict, and none affects the lowered program.
void bw_drop_module_flags(LLVMModuleRef handle) {
  Module &module = *unwrap(handle);
  if (NamedMDNode *flags = module.getModuleFlagsMetadata())
    module.eraseNamedMetadata(flags);
  module.addModuleFlag(Module::Warning, "Debug Info Version", DEBUG_METADATA_VERSION);
}

// Prepares a library module for partial linking, perhaps more than once: local
// symbols become global ones with a suffix, so that each is linked once; lists of
// used symbols and of compile units are removed, since they would link everything.
void bw_make_library(LLVMModuleRef handle, BwStr suffix, bool keepConstructors) {
  Module &module = *unwrap(handle);
  StringRef tail(suffix.data, suffix.len);
  for (GlobalValue &value : module.global_values()) {
    if (!value.hasLocalLinkage())
      continue;
    value.setName(value.getName() + tail);
    value.setLinkage(GlobalValue::ExternalLinkage);
    value.setVisibility(GlobalValue::DefaultVisibility);
  }
  for (const char *name : {"llvm.used", "llvm.compiler.used"})
    if (GlobalVariable *list = module.getNamedGlobal(name))
      list->eraseFromParent();
  if (!keepConstructors)
    for (const char *name : {"llvm.global_ctors", "llvm.global_dtors"})
      if (GlobalVariable *list = module.getNamedGlobal(name))
        list->eraseFromParent();
  for (const char *name : {"llvm.dbg.cu", "llvm.ident"})
    if (NamedMDNode *node = module.getNamedMetadata(name))
      module.eraseNamedMetadata(node);
}

// Turns a definition into a declaration, so that another module's definition is used.
void bw_undefine(LLVMModuleRef handle, BwStr name) {
  Module &module = *unwrap(handle);
  GlobalValue *value = module.getNamedValue(StringRef(name.data, name.len));
  if (!value || value->isDeclaration())
    return;
  // Aliases of the definition keep it as their aliasee.
  std::vector<GlobalAlias *> aliases;
  for (GlobalAlias &alias : module.aliases())
    if (&alias != value && alias.getAliasee()->stripPointerCasts() == value)
      aliases.push_back(&alias);

  GlobalObject *declaration;
  if (auto *type = dyn_cast<FunctionType>(value->getValueType()))
    declaration = Function::Create(type, GlobalValue::ExternalLinkage, "", module);
  else
    declaration = new GlobalVariable(module, value->getValueType(), false,
                                     GlobalValue::ExternalLinkage, nullptr, "");
  declaration->takeName(value);
  value->replaceAllUsesWith(declaration);
  for (GlobalAlias *alias : aliases)
    alias->setAliasee(value);
  if (aliases.empty() && isa<GlobalAlias>(value)) {
    value->eraseFromParent();
  } else {
    value->setName(declaration->getName() + ".shadowed");
    value->setLinkage(GlobalValue::InternalLinkage);
    if (auto *object = dyn_cast<GlobalObject>(value))
      object->setComdat(nullptr);
  }
}

// Redirects all uses of one function to another, which is declared if necessary.
// Also applies to bodies that are not materialised yet.
void bw_rename_function(LLVMModuleRef handle, LLVMValueRef from, BwStr to) {
  Module &module = *unwrap(handle);
  auto *function = cast<Function>(unwrap(from));
  StringRef name(to.data, to.len);
  if (GlobalValue *other = module.getNamedValue(name)) {
    function->replaceAllUsesWith(other);
  } else {
    function->setName(name);
    function->setAttributes({});
  }
}

// Whether the source declares a function nothrow. LLVM adds the attribute itself to library
// functions it knows, and clang to functions without side effects.
bool bw_is_declared_nothrow(LLVMValueRef handle) {
  static TargetLibraryInfoImpl library(Triple("x86_64-unknown-linux-gnu"));
  auto *function = cast<Function>(unwrap(handle));
  LibFunc known;
  return function->doesNotThrow() && !function->isIntrinsic() &&
         function->getMemoryEffects() == MemoryEffects::unknown() &&
         !library.getLibFunc(function->getName(), known);
}

// Calls `visit` for each named structure with known members that the module refers to.
void bw_each_struct(LLVMModuleRef handle, void (*visit)(void *, BwStr, LLVMTypeRef),
                    void *context) {
  Module &module = *unwrap(handle);
  // A body that cannot be read is reported when the module is linked.
  consumeError(module.materializeAll());
  for (StructType *type : module.getIdentifiedStructTypes())
    if (type->hasName() && !type->isOpaque())
      visit(context, {type->getName().data(), type->getName().size()}, wrap(type));
}

// Declares a function unless the module has a symbol of this name.
void bw_declare(LLVMModuleRef handle, BwStr name, LLVMTypeRef type) {
  Module &module = *unwrap(handle);
  StringRef symbol(name.data, name.len);
  if (!module.getNamedValue(symbol))
    Function::Create(cast<FunctionType>(unwrap(type)), GlobalValue::ExternalLinkage, symbol,
                     module);
}

void *bw_linker(LLVMModuleRef destination) { return new Linker(*unwrap(destination)); }

void bw_drop_linker(void *linker) { delete static_cast<Linker *>(linker); }

// Links `source`, which is consumed, into the linker's module. A message on failure.
char *bw_link(void *linker, LLVMModuleRef source, bool onlyNeeded) {
  std::unique_ptr<Module> module(unwrap(source));
  LLVMContext &context = module->getContext();
  unsigned flags = onlyNeeded ? Linker::LinkOnlyNeeded : Linker::None;
  if (static_cast<Linker *>(linker)->linkInModule(std::move(module), flags))
    return bw_message(takeError(context, "linking failed"));
  return nullptr;
}

// Lowers the intrinsics that only a back end can evaluate (object sizes, whether a
// value is constant), as a back end would.
void bw_decide_constants(LLVMModuleRef handle) {
  Module &module = *unwrap(handle);
  auto asked = [&](Intrinsic::ID id) {
    return any_of(module, [id](Function &f) { return f.getIntrinsicID() == id; });
  };
  if (!asked(Intrinsic::objectsize) && !asked(Intrinsic::is_constant))
    return;
  TargetLibraryInfoImpl library(module.getTargetTriple());
  TargetLibraryInfo info(library);
  for (Function &function : module)
    if (!function.isDeclaration())
      lowerConstantIntrinsics(function, info, /*DT=*/nullptr);
}

// Clang merges every `goto *p` of a function into one block without a debug location.
// The branches to it have one, so each gets its own copy of the jump. Done while
// variables are in memory, when the address is the block's only phi.
// A large interpreter loop stays merged: it would get gotos times labels edges.
static const unsigned MOST_EDGES = 1024;

static void spreadGoto(BasicBlock &block) {
  auto *jump = dyn_cast<IndirectBrInst>(block.getTerminator());
  if (!jump || jump->getDebugLoc() || !jump->getNumDestinations())
    return;
  auto *address = dyn_cast<PHINode>(&block.front());
  bool gathered = address && address->getNextNode() == jump &&
                  jump->getAddress() == address && address->hasOneUse();
  gathered = gathered && address->getNumIncomingValues() * jump->getNumDestinations() <= MOST_EDGES;
  for (BasicBlock *target : successors(&block))
    gathered &= !isa<PHINode>(target->front());
  if (!gathered)
    return;
  for (unsigned n = address->getNumIncomingValues(); n-- > 0;) {
    BasicBlock *from = address->getIncomingBlock(n);
    auto *branch = dyn_cast<BranchInst>(from->getTerminator());
    if (!branch || branch->isConditional())
      continue;
    auto *own = IndirectBrInst::Create(address->getIncomingValue(n),
                                       jump->getNumDestinations(), branch->getIterator());
    for (unsigned i = 0; i < jump->getNumDestinations(); i++)
      own->addDestination(jump->getDestination(i));
    own->setDebugLoc(branch->getDebugLoc());
    branch->eraseFromParent();
    address->removeIncomingValue(n, /*DeletePHIIfEmpty=*/false);
  }
  if (!address->getNumIncomingValues())
    DeleteDeadBlock(&block);
}

// Whether a call in the function can return twice: setjmp and similar functions, or
// the builtin setjmp, which LLVM does not mark `returns_twice`.
static bool mayReturnTwice(Function &function) {
  if (function.callsFunctionThatReturnsTwice())
    return true;
  for (Instruction &inst : instructions(function))
    if (auto *call = dyn_cast<IntrinsicInst>(&inst))
      if (call->getIntrinsicID() == Intrinsic::eh_sjlj_setjmp)
        return true;
  return false;
}

// Stores an undefined value in a local variable, marked with the variable's name.
static void storeUndefined(AllocaInst *local, BasicBlock::iterator before) {
  BwStr name = bw_alloca_name(wrap(local));
  LLVMContext &context = local->getContext();
  auto *value = new FreezeInst(PoisonValue::get(local->getAllocatedType()), "", before);
  value->setDebugLoc(before->getDebugLoc());
  value->setMetadata(UndefinedMetadata,
                     MDNode::get(context, MDString::get(context, StringRef(name.data, name.len))));
  new StoreInst(value, local, before);
}

// Marks where a variable that is about to be promoted has no value yet: where its memory is
// allocated, and where its scope begins. Promotion alone would leave `undef` there, and fold
// a phi of it and another value to the other value.
static void markUndefined(AllocaInst *local) {
  storeUndefined(local, std::next(local->getIterator()));
  SmallVector<IntrinsicInst *> starts;
  for (User *user : local->users())
    if (auto *call = dyn_cast<IntrinsicInst>(user))
      if (call->getIntrinsicID() == Intrinsic::lifetime_start)
        starts.push_back(call);
  for (IntrinsicInst *start : starts)
    storeUndefined(local, std::next(start->getIterator()));
}

// Marks lines of which promotion leaves nothing: an assignment of a constant or of another
// promoted variable. The mark is a call of llvm.donothing at the line.
static void keepLines(Function &function, ArrayRef<AllocaInst *> locals) {
  SmallPtrSet<const Value *, 16> promoted(locals.begin(), locals.end());
  auto isRemoved = [&](Instruction &inst) {
    if (auto *store = dyn_cast<StoreInst>(&inst))
      return promoted.contains(store->getPointerOperand());
    if (auto *load = dyn_cast<LoadInst>(&inst))
      return promoted.contains(load->getPointerOperand());
    return isa<PHINode>(inst) || inst.isDebugOrPseudoInst() || inst.isLifetimeStartOrEnd();
  };
  using Line = std::tuple<DIFile *, unsigned, DILocation *>;
  auto lineOf = [](Instruction &inst) -> Line {
    DILocation *at = inst.getDebugLoc();
    return at ? Line(at->getFile(), at->getLine(), at->getInlinedAt()) : Line(nullptr, 0, nullptr);
  };
  for (BasicBlock &block : function) {
    std::set<Line> kept;
    for (Instruction &inst : block)
      if (!isRemoved(inst))
        kept.insert(lineOf(inst));
    for (Instruction &inst : make_early_inc_range(block)) {
      if (!isa<StoreInst>(inst) || !isRemoved(inst) || std::get<1>(lineOf(inst)) == 0 ||
          !kept.insert(lineOf(inst)).second)
        continue;
      Function *mark =
          Intrinsic::getOrInsertDeclaration(function.getParent(), Intrinsic::donothing);
      CallInst::Create(mark, "", inst.getIterator())->setDebugLoc(inst.getDebugLoc());
    }
  }
}

// Whether the code does what the source says, step by step: as an attribute or the debug
// information tells, or because it keeps variables in memory that need none, as clang's
// code does before the first pass.
static bool isUnoptimised(Function &function, bool hasPromotableLocals) {
  DISubprogram *subprogram = function.getSubprogram();
  return hasPromotableLocals || function.hasOptNone() ||
         (subprogram && !subprogram->isOptimized());
}

// Promotes local variables whose address is never taken to values. Functions that
// may return twice keep theirs in memory, as unoptimised code does. Notes which functions
// are unoptimised, because afterwards it cannot be told any more.
void bw_promote_locals(LLVMModuleRef handle) {
  for (Function &function : *unwrap(handle)) {
    for (BasicBlock &block : make_early_inc_range(function))
      spreadGoto(block);
    if (function.isDeclaration())
      continue;
    std::vector<AllocaInst *> locals;
    for (Instruction &inst : function.getEntryBlock())
      if (auto *local = dyn_cast<AllocaInst>(&inst))
        if (isAllocaPromotable(local))
          locals.push_back(local);
    if (isUnoptimised(function, !locals.empty()))
      function.addFnAttr(UnoptimisedAttribute);
    if (locals.empty() || mayReturnTwice(function))
      continue;
    keepLines(function, locals);
    for (AllocaInst *local : locals)
      markUndefined(local);
    DominatorTree dominators(function);
    PromoteMemToReg(locals, dominators);
  }
}

} // extern "C"
