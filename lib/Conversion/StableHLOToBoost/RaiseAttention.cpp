//===- RaiseAttention.cpp - Softmax attention to boost.attention ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Matches from the product with the values back to the product of queries and
// keys. AttentionAxes.h says how dimensions are told apart.
//
//===----------------------------------------------------------------------===//

#include "BuildAttention.h"
#include "SplitBatching.h"
#include "SplitWeights.h"

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
/// those that biases lower are of one size there. `shape` is that of the frame.
static bool areHiddenKeysWeighed(const Scores &scores,
                                 const Attention &attention, FloatType type,
                                 ArrayRef<int64_t> shape) {
  if (scores.conditions.empty())
    return false;
  double fill = scores.conditions.front().fill;
  double all = 0, outside = 0;
  for (const Condition &condition : scores.conditions) {
    if (condition.fill != fill && !seesItself(attention, shape))
      return true;
    fill = std::max(fill, condition.fill);
  }
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

namespace {
/// An attention, and the scores that its softmax is of.
struct Match {
  Scores scores;
  Attention attention;
};
} // namespace

static std::optional<Match> match(DotGeneralOp root, bool probsFirst,
                                  const View &probs, const Softmax &softmax,
                                  bool hidesByAddition) {
  auto scores = matchScores(softmax.scores, softmax.masks, hidesByAddition);
  if (!scores)
    return std::nullopt;
  Attention attention;
  attention.keys = softmax.keys;
  attention.scale = scores->scale;
  attention.softCap = scores->softCap;
  attention.conditions = scores->conditions;
  attention.biases = scores->biases;
  attention.sink = softmax.sink;
  attention.zerosUnseeing = softmax.sink || !softmax.masks.empty();
  auto [lhs, rhs] = splitAxes(scores->dot, scores->axes, kHeadDim);
  bool keyFirst = lhs.find(attention.keys) >= 0;
  attention.query = keyFirst ? rhs : lhs;
  attention.key = keyFirst ? lhs : rhs;
  ArrayRef<int64_t> shape = getTensorType(softmax.scores).getShape();
  if (llvm::count(attention.query.axes, kHeadDim) != 1 ||
      attention.key.find(attention.keys) < 0 ||
      !matchValueProduct(root, probsFirst, probs, attention) ||
      !classifyAxes(attention, shape) || !unifyTypes(attention) ||
      !llvm::all_of(scores->maskFactors, [&](const IndexFunction &mask) {
        return hidesBy(attention, mask, shape);
      }))
    return std::nullopt;
  return Match{*scores, attention};
}

static bool raiseFrom(DotGeneralOp root, bool probsFirst) {
  View probs(probsFirst ? root.getLhs() : root.getRhs());
  probs.peel();
  auto softmax = matchSoftmax(probs.value);
  if (!softmax)
    return false;
  ArrayRef<int64_t> shape = getTensorType(softmax->scores).getShape();
  auto type = cast<FloatType>(getElementTypeOrSelf(softmax->scores));
  auto isWeighed = [&](const Match &match) {
    return areHiddenKeysWeighed(match.scores, match.attention, type, shape);
  };
  auto found = match(root, probsFirst, probs, *softmax,
                     /*hidesByAddition=*/true);
  if (!found || (found->scores.hidesByAddition &&
                 (!seesItself(found->attention, shape) || isWeighed(*found))))
    found = match(root, probsFirst, probs, *softmax,
                  /*hidesByAddition=*/false);
  if (!found)
    return false;
  if (isWeighed(*found)) {
    remarkHiddenKeys(root, found->scores);
    return false;
  }
  absorbQueryScale(found->attention);
  buildAttention(root, found->attention, shape);
  return true;
}

namespace {
struct RaiseAttention
    : public mlir::boost::impl::RaiseAttentionPassBase<RaiseAttention> {
  void runOnOperation() override {
    for (Block &block : getOperation().getBody()) {
      splitBatching(block);
      splitWeights(block);
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
