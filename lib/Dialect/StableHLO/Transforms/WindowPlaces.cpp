//===- WindowPlaces.cpp - Elements of windows by number -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WindowPlaces.h"

#include "boost-mlir/Dialect/StableHLO/IR/Builders.h"
#include "boost-mlir/Support/TensorTypes.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"

using namespace mlir;
using namespace mlir::boost;
using namespace mlir::boost::stablehlo;

WindowPlaces::WindowPlaces(RankedTensorType type, ArrayRef<WindowDim> window)
    : type(type) {
  SmallVector<int64_t> after;
  for (auto [i, entry] : llvm::enumerate(window)) {
    auto dim = static_cast<int64_t>(i);
    if (!entry.isTrivial())
      moving.push_back(dim);
    else if (moving.empty())
      order.push_back(dim);
    else
      after.push_back(dim);
  }
  before = static_cast<int64_t>(order.size());
  llvm::append_range(order, moving);
  llvm::append_range(order, after);
}

/// `shape` with the dimensions from `begin` to `end` as one.
static SmallVector<int64_t> collapse(ArrayRef<int64_t> shape, int64_t begin,
                                     int64_t end) {
  SmallVector<int64_t> collapsed(shape.take_front(begin));
  collapsed.push_back(computeProduct(shape.slice(begin, end - begin)));
  llvm::append_range(collapsed, shape.drop_front(end));
  return collapsed;
}

RankedTensorType WindowPlaces::getFlatType() const {
  auto shape = applyPermutation(type.getShape(), ArrayRef<int64_t>(order));
  return type.clone(
      collapse(shape, before, before + static_cast<int64_t>(moving.size())));
}

Type WindowPlaces::getPlaceType() const {
  int64_t count = getFlatType().getDimSize(before);
  return IntegerType::get(type.getContext(), llvm::isInt<32>(count) ? 32 : 64);
}

Value WindowPlaces::number(OpBuilder &builder, Location loc) const {
  auto places = RankedTensorType::get(type.getShape(), getPlaceType());
  Value sum;
  int64_t distance = 1;
  for (int64_t dim : llvm::reverse(moving)) {
    Value place = IotaOp::create(builder, loc, places, dim);
    if (distance != 1)
      place = MulOp::create(
          builder, loc, place,
          splatLike(builder, loc, place, static_cast<double>(distance)));
    sum = sum ? AddOp::create(builder, loc, place, sum).getResult() : place;
    distance *= type.getDimSize(dim);
  }
  return sum ? sum : splat(builder, loc, places, 0);
}

Value WindowPlaces::flatten(OpBuilder &builder, Location loc,
                            Value value) const {
  value = transpose(builder, loc, value, order);
  ArrayRef<int64_t> shape = getTensorType(value).getShape();
  return reshape(
      builder, loc, value,
      collapse(shape, before, before + static_cast<int64_t>(moving.size())));
}

Value WindowPlaces::restore(OpBuilder &builder, Location loc,
                            Value value) const {
  auto shape = applyPermutation(type.getShape(), ArrayRef<int64_t>(order));
  value = reshape(builder, loc, value, shape);
  return transpose(builder, loc, value, invertPermutationVector(order));
}

ScatterDimensionNumbersAttr
stablehlo::getScatterAlong(MLIRContext *context, int64_t rank, int64_t dim) {
  SmallVector<int64_t> others = llvm::to_vector(llvm::seq<int64_t>(0, rank));
  llvm::erase(others, dim);
  return ScatterDimensionNumbersAttr::get(
      context, /*update_window_dims=*/{}, /*inserted_window_dims=*/dim,
      /*input_batching_dims=*/others,
      /*scatter_indices_batching_dims=*/others,
      /*scatter_dims_to_operand_dims=*/dim, rank);
}
