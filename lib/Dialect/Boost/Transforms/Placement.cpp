//===- Placement.cpp - How tensors are sharded ----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Placement.h"

#include "boost-mlir/Dialect/Boost/IR/ArgumentAttrs.h"
#include "boost-mlir/Dialect/Boost/IR/Tensors.h"
#include "boost-mlir/Interfaces/ShardingRuleOpInterface.h"
#include "boost-mlir/Support/TensorTypes.h"
#include "llvm/ADT/StringExtras.h"
#include <set>

using namespace mlir;
using namespace mlir::boost;

Location mlir::boost::getUserLocation(func::FuncOp func) {
  bool isKnown = !isa<UnknownLoc>(func.getLoc());
  return isKnown || func.getNumArguments() == 0 ? func.getLoc()
                                                : func.getArgument(0).getLoc();
}

//===----------------------------------------------------------------------===//
// From values to arguments
//===----------------------------------------------------------------------===//

namespace {
/// A dimension of a tensor.
using TensorDim = std::pair<Value, int64_t>;

/// The parameters that have a dimension of a weight, and dimensions of others
/// that do not have it because it is put together of parts.
struct Origins {
  SetVector<TensorDim> along, across;
};
} // namespace

/// Returns the dimensions of operands that become `dim` of a result by the
/// sharding rule; nothing if the operation puts it together of parts.
static std::optional<SmallVector<TensorDim>> getSources(OpResult result,
                                                        int64_t dim) {
  auto ruled = dyn_cast<ShardingRuleOpInterface>(result.getOwner());
  if (!ruled)
    return std::nullopt;
  ShardingRule rule = ruled.getShardingRule();
  int loop = rule.getResults()[result.getResultNumber()][dim];
  if (loop == kNoLoop || rule.getLoops()[loop].kind == LoopKind::Unshardable)
    return std::nullopt;
  SmallVector<TensorDim> sources;
  for (auto [operand, loops] :
       llvm::zip_equal(result.getOwner()->getOperands(), rule.getOperands()))
    if (const int *found = llvm::find(loops, loop); found != loops.end())
      sources.push_back({operand, found - loops.begin()});
  return sources;
}

/// Follows a dimension of a weight back to parameters by the sharding rules.
/// Adds the values where it ends because they put it together to `ends`.
static SetVector<TensorDim> followBack(TensorDim dim, const Weights &weights,
                                       SetVector<TensorDim> &ends) {
  SetVector<TensorDim> seen, found;
  seen.insert(dim);
  for (size_t i = 0; i < seen.size(); ++i) {
    TensorDim each = seen[i];
    auto result = dyn_cast<OpResult>(each.first);
    if (!result)
      found.insert(each);
    else if (auto sources = getSources(result, each.second))
      seen.insert_range(
          llvm::make_filter_range(*sources, [&](TensorDim source) {
            return weights.contains(source.first);
          }));
    else
      ends.insert(each);
  }
  return found;
}

static Origins findOrigins(TensorDim dim, const Weights &weights) {
  Origins origins;
  SetVector<TensorDim> ends, ignored;
  origins.along = followBack(dim, weights, ends);
  for (auto [value, end] : ends)
    for (int64_t other : llvm::seq(getTensorType(value).getRank()))
      if (other != end && getSources(cast<OpResult>(value), other))
        origins.across.insert_range(
            followBack({value, other}, weights, ignored));
  return origins;
}

//===----------------------------------------------------------------------===//
// Placement
//===----------------------------------------------------------------------===//

Placement::Placement(func::FuncOp func, const Mesh &mesh)
    : func(func), mesh(mesh), weights(func.front()),
      decisions(func.getNumArguments()) {
  for (auto [index, type] : llvm::enumerate(func.getArgumentTypes()))
    if (auto tensor = dyn_cast<RankedTensorType>(type))
      decisions[index].split.resize(tensor.getRank());
}

