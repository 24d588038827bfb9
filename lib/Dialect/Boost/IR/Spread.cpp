//===- Spread.cpp - Over which loop an operation is spread ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/Dialect/Boost/IR/Spread.h"

#include "Sharding.h"

#include "mlir/IR/BuiltinTypes.h"

using namespace mlir;
using namespace mlir::boost;

void mlir::boost::setSpread(Operation *op, StringRef name, StringRef axis,
                            ArrayRef<int64_t> dims) {
  MLIRContext *context = op->getContext();
  NamedAttrList entries(op->getAttrOfType<DictionaryAttr>(name));
  entries.set(axis, DenseI64ArrayAttr::get(context, dims));
  op->setAttr(name, entries.getDictionary(context));
}

LogicalResult mlir::boost::verifySpread(Operation *op, NamedAttribute attr) {
  auto axes = dyn_cast<DictionaryAttr>(attr.getValue());
  unsigned tensors = op->getNumOperands() + op->getNumResults();
  auto refuse = [&]() {
    return op->emitOpError()
           << "expects " << attr.getName()
           << " with, for each axis, one dimension or -1 for "
              "each of "
           << tensors << " operands and results, but got " << attr.getValue();
  };
  if (!axes)
    return refuse();
  SmallVector<Type> types(op->getOperandTypes());
  llvm::append_range(types, op->getResultTypes());
  for (NamedAttribute entry : axes) {
    auto dims = dyn_cast<DenseI64ArrayAttr>(entry.getValue());
    if (!dims || dims.size() != tensors)
      return refuse();
    for (auto [dim, type] : llvm::zip_equal(dims.asArrayRef(), types)) {
      auto tensor = dyn_cast<RankedTensorType>(type);
      int64_t rank = tensor ? tensor.getRank() : 0;
      if (dim < -1 || dim >= rank)
        return op->emitOpError()
               << "expects dimensions of " << type << " in " << attr.getName()
               << " from -1 to " << rank - 1 << ", but got " << dim;
    }
  }
  return success();
}
