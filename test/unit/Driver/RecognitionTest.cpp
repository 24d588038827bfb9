//===- RecognitionTest.cpp - What was found in a program ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Recognition.h"
#include "boost-mlir/InitAll.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

#include <nlohmann/json.hpp>

using namespace mlir;
using namespace mlir::boost;
using Json = nlohmann::ordered_json;

namespace {

/// Two bottlenecks of one operation, three of another with a factor for all,
/// and one of every other kind, or two.
constexpr llvm::StringLiteral kProgram = R"(
func.func @loss(%w: tensor<8x8xf32> {boost.tensor = #boost.tensor<param "w">},
                %g: tensor<8xf32> {boost.tensor = #boost.tensor<param "g">},
                %a: tensor<8x2xf32>, %b: tensor<2x8xf32>,
                %c: tensor<8x3x2xf32>, %d: tensor<3x2x8xf32>,
                %x: tensor<2x4x8xf32> {boost.tensor = #boost.tensor<batch "x">}) -> tensor<2x4x8xf32> {
  %0 = boost.linear %x, %w : (tensor<2x4x8xf32>, tensor<8x8xf32>) -> tensor<2x4x8xf32>
  %1 = boost.linear %0, %w : (tensor<2x4x8xf32>, tensor<8x8xf32>) -> tensor<2x4x8xf32>
  %2 = boost.rms_norm %1, %g {eps = 1.0e-6 : f64} : tensor<2x4x8xf32>, tensor<8xf32>
  %3 = boost.bottleneck %2 down(%a) up(%b) : tensor<2x4x8xf32> down tensor<8x2xf32> up tensor<2x8xf32> -> tensor<2x4x8xf32>
  %4 = boost.bottleneck %3 down(%c) up(%d) : tensor<2x4x8xf32> down tensor<8x3x2xf32> up tensor<3x2x8xf32> -> tensor<3x2x4x8xf32>
  %5 = stablehlo.dot_general %2, %w, contracting_dims = [2] x [0] : (tensor<2x4x8xf32>, tensor<8x8xf32>) -> tensor<2x4x8xf32> loc("b.py":3:1)
  %6 = stablehlo.dot_general %5, %w, contracting_dims = [2] x [0] : (tensor<2x4x8xf32>, tensor<8x8xf32>) -> tensor<2x4x8xf32> loc("a.py":7:1)
  %7 = stablehlo.dot_general %6, %w, contracting_dims = [2] x [0] : (tensor<2x4x8xf32>, tensor<8x8xf32>) -> tensor<2x4x8xf32> loc("b.py":3:9)
  return %7 : tensor<2x4x8xf32>
})";

class RecognitionTest : public ::testing::Test {
protected:
  ModuleOp parse(StringRef text) {
    DialectRegistry registry;
    registerAllDialects(registry);
    context.appendDialectRegistry(registry);
    module = parseSourceString<ModuleOp>(text, &context);
    EXPECT_TRUE(module);
    return *module;
  }

  MLIRContext context{MLIRContext::Threading::DISABLED};
  OwningOpRef<ModuleOp> module;
};

TEST_F(RecognitionTest, countsOperations) {
  Recognition found = recognize(parse(kProgram));
  EXPECT_EQ(found.parameters, 64 + 8);
  EXPECT_EQ(found.bottlenecks, 1 + 3);
  EXPECT_EQ(found.linears, 2);
  EXPECT_EQ(found.rmsNorms, 1);
  EXPECT_EQ(found.layerNorms, 0);
  EXPECT_EQ(found.attentions, 0);
  EXPECT_EQ(countBottleneckGroups(*module), 2);
  found.groups = 2;
  EXPECT_EQ(Json::parse(found.toJson()), Json::parse(R"({
      "parameters": 72, "bottlenecks": 4, "groups": 2, "linears": 2,
      "attentions": 0, "rms_norms": 1, "layer_norms": 0, "embeddings": 0,
      "cross_entropies": 0, "other_products": [
        {"location": "b.py:3", "count": 2},
        {"location": "a.py:7", "count": 1}]})"));
}

TEST_F(RecognitionTest, countsOtherKinds) {
  Recognition found = recognize(parse(R"(
func.func @f(%t: tensor<8x4xf32>, %g: tensor<4xf32>, %i: tensor<2x3xi32>,
             %q: tensor<2x3x1x4xf32>) {
  %0 = boost.embedding %t, %i : (tensor<8x4xf32>, tensor<2x3xi32>) -> tensor<2x3x4xf32>
  %1 = boost.embedding %t, %i : (tensor<8x4xf32>, tensor<2x3xi32>) -> tensor<2x3x4xf32>
  %2 = boost.layer_norm %0, %g, %g {eps = 1.0e-6 : f64} : tensor<2x3x4xf32>, tensor<4xf32>
  %o0, %l0 = boost.attention %q, %q, %q {scale = 1.0 : f64} : (tensor<2x3x1x4xf32>, tensor<2x3x1x4xf32>, tensor<2x3x1x4xf32>) -> (tensor<2x3x1x4xf32>, tensor<2x1x3xf32>)
  %3:2 = boost.cross_entropy %2, %i : (tensor<2x3x4xf32>, tensor<2x3xi32>) -> (tensor<2x3xf32>, tensor<2x3xf32>)
  %4:2 = boost.cross_entropy %1, %i : (tensor<2x3x4xf32>, tensor<2x3xi32>) -> (tensor<2x3xf32>, tensor<2x3xf32>)
  %5:2 = boost.cross_entropy %0, %i : (tensor<2x3x4xf32>, tensor<2x3xi32>) -> (tensor<2x3xf32>, tensor<2x3xf32>)
  return
})"));
  EXPECT_EQ(Json::parse(found.toJson()), Json::parse(R"({
      "parameters": 0, "bottlenecks": 0, "groups": 0, "linears": 0,
      "attentions": 1, "rms_norms": 0, "layer_norms": 1, "embeddings": 2,
      "cross_entropies": 3, "other_products": []})"));
}

TEST_F(RecognitionTest, hasNoParametersWithoutALoss) {
  EXPECT_EQ(recognize(parse("module {}")).parameters, 0);
  EXPECT_EQ(recognize(parse("func.func private @loss(tensor<2xf32>) -> "
                            "tensor<f32>"))
                .parameters,
            0);
}

} // namespace