std::string Placement::getArgName(unsigned index) const {
  TensorAttr tensor = getArgTensor(func::FuncOp(func), index);
  return tensor ? tensor.getName().str() : "argument " + std::to_string(index);
}

void Placement::require(Location loc, StringRef what, int64_t size,
                        AxisMask axes) {
  conditions.push_back({loc, what.str(), size, axes, ""});
}

void Placement::shardArgument(BlockArgument arg, int64_t dim, AxisMask axes,
                              StringRef reason) {
  Decision &decision = decisions[arg.getArgNumber()];
  decision.made = true;
  decision.reason = reason.str();
  decision.split[dim] = mesh.getAxes(axes & mesh.getUsedAxes());
}

void Placement::shard(Value value, int64_t dim, AxisMask axes, StringRef what,
                      StringRef reason) {
  if (!axes || (isa<OpResult>(value) && !weights.contains(value)))
    return;
  auto isOpen = [&](Value argument) {
    return !decisions[cast<BlockArgument>(argument).getArgNumber()].made;
  };
  Origins origins = findOrigins({value, dim}, weights);
  for (auto [argument, own] : origins.along) {
    if (!isOpen(argument))
      continue;
    auto arg = cast<BlockArgument>(argument);
    shardArgument(arg, own, axes, reason);
    conditions.push_back({arg.getLoc(), what.str(), getShape(arg)[own], axes,
                          getArgName(arg.getArgNumber())});
  }
  for (auto [argument, own] : origins.across)
    if (isOpen(argument) && getShape(argument)[own] % mesh.getSize(axes) == 0)
      shardArgument(
          cast<BlockArgument>(argument), own, axes,
          "a weight is put together of it along the dimension that is "
          "sharded: sharded along another one, and exchanged");
  if (!origins.across.empty())
    constrain(cast<OpResult>(value), dim, axes);
  for (Value parameter : weights.getParameters(value))
    if (isOpen(parameter))
      decisions[cast<BlockArgument>(parameter).getArgNumber()].reason =
          "every rank computes its shard of a weight from all of it";
}

void Placement::replicate(Value value, StringRef reason) {
  for (Value parameter : weights.getParameters(value)) {
    unsigned index = cast<BlockArgument>(parameter).getArgNumber();
    if (!decisions[index].made)
      keep(index, Split(getTensorType(parameter).getRank()), reason);
  }
}

void Placement::constrain(OpResult value, int64_t dim, AxisMask axes) {
  axes &= mesh.getUsedAxes();
  RankedTensorType type = getTensorType(value);
  if (!axes || type.getDimSize(dim) % mesh.getSize(axes) != 0)
    return;
  Split split(type.getRank());
  split[dim] = mesh.getAxes(axes);
  constraints[value] = split;
}

void Placement::keep(unsigned index, ArrayRef<AxisList> split,
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

/// The sizes of the axes under which every condition on them holds, and the
/// nearest sizes in place of the one that they do not divide.
std::string Placement::describeRemedy(const Condition &unmet) const {
  constexpr int64_t maxChoice = 1024;
  AxisMask axes = unmet.axes;
  int64_t common = 0;
  for (const Condition &condition : conditions)
    if (condition.axes == axes)
      common = std::gcd(common, condition.size);
  SmallVector<int64_t> choices;
  for (int64_t n = 1; n <= common && n <= maxChoice; ++n)
    if (common % n == 0)
      choices.push_back(n);
  int64_t parts = mesh.getSize(axes);
  int64_t below = unmet.size / parts * parts;
  SmallVector<int64_t> nearest;
  if (below > 0)
    nearest.push_back(below);
  nearest.push_back(below + parts);
  return mesh.describe(axes, " x ") + " = " + joinChoices(choices) +
         " would do, or a " + unmet.what + " of " + joinChoices(nearest);
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
    diag.attachNote() << describeRemedy(condition);
  }
  return success(reported.empty());
}

