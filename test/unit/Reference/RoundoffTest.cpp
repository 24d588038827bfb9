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

/// A quarter of the way to the upper neighbour goes up a quarter of the time.
TEST_F(RoundoffTest, NeighboursAreDrawnByTheirDistance) {
  Roundoff roundoff(7);
  constexpr int64_t count = 100000;
  Tensor tensor = filled(bf16, 1 + 0x1p-9, count);
  roundoff.round(tensor);
  int64_t up = 0;
  for (double value : tensor.data) {
    EXPECT_TRUE(value == 1 || value == 1 + 0x1p-7) << value;
    up += value != 1;
  }
  // Five standard deviations of the count.
  EXPECT_NEAR(static_cast<double>(up), 0.25 * count,
              5 * std::sqrt(0.25 * 0.75 * count));
}

TEST_F(RoundoffTest, SumsErrLikeTheirPartialSums) {
  Roundoff roundoff(7);
  // Partial sums 1, 2, 3, 4 and terms 1, 1, 1, 1.
  Sum sum;
  for (int i = 0; i < 4; ++i)
    sum.add(1);
  auto deviation = [&](Type type) {
    double squares = 0;
    constexpr int draws = 100000;
    for (int i = 0; i < draws; ++i)
      squares += std::pow(roundoff.sum(sum, type) - 4, 2);
    return std::sqrt(squares / draws);
  };
  EXPECT_NEAR(deviation(f32) / (0x1p-24 * std::sqrt(30 + 4)), 1, 0.02);
  // Ranks round their terms to bf16; what f32 adds to that is not seen.
  EXPECT_NEAR(deviation(bf16) / (0x1p-8 * std::sqrt(4)), 1, 0.02);
}

TEST_F(RoundoffTest, SeedsRepeat) {
  Roundoff first(3), same(3), other(4);
  double value = first.step(1, f32);
  EXPECT_EQ(value, same.step(1, f32));
  EXPECT_NE(value, other.step(1, f32));
}

} // namespace
