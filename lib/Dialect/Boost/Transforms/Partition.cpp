//===- Partition.cpp - boost-partition ------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rewrites functions of global tensors to the program of one rank.
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/Dialect/Boost/IR/ArgumentAttrs.h"
#include "boost-mlir/Dialect/Boost/IR/Tensors.h"
#include "boost-mlir/Dialect/Boost/Transforms/Passes.h"
#include "boost-mlir/Dialect/StableHLO/IR/StableHLO.h"
#include "boost-mlir/Interfaces/ShardingRuleOpInterface.h"
#include "boost-mlir/Sharding/Candidates.h"
#include "mlir/Dialect/Shard/IR/ShardDialect.h"
#include "mlir/Dialect/Shard/IR/ShardOps.h"
#include "mlir/Transforms/RegionUtils.h"

namespace mlir::boost {
#define GEN_PASS_DEF_PARTITIONPASS
#include "boost-mlir/Dialect/Boost/Transforms/Passes.h.inc"
} // namespace mlir::boost

using namespace mlir;
using namespace mlir::boost;

/// Refuses what would be partitioned wrongly.
static LogicalResult checkSupported(const FunctionShardings &shardings) {
  bool ok = true;
  for (const RuledOp &ruled : shardings.getOps()) {
    Operation *op = ruled.op;
    for (Type type : llvm::concat<const Type>(op->getOperandTypes(),
                                              op->getResultTypes())) {
      auto tensor = dyn_cast<RankedTensorType>(type);
      if (tensor && tensor.hasStaticShape())
        continue;
      op->emitOpError() << "expects tensors of static shape, but got " << type;
      ok = false;
    }
    llvm::SetVector<Value> captured;
    getUsedValuesDefinedAbove(op->getRegions(), captured);
    if (!captured.empty()) {
      op->emitOpError() << "reads a value from around its region, which cannot "
                           "be partitioned";
      ok = false;
    }
  }
  return success(ok);
}

/// Takes the probes out of a function, so that they have no say in how it is
/// partitioned.
static Probes takeProbes(func::FuncOp func) {
  Probes probes;
  for (ProbeOp probe : llvm::make_early_inc_range(func.getOps<ProbeOp>())) {
    probes[probe.getInput()].push_back({probe.getLoc(), probe.getNameAttr(),
                                        probe.getSiteAttr(),
                                        probe->getDiscardableAttrDictionary()});
    probe.erase();
  }
  return probes;
}

/// The axes over which accumulators stay partial.
using SumAxes = DenseMap<Attribute, AxisMask>;

/// Writes `axes` on these results and, in every function of the module that has
/// them, on the arguments.
static void closeSums(ModuleOp module, const Mesh &mesh, const SumAxes &axes) {
  if (axes.empty())
    return;
  auto close = [&](ArgumentAttrs attrs, unsigned count) {
    for (unsigned i : llvm::seq(count)) {
      Attribute tensor = attrs.get(i, kTensorAttr);
      auto sharding =
          dyn_cast_or_null<ShardingAttr>(attrs.get(i, kShardingAttr));
      auto found = tensor ? axes.find(tensor) : axes.end();
      if (sharding && found != axes.end())
        attrs.set(i, kShardingAttr,
                  mesh.withPartialSum(sharding, found->second));
    }
    attrs.write();
  };
  for (auto func : module.getOps<func::FuncOp>()) {
    close(ArgumentAttrs::ofArguments(func), func.getNumArguments());
    close(ArgumentAttrs::ofResults(func), func.getNumResults());
  }
}

