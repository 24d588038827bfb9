//===- StableHLOFold.cpp - Operations that need not be --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Folding of identities and of small constants. Floats are folded with the
// rounding that execution has, and only where the result is the same for every
// input: x + 0 stays, because -0 + 0 is 0.
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/Dialect/StableHLO/IR/Builders.h"
#include "boost-mlir/Dialect/StableHLO/IR/StableHLO.h"
#include "mlir/Dialect/CommonFolders.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::boost::stablehlo;

/// Constants with more different elements than this are left alone.
static constexpr int64_t kMaxFoldedElements = 64;

static bool isFoldable(Attribute value) {
  auto dense = dyn_cast_or_null<DenseElementsAttr>(value);
  return dense &&
         (dense.isSplat() || dense.getNumElements() <= kMaxFoldedElements);
}

/// A splat again, under another shape.
static Attribute resplat(Attribute value, RankedTensorType type) {
  auto splat = dyn_cast_or_null<SplatElementsAttr>(value);
  if (!splat)
    return {};
  return SplatElementsAttr::get(type, splat.getSplatValue<Attribute>());
}

static bool isUnsigned(Type element) {
  return element.isUnsignedInteger() || element.isInteger(1);
}

static bool isIdentity(ArrayRef<int64_t> dims) {
  return llvm::equal(dims, llvm::seq<int64_t>(0, dims.size()));
}

OpFoldResult ConstantOp::fold(FoldAdaptor adaptor) { return getValue(); }

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

using FloatFn = llvm::function_ref<APFloat(const APFloat &, const APFloat &)>;
using IntFn = llvm::function_ref<APInt(const APInt &, const APInt &)>;

/// Folds a binary operation on two known operands; `onInt` null: floats only.
static Attribute foldBinary(ArrayRef<Attribute> operands, Type type,
                            FloatFn onFloat, IntFn onInt) {
  if (!isFoldable(operands[0]) || !isFoldable(operands[1]))
    return {};
  if (isa<FloatType>(getElementTypeOrSelf(type)))
    return onFloat
               ? constFoldBinaryOp<FloatAttr, APFloat, void>(operands, onFloat)
               : Attribute();
  return onInt ? constFoldBinaryOp<IntegerAttr, APInt, void>(operands, onInt)
               : Attribute();
}

/// Returns true if every element of a known operand satisfies a predicate.
static bool isSplatOf(Attribute value,
                      llvm::function_ref<bool(const APFloat &)> onFloat,
                      llvm::function_ref<bool(const APInt &)> onInt) {
  auto splat = dyn_cast_or_null<SplatElementsAttr>(value);
  if (!splat)
    return false;
  if (isa<FloatType>(splat.getElementType()))
    return onFloat(splat.getSplatValue<APFloat>());
  return onInt(splat.getSplatValue<APInt>());
}

static bool isOne(Attribute value) {
  return isSplatOf(
      value, [](const APFloat &x) { return x.isExactlyValue(1.0); },
      [](const APInt &x) { return x.isOne(); });
}

static bool isIntegerZero(Attribute value) {
  return isSplatOf(
      value, [](const APFloat &) { return false; },
      [](const APInt &x) { return x.isZero(); });
}

OpFoldResult AddOp::fold(FoldAdaptor adaptor) {
  // Only -0 is neutral for every float.
  if (isSplatOf(
          adaptor.getRhs(), [](const APFloat &x) { return x.isNegZero(); },
          [](const APInt &x) { return x.isZero(); }))
    return getLhs();
  if (getType().getElementType().isInteger(1))
    return {};
  return foldBinary(
      adaptor.getOperands(), getType(),
      [](const APFloat &a, const APFloat &b) { return a + b; },
      [](const APInt &a, const APInt &b) { return a + b; });
}

OpFoldResult SubtractOp::fold(FoldAdaptor adaptor) {
  if (isSplatOf(
          adaptor.getRhs(), [](const APFloat &x) { return x.isPosZero(); },
          [](const APInt &x) { return x.isZero(); }))
    return getLhs();
  return foldBinary(
      adaptor.getOperands(), getType(),
      [](const APFloat &a, const APFloat &b) { return a - b; },
      [](const APInt &a, const APInt &b) { return a - b; });
}

