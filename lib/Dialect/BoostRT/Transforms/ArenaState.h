//===- ArenaState.h - What the arena holds, call by call --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Follows one straight-line function: which buffer has which memory, what was
// written of it, and which values these bytes are.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_LIB_DIALECT_BOOSTRT_TRANSFORMS_ARENASTATE_H
#define BOOST_MLIR_LIB_DIALECT_BOOSTRT_TRANSFORMS_ARENASTATE_H

#include "boost-mlir/Dialect/BoostRT/IR/AccessPattern.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Operation.h"

#include <map>

namespace mlir::boost::rt {

/// A buffer of the memory plan.
struct PlannedBuffer {
  int64_t offset = 0, bytes = 0;
  /// Holds a tensor when the function is called.
  bool isArgument = false;
  /// In the slot of the stash that the function is given, not in the arena.
  bool isInStash = false;
  /// Where offset 0 is in one line of memory with arena and slot.
  int64_t base = 0;

  int64_t getBegin() const { return base + offset; }
  int64_t getEnd() const { return getBegin() + bytes; }
  AccessPattern getBytes() const {
    return AccessPattern(getBegin(), {bytes}, {1});
  }
};

/// The memory of a function. A buffer has its memory from its first write until
/// another buffer that shares bytes with it is written.
class ArenaState {
public:
  ArenaState(ArrayRef<PlannedBuffer> buffers, PatternRelations &relations)
      : buffers(buffers.begin(), buffers.end()), relations(relations) {}

  /// The arguments have their memory and values of their own number; fails,
  /// with an error at `function`, if two overlap.
  LogicalResult enter(Operation *function);

  /// `what` reads these bytes of a buffer, which must all have been written
  /// and, unless `values` is null, hold no other values.
  LogicalResult read(Operation *op, const Twine &what, int64_t buffer,
                     const AccessPattern &bytes, DenseI64ArrayAttr values);

  /// `op` writes these bytes of a buffer; they are these values then.
  LogicalResult write(Operation *op, int64_t buffer, const AccessPattern &bytes,
                      DenseI64ArrayAttr values);

  const PlannedBuffer &getBuffer(int64_t buffer) const {
    return buffers[buffer].plan;
  }

private:
  /// Bytes that one operation wrote.
  struct Piece {
    AccessPattern bytes;
    DenseI64ArrayAttr values;
    /// Null for arguments.
    Operation *writer;
  };
  struct Buffer {
    explicit Buffer(const PlannedBuffer &plan) : plan(plan) {}
    PlannedBuffer plan;
    bool hasMemory = false;
    /// The operation that took the memory over.
    Operation *takenOverBy = nullptr;
    /// The latest last. Later ones may hide parts of earlier ones.
    SmallVector<Piece, 1> pieces;
    bool areDisjoint = true;
  };

  LogicalResult takeMemory(Operation *op, int64_t buffer);
  LogicalResult refuseValues(Operation *op, const Twine &what, int64_t buffer,
                             const Piece &piece, DenseI64ArrayAttr values);
  bool areCovered(const Buffer &buffer, ArrayRef<const Piece *> pieces,
                  const AccessPattern &bytes);

  std::vector<Buffer> buffers;
  PatternRelations &relations;
  /// The buffers that have memory, by their first byte.
  std::map<int64_t, int64_t> owners;
};

} // namespace mlir::boost::rt

#endif // BOOST_MLIR_LIB_DIALECT_BOOSTRT_TRANSFORMS_ARENASTATE_H
