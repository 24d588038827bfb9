//===- Reshard.cpp - From one local form to another -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/Sharding/Reshard.h"

#include "boost-mlir/Sharding/Collectives.h"
#include "boost-mlir/Support/TensorTypes.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::boost;

/// The least significant axis of a dimension.
static AxisMask lastAxis(const AxisList &axes) {
  return AxisMask(1) << axes.back();
}

/// The next axis over which `current` must be sharded to become `target`, if
/// appending axes is all it takes; else 0.
static AxisMask nextAxis(const AxisList &current, const AxisList &target) {
  bool isMissing = current.size() < target.size();
  return isMissing && current.isPrefixOf(target)
             ? AxisMask(1) << target[current.size()]
             : 0;
}

/// Returns true if the last axis of `current` must be gathered to reach
/// `target`.
static bool mustGather(const AxisList &current, const AxisList &target) {
  return !current.isPrefixOf(target);
}

LocalForm mlir::boost::applyStep(const LocalForm &form,
                                 const ReshardStep &step) {
  LocalForm result = form;
  auto axis = static_cast<int16_t>(llvm::countr_zero(step.axes));
  switch (step.kind) {
  case ReshardStep::AllSlice:
    result.split[step.dim].push_back(axis);
    break;
  case ReshardStep::ReduceScatter:
    result.split[step.dim].push_back(axis);
    result.partial &= ~step.axes;
    break;
  case ReshardStep::AllReduce:
    result.partial &= ~step.axes;
    break;
  case ReshardStep::AllToAll:
    result.split[step.dim].pop_back();
    result.split[step.toDim].push_back(axis);
    break;
  case ReshardStep::AllGather:
    result.split[step.dim].pop_back();
    break;
  }
  return result;
}

/// The dimension whose next missing axis is `axis`, or -1.
static int64_t findDimNeeding(const LocalForm &form, const LocalForm &to,
                              AxisMask axis) {
  for (auto [dim, axes] : llvm::enumerate(form.split))
    if (nextAxis(axes, to.split[dim]) == axis)
      return dim;
  return -1;
}

static std::optional<ReshardStep> nextStep(const LocalForm &form,
                                           const LocalForm &to) {
  AxisMask busy = getAxesOf(form.split) | form.partial;
  for (auto [dim, axes] : llvm::enumerate(form.split))
    if (AxisMask axis = nextAxis(axes, to.split[dim]); axis && !(axis & busy))
      return ReshardStep{ReshardStep::AllSlice, axis, int64_t(dim)};

  if (AxisMask reduced = form.partial & ~to.partial) {
    for (auto [dim, axes] : llvm::enumerate(form.split))
      if (AxisMask axis = nextAxis(axes, to.split[dim]) & reduced;
          axis && form.partialKind == LoopKind::Sum)
        return ReshardStep{ReshardStep::ReduceScatter, axis, int64_t(dim)};
    return ReshardStep{ReshardStep::AllReduce, reduced};
  }

  for (auto [dim, axes] : llvm::enumerate(form.split))
    if (mustGather(axes, to.split[dim]))
      if (int64_t toDim = findDimNeeding(form, to, lastAxis(axes)); toDim >= 0)
        return ReshardStep{ReshardStep::AllToAll, lastAxis(axes), int64_t(dim),
                           toDim};
  for (auto [dim, axes] : llvm::enumerate(form.split))
    if (mustGather(axes, to.split[dim]))
      return ReshardStep{ReshardStep::AllGather, lastAxis(axes), int64_t(dim)};
  return std::nullopt;
}

SmallVector<ReshardStep> mlir::boost::planReshard(LocalForm from,
                                                  const LocalForm &to) {
  SmallVector<ReshardStep> steps;
  while (std::optional<ReshardStep> step = nextStep(from, to)) {
    from = applyStep(from, *step);
    steps.push_back(*step);
  }
  return steps;
}

double ReshardCost::localBytes(RankedTensorType type,
                               ArrayRef<AxisList> split) const {
  double bytes = getDenseBytes(type);
  for (const AxisList &axes : split)
    bytes /= mesh.getSize(axes);
  return bytes;
}

double ReshardCost::ofTouching(RankedTensorType type,
                               ArrayRef<AxisList> split) const {
  return machine.getMemorySeconds(localBytes(type, split));
}

double ReshardCost::ofComputing(double flops, Type elementType) const {
  std::string name;
  llvm::raw_string_ostream(name) << elementType;
  return machine.getComputeSeconds(flops, name);
}

double ReshardCost::ofCollective(CollectiveKind kind, double bytes,
                                 AxisMask axes) const {
  return machine.getCollectiveSeconds(kind, bytes, mesh.getSize(axes),
                                      mesh.getSpan(axes));
}

double ReshardCost::ofAllReduce(double bytes, AxisMask axes) const {
  return ofCollective(CollectiveKind::AllReduce, bytes, axes);
}

double ReshardCost::ofStep(RankedTensorType type, const LocalForm &form,
                           const ReshardStep &step) const {
  double bytes = localBytes(type, form.split);
  auto ranks = static_cast<double>(mesh.getSize(step.axes));
  switch (step.kind) {
  case ReshardStep::AllSlice:
    return machine.getMemorySeconds(bytes / ranks);
  case ReshardStep::AllReduce:
    return ofAllReduce(bytes, step.axes);
  case ReshardStep::ReduceScatter:
    return ofCollective(CollectiveKind::ReduceScatter, bytes, step.axes);
  case ReshardStep::AllToAll:
    return ofCollective(CollectiveKind::AllToAll, bytes, step.axes);
  case ReshardStep::AllGather:
    return ofCollective(CollectiveKind::AllGather, bytes * ranks, step.axes);
  }
  llvm_unreachable("all kinds of steps are handled");
}

double ReshardCost::ofPlan(RankedTensorType type, const LocalForm &from,
                           const LocalForm &to) const {
  double cost = 0;
  LocalForm form = from;
  for (const ReshardStep &step : planReshard(from, to)) {
    cost += ofStep(type, form, step);
    form = applyStep(form, step);
  }
  return cost;
}

Reduction mlir::boost::getReduction(LoopKind kind) {
  switch (kind) {
  case LoopKind::Max:
    return Reduction::Max;
  case LoopKind::Min:
    return Reduction::Min;
  default:
    return Reduction::Sum;
  }
}

Value mlir::boost::buildStep(OpBuilder &builder, Location loc, const Mesh &mesh,
                             const LocalForm &form, const ReshardStep &step,
                             Value value) {
  unsigned axis = llvm::countr_zero(step.axes);
  switch (step.kind) {
  case ReshardStep::AllSlice:
    return buildAllSlice(builder, loc, mesh, axis, step.dim, value);
  case ReshardStep::ReduceScatter:
    return buildReduceScatter(builder, loc, mesh, axis, step.dim, value);
  case ReshardStep::AllReduce:
    return buildAllReduce(builder, loc, mesh, step.axes,
                          getReduction(form.partialKind), value)
        .front();
  case ReshardStep::AllToAll:
    return buildAllToAll(builder, loc, mesh, axis, step.toDim, step.dim, value);
  case ReshardStep::AllGather:
    return buildAllGather(builder, loc, mesh, axis, step.dim, value);
  }
  llvm_unreachable("all kinds of steps are handled");
}
