//===- TrainingOracle.h - What functions of training must give --*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// @gradient and the functions of the optimizer appear out of nothing: there is
// no result before the pass to compare with. Their results follow from those
// of @loss and @gradient.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_LIB_PROVE_TRAININGORACLE_H
#define BOOST_MLIR_LIB_PROVE_TRAININGORACLE_H

#include "Judge.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/StringSet.h"

namespace mlir::boost::prove {

/// Evaluates @loss on changed inputs.
using EvaluateLoss =
    llvm::function_ref<FailureOr<double>(const reference::NamedTensors &)>;

/// Evaluates @gradient on changed inputs.
using EvaluateGradient =
    llvm::function_ref<FailureOr<Evaluation>(const reference::NamedTensors &)>;

/// Compares each gradient with a central difference of the loss along one
/// random direction; where the inputs lie in a corner of the loss, beside it.
/// Returns what is wrong, or an empty string.
std::string checkGradient(const Evaluation &gradient,
                          const reference::NamedTensors &inputs,
                          EvaluateLoss evaluateLoss,
                          EvaluateGradient evaluateGradient, uint64_t seed);

/// The parameters of @gradient that say that they decay, by the names that
/// users know.
llvm::StringSet<> getDecaying(func::FuncOp gradient);

/// Compares what a function of training gives with AdamW applied to the results
/// of @gradient, with decay of the parameters `decaying` and `microBatches`
/// micro-batches per update. The roles of its results say what the function
/// does: it adds to accumulators, updates parameters, or returns the loss too
/// and so does all of a step. Returns what is wrong, or an empty string.
std::string checkTraining(StringRef function, const Evaluation &results,
                          const Evaluation &gradient,
                          const reference::NamedTensors &inputs,
                          const llvm::StringSet<> &decaying,
                          int64_t microBatches);

} // namespace mlir::boost::prove

#endif // BOOST_MLIR_LIB_PROVE_TRAININGORACLE_H
