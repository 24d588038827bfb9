//===- FormSearch.cpp - The cheapest forms of all values ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/Sharding/FormSearch.h"

#include "AlikeLayers.h"

#include "boost-mlir/Dialect/Boost/IR/Parts.h"
#include "boost-mlir/Dialect/Boost/IR/Tensors.h"
#include "boost-mlir/Support/TensorTypes.h"
#include "llvm/ADT/bit.h"

#include <limits>
#include <map>

using namespace mlir;
using namespace mlir::boost;

static constexpr double kForbidden = std::numeric_limits<double>::infinity();

/// Passes over memory of an update with two states for each parameter, as the
/// default optimizer has: it reads these and the gradient, and writes all but
/// the gradient. The optimizer is not known where placements are searched.
static constexpr double kUpdatePasses = 7;

/// The backward pass of an operation reads and writes what it does forward, and
/// the gradients beside that.
static constexpr double kBackwardPasses = 2;

FormSearch::FormSearch(const FunctionShardings &shardings, AxisMask axis,
                       const Machine &machine)
    : shardings(shardings), axis(axis), price(shardings.getMesh(), machine) {
  findActive();
  decideOperations();
  decideArguments();
  priceFlows();
  priceResults();
}

/// Returns the operations that depend on arguments. Others, such as tables of
/// positions, are available in every form.
static std::vector<const RuledOp *> findDependent(ArrayRef<RuledOp> ops) {
  std::vector<const RuledOp *> found;
  DenseSet<Operation *> dependent;
  for (const RuledOp &ruled : ops)
    if (llvm::any_of(ruled.op->getOperands(), [&](Value operand) {
          return isa<BlockArgument>(operand) ||
                 dependent.contains(operand.getDefiningOp());
        })) {
      dependent.insert(ruled.op);
      found.push_back(&ruled);
    }
  return found;
}

void FormSearch::findActive() {
  auto isFloat = [](Value value) {
    return isa<FloatType>(getElementTypeOrSelf(value.getType()));
  };
  for (BlockArgument argument : shardings.getFunction().getArguments())
    if (hasRole(argument, TensorRole::Param) && isFloat(argument))
      active.insert(argument);
  for (const RuledOp &ruled : shardings.getOps())
    if (llvm::any_of(ruled.op->getOperands(),
                     [&](Value operand) { return active.contains(operand); }))
      for (Value result : ruled.op->getResults())
        if (isFloat(result))
          active.insert(result);
}

//===----------------------------------------------------------------------===//
// Choices
//===----------------------------------------------------------------------===//

/// The axes over which the gradient of an operand is a partial sum: those that
/// the operation is spread over, but not the operand. Of a sum that is passed
/// on, every term has the gradient of the whole.
static AxisMask getGradientPartial(const RuledOp &ruled, ArrayRef<AxisUse> uses,
                                   unsigned operand) {
  AxisMask partial = 0;
  ArrayRef<int> loops = ruled.rule.getOperands()[operand];
  for (const AxisUse &use : uses) {
    bool isSpread =
        use.loop != kNoLoop
            ? !llvm::is_contained(loops, use.loop)
            : !use.passed.empty() && !llvm::is_contained(use.passed, operand);
    if (isSpread)
      partial |= use.axis;
  }
  return partial;
}

std::vector<FormSearch::Choice>
FormSearch::listChoices(const RuledOp &ruled) const {
  const ShardingRule &rule = ruled.rule;
  SmallVector<AxisUse> given;
  const Mesh &mesh = shardings.getMesh();
  for (int16_t other : mesh.getAxes(mesh.getUsedAxes() & ~axis)) {
    AxisMask set = AxisMask(1) << other;
    given.push_back({set, shardings.chooseLoop(ruled, set), {}});
  }
  std::vector<Choice> choices;
  auto propose = [&](AxisUse use) {
    SmallVector<AxisUse> uses = given;
    uses.push_back(std::move(use));
    FailureOr<Candidate> candidate = deriveCandidate(mesh, ruled, uses);
    if (failed(candidate))
      return;
    Choice &choice = choices.emplace_back();
    choice.candidate = std::move(*candidate);
    for (unsigned operand = 0; operand < ruled.op->getNumOperands(); ++operand)
      choice.gradientPartial.push_back(
          getGradientPartial(ruled, uses, operand));
  };
  propose({axis, kNoLoop, {}});
  if (!rule.hasIndependentOperands()) {
    // The partitioner takes the preferred loop in place of a sum.
    int preferred = rule.getPreferredLoop();
    bool avoidsSums =
        preferred != kNoLoop &&
        rule.getLoops()[preferred].extent % mesh.getSize(axis) == 0;
    for (auto [loop, info] : llvm::enumerate(rule.getLoops()))
      if (info.kind != LoopKind::Unshardable &&
          !(avoidsSums && info.kind == LoopKind::Sum))
        propose({axis, static_cast<int>(loop), {}});
    for (ArrayRef<unsigned> passed : rule.getAdditive())
      propose({axis, kNoLoop, SmallVector<unsigned, 2>(passed)});
  }
  // Nothing that divides: replicated operands always do.
  if (choices.empty()) {
    Choice &choice = choices.emplace_back();
    choice.candidate = *deriveCandidate(mesh, ruled, {});
    choice.gradientPartial.resize(ruled.op->getNumOperands());
  }
  return choices;
}

