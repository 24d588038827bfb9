//===- ShrinkTest.cpp - Making failing programs small ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/Prove/Shrink.h"

#include <gtest/gtest.h>
#include <thread>

using namespace mlir::boost::prove;
using namespace std::chrono_literals;

/// Reads choices up to a zero; whether three of them are at least 5.
static bool hasThreeLarge(Choices &choices) {
  unsigned large = 0;
  while (uint32_t choice = choices.below(10))
    large += choice >= 5;
  return large >= 3;
}

static Choices makeFailing(size_t count) {
  Choices choices(std::vector<uint32_t>(count, 9));
  EXPECT_TRUE(hasThreeLarge(choices));
  return choices;
}

TEST(Choices, areZerosAfterThoseGiven) {
  // The previous content does not count.
  std::vector<uint32_t> given(8, 9);
  given.resize(1);
  Choices choices(std::move(given));
  EXPECT_EQ(choices.below(10), 9u);
  EXPECT_EQ(choices.below(10), 0u);
  EXPECT_EQ(choices.below(10), 0u);
  EXPECT_EQ(choices.getRecord(), (std::vector<uint32_t>{9, 0, 0}));
}

TEST(Shrink, leavesWhatTheFailureNeeds) {
  unsigned steps = 0;
  Shrunk shrunk = shrink(makeFailing(20), {10000, 1h}, [&](Choices &candidate) {
    ++steps;
    return hasThreeLarge(candidate);
  });
  EXPECT_EQ(shrunk.smallest.getRecord(), (std::vector<uint32_t>{5, 5, 5, 0}));
  EXPECT_TRUE(shrunk.isComplete);
  EXPECT_EQ(shrunk.attempts, steps);
}

TEST(Shrink, leavesOutChoicesThatBelongTogether) {
  // Each of them alone is needed: all are the same.
  for (size_t count : {2, 4, 8}) {
    Choices failing(std::vector<uint32_t>(count, 9));
    auto fails = [count](Choices &choices) {
      uint32_t first = choices.below(10);
      bool areSame = true;
      for (size_t i = 1; i < count; ++i)
        areSame &= choices.below(10) == first;
      return areSame;
    };
    EXPECT_TRUE(fails(failing));
    Shrunk shrunk = shrink(failing, {1000, 1h}, fails);
    EXPECT_EQ(shrunk.smallest.getRecord(), std::vector<uint32_t>(count, 0));
  }
}

TEST(Shrink, leavesOutWholeOperations) {
  // Operations of five numbers in a row each, whichever begins, up to a zero.
  auto fails = [](Choices &choices) {
    bool isRight = true;
    for (unsigned operations = 0;; ++operations) {
      choices.beginSpan();
      uint32_t first = choices.below(100);
      for (uint32_t i = 1; i < 5 && first != 0; ++i)
        isRight &= choices.below(100) == first + i;
      choices.endSpan();
      if (first == 0)
        return isRight && operations > 0;
    }
  };
  std::vector<uint32_t> given;
  for (uint32_t first : {11, 31, 21})
    for (uint32_t i = 0; i < 5; ++i)
      given.push_back(first + i);
  Choices failing(std::move(given));
  EXPECT_TRUE(fails(failing));
  Shrunk shrunk = shrink(failing, {1000, 1h}, fails);
  EXPECT_EQ(shrunk.smallest.getRecord(),
            (std::vector<uint32_t>{11, 12, 13, 14, 15, 0}));
  EXPECT_TRUE(shrunk.isComplete);
}

TEST(Shrink, endsWithTheTime) {
  // 200 choices make more than a thousand steps, 10 ms each at least.
  unsigned steps = 0;
  auto begin = std::chrono::steady_clock::now();
  Shrunk shrunk =
      shrink(makeFailing(200), {10000, 500ms}, [&](Choices &candidate) {
        ++steps;
        std::this_thread::sleep_for(10ms);
        hasThreeLarge(candidate);
        return false;
      });
  EXPECT_GT(steps, 0u);
  EXPECT_LE(steps, 50u);
  EXPECT_EQ(shrunk.attempts, steps);
  EXPECT_FALSE(shrunk.isComplete);
  EXPECT_GE(shrunk.time, 500ms);
  EXPECT_LE(shrunk.time, std::chrono::steady_clock::now() - begin);
  EXPECT_EQ(shrunk.smallest.getRecord().size(), 201u);
}

TEST(Shrink, endsWithTheSteps) {
  Shrunk shrunk =
      shrink(makeFailing(200), {7, 1h}, [](Choices &) { return false; });
  EXPECT_EQ(shrunk.attempts, 7u);
  EXPECT_FALSE(shrunk.isComplete);
}

TEST(Shrink, takesNoStepWithoutTime) {
  Shrunk shrunk = shrink(makeFailing(3), {7, 0s}, [](Choices &) -> bool {
    ADD_FAILURE() << "a program was tried";
    return false;
  });
  EXPECT_EQ(shrunk.attempts, 0u);
}
