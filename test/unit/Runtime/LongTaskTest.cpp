//===- LongTaskTest.cpp - What takes long says so -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/LongTask.h"

#include "gtest/gtest.h"

#include <chrono>

using namespace boost_rt;

/// Returns the output of a task of this length.
static std::string outputOf(double seconds, bool speaks, int64_t bytes) {
  testing::internal::CaptureStderr();
  {
    LongTask task("loading x", bytes, speaks);
    task.advance(bytes / 4);
    std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
  }
  return testing::internal::GetCapturedStderr();
}

TEST(LongTask, saysNothingOfShortWork) {
  EXPECT_EQ(outputOf(0.01, true, 1 << 20), "");
}

TEST(LongTask, saysHowFarLongWorkIs) {
  std::string text = outputOf(2.2, true, 8'000'000'000);
  EXPECT_NE(text.find("loading x: 2.00 of 8.00 GB (25 %) after 2 s\n"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("loading x: took 2."), std::string::npos) << text;
}

TEST(LongTask, saysNothingOfOtherRanksAndQuietRuns) {
  EXPECT_EQ(outputOf(2.2, false, 8'000'000'000), "");
}

TEST(LongTask, needNotKnowHowFarItIs) {
  std::string text = outputOf(2.2, true, 0);
  EXPECT_NE(text.find("loading x: 2 s so far\n"), std::string::npos) << text;
}
