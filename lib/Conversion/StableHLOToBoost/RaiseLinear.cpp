//===- RaiseLinear.cpp - dot_general with a parameter to boost.linear -----===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds products of activations with a weight, which is a parameter or computed
// from some.
// Weights of higher rank, as of a fused head dimension, are read as matrices.
//
// `W @ x` mapped over a batch puts the batch behind what W makes, and the next
// such product takes it from there. A product is written with the batch first
// and a transpose behind it, which moves past elementwise operations to meet
// the next product and cancel.
//
//===----------------------------------------------------------------------===//

#include "Views.h"
#include "WeightProducts.h"

#include "boost-mlir/Conversion/StableHLOToBoost/Passes.h"
#include "boost-mlir/Dialect/Boost/IR/Boost.h"
#include "boost-mlir/Dialect/Boost/IR/Weights.h"
#include "boost-mlir/Support/ReadValues.h"

namespace mlir::boost {
#define GEN_PASS_DEF_RAISELINEARPASS
#include "boost-mlir/Conversion/StableHLOToBoost/Passes.h.inc"
} // namespace mlir::boost

using namespace mlir;
using namespace mlir::boost;
using namespace mlir::boost::raise;

namespace {
/// One side of a dot_general and the dimensions it contracts.
struct Side {
  Value value;
  ArrayRef<int64_t> contracting;

  ArrayRef<int64_t> getShape() const { return getTensorType(value).getShape(); }
  /// Returns true if the contracted dimensions are the first ones, in order.
  bool contractsLeading() const {
    return llvm::equal(contracting, llvm::seq<int64_t>(0, contracting.size()));
  }
  /// Returns true if the contracted dimensions are the last ones, in order.
  bool contractsTrailing() const {
    int64_t rank = getShape().size();
    return llvm::equal(contracting,
                       llvm::seq<int64_t>(rank - contracting.size(), rank));
  }
};
} // namespace

/// The weight as a matrix whose contracted dimension the product reads first.
static Matrix makeMatrix(OpBuilder &builder, Location loc, const Side &weight) {
  size_t count = weight.contracting.size();
  bool transposed = !weight.contractsLeading();
  ArrayRef<int64_t> shape = weight.getShape();
  size_t outer = transposed ? shape.size() - count : count;
  Value matrix =
      makeReshape(builder, loc, weight.value,
                  {ShapedType::getNumElements(shape.take_front(outer)),
                   ShapedType::getNumElements(shape.drop_front(outer))});
  return {matrix, transposed};
}

/// The tensor of which `input` is the transpose that moves its last dimensions
/// to where they are contracted; null if it is none.
static Value matchContractedLast(const Side &input) {
  auto order = llvm::to_vector(llvm::make_filter_range(
      llvm::seq<int64_t>(0, input.getShape().size()), [&](int64_t dim) {
        return !llvm::is_contained(input.contracting, dim);
      }));
  llvm::append_range(order, input.contracting);
  Value value = input.value;
  while (auto transpose = value.getDefiningOp<stablehlo::TransposeOp>()) {
    for (int64_t &dim : order)
      dim = transpose.getPermutation()[dim];
    value = transpose.getOperand();
  }
  return llvm::equal(order, llvm::seq<int64_t>(0, order.size())) ? value
                                                                 : Value();
}

namespace {
/// Raises the products of a block, in its order.
class LinearRaiser {
public:
  explicit LinearRaiser(Block &block);

  void visit(Operation &op);

private:
  std::optional<unsigned> findWeight(stablehlo::DotGeneralOp dot) const;
  void raiseDot(stablehlo::DotGeneralOp dot);
  void moveTransposeBehind(Operation *op);

  Weights weights;
  /// The weights that are multiplied with activations, and the values that they
  /// are computed from.
  DenseSet<Value> parts;
  /// Transposes behind products of a weight with an activation.
  DenseSet<Operation *> transposes;
};
} // namespace

LinearRaiser::LinearRaiser(Block &block) : weights(block) {
  for (Operation &op : llvm::reverse(block)) {
    auto isPart = [&](Value value) { return parts.contains(value); };
    if (llvm::any_of(op.getResults(), isPart))
      parts.insert_range(getReadValues(&op));
    else if (auto dot = dyn_cast<stablehlo::DotGeneralOp>(op);
             dot &&
             weights.contains(dot.getLhs()) != weights.contains(dot.getRhs()))
      parts.insert(weights.contains(dot.getLhs()) ? dot.getLhs()
                                                  : dot.getRhs());
  }
}

/// Returns the side of a product that is a weight. A part of another weight has
/// none. Where both sides are computed from parameters, one stands for an
/// activation that all sequences share, unless both are parameters.
std::optional<unsigned>
LinearRaiser::findWeight(stablehlo::DotGeneralOp dot) const {
  Value lhs = dot.getLhs(), rhs = dot.getRhs();
  if (parts.contains(dot))
    return std::nullopt;
  if (weights.contains(lhs) != weights.contains(rhs))
    return weights.contains(lhs) ? 0 : 1;
  bool isStored = bool(getParameter(lhs));
  if (isStored == bool(getParameter(rhs)))
    return std::nullopt;
  return isStored ? 0 : 1;
}

