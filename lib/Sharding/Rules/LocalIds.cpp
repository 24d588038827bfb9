//===- LocalIds.cpp - Indices into a rank's part --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LocalIds.h"

#include "boost-mlir/Dialect/StableHLO/IR/Builders.h"
#include "boost-mlir/Sharding/Collectives.h"
#include "boost-mlir/Support/TensorTypes.h"

using namespace mlir;
using namespace mlir::boost;

std::optional<int64_t>
mlir::boost::getOnlyIndexedDim(ArrayRef<int64_t> indexed,
                               ArrayRef<int64_t> ofOneElement) {
  if (indexed.size() != 1 || !llvm::is_contained(ofOneElement, indexed.front()))
    return std::nullopt;
  return indexed.front();
}

/// Numbers of rows may be larger than those that ids of fewer bits can have.
static Value widen(OpBuilder &builder, Location loc, Value ids) {
  if (getTensorType(ids).getElementTypeBitWidth() >= 32)
    return ids;
  return stablehlo::convert(builder, loc, ids, builder.getI32Type());
}

static Value subtractFirst(OpBuilder &builder, Location loc, const Mesh &mesh,
                           const AxisList &axes, Value ids, int64_t localRows) {
  RankedTensorType type = getTensorType(ids);
  Value first = buildShardOffset(builder, loc, mesh, axes, localRows,
                                 type.getElementType());
  first = stablehlo::broadcastScalar(builder, loc, first, type.getShape());
  return stablehlo::SubtractOp::create(builder, loc, ids, first);
}

LocalIds mlir::boost::buildLocalIds(OpBuilder &builder, Location loc,
                                    const Mesh &mesh, const AxisList &axes,
                                    Value ids, int64_t localRows) {
  ids = widen(builder, loc, ids);
  RankedTensorType type = getTensorType(ids);
  auto splat = [&](int64_t value) {
    return stablehlo::splat(builder, loc, type, value);
  };
  Value first = splat(0), last = splat(localRows - 1);
  // As the whole operation does, before any rank asks whether it holds the row.
  ids = stablehlo::ClampOp::create(builder, loc, type, first, ids,
                                   splat(localRows * mesh.getSize(axes) - 1));
  Value relative = subtractFirst(builder, loc, mesh, axes, ids, localRows);
  Value clamped =
      stablehlo::ClampOp::create(builder, loc, type, first, relative, last);
  Value held = stablehlo::CompareOp::create(builder, loc, relative, clamped,
                                            stablehlo::ComparisonDirection::EQ);
  return {clamped, held};
}

Value mlir::boost::buildRelativeIds(OpBuilder &builder, Location loc,
                                    const Mesh &mesh, const AxisList &axes,
                                    Value ids, int64_t localRows) {
  return subtractFirst(builder, loc, mesh, axes, widen(builder, loc, ids),
                       localRows);
}
