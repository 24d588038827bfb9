//===- ReshardTest.cpp - Tests of plans between local forms ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/Sharding/Reshard.h"

#include "mlir/IR/MLIRContext.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace mlir::boost;

namespace {

constexpr AxisMask kDp = 1, kTp = 2;
constexpr int16_t dp = 0, tp = 1;
using Step = ReshardStep;

LocalForm form(Split split, AxisMask partial = 0) { return {split, partial}; }

SmallVector<Step::Kind> kinds(const LocalForm &from, const LocalForm &to) {
  SmallVector<Step::Kind> result;
  for (const Step &step : planReshard(from, to))
    result.push_back(step.kind);
  return result;
}

using Kinds = SmallVector<Step::Kind>;

TEST(ReshardTest, NothingToDo) {
  EXPECT_TRUE(planReshard(form({{tp}, {}}), form({{tp}, {}})).empty());
}

TEST(ReshardTest, CutsWithoutSending) {
  EXPECT_EQ(kinds(form({{}, {}}), form({{dp, tp}, {}})),
            (Kinds{Step::AllSlice, Step::AllSlice}));
}

TEST(ReshardTest, MovesAnAxis) {
  EXPECT_EQ(kinds(form({{tp}, {}}), form({{}, {tp}})), Kinds{Step::AllToAll});
  EXPECT_EQ(kinds(form({{dp, tp}, {}}), form({{dp}, {tp}})),
            Kinds{Step::AllToAll});
}

TEST(ReshardTest, KeepsTheFirstAxes) {
  // A further sharding is a part of the rank's part.
  EXPECT_EQ(kinds(form({{tp}}), form({{tp, dp}})), Kinds{Step::AllSlice});
  EXPECT_EQ(kinds(form({{tp, dp}}), form({{tp}})), Kinds{Step::AllGather});
  EXPECT_EQ(kinds(form({{tp}}, kDp), form({{tp, dp}})),
            Kinds{Step::ReduceScatter});
  // Another order is other parts.
  EXPECT_EQ(kinds(form({{tp}}), form({{dp, tp}})),
            (Kinds{Step::AllGather, Step::AllSlice, Step::AllSlice}));
}

TEST(ReshardTest, CompletesSums) {
  EXPECT_EQ(kinds(form({{}, {}}, kTp), form({{}, {}})), Kinds{Step::AllReduce});
  EXPECT_EQ(kinds(form({{}, {}}, kTp), form({{}, {tp}})),
            Kinds{Step::ReduceScatter});
  // One all-reduce over several axes.
  SmallVector<Step> plan = planReshard(form({{}}, kDp | kTp), form({{}}));
  ASSERT_EQ(plan.size(), 1u);
  EXPECT_EQ(plan.front().axes, kDp | kTp);
}

TEST(ReshardTest, LeavesSumsThatMayWait) {
  EXPECT_EQ(kinds(form({{}, {}}, kDp | kTp), form({{}, {}}, kDp)),
            Kinds{Step::AllReduce});
}

TEST(ReshardTest, DoesNotScatterMaxima) {
  LocalForm from{{{}, {}}, kTp, LoopKind::Max};
  EXPECT_EQ(kinds(from, form({{}, {tp}})),
            (Kinds{Step::AllReduce, Step::AllSlice}));
}

TEST(ReshardTest, SendsLeastFirst) {
  // The slice makes the all-reduce smaller.
  EXPECT_EQ(kinds(form({{}, {}}, kTp), form({{dp}, {}})),
            (Kinds{Step::AllSlice, Step::AllReduce}));
}

/// Every pair of forms of a matrix on two axes is connected by a plan that ends
/// where it should and never uses an axis twice on the way.
TEST(ReshardTest, AlwaysArrives) {
  const AxisList lists[] = {{}, {dp}, {tp}, {dp, tp}, {tp, dp}};
  SmallVector<LocalForm> forms;
  for (const AxisList &rows : lists)
    for (const AxisList &columns : lists)
      for (AxisMask partial = 0; partial < 4; ++partial)
        if (!(rows.getSet() & columns.getSet()) &&
            !((rows.getSet() | columns.getSet()) & partial))
          forms.push_back(form({rows, columns}, partial));
  for (const LocalForm &from : forms)
    for (const LocalForm &to : forms) {
      if (to.partial & ~from.partial)
        continue;
      LocalForm current = from;
      SmallVector<Step> plan = planReshard(from, to);
      EXPECT_LE(plan.size(), 4u);
      for (const Step &step : plan) {
        current = applyStep(current, step);
        EXPECT_EQ(current.split[0].getSet() & current.split[1].getSet(), 0u);
        EXPECT_EQ(getAxesOf(current.split) & current.partial, 0u);
      }
      EXPECT_TRUE(current == to);
    }
}

TEST(ReshardTest, PricesByBytesSent) {
  MLIRContext context;
  Mesh mesh({"dp", "tp"}, {2, 4});
  ReshardCost price(mesh, Machine::getReference());
  auto type = RankedTensorType::get({1024, 1024}, Float32Type::get(&context));
  double reduce = price.ofPlan(type, form({{}, {}}, kTp), form({{}, {}}));
  double scatter = price.ofPlan(type, form({{}, {}}, kTp), form({{}, {tp}}));
  double gather = price.ofPlan(type, form({{}, {tp}}), form({{}, {}}));
  double exchange = price.ofPlan(type, form({{}, {tp}}), form({{tp}, {}}));
  EXPECT_NEAR(reduce, scatter + gather, 0.01 * reduce);
  EXPECT_NEAR(gather, 4 * exchange, 0.02 * gather);
  EXPECT_LT(price.ofPlan(type, form({{}, {}}), form({{}, {tp}})), exchange);
}

// A rank does not send its own share. On the reference machine every message
// costs as much as a kilobyte, a byte moved within the rank a tenth.
TEST(ReshardTest, PricesSharesAndMessages) {
  MLIRContext context;
  Mesh mesh({"dp", "tp"}, {2, 4});
  ReshardCost price(mesh, Machine::getReference());
  auto type = RankedTensorType::get({64, 32}, Float32Type::get(&context));
  EXPECT_EQ(price.localBytes(type, Split{{}, {}}), 8192);
  EXPECT_EQ(price.localBytes(type, Split{{dp}, {tp}}), 1024);
  EXPECT_EQ(price.ofAllReduce(1000, kTp), 1024 + 2 * 750);
  EXPECT_EQ(price.ofAllReduce(1000, kDp), 1024 + 2 * 500);
  EXPECT_EQ(price.ofAllReduce(1000, kDp | kTp), 1024 + 2 * 875);
  auto cost = [&](const LocalForm &from, const LocalForm &to) {
    return price.ofPlan(type, from, to);
  };
  EXPECT_EQ(cost(form({{tp}, {}}), form({{tp}, {}})), 0);
  EXPECT_EQ(cost(form({{}, {}}, kTp), form({{}, {}})), 1024 + 2 * 6144);
  EXPECT_EQ(cost(form({{}, {}}, kTp), form({{}, {tp}})), 1024 + 6144);
  EXPECT_EQ(cost(form({{}, {tp}}), form({{}, {}})), 1024 + 6144);
  EXPECT_EQ(cost(form({{}, {tp}}), form({{tp}, {}})), 1024 + 1536);
  EXPECT_DOUBLE_EQ(cost(form({{}, {}}), form({{dp}, {}})), 409.6);
}

} // namespace
