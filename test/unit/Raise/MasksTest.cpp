//===- MasksTest.cpp - Booleans computed from positions -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Masks.h"
#include "ParsedFunction.h"

using namespace mlir;
using namespace mlir::boost;
using namespace mlir::boost::raise;

namespace {

/// `i` counts rows, `j` columns, `x` is unknown.
constexpr llvm::StringLiteral kIndices =
    "%i = stablehlo.iota dim = 0 : tensor<3x4xi32>\n"
    "%j = stablehlo.iota dim = 1 : tensor<3x4xi32>\n"
    "%two = stablehlo.constant dense<2> : tensor<3x4xi32>\n"
    "%false = stablehlo.constant dense<false> : tensor<3x4xi1>\n"
    "%true = stablehlo.constant dense<true> : tensor<3x4xi1>\n"
    "%le = stablehlo.compare LE, %j, %i : (tensor<3x4xi32>, tensor<3x4xi32>) "
    "-> tensor<3x4xi1>\n";

constexpr llvm::StringLiteral kArguments =
    "%x: tensor<3x4xi32>, %b: tensor<3x4xi1>, %s: tensor<i1>";

class MasksTest : public test::ParsedFunction {
protected:
  static std::string print(const std::optional<IndexFunction> &function) {
    if (!function)
      return "none";
    std::string text;
    for (int64_t c : function->coefficients)
      text += std::to_string(c) + " ";
    return text + "+ " + std::to_string(function->offset);
  }

  std::string index(const Twine &op) {
    return print(matchIndexFunction(parse(kArguments, kIndices + op)));
  }

  std::string mask(const Twine &op) {
    return print(matchMask(parse(kArguments, kIndices + op)));
  }

  std::string compare(StringRef direction, StringRef left, StringRef right) {
    return mask("%0 = stablehlo.compare " + direction + ", " + left + ", " +
                right +
                " : (tensor<3x4xi32>, tensor<3x4xi32>) -> tensor<3x4xi1>");
  }

