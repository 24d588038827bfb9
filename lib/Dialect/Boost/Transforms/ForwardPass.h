//===- ForwardPass.h - What the backward pass may recompute -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The operations before the first boost.phase of a straight-line function: of
// which class each is, and which layer of the model it belongs to.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_LIB_DIALECT_BOOST_TRANSFORMS_FORWARDPASS_H
#define BOOST_MLIR_LIB_DIALECT_BOOST_TRANSFORMS_FORWARDPASS_H

#include "boost-mlir/Dialect/Boost/IR/Boost.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/SetVector.h"

namespace mlir::boost {

/// Classes of operations by what computing them again takes.
enum class RecomputeClass : uint8_t {
  Never = 0,            ///< effects, or not known to repeat itself
  Elementwise = 1 << 0, ///< a pass over memory
  UpProjection = 1 << 1,
  DownProjection = 1 << 2, ///< a product with fewer elements than its operand
  Attention = 1 << 3,
  Collective = 1 << 4
};

/// A set of classes.
using RecomputeClasses = uint8_t;

RecomputeClass getRecomputeClass(Operation *op);

/// Everything an operation reads, also from inside its regions.
llvm::SetVector<Value> getReadValues(Operation *op);

class ForwardPass {
public:
  explicit ForwardPass(func::FuncOp function);

  /// False if the function has no backward pass.
  bool hasBackward() const { return backward != nullptr; }
  PhaseOp getBackward() const { return backward; }
  ArrayRef<Operation *> getOps() const { return ops; }
  /// The operations of the backward pass and the optimizer. Results of the
  /// function are where they are: the terminator reads nothing.
  SmallVector<Operation *> getReaders() const;

  /// Whether a forward operation defines the value.
  bool defines(Value value) const {
    Operation *op = value.getDefiningOp();
    return op && positions.contains(op);
  }
  int64_t getPosition(Operation *op) const { return positions.lookup(op); }

  /// The repeated unit of the model: layers 1 to getNumLayers(). One layer, the
  /// whole pass, if nothing repeats.
  int64_t getNumLayers() const { return numLayers; }
  /// 0 before the first layer, getNumLayers() + 1 behind the last one.
  int64_t getLayer(Operation *op) const { return layers[positions.lookup(op)]; }
  /// The layer that a value is an input of, or that defines it.
  int64_t getLayer(Value value) const;
  /// Whether later layers read the value, so that to recompute it there would
  /// mean to recompute this layer too.
  bool isCarried(Value value) const;

  /// Constants, counts and masks: what reads no memory.
  bool isWeightless(Value value) const;
  /// Whether computing `op` again in the backward pass costs no pass over
  /// memory: a view, or a function of one value, and of what is repeated along
  /// it, that fuses with what reads it.
  bool isFree(Operation *op) const;

private:
  std::optional<Value> findOnlyInput(Operation *op) const;
  bool readsOnlyArguments(Operation *op) const;
  Value findCarrier(Operation *op) const;
  void classify(Operation *op);
  SmallVector<int64_t> findCheckpoints() const;
  SmallVector<int64_t> findLayerInputs(ArrayRef<int64_t> checkpoints) const;
  void assignLayers(ArrayRef<int64_t> inputs);
  void computeLastLayers();

  PhaseOp backward;
  SmallVector<Operation *> ops;
  DenseMap<Operation *, int64_t> positions;
  SmallVector<int64_t> layers;
  DenseSet<Value> layerInputs;
  /// The last layer whose forward pass reads the value, also through views.
  DenseMap<Value, int64_t> lastLayers;
  DenseSet<Value> weightless;
  /// Values made of arguments and constants alone.
  DenseSet<Value> ofArguments;
  /// The activation that a value is computed from element by element.
  DenseMap<Value, Value> carriers;
  int64_t numLayers = 1;
};

} // namespace mlir::boost

#endif // BOOST_MLIR_LIB_DIALECT_BOOST_TRANSFORMS_FORWARDPASS_H
