//===- Collectives.cpp - Building communication ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/Sharding/Collectives.h"

#include "boost-mlir/Dialect/StableHLO/IR/Builders.h"
#include "mlir/Dialect/Shard/IR/ShardOps.h"

using namespace mlir;
using namespace mlir::boost;

static FlatSymbolRefAttr meshRef(OpBuilder &builder) {
  return FlatSymbolRefAttr::get(builder.getContext(), kMeshSymbol);
}

static DenseI16ArrayAttr axesAttr(OpBuilder &builder, const Mesh &mesh,
                                  AxisMask axes) {
  return builder.getDenseI16ArrayAttr(mesh.getAxes(axes).getGridAxes());
}

static DenseI16ArrayAttr axisAttr(OpBuilder &builder, unsigned axis) {
  return builder.getDenseI16ArrayAttr(static_cast<int16_t>(axis));
}

/// The type of `input` with dimension `dim` multiplied and divided.
static RankedTensorType resize(Value input, int64_t dim, int64_t multiply,
                               int64_t divide) {
  auto type = cast<RankedTensorType>(input.getType());
  SmallVector<int64_t> shape(type.getShape());
  shape[dim] = shape[dim] * multiply / divide;
  return type.clone(shape);
}

ValueRange mlir::boost::buildAllReduce(OpBuilder &builder, Location loc,
                                       const Mesh &mesh, AxisMask axes,
                                       Reduction reduction, ValueRange inputs) {
  auto kind = ReductionAttr::get(builder.getContext(), reduction);
  return AllReduceOp::create(builder, loc, inputs.getTypes(), kind, inputs,
                             meshRef(builder), axesAttr(builder, mesh, axes))
      .getResults();
}

Value mlir::boost::buildReduceScatter(OpBuilder &builder, Location loc,
                                      const Mesh &mesh, unsigned axis,
                                      int64_t dim, Value input) {
  Type type = resize(input, dim, 1, mesh.getAxisSize(axis));
  auto sum = ReductionAttr::get(builder.getContext(), Reduction::Sum);
  return ReduceScatterOp::create(builder, loc, type, sum, input,
                                 builder.getDenseI64ArrayAttr(dim),
                                 meshRef(builder), axisAttr(builder, axis))
      .getResult(0);
}

Value mlir::boost::buildAllGather(OpBuilder &builder, Location loc,
                                  const Mesh &mesh, unsigned axis, int64_t dim,
                                  Value input) {
  Type type = resize(input, dim, mesh.getAxisSize(axis), 1);
  return AllGatherOp::create(builder, loc, type, input,
                             builder.getDenseI64ArrayAttr(dim),
                             meshRef(builder), axisAttr(builder, axis))
      .getResult(0);
}

Value mlir::boost::buildAllSlice(OpBuilder &builder, Location loc,
                                 const Mesh &mesh, unsigned axis, int64_t dim,
                                 Value input) {
  return shard::AllSliceOp::create(
      builder, loc, resize(input, dim, 1, mesh.getAxisSize(axis)),
      meshRef(builder), axisAttr(builder, axis), input,
      builder.getIndexAttr(dim));
}

Value mlir::boost::buildAllToAll(OpBuilder &builder, Location loc,
                                 const Mesh &mesh, unsigned axis,
                                 int64_t splitDim, int64_t concatDim,
                                 Value input) {
  int64_t size = mesh.getAxisSize(axis);
  auto type = cast<RankedTensorType>(input.getType());
  SmallVector<int64_t> shape(type.getShape());
  shape[splitDim] /= size;
  shape[concatDim] *= size;
  return shard::AllToAllOp::create(builder, loc, type.clone(shape),
                                   meshRef(builder), axisAttr(builder, axis),
                                   input, builder.getIndexAttr(splitDim),
                                   builder.getIndexAttr(concatDim));
}

void mlir::boost::markOneTerm(stablehlo::ReduceOp reduce, AxisMask axes) {
  auto type = cast<RankedTensorType>(reduce.getInputs().front().getType());
  bool isOneTerm = llvm::all_of(reduce.getDimensions(), [&](int64_t dim) {
    return type.getDimSize(dim) == 1;
  });
  if (axes && isOneTerm)
    reduce->setAttr(kOneTermAttr, UnitAttr::get(reduce.getContext()));
}

/// The rank's position along axes that are in the order of the mesh, times
/// `stride`.
static Value buildPosition(OpBuilder &builder, Location loc, const Mesh &mesh,
                           AxisMask axes, int64_t stride, Type elementType) {
  Type indexType = RankedTensorType::get({}, builder.getI32Type());
  Value index = ProcessIndexOp::create(
      builder, loc, indexType, meshRef(builder), axesAttr(builder, mesh, axes));
  index = stablehlo::convert(builder, loc, index, elementType);
  Value factor = stablehlo::splatLike(builder, loc, index, stride);
  return stablehlo::MulOp::create(builder, loc, index, factor);
}

Value mlir::boost::buildShardOffset(OpBuilder &builder, Location loc,
                                    const Mesh &mesh, const AxisList &axes,
                                    int64_t localSize, Type elementType) {
  if (llvm::is_sorted(axes))
    return buildPosition(builder, loc, mesh, axes.getSet(), localSize,
                         elementType);
  Value offset;
  int64_t stride = localSize;
  for (int16_t axis : llvm::reverse(axes)) {
    Value part = buildPosition(builder, loc, mesh, AxisMask(1) << axis, stride,
                               elementType);
    offset =
        offset ? stablehlo::AddOp::create(builder, loc, part, offset) : part;
    stride *= mesh.getAxisSize(axis);
  }
  return offset;
}
