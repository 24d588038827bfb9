//===- HostIntrinsics.cpp - NVPTX intrinsics for an emulator --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pure arithmetic becomes host code where LLVM has it; the rest becomes calls.
//
//===----------------------------------------------------------------------===//

#include "HostIntrinsics.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/IR/Module.h"

#include <optional>

using namespace llvm;
using namespace mlir::boost;

static constexpr StringLiteral kIntrinsicPrefix = "llvm.nvvm.";
static constexpr StringLiteral kEmulatorPrefix = "boost_emu_";

/// Intrinsics that become a call of the emulator's function of this name.
/// Without `.ftz`: flushing is done around the call.
static constexpr StringLiteral kEmulated[] = {
    "read.ptx.sreg.tid.x",
    "read.ptx.sreg.tid.y",
    "read.ptx.sreg.tid.z",
    "read.ptx.sreg.ntid.x",
    "read.ptx.sreg.ntid.y",
    "read.ptx.sreg.ntid.z",
    "read.ptx.sreg.ctaid.x",
    "read.ptx.sreg.ctaid.y",
    "read.ptx.sreg.ctaid.z",
    "read.ptx.sreg.nctaid.x",
    "read.ptx.sreg.nctaid.y",
    "read.ptx.sreg.nctaid.z",
    "read.ptx.sreg.laneid",
    "read.ptx.sreg.warpsize",
    "barrier.cta.sync.all",
    "barrier.cta.sync.count",
    "barrier.cta.sync.aligned.all",
    "barrier.cta.sync.aligned.count",
    "bar.warp.sync",
    "vote.all.sync",
    "vote.any.sync",
    "vote.uni.sync",
    "vote.ballot.sync",
    "cp.async.commit.group",
    "cp.async.wait.group",
    "cp.async.wait.all",
    "ex2.approx.f32",
    "lg2.approx.f",
    "rsqrt.approx.f",
    "rcp.approx.f",
    "rcp.approx.d",
    "sqrt.approx.f",
    "sin.approx.f",
    "cos.approx.f",
    "div.approx.f",
    "add.rz.f",
    "add.rm.f",
    "add.rp.f",
    "mul.rz.f",
    "mul.rm.f",
    "mul.rp.f",
    "fma.rz.f",
    "fma.rm.f",
    "fma.rp.f",
};

/// Shuffles of words; other forms of the intrinsics become these.
static constexpr StringLiteral kShuffles[] = {
    "shfl.sync.bfly", "shfl.sync.up", "shfl.sync.down", "shfl.sync.idx"};

/// Asynchronous copies, of so many bytes; with `.s`, how many there are.
static constexpr StringLiteral kCopy = "cp.async";
static constexpr StringLiteral kCopies[] = {
    "cp.async.ca.shared.global.4", "cp.async.ca.shared.global.8",
    "cp.async.ca.shared.global.16", "cp.async.cg.shared.global.16"};

/// Instructions on fragments in assembly.
static constexpr StringLiteral kLoadMatrix = "ldmatrix", kMultiply = "mma";

static std::string getEmulatorName(StringRef intrinsic) {
  std::string name = (kEmulatorPrefix + intrinsic).str();
  llvm::replace(name, '.', '_');
  return name;
}

/// x or, for subnormal numbers, a zero of its sign.
static Value *flush(IRBuilder<> &builder, Value *x) {
  if (!x->getType()->isFloatTy())
    return x;
  Value *magnitude = builder.CreateUnaryIntrinsic(Intrinsic::fabs, x);
  Constant *smallest = ConstantFP::get(
      x->getType(), APFloat::getSmallestNormalized(APFloat::IEEEsingle()));
  Value *zero = builder.CreateCopySign(ConstantFP::get(x->getType(), 0.0), x);
  return builder.CreateSelect(builder.CreateFCmpOLT(magnitude, smallest), zero,
                              x);
}

