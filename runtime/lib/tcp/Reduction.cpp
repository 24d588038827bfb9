//===- Reduction.cpp - Sums of the terms of ranks -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tcp/Reduction.h"

#include <algorithm>

using namespace boost_rt;

template <typename T>
static void reduceInto(boost_rt_reduction reduction, char *result,
                       const char *term, int64_t count) {
  T *to = reinterpret_cast<T *>(result);
  const T *from = reinterpret_cast<const T *>(term);
  switch (reduction) {
  case BOOST_RT_SUM:
    for (int64_t i = 0; i < count; ++i)
      to[i] = static_cast<T>(to[i] + from[i]);
    break;
  case BOOST_RT_MAX:
    for (int64_t i = 0; i < count; ++i)
      to[i] = std::max(to[i], from[i]);
    break;
  case BOOST_RT_MIN:
    for (int64_t i = 0; i < count; ++i)
      to[i] = std::min(to[i], from[i]);
    break;
  }
}

static void reduceInto(boost_rt_reduction reduction, boost_rt_type type,
                       char *result, const char *term, int64_t count) {
  switch (type) {
  case BOOST_RT_F32:
    return reduceInto<float>(reduction, result, term, count);
  case BOOST_RT_F64:
    return reduceInto<double>(reduction, result, term, count);
  case BOOST_RT_I32:
    return reduceInto<int32_t>(reduction, result, term, count);
  case BOOST_RT_I64:
    return reduceInto<int64_t>(reduction, result, term, count);
  case BOOST_RT_I16:
    return reduceInto<int16_t>(reduction, result, term, count);
  case BOOST_RT_I8:
    return reduceInto<int8_t>(reduction, result, term, count);
  default:
    return reduceInto<uint8_t>(reduction == BOOST_RT_SUM ? BOOST_RT_MAX
                                                         : reduction,
                               result, term, count);
  }
}

void boost_rt::reduceTerms(boost_rt_reduction reduction, boost_rt_type type,
                           const std::vector<char *> &terms, int64_t count) {
  for (size_t stride = 1; stride < terms.size(); stride *= 2)
    for (size_t i = 0; i + stride < terms.size(); i += 2 * stride)
      reduceInto(reduction, type, terms[i], terms[i + stride], count);
}
