//===- ScalarOps.cpp - StableHLO arithmetic on one element ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The element types of StableHLO carry the sign; those of arith do not, so the
// operation is chosen here. Nothing below is undefined for any input.
//
//===----------------------------------------------------------------------===//

#include "Lowering.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::boost;
namespace hlo = mlir::boost::stablehlo;

namespace {

enum class Kind { Float, Signed, Unsigned, Boolean };

/// Builds the scalar form of one operation.
class ScalarBuilder {
public:
  ScalarBuilder(OpBuilder &builder, Location loc, Operation *op, ValueRange x)
      : builder(builder), loc(loc), op(op), x(x), kind(kindOf(operandType())) {}

  Value build();

  static Kind kindOf(Type type) {
    if (isa<FloatType>(type))
      return Kind::Float;
    if (type.isInteger(1))
      return Kind::Boolean;
    return type.isUnsignedInteger() ? Kind::Unsigned : Kind::Signed;
  }

private:
  Type operandType() { return getElementTypeOrSelf(op->getOperand(0)); }
  Type type() { return x[0].getType(); }

  template <typename Op> Value make(ValueRange operands) {
    return Op::create(builder, loc, operands).getResult();
  }
  Value constant(Type elementType, double value);
  Value constant(double value) { return constant(type(), value); }
  Value bitConstant(const APInt &bits);
  Value bitConstant(unsigned width, uint64_t bits) {
    return bitConstant(APInt(width, bits));
  }
  /// The bits of a float.
  Value toBits(Value value);
  /// The form for the kind of the operands; booleans are unsigned bits.
  template <typename F, typename S, typename U, typename B> Value pick();

  Value compareInt(arith::CmpIPredicate predicate, Value a, Value b) {
    return arith::CmpIOp::create(builder, loc, predicate, a, b);
  }
  Value compareFloat(arith::CmpFPredicate predicate, Value a, Value b) {
    return arith::CmpFOp::create(builder, loc, predicate, a, b);
  }
  Value select(Value condition, Value a, Value b) {
    return arith::SelectOp::create(builder, loc, condition, a, b);
  }

  Value buildDivision(bool remainder);
  Value buildIntegerPower();
  Value buildShift();
  Value buildSign();
  /// A function that has an operation of its own.
  Value buildFunction();
  Value buildLogistic();
  Value buildIsFinite();
  Value buildClamp();
  Value buildReducePrecision(hlo::ReducePrecisionOp reduce);
  Value buildOrderKey(Value value);
  Value buildCompare(hlo::CompareOp compare);
  Value buildConvert(Type from, Type to);
  Value buildFloatToInt(Type to);

  OpBuilder &builder;
  Location loc;
  Operation *op;
  ValueRange x;
  Kind kind;
};

} // namespace

Value ScalarBuilder::constant(Type elementType, double value) {
  TypedAttr attr;
  if (isa<FloatType>(elementType))
    attr = builder.getFloatAttr(elementType, value);
  else
    attr = builder.getIntegerAttr(elementType, static_cast<int64_t>(value));
  return arith::ConstantOp::create(builder, loc, attr);
}

template <typename F, typename S, typename U, typename B>
Value ScalarBuilder::pick() {
  switch (kind) {
  case Kind::Float:
    return make<F>(x);
  case Kind::Signed:
    return make<S>(x);
  case Kind::Unsigned:
    return make<U>(x);
  case Kind::Boolean:
    return make<B>(x);
  }
  return {};
}

