//===- RaiseCrossEntropy.cpp - Log-likelihoods to boost.cross_entropy -----===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Three shapes of the same thing: an element picked from a log-softmax, the
// logarithm of one picked from a softmax, and the difference of a log-sum-exp
// and a picked logit. Shifts by a number per row,
// such as the maximum, cancel and are looked through. Smoothed labels weigh the
// mean of the log-probabilities beside the one that is picked.
//
// Labels of the batch are checked when it is read. Others may lie outside of
// the vocabulary: what the program then makes of them stays.
//
//===----------------------------------------------------------------------===//

#include "Ids.h"
#include "Masks.h"
#include "Softmax.h"
#include "Views.h"

#include "boost-mlir/Conversion/StableHLOToBoost/Passes.h"
#include "boost-mlir/Dialect/Boost/IR/Boost.h"
#include <cmath>

namespace mlir::boost {
#define GEN_PASS_DEF_RAISECROSSENTROPYPASS
#include "boost-mlir/Conversion/StableHLOToBoost/Passes.h.inc"
} // namespace mlir::boost

using namespace mlir;
using namespace mlir::boost;
using namespace mlir::boost::raise;

namespace {
/// One element of each row of `values`, at `labels`. Outside of the row it is
/// the nearest element (a gather), NaN where `isInside` is false (a gather in
/// fill mode), or zero (a one-hot row). A row of weights `scale * one_hot +
/// offset` picks so much of it, and so much of all.
struct Pick {
  Value values;
  Value labels;
  Value isInside = {};
  bool isOneHot = false;
  double scale = 1, offset = 0;
};

/// A cross entropy up to its sign: of a picked log-probability, or the
/// log-sum-exp less a picked logit.
struct Likelihood {
  Value logits;
  Pick pick;
  bool picksLogProbability;
  bool isNegated;
  /// If the program computes it.
  Value logSumExp = {};
};
} // namespace

static int64_t getLastDim(Value value) {
  return getTensorType(value).getRank() - 1;
}

static int64_t getNumRows(Value value) {
  RankedTensorType type = getTensorType(value);
  return type.getNumElements() / type.getShape().back();
}

//===----------------------------------------------------------------------===//
// Picks
//===----------------------------------------------------------------------===//

/// Indices of one element of each row of `values`, which are the row's position
/// in all but the last column; returns that column.
static Value matchLastColumn(Value indices, Value values) {
  auto concat = indices.getDefiningOp<stablehlo::ConcatenateOp>();
  int64_t last = getLastDim(indices);
  if (!concat)
    return {};
  ArrayRef<int64_t> rows = getTensorType(values).getShape().drop_back();
  ArrayRef<int64_t> places = getTensorType(indices).getShape().drop_back();
  if (concat.getInputs().size() != rows.size() + 1 ||
      places.size() < rows.size() || places.take_front(rows.size()) != rows)
    return {};
  for (auto [i, column] : llvm::enumerate(concat.getInputs().drop_back())) {
    auto position = matchIndexFunction(column);
    if (getTensorType(column).getDimSize(last) != 1 || !position ||
        position->offset != 0)
      return {};
    for (auto [dim, c] : llvm::enumerate(position->coefficients))
      if (c != (dim == i) && getTensorType(column).getDimSize(dim) != 1)
        return {};
  }
  return concat.getInputs().back();
}

/// Returns true if each row of indices `[.., 1]` selects from the row of
/// `values` at the same position. JAX does not make a batching dimension of
/// size 1.
static bool picksRowByRow(stablehlo::GatherOp gather) {
  auto dims = gather.getDimensionNumbers();
  ArrayRef<int64_t> shape = getTensorType(gather.getOperand()).getShape();
  auto last = static_cast<int64_t>(shape.size()) - 1;
  ArrayRef<int64_t> batching = dims.getOperandBatchingDims();
  auto positions = llvm::seq<int64_t>(0, batching.size());
  return dims.getStartIndexMap() == ArrayRef<int64_t>({last}) &&
         llvm::is_sorted(batching) &&
         llvm::equal(dims.getStartIndicesBatchingDims(), positions) &&
         llvm::all_of(llvm::seq<int64_t>(0, last), [&](int64_t dim) {
           return shape[dim] == 1 || llvm::is_contained(batching, dim);
         });
}

