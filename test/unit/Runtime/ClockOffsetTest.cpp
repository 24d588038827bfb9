//===- ClockOffsetTest.cpp - The clocks of ranks --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/ClockOffset.h"
#include "TestRank.h"

#include <gtest/gtest.h>
#include <thread>

using namespace boost_rt;

namespace {

/// A clock that advances by the next of some steps at every look.
class StepClock {
public:
  StepClock(int64_t start, std::vector<int64_t> steps)
      : time(start), steps(std::move(steps)) {}
  int64_t operator()() {
    time += steps[looks++ % steps.size()];
    return time;
  }

private:
  int64_t time;
  std::vector<int64_t> steps;
  size_t looks = 0;
};

/// The estimate of rank 1.
ClockOffset compare(const std::function<int64_t()> &first,
                    const std::function<int64_t()> &second) {
  Mailbox mailbox;
  TestRank zero(mailbox, 0, 2), one(mailbox, 1, 2);
  ClockOffset ofZero, ofOne;
  std::thread other([&] { ofZero = compareClocks(zero, first); });
  ofOne = compareClocks(one, second);
  other.join();
  EXPECT_EQ(ofZero.offset, 0);
  EXPECT_EQ(ofZero.error, 0);
  return ofOne;
}

} // namespace

TEST(ClockOffset, isWithinItsError) {
  for (int64_t ahead : {int64_t(-7000000000000), int64_t(0), int64_t(123456)}) {
    auto now = [] {
      auto time = std::chrono::steady_clock::now().time_since_epoch();
      return std::chrono::nanoseconds(time).count();
    };
    ClockOffset offset = compare([&] { return now() + ahead; }, now);
    EXPECT_GT(offset.error, 0);
    EXPECT_LE(std::abs(offset.offset - ahead), offset.error);
    EXPECT_LT(offset.error, 1000000000);
  }
}

// Round trips of 1000 ns but for one of 10, in which rank 0 says 500.
TEST(ClockOffset, takesTheFastestRoundTrip) {
  std::vector<int64_t> steps(32, 1000);
  steps[9] = 10;
  StepClock zero(495, {1, 1, 1, 1, 1}), one(0, steps);
  ClockOffset offset = compare(zero, one);
  // Looks 8 and 9 of rank 1 are at 9000 and 9010; the fifth of rank 0 is at
  // 500.
  EXPECT_EQ(offset.error, 5);
  EXPECT_EQ(offset.at, 9005);
  EXPECT_EQ(offset.offset, 500 - 9005);
}

TEST(ClockOffset, driftsEvenly) {
  ClockOffset first{1000, 50, 1}, last{3000, 250, 1};
  EXPECT_EQ(convertTime(1000, first, last), 1050);
  EXPECT_EQ(convertTime(2000, first, last), 2150);
  EXPECT_EQ(convertTime(3000, first, last), 3250);
  EXPECT_EQ(convertTime(2000, first, first), 2050);
}
