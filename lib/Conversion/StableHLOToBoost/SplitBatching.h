//===- SplitBatching.h - Batched products with batch and heads merged -----===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_LIB_CONVERSION_STABLEHLOTOBOOST_SPLITBATCHING_H
#define BOOST_MLIR_LIB_CONVERSION_STABLEHLOTOBOOST_SPLITBATCHING_H

#include "mlir/IR/Block.h"

namespace mlir::boost::raise {

/// Gives products that reshape their operands from [batch, heads, ..] to
/// [batch * heads, ..] and their results back, as a `bmm` does, the two
/// dimensions apart.
void splitBatching(Block &block);

} // namespace mlir::boost::raise

#endif // BOOST_MLIR_LIB_CONVERSION_STABLEHLOTOBOOST_SPLITBATCHING_H