/// Integers divide by 1 where the divisor is 0, or -1 where the quotient would
/// overflow; the result there is StableHLO's choice of implementation: -1 and
/// the dividend for x / 0, wrapping for the smallest number / -1.
Value ScalarBuilder::buildDivision(bool remainder) {
  if (kind == Kind::Float)
    return remainder ? make<arith::RemFOp>(x) : make<arith::DivFOp>(x);
  Value zero = constant(0), one = constant(1), minusOne = constant(-1);
  Value byZero = compareInt(arith::CmpIPredicate::eq, x[1], zero);
  if (kind == Kind::Unsigned) {
    Value divisor = select(byZero, one, x[1]);
    return remainder
               ? select(byZero, x[0], make<arith::RemUIOp>({x[0], divisor}))
               : select(byZero, minusOne,
                        make<arith::DivUIOp>({x[0], divisor}));
  }
  Value byMinusOne = compareInt(arith::CmpIPredicate::eq, x[1], minusOne);
  Value unsafe = make<arith::OrIOp>({byZero, byMinusOne});
  Value divisor = select(unsafe, one, x[1]);
  if (remainder) {
    Value plain = make<arith::RemSIOp>({x[0], divisor});
    return select(byZero, x[0], select(byMinusOne, zero, plain));
  }
  Value plain = make<arith::DivSIOp>({x[0], divisor});
  Value negated = make<arith::SubIOp>({zero, x[0]});
  return select(byZero, minusOne, select(byMinusOne, negated, plain));
}

/// Squares and multiplies, a step for every bit of the exponent. To a negative
/// power 1 and -1 are what they are to the power of its last bit, others 0.
Value ScalarBuilder::buildIntegerPower() {
  Value zero = constant(0), one = constant(1);
  Value square = x[0], exponent = x[1], result = one, first;
  for (unsigned bit = 0; bit < type().getIntOrFloatBitWidth(); ++bit) {
    if (bit > 0) {
      square = make<arith::MulIOp>({square, square});
      exponent = make<arith::ShRUIOp>({exponent, one});
    }
    Value isSet = compareInt(arith::CmpIPredicate::ne,
                             make<arith::AndIOp>({exponent, one}), zero);
    result = select(isSet, make<arith::MulIOp>({result, square}), result);
    if (bit == 0)
      first = result;
  }
  if (kind != Kind::Signed)
    return result;
  Value isNegative = compareInt(arith::CmpIPredicate::slt, x[1], zero);
  Value isUnit = make<arith::OrIOp>(
      {compareInt(arith::CmpIPredicate::eq, x[0], one),
       compareInt(arith::CmpIPredicate::eq, x[0], constant(-1))});
  return select(isNegative, select(isUnit, first, zero), result);
}

/// Shifts by the width or more give 0, or the sign.
Value ScalarBuilder::buildShift() {
  Value width = constant(type().getIntOrFloatBitWidth());
  Value last = constant(type().getIntOrFloatBitWidth() - 1);
  Value inRange = compareInt(arith::CmpIPredicate::ult, x[1], width);
  Value amount = select(inRange, x[1], last);
  if (isa<hlo::ShiftRightArithmeticOp>(op))
    return make<arith::ShRSIOp>({x[0], amount});
  Value shifted = isa<hlo::ShiftLeftOp>(op)
                      ? make<arith::ShLIOp>({x[0], amount})
                      : make<arith::ShRUIOp>({x[0], amount});
  return select(inRange, shifted, constant(0));
}

/// Zeros (of either sign) and NaN are their own sign.
Value ScalarBuilder::buildSign() {
  Value zero = constant(0), one = constant(1);
  if (kind == Kind::Float) {
    Value isNumber = compareFloat(arith::CmpFPredicate::ONE, x[0], zero);
    return select(isNumber, make<math::CopySignOp>({one, x[0]}), x[0]);
  }
  Value negative = compareInt(arith::CmpIPredicate::slt, x[0], zero);
  Value isZero = compareInt(arith::CmpIPredicate::eq, x[0], zero);
  return select(isZero, zero, select(negative, constant(-1), one));
}

Value ScalarBuilder::buildLogistic() {
  Value one = constant(1);
  Value exponential = make<math::ExpOp>(make<arith::NegFOp>(x[0]));
  return make<arith::DivFOp>({one, make<arith::AddFOp>({one, exponential})});
}

Value ScalarBuilder::buildIsFinite() {
  Value magnitude = make<math::AbsFOp>(x[0]);
  Value infinity = arith::ConstantOp::create(
      builder, loc,
      builder.getFloatAttr(
          type(),
          APFloat::getInf(cast<FloatType>(type()).getFloatSemantics())));
  return compareFloat(arith::CmpFPredicate::OLT, magnitude, infinity);
}

