//===- RaiseAttention.cpp - Softmax attention to boost.attention ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Matches from the product with the values back to the product of queries and
// keys. AttentionAxes.h says how dimensions are told apart.
//
//===----------------------------------------------------------------------===//

#include "AttentionAxes.h"
#include "SplitBatching.h"

#include "boost-mlir/Conversion/StableHLOToBoost/Passes.h"
#include "boost-mlir/Dialect/Boost/IR/Boost.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>

namespace mlir::boost {
#define GEN_PASS_DEF_RAISEATTENTIONPASS
#include "boost-mlir/Conversion/StableHLOToBoost/Passes.h.inc"
} // namespace mlir::boost

using namespace mlir;
using namespace mlir::boost;
using namespace mlir::boost::raise;
using stablehlo::DotGeneralOp;

//===----------------------------------------------------------------------===//
// Building
//===----------------------------------------------------------------------===//

/// `operand` as [batch, `sequence`, heads, head size]; its head axes are
/// `heads`, in order.
static Value buildOperand(OpBuilder &builder, Location loc,
                          const AttentionOperand &operand, int64_t sequence,
                          std::optional<int64_t> batch,
                          ArrayRef<int64_t> heads) {
  SmallVector<int64_t> order;
  if (batch)
    order.push_back(operand.find(*batch));
  order.push_back(operand.find(sequence));
  for (int64_t axis : heads)
    order.push_back(operand.find(axis));
  for (auto [dim, axis] : llvm::enumerate(operand.axes))
    if (axis == kUnit || !llvm::is_contained(order, static_cast<int64_t>(dim)))
      if (axis != kHeadDim)
        order.push_back(dim);
  order.push_back(operand.find(kHeadDim));

  ArrayRef<int64_t> shape = getTensorType(operand.value).getShape();
  int64_t numHeads = 1;
  for (int64_t axis : heads)
    numHeads *= shape[operand.find(axis)];
  Value moved = makeTranspose(builder, loc, operand.value, order);
  return makeReshape(builder, loc, moved,
                     {batch ? shape[operand.find(*batch)] : 1,
                      shape[operand.find(sequence)], numHeads,
                      shape[operand.find(kHeadDim)]});
}

/// Undoes a repetition of heads that key and value share.
static void dropSharedRepeat(OpBuilder &builder, Location loc, Value &key,
                             Value &value) {
  int64_t repeat = getRepeat(key, 2);
  if (repeat != getRepeat(value, 2))
    return;
  key = dropRepeat(builder, loc, key, 2, repeat);
  value = dropRepeat(builder, loc, value, 2, repeat);
}

/// Replaces `old`, which is `base` with its dimensions permuted, absorbing the
/// transposes and reshapes that read it.
static void replaceTransposed(OpBuilder &builder, Value old, Value base,
                              ArrayRef<int64_t> permutation) {
  for (OpOperand &use : llvm::make_early_inc_range(old.getUses())) {
    Operation *user = use.getOwner();
    OpBuilder::InsertionGuard guard(builder);
    auto transpose = dyn_cast<stablehlo::TransposeOp>(user);
    if (transpose) {
      SmallVector<int64_t> composed;
      for (int64_t dim : transpose.getPermutation())
        composed.push_back(permutation[dim]);
      replaceTransposed(builder, transpose, base, composed);
      continue;
    }
    Value moved = makeTranspose(builder, old.getLoc(), base, permutation);
    if (auto reshape = dyn_cast<stablehlo::ReshapeOp>(user))
      reshape.replaceAllUsesWith(makeReshape(builder, old.getLoc(), moved,
                                             reshape.getType().getShape()));
    else
      use.set(moved);
  }
}

/// `view`, in the frame, as [batch, heads, queries, keys]; any of these is 1 if
/// the view is repeated along it.
static Value buildScores(OpBuilder &builder, Location loc, const View &view,
                         std::optional<int64_t> batch, ArrayRef<int64_t> heads,
                         const Attention &attention, ArrayRef<int64_t> shape) {
  SmallVector<int64_t> axes;
  if (batch)
    axes.push_back(*batch);
  llvm::append_range(axes, heads);
  axes.append({attention.queries, attention.keys});
  SmallVector<int64_t> order, sizes;
  for (int64_t axis : axes) {
    int64_t dim = view.find(axis);
    if (dim >= 0)
      order.push_back(dim);
    sizes.push_back(dim >= 0 ? shape[axis] : 1);
  }
  for (int64_t dim = 0, rank = view.dims.size(); dim < rank; ++dim)
    if (!llvm::is_contained(order, dim))
      order.push_back(dim); // of size 1
  Value value = makeReshape(
      builder, loc, makeTranspose(builder, loc, view.value, order), sizes);

  // Several axes of heads become one, which is either whole or repeated.
  auto headSizes =
      MutableArrayRef<int64_t>(sizes).slice(batch ? 1 : 0, heads.size());
  int64_t numHeads = 1;
  if (llvm::any_of(headSizes, [](int64_t size) { return size != 1; })) {
    for (auto [size, axis] : llvm::zip_equal(headSizes, heads)) {
      size = shape[axis];
      numHeads *= size;
    }
    value = stablehlo::broadcastInDim(
        builder, loc, value, sizes,
        llvm::to_vector(llvm::seq<int64_t>(0, sizes.size())));
  }
  ArrayRef<int64_t> last = ArrayRef<int64_t>(sizes).take_back(2);
  return makeReshape(builder, loc, value,
                     {batch ? sizes.front() : 1, numHeads, last[0], last[1]});
}

