//===- ForwardPass.h - What the backward pass may recompute -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The operations before the first boost.phase of a straight-line function: of
// which class each is, and what crosses from one layer of the model to another.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_LIB_DIALECT_BOOST_TRANSFORMS_FORWARDPASS_H
#define BOOST_MLIR_LIB_DIALECT_BOOST_TRANSFORMS_FORWARDPASS_H

#include "boost-mlir/Dialect/Boost/IR/Boost.h"
#include "boost-mlir/Dialect/Boost/Transforms/Options.h"
#include "boost-mlir/Support/ReadValues.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::boost {

/// A set of classes.
using RecomputeClasses = uint8_t;

RecomputeClass getRecomputeClass(Operation *op);

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

  /// Returns true if a forward operation defines the value.
  bool defines(Value value) const {
    Operation *op = value.getDefiningOp();
    return op && positions.contains(op);
  }
  int64_t getPosition(Operation *op) const { return positions.lookup(op); }

  /// Layers 1 to getNumLayers(), by boost.layer. One layer, all of the pass, if
  /// there are none.
  int64_t getNumLayers() const { return numLayers; }
  /// 0 outside of the layers, getNumLayers() + 1 behind the last one.
  int64_t getLayer(Operation *op) const { return layers[positions.lookup(op)]; }
  /// The layer that a value is the input of, or that defines it.
  int64_t getLayer(Value value) const;
  /// Returns true if other layers read the value: recomputing it there would
  /// recompute this layer too.
  bool isCarried(Value value) const;

  /// Constants, counts and masks: what reads no memory.
  bool isWeightless(Value value) const;
  /// Returns true if recomputing `op` in the backward pass costs no pass over
  /// memory: a view, or a function of one value and of values repeated along
  /// it, that fuses with its readers.
  bool isFree(Operation *op) const;

private:
  /// The layers of the forward operations that read a value, directly or
  /// through views.
  struct Readers {
    int64_t firstLayer = 0, lastLayer = -1;
  };

  std::optional<Value> findOnlyInput(Operation *op) const;
  SmallVector<Value> findInputs(Value value) const;
  void classify(Operation *op);
  void readLayers();
  void findReaders();
  bool isLayerInput(Value value) const;

  PhaseOp backward;
  SmallVector<Operation *> ops;
  DenseMap<Operation *, int64_t> positions;
  SmallVector<int64_t> layers;
  DenseMap<Value, Readers> readers;
  DenseSet<Value> weightless;
  /// Maps forward operations to the only value that they are a function of.
  DenseMap<Operation *, std::optional<Value>> onlyInputs;
  int64_t numLayers = 1;
};

} // namespace mlir::boost

#endif // BOOST_MLIR_LIB_DIALECT_BOOST_TRANSFORMS_FORWARDPASS_H
