//===- JoinedRowsTest.cpp - Kernels of several operations on rows ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Programs whose kernels boostrt-join-row-kernels makes one on a GPU, against
// plain loops.
//
//===----------------------------------------------------------------------===//

#include "KernelValues.h"

using namespace mlir::boost;

namespace {

constexpr int64_t kRows = 256;

class JoinedRows : public KernelValues {
protected:
  /// On a GPU, that all was done by one kernel.
  void expectOneKernel(int onCPU) {
    EXPECT_EQ(launches, backend == Backend::GPU ? 1 : onCPU);
  }
};

/// An operation over rows and columns with the memrefs' maps in this order.
std::string generic(const std::string &maps, const std::string &iterators,
                    const std::string &operands, const std::string &body) {
  std::string list;
  for (char map : maps)
    list += std::string(list.empty() ? "" : ", ") + "affine_map<(i, j) -> (" +
            (map == 'x' ? "i, j" : std::string(1, map)) + ")>";
  return "linalg.generic {indexing_maps = [" + list +
         "], iterator_types = [\"parallel\", \"" + iterators + "\"]} " +
         operands + " {\n" + body + "}\n";
}

/// x += y; s = sum of x^2 by rows; r = 1 / sqrt(s); y = x r.
void appendNorm(std::string &program, int64_t columns) {
  std::string matrix = "memref<256x" + std::to_string(columns) + "xf32>";
  program += view("x", 0, matrix) + view("y", 1, matrix) +
             view("s", 2, "memref<256xf32>") + view("r", 3, "memref<256xf32>");
  program += generic("xxx", "parallel",
                     "ins(%x, %y : " + matrix + ", " + matrix +
                         ") outs(%x : " + matrix + ")",
                     "^bb0(%a: f32, %b: f32, %out: f32):\n"
                     "%c = arith.addf %a, %b : f32\nlinalg.yield %c : f32\n");
  program += "linalg.fill ins(%zero : f32) outs(%s : memref<256xf32>)\n";
  program += generic("xi", "reduction",
                     "ins(%x : " + matrix + ") outs(%s : memref<256xf32>)",
                     "^bb0(%a: f32, %out: f32):\n%b = arith.mulf %a, %a : f32\n"
                     "%c = arith.addf %out, %b : f32\nlinalg.yield %c : f32\n");
  program += R"mlir(
    linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
        ins(%s : memref<256xf32>) outs(%r : memref<256xf32>) {
    ^bb0(%a: f32, %out: f32):
      %b = math.rsqrt %a : f32
      linalg.yield %b : f32
    })mlir";
  program +=
      "\n" + generic("xix", "parallel",
                     "ins(%x, %r : " + matrix +
                         ", memref<256xf32>) outs(%y : " + matrix + ")",
                     "^bb0(%a: f32, %b: f32, %out: f32):\n"
                     "%c = arith.mulf %a, %b : f32\nlinalg.yield %c : f32\n");
}

// Rows that the threads of a block share evenly, and others; those of whole
// vectors, and others.
TEST_P(JoinedRows, NormsOfSums) {
  for (int64_t columns : {1024, 300, 1016, 257}) {
    SetUp();
    std::string program;
    appendNorm(program, columns);
    run("", program);
    expectOneKernel(4);
    for (int64_t i = 0; i < kRows; ++i) {
      double sum = 0;
      for (int64_t j = i * columns; j < (i + 1) * columns; ++j) {
        float expected = input(0)[j] + input(1)[j];
        EXPECT_EQ(output(0)[j], expected);
        sum += double(expected) * expected;
      }
      expectNear(output(2)[i], sum, 1e-5);
      for (int64_t j = i * columns; j < (i + 1) * columns; ++j)
        expectNear(output(1)[j], output(0)[j] / std::sqrt(sum), 1e-5);
    }
  }
}