/// `lhs op rhs`, each repeated along dimensions where it has size 1.
template <typename OpT>
static Value combineScores(OpBuilder &builder, Location loc, Value lhs,
                           Value rhs) {
  if (!lhs)
    return rhs;
  SmallVector<int64_t> common;
  for (auto [l, r] : llvm::zip_equal(getTensorType(lhs).getShape(),
                                     getTensorType(rhs).getShape()))
    common.push_back(std::max(l, r));
  auto repeat = [&](Value value) {
    return stablehlo::broadcastInDim(builder, loc, value, common, {0, 1, 2, 3});
  };
  return OpT::create(builder, loc, repeat(lhs), repeat(rhs));
}

static void buildAttention(DotGeneralOp root, Attention &attention,
                           ArrayRef<int64_t> shape) {
  OpBuilder builder(root);
  Location loc = root.getLoc();
  std::optional<int64_t> batch = attention.batch;
  ArrayRef<int64_t> heads = attention.heads;
  SmallVector<int64_t> queryHeads(heads);
  queryHeads.append(attention.groups);
  Value query = buildOperand(builder, loc, attention.query, attention.queries,
                             batch, queryHeads);
  Value key =
      buildOperand(builder, loc, attention.key, attention.keys, batch, heads);
  Value value =
      buildOperand(builder, loc, attention.value, attention.keys, batch, heads);
  dropSharedRepeat(builder, loc, key, value);

  RankedTensorType type = getTensorType(query);
  Type stat = type.getElementType().isF64() ? type.getElementType()
                                            : Type(builder.getF32Type());
  auto lseType = RankedTensorType::get(
      {type.getDimSize(0), type.getDimSize(2), type.getDimSize(1)}, stat);
  Value bias, mask;
  for (const Bias &each : attention.biases) {
    Value value = stablehlo::convert(builder, loc,
                                     buildScores(builder, loc, each.view, batch,
                                                 queryHeads, attention, shape),
                                     stat);
    if (each.factor != 1)
      value = stablehlo::MulOp::create(
          builder, loc, value,
          stablehlo::splatLike(builder, loc, value, each.factor));
    bias = combineScores<stablehlo::AddOp>(builder, loc, bias, value);
  }
  for (const Condition &each : attention.conditions) {
    Value value = buildScores(builder, loc, each.view, batch, queryHeads,
                              attention, shape);
    if (each.negated)
      value = stablehlo::NotOp::create(builder, loc, value);
    mask = combineScores<stablehlo::AndOp>(builder, loc, mask, value);
  }
  Value result =
      AttentionOp::create(builder, loc, type, lseType, query, key, value, bias,
                          mask, attention.causal, APFloat(attention.scale),
                          attention.softCap
                              ? builder.getF64FloatAttr(*attention.softCap)
                              : FloatAttr())
          .getResult();
  result = stablehlo::convert(builder, loc, result,
                              getTensorType(root).getElementType());

  // Back from [batch, queries, heads, head size] to the root's order.
  SmallVector<int64_t> order, sizes;
  if (batch)
    order.push_back(*batch);
  order.push_back(attention.queries);
  order.append(queryHeads);
  for (int64_t axis : order)
    sizes.push_back(shape[axis]);
  SmallVector<int64_t> permutation;
  for (auto [dim, axis] : llvm::enumerate(attention.resultAxes)) {
    auto it = llvm::find(order, axis);
    if (axis != kUnit && axis != kHeadDim && it != order.end()) {
      permutation.push_back(it - order.begin());
    } else if (axis == kHeadDim) {
      permutation.push_back(kHeadDim);
    } else {
      permutation.push_back(sizes.size());
      sizes.push_back(1);
    }
  }
  for (int64_t &dim : permutation)
    if (dim == kHeadDim)
      dim = sizes.size();
  sizes.push_back(type.getDimSize(3));
  replaceTransposed(builder, root, makeReshape(builder, loc, result, sizes),
                    permutation);
}

//===----------------------------------------------------------------------===//
// Roots
//===----------------------------------------------------------------------===//