OpFoldResult MulOp::fold(FoldAdaptor adaptor) {
  if (isOne(adaptor.getRhs()))
    return getLhs();
  if (isIntegerZero(adaptor.getRhs()))
    return adaptor.getRhs();
  return foldBinary(
      adaptor.getOperands(), getType(),
      [](const APFloat &a, const APFloat &b) { return a * b; },
      [](const APInt &a, const APInt &b) { return a * b; });
}

OpFoldResult DivOp::fold(FoldAdaptor adaptor) {
  if (isOne(adaptor.getRhs()))
    return getLhs();
  return foldBinary(
      adaptor.getOperands(), getType(),
      [](const APFloat &a, const APFloat &b) { return a / b; }, nullptr);
}

/// `maximum` or `minimum` of two integers.
static APInt pickInt(const APInt &a, const APInt &b, bool isMax,
                     bool isUnsignedType) {
  bool less = isUnsignedType ? a.ult(b) : a.slt(b);
  return less == isMax ? b : a;
}

OpFoldResult MaxOp::fold(FoldAdaptor adaptor) {
  bool isUnsignedType = isUnsigned(getType().getElementType());
  if (isSplatOf(
          adaptor.getRhs(),
          [](const APFloat &x) { return x.isInfinity() && x.isNegative(); },
          [&](const APInt &x) {
            return isUnsignedType ? x.isMinValue() : x.isMinSignedValue();
          }))
    return getLhs();
  return foldBinary(
      adaptor.getOperands(), getType(),
      [](const APFloat &a, const APFloat &b) { return llvm::maximum(a, b); },
      [&](const APInt &a, const APInt &b) {
        return pickInt(a, b, /*isMax=*/true, isUnsignedType);
      });
}

OpFoldResult MinOp::fold(FoldAdaptor adaptor) {
  bool isUnsignedType = isUnsigned(getType().getElementType());
  if (isSplatOf(
          adaptor.getRhs(),
          [](const APFloat &x) { return x.isInfinity() && !x.isNegative(); },
          [&](const APInt &x) {
            return isUnsignedType ? x.isMaxValue() : x.isMaxSignedValue();
          }))
    return getLhs();
  return foldBinary(
      adaptor.getOperands(), getType(),
      [](const APFloat &a, const APFloat &b) { return llvm::minimum(a, b); },
      [&](const APInt &a, const APInt &b) {
        return pickInt(a, b, /*isMax=*/false, isUnsignedType);
      });
}

OpFoldResult AndOp::fold(FoldAdaptor adaptor) {
  if (getLhs() == getRhs())
    return getLhs();
  auto none = [](const APFloat &) { return false; };
  if (isSplatOf(adaptor.getRhs(), none,
                [](const APInt &x) { return x.isAllOnes(); }))
    return getLhs();
  if (isIntegerZero(adaptor.getRhs()))
    return adaptor.getRhs();
  return foldBinary(adaptor.getOperands(), getType(), nullptr,
                    [](const APInt &a, const APInt &b) { return a & b; });
}

OpFoldResult OrOp::fold(FoldAdaptor adaptor) {
  if (getLhs() == getRhs() || isIntegerZero(adaptor.getRhs()))
    return getLhs();
  auto none = [](const APFloat &) { return false; };
  if (isSplatOf(adaptor.getRhs(), none,
                [](const APInt &x) { return x.isAllOnes(); }))
    return adaptor.getRhs();
  return foldBinary(adaptor.getOperands(), getType(), nullptr,
                    [](const APInt &a, const APInt &b) { return a | b; });
}

OpFoldResult NotOp::fold(FoldAdaptor adaptor) {
  if (!isFoldable(adaptor.getOperand()))
    return {};
  return constFoldUnaryOp<IntegerAttr, APInt, void>(
      adaptor.getOperands(), [](const APInt &a) { return ~a; });
}

