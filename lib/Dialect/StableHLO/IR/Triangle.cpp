//===- Triangle.cpp - Constants that are masks ----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/Dialect/StableHLO/IR/Triangle.h"

#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

using namespace mlir;
using namespace mlir::boost;
using namespace mlir::boost::stablehlo;

namespace {
/// A constant with two dimensions that are not of size 1.
struct Matrix {
  DenseElementsAttr numbers;
  int64_t rowDim, columnDim;

  /// Calls `visit` with row, column and number of each element until it returns
  /// false. Returns true if it never did.
  bool visit(llvm::function_ref<bool(int64_t, int64_t, double)> visit) const;
};
} // namespace

static std::optional<Matrix> matchMatrix(ElementsAttr constant) {
  auto dense = dyn_cast<DenseElementsAttr>(constant);
  SmallVector<int64_t, 2> dims;
  for (auto [dim, size] : llvm::enumerate(constant.getShapedType().getShape()))
    if (size != 1)
      dims.push_back(dim);
  if (!dense || dims.size() != 2 || dense.isSplat() ||
      !dense.getElementType().isIntOrFloat())
    return std::nullopt;
  return Matrix{dense, dims[0], dims[1]};
}

bool Matrix::visit(
    llvm::function_ref<bool(int64_t, int64_t, double)> visit) const {
  int64_t columns = numbers.getType().getDimSize(columnDim), position = 0;
  auto visitNext = [&](double number) {
    int64_t row = position / columns, column = position % columns;
    ++position;
    return visit(row, column, number);
  };
  Type type = numbers.getElementType();
  if (isa<FloatType>(type))
    return llvm::all_of(numbers.getValues<APFloat>(), [&](APFloat number) {
      bool losesInfo;
      number.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven,
                     &losesInfo);
      return visitNext(number.convertToDouble());
    });
  bool isSigned = type.isSignlessInteger() && !type.isInteger(1);
  return llvm::all_of(numbers.getValues<APInt>(), [&](const APInt &number) {
    return visitNext(number.roundToDouble(isSigned));
  });
}

/// Returns the column behind which the first row with two numbers changes, less
/// the number of the row; none if no row does.
static std::optional<int64_t> findDiagonal(const Matrix &matrix) {
  double before = 0;
  std::optional<int64_t> diagonal;
  matrix.visit([&](int64_t row, int64_t column, double number) {
    if (column != 0 && number != before)
      diagonal = column - 1 - row;
    before = number;
    return !diagonal;
  });
  return diagonal;
}

std::optional<Triangle> stablehlo::matchTriangle(ElementsAttr constant) {
  std::optional<Matrix> matrix = matchMatrix(constant);
  std::optional<int64_t> diagonal =
      matrix ? findDiagonal(*matrix) : std::nullopt;
  if (!diagonal)
    return std::nullopt;
  std::optional<double> lower, upper;
  auto isOfItsPart = [&](int64_t row, int64_t column, double number) {
    std::optional<double> &known = column <= row + *diagonal ? lower : upper;
    if (!known)
      known = number;
    // False for NaN as well.
    return *known == number;
  };
  if (!matrix->visit(isOfItsPart))
    return std::nullopt;
  return Triangle{matrix->rowDim, matrix->columnDim, *diagonal, *lower, *upper};
}

std::optional<Triangle> stablehlo::matchLowerTriangular(ElementsAttr constant) {
  std::optional<Matrix> matrix = matchMatrix(constant);
  auto isLower = [](int64_t row, int64_t column, double number) {
    return column <= row || number == 0;
  };
  if (!matrix || !matrix->visit(isLower))
    return std::nullopt;
  return Triangle{matrix->rowDim, matrix->columnDim, 0, 1, 0};
}
