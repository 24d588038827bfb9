//===- Optimizer.cuh - Kernels of AdamW and of norms ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_RUNTIME_CUDA_KERNELS_OPTIMIZER_CUH
#define BOOST_RUNTIME_CUDA_KERNELS_OPTIMIZER_CUH

#include "TensorTables.h"
#include "Types.cuh"

namespace boost_rt {

/// Calls body(tensor, begin, length) with every chunk of the block: elements
/// [begin, begin + length).
template <int maxTensors, typename Body>
__device__ inline void forChunks(const ChunkTable<maxTensors> &table,
                                 Body body) {
  int tensor = 0;
  for (int64_t chunk = blockIdx.x; chunk < table.chunks; chunk += gridDim.x) {
    while (chunk >= table.ends[tensor])
      ++tensor;
    int64_t before = tensor == 0 ? 0 : table.ends[tensor - 1];
    int64_t begin = (chunk - before) * chunkElements;
    int64_t rest = table.counts[tensor] - begin;
    body(tensor, begin, int(rest < chunkElements ? rest : chunkElements));
  }
}

//===----------------------------------------------------------------------===//
// AdamW
//===----------------------------------------------------------------------===//

struct AdamWStep {
  float beta1, beta2, share1, share2, eps, scale;
  /// lr / (1 - beta1^t), 1 / sqrt(1 - beta2^t), epsRoot (1 - beta2^t), and
  /// 1 - lr decay or 1.
  float stepSize, rootCorrection, epsRoot, shrink;
};

/// The coefficients after bias correction, which depend on the step.
struct Corrections {
  float stepSize, rootCorrection, epsRoot;
};

/// By the first two threads, side by side: a power takes long, and registers.
__device__ inline void correct(Corrections &corrections,
                               const AdamWNumbers &numbers) {
  if (threadIdx.x > 1)
    return;
  double beta =
      *numbers
           .at[threadIdx.x == 0 ? BOOST_RT_ADAMW_BETA1 : BOOST_RT_ADAMW_BETA2];
  double correction = 1.0 - pow(beta, double(*numbers.at[BOOST_RT_ADAMW_STEP]));
  if (threadIdx.x == 0) {
    corrections.stepSize =
        float(double(*numbers.at[BOOST_RT_ADAMW_LR]) / correction);
    return;
  }
  corrections.rootCorrection = float(1.0 / sqrt(correction));
  corrections.epsRoot =
      float(double(*numbers.at[BOOST_RT_ADAMW_EPS_ROOT]) * correction);
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
  m = a.beta1 * m + a.share1 * gradient;
  v = a.beta2 * v + a.share2 * gradient * gradient;
  float denominator = __fsqrt_rn(v + a.epsRoot) * a.rootCorrection + a.eps;
  p = T(Sum(p) * Sum(a.shrink) - Sum(a.stepSize * m / denominator));
  return isFinite(p) && isFinite(v);
}

/// No rounded parameter is written.
struct NotRounded {};

template <typename Rounded> constexpr bool isRounded = true;
template <> constexpr bool isRounded<NotRounded> = false;

/// `width` elements at a time.
template <int width, typename T, typename Grad, typename Rounded>
__device__ inline bool
updateVector(const AdamWStep &step, T *__restrict__ p, float *__restrict__ m,
             float *__restrict__ v, const Grad *__restrict__ g,
             Rounded *__restrict__ rounded) {
  Vector<T, width> ps = loadVector<width>(p);
  Vector<float, width> ms = loadVector<width>(m), vs = loadVector<width>(v);
  Vector<Grad, width> gs = loadVector<width>(g);
  bool isFine = true;
#pragma unroll
  for (int i = 0; i < width; ++i) {
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
  if constexpr (isRounded<Rounded>) {
    Vector<Rounded, width> narrow;
#pragma unroll
    for (int i = 0; i < width; ++i)
      narrow[i] = Rounded(ps[i]);
    storeVector(rounded, narrow);
  }
  return isFine;
}

template <int width, typename T> __device__ inline bool isAligned(T *data) {
  return reinterpret_cast<uintptr_t>(data) % (width * sizeof(T)) == 0;
}

/// The elements of a chunk.
template <typename T, typename Grad, typename Rounded>
__device__ inline bool updateChunk(const AdamWStep &step, T *__restrict__ p,
                                   float *__restrict__ m, float *__restrict__ v,
                                   const Grad *__restrict__ g,
                                   Rounded *__restrict__ rounded, int length) {
  constexpr int width = 4;
  bool isWide = isAligned<width>(p) && isAligned<width>(m) &&
                isAligned<width>(v) && isAligned<width>(g) &&
                (!isRounded<Rounded> || isAligned<width>(rounded));
  bool isFine = true;
  for (int i = int(threadIdx.x) * width; i < length; i += kThreads * width) {
    if (isWide && i + width <= length)
      isFine &= updateVector<width>(step, p + i, m + i, v + i, g + i,
                                    isRounded<Rounded> ? rounded + i : rounded);
    else
      for (int j = i; j < i + width && j < length; ++j) {
        isFine &= updateElement(step, p[j], m[j], v[j], g[j]);
        if constexpr (isRounded<Rounded>)
          rounded[j] = Rounded(p[j]);
      }
  }
  return isFine;
}

template <typename T, typename Grad, typename Rounded = NotRounded>
__device__ inline void
runAdamW(const UpdateTable &table, const AdamWNumbers &numbers,
         const Corrections &corrections, int32_t *nonFinite) {
  auto read = [&](boost_rt_adamw_number number) { return *numbers.at[number]; };
  float shrinkOfDecaying =
      float(1.0 - double(read(BOOST_RT_ADAMW_LR)) * read(BOOST_RT_ADAMW_DECAY));
  AdamWStep step = {read(BOOST_RT_ADAMW_BETA1),  read(BOOST_RT_ADAMW_BETA2),
                    read(BOOST_RT_ADAMW_SHARE1), read(BOOST_RT_ADAMW_SHARE2),
                    read(BOOST_RT_ADAMW_EPS),    read(BOOST_RT_ADAMW_SCALE),
                    corrections.stepSize,        corrections.rootCorrection,
                    corrections.epsRoot,         1.0f};
  bool isFine = true;
  forChunks(table.chunks, [&](int tensor, int64_t begin, int length) {
    step.shrink = table.decays[tensor] ? shrinkOfDecaying : 1.0f;
    auto *rounded = static_cast<Rounded *>(table.rounded[tensor]);
    isFine &=
        updateChunk(step, static_cast<T *>(table.p[tensor]) + begin,
                    table.m[tensor] + begin, table.v[tensor] + begin,
                    static_cast<const Grad *>(table.g[tensor]) + begin,
                    isRounded<Rounded> ? rounded + begin : rounded, length);
  });
  if (!isFine)
    atomicOr(nonFinite, 1);
}

//===----------------------------------------------------------------------===//
// Sums of squares
//===----------------------------------------------------------------------===//

/// The sum of one launch after the other, by block.
__device__ double squareSums[sumBlocks];

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

template <typename T> __device__ inline double square(T value) {
  return double(ComputeOf<T>(value)) * double(ComputeOf<T>(value));
}

template <typename T>
__device__ inline double addSquares(const T *__restrict__ data, int length) {
  constexpr int width = kPack<T>, rounds = chunkElements / (kThreads * width);
  bool isWide = reinterpret_cast<uintptr_t>(data) % 16 == 0;
  int first = int(threadIdx.x) * width;
  double sum = 0;
  if (isWide && length == chunkElements) {
    // All loads of a chunk are on their way before the first one is there.
    Pack<T> values[rounds];
#pragma unroll
    for (int round = 0; round < rounds; ++round)
      values[round] = loadPack(data + first + round * kThreads * width);
#pragma unroll
    for (int round = 0; round < rounds; ++round)
#pragma unroll
      for (int j = 0; j < width; ++j)
        sum += square(values[round][j]);
    return sum;
  }
  for (int i = first; i < length; i += kThreads * width)
    for (int j = i; j < i + width && j < length; ++j)
      sum += square(data[j]);
  return sum;
}

__device__ inline double addSquares(const void *data, int32_t type,
                                    int64_t begin, int length) {
  switch (type) {
  case BOOST_RT_BF16:
    return addSquares(static_cast<const __bf16 *>(data) + begin, length);
  case BOOST_RT_F16:
    return addSquares(static_cast<const _Float16 *>(data) + begin, length);
  case BOOST_RT_F64:
    return addSquares(static_cast<const double *>(data) + begin, length);
  default:
    return addSquares(static_cast<const float *>(data) + begin, length);
  }
}

} // namespace boost_rt

// Two blocks of a processor keep its memory busy; for more, ptxas would spill.
#define BOOST_ADAMW(SUFFIX, ...)                                               \
  extern "C" __global__ void __launch_bounds__(boost_rt::kThreads, 2)          \
      boost_adamw_##SUFFIX(                                                    \
          const __grid_constant__ boost_rt::UpdateTable table,                 \
          const __grid_constant__ boost_rt::AdamWNumbers numbers,              \
          int32_t *nonFinite) {                                                \
    __shared__ boost_rt::Corrections corrections;                              \
    boost_rt::correct(corrections, numbers);                                   \
    __syncthreads();                                                           \
    boost_rt::runAdamW<__VA_ARGS__>(table, numbers, corrections, nonFinite);   \
  }
