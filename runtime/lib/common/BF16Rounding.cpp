//===- BF16Rounding.cpp - What code generation calls to round to bf16 -----===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CPUs without instructions for it call functions of the compiler's runtime to
// convert to bf16. GCC has them from version 13 on, so that programs link on
// older systems only with these. Code that has none of these calls takes
// nothing from here.
//
//===----------------------------------------------------------------------===//

#include "common/ElementType.h"

#include <cmath>
#include <cstdint>
#include <cstring>

using namespace boost_rt;

static __bf16 toRegister(BFloat16 value) {
  __bf16 result;
  static_assert(sizeof(result) == sizeof(value));
  std::memcpy(&result, &value, sizeof(result));
  return result;
}

// The names are the compiler's.
// NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming)
extern "C" __bf16 __truncsfbf2(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof(bits));
  BFloat16 rounded(value);
  // Values that were bf16 come here too. They stay as they are, NaNs as well.
  if ((bits & 0xffffu) == 0)
    rounded.bits = static_cast<uint16_t>(bits >> 16);
  return toRegister(rounded);
}

/// Rounds once: what a float cannot hold sets its last bit, which bf16 does not
/// have, so that the second rounding knows on which side of a tie it is.
extern "C" __bf16 __truncdfbf2(double value) {
  auto narrow = static_cast<float>(value);
  uint32_t bits;
  std::memcpy(&bits, &narrow, sizeof(bits));
  auto back = static_cast<double>(narrow);
  if (back != value) {
    // Toward zero first.
    if (std::fabs(back) > std::fabs(value))
      --bits;
    bits |= 1;
    std::memcpy(&narrow, &bits, sizeof(bits));
  }
  return toRegister(BFloat16(narrow));
}
// NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming)
