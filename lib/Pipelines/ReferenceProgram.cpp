//===- ReferenceProgram.cpp - What eval --verify compares with ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One evaluation of the step gives the results of the loss and of the gradient
// too, once it returns what the optimizer reads.
//
//===----------------------------------------------------------------------===//

#include "ReferenceProgram.h"

#include "boost-mlir/Dialect/Boost/IR/Tensors.h"
#include "boost-mlir/Dialect/StableHLO/IR/StableHLO.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;
using namespace mlir::boost;

/// The operation that updates a parameter or its master, or null.
static AdamWOp findUpdate(func::FuncOp step, StringAttr parameter) {
  Value updated;
  for (unsigned i : llvm::seq(step.getNumResults()))
    if (TensorAttr tensor = getResultTensor(step, i);
        hasRole(tensor, TensorRole::Param) && tensor.getName() == parameter)
      updated = step.front().getTerminator()->getOperand(i);
  // The new value of a parameter with a master is the rounded result.
  if (auto rounding =
          updated ? updated.getDefiningOp<stablehlo::ConvertOp>() : nullptr)
    updated = rounding.getOperand();
  return updated ? updated.getDefiningOp<AdamWOp>() : AdamWOp();
}

/// Returns the gradients that the step updates its parameters by, as @gradient
/// names them. Where gradients are accumulated, @verify is one of @gradient.
static LogicalResult returnGradients(func::FuncOp step, func::FuncOp gradient) {
  if (step.getResultTypes() == gradient.getResultTypes() &&
      step.getAllResultAttrs() == gradient.getAllResultAttrs())
    return success();
  Operation *terminator = step.front().getTerminator();
  SmallVector<Value> results(terminator->getOperands());
  SmallVector<DictionaryAttr> attrs;
  for (unsigned i : llvm::seq(step.getNumResults()))
    attrs.push_back(step.getResultAttrDict(i));
  for (unsigned i : llvm::seq(gradient.getNumResults())) {
    TensorAttr wanted = getResultTensor(gradient, i);
    if (!hasRole(wanted, TensorRole::Gradient))
      continue;
    AdamWOp update = findUpdate(step, wanted.getOf());
    if (!update)
      return emitError(gradient.getLoc())
             << "expects an update of " << wanted.getOf()
             << " in the training step, but there is none to verify with";
    results.push_back(update.getGrad());
    attrs.push_back(gradient.getResultAttrDict(i));
  }
  terminator->setOperands(results);
  step.setType(FunctionType::get(step.getContext(), step.getArgumentTypes(),
                                 TypeRange(ValueRange(results))));
  step.setAllResultAttrs(attrs);
  return success();
}

FailureOr<std::string> mlir::boost::printReferenceProgram(ModuleOp module) {
  OpBuilder builder(module.getContext());
  OwningOpRef<ModuleOp> reference = ModuleOp::create(builder, module.getLoc());
  for (StringRef name : {kVerifyFunction, kAccumulateFunction, kUpdateFunction})
    if (Operation *function = module.lookupSymbol(name))
      reference->push_back(function->clone());
  if (failed(returnGradients(
          reference->lookupSymbol<func::FuncOp>(kVerifyFunction),
          module.lookupSymbol<func::FuncOp>(kGradientFunction))))
    return failure();
  std::string text;
  llvm::raw_string_ostream stream(text);
  reference->print(stream);
  return text;
}
