//===- Shape.cpp - Shape operations of random programs --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProgramBuilder.h"

using namespace mlir;
using namespace mlir::boost;
using namespace mlir::boost::prove;
namespace hlo = mlir::boost::stablehlo;

/// Merges two neighboring dimensions, splits one, or adds or drops one of
/// size 1.
static void applyReshape(ProgramBuilder &p) {
  Pooled x = p.pickOfRank(1);
  Shape shape(x.shape());
  auto dim = p.below(static_cast<uint32_t>(shape.size()));
  bool canMerge = dim + 1 < shape.size();
  if (canMerge && p.below(2) == 0) {
    shape[dim] *= shape[dim + 1];
    shape.erase(shape.begin() + dim + 1);
  } else if (shape.size() < 4) {
    SmallVector<int64_t> divisors;
    for (int64_t n = 1; n <= shape[dim]; ++n)
      if (shape[dim] % n == 0)
        divisors.push_back(n);
    int64_t outer = divisors[p.below(static_cast<uint32_t>(divisors.size()))];
    shape[dim] /= outer;
    shape.insert(shape.begin() + dim, outer);
  }
  p.add(hlo::reshape(p.b, p.loc, x.value, shape), x.low, x.high);
}

static void applyTranspose(ProgramBuilder &p) {
  Pooled x = p.pickOfRank(2);
  p.add(hlo::transpose(p.b, p.loc, x.value, p.permutationOf(x.rank())), x.low,
        x.high);
}

/// A new dimension anywhere, or a dimension of size 1 repeated.
static void applyBroadcast(ProgramBuilder &p) {
  Pooled x = p.pickOfRank(0, 3);
  Shape shape(x.shape());
  auto at = p.below(static_cast<uint32_t>(shape.size()) + 1);
  shape.insert(shape.begin() + at, p.oneOf<int64_t>({2, 4, 3, 1}));
  SmallVector<int64_t> dims;
  for (int64_t dim = 0; dim <= x.rank(); ++dim)
    if (dim != at)
      dims.push_back(dim);
  p.add(hlo::broadcastInDim(p.b, p.loc, x.value, shape, dims), x.low, x.high);
}

static void applySlice(ProgramBuilder &p) {
  Pooled x = p.pickOfRank(1);
  SmallVector<int64_t> starts, limits, strides;
  for (int64_t size : x.shape()) {
    int64_t start = p.below(static_cast<uint32_t>(size));
    int64_t kept = size - start - p.below(static_cast<uint32_t>(size - start));
    starts.push_back(start);
    limits.push_back(start + kept);
    strides.push_back(p.oneIn(4) ? 2 : 1);
  }
  p.add(hlo::SliceOp::create(p.b, p.loc, x.value, starts, limits, strides),
        x.low, x.high);
}

/// Halves of a value, swapped or not: what rotary embeddings do.
static void applyRotate(ProgramBuilder &p) {
  Pooled x = p.pickOfRank(1);
  int64_t dim = x.rank() - 1, half = x.shape()[dim] / 2;
  if (half == 0)
    return;
  SmallVector<int64_t> starts(x.rank(), 0), limits(x.shape()),
      strides(x.rank(), 1);
  limits[dim] = half;
  Value first =
      hlo::SliceOp::create(p.b, p.loc, x.value, starts, limits, strides);
  starts[dim] = half;
  limits[dim] = 2 * half;
  Value second =
      hlo::SliceOp::create(p.b, p.loc, x.value, starts, limits, strides);
  second = hlo::NegOp::create(p.b, p.loc, second);
  p.add(hlo::ConcatenateOp::create(p.b, p.loc, ValueRange{second, first}, dim),
        x.magnitude());
}

/// Picks the value that is joined with another: a value of the pool, which may
/// be an argument, or a constant.
static Pooled pickJoined(ProgramBuilder &p, ArrayRef<int64_t> shape) {
  if (p.below(2) == 0)
    return p.pickOfShape(shape);
  double number = p.oneOf({0.0, 1.0, -0.5});
  return {p.splat(shape, number), number, number};
}

