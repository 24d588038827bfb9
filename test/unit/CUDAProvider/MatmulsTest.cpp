//===- MatmulsTest.cpp - Row-major products through cublasLt --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The oracle is a triple loop in double.
//
//===----------------------------------------------------------------------===//

#include "cuda/Matmuls.h"
#include "EmulatedGPU.h"
#include "common/Random.h"
#include "gtest/gtest.h"

#include <cmath>
#include <vector>

using namespace boost_rt;

namespace {

/// A matrix in a buffer of elements: `rows` x `columns` as stored, `batch` of
/// them.
struct Stored {
  int64_t begin, leadingDimension, stride;
  bool transpose;

  int64_t at(int64_t batch, int64_t row, int64_t column) const {
    if (transpose)
      std::swap(row, column);
    return begin + batch * stride + row * leadingDimension + column;
  }
};

struct Case {
  ElementType input, output;
  int64_t m, n, k, batch;
  Stored a, b, c;
  bool accumulate = false;
};

class Products : public ::testing::TestWithParam<Case> {};

} // namespace

static constexpr int64_t kElements = 2000;

static std::vector<double> randomValues(ElementType type, const char *name) {
  std::vector<double> values(kElements);
  NormalStream(3, name).generate(0, kElements, [&](int64_t i, double value) {
    values[static_cast<size_t>(i)] = value;
  });
  // Rounded to what is stored.
  std::vector<char> stored(kElements * 8);
  convertElements(BOOST_RT_F64, values.data(), type, stored.data(), kElements);
  convertElements(type, stored.data(), BOOST_RT_F64, values.data(), kElements);
  return values;
}

static double epsilonOf(ElementType type) {
  switch (type) {
  case BOOST_RT_BF16:
    return 0x1p-8;
  case BOOST_RT_F16:
    return 0x1p-11;
  case BOOST_RT_F64:
    return 0x1p-53;
  default:
    return 0x1p-24;
  }
}

TEST_P(Products, are_those_of_the_formula) {
  const Case &p = GetParam();
  EmulatedGPU emulated;
  GPU &gpu = emulated.open();
  // Three buffers of elements before the workspace.
  auto offsetOf = [](int buffer) { return buffer * kElements * 8; };
  auto write = [&](int buffer, ElementType type,
                   const std::vector<double> &values) {
    std::vector<char> stored(kElements * 8);
    convertElements(BOOST_RT_F64, values.data(), type, stored.data(),
                    kElements);
    gpu.copyToDevice(emulated.memory + offsetOf(buffer), stored.data(),
                     kElements * sizeOf(type));
  };
  std::vector<double> a = randomValues(p.input, "a");
  std::vector<double> b = randomValues(p.input, "b");
  std::vector<double> before = randomValues(p.output, "c");
  write(0, p.input, a);
  write(1, p.input, b);
  write(2, p.output, before);
  auto matrix = [](const Stored &stored, ElementType type) {
    return Matrix{type, stored.transpose, stored.leadingDimension,
                  stored.stride, sizeOf(type)};
  };
  auto addressOf = [&](int buffer, const Stored &stored, ElementType type) {
    return emulated.memory + offsetOf(buffer) + stored.begin * sizeOf(type);
  };
  RunRecord record(0);
  Matmuls matmuls(gpu, emulated.workspace(), record);
  matmuls.run({p.m, p.n, p.k, p.batch, matrix(p.a, p.input),
               matrix(p.b, p.input), matrix(p.c, p.output), p.accumulate},
              addressOf(0, p.a, p.input), addressOf(1, p.b, p.input),
              addressOf(2, p.c, p.output));
  std::vector<char> stored(kElements * 8);
  gpu.copyToHost(stored.data(), emulated.memory + offsetOf(2),
                 kElements * sizeOf(p.output));
  std::vector<double> actual(kElements);
  convertElements(p.output, stored.data(), BOOST_RT_F64, actual.data(),
                  kElements);

  std::vector<double> expected = before, bound(kElements, 0);
  bool isWide = p.input == BOOST_RT_F64;
  double sumError =
      static_cast<double>(p.k + p.accumulate) * (isWide ? 0x1p-53 : 0x1p-24);
  for (int64_t i = 0; i < p.batch; ++i)
    for (int64_t row = 0; row < p.m; ++row)
      for (int64_t column = 0; column < p.n; ++column) {
        double sum = 0, magnitude = 0;
        for (int64_t l = 0; l < p.k; ++l) {
          double product = a[static_cast<size_t>(p.a.at(i, row, l))] *
                           b[static_cast<size_t>(p.b.at(i, l, column))];
          sum += product;
          magnitude += std::fabs(product);
        }
        auto at = static_cast<size_t>(p.c.at(i, row, column));
        if (p.accumulate) {
          sum += before[at];
          magnitude += std::fabs(before[at]);
        }
        expected[at] = sum;
        bound[at] = sumError * magnitude + epsilonOf(p.output) * std::fabs(sum);
      }
  for (size_t i = 0; i < expected.size(); ++i)
    ASSERT_LE(std::fabs(actual[i] - expected[i]), bound[i]) << "element " << i;
}

