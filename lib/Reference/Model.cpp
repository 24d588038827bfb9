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

static Tensor normalize(const Tensor &input, const Tensor &gamma, double eps) {
  Tensor result(input.type);
  size_t width = gamma.data.size();
  for (size_t row = 0; row < input.data.size(); row += width) {
    double sum = 0;
    for (size_t i = 0; i < width; ++i)
      sum += input.data[row + i] * input.data[row + i];
    double scale = 1 / std::sqrt(sum / static_cast<double>(width) + eps);
    for (size_t i = 0; i < width; ++i)
      result.data[row + i] = input.data[row + i] * scale * gamma.data[i];
  }
  return result;
}

/// x [rows, k] . weight [k, columns from `from`], appended dimension `columns`.
static Tensor multiply(const Tensor &x, const Tensor &weight,
                       RankedTensorType type, int64_t first, int64_t inner) {
  Tensor result(type);
  int64_t columns = weight.shape()[1], width = x.shape().back();
  int64_t rows = static_cast<int64_t>(x.data.size()) / width;
  for (int64_t row = 0; row < rows; ++row)
    for (int64_t column = 0; column < columns; ++column) {
      double sum = 0;
      for (int64_t i = 0; i < inner; ++i)
        sum +=
            x.data[row * width + first + i] * weight.data[i * columns + column];
      result.data[row * columns + column] = sum;
    }
  return result;
}

static LogicalResult evaluateBottleneck(Operation *op, Operands operands,
                                        Results results, Evaluator &) {
  auto bottleneck = cast<BottleneckOp>(op);
  BottleneckOp::Adaptor indices(bottleneck);
  size_t next = 0;
  Tensor x = *operands[next++];
  if (bottleneck.getGamma())
    x = normalize(x, *operands[next++], bottleneck.getEps()->convertToDouble());
  const Tensor &down = *operands[next++];
  Operands ups = operands.slice(next, bottleneck.getUps().size());
  next += ups.size();

  SmallVector<int64_t> latentShape(x.shape());
  latentShape.back() = down.shape()[1];
  Tensor latent =
      multiply(x, down, RankedTensorType::get(latentShape, x.elementType()), 0,
               down.shape()[0]);
  if (bottleneck.getLatentOut())
    results.back().data = latent.data;
  if (bottleneck.getLatent())
    for (auto [h, previous] :
         llvm::zip_equal(latent.data, operands[next]->data))
      h += previous;
  if (bottleneck.getActivation() == Activation::Silu)
    for (double &h : latent.data)
      h = h / (1 + std::exp(-h));

  int64_t first = 0;
  for (auto [i, up] : llvm::enumerate(ups)) {
    results[i] = multiply(latent, *up, results[i].type, first, up->shape()[0]);
    first += up->shape()[0];
  }
  return success();
}

namespace {
/// Softmax weights of one query position of one head.
struct Attention {
  const Tensor &query, &key;
  double scale;
  bool causal;

  int64_t keyHead(int64_t head) const {
    return head / (query.shape()[2] / key.shape()[2]);
  }