/// Replicated over the axis, or with one dimension sharded over it; what is
/// sharded over it already stays so.
std::vector<FormSearch::Choice>
FormSearch::listChoices(BlockArgument argument) const {
  const Mesh &mesh = shardings.getMesh();
  ArrayRef<AxisList> given =
      shardings.getArgumentSplits()[argument.getArgNumber()];
  std::vector<Choice> choices;
  auto propose = [&](ArrayRef<AxisList> split) {
    choices.emplace_back().candidate.results.push_back(
        {Split(split.begin(), split.end())});
  };
  propose(given);
  if (getAxesOf(given) & axis)
    return choices;
  RankedTensorType type = getTensorType(argument);
  SmallVector<PartAttr> parts =
      getParts(shardings.getFunction().getArgAttrDict(argument.getArgNumber()));
  for (int64_t dim = 0; dim < type.getRank(); ++dim) {
    if (isPackedAlong(parts, dim))
      continue;
    Split split(given.begin(), given.end());
    split[dim].push_back(llvm::countr_zero(axis));
    if (type.getDimSize(dim) % mesh.getSize(split[dim]) == 0)
      propose(split);
  }
  return choices;
}

//===----------------------------------------------------------------------===//
// Decisions
//===----------------------------------------------------------------------===//

void FormSearch::decideOperations() {
  std::vector<const RuledOp *> ops = findDependent(shardings.getOps());
  DenseMap<Operation *, Operation *> alike = findAlikeOperations(ops);
  auto getDeciding = [&](Operation *op) {
    Operation *deciding = alike.lookup(op);
    return deciding ? deciding : op;
  };
  for (const RuledOp *ruled : ops) {
    if (getDeciding(ruled->op) != ruled->op)
      continue;
    std::vector<Choice> choices = listChoices(*ruled);
    unsigned variable = graph.addVariable(choices.size());
    decisionOfOp[ruled->op] = decisions.size();
    decisions.push_back({variable, 1, std::move(choices)});
  }
  for (const RuledOp *ruled : ops) {
    Operation *deciding = getDeciding(ruled->op);
    if (deciding == ruled->op)
      continue;
    unsigned decision = decisionOfOp.lookup(deciding);
    decisionOfOp[ruled->op] = decision;
    ++decisions[decision].count;
  }
  DenseSet<unsigned> priced;
  for (const RuledOp *ruled : ops)
    if (unsigned decision = decisionOfOp.lookup(ruled->op);
        priced.insert(decision).second)
      priceOperation(*ruled, decisions[decision]);
}

void FormSearch::decideArguments() {
  // Arguments that equal operations read at the same place decide alike.
  std::map<std::pair<const void *, std::vector<Use>>, unsigned> kinds;
  for (BlockArgument argument : shardings.getFunction().getArguments()) {
    std::vector<Use> uses;
    for (OpOperand &use : argument.getUses())
      if (auto found = decisionOfOp.find(use.getOwner());
          found != decisionOfOp.end())
        uses.push_back({found->second, use.getOperandNumber()});
    llvm::sort(uses);
    auto [kind, isNew] = kinds.try_emplace(
        {argument.getType().getAsOpaquePointer(), uses}, decisions.size());
    // A value that nothing reads decides nothing for others.
    if (!isNew && !uses.empty()) {
      ++decisions[kind->second].count;
      decisionOfArgument.push_back(kind->second);
      continue;
    }
    std::vector<Choice> choices = listChoices(argument);
    unsigned variable = graph.addVariable(choices.size());
    decisionOfArgument.push_back(decisions.size());
    decisions.push_back({variable, 1, std::move(choices)});
  }
  std::map<unsigned, BlockArgument> ofDecision;
  for (BlockArgument argument : shardings.getFunction().getArguments())
    ofDecision.try_emplace(decisionOfArgument[argument.getArgNumber()],
                           argument);
  for (const auto &decided : ofDecision)
    if (hasRole(decided.second, TensorRole::Param))
      priceUpdate(decided.first, getTensorType(decided.second));
}

//===----------------------------------------------------------------------===//
// Prices
//===----------------------------------------------------------------------===//