static void applyConcatenate(ProgramBuilder &p) {
  Pooled x = p.pickOfRank(1);
  auto dim = p.below(static_cast<uint32_t>(x.rank()));
  Shape shape(x.shape());
  if (p.below(2) == 1)
    shape[dim] = p.extent();
  Pooled y = pickJoined(p, shape);
  if (p.below(2) == 1)
    std::swap(x, y);
  p.add(
      hlo::ConcatenateOp::create(p.b, p.loc, ValueRange{x.value, y.value}, dim),
      std::min(x.low, y.low), std::max(x.high, y.high));
}

/// A value and one computed from it, joined: the first is at hand where the
/// second is recomputed.
static void applyConcatenateWithOwn(ProgramBuilder &p) {
  Pooled x = p.addArgument(p.shapeOf(1 + p.below(3)), /*mayBeBatch=*/true);
  Value own = hlo::TanhOp::create(p.b, p.loc, x.value);
  Pooled gain = p.pickOfShape({x.shape().back()});
  own =
      hlo::MulOp::create(p.b, p.loc, own, p.broadcastTo(gain.value, x.shape()));
  auto dim = p.below(static_cast<uint32_t>(x.rank()));
  Value joined =
      hlo::ConcatenateOp::create(p.b, p.loc, ValueRange{x.value, own}, dim);
  p.add(hlo::SineOp::create(p.b, p.loc, joined), 1);
}

/// Every position mixed with the one before it, and the first one with zeros.
static void applyTokenShift(ProgramBuilder &p) {
  Pooled x = p.pickOfRank(2, 3);
  int64_t dim = x.rank() - 2;
  SmallVector<int64_t> starts(x.rank(), 0), limits(x.shape()),
      strides(x.rank(), 1);
  --limits[dim];
  Shape first(x.shape());
  first[dim] = 1;
  Value shifted = p.splat(first, 0);
  if (limits[dim] > 0) {
    Value rest =
        hlo::SliceOp::create(p.b, p.loc, x.value, starts, limits, strides);
    shifted =
        hlo::ConcatenateOp::create(p.b, p.loc, ValueRange{shifted, rest}, dim);
  }
  Pooled share = p.pickOfShape({x.shape().back()});
  Value difference = hlo::SubtractOp::create(p.b, p.loc, shifted, x.value);
  Value change = hlo::MulOp::create(p.b, p.loc, difference,
                                    p.broadcastTo(share.value, x.shape()));
  p.add(hlo::AddOp::create(p.b, p.loc, x.value, change),
        x.magnitude() * (1 + 2 * share.magnitude()));
}

static void applyPad(ProgramBuilder &p) {
  Pooled x = p.pickOfRank(1);
  SmallVector<int64_t> low, high, interior;
  for (int64_t dim = 0; dim < x.rank(); ++dim) {
    low.push_back(p.oneOf<int64_t>({0, 0, 1, 2}));
    high.push_back(p.oneOf<int64_t>({0, 0, 1, 2}));
    interior.push_back(p.oneIn(6) ? 1 : 0);
  }
  double number = p.oneOf({0.0, 0.5});
  Value padding = hlo::splat(
      p.b, p.loc, RankedTensorType::get({}, p.b.getF32Type()), number);
  p.add(hlo::PadOp::create(p.b, p.loc, x.value, padding, low, high, interior),
        std::min(x.low, number), std::max(x.high, number));
}

/// Rows of a value that is computed, at random.
static void applyGatherRows(ProgramBuilder &p) {
  Pooled x = p.pickOfRank(1, 3);
  Value ids = p.addIds({p.extent()}, x.shape()[0]);
  p.add(p.gatherRows(x.value, ids), x.low, x.high);
}

