//===- PackingTest.cpp - Tests of packing by lifetimes --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/Dialect/BoostRT/Utils/Packing.h"

#include "gtest/gtest.h"
#include <random>
#include <vector>

using namespace mlir::boost::rt;

static constexpr int64_t kAlignment = 64;

namespace {

bool overlap(const Lifetime &a, const Lifetime &b) {
  return a.first <= b.last && b.first <= a.last &&
         a.offset < b.offset + b.bytes && b.offset < a.offset + a.bytes;
}

void expectPacked(const std::vector<Lifetime> &lifetimes, int64_t size) {
  for (size_t i = 0; i < lifetimes.size(); ++i) {
    ASSERT_EQ(lifetimes[i].offset % kAlignment, 0);
    ASSERT_LE(lifetimes[i].offset + lifetimes[i].bytes, size);
    for (size_t j = 0; j < i; ++j)
      ASSERT_FALSE(overlap(lifetimes[i], lifetimes[j])) << i << " and " << j;
  }
}

TEST(PackingTest, NoBuffersNeedNoArena) {
  std::vector<Lifetime> none;
  EXPECT_EQ(findPeakLive(none, kAlignment).bytes, 0);
  EXPECT_EQ(packLifetimes(none, kAlignment), 0);
}

TEST(PackingTest, ThePeakCountsWhatABufferTakes) {
  std::vector<Lifetime> lifetimes = {{1, 0, 3}, {65, 2, 4}, {0, 3, 5}};
  EXPECT_EQ(findPeakLive(lifetimes, kAlignment).position, 3);
  EXPECT_EQ(findPeakLive(lifetimes, kAlignment).bytes, 64 + 128 + 64);
}

TEST(PackingTest, ReusesWhatIsFreeAgain) {
  std::vector<Lifetime> lifetimes = {{128, 0, 1}, {128, 1, 2}, {128, 2, 3}};
  EXPECT_EQ(packLifetimes(lifetimes, kAlignment), 256);
  EXPECT_EQ(lifetimes[2].offset, lifetimes[0].offset);
}

/// In the order of the program the second buffer that stays splits what the
/// first two leave, so that the last finds no room; the largest first fit.
TEST(PackingTest, LargestFirstWhereTheOrderLeavesGaps) {
  std::vector<Lifetime> lifetimes = {
      {64, 0, 1}, {64, 0, 9}, {64, 0, 1}, {128, 2, 9}};
  int64_t size = packLifetimes(lifetimes, kAlignment);
  expectPacked(lifetimes, size);
  EXPECT_EQ(size, findPeakLive(lifetimes, kAlignment).bytes);
}

TEST(PackingTest, RandomLifetimesNeverOverlap) {
  std::mt19937 random(3);
  for (int round = 0; round < 50; ++round) {
    std::vector<Lifetime> lifetimes;
    for (int i = 0; i < 200; ++i) {
      int64_t first = random() % 100;
      lifetimes.push_back({static_cast<int64_t>(random() % 5000), first,
                           first + static_cast<int64_t>(random() % 20)});
    }
    int64_t size = packLifetimes(lifetimes, kAlignment);
    expectPacked(lifetimes, size);
    EXPECT_GE(size, findPeakLive(lifetimes, kAlignment).bytes);
  }
}

} // namespace