/// Gives the operands one element type, that of the computation before it went
/// to f32; false if they have none in common.
static bool unifyTypes(Attention &attention) {
  SmallVector<AttentionOperand *> operands{&attention.query, &attention.key,
                                           &attention.value};
  auto agree = [](ArrayRef<Value> values) {
    return llvm::all_equal(llvm::map_range(values, [](Value value) {
      return getTensorType(value).getElementType();
    }));
  };
  SmallVector<Value> given, narrow;
  for (AttentionOperand *operand : operands) {
    given.push_back(operand->value);
    narrow.push_back(peelWidening(operand->value));
  }
  if (!agree(narrow))
    return agree(given);
  for (auto [operand, value] : llvm::zip_equal(operands, narrow))
    operand->value = value;
  return true;
}

/// Moves a scalar factor of the queries into the scale.
static void absorbQueryScale(Attention &attention) {
  View view(attention.query.value);
  while (view.value.getDefiningOp<stablehlo::TransposeOp>())
    view.step();
  auto mul = view.value.getDefiningOp<stablehlo::MulOp>();
  if (!mul)
    return;
  std::optional<double> scalar = matchScalar(mul.getRhs());
  if (!scalar)
    return;
  attention.scale *= *scalar;
  SmallVector<int64_t> axes;
  for (int64_t dim : view.dims)
    axes.push_back(attention.query.axes[dim]);
  attention.query = AttentionOperand{mul.getLhs(), axes};
}

/// Returns true if hidden keys have weight in rows whose scores are all low, or
/// other weights than all keys of such a row: scores that masks put in and
/// those that biases lower are of one size there.
static bool areHiddenKeysWeighed(const Scores &scores,
                                 const Attention &attention, FloatType type) {
  if (scores.conditions.empty())
    return false;
  double fill = scores.conditions.front().fill;
  double all = 0, outside = 0;
  for (const Condition &condition : scores.conditions)
    if (condition.fill != fill)
      return true;
  for (const Bias &bias : scores.biases) {
    double magnitude = bias.boundMagnitude();
    all += magnitude;
    if (bias.isOutsideOfMask)
      outside += magnitude;
  }
  if (2 * all > -fill)
    return true;
  // A causal mask alone hides no row. Beside the fill, nothing may be left of
  // what is added to it.
  unsigned digits = type.getFPMantissaWidth();
  return !attention.conditions.empty() &&
         outside > std::ldexp(-fill, -static_cast<int>(digits) - 1);
}

static void remarkHiddenKeys(DotGeneralOp root, const Scores &scores) {
  InFlightDiagnostic remark = emitRemark(root.getLoc())
                              << "attention is not fused: in a row of which "
                                 "masks and biases hide every "
                                 "key, the program gives weight to keys that "
                                 "boost.attention leaves out";
  remark.attachNote()
      << "hide keys by one mask alone, or let biases stay far above the "
      << llvm::formatv("{0:e1}", scores.conditions.front().fill).str()
      << " that it puts in";
}

static bool raiseFrom(DotGeneralOp root, bool probsFirst) {
  View probs(probsFirst ? root.getLhs() : root.getRhs());
  probs.peel();
  auto softmax = matchSoftmax(probs.value);
  if (!softmax)
    return false;
  auto scores = matchScores(softmax->scores);
  if (!scores)
    return false;

  Attention attention;
  attention.keys = softmax->keys;
  attention.scale = scores->scale;
  attention.softCap = scores->softCap;
  attention.conditions = scores->conditions;
  attention.biases = scores->biases;
  auto [lhs, rhs] = splitAxes(scores->dot, scores->axes, kHeadDim);
  bool keyFirst = lhs.find(attention.keys) >= 0;
  attention.query = keyFirst ? rhs : lhs;
  attention.key = keyFirst ? lhs : rhs;
  ArrayRef<int64_t> shape = getTensorType(softmax->scores).getShape();
  if (llvm::count(attention.query.axes, kHeadDim) != 1 ||
      attention.key.find(attention.keys) < 0 ||
      !matchValueProduct(root, probsFirst, probs, attention) ||
      !classifyAxes(attention, shape) || !unifyTypes(attention))
    return false;
  int64_t headDim = attention.query.find(kHeadDim);
  if (getTensorType(attention.query.value).getDimSize(headDim) !=
      getTensorType(attention.value.value)
          .getDimSize(attention.value.find(kHeadDim)))
    return false;
  auto type = cast<FloatType>(getElementTypeOrSelf(softmax->scores));
  if (areHiddenKeysWeighed(*scores, attention, type)) {
    remarkHiddenKeys(root, *scores);
    return false;
  }
  absorbQueryScale(attention);
  buildAttention(root, attention, shape);
  return true;
}

namespace {
struct RaiseAttention
    : public mlir::boost::impl::RaiseAttentionPassBase<RaiseAttention> {
  void runOnOperation() override {
    for (Block &block : getOperation().getBody()) {
      splitBatching(block);
      visitBackwards(block, [](Operation *op) {
        auto dot = dyn_cast<DotGeneralOp>(op);
        if (dot && !raiseFrom(dot, /*probsFirst=*/true))
          raiseFrom(dot, /*probsFirst=*/false);
      });
      // Transposes behind the products were absorbed and are dead now.
      visitBackwards(block, [](Operation *) {});
    }
  }
};
} // namespace
