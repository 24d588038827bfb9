//===- Matrices.cpp - Products of matrices by emulated warps --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// wmma of 16 x 16 x 16 with 16-bit floats and sums in f32. Each lane loads and
// stores what it holds by itself; only products wait for all lanes. A GPU adds
// in another order and precision, so tests need the tolerance of f32 sums.
//
//===----------------------------------------------------------------------===//

#include "GridImpl.h"

using namespace boost_emu;

// The compiler's numbers (lib/Target/HostIntrinsics.cpp).
enum MatrixIndex : uint32_t { kA, kB, kC };
enum ElementIndex : uint32_t { kBF16, kF16, kF32 };

static constexpr uint32_t kAddressMultiple = 32, kStrideBytes = 16;
/// Numbers of a matrix for each lane. Fragments of f16 hold each twice.
static constexpr uint32_t kPerLane = 8;
/// Words of the buffer where results begin.
static constexpr uint32_t kResultWord = 24;

static FragmentLayout fragmentLayout = FragmentLayout::Rows;

void boost_emu::setFragmentLayout(FragmentLayout layout) {
  fragmentLayout = layout;
}

namespace {
struct Place {
  uint32_t row, column;
};
} // namespace

/// Returns the position in its matrix of the number `index` of a lane.
static Place getPlace(uint32_t matrix, uint32_t lane, uint32_t index) {
  // The second half of f16's is another lane's first.
  lane ^= index / kPerLane * (kWarpSize / 2);
  index %= kPerLane;
  uint32_t at = lane * kPerLane + index;
  if (fragmentLayout == FragmentLayout::Columns)
    return {at % 16, at / 16};
  // Sums are as on sm_80: those of a lane are in two rows and four columns.
  if (matrix == kC)
    return {lane / 4 + index / 2 % 2 * 8,
            lane % 4 * 2 + index % 2 + index / 4 * 8};
  return {at / 16, at % 16};
}

static uint32_t getCount(uint32_t type) {
  return type == kF16 ? 2 * kPerLane : kPerLane;
}

static uint32_t getWidth(uint32_t type) { return type == kF32 ? 4 : 2; }

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

//===----------------------------------------------------------------------===//
// Loads and stores
//===----------------------------------------------------------------------===//

static void checkMatrix(Grid &grid, const void *data, uint32_t stride,
                        uint32_t type) {
  if (reinterpret_cast<uintptr_t>(data) % kAddressMultiple)
    grid.fail("a matrix is at an address that is not a multiple of 32 bytes");
  if (stride * getWidth(type) % kStrideBytes)
    grid.fail("rows of a matrix are " + std::to_string(stride) +
              " numbers apart, which is not a multiple of 16 bytes");
}

/// Calls visit(address, bytes of the fragment) for all numbers of the lane.
template <typename Visit>
static void forEachNumber(uint32_t *words, const void *data, uint32_t stride,
                          uint32_t matrix, bool isColumnMajor, uint32_t type,
                          bool isWrite, Visit visit) {
  Grid &grid = Grid::current();
  checkMatrix(grid, data, stride, type);
  uint32_t width = getWidth(type);
  for (uint32_t i = 0; i < getCount(type); ++i) {
    Place place = getPlace(matrix, grid.getLane(), i);
    uint64_t at = isColumnMajor ? uint64_t(place.column) * stride + place.row
                                : uint64_t(place.row) * stride + place.column;
    auto address = reinterpret_cast<uintptr_t>(data) + at * width;
    grid.recordAccess(reinterpret_cast<const void *>(address), width, isWrite,
                      /*isAtomic=*/false);
    visit(translateDeviceAddress(reinterpret_cast<void *>(address)),
          reinterpret_cast<char *>(words) + i * width);
  }
}

void boost_emu_wmma_load(uint32_t *words, const void *source, uint32_t stride,
                         uint32_t matrix, uint32_t isColumnMajor,
                         uint32_t type) {
  forEachNumber(words + kResultWord, source, stride, matrix, isColumnMajor,
                type, /*isWrite=*/false, [&](void *from, void *to) {
                  std::memcpy(to, from, getWidth(type));
                });
}

void boost_emu_wmma_store(uint32_t *words, void *destination, uint32_t stride,
                          uint32_t matrix, uint32_t isColumnMajor,
                          uint32_t type) {
  forEachNumber(words, destination, stride, matrix, isColumnMajor, type,
                /*isWrite=*/true, [&](void *to, void *from) {
                  std::memcpy(to, from, getWidth(type));
                });
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

static void putOperands(WarpMatrices::Operands &to, const uint32_t *words,
                        uint32_t lane, uint32_t type) {
  uint32_t perFragment = getCount(type) / 2;
  const uint32_t *b = words + perFragment, *c = b + perFragment;
  for (uint32_t i = 0; i < kPerLane; ++i) {
    Place place = getPlace(kA, lane, i);
    to.a[place.row][place.column] = getHalf(words, i, type);
    place = getPlace(kB, lane, i);
    to.b[place.row][place.column] = getHalf(b, i, type);
    place = getPlace(kC, lane, i);
    std::memcpy(&to.c[place.row][place.column], c + i, sizeof(float));
  }
}

static bool isSame(float a, float b) { return !std::memcmp(&a, &b, sizeof(a)); }

/// Numbers that two lanes hold must be the same.
static void checkCopies(Grid &grid, const WarpMatrices::Operands &operands,
                        const uint32_t *words, uint32_t type) {
  const uint32_t *b = words + getCount(type) / 2;
  for (uint32_t i = kPerLane; i < getCount(type); ++i) {
    Place inA = getPlace(kA, grid.getLane(), i),
          inB = getPlace(kB, grid.getLane(), i);
    if (!isSame(operands.a[inA.row][inA.column], getHalf(words, i, type)) ||
        !isSame(operands.b[inB.row][inB.column], getHalf(b, i, type)))
      grid.fail("lanes hold different values of one number of a matrix");
  }
}

static float getSum(const WarpMatrices::Operands &operands, Place place) {
  float sum = operands.c[place.row][place.column];
  for (uint32_t k = 0; k < 16; ++k)
    sum += operands.a[place.row][k] * operands.b[k][place.column];
  return sum;
}

void boost_emu_wmma_mma(uint32_t *words, uint32_t type) {
  Grid &grid = Grid::current();
  if (grid.getWarpMask() != ~0u)
    grid.fail("a part of a warp multiplies matrices");
  uint32_t lane = grid.getLane();
  WarpMatrices &matrices = grid.getMatrices();
  WarpMatrices::Operands &operands =
      matrices.operands[matrices.numProducts[lane]];
  matrices.numProducts[lane] ^= 1;
  putOperands(operands, words, lane, type);
  grid.meetWarp(type == kF16 ? "wmma.mma of f16" : "wmma.mma of bf16", ~0u, 0);
  checkCopies(grid, operands, words, type);
  for (uint32_t i = 0; i < kPerLane; ++i) {
    float sum = getSum(operands, getPlace(kC, lane, i));
    std::memcpy(words + kResultWord + i, &sum, sizeof(sum));
  }
}
