//===- SplitReductionsTest.cpp - Divided reductions compute the same ------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Programs on tensors after boostrt-split-reductions, with partial results in
// the memory plan, against plain loops.
//
//===----------------------------------------------------------------------===//

#include "KernelValues.h"

#include <cstring>

using namespace mlir::boost;

namespace {

/// A reduction of x, of which `rows` x `columns` are reduced over the rows or
/// over everything.
struct Reduction {
  int64_t rows, columns;
  std::string input, output;
  /// Initial value of the results, of type `output`.
  std::string init;
  /// Computes %n of %in, %w (a weight of the row) and %acc.
  std::string body;
  bool isFull = false;
};

class SplitReductions : public KernelValues {
protected:
  /// Runs it in `kernels` launches.
  void reduce(const Reduction &test, int kernels) {
    std::string x = "tensor<" + std::to_string(test.rows) + "x" +
                    std::to_string(test.columns) + "x" + test.input + ">";
    std::string w = "tensor<" + std::to_string(test.rows) + "xf32>";
    std::string y =
        "tensor<" +
        (test.isFull ? test.output
                     : std::to_string(test.columns) + "x" + test.output) +
        ">";
    std::string iterators = test.isFull ? R"("reduction", "reduction")"
                                        : R"("reduction", "parallel")";
    runTensors(
        "func.func @f(%x: " + x +
            " {boost.tensor = #boost.tensor<param \"x\">}, %w: " + w +
            " {boost.tensor = #boost.tensor<param \"w\">}) -> (" + y +
            " {boost.tensor = #boost.tensor<output \"y\">}) {\n"
            "%init = arith.constant " +
            test.init + " : " + test.output + "\n%e = tensor.empty() : " + y +
            "\n%z = linalg.fill ins(%init : " + test.output +
            ") outs(%e : " + y + ") -> " + y +
            "\n%r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, "
            "j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (" +
            (test.isFull ? "" : "j") + ")>], iterator_types = [" + iterators +
            "]} ins(%x, %w : " + x + ", " + w + ") outs(%z : " + y +
            ") {\n^bb0(%in: " + test.input +
            ", %weight: f32, %acc: " + test.output + "):\n" + test.body +
            "\nlinalg.yield %n : " + test.output + "\n} -> " + y +
            "\nreturn %r : " + y + "\n}",
        "func.func(boostrt-split-reductions{blocks=64 elements=256}),");
    EXPECT_EQ(launches, kernels);
  }

  /// A sum of f32 that is `expected`, of products whose absolute values add up
  /// to `size`: each addition and each product is off by half a unit in the
  /// last place at most.
  static void expectSum(double actual, double expected, double size,
                        int64_t count) {
    EXPECT_NEAR(actual, expected,
                static_cast<double>(count + 1) * 0x1p-24 * size);
  }