/// x[i, ids[i]] for every i: indices are pairs, of a count and an argument.
static void applyGatherPairs(ProgramBuilder &p) {
  Pooled x = p.pickOfRank(2, 3);
  int64_t count = x.shape()[0];
  Value ids = p.addIds({count, 1}, x.shape()[1]);
  Value counts = hlo::IotaOp::create(p.b, p.loc, ids.getType(), 0);
  Value pairs =
      hlo::ConcatenateOp::create(p.b, p.loc, ValueRange{counts, ids}, 1);
  ArrayRef<int64_t> row = x.shape().drop_front(2);
  Shape result = {count}, sizes = {1, 1};
  llvm::append_range(result, row);
  llvm::append_range(sizes, row);
  auto numbers = hlo::GatherDimensionNumbersAttr::get(
      p.b.getContext(),
      /*offset_dims=*/
      llvm::to_vector(
          llvm::seq<int64_t>(1, static_cast<int64_t>(result.size()))),
      /*collapsed_slice_dims=*/{0, 1}, /*operand_batching_dims=*/{},
      /*start_indices_batching_dims=*/{}, /*start_index_map=*/{0, 1},
      /*index_vector_dim=*/1);
  Type type = RankedTensorType::get(result, p.b.getF32Type());
  p.add(hlo::GatherOp::create(p.b, p.loc, type, x.value, pairs, numbers,
                              p.b.getDenseI64ArrayAttr(sizes),
                              p.b.getBoolAttr(false)),
        x.low, x.high);
}

static void applyReverse(ProgramBuilder &p) {
  Pooled x = p.pickOfRank(1);
  p.add(hlo::ReverseOp::create(p.b, p.loc, x.value.getType(), x.value,
                               p.someOf(x.rank())),
        x.low, x.high);
}

static void applyDynamicSlice(ProgramBuilder &p) {
  Pooled x = p.pickOfRank(1);
  Type scalar = RankedTensorType::get({}, p.b.getI32Type());
  SmallVector<Value> starts;
  Shape sizes;
  for (int64_t size : x.shape()) {
    sizes.push_back(size - p.below(static_cast<uint32_t>(size)));
    starts.push_back(hlo::splat(p.b, p.loc, scalar, p.below(3)));
  }
  Type type = RankedTensorType::get(sizes, p.b.getF32Type());
  p.add(hlo::DynamicSliceOp::create(p.b, p.loc, type, x.value, starts, sizes),
        x.low, x.high);
}

static void applySum(ProgramBuilder &p) {
  Pooled x = p.pickOfRank(1);
  SmallVector<int64_t> dims = p.someOf(x.rank());
  int64_t count = 1;
  for (int64_t dim : dims)
    count *= x.shape()[dim];
  auto factor = static_cast<double>(count);
  Value sum = hlo::reduceSum(p.b, p.loc, x.value, dims);
  if (p.below(2) == 0)
    p.add(sum, x.low * factor, x.high * factor);
  else
    p.add(p.divideBy(sum, count), x.low, x.high);
}

static void applyReduceMax(ProgramBuilder &p) {
  Pooled x = p.pickOfRank(1);
  p.add(hlo::reduceMax(p.b, p.loc, x.value, p.someOf(x.rank())), x.low, x.high);
}

ArrayRef<RandomOperation> mlir::boost::prove::getShapeOperations() {
  static const RandomOperation operations[] = {
      {"reshape", 4, applyReshape},
      {"transpose", 4, applyTranspose},
      {"broadcast_in_dim", 3, applyBroadcast},
      {"slice", 3, applySlice},
      {"rotate", 2, applyRotate},
      {"concatenate", 4, applyConcatenate},
      {"concatenate with what is computed from it", 2, applyConcatenateWithOwn},
      {"token shift", 2, applyTokenShift},
      {"pad", 3, applyPad},
      {"gather of rows", 2, applyGatherRows},
      {"gather by pairs", 2, applyGatherPairs},
      {"reverse", 1, applyReverse},
      {"dynamic_slice", 1, applyDynamicSlice},
      {"reduce add", 4, applySum},
      {"reduce maximum", 1, applyReduceMax},
  };
  return operations;
}
