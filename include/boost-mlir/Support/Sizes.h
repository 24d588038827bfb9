//===- Sizes.h - How large tensors may be -----------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sizes are 64 bit numbers. What comes from a user's text is multiplied and
// added here, where an overflow is seen.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_SUPPORT_SIZES_H
#define BOOST_MLIR_SUPPORT_SIZES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/MathExtras.h"
#include <optional>

namespace mlir::boost {

/// Larger tensors are refused: far above any memory, and so far below 2^63 that
/// sums and products with small numbers do not overflow.
inline constexpr unsigned kMaxTensorBytesLog2 = 53;

/// Returns true if a tensor of elements of `width` bits has at most
/// 2^kMaxTensorBytesLog2 bytes. Dimensions of size 0 count as 1, since strides
/// are products of the others.
inline bool isCountable(llvm::ArrayRef<int64_t> shape, unsigned width) {
  int64_t bytes = llvm::divideCeil(width, 8);
  for (int64_t size : shape)
    if (llvm::MulOverflow(bytes, std::max<int64_t>(size, 1), bytes) ||
        bytes > int64_t(1) << kMaxTensorBytesLog2)
      return false;
  return true;
}

/// A sum of products of 64 bit numbers that remembers whether it overflowed.
class CheckedSum {
public:
  void add(int64_t a, int64_t b = 1) {
    int64_t product = 0;
    overflow |= llvm::MulOverflow(a, b, product);
    overflow |= llvm::AddOverflow(value, product, value);
  }
  /// Returns the sum, or nullopt after an overflow.
  std::optional<int64_t> get() const {
    return overflow ? std::nullopt : std::optional(value);
  }

private:
  int64_t value = 0;
  bool overflow = false;
};

} // namespace mlir::boost

#endif // BOOST_MLIR_SUPPORT_SIZES_H