/// `name` is like f2i.rn. PTX clamps, and NaN becomes 0: as the intrinsics do.
static Value *expandConversion(IRBuilder<> &builder, StringRef name,
                               ArrayRef<Value *> args) {
  Intrinsic::ID round = StringSwitch<Intrinsic::ID>(name.take_back(2))
                            .Case("rn", Intrinsic::roundeven)
                            .Case("rm", Intrinsic::floor)
                            .Case("rp", Intrinsic::ceil)
                            .Default(Intrinsic::trunc);
  Intrinsic::ID convert =
      name.starts_with("f2ui") ? Intrinsic::fptoui_sat : Intrinsic::fptosi_sat;
  return builder.CreateIntrinsic(
      convert, {builder.getInt32Ty(), args[0]->getType()},
      {builder.CreateUnaryIntrinsic(round, args[0])});
}

/// An intrinsic of NVPTX that is one of LLVM's.
static Intrinsic::ID getCommonIntrinsic(StringRef name) {
  return StringSwitch<Intrinsic::ID>(name)
      .Cases({"fabs.f32", "fabs.f64"}, Intrinsic::fabs)
      .Cases({"fma.rn.f", "fma.rn.d"}, Intrinsic::fma)
      .Cases({"sqrt.rn.f", "sqrt.rn.d"}, Intrinsic::sqrt)
      .Cases({"floor.f", "floor.d"}, Intrinsic::floor)
      .Cases({"ceil.f", "ceil.d"}, Intrinsic::ceil)
      .Cases({"trunc.f", "trunc.d"}, Intrinsic::trunc)
      .Cases({"round.f", "round.d"}, Intrinsic::roundeven)
      .Cases({"fmin.f", "fmin.d"}, Intrinsic::minimumnum)
      .Cases({"fmax.f", "fmax.d"}, Intrinsic::maximumnum)
      .Default(Intrinsic::not_intrinsic);
}

using Expansion = Value *(*)(IRBuilder<> &, StringRef, ArrayRef<Value *>);

static Value *expandCommon(IRBuilder<> &builder, StringRef name,
                           ArrayRef<Value *> args) {
  return builder.CreateIntrinsic(args[0]->getType(), getCommonIntrinsic(name),
                                 args);
}

/// PTX: NaN becomes +0.
static Value *expandSaturate(IRBuilder<> &builder, StringRef,
                             ArrayRef<Value *> args) {
  Value *x = args[0];
  Constant *zero = ConstantFP::get(x->getType(), 0.0);
  Constant *one = ConstantFP::get(x->getType(), 1.0);
  Value *below = builder.CreateSelect(builder.CreateFCmpOLT(x, one), x, one);
  return builder.CreateSelect(builder.CreateFCmpOGT(x, zero), below, zero);
}

static Value *expandReciprocal(IRBuilder<> &builder, StringRef,
                               ArrayRef<Value *> args) {
  Constant *one = ConstantFP::get(args[0]->getType(), 1.0);
  return builder.CreateFDiv(one, args[0]);
}

template <Instruction::BinaryOps operation>
static Value *expandBinary(IRBuilder<> &builder, StringRef,
                           ArrayRef<Value *> args) {
  return builder.CreateBinOp(operation, args[0], args[1]);
}

/// The high half of a product.
template <Instruction::CastOps extend>
static Value *expandHighProduct(IRBuilder<> &builder, StringRef,
                                ArrayRef<Value *> args) {
  Type *type = args[0]->getType();
  unsigned width = type->getIntegerBitWidth();
  Type *wide = builder.getIntNTy(2 * width);
  Value *product = builder.CreateMul(builder.CreateCast(extend, args[0], wide),
                                     builder.CreateCast(extend, args[1], wide));
  return builder.CreateTrunc(builder.CreateLShr(product, width), type);
}

/// A half of the bits of a double: `name` is d2i.lo or d2i.hi.
static Value *expandHalf(IRBuilder<> &builder, StringRef name,
                         ArrayRef<Value *> args) {
  Value *bits = builder.CreateBitCast(args[0], builder.getInt64Ty());
  if (name.ends_with("hi"))
    bits = builder.CreateLShr(bits, 32);
  return builder.CreateTrunc(bits, builder.getInt32Ty());
}

