//===- ViewsTest.cpp - Tensors seen through data movement -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Views.h"
#include "ParsedFunction.h"

using namespace mlir;
using namespace mlir::boost;
using namespace mlir::boost::raise;

namespace {

using Dims = SmallVector<int64_t>;

class ViewsTest : public test::ParsedFunction {
protected:
  /// The dimensions of argument 0, which `body` views in one step.
  std::optional<Dims> step(const Twine &argumentType, const Twine &body) {
    View view(parse("%x: " + argumentType, body));
    if (!view.step())
      return std::nullopt;
    EXPECT_EQ(view.value, argument(0));
    return view.dims;
  }

  std::optional<double> scalar(const Twine &body) {
    return matchScalar(parse("%x: tensor<f32>", body));
  }

  /// Returns true if `op` is recognized as a sum of the first argument over
  /// `dim`.
  bool isSum(const Twine &op, int64_t dim = 1) {
    Value value =
        parse("%x: tensor<2x3xf32>, %y: tensor<2x3xf32>, %s: tensor<f32>", op);
    Value summed = matchSum(value, dim);
    EXPECT_TRUE(!summed || summed == argument(0));
    return static_cast<bool>(summed);
  }

  int64_t repeat(const Twine &argumentType, const Twine &body, int64_t dim) {
    return getRepeat(parse("%x: " + argumentType, body), dim);
  }

  /// The operations that compute `value`, the last first, by their first
  /// operands: a line for each with its type.
  static std::string chain(Value value) {
    std::string text;
    llvm::raw_string_ostream stream(text);
    while (Operation *op = value.getDefiningOp()) {
      stream << op->getName().stripDialect();
      for (int64_t size : getTensorType(value).getShape())
        stream << " " << size;
      stream << "; ";
      if (op->getNumOperands() == 0)
        break;
      value = op->getOperand(0);
    }
    return text;
  }

