//===- StopGradientCalls.h - Calls that stop gradients ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_DIALECT_STABLEHLO_IR_STOPGRADIENTCALLS_H
#define BOOST_MLIR_DIALECT_STABLEHLO_IR_STOPGRADIENTCALLS_H

#include "boost-mlir/Dialect/StableHLO/IR/StableHLO.h"

namespace mlir::boost::stablehlo {

/// Returns true for the target of calls that stand for `boost.stop_gradient`.
bool isStopGradientTarget(StringRef target);

/// Returns true for such a call: of one tensor of floating-point numbers, with
/// a result of its type.
bool isStopGradientCall(CustomCallOp call);

} // namespace mlir::boost::stablehlo

#endif // BOOST_MLIR_DIALECT_STABLEHLO_IR_STOPGRADIENTCALLS_H
