//===- SplitBatch.cpp - boost-split-batch ---------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rewrites a loss to one micro-batch, of which the mean over all micro-batches
// is the loss of the batch. Micro-batches are to a loss what ranks of a
// data-parallel axis are, one after another instead of side by side, so that
// sharding rules say how each operation follows its rows.
//
//===----------------------------------------------------------------------===//

#include "Placement.h"

#include "boost-mlir/Dialect/Boost/IR/Batch.h"
#include "boost-mlir/Dialect/Boost/IR/BoostAttrNames.h"
#include "boost-mlir/Dialect/Boost/IR/Layers.h"
#include "boost-mlir/Dialect/Boost/Transforms/Passes.h"
#include "boost-mlir/Dialect/StableHLO/IR/Builders.h"
#include "boost-mlir/Dialect/StableHLO/IR/StableHLO.h"
#include "boost-mlir/Interfaces/ShardingRuleOpInterface.h"
#include "boost-mlir/Support/TensorTypes.h"
#include "mlir/Dialect/Shard/IR/ShardOps.h"

namespace mlir::boost {
#define GEN_PASS_DEF_SPLITBATCHPASS
#include "boost-mlir/Dialect/Boost/Transforms/Passes.h.inc"
} // namespace mlir::boost

using namespace mlir;
using namespace mlir::boost;

namespace {

/// Describes how a value of the batch follows from those of its micro-batches.
///
/// - `same`: it is equal in each of them.
/// - `rows`: each has an equal part of dimension `dim`.
/// - `mean`: it is the mean of theirs.
struct Relation {
  enum Kind { Same, Rows, Mean } kind = Same;
  int dim = -1;

  static Relation rows(int dim) { return {Rows, dim}; }
  static Relation mean() { return {Mean, -1}; }
  bool operator==(const Relation &other) const {
    return kind == other.kind && dim == other.dim;
  }
};

/// An operation, and the loop over rows that a micro-batch has a part of;
/// kNoLoop if it is computed as it stands.
struct Step {
  Operation *op;
  ShardingRule rule;
  int loop;
  /// The loops to compute it by: `loop`, and those along which operations
  /// behind it read rows of results that are the same in each micro-batch.
  SmallVector<int, 1> built = {};
};

/// Rewrites one loss, in three walks over its operations: how the batch makes
/// each value, in which relations to its own batch it is read, and the
/// operations of a micro-batch.
class BatchSplitter {
public:
  BatchSplitter(func::FuncOp func, int64_t count)
      : func(func), mesh({"micro"}, {count}), count(count) {}

  LogicalResult run();

private:
  LogicalResult splitArguments();
  LogicalResult findForms();
  LogicalResult findRelation(Step &step);
  LogicalResult findMean(Step &step);
  LogicalResult findDemands();
  LogicalResult demand(const Step &step, OpResult result, Relation relation,
                       SmallVectorImpl<int> &loops);
  LogicalResult demandOperands(const Step &step, int loop);
  LogicalResult build(const Step &step, int loop, OpBuilder &builder);
  LogicalResult checkBuilt(Operation *op, Block::iterator first,
                           Block::iterator end);
  LogicalResult rebuild();

  /// The relation of an operand where the operation is computed by a loop.
  static Relation getRelationBy(ArrayRef<int> dimLoops, int loop) {
    const int *found =
        loop == kNoLoop ? dimLoops.end() : llvm::find(dimLoops, loop);
    if (found == dimLoops.end())
      return {};
    return Relation::rows(static_cast<int>(found - dimLoops.begin()));
  }
  Relation getRelation(Value value) const { return relations.lookup(value); }
  Split getSplit(Value value, Relation relation) const {
    Split split(getTensorType(value).getRank());
    if (relation.kind == Relation::Rows)
      split[relation.dim].push_back(0);
    return split;
  }
  bool divides(Value value, Relation relation) const {
    return relation.kind != Relation::Rows ||
           getTensorType(value).getDimSize(relation.dim) % count == 0;
  }
  InFlightDiagnostic refuse(Operation *op, const Twine &problem) const;

