//===- Window.cpp - The windows of reduce_window --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a window is, and the verifier of reduce_window.
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/Dialect/StableHLO/IR/Window.h"

#include "RegionChecks.h"
#include "boost-mlir/Support/Sizes.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace mlir::boost;
using namespace mlir::boost::stablehlo;

bool WindowDim::isTrivial() const {
  return size == 1 && stride == 1 && baseDilation == 1 && low == 0 && high == 0;
}

int64_t WindowDim::getResultSize(int64_t extent) const {
  int64_t base = extent == 0 ? 0 : (extent - 1) * baseDilation + 1;
  int64_t covered = (size - 1) * dilation + 1;
  int64_t padded = low + base + high;
  return padded < covered ? 0 : (padded - covered) / stride + 1;
}

SmallVector<WindowDim> stablehlo::getWindow(ReduceWindowOp op) {
  ArrayRef<int64_t> sizes = op.getWindowDimensions();
  SmallVector<WindowDim> window(sizes.size());
  auto valueOf = [](std::optional<ArrayRef<int64_t>> values, size_t dim) {
    return values ? (*values)[dim] : 1;
  };
  for (auto [dim, entry] : llvm::enumerate(window)) {
    entry.size = sizes[dim];
    entry.stride = valueOf(op.getWindowStrides(), dim);
    entry.dilation = valueOf(op.getWindowDilations(), dim);
    entry.baseDilation = valueOf(op.getBaseDilations(), dim);
  }
  if (auto padding = op.getPadding()) {
    auto values = padding->getValues<int64_t>();
    for (auto [dim, entry] : llvm::enumerate(window)) {
      entry.low = values[2 * dim];
      entry.high = values[2 * dim + 1];
    }
  }
  return window;
}

std::optional<Scan> stablehlo::matchScan(ReduceWindowOp op) {
  ArrayRef<int64_t> shape =
      cast<RankedTensorType>(op.getInputs().front().getType()).getShape();
  std::optional<Scan> scan;
  for (auto [dim, window] : llvm::enumerate(getWindow(op))) {
    if (window.isTrivial())
      continue;
    bool isWhole = window.size == shape[dim] && window.stride == 1 &&
                   window.dilation == 1 && window.baseDilation == 1 &&
                   std::max(window.low, window.high) == window.size - 1 &&
                   std::min(window.low, window.high) == 0;
    if (scan || !isWhole)
      return std::nullopt;
    scan = Scan{static_cast<int64_t>(dim), window.low == 0};
  }
  return scan;
}

ReduceWindowOp stablehlo::createReduceWindow(OpBuilder &builder, Location loc,
                                             ValueRange inputs,
                                             ValueRange inits,
                                             ArrayRef<WindowDim> window) {
  SmallVector<int64_t> sizes, strides, baseDilations, dilations, padding;
  for (const WindowDim &dim : window) {
    sizes.push_back(dim.size);
    strides.push_back(dim.stride);
    baseDilations.push_back(dim.baseDilation);
    dilations.push_back(dim.dilation);
    padding.append({dim.low, dim.high});
  }
  auto paddingType = RankedTensorType::get(
      {static_cast<int64_t>(window.size()), 2}, builder.getI64Type());
  SmallVector<Type> types;
  for (Value input : inputs) {
    auto type = cast<RankedTensorType>(input.getType());
    SmallVector<int64_t> shape;
    for (auto [dim, extent] : llvm::zip_equal(window, type.getShape()))
      shape.push_back(dim.getResultSize(extent));
    types.push_back(type.clone(shape));
  }
  return ReduceWindowOp::create(
      builder, loc, types, inputs, inits, sizes,
      builder.getDenseI64ArrayAttr(strides),
      builder.getDenseI64ArrayAttr(baseDilations),
      builder.getDenseI64ArrayAttr(dilations),
      DenseIntElementsAttr::get(paddingType, padding));
}

//===----------------------------------------------------------------------===//
// Verifier
//===----------------------------------------------------------------------===//

/// One positive entry per dimension.
static LogicalResult checkEntries(ReduceWindowOp op, StringRef what,
                                  std::optional<ArrayRef<int64_t>> values,
                                  int64_t rank) {
  if (!values)
    return success();
  if (static_cast<int64_t>(values->size()) != rank)
    return op.emitOpError()
           << "expects one entry of " << what << " per dimension, but got "
           << values->size() << " for rank " << rank;
  for (auto [dim, value] : llvm::enumerate(*values))
    if (value < 1)
      return op.emitOpError()
             << "expects a positive entry of " << what << " in dimension "
             << dim << ", but got " << value;
  return success();
}

/// What `WindowDim::getResultSize` adds up is below 2^63.
static LogicalResult checkOverflow(ReduceWindowOp op, ArrayRef<int64_t> shape) {
  for (auto [dim, window] : llvm::enumerate(getWindow(op))) {
    CheckedSum covered, padded;
    covered.add(window.size - 1, window.dilation);
    covered.add(1);
    padded.add(std::max<int64_t>(shape[dim] - 1, 0), window.baseDilation);
    padded.add(1);
    padded.add(window.low);
    padded.add(window.high);
    if (!covered.get() || !padded.get())
      return op.emitOpError() << "expects a window and a padded input of fewer "
                                 "than 2^63 elements in dimension "
                              << dim;
  }
  return success();
}

static LogicalResult checkAttributes(ReduceWindowOp op, int64_t rank) {
  if (failed(checkEntries(op, "'window_dimensions'", op.getWindowDimensions(),
                          rank)) ||
      failed(
          checkEntries(op, "'window_strides'", op.getWindowStrides(), rank)) ||
      failed(
          checkEntries(op, "'base_dilations'", op.getBaseDilations(), rank)) ||
      failed(checkEntries(op, "'window_dilations'", op.getWindowDilations(),
                          rank)))
    return failure();
  auto padding = op.getPadding();
  if (padding && padding->getType().getShape() != ArrayRef<int64_t>{rank, 2})
    return op.emitOpError() << "expects padding of shape " << rank
                            << "x2, but got " << padding->getType();
  return success();
}

LogicalResult ReduceWindowOp::verify() {
  if (getInputs().empty() || getResults().size() != getInputs().size())
    return emitOpError() << "expects one result per input and at least one, "
                            "but got "
                         << getResults().size() << " and "
                         << getInputs().size();
  auto first = cast<RankedTensorType>(getInputs().front().getType());
  if (failed(checkAttributes(*this, first.getRank())) ||
      failed(checkOverflow(*this, first.getShape())))
    return failure();
  SmallVector<int64_t> shape;
  for (auto [dim, extent] : llvm::zip_equal(getWindow(*this), first.getShape()))
    shape.push_back(dim.getResultSize(extent));

  SmallVector<Type> scalars;
  for (auto [input, init, result] :
       llvm::zip(getInputs(), getInitValues(), getResults())) {
    auto type = cast<RankedTensorType>(input.getType());
    if (type.getShape() != first.getShape())
      return emitOpError() << "expects inputs of one shape, but got " << first
                           << " and " << type;
    scalars.push_back(RankedTensorType::get({}, type.getElementType()));
    if (init.getType() != scalars.back())
      return emitOpError() << "expects an initial value of type "
                           << scalars.back() << ", but got " << init.getType();
    if (result.getType() != type.clone(shape))
      return emitOpError() << "expects a result of type " << type.clone(shape)
                           << ", but got " << result.getType();
  }
  return checkCombiner(*this, "the body", getBody().front(), scalars);
}
