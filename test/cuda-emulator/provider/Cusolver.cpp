//===- Cusolver.cpp - Factorizations through LAPACK -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The routines of cuSOLVER that the runtime calls, with the work sizes and the
// restrictions that its manual documents.
//
//===----------------------------------------------------------------------===//

#include "Provider.h"
#include "cpu/Lapack.h"

#include <algorithm>
#include <cstdlib>
#include <sstream>
#include <vector>

using namespace boost_emu;
using namespace boost_rt::vendor;

namespace {

struct Solver {
  CudaStream stream = nullptr;
};

/// Memory that a routine touches.
struct Range {
  const void *data;
  int64_t bytes;
};

/// A number as LAPACK takes it.
struct Number {
  explicit Number(int64_t value) : value(static_cast<blasint>(value)) {}
  operator const blasint *() const { return &value; }
  blasint value;
};

} // namespace

/// Work that the emulated routines ask for, and check to be given.
static constexpr size_t kHostBytes = 64;

static size_t deviceBytes(int64_t batch = 1) {
  const char *text = std::getenv("BOOST_EMULATOR_CUSOLVER");
  return static_cast<size_t>(batch * (text ? std::atoll(text) : 4096));
}

static Solver *getSolver(SolverHandle handle) {
  return reinterpret_cast<Solver *>(handle);
}

static int64_t widthOf(int type) { return type == realF64 ? 8 : 4; }

static SolverStatus ask(size_t *device, size_t *host, int64_t batch = 1) {
  *device = deviceBytes(batch);
  *host = kHostBytes;
  return solverSuccess;
}

/// Puts a routine on the stream after what it touches has been checked.
static SolverStatus run(SolverHandle handle, const char *routine,
                        std::vector<Range> ranges,
                        std::function<void()> compute) {
  // Not every routine of cuSOLVER can be recorded.
  if (refusedByCapture(routine))
    return solverInvalidValue;
  std::ostringstream line;
  line << "{\"call\": \"" << routine << "\"}";
  auto work = [=]() -> std::string {
    for (Range range : ranges)
      if (!isAllocated(reinterpret_cast<uint64_t>(range.data),
                       static_cast<uint64_t>(range.bytes)))
        return std::string(routine) + " touches " +
               std::to_string(range.bytes) + " bytes at " +
               describeAddress(reinterpret_cast<uint64_t>(range.data)) +
               ", which is not all allocated";
    if (!skipsCompute())
      compute();
    return "";
  };
  return enqueue(getSolver(handle)->stream, line.str(), work) == cudaSuccess
             ? solverSuccess
             : solverInvalidValue;
}

template <typename T> static T *onHost(const void *device) {
  return static_cast<T *>(translateDeviceAddress(const_cast<void *>(device)));
}

/// Calls `function` with a number of the type of elements.
template <typename Function> static void forType(int type, Function function) {
  if (type == realF64)
    function(double());
  else
    function(float());
}

template <typename T>
static void factorizeCholesky(int64_t n, T *a, int64_t lda, int *info) {
  blasint result = 0;
  boost_rt::Lapack<T>::potrf("U", Number(n), a, Number(lda), &result, 1);
  *info = static_cast<int>(result);
}

template <typename T>
static SolverStatus factorizeCholeskyBatch(SolverHandle handle, int uplo, int n,
                                           T **list, int lda, int *info,
                                           int batch) {
  if (uplo != solverUpper || n < 1 || lda < n || batch < 1)
    return solverInvalidValue;
  auto count = static_cast<int64_t>(batch);
  return run(handle, "potrfBatched", {{list, count * 8}, {info, count * 4}},
             [=] {
               for (int64_t i = 0; i < count; ++i)
                 factorizeCholesky(n, onHost<T>(onHost<T *>(list)[i]), lda,
                                   onHost<int>(info) + i);
             });
}

template <typename T>
static SolverStatus buildBasis(SolverHandle handle, int m, int n, int k, T *a,
                               int lda, const T *scales, T *work, int elements,
                               int *info) {
  if (n > m || k > n || lda < m ||
      static_cast<size_t>(elements) * sizeof(T) < deviceBytes())
    return solverInvalidValue;
  auto size = static_cast<int64_t>(sizeof(T));
  return run(handle, "orgqr",
             {{a, int64_t(lda) * n * size},
              {scales, k * size},
              {work, elements * size},
              {info, 4}},
             [=] {
               std::vector<T> space(static_cast<size_t>(64 * n));
               blasint result = 0;
               boost_rt::Lapack<T>::orgqr(Number(m), Number(n), Number(k),
                                          onHost<T>(a), Number(lda),
                                          onHost<T>(scales), space.data(),
                                          Number(64 * int64_t(n)), &result);
               *onHost<int>(info) = static_cast<int>(result);
             });
}

