//===- Evaluator.cpp - A slow, plain interpreter of tensor IR -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The walk over operations; what each computes is in the rule files beside.
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/Reference/Evaluator.h"
#include "boost-mlir/Dialect/Boost/IR/BoostAttrNames.h"
#include "boost-mlir/Dialect/StableHLO/IR/StableHLO.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"

#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace mlir::boost::reference;

static const RuleSet &getRules() {
  static const RuleSet rules = [] {
    RuleSet all;
    addElementwiseRules(all);
    addShapeRules(all);
    addContractionRules(all);
    addModelRules(all);
    addOptimizerRules(all);
    addImportRules(all);
    addLinearRules(all);
    addWindowRules(all);
    return all;
  }();
  return rules;
}

Evaluator::Evaluator(ArrayRef<int64_t> mesh, const Precision &precision)
    : mesh(mesh), numRanks(1), precision(precision),
      roundoff(precision.rounding == Rounding::Random ? Roundoff(precision.seed)
                                                      : Roundoff()) {
  for (int64_t extent : mesh)
    numRanks *= extent;
  present = llvm::to_vector(llvm::seq(numRanks));
}

SmallVector<int64_t> Evaluator::group(int64_t rank,
                                      ArrayRef<int16_t> axes) const {
  SmallVector<int64_t> strides = computeStrides(mesh);
  // The rank with coordinate 0 on every axis of the group, then all others.
  SmallVector<int64_t> members{rank};
  for (int16_t axis : axes)
    members[0] -= rank / strides[axis] % mesh[axis] * strides[axis];
  for (int16_t axis : axes) {
    SmallVector<int64_t> next;
    for (int64_t member : members)
      for (int64_t i = 0; i < mesh[axis]; ++i)
        next.push_back(member + i * strides[axis]);
    members = next;
  }
  return members;
}

int64_t Evaluator::position(int64_t rank, ArrayRef<int16_t> axes) const {
  SmallVector<int64_t> members = group(rank, axes);
  return llvm::find(members, rank) - members.begin();
}

/// The part of a value that a rank sees; a value of a region is on one rank.
static const Tensor &onRank(const RankValues &values, int64_t rank) {
  return values[values.size() == 1 ? 0 : rank];
}

FailureOr<SmallVector<RankValues>>
Evaluator::run(func::FuncOp function, ArrayRef<RankValues> arguments) {
  if (!function.getBody().hasOneBlock())
    return function.emitError()
           << "expects a function of one block to evaluate";
  if (!running.insert(function).second)
    return function.emitOpError() << "calls itself, which cannot be evaluated";
  llvm::scope_exit leave([&] { running.erase(function); });
  if (precision.noise == 0 || !scopes.empty())
    return runBlock(function.getBody().front(), arguments);
  SmallVector<RankValues> disturbed(arguments);
  for (RankValues &argument : disturbed)
    disturb(argument);
  return runBlock(function.getBody().front(), disturbed);
}

FailureOr<SmallVector<Tensor>>
Evaluator::runRegion(Region &region, ArrayRef<Tensor> arguments) {
  bool wasInRegion = std::exchange(inRegion, true);
  llvm::scope_exit leave([&] { inRegion = wasInRegion; });
  SmallVector<RankValues> onRanks;
  for (const Tensor &argument : arguments)
    onRanks.push_back({argument});
  FailureOr<SmallVector<RankValues>> results =
      runBlock(region.front(), onRanks);
  if (failed(results))
    return failure();
  SmallVector<Tensor> single;
  for (RankValues &result : *results)
    single.push_back(std::move(result.front()));
  return single;
}

/// Returns what the arguments of a block are.
static llvm::DenseMap<Value, RankValues> bind(Block &block,
                                              ArrayRef<RankValues> arguments) {
  llvm::DenseMap<Value, RankValues> values;
  for (auto [argument, given] :
       llvm::zip_equal(block.getArguments(), arguments))
    values[argument] = given;
  return values;
}

FailureOr<SmallVector<RankValues>>
Evaluator::runBlock(Block &block, ArrayRef<RankValues> arguments) {
  Environment values = bind(block, arguments);
  scopes.push_back(&values);
  llvm::scope_exit leave([&] { scopes.pop_back(); });
  for (Operation &op : block.without_terminator())
    if (failed(evaluate(&op, values)))
      return failure();
  return getReturned(block);
}

SmallVector<RankValues> Evaluator::getReturned(Block &block) const {
  // A region may return what it captures.
  SmallVector<RankValues> results;
  for (const RankValues *result : findOperands(block.getTerminator()))
    results.push_back(inRegion ? RankValues{onRank(*result, currentRank)}
                               : *result);
  return results;
}

