//===- Softmax.h - Softmax in its spellings ---------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Besides the softmax of scores: terms that masks take out of the sum and of
// the result, as `jax.nn.softmax(where=)` does, and a sink, a further term of
// the sum that stands for no key.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_LIB_CONVERSION_STABLEHLOTOBOOST_SOFTMAX_H
#define BOOST_MLIR_LIB_CONVERSION_STABLEHLOTOBOOST_SOFTMAX_H

#include "Views.h"

namespace mlir::boost::raise {

/// The score of a sink: a value with dimensions of the frame, or a number if
/// there is no value.
struct Sink {
  std::optional<View> view;
  double number = 0;
};

/// A softmax over `keys`, a dimension of `scores`. The dimensions of the scores
/// are the frame in which everything else is described.
struct Softmax {
  Value scores;
  int64_t keys;
  /// Booleans with the frame's dimensions: a key has weight 0 where one of them
  /// is false, and its term is not in the sum.
  SmallVector<View> masks;
  std::optional<Sink> sink;
};

/// The input of a softmax whose result is `value`.
std::optional<Softmax> matchSoftmax(Value value);

} // namespace mlir::boost::raise

#endif // BOOST_MLIR_LIB_CONVERSION_STABLEHLOTOBOOST_SOFTMAX_H
