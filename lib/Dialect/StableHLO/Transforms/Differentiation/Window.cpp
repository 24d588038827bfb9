//===- Window.cpp - Gradients of reductions over windows ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A sum over windows spreads its gradient over the windows that an element is
// in: again a sum over windows. A maximum or minimum gives it to the first
// element that attains it.
//
//===----------------------------------------------------------------------===//

#include "../WindowPlaces.h"
#include "Rules.h"

using namespace mlir;
using namespace mlir::boost;
using namespace mlir::boost::stablehlo;

/// Strides and base dilations change their roles; the padding is what lets
/// every window reach the results that it contributed to.
static void sumRule(ReduceWindowOp op, GradientBuilder &b) {
  Location loc = b.getLoc();
  RankedTensorType from = getTensorType(op.getInputs()[0]);
  RankedTensorType to = getTensorType(op.getResults()[0]);
  SmallVector<WindowDim> window = getWindow(op);
  for (auto [i, dim] : llvm::enumerate(window)) {
    auto spread = [](int64_t size, int64_t step) {
      return size == 0 ? 0 : (size - 1) * step + 1;
    };
    int64_t covered = spread(dim.size, dim.dilation);
    int64_t input = spread(from.getDimSize(i), dim.baseDilation);
    int64_t result = spread(to.getDimSize(i), dim.stride);
    int64_t low = covered - 1 - dim.low;
    int64_t high = input + covered - 1 - result - low;
    window[i] = {dim.size, dim.baseDilation, dim.dilation, dim.stride, low,
                 high};
  }
  Type sumType = getAccumulationType(from.getElementType());
  Value gradient = convert(b, loc, b.ofResult(), sumType);
  Value zero = splat(b, loc, RankedTensorType::get({}, sumType), 0);
  ReduceWindowOp sum = createReduceWindow(b, loc, gradient, zero, window);
  buildCombiner(b, loc, sum.getBody(), sumType, ReductionKind::Add);
  b.set(0, convert(b, loc, sum.getResult(0), from.getElementType()));
}

/// Fills the body of a reduction of values and places: of two values the better
/// one, or the one that comes first.
static void buildChoice(GradientBuilder &b, Region &region, Type element,
                        Type placeType, ComparisonDirection isBetter) {
  Location loc = b.getLoc();
  OpBuilder::InsertionGuard guard(b);
  Type value = RankedTensorType::get({}, element);
  Type place = RankedTensorType::get({}, placeType);
  Block *body = b.createBlock(&region, {}, {value, place, value, place},
                              SmallVector<Location>(4, loc));
  auto compare = [&](Value x, Value y, ComparisonDirection direction) -> Value {
    return CompareOp::create(b, loc, x, y, direction);
  };
  Value x = body->getArgument(0), y = body->getArgument(2);
  Value i = body->getArgument(1), j = body->getArgument(3);
  Value isNaN = compare(x, x, ComparisonDirection::NE);
  Value wins = OrOp::create(b, loc, compare(x, y, isBetter), isNaN);
  Value isFirst = AndOp::create(b, loc, compare(x, y, ComparisonDirection::EQ),
                                compare(i, j, ComparisonDirection::LT));
  Value keeps = OrOp::create(b, loc, wins, isFirst);
  Value results[] = {SelectOp::create(b, loc, value, keeps, x, y),
                     SelectOp::create(b, loc, place, keeps, i, j)};
  ReturnOp::create(b, loc, results);
}

static void extremumRule(ReduceWindowOp op, ReductionKind kind,
                         GradientBuilder &b) {
  Location loc = b.getLoc();
  SmallVector<WindowDim> window = getWindow(op);
  if (llvm::all_of(window, [](auto &dim) { return dim.isTrivial(); }))
    return b.set(0, b.ofResult());
  RankedTensorType type = getTensorType(op.getInputs()[0]);
  WindowPlaces places(type, window);
  // Padding loses against every place.
  Type placeType = places.getPlaceType();
  Value last = ConstantOp::create(
      b, loc,
      DenseElementsAttr::get(
          RankedTensorType::get({}, placeType),
          APInt::getSignedMaxValue(placeType.getIntOrFloatBitWidth())));
  Value inputs[] = {op.getInputs()[0], places.number(b, loc)};
  Value inits[] = {op.getInitValues()[0], last};
  ReduceWindowOp choice = createReduceWindow(b, loc, inputs, inits, window);
  buildChoice(b, choice.getBody(), type.getElementType(), placeType,
              kind == ReductionKind::Max ? ComparisonDirection::GT
                                         : ComparisonDirection::LT);
  Value sum = addAlong(b, places.getFlatType(), places.getFlatDim(),
                       places.flatten(b, loc, choice.getResult(1)),
                       places.flatten(b, loc, b.ofResult()));
  b.set(0, places.restore(b, loc, sum));
}

static void reduceWindowRule(ReduceWindowOp op, GradientBuilder &b) {
  std::optional<ReductionKind> kind = matchSimpleCombiner(op.getBody());
  bool isSum = kind == ReductionKind::Add;
  if (!isSum && kind != ReductionKind::Max && kind != ReductionKind::Min)
    return b.refuse("has no gradient unless it is a sum, maximum or minimum "
                    "of one tensor");
  if (b.wants(1))
    return b.refuse("starts from an initial value that depends on a parameter");
  if (isSum)
    return sumRule(op, b);
  extremumRule(op, *kind, b);
}

void stablehlo::attachWindowRules(MLIRContext &context) {
  attachDifferentiationRule<ReduceWindowOp, reduceWindowRule>(context);
}
