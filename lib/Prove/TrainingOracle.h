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

/// Evaluates the update on gradients by the names of their parameters.
using EvaluateUpdate =
    llvm::function_ref<FailureOr<Evaluation>(const reference::NamedTensors &)>;

/// Compares what an update gives with AdamW, written out in its plainest form,
/// by `gradients` of parameters and with decay of the parameters `decaying`.
/// Returns what is wrong, or an empty string.
std::string checkAdamW(StringRef function, const Evaluation &results,
                       const reference::NamedTensors &gradients,
                       const reference::NamedTensors &inputs,
                       const llvm::StringSet<> &decaying);

/// Compares what a function of a training step gives with the results of
/// @gradient and of the update. The roles of its results say what it does: it
/// adds to accumulators, or updates by the mean of them over `microBatches`, or
/// does all of a step. Returns what is wrong, or an
/// empty string.
std::string checkStep(StringRef function, const Evaluation &results,
                      const Evaluation &gradient,
                      const reference::NamedTensors &inputs,
                      int64_t microBatches, EvaluateUpdate evaluateUpdate);

} // namespace mlir::boost::prove

#endif // BOOST_MLIR_LIB_PROVE_TRAININGORACLE_H
