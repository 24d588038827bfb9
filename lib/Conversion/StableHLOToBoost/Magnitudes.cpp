//===- Magnitudes.cpp - How large the elements of a tensor may be ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Magnitudes.h"

#include "boost-mlir/Dialect/Boost/IR/Constants.h"
#include "boost-mlir/Dialect/Boost/IR/Tensors.h"
#include "boost-mlir/Dialect/StableHLO/IR/Builders.h"
#include "boost-mlir/Support/TensorTypes.h"
#include "llvm/ADT/TypeSwitch.h"
#include <cmath>
#include <limits>

using namespace mlir;
using namespace mlir::boost;
using namespace mlir::boost::raise;

static constexpr double kUnbounded = std::numeric_limits<double>::infinity();

/// Biases that are learned are of this size at most, unless training has gone
/// astray; half a unit in the last place of -1e9 in f32 is twice that.
static constexpr double kModerate = 16;

/// The largest magnitude that an element of `type` can have.
static double boundType(Type type) {
  auto integer = dyn_cast<IntegerType>(type);
  if (!integer)
    return kUnbounded;
  return integer.getWidth() == 1 ? 1 : std::ldexp(1.0, integer.getWidth());
}

/// The largest magnitude of the elements; unbounded if they are not known.
static double boundElements(DenseElementsAttr dense) {
  if (!dense)
    return kUnbounded;
  Type type = dense.getElementType();
  double bound = 0;
  if (isa<FloatType>(type)) {
    for (const APFloat &element : dense.getValues<APFloat>())
      bound = std::max(bound, std::abs(element.convertToDouble()));
  } else if (isa<IntegerType>(type)) {
    bool isSigned = !type.isUnsignedInteger() && !type.isInteger(1);
    for (const APInt &element : dense.getValues<APInt>())
      bound = std::max(bound, std::abs(element.roundToDouble(isSigned)));
  }
  return bound;
}

static double boundArgument(BlockArgument argument) {
  if (isConstant(argument))
    return boundElements(getConstantValue(argument));
  if (isParameter(argument))
    return kModerate;
  return boundType(getElementTypeOrSelf(argument.getType()));
}

namespace {
/// Follows the operands of a value. What two operands lead to is looked at
/// twice, and so on: there is an end to it.
class MagnitudeBound {
public:
  double bound(Value value);

private:
  double bound(Operation *op);
  double largest(ValueRange values);

  unsigned steps = 0;
};
} // namespace

double MagnitudeBound::largest(ValueRange values) {
  double most = 0;
  for (Value value : values)
    most = std::max(most, bound(value));
  return most;
}

double MagnitudeBound::bound(Value value) {
  // Far more than a loss spells a bias with.
  if (++steps > 1000)
    return kUnbounded;
  if (auto argument = dyn_cast<BlockArgument>(value))
    return boundArgument(argument);
  Type type = getElementTypeOrSelf(value.getType());
  return std::min(bound(value.getDefiningOp()), boundType(type));
}

double MagnitudeBound::bound(Operation *op) {
  using namespace stablehlo;
  return TypeSwitch<Operation *, double>(op)
      .Case<ConstantOp>([](ConstantOp constant) {
        return boundElements(dyn_cast<DenseElementsAttr>(constant.getValue()));
      })
      .Case<IotaOp>([](IotaOp iota) -> double {
        return getTensorType(iota).getDimSize(iota.getIotaDimension());
      })
      .Case<AddOp, SubtractOp>([&](Operation *sum) {
        return bound(sum->getOperand(0)) + bound(sum->getOperand(1));
      })
      .Case<MulOp>([&](MulOp product) {
        double lhs = bound(product.getLhs()), rhs = bound(product.getRhs());
        // Zero times what is not bounded hides nothing.
        return lhs == 0 || rhs == 0 ? 0 : lhs * rhs;
      })
      .Case<DivOp>([&](DivOp quotient) {
        std::optional<double> divisor = matchSplat(quotient.getRhs());
        double dividend = bound(quotient.getLhs());
        return divisor ? dividend / std::abs(*divisor)
                       : std::max(dividend, kModerate);
      })
      // The logarithm of zero hides the keys of a mask.
      .Case<LogOp>([](Operation *) { return kUnbounded; })
      .Case<SelectOp>([&](SelectOp select) {
        return largest({select.getOnTrue(), select.getOnFalse()});
      })
      .Case<GatherOp, DynamicSliceOp>(
          [&](Operation *part) { return bound(part->getOperand(0)); })
      .Case<NegOp, AbsOp, MaxOp, MinOp, ConvertOp, BroadcastInDimOp, ReshapeOp,
            TransposeOp, SliceOp, ReverseOp, ConcatenateOp, PadOp,
            DynamicUpdateSliceOp, ClampOp>(
          [&](Operation *other) { return largest(other->getOperands()); })
      .Default([](Operation *) { return kModerate; });
}

double raise::boundMagnitude(Value value) {
  return MagnitudeBound().bound(value);
}