/// min(max(x, low), high).
Value ScalarBuilder::buildClamp() {
  Value low = x[0], value = x[1], high = x[2];
  switch (kind) {
  case Kind::Float:
    return make<arith::MinimumFOp>(
        {make<arith::MaximumFOp>({value, low}), high});
  case Kind::Signed:
    return make<arith::MinSIOp>({make<arith::MaxSIOp>({value, low}), high});
  default:
    return make<arith::MinUIOp>({make<arith::MaxUIOp>({value, low}), high});
  }
}

Value ScalarBuilder::bitConstant(const APInt &bits) {
  Type integer = builder.getIntegerType(bits.getBitWidth());
  return arith::ConstantOp::create(builder, loc,
                                   builder.getIntegerAttr(integer, bits));
}

Value ScalarBuilder::toBits(Value value) {
  Type integer =
      builder.getIntegerType(value.getType().getIntOrFloatBitWidth());
  return arith::BitcastOp::create(builder, loc, integer, value);
}

/// Works on the bits, from the mantissa to the exponent: rounding to nearest
/// even carries into the exponent, which is then compared with the new range.
Value ScalarBuilder::buildReducePrecision(hlo::ReducePrecisionOp reduce) {
  const llvm::fltSemantics &from =
      cast<FloatType>(operandType()).getFloatSemantics();
  unsigned width = APFloat::semanticsSizeInBits(from);
  unsigned fromMantissa = APFloat::semanticsPrecision(from) - 1;
  unsigned fromExponent = width - 1 - fromMantissa;
  unsigned mantissa = reduce.getMantissaBits();
  unsigned exponent = reduce.getExponentBits();
  APInt infinity =
      APInt::getBitsSet(width, fromMantissa, fromMantissa + fromExponent);
  Value bits = toBits(x[0]);
  Value sign =
      make<arith::AndIOp>({bits, bitConstant(APInt::getSignMask(width))});
  Value result = bits;
  if (mantissa < fromMantissa) {
    unsigned dropped = fromMantissa - mantissa;
    Value last = make<arith::AndIOp>(
        {make<arith::ShRUIOp>({result, bitConstant(width, dropped)}),
         bitConstant(width, 1)});
    Value half = bitConstant(APInt::getLowBitsSet(width, dropped - 1));
    result = make<arith::AddIOp>({result, make<arith::AddIOp>({last, half})});
    result = make<arith::AndIOp>(
        {result, bitConstant(APInt::getHighBitsSet(width, width - dropped))});
  }
  if (exponent < fromExponent) {
    uint64_t fromBias = (uint64_t(1) << (fromExponent - 1)) - 1;
    uint64_t bias = (uint64_t(1) << (exponent - 1)) - 1;
    auto exponentBits = [&](uint64_t value) {
      return bitConstant(APInt(width, value).shl(fromMantissa));
    };
    Value own = make<arith::AndIOp>({result, bitConstant(infinity)});
    Value isHigh = compareInt(arith::CmpIPredicate::ugt, own,
                              exponentBits(fromBias + bias));
    Value isLow = compareInt(arith::CmpIPredicate::ule, own,
                             exponentBits(fromBias - bias));
    Value high = make<arith::OrIOp>({sign, bitConstant(infinity)});
    result = select(isHigh, high, select(isLow, sign, result));
  }
  Value isNaN = compareFloat(arith::CmpFPredicate::UNO, x[0], x[0]);
  Value ofNaN = mantissa > 0 ? bits : bitConstant(infinity);
  result = select(isNaN, ofNaN, result);
  return arith::BitcastOp::create(builder, loc, operandType(), result);
}

/// An integer that orders floats totally: -NaN < -inf < .. < -0 < +0 < .. <
/// inf < NaN. The bits of a float below its sign are in the order of its
/// magnitude, which for negative ones is turned around.
Value ScalarBuilder::buildOrderKey(Value value) {
  unsigned width = value.getType().getIntOrFloatBitWidth();
  Value bits = toBits(value);
  Value sign = make<arith::ShRSIOp>({bits, bitConstant(width, width - 1)});
  Value mask =
      make<arith::AndIOp>({sign, bitConstant(APInt::getSignedMaxValue(width))});
  return make<arith::XOrIOp>({bits, mask});
}

