//===- SpikesTest.cpp - Steps whose numbers jump up -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/Spikes.h"

#include <cmath>
#include <gtest/gtest.h>
#include <vector>

using namespace boost_rt;

namespace {
/// 0 to 4 in turn, plus `level`. Of a multiple of 5 values 2 is the median, and
/// 4 is the 90th percentile: the deviation is 2 / 1.2816 = 1.5606.
std::vector<float> inTurn(size_t count, float level = 0) {
  std::vector<float> values;
  for (size_t i = 0; i < count; ++i)
    values.push_back(level + static_cast<float>(i % 5));
  return values;
}

/// The places of the values that are spikes.
std::vector<size_t> spikesOf(const std::vector<float> &values,
                             double limit = 10) {
  RecentValues recent(limit);
  std::vector<size_t> places;
  for (size_t i = 0; i < values.size(); ++i)
    if (recent.add(values[i]))
      places.push_back(i);
  return places;
}

std::vector<float> append(std::vector<float> values,
                          const std::vector<float> &more) {
  values.insert(values.end(), more.begin(), more.end());
  return values;
}
} // namespace

TEST(Spikes, areMeasuredInDeviations) {
  RecentValues recent(10);
  for (float value : inTurn(30))
    EXPECT_FALSE(recent.add(value));
  std::optional<Spike> spike = recent.add(31);
  ASSERT_TRUE(spike);
  EXPECT_EQ(spike->value, 31);
  EXPECT_EQ(spike->steps, 30);
  EXPECT_EQ(spike->median, 2);
  EXPECT_FLOAT_EQ(spike->deviation, 2 / 1.2816F);
  EXPECT_EQ(spike->describe(), "31, while the 30 steps before have a median of "
                               "2 and a deviation of 1.56055");
}

TEST(Spikes, beginAtTheLimit) {
  std::vector<float> usual = inTurn(20);
  EXPECT_EQ(spikesOf(append(usual, {17.6F})), std::vector<size_t>());
  EXPECT_EQ(spikesOf(append(usual, {17.7F})), std::vector<size_t>{20});
  EXPECT_EQ(spikesOf(append(usual, {9.8F}), 4.9), std::vector<size_t>{20});
  EXPECT_EQ(spikesOf(append(usual, {1e9F}), 0), std::vector<size_t>());
}

TEST(Spikes, areAtLeastSomePercentOfTheMedian) {
  std::vector<float> equal(20, 2);
  EXPECT_EQ(spikesOf(append(equal, {2.19F})), std::vector<size_t>());
  EXPECT_EQ(spikesOf(append(equal, {2.21F})), std::vector<size_t>{20});
}

TEST(Spikes, areNotValuesThatAreUsual) {
  // Every sixth value is of another kind.
  std::vector<float> values;
  for (int i = 0; i < 200; ++i)
    values.push_back(i % 6 == 5 ? 7 : 1);
  EXPECT_EQ(spikesOf(values), std::vector<size_t>());
}

TEST(Spikes, areUpwardOnly) {
  EXPECT_EQ(spikesOf(append(inTurn(40), {-1e6F})), std::vector<size_t>());
}

TEST(Spikes, needSomeStepsToCompareWith) {
  EXPECT_EQ(spikesOf(append(inTurn(19), {1e6F})), std::vector<size_t>());
}

TEST(Spikes, areReportedWhereTheyBegin) {
  std::vector<float> values = append(inTurn(40), {90, 91, 92});
  EXPECT_EQ(spikesOf(append(values, {1, 3, 1, 93, 3})),
            (std::vector<size_t>{40, 46}));
}

TEST(Spikes, endWhereTheLevelIsANewOne) {
  std::vector<float> values = append(inTurn(100), inTurn(100, 50));
  EXPECT_EQ(spikesOf(append(values, {50, 54, 90})),
            (std::vector<size_t>{100, 202}));
}

TEST(Spikes, areOfTheLossAndTheNorm) {
  SpikeWatch watch(10);
  StepRecord record;
  for (float value : inTurn(30)) {
    record.loss = value;
    record.metrics = {{"grad_norm", value / 10}};
    EXPECT_FALSE(watch.add(record));
  }
  record.metrics[0].second = 5;
  SpikeWatch::Found found = watch.add(record);
  EXPECT_TRUE(found);
  EXPECT_FALSE(found.loss);
  EXPECT_EQ(found.describe().find("the gradient norm is 5, while"), 0U);
  EXPECT_EQ(found.toJson()["grad_norm"]["steps"], 30);
  record.loss = 1000;
  found = watch.add(record);
  EXPECT_TRUE(found.loss);
  EXPECT_FALSE(found.gradientNorm) << "it began a step ago";
}