  func::FuncOp func;
  Mesh mesh; ///< its one axis are the micro-batches
  int64_t count;
  std::vector<Step> steps;
  DenseMap<Value, Relation> relations;
  DenseMap<Value, SmallVector<Relation, 1>> demands;
  DenseMap<std::pair<Value, int>, Value> built; ///< by dimension
};

} // namespace

InFlightDiagnostic BatchSplitter::refuse(Operation *op,
                                         const Twine &problem) const {
  bool isReturn = op->hasTrait<OpTrait::IsTerminator>();
  auto diag = emitError(isReturn ? getUserLocation(func) : op->getLoc())
              << "expects a loss that is a mean over the sequences of the "
                 "batch, to compute it in "
              << count << " micro-batches, but " << problem;
  diag.attachNote() << "leave out --micro-batches, or export the loss of a "
                       "smaller batch and give --accumulate="
                    << count << ", which takes the mean of their losses";
  return diag;
}

//===----------------------------------------------------------------------===//
// Forms
//===----------------------------------------------------------------------===//

LogicalResult BatchSplitter::splitArguments() {
  bool any = false;
  for (BlockArgument arg : getBatchRows(func)) {
    int64_t size = getTensorType(arg).getDimSize(0);
    if (size % count != 0) {
      auto diag = emitError(arg.getLoc())
                  << "expects a batch that " << count
                  << " micro-batches divide, but it has " << size << " rows";
      diag.attachNote() << "give a number of micro-batches that divides the "
                           "batch, or export the loss of another one";
      return failure();
    }
    relations[arg] = Relation::rows(0);
    any = true;
  }
  if (any)
    return success();
  auto diag = emitError(getUserLocation(func))
              << "expects a loss of a batch, to compute it in " << count
              << " micro-batches, but no argument has rows of a batch";
  diag.attachNote() << "leave out --micro-batches";
  return failure();
}

LogicalResult BatchSplitter::findForms() {
  for (Operation &op : func.front().without_terminator()) {
    auto ruled = dyn_cast<ShardingRuleOpInterface>(op);
    steps.push_back(
        {&op, ruled ? ruled.getShardingRule() : ShardingRule(&op), kNoLoop});
    if (failed(findRelation(steps.back())))
      return failure();
  }
  return success();
}

LogicalResult BatchSplitter::findRelation(Step &step) {
  Operation *op = step.op;
  bool hasMeans = false;
  for (OpOperand &operand : op->getOpOperands()) {
    Relation relation = getRelation(operand.get());
    hasMeans |= relation.kind == Relation::Mean;
    if (relation.kind != Relation::Rows)
      continue;
    int loop =
        step.rule.getOperands()[operand.getOperandNumber()][relation.dim];
    if (loop == kNoLoop || (step.loop != kNoLoop && step.loop != loop))
      return refuse(op, "'" + op->getName().getStringRef() +
                            "' reads several sequences at once");
    step.loop = loop;
  }
  if (hasMeans)
    return findMean(step);
  if (step.loop == kNoLoop)
    return success();
  LoopKind kind = step.rule.getLoops()[step.loop].kind;
  for (OpResult result : op->getResults()) {
    Relation relation = getRelationBy(
        step.rule.getResults()[result.getResultNumber()], step.loop);
    bool isSum = kind == LoopKind::Sum &&
                 !getElementTypeOrSelf(result.getType()).isInteger(1);
    if (relation.kind == Relation::Same && isSum)
      relation = Relation::mean();
    if (relation.kind == Relation::Same || !divides(result, relation))
      return refuse(op, "'" + op->getName().getStringRef() +
                            "' combines sequences otherwise than by a sum");
    relations[result] = relation;
  }
  return success();
}

