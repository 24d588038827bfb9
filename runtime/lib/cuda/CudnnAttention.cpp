//===- CudnnAttention.cpp - cuDNN's plans for attention -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cuDNN's engines for attention recognize graphs of elementary operations. This
// is the form that all versions from 9.8 on take; that of the forward pass and
// of its gradient follow FlashAttention-2 (Dao 2023, Algorithms 1 and 2), whose
// tiles are the engines' business.
//
//===----------------------------------------------------------------------===//

#include "cuda/CudnnAttention.h"
#include "common/Failure.h"

#include <limits>

using namespace boost_rt;
using namespace boost_rt::cudnn;
using namespace boost_rt::vendor;

//===----------------------------------------------------------------------===//
// Graphs
//===----------------------------------------------------------------------===//

namespace {

/// The tensors and scalars that a graph is executed with.
enum Id : int64_t {
  Q = 1,
  K,
  V,
  O,
  Lse,
  DO,
  DQ,
  DK,
  DV,
  RowSums,
  SumOfDQ,
  Scale,
  MinusInfinity,
  One
};

/// Builds the graph of one call. Dimensions are [batch, heads, rows, columns];
/// tensors of heads have [batch, rows, heads, columns] in memory.
class AttentionGraph {
public:
  explicit AttentionGraph(const AttentionCall &call)
      : call(call), type(call.type == BOOST_RT_BF16 ? dnnBFloat16 : dnnHalf),
        square{call.b, call.h, call.sq, call.sk},
        rows{call.b, call.h, call.sq, 1} {}

  void addForward();
  void addBackward();

  Graph graph;

private:
  /// The strides of heads of `length` rows in memory.
  Extents stridesOf(int64_t heads, int64_t length) const {
    return {length * heads * call.dh, call.dh, heads * call.dh, 1};
  }
  GraphTensor queries(Id id) {
    return graph.memory(id, type, {call.b, call.h, call.sq, call.dh},
                        stridesOf(call.h, call.sq));
  }
  GraphTensor keys(Id id) {
    return graph.memory(id, type, {call.b, call.kvh, call.sk, call.dh},
                        stridesOf(call.kvh, call.sk));
  }
  /// Returns the keys as transposed matrices, by exchanged strides.
  GraphTensor transposedKeys(Id id) {
    Extents strides = stridesOf(call.kvh, call.sk);
    std::swap(strides[2], strides[3]);
    return graph.memory(id, type, {call.b, call.kvh, call.dh, call.sk},
                        strides);
  }
  GraphTensor rowsInMemory(Id id) {
    return graph.memory(id, dnnFloat, rows, {call.h * call.sq, call.sq, 1, 1});
  }
  GraphTensor scores(int type = dnnFloat) {
    return graph.between(type, square);
  }
  GraphTensor rowsBetween() { return graph.between(dnnFloat, rows); }

  GraphTensor pointwise(int mode, GraphTensor x, GraphTensor b) {
    GraphTensor y = scores();
    graph.pointwise(mode, x, b, y);
    return y;
  }
  GraphTensor transpose(GraphTensor scores);
  GraphTensor getScaledScores(GraphTensor q, GraphTensor transposedK);
  GraphTensor hideLaterKeys(GraphTensor scores);
  void multiplyToKeys(GraphTensor transposedScores, GraphTensor queries,
                      GraphTensor y);

  const AttentionCall &call;
  const int type;
  const Extents square, rows;
};

} // namespace

/// The matrices of scores with rows and columns exchanged, rounded to the type
/// of the tensors, as factors of products are.
GraphTensor AttentionGraph::transpose(GraphTensor x) {
  auto [b, h, sq, sk] = square;
  GraphTensor y =
      graph.between(type, {b, h, sk, sq}, {h * sq * sk, sq * sk, 1, sk});
  graph.reshape(x, y);
  return y;
}

GraphTensor AttentionGraph::getScaledScores(GraphTensor q,
                                            GraphTensor transposedK) {
  GraphTensor product = scores();
  graph.matmul(q, transposedK, product);
  return pointwise(dnnMultiply, product, graph.scalar(Scale));
}

