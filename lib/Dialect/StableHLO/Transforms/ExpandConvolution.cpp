//===- ExpandConvolution.cpp - Convolutions as products -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel that keeps channels apart becomes a sum of shifted products. Any
// other meets the windows of the input, laid side by side, in one product.
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/Dialect/StableHLO/IR/Builders.h"
#include "boost-mlir/Dialect/StableHLO/IR/Window.h"
#include "boost-mlir/Dialect/StableHLO/Transforms/Passes.h"
#include "boost-mlir/Support/Sizes.h"
#include "boost-mlir/Support/TensorTypes.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"

namespace mlir::boost::stablehlo {
#define GEN_PASS_DEF_EXPANDCONVOLUTIONPASS
#include "boost-mlir/Dialect/StableHLO/Transforms/Passes.h.inc"
} // namespace mlir::boost::stablehlo

using namespace mlir;
using namespace mlir::boost;
using namespace mlir::boost::stablehlo;

/// As many shifted copies are written out one by one. Of more a gather takes
/// them.
static constexpr int64_t kMaxCopies = 64;

static constexpr unsigned kWidestElement = 64;

namespace {

class Expansion {
public:
  explicit Expansion(ConvolutionOp op)
      : op(op), builder(op), loc(op.getLoc()), dims(op.getDimensionNumbers()),
        window(getWindow(op)),
        featureGroups(static_cast<int64_t>(op.getFeatureGroupCount())),
        batchGroups(static_cast<int64_t>(op.getBatchGroupCount())) {
    for (int64_t dim : dims.getOutputSpatialDimensions())
      counts.push_back(op.getType().getDimSize(dim));
  }

  /// Refuses what no memory holds, on the way to all windows.
  LogicalResult check() {
    RankedTensorType lhs = op.getLhs().getType();
    SmallVector<int64_t> shape{lhs.getDimSize(dims.getInputBatchDimension()),
                               lhs.getDimSize(dims.getInputFeatureDimension())};
    for (auto [dim, entry] :
         llvm::zip_equal(dims.getInputSpatialDimensions(), window))
      shape.push_back(entry.low + entry.high + 1 +
                      std::max<int64_t>(lhs.getDimSize(dim) - 1, 0) *
                          entry.baseDilation);
    bool isSmall = isCountable(shape, kWidestElement);
    for (size_t i = 0; i < window.size(); ++i) {
      shape[2 + i] = counts[i];
      shape.push_back(window[i].size);
      isSmall &= isCountable(shape, kWidestElement);
    }
    if (isSmall || op.getType().getNumElements() == 0)
      return success();
    auto diag = op.emitOpError()
                << "expects a padded input and windows of at most 2^"
                << kMaxTensorBytesLog2 << " bytes";
    diag.attachNote()
        << "convolve in parts, with fewer or shorter windows each";
    return diag;
  }

  Value build() {
    RankedTensorType type = op.getType();
    if (type.getNumElements() == 0 ||
        op.getRhs().getType().getNumElements() == 0)
      return splat(builder, loc, type, 0);
    Value input = arrangeInput(), kernel = arrangeKernel();
    Value result = isDepthwise() ? addShifted(input, kernel)
                                 : multiplyWindows(input, kernel);
    // From the batch, the places and the features.
    SmallVector<int64_t> order(type.getRank());
    order[dims.getOutputBatchDimension()] = 0;
    for (auto [i, dim] : llvm::enumerate(dims.getOutputSpatialDimensions()))
      order[dim] = static_cast<int64_t>(i) + 1;
    order[dims.getOutputFeatureDimension()] = type.getRank() - 1;
    return transpose(builder, loc, result, order);
  }

private:
  ArrayRef<int64_t> shapeOf(Value value) {
    return getTensorType(value).getShape();
  }

