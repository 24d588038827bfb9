//===- Factorization.cuh - Kernels around cuSOLVER --------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// They copy matrices between the row-major tensors of programs and the
// column-major ones of cuSOLVER, and define what cuSOLVER leaves open.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_RUNTIME_CUDA_KERNELS_FACTORIZATION_CUH
#define BOOST_RUNTIME_CUDA_KERNELS_FACTORIZATION_CUH

#include "FactorizationSizes.h"
#include "Types.cuh"

namespace boost_rt {

/// A block copies a matrix, transposed if `isTransposed`, and zeros in place of
/// one that has elements that are not finite, which `failed` counts. Of a
/// symmetric matrix only the lower triangle is read.
template <typename T>
__device__ inline void loadMatrix(const T *__restrict__ from,
                                  T *__restrict__ to, int32_t *failed,
                                  int64_t rows, int64_t columns,
                                  int32_t isTransposed, int32_t isTriangle) {
  int64_t size = rows * columns, first = blockIdx.x * size;
  bool isFinite = true;
  for (int64_t i = threadIdx.x; i < size; i += kThreads) {
    bool isRead = !isTriangle || i % columns <= i / columns;
    T element = from[first + i];
    // Differences of infinities and NaNs are NaN.
    isFinite &= !isRead || element - element == 0;
  }
  __shared__ int32_t isBad;
  if (threadIdx.x == 0)
    isBad = failed[blockIdx.x] != 0;
  __syncthreads();
  if (!isFinite)
    isBad = 1;
  __syncthreads();
  bool isZero = isBad;
  if (threadIdx.x == 0)
    failed[blockIdx.x] = isZero;
  for (int64_t i = threadIdx.x; i < size; i += kThreads) {
    int64_t row = i / columns, column = i % columns;
    bool isRead = !isZero && (!isTriangle || column <= row);
    to[first + (isTransposed ? column * rows + row : i)] =
        isRead ? from[first + i] : T(0);
  }
}

/// A block copies a matrix of a result, or fills it with NaN where the
/// factorization failed. `from` is column-major if `isTransposed`. Above the
/// diagonal are zeros if `isTriangle`.
template <typename T>
__device__ inline void
storeMatrix(const T *__restrict__ from, T *__restrict__ to,
            const int32_t *failed, const int32_t *status, int64_t rows,
            int64_t columns, int32_t isTransposed, int32_t isTriangle) {
  int64_t size = rows * columns, first = blockIdx.x * size;
  bool hasFailed = failed[blockIdx.x] != 0 || status[blockIdx.x] != 0;
  for (int64_t i = threadIdx.x; i < size; i += kThreads) {
    int64_t row = i / columns, column = i % columns;
    T element = from[first + (isTransposed ? column * rows + row : i)];
    if (isTriangle && column > row)
      element = 0;
    to[first + i] = hasFailed ? T(__builtin_nanf("")) : element;
  }
}

template <typename T>
__device__ inline void negate(T *vector, int64_t distance, int64_t elements) {
#pragma unroll 1
  for (int64_t i = 0; i < elements; ++i)
    vector[i * distance] = -vector[i * distance];
}

/// Turns pairs of vectors so that the sum of vector[i] * weight[i] is positive
/// for the left one, or for the right one where there is no left one. weight[i]
/// is 1 plus the fractional part of i times the golden ratio. Grid columns are
/// matrices; a thread has a pair.
template <typename T>
__device__ inline void chooseSigns(T *left, VectorSizes ofLeft, T *right,
                                   VectorSizes ofRight) {
  int64_t number = int64_t(blockIdx.y) * kThreads + threadIdx.x;
  bool hasLeft = number < ofLeft.vectors, hasRight = number < ofRight.vectors;
  if (!hasLeft && !hasRight)
    return;
  left += blockIdx.x * ofLeft.matrix + number * ofLeft.vector;
  right += blockIdx.x * ofRight.matrix + number * ofRight.vector;
  const T *decides = hasLeft ? left : right;
  int64_t distance = hasLeft ? ofLeft.element : ofRight.element;
  int64_t elements = hasLeft ? ofLeft.elements : ofRight.elements;
  double sum = 0;
#pragma unroll 1
  for (int64_t i = 0; i < elements; ++i) {
    double multiple = double(i) * 0.6180339887498949;
    sum += (1 + multiple - double(int64_t(multiple))) *
           double(decides[i * distance]);
  }
  if (!(sum < 0))
    return;
  if (hasLeft)
    negate(left, ofLeft.element, ofLeft.elements);
  if (hasRight)
    negate(right, ofRight.element, ofRight.elements);
}

} // namespace boost_rt

#define BOOST_FACTORIZATION(NAME, T)                                           \
  extern "C" __global__ void __launch_bounds__(boost_rt::kThreads)             \
      boost_load_matrices_##NAME(const T *from, T *to, int32_t *failed,        \
                                 int64_t rows, int64_t columns,                \
                                 int32_t isTransposed, int32_t isTriangle) {   \
    boost_rt::loadMatrix(from, to, failed, rows, columns, isTransposed,        \
                         isTriangle);                                          \
  }                                                                            \
  extern "C" __global__ void __launch_bounds__(boost_rt::kThreads)             \
      boost_store_matrices_##NAME(const T *from, T *to, const int32_t *failed, \
                                  const int32_t *status, int64_t rows,         \
                                  int64_t columns, int32_t isTransposed,       \
                                  int32_t isTriangle) {                        \
    boost_rt::storeMatrix(from, to, failed, status, rows, columns,             \
                          isTransposed, isTriangle);                           \
  }                                                                            \
  extern "C" __global__ void __launch_bounds__(boost_rt::kThreads)             \
      boost_choose_signs_##NAME(T *left, boost_rt::VectorSizes ofLeft,         \
                                T *right, boost_rt::VectorSizes ofRight) {     \
    boost_rt::chooseSigns(left, ofLeft, right, ofRight);                       \
  }
BOOST_FACTORIZATION(f32, float)
BOOST_FACTORIZATION(f64, double)
#undef BOOST_FACTORIZATION

/// The addresses of the matrices of a batch.
extern "C" __global__ void __launch_bounds__(boost_rt::kThreads)
    boost_list_matrices(char *matrices, char **list, int64_t bytes,
                        int64_t batch) {
  int64_t i = int64_t(blockIdx.x) * boost_rt::kThreads + threadIdx.x;
  if (i < batch)
    list[i] = matrices + i * bytes;
}

#endif // BOOST_RUNTIME_CUDA_KERNELS_FACTORIZATION_CUH
