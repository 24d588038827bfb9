//===- Judge.h - Are two results the same? ----------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compares what a function computed before and after a pass, with the bound
// that the arithmetic of the pass allows.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_LIB_PROVE_JUDGE_H
#define BOOST_MLIR_LIB_PROVE_JUDGE_H

#include "boost-mlir/Prove/PassArithmetic.h"
#include "boost-mlir/Reference/Comparison.h"
#include "boost-mlir/Reference/Program.h"

namespace mlir::boost::prove {

/// The results of a function, in order.
struct Evaluation {
  SmallVector<reference::NamedType> order;
  reference::NamedTensors results;

  const reference::Tensor &operator[](StringRef name) const {
    return results.find(name)->second;
  }
};

/// Evaluates a function of a module, all ranks. Failure has been reported.
FailureOr<Evaluation> evaluateFunction(ModuleOp module, StringRef name,
                                       const reference::NamedTensors &inputs,
                                       const reference::Precision &precision);

/// Judges the results of one function.
class Judge {
public:
  /// `reevaluate` computes the results before the pass with disturbed
  /// operations.
  using Reevaluate =
      std::function<FailureOr<Evaluation>(const reference::Precision &)>;

  Judge(PassArithmetic arithmetic, const Evaluation &before,
        const Evaluation &after, Reevaluate reevaluate)
      : arithmetic(arithmetic), before(before), after(after),
        reevaluate(std::move(reevaluate)) {}

  /// Returns the most obvious mismatch, or an empty string.
  std::string findMismatch();

private:
  std::string compare(const reference::NamedType &result,
                      const reference::Tensor &other);
  double getConditionedBound(StringRef result);

  PassArithmetic arithmetic;
  const Evaluation &before, &after;
  Reevaluate reevaluate;
  /// Results before the pass with every operation off by the bound.
  SmallVector<Evaluation> disturbed;
};

/// "w[1, 2]: 0.5 before, 0.25 after; relative difference 0.5, allowed 1e-12"
std::string describeMismatch(const reference::NamedType &result,
                             const reference::Difference &difference,
                             const reference::Tensor &before,
                             const reference::Tensor &after, double allowed);

} // namespace mlir::boost::prove

#endif // BOOST_MLIR_LIB_PROVE_JUDGE_H
