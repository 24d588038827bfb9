//===- Rematerialize.cpp - boost-rematerialize ----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Computes forward values again in the backward pass, just before they are
// read, so that less is kept in between. KeptValues.cpp decides what is kept.
//
//===----------------------------------------------------------------------===//

#include "KeptValues.h"

#include "boost-mlir/Dialect/Boost/IR/Layers.h"
#include "boost-mlir/Dialect/Boost/IR/Rematerialization.h"
#include "boost-mlir/Dialect/Boost/Transforms/Passes.h"
#include "boost-mlir/Dialect/StableHLO/IR/StableHLO.h"
#include "mlir/IR/IRMapping.h"

namespace mlir::boost {
#define GEN_PASS_DEF_REMATERIALIZEPASS
#include "boost-mlir/Dialect/Boost/Transforms/Passes.h.inc"
} // namespace mlir::boost

using namespace mlir;
using namespace mlir::boost;

//===----------------------------------------------------------------------===//
// Recomputation
//===----------------------------------------------------------------------===//

namespace {
/// Redirects the backward pass of one function to recomputed values.
class Recomputation {
public:
  Recomputation(const ForwardPass &forward, const KeptValues &kept)
      : forward(forward), kept(kept),
        builder(forward.getBackward().getContext()) {}

  void run();

private:
  bool isRecomputed(Value value) const {
    return forward.defines(value) && !forward.isWeightless(value) &&
           !kept.contains(value);
  }
  void recompute(Value value);
  void clone(Operation *op);
  Value getProtected(Value value, Operation *reader);

  const ForwardPass &forward;
  const KeptValues &kept;
  OpBuilder builder;
  DenseMap<Value, Value> again, barriers;
  /// Recomputed values that depend on one behind a barrier.
  DenseSet<Value> distinct;
};
} // namespace

/// The value behind a barrier, without which common subexpression elimination
/// would undo the recomputation.
Value Recomputation::getProtected(Value value, Operation *reader) {
  Value &behind = barriers[value];
  if (behind)
    return behind;
  auto barrier = stablehlo::OptimizationBarrierOp::create(
      builder, value.getLoc(), value.getType(), value);
  setLayerIfNone(barrier, getLayer(reader));
  return behind = barrier->getResult(0);
}

/// Clones an operation for the backward pass. A clone that depends on constants
/// only, and on nothing behind a barrier, is not marked: CSE merges it with the
/// original.
void Recomputation::clone(Operation *op) {
  IRMapping mapping;
  SetVector<Value> reads = getReadValues(op);
  bool isProtected = false, isDistinct = false;
  for (Value value : reads) {
    if (!isRecomputed(value) && !kept.contains(value))
      continue;
    Value replacement =
        isRecomputed(value) ? again.lookup(value) : getProtected(value, op);
    mapping.map(value, replacement);
    isProtected = true;
    isDistinct |= kept.contains(value) || distinct.contains(replacement);
  }
  if (!isProtected)
    for (Value value : reads)
      if (isa<BlockArgument>(value)) {
        mapping.map(value, getProtected(value, op));
        isDistinct = true;
      }
  Operation *copy = builder.clone(*op, mapping);
  if (isDistinct)
    copy->setAttr(kRecomputedAttr, builder.getUnitAttr());
  for (auto [old, result] :
       llvm::zip_equal(op->getResults(), copy->getResults())) {
    again[old] = result;
    if (isDistinct)
      distinct.insert(result);
  }
}

/// Clones what `value` is computed from, as far as it is not there yet, in
/// program order.
void Recomputation::recompute(Value value) {
  SetVector<Operation *> needed;
  auto need = [&](Value each) {
    if (isRecomputed(each) && !again.contains(each))
      needed.insert(each.getDefiningOp());
  };
  need(value);
  for (size_t i = 0; i < needed.size(); ++i)
    for (Value each : getReadValues(needed[i]))
      need(each);
  auto sorted = needed.takeVector();
  llvm::sort(sorted, [&](Operation *a, Operation *b) {
    return forward.getPosition(a) < forward.getPosition(b);
  });
  for (Operation *op : sorted)
    clone(op);
}

void Recomputation::run() {
  for (Operation *op : forward.getReaders()) {
    builder.setInsertionPoint(op);
    for (Value value : getReadValues(op)) {
      if (!isRecomputed(value))
        continue;
      recompute(value);
      value.replaceUsesWithIf(again.lookup(value), [&](OpOperand &use) {
        return op->isAncestor(use.getOwner());
      });
    }
  }
}

//===----------------------------------------------------------------------===//
// Pass
//===----------------------------------------------------------------------===//

static RecomputeClasses operator|(RecomputeClass a, RecomputeClass b) {
  return static_cast<RecomputeClasses>(a) | static_cast<RecomputeClasses>(b);
}
static RecomputeClasses operator|(RecomputeClasses a, RecomputeClass b) {
  return a | static_cast<RecomputeClasses>(b);
}

/// Returns the classes that a mode recomputes.
static RecomputeClasses getClasses(RematKind mode) {
  RecomputeClasses lowRank = RecomputeClass::Elementwise |
                             RecomputeClass::UpProjection |
                             RecomputeClass::Attention;
  switch (mode) {
  case RematKind::None:
    return 0;
  case RematKind::LowRank:
    return lowRank;
  case RematKind::FullBlock:
    return lowRank | RecomputeClass::DownProjection |
           RecomputeClass::Collective;
  }
  llvm_unreachable("unknown mode");
}

static RecomputeClasses join(ArrayRef<RecomputeClass> classes) {
  RecomputeClasses all = 0;
  for (RecomputeClass each : classes)
    all = all | each;
  return all;
}

/// Says what is kept, at the operations that make it.
static void explainKept(const ForwardPass &forward, const KeptValues &kept) {
  for (Value value : kept.getValues()) {
    int64_t layer = forward.getLayer(value);
    InFlightDiagnostic remark = emitRemark(value.getLoc());
    if (layer >= 1 && layer <= forward.getNumLayers())
      remark << "layer " << layer << " keeps ";
    else
      remark << "outside the layers, keeps ";
    remark << KeptValues::getBytes(value)
           << " bytes for the backward pass: " << value.getType() << " of '"
           << value.getDefiningOp()->getName() << "'";
  }
}

/// Bytes outside the layers, then of each layer.
static void recordKept(func::FuncOp function, const ForwardPass &forward,
                       const KeptValues &kept) {
  SmallVector<int64_t> bytes(forward.getNumLayers() + 1);
  for (Value value : kept.getValues()) {
    int64_t layer = forward.getLayer(value);
    bytes[layer <= forward.getNumLayers() ? layer : 0] +=
        KeptValues::getBytes(value);
  }
  function->setAttr(kKeptBytesAttr,
                    DenseI64ArrayAttr::get(function.getContext(), bytes));
}

namespace {
struct RematerializePass
    : public boost::impl::RematerializePassBase<RematerializePass> {
  using RematerializePassBase::RematerializePassBase;

  void runOnOperation() override {
    func::FuncOp function = getOperation();
    ForwardPass forward(function);
    if (!forward.hasBackward())
      return;
    RecomputeClasses classes =
        recompute.empty() ? getClasses(mode) : join(*recompute);
    KeptValues kept(forward, RecomputeRules{classes, layers, join(*others)});
    if (explain)
      explainKept(forward, kept);
    recordKept(function, forward, kept);
    Recomputation(forward, kept).run();
  }
};
} // namespace
