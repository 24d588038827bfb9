//===- CostModelOpInterface.h - What ops cost -------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The interface, and how it is attached.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_INTERFACES_COSTMODELOPINTERFACE_H
#define BOOST_MLIR_INTERFACES_COSTMODELOPINTERFACE_H

#include "boost-mlir/Interfaces/OpCost.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OpDefinition.h"

namespace mlir::boost {
class Mesh;
} // namespace mlir::boost

#include "boost-mlir/Interfaces/CostModelOpInterface.h.inc"

namespace mlir::boost {

/// The interface of `OpT` by one function.
template <typename OpT, OpCost (*cost)(OpT, const Mesh &)>
struct CostModel
    : CostModelOpInterface::ExternalModel<CostModel<OpT, cost>, OpT> {
  OpCost getCost(Operation *op, const Mesh &mesh) const {
    return cost(cast<OpT>(op), mesh);
  }
};

template <typename OpT, OpCost (*cost)(OpT, const Mesh &)>
void attachCostModel(MLIRContext &context) {
  OpT::template attachInterface<CostModel<OpT, cost>>(context);
}

} // namespace mlir::boost

#endif // BOOST_MLIR_INTERFACES_COSTMODELOPINTERFACE_H
