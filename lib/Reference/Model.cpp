//===- Model.cpp - Reference rules of model blocks ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From the descriptions of the operations, by their formulas.
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/Dialect/Boost/IR/Boost.h"
#include "boost-mlir/Reference/Evaluator.h"
#include <cmath>

using namespace mlir;
using namespace mlir::boost;
using namespace mlir::boost::reference;

using Operands = ArrayRef<const Tensor *>;
using Results = MutableArrayRef<Tensor>;

static Tensor normalize(const Tensor &input, const Tensor &gamma, double eps,
                        const Roundoff &roundoff) {
  Tensor result(input.type);
  Type type = input.elementType();
  size_t width = gamma.data.size();
  for (size_t row = 0; row < input.data.size(); row += width) {
    Sum sum;
    for (size_t i = 0; i < width; ++i)
      sum.add(input.data[row + i] * input.data[row + i]);
    double mean = roundoff.sum(sum, type) / static_cast<double>(width);
    double scale = roundoff.function(1 / std::sqrt(mean + eps), type);
    for (size_t i = 0; i < width; ++i)
      result.data[row + i] = input.data[row + i] * scale * gamma.data[i];
  }
  return result;
}

/// Columns [first, first + inner) of x [rows, width] times weight [inner, n].
static void multiply(const Tensor &x, int64_t width, int64_t first,
                     ArrayRef<double> weight, int64_t inner,
                     MutableArrayRef<double> result, const Roundoff &roundoff) {
  int64_t columns = static_cast<int64_t>(weight.size()) / inner;
  int64_t rows = static_cast<int64_t>(x.data.size()) / width;
  for (int64_t row = 0; row < rows; ++row)
    for (int64_t column = 0; column < columns; ++column) {
      Sum sum;
      for (int64_t i = 0; i < inner; ++i)
        sum.add(x.data[row * width + first + i] * weight[i * columns + column]);
      result[row * columns + column] = roundoff.sum(sum, x.elementType());
    }
}

/// Every branch reads its columns of the latent [rows, width], one after the
/// other.
static void multiplyBranches(const Tensor &latent, int64_t width, Operands ups,
                             Results results, const Roundoff &roundoff) {
  int64_t first = 0;
  for (auto [up, result] : llvm::zip(ups, results)) {
    int64_t inner = up->shape().drop_back().back();
    int64_t branches = up->shape().size() == 3 ? up->shape()[0] : 1;
    ArrayRef<double> weights(up->data);
    MutableArrayRef<double> written(result.data);
    size_t weightSize = weights.size() / branches;
    size_t resultSize = written.size() / branches;
    for (int64_t branch = 0; branch < branches; ++branch, first += inner)
      multiply(latent, width, first,
               weights.slice(branch * weightSize, weightSize), inner,
               written.slice(branch * resultSize, resultSize), roundoff);
  }
}

static LogicalResult evaluateBottleneck(Operation *op, Operands operands,
                                        Results results, Evaluator &evaluator) {
  const Roundoff &roundoff = evaluator.getRoundoff();
  auto bottleneck = cast<BottleneckOp>(op);
  BottleneckOp::Adaptor indices(bottleneck);
  size_t next = 0;
  Tensor x = *operands[next++];
  if (bottleneck.getGamma())
    x = normalize(x, *operands[next++], bottleneck.getEps()->convertToDouble(),
                  roundoff);
  const Tensor &down = *operands[next++];
  Operands ups = operands.slice(next, bottleneck.getUps().size());
  next += ups.size();

  SmallVector<int64_t> latentShape(x.shape().drop_back());
  llvm::append_range(latentShape, down.shape().drop_front());
  Tensor latent(RankedTensorType::get(latentShape, x.elementType()));
  int64_t d = down.shape()[0];
  multiply(x, d, 0, down.data, d, latent.data, roundoff);
  if (bottleneck.getLatentOut())
    results.back().data = latent.data;
  if (bottleneck.getLatent())
    for (auto [h, previous] :
         llvm::zip_equal(latent.data, operands[next]->data))
      h += previous;
  if (bottleneck.getActivation() == Activation::Silu)
    for (double &h : latent.data)
      h = roundoff.function(h / (1 + std::exp(-h)), x.elementType());

  multiplyBranches(latent,
                   ShapedType::getNumElements(down.shape().drop_front()), ups,
                   results, roundoff);
  return success();
}

namespace {
/// Softmax weights of one query position of one head.
struct Attention {
  const Tensor &query, &key;
  double scale;
  bool causal;
  const Roundoff &roundoff;

  int64_t keyHead(int64_t head) const {
    return head / (query.shape()[2] / key.shape()[2]);
  }

  Type getComputeType() const {
    Type type = query.elementType();
    return type.isF64() ? type : Float32Type::get(type.getContext());
  }

