//===- PackingTest.cpp - Moving and converting elements -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cuda/Packing.h"
#include "EmulatedDevice.h"

#include <random>

using namespace boost_rt;

static std::vector<uint8_t> countBytes(int64_t count) {
  std::vector<uint8_t> bytes(static_cast<size_t>(count));
  std::mt19937 random(3);
  for (uint8_t &byte : bytes)
    byte = static_cast<uint8_t>(random());
  return bytes;
}

static void checkTranspose(int64_t rows, int64_t columns, int64_t bytes,
                           size_t alignment) {
  std::vector<uint8_t> src = countBytes(rows * columns * bytes), expected;
  for (int64_t i = 0; i < rows; ++i)
    for (int64_t j = 0; j < columns; ++j)
      expected.insert(expected.end(), src.begin() + (j * rows + i) * bytes,
                      src.begin() + (j * rows + i + 1) * bytes);
  auto result = runOnAllSchedules<std::vector<uint8_t>>([&](auto &device) {
    void *from = device.put(src, alignment);
    void *to = device.template reserve<uint8_t>(rows * columns * bytes);
    cuda::transposeBlocks(device, from, to, rows, columns, bytes);
    return device.template get<uint8_t>(to, rows * columns * bytes);
  });
  EXPECT_EQ(result, expected) << rows << " x " << columns << " x " << bytes;
}

TEST(TransposeBlocks, ofEveryUnit) {
  for (int64_t bytes : {1, 2, 3, 4, 6, 8, 12, 16, 48, 1040})
    checkTranspose(3, 5, bytes, 64);
  checkTranspose(70, 9, 4, 64);
  checkTranspose(1, 4, 32, 64);
  checkTranspose(4, 1, 32, 64);
}

TEST(TransposeBlocks, atAnyAddress) {
  for (size_t alignment : {1, 2, 4, 8})
    checkTranspose(3, 5, 7 * static_cast<int64_t>(alignment), alignment);
}

// More than one thread block for a block.
TEST(TransposeBlocks, ofLongBlocks) {
  checkTranspose(2, 3, 16 * 256 * 8 * 2 + 16, 64);
}

TEST(TransposeBlocks, ofNothing) {
  checkTranspose(0, 3, 16, 64);
  checkTranspose(3, 2, 0, 64);
}

TEST(SliceBlocks, takesOnePosition) {
  for (int64_t bytes : {2, 16, 36})
    for (int64_t position : {0, 2}) {
      constexpr int64_t rows = 5, positions = 3;
      std::vector<uint8_t> src = countBytes(rows * positions * bytes), expected;
      for (int64_t i = 0; i < rows; ++i) {
        auto from = src.begin() + (i * positions + position) * bytes;
        expected.insert(expected.end(), from, from + bytes);
      }
      auto result = runOnAllSchedules<std::vector<uint8_t>>([&](auto &device) {
        void *from = device.put(src);
        void *to = device.template reserve<uint8_t>(rows * bytes);
        cuda::sliceBlocks(device, from, to, rows, positions, position, bytes);
        return device.template get<uint8_t>(to, rows * bytes);
      });
      EXPECT_EQ(result, expected);
    }
}

/// Against the conversions of the CPU, bit by bit.
template <typename From, typename To>
static void checkConversion(std::vector<From> src, size_t alignment) {
  auto count = static_cast<int64_t>(src.size());
  std::vector<To> expected(src.size());
  ASSERT_TRUE(convertElements(typeOf<From>(), src.data(), typeOf<To>(),
                              expected.data(), count));
  auto result = runOnAllSchedules<Bits<To>>([&](auto &device) {
    void *from = device.put(src, alignment);
    void *to = device.template reserve<To>(count, alignment);
    cuda::convertElements(device, typeOf<From>(), from, typeOf<To>(), to,
                          count);
    return Bits<To>{device.template get<To>(to, count)};
  });
  EXPECT_TRUE(result == Bits<To>{expected});
}

template <typename Narrow> static void checkConversions() {
  for (int64_t count : {0, 1, 7, 8, 2049, 2056})
    for (size_t alignment : {size_t(64), sizeof(float)}) {
      auto values = randomValues<float>(count, "values");
      for (size_t i = 0; i < values.size(); i += 3)
        values[i] *= std::ldexp(1.0f, static_cast<int>(i % 40) - 30);
      if (count > 8) {
        values[1] = HUGE_VALF;
        values[2] = 1e30f;
        values[3] = 1.00390625f;  // halfway for bf16
        values[4] = 1 + 0x1p-11f; // halfway for f16
        values[5] = 1e-41f;
      }
      checkConversion<float, Narrow>(values, alignment);
      std::vector<Narrow> narrow(values.begin(), values.end());
      checkConversion<Narrow, float>(narrow, alignment);
    }
}

TEST(ConvertElements, roundsToNearestEven) {
  checkConversions<BFloat16>();
  checkConversions<Float16>();
}
