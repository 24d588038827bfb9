//===- JudgeTest.cpp - What a pass may change -----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Judge.h"
#include "boost-mlir/Dialect/Boost/IR/Boost.h"
#include "boost-mlir/Dialect/StableHLO/IR/StableHLO.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"
#include <cmath>

using namespace mlir;
using namespace mlir::boost;
using namespace mlir::boost::prove;
using namespace mlir::boost::reference;

namespace {

class JudgeTest : public ::testing::Test {
protected:
  JudgeTest() {
    context.loadDialect<BoostDialect, func::FuncDialect,
                        boost::stablehlo::StableHLODialect>();
  }

  Tensor floats(std::vector<double> values) {
    Tensor tensor(RankedTensorType::get({static_cast<int64_t>(values.size())},
                                        Float32Type::get(&context)));
    tensor.data = std::move(values);
    return tensor;
  }
  Tensor integer(int64_t value) {
    Tensor tensor(RankedTensorType::get({}, IntegerType::get(&context, 32)));
    tensor.integers = {value};
    return tensor;
  }

  using Results = std::vector<std::pair<std::string, Tensor>>;
  static Evaluation evaluation(const Results &results) {
    Evaluation made;
    for (const auto &[name, tensor] : results) {
      made.order.push_back({name, tensor.type});
      made.results[name] = tensor;
    }
    return made;
  }

  /// Returns the finding for a pass with this bound. `samples` are the results
  /// of the disturbed operations by their seeds, empty for a failed evaluation.
  std::string judge(double bound, const Results &before, const Results &after,
                    std::vector<Results> samples = {}) {
    seeds.clear();
    Evaluation first = evaluation(before), second = evaluation(after);
    Judge judge({PassArithmetic::Tag::approximate, bound}, first, second,
                [&](const Precision &precision) -> FailureOr<Evaluation> {
                  EXPECT_EQ(precision.noise, bound);
                  seeds.push_back(precision.seed);
                  if (precision.seed >= samples.size())
                    return failure();
                  return evaluation(samples[precision.seed]);
                });
    return judge.findMismatch();
  }

