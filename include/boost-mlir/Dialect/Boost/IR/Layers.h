//===- Layers.h - The layer of an operation -------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads boost.layer, and hands it on to the operations that a pass makes of
// others.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_DIALECT_BOOST_IR_LAYERS_H
#define BOOST_MLIR_DIALECT_BOOST_IR_LAYERS_H

#include "boost-mlir/Dialect/Boost/IR/Boost.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir::boost {

/// The layer of an operation; null outside of the layers.
LayerAttr getLayer(Operation *op);

/// Gives `op` a layer if it has none; null, constants and what stands inside of
/// another operation's region need none.
void setLayerIfNone(Operation *op, LayerAttr layer);

/// Gives the operations that are built the layer of the one that is entered.
class LayerBuilderListener : public OpBuilder::Listener {
public:
  void enter(Operation *op) { layer = getLayer(op); }
  void notifyOperationInserted(Operation *op, OpBuilder::InsertPoint) override {
    setLayerIfNone(op, layer);
  }

private:
  LayerAttr layer;
};

/// Gives the operations that a pattern of the greedy driver inserts the layer
/// of the pattern's root. Serves one run of the driver at a time.
class LayerPatternListener : public RewriterBase::Listener {
public:
  void notifyPatternBegin(const Pattern &pattern, Operation *op) override;
  void notifyPatternEnd(const Pattern &pattern, LogicalResult status) override;
  void notifyOperationErased(Operation *op) override;
  void notifyOperationInserted(Operation *op,
                               OpBuilder::InsertPoint previous) override;

protected:
  /// Returns the root of the pattern that is applied; null once it is erased.
  Operation *getRoot() const { return root; }

private:
  /// The root of the pattern that is applied; null once it is erased. Most
  /// patterns do not apply, so its layer is read only when it is needed.
  Operation *root = nullptr;
  /// The layer of a root that was erased.
  LayerAttr rootLayer;
};

/// Gives the operations that a conversion inserts the layer of the one that
/// they replace. A conversion reports what it did only when it is done, in
/// order, and by then its operations must not be looked at: what is learned is
/// applied at the end.
class LayerConversionListener : public RewriterBase::Listener {
public:
  /// Notes the layers of all operations of the functions of `module`.
  explicit LayerConversionListener(Operation *module);

  void notifyOperationInserted(Operation *op,
                               OpBuilder::InsertPoint /*previous*/) override {
    inserted.push_back(op);
  }
  void notifyOperationReplaced(Operation *op, ValueRange replacement) override;

  /// Call when the conversion has succeeded.
  void apply();

private:
  Operation *module;
  DenseMap<Operation *, LayerAttr> layers;
  /// Since the last replacement.
  SmallVector<Operation *> inserted;
};

} // namespace mlir::boost

#endif // BOOST_MLIR_DIALECT_BOOST_IR_LAYERS_H
