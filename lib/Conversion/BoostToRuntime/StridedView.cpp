//===- StridedView.cpp - Tensors as steps through memory ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StridedView.h"

#include "boost-mlir/Dialect/StableHLO/IR/StableHLO.h"
#include "boost-mlir/Support/TensorTypes.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"

using namespace mlir;
using namespace mlir::boost;
namespace hlo = mlir::boost::stablehlo;

StridedView StridedView::of(Value value) {
  ArrayRef<int64_t> shape = getShape(value);
  return {value, 0, SmallVector<int64_t>(shape), computeStrides(shape)};
}

int64_t StridedView::count(ArrayRef<int64_t> dims) const {
  int64_t product = 1;
  for (int64_t dim : dims)
    product *= sizes[dim];
  return product;
}

std::optional<int64_t> StridedView::findStep(ArrayRef<int64_t> dims) const {
  std::optional<int64_t> step;
  int64_t next = 0;
  for (int64_t dim : llvm::reverse(dims)) {
    if (sizes[dim] == 1)
      continue;
    if (step && strides[dim] != next)
      return std::nullopt;
    if (!step)
      step = strides[dim];
    next = strides[dim] * sizes[dim];
  }
  return step.value_or(1);
}

/// The view with other sizes; nothing if the elements of a new dimension are
/// not one step apart.
static std::optional<StridedView> reshape(const StridedView &view,
                                          ArrayRef<int64_t> sizes) {
  StridedView result{view.value, view.begin, SmallVector<int64_t>(sizes),
                     SmallVector<int64_t>(sizes.size(), 1)};
  // Both shapes fall into groups of equal products.
  size_t from = 0, to = 0;
  while (from < view.sizes.size() || to < sizes.size()) {
    SmallVector<int64_t> oldDims, newDims;
    int64_t oldCount = 1, newCount = 1;
    do {
      if (oldCount <= newCount && from < view.sizes.size()) {
        oldDims.push_back(from);
        oldCount *= view.sizes[from++];
      } else if (to < sizes.size()) {
        newDims.push_back(to);
        newCount *= sizes[to++];
      } else {
        return std::nullopt; // only where a size is 0
      }
    } while (oldCount != newCount);
    std::optional<int64_t> step = view.findStep(oldDims);
    if (!step)
      return std::nullopt;
    for (int64_t dim : llvm::reverse(newDims)) {
      result.strides[dim] = *step;
      *step *= sizes[dim];
    }
  }
  return result;
}

static StridedView transpose(StridedView view, ArrayRef<int64_t> permutation) {
  StridedView result{view.value, view.begin, {}, {}};
  for (int64_t dim : permutation) {
    result.sizes.push_back(view.sizes[dim]);
    result.strides.push_back(view.strides[dim]);
  }
  return result;
}

static StridedView slice(StridedView view, hlo::SliceOp op) {
  view.sizes.assign(op.getType().getShape().begin(),
                    op.getType().getShape().end());
  for (auto [dim, start] : llvm::enumerate(op.getStartIndices())) {
    view.begin += start * view.strides[dim];
    view.strides[dim] *= op.getStrides()[dim];
  }
  return view;
}

static StridedView lookThrough(Value value, bool transposesOnly) {
  if (auto op = value.getDefiningOp<hlo::TransposeOp>())
    return transpose(lookThrough(op.getOperand(), transposesOnly),
                     op.getPermutation());
  if (transposesOnly)
    return StridedView::of(value);
  if (auto op = value.getDefiningOp<hlo::SliceOp>())
    return slice(lookThrough(op.getOperand(), transposesOnly), op);
  if (auto op = value.getDefiningOp<hlo::ReshapeOp>())
    if (auto view = reshape(lookThrough(op.getOperand(), transposesOnly),
                            op.getType().getShape()))
      return *view;
  return StridedView::of(value);
}

StridedView StridedView::through(Value value) {
  auto count = [](Value tensor) {
    return getTensorType(tensor).getNumElements();
  };
  StridedView view = lookThrough(value, /*transposesOnly=*/false);
  // A whole tensor by another shape is as good as itself.
  return count(view.value) == count(value)
             ? lookThrough(value, /*transposesOnly=*/true)
             : view;
}
