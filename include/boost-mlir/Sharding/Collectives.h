//===- Collectives.h - Building communication -------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The collectives and the rank's position, over masks of mesh axes.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_SHARDING_COLLECTIVES_H
#define BOOST_MLIR_SHARDING_COLLECTIVES_H

#include "boost-mlir/Dialect/Boost/IR/Boost.h"
#include "boost-mlir/Dialect/Boost/IR/Mesh.h"
#include "boost-mlir/Dialect/StableHLO/IR/StableHLO.h"

namespace mlir::boost {

/// One `boost.all_reduce` of all `inputs`.
ValueRange buildAllReduce(OpBuilder &builder, Location loc, const Mesh &mesh,
                          AxisMask axes, Reduction reduction,
                          ValueRange inputs);

/// The collective of one axis that shrinks or grows dimension `dim`.
Value buildReduceScatter(OpBuilder &builder, Location loc, const Mesh &mesh,
                         unsigned axis, int64_t dim, Value input);
Value buildAllGather(OpBuilder &builder, Location loc, const Mesh &mesh,
                     unsigned axis, int64_t dim, Value input);
Value buildAllSlice(OpBuilder &builder, Location loc, const Mesh &mesh,
                    unsigned axis, int64_t dim, Value input);
Value buildAllToAll(OpBuilder &builder, Location loc, const Mesh &mesh,
                    unsigned axis, int64_t splitDim, int64_t concatDim,
                    Value input);

/// Marks the local form of a reduction of dimensions sharded over `axes` that
/// has nothing to reduce on a rank, since each holds one term. The mark keeps
/// it from becoming a reshape, which would hide that its result is partial.
void markOneTerm(stablehlo::ReduceOp reduce, AxisMask axes);

/// Builds the offset of the rank's part of a dimension sharded over `axes` into
/// parts of size `localSize`, as a scalar of `elementType`.
Value buildShardOffset(OpBuilder &builder, Location loc, const Mesh &mesh,
                       const AxisList &axes, int64_t localSize,
                       Type elementType);

} // namespace mlir::boost

#endif // BOOST_MLIR_SHARDING_COLLECTIVES_H
