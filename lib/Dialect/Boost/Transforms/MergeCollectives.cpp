//===- MergeCollectives.cpp - boost-merge-collectives ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes one collective of several that do not depend on each other. Goes
// through them in order and keeps, for every kind that may travel together, the
// last one; the next of that kind joins it by moving what lies between. Apart
// from gradients and updated parameters, only those of one layer travel
// together, so that what lies between is no more than a layer.
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/Dialect/Boost/IR/Layers.h"
#include "boost-mlir/Dialect/Boost/Transforms/Passes.h"
#include "boost-mlir/Dialect/StableHLO/IR/StableHLO.h"
#include "boost-mlir/Support/TensorTypes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace mlir::boost {
#define GEN_PASS_DEF_MERGECOLLECTIVESPASS
#include "boost-mlir/Dialect/Boost/Transforms/Passes.h.inc"
} // namespace mlir::boost

using namespace mlir;
using namespace mlir::boost;

//===----------------------------------------------------------------------===//
// Values and operations of a block
//===----------------------------------------------------------------------===//

static int64_t getBytes(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor ? getDenseBytes(tensor) : 0;
}

/// Bytes of a value in memory. Constants and broadcasts are made where they are
/// read; arguments are always there.
static int64_t getBytes(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op || op->hasTrait<OpTrait::ConstantLike>() ||
      isa<stablehlo::BroadcastInDimOp, stablehlo::IotaOp>(op))
    return 0;
  return getBytes(value.getType());
}

/// Collectives that take any number of tensors, each with a result of its own.
static bool isMergeable(Operation *op) {
  auto collective = dyn_cast<CollectiveOpInterface>(op);
  return collective && collective.isMergeable();
}

static SmallVector<Operation *> findMergeable(Block &block) {
  SmallVector<Operation *> found;
  for (Operation &op : block)
    if (isMergeable(&op))
      found.push_back(&op);
  return found;
}

/// Bytes of the message.
static int64_t getPayload(Operation *op) {
  int64_t bytes = 0;
  for (Value value : cast<CollectiveOpInterface>(op).getWhole())
    bytes += getBytes(value.getType());
  return bytes;
}

static bool updatesOperands(Operation *op) {
  auto collective = dyn_cast<CollectiveOpInterface>(op);
  return collective && collective.updatesOperands();
}

/// Calls `fn` for every value of the block that `op` or its regions read.
template <typename Fn> static void forEachRead(Operation *op, Fn &&fn) {
  op->walk([&](Operation *inner) {
    for (Value operand : inner->getOperands())
      fn(operand);
  });
}

namespace {

using Order = SmallVector<Operation *>;
using OpSet = llvm::SmallPtrSet<Operation *, 32>;

/// Positions of the operations of a block. MLIR's own order is recomputed after
/// every move.
using Positions = DenseMap<Operation *, int64_t>;

/// The operations from one collective to a later one, in two orders: as they
/// stand, and one that is considered. Tells by how many bytes more are in use
/// at once than before the first of them; what is neither made nor last read in
/// between counts in no order.
class Window {
public:
  Window(Operation *first, Operation *last, const Positions &positions)
      : block(first->getBlock()), positions(positions) {
    for (Operation *op = first; op != last; op = op->getNextNode())
      order.push_back(op);
    order.push_back(last);
  }

  ArrayRef<Operation *> getOrder() const { return order; }
  int64_t getPeak(ArrayRef<Operation *> candidate) const;

private:
  unsigned getLastRead(Value value,
                       const DenseMap<Operation *, unsigned> &places) const;

  Block *block;
  const Positions &positions;
  Order order;
};

} // namespace

/// The position of the last operation that reads `value`; the number of
/// operations if one behind the window does.
unsigned
Window::getLastRead(Value value,
                    const DenseMap<Operation *, unsigned> &places) const {
  unsigned last = 0;
  for (Operation *user : value.getUsers()) {
    Operation *reader = block->findAncestorOpInBlock(*user);
    if (auto found = places.find(reader); found != places.end())
      last = std::max(last, found->second);
    else if (positions.lookup(order.back()) < positions.lookup(reader))
      return places.size();
  }
  return last;
}

