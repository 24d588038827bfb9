//===- ShortenLayers.cpp - boost-shorten-layers ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Takes repetitions out of a loss whose layers repeat. What such a program
// costs for two and for three repetitions says what it costs for any number.
//
//===----------------------------------------------------------------------===//

#include "ForwardPass.h"

#include "boost-mlir/Dialect/Boost/IR/Layers.h"
#include "boost-mlir/Dialect/Boost/Transforms/Passes.h"
#include "llvm/ADT/BitVector.h"

#include <map>

namespace mlir::boost {
#define GEN_PASS_DEF_SHORTENLAYERSPASS
#include "boost-mlir/Dialect/Boost/Transforms/Passes.h.inc"
} // namespace mlir::boost

using namespace mlir;
using namespace mlir::boost;

namespace {

/// `count` equal sequences of `period` layers one behind the other.
struct Repetitions {
  size_t begin = 0, period = 0, count = 0;
};

/// The layers of a function in order.
struct LayerOps {
  SmallVector<int64_t> kinds;
  SmallVector<SmallVector<Operation *>> ops;
};

} // namespace

static LayerOps collectLayers(func::FuncOp function) {
  std::map<int64_t, std::pair<int64_t, SmallVector<Operation *>>> found;
  for (Operation &op : function.front())
    if (LayerAttr layer = getLayer(&op)) {
      auto &[kind, ops] = found[layer.getIndex()];
      kind = layer.getKind();
      ops.push_back(&op);
    }
  LayerOps layers;
  for (auto &[index, layer] : found) {
    layers.kinds.push_back(layer.first);
    layers.ops.push_back(std::move(layer.second));
  }
  return layers;
}

/// The sequence of which repetitions make up most layers; of several, the one
/// of the shortest period.
static Repetitions findRepetitions(ArrayRef<int64_t> kinds) {
  Repetitions best;
  for (size_t period = 1; 2 * period <= kinds.size(); ++period)
    for (size_t begin = 0; begin + 2 * period <= kinds.size();) {
      size_t end = begin + period;
      while (end < kinds.size() && kinds[end] == kinds[end - period])
        ++end;
      size_t count = (end - begin) / period;
      if (count > 1 && count * period > best.count * best.period)
        best = {begin, period, count};
      begin = end - period + 1;
    }
  return best;
}

static bool areAlike(ArrayRef<Operation *> ops, ArrayRef<Operation *> others) {
  return ops.size() == others.size() &&
         llvm::all_of_zip(ops, others, [](Operation *op, Operation *other) {
           return op->getName() == other->getName() &&
                  op->getResultTypes() == other->getResultTypes();
         });
}

/// Makes what reads layers [begin, end) from outside read the layers `shift`
/// before them. False, with nothing changed, if some of these are not alike.
static bool redirectReaders(const LayerOps &layers, size_t begin, size_t end,
                            size_t shift) {
  DenseSet<Operation *> dropped;
  for (size_t layer = begin; layer < end; ++layer)
    dropped.insert_range(layers.ops[layer]);
  SmallVector<std::pair<Value, Value>> replacements;
  auto isOutside = [&](OpOperand &use) {
    Block *body = use.get().getParentBlock();
    return !dropped.contains(body->findAncestorOpInBlock(*use.getOwner()));
  };
  for (size_t layer = begin; layer < end; ++layer)
    for (auto [position, op] : llvm::enumerate(layers.ops[layer]))
      for (OpResult result : op->getResults()) {
        if (llvm::none_of(result.getUses(), isOutside))
          continue;
        if (layer < shift ||
            !areAlike(layers.ops[layer], layers.ops[layer - shift]))
          return false;
        replacements.emplace_back(
            result, layers.ops[layer - shift][position]->getResult(
                        result.getResultNumber()));
      }
  for (auto [value, earlier] : replacements)
    value.replaceUsesWithIf(earlier, isOutside);
  return true;
}

/// Erases the arguments that only `ops` have read, and `ops`.
static void eraseWithArguments(func::FuncOp function,
                               ArrayRef<Operation *> ops) {
  DenseSet<Value> read;
  for (Operation *op : ops)
    read.insert_range(getReadValues(op));
  for (Operation *op : llvm::reverse(ops))
    op->erase();
  llvm::BitVector unused(function.getNumArguments());
  for (BlockArgument argument : function.getArguments())
    if (argument.use_empty() && read.contains(argument))
      unused.set(argument.getArgNumber());
  [[maybe_unused]] LogicalResult erased = function.eraseArguments(unused);
  assert(succeeded(erased) && "arguments without uses can be erased");
}

namespace {
struct ShortenLayersPass
    : public boost::impl::ShortenLayersPassBase<ShortenLayersPass> {
  using Base::Base;

  void runOnOperation() override {
    func::FuncOp function = getOperation();
    if (function.isExternal() || !llvm::hasSingleElement(function.getBody()))
      return;
    if (repetitions < 1) {
      function.emitOpError() << "expects to keep 1 repetition or more, but got "
                             << repetitions.getValue();
      return signalPassFailure();
    }
    LayerOps layers = collectLayers(function);
    Repetitions found = findRepetitions(layers.kinds);
    size_t kept = repetitions;
    if (found.count <= kept)
      return;
    size_t begin = found.begin + kept * found.period;
    size_t end = found.begin + found.count * found.period;
    if (!redirectReaders(layers, begin, end, end - begin))
      return;
    SmallVector<Operation *> dropped;
    for (size_t layer = begin; layer < end; ++layer)
      llvm::append_range(dropped, layers.ops[layer]);
    llvm::sort(dropped, [](Operation *a, Operation *b) {
      return a->isBeforeInBlock(b);
    });
    eraseWithArguments(function, dropped);
    for (size_t layer = end; layer < layers.ops.size(); ++layer)
      for (Operation *op : layers.ops[layer])
        op->setDiscardableAttr(
            kLayerAttr, LayerAttr::get(&getContext(), layers.kinds[layer],
                                       layer - (end - begin)));
    function->setAttr(kRepetitionsAttr,
                      OpBuilder(function).getI64IntegerAttr(found.count));
  }
};
} // namespace
