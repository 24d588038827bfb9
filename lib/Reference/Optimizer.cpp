//===- Optimizer.cpp - Reference rules of the training step ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/Dialect/Boost/IR/Boost.h"
#include "boost-mlir/Reference/Evaluator.h"
#include <cmath>

using namespace mlir;
using namespace mlir::boost;
using namespace mlir::boost::reference;

static LogicalResult evaluateAdamW(Operation *op,
                                   ArrayRef<const Tensor *> operands,
                                   MutableArrayRef<Tensor> results,
                                   Evaluator &evaluator) {
  auto adamw = cast<AdamWOp>(op);
  double lr = operands[4]->data[0], step = operands[5]->data[0];
  double scale = operands[6]->data[0];
  double beta1 = operands[7]->data[0], beta2 = operands[8]->data[0];
  double share1 = operands[9]->data[0], share2 = operands[10]->data[0];
  double eps = operands[11]->data[0], epsRoot = operands[12]->data[0];
  double decay = adamw.getDecays() ? operands[13]->data[0] : 0;
  Type type = results[1].elementType();
  auto rounded = [&](double value) {
    return evaluator.getRoundoff().step(value, type);
  };
  double meanScale =
      evaluator.getRoundoff().function(1 / (1 - std::pow(beta1, step)), type);
  double varianceScale =
      evaluator.getRoundoff().function(1 / (1 - std::pow(beta2, step)), type);
  for (size_t i = 0; i < results[0].data.size(); ++i) {
    double p = operands[0]->data[i], g = rounded(operands[3]->data[i] * scale);
    double m = rounded(beta1 * operands[1]->data[i]) + rounded(share1 * g);
    double v = rounded(beta2 * operands[2]->data[i]) +
               rounded(rounded(share2 * g) * g);
    double mean = rounded(m * meanScale);
    double variance = rounded(rounded(v * varianceScale) + epsRoot);
    double root = rounded(std::sqrt(variance) + eps);
    double change = rounded(rounded(mean / root) + rounded(decay * p));
    results[0].data[i] = p - rounded(lr * change);
    results[1].data[i] = m;
    results[2].data[i] = v;
  }
  return success();
}

void mlir::boost::reference::addOptimizerRules(RuleSet &rules) {
  rules.local["boost.adamw"] = evaluateAdamW;
  rules.local["boost.sum_of_squares"] =
      [](Operation *, ArrayRef<const Tensor *> operands,
         MutableArrayRef<Tensor> results, Evaluator &evaluator) {
        Sum sum;
        for (const Tensor *operand : operands)
          for (double value : operand->data)
            sum.add(value * value);
        results[0].data[0] =
            evaluator.getRoundoff().sum(sum, results[0].elementType());
        return success();
      };
}
