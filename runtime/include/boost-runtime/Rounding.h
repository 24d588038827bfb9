//===- Rounding.h - Sizes in memory -----------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_RUNTIME_ROUNDING_H
#define BOOST_RUNTIME_ROUNDING_H

#include <cstdint>

namespace boost_rt {

/// Parts of a workspace begin at multiples of so many bytes.
inline constexpr int64_t workspaceAlignment = 256;

constexpr int64_t roundUp(int64_t size, int64_t multiple) {
  return (size + multiple - 1) / multiple * multiple;
}

} // namespace boost_rt

#endif // BOOST_RUNTIME_ROUNDING_H
