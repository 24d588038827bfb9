//===- BufferAddress.h - Where a static memref lies -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// At the runtime level every memref is a root (the arena, a global) plus a
// constant distance. This says which and how far.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_DIALECT_BOOSTRT_UTILS_BUFFERADDRESS_H
#define BOOST_MLIR_DIALECT_BOOSTRT_UTILS_BUFFERADDRESS_H

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Value.h"

namespace mlir::boost::rt {

/// The first element of a memref, as a distance in bytes from its root: a value
/// that is no view (function argument, memref.get_global, memref.alloc).
struct BufferAddress {
  Value root;
  int64_t bytes = 0;
};

/// Follows views with static offsets down to the root; fails at a view whose
/// offset is not a constant.
FailureOr<BufferAddress> resolveBufferAddress(Value memref);

/// A range of bytes relative to a root.
struct ByteRange {
  Value root;
  int64_t begin = 0;
  int64_t end = 0;

  bool overlaps(const ByteRange &other) const;
};

/// All bytes that accesses through this memref can touch.
FailureOr<ByteRange> getByteRange(Value memref);

} // namespace mlir::boost::rt

#endif // BOOST_MLIR_DIALECT_BOOSTRT_UTILS_BUFFERADDRESS_H
