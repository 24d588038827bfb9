//===- BuildersTest.cpp - Short ways to write StableHLO -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/Dialect/StableHLO/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Verifier.h"
#include "gtest/gtest.h"
#include <cmath>

using namespace mlir;
using namespace mlir::boost::stablehlo;

namespace {

class BuildersTest : public ::testing::Test {
protected:
  BuildersTest() : builder(&context), loc(builder.getUnknownLoc()) {
    context.loadDialect<StableHLODialect>();
    module = ModuleOp::create(loc);
    builder.setInsertionPointToStart(module->getBody());
  }

  RankedTensorType tensor(ArrayRef<int64_t> shape, Type element) {
    return RankedTensorType::get(shape, element);
  }

  Type f32() { return builder.getF32Type(); }

  MLIRContext context;
  OpBuilder builder;
  Location loc;
  OwningOpRef<ModuleOp> module;
};

TEST_F(BuildersTest, SplatIsMatchedThroughDataMovement) {
  Value value = splat(builder, loc, tensor({}, builder.getBF16Type()), 0.5);
  value = convert(builder, loc, value, f32());
  value = broadcastScalar(builder, loc, value, {4, 8});
  value = reshape(builder, loc, value, {32});
  EXPECT_EQ(matchSplat(value), 0.5);
  EXPECT_TRUE(succeeded(verify(*module)));
}

TEST_F(BuildersTest, SplatRoundsToItsElementType) {
  Type i8 = builder.getIntegerType(8);
  Type u8 = IntegerType::get(&context, 8, IntegerType::Unsigned);
  Type i1 = builder.getI1Type();
  EXPECT_EQ(matchSplat(splat(builder, loc, tensor({2}, i8), -3)), -3.0);
  EXPECT_EQ(matchSplat(splat(builder, loc, tensor({2}, u8), 200)), 200.0);
  EXPECT_EQ(matchSplat(splat(builder, loc, tensor({2}, i1), 5)), 1.0);
}

TEST_F(BuildersTest, IdentitiesBuildNothing) {
  Value value = splat(builder, loc, tensor({2, 3}, f32()), 1);
  EXPECT_EQ(convert(builder, loc, value, f32()), value);
  EXPECT_EQ(reshape(builder, loc, value, {2, 3}), value);
  EXPECT_EQ(transpose(builder, loc, value, {0, 1}), value);
  EXPECT_NE(transpose(builder, loc, value, {1, 0}), value);
}

TEST_F(BuildersTest, ReductionsStartFromTheNeutralElement) {
  Value value = splat(builder, loc, tensor({2, 3, 4}, f32()), 1);
  for (ReductionKind kind : {ReductionKind::Add, ReductionKind::Max,
                             ReductionKind::Min, ReductionKind::Mul}) {
    auto op = reduce(builder, loc, value, {1}, kind).getDefiningOp<ReduceOp>();
    EXPECT_EQ(op.getResult(0).getType(), tensor({2, 4}, f32()));
    EXPECT_EQ(matchSimpleReduction(op), kind);
  }
  auto max = reduceMax(builder, loc, value, {0}).getDefiningOp<ReduceOp>();
  EXPECT_EQ(matchSplat(max.getInitValues()[0]), -INFINITY);
  EXPECT_TRUE(succeeded(verify(*module)));
}

// Both arguments, in either order.
TEST_F(BuildersTest, CombinersReadEachArgumentOnce) {
  Value value = splat(builder, loc, tensor({2, 3}, f32()), 1);
  auto op = reduce(builder, loc, value, {1}, ReductionKind::Add)
                .getDefiningOp<ReduceOp>();
  Block &body = op.getBody().front();
  auto match = [&](unsigned lhs, unsigned rhs) {
    body.front().setOperands({body.getArgument(lhs), body.getArgument(rhs)});
    return matchSimpleReduction(op);
  };
  EXPECT_EQ(match(0, 1), ReductionKind::Add);
  EXPECT_EQ(match(1, 0), ReductionKind::Add);
  EXPECT_EQ(match(0, 0), std::nullopt);
  EXPECT_EQ(match(1, 1), std::nullopt);
}

TEST_F(BuildersTest, NothingIsBeyondTheNeutralElementOfAnExtreme) {
  auto get = [&](ReductionKind kind, Type type) {
    return cast<IntegerAttr>(neutralElement(kind, type)).getValue();
  };
  Type i1 = builder.getI1Type(), i2 = builder.getIntegerType(2);
  Type u2 = IntegerType::get(&context, 2, IntegerType::Unsigned);
  // Among booleans, 1 is the larger one.
  EXPECT_EQ(get(ReductionKind::Max, i1), APInt(1, 0));
  EXPECT_EQ(get(ReductionKind::Min, i1), APInt(1, 1));
  EXPECT_EQ(get(ReductionKind::Max, i2), APInt(2, 2));
  EXPECT_EQ(get(ReductionKind::Min, i2), APInt(2, 1));
  EXPECT_EQ(get(ReductionKind::Max, u2), APInt(2, 0));
  EXPECT_EQ(get(ReductionKind::Min, u2), APInt(2, 3));
}

TEST_F(BuildersTest, DotTypeIsBatchThenFreeDimensions) {
  auto dims = DotDimensionNumbersAttr::get(&context, {1}, {0}, {0}, {2});
  Value lhs = splat(builder, loc, tensor({5, 2, 3}, f32()), 1);
  Value rhs = splat(builder, loc, tensor({2, 7, 5}, f32()), 1);
  Value dot = dotGeneral(builder, loc, lhs, rhs, dims, builder.getF64Type());
  EXPECT_EQ(dot.getType(), tensor({2, 3, 7}, builder.getF64Type()));
  EXPECT_TRUE(succeeded(verify(*module)));
}

} // namespace
