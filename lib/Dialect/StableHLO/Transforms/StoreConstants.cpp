//===- StoreConstants.cpp - Large constants become arguments --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/Dialect/Boost/IR/Constants.h"
#include "boost-mlir/Dialect/Boost/IR/Parts.h"
#include "boost-mlir/Dialect/Boost/IR/Schedule.h"
#include "boost-mlir/Dialect/Boost/IR/Tensors.h"
#include "boost-mlir/Dialect/StableHLO/IR/StableHLO.h"
#include "boost-mlir/Dialect/StableHLO/IR/Triangle.h"
#include "boost-mlir/Dialect/StableHLO/Transforms/Passes.h"
#include "boost-mlir/Support/TensorTypes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringSet.h"

namespace mlir::boost::stablehlo {
#define GEN_PASS_DEF_STORECONSTANTSPASS
#include "boost-mlir/Dialect/StableHLO/Transforms/Passes.h.inc"
} // namespace mlir::boost::stablehlo

using namespace mlir;
using namespace mlir::boost;
using namespace mlir::boost::stablehlo;

namespace {

/// Names for new arguments of a function: constant.0, constant.1, ... without
/// those that its arguments and results have already.
class NewNames {
public:
  explicit NewNames(func::FuncOp function) : context(function.getContext()) {
    for (unsigned i : llvm::seq(function.getNumArguments()))
      add(getArgName(function, i), function.getArgAttrDict(i));
    for (unsigned i : llvm::seq(function.getNumResults()))
      add(getResultName(function, i), function.getResultAttrDict(i));
  }

  StringAttr next() {
    std::string name;
    do
      name = "constant." + std::to_string(number++);
    while (taken.contains(name));
    return StringAttr::get(context, name);
  }

private:
  void add(const std::string &name, DictionaryAttr attrs) {
    taken.insert(name);
    for (PartAttr part : getParts(attrs))
      taken.insert(part.getName().getValue());
  }

  MLIRContext *context;
  llvm::StringSet<> taken;
  int64_t number = 0;
};

struct StoreConstantsPass
    : stablehlo::impl::StoreConstantsPassBase<StoreConstantsPass> {
  using StoreConstantsPassBase::StoreConstantsPassBase;

  void runOnOperation() override {
    func::FuncOp loss = findLoss(getOperation());
    if (!loss || loss.isExternal())
      return;
    if (failed(checkValues(loss)))
      return signalPassFailure();
    store(loss);
  }

  LogicalResult checkValues(func::FuncOp loss);
  bool isStored(stablehlo::ConstantOp op) const;
  void store(func::FuncOp loss);
};

} // namespace

/// Fails if an argument is a constant, but the module does not have its value.
LogicalResult StoreConstantsPass::checkValues(func::FuncOp loss) {
  for (BlockArgument argument : loss.getArguments()) {
    TensorAttr tensor = getArgTensor(loss, argument.getArgNumber());
    if (!isConstant(tensor))
      continue;
    auto type = cast<ShapedType>(argument.getType());
    DenseElementsAttr value = getConstantValue(argument);
    if (value && value.getType() == type)
      continue;
    auto diag = emitError(argument.getLoc())
                << "expects the value of the constant " << tensor.getName()
                << " of type " << type << " in '" << kConstantsAttr
                << "' of the module, but got ";
    if (value)
      diag << "one of type " << value.getType();
    else
      diag << "none";
    diag.attachNote() << "export the argument as \"frozen\" with an 'init' or "
                         "an array; only constants of the loss are \""
                      << kStoredInit << "\"";
    return diag;
  }
  return success();
}

/// Returns true for constants that the raise passes read.
static bool isMask(DenseElementsAttr value) {
  return value.getElementType().isInteger(1) || matchTriangle(value);
}

/// Returns true if a constant takes more memory than code should have. The
/// values in one that is a splat take none.
bool StoreConstantsPass::isStored(stablehlo::ConstantOp op) const {
  auto value = dyn_cast<DenseElementsAttr>(op.getValue());
  return value && !value.isSplat() && !op.use_empty() &&
         getDenseBytes(value.getType()) >= minBytes &&
         (masks || !isMask(value));
}

void StoreConstantsPass::store(func::FuncOp loss) {
  llvm::MapVector<Attribute, SmallVector<stablehlo::ConstantOp>> found;
  for (auto op : loss.front().getOps<stablehlo::ConstantOp>())
    if (isStored(op))
      found[op.getValue()].push_back(op);
  if (found.empty())
    return;
  ModuleOp module = getOperation();
  NamedAttrList values(getConstants(module));
  NewNames names(loss);
  Builder builder(&getContext());
  for (auto &[value, ops] : found) {
    StringAttr name = names.next();
    auto tensor = TensorAttr::get(TensorRole::Frozen, name)
                      .withInit(builder.getStringAttr(kStoredInit));
    unsigned index = loss.getNumArguments();
    // Cannot fail: the type of a constant is a tensor.
    (void)loss.insertArgument(
        index, ops.front().getType(),
        builder.getDictionaryAttr(builder.getNamedAttr(kTensorAttr, tensor)),
        ops.front().getLoc());
    for (stablehlo::ConstantOp op : ops) {
      op.getResult().replaceAllUsesWith(loss.getArgument(index));
      op.erase();
    }
    values.set(name, value);
  }
  module->setAttr(kConstantsAttr, values.getDictionary(&getContext()));
}
