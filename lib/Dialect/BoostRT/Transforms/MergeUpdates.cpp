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
#include "mlir/Dialect/Tensor/IR/Tensor.h"

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

/// The groups of one function.
class Groups {
public:
  explicit Groups(func::FuncOp function);

  /// Adds `update` to the newest group of its kind, or to a new one.
  void add(AdamWOp update);

  ArrayRef<Group> get() const { return groups; }

private:
  bool canMoveUp(AdamWOp update, AdamWOp first) const;

  SmallVector<Group> groups;
  /// The properties that all updates of one call share, and the index of the
  /// newest group with these. Parameters of one call may differ in their decay.
  using Kind = std::tuple<Block *, Type, Type, Type, DictionaryAttr>;
  DenseMap<std::pair<Kind, SmallVector<Value>>, size_t> newest;
  /// Every value that some update overwrites.
  DenseSet<Value> overwritten;
};
} // namespace

Groups::Groups(func::FuncOp function) {
  function.walk(
      [&](AdamWOp update) { overwritten.insert_range(update.getOuts()); });
}

/// Returns true if all operands of `update` are defined before `first`, no
/// later operation reads the memory that it overwrites, and none overwrites the
/// memory that it reads: otherwise values would have to be copied.
bool Groups::canMoveUp(AdamWOp update, AdamWOp first) const {
  Block *block = first->getBlock();
  for (Value operand : update->getOperands()) {
    Operation *producer = operand.getDefiningOp();
    if (producer && !isa<tensor::EmptyOp>(producer) &&
        !producer->isBeforeInBlock(first))
      return false;
  }
  for (Value grad : update.getGrads())
    if (overwritten.contains(grad))
      return false;
  for (Value out : update.getOuts()) {
    // What is only written has no reader yet.
    if (out.getDefiningOp<tensor::EmptyOp>())
      continue;
    for (Operation *user : out.getUsers()) {
      // The user may stand in the body of a kernel.
      Operation *at = block->findAncestorOpInBlock(*user);
      if (at != update && !at->isBeforeInBlock(first))
        return false;
    }
  }
  return true;
}

/// Adds an update to the newest group of its kind, or to a new one. An update
/// that cannot move up to the newest group cannot move to earlier ones either.
void Groups::add(AdamWOp update) {
  Kind kind(update->getBlock(), getElementTypeOrSelf(update.getParam(0)),
            getElementTypeOrSelf(update.getGrads()[0]),
            update.writesRounded() ? getElementTypeOrSelf(update.getRounded(0))
                                   : Type(),
            update->getDiscardableAttrDictionary());
  SmallVector<Value> numbers(update.getNumbers());
  auto [it, isNew] = newest.try_emplace({kind, numbers}, groups.size());
  if (!isNew) {
    Group &group = groups[it->second];
    if (group.tensors + update.getGrads().size() <= BOOST_RT_MAX_UPDATES &&
        canMoveUp(update, group.getFirst()))
      return group.add(update);
    it->second = groups.size();
  }
  groups.emplace_back().add(update);
}

static void merge(const Group &group) {
  AdamWOp first = group.getFirst();
  SmallVector<Value> grads, outs;
  SmallVector<bool> decays;
  OpBuilder builder(first);
  for (AdamWOp update : group.updates) {
    llvm::append_range(grads, update.getGrads());
    for (Value out : update.getOuts()) {
      auto empty = out.getDefiningOp<tensor::EmptyOp>();
      outs.push_back(empty ? builder.clone(*empty)->getResult(0) : out);
    }
    llvm::append_range(decays, update.getDecays());
  }
  auto merged = AdamWOp::create(
      builder, first.getLoc(), ValueRange(outs).getTypes(), grads,
      first.getNumbers(), outs, builder.getDenseBoolArrayAttr(decays));
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
    Groups groups(getOperation());
    for (Block &block : getOperation().getBody())
      for (auto update : block.getOps<AdamWOp>())
        if (update->getNumResults() != 0)
          groups.add(update);
    for (const Group &group : groups.get())
      if (group.updates.size() > 1)
        merge(group);
  }
};

} // namespace
