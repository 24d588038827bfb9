//===- Weights.h - What is computed from parameters -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A weight is what a product reads, computed or not: a parameter, or one that
// is scaled, masked, normalized, quantized or added to the product of two
// others. It is equal for all sequences of a batch.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_DIALECT_BOOST_IR_WEIGHTS_H
#define BOOST_MLIR_DIALECT_BOOST_IR_WEIGHTS_H

#include "mlir/IR/Block.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SetVector.h"

namespace mlir::boost {

/// The values of a block that are computed from parameters alone, or from
/// parameters and constants. Operations that are added later are not known.
class Weights {
public:
  explicit Weights(Block &block);

  bool contains(Value value) const { return values.contains(value); }

  /// Returns the parameters that a weight is computed from.
  llvm::SetVector<Value> getParameters(Value weight) const;

private:
  llvm::DenseSet<Value> values;
};

} // namespace mlir::boost

#endif // BOOST_MLIR_DIALECT_BOOST_IR_WEIGHTS_H
