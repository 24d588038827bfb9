//===- AnnotateComponents.cpp - Which part of the model an operation is in
//---===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Marks the ends of the model (embedding, head, loss) first; what lies between
// them is the blocks, and what hangs off the side follows its users.
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/Dialect/Boost/IR/Boost.h"
#include "boost-mlir/Dialect/Boost/Transforms/Passes.h"
#include "boost-mlir/Dialect/StableHLO/IR/StableHLO.h"
#include "llvm/ADT/SetVector.h"

namespace mlir::boost {
#define GEN_PASS_DEF_ANNOTATECOMPONENTSPASS
#include "boost-mlir/Dialect/Boost/Transforms/Passes.h.inc"
} // namespace mlir::boost

using namespace mlir;
using namespace mlir::boost;

static StringRef getComponent(Operation *op) {
  auto attr = op->getAttrOfType<StringAttr>(kComponentAttr);
  return attr ? attr.getValue() : StringRef();
}

static void setComponent(Operation *op, StringRef component) {
  op->setAttr(kComponentAttr, StringAttr::get(op->getContext(), component));
}

/// Everything that depends on the results of `roots`, the roots included.
static SetVector<Operation *> getDependents(ArrayRef<Operation *> roots) {
  SetVector<Operation *> reached(roots.begin(), roots.end());
  for (size_t i = 0; i < reached.size(); ++i)
    for (Operation *user : reached[i]->getUsers())
      reached.insert(user);
  return reached;
}

/// Operands through which the logits are followed back to their linear: those
/// with as many elements as the result.
static bool carriesElements(Operation *op, Value operand) {
  auto in = dyn_cast<ShapedType>(operand.getType());
  auto out = dyn_cast<ShapedType>(op->getResult(0).getType());
  return in && out && in.getNumElements() == out.getNumElements();
}

/// Operations that change the logits element by element or only their shape.
static bool isPassThrough(Operation *op) {
  return op->hasTrait<OpTrait::Elementwise>() ||
         isa<stablehlo::ReshapeOp, stablehlo::TransposeOp>(op);
}

/// Marks the linear that `logits` come from and what stands between, and
/// returns the linear; null, with nothing marked, if there is none.
static LinearOp markHead(Value logits) {
  SmallVector<Operation *> between;
  SmallVector<Value> worklist{logits};
  DenseSet<Operation *> seen;
  LinearOp head;
  while (!worklist.empty()) {
    Operation *def = worklist.pop_back_val().getDefiningOp();
    if (!def || !seen.insert(def).second)
      continue;
    if (auto linear = dyn_cast<LinearOp>(def)) {
      head = linear;
      between.push_back(def);
      continue;
    }
    if (!isPassThrough(def))
      continue;
    between.push_back(def);
    for (Value operand : def->getOperands())
      if (carriesElements(def, operand))
        worklist.push_back(operand);
  }
  if (!head)
    return head;
  // The loss works on parts of the vocabulary.
  head.setShardOutput(true);
  for (Operation *op : between)
    setComponent(op, kHeadComponent);
  return head;
}

/// Marks the norm before the head linear if only the head reads it.
static void markHeadNorm(LinearOp head) {
  SmallVector<Operation *> between;
  Operation *def = head.getInput().getDefiningOp();
  auto onlyHeadReads = [&](Operation *op) {
    return llvm::all_of(op->getUsers(), [&](Operation *user) {
      return getComponent(user) == kHeadComponent ||
             llvm::is_contained(between, user);
    });
  };
  while (def && onlyHeadReads(def) && isPassThrough(def) &&
         carriesElements(def, def->getOperand(0))) {
    between.push_back(def);
    def = def->getOperand(0).getDefiningOp();
  }
  if (!isa_and_nonnull<LayerNormOp, RMSNormOp>(def) || !onlyHeadReads(def))
    return;
  setComponent(def, kHeadComponent);
  for (Operation *op : between)
    setComponent(op, kHeadComponent);
}

/// Marks `op`, which depends on no embedding, as its users are marked.
static void followUsers(Operation *op) {
  StringRef component;
  for (Operation *user : op->getUsers()) {
    StringRef next = getComponent(user);
    if (next.empty())
      continue;
    if (!component.empty() && component != next)
      return setComponent(op, kBlockComponent);
    component = next;
  }
  setComponent(op, component.empty() ? StringRef(kBlockComponent) : component);
}

namespace {
struct AnnotateComponents
    : public mlir::boost::impl::AnnotateComponentsPassBase<AnnotateComponents> {
  void runOnOperation() override {
    func::FuncOp func = getOperation();
    if (func.isExternal())
      return;
    SmallVector<Operation *> embeddings, losses, body;
    for (Operation &op : func.getOps()) {
      if (op.hasTrait<OpTrait::IsTerminator>())
        continue;
      op.removeAttr(kComponentAttr);
      body.push_back(&op);
      if (isa<EmbeddingOp>(op))
        embeddings.push_back(&op);
      if (isa<CrossEntropyOp>(op))
        losses.push_back(&op);
    }

    for (Operation *op : getDependents(losses))
      if (!op->hasTrait<OpTrait::IsTerminator>())
        setComponent(op, kLossComponent);
    for (Operation *op : losses)
      if (LinearOp head = markHead(cast<CrossEntropyOp>(op).getLogits()))
        markHeadNorm(head);
    for (Operation *op : embeddings)
      setComponent(op, kEmbeddingComponent);

    SetVector<Operation *> activations = getDependents(embeddings);
    for (Operation *op : llvm::reverse(body)) {
      if (!getComponent(op).empty() || op->hasTrait<OpTrait::ConstantLike>())
        continue;
      if (activations.contains(op))
        setComponent(op, kBlockComponent);
      else
        followUsers(op);
    }
  }
};
} // namespace
