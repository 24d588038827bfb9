//===- Masks.h - Booleans computed from positions ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Recognizes tensors that are a linear function of their own indices, and
// masks that compare such functions: causal masks in any spelling.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_LIB_CONVERSION_STABLEHLOTOBOOST_MASKS_H
#define BOOST_MLIR_LIB_CONVERSION_STABLEHLOTOBOOST_MASKS_H

#include "boost-mlir/Dialect/StableHLO/IR/StableHLO.h"
#include "llvm/ADT/SmallVector.h"
#include <optional>

namespace mlir::boost::raise {

/// `offset + sum_i coefficients[i] * index_i` at every element of a tensor.
struct IndexFunction {
  llvm::SmallVector<int64_t> coefficients;
  int64_t offset = 0;

  bool isConstant() const;
  bool operator==(const IndexFunction &other) const {
    return coefficients == other.coefficients && offset == other.offset;
  }
};

/// `value` as a function of its indices.
std::optional<IndexFunction> matchIndexFunction(Value value);

/// The function that is 0 or more exactly where the boolean `value` is true.
std::optional<IndexFunction> matchMask(Value value);

/// The causal mask that a constant `value` of booleans is within, if any: such
/// as a window of the positions before.
std::optional<IndexFunction> matchCausalBound(Value value);

/// A tensor of two constants: `held` where `mask` is 0 or more, and `other`
/// elsewhere.
struct MaskedConstants {
  IndexFunction mask;
  double held, other;
};

/// `value` as two constants that positions decide between: a mask in numbers.
/// The mask holds everywhere if the tensor has one constant.
std::optional<MaskedConstants> matchMaskedConstants(Value value);

/// A select that keeps scores where a condition holds.
struct Masking {
  Value kept;
  Value condition;
  /// True if scores are kept where the condition does not hold.
  bool negated;
  /// The number that takes the place of the other scores, once multiplied.
  double fill;
};

/// Returns true if a score is so low that a softmax leaves nothing of it.
bool isMaskedScore(double score);

/// Matches a select whose other scores are so low, once multiplied by `scale`,
/// that a softmax leaves nothing of them.
std::optional<Masking> matchMasking(stablehlo::SelectOp select,
                                    double scale = 1);

/// The mask that holds exactly where `mask` does not.
IndexFunction negateMask(IndexFunction mask);

} // namespace mlir::boost::raise

#endif // BOOST_MLIR_LIB_CONVERSION_STABLEHLOTOBOOST_MASKS_H