/// A gather of one element of the last dimension at every place of the others.
/// Slices of one element add dimensions of size 1 at most, as in a pick that is
/// mapped over tokens.
static std::optional<Pick> matchGatherPick(stablehlo::GatherOp gather) {
  auto dims = gather.getDimensionNumbers();
  Value values = gather.getOperand(), indices = gather.getStartIndices();
  int64_t last = getLastDim(values);
  if (last < 0)
    return std::nullopt;
  auto all = llvm::to_vector(llvm::seq<int64_t>(0, last + 1));
  if (dims.getIndexVectorDim() != getLastDim(indices) ||
      llvm::any_of(gather.getSliceSizes(), [](int64_t n) { return n != 1; }))
    return std::nullopt;
  Value labels;
  if (picksRowByRow(gather))
    labels = indices;
  else if (dims.getStartIndexMap() == ArrayRef<int64_t>(all))
    labels = matchLastColumn(indices, values);
  if (!labels || getTensorType(labels).getNumElements() != getNumRows(values))
    return std::nullopt;
  return Pick{values, labels};
}

/// The labels of `convert(labels == iota)`, a row with a single one per label.
static Value matchOneHot(Value value) {
  while (auto convert = value.getDefiningOp<stablehlo::ConvertOp>())
    value = convert.getOperand();
  auto compare = value.getDefiningOp<stablehlo::CompareOp>();
  if (!compare ||
      compare.getComparisonDirection() != stablehlo::ComparisonDirection::EQ)
    return {};
  int64_t last = getLastDim(value);
  for (auto [labels, counter] :
       {std::pair(compare.getLhs(), compare.getRhs()),
        std::pair(compare.getRhs(), compare.getLhs())}) {
    auto position = matchIndexFunction(counter);
    if (!position || position->offset != 0 || !isConstantAlong(labels, last))
      continue;
    bool countsLast = true;
    for (auto [dim, c] : llvm::enumerate(position->coefficients))
      countsLast &= c == (static_cast<int64_t>(dim) == last);
    View view(labels);
    while (view.find(last) >= 0 ||
           getTensorType(view.value).getNumElements() != getNumRows(value))
      if (!view.step())
        return {};
    if (countsLast && llvm::is_sorted(view.dims))
      return view.value;
  }
  return {};
}

/// Strips a scalar that a commutative `OpTy` combines with `value`.
template <typename OpTy> static std::optional<double> takeScalar(Value &value) {
  auto op = peelConverts(value).getDefiningOp<OpTy>();
  if (!op)
    return std::nullopt;
  for (auto [number, other] : {std::pair(op.getRhs(), op.getLhs()),
                               std::pair(op.getLhs(), op.getRhs())})
    if (std::optional<double> scalar = matchScalar(number)) {
      value = other;
      return scalar;
    }
  return std::nullopt;
}

/// The sum over the last dimension of `values * (scale * one_hot + offset)`.
static std::optional<Pick> matchWeightedPick(Value values, Value weights) {
  Pick pick;
  pick.values = values;
  pick.isOneHot = true;
  pick.offset = takeScalar<stablehlo::AddOp>(weights).value_or(0);
  pick.scale = takeScalar<stablehlo::MulOp>(weights).value_or(1);
  pick.labels = matchOneHot(peelConverts(weights));
  return pick.labels ? std::optional(pick) : std::nullopt;
}

