//===- IdsTest.cpp - Integers that pick a row -----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Ids.h"
#include "ParsedFunction.h"
#include "boost-mlir/Dialect/Boost/IR/Tensors.h"

using namespace mlir;
using namespace mlir::boost;
using namespace mlir::boost::raise;

namespace {

constexpr llvm::StringLiteral kBatch =
    "%i: tensor<4xi32> {boost.tensor = #boost.tensor<batch \"i\">}";

class IdsTest : public test::ParsedFunction {
protected:
  /// Returns true if `compare` with `number` on one side holds for ids below
  /// 64.
  bool isCheck(StringRef direction, StringRef number, bool numberFirst = false,
               int64_t limit = 64) {
    Value pred =
        parse(kBatch, "%n = stablehlo.constant dense<" + number +
                          "> : tensor<4xi32>\n%0 = stablehlo.compare " +
                          direction + (numberFirst ? ", %n, %i" : ", %i, %n") +
                          " : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>");
    return isBoundsCheck(pred, argument(0), limit);
  }

  /// Returns true if a conversion keeps ids below `limit`.
  bool keeps(StringRef from, StringRef to, int64_t limit) {
    Value value = parse("%i: tensor<4x" + from + ">",
                        "%0 = stablehlo.convert %i : (tensor<4x" + from +
                            ">) -> tensor<4x" + to + ">");
    return matchIds(value, 4, limit) == argument(0);
  }

  /// The limit of the argument once it is checked; -1 if it is not.
  int64_t check(const Twine &body) {
    Value ids = parse(kBatch, body);
    return limitOf(ids ? ids : argument(0), 64);
  }

  int64_t limitOf(Value ids, int64_t limit) {
    bool isChecked = checkIds(ids, limit);
    auto attr = function.getArgAttrOfType<IntegerAttr>(0, kIdLimitAttr);
    EXPECT_EQ(isChecked, static_cast<bool>(attr));
    return attr ? attr.getInt() : -1;
  }