OpFoldResult NegOp::fold(FoldAdaptor adaptor) {
  if (auto inner = getOperand().getDefiningOp<NegOp>())
    return inner.getOperand();
  if (!isFoldable(adaptor.getOperand()))
    return {};
  if (isa<FloatType>(getType().getElementType()))
    return constFoldUnaryOp<FloatAttr, APFloat, void>(
        adaptor.getOperands(), [](const APFloat &a) { return -a; });
  return constFoldUnaryOp<IntegerAttr, APInt, void>(
      adaptor.getOperands(), [](const APInt &a) { return -a; });
}

//===----------------------------------------------------------------------===//
// Comparison and choice
//===----------------------------------------------------------------------===//

/// The outcome of a comparison whose operands are ordered as `order` says;
/// std::nullopt: not ordered, one is NaN.
static bool holds(ComparisonDirection direction, std::optional<int> order) {
  if (!order)
    return direction == ComparisonDirection::NE;
  switch (direction) {
  case ComparisonDirection::EQ:
    return *order == 0;
  case ComparisonDirection::NE:
    return *order != 0;
  case ComparisonDirection::GE:
    return *order >= 0;
  case ComparisonDirection::GT:
    return *order > 0;
  case ComparisonDirection::LE:
    return *order <= 0;
  case ComparisonDirection::LT:
    return *order < 0;
  }
  llvm_unreachable("unknown comparison");
}

static std::optional<int> orderOf(const APFloat &a, const APFloat &b) {
  switch (a.compare(b)) {
  case APFloat::cmpLessThan:
    return -1;
  case APFloat::cmpEqual:
    return 0;
  case APFloat::cmpGreaterThan:
    return 1;
  case APFloat::cmpUnordered:
    return std::nullopt;
  }
  llvm_unreachable("unknown order");
}

OpFoldResult CompareOp::fold(FoldAdaptor adaptor) {
  auto lhs = dyn_cast_or_null<SplatElementsAttr>(adaptor.getLhs());
  auto rhs = dyn_cast_or_null<SplatElementsAttr>(adaptor.getRhs());
  if (!lhs || !rhs || getCompareType() == ComparisonType::TOTALORDER)
    return {};
  std::optional<int> order;
  Type element = lhs.getElementType();
  if (isa<FloatType>(element)) {
    order = orderOf(lhs.getSplatValue<APFloat>(), rhs.getSplatValue<APFloat>());
  } else {
    auto a = lhs.getSplatValue<APInt>(), b = rhs.getSplatValue<APInt>();
    bool less = isUnsigned(element) ? a.ult(b) : a.slt(b);
    order = a == b ? 0 : less ? -1 : 1;
  }
  return DenseElementsAttr::get(cast<ShapedType>(getType()),
                                holds(getComparisonDirection(), order));
}

OpFoldResult SelectOp::fold(FoldAdaptor adaptor) {
  if (getOnTrue() == getOnFalse())
    return getOnTrue();
  auto pred = dyn_cast_or_null<SplatElementsAttr>(adaptor.getPred());
  if (!pred)
    return {};
  return pred.getSplatValue<bool>() ? getOnTrue() : getOnFalse();
}

//===----------------------------------------------------------------------===//
// Conversion
//===----------------------------------------------------------------------===//

/// Returns true if every value of `from` is a value of `to`.
static bool isWidening(Type from, Type to) {
  auto fromFloat = dyn_cast<FloatType>(from), toFloat = dyn_cast<FloatType>(to);
  if (fromFloat && toFloat)
    return APFloat::isRepresentableBy(fromFloat.getFloatSemantics(),
                                      toFloat.getFloatSemantics());
  return from.isSignlessInteger() && to.isSignlessInteger() &&
         from.getIntOrFloatBitWidth() <= to.getIntOrFloatBitWidth();
}

/// One element under another type; null where execution saturates.
static Attribute convertElement(Attribute element, Type from, Type to) {
  if (auto toFloat = dyn_cast<FloatType>(to)) {
    APFloat value(toFloat.getFloatSemantics());
    bool inexact;
    if (auto number = dyn_cast<FloatAttr>(element)) {
      value = number.getValue();
      value.convert(toFloat.getFloatSemantics(), APFloat::rmNearestTiesToEven,
                    &inexact);
    } else {
      value.convertFromAPInt(cast<IntegerAttr>(element).getValue(),
                             !isUnsigned(from), APFloat::rmNearestTiesToEven);
    }
    return FloatAttr::get(to, value);
  }
  auto integer = dyn_cast<IntegerAttr>(element);
  if (!integer || to.isInteger(1))
    return {};
  unsigned width = to.getIntOrFloatBitWidth();
  return IntegerAttr::get(to, isUnsigned(from)
                                  ? integer.getValue().zextOrTrunc(width)
                                  : integer.getValue().sextOrTrunc(width));
}

