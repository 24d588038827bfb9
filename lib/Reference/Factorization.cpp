//===- Factorization.cpp - Reference rules of factorizations --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Evaluates `boost.factorize`, and the operation and the calls that import
// raises to it.
//
//===----------------------------------------------------------------------===//

#include "Factorization.h"

#include "DenseMatrix.h"
#include "boost-mlir/Dialect/Boost/IR/Factorizations.h"
#include "llvm/ADT/SmallVectorExtras.h"

#include <cmath>
#include <limits>

using namespace mlir;
using namespace mlir::boost;
using namespace mlir::boost::reference;

using Operands = ArrayRef<const Tensor *>;
using Results = MutableArrayRef<Tensor>;

namespace {

/// The factorization of one matrix of a batch.
class OneFactorization {
public:
  OneFactorization(Factorization kind, Operands operands,
                   ArrayRef<Tensor *> results, int64_t index,
                   const Roundoff &roundoff)
      : kind(kind), operands(operands), results(results), index(index),
        roundoff(roundoff) {}

  /// Returns false if it failed; then the results are NaN.
  bool run() {
    DenseMatrix matrix = readMatrix(*operands.front());
    if (isFinite && compute(matrix))
      return true;
    for (Tensor *result : results)
      for (int64_t i = 0; i < sizeOf(*result); ++i)
        at(*result, i) = std::numeric_limits<double>::quiet_NaN();
    return false;
  }

private:
  /// Returns false where there is no such factorization.
  bool compute(const DenseMatrix &matrix) {
    switch (kind) {
    case Factorization::Cholesky: {
      std::optional<DenseMatrix> l = factorizeCholesky(matrix);
      if (l)
        write(0, *l);
      return l.has_value();
    }
    case Factorization::QR: {
      PackedQR qr = factorizeQR(matrix);
      write(0, qr.packed);
      write(1, qr.scales);
      return true;
    }
    case Factorization::QRBasis:
      write(0, buildBasis({matrix, readVector(*operands[1])}));
      return isFinite;
    case Factorization::Eigh: {
      Eigenpairs pairs = findEigenpairs(matrix);
      write(0, pairs.vectors);
      write(1, pairs.values);
      return true;
    }
    case Factorization::SVD:
    case Factorization::FullSVD: {
      SingularTriples triples = findSingularTriples(matrix);
      write(0, triples.values);
      write(1, triples.u);
      write(2, triples.v);
      return true;
    }
    case Factorization::SingularValues:
      write(0, findSingularTriples(matrix).values);
      return true;
    }
    llvm_unreachable("unknown factorization");
  }

  /// The elements of one matrix or vector.
  int64_t sizeOf(const Tensor &tensor) const {
    int64_t batch = llvm::product_of(operands.front()->shape().drop_back(2));
    return static_cast<int64_t>(tensor.data.size()) / batch;
  }
  double &at(Tensor &tensor, int64_t i) const {
    return tensor.data[static_cast<size_t>(index * sizeOf(tensor) + i)];
  }

  /// Reads a matrix. An algorithm of finite precision computes the exact result
  /// of another one, whose elements are away from those of the matrix by its
  /// norm times a unit roundoff.
  DenseMatrix readMatrix(const Tensor &tensor) {
    FactorizedMatrices sizes(tensor.type);
    DenseMatrix matrix(sizes.rows, sizes.columns);
    const double *from = tensor.data.data() + index * sizeOf(tensor);
    double squares = 0;
    for (int64_t i = 0; i < sizeOf(tensor); ++i)
      if (isRead(i / sizes.columns, i % sizes.columns))
        squares += from[i] * from[i];
    for (int64_t i = 0; i < sizes.rows; ++i)
      for (int64_t j = 0; j < sizes.columns; ++j) {
        Sum sum;
        sum.value = *from++;
        sum.partialSquares = squares;
        matrix(i, j) = roundoff.sum(sum, tensor.elementType());
        isFinite &= !isRead(i, j) || std::isfinite(sum.value);
      }
    return matrix;
  }

