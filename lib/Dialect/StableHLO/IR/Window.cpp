//===- Window.cpp - How windows move over tensors -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Windows, and the verifiers of reduce_window and select_and_scatter.
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/Dialect/StableHLO/IR/Window.h"

#include "RegionChecks.h"
#include "WindowChecks.h"
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

std::optional<int64_t> WindowDim::getSource(int64_t position, int64_t offset,
                                            int64_t extent) const {
  int64_t place = position * stride + offset * dilation - low;
  if (place < 0 || place % baseDilation != 0 || place / baseDilation >= extent)
    return std::nullopt;
  return place / baseDilation;
}

using Entries = std::optional<ArrayRef<int64_t>>;

/// A window of `sizes`; what is not given is 1, padding 0.
static SmallVector<WindowDim>
makeWindow(ArrayRef<int64_t> sizes, Entries strides, Entries dilations,
           Entries baseDilations, std::optional<DenseIntElementsAttr> padding) {
  SmallVector<WindowDim> window(sizes.size());
  auto valueOf = [](Entries values, size_t dim) {
    return values ? (*values)[dim] : 1;
  };
  for (auto [dim, entry] : llvm::enumerate(window)) {
    entry.size = sizes[dim];
    entry.stride = valueOf(strides, dim);
    entry.dilation = valueOf(dilations, dim);
    entry.baseDilation = valueOf(baseDilations, dim);
  }
  if (padding) {
    auto values = padding->getValues<int64_t>();
    for (auto [dim, entry] : llvm::enumerate(window)) {
      entry.low = values[2 * dim];
      entry.high = values[2 * dim + 1];
    }
  }
  return window;
}

SmallVector<WindowDim> stablehlo::getWindow(ReduceWindowOp op) {
  return makeWindow(op.getWindowDimensions(), op.getWindowStrides(),
                    op.getWindowDilations(), op.getBaseDilations(),
                    op.getPadding());
}

SmallVector<WindowDim> stablehlo::getWindow(SelectAndScatterOp op) {
  SmallVector<int64_t> ones(op.getOperand().getType().getRank(), 1);
  return makeWindow(op.getWindowDimensions().value_or(ones),
                    op.getWindowStrides(), std::nullopt, std::nullopt,
                    op.getPadding());
}

SmallVector<WindowDim> stablehlo::getWindow(ConvolutionOp op) {
  auto sizes = llvm::map_to_vector(
      op.getDimensionNumbers().getKernelSpatialDimensions(),
      [&](int64_t dim) { return op.getRhs().getType().getDimSize(dim); });
  return makeWindow(sizes, op.getWindowStrides(), op.getRhsDilation(),
                    op.getLhsDilation(), op.getPadding());
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

LogicalResult stablehlo::checkWindowEntries(Operation *op, StringRef what,
                                            Entries values, int64_t count) {
  if (!values)
    return success();
  if (static_cast<int64_t>(values->size()) != count)
    return op->emitOpError()
           << "expects one entry of " << what << " per dimension, but got "
           << values->size() << " for rank " << count;
  for (auto [dim, value] : llvm::enumerate(*values))
    if (value < 1)
      return op->emitOpError()
             << "expects a positive entry of " << what << " in dimension "
             << dim << ", but got " << value;
  return success();
}

LogicalResult stablehlo::checkWindowPadding(
    Operation *op, std::optional<DenseIntElementsAttr> padding, int64_t count) {
  if (padding && padding->getType().getShape() != ArrayRef<int64_t>{count, 2})
    return op->emitOpError() << "expects padding of shape " << count
                             << "x2, but got " << padding->getType();
  return success();
}

LogicalResult stablehlo::checkWindowOverflow(Operation *op,
                                             ArrayRef<WindowDim> window,
                                             ArrayRef<int64_t> shape) {
  for (auto [dim, entry] : llvm::enumerate(window)) {
    CheckedSum covered, padded;
    covered.add(entry.size - 1, entry.dilation);
    covered.add(1);
    padded.add(std::max<int64_t>(shape[dim] - 1, 0), entry.baseDilation);
    padded.add(1);
    padded.add(entry.low);
    padded.add(entry.high);
    if (!covered.get() || !padded.get())
      return op->emitOpError()
             << "expects a window and a padded input of fewer than 2^63 "
                "elements in dimension "
             << dim;
  }
  return success();
}

SmallVector<int64_t> stablehlo::getWindowCounts(ArrayRef<WindowDim> window,
                                                ArrayRef<int64_t> shape) {
  SmallVector<int64_t> counts;
  for (auto [dim, extent] : llvm::zip_equal(window, shape))
    counts.push_back(dim.getResultSize(extent));
  return counts;
}

static LogicalResult checkAttributes(ReduceWindowOp op, int64_t rank) {
  return failure(failed(checkWindowEntries(op, "'window_dimensions'",
                                           op.getWindowDimensions(), rank)) ||
                 failed(checkWindowEntries(op, "'window_strides'",
                                           op.getWindowStrides(), rank)) ||
                 failed(checkWindowEntries(op, "'base_dilations'",
                                           op.getBaseDilations(), rank)) ||
                 failed(checkWindowEntries(op, "'window_dilations'",
                                           op.getWindowDilations(), rank)) ||
                 failed(checkWindowPadding(op, op.getPadding(), rank)));
}

LogicalResult ReduceWindowOp::verify() {
  if (getInputs().empty() || getResults().size() != getInputs().size())
    return emitOpError() << "expects one result per input and at least one, "
                            "but got "
                         << getResults().size() << " and "
                         << getInputs().size();
  auto first = cast<RankedTensorType>(getInputs().front().getType());
  if (failed(checkAttributes(*this, first.getRank())) ||
      failed(checkWindowOverflow(*this, getWindow(*this), first.getShape())))
    return failure();
  SmallVector<int64_t> shape =
      getWindowCounts(getWindow(*this), first.getShape());

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

LogicalResult SelectAndScatterOp::verify() {
  RankedTensorType type = getOperand().getType();
  int64_t rank = type.getRank();
  if (failed(checkWindowEntries(*this, "'window_dimensions'",
                                getWindowDimensions(), rank)) ||
      failed(checkWindowEntries(*this, "'window_strides'", getWindowStrides(),
                                rank)) ||
      failed(checkWindowPadding(*this, getPadding(), rank)) ||
      failed(checkWindowOverflow(*this, getWindow(*this), type.getShape())))
    return failure();
  auto source = type.clone(getWindowCounts(getWindow(*this), type.getShape()));
  if (getSource().getType() != source)
    return emitOpError() << "expects a source of type " << source
                         << ", but got " << getSource().getType();
  auto scalar = RankedTensorType::get({}, type.getElementType());
  if (getInitValue().getType() != scalar)
    return emitOpError() << "expects an initial value of type " << scalar
                         << ", but got " << getInitValue().getType();
  if (getType() != type)
    return emitOpError() << "expects a result of type " << type << ", but got "
                         << getType();
  auto pred = RankedTensorType::get({}, IntegerType::get(getContext(), 1));
  Type pair[] = {scalar, scalar};
  if (failed(
          checkArguments(*this, "the selection", getSelect().front(), pair)) ||
      failed(checkReturn(*this, "the selection", getSelect().front(),
                         TypeRange(Type(pred)))))
    return failure();
  return checkCombiner(*this, "the combination", getScatter().front(),
                       Type(scalar));
}
