//===- Elementwise.cpp - Elementwise operations of random programs --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProgramBuilder.h"
#include "boost-mlir/Dialect/StableHLO/IR/CHLO.h"

#include <cmath>

using namespace mlir;
using namespace mlir::boost;
using namespace mlir::boost::prove;
namespace hlo = mlir::boost::stablehlo;

/// Operations with results between -1 and 1 whatever they read.
template <typename Op> static void applyBounded(ProgramBuilder &p) {
  p.add(Op::create(p.b, p.loc, p.pick().value), 1);
}

static void applyLogistic(ProgramBuilder &p) {
  Pooled x = p.pick();
  p.add(hlo::LogisticOp::create(p.b, p.loc, x.value),
        1 / (1 + std::exp(-x.low)), 1);
}

static void applyNegate(ProgramBuilder &p) {
  Pooled x = p.pick();
  p.add(hlo::NegOp::create(p.b, p.loc, x.value), -x.high, -x.low);
}

static void applyAbs(ProgramBuilder &p) {
  Pooled x = p.pick();
  p.add(hlo::AbsOp::create(p.b, p.loc, x.value), std::max(x.low, 0.0),
        x.magnitude());
}

/// exp of half a value: its bounds stay small.
template <typename Op> static void applyExponential(ProgramBuilder &p) {
  Pooled x = p.pick();
  Value half = p.scale(x.value, 0.5);
  bool minusOne = std::is_same_v<Op, hlo::Expm1Op>;
  p.add(Op::create(p.b, p.loc, half), std::exp(x.low / 2) - minusOne,
        std::exp(x.high / 2) - minusOne);
}

static void applyLog(ProgramBuilder &p) {
  Pooled x = p.pickAbove(0.25);
  p.add(hlo::LogOp::create(p.b, p.loc, x.value), std::log(x.low),
        std::log(x.high));
}

static void applyLog1p(ProgramBuilder &p) {
  Pooled x = p.pickAbove(0);
  p.add(hlo::Log1pOp::create(p.b, p.loc, x.value), std::log1p(x.low),
        std::log1p(x.high));
}

static void applySqrt(ProgramBuilder &p) {
  Pooled x = p.pickAbove(0.25);
  p.add(hlo::SqrtOp::create(p.b, p.loc, x.value), std::sqrt(x.low),
        std::sqrt(x.high));
}

static void applyRsqrt(ProgramBuilder &p) {
  Pooled x = p.pickAbove(0.25);
  p.add(hlo::RsqrtOp::create(p.b, p.loc, x.value), 1 / std::sqrt(x.high),
        1 / std::sqrt(x.low));
}

static void applyPower(ProgramBuilder &p) {
  Pooled x = p.pickAbove(0.25);
  double exponent = p.oneOf({2.0, 0.5, -0.5, 3.0, -1.0});
  double a = std::pow(x.low, exponent), c = std::pow(x.high, exponent);
  p.add(hlo::PowOp::create(p.b, p.loc, x.value, p.splat(x.shape(), exponent)),
        std::min(a, c), std::max(a, c));
}

static void applySquare(ProgramBuilder &p) {
  Pooled x = p.pick();
  p.add(chlo::SquareOp::create(p.b, p.loc, x.value.getType(), x.value), 0,
        x.magnitude() * x.magnitude());
}

static void applySilu(ProgramBuilder &p) {
  Pooled x = p.pick();
  p.add(p.callSilu(x.value), -0.3, std::max(x.high, 0.0));
}

static void applyRelu(ProgramBuilder &p) {
  Pooled x = p.pick();
  p.add(hlo::MaxOp::create(p.b, p.loc, x.value, p.splat(x.shape(), 0)),
        std::max(x.low, 0.0), std::max(x.high, 0.0));
}

static void applyClamp(ProgramBuilder &p) {
  Pooled x = p.pick();
  Type scalar = RankedTensorType::get({}, p.b.getF32Type());
  Value low = hlo::splat(p.b, p.loc, scalar, -0.5);
  Value high = hlo::splat(p.b, p.loc, scalar, 0.75);
  p.add(hlo::ClampOp::create(p.b, p.loc, x.value.getType(), low, x.value, high),
        1);
}

