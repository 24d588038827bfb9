//===- Softmax.cpp - Softmax in its spellings -----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Softmax.h"

#include "Masks.h"
#include <cmath>

using namespace mlir;
using namespace mlir::boost;
using namespace mlir::boost::raise;

namespace {
/// A tensor that is 0 where one of some masks is false, and `value` elsewhere.
struct Masked {
  Value value;
  SmallVector<View> masks;
};

/// A quotient of terms and their sums, which `sums` views in the terms' frame.
struct Quotient {
  Value terms;
  View sums;
};
} // namespace

//===----------------------------------------------------------------------===//
// Masks
//===----------------------------------------------------------------------===//

/// The boolean that `value` is as a number, 0 or 1.
static std::optional<View> matchIndicator(Value value) {
  View view(value);
  while (view.step())
    ;
  auto convert = view.value.getDefiningOp<stablehlo::ConvertOp>();
  if (!convert ||
      !getTensorType(convert.getOperand()).getElementType().isInteger(1))
    return std::nullopt;
  return View(convert.getOperand(), view.dims);
}

/// Takes off selections of 0 and products with indicators.
static Masked peelMasks(Value value) {
  Masked masked{peelConverts(value), {}};
  while (true) {
    if (auto select = masked.value.getDefiningOp<stablehlo::SelectOp>()) {
      if (stablehlo::matchSplat(select.getOnFalse()) != 0.0 ||
          getTensorType(select.getPred()).getRank() == 0)
        return masked;
      masked.masks.emplace_back(select.getPred());
      masked.value = peelConverts(select.getOnTrue());
      continue;
    }
    auto mul = masked.value.getDefiningOp<stablehlo::MulOp>();
    if (!mul)
      return masked;
    Value kept = mul.getLhs();
    std::optional<View> mask = matchIndicator(mul.getRhs());
    if (!mask) {
      kept = mul.getRhs();
      mask = matchIndicator(mul.getLhs());
    }
    if (!mask)
      return masked;
    masked.masks.push_back(*mask);
    masked.value = peelConverts(kept);
  }
}

/// Returns true if two views show one value, up to dimensions of size 1.
static bool isSame(const View &lhs, const View &rhs) {
  return lhs.value == rhs.value &&
         llvm::all_of(llvm::enumerate(getTensorType(lhs.value).getShape()),
                      [&](auto dim) {
                        return dim.value() == 1 ||
                               lhs.dims[dim.index()] == rhs.dims[dim.index()];
                      });
}

static bool isAmong(const View &mask, ArrayRef<View> masks) {
  return llvm::any_of(masks,
                      [&](const View &other) { return isSame(mask, other); });
}

/// The mask of a softmax's input that a selection hides the rest of; nothing if
/// there is none.
static SmallVector<View> findHiding(Value scores) {
  auto select = peelConverts(scores).getDefiningOp<stablehlo::SelectOp>();
  auto masking = select ? matchMasking(select) : std::nullopt;
  if (!masking || masking->negated)
    return {};
  return {View(masking->condition)};
}

//===----------------------------------------------------------------------===//
// Sinks
//===----------------------------------------------------------------------===//

/// The score of the term `view`, where `reference`, if any, is subtracted from
/// all scores: `exp(score - reference)`.
static std::optional<Sink> matchSinkTerm(View view,
                                         const std::optional<View> &reference) {
  view.peel();
  if (std::optional<double> number = matchScalar(view.value)) {
    if (reference || *number <= 0)
      return std::nullopt;
    return Sink{std::nullopt, std::log(*number)};
  }
  auto exp = view.value.getDefiningOp<stablehlo::ExpOp>();
  if (!exp)
    return std::nullopt;
  View score(exp.getOperand(), view.dims);
  score.peel();
  if (!reference)
    return Sink{score};
  auto isReference = [&](Value value) {
    View subtracted(value, score.dims);
    subtracted.peel();
    return isSame(subtracted, *reference);
  };
  if (auto neg = score.value.getDefiningOp<stablehlo::NegOp>())
    return isReference(neg.getOperand()) ? std::optional(Sink{}) : std::nullopt;
  auto sub = score.value.getDefiningOp<stablehlo::SubtractOp>();
  if (!sub || !isReference(sub.getRhs()))
    return std::nullopt;
  if (std::optional<double> number = matchScalar(sub.getLhs()))
    return Sink{std::nullopt, *number};
  View sink(sub.getLhs(), score.dims);
  sink.peel();
  return Sink{sink};
}

/// Takes a sink that is one more key, whose weight is sliced off, out of the
/// scores.
static bool takeSinkKey(stablehlo::SliceOp slice, Softmax &softmax) {
  auto all = softmax.scores.getDefiningOp<stablehlo::ConcatenateOp>();
  auto keys = static_cast<uint64_t>(softmax.keys);
  if (!all || all.getDimension() != keys || all.getInputs().size() != 2 ||
      softmax.sink || !softmax.masks.empty() ||
      llvm::any_of(slice.getStrides(), [](int64_t s) { return s != 1; }))
    return false;
  int64_t count = getTensorType(all).getDimSize(softmax.keys);
  int64_t begin = slice.getStartIndices()[keys];
  bool isLast = begin == 0; // of the keys is the sink
  Value scores = all.getInputs()[isLast ? 0 : 1];
  Value sink = all.getInputs()[isLast ? 1 : 0];
  if (getTensorType(scores).getShape() != getTensorType(slice).getShape() ||
      getTensorType(scores).getDimSize(softmax.keys) != count - 1 || begin > 1)
    return false;
  softmax.scores = scores;
  if (std::optional<double> number = matchScalar(sink)) {
    softmax.sink = Sink{std::nullopt, *number};
    return true;
  }
  View view(sink);
  view.dims[softmax.keys] = -1;
  view.peel();
  softmax.sink = Sink{view};
  return true;
}

