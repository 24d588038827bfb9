//===- InferTypes.cpp - Result types that follow from operands ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Computes and, through the same functions, verifies result types.
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/Dialect/StableHLO/IR/StableHLO.h"
#include "llvm/ADT/SmallBitVector.h"

using namespace mlir;
using namespace mlir::boost::stablehlo;

using Loc = std::optional<Location>;
using Types = SmallVectorImpl<Type>;

static RankedTensorType tensorType(Value value) {
  return cast<RankedTensorType>(value.getType());
}

/// Checks that an attribute has one entry per dimension.
static LogicalResult checkLength(Loc loc, StringRef what, size_t size,
                                 int64_t rank) {
  if (static_cast<int64_t>(size) == rank)
    return success();
  return emitOptionalError(loc, "expects one entry of ", what,
                           " per dimension, but got ", size, " for rank ",
                           rank);
}

//===----------------------------------------------------------------------===//
// Elementwise
//===----------------------------------------------------------------------===//

LogicalResult IsFiniteOp::inferReturnTypes(MLIRContext *context, Loc loc,
                                           Adaptor adaptor, Types &types) {
  types.push_back(
      tensorType(adaptor.getX()).clone(IntegerType::get(context, 1)));
  return success();
}

LogicalResult CompareOp::inferReturnTypes(MLIRContext *context, Loc loc,
                                          Adaptor adaptor, Types &types) {
  types.push_back(
      tensorType(adaptor.getLhs()).clone(IntegerType::get(context, 1)));
  return success();
}

//===----------------------------------------------------------------------===//
// Shape and parts
//===----------------------------------------------------------------------===//

LogicalResult TransposeOp::inferReturnTypes(MLIRContext *context, Loc loc,
                                            Adaptor adaptor, Types &types) {
  RankedTensorType type = tensorType(adaptor.getOperand());
  ArrayRef<int64_t> permutation = adaptor.getPermutation();
  if (failed(checkLength(loc, "'permutation'", permutation.size(),
                         type.getRank())))
    return failure();
  llvm::SmallBitVector seen(type.getRank());
  SmallVector<int64_t> shape;
  for (int64_t dim : permutation) {
    if (dim < 0 || dim >= type.getRank() || seen[dim])
      return emitOptionalError(
          loc, "expects 'permutation' to name each of the ", type.getRank(),
          " dimensions once, but got [", permutation, "]");
    seen.set(dim);
    shape.push_back(type.getDimSize(dim));
  }
  types.push_back(type.clone(shape));
  return success();
}

LogicalResult SliceOp::inferReturnTypes(MLIRContext *context, Loc loc,
                                        Adaptor adaptor, Types &types) {
  RankedTensorType type = tensorType(adaptor.getOperand());
  ArrayRef<int64_t> starts = adaptor.getStartIndices();
  ArrayRef<int64_t> limits = adaptor.getLimitIndices();
  ArrayRef<int64_t> strides = adaptor.getStrides();
  if (failed(
          checkLength(loc, "'start_indices'", starts.size(), type.getRank())) ||
      failed(
          checkLength(loc, "'limit_indices'", limits.size(), type.getRank())) ||
      failed(checkLength(loc, "'strides'", strides.size(), type.getRank())))
    return failure();
  SmallVector<int64_t> shape;
  for (int64_t i = 0; i < type.getRank(); ++i) {
    if (starts[i] < 0 || starts[i] > limits[i] ||
        limits[i] > type.getDimSize(i))
      return emitOptionalError(
          loc, "expects 0 <= start <= limit <= ", type.getDimSize(i),
          " in dimension ", i, ", but got ", starts[i], ":", limits[i]);
    if (strides[i] <= 0)
      return emitOptionalError(loc, "expects a positive stride in dimension ",
                               i, ", but got ", strides[i]);
    shape.push_back(llvm::divideCeil(limits[i] - starts[i], strides[i]));
  }
  types.push_back(type.clone(shape));
  return success();
}

