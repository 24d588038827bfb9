//===- FunctionShardings.cpp - Inferred shardings of a function -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/Sharding/FunctionShardings.h"

#include "boost-mlir/Dialect/Boost/IR/Tensors.h"
#include "boost-mlir/Dialect/StableHLO/IR/StableHLO.h"
#include "boost-mlir/Interfaces/ShardingRuleOpInterface.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace mlir::boost;

FailureOr<FunctionShardings> FunctionShardings::get(func::FuncOp func,
                                                    const Mesh &mesh) {
  FunctionShardings shardings(func, mesh);
  if (!func.getBody().hasOneBlock())
    return func.emitError() << "expects a function of one block; run "
                               "boost-import-pipeline first";
  if (failed(shardings.readAbi()))
    return failure();
  for (auto [argument, next] : findOpenSums(func)) {
    shardings.openSums.insert(argument);
    shardings.nextSums.insert(next);
  }
  shardings.readOps();
  return shardings;
}

//===----------------------------------------------------------------------===//
// ABI
//===----------------------------------------------------------------------===//

/// "argument 'embed'" or "argument 3"
static std::string describe(StringRef what, unsigned index, TensorAttr tensor) {
  if (tensor)
    return (what + " '" + tensor.getName().getValue() + "'").str();
  return (what + " " + Twine(index)).str();
}

static LogicalResult readSplit(func::FuncOp func, const Mesh &mesh,
                               const std::string &subject, Attribute attr,
                               Type type, Split &split) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor || !tensor.hasStaticShape())
    return func.emitError()
           << subject << " is no tensor of static shape: " << type;
  std::string problem = mesh.parseSplit(attr, tensor, split);
  if (!problem.empty())
    return func.emitError() << subject << ": " << problem;
  return success();
}

LogicalResult FunctionShardings::readAbi() {
  bool ok = true;
  for (auto [index, type] : llvm::enumerate(func.getArgumentTypes())) {
    Split &split = arguments.emplace_back();
    ok &= succeeded(readSplit(
        func, mesh, describe("argument", index, getArgTensor(func, index)),
        func.getArgAttr(index, kSplitAttr), type, split));
    splits[func.getArgument(index)] = split;
    std::string problem = mesh.parsePartial(
        func.getArgAttr(index, kPartialAttr), partial[func.getArgument(index)]);
    if (!problem.empty())
      return func.emitError() << "argument " << index << ": " << problem;
  }
  for (auto [index, type] : llvm::enumerate(func.getResultTypes()))
    ok &= succeeded(readSplit(
        func, mesh, describe("result", index, getResultTensor(func, index)),
        func.getResultAttr(index, kSplitAttr), type, results.emplace_back()));
  return success(ok);
}

SmallVector<OpenSum> mlir::boost::findOpenSums(func::FuncOp func) {
  SmallVector<OpenSum> sums;
  Operation *terminator = func.getBody().front().getTerminator();
  for (BlockArgument argument : func.getArguments()) {
    unsigned index = argument.getArgNumber();
    if (!hasRole(argument, TensorRole::Accumulator) ||
        func.getArgAttr(index, kPartialAttr) || !argument.hasOneUse())
      continue;
    auto next = dyn_cast<stablehlo::AddOp>(*argument.user_begin());
    if (!next || !next->hasOneUse() || *next->user_begin() != terminator)
      continue;
    sums.push_back({argument, next.getResult()});
  }
  return sums;
}

void FunctionShardings::readOps() {
  Phase phase = Phase::Forward;
  for (Operation &op : func.getBody().front().without_terminator()) {
    if (auto mark = dyn_cast<PhaseOp>(op))
      phase = mark.getPhase();
    auto ruled = dyn_cast<ShardingRuleOpInterface>(op);
    ops.push_back(
        {&op, ruled ? ruled.getShardingRule() : ShardingRule(&op), phase});
    for (OpResult result : op.getResults())
      if (auto type = dyn_cast<RankedTensorType>(result.getType()))
        splits[result].assign(type.getRank(), 0);
  }
}

//===----------------------------------------------------------------------===//
// Inferred splits
//===----------------------------------------------------------------------===//

void FunctionShardings::writeSplits() const {
  for (const RuledOp &ruled : ops) {
    MLIRContext *context = ruled.op->getContext();
    SmallVector<Attribute> attrs;
    bool known = false;
    for (OpResult result : ruled.op->getResults()) {
      ArrayRef<AxisMask> split = getSplit(result);
      known |= getAxesOf(split) != 0;
      attrs.push_back(mesh.getSplitAttr(context, split));
    }
    if (known)
      ruled.op->setAttr(kSplitsAttr, ArrayAttr::get(context, attrs));
    else
      ruled.op->removeAttr(kSplitsAttr);
  }
}

