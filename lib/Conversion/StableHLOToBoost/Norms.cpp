//===- Norms.cpp - The parts of a norm ------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Norms.h"

using namespace mlir;
using namespace mlir::boost;
using namespace mlir::boost::raise;
using stablehlo::DivOp;
using stablehlo::MulOp;

namespace {
struct Factor {
  Value value;
  bool inverse;
};
} // namespace

/// A norm has three. A value squared again and again has a number of them that
/// doubles every time.
static constexpr size_t kMaxFactors = 16;

/// The factors of a product, not looking into `stop`, and not further once
/// there are `kMaxFactors`. Those that are nearest to `product` are found.
static SmallVector<Factor> collectFactors(Value product, Value stop) {
  SmallVector<Factor> factors, pending{{product, /*inverse=*/false}};
  for (size_t i = 0; i < pending.size(); ++i) {
    auto [value, inverse] = pending[i];
    Value inner = peelConverts(value);
    auto mul = inner.getDefiningOp<MulOp>();
    auto div = inner.getDefiningOp<DivOp>();
    size_t found = factors.size() + pending.size() - i;
    if (inner == stop || (!mul && !div) || found >= kMaxFactors) {
      factors.push_back(pending[i]);
      continue;
    }
    Operation *op = inner.getDefiningOp();
    pending.push_back({op->getOperand(0), inverse});
    pending.push_back({op->getOperand(1), inverse != static_cast<bool>(div)});
  }
  return factors;
}

/// The operand of a (reciprocal) square root; null unless it is the one asked
/// for.
static Value matchRoot(Value value, bool inverse) {
  Operation *op = value.getDefiningOp();
  if (auto root = dyn_cast_or_null<stablehlo::SqrtOp>(op))
    return inverse ? root.getOperand() : Value();
  if (auto root = dyn_cast_or_null<stablehlo::RsqrtOp>(op))
    return inverse ? Value() : root.getOperand();
  if (auto power = dyn_cast_or_null<stablehlo::PowOp>(op))
    return isScalar(power.getRhs(), inverse ? 0.5 : -0.5) ? power.getLhs()
                                                          : Value();
  if (auto div = dyn_cast_or_null<DivOp>(op))
    if (isScalar(div.getLhs(), 1))
      return matchRoot(peelConverts(div.getRhs()), !inverse);
  return {};
}

/// Steps from `view` to an operand of the elementwise operation it stands on.
static void moveTo(View &view, Value operand) {
  view = View(operand, view.dims);
  view.peel();
}

/// Strips one scalar operand of `view`'s operation: returns the scalar and
/// moves on to the other operand.
template <typename OpTy> static std::optional<double> stripScalar(View &view) {
  auto op = view.value.getDefiningOp<OpTy>();
  if (!op)
    return std::nullopt;
  if (std::optional<double> scalar = matchScalar(op.getRhs())) {
    moveTo(view, op.getLhs());
    return scalar;
  }
  std::optional<double> scalar = matchScalar(op.getLhs());
  if (!scalar || !op->template hasTrait<OpTrait::IsCommutative>())
    return std::nullopt;
  moveTo(view, op.getRhs());
  return scalar;
}

//===----------------------------------------------------------------------===//
// Statistics
//===----------------------------------------------------------------------===//

/// Moves on from the square of a square root to what the root is of.
static void stripSquaredRoot(View &view) {
  auto square = view.value.getDefiningOp<MulOp>();
  if (!square || square.getLhs() != square.getRhs())
    return;
  View root = view;
  moveTo(root, square.getLhs());
  if (auto op = root.value.getDefiningOp<stablehlo::SqrtOp>()) {
    moveTo(root, op.getOperand());
    view = root;
  }
}

/// The sum of which each element of `view` is the mean over the last dimension
/// of a tensor of `shape`, in the same row; null if it is none.
static Value matchMean(View view, ArrayRef<int64_t> shape) {
  view.peel();
  double size = shape.back();
  std::optional<double> divisor = stripScalar<DivOp>(view);
  if (!divisor)
    if (std::optional<double> factor = stripScalar<MulOp>(view))
      divisor = 1 / *factor;
  stripSquaredRoot(view);
  if (!divisor || std::abs(*divisor - size) > 1e-5 * size ||
      view.dims.size() + 1 != shape.size())
    return {};
  for (auto [i, dim] : llvm::enumerate(view.dims))
    if (dim != static_cast<int64_t>(i) && shape[i] != 1)
      return {};
  return view.value;
}

/// The tensor of `shape` of which each element of `view` is the mean of its
/// row; null otherwise.
static Value matchMeanOf(const View &view, ArrayRef<int64_t> shape) {
  Value sum = matchMean(view, shape);
  Value input = sum ? matchSum(sum, getTensorType(sum).getRank()) : Value();
  return input && getTensorType(input).getShape() == shape ? input : Value();
}

/// Returns the tensor of whose squares `view` is the mean.
static Value matchMeanSquareOf(const View &view, ArrayRef<int64_t> shape) {
  Value sum = matchMean(view, shape);
  auto squares = sum ? matchRowDot(sum) : std::nullopt;
  if (!squares ||
      peelConverts(squares->first) != peelConverts(squares->second) ||
      getTensorType(squares->first).getShape() != shape)
    return {};
  return squares->first;
}