LogicalResult ConcatenateOp::inferReturnTypes(MLIRContext *context, Loc loc,
                                              Adaptor adaptor, Types &types) {
  if (adaptor.getInputs().empty())
    return emitOptionalError(loc, "expects at least one input");
  RankedTensorType first = tensorType(adaptor.getInputs().front());
  int64_t dim = adaptor.getDimension();
  if (dim < 0 || dim >= first.getRank())
    return emitOptionalError(loc, "expects 'dimension' below rank ",
                             first.getRank(), ", but got ", dim);
  SmallVector<int64_t> shape(first.getShape());
  shape[dim] = 0;
  for (Value input : adaptor.getInputs()) {
    RankedTensorType type = tensorType(input);
    bool fits = type.getRank() == first.getRank() &&
                type.getElementType() == first.getElementType();
    for (int64_t i = 0; fits && i < type.getRank(); ++i)
      fits = i == dim || type.getDimSize(i) == first.getDimSize(i);
    if (!fits)
      return emitOptionalError(loc, "expects inputs that differ only in ",
                               "dimension ", dim, ", but got ", first, " and ",
                               type);
    shape[dim] += type.getDimSize(dim);
  }
  types.push_back(first.clone(shape));
  return success();
}

LogicalResult PadOp::inferReturnTypes(MLIRContext *context, Loc loc,
                                      Adaptor adaptor, Types &types) {
  RankedTensorType type = tensorType(adaptor.getOperand());
  RankedTensorType value = tensorType(adaptor.getPaddingValue());
  if (value.getRank() != 0 || value.getElementType() != type.getElementType())
    return emitOptionalError(loc, "expects a scalar padding value of type ",
                             type.getElementType(), ", but got ", value);
  ArrayRef<int64_t> low = adaptor.getEdgePaddingLow();
  ArrayRef<int64_t> high = adaptor.getEdgePaddingHigh();
  ArrayRef<int64_t> interior = adaptor.getInteriorPadding();
  if (failed(
          checkLength(loc, "'edge_padding_low'", low.size(), type.getRank())) ||
      failed(checkLength(loc, "'edge_padding_high'", high.size(),
                         type.getRank())) ||
      failed(checkLength(loc, "'interior_padding'", interior.size(),
                         type.getRank())))
    return failure();
  SmallVector<int64_t> shape;
  for (int64_t i = 0; i < type.getRank(); ++i) {
    int64_t size = type.getDimSize(i);
    int64_t gaps = std::max<int64_t>(size - 1, 0);
    if (interior[i] < 0)
      return emitOptionalError(loc, "expects interior padding of at least 0 ",
                               "in dimension ", i, ", but got ", interior[i]);
    shape.push_back(low[i] + size + gaps * interior[i] + high[i]);
    if (shape.back() < 0)
      return emitOptionalError(loc, "expects a result of size at least 0 in ",
                               "dimension ", i, ", but got ", shape.back());
  }
  types.push_back(type.clone(shape));
  return success();
}

LogicalResult DynamicSliceOp::inferReturnTypes(MLIRContext *context, Loc loc,
                                               Adaptor adaptor, Types &types) {
  RankedTensorType type = tensorType(adaptor.getOperand());
  ArrayRef<int64_t> sizes = adaptor.getSliceSizes();
  if (failed(checkLength(loc, "'slice_sizes'", sizes.size(), type.getRank())) ||
      failed(checkLength(loc, "the start indices",
                         adaptor.getStartIndices().size(), type.getRank())))
    return failure();
  for (auto [i, size] : llvm::enumerate(sizes))
    if (size < 0 || size > type.getDimSize(i))
      return emitOptionalError(loc, "expects a slice size of at most ",
                               type.getDimSize(i), " in dimension ", i,
                               ", but got ", size);
  types.push_back(type.clone(sizes));
  return success();
}

//===----------------------------------------------------------------------===//
// Gather
//===----------------------------------------------------------------------===//

/// Whether `dims` are in increasing order without repetition and below `rank`.
static bool isSortedSet(ArrayRef<int64_t> dims, int64_t rank) {
  return llvm::all_of(dims,
                      [&](int64_t dim) { return dim >= 0 && dim < rank; }) &&
         llvm::all_of(
             llvm::zip(dims, dims.drop_front(dims.empty() ? 0 : 1)),
             [](auto pair) { return std::get<0>(pair) < std::get<1>(pair); });
}

