//===- TensorCores.cuh - Products of matrices of 16-bit floats --*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Warps multiply matrices of 16 x 16 with sums in f32. Which lane holds which
// number of a sum is nobody's business but the GPU's: rows are scaled by a
// matrix of factors, and leave through shared memory.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_RUNTIME_CUDA_KERNELS_TENSORCORES_CUH
#define BOOST_RUNTIME_CUDA_KERNELS_TENSORCORES_CUH

#include "AttentionScores.cuh"

#include <mma.h>

namespace boost_rt {

template <typename T> struct MatrixType;
template <> struct MatrixType<__bf16> {
  using Type = __nv_bfloat16;
};
template <> struct MatrixType<_Float16> {
  using Type = __half;
};

/// The side of a matrix.
constexpr int kMatrix = 16;

namespace wmma = nvcuda::wmma;
using Sums =
    wmma::fragment<wmma::accumulator, kMatrix, kMatrix, kMatrix, float>;

/// Rows of 16-bit floats in shared memory, `columns` of each and 8 that keep
/// the same column of successive rows in different banks.
template <typename T, int columns> class MatrixRows {
public:
  static constexpr int stride = columns + 8;
  using Cuda = typename MatrixType<T>::Type;
  template <typename Layout>
  using Left =
      wmma::fragment<wmma::matrix_a, kMatrix, kMatrix, kMatrix, Cuda, Layout>;
  template <typename Layout>
  using Right =
      wmma::fragment<wmma::matrix_b, kMatrix, kMatrix, kMatrix, Cuda, Layout>;

  __device__ explicit MatrixRows(T *data) : data(data) {}

  /// Takes `rows` rows from `first`, and zeros for those and for columns that
  /// there are not. All threads of the block take part.
  template <int rows>
  __device__ void stage(const HeadRows<const T> &from, int64_t first,
                        int64_t width) const {
    constexpr int perRow = columns / kPack<T>;
#pragma unroll 2
    for (int i = threadIdx.x; i < rows * perRow; i += blockDim.x) {
      int row = i / perRow, column = i % perRow * kPack<T>;
      Words words = {};
      if (first + row < from.rows && column < width)
        words = *reinterpret_cast<const Words *>(
            from.data + (first + row) * from.stride + column);
      *reinterpret_cast<Words *>(data + row * stride + column) = words;
    }
  }

  /// Sixteen rows from `row` and as many columns.
  __device__ void load(Left<wmma::row_major> &matrix, int row,
                       int column) const {
    wmma::load_matrix_sync(matrix, at(row, column), stride);
  }
  __device__ void load(Right<wmma::row_major> &matrix, int row,
                       int column) const {
    wmma::load_matrix_sync(matrix, at(row, column), stride);
  }
  /// The transpose of these.
  __device__ void load(Right<wmma::col_major> &matrix, int row,
                       int column) const {
    wmma::load_matrix_sync(matrix, at(row, column), stride);
  }

private:
  __device__ const Cuda *at(int row, int column) const {
    return reinterpret_cast<const Cuda *>(data + row * stride + column);
  }

  T *data;
};

/// Sixteen rows of `columns` numbers that belong to a warp, in shared memory:
/// f32, or 16-bit floats in the same place. Two lanes have a row together, four
/// columns each in turn.
template <typename T, int columns> class WarpRows {
public:
  /// Distance of rows in f32, 8 more than a multiple of the banks; 16-bit
  /// floats have twice that.
  static constexpr int stride = columns + 8;
  static constexpr int perLane = columns / 2;
  /// Bytes of a warp.
  static constexpr int bytes = kMatrix * stride * 4;

  __device__ explicit WarpRows(unsigned char *shared)
      : data(reinterpret_cast<float *>(shared)) {}

  __device__ static int getRow() { return threadIdx.x % kWarp / 2; }
  /// Returns the column of the number i of a lane.
  __device__ static int getColumn(int i) {
    return (i / 4 * 2 + threadIdx.x % 2) * 4 + i % 4;
  }

  /// Columns from `column`, which other lanes may have yet to see.
  __device__ void put(const Sums &sums, int column) const {
    wmma::store_matrix_sync(data + column, sums, stride, wmma::mem_row_major);
  }

  __device__ void get(float (&values)[perLane]) const {
#pragma unroll
    for (int i = 0; i < perLane; i += 4) {
      Vector<float, 4> four =
          loadVector<4>(data + getRow() * stride + getColumn(i));
#pragma unroll
      for (int j = 0; j < 4; ++j)
        values[i + j] = four[j];
    }
  }

  /// Rounds numbers of the lane to 16-bit floats, in place of what was there.
  __device__ void putRounded(const float (&values)[perLane]) const {
    T *rows = reinterpret_cast<T *>(data);
#pragma unroll
    for (int i = 0; i < perLane; i += 4) {
      Vector<T, 4> four;
#pragma unroll
      for (int j = 0; j < 4; ++j)
        four[j] = T(values[i + j]);
      storeVector(rows + getRow() * 2 * stride + getColumn(i), four);
    }
  }

  /// Sixteen columns of them.
  template <typename Left>
  __device__ void loadRounded(Left &matrix, int column) const {
    using Cuda = typename MatrixType<T>::Type;
    wmma::load_matrix_sync(
        matrix, reinterpret_cast<const Cuda *>(data) + column, 2 * stride);
  }

  float *data;
};

/// Writes the sums of a warp, columns of 16 times `parts`, times a factor of
/// each row, to rows from `first`. They pass through `rows`.
template <int parts, typename T, int columns>
__device__ inline void
storeSums(const Sums (&sums)[parts], const WarpRows<T, columns> &rows,
          float factor, const HeadRows<T> &to, int64_t first, int64_t width) {
  using Rows = WarpRows<T, columns>;
  constexpr int perPiece = columns / kMatrix;
  int64_t row = first + Rows::getRow();
#pragma unroll
  for (int part = 0; part < parts; part += perPiece) {
    __syncwarp();
#pragma unroll
    for (int i = 0; i < perPiece; ++i)
      rows.put(sums[part + i], i * kMatrix);
    __syncwarp();
    float values[Rows::perLane];
    rows.get(values);
#pragma unroll
    for (int i = 0; i < Rows::perLane; i += 4) {
      int64_t column = part * kMatrix + Rows::getColumn(i);
      Vector<T, 4> four;
#pragma unroll
      for (int j = 0; j < 4; ++j)
        four[j] = T(values[i + j] * factor);
      if (row < to.rows && column < width)
        storeVector(to.data + row * to.stride + column, four);
    }
  }
}

} // namespace boost_rt

#endif // BOOST_RUNTIME_CUDA_KERNELS_TENSORCORES_CUH
