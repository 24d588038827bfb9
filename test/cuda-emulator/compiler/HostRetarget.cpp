//===- HostRetarget.cpp - GPU device code as host code --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Threads become fibers that switch inside of boost_emu_* functions. These are
// opaque on purpose: as intrinsics, thread ids and shuffles carry attributes
// that let them move across a switch.
//
//===----------------------------------------------------------------------===//

#include "HostRetarget.h"
#include "HostIntrinsics.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

using namespace llvm;
using namespace mlir::boost;

static constexpr StringLiteral kDynamicShared = "boost_emu_dynamic_shared";
static constexpr StringLiteral kAccess = "boost_emu_access";
static constexpr StringLiteral kMaxThreads = "nvvm.maxntid";
static constexpr unsigned kSharedAddressSpace = 3;
/// The limit of threads in a block, on every GPU.
static constexpr unsigned kBlockThreads = 1024;

SmallVector<std::string> mlir::boost::getEmulatorSymbols() {
  SmallVector<std::string> names = getIntrinsicFunctions();
  names.append({kDynamicShared.str(), kAccess.str()});
  return names;
}

//===----------------------------------------------------------------------===//
// What cannot be emulated
//===----------------------------------------------------------------------===//

static Error refuse(const Function &function, const Twine &what) {
  return createStringError("cannot emulate function '" + function.getName() +
                           "': it " + what);
}

/// Dynamic shared memory is external in clang's code and undefined in MLIR's.
static bool isDynamicShared(const GlobalVariable &global) {
  return global.getAddressSpace() == kSharedAddressSpace &&
         global.getDataLayout().getTypeAllocSize(global.getValueType()) == 0;
}

static Error checkCall(const CallBase &call) {
  const Function &function = *call.getFunction();
  if (call.isInlineAsm()) {
    const auto &assembly = *cast<InlineAsm>(call.getCalledOperand());
    if (isKnownAssembly(assembly))
      return Error::success();
    return refuse(function,
                  "contains inline assembly '" + assembly.getAsmString() + "'");
  }
  const Function *callee = call.getCalledFunction();
  if (!callee || !callee->isDeclaration())
    return Error::success();
  bool isPlain = callee->isIntrinsic() && !isDeviceIntrinsic(*callee);
  // Among intrinsics, the host has only the one that is no arithmetic.
  if (isPlain && callee->getIntrinsicID() != Intrinsic::fabs &&
      callee->getReturnType()->getScalarType()->isBFloatTy())
    return refuse(function, "computes '" + callee->getName() + "' in bf16");
  if (isPlain || (isDeviceIntrinsic(*callee) && isKnownIntrinsic(*callee)))
    return Error::success();
  return refuse(function, "calls '" + callee->getName() +
                              "', which the emulator does not know");
}

/// Conversions to bf16 for which there is no expansion.
static Error checkCast(const CastInst &cast) {
  bool rounds = cast.getType()->getScalarType()->isBFloatTy() &&
                !isa<BitCastInst>(cast) &&
                !cast.getSrcTy()->getScalarType()->isFloatTy();
  if (rounds)
    return refuse(*cast.getFunction(),
                  "converts to bf16 from another type than f32");
  return Error::success();
}

static Error checkModule(const Module &module) {
  if (!module.getModuleInlineAsm().empty())
    return createStringError("cannot emulate assembly of the whole module");
  if (!module.alias_empty() || !module.ifunc_empty())
    return createStringError("cannot emulate aliases of functions");
  for (const GlobalVariable &global : module.globals())
    if (global.isDeclaration() && !isDynamicShared(global))
      return createStringError(
          "cannot emulate a module that does not define '" + global.getName() +
          "'");
  for (const Function &function : module)
    for (const Instruction &instruction : instructions(function)) {
      if (auto *call = dyn_cast<CallBase>(&instruction))
        if (Error error = checkCall(*call))
          return error;
      if (auto *cast = dyn_cast<CastInst>(&instruction))
        if (Error error = checkCast(*cast))
          return error;
    }
  return Error::success();
}

//===----------------------------------------------------------------------===//
// Address spaces
//===----------------------------------------------------------------------===//