  /// The operations of `parse(..)` without every second and so on element.
  std::string drop(const Twine &argumentType, const Twine &body, int64_t dim,
                   int64_t repeat) {
    Value value = parse("%x: " + argumentType, body);
    OpBuilder builder(function.getBody().front().getTerminator());
    return chain(dropRepeat(builder, value.getLoc(), value, dim, repeat));
  }
};

TEST_F(ViewsTest, ValuesAreViewsOfThemselves) {
  Value value = parse("%x: tensor<2x3xf32>", "%0 = stablehlo.exponential %x : "
                                             "tensor<2x3xf32>");
  View view(value);
  EXPECT_EQ(view.dims, Dims({0, 1}));
  EXPECT_FALSE(view.step());
  EXPECT_EQ(view.value, value);
  View none(argument(0));
  EXPECT_FALSE(none.step());
}

TEST_F(ViewsTest, TransposesMoveDimensions) {
  EXPECT_EQ(step("tensor<2x3x4xf32>",
                 "%0 = stablehlo.transpose %x, dims = [2, 0, 1] : "
                 "(tensor<2x3x4xf32>) -> tensor<4x2x3xf32>"),
            Dims({1, 2, 0}));
}

TEST_F(ViewsTest, FindsDimensionsOfTheRoot) {
  View view(parse("%x: tensor<2x3x4xf32>",
                  "%0 = stablehlo.transpose %x, dims = [2, 0, 1] : "
                  "(tensor<2x3x4xf32>) -> tensor<4x2x3xf32>"));
  ASSERT_TRUE(view.step());
  EXPECT_EQ(view.find(0), 2);
  EXPECT_EQ(view.find(1), 0);
  EXPECT_EQ(view.find(2), 1);
  EXPECT_EQ(view.find(3), -1);
}

TEST_F(ViewsTest, BroadcastsAddAndRepeatDimensions) {
  EXPECT_EQ(step("tensor<1x3xf32>",
                 "%0 = stablehlo.broadcast_in_dim %x, dims = [0, 2] : "
                 "(tensor<1x3xf32>) -> tensor<2x5x3xf32>"),
            Dims({-1, 2}));
  EXPECT_EQ(step("tensor<2x3xf32>",
                 "%0 = stablehlo.broadcast_in_dim %x, dims = [2, 1] : "
                 "(tensor<2x3xf32>) -> tensor<5x3x2xf32>"),
            Dims({2, 1}));
  EXPECT_EQ(step("tensor<f32>",
                 "%0 = stablehlo.broadcast_in_dim %x, dims = [] : "
                 "(tensor<f32>) -> tensor<2xf32>"),
            Dims());
  // A dimension of size 1 on both sides is the root's.
  EXPECT_EQ(step("tensor<1xf32>",
                 "%0 = stablehlo.broadcast_in_dim %x, dims = [1] : "
                 "(tensor<1xf32>) -> tensor<2x1xf32>"),
            Dims({1}));
}

TEST_F(ViewsTest, ReshapesAddAndDropDimensionsOfSizeOne) {
  auto reshape = [&](StringRef from, StringRef to) {
    return step("tensor<" + from + "xf32>",
                "%0 = stablehlo.reshape %x : (tensor<" + from +
                    "xf32>) -> tensor<" + to + "xf32>");
  };
  EXPECT_EQ(reshape("2x1x3", "2x3x1"), Dims({0, -1, 1}));
  EXPECT_EQ(reshape("1x2", "2"), Dims({-1, 0}));
  EXPECT_EQ(reshape("2", "2x1x1"), Dims({0}));
  EXPECT_EQ(reshape("2x1", "2"), Dims({0, -1}));
  EXPECT_EQ(reshape("1x1", "1"), Dims({0, -1}));
  EXPECT_EQ(reshape("1", "1x1"), Dims({0}));
  EXPECT_EQ(reshape("3x1x1x2", "1x3x2"), Dims({1, -1, -1, 2}));
  EXPECT_EQ(reshape("2x3", "1x1x2x1x3"), Dims({2, 4}));
}

TEST_F(ViewsTest, ReshapesThatMergeAreNoViews) {
  auto isView = [&](StringRef from, StringRef to) {
    return step("tensor<" + from + "xf32>",
                "%0 = stablehlo.reshape %x : (tensor<" + from +
                    "xf32>) -> tensor<" + to + "xf32>")
        .has_value();
  };
  EXPECT_FALSE(isView("2x3", "6"));
  EXPECT_FALSE(isView("6", "2x3"));
  EXPECT_FALSE(isView("2x3", "3x2"));
  EXPECT_FALSE(isView("0", "0x3"));
  EXPECT_FALSE(isView("0x3", "0"));
}

TEST_F(ViewsTest, ReshapesOfAnotherViewKeepWhatIsNoDimension) {
  View view(parse("%x: tensor<3xf32>",
                  "%0 = stablehlo.reshape %x : (tensor<3xf32>) -> "
                  "tensor<3x1xf32>\n"
                  "%1 = stablehlo.broadcast_in_dim %0, dims = [2, 0] : "
                  "(tensor<3x1xf32>) -> tensor<4x5x3xf32>"));
  view.peel();
  EXPECT_EQ(view.value, argument(0));
  EXPECT_EQ(view.dims, Dims({2}));
}

TEST_F(ViewsTest, PeelsFloatConversionsOnly) {
  Value value = parse("%x: tensor<2xbf16>",
                      "%0 = stablehlo.convert %x : (tensor<2xbf16>) -> "
                      "tensor<2xf32>\n"
                      "%1 = stablehlo.convert %0 : (tensor<2xf32>) -> "
                      "tensor<2xf16>");
  EXPECT_EQ(peelConverts(value), argument(0));
  EXPECT_EQ(peelWidening(value), value); // f32 to f16 is narrower
  EXPECT_EQ(peelWidening(fromEnd(2)), argument(0));

  Value toFloat = parse("%x: tensor<2xi32>",
                        "%0 = stablehlo.convert %x : (tensor<2xi32>) -> "
                        "tensor<2xf32>");
  EXPECT_EQ(peelConverts(toFloat), toFloat);
  EXPECT_EQ(peelWidening(toFloat), toFloat);
  Value toInteger = parse("%x: tensor<2xf32>",
                          "%0 = stablehlo.convert %x : (tensor<2xf32>) -> "
                          "tensor<2xi32>");
  EXPECT_EQ(peelConverts(toInteger), toInteger);
  // Types of equal width: neither is the narrower.
  Value same = parse("%x: tensor<2xbf16>",
                     "%0 = stablehlo.convert %x : (tensor<2xbf16>) -> "
                     "tensor<2xf16>");
  EXPECT_EQ(peelWidening(same), argument(0));
}

TEST_F(ViewsTest, PeelsTransposesBehindConversions) {
  View view(parse("%x: tensor<2x3xbf16>",
                  "%0 = stablehlo.convert %x : (tensor<2x3xbf16>) -> "
                  "tensor<2x3xf32>\n"
                  "%1 = stablehlo.transpose %0, dims = [1, 0] : "
                  "(tensor<2x3xf32>) -> tensor<3x2xf32>\n"
                  "%2 = stablehlo.convert %1 : (tensor<3x2xf32>) -> "
                  "tensor<3x2xbf16>"));
  view.peel();
  EXPECT_EQ(view.value, argument(0));
  EXPECT_EQ(view.dims, Dims({1, 0}));
}

//===----------------------------------------------------------------------===//
// Scalars
//===----------------------------------------------------------------------===//

TEST_F(ViewsTest, ScalarArithmetic) {
  std::string two = "%a = stablehlo.constant dense<2.0> : tensor<f32>\n"
                    "%b = stablehlo.constant dense<8.0> : tensor<f32>\n"
                    "%0 = stablehlo.";
  EXPECT_EQ(scalar(two + "multiply %a, %b : tensor<f32>"), 16.0);
  EXPECT_EQ(scalar(two + "divide %a, %b : tensor<f32>"), 0.25);
  EXPECT_EQ(scalar(two + "add %a, %b : tensor<f32>"), 10.0);
  EXPECT_EQ(scalar(two + "subtract %a, %b : tensor<f32>"), -6.0);
  EXPECT_EQ(scalar(two + "maximum %a, %b : tensor<f32>"), std::nullopt);
  EXPECT_EQ(scalar(two + "negate %b : tensor<f32>"), -8.0);
  EXPECT_EQ(scalar(two + "exponential %b : tensor<f32>"), std::nullopt);
  EXPECT_EQ(scalar(two + "multiply %x, %b : tensor<f32>"), std::nullopt);
  EXPECT_EQ(scalar(two + "multiply %a, %x : tensor<f32>"), std::nullopt);
  std::string four = "%a = stablehlo.constant dense<4.0> : tensor<f32>\n"
                     "%0 = stablehlo.";
  EXPECT_EQ(scalar(four + "sqrt %a : tensor<f32>"), 2.0);
  EXPECT_EQ(scalar(four + "rsqrt %a : tensor<f32>"), 0.5);
}

TEST_F(ViewsTest, ScalarsAreRepeatedAndConverted) {
  std::string root = "%a = stablehlo.constant dense<4.0> : tensor<f32>\n"
                     "%b = stablehlo.sqrt %a : tensor<f32>\n";
  EXPECT_EQ(scalar(root + "%0 = stablehlo.broadcast_in_dim %b, dims = [] : "
                          "(tensor<f32>) -> tensor<2x3xf32>"),
            2.0);
  EXPECT_EQ(scalar(root + "%0 = stablehlo.reshape %b : (tensor<f32>) -> "
                          "tensor<1x1xf32>\n"
                          "%1 = stablehlo.add %0, %0 : tensor<1x1xf32>\n"
                          "%2 = stablehlo.convert %1 : (tensor<1x1xf32>) -> "
                          "tensor<1x1xbf16>"),
            4.0);
}

TEST_F(ViewsTest, ArithmeticOnTensorsIsNoScalar) {
  EXPECT_EQ(scalar("%a = stablehlo.constant dense<[4.0, 4.0]> : tensor<2xf32>\n"
                   "%0 = stablehlo.iota dim = 0 : tensor<2xf32>\n"
                   "%1 = stablehlo.multiply %0, %0 : tensor<2xf32>"),
            std::nullopt);
  std::string repeated = "%a = stablehlo.constant dense<4.0> : tensor<f32>\n"
                         "%b = stablehlo.sqrt %a : tensor<f32>\n"
                         "%c = stablehlo.broadcast_in_dim %b, dims = [] : "
                         "(tensor<f32>) -> tensor<2xf32>\n";
  EXPECT_EQ(scalar(repeated + "%0 = stablehlo.negate %c : tensor<2xf32>"),
            std::nullopt);
}

TEST_F(ViewsTest, IntegersAreNotCombined) {
  EXPECT_EQ(scalar("%a = stablehlo.constant dense<7> : tensor<i32>\n"
                   "%b = stablehlo.constant dense<2> : tensor<i32>\n"
                   "%0 = stablehlo.divide %a, %b : tensor<i32>"),
            std::nullopt);
  EXPECT_EQ(scalar("%a = stablehlo.constant dense<7> : tensor<i32>\n"
                   "%0 = stablehlo.convert %a : (tensor<i32>) -> tensor<f32>"),
            7.0);
}

TEST_F(ViewsTest, ScalarsAreLookedForAThousandSteps) {
  auto negated = [&](int times) {
    std::string body = "%v0 = stablehlo.constant dense<3.0> : tensor<f32>\n";
    for (int i = 1; i <= times; ++i)
      body += "%v" + std::to_string(i) + " = stablehlo.negate %v" +
              std::to_string(i - 1) + " : tensor<f32>\n";
    return scalar(body);
  };
  EXPECT_EQ(negated(998), 3.0);
  EXPECT_EQ(negated(999), -3.0);
  EXPECT_EQ(negated(1000), std::nullopt);
}

TEST_F(ViewsTest, ScalarsUpToRounding) {
  auto constant = [&](StringRef number, StringRef type) {
    return parse("", "%0 = stablehlo.constant dense<" + number + "> : tensor<" +
                         type + ">");
  };
  EXPECT_TRUE(isScalar(constant("2.0", "f32"), 2));
  EXPECT_TRUE(isScalar(constant("2.000001", "f32"), 2));
  EXPECT_TRUE(isScalar(constant("1.999999", "f32"), 2));
  EXPECT_FALSE(isScalar(constant("2.00001", "f32"), 2));
  EXPECT_FALSE(isScalar(constant("1.99999", "f32"), 2));
  EXPECT_TRUE(isScalar(constant("-2.0", "f32"), -2));
  EXPECT_FALSE(isScalar(constant("-2.0", "f32"), 2));
  EXPECT_TRUE(isScalar(constant("0.0", "f32"), 0));
  EXPECT_FALSE(isScalar(constant("1.0", "f32"), 1.003));
  EXPECT_TRUE(isScalar(constant("1.0", "bf16"), 1.003));
  EXPECT_FALSE(isScalar(constant("1.0", "bf16"), 1.005));
  EXPECT_FALSE(isScalar(constant("1.0", "f16"), 1.003));
  parse("%x: tensor<f32>", "%0 = stablehlo.negate %x : tensor<f32>");
  EXPECT_FALSE(isScalar(argument(0), 1));
}

//===----------------------------------------------------------------------===//
// Sums
//===----------------------------------------------------------------------===//

static std::string sum(const std::string &start, const std::string &op,
                       const std::string &dims, const std::string &type) {
  return "%c = stablehlo.constant dense<" + start +
         "> : tensor<f32>\n"
         "%0 = stablehlo.reduce(%x init: %c) applies stablehlo." +
         op + " across dimensions = [" + dims +
         "] : (tensor<2x3xf32>, tensor<f32>) -> tensor<" + type + "f32>";
}

TEST_F(ViewsTest, SumsStartFromZeroAndTakeOneDimension) {
  EXPECT_TRUE(isSum(sum("0.0", "add", "1", "2x")));
  EXPECT_FALSE(isSum(sum("1.0", "add", "1", "2x")));
  EXPECT_FALSE(isSum(sum("0.0", "maximum", "1", "2x")));
  EXPECT_FALSE(isSum(sum("0.0", "add", "0", "3x")));
  EXPECT_TRUE(isSum(sum("0.0", "add", "0", "3x"), 0));
  EXPECT_FALSE(isSum(sum("0.0", "add", "0, 1", "")));
  EXPECT_FALSE(isSum("%0 = stablehlo.negate %x : tensor<2x3xf32>"));
  EXPECT_FALSE(
      isSum("%0 = stablehlo.reduce(%x init: %s) applies stablehlo.add across "
            "dimensions = [1] : (tensor<2x3xf32>, tensor<f32>) -> "
            "tensor<2xf32>"));
}

TEST_F(ViewsTest, SumsHaveOneInput) {
  EXPECT_FALSE(isSum(
      "%c = stablehlo.constant dense<0.0> : tensor<f32>\n"
      "%0:2 = stablehlo.reduce(%x init: %c), (%y init: %c) across dimensions = "
      "[1] : (tensor<2x3xf32>, tensor<2x3xf32>, tensor<f32>, tensor<f32>) -> "
      "(tensor<2xf32>, tensor<2xf32>)\n"
      "reducer(%a: tensor<f32>, %b: tensor<f32>) (%d: tensor<f32>, %e: "
      "tensor<f32>) {\n"
      "  %1 = stablehlo.add %a, %b : tensor<f32>\n"
      "  %2 = stablehlo.add %d, %e : tensor<f32>\n"
      "  stablehlo.return %1, %2 : tensor<f32>, tensor<f32>\n"
      "}"));
}

TEST_F(ViewsTest, ProductsOfRows) {
  const char *arguments = "%x: tensor<2x3xf32>, %y: tensor<2x3xf32>";
  auto summed = [&](const std::string &product) {
    return matchRowDot(parse(
        arguments,
        product +
            "\n%z = stablehlo.constant dense<0.0> : tensor<f32>\n"
            "%s = stablehlo.reduce(%p init: %z) applies stablehlo.add across "
            "dimensions = [1] : (tensor<2x3xf32>, tensor<f32>) -> "
            "tensor<2xf32>"));
  };
  auto factors = summed("%p = stablehlo.multiply %x, %y : tensor<2x3xf32>");
  ASSERT_TRUE(factors.has_value());
  EXPECT_EQ(factors->first, argument(0));
  EXPECT_EQ(factors->second, argument(1));

  auto power = [&](StringRef exponent) {
    return summed(("%e = stablehlo.constant dense<" + exponent +
                   "> : tensor<2x3xf32>\n"
                   "%p = stablehlo.power %y, %e : tensor<2x3xf32>")
                      .str());
  };
  factors = power("2.0");
  ASSERT_TRUE(factors.has_value());
  EXPECT_EQ(factors->first, argument(1));
  EXPECT_EQ(factors->second, argument(1));
  EXPECT_FALSE(power("3.0").has_value());
  EXPECT_FALSE(summed("%p = stablehlo.add %x, %y : tensor<2x3xf32>"));
}

//===----------------------------------------------------------------------===//
// Repetition
//===----------------------------------------------------------------------===//

static constexpr llvm::StringLiteral kRepeated =
    "%0 = stablehlo.broadcast_in_dim %x, dims = [0, 2] : (tensor<2x3xf32>) -> "
    "tensor<2x5x3xf32>\n";

TEST_F(ViewsTest, NothingIsKnownOfArguments) {
  parse("%x: tensor<2x1xf32>", "%0 = stablehlo.negate %x : tensor<2x1xf32>");
  EXPECT_EQ(getRepeat(argument(0), 0), 1);
  EXPECT_FALSE(isConstantAlong(argument(0), 0));
  EXPECT_TRUE(isConstantAlong(argument(0), 1));
  EXPECT_FALSE(isConstantAlong(fromEnd(1), 0));
}

TEST_F(ViewsTest, BroadcastsRepeat) {
  EXPECT_EQ(repeat("tensor<2x3xf32>", kRepeated, 0), 1);
  EXPECT_EQ(repeat("tensor<2x3xf32>", kRepeated, 1), 5);
  EXPECT_EQ(repeat("tensor<2x3xf32>", kRepeated, 2), 1);
  EXPECT_EQ(repeat("tensor<1xf32>",
                   "%0 = stablehlo.broadcast_in_dim %x, dims = [0] : "
                   "(tensor<1xf32>) -> tensor<4xf32>",
                   0),
            4);
  EXPECT_EQ(repeat("tensor<2x3xf32>",
                   kRepeated +
                       "%1 = stablehlo.broadcast_in_dim %0, dims = [3, 1, 0] : "
                       "(tensor<2x5x3xf32>) -> tensor<3x5x7x2xf32>",
                   1),
            5);
}

TEST_F(ViewsTest, RepetitionIsSeenThroughMovement) {
  EXPECT_EQ(repeat("tensor<2x3xf32>",
                   kRepeated + "%1 = stablehlo.transpose %0, dims = [2, 0, 1] "
                               ": (tensor<2x5x3xf32>) -> tensor<3x2x5xf32>",
                   2),
            5);
  EXPECT_EQ(repeat("tensor<2x3xf32>",
                   kRepeated + "%1 = stablehlo.transpose %0, dims = [2, 0, 1] "
                               ": (tensor<2x5x3xf32>) -> tensor<3x2x5xf32>",
                   1),
            1);
  EXPECT_EQ(repeat("tensor<2x3xf32>",
                   kRepeated + "%1 = stablehlo.convert %0 : "
                               "(tensor<2x5x3xf32>) -> tensor<2x5x3xi32>",
                   1),
            5);
  EXPECT_EQ(repeat("tensor<f32>",
                   "%0 = stablehlo.constant dense<1.0> : tensor<2x4xf32>", 1),
            4);
  EXPECT_EQ(repeat("tensor<f32>",
                   "%0 = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>",
                   0),
            1);
}

TEST_F(ViewsTest, MergedDimensionsRepeatFromTheLast) {
  auto merged = [&](StringRef shape, int64_t dim) {
    return repeat("tensor<2x3xf32>",
                  kRepeated +
                      "%1 = stablehlo.reshape %0 : "
                      "(tensor<2x5x3xf32>) -> tensor<" +
                      shape + "xf32>",
                  dim);
  };
  EXPECT_EQ(merged("10x3", 0), 5);
  EXPECT_EQ(merged("10x3", 1), 1);
  EXPECT_EQ(merged("2x15", 1), 1);
  EXPECT_EQ(merged("30", 0), 1);
  // The dimension is not made of whole ones.
  EXPECT_EQ(merged("5x6", 0), 1);
  EXPECT_EQ(merged("5x2x3", 1), 1);
  // Both of two are repeated.
  EXPECT_EQ(repeat("tensor<2xf32>",
                   "%0 = stablehlo.broadcast_in_dim %x, dims = [0] : "
                   "(tensor<2xf32>) -> tensor<2x3x4xf32>\n"
                   "%1 = stablehlo.reshape %0 : (tensor<2x3x4xf32>) -> "
                   "tensor<24xf32>",
                   0),
            12);
  // As many elements, but not from the start of a dimension.
  EXPECT_EQ(repeat("tensor<6x2xf32>",
                   "%0 = stablehlo.broadcast_in_dim %x, dims = [0, 2] : "
                   "(tensor<6x2xf32>) -> tensor<6x2x2xf32>\n"
                   "%1 = stablehlo.reshape %0 : (tensor<6x2x2xf32>) -> "
                   "tensor<4x2x3xf32>",
                   1),
            1);
  // Dimensions without elements merge into none.
  const char *none = "%0 = stablehlo.reshape %x : (tensor<0xf32>) -> "
                     "tensor<4x0xf32>";
  EXPECT_EQ(repeat("tensor<0xf32>", none, 0), 1);
  EXPECT_EQ(repeat("tensor<0xf32>", none, 1), 1);
  // The first of two is, but not the second.
  EXPECT_EQ(repeat("tensor<2xf32>",
                   "%0 = stablehlo.broadcast_in_dim %x, dims = [1] : "
                   "(tensor<2xf32>) -> tensor<3x2xf32>\n"
                   "%1 = stablehlo.reshape %0 : (tensor<3x2xf32>) -> "
                   "tensor<6xf32>",
                   0),
            1);
}

TEST_F(ViewsTest, RepetitionIsDropped) {
  EXPECT_EQ(drop("tensor<2x3xf32>", kRepeated, 1, 1),
            "broadcast_in_dim 2 5 3; ");
  EXPECT_EQ(drop("tensor<2x3xf32>", kRepeated, 1, 5), "reshape 2 1 3; ");
  EXPECT_EQ(drop("tensor<2x3xf32>",
                 kRepeated + "%1 = stablehlo.convert %0 : (tensor<2x5x3xf32>) "
                             "-> tensor<2x5x3xbf16>",
                 1, 5),
            "convert 2 1 3; reshape 2 1 3; ");
  EXPECT_EQ(drop("tensor<2x3xf32>",
                 kRepeated + "%1 = stablehlo.transpose %0, dims = [2, 0, 1] : "
                             "(tensor<2x5x3xf32>) -> tensor<3x2x5xf32>",
                 2, 5),
            "transpose 3 2 1; reshape 2 1 3; ");
  EXPECT_EQ(drop("tensor<2x3xf32>",
                 kRepeated + "%1 = stablehlo.reshape %0 : (tensor<2x5x3xf32>) "
                             "-> tensor<10x3xf32>",
                 0, 5),
            "" /* the argument itself */);
}

TEST_F(ViewsTest, AFactorOfTheRepetitionIsDropped) {
  // 8 of 3 * 4 repetitions remain: as many as of the first of two dimensions.
  const char *pair = "%0 = stablehlo.broadcast_in_dim %x, dims = [0] : "
                     "(tensor<2xf32>) -> tensor<2x3x4xf32>\n"
                     "%1 = stablehlo.reshape %0 : (tensor<2x3x4xf32>) -> "
                     "tensor<24xf32>";
  EXPECT_EQ(drop("tensor<2xf32>", pair, 0, 12), "" /* the argument itself */);
  EXPECT_EQ(drop("tensor<2xf32>", pair, 0, 4),
            "reshape 6; broadcast_in_dim 2 3 1; ");
  EXPECT_EQ(drop("tensor<2xf32>", pair, 0, 2),
            "reshape 12; broadcast_in_dim 2 3 2; ");
  // Both dimensions have a part of six.
  EXPECT_EQ(drop("tensor<2xf32>", pair, 0, 6),
            "reshape 4; broadcast_in_dim 2 1 2; ");
}

TEST_F(ViewsTest, RepetitionOfAllMergedDimensionsIsDropped) {
  const char *pair = "%0 = stablehlo.broadcast_in_dim %x, dims = [0] : "
                     "(tensor<5xf32>) -> tensor<5x3x4xf32>\n"
                     "%1 = stablehlo.reshape %0 : (tensor<5x3x4xf32>) -> "
                     "tensor<5x12xf32>";
  EXPECT_EQ(repeat("tensor<5xf32>", pair, 1), 12);
  EXPECT_EQ(repeat("tensor<5xf32>", pair, 0), 1);
  EXPECT_EQ(drop("tensor<5xf32>", pair, 1, 12), "reshape 5 1; ");
  EXPECT_EQ(drop("tensor<5xf32>", pair, 1, 4),
            "reshape 5 3; broadcast_in_dim 5 3 1; ");
}

TEST_F(ViewsTest, RepetitionUnderABroadcastIsDropped) {
  std::string outer =
      (kRepeated + "%1 = stablehlo.broadcast_in_dim %0, dims = [1, 2, 3] : "
                   "(tensor<2x5x3xf32>) -> tensor<7x2x5x3xf32>")
          .str();
  EXPECT_EQ(drop("tensor<2x3xf32>", outer, 2, 5),
            "broadcast_in_dim 7 2 1 3; reshape 2 1 3; ");
  // A broadcast that permutes is no reshape.
  EXPECT_EQ(drop("tensor<2x3xf32>",
                 "%0 = stablehlo.broadcast_in_dim %x, dims = [2, 0] : "
                 "(tensor<2x3xf32>) -> tensor<3x5x2xf32>",
                 1, 5),
            "broadcast_in_dim 3 1 2; ");
  EXPECT_EQ(drop("tensor<1xf32>",
                 "%0 = stablehlo.broadcast_in_dim %x, dims = [1] : "
                 "(tensor<1xf32>) -> tensor<3x4xf32>",
                 1, 4),
            "broadcast_in_dim 3 1; ");
}

TEST_F(ViewsTest, RepetitionOfAConstantIsDroppedByASlice) {
  EXPECT_EQ(drop("tensor<f32>",
                 "%0 = stablehlo.constant dense<1.0> : tensor<2x4xf32>", 1, 2),
            "slice 2 2; constant 2 4; ");
  Value value = fromEnd(1);
  auto slice = value.getDefiningOp<stablehlo::SliceOp>();
  ASSERT_TRUE(slice);
  EXPECT_EQ(slice.getStartIndices(), ArrayRef<int64_t>({0, 0}));
  EXPECT_EQ(slice.getLimitIndices(), ArrayRef<int64_t>({2, 4}));
  EXPECT_EQ(slice.getStrides(), ArrayRef<int64_t>({1, 2}));
}

//===----------------------------------------------------------------------===//
// Building, parameters, traversal
//===----------------------------------------------------------------------===//

TEST_F(ViewsTest, TransposesMerge) {
  Value value = parse("%x: tensor<2x3x4xf32>",
                      "%0 = stablehlo.transpose %x, dims = [2, 0, 1] : "
                      "(tensor<2x3x4xf32>) -> tensor<4x2x3xf32>");
  OpBuilder builder(function.getBody().front().getTerminator());
  Value moved = makeTranspose(builder, value.getLoc(), value, {1, 0, 2});
  auto transpose = moved.getDefiningOp<stablehlo::TransposeOp>();
  ASSERT_TRUE(transpose);
  EXPECT_EQ(transpose.getOperand(), argument(0));
  EXPECT_EQ(transpose.getPermutation(), ArrayRef<int64_t>({0, 2, 1}));
  EXPECT_EQ(makeTranspose(builder, value.getLoc(), value, {1, 2, 0}),
            argument(0));
}

TEST_F(ViewsTest, ReshapesMerge) {
  Value value = parse("%x: tensor<2x3xf32>",
                      "%0 = stablehlo.reshape %x : (tensor<2x3xf32>) -> "
                      "tensor<6xf32>");
  OpBuilder builder(function.getBody().front().getTerminator());
  EXPECT_EQ(chain(makeReshape(builder, value.getLoc(), value, {3, 2})),
            "reshape 3 2; ");
  EXPECT_EQ(makeReshape(builder, value.getLoc(), value, {2, 3}), argument(0));
}

TEST_F(ViewsTest, ParametersAreFoundBehindMovement) {
  std::string parameter =
      "%x: tensor<2x4xf32> {boost.tensor = #boost.tensor<param \"x\">}";
  Value moved =
      parse(parameter, "%0 = stablehlo.slice %x [0:1, 0:4] : (tensor<2x4xf32>) "
                       "-> tensor<1x4xf32>\n"
                       "%1 = stablehlo.reshape %0 : (tensor<1x4xf32>) -> "
                       "tensor<2x2xf32>\n"
                       "%2 = stablehlo.transpose %1, dims = [1, 0] : "
                       "(tensor<2x2xf32>) -> tensor<2x2xf32>\n"
                       "%3 = stablehlo.convert %2 : (tensor<2x2xf32>) -> "
                       "tensor<2x2xbf16>");
  EXPECT_EQ(getParameter(moved), argument(0));
  Value computed =
      parse(parameter, "%0 = stablehlo.negate %x : tensor<2x4xf32>");
  EXPECT_FALSE(getParameter(computed));
  parse("%x: tensor<2xf32> {boost.tensor = #boost.tensor<batch \"x\">}",
        "%0 = stablehlo.negate %x : tensor<2xf32>");
  EXPECT_FALSE(getParameter(argument(0)));
}

TEST_F(ViewsTest, DeadOperationsAreErasedBackwards) {
  parse("%x: tensor<2xf32>", "%0 = stablehlo.negate %x : tensor<2xf32>\n"
                             "%1 = stablehlo.negate %0 : tensor<2xf32>");
  std::vector<std::string> visited;
  visitBackwards(function.getBody().front(), [&](Operation *op) {
    visited.push_back(op->getName().stripDialect().str());
  });
  EXPECT_EQ(visited, std::vector<std::string>({"return"}));
  EXPECT_EQ(function.getBody().front().getOperations().size(), 1u);
}

TEST_F(ViewsTest, EveryOperationIsVisitedUntilItIsDead) {
  Value last =
      parse("%x: tensor<2xf32>", "%0 = stablehlo.negate %x : tensor<2xf32>\n"
                                 "%1 = stablehlo.cosine %0 : tensor<2xf32>");
  OpBuilder builder(&context);
  builder.setInsertionPoint(function.getBody().front().getTerminator());
  OperationState state(last.getLoc(), "test.keep", last, TypeRange());
  context.allowUnregisteredDialects();
  builder.create(state);
  std::vector<std::string> visited;
  visitBackwards(function.getBody().front(), [&](Operation *op) {
    visited.push_back(op->getName().stripDialect().str());
    // The last reads the argument instead: what it read before is dead.
    if (isa<stablehlo::CosineOp>(op))
      op->setOperand(0, argument(0));
  });
  EXPECT_EQ(visited, std::vector<std::string>({"return", "keep", "cosine"}));
  EXPECT_EQ(function.getBody().front().getOperations().size(), 3u);
}

} // namespace
