//===- ElementType.cpp - Element types and conversions --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "common/ElementType.h"

#include <limits>

using namespace boost_rt;

namespace {
struct TypeInfo {
  const char *name;
  int64_t size;
  ElementType type;
  bool isFloat;
};
} // namespace

static const TypeInfo typeInfos[] = {
    {"f32", 4, BOOST_RT_F32, true},  {"bf16", 2, BOOST_RT_BF16, true},
    {"f16", 2, BOOST_RT_F16, true},  {"f64", 8, BOOST_RT_F64, true},
    {"i32", 4, BOOST_RT_I32, false}, {"i64", 8, BOOST_RT_I64, false},
    {"i8", 1, BOOST_RT_I8, false},   {"i1", 1, BOOST_RT_I1, false},
    {"i16", 2, BOOST_RT_I16, false},
};

int64_t boost_rt::sizeOf(ElementType type) { return typeInfos[type].size; }

const char *boost_rt::nameOf(ElementType type) { return typeInfos[type].name; }

bool boost_rt::isFloat(ElementType type) { return typeInfos[type].isFloat; }

std::optional<ElementType> boost_rt::parseElementType(std::string_view name) {
  for (const TypeInfo &info : typeInfos)
    if (name == info.name)
      return info.type;
  return std::nullopt;
}

int64_t boost_rt::maxIntegerOf(ElementType type) {
  switch (type) {
  case BOOST_RT_I64:
    return std::numeric_limits<int64_t>::max();
  case BOOST_RT_I32:
    return std::numeric_limits<int32_t>::max();
  case BOOST_RT_I16:
    return std::numeric_limits<int16_t>::max();
  case BOOST_RT_I8:
    return std::numeric_limits<int8_t>::max();
  default:
    return 1;
  }
}

/// Element `i` of elements at any address: a file aligns nothing.
template <typename T> static T load(const void *src, int64_t i) {
  T value;
  std::memcpy(&value, static_cast<const char *>(src) + i * sizeof(T),
              sizeof(T));
  return value;
}

template <typename From>
static bool convertFloats(const void *src, ElementType to, void *dst,
                          int64_t count) {
  return dispatchFloat(to, [&](auto *tag) {
    using To = std::remove_pointer_t<decltype(tag)>;
    auto *out = static_cast<To *>(dst);
    for (int64_t i = 0; i < count; ++i) {
      if constexpr (std::is_same_v<From, double> || std::is_same_v<To, double>)
        out[i] = To(static_cast<double>(load<From>(src, i)));
      else
        out[i] = To(static_cast<float>(load<From>(src, i)));
    }
    return true;
  });
}

template <typename To, typename From>
static bool narrowIntegers(const void *src, void *dst, int64_t count) {
  auto *out = static_cast<To *>(dst);
  bool fits = true;
  for (int64_t i = 0; i < count; ++i) {
    auto loaded = load<From>(src, i);
    // NOLINTNEXTLINE(bugprone-signed-char-misuse): i8 is a number here.
    auto value = static_cast<int64_t>(loaded);
    // A u64 beyond i64 looks negative.
    fits &= (value < 0) == (loaded < 0) &&
            value >= std::numeric_limits<To>::min() &&
            value <= std::numeric_limits<To>::max();
    out[i] = static_cast<To>(value);
  }
  return fits;
}

template <typename From>
static bool convertIntegers(const void *src, ElementType to, void *dst,
                            int64_t count) {
  switch (to) {
  case BOOST_RT_I64:
    return narrowIntegers<int64_t, From>(src, dst, count);
  case BOOST_RT_I32:
    return narrowIntegers<int32_t, From>(src, dst, count);
  case BOOST_RT_I16:
    return narrowIntegers<int16_t, From>(src, dst, count);
  case BOOST_RT_I8:
    return narrowIntegers<int8_t, From>(src, dst, count);
  case BOOST_RT_I1:
    return narrowIntegers<bool, From>(src, dst, count);
  default:
    return false;
  }
}

bool boost_rt::convertElements(ElementType from, const void *src,
                               ElementType to, void *dst, int64_t count) {
  if (from == to) {
    // Nowhere may be no address.
    if (count > 0)
      std::memcpy(dst, src, static_cast<size_t>(count * sizeOf(from)));
    return true;
  }
  if (isFloat(from) != isFloat(to))
    return false;
  if (isFloat(from))
    return dispatchFloat(from, [&](auto *tag) {
      using From = std::remove_pointer_t<decltype(tag)>;
      return convertFloats<From>(src, to, dst, count);
    });
  switch (from) {
  case BOOST_RT_I64:
    return convertIntegers<int64_t>(src, to, dst, count);
  case BOOST_RT_I32:
    return convertIntegers<int32_t>(src, to, dst, count);
  case BOOST_RT_I16:
    return convertIntegers<int16_t>(src, to, dst, count);
  case BOOST_RT_I8:
    return convertIntegers<int8_t>(src, to, dst, count);
  default:
    return convertIntegers<uint8_t>(src, to, dst, count);
  }
}

bool boost_rt::convertUnsigned(ElementType from, const void *src,
                               ElementType to, void *dst, int64_t count) {
  if (sizeOf(from) == sizeOf(to) && to != BOOST_RT_I1)
    return convertElements(from, src, to, dst, count);
  switch (from) {
  case BOOST_RT_I64:
    return convertIntegers<uint64_t>(src, to, dst, count);
  case BOOST_RT_I32:
    return convertIntegers<uint32_t>(src, to, dst, count);
  case BOOST_RT_I16:
    return convertIntegers<uint16_t>(src, to, dst, count);
  default:
    return convertIntegers<uint8_t>(src, to, dst, count);
  }
}
