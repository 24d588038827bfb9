//===- ReshapeSharding.h - Shardings through reshapes -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_LIB_DIALECT_BOOST_TRANSFORMS_RESHAPESHARDING_H
#define BOOST_MLIR_LIB_DIALECT_BOOST_TRANSFORMS_RESHAPESHARDING_H

#include "boost-mlir/Interfaces/ShardingRule.h"
#include <optional>

namespace mlir::boost {

/// The axes over which a dimension is sharded; empty where nothing says so, as
/// for the dimensions a broadcast adds, whose parts are all alike.
using DimAxes = std::optional<AxisList>;

/// The sharding of the result of a reshape. Equal dimensions at both ends
/// correspond, unless they may be any of several of size 1. Between them local
/// shapes do not always tell: where a head is alone on its rank, `16 -> 1x16`
/// may split off a sharded dimension or add an unsharded one.
SmallVector<DimAxes, 4> reshapeSharding(ArrayRef<int64_t> from,
                                        ArrayRef<int64_t> to,
                                        ArrayRef<DimAxes> dims,
                                        const ShardingRule &rule);

} // namespace mlir::boost

#endif // BOOST_MLIR_LIB_DIALECT_BOOST_TRANSFORMS_RESHAPESHARDING_H
