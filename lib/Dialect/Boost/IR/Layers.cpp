//===- Layers.cpp - The layer of an operation -----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/Dialect/Boost/IR/Layers.h"

#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace mlir::boost;

LayerAttr mlir::boost::getLayer(Operation *op) {
  return op ? op->getAttrOfType<LayerAttr>(kLayerAttr) : LayerAttr();
}

void mlir::boost::setLayerIfNone(Operation *op, LayerAttr layer) {
  bool isInBody = isa_and_present<FunctionOpInterface>(op->getParentOp());
  if (layer && isInBody && !op->hasTrait<OpTrait::ConstantLike>() &&
      !op->hasAttr(kLayerAttr))
    op->setAttr(kLayerAttr, layer);
}

//===----------------------------------------------------------------------===//
// Patterns
//===----------------------------------------------------------------------===//

/// The layer of the root of the pattern that this thread applies.
static thread_local LayerAttr rootLayer;

void LayerPatternListener::notifyPatternBegin(const Pattern & /*pattern*/,
                                              Operation *op) {
  rootLayer = getLayer(op);
}

void LayerPatternListener::notifyPatternEnd(const Pattern & /*pattern*/,
                                            LogicalResult /*status*/) {
  rootLayer = {};
}

void LayerPatternListener::notifyOperationInserted(
    Operation *op, OpBuilder::InsertPoint /*previous*/) {
  setLayerIfNone(op, rootLayer);
}

//===----------------------------------------------------------------------===//
// Conversions
//===----------------------------------------------------------------------===//

LayerConversionListener::LayerConversionListener(Operation *root) : root(root) {
  root->walk([&](Operation *op) {
    if (LayerAttr layer = getLayer(op))
      layers[op] = layer;
  });
}

void LayerConversionListener::notifyOperationReplaced(
    Operation *op, ValueRange /*replacement*/) {
  if (LayerAttr layer = layers.lookup(op))
    for (Operation *made : inserted)
      layers[made] = layer;
  inserted.clear();
}

void LayerConversionListener::apply() {
  root->walk([&](Operation *op) { setLayerIfNone(op, layers.lookup(op)); });
}
