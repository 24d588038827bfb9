//===- ExpandSelectAndScatter.cpp - Choices in windows --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A reduction over windows finds the places that are chosen, and a scatter puts
// the values there.
//
//===----------------------------------------------------------------------===//

#include "WindowPlaces.h"

#include "boost-mlir/Dialect/StableHLO/IR/Builders.h"
#include "boost-mlir/Dialect/StableHLO/Transforms/Passes.h"
#include "boost-mlir/Support/Sizes.h"
#include "boost-mlir/Support/TensorTypes.h"
#include "mlir/IR/IRMapping.h"

namespace mlir::boost::stablehlo {
#define GEN_PASS_DEF_EXPANDSELECTANDSCATTERPASS
#include "boost-mlir/Dialect/StableHLO/Transforms/Passes.h.inc"
} // namespace mlir::boost::stablehlo

using namespace mlir;
using namespace mlir::boost;
using namespace mlir::boost::stablehlo;

/// Fills the body of a reduction of values and places. What has no place, -1,
/// loses against what has one; else the selection decides.
static void buildChoice(OpBuilder &builder, Location loc, Region &body,
                        Region &selection, Type placeType) {
  OpBuilder::InsertionGuard guard(builder);
  Type value = selection.getArgument(0).getType();
  Type place = RankedTensorType::get({}, placeType);
  Block *block = builder.createBlock(&body, {}, {value, place, value, place},
                                     SmallVector<Location>(4, loc));
  Value left = block->getArgument(0), leftPlace = block->getArgument(1);
  Value right = block->getArgument(2), rightPlace = block->getArgument(3);
  IRMapping mapping;
  mapping.map(selection.getArguments(), ArrayRef<Value>{left, right});
  for (Operation &op : selection.front().without_terminator())
    builder.clone(op, mapping);
  Value isKept =
      mapping.lookup(selection.front().getTerminator()->getOperand(0));
  Value none = splat(builder, loc, place, -1);
  Value hasLeft =
      CompareOp::create(builder, loc, leftPlace, none, ComparisonDirection::NE);
  Value lacksRight = CompareOp::create(builder, loc, rightPlace, none,
                                       ComparisonDirection::EQ);
  isKept = AndOp::create(builder, loc, hasLeft, isKept);
  isKept = OrOp::create(builder, loc, lacksRight, isKept);
  Value results[] = {
      SelectOp::create(builder, loc, value, isKept, left, right),
      SelectOp::create(builder, loc, place, isKept, leftPlace, rightPlace)};
  ReturnOp::create(builder, loc, results);
}

static LogicalResult expand(SelectAndScatterOp op) {
  OpBuilder builder(op);
  Location loc = op.getLoc();
  RankedTensorType type = op.getType();
  // The places are as many integers.
  if (!isCountable(type.getShape(), /*width=*/64)) {
    auto diag = op.emitOpError() << "expects an operand of at most 2^"
                                 << kMaxTensorBytesLog2 - 3 << " elements";
    diag.attachNote() << "pool in parts";
    return diag;
  }
  SmallVector<WindowDim> window = getWindow(op);
  WindowPlaces places(type, window);
  auto scalar = [](Type element) { return RankedTensorType::get({}, element); };
  Value inputs[] = {op.getOperand(), places.number(builder, loc)};
  Value inits[] = {splat(builder, loc, scalar(type.getElementType()), 0),
                   splat(builder, loc, scalar(places.getPlaceType()), -1)};
  ReduceWindowOp choice =
      createReduceWindow(builder, loc, inputs, inits, window);
  buildChoice(builder, loc, choice.getBody(), op.getSelect(),
              places.getPlaceType());

  // A window in the padding chooses -1, which a scatter skips.
  Value chosen = places.flatten(builder, loc, choice.getResult(1));
  SmallVector<int64_t> shape(getTensorType(chosen).getShape());
  shape.push_back(1);
  RankedTensorType flat = places.getFlatType();
  auto scatter = ScatterOp::create(
      builder, loc, flat,
      broadcastScalar(builder, loc, op.getInitValue(), flat.getShape()),
      reshape(builder, loc, chosen, shape),
      places.flatten(builder, loc, op.getSource()),
      getScatterAlong(op.getContext(), flat.getRank(), places.getFlatDim()),
      /*indices_are_sorted=*/builder.getBoolAttr(false),
      /*unique_indices=*/builder.getBoolAttr(false));
  scatter.getUpdateComputation().takeBody(op.getScatter());
  op.replaceAllUsesWith(places.restore(builder, loc, scatter.getResult(0)));
  op.erase();
  return success();
}

namespace {

struct ExpandSelectAndScatterPass
    : stablehlo::impl::ExpandSelectAndScatterPassBase<
          ExpandSelectAndScatterPass> {
  void runOnOperation() override {
    WalkResult result = getOperation()->walk([](SelectAndScatterOp op) {
      return failed(expand(op)) ? WalkResult::interrupt()
                                : WalkResult::advance();
    });
    if (result.wasInterrupted())
      signalPassFailure();
  }
};

} // namespace
