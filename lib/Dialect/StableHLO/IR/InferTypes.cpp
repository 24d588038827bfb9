//===- InferTypes.cpp - Result types that follow from operands ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Computes and, through the same functions, verifies result types.
//
//===----------------------------------------------------------------------===//

#include "IndexChecks.h"

#include "boost-mlir/Dialect/StableHLO/IR/StableHLO.h"
#include "boost-mlir/Support/Sizes.h"
#include "boost-mlir/Support/TensorTypes.h"
#include "llvm/ADT/SmallBitVector.h"

using namespace mlir;
using namespace mlir::boost;
using namespace mlir::boost::stablehlo;

using Loc = std::optional<Location>;
using Types = SmallVectorImpl<Type>;

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
      getTensorType(adaptor.getX()).clone(IntegerType::get(context, 1)));
  return success();
}

LogicalResult CompareOp::inferReturnTypes(MLIRContext *context, Loc loc,
                                          Adaptor adaptor, Types &types) {
  types.push_back(
      getTensorType(adaptor.getLhs()).clone(IntegerType::get(context, 1)));
  return success();
}

//===----------------------------------------------------------------------===//
// Shape and parts
//===----------------------------------------------------------------------===//

LogicalResult TransposeOp::inferReturnTypes(MLIRContext *context, Loc loc,
                                            Adaptor adaptor, Types &types) {
  RankedTensorType type = getTensorType(adaptor.getOperand());
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
  RankedTensorType type = getTensorType(adaptor.getOperand());
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
  RankedTensorType first = getTensorType(adaptor.getInputs().front());
  int64_t dim = adaptor.getDimension();
  if (dim < 0 || dim >= first.getRank())
    return emitOptionalError(loc, "expects 'dimension' below rank ",
                             first.getRank(), ", but got ", dim);
  SmallVector<int64_t> shape(first.getShape());
  CheckedSum size;
  for (Value input : adaptor.getInputs()) {
    RankedTensorType type = getTensorType(input);
    bool fits = type.getRank() == first.getRank() &&
                type.getElementType() == first.getElementType();
    for (int64_t i = 0; fits && i < type.getRank(); ++i)
      fits = i == dim || type.getDimSize(i) == first.getDimSize(i);
    if (!fits)
      return emitOptionalError(loc, "expects inputs that differ only in ",
                               "dimension ", dim, ", but got ", first, " and ",
                               type);
    size.add(type.getDimSize(dim));
  }
  if (!size.get())
    return emitOptionalError(loc,
                             "expects a result of fewer than 2^63 elements "
                             "in dimension ",
                             dim);
  shape[dim] = *size.get();
  types.push_back(first.clone(shape));
  return success();
}

LogicalResult PadOp::inferReturnTypes(MLIRContext *context, Loc loc,
                                      Adaptor adaptor, Types &types) {
  RankedTensorType type = getTensorType(adaptor.getOperand());
  RankedTensorType value = getTensorType(adaptor.getPaddingValue());
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
    CheckedSum padded;
    padded.add(size);
    padded.add(gaps, interior[i]);
    padded.add(low[i]);
    padded.add(high[i]);
    if (!padded.get())
      return emitOptionalError(loc,
                               "expects a result of fewer than 2^63 "
                               "elements in dimension ",
                               i);
    shape.push_back(*padded.get());
    if (shape.back() < 0)
      return emitOptionalError(loc, "expects a result of size at least 0 in ",
                               "dimension ", i, ", but got ", shape.back());
  }
  types.push_back(type.clone(shape));
  return success();
}

