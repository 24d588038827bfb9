//===- KeptValues.h - What the backward pass reads from memory --*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The least bytes of forward values from which the backward pass can be
// computed, as a minimum cut.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_LIB_DIALECT_BOOST_TRANSFORMS_KEPTVALUES_H
#define BOOST_MLIR_LIB_DIALECT_BOOST_TRANSFORMS_KEPTVALUES_H

#include "ForwardPass.h"

namespace mlir::boost {

/// The operations that may be recomputed, besides those that cost no pass over
/// memory.
struct RecomputeRules {
  /// In the first `layers` layers; in all if that is negative.
  RecomputeClasses classes = 0;
  int64_t layers = -1;
  /// In the layers behind them.
  RecomputeClasses others = 0;
};

/// The minimum cut between the forward operations and what the backward pass
/// reads.
/// Each value is an edge with its bytes as capacity; what may not be recomputed
/// is a source.
class KeptValues {
public:
  KeptValues(const ForwardPass &forward, const RecomputeRules &rules);

  /// In program order.
  ArrayRef<Value> getValues() const { return kept; }
  bool contains(Value value) const { return isKept.contains(value); }

  static int64_t getBytes(Value value);

private:
  bool mayRecompute(Value value) const;
  void collect();
  void findMinCut();

  const ForwardPass &forward;
  RecomputeRules rules;
  /// Values that the backward pass reads, and values that those are recomputed
  /// from.
  llvm::SetVector<Value> nodes;
  DenseSet<Value> isRead;
  SmallVector<Value> kept;
  DenseSet<Value> isKept;
};

} // namespace mlir::boost

#endif // BOOST_MLIR_LIB_DIALECT_BOOST_TRANSFORMS_KEPTVALUES_H
