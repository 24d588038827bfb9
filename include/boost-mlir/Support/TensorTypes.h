//===- TensorTypes.h - Questions about types of tensors ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shapes of values, and sizes in memory.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_SUPPORT_TENSORTYPES_H
#define BOOST_MLIR_SUPPORT_TENSORTYPES_H

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Value.h"
#include "llvm/Support/MathExtras.h"

namespace mlir::boost {

/// The type of a value that is a ranked tensor.
inline RankedTensorType getTensorType(Value value) {
  return cast<RankedTensorType>(value.getType());
}

/// The shape of a value that is a ranked tensor or memref.
inline ArrayRef<int64_t> getShape(Value value) {
  return cast<ShapedType>(value.getType()).getShape();
}

/// Size in memory of one element; i1 takes a byte, as in LLVM.
inline int64_t getElementBytes(Type elementType) {
  if (elementType.isIndex())
    return 8;
  return llvm::divideCeil(elementType.getIntOrFloatBitWidth(), 8);
}

/// Size in memory of a dense tensor or memref of this type.
inline int64_t getDenseBytes(ShapedType type) {
  return type.getNumElements() * getElementBytes(type.getElementType());
}

} // namespace mlir::boost

#endif // BOOST_MLIR_SUPPORT_TENSORTYPES_H
