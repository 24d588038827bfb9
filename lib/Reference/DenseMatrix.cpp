//===- DenseMatrix.cpp - Factorizations of small matrices -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DenseMatrix.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

using namespace mlir::boost::reference;

/// Both methods of Jacobi converge quadratically: a matrix that has not been
/// diagonalized after so many sweeps contains numbers that are not finite.
static constexpr int kMaxSweeps = 60;

static constexpr double kEpsilon = std::numeric_limits<double>::epsilon();

DenseMatrix DenseMatrix::transposed() const {
  DenseMatrix result(numColumns, numRows);
  for (int64_t i = 0; i < numRows; ++i)
    for (int64_t j = 0; j < numColumns; ++j)
      result(j, i) = (*this)(i, j);
  return result;
}

static double dotColumns(const DenseMatrix &a, int64_t i, const DenseMatrix &b,
                         int64_t j) {
  double sum = 0;
  for (int64_t row = 0; row < a.rows(); ++row)
    sum += a(row, i) * b(row, j);
  return sum;
}

/// Makes the sum of vector[i] * weight[i] positive.
static double getSign(const DenseMatrix &a, int64_t column) {
  double sum = 0;
  for (int64_t i = 0; i < a.rows(); ++i) {
    double whole;
    sum += a(i, column) *
           (1 + std::modf(static_cast<double>(i) * 0.6180339887498949, &whole));
  }
  return sum < 0 ? -1 : 1;
}

//===----------------------------------------------------------------------===//
// Cholesky
//===----------------------------------------------------------------------===//

std::optional<DenseMatrix>
mlir::boost::reference::factorizeCholesky(const DenseMatrix &a) {
  int64_t size = a.rows();
  DenseMatrix l(size, size);
  for (int64_t i = 0; i < size; ++i)
    for (int64_t j = 0; j <= i; ++j) {
      double rest = a(i, j);
      for (int64_t k = 0; k < j; ++k)
        rest -= l(i, k) * l(j, k);
      if (i == j && !(rest > 0))
        return std::nullopt;
      l(i, j) = i == j ? std::sqrt(rest) : rest / l(j, j);
    }
  return l;
}

//===----------------------------------------------------------------------===//
// Householder
//===----------------------------------------------------------------------===//

/// Applies reflection `number`, of `packed`, to a column of `a`.
static void reflect(const DenseMatrix &packed, int64_t number, double scale,
                    DenseMatrix &a, int64_t column) {
  double sum = a(number, column);
  for (int64_t i = number + 1; i < a.rows(); ++i)
    sum += packed(i, number) * a(i, column);
  a(number, column) -= scale * sum;
  for (int64_t i = number + 1; i < a.rows(); ++i)
    a(i, column) -= scale * sum * packed(i, number);
}

PackedQR mlir::boost::reference::factorizeQR(DenseMatrix a) {
  int64_t rank = std::min(a.rows(), a.columns());
  DenseVector scales(static_cast<size_t>(rank));
  for (int64_t j = 0; j < rank; ++j) {
    double below = 0;
    for (int64_t i = j + 1; i < a.rows(); ++i)
      below = std::hypot(below, a(i, j));
    if (below == 0)
      continue;
    double first = a(j, j);
    double reflected = -std::copysign(std::hypot(first, below), first);
    double scale = (reflected - first) / reflected;
    for (int64_t i = j + 1; i < a.rows(); ++i)
      a(i, j) /= first - reflected;
    scales[static_cast<size_t>(j)] = scale;
    for (int64_t column = j + 1; column < a.columns(); ++column)
      reflect(a, j, scale, a, column);
    a(j, j) = reflected;
  }
  return {std::move(a), std::move(scales)};
}

DenseMatrix mlir::boost::reference::buildBasis(const PackedQR &reflections) {
  const DenseMatrix &packed = reflections.packed;
  DenseMatrix q(packed.rows(), packed.columns());
  for (int64_t i = 0; i < q.columns(); ++i)
    q(i, i) = 1;
  for (size_t number = reflections.scales.size(); number-- > 0;)
    for (int64_t column = 0; column < q.columns(); ++column)
      reflect(packed, static_cast<int64_t>(number), reflections.scales[number],
              q, column);
  return q;
}

