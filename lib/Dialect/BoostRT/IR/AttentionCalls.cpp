//===- AttentionCalls.cpp - Who serves calls of attention -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/Dialect/BoostRT/IR/AttentionCalls.h"

using namespace mlir;
using namespace mlir::boost;

template <typename OpT>
static boost_rt::AttentionTraits getCommonTraits(OpT op) {
  auto query = cast<ShapedType>(op.getQuery().getType()),
       key = cast<ShapedType>(op.getKey().getType());
  boost_rt::AttentionTraits call = {};
  call.b = query.getDimSize(0);
  call.sq = query.getDimSize(1);
  call.sk = key.getDimSize(1);
  call.h = query.getDimSize(2);
  call.kvh = key.getDimSize(2);
  call.dh = query.getDimSize(3);
  Type element = query.getElementType();
  call.isBF16OrF16 = element.isBF16() || element.isF16();
  call.hasBias = bool(op.getBias());
  call.hasMask = bool(op.getMask());
  call.hasSoftCap = bool(op.getSoftCap());
  return call;
}

boost_rt::AttentionTraits
mlir::boost::rt::getAttentionTraits(AttentionForwardOp op) {
  return getCommonTraits(op);
}

boost_rt::AttentionTraits
mlir::boost::rt::getAttentionTraits(AttentionBackwardOp op) {
  boost_rt::AttentionTraits call = getCommonTraits(op);
  call.isBackward = true;
  call.isDeterministic = !op.getNondeterministic();
  call.hasLseGradient = bool(op.getLseGrad());
  return call;
}