  /// Returns true if the argument is checked although `use` reads it.
  bool isCheckedBeside(const Twine &use) {
    parse(kBatch,
          "%n = stablehlo.constant dense<-100> : tensor<4xi32>\n"
          "%zero = stablehlo.constant dense<0> : tensor<4xi32>\n"
          "%rows = stablehlo.constant dense<64> : tensor<4xi32>\n"
          "%nan = stablehlo.constant dense<0x7FC00000> : tensor<4xf32>\n"
          "%f = stablehlo.constant dense<0.0> : tensor<4xf32>\n" +
              use);
    return limitOf(argument(0), 64) == 64;
  }
};

TEST_F(IdsTest, IdsAreSignedIntegersOf32Or64Bits) {
  auto isId = [&](StringRef type) {
    parse("%i: tensor<4x" + type + ">",
          "%c = stablehlo.constant dense<0> : tensor<i32>");
    return isIdTensor(argument(0));
  };
  EXPECT_TRUE(isId("i32"));
  EXPECT_TRUE(isId("i64"));
  EXPECT_FALSE(isId("i16"));
  EXPECT_FALSE(isId("i8"));
  EXPECT_FALSE(isId("ui32"));
  EXPECT_FALSE(isId("ui64"));
  EXPECT_FALSE(isId("f32"));
}

TEST_F(IdsTest, ComparisonsThatHoldForAllIds) {
  EXPECT_TRUE(isCheck("GE", "0"));
  EXPECT_FALSE(isCheck("GE", "1"));
  EXPECT_TRUE(isCheck("GT", "-1"));
  EXPECT_FALSE(isCheck("GT", "0"));
  EXPECT_TRUE(isCheck("LE", "63"));
  EXPECT_FALSE(isCheck("LE", "62"));
  EXPECT_TRUE(isCheck("LT", "64"));
  EXPECT_FALSE(isCheck("LT", "63"));
  EXPECT_TRUE(isCheck("NE", "-1"));
  EXPECT_TRUE(isCheck("NE", "64"));
  EXPECT_FALSE(isCheck("NE", "0"));
  EXPECT_FALSE(isCheck("NE", "63"));
  EXPECT_FALSE(isCheck("NE", "5"));
  EXPECT_FALSE(isCheck("EQ", "5"));
  EXPECT_TRUE(isCheck("EQ", "0", false, 1));
  EXPECT_FALSE(isCheck("EQ", "1", false, 1));
}

TEST_F(IdsTest, ComparisonsWithTheNumberFirst) {
  EXPECT_TRUE(isCheck("LE", "0", true));
  EXPECT_FALSE(isCheck("LE", "1", true));
  EXPECT_TRUE(isCheck("GT", "64", true));
  EXPECT_FALSE(isCheck("GT", "63", true));
  EXPECT_FALSE(isCheck("GE", "62", true));
  EXPECT_TRUE(isCheck("GE", "63", true));
}

TEST_F(IdsTest, ComparisonsThatHoldForNone) {
  EXPECT_FALSE(isCheck("LT", "0"));
  EXPECT_FALSE(isCheck("GE", "64"));
  EXPECT_FALSE(isCheck("EQ", "-1"));
}

TEST_F(IdsTest, BoundsAreOfTheIdsThatAreRead) {
  Value pred = parse("%i: tensor<4xi32>, %j: tensor<4xi32>",
                     "%n = stablehlo.constant dense<0> : tensor<4xi32>\n"
                     "%0 = stablehlo.compare GE, %j, %n : (tensor<4xi32>, "
                     "tensor<4xi32>) -> tensor<4xi1>");
  EXPECT_FALSE(isBoundsCheck(pred, argument(0), 64));
  EXPECT_TRUE(isBoundsCheck(pred, argument(1), 64));
  Value two = parse("%i: tensor<4xi32>, %j: tensor<4xi32>",
                    "%0 = stablehlo.compare GE, %i, %j : (tensor<4xi32>, "
                    "tensor<4xi32>) -> tensor<4xi1>");
  EXPECT_FALSE(isBoundsCheck(two, argument(0), 64));
  Value floats = parse("%i: tensor<4xf32>",
                       "%n = stablehlo.constant dense<0.0> : tensor<4xf32>\n"
                       "%0 = stablehlo.compare GE, %i, %n : (tensor<4xf32>, "
                       "tensor<4xf32>) -> tensor<4xi1>");
  EXPECT_FALSE(isBoundsCheck(floats, argument(0), 64));
}

TEST_F(IdsTest, ConjunctionsOfBounds) {
  auto both = [&](StringRef op, StringRef low, StringRef high) {
    Value pred = parse(
        kBatch, "%a = stablehlo.constant dense<" + low +
                    "> : tensor<4xi32>\n%b = stablehlo.constant dense<" + high +
                    "> : tensor<4xi32>\n"
                    "%0 = stablehlo.compare GE, %i, %a : (tensor<4xi32>, "
                    "tensor<4xi32>) -> tensor<4xi1>\n"
                    "%1 = stablehlo.compare LE, %i, %b : (tensor<4xi32>, "
                    "tensor<4xi32>) -> tensor<4xi1>\n"
                    "%2 = stablehlo." +
                    op +
                    " %0, %1 : tensor<4xi1>\n"
                    "%3 = stablehlo.broadcast_in_dim %2, dims = [0] : "
                    "(tensor<4xi1>) -> tensor<4x2xi1>");
    return isBoundsCheck(pred, argument(0), 64);
  };
  EXPECT_TRUE(both("and", "0", "63"));
  EXPECT_FALSE(both("and", "1", "63"));
  EXPECT_FALSE(both("and", "0", "62"));
  EXPECT_FALSE(both("or", "0", "63"));
}

TEST_F(IdsTest, ReductionsOfBounds) {
  auto reduced = [&](StringRef op, StringRef start) {
    Value pred =
        parse("%i: tensor<4x1xi32>",
              "%a = stablehlo.constant dense<0> : tensor<4x1xi32>\n"
              "%0 = stablehlo.compare GE, %i, %a : (tensor<4x1xi32>, "
              "tensor<4x1xi32>) -> tensor<4x1xi1>\n"
              "%c = stablehlo.constant dense<" +
                  start +
                  "> : tensor<i1>\n"
                  "%1 = stablehlo.reduce(%0 init: %c) applies stablehlo." +
                  op +
                  " across dimensions = [1] : (tensor<4x1xi1>, tensor<i1>) -> "
                  "tensor<4xi1>");
    return isBoundsCheck(pred, argument(0), 64);
  };
  EXPECT_TRUE(reduced("and", "true"));
  EXPECT_FALSE(reduced("or", "false"));
}

TEST_F(IdsTest, ConversionsThatKeepIds) {
  EXPECT_TRUE(keeps("i32", "i8", 128));
  EXPECT_FALSE(keeps("i32", "i8", 129));
  EXPECT_TRUE(keeps("i32", "ui8", 256));
  EXPECT_FALSE(keeps("i32", "ui8", 257));
  EXPECT_TRUE(keeps("i64", "i32", int64_t(1) << 31));
  EXPECT_FALSE(keeps("i64", "i32", (int64_t(1) << 31) + 1));
  EXPECT_TRUE(keeps("i64", "ui32", int64_t(1) << 32));
  EXPECT_TRUE(keeps("i32", "i64", INT64_MAX));
  EXPECT_TRUE(keeps("i32", "ui64", INT64_MAX));
  EXPECT_FALSE(keeps("i32", "f32", 64));
}

TEST_F(IdsTest, FloatsAreNoIds) {
  Value value = parse("%i: tensor<4xf32>", "%0 = stablehlo.convert %i : "
                                           "(tensor<4xf32>) -> tensor<4xi32>");
  EXPECT_EQ(matchIds(value, 4, 64), value);
}

TEST_F(IdsTest, IdsAreSeenThroughMovementThatKeepsTheirOrder) {
  auto behind = [&](StringRef type, const Twine &op, int64_t count = 6) {
    return matchIds(parse("%i: tensor<" + type + "xi32>", op), count, 64) ==
           argument(0);
  };
  EXPECT_TRUE(behind("2x3", "%0 = stablehlo.reshape %i : (tensor<2x3xi32>) -> "
                            "tensor<6xi32>"));
  EXPECT_TRUE(behind("2x3", "%0 = stablehlo.broadcast_in_dim %i, dims = [0, 2] "
                            ": (tensor<2x3xi32>) -> tensor<2x1x3xi32>"));
  EXPECT_FALSE(behind("2x3", "%0 = stablehlo.broadcast_in_dim %i, dims = [1, "
                             "0] : (tensor<2x3xi32>) -> tensor<3x2xi32>"));
  EXPECT_FALSE(behind("2x1", "%0 = stablehlo.broadcast_in_dim %i, dims = [0, "
                             "1] : (tensor<2x1xi32>) -> tensor<2x3xi32>"));
  EXPECT_FALSE(behind("2x3", "%0 = stablehlo.transpose %i, dims = [1, 0] : "
                             "(tensor<2x3xi32>) -> tensor<3x2xi32>"));
  EXPECT_FALSE(behind("2x3", "%0 = stablehlo.negate %i : tensor<2x3xi32>"));
  EXPECT_FALSE(behind("2x3",
                      "%0 = stablehlo.reshape %i : (tensor<2x3xi32>) -> "
                      "tensor<6xi32>",
                      5));
}

TEST_F(IdsTest, TheFixOfNegativeIds) {
  auto fix = [&](StringRef compared, StringRef direction, StringRef zero,
                 StringRef added, StringRef number, StringRef otherwise) {
    Value value =
        parse("%i: tensor<4xi32>, %j: tensor<4xi32>",
              "%z = stablehlo.constant dense<" + zero +
                  "> : tensor<4xi32>\n"
                  "%n = stablehlo.constant dense<64> : tensor<4xi32>\n"
                  "%p = stablehlo.compare " +
                  direction + ", " + compared +
                  ", %z : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>\n"
                  "%a = stablehlo.add " +
                  added + ", " + number +
                  " : tensor<4xi32>\n"
                  "%0 = stablehlo.select %p, %a, " +
                  otherwise + " : tensor<4xi1>, tensor<4xi32>");
    Value ids = matchNegativeFix(value.getDefiningOp<stablehlo::SelectOp>());
    EXPECT_TRUE(!ids || ids == argument(0));
    return static_cast<bool>(ids);
  };
  EXPECT_TRUE(fix("%i", "LT", "0", "%i", "%n", "%i"));
  EXPECT_FALSE(fix("%j", "LT", "0", "%i", "%n", "%i"));
  EXPECT_FALSE(fix("%i", "LE", "0", "%i", "%n", "%i"));
  EXPECT_FALSE(fix("%i", "GT", "0", "%i", "%n", "%i"));
  EXPECT_FALSE(fix("%i", "LT", "1", "%i", "%n", "%i"));
  EXPECT_FALSE(fix("%i", "LT", "0", "%j", "%n", "%i"));
  EXPECT_FALSE(fix("%i", "LT", "0", "%i", "%j", "%i"));
  EXPECT_FALSE(fix("%i", "LT", "0", "%i", "%n", "%j"));
  Value other = parse("%i: tensor<4xi32>, %p: tensor<4xi1>",
                      "%n = stablehlo.constant dense<64> : tensor<4xi32>\n"
                      "%a = stablehlo.add %i, %n : tensor<4xi32>\n"
                      "%0 = stablehlo.select %p, %a, %i : tensor<4xi1>, "
                      "tensor<4xi32>");
  EXPECT_FALSE(matchNegativeFix(other.getDefiningOp<stablehlo::SelectOp>()));
  other = parse("%i: tensor<4xi32>, %j: tensor<4xi32>",
                "%n = stablehlo.constant dense<0> : tensor<4xi32>\n"
                "%p = stablehlo.compare LT, %i, %n : (tensor<4xi32>, "
                "tensor<4xi32>) -> tensor<4xi1>\n"
                "%0 = stablehlo.select %p, %j, %i : tensor<4xi1>, "
                "tensor<4xi32>");
  EXPECT_FALSE(matchNegativeFix(other.getDefiningOp<stablehlo::SelectOp>()));
}

TEST_F(IdsTest, BatchesAreChecked) {
  EXPECT_EQ(check(""), 64);
  EXPECT_EQ(check("%0 = stablehlo.reshape %i : (tensor<4xi32>) -> "
                  "tensor<2x2xi32>"),
            64);
  EXPECT_EQ(check("%0 = stablehlo.slice %i [0:2] : (tensor<4xi32>) -> "
                  "tensor<2xi32>"),
            64);
  EXPECT_EQ(check("%0 = stablehlo.negate %i : tensor<4xi32>"), -1);
  parse("%i: tensor<4xi32>", "%0 = stablehlo.negate %i : tensor<4xi32>");
  EXPECT_EQ(limitOf(argument(0), 64), -1); // of no batch
}

TEST_F(IdsTest, TheSmallestLimitHolds) {
  parse(kBatch, "%0 = stablehlo.negate %i : tensor<4xi32>");
  EXPECT_EQ(limitOf(argument(0), 64), 64);
  EXPECT_EQ(limitOf(argument(0), 32), 32);
  EXPECT_EQ(limitOf(argument(0), 63), 32);
}

constexpr llvm::StringLiteral kIsIgnored =
    "%p = stablehlo.compare EQ, %i, %n : (tensor<4xi32>, tensor<4xi32>) -> "
    "tensor<4xi1>\n";

TEST_F(IdsTest, IdsThatAProgramTestsAreNotChecked) {
  EXPECT_TRUE(isCheckedBeside(""));
  EXPECT_TRUE(isCheckedBeside(kIsIgnored)); // nothing reads it
  EXPECT_FALSE(isCheckedBeside(kIsIgnored +
                               "%0 = stablehlo.convert %p : (tensor<4xi1>) -> "
                               "tensor<4xf32>"));
  EXPECT_FALSE(isCheckedBeside(
      kIsIgnored + "%0 = stablehlo.select %p, %nan, %f : tensor<4xi1>, "
                   "tensor<4xf32>"));
  // A test that tells ids inside apart asks for none outside.
  EXPECT_TRUE(isCheckedBeside(
      "%c = stablehlo.constant dense<7> : tensor<4xi32>\n"
      "%p = stablehlo.compare EQ, %i, %c : (tensor<4xi32>, tensor<4xi32>) -> "
      "tensor<4xi1>\n"
      "%0 = stablehlo.convert %p : (tensor<4xi1>) -> tensor<4xf32>"));
}

TEST_F(IdsTest, TestsAreFoundBehindMovement) {
  auto behind = [&](const Twine &op) {
    return isCheckedBeside(
        op + "\n%m = stablehlo.constant dense<-100> : tensor<2xi32>\n"
             "%p = stablehlo.compare EQ, %k, %m : (tensor<2xi32>, "
             "tensor<2xi32>) -> tensor<2xi1>\n"
             "%0 = stablehlo.convert %p : (tensor<2xi1>) -> tensor<2xf32>");
  };
  EXPECT_FALSE(behind("%k = stablehlo.slice %i [0:2] : (tensor<4xi32>) -> "
                      "tensor<2xi32>"));
  EXPECT_TRUE(behind("%j = stablehlo.negate %i : tensor<4xi32>\n"
                     "%k = stablehlo.slice %j [0:2] : (tensor<4xi32>) -> "
                     "tensor<2xi32>"));
  EXPECT_FALSE(behind("%l = stablehlo.compare LT, %i, %zero : (tensor<4xi32>, "
                      "tensor<4xi32>) -> tensor<4xi1>\n"
                      "%a = stablehlo.add %i, %rows : tensor<4xi32>\n"
                      "%j = stablehlo.select %l, %a, %i : tensor<4xi1>, "
                      "tensor<4xi32>\n"
                      "%k = stablehlo.slice %j [0:2] : (tensor<4xi32>) -> "
                      "tensor<2xi32>"));
  // A select that is no fix makes other numbers.
  EXPECT_TRUE(behind("%l = stablehlo.compare LT, %i, %zero : (tensor<4xi32>, "
                     "tensor<4xi32>) -> tensor<4xi1>\n"
                     "%a = stablehlo.add %i, %rows : tensor<4xi32>\n"
                     "%q = stablehlo.constant dense<true> : tensor<4xi1>\n"
                     "%j = stablehlo.select %q, %rows, %i : tensor<4xi1>, "
                     "tensor<4xi32>\n"
                     "%k = stablehlo.slice %j [0:2] : (tensor<4xi32>) -> "
                     "tensor<2xi32>"));
}

TEST_F(IdsTest, WhatIndexingDoesToIdsIsNoTest) {
  std::string gather =
      "%t = stablehlo.iota dim = 0 : tensor<64xf32>\n"
      "%r = stablehlo.reshape %i : (tensor<4xi32>) -> tensor<4x1xi32>\n"
      "%g = \"stablehlo.gather\"(%t, %r) <{dimension_numbers = "
      "#stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], "
      "index_vector_dim = 1>, slice_sizes = array<i64: 1>}> : "
      "(tensor<64xf32>, tensor<4x1xi32>) -> tensor<4xf32>\n"
      "%p = stablehlo.compare GE, %i, %zero : (tensor<4xi32>, tensor<4xi32>) "
      "-> tensor<4xi1>\n"
      "%b = stablehlo.reshape %p : (tensor<4xi1>) -> tensor<4x1xi1>\n"
      "%q = stablehlo.reshape %b : (tensor<4x1xi1>) -> tensor<4xi1>\n";
  auto select = [&](StringRef pred, StringRef onTrue, StringRef onFalse) {
    return isCheckedBeside(gather + "%0 = stablehlo.select " + pred + ", " +
                           onTrue + ", " + onFalse +
                           " : tensor<4xi1>, tensor<4xf32>");
  };
  EXPECT_TRUE(select("%q", "%g", "%nan"));
  EXPECT_FALSE(select("%q", "%g", "%f"));
  EXPECT_FALSE(select("%q", "%f", "%nan"));
  EXPECT_FALSE(select("%q", "%g", "%g"));
  // It is selected, not only selected by.
  EXPECT_FALSE(isCheckedBeside(
      gather + "%u = stablehlo.constant dense<true> : tensor<4xi1>\n"
               "%0 = stablehlo.select %u, %q, %u : tensor<4xi1>, "
               "tensor<4xi1>"));
  // The fix of negative ids.
  EXPECT_TRUE(isCheckedBeside(
      "%l = stablehlo.compare LT, %i, %zero : (tensor<4xi32>, tensor<4xi32>) "
      "-> tensor<4xi1>\n"
      "%a = stablehlo.add %i, %rows : tensor<4xi32>\n"
      "%0 = stablehlo.select %l, %a, %i : tensor<4xi1>, tensor<4xi32>"));
}

} // namespace
