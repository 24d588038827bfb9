//===- DenseMatrix.h - Factorizations of small matrices ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Textbook algorithms in doubles, after Golub and Van Loan, "Matrix
// Computations". They are no part of LAPACK, to which compiled programs leave
// the same work.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_LIB_REFERENCE_DENSEMATRIX_H
#define BOOST_MLIR_LIB_REFERENCE_DENSEMATRIX_H

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace mlir::boost::reference {

/// A row-major matrix of doubles.
class DenseMatrix {
public:
  DenseMatrix(int64_t rows, int64_t columns)
      : numRows(rows), numColumns(columns),
        data(static_cast<size_t>(rows * columns)) {}

  int64_t rows() const { return numRows; }
  int64_t columns() const { return numColumns; }
  double &operator()(int64_t row, int64_t column) {
    return data[static_cast<size_t>(row * numColumns + column)];
  }
  double operator()(int64_t row, int64_t column) const {
    return data[static_cast<size_t>(row * numColumns + column)];
  }
  DenseMatrix transposed() const;

private:
  int64_t numRows, numColumns;
  std::vector<double> data;
};

using DenseVector = std::vector<double>;

/// The lower triangle l of a = l . transpose(l), whose lower triangle is read;
/// nothing if a is not positive definite.
std::optional<DenseMatrix> factorizeCholesky(const DenseMatrix &a);

/// Householder's reflections and r, packed as `boost.factorize qr` does.
struct PackedQR {
  DenseMatrix packed;
  DenseVector scales;
};
PackedQR factorizeQR(DenseMatrix a);

/// The first columns of the product of the reflections.
DenseMatrix buildBasis(const PackedQR &reflections);

/// Increasing eigenvalues of a symmetric matrix, whose lower triangle is read,
/// and its eigenvectors as columns.
struct Eigenpairs {
  DenseMatrix vectors;
  DenseVector values;
};
Eigenpairs findEigenpairs(const DenseMatrix &a);

/// Decreasing singular values, and the singular vectors as columns of u and
/// rows of v. Those that no singular value belongs to complete u and v.
struct SingularTriples {
  DenseVector values;
  DenseMatrix u, v;
};
SingularTriples findSingularTriples(const DenseMatrix &a);

} // namespace mlir::boost::reference

#endif // BOOST_MLIR_LIB_REFERENCE_DENSEMATRIX_H
