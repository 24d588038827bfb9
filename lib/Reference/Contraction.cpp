//===- Contraction.cpp - Reference rules of products and reductions -------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From the StableHLO specification: sums in row-major order of the reduced
// coordinates, in double.
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/Dialect/Boost/IR/Boost.h"
#include "boost-mlir/Dialect/StableHLO/IR/Builders.h"
#include "boost-mlir/Dialect/StableHLO/IR/StableHLO.h"
#include "boost-mlir/Reference/Evaluator.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"

using namespace mlir;
using namespace mlir::boost;
using namespace mlir::boost::reference;

using Operands = ArrayRef<const Tensor *>;
using Results = MutableArrayRef<Tensor>;

namespace {
/// Maps coordinates of a product of two tensors: every operand dimension is a
/// result coordinate or a contracted one.
struct Product {
  SmallVector<int64_t> lhsResult, rhsResult;     // result dim, or -1
  SmallVector<int64_t> lhsContract, rhsContract; // contracted dim, or -1
  SmallVector<int64_t> contractedShape;

  Product(const Tensor &lhs, const Tensor &rhs)
      : lhsResult(lhs.rank(), -1), rhsResult(rhs.rank(), -1),
        lhsContract(lhs.rank(), -1), rhsContract(rhs.rank(), -1) {}

  void contract(int64_t lhsDim, int64_t rhsDim, int64_t extent) {
    lhsContract[lhsDim] = rhsContract[rhsDim] =
        static_cast<int64_t>(contractedShape.size());
    contractedShape.push_back(extent);
  }

  /// Returns the offset in an operand of each coordinate of `shape`, in
  /// row-major order, when `map` has the operand dimensions of the coordinates.
  static std::vector<size_t> offsets(const Tensor &operand,
                                     ArrayRef<int64_t> map,
                                     ArrayRef<int64_t> shape) {
    SmallVector<int64_t> strides(shape.size(), 0);
    for (auto [dim, stride] :
         llvm::zip_equal(map, computeStrides(operand.shape())))
      if (dim >= 0)
        strides[dim] = stride;
    std::vector<size_t> all;
    forEachIndex(shape, [&](ArrayRef<int64_t> index) {
      int64_t offset = 0;
      for (auto [i, stride] : llvm::zip_equal(index, strides))
        offset += i * stride;
      all.push_back(offset);
    });
    return all;
  }

  void evaluate(const Tensor &lhs, const Tensor &rhs, Tensor &result,
                const Roundoff &roundoff) const {
    auto lhsRows = offsets(lhs, lhsResult, result.shape());
    auto rhsRows = offsets(rhs, rhsResult, result.shape());
    auto lhsTerms = offsets(lhs, lhsContract, contractedShape);
    auto rhsTerms = offsets(rhs, rhsContract, contractedShape);
    // Sums of integers wrap.
    for (size_t i = 0; i < result.integers.size(); ++i) {
      uint64_t sum = 0;
      for (auto [l, r] : llvm::zip_equal(lhsTerms, rhsTerms))
        sum += static_cast<uint64_t>(lhs.integers[lhsRows[i] + l]) *
               static_cast<uint64_t>(rhs.integers[rhsRows[i] + r]);
      result.integers[i] = wrapInteger(sum, result.elementType());
    }
    for (size_t i = 0; i < result.data.size(); ++i) {
      Sum sum;
      for (auto [l, r] : llvm::zip_equal(lhsTerms, rhsTerms))
        sum.add(lhs.data[lhsRows[i] + l] * rhs.data[rhsRows[i] + r]);
      result.data[i] = roundoff.sum(sum, result.elementType());
    }
  }
};
} // namespace

/// An operand rounded to the precision type of an algorithm, as a conversion
/// would round it; tf32, which is no type of tensors, by its bits.
static Tensor roundOperand(const Tensor &operand, Type type,
                           Evaluator &evaluator) {
  Tensor rounded = operand;
  rounded.type = RankedTensorType::get(operand.shape(), type);
  if (type.isTF32())
    roundToSemantics(rounded, llvm::APFloat::FloatTF32());
  else
    roundTensor(rounded, evaluator.getPrecision().rounding);
  return rounded;
}

static LogicalResult evaluateDot(Operation *op, Operands operands,
                                 Results results, Evaluator &evaluator) {
  auto dot = cast<stablehlo::DotGeneralOp>(op);
  stablehlo::DotDimensionNumbersAttr dims = dot.getDotDimensionNumbers();
  Tensor lhs = *operands[0], rhs = *operands[1];
  if (stablehlo::DotAlgorithmAttr algorithm = dot.getAlgorithmAttr()) {
    lhs = roundOperand(lhs, algorithm.getLhsPrecisionType(), evaluator);
    rhs = roundOperand(rhs, algorithm.getRhsPrecisionType(), evaluator);
  }
  Product product(lhs, rhs);
  int64_t next = 0;
  for (auto [l, r] : llvm::zip_equal(dims.getLhsBatchingDimensions(),
                                     dims.getRhsBatchingDimensions()))
    product.lhsResult[l] = product.rhsResult[r] = next++;
  for (auto [l, r] : llvm::zip_equal(dims.getLhsContractingDimensions(),
                                     dims.getRhsContractingDimensions()))
    product.contract(l, r, lhs.shape()[l]);
  for (int64_t dim = 0; dim < lhs.rank(); ++dim)
    if (product.lhsResult[dim] < 0 && product.lhsContract[dim] < 0)
      product.lhsResult[dim] = next++;
  for (int64_t dim = 0; dim < rhs.rank(); ++dim)
    if (product.rhsResult[dim] < 0 && product.rhsContract[dim] < 0)
      product.rhsResult[dim] = next++;
  product.evaluate(lhs, rhs, results[0], evaluator.getRoundoff());
  return success();
}

