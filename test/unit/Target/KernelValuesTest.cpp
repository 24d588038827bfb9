//===- KernelValuesTest.cpp - Generated kernels compute what they say -----===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compares what programs leave in the arena with plain loops.
//
//===----------------------------------------------------------------------===//

#include "KernelValues.h"

#include <cstring>

using namespace mlir::boost;

namespace {

TEST_P(KernelValues, ElementaryFunctions) {
  struct Case {
    const char *op;
    double (*reference)(double);
    bool positive;
  };
  const Case cases[] = {
      {"exp", std::exp, false},
      {"log", std::log, true},
      {"tanh", std::tanh, false},
      {"sin", std::sin, false},
      {"cos", std::cos, false},
      {"sqrt", std::sqrt, true},
      {"rsqrt", [](double x) { return 1 / std::sqrt(x); }, true},
      {"absf", std::fabs, false},
      {"log1p", std::log1p, true},
      {"erf", std::erf, false}};
  for (const Case &test : cases) {
    SetUp();
    for (float &value : arena)
      value = test.positive ? std::abs(value) + 1e-3f : value;
    run("", view("x", 0, "memref<7x33x11xf32>") +
                view("y", 1, "memref<7x33x11xf32>") +
                "linalg.generic {indexing_maps = [affine_map<(a, b, c) -> (a, "
                "b, c)>, affine_map<(a, b, c) -> (a, b, c)>], iterator_types = "
                "[\"parallel\", \"parallel\", \"parallel\"]} ins(%x : "
                "memref<7x33x11xf32>) outs(%y : memref<7x33x11xf32>) {\n"
                "^bb0(%in: f32, %out: f32):\n %r = math." +
                test.op + " %in : f32\n linalg.yield %r : f32\n}\n");
    for (int i = 0; i < 7 * 33 * 11; ++i)
      expectNear(output(1)[i], test.reference(input(0)[i]), 1e-6);
  }
}

/// Positions of a long sequence times the frequencies of rotary embeddings, in
/// units of the last place of 1.
TEST_P(KernelValues, SineAndCosineOfPositions) {
  for (double (*reference)(double) : {+[](double x) { return std::sin(x); },
                                      +[](double x) { return std::cos(x); }}) {
    SetUp();
    for (size_t i = 0; i < arena.size(); ++i)
      arena[i] *= std::exp2(static_cast<float>(i % 19)); // up to a million
    std::string op = reference(0) == 0 ? "sin" : "cos";
    run("", view("x", 0, "memref<65536xf32>") +
                view("y", 1, "memref<65536xf32>") +
                "linalg.generic {indexing_maps = [affine_map<(a) -> (a)>, "
                "affine_map<(a) -> (a)>], iterator_types = [\"parallel\"]} "
                "ins(%x : memref<65536xf32>) outs(%y : memref<65536xf32>) {\n"
                "^bb0(%in: f32, %out: f32):\n %r = math." +
                op + " %in : f32\n linalg.yield %r : f32\n}\n");
    double worst = 0;
    for (int i = 0; i < 65536; ++i)
      worst = std::max(
          worst,
          std::abs(output(1)[i] - reference(static_cast<double>(input(0)[i]))));
    EXPECT_LT(worst, 0x1p-23) << op;
  }
}

/// exp(x) - 1 where it is nearly x, in double.
TEST_P(KernelValues, ExponentialMinusOneOfSmallNumbers) {
  run("", view("x", 0, "memref<4096xf32>") + view("y", 1, "memref<4096xf64>") +
              "linalg.generic {indexing_maps = [affine_map<(a) -> (a)>, "
              "affine_map<(a) -> (a)>], iterator_types = [\"parallel\"]} "
              "ins(%x : memref<4096xf32>) outs(%y : memref<4096xf64>) {\n"
              "^bb0(%in: f32, %out: f64):\n"
              " %w = arith.extf %in : f32 to f64\n"
              " %tiny = arith.constant 1.0e-10 : f64\n"
              " %s = arith.mulf %w, %tiny : f64\n"
              " %r = math.expm1 %s : f64\n linalg.yield %r : f64\n}\n");
  for (int i = 0; i < 4096; ++i) {
    double value;
    std::memcpy(&value, output(1) + 2 * static_cast<ptrdiff_t>(i),
                sizeof(value));
    double expected = std::expm1(input(0)[i] * 1e-10);
    EXPECT_LE(std::abs(value - expected), 1e-15 * std::abs(expected));
  }
}

TEST_P(KernelValues, ScaleByRowsAndColumnsInPlace) {
  run("", view("x", 0, "memref<5x40x24xf32>") + view("g", 1, "memref<24xf32>") +
              view("r", 2, "memref<5x40xf32>") + R"mlir(
    linalg.generic {indexing_maps = [affine_map<(a, b, c) -> (a, b, c)>,
        affine_map<(a, b, c) -> (c)>, affine_map<(a, b, c) -> (a, b)>,
        affine_map<(a, b, c) -> (a, b, c)>],
        iterator_types = ["parallel", "parallel", "parallel"]}
        ins(%x, %g, %r : memref<5x40x24xf32>, memref<24xf32>, memref<5x40xf32>)
        outs(%x : memref<5x40x24xf32>) {
    ^bb0(%in: f32, %c: f32, %row: f32, %out: f32):
      %a = arith.mulf %in, %c : f32
      %b = arith.mulf %a, %row : f32
      linalg.yield %b : f32
    }
  )mlir");
  for (int row = 0; row < 200; ++row)
    for (int column = 0; column < 24; ++column)
      expectNear(output(0)[row * 24 + column],
                 double(input(0)[row * 24 + column]) * input(1)[column] *
                     input(2)[row],
                 1e-6);
}

TEST_P(KernelValues, SumOverInnermost) {
  run("", sumOfSquares("a, b", R"("parallel", "parallel", "reduction")",
                       "memref<8x16xf32>"));
  for (int row = 0; row < 128; ++row) {
    double expected = 0;
    for (int c = 0; c < 64; ++c)
      expected += double(input(0)[row * 64 + c]) * input(0)[row * 64 + c];
    expectNear(output(1)[row], expected, 1e-5);
  }
}

TEST_P(KernelValues, SumOverOutermost) {
  run("", sumOfSquares("c", R"("reduction", "reduction", "parallel")",
                       "memref<64xf32>"));
  for (int c = 0; c < 64; ++c) {
    double expected = 0;
    for (int row = 0; row < 128; ++row)
      expected += double(input(0)[row * 64 + c]) * input(0)[row * 64 + c];
    expectNear(output(1)[c], expected, 1e-5);
  }
}

TEST_P(KernelValues, SumOverMiddle) {
  run("", sumOfSquares("a, c", R"("parallel", "reduction", "parallel")",
                       "memref<8x64xf32>"));
  for (int a = 0; a < 8; ++a)
    for (int c = 0; c < 64; ++c) {
      double expected = 0;
      for (int b = 0; b < 16; ++b)
        expected += std::pow(double(input(0)[(a * 16 + b) * 64 + c]), 2);
      expectNear(output(1)[a * 64 + c], expected, 1e-5);
    }
}

TEST_P(KernelValues, SumOverEverything) {
  run("", sumOfSquares("", R"("reduction", "reduction", "reduction")",
                       "memref<f32>"));
  double expected = 0;
  for (int i = 0; i < 8 * 16 * 64; ++i)
    expected += double(input(0)[i]) * input(0)[i];
  expectNear(output(1)[0], expected, 1e-5);
}

TEST_P(KernelValues, MaximumOfRows) {
  run("", view("x", 0, "memref<37x50xf32>") + view("y", 1, "memref<37xf32>") +
              R"mlir(
    linalg.fill ins(%lowest : f32) outs(%y : memref<37xf32>)
    linalg.reduce { arith.maximumf } ins(%x : memref<37x50xf32>)
        outs(%y : memref<37xf32>) dimensions = [1]
  )mlir");
  for (int row = 0; row < 37; ++row)
    EXPECT_EQ(output(1)[row],
              *std::max_element(input(0) + row * 50, input(0) + row * 50 + 50));
}

TEST_P(KernelValues, AccumulateWithoutFill) {
  run("", view("x", 0, "memref<16x64xf32>") + view("y", 1, "memref<64xf32>") +
              R"mlir(
    linalg.reduce { arith.addf } ins(%x : memref<16x64xf32>)
        outs(%y : memref<64xf32>) dimensions = [0]
  )mlir");
  for (int c = 0; c < 64; ++c) {
    double expected = input(1)[c];
    for (int row = 0; row < 16; ++row)
      expected += input(0)[row * 64 + c];
    expectNear(output(1)[c], expected, 1e-5);
  }
}

TEST_P(KernelValues, TransposeSquareAndOdd) {
  for (auto [rows, columns] : {std::pair(64, 64), std::pair(37, 51)}) {
    SetUp();
    std::string in = "memref<" + std::to_string(rows) + "x" +
                     std::to_string(columns) + "xf32>";
    std::string out = "memref<" + std::to_string(columns) + "x" +
                      std::to_string(rows) + "xf32>";
    run("", view("x", 0, in) + view("y", 1, out) +
                "linalg.transpose ins(%x : " + in + ") outs(%y : " + out +
                ") permutation = [1, 0]\n");
    for (int row = 0; row < rows; ++row)
      for (int column = 0; column < columns; ++column)
        EXPECT_EQ(output(1)[column * rows + row],
                  input(0)[row * columns + column]);
  }
}

TEST_P(KernelValues, PermuteHeads) {
  run("", view("x", 0, "memref<3x20x4x16xf32>") +
              view("y", 1, "memref<3x4x20x16xf32>") + R"mlir(
    linalg.transpose ins(%x : memref<3x20x4x16xf32>)
        outs(%y : memref<3x4x20x16xf32>) permutation = [0, 2, 1, 3]
  )mlir");
  for (int b = 0; b < 3; ++b)
    for (int h = 0; h < 4; ++h)
      for (int s = 0; s < 20; ++s)
        for (int d = 0; d < 16; ++d)
          EXPECT_EQ(output(1)[((b * 4 + h) * 20 + s) * 16 + d],
                    input(0)[((b * 20 + s) * 4 + h) * 16 + d]);
}

// Vectors of two elements, two apart in one tensor and further in the other.
TEST_P(KernelValues, PermutePairs) {
  run("", view("x", 0, "memref<20x3x2xf32>") +
              view("y", 1, "memref<3x20x2xf32>") + R"mlir(
    linalg.generic {indexing_maps = [affine_map<(a, b, c) -> (b, a, c)>,
        affine_map<(a, b, c) -> (a, b, c)>],
        iterator_types = ["parallel", "parallel", "parallel"]}
        ins(%x : memref<20x3x2xf32>) outs(%y : memref<3x20x2xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    }
  )mlir");
  for (int a = 0; a < 3; ++a)
    for (int b = 0; b < 20; ++b)
      for (int c = 0; c < 2; ++c)
        EXPECT_EQ(output(1)[(a * 20 + b) * 2 + c],
                  input(0)[(b * 3 + a) * 2 + c]);
}

TEST_P(KernelValues, SliceAndReverse) {
  run("", view("x", 0, "memref<30x64xf32>") +
              view("y", 1, "memref<30x32xf32>") +
              R"mlir(
    %s = memref.subview %x[0, 16][30, 32][1, 1]
        : memref<30x64xf32> to memref<30x32xf32, strided<[64, 1], offset: 16>>
    linalg.generic {indexing_maps = [affine_map<(a, b) -> (a, -b + 31)>,
        affine_map<(a, b) -> (a, b)>], iterator_types = ["parallel", "parallel"]}
        ins(%s : memref<30x32xf32, strided<[64, 1], offset: 16>>)
        outs(%y : memref<30x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    }
  )mlir");
  for (int a = 0; a < 30; ++a)
    for (int b = 0; b < 32; ++b)
      EXPECT_EQ(output(1)[a * 32 + b], input(0)[a * 64 + 16 + 31 - b]);
}

TEST_P(KernelValues, SmallFloatsAccumulateInSingle) {
  auto *values = reinterpret_cast<uint16_t *>(arena.data());
  auto widen = [](uint16_t value) {
    uint32_t bits = uint32_t(value) << 16;
    float wide;
    std::memcpy(&wide, &bits, sizeof(wide));
    return wide;
  };
  for (int i = 0; i < 64 * 128; ++i)
    values[i] = 0x3F80 + i % 97; // from 1 upward
  std::vector<uint16_t> inputs(values, values + 64 * 128);
  run("", view("x", 0, "memref<64x128xbf16>") +
              view("y", 1, "memref<64xbf16>") +
              R"mlir(
    %z = arith.constant 0.0 : bf16
    linalg.fill ins(%z : bf16) outs(%y : memref<64xbf16>)
    linalg.reduce { arith.addf } ins(%x : memref<64x128xbf16>)
        outs(%y : memref<64xbf16>) dimensions = [1]
  )mlir");
  auto *sums = reinterpret_cast<const uint16_t *>(output(1));
  for (int row = 0; row < 64; ++row) {
    double expected = 0;
    for (int c = 0; c < 128; ++c)
      expected += widen(inputs[row * 128 + c]);
    expectNear(widen(sums[row]), expected, 1.0 / 256);
  }
}

TEST_P(KernelValues, MasksThroughMemory) {
  run("", view("x", 0, "memref<37x70xf32>") + view("m", 1, "memref<37x70xi1>") +
              view("y", 2, "memref<37xf32>") + R"mlir(
    linalg.generic {indexing_maps = [affine_map<(a, b) -> (a, b)>,
        affine_map<(a, b) -> (a, b)>], iterator_types = ["parallel", "parallel"]}
        ins(%x : memref<37x70xf32>) outs(%m : memref<37x70xi1>) {
    ^bb0(%in: f32, %out: i1):
      %p = arith.cmpf ogt, %in, %zero : f32
      linalg.yield %p : i1
    }
    linalg.fill ins(%zero : f32) outs(%y : memref<37xf32>)
    linalg.generic {indexing_maps = [affine_map<(a, b) -> (a, b)>,
        affine_map<(a, b) -> (a, b)>, affine_map<(a, b) -> (a)>],
        iterator_types = ["parallel", "reduction"]}
        ins(%x, %m : memref<37x70xf32>, memref<37x70xi1>)
        outs(%y : memref<37xf32>) {
    ^bb0(%in: f32, %mask: i1, %acc: f32):
      %s = arith.select %mask, %in, %zero : f32
      %r = arith.addf %acc, %s : f32
      linalg.yield %r : f32
    }
  )mlir");
  for (int row = 0; row < 37; ++row) {
    double expected = 0;
    for (int c = 0; c < 70; ++c)
      expected += std::max(0.0f, input(0)[row * 70 + c]);
    expectNear(output(2)[row], expected, 1e-5);
  }
}

TEST_P(KernelValues, PositionsInTheBody) {
  run("", view("y", 1, "memref<48x80xf32>") + R"mlir(
    linalg.generic {indexing_maps = [affine_map<(a, b) -> (a, b)>],
        iterator_types = ["parallel", "parallel"]} outs(%y : memref<48x80xf32>) {
    ^bb0(%out: f32):
      %i = linalg.index 0 : index
      %j = linalg.index 1 : index
      %before = arith.cmpi sle, %j, %i : index
      %v = arith.select %before, %zero, %lowest : f32
      linalg.yield %v : f32
    }
  )mlir");
  for (int i = 0; i < 48; ++i)
    for (int j = 0; j < 80; ++j)
      EXPECT_EQ(output(1)[i * 80 + j], j <= i ? 0.0f : -INFINITY);
}

/// Partial results of 64 bits, which travel between threads in two words.
TEST_P(KernelValues, SumOfLongIntegers) {
  run("", view("x", 0, "memref<3x700xf32>") + view("y", 1, "memref<3xi64>") +
              R"mlir(
    %start = arith.constant 5 : i64
    linalg.fill ins(%start : i64) outs(%y : memref<3xi64>)
    linalg.generic {indexing_maps = [affine_map<(a, b) -> (a, b)>,
                                     affine_map<(a, b) -> (a)>],
        iterator_types = ["parallel", "reduction"]}
        ins(%x : memref<3x700xf32>) outs(%y : memref<3xi64>) {
    ^bb0(%in: f32, %acc: i64):
      %bits = arith.bitcast %in : f32 to i32
      %wide = arith.extui %bits : i32 to i64
      %r = arith.addi %acc, %wide : i64
      linalg.yield %r : i64
    }
  )mlir");
  for (int row = 0; row < 3; ++row) {
    int64_t expected = 5, actual;
    for (int c = 0; c < 700; ++c) {
      uint32_t bits;
      std::memcpy(&bits, input(0) + row * 700 + c, sizeof(bits));
      expected += bits;
    }
    std::memcpy(&actual, output(1) + 2 * static_cast<ptrdiff_t>(row),
                sizeof(actual));
    EXPECT_EQ(actual, expected);
  }
}

/// Two results that depend on each other: partial ones cannot be combined one
/// by one.
TEST_P(KernelValues, PositionOfTheMaximum) {
  run("", view("x", 0, "memref<9x200xf32>") + view("v", 1, "memref<9xf32>") +
              view("p", 2, "memref<9xi32>") + R"mlir(
    %none = arith.constant -1 : i32
    linalg.fill ins(%lowest : f32) outs(%v : memref<9xf32>)
    linalg.fill ins(%none : i32) outs(%p : memref<9xi32>)
    linalg.generic {indexing_maps = [affine_map<(a, b) -> (a, b)>,
        affine_map<(a, b) -> (a)>, affine_map<(a, b) -> (a)>],
        iterator_types = ["parallel", "reduction"]}
        ins(%x : memref<9x200xf32>) outs(%v, %p : memref<9xf32>, memref<9xi32>) {
    ^bb0(%in: f32, %best: f32, %at: i32):
      %j = linalg.index 1 : index
      %here = arith.index_cast %j : index to i32
      %more = arith.cmpf ogt, %in, %best : f32
      %value = arith.select %more, %in, %best : f32
      %place = arith.select %more, %here, %at : i32
      linalg.yield %value, %place : f32, i32
    }
  )mlir");
  for (int row = 0; row < 9; ++row) {
    const float *begin = input(0) + row * 200;
    const float *best = std::max_element(begin, begin + 200);
    int32_t place;
    std::memcpy(&place, output(2) + row, sizeof(place));
    EXPECT_EQ(output(1)[row], *best);
    EXPECT_EQ(place, best - begin);
  }
}

/// A reduction that does not read what it has so far.
TEST_P(KernelValues, LastOfEveryRow) {
  run("", view("x", 0, "memref<9x200xf32>") + view("y", 1, "memref<9xf32>") +
              R"mlir(
    linalg.generic {indexing_maps = [affine_map<(a, b) -> (a, b)>,
                                     affine_map<(a, b) -> (a)>],
        iterator_types = ["parallel", "reduction"]}
        ins(%x : memref<9x200xf32>) outs(%y : memref<9xf32>) {
    ^bb0(%in: f32, %last: f32):
      linalg.yield %in : f32
    }
  )mlir");
  for (int row = 0; row < 9; ++row)
    EXPECT_EQ(output(1)[row], input(0)[row * 200 + 199]);
}

/// Neither vectors nor whole warps, and not from where memory is aligned.
TEST_P(KernelValues, OddRowsFromOddAddresses) {
  run("", view("x", 0, "memref<5x67xf32>") + view("y", 1, "memref<5x61xf32>") +
              view("s", 2, "memref<5xf32>") + R"mlir(
    %part = memref.reinterpret_cast %x to offset: [3], sizes: [5, 61],
        strides: [67, 1] : memref<5x67xf32> to memref<5x61xf32, strided<[67, 1], offset: 3>>
    linalg.exp ins(%part : memref<5x61xf32, strided<[67, 1], offset: 3>>)
        outs(%y : memref<5x61xf32>)
    linalg.fill ins(%zero : f32) outs(%s : memref<5xf32>)
    linalg.generic {indexing_maps = [affine_map<(a, b) -> (a, b)>,
                                     affine_map<(a, b) -> (a)>],
        iterator_types = ["parallel", "reduction"]}
        ins(%part : memref<5x61xf32, strided<[67, 1], offset: 3>>)
        outs(%s : memref<5xf32>) {
    ^bb0(%in: f32, %acc: f32):
      %r = arith.addf %acc, %in : f32
      linalg.yield %r : f32
    }
  )mlir");
  for (int row = 0; row < 5; ++row) {
    double sum = 0;
    for (int c = 0; c < 61; ++c) {
      double x = input(0)[row * 67 + 3 + c];
      expectNear(output(1)[row * 61 + c], std::exp(x), 1e-6);
      sum += x;
    }
    expectNear(output(2)[row], sum, 1e-5);
  }
}

/// Loops that are written out: a running sum along every row.
TEST_P(KernelValues, RunningSumsOfRows) {
  run("", view("x", 0, "memref<200x11xf32>") +
              view("y", 1, "memref<200x11xf32>") + R"mlir(
    boostrt.rows 200 ins(%x : memref<200x11xf32>) outs(%y : memref<200x11xf32>) {
    ^bb0(%row: index, %in: memref<200x11xf32>, %out: memref<200x11xf32>):
      %first = arith.constant 0 : index
      %step = arith.constant 1 : index
      %end = arith.constant 11 : index
      %none = arith.constant 0.0 : f32
      %total = scf.for %j = %first to %end step %step iter_args(%sum = %none) -> f32 {
        %v = memref.load %in[%row, %j] : memref<200x11xf32>
        %next = arith.addf %sum, %v : f32
        memref.store %next, %out[%row, %j] : memref<200x11xf32>
        scf.yield %next : f32
      }
    }
  )mlir");
  for (int row = 0; row < 200; ++row) {
    float sum = 0;
    for (int c = 0; c < 11; ++c) {
      sum += input(0)[row * 11 + c];
      EXPECT_EQ(output(1)[row * 11 + c], sum);
    }
  }
}

/// A buffer that the body itself loads from keeps its type in memory.
TEST_P(KernelValues, RowsOfSmallFloatsFromTheBody) {
  run("", view("x", 0, "memref<64x8xbf16>") + view("y", 1, "memref<16x8xf32>") +
              R"mlir(
    linalg.generic {indexing_maps = [affine_map<(a, b) -> (a, b)>],
        iterator_types = ["parallel", "parallel"]} outs(%y : memref<16x8xf32>) {
    ^bb0(%out: f32):
      %i = linalg.index 0 : index
      %j = linalg.index 1 : index
      %three = arith.constant 3 : index
      %row = arith.muli %i, %three : index
      %v = memref.load %x[%row, %j] : memref<64x8xbf16>
      %wide = arith.extf %v : bf16 to f32
      linalg.yield %wide : f32
    }
  )mlir");
  for (int i = 0; i < 16 * 8; ++i) {
    uint16_t half;
    std::memcpy(&half,
                reinterpret_cast<const char *>(input(0)) +
                    2 * (i / 8 * 3 * 8 + i % 8),
                sizeof(half));
    uint32_t bits = uint32_t(half) << 16;
    float expected;
    std::memcpy(&expected, &bits, sizeof(bits));
    if (!std::isnan(expected))
      EXPECT_EQ(output(1)[i], expected);
  }
}

INSTANTIATE_TEST_SUITE_P(Targets, KernelValues,
                         ::testing::Values(Backend::CPU, Backend::GPU),
                         [](const auto &info) {
                           return info.param == Backend::CPU ? "CPU" : "GPU";
                         });

} // namespace