Value ScalarBuilder::buildCompare(hlo::CompareOp compare) {
  using D = hlo::ComparisonDirection;
  using F = arith::CmpFPredicate;
  using I = arith::CmpIPredicate;
  struct Predicates {
    F real;
    I isSigned, isUnsigned;
  };
  Predicates p{};
  switch (compare.getComparisonDirection()) {
  case D::EQ:
    p = {F::OEQ, I::eq, I::eq};
    break;
  case D::NE:
    p = {F::UNE, I::ne, I::ne};
    break;
  case D::GE:
    p = {F::OGE, I::sge, I::uge};
    break;
  case D::GT:
    p = {F::OGT, I::sgt, I::ugt};
    break;
  case D::LE:
    p = {F::OLE, I::sle, I::ule};
    break;
  case D::LT:
    p = {F::OLT, I::slt, I::ult};
    break;
  }
  if (compare.getCompareType() == hlo::ComparisonType::TOTALORDER)
    return compareInt(p.isSigned, buildOrderKey(x[0]), buildOrderKey(x[1]));
  if (kind == Kind::Float)
    return compareFloat(p.real, x[0], x[1]);
  return compareInt(kind == Kind::Signed ? p.isSigned : p.isUnsigned, x[0],
                    x[1]);
}

/// Truncates and saturates; NaN becomes 0. The bounds are powers of two, hence
/// exact in every float type that holds them.
Value ScalarBuilder::buildFloatToInt(Type to) {
  Type from = type();
  Value value = x[0];
  if (from.getIntOrFloatBitWidth() < 32) {
    from = builder.getF32Type();
    value = arith::ExtFOp::create(builder, loc, from, value);
  }
  unsigned width = to.getIntOrFloatBitWidth();
  bool isUnsigned = to.isUnsignedInteger();
  Type result = builder.getIntegerType(width);
  Value low = constant(from, isUnsigned ? 0.0 : -std::ldexp(1.0, width - 1));
  Value high = constant(from, std::ldexp(1.0, isUnsigned ? width : width - 1));
  auto intConstant = [&](const APInt &bits) -> Value {
    return arith::ConstantOp::create(builder, loc,
                                     builder.getIntegerAttr(result, bits));
  };
  Value smallest = intConstant(isUnsigned ? APInt::getZero(width)
                                          : APInt::getSignedMinValue(width));
  Value largest = intConstant(isUnsigned ? APInt::getMaxValue(width)
                                         : APInt::getSignedMaxValue(width));
  Value isLow = compareFloat(arith::CmpFPredicate::OLE, value, low);
  Value isHigh = compareFloat(arith::CmpFPredicate::OGE, value, high);
  Value isNaN = compareFloat(arith::CmpFPredicate::UNO, value, value);
  Value outside =
      make<arith::OrIOp>({make<arith::OrIOp>({isLow, isHigh}), isNaN});
  Value safe = select(outside, constant(from, 0), value);
  Value inside =
      isUnsigned
          ? arith::FPToUIOp::create(builder, loc, result, safe).getResult()
          : arith::FPToSIOp::create(builder, loc, result, safe).getResult();
  return select(isLow, smallest, select(isHigh, largest, inside));
}

