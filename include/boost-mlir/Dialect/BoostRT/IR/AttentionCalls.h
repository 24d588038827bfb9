//===- AttentionCalls.h - Who serves calls of attention ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_DIALECT_BOOSTRT_IR_ATTENTIONCALLS_H
#define BOOST_MLIR_DIALECT_BOOSTRT_IR_ATTENTIONCALLS_H

#include "boost-mlir/Dialect/BoostRT/IR/BoostRT.h"
#include "boost-runtime/AttentionWorkspace.h"

namespace mlir::boost::rt {

/// Returns the facts by which the runtime decides whether cuDNN serves a call.
boost_rt::AttentionTraits getAttentionTraits(AttentionForwardOp op);
boost_rt::AttentionTraits getAttentionTraits(AttentionBackwardOp op);

} // namespace mlir::boost::rt

#endif // BOOST_MLIR_DIALECT_BOOSTRT_IR_ATTENTIONCALLS_H
