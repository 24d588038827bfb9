//===- Elements.h - Values of dense attributes ------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_LIB_REFERENCE_ELEMENTS_H
#define BOOST_MLIR_LIB_REFERENCE_ELEMENTS_H

#include "boost-mlir/Reference/Tensor.h"
#include "mlir/IR/BuiltinAttributes.h"

namespace mlir::boost::reference {

/// Gives a tensor the elements of an attribute of the same shape. Floats are
/// not rounded to the type of the tensor.
void readElements(DenseElementsAttr from, Tensor &to);

} // namespace mlir::boost::reference

#endif // BOOST_MLIR_LIB_REFERENCE_ELEMENTS_H