/// Builds the local function into a new block and replaces the old one by it.
/// Adds the sums of which it decided over which axes they stay partial to
/// `closed`.
static void partition(func::FuncOp func, const FunctionShardings &shardings,
                      const Machine &machine, const Probes &probes,
                      DenseSet<Attribute> &closed) {
  const Mesh &mesh = shardings.getMesh();
  ReshardCost price(mesh, machine);
  Block &global = func.getBody().front();
  Block *block = new Block();
  func.getBody().push_back(block);
  OpBuilder builder = OpBuilder::atBlockEnd(block);
  PartialSums sums(shardings, price);
  LocalValues values(shardings, sums, probes, price, builder);
  CandidateSearch search(shardings, sums, values, price);

  for (auto [argument, split] :
       llvm::zip_equal(global.getArguments(), shardings.getArgumentSplits())) {
    Type type =
        mesh.getLocalType(cast<RankedTensorType>(argument.getType()), split);
    values.add(argument, {split, shardings.getPartial(argument)},
               block->addArgument(type, argument.getLoc()));
  }

  for (const RuledOp &ruled : shardings.getOps()) {
    if (ruled.rule.isGenerator()) {
      values.addGenerator(ruled);
      continue;
    }
    Candidate best = search.findBest(ruled);
    values.build(ruled, best.operands, best.loopAxes, best.results);
    for (OpResult result : ruled.op->getResults())
      values.completeResult(ruled, result);
  }

  Operation *terminator = global.getTerminator();
  SmallVector<Value> results;
  SumAxes sumAxes;
  for (auto [index, value, split] : llvm::enumerate(
           terminator->getOperands(), shardings.getResultSplits())) {
    LocalForm form{split};
    if (shardings.isNextOfOpenSum(value)) {
      form.partial = values.get(value).back().form.partial;
      if (TensorAttr tensor = getResultTensor(func, index))
        sumAxes[tensor] = form.partial;
    }
    results.push_back(values.materialize(value, form, terminator));
  }
  closed.insert_range(llvm::make_first_range(sumAxes));
  closeSums(func->getParentOfType<ModuleOp>(), mesh, sumAxes);
  Operation *end = builder.clone(*terminator);
  end->setOperands(results);
  global.erase();
  func.setType(FunctionType::get(func.getContext(), block->getArgumentTypes(),
                                 end->getOperandTypes()));
}

/// Says where the loss needs a replicated value of which ranks hold shards.
/// Weights that are gathered are not meant: those are read as they were placed.
/// Nor are inputs of linears that compute parts of their output from replicated
/// ones.
static void remarkGathers(func::FuncOp func) {
  if (func.getName() != kLossFunction)
    return;
  func.walk([](AllGatherOp op) {
    bool isWanted = llvm::any_of(op->getUsers(), [](Operation *user) {
      auto linear = dyn_cast<LinearOp>(user);
      return linear && linear.getShardOutput();
    });
    if (!isWanted && !isa<BlockArgument>(op->getOperand(0)))
      emitRemark(op.getLoc())
          << "a value is gathered to " << op->getResult(0).getType()
          << " on every rank: its readers cannot be sharded like it";
  });
}

/// Reads everything about a function that can be wrong.
static FailureOr<FunctionShardings> analyze(func::FuncOp func, const Mesh &mesh,
                                            const DenseSet<Attribute> &closed) {
  FailureOr<FunctionShardings> shardings =
      FunctionShardings::get(func, mesh, closed);
  if (failed(shardings) || failed(shardings->readShardings()) ||
      failed(checkSupported(*shardings)))
    return failure();
  return shardings;
}

namespace {
struct PartitionPass : public boost::impl::PartitionPassBase<PartitionPass> {
  using Base::Base;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    auto level = module->getAttrOfType<StringAttr>(kLevelAttr);
    if (level && level.getValue() == kSpmdLevel) {
      module.emitError() << "is already the program of one rank";
      return signalPassFailure();
    }
    FailureOr<Mesh> mesh = Mesh::get(module);
    FailureOr<Machine> priced = loadMachine(module, machine);
    if (failed(mesh) || failed(priced))
      return signalPassFailure();
    // Functions that add to a sum decide how the others find it.
    SmallVector<func::FuncOp> functions, others;
    for (auto func : module.getOps<func::FuncOp>())
      if (!func.isExternal())
        (findOpenSums(func).empty() ? others : functions).push_back(func);
    functions.append(others);
    DenseSet<Attribute> closed;
    for (func::FuncOp func : functions) {
      Probes probes = takeProbes(func);
      FailureOr<FunctionShardings> shardings = analyze(func, *mesh, closed);
      if (failed(shardings))
        return signalPassFailure();
      partition(func, *shardings, *priced, probes, closed);
      remarkGathers(func);
    }
    module->setAttr(kLevelAttr, StringAttr::get(&getContext(), kSpmdLevel));
  }
};
} // namespace
