//===- ShardComparison.cpp - Shards against the logical tensor -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/ShardComparison.h"

#include <algorithm>
#include <cmath>
#include <set>

using namespace boost_rt;

/// The axis of the pipeline as a group, which is empty without one.
static uint32_t pipelineAxis(const Program &program) {
  return program.pipelineAxis ? 1u << *program.pipelineAxis : 0;
}

/// "partial over tp, of stage 1", or nothing for a tensor that is complete on
/// all ranks.
static std::string describeForm(const Program &program,
                                const ShownTensor &shown) {
  uint32_t partial = shown.parts.front().tensor.partial |
                     (shown.isSum ? pipelineAxis(program) : 0);
  std::string axes, stages;
  for (size_t axis = 0; axis < program.mesh.getAxes().size(); ++axis)
    if (partial & (1u << axis))
      axes += (axes.empty() ? "" : ", ") + program.mesh.getAxes()[axis].name;
  std::set<int64_t> having;
  for (const ShownPart &part : shown.parts)
    having.insert(part.stages.begin(), part.stages.end());
  for (int64_t stage : having)
    stages += concat(stages.empty() ? "" : ", ", stage);
  std::string form = axes.empty() ? "" : "partial over " + axes;
  if (program.pipelineAxis)
    form += concat(form.empty() ? "" : ", ", "of stage ", stages);
  return form;
}

static std::vector<double> toDouble(ElementType type, const void *data,
                                    int64_t count) {
  std::vector<double> values(static_cast<size_t>(count));
  convertElements(type, data, BOOST_RT_F64, values.data(), count);
  return values;
}

static double distance(double value, double expected) {
  if (std::isnan(value) != std::isnan(expected))
    return HUGE_VAL;
  double difference = std::abs(value - expected);
  return std::isnan(difference) ? 0 : difference;
}

/// The axes over which a tensor is sharded.
static uint32_t shardAxes(const Tensor &tensor) {
  uint32_t axes = 0;
  for (const std::vector<unsigned> &axesOfDimension : tensor.split)
    for (unsigned axis : axesOfDimension)
      axes |= 1u << axis;
  return axes;
}

namespace {
/// Compares the shards of a tensor with the reference, one after the other.
class Comparison {
public:
  explicit Comparison(const ReferenceTensor &expected) : expected(expected) {
    for (double value : expected.values)
      if (std::isfinite(value))
        square += value * value;
  }

  /// Ranks with the shards of one logical tensor have one number as `copy`.
  void add(const Shard &shard, int64_t copy,
           const std::vector<double> &values) {
    double &product = products[copy];
    shard.forEachRun([&](int64_t global, int64_t local, int64_t run) {
      for (int64_t i = 0; i < run; ++i) {
        double value = values[static_cast<size_t>(local + i)];
        double wanted = expected.values[static_cast<size_t>(global + i)];
        error = std::max(error, distance(value, wanted));
        if (std::isfinite(value) && std::isfinite(wanted))
          product += (value - wanted) * wanted;
      }
    });
  }

  double getError() const { return error; }

  /// Returns the gain of the copy with the largest one.
  double getGain() const {
    double largest = 0;
    for (const auto &[copy, product] : products)
      if (std::abs(product) > std::abs(largest))
        largest = product;
    return square > 0 ? largest / square : 0;
  }

private:
  const ReferenceTensor &expected;
  std::map<int64_t, double> products;
  double square = 0, error = 0;
};
} // namespace

namespace {
/// The terms of a sum that have arrived.
struct Sum {
  std::vector<double> values;
  int64_t terms = 0;

  void add(const std::vector<double> &term) {
    values.resize(term.size());
    for (size_t i = 0; i < term.size(); ++i)
      values[i] += term[i];
    ++terms;
  }
};

/// Compares a tensor on rank 0, which receives the shards of the others.
class TensorComparison {
public:
  TensorComparison(Session &session, const ShownTensor &shown,
                   const ReferenceTensor &expected)
      : session(session), program(session.getProgram()), mesh(program.mesh),
        shown(shown), comparison(expected) {}

  Comparison run() {
    for (const ShownPart &part : shown.parts) {
      for (int64_t rank = 0; rank < session.ranks(); ++rank)
        if (hasPart(part, program.stageOf(rank)))
          add(part, rank);
      if (!shown.isSum)
        sums.clear();
    }
    return comparison;
  }

  static bool hasPart(const ShownPart &part, int64_t stage) {
    return std::count(part.stages.begin(), part.stages.end(), stage) > 0;
  }

private:
  std::vector<double> receive(const ShownPart &part, int64_t rank) {
    const Tensor &tensor = part.tensor;
    if (rank == 0)
      return toDouble(tensor.type, part.elements.data(),
                      tensor.localElements());
    received.resize(static_cast<size_t>(tensor.bytes));
    session.getCommunicator().receive(received.data(), tensor.bytes, rank);
    return toDouble(tensor.type, received.data(), tensor.localElements());
  }

  /// Adds what a rank has to the sum that it is a term of. With the last term
  /// the sum is compared: all ranks of the group have the same shard.
  void add(const ShownPart &part, int64_t rank) {
    const Tensor &tensor = part.tensor;
    uint32_t summed =
        tensor.partial | (shown.isSum ? pipelineAxis(program) : 0);
    Sum &sum = sums[mesh.groupIndex(rank, summed)];
    sum.add(receive(part, rank));
    if (sum.terms < mesh.groupSize(tensor.partial) * countParts())
      return;
    uint32_t divided = shardAxes(tensor) | summed;
    if (!tensor.stack.empty())
      divided |= pipelineAxis(program);
    comparison.add(Shard::of(tensor, mesh, rank),
                   mesh.groupIndex(rank, divided), sum.values);
    sums.erase(mesh.groupIndex(rank, summed));
  }

  /// Returns the number of terms that the stages have of the sum.
  int64_t countParts() const {
    if (!shown.isSum)
      return 1;
    int64_t count = 0;
    for (const ShownPart &part : shown.parts)
      count += static_cast<int64_t>(part.stages.size());
    return count;
  }

  Session &session;
  const Program &program;
  const Mesh &mesh;
  const ShownTensor &shown;
  Comparison comparison;
  std::map<int64_t, Sum> sums;
  std::vector<char> received;
};
} // namespace

ComparedTensor boost_rt::compareShards(Session &session,
                                       const ShownTensor &shown,
                                       const ReferenceTensor &expected) {
  const Tensor &tensor = shown.parts.front().tensor;
  ComparedTensor result{shown.name,
                        shown.location,
                        shown.phase,
                        tensor.shape,
                        describeForm(session.getProgram(), shown),
                        tensor.type};
  if (session.rank() != 0) {
    for (const ShownPart &part : shown.parts)
      if (TensorComparison::hasPart(part, session.stage()))
        session.getCommunicator().send(part.elements.data(), part.tensor.bytes,
                                       0);
    return result;
  }
  result.bound = expected.bound;
  result.gainBound = expected.gainBound;
  for (double value : expected.values)
    if (std::isfinite(value))
      result.scale = std::max(result.scale, std::abs(value));
  Comparison comparison = TensorComparison(session, shown, expected).run();
  result.error = comparison.getError();
  result.gain = comparison.getGain();
  return result;
}
