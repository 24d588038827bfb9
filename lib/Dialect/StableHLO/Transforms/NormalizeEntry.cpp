//===- NormalizeEntry.cpp - Roles and names of the loss -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Establishes what later passes rely on: one function @loss, every argument
// with a role and a unique name.
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/Dialect/Boost/IR/ArgumentAttrs.h"
#include "boost-mlir/Dialect/Boost/IR/BoostAttrNames.h"
#include "boost-mlir/Dialect/StableHLO/IR/SDY.h"
#include "boost-mlir/Dialect/StableHLO/Transforms/Passes.h"
#include "boost-mlir/Dialect/StableHLO/Transforms/ShardingAnnotations.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/ConvertUTF.h"

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

/// What stays of a dictionary; sets `droppedSharding` if a sharding goes.
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
    if (!isa<sdy::MeshOp, sdy::ShardingConstraintOp>(op) &&
        !(call && isAnnotation(call)))
      return;
    if (call && !call.getCallTargetName().contains("Shard"))
      emitRemark(call.getLoc())
          << "'" << call.getCallTargetName()
          << "' is dropped: memory and layout are the compiler's choice";
    else
      droppedSharding |= !isa<sdy::MeshOp>(op);
    op->replaceAllUsesWith(op->getOperands());
    op->erase();
  });
  return droppedSharding;
}

static bool cuts(ArrayAttr hint) {
  return hint && llvm::any_of(hint.getAsRange<ArrayAttr>(),
                              [](ArrayAttr axes) { return !axes.empty(); });
}

/// Keeps what the program says of the shardings of the arguments of its entry.
/// A program that cuts none of them is one for a single device.
static void readHints(ModuleOp module, func::FuncOp entry) {
  SmallVector<ArrayAttr> hints;
  for (BlockArgument argument : entry.getArguments())
    hints.push_back(
        readShardingHint(module, entry.getArgAttrDict(argument.getArgNumber()),
                         argument.getType()));
  if (llvm::none_of(hints, cuts))
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

/// Checks a role that is there, or sets the one that the type suggests.
static LogicalResult normalizeRole(func::FuncOp function, unsigned i,
                                   ArgumentAttrs &attrs) {
  Location loc = function.getArgument(i).getLoc();
  bool isFloat =
      isa<FloatType>(getElementTypeOrSelf(function.getArgument(i).getType()));
  Attribute given = attrs.get(i, kArgAttr);
  if (!given) {
    attrs.set(i, kArgAttr,
              StringAttr::get(function.getContext(),
                              isFloat ? kParamArg : kBatchArg));
    return success();
  }
  auto role = dyn_cast<StringAttr>(given);
  if (!role || (role != kParamArg && role != kBatchArg))
    return emitError(loc) << "expects " << kArgAttr << " of argument " << i
                          << " to be \"param\" or \"batch\", but got " << given;
  if (role == kParamArg && !isFloat)
    return emitError(loc) << "expects parameter " << i
                          << " to be a float tensor, but got "
                          << function.getArgument(i).getType();
  return success();
}

/// Whether the training step has a tensor of its own under this name.
static bool isReservedName(StringRef name) {
  StringRef number = name;
  if (number.consume_front("out") && !number.empty() &&
      llvm::all_of(number, llvm::isDigit))
    return true;
  // Files of tensors keep their own notes under __metadata__.
  return llvm::is_contained(
             {"loss", "grad_norm", "lr", "step", "clip_norm", "__metadata__"},
             name) ||
         name.starts_with("grad.") || name.starts_with("adamw.") ||
         name.starts_with("acc.");
}

static bool isUTF8(StringRef text) {
  const auto *begin = reinterpret_cast<const llvm::UTF8 *>(text.begin());
  const auto *end = reinterpret_cast<const llvm::UTF8 *>(text.end());
  return llvm::isLegalUTF8String(&begin, end);
}

/// Names reach JSON and safetensors, and the step adds some of its own.
static LogicalResult checkName(Location loc, unsigned i, StringAttr name) {
  if (!isUTF8(name.getValue()))
    return emitError(loc) << "expects " << kNameAttr << " of argument " << i
                          << " to be UTF-8, but got " << name;
  if (!isReservedName(name.getValue()))
    return success();
  auto diag = emitError(loc)
              << "expects another name for argument " << i << ": " << name
              << " is what the training step, or a file of tensors, calls "
                 "something of its own";
  diag.attachNote() << "reserved are loss, outN, grad_norm, lr, step, "
                       "clip_norm, __metadata__, and what begins with grad., "
                       "adamw. or acc.";
  return diag;
}

/// Programs read and keep tensors of these types only.
static LogicalResult checkType(BlockArgument arg, StringAttr name) {
  Type element = getElementTypeOrSelf(arg.getType());
  if (element.isF32() || element.isF64() || element.isBF16() || element.isF16())
    return success();
  if (auto integer = dyn_cast<IntegerType>(element))
    if (llvm::is_contained({1u, 8u, 32u, 64u}, integer.getWidth()))
      return success();
  auto diag = emitError(arg.getLoc())
              << "expects argument " << name
              << " of element type f32, f64, bf16, f16, i1 or an integer of 8, "
                 "32 or 64 bits, but got "
              << element;
  diag.attachNote() << "pass it in a wider type and convert it in the loss";
  return diag;
}

/// Names for unnamed arguments, and a check that none occurs twice.
static LogicalResult normalizeNames(func::FuncOp function,
                                    ArgumentAttrs &attrs) {
  llvm::StringMap<unsigned> seen;
  for (unsigned i = 0; i < function.getNumArguments(); ++i) {
    Location loc = function.getArgument(i).getLoc();
    if (!attrs.get(i, kNameAttr))
      attrs.set(i, kNameAttr,
                StringAttr::get(function.getContext(), "arg" + Twine(i)));
    auto name = dyn_cast<StringAttr>(attrs.get(i, kNameAttr));
    if (!name || name.empty())
      return emitError(loc) << "expects " << kNameAttr << " of argument " << i
                            << " to be a non-empty string, but got "
                            << attrs.get(i, kNameAttr);
    if (failed(checkName(loc, i, name)) ||
        failed(checkType(function.getArgument(i), name)))
      return failure();
    auto [other, isNew] = seen.try_emplace(name.getValue(), i);
    if (!isNew) {
      auto diag = emitError(loc)
                  << "expects unique names, but arguments " << other->second
                  << " and " << i << " are both called " << name;
      diag.attachNote(function.getArgument(other->second).getLoc())
          << "the other argument is here";
      return diag;
    }
  }
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
  for (unsigned i = 0; i < function.getNumResults(); ++i) {
    std::string name = i == losses.front() ? kLossFunction.str()
                                           : "out" + std::to_string(outputs++);
    function.setResultAttr(i, kNameAttr,
                           StringAttr::get(function.getContext(), name));
  }
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
  void runOnOperation() override {
    if (failed(normalize(getOperation())))
      signalPassFailure();
  }

  static LogicalResult normalize(ModuleOp module) {
    FailureOr<func::FuncOp> entry = findEntry(module);
    if (failed(entry))
      return failure();
    readHints(module, *entry);
    dropForeignAttrs(module);
    auto attrs = ArgumentAttrs::ofArguments(*entry);
    for (unsigned i = 0; i < entry->getNumArguments(); ++i)
      if (failed(normalizeRole(*entry, i, attrs)))
        return failure();
    if (failed(normalizeNames(*entry, attrs)))
      return failure();
    attrs.write();
    if (failed(normalizeResults(*entry)))
      return failure();
    return rename(module, *entry);
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