int64_t Window::getPeak(ArrayRef<Operation *> candidate) const {
  DenseMap<Operation *, unsigned> places;
  for (auto [place, op] : llvm::enumerate(candidate))
    places[op] = place;
  SmallVector<SmallVector<Value>> lastReads(candidate.size() + 1);
  DenseSet<Value> seen;
  for (Operation *op : candidate)
    forEachRead(op, [&](Value value) {
      if (seen.insert(value).second)
        lastReads[getLastRead(value, places)].push_back(value);
    });
  int64_t live = 0, peak = 0;
  for (auto [position, op] : llvm::enumerate(candidate)) {
    int64_t freed = 0, made = 0;
    for (Value value : lastReads[position])
      freed += getBytes(value);
    for (Value result : op->getResults())
      made += getBytes(result);
    peak = std::max(peak, live + made - (updatesOperands(op) ? freed : 0));
    live += made - freed;
  }
  return peak;
}

//===----------------------------------------------------------------------===//
// Merging
//===----------------------------------------------------------------------===//

namespace {

/// Collectives of gradients that are going to be one launch.
struct Bucket {
  SmallVector<Operation *> members;
  int64_t payload = 0;
};

class CollectiveMerger {
public:
  CollectiveMerger(Block &block, int64_t bucketBytes)
      : block(block), bucketBytes(bucketBytes),
        rewriter(block.front().getContext()) {
    findPositions();
  }

  void run();

private:
  void findPositions();
  Phase getPhase(Operation *op) const;
  bool isAwaitedAtEnd(Operation *op) const;
  ArrayAttr getKind(Operation *op);
  Operation *findReady(Operation *op) const;
  void hoistGradients();
  bool bringTogether(Operation *first, Operation *last, int64_t payload);
  Operation *merge(ArrayRef<Operation *> members);
  void joinBucket(Operation *op, Bucket &bucket);

  Block &block;
  int64_t bucketBytes;
  IRRewriter rewriter;
  Positions positions;
  SmallVector<PhaseOp> markers;
};

} // namespace

void CollectiveMerger::findPositions() {
  markers.clear();
  for (auto [position, op] : llvm::enumerate(block)) {
    positions[&op] = position;
    if (auto marker = dyn_cast<PhaseOp>(op))
      markers.push_back(marker);
  }
}

Phase CollectiveMerger::getPhase(Operation *op) const {
  Phase phase = Phase::Forward;
  for (PhaseOp marker : markers)
    if (positions.lookup(marker) < positions.lookup(op))
      phase = std::max(phase, marker.getPhase());
  return phase;
}

/// Returns true if only the optimizer and the caller read the results, as for
/// gradients and updated parameters.
bool CollectiveMerger::isAwaitedAtEnd(Operation *op) const {
  if (getPhase(op) == Phase::Forward)
    return false;
  return llvm::all_of(op->getUsers(), [&](Operation *user) {
    Operation *reader = block.findAncestorOpInBlock(*user);
    return reader == block.getTerminator() ||
           getPhase(reader) == Phase::Optimizer;
  });
}

/// The attribute with one dimension for each tensor of a collective.
static constexpr StringLiteral kDimsAttr = "dims";

/// The attributes that hold for all tensors of a collective.
static DictionaryAttr getSharedAttributes(Operation *op) {
  NamedAttrList attributes(op->getAttrDictionary());
  for (NamedAttribute attribute : op->getDiscardableAttrs())
    attributes.erase(attribute.getName());
  attributes.erase(kDimsAttr);
  return attributes.getDictionary(op->getContext());
}

/// Collectives that agree in this may become one. Gradients of several layers
/// share a bucket, and so do parameters.
ArrayAttr CollectiveMerger::getKind(Operation *op) {
  bool isBucketed = isAwaitedAtEnd(op);
  LayerAttr layer = isBucketed ? LayerAttr() : getLayer(op);
  return rewriter.getArrayAttr(
      {op->getName().getIdentifier(), getSharedAttributes(op),
       rewriter.getStringAttr(stringifyPhase(getPhase(op))),
       rewriter.getBoolAttr(isBucketed),
       layer ? Attribute(layer) : rewriter.getUnitAttr()});
}

