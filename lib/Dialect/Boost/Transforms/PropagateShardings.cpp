//===- PropagateShardings.cpp - boost-propagate-shardings -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Infers how every value should be sharded from the shardings of arguments and
// results.
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/Dialect/Boost/Transforms/Passes.h"
#include "boost-mlir/Sharding/FunctionShardings.h"

namespace mlir::boost {
#define GEN_PASS_DEF_PROPAGATESHARDINGSPASS
#include "boost-mlir/Dialect/Boost/Transforms/Passes.h.inc"
} // namespace mlir::boost

using namespace mlir;
using namespace mlir::boost;

namespace {
struct PropagateShardingsPass
    : public boost::impl::PropagateShardingsPassBase<PropagateShardingsPass> {
  void runOnOperation() override {
    func::FuncOp func = getOperation();
    FailureOr<Mesh> mesh = Mesh::get(func);
    if (failed(mesh))
      return signalPassFailure();
    FailureOr<FunctionShardings> shardings =
        FunctionShardings::get(func, *mesh);
    if (failed(shardings))
      return signalPassFailure();
    if (failed(shardings->readShardings()))
      return signalPassFailure();
    shardings->propagate();
    shardings->writeShardings();
  }
};
} // namespace