//===----------------------------------------------------------------------===//
// Softmax
//===----------------------------------------------------------------------===//

static std::optional<Quotient> matchQuotient(Value value) {
  if (auto div = value.getDefiningOp<stablehlo::DivOp>())
    return Quotient{div.getLhs(), View(div.getRhs())};
  auto mul = value.getDefiningOp<stablehlo::MulOp>();
  if (!mul)
    return std::nullopt;
  View inverses(mul.getRhs());
  inverses.peel();
  auto inverse = inverses.value.getDefiningOp<stablehlo::DivOp>();
  if (!inverse || !isScalar(inverse.getLhs(), 1))
    return std::nullopt;
  return Quotient{mul.getLhs(), View(inverse.getRhs(), inverses.dims)};
}

/// Returns the terms whose sum over one dimension comes back to its own row at
/// `sums`. `shape` is that of the terms.
static std::optional<Masked> matchSums(View sums, ArrayRef<int64_t> shape,
                                       int64_t &keys) {
  sums.peel();
  auto reduce = sums.value.getDefiningOp<stablehlo::ReduceOp>();
  if (!reduce || reduce.getDimensions().size() != 1)
    return std::nullopt;
  keys = reduce.getDimensions()[0];
  Value summed = matchSum(sums.value, keys);
  if (!summed || getTensorType(summed).getShape() != shape)
    return std::nullopt;
  for (auto [i, dim] : llvm::enumerate(sums.dims)) {
    int64_t own = static_cast<int64_t>(i) < keys ? i : i + 1;
    if (dim != own && shape[own] != 1)
      return std::nullopt;
  }
  return peelMasks(summed);
}

/// Takes off the numbers per row that are subtracted from the scores, which
/// change no softmax without a sink, and counts them. Returns the last ones.
static std::optional<View> takeReferences(Value &scores, int64_t keys,
                                          unsigned &count) {
  std::optional<View> reference;
  for (count = 0;; ++count) {
    auto sub = peelConverts(scores).getDefiningOp<stablehlo::SubtractOp>();
    if (!sub || !isConstantAlong(sub.getRhs(), keys))
      return reference;
    reference = View(sub.getRhs());
    reference->peel();
    scores = sub.getLhs();
  }
}

/// Matches the quotient of `terms`, which are `exp`, and sums of theirs, in
/// which there may be a sink.
static std::optional<Softmax> matchTerms(stablehlo::ExpOp exp,
                                         const Masked &terms, View sums) {
  ArrayRef<int64_t> shape = getTensorType(exp).getShape();
  int64_t keys = 0;
  std::optional<View> sinkTerm;
  std::optional<Masked> summed = matchSums(sums, shape, keys);
  if (!summed) {
    sums.peel();
    auto add = sums.value.getDefiningOp<stablehlo::AddOp>();
    if (!add)
      return std::nullopt;
    sinkTerm = View(add.getRhs(), sums.dims);
    summed = matchSums(View(add.getLhs(), sums.dims), shape, keys);
    if (!summed) {
      sinkTerm = View(add.getLhs(), sums.dims);
      summed = matchSums(View(add.getRhs(), sums.dims), shape, keys);
    }
  }
  if (!summed || summed->value != exp.getResult())
    return std::nullopt;

  Softmax softmax{exp.getOperand(), keys, terms.masks, std::nullopt};
  unsigned references = 0;
  std::optional<View> reference =
      takeReferences(softmax.scores, keys, references);
  if (sinkTerm) {
    softmax.sink =
        references > 1 ? std::nullopt : matchSinkTerm(*sinkTerm, reference);
    if (!softmax.sink)
      return std::nullopt;
  }
  // Terms that their scores hide are so in the sum and in the result.
  SmallVector<View> hiding = findHiding(softmax.scores);
  auto isMissing = [&](const View &mask, ArrayRef<View> others) {
    return !isAmong(mask, hiding) && !isAmong(mask, others);
  };
  for (const View &mask : summed->masks)
    if (isMissing(mask, terms.masks))
      return std::nullopt;
  for (const View &mask : terms.masks)
    if (isMissing(mask, summed->masks))
      return std::nullopt;
  softmax.masks.append(summed->masks);
  return softmax;
}

/// Matches a softmax that ends in a quotient, perhaps below masks.
static std::optional<Softmax> matchWhole(Value value) {
  Masked weights = peelMasks(value);
  std::optional<Quotient> quotient = matchQuotient(weights.value);
  if (!quotient)
    return std::nullopt;
  Masked terms = peelMasks(quotient->terms);
  terms.masks.append(weights.masks);
  auto exp = terms.value.getDefiningOp<stablehlo::ExpOp>();
  return exp ? matchTerms(exp, terms, quotient->sums) : std::nullopt;
}

std::optional<Softmax> raise::matchSoftmax(Value value) {
  auto slice = peelConverts(value).getDefiningOp<stablehlo::SliceOp>();
  if (!slice)
    return matchWhole(value);
  std::optional<Softmax> softmax = matchWhole(slice.getOperand());
  if (!softmax || !takeSinkKey(slice, *softmax))
    return std::nullopt;
  return softmax;
}