void FormSearch::priceUpdate(unsigned index, RankedTensorType type) {
  const Decision &decision = decisions[index];
  graph.add({decision.variable}, [&](ArrayRef<unsigned> chosen) {
    return static_cast<double>(decision.count) * kUpdatePasses *
           price.ofTouching(type, getMade(index, 0, chosen[0]).split);
  });
}

void FormSearch::priceOperation(const RuledOp &ruled,
                                const Decision &decision) {
  const Mesh &mesh = shardings.getMesh();
  auto gradients = llvm::count_if(ruled.op->getOperands(), [&](Value operand) {
    return active.contains(operand);
  });
  double computations = 1.0 + static_cast<double>(gradients);
  double passes = gradients ? 1.0 + kBackwardPasses : 1.0;
  graph.add({decision.variable}, [&](ArrayRef<unsigned> chosen) {
    const Candidate &candidate = decision.choices[chosen[0]].candidate;
    double touching = 0;
    for (auto [operand, form] :
         llvm::zip_equal(ruled.op->getOperands(), candidate.operands))
      touching += price.ofTouching(getTensorType(operand), form.split);
    for (auto [result, form] :
         llvm::zip_equal(ruled.op->getResults(), candidate.results))
      touching += price.ofTouching(getTensorType(result), form.split);
    LocalSeconds local = getLocalSeconds(ruled, candidate, mesh, price);
    double seconds =
        passes * touching + local.completing + computations * local.computing;
    return static_cast<double>(decision.count) * seconds;
  });
}

/// From the form in which a value is made to one in which it is read, and the
/// same for its gradient in the opposite direction. What is made as a partial
/// sum has a gradient that every rank needs completely.
double FormSearch::getMoveCost(Value value, const LocalForm &made,
                               const LocalForm &read,
                               AxisMask gradientPartial) const {
  RankedTensorType type = getTensorType(value);
  // A sum that is complete cannot become a partial one again.
  if (read.partial & ~made.partial)
    return kForbidden;
  if (read.partial && read.partialKind != made.partialKind)
    return kForbidden;
  double seconds = price.ofPlan(type, made, read);
  if (active.contains(value))
    seconds += price.ofPlan(type, {read.split, gradientPartial}, {made.split});
  return seconds;
}

void FormSearch::priceFlows() {
  std::map<FlowKey, std::pair<Value, int64_t>> flows;
  auto collect = [&](Value value, unsigned producer, unsigned result) {
    FlowKey key{producer, result, {}};
    for (OpOperand &use : value.getUses())
      if (auto found = decisionOfOp.find(use.getOwner());
          found != decisionOfOp.end())
        key.uses.push_back({found->second, use.getOperandNumber()});
    if (key.uses.empty())
      return;
    llvm::sort(key.uses);
    ++flows.try_emplace(std::move(key), value, 0).first->second.second;
  };
  for (BlockArgument argument : shardings.getFunction().getArguments())
    collect(argument, decisionOfArgument[argument.getArgNumber()], 0);
  for (const RuledOp &ruled : shardings.getOps())
    if (auto found = decisionOfOp.find(ruled.op); found != decisionOfOp.end())
      for (OpResult result : ruled.op->getResults())
        collect(result, found->second, result.getResultNumber());
  for (const auto &[key, flow] : flows)
    priceFlow(key, flow.first, static_cast<double>(flow.second));
}

namespace {
/// How a form of a value is read: not at all, or with a gradient that is
/// complete or a partial sum.
enum Version : unsigned { kUnread, kCompleteGradient, kPartialGradient };
} // namespace

