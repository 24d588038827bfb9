//===- WindowChecks.h - Attributes of windows -------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checks that verifiers of operations over windows share. Each reports what is
// wrong at the operation; `count` is the number of dimensions the window has.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_LIB_DIALECT_STABLEHLO_IR_WINDOWCHECKS_H
#define BOOST_MLIR_LIB_DIALECT_STABLEHLO_IR_WINDOWCHECKS_H

#include "boost-mlir/Dialect/StableHLO/IR/Window.h"

namespace mlir::boost::stablehlo {

/// One positive entry per dimension, if there are any.
LogicalResult checkWindowEntries(Operation *op, StringRef what,
                                 std::optional<ArrayRef<int64_t>> values,
                                 int64_t count);

/// Two entries per dimension.
LogicalResult checkWindowPadding(Operation *op,
                                 std::optional<DenseIntElementsAttr> padding,
                                 int64_t count);

/// Checks that the sums of `WindowDim::getResultSize` over `shape` are below
/// 2^63.
LogicalResult checkWindowOverflow(Operation *op, ArrayRef<WindowDim> window,
                                  ArrayRef<int64_t> shape);

/// Returns the number of windows along each dimension of `shape`.
SmallVector<int64_t> getWindowCounts(ArrayRef<WindowDim> window,
                                     ArrayRef<int64_t> shape);

} // namespace mlir::boost::stablehlo

#endif // BOOST_MLIR_LIB_DIALECT_STABLEHLO_IR_WINDOWCHECKS_H
