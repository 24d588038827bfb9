//===- StridedLayout.cpp - Where elements of a buffer are -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/Dialect/BoostRT/IR/StridedLayout.h"

#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace mlir::boost;

std::optional<rt::StridedLayout> rt::getStaticLayout(MemRefType type) {
  if (!type.hasStaticShape())
    return std::nullopt;
  StridedLayout layout;
  // The test for the identity is last, since it builds a map from strides.
  if (auto strided = dyn_cast<StridedLayoutAttr>(type.getLayout()))
    layout = {llvm::to_vector(strided.getStrides()), strided.getOffset()};
  else if (type.getLayout().isIdentity())
    layout.strides = computeStrides(type.getShape());
  else if (failed(type.getStridesAndOffset(layout.strides, layout.offset)))
    return std::nullopt;
  if (ShapedType::isDynamic(layout.offset) ||
      ShapedType::isDynamicShape(layout.strides))
    return std::nullopt;
  return layout;
}

SmallVector<int64_t> rt::getStaticStrides(MemRefType type) {
  std::optional<StridedLayout> layout = getStaticLayout(type);
  assert(layout && "expects a static layout");
  return layout->strides;
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

bool rt::isDense(MemRefType type) {
  return isDense(type.getShape(), getStaticStrides(type));
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
    return computeStrides(newShape);
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