  /// The element of row i and column j of x, f32.
  double at(const Reduction &test, int64_t i, int64_t j) const {
    return inputOf<float>("x")[i * test.columns + j];
  }
};

// Rows that ranges divide; a prime number of them; columns that fill neither
// vectors nor blocks; and one column.
TEST_P(SplitReductions, SumsOfColumns) {
  for (auto [rows, columns, kernels] :
       {std::tuple(512, 72, 2), std::tuple(509, 64, 3), std::tuple(1021, 37, 3),
        std::tuple(4096, 1, 2), std::tuple(640, 200, 2)}) {
    SetUp();
    Reduction test{rows,
                   columns,
                   "f32",
                   "f32",
                   "2.5",
                   "%p = arith.mulf %in, %weight : f32\n"
                   "%n = arith.addf %acc, %p : f32"};
    reduce(test, kernels);
    for (int64_t j = 0; j < columns; ++j) {
      double expected = 2.5, size = 2.5;
      for (int64_t i = 0; i < rows; ++i) {
        expected += at(test, i, j) * inputOf<float>("w")[i];
        size += std::abs(at(test, i, j) * inputOf<float>("w")[i]);
      }
      expectSum(outputOf<float>("y")[j], expected, size, rows + 1);
    }
  }
}

TEST_P(SplitReductions, SumsOfEverything) {
  for (auto [rows, columns, kernels] :
       {std::tuple(256, 64, 2), std::tuple(509, 66, 3),
        std::tuple(3, 4099, 2)}) {
    SetUp();
    Reduction test{rows,
                   columns,
                   "f32",
                   "f32",
                   "0.0",
                   "%p = arith.mulf %in, %in : f32\n"
                   "%n = arith.addf %acc, %p : f32",
                   true};
    reduce(test, kernels);
    double expected = 0;
    for (int64_t i = 0; i < rows; ++i)
      for (int64_t j = 0; j < columns; ++j)
        expected += at(test, i, j) * at(test, i, j);
    expectSum(outputOf<float>("y")[0], expected, expected, rows * columns);
  }
}

TEST_P(SplitReductions, SumsInDouble) {
  Reduction test{509,
                 40,
                 "f32",
                 "f64",
                 "1.0",
                 "%p = arith.extf %in : f32 to f64\n"
                 "%n = arith.addf %acc, %p : f64"};
  reduce(test, 3);
  for (int64_t j = 0; j < 40; ++j) {
    double expected = 1;
    for (int64_t i = 0; i < 509; ++i)
      expected += at(test, i, j);
    expectNear(outputOf<double>("y")[j], expected, 1e-13);
  }
}

// bf16 is added in f32.
TEST_P(SplitReductions, SumsOfSmallFloats) {
  auto *values = reinterpret_cast<uint16_t *>(arena.data());
  for (int i = 0; i < 512 * 64; ++i)
    values[i] = 0x3F80 + i % 97; // from 1 upward
  Reduction test{512,
                 64,
                 "bf16",
                 "f32",
                 "0.0",
                 "%p = arith.extf %in : bf16 to f32\n"
                 "%n = arith.addf %acc, %p : f32"};
  reduce(test, 2);
  for (int64_t j = 0; j < 64; ++j) {
    double expected = 0;
    for (int64_t i = 0; i < 512; ++i) {
      uint32_t bits = uint32_t(inputOf<uint16_t>("x")[i * 64 + j]) << 16;
      float wide;
      std::memcpy(&wide, &bits, sizeof(wide));
      expected += wide;
    }
    expectNear(outputOf<float>("y")[j], expected, 1e-5);
  }
}

// In any order the same bits.
TEST_P(SplitReductions, MaximaMinimaAndCounts) {
  Reduction most{509,   64,     "f32",
                 "f32", "-1.0", "%n = arith.maximumf %acc, %in : f32"};
  reduce(most, 3);
  for (int64_t j = 0; j < 64; ++j) {
    double expected = -1;
    for (int64_t i = 0; i < 509; ++i)
      expected = std::max(expected, at(most, i, j));
    EXPECT_EQ(outputOf<float>("y")[j], expected);
  }
  SetUp();
  Reduction least{512,   64,    "f32",
                  "f32", "1.0", "%n = arith.minimumf %acc, %in : f32"};
  reduce(least, 2);
  for (int64_t j = 0; j < 64; ++j) {
    double expected = 1;
    for (int64_t i = 0; i < 512; ++i)
      expected = std::min(expected, at(least, i, j));
    EXPECT_EQ(outputOf<float>("y")[j], expected);
  }
  SetUp();
  Reduction bits{509,
                 64,
                 "f32",
                 "i64",
                 "7",
                 "%b = arith.bitcast %in : f32 to i32\n"
                 "%p = arith.extsi %b : i32 to i64\n"
                 "%n = arith.addi %acc, %p : i64"};
  reduce(bits, 3);
  for (int64_t j = 0; j < 64; ++j) {
    int64_t expected = 7;
    for (int64_t i = 0; i < 509; ++i)
      expected += inputOf<int32_t>("x")[i * 64 + j];
    EXPECT_EQ(outputOf<int64_t>("y")[j], expected);
  }
}

TEST_P(SplitReductions, Products) {
  for (float &value : arena)
    value = 1 + value / 256;
  Reduction test{512,   24,    "f32",
                 "f32", "3.0", "%n = arith.mulf %acc, %in : f32"};
  reduce(test, 2);
  for (int64_t j = 0; j < 24; ++j) {
    double expected = 3;
    for (int64_t i = 0; i < 512; ++i)
      expected *= at(test, i, j);
    expectNear(outputOf<float>("y")[j], expected, 1e-4);
  }
}

TEST_P(SplitReductions, AllAndAny) {
  for (bool isAll : {true, false}) {
    SetUp();
    Reduction test{
        512,
        64,
        "f32",
        "i1",
        isAll ? "1" : "0",
        std::string("%bound = arith.constant ") + (isAll ? "-3.98" : "3.98") +
            " : f32\n%p = arith.cmpf ogt, %in, %bound : f32\n" + "%n = arith." +
            (isAll ? "andi" : "ori") + " %acc, %p : i1"};
    reduce(test, 2);
    int count = 0;
    for (int64_t j = 0; j < 64; ++j) {
      bool expected = isAll;
      for (int64_t i = 0; i < 512; ++i) {
        bool is = at(test, i, j) > (isAll ? -3.98f : 3.98f);
        expected = isAll ? expected && is : expected || is;
      }
      EXPECT_EQ(outputOf<uint8_t>("y")[j], expected);
      count += expected;
    }
    EXPECT_GT(count, 0);
    EXPECT_LT(count, 64);
  }
}

// Weights of positions, which count through all ranges.
TEST_P(SplitReductions, PositionsInRanges) {
  Reduction test{509,
                 64,
                 "f32",
                 "f32",
                 "0.0",
                 "%i = linalg.index 0 : index\n"
                 "%k = arith.index_cast %i : index to i64\n"
                 "%q = arith.sitofp %k : i64 to f32\n"
                 "%p = arith.mulf %in, %q : f32\n"
                 "%n = arith.addf %acc, %p : f32"};
  reduce(test, 3);
  for (int64_t j = 0; j < 64; ++j) {
    double expected = 0, size = 0;
    for (int64_t i = 0; i < 509; ++i) {
      expected += at(test, i, j) * static_cast<double>(i);
      size += std::abs(at(test, i, j)) * static_cast<double>(i);
    }
    expectSum(outputOf<float>("y")[j], expected, size, 509);
  }
}

/// The position of the largest element, the first of several, or of the first
/// NaN, and that element: as jnp.argmax has it.
constexpr const char *kArgmax =
    "%i = linalg.index DIM : index\n"
    "%here = arith.index_cast %i : index to i32\n"
    "%more = arith.cmpf ogt, %best, %in : f32\n"
    "%isnan = arith.cmpf une, %best, %best : f32\n"
    "%keep = arith.ori %more, %isnan : i1\n"
    "%same = arith.cmpf oeq, %best, %in : f32\n"
    "%before = arith.cmpi slt, %at, %here : i32\n"
    "%stay = arith.andi %same, %before : i1\n"
    "%keepAt = arith.ori %keep, %stay : i1\n"
    "%value = arith.select %keep, %best, %in : f32\n"
    "%place = arith.select %keepAt, %at, %here : i32\n"
    "linalg.yield %value, %place : f32, i32\n";

/// Positions of maxima of x along dimension `dim`.
std::string argmaxOf(int64_t rows, int64_t columns, int64_t dim) {
  std::string x = "tensor<" + std::to_string(rows) + "x" +
                  std::to_string(columns) + "xf32>";
  std::string count = std::to_string(dim == 0 ? columns : rows);
  std::string v = "tensor<" + count + "xf32>", p = "tensor<" + count + "xi32>";
  std::string body = kArgmax;
  body.replace(body.find("DIM"), 3, std::to_string(dim));
  std::string kept = dim == 0 ? "(i, j) -> (j)" : "(i, j) -> (i)";
  return "func.func @f(%x: " + x +
         " {boost.tensor = #boost.tensor<param \"x\">}) -> (" + v +
         " {boost.tensor = #boost.tensor<output \"v\">}, " + p +
         " {boost.tensor = #boost.tensor<output \"p\">}) {\n"
         "%least = arith.constant 0xFF800000 : f32\n"
         "%zero = arith.constant 0 : i32\n%ev = tensor.empty() : " +
         v + "\n%ep = tensor.empty() : " + p +
         "\n%zv = linalg.fill ins(%least : f32) outs(%ev : " + v + ") -> " + v +
         "\n%zp = linalg.fill ins(%zero : i32) outs(%ep : " + p + ") -> " + p +
         "\n%r:2 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, "
         "j)>, affine_map<" +
         kept + ">, affine_map<" + kept + ">], iterator_types = [" +
         (dim == 0 ? R"("reduction", "parallel")"
                   : R"("parallel", "reduction")") +
         "]} ins(%x : " + x + ") outs(%zv, %zp : " + v + ", " + p +
         ") {\n^bb0(%in: f32, %best: f32, %at: i32):\n" + body + "} -> (" + v +
         ", " + p + ")\nreturn %r#0, %r#1 : " + v + ", " + p + "\n}";
}

// There are few values, so that there are ties; NaN in two ranges of a result
// and in none of most; and a result of which nothing is larger than its initial
// value. Bits are equal in any order of threads, which keeps the order of
// elements.
TEST_P(SplitReductions, PositionsOfMaxima) {
  for (auto [rows, columns, dim] :
       {std::tuple(512, 72, 0), std::tuple(640, 3, 0),
        std::tuple(5, 4096, 1)}) {
    SetUp();
    for (float &value : arena)
      value = std::floor(value);
    int64_t numResults = dim == 0 ? columns : rows;
    int64_t numElements = dim == 0 ? rows : columns;
    auto at = [&, columns = columns, dim = dim](int64_t result, int64_t i) {
      return dim == 0 ? i * columns + result : result * columns + i;
    };
    for (int64_t i = 0; i < numElements; ++i)
      arena[at(0, i)] = -INFINITY;
    arena[at(1, numElements / 3)] = NAN;
    arena[at(1, numElements - 2)] = NAN;
    runTensors(argmaxOf(rows, columns, dim),
               "func.func(boostrt-split-reductions{blocks=64 elements=256}),");
    // Two reductions, and what both begin from for each output.
    EXPECT_EQ(launches, 6);
    for (int64_t result = 0; result < numResults; ++result) {
      int64_t place = 0;
      for (int64_t i = 1; i < numElements; ++i) {
        float best = inputOf<float>("x")[at(result, place)];
        float value = inputOf<float>("x")[at(result, i)];
        if (!std::isnan(best) && !(best >= value))
          place = i;
      }
      EXPECT_EQ(outputOf<int32_t>("p")[result], place);
      float expected = inputOf<float>("x")[at(result, place)];
      float actual = outputOf<float>("v")[result];
      EXPECT_TRUE(actual == expected ||
                  (std::isnan(actual) && std::isnan(expected)));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Targets, SplitReductions,
                         ::testing::Values(Backend::CPU, Backend::GPU),
                         [](const auto &info) {
                           return info.param == Backend::CPU ? "CPU" : "GPU";
                         });

} // namespace
