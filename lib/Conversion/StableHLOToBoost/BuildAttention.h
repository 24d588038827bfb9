//===- BuildAttention.h - boost.attention for what was found ----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_LIB_CONVERSION_STABLEHLOTOBOOST_BUILDATTENTION_H
#define BOOST_MLIR_LIB_CONVERSION_STABLEHLOTOBOOST_BUILDATTENTION_H

#include "AttentionAxes.h"

namespace mlir::boost::raise {

/// Replaces `root`, the product with the values, by a `boost.attention`, and
/// what that does not compute: `shape` is that of the frame.
void buildAttention(stablehlo::DotGeneralOp root, const Attention &attention,
                    ArrayRef<int64_t> shape);

} // namespace mlir::boost::raise

#endif // BOOST_MLIR_LIB_CONVERSION_STABLEHLOTOBOOST_BUILDATTENTION_H
