//===- RaiseRMSNorm.cpp - Root-mean-square norms to boost.rms_norm --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A norm is a product of three factors in any order and grouping: the input,
// 1 / sqrt(mean of its squares + eps) and gamma. The root of the product is
// found, the factors are collected through conversions, and each must be
// recognised.
//
//===----------------------------------------------------------------------===//

#include "Views.h"

#include "boost-mlir/Conversion/StableHLOToBoost/Passes.h"
#include "boost-mlir/Dialect/Boost/IR/Boost.h"

namespace mlir::boost {
#define GEN_PASS_DEF_RAISERMSNORMPASS
#include "boost-mlir/Conversion/StableHLOToBoost/Passes.h.inc"
} // namespace mlir::boost

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

/// `1 / sqrt(mean(input^2) + eps)`, repeated along the last dimension.
struct Scale {
  Value input;
  double eps;
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

/// Matches `factor` as the scale of a tensor of `shape`.
static std::optional<Scale> matchScale(Factor factor, ArrayRef<int64_t> shape) {
  View view(factor.value);
  view.peel();
  Value radicand = matchRoot(view.value, factor.inverse);
  if (!radicand)
    return std::nullopt;
  moveTo(view, radicand);

  std::optional<double> eps = stripScalar<stablehlo::AddOp>(view);
  if (!eps)
    return std::nullopt;
  double size = shape.back();
  std::optional<double> divisor = stripScalar<DivOp>(view);
  if (!divisor)
    if (std::optional<double> factor = stripScalar<MulOp>(view))
      divisor = 1 / *factor;
  if (!divisor || std::abs(*divisor - size) > 1e-5 * size)
    return std::nullopt;

  auto squares = matchRowDot(view.value);
  if (!squares || peelConverts(squares->first) != peelConverts(squares->second))
    return std::nullopt;
  Value input = squares->first;
  if (getTensorType(input).getShape() != shape)
    return std::nullopt;
  for (auto [i, dim] : llvm::enumerate(view.dims))
    if (dim != static_cast<int64_t>(i) && shape[i] != 1)
      return std::nullopt;
  return Scale{input, *eps};
}

/// The vector that `value` repeats over all but its last dimension; null if it
/// is not made so.
static Value matchGamma(Value value) {
  int64_t last = getTensorType(value).getRank() - 1;
  View view(value);
  do {
    if (getTensorType(view.value).getRank() == 1)
      return view.dims[0] == last ? view.value : Value();
    view.value = peelConverts(view.value);
  } while (view.step());
  return {};
}

/// Builds the norm in the type of `root` if the input was in it before the
/// statistic was taken. Gamma keeps the type that it is multiplied in.
static Value buildNorm(Operation *root, Value input, Value gamma, double eps) {
  OpBuilder builder(root);
  Location loc = root->getLoc();
  Type element = getTensorType(root->getResult(0)).getElementType();
  Value narrow = peelWidening(input);
  if (getTensorType(narrow).getElementType() == element)
    input = narrow;
  Type norm = getTensorType(input).getElementType();
  if (!gamma) {
    auto type =
        RankedTensorType::get(getTensorType(input).getShape().back(), norm);
    gamma = stablehlo::splat(builder, loc, type, 1);
  }
  Type gammaType = getTensorType(gamma).getElementType();
  if (gammaType != norm && !gammaType.isF32())
    gamma = stablehlo::convert(builder, loc, gamma, norm);
  Value result = RMSNormOp::create(builder, loc, input.getType(), input, gamma,
                                   builder.getF64FloatAttr(eps));
  return stablehlo::convert(builder, loc, result, element);
}

/// Whether `op` can be the last operation of a norm.
static bool isRoot(Operation *op) {
  if (!isa<MulOp, DivOp, stablehlo::ConvertOp>(op))
    return false;
  auto type = getTensorType(op->getResult(0));
  if (!isa<FloatType>(type.getElementType()) || type.getRank() == 0)
    return false;
  auto convert = dyn_cast<stablehlo::ConvertOp>(op);
  // A widening conversion belongs to what reads the norm.
  return !convert || (peelWidening(convert) == convert.getResult() &&
                      peelConverts(convert) != convert.getResult());
}

static void raiseNorm(Operation *root) {
  if (!isRoot(root))
    return;
  Value result = root->getResult(0);
  ArrayRef<int64_t> shape = getTensorType(result).getShape();
  std::optional<Scale> scale;
  for (Factor factor : collectFactors(result, /*stop=*/{}))
    if ((scale = matchScale(factor, shape)))
      break;
  if (!scale)
    return;

  // The input may be a product itself: collect again, stopping at it.
  int inputs = 0, scales = 0;
  Value gamma;
  for (Factor factor : collectFactors(result, peelConverts(scale->input))) {
    if (!factor.inverse &&
        peelConverts(factor.value) == peelConverts(scale->input))
      ++inputs;
    else if (matchScale(factor, shape))
      ++scales;
    else if (Value vector =
                 factor.inverse || gamma ? Value() : matchGamma(factor.value))
      gamma = vector;
    else
      return;
  }
  if (inputs != 1 || scales != 1)
    return;
  result.replaceAllUsesWith(buildNorm(root, scale->input, gamma, scale->eps));
}

namespace {
struct RaiseRMSNorm
    : public mlir::boost::impl::RaiseRMSNormPassBase<RaiseRMSNorm> {
  void runOnOperation() override {
    for (Block &block : getOperation().getBody())
      visitBackwards(block, raiseNorm);
  }
};
} // namespace
