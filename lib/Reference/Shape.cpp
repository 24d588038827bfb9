//===- Shape.cpp - Reference rules of data movement -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From the StableHLO specification, coordinate by coordinate.
//
//===----------------------------------------------------------------------===//

#include "Elements.h"
#include "boost-mlir/Dialect/StableHLO/IR/StableHLO.h"
#include "boost-mlir/Reference/Evaluator.h"

using namespace mlir;
using namespace mlir::boost;
using namespace mlir::boost::reference;

using Operands = ArrayRef<const Tensor *>;
using Results = MutableArrayRef<Tensor>;

static LogicalResult evaluateConstant(Operation *op, Operands, Results results,
                                      Evaluator &) {
  ElementsAttr value = cast<stablehlo::ConstantOp>(op).getValue();
  auto dense = dyn_cast<DenseElementsAttr>(value);
  if (!dense)
    return op->emitError() << "expects a dense constant to evaluate";
  readElements(dense, results[0]);
  return success();
}

static LogicalResult evaluateIota(Operation *op, Operands, Results results,
                                  Evaluator &) {
  int64_t dim = cast<stablehlo::IotaOp>(op).getIotaDimension();
  forEachIndex(results[0].shape(), [&](ArrayRef<int64_t> index) {
    if (results[0].isFloat())
      results[0].at(index) = static_cast<double>(index[dim]);
    else
      results[0].integerAt(index) = index[dim];
  });
  return success();
}

static LogicalResult evaluateBroadcast(Operation *op, Operands operands,
                                       Results results, Evaluator &) {
  ArrayRef<int64_t> dims =
      cast<stablehlo::BroadcastInDimOp>(op).getBroadcastDimensions();
  Index source(dims.size());
  forEachIndex(results[0].shape(), [&](ArrayRef<int64_t> index) {
    for (auto [i, dim] : llvm::enumerate(dims))
      source[i] = operands[0]->shape()[i] == 1 ? 0 : index[dim];
    results[0].copy(index, *operands[0], source);
  });
  return success();
}

static LogicalResult evaluateReshape(Operation *, Operands operands,
                                     Results results, Evaluator &) {
  results[0].copyAll(*operands[0]);
  return success();
}

static LogicalResult evaluateTranspose(Operation *op, Operands operands,
                                       Results results, Evaluator &) {
  ArrayRef<int64_t> permutation =
      cast<stablehlo::TransposeOp>(op).getPermutation();
  Index source(permutation.size());
  forEachIndex(results[0].shape(), [&](ArrayRef<int64_t> index) {
    for (auto [i, dim] : llvm::enumerate(permutation))
      source[dim] = index[i];
    results[0].copy(index, *operands[0], source);
  });
  return success();
}

static LogicalResult evaluateReverse(Operation *op, Operands operands,
                                     Results results, Evaluator &) {
  ArrayRef<int64_t> dims = cast<stablehlo::ReverseOp>(op).getDimensions();
  forEachIndex(results[0].shape(), [&](ArrayRef<int64_t> index) {
    Index source(index);
    for (int64_t dim : dims)
      source[dim] = results[0].shape()[dim] - 1 - index[dim];
    results[0].copy(index, *operands[0], source);
  });
  return success();
}

static LogicalResult evaluateSlice(Operation *op, Operands operands,
                                   Results results, Evaluator &) {
  auto slice = cast<stablehlo::SliceOp>(op);
  Index source(results[0].rank());
  forEachIndex(results[0].shape(), [&](ArrayRef<int64_t> index) {
    for (size_t dim = 0; dim < index.size(); ++dim)
      source[dim] =
          slice.getStartIndices()[dim] + index[dim] * slice.getStrides()[dim];
    results[0].copy(index, *operands[0], source);
  });
  return success();
}

static LogicalResult evaluateConcatenate(Operation *op, Operands operands,
                                         Results results, Evaluator &) {
  int64_t dim = cast<stablehlo::ConcatenateOp>(op).getDimension();
  Index start(results[0].rank(), 0);
  for (const Tensor *operand : operands) {
    insert(results[0], *operand, start);
    start[dim] += operand->shape()[dim];
  }
  return success();
}

static LogicalResult evaluatePad(Operation *op, Operands operands,
                                 Results results, Evaluator &) {
  auto pad = cast<stablehlo::PadOp>(op);
  results[0].fill(*operands[1]);
  forEachIndex(operands[0]->shape(), [&](ArrayRef<int64_t> index) {
    Index target(index);
    for (size_t dim = 0; dim < index.size(); ++dim) {
      target[dim] = pad.getEdgePaddingLow()[dim] +
                    index[dim] * (pad.getInteriorPadding()[dim] + 1);
      if (target[dim] < 0 || target[dim] >= results[0].shape()[dim])
        return; // Negative padding removes elements.
    }
    results[0].copy(target, *operands[0], index);
  });
  return success();
}