SmallVector<const RankValues *> Evaluator::findOperands(Operation *op) const {
  SmallVector<const RankValues *> operands;
  for (Value operand : op->getOperands()) {
    const RankValues *found = nullptr;
    for (Environment *scope : llvm::reverse(scopes)) {
      auto it = scope->find(operand);
      if (it == scope->end())
        continue;
      found = &it->second;
      break;
    }
    assert(found && "values are computed before they are read");
    operands.push_back(found);
  }
  return operands;
}

/// Zeros of the types of the results, on every rank there is.
FailureOr<SmallVector<RankValues>> Evaluator::makeResults(Operation *op) const {
  auto copies = static_cast<int64_t>(present.size());
  if (failed(checkMemory(op, op->getResultTypes(), inRegion ? 1 : copies)))
    return failure();
  SmallVector<RankValues> results(op->getNumResults());
  for (auto [result, type] : llvm::zip_equal(results, op->getResultTypes())) {
    auto tensorType = dyn_cast<RankedTensorType>(type);
    if (!tensorType)
      return op->emitError() << "expects tensors to evaluate, but got " << type;
    result.resize(inRegion ? 1 : numRanks);
    if (inRegion)
      result.front() = Tensor(tensorType);
    else
      for (int64_t rank : present)
        result[rank] = Tensor(tensorType);
  }
  return results;
}

LogicalResult Evaluator::evaluateCall(Operation *op,
                                      ArrayRef<const RankValues *> operands,
                                      SmallVector<RankValues> &results) {
  auto composite = dyn_cast<stablehlo::CompositeOp>(op);
  StringRef name = composite ? composite.getDecomposition()
                             : cast<func::CallOp>(op).getCallee();
  auto callee = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(
      op, StringAttr::get(op->getContext(), name));
  if (!callee || callee.isExternal())
    return op->emitError() << "calls '" << name << "', which has no body";
  SmallVector<RankValues> arguments;
  for (const RankValues *operand : operands)
    arguments.push_back(inRegion ? RankValues{onRank(*operand, currentRank)}
                                 : *operand);
  FailureOr<SmallVector<RankValues>> returned = run(callee, arguments);
  if (failed(returned))
    return failure();
  results = std::move(*returned);
  return success();
}

LogicalResult Evaluator::evaluateLocally(Operation *op, const Rule &rule,
                                         ArrayRef<const RankValues *> operands,
                                         MutableArrayRef<RankValues> results) {
  int64_t outerRank = currentRank;
  llvm::scope_exit leave([&] { currentRank = outerRank; });
  auto evaluateAt = [&](int64_t index) {
    SmallVector<const Tensor *> local;
    for (const RankValues *operand : operands)
      local.push_back(&onRank(*operand, currentRank));
    SmallVector<Tensor> localResults;
    for (RankValues &result : results)
      localResults.push_back(std::move(result[index]));
    if (failed(rule(op, local, localResults, *this)))
      return failure();
    for (auto [result, local] : llvm::zip_equal(results, localResults))
      result[index] = std::move(local);
    return success();
  };
  if (inRegion)
    return evaluateAt(0);
  for (int64_t rank : present) {
    currentRank = rank;
    if (failed(evaluateAt(rank)))
      return failure();
  }
  return success();
}

LogicalResult Evaluator::evaluate(Operation *op, Environment &values) {
  if (failed(evaluate(op, findOperands(op), values)))
    return failure();
  // Free what this operation read last, so that deep models fit.
  Block *block = op->getBlock();
  for (Value operand : op->getOperands())
    if (operand.getParentBlock() == block &&
        llvm::all_of(operand.getUsers(), [&](Operation *user) {
          Operation *inBlock = block->findAncestorOpInBlock(*user);
          return inBlock == op || inBlock->isBeforeInBlock(op);
        }))
      values.erase(operand);
  return success();
}

LogicalResult Evaluator::evaluate(Operation *op,
                                  ArrayRef<const RankValues *> operands,
                                  Environment &values) {
  FailureOr<SmallVector<RankValues>> results = makeResults(op);
  if (failed(results))
    return failure();

  roundoff.beginOperation();
  StringRef name = op->getName().getStringRef();
  const RuleSet &rules = getRules();
  if (isa<func::CallOp, stablehlo::CompositeOp>(op)) {
    if (failed(evaluateCall(op, operands, *results)))
      return failure();
  } else if (auto group = dyn_cast<RankGroupOpInterface>(op)) {
    if (inRegion)
      return op->emitOpError() << "is a collective inside a region";
    if (mesh.empty())
      return op->emitOpError()
             << "is a collective, but the module has no mesh: "
                "expects the attribute "
             << kLevelAttr << " = \"" << kSpmdLevel << "\" and a shard.grid @"
             << kMeshSymbol;
    if (failed(evaluateInGroup(group, operands, *results)))
      return failure();
  } else if (auto rule = rules.local.find(name); rule != rules.local.end()) {
    if (failed(evaluateLocally(op, rule->second, operands, *results)))
      return failure();
  } else if (name == "boost.probe") {
    if (onProbe)
      onProbe(op, *operands.front());
  } else if (op->getNumResults() != 0 || !isMemoryEffectFree(op)) {
    if (name != "boost.phase")
      return op->emitError() << "has no rule in the reference evaluator";
  }
  round(op, *results);
  for (auto [value, result] : llvm::zip_equal(op->getResults(), *results))
    values[value] = std::move(result);
  return success();
}

