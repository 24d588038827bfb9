//===- Repetition.cpp - Units that a sequence is made of ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/Analysis/Repetition.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"

#include <map>
#include <set>

using namespace mlir;
using namespace mlir::boost;

using Units = SmallVector<SequenceUnit>;
using Kinds = ArrayRef<size_t>;

/// The number of kinds with the most runs that are tried.
static constexpr size_t kMostTried = 16;

/// The longest stretches of one kind.
static Units findRuns(Kinds kinds) {
  Units runs;
  for (size_t i = 0; i < kinds.size(); ++i) {
    if (i == 0 || kinds[i] != kinds[i - 1])
      runs.push_back({i, i});
    ++runs.back().end;
  }
  return runs;
}

static Kinds getKinds(Kinds kinds, const SequenceUnit &unit) {
  return kinds.slice(unit.begin, unit.size());
}

//===----------------------------------------------------------------------===//
// Units of one element
//===----------------------------------------------------------------------===//

/// Every element from the first that is next to one of its kind to the last,
/// and as far as the most frequent of these kinds reaches.
static Units splitIntoElements(Kinds kinds, ArrayRef<SequenceUnit> runs) {
  llvm::MapVector<size_t, size_t> counts;
  size_t begin = kinds.size(), end = 0;
  for (const SequenceUnit &run : runs) {
    counts[kinds[run.begin]] += run.size();
    if (run.size() < 2)
      continue;
    begin = std::min(begin, run.begin);
    end = std::max(end, run.end);
  }
  auto most = llvm::max_element(
      counts, [](const auto &a, const auto &b) { return a.second < b.second; });
  for (auto [i, kind] : llvm::enumerate(kinds))
    if (kind == most->first) {
      begin = std::min<size_t>(begin, i);
      end = std::max<size_t>(end, i + 1);
    }
  Units units;
  for (size_t i = begin; i < end; ++i)
    units.push_back({i, i + 1});
  return units;
}

//===----------------------------------------------------------------------===//
// Units that begin or end alike
//===----------------------------------------------------------------------===//

/// The kinds of the unit that occurs most often; of several the shortest.
static Kinds findUsualUnit(Kinds kinds, ArrayRef<SequenceUnit> units) {
  std::map<std::vector<size_t>, size_t> counts;
  Kinds usual;
  size_t most = 0;
  for (const SequenceUnit &unit : units) {
    Kinds here = getKinds(kinds, unit);
    size_t count = ++counts[here.vec()];
    if (count > most || (count == most && here.size() < usual.size())) {
      usual = here;
      most = count;
    }
  }
  return usual;
}

/// The first unit may hold what stands before the units, the last one what
/// stands behind them.
static void trimEnds(Kinds kinds, Units &units) {
  Kinds usual = findUsualUnit(kinds, units);
  SequenceUnit &first = units.front(), &last = units.back();
  if (first.size() > usual.size() &&
      getKinds(kinds, first).take_back(usual.size()) == usual)
    first.begin = first.end - usual.size();
  if (last.size() > usual.size() &&
      getKinds(kinds, last).take_front(usual.size()) == usual)
    last.end = last.begin + usual.size();
}

/// Units that begin, or end, with the runs of `kind`.
static Units splitAt(Kinds kinds, ArrayRef<SequenceUnit> runs, size_t kind,
                     bool atEnd) {
  Units units;
  size_t begin = 0;
  for (const SequenceUnit &run : runs) {
    if (kinds[run.begin] != kind)
      continue;
    if (atEnd)
      units.push_back({begin, run.end});
    else if (!units.empty())
      units.back().end = run.begin;
    if (!atEnd)
      units.push_back({run.begin, kinds.size()});
    begin = run.end;
  }
  trimEnds(kinds, units);
  return units;
}

/// Judges how badly the units describe the sequence: by the elements in none of
/// them, then by the elements of units that differ.
static std::pair<size_t, size_t> judge(Kinds kinds,
                                       ArrayRef<SequenceUnit> units) {
  std::set<std::vector<size_t>> distinct;
  size_t outside = kinds.size(), different = 0;
  for (const SequenceUnit &unit : units) {
    outside -= unit.size();
    if (distinct.insert(getKinds(kinds, unit).vec()).second)
      different += unit.size();
  }
  return {outside, different};
}

Units mlir::boost::findRepeatedUnits(Kinds kinds) {
  Units runs = findRuns(kinds);
  llvm::MapVector<size_t, size_t> runsOf;
  bool hasNeighbors = false;
  for (const SequenceUnit &run : runs) {
    ++runsOf[kinds[run.begin]];
    hasNeighbors |= run.size() > 1;
  }
  size_t most = 0;
  for (auto [kind, count] : runsOf)
    most = std::max(most, count);
  auto recurring = llvm::count_if(
      runsOf, [](const auto &entry) { return entry.second > 1; });
  if (hasNeighbors && recurring < 2)
    return splitIntoElements(kinds, runs);
  Units best;
  if (most < 2)
    return best;
  size_t tried = 0;
  for (auto [kind, count] : runsOf) {
    if (count != most || tried == kMostTried)
      continue;
    ++tried;
    for (bool atEnd : {false, true}) {
      Units units = splitAt(kinds, runs, kind, atEnd);
      if (best.empty() || judge(kinds, units) < judge(kinds, best))
        best = std::move(units);
    }
  }
  return best;
}
