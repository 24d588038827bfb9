//===- Sort.cpp - Gradients of sorts --------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A sort permutes: its gradient goes back to the places that the elements came
// from. The order of equal elements is fixed, hence so is the gradient.
//
//===----------------------------------------------------------------------===//

#include "Rules.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace mlir::boost;
using namespace mlir::boost::stablehlo;

/// The places that the elements of the results come from: what the same sort
/// makes of a count along its dimension.
static Value sortPlaces(GradientBuilder &b, SortOp op) {
  Location loc = b.getLoc();
  RankedTensorType type = getTensorType(op.getInputs()[0]);
  RankedTensorType places = type.clone(b.getI32Type());
  SmallVector<Value> inputs(op.getInputs());
  inputs.push_back(IotaOp::create(b, loc, places, op.getSortedDim()));
  auto sort =
      SortOp::create(b, loc, TypeRange(ValueRange(inputs)), inputs,
                     op.getDimensionAttr(), /*is_stable=*/b.getBoolAttr(true));
  IRMapping mapping;
  op.getComparator().cloneInto(&sort.getComparator(), mapping);
  Type scalar = RankedTensorType::get({}, b.getI32Type());
  sort.getComparator().front().addArguments({scalar, scalar}, {loc, loc});
  return sort.getResults().back();
}

static void sortRule(SortOp op, GradientBuilder &b) {
  Value places;
  for (auto [i, input] : llvm::enumerate(op.getInputs())) {
    Value gradient = b.ofResult(i);
    if (!b.wants(i) || !gradient)
      continue;
    if (!places)
      places = sortPlaces(b, op);
    b.set(i, addAlong(b, getTensorType(input), op.getSortedDim(), places,
                      gradient));
  }
}

void stablehlo::attachSortRules(MLIRContext &context) {
  attachDifferentiationRule<SortOp, sortRule>(context);
}
