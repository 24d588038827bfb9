//===- AccessPattern.cpp - Which units of memory are touched --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Most questions are answered by the bounds of two patterns or by the distance
// of equal ones; what is left is compared run by run.
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/Dialect/BoostRT/IR/AccessPattern.h"
#include "boost-mlir/Dialect/BoostRT/IR/StridedLayout.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::boost::rt;

AccessPattern::AccessPattern(int64_t begin, ArrayRef<int64_t> sizes,
                             ArrayRef<int64_t> strides, int64_t unit)
    : begin(begin) {
  if (llvm::is_contained(sizes, 0))
    return;
  length = unit;
  SmallVector<Dim> found;
  for (auto [size, stride] : llvm::zip_equal(sizes, strides)) {
    if (size == 1)
      continue;
    this->begin += (size - 1) * std::min<int64_t>(stride, 0);
    found.push_back({size, std::abs(stride)});
  }
  llvm::sort(found, [](const Dim &a, const Dim &b) {
    return std::pair(a.stride, a.size) < std::pair(b.stride, b.size);
  });
  for (auto [size, stride] : found)
    addDim(size, stride);
}

/// Runs that touch or overlap are one, and so are dimensions that continue each
/// other.
void AccessPattern::addDim(int64_t size, int64_t stride) {
  if (dims.empty()) {
    if (stride <= length)
      length += (size - 1) * stride;
    else
      dims.push_back({size, stride});
    return;
  }
  Dim &last = dims.back();
  int64_t steps = stride / last.stride;
  if (stride % last.stride == 0 && steps <= last.size)
    last.size += (size - 1) * steps;
  else
    dims.push_back({size, stride});
}

AccessPattern AccessPattern::get(MemRefType type, int64_t begin, int64_t unit) {
  SmallVector<int64_t> strides = getStaticStrides(type);
  for (int64_t &stride : strides)
    stride *= unit;
  return AccessPattern(begin, type.getShape(), strides, unit);
}

int64_t AccessPattern::getEnd() const {
  int64_t end = begin + length;
  for (auto [size, stride] : dims)
    end += (size - 1) * stride;
  return end;
}

bool AccessPattern::isRegular() const {
  int64_t span = length;
  for (auto [size, stride] : dims) {
    if (stride < span)
      return false;
    span += (size - 1) * stride;
  }
  return true;
}

bool AccessPattern::isListable() const {
  constexpr int64_t kMostRuns = int64_t(1) << 26;
  int64_t runs = 1;
  for (auto [size, stride] : dims)
    if (llvm::MulOverflow(runs, size, runs) || runs > kMostRuns)
      return false;
  return true;
}

int64_t AccessPattern::count() const {
  if (isRegular()) {
    int64_t units = length;
    for (auto [size, stride] : dims)
      units *= size;
    return units;
  }
  if (!isListable())
    return -1;
  int64_t units = 0;
  for (auto [from, to] : getIntervals())
    units += to - from;
  return units;
}

std::vector<AccessPattern::Interval> AccessPattern::getIntervals() const {
  std::vector<Interval> runs;
  if (isEmpty())
    return runs;
  runs.push_back({begin, begin + length});
  for (auto [size, stride] : dims) {
    size_t inner = runs.size();
    runs.reserve(inner * size);
    for (int64_t i = 1; i < size; ++i)
      for (size_t j = 0; j < inner; ++j)
        runs.push_back(
            {runs[j].first + i * stride, runs[j].second + i * stride});
  }
  if (!isRegular())
    llvm::sort(runs);
  std::vector<Interval> joined;
  for (Interval run : runs) {
    if (!joined.empty() && run.first <= joined.back().second)
      joined.back().second = std::max(joined.back().second, run.second);
    else
      joined.push_back(run);
  }
  return joined;
}

void AccessPattern::appendKey(std::vector<int64_t> &key) const {
  key.push_back(length);
  key.push_back(static_cast<int64_t>(dims.size()));
  for (auto [size, stride] : dims) {
    key.push_back(size);
    key.push_back(stride);
  }
}

std::optional<int64_t>
AccessPattern::findShift(const AccessPattern &other) const {
  if (dims != other.dims)
    return std::nullopt;
  for (auto [inner, outer] : llvm::zip(dims, llvm::drop_begin(dims)))
    if (outer.stride < inner.size * inner.stride)
      return std::nullopt;
  int64_t shift = other.begin - begin, stride = dims.front().stride;
  // Both runs lie between the begin of one run and that of the next.
  bool apart = shift + other.length <= stride && length - shift <= stride;
  return apart ? std::optional(shift) : std::nullopt;
}

std::optional<bool>
AccessPattern::containsByForm(const AccessPattern &other) const {
  if (other.isEmpty())
    return true;
  if (other.begin < begin || other.getEnd() > getEnd())
    return false;
  // If there are as many runs at equal distances, each is inside one.
  if (isContiguous() || dims == other.dims)
    return true;
  if (!isListable() || !other.isListable())
    return false;
  return std::nullopt;
}

bool AccessPattern::containsRuns(const AccessPattern &other) const {
  auto runs = getIntervals();
  auto run = runs.begin();
  for (auto [from, to] : other.getIntervals()) {
    // The last run ends where the other pattern does, or behind it.
    while (run->second <= from)
      ++run;
    if (run->first > from || run->second < to)
      return false;
  }
  return true;
}

bool AccessPattern::contains(const AccessPattern &other) const {
  std::optional<bool> answer = containsByForm(other);
  return answer ? *answer : containsRuns(other);
}

std::optional<bool>
AccessPattern::intersectsByForm(const AccessPattern &other) const {
  if (isEmpty() || other.isEmpty() || other.begin >= getEnd() ||
      begin >= other.getEnd())
    return false;
  if (isContiguous() && other.isContiguous())
    return true;
  if (std::optional<int64_t> shift = findShift(other))
    return *shift < length && -*shift < other.length;
  if (!isListable() || !other.isListable())
    return true;
  return std::nullopt;
}

bool AccessPattern::intersectsRuns(const AccessPattern &other) const {
  auto runs = getIntervals();
  auto run = runs.begin();
  for (auto [from, to] : other.getIntervals()) {
    while (run != runs.end() && run->second <= from)
      ++run;
    if (run != runs.end() && run->first < to)
      return true;
  }
  return false;
}

bool AccessPattern::intersects(const AccessPattern &other) const {
  std::optional<bool> answer = intersectsByForm(other);
  return answer ? *answer : intersectsRuns(other);
}

static std::vector<int64_t> getKey(int64_t question, const AccessPattern &a,
                                   const AccessPattern &b) {
  std::vector<int64_t> key = {question, b.getBegin() - a.getBegin()};
  a.appendKey(key);
  b.appendKey(key);
  return key;
}

bool PatternRelations::contains(const AccessPattern &outer,
                                const AccessPattern &inner) {
  if (std::optional<bool> answer = outer.containsByForm(inner))
    return *answer;
  auto [it, isNew] = known.try_emplace(getKey(0, outer, inner));
  if (isNew)
    it->second = outer.containsRuns(inner);
  return it->second;
}

bool PatternRelations::intersects(const AccessPattern &a,
                                  const AccessPattern &b) {
  if (std::optional<bool> answer = a.intersectsByForm(b))
    return *answer;
  auto [it, isNew] = known.try_emplace(getKey(1, a, b));
  if (isNew)
    it->second = a.intersectsRuns(b);
  return it->second;
}
