//===- Factorization.h - Kinds of factorizations ----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Numbers the kinds of factorizations that generated code asks for.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_RUNTIME_FACTORIZATION_H
#define BOOST_RUNTIME_FACTORIZATION_H

enum boost_rt_factorization {
  BOOST_RT_CHOLESKY = 0,
  BOOST_RT_QR = 1,
  BOOST_RT_QR_BASIS = 2,
  BOOST_RT_EIGH = 3,
  BOOST_RT_SVD = 4,
  BOOST_RT_FULL_SVD = 5,
  BOOST_RT_SINGULAR_VALUES = 6
};

#endif // BOOST_RUNTIME_FACTORIZATION_H
