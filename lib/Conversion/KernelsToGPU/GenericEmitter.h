//===- GenericEmitter.h - A linalg.generic as a gpu.func --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The common parts of all forms of such kernels. Forms in which threads meet
// have files of their own.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_LIB_CONVERSION_KERNELSTOGPU_GENERICEMITTER_H
#define BOOST_MLIR_LIB_CONVERSION_KERNELSTOGPU_GENERICEMITTER_H

#include "FunctionBuilder.h"

namespace mlir::boost {

/// Emits a linalg.generic of a kernel, and maybe a fill before it, at the end
/// of a function. `shared` are the workgroup buffers that it needs.
class GenericEmitter : FunctionBuilder {
public:
  GenericEmitter(gpu::GPUFuncOp function, linalg::GenericOp op,
                 rt::LoopNest nest, linalg::FillOp fill, ThreadMapping mapping,
                 ArrayRef<BlockArgument> shared)
      : FunctionBuilder(function, op.getLoc(), mapping.size), op(op),
        nest(std::move(nest)), mapping(std::move(mapping)), fill(fill),
        shared(shared), firstOutput(op.getNumDpsInputs()),
        positions(this->nest.loops.size()) {}

  void emit();

  /// Emits what follows at another place.
  void moveTo(Block *block) { builder.setInsertionPointToEnd(block); }
  /// Sets the row of a kernel of rows: the positions in its first loops.
  void setRow(ArrayRef<Value> row) { llvm::copy(row, positions.begin()); }

  // Sums of columns (RowSums.cpp): the values of a thread before the first row,
  // after one more row, and where they are stored.
  size_t countColumnSums() const {
    return countShares() * linalg::GenericOp(op).getNumDpsInits();
  }
  SmallVector<Value> startColumnSums();
  SmallVector<Value> addRowToColumns(ValueRange sums);
  void storeColumnSums(ValueRange sums);

  /// The workgroup buffers that the form of kernel needs.
  static SmallVector<Type> getSharedTypes(linalg::GenericOp op,
                                          const rt::LoopNest &nest,
                                          const ThreadMapping &mapping);

private:
  using Body = llvm::function_ref<SmallVector<Value>(ValueRange carried)>;

  // Forms of kernels.
  void emitThreads();
  void emitMeetingThreads();
  void emitColumns();
  void emitTiles();
  void emitRow();

  // Loops.
  void placeResult(Value number, ArrayRef<int64_t> loops);
  void emitShared(int64_t count, int64_t workers, Value worker,
                  llvm::function_ref<void(Value number)> emit);
  SmallVector<Value> emitReductions(ArrayRef<int64_t> loops, Value lane,
                                    int64_t lanes, ValueRange carried,
                                    Body body);
  SmallVector<Value> reducePart(Value lane, int64_t lanes);

  // Elements.
  bool isVector(int64_t operand) const {
    return mapping.width > 1 &&
           nest.operands[operand].strides[mapping.vectorLoop] != 0;
  }
  Value getBuffer(int64_t operand);
  Value getDistance(int64_t operand);
  Value flatten(int64_t operand);
  llvm::MaybeAlign getAlignment(int64_t operand, int64_t width);
  Type getStoredType(int64_t operand);
  Value loadStored(int64_t operand, int64_t width);
  Value load(int64_t operand);
  void store(Value value, int64_t operand);
  Value repeat(Value value);
  Value getIndex(int64_t loop);

  // Values.
  SmallVector<Value> loadOutputs(bool all);
  SmallVector<Value> initializeOutputs(bool all);
  void storeOutputs(ValueRange values);
  SmallVector<Value> emitBody(ValueRange outputs);

  // Partial results (MeetingThreads.cpp).
  Value getNeutral(unsigned number);
  Value combine(unsigned number, Value left, Value right);
  Value combineVector(unsigned number, Value vector);
  Value combineWarp(unsigned number, Value value);
  Value shuffle(Value value, int64_t distance);
  SmallVector<Value> combineBlock(ValueRange values);
  SmallVector<Value> combineColumns(ValueRange values, Value group);
  void storeShared(Value value, Value buffer, Value thread);
  Value loadShared(Value buffer, Value thread, Type type);
  SmallVector<Value> getNeutralValues();
  void addToOutputs(ValueRange parts);

  // Sums of columns (RowSums.cpp).
  int64_t countShares() const;
  Value placeShare(int64_t share);

  // Tiles (TransposeThreads.cpp).
  bool isTiledLoop(int64_t loop) const {
    return loop == mapping.tileLoop || loop == mapping.parallel.back();
  }
  Value getTile(int64_t operand);
  void placeTile();
  void emitTileLoop(int64_t outer, int64_t inner, int64_t width,
                    llvm::function_ref<void(Value row, Value column)> emit);
  void copyToTile(int64_t operand, Value row, Value column);
  Value loadFromTile(int64_t operand);

  linalg::GenericOp op;
  rt::LoopNest nest;
  ThreadMapping mapping;
  linalg::FillOp fill;
  ArrayRef<BlockArgument> shared;
  /// Outputs come last among the operands of the nest.
  int64_t firstOutput;
  /// The current position in every loop; that of the first lane in the one that
  /// is computed in vectors.
  SmallVector<Value> positions;
  /// Tiles: row and column of the current position in those of the inputs.
  std::pair<Value, Value> placeInTile;
};

} // namespace mlir::boost

#endif // BOOST_MLIR_LIB_CONVERSION_KERNELSTOGPU_GENERICEMITTER_H
