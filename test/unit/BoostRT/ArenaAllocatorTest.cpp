//===- ArenaAllocatorTest.cpp - Tests of the arena's best fit -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/Dialect/BoostRT/Utils/ArenaAllocator.h"

#include "gtest/gtest.h"
#include <random>
#include <vector>

using mlir::boost::rt::ArenaAllocator;

static constexpr int64_t kAlignment = 64;

TEST(ArenaAllocatorTest, AlignsAndNeverGivesNothing) {
  ArenaAllocator arena(kAlignment);
  EXPECT_EQ(arena.allocate(1), 0);
  EXPECT_EQ(arena.allocate(0), 64);
  EXPECT_EQ(arena.allocate(65), 128);
  EXPECT_EQ(arena.getSize(), 256);
}

TEST(ArenaAllocatorTest, TakesTheSmallestPieceThatFits) {
  ArenaAllocator arena(kAlignment);
  int64_t large = arena.allocate(256);
  arena.allocate(64);
  int64_t small = arena.allocate(128);
  arena.allocate(64);
  arena.release(large, 256);
  arena.release(small, 128);
  EXPECT_EQ(arena.allocate(128), small);
  EXPECT_EQ(arena.allocate(64), large);
}

TEST(ArenaAllocatorTest, JoinsFreeNeighbors) {
  ArenaAllocator arena(kAlignment);
  int64_t a = arena.allocate(64), b = arena.allocate(64),
          c = arena.allocate(64);
  arena.allocate(64);
  arena.release(a, 64);
  arena.release(c, 64);
  arena.release(b, 64);
  EXPECT_EQ(arena.allocate(192), a);
  EXPECT_EQ(arena.getSize(), 256);
}

TEST(ArenaAllocatorTest, LengthensTheFreePieceAtTheEnd) {
  ArenaAllocator arena(kAlignment);
  arena.allocate(64);
  int64_t last = arena.allocate(64);
  arena.release(last, 64);
  EXPECT_EQ(arena.allocate(128), last);
  EXPECT_EQ(arena.getSize(), 192);
}

TEST(ArenaAllocatorTest, LivePiecesNeverOverlap) {
  std::mt19937 random(1);
  ArenaAllocator arena(kAlignment);
  struct Piece {
    int64_t offset, bytes;
  };
  std::vector<Piece> live;
  for (int step = 0; step < 5000; ++step) {
    if (live.empty() || random() % 5 < 3) {
      int64_t bytes = 1 + random() % 1000;
      int64_t offset = arena.allocate(bytes);
      ASSERT_EQ(offset % kAlignment, 0);
      ASSERT_LE(offset + bytes, arena.getSize());
      for (const Piece &other : live)
        ASSERT_TRUE(offset + bytes <= other.offset ||
                    other.offset + other.bytes <= offset);
      live.push_back({offset, bytes});
    } else {
      size_t victim = random() % live.size();
      arena.release(live[victim].offset, live[victim].bytes);
      live.erase(live.begin() + victim);
    }
  }
}
