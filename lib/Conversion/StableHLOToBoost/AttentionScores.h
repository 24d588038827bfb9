//===- AttentionScores.h - From softmax to products -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Matches the operations between the product of queries and keys of an
// attention and its softmax: scales, a soft cap, biases, masks, in any order
// that has a meaning.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_LIB_CONVERSION_STABLEHLOTOBOOST_ATTENTIONSCORES_H
#define BOOST_MLIR_LIB_CONVERSION_STABLEHLOTOBOOST_ATTENTIONSCORES_H

#include "Masks.h"
#include "Views.h"

namespace mlir::boost::raise {

/// A boolean that must hold for a key to be seen; its dimensions are the
/// frame's that the view gives.
struct Condition {
  View view;
  bool negated;
  /// The score of keys that are not seen; -infinity if these have no weight
  /// even in rows without others.
  double fill;
  /// On the frame's indices, if it is of that kind.
  std::optional<IndexFunction> function;
};

/// A bias that is 0 where `function` holds, and `fill` elsewhere.
struct AdditiveMask {
  IndexFunction function;
  double fill;
};

/// A bias that is added to the scores, times `factor`.
struct Bias {
  View view;
  double factor;
  std::optional<AdditiveMask> mask;
  /// True if the bias is added to scores some of which a mask has hidden.
  bool isOutsideOfMask = false;

  /// A bound of what it adds to a score.
  double boundMagnitude() const;
};

/// `softmax input = cap(scale * dot) + biases`, where all conditions hold.
struct Scores {
  stablehlo::DotGeneralOp dot;
  SmallVector<int64_t> axes; // of the dot's result, in the frame
  double scale = 1;
  std::optional<double> softCap;
  SmallVector<Condition> conditions;
  SmallVector<Bias> biases;
  /// Masks, on the frame's indices, that also multiply the scores: they change
  /// nothing if hidden keys have no weight.
  SmallVector<IndexFunction> maskFactors;
  /// True if some conditions are those of biases. In a row without any other
  /// key, such a bias leaves the gradients of scores as they are, which a mask
  /// makes 0.
  bool hidesByAddition = false;
};

/// The product that the input of a softmax is made of. `masks` hide keys beside
/// those that the scores do; biases become conditions if `hidesByAddition`.
std::optional<Scores> matchScores(Value value, ArrayRef<View> masks,
                                  bool hidesByAddition);

} // namespace mlir::boost::raise

#endif // BOOST_MLIR_LIB_CONVERSION_STABLEHLOTOBOOST_ATTENTIONSCORES_H
