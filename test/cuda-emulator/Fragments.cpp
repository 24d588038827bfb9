//===- Fragments.cpp - Fragments of emulated warps -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mma.sync of m16n8k16 with 16-bit floats and sums in f32, and ldmatrix, with
// the fragments that the PTX ISA gives them. A GPU adds in another order and
// precision, so tests need the tolerance of f32 sums.
//
//===----------------------------------------------------------------------===//

#include "GridImpl.h"

using namespace boost_emu;

// What the compiler says, as numbers (compiler/HostIntrinsics.cpp).
enum ElementIndex : uint32_t { kBF16, kF16 };

/// Words of the buffer where operands and results begin.
static constexpr uint32_t kWordOfB = 4, kWordOfC = 6, kResultWord = 12;
/// Rows, and bytes of a row, of a matrix of 16-bit numbers that ldmatrix loads.
static constexpr uint32_t kSide = 8, kRowBytes = 16;

static void requireWholeWarp(Grid &grid, const char *what) {
  if (grid.getWarpMask() != ~0u)
    grid.fail(std::string("a part of a warp ") + what + " matrices");
}

//===----------------------------------------------------------------------===//
// ldmatrix
//===----------------------------------------------------------------------===//

static const char *getLoadName(uint32_t count, bool isTransposed) {
  static constexpr const char *names[2][3] = {
      {"ldmatrix.x1", "ldmatrix.x2", "ldmatrix.x4"},
      {"ldmatrix.x1.trans", "ldmatrix.x2.trans", "ldmatrix.x4.trans"}};
  return names[isTransposed][count / 2];
}

/// The lanes 8 i to 8 i + 7 have the addresses of the rows of matrix i; what
/// others have is not used.
void boost_emu_ldmatrix(uint32_t *words, uint32_t address, uint32_t count,
                        uint32_t isTransposed) {
  Grid &grid = Grid::current();
  requireWholeWarp(grid, "loads");
  uint32_t lane = grid.getLane();
  WarpFragments &fragments = grid.getFragments();
  WarpFragments::Rows &rows = fragments.rows[fragments.next(lane)];
  if (lane < count * kSide) {
    if (address % kRowBytes)
      grid.fail("a row of a matrix is at an address that is not a multiple of "
                "16 bytes");
    const char *row = grid.findShared(address, kRowBytes);
    grid.recordAccess(row, kRowBytes, /*isWrite=*/false, /*isAtomic=*/false);
    std::memcpy(rows[lane].data(), row, kRowBytes);
  }
  grid.meetWarp(getLoadName(count, isTransposed), ~0u, 0);
  uint32_t row = lane / 4, column = lane % 4 * 2;
  for (uint32_t i = 0; i < count; ++i) {
    const auto *matrix = &rows[i * kSide];
    uint32_t low = isTransposed ? matrix[column][row] : matrix[row][column];
    uint32_t high =
        isTransposed ? matrix[column + 1][row] : matrix[row][column + 1];
    words[kResultWord + i] = low | high << 16;
  }
}

//===----------------------------------------------------------------------===//
// mma.sync
//===----------------------------------------------------------------------===//

static float widen(uint16_t bits, uint32_t type) {
  if (type == kF16) {
    _Float16 half;
    std::memcpy(&half, &bits, sizeof(half));
    return half;
  }
  uint32_t word = uint32_t(bits) << 16;
  float value;
  std::memcpy(&value, &word, sizeof(value));
  return value;
}

/// Number `index` of 16-bit floats.
static float getHalf(const uint32_t *words, uint32_t index, uint32_t type) {
  return widen(static_cast<uint16_t>(words[index / 2] >> index % 2 * 16), type);
}

/// PTX, "Matrix Fragments for mma.m16n8k16 with floating point type": a lane
/// has numbers of the rows lane / 4 and 8 below of A and C, and of the column
/// lane / 4 of B.
static void putOperands(WarpFragments::Operands &to, const uint32_t *words,
                        uint32_t lane, uint32_t type) {
  uint32_t group = lane / 4, inGroup = lane % 4;
  for (uint32_t i = 0; i < 8; ++i)
    to.a[group + i / 2 % 2 * 8][inGroup * 2 + i % 2 + i / 4 * 8] =
        getHalf(words, i, type);
  for (uint32_t i = 0; i < 4; ++i)
    to.b[inGroup * 2 + i % 2 + i / 2 * 8][group] =
        getHalf(words + kWordOfB, i, type);
}

void boost_emu_mma(uint32_t *words, uint32_t type) {
  Grid &grid = Grid::current();
  requireWholeWarp(grid, "multiplies");
  uint32_t lane = grid.getLane();
  WarpFragments &fragments = grid.getFragments();
  WarpFragments::Operands &operands = fragments.operands[fragments.next(lane)];
  putOperands(operands, words, lane, type);
  grid.meetWarp(type == kF16 ? "mma.sync of f16" : "mma.sync of bf16", ~0u, 0);
  for (uint32_t i = 0; i < 4; ++i) {
    uint32_t row = lane / 4 + i / 2 * 8, column = lane % 4 * 2 + i % 2;
    float sum;
    std::memcpy(&sum, words + kWordOfC + i, sizeof(sum));
    for (uint32_t k = 0; k < 16; ++k)
      sum += operands.a[row][k] * operands.b[k][column];
    std::memcpy(words + kResultWord + i, &sum, sizeof(sum));
  }
}