static void applyThroughBF16(ProgramBuilder &p) {
  if (!p.hasNarrowFloats())
    return;
  Pooled x = p.pick();
  Value narrow = hlo::convert(p.b, p.loc, x.value, p.b.getBF16Type());
  if (p.below(2) == 0)
    narrow = hlo::AddOp::create(p.b, p.loc, narrow, narrow);
  p.add(hlo::convert(p.b, p.loc, narrow, p.b.getF32Type()), 2 * x.magnitude());
}

static void applyBarrier(ProgramBuilder &p) {
  Pooled x = p.pick(), y = p.pick();
  auto barrier = hlo::OptimizationBarrierOp::create(
      p.b, p.loc, TypeRange{x.value.getType(), y.value.getType()},
      ValueRange{x.value, y.value});
  p.add(barrier.getResult()[0], x.low, x.high);
  p.add(barrier.getResult()[1], y.low, y.high);
}

/// A second operand: of the same shape, or broadcast from fewer dimensions.
static Pooled pickOther(ProgramBuilder &p, ArrayRef<int64_t> shape) {
  auto dropped = p.below(static_cast<uint32_t>(shape.size()) + 1);
  Pooled other = p.pickOfShape(shape.drop_front(dropped));
  other.value = p.broadcastTo(other.value, shape);
  return other;
}

/// The operands of a binary operation, in either order.
static std::pair<Pooled, Pooled> pickTwo(ProgramBuilder &p) {
  Pooled x = p.pick();
  Pooled y = pickOther(p, x.shape());
  return p.below(2) == 0 ? std::make_pair(x, y) : std::make_pair(y, x);
}

static void applyAdd(ProgramBuilder &p) {
  auto [x, y] = pickTwo(p);
  p.add(hlo::AddOp::create(p.b, p.loc, x.value, y.value), x.low + y.low,
        x.high + y.high);
}

static void applySubtract(ProgramBuilder &p) {
  auto [x, y] = pickTwo(p);
  p.add(hlo::SubtractOp::create(p.b, p.loc, x.value, y.value), x.low - y.high,
        x.high - y.low);
}

static void applyMultiply(ProgramBuilder &p) {
  auto [x, y] = pickTwo(p);
  p.add(hlo::MulOp::create(p.b, p.loc, x.value, y.value),
        x.magnitude() * y.magnitude());
}

static void applyDivide(ProgramBuilder &p) {
  Pooled y = p.pickAbove(0.5);
  Pooled x = pickOther(p, y.shape());
  p.add(hlo::DivOp::create(p.b, p.loc, x.value, y.value),
        x.magnitude() / y.low);
}

static void applyMaximum(ProgramBuilder &p) {
  auto [x, y] = pickTwo(p);
  p.add(hlo::MaxOp::create(p.b, p.loc, x.value, y.value),
        std::max(x.low, y.low), std::max(x.high, y.high));
}

static void applyMinimum(ProgramBuilder &p) {
  auto [x, y] = pickTwo(p);
  p.add(hlo::MinOp::create(p.b, p.loc, x.value, y.value),
        std::min(x.low, y.low), std::min(x.high, y.high));
}

/// One of the operations that combine two values of one shape.
static void addCombined(ProgramBuilder &p, const Pooled &x, Value y) {
  double square = x.magnitude() * x.magnitude();
  switch (p.below(4)) {
  case 0:
    return p.add(hlo::AddOp::create(p.b, p.loc, x.value, y), 2 * x.magnitude());
  case 1:
    return p.add(hlo::MulOp::create(p.b, p.loc, x.value, y), square);
  case 2:
    return p.add(hlo::SubtractOp::create(p.b, p.loc, y, x.value),
                 2 * x.magnitude());
  default:
    return p.add(hlo::MaxOp::create(p.b, p.loc, y, x.value), x.low, x.high);
  }
}

/// A square product, which nothing else reads: its memory can be written over.
static Pooled makeSquare(ProgramBuilder &p, const Pooled &x) {
  int64_t batch = x.rank() - 2;
  Pooled y = p.pickOfShape(x.shape());
  auto batching = llvm::to_vector(llvm::seq(batch));
  auto dims = hlo::DotDimensionNumbersAttr::get(
      p.b.getContext(), batching, batching, {batch + 1}, {batch + 1});
  auto width = static_cast<double>(x.shape().back());
  double bound = width * x.magnitude() * y.magnitude();
  double factor = bound > 4 ? std::exp2(-std::ceil(std::log2(bound / 4))) : 1;
  Value product = hlo::dotGeneral(p.b, p.loc, x.value, y.value, dims);
  return {p.scale(product, factor), -bound * factor, bound * factor};
}

