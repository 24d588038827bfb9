//===- ElementType.h - Element types and conversions ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names and sizes of the element types, storage structs of the 16-bit floats,
// and bulk conversion between any two types.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_RUNTIME_COMMON_ELEMENTTYPE_H
#define BOOST_RUNTIME_COMMON_ELEMENTTYPE_H

#include "boost-runtime/Runtime.h"

#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>

namespace boost_rt {

using ElementType = boost_rt_type;

/// The upper half of an f32. Rounds to nearest even.
struct BFloat16 {
  uint16_t bits;

  BFloat16() = default;
  BFloat16(float value) {
    uint32_t word;
    std::memcpy(&word, &value, sizeof(word));
    uint32_t rounded = (word + 0x7fffu + ((word >> 16) & 1u)) >> 16;
    // A NaN keeps its upper payload bits and stays quiet.
    bool isNaN = (word & 0x7fffffffu) > 0x7f800000u;
    bits = static_cast<uint16_t>(isNaN ? (word >> 16) | 0x40u : rounded);
  }
  operator float() const {
    uint32_t word = static_cast<uint32_t>(bits) << 16;
    float value;
    std::memcpy(&value, &word, sizeof(value));
    return value;
  }
};

using Float16 = _Float16;

/// Bytes per element.
int64_t sizeOf(ElementType type);

/// "f32", "bf16", ...: the spelling of the manifest and of messages.
const char *nameOf(ElementType type);

/// The element type of a manifest spelling; nothing if there is none.
std::optional<ElementType> parseElementType(std::string_view name);

bool isFloat(ElementType type);

/// The unsigned integers that the element type has room for: 0 <= id <= max.
int64_t maxIntegerOf(ElementType type);

/// Converts `count` elements. Floats convert to floats, integers to integers;
/// returns false for anything else and for an integer that does not fit. `src`
/// may be at any address.
bool convertElements(ElementType from, const void *src, ElementType to,
                     void *dst, int64_t count);

/// Converts from unsigned integers. Conversions to the same width keep the
/// bits; others keep the value.
bool convertUnsigned(ElementType from, const void *src, ElementType to,
                     void *dst, int64_t count);

/// Calls `function` with a null pointer to the storage type of `type`: the
/// pointer carries the type and nothing else.
template <typename Function>
auto dispatchFloat(ElementType type, Function &&function) {
  switch (type) {
  case BOOST_RT_BF16:
    return function(static_cast<BFloat16 *>(nullptr));
  case BOOST_RT_F16:
    return function(static_cast<Float16 *>(nullptr));
  case BOOST_RT_F64:
    return function(static_cast<double *>(nullptr));
  default:
    return function(static_cast<float *>(nullptr));
  }
}

} // namespace boost_rt

#endif // BOOST_RUNTIME_COMMON_ELEMENTTYPE_H
