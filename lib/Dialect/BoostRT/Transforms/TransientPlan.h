//===- TransientPlan.h - Lifetimes of a function's allocations --*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which allocations of a straight-line function may share memory, and where.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_LIB_DIALECT_BOOSTRT_TRANSFORMS_TRANSIENTPLAN_H
#define BOOST_MLIR_LIB_DIALECT_BOOSTRT_TRANSFORMS_TRANSIENTPLAN_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace mlir::boost::rt {

/// The use of a buffer of a function.
enum class BufferUse { Kept, Recomputed, Gradient, Result, Temporary };

/// A buffer at the moment at which the function needs most memory.
struct LiveBuffer {
  Value memref;
  int64_t bytes = 0;
  BufferUse use = BufferUse::Temporary;
};

/// Offsets for the memref.alloc operations of one function, and for its own
/// results, which live on to its end.
class TransientPlan {
public:
  /// Offsets are multiples of `alignment`.
  TransientPlan(func::FuncOp func, ArrayRef<BlockArgument> results,
                int64_t alignment)
      : body(func.front()), results(results), alignment(alignment) {}

  /// Finds lifetimes, lets outputs take over inputs, and packs.
  void run();

  /// The offset of an allocation or a result.
  int64_t getOffset(Value memref) const {
    return slots[slotOf.lookup(memref)].offset;
  }
  /// The slot of an allocation or a result: one for those that take over each
  /// other in place. -1 for other memrefs.
  int64_t getSlot(Value memref) const {
    auto it = slotOf.find(memref);
    return it == slotOf.end() ? -1 : it->second;
  }
  int64_t getBytes() const { return totalBytes; }
  /// Returns the buffers that are live when the most bytes are.
  ArrayRef<LiveBuffer> getPeak() const { return peak; }

private:
  /// Memory for one allocation, or for several that follow each other in place.
  struct Slot {
    Value memref;
    int64_t bytes = 0;
    int64_t first = -1;
    int64_t last = -1;
    /// The last use of this allocation, without what takes it over.
    int64_t ownLast = -1;
    int64_t offset = 0;
    /// The allocation may take over another slot at its first use.
    int64_t mergedInto = -1;
  };

  void addSlot(Value memref);
  void findPhases();
  void computeLifetimes();
  void mergeInPlace(linalg::LinalgOp op, int64_t position);
  bool tryMerge(linalg::LinalgOp op, OpOperand &input, OpOperand &output,
                int64_t position);
  void pack();
  void findPeak(int64_t position);
  BufferUse findUse(Value memref, int64_t first, int64_t last) const;
  /// The slot of a memref, through views and merges, or -1.
  int64_t findSlot(Value memref) const;
  bool coversSlot(Value memref, int64_t bytes) const;

  Block &body;
  SmallVector<BlockArgument> results;
  int64_t alignment;
  SmallVector<Slot> slots;
  /// Slots of allocations and of views on them, before merging.
  llvm::DenseMap<Value, int64_t> slotOf;
  int64_t totalBytes = 0;
  SmallVector<LiveBuffer> peak;
  /// Positions where the phases begin; past the end for a missing phase.
  int64_t backward = 0, optimizer = 0;
};

} // namespace mlir::boost::rt

#endif // BOOST_MLIR_LIB_DIALECT_BOOSTRT_TRANSFORMS_TRANSIENTPLAN_H