BOOST_ADAMW(f32, float, float)
BOOST_ADAMW(f32_bf16, float, __bf16)
BOOST_ADAMW(f32_f16, float, _Float16)
BOOST_ADAMW(f32_to_bf16, float, float, __bf16)
BOOST_ADAMW(f32_bf16_to_bf16, float, __bf16, __bf16)
BOOST_ADAMW(f32_f16_to_bf16, float, _Float16, __bf16)
BOOST_ADAMW(f32_to_f16, float, float, _Float16)
BOOST_ADAMW(f32_bf16_to_f16, float, __bf16, _Float16)
BOOST_ADAMW(f32_f16_to_f16, float, _Float16, _Float16)
BOOST_ADAMW(bf16, __bf16, __bf16)
BOOST_ADAMW(bf16_f32, __bf16, float)
BOOST_ADAMW(f16, _Float16, _Float16)
BOOST_ADAMW(f16_f32, _Float16, float)
BOOST_ADAMW(f64, double, double)
BOOST_ADAMW(f64_f32, double, float)
#undef BOOST_ADAMW

extern "C" __global__ void __launch_bounds__(boost_rt::kThreads)
    boost_add_squares(const __grid_constant__ boost_rt::SquareTable table,
                      int32_t isFirst) {
  using namespace boost_rt;
  double sum = 0;
  forChunks(table.chunks, [&](int tensor, int64_t begin, int length) {
    sum += addSquares(table.data[tensor], table.types[tensor], begin, length);
  });
  // All threads of a block have chunks, or none has.
  if (blockIdx.x < table.chunks.chunks)
    sum = addThreads(sum);
  double &part = squareSums[blockIdx.x];
  if (threadIdx.x == 0)
    part = isFirst ? sum : part + sum;
}

/// One block.
extern "C" __global__ void __launch_bounds__(boost_rt::kThreads)
    boost_finish_sum_of_squares(float *out) {
  using namespace boost_rt;
  double sum = 0;
  for (int i = threadIdx.x; i < sumBlocks; i += kThreads)
    sum += squareSums[i];
  sum = addThreads(sum);
  if (threadIdx.x == 0)
    *out = float(sum);
}

#endif // BOOST_RUNTIME_CUDA_KERNELS_OPTIMIZER_CUH