  /// Fills `weights` over key positions; returns the log of the denominator.
  double weights(int64_t batch, int64_t head, int64_t position,
                 std::vector<double> &weights) const {
    int64_t visible = causal ? position + 1 : key.shape()[1];
    weights.assign(key.shape()[1], 0);
    // Scores and weights are f32 (f64 for f64) whatever the inputs are.
    Type type = getComputeType();
    double largest = -INFINITY;
    for (int64_t j = 0; j < visible; ++j) {
      Sum dot;
      for (int64_t i = 0; i < query.shape()[3]; ++i)
        dot.add(query.at({batch, position, head, i}) *
                key.at({batch, j, keyHead(head), i}));
      weights[j] = roundoff.step(roundoff.sum(dot, type) * scale, type);
      largest = std::max(largest, weights[j]);
    }
    Sum sum;
    for (int64_t j = 0; j < visible; ++j) {
      double exponent = roundoff.step(weights[j] - largest, type);
      weights[j] = roundoff.function(std::exp(exponent), type);
      sum.add(weights[j]);
    }
    double denominator = roundoff.sum(sum, type);
    for (int64_t j = 0; j < visible; ++j)
      weights[j] = roundoff.step(weights[j] / denominator, type);
    return largest + roundoff.function(std::log(denominator), type);
  }
};
} // namespace

/// Calls `body(batch, head, position)` for every query position.
static void
forEachQuery(const Tensor &query,
             llvm::function_ref<void(int64_t, int64_t, int64_t)> body) {
  forEachIndex(query.shape().take_front(3), [&](ArrayRef<int64_t> index) {
    body(index[0], index[2], index[1]);
  });
}

static LogicalResult evaluateAttention(Operation *op, Operands operands,
                                       Results results, Evaluator &evaluator) {
  auto attention = cast<AttentionOp>(op);
  const Tensor &query = *operands[0], &value = *operands[2];
  const Roundoff &roundoff = evaluator.getRoundoff();
  Attention softmax{query, *operands[1], attention.getScale().convertToDouble(),
                    attention.getCausal(), roundoff};
  std::vector<double> weights;
  forEachQuery(query, [&](int64_t batch, int64_t head, int64_t position) {
    results[1].at({batch, head, position}) =
        softmax.weights(batch, head, position, weights);
    for (int64_t i = 0; i < value.shape()[3]; ++i) {
      Sum sum;
      for (int64_t j = 0; j < value.shape()[1]; ++j)
        sum.add(weights[j] * value.at({batch, j, softmax.keyHead(head), i}));
      results[0].at({batch, position, head, i}) =
          roundoff.sum(sum, softmax.getComputeType());
    }
  });
  return success();
}

namespace {
/// Adds to elements of a tensor of zeros, each in a sum of its own.
class Accumulator {
public:
  explicit Accumulator(Tensor &tensor)
      : tensor(tensor), sums(tensor.data.size()) {}

  void add(ArrayRef<int64_t> index, double term) {
    sums[&tensor.at(index) - tensor.data.data()].add(term);
  }
  void finish(const Roundoff &roundoff, Type type) {
    for (auto [value, sum] : llvm::zip_equal(tensor.data, sums))
      value = roundoff.sum(sum, type);
  }

private:
  Tensor &tensor;
  std::vector<Sum> sums;
};
} // namespace

static LogicalResult evaluateAttentionGrad(Operation *op, Operands operands,
                                           Results results,
                                           Evaluator &evaluator) {
  auto attention = cast<AttentionGradOp>(op);
  const Tensor &query = *operands[0], &key = *operands[1],
               &value = *operands[2], &grad = *operands[5];
  const Roundoff &roundoff = evaluator.getRoundoff();
  double scale = attention.getScale().convertToDouble();
  Attention softmax{query, key, scale, attention.getCausal(), roundoff};
  Type type = softmax.getComputeType();
  Accumulator dQuery(results[0]), dKey(results[1]), dValue(results[2]);
  std::vector<double> weights, dWeights(key.shape()[1]);
  forEachQuery(query, [&](int64_t batch, int64_t head, int64_t position) {
    int64_t keyHead = softmax.keyHead(head);
    softmax.weights(batch, head, position, weights);
    Sum mean; // of weight times its gradient
    for (int64_t j = 0; j < key.shape()[1]; ++j) {
      Sum dot;
      for (int64_t i = 0; i < value.shape()[3]; ++i) {
        double g = grad.at({batch, position, head, i});
        dot.add(g * value.at({batch, j, keyHead, i}));
        dValue.add({batch, j, keyHead, i}, weights[j] * g);
      }
      dWeights[j] = roundoff.sum(dot, type);
      mean.add(weights[j] * dWeights[j]);
    }
    double roundedMean = roundoff.sum(mean, type);
    for (int64_t j = 0; j < key.shape()[1]; ++j) {
      double difference = roundoff.step(dWeights[j] - roundedMean, type);
      double dScore = roundoff.step(scale * weights[j] * difference, type);
      for (int64_t i = 0; i < query.shape()[3]; ++i) {
        dQuery.add({batch, position, head, i},
                   dScore * key.at({batch, j, keyHead, i}));
        dKey.add({batch, j, keyHead, i},
                 dScore * query.at({batch, position, head, i}));
      }
    }
  });
  for (Accumulator *accumulator : {&dQuery, &dKey, &dValue})
    accumulator->finish(roundoff, type);
  return success();
}

