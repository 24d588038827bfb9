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
  return op ? dyn_cast_or_null<LayerAttr>(op->getDiscardableAttr(kLayerAttr))
            : LayerAttr();
}

void mlir::boost::setLayerIfNone(Operation *op, LayerAttr layer) {
  bool isInBody = isa_and_present<FunctionOpInterface>(op->getParentOp());
  if (layer && isInBody && !op->hasTrait<OpTrait::ConstantLike>() &&
      !op->getDiscardableAttr(kLayerAttr))
    op->setDiscardableAttr(kLayerAttr, layer);
}

//===----------------------------------------------------------------------===//
// Patterns
//===----------------------------------------------------------------------===//

void LayerPatternListener::notifyPatternBegin(const Pattern & /*pattern*/,
                                              Operation *op) {
  root = op;
}

void LayerPatternListener::notifyPatternEnd(const Pattern & /*pattern*/,
                                            LogicalResult /*status*/) {
  root = nullptr;
  rootLayer = {};
}

void LayerPatternListener::notifyOperationErased(Operation *op) {
  if (op != root)
    return;
  rootLayer = getLayer(op);
  root = nullptr;
}

void LayerPatternListener::notifyOperationInserted(
    Operation *op, OpBuilder::InsertPoint /*previous*/) {
  setLayerIfNone(op, root ? getLayer(root) : rootLayer);
}

//===----------------------------------------------------------------------===//
// Conversions
//===----------------------------------------------------------------------===//

/// Calls `fn` for the operations of the functions of `module`, not for those
/// inside of them.
template <typename Fn> static void forEachOp(Operation *module, Fn &&fn) {
  for (Region &functions : module->getRegions())
    for (Operation &function : functions.getOps())
      for (Region &body : function.getRegions())
        for (Operation &op : body.getOps())
          fn(&op);
}

LayerConversionListener::LayerConversionListener(Operation *module)
    : module(module) {
  forEachOp(module, [&](Operation *op) {
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
  forEachOp(module,
            [&](Operation *op) { setLayerIfNone(op, layers.lookup(op)); });
}
