//===- Optimizer.cuh - Kernels of AdamW and of norms ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_RUNTIME_CUDA_KERNELS_OPTIMIZER_CUH
#define BOOST_RUNTIME_CUDA_KERNELS_OPTIMIZER_CUH

#include "SumSizes.h"
#include "Types.cuh"
#include "boost-runtime/Runtime.h"

namespace boost_rt {

//===----------------------------------------------------------------------===//
// AdamW
//===----------------------------------------------------------------------===//

struct AdamWStep {
  float beta1, beta2, eps, scale;
  /// lr / (1 - beta1^t), 1 / sqrt(1 - beta2^t), 1 - lr decay.
  float stepSize, rootCorrection, shrink;
};

__device__ inline AdamWStep getAdamWStep(float lr, float t, float scale,
                                         float beta1, float beta2, float eps,
                                         float decay) {
  double rate = lr;
  double correction1 = 1.0 - pow(double(beta1), double(t));
  double correction2 = 1.0 - pow(double(beta2), double(t));
  return {beta1,
          beta2,
          eps,
          scale,
          float(rate / correction1),
          float(1.0 / sqrt(correction2)),
          float(1.0 - rate * decay)};
}

/// Infinity and NaN are not.
template <typename T> __device__ inline bool isFinite(T value) {
  return __builtin_isfinite(ComputeOf<T>(value));
}

/// Returns whether the new p and v are finite.
template <typename T, typename Grad>
__device__ inline bool updateElement(const AdamWStep &a, T &p, float &m,
                                     float &v, Grad g) {
  using Sum = ComputeOf<T>;
  float gradient = a.scale * float(g);
  m = a.beta1 * m + (1.0f - a.beta1) * gradient;
  v = a.beta2 * v + (1.0f - a.beta2) * gradient * gradient;
  float denominator = __fsqrt_rn(v) * a.rootCorrection + a.eps;
  p = T(Sum(p) * Sum(a.shrink) - Sum(a.stepSize * m / denominator));
  return isFinite(p) && isFinite(v);
}

/// Four elements at a time.
template <typename T, typename Grad>
__device__ inline bool
updateVector(const AdamWStep &step, T *__restrict__ p, float *__restrict__ m,
             float *__restrict__ v, const Grad *__restrict__ g) {
  Vector<T, 4> ps = loadVector<4>(p);
  Vector<float, 4> ms = loadVector<4>(m), vs = loadVector<4>(v);
  Vector<Grad, 4> gs = loadVector<4>(g);
  bool isFine = true;
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    T newP = ps[i];
    float newM = ms[i], newV = vs[i];
    isFine &= updateElement(step, newP, newM, newV, Grad(gs[i]));
    ps[i] = newP;
    ms[i] = newM;
    vs[i] = newV;
  }
  storeVector(p, ps);
  storeVector(m, ms);
  storeVector(v, vs);
  return isFine;
}

template <typename T, typename Grad>
__device__ inline void
runAdamW(T *__restrict__ p, float *__restrict__ m, float *__restrict__ v,
         const Grad *__restrict__ g, const AdamWStep &step, int64_t count,
         bool isWide, int32_t *nonFinite) {
  bool isFine = true;
  for (int64_t i = getThread() * 4; i < count; i += getNumThreads() * 4) {
    if (isWide && i + 4 <= count)
      isFine &= updateVector(step, p + i, m + i, v + i, g + i);
    else
      for (int64_t j = i; j < i + 4 && j < count; ++j)
        isFine &= updateElement(step, p[j], m[j], v[j], g[j]);
  }
  if (!isFine)
    atomicOr(nonFinite, 1);
}

//===----------------------------------------------------------------------===//
// Sums of squares
//===----------------------------------------------------------------------===//

/// The sum of one launch after the other, by tensor of a launch and block.
__device__ double squareSums[sumTensors * sumBlocks];

/// The sum over the block, in its first thread.
__device__ inline double addThreads(double value) {
  __shared__ double sums[kThreads / kWarp];
  value = addLanes<kWarp>(value);
  if (threadIdx.x % kWarp == 0)
    sums[threadIdx.x / kWarp] = value;
  __syncthreads();
  double total = 0;
  if (threadIdx.x == 0)
    for (double sum : sums)
      total += sum;
  return total;
}

