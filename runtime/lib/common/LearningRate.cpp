//===- LearningRate.cpp - The learning rate of a step ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "common/LearningRate.h"

#include <algorithm>
#include <cmath>

using namespace boost_rt;

const std::vector<std::string> &boost_rt::namesOfDecays() {
  static const std::vector<std::string> names = {"constant", "linear", "cosine",
                                                 "wsd"};
  return names;
}

double LearningRate::rate(int64_t step) const {
  if (step <= warmup)
    return peak * static_cast<double>(step) / static_cast<double>(warmup);
  if (decay == Decay::constant)
    return peak;
  int64_t start = decay == Decay::wsd ? steps - decaySteps : warmup;
  double progress = step <= start
                        ? 0.0
                        : std::min(1.0, static_cast<double>(step - start) /
                                            static_cast<double>(steps - start));
  double left = decay == Decay::cosine ? 0.5 * (1.0 + std::cos(M_PI * progress))
                                       : 1.0 - progress;
  return floor + (peak - floor) * left;
}