OpFoldResult ConvertOp::fold(FoldAdaptor adaptor) {
  if (getOperand().getType() == getType())
    return getOperand();
  Type from = getOperand().getType().getElementType();
  Type to = getType().getElementType();
  // Back from a wider type. The other way round rounds, and must stay.
  if (auto inner = getOperand().getDefiningOp<ConvertOp>())
    if (inner.getOperand().getType() == getType() && isWidening(to, from))
      return inner.getOperand();
  if (!isFoldable(adaptor.getOperand()))
    return {};
  auto dense = cast<DenseElementsAttr>(adaptor.getOperand());
  if (dense.isSplat()) {
    Attribute element =
        convertElement(dense.getSplatValue<Attribute>(), from, to);
    return element ? SplatElementsAttr::get(getType(), element) : Attribute();
  }
  SmallVector<Attribute> elements;
  for (Attribute element : dense.getValues<Attribute>()) {
    elements.push_back(convertElement(element, from, to));
    if (!elements.back())
      return {};
  }
  return DenseElementsAttr::get(getType(), elements);
}

//===----------------------------------------------------------------------===//
// Data movement
//===----------------------------------------------------------------------===//

OpFoldResult IotaOp::fold(FoldAdaptor adaptor) {
  if (getType().getDimSize(getIotaDimension()) != 1)
    return {};
  Type element = getType().getElementType();
  return SplatElementsAttr::get(getType(),
                                neutralElement(ReductionKind::Add, element));
}

OpFoldResult BroadcastInDimOp::fold(FoldAdaptor adaptor) {
  if (getOperand().getType() == getType() &&
      isIdentity(getBroadcastDimensions()))
    return getOperand();
  return resplat(adaptor.getOperand(), getType());
}

OpFoldResult ReshapeOp::fold(FoldAdaptor adaptor) {
  if (getOperand().getType() == getType())
    return getOperand();
  if (auto dense = dyn_cast_or_null<DenseElementsAttr>(adaptor.getOperand()))
    return dense.reshape(getType());
  return {};
}

OpFoldResult TransposeOp::fold(FoldAdaptor adaptor) {
  if (isIdentity(getPermutation()))
    return getOperand();
  return resplat(adaptor.getOperand(), getType());
}

OpFoldResult ReverseOp::fold(FoldAdaptor adaptor) {
  if (llvm::all_of(getDimensions(),
                   [&](int64_t dim) { return getType().getDimSize(dim) == 1; }))
    return getOperand();
  return resplat(adaptor.getOperand(), getType());
}

OpFoldResult SliceOp::fold(FoldAdaptor adaptor) {
  if (getOperand().getType() == getType())
    return getOperand();
  return resplat(adaptor.getOperand(), getType());
}

OpFoldResult ConcatenateOp::fold(FoldAdaptor adaptor) {
  if (getInputs().size() == 1)
    return getInputs().front();
  auto first = dyn_cast_or_null<SplatElementsAttr>(adaptor.getInputs().front());
  if (!first)
    return {};
  Attribute element = first.getSplatValue<Attribute>();
  for (Attribute input : adaptor.getInputs()) {
    auto splat = dyn_cast_or_null<SplatElementsAttr>(input);
    if (!splat || splat.getSplatValue<Attribute>() != element)
      return {};
  }
  return SplatElementsAttr::get(getType(), element);
}

OpFoldResult PadOp::fold(FoldAdaptor adaptor) {
  auto isZero = [](int64_t amount) { return amount == 0; };
  if (llvm::all_of(getEdgePaddingLow(), isZero) &&
      llvm::all_of(getEdgePaddingHigh(), isZero) &&
      llvm::all_of(getInteriorPadding(), isZero))
    return getOperand();
  return {};
}
