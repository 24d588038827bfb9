//===- Blas.h - Row-major GEMM for float and double -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// OpenBLAS runs on the calling thread; the runtime splits the work itself.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_RUNTIME_CPU_BLAS_H
#define BOOST_RUNTIME_CPU_BLAS_H

#include <cblas.h>
#include <cstdint>

namespace boost_rt {

inline CBLAS_TRANSPOSE blasTranspose(bool transpose) {
  return transpose ? CblasTrans : CblasNoTrans;
}

/// C = alpha op(A) op(B) + beta C on the calling thread.
inline void blasGemm(bool transposeA, bool transposeB, int64_t m, int64_t n,
                     int64_t k, float alpha, const float *a, int64_t lda,
                     const float *b, int64_t ldb, float beta, float *c,
                     int64_t ldc) {
  cblas_sgemm(CblasRowMajor, blasTranspose(transposeA),
              blasTranspose(transposeB), static_cast<blasint>(m),
              static_cast<blasint>(n), static_cast<blasint>(k), alpha, a,
              static_cast<blasint>(lda), b, static_cast<blasint>(ldb), beta, c,
              static_cast<blasint>(ldc));
}

inline void blasGemm(bool transposeA, bool transposeB, int64_t m, int64_t n,
                     int64_t k, double alpha, const double *a, int64_t lda,
                     const double *b, int64_t ldb, double beta, double *c,
                     int64_t ldc) {
  cblas_dgemm(CblasRowMajor, blasTranspose(transposeA),
              blasTranspose(transposeB), static_cast<blasint>(m),
              static_cast<blasint>(n), static_cast<blasint>(k), alpha, a,
              static_cast<blasint>(lda), b, static_cast<blasint>(ldb), beta, c,
              static_cast<blasint>(ldc));
}

} // namespace boost_rt

#endif // BOOST_RUNTIME_CPU_BLAS_H