  /// The batch, the padded places and the features.
  Value arrangeInput() {
    SmallVector<int64_t> order{dims.getInputBatchDimension()};
    llvm::append_range(order, dims.getInputSpatialDimensions());
    order.push_back(dims.getInputFeatureDimension());
    Value input = transpose(builder, loc, op.getLhs(), order);
    SmallVector<int64_t> low(order.size(), 0), high(low), interior(low);
    bool isPadded = false;
    for (auto [i, dim] : llvm::enumerate(window)) {
      low[i + 1] = dim.low;
      high[i + 1] = dim.high;
      interior[i + 1] = dim.baseDilation - 1;
      isPadded |= dim.low != 0 || dim.high != 0 || dim.baseDilation != 1;
    }
    if (!isPadded)
      return input;
    Type scalar =
        RankedTensorType::get({}, getTensorType(input).getElementType());
    return PadOp::create(builder, loc, input, splat(builder, loc, scalar, 0),
                         low, high, interior);
  }

  /// The places in the window in their order, the features taken and given.
  Value arrangeKernel() {
    SmallVector<int64_t> order(dims.getKernelSpatialDimensions());
    order.push_back(dims.getKernelInputFeatureDimension());
    order.push_back(dims.getKernelOutputFeatureDimension());
    Value kernel = transpose(builder, loc, op.getRhs(), order);
    SmallVector<int64_t> reversed;
    if (auto flags = op.getWindowReversal())
      for (auto [i, flag] : llvm::enumerate(*flags))
        if (flag)
          reversed.push_back(static_cast<int64_t>(i));
    if (!reversed.empty())
      kernel =
          ReverseOp::create(builder, loc, kernel.getType(), kernel, reversed);
    return kernel;
  }

  //===--------------------------------------------------------------------===//
  // Channels apart
  //===--------------------------------------------------------------------===//

  bool isDepthwise() {
    int64_t taken =
        op.getRhs().getType().getDimSize(dims.getKernelInputFeatureDimension());
    int64_t copies = 1;
    for (const WindowDim &dim : window)
      copies = dim.size > kMaxCopies
                   ? kMaxCopies + 1
                   : std::min(copies * dim.size, kMaxCopies + 1);
    return featureGroups > 1 && taken == 1 && copies <= kMaxCopies;
  }

  /// One product for every place in the window, elements with elements.
  Value addShifted(Value input, Value kernel) {
    Type element = op.getType().getElementType();
    Type sumType = isa<Float16Type, BFloat16Type>(element)
                       ? builder.getF32Type()
                       : element;
    input = convert(builder, loc, input, sumType);
    kernel = convert(builder, loc, kernel, sumType);
    SmallVector<int64_t> sizes;
    for (const WindowDim &dim : window)
      sizes.push_back(dim.size);
    SmallVector<int64_t> strides = computeStrides(sizes);
    Value sum;
    for (int64_t i = 0, end = computeProduct(sizes); i < end; ++i) {
      Value term = multiplyShifted(input, kernel, delinearize(i, strides));
      sum = sum ? AddOp::create(builder, loc, sum, term).getResult() : term;
    }
    return convert(builder, loc, sum, element);
  }

  /// The product for one place in the window: the batch, the places, the groups
  /// and what each gives, the last two as one.
  Value multiplyShifted(Value input, Value kernel, ArrayRef<int64_t> place) {
    SmallVector<int64_t> starts(shapeOf(input).size(), 0),
        limits(shapeOf(input)), strides(starts.size(), 1);
    SmallVector<int64_t> kernelStarts(place), kernelLimits, ones;
    for (auto [i, dim] : llvm::enumerate(window)) {
      starts[i + 1] = place[i] * dim.dilation;
      strides[i + 1] = dim.stride;
      limits[i + 1] = starts[i + 1] + (counts[i] - 1) * dim.stride + 1;
      kernelLimits.push_back(place[i] + 1);
    }
    kernelStarts.append({0, 0});
    int64_t given = shapeOf(kernel).back();
    kernelLimits.append({1, given});
    ones.append(kernelLimits.size(), 1);
    Value part = SliceOp::create(builder, loc, input, starts, limits, strides);
    Value weights =
        SliceOp::create(builder, loc, kernel, kernelStarts, kernelLimits, ones);
    int64_t each = given / featureGroups;
    SmallVector<int64_t> shape(shapeOf(part));
    auto last = static_cast<int64_t>(shape.size()) - 1;
    SmallVector<int64_t> weightDims{last}, weightShape{given};
    if (each > 1) {
      shape.push_back(each);
      weightDims.push_back(last + 1);
      weightShape = {featureGroups, each};
      part = broadcastTrailing(builder, loc, part, shape);
    }
    weights = broadcastInDim(builder, loc,
                             reshape(builder, loc, weights, weightShape), shape,
                             weightDims);
    Value product = MulOp::create(builder, loc, part, weights);
    shape.resize(last);
    shape.push_back(given);
    return reshape(builder, loc, product, shape);
  }

