//===- Lapack.h - Factorizations of LAPACK for float and double -*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// OpenBLAS contains LAPACK; its header of C functions is a package of its own
// in some distributions, so the functions of Fortran are declared here. They
// take the lengths of strings behind all other arguments. Matrices are
// column-major.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_RUNTIME_CPU_LAPACK_H
#define BOOST_RUNTIME_CPU_LAPACK_H

#include <cblas.h>
#include <cstddef>

#define BOOST_LAPACK(LETTER, TYPE)                                             \
  void LETTER##potrf_(const char *triangle, const blasint *n, TYPE *a,         \
                      const blasint *lda, blasint *info, size_t);              \
  void LETTER##geqrf_(const blasint *m, const blasint *n, TYPE *a,             \
                      const blasint *lda, TYPE *scales, TYPE *work,            \
                      const blasint *workSize, blasint *info);                 \
  void LETTER##orgqr_(const blasint *m, const blasint *n, const blasint *k,    \
                      TYPE *a, const blasint *lda, const TYPE *scales,         \
                      TYPE *work, const blasint *workSize, blasint *info);     \
  void LETTER##syevd_(const char *mode, const char *triangle,                  \
                      const blasint *n, TYPE *a, const blasint *lda,           \
                      TYPE *values, TYPE *work, const blasint *workSize,       \
                      blasint *integers, const blasint *integersSize,          \
                      blasint *info, size_t, size_t);                          \
  void LETTER##gesdd_(const char *mode, const blasint *m, const blasint *n,    \
                      TYPE *a, const blasint *lda, TYPE *values, TYPE *u,      \
                      const blasint *ldu, TYPE *v, const blasint *ldv,         \
                      TYPE *work, const blasint *workSize, blasint *integers,  \
                      blasint *info, size_t);

extern "C" {
BOOST_LAPACK(s, float)
BOOST_LAPACK(d, double)
}

#undef BOOST_LAPACK

namespace boost_rt {

/// The functions for a type of elements.
template <typename T> struct Lapack;

template <> struct Lapack<float> {
  static constexpr auto potrf = spotrf_;
  static constexpr auto geqrf = sgeqrf_;
  static constexpr auto orgqr = sorgqr_;
  static constexpr auto syevd = ssyevd_;
  static constexpr auto gesdd = sgesdd_;
};

template <> struct Lapack<double> {
  static constexpr auto potrf = dpotrf_;
  static constexpr auto geqrf = dgeqrf_;
  static constexpr auto orgqr = dorgqr_;
  static constexpr auto syevd = dsyevd_;
  static constexpr auto gesdd = dgesdd_;
};

} // namespace boost_rt

#endif // BOOST_RUNTIME_CPU_LAPACK_H
