//===- TransposeValuesTest.cpp - Tiles that are read along other rows -----===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels that move the contiguous dimension, against plain loops.
//
//===----------------------------------------------------------------------===//

#include "KernelValues.h"

#include <cstring>
#include <numeric>

using namespace mlir::boost;

namespace {

class TransposeValues : public KernelValues {
protected:
  /// linalg.transpose of elements of `bytes` bytes.
  void transpose(const std::vector<int64_t> &shape,
                 const std::vector<int64_t> &permutation,
                 const std::string &type, size_t bytes) {
    SetUp();
    auto write = [&](const std::vector<int64_t> &sizes) {
      std::string text = "memref<";
      for (int64_t size : sizes)
        text += std::to_string(size) + "x";
      return text + type + ">";
    };
    std::vector<int64_t> newShape, strides(shape.size(), 1);
    for (size_t dim = shape.size() - 1; dim > 0; --dim)
      strides[dim - 1] = strides[dim] * shape[dim];
    std::string numbers;
    for (int64_t dim : permutation) {
      newShape.push_back(shape[dim]);
      numbers += (numbers.empty() ? "" : ", ") + std::to_string(dim);
    }
    run("", view("x", 0, write(shape)) + view("y", 2, write(newShape)) +
                "linalg.transpose ins(%x : " + write(shape) + ") outs(%y : " +
                write(newShape) + ") permutation = [" + numbers + "]\n");
    const auto *in = reinterpret_cast<const char *>(input(0));
    const auto *out = reinterpret_cast<const char *>(output(2));
    int64_t count = strides[0] * shape[0], wrong = 0;
    for (int64_t number = 0; number < count; ++number) {
      int64_t left = number, source = 0;
      for (size_t dim = newShape.size(); dim-- > 0;) {
        source += left % newShape[dim] * strides[permutation[dim]];
        left /= newShape[dim];
      }
      wrong +=
          std::memcmp(out + number * bytes, in + source * bytes, bytes) != 0;
    }
    EXPECT_EQ(wrong, 0) << write(shape) << " to " << write(newShape);
    // Nothing behind the last element is written.
    EXPECT_EQ(std::memcmp(
                  out + count * bytes,
                  reinterpret_cast<const char *>(input(2)) + count * bytes, 64),
              0);
  }
};

// Sizes of tiles, of vectors that end in a tile, and odd ones.
TEST_P(TransposeValues, Matrices) {
  for (auto [type, bytes] : {std::pair("f32", 4), std::pair("bf16", 2),
                             std::pair("f64", 8), std::pair("i8", 1)}) {
    transpose({72, 136}, {1, 0}, type, bytes);
    transpose({67, 35}, {1, 0}, type, bytes);
  }
  transpose({128, 64}, {1, 0}, "bf16", 2);
  transpose({16, 1000}, {1, 0}, "f32", 4);
}

TEST_P(TransposeValues, Permutations) {
  transpose({3, 40, 72}, {0, 2, 1}, "f32", 4);
  transpose({40, 3, 72}, {2, 1, 0}, "bf16", 2);
  transpose({2, 20, 3, 48}, {0, 3, 2, 1}, "f32", 4);
  transpose({2, 20, 3, 48}, {3, 0, 2, 1}, "bf16", 2);
  transpose({5, 16, 17, 18}, {1, 3, 0, 2}, "f32", 4);
  transpose({33, 2, 16, 24}, {2, 3, 1, 0}, "f32", 4);
}

// Two transposed inputs of different types, rows and columns that are repeated,
// positions, and an output that is read before it is overwritten.
TEST_P(TransposeValues, InFusedBodies) {
  auto *halves = reinterpret_cast<uint16_t *>(arena.data() + (1 << 18));
  for (int i = 0; i < 80 * 48; ++i)
    halves[i] = 0x3F80 + i % 97;
  run("",
      view("x", 0, "memref<80x48xf32>") + view("h", 1, "memref<80x48xbf16>") +
          view("y", 2, "memref<48x80xf32>") + view("r", 3, "memref<80xf32>") +
          R"mlir(
    linalg.generic {indexing_maps = [affine_map<(a, b) -> (b, a)>,
        affine_map<(a, b) -> (b, a)>, affine_map<(a, b) -> (b)>, affine_map<(a, b) -> (a, b)>],
        iterator_types = ["parallel", "parallel"]}
        ins(%x, %h, %r : memref<80x48xf32>, memref<80x48xbf16>, memref<80xf32>)
        outs(%y : memref<48x80xf32>) {
    ^bb0(%in: f32, %half: bf16, %row: f32, %out: f32):
      %i = linalg.index 0 : index
      %j = linalg.index 1 : index
      %w = arith.extf %half : bf16 to f32
      %p = arith.mulf %in, %w : f32
      %q = arith.addf %p, %row : f32
      %s = arith.addf %q, %out : f32
      %before = arith.cmpi sle, %j, %i : index
      %v = arith.select %before, %s, %zero : f32
      linalg.yield %v : f32
    }
  )mlir");
  for (int a = 0; a < 48; ++a)
    for (int b = 0; b < 80; ++b) {
      uint32_t bits =
          uint32_t(reinterpret_cast<const uint16_t *>(input(1))[b * 48 + a])
          << 16;
      float half;
      std::memcpy(&half, &bits, sizeof(half));
      float product = input(0)[b * 48 + a] * half;
      float sum = product + input(3)[b];
      float expected = b <= a ? sum + input(2)[a * 80 + b] : 0.0f;
      EXPECT_EQ(output(2)[a * 80 + b], expected);
    }
}

// A mask and a part of a matrix, whose rows begin where memory is not aligned.
TEST_P(TransposeValues, MasksAndParts) {
  run("", view("x", 0, "memref<70x45xf32>") + view("m", 1, "memref<40x64xi1>") +
              view("y", 2, "memref<64x40xf32>") + R"mlir(
    %part = memref.reinterpret_cast %x to offset: [3], sizes: [64, 40],
        strides: [45, 1] : memref<70x45xf32> to memref<64x40xf32, strided<[45, 1], offset: 3>>
    linalg.generic {indexing_maps = [affine_map<(a, b) -> (b, a)>,
        affine_map<(a, b) -> (a, b)>], iterator_types = ["parallel", "parallel"]}
        ins(%part : memref<64x40xf32, strided<[45, 1], offset: 3>>) outs(%m : memref<40x64xi1>) {
    ^bb0(%in: f32, %out: i1):
      %p = arith.cmpf ogt, %in, %zero : f32
      linalg.yield %p : i1
    }
    linalg.generic {indexing_maps = [affine_map<(a, b) -> (b, a)>,
        affine_map<(a, b) -> (a, b)>, affine_map<(a, b) -> (a, b)>],
        iterator_types = ["parallel", "parallel"]}
        ins(%m, %part : memref<40x64xi1>, memref<64x40xf32, strided<[45, 1], offset: 3>>)
        outs(%y : memref<64x40xf32>) {
    ^bb0(%mask: i1, %in: f32, %out: f32):
      %s = arith.select %mask, %in, %zero : f32
      linalg.yield %s : f32
    }
  )mlir");
  for (int a = 0; a < 64; ++a)
    for (int b = 0; b < 40; ++b)
      EXPECT_EQ(output(2)[a * 40 + b],
                std::max(0.0f, input(0)[a * 45 + 3 + b]));
}

INSTANTIATE_TEST_SUITE_P(Targets, TransposeValues,
                         ::testing::Values(Backend::CPU, Backend::GPU),
                         [](const auto &info) {
                           return info.param == Backend::CPU ? "CPU" : "GPU";
                         });

} // namespace