  //===--------------------------------------------------------------------===//
  // Windows side by side
  //===--------------------------------------------------------------------===//

  /// One product over the features and the places in the window, in this order:
  /// a linear, which may be sharded along what it reads.
  Value multiplyWindows(Value input, Value kernel) {
    // A window of one element has no dimension of its own.
    SmallVector<int64_t> order{0}, inWindow, kernelShape;
    int64_t next = 1;
    for (auto [dim, count] : llvm::zip_equal(window, counts)) {
      input = takeWindows(input, next, dim, count);
      order.push_back(next++);
      if (dim.size == 1)
        continue;
      inWindow.push_back(next++);
      kernelShape.push_back(dim.size);
    }
    auto place = static_cast<int64_t>(order.size());
    order.push_back(next);
    llvm::append_range(order, inWindow);
    input = transpose(builder, loc, input, order);

    auto taken = static_cast<int64_t>(kernelShape.size());
    llvm::append_range(kernelShape, shapeOf(kernel).take_back(2));
    kernel = reshape(builder, loc, kernel, kernelShape);
    SmallVector<int64_t> kernelOrder{taken};
    llvm::append_range(kernelOrder, llvm::seq<int64_t>(0, taken));
    kernelOrder.push_back(taken + 1);
    kernel = transpose(builder, loc, kernel, kernelOrder);
    auto lhsContract =
        llvm::to_vector(llvm::seq<int64_t>(place, place + taken + 1));
    auto rhsContract = llvm::to_vector(llvm::seq<int64_t>(0, taken + 1));

    // A split dimension has its groups in front of the parts.
    SmallVector<int64_t> lhsBatch, rhsBatch;
    int64_t groups = std::max(featureGroups, batchGroups);
    if (groups > 1) {
      int64_t split = featureGroups > 1 ? place : 0;
      input = splitDim(input, split, groups);
      for (int64_t &dim : lhsContract)
        dim += dim >= split ? 1 : 0;
      lhsBatch.push_back(split);
      rhsBatch.push_back(taken + 1);
      kernel = splitDim(kernel, rhsBatch.front(), groups);
    }
    Value product = dotGeneral(
        builder, loc, input, kernel,
        DotDimensionNumbersAttr::get(builder.getContext(), lhsBatch, rhsBatch,
                                     lhsContract, rhsContract),
        op.getType().getElementType());
    if (ArrayAttr precision = op.getPrecisionConfigAttr())
      product.getDefiningOp<DotGeneralOp>().setPrecisionConfigAttr(precision);
    return groups > 1 ? mergeGroups(product) : product;
  }

  /// Dimension `dim` as `groups` parts.
  Value splitDim(Value value, int64_t dim, int64_t groups) {
    SmallVector<int64_t> shape(shapeOf(value));
    shape[dim] /= groups;
    shape.insert(shape.begin() + dim, groups);
    return reshape(builder, loc, value, shape);
  }

  /// Groups in front, as a product has them, become features.
  Value mergeGroups(Value product) {
    auto last = static_cast<int64_t>(shapeOf(product).size()) - 1;
    auto order = llvm::to_vector(llvm::seq<int64_t>(1, last));
    order.append({0, last});
    product = transpose(builder, loc, product, order);
    SmallVector<int64_t> shape(shapeOf(product).drop_back(2));
    shape.push_back(shapeOf(product).take_back(2).front() *
                    shapeOf(product).back());
    return reshape(builder, loc, product, shape);
  }

