//===- GradientOracleTest.cpp - Right and wrong gradients in corners ------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TrainingOracle.h"
#include "mlir/IR/MLIRContext.h"
#include "gtest/gtest.h"
#include <cmath>

using namespace mlir;
using namespace mlir::boost;
using namespace mlir::boost::prove;
using namespace mlir::boost::reference;

namespace {

/// The loss is the sum of squares of a parameter of bf16 that is clamped to
/// [-0.5, 0.75].
class GradientOracleTest : public ::testing::Test {
protected:
  using Derivative = std::function<double(double)>;

  static double clamp(double x) { return std::clamp(x, -0.5, 0.75); }
  /// Returns JAX's derivative, which is 0 on the bounds.
  static double derive(double x) { return x > -0.5 && x < 0.75 ? 2 * x : 0; }

  Evaluation evaluateGradient(const NamedTensors &inputs,
                              const Derivative &derivative) const {
    Tensor gradient = inputs.find("w")->second;
    for (double &x : gradient.data)
      x = derivative(x);
    Evaluation evaluation;
    MLIRContext *context = gradient.type.getContext();
    auto parameter =
        TensorAttr::get(TensorRole::Param, StringAttr::get(context, "w"));
    evaluation.order.push_back({"grad.w", gradient.type, /*idLimit=*/0,
                                TensorAttr::getGradientOf(parameter),
                                parameter.getName()});
    evaluation.results["grad.w"] = gradient;
    return evaluation;
  }

  /// Returns the error of a gradient at these values.
  std::string check(std::vector<double> values, const Derivative &derivative) {
    Tensor w(RankedTensorType::get({static_cast<int64_t>(values.size())},
                                   BFloat16Type::get(&context)));
    w.data = std::move(values);
    NamedTensors inputs;
    inputs["w"] = w;
    return checkGradient(
        evaluateGradient(inputs, derivative), inputs,
        [&](const NamedTensors &changed) -> FailureOr<double> {
          double sum = 0;
          for (double x : changed.find("w")->second.data)
            sum += clamp(x) * clamp(x);
          return sum;
        },
        [&](const NamedTensors &changed) -> FailureOr<Evaluation> {
          return evaluateGradient(changed, derivative);
        },
        /*seed=*/5);
  }

  GradientOracleTest() { context.loadDialect<BoostDialect>(); }

  MLIRContext context;
};

TEST_F(GradientOracleTest, ACornerHasTheGradientOfEitherSide) {
  std::vector<double> onBounds = {-0.5, 0.75, 0.25, 2, -1};
  EXPECT_EQ(check(onBounds, derive), "");
  EXPECT_EQ(check(onBounds,
                  [](double x) { return x >= -0.5 && x <= 0.75 ? 2 * x : 0; }),
            "");
  EXPECT_EQ(check(std::vector<double>(96, -0.5), derive), "");
}

TEST_F(GradientOracleTest, ACornerExcusesNoOtherElement) {
  std::vector<double> onBounds = {-0.5, 0.75, 0.25, 2, -1};
  for (const Derivative &wrong : std::initializer_list<Derivative>{
           [](double x) { return 1.001 * derive(x); },
           [](double x) { return -derive(x); }, [](double) { return 0.0; },
           [](double x) { return 2 * x; },
           [](double x) { return x < 0.75 ? 2 * x : 0; },
           [](double x) { return derive(x) + (x > 1 ? 1e-3 : 0); }})
    EXPECT_NE(check(onBounds, wrong), "");
}

TEST_F(GradientOracleTest, ACornerExcusesNothingThatIsNoNumber) {
  EXPECT_NE(
      check({-0.5, 0.25}, [](double x) { return x == -0.5 ? NAN : derive(x); }),
      "");
}

TEST_F(GradientOracleTest, WithoutACornerTheValuesThemselvesCount) {
  std::vector<double> inside = {-0.25, 0.5, 0.25, 2};
  EXPECT_EQ(check(inside, derive), "");
  // Right everywhere but at a value that a bf16 has.
  EXPECT_NE(check(inside, [](double x) { return x == 0.5 ? 0 : derive(x); }),
            "");
}

} // namespace