  MLIRContext context;
  std::vector<uint64_t> seeds;
};

TEST_F(JudgeTest, AnExactPassChangesNothing) {
  EXPECT_EQ(judge(0, {{"r", floats({1, 0.5})}}, {{"r", floats({1, 0.5})}}), "");
  EXPECT_EQ(judge(0, {{"r", floats({1, 0.5})}}, {{"r", floats({1, 0.25})}}),
            "r[1]: 0.5 before, 0.25 after; relative difference 0.25, "
            "allowed 0");
  EXPECT_NE(judge(0, {{"r", floats({1})}}, {{"r", floats({1 + 0x1p-52})}}), "");
  // No disturbed operation would say more.
  EXPECT_TRUE(seeds.empty());
}

TEST_F(JudgeTest, TheBoundIsAllowedAtOnce) {
  Results before = {{"r", floats({4, 1})}};
  EXPECT_EQ(judge(0.25, before, {{"r", floats({4, 2})}}), "");
  EXPECT_TRUE(seeds.empty());
  EXPECT_NE(judge(0.25, before, {{"r", floats({4, 2.125})}}), "");
}

TEST_F(JudgeTest, BeyondTheBoundTheWorstSampleCountsSixTimes) {
  // The worst is the last: 6 * 0.125 / 4 in addition to the bound.
  Results before = {{"r", floats({4, 1})}};
  std::vector<Results> samples = {{{"r", floats({4, 1.0625})}},
                                  {{"r", floats({4, 1})}},
                                  {{"r", floats({4, 1})}},
                                  {{"r", floats({4, 0.875})}},
                                  {{"r", floats({4, 0})}}};
  EXPECT_EQ(judge(0.25, before, {{"r", floats({4, 2.75})}}, samples), "");
  EXPECT_EQ(seeds, (std::vector<uint64_t>{0, 1, 2, 3}));
  EXPECT_EQ(judge(0.25, before, {{"r", floats({4, 2.875})}}, samples),
            "r[1]: 1 before, 2.875 after; relative difference 0.469, "
            "allowed 0.438");
  // Samples that cannot be evaluated allow nothing.
  samples.resize(3);
  EXPECT_NE(judge(0.25, before, {{"r", floats({4, 2.75})}}, samples), "");
}

TEST_F(JudgeTest, EveryResultHasSamplesOfItsOwn) {
  Results before = {{"r", floats({4, 1})}, {"s", floats({4, 1})}};
  Results after = {{"r", floats({4, 2.5})}, {"s", floats({4, 2.5})}};
  Results bad = {{"r", floats({4, 0})}, {"s", floats({4, 1})}};
  EXPECT_EQ(
      StringRef(judge(0.25, before, after, {bad, bad, bad, bad})).take_front(5),
      "s[1]:");
  // They are drawn once.
  EXPECT_EQ(seeds.size(), 4u);
}

TEST_F(JudgeTest, IntegersAreExactUnlessSamplesDiffer) {
  Results before = {{"n", integer(8)}}, more = {{"n", integer(9)}};
  EXPECT_NE(judge(0.25, before, more, {before, before, before, before}), "");
  EXPECT_EQ(judge(0.25, before, more, {before, more, before, before}), "");
}

TEST_F(JudgeTest, NoNumberIsNoNumberAfterwards) {
  Results before = {{"r", floats({NAN, 1})}};
  EXPECT_EQ(judge(0, before, before), "");
  EXPECT_NE(judge(1, before, {{"r", floats({1, 1})}},
                  {before, before, before, before}),
            "");
}

TEST_F(JudgeTest, ResultsAreFoundByNameOrElseByPosition) {
  Results before = {{"r", floats({1})}, {"s", floats({2})}};
  EXPECT_EQ(judge(0, before, {{"s", floats({2})}, {"r", floats({1})}}), "");
  EXPECT_EQ(judge(0, before, {{"r", floats({1})}, {"t", floats({2})}}), "");
  EXPECT_NE(judge(0, before, {{"r", floats({1})}, {"t", floats({1})}}), "");
  EXPECT_EQ(judge(0, before, {{"r", floats({1})}}), "result 's' is lost");
  EXPECT_EQ(judge(0, before,
                  {{"r", floats({1})}, {"t", floats({2})}, {"u", integer(0)}}),
            "result 's' is lost");
  EXPECT_EQ(judge(0, {{"r", floats({1})}}, {{"r", floats({1, 1})}}),
            "r: of type tensor<1xf32> before, tensor<2xf32> after");
}

TEST_F(JudgeTest, InputsTakeTheFloatTypesOfTheFunction) {
  auto module = parseSourceString<ModuleOp>(
      R"mlir(
func.func @f(%x: tensor<2xbf16> {boost.name = "x"},
             %n: tensor<i32> {boost.name = "n"}) -> tensor<2xbf16> {
  %y = stablehlo.add %x, %x : tensor<2xbf16>
  return %y : tensor<2xbf16>
})mlir",
      &context);
  ASSERT_TRUE(module);
  std::string error;
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    error = diagnostic.str();
    return success();
  });
  auto evaluate = [&](const Results &inputs) {
    error.clear();
    return evaluateFunction(*module, "f", evaluation(inputs).results,
                            Precision());
  };
  // All values are those before: 1.001 is no bf16.
  auto y = evaluate({{"x", floats({1.001, -3})}, {"n", integer(7)}});
  ASSERT_TRUE(succeeded(y)) << error;
  ASSERT_EQ(y->order.size(), 1u);
  EXPECT_EQ((*y)[y->order[0].name].data, (std::vector<double>{2.002, -6}));

  // An integer is no float, nor the reverse; nor is anything made up.
  EXPECT_TRUE(failed(evaluate({{"x", floats({1, 2})}, {"n", floats({7})}})));
  EXPECT_NE(error.find("expects an input 'n'"), std::string::npos) << error;
  EXPECT_TRUE(failed(evaluate({{"x", integer(1)}, {"n", integer(7)}})));
  EXPECT_NE(error.find("expects an input 'x'"), std::string::npos) << error;
  EXPECT_TRUE(failed(evaluate({{"n", integer(7)}})));
  EXPECT_NE(error.find("expects an input 'x'"), std::string::npos) << error;
}

} // namespace
