//===- Placement.cpp - How tensors are cut over the mesh ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Placement.h"

#include "boost-mlir/Dialect/Boost/IR/ArgumentAttrs.h"
#include "boost-mlir/Dialect/Boost/IR/Tensors.h"
#include "boost-mlir/Dialect/StableHLO/IR/StableHLO.h"
#include "llvm/ADT/StringExtras.h"
#include <numeric>
#include <set>

using namespace mlir;
using namespace mlir::boost;

//===----------------------------------------------------------------------===//
// Meshes
//===----------------------------------------------------------------------===//

static InFlightDiagnostic emitMeshError(Location loc, StringRef text) {
  auto diag = emitError(loc)
              << "expects a mesh such as 'dp=2,tp=4', but got '" << text << "'";
  diag.attachNote() << "axes are 'dp' (data parallel) and 'tp' (tensor "
                       "parallel), each once, with a size of 1 or more; a "
                       "number alone is the size of 'tp'";
  return diag;
}

FailureOr<Mesh> mlir::boost::parseMesh(Location loc, StringRef text) {
  constexpr int64_t maxAxisSize = 1 << 20;
  SmallVector<std::string> names;
  SmallVector<int64_t> sizes;
  SmallVector<StringRef> entries;
  text.split(entries, ',');
  for (StringRef entry : entries) {
    auto [name, number] = entry.trim().split('=');
    if (!entry.contains('=') && entries.size() == 1) {
      number = name;
      name = "tp";
    }
    int64_t size;
    if ((name != "dp" && name != "tp") || llvm::is_contained(names, name) ||
        number.getAsInteger(10, size) || size < 1 || size > maxAxisSize)
      return emitMeshError(loc, text);
    names.push_back(name.str());
    sizes.push_back(size);
  }
  return Mesh(names, sizes);
}

AxisMask mlir::boost::getAxisNamed(const Mesh &mesh, StringRef name) {
  for (unsigned axis = 0; axis < mesh.getRank(); ++axis)
    if (mesh.getAxisName(axis) == name)
      return AxisMask(1) << axis;
  return 0;
}

//===----------------------------------------------------------------------===//
// From values to arguments
//===----------------------------------------------------------------------===//

static ArrayRef<int64_t> getShape(Value value) {
  return cast<RankedTensorType>(value.getType()).getShape();
}

/// The dimension of the operand of a reshape whose parts are those of `dim` of
/// the result: the same one, the outermost of those merged into it, or the one
/// it is the outermost part of; -1 if there is none.
static int64_t mapThroughReshape(ArrayRef<int64_t> from, ArrayRef<int64_t> to,
                                 int64_t dim) {
  auto product = [](ArrayRef<int64_t> sizes) {
    return std::accumulate(sizes.begin(), sizes.end(), int64_t(1),
                           std::multiplies<int64_t>());
  };
  int64_t before = product(to.take_front(dim));
  for (int64_t i = 0, outer = 1; i < static_cast<int64_t>(from.size()); ++i) {
    if (outer == before && from[i] != 1)
      return i;
    outer *= from[i];
  }
  return -1;
}

/// Follows `dim` of `value` back to an argument; null if it comes from none, or
/// a part of `dim` was taken on the way.
static BlockArgument followToArgument(Value value, int64_t &dim) {
  while (Operation *op = value.getDefiningOp()) {
    if (auto transpose = dyn_cast<stablehlo::TransposeOp>(op)) {
      dim = transpose.getPermutation()[dim];
    } else if (auto slice = dyn_cast<stablehlo::SliceOp>(op)) {
      if (getShape(slice)[dim] != getShape(slice.getOperand())[dim])
        return {};
    } else if (isa<stablehlo::ReshapeOp>(op)) {
      dim =
          mapThroughReshape(getShape(op->getOperand(0)), getShape(value), dim);
      if (dim < 0)
        return {};
    } else if (!isa<stablehlo::ConvertOp>(op)) {
      return {};
    }
    value = op->getOperand(0);
  }
  return cast<BlockArgument>(value);
}

//===----------------------------------------------------------------------===//
// Placement
//===----------------------------------------------------------------------===//

Placement::Placement(func::FuncOp func, const Mesh &mesh)
    : func(func), mesh(mesh), decisions(func.getNumArguments()) {
  for (auto [index, type] : llvm::enumerate(func.getArgumentTypes()))
    if (auto tensor = dyn_cast<RankedTensorType>(type))
      decisions[index].split.assign(tensor.getRank(), 0);
}