//===----------------------------------------------------------------------===//
// Functions of different ranks
//===----------------------------------------------------------------------===//

/// Returns true if an operation reads values of ranks that run another
/// function.
bool Evaluator::needsOtherRanks(Operation *op) const {
  auto group = dyn_cast<RankGroupOpInterface>(op);
  if (!group || mesh.empty() || op->getNumOperands() == 0)
    return false;
  auto axes = op->getAttrOfType<DenseI16ArrayAttr>("grid_axes").asArrayRef();
  return !llvm::all_of(this->group(present.front(), axes), [&](int64_t rank) {
    return llvm::is_contained(present, rank);
  });
}

/// Evaluates as this function goes on from here.
void Evaluator::enter(Frame &frame) {
  present = frame.call.ranks;
  scopes.push_back(&frame.values);
}

/// Evaluates a function up to its end, or to where it needs other ranks.
LogicalResult Evaluator::runToMeeting(Frame &frame) {
  enter(frame);
  llvm::scope_exit leave([&] { scopes.pop_back(); });
  for (; !frame.isAtEnd() && !needsOtherRanks(&*frame.next); ++frame.next)
    if (failed(evaluate(&*frame.next, frame.values)))
      return failure();
  return success();
}

/// Returns true if two collectives are the same one in different functions.
static bool areSameCollective(Operation *one, Operation *other) {
  return one->getName() == other->getName() &&
         one->getAttr("grid_axes") == other->getAttr("grid_axes") &&
         one->getAttr("meeting") == other->getAttr("meeting") &&
         one->getResultTypes() == other->getResultTypes() &&
         llvm::equal(one->getOperandTypes(), other->getOperandTypes());
}

/// Evaluates the collective at which all functions wait for one another.
LogicalResult Evaluator::meet(MutableArrayRef<Frame> frames) {
  Frame &first = *llvm::find_if(
      frames, [](const Frame &frame) { return !frame.isAtEnd(); });
  Operation *op = &*first.next;
  SmallVector<RankValues> operands(op->getNumOperands(), RankValues(numRanks));
  for (Frame &frame : frames) {
    if (frame.isAtEnd() || !areSameCollective(op, &*frame.next)) {
      func::FuncOp other = frame.call.function;
      InFlightDiagnostic diag = op->emitOpError()
                                << "waits for the ranks of @" << other.getName()
                                << ", which do not take part in it";
      diag.attachNote(frame.next->getLoc()) << "they are here";
      return diag;
    }
    enter(frame);
    for (auto [operand, own] :
         llvm::zip_equal(operands, findOperands(&*frame.next)))
      for (int64_t rank : present)
        operand[rank] = (*own)[rank];
    scopes.pop_back();
  }
  SmallVector<const RankValues *> joined;
  for (const RankValues &operand : operands)
    joined.push_back(&operand);
  for (Frame &frame : frames) {
    enter(frame);
    llvm::scope_exit leave([&] { scopes.pop_back(); });
    if (failed(evaluate(&*frame.next, joined, frame.values)))
      return failure();
    ++frame.next;
  }
  return success();
}

FailureOr<SmallVector<SmallVector<RankValues>>>
Evaluator::runTogether(ArrayRef<RankCall> calls) {
  llvm::scope_exit leave([&, all = present] { present = all; });
  SmallVector<Frame> frames;
  for (const RankCall &call : calls) {
    func::FuncOp function = call.function;
    if (!function.getBody().hasOneBlock())
      return function.emitError()
             << "expects a function of one block to evaluate";
    Block &block = function.front();
    frames.push_back({call, bind(block, call.arguments), block.begin()});
    if (precision.noise != 0)
      for (Value argument : block.getArguments())
        disturb(frames.back().values[argument]);
  }
  while (true) {
    for (Frame &frame : frames)
      if (failed(runToMeeting(frame)))
        return failure();
    if (llvm::all_of(frames,
                     [](const Frame &frame) { return frame.isAtEnd(); }))
      break;
    if (failed(meet(frames)))
      return failure();
  }
  SmallVector<SmallVector<RankValues>> results;
  for (Frame &frame : frames) {
    enter(frame);
    results.push_back(getReturned(*frame.next->getBlock()));
    scopes.pop_back();
  }
  return results;
}