/// With causal, scores of keys behind the query become -inf.
GraphTensor AttentionGraph::hideLaterKeys(GraphTensor x) {
  if (!call.causal)
    return x;
  GraphTensor query = scores(dnnInt32), key = scores(dnnInt32),
              isSeen = scores(dnnBoolean), y = scores();
  graph.index(2, x, query);
  graph.index(3, x, key);
  graph.greaterOrEqual(query, key, isSeen);
  graph.select(isSeen, x, graph.scalar(MinusInfinity), y);
  return y;
}

void AttentionGraph::addForward() {
  GraphTensor q = queries(Q), k = transposedKeys(K), v = keys(V),
              o = queries(O);
  GraphTensor x = hideLaterKeys(getScaledScores(q, k));
  GraphTensor largest = rowsBetween(), sum = rowsBetween(), log = rowsBetween();
  graph.reduce(dnnReduceMax, x, largest);
  GraphTensor shifted = pointwise(dnnSubtract, x, largest);
  GraphTensor exponential = scores();
  graph.pointwise(dnnExp, shifted, std::nullopt, exponential);
  graph.reduce(dnnReduceAdd, exponential, sum);
  graph.pointwise(dnnLog, sum, std::nullopt, log);
  graph.pointwise(dnnAdd, largest, log, rowsInMemory(Lse));
  GraphTensor probabilities = scores(type);
  graph.pointwise(dnnDivide, exponential, sum, probabilities);
  graph.matmul(probabilities, v, o);
}

/// y = transposedScores queries, added up over the heads that share a key head.
void AttentionGraph::multiplyToKeys(GraphTensor transposedScores,
                                    GraphTensor queries, GraphTensor y) {
  if (call.h == call.kvh)
    return graph.matmul(transposedScores, queries, y);
  GraphTensor ofAllHeads =
      graph.between(type, {call.b, call.h, call.sk, call.dh});
  graph.matmul(transposedScores, queries, ofAllHeads);
  graph.reduce(dnnReduceAdd, ofAllHeads, y);
}

void AttentionGraph::addBackward() {
  GraphTensor q = queries(Q), k = transposedKeys(K), v = transposedKeys(V),
              o = queries(O), dO = queries(DO), lse = rowsInMemory(Lse);
  // The sum over a row of dO * O, which is that of dP * P.
  GraphTensor product = graph.between(
      dnnFloat, {call.b, call.h, call.sq, call.dh},
      {call.h * call.sq * call.dh, call.sq * call.dh, call.h * call.dh, 1});
  GraphTensor sum = rowsBetween(), rowSums = rowsInMemory(RowSums);
  graph.pointwise(dnnMultiply, dO, o, product);
  graph.reduce(dnnReduceAdd, product, sum);
  graph.pointwise(dnnMultiply, sum, graph.scalar(One), rowSums);
  // P = exp(scale Q K^T - lse), and dV = P^T dO.
  GraphTensor x = pointwise(dnnSubtract, getScaledScores(q, k), lse);
  GraphTensor probabilities = scores();
  graph.pointwise(dnnExp, hideLaterKeys(x), std::nullopt, probabilities);
  multiplyToKeys(transpose(probabilities), dO, keys(DV));
  // dS = scale P * (dO V^T - the sum of its row), and dK = dS^T Q.
  GraphTensor dP = scores();
  graph.matmul(dO, v, dP);
  GraphTensor centered = pointwise(dnnSubtract, dP, rowSums);
  GraphTensor dS =
      pointwise(dnnMultiply, pointwise(dnnMultiply, centered, probabilities),
                graph.scalar(Scale));
  multiplyToKeys(transpose(dS), q, keys(DK));
  // dQ = dS K: added up in memory, or, to have one order, from a stored dS.
  GraphTensor rightK =
      graph.between(dnnFloat, {call.b, call.kvh, call.sk, call.dh},
                    stridesOf(call.kvh, call.sk));
  graph.reshape(k, rightK);
  if (call.isDeterministic)
    return graph.matmul(dS, rightK, queries(DQ));
  GraphTensor added =
      graph.memory(SumOfDQ, dnnFloat, {call.b, call.h, call.sq, call.dh},
                   {call.h * call.sq * call.dh, call.sq * call.dh, call.dh, 1});
  graph.matmul(dS, rightK, added);
  graph.pointwise(dnnIdentity, added, std::nullopt, queries(DQ));
}