//===----------------------------------------------------------------------===//
// Jacobi
//===----------------------------------------------------------------------===//

namespace {
/// A rotation of two columns or rows.
struct Rotation {
  double cosine, sine;

  /// The rotation that diagonalizes [[x, z], [z, y]].
  Rotation(double x, double y, double z) {
    double slope = (y - x) / (2 * z);
    double tangent =
        std::copysign(1 / (std::abs(slope) + std::hypot(slope, 1)), slope);
    cosine = 1 / std::hypot(tangent, 1);
    sine = tangent * cosine;
  }

  void apply(double &p, double &q) const {
    double old = p;
    p = cosine * old - sine * q;
    q = sine * old + cosine * q;
  }
  void applyToColumns(DenseMatrix &a, int64_t p, int64_t q) const {
    for (int64_t row = 0; row < a.rows(); ++row)
      apply(a(row, p), a(row, q));
  }
  void applyToRows(DenseMatrix &a, int64_t p, int64_t q) const {
    for (int64_t column = 0; column < a.columns(); ++column)
      apply(a(p, column), a(q, column));
  }
};
} // namespace

static DenseMatrix makeIdentity(int64_t size) {
  DenseMatrix result(size, size);
  for (int64_t i = 0; i < size; ++i)
    result(i, i) = 1;
  return result;
}

/// The columns of `a` in an order.
static DenseMatrix pickColumns(const DenseMatrix &a,
                               const std::vector<int64_t> &order) {
  DenseMatrix result(a.rows(), static_cast<int64_t>(order.size()));
  for (int64_t j = 0; j < result.columns(); ++j)
    for (int64_t i = 0; i < a.rows(); ++i)
      result(i, j) = a(i, order[static_cast<size_t>(j)]);
  return result;
}

static void scaleColumn(DenseMatrix &a, int64_t column, double factor) {
  for (int64_t i = 0; i < a.rows(); ++i)
    a(i, column) *= factor;
}

/// The numbers of values from the least to the greatest, of equal ones the
/// first first.
static std::vector<int64_t> sortIncreasing(const DenseVector &values) {
  std::vector<int64_t> order(values.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](int64_t a, int64_t b) {
    return std::pair(values[static_cast<size_t>(a)], a) <
           std::pair(values[static_cast<size_t>(b)], b);
  });
  return order;
}

Eigenpairs mlir::boost::reference::findEigenpairs(const DenseMatrix &given) {
  int64_t size = given.rows();
  DenseMatrix a = given;
  for (int64_t i = 0; i < size; ++i)
    for (int64_t j = 0; j < i; ++j)
      a(j, i) = a(i, j);
  DenseMatrix vectors = makeIdentity(size);
  double squares = 0;
  for (int64_t i = 0; i < size; ++i)
    squares += dotColumns(a, i, a, i);
  double least = kEpsilon * std::sqrt(squares) / static_cast<double>(size);
  bool isDiagonal = false;
  for (int sweep = 0; sweep < kMaxSweeps && !isDiagonal; ++sweep) {
    isDiagonal = true;
    for (int64_t p = 0; p < size; ++p)
      for (int64_t q = p + 1; q < size; ++q) {
        if (std::abs(a(p, q)) <= least)
          continue;
        isDiagonal = false;
        Rotation rotation(a(p, p), a(q, q), a(p, q));
        rotation.applyToColumns(a, p, q);
        rotation.applyToRows(a, p, q);
        rotation.applyToColumns(vectors, p, q);
        a(p, q) = a(q, p) = 0;
      }
  }
  DenseVector values(static_cast<size_t>(size));
  for (int64_t i = 0; i < size; ++i)
    values[static_cast<size_t>(i)] = a(i, i);
  std::vector<int64_t> order = sortIncreasing(values);
  Eigenpairs pairs{pickColumns(vectors, order), {}};
  for (int64_t j = 0; j < size; ++j) {
    pairs.values.push_back(
        values[static_cast<size_t>(order[static_cast<size_t>(j)])]);
    scaleColumn(pairs.vectors, j, getSign(pairs.vectors, j));
  }
  return pairs;
}

