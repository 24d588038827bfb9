//===- ReadResources.cpp - Values at the end of a file --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/Dialect/StableHLO/IR/StableHLO.h"
#include "boost-mlir/Dialect/StableHLO/Transforms/Passes.h"
#include "mlir/IR/DialectResourceBlobManager.h"

namespace mlir::boost::stablehlo {
#define GEN_PASS_DEF_READRESOURCESPASS
#include "boost-mlir/Dialect/StableHLO/Transforms/Passes.h.inc"
} // namespace mlir::boost::stablehlo

using namespace mlir;
using namespace mlir::boost;
using namespace mlir::boost::stablehlo;

/// Booleans with a byte each or a bit each: as many bytes as elements, or an
/// eighth.
static DenseElementsAttr readBooleans(RankedTensorType type,
                                      ArrayRef<char> bytes) {
  size_t count = type.getNumElements();
  bool hasByteEach = bytes.size() == count;
  SmallVector<bool> values(count);
  for (size_t i = 0; i < count; ++i)
    values[i] =
        hasByteEach ? bytes[i] != 0 : ((bytes[i / 8] >> (i % 8)) & 1) != 0;
  return DenseElementsAttr::get(type, values);
}

namespace {

struct ReadResourcesPass
    : stablehlo::impl::ReadResourcesPassBase<ReadResourcesPass> {
  void runOnOperation() override {
    getOperation()->walk([](ConstantOp op) {
      auto resource = dyn_cast<DenseResourceElementsAttr>(op.getValue());
      if (!resource)
        return;
      ArrayRef<char> bytes = resource.getRawHandle().getBlob()->getData();
      RankedTensorType type = op.getType();
      op.setValueAttr(type.getElementType().isInteger(1)
                          ? readBooleans(type, bytes)
                          : DenseElementsAttr::getFromRawBuffer(type, bytes));
    });
  }
};

} // namespace