LogicalResult FunctionShardings::readSplits() {
  for (const RuledOp &ruled : ops) {
    auto attrs = ruled.op->getAttrOfType<ArrayAttr>(kSplitsAttr);
    if (!attrs)
      continue;
    if (attrs.size() != ruled.op->getNumResults())
      return ruled.op->emitError()
             << "expects '" << kSplitsAttr << "' with one entry for each of "
             << ruled.op->getNumResults() << " results";
    for (auto [result, attr] : llvm::zip_equal(ruled.op->getResults(), attrs)) {
      auto type = dyn_cast<RankedTensorType>(result.getType());
      if (!type)
        continue;
      std::string problem = mesh.parseSplit(attr, type, splits[result]);
      if (!problem.empty())
        return ruled.op->emitError() << problem;
    }
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Propagation
//===----------------------------------------------------------------------===//

/// Calls `fn(value, loops)` for every operand and result.
template <typename Fn>
static void forEachTensor(const RuledOp &ruled, Fn &&fn) {
  for (auto [value, loops] :
       llvm::zip_equal(ruled.op->getOperands(), ruled.rule.getOperands()))
    fn(value, loops);
  for (OpResult result : ruled.op->getResults())
    fn(result, ruled.rule.getResults()[result.getResultNumber()]);
}

int FunctionShardings::chooseLoop(const RuledOp &ruled, AxisMask axis,
                                  bool *competing) const {
  SmallVector<bool> proposed(ruled.rule.getLoops().size(), false);
  SmallVector<int64_t> weight(proposed.size(), 0);
  forEachTensor(ruled, [&](Value value, ArrayRef<int> loops) {
    ArrayRef<AxisMask> split = getSplit(value);
    for (auto [axes, loop] : llvm::zip(split, loops)) {
      if (loop == kNoLoop)
        continue;
      auto type = cast<RankedTensorType>(value.getType());
      weight[loop] = std::max(weight[loop], type.getNumElements());
      if (axes & axis)
        proposed[loop] = true;
    }
  });
  // Where loops compete for the axis, the one of the biggest tensor wins: what
  // is left whole or moved is then small. Loops are listed parallel ones first.
  int best = kNoLoop;
  for (auto [loop, info] : llvm::enumerate(ruled.rule.getLoops()))
    if (proposed[loop] && info.kind != LoopKind::Unshardable &&
        (best == kNoLoop || weight[loop] > weight[best]))
      best = loop;
  if (competing)
    *competing = llvm::count(proposed, true) > 1;
  return best;
}

/// Shards the dimensions of `loop` over `axis` in the tensors that `axis` does
/// not shard yet. Every dimension of the loop has to divide. A value that is
/// read twice, as `dot(x, transpose(x))` is, may have the loop in two
/// dimensions: the first is sharded.
bool FunctionShardings::fill(const RuledOp &ruled, int loop, AxisMask axis) {
  llvm::SmallMapVector<Value, AxisMask *, 4> open;
  bool divides = true;
  forEachTensor(ruled, [&](Value value, ArrayRef<int> loops) {
    auto found = splits.find(value);
    if (found == splits.end() || (getAxesOf(found->second) & axis))
      return;
    auto type = cast<RankedTensorType>(value.getType());
    for (auto [dim, dimLoop] : llvm::enumerate(loops)) {
      if (dimLoop != loop)
        continue;
      AxisMask &axes = found->second[dim];
      divides &= type.getDimSize(dim) % mesh.getSize(axes | axis) == 0;
      if (!isa<BlockArgument>(value))
        open.insert({value, &axes});
    }
  });
  if (!divides)
    return false;
  for (auto [value, axes] : open)
    *axes |= axis;
  return !open.empty();
}

bool FunctionShardings::visit(const RuledOp &ruled, bool resolve) {
  if (ruled.rule.hasIndependentOperands())
    return false;
  bool changed = false;
  for (int16_t index : mesh.getAxes(mesh.getUsedAxes())) {
    AxisMask axis = AxisMask(1) << index;
    bool competing = false;
    int loop = chooseLoop(ruled, axis, &competing);
    if (loop != kNoLoop && (resolve || !competing))
      changed |= fill(ruled, loop, axis);
  }
  return changed;
}

void FunctionShardings::propagate() {
  Operation *terminator = func.getBody().front().getTerminator();
  for (auto [value, split] :
       llvm::zip_equal(terminator->getOperands(), results))
    if (!isa<BlockArgument>(value) && !getAxesOf(splits[value]))
      splits[value] = split;
  sweep(/*resolve=*/false);
  sweep(/*resolve=*/true);
}

/// Every round but the last cuts some value further, and a value is cut at most
/// once by each axis; in practice two or three rounds do.
void FunctionShardings::sweep(bool resolve) {
  for (bool changed = true; changed;) {
    changed = false;
    for (const RuledOp &ruled : ops)
      changed |= visit(ruled, resolve);
    for (const RuledOp &ruled : llvm::reverse(ops))
      changed |= visit(ruled, resolve);
  }
}
