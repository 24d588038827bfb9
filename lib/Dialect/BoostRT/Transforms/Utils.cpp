//===- Utils.cpp - What bufferization and the memory plan share -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Questions about destination-style operations and about strided layouts.
//
//===----------------------------------------------------------------------===//

#include "Utils.h"

#include "boost-mlir/Dialect/BoostRT/IR/BoostRT.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace mlir::boost;

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

void rt::record(Operation *call, ArrayRef<Attribute> reads,
                ArrayRef<Attribute> writes) {
  MLIRContext *context = call->getContext();
  call->setAttr(kReadsAttr, ArrayAttr::get(context, reads));
  call->setAttr(kWritesAttr, ArrayAttr::get(context, writes));
}

DenseI64ArrayAttr rt::joinValues(DenseI64ArrayAttr a, DenseI64ArrayAttr b) {
  if (a == b || b.empty())
    return a;
  if (a.empty())
    return b;
  SmallVector<int64_t> both;
  std::set_union(a.asArrayRef().begin(), a.asArrayRef().end(),
                 b.asArrayRef().begin(), b.asArrayRef().end(),
                 std::back_inserter(both));
  return DenseI64ArrayAttr::get(a.getContext(), both);
}

Value rt::createArenaView(OpBuilder &builder, Location loc, Value arena,
                          int64_t offset, MemRefType type, int64_t buffer,
                          int64_t inBuffer) {
  SmallVector<int64_t> strides = type.getStridesAndOffset().first;
  Type element = type.getElementType();
  auto viewBytes = [&](int64_t shift, ArrayRef<int64_t> shape) {
    Value start = arith::ConstantIndexOp::create(builder, loc, offset + shift);
    auto view =
        memref::ViewOp::create(builder, loc, MemRefType::get(shape, element),
                               arena, start, ValueRange());
    view->setAttr(kBufferAttr,
                  builder.getDenseI64ArrayAttr({buffer, inBuffer + shift}));
    return view.getResult();
  };
  if (isDense(type.getShape(), strides))
    return viewBytes(0, type.getShape());
  int64_t span = 1, first = 0;
  for (auto [size, stride] : llvm::zip_equal(type.getShape(), strides)) {
    span += (size - 1) * std::abs(stride);
    first += stride < 0 ? (size - 1) * -stride : 0;
  }
  Value bytes = viewBytes(-first * getElementBytes(element), {span});
  auto strided = MemRefType::get(
      type.getShape(), element,
      StridedLayoutAttr::get(builder.getContext(), first, strides));
  return memref::ReinterpretCastOp::create(builder, loc, strided, bytes, first,
                                           type.getShape(), strides);
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
      getElementBytes(inputType.getElementType()) !=
          getElementBytes(outputType.getElementType()))
    return false;
  if (op.getNumParallelLoops() != op.getNumLoops())
    return false;
  AffineMap map = op.getMatchingIndexingMap(&output);
  return map.isPermutation() && op.getMatchingIndexingMap(&input) == map;
}