/// A double of its low and its high half.
static Value *expandJoin(IRBuilder<> &builder, StringRef,
                         ArrayRef<Value *> args) {
  Type *wide = builder.getInt64Ty();
  Value *high = builder.CreateShl(builder.CreateZExt(args[1], wide), 32);
  Value *bits = builder.CreateOr(builder.CreateZExt(args[0], wide), high);
  return builder.CreateBitCast(bits, builder.getDoubleTy());
}

/// Returns the expansion of an intrinsic of pure arithmetic into host code;
/// null if it is not one.
static Expansion findExpansion(StringRef name) {
  if (getCommonIntrinsic(name) != Intrinsic::not_intrinsic)
    return expandCommon;
  return StringSwitch<Expansion>(name)
      .Cases({"add.rn.f", "add.rn.d"}, expandBinary<Instruction::FAdd>)
      .Cases({"mul.rn.f", "mul.rn.d"}, expandBinary<Instruction::FMul>)
      .Cases({"div.rn.f", "div.rn.d"}, expandBinary<Instruction::FDiv>)
      .Cases({"rcp.rn.f", "rcp.rn.d"}, expandReciprocal)
      .Case("saturate.f", expandSaturate)
      .Cases({"d2i.lo", "d2i.hi"}, expandHalf)
      .Case("lohi.i2d", expandJoin)
      .Cases({"mulhi.i", "mulhi.ll"}, expandHighProduct<Instruction::SExt>)
      .Cases({"mulhi.ui", "mulhi.ull"}, expandHighProduct<Instruction::ZExt>)
      .Cases({"f2i.rn", "f2i.rz", "f2i.rm", "f2i.rp"}, expandConversion)
      .Cases({"f2ui.rn", "f2ui.rz", "f2ui.rm", "f2ui.rp"}, expandConversion)
      .Default(nullptr);
}

/// The emulator's shuffle for an intrinsic like shfl.sync.up.f32p, or "".
static StringRef getShuffle(StringRef name) {
  auto [shuffle, type] = name.rsplit('.');
  bool isKnown = is_contained(kShuffles, shuffle) &&
                 is_contained({"i32", "f32", "i32p", "f32p"}, type);
  return isKnown ? shuffle : "";
}

/// The name in the tables above; `flushes` says whether there was an `.ftz`.
static std::string getPlainName(const Function &intrinsic, bool &flushes) {
  StringRef name = intrinsic.getName();
  name.consume_front(kIntrinsicPrefix);
  size_t at = name.find(".ftz");
  flushes = at != StringRef::npos;
  if (!flushes)
    return name.str();
  return (name.take_front(at) + name.drop_front(at + 4)).str();
}

/// Bytes of an asynchronous copy; 0 for other intrinsics.
static unsigned getCopyBytes(StringRef name) {
  name.consume_back(".s");
  unsigned bytes = 0;
  if (is_contained(kCopies, name))
    name.rsplit('.').second.getAsInteger(10, bytes);
  return bytes;
}

bool mlir::boost::isKnownIntrinsic(const Function &intrinsic) {
  bool flushes;
  std::string name = getPlainName(intrinsic, flushes);
  return is_contained(kEmulated, name) || !getShuffle(name).empty() ||
         findExpansion(name) || getCopyBytes(name) != 0;
}

CallInst *mlir::boost::callEmulator(IRBuilder<> &builder, StringRef name,
                                    llvm::Type *result,
                                    ArrayRef<llvm::Value *> args) {
  SmallVector<llvm::Type *> types;
  for (llvm::Value *arg : args)
    types.push_back(arg->getType());
  auto *type = llvm::FunctionType::get(result, types, false);
  llvm::Module *module = builder.GetInsertBlock()->getModule();
  return builder.CreateCall(module->getOrInsertFunction(name, type), args);
}