/// Returns the tensor of which `view` is the variance `mean(x^2) - mean(x)^2`.
static Value matchVarianceOf(const View &view, ArrayRef<int64_t> shape) {
  auto sub = view.value.getDefiningOp<stablehlo::SubtractOp>();
  if (!sub)
    return {};
  Value input = matchMeanSquareOf(View(sub.getLhs(), view.dims), shape);
  View square(sub.getRhs(), view.dims);
  square.peel();
  auto mul = square.value.getDefiningOp<MulOp>();
  if (!input || !mul || mul.getLhs() != mul.getRhs())
    return {};
  Value mean = matchMeanOf(View(mul.getLhs(), square.dims), shape);
  return mean && peelConverts(mean) == peelConverts(input) ? input : Value();
}

/// Matches `factor` as the scale of a tensor of `shape`.
static std::optional<NormScale> matchScale(Factor factor,
                                           ArrayRef<int64_t> shape) {
  View view(factor.value);
  view.peel();
  Value radicand = matchRoot(view.value, factor.inverse);
  if (!radicand)
    return std::nullopt;
  moveTo(view, radicand);
  std::optional<double> eps = stripScalar<stablehlo::AddOp>(view);
  if (!eps)
    return std::nullopt;
  // A mean of squares is 0 at least, and so is a variance but for rounding.
  View bounded = view;
  if (stripScalar<stablehlo::MaxOp>(bounded) == 0.0)
    view = bounded;
  if (Value input = matchMeanSquareOf(view, shape))
    return NormScale{input, *eps, /*ofVariance=*/false};
  if (Value input = matchVarianceOf(view, shape))
    return NormScale{input, *eps, /*ofVariance=*/true};
  return std::nullopt;
}

Value raise::matchCentered(Value value) {
  auto sub = peelConverts(value).getDefiningOp<stablehlo::SubtractOp>();
  if (!sub || sub.getType().getRank() == 0)
    return {};
  Value input = matchMeanOf(View(sub.getRhs()), sub.getType().getShape());
  return input && peelConverts(input) == peelConverts(sub.getLhs())
             ? sub.getLhs()
             : Value();
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

/// `value` as the vector that it repeats, or as a tensor of the elements of
/// that one, to be reshaped to it.
static Value findRepeatedVector(Value value) {
  RankedTensorType type = getTensorType(value);
  int64_t last = type.getRank() - 1, width = type.getShape().back();
  View view(value);
  do {
    RankedTensorType inner = getTensorType(view.value);
    if (inner.getNumElements() == width && !view.dims.empty() &&
        view.dims.back() == last && inner.getShape().back() == width)
      return view.value;
    view.value = peelConverts(view.value);
  } while (view.step());
  return {};
}

bool raise::isRepeatedVector(Value value) {
  return static_cast<bool>(findRepeatedVector(value));
}

std::optional<NormProduct> raise::matchNormProduct(
    Value product, function_ref<bool(const NormScale &, Value)> isCenterOf) {
  ArrayRef<int64_t> shape = getTensorType(product).getShape();
  SmallVector<Factor> factors = collectFactors(product, /*stop=*/{});
  std::optional<NormScale> scale;
  for (Factor factor : factors) {
    scale = matchScale(factor, shape);
    if (scale)
      break;
  }
  if (!scale)
    return std::nullopt;

  // The center may be a product itself: collect again, stopping at it.
  Value center = peelConverts(scale->input);
  if (!isCenterOf(*scale, center)) {
    auto *factor = llvm::find_if(factors, [&](Factor factor) {
      return !factor.inverse && isCenterOf(*scale, factor.value);
    });
    if (factor == factors.end())
      return std::nullopt;
    center = peelConverts(factor->value);
  }
  int centers = 0, scales = 0;
  Value gamma;
  for (Factor factor : collectFactors(product, center)) {
    if (!factor.inverse && peelConverts(factor.value) == center)
      ++centers;
    else if (matchScale(factor, shape))
      ++scales;
    else if (!factor.inverse && !gamma && isRepeatedVector(factor.value))
      gamma = factor.value;
    else
      return std::nullopt;
  }
  if (centers != 1 || scales != 1)
    return std::nullopt;
  return NormProduct{center, *scale, gamma};
}

//===----------------------------------------------------------------------===//
// Building
//===----------------------------------------------------------------------===//

bool raise::canEndNorm(Operation *op) {
  if (!isa<stablehlo::AddOp, MulOp, DivOp, stablehlo::ConvertOp>(op))
    return false;
  auto type = getTensorType(op->getResult(0));
  if (!isa<FloatType>(type.getElementType()) || type.getRank() == 0)
    return false;
  auto convert = dyn_cast<stablehlo::ConvertOp>(op);
  // A widening conversion belongs to what reads the norm.
  return !convert || (peelWidening(convert) == convert.getResult() &&
                      peelConverts(convert) != convert.getResult());
}

Value raise::getNormInput(Operation *root, Value input) {
  Value narrow = peelWidening(input);
  Type element = getTensorType(root->getResult(0)).getElementType();
  return getTensorType(narrow).getElementType() == element ? narrow : input;
}

Value raise::makeNormVector(OpBuilder &builder, Location loc, Value repeated,
                            double number, Value input) {
  RankedTensorType type = getTensorType(input);
  Type norm = type.getElementType();
  ArrayRef<int64_t> shape = type.getShape().take_back();
  if (!repeated)
    return stablehlo::splat(builder, loc, type.clone(shape), number);
  Value vector = makeReshape(builder, loc, findRepeatedVector(repeated), shape);
  if (!getTensorType(vector).getElementType().isF32())
    vector = stablehlo::convert(builder, loc, vector, norm);
  return vector;
}