/// The row that an id reads, clamped as stablehlo.gather does.
static int64_t rowOf(double id, int64_t rows) {
  return std::clamp<int64_t>(static_cast<int64_t>(id), 0, rows - 1);
}

static LogicalResult evaluateEmbedding(Operation *, Operands operands,
                                       Results results, Evaluator &) {
  const Tensor &table = *operands[0], &ids = *operands[1];
  int64_t width = table.shape()[1];
  for (auto [i, id] : llvm::enumerate(ids.data))
    for (int64_t column = 0; column < width; ++column)
      results[0].data[i * width + column] =
          table.at({rowOf(id, table.shape()[0]), column});
  return success();
}

static LogicalResult evaluateEmbeddingGrad(Operation *, Operands operands,
                                           Results results,
                                           Evaluator &evaluator) {
  const Tensor &ids = *operands[0], &grad = *operands[1];
  int64_t width = results[0].shape()[1];
  Accumulator sums(results[0]);
  for (auto [i, id] : llvm::enumerate(ids.data))
    for (int64_t column = 0; column < width; ++column)
      sums.add({rowOf(id, results[0].shape()[0]), column},
               grad.data[i * width + column]);
  sums.finish(evaluator.getRoundoff(), results[0].elementType());
  return success();
}

static LogicalResult evaluateCrossEntropy(Operation *, Operands operands,
                                          Results results,
                                          Evaluator &evaluator) {
  const Roundoff &roundoff = evaluator.getRoundoff();
  Type type = results[1].elementType();
  const Tensor &logits = *operands[0], &labels = *operands[1];
  int64_t vocabulary = logits.shape().back();
  for (auto [row, label] : llvm::enumerate(labels.data)) {
    const double *values = logits.data.data() + row * vocabulary;
    double largest = *std::max_element(values, values + vocabulary);
    Sum sum;
    for (int64_t i = 0; i < vocabulary; ++i) {
      double exponent = roundoff.step(values[i] - largest, type);
      sum.add(roundoff.function(std::exp(exponent), type));
    }
    double logarithm =
        roundoff.function(std::log(roundoff.sum(sum, type)), type);
    results[1].data[row] = roundoff.step(largest + logarithm, type);
    // A label outside of the vocabulary picks nothing.
    bool isInside = label >= 0 && label < vocabulary;
    double picked = isInside ? values[static_cast<int64_t>(label)] : 0;
    results[0].data[row] = results[1].data[row] - picked;
  }
  return success();
}

static LogicalResult evaluateCrossEntropyGrad(Operation *, Operands operands,
                                              Results results,
                                              Evaluator &evaluator) {
  const Roundoff &roundoff = evaluator.getRoundoff();
  const Tensor &logits = *operands[0], &labels = *operands[1],
               &lse = *operands[2], &grad = *operands[3];
  int64_t vocabulary = logits.shape().back();
  for (auto [row, label] : llvm::enumerate(labels.data))
    for (int64_t i = 0; i < vocabulary; ++i) {
      size_t at = row * vocabulary + i;
      Type type = lse.elementType();
      double exponent = roundoff.step(logits.data[at] - lse.data[row], type);
      double probability = roundoff.function(std::exp(exponent), type);
      results[0].data[at] =
          grad.data[row] * (probability - (static_cast<double>(i) == label));
    }
  return success();
}

void mlir::boost::reference::addModelRules(RuleSet &rules) {
  rules.local["boost.rms_norm"] = [](Operation *op, Operands operands,
                                     Results results, Evaluator &evaluator) {
    results[0] = normalize(*operands[0], *operands[1],
                           cast<RMSNormOp>(op).getEps().convertToDouble(),
                           evaluator.getRoundoff());
    return success();
  };
  rules.local["boost.bottleneck"] = evaluateBottleneck;
  rules.local["boost.attention"] = evaluateAttention;
  rules.local["boost.attention_grad"] = evaluateAttentionGrad;
  rules.local["boost.embedding"] = evaluateEmbedding;
  rules.local["boost.embedding_grad"] = evaluateEmbeddingGrad;
  rules.local["boost.cross_entropy"] = evaluateCrossEntropy;
  rules.local["boost.cross_entropy_grad"] = evaluateCrossEntropyGrad;
}