/// Calls the emulator's function, whose types are those of C: bits are passed
/// as words.
static Value *emulate(IRBuilder<> &builder, StringRef name, Type *result,
                      ArrayRef<Value *> args) {
  SmallVector<Value *> words;
  for (Value *arg : args)
    words.push_back(arg->getType()->isIntegerTy(1)
                        ? builder.CreateZExt(arg, builder.getInt32Ty())
                        : arg);
  bool isBit = result->isIntegerTy(1);
  Value *value = callEmulator(builder, getEmulatorName(name),
                              isBit ? builder.getInt32Ty() : result, words);
  return isBit ? builder.CreateTrunc(value, result) : value;
}

/// Arguments are (to, from), maybe followed by the bytes that there are.
static Value *emulateCopy(IRBuilder<> &builder, unsigned bytes,
                          ArrayRef<Value *> args) {
  Value *all = builder.getInt32(bytes);
  Value *present = args.size() == 3 ? args[2] : all;
  auto flatten = [&](Value *pointer) {
    return builder.CreateAddrSpaceCast(pointer, builder.getPtrTy());
  };
  return callEmulator(builder, getEmulatorName(kCopy), builder.getVoidTy(),
                      {flatten(args[0]), flatten(args[1]), all, present});
}

/// The emulator returns the word and, above it, the predicate: structures would
/// follow the C++ ABI there and not here.
static Value *emulateShuffle(IRBuilder<> &builder, StringRef name, Type *result,
                             ArrayRef<Value *> args) {
  SmallVector<Value *> words(args);
  words[1] = builder.CreateBitCast(args[1], builder.getInt32Ty());
  Value *both =
      callEmulator(builder, getEmulatorName(name), builder.getInt64Ty(), words);
  Value *value = builder.CreateBitCast(
      builder.CreateTrunc(both, builder.getInt32Ty()), args[1]->getType());
  if (!result->isStructTy())
    return value;
  Value *predicate =
      builder.CreateTrunc(builder.CreateLShr(both, 32), builder.getInt1Ty());
  Value *pair = builder.CreateInsertValue(PoisonValue::get(result), value, 0);
  return builder.CreateInsertValue(pair, predicate, 1);
}

static void lowerIntrinsic(CallInst &call, unsigned site) {
  bool flushes;
  std::string name = getPlainName(*call.getCalledFunction(), flushes);
  IRBuilder<> builder(&call);
  SmallVector<Value *> args(call.args());
  if (flushes)
    for (Value *&arg : args)
      arg = flush(builder, arg);
  // An aligned barrier must be the same one for all lanes of a warp.
  if (StringRef(name).starts_with("barrier."))
    args.push_back(builder.getInt32(site));
  Value *result;
  if (Expansion expand = findExpansion(name))
    result = expand(builder, name, args);
  else if (unsigned bytes = getCopyBytes(name))
    result = emulateCopy(builder, bytes, args);
  else if (StringRef shuffle = getShuffle(name); !shuffle.empty())
    result = emulateShuffle(builder, shuffle, call.getType(), args);
  else
    result = emulate(builder, name, call.getType(), args);
  if (flushes)
    result = flush(builder, result);
  if (!call.getType()->isVoidTy())
    call.replaceAllUsesWith(result);
  call.eraseFromParent();
}

/// A product of words and a word, as a low and a high word.
static constexpr StringLiteral kMultiplyAdd =
    "{ mad.lo.cc.u32 $0, $2, $3, $4; madc.hi.u32 $1, $2, $3, 0; }";

/// The reciprocal in libdevice's tanh.
static constexpr StringLiteral kReciprocal = "rcp.approx.ftz.f32 $0,$1;";

static bool isAssembly(const InlineAsm &assembly, StringRef text,
                       StringRef constraints) {
  SmallVector<StringRef> words;
  SplitString(assembly.getAsmString(), words);
  return join(words, " ") == text &&
         assembly.getConstraintString() == constraints;
}

/// The runtime's kernels make numbers opaque to the compiler by a move.
static bool isMove(const InlineAsm &assembly) {
  return isAssembly(assembly, "mov.b32 $0, $1;", "=r,r") ||
         isAssembly(assembly, "mov.b64 $0, $1;", "=l,l");
}

static bool isReciprocal(const InlineAsm &assembly) {
  return isAssembly(assembly, kReciprocal, "=f,f");
}