std::string Placement::getArgName(unsigned index) const {
  TensorAttr tensor = getArgTensor(func::FuncOp(func), index);
  return tensor ? tensor.getName().str() : "argument " + std::to_string(index);
}

void Placement::require(Location loc, StringRef what, int64_t size,
                        AxisMask axes) {
  conditions.push_back({loc, what.str(), size, axes, ""});
}

void Placement::cut(Value value, int64_t dim, AxisMask axes, StringRef what,
                    StringRef reason) {
  if (!axes)
    return;
  BlockArgument arg = followToArgument(value, dim);
  if (!arg || arg.getOwner() != &func.front())
    return;
  Decision &decision = decisions[arg.getArgNumber()];
  if (decision.made)
    return;
  decision.made = true;
  decision.reason = reason.str();
  decision.split[dim] = axes & mesh.getUsedAxes();
  conditions.push_back({arg.getLoc(), what.str(), getShape(arg)[dim], axes,
                        getArgName(arg.getArgNumber())});
}

void Placement::keep(unsigned index, ArrayRef<AxisMask> split,
                     StringRef reason) {
  decisions[index] = {Split(split), reason.str(), /*made=*/true};
}

/// "1, 2, 3 or 6"
static std::string joinChoices(ArrayRef<int64_t> choices) {
  std::string text;
  for (auto [i, choice] : llvm::enumerate(choices)) {
    if (i > 0)
      text += i + 1 == choices.size() ? " or " : ", ";
    text += std::to_string(choice);
  }
  return text;
}

/// The sizes of `axes` under which every condition on them holds.
std::string Placement::describeRemedy(AxisMask axes) const {
  constexpr int64_t maxChoice = 1024;
  int64_t common = 0;
  for (const Condition &condition : conditions)
    if (condition.axes == axes)
      common = std::gcd(common, condition.size);
  SmallVector<int64_t> choices;
  for (int64_t n = 1; n <= common && n <= maxChoice; ++n)
    if (common % n == 0)
      choices.push_back(n);
  std::string name;
  for (int16_t axis : mesh.getAxes(axes))
    name += (name.empty() ? "" : " x ") + mesh.getAxisName(axis).str();
  return name + " = " + joinChoices(choices) + " would do";
}

LogicalResult Placement::check() const {
  std::set<std::pair<std::string, int64_t>> reported;
  for (const Condition &condition : conditions) {
    int64_t parts = mesh.getSize(condition.axes);
    if (condition.size % parts == 0 ||
        !reported.insert({condition.what, condition.size}).second)
      continue;
    auto diag = emitError(condition.loc)
                << "expects a " << condition.what << " that "
                << mesh.describe(condition.axes) << " = " << parts
                << " divides, but got " << condition.size;
    if (!condition.argument.empty())
      diag << " in '" << condition.argument << "'";
    diag.attachNote() << describeRemedy(condition.axes);
  }
  return success(reported.empty());
}

void Placement::remarkWhole() const {
  func::FuncOp function = func;
  for (auto [index, decision] : llvm::enumerate(decisions)) {
    BlockArgument argument = function.getArgument(index);
    bool isLookedUp =
        llvm::all_of(argument.getUsers(), llvm::IsaPred<EmbeddingOp>);
    if (decision.made || isLookedUp || !hasRole(argument, TensorRole::Param) ||
        decision.split.size() < 2)
      continue;
    auto diag = emitRemark(argument.getLoc())
                << "'" << getArgName(index)
                << "' is whole on every rank: nothing says how to cut it";
    diag.attachNote() << "parameters are cut that a linear or a bottleneck "
                         "reads; others can be given a sharding";
  }
}

void Placement::write(bool explain) {
  MLIRContext *context = func.getContext();
  auto arguments = ArgumentAttrs::ofArguments(func);
  for (auto [index, decision] : llvm::enumerate(decisions)) {
    std::string reason =
        decision.made ? decision.reason : "whole on every rank";
    arguments.set(index, kSplitAttr,
                  mesh.getSplitAttr(context, decision.split));
    arguments.set(index, kReasonAttr, StringAttr::get(context, reason));
    if (explain)
      emitRemark(func.getArgument(index).getLoc())
          << "'" << getArgName(index) << "': " << reason;
  }
  arguments.write();
  auto results = ArgumentAttrs::ofResults(func);
  for (auto [index, type] : llvm::enumerate(func.getResultTypes())) {
    int64_t rank = cast<RankedTensorType>(type).getRank();
    results.set(index, kSplitAttr, mesh.getSplitAttr(context, Split(rank, 0)));
  }
  results.write();
}