static LogicalResult evaluateLinear(Operation *op, Operands operands,
                                    Results results, Evaluator &evaluator) {
  bool transposed = cast<LinearOp>(op).getTransposed();
  const Tensor &input = *operands[0], &weight = *operands[1];
  Product product(input, weight);
  for (int64_t dim = 0; dim + 1 < input.rank(); ++dim)
    product.lhsResult[dim] = dim;
  product.contract(input.rank() - 1, transposed ? 1 : 0, input.shape().back());
  product.rhsResult[transposed ? 0 : 1] = input.rank() - 1;
  product.evaluate(input, weight, results[0], evaluator.getRoundoff());
  return success();
}

static LogicalResult evaluateReduce(Operation *op, Operands operands,
                                    Results results, Evaluator &evaluator) {
  auto reduce = cast<stablehlo::ReduceOp>(op);
  ArrayRef<int64_t> dims = reduce.getDimensions();
  size_t count = results.size();
  Index kept;
  for (int64_t dim = 0; dim < operands[0]->rank(); ++dim)
    if (!llvm::is_contained(dims, dim))
      kept.push_back(dim);

  for (size_t i = 0; i < count; ++i)
    results[i].fill(*operands[count + i]);

  bool failedOnce = false;
  Index target(kept.size());
  SmallVector<Tensor> arguments;
  for (size_t i = 0; i < 2 * count; ++i)
    arguments.emplace_back(
        cast<RankedTensorType>(reduce.getBody().getArgument(i).getType()));
  forEachIndex(operands[0]->shape(), [&](ArrayRef<int64_t> index) {
    for (auto [i, dim] : llvm::enumerate(kept))
      target[i] = index[dim];
    for (size_t i = 0; i < count; ++i) {
      arguments[i].copy(0, results[i], results[i].position(target));
      arguments[count + i].copy(0, *operands[i], operands[i]->position(index));
    }
    FailureOr<SmallVector<Tensor>> combined =
        evaluator.runRegion(reduce.getBody(), arguments);
    failedOnce |= failed(combined);
    if (!failedOnce)
      for (size_t i = 0; i < count; ++i)
        results[i].copy(results[i].position(target), (*combined)[i], 0);
  });
  return failure(failedOnce);
}

/// The common reductions of floats, without interpreting the body per element.
static LogicalResult evaluateSimpleReduce(stablehlo::ReduceOp reduce,
                                          stablehlo::ReductionKind kind,
                                          Operands operands, Results results,
                                          const Roundoff &roundoff) {
  using stablehlo::ReductionKind;
  ArrayRef<int64_t> dims = reduce.getDimensions();
  std::vector<double> &data = results[0].data;
  std::fill(data.begin(), data.end(), operands[1]->data[0]);
  std::vector<Sum> sums(data.size(), Sum{operands[1]->data[0]});
  Index target(results[0].rank());
  forEachIndex(operands[0]->shape(), [&](ArrayRef<int64_t> index) {
    size_t next = 0;
    for (int64_t dim = 0; dim < operands[0]->rank(); ++dim)
      if (!llvm::is_contained(dims, dim))
        target[next++] = index[dim];
    double &out = results[0].at(target);
    double in = operands[0]->at(index);
    switch (kind) {
    case ReductionKind::Add:
      sums[&out - data.data()].add(in);
      break;
    case ReductionKind::Mul:
      out *= in;
      break;
    case ReductionKind::Max:
      out = maximum(out, in);
      break;
    case ReductionKind::Min:
      out = minimum(out, in);
      break;
    case ReductionKind::And:
    case ReductionKind::Or:
      llvm_unreachable("no operation on floats");
    }
  });
  if (kind == ReductionKind::Add)
    for (auto [out, sum] : llvm::zip_equal(data, sums))
      out = roundoff.sum(sum, results[0].elementType());
  return success();
}

void mlir::boost::reference::addContractionRules(RuleSet &rules) {
  rules.local["stablehlo.dot_general"] = evaluateDot;
  rules.local["boost.linear"] = evaluateLinear;
  rules.local["stablehlo.reduce"] = [](Operation *op, Operands operands,
                                       Results results, Evaluator &evaluator) {
    auto reduce = cast<stablehlo::ReduceOp>(op);
    std::optional<stablehlo::ReductionKind> kind =
        stablehlo::matchSimpleReduction(reduce);
    if (kind && operands[0]->isFloat())
      return evaluateSimpleReduce(reduce, *kind, operands, results,
                                  evaluator.getRoundoff());
    return evaluateReduce(op, operands, results, evaluator);
  };
}
