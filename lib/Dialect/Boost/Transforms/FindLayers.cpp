//===- FindLayers.cpp - boost-find-layers ---------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Divides the loss at the places where the residual stream alone carries it on,
// and makes layers of the stretches in between that repeat.
//
//===----------------------------------------------------------------------===//

#include "ForwardPass.h"
#include "LayerCheckpoints.h"

#include "boost-mlir/Analysis/Repetition.h"
#include "boost-mlir/Dialect/Boost/IR/Layers.h"
#include "boost-mlir/Dialect/Boost/Transforms/Passes.h"
#include "llvm/ADT/Hashing.h"

namespace mlir::boost {
#define GEN_PASS_DEF_FINDLAYERSPASS
#include "boost-mlir/Dialect/Boost/Transforms/Passes.h.inc"
} // namespace mlir::boost

using namespace mlir;
using namespace mlir::boost;

using OpSet = DenseSet<Operation *>;

/// Returns the operations that depend on the values where segments begin. Masks
/// do not, nor does a table that happens to be between two segments.
static OpSet findStream(const Activations &activations,
                        ArrayRef<Segment> segments) {
  OpSet stream;
  ArrayRef<Operation *> ops = activations.getOps();
  for (Segment segment : segments)
    stream.insert(ops[segment.begin - 1]);
  for (Operation *op : ops)
    if (llvm::any_of(getReadValues(op), [&](Value value) {
          return stream.contains(value.getDefiningOp());
        }))
      stream.insert(op);
  return stream;
}

/// Hashes the operations of a segment roughly: layers that differ in a mask or
/// in a width belong to different classes.
static size_t hashRoughly(ArrayRef<Operation *> ops, const OpSet &stream,
                          Segment segment) {
  llvm::hash_code hash = 0;
  for (Operation *op : ops.slice(segment.begin, segment.end - segment.begin)) {
    if (stream.contains(op) && isHeavy(op))
      hash = llvm::hash_combine(hash, op->getName().getAsOpaquePointer());
  }
  return hash;
}

//===----------------------------------------------------------------------===//
// Classes
//===----------------------------------------------------------------------===//

namespace {

/// Hashes what layers compute. Parameters and what comes from other layers
/// count by their types; constants, and what is made of them alone, by their
/// values.
class LayerHashes {
public:
  LayerHashes(ArrayRef<Operation *> ops, const OpSet &stream);

  size_t compute(Segment layer) const;

private:
  using Hashes = DenseMap<Operation *, size_t>;
  static llvm::hash_code hashOp(Operation *op, const Hashes &constants,
                                const Hashes &numbers);

  ArrayRef<Operation *> ops;
  const OpSet &stream;
  /// Hashes of operations that depend on constants alone.
  Hashes constants;
};

} // namespace

/// `numbers` are those of operations of the layer itself.
llvm::hash_code LayerHashes::hashOp(Operation *op, const Hashes &constants,
                                    const Hashes &numbers) {
  auto hashValue = [&](Value value) {
    Operation *producer = value.getDefiningOp();
    auto hash = llvm::hash_value(value.getType().getAsOpaquePointer());
    for (const Hashes *hashes : {&constants, &numbers})
      if (auto found = hashes->find(producer); found != hashes->end())
        hash = llvm::hash_combine(hash, found->second,
                                  cast<OpResult>(value).getResultNumber());
    return hash;
  };
  llvm::hash_code hash = 0;
  op->walk([&](Operation *nested) {
    hash = llvm::hash_combine(
        hash, OperationEquivalence::computeHash(
                  nested, hashValue, OperationEquivalence::ignoreHashValue,
                  OperationEquivalence::IgnoreLocations |
                      OperationEquivalence::IgnoreDiscardableAttrs));
  });
  return hash;
}

LayerHashes::LayerHashes(ArrayRef<Operation *> ops, const OpSet &stream)
    : ops(ops), stream(stream) {
  for (Operation *op : ops)
    if (!stream.contains(op) &&
        llvm::all_of(op->getOperands(), [&](Value value) {
          return constants.contains(value.getDefiningOp());
        }))
      constants[op] = hashOp(op, constants, Hashes());
}

size_t LayerHashes::compute(Segment layer) const {
  llvm::hash_code hash = 0;
  Hashes numbers;
  for (Operation *op : ops.slice(layer.begin, layer.end - layer.begin)) {
    if (!stream.contains(op))
      continue;
    hash = llvm::hash_combine(hash, hashOp(op, constants, numbers));
    numbers.try_emplace(op, numbers.size());
  }
  return hash;
}

//===----------------------------------------------------------------------===//
// Pass
//===----------------------------------------------------------------------===//

/// Slices of stacked parameters, masks and tables belong to the layer that
/// alone reads them.
static void followReaders(ArrayRef<Operation *> ops, const OpSet &stream) {
  for (Operation *op : llvm::reverse(ops)) {
    if (stream.contains(op) || op->use_empty())
      continue;
    auto layers = llvm::map_range(op->getUsers(), [&](Operation *user) {
      return getLayer(op->getBlock()->findAncestorOpInBlock(*user));
    });
    if (llvm::all_equal(layers))
      setLayerIfNone(op, *layers.begin());
  }
}

static void findLayers(func::FuncOp function) {
  Activations activations(function);
  ArrayRef<Operation *> ops = activations.getOps();
  SmallVector<Segment> segments = findSegments(activations);
  OpSet stream = findStream(activations, segments);
  auto kinds = llvm::map_to_vector(segments, [&](Segment segment) {
    return hashRoughly(ops, stream, segment);
  });
  LayerHashes hashes(ops, stream);
  DenseMap<size_t, int64_t> classes;
  for (auto [index, unit] : llvm::enumerate(findRepeatedUnits(kinds))) {
    Segment layer{segments[unit.begin].begin, segments[unit.end - 1].end};
    int64_t kind = classes.try_emplace(hashes.compute(layer), classes.size())
                       .first->second;
    auto attr = LayerAttr::get(function.getContext(), kind, index);
    for (Operation *op : ops.slice(layer.begin, layer.end - layer.begin))
      if (stream.contains(op))
        setLayerIfNone(op, attr);
  }
  followReaders(ops, stream);
}

namespace {
struct FindLayersPass : public boost::impl::FindLayersPassBase<FindLayersPass> {
  void runOnOperation() override {
    func::FuncOp function = getOperation();
    if (function.isExternal() || !llvm::hasSingleElement(function.getBody()))
      return;
    for (Operation &op : function.front())
      op.removeAttr(kLayerAttr);
    findLayers(function);
  }
};
} // namespace
