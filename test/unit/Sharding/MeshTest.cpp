//===- MeshTest.cpp - Tests of the mesh and boost.split -------------------===//
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

class MeshTest : public ::testing::Test {
protected:
  RankedTensorType tensor(ArrayRef<int64_t> shape) {
    return RankedTensorType::get(shape, Float32Type::get(&context));
  }
  std::string parse(StringRef attr, RankedTensorType type) {
    return mesh.parseSplit(parseAttribute(attr, &context), type, split);
  }

  MLIRContext context;
  Mesh mesh{{"dp", "tp", "one"}, {2, 4, 1}};
  Split split;
};

TEST_F(MeshTest, CountsParts) {
  EXPECT_EQ(mesh.getSize(0), 1);
  EXPECT_EQ(mesh.getSize(kTp), 4);
  EXPECT_EQ(mesh.getSize(kDp | kTp), 8);
  EXPECT_EQ(mesh.getUsedAxes(), kDp | kTp);
  EXPECT_EQ(mesh.describe(kDp | kTp), "dp, tp");
}

TEST_F(MeshTest, ReadsSplits) {
  EXPECT_EQ(parse(R"([["dp", "tp"], []])", tensor({16, 4})), "");
  EXPECT_EQ(split, (Split{kDp | kTp, 0}));
  EXPECT_EQ(mesh.getLocalType(tensor({16, 4}), split), tensor({2, 4}));
  EXPECT_EQ(mesh.getGlobalType(tensor({2, 4}), split), tensor({16, 4}));
}

TEST_F(MeshTest, LeavesOutAxesOfOneRank) {
  EXPECT_EQ(parse(R"([["one"], ["tp"]])", tensor({3, 4})), "");
  EXPECT_EQ(split, (Split{0, kTp}));
  EXPECT_EQ(getAxesOf(split) & kOne, 0u);
}

TEST_F(MeshTest, WritesWhatItReads) {
  StringRef text = R"([["dp"], [], ["tp"]])";
  ASSERT_EQ(parse(text, tensor({2, 3, 4})), "");
  EXPECT_EQ(mesh.getSplitAttr(&context, split), parseAttribute(text, &context));
}

TEST_F(MeshTest, SaysWhichSizesWouldDo) {
  EXPECT_EQ(parse(R"([[], ["tp"]])", tensor({4, 6})),
            "dimension 1 of size 6 cannot be cut into 4 equal parts over axis "
            "'tp'; sizes that would do: 1, 2, 3, 6");
}

TEST_F(MeshTest, RefusesAxesItDoesNotHave) {
  EXPECT_NE(parse(R"([["pp"]])", tensor({4})), "");
  EXPECT_NE(parse(R"([["tp"], ["tp"]])", tensor({4, 4})), "");
  EXPECT_NE(parse(R"([["tp", "dp"]])", tensor({8})), "");
  EXPECT_NE(parse(R"([])", tensor({8})), "");
}

} // namespace
