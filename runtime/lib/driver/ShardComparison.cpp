//===- ShardComparison.cpp - Shards against the logical tensor -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/ShardComparison.h"

#include <algorithm>
#include <cmath>

using namespace boost_rt;

/// "partial over tp", or nothing for a tensor that is complete.
static std::string describeForm(const Mesh &mesh, const Tensor &tensor) {
  std::string axes;
  for (size_t axis = 0; axis < mesh.getAxes().size(); ++axis)
    if (tensor.partial & (1u << axis))
      axes += (axes.empty() ? "" : ", ") + mesh.getAxes()[axis].name;
  return axes.empty() ? "" : "partial over " + axes;
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

/// On rank 0, which receives the shards of the others.
static Comparison receiveAndCompare(Session &session, const Tensor &tensor,
                                    const void *data,
                                    const ReferenceTensor &expected) {
  const Mesh &mesh = session.getProgram().mesh;
  int64_t count = tensor.localElements();
  std::map<int64_t, std::vector<double>> sums;
  std::vector<char> received(static_cast<size_t>(tensor.bytes));
  Comparison comparison(expected);
  for (int64_t rank = 0; rank < session.ranks(); ++rank) {
    if (rank != 0)
      session.getCommunicator().receive(received.data(), tensor.bytes, rank);
    std::vector<double> values =
        toDouble(tensor.type, rank == 0 ? data : received.data(), count);
    int64_t group = mesh.groupIndex(rank, tensor.partial);
    std::vector<double> &sum = sums[group];
    sum.resize(values.size());
    for (size_t i = 0; i < values.size(); ++i)
      sum[i] += values[i];
    // The last term of a sum: all ranks of the group have the same shard.
    if (mesh.groupPosition(rank, tensor.partial) + 1 !=
        mesh.groupSize(tensor.partial))
      continue;
    comparison.add(Shard::of(tensor, mesh, rank),
                   mesh.groupIndex(rank, shardAxes(tensor) | tensor.partial),
                   sum);
    sums.erase(group);
  }
  return comparison;
}

ComparedTensor boost_rt::compareShards(Session &session, const Probe &probe,
                                       const void *data,
                                       const ReferenceTensor &expected) {
  const Tensor &tensor = probe.tensor;
  ComparedTensor result{tensor.name,
                        probe.location,
                        probe.phase,
                        tensor.shape,
                        describeForm(session.getProgram().mesh, tensor),
                        tensor.type};
  if (session.rank() != 0) {
    session.getCommunicator().send(data, tensor.bytes, 0);
    return result;
  }
  result.bound = expected.bound;
  result.gainBound = expected.gainBound;
  for (double value : expected.values)
    if (std::isfinite(value))
      result.scale = std::max(result.scale, std::abs(value));
  Comparison comparison = receiveAndCompare(session, tensor, data, expected);
  result.error = comparison.getError();
  result.gain = comparison.getGain();
  return result;
}
