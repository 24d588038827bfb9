//===- AccessPatternTest.cpp - Patterns against sets of addresses ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/Dialect/BoostRT/IR/AccessPattern.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetOperations.h"
#include "gtest/gtest.h"

#include <random>
#include <set>

using namespace mlir;
using namespace mlir::boost::rt;

namespace {

/// A pattern, and its addresses one by one.
struct Sample {
  AccessPattern pattern;
  std::set<int64_t> addresses;
};

class Samples {
public:
  explicit Samples(uint64_t seed) : random(seed) {}

  Sample next() {
    SmallVector<int64_t> sizes, strides;
    int64_t begin = pick(-4, 40), unit = pick(1, 4);
    for (int64_t dim = pick(0, 3); dim > 0; --dim) {
      sizes.push_back(pick(pick(0, 9) == 0 ? 0 : 1, 4));
      strides.push_back(pick(-3, 12));
    }
    // Often layouts as tensors have them.
    if (pick(0, 1) == 0) {
      int64_t stride = unit * pick(1, 2);
      for (auto [size, step] : llvm::zip_equal(sizes, strides)) {
        step = stride;
        stride *= std::max<int64_t>(size, 1) + pick(0, 1);
      }
    }
    Sample sample{AccessPattern(begin, sizes, strides, unit), {}};
    add(sample.addresses, sizes, strides, begin, unit);
    return sample;
  }

private:
  int64_t pick(int64_t from, int64_t to) {
    return from + static_cast<int64_t>(random() % (to - from + 1));
  }

  static void add(std::set<int64_t> &into, ArrayRef<int64_t> sizes,
                  ArrayRef<int64_t> strides, int64_t begin, int64_t unit) {
    if (sizes.empty()) {
      for (int64_t i = 0; i < unit; ++i)
        into.insert(begin + i);
      return;
    }
    for (int64_t i = 0; i < sizes.front(); ++i)
      add(into, sizes.drop_front(), strides.drop_front(),
          begin + i * strides.front(), unit);
  }

  std::mt19937_64 random;
};

} // namespace

TEST(AccessPattern, hasTheAddressesOfItsLayout) {
  Samples samples(1);
  for (int i = 0; i < 20000; ++i) {
    Sample sample = samples.next();
    ASSERT_EQ(sample.pattern.isEmpty(), sample.addresses.empty());
    std::set<int64_t> listed;
    for (auto [from, to] : sample.pattern.getIntervals()) {
      ASSERT_LT(from, to);
      for (int64_t at = from; at < to; ++at)
        listed.insert(at);
    }
    ASSERT_EQ(listed, sample.addresses);
    if (sample.addresses.empty())
      continue;
    ASSERT_EQ(sample.pattern.count(),
              static_cast<int64_t>(sample.addresses.size()));
    ASSERT_EQ(sample.pattern.getBegin(), *sample.addresses.begin());
    ASSERT_EQ(sample.pattern.getEnd(), *sample.addresses.rbegin() + 1);
  }
}

TEST(AccessPattern, comparesAsSetsDo) {
  Samples samples(2);
  PatternRelations relations;
  int contained = 0, met = 0;
  for (int i = 0; i < 100000; ++i) {
    Sample a = samples.next(), b = samples.next();
    bool contains = llvm::set_is_subset(b.addresses, a.addresses);
    bool intersects = llvm::any_of(
        b.addresses, [&](int64_t at) { return a.addresses.count(at) > 0; });
    contained += contains && !b.addresses.empty();
    met += intersects;
    ASSERT_EQ(relations.contains(a.pattern, b.pattern), contains);
    ASSERT_EQ(relations.intersects(a.pattern, b.pattern), intersects);
    ASSERT_EQ(a.pattern.contains(b.pattern), contains);
    ASSERT_EQ(a.pattern.intersects(b.pattern), intersects);
    // Equal patterns have equal addresses.
    if (a.pattern == b.pattern) {
      ASSERT_EQ(a.addresses, b.addresses);
    }
  }
  EXPECT_GT(contained, 1000);
  EXPECT_GT(met, 1000);
}

// Steps of 2 and 3 overlap: their addresses can be counted one by one only,
// which is not done for so many.
TEST(AccessPattern, isNotListedWhereItHasTooManyRuns) {
  constexpr int64_t kMany = 1 << 14;
  EXPECT_EQ(AccessPattern(0, {kMany, kMany}, {2, 3}, 1).count(), -1);
  EXPECT_EQ(AccessPattern(0, {4, 4}, {2, 3}, 1).count(), 14);
}

// The order of dimensions says nothing, nor does a dimension of one element.
TEST(AccessPattern, hasOneFormForOneLayout) {
  AccessPattern rows(0, {4, 3}, {100, 10});
  EXPECT_EQ(rows, AccessPattern(0, {3, 4}, {10, 100}));
  EXPECT_EQ(rows, AccessPattern(0, {4, 1, 3}, {100, 7, 10}));
  EXPECT_EQ(rows, AccessPattern(0, {1, 4, 3}, {1000, 100, 10}));
  EXPECT_TRUE(AccessPattern(0, {4, 3, 10}, {30, 10, 1}).isContiguous());
  EXPECT_TRUE(AccessPattern(0, {10, 3, 4}, {1, 10, 30}).isContiguous());
  EXPECT_TRUE(AccessPattern(0, {1, 10}, {1000, 1}).isContiguous());
}

// Runs of one distance between which those of the other dimension lie: shifted
// by one, they meet others than their neighbors.
TEST(AccessPattern, comparesInterleavedRuns) {
  AccessPattern pattern(0, {2, 2}, {2, 3}), shifted(1, {2, 2}, {2, 3});
  EXPECT_TRUE(pattern.intersects(shifted));
  EXPECT_TRUE(shifted.intersects(pattern));
  EXPECT_FALSE(pattern.contains(shifted));
  EXPECT_TRUE(pattern.contains(AccessPattern(2, {2}, {1})));
}

TEST(AccessPattern, isListedUpToALimit) {
  constexpr int64_t kMost = int64_t(1) << 26;
  EXPECT_TRUE(AccessPattern(0, {kMost}, {2}).isListable());
  EXPECT_FALSE(AccessPattern(0, {kMost + 1}, {2}).isListable());
}

// Every other unit of many pages, and the units between them.
TEST(AccessPattern, comparesManyRunsByTheirDistance) {
  constexpr int64_t kMany = 1 << 14;
  AccessPattern even(0, {kMany, kMany}, {2, 4 * kMany}),
      odd(1, {kMany, kMany}, {2, 4 * kMany});
  EXPECT_FALSE(even.isListable());
  EXPECT_FALSE(even.intersects(odd));
  EXPECT_FALSE(odd.intersects(even));
  EXPECT_TRUE(even.intersects(even));
  EXPECT_TRUE(even.contains(even));
  EXPECT_FALSE(even.contains(odd));
}

// A pattern that is not listable contains only its equals and intersects every
// pattern.
TEST(AccessPattern, isCarefulWithTooManyRuns) {
  constexpr int64_t kMany = 1 << 14;
  AccessPattern many(0, {kMany, kMany}, {2, 3}), few(0, {4}, {2}),
      one(1, {}, {}), large(0, {2}, {200000}, 100000);
  EXPECT_TRUE(many.contains(many));
  EXPECT_FALSE(many.contains(few));
  EXPECT_FALSE(large.contains(many));
  EXPECT_TRUE(many.intersects(one));
  EXPECT_TRUE(one.intersects(many));
}
