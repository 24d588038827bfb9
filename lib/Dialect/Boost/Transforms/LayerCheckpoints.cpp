//===- LayerCheckpoints.cpp - Where layers may begin and end --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The residual stream is recognized by its type: that of values to which what
// products make of them is added several times, and that divides the loss most.
// Latents that are handed on beside it have another type. What only products
// read, as they do the output of an encoder, is no part of it.
//
//===----------------------------------------------------------------------===//

#include "LayerCheckpoints.h"

#include "ForwardPass.h"

#include "boost-mlir/Dialect/StableHLO/IR/StableHLO.h"
#include "llvm/ADT/MapVector.h"
#include <map>

using namespace mlir;
using namespace mlir::boost;

/// The number of types of streams that are tried.
static constexpr size_t kMostTypes = 8;

//===----------------------------------------------------------------------===//
// Activations
//===----------------------------------------------------------------------===//

/// Returns true if computing the results costs at most a pass over the
/// arguments.
static bool isLight(Operation *op) {
  return op->hasTrait<OpTrait::ConstantLike>() ||
         (getRecomputeClass(op) == RecomputeClass::Elementwise &&
          !isa<EmbeddingOp, stablehlo::GatherOp>(op));
}

Activations::Activations(func::FuncOp function) {
  for (Operation &op : function.front().without_terminator()) {
    positions[&op] = ops.size();
    ops.push_back(&op);
  }
  heavyBefore.push_back(0);
  for (auto [position, op] : llvm::enumerate(ops)) {
    bool isActive = !isLight(op);
    for (Value value : getReadValues(op)) {
      lastReads[value] = position;
      isActive |= active.contains(value.getDefiningOp());
    }
    if (isActive)
      active.insert(op);
    heavyBefore.push_back(heavyBefore.back() + isHeavy(op));
  }
  for (Value value : function.front().getTerminator()->getOperands())
    lastReads[value] = ops.size();
}

bool mlir::boost::isHeavy(Operation *op) {
  return isa<LinearOp, BottleneckOp, AttentionOp, stablehlo::DotGeneralOp>(op);
}

//===----------------------------------------------------------------------===//
// The residual stream
//===----------------------------------------------------------------------===//

/// Returns true if `op` adds to an activation that products have read before,
/// as a residual connection does.
static bool isResidualAdd(Operation *op, const Activations &activations) {
  auto add = dyn_cast<stablehlo::AddOp>(op);
  if (!add)
    return false;
  Operation *lhs = add.getLhs().getDefiningOp();
  Operation *rhs = add.getRhs().getDefiningOp();
  if (!activations.contains(lhs) || !activations.contains(rhs))
    return false;
  auto isReadBetween = [&](Operation *skip, Operation *added) {
    int64_t end = activations.getPosition(added);
    return activations.hasHeavy(activations.getPosition(skip) + 1, end + 1) &&
           llvm::any_of(skip->getUsers(), [&](Operation *user) {
             return user != op && activations.getPosition(user) <= end;
           });
  };
  return isReadBetween(lhs, rhs) || isReadBetween(rhs, lhs);
}

static int64_t countBits(RankedTensorType type) {
  return type.getNumElements() * type.getElementTypeBitWidth();
}

/// The types that the residual stream may be of, the largest first; null alone
/// if there is none.
static SmallVector<RankedTensorType>
findStreamTypes(const Activations &activations) {
  llvm::MapVector<Type, int64_t> adds;
  for (Operation *op : activations.getOps())
    if (isResidualAdd(op, activations))
      ++adds[op->getResult(0).getType()];
  // Bits and, of types of one size, the order in which they come.
  SmallVector<std::pair<int64_t, RankedTensorType>> sizes;
  SmallVector<size_t> order;
  for (auto [type, count] : adds)
    if (auto tensor = cast<RankedTensorType>(type); count > 1) {
      order.push_back(sizes.size());
      sizes.emplace_back(countBits(tensor), tensor);
    }
  llvm::sort(order, [&](size_t a, size_t b) {
    return std::pair(-sizes[a].first, a) < std::pair(-sizes[b].first, b);
  });
  SmallVector<RankedTensorType> types;
  for (size_t i : ArrayRef(order).take_front(kMostTypes))
    types.push_back(sizes[i].second);
  if (types.empty())
    types.push_back({});
  return types;
}

