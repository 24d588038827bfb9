//===- ModelPieces.cpp - Pieces of models for random programs -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The structures that the raise passes match, in JAX's spellings, between other
// operations.
//
//===----------------------------------------------------------------------===//

#include "ProgramBuilder.h"

#include "boost-mlir/Support/TensorTypes.h"
#include <cmath>

using namespace mlir;
using namespace mlir::boost;
using namespace mlir::boost::prove;
namespace hlo = mlir::boost::stablehlo;

/// x [..., k] . w [k, n]
static Value project(ProgramBuilder &p, Value x, Value w) {
  int64_t last = cast<RankedTensorType>(x.getType()).getRank() - 1;
  auto dims =
      hlo::DotDimensionNumbersAttr::get(p.b.getContext(), {}, {}, {last}, {0});
  return hlo::dotGeneral(p.b, p.loc, x, w, dims);
}

/// A new parameter with values small enough for a sum of `rows` terms.
static Value weight(ProgramBuilder &p, int64_t rows, int64_t columns) {
  return p.addParameter({rows, columns}).value;
}

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

/// RMS norm with a new gain.
static Pooled norm(ProgramBuilder &p, const Pooled &x) {
  Shape shape(x.shape());
  int64_t last = x.rank() - 1;
  auto width = static_cast<double>(shape[last]);
  Value squares = hlo::MulOp::create(p.b, p.loc, x.value, x.value);
  Value sum = hlo::reduceSum(p.b, p.loc, squares, {last});
  Shape rows(shape);
  rows.pop_back();
  Value mean = p.divideBy(sum, shape[last]);
  Value shifted =
      hlo::AddOp::create(p.b, p.loc, mean, p.splat(rows, 0.0078125));
  Value root = hlo::RsqrtOp::create(p.b, p.loc, shifted);
  Value factor = hlo::broadcastTrailing(p.b, p.loc, root, shape);
  Value normed = hlo::MulOp::create(p.b, p.loc, x.value, factor);
  Pooled gamma = p.addParameter({shape[last]});
  Value result =
      hlo::MulOp::create(p.b, p.loc, normed, p.broadcastTo(gamma.value, shape));
  // No element is above the root of the mean square times sqrt(width).
  double bound = std::sqrt(width) * gamma.magnitude();
  return {result, -bound, bound};
}

static void applyNorm(ProgramBuilder &p) {
  Pooled result = norm(p, p.pickOfRank(1, 3));
  p.add(result.value, result.low, result.high);
}

/// Layer norm with a new gain and bias.
static Pooled layerNorm(ProgramBuilder &p, const Pooled &x) {
  Shape shape(x.shape());
  int64_t last = x.rank() - 1;
  auto repeatMean = [&](Value values) {
    Value sum = hlo::reduceSum(p.b, p.loc, values, {last});
    return hlo::broadcastTrailing(p.b, p.loc, p.divideBy(sum, shape[last]),
                                  shape);
  };
  Value mean = repeatMean(x.value);
  Value centered = hlo::SubtractOp::create(p.b, p.loc, x.value, mean);
  Value squares = hlo::MulOp::create(p.b, p.loc, centered, centered);
  Value variance = repeatMean(squares);
  Value shifted =
      hlo::AddOp::create(p.b, p.loc, variance, p.splat(shape, 0.0078125));
  Value root = hlo::RsqrtOp::create(p.b, p.loc, shifted);
  Value normed = hlo::MulOp::create(p.b, p.loc, centered, root);
  Pooled gamma = p.addParameter({shape[last]});
  Pooled beta = p.addParameter({shape[last]});
  Value scaled =
      hlo::MulOp::create(p.b, p.loc, normed, p.broadcastTo(gamma.value, shape));
  Value result =
      hlo::AddOp::create(p.b, p.loc, scaled, p.broadcastTo(beta.value, shape));
  double bound =
      std::sqrt(static_cast<double>(shape[last])) * gamma.magnitude() +
      beta.magnitude();
  return {result, -bound, bound};
}

/// w / |w| by columns.
static Value unitColumns(ProgramBuilder &p, Value w) {
  Value squares = hlo::MulOp::create(p.b, p.loc, w, w);
  Value sum = hlo::reduceSum(p.b, p.loc, squares, {0});
  Value shifted =
      hlo::AddOp::create(p.b, p.loc, sum, p.splat(getShape(sum), 0.0078125));
  Value root = hlo::RsqrtOp::create(p.b, p.loc, shifted);
  return hlo::MulOp::create(p.b, p.loc, w, p.broadcastTo(root, getShape(w)));
}

