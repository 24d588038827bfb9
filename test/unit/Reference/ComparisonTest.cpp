//===- ComparisonTest.cpp - What differs, by how much, and where ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/Reference/Comparison.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/MLIRContext.h"
#include "gtest/gtest.h"
#include <cmath>

using namespace mlir;
using namespace mlir::boost::reference;

namespace {

class ComparisonTest : public ::testing::Test {
protected:
  Tensor makeFloats(std::vector<double> values) {
    Tensor tensor(RankedTensorType::get({static_cast<int64_t>(values.size())},
                                        Float64Type::get(&context)));
    tensor.data = std::move(values);
    return tensor;
  }
  Tensor makeIntegers(std::vector<int64_t> values, Type type) {
    Tensor tensor(
        RankedTensorType::get({static_cast<int64_t>(values.size())}, type));
    tensor.integers = std::move(values);
    return tensor;
  }

  MLIRContext context;
};

TEST_F(ComparisonTest, TheFirstOfTheLargestGapsIsNamed) {
  Difference difference =
      compareTensors(makeFloats({1, -8, 3, 5}), makeFloats({1, -6, 5, 4}));
  EXPECT_FALSE(difference.isEqual);
  EXPECT_EQ(difference.absolute, 2);
  EXPECT_EQ(difference.element, 1u);
  EXPECT_EQ(difference.scale, 8);
}

/// Equal infinities, and two NaN, do not differ; any other pair differs
/// infinitely, without effect on the scale.
TEST_F(ComparisonTest, WhatIsNoNumberIsComparedByKind) {
  Difference same = compareTensors(makeFloats({NAN, HUGE_VAL, -HUGE_VAL, 2}),
                                   makeFloats({NAN, HUGE_VAL, -HUGE_VAL, 2}));
  EXPECT_TRUE(same.isEqual);
  EXPECT_EQ(same.absolute, 0);
  EXPECT_EQ(same.scale, 2);
  for (auto [a, b] : {std::pair{NAN, 9.0},
                      {9.0, NAN},
                      {HUGE_VAL, -HUGE_VAL},
                      {9.0, -HUGE_VAL},
                      {NAN, HUGE_VAL}}) {
    Difference difference =
        compareTensors(makeFloats({2, a}), makeFloats({3, b}));
    EXPECT_FALSE(difference.isEqual);
    EXPECT_EQ(difference.absolute, HUGE_VAL);
    EXPECT_EQ(difference.element, 1u);
    EXPECT_EQ(difference.scale, 3);
  }
}

/// The distance of a negative number and of an unsigned one from 1 differ.
TEST_F(ComparisonTest, IntegersAreComparedInTheirType) {
  Type i64 = IntegerType::get(&context, 64);
  Type ui64 = IntegerType::get(&context, 64, IntegerType::Unsigned);
  for (bool isSwapped : {false, true}) {
    auto compare = [&](Type type) {
      Tensor a = makeIntegers({5, -1}, type), b = makeIntegers({5, 1}, type);
      return isSwapped ? compareTensors(b, a) : compareTensors(a, b);
    };
    EXPECT_EQ(compare(i64).absolute, 2);
    EXPECT_EQ(compare(ui64).absolute, 0x1p64);
    EXPECT_EQ(compare(i64).element, 1u);
  }
}

TEST(ElementTest, PositionsHaveTheLastDimensionFastest) {
  EXPECT_EQ(describeElement({2, 3, 4}, 14), "[1, 0, 2]");
  EXPECT_EQ(describeElement({2, 3, 4}, 23), "[1, 2, 3]");
  EXPECT_EQ(describeElement({}, 0), "[]");
}

} // namespace