//===----------------------------------------------------------------------===//
// Fragments of matrices
//===----------------------------------------------------------------------===//

namespace {

/// An operation of a warp on matrices, in the emulator's terms
/// (test/cuda-emulator/Fragments.cpp).
struct MatrixOperation {
  StringRef name;
  /// For loads, the number of matrices and 1 if they are transposed; for
  /// products, the index of their type.
  SmallVector<uint32_t, 2> options;
};

} // namespace

/// Types of products, as the emulator counts them.
static constexpr StringLiteral kMatrixTypes[] = {"bf16", "f16"};

/// "{$0, $1}" of two registers from the first.
static std::string printRegisters(unsigned first, unsigned count) {
  std::string text;
  for (unsigned i = first; i < first + count; ++i)
    text += (i == first ? "{$" : ", $") + std::to_string(i);
  return text + "}";
}

static bool isLoadMatrix(const InlineAsm &assembly, unsigned count,
                         bool isTransposed) {
  std::string constraints;
  for (unsigned i = 0; i < count; ++i)
    constraints += "=r,";
  std::string text = "ldmatrix.sync.aligned.m8n8.x" + std::to_string(count) +
                     (isTransposed ? ".trans" : "") + ".shared.b16 " +
                     printRegisters(0, count) + ", [$" + std::to_string(count) +
                     "];";
  return isAssembly(assembly, text, constraints + "r,~{memory}");
}

/// D = A B + D.
static bool isMultiply(const InlineAsm &assembly, StringRef type) {
  std::string sums = printRegisters(0, 4);
  std::string text = ("mma.sync.aligned.m16n8k16.row.col.f32." + type + "." +
                      type + ".f32 " + sums + ", " + printRegisters(4, 4) +
                      ", " + printRegisters(8, 2) + ", " + sums + ";")
                         .str();
  return isAssembly(assembly, text, "=f,=f,=f,=f,r,r,r,r,r,r,0,1,2,3");
}

/// Nothing if the emulator does not know it.
static std::optional<MatrixOperation>
parseMatrixAssembly(const InlineAsm &assembly) {
  for (unsigned count : {1, 2, 4})
    for (bool isTransposed : {false, true})
      if (isLoadMatrix(assembly, count, isTransposed))
        return MatrixOperation{kLoadMatrix, {count, isTransposed}};
  for (uint32_t type = 0; type < 2; ++type)
    if (isMultiply(assembly, kMatrixTypes[type]))
      return MatrixOperation{kMultiply, {type}};
  return std::nullopt;
}

/// Words of a lane that travel to the emulator or come from it: a, b and c of a
/// product, then its result.
static constexpr unsigned kFragmentWords = 16, kResultWord = 12;

/// On the stack, one for all operations of a function.
static Value *getFragmentBuffer(Function &function) {
  static constexpr StringLiteral name = "fragments";
  BasicBlock &entry = function.getEntryBlock();
  if (auto *buffer = dyn_cast<AllocaInst>(&entry.front());
      buffer && buffer->getName() == name)
    return buffer;
  IRBuilder<> builder(&entry, entry.begin());
  return builder.CreateAlloca(
      ArrayType::get(builder.getInt32Ty(), kFragmentWords), nullptr, name);
}

static Value *getWord(IRBuilder<> &builder, Value *buffer, unsigned index) {
  return builder.CreateConstGEP1_32(builder.getInt32Ty(), buffer, index);
}

static void putFragments(IRBuilder<> &builder, Value *buffer,
                         ArrayRef<Value *> values) {
  for (auto [i, value] : enumerate(values))
    builder.CreateStore(value, getWord(builder, buffer, i));
}

static Value *takeFragment(IRBuilder<> &builder, Value *buffer, Type *type) {
  if (!type->isStructTy())
    return builder.CreateLoad(type, getWord(builder, buffer, kResultWord));
  Value *fragment = PoisonValue::get(type);
  for (auto [i, part] : enumerate(type->subtypes())) {
    Value *word =
        builder.CreateLoad(part, getWord(builder, buffer, kResultWord + i));
    fragment = builder.CreateInsertValue(fragment, word, i);
  }
  return fragment;
}

