//===- Numbers.h - Numbers as elements of tensors ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_RUNTIME_COMMON_NUMBERS_H
#define BOOST_RUNTIME_COMMON_NUMBERS_H

#include "common/ElementType.h"

namespace boost_rt {

/// Writes a number as one element, an integer without its fraction; returns
/// false if it does not fit.
inline bool writeNumber(float number, ElementType type, void *dst) {
  if (isFloat(type))
    return convertElements(BOOST_RT_F32, &number, type, dst, 1);
  constexpr float limit = 0x1p63F;
  if (!(number >= -limit && number < limit))
    return false;
  auto integer = static_cast<int64_t>(number);
  return convertElements(BOOST_RT_I64, &integer, type, dst, 1);
}

} // namespace boost_rt

#endif // BOOST_RUNTIME_COMMON_NUMBERS_H
