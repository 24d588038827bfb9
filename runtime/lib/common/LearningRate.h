//===- LearningRate.h - The learning rate of a step -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_RUNTIME_COMMON_LEARNINGRATE_H
#define BOOST_RUNTIME_COMMON_LEARNINGRATE_H

#include <cstdint>
#include <string>
#include <vector>

namespace boost_rt {

/// The curve of the learning rate after the warm-up.
enum class Decay {
  constant, ///< stays at the peak
  linear,   ///< a line to the floor at the last step
  cosine,   ///< half a cosine to the floor at the last step
  wsd       ///< warm-up, stable, decay: a line in the last steps only
};

/// In the order of the enumeration.
const std::vector<std::string> &namesOfDecays();
inline const std::string &nameOf(Decay decay) {
  return namesOfDecays()[static_cast<size_t>(decay)];
}

/// Linear warm-up to `peak` at step `warmup`, then `decay` down to `floor`.
struct LearningRate {
  Decay decay;
  double peak, floor;
  int64_t warmup, steps;
  /// The last steps in which wsd decays.
  int64_t decaySteps = 0;

  /// The rate of step `step`, counted from 1.
  double rate(int64_t step) const;
};

} // namespace boost_rt

#endif // BOOST_RUNTIME_COMMON_LEARNINGRATE_H
