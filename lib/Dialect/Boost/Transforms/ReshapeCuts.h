//===- ReshapeCuts.h - How a reshape changes what is cut --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_LIB_DIALECT_BOOST_TRANSFORMS_RESHAPECUTS_H
#define BOOST_MLIR_LIB_DIALECT_BOOST_TRANSFORMS_RESHAPECUTS_H

#include "boost-mlir/Interfaces/ShardingRule.h"
#include <optional>

namespace mlir::boost {

/// The axes over which a dimension is sharded; empty where nothing says so, as
/// for the dimensions a broadcast adds, whose parts are all alike.
using DimCut = std::optional<AxisList>;

/// The cuts of the result of a reshape. Equal dimensions at both ends
/// correspond, unless they may be any of several of size 1. Between them local
/// shapes do not always tell: where a head is alone on its rank, `16 -> 1x16`
/// may split off a cut dimension or add one that is whole.
SmallVector<DimCut, 4> reshapeCuts(ArrayRef<int64_t> from, ArrayRef<int64_t> to,
                                   ArrayRef<DimCut> cuts,
                                   const ShardingRule &rule);

} // namespace mlir::boost

#endif // BOOST_MLIR_LIB_DIALECT_BOOST_TRANSFORMS_RESHAPECUTS_H
