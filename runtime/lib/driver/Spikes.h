//===- Spikes.h - Steps whose numbers jump up -------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_RUNTIME_DRIVER_SPIKES_H
#define BOOST_RUNTIME_DRIVER_SPIKES_H

#include "driver/Progress.h"

#include <cstdint>
#include <deque>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

namespace boost_rt {

/// A number of a step that is far above those of the steps before it.
struct Spike {
  float value = 0;
  /// The number of steps before it that it is compared with, their median, and
  /// their deviation, see RecentValues.
  int64_t steps = 0;
  float median = 0, deviation = 0;

  /// Returns "7.25, while the 100 steps before it have ..." for a message.
  std::string describe() const;
  nlohmann::ordered_json toJson() const;
};

/// The last values of one number. Their deviation is the distance of their 90th
/// percentile from the median, in units of that of a normal distribution of
/// standard deviation 1, which is 1.2816; or 1 % of the median, if that is
/// more. So it counts what is usual above the median, such as the loss of
/// another kind of text, and a few large values do not hide the next ones.
class RecentValues {
public:
  /// `limit` is the least distance of a spike from the median, in deviations.
  explicit RecentValues(double limit) : limit(limit) {}

  /// Remembers a value. Returns a spike if the value is one, the one before it
  /// was none, and there are enough values to compare it with.
  std::optional<Spike> add(float value);

private:
  double limit;
  std::deque<float> values;
  bool isHigh = false;
};

/// Watches the loss and the norm of the gradients.
class SpikeWatch {
public:
  /// A limit of 0 finds nothing.
  explicit SpikeWatch(double limit) : losses(limit), norms(limit) {}

  struct Found {
    std::optional<Spike> loss, gradientNorm;
    explicit operator bool() const { return loss || gradientNorm; }
    std::string describe() const;
    nlohmann::ordered_json toJson() const;
  };

  /// Compares a step, whose numbers are finite, with those before it.
  Found add(const StepRecord &record);

private:
  RecentValues losses, norms;
};

} // namespace boost_rt

#endif // BOOST_RUNTIME_DRIVER_SPIKES_H