/// The operation behind which a collective that is awaited at the end could
/// stand; null if that is in the forward pass.
Operation *CollectiveMerger::findReady(Operation *op) const {
  if (!isAwaitedAtEnd(op))
    return nullptr;
  Operation *ready = nullptr;
  for (Value input : op->getOperands())
    if (Operation *producer = input.getDefiningOp())
      if (!ready || positions.lookup(ready) < positions.lookup(producer))
        ready = producer;
  return ready && getPhase(ready) != Phase::Forward ? ready : nullptr;
}

/// Moves collectives that are awaited at the end to where their operands are
/// ready, so that buckets fill in the order in which the backward pass makes
/// gradients. Nothing enters the forward pass.
void CollectiveMerger::hoistGradients() {
  llvm::MapVector<Operation *, Operation *> moves;
  for (Operation *op : findMergeable(block)) {
    // With several operands it would be unknown which is ready last.
    bool hasMoved = llvm::any_of(op->getOperands(), [&](Value input) {
      return moves.contains(input.getDefiningOp());
    });
    if (hasMoved && op->getNumOperands() > 1)
      continue;
    if (Operation *ready = findReady(op))
      moves[op] = ready;
  }
  for (auto [op, ready] : moves)
    op->moveAfter(ready);
  findPositions();
}

/// One collective for all of `members`, which are of one kind.
static Operation *createMerged(IRRewriter &rewriter,
                               ArrayRef<Operation *> members) {
  SmallVector<Value> inputs;
  SmallVector<Type> types;
  SmallVector<Location> locs;
  SmallVector<int64_t> dims;
  for (Operation *op : members) {
    llvm::append_range(inputs, op->getOperands());
    llvm::append_range(types, op->getResultTypes());
    locs.push_back(op->getLoc());
    if (auto own = op->getAttrOfType<DenseI64ArrayAttr>(kDimsAttr))
      llvm::append_range(dims, own.asArrayRef());
  }
  Operation *first = members.front();
  NamedAttrList attributes(first->getAttrDictionary());
  if (!dims.empty())
    attributes.set(kDimsAttr, rewriter.getDenseI64ArrayAttr(dims));
  return rewriter.create(rewriter.getFusedLoc(locs),
                         first->getName().getIdentifier(), inputs, types,
                         attributes);
}

/// Makes one of several collectives where the last of them stands, which what
/// was moved since they were brought together may have changed. Those of
/// several layers belong to none.
Operation *CollectiveMerger::merge(ArrayRef<Operation *> members) {
  Operation *first = members.front();
  if (members.size() == 1)
    return first;
  Operation *last = *llvm::max_element(members, [&](auto *lhs, auto *rhs) {
    return positions.lookup(lhs) < positions.lookup(rhs);
  });
  bool isOfOneLayer = llvm::all_of(
      members, [&](Operation *op) { return getLayer(op) == getLayer(first); });
  rewriter.setInsertionPoint(last);
  Operation *merged = createMerged(rewriter, members);
  if (!isOfOneLayer)
    merged->removeAttr(kLayerAttr);
  int64_t position = positions.lookup(last);
  ResultRange results = merged->getResults();
  for (Operation *op : members) {
    positions.erase(op);
    size_t count = op->getNumResults();
    rewriter.replaceOp(op, results.take_front(count));
    results = results.drop_front(count);
  }
  positions[merged] = position;
  return merged;
}

/// Returns the operations of `window` that cannot move before `first`: the
/// users of its results, transitively.
static OpSet findReaders(ArrayRef<Operation *> window, Operation *first) {
  OpSet readers = {first};
  for (Operation *op : window.drop_front())
    forEachRead(op, [&](Value value) {
      if (readers.contains(value.getDefiningOp()))
        readers.insert(op);
    });
  return readers;
}

/// Returns the operations of `window` that cannot move after `last`.
static OpSet findProducers(ArrayRef<Operation *> window, Operation *last) {
  OpSet producers = {last};
  for (Operation *op : llvm::reverse(window))
    if (producers.contains(op))
      forEachRead(op, [&](Value value) {
        if (Operation *producer = value.getDefiningOp())
          producers.insert(producer);
      });
  return producers;
}

/// Probes show a value wherever they stand.
static bool mayMove(ArrayRef<Operation *> ops) {
  return llvm::all_of(ops, [](Operation *op) {
    return isa<ProbeOp>(op) || isMemoryEffectFree(op);
  });
}

