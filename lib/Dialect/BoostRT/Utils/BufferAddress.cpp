//===- BufferAddress.cpp - Where a static memref lies ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Follows memref views to their root, adding up constant offsets.
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/Dialect/BoostRT/Utils/BufferAddress.h"
#include "boost-mlir/Dialect/BoostRT/IR/StridedLayout.h"
#include "boost-mlir/Support/TensorTypes.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::boost;
using namespace mlir::boost::rt;

/// The offset of a static layout in bytes.
static std::optional<int64_t> getLayoutBytes(MemRefType type) {
  std::optional<StridedLayout> layout = getStaticLayout(type);
  if (!layout)
    return std::nullopt;
  return layout->offset * getElementBytes(type.getElementType());
}

/// For a view: its source, and the distance of its first element from the
/// source's first element.
static FailureOr<BufferAddress> stepThroughView(Operation *op) {
  if (auto view = dyn_cast<memref::ViewOp>(op)) {
    IntegerAttr shift;
    if (!matchPattern(view.getByteShift(), m_Constant(&shift)))
      return failure();
    return BufferAddress{view.getSource(), shift.getInt()};
  }
  // A layout's offset counts from the allocation, as the source's does.
  auto fromLayouts = [&](Value source,
                         Value result) -> FailureOr<BufferAddress> {
    auto from = getLayoutBytes(cast<MemRefType>(source.getType()));
    auto to = getLayoutBytes(cast<MemRefType>(result.getType()));
    if (!from || !to)
      return failure();
    return BufferAddress{source, *to - *from};
  };
  return llvm::TypeSwitch<Operation *, FailureOr<BufferAddress>>(op)
      .Case<memref::SubViewOp, memref::ReinterpretCastOp, memref::CastOp,
            memref::ExpandShapeOp, memref::CollapseShapeOp, memref::ReshapeOp,
            memref::TransposeOp>([&](auto view) {
        return fromLayouts(view->getOperand(0), view->getResult(0));
      })
      .Default([](Operation *) { return failure(); });
}

FailureOr<BufferAddress> mlir::boost::rt::resolveBufferAddress(Value memref) {
  int64_t bytes = 0;
  while (Operation *op = memref.getDefiningOp()) {
    if (!isa<ViewLikeOpInterface, memref::TransposeOp>(op))
      break;
    FailureOr<BufferAddress> source = stepThroughView(op);
    if (failed(source))
      return failure();
    bytes += source->bytes;
    memref = source->root;
  }
  return BufferAddress{memref, bytes};
}

bool ByteRange::overlaps(const ByteRange &other) const {
  return root == other.root && begin < other.end && other.begin < end;
}

FailureOr<ByteRange> mlir::boost::rt::getByteRange(Value memref) {
  FailureOr<BufferAddress> address = resolveBufferAddress(memref);
  auto type = cast<MemRefType>(memref.getType());
  std::optional<StridedLayout> layout = getStaticLayout(type);
  if (failed(address) || !layout)
    return failure();
  int64_t elementBytes = getElementBytes(type.getElementType());
  ByteRange range{address->root, address->bytes, address->bytes};
  for (auto [size, stride] : llvm::zip_equal(type.getShape(), layout->strides))
    (stride < 0 ? range.begin : range.end) +=
        (size - 1) * stride * elementBytes;
  range.end += elementBytes;
  return range;
}
