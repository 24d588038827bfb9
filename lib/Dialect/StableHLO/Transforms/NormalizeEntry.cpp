//===- NormalizeEntry.cpp - Roles and names of the loss -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Establishes what later passes rely on: one function @loss, of which every
// argument and result says what it is, under a name of its own.
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/Dialect/Boost/IR/ArgumentAttrs.h"
#include "boost-mlir/Dialect/Boost/IR/Tensors.h"
#include "boost-mlir/Dialect/StableHLO/IR/SDY.h"
#include "boost-mlir/Dialect/StableHLO/Transforms/Passes.h"
#include "boost-mlir/Dialect/StableHLO/Transforms/ShardingAnnotations.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/TypeUtilities.h"

namespace mlir::boost::stablehlo {
#define GEN_PASS_DEF_NORMALIZEENTRYPASS
#include "boost-mlir/Dialect/StableHLO/Transforms/Passes.h.inc"
} // namespace mlir::boost::stablehlo

using namespace mlir;
using namespace mlir::boost;
using namespace mlir::boost::stablehlo;

//===----------------------------------------------------------------------===//
// Foreign attributes
//===----------------------------------------------------------------------===//

static bool isForeign(StringRef name) {
  StringRef prefix = name.split('.').first;
  return prefix != name && (prefix == "jax" || prefix == "mhlo" ||
                            prefix == "tf" || prefix == "sdy");
}

static bool isSharding(StringRef name) {
  return name == "mhlo.sharding" || name.starts_with("sdy.");
}

/// Returns the attributes that are kept; sets `droppedSharding` if a sharding
/// is dropped.
static DictionaryAttr dropForeign(DictionaryAttr attrs, bool &droppedSharding) {
  if (!attrs)
    return attrs;
  SmallVector<NamedAttribute> kept;
  for (NamedAttribute attr : attrs) {
    StringRef name = attr.getName();
    if (!isForeign(name))
      kept.push_back(attr);
    else
      droppedSharding |= isSharding(name);
  }
  return DictionaryAttr::get(attrs.getContext(), kept);
}

/// Removes meshes, and annotations by their operands.
static bool dropAnnotations(ModuleOp module) {
  bool droppedSharding = false;
  module.walk([&](Operation *op) {
    auto call = dyn_cast<CustomCallOp>(op);
    auto constraint = dyn_cast<sdy::ShardingConstraintOp>(op);
    if (!isa<sdy::MeshOp>(op) && !constraint && !(call && isAnnotation(call)))
      return;
    if (call && !call.getCallTargetName().contains("Shard"))
      emitRemark(call.getLoc())
          << "'" << call.getCallTargetName()
          << "' is dropped: memory and layout are the compiler's choice";
    else
      // Beside keys of random numbers JAX writes one that names no axis.
      droppedSharding |=
          call || (constraint && constraint.getSharding().contains('"'));
    op->replaceAllUsesWith(op->getOperands());
    op->erase();
  });
  return droppedSharding;
}

static bool shards(ArrayAttr hint) {
  return hint && llvm::any_of(hint.getAsRange<ArrayAttr>(),
                              [](ArrayAttr axes) { return !axes.empty(); });
}

/// Keeps what the program says of the shardings of the arguments of its entry.
/// A program that shards none of them is one for a single device.
static void readHints(ModuleOp module, func::FuncOp entry) {
  SmallVector<ArrayAttr> hints;
  for (BlockArgument argument : entry.getArguments())
    hints.push_back(
        readShardingHint(module, entry.getArgAttrDict(argument.getArgNumber()),
                         argument.getType()));
  if (llvm::none_of(hints, shards))
    return;
  auto attrs = ArgumentAttrs::ofArguments(entry);
  for (auto [i, hint] : llvm::enumerate(hints)) {
    if (!hint)
      continue;
    attrs.remove(i, "sdy.sharding");
    attrs.remove(i, "mhlo.sharding");
    attrs.set(i, kHintAttr, hint);
  }
  attrs.write();
}

static void dropForeignAttrs(ModuleOp module) {
  bool droppedSharding = dropAnnotations(module);
  module->setDiscardableAttrs(
      dropForeign(module->getDiscardableAttrDictionary(), droppedSharding));
  module.walk([&](Operation *op) {
    if (op == module)
      return;
    op->setDiscardableAttrs(
        dropForeign(op->getDiscardableAttrDictionary(), droppedSharding));
    auto function = dyn_cast<func::FuncOp>(op);
    if (!function)
      return;
    auto drop = [&](ArrayAttr all) {
      SmallVector<DictionaryAttr> kept;
      for (auto attrs : all.getAsRange<DictionaryAttr>())
        kept.push_back(dropForeign(attrs, droppedSharding));
      return kept;
    };
    if (ArrayAttr arguments = function.getArgAttrsAttr())
      function.setAllArgAttrs(drop(arguments));
    if (ArrayAttr results = function.getResAttrsAttr())
      function.setAllResultAttrs(drop(results));
  });
  if (droppedSharding)
    emitRemark(module.getLoc(), "sharding annotations of the program are "
                                "dropped: placement decides the shardings");
}