LogicalResult DynamicSliceOp::inferReturnTypes(MLIRContext *context, Loc loc,
                                               Adaptor adaptor, Types &types) {
  RankedTensorType type = getTensorType(adaptor.getOperand());
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

bool stablehlo::isSortedSet(ArrayRef<int64_t> dims, int64_t rank) {
  return llvm::all_of(dims,
                      [&](int64_t dim) { return dim >= 0 && dim < rank; }) &&
         llvm::all_of(
             llvm::zip(dims, dims.drop_front(dims.empty() ? 0 : 1)),
             [](auto pair) { return std::get<0>(pair) < std::get<1>(pair); });
}

/// Returns true if all of `dims` and `others` are different dimensions below
/// `rank`.
static bool areDifferent(ArrayRef<int64_t> dims, ArrayRef<int64_t> others,
                         int64_t rank) {
  llvm::SmallBitVector seen(rank);
  for (int64_t dim : llvm::concat<const int64_t>(dims, others)) {
    if (dim < 0 || dim >= rank || seen[dim])
      return false;
    seen.set(dim);
  }
  return true;
}

/// The components of an index: one for each entry of the map.
static LogicalResult checkIndexVector(Loc loc, const IndexedDims &numbers,
                                      RankedTensorType indices) {
  int64_t rank = indices.getRank(), vectorDim = numbers.vectorDim;
  if (vectorDim < 0 || vectorDim > rank)
    return emitOptionalError(loc, "expects 'index_vector_dim' of at most ",
                             rank, ", but got ", vectorDim);
  int64_t size = vectorDim == rank ? 1 : indices.getDimSize(vectorDim);
  if (static_cast<int64_t>(numbers.map.dims.size()) != size)
    return emitOptionalError(loc, "expects '", numbers.map.name, "' of ", size,
                             " entries, the size of an index vector, but got ",
                             numbers.map.dims.size());
  return success();
}

/// Each batching dimension of the operand has one of the indices.
static LogicalResult checkBatching(Loc loc, const IndexedDims &numbers,
                                   RankedTensorType operand,
                                   RankedTensorType indices) {
  const NamedDims &left = numbers.operandBatching;
  const NamedDims &right = numbers.indicesBatching;
  if (left.dims.size() != right.dims.size())
    return emitOptionalError(loc, "expects as many '", left.name, "' as '",
                             right.name, "', but got ", left.dims.size(),
                             " and ", right.dims.size());
  if (!areDifferent(right.dims, {}, indices.getRank()) ||
      llvm::is_contained(right.dims, numbers.vectorDim))
    return emitOptionalError(loc, "expects '", right.name,
                             "' to be different dimensions of the indices, "
                             "without 'index_vector_dim', but got [",
                             right.dims, "]");
  for (auto [ofOperand, ofIndices] : llvm::zip_equal(left.dims, right.dims))
    if (operand.getDimSize(ofOperand) != indices.getDimSize(ofIndices))
      return emitOptionalError(
          loc, "expects batching dimensions of one size, but got ",
          operand.getDimSize(ofOperand), " in dimension ", ofOperand,
          " of the operand and ", indices.getDimSize(ofIndices),
          " in dimension ", ofIndices, " of the indices");
  return success();
}

LogicalResult stablehlo::checkIndexedDims(Loc loc, const IndexedDims &numbers,
                                          RankedTensorType operand,
                                          RankedTensorType indices) {
  if (failed(checkIndexVector(loc, numbers, indices)))
    return failure();
  int64_t rank = operand.getRank();
  const NamedDims &batching = numbers.operandBatching;
  const NamedDims &collapsed = numbers.collapsed, &map = numbers.map;
  if (!isSortedSet(collapsed.dims, rank) || !isSortedSet(batching.dims, rank) ||
      !areDifferent(collapsed.dims, batching.dims, rank))
    return emitOptionalError(
        loc, "expects '", collapsed.name, "' and '", batching.name,
        "' to be increasing and different dimensions "
        "below rank ",
        rank, ", but got [", collapsed.dims, "] and [", batching.dims, "]");
  if (!areDifferent(map.dims, batching.dims, rank))
    return emitOptionalError(
        loc, "expects '", map.name, "' and '", batching.name,
        "' to be different dimensions below rank ", rank, ", but got [",
        map.dims, "] and [", batching.dims, "]");
  return checkBatching(loc, numbers, operand, indices);
}

LogicalResult GatherOp::inferReturnTypes(MLIRContext *context, Loc loc,
                                         Adaptor adaptor, Types &types) {
  RankedTensorType operand = getTensorType(adaptor.getOperand());
  RankedTensorType indices = getTensorType(adaptor.getStartIndices());
  GatherDimensionNumbersAttr dims = adaptor.getDimensionNumbers();
  ArrayRef<int64_t> sizes = adaptor.getSliceSizes();
  if (failed(
          checkLength(loc, "'slice_sizes'", sizes.size(), operand.getRank())) ||
      failed(checkIndexedDims(
          loc,
          {{"collapsed_slice_dims", dims.getCollapsedSliceDims()},
           {"operand_batching_dims", dims.getOperandBatchingDims()},
           {"start_indices_batching_dims", dims.getStartIndicesBatchingDims()},
           {"start_index_map", dims.getStartIndexMap()},
           dims.getIndexVectorDim()},
          operand, indices)))
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
