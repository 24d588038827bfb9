//===- ShardingRuleTest.cpp - Tests of sharding rules ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/InitAll.h"
#include "boost-mlir/Interfaces/ShardingRuleOpInterface.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace mlir::boost;

namespace {

/// Gives tests the first operation of a function body.
class ShardingRuleTest : public ::testing::Test {
protected:
  ShardingRuleTest() {
    DialectRegistry registry;
    registerAllDialects(registry);
    context.appendDialectRegistry(registry);
    context.loadAllAvailableDialects();
  }

  Operation *parse(StringRef arguments, StringRef body) {
    std::string text =
        ("func.func @f(" + arguments + ") {\n" + body + "\nreturn\n}").str();
    module = parseSourceString<ModuleOp>(text, &context);
    if (!module)
      return nullptr;
    auto func = *module->getOps<func::FuncOp>().begin();
    return &*std::prev(func.getBody().front().getTerminator()->getIterator());
  }

  ShardingRule ruleOf(StringRef arguments, StringRef body) {
    Operation *op = parse(arguments, body);
    EXPECT_TRUE(op);
    ShardingRule rule = cast<ShardingRuleOpInterface>(op).getShardingRule();
    EXPECT_TRUE(succeeded(rule.verify(op)));
    return rule;
  }

  /// "parallel 4, sum 8"
  static std::string describe(const ShardingRule &rule) {
    static const char *const names[] = {"parallel", "sum",       "max",
                                        "min",      "completed", "unshardable"};
    std::string text;
    for (const ShardingLoop &loop : rule.getLoops())
      text += (text.empty() ? "" : ", ") +
              std::string(names[static_cast<int>(loop.kind)]) + " " +
              std::to_string(loop.extent);
    return text;
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
};

constexpr int kNone = kNoLoop;

TEST_F(ShardingRuleTest, DotGeneralHasBatchFreeAndContractedLoops) {
  ShardingRule rule = ruleOf(
      "%a: tensor<2x4x8xf32>, %b: tensor<2x8x3xf32>",
      "%0 = stablehlo.dot_general %a, %b, batching_dims = [0] x [0], "
      "contracting_dims = [2] x [1] : (tensor<2x4x8xf32>, tensor<2x8x3xf32>) "
      "-> tensor<2x4x3xf32>");
  EXPECT_EQ(describe(rule), "parallel 2, parallel 4, parallel 3, sum 8");
  EXPECT_EQ(rule.getOperands()[0], (DimLoops{0, 1, 3}));
  EXPECT_EQ(rule.getOperands()[1], (DimLoops{0, 3, 2}));
  EXPECT_EQ(rule.getResults()[0], (DimLoops{0, 1, 2}));
  EXPECT_EQ(rule.getFlops(), 2.0 * 2 * 4 * 3 * 8);
  EXPECT_TRUE(rule.isAdditiveIn({true, false}, {false, false}));
  EXPECT_FALSE(rule.isAdditiveIn({true, true}, {false, false}));
}

TEST_F(ShardingRuleTest, TransposedLinearContractsTheLastDimension) {
  ShardingRule rule =
      ruleOf("%x: tensor<2x4x8xf32>, %w: tensor<16x8xf32>",
             "%0 = boost.linear %x, %w transposed : (tensor<2x4x8xf32>, "
             "tensor<16x8xf32>) -> tensor<2x4x16xf32>");
  EXPECT_EQ(describe(rule), "parallel 2, parallel 4, parallel 16, sum 8");
  EXPECT_EQ(rule.getOperands()[1], (DimLoops{2, 3}));
}

TEST_F(ShardingRuleTest, ReshapeShardingTheSignificantPart) {
  ShardingRule split = ruleOf("%x: tensor<2x6x12xf32>",
                              "%0 = stablehlo.reshape %x : "
                              "(tensor<2x6x12xf32>) -> tensor<2x6x3x4xf32>");
  EXPECT_EQ(describe(split), "parallel 2, parallel 6, parallel 3");
  EXPECT_EQ(split.getOperands()[0], (DimLoops{0, 1, 2}));
  EXPECT_EQ(split.getResults()[0], (DimLoops{0, 1, 2, kNone}));

  ShardingRule merge = ruleOf(
      "%x: tensor<2x6x12xf32>",
      "%0 = stablehlo.reshape %x : (tensor<2x6x12xf32>) -> tensor<12x12xf32>");
  EXPECT_EQ(merge.getOperands()[0], (DimLoops{0, kNone, 1}));

  ShardingRule ones =
      ruleOf("%x: tensor<1x6x1xf32>", "%0 = stablehlo.reshape %x : "
                                      "(tensor<1x6x1xf32>) -> tensor<6x1xf32>");
  EXPECT_EQ(ones.getOperands()[0], (DimLoops{kNone, 0, kNone}));
  EXPECT_EQ(ones.getResults()[0], (DimLoops{0, kNone}));
}

TEST_F(ShardingRuleTest, SumsAreAdditiveInBothOperandsTogether) {
  ShardingRule rule = ruleOf("%a: tensor<4xf32>, %b: tensor<4xf32>",
                             "%0 = stablehlo.subtract %a, %b : tensor<4xf32>");
  EXPECT_TRUE(rule.isAdditiveIn({true, true}, {false, false}));
  EXPECT_FALSE(rule.isAdditiveIn({true, false}, {false, false}));
  EXPECT_TRUE(rule.isAdditiveIn({true, false}, {false, true}));
}

TEST_F(ShardingRuleTest, ProductsAreAdditiveInOneOperand) {
  ShardingRule rule = ruleOf("%a: tensor<4xf32>, %b: tensor<4xf32>",
                             "%0 = stablehlo.multiply %a, %b : tensor<4xf32>");
  EXPECT_TRUE(rule.isAdditiveIn({true, false}, {false, false}));
  EXPECT_TRUE(rule.isAdditiveIn({false, true}, {false, false}));
  EXPECT_FALSE(rule.isAdditiveIn({true, true}, {false, false}));
}

TEST_F(ShardingRuleTest, BarriersOfOneShapeArePointwise) {
  ShardingRule alike =
      ruleOf("%a: tensor<4x8xf32>, %b: tensor<4x8xf32>",
             "%0:2 = stablehlo.optimization_barrier %a, %b : tensor<4x8xf32>, "
             "tensor<4x8xf32>");
  EXPECT_EQ(describe(alike), "parallel 4, parallel 8");
  EXPECT_EQ(alike.getOperands()[1], (DimLoops{0, 1}));
  EXPECT_EQ(alike.getResults()[1], (DimLoops{0, 1}));
  ShardingRule different =
      ruleOf("%a: tensor<4x8xf32>, %b: tensor<6x8xf32>",
             "%0:2 = stablehlo.optimization_barrier %a, %b : tensor<4x8xf32>, "
             "tensor<6x8xf32>");
  EXPECT_EQ(describe(different), "");
  EXPECT_EQ(different.getOperands()[0], (DimLoops{kNone, kNone}));
}

// Every rank can make its part of a number that is repeated.
TEST_F(ShardingRuleTest, RepeatedNumbersAreGenerated) {
  const char *body = "%0 = stablehlo.broadcast_in_dim %c, dims = [] : "
                     "(tensor<f32>) -> tensor<4x8xf32>";
  EXPECT_TRUE(ruleOf("%a: tensor<f32>",
                     std::string("%c = stablehlo.constant dense<2.0> : "
                                 "tensor<f32>\n") +
                         body)
                  .isGenerator());
  EXPECT_FALSE(ruleOf("%c: tensor<f32>", body).isGenerator());
}

TEST_F(ShardingRuleTest, NarrowingIsNotAdditive) {
  ShardingRule narrow =
      ruleOf("%a: tensor<4xf32>",
             "%0 = stablehlo.convert %a : (tensor<4xf32>) -> tensor<4xbf16>");
  EXPECT_FALSE(narrow.isAdditiveIn({true}, {false}));
  ShardingRule widen =
      ruleOf("%a: tensor<4xbf16>",
             "%0 = stablehlo.convert %a : (tensor<4xbf16>) -> tensor<4xf32>");
  EXPECT_TRUE(widen.isAdditiveIn({true}, {false}));
  // Rounded parts of integers do not add up to the rounded sum.
  ShardingRule integers =
      ruleOf("%a: tensor<4xf32>",
             "%0 = stablehlo.convert %a : (tensor<4xf32>) -> tensor<4xi32>");
  EXPECT_FALSE(integers.isAdditiveIn({true}, {false}));
  ShardingRule counted =
      ruleOf("%a: tensor<4xi32>",
             "%0 = stablehlo.convert %a : (tensor<4xi32>) -> tensor<4xf32>");
  EXPECT_FALSE(counted.isAdditiveIn({true}, {false}));
}

TEST_F(ShardingRuleTest, QuotientsAreAdditiveInTheDividend) {
  ShardingRule floats = ruleOf("%a: tensor<4xf32>, %b: tensor<4xf32>",
                               "%0 = stablehlo.divide %a, %b : tensor<4xf32>");
  EXPECT_TRUE(floats.isAdditiveIn({true, false}, {false, false}));
  EXPECT_FALSE(floats.isAdditiveIn({false, true}, {false, false}));
  ShardingRule integers =
      ruleOf("%a: tensor<4xi32>, %b: tensor<4xi32>",
             "%0 = stablehlo.divide %a, %b : tensor<4xi32>");
  EXPECT_FALSE(integers.isAdditiveIn({true, false}, {false, false}));
}

TEST_F(ShardingRuleTest, ChoicesAreAdditiveInWhatIsChosen) {
  ShardingRule rule =
      ruleOf("%p: tensor<4xi1>, %a: tensor<4xf32>, %b: tensor<4xf32>",
             "%0 = stablehlo.select %p, %a, %b : tensor<4xi1>, tensor<4xf32>");
  EXPECT_TRUE(rule.isAdditiveIn({false, true, true}, {false, false, false}));
  EXPECT_TRUE(rule.isAdditiveIn({false, true, false}, {false, false, true}));
  EXPECT_FALSE(rule.isAdditiveIn({false, true, false}, {true, false, false}));
  EXPECT_FALSE(rule.isAdditiveIn({true, true, true}, {false, false, false}));
}

TEST_F(ShardingRuleTest, BitcastsKeepThePartsOfElementsWhole) {
  ShardingRule parts =
      ruleOf("%a: tensor<4x6xf32>", "%0 = stablehlo.bitcast_convert %a : "
                                    "(tensor<4x6xf32>) -> tensor<4x6x2xf16>");
  EXPECT_EQ(describe(parts), "parallel 4, parallel 6");
  EXPECT_EQ(parts.getResults()[0], (DimLoops{0, 1, kNone}));
  ShardingRule joined =
      ruleOf("%a: tensor<4x6x2xf16>", "%0 = stablehlo.bitcast_convert %a : "
                                      "(tensor<4x6x2xf16>) -> tensor<4x6xf32>");
  EXPECT_EQ(describe(joined), "parallel 4, parallel 6");
  EXPECT_EQ(joined.getOperands()[0], (DimLoops{0, 1, kNone}));
}

TEST_F(ShardingRuleTest, ReductionsHaveTheKindOfTheirBody) {
  const char *arguments = "%a: tensor<4x8xf32>, %x: tensor<f32>";
  EXPECT_EQ(describe(ruleOf(
                arguments,
                "%c = stablehlo.constant dense<0.0> : tensor<f32>\n"
                "%0 = stablehlo.reduce(%a init: %c) applies stablehlo.add "
                "across dimensions = [1] : (tensor<4x8xf32>, tensor<f32>) -> "
                "tensor<4xf32>")),
            "parallel 4, sum 8");
  EXPECT_EQ(describe(ruleOf(
                arguments,
                "%0 = stablehlo.reduce(%a init: %x) applies stablehlo.maximum "
                "across dimensions = [1] : (tensor<4x8xf32>, tensor<f32>) -> "
                "tensor<4xf32>")),
            "parallel 4, max 8");
  // Every rank would add the initial value.
  EXPECT_EQ(describe(ruleOf(
                arguments,
                "%0 = stablehlo.reduce(%a init: %x) applies stablehlo.add "
                "across dimensions = [1] : (tensor<4x8xf32>, tensor<f32>) -> "
                "tensor<4xf32>")),
            "parallel 4, unshardable 8");
}

TEST_F(ShardingRuleTest, AttentionIsCutByBatchAndSharedHeads) {
  ShardingRule rule = ruleOf(
      "%q: tensor<2x8x6x4xf32>, %k: tensor<2x8x2x4xf32>",
      "%o, %l = boost.attention %q, %k, %k causal {scale = 1.0 : f64} : "
      "(tensor<2x8x6x4xf32>, tensor<2x8x2x4xf32>, tensor<2x8x2x4xf32>) -> "
      "(tensor<2x8x6x4xf32>, tensor<2x6x8xf32>)");
  EXPECT_EQ(describe(rule), "parallel 2, parallel 2");
  EXPECT_EQ(rule.getOperands()[0], (DimLoops{0, kNone, 1, kNone}));
  EXPECT_EQ(rule.getResults()[1], (DimLoops{0, 1, kNone}));
}

TEST_F(ShardingRuleTest, OneKeyHeadIsWholeAndItsGradientASum) {
  ShardingRule rule = ruleOf(
      "%q: tensor<2x8x6x4xf32>, %k: tensor<2x8x1x4xf32>, %l: tensor<2x6x8xf32>",
      "%a, %b, %c = boost.attention_grad %q, %k, %k of %q, %l grad %q "
      "{scale = 1.0 : f64} : (tensor<2x8x6x4xf32>, tensor<2x8x1x4xf32>, "
      "tensor<2x8x1x4xf32>, tensor<2x8x6x4xf32>, tensor<2x6x8xf32>, "
      "tensor<2x8x6x4xf32>) -> (tensor<2x8x6x4xf32>, tensor<2x8x1x4xf32>, "
      "tensor<2x8x1x4xf32>)");
  EXPECT_EQ(describe(rule), "parallel 2, sum 6");
  EXPECT_EQ(rule.getOperands()[1], (DimLoops{0, kNone, kNone, kNone}));
  EXPECT_EQ(rule.getResults()[0], (DimLoops{0, kNone, 1, kNone}));
  EXPECT_EQ(rule.getResults()[1], (DimLoops{0, kNone, kNone, kNone}));
  EXPECT_FALSE(rule.isReducedOver(0, 1));
  EXPECT_TRUE(rule.isReducedOver(1, 1));
}

TEST_F(ShardingRuleTest, CrossEntropyCompletesTheVocabularyItself) {
  ShardingRule rule =
      ruleOf("%l: tensor<4x32xf32>, %y: tensor<4xi32>",
             "%a, %b = boost.cross_entropy %l, %y : (tensor<4x32xf32>, "
             "tensor<4xi32>) -> (tensor<4xf32>, tensor<4xf32>)");
  EXPECT_EQ(describe(rule), "completed 32, parallel 4");
  EXPECT_EQ(rule.getCompletionBytes(), 3.0 * 4 * 4);
}

TEST_F(ShardingRuleTest, GatherSumsOverTheDimensionThatIsIndexed) {
  ShardingRule rule =
      ruleOf("%t: tensor<32x8xf32>, %i: tensor<4x5x1xi32>",
             "%0 = \"stablehlo.gather\"(%t, %i) <{dimension_numbers = "
             "#stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], "
             "start_index_map = [0], index_vector_dim = 2>, slice_sizes = "
             "array<i64: 1, 8>}> : (tensor<32x8xf32>, tensor<4x5x1xi32>) -> "
             "tensor<4x5x8xf32>");
  EXPECT_EQ(describe(rule), "sum 32, parallel 4, parallel 5, parallel 8");
  EXPECT_EQ(rule.getOperands()[0], (DimLoops{0, 3}));
  EXPECT_EQ(rule.getOperands()[1], (DimLoops{1, 2, kNone}));
  EXPECT_EQ(rule.getResults()[0], (DimLoops{1, 2, 3}));
}

TEST_F(ShardingRuleTest, GatherKeepsTwoIndexedDimensionsAndWindowsWhole) {
  ShardingRule two =
      ruleOf("%t: tensor<32x8xf32>, %i: tensor<4x2xi32>",
             "%0 = \"stablehlo.gather\"(%t, %i) <{dimension_numbers = "
             "#stablehlo.gather<collapsed_slice_dims = [0, 1], "
             "start_index_map = [0, 1], index_vector_dim = 1>, slice_sizes = "
             "array<i64: 1, 1>}> : (tensor<32x8xf32>, tensor<4x2xi32>) -> "
             "tensor<4xf32>");
  EXPECT_EQ(describe(two), "parallel 4");
  EXPECT_EQ(two.getOperands()[0], (DimLoops{kNone, kNone}));
  ShardingRule window =
      ruleOf("%t: tensor<32x8xf32>, %i: tensor<4x1xi32>",
             "%0 = \"stablehlo.gather\"(%t, %i) <{dimension_numbers = "
             "#stablehlo.gather<offset_dims = [1, 2], start_index_map = [0], "
             "index_vector_dim = 1>, slice_sizes = array<i64: 2, 8>}> : "
             "(tensor<32x8xf32>, tensor<4x1xi32>) -> tensor<4x2x8xf32>");
  EXPECT_EQ(describe(window), "parallel 4, parallel 8");
  EXPECT_EQ(window.getOperands()[0], (DimLoops{kNone, 1}));
}

TEST_F(ShardingRuleTest, SortKeepsItsDimensionWhole) {
  ShardingRule rule = ruleOf(
      "%a: tensor<4x8xf32>, %b: tensor<4x8xi32>",
      "%0:2 = \"stablehlo.sort\"(%a, %b) <{dimension = -1 : i64}> ({\n"
      "^bb0(%l: tensor<f32>, %r: tensor<f32>, %i: tensor<i32>, "
      "%j: tensor<i32>):\n"
      "%p = stablehlo.compare LT, %l, %r : (tensor<f32>, tensor<f32>) -> "
      "tensor<i1>\n"
      "stablehlo.return %p : tensor<i1>\n"
      "}) : (tensor<4x8xf32>, tensor<4x8xi32>) -> "
      "(tensor<4x8xf32>, tensor<4x8xi32>)");
  EXPECT_EQ(describe(rule), "parallel 4");
  EXPECT_EQ(rule.getOperands()[1], (DimLoops{0, kNone}));
  EXPECT_EQ(rule.getResults()[0], (DimLoops{0, kNone}));
}

TEST_F(ShardingRuleTest, WindowsKeepTheDimensionsTheyMoveAlongWhole) {
  ShardingRule rule =
      ruleOf("%a: tensor<4x8xf32>, %z: tensor<f32>",
             "%0 = \"stablehlo.reduce_window\"(%a, %z) <{window_dimensions = "
             "array<i64: 1, 2>}> ({\n"
             "^bb0(%l: tensor<f32>, %r: tensor<f32>):\n"
             "%s = stablehlo.add %l, %r : tensor<f32>\n"
             "stablehlo.return %s : tensor<f32>\n"
             "}) : (tensor<4x8xf32>, tensor<f32>) -> tensor<4x7xf32>");
  EXPECT_EQ(describe(rule), "parallel 4");
  EXPECT_EQ(rule.getAdditive().size(), 1u);
}

TEST_F(ShardingRuleTest, ScatterOntoZerosSumsOverItsVectors) {
  auto scatter = [](StringRef zeros, StringRef table) {
    return (zeros + "%0 = \"stablehlo.scatter\"(" + table +
            ", %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<"
            "update_window_dims = [1], inserted_window_dims = [0], "
            "scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({\n"
            "^bb0(%l: tensor<f32>, %r: tensor<f32>):\n"
            "%s = stablehlo.add %l, %r : tensor<f32>\n"
            "stablehlo.return %s : tensor<f32>\n"
            "}) : (tensor<32x8xf32>, tensor<6x1xi32>, tensor<6x8xf32>) -> "
            "tensor<32x8xf32>")
        .str();
  };
  std::string arguments =
      "%t: tensor<32x8xf32>, %i: tensor<6x1xi32>, %u: tensor<6x8xf32>";
  EXPECT_EQ(describe(ruleOf(arguments, scatter("", "%t"))),
            "parallel 32, parallel 8");
  ShardingRule rule = ruleOf(
      arguments,
      scatter("%z = stablehlo.constant dense<0.0> : tensor<32x8xf32>\n", "%z"));
  EXPECT_EQ(describe(rule), "parallel 32, sum 6, parallel 8");
  EXPECT_EQ(rule.getOperands()[0], (DimLoops{0, 2}));
  EXPECT_EQ(rule.getOperands()[1], (DimLoops{1, kNone}));
  EXPECT_EQ(rule.getOperands()[2], (DimLoops{1, 2}));
  EXPECT_EQ(rule.getResults()[0], (DimLoops{0, 2}));
}

// The largest of the updates and of zeros is no sum over the updates; nor are
// updates onto ones, which every rank would add.
TEST_F(ShardingRuleTest, OnlyUpdatesOfSumsOntoZerosAreSharded) {
  auto scatter = [](StringRef start, StringRef combiner) {
    return ("%c = stablehlo.constant dense<" + start +
            "> : tensor<32x8xf32>\n" +
            "%0 = \"stablehlo.scatter\"(%c, %i, %u) "
            "<{scatter_dimension_numbers = #stablehlo.scatter<"
            "update_window_dims = [1], inserted_window_dims = [0], "
            "scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({\n"
            "^bb0(%l: tensor<f32>, %r: tensor<f32>):\n"
            "%s = stablehlo." +
            combiner +
            " %l, %r : tensor<f32>\n"
            "stablehlo.return %s : tensor<f32>\n"
            "}) : (tensor<32x8xf32>, tensor<6x1xi32>, tensor<6x8xf32>) -> "
            "tensor<32x8xf32>")
        .str();
  };
  const char *arguments = "%i: tensor<6x1xi32>, %u: tensor<6x8xf32>";
  ShardingRule sum = ruleOf(arguments, scatter("0.0", "add"));
  EXPECT_EQ(describe(sum), "parallel 32, sum 6, parallel 8");
  EXPECT_TRUE(sum.isAdditiveIn({true, false, true}, {false, false, false}));
  EXPECT_FALSE(sum.isAdditiveIn({false, true, false}, {false, false, false}));
  ShardingRule ones = ruleOf(arguments, scatter("1.0", "add"));
  EXPECT_EQ(describe(ones), "parallel 32, parallel 8");
  EXPECT_TRUE(ones.isAdditiveIn({true, false, true}, {false, false, false}));
  ShardingRule largest = ruleOf(arguments, scatter("0.0", "maximum"));
  EXPECT_EQ(describe(largest), "parallel 32, parallel 8");
  EXPECT_TRUE(largest.getAdditive().empty());
}

// A batch of tables has its loop in every tensor. Windows are sharded where
// they are as large as the table and no index names their place.
TEST_F(ShardingRuleTest, ScatterShardsBatchesAndFullWindows) {
  auto scatter = [](StringRef numbers, StringRef types) {
    return ("%0 = \"stablehlo.scatter\"(%t, %i, %u) "
            "<{scatter_dimension_numbers = #stablehlo.scatter<" +
            numbers +
            ">}> ({\n"
            "^bb0(%l: tensor<f32>, %r: tensor<f32>):\n"
            "%s = stablehlo.add %l, %r : tensor<f32>\n"
            "stablehlo.return %s : tensor<f32>\n"
            "}) : " +
            types)
        .str();
  };
  // Tables of 5 rows, of which the second dimension is the batch, and vectors
  // that stand in the first dimension.
  ShardingRule batched = ruleOf(
      "%t: tensor<5x3x7xf32>, %i: tensor<1x3x4xi32>, %u: tensor<3x4x7xf32>",
      scatter("update_window_dims = [2], inserted_window_dims = [0], "
              "input_batching_dims = [1], scatter_indices_batching_dims = [1], "
              "scatter_dims_to_operand_dims = [0], index_vector_dim = 0",
              "(tensor<5x3x7xf32>, tensor<1x3x4xi32>, tensor<3x4x7xf32>) -> "
              "tensor<5x3x7xf32>"));
  EXPECT_EQ(describe(batched), "parallel 5, parallel 3, parallel 7");
  EXPECT_EQ(batched.getOperands()[0], (DimLoops{0, 1, 2}));
  EXPECT_EQ(batched.getOperands()[1], (DimLoops{kNone, 1, kNone}));
  EXPECT_EQ(batched.getOperands()[2], (DimLoops{1, kNone, 2}));
  EXPECT_EQ(batched.getResults()[0], (DimLoops{0, 1, 2}));
  // One of three dimensions is indexed, one is taken in part, one completely.
  ShardingRule windows = ruleOf(
      "%t: tensor<5x6x7xf32>, %i: tensor<4x1xi32>, %u: tensor<4x5x2x7xf32>",
      scatter("update_window_dims = [1, 2, 3], "
              "scatter_dims_to_operand_dims = [0], index_vector_dim = 1",
              "(tensor<5x6x7xf32>, tensor<4x1xi32>, tensor<4x5x2x7xf32>) -> "
              "tensor<5x6x7xf32>"));
  EXPECT_EQ(describe(windows), "parallel 7");
  EXPECT_EQ(windows.getOperands()[0], (DimLoops{kNone, kNone, 0}));
  EXPECT_EQ(windows.getOperands()[2], (DimLoops{kNone, kNone, kNone, 0}));
}

// The largest of windows is not additive; with two tensors both have the loop.
TEST_F(ShardingRuleTest, WindowsOfTwoTensorsShareTheirLoops) {
  ShardingRule rule =
      ruleOf("%a: tensor<4x8xf32>, %b: tensor<4x8xi32>, %x: tensor<f32>, "
             "%y: tensor<i32>",
             "%0:2 = \"stablehlo.reduce_window\"(%a, %b, %x, %y) "
             "<{window_dimensions = array<i64: 1, 2>}> ({\n"
             "^bb0(%l: tensor<f32>, %i: tensor<i32>, %r: tensor<f32>, "
             "%j: tensor<i32>):\n"
             "%s = stablehlo.maximum %l, %r : tensor<f32>\n"
             "%k = stablehlo.maximum %i, %j : tensor<i32>\n"
             "stablehlo.return %s, %k : tensor<f32>, tensor<i32>\n"
             "}) : (tensor<4x8xf32>, tensor<4x8xi32>, tensor<f32>, tensor<i32>)"
             " -> (tensor<4x7xf32>, tensor<4x7xi32>)");
  EXPECT_EQ(describe(rule), "parallel 4");
  EXPECT_EQ(rule.getOperands()[1], (DimLoops{0, kNone}));
  EXPECT_EQ(rule.getResults()[1], (DimLoops{0, kNone}));
  EXPECT_TRUE(rule.getAdditive().empty());
}

TEST_F(ShardingRuleTest, VerifyFindsWrongRules) {
  Operation *op =
      parse("%a: tensor<4xf32>", "%0 = stablehlo.negate %a : tensor<4xf32>");
  ASSERT_TRUE(op);
  ScopedDiagnosticHandler silent(&context, [](Diagnostic &) {});
  ShardingRule noResult(op);
  noResult.addLoop(LoopKind::Parallel, 4).operand(0, 0);
  EXPECT_TRUE(failed(noResult.verify(op)));
  ShardingRule reducedResult(op);
  reducedResult.addLoop(LoopKind::Sum, 4).operand(0, 0).result(0, 0);
  EXPECT_TRUE(failed(reducedResult.verify(op)));
  Operation *square = parse("%b: tensor<4x4xf32>, %c: tensor<4x4xf32>",
                            "%1 = stablehlo.add %b, %c : tensor<4x4xf32>");
  ASSERT_TRUE(square);
  ShardingRule diagonal(square);
  diagonal.addLoop(LoopKind::Parallel, 4)
      .operand(0, 0)
      .operand(0, 1)
      .result(0, 0);
  EXPECT_TRUE(failed(diagonal.verify(square)));
  op = parse("%a: tensor<4xf32>", "%0 = stablehlo.negate %a : tensor<4xf32>");
  ShardingRule completedResult(op);
  completedResult.addLoop(LoopKind::Completed, 4).operand(0, 0).result(0, 0);
  EXPECT_TRUE(failed(completedResult.verify(op)));
  ShardingRule completed(op);
  completed.addLoop(LoopKind::Completed, 4).operand(0, 0);
  EXPECT_TRUE(succeeded(completed.verify(op)));
  EXPECT_TRUE(succeeded(ShardingRule::pointwise(op).verify(op)));
}

} // namespace
