//===- FragmentsTest.cpp - Matrices and copies of emulated warps ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Against the tables of the PTX ISA, written down here once more.
//
//===----------------------------------------------------------------------===//

#include "Fragments.h"
#include "EmulatedCode.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

#include <cstring>
#include <numeric>

using namespace boost_emu;
using testing::Each;
using testing::HasSubstr;

extern "C" {
uint32_t boost_emu_read_ptx_sreg_laneid();
void boost_emu_access(const void *data, uint64_t bytes, uint32_t isWrite,
                      uint32_t isAtomic);
void boost_emu_barrier_cta_sync_all(uint32_t barrier, uint32_t site);
void boost_emu_cp_async(void *to, const void *from, uint32_t bytes,
                        uint32_t sourceBytes);
void boost_emu_cp_async_commit_group();
void boost_emu_cp_async_wait_group(uint32_t groupsLeft);
void boost_emu_cp_async_wait_all();
}

namespace {

constexpr ThreadOrder kOrders[] = {ThreadOrder::Forward, ThreadOrder::Reverse,
                                   ThreadOrder::Shuffled};
/// Operands and results of an operation, as the compiler lays them out.
constexpr uint32_t kWords = 16, kWordOfB = 4, kWordOfC = 6, kResultWord = 12;

/// Static shared memory of the launches: a row for each lane.
alignas(16) uint16_t sharedRows[32][8];

uint32_t getAddress(const void *pointer) {
  return static_cast<uint32_t>(reinterpret_cast<uintptr_t>(pointer));
}

/// Runs body(lane) for a warp; returns what the emulator says.
template <typename Body>
std::string runWarp(Body body, ThreadOrder order = ThreadOrder::Forward,
                    uint32_t threads = 32) {
  Launch launch;
  launch.block.x = threads;
  launch.order = order;
  launch.staticShared = {{sharedRows, sizeof(sharedRows)}};
  try {
    runGrid(launch, [&] { body(boost_emu_read_ptx_sreg_laneid()); });
  } catch (const EmulationError &error) {
    return error.what();
  }
  return "";
}

//===----------------------------------------------------------------------===//
// mma.sync
//===----------------------------------------------------------------------===//

/// Small integers, whose products and sums are exact.
int getA(uint32_t row, uint32_t k) {
  return static_cast<int>((row * 7 + k * 3) % 11) - 5;
}
int getB(uint32_t k, uint32_t column) {
  return static_cast<int>((k * 5 + column * 2) % 13) - 6;
}
int getC(uint32_t row, uint32_t column) {
  return static_cast<int>(row * 16 + column);
}

uint16_t narrow(int value, bool isHalf) {
  uint16_t bits;
  if (isHalf) {
    auto half = static_cast<_Float16>(value);
    std::memcpy(&bits, &half, sizeof(bits));
    return bits;
  }
  auto wide = static_cast<float>(value);
  std::memcpy(&bits, reinterpret_cast<char *>(&wide) + 2, sizeof(bits));
  return bits;
}

void putHalf(uint32_t *words, uint32_t i, uint16_t half) {
  words[i / 2] |= static_cast<uint32_t>(half) << i % 2 * 16;
}

/// PTX ISA, "Matrix Fragments for mma.m16n8k16 with floating point type".
void putFragments(uint32_t *words, uint32_t lane, bool isHalf) {
  uint32_t groupID = lane >> 2, threadIDInGroup = lane % 4;
  for (uint32_t i = 0; i < 8; ++i) {
    uint32_t row = i < 2 || (4 <= i && i < 6) ? groupID : groupID + 8;
    uint32_t column = threadIDInGroup * 2 + (i & 1) + (i >= 4 ? 8 : 0);
    putHalf(words, i, narrow(getA(row, column), isHalf));
  }
  for (uint32_t i = 0; i < 4; ++i) {
    uint32_t row = threadIDInGroup * 2 + (i & 1) + (i >= 2 ? 8 : 0);
    putHalf(words + kWordOfB, i, narrow(getB(row, groupID), isHalf));
  }
  for (uint32_t i = 0; i < 4; ++i) {
    auto sum = static_cast<float>(
        getC(i < 2 ? groupID : groupID + 8, threadIDInGroup * 2 + (i & 1)));
    std::memcpy(words + kWordOfC + i, &sum, sizeof(sum));
  }
}

TEST(Fragments, are_multiplied) {
  for (bool isHalf : {false, true})
    for (ThreadOrder order : kOrders) {
      float sums[32][4];
      EXPECT_EQ(runWarp(
                    [&](uint32_t lane) {
                      uint32_t words[kWords] = {};
                      putFragments(words, lane, isHalf);
                      boost_emu_mma(words, isHalf);
                      std::memcpy(sums[lane], words + kResultWord,
                                  sizeof(sums[lane]));
                    },
                    order),
                "");
      for (uint32_t lane = 0; lane < 32; ++lane)
        for (uint32_t i = 0; i < 4; ++i) {
          uint32_t row = i < 2 ? lane >> 2 : (lane >> 2) + 8;
          uint32_t column = lane % 4 * 2 + (i & 1);
          int expected = getC(row, column);
          for (uint32_t k = 0; k < 16; ++k)
            expected += getA(row, k) * getB(k, column);
          ASSERT_EQ(sums[lane][i], expected) << lane << " " << i;
        }
    }
}

TEST(Fragments, belong_to_whole_warps) {
  EXPECT_THAT(runWarp(
                  [](uint32_t) {
                    uint32_t words[kWords] = {};
                    boost_emu_mma(words, 0);
                  },
                  ThreadOrder::Forward, 16),
              HasSubstr("a part of a warp multiplies matrices"));
}

/// A kernel that does what the compiler makes of a product in assembly.
std::string getProduct(const std::string &shape) {
  return "define ptx_kernel void @k(ptr %out) {\n"
         "%x = call {float, float, float, float} asm \"mma.sync.aligned." +
         shape +
         ".row.col.f32.bf16.bf16.f32 {$0, $1, $2, $3}, {$4, $5, $6, $7}, "
         "{$8, $9}, {$0, $1, $2, $3};\", "
         "\"=f,=f,=f,=f,r,r,r,r,r,r,0,1,2,3\"(i32 1065369472, i32 0, i32 0, "
         "i32 0, i32 1065369472, i32 0, float 2.0, float 3.0, float 4.0, "
         "float 5.0)\n"
         "%y = extractvalue {float, float, float, float} %x, 1\n"
         "store float %y, ptr %out\nret void }\n";
}

TEST(Fragments, of_other_shapes_are_refused) {
  EXPECT_THAT(runText(getProduct("m16n8k8"), Launch(), {nullptr}),
              HasSubstr("contains inline assembly 'mma.sync.aligned.m16n8k8"));
}

TEST(Fragments, travel_through_assembly) {
  float out = 0;
  Launch launch;
  launch.block.x = 32;
  // Of k from 0 to 7, all lanes bring ones.
  EXPECT_EQ(runText(getProduct("m16n8k16"), launch, {&out}), "");
  EXPECT_EQ(out, 3 + 8);
}

//===----------------------------------------------------------------------===//
// ldmatrix
//===----------------------------------------------------------------------===//

/// Every number says where it is.
void fillRows() {
  for (uint16_t row = 0; row < 32; ++row)
    for (uint16_t column = 0; column < 8; ++column)
      sharedRows[row][column] = static_cast<uint16_t>(row << 8 | column);
}

TEST(LoadMatrix, gives_rows_or_columns) {
  for (uint32_t count : {1, 2, 4})
    for (bool isTransposed : {false, true})
      for (ThreadOrder order : kOrders) {
        uint32_t loaded[32][4];
        std::string error = runWarp(
            [&](uint32_t lane) {
              if (lane == 0 || order != ThreadOrder::Forward)
                fillRows();
              uint32_t words[kWords] = {};
              // Matrices in the opposite order; lanes beyond bring nothing.
              uint32_t row = (count * 8 - 8) - lane / 8 * 8 + lane % 8;
              boost_emu_ldmatrix(
                  words, lane < count * 8 ? getAddress(sharedRows[row]) : 1,
                  count, isTransposed);
              std::copy_n(words + kResultWord, count, loaded[lane]);
            },
            order);
        ASSERT_EQ(error, "");
        for (uint32_t lane = 0; lane < 32; ++lane)
          for (uint32_t i = 0; i < count; ++i)
            for (uint32_t half = 0; half < 2; ++half) {
              uint32_t row = lane / 4, column = lane % 4 * 2 + half;
              if (isTransposed)
                std::swap(row, column);
              ASSERT_EQ(loaded[lane][i] >> half * 16 & 0xffff,
                        ((count - 1 - i) * 8 + row) << 8 | column);
            }
      }
}

TEST(LoadMatrix, reads_rows_of_16_bytes_in_shared_memory) {
  auto load = [](uint32_t address) {
    return runWarp([=](uint32_t) {
      uint32_t words[kWords] = {};
      boost_emu_ldmatrix(words, address, 4, 0);
    });
  };
  EXPECT_THAT(load(getAddress(sharedRows) + 8),
              HasSubstr("not a multiple of 16 bytes"));
  EXPECT_THAT(load(getAddress(sharedRows) + sizeof(sharedRows)),
              HasSubstr("16 bytes that are not in shared memory"));
}

TEST(LoadMatrix, races_with_writes) {
  EXPECT_THAT(runWarp([](uint32_t lane) {
                boost_emu_access(sharedRows[lane], 16, /*isWrite=*/1, 0);
                uint32_t words[kWords] = {};
                boost_emu_ldmatrix(words, getAddress(sharedRows[lane ^ 1]), 4,
                                   0);
              }),
              HasSubstr("race: its write of 16 bytes at offset 16"));
}

//===----------------------------------------------------------------------===//
// cp.async
//===----------------------------------------------------------------------===//

/// Runs the only thread of a block, to whose shared memory `source` is copied.
class Copies : public testing::Test {
protected:
  Copies() { std::iota(source.begin(), source.end(), uint16_t(1)); }

