//===- PartitionTest.cpp - Every sharding through the passes --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For every case and every legal assignment of mesh axes to the loops of its
// operation: arguments and results are sharded so, and a loss of the results is
// differentiated, propagated, partitioned and verified by the passes. The loss,
// the results and every gradient of all ranks are compared with those of one.
//
//===----------------------------------------------------------------------===//

#include "Assignments.h"
#include "Cases.h"

#include "boost-mlir/Dialect/Boost/IR/BoostAttrNames.h"
#include "boost-mlir/Interfaces/ShardingRuleOpInterface.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace mlir::boost;
using namespace mlir::boost::test;
using namespace mlir::boost::reference;

namespace {

constexpr double kTolerance = 1e-12;
constexpr llvm::StringLiteral kDecompose =
    "func.func(boost-annotate-components),boost-decompose-bottleneck,"
    "boost-decompose-layer-norm,boost-decompose-rms-norm";
constexpr llvm::StringLiteral kDifferentiate = "boost-differentiate";
constexpr llvm::StringLiteral kPartition =
    "func.func(boost-propagate-shardings),boost-partition,boost-verify-spmd";

/// Cuts the arguments and results of the loss of a case as its operation is.
void cutAbi(Case &from, func::FuncOp loss, const Mesh &mesh,
            const Candidate &candidate) {
  MLIRContext *context = loss.getContext();
  auto whole = [](Type type) {
    return Split(cast<RankedTensorType>(type).getRank());
  };
  SmallVector<Split> arguments = llvm::map_to_vector(
      loss.getArgumentTypes(), [&](Type type) { return whole(type); });
  SmallVector<Split> results = llvm::map_to_vector(
      loss.getResultTypes(), [&](Type type) { return whole(type); });
  for (auto [operand, form] :
       llvm::zip_equal(from.op->getOperands(), candidate.operands))
    if (auto arg = dyn_cast<BlockArgument>(operand))
      arguments[arg.getArgNumber()] = form.split;

  Operation *end = from.function.front().getTerminator();
  unsigned weight = from.function.getNumArguments();
  unsigned result = loss.getNumResults() - end->getNumOperands();
  for (Value value : end->getOperands()) {
    unsigned index = cast<OpResult>(value).getResultNumber();
    results[result++] = candidate.results[index].split;
    if (isFloat(value.getType()))
      arguments[weight++] = candidate.results[index].split;
  }
  for (auto [i, split] : llvm::enumerate(arguments))
    loss.setArgAttr(i, kShardingAttr, mesh.getShardingAttr(context, split));
  for (auto [i, split] : llvm::enumerate(results))
    loss.setResultAttr(i, kShardingAttr, mesh.getShardingAttr(context, split));
}

/// The loss of a case and its gradient, cut for a mesh if there is one.
OwningOpRef<ModuleOp> build(Case &from, const Mesh *mesh,
                            const Candidate *candidate) {
  OwningOpRef<ModuleOp> module = makeModule(from.function.getContext(), mesh);
  func::FuncOp loss = addLoss(from, *module);
  if (mesh)
    cutAbi(from, loss, *mesh, *candidate);
  EXPECT_TRUE(succeeded(runPasses(*module, kDecompose)));
  if (from.isDifferentiable())
    EXPECT_TRUE(succeeded(runPasses(*module, kDifferentiate)));
  if (mesh)
    EXPECT_TRUE(succeeded(runPasses(*module, kPartition)));
  return module;
}

/// The results of the functions of a module.
FailureOr<NamedTensors> evaluate(Case &from, ModuleOp module) {
  NamedTensors results;
  for (auto function : module.getOps<func::FuncOp>()) {
    FailureOr<Program> program = Program::create(module, function.getName());
    if (failed(program))
      return failure();
    FailureOr<NamedTensors> values = program->run(
        makeInputs(*program, from, /*seed=*/3), Rounding::None, kTolerance);
    if (failed(values))
      return failure();
    for (auto &entry : *values)
      results[(function.getName() + "/" + entry.first()).str()] = entry.second;
  }
  return results;
}

void checkCase(Case &from, Tally &tally) {
  RuledOp ruled = getRuled(from.op);
  FailureOr<NamedTensors> expected =
      evaluate(from, *build(from, nullptr, nullptr));
  ASSERT_TRUE(succeeded(expected));
  tally.add(from.getOpName(), 0);
  for (const auto &[column, mesh] : llvm::enumerate(getMeshes()))
    for (const Assignment &assignment : enumerateAssignments(mesh, ruled)) {
      if (assignment.isWhole() || assignment.hasPartialOperands())
        continue;
      SCOPED_TRACE(
          ("case @" + from.getName() + ", " + assignment.describe(mesh)).str());
      OwningOpRef<ModuleOp> module = build(from, &mesh, &assignment.candidate);
      FailureOr<NamedTensors> actual = evaluate(from, *module);
      ASSERT_TRUE(succeeded(actual));
      ASSERT_EQ(actual->size(), expected->size());
      for (auto &entry : *expected)
        EXPECT_LE(getDifference(entry.second, (*actual)[entry.first()]),
                  kTolerance)
            << entry.first().str();
      tally.add(from.getOpName(), 1 + column);
      if (from.isDifferentiable())
        tally.add(from.getOpName(), 3);
    }
}

TEST(Partition, OfEveryOperationComputesTheSame) {
  Tally tally({"cases", "on 2", "on 2x2", "gradients"});
  for (Case &from : CaseTable::get().getCases())
    if (isa<ShardingRuleOpInterface>(from.op))
      checkCase(from, tally);
  tally.print("shardings, by the partitioner");
  for (Case &from : CaseTable::get().getCases())
    if (isa<ShardingRuleOpInterface>(from.op))
      EXPECT_GT(tally.get(from.getOpName(), 2), 0u) << from.getOpName().str();
}

} // namespace