/// Loads are (address), products (words of a, b and c...).
static void lowerMatrixAssembly(CallInst &call,
                                const MatrixOperation &operation) {
  IRBuilder<> builder(&call);
  Value *buffer = getFragmentBuffer(*call.getFunction());
  SmallVector<Value *> words(call.args()), args = {buffer};
  if (operation.name == kLoadMatrix)
    args.push_back(words.pop_back_val());
  putFragments(builder, buffer, words);
  for (uint32_t option : operation.options)
    args.push_back(builder.getInt32(option));
  callEmulator(builder, getEmulatorName(operation.name), builder.getVoidTy(),
               args);
  call.replaceAllUsesWith(takeFragment(builder, buffer, call.getType()));
  call.eraseFromParent();
}

//===----------------------------------------------------------------------===//
// Assembly
//===----------------------------------------------------------------------===//

bool mlir::boost::isKnownAssembly(const InlineAsm &assembly) {
  return isReciprocal(assembly) || isMove(assembly) ||
         parseMatrixAssembly(assembly) ||
         isAssembly(assembly, kMultiplyAdd, "=r,=r,r,r,r");
}

static void lowerMove(CallInst &call) {
  call.replaceAllUsesWith(call.getArgOperand(0));
  call.eraseFromParent();
}

static void lowerReciprocal(CallInst &call) {
  IRBuilder<> builder(&call);
  Value *argument = flush(builder, call.getArgOperand(0));
  Value *result = emulate(builder, "rcp.approx.f", call.getType(), {argument});
  call.replaceAllUsesWith(flush(builder, result));
  call.eraseFromParent();
}

static void lowerMultiplyAdd(CallInst &call) {
  IRBuilder<> builder(&call);
  auto extend = [&](unsigned number) {
    return builder.CreateZExt(call.getArgOperand(number), builder.getInt64Ty());
  };
  Value *sum =
      builder.CreateAdd(builder.CreateMul(extend(0), extend(1)), extend(2));
  Type *word = builder.getInt32Ty();
  Value *pair = builder.CreateInsertValue(PoisonValue::get(call.getType()),
                                          builder.CreateTrunc(sum, word), 0);
  Value *high = builder.CreateTrunc(builder.CreateLShr(sum, 32), word);
  call.replaceAllUsesWith(builder.CreateInsertValue(pair, high, 1));
  call.eraseFromParent();
}

bool mlir::boost::isDeviceIntrinsic(const Function &function) {
  return function.getName().starts_with(kIntrinsicPrefix);
}

void mlir::boost::lowerIntrinsics(llvm::Module &module) {
  unsigned site = 0;
  for (Function &function : make_early_inc_range(module)) {
    if (!isDeviceIntrinsic(function))
      continue;
    for (User *user : make_early_inc_range(function.users()))
      lowerIntrinsic(cast<CallInst>(*user), site++);
    function.eraseFromParent();
  }
  for (Function &function : module)
    for (Instruction &instruction :
         make_early_inc_range(instructions(function)))
      if (auto *call = dyn_cast<CallInst>(&instruction);
          call && call->isInlineAsm()) {
        const auto &assembly = *cast<InlineAsm>(call->getCalledOperand());
        if (auto operation = parseMatrixAssembly(assembly))
          lowerMatrixAssembly(*call, *operation);
        else if (isMove(assembly))
          lowerMove(*call);
        else if (isReciprocal(assembly))
          lowerReciprocal(*call);
        else
          lowerMultiplyAdd(*call);
      }
}

SmallVector<std::string> mlir::boost::getIntrinsicFunctions() {
  SmallVector<std::string> names;
  for (StringRef name : kEmulated)
    names.push_back(getEmulatorName(name));
  for (StringRef name : kShuffles)
    names.push_back(getEmulatorName(name));
  for (StringRef name : {kCopy, kLoadMatrix, kMultiply})
    names.push_back(getEmulatorName(name));
  return names;
}
