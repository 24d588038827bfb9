//===- MeshTest.cpp - Tests of the mesh and its shardings -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/Dialect/Boost/IR/Mesh.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/MLIRContext.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace mlir::boost;

namespace {

constexpr AxisMask kDp = 1, kTp = 2, kOne = 4;
constexpr int16_t dp = 0, tp = 1;

class MeshTest : public ::testing::Test {
protected:
  MeshTest() { context.loadDialect<BoostDialect>(); }

  RankedTensorType tensor(ArrayRef<int64_t> shape) {
    return RankedTensorType::get(shape, Float32Type::get(&context));
  }
  ShardingAttr sharding(StringRef text) {
    return cast<ShardingAttr>(
        parseAttribute(("#boost.sharding" + text).str(), &context));
  }
  std::string parse(StringRef text, RankedTensorType type) {
    return mesh.parseSharding(sharding(text), type, split);
  }

  MLIRContext context;
  Mesh mesh{{"dp", "tp", "one"}, {2, 4, 1}};
  Split split;
};

std::string parseMesh(StringRef text) {
  llvm::Expected<Mesh> mesh = Mesh::parse(text);
  return mesh ? mesh->str() : llvm::toString(mesh.takeError());
}

// Users write meshes as text; test/Dialect/Boost/Transforms/place has the
// bounds.
TEST(MeshOption, isReadAsItIsPrinted) {
  EXPECT_EQ(parseMesh("dp=2,tp=4"), "dp=2,tp=4");
  EXPECT_EQ(parseMesh("4"), "tp=4");
  EXPECT_EQ(parseMesh(" one=1, b_2=3"), "one=1,b_2=3");
  EXPECT_EQ(Mesh::parse("dp=2,tp=4")->getNumRanks(), 8);
  EXPECT_EQ(Mesh().getNumRanks(), 1);
}

TEST(MeshOption, saysWhatIsWrong) {
  EXPECT_EQ(parseMesh("dp=2,dp=4"), "expects a mesh such as 'dp=2,tp=4', but "
                                    "got 'dp=2,dp=4'; it has two axes 'dp'");
  for (StringRef text : {"", "tp", "tp=0", "tp=x", "2,2", "2x2", "=2", "tp=2,"})
    EXPECT_EQ(parseMesh(text),
              ("expects a mesh such as 'dp=2,tp=4', but got '" + text +
               "'; axes have names and sizes of 1 or more, and a number alone "
               "is the size of 'tp'")
                  .str());
}

TEST_F(MeshTest, CountsParts) {
  EXPECT_EQ(mesh.getSize(AxisMask(0)), 1);
  EXPECT_EQ(mesh.getSize(kTp), 4);
  EXPECT_EQ(mesh.getSize(kDp | kTp), 8);
  EXPECT_EQ(mesh.getUsedAxes(), kDp | kTp);
  EXPECT_EQ(mesh.describe(kDp | kTp), "dp, tp");
  EXPECT_EQ(mesh.describe(AxisList{tp, dp}, ","), "tp,dp");
}

TEST_F(MeshTest, MeasuresSpans) {
  EXPECT_EQ(mesh.getSpan(0), 1);
  EXPECT_EQ(mesh.getSpan(kTp), 4);
  EXPECT_EQ(mesh.getSpan(kDp), 5);
  EXPECT_EQ(mesh.getSpan(kDp | kTp), 8);
}

TEST_F(MeshTest, ReadsShardings) {
  EXPECT_EQ(parse(R"(<{"tp", "dp"}, {}>)", tensor({16, 4})), "");
  EXPECT_EQ(split, (Split{{tp, dp}, {}}));
  EXPECT_EQ(mesh.getLocalType(tensor({16, 4}), split), tensor({2, 4}));
}

TEST_F(MeshTest, CountsTheElementsOfAllRanks) {
  ShardingAttr both = sharding(R"(<{"tp", "dp"}, {}>)");
  EXPECT_EQ(*mesh.getGlobalShape({2, 4}, both), (SmallVector<int64_t>{16, 4}));
  EXPECT_EQ(*mesh.getGlobalShape({2, 4}, ShardingAttr()),
            (SmallVector<int64_t>{2, 4}));
  EXPECT_FALSE(mesh.getGlobalShape({int64_t(1) << 60, 4}, both));
}

TEST_F(MeshTest, LeavesOutAxesOfOneRank) {
  EXPECT_EQ(parse(R"(<{"one"}, {"tp"}>)", tensor({3, 4})), "");
  EXPECT_EQ(split, (Split{{}, {tp}}));
  EXPECT_EQ(getAxesOf(split) & kOne, 0u);
}

TEST_F(MeshTest, ReadsPartialAxes) {
  EXPECT_EQ(
      mesh.getPartialAxes(sharding(R"(<{"tp"}, partial = sum {"dp", "one"}>)")),
      kDp);
  EXPECT_EQ(mesh.getPartialAxes(Attribute()), 0u);
}

TEST_F(MeshTest, WritesWhatItReads) {
  StringRef text = R"(<{"tp", "dp"}, {}, {}>)";
  ASSERT_EQ(parse(text, tensor({8, 3, 4})), "");
  EXPECT_EQ(mesh.getShardingAttr(&context, split), sharding(text));
  EXPECT_EQ(mesh.getShardingAttr(&context, {{tp}}, kDp),
            sharding(R"(<{"tp"}, partial = sum {"dp"}>)"));
}

TEST_F(MeshTest, SaysWhichSizesWouldDo) {
  EXPECT_EQ(parse(R"(<{}, {"tp"}>)", tensor({4, 6})),
            "dimension 1 of size 6 cannot be sharded into 4 equal parts over "
            "axis 'tp'; sizes that would do: 1, 2, 3, 6");
}

TEST_F(MeshTest, RefusesWhatDoesNotFit) {
  EXPECT_NE(parse(R"(<{"pp"}>)", tensor({4})), "");
  EXPECT_NE(parse("<>", tensor({8})), "");
  EXPECT_NE(mesh.parseSharding(Attribute(), tensor({8}), split), "");
}

TEST(AxisListTest, InsertsWhereTheOrderSays) {
  auto insert = [](AxisList list, int16_t axis, const AxisList &order) {
    list.insert(axis, order);
    return list;
  };
  EXPECT_EQ(insert({dp}, tp, {tp, dp}), (AxisList{tp, dp}));
  EXPECT_EQ(insert({tp}, dp, {tp, dp}), (AxisList{tp, dp}));
  EXPECT_EQ(insert({0, 2}, 1, {2, 1, 0}), (AxisList{0, 2, 1}));
  // Where the order does not say, that of the mesh.
  EXPECT_EQ(insert({tp}, dp, {dp}), (AxisList{dp, tp}));
  EXPECT_EQ(insert({dp}, tp, {}), (AxisList{dp, tp}));
}

} // namespace