// The logarithm of the sum of exponentials needs the maximum of the row before.
TEST_P(JoinedRows, MaximumThenSum) {
  std::string matrix = "memref<256x640xf32>";
  run("", view("x", 0, matrix) + view("m", 1, "memref<256xf32>") +
              view("s", 2, "memref<256xf32>") +
              "linalg.fill ins(%lowest : f32) outs(%m : memref<256xf32>)\n" +
              generic("xi", "reduction",
                      "ins(%x : " + matrix + ") outs(%m : memref<256xf32>)",
                      "^bb0(%a: f32, %out: f32):\n"
                      "%c = arith.maximumf %out, %a : f32\n"
                      "linalg.yield %c : f32\n") +
              "linalg.fill ins(%zero : f32) outs(%s : memref<256xf32>)\n" +
              generic("xii", "reduction",
                      "ins(%x, %m : " + matrix +
                          ", memref<256xf32>) outs(%s : memref<256xf32>)",
                      "^bb0(%a: f32, %b: f32, %out: f32):\n"
                      "%d = arith.subf %a, %b : f32\n%e = math.exp %d : f32\n"
                      "%c = arith.addf %out, %e : f32\n"
                      "linalg.yield %c : f32\n"));
  expectOneKernel(2);
  for (int64_t i = 0; i < kRows; ++i) {
    const float *row = input(0) + i * 640;
    EXPECT_EQ(output(1)[i], *std::max_element(row, row + 640));
    double sum = 0;
    for (int64_t j = 0; j < 640; ++j)
      sum += std::exp(double(row[j]) - output(1)[i]);
    expectNear(output(2)[i], sum, 1e-5);
  }
}

/// s = sum of x^2 by rows; p = sums of x^2 s by columns, of each of 256 chunks;
/// x += x s.
void appendColumnSums(std::string &program, int64_t length, int64_t columns) {
  std::string rows = std::to_string(256 * length);
  std::string chunks = "256x" + std::to_string(length);
  std::string width = "x" + std::to_string(columns) + "xf32>";
  std::string matrix = "memref<" + rows + width, cube = "memref<" + chunks;
  std::string numbers = "memref<" + rows + "xf32>", sums = "memref<256" + width;
  cube += width;
  program += view("x", 0, matrix) + view("xc", 0, cube) + view("p", 2, sums) +
             view("s", 3, numbers) +
             view("sc", 3, "memref<" + chunks + "xf32>");
  program += "linalg.fill ins(%zero : f32) outs(%s : " + numbers + ")\n";
  program += generic("xi", "reduction",
                     "ins(%x : " + matrix + ") outs(%s : " + numbers + ")",
                     "^bb0(%a: f32, %out: f32):\n%b = arith.mulf %a, %a : f32\n"
                     "%c = arith.addf %out, %b : f32\nlinalg.yield %c : f32\n");
  program += "linalg.fill ins(%zero : f32) outs(%p : " + sums + ")\n";
  program += R"mlir(
    linalg.generic {indexing_maps = [affine_map<(c, j, i) -> (c, i, j)>, affine_map<(c, j, i) -> (c, i)>,
                                     affine_map<(c, j, i) -> (c, j)>],
                    iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%xc, %sc : )mlir" +
             cube + ", memref<" + chunks + "xf32>) outs(%p : " + sums +
             R"mlir() {
    ^bb0(%a: f32, %f: f32, %out: f32):
      %d = arith.mulf %a, %a : f32
      %e = arith.mulf %d, %f : f32
      %g = arith.addf %out, %e : f32
      linalg.yield %g : f32
    }
)mlir";
  program += generic("xix", "parallel",
                     "ins(%x, %s : " + matrix + ", " + numbers +
                         ") outs(%x : " + matrix + ")",
                     "^bb0(%a: f32, %f: f32, %out: f32):\n"
                     "%c = arith.mulf %a, %f : f32\n"
                     "%d = arith.addf %a, %c : f32\nlinalg.yield %d : f32\n");
}

// Each block has a chunk of rows, and sums their columns: columns that its
// threads share evenly, and others, also several for some threads; those of
// whole vectors, and others.
TEST_P(JoinedRows, SumsOfColumns) {
  for (auto [length, columns] :
       {std::pair<int64_t, int64_t>(4, 256), {3, 300}, {2, 601}}) {
    SetUp();
    std::string program;
    appendColumnSums(program, length, columns);
    run("", program);
    expectOneKernel(3);
    std::vector<float> sums(256 * columns, 0.0f);
    for (int64_t row = 0; row < 256 * length; ++row) {
      const float *x = input(0) + row * columns;
      double squares = 0;
      for (int64_t j = 0; j < columns; ++j)
        squares += double(x[j]) * x[j];
      expectNear(output(3)[row], squares, 1e-5);
      for (int64_t j = 0; j < columns; ++j) {
        EXPECT_EQ(output(0)[row * columns + j], x[j] + x[j] * output(3)[row]);
        sums[row / length * columns + j] += x[j] * x[j] * output(3)[row];
      }
    }
    for (int64_t i = 0; i < 256 * columns; ++i)
      EXPECT_EQ(output(2)[i], sums[i]);
  }
}

INSTANTIATE_TEST_SUITE_P(Targets, JoinedRows,
                         ::testing::Values(Backend::CPU, Backend::GPU),
                         [](const auto &info) {
                           return info.param == Backend::CPU ? "CPU" : "GPU";
                         });

} // namespace
