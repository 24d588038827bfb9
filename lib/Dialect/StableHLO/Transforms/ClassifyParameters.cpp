//===- ClassifyParameters.cpp - How parameters start, and which decay -----===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Says of the parameters that do not how they start and whether they decay.
//
//===----------------------------------------------------------------------===//

#include "ParameterUses.h"

#include "boost-mlir/Dialect/Boost/IR/ArgumentAttrs.h"
#include "boost-mlir/Dialect/Boost/IR/Tensors.h"
#include "boost-mlir/Dialect/StableHLO/Transforms/Passes.h"

namespace mlir::boost::stablehlo {
#define GEN_PASS_DEF_CLASSIFYPARAMETERSPASS
#include "boost-mlir/Dialect/StableHLO/Transforms/Passes.h.inc"
} // namespace mlir::boost::stablehlo

using namespace mlir;
using namespace mlir::boost;
using namespace mlir::boost::stablehlo;

/// Weights are drawn around zero, so that decay towards zero suits them.
static bool isWeight(uint8_t uses) {
  return uses & (kContracted | kLookedUp | kPositions);
}

/// Returns the initial value of a parameter. No scale starts at zero.
static StringRef getDefaultInit(uint8_t uses) {
  if (isWeight(uses))
    return "normal:0.02";
  if (uses & kScale)
    return "ones";
  if (uses == 0 || (uses & (kShiftedScale | kAdded)))
    return "zeros";
  return "normal:0.02";
}

/// `given` with what it does not say of a parameter that is used so.
static TensorAttr complete(TensorAttr given, uint8_t uses) {
  Builder builder(given.getContext());
  if (!given.getInit())
    given = given.withInit(builder.getStringAttr(getDefaultInit(uses)));
  if (hasRole(given, TensorRole::Param) && !given.getDecay())
    given = given.withDecay(builder.getBoolAttr(isWeight(uses)));
  return given;
}

static void classify(func::FuncOp function) {
  ParameterUses uses(function);
  auto attrs = ArgumentAttrs::ofArguments(function);
  for (BlockArgument argument : function.getArguments())
    if (isParameter(argument)) {
      unsigned i = argument.getArgNumber();
      attrs.set(i, kTensorAttr,
                complete(getArgTensor(function, i), uses.of(argument)));
    }
  attrs.write();
}

namespace {

struct ClassifyParametersPass
    : stablehlo::impl::ClassifyParametersPassBase<ClassifyParametersPass> {
  void runOnOperation() override { classify(getOperation()); }
};

} // namespace
