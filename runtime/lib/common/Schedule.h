//===- Schedule.h - Learning rate -------------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_RUNTIME_COMMON_SCHEDULE_H
#define BOOST_RUNTIME_COMMON_SCHEDULE_H

#include <cmath>
#include <cstdint>

namespace boost_rt {

/// Linear warm-up to `peak`, then half a cosine down to `floor` at the last
/// step.
struct Schedule {
  double peak, floor;
  int64_t warmup, steps;

  /// The rate of step `step`, counted from 1.
  double rate(int64_t step) const {
    if (step <= warmup)
      return peak * static_cast<double>(step) / static_cast<double>(warmup);
    double progress = static_cast<double>(step - warmup) /
                      static_cast<double>(steps - warmup);
    return floor + (peak - floor) * 0.5 *
                       (1.0 + std::cos(M_PI * std::fmin(1.0, progress)));
  }
};

} // namespace boost_rt

#endif // BOOST_RUNTIME_COMMON_SCHEDULE_H