LogicalResult Placement::checkAxesAreUsed(Location loc) const {
  AxisMask used = 0;
  for (const Decision &decision : decisions)
    used |= getAxesOf(decision.split);
  AxisMask known = mesh.getAxisNamed(kDataAxis) |
                   mesh.getAxisNamed(kTensorAxis) |
                   mesh.getAxisNamed(kPipelineAxis);
  AxisMask unused = mesh.getUsedAxes() & ~used & ~known;
  if (!unused)
    return success();
  auto diag = emitError(loc) << "expects a placement that shards an argument "
                                "over axis '"
                             << mesh.describe(unused) << "', but none is";
  diag.attachNote() << "the rules know the axes '" << kDataAxis << "' and '"
                    << kTensorAxis << "'; for others give arguments a '"
                    << kShardingAttr << "', with --placement=given";
  return diag;
}

/// The name with an asterisk for each number in it: "layers.*.up".
static std::string withoutNumbers(StringRef name) {
  std::string text;
  for (StringRef part : llvm::split(name, '.')) {
    bool isNumber = !part.empty() && llvm::all_of(part, llvm::isDigit);
    text += (text.empty() ? "" : ".") + (isNumber ? "*" : part.str());
  }
  return text;
}

void Placement::remarkReplicated() const {
  func::FuncOp function = func;
  SmallVector<BlockArgument> replicated;
  llvm::StringMap<int64_t> counts;
  for (auto [index, decision] : llvm::enumerate(decisions)) {
    BlockArgument argument = function.getArgument(index);
    bool isLookedUp =
        llvm::all_of(argument.getUsers(), llvm::IsaPred<EmbeddingOp>);
    if (!decision.reason.empty() || isLookedUp || !isParameter(argument) ||
        decision.split.size() < 2)
      continue;
    replicated.push_back(argument);
    ++counts[withoutNumbers(getArgName(index))];
  }
  // Equal remarks about different layers are printed once.
  for (BlockArgument argument : replicated) {
    std::string name = getArgName(argument.getArgNumber());
    std::string common = withoutNumbers(name);
    auto diag = emitRemark(argument.getLoc())
                << "'" << (counts[common] > 1 ? common : name)
                << "' is replicated: nothing says how to shard it";
    diag.attachNote() << "parameters are sharded that a linear or a bottleneck "
                         "reads; others can be given a sharding";
  }
}

void Placement::write() {
  MLIRContext *context = func.getContext();
  auto arguments = ArgumentAttrs::ofArguments(func);
  for (auto [index, decision] : llvm::enumerate(decisions)) {
    StringRef reason = decision.reason;
    if (reason.empty())
      reason = "replicated";
    arguments.set(index, kShardingAttr,
                  mesh.getShardingAttr(context, decision.split));
    arguments.set(index, kReasonAttr, StringAttr::get(context, reason));
  }
  arguments.write();
  auto results = ArgumentAttrs::ofResults(func);
  for (auto [index, type] : llvm::enumerate(func.getResultTypes())) {
    int64_t rank = cast<RankedTensorType>(type).getRank();
    results.set(index, kShardingAttr,
                ShardingAttr::getReplicated(context, rank));
  }
  results.write();
  writeForms(func, mesh, constraints);
}

void mlir::boost::writeForms(func::FuncOp func, const Mesh &mesh,
                             const DenseMap<Value, Split> &forms) {
  MLIRContext *context = func.getContext();
  for (Operation &op : func.front()) {
    SmallVector<Attribute> attrs;
    bool known = false;
    for (OpResult result : op.getResults()) {
      auto form = forms.find(result);
      Split split(getTensorType(result).getRank());
      if (form != forms.end()) {
        split = form->second;
        known = true;
      }
      attrs.push_back(mesh.getShardingAttr(context, split));
    }
    if (known)
      op.setAttr(kShardingsAttr, ArrayAttr::get(context, attrs));
  }
}