  /// Dimension `dim` as the places that a window can take and, unless it is one
  /// element, the places in it.
  Value takeWindows(Value input, int64_t dim, const WindowDim &entry,
                    int64_t count) {
    if (entry.size == 1)
      return sliceDim(input, dim, 0, count, entry.stride);
    if (entry.size == entry.stride && entry.dilation == 1)
      return splitDim(sliceDim(input, dim, 0, count * entry.size, 1), dim,
                      count);
    bool byCount = count < entry.size;
    int64_t copies = byCount ? count : entry.size;
    if (copies > kMaxCopies)
      return gatherWindows(input, dim, entry, count);
    SmallVector<int64_t> shape(shapeOf(input));
    shape[dim] = byCount ? 1 : count;
    shape.insert(shape.begin() + dim + 1, byCount ? entry.size : 1);
    SmallVector<Value> parts;
    for (int64_t i = 0; i < copies; ++i) {
      Value part = byCount ? sliceDim(input, dim, i * entry.stride, entry.size,
                                      entry.dilation)
                           : sliceDim(input, dim, i * entry.dilation, count,
                                      entry.stride);
      parts.push_back(reshape(builder, loc, part, shape));
    }
    if (parts.size() == 1)
      return parts.front();
    return ConcatenateOp::create(builder, loc, parts, byCount ? dim : dim + 1);
  }

  /// `count` elements from `start`, `stride` apart.
  Value sliceDim(Value input, int64_t dim, int64_t start, int64_t count,
                 int64_t stride) {
    SmallVector<int64_t> starts(shapeOf(input).size(), 0),
        limits(shapeOf(input)), strides(starts.size(), 1);
    starts[dim] = start;
    limits[dim] = start + (count - 1) * stride + 1;
    strides[dim] = stride;
    if (count == shapeOf(input)[dim])
      return input;
    return SliceOp::create(builder, loc, input, starts, limits, strides);
  }

  Value gatherWindows(Value input, int64_t dim, const WindowDim &entry,
                      int64_t count) {
    auto type =
        RankedTensorType::get({count, entry.size}, builder.getI64Type());
    auto scaledIota = [&](int64_t along, int64_t scale) -> Value {
      Value places = IotaOp::create(builder, loc, type, along);
      return MulOp::create(
          builder, loc, places,
          splat(builder, loc, type, static_cast<double>(scale)));
    };
    Value places = AddOp::create(builder, loc, scaledIota(0, entry.stride),
                                 scaledIota(1, entry.dilation));
    SmallVector<int64_t> sizes(shapeOf(input)), offsets;
    sizes[dim] = 1;
    auto rank = static_cast<int64_t>(sizes.size());
    for (int64_t i = 0; i <= rank; ++i)
      if (i != dim && i != dim + 1)
        offsets.push_back(i);
    auto numbers = GatherDimensionNumbersAttr::get(
        builder.getContext(), offsets, /*collapsed_slice_dims=*/dim,
        /*operand_batching_dims=*/{}, /*start_indices_batching_dims=*/{},
        /*start_index_map=*/dim, /*index_vector_dim=*/2);
    return GatherOp::create(builder, loc, input, places, numbers, sizes);
  }

  ConvolutionOp op;
  OpBuilder builder;
  Location loc;
  ConvDimensionNumbersAttr dims;
  SmallVector<WindowDim> window;
  SmallVector<int64_t> counts;
  int64_t featureGroups, batchGroups;
};

struct ExpandConvolutionPass
    : stablehlo::impl::ExpandConvolutionPassBase<ExpandConvolutionPass> {
  void runOnOperation() override {
    WalkResult result = getOperation()->walk([](ConvolutionOp op) {
      Expansion expansion(op);
      if (failed(expansion.check()))
        return WalkResult::interrupt();
      op.replaceAllUsesWith(expansion.build());
      op.erase();
      return WalkResult::advance();
    });
    if (result.wasInterrupted())
      signalPassFailure();
  }
};

} // namespace