/// Sets a column to a unit vector that is orthogonal to the columns before it:
/// the rest of that axis of which the most is left.
static void completeColumn(DenseMatrix &a, int64_t column) {
  int64_t best = 0;
  double most = -1;
  for (int64_t i = 0; i < a.rows(); ++i) {
    double left = 1;
    for (int64_t j = 0; j < column; ++j)
      left -= a(i, j) * a(i, j);
    if (left > most) {
      most = left;
      best = i;
    }
  }
  for (int64_t i = 0; i < a.rows(); ++i)
    a(i, column) = i == best;
  // Once more for what rounding leaves.
  for (int pass = 0; pass < 2; ++pass)
    for (int64_t j = 0; j < column; ++j) {
      double share = dotColumns(a, j, a, column);
      for (int64_t i = 0; i < a.rows(); ++i)
        a(i, column) -= share * a(i, j);
    }
  scaleColumn(a, column, 1 / std::sqrt(dotColumns(a, column, a, column)));
}

/// Rotates the columns of `a`, and of `v` with them, until those of `a` are
/// orthogonal: the method of Hestenes.
static void orthogonalizeColumns(DenseMatrix &a, DenseMatrix &v) {
  // Products of vectors are not more accurate.
  double bound = kEpsilon * static_cast<double>(a.rows());
  bool isOrthogonal = false;
  for (int sweep = 0; sweep < kMaxSweeps && !isOrthogonal; ++sweep) {
    isOrthogonal = true;
    for (int64_t p = 0; p < a.columns(); ++p)
      for (int64_t q = p + 1; q < a.columns(); ++q) {
        double x = dotColumns(a, p, a, p), y = dotColumns(a, q, a, q),
               z = dotColumns(a, p, a, q);
        if (std::abs(z) <= bound * std::sqrt(x * y))
          continue;
        isOrthogonal = false;
        Rotation rotation(x, y, z);
        rotation.applyToColumns(a, p, q);
        rotation.applyToColumns(v, p, q);
      }
  }
}

/// Returns the singular triples of a matrix with at least as many rows as
/// columns. u has all columns.
static SingularTriples findTriplesOfTall(DenseMatrix a) {
  DenseMatrix v = makeIdentity(a.columns());
  orthogonalizeColumns(a, v);
  DenseVector values;
  for (int64_t j = 0; j < a.columns(); ++j)
    values.push_back(std::sqrt(dotColumns(a, j, a, j)));
  std::vector<int64_t> order = sortIncreasing(values);
  std::reverse(order.begin(), order.end());
  a = pickColumns(a, order);
  SingularTriples triples{
      {}, DenseMatrix(a.rows(), a.rows()), pickColumns(v, order).transposed()};
  double largest = values[static_cast<size_t>(order.front())];
  double least = kEpsilon * static_cast<double>(a.rows()) * largest;
  for (int64_t j = 0; j < a.rows(); ++j) {
    double value =
        j < a.columns()
            ? values[static_cast<size_t>(order[static_cast<size_t>(j)])]
            : 0;
    if (j < a.columns())
      triples.values.push_back(value);
    if (value <= least) {
      completeColumn(triples.u, j);
      continue;
    }
    for (int64_t i = 0; i < a.rows(); ++i)
      triples.u(i, j) = a(i, j) / value;
  }
  return triples;
}

SingularTriples
mlir::boost::reference::findSingularTriples(const DenseMatrix &a) {
  bool isTall = a.rows() >= a.columns();
  SingularTriples triples = findTriplesOfTall(isTall ? a : a.transposed());
  if (!isTall) {
    DenseMatrix u = triples.v.transposed();
    triples.v = triples.u.transposed();
    triples.u = std::move(u);
  }
  DenseMatrix rows = triples.v.transposed();
  for (int64_t j = 0; j < std::max(a.rows(), a.columns()); ++j) {
    double sign = getSign(j < a.rows() ? triples.u : rows, j);
    if (j < a.rows())
      scaleColumn(triples.u, j, sign);
    if (j < a.columns())
      scaleColumn(rows, j, sign);
  }
  triples.v = rows.transposed();
  return triples;
}