namespace {

/// Types whose pointers have no address space.
class FlatTypes : public ValueMapTypeRemapper {
public:
  Type *remapType(Type *type) override {
    if (type->isPointerTy())
      return PointerType::getUnqual(type->getContext());
    SmallVector<Type *> parts;
    for (Type *part : type->subtypes())
      parts.push_back(remapType(part));
    if (equal(parts, type->subtypes()))
      return type;
    if (auto *array = dyn_cast<ArrayType>(type))
      return ArrayType::get(parts[0], array->getNumElements());
    if (auto *vector = dyn_cast<VectorType>(type))
      return VectorType::get(parts[0], vector->getElementCount());
    if (auto *function = dyn_cast<FunctionType>(type))
      return FunctionType::get(parts[0], ArrayRef(parts).drop_front(),
                               function->isVarArg());
    return StructType::get(type->getContext(), parts,
                           cast<StructType>(type)->isPacked());
  }
};

/// Rewrites a module in place; all of its variables become new ones.
class AddressSpaceRemoval final : public ValueMaterializer {
public:
  explicit AddressSpaceRemoval(Module &module) : module(module) {}

  /// Returns the variables of static shared memory.
  SmallVector<GlobalVariable *> run();

private:
  /// Casts between address spaces go.
  Value *materialize(Value *value) override {
    auto *cast = dyn_cast<ConstantExpr>(value);
    bool isSpaceCast = cast && cast->getOpcode() == Instruction::AddrSpaceCast;
    return isSpaceCast ? map(cast->getOperand(0)) : nullptr;
  }

  Value *map(Value *value) {
    return MapValue(value, flat, RF_IgnoreMissingLocals, &types, this);
  }

  void flattenGlobal(GlobalVariable &global);
  void flattenInitializer(GlobalVariable &global);
  void flattenFunction(Function &function);
  void flattenBody(Function &function);

  Module &module;
  FlatTypes types;
  ValueToValueMapTy flat;
  SmallVector<GlobalVariable *> shared;
};

} // namespace

void AddressSpaceRemoval::flattenGlobal(GlobalVariable &global) {
  if (isDynamicShared(global)) {
    flat[&global] = module.getOrInsertGlobal(
        kDynamicShared,
        ArrayType::get(Type::getInt8Ty(module.getContext()), 0));
    return;
  }
  auto *replacement =
      new GlobalVariable(module, types.remapType(global.getValueType()),
                         global.isConstant(), global.getLinkage(), nullptr);
  replacement->setAlignment(global.getAlign());
  replacement->takeName(&global);
  flat[&global] = replacement;
  if (global.getAddressSpace() == kSharedAddressSpace)
    shared.push_back(replacement);
}

void AddressSpaceRemoval::flattenInitializer(GlobalVariable &global) {
  auto *replacement = cast<GlobalVariable>(flat[&global]);
  // The emulator fills shared memory itself; undefined could become anything.
  Value *value = is_contained(shared, replacement)
                     ? Constant::getNullValue(replacement->getValueType())
                     : map(global.getInitializer());
  replacement->setInitializer(cast<Constant>(value));
}

void AddressSpaceRemoval::flattenFunction(Function &function) {
  auto *type = cast<FunctionType>(types.remapType(function.getFunctionType()));
  if (type == function.getFunctionType())
    return;
  if (function.isIntrinsic()) {
    SmallVector<Type *> overloads;
    Intrinsic::getIntrinsicSignature(function.getIntrinsicID(), type,
                                     overloads);
    flat[&function] = Intrinsic::getOrInsertDeclaration(
        &module, function.getIntrinsicID(), overloads);
    return;
  }
  auto *replacement = Function::Create(type, function.getLinkage());
  module.getFunctionList().insert(function.getIterator(), replacement);
  replacement->copyAttributesFrom(&function);
  replacement->takeName(&function);
  replacement->splice(replacement->begin(), &function);
  flat[&function] = replacement;
  for (auto [from, to] : zip_equal(function.args(), replacement->args()))
    flat[&from] = &to;
}

void AddressSpaceRemoval::flattenBody(Function &function) {
  RemapFunction(function, flat, RF_IgnoreMissingLocals, &types, this);
  for (Instruction &instruction : make_early_inc_range(instructions(function)))
    if (auto *cast = dyn_cast<AddrSpaceCastInst>(&instruction)) {
      cast->replaceAllUsesWith(cast->getOperand(0));
      cast->eraseFromParent();
    }
}

