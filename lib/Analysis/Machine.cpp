//===- Machine.cpp - What a rank can do per second ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The seconds of computing, of moving data and of collectives.
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/Analysis/Machine.h"

#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/MathExtras.h"

#include <cmath>
#include <limits>

using namespace mlir;
using namespace mlir::boost;

/// Computing and reading overlap, but neither is at its limit where both are
/// near it.
static double overlap(double compute, double memory) {
  return std::hypot(compute, memory);
}

double Machine::getPeakFlops(StringRef elementType) const {
  auto it = peakFlops.find(elementType.str());
  return it != peakFlops.end() ? it->second : peakFlops.at("f32");
}

double Machine::getSeconds(const OpCost &cost) const {
  switch (cost.kind) {
  case OpClass::Contraction:
    return launchSeconds +
           (cost.contraction
                ? getContractionSeconds(*cost.contraction, cost.memoryBytes,
                                        cost.elementType)
                : overlap(getComputeSeconds(cost.flops, cost.elementType),
                          getMemorySeconds(cost.memoryBytes)));
  case OpClass::AttentionForward:
  case OpClass::AttentionBackward:
    return launchSeconds + getAttentionSeconds(cost);
  case OpClass::Memory:
    return launchSeconds + std::max(cost.flops / getPeakFlops(cost.elementType),
                                    getMemorySeconds(cost.memoryBytes));
  case OpClass::Collective:
    return getCollectiveSeconds(cost.message->kind, cost.message->bytes,
                                cost.message->ranks, cost.message->span);
  }
  llvm_unreachable("all classes are priced");
}

//===----------------------------------------------------------------------===//
// Computing
//===----------------------------------------------------------------------===//

double Machine::getComputeSeconds(double flops, StringRef elementType) const {
  return flops / (getPeakFlops(elementType) * contraction.efficiency);
}

double Machine::getContractionSeconds(const ContractionShape &shape,
                                      double bytes,
                                      StringRef elementType) const {
  if (contraction.tiles.empty())
    return overlap(getComputeSeconds(shape.getFlops(), elementType),
                   getMemorySeconds(bytes));
  double batch = static_cast<double>(shape.batch);
  double m = static_cast<double>(shape.m), n = static_cast<double>(shape.n),
         k = static_cast<double>(shape.k);
  double units = static_cast<double>(contraction.units);
  double best = std::numeric_limits<double>::infinity();
  for (auto [rows, columns] : contraction.tiles)
    for (int64_t parts : contraction.splits) {
      double tileRows = static_cast<double>(rows),
             tileColumns = static_cast<double>(columns),
             split = static_cast<double>(parts);
      double tiles =
          batch * split * std::ceil(m / tileRows) * std::ceil(n / tileColumns);
      double waves = std::ceil(tiles / units);
      double flops = waves * units * 2 * tileRows * tileColumns *
                     (k / split + contraction.prologue);
      // The parts of a split k leave sums in f32 that are read once more.
      double sums = parts > 1 ? 2 * split * 4 * batch * m * n : 0;
      best = std::min(best, overlap(getComputeSeconds(flops, elementType),
                                    getMemorySeconds(bytes + sums)));
    }
  return best;
}

double AttentionModel::getShare(OpClass kind, int64_t headSize) const {
  bool isNarrow = headSize <= narrowHead;
  if (kind == OpClass::AttentionForward)
    return forward * (isNarrow ? narrowFactor : 1);
  return backward * (isNarrow ? narrowBackwardFactor : 1);
}

double Machine::getAttentionSeconds(const OpCost &cost) const {
  const AttentionModel &model =
      cost.ownKernels && ownAttention ? *ownAttention : attention;
  double share = model.getShare(cost.kind, cost.headSize);
  return overlap(cost.flops / (getPeakFlops(cost.elementType) * share),
                 getMemorySeconds(cost.memoryBytes));
}

double Machine::getMemorySeconds(double bytes) const {
  return bytes / (memoryBandwidth * memoryEfficiency);
}

//===----------------------------------------------------------------------===//
// Collectives
//===----------------------------------------------------------------------===//

/// The innermost level that holds such a group.
const Link &Machine::getLink(int64_t ranks, int64_t span) const {
  for (const Link &link : links)
    if (ranks <= link.ranks && span <= link.span)
      return link;
  return links.back();
}

double Machine::getLinkBandwidth(const Link &link, CollectiveKind kind,
                                 int64_t ranks, int64_t span) const {
  if (link.interfaces == 0 || &link == &links.front())
    return link.bandwidth;
  const Link &inner = *(&link - 1);
  // Ranks of a group are equally far apart, so a block of the inner level has
  // this many. The rings of a group use the interfaces of all its ranks there;
  // the others belong to groups that do the same at the same time.
  int64_t stride = std::max<int64_t>(1, (span - 1) / (ranks - 1));
  int64_t members = std::max<int64_t>(1, inner.span / stride);
  // An all-to-all sends to all ranks at once, not around a ring, so that nearly
  // all of it leaves the block through the rank's own share.
  if (kind == CollectiveKind::AllToAll)
    members = 1;
  return std::min(inner.bandwidth, link.bandwidth *
                                       static_cast<double>(link.interfaces) *
                                       static_cast<double>(members) /
                                       static_cast<double>(inner.span));
}

double Machine::getCollectiveSeconds(CollectiveKind kind, double bytes,
                                     int64_t ranks, int64_t span) const {
  if (ranks <= 1)
    return 0;
  const Link &link = getLink(ranks, span);
  double bandwidth = getLinkBandwidth(link, kind, ranks, span);
  double passes = kind == CollectiveKind::AllReduce ? 2 : 1;
  double steps = passes * static_cast<double>(ranks - 1);
  double ring = steps * link.hopLatency +
                Message{kind, bytes, ranks, span}.getSentBytes() / bandwidth;
  if (kind != CollectiveKind::AllReduce)
    return link.latency + ring;
  // Up a tree and down again: fewer steps, but each sends everything.
  double tree =
      2 * llvm::Log2_64_Ceil(ranks) * link.hopLatency + 2 * bytes / bandwidth;
  return link.latency + std::min(ring, tree);
}

Machine Machine::getEager() const {
  Machine machine = *this;
  if (!eager)
    return machine;
  machine.launchSeconds = eager->launchSeconds;
  machine.memoryEfficiency = eager->memoryEfficiency;
  for (Link &link : machine.links)
    link.latency = eager->latency;
  return machine;
}
