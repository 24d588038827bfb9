//===- FloatFormatTest.cpp - Doubles are rounded as APFloat does it -------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/Reference/FloatFormat.h"
#include "llvm/ADT/bit.h"
#include "gtest/gtest.h"
#include <cmath>
#include <random>

using namespace mlir::boost::reference;
using llvm::APFloat;

namespace {

class FloatFormatTest
    : public ::testing::TestWithParam<const llvm::fltSemantics *> {
protected:
  double convert(double value, llvm::RoundingMode mode) const {
    APFloat number(value);
    bool losesInfo;
    number.convert(*GetParam(), mode, &losesInfo);
    number.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven,
                   &losesInfo);
    return number.convertToDouble();
  }

  /// Compared by their bits: zeros have signs.
  static void expectSame(double actual, double expected, double value) {
    EXPECT_EQ(llvm::bit_cast<uint64_t>(actual),
              llvm::bit_cast<uint64_t>(expected))
        << std::hexfloat << "of " << value << ": " << actual << ", not "
        << expected;
  }

  void check(double value) const {
    FloatFormat format(*GetParam());
    for (double number : {value, -value})
      expectSame(format.toNearest(number),
                 convert(number, APFloat::rmNearestTiesToEven), number);
    auto [low, high] = format.getNeighbors(value);
    expectSame(low, convert(value, APFloat::rmTowardZero), value);
    expectSame(high, convert(value, APFloat::rmTowardPositive), value);
  }

  /// A number, what is halfway to the next one, and what is beside both.
  void checkAround(double value) const {
    double next =
        convert(std::nextafter(value, INFINITY), APFloat::rmTowardPositive);
    double half = std::isfinite(next) ? value + (next - value) / 2 : value;
    for (double number : {value, half})
      for (double beside : {number, std::nextafter(number, INFINITY),
                            std::abs(std::nextafter(number, -INFINITY))})
        check(beside);
  }
};

TEST_P(FloatFormatTest, RandomNumbers) {
  std::mt19937_64 random(1);
  double largest = std::abs(convert(INFINITY, APFloat::rmTowardZero));
  for (int i = 0; i < 2000; ++i) {
    // Any double, and one in the range of the format and below.
    double any = std::abs(llvm::bit_cast<double>(random()));
    if (std::isfinite(any))
      check(any);
    double inside = std::ldexp(1 + std::generate_canonical<double, 53>(random),
                               static_cast<int>(random() % 320) - 160);
    if (inside <= largest || !std::isfinite(largest))
      checkAround(convert(inside, APFloat::rmTowardZero));
  }
}

TEST_P(FloatFormatTest, Ends) {
  const llvm::fltSemantics &semantics = *GetParam();
  bool losesInfo;
  for (APFloat end :
       {APFloat::getLargest(semantics), APFloat::getSmallest(semantics),
        APFloat::getSmallestNormalized(semantics)}) {
    end.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven,
                &losesInfo);
    double number = end.convertToDouble();
    checkAround(number);
    for (double factor : {0.25, 0.5, 0.75, 1.001, 1.5, 2.0, 4.0})
      check(number * factor);
  }
  check(0);
  check(INFINITY);
  check(std::numeric_limits<double>::denorm_min());
  check(std::numeric_limits<double>::max());
  EXPECT_TRUE(std::isnan(FloatFormat(semantics).toNearest(NAN)));
}

INSTANTIATE_TEST_SUITE_P(Formats, FloatFormatTest,
                         ::testing::Values(&APFloat::IEEEsingle(),
                                           &APFloat::BFloat(),
                                           &APFloat::IEEEhalf(),
                                           &APFloat::FloatTF32(),
                                           &APFloat::Float8E5M2()));

} // namespace
