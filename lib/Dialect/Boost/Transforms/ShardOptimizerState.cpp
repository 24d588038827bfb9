//===- ShardOptimizerState.cpp - boost-shard-optimizer-state --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// ZeRO-1: every rank of the data axis keeps a part of the optimizer's state.
// The shardings of gradients and parameters follow by propagation.
//
//===----------------------------------------------------------------------===//

#include "Placement.h"

#include "boost-mlir/Dialect/Boost/IR/ArgumentAttrs.h"
#include "boost-mlir/Dialect/Boost/IR/Parts.h"
#include "boost-mlir/Dialect/Boost/IR/Tensors.h"
#include "boost-mlir/Dialect/Boost/Transforms/Passes.h"
#include "boost-mlir/Dialect/StableHLO/IR/StableHLO.h"

namespace mlir::boost {
#define GEN_PASS_DEF_SHARDOPTIMIZERSTATEPASS
#include "boost-mlir/Dialect/Boost/Transforms/Passes.h.inc"
} // namespace mlir::boost

using namespace mlir;
using namespace mlir::boost;

/// The names of parameters.
using Names = DenseSet<StringAttr>;

/// Returns the parameters of which a function reads rows only, as layers do
/// whose parameters are stacked. Pipeline stages divide them by rows.
static Names findStacks(ModuleOp module) {
  Names stacks;
  auto isRow = [](Operation *user) {
    auto slice = dyn_cast<stablehlo::SliceOp>(user);
    return slice && slice.getType().getDimSize(0) <
                        slice.getOperand().getType().getDimSize(0);
  };
  for (auto function : module.getOps<func::FuncOp>())
    for (BlockArgument arg : function.getArguments())
      if (hasRole(arg, TensorRole::Param) && !arg.use_empty() &&
          llvm::all_of(arg.getUsers(), isRow))
        stacks.insert(getArgTensor(function, arg.getArgNumber()).getName());
  return stacks;
}

/// Shards the first dimension from `first` on whose parts `axis` divides.
/// Tensors that are packed into one are not parted along the dimension that
/// they share.
static bool shardFirstDimension(const Mesh &mesh, int16_t axis,
                                RankedTensorType type, ArrayRef<PartAttr> parts,
                                size_t first, Split &split) {
  for (auto [dim, axes] : llvm::enumerate(split)) {
    int64_t size = type.getDimSize(dim) / mesh.getSize(axes);
    if (dim < first || isPackedAlong(parts, static_cast<int64_t>(dim)) ||
        size % mesh.getAxisSize(axis) != 0)
      continue;
    axes.push_back(axis);
    return true;
  }
  return false;
}

/// Shards the states among the arguments or the results of a function.
static LogicalResult shardStates(func::FuncOp function, ArrayRef<Type> types,
                                 ArgumentAttrs attrs, const Mesh &mesh,
                                 int16_t axis, const Names &stacks) {
  for (auto [index, type] : llvm::enumerate(types)) {
    auto tensor = dyn_cast_or_null<TensorAttr>(attrs.get(index, kTensorAttr));
    if (!hasRole(tensor, TensorRole::State) || !tensor.getOf())
      continue;
    auto ranked = cast<RankedTensorType>(type);
    Split split;
    std::string problem =
        mesh.parseSharding(attrs.get(index, kShardingAttr), ranked, split);
    if (!problem.empty())
      return function.emitError() << tensor.getName() << ": " << problem;
    SmallVector<PartAttr> parts;
    if (auto list = dyn_cast_or_null<ArrayAttr>(attrs.get(index, kPartsAttr)))
      parts = llvm::to_vector(list.getAsRange<PartAttr>());
    if ((getAxesOf(split) & (AxisMask(1) << axis)) == 0 &&
        shardFirstDimension(mesh, axis, ranked, parts,
                            stacks.contains(tensor.getOwner()) ? 1 : 0, split))
      attrs.set(index, kShardingAttr,
                mesh.getShardingAttr(function.getContext(), split));
  }
  attrs.write();
  return success();
}

namespace {
struct ShardOptimizerStatePass
    : public boost::impl::ShardOptimizerStatePassBase<ShardOptimizerStatePass> {
  using Base::Base;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    if (zero != 0 && zero != 1) {
      module.emitError() << "boost-shard-optimizer-state expects zero of 0 or "
                            "1, but got "
                         << zero.getValue();
      return signalPassFailure();
    }
    if (zero == 0)
      return;
    FailureOr<Mesh> mesh = Mesh::get(module);
    if (failed(mesh))
      return signalPassFailure();
    std::optional<int16_t> axis = mesh->findAxis(kDataAxis);
    if (!axis || mesh->getAxisSize(*axis) == 1)
      return;
    Names stacks;
    if (mesh->findAxis(kPipelineAxis))
      stacks = findStacks(module);
    for (auto function : module.getOps<func::FuncOp>())
      if (failed(shardStates(function, function.getArgumentTypes(),
                             ArgumentAttrs::ofArguments(function), *mesh, *axis,
                             stacks)) ||
          failed(shardStates(function, function.getResultTypes(),
                             ArgumentAttrs::ofResults(function), *mesh, *axis,
                             stacks)))
        return signalPassFailure();
  }
};
} // namespace