/// Start indices clamped so that the slice lies inside, as the specification
/// asks of dynamic_slice and dynamic_update_slice.
static Index clampedStart(Operands indices, ArrayRef<int64_t> shape,
                          ArrayRef<int64_t> sizes) {
  Index start;
  for (auto [index, extent, size] : llvm::zip_equal(indices, shape, sizes))
    start.push_back(std::clamp<int64_t>(index->indexAt(0), 0, extent - size));
  return start;
}

static LogicalResult evaluateDynamicSlice(Operation *, Operands operands,
                                          Results results, Evaluator &) {
  ArrayRef<int64_t> sizes = results[0].shape();
  results[0].copyAll(extract(
      *operands[0],
      clampedStart(operands.drop_front(), operands[0]->shape(), sizes), sizes));
  return success();
}

static LogicalResult evaluateDynamicUpdateSlice(Operation *, Operands operands,
                                                Results results, Evaluator &) {
  results[0].copyAll(*operands[0]);
  insert(results[0], *operands[1],
         clampedStart(operands.drop_front(2), operands[0]->shape(),
                      operands[1]->shape()));
  return success();
}

static LogicalResult evaluateGather(Operation *op, Operands operands,
                                    Results results, Evaluator &) {
  auto gather = cast<stablehlo::GatherOp>(op);
  stablehlo::GatherDimensionNumbersAttr dims = gather.getDimensionNumbers();
  const Tensor &source = *operands[0], &starts = *operands[1];
  forEachIndex(results[0].shape(), [&](ArrayRef<int64_t> index) {
    Index batch, offset;
    for (auto [dim, i] : llvm::enumerate(index))
      (llvm::is_contained(dims.getOffsetDims(), static_cast<int64_t>(dim))
           ? offset
           : batch)
          .push_back(i);
    Index position(source.rank(), 0);
    Index startIndex(batch);
    bool vector = dims.getIndexVectorDim() < starts.rank();
    if (vector)
      startIndex.insert(startIndex.begin() + dims.getIndexVectorDim(), 0);
    for (auto [i, dim] : llvm::enumerate(dims.getStartIndexMap())) {
      if (vector)
        startIndex[dims.getIndexVectorDim()] = static_cast<int64_t>(i);
      position[dim] = std::clamp<int64_t>(
          starts.indexAt(starts.position(startIndex)), 0,
          source.shape()[dim] - gather.getSliceSizes()[dim]);
    }
    for (auto [operandDim, startDim] : llvm::zip_equal(
             dims.getOperandBatchingDims(), dims.getStartIndicesBatchingDims()))
      position[operandDim] =
          batch[startDim - (startDim > dims.getIndexVectorDim() ? 1 : 0)];
    size_t next = 0;
    for (int64_t dim = 0; dim < source.rank(); ++dim)
      if (!llvm::is_contained(dims.getCollapsedSliceDims(), dim) &&
          !llvm::is_contained(dims.getOperandBatchingDims(), dim))
        position[dim] += offset[next++];
    results[0].copy(index, source, position);
  });
  return success();
}

void mlir::boost::reference::addShapeRules(RuleSet &rules) {
  rules.local["stablehlo.constant"] = evaluateConstant;
  rules.local["stablehlo.iota"] = evaluateIota;
  rules.local["stablehlo.broadcast_in_dim"] = evaluateBroadcast;
  rules.local["stablehlo.reshape"] = evaluateReshape;
  rules.local["stablehlo.transpose"] = evaluateTranspose;
  rules.local["stablehlo.reverse"] = evaluateReverse;
  rules.local["stablehlo.slice"] = evaluateSlice;
  rules.local["stablehlo.concatenate"] = evaluateConcatenate;
  rules.local["stablehlo.pad"] = evaluatePad;
  rules.local["stablehlo.dynamic_slice"] = evaluateDynamicSlice;
  rules.local["stablehlo.dynamic_update_slice"] = evaluateDynamicUpdateSlice;
  rules.local["stablehlo.gather"] = evaluateGather;
  for (StringRef name :
       {"boost.stop_gradient", "stablehlo.optimization_barrier"})
    rules.local[name] = [](Operation *, Operands operands, Results results,
                           Evaluator &) {
      for (auto [operand, result] : llvm::zip_equal(operands, results))
        result.copyAll(*operand);
      return success();
    };
}