  /// Returns true if an element of the first operand is read.
  bool isRead(int64_t row, int64_t column) const {
    bool readsTriangle =
        kind == Factorization::Cholesky || kind == Factorization::Eigh;
    return !readsTriangle || column <= row;
  }

  DenseVector readVector(const Tensor &tensor) {
    const double *from = tensor.data.data() + index * sizeOf(tensor);
    DenseVector vector(from, from + sizeOf(tensor));
    isFinite &= llvm::all_of(vector, [](double x) { return std::isfinite(x); });
    return vector;
  }

  void write(size_t result, const DenseVector &vector) {
    for (auto [i, value] : llvm::enumerate(vector))
      at(*results[result], static_cast<int64_t>(i)) = value;
  }

  /// Writes the rows and columns that the result has.
  void write(size_t result, const DenseMatrix &matrix) {
    Tensor &tensor = *results[result];
    FactorizedMatrices sizes(tensor.type);
    for (int64_t i = 0; i < sizes.rows; ++i)
      for (int64_t j = 0; j < sizes.columns; ++j)
        at(tensor, i * sizes.columns + j) = matrix(i, j);
  }

  Factorization kind;
  Operands operands;
  ArrayRef<Tensor *> results;
  int64_t index;
  const Roundoff &roundoff;
  bool isFinite = true;
};

} // namespace

/// Factorizes all matrices of a batch. Sets `status`, if there is one, to 1
/// where that failed and else to 0.
static void factorize(Factorization kind, Operands operands,
                      ArrayRef<Tensor *> results, Tensor *status,
                      const Roundoff &roundoff) {
  FactorizedMatrices matrices(operands.front()->type);
  for (int64_t i = 0; i < matrices.batch; ++i) {
    OneFactorization one(kind, operands, results, i, roundoff);
    bool succeeded = one.run();
    if (status)
      status->integers[static_cast<size_t>(i)] = !succeeded;
  }
}

static LogicalResult evaluateFactorize(Operation *op, Operands operands,
                                       Results results, Evaluator &evaluator) {
  auto pointers = llvm::map_to_vector(results, [](Tensor &t) { return &t; });
  factorize(cast<FactorizeOp>(op).getKind(), operands, pointers, nullptr,
            evaluator.getRoundoff());
  return success();
}

/// Swaps the last two dimensions of square matrices.
static Tensor swapMatrices(const Tensor &tensor) {
  Tensor swapped(tensor.type);
  forEachIndex(tensor.shape(), [&](ArrayRef<int64_t> index) {
    Index other(index);
    std::swap(other[other.size() - 1], other[other.size() - 2]);
    swapped.at(other) = tensor.at(index);
  });
  return swapped;
}

static LogicalResult evaluateCholesky(Operation *op, Operands operands,
                                      Results results, Evaluator &evaluator) {
  bool isLower = cast<stablehlo::CholeskyOp>(op).getLower();
  Tensor &l = results.front();
  if (l.data.empty())
    return success();
  Tensor a = isLower ? *operands.front() : swapMatrices(*operands.front());
  factorize(Factorization::Cholesky, &a, &l, nullptr, evaluator.getRoundoff());
  if (!isLower)
    l = swapMatrices(l);
  return success();
}

void mlir::boost::reference::evaluateFactorizationCall(
    const stablehlo::FactorizationCall &form, Operands operands,
    Results results, const Roundoff &roundoff) {
  auto pointers = llvm::map_to_vector(form.results,
                                      [&](unsigned i) { return &results[i]; });
  factorize(form.kind, operands, pointers,
            form.status ? &results[*form.status] : nullptr, roundoff);
}

void mlir::boost::reference::addFactorizationRules(RuleSet &rules) {
  rules.local["boost.factorize"] = evaluateFactorize;
  rules.local["stablehlo.cholesky"] = evaluateCholesky;
}
