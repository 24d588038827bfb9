//===- LaunchVerifier.cpp - What the launch of a kernel requires ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A launch and its kernel have to agree on the number of rows and on the
// elements of every buffer.
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/Dialect/Boost/IR/BoostAttrNames.h"
#include "boost-mlir/Dialect/BoostRT/IR/AccessPattern.h"
#include "boost-mlir/Dialect/BoostRT/IR/BoostRT.h"
#include "boost-mlir/Dialect/BoostRT/IR/StridedLayout.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;
using namespace mlir::boost;
using namespace mlir::boost::rt;

LogicalResult LaunchOp::verify() {
  if (auto extent = static_cast<int64_t>(getExtent()); extent < 0)
    return emitOpError() << "expects an extent of at least 0, but got "
                         << extent;
  auto outputs = static_cast<int64_t>(getNumOutputs());
  auto buffers = static_cast<int64_t>(getBuffers().size());
  if (outputs < 1 || outputs > buffers)
    return emitOpError() << "expects num_outputs in [1, " << buffers
                         << "], but got " << outputs;
  for (Value buffer : getBuffers()) {
    auto type = cast<MemRefType>(buffer.getType());
    if (!getStaticLayout(type))
      return emitOpError() << "expects static sizes and strides, but got "
                           << type;
  }
  return success();
}

/// Lowered kernels take booleans as bytes.
static bool isSameElement(Type seen, Type passed) {
  return seen == passed || (passed.isInteger(1) && seen.isInteger(8));
}

/// Returns true if two layouts describe the same elements.
static bool hasSameElements(MemRefType a, MemRefType b) {
  if (a.getShape() == b.getShape() && a.getLayout() == b.getLayout())
    return true;
  return getStaticLayout(a) &&
         AccessPattern::get(a, 0) == AccessPattern::get(b, 0);
}

/// Verifies that the kernel's arguments match the launch: rows, then buffers
/// with the same elements.
static LogicalResult verifyKernel(LaunchOp op, func::FuncOp kernel) {
  if (!kernel->hasAttr(kKernelAttr))
    return op.emitOpError() << "expects a function marked '" << kKernelAttr
                            << "', but " << op.getKernelAttr() << " is not";
  ArrayRef<Type> inputs = kernel.getArgumentTypes();
  if (inputs.size() != op.getBuffers().size() + 2 || !inputs[0].isIndex() ||
      !inputs[1].isIndex())
    return op.emitOpError() << "expects a kernel that takes two indices and "
                            << op.getBuffers().size() << " buffers, but got "
                            << kernel.getFunctionType();
  for (auto [position, buffer] : llvm::enumerate(op.getBuffers())) {
    auto type = cast<MemRefType>(buffer.getType());
    auto seen = dyn_cast<MemRefType>(inputs[position + 2]);
    if (seen && isSameElement(seen.getElementType(), type.getElementType()) &&
        hasSameElements(seen, type))
      continue;
    return op.emitOpError()
           << "expects for buffer " << position << " the elements of "
           << inputs[position + 2] << ", as in the kernel, but got " << type;
  }
  auto extent = kernel->getAttrOfType<IntegerAttr>(kExtentAttr);
  if (extent && extent.getInt() != static_cast<int64_t>(op.getExtent()))
    return op.emitOpError()
           << "expects the " << extent.getInt()
           << " rows of the kernel, but got " << op.getExtent();
  return success();
}

LogicalResult LaunchOp::verifySymbolUses(SymbolTableCollection &symbols) {
  Operation *kernel = symbols.lookupNearestSymbolFrom(*this, getKernelAttr());
  if (!kernel)
    return emitOpError() << "expects a kernel function, but no symbol "
                         << getKernelAttr() << " is defined";
  // After convert-kernels-to-llvm nothing is left to compare with.
  if (auto function = dyn_cast<func::FuncOp>(kernel))
    return verifyKernel(*this, function);
  return success();
}
