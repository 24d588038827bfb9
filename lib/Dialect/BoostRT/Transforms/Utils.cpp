//===- Utils.cpp - What bufferization and the memory plan share -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Questions about destination-style operations and about strided layouts.
//
//===----------------------------------------------------------------------===//

#include "Utils.h"

#include "boost-mlir/Dialect/BoostRT/IR/BoostRT.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::boost;

int64_t rt::elementBytes(Type elementType) {
  return llvm::divideCeil(elementType.getIntOrFloatBitWidth(), 8);
}

int64_t rt::denseBytes(ShapedType type) {
  return type.getNumElements() * elementBytes(type.getElementType());
}

SmallVector<int64_t> rt::rowMajorStrides(ArrayRef<int64_t> shape) {
  SmallVector<int64_t> strides(shape.size(), 1);
  for (int64_t i = static_cast<int64_t>(shape.size()) - 2; i >= 0; --i)
    strides[i] = strides[i + 1] * shape[i + 1];
  return strides;
}

bool rt::isDense(ArrayRef<int64_t> shape, ArrayRef<int64_t> strides) {
  // No elements have no gaps between them.
  if (llvm::is_contained(shape, 0))
    return true;
  int64_t expected = 1;
  for (auto [size, stride] :
       llvm::zip_equal(llvm::reverse(shape), llvm::reverse(strides))) {
    if (size != 1 && stride != expected)
      return false;
    expected *= size;
  }
  return true;
}

SmallVector<rt::Run> rt::getRuns(ArrayRef<int64_t> shape,
                                 ArrayRef<int64_t> strides) {
  SmallVector<Run> runs;
  for (auto [size, stride] :
       llvm::zip_equal(llvm::reverse(shape), llvm::reverse(strides))) {
    if (size == 1)
      continue;
    if (!runs.empty() && stride == runs.back().size * runs.back().stride)
      runs.back().size *= size;
    else
      runs.push_back({size, stride});
  }
  return runs;
}

std::optional<SmallVector<int64_t>>
rt::reshapeStrides(ArrayRef<int64_t> shape, ArrayRef<int64_t> strides,
                   ArrayRef<int64_t> newShape) {
  if (llvm::is_contained(newShape, 0))
    return rowMajorStrides(newShape);
  SmallVector<Run> runs = getRuns(shape, strides);
  SmallVector<int64_t> newStrides(newShape.size());
  // Each new dimension takes its part of what is left of the innermost run.
  const Run *run = runs.begin();
  int64_t left = run == runs.end() ? 1 : run->size;
  int64_t next = run == runs.end() ? 1 : run->stride;
  for (size_t dim = newShape.size(); dim-- > 0;) {
    newStrides[dim] = next;
    if (left % newShape[dim] != 0)
      return std::nullopt;
    left /= newShape[dim];
    next *= newShape[dim];
    if (left == 1 && run != runs.end() && ++run != runs.end()) {
      left = run->size;
      next = run->stride;
    }
  }
  return newStrides;
}

bool rt::readsDestination(DestinationStyleOpInterface op, OpOperand &init) {
  if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op.getOperation()))
    return linalgOp.payloadUsesValueFromOperand(&init) ||
           !linalgOp.getMatchingIndexingMap(&init).isPermutation();
  return isa<AdamWOp, AllReduceOp, RowsOp>(op.getOperation());
}

bool rt::canWriteOver(linalg::LinalgOp op, OpOperand &input,
                      OpOperand &output) {
  auto inputType = dyn_cast<ShapedType>(input.get().getType());
  auto outputType = cast<ShapedType>(output.get().getType());
  if (!inputType || inputType.getShape() != outputType.getShape() ||
      elementBytes(inputType.getElementType()) !=
          elementBytes(outputType.getElementType()))
    return false;
  if (op.getNumParallelLoops() != op.getNumLoops())
    return false;
  AffineMap map = op.getMatchingIndexingMap(&output);
  return map.isPermutation() && op.getMatchingIndexingMap(&input) == map;
}
