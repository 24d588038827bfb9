//===- SplitWeights.cpp - Sums of softmaxes, weighed one by one -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SplitWeights.h"

#include "Softmax.h"

using namespace mlir;
using namespace mlir::boost;
using namespace mlir::boost::raise;
using stablehlo::DotGeneralOp;

/// The limit of values that are tried as a softmax, far more than a loss adds.
static constexpr unsigned kMaxTerms = 16;

static bool isSoftmax(Value value) {
  View view(value);
  view.peel();
  return matchSoftmax(view.value).has_value();
}

namespace {
/// The product of `dot`, one operand of which is made of softmaxes.
class WeightSplitter {
public:
  WeightSplitter(DotGeneralOp dot, bool isLeft);

  /// Replaces the product if it is one of several softmaxes.
  bool split();

private:
  bool isSplit(Value weights, unsigned &terms) const;
  std::optional<std::pair<Value, Value>> matchScaled(Value weights) const;
  Value build(Value weights);
  Value buildProduct(Value weights);
  Value buildFactor(Value numbers);
  int64_t getResultDim(int64_t dim);

  DotGeneralOp dot;
  bool isLeft;
  /// The contracted dimension of the operand.
  int64_t keys;
  /// The only reader of the product, if it is one: terms are transposed as it
  /// does, and added up then.
  stablehlo::TransposeOp transpose;
  OpBuilder builder;
};
} // namespace

WeightSplitter::WeightSplitter(DotGeneralOp dot, bool isLeft)
    : dot(dot), isLeft(isLeft), builder(dot) {
  auto dims = dot.getDotDimensionNumbers();
  keys = (isLeft ? dims.getLhsContractingDimensions()
                 : dims.getRhsContractingDimensions())
             .front();
  if (dot->hasOneUse())
    transpose = dyn_cast<stablehlo::TransposeOp>(*dot->getUsers().begin());
}

/// The weights and the numbers, equal for all keys, that are multiplied.
std::optional<std::pair<Value, Value>>
WeightSplitter::matchScaled(Value weights) const {
  auto mul = weights.getDefiningOp<stablehlo::MulOp>();
  if (!mul)
    return std::nullopt;
  if (isConstantAlong(mul.getRhs(), keys))
    return std::pair<Value, Value>(mul.getLhs(), mul.getRhs());
  if (isConstantAlong(mul.getLhs(), keys))
    return std::pair<Value, Value>(mul.getRhs(), mul.getLhs());
  return std::nullopt;
}

/// Returns true if `weights` are made of softmaxes.
bool WeightSplitter::isSplit(Value weights, unsigned &terms) const {
  if (++terms > kMaxTerms)
    return false;
  if (isSoftmax(weights))
    return true;
  weights = peelConverts(weights);
  Operation *op = weights.getDefiningOp();
  if (isa_and_nonnull<stablehlo::AddOp, stablehlo::SubtractOp>(op))
    return isSplit(op->getOperand(0), terms) &&
           isSplit(op->getOperand(1), terms);
  auto scaled = matchScaled(weights);
  return scaled && isSplit(scaled->first, terms);
}

/// The dimension of the product, as it is read, that a dimension of the
/// operand becomes.
int64_t WeightSplitter::getResultDim(int64_t dim) {
  auto dims = dot.getDotDimensionNumbers();
  auto batching = isLeft ? dims.getLhsBatchingDimensions()
                         : dims.getRhsBatchingDimensions();
  auto contracting = isLeft ? dims.getLhsContractingDimensions()
                            : dims.getRhsContractingDimensions();
  int64_t result = 0;
  if (llvm::is_contained(batching, dim)) {
    result = llvm::find(batching, dim) - batching.begin();
  } else {
    result = static_cast<int64_t>(batching.size());
    if (!isLeft)
      result += getTensorType(dot.getLhs()).getRank() -
                static_cast<int64_t>(batching.size() + contracting.size());
    for (int64_t other : llvm::seq<int64_t>(0, dim))
      result += !llvm::is_contained(batching, other) &&
                !llvm::is_contained(contracting, other);
  }
  if (!transpose)
    return result;
  return llvm::find(transpose.getPermutation(), result) -
         transpose.getPermutation().begin();
}

/// `numbers`, which are equal for all keys, as factors of the product.
Value WeightSplitter::buildFactor(Value numbers) {
  Location loc = dot.getLoc();
  ArrayRef<int64_t> shape = getTensorType(numbers).getShape();
  Value factor = dropRepeat(builder, loc, numbers, keys, shape[keys]);
  SmallVector<std::pair<int64_t, int64_t>> places; // in product and operand
  for (int64_t dim : llvm::seq<int64_t>(0, shape.size()))
    if (dim != keys)
      places.emplace_back(getResultDim(dim), dim);
  llvm::sort(places);
  SmallVector<int64_t> dims, order, sizes;
  for (auto [place, dim] : places) {
    dims.push_back(place);
    order.push_back(dim);
    sizes.push_back(shape[dim]);
  }
  order.push_back(keys);
  factor = makeReshape(builder, loc, makeTranspose(builder, loc, factor, order),
                       sizes);
  RankedTensorType type =
      getTensorType(transpose ? transpose.getResult() : dot.getResult());
  factor = stablehlo::convert(builder, loc, factor, type.getElementType());
  return stablehlo::broadcastInDim(builder, loc, factor, type.getShape(), dims);
}

/// The product with a softmax in the place of the operand.
Value WeightSplitter::buildProduct(Value weights) {
  Value operand = isLeft ? dot.getLhs() : dot.getRhs();
  auto product = cast<DotGeneralOp>(builder.clone(*dot));
  product->setOperand(
      isLeft ? 0 : 1,
      stablehlo::convert(builder, dot.getLoc(), weights,
                         getTensorType(operand).getElementType()));
  if (!transpose)
    return product;
  return stablehlo::TransposeOp::create(builder, transpose.getLoc(),
                                        transpose.getType(), product,
                                        transpose.getPermutation());
}

Value WeightSplitter::build(Value weights) {
  if (isSoftmax(weights))
    return buildProduct(weights);
  weights = peelConverts(weights);
  Location loc = weights.getLoc();
  if (auto scaled = matchScaled(weights)) {
    Value product = build(scaled->first);
    return stablehlo::MulOp::create(builder, loc, product,
                                    buildFactor(scaled->second));
  }
  Operation *op = weights.getDefiningOp();
  Value lhs = build(op->getOperand(0)), rhs = build(op->getOperand(1));
  if (isa<stablehlo::AddOp>(op))
    return stablehlo::AddOp::create(builder, loc, lhs, rhs);
  return stablehlo::SubtractOp::create(builder, loc, lhs, rhs);
}

bool WeightSplitter::split() {
  Value weights = isLeft ? dot.getLhs() : dot.getRhs();
  unsigned terms = 0;
  if (isSoftmax(weights) || !isSplit(weights, terms))
    return false;
  Value read = transpose ? transpose.getResult() : dot.getResult();
  read.replaceAllUsesWith(build(weights));
  return true;
}

void raise::splitWeights(Block &block) {
  SmallVector<DotGeneralOp> products(block.getOps<DotGeneralOp>());
  for (DotGeneralOp dot : products) {
    if (dot.getDotDimensionNumbers().getLhsContractingDimensions().size() != 1)
      continue;
    if (!WeightSplitter(dot, /*isLeft=*/true).split())
      WeightSplitter(dot, /*isLeft=*/false).split();
  }
}
