//===- RegionChecks.h - What regions take and return ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checks that verifiers of operations with regions share. Each reports what is
// wrong at the operation; `region` names the region in the message.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_LIB_DIALECT_STABLEHLO_IR_REGIONCHECKS_H
#define BOOST_MLIR_LIB_DIALECT_STABLEHLO_IR_REGIONCHECKS_H

#include "boost-mlir/Dialect/StableHLO/IR/StableHLO.h"

namespace mlir::boost::stablehlo {

/// The return of a region ends it and yields `types`.
LogicalResult checkReturn(Operation *op, StringRef region, Block &block,
                          TypeRange types);

LogicalResult checkArguments(Operation *op, StringRef region, Block &block,
                             TypeRange types);

/// A region that combines pairs of scalars, one pair per type.
LogicalResult checkCombiner(Operation *op, StringRef region, Block &block,
                            ArrayRef<Type> scalars);

} // namespace mlir::boost::stablehlo

#endif // BOOST_MLIR_LIB_DIALECT_STABLEHLO_IR_REGIONCHECKS_H
