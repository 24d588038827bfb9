//===- Import.cpp - Reference rules of what the import removes ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops, branches, and the operations of CHLO. Calls are part of the walk
// (Evaluator.cpp).
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/Dialect/StableHLO/IR/StableHLO.h"
#include "boost-mlir/Reference/Evaluator.h"
#include <cmath>

using namespace mlir;
using namespace mlir::boost;
using namespace mlir::boost::reference;

using Operands = ArrayRef<const Tensor *>;
using Results = MutableArrayRef<Tensor>;

static LogicalResult evaluateWhile(Operation *op, Operands operands,
                                   Results results, Evaluator &evaluator) {
  auto loop = cast<stablehlo::WhileOp>(op);
  SmallVector<Tensor> state;
  for (const Tensor *operand : operands)
    state.push_back(*operand);
  while (true) {
    FailureOr<SmallVector<Tensor>> goOn =
        evaluator.runRegion(loop.getCond(), state);
    if (failed(goOn))
      return failure();
    if (goOn->front().data[0] == 0)
      break;
    FailureOr<SmallVector<Tensor>> next =
        evaluator.runRegion(loop.getBody(), state);
    if (failed(next))
      return failure();
    state = std::move(*next);
  }
  for (auto [result, value] : llvm::zip_equal(results, state))
    result.data = std::move(value.data);
  return success();
}

/// Evaluates the region that operand 0 chooses.
static LogicalResult evaluateBranch(Operation *op, Operands operands,
                                    Results results, Evaluator &evaluator) {
  double index = operands[0]->data[0];
  if (isa<stablehlo::IfOp>(op))
    index = index == 0 ? 1 : 0;
  unsigned last = op->getNumRegions() - 1;
  unsigned chosen =
      index < 0 || index > last ? last : static_cast<unsigned>(index);
  FailureOr<SmallVector<Tensor>> returned =
      evaluator.runRegion(op->getRegion(chosen), {});
  if (failed(returned))
    return failure();
  for (auto [result, value] : llvm::zip_equal(results, *returned))
    result.data = std::move(value.data);
  return success();
}

static void addUnary(RuleSet &rules, StringRef name,
                     double (*function)(double)) {
  rules.local[name] = [=](Operation *, Operands operands, Results results,
                          Evaluator &) {
    for (auto [out, in] : llvm::zip_equal(results[0].data, operands[0]->data))
      out = function(in);
    return success();
  };
}

void mlir::boost::reference::addImportRules(RuleSet &rules) {
  rules.local["stablehlo.while"] = evaluateWhile;
  rules.local["stablehlo.case"] = evaluateBranch;
  rules.local["stablehlo.if"] = evaluateBranch;
  addUnary(rules, "chlo.erf", [](double x) { return std::erf(x); });
  addUnary(rules, "chlo.erfc", [](double x) { return std::erfc(x); });
  addUnary(rules, "chlo.square", [](double x) { return x * x; });
}
