//===- CostModelTest.cpp - Work, seconds and machines ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/Analysis/CostModel.h"
#include "boost-mlir/InitAll.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/MemoryBuffer.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace mlir::boost;

namespace {

Machine makeMachine() {
  Machine machine;
  machine.name = "test";
  machine.peakFlops = {{"f32", 1e9}, {"bf16", 4e9}};
  machine.memoryBandwidth = 1e6;
  machine.launchSeconds = 0;
  machine.links = {{4, 1e6, 1e-3}, {64, 1e5, 2e-3}};
  return machine;
}

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
    module->walk([&](Operation *op) {
      if (!found)
        found = getOpCost(op, mesh);
    });
    EXPECT_TRUE(found);
    return found.value_or(OpCost());
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
  Mesh mesh{{"dp", "tp"}, {2, 4}};
};

TEST_F(CostModel, GemmCountsTwoFlopsPerProduct) {
  OpCost cost = costOf(
      "%a: memref<8x32xf32>, %b: memref<32x16xf32>, %c: memref<8x16xf32>",
      "boostrt.gemm ins(%a, %b : memref<8x32xf32>, memref<32x16xf32>) outs(%c "
      ": memref<8x16xf32>) {batch = 1, m = 8, n = 16, k = 32}");
  EXPECT_EQ(cost.flops, 2.0 * 8 * 16 * 32);
  EXPECT_EQ(cost.memoryBytes, 4.0 * (8 * 32 + 32 * 16 + 8 * 16));
  EXPECT_EQ(cost.networkBytes, 0);
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
  EXPECT_EQ(full.flops, 4.0 * 2 * 4 * 8 * 8 * 16);
  EXPECT_EQ(causal.flops, full.flops / 2);
}

TEST_F(CostModel, RingSendsTwiceForAnAllReduce) {
  OpCost cost = costOf("%a: memref<1000xf32>",
                       "boostrt.all_reduce sum group 2 site 0 outs(%a : "
                       "memref<1000xf32>)");
  EXPECT_EQ(cost.networkBytes, 2.0 * 3 / 4 * 4000);
  EXPECT_EQ(cost.span, 4);
  EXPECT_DOUBLE_EQ(getSeconds(cost, makeMachine()), 1e-3 + 6000 / 1e6);
}

TEST_F(CostModel, GatherCountsWhatArrives) {
  OpCost cost = costOf("%a: memref<10xf32>, %b: memref<20xf32>",
                       "boostrt.all_gather dim 0 group 1 site 0 ins(%a : "
                       "memref<10xf32>) outs(%b : memref<20xf32>)");
  EXPECT_EQ(cost.networkBytes, 1.0 / 2 * 80);
  // The two ranks of an axis "dp" are four apart: they use the outer links.
  EXPECT_EQ(cost.span, 5);
  EXPECT_DOUBLE_EQ(getSeconds(cost, makeMachine()), 2e-3 + 40 / 1e5);
}

TEST_F(CostModel, SecondsAreTheLongerOfComputeAndMemory) {
  Machine machine = makeMachine();
  OpCost cost;
  cost.flops = 2e9;
  cost.memoryBytes = 1e6;
  EXPECT_DOUBLE_EQ(getSeconds(cost, machine), 2.0);
  cost.elementType = "bf16";
  EXPECT_DOUBLE_EQ(getSeconds(cost, machine), 1.0);
}

TEST_F(CostModel, GroupsHaveNamesAndSizes) {
  EXPECT_EQ(mesh.describe(AxisMask(1), ","), "dp");
  EXPECT_EQ(mesh.describe(AxisMask(3), ","), "dp,tp");
  EXPECT_EQ(mesh.getSize(AxisMask(3)), 8);
  EXPECT_EQ(mesh.getSpan(AxisMask(3)), 8);
}

TEST(Machine, ShippedFilesAreReadable) {
  for (const char *name : {"a100-80gb", "h100", "h200", "host"}) {
    auto file = llvm::MemoryBuffer::getFile(std::string(BOOST_MLIR_MACHINES) +
                                            "/" + name + ".json");
    ASSERT_TRUE(bool(file)) << name;
    llvm::Expected<Machine> machine = Machine::parse((*file)->getBuffer());
    ASSERT_TRUE(bool(machine)) << llvm::toString(machine.takeError());
    EXPECT_EQ(machine->name, name);
  }
}

TEST(Machine, ErrorsNameTheField) {
  auto messageOf = [](StringRef text) {
    return llvm::toString(Machine::parse(text).takeError());
  };
  EXPECT_NE(messageOf("{}").find("name"), std::string::npos);
  EXPECT_NE(messageOf(R"({"name": "x", "peak_flops": {"f32": 1},
                          "memory_bandwidth": -1})")
                .find("memory_bandwidth"),
            std::string::npos);
  EXPECT_NE(messageOf("{").find("no JSON"), std::string::npos);
  EXPECT_NE(messageOf("[]").find("no object"), std::string::npos);
  const std::string start = R"({"name": "x", "peak_flops": {"f32": 1},
      "memory_bandwidth": 1, "memory_bytes": 1, "launch_seconds": 0)";
  EXPECT_NE(messageOf(start + "}").find("'links'"), std::string::npos);
  EXPECT_NE(messageOf(start + R"(, "links": []})").find("'links'"),
            std::string::npos);
  EXPECT_NE(
      messageOf(start + R"(, "links": [{"ranks": "two"}]})").find("'ranks'"),
      std::string::npos);
  EXPECT_NE(messageOf(R"({"name": 3})").find("'name'"), std::string::npos);
  EXPECT_NE(messageOf(R"({"name": "x", "peak_flops": {"f32": 1, "bf16": "a"}})")
                .find("'bf16'"),
            std::string::npos);
}

} // namespace