SmallVector<GlobalVariable *> AddressSpaceRemoval::run() {
  SmallVector<GlobalVariable *> globals(make_pointer_range(module.globals()));
  SmallVector<Function *> functions(make_pointer_range(module));
  for (GlobalVariable *global : globals)
    flattenGlobal(*global);
  for (Function *function : functions)
    flattenFunction(*function);
  for (GlobalVariable *global : globals)
    if (!isDynamicShared(*global))
      flattenInitializer(*global);
  for (Function &function : module)
    flattenBody(function);
  // Initializers may refer to each other.
  for (GlobalVariable *global : globals)
    global->dropAllReferences();
  for (GlobalVariable *global : globals) {
    global->removeDeadConstantUsers();
    global->eraseFromParent();
  }
  for (Function *function : functions)
    if (flat.count(function) && flat[function] != function)
      function->eraseFromParent();
  return shared;
}

//===----------------------------------------------------------------------===//
// Attributes, calling conventions, scopes
//===----------------------------------------------------------------------===//

/// Returns the attributes of parameters that the host's code generator needs.
/// The others held for intrinsics (memory effects, for example) or name an
/// NVIDIA processor.
static AttributeList keepHostAttributes(LLVMContext &context,
                                        AttributeList attributes,
                                        unsigned numParams) {
  AttributeList kept;
  for (unsigned i = 0; i < numParams; ++i)
    if (attributes.hasParamAttr(i, Attribute::ByVal))
      kept = kept.addParamAttribute(
          context, i, attributes.getParamAttr(i, Attribute::ByVal));
  return kept;
}

static void setSystemScope(Instruction &instruction) {
  if (auto *load = dyn_cast<LoadInst>(&instruction))
    load->setSyncScopeID(SyncScope::System);
  else if (auto *store = dyn_cast<StoreInst>(&instruction))
    store->setSyncScopeID(SyncScope::System);
  else if (auto *fence = dyn_cast<FenceInst>(&instruction))
    fence->setSyncScopeID(SyncScope::System);
  else if (auto *update = dyn_cast<AtomicRMWInst>(&instruction))
    update->setSyncScopeID(SyncScope::System);
  else if (auto *exchange = dyn_cast<AtomicCmpXchgInst>(&instruction))
    exchange->setSyncScopeID(SyncScope::System);
}

static void cleanInstruction(Instruction &instruction) {
  // Alias scopes and invariant loads would let loads cross a fiber switch.
  instruction.dropUnknownNonDebugMetadata();
  setSystemScope(instruction);
  if (isa<FPMathOperator>(instruction)) {
    FastMathFlags flags;
    flags.setAllowContract(instruction.hasAllowContract());
    instruction.copyFastMathFlags(flags);
  }
  auto *call = dyn_cast<CallBase>(&instruction);
  if (!call || isa<IntrinsicInst>(call))
    return;
  call->setCallingConv(CallingConv::C);
  call->setAttributes(keepHostAttributes(
      call->getContext(), call->getAttributes(), call->arg_size()));
}

static void cleanFunction(Function &function) {
  function.setCallingConv(CallingConv::C);
  function.setLinkage(GlobalValue::InternalLinkage);
  function.setVisibility(GlobalValue::DefaultVisibility);
  function.setComdat(nullptr);
  function.setAttributes(keepHostAttributes(
      function.getContext(), function.getAttributes(), function.arg_size()));
  function.setDoesNotThrow();
  for (Instruction &instruction : instructions(function))
    cleanInstruction(instruction);
}

//===----------------------------------------------------------------------===//
// bf16
//===----------------------------------------------------------------------===//

/// As cvt.rn.bf16.f32. The host would call a library, or use an instruction
/// that flushes subnormal numbers.
static Value *truncateToBF16(IRBuilder<> &builder, Value *x, Type *type) {
  Type *words = x->getType()->getWithNewType(builder.getInt32Ty());
  Type *halves = x->getType()->getWithNewType(builder.getInt16Ty());
  Value *bits = builder.CreateBitCast(x, words);
  Value *isOdd = builder.CreateAnd(builder.CreateLShr(bits, 16),
                                   ConstantInt::get(words, 1));
  Value *bias = builder.CreateAdd(isOdd, ConstantInt::get(words, 0x7fff));
  Value *rounded = builder.CreateTrunc(
      builder.CreateLShr(builder.CreateAdd(bits, bias), 16), halves);
  Value *isNaN = builder.CreateFCmpUNO(x, x);
  Value *result =
      builder.CreateSelect(isNaN, ConstantInt::get(halves, 0x7fff), rounded);
  return builder.CreateBitCast(result, type);
}