Value ScalarBuilder::buildConvert(Type from, Type to) {
  Kind toKind = kindOf(to);
  if (from == to)
    return x[0];
  if (toKind == Kind::Boolean)
    return kind == Kind::Float
               ? compareFloat(arith::CmpFPredicate::UNE, x[0], constant(0))
               : compareInt(arith::CmpIPredicate::ne, x[0], constant(0));
  unsigned fromWidth = from.getIntOrFloatBitWidth();
  unsigned toWidth = to.getIntOrFloatBitWidth();
  if (kind == Kind::Float && toKind == Kind::Float) {
    if (fromWidth == toWidth) { // Between bf16 and f16.
      Value wide =
          arith::ExtFOp::create(builder, loc, builder.getF32Type(), x[0]);
      return arith::TruncFOp::create(builder, loc, to, wide);
    }
    if (fromWidth < toWidth)
      return arith::ExtFOp::create(builder, loc, to, x[0]);
    return arith::TruncFOp::create(builder, loc, to, x[0]);
  }
  if (kind == Kind::Float)
    return buildFloatToInt(to);
  bool isSigned = kind == Kind::Signed;
  if (toKind == Kind::Float) {
    if (isSigned)
      return arith::SIToFPOp::create(builder, loc, to, x[0]);
    return arith::UIToFPOp::create(builder, loc, to, x[0]);
  }
  Type result = builder.getIntegerType(toWidth);
  if (fromWidth == toWidth)
    return x[0];
  if (fromWidth > toWidth)
    return arith::TruncIOp::create(builder, loc, result, x[0]);
  if (isSigned)
    return arith::ExtSIOp::create(builder, loc, result, x[0]);
  return arith::ExtUIOp::create(builder, loc, result, x[0]);
}

Value ScalarBuilder::buildFunction() {
  return llvm::TypeSwitch<Operation *, Value>(op)
      .Case([&](hlo::Atan2Op) { return make<math::Atan2Op>(x); })
      .Case([&](hlo::CbrtOp) { return make<math::CbrtOp>(x); })
      .Case([&](hlo::CeilOp) { return make<math::CeilOp>(x); })
      .Case([&](hlo::ClzOp) { return make<math::CountLeadingZerosOp>(x); })
      .Case([&](hlo::CosineOp) { return make<math::CosOp>(x); })
      .Case([&](hlo::ExpOp) { return make<math::ExpOp>(x); })
      .Case([&](hlo::Expm1Op) { return make<math::ExpM1Op>(x); })
      .Case([&](hlo::FloorOp) { return make<math::FloorOp>(x); })
      .Case([&](hlo::LogOp) { return make<math::LogOp>(x); })
      .Case([&](hlo::Log1pOp) { return make<math::Log1pOp>(x); })
      .Case([&](hlo::PopulationCountOp) { return make<math::CtPopOp>(x); })
      .Case([&](hlo::RoundOp) { return make<math::RoundOp>(x); })
      .Case([&](hlo::RoundNearestEvenOp) { return make<math::RoundEvenOp>(x); })
      .Case([&](hlo::RsqrtOp) { return make<math::RsqrtOp>(x); })
      .Case([&](hlo::SineOp) { return make<math::SinOp>(x); })
      .Case([&](hlo::SqrtOp) { return make<math::SqrtOp>(x); })
      .Case([&](hlo::TanOp) { return make<math::TanOp>(x); })
      .Case([&](hlo::TanhOp) { return make<math::TanhOp>(x); })
      .Default([](Operation *) { return Value(); });
}

