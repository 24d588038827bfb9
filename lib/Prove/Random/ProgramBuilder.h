//===- ProgramBuilder.h - Building random losses ----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The state from which operations of random programs are made: values to read,
// arguments to add, ranges that keep numbers small.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_LIB_PROVE_RANDOM_PROGRAMBUILDER_H
#define BOOST_MLIR_LIB_PROVE_RANDOM_PROGRAMBUILDER_H

#include "boost-mlir/Dialect/StableHLO/IR/Builders.h"
#include "boost-mlir/Dialect/StableHLO/IR/StableHLO.h"
#include "boost-mlir/Prove/RandomProgram.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::boost::prove {

using Shape = SmallVector<int64_t>;

/// A value that operations may read, with bounds of its elements.
struct Pooled {
  Value value;
  double low, high;
  bool isRead = false;

  ArrayRef<int64_t> shape() const {
    return cast<RankedTensorType>(value.getType()).getShape();
  }
  int64_t rank() const { return static_cast<int64_t>(shape().size()); }
  double magnitude() const { return std::max(-low, high); }
};

/// A loss under construction.
class ProgramBuilder {
public:
  ProgramBuilder(MLIRContext *context, Choices &choices);

  /// Ends the function and chooses the mesh and shardings.
  RandomProgram finish();

  //===--------------------------------------------------------------------===//
  // Choices
  //===--------------------------------------------------------------------===//

  uint32_t below(uint32_t count) { return choices.below(count); }
  bool oneIn(uint32_t count) { return choices.oneIn(count); }
  template <typename T> T oneOf(std::initializer_list<T> options) {
    return options.begin()[below(static_cast<uint32_t>(options.size()))];
  }
  /// The size of a dimension.
  int64_t extent() { return oneOf<int64_t>({2, 4, 3, 6, 1, 8}); }
  /// A shape of a rank, with few elements.
  Shape shapeOf(int64_t rank);
  SmallVector<int64_t> permutationOf(int64_t rank);
  /// Some of the dimensions, in order; at least one if there is any.
  SmallVector<int64_t> someOf(int64_t rank);

  //===--------------------------------------------------------------------===//
  // Values
  //===--------------------------------------------------------------------===//

  /// A value that there is, or a new argument.
  Pooled pick();
  Pooled pickOfRank(int64_t least, int64_t most = 4);
  /// A value of this shape: one that there is, or a new parameter.
  Pooled pickOfShape(ArrayRef<int64_t> shape);
  /// A value whose elements are at least `least`.
  Pooled pickAbove(double least);
  /// A new floating-point argument: a parameter, or with `mayBeBatch` perhaps
  /// one of the batch, but not the first; of f32, or of bf16 and converted.
  Pooled addArgument(ArrayRef<int64_t> shape, bool mayBeBatch = false);
  Pooled addParameter(ArrayRef<int64_t> shape) { return addArgument(shape); }
  /// New ids below `limit`.
  Value addIds(ArrayRef<int64_t> shape, int64_t limit);
  /// Returns true if the program has bf16 values.
  bool hasNarrowFloats() const { return mayBeNarrow; }

  /// Makes a result readable by later operations, scaled down where it could
  /// be large.
  void add(Value value, double low, double high);
  /// Adds a result between -bound and bound.
  void add(Value value, double bound) { add(value, -bound, bound); }

  /// `value` repeated to a shape that it can be broadcast to from the right, as
  /// NumPy does.
  Value broadcastTo(Value value, ArrayRef<int64_t> shape);
  Value splat(ArrayRef<int64_t> shape, double number);
  /// The elements of `value` at `ids` along its first dimension.
  Value gatherRows(Value value, Value ids);
  /// `value` multiplied with a number.
  Value scale(Value value, double number);
  /// `value` divided by a number, or multiplied with the inverse where that is
  /// no rounded number: f32 knows a third to 3e-8 only, and a pass that takes
  /// it for a third would seem to be wrong in f64.
  Value divideBy(Value value, int64_t number);
  /// silu by a private function, as JAX writes it.
  Value callSilu(Value value);
  /// All that operations may read.
  ArrayRef<Pooled> getPool() const { return pool; }

  OpBuilder b;
  Location loc;

private:
  Pooled read(size_t index);
  Value makeLoss();
  void chooseCuts(const Mesh &mesh);
  void chooseSwitches(RandomProgram &program);

  Choices &choices;
  OwningOpRef<ModuleOp> module;
  func::FuncOp function;
  SmallVector<NamedAttrList> argumentAttrs;
  SmallVector<Pooled> pool;
  bool mayBeNarrow, hasParameter = false;
};

/// An operation, or a piece of a model, that random programs are made of. A new
/// one is one entry of a table in Operations*.cpp.
struct RandomOperation {
  StringLiteral name;
  /// The frequency, relative to the others.
  uint32_t weight;
  void (*apply)(ProgramBuilder &);
};

ArrayRef<RandomOperation> getElementwiseOperations();
ArrayRef<RandomOperation> getShapeOperations();
ArrayRef<RandomOperation> getContractions();
ArrayRef<RandomOperation> getModelPieces();

} // namespace mlir::boost::prove

#endif // BOOST_MLIR_LIB_PROVE_RANDOM_PROGRAMBUILDER_H