/// Replaces `dot` by a linear if one side is a weight; leaves it alone
/// otherwise.
void LinearRaiser::raiseDot(stablehlo::DotGeneralOp dot) {
  auto dims = dot.getDotDimensionNumbers();
  std::optional<unsigned> side = findWeight(dot);
  if (!side || !dims.getLhsBatchingDimensions().empty())
    return;
  Side input{dot.getLhs(), dims.getLhsContractingDimensions()};
  Side weight{dot.getRhs(), dims.getRhsContractingDimensions()};
  bool weightFirst = *side == 0;
  if (weightFirst)
    std::swap(input, weight);
  SmallVector<int64_t> trailing;
  if (!input.contractsTrailing())
    if (Value last = matchContractedLast(input)) {
      int64_t rank = getTensorType(last).getRank();
      llvm::append_range(
          trailing,
          llvm::seq(rank - static_cast<int64_t>(input.contracting.size()),
                    rank));
      input = {last, trailing};
    }
  if (input.contracting.empty() || !input.contractsTrailing() ||
      weight.getShape().size() <= weight.contracting.size() ||
      !(weight.contractsLeading() || weight.contractsTrailing()))
    return;
  Type element = getTensorType(dot).getElementType();
  if (!isa<FloatType>(element) ||
      (element != getTensorType(input.value).getElementType() &&
       !element.isF32()))
    return;

  OpBuilder builder(dot);
  Location loc = dot.getLoc();
  Matrix matrix = makeMatrix(builder, loc, weight);
  size_t count = input.contracting.size();
  ArrayRef<int64_t> batch = input.getShape().drop_back(count);
  SmallVector<int64_t> inShape(batch);
  inShape.push_back(matrix.getRows());
  Value result = buildProduct(builder, loc,
                              makeReshape(builder, loc, input.value, inShape),
                              matrix, element);

  // Free dimensions of the left side come first in the result.
  ArrayRef<int64_t> free = weight.contractsLeading()
                               ? weight.getShape().drop_front(count)
                               : weight.getShape().drop_back(count);
  SmallVector<int64_t> split(batch);
  split.append(free.begin(), free.end());
  result = makeReshape(builder, loc, result, split);
  if (weightFirst) {
    auto order =
        llvm::to_vector(llvm::seq<int64_t>(batch.size(), split.size()));
    llvm::append_range(order, llvm::seq<int64_t>(0, batch.size()));
    result = makeTranspose(builder, loc, result, order);
    if (auto transpose = result.getDefiningOp<stablehlo::TransposeOp>())
      transposes.insert(transpose);
  }
  dot.replaceAllUsesWith(result);
}

/// Has an elementwise operation, of such a transpose and perhaps of splats,
/// stand before it.
void LinearRaiser::moveTransposeBehind(Operation *op) {
  auto isTransposed = [&](Value operand) {
    return operand.getDefiningOp() &&
           transposes.contains(operand.getDefiningOp());
  };
  auto first = llvm::find_if(op->getOperands(), isTransposed);
  if (first == op->operand_end())
    return;
  auto transpose = (*first).getDefiningOp<stablehlo::TransposeOp>();
  ArrayRef<int64_t> shape = transpose.getOperand().getType().getShape();
  OpBuilder builder(op);
  SmallVector<Value> operands;
  for (Value operand : op->getOperands()) {
    std::optional<double> number = stablehlo::matchSplat(operand);
    RankedTensorType type = getTensorType(operand);
    if (isTransposed(operand) &&
        operand.getDefiningOp<stablehlo::TransposeOp>().getPermutation() ==
            transpose.getPermutation())
      operands.push_back(operand.getDefiningOp()->getOperand(0));
    else if (number)
      operands.push_back(
          stablehlo::splat(builder, op->getLoc(), type.clone(shape), *number));
    else
      return;
  }
  RankedTensorType type = getTensorType(op->getResult(0));
  Operation *moved = builder.clone(*op);
  moved->setOperands(operands);
  moved->getResult(0).setType(type.clone(shape));
  Value result = stablehlo::transpose(
      builder, op->getLoc(), moved->getResult(0), transpose.getPermutation());
  transposes.insert(result.getDefiningOp());
  op->getResult(0).replaceAllUsesWith(result);
}

void LinearRaiser::visit(Operation &op) {
  if (auto dot = dyn_cast<stablehlo::DotGeneralOp>(op))
    raiseDot(dot);
  else if (op.hasTrait<OpTrait::Elementwise>())
    moveTransposeBehind(&op);
}

namespace {
struct RaiseLinear
    : public mlir::boost::impl::RaiseLinearPassBase<RaiseLinear> {
  void runOnOperation() override {
    for (Block &block : getOperation().getBody()) {
      LinearRaiser raiser(block);
      for (Operation &op : llvm::make_early_inc_range(block))
        raiser.visit(op);
      // Replaced operations are dead now.
      visitBackwards(block, [](Operation *) {});
    }
  }
};
} // namespace