/// A value that one operand reads is moved as the two decisions say. One that
/// several read is moved once for every form in which any of them reads it, and
/// its gradients in that form are added up before they are moved.
void FormSearch::priceFlow(const FlowKey &key, Value value, double count) {
  unsigned producer = decisions[key.producer].variable;
  // Batch arguments are fed as they are sharded.
  auto argument = dyn_cast<BlockArgument>(value);
  bool isFed = argument && hasRole(argument, TensorRole::Batch);
  auto getCost = [&](unsigned made, const LocalForm &read, AxisMask partial) {
    const LocalForm &from = getMade(key.producer, key.result, made);
    if (isFed && !(from == read))
      return kForbidden;
    return count * getMoveCost(value, from, read, partial);
  };
  auto getRead = [&](Use use, unsigned choice) -> const LocalForm & {
    return decisions[use.first].choices[choice].candidate.operands[use.second];
  };
  auto getPartial = [&](Use use, unsigned choice) {
    return decisions[use.first].choices[choice].gradientPartial[use.second];
  };

  if (key.uses.size() == 1) {
    Use use = key.uses.front();
    unsigned consumer = decisions[use.first].variable;
    if (consumer == producer)
      graph.add({producer}, [&](ArrayRef<unsigned> chosen) {
        return getCost(chosen[0], getRead(use, chosen[0]),
                       getPartial(use, chosen[0]));
      });
    else
      graph.add({producer, consumer}, [&](ArrayRef<unsigned> chosen) {
        return getCost(chosen[0], getRead(use, chosen[1]),
                       getPartial(use, chosen[1]));
      });
    return;
  }

  // Over other axes gradients are partial whatever is chosen here.
  std::vector<std::pair<LocalForm, AxisMask>> forms;
  for (Use use : key.uses)
    for (unsigned choice = 0; choice < decisions[use.first].choices.size();
         ++choice) {
      const LocalForm &form = getRead(use, choice);
      auto found = llvm::find_if(
          forms, [&](const auto &known) { return known.first == form; });
      if (found == forms.end())
        found = forms.insert(forms.end(), {form, 0});
      found->second |= getPartial(use, choice) & ~axis;
    }
  for (const auto &known : forms) {
    const LocalForm &form = known.first;
    AxisMask others = known.second;
    unsigned version = graph.addVariable(
        active.contains(value) ? kPartialGradient + 1 : kCompleteGradient + 1);
    graph.add({producer, version}, [&](ArrayRef<unsigned> chosen) {
      if (chosen[1] == kUnread)
        return 0.0;
      AxisMask partial = chosen[1] == kPartialGradient ? axis : 0;
      return getCost(chosen[0], form, others | partial);
    });
    for (Use use : key.uses)
      graph.add({decisions[use.first].variable, version},
                [&](ArrayRef<unsigned> chosen) {
                  if (!(getRead(use, chosen[0]) == form))
                    return 0.0;
                  bool partial = active.contains(value) &&
                                 (getPartial(use, chosen[0]) & axis);
                  unsigned least =
                      partial ? kPartialGradient : kCompleteGradient;
                  return chosen[1] < least ? kForbidden : 0.0;
                });
  }
}

/// Results are returned as the function says.
void FormSearch::priceResults() {
  Operation *terminator =
      shardings.getFunction().getBody().front().getTerminator();
  for (auto [value, wanted] : llvm::zip_equal(terminator->getOperands(),
                                              shardings.getResultSplits())) {
    auto result = dyn_cast<OpResult>(value);
    if (!result || !decisionOfOp.contains(result.getOwner()))
      continue;
    unsigned decision = decisionOfOp.lookup(result.getOwner());
    LocalForm read{Split(wanted)};
    graph.add({decisions[decision].variable}, [&](ArrayRef<unsigned> chosen) {
      return getMoveCost(result,
                         getMade(decision, result.getResultNumber(), chosen[0]),
                         read, 0);
    });
  }
}

//===----------------------------------------------------------------------===//
// Result
//===----------------------------------------------------------------------===//

std::optional<FormSearch::Result> FormSearch::find(bool alternatives) const {
  std::optional<CostGraph::Minimum> best = graph.minimize();
  if (!best)
    return std::nullopt;
  auto getSplit = [&](unsigned index, const CostGraph::Minimum &minimum) {
    const Decision &decision = decisions[decisionOfArgument[index]];
    return getMade(decisionOfArgument[index], 0,
                   minimum.choices[decision.variable])
        .split;
  };
  Result result;
  result.seconds = best->cost;
  for (const RuledOp &ruled : shardings.getOps())
    if (auto found = decisionOfOp.find(ruled.op); found != decisionOfOp.end())
      for (OpResult value : ruled.op->getResults()) {
        unsigned choice = best->choices[decisions[found->second].variable];
        const LocalForm &form =
            getMade(found->second, value.getResultNumber(), choice);
        if (getAxesOf(form.split) & axis)
          result.values[value] = form.split;
      }
  // Arguments that decide alike have the same alternative.
  std::map<unsigned, CostGraph::Minimum> others;
  for (unsigned index = 0; index < decisionOfArgument.size(); ++index) {
    ArgumentForm &form = result.arguments.emplace_back();
    form.split = getSplit(index, *best);
    unsigned variable = decisions[decisionOfArgument[index]].variable;
    if (!alternatives || graph.getNumChoices(variable) == 1)
      continue;
    auto [other, isNew] = others.try_emplace(variable);
    if (isNew) {
      CostGraph without = graph;
      without.add({variable}, [&](ArrayRef<unsigned> chosen) {
        return chosen[0] == best->choices[variable] ? kForbidden : 0.0;
      });
      // The structure is that of the graph, which was not too entangled.
      other->second = *without.minimize();
    }
    if (other->second.cost == kForbidden)
      continue;
    form.next = getSplit(index, other->second);
    form.nextSeconds = other->second.cost - best->cost;
  }
  return result;
}
