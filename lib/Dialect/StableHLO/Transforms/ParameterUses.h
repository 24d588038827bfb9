//===- ParameterUses.h - What a program does with its parameters *- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_LIB_DIALECT_STABLEHLO_TRANSFORMS_PARAMETERUSES_H
#define BOOST_MLIR_LIB_DIALECT_STABLEHLO_TRANSFORMS_PARAMETERUSES_H

#include "boost-mlir/Dialect/StableHLO/IR/StableHLO.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::boost::stablehlo {

/// Ways to use a parameter; a set of them is a sum.
enum ParameterUse : uint8_t {
  /// A product sums over one of its dimensions.
  kContracted = 1,
  /// Ids of the batch choose its rows.
  kLookedUp = 2,
  /// Added, with two dimensions or more, to what a lookup returns.
  kPositions = 4,
  /// Multiplied into values of the batch, or repeated and multiplied.
  kScale = 8,
  /// Multiplied, after a constant was added or its exponential taken.
  kShiftedScale = 16,
  /// Added to values of the batch.
  kAdded = 32,
  kOtherUse = 64,
};

/// The uses of the arguments of a straight-line function. What is computed of a
/// parameter alone (slices, transposes, its product with a mask) counts as the
/// parameter. Linear in the number of operations.
class ParameterUses {
public:
  explicit ParameterUses(func::FuncOp function);

  /// A sum of `ParameterUse`s; 0 if the argument is not read.
  uint8_t of(BlockArgument argument) const;

private:
  /// The operations on a parameter on the way to a value.
  struct State {
    bool repeated = false, shifted = false;
    unsigned index() const { return repeated + 2 * shifted; }
  };
  /// The uses of a value in each state.
  using Uses = std::array<uint8_t, 4>;
  /// The arguments that a value is computed from.
  struct Sources {
    bool batch = false, params = false, lookup = false;
  };

  Sources getSources(Operation *op) const;
  bool readsBatch(Value value) const { return sources.lookup(value).batch; }
  bool isFloatOfBatch(Value value) const;
  bool isLookup(GatherOp gather) const;
  uint8_t follow(Value result, State state) const;
  bool isMixedWithBatch(OpOperand &operand, int64_t floatsOfBatch) const;
  uint8_t getUses(OpOperand &operand, State state, bool mixed) const;
  uint8_t getProductUses(Value result, Value other, State state) const;
  uint8_t getSumUses(Value value, Value result, Value other, State state) const;
  uint8_t getBroadcastUses(BroadcastInDimOp op, State state) const;

  llvm::DenseMap<Value, Sources> sources;
  llvm::DenseMap<Value, Uses> uses;
};

} // namespace mlir::boost::stablehlo

#endif // BOOST_MLIR_LIB_DIALECT_STABLEHLO_TRANSFORMS_PARAMETERUSES_H