//===----------------------------------------------------------------------===//
// Arguments and results
//===----------------------------------------------------------------------===//

/// Attributes by which programs of other tools describe an argument.
static constexpr StringRef kForeignAttrs[] = {kArgAttr, kNameAttr, kInitAttr,
                                              kDecayAttr};

/// The role that is given, or the one that the type suggests.
static FailureOr<TensorRole> readRole(BlockArgument arg,
                                      const ArgumentAttrs &attrs) {
  bool isFloat = isa<FloatType>(getElementTypeOrSelf(arg.getType()));
  Attribute given = attrs.get(arg.getArgNumber(), kArgAttr);
  if (!given)
    return isFloat ? TensorRole::Param : TensorRole::Batch;
  std::optional<TensorRole> role =
      symbolizeTensorRole(cast<StringAttr>(given).getValue());
  if (role != TensorRole::Batch && !isFloat)
    return emitError(arg.getLoc())
           << "expects parameter " << arg.getArgNumber()
           << " to be a float tensor, but got " << arg.getType();
  return *role;
}

/// The name that is given, or the position.
static FailureOr<StringAttr> readName(BlockArgument arg,
                                      const ArgumentAttrs &attrs) {
  unsigned i = arg.getArgNumber();
  Attribute given = attrs.get(i, kNameAttr);
  if (!given)
    return StringAttr::get(arg.getContext(), "arg" + Twine(i));
  auto name = cast<StringAttr>(given);
  if (name == "__metadata__")
    return emitError(arg.getLoc())
           << "expects another name for argument " << i << ": " << name
           << " is what files of tensors call their own notes";
  return name;
}

/// Reads `boost.tensor` of an argument, or the attributes of a program of
/// another tool.
static FailureOr<TensorAttr> readTensor(BlockArgument arg,
                                        const ArgumentAttrs &attrs) {
  Location loc = arg.getLoc();
  unsigned i = arg.getArgNumber();
  if (Attribute given = attrs.get(i, kTensorAttr)) {
    auto tensor = cast<TensorAttr>(given);
    for (StringRef foreign : kForeignAttrs)
      if (Attribute attr = attrs.get(i, foreign))
        return emitError(loc)
               << "expects no " << foreign << " beside " << kTensorAttr
               << " of argument " << i << ", but got " << attr;
    if (isParameter(tensor) || hasRole(tensor, TensorRole::Batch))
      return tensor;
    return emitError(loc) << "expects argument " << i
                          << " to be a parameter or batch, but got a "
                          << stringifyTensorRole(tensor.getRole());
  }
  FailureOr<TensorRole> role = readRole(arg, attrs);
  FailureOr<StringAttr> name = readName(arg, attrs);
  if (failed(role) || failed(name))
    return failure();
  auto init = cast_or_null<StringAttr>(attrs.get(i, kInitAttr));
  auto decay = cast_or_null<BoolAttr>(attrs.get(i, kDecayAttr));
  auto tensor = TensorAttr::getChecked(
      [&] { return emitError(loc); }, arg.getContext(), *role, *name,
      /*kind=*/StringAttr(), /*of=*/Attribute(), init, decay,
      /*feed=*/FeedAttr(), /*sample=*/FloatAttr(),
      /*next_sample=*/FloatAttr(), /*option=*/OptionAttr());
  if (!tensor)
    return failure();
  return tensor;
}

/// Fails on arguments that JAX passes beside those of the function: the index
/// of a platform, or the size of a dimension.
static LogicalResult refuseGlobalConstants(func::FuncOp entry) {
  for (BlockArgument arg : entry.getArguments()) {
    unsigned i = arg.getArgNumber();
    Attribute constant = entry.getArgAttr(i, "jax.global_constant");
    if (!constant)
      continue;
    auto diag = emitError(arg.getLoc())
                << "expects the arguments of the loss, but argument " << i
                << " is " << constant << ", which JAX passes";
    diag.attachNote() << "export the loss with fixed sizes and for one "
                         "platform; python -m boost_mlir.import_artifact "
                         "chooses one from an artifact of several";
    return diag;
  }
  return success();
}