extern "C" {

SolverStatus cusolverDnCreate(SolverHandle *handle) {
  if (deviceBytes() == 0 || refusedByCapture("cusolverDnCreate"))
    return solverNotInitialized;
  *handle = reinterpret_cast<SolverHandle>(new Solver);
  return solverSuccess;
}

SolverStatus cusolverDnDestroy(SolverHandle handle) {
  delete getSolver(handle);
  return solverSuccess;
}

SolverStatus cusolverDnSetStream(SolverHandle handle, CudaStream stream) {
  getSolver(handle)->stream = stream;
  return solverSuccess;
}

SolverStatus cusolverDnCreateParams(SolverParameters *parameters) {
  *parameters = reinterpret_cast<SolverParameters>(new int);
  return solverSuccess;
}

SolverStatus cusolverDnDestroyParams(SolverParameters parameters) {
  delete reinterpret_cast<int *>(parameters);
  return solverSuccess;
}

SolverStatus cusolverDnXpotrf_bufferSize(SolverHandle, SolverParameters, int,
                                         int64_t, int, const void *, int64_t,
                                         int, size_t *device, size_t *host) {
  return ask(device, host);
}

SolverStatus cusolverDnXpotrf(SolverHandle handle, SolverParameters, int uplo,
                              int64_t n, int type, void *a, int64_t lda, int,
                              void *work, size_t device, void *, size_t host,
                              int *info) {
  if (uplo != solverUpper || n < 1 || lda < n || device < deviceBytes() ||
      host < kHostBytes)
    return solverInvalidValue;
  return run(handle, "potrf",
             {{a, lda * n * widthOf(type)},
              {work, static_cast<int64_t>(device)},
              {info, 4}},
             [=] {
               forType(type, [&](auto zero) {
                 using T = decltype(zero);
                 factorizeCholesky(n, onHost<T>(a), lda, onHost<int>(info));
               });
             });
}

SolverStatus cusolverDnSpotrfBatched(SolverHandle handle, int uplo, int n,
                                     float **list, int lda, int *info,
                                     int batch) {
  return factorizeCholeskyBatch(handle, uplo, n, list, lda, info, batch);
}

SolverStatus cusolverDnDpotrfBatched(SolverHandle handle, int uplo, int n,
                                     double **list, int lda, int *info,
                                     int batch) {
  return factorizeCholeskyBatch(handle, uplo, n, list, lda, info, batch);
}

SolverStatus cusolverDnXgeqrf_bufferSize(SolverHandle, SolverParameters,
                                         int64_t, int64_t, int, const void *,
                                         int64_t, int, const void *, int,
                                         size_t *device, size_t *host) {
  return ask(device, host);
}

SolverStatus cusolverDnXgeqrf(SolverHandle handle, SolverParameters, int64_t m,
                              int64_t n, int type, void *a, int64_t lda, int,
                              void *scales, int, void *work, size_t device,
                              void *, size_t host, int *info) {
  if (m < 1 || n < 1 || lda < m || device < deviceBytes() || host < kHostBytes)
    return solverInvalidValue;
  int64_t width = widthOf(type);
  return run(handle, "geqrf",
             {{a, lda * n * width},
              {scales, std::min(m, n) * width},
              {work, static_cast<int64_t>(device)},
              {info, 4}},
             [=] {
               forType(type, [&](auto zero) {
                 using T = decltype(zero);
                 std::vector<T> space(static_cast<size_t>(64 * n));
                 blasint result = 0;
                 boost_rt::Lapack<T>::geqrf(
                     Number(m), Number(n), onHost<T>(a), Number(lda),
                     onHost<T>(scales), space.data(), Number(64 * n), &result);
                 *onHost<int>(info) = static_cast<int>(result);
               });
             });
}

SolverStatus cusolverDnSorgqr_bufferSize(SolverHandle, int, int, int,
                                         const float *, int, const float *,
                                         int *elements) {
  *elements = static_cast<int>(deviceBytes() / sizeof(float));
  return solverSuccess;
}

SolverStatus cusolverDnDorgqr_bufferSize(SolverHandle, int, int, int,
                                         const double *, int, const double *,
                                         int *elements) {
  *elements = static_cast<int>(deviceBytes() / sizeof(double));
  return solverSuccess;
}

SolverStatus cusolverDnSorgqr(SolverHandle handle, int m, int n, int k,
                              float *a, int lda, const float *scales,
                              float *work, int elements, int *info) {
  return buildBasis(handle, m, n, k, a, lda, scales, work, elements, info);
}

SolverStatus cusolverDnDorgqr(SolverHandle handle, int m, int n, int k,
                              double *a, int lda, const double *scales,
                              double *work, int elements, int *info) {
  return buildBasis(handle, m, n, k, a, lda, scales, work, elements, info);
}

SolverStatus cusolverDnXsyevBatched_bufferSize(SolverHandle, SolverParameters,
                                               int, int, int64_t, int,
                                               const void *, int64_t, int,
                                               const void *, int,
                                               size_t *device, size_t *host,
                                               int64_t batch) {
  return ask(device, host, batch);
}

SolverStatus cusolverDnXsyevBatched(SolverHandle handle, SolverParameters,
                                    int mode, int uplo, int64_t n, int type,
                                    void *a, int64_t lda, int, void *values,
                                    int, void *work, size_t device, void *,
                                    size_t host, int *info, int64_t batch) {
  if (mode != solverWithVectors || uplo != solverUpper || n < 1 || lda < n ||
      device < deviceBytes(batch) || host < kHostBytes)
    return solverInvalidValue;
  int64_t width = widthOf(type);
  return run(handle, "syevBatched",
             {{a, batch * lda * n * width},
              {values, batch * n * width},
              {work, static_cast<int64_t>(device)},
              {info, batch * 4}},
             [=] {
               forType(type, [&](auto zero) {
                 using T = decltype(zero);
                 int64_t size = 1 + 6 * n + 2 * n * n, integers = 3 + 5 * n;
                 std::vector<T> space(static_cast<size_t>(size));
                 std::vector<blasint> more(static_cast<size_t>(integers));
                 for (int64_t i = 0; i < batch; ++i) {
                   blasint result = 0;
                   boost_rt::Lapack<T>::syevd(
                       "V", "U", Number(n), onHost<T>(a) + i * lda * n,
                       Number(lda), onHost<T>(values) + i * n, space.data(),
                       Number(size), more.data(), Number(integers), &result, 1,
                       1);
                   onHost<int>(info)[i] = static_cast<int>(result);
                 }
               });
             });
}

SolverStatus cusolverDnXgesvd_bufferSize(SolverHandle, SolverParameters,
                                         signed char, signed char, int64_t m,
                                         int64_t n, int, const void *, int64_t,
                                         int, const void *, int, const void *,
                                         int64_t, int, const void *, int64_t,
                                         int, size_t *device, size_t *host) {
  return m < n ? solverInvalidValue : ask(device, host);
}

SolverStatus cusolverDnXgesvd(SolverHandle handle, SolverParameters,
                              signed char left, signed char right, int64_t m,
                              int64_t n, int type, void *a, int64_t lda, int,
                              void *values, int, void *u, int64_t ldu, int,
                              void *v, int64_t ldv, int, void *work,
                              size_t device, void *, size_t host, int *info) {
  // cuSOLVER has tall matrices only.
  if (m < n || left != right || lda < m || ldu < m || ldv < n ||
      device < deviceBytes() || host < kHostBytes)
    return solverInvalidValue;
  int64_t width = widthOf(type);
  std::vector<Range> ranges = {{a, lda * n * width},
                               {values, n * width},
                               {work, static_cast<int64_t>(device)},
                               {info, 4}};
  if (left != 'N') {
    ranges.push_back({u, ldu * (left == 'A' ? m : n) * width});
    ranges.push_back({v, ldv * n * width});
  }
  return run(handle, "gesvd", ranges, [=] {
    forType(type, [&](auto zero) {
      using T = decltype(zero);
      int64_t size = 4 * n * n + 8 * n + 32 * (m + n);
      std::vector<T> space(static_cast<size_t>(size));
      std::vector<blasint> more(static_cast<size_t>(8 * n));
      const char mode[] = {static_cast<char>(left)};
      blasint result = 0;
      boost_rt::Lapack<T>::gesdd(
          mode, Number(m), Number(n), onHost<T>(a), Number(lda),
          onHost<T>(values), onHost<T>(u), Number(ldu), onHost<T>(v),
          Number(ldv), space.data(), Number(size), more.data(), &result, 1);
      *onHost<int>(info) = static_cast<int>(result);
    });
  });
}

} // extern "C"
