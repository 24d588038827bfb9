//===- Rows.h - Kernels whose loops are written out -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Helpers for the operations that no linalg.generic can say: they become a
// boostrt.rows, whose region has loops over memrefs.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_LIB_CONVERSION_STABLEHLOTOLINALG_ROWS_H
#define BOOST_MLIR_LIB_CONVERSION_STABLEHLOTOLINALG_ROWS_H

#include "Lowering.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace mlir::boost {

/// Writes the region of a boostrt.rows.
class RowsBuilder : public OpBuilder {
public:
  RowsBuilder(Block *body, Location loc)
      : OpBuilder(OpBuilder::atBlockEnd(body)), loc(loc), body(body) {}

  Location getLoc() const { return loc; }
  Value getRow() const { return body->getArgument(0); }
  /// The memref of an input or out, in the order of the operands.
  Value getBuffer(unsigned operand) const {
    return body->getArgument(operand + 1);
  }

  Value index(int64_t value);
  Value add(Value a, Value b);
  Value subtract(Value a, Value b);
  Value multiply(Value a, Value b);
  Value minimum(Value a, Value b);
  Value select(Value condition, Value a, Value b);
  Value isLess(Value a, Value b);
  Value load(Value buffer, ValueRange place);
  void store(Value value, Value buffer, ValueRange place);

  /// The row as a place in a tensor of `sizes`, row-major.
  SmallVector<Value> delinearize(Value row, ArrayRef<int64_t> sizes);

  using LoopBody = llvm::function_ref<SmallVector<Value>(Value position,
                                                         ValueRange carried)>;
  /// for position in [begin, end) by `step`; returns what is carried.
  SmallVector<Value> loop(Value begin, Value end, Value step,
                          ValueRange carried, LoopBody body);
  /// One loop per entry of `sizes`, the last one innermost.
  SmallVector<Value>
  loops(ArrayRef<int64_t> sizes, ValueRange carried,
        llvm::function_ref<SmallVector<Value>(ValueRange place, ValueRange)>
            body);

private:
  Location loc;
  Block *body;
};

/// A boostrt.rows on tensors; the tensors that it returns are those of `outs`.
SmallVector<Value> buildRows(OpBuilder &builder, Location loc, int64_t extent,
                             ValueRange inputs, ValueRange outs,
                             llvm::function_ref<void(RowsBuilder &)> body);

/// A tensor of undefined elements.
Value buildEmpty(OpBuilder &builder, Location loc, RankedTensorType type);

} // namespace mlir::boost

#endif // BOOST_MLIR_LIB_CONVERSION_STABLEHLOTOLINALG_ROWS_H