/// A weight that is computed from new parameters, of elements below 64.
static Value computedWeight(ProgramBuilder &p, int64_t rows, int64_t columns) {
  auto product = [&] {
    int64_t middle = p.oneOf<int64_t>({1, 2, 4});
    Value first = weight(p, rows, middle), second = weight(p, middle, columns);
    return project(p, first, second);
  };
  Value w = p.below(2) == 0 ? product() : weight(p, rows, columns);
  switch (p.below(4)) {
  case 0:
    return unitColumns(p, w);
  case 1:
    return hlo::TanhOp::create(p.b, p.loc, w);
  case 2:
    return p.scale(hlo::AddOp::create(p.b, p.loc, w, product()), 0.5);
  default:
    Value scales = p.addParameter({columns}).value;
    return p.scale(
        hlo::MulOp::create(p.b, p.loc, w, p.broadcastTo(scales, getShape(w))),
        0.25);
  }
}

/// x . g(w)
static void applyComputedWeight(ProgramBuilder &p) {
  Pooled x = p.pickOfRank(1, 3);
  int64_t width = x.shape().back(), columns = p.extent();
  Value y = project(p, x.value, computedWeight(p, width, columns));
  double bound = 64.0 * x.magnitude() * static_cast<double>(width);
  p.add(y, bound);
}

/// Two or more branches from one first factor, of any rank, or one branch.
static void bottleneck(ProgramBuilder &p, const Pooled &x) {
  int64_t rank = p.oneOf<int64_t>({2, 1, 3, 4});
  Value latent = project(p, x.value, weight(p, x.shape().back(), rank));
  uint32_t activation = p.below(3);
  if (activation == 1)
    latent = p.callSilu(latent);
  double bound = 4.0 * static_cast<double>(rank * x.shape().back()) * 3.5 * 3.5;
  unsigned branches = 1 + p.below(2);
  for (unsigned i = 0; i < branches; ++i)
    p.add(project(p, latent, weight(p, rank, p.oneOf<int64_t>({4, 6, 8}))),
          bound);
}

static void applyBottleneck(ProgramBuilder &p) {
  bottleneck(p, p.pickOfRank(1, 3));
}

/// A norm of a norm, alone or in front of a bottleneck.
static void applyNormOfNorm(ProgramBuilder &p) {
  Pooled result = norm(p, norm(p, p.pickOfRank(1, 3)));
  if (p.below(2) == 0)
    return bottleneck(p, result);
  p.add(result.value, result.low, result.high);
}

/// A layer norm, alone or in front of a bottleneck.
static void applyLayerNorm(ProgramBuilder &p) {
  Pooled result = layerNorm(p, p.pickOfRank(1, 3));
  if (p.below(2) == 0)
    return bottleneck(p, result);
  p.add(result.value, result.low, result.high);
}

/// x + f(x), as deep models are made of.
static void applyResidual(ProgramBuilder &p) {
  Pooled x = p.pickOfRank(1, 3);
  int64_t width = x.shape().back(), inner = p.extent();
  Value up = project(p, x.value, weight(p, width, inner));
  Value activated = p.below(2) == 0
                        ? hlo::TanhOp::create(p.b, p.loc, up).getResult()
                        : p.callSilu(up);
  Value down = project(p, activated, weight(p, inner, width));
  double bound = 3.5 * 3.5 * x.magnitude() * static_cast<double>(width * inner);
  p.add(hlo::AddOp::create(p.b, p.loc, x.value, p.scale(down, 1 / bound)),
        x.magnitude() + 1);
}

//===----------------------------------------------------------------------===//
// Attention
//===----------------------------------------------------------------------===//

/// exp(x - max) / sum over the last dimension.
static Value softmax(ProgramBuilder &p, Value x) {
  int64_t last = static_cast<int64_t>(getShape(x).size()) - 1;
  Value largest = hlo::reduceMax(p.b, p.loc, x, {last});
  Value shifted = hlo::SubtractOp::create(
      p.b, p.loc, x, hlo::broadcastTrailing(p.b, p.loc, largest, getShape(x)));
  Value exponentials = hlo::ExpOp::create(p.b, p.loc, shifted);
  Value sum = hlo::reduceSum(p.b, p.loc, exponentials, {last});
  return hlo::DivOp::create(
      p.b, p.loc, exponentials,
      hlo::broadcastTrailing(p.b, p.loc, sum, getShape(x)));
}

static void applySoftmax(ProgramBuilder &p) {
  p.add(softmax(p, p.pickOfRank(1).value), 0, 1);
}