//===----------------------------------------------------------------------===//
// Checkpoints
//===----------------------------------------------------------------------===//

/// Positions of the operations behind which no earlier value of the stream is
/// read, but by products only.
static SmallVector<size_t> findCheckpoints(const Activations &activations,
                                           RankedTensorType stream) {
  SmallVector<size_t> checkpoints;
  int64_t lastRead = -1;
  for (auto [position, op] : llvm::enumerate(activations.getOps())) {
    if (!activations.contains(op))
      continue;
    bool isAlone = lastRead <= static_cast<int64_t>(position);
    bool isStream = false;
    for (Value value : op->getResults()) {
      if (stream && value.getType() != stream)
        continue;
      isStream = true;
      if (!stream || !llvm::all_of(value.getUsers(), isHeavy))
        lastRead = std::max(lastRead, activations.getLastRead(value));
    }
    if (isAlone && isStream)
      checkpoints.push_back(position);
  }
  return checkpoints;
}

namespace {
/// Checkpoints with nothing heavy between them: one place, of which it is open
/// where exactly it is.
struct Place {
  SmallVector<size_t> checkpoints;
  /// Names of the operations after the first one.
  std::vector<OperationName> names;
};
} // namespace

static SmallVector<Place> findPlaces(const Activations &activations,
                                     RankedTensorType stream) {
  SmallVector<Place> places;
  for (size_t checkpoint : findCheckpoints(activations, stream)) {
    if (places.empty() ||
        activations.hasHeavy(places.back().checkpoints.back() + 1,
                             checkpoint + 1))
      places.emplace_back();
    else
      places.back().names.push_back(
          activations.getOps()[checkpoint]->getName());
    places.back().checkpoints.push_back(checkpoint);
  }
  return places;
}

/// Returns the names that most places share, without the first place, before
/// which there is no layer.
static ArrayRef<OperationName> findUsualNames(ArrayRef<Place> places) {
  auto byText = [](ArrayRef<OperationName> a, ArrayRef<OperationName> b) {
    return std::lexicographical_compare(
        a.begin(), a.end(), b.begin(), b.end(), [](auto x, auto y) {
          return x.getAsOpaquePointer() < y.getAsOpaquePointer();
        });
  };
  std::map<ArrayRef<OperationName>, int64_t, decltype(byText)> counts(byText);
  ArrayRef<OperationName> usual;
  int64_t most = 0;
  for (const Place &place : places.drop_front()) {
    int64_t count = ++counts[place.names];
    if (count > most || (count == most && place.names.size() < usual.size())) {
      usual = place.names;
      most = count;
    }
  }
  return usual;
}

static SmallVector<Segment> findSegments(const Activations &activations,
                                         RankedTensorType stream) {
  SmallVector<Place> places = findPlaces(activations, stream);
  SmallVector<Segment> segments;
  if (places.size() < 2)
    return segments;
  ArrayRef<OperationName> usual = findUsualNames(places);
  size_t begin = places.front().checkpoints.back() + 1;
  for (const Place &place : ArrayRef(places).drop_front()) {
    // Operations beyond the usual ones are in no layer: the norm behind the
    // last layer, the embedding of a decoder behind its encoder.
    auto [common, rest] = std::mismatch(place.names.begin(), place.names.end(),
                                        usual.begin(), usual.end());
    size_t last = common - place.names.begin();
    segments.push_back({begin, place.checkpoints[last] + 1});
    bool isUsual = ArrayRef(place.names) == usual;
    begin = isUsual ? segments.back().end : place.checkpoints.back() + 1;
  }
  return segments;
}

SmallVector<Segment> mlir::boost::findSegments(const Activations &activations) {
  SmallVector<Segment> most;
  for (RankedTensorType stream : findStreamTypes(activations)) {
    SmallVector<Segment> segments = ::findSegments(activations, stream);
    if (segments.size() > most.size())
      most = std::move(segments);
  }
  return most;
}