  /// Returns the masking of a select on `%b` or another predicate.
  std::optional<Masking> masking(StringRef onTrue, StringRef onFalse,
                                 double scale = 1, StringRef pred = "b") {
    Value value =
        parse(kArguments + ", %v: tensor<3x4xf32>",
              "%low = stablehlo.constant dense<-1.0e4> : tensor<3x4xf32>\n"
              "%high = stablehlo.constant dense<-9.9e3> : tensor<3x4xf32>\n"
              "%0 = stablehlo.select %" +
                  pred + ", %" + onTrue + ", %" + onFalse +
                  (pred == "s" ? " : tensor<i1>, tensor<3x4xf32>"
                               : " : tensor<3x4xi1>, tensor<3x4xf32>"));
    return matchMasking(value.getDefiningOp<stablehlo::SelectOp>(), scale);
  }
};

TEST_F(MasksTest, LinearFunctionsOfIndices) {
  EXPECT_EQ(index(""), "none"); // the last is a comparison
  EXPECT_EQ(index("%0 = stablehlo.iota dim = 1 : tensor<3x4xi32>"), "0 1 + 0");
  EXPECT_EQ(index("%0 = stablehlo.constant dense<-5> : tensor<3x4xi32>"),
            "0 0 + -5");
  EXPECT_EQ(index("%0 = stablehlo.constant dense<0.5> : tensor<2xf32>"),
            "none");
  EXPECT_EQ(index("%0 = stablehlo.add %i, %j : tensor<3x4xi32>"), "1 1 + 0");
  EXPECT_EQ(index("%0 = stablehlo.add %two, %j : tensor<3x4xi32>"), "0 1 + 2");
  EXPECT_EQ(index("%0 = stablehlo.subtract %i, %j : tensor<3x4xi32>"),
            "1 -1 + 0");
  EXPECT_EQ(index("%0 = stablehlo.subtract %i, %two : tensor<3x4xi32>"),
            "1 0 + -2");
  EXPECT_EQ(index("%0 = stablehlo.add %x, %j : tensor<3x4xi32>"), "none");
  EXPECT_EQ(index("%0 = stablehlo.add %j, %x : tensor<3x4xi32>"), "none");
  EXPECT_EQ(index("%0 = stablehlo.maximum %j, %i : tensor<3x4xi32>"), "none");
  EXPECT_EQ(index("%0 = stablehlo.convert %j : (tensor<3x4xi32>) -> "
                  "tensor<3x4xf32>"),
            "0 1 + 0");
}

TEST_F(MasksTest, ProductsWithConstants) {
  EXPECT_EQ(index("%0 = stablehlo.multiply %i, %two : tensor<3x4xi32>"),
            "2 0 + 0");
  EXPECT_EQ(index("%0 = stablehlo.multiply %two, %j : tensor<3x4xi32>"),
            "0 2 + 0");
  EXPECT_EQ(index("%0 = stablehlo.add %j, %two : tensor<3x4xi32>\n"
                  "%1 = stablehlo.multiply %0, %two : tensor<3x4xi32>"),
            "0 2 + 4");
  EXPECT_EQ(index("%0 = stablehlo.multiply %i, %j : tensor<3x4xi32>"), "none");
  EXPECT_EQ(index("%0 = stablehlo.multiply %i, %x : tensor<3x4xi32>"), "none");
  EXPECT_EQ(index("%0 = stablehlo.multiply %x, %two : tensor<3x4xi32>"),
            "none");
}

TEST_F(MasksTest, DifferencesOfUnsignedNumbersWrap) {
  std::string unsignedIndices =
      "%u = stablehlo.iota dim = 0 : tensor<3xui32>\n"
      "%one = stablehlo.constant dense<1> : tensor<3xui32>\n";
  EXPECT_EQ(index(unsignedIndices +
                  "%0 = stablehlo.subtract %u, %one : tensor<3xui32>"),
            "none");
  EXPECT_EQ(
      index(unsignedIndices + "%0 = stablehlo.add %u, %one : tensor<3xui32>"),
      "1 + 1");
}

TEST_F(MasksTest, IndicesThroughMovement) {
  EXPECT_EQ(index("%0 = stablehlo.transpose %j, dims = [1, 0] : "
                  "(tensor<3x4xi32>) -> tensor<4x3xi32>"),
            "1 0 + 0");
  EXPECT_EQ(index("%0 = stablehlo.broadcast_in_dim %j, dims = [0, 2] : "
                  "(tensor<3x4xi32>) -> tensor<3x5x4xi32>"),
            "0 0 1 + 0");
  EXPECT_EQ(index("%r = stablehlo.iota dim = 0 : tensor<1xi32>\n"
                  "%0 = stablehlo.broadcast_in_dim %r, dims = [0] : "
                  "(tensor<1xi32>) -> tensor<4xi32>"),
            "0 + 0");
  EXPECT_EQ(index("%0 = stablehlo.reshape %j : (tensor<3x4xi32>) -> "
                  "tensor<12xi32>"),
            "none");
}

TEST_F(MasksTest, TheFixOfNegativeIndicesDoesNothing) {
  std::string fix = "%zero = stablehlo.constant dense<0> : tensor<3x4xi32>\n"
                    "%n = stablehlo.compare LT, %j, %zero : (tensor<3x4xi32>, "
                    "tensor<3x4xi32>) -> tensor<3x4xi1>\n"
                    "%a = stablehlo.add %j, %two : tensor<3x4xi32>\n";
  EXPECT_EQ(index(fix + "%0 = stablehlo.select %n, %a, %j : tensor<3x4xi1>, "
                        "tensor<3x4xi32>"),
            "0 1 + 0");
  EXPECT_EQ(index(fix + "%0 = stablehlo.select %n, %j, %a : tensor<3x4xi1>, "
                        "tensor<3x4xi32>"),
            "none");
}

TEST_F(MasksTest, ComparisonsOfIndices) {
  EXPECT_EQ(compare("GE", "%i", "%j"), "1 -1 + 0");
  EXPECT_EQ(compare("LE", "%i", "%j"), "-1 1 + 0");
  EXPECT_EQ(compare("GT", "%i", "%j"), "1 -1 + -1");
  EXPECT_EQ(compare("LT", "%i", "%j"), "-1 1 + -1");
  EXPECT_EQ(compare("EQ", "%i", "%j"), "none");
  EXPECT_EQ(compare("NE", "%i", "%j"), "none");
  EXPECT_EQ(compare("GE", "%x", "%j"), "none");
  EXPECT_EQ(compare("GE", "%i", "%x"), "none");
}

TEST_F(MasksTest, MasksThatWentThroughNumbers) {
  auto compared = [&](StringRef direction, StringRef number) {
    return mask("%n = stablehlo.convert %le : (tensor<3x4xi1>) -> "
                "tensor<3x4xi32>\n"
                "%c = stablehlo.constant dense<" +
                number +
                "> : tensor<3x4xi32>\n"
                "%0 = stablehlo.compare " +
                direction +
                ", %n, %c : (tensor<3x4xi32>, tensor<3x4xi32>) -> "
                "tensor<3x4xi1>");
  };
  EXPECT_EQ(compared("NE", "0"), "1 -1 + 0");
  EXPECT_EQ(compared("NE", "1"), "-1 1 + -1");
  EXPECT_EQ(compared("EQ", "0"), "-1 1 + -1");
  EXPECT_EQ(compared("GE", "0"), "0 0 + 0");
  EXPECT_EQ(compared("GT", "1"), "0 0 + -1");
  EXPECT_EQ(mask("%0 = stablehlo.convert %le : (tensor<3x4xi1>) -> "
                 "tensor<3x4xf32>"),
            "1 -1 + 0");
}

TEST_F(MasksTest, ConstantMasks) {
  EXPECT_EQ(mask("%0 = stablehlo.constant dense<true> : tensor<3x4xi1>"),
            "0 0 + 0");
  EXPECT_EQ(mask("%0 = stablehlo.constant dense<false> : tensor<3x4xi1>"),
            "0 0 + -1");
}

TEST_F(MasksTest, ConstantTriangles) {
  auto constant = [&](StringRef rows, StringRef type) {
    return mask("%0 = stablehlo.constant dense<" + rows + "> : tensor<" + type +
                ">");
  };
  EXPECT_EQ(constant("[[true, false, false], [true, true, false]]", "2x3xi1"),
            "1 -1 + 0");
  EXPECT_EQ(constant("[[true, false], [true, true], [true, true]]", "3x2xi1"),
            "1 -1 + 0");
  EXPECT_EQ(constant("[[[[true], [false]]], [[[true], [true]]]]", "2x1x2x1xi1"),
            "1 0 -1 0 + 0");
  EXPECT_EQ(constant("[[false, false], [true, false]]", "2x2xi1"), "1 -1 + -1");
  EXPECT_EQ(constant("[[true, true], [false, true]]", "2x2xi1"), "-1 1 + 0");
  EXPECT_EQ(constant("[[true, false], [false, true]]", "2x2xi1"), "none");
  EXPECT_EQ(constant("[[true, false], [true, false]]", "2x2xi1"), "none");
  EXPECT_EQ(constant("[true, false]", "2xi1"), "none");
  EXPECT_EQ(constant("[[1, 0], [1, 1]]", "2x2xi8"), "none");
  EXPECT_EQ(constant("[[[true, false], [true, true]], [[true, false], [true, "
                     "true]]]",
                     "2x2x2xi1"),
            "none");
}

TEST_F(MasksTest, Conjunctions) {
  auto both = [&](StringRef left, StringRef right) {
    return mask("%0 = stablehlo.and " + left + ", " + right +
                " : tensor<3x4xi1>");
  };
  EXPECT_EQ(both("%le", "%true"), "1 -1 + 0");
  EXPECT_EQ(both("%true", "%le"), "1 -1 + 0");
  EXPECT_EQ(both("%le", "%false"), "0 0 + -1");
  EXPECT_EQ(both("%false", "%le"), "0 0 + -1");
  EXPECT_EQ(both("%le", "%le"), "none");
  EXPECT_EQ(both("%le", "%b"), "none");
  EXPECT_EQ(both("%b", "%true"), "none");
  EXPECT_EQ(mask("%0 = stablehlo.or %le, %false : tensor<3x4xi1>"), "none");
}

TEST_F(MasksTest, Negations) {
  EXPECT_EQ(mask("%0 = stablehlo.not %le : tensor<3x4xi1>"), "-1 1 + -1");
  EXPECT_EQ(mask("%0 = stablehlo.not %true : tensor<3x4xi1>"), "0 0 + -1");
  EXPECT_EQ(mask("%0 = stablehlo.not %b : tensor<3x4xi1>"), "none");
}

TEST_F(MasksTest, SelectsOfMasks) {
  auto select = [&](StringRef pred, StringRef onTrue, StringRef onFalse) {
    return mask("%0 = stablehlo.select " + pred + ", " + onTrue + ", " +
                onFalse + " : tensor<3x4xi1>, tensor<3x4xi1>");
  };
  EXPECT_EQ(select("%le", "%true", "%false"), "1 -1 + 0");
  EXPECT_EQ(select("%true", "%le", "%false"), "1 -1 + 0");
  EXPECT_EQ(select("%le", "%true", "%true"), "none");
  EXPECT_EQ(select("%le", "%true", "%b"), "none");
  EXPECT_EQ(select("%b", "%true", "%false"), "none");
  EXPECT_EQ(select("%le", "%b", "%false"), "none");
}

TEST_F(MasksTest, MasksThroughMovement) {
  EXPECT_EQ(mask("%0 = stablehlo.broadcast_in_dim %le, dims = [1, 2] : "
                 "(tensor<3x4xi1>) -> tensor<2x3x4xi1>"),
            "0 1 -1 + 0");
  EXPECT_EQ(mask("%0 = stablehlo.transpose %le, dims = [1, 0] : "
                 "(tensor<3x4xi1>) -> tensor<4x3xi1>"),
            "-1 1 + 0");
  EXPECT_EQ(mask("%0 = stablehlo.reshape %le : (tensor<3x4xi1>) -> "
                 "tensor<12xi1>"),
            "none");
  EXPECT_EQ(mask("%0 = stablehlo.transpose %b, dims = [1, 0] : "
                 "(tensor<3x4xi1>) -> tensor<4x3xi1>"),
            "none");
  EXPECT_EQ(print(matchMask(argument(1))), "none");
  EXPECT_EQ(print(matchIndexFunction(argument(0))), "none");
}

TEST_F(MasksTest, NegatedMasksHoldWhereMasksDoNot) {
  IndexFunction mask{{2, -1}, 3};
  IndexFunction negated = negateMask(mask);
  for (int64_t i = 0; i < 4; ++i)
    for (int64_t j = 0; j < 16; ++j)
      EXPECT_NE(2 * i - j + 3 >= 0, negated.coefficients[0] * i +
                                            negated.coefficients[1] * j +
                                            negated.offset >=
                                        0);
}

TEST_F(MasksTest, ConstantFunctions) {
  EXPECT_TRUE((IndexFunction{{0, 0}, 3}).isConstant());
  EXPECT_FALSE((IndexFunction{{0, -1}, 3}).isConstant());
  EXPECT_FALSE((IndexFunction{{1, 0}, 0}).isConstant());
}

TEST_F(MasksTest, LongChainsAreGivenUp) {
  auto chain = [&](int times) {
    std::string body;
    std::string last = "%j";
    for (int i = 0; i < times; ++i) {
      std::string next = "%c" + std::to_string(i);
      body += next + " = stablehlo.convert " + last +
              " : (tensor<3x4xi32>) -> tensor<3x4xi32>\n";
      last = next;
    }
    return index(body);
  };
  EXPECT_EQ(chain(999), "0 1 + 0");
  EXPECT_EQ(chain(1000), "none");

  auto negations = [&](int times) {
    std::string body;
    std::string last = "%true";
    for (int i = 0; i < times; ++i) {
      std::string next = "%c" + std::to_string(i);
      body += next + " = stablehlo.not " + last + " : tensor<3x4xi1>\n";
      last = next;
    }
    return mask(body);
  };
  EXPECT_EQ(negations(998), "0 0 + 0");
  EXPECT_EQ(negations(999), "0 0 + -1");
  EXPECT_EQ(negations(1000), "none");
}

TEST_F(MasksTest, SelectsThatHideScores) {
  auto found = masking("v", "low");
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(found->kept, argument(3));
  EXPECT_EQ(found->condition, argument(1));
  EXPECT_FALSE(found->negated);
  found = masking("low", "v");
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(found->kept, argument(3));
  EXPECT_TRUE(found->negated);
  EXPECT_FALSE(masking("v", "high").has_value());
  EXPECT_FALSE(masking("high", "v").has_value());
  EXPECT_FALSE(masking("low", "low").has_value());
  EXPECT_FALSE(masking("v", "v").has_value());
  EXPECT_FALSE(masking("v", "low", 1, "s").has_value());
}

TEST_F(MasksTest, HiddenScoresAreScaled) {
  EXPECT_TRUE(masking("v", "high", 1.5).has_value());
  EXPECT_FALSE(masking("v", "low", 0.5).has_value());
  EXPECT_FALSE(masking("v", "low", -1).has_value());
}

} // namespace