/// Moves one of two collectives of a kind next to the other, so that both stand
/// where the later one or where the earlier one does, whichever leaves less in
/// use at once. Does nothing if one depends on the other, or if more would be
/// in use than before and the payload that travels.
bool CollectiveMerger::bringTogether(Operation *first, Operation *last,
                                     int64_t payload) {
  Window window(first, last, positions);
  OpSet readers = findReaders(window.getOrder(), first);
  if (readers.contains(last))
    return false;
  OpSet producers = findProducers(window.getOrder(), last);

  ArrayRef<Operation *> between = window.getOrder().drop_front().drop_back();
  Order readersOfFirst, producersOfLast, sunk, hoisted;
  for (Operation *op : between) {
    (readers.contains(op) ? readersOfFirst : sunk).push_back(op);
    (producers.contains(op) ? producersOfLast : hoisted).push_back(op);
  }
  sunk.append({first, last});
  llvm::append_range(sunk, readersOfFirst);
  hoisted.insert(hoisted.begin(), {first, last});
  hoisted.insert(hoisted.begin(), producersOfLast.begin(),
                 producersOfLast.end());

  constexpr int64_t kNever = std::numeric_limits<int64_t>::max();
  int64_t limit = window.getPeak(window.getOrder()) + payload;
  int64_t sunkPeak = mayMove(readersOfFirst) ? window.getPeak(sunk) : kNever;
  int64_t hoistedPeak =
      mayMove(producersOfLast) ? window.getPeak(hoisted) : kNever;
  if (std::min(sunkPeak, hoistedPeak) > limit)
    return false;
  int64_t position = positions.lookup(first);
  bool isSunk = sunkPeak <= hoistedPeak;
  for (Operation *op : isSunk ? sunk : hoisted)
    positions[op] = position++;
  if (isSunk) {
    first->moveBefore(last);
    for (Operation *op : llvm::reverse(readersOfFirst))
      op->moveAfter(last);
    return true;
  }
  for (Operation *op : producersOfLast)
    op->moveBefore(first);
  last->moveAfter(first);
  return true;
}

/// A bucket is merged when it is full: nothing reads its gradients before, as
/// all of them stand in the backward pass and their readers behind it.
void CollectiveMerger::joinBucket(Operation *op, Bucket &bucket) {
  int64_t payload = bucket.payload + getPayload(op);
  bool joins = !bucket.members.empty() && payload <= bucketBytes &&
               bringTogether(bucket.members.back(), op, payload);
  if (!joins) {
    if (!bucket.members.empty())
      merge(bucket.members);
    bucket = Bucket();
    payload = getPayload(op);
  }
  bucket.members.push_back(op);
  bucket.payload = payload;
}

void CollectiveMerger::run() {
  hoistGradients();
  DenseMap<Attribute, Operation *> open;
  llvm::MapVector<Attribute, Bucket> buckets;
  for (Operation *op : findMergeable(block)) {
    ArrayAttr kind = getKind(op);
    bool isBucketed = isAwaitedAtEnd(op);
    if (isBucketed && getPhase(op) == Phase::Backward) {
      joinBucket(op, buckets[kind]);
      continue;
    }
    Operation *&before = open[kind];
    int64_t payload = (before ? getPayload(before) : 0) + getPayload(op);
    bool joins = before && (!isBucketed || payload <= bucketBytes) &&
                 bringTogether(before, op, payload);
    before = joins ? merge({before, op}) : op;
  }
  for (auto &[kind, bucket] : buckets)
    merge(bucket.members);
}

namespace {
struct MergeCollectivesPass
    : public boost::impl::MergeCollectivesPassBase<MergeCollectivesPass> {
  using MergeCollectivesPassBase::MergeCollectivesPassBase;

  void runOnOperation() override {
    if (bucketBytes < 0) {
      getOperation().emitError()
          << "boost-merge-collectives expects bucket-bytes of 0 or more, but "
             "got "
          << bucketBytes.getValue();
      return signalPassFailure();
    }
    for (Block &block : getOperation().getBody())
      CollectiveMerger(block, bucketBytes).run();
  }
};
} // namespace
