//===- Reduction.h - Sums of the terms of ranks -----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_RUNTIME_TCP_REDUCTION_H
#define BOOST_RUNTIME_TCP_REDUCTION_H

#include "boost-runtime/Runtime.h"

#include <cstdint>
#include <vector>

namespace boost_rt {

/// Reduces arrays of `count` elements to the first of them; what the others
/// hold is lost. Neighbors are added first, then pairs of them, and so on: the
/// order depends on the number of arrays alone. `type` is none of the 16-bit
/// floats; the sum of booleans is their disjunction.
void reduceTerms(boost_rt_reduction reduction, boost_rt_type type,
                 const std::vector<char *> &terms, int64_t count);

} // namespace boost_rt

#endif // BOOST_RUNTIME_TCP_REDUCTION_H
