//===- SessionInitialize.cpp - What parameters and states start from ------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "common/Numbers.h"
#include "common/Random.h"
#include "driver/LongTask.h"
#include "driver/Session.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>

using namespace boost_rt;

/// Parses the finite number behind a prefix.
static std::optional<double> parseNumber(const std::string &rule,
                                         const std::string &prefix) {
  if (rule.compare(0, prefix.size(), prefix) != 0)
    return std::nullopt;
  const char *text = rule.c_str() + prefix.size();
  char *end = nullptr;
  double number = std::strtod(text, &end);
  if (end == text || *end || !std::isfinite(number))
    return std::nullopt;
  return number;
}

/// Parses a rule that gives all elements one value.
static std::optional<double> parseConstant(const std::string &rule) {
  if (rule == "ones" || rule == "zeros")
    return rule == "ones" ? 1 : 0;
  return parseNumber(rule, "constant:");
}

namespace {
/// Elements of a global tensor that lie side by side in all shards that have
/// them.
struct SharedPieces {
  struct Range {
    int64_t global, count;
  };
  std::vector<Range> ranges;
  /// By shard and range: where the elements are in its memory, or -1.
  std::vector<std::vector<int64_t>> local;
};
} // namespace

/// The union of the shards of several tensors of one global shape.
static SharedPieces merge(const std::vector<std::vector<Piece>> &shards) {
  SharedPieces shared;
  shared.local.resize(shards.size());
  std::vector<size_t> next(shards.size(), 0);
  for (int64_t at = 0;;) {
    // The next element that a shard has, and where the shards that have it
    // change.
    int64_t begin = std::numeric_limits<int64_t>::max(), end = begin;
    for (size_t i = 0; i < shards.size(); ++i)
      if (next[i] < shards[i].size())
        begin = std::min(begin, std::max(at, shards[i][next[i]].global));
    if (begin == end)
      return shared;
    for (size_t i = 0; i < shards.size(); ++i) {
      if (next[i] == shards[i].size())
        continue;
      const Piece &piece = shards[i][next[i]];
      end = std::min(end, piece.global > begin ? piece.global
                                               : piece.global + piece.count);
    }
    shared.ranges.push_back({begin, end - begin});
    for (size_t i = 0; i < shards.size(); ++i) {
      bool hasIt =
          next[i] < shards[i].size() && shards[i][next[i]].global <= begin;
      const Piece *piece = hasIt ? &shards[i][next[i]] : nullptr;
      shared.local[i].push_back(hasIt ? piece->local + (begin - piece->global)
                                      : -1);
      next[i] += hasIt && piece->global + piece->count == end;
    }
    at = end;
  }
}

/// Draws the values of tensors that start alike, each of them once.
void Session::draw(const std::vector<const Tensor *> &tensors,
                   const NormalStream &stream, double deviation) {
  std::vector<std::vector<Piece>> pieces;
  std::vector<std::unique_ptr<Device::Mapping>> mappings;
  for (const Tensor *tensor : tensors) {
    pieces.push_back(
        getPieces(Shard::of(*tensor, program.mesh, rank()), elementsAtOnce));
    mappings.emplace_back(new Device::Mapping(map(*tensor, Access::write)));
  }
  SharedPieces shared = merge(pieces);
  auto ranges = static_cast<int64_t>(shared.ranges.size());
  device->hostThreads().forTasks(ranges, [&](int64_t task, int) {
    float values[elementsAtOnce];
    auto range = static_cast<size_t>(task);
    auto [global, count] = shared.ranges[range];
    stream.write(global, count, deviation, values);
    for (size_t i = 0; i < tensors.size(); ++i) {
      ElementType type = tensors[i]->type;
      int64_t local = shared.local[i][range];
      if (local >= 0)
        convertElements(BOOST_RT_F32, values, type,
                        mappings[i]->data() + local * sizeOf(type), count);
    }
  });
}

/// Sets all elements to one value.
void Session::fill(const Tensor &tensor, float value) {
  if (value == 0 && tensor.strides.empty())
    return device->clear(tensor.offsetOn(stage()), tensor.bytes);
  int64_t width = sizeOf(tensor.type);
  std::vector<char> row(static_cast<size_t>(elementsAtOnce * width));
  for (int64_t i = 0; i < elementsAtOnce; ++i)
    if (!writeNumber(value, tensor.type, row.data() + i * width))
      refuse("tensor '", tensor.name, "' of type ", nameOf(tensor.type),
             " cannot start as ", value);
  Device::Mapping mapping = map(tensor, Access::write);
  forEachPiece(tensor, rank(), [&](const Piece &piece) {
    std::memcpy(mapping.data() + piece.local * width, row.data(),
                static_cast<size_t>(piece.count * width));
  });
}

void Session::clear(const Tensor &tensor) {
  if (has(tensor))
    fill(tensor, 0);
}

/// Fills tensors with the same initial value.
void Session::initializeAlike(const std::vector<const Tensor *> &tensors,
                              uint64_t seed) {
  const Tensor &initial = program.initialOf(*tensors.front());
  const std::string &rule = initial.init;
  auto deviation = parseNumber(rule, "normal:");
  if (deviation && *deviation >= 0)
    return draw(tensors, NormalStream(seed, initial.fileName()), *deviation);
  auto constant = parseConstant(rule);
  if (!constant)
    refuse("tensor '", initial.name, "' has the unknown initialization '", rule,
           "'; expected 'normal:STD', 'constant:VALUE', 'ones' or 'zeros'");
  for (const Tensor *tensor : tensors)
    fill(*tensor, static_cast<float>(*constant));
}

void Session::initialize(const std::vector<const Tensor *> &tensors,
                         uint64_t seed) {
  std::map<std::string, std::vector<const Tensor *>> alike;
  int64_t bytes = 0;
  for (const Tensor *tensor : ofThisStage(tensors)) {
    alike[program.initialOf(*tensor).name].push_back(tensor);
    bytes += tensor->bytes;
  }
  LongTask task("initial values", bytes, speaks());
  for (const auto &[name, group] : alike) {
    initializeAlike(group, seed);
    Activity::ofThisRank().advance();
    for (const Tensor *tensor : group)
      task.advance(tensor->bytes);
  }
}