static const Case kCases[] = {
    // Plain, each factor transposed, both.
    {BOOST_RT_F32,
     BOOST_RT_F32,
     5,
     7,
     9,
     1,
     {0, 9, 0, false},
     {0, 7, 0, false},
     {0, 7, 0, false}},
    {BOOST_RT_F32,
     BOOST_RT_F32,
     5,
     7,
     9,
     1,
     {0, 5, 0, true},
     {0, 7, 0, false},
     {0, 7, 0, false}},
    {BOOST_RT_F32,
     BOOST_RT_F32,
     5,
     7,
     9,
     1,
     {0, 9, 0, false},
     {0, 9, 0, true},
     {0, 7, 0, false}},
    {BOOST_RT_F64,
     BOOST_RT_F64,
     5,
     7,
     9,
     1,
     {0, 5, 0, true},
     {0, 9, 0, true},
     {0, 7, 0, false}},
    // Batches: all dense; B shared; rows and matrices with gaps.
    {BOOST_RT_BF16,
     BOOST_RT_BF16,
     4,
     6,
     8,
     3,
     {0, 8, 32, false},
     {0, 6, 48, false},
     {0, 6, 24, false}},
    {BOOST_RT_F16,
     BOOST_RT_F32,
     4,
     6,
     8,
     3,
     {0, 8, 32, false},
     {0, 6, 0, false},
     {0, 6, 24, false}},
    {BOOST_RT_BF16,
     BOOST_RT_F32,
     4,
     6,
     8,
     3,
     {3, 10, 45, false},
     {1, 11, 70, true},
     {2, 9, 50, false}},
    // A vector, and one element.
    {BOOST_RT_F32,
     BOOST_RT_F32,
     1,
     7,
     9,
     2,
     {0, 9, 9, false},
     {0, 9, 63, true},
     {0, 7, 7, false}},
    {BOOST_RT_F16,
     BOOST_RT_F16,
     1,
     1,
     40,
     1,
     {0, 40, 0, false},
     {0, 1, 0, false},
     {0, 1, 0, false}},
    // Added to what is there: in the types of the factors, and in a wider one.
    {BOOST_RT_F64,
     BOOST_RT_F64,
     5,
     7,
     9,
     1,
     {0, 5, 0, true},
     {0, 9, 0, true},
     {0, 7, 0, false},
     true},
    {BOOST_RT_BF16,
     BOOST_RT_BF16,
     4,
     6,
     8,
     3,
     {0, 8, 32, false},
     {0, 6, 48, false},
     {0, 6, 24, false},
     true},
    {BOOST_RT_BF16,
     BOOST_RT_F32,
     4,
     6,
     8,
     3,
     {3, 10, 45, false},
     {1, 11, 70, true},
     {2, 9, 50, false},
     true},
};

INSTANTIATE_TEST_SUITE_P(Forms, Products, ::testing::ValuesIn(kCases));

/// The square of a matrix of n x n.
static void square(Matmuls &matmuls, const EmulatedGPU &emulated, int64_t n,
                   bool accumulate) {
  Matrix matrix{BOOST_RT_F32, false, n, 0, 4};
  char *result = emulated.memory + EmulatedGPU::tensorBytes / 2;
  matmuls.run({n, n, n, 1, matrix, matrix, matrix, accumulate}, emulated.memory,
              emulated.memory, result);
}

