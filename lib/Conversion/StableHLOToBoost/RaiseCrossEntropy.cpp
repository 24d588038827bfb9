//===- RaiseCrossEntropy.cpp - Log-likelihoods to boost.cross_entropy -----===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two shapes of the same thing: an element picked from a log-softmax, and the
// difference of a log-sum-exp and a picked logit. Shifts by a number per row,
// such as the maximum, cancel and are looked through.
//
//===----------------------------------------------------------------------===//

#include "Masks.h"
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
/// One element of each row of `values`, at `ids`.
struct Pick {
  Value values;
  Value ids;
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

/// Indices [.., n-1] that are their own position in all but the last column;
/// returns that column.
static Value matchLastColumn(Value indices) {
  auto concat = indices.getDefiningOp<stablehlo::ConcatenateOp>();
  int64_t last = getLastDim(indices);
  if (!concat || static_cast<int64_t>(concat.getDimension()) != last ||
      static_cast<int64_t>(concat.getInputs().size()) != last + 1)
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

/// A gather of one element of the last dimension at every place of the others.
static std::optional<Pick> matchGatherPick(stablehlo::GatherOp gather) {
  auto dims = gather.getDimensionNumbers();
  Value values = gather.getOperand(), indices = gather.getStartIndices();
  int64_t last = getLastDim(values);
  auto leading = llvm::to_vector(llvm::seq<int64_t>(0, last));
  auto all = llvm::to_vector(llvm::seq<int64_t>(0, last + 1));
  if (last < 0 || !dims.getOffsetDims().empty() ||
      dims.getIndexVectorDim() != getLastDim(indices) ||
      llvm::any_of(gather.getSliceSizes(), [](int64_t n) { return n != 1; }))
    return std::nullopt;
  Value ids;
  if (dims.getOperandBatchingDims() == ArrayRef<int64_t>(leading) &&
      dims.getStartIndicesBatchingDims() == ArrayRef<int64_t>(leading) &&
      dims.getStartIndexMap() == ArrayRef<int64_t>({last}))
    ids = indices;
  else if (dims.getStartIndexMap() == ArrayRef<int64_t>(all) &&
           dims.getCollapsedSliceDims() == ArrayRef<int64_t>(all))
    ids = matchLastColumn(indices);
  if (ids)
    ids = matchIds(ids, getNumRows(values));
  if (!ids)
    return std::nullopt;
  return Pick{values, ids};
}

/// The ids of `convert(ids == iota)`, a row with a single one per id.
static Value matchOneHot(Value value) {
  while (auto convert = value.getDefiningOp<stablehlo::ConvertOp>())
    value = convert.getOperand();
  auto compare = value.getDefiningOp<stablehlo::CompareOp>();
  if (!compare ||
      compare.getComparisonDirection() != stablehlo::ComparisonDirection::EQ)
    return {};
  int64_t last = getLastDim(value);
  for (auto [ids, counter] : {std::pair(compare.getLhs(), compare.getRhs()),
                              std::pair(compare.getRhs(), compare.getLhs())}) {
    auto position = matchIndexFunction(counter);
    if (!position || position->offset != 0 || !isConstantAlong(ids, last))
      continue;
    bool countsLast = true;
    for (auto [dim, c] : llvm::enumerate(position->coefficients))
      countsLast &= c == (static_cast<int64_t>(dim) == last);
    View view(ids);
    while (view.find(last) >= 0 ||
           getTensorType(view.value).getNumElements() != getNumRows(value))
      if (!view.step())
        return {};
    if (countsLast && llvm::is_sorted(view.dims))
      return matchIds(view.value, getNumRows(value));
  }
  return {};
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
    return pick && isBoundsCheck(select.getPred(), gather.getStartIndices())
               ? pick
               : std::nullopt;
  }
  if (auto factors = matchRowDot(value)) {
    if (Value ids = matchOneHot(factors->second))
      return Pick{factors->first, ids};
    if (Value ids = matchOneHot(factors->first))
      return Pick{factors->second, ids};
    return std::nullopt;
  }
  Value row = matchReduction(value, stablehlo::ReductionKind::Add,
                             getTensorType(value).getRank());
  auto select = row ? peelConverts(row).getDefiningOp<stablehlo::SelectOp>()
                    : stablehlo::SelectOp();
  if (!select || stablehlo::matchSplat(select.getOnFalse()) != 0.0)
    return std::nullopt;
  if (Value ids = matchOneHot(select.getPred()))
    return Pick{select.getOnTrue(), ids};
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Log-sum-exp
//===----------------------------------------------------------------------===//

/// What a value with one number per row is made from, past reshapes and
/// broadcasts.
static Value peelRow(Value value) {
  View view(value);
  view.peel();
  return view.value;
}

/// `x` for `log sum exp x` over the last dimension.
static Value matchPlainLogSumExp(Value value) {
  auto log = peelRow(value).getDefiningOp<stablehlo::LogOp>();
  if (!log)
    return {};
  Value sum = peelRow(log.getOperand());
  if (auto abs = sum.getDefiningOp<stablehlo::AbsOp>())
    sum = peelRow(abs.getOperand());
  Value terms = matchReduction(sum, stablehlo::ReductionKind::Add,
                               getTensorType(sum).getRank());
  if (!terms)
    return {};
  auto exp = peelConverts(terms).getDefiningOp<stablehlo::ExpOp>();
  return exp ? exp.getOperand() : Value();
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
    if (sub && peelRow(sub.getRhs()) == peelRow(shift))
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

/// Logits and labels whose cross entropy `root` is, up to its sign.
static std::optional<Pick> matchLikelihood(Operation *root, bool &negated) {
  Value value = root->getResult(0);
  // A picked log-probability.
  if (auto pick = matchPick(value)) {
    auto sub =
        peelConverts(pick->values).getDefiningOp<stablehlo::SubtractOp>();
    if (!sub || !isConstantAlong(sub.getRhs(), getLastDim(pick->values)))
      return std::nullopt;
    Value logits = matchLogSumExp(sub.getRhs());
    if (!logits || !isSame(logits, sub.getLhs()))
      return std::nullopt;
    negated = true;
    return Pick{logits, pick->ids};
  }
  // A difference of a log-sum-exp and a picked logit.
  auto sub = dyn_cast<stablehlo::SubtractOp>(root);
  if (!sub)
    return std::nullopt;
  for (bool swapped : {false, true}) {
    Value sum = swapped ? sub.getRhs() : sub.getLhs();
    Value picked = swapped ? sub.getLhs() : sub.getRhs();
    Value logits = matchLogSumExp(sum);
    auto pick = logits ? matchPick(peelRow(picked)) : std::nullopt;
    if (!pick || !isSame(pick->values, logits) ||
        getTensorType(value).getNumElements() != getNumRows(logits))
      continue;
    negated = swapped;
    return Pick{logits, pick->ids};
  }
  return std::nullopt;
}

static void raiseLikelihood(Operation *root) {
  if (root->getNumResults() != 1 ||
      !isa<stablehlo::GatherOp, stablehlo::SelectOp, stablehlo::ReduceOp,
           stablehlo::DotGeneralOp, stablehlo::SubtractOp>(root) ||
      !isa<FloatType>(getTensorType(root->getResult(0)).getElementType()))
    return;
  bool negated = false;
  auto match = matchLikelihood(root, negated);
  if (!match)
    return;
  OpBuilder builder(root);
  Location loc = root->getLoc();
  RankedTensorType type = getTensorType(root->getResult(0));
  Value logits = peelShifts(match->values);
  RankedTensorType logitsType = getTensorType(logits);
  auto rowType = RankedTensorType::get(logitsType.getShape().drop_back(),
                                       logitsType.getElementType().isF64()
                                           ? logitsType.getElementType()
                                           : Type(builder.getF32Type()));
  setIdLimit(match->ids, logitsType.getShape().back());
  Value labels =
      makeReshape(builder, loc, match->ids, logitsType.getShape().drop_back());
  auto crossEntropy =
      CrossEntropyOp::create(builder, loc, rowType, rowType, logits, labels);
  Value result = crossEntropy.getLoss();
  if (negated)
    result = stablehlo::NegOp::create(builder, loc, rowType, result);
  result = stablehlo::convert(builder, loc, result, type.getElementType());
  root->getResult(0).replaceAllUsesWith(
      makeReshape(builder, loc, result, type.getShape()));
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