/// Binary operations are done in f32 and rounded once, as GPUs do.
static void expandBF16(Instruction &instruction) {
  Type *type = instruction.getType();
  if (!type->getScalarType()->isBFloatTy() ||
      !isa<FPTruncInst, BinaryOperator>(instruction))
    return;
  IRBuilder<> builder(&instruction);
  Value *wide = instruction.getOperand(0);
  if (auto *operation = dyn_cast<BinaryOperator>(&instruction)) {
    Type *floats = type->getWithNewType(builder.getFloatTy());
    wide = builder.CreateBinOp(
        operation->getOpcode(), builder.CreateFPExt(wide, floats),
        builder.CreateFPExt(operation->getOperand(1), floats));
  }
  instruction.replaceAllUsesWith(truncateToBF16(builder, wide, type));
  instruction.eraseFromParent();
}

/// Where the host has no registers for bf16, code generation keeps values in
/// f32 and calls the function of compiler runtimes that rounds them, which not
/// every machine has, and which changes signalling NaNs. It needs no rounding:
/// what was bf16 has the lower half zero.
static void defineRounding(Module &module) {
  LLVMContext &context = module.getContext();
  // The result is the lower half of the register of a float.
  Type *floats = Type::getFloatTy(context);
  auto *function = cast<Function>(
      module
          .getOrInsertFunction("__truncsfbf2",
                               FunctionType::get(floats, floats, false))
          .getCallee());
  function->setVisibility(GlobalValue::HiddenVisibility);
  IRBuilder<> builder(BasicBlock::Create(context, "", function));
  Value *bits =
      builder.CreateBitCast(function->getArg(0), builder.getInt32Ty());
  builder.CreateRet(
      builder.CreateBitCast(builder.CreateLShr(bits, 16), floats));
}

//===----------------------------------------------------------------------===//
// Reports of accesses
//===----------------------------------------------------------------------===//

namespace {

struct Access {
  Value *pointer;
  Value *bytes;
  bool isWrite, isAtomic;
};

} // namespace

/// Constants cannot be written, and stacks belong to one thread.
static bool isShareable(const Value *pointer) {
  const Value *object = getUnderlyingObject(pointer);
  auto *global = dyn_cast<GlobalVariable>(object);
  return !isa<AllocaInst>(object) && !(global && global->isConstant());
}

static SmallVector<Access, 2> getAccesses(Instruction &instruction) {
  const DataLayout &layout = instruction.getDataLayout();
  auto access = [&](Value *pointer, Type *type, bool isWrite, bool isAtomic) {
    Value *bytes = ConstantInt::get(Type::getInt64Ty(type->getContext()),
                                    layout.getTypeStoreSize(type));
    return Access{pointer, bytes, isWrite, isAtomic};
  };
  if (auto *load = dyn_cast<LoadInst>(&instruction))
    return {access(load->getPointerOperand(), load->getType(), false,
                   load->isAtomic())};
  if (auto *store = dyn_cast<StoreInst>(&instruction))
    return {access(store->getPointerOperand(),
                   store->getValueOperand()->getType(), true,
                   store->isAtomic())};
  if (auto *update = dyn_cast<AtomicRMWInst>(&instruction))
    return {access(update->getPointerOperand(), update->getType(), true, true)};
  if (auto *exchange = dyn_cast<AtomicCmpXchgInst>(&instruction))
    return {access(exchange->getPointerOperand(),
                   exchange->getNewValOperand()->getType(), true, true)};
  if (auto *copy = dyn_cast<MemTransferInst>(&instruction))
    return {Access{copy->getSource(), copy->getLength(), false, false},
            Access{copy->getDest(), copy->getLength(), true, false}};
  if (auto *fill = dyn_cast<MemSetInst>(&instruction))
    return {Access{fill->getDest(), fill->getLength(), true, false}};
  return {};
}

/// Intrinsics (masked loads, say) whose accesses getAccesses does not see.
static bool hidesAccesses(const Instruction &instruction) {
  auto *intrinsic = dyn_cast<IntrinsicInst>(&instruction);
  return intrinsic && intrinsic->mayReadOrWriteMemory() &&
         !isa<MemTransferInst, MemSetInst>(intrinsic) &&
         !intrinsic->isAssumeLikeIntrinsic() &&
         any_of(intrinsic->args(), [](const Use &argument) {
           return argument->getType()->isPtrOrPtrVectorTy();
         });
}

