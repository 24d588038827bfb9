//===- ShardingsTest.cpp - Every sharding of every operation --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For every case of an operation with a sharding rule, every legal assignment
// of mesh axes to its loops and to the partial sums it may pass on: the local
// operation is built exactly so, without the partitioner's choice, evaluated on
// all ranks and compared with the whole operation on one.
//
// An argument that is to be a partial sum comes as its terms, stacked along a
// new first dimension, which the axes of the sum cut.
//
//===----------------------------------------------------------------------===//

#include "Assignments.h"
#include "Cases.h"

#include "boost-mlir/Dialect/Boost/IR/BoostAttrNames.h"
#include "boost-mlir/Dialect/StableHLO/IR/Builders.h"
#include "boost-mlir/Interfaces/ShardingRuleOpInterface.h"
#include "boost-mlir/Support/TensorTypes.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Verifier.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace mlir::boost;
using namespace mlir::boost::test;
using namespace mlir::boost::reference;

namespace {

constexpr double kTolerance = 1e-12;

/// The two programs of one assignment: the case as it is, and the ranks' parts.
class Programs {
public:
  Programs(Case &from, const Mesh &mesh, const Assignment &assignment)
      : from(from), mesh(mesh), assignment(assignment),
        builder(from.function.getContext()), loc(from.function.getLoc()) {
    partial.assign(from.function.getNumArguments(), 0);
    for (auto [operand, form] :
         llvm::zip_equal(from.op->getOperands(), assignment.candidate.operands))
      if (auto arg = dyn_cast<BlockArgument>(operand))
        partial[arg.getArgNumber()] |= form.partial;
  }

  OwningOpRef<ModuleOp> buildWhole();
  OwningOpRef<ModuleOp> buildLocal();

private:
  func::FuncOp addFunction(ModuleOp module, bool isLocal);
  Value unstack(Value stacked, AxisMask axes, bool isLocal);
  void setShardings(func::FuncOp function, ArrayRef<Split> results);
  void buildOps(const FunctionShardings &shardings, LocalValues &values);

