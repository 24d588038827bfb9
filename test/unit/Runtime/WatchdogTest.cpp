//===- WatchdogTest.cpp - How ranks are named -----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/Watchdog.h"

#include <gtest/gtest.h>

using namespace boost_rt;

TEST(DescribeRanks, joinsThreeOrMoreInARow) {
  EXPECT_EQ(describeRanks({3}), "rank 3");
  EXPECT_EQ(describeRanks({0, 1}), "ranks 0 and 1");
  EXPECT_EQ(describeRanks({0, 1, 2}), "ranks 0-2");
  EXPECT_EQ(describeRanks({0, 1, 2, 5}), "ranks 0-2 and 5");
  EXPECT_EQ(describeRanks({0, 2, 4}), "ranks 0, 2 and 4");
  EXPECT_EQ(describeRanks({1, 3, 4, 6, 7, 8}), "ranks 1, 3, 4 and 6-8");
}