  /// Fills `weights` over key positions; returns the log of the denominator.
  double weights(int64_t batch, int64_t head, int64_t position,
                 std::vector<double> &weights) const {
    int64_t visible = causal ? position + 1 : key.shape()[1];
    weights.assign(key.shape()[1], 0);
    double largest = -INFINITY, sum = 0;
    for (int64_t j = 0; j < visible; ++j) {
      double dot = 0;
      for (int64_t i = 0; i < query.shape()[3]; ++i)
        dot += query.at({batch, position, head, i}) *
               key.at({batch, j, keyHead(head), i});
      weights[j] = dot * scale;
      largest = std::max(largest, weights[j]);
    }
    for (int64_t j = 0; j < visible; ++j)
      sum += weights[j] = std::exp(weights[j] - largest);
    for (int64_t j = 0; j < visible; ++j)
      weights[j] /= sum;
    return largest + std::log(sum);
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
                                       Results results, Evaluator &) {
  auto attention = cast<AttentionOp>(op);
  const Tensor &query = *operands[0], &value = *operands[2];
  Attention softmax{query, *operands[1], attention.getScale().convertToDouble(),
                    attention.getCausal()};
  std::vector<double> weights;
  forEachQuery(query, [&](int64_t batch, int64_t head, int64_t position) {
    results[1].at({batch, head, position}) =
        softmax.weights(batch, head, position, weights);
    for (int64_t i = 0; i < value.shape()[3]; ++i) {
      double sum = 0;
      for (int64_t j = 0; j < value.shape()[1]; ++j)
        sum += weights[j] * value.at({batch, j, softmax.keyHead(head), i});
      results[0].at({batch, position, head, i}) = sum;
    }
  });
  return success();
}

static LogicalResult evaluateAttentionGrad(Operation *op, Operands operands,
                                           Results results, Evaluator &) {
  auto attention = cast<AttentionGradOp>(op);
  const Tensor &query = *operands[0], &key = *operands[1],
               &value = *operands[2], &grad = *operands[5];
  double scale = attention.getScale().convertToDouble();
  Attention softmax{query, key, scale, attention.getCausal()};
  std::vector<double> weights, dWeights(key.shape()[1]);
  forEachQuery(query, [&](int64_t batch, int64_t head, int64_t position) {
    int64_t keyHead = softmax.keyHead(head);
    softmax.weights(batch, head, position, weights);
    double mean = 0; // sum of weight times its gradient
    for (int64_t j = 0; j < key.shape()[1]; ++j) {
      double dot = 0;
      for (int64_t i = 0; i < value.shape()[3]; ++i) {
        double g = grad.at({batch, position, head, i});
        dot += g * value.at({batch, j, keyHead, i});
        results[2].at({batch, j, keyHead, i}) += weights[j] * g;
      }
      dWeights[j] = dot;
      mean += weights[j] * dot;
    }
    for (int64_t j = 0; j < key.shape()[1]; ++j) {
      double dScore = scale * weights[j] * (dWeights[j] - mean);
      for (int64_t i = 0; i < query.shape()[3]; ++i) {
        results[0].at({batch, position, head, i}) +=
            dScore * key.at({batch, j, keyHead, i});
        results[1].at({batch, j, keyHead, i}) +=
            dScore * query.at({batch, position, head, i});
      }
    }
  });
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
                                           Results results, Evaluator &) {
  const Tensor &ids = *operands[0], &grad = *operands[1];
  int64_t width = results[0].shape()[1];
  for (auto [i, id] : llvm::enumerate(ids.data))
    for (int64_t column = 0; column < width; ++column)
      results[0].at({rowOf(id, results[0].shape()[0]), column}) +=
          grad.data[i * width + column];
  return success();
}

static LogicalResult evaluateCrossEntropy(Operation *, Operands operands,
                                          Results results, Evaluator &) {
  const Tensor &logits = *operands[0], &labels = *operands[1];
  int64_t vocabulary = logits.shape().back();
  for (auto [row, label] : llvm::enumerate(labels.data)) {
    const double *values = logits.data.data() + row * vocabulary;
    double largest = *std::max_element(values, values + vocabulary), sum = 0;
    for (int64_t i = 0; i < vocabulary; ++i)
      sum += std::exp(values[i] - largest);
    results[1].data[row] = largest + std::log(sum);
    results[0].data[row] =
        results[1].data[row] - values[rowOf(label, vocabulary)];
  }
  return success();
}

static LogicalResult evaluateCrossEntropyGrad(Operation *, Operands operands,
                                              Results results, Evaluator &) {
  const Tensor &logits = *operands[0], &labels = *operands[1],
               &lse = *operands[2], &grad = *operands[3];
  int64_t vocabulary = logits.shape().back();
  for (auto [row, label] : llvm::enumerate(labels.data))
    for (int64_t i = 0; i < vocabulary; ++i) {
      size_t at = row * vocabulary + i;
      double probability = std::exp(logits.data[at] - lse.data[row]);
      results[0].data[at] =
          grad.data[row] * (probability - (i == rowOf(label, vocabulary)));
    }
  return success();
}

void mlir::boost::reference::addModelRules(RuleSet &rules) {
  rules.local["boost.rms_norm"] = [](Operation *op, Operands operands,
                                     Results results, Evaluator &) {
    results[0] = normalize(*operands[0], *operands[1],
                           cast<RMSNormOp>(op).getEps().convertToDouble());
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
