//===- Utils.cpp - What bufferization and the memory plan share -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Attributes of calls, and views of the arena.
//
//===----------------------------------------------------------------------===//

#include "Utils.h"

#include "boost-mlir/Dialect/BoostRT/IR/BoostRT.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace mlir::boost;

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
  SmallVector<int64_t> strides = getStaticStrides(type);
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
  auto call = dyn_cast<RuntimeCallOpInterface>(op.getOperation());
  return call && call.readsWritten(init);
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
  return op.getMatchingIndexingMap(&input) ==
         op.getMatchingIndexingMap(&output);
}