template <typename T>
__device__ inline double addSquares(const T *__restrict__ data, int64_t count) {
  constexpr int width = kPack<T>;
  bool isWide = reinterpret_cast<uintptr_t>(data) % 16 == 0;
  double sum = 0;
  for (int64_t i = getThread() * width; i < count;
       i += getNumThreads() * width) {
    if (isWide && i + width <= count) {
      Pack<T> values = loadPack(data + i);
#pragma unroll
      for (int j = 0; j < width; ++j)
        sum +=
            double(ComputeOf<T>(values[j])) * double(ComputeOf<T>(values[j]));
    } else {
      for (int64_t j = i; j < i + width && j < count; ++j)
        sum += double(ComputeOf<T>(data[j])) * double(ComputeOf<T>(data[j]));
    }
  }
  return sum;
}

__device__ inline double addSquares(const void *data, int64_t count,
                                    int32_t type) {
  switch (type) {
  case BOOST_RT_BF16:
    return addSquares(static_cast<const __bf16 *>(data), count);
  case BOOST_RT_F16:
    return addSquares(static_cast<const _Float16 *>(data), count);
  case BOOST_RT_F64:
    return addSquares(static_cast<const double *>(data), count);
  default:
    return addSquares(static_cast<const float *>(data), count);
  }
}

} // namespace boost_rt

#define BOOST_ADAMW(SUFFIX, T, GRAD)                                           \
  extern "C" __global__ void __launch_bounds__(boost_rt::kThreads)             \
      boost_adamw_##SUFFIX(                                                    \
          T *p, float *m, float *v, const GRAD *g, const float *lr,            \
          const float *t, const float *scale, const float *beta1,              \
          const float *beta2, const float *eps, const float *decay,            \
          int32_t decays, int64_t count, int32_t isWide, int32_t *nonFinite) { \
    __shared__ boost_rt::AdamWStep step;                                       \
    if (threadIdx.x == 0)                                                      \
      step = boost_rt::getAdamWStep(*lr, *t, *scale, *beta1, *beta2, *eps,     \
                                    decays ? *decay : 0.0f);                   \
    __syncthreads();                                                           \
    boost_rt::runAdamW(p, m, v, g, step, count, isWide, nonFinite);            \
  }
BOOST_ADAMW(f32, float, float)
BOOST_ADAMW(bf16, __bf16, __bf16)
BOOST_ADAMW(bf16_f32, __bf16, float)
BOOST_ADAMW(f16, _Float16, _Float16)
BOOST_ADAMW(f16_f32, _Float16, float)
BOOST_ADAMW(f64, double, double)
BOOST_ADAMW(f64_f32, double, float)
#undef BOOST_ADAMW

/// Tensors are rows of the grid.
extern "C" __global__ void __launch_bounds__(boost_rt::kThreads)
    boost_add_squares(const void *data0, const void *data1, const void *data2,
                      const void *data3, int64_t count0, int64_t count1,
                      int64_t count2, int64_t count3, int32_t type0,
                      int32_t type1, int32_t type2, int32_t type3,
                      int32_t isFirst) {
  using namespace boost_rt;
  unsigned tensor = blockIdx.y;
  const void *data = tensor == 0   ? data0
                     : tensor == 1 ? data1
                     : tensor == 2 ? data2
                                   : data3;
  int64_t count = tensor == 0   ? count0
                  : tensor == 1 ? count1
                  : tensor == 2 ? count2
                                : count3;
  int32_t type = tensor == 0   ? type0
                 : tensor == 1 ? type1
                 : tensor == 2 ? type2
                               : type3;
  // A block that has no element has at least 256 * 2 before it.
  bool isIdle = int64_t(blockIdx.x) * kThreads * 2 >= count;
  double sum = isIdle ? 0 : addThreads(addSquares(data, count, type));
  double &part = squareSums[tensor * sumBlocks + blockIdx.x];
  if (threadIdx.x == 0)
    part = isFirst ? sum : part + sum;
}

/// One block.
extern "C" __global__ void __launch_bounds__(boost_rt::kThreads)
    boost_finish_sum_of_squares(float *out) {
  using namespace boost_rt;
  double sum = 0;
  for (int i = threadIdx.x; i < sumTensors * sumBlocks; i += kThreads)
    sum += squareSums[i];
  sum = addThreads(sum);
  if (threadIdx.x == 0)
    *out = float(sum);
}

#endif // BOOST_RUNTIME_CUDA_KERNELS_OPTIMIZER_CUH