//===----------------------------------------------------------------------===//
// Rounding
//===----------------------------------------------------------------------===//

const llvm::fltSemantics *
mlir::boost::reference::getRoundingSemantics(Type type, Rounding rounding) {
  auto floatType = dyn_cast<FloatType>(type);
  if (!floatType || rounding == Rounding::None || rounding == Rounding::Random)
    return nullptr;
  const llvm::fltSemantics &own = floatType.getFloatSemantics();
  if (rounding == Rounding::Typed)
    return &own;
  const llvm::fltSemantics &widest = rounding == Rounding::F32
                                         ? llvm::APFloat::IEEEsingle()
                                         : llvm::APFloat::BFloat();
  bool isNarrower = llvm::APFloat::semanticsPrecision(own) <
                    llvm::APFloat::semanticsPrecision(widest);
  return isNarrower ? &own : &widest;
}

void mlir::boost::reference::roundTensor(Tensor &tensor, Rounding rounding) {
  if (!tensor.isFloat())
    return roundToType(tensor);
  if (const llvm::fltSemantics *semantics =
          getRoundingSemantics(tensor.elementType(), rounding))
    roundToSemantics(tensor, *semantics);
}

/// Returns true if an operation moves or selects values without computing new
/// ones.
static bool isMovement(Operation *op) {
  static const llvm::StringSet<> names = {
      "boost.embedding",
      "boost.stop_gradient",
      "func.call",
      "stablehlo.broadcast_in_dim",
      "stablehlo.case",
      "stablehlo.composite",
      "stablehlo.concatenate",
      "stablehlo.constant",
      "stablehlo.dynamic_slice",
      "stablehlo.dynamic_update_slice",
      "stablehlo.gather",
      "stablehlo.if",
      "stablehlo.maximum",
      "stablehlo.minimum",
      "stablehlo.negate",
      "stablehlo.optimization_barrier",
      "stablehlo.pad",
      "stablehlo.reshape",
      "stablehlo.reverse",
      "stablehlo.select",
      "stablehlo.slice",
      "stablehlo.transpose",
  };
  auto group = dyn_cast<boost::RankGroupOpInterface>(op);
  return (group && boost::movesOnly(group)) ||
         names.contains(op->getName().getStringRef());
}

/// A number in [-1, 1] that depends on nothing but the two keys: the finalizer
/// of SplitMix64.
static double uniformNoise(uint64_t seed, uint64_t counter) {
  uint64_t z = seed * 0x9e3779b97f4a7c15u + counter * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  z ^= z >> 31;
  return static_cast<double>(static_cast<int64_t>(z)) * 0x1p-63;
}

/// Copies on different ranks are disturbed alike and stay copies.
void Evaluator::disturb(RankValues &values) {
  uint64_t first = numDisturbed;
  for (Tensor &tensor : values) {
    if (!tensor.type)
      continue;
    if (!isa<FloatType>(tensor.elementType()))
      return;
    numDisturbed = first;
    for (double &value : tensor.data)
      value *=
          1 + precision.noise * uniformNoise(precision.seed, numDisturbed++);
  }
}

/// Returns true if generated code approximates the operation by polynomials.
static bool isApproximated(Operation *op) {
  static const llvm::StringSet<> names = {
      "stablehlo.cosine",
      "stablehlo.exponential",
      "stablehlo.exponential_minus_one",
      "stablehlo.log",
      "stablehlo.log_plus_one",
      "stablehlo.logistic",
      "stablehlo.power",
      "stablehlo.rsqrt",
      "stablehlo.sine",
      "stablehlo.tan",
      "stablehlo.tanh",
  };
  return names.contains(op->getName().getStringRef());
}

void Evaluator::roundRandomly(Operation *op, RankValues &values) const {
  for (Tensor &tensor : values) {
    if (!tensor.type)
      continue;
    auto type = dyn_cast<FloatType>(tensor.elementType());
    if (!type || isMovement(op))
      return;
    if (isApproximated(op))
      for (double &value : tensor.data)
        value = roundoff.function(value, type);
    roundoff.round(tensor);
  }
}

void Evaluator::round(Operation *op, MutableArrayRef<RankValues> results) {
  for (RankValues &result : results) {
    if (precision.rounding == Rounding::Random)
      roundRandomly(op, result);
    for (Tensor &tensor : result)
      if (tensor.type)
        roundTensor(tensor, precision.rounding);
    if (precision.noise != 0 && !isMovement(op))
      disturb(result);
  }
}
