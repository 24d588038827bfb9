//===- TimeLimitTest.cpp - What lives too long ----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/TimeLimit.h"

#include <chrono>
#include <gtest/gtest.h>
#include <thread>
#include <unistd.h>

using namespace boost_rt;

static void sleepUnder(double limit, double margin, double seconds) {
  {
    TimeLimit timeLimit(limit, "the function 'f'", margin);
    std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
  }
  ::_exit(0);
}

TEST(TimeLimit, endsWhatTakesLonger) {
  EXPECT_EXIT(sleepUnder(0.05, 0, 20), testing::ExitedWithCode(5),
              "the function 'f' has run for more than 0.05 s");
  EXPECT_EXIT(sleepUnder(0.05, 0.1, 20), testing::ExitedWithCode(5),
              "more than 0.15 s");
  EXPECT_EXIT(sleepUnder(0.05, 20, 0.2), testing::ExitedWithCode(0), "");
  EXPECT_EXIT(sleepUnder(20, 0, 0.01), testing::ExitedWithCode(0), "");
}

TEST(TimeLimit, ofNothingIsNone) {
  EXPECT_EXIT(sleepUnder(0, 0, 0.2), testing::ExitedWithCode(0), "");
  EXPECT_EXIT(sleepUnder(0, 0.05, 0.2), testing::ExitedWithCode(0), "");
}
