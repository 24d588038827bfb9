//===- SearchedPlacement.cpp - The placement of least predicted cost ------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// FormSearch finds the cheapest forms. Those of arguments are their sharding;
// those of values are written too, since they do not follow from arguments: a
// residual stream sharded along the sequence reads replicated parameters.
//
//===----------------------------------------------------------------------===//

#include "Placement.h"

#include "boost-mlir/Sharding/FormSearch.h"
#include "boost-mlir/Sharding/FunctionShardings.h"
#include "boost-mlir/Support/TensorTypes.h"
#include "llvm/Support/Format.h"

using namespace mlir;
using namespace mlir::boost;

/// "{}, {tp}"
static std::string describe(const Mesh &mesh, ArrayRef<AxisList> split) {
  std::string text;
  for (const AxisList &axes : split)
    text += (text.empty() ? "{" : ", {") + mesh.describe(axes) + "}";
  return text;
}

static std::string describe(const Mesh &mesh,
                            const FormSearch::ArgumentForm &form) {
  // Differences below are rounding of sums of seconds.
  constexpr double kNothing = 1e-12;
  std::string text = "searched: " + describe(mesh, form.split);
  if (!form.next)
    return text;
  llvm::raw_string_ostream os(text);
  os << "; " << describe(mesh, *form.next);
  if (form.nextSeconds < kNothing)
    os << " would take as long";
  else
    os << " would add " << llvm::format("%.3g", form.nextSeconds)
       << " s to a step";
  return text;
}

LogicalResult mlir::boost::placeSearched(func::FuncOp func, const Mesh &mesh,
                                         const Machine &machine,
                                         bool alternatives,
                                         Placement &placement) {
  shardBatch(func, mesh.getAxisNamed(kDataAxis), placement);
  AxisMask axis = mesh.getAxisNamed(kTensorAxis) & mesh.getUsedAxes();
  if (!axis || failed(placement.check()))
    return success(!axis);
  placement.write();
  FailureOr<FunctionShardings> shardings = FunctionShardings::get(func, mesh);
  if (failed(shardings))
    return failure();
  shardings->propagate();
  std::optional<FormSearch::Result> found =
      FormSearch(*shardings, axis, machine).find(alternatives);
  if (!found) {
    auto diag = emitError(getUserLocation(func))
                << "expects a loss that can be searched exactly, but too many "
                   "of its values depend on each other";
    diag.attachNote() << "use the placement bottleneck, megatron or replicated";
    return failure();
  }
  bool isSharded = !found->values.empty();
  for (auto [index, form] : llvm::enumerate(found->arguments)) {
    isSharded |= (getAxesOf(form.split) & axis) != 0;
    placement.keep(index, form.split, describe(mesh, form));
  }
  if (!isSharded)
    emitWarning(getUserLocation(func))
        << "nothing is sharded over '" << mesh.describe(axis)
        << "': its ranks all compute the same, since sharding would take "
           "longer or does not divide";
  writeForms(func, mesh, found->values);
  return success();
}