static std::optional<Pick> matchPick(Value value) {
  value = peelConverts(value);
  if (auto gather = value.getDefiningOp<stablehlo::GatherOp>())
    return matchGatherPick(gather);
  // Fill mode gives NaN out of range.
  if (auto select = value.getDefiningOp<stablehlo::SelectOp>()) {
    auto gather = select.getOnTrue().getDefiningOp<stablehlo::GatherOp>();
    std::optional<double> fill = stablehlo::matchSplat(select.getOnFalse());
    if (!gather || !fill || !std::isnan(*fill))
      return std::nullopt;
    auto pick = matchGatherPick(gather);
    if (pick)
      pick->isInside = select.getPred();
    return pick;
  }
  if (auto factors = matchRowDot(value)) {
    auto [first, second] = *factors;
    if (auto pick = matchWeightedPick(first, second))
      return pick;
    return matchWeightedPick(second, first);
  }
  Value row = matchSum(value, getTensorType(value).getRank());
  auto select = row ? peelConverts(row).getDefiningOp<stablehlo::SelectOp>()
                    : stablehlo::SelectOp();
  if (!select || stablehlo::matchSplat(select.getOnFalse()) != 0.0)
    return std::nullopt;
  if (Value labels = matchOneHot(select.getPred()))
    return Pick{select.getOnTrue(), labels, /*isInside=*/{}, /*isOneHot=*/true};
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Log-sum-exp
//===----------------------------------------------------------------------===//

/// Returns true if the dimensions of `view` have the order of the root's, so
/// that rows have equal positions in both.
static bool isInOrder(const View &view) {
  int64_t previous = -1;
  for (auto [dim, size] :
       llvm::zip_equal(view.dims, getTensorType(view.value).getShape())) {
    if (size == 1)
      continue;
    if (dim <= previous)
      return false;
    previous = dim;
  }
  return true;
}

/// Returns the source of a value with one number per row, through reshapes and
/// broadcasts that keep the order of the rows.
static Value peelRow(Value value) {
  View view(value);
  Value row = value;
  do {
    view.value = peelConverts(view.value);
    if (isInOrder(view))
      row = view.value;
  } while (view.step());
  return row;
}

/// `x` for `log sum exp x` over the last dimension.
static Value matchPlainLogSumExp(Value value) {
  auto log = peelRow(value).getDefiningOp<stablehlo::LogOp>();
  if (!log)
    return {};
  Value sum = peelRow(log.getOperand());
  if (auto abs = sum.getDefiningOp<stablehlo::AbsOp>())
    sum = peelRow(abs.getOperand());
  Value terms = matchSum(sum, getTensorType(sum).getRank());
  if (!terms)
    return {};
  auto exp = peelConverts(terms).getDefiningOp<stablehlo::ExpOp>();
  return exp ? exp.getOperand() : Value();
}

/// Returns true if `value`, of the shape of `logits`, is `row` at each of their
/// rows. A row that several of them share is not accepted: its rows cannot be
/// identified.
static bool isOfRow(Value value, Value row, Value logits) {
  row = peelRow(row);
  int64_t size = getTensorType(row).getNumElements();
  return peelRow(value) == row && (size == 1 || size == getNumRows(logits)) &&
         isConstantAlong(value, getLastDim(logits));
}

/// `x` for a log-sum-exp of x, also as `m + log sum exp (x - m)`.
static Value matchLogSumExp(Value value) {
  if (Value plain = matchPlainLogSumExp(value))
    return plain;
  auto add = peelRow(value).getDefiningOp<stablehlo::AddOp>();
  if (!add)
    return {};
  for (auto [log, shift] : {std::pair(add.getLhs(), add.getRhs()),
                            std::pair(add.getRhs(), add.getLhs())}) {
    Value shifted = matchPlainLogSumExp(log);
    auto sub =
        shifted ? peelConverts(shifted).getDefiningOp<stablehlo::SubtractOp>()
                : stablehlo::SubtractOp();
    if (sub && isOfRow(sub.getRhs(), shift, sub))
      return sub.getLhs();
  }
  return {};
}

/// Logits without shifts by a number per row, in the type they were made in.
static Value peelShifts(Value logits) {
  while (true) {
    logits = peelWidening(logits);
    auto sub = logits.getDefiningOp<stablehlo::SubtractOp>();
    if (!sub || !isConstantAlong(sub.getRhs(), getLastDim(logits)))
      return logits;
    logits = sub.getLhs();
  }
}

static bool isSame(Value a, Value b) {
  return peelConverts(a) == peelConverts(b);
}

//===----------------------------------------------------------------------===//
// Roots
//===----------------------------------------------------------------------===//

/// The logits of `probabilities`, a softmax over the last dimension.
static Value matchProbabilities(Value probabilities) {
  std::optional<Softmax> softmax = matchSoftmax(probabilities);
  bool isPlain = softmax && softmax->masks.empty() && !softmax->sink &&
                 softmax->keys == getLastDim(probabilities);
  return isPlain ? softmax->scores : Value();
}

/// The logits of `values`, the logarithms of a softmax over the last dimension.
static Value matchLogProbabilities(Value values) {
  values = peelConverts(values);
  if (auto log = values.getDefiningOp<stablehlo::LogOp>())
    return matchProbabilities(log.getOperand());
  auto sub = values.getDefiningOp<stablehlo::SubtractOp>();
  if (!sub || !isConstantAlong(sub.getRhs(), getLastDim(values)))
    return {};
  Value logits = matchLogSumExp(sub.getRhs());
  return logits && isSame(logits, sub.getLhs()) ? logits : Value();
}

/// Matches the logarithm of a picked probability. A one-hot row without a one
/// would have that of zero.
static std::optional<Likelihood> matchLogOfPick(stablehlo::LogOp log) {
  auto pick = matchPick(peelRow(log.getOperand()));
  Value logits =
      pick && !pick->isOneHot ? matchProbabilities(pick->values) : Value();
  if (!logits ||
      getTensorType(log).getNumElements() != getNumRows(pick->values))
    return std::nullopt;
  return Likelihood{logits, *pick, /*picksLogProbability=*/true,
                    /*isNegated=*/true};
}

static std::optional<Likelihood> matchLikelihood(Operation *root) {
  Value value = root->getResult(0);
  if (auto log = dyn_cast<stablehlo::LogOp>(root))
    return matchLogOfPick(log);
  if (auto pick = matchPick(value)) {
    Value logits = matchLogProbabilities(pick->values);
    if (!logits)
      return std::nullopt;
    return Likelihood{logits, *pick, /*picksLogProbability=*/true,
                      /*isNegated=*/true};
  }
  auto sub = dyn_cast<stablehlo::SubtractOp>(root);
  if (!sub)
    return std::nullopt;
  for (bool swapped : {false, true}) {
    Value sum = swapped ? sub.getRhs() : sub.getLhs();
    Value picked = swapped ? sub.getLhs() : sub.getRhs();
    Value logits = matchLogSumExp(sum);
    auto pick = logits ? matchPick(peelRow(picked)) : std::nullopt;
    if (!pick || !isSame(pick->values, logits) || pick->scale != 1 ||
        pick->offset != 0 ||
        getTensorType(value).getNumElements() != getNumRows(logits))
      continue;
    return Likelihood{logits, *pick, /*picksLogProbability=*/false,
                      /*isNegated=*/swapped, peelRow(sum)};
  }
  return std::nullopt;
}

/// The labels if the batch is checked for them, without what is written around
/// them; null otherwise.
static Value matchCheckedLabels(const Pick &pick, int64_t vocabulary) {
  int64_t rows = getNumRows(pick.values);
  Value ids = matchIds(pick.labels, rows, vocabulary);
  bool isExact =
      !pick.isInside || isBoundsCheck(pick.isInside, pick.labels, vocabulary);
  return ids && isExact && checkIds(ids, vocabulary) ? ids : Value();
}

/// Labels that may be anything, for a boost.cross_entropy: it picks nothing
/// outside of the vocabulary, where a gather picks the nearest.
static Value buildLabels(OpBuilder &builder, Location loc, const Pick &pick,
                         ArrayRef<int64_t> shape, int64_t vocabulary) {
  Value labels = makeReshape(builder, loc, pick.labels, shape);
  if (pick.isOneHot)
    return labels;
  Type scalar = getTensorType(labels).clone(ArrayRef<int64_t>());
  Value first = stablehlo::splat(builder, loc, scalar, 0);
  Value last = stablehlo::splat(builder, loc, scalar, vocabulary - 1);
  Value nearest = stablehlo::ClampOp::create(builder, loc, labels.getType(),
                                             first, labels, last);
  if (!pick.isInside)
    return nearest;
  Value isInside = makeReshape(builder, loc, pick.isInside, shape);
  Value none = stablehlo::splatLike(builder, loc, labels, -1);
  return stablehlo::SelectOp::create(builder, loc, labels.getType(), isInside,
                                     nearest, none);
}

/// The loss of labels that may be anything, made from that of `buildLabels`.
static Value buildLoss(OpBuilder &builder, Location loc,
                       const Likelihood &likelihood, Value labels, Value loss) {
  using stablehlo::ComparisonDirection;
  const Pick &pick = likelihood.pick;
  ArrayRef<int64_t> shape = getTensorType(loss).getShape();
  Value zero = stablehlo::splatLike(builder, loc, loss, 0);
  if (pick.isInside) {
    Value isInside = makeReshape(builder, loc, pick.isInside, shape);
    Value nan = stablehlo::splatLike(builder, loc, loss, std::nan(""));
    Value correction = stablehlo::SelectOp::create(builder, loc, loss.getType(),
                                                   isInside, zero, nan);
    return stablehlo::AddOp::create(builder, loc, loss, correction);
  }
  // A row of zeros picks no log-probability, hence no log-sum-exp either.
  if (!pick.isOneHot || !likelihood.picksLogProbability)
    return loss;
  int64_t vocabulary = getTensorType(likelihood.logits).getShape().back();
  Value first = stablehlo::splatLike(builder, loc, labels, 0);
  Value end = stablehlo::splatLike(builder, loc, labels, vocabulary);
  Value isInside = stablehlo::AndOp::create(
      builder, loc,
      stablehlo::CompareOp::create(builder, loc, labels, first,
                                   ComparisonDirection::GE),
      stablehlo::CompareOp::create(builder, loc, labels, end,
                                   ComparisonDirection::LT));
  return stablehlo::SelectOp::create(builder, loc, loss.getType(), isInside,
                                     loss, zero);
}

/// `loss` of the picked label, as that of smoothed labels: of all labels it is
/// the number of them times `lse` less the mean of the logits.
static Value buildSmoothedLoss(OpBuilder &builder, Location loc,
                               const Pick &pick, Value logits, Value loss,
                               Value lse) {
  if (pick.scale == 1 && pick.offset == 0)
    return loss;
  RankedTensorType rows = getTensorType(loss);
  auto scaleBy = [&](Value value, double factor) -> Value {
    return stablehlo::MulOp::create(
        builder, loc, rows, value,
        stablehlo::splatLike(builder, loc, value, factor));
  };
  loss = scaleBy(loss, pick.scale);
  if (pick.offset == 0)
    return loss;
  auto vocabulary =
      static_cast<double>(getTensorType(logits).getShape().back());
  Value wide = stablehlo::convert(builder, loc, logits, rows.getElementType());
  Value sum = stablehlo::reduceSum(builder, loc, wide, getLastDim(wide));
  Value ofAll = stablehlo::SubtractOp::create(builder, loc, rows, lse,
                                              scaleBy(sum, 1 / vocabulary));
  return stablehlo::AddOp::create(builder, loc, rows, loss,
                                  scaleBy(ofAll, pick.offset * vocabulary));
}

/// Has what comes after `root` and reads `old`, the same numbers, read `lse`:
/// a z-loss.
static void shareLogSumExp(OpBuilder &builder, Operation *root, Value old,
                           Value lse) {
  RankedTensorType type = getTensorType(old);
  auto comesLater = [&](OpOperand &use) {
    return use.getOwner()->getBlock() == root->getBlock() &&
           root->isBeforeInBlock(use.getOwner());
  };
  if (llvm::none_of(old.getUses(), comesLater))
    return;
  Value same =
      stablehlo::convert(builder, root->getLoc(), lse, type.getElementType());
  same = makeReshape(builder, root->getLoc(), same, type.getShape());
  old.replaceUsesWithIf(same, comesLater);
}

/// Builds the value of `root` from a boost.cross_entropy; null if it is no
/// likelihood.
static Value buildLikelihood(Operation *root) {
  if (root->getNumResults() != 1 ||
      !isa<stablehlo::GatherOp, stablehlo::SelectOp, stablehlo::ReduceOp,
           stablehlo::DotGeneralOp, stablehlo::SubtractOp, stablehlo::LogOp>(
          root) ||
      !isa<FloatType>(getTensorType(root->getResult(0)).getElementType()))
    return {};
  std::optional<Likelihood> match = matchLikelihood(root);
  if (!match)
    return {};
  Value logits = peelShifts(match->logits);
  RankedTensorType logitsType = getTensorType(logits);
  ArrayRef<int64_t> shape = logitsType.getShape().drop_back();
  int64_t vocabulary = logitsType.getShape().back();
  const Pick &pick = match->pick;
  Value checked = matchCheckedLabels(pick, vocabulary);
  // Where a log-probability becomes NaN, the gather before that is raised.
  if (!checked && (!isIdTensor(pick.labels) ||
                   (pick.isInside && match->picksLogProbability)))
    return {};

  OpBuilder builder(root);
  Location loc = root->getLoc();
  RankedTensorType type = getTensorType(root->getResult(0));
  Type statType = logitsType.getElementType().isF64()
                      ? logitsType.getElementType()
                      : Type(builder.getF32Type());
  auto rowType = RankedTensorType::get(shape, statType);
  Value labels = checked ? makeReshape(builder, loc, checked, shape)
                         : buildLabels(builder, loc, pick, shape, vocabulary);
  auto crossEntropy =
      CrossEntropyOp::create(builder, loc, rowType, rowType, logits, labels);
  Value result = crossEntropy.getLoss();
  if (!checked)
    result = buildLoss(builder, loc, *match, labels, result);
  result = buildSmoothedLoss(builder, loc, pick, logits, result,
                             crossEntropy.getLse());
  // Shifts that were peeled are not in the log-sum-exp of the program.
  if (match->logSumExp && isSame(logits, match->logits))
    shareLogSumExp(builder, root, match->logSumExp, crossEntropy.getLse());
  if (match->isNegated)
    result = stablehlo::NegOp::create(builder, loc, rowType, result);
  result = stablehlo::convert(builder, loc, result, type.getElementType());
  return makeReshape(builder, loc, result, type.getShape());
}

/// Builds the value of a sum over the vocabulary and further dimensions, if
/// that over the vocabulary alone is a likelihood; null otherwise. Floats of 16
/// bits are not matched: the sum over all dimensions is rounded once, that over
/// the vocabulary in every row.
static Value buildTotal(stablehlo::ReduceOp root) {
  Value input = root.getInputs().front();
  SmallVector<int64_t> dims(root.getDimensions());
  if (root.getInputs().size() != 1 || dims.size() < 2 ||
      getTensorType(input).getElementTypeBitWidth() < 32 ||
      !llvm::is_contained(dims, getLastDim(input)) ||
      stablehlo::matchSimpleReduction(root) != stablehlo::ReductionKind::Add ||
      stablehlo::matchSplat(root.getInitValues().front()) != 0.0)
    return {};
  OpBuilder builder(root);
  Location loc = root.getLoc();
  Value rows = stablehlo::reduceSum(builder, loc, input, getLastDim(input));
  Value likelihood = buildLikelihood(rows.getDefiningOp());
  if (!likelihood)
    return {};
  llvm::erase(dims, getLastDim(input));
  return stablehlo::reduceSum(builder, loc, likelihood, dims);
}

static void raiseLikelihood(Operation *root) {
  Value result = buildLikelihood(root);
  if (auto reduce = dyn_cast<stablehlo::ReduceOp>(root); reduce && !result)
    result = buildTotal(reduce);
  if (result)
    root->getResult(0).replaceAllUsesWith(result);
}

namespace {
struct RaiseCrossEntropy
    : public mlir::boost::impl::RaiseCrossEntropyPassBase<RaiseCrossEntropy> {
  void runOnOperation() override {
    for (Block &block : getOperation().getBody())
      visitBackwards(block, raiseLikelihood);
  }
};
} // namespace
