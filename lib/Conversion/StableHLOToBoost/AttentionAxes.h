//===- AttentionAxes.h - What the dimensions of attention are ---*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Dimensions are never recognized by their position: the softmax input is the
// frame, and every operand is described by which of the frame's dimensions its
// own ones are. Any order of dimensions, grouped queries and repeated heads
// follow from that.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_LIB_CONVERSION_STABLEHLOTOBOOST_ATTENTIONAXES_H
#define BOOST_MLIR_LIB_CONVERSION_STABLEHLOTOBOOST_ATTENTIONAXES_H

#include "AttentionScores.h"
#include "Softmax.h"

namespace mlir::boost::raise {

/// An operand of a dot_general: for each of its dimensions the one of the frame
/// that it is, or one of these.
inline constexpr int64_t kUnit = -1;    // of size 1, not in the frame
inline constexpr int64_t kHeadDim = -2; // the size of a head

struct AttentionOperand {
  Value value;
  SmallVector<int64_t> axes;

  int64_t find(int64_t axis) const {
    auto it = llvm::find(axes, axis);
    return it == axes.end() ? -1 : it - axes.begin();
  }
};

/// Attention as it is spelled, in terms of the axes of the frame.
struct Attention {
  AttentionOperand query, key, value;
  SmallVector<int64_t> resultAxes; // of the product with the values
  int64_t keys, queries;
  SmallVector<int64_t> batch;  // entries, then blocks of a sequence
  SmallVector<int64_t> heads;  // none for a head that is no dimension
  SmallVector<int64_t> groups; // query heads per key head, if a dimension
  bool causal = false;
  double scale;
  std::optional<double> softCap;
  SmallVector<Condition> conditions; // beside being causal
  SmallVector<Bias> biases;
  std::optional<Sink> sink;
  /// True if a query that sees no key has the result 0, not the mean of the
  /// values.
  bool zerosUnseeing = false;
};

/// Splits the axes of a dot's result into those of its operands; contracted
/// dimensions become `contracted`.
std::pair<AttentionOperand, AttentionOperand>
splitAxes(stablehlo::DotGeneralOp dot, ArrayRef<int64_t> axes,
          int64_t contracted);

/// Fills in the frame's axes of the product with the values, `dot`, of which
/// operand `probs` views the softmax; false if dimensions do not fit.
bool matchValueProduct(stablehlo::DotGeneralOp dot, bool probsFirst,
                       const View &probs, Attention &attention);

/// Sorts the frame's axes into batch, heads, groups and queries; false if they
/// are of no attention. `shape` is that of the frame.
bool classifyAxes(Attention &attention, ArrayRef<int64_t> shape);

/// Returns true if hidden keys have no weight, since the attention is causal
/// and `mask`, on the frame's indices, holds where it sees a key. `shape` is
/// that of the frame.
bool hidesBy(const Attention &attention, const IndexFunction &mask,
             ArrayRef<int64_t> shape);

/// Returns true if all conditions let a query see the key of its own position.
/// `shape` is that of the frame.
bool seesItself(const Attention &attention, ArrayRef<int64_t> shape);

} // namespace mlir::boost::raise

#endif // BOOST_MLIR_LIB_CONVERSION_STABLEHLOTOBOOST_ATTENTIONAXES_H
