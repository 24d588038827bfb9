//===- StageAccumulators.h - Gradients of several stages --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_LIB_DIALECT_BOOST_TRANSFORMS_STAGEACCUMULATORS_H
#define BOOST_MLIR_LIB_DIALECT_BOOST_TRANSFORMS_STAGEACCUMULATORS_H

#include "StageCalls.h"

namespace mlir::boost {

/// Where an accumulator is completed, and where the update reads it.
struct AccumulatorPlace {
  int64_t completedOn;
  int64_t updatedOn;
};

/// The places of accumulators by their names.
using AccumulatorPlaces = llvm::MapVector<StringAttr, AccumulatorPlace>;

/// Gives each stage an accumulator of its own for a parameter whose gradient is
/// a sum of terms of several stages, such as an embedding that is the head too.
/// Otherwise every micro-batch would send such a term. Each of the updates, of
/// which one runs, adds the accumulators up before it reads them. `assigned`
/// has the calls of the operations of `accumulate`, and gets those of new ones.
/// Returns the places of all accumulators.
AccumulatorPlaces divideAccumulators(func::FuncOp accumulate,
                                     ArrayRef<func::FuncOp> updates,
                                     const StageCalls &calls,
                                     DenseMap<Operation *, int64_t> &assigned,
                                     int64_t stages);

} // namespace mlir::boost

#endif // BOOST_MLIR_LIB_DIALECT_BOOST_TRANSFORMS_STAGEACCUMULATORS_H