Value ScalarBuilder::build() {
  using namespace arith;
  return llvm::TypeSwitch<Operation *, Value>(op)
      .Case([&](hlo::AddOp) { return pick<AddFOp, AddIOp, AddIOp, OrIOp>(); })
      .Case([&](hlo::SubtractOp) {
        return pick<SubFOp, SubIOp, SubIOp, SubIOp>();
      })
      .Case([&](hlo::MulOp) { return pick<MulFOp, MulIOp, MulIOp, AndIOp>(); })
      .Case([&](hlo::MaxOp) {
        return pick<MaximumFOp, MaxSIOp, MaxUIOp, OrIOp>();
      })
      .Case([&](hlo::MinOp) {
        return pick<MinimumFOp, MinSIOp, MinUIOp, AndIOp>();
      })
      .Case([&](hlo::DivOp) { return buildDivision(/*remainder=*/false); })
      .Case([&](hlo::RemOp) { return buildDivision(/*remainder=*/true); })
      .Case([&](hlo::PowOp) {
        return kind == Kind::Float ? make<math::PowFOp>(x)
                                   : buildIntegerPower();
      })
      .Case([&](hlo::AndOp) { return make<AndIOp>(x); })
      .Case([&](hlo::OrOp) { return make<OrIOp>(x); })
      .Case([&](hlo::XorOp) { return make<XOrIOp>(x); })
      .Case([&](hlo::NotOp) { return make<XOrIOp>({x[0], constant(-1)}); })
      .Case<hlo::ShiftLeftOp, hlo::ShiftRightArithmeticOp,
            hlo::ShiftRightLogicalOp>([&](auto) { return buildShift(); })
      .Case([&](hlo::AbsOp) {
        return kind == Kind::Float ? make<math::AbsFOp>(x)
                                   : make<math::AbsIOp>(x);
      })
      .Case([&](hlo::NegOp) {
        return kind == Kind::Float ? make<NegFOp>(x)
                                   : make<SubIOp>({constant(0), x[0]});
      })
      .Case([&](hlo::LogisticOp) { return buildLogistic(); })
      .Case([&](hlo::SignOp) { return buildSign(); })
      .Case([&](hlo::IsFiniteOp) { return buildIsFinite(); })
      .Case([&](hlo::ReducePrecisionOp reduce) {
        return buildReducePrecision(reduce);
      })
      .Case([&](hlo::ConvertOp convert) {
        return buildConvert(operandType(),
                            getElementTypeOrSelf(convert.getType()));
      })
      .Case([&](hlo::BitcastConvertOp cast) -> Value {
        Type to = getElementTypeOrSelf(cast.getType());
        if (!isa<FloatType>(to))
          to = builder.getIntegerType(to.getIntOrFloatBitWidth());
        return to == type()
                   ? x[0]
                   : BitcastOp::create(builder, loc, to, x[0]).getResult();
      })
      .Case([&](hlo::CompareOp compare) { return buildCompare(compare); })
      .Case([&](hlo::SelectOp) { return select(x[0], x[1], x[2]); })
      .Case([&](hlo::ClampOp) { return buildClamp(); })
      .Default([&](Operation *) { return buildFunction(); });
}

Value mlir::boost::lowerScalar(OpBuilder &builder, Location loc, Operation *op,
                               ValueRange elements) {
  return ScalarBuilder(builder, loc, op, elements).build();
}

SmallVector<Value> mlir::boost::lowerScalarRegion(OpBuilder &builder,
                                                  Location loc, Region &region,
                                                  ValueRange arguments) {
  IRMapping values;
  values.map(region.getArguments(), arguments);
  auto lookUp = [&](ValueRange operands) {
    return llvm::map_to_vector(
        operands, [&](Value value) { return values.lookup(value); });
  };
  for (Operation &op : region.front().without_terminator()) {
    if (auto constant = dyn_cast<hlo::ConstantOp>(op)) {
      auto dense = cast<DenseElementsAttr>(constant.getValue());
      Type element = dense.getElementType();
      if (element.isUnsignedInteger())
        dense = dense.bitcast(
            builder.getIntegerType(element.getIntOrFloatBitWidth()));
      values.map(
          constant.getResult(),
          arith::ConstantOp::create(
              builder, loc, cast<TypedAttr>(dense.getSplatValue<Attribute>())));
      continue;
    }
    values.map(op.getResult(0),
               lowerScalar(builder, loc, &op, lookUp(op.getOperands())));
  }
  return lookUp(region.front().getTerminator()->getOperands());
}

bool mlir::boost::hasScalarForm(Operation *op) {
  if (auto cast = dyn_cast<hlo::BitcastConvertOp>(op))
    return cast.getType().getShape() == cast.getOperand().getType().getShape();
  return op->hasTrait<OpTrait::Elementwise>() ||
         isa<hlo::SelectOp, hlo::ClampOp>(op);
}

Value mlir::boost::clampedStart(OpBuilder &builder, Location loc, Value index,
                                bool isUnsigned, int64_t dim, int64_t size) {
  Type type = builder.getIndexType();
  Value last = arith::ConstantIndexOp::create(builder, loc, dim - size);
  if (isUnsigned) { // Beyond 2^63 it is no number below 0.
    Value start = arith::IndexCastUIOp::create(builder, loc, type, index);
    return arith::MinUIOp::create(builder, loc, start, last);
  }
  Value start = arith::IndexCastOp::create(builder, loc, type, index);
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  Value atLeast = arith::MaxSIOp::create(builder, loc, start, zero);
  return arith::MinSIOp::create(builder, loc, atLeast, last);
}
