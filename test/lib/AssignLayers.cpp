//===- AssignLayers.cpp - Layers of any program
//------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Divides functions into layers at any operations, so that programs whose parts
// do not repeat can be divided among pipeline stages. Any number of values goes
// from one layer to later ones.
//
//===----------------------------------------------------------------------===//

#include "TestPasses.h"

#include "boost-mlir/Dialect/Boost/IR/Layers.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/Pass.h"

using namespace mlir;
using namespace mlir::boost;

namespace {
struct AssignLayersPass
    : PassWrapper<AssignLayersPass, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(AssignLayersPass)

  AssignLayersPass() = default;
  AssignLayersPass(const AssignLayersPass &other) : PassWrapper(other) {}

  StringRef getArgument() const override { return "test-boost-assign-layers"; }
  StringRef getDescription() const override {
    return "Make layers of operations that follow one another";
  }

  Option<int64_t> layers{*this, "layers",
                         llvm::cl::desc("Number of layers of a function"),
                         llvm::cl::init(2)};

  void assign(func::FuncOp function) {
    SmallVector<Operation *> ops;
    for (Operation &op : function.front().without_terminator())
      if (!op.hasTrait<OpTrait::ConstantLike>())
        ops.push_back(&op);
    auto count = static_cast<int64_t>(ops.size());
    for (auto [i, op] : llvm::enumerate(ops)) {
      int64_t index = static_cast<int64_t>(i) * layers / count;
      op->setAttr(kLayerAttr, LayerAttr::get(&getContext(), index, index));
    }
  }

  void runOnOperation() override {
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (function.isPublic() && !function.isExternal())
        assign(function);
  }
};
} // namespace

void mlir::boost::test::registerAssignLayersPass() {
  PassRegistration<AssignLayersPass>();
}
