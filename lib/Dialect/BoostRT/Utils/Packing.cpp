//===- Packing.cpp - Offsets for buffers of known lifetimes ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two heuristics for dynamic storage allocation: best fit with coalescing in
// the order of the program, and best fit among what lives at the same time with
// the largest buffers first.
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/Dialect/BoostRT/Utils/Packing.h"

#include "boost-mlir/Dialect/BoostRT/Utils/ArenaAllocator.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/ADT/SmallVector.h"

#include <limits>
#include <tuple>

using namespace mlir;
using namespace mlir::boost::rt;

/// Bytes that a buffer takes in the arena.
static int64_t getRoom(const Lifetime &lifetime) {
  return ArenaAllocator::align(std::max<int64_t>(lifetime.bytes, 1));
}

static int64_t countPositions(ArrayRef<Lifetime> lifetimes) {
  int64_t count = 0;
  for (const Lifetime &lifetime : lifetimes)
    count = std::max(count, lifetime.last + 1);
  return count;
}

PeakLive mlir::boost::rt::findPeakLive(ArrayRef<Lifetime> lifetimes) {
  SmallVector<int64_t> changes(countPositions(lifetimes) + 1);
  for (const Lifetime &lifetime : lifetimes) {
    changes[lifetime.first] += getRoom(lifetime);
    changes[lifetime.last + 1] -= getRoom(lifetime);
  }
  PeakLive peak;
  int64_t live = 0;
  for (auto [position, change] : llvm::enumerate(changes)) {
    live += change;
    if (live > peak.bytes)
      peak = {static_cast<int64_t>(position), live};
  }
  return peak;
}

//===----------------------------------------------------------------------===//
// In the order of the program
//===----------------------------------------------------------------------===//

static int64_t packInOrder(MutableArrayRef<Lifetime> lifetimes) {
  int64_t count = countPositions(lifetimes);
  SmallVector<SmallVector<Lifetime *, 2>> births(count), deaths(count);
  for (Lifetime &lifetime : lifetimes) {
    births[lifetime.first].push_back(&lifetime);
    deaths[lifetime.last].push_back(&lifetime);
  }
  ArenaAllocator arena;
  for (int64_t position = 0; position < count; ++position) {
    for (Lifetime *born : births[position])
      born->offset = arena.allocate(born->bytes);
    for (Lifetime *dead : deaths[position])
      arena.release(dead->offset, dead->bytes);
  }
  return arena.getSize();
}

//===----------------------------------------------------------------------===//
// Largest first
//===----------------------------------------------------------------------===//

namespace {

/// Buffers by the positions they live at: a segment tree, each node of which
/// holds the buffers that live throughout its range but not its parent's.
class LivingBuffers {
public:
  explicit LivingBuffers(int64_t positions) {
    while (size < positions)
      size *= 2;
    nodes.resize(2 * size);
  }

  void insert(const Lifetime &lifetime) { insert(1, 0, size - 1, lifetime); }

  /// Every buffer that lives at a position that `lifetime` lives at.
  template <typename Visitor>
  void visit(const Lifetime &lifetime, Visitor visitor) const {
    visit(1, 0, size - 1, lifetime, visitor);
  }

private:
  struct Node {
    SmallVector<const Lifetime *, 0> buffers;
    bool hasBelow = false;
  };

  void insert(int64_t node, int64_t begin, int64_t end,
              const Lifetime &lifetime) {
    if (lifetime.first <= begin && end <= lifetime.last) {
      nodes[node].buffers.push_back(&lifetime);
      return;
    }
    nodes[node].hasBelow = true;
    int64_t middle = (begin + end) / 2;
    if (lifetime.first <= middle)
      insert(2 * node, begin, middle, lifetime);
    if (lifetime.last > middle)
      insert(2 * node + 1, middle + 1, end, lifetime);
  }

  template <typename Visitor>
  void visit(int64_t node, int64_t begin, int64_t end, const Lifetime &lifetime,
             Visitor &visitor) const {
    for (const Lifetime *other : nodes[node].buffers)
      visitor(*other);
    if (!nodes[node].hasBelow)
      return;
    int64_t middle = (begin + end) / 2;
    if (lifetime.first <= middle)
      visit(2 * node, begin, middle, lifetime, visitor);
    if (lifetime.last > middle)
      visit(2 * node + 1, middle + 1, end, lifetime, visitor);
  }

  int64_t size = 1;
  SmallVector<Node, 0> nodes;
};

} // namespace

/// The smallest gap between the taken pieces that has room, else their end.
static int64_t findGap(MutableArrayRef<std::pair<int64_t, int64_t>> taken,
                       int64_t room) {
  llvm::sort(taken);
  int64_t best = -1, bestGap = std::numeric_limits<int64_t>::max(), end = 0;
  for (auto [from, to] : taken) {
    int64_t gap = from - end;
    if (gap >= room && gap < bestGap) {
      best = end;
      bestGap = gap;
    }
    end = std::max(end, to);
  }
  return best >= 0 ? best : end;
}

static int64_t packLargestFirst(MutableArrayRef<Lifetime> lifetimes) {
  // Of equally large ones the longest-lived, then the one that stands first.
  SmallVector<size_t> order = llvm::to_vector(llvm::seq(lifetimes.size()));
  auto key = [&](size_t index) {
    const Lifetime &lifetime = lifetimes[index];
    return std::make_tuple(-getRoom(lifetime), lifetime.first - lifetime.last,
                           index);
  };
  llvm::sort(order, [&](size_t a, size_t b) { return key(a) < key(b); });
  LivingBuffers living(countPositions(lifetimes));
  int64_t size = 0;
  SmallVector<std::pair<int64_t, int64_t>> taken;
  for (size_t index : order) {
    Lifetime &lifetime = lifetimes[index];
    taken.clear();
    living.visit(lifetime, [&](const Lifetime &other) {
      taken.push_back({other.offset, other.offset + getRoom(other)});
    });
    lifetime.offset = findGap(taken, getRoom(lifetime));
    size = std::max(size, lifetime.offset + getRoom(lifetime));
    living.insert(lifetime);
  }
  return size;
}

int64_t mlir::boost::rt::packLifetimes(MutableArrayRef<Lifetime> lifetimes) {
  int64_t inOrder = packInOrder(lifetimes);
  // A perfect arena needs no second try.
  if (inOrder == findPeakLive(lifetimes).bytes)
    return inOrder;
  SmallVector<Lifetime> other(lifetimes);
  int64_t largestFirst = packLargestFirst(other);
  if (largestFirst >= inOrder)
    return inOrder;
  llvm::copy(other, lifetimes.begin());
  return largestFirst;
}