/// Masked loads and the like are neither checked nor translated.
static Error checkAccessesAreVisible(Function &function) {
  for (Instruction &instruction : instructions(function))
    if (hidesAccesses(instruction))
      return refuse(
          function,
          "calls '" +
              cast<IntrinsicInst>(instruction).getCalledFunction()->getName() +
              "', whose accesses to memory cannot be followed");
  return Error::success();
}

static void reportAccesses(Function &function) {
  for (Instruction &instruction :
       make_early_inc_range(instructions(function))) {
    IRBuilder<> builder(&instruction);
    for (const Access &access : getAccesses(instruction))
      if (isShareable(access.pointer))
        callEmulator(
            builder, kAccess, builder.getVoidTy(),
            {access.pointer,
             builder.CreateZExtOrTrunc(access.bytes, builder.getInt64Ty()),
             builder.getInt32(access.isWrite),
             builder.getInt32(access.isAtomic)});
  }
}

//===----------------------------------------------------------------------===//
// Device memory
//===----------------------------------------------------------------------===//

/// Returns true if the instruction accesses memory at this operand.
static bool isAddressOperand(const Use &use) {
  unsigned number = use.getOperandNo();
  if (isa<StoreInst>(use.getUser()))
    return number == StoreInst::getPointerOperandIndex();
  return number == 0 || isa<MemTransferInst>(use.getUser());
}

/// Returns true if the pointer may be an address that the emulator has
/// allocated.
static bool mayBeDeviceMemory(const Value *pointer) {
  return !isa<AllocaInst, GlobalVariable>(getUnderlyingObject(pointer));
}

/// translateDeviceAddress of test/cuda-emulator/Module.h, which says why.
static Value *translate(IRBuilder<> &builder, Value *pointer) {
  Type *word = builder.getInt64Ty();
  Value *address = builder.CreatePtrToInt(pointer, word);
  Value *bit = builder.CreateAnd(builder.CreateLShr(address, 1),
                                 ConstantInt::get(word, uint64_t(1) << 44));
  return builder.CreateIntToPtr(builder.CreateOr(address, bit),
                                pointer->getType());
}

static void translateAccesses(Function &function) {
  for (Instruction &instruction :
       make_early_inc_range(instructions(function))) {
    IRBuilder<> builder(&instruction);
    for (const Access &access : getAccesses(instruction)) {
      if (!mayBeDeviceMemory(access.pointer))
        continue;
      Value *translated = translate(builder, access.pointer);
      // A value that is stored, or compared with, is not an address here.
      for (Use &use : instruction.operands())
        if (use.get() == access.pointer && isAddressOperand(use))
          use.set(translated);
    }
  }
}

//===----------------------------------------------------------------------===//
// The description of the module
//===----------------------------------------------------------------------===//

namespace {

/// Writes an EmulatedModule.
class Description {
public:
  explicit Description(Module &module)
      : module(module), word(Type::getInt64Ty(module.getContext())),
        pointer(PointerType::getUnqual(module.getContext())) {}

  void write(StringRef symbol,
             ArrayRef<std::pair<Function *, unsigned>> kernels,
             ArrayRef<GlobalVariable *> shared);

private:
  Constant *getWord(uint64_t value) { return ConstantInt::get(word, value); }

  Constant *addConstant(Constant *value) {
    return new GlobalVariable(module, value->getType(), true,
                              GlobalValue::PrivateLinkage, value);
  }

  /// A pointer to the elements, of which there may be none.
  Constant *addArray(ArrayRef<Constant *> elements) {
    if (elements.empty())
      return ConstantPointerNull::get(pointer);
    return addConstant(ConstantArray::get(
        ArrayType::get(elements[0]->getType(), elements.size()), elements));
  }

  Constant *getStruct(ArrayRef<Constant *> fields) {
    return ConstantStruct::getAnon(module.getContext(), fields);
  }

  Constant *describeKernel(Function &kernel, unsigned maxThreads);
  Function *writeCaller(Function &kernel);

  Module &module;
  IntegerType *word;
  PointerType *pointer;
};

} // namespace

