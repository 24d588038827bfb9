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
#include <vector>

using namespace mlir;
using namespace mlir::boost::rt;

static int64_t countPositions(ArrayRef<Lifetime> lifetimes) {
  int64_t count = 0;
  for (const Lifetime &lifetime : lifetimes)
    count = std::max(count, lifetime.last + 1);
  return count;
}

PeakLive mlir::boost::rt::findPeakLive(ArrayRef<Lifetime> lifetimes,
                                       int64_t alignment) {
  SmallVector<int64_t> changes(countPositions(lifetimes) + 1);
  for (const Lifetime &lifetime : lifetimes) {
    int64_t room = getRoom(lifetime.bytes, alignment);
    changes[lifetime.first] += room;
    changes[lifetime.last + 1] -= room;
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

static int64_t packInOrder(MutableArrayRef<Lifetime> lifetimes,
                           int64_t alignment) {
  int64_t count = countPositions(lifetimes);
  SmallVector<SmallVector<Lifetime *, 2>> births(count), deaths(count);
  for (Lifetime &lifetime : lifetimes) {
    births[lifetime.first].push_back(&lifetime);
    deaths[lifetime.last].push_back(&lifetime);
  }
  ArenaAllocator arena(alignment);
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
/// A buffer that has its place: what it takes of the arena, and when.
struct Placed {
  int64_t from, to;
  int64_t first, last;

  bool livesWith(const Lifetime &other) const {
    return first <= other.last && other.first <= last;
  }
};
} // namespace

/// The smallest gap with room between the buffers that live at the same time,
/// else their end. One pass over all of them, by offset: their number squared
/// in all, but of comparisons only.
static int64_t findGap(ArrayRef<Placed> byOffset, const Lifetime &lifetime,
                       int64_t room) {
  int64_t best = -1, bestGap = std::numeric_limits<int64_t>::max(), end = 0;
  for (const Placed &placed : byOffset) {
    if (!placed.livesWith(lifetime))
      continue;
    int64_t gap = placed.from - end;
    if (gap >= room && gap < bestGap) {
      best = end;
      bestGap = gap;
    }
    end = std::max(end, placed.to);
  }
  return best >= 0 ? best : end;
}

static int64_t packLargestFirst(MutableArrayRef<Lifetime> lifetimes,
                                int64_t alignment) {
  // Among equally large ones the longest-lived, then the first one.
  SmallVector<size_t> order = llvm::to_vector(llvm::seq(lifetimes.size()));
  auto key = [&](size_t index) {
    const Lifetime &lifetime = lifetimes[index];
    return std::make_tuple(-getRoom(lifetime.bytes, alignment),
                           lifetime.first - lifetime.last, index);
  };
  llvm::sort(order, [&](size_t a, size_t b) { return key(a) < key(b); });
  std::vector<Placed> byOffset;
  byOffset.reserve(lifetimes.size());
  int64_t size = 0;
  for (size_t index : order) {
    Lifetime &lifetime = lifetimes[index];
    int64_t room = getRoom(lifetime.bytes, alignment);
    lifetime.offset = findGap(byOffset, lifetime, room);
    Placed placed = {lifetime.offset, lifetime.offset + room, lifetime.first,
                     lifetime.last};
    size = std::max(size, placed.to);
    byOffset.insert(llvm::upper_bound(byOffset, placed,
                                      [](const Placed &a, const Placed &b) {
                                        return a.from < b.from;
                                      }),
                    placed);
  }
  return size;
}

int64_t mlir::boost::rt::packLifetimes(MutableArrayRef<Lifetime> lifetimes,
                                       int64_t alignment) {
  int64_t inOrder = packInOrder(lifetimes, alignment);
  // A perfect arena needs no second try.
  if (inOrder == findPeakLive(lifetimes, alignment).bytes)
    return inOrder;
  SmallVector<Lifetime> other(lifetimes);
  int64_t largestFirst = packLargestFirst(other, alignment);
  if (largestFirst >= inOrder)
    return inOrder;
  llvm::copy(other, lifetimes.begin());
  return largestFirst;
}
