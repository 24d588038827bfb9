//===- WeightProducts.cpp - Products of weights in factors ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WeightProducts.h"
#include "Views.h"

#include "boost-mlir/Dialect/Boost/IR/Boost.h"

using namespace mlir;
using namespace mlir::boost;
using namespace mlir::boost::raise;

int64_t Matrix::getRows() const {
  return getTensorType(value).getDimSize(transposed ? 1 : 0);
}

int64_t Matrix::getColumns() const {
  return getTensorType(value).getDimSize(transposed ? 0 : 1);
}

/// The matrix without a transpose that its value is made by.
static Matrix peelTranspose(Matrix matrix) {
  auto transpose = matrix.value.getDefiningOp<stablehlo::TransposeOp>();
  if (!transpose || transpose.getPermutation() != ArrayRef<int64_t>({1, 0}))
    return matrix;
  return peelTranspose({transpose.getOperand(), !matrix.transposed});
}

//===----------------------------------------------------------------------===//
// Factors
//===----------------------------------------------------------------------===//

namespace {
/// A weight that is the product of two others, times numbers per row or column.
struct Factors {
  Matrix left, right;
  /// True if only the product with an activation reads the weight, so that it
  /// need not be computed.
  bool isReadOnce = true;
};

/// Finds the factors of weights.
class FactorMatcher {
public:
  FactorMatcher(OpBuilder &builder, Location loc)
      : builder(builder), loc(loc) {}

  std::optional<Factors> match(Matrix matrix);

private:
  std::optional<Factors> matchDot(stablehlo::DotGeneralOp dot, int64_t rows,
                                  int64_t columns);
  std::optional<Factors> matchScaled(Operation *op, ArrayRef<int64_t> shape);
  Value scale(Operation *op, Matrix factor, bool columns, Value numbers);

  OpBuilder &builder;
  Location loc;
};
} // namespace

/// One side of a product as a matrix: its free dimensions are the rows of the
/// left one, and the columns of the right one. Null if the contracted ones are
/// neither the first nor the last.
static std::optional<Matrix> makeMatrix(OpBuilder &builder, Location loc,
                                        Value side,
                                        ArrayRef<int64_t> contracting,
                                        bool isLeft) {
  ArrayRef<int64_t> shape = getTensorType(side).getShape();
  auto count = static_cast<int64_t>(contracting.size());
  auto rank = static_cast<int64_t>(shape.size());
  bool leads = llvm::equal(contracting, llvm::seq<int64_t>(0, count));
  bool trails =
      llvm::equal(contracting, llvm::seq<int64_t>(rank - count, rank));
  if (!leads && !trails)
    return std::nullopt;
  int64_t outer = leads ? count : rank - count;
  Value matrix =
      makeReshape(builder, loc, side,
                  {ShapedType::getNumElements(shape.take_front(outer)),
                   ShapedType::getNumElements(shape.drop_front(outer))});
  return Matrix{matrix, leads == isLeft};
}

/// The factors of `dot`, whose result is read as `rows` by `columns`.
std::optional<Factors> FactorMatcher::matchDot(stablehlo::DotGeneralOp dot,
                                               int64_t rows, int64_t columns) {
  auto dims = dot.getDotDimensionNumbers();
  if (!dims.getLhsBatchingDimensions().empty() ||
      dims.getLhsContractingDimensions().empty())
    return std::nullopt;
  auto left = makeMatrix(builder, loc, dot.getLhs(),
                         dims.getLhsContractingDimensions(), /*isLeft=*/true);
  auto right = makeMatrix(builder, loc, dot.getRhs(),
                          dims.getRhsContractingDimensions(), /*isLeft=*/false);
  if (!left || !right || left->getRows() != rows ||
      right->getColumns() != columns)
    return std::nullopt;
  return Factors{*left, *right, dot->hasOneUse()};
}

/// `factor` with its columns, or else its rows, changed as `op` changes a
/// matrix by `numbers`, one for each of them.
Value FactorMatcher::scale(Operation *op, Matrix factor, bool columns,
                           Value numbers) {
  RankedTensorType type = getTensorType(factor.value);
  int64_t dim = columns != factor.transposed ? 1 : 0;
  if (std::optional<double> number = stablehlo::matchSplat(numbers)) {
    numbers = stablehlo::splatLike(builder, loc, factor.value, *number);
  } else {
    numbers = makeReshape(builder, loc, numbers, {type.getDimSize(dim)});
    numbers = stablehlo::broadcastInDim(builder, loc, numbers, type.getShape(),
                                        {dim});
  }
  Operation *scaled = builder.clone(*op);
  scaled->setOperands({factor.value, numbers});
  scaled->getResult(0).setType(type);
  return scaled->getResult(0);
}

/// The factors of a product or quotient by numbers that are equal along rows or
/// along columns: one factor is scaled by them.
std::optional<Factors> FactorMatcher::matchScaled(Operation *op,
                                                  ArrayRef<int64_t> shape) {
  unsigned last = isa<stablehlo::MulOp>(op) ? 1 : 0;
  for (unsigned index = 0; index <= last; ++index) {
    Value numbers = makeReshape(builder, loc, op->getOperand(1 - index), shape);
    bool columns = isConstantAlong(numbers, 0);
    if (!columns && !isConstantAlong(numbers, 1))
      continue;
    Value product = makeReshape(builder, loc, op->getOperand(index), shape);
    std::optional<Factors> factors = match({product});
    if (!factors)
      continue;
    Matrix &scaled = columns ? factors->right : factors->left;
    int64_t dim = columns ? 0 : 1;
    if (!stablehlo::matchSplat(numbers))
      numbers = dropRepeat(builder, loc, numbers, dim, shape[dim]);
    scaled.value = scale(op, scaled, columns, numbers);
    factors->isReadOnce &= op->hasOneUse();
    return factors;
  }
  return std::nullopt;
}

