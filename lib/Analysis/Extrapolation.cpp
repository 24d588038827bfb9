//===- Extrapolation.cpp - What a step of many layers takes ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/Analysis/Extrapolation.h"

#include "llvm/ADT/STLExtras.h"

#include <numeric>

using namespace mlir;
using namespace mlir::boost;

using Calls = std::vector<OpCost>;
using Bytes = std::vector<double>;

//===----------------------------------------------------------------------===//
// Sums
//===----------------------------------------------------------------------===//

void StepEstimate::add(const StepEstimate &other, double times) {
  seconds += times * other.seconds;
  networkSeconds += times * other.networkSeconds;
  networkBytes += times * other.networkBytes;
  for (auto [kind, ofKind] : other.layers)
    layers[kind] += times * ofKind;
}

StepEstimate mlir::boost::getEstimate(const FunctionCost &cost) {
  StepEstimate estimate;
  estimate.seconds = cost.getSeconds();
  estimate.layers = cost.layers;
  auto found = cost.classes.find(OpClass::Collective);
  if (found != cost.classes.end()) {
    estimate.networkSeconds = found->second.seconds;
    estimate.networkBytes = found->second.networkBytes;
  }
  return estimate;
}

static StepEstimate sumCalls(const Calls &calls, const Machine &machine) {
  StepEstimate estimate;
  for (const OpCost &call : calls) {
    double seconds = machine.getSeconds(call);
    estimate.seconds += seconds;
    if (!call.message)
      continue;
    estimate.networkSeconds += seconds;
    estimate.networkBytes += call.message->getSentBytes();
  }
  estimate.layers[kOutsideOfLayers] = estimate.seconds;
  return estimate;
}

//===----------------------------------------------------------------------===//
// Calls that layers share
//===----------------------------------------------------------------------===//

static double sum(const Bytes &bytes) {
  return std::accumulate(bytes.begin(), bytes.end(), 0.0);
}

/// The call with other tensors.
static OpCost withTensors(OpCost call, Bytes tensors) {
  double change = sum(tensors) - sum(call.tensorBytes);
  (call.message ? call.message->bytes : call.memoryBytes) += change;
  call.tensorBytes = std::move(tensors);
  return call;
}

static Bytes collectTensors(const Calls &calls) {
  Bytes tensors;
  for (const OpCost &call : calls)
    llvm::append_range(tensors, call.tensorBytes);
  return tensors;
}

/// Calls like `kind` that take `tensors` in order, each as many as it may.
static Calls divideIntoCalls(const OpCost &kind, const Bytes &tensors,
                             int64_t bucketBytes) {
  auto hasRoom = [&](const Bytes &taken, double next) {
    if (kind.maxTensors)
      return static_cast<int64_t>(taken.size()) < kind.maxTensors;
    return sum(taken) + next <= static_cast<double>(bucketBytes);
  };
  Calls calls;
  Bytes taken;
  for (double tensor : tensors) {
    if (!taken.empty() && !hasRoom(taken, tensor))
      calls.push_back(withTensors(kind, std::exchange(taken, {})));
    taken.push_back(tensor);
  }
  if (!taken.empty())
    calls.push_back(withTensors(kind, taken));
  return calls;
}

static bool haveSameTensors(const Calls &calls, const Calls &others) {
  return llvm::equal(calls, others, [](const OpCost &a, const OpCost &b) {
    return a.tensorBytes == b.tensorBytes;
  });
}

/// `fewer` with what `more` has besides, `further` times in its place; nothing
/// if `more` is not `fewer` with something inserted.
static std::optional<Bytes>
repeatInsertion(const Bytes &fewer, const Bytes &more, int64_t further) {
  if (more.size() < fewer.size())
    return std::nullopt;
  auto [place, begin] = std::mismatch(fewer.begin(), fewer.end(), more.begin());
  auto end = begin + static_cast<int64_t>(more.size() - fewer.size());
  if (!std::equal(place, fewer.end(), end))
    return std::nullopt;
  Bytes result(fewer.begin(), place);
  for (int64_t i = 0; i < further; ++i)
    result.insert(result.end(), begin, end);
  result.insert(result.end(), place, fewer.end());
  return result;
}

/// Calls of one kind for more layers; nothing if those of the two programs are
/// not divided as divideIntoCalls does.
static std::optional<Calls> extrapolateCalls(const Calls &fewer,
                                             const Calls &more, int64_t further,
                                             int64_t bucketBytes) {
  Bytes ofFewer = collectTensors(fewer), ofMore = collectTensors(more);
  auto divide = [&](const Bytes &tensors) {
    return divideIntoCalls(more.front(), tensors, bucketBytes);
  };
  std::optional<Bytes> tensors = repeatInsertion(ofFewer, ofMore, further);
  if (!tensors || !haveSameTensors(divide(ofFewer), fewer) ||
      !haveSameTensors(divide(ofMore), more))
    return std::nullopt;
  return divide(*tensors);
}

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

static StepEstimate extrapolateFunction(const FunctionCost &fewer,
                                        const FunctionCost &more,
                                        int64_t further, int64_t bucketBytes,
                                        const Machine &machine) {
  auto times = static_cast<double>(further);
  StepEstimate estimate;
  auto addRepeated = [&](double factor, const StepEstimate &ofFewer,
                         const StepEstimate &ofMore) {
    estimate.add(ofFewer, factor * (1 - times));
    estimate.add(ofMore, factor * times);
  };
  addRepeated(1, getEstimate(fewer), getEstimate(more));
  for (const auto &[key, ofMore] : more.shared) {
    auto found = fewer.shared.find(key);
    Calls ofFewer = found == fewer.shared.end() ? Calls() : found->second;
    std::optional<Calls> calls =
        extrapolateCalls(ofFewer, ofMore, further, bucketBytes);
    if (!calls)
      continue;
    addRepeated(-1, sumCalls(ofFewer, machine), sumCalls(ofMore, machine));
    estimate.add(sumCalls(*calls, machine), 1);
  }
  return estimate;
}

StepEstimate
mlir::boost::getMergedEstimate(ArrayRef<const FunctionCost *> functions,
                               int64_t bucketBytes, const Machine &machine) {
  StepEstimate estimate;
  std::map<std::string, Calls> shared;
  for (const FunctionCost *function : functions) {
    estimate.add(getEstimate(*function));
    for (const auto &[key, calls] : function->shared) {
      estimate.add(sumCalls(calls, machine), -1);
      llvm::append_range(shared[key], calls);
    }
  }
  for (const auto &[key, calls] : shared)
    estimate.add(sumCalls(
        divideIntoCalls(calls.front(), collectTensors(calls), bucketBytes),
        machine));
  return estimate;
}

StepEstimate mlir::boost::getEstimate(const StepCost &cost) {
  StepEstimate estimate;
  for (const StepPart &part : cost.parts)
    estimate.add(getEstimate(part.cost), static_cast<double>(part.count));
  return estimate;
}

StepEstimate mlir::boost::extrapolate(const StepCost &fewer,
                                      const StepCost &more, int64_t further,
                                      int64_t bucketBytes,
                                      const Machine &machine) {
  StepEstimate estimate;
  for (auto [part, other] : llvm::zip_equal(fewer.parts, more.parts))
    estimate.add(extrapolateFunction(part.cost, other.cost, further,
                                     bucketBytes, machine),
                 static_cast<double>(part.count));
  return estimate;
}