  /// To the row, and from it.
  void start(uint32_t row, uint32_t present = 16) {
    boost_emu_cp_async(sharedRows[row], &source[row * 8], 16, present);
  }
  bool hasArrived(uint32_t row) {
    return !std::memcmp(sharedRows[row], &source[row * 8], 16);
  }
  template <typename Body> std::string run(Body body) {
    return runWarp([&](uint32_t) { body(); }, ThreadOrder::Forward, 1);
  }

  alignas(16) std::array<uint16_t, 64> source;
};

TEST_F(Copies, arrive_with_their_group) {
  EXPECT_EQ(run([&] {
              start(0);
              start(1);
              boost_emu_cp_async_commit_group();
              start(2);
              boost_emu_cp_async_commit_group();
              boost_emu_cp_async_commit_group(); // an empty one
              start(3);
              boost_emu_cp_async_wait_group(3);
              EXPECT_FALSE(hasArrived(0) || hasArrived(1));
              boost_emu_cp_async_wait_group(2);
              EXPECT_TRUE(hasArrived(0) && hasArrived(1));
              EXPECT_FALSE(hasArrived(2));
              boost_emu_cp_async_wait_group(0);
              EXPECT_TRUE(hasArrived(2));
              // It is in no group yet.
              EXPECT_FALSE(hasArrived(3));
              boost_emu_cp_async_wait_all();
              EXPECT_TRUE(hasArrived(3));
            }),
            "");
}

TEST_F(Copies, leave_what_was_there_until_they_arrive) {
  EXPECT_EQ(run([&] {
              std::memset(sharedRows[0], 7, 16);
              start(0);
              EXPECT_THAT(sharedRows[0], Each(0x0707));
              boost_emu_cp_async_wait_all();
              EXPECT_TRUE(hasArrived(0));
            }),
            "");
}

TEST_F(Copies, fill_with_zeros_what_there_is_not) {
  EXPECT_EQ(run([&] {
              start(0, 4);
              boost_emu_cp_async(sharedRows[1], nullptr, 16, 0);
              boost_emu_cp_async_wait_all();
            }),
            "");
  const uint16_t expected[] = {1, 2, 0, 0, 0, 0, 0, 0};
  EXPECT_FALSE(std::memcmp(sharedRows[0], expected, 16));
  EXPECT_THAT(sharedRows[1], Each(0));
}

TEST_F(Copies, are_waited_for) {
  for (bool isWrite : {false, true}) {
    EXPECT_THAT(
        run([&] {
          start(0);
          boost_emu_cp_async_commit_group();
          boost_emu_access(sharedRows[0], 4, isWrite, 0);
        }),
        HasSubstr("meets an asynchronous copy that was not waited for"));
  }
  EXPECT_EQ(run([&] {
              start(0);
              boost_emu_cp_async_wait_all();
              boost_emu_access(sharedRows[0], 4, /*isWrite=*/1, 0);
            }),
            "");
}

// A wait is one of the thread: others need a barrier, as before the copy.
TEST_F(Copies, race_with_other_threads) {
  auto run = [&](bool isOrderedBefore, bool isOrderedAfter) {
    return runWarp([&](uint32_t lane) {
      boost_emu_access(sharedRows[lane ^ 1], 16, /*isWrite=*/0, 0);
      if (isOrderedBefore)
        boost_emu_barrier_cta_sync_all(0, 0);
      boost_emu_cp_async(sharedRows[lane], &source[0], 16, 16);
      boost_emu_cp_async_wait_all();
      if (isOrderedAfter)
        boost_emu_barrier_cta_sync_all(0, 1);
      boost_emu_access(sharedRows[lane ^ 1], 16, /*isWrite=*/0, 0);
    });
  };
  EXPECT_EQ(run(true, true), "");
  EXPECT_THAT(run(false, true), HasSubstr("race: its read of 16 bytes"));
  EXPECT_THAT(run(true, false),
              HasSubstr("race: its asynchronous copy of 16 bytes"));
}

TEST_F(Copies, are_aligned_and_inside) {
  EXPECT_THAT(
      run([&] { boost_emu_cp_async(sharedRows[0], &source[1], 16, 16); }),
      HasSubstr("copies 16 bytes from or to an address"));
  EXPECT_THAT(run([&] { boost_emu_cp_async(&source[0], &source[8], 16, 16); }),
              HasSubstr("not in shared memory"));
  EXPECT_THAT(run([&] { start(0, 20); }), HasSubstr("more bytes than"));
}

} // namespace
