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
  EXPECT_TRUE(planReshard(form({kTp, 0}), form({kTp, 0})).empty());
}

TEST(ReshardTest, CutsWithoutSending) {
  EXPECT_EQ(kinds(form({0, 0}), form({kDp | kTp, 0})),
            (Kinds{Step::AllSlice, Step::AllSlice}));
}

TEST(ReshardTest, MovesAnAxis) {
  EXPECT_EQ(kinds(form({kTp, 0}), form({0, kTp})), Kinds{Step::AllToAll});
  EXPECT_EQ(kinds(form({kDp | kTp, 0}), form({kDp, kTp})),
            Kinds{Step::AllToAll});
}

TEST(ReshardTest, CompletesSums) {
  EXPECT_EQ(kinds(form({0, 0}, kTp), form({0, 0})), Kinds{Step::AllReduce});
  EXPECT_EQ(kinds(form({0, 0}, kTp), form({0, kTp})),
            Kinds{Step::ReduceScatter});
  // One all-reduce over several axes.
  SmallVector<Step> plan = planReshard(form({0}, kDp | kTp), form({0}));
  ASSERT_EQ(plan.size(), 1u);
  EXPECT_EQ(plan.front().axes, kDp | kTp);
}

TEST(ReshardTest, LeavesSumsThatMayWait) {
  EXPECT_EQ(kinds(form({0, 0}, kDp | kTp), form({0, 0}, kDp)),
            Kinds{Step::AllReduce});
}

TEST(ReshardTest, DoesNotScatterMaxima) {
  LocalForm from{{0, 0}, kTp, LoopKind::Max};
  EXPECT_EQ(kinds(from, form({0, kTp})),
            (Kinds{Step::AllReduce, Step::AllSlice}));
}

TEST(ReshardTest, SendsLeastFirst) {
  // The slice makes the all-reduce smaller.
  EXPECT_EQ(kinds(form({0, 0}, kTp), form({kDp, 0})),
            (Kinds{Step::AllSlice, Step::AllReduce}));
}

/// Every pair of forms of a matrix on two axes is connected by a plan that ends
/// where it should and never uses an axis twice on the way.
TEST(ReshardTest, AlwaysArrives) {
  SmallVector<LocalForm> forms;
  for (AxisMask rows = 0; rows < 4; ++rows)
    for (AxisMask columns = 0; columns < 4; ++columns)
      for (AxisMask partial = 0; partial < 4; ++partial)
        if ((rows & columns) == 0 && ((rows | columns) & partial) == 0)
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
        EXPECT_EQ(current.split[0] & current.split[1], 0u);
        EXPECT_EQ(getAxesOf(current.split) & current.partial, 0u);
      }
      EXPECT_TRUE(current == to);
    }
}

TEST(ReshardTest, PricesByBytesSent) {
  MLIRContext context;
  Mesh mesh({"dp", "tp"}, {2, 4});
  ReshardCost price(mesh);
  auto type = RankedTensorType::get({1024, 1024}, Float32Type::get(&context));
  double reduce = price.ofPlan(type, form({0, 0}, kTp), form({0, 0}));
  double scatter = price.ofPlan(type, form({0, 0}, kTp), form({0, kTp}));
  double gather = price.ofPlan(type, form({0, kTp}), form({0, 0}));
  double exchange = price.ofPlan(type, form({0, kTp}), form({kTp, 0}));
  EXPECT_NEAR(reduce, scatter + gather, 0.01 * reduce);
  EXPECT_NEAR(gather, 4 * exchange, 0.02 * gather);
  EXPECT_LT(price.ofPlan(type, form({0, 0}), form({0, kTp})), exchange);
}

} // namespace
