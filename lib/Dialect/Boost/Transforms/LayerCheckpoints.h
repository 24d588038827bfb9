//===- LayerCheckpoints.h - Where layers may begin and end ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The places of a loss at which the residual stream alone carries it on.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_LIB_DIALECT_BOOST_TRANSFORMS_LAYERCHECKPOINTS_H
#define BOOST_MLIR_LIB_DIALECT_BOOST_TRANSFORMS_LAYERCHECKPOINTS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::boost {

/// The operations of a function, and which of them compute with activations.
class Activations {
public:
  explicit Activations(func::FuncOp function);

  ArrayRef<Operation *> getOps() const { return ops; }
  /// Depends on a product, a norm, a lookup: on more than what can be computed
  /// from the arguments element by element.
  bool contains(Operation *op) const { return active.contains(op); }
  /// The position of the last operation that reads a value; -1 if none does.
  int64_t getLastRead(Value value) const {
    auto found = lastReads.find(value);
    return found == lastReads.end() ? -1 : found->second;
  }
  int64_t getPosition(Operation *op) const { return positions.lookup(op); }
  /// Returns true if [begin, end) contains a heavy operation.
  bool hasHeavy(int64_t begin, int64_t end) const {
    return begin < end && heavyBefore[begin] < heavyBefore[end];
  }

private:
  SmallVector<Operation *> ops;
  DenseMap<Operation *, int64_t> positions;
  DenseMap<Value, int64_t> lastReads;
  SmallVector<int64_t> heavyBefore;
  DenseSet<Operation *> active;
};

/// Products and what is made of them: what a layer is recognized by.
bool isHeavy(Operation *op);

/// The operations at [begin, end) between two positions at which a single value
/// is live.
struct Segment {
  size_t begin = 0, end = 0;
};

/// The segments of a loss in order, each with a heavy operation at least and
/// behind the value that it begins with. Where a norm or a conversion leaves
/// several places to choose from, the place is the same in all segments.
SmallVector<Segment> findSegments(const Activations &activations);

} // namespace mlir::boost

#endif // BOOST_MLIR_LIB_DIALECT_BOOST_TRANSFORMS_LAYERCHECKPOINTS_H
