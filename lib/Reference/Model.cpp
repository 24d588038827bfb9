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

/// An RMS norm, or with a beta a layer norm. Its variance is taken from two
/// sums over the row, as programs take it: ranks then add them up at once.
static Tensor normalize(const Tensor &input, const Tensor &gamma,
                        const Tensor *beta, double eps,
                        const Roundoff &roundoff) {
  Tensor result(input.type);
  Type type = input.elementType();
  size_t width = gamma.data.size();
  for (size_t row = 0; row < input.data.size(); row += width) {
    const double *x = input.data.data() + row;
    Sum values, squares;
    for (size_t i = 0; i < width; ++i) {
      values.add(x[i]);
      squares.add(x[i] * x[i]);
    }
    auto count = static_cast<double>(width);
    double center = beta ? roundoff.sum(values, type) / count : 0;
    double mean = roundoff.sum(squares, type) / count - center * center;
    double scale =
        roundoff.function(1 / std::sqrt(std::max(mean, 0.0) + eps), type);
    for (size_t i = 0; i < width; ++i)
      result.data[row + i] =
          (x[i] - center) * scale * gamma.data[i] + (beta ? beta->data[i] : 0);
  }
  return result;
}

/// Columns [first, first + inner) of x [rows, width] times weight [inner, n].
static void multiply(const Tensor &x, int64_t width, int64_t first,
                     ArrayRef<double> weight, int64_t inner,
                     MutableArrayRef<double> result, const Roundoff &roundoff) {
  // Sums of nothing: the result is zero as it is.
  if (inner == 0)
    return;
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
  if (bottleneck.getGamma()) {
    const Tensor &gamma = *operands[next++];
    const Tensor *beta = bottleneck.getBeta() ? operands[next++] : nullptr;
    x = normalize(x, gamma, beta, bottleneck.getEps()->convertToDouble(),
                  roundoff);
  }
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
class Attention {
public:
  /// Reads the operands of a boost.attention or of one of its gradients.
  template <typename OpT>
  Attention(OpT op, Operands operands, const Roundoff &roundoff)
      : query(*operands[0]), key(*operands[1]),
        scale(op.getScale().convertToDouble()), causal(op.getCausal()),
        format(cast<FloatType>(getComputeType()).getFloatSemantics()),
        roundoff(roundoff) {
    if (std::optional<APFloat> cap = op.getSoftCap())
      softCap = cap->convertToDouble();
    for (OpOperand &operand : op.getBiasMutable())
      bias = operands[operand.getOperandNumber()];
    for (OpOperand &operand : op.getMaskMutable())
      mask = operands[operand.getOperandNumber()];
  }

  /// One query position's weights of all key positions.
  struct Row {
    std::vector<double> weights;
    /// The derivative of each score with respect to the scaled product; empty
    /// if no score depends on it, because no key is seen.
    std::vector<double> slopes;
    /// The logarithm of the softmax denominator.
    double lse;
  };

  int64_t keyHead(int64_t head) const {
    return head / (query.shape()[2] / key.shape()[2]);
  }

  Type getComputeType() const {
    Type type = query.elementType();
    return type.isF64() ? type : Float32Type::get(type.getContext());
  }

  Row getRow(int64_t batch, int64_t head, int64_t position) const {
    int64_t keys = key.shape()[1];
    Row row{std::vector<double>(keys, 0), {}, 0};
    SmallVector<bool> visible;
    for (int64_t j = 0; j < keys; ++j)
      visible.push_back((!causal || j <= position) &&
                        (!mask || isVisible({batch, head, position, j})));
    // Scores and weights are f32 (f64 for f64) whatever the inputs are.
    Type type = getComputeType();
    if (llvm::is_contained(visible, true)) {
      row.slopes.assign(keys, 0);
      for (int64_t j = 0; j < keys; ++j)
        if (visible[j])
          row.weights[j] = getScore({batch, head, position, j}, row.slopes[j]);
    } else {
      visible.assign(keys, true);
    }
    double largest = -INFINITY;
    for (int64_t j = 0; j < keys; ++j)
      if (visible[j])
        largest = std::max(largest, row.weights[j]);
    Sum sum;
    for (int64_t j = 0; j < keys; ++j) {
      if (!visible[j])
        continue;
      double exponent = roundoff.step(row.weights[j] - largest, type);
      row.weights[j] = roundoff.function(std::exp(exponent), type);
      sum.add(row.weights[j]);
    }
    double denominator = roundoff.sum(sum, type);
    for (double &weight : row.weights)
      weight = roundoff.step(weight / denominator, type);
    row.lse = largest + roundoff.function(std::log(denominator), type);
    return row;
  }

  /// Projects the index of a score onto `tensor`, [batch, heads, queries,
  /// keys].
  static SmallVector<int64_t, 4> project(const Tensor &tensor,
                                         ArrayRef<int64_t> index) {
    SmallVector<int64_t, 4> own(index);
    for (auto [i, size] : llvm::zip_equal(own, tensor.shape()))
      i = size == 1 ? 0 : i;
    return own;
  }

private:
  static double atScore(const Tensor &tensor, ArrayRef<int64_t> index) {
    return tensor.at(project(tensor, index));
  }

  bool isVisible(ArrayRef<int64_t> index) const {
    return mask->integers[mask->position(project(*mask, index))] != 0;
  }

  /// The score at [batch, head, query, key] and its slope.
  double getScore(ArrayRef<int64_t> index, double &slope) const {
    Type type = getComputeType();
    Sum dot;
    for (int64_t i = 0; i < query.shape()[3]; ++i)
      dot.add(query.at({index[0], index[2], index[1], i}) *
              key.at({index[0], index[3], keyHead(index[1]), i}));
    double score = roundoff.step(roundoff.sum(dot, type) * scale, type);
    slope = 1;
    if (softCap != 0) {
      double bounded = roundoff.function(
          std::tanh(roundoff.step(score / softCap, type)), type);
      score = roundoff.step(softCap * bounded, type);
      slope = roundoff.step(1 - bounded * bounded, type);
    }
    return bias ? addBias(score, atScore(*bias, index)) : score;
  }

  /// A bias that hides a key may be so large that the sum is the bias, as in a
  /// compiled program: it is rounded to what the type has.
  double addBias(double score, double term) const {
    Type type = getComputeType();
    double sum = score + term;
    return type.isF64() ? roundoff.step(sum, type)
                        : roundoff.round(sum, format);
  }

  const Tensor &query, &key;
  const Tensor *bias = nullptr, *mask = nullptr;
  double scale, softCap = 0;
  bool causal;
  FloatFormat format;
  const Roundoff &roundoff;
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
  const Tensor &query = *operands[0], &value = *operands[2];
  const Roundoff &roundoff = evaluator.getRoundoff();
  Attention softmax(cast<AttentionOp>(op), operands, roundoff);
  forEachQuery(query, [&](int64_t batch, int64_t head, int64_t position) {
    Attention::Row row = softmax.getRow(batch, head, position);
    results[1].at({batch, head, position}) = row.lse;
    for (int64_t i = 0; i < value.shape()[3]; ++i) {
      Sum sum;
      for (int64_t j = 0; j < value.shape()[1]; ++j)
        sum.add(row.weights[j] *
                value.at({batch, j, softmax.keyHead(head), i}));
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

/// Calls `body(batch, head, query, weights, slopes, gradients)` for every query
/// position that sees keys; the gradients are those of its scores.
template <typename OpT, typename Body>
static void forEachScoreGradient(OpT op, Operands operands,
                                 const Attention &softmax,
                                 const Roundoff &roundoff, const Body &body) {
  const Tensor &query = *operands[0], &value = *operands[2];
  const Tensor &grad = *operands[op.getGradMutable().getOperandNumber()];
  const Tensor *lseGrad = nullptr;
  for (OpOperand &operand : op.getLseGradMutable())
    lseGrad = operands[operand.getOperandNumber()];
  Type type = softmax.getComputeType();
  std::vector<double> gradients(value.shape()[1]);
  forEachQuery(query, [&](int64_t batch, int64_t head, int64_t position) {
    Attention::Row row = softmax.getRow(batch, head, position);
    Sum mean; // of weight times its gradient
    for (auto [j, weight] : llvm::enumerate(row.weights)) {
      Sum dot;
      for (int64_t i = 0; i < value.shape()[3]; ++i)
        dot.add(grad.at({batch, position, head, i}) *
                value.at({batch, static_cast<int64_t>(j), softmax.keyHead(head),
                          i}));
      gradients[j] = roundoff.sum(dot, type);
      mean.add(weight * gradients[j]);
    }
    double shift = roundoff.sum(mean, type);
    if (lseGrad)
      shift = roundoff.step(shift - lseGrad->at({batch, head, position}), type);
    for (auto [j, gradient] : llvm::enumerate(gradients))
      gradient = row.slopes.empty()
                     ? 0
                     : roundoff.step(row.weights[j] *
                                         roundoff.step(gradient - shift, type),
                                     type);
    body(batch, head, position, row, gradients);
  });
}

static LogicalResult evaluateAttentionGrad(Operation *op, Operands operands,
                                           Results results,
                                           Evaluator &evaluator) {
  auto attention = cast<AttentionGradOp>(op);
  const Tensor &query = *operands[0], &key = *operands[1];
  const Tensor &grad = *operands[attention.getGradMutable().getOperandNumber()];
  const Roundoff &roundoff = evaluator.getRoundoff();
  double scale = attention.getScale().convertToDouble();
  Attention softmax(attention, operands, roundoff);
  Type type = softmax.getComputeType();
  Accumulator dQuery(results[0]), dKey(results[1]), dValue(results[2]);
  forEachScoreGradient(
      attention, operands, softmax, roundoff,
      [&](int64_t batch, int64_t head, int64_t position,
          const Attention::Row &row, ArrayRef<double> gradients) {
        int64_t keyHead = softmax.keyHead(head);
        for (int64_t j = 0; j < key.shape()[1]; ++j) {
          double slope = row.slopes.empty() ? 0 : row.slopes[j];
          double dScore = roundoff.step(scale * slope * gradients[j], type);
          for (int64_t i = 0; i < query.shape()[3]; ++i) {
            dQuery.add({batch, position, head, i},
                       dScore * key.at({batch, j, keyHead, i}));
            dKey.add({batch, j, keyHead, i},
                     dScore * query.at({batch, position, head, i}));
            dValue.add({batch, j, keyHead, i},
                       row.weights[j] * grad.at({batch, position, head, i}));
          }
        }
      });
  for (Accumulator *accumulator : {&dQuery, &dKey, &dValue})
    accumulator->finish(roundoff, type);
  return success();
}

static LogicalResult evaluateAttentionBiasGrad(Operation *op, Operands operands,
                                               Results results,
                                               Evaluator &evaluator) {
  auto attention = cast<AttentionBiasGradOp>(op);
  const Roundoff &roundoff = evaluator.getRoundoff();
  Attention softmax(attention, operands, roundoff);
  Accumulator dBias(results[0]);
  forEachScoreGradient(
      attention, operands, softmax, roundoff,
      [&](int64_t batch, int64_t head, int64_t position, const Attention::Row &,
          ArrayRef<double> gradients) {
        for (auto [j, gradient] : llvm::enumerate(gradients))
          dBias.add(Attention::project(results[0], {batch, head, position,
                                                    static_cast<int64_t>(j)}),
                    gradient);
      });
  dBias.finish(roundoff, softmax.getComputeType());
  return success();
}

/// The row that an id reads, clamped as stablehlo.gather does.
static int64_t rowOf(const Tensor &ids, size_t i, int64_t rows) {
  return std::clamp<int64_t>(ids.indexAt(i), 0, rows - 1);
}

static LogicalResult evaluateEmbedding(Operation *, Operands operands,
                                       Results results, Evaluator &) {
  const Tensor &table = *operands[0], &ids = *operands[1];
  int64_t width = table.shape()[1];
  for (size_t i = 0; i < ids.size(); ++i)
    for (int64_t column = 0; column < width; ++column)
      results[0].data[i * width + column] =
          table.at({rowOf(ids, i, table.shape()[0]), column});
  return success();
}

static LogicalResult evaluateEmbeddingGrad(Operation *, Operands operands,
                                           Results results,
                                           Evaluator &evaluator) {
  const Tensor &ids = *operands[0], &grad = *operands[1];
  int64_t width = results[0].shape()[1];
  Accumulator sums(results[0]);
  for (size_t i = 0; i < ids.size(); ++i)
    for (int64_t column = 0; column < width; ++column)
      sums.add({rowOf(ids, i, results[0].shape()[0]), column},
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
  for (size_t row = 0; row < labels.size(); ++row) {
    int64_t label = labels.indexAt(row);
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
    double picked = isInside ? values[label] : 0;
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
  for (size_t row = 0; row < labels.size(); ++row)
    for (int64_t i = 0; i < vocabulary; ++i) {
      size_t at = row * vocabulary + i;
      Type type = lse.elementType();
      double exponent = roundoff.step(logits.data[at] - lse.data[row], type);
      double probability = roundoff.function(std::exp(exponent), type);
      results[0].data[at] =
          grad.data[row] * (probability - (i == labels.indexAt(row)));
    }
  return success();
}

void mlir::boost::reference::addModelRules(RuleSet &rules) {
  rules.local["boost.rms_norm"] = [](Operation *op, Operands operands,
                                     Results results, Evaluator &evaluator) {
    results[0] = normalize(*operands[0], *operands[1], /*beta=*/nullptr,
                           cast<RMSNormOp>(op).getEps().convertToDouble(),
                           evaluator.getRoundoff());
    return success();
  };
  rules.local["boost.layer_norm"] = [](Operation *op, Operands operands,
                                       Results results, Evaluator &evaluator) {
    results[0] = normalize(*operands[0], *operands[1], operands[2],
                           cast<LayerNormOp>(op).getEps().convertToDouble(),
                           evaluator.getRoundoff());
    return success();
  };
  rules.local["boost.bottleneck"] = evaluateBottleneck;
  rules.local["boost.attention"] = evaluateAttention;
  rules.local["boost.attention_grad"] = evaluateAttentionGrad;
  rules.local["boost.attention_bias_grad"] = evaluateAttentionBiasGrad;
  rules.local["boost.embedding"] = evaluateEmbedding;
  rules.local["boost.embedding_grad"] = evaluateEmbeddingGrad;
  rules.local["boost.cross_entropy"] = evaluateCrossEntropy;
  rules.local["boost.cross_entropy_grad"] = evaluateCrossEntropyGrad;
}