namespace {
/// The scores of [batch, heads, queries, keys] that are kept.
struct Mask {
  /// Keeps scores up to the diagonal; drops those of random keys, or of random
  /// queries, which then see nothing.
  bool causal = false, keys = false, queries = false;
  /// Drops the scores of this query.
  std::optional<int64_t> query;
};

struct AttentionSizes {
  int64_t batch, length, width, groups, repeats, size;
};
} // namespace

/// Returns the conditions of the mask; a score is kept where all hold.
static SmallVector<Value>
getConditions(ProgramBuilder &p, ArrayRef<int64_t> shape, const Mask &mask) {
  SmallVector<Value> conditions;
  auto add = [&](Value lhs, Value rhs, hlo::ComparisonDirection direction,
                 ArrayRef<int64_t> dims) {
    Value holds = hlo::CompareOp::create(p.b, p.loc, lhs, rhs, direction);
    conditions.push_back(hlo::broadcastInDim(p.b, p.loc, holds, shape, dims));
  };
  auto addRandom = [&](int64_t dim) {
    Value ids = p.addIds({shape[0], shape[dim]}, 3);
    add(ids, hlo::splatLike(p.b, p.loc, ids, 0), hlo::ComparisonDirection::NE,
        {0, dim});
  };
  Type positions = RankedTensorType::get(shape.take_back(2), p.b.getI32Type());
  if (mask.causal)
    add(hlo::IotaOp::create(p.b, p.loc, positions, 0),
        hlo::IotaOp::create(p.b, p.loc, positions, 1),
        hlo::ComparisonDirection::GE, {2, 3});
  if (mask.keys)
    addRandom(3);
  if (mask.queries)
    addRandom(2);
  if (mask.query)
    add(hlo::IotaOp::create(p.b, p.loc, positions, 0),
        hlo::splat(p.b, p.loc, positions, static_cast<double>(*mask.query)),
        hlo::ComparisonDirection::NE, {2, 3});
  return conditions;
}

/// Scores that are very low where the mask hides them.
static Value hide(ProgramBuilder &p, Value scores, const Mask &mask) {
  SmallVector<Value> conditions = getConditions(p, getShape(scores), mask);
  if (conditions.empty())
    return scores;
  Value visible = conditions.front();
  for (Value condition : ArrayRef(conditions).drop_front())
    visible = hlo::AndOp::create(p.b, p.loc, visible, condition);
  // Finite: a row of which nothing is visible is a mean, not NaN.
  bool seesSomething = mask.causal && conditions.size() == 1;
  double hidden = seesSomething ? -INFINITY : -1e9;
  return hlo::SelectOp::create(p.b, p.loc, visible, scores,
                               p.splat(getShape(scores), hidden));
}

/// Self-attention of query heads over as many or fewer key and value heads.
static void attention(ProgramBuilder &p, const AttentionSizes &sizes,
                      function_ref<Mask()> chooseMask) {
  int64_t batch = sizes.batch, length = sizes.length, width = sizes.width;
  int64_t groups = sizes.groups, repeats = sizes.repeats, size = sizes.size;
  int64_t heads = groups * repeats;
  Pooled x = p.pickOfShape({batch, length, width});
  auto headsOf = [&](int64_t count) {
    Value y = project(p, x.value, weight(p, width, count * size));
    return hlo::reshape(p.b, p.loc, y, {batch, length, count, size});
  };
  auto repeat = [&](Value y) {
    if (repeats == 1)
      return y;
    y = hlo::broadcastInDim(
        p.b, p.loc, y, {batch, length, groups, repeats, size}, {0, 1, 2, 4});
    return hlo::reshape(p.b, p.loc, y, {batch, length, heads, size});
  };
  Value query = headsOf(heads), key = repeat(headsOf(groups)),
        value = repeat(headsOf(groups));
  auto dims = hlo::DotDimensionNumbersAttr::get(p.b.getContext(), {0, 2},
                                                {0, 2}, {3}, {3});
  Value scores = p.scale(hlo::dotGeneral(p.b, p.loc, query, key, dims),
                         1 / (8 * std::sqrt(static_cast<double>(size))));
  if (p.below(4) == 1)
    scores = p.scale(hlo::TanhOp::create(p.b, p.loc, p.scale(scores, 2)), 0.5);
  if (p.below(4) == 1)
    scores = hlo::AddOp::create(p.b, p.loc, scores,
                                hlo::broadcastInDim(p.b, p.loc,
                                                    weight(p, heads, length),
                                                    getShape(scores), {1, 3}));
  scores = hide(p, scores, chooseMask());
  Value weights = softmax(p, scores);
  auto sum = hlo::DotDimensionNumbersAttr::get(p.b.getContext(), {0, 1}, {0, 2},
                                               {3}, {1});
  Value mixed = hlo::dotGeneral(p.b, p.loc, weights, value, sum);
  mixed = hlo::transpose(p.b, p.loc, mixed, {0, 2, 1, 3});
  mixed = hlo::reshape(p.b, p.loc, mixed, {batch, length, heads * size});
  p.add(mixed, 3.5 * x.magnitude() * static_cast<double>(width));
}

