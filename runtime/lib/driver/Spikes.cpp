//===- Spikes.cpp - Steps whose numbers jump up ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/Spikes.h"
#include "common/Failure.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

using namespace boost_rt;

std::string Spike::describe() const {
  return concat(value, ", while the ", steps, " steps before have a median of ",
                median, " and a deviation of ", deviation);
}

nlohmann::ordered_json Spike::toJson() const {
  return {{"value", value},
          {"steps", steps},
          {"median", median},
          {"deviation", deviation}};
}

std::optional<Spike> RecentValues::add(float value) {
  static constexpr size_t least = 20, most = 100;
  std::optional<Spike> spike;
  bool wasHigh = std::exchange(isHigh, false);
  if (limit > 0 && values.size() >= least) {
    std::vector<float> before(values.begin(), values.end());
    std::sort(before.begin(), before.end());
    size_t count = before.size();
    float median = before[count / 2], high = before[count * 9 / 10];
    float deviation =
        std::max((high - median) / 1.2816F, 0.01F * std::abs(median));
    isHigh = value - median > limit * deviation;
    if (isHigh && !wasHigh)
      spike = Spike{value, static_cast<int64_t>(count), median, deviation};
  }
  values.push_back(value);
  if (values.size() > most)
    values.pop_front();
  return spike;
}

SpikeWatch::Found SpikeWatch::add(const StepRecord &record) {
  Found found;
  found.loss = losses.add(record.loss);
  if (std::optional<float> norm = record.gradientNorm())
    found.gradientNorm = norms.add(*norm);
  return found;
}

std::string SpikeWatch::Found::describe() const {
  std::string text;
  if (loss)
    text = concat("the loss is ", loss->describe());
  if (gradientNorm)
    text += concat(loss ? "; " : "", "the gradient norm is ",
                   gradientNorm->describe());
  return text;
}

nlohmann::ordered_json SpikeWatch::Found::toJson() const {
  nlohmann::ordered_json json;
  if (loss)
    json["loss"] = loss->toJson();
  if (gradientNorm)
    json["grad_norm"] = gradientNorm->toJson();
  return json;
}