/// Programs read and keep tensors of these types only.
static LogicalResult checkType(BlockArgument arg, StringAttr name) {
  Type element = getElementTypeOrSelf(arg.getType());
  if (element.isF32() || element.isF64() || element.isBF16() || element.isF16())
    return success();
  if (auto integer = dyn_cast<IntegerType>(element))
    if (llvm::is_contained({1u, 8u, 16u, 32u, 64u}, integer.getWidth()))
      return success();
  auto diag = emitError(arg.getLoc())
              << "expects argument " << name
              << " of element type f32, f64, bf16, f16, i1 or an integer of 8, "
                 "16, 32 or 64 bits, but got "
              << element;
  diag.attachNote() << "pass it in a wider type and convert it in the loss";
  return diag;
}

/// Makes every argument say what it is, in one attribute.
static LogicalResult normalizeArguments(func::FuncOp function) {
  auto attrs = ArgumentAttrs::ofArguments(function);
  for (BlockArgument arg : function.getArguments()) {
    FailureOr<TensorAttr> tensor = readTensor(arg, attrs);
    if (failed(tensor) || failed(checkType(arg, tensor->getName())))
      return failure();
    for (StringRef foreign : kForeignAttrs)
      attrs.remove(arg.getArgNumber(), foreign);
    attrs.set(arg.getArgNumber(), kTensorAttr, *tensor);
  }
  attrs.write();
  return success();
}

/// Names the scalar float result `loss`, others by position.
static LogicalResult normalizeResults(func::FuncOp function) {
  SmallVector<unsigned> losses;
  for (auto [i, type] : llvm::enumerate(function.getResultTypes())) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    if (tensor && tensor.getRank() == 0 &&
        isa<FloatType>(tensor.getElementType()))
      losses.push_back(i);
  }
  if (losses.size() != 1) {
    auto diag = emitError(function.getLoc())
                << "expects the loss to return exactly one scalar float, but "
                   "its results are ("
                << function.getResultTypes() << ")";
    diag.attachNote() << "export a function that returns the mean loss alone";
    return diag;
  }
  unsigned outputs = 0;
  auto attrs = ArgumentAttrs::ofResults(function);
  for (unsigned i = 0; i < function.getNumResults(); ++i) {
    bool isLoss = i == losses.front();
    std::string name =
        isLoss ? kLossFunction.str() : "out" + std::to_string(outputs++);
    attrs.remove(i, kNameAttr);
    attrs.set(i, kTensorAttr,
              TensorAttr::get(isLoss ? TensorRole::Loss : TensorRole::Output,
                              StringAttr::get(function.getContext(), name)));
  }
  attrs.write();
  return success();
}

//===----------------------------------------------------------------------===//
// Pass
//===----------------------------------------------------------------------===//

/// The one public function of a module.
static FailureOr<func::FuncOp> findEntry(ModuleOp module) {
  SmallVector<func::FuncOp> entries;
  for (auto function : module.getOps<func::FuncOp>())
    if (function.isPublic())
      entries.push_back(function);
  if (entries.size() == 1)
    return entries.front();
  auto diag = emitError(module.getLoc())
              << "expects exactly one public function, the loss, but got "
              << entries.size();
  for (func::FuncOp function : entries)
    diag.attachNote(function.getLoc())
        << "'" << function.getName() << "' is public";
  return diag;
}

namespace {

struct NormalizeEntryPass
    : stablehlo::impl::NormalizeEntryPassBase<NormalizeEntryPass> {
  using NormalizeEntryPassBase::NormalizeEntryPassBase;

  void runOnOperation() override {
    if (failed(normalize(getOperation())))
      signalPassFailure();
  }

  LogicalResult normalize(ModuleOp module) {
    FailureOr<func::FuncOp> entry = findEntry(module);
    if (failed(entry) || failed(checkNumArguments(*entry)) ||
        failed(refuseGlobalConstants(*entry)))
      return failure();
    readHints(module, *entry);
    dropForeignAttrs(module);
    if (failed(normalizeArguments(*entry)) ||
        failed(normalizeResults(*entry)) || failed(verifyTensorNames(*entry)))
      return failure();
    return rename(module, *entry);
  }

  /// Each argument costs every stage and the program's start some time.
  LogicalResult checkNumArguments(func::FuncOp entry) {
    if (entry.getNumArguments() <= maxArguments)
      return success();
    auto diag = emitError(entry.getLoc())
                << "expects at most " << maxArguments.getValue()
                << " arguments of the loss, but got "
                << entry.getNumArguments();
    diag.attachNote() << "stack parameters of one shape, and let the loss take "
                         "slices of them";
    return diag;
  }

  /// Calls the entry @loss; a private function of that name makes room.
  static LogicalResult rename(ModuleOp module, func::FuncOp entry) {
    if (entry.getName() == kLossFunction)
      return success();
    SymbolTable symbols(module);
    if (Operation *taken = symbols.lookup(kLossFunction))
      if (failed(symbols.renameToUnique(taken, {&symbols})))
        return failure();
    return symbols.rename(entry, kLossFunction);
  }
};

} // namespace
