//===- Factorizations.cpp - Shapes and work of factorizations -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/Dialect/Boost/IR/Factorizations.h"

#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::boost;

#include "boost-mlir/Dialect/Boost/IR/BoostFactorizationEnums.cpp.inc"
#define GET_OP_CLASSES
#include "boost-mlir/Dialect/Boost/IR/BoostFactorization.cpp.inc"

LogicalResult FactorizeOp::verify() {
  return verifyFactorization(getKind(), getInputs().getTypes(),
                             getResultTypes(), [&] { return emitOpError(); });
}

FactorizedMatrices::FactorizedMatrices(ShapedType type)
    : batch(llvm::product_of(type.getShape().drop_back(2))),
      rows(type.getShape().end()[-2]), columns(type.getShape().back()) {}

size_t mlir::boost::getNumOperands(Factorization kind) {
  return kind == Factorization::QRBasis ? 2 : 1;
}

/// Checks the number and the element types of operands, and the first one.
static LogicalResult
checkOperands(Factorization kind, TypeRange operands,
              function_ref<InFlightDiagnostic()> emitError) {
  if (operands.size() != getNumOperands(kind))
    return emitError() << "expects " << getNumOperands(kind)
                       << " operands, but got " << operands.size();
  auto type = cast<ShapedType>(operands.front());
  Type element = type.getElementType();
  for (Type operand : operands)
    if (!element.isF32() && !element.isF64())
      return emitError() << "expects matrices of f32 or f64, but got " << type;
    else if (getElementTypeOrSelf(operand) != element)
      return emitError() << "expects operands of element type " << element
                         << ", but got " << operand;
  if (type.getRank() < 2 || type.getShape().end()[-2] == 0 ||
      type.getShape().back() == 0)
    return emitError() << "expects matrices of one row and one column or more, "
                          "but got "
                       << type;
  return success();
}

static LogicalResult checkSquare(ShapedType type,
                                 function_ref<InFlightDiagnostic()> emitError) {
  if (type.getShape().end()[-2] == type.getShape().back())
    return success();
  return emitError() << "expects square matrices, but got " << type;
}

/// Checks the reflections of a basis, which are in the columns of a matrix.
static LogicalResult
checkReflections(ShapedType packed, ShapedType scales,
                 function_ref<InFlightDiagnostic()> emitError) {
  ArrayRef<int64_t> shape = packed.getShape();
  if (shape.back() > shape.end()[-2])
    return emitError() << "expects matrices of as many rows as columns or "
                          "more, but got "
                       << packed;
  if (scales.getRank() != packed.getRank() - 1 ||
      scales.getShape().drop_back() != shape.drop_back(2) ||
      scales.getShape().back() > shape.back())
    return emitError() << "expects a scale for each column of " << packed
                       << " or fewer, but got " << scales;
  return success();
}

using Shapes = SmallVector<SmallVector<int64_t>>;

FailureOr<Shapes>
mlir::boost::inferFactorization(Factorization kind, TypeRange operands,
                                function_ref<InFlightDiagnostic()> emitError) {
  if (failed(checkOperands(kind, operands, emitError)))
    return failure();
  auto type = cast<ShapedType>(operands.front());
  FactorizedMatrices matrices(type);
  int64_t rows = matrices.rows, columns = matrices.columns,
          rank = matrices.getRank();
  auto withBatch = [&](ArrayRef<int64_t> sizes) -> SmallVector<int64_t> {
    SmallVector<int64_t> shape(type.getShape().drop_back(2));
    llvm::append_range(shape, sizes);
    return shape;
  };
  switch (kind) {
  case Factorization::Cholesky:
    if (failed(checkSquare(type, emitError)))
      return failure();
    return Shapes{withBatch({rows, rows})};
  case Factorization::QR:
    return Shapes{withBatch({rows, columns}), withBatch(rank)};
  case Factorization::QRBasis:
    if (failed(
            checkReflections(type, cast<ShapedType>(operands[1]), emitError)))
      return failure();
    return Shapes{withBatch({rows, columns})};
  case Factorization::Eigh:
    if (failed(checkSquare(type, emitError)))
      return failure();
    return Shapes{withBatch({rows, rows}), withBatch(rows)};
  case Factorization::SVD:
    return Shapes{withBatch(rank), withBatch({rows, rank}),
                  withBatch({rank, columns})};
  case Factorization::FullSVD:
    return Shapes{withBatch(rank), withBatch({rows, rows}),
                  withBatch({columns, columns})};
  case Factorization::SingularValues:
    return Shapes{withBatch(rank)};
  }
  llvm_unreachable("unknown factorization");
}

LogicalResult
mlir::boost::verifyFactorization(Factorization kind, TypeRange operands,
                                 TypeRange results,
                                 function_ref<InFlightDiagnostic()> emitError) {
  auto shapes = inferFactorization(kind, operands, emitError);
  if (failed(shapes))
    return failure();
  if (results.size() != shapes->size())
    return emitError() << "expects " << shapes->size() << " results, but got "
                       << results.size();
  Type element = getElementTypeOrSelf(operands.front());
  for (auto [i, type, shape] : llvm::enumerate(results, *shapes)) {
    auto shaped = cast<ShapedType>(type);
    if (shaped.getShape() == ArrayRef(shape) &&
        shaped.getElementType() == element)
      continue;
    return emitError() << "expects result " << i << " of type "
                       << RankedTensorType::get(shape, element) << ", but got "
                       << type;
  }
  return success();
}

/// After Golub and Van Loan, "Matrix Computations": products of vectors and
/// matrices in the case of eigenvalues and singular values, with all vectors.
double mlir::boost::getFlops(Factorization kind,
                             const FactorizedMatrices &matrices) {
  auto rows = static_cast<double>(matrices.rows),
       columns = static_cast<double>(matrices.columns);
  double small = std::min(rows, columns), large = std::max(rows, columns);
  auto batch = static_cast<double>(matrices.batch);
  switch (kind) {
  case Factorization::Cholesky:
    return batch * rows * rows * rows / 3;
  case Factorization::QR:
  case Factorization::QRBasis:
    return batch * 2 * small * small * (large - small / 3);
  case Factorization::Eigh:
    return batch * 9 * rows * rows * rows;
  case Factorization::SVD:
    return batch * small * small * (14 * large + 8 * small);
  case Factorization::FullSVD:
    return batch * (4 * large * large * small + 22 * small * small * small);
  case Factorization::SingularValues:
    return batch * 4 * small * small * (large - small / 3);
  }
  llvm_unreachable("unknown factorization");
}
