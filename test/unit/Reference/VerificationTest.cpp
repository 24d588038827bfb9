//===- VerificationTest.cpp - Bounds hold, and are not far away -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/Reference/Verification.h"
#include "boost-mlir/InitAll.h"
#include "boost-mlir/Reference/Comparison.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/StringExtras.h"
#include "gtest/gtest.h"
#include <cmath>

using namespace mlir;
using namespace mlir::boost::reference;

namespace {

// Quantiles of Student's distribution, as in any table.
TEST(StudentTest, QuantilesAreThoseOfTables) {
  EXPECT_NEAR(getStudentQuantile(2, 0.05), 4.303, 1e-3);
  EXPECT_NEAR(getStudentQuantile(8, 0.05), 2.306, 1e-3);
  EXPECT_NEAR(getStudentQuantile(8, 0.001), 5.041, 1e-3);
  EXPECT_NEAR(getStudentQuantile(120, 0.05), 1.980, 1e-3);
}

class VerificationTest : public ::testing::Test {
protected:
  VerificationTest() : context(getRegistry()) {}

  static DialectRegistry getRegistry() {
    DialectRegistry registry;
    boost::registerAllDialects(registry);
    return registry;
  }

  /// Evaluates @loss of the text on random inputs.
  std::vector<BoundedTensor> evaluate(StringRef text) {
    module = parseSourceString<ModuleOp>(text, &context);
    program = Program::create(*module, "loss");
    inputs = randomInputs(program->arguments(), 1);
    return *evaluateWithBounds(ReferenceRun{*program, inputs}, /*samples=*/8);
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
  FailureOr<Program> program = failure();
  NamedTensors inputs;
};

constexpr StringLiteral chain = R"(
func.func @loss(%x: tensor<16x64xTYPE> {boost.name = "x"}, %w: tensor<64x64xTYPE> {boost.name = "w"})
    -> tensor<16x64xTYPE> {
  %0 = boost.linear %x, %w : (tensor<16x64xTYPE>, tensor<64x64xTYPE>) -> tensor<16x64xTYPE>
  boost.probe %0 as "first" site 4 : tensor<16x64xTYPE>
  %1 = stablehlo.tanh %0 : tensor<16x64xTYPE>
  %2 = boost.linear %1, %w : (tensor<16x64xTYPE>, tensor<64x64xTYPE>) -> tensor<16x64xTYPE>
  boost.probe %2 as "second" site 5 : tensor<16x64xTYPE>
  return %2 : tensor<16x64xTYPE>
})";

std::string withType(StringRef text, StringRef type) {
  SmallVector<StringRef> parts;
  text.split(parts, "TYPE");
  return llvm::join(parts, type);
}

/// Rounding to nearest is one of the things that a correct program may do, and
/// so is a draw that was not among those of the bound; that is not far from it.
TEST_F(VerificationTest, RoundingsAreWithinTheBound) {
  for (StringRef type : {"f32", "bf16"}) {
    std::vector<BoundedTensor> probes = evaluate(withType(chain, type));
    ASSERT_EQ(probes.size(), 3u);
    EXPECT_EQ(probes[0].name, "0.probe.4");
    EXPECT_EQ(probes[1].name, "0.probe.5");
    EXPECT_EQ(probes[2].name, "0.result.out0");
    EXPECT_EQ(probes[1].bound, probes[2].bound);
    for (Rounding rounding : {Rounding::Typed, Rounding::Random}) {
      Precision precision(rounding);
      precision.seed = 1000;
      size_t next = 0;
      auto check = [&](Operation *, const RankValues &values) {
        const BoundedTensor &probe = probes[next++];
        Difference difference = compareTensors(values.front(), probe.value);
        EXPECT_LT(difference.absolute, probe.bound);
        double gain = getGain(values.front().data, probe.value.data);
        EXPECT_LT(std::abs(gain), probe.gainBound);
        EXPECT_LT(probe.bound, 200 * difference.scale *
                                   getUnitRoundoff(values[0].elementType()));
        if (rounding == Rounding::Random)
          EXPECT_GT(difference.absolute, probe.bound / 40);
      };
      ASSERT_TRUE(succeeded(program->run(inputs, precision, 0, check)));
      EXPECT_EQ(next, 2u);
    }
  }
}

TEST(GainTest, IsTheFactorThatFitsBest) {
  EXPECT_DOUBLE_EQ(getGain({1.5, -3}, {1, -2}), 0.5);
  // Across the reference there is no gain.
  EXPECT_EQ(getGain({2, 0}, {1, 1}), 0);
  EXPECT_EQ(getGain({1}, {0}), 0);
  EXPECT_DOUBLE_EQ(getGain({HUGE_VAL, 2}, {HUGE_VAL, 1}), 1);
}

/// Elements of bf16 may be far off, but not all of them to the same side.
TEST_F(VerificationTest, GainsAreBoundedMoreTightlyThanElements) {
  std::vector<BoundedTensor> probes = evaluate(withType(chain, "bf16"));
  auto results = program->run(inputs, Rounding::Typed, /*agreement=*/0);
  ASSERT_TRUE(succeeded(results));
  Tensor scaled = results->at("out0");
  for (double &value : scaled.data)
    value *= 1.02;
  const BoundedTensor &expected = probes.back();
  EXPECT_LT(compareTensors(scaled, expected.value).absolute, expected.bound);
  EXPECT_GT(getGain(scaled.data, expected.value.data), expected.gainBound);
}

/// Equal elements are rounded to the same side, time after time.
TEST_F(VerificationTest, GainsOfEqualElementsAreWithinTheBound) {
  std::string text = R"(
    func.func @loss() -> tensor<4096xbf16> {
      %0 = stablehlo.constant dense<0.92> : tensor<4096xbf16>)";
  for (int i = 1; i <= 8; ++i)
    text += "%" + std::to_string(i) + " = stablehlo.multiply %" +
            std::to_string(i - 1) + ", %0 : tensor<4096xbf16>\n";
  std::vector<BoundedTensor> probes =
      evaluate(text + "return %8 : tensor<4096xbf16> }");
  auto results = program->run(inputs, Rounding::Typed, /*agreement=*/0);
  ASSERT_TRUE(succeeded(results));
  double gain = getGain(results->at("out0").data, probes.front().value.data);
  EXPECT_GT(std::abs(gain), 0x1p-8);
  EXPECT_LT(std::abs(gain), probes.front().gainBound);
}

/// Operations that only move elements have no error, but are allowed one
/// rounding.
TEST_F(VerificationTest, MovementIsAllowedOneRounding) {
  std::vector<BoundedTensor> probes = evaluate(R"(
    func.func @loss(%x: tensor<4xf32> {boost.name = "x"}) -> tensor<4xf32> {
      %0 = stablehlo.reverse %x, dims = [0] : tensor<4xf32>
      boost.probe %0 as "x" site 0 : tensor<4xf32>
      return %0 : tensor<4xf32>
    })");
  double largest = 0;
  for (double value : probes.front().value.data)
    largest = std::max(largest, std::abs(value));
  EXPECT_EQ(probes.front().bound, 0x1p-24 * largest);
}

/// A program that cannot be evaluated has no bounds; missing inputs are
/// reported.
TEST_F(VerificationTest, AFailedRunHasNoBounds) {
  evaluate(withType(chain, "f32"));
  inputs.erase("w");
  std::string message;
  ScopedDiagnosticHandler handler(
      &context, [&](Diagnostic &diagnostic) { message += diagnostic.str(); });
  EXPECT_TRUE(failed(
      evaluateWithBounds(ReferenceRun{*program, inputs}, /*samples=*/8)));
  EXPECT_NE(message.find("'w'"), std::string::npos) << message;
}

} // namespace