/// An operation of means is the mean of the operation if it is linear in them.
LogicalResult BatchSplitter::findMean(Step &step) {
  SmallVector<bool> means, others;
  for (Value operand : step.op->getOperands()) {
    means.push_back(getRelation(operand).kind == Relation::Mean);
    others.push_back(!means.back());
  }
  // A value that is equal in each micro-batch is its own mean.
  if (step.loop != kNoLoop || !step.rule.isAdditiveIn(means, others))
    return refuse(step.op, "'" + step.op->getName().getStringRef() +
                               "' is not linear in what it reads of all "
                               "sequences");
  for (Value result : step.op->getResults())
    relations[result] = Relation::mean();
  return success();
}

//===----------------------------------------------------------------------===//
// Demands
//===----------------------------------------------------------------------===//

LogicalResult BatchSplitter::findDemands() {
  Operation *terminator = func.front().getTerminator();
  for (Value value : terminator->getOperands()) {
    if (getRelation(value).kind == Relation::Rows)
      return refuse(terminator, "a result has values of every sequence");
    demands[value] = {getRelation(value)};
  }
  for (Step &step : llvm::reverse(steps)) {
    for (OpResult result : step.op->getResults())
      for (Relation relation : demands.lookup(result))
        if (failed(demand(step, result, relation, step.built)))
          return failure();
    for (int loop : step.built)
      if (failed(demandOperands(step, loop)))
        return failure();
  }
  return success();
}

/// Adds to `loops` the one by which `result` gets `relation`.
LogicalResult BatchSplitter::demand(const Step &step, OpResult result,
                                    Relation relation,
                                    SmallVectorImpl<int> &loops) {
  int loop = step.loop;
  if (!(relation == getRelation(result))) {
    loop = kNoLoop;
    if (getRelation(result).kind == Relation::Same &&
        relation.kind == Relation::Rows)
      loop = step.rule.getResults()[result.getResultNumber()][relation.dim];
    if (loop == kNoLoop ||
        step.rule.getLoops()[loop].kind != LoopKind::Parallel ||
        !divides(result, relation))
      return refuse(step.op, "rows of '" + step.op->getName().getStringRef() +
                                 "' are read that belong to no sequence");
  }
  if (!llvm::is_contained(loops, loop))
    loops.push_back(loop);
  return success();
}