/// void caller(void **arguments): each points to the value of a parameter.
Function *Description::writeCaller(Function &kernel) {
  LLVMContext &context = module.getContext();
  auto *caller = Function::Create(
      FunctionType::get(Type::getVoidTy(context), {pointer}, false),
      GlobalValue::InternalLinkage, "call_" + kernel.getName(), module);
  IRBuilder<> builder(BasicBlock::Create(context, "", caller));
  SmallVector<Value *> values;
  for (Argument &parameter : kernel.args()) {
    Value *slot = builder.CreateConstGEP1_64(pointer, caller->getArg(0),
                                             parameter.getArgNo());
    Value *value = builder.CreateLoad(pointer, slot);
    if (!parameter.hasByValAttr())
      value = builder.CreateAlignedLoad(parameter.getType(), value, Align(1));
    values.push_back(value);
  }
  builder.CreateCall(&kernel, values)
      ->setAttributes(keepHostAttributes(context, kernel.getAttributes(),
                                         kernel.arg_size()));
  builder.CreateRetVoid();
  return caller;
}

Constant *Description::describeKernel(Function &kernel, unsigned maxThreads) {
  SmallVector<Constant *> bytes;
  for (Argument &parameter : kernel.args()) {
    Type *type = parameter.hasByValAttr() ? parameter.getParamByValType()
                                          : parameter.getType();
    bytes.push_back(getWord(module.getDataLayout().getTypeStoreSize(type)));
  }
  Constant *name = addConstant(
      ConstantDataArray::getString(module.getContext(), kernel.getName()));
  return getStruct({name, writeCaller(kernel), addArray(bytes),
                    getWord(bytes.size()), getWord(maxThreads)});
}

void Description::write(StringRef symbol,
                        ArrayRef<std::pair<Function *, unsigned>> kernels,
                        ArrayRef<GlobalVariable *> shared) {
  SmallVector<Constant *> kernelRows, sharedRows;
  for (auto [kernel, maxThreads] : kernels)
    kernelRows.push_back(describeKernel(*kernel, maxThreads));
  for (GlobalVariable *buffer : shared)
    sharedRows.push_back(
        getStruct({buffer, getWord(module.getDataLayout().getTypeAllocSize(
                               buffer->getValueType()))}));
  Constant *table = getStruct({addArray(kernelRows), getWord(kernels.size()),
                               addArray(sharedRows), getWord(shared.size())});
  auto *global =
      cast<GlobalVariable>(module.getOrInsertGlobal(symbol, table->getType()));
  global->setInitializer(table);
  global->setConstant(true);
}

/// Threads that a block may have, from "x,y,z".
static unsigned getMaxThreads(const Function &kernel) {
  Attribute sizes = kernel.getFnAttribute(kMaxThreads);
  if (!sizes.isValid())
    return kBlockThreads;
  unsigned product = 1;
  for (StringRef part : split(sizes.getValueAsString(), ',')) {
    unsigned size = 0;
    part.trim().getAsInteger(10, size);
    product *= size;
  }
  return product;
}

//===----------------------------------------------------------------------===//
// retargetToHost
//===----------------------------------------------------------------------===//

Error mlir::boost::retargetToHost(llvm::Module &module,
                                  const TargetMachine &host,
                                  const HostRetargetOptions &options) {
  if (Error error = checkModule(module))
    return error;
  StripDebugInfo(module);
  for (StringRef name : {"llvm.used", "llvm.compiler.used"})
    if (GlobalVariable *list = module.getNamedGlobal(name))
      list->eraseFromParent();
  if (NamedMDNode *annotations = module.getNamedMetadata("nvvm.annotations"))
    annotations->eraseFromParent();
  lowerIntrinsics(module);
  SmallVector<GlobalVariable *> shared = AddressSpaceRemoval(module).run();
  module.setDataLayout(host.createDataLayout());
  module.setTargetTriple(host.getTargetTriple());

  SmallVector<std::pair<Function *, unsigned>> kernels;
  for (Function &function : module) {
    if (function.isDeclaration())
      continue;
    if (function.getCallingConv() == CallingConv::PTX_Kernel)
      kernels.push_back({&function, getMaxThreads(function)});
    cleanFunction(function);
    for (Instruction &instruction :
         make_early_inc_range(instructions(function)))
      expandBF16(instruction);
    if (Error error = checkAccessesAreVisible(function))
      return error;
    if (options.checkAccesses)
      reportAccesses(function);
    translateAccesses(function);
  }
  for (GlobalVariable &global : module.globals())
    if (!global.isDeclaration())
      global.setLinkage(GlobalValue::InternalLinkage);
  Description(module).write(options.symbol, kernels, shared);
  defineRounding(module);

  std::string problem;
  raw_string_ostream stream(problem);
  if (verifyModule(module, &stream))
    return createStringError("the retargeted module is not valid: " + problem);
  return Error::success();
}