TEST(Algorithms, are_chosen_once_for_each_product_and_noted) {
  EmulatedGPU emulated;
  RunRecord record(0);
  Matmuls matmuls(emulated.open(), emulated.workspace(), record);
  for (int repetition = 0; repetition < 2; ++repetition) {
    square(matmuls, emulated, 8, /*accumulate=*/false);
    square(matmuls, emulated, 8, /*accumulate=*/true);
    square(matmuls, emulated, 16, /*accumulate=*/false);
  }
  std::vector<std::string> products;
  for (const ChosenAlgorithm &chosen : record.algorithms) {
    EXPECT_EQ(chosen.kind, "product");
    products.push_back(chosen.call);
    // Those of the emulator.
    std::map<std::string, int64_t> numbers(chosen.numbers.begin(),
                                           chosen.numbers.end());
    EXPECT_EQ(numbers,
              (std::map<std::string, int64_t>{{"id", 66},
                                              {"tile", 20},
                                              {"stages", 9},
                                              {"split_k", 1},
                                              {"reduction", 0},
                                              {"workspace_bytes", 1 << 20}}));
  }
  EXPECT_EQ(products,
            (std::vector<std::string>{"8 x 8 x 8 of f32 to f32",
                                      "8 x 8 x 8 of f32 to f32, added",
                                      "16 x 16 x 16 of f32 to f32"}));
}

TEST(Algorithms, are_noted_with_the_layout_of_the_product) {
  EmulatedGPU emulated;
  RunRecord record(0);
  Matmuls matmuls(emulated.open(), emulated.workspace(), record);
  char *result = emulated.memory + EmulatedGPU::tensorBytes / 2;
  for (int64_t stride : {0, 20}) {
    Matrix a{BOOST_RT_F32, true, 3, 15, 4}, b{BOOST_RT_F32, true, 5, stride, 4},
        c{BOOST_RT_F32, false, 4, 12, 4};
    matmuls.run({3, 4, 5, 2, a, b, c, false}, emulated.memory, emulated.memory,
                result);
  }
  ASSERT_EQ(record.algorithms.size(), 2u);
  EXPECT_EQ(record.algorithms[0].call,
            "3 x 5 x 4 of f32 to f32, A^T, B^T, batch 2 with one B");
  EXPECT_EQ(record.algorithms[1].call,
            "3 x 5 x 4 of f32 to f32, A^T, B^T, batch 2");
}

// cublasLt says that it succeeded, and that it found none.
TEST(Algorithms, that_fit_no_workspace_end_the_process) {
  EmulatedGPU emulated;
  RunRecord record(0);
  Matmuls matmuls(emulated.open(), {emulated.workspace().data, 0}, record);
  EXPECT_DEATH(square(matmuls, emulated, 8, /*accumulate=*/false),
               "cublasLt has no algorithm for a product of 8 x 8 x 8 of f32");
}

// Whatever it says that it found.
TEST(Algorithms, that_cublasLt_refuses_end_the_process) {
  EmulatedGPU emulated;
  RunRecord record(0);
  Matmuls matmuls(emulated.open(), emulated.workspace(), record);
  auto &blas = const_cast<vendor::Functions &>(vendor::functions());
  blas.cublasLtMatmulAlgoGetHeuristic =
      [](vendor::BlasHandle, vendor::MatmulDescription, vendor::MatrixLayout,
         vendor::MatrixLayout, vendor::MatrixLayout, vendor::MatrixLayout,
         vendor::MatmulPreference, int, vendor::MatmulChoice *, int *found) {
        *found = 1;
        return vendor::blasNotSupported + 0;
      };
  EXPECT_DEATH(square(matmuls, emulated, 8, /*accumulate=*/false),
               "cublasLt has no algorithm for a product of 8 x 8 x 8 of f32 "
               "\\(status 15\\)");
}

TEST(Algorithms, do_not_mix_f64_with_other_types) {
  EmulatedGPU emulated;
  RunRecord record(0);
  Matmuls matmuls(emulated.open(), emulated.workspace(), record);
  Matrix wide{BOOST_RT_F64, false, 8, 0, 8},
      narrow{BOOST_RT_F32, false, 8, 0, 4};
  for (auto [factor, result] : {std::pair{wide, narrow}, {narrow, wide}})
    EXPECT_DEATH(matmuls.run({8, 8, 8, 1, factor, factor, result, false},
                             emulated.memory, emulated.memory, emulated.memory),
                 "cublasLt has no product of f.. with a result of f..");
}
