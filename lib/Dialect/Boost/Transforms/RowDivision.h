//===- RowDivision.h - Tensors divided by their rows ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_LIB_DIALECT_BOOST_TRANSFORMS_ROWDIVISION_H
#define BOOST_MLIR_LIB_DIALECT_BOOST_TRANSFORMS_ROWDIVISION_H

#include "boost-mlir/Dialect/StableHLO/IR/StableHLO.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/SetVector.h"
#include <functional>
#include <utility>

namespace mlir::boost {

class Mesh;

/// Consecutive rows of one group: a chunk of layers, or a pipeline stage.
struct RowRange {
  int64_t group, first, count;
};

/// All rows of a tensor, by group. A group may have several ranges.
struct Stack {
  SmallVector<RowRange> ranges;

  int64_t getTotal() const { return ranges.back().first + ranges.back().count; }
  bool operator==(const Stack &other) const;
};

/// A value's parts along a dimension, one for each range of rows.
struct Division {
  const Stack *stack = nullptr;
  int64_t dim = 0;
  SmallVector<Value> parts;
};

/// Divides operations whose rows are independent of each other, by their
/// sharding rules: one operation for each range of rows takes its place.
///
/// Values get their first divisions from outside. Stacks are kept by reference,
/// and operations that were replaced stay until `eraseReplaced` is called.
class RowDivider : private OpBuilder::Listener {
public:
  /// Operations that take any number of tensors, such as collectives, are built
  /// for each group of operands by `getGroup`, or for all of them without it.
  explicit RowDivider(const Mesh &mesh,
                      std::function<int64_t(Value)> getGroup = {})
      : mesh(mesh), getGroup(std::move(getGroup)) {}

  void set(Value value, Division division) {
    divisions[value] = std::move(division);
  }
  /// Returns the division of a value, or null. It is valid until other values
  /// are divided.
  const Division *find(Value value) const;
  bool reads(Operation *op) const;

  /// Divides an operation that reads divided values. Fails if its results
  /// depend on rows of several ranges.
  LogicalResult divide(Operation *op);
  /// Returns the parts of a value along a dimension, which are made if they are
  /// not known yet, or null if that is impossible.
  const Division *demand(Value value, const Stack &stack, int64_t dim);

  /// Returns the operations that were built since the last call, in an order in
  /// which those that are read precede their readers.
  SmallVector<Operation *> takeBuilt() { return std::exchange(built, {}); }
  void eraseReplaced(Block &block);

private:
  void notifyOperationInserted(Operation *op,
                               OpBuilder::InsertPoint previous) override {
    built.push_back(op);
  }
  OpBuilder getBuilder(Operation *before) { return OpBuilder(before, this); }

  LogicalResult divideSlice(stablehlo::SliceOp slice, const Division &input);
  void divideBarrier(stablehlo::OptimizationBarrierOp op);
  void expandOperands(Operation *op);
  LogicalResult divideOverRanks(Operation *op, const Division &input);
  LogicalResult divideByRule(Operation *op, const Stack &stack, int loop);
  LogicalResult divideReader(Operation *op);
  const Division *divideConcatenation(stablehlo::ConcatenateOp op,
                                      const Stack &stack);

  const Mesh &mesh;
  std::function<int64_t(Value)> getGroup;
  DenseMap<Value, Division> divisions;
  /// The operations that were divided. Nothing reads them in the end.
  llvm::SetVector<Operation *> replaced;
  SmallVector<Operation *> built;
};

/// Returns a type with another size of a dimension.
RankedTensorType withDim(RankedTensorType type, int64_t dim, int64_t size);

} // namespace mlir::boost

#endif // BOOST_MLIR_LIB_DIALECT_BOOST_TRANSFORMS_ROWDIVISION_H
