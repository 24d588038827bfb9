//===- CostModel.h - Seconds and work of a runtime program ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A roofline over the operations of the runtime level. It counts the program
// that runs; nothing in it is fitted.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_ANALYSIS_COSTMODEL_H
#define BOOST_MLIR_ANALYSIS_COSTMODEL_H

#include "boost-mlir/Analysis/Machine.h"
#include "boost-mlir/Dialect/Boost/IR/Mesh.h"
#include "mlir/IR/Operation.h"

namespace mlir::boost {

/// What one operation does on one rank.
struct OpCost {
  double flops = 0;
  double memoryBytes = 0;  ///< read and written once each
  double networkBytes = 0; ///< sent by one rank in a ring
  std::string elementType = "f32";
  int64_t span = 1; ///< ranks between the first and the last of the group
};

/// Sums over a function.
struct ProgramCost {
  int64_t calls = 0;
  double flops = 0;
  double memoryBytes = 0;
  double networkBytes = 0;
  double computeSeconds = 0;
  double networkSeconds = 0;
  double getSeconds() const { return computeSeconds + networkSeconds; }
};

/// Work of one boostrt operation; none for operations that only describe.
std::optional<OpCost> getOpCost(Operation *op, const Mesh &mesh);

/// The longer of computing and moving the data, or of sending it.
double getSeconds(const OpCost &cost, const Machine &machine);

/// Everything a function does, one after another.
ProgramCost getProgramCost(Operation *function, const Mesh &mesh,
                           const Machine &machine);

} // namespace mlir::boost

#endif // BOOST_MLIR_ANALYSIS_COSTMODEL_H
