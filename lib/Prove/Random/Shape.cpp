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

/// Merges two neighbouring dimensions, splits one, or adds or drops one of
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

static void applyConcatenate(ProgramBuilder &p) {
  Pooled x = p.pickOfRank(1);
  auto dim = p.below(static_cast<uint32_t>(x.rank()));
  Shape shape(x.shape());
  if (p.below(2) == 1)
    shape[dim] = p.extent();
  Pooled y = p.pickOfShape(shape);
  p.add(
      hlo::ConcatenateOp::create(p.b, p.loc, ValueRange{x.value, y.value}, dim),
      std::min(x.low, y.low), std::max(x.high, y.high));
}

static void applyPad(ProgramBuilder &p) {
  Pooled x = p.pickOfRank(1);
  SmallVector<int64_t> low, high, interior;
  for (int64_t dim = 0; dim < x.rank(); ++dim) {
    low.push_back(p.oneOf<int64_t>({0, 0, 1, 2}));
    high.push_back(p.oneOf<int64_t>({0, 0, 1, 2}));
    interior.push_back(p.oneIn(6) ? 1 : 0);
  }
  Value number =
      hlo::splat(p.b, p.loc, RankedTensorType::get({}, p.b.getF32Type()), 0);
  p.add(hlo::PadOp::create(p.b, p.loc, x.value, number, low, high, interior),
        std::min(x.low, 0.0), std::max(x.high, 0.0));
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
      {"concatenate", 3, applyConcatenate},
      {"pad", 2, applyPad},
      {"reverse", 1, applyReverse},
      {"dynamic_slice", 1, applyDynamicSlice},
      {"reduce add", 4, applySum},
      {"reduce maximum", 1, applyReduceMax},
  };
  return operations;
}