  Case &from;
  const Mesh &mesh;
  const Assignment &assignment;
  OpBuilder builder;
  Location loc;
  /// The axes over which each argument is a partial sum.
  SmallVector<AxisMask> partial;
};

/// An empty @loss with the arguments of the case, stacked where they are
/// partial sums.
func::FuncOp Programs::addFunction(ModuleOp module, bool isLocal) {
  SmallVector<Type> types;
  for (auto [axes, arg] :
       llvm::zip_equal(partial, from.function.getArguments())) {
    SmallVector<int64_t> shape(getTensorType(arg).getShape());
    if (axes)
      shape.insert(shape.begin(), isLocal ? 1 : mesh.getSize(axes));
    types.push_back(getTensorType(arg).clone(shape));
  }
  builder.setInsertionPointToEnd(module.getBody());
  auto function = func::FuncOp::create(
      builder, loc, kLossFunction,
      builder.getFunctionType(types, from.function.getResultTypes()));
  function.addEntryBlock();
  builder.setInsertionPointToEnd(&function.front());
  for (unsigned i = 0; i < types.size(); ++i) {
    if (Attribute limit = from.function.getArgAttr(i, kIdLimitAttr))
      function.setArgAttr(i, kIdLimitAttr, limit);
    Split split(cast<RankedTensorType>(types[i]).getRank());
    if (partial[i])
      split[0] = mesh.getAxes(partial[i]);
    function.setArgAttr(i, kShardingAttr,
                        mesh.getShardingAttr(builder.getContext(), split));
  }
  return function;
}

/// The sum of stacked terms, or the one term that a rank has.
Value Programs::unstack(Value stacked, AxisMask axes, bool isLocal) {
  if (!axes)
    return stacked;
  if (isLocal)
    return stablehlo::reshape(builder, loc, stacked,
                              getTensorType(stacked).getShape().drop_front());
  return stablehlo::reduceSum(builder, loc, stacked, {0});
}

OwningOpRef<ModuleOp> Programs::buildWhole() {
  OwningOpRef<ModuleOp> module = makeModule(builder.getContext(), nullptr);
  func::FuncOp function = addFunction(*module, /*isLocal=*/false);
  IRMapping map;
  for (auto [axes, arg, stacked] : llvm::zip_equal(
           partial, from.function.getArguments(), function.getArguments()))
    map.map(arg, unstack(stacked, axes, /*isLocal=*/false));
  for (Operation &op : from.function.front())
    builder.clone(op, map);
  return module;
}

void Programs::setShardings(func::FuncOp function, ArrayRef<Split> results) {
  for (auto [i, split] : llvm::enumerate(results))
    function.setResultAttr(i, kShardingAttr,
                           mesh.getShardingAttr(builder.getContext(), split));
}

/// The helpers whole, the operation of the case as the assignment says.
void Programs::buildOps(const FunctionShardings &shardings,
                        LocalValues &values) {
  for (const RuledOp &ruled : shardings.getOps()) {
    if (ruled.rule.isGenerator()) {
      values.addGenerator(ruled);
      continue;
    }
    bool isHelper =
        ruled.op->getNextNode() != ruled.op->getBlock()->getTerminator();
    Candidate candidate =
        isHelper ? *deriveCandidate(mesh, ruled, {}) : assignment.candidate;
    values.build(ruled, candidate.operands, candidate.loopAxes,
                 candidate.results);
  }
}

OwningOpRef<ModuleOp> Programs::buildLocal() {
  MLIRContext *context = builder.getContext();
  // The case with the ABI that the shardings are read from.
  OwningOpRef<ModuleOp> scratch = makeModule(context, &mesh);
  func::FuncOp global = from.function.clone();
  scratch->push_back(global);
  SmallVector<Split> whole;
  for (BlockArgument arg : global.getArguments())
    global.setArgAttr(
        arg.getArgNumber(), kShardingAttr,
        mesh.getShardingAttr(context, Split(getTensorType(arg).getRank())));
  for (Type type : global.getResultTypes())
    whole.emplace_back(cast<RankedTensorType>(type).getRank());
  setShardings(global, whole);
  FailureOr<FunctionShardings> shardings = FunctionShardings::get(global, mesh);

  OwningOpRef<ModuleOp> module = makeModule(context, &mesh);
  (*module)->setAttr(kLevelAttr, builder.getStringAttr(kSpmdLevel));
  func::FuncOp function = addFunction(*module, /*isLocal=*/true);
  ReshardCost price(mesh, Machine::getReference());
  PartialSums sums(*shardings, price);
  Probes probes;
  LocalValues values(*shardings, sums, probes, price, builder);
  for (auto [axes, arg, stacked] :
       llvm::zip_equal(partial, global.getArguments(), function.getArguments()))
    values.add(arg, {Split(getTensorType(arg).getRank()), axes},
               unstack(stacked, axes, /*isLocal=*/true));
  buildOps(*shardings, values);

  Operation *end = global.front().getTerminator();
  SmallVector<Value> results;
  SmallVector<Split> splits;
  for (Value value : end->getOperands()) {
    unsigned index = cast<OpResult>(value).getResultNumber();
    splits.push_back(assignment.candidate.results[index].split);
    results.push_back(values.materialize(value, {splits.back()}, end));
  }
  func::ReturnOp::create(builder, loc, results);
  function.setType(builder.getFunctionType(function.getArgumentTypes(),
                                           TypeRange(ValueRange(results))));
  setShardings(function, splits);
  return module;
}

/// The largest difference between all ranks under an assignment and one rank.
FailureOr<double> compare(Case &from, const Mesh &mesh,
                          const Assignment &assignment) {
  Programs programs(from, mesh, assignment);
  OwningOpRef<ModuleOp> whole = programs.buildWhole();
  OwningOpRef<ModuleOp> local = programs.buildLocal();
  if (failed(verify(*whole)) || failed(verify(*local)))
    return failure();
  FailureOr<Program> expected = Program::create(*whole, kLossFunction);
  FailureOr<Program> actual = Program::create(*local, kLossFunction);
  if (failed(expected) || failed(actual))
    return failure();
  NamedTensors inputs = makeInputs(*expected, from, /*seed=*/2);
  FailureOr<NamedTensors> ofWhole =
      expected->run(inputs, Rounding::None, kTolerance);
  FailureOr<NamedTensors> ofRanks =
      actual->run(inputs, Rounding::None, kTolerance);
  if (failed(ofWhole) || failed(ofRanks))
    return failure();
  double largest = 0;
  for (const NamedType &result : expected->results())
    largest = std::max(largest, getDifference((*ofWhole)[result.name],
                                              (*ofRanks)[result.name]));
  return largest;
}

bool hasRule(const Case &from) { return isa<ShardingRuleOpInterface>(from.op); }

void checkCase(Case &from, Tally &tally) {
  RuledOp ruled = getRuled(from.op);
  ASSERT_TRUE(succeeded(ruled.rule.verify(from.op)));
  tally.add(from.getOpName(), 0);
  for (const auto &[column, mesh] : llvm::enumerate(getMeshes()))
    for (const Assignment &assignment : enumerateAssignments(mesh, ruled)) {
      SCOPED_TRACE(
          ("case @" + from.getName() + ", " + assignment.describe(mesh)).str());
      FailureOr<double> difference = compare(from, mesh, assignment);
      ASSERT_TRUE(succeeded(difference));
      EXPECT_LE(*difference, kTolerance);
      if (assignment.isWhole())
        continue;
      tally.add(from.getOpName(), 1 + column);
      if (assignment.hasPartialOperands())
        tally.add(from.getOpName(), 3);
    }
}

/// Returns true if a rule for a case is found wrong on two ranks.
bool isFoundWrong(StringRef name,
                  llvm::function_ref<void(ShardingRule &)> claim) {
  for (Case &from : CaseTable::get().getCases()) {
    if (from.getName() != name)
      continue;
    RuledOp ruled = getRuled(from.op);
    claim(ruled.rule);
    const Mesh &mesh = getMeshes().front();
    ScopedDiagnosticHandler silent(from.op->getContext(), [](Diagnostic &) {});
    return llvm::any_of(
        enumerateAssignments(mesh, ruled), [&](const Assignment &assignment) {
          FailureOr<double> difference = compare(from, mesh, assignment);
          return failed(difference) || *difference > kTolerance;
        });
  }
  return false;
}

TEST(Shardings, FalseClaimsAreFound) {
  EXPECT_FALSE(isFoundWrong("multiply", [](ShardingRule &) {}));
  // An exponential is not additive, nor is a product in both factors at once.
  EXPECT_TRUE(isFoundWrong("exponential",
                           [](ShardingRule &rule) { rule.setAdditive({0}); }));
  EXPECT_TRUE(isFoundWrong(
      "multiply", [](ShardingRule &rule) { rule.setAdditive({0, 1}); }));
  // The reversed dimension of a reverse may not be cut.
  EXPECT_TRUE(isFoundWrong("reverse", [](ShardingRule &rule) {
    rule.addLoop(LoopKind::Parallel, 8).operand(0, 1).result(0, 1);
  }));
  // The maximum of ranks' maxima is not their sum.
  EXPECT_TRUE(isFoundWrong("reduce_max", [](ShardingRule &rule) {
    rule.addLoop(LoopKind::Sum, 4).operand(0, 0);
  }));
}

TEST(Shardings, EveryRuleHasACase) {
  EXPECT_EQ(CaseTable::get().findUncovered<ShardingRuleOpInterface>(),
            std::vector<std::string>());
}

TEST(Shardings, OfEveryOperationComputeTheSame) {
  Tally tally({"cases", "on 2", "on 2x2", "of partial"});
  for (Case &from : CaseTable::get().getCases())
    if (hasRule(from))
      checkCase(from, tally);
  tally.print("shardings, built as assigned");
  for (Case &from : CaseTable::get().getCases())
    if (hasRule(from)) {
      EXPECT_GT(tally.get(from.getOpName(), 1), 0u) << from.getOpName().str();
      EXPECT_GT(tally.get(from.getOpName(), 2), 0u) << from.getOpName().str();
    }
}

} // namespace
