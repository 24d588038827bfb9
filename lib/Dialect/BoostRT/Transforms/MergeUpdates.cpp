//===- MergeUpdates.cpp - One call of AdamW for several tensors -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Implements boostrt-merge-updates, on tensors. An update that cannot join the
// ones before it begins a call of its own.
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/Dialect/BoostRT/IR/BoostRT.h"
#include "boost-mlir/Dialect/BoostRT/Transforms/Passes.h"
#include "boost-runtime/Runtime.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::boost::rt {
#define GEN_PASS_DEF_MERGEUPDATESPASS
#include "boost-mlir/Dialect/BoostRT/Transforms/Passes.h.inc"
} // namespace mlir::boost::rt

using namespace mlir;
using namespace mlir::boost::rt;

namespace {
/// Updates that become one, in the order of the program.
struct Group {
  SmallVector<AdamWOp> updates;
  size_t tensors = 0;

  AdamWOp getFirst() const { return updates.front(); }
  void add(AdamWOp update) {
    updates.push_back(update);
    tensors += update.getGrads().size();
  }
};
} // namespace

/// Returns true if one call can do both updates, also if only one of them
/// decays.
static bool haveSameNumbers(AdamWOp a, AdamWOp b) {
  return getElementTypeOrSelf(a.getParam(0)) ==
             getElementTypeOrSelf(b.getParam(0)) &&
         getElementTypeOrSelf(a.getGrads()[0]) ==
             getElementTypeOrSelf(b.getGrads()[0]) &&
         a.getLr() == b.getLr() && a.getStep() == b.getStep() &&
         a.getGradScale() == b.getGradScale() && a.getBeta1() == b.getBeta1() &&
         a.getBeta2() == b.getBeta2() && a.getEps() == b.getEps() &&
         a.getWeightDecay() == b.getWeightDecay() &&
         a->getDiscardableAttrDictionary() == b->getDiscardableAttrDictionary();
}

/// Returns true if all operands of `update` are defined before `first`, no
/// later operation reads the memory that it overwrites, and none overwrites the
/// memory that it reads: otherwise values would have to be copied.
static bool canMoveUp(AdamWOp update, AdamWOp first) {
  Block *block = first->getBlock();
  for (Value operand : update->getOperands()) {
    Operation *producer = operand.getDefiningOp();
    if (producer && !producer->isBeforeInBlock(first))
      return false;
  }
  for (Value grad : update.getGrads())
    for (Operation *user : grad.getUsers())
      if (auto other = dyn_cast<AdamWOp>(user);
          other && llvm::is_contained(other.getOuts(), grad))
        return false;
  for (Value out : update.getOuts())
    for (Operation *user : out.getUsers()) {
      // The user may stand in the body of a kernel.
      Operation *at = block->findAncestorOpInBlock(*user);
      if (at != update && !at->isBeforeInBlock(first))
        return false;
    }
  return true;
}

/// The newest group that `update` can join, or null. Groups are in the order of
/// the program: what cannot move up to one cannot move up to those before it.
static Group *findGroup(MutableArrayRef<Group> groups, AdamWOp update) {
  for (Group &group : llvm::reverse(groups)) {
    AdamWOp first = group.getFirst();
    if (first->getBlock() != update->getBlock() || !canMoveUp(update, first))
      return nullptr;
    if (group.tensors + update.getGrads().size() <= BOOST_RT_MAX_UPDATES &&
        haveSameNumbers(first, update))
      return &group;
  }
  return nullptr;
}

static void merge(const Group &group) {
  AdamWOp first = group.getFirst();
  SmallVector<Value> grads, outs;
  SmallVector<bool> decays;
  for (AdamWOp update : group.updates) {
    llvm::append_range(grads, update.getGrads());
    llvm::append_range(outs, update.getOuts());
    llvm::append_range(decays, update.getDecays());
  }
  OpBuilder builder(first);
  auto merged = AdamWOp::create(
      builder, first.getLoc(), ValueRange(outs).getTypes(), grads,
      first.getLr(), first.getStep(), first.getGradScale(), first.getBeta1(),
      first.getBeta2(), first.getEps(), first.getWeightDecay(), outs,
      builder.getDenseBoolArrayAttr(decays));
  merged->setDiscardableAttrs(first->getDiscardableAttrDictionary());
  ResultRange results = merged->getResults();
  for (AdamWOp update : group.updates) {
    update->replaceAllUsesWith(results.take_front(update->getNumResults()));
    results = results.drop_front(update->getNumResults());
    update->erase();
  }
}

namespace {

struct MergeUpdatesPass
    : boost::rt::impl::MergeUpdatesPassBase<MergeUpdatesPass> {
  void runOnOperation() override {
    SmallVector<Group> groups;
    for (Block &block : getOperation().getBody())
      for (auto update : block.getOps<AdamWOp>()) {
        if (update->getNumResults() == 0)
          continue;
        Group *open = findGroup(groups, update);
        (open ? *open : groups.emplace_back()).add(update);
      }
    for (const Group &group : groups)
      if (group.updates.size() > 1)
        merge(group);
  }
};

} // namespace