LogicalResult BatchSplitter::demandOperands(const Step &step, int loop) {
  for (OpOperand &operand : step.op->getOpOperands()) {
    Value value = operand.get();
    Relation relation = getRelationBy(
        step.rule.getOperands()[operand.getOperandNumber()], loop);
    if (relation.kind == Relation::Same)
      relation = getRelation(value);
    bool isArgument = !value.getDefiningOp();
    if (relation.kind == Relation::Rows && isArgument &&
        !(relation == getRelation(value)))
      return refuse(step.op, "'" + step.op->getName().getStringRef() +
                                 "' reads an argument that has a row for "
                                 "every sequence and is not in the batch");
    SmallVector<Relation, 1> &list = demands[value];
    if (!llvm::is_contained(list, relation))
      list.push_back(relation);
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Operations of a micro-batch
//===----------------------------------------------------------------------===//

/// Refuses what would be wrong in all but the first micro-batch: an operation
/// that asks which rank computes it.
LogicalResult BatchSplitter::checkBuilt(Operation *op, Block::iterator first,
                                        Block::iterator end) {
  for (Operation &made : llvm::make_range(first, end))
    if (isa<RankGroupOpInterface>(made))
      return refuse(op, "'" + op->getName().getStringRef() +
                            "' depends on which sequence of the batch it is "
                            "computed for");
  return success();
}

LogicalResult BatchSplitter::build(const Step &step, int loop,
                                   OpBuilder &builder) {
  Operation *op = step.op;
  SmallVector<AxisList> loopAxes(step.rule.getLoops().size());
  if (loop != kNoLoop)
    loopAxes[loop].push_back(0);
  SmallVector<Value> operands, results;
  SmallVector<Split> splits;
  for (auto [value, dimLoops] :
       llvm::zip_equal(op->getOperands(), step.rule.getOperands())) {
    Relation relation = getRelationBy(dimLoops, loop);
    operands.push_back(built.lookup({value, relation.dim}));
    splits.push_back(getSplit(value, relation));
  }
  SmallVector<Relation, 1> made;
  SmallVector<Type> types;
  for (auto [value, dimLoops] :
       llvm::zip_equal(op->getResults(), step.rule.getResults())) {
    made.push_back(getRelationBy(dimLoops, loop));
    types.push_back(
        mesh.getLocalType(getTensorType(value), getSplit(value, made.back())));
  }
  Block *block = builder.getInsertionBlock();
  Operation *before = block->empty() ? nullptr : &block->back();
  LocalBuild local{mesh, operands, splits, loopAxes, types};
  if (auto ruled = dyn_cast<ShardingRuleOpInterface>(op))
    ruled.buildLocal(builder, local, results);
  else
    cloneWithTypes(builder, op, local, results);
  auto first = before ? std::next(before->getIterator()) : block->begin();
  if (failed(checkBuilt(op, first, block->end())))
    return failure();
  for (auto [value, relation, result] :
       llvm::zip_equal(op->getResults(), made, results)) {
    // The sum over all rows is `count` times the mean of the sums over some.
    if (loop != kNoLoop && getRelation(value).kind == Relation::Mean) {
      Value factor = stablehlo::splatLike(builder, op->getLoc(), result,
                                          static_cast<double>(count));
      result = stablehlo::MulOp::create(builder, op->getLoc(), result, factor);
    }
    built[{value, relation.dim}] = result;
  }
  for (Operation &operation : llvm::make_range(first, block->end()))
    setLayerIfNone(&operation, getLayer(op));
  return success();
}

LogicalResult BatchSplitter::rebuild() {
  Block &old = func.front();
  Block *block = new Block();
  func.getBody().push_back(block);
  OpBuilder builder = OpBuilder::atBlockEnd(block);
  for (BlockArgument arg : old.getArguments()) {
    Relation relation = getRelation(arg);
    Type type = mesh.getLocalType(getTensorType(arg), getSplit(arg, relation));
    built[{arg, relation.dim}] = block->addArgument(type, arg.getLoc());
    if (relation.kind == Relation::Rows)
      func.setArgAttr(arg.getArgNumber(), kMicroBatchesAttr,
                      builder.getI64IntegerAttr(count));
  }
  for (const Step &step : steps)
    for (int loop : step.built)
      if (failed(build(step, loop, builder)))
        return failure();
  Operation *end = builder.clone(*old.getTerminator());
  for (OpOperand &operand : end->getOpOperands())
    operand.set(built.lookup({operand.get(), -1}));
  old.erase();
  func.setType(FunctionType::get(func.getContext(), block->getArgumentTypes(),
                                 end->getOperandTypes()));
  return success();
}

LogicalResult BatchSplitter::run() {
  return success(succeeded(splitArguments()) && succeeded(findForms()) &&
                 succeeded(findDemands()) && succeeded(rebuild()));
}

namespace {
struct SplitBatch : public mlir::boost::impl::SplitBatchPassBase<SplitBatch> {
  using Base::Base;

  void runOnOperation() override {
    func::FuncOp func = getOperation();
    if (microBatches < 1) {
      func.emitError() << "expects a number of micro-batches of 1 or more, but "
                          "got "
                       << microBatches.getValue();
      return signalPassFailure();
    }
    if (microBatches == 1 || func.isExternal() ||
        func.getName() != kLossFunction)
      return;
    if (failed(BatchSplitter(func, microBatches).run()))
      signalPassFailure();
  }
};
} // namespace