/// Returns the factors of `matrix`; nothing if it is no product.
std::optional<Factors> FactorMatcher::match(Matrix matrix) {
  Matrix stored = peelTranspose(matrix);
  if (stored.transposed) {
    std::optional<Factors> factors = match({stored.value});
    if (!factors)
      return std::nullopt;
    auto [left, right, isReadOnce] = *factors;
    return Factors{{right.value, !right.transposed},
                   {left.value, !left.transposed},
                   isReadOnce};
  }
  Operation *op = stored.value.getDefiningOp();
  while (auto reshape = dyn_cast_or_null<stablehlo::ReshapeOp>(op))
    op = reshape.getOperand().getDefiningOp();
  if (auto dot = dyn_cast_or_null<stablehlo::DotGeneralOp>(op))
    return matchDot(dot, stored.getRows(), stored.getColumns());
  if (isa_and_nonnull<stablehlo::MulOp, stablehlo::DivOp>(op))
    return matchScaled(op, getTensorType(stored.value).getShape());
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

static Value buildLinear(OpBuilder &builder, Location loc, Value input,
                         Matrix weight, Type element) {
  weight = peelTranspose(weight);
  SmallVector<int64_t> shape(getTensorType(input).getShape());
  shape.back() = weight.getColumns();
  return LinearOp::create(builder, loc, RankedTensorType::get(shape, element),
                          input, weight.value, weight.transposed);
}

namespace {
/// Multiplications of a product with a weight.
struct Costs {
  /// If its factors and terms are multiplied with the input one by one.
  double apart;
  /// To compute the weight before, unless something else reads it anyway.
  double forming;
};

/// Builds products of activations with weights, all of one element type.
class ProductBuilder {
public:
  ProductBuilder(OpBuilder &builder, Location loc, Value input)
      : builder(builder), loc(loc),
        tokens(static_cast<double>(getTensorType(input).getNumElements()) /
               static_cast<double>(getTensorType(input).getShape().back())) {}

  Value build(Value input, Matrix weight);

private:
  double countElements(Matrix weight) const {
    return static_cast<double>(getTensorType(weight.value).getNumElements());
  }
  bool isBetterApart(Matrix weight, Costs costs) const {
    return costs.apart < costs.forming + tokens * countElements(weight);
  }
  std::optional<Factors> findFactors(Matrix weight);
  Costs getCosts(Matrix weight);

  OpBuilder &builder;
  Location loc;
  /// Rows of the input.
  double tokens;
};
} // namespace

/// The terms of a sum that nothing else reads; none if it is no such sum.
static SmallVector<Matrix> getTerms(Matrix weight) {
  Matrix stored = peelTranspose(weight);
  auto sum = stored.value.getDefiningOp<stablehlo::AddOp>();
  if (!sum || !sum->hasOneUse())
    return {};
  return {{sum.getLhs(), stored.transposed}, {sum.getRhs(), stored.transposed}};
}

/// Factors of the element type of the weight.
std::optional<Factors> ProductBuilder::findFactors(Matrix weight) {
  std::optional<Factors> factors = FactorMatcher(builder, loc).match(weight);
  auto hasType = [&](Matrix factor) {
    return getTensorType(factor.value).getElementType() ==
           getTensorType(weight.value).getElementType();
  };
  if (!factors || !hasType(factors->left) || !hasType(factors->right))
    return std::nullopt;
  return factors;
}

Costs ProductBuilder::getCosts(Matrix weight) {
  if (std::optional<Factors> factors = findFactors(weight)) {
    auto middle = static_cast<double>(factors->left.getColumns());
    auto outer = static_cast<double>(weight.getRows() + weight.getColumns());
    return {tokens * middle * outer,
            factors->isReadOnce ? middle * countElements(weight) : 0};
  }
  SmallVector<Matrix> terms = getTerms(weight);
  if (terms.empty())
    return {tokens * countElements(weight), 0};
  Costs sum{tokens * static_cast<double>(weight.getColumns()),
            countElements(weight)};
  for (Matrix term : terms) {
    Costs costs = getCosts(term);
    sum.apart +=
        std::min(costs.apart, costs.forming + tokens * countElements(term));
    sum.forming += costs.forming;
  }
  return sum;
}

Value ProductBuilder::build(Value input, Matrix weight) {
  if (isBetterApart(weight, getCosts(weight))) {
    if (std::optional<Factors> factors = findFactors(weight))
      return build(build(input, factors->left), factors->right);
    if (SmallVector<Matrix> terms = getTerms(weight); !terms.empty()) {
      Value first = build(input, terms[0]), second = build(input, terms[1]);
      return stablehlo::AddOp::create(builder, loc, first.getType(), first,
                                      second);
    }
  }
  return buildLinear(builder, loc, input, weight,
                     getTensorType(input).getElementType());
}

Value raise::buildProduct(OpBuilder &builder, Location loc, Value input,
                          Matrix weight, Type element) {
  if (element == getTensorType(input).getElementType() &&
      element == getTensorType(weight.value).getElementType())
    return ProductBuilder(builder, loc, input).build(input, weight);
  return buildLinear(builder, loc, input, weight, element);
}
