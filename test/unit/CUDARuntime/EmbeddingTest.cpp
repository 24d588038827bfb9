//===- EmbeddingTest.cpp - Embeddings, bit for bit as on the CPU ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cuda/Embedding.h"
#include "EmulatedDevice.h"

#include <algorithm>

using namespace boost_rt;

namespace {
struct Sizes {
  int64_t rows, columns, count;
};
} // namespace

/// Some ids repeat, some are absent, some are out of range.
static std::vector<int32_t> makeIds(const Sizes &sizes) {
  std::vector<int32_t> ids;
  for (int64_t i = 0; i < sizes.count; ++i)
    ids.push_back(static_cast<int32_t>(i * i % 11 * (sizes.rows + 3) / 8 - 1));
  return ids;
}

template <typename T>
static void checkEmbedding(const Sizes &s, size_t alignment = 64) {
  auto table = randomValues<T>(s.rows * s.columns, "table");
  std::vector<int32_t> ids = makeIds(s);
  std::vector<T> expected;
  for (int32_t id : ids) {
    auto row =
        table.begin() + std::clamp<int64_t>(id, 0, s.rows - 1) * s.columns;
    expected.insert(expected.end(), row, row + s.columns);
  }
  auto result = runOnAllSchedules<Bits<T>>([&](auto &device) {
    void *from = device.put(table, alignment);
    void *out = device.template reserve<T>(s.count * s.columns, alignment);
    cuda::embedding(device, typeOf<T>(), from, device.put(ids, 4), out, s.rows,
                    s.columns, s.count);
    return Bits<T>{device.template get<T>(out, s.count * s.columns)};
  });
  EXPECT_TRUE(result == Bits<T>{expected});
}

TEST(CUDAEmbedding, readsRowsAndClampsIds) {
  for (int64_t columns : {1, 2, 3, 4, 8, 100, 520})
    checkEmbedding<BFloat16>({7, columns, 13});
  checkEmbedding<float>({50, 36, 19});
  checkEmbedding<double>({1, 3, 9});
  checkEmbedding<Float16>({9, 8, 0});
}

TEST(CUDAEmbedding, takesAnyAddress) { checkEmbedding<BFloat16>({7, 7, 5}, 2); }

template <typename T>
static std::vector<T>
addOnDevice(const Sizes &s, const std::vector<int32_t> &ids,
            const std::vector<T> &grad, size_t alignment) {
  return runOnAllSchedules<Bits<T>>([&](auto &device) {
           void *table =
               device.template reserve<T>(s.rows * s.columns, alignment);
           cuda::embeddingGrad(device, typeOf<T>(), device.put(ids, 4),
                               device.put(grad, alignment), table, s.rows,
                               s.columns, s.count);
           return Bits<T>{device.template get<T>(table, s.rows * s.columns)};
         })
      .values;
}

template <typename T>
static void checkEmbeddingGrad(const Sizes &s, std::vector<int32_t> ids,
                               size_t alignment = 64) {
  auto grad = randomValues<T>(s.count * s.columns, "grad");
  auto result = addOnDevice(s, ids, grad, alignment);
  std::vector<double> expected(result.size()), magnitudes(result.size());
  for (int64_t i = 0; i < s.count; ++i)
    for (int64_t j = 0; j < s.columns; ++j) {
      int64_t id = ids[static_cast<size_t>(i)];
      auto to = static_cast<size_t>(
          std::clamp<int64_t>(id, 0, s.rows - 1) * s.columns + j);
      auto value =
          static_cast<double>(grad[static_cast<size_t>(i * s.columns + j)]);
      expected[to] += value;
      magnitudes[to] += std::fabs(value);
    }
  // As many roundings as there are positions, at most, and that of the result.
  double rounding =
      std::is_same_v<T, double> ? 0x1p-53 : 0x1p-24 * (1 + s.count * 0x1p-24);
  for (size_t i = 0; i < result.size(); ++i)
    ASSERT_LE(std::fabs(static_cast<double>(result[i]) - expected[i]),
              rounding * static_cast<double>(s.count) * magnitudes[i] +
                  epsilonOf<T>() / 2 * std::fabs(expected[i]) * (1 + 1e-3));
  std::vector<T> onCPU(result.size());
  OneRank rank(1);
  boost_rt_embedding_grad(rank.get(), typeOf<T>(), ids.data(), grad.data(),
                          onCPU.data(), s.rows, s.columns, s.count);
  EXPECT_TRUE(Bits<T>{result} == Bits<T>{onCPU});
}

template <typename T> static void checkEmbeddingGrads() {
  for (Sizes s : {Sizes{50, 300, 40}, {7, 5, 60}, {3, 16, 20}, {40, 24, 0}})
    checkEmbeddingGrad<T>(s, makeIds(s));
}

TEST(CUDAEmbeddingGrad, addsRowsInOrder) {
  checkEmbeddingGrads<float>();
  checkEmbeddingGrads<double>();
  checkEmbeddingGrads<BFloat16>();
  checkEmbeddingGrads<Float16>();
}

TEST(CUDAEmbeddingGrad, takesAnyAddress) {
  Sizes s{9, 8, 30};
  checkEmbeddingGrad<BFloat16>(s, makeIds(s), 2);
}

// Positions in several pieces of the search, and columns in several blocks.
TEST(CUDAEmbeddingGrad, ofManyPositions) {
  std::vector<int32_t> ids(1040, 4);
  for (size_t i : {500, 1023, 1024, 1039})
    ids[i] = 2;
  checkEmbeddingGrad<float>({5, 2, 1040}, ids);
  checkEmbeddingGrad<BFloat16>({3, 2104, 4}, {1, 1, 0, 1});
  checkEmbeddingGrad<float>({3, 301, 4}, {2, 0, 0, 9});
}
