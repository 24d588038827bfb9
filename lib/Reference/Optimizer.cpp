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
                                   Evaluator &) {
  auto adamw = cast<AdamWOp>(op);
  double beta1 = adamw.getBeta1().convertToDouble();
  double beta2 = adamw.getBeta2().convertToDouble();
  double eps = adamw.getEps().convertToDouble();
  double decay = adamw.getWeightDecay().convertToDouble();
  double lr = operands[4]->data[0], step = operands[5]->data[0];
  double scale = operands[6]->data[0];
  for (size_t i = 0; i < results[0].data.size(); ++i) {
    double p = operands[0]->data[i], g = operands[3]->data[i] * scale;
    double m = beta1 * operands[1]->data[i] + (1 - beta1) * g;
    double v = beta2 * operands[2]->data[i] + (1 - beta2) * g * g;
    double mean = m / (1 - std::pow(beta1, step));
    double variance = v / (1 - std::pow(beta2, step));
    results[0].data[i] =
        p - lr * (mean / (std::sqrt(variance) + eps) + decay * p);
    results[1].data[i] = m;
    results[2].data[i] = v;
  }
  return success();
}

void mlir::boost::reference::addOptimizerRules(RuleSet &rules) {
  rules.local["boost.adamw"] = evaluateAdamW;
  rules.local["boost.sum_of_squares"] =
      [](Operation *, ArrayRef<const Tensor *> operands,
         MutableArrayRef<Tensor> results, Evaluator &) {
        for (const Tensor *operand : operands)
          for (double value : operand->data)
            results[0].data[0] += value * value;
        return success();
      };
}
