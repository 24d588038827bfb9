//===- RoundoffTest.cpp - Random roundings have the size they should ------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/Reference/Roundoff.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/MLIRContext.h"
#include "gtest/gtest.h"
#include <cmath>
#include <limits>

using namespace mlir;
using namespace mlir::boost::reference;

namespace {

class RoundoffTest : public ::testing::Test {
protected:
  Tensor filled(Type type, double value, int64_t count) {
    Tensor tensor(RankedTensorType::get({count}, type));
    tensor.data.assign(count, value);
    return tensor;
  }

  MLIRContext context;
  Type f32 = Float32Type::get(&context), bf16 = BFloat16Type::get(&context),
       f64 = Float64Type::get(&context);
};

TEST_F(RoundoffTest, UnitRoundoffsAreThoseOfTheTypes) {
  EXPECT_EQ(getUnitRoundoff(f64), 0x1p-53);
  EXPECT_EQ(getUnitRoundoff(f32), 0x1p-24);
  EXPECT_EQ(getUnitRoundoff(bf16), 0x1p-8);
}

TEST_F(RoundoffTest, NothingIsDrawnWithoutASeed) {
  Roundoff roundoff;
  Sum sum;
  sum.add(0.1);
  sum.add(0.2);
  EXPECT_EQ(roundoff.sum(sum, f32), sum.value);
  EXPECT_EQ(roundoff.step(0.1, f32), 0.1);
  EXPECT_EQ(roundoff.function(0.1, f32), 0.1);
  Tensor tensor = filled(bf16, 0.1, 4);
  roundoff.round(tensor);
  EXPECT_EQ(tensor.data, std::vector<double>(4, 0.1));
}

TEST_F(RoundoffTest, WhatATypeHasStays) {
  Roundoff roundoff(7);
  Tensor tensor = filled(bf16, -1.5, 100);
  roundoff.round(tensor);
  EXPECT_EQ(tensor.data, std::vector<double>(100, -1.5));
}

/// Beside a number that hides a score, the score is lost or worth one step of
/// f32; beside the largest number nothing is left of it, and nothing overflows.
TEST_F(RoundoffTest, ALargeNumberTakesASmallOneOver) {
  FloatFormat format(cast<FloatType>(f32).getFloatSemantics());
  constexpr double largest = std::numeric_limits<float>::max();
  int changed = 0;
  for (int seed = 0; seed < 1000; ++seed) {
    Roundoff roundoff(seed);
    double sum = roundoff.round(-1e9 + 3.2, format);
    EXPECT_TRUE(sum == -1e9 || sum == -1e9 + 64) << sum;
    changed += sum != -1e9;
    EXPECT_EQ(roundoff.round(-largest - 3.2, format), -largest);
  }
  EXPECT_NEAR(changed, 50, 5 * std::sqrt(50.0));
}

/// A quarter of the way to the upper neighbor goes up a quarter of the time.
TEST_F(RoundoffTest, NeighborsAreDrawnByTheirDistance) {
  constexpr int count = 10000;
  int up = 0;
  for (int seed = 0; seed < count; ++seed) {
    Tensor tensor = filled(bf16, 1 + 0x1p-9, 1);
    Roundoff(seed).round(tensor);
    EXPECT_TRUE(tensor.data[0] == 1 || tensor.data[0] == 1 + 0x1p-7);
    up += tensor.data[0] != 1;
  }
  // Five standard deviations of the count.
  EXPECT_NEAR(up, 0.25 * count, 5 * std::sqrt(0.25 * 0.75 * count));
}

/// As rounding to nearest does, whatever the other elements are.
TEST_F(RoundoffTest, EqualElementsAreRoundedAlike) {
  Roundoff roundoff(7);
  Tensor tensor = filled(bf16, 1 + 0x1p-8, 100);
  for (size_t i = 1; i < 100; i += 2)
    tensor.data[i] = -tensor.data[i];
  roundoff.round(tensor);
  for (size_t i = 0; i < 100; ++i)
    EXPECT_EQ(tensor.data[i], i % 2 ? -tensor.data[0] : tensor.data[0]);
  // Elsewhere they are rounded anew.
  int changed = 0;
  for (int i = 0; i < 100; ++i) {
    Tensor again = filled(bf16, 1 + 0x1p-8, 1);
    roundoff.beginOperation();
    roundoff.round(again);
    changed += again.data[0] != tensor.data[0];
  }
  EXPECT_GT(changed, 20);
  EXPECT_LT(changed, 80);
}

/// Odd functions stay odd.
TEST_F(RoundoffTest, OppositeValuesHaveOppositeErrors) {
  Roundoff roundoff(7);
  for (Type type : {f32, bf16, f64})
    for (double value : {0.1, 1.5, 300.0}) {
      EXPECT_NE(roundoff.step(value, type), value);
      EXPECT_EQ(roundoff.step(-value, type), -roundoff.step(value, type));
      EXPECT_NE(roundoff.function(value, type), value);
      EXPECT_EQ(roundoff.function(-value, type),
                -roundoff.function(value, type));
      Sum sum, opposite;
      for (double term : {value, 2.0, 3.0}) {
        sum.add(term);
        opposite.add(-term);
      }
      EXPECT_EQ(roundoff.sum(opposite, type), -roundoff.sum(sum, type));
    }
}

TEST_F(RoundoffTest, SumsErrLikeTheirPartialSums) {
  // Partial sums 1, 2, 3, 4 and terms 1, 1, 1, 1.
  Sum sum;
  for (int i = 0; i < 4; ++i)
    sum.add(1);
  auto deviation = [&](Type type) {
    double squares = 0;
    constexpr int draws = 100000;
    for (int seed = 0; seed < draws; ++seed)
      squares += std::pow(Roundoff(seed).sum(sum, type) - 4, 2);
    return std::sqrt(squares / draws);
  };
  EXPECT_NEAR(deviation(f32) / (0x1p-24 * std::sqrt(30 + 4)), 1, 0.02);
  // Ranks round their terms to bf16; what f32 adds to that is not seen.
  EXPECT_NEAR(deviation(bf16) / (0x1p-8 * std::sqrt(4)), 1, 0.02);
}

/// A polynomial may be too large everywhere, so that the mean of many errors
/// does not vanish.
TEST_F(RoundoffTest, ResultsOfAFunctionShareAnError) {
  constexpr int draws = 1000, count = 200;
  double single = 0, shared = 0;
  for (int seed = 0; seed < draws; ++seed) {
    Roundoff roundoff(seed);
    double mean = 0;
    for (int i = 0; i < count; ++i) {
      double value = 1 + 0.001 * i;
      double error = roundoff.function(value, f32) / value - 1;
      mean += error / count;
      single += error * error / count / draws;
    }
    shared += mean * mean / draws;
  }
  EXPECT_NEAR(std::sqrt(single) / 2e-7, std::sqrt(2), 0.1);
  EXPECT_NEAR(std::sqrt(shared) / 2e-7, 1, 0.1);
}

TEST_F(RoundoffTest, WhatIsNotFiniteStays) {
  Roundoff roundoff(7);
  EXPECT_EQ(roundoff.function(-HUGE_VAL, f32), -HUGE_VAL);
  EXPECT_EQ(roundoff.step(HUGE_VAL, f32), HUGE_VAL);
  Tensor tensor = filled(bf16, HUGE_VAL, 1);
  roundoff.round(tensor);
  EXPECT_EQ(tensor.data[0], HUGE_VAL);
}

TEST_F(RoundoffTest, SeedsRepeat) {
  Roundoff first(3), same(3), other(4);
  double value = first.step(1, f32);
  EXPECT_EQ(value, same.step(1, f32));
  EXPECT_NE(value, other.step(1, f32));
}

} // namespace