//===----------------------------------------------------------------------===//
// Plans
//===----------------------------------------------------------------------===//

/// cuDNN 9.18 has the version 91800.
static int64_t versionOf(int64_t major, int64_t minor, int64_t patch = 0) {
  return major * 10000 + minor * 100 + patch;
}

AttentionTraits AttentionCall::getTraits() const {
  AttentionTraits traits = {};
  traits.b = b;
  traits.sq = sq;
  traits.sk = sk;
  traits.h = h;
  traits.kvh = kvh;
  traits.dh = dh;
  traits.isBF16OrF16 = type == BOOST_RT_BF16 || type == BOOST_RT_F16;
  traits.isBackward = isBackward;
  traits.isDeterministic = isDeterministic;
  return traits;
}

/// Returns why this version must not be asked, or an empty string.
static std::string findFault(const AttentionCall &call, int64_t architecture,
                             int64_t version) {
  if (version == versionOf(9, 10) || version == versionOf(9, 10, 1))
    return "cuDNN 9.10.0 and 9.10.1 compute attention wrongly";
  if (call.isBackward && (call.sq % 128 != 0 || call.sk % 128 != 0) &&
      version <= versionOf(9, 15))
    return "cuDNN up to 9.15 computes gradients of attention for multiples of "
           "128 queries and keys only";
  if (call.isBackward && call.isDeterministic && architecture >= 100 &&
      version < versionOf(9, 18))
    return "cuDNN before 9.18 has no deterministic gradient of attention for "
           "this GPU; use --nondeterministic";
  return "";
}

/// The engine that is deterministic on Blackwell GPUs, which heuristics do not
/// propose. Before them, determinism is a matter of the graph.
static std::optional<Engine> findEngine(const AttentionCall &call,
                                        int64_t architecture, int64_t version) {
  if (!call.isBackward || !call.isDeterministic || architecture < 100)
    return std::nullopt;
  int64_t index = architecture > 103 ? 17 : 5;
  if (version < versionOf(9, 23))
    return Engine{index, {{dnnKnobStages, 2}, {dnnKnobKernel, 31}}};
  return Engine{index,
                {{dnnKnobStages, 2},
                 {dnnKnobStreamK, 0},
                 {dnnKnobKernel, 2},
                 {dnnKnobClusterM, 0},
                 {dnnKnobTileN, 2},
                 {dnnKnobTileM, 3}}};
}

AttentionPlan::AttentionPlan(const AttentionCall &call, const Device &device,
                             int64_t architecture)
    : call(call), rowBytes(attentionRowBytes(call.getTraits())),
      ownBytes(rowBytes + attentionSumBytes(call.getTraits())) {
  auto version = static_cast<int64_t>(functions().cudnnGetVersion());
  problem = findFault(call, architecture, version);
  if (!problem.empty())
    return;
  AttentionGraph attention(call);
  if (call.isBackward)
    attention.addBackward();
  else
    attention.addForward();
  plan = std::make_unique<Plan>(attention.graph, device,
                                findEngine(call, architecture, version));
  problem = plan->getProblem();
}

void AttentionPlan::run(DnnHandle handle, const AttentionTensors &tensors,
                        float scale, char *workspace) const {
  static constexpr float minusInfinity =
      -std::numeric_limits<float>::infinity();
  static constexpr float one = 1;
  std::vector<std::pair<int64_t, const void *>> given = {
      {Q, tensors.q}, {K, tensors.k},     {V, tensors.v},
      {O, tensors.o}, {Lse, tensors.lse}, {Scale, &scale}};
  if (call.causal)
    given.push_back({MinusInfinity, &minusInfinity});
  if (call.isBackward)
    given.insert(given.end(), {{DO, tensors.dO},
                               {DQ, tensors.dQ},
                               {DK, tensors.dK},
                               {DV, tensors.dV},
                               {One, &one},
                               {RowSums, workspace}});
  if (call.isBackward && !call.isDeterministic)
    given.push_back({SumOfDQ, workspace + rowBytes});
  plan->execute(handle, given, workspace + ownBytes);
}
