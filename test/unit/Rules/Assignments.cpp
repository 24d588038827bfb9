//===- Assignments.cpp - All legal ways to spread an operation ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Assignments.h"

#include "boost-mlir/Interfaces/ShardingRuleOpInterface.h"

using namespace mlir;
using namespace mlir::boost;
using namespace mlir::boost::test;

/// The use of one axis: one use, or one for each of several operands that share
/// no loops.
using Choice = SmallVector<AxisUse, 1>;

bool Assignment::isWhole() const {
  return llvm::all_of(uses, [](const AxisUse &use) {
    return use.loop == kNoLoop && use.passed.empty();
  });
}

bool Assignment::hasPartialOperands() const {
  return llvm::any_of(uses,
                      [](const AxisUse &use) { return !use.passed.empty(); });
}

std::string Assignment::describe(const Mesh &mesh) const {
  std::string text;
  for (const AxisUse &use : uses) {
    text += (text.empty() ? "" : ", ") + mesh.describe(use.axis) + ": ";
    if (use.loop != kNoLoop)
      text += "loop " + std::to_string(use.loop);
    else if (use.passed.empty())
      text += "nothing";
    else
      text += "partial";
    for (unsigned operand : use.passed)
      text += " " + std::to_string(operand);
  }
  return text;
}

RuledOp test::getRuled(Operation *op) {
  return {op, cast<ShardingRuleOpInterface>(op).getShardingRule(),
          Phase::Forward};
}

ArrayRef<Mesh> test::getMeshes() {
  static const Mesh meshes[] = {Mesh({"x"}, {2}), Mesh({"x", "y"}, {2, 2})};
  return meshes;
}

static bool mayBeSpread(const ShardingRule &rule, int loop) {
  return loop != kNoLoop && rule.getLoops()[loop].kind != LoopKind::Unshardable;
}

/// Operands that share no loops: a loop of each, or none.
static SmallVector<Choice> listIndependent(const RuledOp &ruled,
                                           AxisMask axis) {
  SmallVector<Choice> choices = {{}};
  for (const DimLoops &loops : ruled.rule.getOperands()) {
    SmallVector<Choice> longer = choices;
    for (const Choice &choice : choices)
      for (int loop : loops)
        if (mayBeSpread(ruled.rule, loop)) {
          longer.push_back(choice);
          longer.back().push_back({axis, loop, {}});
        }
    choices = longer;
  }
  choices.front().push_back({axis, kNoLoop, {}});
  return choices;
}

static SmallVector<Choice> listChoices(const RuledOp &ruled, AxisMask axis) {
  if (ruled.rule.hasIndependentOperands())
    return listIndependent(ruled, axis);
  SmallVector<Choice> choices = {{{axis, kNoLoop, {}}}};
  for (int loop = 0, e = ruled.rule.getLoops().size(); loop < e; ++loop)
    if (mayBeSpread(ruled.rule, loop))
      choices.push_back({{axis, loop, {}}});
  for (ArrayRef<unsigned> group : ruled.rule.getAdditive()) {
    SmallVector<unsigned, 2> passed;
    for (unsigned index : group)
      if (!isZeroConstant(ruled.op->getOperand(index)))
        passed.push_back(index);
    bool areArguments = llvm::all_of(passed, [&](unsigned index) {
      return isa<BlockArgument>(ruled.op->getOperand(index));
    });
    if (!passed.empty() && areArguments)
      choices.push_back({{axis, kNoLoop, passed}});
  }
  return choices;
}

/// Returns true if two axes are used for one loop, so that their order matters.
static bool sharesLoop(ArrayRef<AxisUse> uses) {
  return llvm::any_of(uses, [&](const AxisUse &use) {
    return use.loop != kNoLoop && llvm::any_of(uses, [&](const AxisUse &other) {
             return other.loop == use.loop && other.axis != use.axis;
           });
  });
}

std::vector<Assignment> test::enumerateAssignments(const Mesh &mesh,
                                                   const RuledOp &ruled) {
  std::vector<SmallVector<AxisUse>> combinations = {{}};
  for (int16_t index : mesh.getAxes(mesh.getUsedAxes())) {
    std::vector<SmallVector<AxisUse>> longer;
    for (const SmallVector<AxisUse> &uses : combinations)
      for (const Choice &choice : listChoices(ruled, AxisMask(1) << index)) {
        longer.push_back(uses);
        llvm::append_range(longer.back(), choice);
      }
    combinations = std::move(longer);
  }
  for (size_t i = 0, count = combinations.size(); i < count; ++i)
    if (sharesLoop(combinations[i]))
      combinations.push_back(
          SmallVector<AxisUse>(llvm::reverse(combinations[i])));
  std::vector<Assignment> assignments;
  for (const SmallVector<AxisUse> &uses : combinations)
    if (FailureOr<Candidate> candidate = deriveCandidate(mesh, ruled, uses);
        succeeded(candidate))
      assignments.push_back({uses, *candidate});
  return assignments;
}
