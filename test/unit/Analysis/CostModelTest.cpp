//===- CostModelTest.cpp - Work of operations ----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/Analysis/CostModel.h"
#include "boost-mlir/InitAll.h"
#include "boost-mlir/Interfaces/CostModelOpInterface.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace mlir::boost;

namespace {

class CostModel : public ::testing::Test {
protected:
  CostModel() {
    DialectRegistry registry;
    registerAllDialects(registry);
    context.appendDialectRegistry(registry);
  }

  /// The cost of the only call in the body of a function.
  OpCost costOf(const std::string &arguments, const std::string &call) {
    module = parseSourceString<ModuleOp>(
        "func.func @f(" + arguments + ") { " + call + " return }", &context);
    if (!module) {
      ADD_FAILURE() << "does not parse: " << call;
      return {};
    }
    std::optional<OpCost> found;
    module->walk([&](CostModelOpInterface op) {
      EXPECT_FALSE(found);
      found = op.getCost(mesh);
    });
    EXPECT_TRUE(found);
    return found.value_or(OpCost());
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
  Mesh mesh{{"dp", "tp"}, {2, 4}};
};

TEST_F(CostModel, GemmThatAccumulatesReadsItsDestination) {
  OpCost cost = costOf(
      "%a: memref<8x32xf32>, %b: memref<32x16xf32>, %c: memref<8x16xf32>",
      "boostrt.gemm ins(%a, %b : memref<8x32xf32>, memref<32x16xf32>) outs(%c "
      ": memref<8x16xf32>) {accumulate, batch = 1, m = 8, n = 16, k = 32}");
  EXPECT_EQ(cost.memoryBytes, 4.0 * (8 * 32 + 32 * 16 + 2 * 8 * 16));
}

TEST_F(CostModel, GemmCountsTwoFlopsPerProduct) {
  OpCost cost = costOf(
      "%a: memref<8x32xf32>, %b: memref<32x16xf32>, %c: memref<8x16xf32>",
      "boostrt.gemm ins(%a, %b : memref<8x32xf32>, memref<32x16xf32>) outs(%c "
      ": memref<8x16xf32>) {batch = 1, m = 8, n = 16, k = 32}");
  EXPECT_EQ(cost.flops, 2.0 * 8 * 16 * 32);
  EXPECT_EQ(cost.memoryBytes, 4.0 * (8 * 32 + 32 * 16 + 8 * 16));
  ASSERT_TRUE(cost.contraction);
  EXPECT_EQ(cost.contraction->m, 8);
  EXPECT_EQ(cost.contraction->n, 16);
  EXPECT_EQ(cost.contraction->k, 32);
  EXPECT_FALSE(cost.message);
}

TEST_F(CostModel, CausalAttentionIsHalf) {
  std::string arguments = "%q: memref<2x8x4x16xf32>, %o: "
                          "memref<2x8x4x16xf32>, %l: memref<2x4x8xf32>";
  std::string call =
      "boostrt.attention_forward ins(%q, %q, %q : memref<2x8x4x16xf32>, "
      "memref<2x8x4x16xf32>, memref<2x8x4x16xf32>) outs(%o, %l : "
      "memref<2x8x4x16xf32>, memref<2x4x8xf32>) ";
  OpCost full = costOf(arguments, call + "{scale = 1.0 : f64}");
  OpCost causal = costOf(arguments, call + "causal {scale = 1.0 : f64}");
  EXPECT_EQ(full.kind, OpClass::AttentionForward);
  EXPECT_EQ(full.headSize, 16);
  EXPECT_EQ(full.flops, 4.0 * 2 * 4 * 8 * 8 * 16);
  EXPECT_EQ(causal.flops, full.flops / 2);
}

TEST_F(CostModel, RingSendsTwiceForAnAllReduce) {
  OpCost cost = costOf("%a: memref<1000xf32>",
                       "boostrt.all_reduce sum group 2 site 0 outs(%a : "
                       "memref<1000xf32>)");
  EXPECT_EQ(cost.kind, OpClass::Collective);
  ASSERT_TRUE(cost.message);
  EXPECT_EQ(cost.message->bytes, 4000);
  EXPECT_EQ(cost.message->getSentBytes(), 2.0 * 3 / 4 * 4000);
  EXPECT_EQ(cost.message->ranks, 4);
  EXPECT_EQ(cost.message->span, 4);
}

TEST_F(CostModel, GatherCountsWhatArrives) {
  OpCost cost = costOf("%a: memref<10xf32>, %b: memref<20xf32>",
                       "boostrt.all_gather dims [0] group 1 site 0 ins(%a : "
                       "memref<10xf32>) outs(%b : memref<20xf32>)");
  ASSERT_TRUE(cost.message);
  EXPECT_EQ(cost.message->bytes, 80);
  EXPECT_EQ(cost.message->getSentBytes(), 1.0 / 2 * 80);
  // The two ranks of an axis "dp" are four apart.
  EXPECT_EQ(cost.message->ranks, 2);
  EXPECT_EQ(cost.message->span, 5);
}

TEST_F(CostModel, EveryRankHandsABroadcastOn) {
  OpCost cost = costOf("%a: memref<10xf32>, %b: memref<2xf32>",
                       "boostrt.broadcast root 1 group 2 site 0 outs(%a, %b : "
                       "memref<10xf32>, memref<2xf32>)");
  EXPECT_EQ(cost.kind, OpClass::Collective);
  ASSERT_TRUE(cost.message);
  EXPECT_EQ(cost.message->bytes, 48);
  EXPECT_EQ(cost.message->getSentBytes(), 48);
  EXPECT_EQ(cost.tensorBytes, (std::vector<double>{40, 8}));
}

TEST_F(CostModel, AStepIsTheCallsOfItsSchedule) {
  auto parse = [&](const std::string &functions) {
    module = parseSourceString<ModuleOp>(functions, &context);
    return bool(module);
  };
  auto copies = [](const std::string &name, int count) {
    std::string text = "func.func @" + name +
                       "(%a: memref<10xf32>, %b: memref<10xf32>) "
                       "attributes {boost.inputs = []} {";
    for (int i = 0; i < count; ++i)
      text += "boostrt.copy ins(%a : memref<10xf32>) outs(%b : "
              "memref<10xf32>)\n";
    return text + "return }\n";
  };
  const Machine &machine = Machine::getReference();
  std::string gradients =
      copies("loss", 1) + copies("gradient", 2) +
      "boost.schedule @evaluate { boost.call @loss }\n"
      "boost.schedule @gradients { boost.call @gradient }\n";
  // A copy moves 80 bytes, which take 8.
  ASSERT_TRUE(parse(gradients + copies("add", 4) + copies("finish", 5) +
                    R"(boost.schedule @train micro_batches 3 {
                         boost.call @add micro_batch 0
                         boost.call @add micro_batch 1
                         boost.call @add micro_batch 2
                         boost.call @finish
                       })"));
  StepCost step = getStepCost(*module, mesh, machine);
  ASSERT_EQ(step.parts.size(), 2u);
  EXPECT_EQ(step.parts[0].count, 3);
  EXPECT_EQ(step.parts[1].count, 1);
  EXPECT_EQ(step.getSeconds(), 3 * 4 * 8 + 5 * 8);
  EXPECT_EQ(step.parts[0].cost.classes[OpClass::Memory].calls, 4);
  EXPECT_EQ(step.parts[0].cost.classes[OpClass::Memory].memoryBytes, 320);

  ASSERT_TRUE(parse(gradients + copies("all", 6) +
                    "boost.schedule @train { boost.call @all }"));
  EXPECT_EQ(getStepCost(*module, mesh, machine).getSeconds(), 6 * 8);
  ASSERT_TRUE(parse(gradients));
  EXPECT_EQ(getStepCost(*module, mesh, machine).getSeconds(), 2 * 8);
  ASSERT_TRUE(parse(copies("other", 1)));
  EXPECT_EQ(getStepCost(*module, mesh, machine).getSeconds(), 0);
}

TEST_F(CostModel, SecondsAreAddedByTheClassOfTheLayer) {
  auto copy = [](const std::string &attributes) {
    return "boostrt.copy ins(%a : memref<10xf32>) outs(%b : memref<10xf32>) " +
           attributes + "\n";
  };
  std::string reduce = "boostrt.all_reduce sum group 2 site 0 outs(%a : "
                       "memref<10xf32>) {boost.layer = #boost.layer<class = 1, "
                       "index = 0>, boost.component = ";
  module = parseSourceString<ModuleOp>(
      "boost.schedule @evaluate { boost.call @loss }\n"
      "func.func @loss(%a: memref<10xf32>, %b: memref<10xf32>) "
      "attributes {boost.inputs = []} {" +
          copy("") +
          copy("{boost.layer = #boost.layer<class = 1, index = 0>}") +
          copy("{boost.layer = #boost.layer<class = 1, index = 1>}") + reduce +
          "\"block\"}\n" + reduce + "\"gradients\"}\n return }",
      &context);
  ASSERT_TRUE(module);
  const Machine &machine = Machine::getReference();
  StepCost step = getStepCost(*module, mesh, machine);
  double seconds =
      machine.getCollectiveSeconds(CollectiveKind::AllReduce, 40, 4, 4);
  // A gradient may travel with those of other layers.
  EXPECT_DOUBLE_EQ(step.getLayerSeconds()[1], 2 * 8 + seconds);
  EXPECT_DOUBLE_EQ(step.getLayerSeconds()[kOutsideOfLayers], 8 + seconds);
  ASSERT_EQ(step.parts[0].cost.shared.size(), 1u);
  EXPECT_EQ(step.parts[0].cost.shared.begin()->second.size(), 1u);
}

TEST_F(CostModel, GroupsHaveNamesAndSizes) {
  EXPECT_EQ(mesh.describe(AxisMask(1), ","), "dp");
  EXPECT_EQ(mesh.describe(AxisMask(3), ","), "dp,tp");
  EXPECT_EQ(mesh.getSize(AxisMask(3)), 8);
  EXPECT_EQ(mesh.getSpan(AxisMask(3)), 8);
}

} // namespace
