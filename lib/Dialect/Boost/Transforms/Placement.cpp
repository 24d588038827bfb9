//===- Placement.cpp - How tensors are sharded ----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Placement.h"

#include "boost-mlir/Dialect/Boost/IR/ArgumentAttrs.h"
#include "boost-mlir/Dialect/Boost/IR/Tensors.h"
#include "boost-mlir/Dialect/StableHLO/IR/Builders.h"
#include "boost-mlir/Dialect/StableHLO/IR/StableHLO.h"
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

/// Returns the number of the operand that an operation moves, repeats or
/// changes element by element. Of two operands the other one must be the same
/// number everywhere. Nothing for other operations.
static std::optional<unsigned> getChangedOperand(Operation *op) {
  if (isa<stablehlo::TransposeOp, stablehlo::SliceOp, stablehlo::ReshapeOp,
          stablehlo::BroadcastInDimOp>(op))
    return 0;
  if (!op->hasTrait<OpTrait::Elementwise>() || op->getNumOperands() > 2)
    return std::nullopt;
  std::optional<unsigned> changed;
  for (OpOperand &operand : op->getOpOperands())
    if (!stablehlo::matchSplat(operand.get())) {
      if (changed)
        return std::nullopt;
      changed = operand.getOperandNumber();
    }
  return changed;
}

/// Follows `dim` of `value` back to an argument by the sharding rules; null if
/// it comes from none, or a part of `dim` was taken on the way.
static BlockArgument followToArgument(Value value, int64_t &dim) {
  while (Operation *op = value.getDefiningOp()) {
    std::optional<unsigned> operand = getChangedOperand(op);
    auto ruled = dyn_cast<ShardingRuleOpInterface>(op);
    if (!operand || !ruled)
      return {};
    ShardingRule rule = ruled.getShardingRule();
    int loop = rule.getResults()[0][dim];
    ArrayRef<int> loops = rule.getOperands()[*operand];
    const int *found = llvm::find(loops, loop);
    if (loop == kNoLoop || found == loops.end())
      return {};
    dim = found - loops.begin();
    value = op->getOperand(*operand);
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

void Placement::shard(Value value, int64_t dim, AxisMask axes, StringRef what,
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
  decision.split[dim] = mesh.getAxes(axes & mesh.getUsedAxes());
  conditions.push_back({arg.getLoc(), what.str(), getShape(arg)[dim], axes,
                        getArgName(arg.getArgNumber())});
}

void Placement::replicate(Value value, StringRef reason) {
  int64_t dim = getTensorType(value).getRank() - 1;
  BlockArgument arg = followToArgument(value, dim);
  if (!arg || arg.getOwner() != &func.front() ||
      decisions[arg.getArgNumber()].made)
    return;
  keep(arg.getArgNumber(), Split(getTensorType(arg).getRank()), reason);
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
    if (decision.made || isLookedUp || !isParameter(argument) ||
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
    std::string reason = decision.made ? decision.reason : "replicated";
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