/// The dimension numbers that do not depend on each other.
static LogicalResult checkGatherDims(Loc loc, GatherDimensionNumbersAttr dims,
                                     RankedTensorType operand,
                                     RankedTensorType indices) {
  int64_t indexRank = indices.getRank();
  int64_t vectorDim = dims.getIndexVectorDim();
  if (vectorDim < 0 || vectorDim > indexRank)
    return emitOptionalError(loc, "expects 'index_vector_dim' of at most ",
                             indexRank, ", but got ", vectorDim);
  int64_t vectorSize =
      vectorDim == indexRank ? 1 : indices.getDimSize(vectorDim);
  if (static_cast<int64_t>(dims.getStartIndexMap().size()) != vectorSize)
    return emitOptionalError(loc, "expects 'start_index_map' of ", vectorSize,
                             " entries, the size of an index vector, but got ",
                             dims.getStartIndexMap().size());
  if (llvm::any_of(dims.getStartIndexMap(), [&](int64_t dim) {
        return dim < 0 || dim >= operand.getRank();
      }))
    return emitOptionalError(loc, "expects 'start_index_map' below rank ",
                             operand.getRank());
  if (!isSortedSet(dims.getCollapsedSliceDims(), operand.getRank()) ||
      !isSortedSet(dims.getOperandBatchingDims(), operand.getRank()))
    return emitOptionalError(loc, "expects 'collapsed_slice_dims' and ",
                             "'operand_batching_dims' to be increasing "
                             "dimensions of the operand");
  if (dims.getOperandBatchingDims().size() !=
      dims.getStartIndicesBatchingDims().size())
    return emitOptionalError(loc, "expects as many 'operand_batching_dims' as ",
                             "'start_indices_batching_dims', but got ",
                             dims.getOperandBatchingDims().size(), " and ",
                             dims.getStartIndicesBatchingDims().size());
  return success();
}

LogicalResult GatherOp::inferReturnTypes(MLIRContext *context, Loc loc,
                                         Adaptor adaptor, Types &types) {
  RankedTensorType operand = tensorType(adaptor.getOperand());
  RankedTensorType indices = tensorType(adaptor.getStartIndices());
  GatherDimensionNumbersAttr dims = adaptor.getDimensionNumbers();
  ArrayRef<int64_t> sizes = adaptor.getSliceSizes();
  if (failed(
          checkLength(loc, "'slice_sizes'", sizes.size(), operand.getRank())) ||
      failed(checkGatherDims(loc, dims, operand, indices)))
    return failure();

  SmallVector<int64_t> offsets;
  for (auto [i, size] : llvm::enumerate(sizes)) {
    if (size < 0 || size > operand.getDimSize(i))
      return emitOptionalError(loc, "expects a slice size of at most ",
                               operand.getDimSize(i), " in dimension ", i,
                               ", but got ", size);
    bool removed =
        llvm::is_contained(dims.getCollapsedSliceDims(), int64_t(i)) ||
        llvm::is_contained(dims.getOperandBatchingDims(), int64_t(i));
    if (!removed)
      offsets.push_back(size);
    else if (size > 1)
      return emitOptionalError(loc, "expects a slice size of 1 in collapsed ",
                               "or batching dimension ", i, ", but got ", size);
  }
  SmallVector<int64_t> batch(indices.getShape());
  if (dims.getIndexVectorDim() < indices.getRank())
    batch.erase(batch.begin() + dims.getIndexVectorDim());

  int64_t rank = offsets.size() + batch.size();
  if (!isSortedSet(dims.getOffsetDims(), rank) ||
      dims.getOffsetDims().size() != offsets.size())
    return emitOptionalError(loc, "expects 'offset_dims' to be ",
                             offsets.size(),
                             " increasing dimensions below rank ", rank);
  SmallVector<int64_t> shape;
  auto *offset = offsets.begin();
  auto *outer = batch.begin();
  for (int64_t i = 0; i < rank; ++i)
    shape.push_back(llvm::is_contained(dims.getOffsetDims(), i) ? *offset++
                                                                : *outer++);
  types.push_back(operand.clone(shape));
  return success();
}