/// A value combined with itself, as it is or with two dimensions exchanged.
static void applyWithItself(ProgramBuilder &p) {
  Pooled x = p.pickOfRank(1);
  if (x.rank() >= 2 && x.rank() <= 3 && p.below(4) != 3)
    x = makeSquare(p, x);
  SmallVector<int64_t> permutation = llvm::to_vector(llvm::seq(x.rank()));
  for (int64_t i = x.rank() - 1; i > 0; --i)
    if (x.shape()[i] == x.shape()[i - 1] && p.below(4) != 3) {
      std::swap(permutation[i], permutation[i - 1]);
      break;
    }
  addCombined(p, x, hlo::transpose(p.b, p.loc, x.value, permutation));
}

/// A value combined with rows of itself.
static void applyWithOwnRows(ProgramBuilder &p) {
  Pooled x = p.pickOfRank(1, 3);
  if (x.rank() >= 2 && p.below(4) != 3)
    x = makeSquare(p, x);
  Value ids = p.addIds({x.shape()[0]}, x.shape()[0]);
  addCombined(p, x, p.gatherRows(x.value, ids));
}

/// Chooses between two values by a comparison with a number, or by position.
static void applySelect(ProgramBuilder &p) {
  auto [x, y] = pickTwo(p);
  ArrayRef<int64_t> shape = x.shape();
  Value predicate;
  if (shape.empty() || p.below(2) == 0) {
    predicate = hlo::CompareOp::create(
        p.b, p.loc, x.value, p.splat(shape, 0.125),
        p.oneOf({hlo::ComparisonDirection::GT, hlo::ComparisonDirection::LT}));
  } else {
    Type type = RankedTensorType::get(shape, p.b.getI32Type());
    auto dim = p.below(static_cast<uint32_t>(shape.size()));
    Value position = hlo::IotaOp::create(p.b, p.loc, type, dim);
    predicate = hlo::CompareOp::create(
        p.b, p.loc, position, hlo::splat(p.b, p.loc, type, 1),
        p.oneOf({hlo::ComparisonDirection::LE, hlo::ComparisonDirection::EQ}));
  }
  p.add(hlo::SelectOp::create(p.b, p.loc, predicate, x.value, y.value),
        std::min(x.low, y.low), std::max(x.high, y.high));
}

ArrayRef<RandomOperation> mlir::boost::prove::getElementwiseOperations() {
  static const RandomOperation operations[] = {
      {"tanh", 3, applyBounded<hlo::TanhOp>},
      {"sine", 1, applyBounded<hlo::SineOp>},
      {"cosine", 1, applyBounded<hlo::CosineOp>},
      {"logistic", 2, applyLogistic},
      {"negate", 1, applyNegate},
      {"abs", 1, applyAbs},
      {"exponential", 1, applyExponential<hlo::ExpOp>},
      {"exponential_minus_one", 1, applyExponential<hlo::Expm1Op>},
      {"log", 1, applyLog},
      {"log_plus_one", 1, applyLog1p},
      {"sqrt", 1, applySqrt},
      {"rsqrt", 1, applyRsqrt},
      {"power", 1, applyPower},
      {"square", 2, applySquare},
      {"silu", 2, applySilu},
      {"relu", 2, applyRelu},
      {"clamp", 1, applyClamp},
      {"through bf16", 1, applyThroughBF16},
      {"optimization_barrier", 1, applyBarrier},
      {"add", 6, applyAdd},
      {"subtract", 3, applySubtract},
      {"multiply", 6, applyMultiply},
      {"divide", 2, applyDivide},
      {"maximum", 1, applyMaximum},
      {"minimum", 1, applyMinimum},
      {"select", 2, applySelect},
      {"with itself", 3, applyWithItself},
      {"with own rows", 3, applyWithOwnRows},
  };
  return operations;
}
