//===- PlacementFit.cpp - Candidates that are made to fit -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A candidate that does not fit into memory is tried in more and more
// micro-batches, and with more and more recomputed. Every step takes less
// memory and more time than the one before, so that the time of a step is a
// lower bound for those behind it. Steps are priced in the order of their
// bounds, as in a best-first search, until what is left can neither be chosen
// nor be what the choice is compared with.
//
//===----------------------------------------------------------------------===//

#include "PlacementFit.h"

#include "llvm/ADT/STLExtras.h"

#include <limits>

using namespace mlir;
using namespace mlir::boost;

/// The number of steps that are priced at once. It is fixed, so that the
/// candidates that are tried, and hence the plan, do not depend on the number
/// of threads.
static constexpr size_t kAtOnce = 2;

static constexpr double kNever = std::numeric_limits<double>::infinity();

/// Compares candidates that fit by their time, others by their memory.
static bool isBetter(const PlacementCandidate &a, const PlacementCandidate &b) {
  if (a.fits != b.fits)
    return a.fits;
  return a.fits ? a.price->seconds < b.price->seconds
                : a.price->peak < b.price->peak;
}

PlacementFit::PlacementFit(PlacementSearch &search)
    : search(search), candidates(search.choice.candidates) {
  for (auto [index, candidate] : llvm::enumerate(candidates)) {
    if (candidate.fits || !candidate.price)
      continue;
    // The part that no batch changes exceeds the limit already.
    bool isHopeless = static_cast<double>(candidate.price->fixed) >
                      *search.choice.memoryLimit;
    double atLeast = isHopeless ? kNever : candidate.price->seconds;
    addWay(index, search.getSplit(candidate), atLeast);
    addWay(index, search.getRecomputed(candidate), atLeast);
  }
}

void PlacementFit::addWay(size_t candidate,
                          std::vector<PlacementCandidate> steps,
                          double atLeast) {
  ways.push_back({candidate, std::move(steps), /*next=*/0, atLeast});
}

/// The time up to which a candidate may be the choice or the one that it is
/// compared with. All matter where all are to be compared.
double PlacementFit::getBound() const {
  if (!search.options.compare.empty())
    return kNever;
  double best = kNever, second = kNever;
  for (const PlacementCandidate &candidate : candidates)
    if (candidate.fits) {
      double seconds = candidate.price->seconds;
      second = std::min(second, std::max(best, seconds));
      best = std::min(best, seconds);
    }
  return (1 + kTie) * second;
}

/// Returns true if a further step could make its candidate fit, or fit faster.
bool PlacementFit::isOpen(const Way &way) const {
  const PlacementCandidate &candidate = candidates[way.candidate];
  return way.next < way.steps.size() &&
         (!candidate.fits || way.atLeast < candidate.price->seconds);
}

/// Returns true if both use the result of one search, which one of them writes.
static bool shareSearch(const PlacementCandidate &a,
                        const PlacementCandidate &b) {
  return a.placement == PlacementKind::Searched &&
         b.placement == PlacementKind::Searched &&
         getSearchKey(a) == getSearchKey(b);
}

/// The ways whose next steps are priced, by their places; none if it is over.
SmallVector<size_t> PlacementFit::takeNext() const {
  double bound = getBound();
  SmallVector<size_t> open, taken;
  for (auto [index, way] : llvm::enumerate(ways))
    if (isOpen(way) && way.atLeast <= bound)
      open.push_back(index);
  llvm::sort(open, [&](size_t a, size_t b) {
    return std::pair(ways[a].atLeast, a) < std::pair(ways[b].atLeast, b);
  });
  for (size_t index : open) {
    const PlacementCandidate &step = getStep(index);
    bool collides = llvm::any_of(
        taken, [&](size_t other) { return shareSearch(step, getStep(other)); });
    if (!collides && taken.size() < kAtOnce)
      taken.push_back(index);
  }
  return taken;
}

/// Draws the conclusions from a step that has been priced.
void PlacementFit::finish(size_t index) {
  Way &way = ways[index];
  const PlacementCandidate &step = way.steps[way.next++];
  PlacementCandidate &candidate = candidates[way.candidate];
  if (step.price) {
    way.atLeast = std::max(way.atLeast, step.price->seconds);
    if (isBetter(step, candidate))
      candidate = step;
  }
  if (way.next == way.steps.size())
    tryBoth(way.candidate);
}

/// Micro-batches and recomputation together are slower than either, and are
/// tried where neither fits.
void PlacementFit::tryBoth(size_t candidate) {
  if (candidates[candidate].fits)
    return;
  double atLeast = 0;
  std::vector<PlacementCandidate> both;
  size_t count = 0;
  for (const Way &way : ways) {
    if (way.candidate != candidate)
      continue;
    if (way.steps.empty() || way.next < way.steps.size() || ++count > 2)
      return;
    atLeast = std::max(atLeast, way.atLeast);
    if (count == 1)
      both.push_back(search.getRecomputed(way.steps.back()).back());
  }
  addWay(candidate, std::move(both), atLeast);
}

void PlacementFit::run() {
  for (SmallVector<size_t> next = takeNext(); !next.empty();
       next = takeNext()) {
    SmallVector<PlacementCandidate *> steps;
    for (size_t index : next)
      steps.push_back(&ways[index].steps[ways[index].next]);
    search.priceInParallel(steps);
    llvm::for_each(next, [&](size_t index) { finish(index); });
  }
}
