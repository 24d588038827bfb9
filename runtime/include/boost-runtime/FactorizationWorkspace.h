//===- FactorizationWorkspace.h - Memory that factorizations need -*- C++ -*-=//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The workspace of factorizations on GPUs: copies of the matrices as cuSOLVER
// has them, and memory of cuSOLVER's own. The compiler plans with it; the
// runtime lays the copies out and compares what cuSOLVER asks for.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_RUNTIME_FACTORIZATIONWORKSPACE_H
#define BOOST_RUNTIME_FACTORIZATIONWORKSPACE_H

#include "boost-runtime/Factorization.h"
#include "boost-runtime/Rounding.h"

namespace boost_rt {

/// The factorization of a batch of matrices, with sizes as in Functions.def.
struct MatrixFactorization {
  boost_rt_factorization kind;
  bool isF64;
  int64_t rows, columns, reflections, batch;

  constexpr int64_t width() const { return isF64 ? 8 : 4; }
  constexpr int64_t rank() const { return rows < columns ? rows : columns; }
  constexpr bool isSvd() const { return kind >= BOOST_RT_SVD; }
  constexpr bool hasVectors() const {
    return kind == BOOST_RT_SVD || kind == BOOST_RT_FULL_SVD;
  }
  constexpr bool readsTriangle() const {
    return kind == BOOST_RT_CHOLESKY || kind == BOOST_RT_EIGH;
  }
  /// cuSOLVER decomposes tall matrices only, and these transposed.
  constexpr bool isWideSvd() const { return isSvd() && rows < columns; }
  constexpr int64_t operands() const {
    return kind == BOOST_RT_QR_BASIS ? 2 : 1;
  }
  /// Operands and results.
  constexpr int64_t buffers() const {
    return operands() + (hasVectors()                                   ? 3
                         : kind == BOOST_RT_QR || kind == BOOST_RT_EIGH ? 2
                                                                        : 1);
  }
};

/// The matrix that cuSOLVER computes the singular values of, and the columns of
/// its left vectors.
struct TallMatrix {
  int64_t rows, columns, left;

  constexpr explicit TallMatrix(const MatrixFactorization &call)
      : rows(call.rows < call.columns ? call.columns : call.rows),
        columns(call.rank()),
        left(call.kind == BOOST_RT_FULL_SVD ? rows : columns) {}
};

/// Offsets in the workspace of a call.
struct FactorizationLayout {
  /// The matrices, the vector of each (its eigenvalues, singular values or
  /// scales of reflections), and the singular vectors.
  int64_t matrices, vectors, left, right;
  /// The addresses of the matrices, 4 bytes each for whether they are finite
  /// and for what cuSOLVER says of them, and cuSOLVER's own memory.
  int64_t addresses, failed, status, solver;

  constexpr explicit FactorizationLayout(const MatrixFactorization &call)
      : FactorizationLayout(call, TallMatrix(call), call.batch * call.width()) {
  }

private:
  constexpr FactorizationLayout(const MatrixFactorization &call,
                                const TallMatrix &tall, int64_t bytes)
      : matrices(0), vectors(after(0, bytes * call.rows * call.columns)),
        left(after(vectors, bytes * call.rank())),
        right(
            after(left, call.hasVectors() ? bytes * tall.rows * tall.left : 0)),
        addresses(after(right, call.hasVectors()
                                   ? bytes * tall.columns * tall.columns
                                   : 0)),
        failed(after(addresses, 8 * call.batch)),
        status(after(failed, 4 * call.batch)),
        solver(after(status, 4 * call.batch)) {}

  static constexpr int64_t after(int64_t offset, int64_t bytes) {
    return offset + roundUp(bytes, workspaceAlignment);
  }
};

/// Returns the bytes that a call has for cuSOLVER's own memory: 32 MiB, and
/// four times the largest matrices that one call of cuSOLVER factorizes or
/// returns, of which only `syevBatched` has several. The manual states no
/// formula.
constexpr int64_t solverBytes(const MatrixFactorization &call) {
  TallMatrix tall(call);
  return (int64_t(32) << 20) +
         4 * call.width() * tall.rows * tall.left *
             (call.kind == BOOST_RT_EIGH ? call.batch : 1);
}

constexpr int64_t factorizationWorkspaceBytes(const MatrixFactorization &call) {
  return FactorizationLayout(call).solver + solverBytes(call);
}

} // namespace boost_rt

#endif // BOOST_RUNTIME_FACTORIZATIONWORKSPACE_H
