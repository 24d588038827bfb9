//===- StageLayout.cpp - The layers of pipeline stages --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StageLayout.h"

#include "boost-mlir/Interfaces/ShardingRuleOpInterface.h"
#include <limits>
#include <numeric>

using namespace mlir;
using namespace mlir::boost;

SmallVector<int64_t> mlir::boost::divideEvenly(ArrayRef<double> weights,
                                               int64_t parts) {
  auto count = static_cast<int64_t>(weights.size());
  SmallVector<double> sums(count + 1);
  std::partial_sum(weights.begin(), weights.end(), sums.begin() + 1);
  // most[p][n]: the largest run of the first n elements in p runs; last[p][n]:
  // where the last of these begins.
  constexpr double kImpossible = std::numeric_limits<double>::infinity();
  SmallVector<double> most(count + 1, kImpossible);
  most[0] = 0;
  SmallVector<SmallVector<int64_t>> last;
  for ([[maybe_unused]] int64_t part : llvm::seq(parts)) {
    SmallVector<double> next(count + 1, kImpossible);
    SmallVector<int64_t> begins(count + 1);
    for (int64_t end : llvm::seq_inclusive<int64_t>(1, count))
      for (int64_t begin : llvm::seq(end)) {
        double largest = std::max(most[begin], sums[end] - sums[begin]);
        if (largest < next[end]) {
          next[end] = largest;
          begins[end] = begin;
        }
      }
    most = std::move(next);
    last.push_back(std::move(begins));
  }
  SmallVector<int64_t> lengths(parts);
  for (int64_t part = parts - 1, end = count; part >= 0; --part) {
    lengths[part] = end - last[part][end];
    end = last[part][end];
  }
  return lengths;
}

/// Returns the floating-point operations of each layer, in its forward and its
/// backward pass, with those outside of the layers that would be in its chunk.
static SmallVector<double> countWork(func::FuncOp function,
                                     const LayerChunks &layers) {
  // Operations are divided and erased while they are assigned.
  OwningOpRef<func::FuncOp> copy = function.clone();
  LayerChunks apart = layers;
  for (auto [i, layer] : llvm::enumerate(apart))
    layer.second = static_cast<int64_t>(i);
  PipelineWork last = PipelineWork::Forward;
  copy->walk([&](PhaseOp op) {
    if (op.getPhase() == Phase::Backward)
      last = PipelineWork::Backward;
  });
  StageCalls calls(static_cast<int64_t>(apart.size()), last);
  SmallVector<double> work(apart.size());
  DenseMap<Operation *, int64_t> assigned = assignCalls(*copy, calls, apart);
  for (auto op : copy->getOps<ShardingRuleOpInterface>())
    if (auto call = assigned.find(op); call != assigned.end())
      work[calls.getChunk(call->second)] += op.getShardingRule().getFlops();
  return work;
}

FailureOr<LayerChunks> mlir::boost::assignLayers(func::FuncOp function,
                                                 ArrayRef<int64_t> layout,
                                                 int64_t chunks) {
  LayerChunks layers = findLayerOrder(function);
  auto count = static_cast<int64_t>(layers.size());
  if (count < chunks)
    return emitError(function.getLoc())
           << "expects at least one layer for each of " << chunks
           << " parts of the pipeline, but found " << count
           << "; use fewer stages";
  SmallVector<int64_t> lengths(layout);
  if (lengths.empty())
    lengths = divideEvenly(countWork(function, layers), chunks);
  int64_t sum = std::accumulate(lengths.begin(), lengths.end(), int64_t(0));
  bool arePositive = llvm::all_of(lengths, [](int64_t n) { return n > 0; });
  if (static_cast<int64_t>(lengths.size()) != chunks || sum != count ||
      !arePositive) {
    InFlightDiagnostic diag = emitError(function.getLoc());
    diag << "expects a layout of " << chunks
         << " positive numbers whose sum is " << count
         << ", the number of layers, but got ";
    llvm::interleaveComma(lengths, diag);
    return diag;
  }
  auto layer = layers.begin();
  for (auto [chunk, length] : llvm::enumerate(lengths))
    for (int64_t i = 0; i < length; ++i, ++layer)
      layer->second = static_cast<int64_t>(chunk);
  return layers;
}