static void applyAttention(ProgramBuilder &p) {
  AttentionSizes sizes;
  sizes.batch = p.oneOf<int64_t>({2, 1});
  sizes.length = p.oneOf<int64_t>({2, 4, 3});
  sizes.width = p.oneOf<int64_t>({4, 6});
  sizes.groups = p.oneOf<int64_t>({2, 1});
  sizes.repeats = p.oneOf<int64_t>({1, 2});
  sizes.size = p.oneOf<int64_t>({2, 4});
  attention(p, sizes, [&]() -> Mask {
    auto [causal, keys] = p.oneOf<std::pair<bool, bool>>(
        {{true, false}, {false, false}, {false, true}, {true, true}});
    return {causal, keys, /*queries=*/p.oneIn(3), std::nullopt};
  });
}

/// Causal attention over more positions than the runtime takes at a time,
/// which is 64. One of them, the first or the last of such a block, sees
/// nothing.
static void applyLongAttention(ProgramBuilder &p) {
  AttentionSizes sizes{1, 66, 4, 1, p.oneOf<int64_t>({1, 2}), 2};
  attention(p, sizes, [&]() -> Mask {
    return {/*causal=*/true, /*keys=*/false, /*queries=*/false,
            p.oneOf<int64_t>({63, 64, 0})};
  });
}

//===----------------------------------------------------------------------===//
// Tokens
//===----------------------------------------------------------------------===//

static void applyEmbedding(ProgramBuilder &p) {
  Shape shape = p.shapeOf(1 + p.below(2));
  int64_t vocabulary = p.oneOf<int64_t>({4, 6, 2}), width = p.extent();
  Pooled table = p.pickOfShape({vocabulary, width});
  Value ids = p.addIds(shape, vocabulary);
  p.add(p.gatherRows(table.value, ids), table.low, table.high);
}

/// -log softmax(x) at labels, by a sum with a one-hot row.
static void applyCrossEntropy(ProgramBuilder &p) {
  Pooled x = p.pickOfRank(1, 3);
  Shape shape(x.shape());
  int64_t last = x.rank() - 1;
  Value labels = p.addIds(ArrayRef(shape).drop_back(), shape[last]);
  Value largest = hlo::reduceMax(p.b, p.loc, x.value, {last});
  Value shifted = hlo::SubtractOp::create(
      p.b, p.loc, x.value, hlo::broadcastTrailing(p.b, p.loc, largest, shape));
  Value exponentials = hlo::ExpOp::create(p.b, p.loc, shifted);
  Value sum = hlo::reduceSum(p.b, p.loc, exponentials, {last});
  Value logSum = hlo::LogOp::create(p.b, p.loc, sum);
  Value logProbabilities = hlo::SubtractOp::create(
      p.b, p.loc, shifted, hlo::broadcastTrailing(p.b, p.loc, logSum, shape));
  Type positions = RankedTensorType::get(shape, p.b.getI32Type());
  Value isLabel = hlo::CompareOp::create(
      p.b, p.loc, hlo::IotaOp::create(p.b, p.loc, positions, last),
      hlo::broadcastTrailing(p.b, p.loc, labels, shape),
      hlo::ComparisonDirection::EQ);
  Value picked = hlo::SelectOp::create(p.b, p.loc, isLabel, logProbabilities,
                                       p.splat(shape, 0));
  Value likelihood = hlo::reduceSum(p.b, p.loc, picked, {last});
  p.add(hlo::NegOp::create(p.b, p.loc, likelihood), 0,
        2 * x.magnitude() + std::log(static_cast<double>(shape[last])));
}

ArrayRef<RandomOperation> mlir::boost::prove::getModelPieces() {
  static const RandomOperation operations[] = {
      {"norm", 4, applyNorm},
      {"norm of a norm", 2, applyNormOfNorm},
      {"layer norm", 3, applyLayerNorm},
      {"bottleneck", 5, applyBottleneck},
      {"computed weight", 3, applyComputedWeight},
      {"residual", 3, applyResidual},
      {"softmax", 2, applySoftmax},
      {"attention", 3, applyAttention},
      {"long attention", 1, applyLongAttention},
      {"embedding", 3, applyEmbedding},
      {"cross entropy", 3, applyCrossEntropy},
  };
  return operations;
}
