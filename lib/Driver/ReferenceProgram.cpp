//===- ReferenceProgram.cpp - What eval --verify compares with ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One evaluation of the step gives the results of the loss and of the gradient
// too, once it returns what the optimizer reads.
//
//===----------------------------------------------------------------------===//

#include "ReferenceProgram.h"

#include "boost-mlir/Dialect/Boost/IR/Schedule.h"
#include "boost-mlir/Dialect/Boost/IR/Tensors.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;
using namespace mlir::boost;

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
  FailureOr<SmallVector<Value>> gradients = findGradientsIn(step, gradient);
  if (failed(gradients))
    return failure();
  for (auto [i, value] : llvm::enumerate(*gradients)) {
    if (!hasRole(getResultTensor(gradient, i), TensorRole::Gradient))
      continue;
    results.push_back(value);
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
  FunctionOpInterface verify =
      getCalledFunctions(findSchedule(module, kProbeSchedule)).front().function;
  reference->push_back(verify->clone());
  FunctionOpInterface probed = findProbedFunction(module);
  if (ScheduleOp train = findSchedule(module, kTrainSchedule))
    for (CalledFunction called : getCalledFunctions(train))
      if (called.function != probed)
        reference->push_back(called.function->clone());
  if (failed(returnGradients(
          reference->lookupSymbol<func::FuncOp>(verify.getName()),
          findGradient(module))))
    return failure();
  std::string text;
  llvm::raw_string_ostream stream(text);
  reference->print(stream);
  return text;
}
