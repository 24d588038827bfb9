//===- CudnnAttentionTest.cpp - Attention by the emulated cuDNN -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The runtime's plans for attention against formulas in double.
//
//===----------------------------------------------------------------------===//

#include "CudnnAttentionRun.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace boost_rt;
using namespace boost_rt::cudnn;
using ::testing::HasSubstr;

namespace {

class CudnnAttention : public ::testing::TestWithParam<CudnnCase> {};

} // namespace

static AttentionCase makeCase(int64_t b, int64_t sq, int64_t sk, int64_t h,
                              int64_t kvh, int64_t dh, bool causal) {
  AttentionCase c;
  c.b = b;
  c.sq = sq;
  c.sk = sk;
  c.h = h;
  c.kvh = kvh;
  c.dh = dh;
  c.causal = causal;
  return c;
}

TEST_P(CudnnAttention, computes_the_formulas) {
  CudnnAttentionRun run(GetParam());
  EXPECT_EQ(run.runForward(), "");
  EXPECT_EQ(run.runBackward(), "");
}

static const CudnnCase kCases[] = {
    {makeCase(2, 9, 9, 2, 2, 8, true), BOOST_RT_BF16, true},
    {makeCase(2, 9, 9, 2, 2, 8, false), BOOST_RT_F16, true},
    {makeCase(1, 33, 33, 6, 2, 16, true), BOOST_RT_BF16, true},
    {makeCase(1, 33, 33, 6, 2, 16, true), BOOST_RT_BF16, false},
    {makeCase(2, 7, 12, 4, 1, 24, false), BOOST_RT_F16, false},
    {makeCase(2, 12, 7, 4, 1, 24, true), BOOST_RT_BF16, false},
    {makeCase(1, 5, 130, 1, 1, 64, true), BOOST_RT_F16, true},
};

INSTANTIATE_TEST_SUITE_P(Shapes, CudnnAttention, ::testing::ValuesIn(kCases));

TEST(CudnnAttention, repeats_its_gradients_only_where_it_is_asked_to) {
  for (bool isDeterministic : {false, true}) {
    CudnnAttentionRun run(
        {makeCase(1, 40, 40, 2, 2, 8, false), BOOST_RT_F16, isDeterministic});
    EXPECT_EQ(run.runBackward(), "");
    std::vector<char> first = run.getStoredGradient();
    int different = 0;
    for (int repetition = 0; repetition < 4; ++repetition) {
      EXPECT_EQ(run.runBackward(), "");
      different += run.getStoredGradient() != first;
    }
    EXPECT_EQ(different != 0, !isDeterministic);
  }
}
