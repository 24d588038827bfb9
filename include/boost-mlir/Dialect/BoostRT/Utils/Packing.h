//===- Packing.h - Offsets for buffers of known lifetimes -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Places buffers that live at the same time side by side, in little room.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_DIALECT_BOOSTRT_UTILS_PACKING_H
#define BOOST_MLIR_DIALECT_BOOSTRT_UTILS_PACKING_H

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/ArrayRef.h"

#include <cstdint>

namespace mlir::boost::rt {

/// A buffer that is needed from position `first` to position `last`.
struct Lifetime {
  int64_t bytes = 0;
  int64_t first = 0;
  int64_t last = 0;
  int64_t offset = 0;
};

/// The position at which most bytes are needed, and those bytes; every buffer
/// counts as what the arena gives it. No arena can be smaller.
struct PeakLive {
  int64_t position = 0;
  int64_t bytes = 0;
};
PeakLive findPeakLive(ArrayRef<Lifetime> lifetimes, int64_t alignment);

/// Sets the offsets, multiples of `alignment`, and returns the size of the
/// arena. Tries the order of the program, and if that leaves gaps also the
/// largest buffers first, and takes the smaller arena.
int64_t packLifetimes(MutableArrayRef<Lifetime> lifetimes, int64_t alignment);

} // namespace mlir::boost::rt

#endif // BOOST_MLIR_DIALECT_BOOSTRT_UTILS_PACKING_H
